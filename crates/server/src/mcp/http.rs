//! The MCP server over HTTP: the streamable transport at `/mcp`.

use super::message::{BATCH_VERSION, BrokenMessage, Envelope, Incoming, read};
use super::{McpServer, McpServing};
use crate::access::{Access, Denied};
use crate::client::Client;
use crate::connections;
use crate::held_body::HeldBody;
use crate::rates::Rates;
use crate::refused::Refused;
use crate::sessions::Sessions;
use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body, Frame, Incoming as IncomingBody};
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use hyper::http::request::Parts;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;
use std::collections::{HashMap, HashSet, VecDeque};
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Connections of the protocol that have begun and were not ended; those that are not used end after five minutes.
const TRANSPORT_SESSIONS: usize = 1000;
/// Most seconds that answers of what has ended have to arrive when the server stops.
const LAST_SECONDS: u64 = 5;
/// The header that names a connection of the protocol.
const SESSION: &str = "mcp-session-id";
/// Where it is served.
const PATH: &str = "/mcp";

type Service = StreamableHttpService<McpServer, LocalSessionManager>;
type Answer = Response<BoxBody<Bytes, Infallible>>;

/// What all connections share.
struct Shared {
    sessions: Sessions,
    serving: Arc<McpServing>,
    access: Access,
    /// Who is served, by their names: what one began nobody else goes on with.
    clients: Mutex<HashMap<String, Transport>>,
    /// Requests that are not answered yet.
    open: Arc<watch::Sender<u64>>,
}

/// The transport of a client.
#[derive(Clone)]
struct Transport {
    service: Service,
    manager: Arc<LocalSessionManager>,
    /// The ids of those that have begun with the version of the protocol that has batches.
    with_batches: Arc<Mutex<HashSet<String>>>,
    /// Ends its streams.
    end: Arc<dyn Fn() + Send + Sync>,
}

/// A request, until it is answered or nobody waits for its answer.
struct OpenRequest(Arc<watch::Sender<u64>>);

impl OpenRequest {
    fn new(all: &Arc<watch::Sender<u64>>) -> Self {
        all.send_modify(|n| *n = n.saturating_add(1));
        OpenRequest(all.clone())
    }
}

impl Drop for OpenRequest {
    fn drop(&mut self) {
        self.0.send_modify(|n| *n = n.saturating_sub(1));
    }
}

/// Serves until `stop` is ready; turns that run then have `stop_seconds` to end, and are answered.
///
/// # Errors
/// When it would be reached from other machines without a token, or the address cannot be listened on.
pub async fn serve_http(
    listener: TcpListener,
    sessions: Sessions,
    serving: Arc<McpServing>,
    access: Access,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let address = listener.local_addr()?;
    access.may_listen(address.ip()).map_err(io::Error::other)?;
    let open = Arc::new(watch::Sender::new(0));
    let clients = Mutex::default();
    let shared = Arc::new(Shared { sessions: sessions.clone(), serving, access: access.at(address), clients, open });
    let asked = shared.clone();
    let service = service_fn(move |request| {
        let shared = asked.clone();
        async move { Ok::<_, Infallible>(shared.answer(request).await) }
    });
    let left = connections::take(listener, sessions.options(), service, stop).await;
    sessions.stop().await;
    let most = Duration::from_secs(sessions.options().write_seconds.min(LAST_SECONDS));
    let last = async {
        let _ = shared.open.subscribe().wait_for(|open| *open == 0).await;
        // Streams on which nothing is awaited would not end.
        shared.clients().values().for_each(|transport| (transport.end)());
        left.shutdown().await;
    };
    let _ = tokio::time::timeout(most, last).await;
    Ok(())
}

impl Shared {
    async fn answer(&self, request: Request<IncomingBody>) -> Answer {
        let authority = request.uri().authority().map(hyper::http::uri::Authority::as_str);
        if let Some(headers) = self.access.preflight(request.method(), request.headers(), authority) {
            let mut answer = told(StatusCode::NO_CONTENT, "");
            answer.headers_mut().extend(headers);
            return answer;
        }
        let headers = self.access.for_page(request.headers());
        let mut answer = self.answer_to(request).await;
        answer.headers_mut().extend(headers);
        answer
    }

