//! `ptc sessions`: the sessions that runs have kept.

mod json_line;
mod list;
mod query;
mod remove;
mod when;

use crate::args::{ExportArgs, ForkArgs, SearchArgs, SessionsArgs, SessionsCommand, ShowArgs};
use crate::commands::asked;
use crate::decisions;
use crate::exit_code::DONE;
use crate::terminal::io::{BOLD, CliError, DIM, Io, word};
use json_line::line;
use ptc_agent::sessions::{SessionStore, SessionSummary, SubtaskSummary};
use ptc_agent::{Error, ErrorKind, error_text, trace_file};
use ptc_lisp::escape;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Runs the command.
pub fn sessions(a: &SessionsArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let store = io.context.sessions().ok_or_else(|| {
        Error::new(ErrorKind::Usage, error_text!("there is no folder for sessions"; "set PTC_HOME to one"))
    })?;
    match &a.command {
        None => list::list(&a.list, &store, io),
        Some(SessionsCommand::List(a)) => list::list(a, &store, io),
        Some(SessionsCommand::Search(a)) => search(a, &store, io),
        Some(SessionsCommand::Show(a)) => show(a, &store, io),
        Some(SessionsCommand::Fork(a)) => fork(a, &store, io),
        Some(SessionsCommand::Export(a)) => export(a, &store, io),
        Some(SessionsCommand::Rm(a)) => remove::rm(a, &store, io),
        Some(SessionsCommand::Prune(a)) => remove::prune(a, &store, io),
        Some(SessionsCommand::Query(a)) => query::query(a, &store, io),
    }
}

fn search(a: &SearchArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let found = store.search(&a.words, a.limit)?;
    if a.json {
        for one in &found {
            line(one, io)?;
        }
        return Ok(DONE);
    }
    let mut last = None;
    for one in &found {
        if last != Some(&one.id) {
            writeln!(io.out, "{}", one.id)?;
            last = Some(&one.id);
        }
        let place = match (one.kind, one.turn) {
            ("ending", n) => format!("after turn {n}"),
            (_, 0) => "before turn 1".to_owned(),
            (_, n) => format!("turn {n}"),
        };
        let subtask = one.subtask.as_ref().map_or_else(String::new, |label| format!("{}, ", escape::line(label)));
        writeln!(io.out, "  {subtask}{place}, {}: {}", one.kind, one.snippet)?;
    }
    if found.is_empty() {
        io.info("no turn has all these words");
    } else if found.len() == a.limit {
        io.info(&format!("{DIM}the first {}; more with --limit{DIM:#}", a.limit));
    }
    Ok(DONE)
}

/// A session as a line of JSON, with its subtasks.
#[derive(Serialize)]
struct Shown<'a> {
    #[serde(flatten)]
    summary: &'a SessionSummary,
    subtask_traces: &'a [SubtaskSummary],
}

fn show(a: &ShowArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let s = store.show(&a.id)?;
    let subtasks = store.subtasks(&s.id)?;
    if a.json {
        line(&Shown { summary: &s, subtask_traces: &subtasks }, io)?;
        return Ok(DONE);
    }
    let trace = store.open(&s.id)?.trace();
    let mut rows: Vec<(&str, String)> = vec![
        ("session", s.id.clone()),
        ("task", s.task.clone().unwrap_or_default()),
        ("question", s.title.clone()),
        ("status", s.status.as_str().to_owned()),
    ];
    rows.extend(s.problem.clone().map(|p| ("problem", p)));
    rows.push(("began", when::utc(s.created)));
    rows.push(("written", when::utc(s.updated)));
    rows.push(("used", list::totals(&s.totals)));
    rows.push(("subtasks", s.subtasks.to_string()));
    for sub in &subtasks {
        let turns = list::turns(sub.turns);
        let problem = sub.problem.as_ref().map_or_else(String::new, |p| format!(": {p}"));
        let open = word(Path::new(&format!("{}/{}", s.id, sub.label)));
        rows.push(("subtask", format!("{} after {turns}{problem}; ptc trace {open}", sub.status.as_str())));
    }
    // Of a trace that cannot be read the line above says so.
    if let Ok(loaded) = trace_file::read_undamaged(&trace) {
        rows.extend(decisions::lines(&loaded.0.trace).into_iter().map(|line| ("decision", line)));
    }
    if let (Some(from), Some(at)) = (&s.forked_from, s.forked_at) {
        rows.push(("fork of", format!("{from}, its turns up to {at}")));
    }
    if let Some(task) = &s.task_path {
        rows.push(("folder of the task", word(task)));
    }
    rows.push(("trace", format!("{}, {} bytes with all beside it", word(&trace), s.bytes)));
    for (name, text) in rows {
        writeln!(io.out, "{name}: {text}")?;
    }
    Ok(DONE)
}

fn fork(a: &ForkArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let new = store.fork(&a.id, a.turn)?;
    writeln!(io.out, "{}", new.id())?;
    let s = store.show(new.id())?;
    if let (None, Some(damage)) = (a.turn, store.damage(&a.id)?) {
        let (what, turns) = (escape::line(damage.message()), list::turns(s.totals.turns));
        io.warn(&format!("{}: {what}; the fork has what is before it, {turns}", store.find(&a.id)?));
    }
    let command = asked::go_on(&new.trace(), &store.trace(new.id())?.header, io);
    io.info(&format!("{DIM}go on with {command}{DIM:#}"));
    Ok(DONE)
}

fn export(a: &ExportArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let id = store.find(&a.id)?;
    let end = if a.trace_only { "jsonl" } else { "tar.gz" };
    let file = a.output.clone().unwrap_or_else(|| PathBuf::from(format!("{id}.{end}")));
    let write = |to: &mut dyn Write| -> Result<(), Error> {
        if a.trace_only {
            to.write_all(&store.trace_bytes(&id)?).map_err(|e| Error::io(&file, "write", &e))
        } else {
            store.export(&id, to).map(drop)
        }
    };
    if file == Path::new("-") {
        write(&mut *io.out)?;
        return Ok(DONE);
    }
    // Nothing that is there is written over.
    let mut out = std::fs::File::create_new(&file).map_err(|e| match e.kind() {
        std::io::ErrorKind::AlreadyExists => Error::new(
            ErrorKind::Usage,
            error_text!("{} is there already", file.display(); "name another file with -o"),
        ),
        _ => Error::io(&file, "write", &e),
    })?;
    if let Err(e) = write(&mut out) {
        let _ = std::fs::remove_file(&file);
        return Err(e.into());
    }
    io.info(&format!("{BOLD}wrote{BOLD:#} {}", word(&file)));
    Ok(DONE)
}
