//! Why a message of a view, or a line of one, is there.

use serde::Serialize;
use std::sync::Arc;

/// Why a message, or a line of one, is in a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case", tag = "rule")]
pub enum Why {
    /// No strategy: all is shown.
    Everything,
    /// A system message: never touched (K-09, F-13).
    System,
    /// The first user message: the task (D5).
    Task,
    /// Among the newest, which stay whole.
    Recent,
    /// A call that waits for its result: the live frontier (F-12).
    Open,
    /// Too little history to compress (K-25).
    Small,
    /// Marked as the agent's memory (K-03).
    Memory,
    /// It says how to be shown shortly and that is shown: its recap line (B-13).
    Recap,
    /// It should be short and cannot: no recap line (B-14), a kind that is always full (B-15).
    NotCompactable,
    /// Stands for earlier messages.
    Summary {
        /// Of how many messages.
        of: usize,
    },
    /// A turn as one line or a few; the whole is got by its handle.
    Folded {
        /// The turn, counted from 1.
        turn: usize,
    },
    /// Turns that follow each other, as one line.
    FoldedTurns {
        /// The first of them, counted from 1.
        first: usize,
        /// The last.
        last: usize,
    },
    /// A long text once seen: its beginning.
    Bounded {
        /// Characters it had.
        chars: usize,
    },
    /// A tool's result once seen: a note in its place.
    Cleared {
        /// Characters it had.
        chars: usize,
    },
    /// An input whose retention says summary or drop.
    Retained {
        /// Bytes it had.
        bytes: usize,
    },
    /// Stands where nothing may stand: messages are never empty.
    Placeholder,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Why::Everything => f.write_str("full history"),
            Why::System => f.write_str("system message, never touched"),
            Why::Task => f.write_str("the task, pinned"),
            Why::Recent => f.write_str("among the newest, whole"),
            Why::Open => f.write_str("a call that waits for its result"),
            Why::Small => f.write_str("history too short to compress"),
            Why::Memory => f.write_str("memory of the agent, kept"),
            Why::Recap => f.write_str("its recap line"),
            Why::NotCompactable => f.write_str("cannot be shortened, whole"),
            Why::Summary { of } => write!(f, "summary of {of} messages"),
            Why::Folded { turn } => write!(f, "turn {turn}, folded"),
            Why::FoldedTurns { first, last } => write!(f, "turns {first} to {last}, folded"),
            Why::Bounded { chars } => write!(f, "seen, bounded from {chars} characters"),
            Why::Cleared { chars } => write!(f, "result cleared, had {chars} characters"),
            Why::Retained { bytes } => write!(f, "input of {bytes} bytes, as its history_retention says"),
            Why::Placeholder => f.write_str("placeholder: messages are never empty"),
        }
    }
}

/// The reasons of a message's blocks, shared by copies; most messages have none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Blocks(Option<Arc<Vec<Why>>>);

impl std::ops::Deref for Blocks {
    type Target = [Why];

    fn deref(&self) -> &[Why] {
        self.0.as_deref().map_or(&[], Vec::as_slice)
    }
}

impl Blocks {
    /// The same, with the message's own reason for blocks that stay whole.
    pub(crate) fn with(&self, own: Why) -> Self {
        let whole = |w: &Why| *w == Why::Recent;
        if own == Why::Recent || !self.iter().any(whole) {
            return self.clone();
        }
        self.iter().map(|w| if whole(w) { own } else { *w }).collect()
    }
}

impl FromIterator<Why> for Blocks {
    fn from_iter<I: IntoIterator<Item = Why>>(whys: I) -> Self {
        whys.into_iter().collect::<Vec<Why>>().into()
    }
}

impl From<Vec<Why>> for Blocks {
    fn from(whys: Vec<Why>) -> Self {
        Blocks((!whys.is_empty()).then(|| Arc::new(whys)))
    }
}
