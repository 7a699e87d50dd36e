//! `ptc approve`: what becomes of tool calls that wait for a decision.

use crate::args::ApproveArgs;
use crate::commands::asked;
use crate::decisions;
use crate::exit_code::DONE;
use crate::terminal::io::{CliError, Io, word};
use ptc_agent::error_text;
use ptc_agent::tools::{CallDecision, Decided, Pending, PendingCall, PendingReason, decide_by, pending};
use ptc_agent::{Error, ErrorKind, TraceFile, host};
use ptc_lisp::escape;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Json, Trace};
use std::path::{Path, PathBuf};

/// Longest name of who decides, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// Runs the command.
pub fn approve(a: &ApproveArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    if !a.trace.is_file() {
        return Err(Error::new(ErrorKind::Usage, error_text!("there is no such trace"; "check the name"))
            .at(&a.trace.display().to_string())
            .into());
    }
    let decision = match (&a.deny, &a.answer) {
        (Some(words), _) => CallDecision::Fail(words.clone()),
        (None, Some(file)) => CallDecision::Answer(answer(file)?),
        (None, None) => CallDecision::Make,
    };
    let by = a.by.clone().filter(|by| !by.trim().is_empty()).unwrap_or_else(|| decisions::who(&io.context.environment));
    let by = ptc_lisp::error::cut(by, MAX_NAME_BYTES);
    let opened = TraceFile::open(&a.trace, || false)?;
    let shown = a.trace.display();
    if let Some(torn) = &opened.torn {
        io.warn(&format!("{shown}: {torn}"));
    }
    let Some(mut trace) = opened.trace else {
        return Err(Error::new(ErrorKind::Usage, error_text!("the file is empty"; "no call waits"))
            .at(&shown.to_string())
            .into());
    };
    let mut store = opened.store;
    let waits = pending(&trace);
    let ids: Vec<u64> = match a.call {
        Some(id) => vec![id],
        None if a.list => Vec::new(),
        None => waits.calls.iter().filter(|c| c.why == PendingReason::Approval).map(|c| c.id).collect(),
    };
    for id in &ids {
        match decide_by(&trace, *id, decision.clone(), host::now_ms(), &by)? {
            Decided::Entry(entry) => {
                store.append_entry(&entry)?;
                trace.note(entry).map_err(|w| Error::new(ErrorKind::Usage, w))?;
            }
            Decided::Called(called) => {
                store.append_called(&called)?;
                trace.call_ahead(called);
            }
        }
        let (call, said) = (
            waits.calls.iter().find(|c| c.id == *id),
            match &decision {
                CallDecision::Make => "may be made",
                CallDecision::Fail(_) => "is not made, the program gets an error",
                CallDecision::Answer(_) => "is not made, its answer is kept",
            },
        );
        let name = call.map_or_else(String::new, |c| format!(", tool/{},", escape::line(&c.name)));
        io.info(&format!("call {id}{name} {said}"));
    }
    let left = pending(&trace);
    if a.json {
        serde_json::to_writer(&mut *io.out, &left).map_err(std::io::Error::from)?;
        writeln!(io.out)?;
    }
    if left.calls.is_empty() {
        io.info(&match (ids.is_empty(), trace.journal().is_empty()) {
            (true, true) => format!("{shown}: no call waits"),
            (true, false) => {
                format!("{shown}: no call waits; go on with {}", asked::go_on(&a.trace, &trace.header, io))
            }
            _ => next(&a.trace, &trace, io)?,
        });
    } else {
        let name = asked::name(&a.trace, io);
        tell(&left, Some(&PathBuf::from(name)), io);
    }
    Ok(DONE)
}

