//! Validation: whether a provider would accept a request body. Written from the providers' rules (part B) on the JSON
//! itself, independent of how this crate encodes one, so that it can check that too.

pub use super::prefix::{carries_on, has_system};
pub use super::violation::{Rule, Violation};

use super::violation::Violations;
use super::{anthropic, bedrock, gemini, openai_chat, openai_responses};
use crate::wire::format::Format;
use serde_json::Value;

/// The rules that this body breaks, as a request that is sent now.
pub fn validate(format: Format, body: &Value) -> Vec<Violation> {
    check(format, body, false)
}

/// The same for a conversation that continues: calls at its end may wait for results, the model may have the last
/// message, and there may be no message yet.
pub fn validate_open(format: Format, body: &Value) -> Vec<Violation> {
    check(format, body, true)
}

fn check(format: Format, body: &Value, open: bool) -> Vec<Violation> {
    let mut found = Violations { open, list: Vec::new() };
    match format {
        Format::OpenAi => openai_chat::check(body, &mut found),
        Format::Responses => openai_responses::check(body, &mut found),
        Format::Anthropic => anthropic::check(body, &mut found),
        Format::Gemini => gemini::check(body, &mut found),
        Format::Bedrock => bedrock::check(body, &mut found),
    }
    found.list
}
