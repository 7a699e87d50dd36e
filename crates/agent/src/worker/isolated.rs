//! A session whose programs run in a worker process: the same calls as [`ptc_turns::Session`].

use super::supervisor::Worker;
use ptc_history::Message;
use ptc_turns::{Config, IncrementalView, Policy, Session, Trace, TurnContext, TurnRecord, TurnRefused, TurnText};
use std::borrow::Cow;

/// A session with its memory in a worker process. Trace, view and tools stay here.
pub struct Isolated {
    session: Session,
    worker: Worker,
}

impl Isolated {
    /// A session without turns. The worker is started by the first turn.
    pub fn new(config: Config, worker: Worker) -> Self {
        Self::of(Session::new(config), worker)
    }

    /// Continues with a session; its memory is made again in the worker, by replay.
    pub fn of(session: Session, worker: Worker) -> Self {
        Isolated { session, worker }
    }

    /// Takes a model's reply as the next turn. What goes wrong with the worker is an error of kind `internal`.
    ///
    /// # Errors
    /// When the session has ended.
    pub fn reply(&mut self, reply: &str, world: TurnContext<'_>) -> Result<TurnRecord, TurnRefused> {
        self.worker.turn(&mut self.session, TurnText::Reply(reply), world)
    }

    /// Runs a program as the next turn. What goes wrong with the worker is an error of kind `internal`.
    ///
    /// # Errors
    /// When the session has ended.
    pub fn run(&mut self, program: &str, world: TurnContext<'_>) -> Result<TurnRecord, TurnRefused> {
        self.worker.turn(&mut self.session, TurnText::Program(program), world)
    }

    /// Whether another turn may run, and if not, why.
    ///
    /// # Errors
    /// The reason.
    pub fn may_run(&self) -> Result<(), TurnRefused> {
        self.session.may_run()
    }

    /// What the model sees next under `policy`.
    pub fn messages(&self, policy: &Policy) -> Cow<'_, [Message]> {
        self.session.messages(policy)
    }

    /// The view under the session's own policy.
    pub fn view(&self) -> &IncrementalView {
        self.session.view()
    }

    /// Everything that happened.
    pub fn trace(&self) -> &Trace {
        self.session.trace()
    }

    /// The session as the host has it: all but its memory.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The worker.
    pub fn worker(&self) -> &Worker {
        &self.worker
    }

    /// The same session once more, with a worker of its own.
    #[must_use]
    pub fn fork(&self) -> Self {
        Isolated { session: self.session.fork(), worker: self.worker.another() }
    }
}
