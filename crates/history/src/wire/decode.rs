//! Reading request bodies: what all formats share.

use crate::conversation::message::{Block, Message, Role};
use crate::wire::tool::Tool;
use serde_json::{Map, Value};

/// A request body, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Import {
    /// The conversation; system messages first where the format has a field for them.
    pub messages: Vec<Message>,
    /// The declared tools that are functions.
    pub tools: Vec<Tool>,
    /// The other fields as they were: model, limits, tools that run at the provider ...
    pub rest: Map<String, Value>,
}

/// Content of a body that a conversation cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// Not the shape of this format.
    #[error("{at}: expected {expected}; check that the body is in the format you named")]
    Shape {
        /// Where, as a path.
        at: String,
        /// What should be there.
        expected: &'static str,
    },
    /// A kind of content that conversations do not have.
    #[error(
        "{at}: history holds text, thoughts, tool calls and tool results, not {kind:?}; put a text in its place, \
         as the name of the file"
    )]
    Kind {
        /// Where, as a path.
        at: String,
        /// The kind, as the provider calls it.
        kind: String,
    },
}

pub(super) fn shape(at: impl Into<String>, expected: &'static str) -> ImportError {
    ImportError::Shape { at: at.into(), expected }
}

pub(super) fn kind(at: impl Into<String>, kind: impl Into<String>) -> ImportError {
    ImportError::Kind { at: at.into(), kind: kind.into() }
}

/// The object that a body must be.
pub(super) fn object(body: &Value) -> Result<&Map<String, Value>, ImportError> {
    body.as_object().ok_or_else(|| shape("body", "an object"))
}

/// A list, by its name.
pub(super) fn list<'a>(v: &'a Value, name: &str, at: &str) -> Result<&'a [Value], ImportError> {
    let found = v.get(name).and_then(Value::as_array);
    found.map(Vec::as_slice).ok_or_else(|| shape(format!("{at}{name}"), "an array"))
}

/// The messages of a body under the name that the format has for them, or under `messages`, as recordings have them.
pub(super) fn conversation<'a>(body: &'a Value, name: &str) -> Result<&'a [Value], ImportError> {
    let other = body.get(name).is_none() && body.get("messages").is_some();
    list(body, if other { "messages" } else { name }, "")
}

/// A string, by its name.
pub(super) fn string<'a>(v: &'a Value, name: &str, at: &str) -> Result<&'a str, ImportError> {
    v.get(name).and_then(Value::as_str).ok_or_else(|| shape(format!("{at}.{name}"), "a string"))
}

/// A body that is read: its messages, its tools that are functions, and the other fields but `known`, with the tools
/// that run at the provider.
pub(super) fn import(
    body: &Map<String, Value>,
    known: &[&str],
    messages: Vec<Message>,
    tools: &[Value],
    read: impl Fn(&Value) -> Option<Tool>,
) -> Import {
    let others = body.iter().filter(|(k, _)| !known.contains(&k.as_str()));
    let mut out = Import { messages, tools: Vec::new(), rest: others.map(|(k, v)| (k.clone(), v.clone())).collect() };
    let mut of_provider = Vec::new();
    for tool in tools {
        match read(tool) {
            Some(tool) => out.tools.push(tool),
            None => of_provider.push(tool.clone()),
        }
    }
    if !of_provider.is_empty() {
        out.rest.insert("tools".into(), Value::Array(of_provider));
    }
    out
}

/// The elements of a field that is a list; none where it is not.
pub(super) fn elements(list: Option<&Value>) -> &[Value] {
    list.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// Arguments that were written as a JSON string. Invalid JSON is kept as a string, for
/// [`repair`](crate::repair::repair) to wrap; an empty string means no arguments.
pub(super) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Object(Map::new());
    }
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

/// Splits the blocks of a user's turn: results become tool messages, in the order of the blocks.
pub(super) fn push_user(out: &mut Vec<Message>, blocks: Vec<Block>) {
    let mut run: Option<Message> = None;
    for block in blocks {
        let role = if matches!(block, Block::ToolResult { .. }) { Role::Tool } else { Role::User };
        match &mut run {
            Some(m) if m.role == role => m.content.push(block),
            _ => out.extend(run.replace(Message::of(role, vec![block]))),
        }
    }
    out.extend(run);
}
