//! An open connection to a server: how it is made, what is known of it, and how it is closed.

use super::MAX_MESSAGE_BYTES;
use super::connection::Connection;
use super::diagnostics::Words;
use super::http::{Web, header_map, http};
use super::stdio::{Asked, Asking, Lines};
use crate::error::{Error, ErrorKind};
use crate::process_group::{Group, Inherit, ended, set_up};
use crate::runtime::runtime;
use crate::secrets::{Secrets, fill};
use rmcp::RoleClient;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation};
use rmcp::service::{ClientInitializeError, RunningService, ServiceExt as _};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::sync::Notify;

/// Time that a server has after its input was closed, and again after it was asked to end.
const LEAVING: Duration = Duration::from_millis(300);

/// Who we are.
pub(super) type Client = RunningService<RoleClient, ClientConfig>;

/// A server that can be asked.
pub(super) struct OpenConnection {
    /// The connection; taken when it is closed.
    client: Mutex<Option<Client>>,
    /// Who requests are sent to.
    pub peer: rmcp::Peer<RoleClient>,
    /// Values that no text may show.
    pub secrets: Secrets,
    /// What a process wrote.
    pub words: Words,
    /// What a process was asked.
    pub asked: Asked,
    child: Option<Hold>,
}

/// Ends a child when nobody holds it any more.
struct Hold(Arc<Running>);

impl Drop for Hold {
    fn drop(&mut self) {
        self.0.group.end();
    }
}

/// A child process.
struct Running {
    group: Group,
    status: OnceLock<ExitStatus>,
    gone: Notify,
}

impl OpenConnection {
    /// Reaches the server.
    pub(super) async fn new(name: &str, link: &Connection, folder: &Path) -> Result<Self, Error> {
        let mut secrets = Secrets::default();
        let (words, asked) = (Words::default(), Asked::default());
        let mut faults = words.faults();
        let info =
            ClientConfig::new(ClientCapabilities::default(), Implementation::new("ptc", env!("CARGO_PKG_VERSION")));
        let place = format!("[mcp.{name}]");
        let (client, child) = match link {
            Connection::Command { program, args, env } => {
                let mut command = std::process::Command::new(program);
                set_up(&mut command, Inherit::Plain);
                command.args(args).current_dir(folder).envs(fill(&mut secrets, env, &format!("{place} env"))?);
                command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
                let mut child = tokio::process::Command::from(command).kill_on_drop(true).spawn().map_err(|e| {
                    Error::new(ErrorKind::Tool, crate::tools::interpreter::not_started(program, folder, &e)).at(&place)
                })?;
                let (Some(id), Some(stdin), Some(stdout), Some(stderr)) =
                    (child.id(), child.stdin.take(), child.stdout.take(), child.stderr.take())
                else {
                    return Err(Error::new(ErrorKind::Tool, "the process has no pipes").at(&place));
                };
                let running = Arc::new(Running { group: Group::of(id), status: OnceLock::new(), gone: Notify::new() });
                // Whatever happens from here on, also when nobody waits for us any more, it is ended.
                let hold = Hold(running.clone());
                let watched = running;
                let listening = tokio::spawn(words.clone().listen(stderr));
                tokio::spawn(async move {
                    // What it has started ends with it, before it is waited for: then its number may be another's.
                    let _ = tokio::task::spawn_blocking(move || ended(id)).await;
                    watched.group.end();
                    watched.group.forget();
                    let status = child.wait().await;
                    // Its last words are heard before its end is told.
                    let _ = tokio::time::timeout(LEAVING, listening).await;
                    if let Ok(status) = status {
                        let _ = watched.status.set(status);
                    }
                    watched.gone.notify_waiters();
                });
                let lines = Lines::new(stdout, asked.clone(), words.clone(), secrets.clone());
                let transport = AsyncRwTransport::new(lines, Asking::new(stdin, asked.clone()))
                    .with_max_line_length(MAX_MESSAGE_BYTES.saturating_add(1));
                let client = tokio::select! {
                    client = info.serve(transport) => client.map_err(not_ready),
                    fault = faults.next() => Err(fault),
                };
                (client, Some(hold))
            }
            Connection::Url { url, headers } => {
                let headers = fill(&mut secrets, headers, &format!("{place} headers"))?;
                let url = fill(&mut secrets, &[("url".to_owned(), url.clone())], &place)?.remove(0).1;
                let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
                config = config.custom_headers(header_map(&headers, &place)?);
                let transport =
                    StreamableHttpClientTransport::with_client(Web::new(http(&url, &place)?, asked.clone()), config);
                (info.serve(transport).await.map_err(not_ready), None)
            }
        };
        match client {
            Ok(client) => Ok(OpenConnection {
                peer: client.peer().clone(),
                client: Mutex::new(Some(client)),
                secrets,
                words,
                asked,
                child,
            }),
            Err(e) => {
                let why = said(&e, &child, &words, &secrets).await;
                let why = ptc_lisp::error::cut(ptc_lisp::escape::line(&secrets.hide(why)), 1000);
                Err(Error::new(ErrorKind::Tool, format!("the server cannot be used: {why}")).at(&place))
            }
        }
    }

