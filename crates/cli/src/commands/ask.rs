//! `ptc ask`: a task made of arguments, and further questions to its session.

use crate::args::{AskArgs, RunOptions};
use crate::commands::run;
use crate::commands::run_result::not_begun;
use crate::commands::run_source::RunSource;
use crate::terminal::io::{CliError, Io, word};
use ptc_agent::sessions::AskedWith;
use ptc_agent::task::GivenInput;
use ptc_agent::{Error, ErrorKind, error_text, trace_file};
use ptc_turns::Header;
use std::path::{Path, PathBuf};

/// What tasks of questions are called.
pub const NAME: &str = "ask";

/// Runs the command: what `ptc run` does with a task.
pub fn ask(a: &AskArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let (tools, options, question) = match with_kept(a, io) {
        Ok(all) => all,
        Err(p) => {
            not_begun(a.options.form(), &p, io)?;
            return Err(p.into());
        }
    };
    let source = RunSource::Question { question: &question, tools: &tools, more: &a.more };
    run::start(&source, &options, io)
}

/// The folder that the process is in, as sessions keep it.
pub fn here() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    here.canonicalize().unwrap_or(here)
}

/// What a session keeps of the arguments of its question.
pub fn asked_with(tools: &[String], a: &RunOptions) -> AskedWith {
    let mut with = AskedWith::default();
    with.folder = here();
    with.tools = tools.to_vec();
    with.inputs = a.ctx.iter().filter_map(|text| GivenInput::parse(text).ok()?.anywhere()).collect();
    with.set.clone_from(&a.set);
    with.model.clone_from(&a.model);
    with
}

/// The commands, the options and the question: those of the session that is gone on with where none are given.
fn with_kept(a: &AskArgs, io: &Io<'_>) -> Result<(Vec<String>, RunOptions, String), Error> {
    let mut options = a.options.clone();
    let store = io.context.sessions();
    if options.go_on {
        let store = store.as_ref().ok_or_else(|| {
            let words = error_text!("there is no folder for sessions"; "set PTC_HOME to one, or give --resume TRACE");
            Error::new(ErrorKind::Usage, words)
        })?;
        options.resume = Some(store.newest_asked(&here())?.trace());
        options.go_on = false;
    }
    let question = match (&a.question, &options.resume) {
        (Some(question), _) => question.clone(),
        (None, Some(trace)) => {
            let trace = trace_file::read(trace)?.trace;
            trace.follow_ups().last().unwrap_or_else(|| trace.header.question()).to_owned()
        }
        (None, None) => String::new(),
    };
    let kept = options.resume.as_deref().and_then(|trace| store?.of_trace(trace)?.asked());
    let Some(kept) = kept else { return Ok((a.tool.clone(), options, question)) };
    let tools = if a.tool.is_empty() { kept.tools.clone() } else { a.tool.clone() };
    if a.tool.is_empty() && !tools.is_empty() && kept.folder != here() {
        let folder = kept.folder.display();
        let words = error_text!("the commands of --tool were named in the folder {folder}"; "go there (cd {}), or give --tool again", word(&kept.folder));
        return Err(Error::new(ErrorKind::Usage, words));
    }
    take(&kept, &mut options)?;
    Ok((tools, options, question))
}

/// Takes what a session keeps into options that do not say it themselves.
///
/// # Errors
/// When one of its inputs is not there any more.
pub fn take(kept: &AskedWith, options: &mut RunOptions) -> Result<(), Error> {
    let mut given = Vec::new();
    for text in &options.ctx {
        given.push(GivenInput::parse(text)?.name().to_owned());
    }
    let named = |text: &str, names: &[String]| text.split_once('=').is_some_and(|(n, _)| names.iter().any(|g| g == n));
    options.ctx.extend(kept.inputs.iter().filter(|text| !named(text, &given)).cloned());
    let keys: Vec<String> = options.set.iter().filter_map(|s| Some(s.split_once('=')?.0.trim().to_owned())).collect();
    let known = |text: &str| text.split_once('=').is_some_and(|(k, _)| keys.iter().any(|key| key == k.trim()));
    let kept_set: Vec<String> = kept.set.iter().filter(|text| !known(text)).cloned().collect();
    options.set.splice(0..0, kept_set);
    options.model = options.model.take().or_else(|| kept.model.clone());
    Ok(())
}

/// A trace as a word of a command: the id of its session, where it has one.
pub fn name(trace: &Path, io: &Io<'_>) -> String {
    let session = io.context.sessions().and_then(|store| store.of_trace(trace));
    session.map_or_else(|| trace.display().to_string(), |s| s.id().to_owned())
}

/// The command that goes on with the session in this trace.
pub fn go_on(trace: &Path, header: &Header, io: &Io<'_>) -> String {
    let session = io.context.sessions().and_then(|store| store.of_trace(trace));
    let name = session.as_ref().map_or_else(|| word(trace), |s| s.id().to_owned());
    if session.as_ref().is_some_and(|s| s.asked().is_some()) {
        return format!("ptc ask --resume {name}");
    }
    match session.and_then(|s| s.task()) {
        Some(task) => format!("ptc run {} --resume {name}", word(&task)),
        // A task is never in the folder `.` alone: of a question only its arguments know the inputs and tools.
        None if header.task.as_deref() == Some(NAME) && header.folder.as_deref() == Some(".") => {
            format!("ptc ask --resume {name} and the --ctx and --tool that it was asked with")
        }
        None => format!("ptc run TASK --resume {name}"),
    }
}
