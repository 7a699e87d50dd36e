//! The stored form of a conversation, read strictly: an error names the place, and what is expected there.

use crate::conversation::message::Message;
use ptc_text::cut::beginning;
use ptc_text::suggest::did_you_mean;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The version that is written; older ones are read (F-28).
pub const VERSION: u32 = 2;

/// Why a stored conversation cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
pub enum LoadError {
    /// A version that is not known.
    #[error("ptc_conversation: version {0} is not known; this build reads 1 to {VERSION}")]
    Version(String),
    /// No list of messages.
    #[error("no messages: expected {{\"messages\": [...]}} or an array of messages")]
    NoMessages,
    /// A field with a wrong value.
    #[error("{at}: {words}")]
    Field {
        /// Where, as a path: `messages[3].meta.at`.
        at: String,
        /// What is wrong, and what it takes.
        words: String,
    },
}

/// The type of a field.
enum FieldType {
    Text,
    Flag,
    Whole,
    /// Milliseconds since 1970.
    Time,
    Number,
    Any,
    Table,
    Word(&'static [&'static str]),
    Object(&'static [Field]),
}

/// A field of an object, and whether it must be there.
struct Field(&'static str, FieldType, bool);

const PART: &[Field] = &[
    Field("kind", FieldType::Word(&["table", "file", "text", "narrative", "tool"]), true),
    Field("name", FieldType::Text, false),
    Field("history_retention", FieldType::Word(&["full", "summary", "drop"]), false),
    Field("count", FieldType::Whole, false),
    Field("offset", FieldType::Whole, false),
];

const SEAL: &[Field] = &[
    Field("provider", FieldType::Text, true),
    Field("model", FieldType::Text, false),
    Field("kind", FieldType::Text, true),
    Field("data", FieldType::Text, true),
];

const META: &[Field] = &[
    Field("id", FieldType::Text, false),
    Field("seq", FieldType::Whole, false),
    Field("at", FieldType::Time, false),
    Field("frame", FieldType::Whole, false),
    Field("act", FieldType::Whole, false),
    Field("memory", FieldType::Flag, false),
    Field("more", FieldType::Table, false),
];

const KIND: Field = Field("type", FieldType::Any, true);
const TEXT: &[Field] = &[KIND, Field("text", FieldType::Text, true), Field("part", FieldType::Object(PART), false)];
const THOUGHT: &[Field] = &[KIND, Field("text", FieldType::Text, true), Field("seal", FieldType::Object(SEAL), false)];
const TOOL_USE: &[Field] = &[
    KIND,
    Field("id", FieldType::Text, true),
    Field("name", FieldType::Text, true),
    Field("input", FieldType::Any, true),
];
const TOOL_RESULT: &[Field] = &[
    KIND,
    Field("id", FieldType::Text, true),
    Field("content", FieldType::Text, true),
    Field("is_error", FieldType::Flag, false),
    Field("ms", FieldType::Number, false),
];

const BLOCKS: &[(&str, &[Field])] =
    &[("text", TEXT), ("thought", THOUGHT), ("tool_use", TOOL_USE), ("tool_result", TOOL_RESULT)];

/// A message of any version. Version 1 had `timestamp` and `metadata` beside the content, as seed 004 proposed.
const MESSAGE: &[Field] = &[
    Field("role", FieldType::Word(&["system", "user", "assistant", "tool"]), true),
    Field("content", FieldType::Any, true),
    Field("meta", FieldType::Object(META), false),
    Field("timestamp", FieldType::Time, false),
    Field("metadata", FieldType::Table, false),
];

/// Whether this JSON is a stored conversation of this library: by its version, or by fields that only such messages
/// have.
pub(crate) fn is_ours(value: &Value) -> bool {
    let ours = |m: &Value| {
        let blocks = m.get("content").and_then(Value::as_array);
        let block = |b: &Value| {
            let kind = b.get("type").and_then(Value::as_str);
            b.get("part").is_some() || kind == Some("thought") || (kind == Some("tool_result") && b.get("id").is_some())
        };
        ["meta", "timestamp", "metadata"].iter().any(|k| m.get(k).is_some())
            || blocks.is_some_and(|all| all.iter().any(block))
    };
    let list = value.get("messages").unwrap_or(value).as_array();
    value.get("ptc_conversation").is_some() || list.is_some_and(|all| all.iter().any(ours))
}

/// The messages of a stored conversation.
pub(crate) fn messages(value: &Value) -> Result<Vec<Message>, LoadError> {
    if let Some(version) = value.get("ptc_conversation") {
        let known = version.as_u64().is_some_and(|v| v >= 1 && v <= u64::from(VERSION));
        if !known {
            return Err(LoadError::Version(shown(version)));
        }
    }
    let list = value.get("messages").unwrap_or(value).as_array().ok_or(LoadError::NoMessages)?;
    list.iter().enumerate().map(|(i, m)| message(m, &format!("messages[{i}]"))).collect()
}

fn message(v: &Value, at: &str) -> Result<Message, LoadError> {
    check(v, MESSAGE, at)?;
    let content = v.get("content").unwrap_or(&Value::Null);
    match content {
        Value::String(_) => {}
        Value::Array(blocks) => {
            for (i, block) in blocks.iter().enumerate() {
                let at = format!("{at}.content[{i}]");
                if !block.is_object() {
                    return Err(wrong(&at, "a block, as {\"type\":\"text\",\"text\":\"...\"}", block));
                }
                let kind = block.get("type").unwrap_or(&Value::Null);
                let fields = BLOCKS.iter().find(|(name, _)| kind.as_str() == Some(name));
                let Some((_, fields)) = fields else {
                    let names: Vec<&str> = BLOCKS.iter().map(|b| b.0).collect();
                    return Err(wrong(&format!("{at}.type"), &one_of(&names), kind));
                };
                check(block, fields, &at)?;
            }
        }
        other => return Err(wrong(&format!("{at}.content"), "text or an array of blocks", other)),
    }
    let read = StoredMessage::deserialize(v);
    read.map(StoredMessage::message).map_err(|e| LoadError::Field { at: at.to_owned(), words: e.to_string() })
}

/// Whether this is an object of these fields and no others.
fn check(v: &Value, fields: &[Field], at: &str) -> Result<(), LoadError> {
    let Some(object) = v.as_object() else { return Err(wrong(at, "an object", v)) };
    let names = || fields.iter().map(|f| f.0);
    if let Some(key) = object.keys().find(|k| !names().any(|n| n == *k)) {
        let hint = match did_you_mean(key, names()) {
            Some(name) => format!("did you mean {name}?"),
            None => format!("fields are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let words = format!("unknown field {}; {hint}", shown(&Value::from(key.as_str())));
        return Err(LoadError::Field { at: at.to_owned(), words });
    }
    for Field(name, takes, needed) in fields {
        match object.get(*name) {
            Some(value) if !value.is_null() || *needed => takes.check(value, &format!("{at}.{name}"))?,
            None if *needed => {
                return Err(LoadError::Field { at: at.to_owned(), words: format!("{name} is missing; add it") });
            }
            _ => {}
        }
    }
    Ok(())
}

impl FieldType {
    fn check(&self, v: &Value, at: &str) -> Result<(), LoadError> {
        let (fits, expected) = match self {
            FieldType::Any => (true, ""),
            FieldType::Text => (v.is_string(), "text"),
            FieldType::Flag => (v.is_boolean(), "true or false"),
            FieldType::Whole => (v.is_u64(), "a whole number from 0"),
            FieldType::Number => (v.is_number(), "a number"),
            FieldType::Table => (v.is_object(), "an object"),
            FieldType::Time => (v.is_i64(), "milliseconds since 1970, a whole number as 1704067200000"),
            FieldType::Word(words) => {
                let fits = v.as_str().is_some_and(|s| words.contains(&s));
                return if fits { Ok(()) } else { Err(wrong(at, &one_of(words), v)) };
            }
            FieldType::Object(fields) => return check(v, fields, at),
        };
        if fits { Ok(()) } else { Err(wrong(at, expected, v)) }
    }
}

fn one_of(words: &[&str]) -> String {
    let list: Vec<String> = words.iter().map(|w| format!("{w:?}")).collect();
    match list.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => list.concat(),
    }
}

fn wrong(at: &str, expected: &str, got: &Value) -> LoadError {
    LoadError::Field { at: at.to_owned(), words: format!("must be {expected}, got {}", shown(got)) }
}

/// Most characters of a value that an error shows.
const MAX_SHOWN_CHARS: usize = 60;

fn shown(v: &Value) -> String {
    let kind = match v {
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
        _ => {
            let text = v.to_string();
            return match beginning(&text, MAX_SHOWN_CHARS) {
                (start, true) => format!("{start}..."),
                (_, false) => text,
            };
        }
    };
    kind.to_owned()
}

#[derive(Deserialize)]
struct StoredMessage {
    #[serde(flatten)]
    message: Message,
    #[serde(default)]
    timestamp: Option<i64>,
    #[serde(default)]
    metadata: Option<Map<String, Value>>,
}

impl StoredMessage {
    fn message(mut self) -> Message {
        if let Some(at) = self.timestamp {
            self.message.meta_mut().at.get_or_insert(at);
        }
        if let Some(more) = self.metadata {
            self.message.meta_mut().more.extend(more);
        }
        self.message
    }
}
