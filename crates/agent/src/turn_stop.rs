//! Why a turn was not run to its end, or not kept, and that as an error.

use crate::error::{Error, ErrorKind, ErrorText, ModelErrorKind};
use crate::error_text;
use crate::tools::pending::Pending;
use ptc_turns::TurnRefused;

/// Why a reply did not become a turn that is kept.
pub(crate) enum Stop {
    /// The session had ended, or the turn was cancelled.
    TurnRefused(TurnRefused),
    /// Something of it could not be written.
    Store(Error),
    /// Another reply has begun this turn, and it has not ended.
    Begun(u64),
    /// No turn has begun.
    NotBegun,
    /// Calls wait for a decision.
    Pending(Pending),
    /// A turn that is run again makes other calls than were made.
    Replay(Error),
    /// A limit of the whole run is used up.
    Limit(Error),
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::TurnRefused(ended) => of_ended(ended),
            Stop::Store(e) => e.into_kind(ErrorKind::Trace),
            Stop::Begun(turn) => {
                let text = error_text!("turn {turn} was begun with another reply"; "continue that one first");
                Error::new(ErrorKind::Session, text)
            }
            Stop::NotBegun => Error::new(ErrorKind::Session, "no turn has begun; give a reply"),
            Stop::Pending(p) => of_pending(p),
            Stop::Replay(e) => e.into_kind(ErrorKind::Replay),
            Stop::Limit(e) => e,
        }
    }
}

/// What kept a model from answering: its own error, or an error of kind [`ErrorKind::Model`] with that as its source.
pub(crate) fn of_model(e: Error) -> Error {
    e.into_kind(ErrorKind::Model { reason: ModelErrorKind::Other, status: None, tries: 0 })
}

/// Why a session takes no turn, as an error whose source says it exactly.
pub(crate) fn of_ended(ended: TurnRefused) -> Error {
    let kind = match ended {
        TurnRefused::OutOfTurns { .. } => ErrorKind::OutOfTurns,
        TurnRefused::Full { .. } => ErrorKind::Budget,
        TurnRefused::ActDue { .. } | TurnRefused::NoActDue(_) => ErrorKind::Act,
        TurnRefused::NoFollowUp(_) => ErrorKind::Session,
        TurnRefused::Cancelled => ErrorKind::Cancelled,
        _ => ErrorKind::Ended,
    };
    Error::new(kind, ErrorText::of(&ended, ended.hint())).with_source(ended)
}

pub(crate) fn of_pending(pending: Pending) -> Error {
    Error::new(ErrorKind::Pending, pending.to_string()).with_source(pending)
}
