//! Responses: `input` as a flat list of items; calls, outputs and reasoning are items of their own.

use super::cache::{Marks, breakpoint};
use super::import::{Import, ImportError, arguments, kind, list, object, rest, shape, string, tools};
use super::request::Request;
use super::tool::Tool;
use crate::message::{Block, Message, Role, Seal};
use serde_json::{Map, Value, json};

/// System messages stay items, since `instructions` are not carried on (part B, row "system"). Each text of the model is
/// an item of its own, so that what is appended later changes none before it.
pub(super) fn body(request: &Request, marks: &Marks) -> Value {
    let mut input = Vec::new();
    for (i, m) in request.messages.iter().enumerate() {
        if matches!(m.role, Role::System | Role::User) {
            input.push(spoken(m, i, marks));
            continue;
        }
        for (j, block) in m.content.iter().enumerate() {
            input.push(match block {
                Block::Text { text, .. } => json!({ "role": "assistant", "content": text }),
                Block::Thought { seal: Some(seal), .. } if seal.kind == "compaction" => {
                    json!({ "type": "compaction", "encrypted_content": seal.data })
                }
                Block::Thought { text, seal: Some(seal) } => {
                    let summary =
                        if text.is_empty() { json!([]) } else { json!([{ "type": "summary_text", "text": text }]) };
                    json!({ "type": "reasoning", "summary": summary, "encrypted_content": seal.data })
                }
                Block::Thought { seal: None, .. } => continue,
                Block::ToolUse { id, name, input } => {
                    json!({ "type": "function_call", "call_id": id, "name": name, "arguments": input.to_string() })
                }
                Block::ToolResult { id, content, .. } => {
                    let output = match marks.block(i, j) {
                        Some(_) => json!([breakpoint(json!({ "type": "input_text", "text": content }))]),
                        None => json!(content),
                    };
                    json!({ "type": "function_call_output", "call_id": id, "output": output })
                }
            });
        }
    }
    let mut body = Map::new();
    body.insert("input".into(), Value::Array(input));
    if !request.tools.is_empty() {
        let tool = |t: &Tool| {
            let mut out = json!({ "type": "function" });
            if let (Value::Object(out), Value::Object(more)) = (&mut out, t.to_wire("parameters")) {
                out.extend(more);
            }
            out
        };
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    Value::Object(body)
}

fn spoken(m: &Message, i: usize, marks: &Marks) -> Value {
    let texts: Vec<(usize, &str)> = m
        .content
        .iter()
        .enumerate()
        .filter_map(|(j, b)| match b {
            Block::Text { text, .. } => Some((j, text.as_str())),
            _ => None,
        })
        .collect();
    if let [(j, text)] = texts.as_slice()
        && marks.block(i, *j).is_none()
    {
        return json!({ "role": m.role, "content": text });
    }
    let part = |(j, text): (usize, &str)| {
        let part = json!({ "type": "input_text", "text": text });
        if marks.block(i, j).is_some() { breakpoint(part) } else { part }
    };
    json!({ "role": m.role, "content": texts.into_iter().map(part).collect::<Vec<_>>() })
}

pub(super) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    if let Some(text) = fields.get("instructions").and_then(Value::as_str) {
        messages.push(Message::system(text));
    }
    match fields.get("input") {
        Some(Value::String(text)) => messages.push(Message::user(text.as_str())),
        _ => {
            for (i, item) in list(body, "input", "")?.iter().enumerate() {
                read(&mut messages, item, &format!("input[{i}]"))?;
            }
        }
    }
    let (tools, others) = match fields.get("tools").and_then(Value::as_array) {
        Some(l) => tools(l, |t| {
            let function = t.get("type").and_then(Value::as_str) == Some("function");
            if function { Tool::from_wire(t, "parameters") } else { None }
        }),
        None => (Vec::new(), Vec::new()),
    };
    let mut rest = rest(fields, &["input", "instructions", "tools"]);
    if !others.is_empty() {
        rest.insert("tools".into(), Value::Array(others));
    }
    Ok(Import { messages, tools, rest })
}

/// Takes one item in: what the model did in a row is one message, outputs in a row are one.
fn read(messages: &mut Vec<Message>, item: &Value, at: &str) -> Result<(), ImportError> {
    let mut add = |role: Role, mut blocks: Vec<Block>| match messages.last_mut() {
        Some(last) if last.role == role && matches!(role, Role::Assistant | Role::Tool) => {
            last.content.append(&mut blocks);
        }
        _ => messages.push(Message::of(role, blocks)),
    };
    match item.get("type").and_then(Value::as_str).unwrap_or("message") {
        "message" => {
            let role = match string(item, "role", at)? {
                "system" | "developer" => Role::System,
                "user" => Role::User,
                "assistant" => Role::Assistant,
                other => return Err(kind(format!("{at}.role"), other)),
            };
            add(role, texts(item.get("content"), &format!("{at}.content"))?);
        }
        "function_call" => {
            let input = arguments(item.get("arguments").and_then(Value::as_str).unwrap_or_default());
            let call = Block::tool_use(string(item, "call_id", at)?, string(item, "name", at)?, input);
            add(Role::Assistant, vec![call]);
        }
        "function_call_output" => {
            let id = string(item, "call_id", at)?.to_owned();
            let content = Message::of(Role::Tool, texts(item.get("output"), &format!("{at}.output"))?);
            let result = Block::ToolResult { id, content: content.text().into_owned(), is_error: None, ms: None };
            add(Role::Tool, vec![result]);
        }
        "reasoning" => {
            let parts = item.get("summary").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let texts: Vec<&str> = parts.iter().filter_map(|p| p.get("text")?.as_str()).collect();
            // Without its encrypted content it is a reference to what the provider stored: nothing to give back.
            let data = item.get("encrypted_content").and_then(Value::as_str);
            add(
                Role::Assistant,
                vec![Block::Thought { text: texts.join("\n\n"), seal: data.map(|d| seal("encrypted", d)) }],
            );
        }
        "compaction" => {
            let data = string(item, "encrypted_content", at)?;
            add(Role::Assistant, vec![Block::Thought { text: String::new(), seal: Some(seal("compaction", data)) }]);
        }
        other => return Err(kind(at, other)),
    }
    Ok(())
}

fn seal(kind: &str, data: &str) -> Box<Seal> {
    Box::new(Seal { provider: "openai".into(), model: None, kind: kind.into(), data: data.into() })
}

fn texts(content: Option<&Value>, at: &str) -> Result<Vec<Block>, ImportError> {
    match content {
        Some(Value::String(s)) => Ok(vec![Block::text(s.as_str())]),
        Some(Value::Array(parts)) => parts
            .iter()
            .enumerate()
            .map(|(j, p)| {
                let at = format!("{at}[{j}]");
                match p.get("type").and_then(Value::as_str) {
                    Some("input_text" | "output_text") => Ok(Block::text(string(p, "text", &at)?)),
                    Some("refusal") => Ok(Block::text(string(p, "refusal", &at)?)),
                    Some(other) => Err(kind(at, other)),
                    None => Err(shape(at, "a part with a type")),
                }
            })
            .collect(),
        _ => Err(shape(at, "a string or an array of parts")),
    }
}
