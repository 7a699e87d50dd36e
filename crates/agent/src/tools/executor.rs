//! Runs tool calls on threads of their own: several at the same time, each with its deadline, none that blocks the host.

use crate::catch_panic::catch_panic;
use crate::tools::pending::Pending;
use ptc_lisp::interface::CallDeadline;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often the host is asked whether anybody still waits.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time that a call which ends by itself has for that, before its thread is left behind.
pub(crate) const GRACE_PERIOD: Duration = Duration::from_secs(2);
/// Most time of the turn that a call leaves to the program, which may catch its error; of a short turn a quarter.
const TURN_MARGIN: Duration = Duration::from_secs(1);
/// Most threads that may be left behind in calls that nobody waits for.
const MAX_ABANDONED_THREADS: usize = 64;
/// Stack of a call, of which only what is used is taken: an answer of `data_depth` is written by recursion.
const STACK_BYTES: usize = 32 << 20;

/// What a running call can know of itself and its caller.
#[derive(Clone, Debug)]
pub struct CallControl {
    gone: Arc<AtomicBool>,
    until: Option<Instant>,
    id: u64,
    key: Arc<str>,
    duplicates: Arc<[u64]>,
    /// What it waits for, so that it has no answer.
    waits: Arc<Mutex<Option<Pending>>>,
    depth: u32,
}

impl CallControl {
    fn new(until: Option<Instant>, job: &Job, depth: u32) -> Self {
        let (key, duplicates) = (job.key.as_str().into(), job.duplicates.as_slice().into());
        CallControl { gone: Arc::default(), until, id: job.id, key, duplicates, waits: Arc::default(), depth }
    }

    /// The numbers of calls of the same tool with the same arguments that are made together with this one.
    pub(crate) fn duplicates(&self) -> &[u64] {
        &self.duplicates
    }

    /// How deep the answer may be nested (`data_depth`).
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// The call's number in its session, from 1, as its trace has it.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// What the call can be told by: no other call of any session has it, and a call that is made again after a crash has
    /// the one it had. A service that takes idempotency keys takes this.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Says that there is no answer until somebody has said what becomes of these calls.
    pub(crate) fn suspend(&self, pending: Pending) {
        *self.waits.lock().unwrap_or_else(PoisonError::into_inner) = Some(pending);
    }

