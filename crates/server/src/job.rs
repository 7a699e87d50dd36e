//! A turn or a run that was asked for: how it is waited for and cancelled, and what a thread does for it.

use crate::answer::{AnswerState, Ended};
use crate::approvals::WaitingCall;
use crate::client::Client;
use crate::event::{Event, LiveEvent};
use crate::observing::Observed;
use crate::opened::Opened;
use crate::refused::{Refused, RefusedKind};
use ptc_agent::{CallDecision, Cancel, Error, ErrorKind, Observer, Pending, RunStatus};
use ptc_lisp::error::{Error as LispError, ErrorKind as LispErrorKind};
use ptc_turns::trace::journal::{CallAnswer, CallRequest, CallState};
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Session, TurnRecord, TurnText};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, broadcast, watch};

/// Bytes of the texts of its turns that an open session holds between turns, at most.
const HELD_BYTES: u64 = 1 << 20;

/// What is to be done in a session.
pub(crate) enum Work {
    /// Run this program as its next turn.
    Program(String),
    /// Go on: with the turn that has begun, or with the run.
    GoOn,
    /// Say what becomes of a call that waits; in a sub-agent, where it is named. `by` says so.
    Decide { call: u64, subtask: Option<String>, decision: CallDecision, by: Client },
    /// Record the turn that has begun, and does not run, as cancelled.
    End,
}

/// Something that was asked for and has not ended.
#[derive(Clone)]
pub(crate) struct Job {
    pub(crate) done: watch::Receiver<Option<Ended>>,
    pub(crate) shared: Arc<JobState>,
}

/// What all who know of a job share.
pub(crate) struct JobState {
    pub(crate) since: Instant,
    /// The turn that runs; 0 before that is known.
    pub(crate) turn: AtomicU64,
    /// How long it waited for its place, once it has one.
    pub(crate) queued: OnceLock<Duration>,
    /// A client wants it to end.
    cancelled: AtomicBool,
    /// Told when a client does, while it waits for its place.
    pub(crate) gone: Notify,
    flag: Mutex<Option<Cancel>>,
}

impl JobState {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(JobState {
            since: Instant::now(),
            turn: AtomicU64::new(0),
            queued: OnceLock::new(),
            cancelled: AtomicBool::new(false),
            gone: Notify::new(),
            flag: Mutex::default(),
        })
    }

    /// It waits no more.
    pub(crate) fn has_place(&self) {
        let _ = self.queued.set(self.since.elapsed());
    }

    /// Ends it for a client: its turn is recorded as cancelled.
    pub(crate) fn cancel(&self) {
        self.cancelled.store(true, Ordering::Release);
        self.gone.notify_one();
        self.stop();
    }

    /// Ends what runs and leaves it as it is in its journal.
    pub(crate) fn stop(&self) {
        let mut flag = self.flag.lock().unwrap_or_else(PoisonError::into_inner);
        flag.get_or_insert_default().cancel();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// From here on `cancel` is what ends it.
    fn attach(&self, cancel: &Cancel) {
        let mut flag = self.flag.lock().unwrap_or_else(PoisonError::into_inner);
        if flag.as_ref().is_some_and(Cancel::cancelled) {
            cancel.cancel();
        }
        *flag = Some(cancel.clone());
    }
}

/// Does the work; whether the session can be kept open for the next turn.
pub(crate) fn work(
    opened: &mut Opened,
    work: Work,
    job: &JobState,
    events: &broadcast::Sender<LiveEvent>,
    trace_bytes: u64,
) -> (Ended, bool) {
    let mut observed = std::mem::take(&mut opened.observed);
    observed.begun(job.queued.get().copied().unwrap_or_default());
    let turn = (opened.agent.session().trace().turns().len() as u64).saturating_add(1);
    let mut watch = Watch { told: Told { events, job, turn, last: None }, observed: &mut observed };
    let (ended, keep) = carry_out(opened, work, &mut watch, trace_bytes);
    observed.ended(&ended);
    opened.release_texts(HELD_BYTES);
    opened.observed = observed;
    (ended, keep)
}

