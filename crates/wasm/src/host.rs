//! What JavaScript gives a turn: a clock, and answers to its tool calls.

use ptc_lisp::interface::{CallDeadline, Clock, ToolRequest, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_turns::session::given;
use serde::{Deserialize, Serialize};
use std::cell::Cell;
use std::collections::HashMap;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Who answers the calls of a turn while it runs.
    pub type Host;

    /// Answers these calls, a list as JSON text, by a list of answers, or by `null`, which ends the turn.
    #[wasm_bindgen(method)]
    fn answer(this: &Host, calls: &str) -> String;

    /// Milliseconds that only grow.
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

/// Words for who gave what cannot be taken, after the name of the class that they are thrown as.
pub fn invalid(words: String) -> String {
    format!("InvalidArgument: {words}")
}

/// A fault of ours.
pub fn internal(words: &str) -> String {
    format!("Error: internal error, please report it: {words}")
}

/// An answer: JSON text, or the words of an error.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    Ok(String),
    Error(String),
}

/// A call that waits for its answer.
#[derive(Serialize)]
pub struct Asked {
    pub id: u64,
    name: String,
    /// JSON text.
    args: String,
}

/// Answers to calls that were made together, and how long they took.
#[derive(Clone)]
pub struct Answered {
    /// The number of the first of them.
    pub first: u64,
    pub answers: Vec<Answer>,
    pub ms: u64,
}

impl Answered {
    /// Whether the call of this number is among them.
    pub fn has(&self, id: u64) -> bool {
        id.checked_sub(self.first).is_some_and(|at| at < self.answers.len() as u64)
    }
}

/// Time since a turn began. Its processor time is the same without that of its tools.
pub struct TurnClock {
    start: f64,
    /// Added, for calls that were waited for before the turn ran again: each when it is answered again.
    waited: Cell<f64>,
    called: Cell<f64>,
}

impl TurnClock {
    pub fn start() -> Self {
        TurnClock { start: now(), waited: Cell::new(0.0), called: Cell::new(0.0) }
    }

    fn since(&self) -> f64 {
        (now() - self.start).max(0.0)
    }
}

impl Clock for TurnClock {
    fn cpu_ms(&self) -> u64 {
        (self.since() - self.called.get()) as u64
    }

    fn wall_ms(&self) -> u64 {
        (self.since() + self.waited.get()) as u64
    }
}

/// The tools of a turn: answers that are there already, then the host, or else the turn stops.
pub struct Caller<'a> {
    pub answered: std::slice::Iter<'a, Answered>,
    pub host: Option<&'a Host>,
    pub returns: &'a HashMap<String, Type>,
    pub clock: &'a TurnClock,
    /// The calls that the turn has stopped at.
    pub asked: &'a Cell<Option<Vec<Asked>>>,
    /// Whether it has, or was ended by its host.
    pub stopped: &'a Cell<bool>,
}

impl Caller<'_> {
    fn answers(&mut self, calls: &[ToolRequest<'_>]) -> Result<Vec<Answer>, String> {
        if let Some(group) = self.answered.next() {
            self.clock.waited.set(self.clock.waited.get() + group.ms as f64);
            return Ok(group.answers.clone());
        }
        let mut asked = Vec::with_capacity(calls.len());
        for call in calls {
            asked.push(Asked {
                id: call.id,
                name: call.name.to_owned(),
                args: json::to_text(call.args).map_err(|e| e.to_string())?,
            });
        }
        let Some(host) = self.host else {
            self.asked.set(Some(asked));
            self.stopped.set(true);
            return Err("it waits for its answer".to_owned());
        };
        let before = self.clock.since();
        let text = serde_json::to_string(&asked).map_err(|e| e.to_string())?;
        let answers: Option<Vec<Answer>> = serde_json::from_str(&host.answer(&text)).map_err(|e| e.to_string())?;
        self.clock.called.set(self.clock.called.get() + self.clock.since() - before);
        // One that has none ends the turn.
        self.stopped.set(answers.is_none());
        answers.ok_or_else(|| "the turn was stopped".to_owned())
    }
}

impl Tools for Caller<'_> {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = Limits::default();
        let one = [ToolRequest { id, name, args }];
        let wait = CallDeadline::forever(&limits);
        self.call_many(&one, &wait).pop().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let answers = if self.stopped.get() { Err("the turn has stopped".to_owned()) } else { self.answers(calls) };
        let mut answers = match answers {
            Ok(answers) => answers.into_iter(),
            Err(words) => return calls.iter().map(|_| Err(words.clone())).collect(),
        };
        let answer = |c: &ToolRequest<'_>| {
            let text = match answers.next() {
                Some(Answer::Ok(text)) => Ok(text),
                Some(Answer::Error(words)) => Err(words),
                None => Err("nobody answered".to_owned()),
            };
            given::answer(text, self.returns.get(c.name), wait.limits)
        };
        calls.iter().map(answer).collect()
    }
}
