//! Converse of Bedrock: blocks named by their key, tools under `toolConfig`, marks as blocks of their own.

use super::cache::{Marks, Ttl};
use super::import::{Import, ImportError, kind, list, object, push_user, rest, shape, string, tools};
use super::request::Request;
use super::tool::Tool;
use crate::message::{Block, Message, Role, Seal};
use serde_json::{Map, Value, json};

pub(super) fn body(request: &Request, marks: &Marks) -> Value {
    let mut system: Vec<Value> = Vec::new();
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for (i, m) in request.messages.iter().enumerate() {
        if m.role == Role::System {
            system.push(json!({ "text": m.text() }));
            system.extend(marks.block(i, 0).map(point));
            continue;
        }
        let role = if m.role == Role::Assistant { "assistant" } else { "user" };
        let mut blocks: Vec<Value> = Vec::with_capacity(m.content.len());
        for (j, b) in m.content.iter().enumerate() {
            blocks.extend(wire(b));
            blocks.extend(marks.block(i, j).map(point));
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.append(&mut blocks),
            _ => turns.push((role, blocks)),
        }
    }
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
        Block::Thought { text, seal } => {
            let seal = seal.as_ref()?;
            match seal.kind.as_str() {
                "redacted" => json!({ "reasoningContent": { "redactedContent": seal.data } }),
                _ => json!({ "reasoningContent": { "reasoningText": { "text": text, "signature": seal.data } } }),
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

pub(super) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    let system = fields.get("system").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    for (i, p) in system.iter().enumerate().filter(|(_, p)| p.get("cachePoint").is_none()) {
        messages.push(Message::system(string(p, "text", &format!("system[{i}]"))?));
    }
    for (i, m) in list(body, "messages", "")?.iter().enumerate() {
        let at = format!("messages[{i}]");
        let mut blocks = Vec::new();
        for (j, p) in list(m, "content", &format!("{at}."))?.iter().enumerate() {
            blocks.extend(read(p, &format!("{at}.content[{j}]"))?);
        }
        match string(m, "role", &at)? {
            "assistant" => messages.push(Message::of(Role::Assistant, blocks)),
            "user" => push_user(&mut messages, blocks),
            other => return Err(kind(format!("{at}.role"), other)),
        }
    }
    let declared = fields.get("toolConfig").and_then(|c| c.get("tools")).and_then(Value::as_array);
    let (tools, _) = tools(declared.map(Vec::as_slice).unwrap_or_default(), |t| {
        let spec = t.get("toolSpec")?;
        let parameters = spec.get("inputSchema").and_then(|s| s.get("json")).cloned();
        let read = Tool::from_wire(spec, "inputSchema")?;
        Some(Tool { parameters: parameters.unwrap_or_else(|| read.parameters.clone()), ..read })
    });
    let mut rest = rest(fields, &["system", "messages", "toolConfig"]);
    // The choice of a tool is a setting, not the conversation.
    if let Some(choice) = fields.get("toolConfig").and_then(|c| c.get("toolChoice")) {
        rest.insert("toolConfig".into(), json!({ "toolChoice": choice }));
    }
    Ok(Import { messages, tools, rest })
}

fn read(p: &Value, at: &str) -> Result<Option<Block>, ImportError> {
    let (key, v) = p.as_object().and_then(|o| o.iter().next()).ok_or_else(|| shape(at, "a block named by its key"))?;
    let sealed = |text: &str, kind: &str, data: &str| Block::Thought {
        text: text.to_owned(),
        seal: Some(Box::new(Seal { provider: "bedrock".into(), model: None, kind: kind.into(), data: data.into() })),
    };
    Ok(Some(match key.as_str() {
        "text" => Block::text(string(p, "text", at)?),
        "reasoningContent" => match (v.get("reasoningText"), v.get("redactedContent").and_then(Value::as_str)) {
            (_, Some(data)) => sealed("", "redacted", data),
            (Some(t), None) => {
                let text = string(t, "text", at)?;
                match t.get("signature").and_then(Value::as_str) {
                    Some(data) => sealed(text, "signature", data),
                    None => Block::Thought { text: text.to_owned(), seal: None },
                }
            }
            (None, None) => return Err(shape(at, "reasoningText or redactedContent")),
        },
        "toolUse" => {
            let input = v.get("input").cloned().unwrap_or_else(|| json!({}));
            Block::tool_use(string(v, "toolUseId", at)?, string(v, "name", at)?, input)
        }
        "toolResult" => Block::ToolResult {
            id: string(v, "toolUseId", at)?.to_owned(),
            content: answer(v, at)?,
            is_error: v.get("status").and_then(Value::as_str).map(|s| s != "success"),
            ms: None,
        },
        "cachePoint" => return Ok(None),
        other => return Err(kind(at, other)),
    }))
}

/// What a tool answered: texts, or JSON, which is kept as its text.
fn answer(result: &Value, at: &str) -> Result<String, ImportError> {
    let mut texts: Vec<String> = Vec::new();
    for (i, p) in list(result, "content", &format!("{at}."))?.iter().enumerate() {
        match (p.get("text").and_then(Value::as_str), p.get("json")) {
            (Some(text), _) => texts.push(text.to_owned()),
            (None, Some(v)) => texts.push(v.to_string()),
            (None, None) => {
                let key = p.as_object().and_then(|o| o.keys().next()).map_or("?", String::as_str);
                return Err(kind(format!("{at}.content[{i}]"), key));
            }
        }
    }
    Ok(texts.join("\n"))
}
