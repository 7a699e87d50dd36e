//! Tools with a journal: a call is written down before it is made, its answer as soon as it is there, and
//! a call that is written there is not made again.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::run_budget::RunBudget;
use crate::tools::pending::{Pending, PendingReason, waiting};
use crate::tools::toolbox::{OnCrash, Toolbox};
use ptc_lisp::interface::{CallDeadline, ToolRequest, Tools};
use ptc_lisp::value::Value;
use ptc_lisp::{escape, json};
use ptc_turns::trace::journal::{CallAnswer, CallRequest, CallState, Journal, JournalEvent};
use ptc_turns::{JournalEntry, JournalPlace, Json};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::PoisonError;

/// What a program gets for a call whose tool says `on_crash = "fail"`.
const LOST: &str = "the process ended while this call ran; it may have been made";

/// Writes down a line of the journal.
pub(crate) type Keep<'a> = &'a mut dyn FnMut(&JournalEntry) -> Result<(), Error>;

/// Why a turn was stopped from here.
pub(crate) enum JournalStop {
    /// Calls wait for a decision.
    Pending(Pending),
    /// Calls of subtasks do.
    Inside(Pending),
    /// A line could not be written.
    Store(Error),
    /// What is run again makes other calls than were made.
    Replay(Error),
    /// A limit of the whole run is used up.
    Limit(Error),
}

/// The tools of one turn, or of an act's inputs.
pub(crate) struct JournaledTools<'a> {
    tools: &'a mut Toolbox,
    journal: Journal,
    place: JournalPlace,
    keep: Keep<'a>,
    /// Raised when nothing more may happen; whoever runs the turn counts it as cancelled.
    stop: &'a Cell<bool>,
    session: &'a str,
    /// Calls of the journal that were not made again yet.
    unmet: BTreeSet<u64>,
    stopped: Option<JournalStop>,
    budget: RunBudget,
}

impl<'a> JournaledTools<'a> {
    /// These tools, continuing with this journal. `session` is what keys of new calls begin with.
    pub(crate) fn new(
        tools: &'a mut Toolbox,
        journal: Journal,
        place: JournalPlace,
        keep: Keep<'a>,
        stop: &'a Cell<bool>,
        session: &'a str,
    ) -> Self {
        let unmet = journal.calls().map(|k| k.request.id).collect();
        JournaledTools {
            tools,
            journal,
            place,
            keep,
            stop,
            session,
            unmet,
            stopped: None,
            budget: RunBudget::default(),
        }
    }

    /// The same; calls are counted in this, and not made when it is used up.
    pub(crate) fn within(mut self, budget: &RunBudget) -> Self {
        self.budget = budget.clone();
        self
    }

    /// From here on calls are for this.
    pub(crate) fn at(&mut self, place: JournalPlace) {
        self.place = place;
    }

    /// Whether it was stopped.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    /// What was kept, and why the turn was stopped from here, if it was.
    pub(crate) fn done(self) -> (Journal, Option<JournalStop>) {
        (self.journal, self.stopped)
    }

    /// A call that was made before and is not made now that its turn has ended again.
    pub(crate) fn unmet(&self) -> Option<Error> {
        let known = self.unmet.first().and_then(|id| self.journal.call(*id))?;
        let CallRequest { id, name, args, .. } = &known.request;
        Some(self.differs(&format!("call {id}, tool/{} {}, is not made now", escape::line(name), short(args))))
    }

    fn differs(&self, words: &str) -> Error {
        let hint = "put back what has changed since, or have the turn recorded as failed (--fail-turn)";
        Error::new(ErrorKind::Trace, error_text!("{} does not replay: {words}", self.place; "{hint}"))
    }

    fn stop(&mut self, why: JournalStop) {
        self.stop.set(true);
        self.stopped.get_or_insert(why);
    }

