//! Why a run did not return: a kind for programs, words for people, and what to do next.

use ptc_history::ViewError;
use serde::Serialize;

/// What kept a run from returning. The names are a contract (docs/turns.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndKind {
    /// The program gave up with `(fail reason)`.
    Failed,
    /// No turn was left.
    OutOfTurns,
    /// Someone ended it: Ctrl-C, a signal, [`crate::Cancel`].
    Cancelled,
    /// The model could not be opened, did not answer, or a recorded one had no more replies.
    Model,
    /// A request could not be held to `max_tokens` or `max_history_size`, or the record of the session to `session_bytes`.
    Budget,
    /// A request could not be made for another reason.
    History,
    /// An act could not begin: an input of it was not available.
    Act,
    /// A turn ran and could not be written.
    Store,
    /// Tool calls wait for a decision.
    Pending,
    /// A turn that had begun makes other calls now than it made.
    Replay,
    /// Nothing was begun: the command, the task or a file is not what it should be.
    Usage,
}

impl EndKind {
    /// All of them.
    pub const ALL: [EndKind; 11] = [
        EndKind::Failed,
        EndKind::OutOfTurns,
        EndKind::Cancelled,
        EndKind::Model,
        EndKind::Budget,
        EndKind::History,
        EndKind::Act,
        EndKind::Store,
        EndKind::Pending,
        EndKind::Replay,
        EndKind::Usage,
    ];

    /// Its name as JSON has it.
    pub fn as_str(self) -> &'static str {
        match self {
            EndKind::Failed => "failed",
            EndKind::OutOfTurns => "out_of_turns",
            EndKind::Cancelled => "cancelled",
            EndKind::Model => "model",
            EndKind::Budget => "budget",
            EndKind::History => "history",
            EndKind::Act => "act",
            EndKind::Store => "store",
            EndKind::Pending => "pending",
            EndKind::Replay => "replay",
            EndKind::Usage => "usage",
        }
    }

    /// The kind of a request that could not be made.
    pub(crate) fn of_view(error: &ViewError) -> Self {
        match error {
            ViewError::SystemOverBudget { .. }
            | ViewError::PinnedOverBudget { .. }
            | ViewError::PinnedOverSize { .. } => EndKind::Budget,
            ViewError::Policy(_) | ViewError::Missing(_) | ViewError::Summary(_) | ViewError::Strategy { .. } => {
                EndKind::History
            }
        }
    }
}

impl Serialize for EndKind {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.serialize_str(self.as_str())
    }
}

/// Why a run did not return, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EndError {
    /// What kind of reason it is.
    pub kind: EndKind,
    /// What happened, in words.
    pub message: String,
    /// What to do next, where there is something to be done.
    pub hint: Option<String>,
}

impl EndError {
    /// An error of these words. All but a program's own reason end with what to do next, behind a semicolon: that is the
    /// hint.
    pub fn new(kind: EndKind, words: &str) -> Self {
        let apart = if kind == EndKind::Failed { None } else { words.rsplit_once("; ") };
        match apart {
            Some((message, hint)) => EndError { kind, message: message.to_owned(), hint: Some(hint.to_owned()) },
            None => EndError { kind, message: words.to_owned(), hint: None },
        }
    }

    /// The same with this hint, where it has none of its own.
    #[must_use]
    pub fn or_hint(mut self, hint: impl FnOnce() -> String) -> Self {
        self.hint.get_or_insert_with(hint);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_do_next_stands_apart_and_a_programs_words_stay_whole() {
        let error = EndError::new(EndKind::Model, "m: u refuses (400): a; b; check [model]");
        assert_eq!(
            (error.message.as_str(), error.hint.as_deref()),
            ("m: u refuses (400): a; b", Some("check [model]"))
        );
        let error = EndError::new(EndKind::Failed, "no data; sorry").or_hint(|| "ask again".into());
        assert_eq!((error.message.as_str(), error.hint.as_deref()), ("no data; sorry", Some("ask again")));
        let mut names: Vec<&str> = EndKind::ALL.iter().map(|k| k.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), 11);
    }
}
