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
    /// Its summary would not be shorter.
    Shorter,
}

/// How much of what a turn printed is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// The newest so many entries.
    Entries(usize),
    /// All of it.
    Whole,
    /// So many tokens of it, from its beginning and from its end.
    Cut(u64),
    /// A line that says how much it is and how to see it.
    Pointer,
}

/// How a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Prose, program and full feedback, for this reason.
    Whole(Whole),
    /// Prose and program, since its summary would not be shorter, and so much of what was printed.
    Kept(Output),
    /// A summary.
    Summary {
        /// What of the printed text it shows.
        output: Output,
        /// How many lines of the ledger of tool calls, the newest.
        calls: usize,
    },
    /// The one line of an error that was recovered.
    Recovered {
        /// How many lines of the ledger.
        calls: usize,
    },
}
