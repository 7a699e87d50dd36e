//! Messages: who speaks, and blocks of what is said.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;

/// The role of the speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Instructions for the whole conversation.
    System,
    /// The user.
    User,
    /// The model.
    Assistant,
    /// Results of tool calls.
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

/// A block of a message: exactly one of these (F-02).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    /// Plain text.
    Text {
        /// The text.
        text: String,
        /// The input it came from, when it is one: a table, a file ... and what history keeps of it after it was seen
        /// (R-14).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        part: Option<Box<Part>>,
    },
    /// Reasoning of the model that is not part of its answer.
    #[serde(rename = "thought")]
    Reasoning {
        /// The text.
        text: String,
        /// The provider's signature of it; signed reasoning is sent back verbatim or not at all.
        #[serde(default, rename = "seal", skip_serializing_if = "Option::is_none")]
        signature: Option<Box<Signature>>,
    },
    /// A call of a tool.
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
        /// How long the call took, in milliseconds, where that is known (F-04).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ms: Option<f64>,
    },
}

/// What a provider signed or encrypted of reasoning: opaque here, and sent back verbatim (docs/history.md). Stored
/// under the key `seal`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Signature {
    /// Who signed it: `anthropic`, `openai`, `gemini`, `bedrock`.
    pub provider: String,
    /// The model that wrote it; signed reasoning of one model means nothing to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// `signature`, `redacted`, `encrypted` or `compaction`.
    pub kind: String,
    /// The bytes, as the provider wrote them.
    pub data: String,
}

/// Where a text came from and what history keeps of it (seed 003).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its name: of the table, the file, the nested task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What history keeps of it after the model has answered; `None` is the default, full.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history_retention: Option<Retention>,
    /// Rows of a table; acts of a narrative.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The offset a table was read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<u64>,
}

/// The kinds of input (R-02).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PartKind {
    /// Rows of a database or a CSV file, shown as a Markdown table.
    Table,
    /// The text of a file.
    File,
    /// Text written in the task.
    Text,
    /// What a nested task answered.
    Narrative,
    /// What a tool or a command answered.
    Tool,
}

/// What history keeps of an input after it was seen (R-01).
///
/// ```
/// use ptc_history::{Block, Conversation, Message, Part, PartKind, Policy, Retention, Role, ViewContext, view};
///
/// let part = Part {
///     kind: PartKind::Text,
///     name: Some("log".into()),
///     history_retention: Some(Retention::Summary),
///     count: None,
///     offset: None,
/// };
/// let log = Block::Text { text: "line\n".repeat(500), part: Some(Box::new(part)) };
/// let mut talk = Conversation::recorded([Message::of(Role::User, vec![Block::text("What failed?"), log])]);
/// talk.push(Message::assistant("Nothing."))?;
/// talk.push(Message::user("Sure?"))?;
/// // It was seen: from now on one line says what it was.
/// let view = view(&talk, &Policy::default(), &ViewContext::default())?;
/// assert!(view.messages()[0].text().len() < 200);
/// assert_eq!(talk.get(0).map(|m| m.text().len() > 2000), Some(true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Retention {
    /// All of it.
    #[default]
    Full,
    /// One line that says what it was.
    Summary,
    /// Nothing.
    Drop,
}

impl std::str::FromStr for Retention {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        match word {
            "full" => Ok(Retention::Full),
            "summary" => Ok(Retention::Summary),
            "drop" => Ok(Retention::Drop),
            _ => Err(format!("history_retention must be \"full\", \"summary\" or \"drop\", got {word:?}")),
        }
    }
}

// Written by hand, so that the error for a wrong value names the three valid ones (R-03).
impl<'de> Deserialize<'de> for Retention {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        String::deserialize(d)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Block {
    /// A block of text.
    pub fn text(text: impl Into<String>) -> Self {
        Block::Text { text: text.into(), part: None }
    }

    /// Bytes of its content: text, or name and arguments as JSON.
    pub fn bytes(&self) -> usize {
        match self {
            Block::Text { text, .. } | Block::Reasoning { text, .. } => text.len(),
            Block::ToolUse { name, input, .. } => name.len().saturating_add(input.to_string().len()),
            Block::ToolResult { content, .. } => content.len(),
        }
    }

    /// Reasoning, with what a provider signed of it, if anything.
    pub(crate) fn reasoning(text: impl Into<String>, provider: &str, kind: &str, data: Option<&str>) -> Self {
        let signature = data.map(|data| {
            Box::new(Signature { provider: provider.into(), model: None, kind: kind.into(), data: data.into() })
        });
        Block::Reasoning { text: text.into(), signature }
    }