fn carry_out(opened: &mut Opened, work: Work, watch: &mut Watch<'_>, trace_bytes: u64) -> (Ended, bool) {
    let (job, turn) = (watch.told.job, watch.told.turn);
    job.attach(&opened.cancel);
    watch.told.at(turn);
    if let Work::Decide { call, decision, by, .. } = work {
        let decided = opened.agent.decide_by(call, decision, by.name()).map_err(Refused::from);
        return (decided.map(|()| (turn, pending(&opened.agent.pending()))), false);
    }
    if matches!(work, Work::End) {
        let ended = match opened.agent.begun() {
            true => end(opened, watch),
            false => Err(nothing_runs()),
        };
        if !opened.is_run() || (ended.is_err() && opened.agent.begun()) {
            return (ended, false);
        }
        // The run has ended with it: it is not to go on by itself.
        job.cancel();
    }
    if let Some(ended) = run(opened, &work, watch) {
        return (ended, false);
    }
    let stepped = match work {
        Work::Program(program) => step(opened, &program, watch, trace_bytes),
        _ if opened.agent.begun() => {
            watch.begun();
            opened.agent.go_on_with(&mut watch.both()).map_err(Stepped::Error)
        }
        _ => match opened.agent.session().trace().last() {
            Some(last) => return (Ok((last.turn, AnswerState::Ended(last.clone()))), true),
            None => {
                let words = "no turn of the session has been run";
                return (Err(Refused::new(RefusedKind::Conflict, words, "run a program in it")), true);
            }
        },
    };
    let error = match stepped {
        Ok(record) => {
            watch.observed.ran(&record, opened.agent.session());
            return (Ok(watch.told.ended(record)), !opened.cancel.cancelled());
        }
        Err(Stepped::Refused(refused)) => return (Err(refused), true),
        Err(Stepped::Error(e)) => e,
    };
    if let Some(calls) = Pending::of(&error) {
        let state = pending(&calls);
        watch.told.waits(&state);
        return (Ok((turn, state)), false);
    }
    if error.kind() != ErrorKind::Cancelled {
        return (Err(broke_off(opened, turn, error)), false);
    }
    if !job.is_cancelled() {
        return (Ok((turn, AnswerState::Stopped)), false);
    }
    (end(opened, watch), false)
}

/// That nothing runs in a session.
pub(crate) fn nothing_runs() -> Refused {
    Refused::new(RefusedKind::Conflict, "nothing runs in the session", "run a program in it")
}

/// Why a turn did not end; what was done of it is on the disk, and nothing else is.
fn broke_off(opened: &Opened, turn: u64, error: Error) -> Refused {
    let refused = Refused::from(error);
    let read = ptc_agent::trace_file::read_kept(&opened.trace, &mut |t| t.reduced(KeptTexts::NONE));
    let journal = match &read {
        Ok(loaded) => loaded.trace.journal(),
        Err(_) => opened.agent.session().trace().journal(),
    };
    if journal.reply().is_none() {
        return refused;
    }
    let made = journal.calls().filter(|k| matches!(k.state, CallState::InFlight | CallState::Answered(_)));
    refused.in_turn(turn, made.count())
}

/// Records the turn that has begun as cancelled.
fn end(opened: &mut Opened, watch: &mut Watch<'_>) -> Ended {
    let words = LispError::new(LispErrorKind::Time, "the turn was cancelled before it had ended");
    let words = words.hint("nothing that it defined is there; calls that were made before have been made");
    let record = opened.agent.end_turn(&words)?;
    watch.observed.ran(&record, opened.agent.session());
    Ok(watch.told.ended(record))
}

/// Runs a task on, of a session that is the run of one.
fn run(opened: &mut Opened, work: &Work, watch: &mut Watch<'_>) -> Option<Ended> {
    if !opened.is_run() {
        return None;
    }
    if matches!(work, Work::Program(_)) {
        let words = "the session is the run of a task: a model writes its programs";
        return Some(Err(Refused::new(
            RefusedKind::Conflict,
            words,
            "wait for it, or run the program in another session",
        )));
    }
    let (events, job) = (watch.told.events, watch.told.job);
    let mut end = opened.run(&mut watch.both())?;
    let cancelled = end.status == RunStatus::Cancelled;
    if cancelled && !job.is_cancelled() {
        return Some(Ok((watch.told.turn, AnswerState::Stopped)));
    }
    if cancelled && opened.agent.begun() {
        // What was done of it is told, and a later run does not go on with it.
        match self::end(opened, watch) {
            Ok((turn, _)) => end.turns = turn,
            Err(refused) => return Some(Err(refused)),
        }
    }
    let turns = end.turns;
    let error = end.error.as_ref().map(|e| ptc_agent::host::hide_paths(&e.text()));
    let ended = Event::RunEnded { turn: turns, status: end.status.as_str(), error };
    let _ = events.send(LiveEvent::Other(ended));
    Some(Ok(match (&end.pending, end.status) {
        (Some(calls), RunStatus::Pending) => {
            let state = pending(calls);
            watch.told.at(turns.saturating_add(1));
            watch.told.waits(&state);
            (watch.told.turn, state)
        }
        _ => (turns, AnswerState::RunEnded(Arc::new(end))),
    }))
}

