//! Calls that wait for a decision, and what can be said of them.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use ptc_lisp::escape;
use ptc_turns::trace::journal::{CallAnswer, CallRequest, CallState, JournalCall, JournalEvent};
use ptc_turns::trace::record::{Call, DecisionRecord};
use ptc_turns::{Called, JournalEntry, JournalPlace, Json, Trace};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Why a call waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingReason {
    /// Its tool is called only when somebody approves (`approval = "always"`); it has not been made.
    Approval,
    /// It was in flight when the process ended, and its tool does not say that it may be made again (`on_crash`).
    InFlight,
}

/// A call that waits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PendingCall {
    /// Its number in the session.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments, an object.
    pub args: Json,
    /// What the tool can tell it by.
    pub key: String,
    /// Why it waits.
    pub why: PendingReason,
    /// The trace it stands in, where that is the one of a subtask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trace: Option<PathBuf>,
}

/// What a session waits for. It has said so in its trace: whoever has that can decide, and go on, in another process too.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Pending {
    /// The calls, in order.
    pub calls: Vec<PendingCall>,
}

impl std::error::Error for Pending {}

impl Pending {
    /// What an error of kind [`ErrorKind::Pending`] waits for: its source.
    pub fn of(error: &Error) -> Option<Self> {
        std::error::Error::source(error)?.downcast_ref::<Pending>().cloned()
    }

    /// Those of its calls that stand in the trace of a subtask, so that something can be said of them there.
    pub(crate) fn kept_inside(self) -> Vec<PendingCall> {
        self.calls.into_iter().filter(|c| c.trace.is_some()).collect()
    }

    /// The same, seen from the session that this one runs for: `trace` is where its own calls stand.
    pub(crate) fn inside(mut self, trace: Option<&Path>) -> Self {
        for call in &mut self.calls {
            call.trace = call.trace.take().or_else(|| trace.map(Path::to_owned));
        }
        self
    }
}

impl std::fmt::Display for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (i, c) in self.calls.iter().enumerate() {
            let (name, args) = (escape::line(&c.name), ptc_lisp::error::cut(escape::line(c.args.text()), 300));
            let why = match c.why {
                PendingReason::Approval => "waits for approval",
                PendingReason::InFlight => "was in flight when the process ended, and may have been made",
            };
            write!(f, "{}call {}, tool/{name} {args}, {why}", if i == 0 { "" } else { "; " }, c.id)?;
        }
        Ok(())
    }
}

/// A call of the journal as one that waits.
pub(crate) fn waiting(request: &CallRequest, why: PendingReason) -> PendingCall {
    let CallRequest { id, name, args, key } = request.clone();
    PendingCall { id, name, args, key, why, trace: None }
}

/// The calls of a trace that have no answer and may not be made: those that wait for approval, and those that were in
/// flight, whatever their tools say of that.
pub fn pending(trace: &Trace) -> Pending {
    let why = |k: &JournalCall| match k.state {
        CallState::Waiting => Some(PendingReason::Approval),
        CallState::InFlight => Some(PendingReason::InFlight),
        CallState::May | CallState::Answered(_) => None,
    };
    let calls = trace.journal().calls().filter_map(|k| why(k).map(|why| waiting(&k.request, why)));
    Pending { calls: calls.collect() }
}

/// What is said of a call that waits.
#[derive(Clone, Debug, PartialEq)]
pub enum CallDecision {
    /// It is made; one that was in flight, once more.
    Make,
    /// It is not made; the program gets an error in these words, which it can catch.
    Fail(String),
    /// It is not made; this is its answer.
    Answer(Json),
}

/// What a decision adds to the trace.
#[derive(Clone, Debug, PartialEq)]
pub enum Decided {
    /// A line of the journal.
    Entry(JournalEntry),
    /// A call for an input of the act that is due.
    Called(Called),
}

/// The line that a decision about the call `id` is; nothing is added yet. `now` is in milliseconds since 1970.
///
/// # Errors
/// When no such call waits, or what is said cannot be.
pub fn decide(trace: &Trace, id: u64, decision: CallDecision, now: i64) -> Result<Decided, Error> {
    decided(trace, id, decision, now, None)
}

/// The same, and the line says who decided: a person as `ann@laptop`, or what a server calls its client.
///
/// # Errors
/// As [`decide`].
pub fn decide_by(trace: &Trace, id: u64, decision: CallDecision, now: i64, by: &str) -> Result<Decided, Error> {
    decided(trace, id, decision, now, Some(by))
}

fn decided(trace: &Trace, id: u64, decision: CallDecision, now: i64, by: Option<&str>) -> Result<Decided, Error> {
    let known = trace.journal().call(id).filter(|k| !matches!(k.state, CallState::Answered(_)));
    let Some(known) = known else {
        let ids: Vec<String> = pending(trace).calls.iter().map(|c| c.id.to_string()).collect();
        let list = match ids.as_slice() {
            [] => "no call waits".to_owned(),
            [one] => format!("call {one} waits"),
            all => format!("calls {} wait", all.join(", ")),
        };
        return Err(Error::new(ErrorKind::Pending, error_text!("call {id} does not wait for a decision"; "{list}")));
    };
    let (place, made) = (known.place, !matches!(known.state, CallState::Waiting));
    let answer = |result, error: Option<String>| {
        // Of one that was in flight nobody knows whether it was made.
        let denied = error.as_ref().filter(|_| !made);
        let failure = denied.map(|words| serde_json::json!({"kind": "denied", "message": words, "made": false}));
        CallAnswer { id, result, error, failure: failure.and_then(|f| Json::new(f.to_string())), ms: 0 }
    };
    let by = by.map(str::to_owned);
    let entry = |what| Decided::Entry(JournalEntry { place, what, time: now, by: by.clone() });
    let answered = match (decision, place) {
        (CallDecision::Make, _) => {
            return Ok(entry(JournalEvent::Make(id)));
        }
        (CallDecision::Fail(_), JournalPlace::Act { .. }) => {
            let text = error_text!("call {id} is for an input, and the act cannot begin without its answer"; "approve it, or give its answer");
            return Err(Error::new(ErrorKind::Pending, text));
        }
        (CallDecision::Fail(words), _) if words.trim().is_empty() => {
            let words = if made { "the process ended while it ran; it may have been made" } else { "it was denied" };
            answer(None, Some(words.to_owned()))
        }
        (CallDecision::Fail(words), _) => answer(None, Some(words)),
        (CallDecision::Answer(json), _) => answer(Some(json), None),
    };
    let JournalPlace::Act { act, input } = place else {
        return Ok(entry(JournalEvent::Answered(answered)));
    };
    let CallRequest { name, args, .. } = known.request.clone();
    let CallAnswer { result, error, .. } = answered;
    let decided = by.map(|by| DecisionRecord { by, time: now });
    let tool_call = Call { id, name, args, result, error, failure: None, ms: 0, together: None, decided };
    Ok(Decided::Called(Called { before_act: act, input, tool_call, time: now }))
}