    fn suspended(&self) -> Option<Pending> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether nobody waits for the answer any more: the turn was cancelled, or its time or that of the call is over.
    /// Only the caller decides that, so that both agree on it.
    pub fn given_up(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// How long the answer will still be waited for; `None` for as long as it takes.
    pub fn left(&self) -> Option<Duration> {
        self.until.map(|u| u.saturating_duration_since(Instant::now()))
    }

    fn give_up(&self) {
        self.gone.store(true, Ordering::Relaxed);
    }
}

/// What answers: arguments as JSON text in, the answer as JSON text out.
pub(crate) type Body = Arc<dyn Fn(&str, &CallControl) -> Result<String, String> + Send + Sync>;

/// One call to be made.
pub(crate) struct Job {
    /// Its number in its session.
    pub id: u64,
    /// What it can be told by.
    pub key: String,
    /// The numbers of calls of the same tool with the same arguments that are made together with it.
    pub duplicates: Vec<u64>,
    /// Who answers.
    pub body: Body,
    /// Its arguments, as JSON text.
    pub args: String,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// How long it may take to end by itself when it is given up; `None` of one that does not.
    pub stops_within: Option<Duration>,
    /// Calls of the same row are made one after the other, in their order.
    pub row: Option<usize>,
}

/// Called with each answer as it comes, and the index of its call.
pub(crate) type OnDone<'a> = &'a mut dyn FnMut(usize, &Result<String, String>);

/// Makes the calls, those of one row after each other and all others at the same time; answers are in order, each with
/// what its call waits for, if it does. `over` is called with every answer as it comes; not with that of a call which was cancelled
/// or waits. `left` counts threads that hang in calls which were given up.
pub(crate) fn run(jobs: Vec<Job>, wait: &CallDeadline<'_>, left: &Arc<AtomicUsize>, over: OnDone<'_>) -> Vec<Done> {
    if left.load(Ordering::Relaxed).saturating_add(jobs.len()) > MAX_ABANDONED_THREADS {
        let words = format!(
            "too many calls that were given up still hang (at most {MAX_ABANDONED_THREADS}); start the process again"
        );
        let refused = |i| {
            let answer = Err(words.clone());
            over(i, &answer);
            (answer, None)
        };
        return (0..jobs.len()).map(refused).collect();
    }
    let until = wait.left_ms.and_then(|ms| {
        let left = Duration::from_millis(ms);
        let margin = TURN_MARGIN.min(left.checked_div(4).unwrap_or_default());
        Instant::now().checked_add(left.saturating_sub(margin))
    });
    let (said, hear) = channel();
    let mut calls = Vec::with_capacity(jobs.len());
    let mut rows: Vec<(Option<usize>, Vec<Start>)> = Vec::new();
    for (i, job) in jobs.into_iter().enumerate() {
        let control = CallControl::new(until, &job, wait.limits.data_depth);
        calls.push(Call {
            control: control.clone(),
            timeout: job.timeout,
            stops_within: job.stops_within,
            row: job.row,
            state: State::Waits,
            told: false,
            cancelled: false,
            timed_out: false,
        });
        let start = Start { i, job, control };
        match rows.iter_mut().find(|r| r.0.is_some() && r.0 == start.job.row) {
            Some(row) => row.1.push(start),
            None => rows.push((start.job.row, vec![start])),
        }
    }
    for (_, row) in rows {
        let (said, counted) = (said.clone(), left.clone());
        let numbers: Vec<usize> = row.iter().map(|s| s.i).collect();
        let thread = std::thread::Builder::new().name("ptc-tool".into()).stack_size(STACK_BYTES);
        counted.fetch_add(1, Ordering::Relaxed);
        let spawned = thread.spawn(move || {
            let _here = Here(counted);
            row.into_iter().for_each(|s| s.run(&said));
        });
        if let Err(e) = spawned {
            left.fetch_sub(1, Ordering::Relaxed);
            for i in numbers {
                if let Some(call) = calls.get_mut(i) {
                    call.state = State::Over(Err(format!("a thread for the call cannot be started: {e}")));
                }
            }
        }
    }
    drop(said);
    listen(&mut calls, &hear, wait, until, over);
    calls.into_iter().map(Call::answer).collect()
}

/// The answer of a call, and what it waits for.
pub(crate) type Done = (Result<String, String>, Option<Pending>);

/// Counts a thread for as long as it runs.
struct Here(Arc<AtomicUsize>);

impl Drop for Here {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A call that is to begin.
struct Start {
    i: usize,
    job: Job,
    control: CallControl,
}

/// From the thread of a call.
enum News {
    Began,
    Ended(Result<String, String>),
}

impl Start {
    fn run(self, said: &Sender<(usize, News)>) {
        // In a row whose caller has gone nothing more is begun.
        if self.control.given_up() || said.send((self.i, News::Began)).is_err() {
            return;
        }
        let limit = self.job.timeout.and_then(|t| Instant::now().checked_add(t));
        let until = [self.control.until, limit].into_iter().flatten().min();
        let control = CallControl { until, ..self.control };
        let answer = catch_panic(AssertUnwindSafe(|| (self.job.body)(&self.job.args, &control)));
        let answer = answer.unwrap_or_else(|words| Err(format!("the tool panicked: {words}")));
        let _ = said.send((self.i, News::Ended(answer)));
    }
}

/// A call as its caller sees it.
struct Call {
    control: CallControl,
    timeout: Option<Duration>,
    stops_within: Option<Duration>,
    row: Option<usize>,
    state: State,
    /// Its answer was told.
    told: bool,
    /// It was given up because its turn was cancelled.
    cancelled: bool,
    /// It was given up for another reason: its program gets an error, whatever it waits for.
    timed_out: bool,
}

enum State {
    /// Not begun.
    Waits,
    /// Begun; its own time is over then.
    Runs(Option<Instant>),
    /// Given up for this reason; an answer may still come until then.
    Leaving(String, Instant),
    /// Answered, or nobody waits any more.
    Over(Result<String, String>),
}

impl Call {
    fn answer(self) -> Done {
        let waits = self.waits();
        match self.state {
            State::Over(answer) => (answer, waits),
            _ => (Err("the call was not made".to_owned()), waits),
        }
    }

    /// What it waits for, so that it has no answer.
    fn waits(&self) -> Option<Pending> {
        self.control.suspended().filter(|_| !self.timed_out)
    }

