//! Turns of an agent: a reply is kept, its program runs with tools whose calls are kept, the turn is kept.

use super::Agent;
use super::told::tell;
use crate::clock::{HostClock, now_ms, turn_seed};
use crate::error::{Error, ErrorKind};
use crate::observer::Observer;
use crate::tools::journal::{JournalStop, JournaledTools};
use crate::tools::pending::{self, CallDecision, Decided, Pending};
use crate::totals::Totals;
use crate::turn_stop::Stop;
use ptc_lisp::error::{Error as LispError, ErrorKind as LispErrorKind};
use ptc_turns::trace::journal::{BegunReply, CallState, JournalEvent};
use ptc_turns::trace::record::{Call, ModelUsage};
use ptc_turns::{JournalEntry, JournalPlace, Json, Mode, TurnContext, TurnRecord, TurnRefused, TurnText};
use std::cell::{Cell, RefCell};

impl Agent {
    /// Takes one reply as the next turn and keeps it.
    ///
    /// # Errors
    /// When the session has ended ([`ErrorKind::Ended`], [`ErrorKind::OutOfTurns`]; the source is a [`ptc_turns::TurnRefused`]),
    /// the turn could not be kept ([`ErrorKind::Trace`]), was cancelled, or waits for decisions ([`ErrorKind::Pending`];
    /// the source is a [`Pending`]), or another reply has begun it already ([`ErrorKind::Session`]).
    pub fn step(&mut self, reply: &str, usage: Option<ModelUsage>) -> Result<TurnRecord, Error> {
        self.step_with(reply, usage, &mut ())
    }

    /// The same, and an observer is told of its calls.
    ///
    /// # Errors
    /// As [`Agent::step`].
    pub fn step_with(
        &mut self,
        reply: &str,
        usage: Option<ModelUsage>,
        watch: &mut dyn Observer,
    ) -> Result<TurnRecord, Error> {
        self.begin(reply, usage)?;
        self.go_on_with(watch)
    }

    /// Whether a turn has begun that did not end: its reply is kept ([`Agent::go_on`]).
    pub fn begun(&self) -> bool {
        self.session.trace().journal().reply().is_some()
    }

    /// Keeps the reply of the next turn, before its program runs.
    pub(super) fn begin(&mut self, reply: &str, usage: Option<ModelUsage>) -> Result<(), Stop> {
        self.session.may_run().map_err(Stop::TurnRefused)?;
        let trace = self.session.trace();
        let turn = (trace.turns().len() as u64).saturating_add(1);
        if let Some((begun, _)) = trace.journal().reply() {
            return if begun.reply == reply { Ok(()) } else { Err(Stop::Begun(turn)) };
        }
        let seed = turn_seed(&trace.header, turn);
        let what = JournalEvent::Reply(BegunReply { reply: reply.to_owned(), usage, seed });
        self.note(JournalEntry::new(JournalPlace::Turn(turn), what, now_ms()))
    }

    fn note(&mut self, entry: JournalEntry) -> Result<(), Stop> {
        let entry = self.session.note(entry).map_err(|words| Stop::Replay(Error::new(ErrorKind::Session, words)))?;
        self.store.as_mut().map_or(Ok(()), |s| s.append_entry(&entry)).map_err(Stop::Store)
    }

    /// Runs the turn that has begun, whose reply is kept: one that a crash, a cancellation or a call that waits left. Calls
    /// that have their answers are not made again.
    ///
    /// # Errors
    /// As [`Agent::step`], or when no turn has begun, or the program makes other calls than it made
    /// ([`ErrorKind::Replay`]).
    pub fn go_on(&mut self) -> Result<TurnRecord, Error> {
        self.go_on_with(&mut ())
    }

    /// The same, and an observer is told of its calls.
    ///
    /// # Errors
    /// As [`Agent::go_on`].
    pub fn go_on_with(&mut self, watch: &mut dyn Observer) -> Result<TurnRecord, Error> {
        Ok(self.run_begun(watch)?)
    }

