//! Agents. There are no threads: what is sent to an agent is done at once, or when the action or the transaction that
//! sends it has ended.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::state::places::{self, Options, within_depth};
use crate::builtins::state::{atoms, transaction};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, InterruptKind, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Builtin, Exception, Value, Vector};
use std::collections::VecDeque;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "agent",
        "x | x & options",
        "A place that actions change: (send a f). Options as those of atom, and :error-handler, :error-mode.",
        &[("(let [a (agent 1)] (send a inc) (await a) @a)", "2")],
        &Body(|h, a| {
            let (value, options) = places::given(a, "agent")?;
            places::new(h, CellSort::Agent, value, options)
        }),
    ),
    Builtin::new(
        "send",
        "agent f & args",
        "Puts (f old & args) into an agent, at once, and gives the agent.",
        &[("@(send (agent 1) + 10)", "11")],
        &Body(send),
    ),
    Builtin::new("send-off", "agent f & args", "As send.", &[("@(send-off (agent 1) inc)", "2")], &Body(send)),
    Builtin::new(
        "await",
        "& agents",
        "Nothing: what was sent has been done.",
        &[("(await (agent 1))", "nil")],
        &Body(|_, _| Ok(Value::Nil)),
    ),
    Builtin::new(
        "await-for",
        "timeout-ms & agents",
        "True: what was sent has been done.",
        &[("(await-for 100 (agent 1))", "true")],
        &Body(|h, a| {
            crate::number::to_f64(h, crate::builtins::args::get(a, 0))?;
            Ok(Value::Bool(true))
        }),
    ),
    Builtin::new(
        "agent-error",
        "agent",
        "The exception that an action of the agent threw, or nil.",
        &[("(let [a (agent 1)] (send a (fn [_] (throw (ex-info \"no\" {})))) (ex-message (agent-error a)))", "\"no\"")],
        &Body(|h, a| {
            let id = agent(a)?;
            Ok(Options::of(h, id).failed)
        }),
    ),
    Builtin::new(
        "restart-agent",
        "agent new-state & options",
        "Gives an agent whose action threw a value, so that it takes actions again.",
        &[("(let [a (agent 1)] (send a (fn [_] (throw (ex-info \"no\" {})))) (restart-agent a 5) @(send a inc))", "6")],
        &Body(restart),
    ),
    Builtin::new(
        "shutdown-agents",
        "",
        "Nothing: there are no threads.",
        &[("(shutdown-agents)", "nil")],
        &Body(|_, _| Ok(Value::Nil)),
    ),
];

fn agent(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Atom(id) if id.sort() == CellSort::Agent => Ok(*id),
        other => Err(Interrupt::argument(0, "an agent", other)),
    }
}

fn send(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = agent(a)?;
    ready(h, id)?;
    let place = get(a, 0).clone();
    if transaction::sent_later(h, a)? {
        return Ok(place);
    }
    act(h, a)?;
    Ok(place)
}

/// An error for an agent that has failed.
fn ready(h: &mut dyn Host, id: CellId) -> Result<()> {
    let failed = Options::of(h, id).failed;
    if failed.is_nil() {
        return Ok(());
    }
    let words = Some("Agent is failed, needs restart".to_string());
    let e = Exception::new("RuntimeException", words, Value::Nil, failed, None);
    Err(Interrupt::new(InterruptKind::Throw(Value::Exception(e))))
}

/// Does what was sent, an agent with a function and its arguments; or keeps it until the action that runs has ended.
///
/// # Errors
/// Limits, and what watches throw. What an action throws stays with its agent.
pub fn act(h: &mut dyn Host, a: &mut [Value]) -> Result<()> {
    let call = Value::vector(a.iter_mut().map(std::mem::take).collect());
    if let Value::Vector(mut waiting) = h.cell_set(CellId::SENT, Value::Nil) {
        h.charge(8)?;
        h.reserve(256)?;
        waiting.push(call);
        h.cell_set(CellId::SENT, Value::Vector(waiting));
        return Ok(());
    }
    let mut work = VecDeque::from([call]);
    while let Some(call) = work.pop_front() {
        h.charge(8)?;
        let Value::Vector(call) = call else { continue };
        h.cell_set(CellId::SENT, Value::Vector(Vector::default()));
        let done = action(h, &mut call.iter().cloned().collect::<Vec<_>>());
        let sent = h.cell_set(CellId::SENT, Value::Nil);
        done?;
        if let Value::Vector(sent) = sent {
            work.extend(sent.iter().cloned());
        }
    }
    Ok(())
}

fn action(h: &mut dyn Host, a: &mut [Value]) -> Result<()> {
    let id = agent(a)?;
    let place = get(a, 0).clone();
    let old = h.cell_get(id);
    let f = take(a, 1);
    let done = atoms::call(h, &f, old, a).and_then(|new| {
        within_depth(h, &new)?;
        places::put(h, id, new)
    });
    match done {
        Ok(_) => Ok(()),
        Err(stop)
            if matches!(stop.kind(), InterruptKind::Limit(_) | InterruptKind::Return(_) | InterruptKind::Fail(_)) =>
        {
            Err(stop)
        }
        Err(stop) => {
            let e = h.exception(stop);
            let options = Options::of(h, id);
            if !options.handler.is_nil() {
                h.call(&options.handler, &mut [place, e.clone()])?;
            }
            // With a handler an agent goes on, as in Clojure.
            if !options.goes_on && options.handler.is_nil() {
                return Options { failed: e, ..options }.give(h, id);
            }
            Ok(())
        }
    }
}

fn restart(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = agent(a)?;
    let options = Options::of(h, id);
    if options.failed.is_nil() {
        let words = "Agent does not need a restart";
        return Err(Interrupt::throw("RuntimeException", ErrorKind::Value, words));
    }
    places::approve(h, &options.validator, get(a, 1))?;
    within_depth(h, get(a, 1))?;
    h.cell_set(id, get(a, 1).clone());
    Options { failed: Value::Nil, ..options }.give(h, id)?;
    Ok(take(a, 1))
}
