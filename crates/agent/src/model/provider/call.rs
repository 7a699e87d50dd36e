//! One request from the first try to the last: streaming, time limits, waits.

use super::endpoint::Endpoint;
use super::error::{Asked, Kind, Part, RequestError};
use super::gate::{Gate, Upstream};
use super::name::{ModelName, Provider};
use super::request::client_name;
use super::response::{self, StreamRecorder};
use super::retry::{RetryPolicy, chance};
use crate::clock::now_ms;
use crate::error::{Error, ModelErrorKind};
use crate::model::{Reply, Retry};
use futures::StreamExt as _;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ChatStreamEvent};
use genai::resolver::AuthData;
use genai::{Client, Headers, ModelIden, ServiceTarget};
use ptc_history::Format;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedSender;
use tokio::time::Instant;

/// All that a request needs; it leaves the caller's thread with it.
pub(super) struct Call {
    pub client: Client,
    /// Who asks the server.
    pub http: reqwest::Client,
    /// Most bytes of an answer.
    pub most: u64,
    pub name: ModelName,
    pub endpoint: Endpoint,
    pub retry: RetryPolicy,
    pub request: ChatRequest,
    pub options: ChatOptions,
    /// Whether the server has answered before: then one that refuses connections may be starting anew.
    pub known: bool,
}

/// What is told of a request while it runs.
pub(super) enum Piece {
    /// A piece of the answer.
    Text(String),
    /// A piece of a thought.
    Thought(String),
    /// It is asked again after a wait.
    Retry(Retry),
}

/// Who is told.
pub(super) type Pieces = UnboundedSender<Piece>;

impl Call {
    /// Asks until there is an answer or no hope of one.
    ///
    /// A streamed answer of which a part was passed on is not asked for again: that part cannot be taken back, and a
    /// second answer would not continue it.
    pub(super) async fn run(self, pieces: Pieces, streams: bool) -> Result<Reply, Error> {
        let mut tried = 0_u32;
        loop {
            tried = tried.saturating_add(1);
            let mut told = false;
            let one = self.once(streams.then_some(&pieces), &mut told);
            let failure = match tokio::time::timeout(self.retry.total, one).await {
                Ok(Ok(reply)) => return Ok(reply),
                Ok(Err(failure)) => failure,
                Err(_) => {
                    let (after, setting) = (self.retry.total, "timeout");
                    RequestError::new(Kind::Timeout { what: "gives no whole answer", after, setting })
                }
            };
            let starting = !matches!(failure.kind, Kind::Unreachable(_)) || self.known;
            let again = failure.again && !told && starting && tried < self.retry.tries;
            let wait = self.retry.wait(tried, failure.wait, chance()).filter(|_| again);
            let Some(wait) = wait else {
                let asked = Asked { name: &self.name, endpoint: &self.endpoint };
                return Err(failure.into_error(&asked, tried, told));
            };
            let retry = Retry { reason: failure.reason(), wait, tried, tries: self.retry.tries };
            // Nobody listens any more: the caller has gone.
            let _ = pieces.send(Piece::Retry(retry));
            tokio::time::sleep(wait).await;
        }
    }

    async fn once(&self, pieces: Option<&Pieces>, told: &mut bool) -> Result<Reply, RequestError> {
        match pieces {
            Some(pieces) => self.stream(pieces, told).await,
            None => {
                let gate = self.gate(false).await?;
                let asked = self.client.exec_chat(self.target(&gate), self.request.clone(), Some(&self.options));
                let response = asked.await.map_err(|e| self.failure(&e, &gate))?;
                response::whole(&self.name, &response)
            }
        }
    }

