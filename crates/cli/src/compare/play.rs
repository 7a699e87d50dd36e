//! One run: begun, or gone on with, and kept as it happens.

use super::kept::{Kept, Part};
use ptc_agent::Watch;
use ptc_agent::{Around, Cancel, Ending, Environment, Error, Finished, Ledgers, Store, Summaries, Task, clock, nested};
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

impl Watch for Warnings<'_> {
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
/// When it cannot be begun or gone on with.
pub fn play(
    task: &Task,
    file: &Path,
    surroundings: &Surroundings,
    warn: &mut dyn FnMut(&str),
) -> Result<Finished, Error> {
    let mut kept = Kept::read(file)?.unwrap_or_default();
    let from = clock::now_ms();
    kept.parts.push(Part { from, to: None });
    if kept.model.is_none() {
        kept.model.clone_from(&task.model);
    }
    let finished = lead(task, file, surroundings, &kept, warn);
    if let Some(part) = kept.parts.last_mut() {
        part.to = Some(clock::now_ms());
    }
    kept.error = match &finished {
        Ok(end) if matches!(end.ending, Ending::Returned | Ending::Failed | Ending::OutOfTurns) => None,
        Ok(end) => end.problem.clone(),
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
    kept: &Kept,
    warn: &mut dyn FnMut(&str),
) -> Result<Finished, Error> {
    let Surroundings { cancel, environment, no_sync } = surroundings.clone();
    // What is wrong with the task is told before a file is made.
    let fresh = task.config()?;
    let around = Around { trace: Some(file.to_owned()), cancel, environment, no_sync, ..Around::default() };
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, "make", &e))?;
    }
    let opened = Store::open(file, || false)?;
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
        nested::set_aside_all(file)?;
        store.begin(&agent.session().trace().header)?;
    }
    kept.write(file)?;
    let ledger = Ledgers::beside(file);
    let ledgers = Ledgers::open(&ledger).unwrap_or_else(|p| {
        warn(&p.text());
        Ledgers::fresh(&ledger)
    });
    agent = agent.with_ledgers(ledgers).with_store(store.sync(!no_sync));
    let end = agent.run(&mut model, &mut Warnings(&mut *warn));
    let lost = [agent.ledgers().problem().cloned(), agent.summaries().and_then(Summaries::problem)];
    for p in lost.into_iter().flatten() {
        warn(&p.text());
    }
    Ok(end)
}
