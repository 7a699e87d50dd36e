//! How much a client may ask for: requests a second, streams, and sessions that are read at a time.

use crate::client::Client;
use crate::http::options::HttpOptions;
use crate::http::problem::Problem;
use axum::http::StatusCode;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits that would read a session while as many are read as may.
const READ_WAIT: Duration = Duration::from_secs(10);

/// What clients have asked for.
pub(crate) struct Rates {
    per_second: f64,
    at_once: f64,
    streams: u64,
    reads: usize,
    /// As many as there are names of clients.
    clients: Mutex<HashMap<Client, Rate>>,
}

/// What a client has asked for.
struct Rate {
    /// Requests that may come now.
    left: f64,
    at: Instant,
    streams: u64,
    reads: Arc<Semaphore>,
}

/// A stream of a client, until it ends.
pub(crate) struct StreamPlace {
    rates: Arc<Rates>,
    client: Client,
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut clients = self.rates.lock();
        if let Some(rate) = clients.get_mut(&self.client) {
            rate.streams = rate.streams.saturating_sub(1);
        }
    }
}

impl Rates {
    pub(crate) fn new(options: &HttpOptions) -> Arc<Self> {
        Arc::new(Rates {
            per_second: options.requests_per_second as f64,
            at_once: options.requests_at_once as f64,
            streams: options.streams,
            reads: usize::try_from(options.reads).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS),
            clients: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, Rate>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of<'c>(&self, clients: &'c mut HashMap<Client, Rate>, client: &Client) -> &'c mut Rate {
        clients.entry(client.clone()).or_insert_with(|| Rate {
            left: self.at_once,
            at: Instant::now(),
            streams: 0,
            reads: Arc::new(Semaphore::new(self.reads)),
        })
    }

    /// Counts a request of a client.
    pub(crate) fn take(&self, client: &Client) -> Result<(), Problem> {
        let mut clients = self.lock();
        let one = self.of(&mut clients, client);
        let now = Instant::now();
        one.left = (one.left + now.duration_since(one.at).as_secs_f64() * self.per_second).min(self.at_once);
        one.at = now;
        if one.left < 1.0 {
            let words = "these are more requests than requests_per_second allows";
            let seconds = ((1.0 - one.left) / self.per_second).ceil().max(1.0);
            return Err(busy(words.to_owned(), format!("ask again in {seconds} s"), seconds as u64));
        }
        one.left -= 1.0;
        Ok(())
    }

    /// A place for a stream of this client.
    pub(crate) fn stream(self: &Arc<Self>, client: &Client) -> Result<StreamPlace, Problem> {
        let mut clients = self.lock();
        let one = self.of(&mut clients, client);
        if one.streams >= self.streams {
            let words = format!("there are {} streams, as many as streams allows", one.streams);
            return Err(busy(words, "end one, and ask again".to_owned(), 1));
        }
        one.streams = one.streams.saturating_add(1);
        Ok(StreamPlace { rates: self.clone(), client: client.clone() })
    }

    /// A place for a request of this client that reads a session, until its answer has been taken.
    pub(crate) async fn read(&self, client: &Client) -> Result<OwnedSemaphorePermit, Problem> {
        let places = self.of(&mut self.lock(), client).reads.clone();
        match tokio::time::timeout(READ_WAIT, places.acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => {
                let words = format!("{} requests read sessions, as many as reads allows", self.reads);
                Err(busy(words, "take their answers, and ask again".to_owned(), 1))
            }
        }
    }

    /// Streams of all clients.
    pub(crate) fn streams(&self) -> u64 {
        self.lock().values().fold(0_u64, |sum, one| sum.saturating_add(one.streams))
    }
}

fn busy(words: String, hint: String, seconds: u64) -> Problem {
    Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", words, hint).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn as_many_read_as_may_and_others_wait_for_them() {
        let mut options = HttpOptions::default();
        options.set("reads=1").unwrap();
        let rates = Rates::new(&options);
        let (a, b) = (Client::new("a"), Client::new("b"));
        let first = rates.read(&a).await.unwrap();
        assert!(rates.read(&b).await.is_ok(), "others have places of their own");
        let refused = rates.read(&a).await.unwrap_err();
        assert_eq!((refused.status, refused.retry_after), (StatusCode::TOO_MANY_REQUESTS, Some(1)));
        let (second, ()) = tokio::join!(rates.read(&a), async { drop(first) });
        assert!(second.is_ok());
    }
}
