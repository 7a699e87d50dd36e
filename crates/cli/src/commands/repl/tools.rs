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

    fn begin_cpu(&self) {
        self.host.begin_cpu();
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
    /// Whether somebody has said that the turn is to end: nobody is asked any more, and no call is made.
    pub stopped: bool,
}

/// The error of calls in a turn that somebody has ended.
const ENDED: &str = "the turn was ended";

impl Tools for AskingTools<'_> {
    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = ptc_lisp::limits::Limits::default();
        let answers = self.call_many(&[ToolRequest { id, name, args }], &CallDeadline::forever(&limits));
        answers.into_iter().next().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn failure(&mut self, id: u64) -> Option<Value> {
        self.tools.failure(id)
    }

    /// All questions stand before the first call: a batch in which somebody ends the turn makes none.
    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let mut answers: Vec<Option<Result<Value, String>>> = Vec::with_capacity(calls.len());
        for call in calls {
            if !self.stopped {
                answers.push(if self.tools.wants_approval(call.name) { self.refused(call) } else { None });
            }
        }
        if self.stopped {
            return calls.iter().map(|_| Err(ENDED.to_owned())).collect();
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
                self.stopped = true;
                (self.stop)();
                Some(Err(ENDED.to_owned()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_agent::Tool;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn whoever_ends_the_turn_ends_all_its_calls() {
        let paid = Arc::new(AtomicUsize::new(0));
        let counted = paid.clone();
        let mut tools = Toolbox::new();
        tools.add(
            Tool::new("pay", move |_| {
                counted.fetch_add(1, Ordering::Relaxed);
                Ok(Value::Nil)
            })
            .needs_approval(),
        );
        tools.add(Tool::new("look", |_| Ok(Value::Nil)));
        let (clock, stops, asked) = (TurnClock::start(), Cell::new(0), Cell::new(0));
        let stop = || stops.set(stops.get() + 1);
        let mut said = [Approval::Yes, Approval::Stop, Approval::Yes].into_iter();
        let mut ask = |_: &str, _: &str| {
            asked.set(asked.get() + 1);
            said.next().unwrap()
        };
        let mut tools =
            AskingTools { tools: &mut tools, ask: &mut ask, clock: &clock, stop: &stop, made: 0, stopped: false };
        let (args, limits) = (Value::Nil, ptc_lisp::limits::Limits::default());
        let request = |id, name| ToolRequest { id, name, args: &args };
        let calls = [request(1, "look"), request(2, "pay"), request(3, "pay"), request(4, "pay")];
        let ended = Err::<Value, _>(ENDED.to_owned());
        let shown = |answers: Vec<Result<Value, String>>| format!("{answers:?}");
        let answers = tools.call_many(&calls, &CallDeadline::forever(&limits));
        assert_eq!(shown(answers), format!("{:?}", vec![&ended; 4]));
        // Neither does what catches that call any more.
        let answers = tools.call_many(&calls[..2], &CallDeadline::forever(&limits));
        assert_eq!(shown(answers), format!("{:?}", vec![&ended; 2]));
        assert_eq!((tools.made, asked.get(), stops.get(), paid.load(Ordering::Relaxed)), (0, 2, 1, 0));
    }
}
