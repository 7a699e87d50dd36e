//! The next act of an agent's session: its inputs read, called and run, then kept.

use super::Agent;
use super::told::{tell, warn};
use super::unopened::Unopened;
use crate::clock::now_ms;
use crate::error::{Error, ErrorKind, ErrorText};
use crate::observer::Observer;
use crate::task::act_opener::{NoAnswer, OpenedAct};
use crate::task::tool_identity;
use crate::tools::journal::{JournalStop, JournaledTools};
use crate::trace_file::TraceFile;
use crate::turn_stop::of_pending;
use ptc_turns::trace::journal::CallAnswer;
use ptc_turns::trace::record::Call;
use ptc_turns::{Called, JournalEntry, JournalPlace};
use std::cell::{Cell, RefCell};

impl Agent {
    /// Begins the next act, if one is due, and keeps it.
    ///
    /// # Errors
    /// When its inputs are not available, it refers to what history does not have any more, or it cannot be kept.
    pub fn open(&mut self, watch: &mut dyn Observer) -> Result<(), Error> {
        self.open_act(watch).map_err(|why| match why {
            Unopened::Act(p) | Unopened::Lost(p) | Unopened::Limit(p) => p,
            Unopened::Pending(p) => of_pending(p),
        })
    }

    pub(super) fn open_act(&mut self, watch: &mut dyn Observer) -> Result<(), Unopened> {
        let other = |text: ErrorText| Unopened::Act(Error::new(ErrorKind::Session, text));
        std::mem::take(&mut self.tools.warnings).iter().for_each(|w| warn(&mut self.told, w, watch));
        let Some(at) = self.session.trace().next_act() else { return Ok(()) };
        let Some(acts) = &self.acts else {
            return Err(other("the session has acts and nobody opens them; give the task it was begun with".into()));
        };
        let before = self.session.trace().clone();
        let (session, store, lost) = (&mut self.session, RefCell::new(self.store.as_mut()), Cell::new(false));
        let write = |f: &dyn Fn(&mut TraceFile) -> Result<(), Error>| {
            let kept = store.borrow_mut().as_mut().map_or(Ok(()), |s| f(s));
            lost.set(lost.get() || kept.is_err());
            kept
        };
        let (watching, subtasks) = (RefCell::new(&mut *watch), self.subtasks.as_ref());
        // Tasks that the act reads run here, so what happened in them is told when they have ended.
        let hear = || {
            if let Some(events) = subtasks {
                events.try_iter().for_each(|e| watching.borrow_mut().subtask(&e));
            }
        };
        let mut keep = |called: Called| {
            hear();
            let called = session.call_ahead(called).map_err(|e| Error::new(ErrorKind::Session, e.to_string()))?;
            write(&|s| s.append_called(&called))?;
            let Call { id, result, error, failure, ms, .. } = &called.tool_call;
            let (result, error, failure) = (result.clone(), error.clone(), failure.clone());
            watching.borrow_mut().call_answered(&CallAnswer { id: *id, result, error, failure, ms: *ms });
            Ok(())
        };
        let mut note = |entry: &JournalEntry| {
            hear();
            write(&|s| s.append_entry(entry))?;
            tell(&mut **watching.borrow_mut(), entry);
            Ok(())
        };
        let stop = Cell::new(false);
        let place = JournalPlace::Act { act: (at as u64).saturating_add(1), input: 1 };
        let journal = before.journal().clone();
        let mut tools =
            JournaledTools::new(&mut self.tools, journal, place, &mut note, &stop, &self.key).within(&self.budget);
        let opened = acts.open(at, &before, &mut tools, &mut keep);
        let (mut journal, stopped) = tools.done();
        hear();
        let OpenedAct { act, warnings } = match (opened, stopped) {
            (Ok(opened), None) => opened,
            (opened, stopped) => {
                self.session.trace().ahead().for_each(|c| journal.forget(c.tool_call.id));
                self.session.set_journal(journal);
                return Err(match (stopped, opened) {
                    (Some(JournalStop::Pending(p) | JournalStop::Inside(p)), _) => Unopened::Pending(p),
                    (Some(JournalStop::Limit(p)), _) => Unopened::Limit(p),
                    (Some(JournalStop::Store(p) | JournalStop::Replay(p)), _) => Unopened::Lost(p),
                    (None, Err(NoAnswer::Pending(p))) => Unopened::Pending(p),
                    (None, Err(NoAnswer::Error(p))) if lost.get() => Unopened::Lost(p),
                    (None, Err(NoAnswer::Error(p))) => Unopened::Act(p),
                    (None, Ok(_)) => other("the act was stopped".into()),
                });
            }
        };
        let act = self.session.open(act).map_err(|e| other(ErrorText::of(&e, e.hint())))?;
        if let Some(store) = &mut self.store {
            store.append_act(&act).map_err(Unopened::Lost)?;
        }
        warnings.iter().for_each(|w| warn(&mut self.told, w, watch));
        watch.opened(&act, &self.session);
        Ok(())
    }

    /// Asks another question behind the answer of a session that has ended ([`Session::follow_up`](ptc_turns::Session::follow_up)),
    /// with `max_turns` more turns, and keeps it; then [`Agent::run`] goes on.
    ///
    /// # Errors
    /// When no other question can be asked now, a tool that the session's prompt offers is not there, or the question cannot be
    /// kept.
    pub fn follow_up(&mut self, question: &str, max_turns: u64) -> Result<(), Error> {
        self.follow_up_with(question, max_turns, &mut ())
    }

    /// The same, and an observer is told of the question ([`Observer::opened`]).
    ///
    /// # Errors
    /// As [`Agent::follow_up`].
    pub fn follow_up_with(&mut self, question: &str, max_turns: u64, watch: &mut dyn Observer) -> Result<(), Error> {
        let offered = self.session.trace().header.tools.iter().map(|t| t.name.as_str());
        let missing: Vec<&str> = offered.filter(|name| !self.tools.has(name)).collect();
        if !missing.is_empty() {
            return Err(tool_identity::not_there(&missing).into_kind(ErrorKind::Session));
        }
        let asked = self.session.follow_up(question, max_turns, now_ms());
        let act = asked.map_err(|e| Error::new(ErrorKind::Session, ErrorText::of(&e, e.hint())))?;
        self.store.as_mut().map_or(Ok(()), |store| store.append_act(&act))?;
        watch.opened(&act, &self.session);
        Ok(())
    }
}
