//! `ptc mcp`: sessions and tasks as an MCP server.

mod install;
mod streams;

use crate::args::{McpArgs, McpCommand, McpServeArgs};
use crate::commands::served_telemetry::ServedTelemetry;
use crate::commands::{doc, served};
use crate::embedded;
use crate::exit_code::DONE;
use crate::terminal::interrupt;
use crate::terminal::io::{CliError, Io};
use ptc_agent::{Cancel, Error, ErrorKind, error_text};
use ptc_server::access::{Access, local_client};
use ptc_server::mcp::{McpServer, McpServing, Page, serve_http, serve_stdio};
use ptc_server::{ServerOptions, Sessions};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;

/// Runs the command.
pub fn mcp(a: &McpArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    match &a.command {
        Some(McpCommand::Install(a)) => install::install(a, io),
        None => serve(&a.serve, io),
    }
}

fn serve(a: &McpServeArgs, io: &mut Io<'_>) -> Result<i32, CliError> {
    let mut options = ServerOptions::default();
    let given = served::settings(&a.set, a.limits.as_deref(), |_, text| options.set(text))?;
    let mut telemetry = ServedTelemetry::of(a.otel, io)?;
    let mut serving = served::serving(&a.tasks, options, &given, io)?;
    serving.observers = telemetry.observers();
    let all = Arc::new(McpServing { pages: pages(), approvals: !a.no_approvals });
    let runtime = served::runtime()?;
    let cancel = Cancel::default();
    let _guard = interrupt::watch(&cancel);
    let started = runtime.block_on(async { Sessions::start(serving) });
    let sessions = started.map_err(|refused| Error::new(ErrorKind::Usage, refused.to_string()))?;
    match a.http {
        Some(address) => {
            let access = served::access(a.token_file.as_deref(), &a.hosts, io)?.with_origins(&a.origins);
            let listener = runtime.block_on(listen(address, &access))?;
            let bound = listener.local_addr().unwrap_or(address);
            io.info(&format!("serving MCP at http://{bound}/mcp{}", served::need(&access)));
            let signal = served::signalled(cancel.clone());
            let serving = serve_http(listener, sessions, all, access, signal);
            let served = runtime.block_on(telemetry.during(io, serving));
            served.map_err(|e| Error::new(ErrorKind::Runtime, format!("the server ended: {e}")))?;
        }
        None => {
            let (streams, output) = streams::open(io, runtime.handle())?;
            let server = McpServer::new(sessions, local_client(), all);
            let serving = serve_stdio(server, streams.from, streams.to, served::signalled(cancel.clone()));
            let served = runtime.block_on(telemetry.during(io, serving));
            output.end(io, &cancel)?;
            served.map_err(|e| {
                let words = error_text!("{e}"; "an MCP client starts this command: ptc mcp install prints how");
                Error::new(ErrorKind::Usage, words)
            })?;
        }
    }
    // A stream that is still read must not keep the process.
    runtime.shutdown_background();
    telemetry.finish(io);
    Ok(if cancel.cancelled() { interrupt::code() } else { DONE })
}

async fn listen(address: SocketAddr, access: &Access) -> Result<TcpListener, Error> {
    access.may_listen(address.ip())?;
    TcpListener::bind(address).await.map_err(|e| {
        let words = error_text!("{address} cannot be listened on: {e}"; "give another address or port to --http");
        Error::new(ErrorKind::Usage, words)
    })
}

/// What clients can read about the language.
fn pages() -> Vec<Page> {
    let page = |name: &str, title: &str, text: String| Page { name: name.to_owned(), title: title.to_owned(), text };
    let language = embedded::pages().into_iter().find(|(name, _)| name == "language").map(|(_, text)| text);
    let mut pages = vec![page("functions", "All functions of PTC-Lisp, with examples", doc::markdown())];
    pages.extend(language.map(|text| page("language", "The language PTC-Lisp", text)));
    pages
}
