//! Answers as results of tools: the text is what a model would read, the structured content what a program would.

use super::bounds::{self, DATA_BYTES, TEXT_BYTES};
use crate::answer::{Answer, AnswerState};
use crate::approvals::WaitingCall;
use crate::refused::{Refused, RefusedKind};
use ptc_agent::RunOutcome;
use ptc_agent::host::hide_paths;
use ptc_agent::tools::PendingReason;
use ptc_turns::TurnRecord;
use ptc_turns::trace::record::Call;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

/// What a tool that runs something answers, as JSON schema.
pub(crate) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "session": { "type": "string", "description": "Give it to go on" },
            "turn": { "type": "integer" },
            "status": { "type": "string", "description": "ok, returned, error, failed; running: wait for it; pending: a person must approve calls; broken_off: the turn has begun and did not end, wait goes on with it; refused: nothing was done" },
            "value": { "description": "The last value as JSON, where JSON can say it and it is small" },
            "value_text": { "type": "string", "description": "The last value as text, where value is not there" },
            "printed": { "type": "array", "items": { "type": "string" } },
            "defined": { "type": "array", "items": { "type": "string" } },
            "error": { "type": "object" },
            "calls": { "type": "integer", "description": "How many calls of tools were made" },
            "turns": { "type": "integer" },
            "pending": { "type": "array" },
        },
        "required": ["status"],
    })
}

/// What a client is answered.
pub(crate) fn answered(answer: Result<Answer, Refused>) -> CallToolResult {
    match answer {
        Ok(answer) => of_answer(&answer),
        Err(refused) => of_refused(&refused),
    }
}

fn of_answer(answer: &Answer) -> CallToolResult {
    let (id, turn) = (&answer.session, answer.turn);
    let named = if turn > 0 { format!("turn {turn}") } else { "the turn".to_owned() };
    let mut data = Map::new();
    data.insert("session".into(), json!(id));
    // Of what waits for a process the number is not known yet.
    if turn > 0 {
        data.insert("turn".into(), json!(turn));
    }
    data.insert("status".into(), json!(answer.state.as_str()));
    let (text, failed) = match &answer.state {
        AnswerState::Ended(record) => {
            add_record(&mut data, record);
            (record.feedback.clone(), record.error.is_some() && !record.status.committed())
        }
        AnswerState::RunEnded(end) => {
            add_run(&mut data, end);
            let why = end.error.as_ref().map(|e| format!("{}: {}", end.status.as_str(), hide_paths(&e.text())));
            (end.text.clone().or(why).unwrap_or_default(), end.error.is_some())
        }
        AnswerState::Running { since, queued } => {
            let what = if *queued { "waits for a process" } else { "still runs" };
            let seconds = since.as_secs();
            (format!("{named} {what}, after {seconds} s; call wait with session {id}, or with cancel to end it"), false)
        }
        AnswerState::Pending(pending) => (pending_text(id, pending, &mut data), false),
        AnswerState::Stopped => (
            format!("the server stopped in {named}; what was done is kept: call wait with session {id} to go on"),
            false,
        ),
    };
    let more = "call inspect with what = turn for the rest, or print less";
    // The words of a turn are those that a model of a session gets; whose they are stands apart.
    let content = vec![
        ContentBlock::text(bounds::text(&text, TEXT_BYTES, more)),
        ContentBlock::text(if turn > 0 { format!("session {id}, turn {turn}") } else { format!("session {id}") }),
    ];
    result(content, data, failed)
}

fn result(content: Vec<ContentBlock>, data: Map<String, Value>, failed: bool) -> CallToolResult {
    let mut result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
    result.structured_content = Some(Value::Object(bounds::object(data, DATA_BYTES, &["value", "session", "status"])));
    result
}

