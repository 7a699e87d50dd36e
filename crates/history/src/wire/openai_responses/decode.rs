//! Responses of OpenAI, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{self, Import, ImportError, arguments, conversation, elements, kind, object, shape, string};
use crate::wire::tool::Tool;
use serde_json::Value;
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    if let Some(text) = fields.get("instructions").and_then(Value::as_str) {
        messages.push(Message::system(text));
    }
    match fields.get("input") {
        Some(Value::String(text)) => messages.push(Message::user(text.as_str())),
        _ => {
            for (i, item) in conversation(body, "input")?.iter().enumerate() {
                read(&mut messages, item, &format!("input[{i}]"))?;
            }
        }
    }
    let read = |t: &Value| {
        let is_function = t.get("type").and_then(Value::as_str) == Some("function");
        is_function.then(|| Tool::from_wire(t, "parameters")).flatten()
    };
    let known = ["input", "messages", "instructions", "tools"];
    Ok(decode::import(fields, &known, messages, elements(fields.get("tools")), read))
}

/// Adds one item: consecutive items of the model are one message, consecutive outputs are one.
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
            let parts = elements(item.get("summary"));
            let texts: Vec<&str> = parts.iter().filter_map(|p| p.get("text")?.as_str()).collect();
            // Without its encrypted content it is a reference to what the provider stored, and cannot be sent back.
            let data = item.get("encrypted_content").and_then(Value::as_str);
            add(Role::Assistant, vec![Block::reasoning(texts.join("\n\n"), "openai", "encrypted", data)]);
        }
        "compaction" => {
            let data = Some(string(item, "encrypted_content", at)?);
            add(Role::Assistant, vec![Block::reasoning("", "openai", "compaction", data)]);
        }
        other => return Err(kind(at, other)),
    }
    Ok(())
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
