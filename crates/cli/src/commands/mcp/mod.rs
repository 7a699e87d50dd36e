//! `ptc mcp`: sessions and tasks as an MCP server.

mod install;
mod streams;

use crate::args::{McpArgs, McpCommand, McpServeArgs};
use crate::commands::{doc, worker};
use crate::configuration;
use crate::embedded;
use crate::exit_code::DONE;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use ptc_agent::{Cancel, Error, ErrorKind, Task, error_text};
use ptc_server::access::{Tokens, local_client, may_listen};
use ptc_server::mcp::{HttpOptions, McpServer, Page, serve_http, serve_stdio};
use ptc_server::{ServerOptions, Serving, Sessions};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

/// How often it is asked whether a signal has come.
const PULSE: Duration = Duration::from_millis(50);
/// The variable that has a token.
const TOKEN: &str = "PTC_SERVER_TOKEN";

/// Runs the command.
pub fn mcp(a: &McpArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    match &a.command {
        Some(McpCommand::Install(a)) => install::install(a, io),
        None => serve(&a.serve, io),
    }
}

fn serve(a: &McpServeArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let serving = serving(a, io)?;
    let pages = Arc::new(pages());
    let runtime = runtime()?;
    let cancel = Cancel::default();
    let _guard = interrupt::watch(&cancel);
    let started = runtime.block_on(async { Sessions::start(serving) });
    let sessions = started.map_err(|refused| Error::new(ErrorKind::Usage, refused.to_string()))?;
    match a.http {
        Some(address) => {
            let options = HttpOptions { tokens: tokens(a, io)?, hosts: a.hosts.clone(), origins: a.origins.clone() };
            let listener = runtime.block_on(listen(address, &options))?;
            let bound = listener.local_addr().unwrap_or(address);
            io.info(&format!("serving MCP at http://{bound}/mcp{}", need(&options.tokens)));
            let signal = signalled(cancel.clone());
            let served = runtime.block_on(serve_http(listener, sessions, pages, options, signal));
            served.map_err(|e| Error::new(ErrorKind::Runtime, format!("the server ended: {e}")))?;
        }
        None => {
            let (streams, output) = streams::open(io, runtime.handle())?;
            let server = McpServer::new(sessions.clone(), local_client(), pages);
            let served = runtime.block_on(async {
                tokio::select! {
                    served = serve_stdio(server, streams.from, streams.to) => served,
                    () = signalled(cancel.clone()) => {
                        sessions.stop().await;
                        Ok(())
                    }
                }
            });
            output.end(io)?;
            served.map_err(|e| {
                let words = error_text!("{e}"; "an MCP client starts this command: ptc mcp install prints how");
                Error::new(ErrorKind::Usage, words)
            })?;
        }
    }
    // A stream that is still read must not keep the process.
    runtime.shutdown_background();
    Ok(if cancel.cancelled() { interrupt::code() } else { DONE })
}

/// Whether a token is needed, in words.
fn need(tokens: &Tokens) -> &'static str {
    if tokens.is_empty() { ", for everybody on this machine" } else { ", with a token" }
}

/// What is served: tasks with the user's configuration, and limits.
pub fn serving(a: &McpServeArgs, io: &mut Io<'_>) -> Result<Serving, Error> {
    let config = configuration::take(io)?;
    let store = io.context.sessions().ok_or_else(|| {
        Error::new(ErrorKind::Usage, error_text!("there is no folder for sessions"; "set PTC_HOME to one"))
    })?;
    let mut options = ServerOptions::default();
    for text in &a.set {
        options.set(text).map_err(|words| Error::new(ErrorKind::Usage, words).at("--set"))?;
    }
    let mut tasks = Vec::new();
    for path in &a.tasks {
        let mut task = Task::load_with(path, &config.defaults())?;
        task.take_variables(&io.context.environment)?;
        if let Some(model) = config.model() {
            task.use_default_model(model);
        }
        // Clients start it wherever they like, and go on with sessions from elsewhere.
        let path = path.canonicalize().map_err(|e| Error::io(path, "read", &e))?;
        tasks.push((path, task));
    }
    let worker = worker::worker_for("a worker process", io)?;
    let mut serving = Serving::new(store, worker);
    (serving.tasks, serving.options, serving.environment) = (tasks, options, io.context.environment.clone());
    Ok(serving)
}

fn runtime() -> Result<Runtime, Error> {
    let made = Builder::new_multi_thread().worker_threads(2).thread_name("ptc-serve").enable_all().build();
    made.map_err(|e| Error::new(ErrorKind::Runtime, format!("threads for the server cannot be started: {e}")))
}

/// The tokens of the file and of the environment.
fn tokens(a: &McpServeArgs, io: &Io<'_>) -> Result<Tokens, Error> {
    match (&a.token_file, io.context.environment.get(TOKEN)) {
        (Some(_), Some(_)) => {
            let words = error_text!("--token-file and {TOKEN} both say who may use it"; "keep one of them");
            Err(Error::new(ErrorKind::Usage, words))
        }
        (Some(file), None) => Tokens::read(file),
        (None, Some(token)) => Tokens::parse(token, TOKEN),
        (None, None) => Ok(Tokens::none()),
    }
}

async fn listen(address: SocketAddr, options: &HttpOptions) -> Result<TcpListener, Error> {
    may_listen(address.ip(), &options.tokens)?;
    TcpListener::bind(address).await.map_err(|e| {
        let words = error_text!("{address} cannot be listened on: {e}"; "give another address or port to --http");
        Error::new(ErrorKind::Usage, words)
    })
}

/// Ready when a signal has come.
async fn signalled(cancel: Cancel) {
    while !cancel.cancelled() {
        tokio::time::sleep(PULSE).await;
    }
}

/// What clients can read about the language.
fn pages() -> Vec<Page> {
    let page = |name: &str, title: &str, text: String| Page { name: name.to_owned(), title: title.to_owned(), text };
    let language = embedded::pages().into_iter().find(|(name, _)| name == "language").map(|(_, text)| text);
    let mut pages = vec![page("functions", "All functions of PTC-Lisp, with examples", doc::markdown())];
    pages.extend(language.map(|text| page("language", "The language PTC-Lisp", text)));
    pages
}