    async fn answer_to(&self, request: Request<IncomingBody>) -> Answer {
        if request.uri().path() != PATH {
            return told(StatusCode::NOT_FOUND, &format!("there is nothing here; the MCP server is at {PATH}"));
        }
        let authority = request.uri().authority().map(hyper::http::uri::Authority::as_str);
        let client = match self.access.client(request.headers(), authority) {
            Ok(client) => client,
            Err(denied) => return refused(denied),
        };
        connections::admit(&request);
        if let Err(refused) = self.rates().take(&client) {
            return busy(&refused);
        }
        let open = (request.method() == Method::POST).then(|| OpenRequest::new(&self.open));
        let transport = self.transport(&client);
        let begins = request.method() == Method::POST && !request.headers().contains_key(SESSION);
        if begins && transport.manager.sessions.read().await.len() >= TRANSPORT_SESSIONS {
            let mut answer =
                busy(&Refused::busy(format!("{TRANSPORT_SESSIONS} clients are connected"), Duration::from_secs(60)));
            *answer.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
            return answer;
        }
        let (parts, body) = request.into_parts();
        let options = self.sessions.options();
        let most = usize::try_from(options.body_bytes).unwrap_or(usize::MAX);
        let body = match tokio::time::timeout(options.body_time(), Limited::new(body, most).collect()).await {
            Ok(Ok(body)) => body.to_bytes(),
            Ok(Err(e)) if e.is::<LengthLimitError>() => {
                return told(StatusCode::PAYLOAD_TOO_LARGE, &format!("a request has {most} bytes at most; send less"));
            }
            Ok(Err(_)) => return told(StatusCode::BAD_REQUEST, "the request broke off; send it again"),
            Err(_) => return told(StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive; send it again"),
        };
        if parts.method != Method::POST {
            let answer = transport.service.handle(Request::from_parts(parts, Full::new(body))).await;
            return answer.map(|body| HeldBody::new(body, open).boxed());
        }
        if !says_json(&parts.headers) {
            let words = "the body is not said to be JSON; send the header Content-Type: application/json";
            return broken(StatusCode::UNSUPPORTED_MEDIA_TYPE, &BrokenMessage::invalid(words).answer());
        }
        let sent = match read(&body, transport.has_batches(&parts.headers)) {
            Ok(Incoming::One(one)) => vec![Ok(*one)],
            Ok(Incoming::Batch(all)) => all,
            Err(b) => return broken(StatusCode::BAD_REQUEST, &b.answer()),
        };
        // The first of them has been counted.
        if let Err(refused) = sent.iter().skip(1).try_for_each(|_| self.rates().take(&client)) {
            return busy(&refused);
        }
        // Traces are resources, and stay here until the answer has been taken.
        let place = match sent.iter().flatten().any(|one| one.method.as_deref() == Some("resources/read")) {
            true => match self.rates().answer(&client).await {
                Ok(place) => Some(place),
                Err(refused) => return busy(&refused),
            },
            false => None,
        };
        let answer = transport.handle(&parts, sent).await;
        answer.map(|body| HeldBody::new(body, (open, place)).boxed())
    }

    fn rates(&self) -> &Rates {
        &self.sessions.inner.rates
    }

    fn clients(&self) -> MutexGuard<'_, HashMap<String, Transport>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The transport of a client.
    fn transport(&self, client: &Client) -> Transport {
        let made = || {
            let manager = Arc::new(LocalSessionManager::default());
            let (sessions, serving, own) = (self.sessions.clone(), self.serving.clone(), client.clone());
            let server = move || Ok(McpServer::new(sessions.clone(), own.clone(), serving.clone()));
            let most = usize::try_from(self.sessions.options().body_bytes).unwrap_or(usize::MAX);
            // Who may ask has been looked at.
            let config =
                StreamableHttpServerConfig::default().disable_allowed_hosts().with_max_request_body_bytes(most);
            let token = config.cancellation_token.clone();
            let service = StreamableHttpService::new(server, manager.clone(), config);
            let with_batches = Arc::default();
            Transport { service, manager, with_batches, end: Arc::new(move || token.cancel()) }
        };
        self.clients().entry(client.name().to_owned()).or_insert_with(made).clone()
    }
}

fn refused(why: Denied) -> Answer {
    let (words, hint) = why.words();
    let words = format!("{words}; {hint}");
    match why {
        Denied::Token => {
            let mut answer = told(StatusCode::UNAUTHORIZED, &words);
            answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"ptc\""));
            answer
        }
        Denied::Host | Denied::Origin => told(StatusCode::FORBIDDEN, &words),
    }
}

