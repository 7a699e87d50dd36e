//! `ptc step`: one reply of a model, from any harness, as the next turn of the session kept in a file.

use crate::args::StepArgs;
use crate::commands::run_events::RunObserver;
use crate::commands::run_source::tell_notes;
use crate::commands::{approve, settings};
use crate::exit_code::{DONE, ENDED, OUT_OF_TURNS, PENDING, REPLY_NOT_RUN};
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io, word};
use crate::terminal::run_view::Quiet;
use crate::traces::{self, compressed};
use ptc_agent::error_text;
use ptc_agent::task::Overrides;
use ptc_agent::{Agent, Cancel, Error, ErrorKind, Observer, Pending, RunContext, Task, Toolbox, TraceFile, task};
use ptc_history::Message;
use ptc_lisp::escape;
use ptc_turns::{Act, Session, Trace, TurnRefused};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn step(a: &StepArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    // The reply is read first: nobody should hold the file while a person types.
    let reply = match &a.reply {
        Some(file) if file.as_os_str() != "-" => Some(ptc_agent::files::read_text(file)?),
        asked => Some(io.read_stdin()?).filter(|text| asked.is_some() || !text.is_empty()),
    };
    let given = settings::overrides(&a.settings)?;
    let mut begin = a.task.as_deref().map(|task| Task::load_with(task, &given)).transpose()?;
    if let Some(task) = &mut begin {
        task.take_variables(&io.context.environment)?;
    }
    if begin.is_none() && !a.trace.exists() {
        return Err(Error::new(ErrorKind::Usage, error_text!("there is no such trace"; "begin one with --task TASK"))
            .at(&a.trace.display().to_string())
            .into());
    }
    let opened = TraceFile::open(&a.trace, || {
        let _ = writeln!(io.err, "{}: another process is writing this session, waiting for it", a.trace.display());
        true
    })?;
    if let Some(torn) = &opened.torn {
        io.warn(&format!("{}: {torn}", a.trace.display()));
    }
    let cancel = Cancel::default();
    // Traces of subtasks stand beside this one.
    let environment = io.context.environment.clone();
    let around = RunContext {
        trace: Some(a.trace.clone()),
        cancel: cancel.clone(),
        environment,
        no_sync: a.no_sync,
        ..RunContext::default()
    };
    let new_session = opened.trace.is_none();
    let (agent, mut store) = match opened.trace {
        Some(trace) => (go_on(trace, begin, (a, &given), &around)?, opened.store),
        None => {
            let Some(task) = begin else {
                return Err(Error::new(
                    ErrorKind::Usage,
                    error_text!("the file is empty"; "begin a session with --task TASK"),
                )
                .at(&a.trace.display().to_string())
                .into());
            };
            let agent = new(task, a, &around, io)?;
            Task::set_aside_subtasks(&a.trace)?;
            let mut store = opened.store;
            store.begin(&agent.session().trace().header)?;
            (agent, store)
        }
    };
    store = store.sync(!a.no_sync);
    let _guard = interrupt::watch(&cancel);
    let mut agent = agent.with_trace_file(store);
    let begun = agent.session().trace().turns().is_empty();
    let due = !new_session && agent.session().trace().next_act().is_some();
    if let Err(p) = watched(a, &cancel, io, |watch| agent.open(watch)) {
        let pending = agent.pending();
        return if pending.calls.is_empty() { Err(p.into()) } else { waits(&pending, a, io) };
    }
    if begun && reply.is_none() && !agent.begun() {
        io.info(&format!("begun; ptc messages {} shows the first prompt", a.trace.display()));
        return Ok(DONE);
    }
    if let Some(act) = agent.session().trace().act().filter(|_| due) {
        return asked(act, (agent.session().trace().turns().len() as u64).saturating_add(1), a, io);
    }
    // A turn that was not run to its end goes first: its reply is kept, and whoever wrote this one may not know.
    let kept = agent.session().trace().journal().reply().map(|(r, _)| r.reply.clone());
    let other = kept.is_some() && reply.as_ref().is_some_and(|r| kept.as_ref() != Some(r));
    let ran = watched(a, &cancel, io, |watch| {
        let turn = (agent.session().trace().turns().len() as u64).saturating_add(1);
        let text = kept.as_ref().or(reply.as_ref()).cloned().unwrap_or_default();
        // A turn that may not run is refused before anything is told of it.
        if kept.is_some() || agent.session().may_run().is_ok() {
            watch.going_on(turn, agent.session());
            watch.replied(turn, &text);
        }
        let record = if kept.is_some() { agent.go_on_with(watch) } else { agent.step_with(&text, None, watch) }?;
        watch.ran(&record, agent.session());
        Ok::<_, Error>(record)
    });
    match ran {
        Ok(record) => {
            // The next act begins at once, so that the next prompt is there. The turn has run, whatever becomes of that.
            let opened = watched(a, &cancel, io, |watch| agent.open(watch));
            let ended = match opened {
                Ok(()) => agent.session().may_run().is_err(),
                Err(_) => agent.session().trace().ended(),
            };
            let (status, feedback) = (record.status.as_str(), record.feedback.as_str());
            let (last, act_due) = (Last::of(a), opened.is_err());
            let line = Line { last, turn: record.turn, status, feedback, ended, act_due };
            if a.is_json() {
                serde_json::to_writer(&mut *io.out, &line).map_err(std::io::Error::from)?;
                writeln!(io.out)?;
            } else {
                writeln!(io.out, "{}", record.feedback)?;
            }
            if let Err(p) = opened {
                io.warn(&format!("the next act cannot begin yet: {p}"));
            }
            if other {
                let turn = record.turn;
                io.warn(&format!(
                    "turn {turn} had begun with another reply, which was run; the reply given now was not"
                ));
                return Ok(REPLY_NOT_RUN);
            }
            Ok(DONE)
        }
        Err(e) => {
            let ended = std::error::Error::source(&e).and_then(|s| s.downcast_ref::<TurnRefused>());
            match (Pending::of(&e), ended) {
                (Some(pending), _) => waits(&pending, a, io),
                (None, Some(ended @ TurnRefused::Cancelled)) => {
                    let (but, trace) = ("but its reply and the answers of tools", word(&a.trace));
                    io.error(&format!("{ended} {but}; go on: ptc step {trace} < /dev/null"));
                    Ok(interrupt::code())
                }
                (None, Some(ended)) => {
                    let words = format!("{ended}; the reply was not run");
                    io.error(&words);
                    not_run("ended", &words, a, io)?;
                    Ok(if matches!(ended, TurnRefused::OutOfTurns { .. }) { OUT_OF_TURNS } else { ENDED })
                }
                (None, None) => {
                    not_run("error", &e.text(), a, io)?;
                    Err(e.into())
                }
            }
        }
    }
}

