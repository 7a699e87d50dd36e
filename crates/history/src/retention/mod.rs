//! Retention: inputs shown whole until the model has answered them, and as their retention says from then on (seed 003).
//!
//! The conversation is never touched. A strategy sees it with other messages in the places of those whose inputs were
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

use crate::conversation::memo::CHUNK_LEN;
use crate::conversation::message::Block;
use crate::conversation::{Conversation, Entry};
use crate::policy::Policy;
use crate::view::context::ViewContext;
use crate::view::types::{Event, View, ViewMessage};
use chunk::{Chunk, RetentionPass};
use std::borrow::Cow;
use std::sync::Arc;

/// A conversation as its retentions show it.
pub(crate) struct Retained<'a> {
    pub conversation: Cow<'a, Conversation>,
    /// What was done, stretch by stretch.
    chunks: Vec<Arc<Chunk>>,
    /// From here on messages may yet be rewritten.
    pending: Option<usize>,
    /// What went otherwise when a model was asked for summaries.
    asked: Option<Event>,
}

impl Retained<'_> {
    /// How many of the first messages stay as they are shown now: those of all stretches but the last.
    fn settled(&self) -> usize {
        self.chunks.len().saturating_sub(1).saturating_mul(CHUNK_LEN)
    }

    /// The entries of `conversation` as they are shown. Those of the last view are gone on from, where they are the same:
    /// an entry stands for all before it, so the last tells.
    fn entries(&self, conversation: &Conversation) -> Vec<Arc<Entry>> {
        let mut entries = conversation.take_seen();
        entries.truncate(self.settled());
        let known = entries.len() / CHUNK_LEN;
        let last = known.checked_sub(1).and_then(|i| self.chunks.get(i)?.entries.last());
        if !last.zip(entries.last()).is_some_and(|(a, b)| Arc::ptr_eq(a, b)) {
            entries.clear();
        }
        entries.reserve(conversation.len().saturating_sub(entries.len()));
        for chunk in self.chunks.iter().skip(entries.len() / CHUNK_LEN) {
            let as_they_were = conversation.entries().get(entries.len()..chunk.from);
            entries.extend_from_slice(as_they_were.unwrap_or_default());
            entries.extend_from_slice(&chunk.entries);
        }
        entries
    }

    /// Leaves what stays as it is to the next view of `conversation`.
    pub fn leave(self, conversation: &Conversation) {
        let settled = self.settled();
        if let Cow::Owned(seen) = self.conversation {
            conversation.leave(seen, settled);
        }
    }

    /// Tells a view of the retained conversation where its inputs are.
    pub fn mark(&self, view: &mut View) {
        // The messages that are shown otherwise, by place.
        let mut changed: Vec<Option<&ViewMessage>> = Vec::new();
        for shown in self.chunks.iter().flat_map(|s| &s.changed) {
            changed.resize(shown.from.start, None);
            changed.push(Some(shown));
        }
        let all = if changed.is_empty() { Default::default() } else { view.shown.as_mut_slice() };
        for shown in all {
            let Some(kept) = shown.place().and_then(|at| changed.get(at).copied().flatten()) else { continue };
            // Where a strategy shows the message as retention left it; a recap of it is the strategy's own.
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

/// The part that an input's handle names, `MESSAGE.BLOCK`, both counted from 0: the whole text, as it was given (R-33).
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

/// The conversation as a strategy is to see it under this policy.
pub(crate) fn apply<'a>(
    conversation: &'a Conversation,
    policy: &Policy,
    view_context: &ViewContext<'_>,
) -> Retained<'a> {
    let mut out =
        Retained { conversation: Cow::Borrowed(conversation), chunks: Vec::new(), pending: None, asked: None };
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
