//! Memory from a trace: successful turns run again, with the answers, times and seeds they had.

use crate::libraries::Libraries;
use crate::render::incremental_view::IncrementalView;
use crate::session::config;
use crate::session::last_request::LastRequest;
use crate::session::{RunWatch, Session};
use crate::trace::act::Act;
use crate::trace::json::Json;
use crate::trace::outcome;
use crate::trace::record::{Call, Defined, TurnRecord};
use crate::trace::{Step, Trace};
use ptc_lisp::error::{Error, ErrorKind};
use ptc_lisp::interface::{Outcome, RunResult, Tools};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::memory::Memory;
use ptc_lisp::value::Value;
use std::sync::Arc;

impl Session {
    /// The session of a trace: the same prompts at once, the same memory by replay. `inputs` are the values of its
    /// inputs; those whose value is in the trace need not be given.
    ///
    /// # Errors
    /// Of kind `corrupt`, naming the turn, when a turn does not give the result in its record.
    pub fn from_trace(trace: Trace, inputs: Vec<(String, Value)>) -> Result<Self, Error> {
        let header = &trace.header;
        let libraries = Libraries::load(header.libraries.clone(), &header.limits)
            .map_err(|e| Error::new(ErrorKind::Corrupt, format!("trace header: {e}")))?;
        Self::of_trace(trace, inputs, Some(libraries.memory()))
    }

    /// The session of a trace whose programs run elsewhere: the same prompts, and no memory, since no program is run here.
    /// Turns are added with [`Session::take`].
    ///
    /// ```
    /// use ptc_turns::{Config, Session, TurnContext};
    ///
    /// let mut session = Session::new(Config::programs());
    /// session.run("(def x 1)", TurnContext::without_host())?;
    /// let other = Session::from_trace_without_memory(session.trace().clone(), Vec::new()).unwrap();
    /// assert_eq!(other.view().messages(), session.view().messages());
    /// assert_eq!(other.memory().bindings().count(), 0);
    /// # Ok::<(), ptc_turns::TurnRefused>(())
    /// ```
    ///
    /// # Errors
    /// Of kind `corrupt` or `value`, when its header says what cannot be, or an input is missing.
    pub fn from_trace_without_memory(trace: Trace, inputs: Vec<(String, Value)>) -> Result<Self, Error> {
        Self::of_trace(trace, inputs, None)
    }

    fn of_trace(trace: Trace, inputs: Vec<(String, Value)>, memory: Option<Memory>) -> Result<Self, Error> {
        let (header, runs) = (trace.header.clone(), memory.is_some());
        let mut session = Session {
            view: IncrementalView::new(header.clone(), &header.policy),
            last_request: LastRequest::default(),
            trace: Trace::new(header.clone()),
            memory: memory.unwrap_or_default(),
            tools: header.tools.iter().map(config::tool_spec).collect::<Result<_, _>>()?,
            context: context(&trace, inputs)?,
            check: None,
            strategy: None,
            expect: header.expect.as_deref().map(config::shape).transpose()?,
            recent: Default::default(),
            last_error: Value::Nil,
            calls: 0,
            record_bytes: 0,
            open_ended: false,
            notice: None,
        };
        // Fuel is the same everywhere, time is not; the turn was within its limits then.
        // An earlier version charged printed entries, definitions and code less.
        let memory_bytes = header.limits.memory_bytes.saturating_mul(2);
        let (session_bytes, output_bytes) = (u64::MAX, u64::MAX);
        let limits =
            Limits { cpu_ms: 0, wall_ms: 0, session_bytes, output_bytes, memory_bytes, ..header.limits.clone() };
        for step in trace.steps() {
            match step {
                Step::Act(act) => {
                    session.enter_act(Act::clone(act));
                }
                Step::Turn(record) => {
                    if runs && record.status.committed() {
                        session.again(record, &limits)?;
                    }
                    session.enter(TurnRecord::clone(record));
                }
            }
        }
        session.trace.set_called(&trace);
        session.trace.set_journal(trace.journal().clone());
        Ok(session)
    }

