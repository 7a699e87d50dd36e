//! The MCP server over HTTP: the streamable transport at `/mcp`.

use super::{McpServer, Page};
use crate::access::{Tokens, may_listen};
use crate::client::Client;
use crate::refused::Refused;
use crate::sessions::Sessions;
use crate::stalled::WriteTimeout;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Most bytes of a request.
const BODY_BYTES: usize = 8 << 20;
/// Time for a client to send a request: its head, and its body.
const SENDING: Duration = Duration::from_secs(30);
/// Time in which a client must have taken something of what it is sent.
const READING: Duration = Duration::from_secs(60);
/// Connections at a time.
const CONNECTIONS: usize = 512;
/// Connections of the protocol that have begun and were not ended; those that are not used end after five minutes.
const TRANSPORT_SESSIONS: usize = 1000;
/// Where it is served.
const PATH: &str = "/mcp";

/// How it is served over HTTP.
#[derive(Clone, Debug, Default)]
pub struct HttpOptions {
    /// Who may use it. Without tokens everybody who reaches it, so it is on this machine alone.
    pub tokens: Tokens,
    /// Names under which it is reached, besides those of this machine.
    pub hosts: Vec<String>,
    /// Pages of browsers that may use it, as `https://app.example.org`.
    pub origins: Vec<String>,
}

type Service = StreamableHttpService<McpServer, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// What all connections share.
struct Shared {
    sessions: Sessions,
    pages: Arc<Vec<Page>>,
    options: HttpOptions,
    /// Who is served, by their names: what one began nobody else goes on with.
    clients: Mutex<HashMap<String, (Service, Arc<LocalSessionManager>)>>,
}

/// Serves until `stop` is ready; turns that run then have `stop_seconds` to end.
///
/// # Errors
/// When it would be reached from other machines without a token, or the address cannot be listened on.
pub async fn serve_http(
    listener: TcpListener,
    sessions: Sessions,
    pages: Arc<Vec<Page>>,
    options: HttpOptions,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    may_listen(address.ip(), &options.tokens).map_err(io::Error::other)?;
    // A page that the server itself would show is no stranger.
    let own = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("http://{host}:{}", address.port()));
    let options = HttpOptions { origins: options.origins.into_iter().chain(own).collect(), ..options };
    let shared = Arc::new(Shared { sessions: sessions.clone(), pages, options, clients: Mutex::default() });
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    tokio::pin!(stop);
    loop {
        // Beyond what is served others wait with the system.
        let Ok(place) = connections.clone().acquire_owned().await else { break };
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(_) => {
                    // Of one connection, or too many open files: both pass.
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        let shared = shared.clone();
        tokio::spawn(async move {
            connection(stream, shared).await;
            drop(place);
        });
    }
    drop(listener);
    sessions.stop().await;
    Ok(())
}

async fn connection(stream: TcpStream, shared: Arc<Shared>) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let shared = shared.clone();
        async move { Ok::<_, Infallible>(shared.answer(request).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SENDING).max_headers(64);
    // A connection that breaks is the client's affair: what it asked for goes on.
    let _ = http.serve_connection(TokioIo::new(WriteTimeout::new(stream, READING)), service).await;
}

impl Shared {
    async fn answer(&self, request: Request<Incoming>) -> Answer {
        if request.uri().path() != PATH {
            return told(StatusCode::NOT_FOUND, &format!("there is nothing here; the MCP server is at {PATH}"));
        }
        let header = request.headers().get(AUTHORIZATION).map(|h| h.to_str().unwrap_or_default());
        let Some(client) = self.options.tokens.authorized(header) else {
            let mut answer = told(StatusCode::UNAUTHORIZED, "a token is needed; send Authorization: Bearer TOKEN");
            answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ptc\""));
            return answer;
        };
        let (service, manager) = self.service(&client);
        let begins = request.method() == Method::POST && !request.headers().contains_key("mcp-session-id");
        if begins && manager.sessions.read().await.len() >= TRANSPORT_SESSIONS {
            let refused = Refused::busy(format!("{TRANSPORT_SESSIONS} clients are connected"), Duration::from_secs(60));
            let mut answer = told(StatusCode::SERVICE_UNAVAILABLE, &refused.to_string());
            answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("60"));
            return answer;
        }
        let (parts, body) = request.into_parts();
        let body = match tokio::time::timeout(SENDING, Limited::new(body, BODY_BYTES).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(e)) if e.is::<LengthLimitError>() => {
                return told(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    &format!("a request has {BODY_BYTES} bytes at most; send less"),
                );
            }
            Ok(Err(_)) => return told(StatusCode::BAD_REQUEST, "the request broke off; send it again"),
            Err(_) => return told(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive; send it again"),
        };
        service.handle(Request::from_parts(parts, Full::new(body))).await
    }

    /// The transport of a client.
    fn service(&self, client: &Client) -> (Service, Arc<LocalSessionManager>) {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || {
            let manager = Arc::new(LocalSessionManager::default());
            let (sessions, pages, own) = (self.sessions.clone(), self.pages.clone(), client.clone());
            let server = move || Ok(McpServer::new(sessions.clone(), own.clone(), pages.clone()));
            let mut config = StreamableHttpServerConfig::default()
                .enforce_origin_validation()
                .with_allowed_origins(self.options.origins.clone())
                .with_max_request_body_bytes(BODY_BYTES);
            config.allowed_hosts.extend(self.options.hosts.iter().cloned());
            (StreamableHttpService::new(server, manager.clone(), config), manager)
        };
        clients.entry(client.name().to_owned()).or_insert_with(made).clone()
    }
}

/// An answer in words.
fn told(status: StatusCode, words: &str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(format!("{words}\n"))).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}