fn add_record(data: &mut Map<String, Value>, record: &TurnRecord) {
    add_value(data, record.value.as_deref(), record.value_json.as_ref().map(|j| j.text()));
    let printed: Vec<&str> = record.printed.iter().map(|p| p.strip_suffix('\n').unwrap_or(p)).collect();
    let defined = record.definitions.iter().filter(|d| !d.rolled_back).map(|d| d.name.as_str()).collect::<Vec<_>>();
    for (key, list) in [("printed", printed), ("defined", defined)] {
        if !list.is_empty() {
            data.insert(key.into(), json!(list));
        }
    }
    data.insert("calls".into(), json!(record.tool_calls.len()));
    if let Some(error) = &record.error {
        let mut map = Map::new();
        map.insert("kind".into(), json!(error.kind.as_str()));
        map.insert("message".into(), json!(error.message));
        for (key, value) in [
            ("line", error.line.map(|n| json!(n))),
            ("column", error.column.map(|n| json!(n))),
            ("hint", error.hint.as_ref().map(|h| json!(h))),
        ] {
            if let Some(value) = value {
                map.insert(key.into(), value);
            }
        }
        data.insert("error".into(), Value::Object(map));
    }
}

/// The value as JSON if that is the same there and back, else as text: JSON that loses digits is not the value.
fn add_value(data: &mut Map<String, Value>, text: Option<&str>, json: Option<&str>) {
    let same = |j: &str| {
        serde_json::from_str::<Value>(j).ok().filter(|v| serde_json::to_string(v).is_ok_and(|text| text == j))
    };
    match (json.and_then(same), text) {
        (Some(value), _) => {
            data.insert("value".into(), value);
        }
        (None, Some(text)) => {
            data.insert("value_text".into(), json!(text));
        }
        (None, None) => {}
    }
}

fn add_run(data: &mut Map<String, Value>, end: &RunOutcome) {
    add_value(data, end.value.as_deref(), end.json.as_ref().map(|j| j.text()));
    data.insert("turns".into(), json!(end.turns));
    data.insert("calls".into(), json!(end.totals.tool_calls));
    if let Some(error) = &end.error {
        data.insert("error".into(), json!({ "kind": error.kind().run_error(), "message": hide_paths(&error.text()) }));
    }
}

fn pending_text(id: &str, calls: &[WaitingCall], data: &mut Map<String, Value>) -> String {
    let item = |c: &WaitingCall| {
        let mut one = json!({ "id": c.call, "name": c.name, "args": c.args.text(), "why": c.why });
        if let (Some(one), Some(subtask)) = (one.as_object_mut(), &c.subtask) {
            one.insert("subtask".into(), json!(subtask));
        }
        one
    };
    data.insert("pending".into(), calls.iter().map(item).collect());
    if calls.is_empty() {
        return format!("no call waits any more: call wait with session {id} to go on");
    }
    let mut lines: Vec<String> = calls.iter().map(|c| waits(id, c)).collect();
    lines.push(format!(
        "a person decides (ptc approve {id} --list shows the calls, --deny WORDS refuses them); then call wait with session {id}"
    ));
    lines.join("\n")
}

/// A call that waits, and the command that makes it.
fn waits(id: &str, c: &WaitingCall) -> String {
    let (name, args) =
        (ptc_lisp::escape::line(&c.name), ptc_lisp::error::cut(ptc_lisp::escape::line(c.args.text()).to_string(), 300));
    let why = match c.why {
        PendingReason::Approval => "waits for approval",
        PendingReason::InFlight => "was in flight when the process ended, and may have been made",
    };
    let (of, trace) = match &c.subtask {
        Some(label) => (format!(" of the sub-agent {label}"), format!("{id}/{label}")),
        None => (String::new(), id.to_owned()),
    };
    format!("call {}{of}, tool/{name} {args}, {why}: ptc approve {trace} {}", c.call, c.call)
}

