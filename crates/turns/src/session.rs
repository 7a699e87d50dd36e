//! A session: memory and trace, turn by turn. A turn is a transaction; its record is made once.

use crate::config::{Config, ENDLESS};
use crate::feedback;
use crate::live::View;
use crate::outcome;
use crate::past;
use crate::policy::Policy;
use crate::record::{Header, ModelUsage, Status, TurnRecord};
use crate::reply;
use crate::trace::Trace;
use crate::view;
use ptc_history::Message;
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::outside::{Clock, Ending, Outcome, ToolSpec, Tools, Turn};
use ptc_lisp::shape::Shape;
use ptc_lisp::value::Value;
use std::borrow::Cow;
use std::sync::Arc;

/// What the host hands in for one turn.
pub struct World<'a> {
    /// Who answers tool calls.
    pub tools: &'a mut dyn Tools,
    /// Time since the turn began.
    pub clock: &'a dyn Clock,
    /// Asked now and then; `true` ends the turn.
    pub cancelled: &'a dyn Fn() -> bool,
    /// The turn's start, milliseconds since 1970.
    pub now_ms: i64,
    /// Seed of the turn's randomness.
    pub seed: u64,
    /// What the model's call cost, when a model wrote the reply.
    pub model: Option<ModelUsage>,
}

impl<'a> World<'a> {
    /// These tools, a clock that stands still, time and seed 0: for tests and for embedding without a host.
    pub fn still(tools: &'a mut dyn Tools) -> Self {
        World { tools, clock: &(), cancelled: &|| false, now_ms: 0, seed: 0, model: None }
    }
}

/// Why a turn was not run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Ended {
    /// By `return` or `fail`.
    #[error("the session has ended: turn {turn} {how}")]
    Finished {
        /// In which turn.
        turn: u64,
        /// `returned` or `failed`.
        how: &'static str,
    },
    /// Out of turns.
    #[error("out of turns: max_turns is {max_turns}")]
    OutOfTurns {
        /// The limit.
        max_turns: u64,
    },
}

/// A session of programs. Cloning it forks it.
#[derive(Clone)]
pub struct Session {
    pub(crate) trace: Trace,
    pub(crate) memory: Memory,
    pub(crate) view: View,
    pub(crate) tools: Vec<ToolSpec>,
    pub(crate) context: Vec<(String, Value)>,
    pub(crate) expect: Option<Shape>,
    pub(crate) recent: [Value; 3],
    pub(crate) last_error: Value,
    pub(crate) calls: u64,
    pub(crate) open_ended: bool,
}

impl Session {
    /// A session without turns.
    pub fn new(config: Config) -> Self {
        let header = Arc::new(config.header());
        Session {
            view: View::new(header.clone(), &config.policy),
            trace: Trace::new(header),
            memory: Memory::new(),
            tools: config.tools,
            context: config.inputs.into_iter().map(|i| (i.name, i.value)).collect(),
            expect: config.expect,
            recent: Default::default(),
            last_error: Value::Nil,
            calls: 0,
            open_ended: config.open_ended,
        }
    }

    /// Takes a model's reply as the next turn: its program runs; a reply without one is an error turn.
    ///
    /// # Errors
    /// When the session has ended.
    pub fn reply(&mut self, reply: &str, world: World<'_>) -> Result<&TurnRecord, Ended> {
        self.may_run()?;
        match reply::extract(reply) {
            Ok(r) => Ok(self.turn(r.program, r.reasoning, Some(reply), world)),
            Err(e) => {
                let (record, report) = outcome::refused(reply, &e);
                Ok(self.append(record, report, world.now_ms, world.seed, world.model))
            }
        }
    }

    /// Runs a program, as it stands, as the next turn.
    ///
    /// # Errors
    /// When the session has ended.
    pub fn run(&mut self, program: &str, world: World<'_>) -> Result<&TurnRecord, Ended> {
        self.may_run()?;
        Ok(self.turn(program.to_owned(), None, None, world))
    }

    fn turn(
        &mut self,
        program: String,
        reasoning: Option<String>,
        reply: Option<&str>,
        world: World<'_>,
    ) -> &TurnRecord {
        let (now_ms, seed, model) = (world.now_ms, world.seed, world.model);
        let header = self.trace.header.clone();
        let outcome = self.execute(&program, &header.limits, world.tools, world.clock, world.cancelled, (now_ms, seed));
        let (mut record, report) = outcome::record(program, reasoning, &outcome, &header.limits);
        if let Some(reply) = reply {
            outcome::keep_reply(&mut record, reply);
        }
        self.remember(&outcome.ending);
        self.append(record, report, now_ms, seed, model)
    }

