//! The session that a REPL begins with: of nothing, of a task, or of a trace.

use super::session::ReplSession;
use crate::args::{ReplArgs, RunOptions};
use crate::commands::run_source::{RunSource, inputs, no_stdin, tell_notes};
use crate::commands::{asked, settings, step};
use crate::configuration;
use crate::terminal::io::Io;
use crate::traces;
use ptc_agent::task::GivenInput;
use ptc_agent::{Error, ErrorKind, Task, TraceFile, error_text, task};
use ptc_lisp::value::Value;
use ptc_turns::trace::Step;
use ptc_turns::{Act, Config, Header, Input, Session, Trace, TurnRecord};
use std::path::Path;
use std::sync::Arc;

/// The session that the options ask for, and what it is called.
///
/// # Errors
/// What is wrong with the task, the trace or an option.
pub fn start(a: &ReplArgs, io: &mut Io<'_>) -> Result<(ReplSession, String), Error> {
    let given = given(a, io)?;
    if let Some(file) = &a.save {
        // Before anything is loaded: it would be in vain.
        if file.metadata().is_ok_and(|m| m.len() > 0) {
            let words = error_text!("it is there already"; "name a new file for --save");
            return Err(Error::new(ErrorKind::Usage, words).at(&file.display().to_string()));
        }
    }
    let (session, task, name) = match &a.trace {
        Some(file) => of_trace(file, a, given, io)?,
        None => of_task(a, given, io)?,
    };
    let environment = io.context.environment.clone();
    let mut session = ReplSession::new(session, task.map(Arc::new), &environment, a.save.clone())?;
    session.of_trace = a.trace.is_some();
    if let Some(file) = &a.save {
        session.keep(TraceFile::open(file, || false)?.store)?;
    }
    Ok((session, name))
}

/// The inputs that are named.
fn given(a: &ReplArgs, io: &mut Io<'_>) -> Result<Vec<GivenInput>, Error> {
    no_stdin(&a.inputs.ctx)?;
    inputs(&a.inputs.ctx, io)
}

/// The session of a task, or of none; its inputs are loaded. Acts are not opened: what they ask is for a model, and to ask
/// it may call tools and run other tasks.
fn of_task(a: &ReplArgs, given: Vec<GivenInput>, io: &mut Io<'_>) -> Result<(Session, Option<Task>, String), Error> {
    let mut over = configuration::take(io)?.defaults();
    over.extend(settings::overrides(&a.settings)?);
    let mut task = match &a.task {
        Some(path) => Task::load_with(path, &over)?,
        None => {
            over.text(&["task", "name"], "user", "ptc repl");
            over.text(&["task", "prompt"], "-", "ptc repl");
            Task::of_values(&over)?
        }
    };
    given.into_iter().for_each(|input| task.give_input(input));
    if task.has_acts() {
        io.info(
            "The acts of this task are not opened: nothing of what they ask is here, and programs may call every tool. ptc repl --trace begins with what a run of it had.",
        );
    }
    let name = task.name.clone();
    let config = Config { acts: Vec::new(), max_turns: u64::MAX, open_ended: true, ..task.config()? };
    tell_notes(&config.inputs, io);
    let config = match a.task {
        Some(_) => config,
        None => Config { task: None, folder: None, prompt: String::new(), ..config },
    };
    Ok((Session::new(config), Some(task), name))
}