/// What a refusal is answered with.
pub(crate) fn of_refused(refused: &Refused) -> CallToolResult {
    let mut map = Map::new();
    map.insert("kind".into(), json!(refused.kind().as_str()));
    map.insert("message".into(), json!(refused.message()));
    if let Some(hint) = refused.hint() {
        map.insert("hint".into(), json!(hint));
    }
    if let Some(after) = refused.retry_after() {
        map.insert("retry_after_s".into(), json!(after.as_secs()));
    }
    let words = match refused.kind() {
        RefusedKind::Busy => format!("busy: {refused}"),
        _ => refused.to_string(),
    };
    let mut data = Map::new();
    if let Some((session, turn)) = refused.broke_off() {
        data.insert("session".into(), json!(session));
        data.insert("turn".into(), json!(turn));
    }
    data.insert("status".into(), json!(if refused.broke_off().is_some() { "broken_off" } else { "refused" }));
    data.insert("error".into(), Value::Object(map));
    let mut content = vec![ContentBlock::text(bounds::text(&words, TEXT_BYTES, "the beginning says it"))];
    content.extend(refused.broke_off().map(|(id, turn)| ContentBlock::text(format!("session {id}, turn {turn}"))));
    result(content, data, true)
}

/// Items of a list, each whole, as many as fit: lines of text, and structured content under `key`.
pub(crate) fn list(key: &str, items: &[Value], about: Map<String, Value>, hint: &str) -> CallToolResult {
    // Each item stands in the text and in the data.
    let about_bytes = Value::Object(about.clone()).to_string().len();
    let (kept, left) = bounds::cut_list(items, DATA_BYTES.saturating_sub(about_bytes).saturating_sub(200));
    let mut text: Vec<String> = kept.iter().map(Value::to_string).collect();
    if items.is_empty() {
        text.push(format!("no {key}"));
    }
    if left > 0 {
        text.push(format!("{left} more; {hint}"));
    }
    let mut data = about;
    data.insert(key.to_owned(), Value::Array(kept));
    if left > 0 {
        data.insert("left_out".to_owned(), json!(left));
    }
    result(vec![ContentBlock::text(text.join("\n"))], data, false)
}

/// One thing with its parts, texts cut where they are long.
pub(crate) fn one(data: Map<String, Value>) -> CallToolResult {
    // It stands there twice, once as text in JSON.
    let sizes = [DATA_BYTES, 8_000, 5_000, 3_000].into_iter();
    let mut all = sizes.map(|most| bounds::object(data.clone(), most, &["value"]));
    let text = |small: &Map<String, Value>| Value::Object(small.clone()).to_string();
    let fits = |small: &Map<String, Value>| Value::String(text(small)).to_string().len() <= TEXT_BYTES;
    let small = all.find(fits).unwrap_or_default();
    let text = text(&small);
    result(vec![ContentBlock::text(text)], small, false)
}

/// A turn with all its parts.
pub(crate) fn turn(id: &str, record: &TurnRecord) -> CallToolResult {
    let mut data = Map::new();
    data.insert("session".into(), json!(id));
    data.insert("turn".into(), json!(record.turn));
    data.insert("status".into(), json!(record.status.as_str()));
    data.insert("program".into(), json!(record.program));
    if let Some(prose) = &record.reasoning {
        data.insert("prose".into(), json!(prose));
    }
    data.insert("feedback".into(), json!(record.feedback));
    data.insert("usage".into(), json!({ "fuel": record.usage.fuel, "memory_bytes": record.usage.memory_bytes, "wall_ms": record.usage.wall_ms }));
    add_record(&mut data, record);
    one(data)
}

/// A call of a tool.
pub(crate) fn call(turn: u64, call: &Call) -> Value {
    let mut map = Map::new();
    map.insert("turn".into(), json!(turn));
    map.insert("id".into(), json!(call.id));
    map.insert("name".into(), json!(call.name));
    map.insert("args".into(), json!(call.args.text()));
    match (&call.error, &call.result) {
        (Some(error), _) => map.insert("error".into(), json!(error)),
        (None, Some(result)) => map.insert("result".into(), json!(result.text())),
        (None, None) => None,
    };
    map.insert("ms".into(), json!(call.ms));
    Value::Object(bounds::object(map, 2_000, &[]))
}
