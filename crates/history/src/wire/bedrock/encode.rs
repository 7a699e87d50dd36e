//! Converse of Bedrock, from a conversation to a request body.

use crate::conversation::message::Block;
use crate::wire::cache::{CacheBreakpoints, Ttl};
use crate::wire::encode::{systems, turns};
use crate::wire::request::Request;
use crate::wire::tool::Tool;
use serde_json::{Map, Value, json};

pub(crate) fn body(request: &Request, marks: &CacheBreakpoints) -> Value {
    let mut system: Vec<Value> = Vec::new();
    for (i, m) in systems(request) {
        system.push(json!({ "text": m.text() }));
        system.extend(marks.block(i, 0).map(point));
    }
    let turns = turns(request, "assistant", |i, m| {
        let blocks = m.content.iter().enumerate();
        blocks.flat_map(|(j, b)| wire(b).into_iter().chain(marks.block(i, j).map(point))).collect()
    });
    let turn = |(role, blocks): (&str, Vec<Value>)| json!({ "role": role, "content": blocks });
    let messages: Vec<Value> = turns.into_iter().map(turn).collect();
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    body.insert("messages".into(), Value::Array(messages));
    if !request.tools.is_empty() {
        let mut tools: Vec<Value> = request.tools.iter().map(tool).collect();
        tools.extend(marks.tools.map(point));
        body.insert("toolConfig".into(), json!({ "tools": tools }));
    }
    Value::Object(body)
}

fn tool(t: &Tool) -> Value {
    let mut spec = t.to_wire("inputSchema");
    spec["inputSchema"] = json!({ "json": t.parameters });
    json!({ "toolSpec": spec })
}

fn point(ttl: Ttl) -> Value {
    match ttl {
        Ttl::Short => json!({ "cachePoint": { "type": "default" } }),
        Ttl::Long => json!({ "cachePoint": { "type": "default", "ttl": "1h" } }),
    }
}

fn wire(block: &Block) -> Option<Value> {
    Some(match block {
        Block::Text { text, .. } => json!({ "text": text }),
        Block::Reasoning { text, signature } => {
            let signature = signature.as_ref()?;
            match signature.kind.as_str() {
                "redacted" => json!({ "reasoningContent": { "redactedContent": signature.data } }),
                _ => json!({ "reasoningContent": { "reasoningText": { "text": text, "signature": signature.data } } }),
            }
        }
        Block::ToolUse { id, name, input } => json!({ "toolUse": { "toolUseId": id, "name": name, "input": input } }),
        Block::ToolResult { id, content, is_error, .. } => {
            let mut result = json!({ "toolUseId": id, "content": [{ "text": content }] });
            if let Some(flag) = is_error {
                result["status"] = json!(if *flag { "error" } else { "success" });
            }
            json!({ "toolResult": result })
        }
    })
}