/// The session of a trace, as it was after a turn.
fn of_trace(
    file: &Path,
    a: &ReplArgs,
    given: Vec<GivenInput>,
    io: &mut Io<'_>,
) -> Result<(Session, Option<Task>, String), Error> {
    configuration::take(io)?;
    let whole = traces::load(file, io)?;
    let turns = whole.turns().len() as u64;
    let last = a.turn.unwrap_or(turns);
    if last > turns {
        let words = match turns {
            0 => error_text!("there is no turn {last}: the trace has none"; "leave --turn out"),
            _ => error_text!("there is no turn {last}: the trace has {turns}"; "give --turn 0 to {turns}"),
        };
        return Err(Error::new(ErrorKind::Usage, words).at(&file.display().to_string()));
    }
    let header = whole.header.clone();
    let needs_task = header.inputs.iter().any(|(_, i)| i.value.is_none());
    let task = match (&a.task, header.folder.as_deref()) {
        (Some(path), _) => Some(Task::load(path)?),
        (None, None) if !needs_task => None,
        (None, Some(folder)) if is_question(folder, &header) => question(file, &header, io)?,
        (None, folder) => match step::find(folder, file, "add the task: ptc repl TASK --trace TRACE") {
            Ok(path) => Some(Task::load(&path)?),
            // What was recorded is enough, but nobody answers its tools.
            Err(_) if !needs_task && header.tools.is_empty() => None,
            Err(e) => return Err(e),
        },
    };
    let other = |t: &&Task| !t.began(&header) && !t.began_without_acts(&header);
    if let Some(task) = task.as_ref().filter(other) {
        let words =
            error_text!("{} is the trace of another task than {}", file.display(), task.name; "name its own task");
        return Err(Error::new(ErrorKind::Usage, words));
    }
    let more = more_inputs(given, &header)?;
    let added: Vec<(String, Value)> = more.iter().map(|i| (i.name.clone(), i.value.clone())).collect();
    let words = Config { inputs: more, ..Config::programs() }.header().inputs;
    let header = Header { inputs: header.inputs.iter().cloned().chain(words).collect(), ..Header::clone(&header) };
    let trace = first_turns(&whole, header, last);
    let session = match &task {
        Some(task) => task.resume_with(trace, added)?,
        None => task::restore(trace, added)?,
    };
    let name = whole.header.task.clone().unwrap_or_else(|| "user".to_owned());
    Ok((session, task, name))
}

/// Whether a trace is that of `ptc ask`, whose task is in no folder.
fn is_question(folder: &str, header: &Header) -> bool {
    header.task.as_deref() == Some(asked::NAME) && folder == "." && !Path::new(folder).join("task.toml").is_file()
}

/// The task of a question, with the inputs and commands that its session keeps; of a trace that is kept elsewhere the inputs
/// alone, from the files that it names.
fn question(file: &Path, header: &Header, io: &mut Io<'_>) -> Result<Option<Task>, Error> {
    let kept = io.context.sessions().and_then(|store| store.of_trace(file)?.asked());
    let mut options = RunOptions::default();
    match &kept {
        Some(kept) => asked::take(kept, &mut options)?,
        None => {
            let files = header.inputs.iter().filter(|(_, i)| i.value.is_none());
            options.inputs.ctx = files.filter_map(|(name, i)| Some(format!("{name}={}", i.file.as_ref()?))).collect();
        }
    }
    // Nobody is asked in a REPL.
    options.model = options.model.or_else(|| Some("replay:-".to_owned()));
    let tools = kept.map(|k| k.tools).unwrap_or_default();
    RunSource::Question { question: header.question(), tools: &tools, more: &[] }.load(&options, io).map(Some)
}

/// Inputs beside those of a trace, loaded.
fn more_inputs(given: Vec<GivenInput>, header: &Header) -> Result<Vec<Input>, Error> {
    if let Some(twice) = given.iter().find(|g| header.inputs.iter().any(|(name, _)| name == g.name())) {
        let name = ptc_lisp::escape::line(twice.name());
        let words = error_text!("the trace has an input {name} already, which its turns have read"; "give it another name, as {name}-2=FILE");
        return Err(Error::new(ErrorKind::Usage, words).at("--ctx"));
    }
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let mut over = task::Overrides::default();
    over.text(&["task", "prompt"], "-", "ptc repl");
    let mut task = Task::of_values(&over)?;
    given.into_iter().for_each(|input| task.give_input(input));
    task.inputs()
}

/// The first turns of a trace, under this header.
fn first_turns(whole: &Trace, header: Header, last: u64) -> Trace {
    let mut trace = Trace::new(header);
    for step in whole.steps() {
        match step {
            Step::Act(act) if act.first_turn <= last => {
                trace.open(Act::clone(act));
            }
            Step::Turn(turn) if turn.turn <= last => {
                trace.push(TurnRecord::clone(turn));
            }
            _ => {}
        }
    }
    trace
}