    /// A call.
    pub fn tool_use(id: impl Into<String>, name: impl Into<String>, input: Value) -> Self {
        Block::ToolUse { id: id.into(), name: name.into(), input }
    }

    /// The answer of a call that went well.
    pub fn tool_result(id: impl Into<String>, content: impl Into<String>) -> Self {
        Block::ToolResult { id: id.into(), content: content.into(), is_error: Some(false), ms: None }
    }

    /// The answer of a call that failed. An empty error gets some words: a provider refuses empty ones (F-04).
    pub fn tool_error(id: impl Into<String>, error: impl Into<String>) -> Self {
        let error = error.into();
        let content = if error.trim().is_empty() { "error without a message".to_owned() } else { error };
        Block::ToolResult { id: id.into(), content, is_error: Some(true), ms: None }
    }
}

/// One message.
///
/// ```
/// use ptc_history::{Block, Message, Role};
/// use serde_json::json;
///
/// let call = Message::of(Role::Assistant, vec![Block::text("I look."), Block::tool_use("c1", "price", json!({"item": "pen"}))]);
/// let result = Message::of(Role::Tool, vec![Block::tool_result("c1", "250")]);
/// assert_eq!((call.text().as_ref(), call.calls().count()), ("I look.", 1));
/// let talk = [Message::system("Be brief."), Message::user("A pen?"), call, result, Message::assistant("250 cents.")];
/// // As JSON, and back; content may be a plain string.
/// let text = serde_json::to_string(&talk)?;
/// assert_eq!(serde_json::from_str::<Vec<Message>>(&text)?, talk);
/// assert_eq!(serde_json::from_str::<Message>(r#"{"role": "user", "content": "A pen?"}"#)?, talk[1]);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The role of the speaker.
    pub role: Role,
    /// What is said, in order. Read from a plain string too.
    #[serde(deserialize_with = "blocks_or_text")]
    pub content: Vec<Block>,
    /// Metadata: id, place, time. Never sent to a provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meta: Option<Box<Meta>>,
}

/// Metadata of a message (F-01, F-24).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Its id, unique in its conversation (R-15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its place in the conversation, from 0; decides the order where clocks disagree.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// When it was said: milliseconds since 1970, from the host's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<i64>,
    /// The frame of the call stack it belongs to, for agents that keep one (B-19).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frame: Option<u32>,
    /// The act that begins with it, counted from 1. Its inputs are whole until the next act begins (R-05, R-15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub act: Option<u64>,
    /// Memory of the agent: kept by the strategies that keep memory messages (K-03).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub memory: bool,
    /// Whatever else the host wants to keep with it: iteration, start, end ...
    #[serde(default, skip_serializing_if = "serde_json::Map::is_empty")]
    pub more: serde_json::Map<String, Value>,
}

/// The key in a message's metadata under which a summary keeps how many messages it stands for; no provider sees it.
pub(crate) const SUMMARY_OF: &str = "summary_of";

impl Message {
    /// A message of one block of text.
    pub fn new(role: Role, text: impl Into<String>) -> Self {
        Message::of(role, vec![Block::text(text)])
    }

    /// A message of these blocks.
    pub fn of(role: Role, content: Vec<Block>) -> Self {
        Message { role, content, meta: None }
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
            Block::Text { text, .. } => Some(text.as_str()),
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

    /// Whether it has no content: no blocks, or only blank texts and unsigned blank reasoning.
    pub fn is_blank(&self) -> bool {
        self.content.iter().all(|b| match b {
            Block::Text { text, .. } | Block::Reasoning { text, signature: None } => text.trim().is_empty(),
            Block::Reasoning { .. } | Block::ToolUse { .. } | Block::ToolResult { .. } => false,
        })
    }

    /// How many messages this one is a summary of, if it is one.
    pub(crate) fn summary_of(&self) -> Option<usize> {
        let of = self.meta.as_ref()?.more.get(SUMMARY_OF)?.as_u64()?;
        usize::try_from(of).ok()
    }

    /// The calls it makes: ids and names, in order.
    pub fn calls(&self) -> impl Iterator<Item = (&str, &str)> {
        self.content.iter().filter_map(|b| match b {
            Block::ToolUse { id, name, .. } => Some((id.as_str(), name.as_str())),
            _ => None,
        })
    }

    /// The calls it answers, by id, in order.
    pub fn answers(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(|b| match b {
            Block::ToolResult { id, .. } => Some(id.as_str()),
            _ => None,
        })
    }

    /// Its metadata, for writing.
    pub fn meta_mut(&mut self) -> &mut Meta {
        self.meta.get_or_insert_default()
    }

    /// When it was said, in milliseconds since 1970.
    pub fn at(&self) -> Option<i64> {
        self.meta.as_ref().and_then(|m| m.at)
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
