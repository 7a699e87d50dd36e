//! A session that is open: its trace file is held, and an agent is there that runs its turns.

use crate::observing::{Observed, SessionObservers};
use crate::options::ServerOptions;
use crate::refused::{Refused, RefusedKind};
use crate::workers::Workers;
use ptc_agent::sessions::{NewSession, SessionNotes};
use ptc_agent::{
    Agent, Cancel, Environment, Model, ObservedSession, RunContext, RunOutcome, Task, Toolbox, TraceFile, task,
};
use ptc_turns::session::config::Input;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Config, Session, Trace, TurnRecord};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A task that clients are served with.
pub(crate) struct Granted {
    /// Its folder or file.
    pub(crate) path: PathBuf,
    pub(crate) task: Task,
}

/// What opening a session takes.
pub(crate) struct Opener {
    pub(crate) granted: Vec<Granted>,
    pub(crate) environment: Environment,
    pub(crate) workers: Arc<Workers>,
    pub(crate) options: ServerOptions,
    pub(crate) plain: Option<Task>,
    pub(crate) observers: Option<Arc<dyn SessionObservers>>,
    /// Held while a trace is read to open its session.
    pub(crate) opening: Mutex<()>,
}

/// An open session. Dropped, its process ends and its trace can be written by others.
pub(crate) struct Opened {
    pub(crate) agent: Agent,
    pub(crate) trace: PathBuf,
    /// Ends what runs in it; it is not used any more after that.
    pub(crate) cancel: Cancel,
    /// Told of what is done in it.
    pub(crate) observed: Observed,
    /// Who answers, where it is the run of a task.
    model: Option<Box<dyn Model>>,
}

impl Opened {
    /// Whether it is the run of a task.
    pub(crate) fn is_run(&self) -> bool {
        self.model.is_some()
    }

    /// Lets go of the texts of its turns where they take more than this: they are in its trace.
    pub(crate) fn release_texts(&mut self, most: u64) {
        if !self.is_run() {
            self.agent.release_texts(most, &self.trace);
        }
    }

    /// Runs the task on to its end.
    pub(crate) fn run(&mut self, watch: &mut dyn ptc_agent::Observer) -> Option<RunOutcome> {
        self.model.as_mut().map(|model| self.agent.run(model, watch))
    }
}