enum Stepped {
    Refused(Refused),
    Error(Error),
}

/// Runs a program as the next turn. One that has begun with this very program goes on: whoever did not hear of its end asks
/// again.
fn step(opened: &mut Opened, program: &str, watch: &mut Watch<'_>, trace_bytes: u64) -> Result<TurnRecord, Stepped> {
    let reply = TurnText::of_field(program).into_reply();
    let begun = opened.agent.session().trace().journal().reply().map(|(r, _)| r.reply == *reply);
    if begun == Some(false) {
        let words = format!("turn {} has begun with another program and has not ended", watch.told.turn);
        return Err(Stepped::Refused(Refused::new(RefusedKind::Conflict, words, "wait for it first, or cancel it")));
    }
    let size = opened.trace.metadata().map_or(0, |m| m.len());
    if begun.is_none() && size > trace_bytes {
        let words = format!("the session's trace has {size} bytes, more than trace_bytes = {trace_bytes}");
        return Err(Stepped::Refused(Refused::new(
            RefusedKind::Limit,
            words,
            "fork it at an earlier turn, or begin another",
        )));
    }
    watch.begun();
    let watch = &mut watch.both();
    match begun {
        Some(_) => opened.agent.go_on_with(watch),
        None => opened.agent.step_with(&reply, None, watch),
    }
    .map_err(Stepped::Error)
}

/// That these calls wait.
fn pending(calls: &Pending) -> AnswerState {
    AnswerState::Pending(calls.calls.iter().map(WaitingCall::of).collect())
}

/// Who is told of what happens: those who follow the session, and its observer.
struct Watch<'a> {
    told: Told<'a>,
    observed: &'a mut Observed,
}

impl Watch<'_> {
    /// Hears for both what the agent tells.
    fn both(&mut self) -> impl Observer + '_ {
        self.observed.behind(&mut self.told)
    }

    /// A turn that a client asks for begins.
    fn begun(&mut self) {
        self.told.begun();
        self.observed.turn_begun(self.told.turn);
    }
}

/// Tells those who follow the session.
struct Told<'a> {
    events: &'a broadcast::Sender<LiveEvent>,
    job: &'a JobState,
    turn: u64,
    /// The turn that ended last: those who follow need not read it.
    last: Option<Arc<TurnRecord>>,
}

impl Told<'_> {
    fn tell(&self, event: Event) {
        // Nobody may be there.
        let _ = self.events.send(LiveEvent::Other(event));
    }

    /// This turn is the one that runs.
    fn at(&mut self, turn: u64) {
        self.turn = turn;
        self.job.turn.store(turn, Ordering::Release);
    }

    fn begun(&self) {
        self.tell(Event::TurnBegun { turn: self.turn });
    }

    fn waits(&self, state: &AnswerState) {
        if let AnswerState::Pending(calls) = state {
            self.tell(Event::Pending { turn: self.turn, calls: calls.clone() });
        }
    }

    fn ended(&mut self, record: TurnRecord) -> (u64, AnswerState) {
        let (turn, record) = (record.turn, Arc::new(record));
        self.last = Some(record.clone());
        let _ = self.events.send(LiveEvent::TurnEnded { turn, record: Arc::downgrade(&record) });
        (turn, AnswerState::Ended(record))
    }
}

impl Observer for Told<'_> {
    fn streams(&self) -> bool {
        self.events.receiver_count() > 0
    }

    fn asking(&mut self, turn: u64, _: &Session) {
        self.at(turn);
        self.tell(Event::Asking { turn });
    }

    fn going_on(&mut self, turn: u64, _: &Session) {
        self.at(turn);
        self.begun();
    }

    fn said(&mut self, turn: u64, piece: &str) {
        self.tell(Event::Said { turn, text: piece.to_owned() });
    }

    fn replied(&mut self, turn: u64, _: &str) {
        self.at(turn);
        self.begun();
    }

    fn calling(&mut self, calls: &[CallRequest]) {
        for c in calls {
            self.tell(Event::CallBegun { turn: self.turn, id: c.id, name: c.name.clone(), args: c.args.clone() });
        }
    }

    fn call_answered(&mut self, answer: &CallAnswer) {
        self.tell(Event::CallEnded { turn: self.turn, id: answer.id, ms: answer.ms, error: answer.error.clone() });
    }

    fn ran(&mut self, record: &TurnRecord, _: &Session) {
        self.ended(record.clone());
    }
}
