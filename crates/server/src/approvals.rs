//! Calls that wait for a decision, as clients are told of them, and deciding about those of sub-agents.

use crate::refused::{Refused, RefusedKind};
use ptc_agent::host::now_ms;
use ptc_agent::sessions::SessionStore;
use ptc_agent::tools::{Decided, PendingCall, PendingReason, decide_by, pending};
use ptc_agent::{CallDecision, TraceFile, trace_file};
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Json, Trace};
use serde::Serialize;
use std::path::Path;

/// A call that waits until somebody decides about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct WaitingCall {
    /// Its number in the session, or in the sub-agent.
    pub call: u64,
    /// The sub-agent that made it, from the outermost on, as the name of its trace has it; `None` of the session's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subtask: Option<String>,
    /// The tool.
    pub name: String,
    /// Its arguments, an object.
    pub args: Json,
    /// Why it waits.
    pub why: PendingReason,
}

impl WaitingCall {
    /// Of a call of the session, or of a sub-agent in whose trace it stands. The key by which a tool knows it, and paths of
    /// files, stay here.
    pub(crate) fn of(call: &PendingCall) -> Self {
        Self::inside(call, call.trace.as_deref().and_then(label))
    }

    /// Whether it is the call of a sub-agent with this label: that one goes on by itself, nobody decides about it.
    fn is_of(&self, label: &str) -> bool {
        let before = self.subtask.as_ref().map_or_else(String::new, |own| format!("{own}."));
        self.why == PendingReason::InFlight && label.starts_with(&format!("{before}agent-{}-", self.name))
    }

    fn inside(call: &PendingCall, subtask: Option<String>) -> Self {
        let PendingCall { id, name, args, why, .. } = call.clone();
        WaitingCall { call: id, subtask, name, args, why }
    }
}

/// What a trace of a sub-agent is called by: `agent-helper-9f2c41d07ab3` of `trace.agent-helper-9f2c41d07ab3.jsonl`.
fn label(trace: &Path) -> Option<String> {
    Some(trace.file_name()?.to_str()?.strip_prefix("trace.")?.strip_suffix(".jsonl")?.to_owned())
}

/// All calls of a session that wait, with those of its sub-agents.
pub(crate) fn waiting(store: &SessionStore, id: &str, trace: &Trace) -> Result<Vec<WaitingCall>, Refused> {
    if trace.ended() {
        return Ok(Vec::new());
    }
    let own = pending(trace).calls;
    let subtasks = store.subtasks(id)?;
    let mut all: Vec<WaitingCall> = own.iter().map(WaitingCall::of).collect();
    for subtask in &subtasks {
        // A sub-agent that nobody waits for any more goes on with nothing.
        let wanted = !subtask.label.starts_with("agent-") || own.iter().any(|c| c.why == PendingReason::InFlight);
        // One that cannot be read has no call that could be decided about.
        let read =
            wanted.then(|| trace_file::read_kept(&subtask.trace, &mut |t| t.reduced(KeptTexts::NONE)).ok()).flatten();
        if let Some(read) = read.filter(|r| !r.trace.ended()) {
            let calls = pending(&read.trace).calls;
            all.extend(calls.iter().map(|c| WaitingCall::inside(c, Some(subtask.label.clone()))));
        }
    }
    all.retain(|one| !subtasks.iter().any(|s| one.is_of(&s.label)));
    Ok(all)
}

/// Says what becomes of a call that waits in a sub-agent, in the trace of that.
pub(crate) fn decide_inside(
    store: &SessionStore,
    id: &str,
    (subtask, call): (&str, u64),
    decision: CallDecision,
    by: &str,
) -> Result<(), Refused> {
    let Some(found) = store.subtasks(id)?.into_iter().find(|s| s.label == subtask) else {
        let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(subtask).to_string(), 200);
        let words = format!("the session has no sub-agent {shown}");
        return Err(Refused::new(
            RefusedKind::NotFound,
            words,
            "look which calls wait, and give subtask as it stands there",
        ));
    };
    let opened = TraceFile::open(&found.trace, || false)?;
    let Some(trace) = opened.trace else {
        let words = "no call of the sub-agent waits";
        return Err(Refused::new(RefusedKind::Conflict, words, "look which calls wait"));
    };
    let mut store = opened.store;
    match decide_by(&trace, call, decision, now_ms(), by)? {
        Decided::Entry(entry) => store.append_entry(&entry)?,
        Decided::Called(called) => store.append_called(&called)?,
    }
    Ok(())
}
