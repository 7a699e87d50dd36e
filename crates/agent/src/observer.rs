//! Observers of a run.

use crate::model::Retry;
use crate::run_outcome::RunStatus;
use ptc_history::Message;
use ptc_history::view::Event;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Session, Status, TurnRecord};

/// Observes a run; each method does nothing by default.
///
/// ```
/// use ptc_agent::{Agent, Observer, ReplayModel, Toolbox};
/// use ptc_turns::{Config, Session, TurnRecord};
///
/// #[derive(Default)]
/// struct Log(Vec<String>);
///
/// impl Observer for Log {
///     fn asking(&mut self, turn: u64, _: &Session) {
///         self.0.push(format!("turn {turn} of the model"));
///     }
///     fn ran(&mut self, record: &TurnRecord, _: &Session) {
///         self.0.push(format!("turn {} ended {}", record.turn, record.status.as_str()));
///     }
/// }
///
/// let mut model = ReplayModel::parse("replies", "## Turn 1\n(def x 1)\n## Turn 2\n(return x)")?;
/// let mut log = Log::default();
/// Agent::new(Session::new(Config::default()), Toolbox::new()).run(&mut model, &mut log);
/// assert_eq!(log.0, ["turn 1 of the model", "turn 1 ended ok", "turn 2 of the model", "turn 2 ended returned"]);
/// # Ok::<(), ptc_agent::Error>(())
/// ```
pub trait Observer {
    /// An act has begun.
    fn opened(&mut self, _act: &Act, _session: &Session) {}
    /// Something that its author should look at: a large input that was condensed, or is sent again and again.
    fn warned(&mut self, _words: &str) {}
    /// A request is made, and will be sent next.
    fn requested(&mut self, _sent: &SentRequest<'_>, _session: &Session) {}
    /// A turn is about to be asked for.
    fn asking(&mut self, _turn: u64, _session: &Session) {}
    /// A turn had begun before, and is run to its end: the model is not asked for it.
    fn going_on(&mut self, _turn: u64, _session: &Session) {}
    /// Whether pieces of answers are wanted. Without them an answer is asked for as a whole, and one that broke off can
    /// be asked for again.
    fn streams(&self) -> bool {
        true
    }
    /// The model has said a piece of its answer; only models that stream do.
    fn said(&mut self, _turn: u64, _piece: &str) {}
    /// The model has told a piece of its thoughts, which are no part of its answer; only models that stream do.
    fn thought(&mut self, _turn: u64, _piece: &str) {}
    /// A try to ask the model failed, and it is asked again after a wait.
    fn retrying(&mut self, _turn: u64, _retry: &Retry) {}
    /// Tool calls are about to be made, together where they are several: by the program of a turn, or for the inputs of
    /// an act.
    fn calling(&mut self, _calls: &[CallRequest]) {}
    /// One of these calls has its answer.
    fn call_answered(&mut self, _answer: &CallAnswer) {}
    /// Something happened in a sub-agent that a program called, or in a task that an act reads. The first is told while it runs,
    /// the second when that task has ended, before the act has begun.
    fn subtask(&mut self, _event: &SubtaskEvent) {}
    /// The model has answered.
    fn replied(&mut self, _turn: u64, _reply: &str) {}
    /// A turn has run and is kept.
    fn ran(&mut self, _record: &TurnRecord, _session: &Session) {}
}

/// What happened in a subtask, which runs on a thread of its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SubtaskEvent {
    /// The sub-agents from the outermost to the one that it happened in; of a task that an act reads, its name.
    pub path: Vec<String>,
    /// What tells this call of it from others, as the name of its trace has it.
    pub label: String,
    /// Its turn, from 1; 0 before the first.
    pub turn: u64,
    /// What happened.
    pub step: SubtaskStep,
}

/// What a subtask did.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SubtaskStep {
    /// It asks its model.
    Asking,
    /// Its model is asked again after a wait.
    Retrying(Retry),
    /// Its model has answered.
    Replied,
    /// It makes calls of tools.
    Calling(Vec<CallRequest>),
    /// A call of it has its answer.
    CallAnswered(CallAnswer),
    /// A turn of it has run.
    Ran(Status),
    /// It has ended.
    Ended(RunStatus),
}

/// A request as it is sent.
#[non_exhaustive]
pub struct SentRequest<'a> {
    /// The turn that it asks for.
    pub turn: u64,
    /// Its messages.
    pub messages: &'a [Message],
    /// What happened while it was made; warnings among it are told by [`Observer::warned`] too.
    pub events: &'a [Event],
}

/// No observer.
impl Observer for () {
    fn streams(&self) -> bool {
        false
    }
}
