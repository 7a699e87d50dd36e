//! `ptc run`: a task, turn by turn, to its end.

use crate::args::RunArgs;
use crate::io::{DIM, GREEN, Io, RED, Stop};
use crate::messages::compressed;
use crate::progress::{self, Progress};
use crate::{DONE, FAILED, OUT_OF_TURNS, interrupt, worker};
use ptc_agent::provider::Price;
use ptc_agent::{Agent, Cancel, Ending, Environment, Finished, Ledgers, Model, Problem, Recorded, Store, Task};
use ptc_lisp::visible;
use ptc_turns::record::Usage;
use ptc_turns::{Json, Session};
use serde::Serialize;
use std::path::Path;

/// Runs the command.
pub fn run(a: &RunArgs, io: &mut Io<'_>) -> Result<i32, Stop> {
    let mut task = Task::load(&a.task)?;
    task.policy = compressed(task.policy, &a.compression);
    task.max_turns = a.max_turns.unwrap_or(task.max_turns);
    if let Some(name) = &a.model {
        task.model = Some(from_here(name)?);
    }
    let environment = Environment::of_process();
    let (session, store) = match &a.trace {
        Some(file) => begin_or_go_on(&task, file, a, &environment, io)?,
        None => (Session::new(task.config()?), None),
    };
    let turns = session.trace().turns();
    let (model, tools) = (task.model(turns.len() as u64, &environment)?, task.toolbox(turns)?);
    let mut model: Box<dyn Model> = match &a.record {
        Some(file) => {
            let earlier: Vec<String> = turns.iter().map(|t| t.said()).collect();
            Box::new(Recorded::begin(model, file, &earlier)?)
        }
        None => model,
    };
    let cancel = Cancel::default();
    let mut agent = Agent::new(session, tools).with_cancel(cancel.clone()).with_settings(task.asked.settings.clone());
    if let Some(mut store) = store {
        if agent.session().trace().turns().is_empty() {
            store.begin(&agent.session().trace().header)?;
        }
        agent = agent.with_store(store);
    }
    if let Some(file) = &a.trace {
        let file = Ledgers::beside(file);
        let ledgers = Ledgers::open(&file).unwrap_or_else(|p| {
            io.warn(&p.0);
            Ledgers::fresh(&file)
        });
        agent = agent.with_ledgers(ledgers);
    }
    if a.isolate {
        agent = agent.with_worker(worker::worker()?);
    }
    let guard = interrupt::watch(&cancel);
    let end = agent.run(&mut model, &mut Progress::new(io, task.asked.price.clone()));
    drop(guard);
    if let Some(p) = agent.ledgers().problem() {
        io.warn(&p.0);
    }
    show(&end, task.asked.price.as_ref(), a.json, io)?;
    Ok(match end.ending {
        Ending::Returned => DONE,
        Ending::Failed | Ending::Error => FAILED,
        Ending::OutOfTurns => OUT_OF_TURNS,
    })
}

/// A model named on the command line: its file is looked for here, not in the task's folder.
fn from_here(name: &str) -> Result<String, Problem> {
    match name.strip_prefix("replay:").filter(|f| !f.is_empty()) {
        None => Ok(name.to_owned()),
        Some(file) => {
            let path = std::path::absolute(file).map_err(|e| Problem::io(Path::new(file), "read", &e))?;
            Ok(format!("replay:{}", path.display()))
        }
    }
}

/// A new session, or the one in the trace file if it can go on. The header is written once everything else is there.
fn begin_or_go_on(
    task: &Task,
    file: &Path,
    a: &RunArgs,
    environment: &Environment,
    io: &mut Io<'_>,
) -> Result<(Session, Option<Store>), Problem> {
    // What is wrong with the task is told before a file is made.
    let fresh = task.config()?;
    task.model(0, environment)?;
    task.toolbox(&[])?;
    let opened = Store::open(file, || false)?;
    let shown = file.display();
    if let Some(torn) = &opened.torn {
        io.warn(&format!("{shown}: {torn}"));
    }
    let Some(trace) = opened.trace.filter(|t| !t.turns().is_empty()) else {
        return Ok((Session::new(fresh), Some(opened.store)));
    };
    if trace.header.prompt != task.prompt {
        return Err(Problem::new(format!("{shown} is the trace of another task; name another file")));
    }
    let mut session = task.resume(trace)?;
    if let Some(n) = a.max_turns {
        session.set_max_turns(n);
    }
    if let Some(compress) = a.compression.asked() {
        let policy = ptc_turns::Policy { compress_history: compress, ..session.view().policy().clone() };
        session.set_policy(&policy);
    }
    if let Err(ended) = session.may_run() {
        return Err(Problem::new(format!(
            "{shown} holds a session already, and {ended}; name another file, or look at it with ptc trace"
        )));
    }
    io.say(&format!("going on with {shown} behind turn {}", session.trace().turns().len()));
    Ok((session, Some(opened.store)))
}

#[derive(Serialize)]
struct Line<'a> {
    status: &'static str,
    value: Option<&'a str>,
    json: Option<&'a Json>,
    turns: u64,
    usage: &'a Usage,
}

fn show(end: &Finished, price: Option<&Price>, json: bool, io: &mut Io<'_>) -> Result<(), Stop> {
    let turns = if end.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", end.turns) };
    match (&end.ending, &end.problem) {
        (Ending::Returned, _) => io.say(&format!("{GREEN}returned{GREEN:#} after {turns}")),
        (ending, problem) => {
            let words = problem.as_deref().map(visible::line).unwrap_or_default();
            io.say(&format!("{RED}{}{RED:#} after {turns}: {words}", ending.as_str().replace('_', " ")));
        }
    }
    if end.usage.model.is_some() && end.turns > 1 {
        io.say(&format!("{DIM}in all: {}{DIM:#}", progress::tokens(&end.usage, price)));
    }
    if json {
        let line = Line {
            status: end.ending.as_str(),
            value: end.value.as_deref(),
            json: end.json.as_ref(),
            turns: end.turns,
            usage: &end.usage,
        };
        serde_json::to_writer(&mut *io.out, &line).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    } else if let (Ending::Returned, Some(value)) = (end.ending, &end.value) {
        writeln!(io.out, "{value}")?;
    }
    Ok(())
}