impl Opener {
    /// The task of this name.
    pub(crate) fn granted(&self, name: &str) -> Result<&Granted, Refused> {
        self.granted.iter().find(|g| g.task.name == name).ok_or_else(|| {
            let names: Vec<&str> = self.granted.iter().map(|g| g.task.name.as_str()).collect();
            let hint = match names.as_slice() {
                [] => "the server has none; start it with --task FOLDER".to_owned(),
                names => format!("it is one of {}", names.join(", ")),
            };
            let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(name).to_string(), 100);
            Refused::new(RefusedKind::NotFound, format!("there is no task {shown}"), hint)
        })
    }

    /// What a session of programs is made from.
    pub(crate) fn programs(&self, task: Option<&str>, inputs: Vec<Input>) -> Result<Config, Refused> {
        let mut config = match task {
            Some(name) => self.granted(name)?.task.programs(inputs)?,
            None => {
                let limits = match &self.plain {
                    Some(task) => task.limits_over(&inputs),
                    None => task::limits_over(&Config::programs().limits, |_| false, &inputs),
                };
                Config { inputs, limits, ..Config::programs() }
            }
        };
        let most = self.options.turn_ms();
        for limit in [&mut config.limits.cpu_ms, &mut config.limits.wall_ms] {
            // 0 is without a limit.
            *limit = if *limit == 0 { most } else { most.min(*limit) };
        }
        Ok(config)
    }

    /// The task that a session is of, where it is of one.
    fn task_of(&self, notes: &SessionNotes) -> Result<Option<&Granted>, Refused> {
        let Some(path) = &notes.task else { return Ok(None) };
        let found = self.granted.iter().find(|g| real(&g.path) == real(path));
        found.map(Some).ok_or_else(|| {
            let name = path.file_name().map_or_else(String::new, |name| format!(" {}", name.display()));
            let words = format!("the session is of the task{name}, which is not served");
            Refused::new(RefusedKind::Conflict, words, "start the server with --task and its folder")
        })
    }

    /// Opens the session of a trace that has begun. Its programs are not run here: its memory is in a worker process.
    pub(crate) fn open(&self, kept: &NewSession, notes: &SessionNotes) -> Result<Opened, Refused> {
        let path = kept.trace();
        let run = !notes.open_ended && notes.task.is_some();
        // Of a session whose programs come from a client nothing is rendered: its worker and its trace have the texts of turns.
        let mut released = 0_u64;
        let mut keep = |turn: TurnRecord| {
            if run {
                return turn;
            }
            let whole = turn.bytes();
            let turn = turn.reduced(KeptTexts::NONE);
            released = released.saturating_add(whole.saturating_sub(turn.bytes()));
            turn
        };
        let opened = {
            // One at a time: a long trace is in memory while it is read.
            let _one = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
            TraceFile::open_kept(&path, || false, &mut keep)?
        };
        let Some(trace) = opened.trace else {
            let words = "nothing is in the session's trace";
            return Err(Refused::new(RefusedKind::NotFound, words, "begin another session"));
        };
        let granted = self.task_of(notes)?;
        let mut session = match granted {
            Some(g) => g.task.resume_without_memory(trace)?,
            None => task::restore_without_memory(trace, Vec::new())?,
        };
        session.set_open_ended(notes.open_ended);
        session.count_released_bytes(released);
        let run = granted.filter(|_| !notes.open_ended);
        let of = ObservedSession {
            id: kept.id(),
            client: notes.client.as_deref().unwrap_or_default(),
            task: granted.map(|g| g.task.name.as_str()),
            model: granted.and_then(|g| g.task.model.as_deref()),
            is_run: run.is_some(),
        };
        let observed = Observed::by(self.observers.as_deref(), &of);
        let mut opened = self.agent(session, granted, observed, run.is_some(), opened.store, &path)?;
        opened.release_texts(0);
        Ok(opened)
    }

    /// The agent of a session with this trace file.
    fn agent(
        &self,
        session: Session,
        granted: Option<&Granted>,
        observed: Observed,
        run: bool,
        store: TraceFile,
        path: &Path,
    ) -> Result<Opened, Refused> {
        let cancel = Cancel::default();
        let around = RunContext {
            trace: Some(path.to_owned()),
            cancel: cancel.clone(),
            worker: Some(Arc::new(Mutex::new(self.workers.another()))),
            observers: observed.subtasks(),
            environment: self.environment.clone(),
            ..RunContext::default()
        };
        let mut model = None;
        let mut agent = match granted {
            None => Agent::new(session, Toolbox::new()).with_cancel(cancel.clone()),
            Some(g) => {
                if run {
                    model = Some(g.task.model(session.trace(), &self.environment)?);
                }
                let agent = g.task.agent(session, &around)?;
                match g.task.summaries(&around)?.filter(|_| run) {
                    Some(summaries) => agent.with_summaries(summaries),
                    None => agent,
                }
            }
        };
        agent = agent.with_worker(self.workers.take()).with_trace_file(store);
        Ok(Opened { agent, trace: path.to_owned(), cancel, observed, model })
    }

    /// Begins the run of a task whose session is there and empty. `request` follows its prompt.
    pub(crate) fn begin_run(&self, name: &str, request: &str, inputs: Vec<Input>) -> Result<Config, Refused> {
        let task = &self.granted(name)?.task;
        let mut config = task.config()?;
        config.inputs.retain(|own| inputs.iter().all(|g| g.name != own.name));
        config.inputs.extend(inputs);
        if !request.trim().is_empty() {
            let break_ = if config.prompt.is_empty() { "" } else { "\n\n" };
            config.prompt = format!("{}{break_}{request}", config.prompt);
        }
        // What is wrong with its models is told before a session is there.
        task.model(&Trace::new(config.header()), &self.environment)?;
        Ok(config)
    }
}

/// Writes the first line of a session.
pub(crate) fn write_header(kept: &NewSession, config: &Config) -> Result<(), Refused> {
    let mut store = TraceFile::open(&kept.trace(), || false)?.store;
    Ok(store.begin(&config.header())?)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
