//! The request formats of providers, by name.

use crate::wire::violation::Violation;
use ptc_text::suggest::did_you_mean;
use serde_json::Value;

/// A provider's request format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Chat completions of OpenAI and of the many servers that accept them: `{"messages": [...]}`, system messages
    /// among them.
    OpenAi,
    /// Responses of OpenAI: `{"input": [item, ...]}`.
    Responses,
    /// Messages of Anthropic: `{"system": ..., "messages": [...]}`.
    Anthropic,
    /// generateContent of Gemini: `{"systemInstruction": ..., "contents": [...]}`.
    Gemini,
    /// Converse of Bedrock: `{"system": [...], "messages": [...]}`.
    Bedrock,
}

impl Format {
    /// All of them, in the order of messages and help.
    pub const ALL: [Format; 5] =
        [Format::OpenAi, Format::Responses, Format::Anthropic, Format::Gemini, Format::Bedrock];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::OpenAi => "openai",
            Format::Responses => "openai-responses",
            Format::Anthropic => "anthropic",
            Format::Gemini => "gemini",
            Format::Bedrock => "bedrock",
        }
    }

    /// All names, for messages and help.
    pub fn names() -> String {
        Format::ALL.map(Format::name).join(", ")
    }

    /// Whether the system prompt has a field of its own, and user and model alternate (part B, rows "system" and
    /// "alternation").
    pub fn takes_turns(self) -> bool {
        matches!(self, Format::Anthropic | Format::Gemini | Format::Bedrock)
    }

    /// The placeholder for a message without content (part B, row "placeholder").
    pub fn placeholder(self) -> &'static str {
        match self {
            Format::OpenAi | Format::Responses => "(empty)",
            Format::Anthropic | Format::Gemini | Format::Bedrock => crate::conversation::line_prefixes::NO_CONTENT,
        }
    }

    /// Which provider signs the reasoning that this format can carry; chat completions carry none.
    pub fn signature_owner(self) -> Option<&'static str> {
        match self {
            Format::OpenAi => None,
            Format::Responses => Some("openai"),
            Format::Anthropic => Some("anthropic"),
            Format::Gemini => Some("gemini"),
            Format::Bedrock => Some("bedrock"),
        }
    }

    /// The format of this request body, where its fields tell; messages of every format may be under `messages`. A body
    /// that could be of two formats (plain text in `messages`) is read as the simpler one: chat completions.
    pub fn of(body: &Value) -> Option<Format> {
        if body.get("contents").is_some() {
            return Some(Format::Gemini);
        }
        if body.get("input").is_some() {
            return Some(Format::Responses);
        }
        let messages = body.get("messages")?.as_array()?;
        if messages.iter().any(|m| m.get("parts").is_some()) {
            return Some(Format::Gemini);
        }
        if body.get("toolConfig").is_some() || body.get("inferenceConfig").is_some() {
            return Some(Format::Bedrock);
        }
        let parts = || messages.iter().filter_map(|m| m.get("content")?.as_array()).flatten();
        let typed =
            |names: &[&str]| parts().any(|p| p.get("type").and_then(Value::as_str).is_some_and(|t| names.contains(&t)));
        let is_item = |m: &Value| {
            let kind = m.get("type").and_then(Value::as_str);
            kind.is_some_and(|t| matches!(t, "function_call" | "function_call_output" | "reasoning" | "compaction"))
        };
        if messages.iter().any(is_item) || typed(&["input_text", "output_text"]) {
            return Some(Format::Responses);
        }
        if parts().any(|p| p.get("type").is_none() && p.is_object()) {
            return Some(Format::Bedrock);
        }
        if typed(&["tool_use", "tool_result", "thinking", "redacted_thinking"]) {
            return Some(Format::Anthropic);
        }
        let roles = || messages.iter().filter_map(|m| m.get("role")?.as_str());
        if roles().any(|r| matches!(r, "system" | "developer" | "tool"))
            || messages.iter().any(|m| m.get("tool_calls").is_some())
        {
            return Some(Format::OpenAi);
        }
        if body.get("system").is_some() {
            return Some(Format::Anthropic);
        }
        Some(Format::OpenAi)
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Format {
    type Err = FormatError;
    fn from_str(name: &str) -> Result<Self, FormatError> {
        match name {
            "openai-chat" => Ok(Format::OpenAi),
            _ => {
                Format::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| FormatError::Unknown(name.to_owned()))
            }
        }
    }
}

/// Why a conversation cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// No such format.
    #[error("there is no format {0}; {hint}formats are {all}", hint = near(.0), all = Format::names())]
    Unknown(String),
    /// The body breaks rules of the provider even after repair. It would be refused, so it is not returned.
    #[error("a request in this format would be refused: {}", sentences(.0))]
    Refused(Vec<Violation>),
}

fn near(name: &str) -> String {
    let best = did_you_mean(name, Format::ALL.iter().map(|f| f.name()));
    best.map(|f| format!("did you mean {f}? ")).unwrap_or_default()
}

fn sentences(violations: &[Violation]) -> String {
    let all: Vec<String> = violations.iter().map(Violation::to_string).collect();
    all.join("; ")
}
