//! The outcome of a run that has ended, from what is kept of it.

use crate::error::{Error, ErrorKind, ErrorText, ModelErrorKind};
use crate::run_outcome::{RunOutcome, RunStatus, total};
use crate::sessions::RunEnd;
use crate::task::act_opener;
use ptc_turns::{Status, Trace};

const ALL: [RunStatus; 7] = [
    RunStatus::Returned,
    RunStatus::Failed,
    RunStatus::Error,
    RunStatus::Cancelled,
    RunStatus::Pending,
    RunStatus::OutOfTurns,
    RunStatus::Limit,
];

impl RunOutcome {
    /// The outcome of a run that has ended, as its trace and the notes beside it tell it: nothing runs for that. `trace_bytes`
    /// is how long the trace is now. `None` where the notes say nothing of a trace of this length, or calls wait.
    pub fn recorded(trace: &Trace, trace_bytes: u64, end: &RunEnd) -> Option<Self> {
        let status = ALL.into_iter().find(|s| s.as_str() == end.status)?;
        if end.trace_bytes != trace_bytes || status == RunStatus::Pending {
            return None;
        }
        let turns = trace.turns();
        let ends = |s: Status| matches!(s, Status::Returned | Status::Answered | Status::Failed);
        let last = turns.last().filter(|t| ends(t.status));
        Some(RunOutcome {
            status,
            value: last.and_then(|t| t.value.clone()),
            json: last.and_then(|t| t.value_json.clone()),
            text: last.filter(|_| status == RunStatus::Returned).and_then(|t| act_opener::answer(t)),
            turns: turns.len() as u64,
            usage: total(turns),
            totals: end.totals,
            error: recorded_error(trace, status, end),
            summaries: None,
            pending: None,
        })
    }
}

/// Why a run did not return, from what is kept of it.
fn recorded_error(trace: &Trace, status: RunStatus, end: &RunEnd) -> Option<Error> {
    let how = trace.run_ended();
    let kind = match status {
        RunStatus::Returned | RunStatus::Pending => return None,
        RunStatus::Failed => {
            let reason = trace.last().and_then(|t| t.error.as_ref()).map(|e| e.message.clone());
            return Some(Error::new(ErrorKind::Failed, reason.unwrap_or_default()));
        }
        RunStatus::OutOfTurns => ErrorKind::OutOfTurns,
        RunStatus::Cancelled => ErrorKind::Cancelled,
        RunStatus::Limit => ErrorKind::RunLimit,
        RunStatus::Error => match how.map_or("", |how| how.kind.as_str()) {
            "model" => ErrorKind::Model { reason: ModelErrorKind::Other, status: None, tries: 0 },
            "budget" => ErrorKind::Budget,
            "history" => ErrorKind::History,
            "act" => ErrorKind::Act,
            "store" => ErrorKind::Trace,
            "replay" => ErrorKind::Replay,
            _ => ErrorKind::Usage,
        },
    };
    let text = match how {
        Some(how) => match &how.hint {
            Some(hint) => ErrorText::new(how.message.clone(), hint.clone()),
            None => how.message.clone().into(),
        },
        None => ErrorText::from(end.error.clone().unwrap_or_default()),
    };
    Some(Error::new(kind, text))
}