    /// Runs a program against memory; a returned value of the wrong shape is an error, and rolls back like any.
    pub(crate) fn execute(
        &mut self,
        program: &str,
        limits: &Limits,
        caller: &mut dyn Tools,
        clock: &dyn Clock,
        cancelled: &dyn Fn() -> bool,
        (now_ms, seed): (i64, u64),
    ) -> Outcome {
        let turns = self.trace.turns();
        let turn = Turn {
            limits,
            context: &self.context,
            tools: &self.tools,
            caller,
            clock,
            cancelled,
            now_ms,
            seed,
            calls_before: self.calls,
            past: &|| past::list(turns, limits),
            recent: self.recent.clone(),
            last_error: self.last_error.clone(),
            expect: self.expect.as_ref(),
        };
        ptc_lisp::run(program, &mut self.memory, turn)
    }

    /// `*1 *2 *3`: values of successful turns.
    pub(crate) fn remember(&mut self, ending: &Ending) {
        if let Ending::Value(v) | Ending::Returned(v) = ending {
            self.recent.rotate_right(1);
            if let Some(first) = self.recent.first_mut() {
                *first = v.clone();
            }
        }
    }

    /// Adds a record with what the host knows of the turn.
    pub(crate) fn append(
        &mut self,
        mut record: TurnRecord,
        report: Option<String>,
        time: i64,
        seed: u64,
        model: Option<ModelUsage>,
    ) -> &TurnRecord {
        record.turn = self.trace.turns().len() as u64 + 1;
        record.time = time;
        record.seed = seed;
        if let Some(m) = model {
            outcome::add_model(&mut record.usage, m);
        }
        record.feedback = feedback::feedback(&self.trace.header, &record, report.as_deref());
        self.enter(record)
    }

    /// Adds a record to the trace and to what follows from it.
    pub(crate) fn enter(&mut self, record: TurnRecord) -> &TurnRecord {
        self.calls += record.tool_calls.len() as u64;
        if record.error.is_some() {
            self.last_error = past::exception(&record);
        }
        let record = self.trace.push(record);
        self.view.push(record);
        // It has just been added.
        self.trace.last_record()
    }

    /// Whether another turn may run, and if not, why.
    ///
    /// # Errors
    /// The reason.
    pub fn may_run(&self) -> Result<(), Ended> {
        match self.trace.last() {
            Some(t) if !self.open_ended && matches!(t.status, Status::Returned | Status::Failed) => {
                Err(Ended::Finished { turn: t.turn, how: t.status.as_str() })
            }
            Some(t) if t.turn >= self.trace.header.max_turns => {
                Err(Ended::OutOfTurns { max_turns: self.trace.header.max_turns })
            }
            _ => Ok(()),
        }
    }

    /// Gives the session another number of turns than its trace was begun with, from the next turn on. The file of the
    /// trace keeps the header it has.
    pub fn set_max_turns(&mut self, max_turns: u64) {
        self.trace.header = Arc::new(Header { max_turns, ..Header::clone(&self.trace.header) });
        self.set_policy(&self.view.policy().clone());
    }

    /// Turns that may still run.
    pub fn turns_left(&self) -> u64 {
        let max = self.trace.header.max_turns;
        if max == ENDLESS { ENDLESS } else { max.saturating_sub(self.trace.turns().len() as u64) }
    }

    /// The same session, once more: what one does the other never sees.
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// What the model sees next under `policy`. Under the session's own it costs what is new.
    pub fn messages(&self, policy: &Policy) -> Cow<'_, [Message]> {
        if policy == self.view.policy() {
            Cow::Borrowed(self.view.messages())
        } else {
            Cow::Owned(view::messages(&self.trace, policy, None))
        }
    }

    /// The view under the session's own policy.
    pub fn view(&self) -> &View {
        &self.view
    }

    /// Shows the session under another policy from now on. The trace keeps the policy it was begun with.
    pub fn set_policy(&mut self, policy: &Policy) {
        let mut view = View::new(self.trace.header.clone(), policy);
        self.trace.turns().iter().for_each(|t| view.push(t.clone()));
        self.view = view;
    }

    /// Everything that happened.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What is defined.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The value of the last successful turn: `*1`.
    pub fn value(&self) -> &Value {
        self.recent.first().unwrap_or(&Value::Nil)
    }
}

#[cfg(test)]
mod tests;
