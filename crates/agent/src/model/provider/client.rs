//! The model of a provider: requests on the shared runtime, answers handed on as they come.

use super::call::{self, Call, Piece};
use super::endpoint::Endpoint;
use super::request::{self, PreviousRequest};
use super::{Environment, MAX_ANSWER_BYTES, ModelName, RetryPolicy};
use crate::error::Error;
use crate::error_text;
use crate::model::{CountedAs, Model, ModelEvent, Reply, Request};
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// How often a waiting request looks whether it was cancelled.
const CANCEL_POLL_INTERVAL: Duration = Duration::from_millis(20);

/// A model of a provider. Requests block the calling thread; the connection is kept between them.
pub struct ProviderModel {
    client: genai::Client,
    http: reqwest::Client,
    name: ModelName,
    endpoint: Endpoint,
    pub(super) retry: RetryPolicy,
    most: u64,
    before: PreviousRequest,
    answered: bool,
}

impl ProviderModel {
    /// Opens the model of this name, `PROVIDER/NAME`, with the default [`RetryPolicy`]. Nothing is sent yet.
    ///
    /// # Errors
    /// When it is not the name of a model, or a key or an address is missing in the environment or cannot be used.
    pub fn open(name: &str, environment: &Environment) -> Result<Self, Error> {
        Self::new(name.parse()?, environment, RetryPolicy::default())
    }

    /// The model of this name, with this retry policy.
    ///
    /// # Errors
    /// As [`ProviderModel::open`].
    pub fn new(name: ModelName, environment: &Environment, retry: RetryPolicy) -> Result<Self, Error> {
        let endpoint = Endpoint::of(&name, environment)?;
        let (client, http) = (call::client()?, call::http(&endpoint, retry.connect)?);
        let (most, before) = (MAX_ANSWER_BYTES, PreviousRequest::default());
        Ok(ProviderModel { client, http, name, endpoint, retry, most, before, answered: false })
    }

    /// Most bytes of an answer; [`MAX_ANSWER_BYTES`] when nothing is said. A streamed one may take four times as many on the wire.
    #[must_use]
    pub fn with_answer_bytes(mut self, most: u64) -> Self {
        self.most = most;
        self
    }

    /// Its name.
    pub fn name(&self) -> &ModelName {
        &self.name
    }
}

impl std::fmt::Debug for ProviderModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProviderModel").field("name", &self.name).field("endpoint", &self.endpoint).finish()
    }
}

impl Model for ProviderModel {
    /// Asks the provider; with `said` the answer is streamed. A cancelled request ends within 20 ms, whatever the
    /// server does.
    fn reply(&mut self, mut request: Request<'_>) -> Result<Reply, Error> {
        if request.cancel.cancelled() {
            return Err(Error::cancelled());
        }
        let (chat, options) = request::build(&self.name, &request, &self.before)?;
        let call = Call {
            client: self.client.clone(),
            http: self.http.clone(),
            most: self.most,
            name: self.name.clone(),
            endpoint: self.endpoint.clone(),
            retry: self.retry.clone(),
            request: chat,
            options,
            known: self.answered,
        };
        let runtime = crate::runtime::runtime()?;
        // It runs on threads of its own: the caller may itself be inside a runtime, and `said` need not travel.
        let (pieces, mut heard) = unbounded_channel();
        let (done, answer) = std::sync::mpsc::sync_channel(1);
        let streams = request.said.is_some();
        let task = runtime.spawn(async move {
            let _ = done.send(call.run(pieces, streams).await);
        });
        let mut tell = |request: &mut Request<'_>| {
            while let Ok(piece) = heard.try_recv() {
                match (piece, &mut request.said, &mut request.events) {
                    (Piece::Text(piece), Some(said), _) => said(&piece),
                    (Piece::Thought(piece), _, Some(tell)) => tell(ModelEvent::Thought(&piece)),
                    (Piece::Retry(retry), _, Some(tell)) => tell(ModelEvent::Retry(&retry)),
                    _ => {}
                }
            }
        };
        let result = loop {
            use std::sync::mpsc::RecvTimeoutError as E;
            let result = answer.recv_timeout(CANCEL_POLL_INTERVAL);
            tell(&mut request);
            match result {
                Ok(result) => break result,
                Err(E::Timeout) if request.cancel.cancelled() => {
                    // Dropping it closes the connection: the provider stops too.
                    task.abort();
                    return Err(Error::cancelled());
                }
                Err(E::Timeout) => {}
                Err(E::Disconnected) => {
                    return Err(Error::model(error_text!("{}: the request was lost", self.name; "ask again")));
                }
            }
        };
        if result.is_ok() {
            self.answered = true;
            self.before.remember(request.messages);
        }
        result
    }

    fn counted_as(&self) -> Option<CountedAs> {
        let (provider, api) = self.name.counted_as();
        Some(CountedAs { provider: provider.to_owned(), api, model: self.name.model.clone() })
    }
}
