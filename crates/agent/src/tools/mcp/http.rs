//! Requests to a server behind a URL, whose answers are looked at before the library reads them: no more of one than a
//! message may have, and nothing that would take far more memory than its length.

use super::stdio::{Asked, Heard, StandIn};
use super::{MAX_MESSAGE_BYTES, START_TIMEOUT};
use crate::error::{Error, ErrorKind};
use futures::StreamExt as _;
use futures::stream::BoxStream;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderName, HeaderValue, WWW_AUTHENTICATE};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, ErrorData, JsonRpcMessage, ServerJsonRpcMessage,
};
use rmcp::transport::streamable_http_client::{
    AuthRequiredError, HttpStatusError, InsufficientScopeError, SseError, StreamableHttpClient, StreamableHttpError,
    StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Bytes of a refusal that are read.
const SAID: usize = 64 << 10;
const EVENTS: &str = "text/event-stream";
const JSON: &str = "application/json";
const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
/// Headers that are the protocol's own.
const RESERVED: [&str; 3] = ["accept", "mcp-session-id", "last-event-id"];

type Failed = StreamableHttpError<reqwest::Error>;
type Headers = HashMap<HeaderName, HeaderValue>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// A client that knows what was asked.
#[derive(Clone)]
pub(super) struct Web {
    http: reqwest::Client,
    asked: Asked,
}

impl Web {
    /// Asks with this client.
    pub(super) fn new(http: reqwest::Client, asked: Asked) -> Self {
        Web { http, asked }
    }

    fn note(&self, message: &ClientJsonRpcMessage) {
        match message {
            JsonRpcMessage::Request(r) => {
                // As it is written: an id may be text.
                let id = serde_json::to_string(&r.id).unwrap_or_default();
                self.asked.wait_for(&id, StandIn::of(r.request.method()));
            }
            JsonRpcMessage::Notification(n) => {
                if let ClientNotification::CancelledNotification(c) = &n.notification {
                    let ids = c.params.request_id.iter().filter_map(|id| serde_json::to_string(id).ok());
                    ids.for_each(|id| self.asked.give_up(&id));
                }
            }
            _ => {}
        }
    }

    /// Events whose data has been looked at.
    fn checked(&self, events: impl futures::Stream<Item = Result<Sse, SseError>> + Send + 'static) -> Events {
        let asked = self.asked.clone();
        let one = move |event: Result<Sse, SseError>| {
            let mut event = event?;
            if let Some(data) = event.data.take().filter(|d| !d.trim().is_empty()) {
                event.data = message(&asked, data.as_bytes()).map_err(|words| SseError::Body(words.into()))?;
            }
            Ok(event)
        };
        events.map(one).boxed()
    }
}

/// What a server wrote as the library is to read it; nothing where nobody waits for it.
fn message(asked: &Asked, bytes: &[u8]) -> Result<Option<String>, String> {
    match asked.hear(bytes) {
        Heard::Message(text) => Ok(Some(text)),
        Heard::Nothing => Ok(None),
        Heard::Odd => Err("it wrote what is no message".to_owned()),
        Heard::Fault(words) => Err(words),
    }
}

/// A problem of a server.
fn odd(words: impl Into<String>) -> Failed {
    StreamableHttpError::UnexpectedServerResponse(words.into().into())
}

/// The body of an answer, so many bytes at most.
async fn body(mut answer: reqwest::Response, most: usize) -> Result<Vec<u8>, Failed> {
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await? {
        if bytes.len().saturating_add(piece.len()) > most {
            return Err(StreamableHttpError::ResponseBodyTooLarge { max_size: most });
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// The bytes of events, none of which is longer than [`MAX_MESSAGE_BYTES`].
fn bounded(answer: reqwest::Response) -> impl futures::Stream<Item = Result<bytes::Bytes, io::Error>> + Send + 'static {
    // Bytes since the last empty line, and whether the line that has begun is empty so far.
    futures::stream::try_unfold((answer, 0_usize, true), |(mut answer, mut event, mut empty)| async move {
        let Some(piece) = answer.chunk().await.map_err(io::Error::other)? else { return Ok(None) };
        for b in &piece {
            event = event.saturating_add(1);
            match b {
                b'\n' if empty => event = 0,
                b'\n' => empty = true,
                b'\r' => {}
                _ => empty = false,
            }
            if event > MAX_MESSAGE_BYTES {
                return Err(io::Error::other(format!("it wrote a message of more than {MAX_MESSAGE_BYTES} bytes")));
            }
        }
        Ok(Some((piece, (answer, event, empty))))
    })
}

/// What is made of a server that refuses to say what it can do: an older one, which is asked in the older way. A refusal for
/// want of a key, and one of a session, are told as they are.
fn older(
    message: &ClientJsonRpcMessage,
    session: bool,
    status: StatusCode,
    said: &str,
) -> Option<StreamableHttpPostResponse> {
    let refuses = status.is_client_error() && !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
    let JsonRpcMessage::Request(request) = message else { return None };
    if session || !refuses || !matches!(request.request, ClientRequest::DiscoverRequest(_)) {
        return None;
    }
    let error = match serde_json::from_str::<ServerJsonRpcMessage>(said) {
        Ok(JsonRpcMessage::Error(e)) => e.error,
        _ => ErrorData::invalid_request(format!("server/discover rejected with HTTP {status}: {said}"), None),
    };
    Some(StreamableHttpPostResponse::Json(ServerJsonRpcMessage::error(error, Some(request.id.clone())), None))
}

impl StreamableHttpClient for Web {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failed> {
        let mut request = self.http.post(&*uri).header(ACCEPT, format!("{EVENTS}, {JSON}"));
        if let Some(auth) = auth {
            request = request.bearer_auth(auth);
        }
        for (name, value) in headers {
            if RESERVED.contains(&name.as_str()) {
                return Err(StreamableHttpError::ReservedHeaderConflict(name.to_string()));
            }
            request = request.header(name, value);
        }
        let in_session = session.is_some();
        if let Some(session) = session {
            request = request.header(SESSION, &*session);
        }
        self.note(&message);
        let text = serde_json::to_vec(&message)?;
        let answer = request.header(CONTENT_TYPE, JSON).body(text).send().await?;
        let status = answer.status();
        let header = |name| answer.headers().get(name).and_then(|v: &HeaderValue| v.to_str().ok()).map(str::to_owned);
        match (status, header(WWW_AUTHENTICATE)) {
            (StatusCode::UNAUTHORIZED, Some(how)) => {
                return Err(StreamableHttpError::AuthRequired(AuthRequiredError::new(how)));
            }
            (StatusCode::FORBIDDEN, Some(how)) => {
                return Err(StreamableHttpError::InsufficientScope(InsufficientScopeError::new(how, None)));
            }
            (StatusCode::ACCEPTED | StatusCode::NO_CONTENT, _) => return Ok(StreamableHttpPostResponse::Accepted),
            (StatusCode::NOT_FOUND, _) if in_session => return Err(StreamableHttpError::SessionExpired),
            _ => {}
        }
        let kind = header(CONTENT_TYPE).unwrap_or_default();
        let session = header(SESSION);
        // Nothing more is said to who was only told something.
        let told = !matches!(message, JsonRpcMessage::Request(_));
        if !status.is_success() {
            let limited = status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error();
            let failed = limited.then(|| HttpStatusError::new(status.as_u16(), header(reqwest::header::RETRY_AFTER)));
            let is_json = kind.starts_with(JSON);
            if let Some(failed) = failed
                && (!is_json || status == StatusCode::TOO_MANY_REQUESTS)
            {
                return Err(failed.into());
            }
            let said = String::from_utf8_lossy(&body(answer, SAID).await.unwrap_or_default()).into_owned();
            if let Some(answer) = older(&message, in_session, status, &said) {
                return Ok(answer);
            }
            let keyless = matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
            if is_json
                && !keyless
                && let Ok(error @ JsonRpcMessage::Error(_)) = serde_json::from_str::<ServerJsonRpcMessage>(&said)
            {
                return Ok(StreamableHttpPostResponse::Json(error, session));
            }
            return Err(odd(format!("HTTP {status}: {said}")));
        }
        if told && answer.content_length() == Some(0) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if kind.starts_with(EVENTS) {
            let events = SseStream::from_bytes_stream(Box::pin(bounded(answer)));
            return Ok(StreamableHttpPostResponse::Sse(self.checked(events), session));
        }
        if !kind.starts_with(JSON) {
            return Err(StreamableHttpError::UnexpectedContentType(Some(kind).filter(|k| !k.is_empty())));
        }
        let bytes = body(answer, MAX_MESSAGE_BYTES).await?;
        let read = self::message(&self.asked, &bytes).and_then(|text| {
            let read = serde_json::from_str::<ServerJsonRpcMessage>(&text.ok_or("it answered another request")?);
            read.map_err(|e| format!("it wrote a message that cannot be read ({e})"))
        });
        match read {
            Ok(message) => Ok(StreamableHttpPostResponse::Json(message, session)),
            Err(_) if told => Ok(StreamableHttpPostResponse::Accepted),
            Err(words) => Err(odd(words)),
        }
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<(), Failed> {
        self.http.delete_session(uri, session, auth, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        auth: Option<String>,
        headers: Headers,
    ) -> Result<Events, Failed> {
        let events = self.http.get_stream(uri, session, last, auth, headers).await?;
        Ok(self.checked(events))
    }
}

/// Headers as a client takes them; `place` says in errors where they stand.
pub(super) fn header_map(headers: &[(String, String)], place: &str) -> Result<HashMap<HeaderName, HeaderValue>, Error> {
    let one = |(name, value): &(String, String)| {
        let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| {
            Error::new(ErrorKind::Tool, format!("{} is no name of a header", ptc_lisp::escape::quoted(name))).at(place)
        })?;
        // Of the value nothing is said: it may be a key.
        let mut value = HeaderValue::from_str(value).map_err(|_| {
            Error::new(ErrorKind::Tool, format!("the value of the header {name} has characters it cannot have"))
                .at(place)
        })?;
        value.set_sensitive(true);
        Ok((key, value))
    };
    headers.iter().map(one).collect()
}

/// A client that follows nobody elsewhere: headers may hold keys.
pub(super) fn http(url: &str, place: &str) -> Result<reqwest::Client, Error> {
    // One is enough for the process; whoever comes second finds it there.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .pool_max_idle_per_host(0)
        .connect_timeout(START_TIMEOUT);
    let host = reqwest::Url::parse(url).map_err(|e| Error::new(ErrorKind::Tool, format!("url: {e}")).at(place))?;
    if host.host_str().is_some_and(|h| matches!(h, "localhost" | "127.0.0.1" | "[::1]")) {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|e| Error::new(ErrorKind::Tool, format!("no HTTP: {e}")).at(place))
}
