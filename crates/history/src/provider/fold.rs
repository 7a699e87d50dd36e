//! The plain layout: one text where there are several, for forms and readers that want a string.

use super::format::Format;
use crate::message::{Block, Message, Role};

/// The message with each run of texts as one, a line break between them, as [`Message::text`] has it.
pub(super) fn told(m: &Message) -> Message {
    Message { role: m.role, content: runs(m.content.iter().cloned(), "\n"), meta: m.meta.clone() }
}

/// Canonical messages with texts that became neighbours joined by a blank line; system messages too, where the form
/// has them apart.
pub(super) fn joined(messages: Vec<Message>, format: Format) -> Vec<Message> {
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
                // A text of two sources has no one source.
                *part = None;
            }
            (_, block) => out.push(block),
        }
    }
    out
}
