//! Stops on their way: where they came from, what a handler sees of them, and what is said of them in the end.

use super::state::Vm;
use crate::builtins::state::exception_classes::{class_of, class_of_error};
use crate::bytecode::{Closure, Op, Proto, Reg};
use crate::error::{Error, ErrorKind};
use crate::host::{Interrupt, InterruptKind};
use crate::value::{Exception, Value};

/// Most functions named in an error.
const CALLS: usize = 16;
/// Classes under which `finally` holds what no `catch` may see.
const RETURN: &str = "\u{1}return";
const FAIL: &str = "\u{1}fail";

impl Vm<'_, '_> {
    /// Notes where a stop happened, if nobody further in has.
    pub fn locate(&mut self, stop: &mut Interrupt, closure: &Closure, p: &Proto, pc: usize) {
        // Functions of earlier turns were written in another text: the place is where this turn's text called them.
        if closure.source != self.source {
            self.in_stage = 0;
            return;
        }
        let stage = stage_before(p, pc.saturating_sub(1), std::mem::take(&mut self.in_stage));
        let Some(span) = p.spans.get(stage) else { return };
        match stop.kind_mut() {
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => {
                e.span.get_or_insert(*span);
            }
            InterruptKind::Throw(_) => {
                self.thrown_at.get_or_insert(*span);
            }
            _ => {}
        }
    }

    /// Notes the function that a stop passes through.
    pub fn passed(&mut self, stop: &mut Interrupt, closure: &Closure) {
        let Some(name) = &closure.template.name else { return };
        let calls = match stop.kind_mut() {
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => &mut e.calls,
            InterruptKind::Throw(_) => &mut self.thrown_calls,
            _ => return,
        };
        if calls.len() < CALLS {
            calls.push(name.to_string());
        }
        // No place in this turn's text yet: it happened in the text of an earlier one.
        if let InterruptKind::Fault(e) = stop.kind_mut()
            && e.span.is_none()
            && e.calls.len() == 1
        {
            let place = format!("it happened in {name}, which an earlier turn defined");
            e.hint = Some(e.hint.take().map_or(place.clone(), |h| format!("{h}; {place}")));
        }
    }

    /// `(throw v)`
    pub fn throw(&mut self, v: Value) -> Interrupt {
        self.thrown_at = None;
        self.thrown_calls.clear();
        match v {
            Value::Exception(_) => Interrupt::new(InterruptKind::Throw(v)),
            // Clojure's own words for it are a ClassCastException (trap 31).
            other => Interrupt::error(
                ErrorKind::Type,
                format!("throw takes an exception, got {}", crate::print::brief(&other)),
            )
            .hint("write (throw (ex-info \"message\" {:key \"data\"}))"),
        }
    }

    /// A stop as the exception value that a handler binds.
    pub fn caught(&mut self, stop: Interrupt) -> Value {
        let exception =
            |class, message, data, error| Value::Exception(Exception::new(class, message, data, Value::Nil, error));
        match stop.into_kind() {
            InterruptKind::Throw(v) => v,
            InterruptKind::Return(v) => exception(RETURN, None, v, None),
            InterruptKind::Fail(v) => exception(FAIL, None, v, None),
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => {
                let class = class_of_error(&e);
                let message = caught_message(&e).unwrap_or_else(|| e.message.clone());
                exception(class, Some(message), Value::Nil, Some(Box::new(e)))
            }
            InterruptKind::Argument { problem, kind, .. } => exception(class_of(kind), Some(problem), Value::Nil, None),
        }
    }

    /// What a handler caught continues.
    pub fn rethrow(&mut self, v: Value) -> Interrupt {
        match &v {
            Value::Exception(e) if e.class == RETURN => Interrupt::new(InterruptKind::Return(e.data.clone())),
            Value::Exception(e) if e.class == FAIL => Interrupt::new(InterruptKind::Fail(e.data.clone())),
            Value::Exception(e) if e.data.is_nil() && e.error.is_some() => match &e.error {
                Some(error) => Interrupt::new(InterruptKind::Fault((**error).clone())),
                None => Interrupt::new(InterruptKind::Throw(v)),
            },
            _ => Interrupt::new(InterruptKind::Throw(v)),
        }
    }

