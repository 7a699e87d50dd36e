//! The session between its turns and while one runs: one user at a time. The lock is held for moments only, and never while
//! Python is waited for.

use crate::errors::{Error, SessionBusy};
use ptc_turns::Session;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Between looks at whether Ctrl-C was pressed.
pub const POLL: Duration = Duration::from_millis(20);

/// The answer to a tool call: JSON text, or the words of its error.
pub type Answer = Result<String, String>;

/// What is known of a call that waits.
pub enum CallState {
    /// Nobody has begun it.
    Asked,
    /// It may have been made.
    Begun,
    /// It has its answer.
    Answered(Answer),
}

/// Ends a turn that runs, and answers its calls.
pub struct Control {
    cancelled: AtomicBool,
    answered: Mutex<Option<Sender<()>>>,
    /// Of the calls that wait, which were made together.
    calls: Mutex<Vec<CallState>>,
    /// The turn that was added for what a cancelled one had called.
    kept: Mutex<Option<u64>>,
}

impl Control {
    /// The control of a turn that is told here when all its calls that wait have their answers.
    pub fn new(answered: Sender<()>) -> Self {
        Control {
            cancelled: AtomicBool::new(false),
            answered: Mutex::new(Some(answered)),
            calls: Mutex::default(),
            kept: Mutex::default(),
        }
    }

    /// Ends the turn: a call that waits for its answer waits no more.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::SeqCst);
        lock(&self.answered).take();
    }

    /// Whether it was ended.
    pub fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// So many calls wait from now on.
    pub fn ask(&self, calls: usize) {
        *lock(&self.calls) = std::iter::repeat_with(|| CallState::Asked).take(calls).collect();
    }

    /// What has become of the calls that wait.
    pub fn asked(&self) -> Vec<CallState> {
        std::mem::take(&mut *lock(&self.calls))
    }

    /// Call `at` of those that wait is made, or has been handed to who makes it.
    pub fn begin(&self, at: usize) {
        if let Some(call @ CallState::Asked) = lock(&self.calls).get_mut(at) {
            *call = CallState::Begun;
        }
    }

    /// Answers call `at` of those that wait; the turn goes on when all have their answers. A turn that has ended, or was
    /// cancelled, takes none.
    pub fn answer(&self, at: usize, answer: Answer) {
        let mut calls = lock(&self.calls);
        let Some(call) = calls.get_mut(at).filter(|_| !self.cancelled()) else { return };
        *call = CallState::Answered(answer);
        if calls.iter().all(|c| matches!(c, CallState::Answered(_)))
            && let Some(turn) = &*lock(&self.answered)
        {
            let _ = turn.send(());
        }
    }

    /// Notes the turn that was added for what the cancelled one had called.
    pub fn keep(&self, turn: u64) {
        *lock(&self.kept) = Some(turn);
    }

    /// That turn.
    pub fn kept(&self) -> Option<u64> {
        *lock(&self.kept)
    }
}

enum State {
    Idle(Box<Session>),
    /// A turn runs.
    Running(Arc<Control>),
    /// It is looked at, which does not take long.
    Read,
    /// It was lost by a fault of ours.
    Lost(String),
}

/// A session, and whether a turn of it runs.
pub struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    process: u32,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// With this session.
    pub fn new(session: Session) -> Self {
        let state = Mutex::new(State::Idle(Box::new(session)));
        Shared { state, changed: Condvar::new(), process: std::process::id() }
    }

    fn set(&self, state: State) {
        *lock(&self.state) = state;
        self.changed.notify_all();
    }

    /// Gives the session back.
    pub fn put(&self, session: Box<Session>) {
        self.set(State::Idle(session));
    }

    /// Says that a fault of ours took it.
    pub fn lose(&self, words: String) {
        self.set(State::Lost(words));
    }

    /// Takes the session to run a turn of it.
    ///
    /// # Errors
    /// When a turn runs already. One that was cancelled is waited for.
    pub fn take(&self, py: Python<'_>, control: &Arc<Control>) -> PyResult<Box<Session>> {
        self.take_as(py, || State::Running(control.clone()))
    }

    fn take_as(&self, py: Python<'_>, becomes: impl Fn() -> State) -> PyResult<Box<Session>> {
        loop {
            {
                let mut state = lock(&self.state);
                match &*state {
                    State::Idle(_) => {
                        if let State::Idle(session) = std::mem::replace(&mut *state, becomes()) {
                            return Ok(session);
                        }
                    }
                    State::Running(control) if !control.cancelled() || self.process != std::process::id() => {
                        return Err(SessionBusy::new_err(
                            "a turn of this session is running; wait for its end, cancel() it, or fork() the session before it",
                        ));
                    }
                    State::Running(_) | State::Read => {}
                    State::Lost(words) => {
                        return Err(Error::new_err(format!(
                            "the session was lost: {words}; make one of its last dump() with Session.load"
                        )));
                    }
                }
            }
            py.detach(|| drop(self.changed.wait_timeout(lock(&self.state), POLL)));
            py.check_signals()?;
        }
    }

    /// Looks at the session, without the interpreter's lock.
    ///
    /// # Errors
    /// When a turn runs.
    pub fn read<T: Send>(&self, py: Python<'_>, look: impl FnOnce(&mut Session) -> T + Send) -> PyResult<T> {
        let mut session = self.take_as(py, || State::Read)?;
        py.detach(|| match catch_unwind(AssertUnwindSafe(|| look(&mut session))) {
            Ok(seen) => {
                self.put(session);
                Ok(seen)
            }
            Err(_) => {
                self.lose("reading it failed".to_owned());
                Err(Error::new_err("internal error, please report it: reading the session failed"))
            }
        })
    }

    /// Cancels the turn that runs; whether there was one.
    pub fn cancel(&self) -> bool {
        match &*lock(&self.state) {
            State::Running(control) => {
                control.cancel();
                true
            }
            _ => false,
        }
    }

    /// Waits until this turn has ended.
    pub fn wait_for_end_of(&self, control: &Arc<Control>) {
        let mut state = lock(&self.state);
        while matches!(&*state, State::Running(c) if Arc::ptr_eq(c, control)) && self.process == std::process::id() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