impl Transport {
    /// Whether messages that come with these headers may be a batch.
    fn has_batches(&self, headers: &HeaderMap) -> bool {
        let version = headers.get("mcp-protocol-version").is_none_or(|v| v == BATCH_VERSION);
        let session = headers.get(SESSION).and_then(|id| id.to_str().ok());
        version && session.is_some_and(|id| self.with_batches().contains(id))
    }

    fn with_batches(&self) -> MutexGuard<'_, HashSet<String>> {
        self.with_batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands over what came in one request; the answers come one after the other.
    async fn handle(&self, parts: &Parts, sent: Vec<Result<Envelope<'_>, BrokenMessage>>) -> Answer {
        let (mut bodies, mut errors, mut last) = (VecDeque::new(), Vec::new(), None);
        let alone = sent.len() == 1;
        for one in sent {
            let one = match one {
                Ok(one) => one,
                Err(b) => {
                    errors.push(b.answer());
                    continue;
                }
            };
            let body = Full::new(Bytes::copy_from_slice(one.text.as_bytes()));
            let answer = self.service.handle(Request::from_parts(parts.clone(), body)).await;
            if one.version.as_deref() == Some(BATCH_VERSION)
                && let Some(id) = answer.headers().get(SESSION).and_then(|id| id.to_str().ok())
            {
                let there = self.manager.sessions.read().await;
                let mut known = self.with_batches();
                known.retain(|id| there.contains_key(id.as_str()));
                known.insert(id.to_owned());
            }
            if alone || !answer.status().is_success() {
                return answer;
            }
            if answer.status() == StatusCode::OK {
                let (head, body) = answer.into_parts();
                bodies.push_back(body);
                last = Some(head);
            } else {
                last.get_or_insert(answer.into_parts().0);
            }
        }
        match last {
            Some(head) if !bodies.is_empty() => {
                bodies.extend(errors.iter().map(|e| Full::new(Bytes::from(format!("data: {e}\n\n"))).boxed()));
                Response::from_parts(head, Chained(bodies).boxed())
            }
            // Nothing of it is answered, or nothing of it was a message.
            Some(_) if errors.is_empty() => told(StatusCode::ACCEPTED, ""),
            _ => broken(StatusCode::BAD_REQUEST, &Value::Array(errors)),
        }
    }
}

/// Bodies one after the other.
struct Chained(VecDeque<BoxBody<Bytes, Infallible>>);

impl Body for Chained {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        while let Some(first) = self.0.front_mut() {
            match std::task::ready!(Pin::new(first).poll_frame(cx)) {
                None => drop(self.0.pop_front()),
                frame => return Poll::Ready(frame),
            }
        }
        Poll::Ready(None)
    }
}

/// Whether the body is said to be JSON.
fn says_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|k| k.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json")
}

/// An error of JSON-RPC.
fn broken(status: StatusCode, error: &Value) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(error.to_string())).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    answer
}

/// That it is asked for again later.
fn busy(refused: &Refused) -> Answer {
    let mut answer = told(StatusCode::TOO_MANY_REQUESTS, &refused.to_string());
    let seconds = refused.retry_after().map_or(1, |t| t.as_secs().max(1));
    answer.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    answer
}

/// An answer in words.
fn told(status: StatusCode, words: &str) -> Answer {
    let words = if words.is_empty() { Bytes::new() } else { Bytes::from(format!("{words}\n")) };
    let mut answer = Response::new(Full::new(words).boxed());
    *answer.status_mut() = status;
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    answer
}
