//! Promises and futures: there are no threads, so a future is computed where it is written, and a promise that nobody
//! has delivered by the time it is asked for is an error.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::delays::{force_delay, held_state, state};
use crate::builtins::state::exception_classes::full_name;
use crate::builtins::state::places::within_depth;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, InterruptKind, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Builtin, Exception, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "promise",
        "",
        "A place for a value that deliver gives once.",
        &[("(let [p (promise)] (deliver p 5) @p)", "5"), ("@(promise)", "!nobody has delivered")],
        &Body(promise),
    ),
    Builtin::new(
        "deliver",
        "promise val",
        "Gives a promise its value, and gives the promise; nil when it had one already.",
        &[("(let [p (promise)] (deliver p 1) (deliver p 2) @p)", "1")],
        &Body(deliver),
    ),
    Builtin::new(
        "future-call",
        "f",
        "Calls a function without arguments, at once; what it gave or threw is there for deref. (future body...) is short for it.",
        &[("@(future-call (fn [] (+ 1 2)))", "3")],
        &Body(future_call),
    ),
    Builtin::new(
        "future?",
        "x",
        "Whether x is a future.",
        &[("(future? (future 1))", "true")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Delay(id) if id.sort() == CellSort::Future)))),
    ),
    Builtin::new(
        "future-done?",
        "f",
        "Whether a future has been computed: always.",
        &[("(future-done? (future 1))", "true")],
        &Body(|_, a| future(a).map(|_| Value::Bool(true))),
    ),
    Builtin::new(
        "future-cancel",
        "f",
        "Cancels a future: false, as it has been computed.",
        &[("(future-cancel (future 1))", "false")],
        &Body(|_, a| future(a).map(|_| Value::Bool(false))),
    ),
    Builtin::new(
        "future-cancelled?",
        "f",
        "Whether a future was cancelled: false.",
        &[("(future-cancelled? (future 1))", "false")],
        &Body(|_, a| future(a).map(|_| Value::Bool(false))),
    ),
];

fn future(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Delay(id) if id.sort() == CellSort::Future => Ok(*id),
        other => Err(Interrupt::argument(0, "a future", other)),
    }
}

fn promise(h: &mut dyn Host, _: &mut [Value]) -> Result {
    Ok(Value::Delay(h.cell_of(CellSort::Promise, false, state("undelivered", Value::Nil))?))
}

fn deliver(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = match get(a, 0) {
        Value::Delay(id) if id.sort() == CellSort::Promise => *id,
        other => return Err(Interrupt::argument(0, "a promise", other)),
    };
    if !undelivered(h, id) {
        return Ok(Value::Nil);
    }
    within_depth(h, get(a, 1))?;
    h.charge(4)?;
    h.cell_set(id, state("value", take(a, 1)));
    Ok(take(a, 0))
}

fn undelivered(h: &mut dyn Host, id: CellId) -> bool {
    let held = h.cell_get(id);
    held_state(&held).is_some_and(|(name, _)| name == "undelivered")
}

fn future_call(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let ended = match h.call(get(a, 0), &mut []) {
        Ok(v) => {
            within_depth(h, &v)?;
            state("value", v)
        }
        Err(stop)
            if matches!(stop.kind(), InterruptKind::Limit(_) | InterruptKind::Return(_) | InterruptKind::Fail(_)) =>
        {
            return Err(stop);
        }
        Err(stop) => {
            let e = h.exception(stop);
            state("thrown", failed(e))
        }
    };
    Ok(Value::Delay(h.cell_of(CellSort::Future, false, ended)?))
}

/// What a future of which the body threw throws when it is asked for.
fn failed(cause: Value) -> Value {
    let message = match &cause {
        Value::Exception(e) => {
            let mut words = full_name(e.class).to_string();
            if let Some(message) = &e.message {
                words.extend([": ", message]);
            }
            if !e.data.is_nil() {
                words.extend([" ", &crate::print::readable(&e.data, 1000)]);
            }
            Some(words)
        }
        _ => None,
    };
    Value::Exception(Exception::new("ExecutionException", message, Value::Nil, cause, None))
}

/// What a delay, promise or future gives to `deref`, which may have been given a time and a value instead.
///
/// # Errors
/// What its body threw; that of a promise which nobody has delivered.
pub fn settled(h: &mut dyn Host, id: CellId, a: &[Value]) -> Result {
    if id.sort() == CellSort::Promise && undelivered(h, id) {
        return match a {
            [_, _, instead] => Ok(instead.clone()),
            _ => Err(Interrupt::error(
                ErrorKind::Value,
                "deref: nobody has delivered this promise, and nothing runs meanwhile that could",
            )
            .hint("(deliver p value) before, or (deref p 0 default)")),
        };
    }
    force_delay(h, id)
}
