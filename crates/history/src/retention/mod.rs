//! Retention: inputs shown whole until the model has answered them, and as their retention says from then on (seed 003).
//!
//! The conversation is never touched. A strategy sees it with other messages in the places of those whose inputs were
//! answered; every input is found again by its handle, [`original`].

mod delta;
mod line;
mod semantic;
mod stretch;
mod table;

pub use line::{guidance, large_input};
pub(crate) use stretch::Stretch;

use crate::conversation::{Conversation, Entry};
use crate::message::{Block, Message, Part, Retention, Role};
use crate::policy::Policy;
use crate::remembered::STRETCH;
use crate::view::{Event, Shown, View, With};
use std::borrow::Cow;
use std::sync::Arc;
use stretch::Walk;

/// Inputs up to this many bytes are kept as they are in summary mode (R-10).
pub const SMALL: usize = 1000;

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
        for shown in &mut view.shown {
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

/// Which messages were answered, and the act they belong to is over. Where messages say with which of them an act
/// begins, those before the last such one; else either the model said something without calling a
/// tool, or it spoke and then the user did. Within a loop of tool calls the model still works on its inputs, and
/// rewriting them would break thoughts that are sealed over them (D11). It never goes back as messages come (R-35).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Answered {
    before: usize,
    /// Where the model spoke last.
    spoke: usize,
    /// Whether messages say where acts begin.
    acts: bool,
}

impl Answered {
    /// Takes the next message in.
    pub fn push(&mut self, at: usize, message: &Message) {
        if message.meta.as_ref().is_some_and(|m| m.act.is_some()) {
            (self.before, self.acts) = (at, true);
        }
        if self.acts {
            return;
        }
        match message.role {
            Role::Assistant => {
                self.spoke = at;
                if message.calls().next().is_none() {
                    self.before = at;
                }
            }
            Role::User if message.answers().next().is_none() => self.before = self.spoke,
            _ => {}
        }
    }

    /// The messages before this place are answered.
    pub fn before(&self) -> usize {
        self.before
    }
}

/// What is done with an input, as its own retention and the policy's numbers say (R-18 to R-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Decision {
    retention: Retention,
    /// By the threshold, not by its own word.
    automatic: bool,
}

fn decide(part: &Part, text: &str, policy: &Policy) -> Decision {
    let own = part.history_retention;
    let large = policy.auto_summary_threshold > 0 && text.len() as u64 > policy.auto_summary_threshold;
    let explicit_full = own == Some(Retention::Full) && policy.honour_explicit_full;
    match own.unwrap_or_default() {
        Retention::Full if large && !explicit_full => Decision { retention: Retention::Summary, automatic: true },
        retention => Decision { retention, automatic: false },
    }
}

/// What history keeps of an input once its act is over: all, a summary or nothing (R-22). A summary that is not one,
/// because the input is small or summing up is turned off, is all.
pub fn kept(part: &Part, text: &str, policy: &Policy) -> Retention {
    match decide(part, text, policy).retention {
        _ if !policy.retention => Retention::Full,
        Retention::Summary if text.len() <= SMALL => Retention::Full,
        other => other,
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

/// Names an input: its message and its block in it, both counted from 0.
fn handle(at: usize, block: usize) -> String {
    format!("{at}.{block}")
}
