//! What sessions are opened from: the arguments, the user's configuration, what the editor gives.

use super::rpc::Fault;
use crate::args::{AcpArgs, RunOptions};
use crate::commands::run::from_here;
use crate::commands::run_source::RunSource;
use crate::commands::{asked, worker};
use crate::context::CliContext;
use crate::terminal::io::Io;
use crate::terminal::output::{Output, stderr};
use ptc_agent::sessions::{NewSession, SessionNotes, SessionStore};
use ptc_agent::{Agent, Cancel, Error, ErrorKind, Model, RunContext, Task, TokenCalibration, TraceFile, error_text};
use ptc_turns::trace::full_turn::fenced;
use ptc_turns::{Session, Trace};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// What is said of a turn that a user has cancelled, or that did not end.
const CUT_OFF: &str = "the turn was ended before its program had ended";

/// What sessions are opened from.
pub struct Source {
    /// The task's folder or file, whole.
    task: Option<PathBuf>,
    tools: Vec<String>,
    options: RunOptions,
    context: CliContext,
    pub store: SessionStore,
}

/// An open session: its trace is held.
pub struct Open {
    pub agent: Agent,
    pub model: Box<dyn Model>,
    /// Ends what runs in it.
    pub cancel: Cancel,
    max_turns: u64,
}

impl Source {
    /// From these arguments. A task that cannot be loaded is told before an editor waits.
    ///
    /// # Errors
    /// What is wrong with an argument or the task.
    pub fn new(a: &AcpArgs, io: &mut Io<'_>) -> Result<Self, Error> {
        let store = io.context.sessions().ok_or_else(|| {
            Error::new(ErrorKind::Usage, error_text!("there is no folder for sessions"; "set PTC_HOME to one"))
        })?;
        let mut options = a.run_options();
        if crate::commands::run_source::of_stdin(&options.inputs.ctx).is_some() {
            let words = error_text!("standard input is the editor's"; "give --ctx a file");
            return Err(Error::new(ErrorKind::Usage, words).at("--ctx"));
        }
        options.model = options.model.as_deref().map(from_here).transpose()?;
        let path = |p: &PathBuf| p.canonicalize().map_err(|e| Error::io(p, "read", &e));
        let task = a.task.as_ref().map(path).transpose()?;
        let source = Source { task, tools: a.tool.clone(), options, context: io.context.clone(), store };
        if source.task.is_some() {
            source.load("", &[])?;
        }
        Ok(source)
    }

    /// Begins a session that nothing was asked in yet.
    ///
    /// # Errors
    /// When its folder cannot be made.
    pub fn begin(&self, folder: &Path) -> Result<NewSession, Error> {
        let mut notes = SessionNotes::default();
        notes.task.clone_from(&self.task);
        notes.folder = Some(folder.to_owned());
        if self.task.is_none() {
            notes.asked = Some(asked::asked_with(&self.tools, &self.options));
        }
        self.store.begin_with(notes)
    }

    /// Whether a session with these notes is one of those that are opened from here.
    pub fn has(&self, notes: &SessionNotes) -> bool {
        match &self.task {
            Some(task) => notes.task.as_ref() == Some(task),
            None => notes.task.is_none() && notes.asked.is_some(),
        }
    }

    /// The folder that a session belongs to.
    pub fn folder_of(notes: &SessionNotes) -> PathBuf {
        let of_task = || notes.task.as_deref().and_then(Path::parent).map(Path::to_owned);
        let asked = || notes.asked.as_ref().map(|a| a.folder.clone());
        notes.folder.clone().or_else(asked).or_else(of_task).unwrap_or_else(asked::here)
    }

    /// The task, asked this; `servers` are the editor's MCP servers.
    fn load(&self, question: &str, servers: &[String]) -> Result<Task, Error> {
        let (mut stdin, mut out, mut err) =
            (std::io::empty(), std::io::sink(), Output::escaped(stderr(), !self.context.plain));
        let mut io = Io { stdin: &mut stdin, out: &mut out, err: &mut err, context: self.context.clone() };
        let source = match &self.task {
            Some(path) => RunSource::Task { path, prompt: None },
            None => RunSource::Question { question, tools: &self.tools, more: &[] },
        };
        let mut options = self.options.clone();
        options.settings.set.extend(servers.iter().cloned());
        let mut task = source.load(&options, &mut io)?;
        task.take_variables(&io.context.environment)?;
        if let Some(n) = options.max_turns {
            task.set_max_turns(n);
        }
        if let Some(name) = &options.model {
            task.use_model(name.clone());
        }
        Ok(task)
    }

