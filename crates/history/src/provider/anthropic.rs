//! Messages of Anthropic: system apart, user and assistant in turns, calls and results as blocks.

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
            system.push(marked(json!({ "type": "text", "text": m.text() }), marks.block(i, 0)));
            continue;
        }
        let role = if m.role == Role::Assistant { "assistant" } else { "user" };
        let mut blocks: Vec<Value> = Vec::with_capacity(m.content.len());
        for (j, b) in m.content.iter().enumerate() {
            blocks.extend(wire(b).map(|b| marked(b, marks.block(i, j))));
        }
        match turns.last_mut() {
            Some((last, before)) if *last == role => before.append(&mut blocks),
            _ => turns.push((role, blocks)),
        }
    }
    let messages = turns.into_iter().map(|(role, blocks)| json!({ "role": role, "content": plain(blocks) }));
    let messages: Vec<Value> = messages.collect();
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

/// One text without a mark is a plain string.
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
        Block::Thought { text, seal } => {
            let seal = seal.as_ref()?;
            match seal.kind.as_str() {
                "redacted" => json!({ "type": "redacted_thinking", "data": seal.data }),
                // A compaction that came to nothing has content null; an empty string is refused.
                "compaction" if seal.data.is_empty() => json!({ "type": "compaction", "content": null }),
                "compaction" => json!({ "type": "compaction", "content": seal.data }),
                _ => json!({ "type": "thinking", "thinking": text, "signature": seal.data }),
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

pub(super) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    match fields.get("system") {
        None | Some(Value::Null) => {}
        Some(Value::String(s)) => messages.push(Message::system(s.as_str())),
        Some(Value::Array(parts)) => {
            for (i, p) in parts.iter().enumerate() {
                messages.push(Message::system(string(p, "text", &format!("system[{i}]"))?));
            }
        }
        Some(_) => return Err(shape("system", "a string or an array of text blocks")),
    }
    for (i, m) in list(body, "messages", "")?.iter().enumerate() {
        let at = format!("messages[{i}]");
        let blocks = blocks(m.get("content"), &format!("{at}.content"))?;
        match string(m, "role", &at)? {
            "assistant" => messages.push(Message::of(Role::Assistant, blocks)),
            "user" => push_user(&mut messages, blocks),
            // The newest models take one in mid-conversation.
            "system" => messages.push(Message::of(Role::System, blocks)),
            other => return Err(kind(format!("{at}.role"), other)),
        }
    }
    let (tools, others) = match fields.get("tools").and_then(Value::as_array) {
        Some(l) => tools(l, |t| t.get("input_schema").and_then(|_| Tool::from_wire(t, "input_schema"))),
        None => (Vec::new(), Vec::new()),
    };
    let mut rest = rest(fields, &["system", "messages", "tools"]);
    if !others.is_empty() {
        rest.insert("tools".into(), Value::Array(others));
    }
    Ok(Import { messages, tools, rest })
}

fn blocks(content: Option<&Value>, at: &str) -> Result<Vec<Block>, ImportError> {
    let parts = match content {
        Some(Value::String(s)) => return Ok(vec![Block::text(s.as_str())]),
        Some(Value::Array(parts)) => parts,
        _ => return Err(shape(at, "a string or an array of blocks")),
    };
    let mut out = Vec::with_capacity(parts.len());
    for (j, p) in parts.iter().enumerate() {
        let at = format!("{at}[{j}]");
        let sealed = |text: &str, kind: &str, data: &str| Block::Thought {
            text: text.to_owned(),
            seal: Some(Box::new(Seal {
                provider: "anthropic".into(),
                model: None,
                kind: kind.into(),
                data: data.into(),
            })),
        };
        out.push(match p.get("type").and_then(Value::as_str) {
            Some("text") => Block::text(string(p, "text", &at)?),
            Some("thinking") => match p.get("signature").and_then(Value::as_str) {
                Some(data) => sealed(string(p, "thinking", &at)?, "signature", data),
                None => Block::Thought { text: string(p, "thinking", &at)?.to_owned(), seal: None },
            },
            Some("redacted_thinking") => sealed("", "redacted", string(p, "data", &at)?),
            Some("compaction") => {
                sealed("", "compaction", p.get("content").and_then(Value::as_str).unwrap_or_default())
            }
            Some("tool_use") => {
                let input = p.get("input").cloned().unwrap_or_else(|| json!({}));
                Block::tool_use(string(p, "id", &at)?, string(p, "name", &at)?, input)
            }
            Some("tool_result") => Block::ToolResult {
                id: string(p, "tool_use_id", &at)?.to_owned(),
                content: answer(p.get("content"), &at)?,
                is_error: p.get("is_error").and_then(Value::as_bool),
                ms: None,
            },
            Some(other) => return Err(kind(at, other)),
            None => return Err(shape(at, "a block with a type")),
        });
    }
    Ok(out)
}

/// What a tool answered: absent, a string, or blocks of text.
fn answer(content: Option<&Value>, at: &str) -> Result<String, ImportError> {
    match content {
        None | Some(Value::Null) => Ok(String::new()),
        some => {
            let blocks = blocks(some, &format!("{at}.content"))?;
            match blocks.iter().find(|b| !matches!(b, Block::Text { .. })) {
                Some(_) => Err(shape(format!("{at}.content"), "text only")),
                None => Ok(Message::of(Role::Tool, blocks).text().into_owned()),
            }
        }
    }
}