/// The last line of events where the reply was not run to its end: why.
fn not_run(status: &'static str, error: &str, a: &StepArgs, io: &mut Io<'_>) -> Result<(), CliError> {
    if a.is_jsonl() {
        serde_json::to_writer(&mut *io.out, &NotRun { last: Last::of(a), status, error })
            .map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    }
    Ok(())
}

/// Does something whose events are written as they happen, where they are wanted.
fn watched<T>(a: &StepArgs, cancel: &Cancel, io: &mut Io<'_>, act: impl FnOnce(&mut dyn Observer) -> T) -> T {
    if !a.is_jsonl() {
        return act(&mut ());
    }
    act(&mut RunObserver::new(Box::new(Quiet::new(io)), true, cancel))
}

/// What the result is as a line behind events.
#[derive(Default, Serialize)]
struct Last {
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    /// In milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
}

impl Last {
    fn of(a: &StepArgs) -> Self {
        let events = a.is_jsonl();
        Last { event: events.then_some("step_ended"), time: events.then(ptc_agent::host::now_ms) }
    }
}

/// Says what waits.
fn waits(pending: &Pending, a: &StepArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    approve::tell(pending, Some(&a.trace), io);
    io.info(&format!("then go on: ptc step {} < /dev/null", word(&a.trace)));
    if a.is_json() {
        serde_json::to_writer(&mut *io.out, &Waits { last: Last::of(a), status: "pending", pending })
            .map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    }
    Ok(PENDING)
}

