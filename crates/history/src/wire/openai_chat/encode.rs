//! Chat completions of OpenAI, from a conversation to a request body.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::cache::{CacheBreakpoints, Ttl, breakpoint};
use crate::wire::request::Request;
use crate::wire::tool::Tool;
use serde_json::{Map, Value, json};

pub(crate) fn body(request: &Request, marks: &CacheBreakpoints) -> Value {
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

fn marked(text: &str, mark: Option<Ttl>) -> Value {
    match mark {
        Some(_) => json!([breakpoint(json!({ "type": "text", "text": text }))]),
        None => json!(text),
    }
}

/// Text beside calls; null only where there are calls (part B, row "empty content"). Reasoning is not sent.
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
