//! Calls on threads of their own: several at the same time, each with its deadline, none that holds the host.

use crate::quietly::quietly;
use ptc_lisp::outside::Wait;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// How often the host is asked whether anybody still waits.
const PULSE: Duration = Duration::from_millis(20);
/// Time that a call which ends by itself has for that, before its thread is left behind.
const GRACE: Duration = Duration::from_secs(2);
/// Over the turn's time: the turn's own limit is to be what is told.
const OVER: Duration = Duration::from_millis(2);
/// Most threads that may be left behind in calls that nobody waits for.
const LEFT: usize = 64;
/// Stack of a call.
const STACK: usize = 8 << 20;

/// What a running call can know of its caller.
#[derive(Clone, Debug)]
pub struct Control {
    gone: Arc<AtomicBool>,
    until: Option<Instant>,
}

impl Control {
    fn new(until: Option<Instant>) -> Self {
        Control { gone: Arc::default(), until }
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
pub type Body = Arc<dyn Fn(&str, &Control) -> Result<String, String> + Send + Sync>;

/// One call to be made.
pub struct Job {
    /// Who answers.
    pub body: Body,
    /// Its arguments, as JSON text.
    pub args: String,
    /// How long it may take.
    pub timeout: Option<Duration>,
    /// Whether it ends by itself, soon, when it is given up.
    pub minds: bool,
    /// Calls of the same number are made one after the other, in their order.
    pub row: Option<usize>,
}

/// Makes the calls, those of one row after each other and all others at the same time; answers are in order.
/// `left` counts threads that hang in calls which were given up.
pub fn run(jobs: Vec<Job>, wait: &Wait<'_>, left: &Arc<AtomicUsize>) -> Vec<Result<String, String>> {
    if left.load(Ordering::Relaxed).saturating_add(jobs.len()) > LEFT {
        let words = format!("too many calls that were given up still hang (at most {LEFT}); start the process again");
        return jobs.iter().map(|_| Err(words.clone())).collect();
    }
    let until = wait
        .left_ms
        .and_then(|ms| Instant::now().checked_add(Duration::from_millis(ms)))
        .map(|u| u.checked_add(OVER).unwrap_or(u));
    let (said, hear) = channel();
    let mut calls = Vec::with_capacity(jobs.len());
    let mut rows: Vec<(Option<usize>, Vec<Start>)> = Vec::new();
    for (i, job) in jobs.into_iter().enumerate() {
        let control = Control::new(until);
        calls.push(Call {
            control: control.clone(),
            timeout: job.timeout,
            minds: job.minds,
            row: job.row,
            state: State::Waits,
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
        let thread = std::thread::Builder::new().name("ptc-tool".into()).stack_size(STACK);
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
    listen(&mut calls, &hear, wait, until);
    calls.into_iter().map(Call::answer).collect()
}

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
    control: Control,
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
        let control = Control { until, ..self.control };
        let answer = quietly(AssertUnwindSafe(|| (self.job.body)(&self.job.args, &control)));
        let answer = answer.unwrap_or_else(|words| Err(format!("the tool panicked: {words}")));
        let _ = said.send((self.i, News::Ended(answer)));
    }
}

/// A call as its caller sees it.
struct Call {
    control: Control,
    timeout: Option<Duration>,
    minds: bool,
    row: Option<usize>,
    state: State,
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
    fn answer(self) -> Result<String, String> {
        match self.state {
            State::Over(answer) => answer,
            _ => Err("the call was not made".to_owned()),
        }
    }

    /// Nobody waits for it any more, except for a moment when it ends by itself.
    fn leave(&mut self, why: String) {
        if matches!(self.state, State::Over(_) | State::Leaving(..)) {
            return;
        }
        self.control.give_up();
        let begun = matches!(self.state, State::Runs(_));
        self.state = match Instant::now().checked_add(GRACE) {
            Some(until) if self.minds && begun => State::Leaving(why, until),
            _ => State::Over(Err(why)),
        };
    }
}

/// Waits until every call is over, in one way or the other.
fn listen(calls: &mut [Call], hear: &Receiver<(usize, News)>, wait: &Wait<'_>, until: Option<Instant>) {
    while calls.iter().any(|c| !matches!(c.state, State::Over(_))) {
        match hear.recv_timeout(PULSE) {
            Ok((i, news)) => heard(calls, i, news),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // Threads that end without a word have not begun.
                calls.iter_mut().for_each(|c| c.leave("the call was not made".to_owned()));
                return;
            }
        }
        let now = Instant::now();
        if (wait.cancelled)() {
            calls.iter_mut().for_each(|c| c.leave("the turn was cancelled".to_owned()));
        }
        if until.is_some_and(|u| now >= u) {
            let words = format!("no answer within the turn's time (wall_ms = {})", wait.limits.wall_ms);
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