#[derive(Serialize)]
struct Waits<'a> {
    #[serde(flatten)]
    last: Last,
    status: &'static str,
    pending: &'a Pending,
}

#[derive(Serialize)]
struct NotRun<'a> {
    #[serde(flatten)]
    last: Last,
    status: &'static str,
    error: &'a str,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    last: Last,
    turn: u64,
    status: &'static str,
    feedback: &'a str,
    ended: bool,
    /// The next act could not begin yet: its question is not there, and no reply can be for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    act_due: bool,
}

/// Shows what an act asks that could not begin before and has begun now: whoever wrote the reply had not seen it.
fn asked(act: &Act, turn: u64, a: &StepArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let question = Message { content: act.content.clone(), ..Message::user("") };
    let question = question.text();
    if a.is_json() {
        let line = Line { last: Last::of(a), turn, status: "asked", feedback: &question, ended: false, act_due: false };
        serde_json::to_writer(&mut *io.out, &line).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    } else {
        writeln!(io.out, "{question}")?;
    }
    let name = escape::line(&act.name);
    io.warn(&format!("the act {name} has begun only now; the reply was not run: answer what it asks"));
    Ok(REPLY_NOT_RUN)
}

fn new(mut task: Task, a: &StepArgs, around: &RunContext, io: &mut Io<'_>) -> Result<Agent, Error> {
    task.policy = compressed(task.policy, &a.compression);
    if let Some(n) = a.max_turns {
        task.set_max_turns(n);
    }
    let config = task.config()?;
    tell_notes(&config.inputs, io);
    let session = Session::new(config);
    task.agent(session, around)
}

/// The session of a trace. Its task is looked for where `--task` says, or where it was when the session began.
fn go_on(
    trace: Trace,
    named: Option<Task>,
    (a, given): (&StepArgs, &Overrides),
    around: &RunContext,
) -> Result<Agent, Error> {
    let header = trace.header.clone();
    let needed = given.keys().next().is_some()
        || !header.tools.is_empty()
        || !header.acts.is_empty()
        || header.inputs.iter().any(|(_, i)| i.value.is_none());
    let task = match (named, needed) {
        (Some(task), _) if !task.began(&header) => {
            let shown = a.trace.display();
            let words = match task.began_without_acts(&header) {
                true => traces::without_acts(&shown.to_string()),
                false => error_text!("{shown} is the trace of another task"; "leave --task out"),
            };
            return Err(Error::new(ErrorKind::Usage, words));
        }
        (Some(task), _) => Some(task),
        (None, false) => None,
        (None, true) => Some(Task::load_with(&find(header.folder.as_deref(), &a.trace, "add --task TASK")?, given)?),
    };
    if let Some(task) = &task {
        // One that was looked for is where the session began.
        let found = a.task.is_none().then_some(task.folder.as_path());
        task.check_tools(&header, found)?;
    }
    let mut session = match &task {
        Some(t) => t.resume(trace)?,
        None => task::restore(trace, Vec::new())?,
    };
    if let Some(task) = &task {
        settings::resume(&mut session, task, given, (&[], &[]))?;
    }
    if let Some(n) = a.max_turns {
        session.set_max_turns(n);
    }
    if a.compression.asked().is_some() {
        session.set_policy(&compressed(session.view().policy().clone(), &a.compression));
    }
    match &task {
        Some(t) => t.agent(session, around),
        None => Ok(Agent::new(session, Toolbox::new()).with_cancel(around.cancel.clone())),
    }
}

/// Where the task is: as it was named, or the same seen from the trace's folder.
///
/// # Errors
/// When it is not there; with `hint`.
pub fn find(folder: Option<&str>, trace: &Path, hint: &str) -> Result<PathBuf, Error> {
    let Some(folder) = folder else {
        return Err(Error::new(
            ErrorKind::Usage,
            error_text!("{} does not say where its task is", trace.display(); "{hint}"),
        ));
    };
    let beside = trace.parent().map(|p| p.join(folder));
    [Some(PathBuf::from(folder)), beside].into_iter().flatten().find(|p| p.exists()).ok_or_else(|| {
        Error::new(
            ErrorKind::Usage,
            error_text!("the task of this trace was in {folder}, which is not there"; "{hint}"),
        )
    })
}
