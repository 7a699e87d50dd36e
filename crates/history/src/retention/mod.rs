//! Retention: inputs shown whole until the model has answered them, and as their retention says from then on (seed 003).
//!
//! The conversation is never touched. A strategy sees it with other messages in the places of those whose inputs were
//! answered; every input is found again by its handle, [`original`].

mod decision;
mod delta;
mod line;
mod semantic;
mod smart;
mod stretch;
mod table;

pub use decision::{SMALL, kept};
pub use line::{guidance, large_input};

use crate::conversation::{Conversation, Entry};
use crate::memo::STRETCH;
use crate::message::Block;
use crate::policy::Policy;
use crate::view::context::With;
use crate::view::types::{Event, Shown, View};
use std::borrow::Cow;
use std::sync::Arc;
use stretch::{Stretch, Walk};

/// A conversation as its retentions show it.
pub(crate) struct Retained<'a> {
    pub conversation: Cow<'a, Conversation>,
    /// What was done, stretch by stretch.
    stretches: Vec<Arc<Stretch>>,
    /// From here on messages may yet be rewritten.
    pending: Option<usize>,
    /// What went otherwise when a model was asked for summaries.
    asked: Option<Event>,
}

impl Retained<'_> {
    /// How many of the first messages stay as they are shown now: those of all stretches but the last.
    fn settled(&self) -> usize {
        self.stretches.len().saturating_sub(1).saturating_mul(STRETCH)
    }

    /// The entries of `conversation` as they are shown. Those of the last view are gone on from, where they are the same:
    /// an entry stands for all before it, so the last tells.
    fn entries(&self, conversation: &Conversation) -> Vec<Arc<Entry>> {
        let mut entries = conversation.take_seen();
        entries.truncate(self.settled());
        let known = entries.len() / STRETCH;
        let last = known.checked_sub(1).and_then(|i| self.stretches.get(i)?.entries.last());
        if !last.zip(entries.last()).is_some_and(|(a, b)| Arc::ptr_eq(a, b)) {
            entries.clear();
        }
        entries.reserve(conversation.len().saturating_sub(entries.len()));
        for stretch in self.stretches.iter().skip(entries.len() / STRETCH) {
            let as_they_were = conversation.entries().get(entries.len()..stretch.from);
            entries.extend_from_slice(as_they_were.unwrap_or_default());
            entries.extend_from_slice(&stretch.entries);
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
        let mut changed: Vec<Option<&Shown>> = Vec::new();
        for shown in self.stretches.iter().flat_map(|s| &s.changed) {
            changed.resize(shown.from.start, None);
            changed.push(Some(shown));
        }
        let all = if changed.is_empty() { Default::default() } else { view.shown.as_mut_slice() };
        for shown in all {
            let Some(kept) = shown.place().and_then(|at| changed.get(at).copied().flatten()) else { continue };
            // Where a strategy shows the message as retention left it; a recap of it is the strategy's own.
            if shown.is_whole() {
                shown.blocks = kept.blocks.with(shown.why);
            }
        }
        if let Some(pending) = self.pending {
            let first = view.shown.iter().position(|s| s.from.end > pending);
            view.stable = view.stable.min(first.unwrap_or(view.shown.len()));
        }
        view.moves = view.moves.saturating_add(self.stretches.iter().map(|s| s.moves).sum::<u64>());
        let events = self.stretches.iter().flat_map(|s| &s.events).chain(&self.asked);
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
pub(crate) fn apply<'a>(conversation: &'a Conversation, policy: &Policy, with: &With<'_>) -> Retained<'a> {
    let mut out =
        Retained { conversation: Cow::Borrowed(conversation), stretches: Vec::new(), pending: None, asked: None };
    if !policy.retention || conversation.index().parts.is_empty() {
        return out;
    }
    let mut walk = Walk::new(conversation, policy, with);
    while let Some(stretch) = walk.next() {
        out.stretches.push(stretch);
    }
    (out.pending, out.asked) = (walk.pending(), walk.asked());
    if out.stretches.iter().any(|s| !s.changed.is_empty()) {
        let entries = out.entries(conversation);
        let bytes = out
            .stretches
            .iter()
            .fold(conversation.bytes(), |sum, s| sum.saturating_sub(s.bytes.0).saturating_add(s.bytes.1));
        out.conversation = Cow::Owned(conversation.with_entries(entries, bytes));
    }
    out
}