    async fn stream(&self, pieces: &Pieces, told: &mut bool) -> Result<Reply, RequestError> {
        let tap = Arc::new(StreamRecorder::new(self.name.provider.format()));
        let options = self.options.clone().with_raw_frame_sink_arc(tap.clone());
        let gate = self.gate(true).await?;
        let asked = self.client.exec_chat_stream(self.target(&gate), self.request.clone(), Some(&options));
        let mut stream = asked.await.map_err(|e| self.failure(&e, &gate))?.stream;
        let mut text = String::new();
        let mut begun = false;
        let first = after(Instant::now(), self.retry.first);
        loop {
            // What is no piece of the answer (a comment, a thought that is not shown) is a sign of life as well. Before
            // the answer has begun such signs do not count: a server that only says that it is there must come to an end.
            let until = if begun { after(tap.last(), self.retry.idle) } else { first };
            let next = match tokio::time::timeout_at(until, stream.next()).await {
                Ok(next) => next,
                Err(_) if begun && after(tap.last(), self.retry.idle) > until => continue,
                Err(_) if begun => return Err(RequestError::idle(&self.retry)),
                Err(_) => {
                    let after = self.retry.first;
                    let what = "begins no answer";
                    return Err(RequestError::new(Kind::Timeout { what, after, setting: "first_timeout" }));
                }
            };
            match next.transpose().map_err(|e| self.failure(&e, &gate))? {
                // It comes before the request is sent.
                Some(ChatStreamEvent::Start) => {}
                Some(ChatStreamEvent::Chunk(chunk)) => {
                    begun = true;
                    text.push_str(&chunk.content);
                    if text.len() as u64 > self.most {
                        return Err(RequestError::new(Kind::TooLarge { what: Part::Bytes, most: self.most }));
                    }
                    *told = true;
                    // Nobody listens any more: the caller has gone.
                    let _ = pieces.send(Piece::Text(chunk.content));
                }
                Some(ChatStreamEvent::End(end)) => {
                    // Where the form has a last word, the client makes one up when it did not come.
                    let made_up = matches!(self.name.provider, Provider::OpenAiResponses | Provider::Gemini);
                    if made_up && end.captured_stop_reason.is_none() {
                        return Err(self.broken(&tap, &gate));
                    }
                    return response::streamed(&self.name, text, end, &tap);
                }
                Some(ChatStreamEvent::ReasoningChunk(chunk)) => {
                    begun = true;
                    let _ = pieces.send(Piece::Thought(chunk.content));
                }
                Some(_) => begun = true,
                None => return Err(self.broken(&tap, &gate)),
            }
        }
    }

    /// A stream that ended before its end.
    fn broken(&self, tap: &StreamRecorder, gate: &Gate) -> RequestError {
        if let Some(fault) = gate.fault() {
            return fault;
        }
        if tap.silent() {
            return RequestError::new(Kind::Malformed("it is no stream of events".into()));
        }
        RequestError::new(Kind::Disconnected)
    }

    /// What went wrong: on the way, or else as the client says.
    fn failure(&self, e: &genai::Error, gate: &Gate) -> RequestError {
        gate.fault().unwrap_or_else(|| RequestError::read(e, &self.retry, now_ms().div_euclid(1000)))
    }

    /// The way to the server and back.
    async fn gate(&self, stream: bool) -> Result<Gate, RequestError> {
        Gate::open(Upstream {
            http: self.http.clone(),
            url: self.endpoint.url(&self.name, stream),
            headers: self.endpoint.headers(self.name.provider),
            most: self.most,
            stream,
            chat: self.name.provider.format() == Format::OpenAi,
            retry: self.retry.clone(),
        })
        .await
    }

    /// Where the client asks. Its own idea of addresses and keys is passed over: it reads the environment itself, knows
    /// no other addresses, and insists on keys where local servers want none.
    fn target(&self, gate: &Gate) -> ServiceTarget {
        let kind = match self.name.provider {
            Provider::OpenAi | Provider::Ollama | Provider::Compatible => AdapterKind::OpenAI,
            Provider::OpenAiResponses => AdapterKind::OpenAIResp,
            Provider::Anthropic => AdapterKind::Anthropic,
            Provider::Gemini => AdapterKind::Gemini,
        };
        let url = gate.url.clone();
        ServiceTarget {
            endpoint: genai::resolver::Endpoint::from_owned(url.clone()),
            auth: AuthData::RequestOverride { url, headers: Headers::default() },
            model: ModelIden::new(kind, client_name(&self.name)),
        }
    }
}

/// A moment so much later; one that no clock reaches is a year from there.
fn after(from: Instant, time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(365 * 86_400);
    from.checked_add(time.min(YEAR)).unwrap_or(from)
}

/// Who writes requests and reads answers; it speaks to a [`Gate`] only.
pub(super) fn client() -> Result<Client, Error> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let made = reqwest::Client::builder().no_proxy().pool_max_idle_per_host(0).build();
    let made =
        made.map_err(|e| Error::of_model(ModelErrorKind::Setting, format!("no connections can be made: {e}")))?;
    Client::builder().with_reqwest(made).build().map_err(|e| Error::of_model(ModelErrorKind::Setting, e.to_string()))
}

/// Who asks the server of an endpoint. No proxy stands before this machine.
pub(super) fn http(endpoint: &Endpoint, connect: Duration) -> Result<reqwest::Client, Error> {
    // An error says that someone has chosen one already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder().connect_timeout(connect).redirect(reqwest::redirect::Policy::none());
    if endpoint.is_local() {
        builder = builder.no_proxy();
    }
    builder.build().map_err(|e| Error::of_model(ModelErrorKind::Setting, format!("no connections can be made: {e}")))
}
