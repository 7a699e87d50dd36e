//! Messages of Anthropic, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{self, Import, ImportError, elements, kind, list, object, push_user, shape, string};
use crate::wire::tool::Tool;
use serde_json::{Value, json};
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
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
    let read = |t: &Value| t.get("input_schema").and_then(|_| Tool::from_wire(t, "input_schema"));
    Ok(decode::import(fields, &["system", "messages", "tools"], messages, elements(fields.get("tools")), read))
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
        let reasoning = |text: &str, kind: &str, data: Option<&str>| Block::reasoning(text, "anthropic", kind, data);
        out.push(match p.get("type").and_then(Value::as_str) {
            Some("text") => Block::text(string(p, "text", &at)?),
            Some("thinking") => {
                reasoning(string(p, "thinking", &at)?, "signature", p.get("signature").and_then(Value::as_str))
            }
            Some("redacted_thinking") => reasoning("", "redacted", Some(string(p, "data", &at)?)),
            Some("compaction") => {
                reasoning("", "compaction", Some(p.get("content").and_then(Value::as_str).unwrap_or_default()))
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
