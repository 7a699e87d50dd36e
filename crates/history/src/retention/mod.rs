//! Retention: inputs are shown whole until the model has answered them, and by their retention from then on (seed 003).
//!
//! The conversation is never changed. A strategy gets it with rewritten messages in place of those whose inputs were
//! answered; every input is found again by its handle, [`original`].

mod chunk;
mod decision;
mod delta;
mod semantic;
mod smart;
mod summary_line;
mod table;

pub use decision::{SMALL, kept};
pub use summary_line::{guidance, large_input};

use crate::conversation::message::Block;
use crate::conversation::{Conversation, Entry};
use crate::policy::Policy;
use crate::view::context::ViewContext;
use crate::view::types::{Event, View, ViewMessage};
use chunk::{Chunk, RetentionPass};
use std::borrow::Cow;
use std::sync::Arc;

/// A conversation as its retentions show it.
pub(crate) struct RetainedConversation<'a> {
    pub conversation: Cow<'a, Conversation>,
    /// The chunks, in order.
    chunks: Vec<Arc<Chunk>>,
    /// From here on messages may yet be rewritten.
    pending: Option<usize>,
    /// The event about a model that was asked for summaries, if it failed.
    asked: Option<Event>,
}

impl RetainedConversation<'_> {
    /// The entries of `conversation` as they are shown.
    fn entries(&self, conversation: &Conversation) -> Vec<Arc<Entry>> {
        let mut entries = Vec::with_capacity(conversation.len());
        for chunk in &self.chunks {
            let as_they_were = conversation.entries().get(entries.len()..chunk.from);
            entries.extend_from_slice(as_they_were.unwrap_or_default());
            entries.extend_from_slice(&chunk.entries);
        }
        entries
    }

    /// Marks the rewritten inputs in a view of the retained conversation.
    pub fn mark(&self, view: &mut View) {
        // The rewritten messages, by place.
        let mut changed: Vec<Option<&ViewMessage>> = Vec::new();
        for shown in self.chunks.iter().flat_map(|s| &s.changed) {
            changed.resize(shown.from.start, None);
            changed.push(Some(shown));
        }
        let all = if changed.is_empty() { Default::default() } else { view.shown.as_mut_slice() };
        for shown in all {
            let Some(kept) = shown.place().and_then(|at| changed.get(at).copied().flatten()) else { continue };
            // Only where the strategy shows the message as retention left it; its recap is the strategy's own.
            if shown.is_whole() {
                shown.blocks = kept.blocks.with(shown.reason);
            }
        }
        if let Some(pending) = self.pending {
            let first = view.shown.iter().position(|s| s.from.end > pending);
            view.stable_prefix = view.stable_prefix.min(first.unwrap_or(view.shown.len()));
        }
        view.boundary_moves =
            view.boundary_moves.saturating_add(self.chunks.iter().map(|s| s.boundary_moves).sum::<u64>());
        let events = self.chunks.iter().flat_map(|s| &s.events).chain(&self.asked);
        view.events.splice(0..0, events.cloned());
    }
}

/// The input with this handle, `MESSAGE.BLOCK`, both counted from 0: the whole text, as it was given (R-33).
///
/// ```
/// use ptc_history::{Conversation, Message, retention};
///
/// let talk = Conversation::recorded([Message::system("s"), Message::user("a long table")]);
/// assert_eq!(retention::original(&talk, "1.0"), Some("a long table"));
/// assert_eq!(retention::original(&talk, "1.1"), None);
/// ```
pub fn original<'a>(conversation: &'a Conversation, handle: &str) -> Option<&'a str> {
    let (message, block) = handle.split_once('.')?;
    let message = conversation.get(message.parse().ok()?)?;
    match message.content.get(block.parse::<usize>().ok()?)? {
        Block::Text { text, .. } => Some(text),
        _ => None,
    }
}

/// The conversation as strategies see it under this policy.
pub(crate) fn apply<'a>(
    conversation: &'a Conversation,
    policy: &Policy,
    view_context: &ViewContext<'_>,
) -> RetainedConversation<'a> {
    let mut out = RetainedConversation {
        conversation: Cow::Borrowed(conversation),
        chunks: Vec::new(),
        pending: None,
        asked: None,
    };
    if !policy.retention || conversation.index().parts.is_empty() {
        return out;
    }
    let mut walk = RetentionPass::new(conversation, policy, view_context);
    while let Some(chunk) = walk.next() {
        out.chunks.push(chunk);
    }
    (out.pending, out.asked) = (walk.pending(), walk.asked());
    if out.chunks.iter().any(|s| !s.changed.is_empty()) {
        let entries = out.entries(conversation);
        let bytes = out
            .chunks
            .iter()
            .fold(conversation.bytes(), |sum, s| sum.saturating_sub(s.bytes.0).saturating_add(s.bytes.1));
        out.conversation = Cow::Owned(conversation.with_entries(entries, bytes));
    }
    out
}
