//! Following a session: the turns that have ended since, and then what happens.

use crate::client::Client;
use crate::event::Event;
use crate::inner::Inner;
use crate::rates::ReadPlace;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// What happens in a session, from a turn on. Turns that have ended are taken from the trace, so none is missed: by one who
/// comes back after a break, or is slower than the session, only what happened within them.
pub struct Events {
    inner: Arc<Inner>,
    client: Client,
    id: String,
    live: Option<Receiver<Event>>,
    ready: VecDeque<Event>,
    /// Held while turns of the trace are there to be taken.
    place: Option<ReadPlace>,
    /// The last turn whose end was told.
    last: u64,
}

impl Events {
    pub(crate) fn new(inner: Arc<Inner>, client: Client, id: String, live: Receiver<Event>, last: u64) -> Self {
        Events { inner, client, id, live: Some(live), ready: VecDeque::new(), place: None, last }
    }

    /// Reads the turns that have ended since, and what runs.
    pub(crate) async fn catch_up(&mut self) -> Result<(), crate::Refused> {
        let (id, last) = (self.id.clone(), self.last);
        let place = self.inner.rates.answer(&self.client).await?;
        let turns = self.inner.reading(&self.client, move |inner| {
            let trace = inner.trace(&id)?;
            let last = last.min(trace.turns().len() as u64);
            Ok((last, trace.turns().iter().filter(|t| t.turn > last).cloned().collect::<Vec<_>>()))
        });
        let (last, turns) = turns.await?;
        // A turn that is not there yet is not behind us.
        self.last = last;
        self.ready = turns.into_iter().map(|record| Event::TurnEnded { turn: record.turn, record }).collect();
        self.place = Some(place).filter(|_| !self.ready.is_empty());
        let ended = self.ready.back().map_or(self.last, Event::turn);
        let job = self.inner.table.running(&self.id);
        let running = job.map(|job| job.shared.turn.load(Ordering::Acquire)).filter(|t| *t > ended);
        self.ready.extend(running.map(|turn| Event::TurnBegun { turn }));
        Ok(())
    }

    /// The next thing that happens; `None` when the session is removed or cannot be read any more.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                if matches!(event, Event::TurnEnded { .. }) {
                    self.last = self.last.max(event.turn());
                }
                return Some(event);
            }
            self.place = None;
            match self.live.as_mut()?.recv().await {
                // Told already from the trace.
                Ok(event) if event.turn() <= self.last && !matches!(event, Event::RunEnded { .. }) => {}
                Ok(event) => self.ready.push_back(event),
                Err(RecvError::Lagged(_)) => self.catch_up().await.ok()?,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        drop(self.live.take());
        self.inner.table.tidy(&self.id);
    }
}