    /// Writes a line; whether it stands.
    fn note(&mut self, what: JournalEvent) -> bool {
        let entry = JournalEntry::new(self.place, what, crate::clock::now_ms());
        let kept =
            (self.keep)(&entry).and_then(|()| self.journal.push(entry).map(drop).map_err(|words| self.differs(&words)));
        match kept {
            Ok(()) => true,
            Err(p) => {
                self.stop(JournalStop::Store(p));
                false
            }
        }
    }

    /// What becomes of these calls.
    fn sort(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Result<Sorted, JournalStop> {
        let mut out = Sorted { answers: calls.iter().map(|_| None).collect(), ..Sorted::default() };
        for (i, call) in calls.iter().enumerate() {
            let args = json::to_text(call.args).ok().and_then(Json::new).unwrap_or_default();
            self.unmet.remove(&call.id);
            let known = self.journal.call(call.id);
            let same = |r: &CallRequest| r.name == call.name && r.args == args;
            let request = match known {
                Some(k) if same(&k.request) => k.request.clone(),
                Some(k) if matches!(self.place, JournalPlace::Turn(_)) => {
                    let (was, now) = (escape::line(&k.request.name), escape::line(call.name));
                    let was = format!("was tool/{was} {}", short(&k.request.args));
                    let words = format!("call {} is tool/{now} {} now, and {was}", call.id, short(&args));
                    return Err(JournalStop::Replay(self.differs(&words)));
                }
                // Of an act whose task was edited, or a new one.
                _ => {
                    let key = format!("{}-{}", self.session, call.id);
                    CallRequest { id: call.id, name: call.name.to_owned(), args: args.clone(), key }
                }
            };
            let state = known.filter(|k| same(&k.request)).map(|k| &k.state);
            match state {
                Some(CallState::Answered(a)) => {
                    let answer = match (&a.error, &a.result) {
                        (Some(words), _) => Err(words.clone()),
                        (None, Some(json)) => self.tools.read(call.name, json.text(), wait.limits),
                        (None, None) => Ok(Value::Nil),
                    };
                    if let Some(slot) = out.answers.get_mut(i) {
                        *slot = Some(answer);
                    }
                }
                Some(CallState::Waiting) => out.waiting.push((request, PendingReason::Approval)),
                Some(CallState::InFlight) => match (self.tools.on_crash(call.name), self.place) {
                    (OnCrash::Repeat, _) => out.make.push((i, request)),
                    (OnCrash::Fail, JournalPlace::Turn(_)) => out.lost.push((i, request.id)),
                    // An act cannot begin without its inputs: somebody has to say.
                    (OnCrash::Fail | OnCrash::Ask, _) => out.waiting.push((request, PendingReason::InFlight)),
                },
                Some(CallState::May) => out.make.push((i, request)),
                None if self.tools.wants_approval(call.name) => out.new.push(request),
                None => out.make.push((i, request)),
            }
        }
        Ok(out)
    }

    fn make(
        &mut self,
        calls: &[ToolRequest<'_>],
        sorted: Sorted,
        wait: &CallDeadline<'_>,
    ) -> Option<Vec<Result<Value, String>>> {
        let Sorted { mut answers, make, waiting: mut waits, new, lost } = sorted;
        for (i, id) in lost {
            if !self.note(JournalEvent::Answered(CallAnswer {
                id,
                result: None,
                error: Some(LOST.to_owned()),
                failure: None,
                ms: 0,
            })) {
                return None;
            }
            *answers.get_mut(i)? = Some(Err(LOST.to_owned()));
        }
        if !new.is_empty() && !self.note(JournalEvent::Waiting(new.clone())) {
            return None;
        }
        waits.extend(new.into_iter().map(|r| (r, PendingReason::Approval)));
        if !waits.is_empty() {
            waits.sort_by_key(|w| w.0.id);
            let calls = waits.iter().map(|(request, why)| waiting(request, *why)).collect();
            self.stop(JournalStop::Pending(Pending { calls }));
            return None;
        }
        if make.is_empty() {
            return answers.into_iter().collect();
        }
        if let Err(p) = self.budget.take_calls(make.len() as u64) {
            // Nothing was made: the turn can be run again.
            self.stop(JournalStop::Limit(p));
            return None;
        }
        if !self.note(JournalEvent::Asked(make.iter().map(|m| m.1.clone()).collect())) {
            return None;
        }
        let asked: Vec<ToolRequest<'_>> = make.iter().filter_map(|(i, _)| calls.get(*i).copied()).collect();
        let keys: Vec<String> = make.iter().map(|m| m.1.key.clone()).collect();
        // Of an act the call is kept as a line of its own, or as part of the act.
        let of_turn = matches!(self.place, JournalPlace::Turn(_));
        let (place, keep, journal, stop) = (self.place, &mut self.keep, &mut self.journal, self.stop);
        let mut failed = None;
        let failures = self.tools.failures();
        let mut note = |i: usize, answer: Result<&str, &str>, ms: u64| {
            let (true, Some((_, request)), None) = (of_turn, make.get(i), &failed) else { return };
            let (result, error) = match answer {
                Ok(text) => (Json::new(text.to_owned()), None),
                Err(words) => (None, Some(words.to_owned())),
            };
            let failure = failures.lock().unwrap_or_else(PoisonError::into_inner).get(&request.id).cloned();
            let failure = failure.and_then(Json::new).filter(|_| error.is_some());
            let what = JournalEvent::Answered(CallAnswer { id: request.id, result, error, failure, ms });
            let entry = JournalEntry::new(place, what, crate::clock::now_ms());
            let kept =
                keep(&entry).and_then(|()| journal.push(entry).map(drop).map_err(|w| Error::new(ErrorKind::Trace, w)));
            if let Err(p) = kept {
                failed = Some(p);
                stop.set(true);
            }
        };
        let (made, inside) = self.tools.make(&asked, &keys, wait, &mut note);
        if let Some(p) = failed {
            self.stop(JournalStop::Store(p));
        }
        if !inside.calls.is_empty() {
            self.stop(JournalStop::Inside(inside));
        }
        for ((i, _), answer) in make.iter().zip(made) {
            *answers.get_mut(*i)? = Some(answer);
        }
        answers.into_iter().collect()
    }
}

/// What becomes of some calls.
#[derive(Default)]
struct Sorted {
    /// Answers that are known.
    answers: Vec<Option<Result<Value, String>>>,
    /// Those that are made, by their places.
    make: Vec<(usize, CallRequest)>,
    /// Those that wait.
    waiting: Vec<(CallRequest, PendingReason)>,
    /// Those that wait from now on.
    new: Vec<CallRequest>,
    /// Those that were in flight and fail: places and numbers.
    lost: Vec<(usize, u64)>,
}

impl Tools for JournaledTools<'_> {
    fn failure(&mut self, id: u64) -> Option<Value> {
        match self.journal.call(id).map(|k| &k.state) {
            Some(CallState::Answered(a)) => a.failure.as_ref()?.value(),
            _ => self.tools.failure(id),
        }
    }

    fn call(&mut self, id: u64, name: &str, args: &Value) -> Result<Value, String> {
        let limits = ptc_lisp::limits::Limits::default();
        let answers = self.call_many(&[ToolRequest { id, name, args }], &CallDeadline::forever(&limits));
        answers.into_iter().next().unwrap_or_else(|| Err("nobody answered".to_owned()))
    }

    fn call_many(&mut self, calls: &[ToolRequest<'_>], wait: &CallDeadline<'_>) -> Vec<Result<Value, String>> {
        let answers = match self.stop.get() {
            true => None,
            false => match self.sort(calls, wait) {
                Ok(sorted) => self.make(calls, sorted, wait),
                Err(why) => {
                    self.stop(why);
                    None
                }
            },
        };
        // Whoever gets these is stopped at once.
        answers.unwrap_or_else(|| calls.iter().map(|_| Err("the turn was stopped".to_owned())).collect())
    }
}

fn short(args: &Json) -> String {
    ptc_lisp::error::cut(escape::line(args.text()), 200)
}
