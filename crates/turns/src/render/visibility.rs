//! How a turn is shown, and why.

/// Why a turn is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WholeReason {
    /// Nothing is compressed.
    FullHistory,
    /// It failed: errors keep their code (P-18).
    Failed,
    /// It is before the failed turn of this number, as its context (P-19).
    Before(u64),
    /// It is the answer of a text act.
    Answer,
    /// The session ended with it (P-20).
    Last,
    /// It is one of the newest turns, which `auto` keeps whole.
    Recent,
    /// Its summary would not be shorter.
    SummaryNotShorter,
}

/// How much of what a turn printed is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// This many of the newest entries.
    Entries(usize),
    /// All of it.
    All,
    /// This many tokens of it, from its beginning and from its end.
    Cut(u64),
    /// A line that says how much it is and how to see it.
    Pointer,
}

/// How a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visibility {
    /// Prose, program and full feedback, for this reason.
    Whole(WholeReason),
    /// Prose and program, since its summary would not be shorter, and this much of its output.
    NotSummarized(Output),
    /// A summary.
    Summary {
        /// How much of the output it shows.
        output: Output,
        /// How many lines of tool calls it shows, the newest.
        calls: usize,
    },
    /// The one line of an error that was recovered.
    Recovered {
        /// How many lines of tool calls.
        calls: usize,
    },
}
