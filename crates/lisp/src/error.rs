//! The one error of the language, in words: a kind, a message, where, and what to do next.

use crate::span::Span;
use serde::{Deserialize, Serialize};

/// Longest message, in bytes (SECURITY P10).
pub const MESSAGE_BYTES: usize = 4096;

/// Stable kinds of error; their text is part of the contract (docs/language.md, "Errors").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ErrorKind {
    /// The text is no program: brackets, tokens, malformed special forms.
    #[serde(rename = "parse")]
    Parse,
    /// A name that is nowhere, or used before its definition ran.
    #[serde(rename = "name")]
    Name,
    /// Too many or too few arguments.
    #[serde(rename = "arity")]
    Arity,
    /// A value of the wrong type.
    #[serde(rename = "type")]
    Type,
    /// Overflow, division by zero.
    #[serde(rename = "arithmetic")]
    Arithmetic,
    /// An index out of bounds.
    #[serde(rename = "index")]
    Index,
    /// A right type with a value that cannot be used.
    #[serde(rename = "value")]
    Value,
    /// Thrown by the program.
    #[serde(rename = "thrown")]
    Thrown,
    /// A tool answered with an error.
    #[serde(rename = "tool")]
    Tool,
    /// The program called `(fail reason)`.
    #[serde(rename = "failed")]
    Failed,
    /// Something that exists in Clojure and is not granted here.
    #[serde(rename = "denied")]
    Denied,
    /// Out of fuel.
    #[serde(rename = "limit/fuel")]
    Fuel,
    /// Out of memory, definitions, result, integer or regex size.
    #[serde(rename = "limit/memory")]
    Memory,
    /// Too deep: source, calls or data.
    #[serde(rename = "limit/depth")]
    Depth,
    /// Too much printed.
    #[serde(rename = "limit/output")]
    Output,
    /// Out of time.
    #[serde(rename = "limit/time")]
    Time,
    /// Too many tool calls.
    #[serde(rename = "limit/tool-calls")]
    ToolCalls,
    /// The source text is too long.
    #[serde(rename = "limit/source")]
    Source,
    /// Stored bytes that are not what was stored.
    #[serde(rename = "corrupt")]
    Corrupt,
    /// A fault of ours.
    #[serde(rename = "internal")]
    Internal,
}

impl ErrorKind {
    /// The kind as it is written in reports and records.
    pub fn as_str(self) -> &'static str {
        match self {
            ErrorKind::Parse => "parse",
            ErrorKind::Name => "name",
            ErrorKind::Arity => "arity",
            ErrorKind::Type => "type",
            ErrorKind::Arithmetic => "arithmetic",
            ErrorKind::Index => "index",
            ErrorKind::Value => "value",
            ErrorKind::Thrown => "thrown",
            ErrorKind::Tool => "tool",
            ErrorKind::Failed => "failed",
            ErrorKind::Denied => "denied",
            ErrorKind::Fuel => "limit/fuel",
            ErrorKind::Memory => "limit/memory",
            ErrorKind::Depth => "limit/depth",
            ErrorKind::Output => "limit/output",
            ErrorKind::Time => "limit/time",
            ErrorKind::ToolCalls => "limit/tool-calls",
            ErrorKind::Source => "limit/source",
            ErrorKind::Corrupt => "corrupt",
            ErrorKind::Internal => "internal",
        }
    }

    /// Whether this is the end of a budget, which no program can catch (SECURITY P5).
    pub fn is_limit(self) -> bool {
        self.as_str().starts_with("limit/")
    }
}

impl std::fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error of a program. It holds words, never values, so it can be stored, sent and kept for ever.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, Deserialize)]
#[error("{kind}: {message}")]
pub struct Error {
    /// The stable kind.
    pub kind: ErrorKind,
    /// What was wrong, at most [`MESSAGE_BYTES`] bytes.
    pub message: String,
    /// Where in the source, if it can be said.
    pub span: Option<Span>,
    /// What would fix it, when that is likely.
    pub hint: Option<String>,
    /// The functions of the program that were running, innermost first, at most 16.
    pub calls: Vec<String>,
}

impl Error {
    /// An error without a place; the message is cut at [`MESSAGE_BYTES`].
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Error { kind, message: cut(message.into(), MESSAGE_BYTES), span: None, hint: None, calls: Vec::new() }
    }

    /// The same error, at a place; a place it already has stays.
    #[must_use]
    pub fn at(mut self, span: Span) -> Self {
        self.span.get_or_insert(span);
        self
    }

    /// The same error with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(cut(hint.into(), 512));
        self
    }
}

/// `text` in at most `bytes` bytes, cut between characters and marked with `...`.
pub fn cut(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let mut end = bytes.saturating_sub(3);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push_str("...");
        text.shrink_to_fit();
    }
    text
}
