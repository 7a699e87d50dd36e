//! Observers of what is done in sessions, such as those that make spans of it.

use crate::answer::Ended;
use ptc_agent::{ObservedSession, Observer, SubtaskObservers};
use ptc_turns::{Session, TurnRecord};
use std::time::Duration;

/// Makes an observer for each session that is opened ([`Serving::observers`](crate::Serving::observers)). It is called on the
/// threads that turns run on, so it may not wait.
pub trait SessionObservers: Send + Sync {
    /// That of a session, as long as it is open.
    fn session(&self, of: &ObservedSession<'_>) -> Box<dyn SessionObserver>;
}

/// Observes what is done in a session: between `begun` and `ended` a turn, or a run until it ends or stops.
pub trait SessionObserver: Send {
    /// What hears what its agent tells.
    fn observer(&mut self) -> &mut dyn Observer;
    /// Makes the observers of its subtasks. It is asked once, before anything is done.
    fn subtasks(&self) -> Option<SubtaskObservers>;
    /// Something is done now that has waited this long for its place.
    fn begun(&mut self, queued: Duration);
    /// A turn begins, or goes on, that a client asks for.
    fn turn_begun(&mut self, turn: u64);
    /// It is over: what became of it, in one word, and how it failed where a turn broke off: the kind, and words.
    fn ended(&mut self, status: &'static str, error: Option<(&str, &str)>);
}

/// The observer of a session, where there is one.
#[derive(Default)]
pub(crate) struct Observed(Option<Box<dyn SessionObserver>>);

impl Observed {
    pub(crate) fn by(observers: Option<&dyn SessionObservers>, of: &ObservedSession<'_>) -> Self {
        Observed(observers.map(|o| o.session(of)))
    }

    pub(crate) fn subtasks(&self) -> Option<SubtaskObservers> {
        self.0.as_ref().and_then(|o| o.subtasks())
    }

    /// Told together with `watch`, after it.
    pub(crate) fn behind<'a, O: Observer + ?Sized>(&'a mut self, watch: &'a mut O) -> impl Observer + 'a {
        (watch, self.0.as_mut().map(|o| o.observer()))
    }

    pub(crate) fn begun(&mut self, queued: Duration) {
        if let Some(observer) = &mut self.0 {
            observer.begun(queued);
        }
    }

    pub(crate) fn turn_begun(&mut self, turn: u64) {
        if let Some(observer) = &mut self.0 {
            observer.turn_begun(turn);
        }
    }

    pub(crate) fn ran(&mut self, record: &TurnRecord, session: &Session) {
        if let Some(observer) = &mut self.0 {
            observer.observer().ran(record, session);
        }
    }

    pub(crate) fn ended(&mut self, ended: &Ended) {
        let Some(observer) = &mut self.0 else { return };
        match ended {
            Ok((_, state)) => observer.ended(state.as_str(), None),
            Err(refused) if refused.broke_off().is_some() => {
                observer.ended("broken_off", Some((refused.kind().as_str(), refused.message())));
            }
            Err(refused) => observer.ended("refused", Some((refused.kind().as_str(), refused.message()))),
        }
    }
}
