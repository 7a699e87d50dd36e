//! Chat completions of OpenAI, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{self, Import, ImportError, arguments, elements, kind, list, object, shape, string};
use crate::wire::tool::Tool;
use serde_json::Value;
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    // Calls of the format before `tool_calls` have no ids: each is answered by the next message of the role `function`.
    let mut open: Option<(String, String)> = None;
    for (i, m) in list(body, "messages", "")?.iter().enumerate() {
        let at = format!("messages[{i}]");
        match string(m, "role", &at)? {
            "system" | "developer" => messages.push(Message::of(Role::System, texts(m, &at)?)),
            "user" => messages.push(Message::of(Role::User, texts(m, &at)?)),
            "assistant" => {
                let mut blocks = assistant_blocks(m, &at)?;
                if let Some(call) = m.get("function_call").filter(|c| !c.is_null()) {
                    let at = format!("{at}.function_call");
                    let name = string(call, "name", &at)?;
                    let input = arguments(call.get("arguments").and_then(Value::as_str).unwrap_or_default());
                    let id = format!("function_call_{i}");
                    blocks.push(Block::tool_use(id.as_str(), name, input));
                    open = Some((id, name.to_owned()));
                }
                messages.push(Message::of(Role::Assistant, blocks));
            }
            "function" => {
                let name = string(m, "name", &at)?;
                let text = Message::of(Role::Tool, texts(m, &at)?).text().into_owned();
                let Some((id, _)) = open.take().filter(|(_, called)| called == name) else {
                    return Err(shape(at, "the result of the function_call before it, by its name"));
                };
                messages.push(Message::of(Role::Tool, vec![Block::tool_result(id, text)]));
            }
            "tool" => {
                let id = string(m, "tool_call_id", &at)?.to_owned();
                let text = Message::of(Role::Tool, texts(m, &at)?).text().into_owned();
                let result = Block::ToolResult { id, content: text, is_error: None, ms: None };
                match messages.last_mut() {
                    Some(last) if last.role == Role::Tool => last.content.push(result),
                    _ => messages.push(Message::of(Role::Tool, vec![result])),
                }
            }
            other => return Err(kind(format!("{at}.role"), other)),
        }
    }
    // Declarations of that format too, where there are no others.
    let functions = fields.get("functions").and_then(Value::as_array).filter(|_| !fields.contains_key("tools"));
    let declared: Option<Vec<Tool>> =
        functions.and_then(|l| l.iter().map(|f| Tool::from_wire(f, "parameters")).collect());
    let known: &[&str] = if declared.is_some() { &["messages", "tools", "functions"] } else { &["messages", "tools"] };
    let read = |t: &Value| t.get("function").and_then(|f| Tool::from_wire(f, "parameters"));
    let mut out = decode::import(fields, known, messages, elements(fields.get("tools")), read);
    out.tools.extend(declared.unwrap_or_default());
    Ok(out)
}

fn assistant_blocks(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    let mut out = texts(m, at)?;
    for (j, call) in elements(m.get("tool_calls")).iter().enumerate() {
        let at = format!("{at}.tool_calls[{j}]");
        let function = call.get("function").ok_or_else(|| shape(format!("{at}.function"), "an object"))?;
        let input = arguments(function.get("arguments").and_then(Value::as_str).unwrap_or_default());
        out.push(Block::tool_use(string(call, "id", &at)?, string(function, "name", &at)?, input));
    }
    Ok(out)
}

/// The content: a string, parts of text, or null.
fn texts(m: &Value, at: &str) -> Result<Vec<Block>, ImportError> {
    match m.get("content") {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::String(s)) => Ok(vec![Block::text(s.as_str())]),
        Some(Value::Array(parts)) => parts
            .iter()
            .enumerate()
            .map(|(j, p)| {
                let at = format!("{at}.content[{j}]");
                match p.get("type").and_then(Value::as_str) {
                    Some("text") => Ok(Block::text(string(p, "text", &at)?)),
                    Some("refusal") => Ok(Block::text(string(p, "refusal", &at)?)),
                    Some(other) => Err(kind(at, other)),
                    None => Err(shape(at, "a part with a type")),
                }
            })
            .collect(),
        Some(_) => Err(shape(format!("{at}.content"), "a string or an array of parts")),
    }
}
