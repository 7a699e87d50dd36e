//! From a conversation to a provider's request body in one call: repair, encode, check.

use crate::conversation::message::{Block, Message, Role};
use crate::repair::repair;
use crate::repair::target::Target;
use crate::wire::cache::CacheBreakpoints;
use crate::wire::format::{Format, FormatError};
use crate::wire::request::Request;
use crate::wire::validate::validate_open;
use serde_json::Value;

/// A conversation as the request body of a provider: repaired first, so any conversation can be given; validated last.
/// The texts of one message, and consecutive messages of one role where the provider wants alternating roles, are
/// joined into one text. It may end in open calls or with a message of the model, as a conversation that is inspected
/// or stored does; to send one, see [`Target::request`].
///
/// # Errors
/// [`FormatError::Refused`] when the result breaks a rule of the provider (property tests say that it does not).
pub fn export(messages: &[Message], format: Format) -> Result<Value, FormatError> {
    let with_texts: Vec<Message> = messages.iter().map(with_joined_texts).collect();
    let repaired = repair(&with_texts, &[], &Target::open(format));
    let request = Request { messages: joined(repaired.messages, format), tools: repaired.tools };
    let body = request.body(format, &CacheBreakpoints::default());
    let violations = validate_open(format, &body);
    if violations.is_empty() { Ok(body) } else { Err(FormatError::Refused(violations)) }
}

/// The message with consecutive texts joined into one, a line break between them, as [`Message::text`] joins them.
fn with_joined_texts(m: &Message) -> Message {
    Message { role: m.role, content: runs(m.content.iter().cloned(), "\n"), meta: m.meta.clone() }
}

/// Repaired messages, with texts that became neighbours joined by a blank line; system messages too, where the format
/// has a field for them.
fn joined(messages: Vec<Message>, format: Format) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::with_capacity(messages.len());
    for mut m in messages {
        match out.last_mut() {
            Some(last) if format.takes_turns() && last.role == Role::System && m.role == Role::System => {
                last.content.append(&mut m.content);
            }
            _ => out.push(m),
        }
    }
    for m in &mut out {
        m.content = runs(std::mem::take(&mut m.content).into_iter(), "\n\n");
    }
    out
}

fn runs(blocks: impl Iterator<Item = Block>, between: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match (out.last_mut(), block) {
            (Some(Block::Text { text, part }), Block::Text { text: next, .. }) => {
                text.push_str(between);
                text.push_str(&next);
                // A text from two inputs belongs to neither.
                *part = None;
            }
            (_, block) => out.push(block),
        }
    }
    out
}