/// What is left to do when no call of this trace waits any more.
fn next(path: &Path, trace: &Trace, io: &Io<'_>) -> Result<String, Error> {
    let store = io.context.sessions();
    let named = store.as_ref().and_then(|store| store.name_of(path));
    let (Some(store), Some(named)) = (store, named) else { return Ok(go_on(path, trace, io)) };
    // The trace of a subtask goes on with its session.
    let id = named.split_once('/').map_or(named.as_str(), |(id, _)| id);
    let (main, subtasks) = (store.open(id)?.trace(), store.subtasks(id)?);
    let others = subtasks.iter().map(|s| (format!("{id}/{}", s.label), &s.trace)).chain([(id.to_owned(), &main)]);
    for (name, other) in others.filter(|(name, _)| *name != named) {
        // One that cannot be read has no call that could be decided about.
        let Ok(read) = outline(other) else { continue };
        let waits = pending(&read).calls.iter().filter(|c| c.why == PendingReason::Approval).count();
        if waits > 0 {
            return Ok(format!("calls of the session wait still: ptc approve {name} --list shows {waits}"));
        }
    }
    let notes = store.notes(id)?;
    Ok(match notes.client {
        Some(client) if notes.open_ended => format!(
            "no call waits any more; its client {} goes on: POST /sessions/{id}/wait, or the MCP tool wait with this session",
            escape::line(&client)
        ),
        Some(client) => format!(
            "no call waits any more; its client {} goes on: POST /sessions/{id}/wait, or the MCP tool wait with this session; or {}",
            escape::line(&client),
            go_on(&main, &outline(&main)?, io)
        ),
        None => go_on(&main, &outline(&main)?, io),
    })
}

fn outline(trace: &Path) -> Result<Trace, Error> {
    Ok(ptc_agent::trace_file::read_kept(trace, &mut |turn| turn.reduced(KeptTexts::NONE))?.trace)
}

/// The commands that go on with a session.
fn go_on(path: &Path, trace: &Trace, io: &Io<'_>) -> String {
    let (command, name) = (asked::go_on(path, &trace.header, io), asked::name(path, io));
    // A question has no folder that `ptc step` could find its tools in.
    let step = if command.starts_with("ptc ask") { String::new() } else { format!(", or ptc step {name}") };
    format!("go on with {command}{step}")
}

fn answer(file: &Path) -> Result<Json, Error> {
    let text = ptc_agent::files::read_text(file)?;
    let wrong = |e: String| {
        Error::new(ErrorKind::Usage, error_text!("{e}"; "give a file that holds one JSON value"))
            .at(&file.display().to_string())
    };
    serde_json::from_str::<serde::de::IgnoredAny>(&text).map_err(|e| wrong(e.to_string()))?;
    Json::new(text.trim().to_owned()).ok_or_else(|| wrong("no JSON".to_owned()))
}

/// Says which calls wait, and for each what can be said of it. `trace` is where they stand that do not say themselves.
pub fn tell(pending: &Pending, trace: Option<&Path>, io: &mut Io<'_>) {
    let store = io.context.sessions();
    let word_for = |trace: &Path| {
        store.as_ref().and_then(|s| s.name_of(trace)).map_or_else(|| word(trace), |n| word(Path::new(&n)))
    };
    for PendingCall { id, name, args, why, trace: inside, .. } in &pending.calls {
        io.info(&format!("call {id}: tool/{} {}", escape::line(name), escape::line(args.text())));
        let Some(named) = inside.as_deref().or(trace).map(word_for) else { continue };
        if inside.is_some() {
            io.info(&format!("  of a subtask:  ptc trace {named}"));
        }
        let trace = named;
        match why {
            PendingReason::Approval => {
                io.info("  it waits for approval and has not been made");
                io.info(&format!("  make it:       ptc approve {trace} {id}"));
            }
            PendingReason::InFlight => {
                io.info("  it was in flight when the process ended, and may have been made");
                io.info(&format!("  make it again: ptc approve {trace} {id}"));
            }
        }
        io.info(&format!("  do not:        ptc approve {trace} {id} --deny 'WORDS FOR THE PROGRAM'"));
        io.info(&format!("  answer it:     ptc approve {trace} {id} --answer FILE.json"));
    }
}
