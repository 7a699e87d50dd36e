//! Validation: whether a provider would take a request body. Written from the providers' rules (HISTORY part B) on the
//! JSON itself, and knowing nothing of how this crate makes one, so that it can judge that too.

mod anthropic;
mod bedrock;
mod chat;
mod gemini;
mod prefix;
mod responses;
mod turns;
mod walk;

pub use prefix::{carries_on, has_system};

use crate::provider::Format;
use serde::Serialize;
use serde_json::Value;

/// The rules, by their ids in the requirements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum Rule {
    /// Roles are legal, and so is the shape they come in.
    V1,
    /// First and last message are legal.
    V2,
    /// Every call is answered.
    V3,
    /// No result without its call.
    V4,
    /// Results stand where they must, in their number; turns alternate.
    V5,
    /// No blank text.
    V6,
    /// Ids and names are in legal letters, and ids are unique.
    V7,
    /// Reasoning is whole, in its place, or absent.
    V8,
    /// At most four cache marks, none on empty or thinking blocks, long ones first.
    V9,
    /// Tools are declared where history calls them.
    V10,
    /// The system prompt is there, byte for byte.
    V11,
    /// Arguments are JSON objects.
    V12,
}

/// A rule that a body breaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule.
    pub rule: Rule,
    /// Where, as a path into the body.
    pub at: String,
    /// What is wrong, and what would be right.
    pub text: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}: {}", self.rule, self.at, self.text)
    }
}

/// What would be refused about this body as a request that goes out now.
pub fn validate(format: Format, body: &Value) -> Vec<Violation> {
    check(format, body, false)
}

/// The same for a conversation that goes on: calls at its end may wait for results, and the model may have the last
/// word; nothing may have been said yet.
pub fn validate_open(format: Format, body: &Value) -> Vec<Violation> {
    check(format, body, true)
}

fn check(format: Format, body: &Value, open: bool) -> Vec<Violation> {
    let mut found = Found { open, list: Vec::new() };
    match format {
        Format::OpenAi => chat::check(body, &mut found),
        Format::Responses => responses::check(body, &mut found),
        Format::Anthropic => anthropic::check(body, &mut found),
        Format::Gemini => gemini::check(body, &mut found),
        Format::Bedrock => bedrock::check(body, &mut found),
    }
    found.list
}

/// What was found so far.
struct Found {
    open: bool,
    list: Vec<Violation>,
}

impl Found {
    fn add(&mut self, rule: Rule, at: impl Into<String>, text: impl Into<String>) {
        self.list.push(Violation { rule, at: at.into(), text: text.into() });
    }
}
