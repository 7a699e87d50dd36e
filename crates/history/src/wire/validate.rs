//! Validation: whether a provider would take a request body. Written from the providers' rules (HISTORY part B) on the
//! JSON itself, and knowing nothing of how this crate makes one, so that it can judge that too.

pub use super::prefix::{carries_on, has_system};
pub use super::violation::{Rule, Violation};

use super::violation::Found;
use super::{anthropic, bedrock, gemini, openai_chat, openai_responses};
use crate::wire::format::Format;
use serde_json::Value;

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
        Format::OpenAi => openai_chat::check(body, &mut found),
        Format::Responses => openai_responses::check(body, &mut found),
        Format::Anthropic => anthropic::check(body, &mut found),
        Format::Gemini => gemini::check(body, &mut found),
        Format::Bedrock => bedrock::check(body, &mut found),
    }
    found.list
}
