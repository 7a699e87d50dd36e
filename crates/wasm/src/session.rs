//! A session as the JavaScript part uses it.

use crate::host::{Answer, Answered, Host, internal, invalid};
use crate::steps::{Begun, Step};
use crate::{config, stack, steps};
use ptc_history::tokens::{MessageCounter, Request};
use ptc_history::{Format, Message, export};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::types::Type;
use ptc_turns::session::given;
use ptc_turns::{Header, Trace, TurnRecord, TurnRefused};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::wasm_bindgen;

/// A session: its state, and the turn that waits for an answer.
#[wasm_bindgen]
pub struct Native {
    session: ptc_turns::Session,
    returns: HashMap<String, Type>,
    open_ended: bool,
    waiting: Option<Waiting>,
}

/// A turn that has stopped at calls.
struct Waiting {
    turn: Begun,
    /// The number of the first of them.
    first: u64,
}

fn refused(why: &TurnRefused) -> String {
    let class = match why {
        TurnRefused::Finished { .. } | TurnRefused::OutOfTurns { .. } => "SessionEnded",
        TurnRefused::Full { .. } => "SessionFull",
        TurnRefused::Cancelled => "TurnCancelled",
        _ => "Error",
    };
    format!("{class}: {why}")
}

fn text(of: &impl serde::Serialize) -> Result<String, String> {
    serde_json::to_string(of).map_err(|e| internal(&e.to_string()))
}

/// The step that ends a turn. Its line of the trace stands in it as it is.
fn ended(record: &TurnRecord) -> Result<String, String> {
    Ok(format!("{{\"turn\":{}}}", text(record)?))
}

impl Native {
    fn of(mut session: ptc_turns::Session, open_ended: bool) -> Self {
        session.set_open_ended(open_ended);
        Native { returns: given::returns(session.tools()), session, open_ended, waiting: None }
    }

    /// Runs a turn until its end or the next calls.
    fn step(&mut self, turn: Begun, host: Option<&Host>) -> Result<String, String> {
        match steps::run(&mut self.session, &turn, host, &self.returns) {
            Ok(Step::Ended(record)) => ended(&record),
            Ok(Step::Calls(calls)) => {
                self.waiting = Some(Waiting { first: calls.first().map_or(0, |c| c.id), turn });
                text(&json!({ "calls": calls }))
            }
            Err(why) => Err(refused(&why)),
        }
    }

    /// The messages before a turn, and who counts them.
    fn shown(
        &self,
        policy: Option<&str>,
        turn: Option<f64>,
        model: &str,
    ) -> Result<(Vec<Message>, MessageCounter), String> {
        let policy = policy.map(given::policy).transpose().map_err(invalid)?;
        let counter = Request::of_model(model).map_err(invalid)?;
        let turn = turn.map(|n| self.turn(n)).transpose()?;
        let messages = self.session.shown(policy.as_ref(), turn, &counter).map_err(|e| format!("Error: {e}"))?;
        Ok((messages, counter))
    }

    /// The number of a turn that was, or of the next one.
    fn turn(&self, n: f64) -> Result<u64, String> {
        let next = (self.session.trace().turns().len() as u64).saturating_add(1);
        if n.fract() == 0.0 && n >= 1.0 && n <= next as f64 {
            return Ok(n as u64);
        }
        Err(invalid(format!("there is no turn {n}; the next one is {next}")))
    }
}

