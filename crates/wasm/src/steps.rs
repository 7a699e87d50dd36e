//! A turn, until its end or until a tool call that nobody has answered yet.

use crate::host::{Answered, Asked, Caller, Host, TurnClock};
use ptc_lisp::types::Type;
use ptc_turns::{Session, TurnContext, TurnRecord, TurnRefused, TurnText};
use std::cell::Cell;
use std::collections::HashMap;

/// A turn as it was begun, and what was answered since.
pub struct Begun {
    /// A program, or a model's reply with one in it.
    pub text: String,
    /// Whether it is a reply.
    pub reply: bool,
    pub seed: u64,
    pub now_ms: i64,
    pub answered: Vec<Answered>,
}

impl Begun {
    /// What is run.
    fn source(&self) -> TurnText<'_> {
        source(&self.text, self.reply)
    }
}

/// A model's reply, or a program, which a model may have written too.
pub fn source(text: &str, reply: bool) -> TurnText<'_> {
    if reply { TurnText::Reply(text) } else { TurnText::of_field(text) }
}

/// Where a turn has come to.
pub enum Step {
    /// These calls were made together and wait for their answers; the session is unchanged.
    Calls(Vec<Asked>),
    /// It has ended.
    Ended(Box<TurnRecord>),
}

/// Runs a turn from its beginning, with the answers that are there.
pub fn run(
    session: &mut Session,
    turn: &Begun,
    host: Option<&Host>,
    returns: &HashMap<String, Type>,
) -> Result<Step, TurnRefused> {
    let (asked, stopped) = (Cell::new(None), Cell::new(false));
    let clock = TurnClock::start();
    let answered = turn.answered.iter();
    let mut caller = Caller { answered, host, returns, clock: &clock, asked: &asked, stopped: &stopped };
    let took = |id: u64| turn.answered.iter().find(|a| a.has(id)).map(|a| a.ms);
    let cancelled = || stopped.get();
    let context = TurnContext {
        clock: &clock,
        cancelled: &cancelled,
        now_ms: turn.now_ms,
        seed: turn.seed,
        took: &took,
        ..TurnContext::with_tools(&mut caller)
    };
    match session.turn(turn.source(), context) {
        Ok(record) => Ok(Step::Ended(Box::new(record.clone()))),
        Err(TurnRefused::Cancelled) => asked.take().map(Step::Calls).ok_or(TurnRefused::Cancelled),
        Err(why) => Err(why),
    }
}
