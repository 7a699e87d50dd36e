//! What `ptc serve` and `ptc mcp` have in common: what is served, to whom, and when it ends.

use crate::args::SettingArgs;
use crate::commands::{settings, worker};
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
    given: &Overrides,
    io: &mut Io<'_>,
) -> Result<Serving, Error> {
    let config = configuration::take(io)?;
    let mut over = config.defaults();
    over.extend(given.clone());
    let store = io.context.sessions().ok_or_else(|| {
        Error::new(ErrorKind::Usage, error_text!("there is no folder for sessions"; "set PTC_HOME to one"))
    })?;
    let mut loaded = Vec::new();
    let mut plain = Overrides::default();
    plain.text(&["task", "prompt"], "-", "the server");
    plain.extend(given.clone());
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

/// Takes what `--set` says: keys of task files are returned, for all tasks and sessions; `set` takes the others.
///
/// # Errors
/// What an option cannot be, and what is no option.
pub fn settings(
    texts: &[String],
    limits: Option<&Path>,
    mut set: impl FnMut(&str, &str) -> Result<(), String>,
) -> Result<Overrides, Error> {
    let (of_tasks, own): (Vec<&String>, Vec<&String>) =
        texts.iter().partition(|text| text.split('=').next().is_some_and(|key| key.contains('.')));
    for text in own {
        let name = text.split('=').next().unwrap_or_default().trim();
        set(name, text).map_err(|words| Error::new(ErrorKind::Usage, words).at("--set"))?;
    }
    let a = SettingArgs { set: of_tasks.into_iter().cloned().collect(), limits: limits.map(Path::to_owned) };
    settings::overrides(&a)
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
