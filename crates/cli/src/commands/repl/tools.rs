//! Tools that ask before they act, and a clock that stands still meanwhile.

use ptc_agent::{HostClock, Toolbox};
use ptc_lisp::interface::{CallDeadline, Clock, ToolRequest, Tools};
use ptc_lisp::json;
use ptc_lisp::value::Value;
use std::cell::Cell;
use std::time::Instant;

/// What somebody says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approval {
    /// It is made.
    Yes,
    /// It is not made, and the program gets an error.
    No,
    /// Nobody can be asked.
    Nobody,
    /// The whole turn is to end.
    Stop,
}

/// Asks about a call: the tool's name, and its arguments as JSON.
pub type Ask<'a> = &'a mut dyn FnMut(&str, &str) -> Approval;

/// Time since the turn began, without what somebody took to answer.
pub struct TurnClock {
    host: HostClock,
    asked_ms: Cell<u64>,
}

impl TurnClock {
    /// A clock that starts now.
    pub fn start() -> Self {
        TurnClock { host: HostClock::start(), asked_ms: Cell::new(0) }
    }
}

impl Clock for TurnClock {
    fn cpu_ms(&self) -> u64 {
        self.host.cpu_ms()
    }

    fn wall_ms(&self) -> u64 {
        self.host.wall_ms().saturating_sub(self.asked_ms.get())
    }
}

/// The tools of a turn.
pub struct AskingTools<'a> {
    /// Who answers.
    pub tools: &'a mut Toolbox,
    /// Who is asked.
    pub ask: Ask<'a>,
    /// The clock that stands still meanwhile.
    pub clock: &'a TurnClock,
    /// Raised where the turn is to end.
    pub stop: &'a dyn Fn(),
    /// How many calls were made.
    pub made: usize,
}

impl Tools for AskingTools<'_> {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = ptc_lisp::limits::Limits::default();
        let answers = self.call_many(&[ToolRequest { id, name, args }], &CallDeadline::forever(&limits));
        answers.into_iter().next().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let mut answers: Vec<Option<Result<Value, String>>> = Vec::with_capacity(calls.len());
        for call in calls {
            answers.push(if self.tools.wants_approval(call.name) { self.refused(call) } else { None });
        }
        let approved: Vec<ToolRequest<'_>> =
            calls.iter().zip(&answers).filter(|(_, a)| a.is_none()).map(|(c, _)| *c).collect();
        if !approved.is_empty() {
            self.made = self.made.saturating_add(approved.len());
            let mut made = self.tools.call_approved(&approved, wait).into_iter();
            for answer in answers.iter_mut().filter(|a| a.is_none()) {
                *answer = made.next();
            }
        }
        answers.into_iter().map(|a| a.unwrap_or_else(|| Err("nobody answered".to_owned()))).collect()
    }
}

impl AskingTools<'_> {
    /// The error of a call that is not approved.
    fn refused(&mut self, call: &ToolRequest<'_>) -> Option<Result<Value, String>> {
        let args = match json::to_text(call.args) {
            Ok(args) => args,
            Err(e) => return Some(Err(e.message)),
        };
        let begun = Instant::now();
        let said = (self.ask)(call.name, &args);
        let ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.clock.asked_ms.set(self.clock.asked_ms.get().saturating_add(ms));
        match said {
            Approval::Yes => None,
            Approval::No => Some(Err("the call was not approved, and was not made".to_owned())),
            Approval::Nobody => Some(Err(format!(
                "each call of {} has to be approved, and nobody can be asked here: start ptc repl on a terminal",
                call.name
            ))),
            Approval::Stop => {
                (self.stop)();
                Some(Err("the turn was ended".to_owned()))
            }
        }
    }
}
