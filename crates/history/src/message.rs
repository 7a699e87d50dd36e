//! Messages: who speaks, and blocks of what is said.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// What holds for the whole conversation.
    System,
    /// The one who asks.
    User,
    /// The model.
    Assistant,
    /// Results of tool calls that the model made on the wire.
    Tool,
}

impl Role {
    /// Its name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::System => "system",
            Role::User => "user",
            Role::Assistant => "assistant",
            Role::Tool => "tool",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A piece of a message: exactly one of these (F-02).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// What the model thought and does not say.
    Thought {
        /// The text.
        text: String,
    },
    /// A call that the model makes on the wire.
    ToolUse {
        /// Pairs it with its result; recorded conversations use one twice, so pair with the nearest open call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        input: Value,
    },
    /// What a call answered.
    ToolResult {
        /// The call's id.
        id: String,
        /// The answer, as text.
        content: String,
        /// Whether it is an error; `None` where the record does not say.
        #[serde(default)]
        is_error: Option<bool>,
    },
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into() }
    }
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order. Read from a plain string too.
    #[serde(deserialize_with = "blocks_or_text")]
    pub content: Vec<Block>,
}

impl Message {
    /// A message of one block of text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Message { role, content: vec![Block::text(text)] }
    }

    /// A system message.
    pub fn system(text: impl Into<String>) -> Self {
        Message::new(Role::System, text)
    }

    /// A user message.
    pub fn user(text: impl Into<String>) -> Self {
        Message::new(Role::User, text)
    }

    /// An assistant message.
    pub fn assistant(text: impl Into<String>) -> Self {
        Message::new(Role::Assistant, text)
    }

    /// Its text: that of its text blocks, one after the other, a line break between them.
    pub fn text(&self) -> Cow<'_, str> {
        let mut texts = self.content.iter().filter_map(|b| match b {
            Block::Text { text } => Some(text.as_str()),
            _ => None,
        });
        match (texts.next(), texts.next()) {
            (None, _) => Cow::Borrowed(""),
            (Some(only), None) => Cow::Borrowed(only),
            (Some(first), Some(second)) => {
                let mut all = format!("{first}\n{second}");
                for t in texts {
                    all.push('\n');
                    all.push_str(t);
                }
                Cow::Owned(all)
            }
        }
    }

    /// Whether it is text and nothing else.
    pub fn is_plain(&self) -> bool {
        self.content.iter().all(|b| matches!(b, Block::Text { .. }))
    }
}

fn blocks_or_text<'de, D: serde::Deserializer<'de>>(d: D) -> Result<Vec<Block>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either {
        Text(String),
        Blocks(Vec<Block>),
    }
    Ok(match Either::deserialize(d)? {
        Either::Text(text) => vec![Block::text(text)],
        Either::Blocks(blocks) => blocks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_form_comes_back_as_it_was() {
        let line = r#"{"role":"assistant","content":[{"type":"thought","text":"hm"},{"type":"text","text":"a"},{"type":"tool_use","id":"c1","name":"f","input":{"x":1}}]}"#;
        let m: Message = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&m).unwrap(), line);
        assert_eq!(m.text(), "a");
        assert!(!m.is_plain());
        let line = r#"{"role":"tool","content":[{"type":"tool_result","id":"c1","content":"ok","is_error":null}]}"#;
        let m: Message = serde_json::from_str(line).unwrap();
        assert_eq!(serde_json::to_string(&m).unwrap(), line);
    }

    #[test]
    fn plain_strings_are_read() {
        let m: Message = serde_json::from_str(r#"{"role":"user","content":"hi"}"#).unwrap();
        assert_eq!(m, Message::user("hi"));
    }

    #[test]
    fn several_texts_are_joined() {
        let m = Message { role: Role::User, content: vec![Block::text("a"), Block::text("b"), Block::text("c")] };
        assert_eq!(m.text(), "a\nb\nc");
    }
}
