//! A prompt, from its question to why it ended.

use super::editor::Editor;
use super::permission::{Always, permit};
use super::progress::Progress;
use super::rpc::Fault;
use super::source::{Open, Source};
use super::update;
use ptc_agent::sessions::{NewSession, RunEnd};
use ptc_agent::{Cancel, Error, RunLimitReached, RunOutcome, RunStatus};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where a prompt is answered.
pub struct Running<'a> {
    pub source: &'a Source,
    pub editor: &'a Editor,
    pub kept: &'a NewSession,
    pub servers: &'a [String],
    pub cancel: &'a Cancel,
    /// The editor is gone.
    pub stopping: &'a AtomicBool,
}

/// What became of a prompt.
pub struct Answered {
    pub result: Result<Value, Fault>,
    /// The session, where it can be asked more as it is.
    pub open: Option<Box<Open>>,
    pub always: Always,
}

/// Answers a prompt in its session, which is opened where it is not.
pub fn answer(at: &Running<'_>, text: &str, open: Option<Box<Open>>, mut always: Always) -> Answered {
    let cancelled = |fault| if at.cancel.cancelled() { Ok(json!({ "stopReason": "cancelled" })) } else { Err(fault) };
    let mut open = match opened(at, text, open) {
        Ok(open) => open,
        Err(fault) => return Answered { result: cancelled(fault), open: None, always },
    };
    let result = match run(at, &mut open, &mut always) {
        Ok(end) => {
            let run = RunEnd::new(end.status, end.error.as_ref(), end.totals, &at.kept.trace());
            // What the trace does not say of its end is not needed to go on.
            let _ = at.kept.ended(run);
            told(at, &end)
        }
        Err(e) => cancelled(e.into()),
    };
    let whole = result.is_ok() && open.agent.session().trace().ended() && !at.cancel.cancelled();
    Answered { result, open: whole.then_some(open), always }
}

/// The session with this asked in it.
fn opened(at: &Running<'_>, text: &str, open: Option<Box<Open>>) -> Result<Box<Open>, Fault> {
    if let Some(mut open) = open {
        if open.agent.session().trace().header.acts.is_empty() {
            open.ask(text)?;
            return Ok(open);
        }
        // Its file is held until it is dropped.
        drop(open);
    }
    Ok(Box::new(at.source.open(at.kept, text, at.servers, at.cancel)?))
}

/// Runs it until it ends, or its user decides no more.
fn run(at: &Running<'_>, open: &mut Open, always: &mut Always) -> Result<RunOutcome, Error> {
    let mut progress = Progress::new(at.editor, at.kept.id());
    loop {
        let mut end = open.agent.run(&mut open.model, &mut progress);
        let waits = end.pending.as_ref().filter(|_| end.status == RunStatus::Pending);
        if let Some(pending) = waits {
            let place = (at.editor, at.kept.id());
            if permit(&mut open.agent, pending, place, always, at.cancel)? {
                continue;
            }
            // No decision is none: nothing is made, and the prompt ends.
            at.cancel.cancel();
            end.status = RunStatus::Cancelled;
        }
        if end.status == RunStatus::Cancelled && !at.stopping.load(Ordering::Acquire) {
            open.end_turn()?;
        }
        return Ok(end);
    }
}

/// Tells how it ended; why, as the protocol has it.
fn told(at: &Running<'_>, end: &RunOutcome) -> Result<Value, Fault> {
    let say = |text: &str| at.editor.update(at.kept.id(), &update::message(text));
    let why = || end.error.as_ref().map(Error::text).unwrap_or_default();
    let reason = match end.status {
        RunStatus::Returned => {
            say(end.text.as_deref().or(end.value.as_deref()).unwrap_or_default());
            "end_turn"
        }
        RunStatus::Failed => {
            say(&update::gave_up(&why()));
            "end_turn"
        }
        RunStatus::OutOfTurns => {
            say(&format!("It was not answered: {}", why()));
            "max_turn_requests"
        }
        RunStatus::Limit => {
            say(&format!("It was not answered: {}", why()));
            let limit = end.error.as_ref().and_then(RunLimitReached::of).map(|r| r.limit);
            if limit == Some("max_tokens_total") { "max_tokens" } else { "max_turn_requests" }
        }
        RunStatus::Cancelled => "cancelled",
        _ => return Err(Fault::failed(why())),
    };
    let used = json!({
        "status": end.status.as_str(),
        "turns": end.turns,
        "inputTokens": end.totals.input_tokens,
        "outputTokens": end.totals.output_tokens,
    });
    Ok(json!({ "stopReason": reason, "_meta": { "ptc": used } }))
}
