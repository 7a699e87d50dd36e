//! Tool calls: three ways of passing arguments become one map, checked before the call is made; and calls that are made
//! together.

use super::state::{PendingCall, Vm};
use crate::builtins::functions::combinators::Native;
use crate::bytecode::{Op, Proto};
use crate::error::{Error, ErrorKind};
use crate::fuel::Cost;
use crate::host::{Interrupt, InterruptKind, Result};
use crate::interface::{CallDeadline, Param, ToolCall, ToolRequest, ToolSpec};
use crate::seq::realise;
use crate::value::{Exception, Item, Map, Str, Value};

/// What a function that was only asked what it would call came to.
enum Wanted {
    /// It called no tool at its end: its value.
    Value(Value),
    /// A tool call, still to be made, whose answer is its value.
    Call(PendingCall),
}

impl Vm<'_, '_> {
    /// Calls a granted tool.
    pub fn call_tool(&mut self, spec: &ToolSpec, args: &mut [Value]) -> Result {
        let args = self.ready(spec, args)?;
        self.make(vec![(spec.name.clone(), args)])?.pop().unwrap_or(Ok(Value::Nil))
    }

    /// Calls each function with its arguments; at most [`MAX_PARALLEL_CALLS`](crate::interface::MAX_PARALLEL_CALLS) of
    /// them. Tool calls that are the last thing these functions do are made together. The values are in order; the
    /// first error in order is the error of all, and later calls of the group have been made as well.
    pub fn call_parallel(&mut self, calls: Vec<(Value, Vec<Value>)>) -> Result<Vec<Value>> {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(calls.len());
        let mut ready: Vec<(String, Value)> = Vec::new();
        let mut stopped = None;
        for (f, args) in calls {
            let wanted = self.wanted(&f, args).and_then(|w| match w {
                Wanted::Value(v) => Ok(Some(v)),
                Wanted::Call(PendingCall { spec, mut args }) => {
                    ready.push((spec.name.clone(), self.ready(&spec, &mut args)?));
                    self.waiting += 1;
                    Ok(None)
                }
            });
            match wanted {
                Ok(v) => values.push(v),
                // As if they were made one after the other: what came before is still made.
                Err(stop) => {
                    stopped = Some(stop);
                    break;
                }
            }
        }
        self.waiting = self.waiting.saturating_sub(ready.len());
        let answers = if ready.is_empty() { Vec::new() } else { self.make(ready)? };
        let mut answers = answers.into_iter();
        let values = values.into_iter().map(|v| match v {
            Some(v) => Ok(v),
            None => answers.next().unwrap_or(Ok(Value::Nil)),
        });
        let values = values.collect::<Result<Vec<_>>>()?;
        stopped.map_or(Ok(values), Err)
    }

    /// The tool call that is the last thing `f` does with these arguments, or else its value.
    fn wanted(&mut self, f: &Value, mut args: Vec<Value>) -> Result<Wanted> {
        if let Value::Function(function) = f {
            if let Some(native) = function.downcast::<Native>() {
                if let ("partial", [inner, held @ ..]) = (native.name, native.held.as_slice()) {
                    self.charge_cost(Cost(4 + held.len() as u64))?;
                    let inner = inner.clone();
                    args.splice(0..0, held.iter().cloned());
                    return self.deeper(|m| m.wanted(&inner, args));
                }
            } else {
                let outer = self.defer.replace(self.top);
                let value = self.call_value(f, &mut args);
                self.defer = outer;
                return match self.deferred.take() {
                    Some(pending) => value.map(|_| Wanted::Call(pending)),
                    None => value.map(Wanted::Value),
                };
            }
        }
        if let Value::Tool(name) = f
            && let Some(spec) = self.turn.tools.iter().find(|t| t.name == name.as_str())
        {
            return Ok(Wanted::Call(PendingCall { spec: spec.clone(), args }));
        }
        self.call_value(f, &mut args).map(Wanted::Value)
    }

    /// Whether the function whose registers begin at `base` was only asked what it would call, and the call at `pc`
    /// is the last thing it does: nothing catches its error, and its answer goes straight out.
    pub fn defers(&self, p: &Proto, pc: usize, base: usize, d: u16) -> bool {
        self.defer == Some(base)
            && matches!(p.code.get(pc), Some(Op::Ret { a }) if *a == d)
            && !p.handlers.iter().any(|h| (h.from..h.to).contains(&(pc as u32 - 1)))
    }

    /// Keeps a call for later.
    pub fn defer_call(&mut self, spec: ToolSpec, args: Vec<Value>) {
        self.defer = None;
        self.deferred = Some(PendingCall { spec, args });
    }

