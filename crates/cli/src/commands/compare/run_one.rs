//! One run: begun, or continued, and kept as it happens.

use super::run_log::{Part, RunLog};
use ptc_agent::Observer;
use ptc_agent::{
    Cancel, Environment, Error, RunContext, RunOutcome, RunStatus, Summaries, Task, TokenCalibration, TraceFile, host,
};
use ptc_turns::Session;
use std::path::Path;

/// What runs share.
#[derive(Clone)]
pub struct Surroundings {
    /// Ends them.
    pub cancel: Cancel,
    /// Keys and addresses of models.
    pub environment: Environment,
    /// Lines of traces are not forced to the disk.
    pub no_sync: bool,
}

/// Gathers warnings.
struct Warnings<'a>(&'a mut dyn FnMut(&str));

impl Observer for Warnings<'_> {
    fn warned(&mut self, words: &str) {
        (self.0)(words);
    }

    fn streams(&self) -> bool {
        false
    }
}

/// Runs a task into this file until it ends; `warn` is told what its author should know.
///
/// # Errors
/// When it cannot be begun or continued.
pub fn run_one(
    task: &Task,
    file: &Path,
    surroundings: &Surroundings,
    warn: &mut dyn FnMut(&str),
) -> Result<RunOutcome, Error> {
    let mut kept = RunLog::read(file)?.unwrap_or_default();
    let from = host::now_ms();
    kept.parts.push(Part { from, to: None });
    if kept.model.is_none() {
        kept.model.clone_from(&task.model);
    }
    let finished = lead(task, file, surroundings, &kept, warn);
    if let Some(part) = kept.parts.last_mut() {
        part.to = Some(host::now_ms());
    }
    kept.error = match &finished {
        Ok(RunOutcome {
            status: RunStatus::Returned | RunStatus::Failed | RunStatus::OutOfTurns | RunStatus::Limit,
            ..
        }) => None,
        Ok(end) => end.error.as_ref().map(ptc_agent::Error::text),
        Err(p) => Some(p.to_string()),
    };
    // Where no run was begun there is no folder, and nothing to be kept.
    if file.exists()
        && let Err(p) = kept.write(file)
    {
        warn(&p.text());
    }
    finished
}

fn lead(
    task: &Task,
    file: &Path,
    surroundings: &Surroundings,
    kept: &RunLog,
    warn: &mut dyn FnMut(&str),
) -> Result<RunOutcome, Error> {
    let Surroundings { cancel, environment, no_sync } = surroundings.clone();
    // What is wrong with the task is reported before a file is made.
    let fresh = task.config()?;
    let around = RunContext { trace: Some(file.to_owned()), cancel, environment, no_sync, ..RunContext::default() };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make", &e))?;
    }
    let opened = TraceFile::open(file, || false)?;
    if let Some(torn) = &opened.torn {
        warn(&torn.to_string());
    }
    let (session, new) = match opened.trace {
        Some(trace) => (task.resume(trace)?, false),
        None => (Session::new(fresh), true),
    };
    let mut agent = task.agent(session, &around)?;
    let mut model = task.model(agent.session().trace(), &around.environment)?;
    if let Some(summaries) = task.summaries(&around)? {
        agent = agent.with_summaries(summaries);
    }
    let mut store = opened.store;
    if new {
        Task::set_aside_subtasks(file)?;
        store.begin(&agent.session().trace().header)?;
    }
    kept.write(file)?;
    let ledger = TokenCalibration::beside(file);
    let ledgers = TokenCalibration::open(&ledger).unwrap_or_else(|p| {
        warn(&p.text());
        TokenCalibration::fresh(&ledger)
    });
    agent = agent.with_token_calibration(ledgers).with_trace_file(store.sync(!no_sync));
    let end = agent.run(&mut model, &mut Warnings(&mut *warn));
    let lost = [agent.token_calibration().problem().cloned(), agent.summaries().and_then(Summaries::problem)];
    for p in lost.into_iter().flatten() {
        warn(&p.text());
    }
    Ok(end)
}
