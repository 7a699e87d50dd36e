//! The turn of a trace that has begun and not ended: a limit, a crash or Ctrl-C cut it off, or it runs now.

use ptc_turns::session::reply;
use ptc_turns::trace::journal::{CallRequest, CallState, JournalCall};
use ptc_turns::trace::record::Call;
use ptc_turns::{JournalPlace, Mode, Trace};

/// The turn that has begun.
pub struct BegunTurn<'a> {
    /// Its number.
    pub turn: u64,
    /// Its program; empty where the reply has none.
    pub program: String,
    /// The prose around it.
    pub prose: Option<String>,
    /// Its calls, with their answers where there are some.
    pub calls: Vec<&'a JournalCall>,
}

/// The turn that has begun and not ended, where there is one.
pub fn begun(trace: &Trace) -> Option<BegunTurn<'_>> {
    let (begun, _) = trace.journal().reply()?;
    let text = trace.act().is_some_and(|act| act.mode == Mode::Text);
    let (program, prose) = match reply::extract(&begun.reply) {
        Ok(reply) if !text => (reply.program, reply.reasoning),
        _ => (String::new(), Some(begun.reply.clone())),
    };
    let turn = (trace.turns().len() as u64).saturating_add(1);
    Some(BegunTurn { turn, program, prose, calls: trace.journal().calls().collect() })
}

/// The calls for the inputs of an act that have begun and have no answer.
pub fn calls_ahead(trace: &Trace) -> Vec<&JournalCall> {
    let of_act = |k: &&JournalCall| matches!(k.place, JournalPlace::Act { .. });
    trace.journal().calls().filter(of_act).collect()
}

/// A call of a turn that has not ended as that of one that has; without an answer it has neither result nor error.
pub fn call(k: &JournalCall) -> Call {
    let CallRequest { id, name, args, .. } = k.request.clone();
    let (result, error, failure, ms) = match &k.state {
        CallState::Answered(a) => (a.result.clone(), a.error.clone(), a.failure.clone(), a.ms),
        _ => (None, None, None, 0),
    };
    Call { id, name, args, result, error, failure, ms, together: None, decided: k.decided.clone() }
}

/// What is known of a call that has no answer.
pub fn state(state: &CallState) -> Option<&'static str> {
    match state {
        CallState::Waiting => Some("waits for approval"),
        CallState::May => Some("may be made now"),
        CallState::InFlight => Some("was begun and has no answer: it may have been made"),
        CallState::Answered(_) => None,
    }
}
