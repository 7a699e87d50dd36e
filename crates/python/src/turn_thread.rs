//! A turn on a thread of its own. It asks for its tool calls by messages, so that Python runs on the caller's thread and stack
//! alone, and a program can stop in the middle for as long as its host likes.

use crate::clock::{TurnClock, now_ms};
use crate::shared::{CallState, Control, Shared};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::interface::{CallDeadline, Clock as _, ToolRequest, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_turns::session::given;
use ptc_turns::trace::record::Call;
use ptc_turns::{Json, Session, TurnContext, TurnRecord, TurnRefused, TurnText};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A call that waits for its answer.
pub struct Asked {
    /// Its number in the session.
    pub id: u64,
    /// The tool.
    pub name: String,
    /// Its arguments, which are JSON.
    pub args: Value,
}

/// What a turn tells.
pub enum Event {
    /// These calls wait for their answers; they were made together.
    Calls(Vec<Asked>),
    /// It has ended, and the session is back.
    Ended(Result<Box<TurnRecord>, TurnRefused>),
    /// A fault of ours ended it.
    Broken,
}

/// What a turn begins with.
pub struct Begin {
    /// The program, or a model's reply with one in it.
    pub text: String,
    /// Whether it is a reply.
    pub reply: bool,
    /// The seed of its randomness.
    pub seed: u64,
    /// What tools answer, where they say it.
    pub returns: Arc<HashMap<String, Type>>,
}

/// Sends calls out and waits for their answers.
struct Caller<'a> {
    events: Sender<Event>,
    answered: Receiver<()>,
    returns: Arc<HashMap<String, Type>>,
    control: &'a Control,
    clock: &'a TurnClock,
    /// What was called, for the case that the turn is cancelled.
    made: Vec<Made>,
}

/// A call that was made, or may have been.
struct Made {
    asked: Asked,
    result: Result<Value, String>,
    ms: u64,
    together: Option<u64>,
}

impl Made {
    fn record(self) -> Call {
        let json = |v: &Value| Json::of(v).unwrap_or_default();
        let (result, error) = match &self.result {
            Ok(v) => (Some(json(v)), None),
            Err(words) => (None, Some(words.clone())),
        };
        Call {
            id: self.asked.id,
            args: json(&self.asked.args),
            name: self.asked.name,
            result,
            error,
            failure: None,
            ms: self.ms,
            together: self.together,
            decided: None,
        }
    }
}

fn asked(call: &ToolRequest<'_>) -> Asked {
    Asked { id: call.id, name: call.name.to_owned(), args: call.args.clone() }
}

impl Tools for Caller<'_> {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = Limits::default();
        let one = [ToolRequest { id, name, args }];
        self.call_many(&one, &CallDeadline::forever(&limits)).pop().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let before = self.clock.wall_ms();
        self.control.ask(calls.len());
        if self.events.send(Event::Calls(calls.iter().map(asked).collect())).is_ok() {
            let _ = match wait.left_ms {
                // Past the deadline, so that the turn ends by its limit.
                Some(ms) => self.answered.recv_timeout(Duration::from_millis(ms.saturating_add(1))).ok(),
                None => self.answered.recv().ok(),
            };
        }
        let ms = self.clock.wall_ms().saturating_sub(before);
        let together = match calls {
            [first, _, ..] => Some(first.id),
            _ => None,
        };
        let mut states = self.control.asked().into_iter();
        let result = |call: &ToolRequest<'_>| {
            let result = match states.next() {
                None | Some(CallState::Asked) => return Err("it was not called before the turn ended".to_owned()),
                Some(CallState::Begun) if self.control.cancelled() => {
                    Err("the turn was cancelled before it was answered".to_owned())
                }
                Some(CallState::Begun) => Err("it did not answer before the turn ended".to_owned()),
                // Read here, so that the turn's own meter counts it.
                Some(CallState::Answered(answer)) => given::answer(answer, self.returns.get(call.name), wait.limits),
            };
            self.made.push(Made { asked: asked(call), result: result.clone(), ms, together });
            result
        };
        calls.iter().map(result).collect()
    }
}

/// What stands in the record of a cancelled turn that had called tools.
fn cancelled_turn() -> Error {
    Error::new(ErrorKind::Time, "the turn was cancelled before it had ended")
        .hint("nothing that it defined is there; calls that were made before have been made")
}

/// Begins a turn.
///
/// # Errors
/// When no thread can be started; the session is back then.
pub fn begin(
    shared: &Arc<Shared>,
    session: Box<Session>,
    control: &Arc<Control>,
    turn: Begin,
    events: Sender<Event>,
    answered: Receiver<()>,
) -> std::io::Result<()> {
    // Where the thread cannot be started, what it would have taken is dropped with it.
    let slot = Arc::new(Mutex::new(Some(session)));
    let (there, to, control) = (slot.clone(), shared.clone(), control.clone());
    let started = std::thread::Builder::new().name("ptc-turn".to_owned()).spawn(move || {
        let Some(mut session) = there.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let clock = TurnClock::start();
            let (returns, made) = (turn.returns, Vec::new());
            let mut caller =
                Caller { events: events.clone(), answered, returns, control: &control, clock: &clock, made };
            let (cancelled, now) = (|| control.cancelled(), now_ms());
            let context = TurnContext {
                clock: &clock,
                cancelled: &cancelled,
                now_ms: now,
                seed: turn.seed,
                ..TurnContext::with_tools(&mut caller)
            };
            let text = if turn.reply { TurnText::Reply(&turn.text) } else { TurnText::of_field(&turn.text) };
            let record = session.turn(text, context).map(|r| Box::new(r.clone()));
            if matches!(record, Err(TurnRefused::Cancelled)) && !caller.made.is_empty() {
                let made = caller.made.into_iter().map(Made::record).collect();
                control.keep(session.lose(text, &cancelled_turn(), made, (now, turn.seed), None).turn);
            }
            record
        }));
        // The session is back before anyone hears that the turn has ended.
        let event = match ran {
            Ok(record) => {
                to.put(session);
                Event::Ended(record)
            }
            Err(_) => {
                to.lose("a fault in the runtime ended its turn".to_owned());
                Event::Broken
            }
        };
        let _ = events.send(event);
    });
    match started {
        Ok(_) => Ok(()),
        Err(e) => {
            if let Some(session) = slot.lock().unwrap_or_else(PoisonError::into_inner).take() {
                shared.put(session);
            }
            Err(e)
        }
    }
}