    /// The arguments of a call as they go out, checked.
    fn ready(&mut self, spec: &ToolSpec, args: &mut [Value]) -> Result {
        self.charge_cost(Cost(100))?;
        if self.expanding.is_some() {
            let words = format!("tool/{} cannot be called while a macro is expanded", spec.name);
            return Err(Interrupt::error(ErrorKind::Denied, words)
                .hint("put the call into the expansion: `(tool/name ~argument)"));
        }
        if let Some(e) = (self.turn.refuse)(&spec.name) {
            return Err(Interrupt::new(InterruptKind::Fault(e)));
        }
        // First, since what is in them may call tools itself.
        for a in args.iter_mut() {
            realise(self, a)?;
        }
        let limit = self.turn.limits.tool_calls;
        if self.tool_calls.len().saturating_add(self.waiting) as u64 >= limit {
            return Err(Interrupt::error(
                ErrorKind::ToolCalls,
                format!("more than tool_calls = {limit} calls in one turn"),
            )
            .hint("call the tool for fewer items, or in several turns"));
        }
        let args = arguments(spec, args)?;
        self.as_json(args, || format!("the arguments of tool/{}", spec.name))
    }

    /// Makes these calls, and keeps that they were made.
    fn make(&mut self, calls: Vec<(String, Value)>) -> Result<Vec<Result>> {
        self.check_limits(0)?;
        let first = self.turn.calls_before + self.tool_calls.len() as u64 + 1;
        let asked: Vec<ToolRequest<'_>> =
            calls.iter().zip(first..).map(|((name, args), id)| ToolRequest { id, name, args }).collect();
        let (clock, limits) = (self.turn.clock, self.turn.limits);
        let before = clock.wall_ms();
        let left_ms = (limits.wall_ms > 0).then(|| limits.wall_ms.saturating_sub(before));
        let wait = CallDeadline { cancelled: self.turn.cancelled, left_ms, limits };
        let mut answers = self.turn.caller.call_many(&asked, &wait).into_iter();
        let ms = clock.wall_ms().saturating_sub(before);
        let mut values = Vec::with_capacity(calls.len());
        for ((name, args), id) in calls.into_iter().zip(first..) {
            let answer = answers.next().unwrap_or_else(|| Err("nobody answered".to_owned()));
            values.push(self.answered(ToolCall { id, name, args, result: Ok(Value::Nil), failure: None, ms }, answer));
        }
        self.check_limits(0)?;
        Ok(values)
    }

    /// Keeps a call that was made: it happened, whatever becomes of its answer (SECURITY attack 33).
    fn answered(&mut self, mut call: ToolCall, answer: std::result::Result<Value, String>) -> Result {
        match answer {
            Ok(v) => {
                let v = if v.depth() > self.turn.limits.data_depth {
                    Err(crate::host::too_deep(self.turn.limits))
                } else {
                    self.as_json(v, || format!("the answer of tool/{}", call.name))
                };
                if let Ok(v) = &v {
                    call.result = Ok(v.clone());
                }
                self.tool_calls.push(call);
                v
            }
            Err(message) => {
                let message = crate::error::cut(message, 2048);
                call.failure = self.turn.caller.failure(call.id);
                let stop = tool_error(&call.name, &message, call.failure.as_ref());
                call.result = Err(message);
                self.tool_calls.push(call);
                Err(stop)
            }
        }
    }

    /// What a value becomes when it goes out and comes in as JSON, so that a replay from the record sees the same.
    fn as_json(&mut self, v: Value, what: impl Fn() -> String) -> Result {
        crate::cost::walk(self, &v)?;
        if crate::json::is_json(&v) {
            return Ok(v);
        }
        let text = crate::json::to_text(&v)
            .map_err(|m| Interrupt::error(ErrorKind::Type, format!("{} cannot be JSON: {m}", what())))?;
        self.charge_cost(Cost(text.len() as u64 / 16))?;
        crate::json::parse_text(&text, self.turn.limits).map_err(|e| {
            Interrupt::new(if e.kind.is_limit() { InterruptKind::Limit(e) } else { InterruptKind::Fault(e) })
        })
    }
}

/// Whether a key of a map is this name, as keyword or string.
fn is_named(key: &Value, name: &str) -> bool {
    matches!(key, Value::Keyword(k) if k.text() == name) || key.as_str() == Some(name)
}

/// A tool's error as the exception that programs can catch.
fn tool_error(name: &str, message: &str, failure: Option<&Value>) -> Interrupt {
    let error = Error::new(ErrorKind::Tool, format!("tool/{name}: {message}"));
    let own = [("tool", name), ("message", message)].map(|(k, v)| (Value::plain_keyword(k), Value::str(v)));
    let entries = failure.and_then(|v| if let Value::Map(m) = v { Some(m) } else { None });
    // Whose error it is says the runtime alone.
    let known = entries.into_iter().flat_map(Map::iter).filter(|(k, _)| !is_named(k, "tool"));
    let known = known.map(|(k, v)| match v.as_str() {
        Some(word) if matches!(k, Value::Keyword(k) if k.text() == "kind") => (k.clone(), Value::plain_keyword(word)),
        _ => (k.clone(), v.clone()),
    });
    let data: Vec<(Value, Value)> = own.into_iter().chain(known).collect();
    let (message, error) = (Some(message.to_string()), Some(Box::new(error)));
    Interrupt::new(InterruptKind::Throw(Value::Exception(Exception::new(
        "ExceptionInfo",
        message,
        Value::map(data),
        Value::Nil,
        error,
    ))))
}

