//! How a turn is shown, and why.

/// Why a turn is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whole {
    /// Nothing is compressed.
    Full,
    /// It failed: errors keep their code (P-18).
    Failed,
    /// It stands before the failed turn of this number, and keeps it company (P-19).
    Before(u64),
    /// It is the answer of a text act.
    Answer,
    /// The session ended with it (P-20).
    Last,
    /// It is among the newest turns, which `auto` keeps.
    Recent,
}

/// How a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// Prose, program and full feedback, for this reason.
    Whole(Whole),
    /// A summary with its newest `outputs` printed entries.
    Summary {
        /// How many.
        outputs: usize,
        /// How many lines of the ledger of tool calls, the newest.
        calls: usize,
    },
    /// The one line of an error that was recovered.
    Recovered {
        /// How many lines of the ledger.
        calls: usize,
    },
}