    fn again(&mut self, record: &Arc<TurnRecord>, limits: &Limits) -> Result<(), Error> {
        let mut tools = Recorded { calls: &record.tool_calls, next: 0, limits, problem: None };
        let watch = RunWatch { clock: &(), cancelled: &|| false, on_print: &|_| {} };
        let outcome = self.execute(&record.program, limits, &mut tools, &watch, (record.time, record.seed));
        let problem = tools.problem.take().or_else(|| difference(record, &outcome));
        match problem {
            Some(p) => Err(Error::new(ErrorKind::Corrupt, format!("turn {} does not replay: {p}", record.turn))),
            None => {
                self.remember(outcome);
                Ok(())
            }
        }
    }
}

/// The difference from the record, if any.
fn difference(record: &TurnRecord, outcome: &Outcome) -> Option<String> {
    if let RunResult::Error(e) | RunResult::Failed(_, e) = &outcome.ending {
        return Some(format!("it was {}, and now fails: {e}", record.status.as_str()));
    }
    if matches!(outcome.ending, RunResult::Returned(_)) != (record.status.as_str() == "returned") {
        return Some(format!("it was {}, and now is not", record.status.as_str()));
    }
    if outcome.tool_calls.len() != record.tool_calls.len() {
        return Some(format!(
            "it made {} tool calls, and now makes {}",
            record.tool_calls.len(),
            outcome.tool_calls.len()
        ));
    }
    for (i, then) in record.definitions.iter().enumerate() {
        match outcome.definitions.get(i).map(|d| outcome::defined(d, false)) {
            Some(now) if now == *then || is_told_more(&now, then) => {}
            Some(now) if now.name == then.name => return Some(format!("{} is not what it was", then.name)),
            _ => return Some(format!("{} is not defined as it was", then.name)),
        }
    }
    if !outcome.notes.iter().map(outcome::note).eq(record.notes.iter().cloned()) {
        return Some("its notes are not what they were".to_owned());
    }
    let more = outcome.definitions.get(record.definitions.len())?;
    Some(format!("{} is defined now and was not", more.name))
}

/// Whether it is the same definition of which an earlier version knew no more than that it is a value.
fn is_told_more(now: &Defined, then: &Defined) -> bool {
    let known = |d: &Defined| Defined { type_word: None, sample: None, ..d.clone() };
    then.type_word.as_deref() == Some("value") && known(now) == known(then)
}

/// Tools that give the recorded answers, in call order.
struct Recorded<'a> {
    calls: &'a [Call],
    next: usize,
    limits: &'a Limits,
    problem: Option<String>,
}

impl Tools for Recorded<'_> {
    fn call(&mut self, _: u64, name: &str, args: &Value) -> Result<Value, String> {
        let number = self.next.saturating_add(1);
        let call = self.calls.get(self.next);
        self.next = number;
        let same = |c: &&Call| c.name == name && json::to_text(args).ok().and_then(Json::new).as_ref() == Some(&c.args);
        let Some(call) = call.filter(same) else {
            let problem = format!("tool call {number} is not the one recorded");
            self.problem.get_or_insert(problem.clone());
            return Err(problem);
        };
        match (&call.error, &call.result) {
            (Some(words), _) => Err(words.clone()),
            (None, Some(answer)) => json::parse_text(answer.text(), self.limits).map_err(|e| e.to_string()),
            (None, None) => Ok(Value::Nil),
        }
    }

    fn failure(&mut self, id: u64) -> Option<Value> {
        let call = self.calls.iter().find(|c| c.id == id)?;
        json::parse_text(call.failure.as_ref()?.text(), self.limits).ok()
    }
}

/// Values of all inputs, in the order of the header.
fn context(trace: &Trace, given: Vec<(String, Value)>) -> Result<Vec<(String, Value)>, Error> {
    let mut out = Vec::new();
    for (name, input) in &trace.header.inputs {
        let value = match (given.iter().find(|g| g.0 == *name), &input.value) {
            (Some((_, v)), _) => v.clone(),
            (None, Some(j)) => json::parse_text(j.text(), &trace.header.limits)?,
            (None, None) => return Err(Error::new(ErrorKind::Value, format!("the trace needs its input {name}"))),
        };
        out.push((name.clone(), value));
    }
    Ok(out)
}
