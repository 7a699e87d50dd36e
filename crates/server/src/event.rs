//! What happens in a session, for whoever follows it.

use crate::approvals::WaitingCall;
use ptc_turns::{Json, TurnRecord};
use serde::Serialize;
use std::sync::{Arc, Weak};

/// Something that happened in a session.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// A model is asked for a turn.
    Asking {
        /// The turn.
        turn: u64,
    },
    /// The model has written a piece of its reply.
    Said {
        /// The turn.
        turn: u64,
        /// The piece.
        text: String,
    },
    /// A turn has begun: its program is known, and on the disk.
    TurnBegun {
        /// The turn.
        turn: u64,
    },
    /// A call of a tool is about to be made.
    CallBegun {
        /// The turn.
        turn: u64,
        /// The number of the call in the session.
        id: u64,
        /// The tool.
        name: String,
        /// Its arguments, an object.
        args: Json,
    },
    /// A call has its answer.
    CallEnded {
        /// The turn.
        turn: u64,
        /// The number of the call in the session.
        id: u64,
        /// How long it took, in milliseconds.
        ms: u64,
        /// Its error message, of one that failed.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
    /// A turn has ended, and is on the disk.
    TurnEnded {
        /// The turn.
        turn: u64,
        /// All that is known of it.
        record: Arc<TurnRecord>,
    },
    /// The turn waits until somebody decides about these calls.
    Pending {
        /// The turn.
        turn: u64,
        /// The calls.
        calls: Vec<WaitingCall>,
    },
    /// The run of a task has ended, or was stopped.
    RunEnded {
        /// Turns of the session.
        turn: u64,
        /// As `status` of `ptc run --json`.
        status: &'static str,
        /// Why it did not return.
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<String>,
    },
}

impl Event {
    /// The turn that it belongs to.
    pub fn turn(&self) -> u64 {
        match self {
            Event::Asking { turn }
            | Event::Said { turn, .. }
            | Event::TurnBegun { turn }
            | Event::CallBegun { turn, .. }
            | Event::CallEnded { turn, .. }
            | Event::TurnEnded { turn, .. }
            | Event::Pending { turn, .. }
            | Event::RunEnded { turn, .. } => *turn,
        }
    }
}

/// An event as it waits for those who follow: a turn that nobody else needs any more is read from the trace.
#[derive(Clone)]
pub(crate) enum LiveEvent {
    TurnEnded { turn: u64, record: Weak<TurnRecord> },
    Other(Event),
}