    /// Whether it can be asked again.
    pub(super) fn alive(&self) -> bool {
        !self.peer.is_transport_closed() && self.child.as_ref().is_none_or(|c| c.0.status.get().is_none())
    }

    /// What became of it, for who got no answer.
    pub(super) async fn end(&self, error: &str) -> String {
        said(error, &self.child, &self.words, &self.secrets).await
    }
}

/// Why a server did not become ready, without the names of what is inside us.
fn not_ready(e: ClientInitializeError) -> String {
    match e {
        ClientInitializeError::ConnectionClosed(_) => "it went away before it was ready".to_owned(),
        ClientInitializeError::TransportError { error, .. } => broken(&*error.error),
        ClientInitializeError::JsonRpcError(e) => format!("it refused: {} (code {})", e.message, e.code.0),
        other => other.to_string(),
    }
}

/// What is behind an error of the transport.
pub(super) fn broken(e: &(dyn std::error::Error + 'static)) -> String {
    match e.downcast_ref::<std::io::Error>() {
        Some(io) if io.kind() == std::io::ErrorKind::BrokenPipe => "it went away".to_owned(),
        _ => {
            let (mut words, mut at) = (e.to_string(), e.source());
            while let Some(cause) = at {
                // Some say what is behind them, some do not.
                let more = cause.to_string();
                if !words.contains(&more) {
                    words = format!("{words}: {more}");
                }
                at = cause.source();
            }
            words
        }
    }
}

/// An error with what the process can add to it: how it ended, and its last words.
async fn said(error: &str, child: &Option<Hold>, words: &Words, secrets: &Secrets) -> String {
    let mut out = vec![error.to_owned()];
    if let Some(Hold(child)) = child {
        // Its end of the pipe closes a moment before it is gone.
        let gone = child.gone.notified();
        if child.status.get().is_none() {
            let _ = tokio::time::timeout(LEAVING.saturating_mul(2), gone).await;
        }
        if let Some(status) = child.status.get() {
            out.push(match status.code() {
                Some(code) => format!("it ended with exit code {code}"),
                None => format!("it was ended by {status}"),
            });
        }
        out.extend(Some(words.explain(secrets)).filter(|w| !w.is_empty()));
    }
    out.join("; ")
}

/// Closes the connection and lets the process end by itself, before it is asked to, before it is made to.
impl Drop for OpenConnection {
    fn drop(&mut self) {
        let client = self.client.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        let (Some(mut client), Ok(runtime)) = (client, runtime()) else { return };
        let child = self.child.take();
        let (done, over) = std::sync::mpsc::sync_channel::<()>(1);
        runtime.spawn(async move {
            let _ = client.close_with_timeout(LEAVING).await;
            if let Some(hold) = child {
                let child = &hold.0;
                for step in [Group::ask as fn(&Group), Group::end, |_| {}] {
                    let gone = child.gone.notified();
                    if child.status.get().is_some() || tokio::time::timeout(LEAVING, gone).await.is_ok() {
                        break;
                    }
                    step(&child.group);
                }
            }
            let _ = done.send(());
        });
        // A task of the runtime must not wait for another; that goes on by itself.
        if tokio::runtime::Handle::try_current().is_ok() {
            return;
        }
        // Not longer than all of that takes; a process that leaves now leaves nothing behind.
        let _ = over.recv_timeout(LEAVING.saturating_mul(5));
    }
}
