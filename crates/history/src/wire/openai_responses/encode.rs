//! Responses of OpenAI, from a conversation to a request body.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::cache::{CacheBreakpoints, breakpoint};
use crate::wire::request::Request;
use crate::wire::tool::Tool;
use serde_json::{Map, Value, json};

/// System messages stay items, since `instructions` are not carried over (part B, row "system"). Each text of the model
/// is an item of its own, so that what is appended later changes none before it.
pub(crate) fn body(request: &Request, marks: &CacheBreakpoints) -> Value {
    let mut input = Vec::new();
    for (i, m) in request.messages.iter().enumerate() {
        if matches!(m.role, Role::System | Role::User) {
            input.push(spoken(m, i, marks));
            continue;
        }
        for (j, block) in m.content.iter().enumerate() {
            input.push(match block {
                Block::Text { text, .. } => json!({ "role": "assistant", "content": text }),
                Block::Reasoning { signature: Some(signature), .. } if signature.kind == "compaction" => {
                    json!({ "type": "compaction", "encrypted_content": signature.data })
                }
                Block::Reasoning { text, signature: Some(signature) } => {
                    let summary =
                        if text.is_empty() { json!([]) } else { json!([{ "type": "summary_text", "text": text }]) };
                    json!({ "type": "reasoning", "summary": summary, "encrypted_content": signature.data })
                }
                Block::Reasoning { signature: None, .. } => continue,
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

fn spoken(m: &Message, i: usize, marks: &CacheBreakpoints) -> Value {
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
