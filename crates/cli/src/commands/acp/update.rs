//! What an editor is told of turns and calls.

use ptc_agent::tools::PendingCall;
use ptc_turns::trace::full_turn::fenced;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::trace::record::Call;
use ptc_turns::{Act, Json, Status, Trace, TurnRecord};
use serde_json::{Value, json};

/// Most characters of one text; more is cut, and stands in the trace.
const MOST: usize = 16_000;
/// Most characters of a title.
const TITLE: usize = 100;

/// What is said to the user.
pub fn message(text: &str) -> Value {
    chunk("agent_message_chunk", text)
}

/// What the model says on the way.
pub fn thought(text: &str) -> Value {
    chunk("agent_thought_chunk", text)
}

/// What the user has asked.
pub fn asked(text: &str) -> Value {
    chunk("user_message_chunk", text)
}

fn chunk(kind: &str, text: &str) -> Value {
    json!({ "sessionUpdate": kind, "content": { "type": "text", "text": text } })
}

/// The acts of a session that is asked in acts, with how far each is.
pub fn plan(trace: &Trace) -> Option<Value> {
    let (begun, over) = (trace.acts().len(), trace.over());
    let entry = |(at, words): (usize, &ptc_turns::ActWords)| {
        let status = match at.saturating_add(1).cmp(&begun) {
            std::cmp::Ordering::Less => "completed",
            std::cmp::Ordering::Equal if over => "completed",
            std::cmp::Ordering::Equal => "in_progress",
            std::cmp::Ordering::Greater => "pending",
        };
        json!({ "content": words.name, "priority": "medium", "status": status })
    };
    let entries: Vec<Value> = trace.header.acts.iter().enumerate().map(entry).collect();
    (!entries.is_empty()).then(|| json!({ "sessionUpdate": "plan", "entries": entries }))
}

/// A turn whose program begins to run; `known` if it was told before.
pub fn turn_begun(turn: u64, program: &str, known: bool) -> Value {
    let kind = if known { "tool_call_update" } else { "tool_call" };
    json!({
        "sessionUpdate": kind,
        "toolCallId": format!("turn-{turn}"),
        "title": format!("Turn {turn}: {}", ptc_text::cut::one_line(program, TITLE)),
        "kind": "execute",
        "status": "in_progress",
        "rawInput": { "program": cut(program) },
        "content": [text(&fenced(cut(program).trim_end()))],
    })
}

/// A turn that has run.
pub fn turn_ended(record: &TurnRecord) -> Value {
    let status = if record.error.is_some() || record.status == Status::Failed { "failed" } else { "completed" };
    let mut out = record.printed.concat();
    let came = match (&record.error, &record.value) {
        (Some(_), _) => record.feedback.clone(),
        (None, Some(value)) => format!("=> {value}"),
        (None, None) => String::new(),
    };
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out.push_str(&came);
    json!({
        "sessionUpdate": "tool_call_update",
        "toolCallId": format!("turn-{}", record.turn),
        "status": status,
        "content": [text(&fenced(cut(&record.program).trim_end())), text(&cut(&out))],
    })
}

/// A call of a tool that begins.
pub fn call_begun(call: &CallRequest) -> Value {
    json!({
        "sessionUpdate": "tool_call",
        "toolCallId": format!("call-{}", call.id),
        "title": call_title(&call.name, &call.args),
        "kind": "other",
        "status": "in_progress",
        "rawInput": data(&call.args),
    })
}

/// A call that has its answer.
pub fn call_ended(answer: &CallAnswer) -> Value {
    call_result(answer.id, answer.result.as_ref(), answer.error.as_deref())
}

/// A call that the trace has.
pub fn call_made(call: &Call) -> [Value; 2] {
    let (id, name, args) = (call.id, call.name.clone(), call.args.clone());
    let begun = call_begun(&CallRequest { id, name, args, key: String::new() });
    [begun, call_result(call.id, call.result.as_ref(), call.error.as_deref())]
}

fn call_result(id: u64, result: Option<&Json>, error: Option<&str>) -> Value {
    let shown = error.map_or_else(|| cut(result.map_or("", |r| r.text())), cut);
    json!({
        "sessionUpdate": "tool_call_update",
        "toolCallId": format!("call-{id}"),
        "status": if error.is_some() { "failed" } else { "completed" },
        "content": [text(&shown)],
    })
}

/// A call that waits for a decision, as a request for permission has it.
pub fn call_waiting(call: &PendingCall) -> Value {
    json!({
        "toolCallId": format!("call-{}", call.id),
        "title": call_title(&call.name, &call.args),
        "kind": "other",
        "status": "pending",
        "rawInput": data(&call.args),
        "content": [text(&cut(call.args.text()))],
    })
}

/// A call that the user does not allow.
pub fn call_denied(call: &PendingCall, words: &str) -> Value {
    call_result(call.id, None, Some(words))
}

/// A sub-agent, as a call that goes on.
pub fn subtask(label: &str, title: &str, status: &str, begins: bool) -> Value {
    let kind = if begins { "tool_call" } else { "tool_call_update" };
    json!({ "sessionUpdate": kind, "toolCallId": format!("sub-{label}"), "title": title, "kind": "think", "status": status })
}

/// What a turn that ended a question answered: a string as it stands, anything else as programs write it.
pub fn answer(record: &TurnRecord) -> Option<String> {
    let text = record.value_json.as_ref().and_then(|j| serde_json::from_str::<String>(j.text()).ok());
    let value = text.or_else(|| record.value.clone());
    match record.status {
        Status::Returned | Status::Answered => value,
        Status::Failed => Some(gave_up(&value.unwrap_or_default())),
        _ => None,
    }
}

/// That the model gave up.
pub fn gave_up(reason: &str) -> String {
    format!("It could not be answered: {reason}")
}

/// What the question of an act was, without what is said below it.
pub fn question(act: &Act) -> &str {
    match act.content.first() {
        Some(ptc_history::Block::Text { text, .. }) => text,
        _ => "",
    }
}

fn call_title(name: &str, args: &Json) -> String {
    ptc_text::cut::one_line(&format!("{name} {}", args.text()), TITLE)
}

/// Arguments as data where they are small, and else as the beginning of their text.
fn data(args: &Json) -> Value {
    let text = args.text();
    let small = (text.len() <= MOST).then(|| serde_json::from_str(text).ok()).flatten();
    small.unwrap_or_else(|| Value::String(cut(text)))
}

fn text(text: &str) -> Value {
    json!({ "type": "content", "content": { "type": "text", "text": text } })
}

fn cut(text: &str) -> String {
    match ptc_text::cut::beginning(text, MOST) {
        (all, false) => all.to_owned(),
        (begins, true) => format!("{begins}\n… (the trace has all of it)"),
    }
}
