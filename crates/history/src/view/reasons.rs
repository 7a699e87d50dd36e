//! Why a message of a view, or a line of one, is there.

use serde::Serialize;
use std::sync::Arc;

/// Why a message, or a line of one, is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum Reason {
    /// No strategy: all messages are shown.
    Everything,
    /// A system message: never changed (K-09, F-13).
    System,
    /// The first user message: the task (D5).
    Task,
    /// One of the newest messages, which stay whole.
    Recent,
    /// A call that waits for its result (F-12).
    Open,
    /// Too little history to compress (K-25).
    Small,
    /// Marked as the agent's memory (K-03).
    Memory,
    /// Shown as its recap line (B-13).
    Recap,
    /// It should be shortened and cannot be: no recap line (B-14), or a kind that is always kept whole (B-15).
    NotCompactable,
    /// Stands for earlier messages.
    Summary {
        /// Of how many messages.
        of: usize,
    },
    /// A turn as one line or a few; the whole turn is read by its number.
    Folded {
        /// The turn, counted from 1.
        turn: usize,
    },
    /// Consecutive turns as one line.
    FoldedTurns {
        /// The first of them, counted from 1.
        first: usize,
        /// The last.
        last: usize,
    },
    /// The beginning of a long text that was seen.
    Bounded {
        /// Characters it had.
        chars: usize,
    },
    /// A note in place of a tool's result that was seen.
    Cleared {
        /// Characters it had.
        chars: usize,
    },
    /// An input whose retention says summary or drop.
    Retained {
        /// Bytes it had.
        bytes: usize,
    },
    /// Shown whole by a strategy of the host's own.
    Selected {
        /// The strategy's name.
        by: &'static str,
    },
    /// Made by a strategy of the host's own.
    Made {
        /// The strategy's name.
        by: &'static str,
    },
    /// A placeholder: messages are never empty.
    Placeholder,
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::Everything => f.write_str("full history"),
            Reason::System => f.write_str("system message, never touched"),
            Reason::Task => f.write_str("the task, pinned"),
            Reason::Recent => f.write_str("among the newest, whole"),
            Reason::Open => f.write_str("a call that waits for its result"),
            Reason::Small => f.write_str("history too short to compress"),
            Reason::Memory => f.write_str("memory of the agent, kept"),
            Reason::Recap => f.write_str("its recap line"),
            Reason::NotCompactable => f.write_str("cannot be shortened, whole"),
            Reason::Summary { of } => write!(f, "summary of {of} messages"),
            Reason::Folded { turn } => write!(f, "turn {turn}, folded"),
            Reason::FoldedTurns { first, last } => write!(f, "turns {first} to {last}, folded"),
            Reason::Bounded { chars } => write!(f, "seen, bounded from {chars} characters"),
            Reason::Cleared { chars } => write!(f, "result cleared, had {chars} characters"),
            Reason::Retained { bytes } => write!(f, "input of {bytes} bytes, as its history_retention says"),
            Reason::Selected { by } => write!(f, "shown by {by}"),
            Reason::Made { by } => write!(f, "made by {by}"),
            Reason::Placeholder => f.write_str("placeholder: messages are never empty"),
        }
    }
}

/// The reasons of a message's blocks, shared by copies; most messages have none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks(Option<Arc<Vec<Reason>>>);

impl std::ops::Deref for Blocks {
    type Target = [Reason];

    fn deref(&self) -> &[Reason] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Blocks {
    /// The same, with the message's own reason for blocks that stay whole.
    pub(crate) fn with(&self, own: Reason) -> Self {
        let whole = |w: &Reason| *w == Reason::Recent;
        if own == Reason::Recent || !self.iter().any(whole) {
            return self.clone();
        }
        self.iter().map(|w| if whole(w) { own } else { *w }).collect()
    }
}

impl FromIterator<Reason> for Blocks {
    fn from_iter<I: IntoIterator<Item = Reason>>(reasons: I) -> Self {
        reasons.into_iter().collect::<Vec<Reason>>().into()
    }
}

impl From<Vec<Reason>> for Blocks {
    fn from(reasons: Vec<Reason>) -> Self {
        Blocks((!reasons.is_empty()).then(|| Arc::new(reasons)))
    }
}
