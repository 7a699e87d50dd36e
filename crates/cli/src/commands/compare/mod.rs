//! `ptc compare`: tasks with known answers under several policies, by right answers, turns, tokens, cost and time
//! (docs/compare.md).

mod html;
mod measure;
mod plan;
mod run_log;
mod run_one;
mod stats;
mod table;

use crate::args::CompareArgs;
use crate::exit_code::{DONE, FAILED};
use crate::report;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, DIM, GREEN, Io, RED};
use measure::{Measurer, Run};
use plan::{Cell, Found, Plan};
use ptc_agent::error_text;
use ptc_agent::{Cancel, Error, ErrorKind, RunStatus};
use ptc_lisp::escape;
use run_one::Surroundings;
use stats::Report;
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

/// Stack of a thread that runs sessions, in bytes: as large as that of a process.
const STACK: usize = 8 << 20;

/// Runs the command.
pub fn compare(a: &CompareArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    if let Some(file) = &a.html {
        report::check(file, &report::COMPARISON)?;
    }
    crate::configuration::take(io)?;
    let plan = Plan::new(a, io)?;
    let traces = plan.traces()?;
    plan::check_models(&plan, &traces, &io.context.environment)?;
    let (problems, cancelled) = run_missing(&plan, &traces, a, io)?;
    if cancelled {
        io.info("stopped; what has run is kept, and the same command goes on");
        return Ok(interrupt::code());
    }
    let runs = measured(&plan, &problems)?;
    let report = Report::new(&plan, runs);
    if a.json {
        serde_json::to_writer(&mut *io.out, &report).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    } else {
        io.out.write_all(table::text(&report, a.verbose).as_bytes())?;
    }
    if let Some(file) = &a.html {
        report::write(file, &report::COMPARISON, &html::page(&report))?;
        io.info(&format!("wrote {}", file.display()));
    }
    Ok(if report.whole() { DONE } else { FAILED })
}

/// Every run as it stands on the disk. `problems` are what kept runs from ending just now, beside the cells.
fn measured(plan: &Plan, problems: &[Option<String>]) -> Result<Vec<Run>, Error> {
    let mut measurer = Measurer::default();
    let traces = plan.traces()?;
    let all = plan.cells.iter().zip(&traces).zip(problems);
    all.map(|((cell, found), problem)| measurer.run(plan, cell, found.as_ref(), problem.as_deref())).collect()
}

/// What threads tell of their runs.
enum Told {
    /// Something about a run.
    Warning(usize, String),
    /// A run is over: how, and why it did not end, if it did not.
    Over(usize, String, Option<String>),
}

