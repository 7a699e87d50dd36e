//! Observers of a run.

use ptc_history::Message;
use ptc_history::view::Event;
use ptc_turns::{Act, Session, TurnRecord};

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
    /// The model has answered.
    fn replied(&mut self, _turn: u64, _reply: &str) {}
    /// A turn has run and is kept.
    fn ran(&mut self, _record: &TurnRecord, _session: &Session) {}
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
