//! Following a session: the turns that have ended since, and then what happens.

use crate::client::Client;
use crate::event::{Event, LiveEvent};
use crate::inner::Inner;
use crate::rates::ReadPlace;
use ptc_agent::trace_file::TurnReader;
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
    live: Option<Receiver<LiveEvent>>,
    /// Whether turns have ended that are not told yet; one at a time is read. Reading may be given up at any time.
    behind: bool,
    turns: Option<TurnReader>,
    ready: VecDeque<Event>,
    /// Held while turns of the trace are there to be taken.
    place: Option<ReadPlace>,
    /// The last turn whose end was told.
    last: u64,
}

impl Events {
    pub(crate) fn new(inner: Arc<Inner>, client: Client, id: String, live: Receiver<LiveEvent>, last: u64) -> Self {
        Events {
            inner,
            client,
            id,
            live: Some(live),
            behind: false,
            turns: None,
            ready: VecDeque::new(),
            place: None,
            last,
        }
    }

    /// Begins to read the turns that have ended since, and what runs.
    pub(crate) async fn catch_up(&mut self) -> Result<(), crate::Refused> {
        let place = self.inner.rates.answer(&self.client).await?;
        let (ended, turns) = {
            let id = self.id.clone();
            let read = move |inner: &Inner| {
                let ended = inner.outline(&id)?.turns().len() as u64;
                Ok((ended, TurnReader::open(&inner.store.open(&id)?.trace())?))
            };
            self.inner.reading(&self.client, read).await?
        };
        // A turn that is not there yet is not behind us.
        self.last = self.last.min(ended);
        self.ready.clear();
        self.behind = ended > self.last;
        (self.turns, self.place) = (Some(turns).filter(|_| self.behind), Some(place).filter(|_| self.behind));
        let job = self.inner.table.running(&self.id);
        let running = job.map(|job| job.shared.turn.load(Ordering::Acquire)).filter(|t| *t > ended);
        self.ready.extend(running.map(|turn| Event::TurnBegun { turn }));
        Ok(())
    }

    /// The next turn of those that have ended.
    async fn next_turn(&mut self) -> Result<Option<Event>, crate::Refused> {
        if self.behind && self.turns.is_none() {
            self.catch_up().await?;
        }
        let Some(mut turns) = self.turns.take() else { return Ok(None) };
        let last = self.last;
        let read = move |_: &Inner| {
            let next = turns.find(|t| t.as_ref().map_or(true, |t| t.turn > last)).transpose()?;
            Ok(next.map(|record| (Arc::new(record), turns)))
        };
        let Some((record, turns)) = self.inner.blocking(read).await? else {
            self.behind = false;
            return Ok(None);
        };
        self.turns = Some(turns);
        Ok(Some(Event::TurnEnded { turn: record.turn, record }))
    }

    /// The next thing that happens; `None` when the session is removed or cannot be read any more.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            let turn = self.next_turn().await.ok()?;
            if let Some(event) = turn.or_else(|| self.ready.pop_front()) {
                if matches!(event, Event::TurnEnded { .. }) {
                    self.last = self.last.max(event.turn());
                }
                return Some(event);
            }
            self.place = None;
            let event = match self.live.as_mut()?.recv().await {
                Ok(LiveEvent::Other(event)) => event,
                Ok(LiveEvent::TurnEnded { turn, .. }) if turn <= self.last => continue,
                Ok(LiveEvent::TurnEnded { turn, record }) => match record.upgrade() {
                    Some(record) => Event::TurnEnded { turn, record },
                    None => {
                        self.behind = true;
                        continue;
                    }
                },
                Err(RecvError::Lagged(_)) => {
                    self.behind = true;
                    continue;
                }
                Err(RecvError::Closed) => return None,
            };
            // Others were told already from the trace.
            if event.turn() > self.last || matches!(event, Event::RunEnded { .. }) {
                self.ready.push_back(event);
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
