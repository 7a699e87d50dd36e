//! What a client gets for a turn or a run, and what it can ask of a session.

use crate::approvals::WaitingCall;
use crate::refused::Refused;
use ptc_agent::RunOutcome;
use ptc_turns::trace::record::Kind;
use ptc_turns::{Trace, TurnRecord};
use serde::Serialize;
use std::sync::Arc;
use std::time::Duration;

/// What became of a turn, or of the run of a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The session.
    pub session: String,
    /// The turn; of a run how many it has. 0 where it is not known yet.
    pub turn: u64,
    /// What became of it.
    pub state: AnswerState,
}

/// What became of a turn, or of the run of a task.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum AnswerState {
    /// The turn has ended, and is on the disk.
    Ended(Arc<TurnRecord>),
    /// The run of a task has ended, and is on the disk.
    RunEnded(Arc<RunOutcome>),
    /// It has not ended yet: wait for it.
    Running {
        /// Since it was asked for.
        since: Duration,
        /// Whether it still waits for a process.
        queued: bool,
    },
    /// The turn waits until somebody decides about these calls; then wait for it.
    Pending(Vec<WaitingCall>),
    /// The server stopped before it had ended: what was done is kept, and waiting goes on with it.
    Stopped,
}

impl AnswerState {
    /// Its name as JSON has it: of a turn that has ended, the turn's status; of a run, the run's.
    pub fn as_str(&self) -> &'static str {
        match self {
            AnswerState::Ended(record) => record.status.as_str(),
            AnswerState::RunEnded(end) => end.status.as_str(),
            AnswerState::Running { .. } => "running",
            AnswerState::Pending(_) => "pending",
            AnswerState::Stopped => "stopped",
        }
    }
}

/// A name that is defined in a session, as its trace has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Definition {
    /// The name.
    pub name: String,
    /// `function` or `data`.
    pub kind: Kind,
    /// The docstring.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Parameters of a function, fields of a record or type, functions of a protocol.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub params: Option<String>,
    /// The type word of data, and of a multimethod.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub type_word: Option<String>,
    /// A sample of data, at most 80 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
    /// The turn that defined it last.
    pub turn: u64,
}

/// The names that a session has, in the order in which they were first defined.
pub fn definitions(trace: &Trace) -> Vec<Definition> {
    let mut all: Vec<Definition> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for turn in trace.turns().iter().filter(|t| t.status.committed()) {
        for d in turn.definitions.iter().filter(|d| !d.rolled_back) {
            let one = Definition {
                name: d.name.clone(),
                kind: d.kind,
                doc: d.doc.clone(),
                params: d.params.clone(),
                type_word: d.type_word.clone(),
                sample: d.sample.clone(),
                turn: turn.turn,
            };
            let at = *places.entry(d.name.clone()).or_insert(all.len());
            match all.get_mut(at) {
                Some(before) => *before = one,
                None => all.push(one),
            }
        }
    }
    all
}

/// What became of it, at which turn.
pub(crate) type Ended = Result<(u64, AnswerState), Refused>;
