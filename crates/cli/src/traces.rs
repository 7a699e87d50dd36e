//! What several commands need of a trace: reading it, the model that answered in it, a counter of its tokens, and the
//! policy that it is shown under.

use crate::args::Compression;
use crate::terminal::io::Io;
use ptc_agent::sessions::{SessionStatus, SessionStore};
use ptc_agent::{Error, ErrorKind, ErrorText, error_text, trace_file};
use ptc_history::tokens::{MessageCounter, Profiles, Request};
use ptc_turns::{Policy, Trace};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Whose tokens are counted where no model is named.
pub const DEFAULT_MODEL: &str = "openai/gpt-4o";

/// The provider and the name of a model; a name alone is one of OpenAI's.
pub fn split_model(model: &str) -> (&str, &str) {
    model.split_once('/').unwrap_or(("openai", model))
}

/// The model that answered last, as counters know it; [`DEFAULT_MODEL`] where none is named.
pub fn recorded_model(trace: &Trace) -> String {
    let usages = trace.turns().iter().rev().map(|t| &t.usage);
    let mut models = usages.filter_map(|u| Some(format!("{}/{}", u.provider.as_ref()?, u.model.as_ref()?)));
    models.next().unwrap_or_else(|| DEFAULT_MODEL.to_owned())
}

/// A trace that is only looked at; an incomplete last line is reported.
pub fn load(path: &Path, io: &mut Io<'_>) -> Result<Trace, Error> {
    let loaded = trace_file::read(path)?;
    if let Some(torn) = loaded.torn {
        io.warn(&format!("{}: {torn}", path.display()));
    }
    Ok(loaded.trace)
}

/// What stands in a trace before the first line that cannot be read, and what is wrong with that one.
pub fn load_undamaged(path: &Path, io: &mut Io<'_>) -> Result<(Trace, Option<Error>), Error> {
    let (loaded, damaged) = trace_file::read_undamaged(path)?;
    if let Some(torn) = loaded.torn {
        io.warn(&format!("{}: {torn}", path.display()));
    }
    Ok((loaded.trace, damaged))
}

/// Puts the path of a trace in the place of an id, or of an id and the label of a subtask: `k7q2/agent-helper-9f2c41d07ab3`.
/// What is there as a file is that file.
///
/// # Errors
/// When it can only be an id, and is that of no session, or of several, or the session has no such subtask.
pub fn locate(trace: &mut PathBuf, io: &Io<'_>) -> Result<(), Error> {
    let Some(store) = io.context.sessions() else { return Ok(()) };
    let Some(name) = trace.to_str().filter(|_| !trace.exists()) else { return Ok(()) };
    match name.split_once('/') {
        None if SessionStore::is_like_id(name) => *trace = store.open(name)?.trace(),
        // A folder of such a name may be there, without the file.
        Some((id, label)) if SessionStore::is_like_id(id) && !Path::new(id).exists() && !label.contains('/') => {
            *trace = store.subtask_trace(id, label)?;
        }
        _ => {}
    }
    Ok(())
}

/// The task of a kept session: where it was when that began.
pub fn task_of(path: &Path, io: &Io<'_>) -> Option<PathBuf> {
    let store = io.context.sessions()?;
    store.show(store.of_trace(path)?.id()).ok()?.task_path
}

/// Why the last run of a session ended without an answer, where that is no turn's doing: what its trace says, or of a kept
/// session what stands beside that.
pub fn problem(path: &Path, trace: &Trace, io: &Io<'_>) -> Option<String> {
    if let Some(how) = trace.run_ended() {
        return Some(how.text());
    }
    let store = io.context.sessions()?;
    let session = store.show(store.of_trace(path)?.id()).ok()?;
    let stopped = matches!(session.status, SessionStatus::Error | SessionStatus::Stopped | SessionStatus::Limit);
    session.problem.filter(|_| stopped)
}

/// That a trace of `ptc repl TASK` has none of the acts that its task is to be run in.
pub fn without_acts(shown: &str) -> ErrorText {
    error_text!("{shown} is a session of ptc repl, which opens none of the task's acts"; "go on with it by ptc repl --trace {shown}, or begin a run with ptc run")
}

/// The policy with what the options say.
pub fn compressed(policy: Policy, asked: &Compression) -> Policy {
    match asked.asked() {
        Some(true) => Policy { compress_history: true, ..policy },
        Some(false) => policy.uncompressed(),
        None => policy,
    }
}

/// Counts as this model's provider would: `openai/gpt-4o`, or a name alone for OpenAI's.
pub fn counter(model: &str) -> Result<MessageCounter, Error> {
    let (provider, name) = split_model(model);
    let request = json!({ "provider": provider, "model": name, "messages": [] });
    let request: Request =
        serde_json::from_value(request).map_err(|e| Error::new(ErrorKind::Usage, format!("--model {model}: {e}")))?;
    request.counter(Profiles::built_in()).map_err(|e| Error::new(ErrorKind::Usage, format!("--model {model}: {e}")))
}
