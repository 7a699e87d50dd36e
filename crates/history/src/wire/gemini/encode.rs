//! generateContent of Gemini, from a conversation to a request body.

use super::decode::worded;
use crate::conversation::message::{Block, Role};
use crate::wire::encode::{systems, turns};
use crate::wire::request::Request;
use serde_json::{Map, Value, json};

/// Signed reasoning without text is the signature of the part after it.
pub(crate) fn body(request: &Request) -> Value {
    let system: Vec<Value> = systems(request).map(|(_, m)| json!({ "text": m.text() })).collect();
    // A result is sent with the name of its call, which the message of the model before it has.
    let mut names: Vec<(&str, &str)> = Vec::new();
    let turns = turns(request, "model", |_, m| {
        if m.role == Role::Assistant {
            names = m.calls().collect();
        }
        parts(&m.content, &names)
    });
    let turn = |(role, parts): (&str, Vec<Value>)| json!({ "role": role, "parts": parts });
    let contents: Vec<Value> = turns.into_iter().map(turn).collect();
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("systemInstruction".into(), json!({ "parts": system }));
    }
    body.insert("contents".into(), Value::Array(contents));
    if !request.tools.is_empty() {
        let declared: Vec<Value> = request.tools.iter().map(|t| t.to_wire("parametersJsonSchema")).collect();
        body.insert("tools".into(), json!([{ "functionDeclarations": declared }]));
    }
    Value::Object(body)
}

fn parts(blocks: &[Block], names: &[(&str, &str)]) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::with_capacity(blocks.len());
    let mut pending: Option<&str> = None;
    for block in blocks {
        let part = match block {
            Block::Reasoning { text, signature: Some(signature) } if text.is_empty() => {
                // Two in a row: the first had an empty part of its own.
                out.extend(pending.replace(&signature.data).map(empty));
                continue;
            }
            Block::Reasoning { text, signature: Some(signature) } => {
                json!({ "text": text, "thought": true, "thoughtSignature": signature.data })
            }
            Block::Reasoning { signature: None, .. } => continue,
            Block::Text { text, .. } => json!({ "text": text }),
            Block::ToolUse { id, name, input } => {
                json!({ "functionCall": { "id": id, "name": name, "args": input } })
            }
            Block::ToolResult { id, content, is_error, .. } => {
                let name = names.iter().find(|(i, _)| i == id).map_or("", |(_, n)| n);
                let response = response(content, *is_error == Some(true));
                json!({ "functionResponse": { "id": id, "name": name, "response": response } })
            }
        };
        let signed = match pending.take() {
            Some(data) if part.get("thoughtSignature").is_none() => {
                let mut part = part;
                part["thoughtSignature"] = json!(data);
                part
            }
            Some(data) => {
                out.push(empty(data));
                part
            }
            None => part,
        };
        out.push(signed);
    }
    out.extend(pending.map(empty));
    out
}

fn empty(pending: &str) -> Value {
    json!({ "text": "", "thoughtSignature": pending })
}

/// An answer that is a JSON object in its canonical spelling is sent as that object; any other as `output` or `error`,
/// so that both are decoded unchanged.
fn response(content: &str, is_error: bool) -> Value {
    if is_error {
        return json!({ "error": content });
    }
    match serde_json::from_str::<Value>(content) {
        Ok(v) if v.is_object() && worded(&v).is_none() && serde_json::to_string(&v).is_ok_and(|s| s == content) => v,
        _ => json!({ "output": content }),
    }
}
