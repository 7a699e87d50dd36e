//! Tool calls: three ways of passing arguments become one map, checked before the call is made.

use super::machine::Machine;
use crate::error::{Error, ErrorKind};
use crate::host::{Result, Stop, Why, realise};
use crate::outside::{Param, ToolCall, ToolSpec};
use crate::value::{Exception, Item, Keyword, Map, Str, Value};
use std::sync::Arc;

impl Machine<'_, '_> {
    /// Calls a granted tool.
    pub fn call_tool(&mut self, spec: &ToolSpec, args: &mut [Value]) -> Result {
        self.pay(100)?;
        let limit = self.turn.limits.tool_calls;
        if self.tool_calls.len() as u64 >= limit {
            return Err(Stop::error(ErrorKind::ToolCalls, format!("more than tool_calls = {limit} calls in one turn"))
                .hint("call the tool for fewer items, or in several turns"));
        }
        for a in args.iter() {
            realise(self, a)?;
        }
        let args = arguments(spec, args)?;
        let args = self.as_json(args, || format!("the arguments of tool/{}", spec.name))?;
        self.look(0)?;
        let id = self.turn.calls_before + self.tool_calls.len() as u64 + 1;
        let before = self.turn.clock.wall_ms();
        let answer = self.turn.caller.call(id, &spec.name, &args);
        let ms = self.turn.clock.wall_ms().saturating_sub(before);
        let mut call = ToolCall { id, name: spec.name.clone(), args, result: Ok(Value::Nil), ms };
        match answer {
            Ok(v) => {
                // The call happened, whatever becomes of its answer (SECURITY attack 33).
                let v = if v.depth() > self.turn.limits.data_depth {
                    Err(crate::host::too_deep(self.turn.limits))
                } else {
                    self.as_json(v, || format!("the answer of tool/{}", spec.name))
                };
                if let Ok(v) = &v {
                    call.result = Ok(v.clone());
                }
                self.tool_calls.push(call);
                self.look(0)?;
                v
            }
            Err(message) => {
                let message = crate::error::cut(message, 2048);
                call.result = Err(message.clone());
                self.tool_calls.push(call);
                self.look(0)?;
                Err(tool_error(&spec.name, &message))
            }
        }
    }

    /// What a value becomes when it goes out and comes in as JSON, so that a replay from the record sees the same.
    fn as_json(&mut self, v: Value, what: impl Fn() -> String) -> Result {
        self.pay(1)?;
        if crate::json::is_json(&v) {
            return Ok(v);
        }
        let text = crate::json::to_text(&v)
            .map_err(|m| Stop::error(ErrorKind::Type, format!("{} cannot be JSON: {m}", what())))?;
        self.pay(text.len() as u64 / 16)?;
        crate::json::parse_text(&text, self.turn.limits)
            .map_err(|e| Stop::new(if e.kind.is_limit() { Why::Limit(e) } else { Why::Fault(e) }))
    }
}

/// A tool's error as the exception that programs can catch.
fn tool_error(name: &str, message: &str) -> Stop {
    let error = Error::new(ErrorKind::Tool, format!("tool/{name}: {message}"));
    let data = [("tool", name), ("message", message)].map(|(k, v)| (Value::plain_keyword(k), Value::str(v)));
    Stop::new(Why::Throw(Value::Exception(Arc::new(Exception {
        class: "ExceptionInfo",
        message: Some(message.to_string()),
        data: Value::map(data),
        cause: Value::Nil,
        error: Some(Box::new(error)),
    }))))
}

/// The arguments map: one map of parameters, pairs of keyword and value, or values in the order of the parameters.
fn arguments(spec: &ToolSpec, args: &mut [Value]) -> Result {
    let Some(params) = &spec.params else {
        return match args {
            [] => Ok(Value::Map(Map::new())),
            [Value::Map(m)] => Ok(Value::Map(plain_keys(m))),
            _ => Err(Stop::new(Why::Fault(super::tool_arity(spec, args.len())))),
        };
    };
    let named = |k: &Value| key_text(k).is_some_and(|k| params.iter().any(|p| p.name == k));
    let given: Map = match &*args {
        [Value::Map(m)] if !m.is_empty() && m.keys().all(named) => plain_keys(m),
        [first @ Value::Keyword(_), ..] if args.len().is_multiple_of(2) && named(first) => {
            let mut m = Map::new();
            for pair in args.chunks(2) {
                if let [k, v] = pair {
                    let Some(name) = key_text(k).filter(|_| named(k)) else { return Err(unknown(spec, params, k)) };
                    m.insert(Value::plain_keyword(name), v.clone());
                }
            }
            m
        }
        _ => {
            if args.len() > params.len() {
                return Err(Stop::new(Why::Fault(super::tool_arity(spec, args.len()))));
            }
            // A map where none is taken is meant as arguments: say which key is wrong.
            if let [Value::Map(m)] = &*args
                && let Some(k) = m.keys().find(|k| !named(k))
                && !matches!(
                    params.first().map(|p| &p.shape),
                    Some(crate::shape::Shape::Map | crate::shape::Shape::Any | crate::shape::Shape::Record(_))
                )
            {
                return Err(unknown(spec, params, k));
            }
            params
                .iter()
                .zip(args.iter())
                .map(|(p, v)| (Value::plain_keyword(&p.name), v.clone()))
                .collect::<Vec<_>>()
                .into_entries()
        }
    };
    let mut out = Map::new();
    for p in params {
        let key = Value::Keyword(Keyword::new(None, &p.name));
        match given.get(&key) {
            Some(v) => {
                p.shape
                    .check_as(&p.name, v)
                    .map_err(|m| Stop::error(ErrorKind::Type, format!("tool/{}: {m}", spec.name)))?;
                out.insert(key, v.clone());
            }
            None if matches!(p.shape, crate::shape::Shape::Optional(_)) => {}
            None => {
                let usage = params.iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(" ");
                return Err(Stop::error(ErrorKind::Arity, format!("tool/{}: {} is missing", spec.name, p.name))
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

fn plain_keys(m: &Map) -> Map {
    Map::from_entries(m.iter().map(|(k, v)| (key_text(k).map_or_else(|| k.clone(), Value::plain_keyword), v.clone())))
}

#[cold]
fn unknown(spec: &ToolSpec, params: &[Param], k: &Value) -> Stop {
    let names: Vec<&str> = params.iter().map(|p| p.name.as_str()).collect();
    let text = crate::print::brief(k);
    let near = key_text(k).and_then(|k| crate::analyze::did_you_mean(k, names.iter().copied()));
    let e = Stop::error(ErrorKind::Arity, format!("tool/{}: there is no parameter {text}", spec.name));
    match near {
        Some(n) => e.hint(format!("did you mean :{n}?")),
        None => e.hint(format!("its parameters are {}", names.join(" "))),
    }
}
