//! Observers of a run.

use crate::model::{CountedAs, Reply, Retry, Settings};
use crate::run_outcome::{RunOutcome, RunStatus};
use ptc_history::Message;
use ptc_history::view::Event;
use ptc_turns::trace::journal::{CallAnswer, CallRequest};
use ptc_turns::{Act, Session, Status, TurnRecord};
use std::sync::Arc;

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
    /// An act has begun, or a further question was asked ([`Agent::follow_up_with`](crate::Agent::follow_up_with)), which stands
    /// in the trace as one.
    fn opened(&mut self, _act: &Act, _session: &Session) {}
    /// Something that its author should look at: a large input that was condensed, or is sent again and again.
    fn warned(&mut self, _words: &str) {}
    /// A request is made, and will be sent next.
    fn requested(&mut self, _sent: &SentRequest<'_>, _session: &Session) {}
    /// A turn is about to be asked for.
    fn asking(&mut self, _turn: u64, _session: &Session) {}
    /// The request goes to this model now.
    fn sending(&mut self, _turn: u64, _model: &AskedModel<'_>) {}
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
    /// The model has answered: all that it said, and what that cost. It is not kept yet.
    fn answered(&mut self, _turn: u64, _reply: &Reply) {}
    /// The answer is kept, and will be run next.
    fn replied(&mut self, _turn: u64, _reply: &str) {}
    /// A turn has run and is kept.
    fn ran(&mut self, _record: &TurnRecord, _session: &Session) {}
    /// The run has ended. Nothing follows.
    fn run_ended(&mut self, _outcome: &RunOutcome, _session: &Session) {}
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

/// The model that a request goes to.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AskedModel<'a> {
    /// Its provider and name; `None` of models that do not say them, as recorded ones.
    pub counted_as: Option<CountedAs>,
    /// How it is to answer.
    pub settings: &'a Settings,
    /// Whether the answer is asked for in pieces.
    pub streams: bool,
}

/// Makes an observer for each subtask of a run, and for those inside them, which work on threads of their own:
/// [`RunContext::observers`](crate::RunContext::observers). What an observer of the run itself hears of them
/// ([`Observer::subtask`]) is less, and later.
#[derive(Clone)]
pub struct SubtaskObservers {
    make: Arc<MakeObserver>,
    /// The label of the subtask that they stand in; empty of the run itself.
    caller: String,
}

type MakeObserver = dyn Fn(&BegunSubtask<'_>) -> Box<dyn Observer> + Send + Sync;

/// A subtask that is about to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BegunSubtask<'a> {
    /// What it is called by: the sub-agent's name as a tool, or that of a task that an act reads.
    pub name: &'a str,
    /// What tells this call of it from all others of the run, as the name of its trace has it: of one inside another both
    /// labels with a point between.
    pub label: &'a str,
    /// The label of the subtask that runs it; empty of the run itself.
    pub caller: &'a str,
    /// The caller's tool call that it answers; `None` of a task that an act reads.
    pub call: Option<u64>,
}

impl SubtaskObservers {
    /// Has `make` called for each subtask when it begins, on the thread that it runs on.
    pub fn new(make: impl Fn(&BegunSubtask<'_>) -> Box<dyn Observer> + Send + Sync + 'static) -> Self {
        SubtaskObservers { make: Arc::new(make), caller: String::new() }
    }

    /// Those of the subtasks of the subtask with this label.
    pub(crate) fn inside(&self, label: &str) -> Self {
        SubtaskObservers { make: self.make.clone(), caller: self.label(label) }
    }

    /// That of a subtask.
    pub(crate) fn begin(&self, name: &str, label: &str, call: Option<u64>) -> Box<dyn Observer> {
        (self.make)(&BegunSubtask { name, label: &self.label(label), caller: &self.caller, call })
    }

    fn label(&self, label: &str) -> String {
        if self.caller.is_empty() { label.to_owned() } else { format!("{}.{label}", self.caller) }
    }
}

/// All methods that tell something, handed on by `$to`.
macro_rules! handed_on {
    ($to:ident) => {
        fn opened(&mut self, act: &Act, session: &Session) {
            $to!(self, opened(act, session));
        }
        fn warned(&mut self, words: &str) {
            $to!(self, warned(words));
        }
        fn requested(&mut self, sent: &SentRequest<'_>, session: &Session) {
            $to!(self, requested(sent, session));
        }
        fn asking(&mut self, turn: u64, session: &Session) {
            $to!(self, asking(turn, session));
        }
        fn sending(&mut self, turn: u64, model: &AskedModel<'_>) {
            $to!(self, sending(turn, model));
        }
        fn going_on(&mut self, turn: u64, session: &Session) {
            $to!(self, going_on(turn, session));
        }
        fn said(&mut self, turn: u64, piece: &str) {
            $to!(self, said(turn, piece));
        }
        fn thought(&mut self, turn: u64, piece: &str) {
            $to!(self, thought(turn, piece));
        }
        fn retrying(&mut self, turn: u64, retry: &Retry) {
            $to!(self, retrying(turn, retry));
        }
        fn calling(&mut self, calls: &[CallRequest]) {
            $to!(self, calling(calls));
        }
        fn call_answered(&mut self, answer: &CallAnswer) {
            $to!(self, call_answered(answer));
        }
        fn subtask(&mut self, event: &SubtaskEvent) {
            $to!(self, subtask(event));
        }
        fn answered(&mut self, turn: u64, reply: &Reply) {
            $to!(self, answered(turn, reply));
        }
        fn replied(&mut self, turn: u64, reply: &str) {
            $to!(self, replied(turn, reply));
        }
        fn ran(&mut self, record: &TurnRecord, session: &Session) {
            $to!(self, ran(record, session));
        }
        fn run_ended(&mut self, outcome: &RunOutcome, session: &Session) {
            $to!(self, run_ended(outcome, session));
        }
    };
}

macro_rules! to_both {
    ($this:ident, $method:ident($($arg:expr),*)) => {
        $this.0.$method($($arg),*);
        $this.1.$method($($arg),*);
    };
}

macro_rules! to_inner {
    ($this:ident, $method:ident($($arg:expr),*)) => {
        (**$this).$method($($arg),*);
    };
}

macro_rules! to_some {
    ($this:ident, $method:ident($($arg:expr),*)) => {
        if let Some(observer) = $this {
            observer.$method($($arg),*);
        }
    };
}

/// Two observers: each is told everything, the first one first. Pieces of answers are wanted where one of them wants them.
impl<A: Observer, B: Observer> Observer for (A, B) {
    handed_on!(to_both);

    fn streams(&self) -> bool {
        self.0.streams() || self.1.streams()
    }
}

impl<O: Observer + ?Sized> Observer for Box<O> {
    handed_on!(to_inner);

    fn streams(&self) -> bool {
        (**self).streams()
    }
}

impl<O: Observer + ?Sized> Observer for &mut O {
    handed_on!(to_inner);

    fn streams(&self) -> bool {
        (**self).streams()
    }
}

/// An observer, or none.
impl<O: Observer> Observer for Option<O> {
    handed_on!(to_some);

    fn streams(&self) -> bool {
        self.as_ref().is_some_and(Observer::streams)
    }
}

/// No observer.
impl Observer for () {
    fn streams(&self) -> bool {
        false
    }
}