/// Runs what has not ended, several at a time. Why runs did not end, beside the cells; and whether a signal stopped all.
fn run_missing(
    plan: &Plan,
    traces: &[Option<Found>],
    a: &CompareArgs,
    io: &mut Io<'_>,
) -> Result<(Vec<Option<String>>, bool), CliError> {
    let mut problems: Vec<Option<String>> = vec![None; plan.cells.len()];
    let mut missing: VecDeque<usize> = VecDeque::new();
    for (at, found) in traces.iter().enumerate() {
        let Some((_, _, task)) = plan.cells.get(at).and_then(|cell| plan.task(cell)) else { continue };
        if found.as_ref().is_some_and(|f| f.trace.ended()) {
            continue;
        }
        if task.lacks_model() {
            if let Some(problem) = problems.get_mut(at) {
                *problem = Some("the task names no model; add --model NAME to run it".to_owned());
            }
            continue;
        }
        missing.push_back(at);
    }
    if missing.is_empty() {
        return Ok((problems, false));
    }
    let (all, jobs) = (missing.len(), usize::try_from(a.jobs).unwrap_or(1).min(missing.len()));
    io.info(&format!("{} to be run, of {}", runs(all), plan.cells.len()));
    let cancel = Cancel::default();
    let surroundings =
        Surroundings { cancel: cancel.clone(), environment: io.context.environment.clone(), no_sync: a.no_sync };
    let guard = interrupt::watch(&cancel);
    let (queue, mut over) = (Mutex::new(missing), 0_usize);
    std::thread::scope(|scope| -> Result<(), Error> {
        let (tell, told) = channel();
        for _ in 0..jobs {
            let (tell, queue, surroundings) = (tell.clone(), &queue, surroundings.clone());
            let thread = std::thread::Builder::new().stack_size(STACK);
            let spawned = thread.spawn_scoped(scope, move || work(plan, queue, &surroundings, &tell));
            if let Err(e) = spawned {
                // Those that there are end first.
                cancel.cancel();
                return Err(Error::new(ErrorKind::Usage, error_text!("no thread for a run: {e}"; "try fewer --jobs")));
            }
        }
        drop(tell);
        for told in told {
            match told {
                Told::Warning(at, words) => io.warn(&format!("{}: {words}", name(plan, at))),
                Told::Over(at, how, problem) => {
                    over = over.saturating_add(1);
                    let color = if problem.is_none() { GREEN } else { RED };
                    let why = problem.as_deref().map(|p| format!(": {}", escape::line(p))).unwrap_or_default();
                    io.info(&format!("{DIM}{over} of {all}{DIM:#} {}: {color}{how}{color:#}{why}", name(plan, at)));
                    if let Some(place) = problems.get_mut(at) {
                        *place = problem;
                    }
                }
            }
        }
        Ok(())
    })?;
    drop(guard);
    Ok((problems, cancel.cancelled()))
}

fn runs(n: usize) -> String {
    if n == 1 { "1 run".to_owned() } else { format!("{n} runs") }
}

/// A run in words.
fn name(plan: &Plan, at: usize) -> String {
    let of = |cell: &Cell| {
        let (task, row) = (plan.tasks.get(cell.task)?, plan.rows.get(cell.row)?);
        let words = format!("{}, {}", task.task.name, row.name);
        Some(escape::line(&if plan.runs > 1 { format!("{words}, run {}", cell.run) } else { words }))
    };
    plan.cells.get(at).and_then(of).unwrap_or_default()
}

/// Takes runs from the queue until it is empty, or all is cancelled.
fn work(plan: &Plan, queue: &Mutex<VecDeque<usize>>, surroundings: &Surroundings, tell: &Sender<Told>) {
    while !surroundings.cancel.cancelled() {
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let Some((at, cell)) = next.and_then(|at| Some((at, plan.cells.get(at)?))) else { return };
        let Some((_, _, task)) = plan.task(cell) else { return };
        let mut warn = |words: &str| {
            let _ = tell.send(Told::Warning(at, words.to_owned()));
        };
        let played = ptc_agent::host::catch_panic(AssertUnwindSafe(|| {
            run_one::run_one(&task, &cell.file, surroundings, &mut warn)
        }));
        let (how, problem) = match played {
            Ok(Ok(end)) => {
                let turns = if end.turns == 1 { "1 turn".to_owned() } else { format!("{} turns", end.turns) };
                let how = format!("{} after {turns}", end.status.as_str().replace('_', " "));
                match end.status {
                    RunStatus::Returned | RunStatus::Failed | RunStatus::OutOfTurns | RunStatus::Limit => (how, None),
                    RunStatus::Pending => {
                        let words = format!(
                            "{}; say with ptc approve what becomes of them",
                            end.error.map(|e| e.text()).unwrap_or_default()
                        );
                        (how, Some(words))
                    }
                    _ => (how, Some(end.error.map(|e| e.text()).unwrap_or_default())),
                }
            }
            Ok(Err(p)) => ("not run".to_owned(), Some(p.to_string())),
            Err(words) => {
                let words = format!("a fault of ours, please report it with the trace: {words}");
                ("not run".to_owned(), Some(words))
            }
        };
        let _ = tell.send(Told::Over(at, how, problem));
    }
}
