//! An agent: a session with a model, tools and, if need be, a file that keeps its trace.

mod acts;
mod run;
mod told;
mod turn;
mod unopened;

use crate::cancel::Cancel;
use crate::clock::{now_ms, session_key, turn_seed};
use crate::error::Error;
use crate::model::summaries::Summaries;
use crate::model::token_calibration::TokenCalibration;
use crate::model::{Price, Settings};
use crate::observer::SubtaskEvent;
use crate::run_budget::RunBudget;
use crate::task::act_opener::Acts;
use crate::tools::pending::PendingCall;
use crate::tools::toolbox::Toolbox;
use crate::trace_file::TraceFile;
use crate::worker::Worker;
use ptc_history::tokens::MessageCounter;
use ptc_lisp::interface::Tools;
use ptc_turns::{Session, TurnContext};
use std::sync::mpsc::Receiver;

/// A session with a model, tools and, if need be, a file that keeps its trace.
///
/// ```
/// use ptc_agent::{Agent, Model, ReplayModel, Toolbox};
/// use ptc_turns::{Config, Session};
///
/// let model = ReplayModel::parse("replies", "## Turn 1\n(def x 20)\n## Turn 2\n(return (inc x))").unwrap();
/// let session = Session::new(Config { prompt: "What is x + 1?".into(), ..Config::default() });
/// let mut agent = Agent::new(session, Toolbox::new());
/// let end = agent.run(&mut { model }, &mut ());
/// assert_eq!((end.status.as_str(), end.value.as_deref(), end.turns), ("returned", Some("21"), 2));
/// ```
pub struct Agent {
    session: Session,
    tools: Toolbox,
    store: Option<TraceFile>,
    cancel: Cancel,
    worker: Option<Worker>,
    counter: Option<MessageCounter>,
    calibration: TokenCalibration,
    summaries: Option<Summaries>,
    settings: Settings,
    acts: Option<Acts>,
    budget: RunBudget,
    price: Option<Price>,
    subtasks: Option<Receiver<SubtaskEvent>>,
    /// Warnings that were given: each is given once.
    told: Vec<String>,
    /// What keys of its calls begin with.
    key: String,
    /// Calls of subtasks that were given up with the turn, or the act, and wait for a decision.
    inside: Vec<PendingCall>,
}

impl Agent {
    /// A session and who answers its tools.
    pub fn new(session: Session, tools: Toolbox) -> Self {
        Agent {
            session,
            tools,
            store: None,
            cancel: Cancel::default(),
            worker: None,
            counter: None,
            calibration: TokenCalibration::default(),
            summaries: None,
            settings: Settings::default(),
            acts: None,
            budget: RunBudget::default(),
            price: None,
            subtasks: None,
            told: Vec::new(),
            key: session_key(),
            inside: Vec::new(),
        }
    }

    /// Asks with these settings.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Learns from reported usage into this calibration, and counts with what it has learned.
    #[must_use]
    pub fn with_token_calibration(mut self, calibration: TokenCalibration) -> Self {
        self.calibration = calibration;
        self
    }

    /// What was learned of the model's tokens.
    pub fn token_calibration(&self) -> &TokenCalibration {
        &self.calibration
    }

    /// Has these write the summaries that the policy wants of a model.
    #[must_use]
    pub fn with_summaries(mut self, summaries: Summaries) -> Self {
        self.summaries = Some(summaries);
        self
    }

    /// The summaries, where a model writes them.
    pub fn summaries(&self) -> Option<&Summaries> {
        self.summaries.as_ref()
    }

    /// Counts tokens of budgets as this counter does, whoever answers. Without one they are counted as those of the
    /// model that answers; of a model that does not say whose they are, as OpenAI's.
    #[must_use]
    pub fn with_counter(mut self, counter: MessageCounter) -> Self {
        self.counter = Some(counter);
        self
    }

    /// Keeps each turn in a file, which must hold the turns so far already.
    #[must_use]
    pub fn with_trace_file(mut self, store: TraceFile) -> Self {
        self.store = Some(store);
        self
    }

    /// Ends the running turn, and the run, when `cancel` is raised. Nothing is recorded of that turn, as if the process
    /// had been killed; the ending is [`RunStatus::Cancelled`](crate::RunStatus::Cancelled).
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs each turn in a process of its own instead of here: the session's memory is there, its trace stays here.
    #[must_use]
    pub fn with_worker(mut self, worker: Worker) -> Self {
        self.worker = Some(worker);
        self
    }

    /// Lets go of the texts of turns where they take more than `most` bytes ([`Session::release_texts`]): the worker reads them
    /// from this trace, should its process have to start again. For programs of somebody else: nothing is made of the turns here.
    pub fn release_texts(&mut self, most: u64, trace: &std::path::Path) {
        if let Some(worker) = &mut self.worker {
            worker.read_turns_of(trace);
            self.session.release_texts(most);
        }
    }

    /// Opens the acts of a session that has a table of contents.
    #[must_use]
    pub fn with_acts(mut self, acts: Acts) -> Self {
        self.acts = Some(acts);
        self
    }

    /// Ends the run when this is used up, and counts in it what is used. A session that goes on counts what its trace says
    /// with [`RunBudget::after`].
    #[must_use]
    pub fn with_budget(mut self, budget: RunBudget) -> Self {
        self.budget = budget;
        self
    }

    /// Tells its observer what comes from its subtasks: the other end is theirs ([`crate::RunContext::subtasks`]).
    #[must_use]
    pub fn with_subtask_events(mut self, events: Receiver<SubtaskEvent>) -> Self {
        self.subtasks = Some(events);
        self
    }

    /// What the tokens of its model cost.
    #[must_use]
    pub fn with_price(mut self, price: Option<Price>) -> Self {
        self.price = price;
        self
    }

    /// The tools whose calls have to be approved.
    pub fn with_approval(&self) -> impl Iterator<Item = &str> {
        self.tools.with_approval()
    }

    /// The session. With a worker it has no memory.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, when the agent has done its part.
    pub fn into_session(self) -> Session {
        self.session
    }

    /// What ends its run when it is raised.
    pub(crate) fn cancel_flag(&self) -> Cancel {
        self.cancel.clone()
    }

    /// What ends all that is in flight: the flag that is raised by hand, and the end of the run's time.
    fn in_flight(&self) -> Cancel {
        match self.budget.time_is_over() {
            Some(over) => self.cancel.or(over),
            None => self.cancel.clone(),
        }
    }

    /// Why something in flight was given up, if it was, with what became of it.
    fn given_up(&self, what: &str) -> Option<Error> {
        match (self.cancel.cancelled(), self.budget.time_is_over()) {
            (true, _) => Some(Error::cancelled()),
            (false, Some(over)) if over() => self.budget.reached_in_flight(what),
            _ => None,
        }
    }
}

/// What a turn is given besides its program: time, chance, tools; the clock is still to be started.
pub fn turn_context<'a>(
    session: &Session,
    turn: u64,
    tools: &'a mut dyn Tools,
    cancelled: &'a dyn Fn() -> bool,
) -> TurnContext<'a> {
    TurnContext {
        cancelled,
        now_ms: now_ms(),
        seed: turn_seed(&session.trace().header, turn),
        ..TurnContext::with_tools(tools)
    }
}

#[cfg(test)]
mod tests;
