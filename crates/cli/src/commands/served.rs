//! What `ptc serve` and `ptc mcp` have in common: what is served, to whom, and when it ends.

use crate::commands::worker;
use crate::configuration;
use crate::terminal::io::Io;
use ptc_agent::task::Overrides;
use ptc_agent::{Cancel, Error, ErrorKind, Task, error_text};
use ptc_server::access::{Access, Tokens};
use ptc_server::{ServerOptions, Serving};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How often it is asked whether a signal has come.
const PULSE: Duration = Duration::from_millis(50);

/// What is served: tasks with the user's configuration, and limits.
///
/// # Errors
/// When a task cannot be read, or there is nowhere to keep sessions.
pub fn serving(
    tasks: &[PathBuf],
    options: ServerOptions,
    limits: Overrides,
    io: &mut Io<'_>,
) -> Result<Serving, Error> {
    let config = configuration::take(io)?;
    let store = io.context.sessions().ok_or_else(|| {
        Error::new(ErrorKind::Usage, error_text!("there is no folder for sessions"; "set PTC_HOME to one"))
    })?;
    let (mut loaded, mut over, mut plain) = (Vec::new(), config.defaults(), limits.clone());
    over.extend(limits);
    plain.text(&["task", "prompt"], "-", "--set");
    for path in tasks {
        let mut task = Task::load_with(path, &over)?;
        task.take_variables(&io.context.environment)?;
        if let Some(model) = config.model() {
            task.use_default_model(model);
        }
        // Clients start it wherever they like, and go on with sessions from elsewhere.
        let path = path.canonicalize().map_err(|e| Error::io(path, "read", &e))?;
        loaded.push((path, task));
    }
    let worker = worker::worker_for("a worker process", io)?;
    let mut serving = Serving::new(store, worker);
    serving.plain = Some(Task::of_values(&plain)?);
    (serving.tasks, serving.options, serving.environment) = (loaded, options, io.context.environment.clone());
    Ok(serving)
}

/// Who may use a server that listens: the tokens of the file and of the environment, and the names that it has.
///
/// # Errors
/// When the file cannot be used.
pub fn access(token_file: Option<&Path>, hosts: &[String], io: &Io<'_>) -> Result<Access, Error> {
    let tokens = Tokens::of(token_file, &io.context.environment)?;
    Ok(Access::new(tokens).with_hosts(hosts))
}

/// Takes a limit of a turn, `limits.fuel=5000000`, for all tasks and for sessions of none; `false` of another text.
///
/// # Errors
/// When it is no value.
pub fn set_limit(limits: &mut Overrides, text: &str) -> Result<bool, Error> {
    let is_limit = text.trim_start().starts_with("limits.");
    if is_limit {
        limits.set(text)?;
    }
    Ok(is_limit)
}

/// That an option of `--set` is wrong.
pub fn wrong_set(words: String) -> Error {
    Error::new(ErrorKind::Usage, words).at("--set")
}

/// Threads for the server.
///
/// # Errors
/// When there can be none.
pub fn runtime() -> Result<Runtime, Error> {
    let made = Builder::new_multi_thread().thread_name("ptc-serve").enable_all().build();
    made.map_err(|e| Error::new(ErrorKind::Runtime, format!("threads for the server cannot be started: {e}")))
}

/// Whether a token is needed, in words.
pub fn need(access: &Access) -> &'static str {
    if access.needs_token() { ", with a token" } else { ", for everybody on this machine" }
}

/// Ready when a signal has come.
pub async fn signalled(cancel: Cancel) {
    while !cancel.cancelled() {
        tokio::time::sleep(PULSE).await;
    }
}
