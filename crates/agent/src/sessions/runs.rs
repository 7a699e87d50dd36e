//! A session as data for programs.

use super::kept::{Read, SubtaskSummary};
use ptc_turns::trace::record::Call;
use ptc_turns::{Trace, TurnRecord};
use serde_json::{Value, json};

/// Most bytes of one text.
const TEXT_BYTES: usize = 4096;

/// A session with its turns and those of its subtasks; of one that cannot be read those before the place.
pub(super) fn run(read: &Read) -> Value {
    let (s, trace) = (&read.summary, read.trace.as_ref());
    let totals = &s.totals;
    json!({
        "id": s.id,
        "task": s.task,
        "title": s.title,
        "question": trace.map(|t| cut(&t.header.prompt)),
        "status": s.status.as_str(),
        "problem": s.problem,
        "created": s.created,
        "updated": s.updated,
        "forked_from": s.forked_from,
        "max_turns": trace.map(|t| t.header.max_turns).filter(|n| *n < u64::from(u32::MAX)),
        "model": trace.and_then(|t| t.turns().iter().rev().find_map(|t| t.usage.model.clone())),
        "input_tokens": totals.input_tokens,
        "cached_tokens": totals.cached_tokens,
        "output_tokens": totals.output_tokens,
        "cost": totals.cost,
        "model_seconds": seconds(totals.model_ms),
        "tool_seconds": seconds(totals.tool_ms),
        "tool_calls": totals.tool_calls,
        "turns": turns(trace),
        "subtasks": read.subtasks.iter().map(|(s, trace)| subtask(s, trace.as_ref())).collect::<Vec<_>>(),
    })
}

fn subtask(s: &SubtaskSummary, trace: Option<&Trace>) -> Value {
    json!({
        "label": s.label,
        "task": s.task,
        "status": s.status.as_str(),
        "problem": s.problem,
        "turns": turns(trace),
    })
}

fn turns(trace: Option<&Trace>) -> Vec<Value> {
    trace.map(|t| t.turns().iter().map(|t| turn(t)).collect()).unwrap_or_default()
}

fn turn(t: &TurnRecord) -> Value {
    json!({
        "n": t.turn,
        "status": t.status.as_str(),
        "program": cut(&t.program),
        "prose": t.reasoning.as_deref().map(cut),
        "printed": cut(&t.printed.concat()),
        "value": t.value.as_deref().map(cut),
        "error": t.error.as_ref().map(|e| cut(&e.message)),
        "error_kind": t.error.as_ref().map(|e| e.kind.as_str()),
        "time": t.time,
        "input_tokens": t.usage.input_tokens,
        "output_tokens": t.usage.output_tokens,
        "calls": t.tool_calls.iter().map(call).collect::<Vec<_>>(),
    })
}

fn call(c: &Call) -> Value {
    let text = c.args.text();
    let args = if text.len() <= TEXT_BYTES { serde_json::from_str(text).ok() } else { None };
    json!({
        "name": c.name,
        "args": args.unwrap_or_else(|| Value::from(cut(text))),
        "ok": c.error.is_none(),
        "error": c.error.as_deref().map(cut),
        "seconds": seconds(c.ms),
    })
}

fn cut(text: &str) -> String {
    if text.len() <= TEXT_BYTES {
        return text.to_owned();
    }
    ptc_lisp::error::cut(text.chars().take(TEXT_BYTES).collect(), TEXT_BYTES)
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}