    /// Tells its answer, once, if it has one.
    fn tell(&mut self, i: usize, over: OnDone<'_>) {
        if let State::Over(answer) = &self.state
            && !self.told
        {
            self.told = true;
            if !self.cancelled && self.waits().is_none() {
                over(i, answer);
            }
        }
    }

    /// Nobody waits for it any more, except for a moment when it ends by itself.
    fn leave(&mut self, why: String) {
        if matches!(self.state, State::Over(_) | State::Leaving(..)) {
            return;
        }
        self.control.give_up();
        self.timed_out = !self.cancelled;
        let begun = matches!(self.state, State::Runs(_));
        self.state = match self.stops_within.and_then(|grace| Instant::now().checked_add(grace)) {
            Some(until) if begun => State::Leaving(why, until),
            _ => State::Over(Err(why)),
        };
    }
}

/// Waits until every call is over, in one way or the other.
fn listen(
    calls: &mut [Call],
    hear: &Receiver<(usize, News)>,
    wait: &CallDeadline<'_>,
    until: Option<Instant>,
    over: OnDone<'_>,
) {
    loop {
        calls.iter_mut().enumerate().for_each(|(i, c)| c.tell(i, over));
        if calls.iter().all(|c| matches!(c.state, State::Over(_))) {
            return;
        }
        hear_once(calls, hear, wait, until);
    }
}

fn hear_once(calls: &mut [Call], hear: &Receiver<(usize, News)>, wait: &CallDeadline<'_>, until: Option<Instant>) {
    // The end of the turn's time may be nearer than the next look.
    let poll = until.map_or(POLL_INTERVAL, |u| u.saturating_duration_since(Instant::now()).min(POLL_INTERVAL));
    match hear.recv_timeout(poll.max(Duration::from_millis(1))) {
        Ok((i, news)) => heard(calls, i, news),
        Err(RecvTimeoutError::Timeout) => {}
        Err(RecvTimeoutError::Disconnected) => {
            // Threads that end without a word have not begun.
            calls.iter_mut().for_each(|c| c.leave("the call was not made".to_owned()));
            return;
        }
    }
    let cancelled = (wait.cancelled)();
    // What has arrived by now is an answer, however many came at once: it was paid for, and is not given up.
    while let Ok((i, news)) = hear.try_recv() {
        heard(calls, i, news);
    }
    let now = Instant::now();
    if cancelled {
        for call in calls.iter_mut().filter(|c| !matches!(c.state, State::Over(_))) {
            call.cancelled = true;
            call.leave("the turn was cancelled".to_owned());
        }
    }
    if until.is_some_and(|u| now >= u) {
        let words = format!(
            "no answer within the turn's time (wall_ms = {}); more is given with --set limits.wall_ms=MS",
            wait.limits.wall_ms
        );
        calls.iter_mut().for_each(|c| c.leave(words.clone()));
    }
    let mut stuck = Vec::new();
    for call in calls.iter_mut() {
        match &call.state {
            State::Runs(Some(limit)) if now >= *limit => {
                let ms = call.timeout.unwrap_or_default().as_millis();
                call.leave(format!("no answer within its time (timeout_ms = {ms})"));
                stuck.extend(call.row.filter(|_| matches!(call.state, State::Over(_))));
            }
            State::Leaving(why, last) if now >= *last => {
                call.state = State::Over(Err(why.clone()));
                stuck.extend(call.row);
            }
            _ => {}
        }
    }
    // What stands behind a call that hangs cannot be made.
    for call in
        calls.iter_mut().filter(|c| matches!(c.state, State::Waits) && c.row.is_some_and(|r| stuck.contains(&r)))
    {
        call.leave("the call was not made: the one before it hangs".to_owned());
    }
}

fn heard(calls: &mut [Call], i: usize, news: News) {
    let Some(call) = calls.get_mut(i) else { return };
    match (news, &call.state) {
        (News::Began, State::Waits) => {
            call.state = State::Runs(call.timeout.and_then(|t| Instant::now().checked_add(t)));
        }
        // What it has to say about that goes with it.
        (News::Ended(Err(more)), State::Leaving(why, _)) if !more.is_empty() => {
            call.state = State::Over(Err(format!("{why}; {more}")));
        }
        (News::Ended(_), State::Leaving(why, _)) => call.state = State::Over(Err(why.clone())),
        (News::Ended(answer), State::Runs(_)) => call.state = State::Over(answer),
        _ => {}
    }
}
