//! `ptc serve`: sessions over HTTP.

use crate::args::ServeArgs;
use crate::commands::worker;
use crate::configuration;
use crate::report;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use ptc_agent::{Cancel, Error, ErrorKind, Task, error_text};
use ptc_server::http::{HttpOptions, HttpServer, HttpServing, Tokens};
use ptc_server::{ServerOptions, Serving, Sessions};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// How often is looked whether a signal came.
const LOOK: Duration = Duration::from_millis(50);

/// Runs the command.
pub fn serve(a: &ServeArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let usage = |words: String| Error::new(ErrorKind::Usage, words);
    let store = io.context.sessions().ok_or_else(|| {
        let words = error_text!("there is no folder for sessions"; "set PTC_HOME to one");
        Error::new(ErrorKind::Usage, words)
    })?;
    let (mut http, mut options) = (HttpOptions::default(), ServerOptions::default());
    for text in &a.set {
        let name = text.split('=').next().unwrap_or_default().trim();
        let set = if HttpOptions::names().contains(&name) { http.set(text) } else { options.set(text) };
        set.map_err(|words| usage(format!("--set {text}: {words}")))?;
    }
    let tokens = tokens(a, io)?;
    let given = configuration::take(io)?.defaults();
    let mut tasks = Vec::new();
    for path in &a.tasks {
        let mut task = Task::load_with(path, &given)?;
        task.take_variables(&io.context.environment)?;
        // Sessions find their task again, wherever the server is started from.
        tasks.push((path.canonicalize().unwrap_or_else(|_| path.clone()), task));
    }
    let mut serving = Serving::new(store, worker::worker(io)?);
    serving.tasks = tasks;
    serving.environment = io.context.environment.clone();
    serving.options = options;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::new(ErrorKind::Runtime, format!("no thread can be started: {e}")))?;
    let cancel = Cancel::default();
    let guard = interrupt::watch(&cancel);
    let served = runtime.block_on(async {
        let sessions = Sessions::start(serving).map_err(|r| usage(r.to_string()))?;
        let mut all = HttpServing::new(sessions);
        (all.options, all.tokens, all.hosts) = (http, tokens, a.hosts.clone());
        all.page = Some(Arc::new(report::live_page));
        let server = HttpServer::bind(a.listen, all).await?;
        if !a.quiet {
            io.info(&format!("serving http://{}, until Ctrl-C", server.address()));
        }
        let stop = async {
            while !cancel.cancelled() {
                tokio::time::sleep(LOOK).await;
            }
        };
        server.serve(stop).await;
        Ok::<(), Error>(())
    });
    drop(guard);
    // What a client began and nobody waits for any more keeps nobody from ending.
    runtime.shutdown_timeout(Duration::from_secs(1));
    served?;
    if !a.quiet {
        io.info("stopped; sessions are kept");
    }
    Ok(interrupt::code())
}

/// The tokens of the file and of the environment.
fn tokens(a: &ServeArgs, io: &Io<'_>) -> Result<Tokens, Error> {
    let mut all = String::new();
    if let Some(file) = &a.token_file {
        all = String::from_utf8_lossy(&ptc_agent::files::read_bytes(file)?).into_owned();
        let found = Tokens::parse(&all).map_err(|e| at(e, file))?;
        if found.is_empty() {
            let words = error_text!("no token stands in it"; "write a line: NAME TOKEN");
            return Err(at(Error::new(ErrorKind::Usage, words), file));
        }
    }
    if let Some(token) = io.context.environment.get("PTC_SERVE_TOKEN") {
        Tokens::parse(token).map_err(|e| e.at("PTC_SERVE_TOKEN"))?;
        all.push_str(&format!("\n{token}"));
    }
    Tokens::parse(&all)
}

fn at(e: Error, file: &Path) -> Error {
    e.at(&file.display().to_string())
}