    pub(super) fn run_begun(&mut self, watch: &mut dyn Observer) -> Result<TurnRecord, Stop> {
        let trace = self.session.trace();
        let turn = (trace.turns().len() as u64).saturating_add(1);
        let journal = trace.journal().clone();
        let Some((replied, time)) = journal.reply() else { return Err(Stop::NotBegun) };
        let BegunReply { reply, usage, seed } = replied.clone();
        // Only of a turn that is run again something can be found wrong behind its end.
        let before = journal.calls().next().is_some().then(|| self.session.fork());
        let (cancel, stop) = (self.in_flight(), Cell::new(false));
        self.inside.clear();
        let (watching, subtasks) = (RefCell::new(watch), self.subtasks.as_ref());
        let hear = || {
            // Asked from within an observer, of which there is none that runs programs.
            if let (Some(events), Ok(mut watch)) = (subtasks, watching.try_borrow_mut()) {
                events.try_iter().for_each(|e| watch.subtask(&e));
            }
        };
        // It is asked again and again while tools are waited for.
        let cancelled = || {
            hear();
            stop.get() || cancel.cancelled()
        };
        let store = &mut self.store;
        let mut keep = |entry: &JournalEntry| {
            store.as_mut().map_or(Ok(()), |s| s.append_entry(entry))?;
            hear();
            tell(&mut **watching.borrow_mut(), entry);
            Ok(())
        };
        let place = JournalPlace::Turn(turn);
        let mut tools = JournaledTools::new(&mut self.tools, journal.clone(), place, &mut keep, &stop, &self.key)
            .within(&self.budget);
        let took = |id: u64| match &journal.call(id)?.state {
            CallState::Answered(a) => Some(a.ms),
            _ => None,
        };
        let clock = HostClock::start();
        let world = TurnContext {
            cancelled: &cancelled,
            now_ms: time,
            seed,
            clock: &clock,
            model: usage,
            notice: self.budget.notice(),
            took: &took,
            ..TurnContext::with_tools(&mut tools)
        };
        let ran = match &mut self.worker {
            // Of a text act nothing is run.
            Some(worker) if self.session.trace().act().is_none_or(|a| a.mode != Mode::Text) => {
                worker.turn(&mut self.session, TurnText::Reply(&reply), world)
            }
            _ => self.session.reply(&reply, world).cloned(),
        };
        let unmet = tools.unmet();
        let (journal, stopped) = tools.done();
        let record = match (ran, unmet, before) {
            (Ok(_), Some(p), Some(before)) => {
                self.session = before;
                self.session.set_journal(journal);
                return Err(Stop::Replay(p));
            }
            (Ok(record), ..) => record,
            (Err(TurnRefused::Cancelled), ..) => {
                self.session.set_journal(journal);
                let given_up = || self.given_up(&format!("turn {turn} was given up"));
                let why = match given_up() {
                    Some(e) if e.kind() == ErrorKind::RunLimit => Stop::Limit(e),
                    _ => Stop::TurnRefused(TurnRefused::Cancelled),
                };
                return Err(match stopped {
                    // What its subtasks wait for is no reason where they were given up with it.
                    Some(JournalStop::Inside(p)) if given_up().is_some() => {
                        self.inside = p.kept_inside();
                        why
                    }
                    Some(JournalStop::Pending(p) | JournalStop::Inside(p)) => Stop::Pending(p),
                    Some(JournalStop::Limit(p)) => Stop::Limit(p),
                    Some(JournalStop::Store(p)) => Stop::Store(p),
                    Some(JournalStop::Replay(p)) => Stop::Replay(p),
                    None => why,
                });
            }
            (Err(ended), ..) => return Err(Stop::TurnRefused(ended)),
        };
        self.budget.waited(Totals::tool_ms(&record.tool_calls));
        if let Some(store) = &mut self.store {
            store.append(&record).map_err(Stop::Store)?;
        }
        Ok(record)
    }

    /// Ends the turn that has begun without running it: it is recorded as an error, with the calls that were made, and the
    /// model is told. For a program that takes the process with it each time it runs.
    ///
    /// # Errors
    /// When no turn has begun, or the record cannot be kept.
    pub fn fail_turn(&mut self) -> Result<TurnRecord, Error> {
        let error =
            LispError::new(LispErrorKind::Internal, "the process ended while the program ran, and it is not run again");
        self.end_turn(&error.hint("calls that were made before have been made; go on in another way"))
    }

    /// The same with this error: why the turn ends.
    ///
    /// # Errors
    /// As [`Agent::fail_turn`].
    pub fn end_turn(&mut self, error: &LispError) -> Result<TurnRecord, Error> {
        let journal = self.session.trace().journal().clone();
        let Some((replied, time)) = journal.reply() else { return Err(Stop::NotBegun.into()) };
        let lost = |id: u64| Call {
            error: Some("the process ended while this call ran; it may have been made".to_owned()),
            id,
            name: String::new(),
            args: Json::default(),
            result: None,
            failure: None,
            ms: 0,
            together: None,
            decided: None,
        };
        let mut answered = journal.answered().peekable();
        let mut calls = Vec::new();
        for known in journal.calls() {
            let id = known.request.id;
            match (answered.next_if(|c| c.id == id), &known.state) {
                (Some(call), _) => calls.push(call),
                (None, CallState::InFlight) => {
                    let (name, args) = (known.request.name.clone(), known.request.args.clone());
                    calls.push(Call { name, args, ..lost(id) });
                }
                // It has not been made.
                _ => {}
            }
        }
        let text = TurnText::Reply(&replied.reply);
        let record = self.session.lose(text, error, calls, (time, replied.seed), replied.usage.clone()).clone();
        if let Some(store) = &mut self.store {
            store.append(&record)?;
        }
        Ok(record)
    }

    /// The calls that wait for a decision, as the session's trace has them.
    pub fn pending(&self) -> Pending {
        pending::pending(self.session.trace())
    }

    /// Says what becomes of a call that waits; then [`Agent::run`] goes on. Of a call in a subtask is said of the
    /// trace that it stands in ([`pending::decide`]).
    ///
    /// # Errors
    /// When no such call waits, or the decision cannot be kept.
    pub fn decide(&mut self, call: u64, decision: CallDecision) -> Result<(), Error> {
        let decided = pending::decide(self.session.trace(), call, decision, now_ms())?;
        self.keep_decision(decided)
    }

    /// The same, and the trace says who decided: a person as `ann@laptop`, or what a server calls its client.
    ///
    /// # Errors
    /// As [`Agent::decide`].
    pub fn decide_by(&mut self, call: u64, decision: CallDecision, by: &str) -> Result<(), Error> {
        let decided = pending::decide_by(self.session.trace(), call, decision, now_ms(), by)?;
        self.keep_decision(decided)
    }

    fn keep_decision(&mut self, decided: Decided) -> Result<(), Error> {
        match decided {
            Decided::Entry(entry) => self.note(entry).map_err(Error::from),
            Decided::Called(called) => {
                let called =
                    self.session.call_ahead(called).map_err(|e| Error::new(ErrorKind::Session, e.to_string()))?;
                self.store.as_mut().map_or(Ok(()), |s| s.append_called(&called))
            }
        }
    }
}