/// The arguments map: one map of parameters, pairs of keyword and value, or values in the order of the parameters.
fn arguments(spec: &ToolSpec, args: &mut [Value]) -> Result {
    let Some(params) = &spec.params else {
        return match args {
            [] => Ok(Value::Map(Map::new())),
            // What the keys become is told where they go out.
            [map @ Value::Map(_)] => Ok(map.clone()),
            [other] => Err(Interrupt::new(InterruptKind::Fault(crate::arity::tool_wants_map(spec, other)))),
            _ => Err(Interrupt::new(InterruptKind::Fault(crate::arity::tool_arity(spec, args.len())))),
        };
    };
    let named = |k: &Value| key_text(k).is_some_and(|k| params.iter().any(|p| p.name == k));
    let given: Map = match &*args {
        [Value::Map(m)] if !m.is_empty() && m.keys().all(named) => data_keys(spec, m)?,
        [first @ Value::Keyword(_), ..] if args.len().is_multiple_of(2) && named(first) => {
            let mut m = Map::new();
            for pair in args.chunks(2) {
                if let [k, v] = pair {
                    let Some(name) = key_text(k).filter(|_| named(k)) else { return Err(unknown(spec, params, k)) };
                    give(spec, &mut m, Value::data_key(name), v)?;
                }
            }
            m
        }
        _ => {
            if args.len() > params.len() {
                return Err(Interrupt::new(InterruptKind::Fault(crate::arity::tool_arity(spec, args.len()))));
            }
            // A map where none is taken is meant as arguments: say which key is wrong.
            if let [Value::Map(m)] = &*args
                && let Some(k) = m.keys().find(|k| !named(k))
                && !matches!(
                    params.first().map(|p| &p.shape),
                    Some(crate::types::Type::Map | crate::types::Type::Any | crate::types::Type::Record { .. })
                )
            {
                return Err(unknown(spec, params, k));
            }
            params
                .iter()
                .zip(args.iter())
                .map(|(p, v)| (Value::data_key(&p.name), v.clone()))
                .collect::<Vec<_>>()
                .into_entries()
        }
    };
    let mut out = Map::new();
    for p in params {
        let key = Value::data_key(&p.name);
        match given.get(&key) {
            Some(v) => {
                p.shape
                    .check_as(&p.name, v)
                    .map_err(|m| Interrupt::error(ErrorKind::Type, format!("tool/{}: {m}", spec.name)))?;
                out.insert(key, v.clone());
            }
            None if matches!(p.shape, crate::types::Type::Optional(_)) => {}
            None => {
                let usage = params.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(" ");
                return Err(Interrupt::error(ErrorKind::Arity, format!("tool/{}: {} is missing", spec.name, p.name))
                    .hint(format!("(tool/{} {usage})", spec.name)));
            }
        }
    }
    Ok(Value::Map(out))
}

trait IntoEntries {
    fn into_entries(self) -> Map;
}
impl IntoEntries for Vec<(Value, Value)> {
    fn into_entries(self) -> Map {
        Map::from_entries(self)
    }
}

fn key_text(k: &Value) -> Option<&str> {
    match k {
        Value::Keyword(k) => Some(k.text()),
        Value::Str(s) => Some(Str::as_str(s)),
        _ => None,
    }
}

/// Arguments under the keys that data has ([`Value::data_key`]).
fn data_keys(spec: &ToolSpec, m: &Map) -> Result<Map> {
    let mut out = Map::new();
    for (k, v) in m.iter() {
        let key = key_text(k).map_or_else(|| k.clone(), Value::data_key);
        give(spec, &mut out, key, v)?;
    }
    Ok(out)
}

/// Adds an argument. A parameter that is named twice, as keyword and as string perhaps, is an error: one of its values would
/// be lost.
fn give(spec: &ToolSpec, all: &mut Map, key: Value, v: &Value) -> Result<()> {
    if all.get(&key).is_some() {
        let text = crate::print::brief(&key);
        return Err(Interrupt::error(ErrorKind::Arity, format!("tool/{}: {text} is given twice", spec.name))
            .hint(format!("give it once, as {text}")));
    }
    all.insert(key, v.clone());
    Ok(())
}

#[cold]
fn unknown(spec: &ToolSpec, params: &[Param], k: &Value) -> Interrupt {
    let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
    let text = crate::print::brief(k);
    let near = key_text(k).and_then(|k| crate::suggest::did_you_mean(k, names.iter().copied()));
    let e = Interrupt::error(ErrorKind::Arity, format!("tool/{}: there is no parameter {text}", spec.name));
    match near {
        Some(n) => e.hint(format!("did you mean :{n}?")),
        None => e.hint(format!("its parameters are {}", names.join(" "))),
    }
}
