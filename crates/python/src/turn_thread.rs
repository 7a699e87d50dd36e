//! A turn on a thread of its own. It asks for its tool calls by messages, so that Python runs on the caller's thread and stack
//! alone, and a program can stop in the middle for as long as its host likes.

use crate::clock::{TurnClock, now_ms};
use crate::shared::{Answer, Control, Shared};
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_turns::session::given;
use ptc_turns::{Session, TurnContext, TurnRecord, TurnRefused};
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
struct Caller {
    events: Sender<Event>,
    answers: Receiver<Vec<Answer>>,
    returns: Arc<HashMap<String, Type>>,
}

impl Caller {
    fn read(&self, name: &str, answer: Answer, limits: &Limits) -> Result<Value, String> {
        // Here, so that the turn's own meter counts it.
        given::answer(answer, self.returns.get(name), limits)
    }
}

impl Tools for Caller {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = Limits::default();
        let one = [ToolRequest { id, name, args }];
        self.call_many(&one, &CallDeadline::forever(&limits)).pop().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let asked = calls.iter().map(|c| Asked { id: c.id, name: c.name.to_owned(), args: c.args.clone() }).collect();
        let sent = self.events.send(Event::Calls(asked)).is_ok();
        let answers = match wait.left_ms {
            _ if !sent => None,
            // Past the deadline, so that the turn ends by its limit.
            Some(ms) => self.answers.recv_timeout(Duration::from_millis(ms.saturating_add(1))).ok(),
            None => self.answers.recv().ok(),
        };
        let mut answers = answers.unwrap_or_default().into_iter();
        let answer = |c: &ToolRequest<'_>| match answers.next() {
            Some(answer) => self.read(c.name, answer, wait.limits),
            None => Err("it did not answer before the turn ended".to_owned()),
        };
        calls.iter().map(answer).collect()
    }
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
    answers: Receiver<Vec<Answer>>,
) -> std::io::Result<()> {
    // Where the thread cannot be started, what it would have taken is dropped with it.
    let slot = Arc::new(Mutex::new(Some(session)));
    let (there, to, control) = (slot.clone(), shared.clone(), control.clone());
    let started = std::thread::Builder::new().name("ptc-turn".to_owned()).spawn(move || {
        let Some(mut session) = there.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let mut caller = Caller { events: events.clone(), answers, returns: turn.returns };
            let (clock, cancelled) = (TurnClock::start(), || control.cancelled());
            let context = TurnContext {
                clock: &clock,
                cancelled: &cancelled,
                now_ms: now_ms(),
                seed: turn.seed,
                ..TurnContext::with_tools(&mut caller)
            };
            let record = if turn.reply { session.reply(&turn.text, context) } else { session.run(&turn.text, context) };
            record.map(|r| Box::new(r.clone()))
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