#[wasm_bindgen]
impl Native {
    /// A new one, of options as JSON text.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Result<Native, String> {
        let config = config::config(options)?;
        let open_ended = config.open_ended;
        Ok(Native::of(ptc_turns::Session::new(config), open_ended))
    }

    /// The session of a trace.
    pub fn load(trace: &[u8], inputs: &str, open_ended: Option<bool>) -> Result<Native, String> {
        let invalid = |e: ptc_lisp::error::Error| format!("InvalidTrace: {e}");
        let mut trace = Trace::parse(trace).map_err(invalid)?.trace;
        let limits = stack::within(trace.header.limits.clone());
        trace.header = Arc::new(Header { limits, ..Header::clone(&trace.header) });
        let inputs = config::values(inputs, &trace.header.limits)?;
        let open_ended = open_ended.unwrap_or(trace.header.prompt.is_empty());
        let session = ptc_turns::Session::from_trace(trace, inputs).map_err(invalid)?;
        Ok(Native::of(session, open_ended))
    }

    /// Begins a turn. With a host it runs to its end; without one it stops at its tool calls, and at none of them twice.
    pub fn start(
        &mut self,
        text: String,
        reply: bool,
        seed: u64,
        now_ms: f64,
        host: Option<Host>,
    ) -> Result<String, String> {
        self.waiting = None;
        self.step(Begun { text, reply, seed, now_ms: now_ms as i64, answered: Vec::new() }, host.as_ref())
    }

    /// Answers the calls that wait, which took so many milliseconds, and goes on.
    pub fn answer(&mut self, answers: &str, ms: f64) -> Result<String, String> {
        let Some(Waiting { mut turn, first }) = self.waiting.take() else {
            return Err("TurnCancelled: no call of this turn waits".to_owned());
        };
        let answers: Vec<Answer> = serde_json::from_str(answers).map_err(|e| internal(&e.to_string()))?;
        turn.answered.push(Answered { first, answers, ms: ms.max(0.0) as u64 });
        self.step(turn, None)
    }

    /// Adds a turn that was lost since its instance was, or was cancelled: an error, and the tool calls that had been made.
    #[expect(clippy::too_many_arguments, reason = "what a turn begins with, and what is known of its end")]
    pub fn lose(
        &mut self,
        program: &str,
        reply: bool,
        seed: u64,
        now_ms: f64,
        why: &str,
        message: &str,
        calls: &str,
    ) -> Result<String, String> {
        let source = steps::source(program, reply);
        let calls = serde_json::from_str(calls).map_err(|e| internal(&e.to_string()))?;
        let error = match why {
            "stack" => Error::new(ErrorKind::Depth, message),
            "cancelled" => Error::new(ErrorKind::Time, message)
                .hint("nothing that it defined is there; calls that were made before have been made"),
            _ => Error::new(ErrorKind::Internal, message),
        };
        ended(self.session.lose(source, &error, calls, (now_ms as i64, seed), None))
    }

    /// Ends the turn that waits; whether one did.
    pub fn cancel(&mut self) -> bool {
        self.waiting.take().is_some()
    }

    /// The trace as JSON lines.
    pub fn dump(&self) -> String {
        self.session.trace().to_text()
    }

    /// The trace of a copy as the session is, or was after a turn.
    pub fn fork(&self, turn: Option<f64>) -> Result<Native, String> {
        let forked = match turn {
            None => self.session.fork(),
            Some(n) if n.fract() == 0.0 && n >= 0.0 => self.session.fork_after(n as u64).map_err(invalid)?,
            Some(n) => return Err(invalid(format!("there is no turn {n}"))),
        };
        Ok(Native::of(forked, self.open_ended))
    }

    /// The messages before a turn as a provider's request body.
    pub fn request(
        &self,
        format: &str,
        policy: Option<String>,
        turn: Option<f64>,
        model: &str,
    ) -> Result<String, String> {
        let format: Format = format.parse().map_err(|e: ptc_history::FormatError| invalid(e.to_string()))?;
        let (messages, _) = self.shown(policy.as_deref(), turn, model)?;
        Ok(export(&messages, format).map_err(|e| format!("Error: {e}"))?.to_string())
    }

    /// Tokens of each message before a turn.
    pub fn tokens(&self, policy: Option<String>, turn: Option<f64>, model: &str) -> Result<Vec<f64>, String> {
        let (messages, counter) = self.shown(policy.as_deref(), turn, model)?;
        Ok(messages.iter().map(|m| counter.message(m) as f64).collect())
    }

    /// The records of all turns.
    pub fn turns(&self) -> Result<String, String> {
        text(&self.session.trace().turns().iter().map(|t| &**t).collect::<Vec<_>>())
    }

    /// Names that are bound, with the record of their definition.
    pub fn definitions(&self) -> Result<String, String> {
        let all = self.session.definitions().map(|(turn, d)| json!({ "turn": turn, "definition": d }));
        text(&all.collect::<Vec<_>>())
    }

    /// What a name is bound to, as JSON text.
    pub fn get(&self, name: &str) -> Option<String> {
        self.session.json_of(name)
    }

    /// What the session begins with: the header of its trace.
    pub fn header(&self) -> Result<String, String> {
        text(&*self.session.trace().header)
    }
}