    /// Opens a session and asks this in it.
    ///
    /// # Errors
    /// When it cannot be opened, or cannot be asked now.
    pub fn open(&self, kept: &NewSession, text: &str, servers: &[String], cancel: &Cancel) -> Result<Open, Fault> {
        let file = kept.trace();
        let TraceFileOpened { mut store, trace } = TraceFileOpened::at(&file)?;
        let (session, asks) = match trace {
            None => {
                if self.task.is_none() && text.is_empty() {
                    return Err(Fault::params("the prompt is empty"));
                }
                let task = self.load(text, servers)?;
                let mut config = task.config()?;
                if self.task.is_some() {
                    config.prompt = joined(&config.prompt, text);
                }
                (Opening { session: Session::new(config), task, new: true }, Asks::Nothing)
            }
            Some(trace) => {
                let task = self.load(trace.header.question(), servers)?;
                if trace.header.task.as_deref() != Some(task.name.as_str()) {
                    return Err(Fault::refused("the session is of another task"));
                }
                let asks = asks(&trace, &task, text)?;
                (Opening { session: task.resume(trace)?, task, new: false }, asks)
            }
        };
        let Opening { session, task, new } = session;
        let (mut agent, model) = self.agent(&task, session, &file, cancel)?;
        if new {
            store.begin(&agent.session().trace().header)?;
        }
        agent = agent.with_trace_file(store);
        let mut open = Open { agent, model, cancel: cancel.clone(), max_turns: task.max_turns };
        match asks {
            Asks::Nothing => {}
            Asks::Behind => open.ask(text)?,
            Asks::Instead => {
                open.cut_off()?;
                open.ask(text)?;
            }
        }
        Ok(open)
    }

    fn agent(
        &self,
        task: &Task,
        session: Session,
        file: &Path,
        cancel: &Cancel,
    ) -> Result<(Agent, Box<dyn Model>), Error> {
        let environment = self.context.environment.clone();
        let model = task.model(session.trace(), &environment)?;
        let worker = if self.options.isolate {
            let (mut stdin, mut out, mut err) =
                (std::io::empty(), std::io::sink(), Output::escaped(stderr(), !self.context.plain));
            let mut io = Io { stdin: &mut stdin, out: &mut out, err: &mut err, context: self.context.clone() };
            Some(Arc::new(Mutex::new(worker::worker(&mut io)?)))
        } else {
            None
        };
        let (trace, cancel) = (Some(file.to_owned()), cancel.clone());
        let around = RunContext { trace, cancel, worker, environment, ..RunContext::default() };
        let mut agent = task.agent(session, &around)?;
        if let Some(summaries) = task.summaries(&around)? {
            agent = agent.with_summaries(summaries);
        }
        let beside = TokenCalibration::beside(file);
        let ledgers = TokenCalibration::open(&beside).unwrap_or_else(|_| TokenCalibration::fresh(&beside));
        Ok((agent.with_token_calibration(ledgers), model))
    }
}

/// A session that is not open yet, with its task.
struct Opening {
    session: Session,
    task: Task,
    new: bool,
}

/// A trace file that is held, and what stands in it.
struct TraceFileOpened {
    store: TraceFile,
    trace: Option<Trace>,
}

impl TraceFileOpened {
    fn at(file: &Path) -> Result<Self, Error> {
        let opened = TraceFile::open(file, || false)?;
        Ok(TraceFileOpened { store: opened.store, trace: opened.trace })
    }
}

/// What a prompt is to a session that is there.
enum Asks {
    /// Its own question, which is not answered yet: it goes on.
    Nothing,
    /// Another one behind an answer.
    Behind,
    /// Another one, though the last is not answered.
    Instead,
}

fn asks(trace: &Trace, task: &Task, text: &str) -> Result<Asks, Fault> {
    let ended = trace.ended();
    if !trace.header.acts.is_empty() {
        let words = "the task says what is asked, in acts, and all are answered; begin another session";
        return if ended { Err(Fault::refused(words)) } else { Ok(Asks::Nothing) };
    }
    if ended {
        return Ok(Asks::Behind);
    }
    let same = match trace.follow_ups().last() {
        Some(last) => last == text,
        None => trace.header.asks(text) || trace.header.asks(&joined(&task.prompt, text)),
    };
    Ok(if same { Asks::Nothing } else { Asks::Instead })
}

/// A task's prompt with what is asked behind it.
fn joined(prompt: &str, text: &str) -> String {
    match (prompt.is_empty(), text.is_empty()) {
        (_, true) => prompt.to_owned(),
        (true, _) => text.to_owned(),
        _ => format!("{prompt}\n\n{text}"),
    }
}

impl Open {
    /// Asks another question behind the last one.
    ///
    /// # Errors
    /// When it cannot be asked now.
    pub fn ask(&mut self, text: &str) -> Result<(), Fault> {
        if text.is_empty() {
            return Err(Fault::params("the prompt is empty"));
        }
        Ok(self.agent.follow_up(text, self.max_turns)?)
    }

    /// Records the turn that has begun as ended, with the calls that it made.
    ///
    /// # Errors
    /// When that cannot be kept.
    pub fn end_turn(&mut self) -> Result<(), Error> {
        if self.agent.begun() {
            let error = ptc_lisp::error::Error::new(ptc_lisp::error::ErrorKind::Time, CUT_OFF);
            let hint = "nothing that it defined is there; calls that were made before have been made";
            self.agent.end_turn(&error.hint(hint))?;
        }
        Ok(())
    }

    /// Ends a question that was not answered, so that another can be asked: a session has its questions one behind the other.
    fn cut_off(&mut self) -> Result<(), Error> {
        self.end_turn()?;
        if !self.agent.session().trace().ended() {
            self.agent.step(&fenced("(fail \"not answered: the user has asked something else\")"), None)?;
        }
        Ok(())
    }
}
