//! Requests as providers want their messages. So far conversations of text only; tool blocks are refused in words.

use crate::message::{Block, Message, Role};
use serde_json::{Map, Value, json};

/// A provider's form of a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Chat completions: `{"messages": [...]}`, system messages among them.
    OpenAi,
    /// Messages: `{"system": "...", "messages": [...]}`.
    Anthropic,
}

/// Why a conversation cannot be put into a form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// No such form.
    #[error("there is no format {0}; formats are openai, anthropic")]
    Unknown(String),
    /// A message holds more than text.
    #[error("message {0} holds tool calls or results; this format takes text only for now")]
    NotText(usize),
}

impl std::str::FromStr for Format {
    type Err = FormatError;
    fn from_str(name: &str) -> Result<Self, FormatError> {
        match name {
            "openai" => Ok(Format::OpenAi),
            "anthropic" => Ok(Format::Anthropic),
            _ => Err(FormatError::Unknown(name.to_owned())),
        }
    }
}

/// The part of a request body that holds the conversation. Thoughts are not sent; blank text is `(no content)`.
///
/// # Errors
/// [`FormatError::NotText`] when a message holds tool blocks.
pub fn export(messages: &[Message], format: Format) -> Result<Value, FormatError> {
    let mut system = Vec::new();
    let mut rest: Vec<(Role, String)> = Vec::new();
    for (i, m) in messages.iter().enumerate() {
        if m.content.iter().any(|b| matches!(b, Block::ToolUse { .. } | Block::ToolResult { .. })) {
            return Err(FormatError::NotText(i));
        }
        let text = shown(&m.text());
        match (format, m.role) {
            (Format::Anthropic, Role::System) => system.push(text),
            // Strict alternation: neighbours of one role are one message.
            (Format::Anthropic, role) => match rest.last_mut() {
                Some((last, before)) if *last == role => {
                    before.push_str("\n\n");
                    before.push_str(&text);
                }
                _ => rest.push((role, text)),
            },
            (Format::OpenAi, role) => rest.push((role, text)),
        }
    }
    let list: Vec<Value> = rest.iter().map(|(role, text)| json!({ "role": role, "content": text })).collect();
    let mut body = Map::new();
    if !system.is_empty() {
        body.insert("system".into(), Value::String(system.join("\n\n")));
    }
    body.insert("messages".into(), Value::Array(list));
    Ok(Value::Object(body))
}

fn shown(text: &str) -> String {
    if text.trim().is_empty() { "(no content)".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conversation() -> Vec<Message> {
        vec![Message::system("s"), Message::user("u"), Message::assistant("a"), Message::user("v")]
    }

    #[test]
    fn openai_keeps_system_messages_in_the_list() {
        let body = export(&conversation(), Format::OpenAi).unwrap();
        let first = r#"{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}"#;
        assert!(body.to_string().starts_with(first), "{body}");
    }

    #[test]
    fn anthropic_has_system_apart_and_alternates() {
        let mut m = conversation();
        m.push(Message::user(" "));
        let body = export(&m, Format::Anthropic).unwrap();
        let expected = r#"{"system":"s","messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"user","content":"v\n\n(no content)"}]}"#;
        assert_eq!(body.to_string(), expected);
    }

    #[test]
    fn tool_blocks_and_unknown_names_are_refused() {
        let call = Block::ToolUse { id: "1".into(), name: "f".into(), input: json!({}) };
        let m = [Message::of(Role::Assistant, vec![call])];
        assert_eq!(export(&m, Format::OpenAi), Err(FormatError::NotText(0)));
        assert!("opanai".parse::<Format>().is_err());
    }
}
