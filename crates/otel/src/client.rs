//! Sends what the exporters make, and remembers whether it arrived.

use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use opentelemetry_http::{HttpClient, HttpError};
use ptc_agent::{Error, ErrorKind};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Runtime;

/// Most bytes of an answer; it says whether all was taken.
const MOST_ANSWER: usize = 64 * 1024;

/// A client with a thread of its own: exporters wait for it on theirs.
#[derive(Clone)]
pub(crate) struct Client {
    http: reqwest::Client,
    shared: Arc<Shared>,
}

struct Shared {
    runtime: Mutex<Option<Runtime>>,
    /// Why the first request failed that did; none where none has.
    failure: Mutex<Option<String>>,
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Client")
    }
}

impl Client {
    /// One that gives each request up after `timeout`.
    ///
    /// # Errors
    /// When no thread can be had for it.
    pub(crate) fn new(timeout: Duration) -> Result<Self, Error> {
        let failed = |e: &dyn fmt::Display| {
            Error::new(ErrorKind::Runtime, format!("telemetry cannot be sent: {e}; leave --otel out to run without"))
        };
        // An error is that there is a provider already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|e| failed(&e))?;
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).timeout(timeout).build();
        let http = http.map_err(|e| failed(&e))?;
        let shared = Shared { runtime: Mutex::new(Some(runtime)), failure: Mutex::new(None) };
        Ok(Client { http, shared: Arc::new(shared) })
    }

    /// Gives up what is not answered yet.
    pub(crate) fn stop(&self) {
        let runtime = self.shared.runtime.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(runtime) = runtime {
            runtime.shutdown_background();
        }
    }

    /// Why the first request failed that did.
    pub(crate) fn failure(&self) -> Option<String> {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What a later one brings does not make up for what was lost.
    fn failed(&self, words: String) {
        self.shared.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(words);
    }
}

/// An error of reqwest with its causes, without the address, which may hold a password.
fn words(e: reqwest::Error) -> String {
    let e = e.without_url();
    let mut out = e.to_string();
    let mut cause = std::error::Error::source(&e);
    while let Some(e) = cause {
        out.push_str(&format!(": {e}"));
        cause = e.source();
    }
    out
}

async fn send(http: reqwest::Client, request: Request<Bytes>) -> Result<Response<Bytes>, String> {
    let request = reqwest::Request::try_from(request).map_err(words)?;
    let mut answer = http.execute(request).await.map_err(words)?;
    let mut response = Response::new(Bytes::new());
    *response.status_mut() = answer.status();
    *response.headers_mut() = answer.headers().clone();
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(words)? {
        if body.len().saturating_add(piece.len()) > MOST_ANSWER {
            return Err(format!("its answer is longer than {MOST_ANSWER} bytes"));
        }
        body.extend_from_slice(&piece);
    }
    *response.body_mut() = body.into();
    Ok(response)
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let begun = {
            let runtime = self.shared.runtime.lock().unwrap_or_else(PoisonError::into_inner);
            runtime.as_ref().map(|r| r.spawn(send(self.http.clone(), request)))
        };
        let Some(begun) = begun else { return Err("the run has ended".into()) };
        // A task that was given up is one too.
        let answer = begun.await.map_err(|_| "it did not answer in time".to_owned()).and_then(|answer| answer);
        match &answer {
            Err(words) => self.failed(words.clone()),
            Ok(a) if !a.status().is_success() => self.failed(format!("it answers {}", a.status())),
            Ok(_) => {}
        }
        Ok(answer?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_is_the_one_that_is_told() {
        let client = Client::new(Duration::from_secs(1)).unwrap();
        assert_eq!(client.failure(), None);
        client.failed("refused".to_owned());
        client.failed("gone".to_owned());
        assert_eq!(client.failure().as_deref(), Some("refused"));
        client.stop();
    }
}
