//! Converse of Bedrock, from a request body to a conversation.

use crate::conversation::message::{Block, Message, Role, Signature};
use crate::wire::decode::{Import, ImportError, kind, list, object, push_user, rest, shape, string, tools};
use crate::wire::tool::Tool;
use serde_json::{Value, json};
pub(crate) fn import(body: &Value) -> Result<Import, ImportError> {
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
    let sealed = |text: &str, kind: &str, data: &str| Block::Reasoning {
        text: text.to_owned(),
        signature: Some(Box::new(Signature {
            provider: "bedrock".into(),
            model: None,
            kind: kind.into(),
            data: data.into(),
        })),
    };
    Ok(Some(match key.as_str() {
        "text" => Block::text(string(p, "text", at)?),
        "reasoningContent" => match (v.get("reasoningText"), v.get("redactedContent").and_then(Value::as_str)) {
            (_, Some(data)) => sealed("", "redacted", data),
            (Some(t), None) => {
                let text = string(t, "text", at)?;
                match t.get("signature").and_then(Value::as_str) {
                    Some(data) => sealed(text, "signature", data),
                    None => Block::Reasoning { text: text.to_owned(), signature: None },
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
