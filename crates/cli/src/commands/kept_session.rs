//! Where a run keeps its session when it is not told: in the user's data folder.

use crate::args::RunOptions;
use crate::commands::asked;
use crate::commands::run_source::RunSource;
use crate::terminal::io::{DIM, Io, word};
use ptc_agent::sessions::{NewSession, RunEnd, SessionStatus, SessionStore};
use ptc_agent::{Error, ErrorKind, RunOutcome, RunStatus, error_text};
use ptc_lisp::escape;
use std::path::{Path, PathBuf};

/// The session that a run keeps, or goes on with, in the user's data folder.
pub struct KeptSession {
    session: Option<NewSession>,
    /// Where the trace is to be kept, when it begins here.
    trace: Option<PathBuf>,
    /// The trace to go on with.
    resume: Option<PathBuf>,
}

impl KeptSession {
    /// What these options say. A folder that cannot be written is no reason not to run: it is warned of.
    ///
    /// # Errors
    /// When there is no session to go on with.
    pub fn of(source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) -> Result<Self, Error> {
        let task = source.path();
        let mut kept = KeptSession { session: None, trace: a.trace.clone(), resume: a.resume.clone() };
        let store = io.context.sessions();
        if let (true, Some(task)) = (a.go_on, task) {
            let store = store.ok_or_else(|| {
                let words =
                    error_text!("there is no folder for sessions"; "set PTC_HOME to one, or give --resume TRACE");
                Error::new(ErrorKind::Usage, words)
            })?;
            let session = store.newest_of(task)?;
            check_open(&store, &session, source.question().is_some())?;
            kept.resume = Some(session.trace());
            kept.session = Some(session);
            return Ok(kept);
        }
        match (&a.resume, &a.trace, store) {
            (Some(trace), _, Some(store)) | (None, Some(trace), Some(store)) => kept.session = store.of_trace(trace),
            (None, None, Some(store)) if !a.no_session && !io.context.sessions_off() => match store.begin(task) {
                Ok(session) => {
                    kept.trace = Some(session.trace());
                    kept.session = Some(session);
                }
                Err(p) => io.warn(&format!("the session is not kept: {}", p.text())),
            },
            _ => {}
        }
        Ok(kept)
    }

    /// Keeps what its question was asked with, for those that follow.
    pub fn keep_asked(&self, source: &RunSource<'_>, a: &RunOptions, io: &mut Io<'_>) {
        if let (Some(session), RunSource::Question { tools, .. }) = (&self.session, source)
            && let Err(p) = session.keep_asked(asked::asked_with(tools, a))
        {
            io.warn(&p.text());
        }
    }

    /// The options with these places in them.
    pub fn options(&self, a: &RunOptions) -> RunOptions {
        RunOptions { trace: self.trace.clone(), resume: self.resume.clone(), ..a.clone() }
    }

    /// The folder of the task that the session in this trace was begun with, or that its question was asked in, where that
    /// is known.
    pub fn begun_in(&self, trace: &Path) -> Option<PathBuf> {
        let session = self.session.as_ref().filter(|s| s.trace() == trace)?;
        let of_task = |task: PathBuf| if task.is_file() { task.parent().map(Path::to_owned) } else { Some(task) };
        session.task().and_then(of_task).or_else(|| Some(session.asked()?.folder))
    }

    /// Its id, where it is kept.
    pub fn id(&self) -> Option<&str> {
        self.session.as_ref().map(NewSession::id)
    }

    /// A trace as one word of a command: its id, where it has one.
    pub fn name(&self, trace: &Path) -> String {
        match &self.session {
            Some(session) if session.trace() == trace => session.id().to_owned(),
            _ => word(trace),
        }
    }

    /// Keeps how the run ended.
    pub fn ended(&self, end: &RunOutcome, io: &mut Io<'_>) {
        let Some(session) = &self.session else { return };
        let end = RunEnd::new(end.status, end.error.as_ref(), end.totals, &session.trace());
        if let Err(p) = session.ended(end) {
            io.warn(&p.text());
        }
    }

    /// The last line of a run: how to look at it, and how to go on.
    /// `command` is what continues, `--continue` of a task and `--resume` of a question, with `more` behind it.
    pub fn tell(&self, status: RunStatus, of_task: bool, command: &str, more: &str, io: &mut Io<'_>) {
        let Some(id) = self.id() else { return };
        let go_on = match status {
            RunStatus::Returned | RunStatus::Failed if of_task => String::new(),
            RunStatus::Returned | RunStatus::Failed => {
                format!("; ask more with ptc ask --resume {id} QUESTION")
            }
            _ if of_task => format!("; go on with {command} --continue{more}"),
            _ => format!("; go on with {command} --resume {id}{more}"),
        };
        io.info(&format!("{DIM}session {id}: look at it with ptc trace {id}{go_on}{DIM:#}"));
    }
}

impl Drop for KeptSession {
    /// A run that did not begin leaves no session.
    fn drop(&mut self) {
        if let (Some(session), None) = (&self.session, &self.resume) {
            session.forget_if_empty();
        }
    }
}

/// Whether the newest session can go on; one that has ended can with another question.
fn check_open(store: &SessionStore, session: &NewSession, asks: bool) -> Result<(), Error> {
    let summary = store.show(session.id())?;
    let id = session.id();
    let words = match summary.status {
        SessionStatus::Returned | SessionStatus::Failed if !asks => {
            let how = summary.status.as_str();
            error_text!("the newest session of this task, {id}, has ended: it {how}"; "begin a new one without --continue, or fork it: ptc sessions fork {id} --turn N")
        }
        SessionStatus::Running => {
            error_text!("the newest session of this task, {id}, is running"; "wait for it, or begin a new one without --continue")
        }
        SessionStatus::Unreadable => {
            let why = escape::line(summary.problem.as_deref().unwrap_or("it is empty"));
            error_text!("the newest session of this task, {id}, cannot be read: {why}"; "or begin a new one without --continue")
        }
        _ => return Ok(()),
    };
    Err(Error::new(ErrorKind::Usage, words))
}