    /// The error that a turn ends with.
    pub fn error_of(&mut self, why: InterruptKind) -> Error {
        match why {
            InterruptKind::Fault(e) | InterruptKind::Limit(e) => e,
            InterruptKind::Argument { kind, problem, hint, .. } => Error { hint, ..Error::new(kind, problem) },
            InterruptKind::Throw(v) => {
                let mut e = thrown(&v);
                e.span = e.span.or(self.thrown_at.take());
                if e.calls.is_empty() {
                    e.calls = std::mem::take(&mut self.thrown_calls);
                }
                e
            }
            InterruptKind::Return(_) | InterruptKind::Fail(_) => Error::new(ErrorKind::Internal, "the turn had ended"),
        }
    }
}

/// The place of the call of a stage, so many calls before the one at `at`, to which what they gave was handed on.
fn stage_before(p: &Proto, mut at: usize, calls: usize) -> usize {
    for _ in 0..calls {
        let Some(Op::CallBuiltin { a, n, .. }) = p.code.get(at) else { break };
        let given = a.saturating_add(Reg::from(*n)).saturating_sub(1);
        let before = p.code.get(..at).unwrap_or_default();
        let Some(call) = before.iter().rposition(|op| matches!(op, Op::CallBuiltin { d, .. } if *d == given)) else {
            break;
        };
        at = call;
    }
    at
}

/// An exception that nobody caught, in words.
fn thrown(v: &Value) -> Error {
    let Value::Exception(e) = v else {
        return Error::new(ErrorKind::Thrown, crate::print::readable(v, 1000));
    };
    if let Some(error) = &e.error {
        return (**error).clone();
    }
    let message = e.message.clone().unwrap_or_default();
    let mut text = match e.class {
        "ExceptionInfo" | "Exception" => message,
        class if message.is_empty() => class.to_string(),
        class => format!("{class}: {message}"),
    };
    if !e.data.is_nil() {
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(&crate::print::readable(&e.data, 1000));
    }
    let mut cause = &e.cause;
    let mut error = Error::new(ErrorKind::Thrown, text);
    // The chain of causes is named by its messages, a few of them.
    for _ in 0..4 {
        let Value::Exception(c) = cause else { break };
        let words = c.message.clone().unwrap_or_else(|| c.class.to_string());
        error = Error {
            span: error.span,
            calls: error.calls,
            ..Error::new(error.kind, format!("{} (caused by: {words})", error.message))
        };
        cause = &c.cause;
    }
    error
}

/// What the message of an error of arity is to a program that has caught it: the words of Clojure.
fn caught_message(e: &Error) -> Option<String> {
    if e.kind != ErrorKind::Arity {
        return None;
    }
    let (name, got) =
        e.message.split_once(" takes ").and_then(|(name, rest)| Some((name, rest.rsplit_once(", got ")?.1)))?;
    got.parse::<usize>().ok()?;
    let full = match name.split_once('/') {
        _ if name == "the function" => "user/fn".to_string(),
        _ if name.starts_with(':') => name.to_string(),
        _ if name.starts_with('{') => "clojure.lang.PersistentArrayMap".to_string(),
        _ if name.starts_with('[') => "clojure.lang.PersistentVector".to_string(),
        _ if name.starts_with("#{") => "clojure.lang.PersistentHashSet".to_string(),
        Some(("str", n)) => format!("clojure.string/{n}"),
        Some(("set", n)) => format!("clojure.set/{n}"),
        Some(("walk", n)) => format!("clojure.walk/{n}"),
        Some(("edn", n)) => format!("clojure.edn/{n}"),
        Some(("csv", n)) => format!("clojure.data.csv/{n}"),
        Some((ns, n)) if !ns.is_empty() && !n.is_empty() => name.to_string(),
        _ if crate::builtins::find(name).is_some() => format!("clojure.core/{name}"),
        _ => format!("user/{name}"),
    };
    Some(format!("Wrong number of args ({got}) passed to: {full}"))
}
