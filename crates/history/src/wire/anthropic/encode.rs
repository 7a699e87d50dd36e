//! Messages of Anthropic, from a conversation to a request body.

use crate::conversation::message::{Block, Message};
use crate::wire::cache::{CacheBreakpoints, Ttl};
use crate::wire::encode::{systems, turns};
use crate::wire::request::Request;
use serde_json::{Map, Value, json};

pub(crate) fn body(request: &Request, marks: &CacheBreakpoints) -> Value {
    let text = |(i, m): (usize, &Message)| marked(json!({ "type": "text", "text": m.text() }), marks.block(i, 0));
    let system: Vec<Value> = systems(request).map(text).collect();
    let turns = turns(request, "assistant", |i, m| {
        let blocks = m.content.iter().enumerate();
        blocks.filter_map(|(j, b)| wire(b).map(|b| marked(b, marks.block(i, j)))).collect()
    });
    let messages = turns.into_iter().map(|(role, blocks)| json!({ "role": role, "content": plain(blocks) })).collect();
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("system".into(), plain(system));
    }
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        let mut tools: Vec<Value> = request.tools.iter().map(|t| t.to_wire("input_schema")).collect();
        if let Some(last) = tools.pop() {
            tools.push(marked(last, marks.tools));
        }
        body.insert("tools".into(), Value::Array(tools));
    }
    Value::Object(body)
}

/// One text without a breakpoint is a plain string.
fn plain(blocks: Vec<Value>) -> Value {
    match blocks.as_slice() {
        [only] if only["type"] == "text" && only.get("cache_control").is_none() => only["text"].clone(),
        _ => Value::Array(blocks),
    }
}

fn marked(mut block: Value, mark: Option<Ttl>) -> Value {
    match mark {
        Some(Ttl::Short) => block["cache_control"] = json!({ "type": "ephemeral" }),
        Some(Ttl::Long) => block["cache_control"] = json!({ "type": "ephemeral", "ttl": "1h" }),
        None => {}
    }
    block
}

fn wire(block: &Block) -> Option<Value> {
    Some(match block {
        Block::Text { text, .. } => json!({ "type": "text", "text": text }),
        Block::Reasoning { text, signature } => {
            let signature = signature.as_ref()?;
            match signature.kind.as_str() {
                "redacted" => json!({ "type": "redacted_thinking", "data": signature.data }),
                // A compaction without content has content null; an empty string is refused.
                "compaction" if signature.data.is_empty() => json!({ "type": "compaction", "content": null }),
                "compaction" => json!({ "type": "compaction", "content": signature.data }),
                _ => json!({ "type": "thinking", "thinking": text, "signature": signature.data }),
            }
        }
        Block::ToolUse { id, name, input } => json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
        Block::ToolResult { id, content, is_error, .. } => {
            let mut out = json!({ "type": "tool_result", "tool_use_id": id, "content": content });
            if let Some(flag) = is_error {
                out["is_error"] = json!(flag);
            }
            out
        }
    })
}
