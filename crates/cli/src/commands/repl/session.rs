//! The session of a REPL: inputs are its turns.

use super::tools::{Ask, AskingTools, TurnClock};
use ptc_agent::{Cancel, Environment, Error, RunContext, Task, Toolbox, TraceFile, host};
use ptc_turns::trace::Step;
use ptc_turns::{Session, TurnContext, TurnRecord, TurnRefused};
use std::panic::AssertUnwindSafe;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// What runs now, for the tasks inside this one too.
#[derive(Clone, Default)]
pub struct Running(Arc<Mutex<Cancel>>);

impl Running {
    fn set(&self, cancel: &Cancel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = cancel.clone();
    }

    /// A flag that is raised whenever that of the running turn is.
    fn flag(&self) -> Cancel {
        let now = self.0.clone();
        Cancel::within(move || now.lock().unwrap_or_else(PoisonError::into_inner).cancelled())
    }
}

/// A session that takes inputs.
pub struct ReplSession {
    session: Session,
    /// As it began.
    start: Session,
    task: Option<Arc<Task>>,
    environment: Environment,
    tools: Toolbox,
    running: Running,
    save: Option<TraceFile>,
    /// Whether it goes on from a trace, whose limits it keeps.
    pub of_trace: bool,
}

/// Why an input has no record.
#[derive(Debug)]
pub enum NotRun {
    /// It was ended from outside; so many tool calls had been made.
    Cancelled {
        /// How many.
        calls: usize,
    },
    /// It could not run; why.
    Refused(String),
}

/// What stands around an input that runs.
pub struct Around<'a> {
    /// Asked before a call that has to be approved.
    pub ask: Ask<'a>,
    /// Given what is printed, as it comes.
    pub on_print: &'a dyn Fn(&str),
    /// Ends it.
    pub cancel: &'a Cancel,
}

impl ReplSession {
    /// A session of a task, or of none. It goes on after `return` and `fail`, for as many turns as one likes.
    ///
    /// # Errors
    /// When the tools of the task are not what it says.
    pub fn new(
        mut session: Session,
        task: Option<Arc<Task>>,
        environment: &Environment,
        save: Option<PathBuf>,
    ) -> Result<Self, Error> {
        session.set_open_ended(true);
        session.set_max_turns(u64::MAX);
        let running = Running::default();
        let around = RunContext {
            cancel: running.flag(),
            environment: environment.clone(),
            trace: save,
            ..RunContext::default()
        };
        let tools = match &task {
            Some(task) => task.tools(session.trace(), &around)?,
            None => Toolbox::new(),
        };
        let environment = environment.clone();
        Ok(ReplSession {
            start: session.fork(),
            session,
            task,
            environment,
            tools,
            running,
            save: None,
            of_trace: false,
        })
    }

    /// The same with a session and tools of its own, as it is now; it is kept in no file.
    ///
    /// # Errors
    /// As [`ReplSession::new`].
    pub fn fork(&self) -> Result<Self, Error> {
        ReplSession::new(self.session.fork(), self.task.clone(), &self.environment, None)
    }

    /// Keeps the session in this file from its first turn on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep(&mut self, mut file: TraceFile) -> Result<(), Error> {
        file.begin(&self.session.trace().header)?;
        for step in self.session.trace().steps() {
            match step {
                Step::Act(act) => file.append_act(act)?,
                Step::Turn(turn) => file.append(turn)?,
            }
        }
        self.save = Some(file);
        Ok(())
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Whether it is kept in a file.
    pub fn is_kept(&self) -> bool {
        self.save.is_some()
    }

    /// Goes back to how it began.
    pub fn reset(&mut self) {
        self.session = self.start.fork();
    }

    /// Runs an input as the next turn. What cannot be kept of it is told beside its record.
    ///
    /// # Errors
    /// When there is no turn of it.
    pub fn run(&mut self, program: &str, around: Around<'_>) -> Result<(Arc<TurnRecord>, Option<Error>), NotRun> {
        let Around { ask, on_print, cancel } = around;
        self.running.set(cancel);
        let turn = (self.session.trace().turns().len() as u64).saturating_add(1);
        let before = self.session.fork();
        let clock = TurnClock::start();
        let stop = || cancel.cancel();
        let mut tools =
            AskingTools { tools: &mut self.tools, ask, clock: &clock, stop: &stop, made: 0, stopped: false };
        let cancelled = || cancel.cancelled();
        let session = &mut self.session;
        let ran = host::catch_panic(AssertUnwindSafe(|| {
            let world = host::turn_context(session, turn, &mut tools, &cancelled);
            session.run(program, TurnContext { clock: &clock, on_print, ..world }).map(|_| ())
        }));
        let calls = tools.made;
        match ran {
            Ok(Ok(())) => {}
            Ok(Err(TurnRefused::Cancelled)) => return Err(NotRun::Cancelled { calls }),
            Ok(Err(refused)) => return Err(NotRun::Refused(refused.to_string())),
            Err(words) => {
                self.session = before;
                let words =
                    format!("a fault of ours, please report it with the program; the input is taken back: {words}");
                return Err(NotRun::Refused(words));
            }
        }
        let Some(record) = self.session.trace().last().cloned() else {
            return Err(NotRun::Refused("the turn was not recorded".to_owned()));
        };
        let lost = self.save.as_mut().and_then(|file| file.append(&record).err());
        Ok((record, lost))
    }
}
