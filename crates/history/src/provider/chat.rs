//! Chat completions: `messages` of roles, calls beside the text, results as messages of their own.

use super::cache::{Marks, breakpoint};
use super::import::{Import, ImportError, arguments, kind, list, object, rest, shape, string, tools};
use super::{Request, Tool};
use crate::message::{Block, Message, Role};
use serde_json::{Map, Value, json};

pub(super) fn body(request: &Request, marks: &Marks) -> Value {
    let mut out = Vec::new();
    for (i, m) in request.messages.iter().enumerate() {
        match m.role {
            Role::Tool => {
                for (j, block) in m.content.iter().enumerate() {
                    if let Block::ToolResult { id, content, .. } = block {
                        let content = marked(content, marks.block(i, j));
                        out.push(json!({ "role": "tool", "tool_call_id": id, "content": content }));
                    }
                }
            }
            Role::Assistant => out.push(assistant(m)),
            role => {
                let mark = (0..m.content.len()).any(|j| marks.block(i, j).is_some());
                let content = if mark {
                    json!([breakpoint(json!({ "type": "text", "text": m.text() }))])
                } else {
                    json!(m.text())
                };
                out.push(json!({ "role": role, "content": content }));
            }
        }
    }
    let mut body = Map::new();
    body.insert("messages".into(), Value::Array(out));
    if !request.tools.is_empty() {
        let tool = |t: &Tool| json!({ "type": "function", "function": t.to_wire("parameters") });
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    Value::Object(body)
}

fn marked(text: &str, mark: Option<super::Ttl>) -> Value {
    match mark {
        Some(_) => json!([breakpoint(json!({ "type": "text", "text": text }))]),
        None => json!(text),
    }
}

/// Text beside calls; null only where there are calls (part B, row "empty content"). Thoughts are not sent.
fn assistant(m: &Message) -> Value {
    let calls: Vec<Value> = m
        .content
        .iter()
        .filter_map(|b| match b {
            Block::ToolUse { id, name, input } => Some(json!({
                "id": id,
                "type": "function",
                "function": { "name": name, "arguments": input.to_string() },
            })),
            _ => None,
        })
        .collect();
    let text = calls.is_empty() || m.content.iter().any(|b| matches!(b, Block::Text { .. }));
    let mut out = json!({ "role": "assistant", "content": if text { json!(m.text()) } else { Value::Null } });
    if !calls.is_empty() {
        out["tool_calls"] = Value::Array(calls);
    }
    out
}

pub(super) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    for (i, m) in list(body, "messages", "")?.iter().enumerate() {
        let at = format!("messages[{i}]");
        match string(m, "role", &at)? {
            "system" | "developer" => messages.push(Message::of(Role::System, texts(m, &at)?)),
            "user" => messages.push(Message::of(Role::User, texts(m, &at)?)),
            "assistant" => messages.push(Message::of(Role::Assistant, said(m, &at)?)),
            "tool" => {
                let id = string(m, "tool_call_id", &at)?.to_owned();
                let text = Message::of(Role::Tool, texts(m, &at)?).text().into_owned();
                let result = Block::ToolResult { id, content: text, is_error: None, ms: None };
                match messages.last_mut() {
                    Some(last) if last.role == Role::Tool => last.content.push(result),
                    _ => messages.push(Message::of(Role::Tool, vec![result])),
                }
            }
            other => return Err(kind(format!("{at}.role"), other)),
        }
    }
    let (tools, others) = match fields.get("tools").and_then(Value::as_array) {
        Some(l) => tools(l, |t| t.get("function").and_then(|f| Tool::from_wire(f, "parameters"))),
        None => (Vec::new(), Vec::new()),
    };
    let mut rest = rest(fields, &["messages", "tools"]);
    if !others.is_empty() {
        rest.insert("tools".into(), Value::Array(others));
    }
    Ok(Import { messages, tools, rest })
}

fn said(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    let mut out = texts(m, at)?;
    let calls = m.get("tool_calls").and_then(Value::as_array);
    for (j, call) in calls.map(Vec::as_slice).unwrap_or_default().iter().enumerate() {
        let at = format!("{at}.tool_calls[{j}]");
        let function = call.get("function").ok_or_else(|| shape(format!("{at}.function"), "an object"))?;
        let input = arguments(function.get("arguments").and_then(Value::as_str).unwrap_or_default());
        out.push(Block::tool_use(string(call, "id", &at)?, string(function, "name", &at)?, input));
    }
    Ok(out)
}

/// The content: a string, parts of text, or null.
fn texts(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    match m.get("content") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(s)) => Ok(vec![Block::text(s.as_str())]),
        Some(Value::Array(parts)) => parts
            .iter()
            .enumerate()
            .map(|(j, p)| {
                let at = format!("{at}.content[{j}]");
                match p.get("type").and_then(Value::as_str) {
                    Some("text") => Ok(Block::text(string(p, "text", &at)?)),
                    Some("refusal") => Ok(Block::text(string(p, "refusal", &at)?)),
                    Some(other) => Err(kind(at, other)),
                    None => Err(shape(at, "a part with a type")),
                }
            })
            .collect(),
        Some(_) => Err(shape(format!("{at}.content"), "a string or an array of parts")),
    }
}
