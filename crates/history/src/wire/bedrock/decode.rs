//! Converse of Bedrock, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::decode::{self, Import, ImportError, elements, kind, list, object, push_user, shape, string};
use crate::wire::tool::Tool;
use serde_json::{Value, json};
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
    let fields = object(body)?;
    let mut messages: Vec<Message> = Vec::new();
    for (i, p) in elements(fields.get("system")).iter().enumerate().filter(|(_, p)| p.get("cachePoint").is_none()) {
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
    let declared = fields.get("toolConfig").and_then(|c| c.get("tools"));
    // Other entries mark the cache.
    let named = |spec: &&Value| spec.get("name").is_some_and(Value::is_string);
    let functions: Vec<Value> =
        elements(declared).iter().filter_map(|t| t.get("toolSpec")).filter(named).cloned().collect();
    let known = ["system", "messages", "toolConfig"];
    let mut out = decode::import(fields, &known, messages, &functions, |spec| {
        let parameters = spec.get("inputSchema").and_then(|s| s.get("json")).cloned();
        let read = Tool::from_wire(spec, "inputSchema")?;
        Some(Tool { parameters: parameters.unwrap_or_else(|| read.parameters.clone()), ..read })
    });
    // The choice of a tool is a setting, not the conversation.
    if let Some(choice) = fields.get("toolConfig").and_then(|c| c.get("toolChoice")) {
        out.rest.insert("toolConfig".into(), json!({ "toolChoice": choice }));
    }
    Ok(out)
}

fn read(p: &Value, at: &str) -> Result<Option<Block>, ImportError> {
    let (key, v) = p.as_object().and_then(|o| o.iter().next()).ok_or_else(|| shape(at, "a block named by its key"))?;
    let reasoning = |text: &str, kind: &str, data: Option<&str>| Block::reasoning(text, "bedrock", kind, data);
    Ok(Some(match key.as_str() {
        "text" => Block::text(string(p, "text", at)?),
        "reasoningContent" => match (v.get("reasoningText"), v.get("redactedContent").and_then(Value::as_str)) {
            (_, data @ Some(_)) => reasoning("", "redacted", data),
            (Some(t), None) => {
                reasoning(string(t, "text", at)?, "signature", t.get("signature").and_then(Value::as_str))
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
