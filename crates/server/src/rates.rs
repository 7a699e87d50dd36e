//! How much a client may ask for: requests a second, streams, and sessions that are read at a time.

use crate::client::Client;
use crate::options::ServerOptions;
use crate::refused::{Refused, RefusedKind};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How long a request waits that would read a session while as many are read as may.
const READ_WAIT: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });
/// Clients that are remembered though they ask for nothing now.
const REMEMBERED: usize = 10_000;

/// What clients have asked for.
pub(crate) struct Rates {
    per_second: f64,
    at_once: f64,
    reads: usize,
    /// Who makes something of a whole long session, of all clients one at a time.
    heavy: Arc<Semaphore>,
    clients: Mutex<HashMap<Client, Rate>>,
}

/// What a client has asked for.
struct Rate {
    /// Requests that may come now.
    left: f64,
    at: Instant,
    streams: u64,
    reads: Arc<Semaphore>,
    answers: Arc<Semaphore>,
}

/// A stream of a client, until it ends.
pub(crate) struct StreamPlace {
    rates: Arc<Rates>,
    client: Client,
}

/// A place for something that reads sessions.
pub(crate) type ReadPlace = OwnedSemaphorePermit;

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut clients = self.rates.lock();
        if let Some(rate) = clients.get_mut(&self.client) {
            rate.streams = rate.streams.saturating_sub(1);
        }
    }
}

impl Rates {
    pub(crate) fn new(options: &ServerOptions) -> Arc<Self> {
        Arc::new(Rates {
            per_second: options.requests_per_second as f64,
            at_once: options.requests_at_once as f64,
            reads: usize::try_from(options.reads).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS),
            heavy: Arc::new(Semaphore::new(1)),
            clients: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Client, Rate>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of<'c>(&self, clients: &'c mut HashMap<Client, Rate>, client: &Client) -> &'c mut Rate {
        if clients.len() >= REMEMBERED && !clients.contains_key(client) {
            clients.retain(|_, one| {
                let reads = [&one.reads, &one.answers].into_iter().any(|all| all.available_permits() < self.reads);
                reads || one.streams > 0 || self.refilled(one) < self.at_once
            });
        }
        clients.entry(client.clone()).or_insert_with(|| Rate {
            left: self.at_once,
            at: Instant::now(),
            streams: 0,
            reads: Arc::new(Semaphore::new(self.reads)),
            answers: Arc::new(Semaphore::new(self.reads)),
        })
    }

    /// Requests that may come now.
    fn refilled(&self, one: &Rate) -> f64 {
        (one.left + one.at.elapsed().as_secs_f64() * self.per_second).min(self.at_once)
    }

    /// Counts a request of a client.
    pub(crate) fn take(&self, client: &Client) -> Result<(), Refused> {
        let mut clients = self.lock();
        let one = self.of(&mut clients, client);
        one.left = self.refilled(one);
        one.at = Instant::now();
        if one.left < 1.0 {
            let words = "these are more requests than requests_per_second allows";
            let seconds = ((1.0 - one.left) / self.per_second).ceil().max(1.0);
            return Err(Refused::busy(words.to_owned(), Duration::from_secs(seconds as u64)));
        }
        one.left -= 1.0;
        Ok(())
    }

    /// A place for a stream of this client, which may have so many.
    pub(crate) fn stream(self: &Arc<Self>, client: &Client, most: u64) -> Result<StreamPlace, Refused> {
        let mut clients = self.lock();
        let one = self.of(&mut clients, client);
        if one.streams >= most {
            let words = format!("there are {} streams, as many as streams allows", one.streams);
            return Err(busy(words, "end one, and ask again"));
        }
        one.streams = one.streams.saturating_add(1);
        Ok(StreamPlace { rates: self.clone(), client: client.clone() })
    }

    /// A place for something that reads a session for this client, while it reads.
    pub(crate) async fn read(&self, client: &Client) -> Result<ReadPlace, Refused> {
        let places = self.of(&mut self.lock(), client).reads.clone();
        self.place(places).await
    }

    /// A place for an answer that holds what was read of a session for this client, until it has been taken. Who has one reads in a
    /// place of the others.
    pub(crate) async fn answer(&self, client: &Client) -> Result<ReadPlace, Refused> {
        let places = self.of(&mut self.lock(), client).answers.clone();
        self.place(places).await
    }

    /// The place for making something of a whole long session.
    pub(crate) async fn heavy(&self) -> Result<ReadPlace, Refused> {
        match tokio::time::timeout(READ_WAIT, self.heavy.clone().acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(busy("prompts and pages of other long sessions are being made".to_owned(), "ask again")),
        }
    }

    async fn place(&self, places: Arc<Semaphore>) -> Result<ReadPlace, Refused> {
        match tokio::time::timeout(READ_WAIT, places.acquire_owned()).await {
            Ok(Ok(place)) => Ok(place),
            _ => {
                let words = format!("{} requests read sessions, as many as reads allows", self.reads);
                Err(busy(words, "take their answers, and ask again"))
            }
        }
    }

    /// Streams of all clients.
    pub(crate) fn streams(&self) -> u64 {
        self.lock().values().fold(0_u64, |sum, one| sum.saturating_add(one.streams))
    }
}

fn busy(words: String, hint: &str) -> Refused {
    Refused::new(RefusedKind::Busy, words, hint).after(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn rates(set: &[&str]) -> Arc<Rates> {
        let mut options = ServerOptions::default();
        set.iter().for_each(|text| options.set(text).unwrap());
        Rates::new(&options)
    }

    #[tokio::test(start_paused = true)]
    async fn as_many_read_as_may_and_others_wait_for_them() {
        let rates = rates(&["reads=1"]);
        let (a, b) = (Client::new("a"), Client::new("b"));
        let first = rates.read(&a).await.unwrap();
        assert!(rates.read(&b).await.is_ok(), "others have places of their own");
        assert!(rates.answer(&a).await.is_ok(), "and so have answers");
        let refused = rates.read(&a).await.unwrap_err();
        assert_eq!((refused.kind(), refused.retry_after()), (RefusedKind::Busy, Some(Duration::from_secs(1))));
        let (second, ()) = tokio::join!(rates.read(&a), async { drop(first) });
        assert!(second.is_ok());
    }

    #[test]
    fn clients_that_ask_for_nothing_are_forgotten_and_others_are_not() {
        let rates = rates(&["requests_per_second=1000000000", "requests_at_once=2"]);
        let busy = Client::new("busy");
        let _stream = rates.stream(&busy, 1).unwrap();
        for n in 0..REMEMBERED + 10 {
            rates.take(&Client::new(&n.to_string())).unwrap();
        }
        assert!(rates.lock().len() < 100, "{}", rates.lock().len());
        assert!(rates.stream(&busy, 1).is_err());
    }
}
