//! What a session keeps of the arguments of `ptc ask`, and the command that goes on with it.

use crate::args::RunOptions;
use crate::terminal::io::{Io, word};
use ptc_agent::Error;
use ptc_agent::sessions::AskedWith;
use ptc_agent::task::GivenInput;
use ptc_turns::Header;
use std::path::{Path, PathBuf};

/// What tasks of questions are called.
pub const NAME: &str = "ask";

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
    with.inputs = a.inputs.ctx.iter().filter_map(|text| GivenInput::parse(text).ok()?.anywhere()).collect();
    with.set.clone_from(&a.settings.set);
    with.model.clone_from(&a.model);
    with
}

/// Takes what a session keeps into options that do not say it themselves.
///
/// # Errors
/// When one of its inputs is not there any more.
pub fn take(kept: &AskedWith, options: &mut RunOptions) -> Result<(), Error> {
    let mut given = Vec::new();
    for text in &options.inputs.ctx {
        given.push(GivenInput::parse(text)?.name().to_owned());
    }
    let named = |text: &str, names: &[String]| text.split_once('=').is_some_and(|(n, _)| names.iter().any(|g| g == n));
    options.inputs.ctx.extend(kept.inputs.iter().filter(|text| !named(text, &given)).cloned());
    let keys: Vec<String> =
        options.settings.set.iter().filter_map(|s| Some(s.split_once('=')?.0.trim().to_owned())).collect();
    let known = |text: &str| text.split_once('=').is_some_and(|(k, _)| keys.iter().any(|key| key == k.trim()));
    let kept_set: Vec<String> = kept.set.iter().filter(|text| !known(text)).cloned().collect();
    options.settings.set.splice(0..0, kept_set);
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
