//! Who runs next: a bounded number of turns at a time, in turn between clients.

use crate::options::ServerOptions;
use crate::refused::Refused;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::oneshot::{self, Receiver, Sender};

/// Hands out places to run a turn in.
pub(crate) struct TurnQueue {
    state: Mutex<State>,
    workers: u64,
    queue: u64,
    client_turns: u64,
    client_queue: u64,
}

#[derive(Default)]
struct State {
    running: u64,
    waiting: u64,
    clients: HashMap<Arc<str>, Turns>,
    /// The clients that wait, the one that is next first.
    order: VecDeque<Arc<str>>,
    closed: bool,
    /// How long turns took of late, in milliseconds.
    took_ms: u64,
}

#[derive(Default)]
struct Turns {
    running: u64,
    waiting: VecDeque<Sender<Permit>>,
}

/// A place in which a turn runs, until it is dropped.
pub(crate) struct Permit {
    queue: Option<Arc<TurnQueue>>,
    client: Arc<str>,
    since: Instant,
}

/// A place, or the wait for one.
pub(crate) enum Place {
    /// It may run at once.
    Now(Permit),
    /// It waits; the sender is gone when the queue is closed.
    Later(Receiver<Permit>),
}

impl TurnQueue {
    pub(crate) fn new(options: &ServerOptions) -> Arc<Self> {
        Arc::new(TurnQueue {
            state: Mutex::default(),
            workers: options.workers,
            queue: options.queue,
            client_turns: options.client_turns,
            client_queue: options.client_queue,
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a turn of this client. The first turn of a client that has none is always taken, however many of others
    /// wait: its turn comes after one of each of them.
    ///
    /// # Errors
    /// When as many wait as may.
    pub(crate) fn ask(self: &Arc<Self>, client: &Arc<str>) -> Result<Place, Refused> {
        let mut state = self.state();
        if state.closed {
            return Err(Refused::stopping());
        }
        state.forget_gone();
        let own = state.clients.entry(client.clone()).or_default();
        let (own_running, own_waiting) = (own.running, own.waiting.len() as u64);
        if own_running < self.client_turns && own_waiting == 0 && state.running < self.workers {
            return Ok(Place::Now(self.begin(&mut state, client)));
        }
        let after = state.retry_after(self.workers);
        let refused = if own_waiting >= self.client_queue {
            Some(format!("{own_running} turns of this client run and {own_waiting} wait, as many as may"))
        } else if state.waiting >= self.queue && own_running.saturating_add(own_waiting) > 0 {
            Some(format!("{} turns wait for a process, as many as may", state.waiting))
        } else {
            None
        };
        if let Some(words) = refused {
            state.tidy(client);
            return Err(Refused::busy(words, after));
        }
        let (give, wait) = oneshot::channel();
        if own_waiting == 0 {
            state.order.push_back(client.clone());
        }
        state.clients.entry(client.clone()).or_default().waiting.push_back(give);
        state.waiting = state.waiting.saturating_add(1);
        Ok(Place::Later(wait))
    }

    fn begin(self: &Arc<Self>, state: &mut State, client: &Arc<str>) -> Permit {
        state.running = state.running.saturating_add(1);
        let own = state.clients.entry(client.clone()).or_default();
        own.running = own.running.saturating_add(1);
        Permit { queue: Some(self.clone()), client: client.clone(), since: Instant::now() }
    }

    /// Gives free places to those who wait, a turn of each client after the other.
    fn hand_out(self: &Arc<Self>, state: &mut State) {
        while state.running < self.workers {
            // One that has as many as it may keeps its turn, and the others pass.
            let may = |c: &Arc<str>| state.clients.get(c).is_some_and(|own| own.running < self.client_turns);
            let Some(client) = state.order.iter().position(may).and_then(|at| state.order.remove(at)) else { return };
            let own = state.clients.entry(client.clone()).or_default();
            let give = own.waiting.pop_front();
            let more = !own.waiting.is_empty();
            if more {
                state.order.push_back(client.clone());
            }
            if let Some(give) = give {
                state.waiting = state.waiting.saturating_sub(1);
                let permit = self.begin(state, &client);
                if let Err(mut unused) = give.send(permit) {
                    // Nobody waits any more; its place is given back here, since the lock is held.
                    unused.queue = None;
                    state.end(&client);
                }
            }
            state.tidy(&client);
        }
    }

    /// Ends all waits, and gives no place any more.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.closed = true;
        state.waiting = 0;
        state.order.clear();
        let gone: Vec<_> = state.clients.values_mut().flat_map(|own| own.waiting.drain(..)).collect();
        drop(state);
        drop(gone);
    }

    /// Turns that run, and turns that wait.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let state = self.state();
        (state.running, state.waiting)
    }
}

impl State {
    fn end(&mut self, client: &Arc<str>) {
        self.running = self.running.saturating_sub(1);
        if let Some(own) = self.clients.get_mut(client) {
            own.running = own.running.saturating_sub(1);
        }
    }

    /// Nothing is kept of a client that has nothing here.
    fn tidy(&mut self, client: &Arc<str>) {
        if self.clients.get(client).is_some_and(|own| own.running == 0 && own.waiting.is_empty()) {
            self.clients.remove(client);
        }
    }

    /// Forgets those that have gone away while they waited.
    fn forget_gone(&mut self) {
        let mut left = 0_u64;
        for own in self.clients.values_mut() {
            own.waiting.retain(|give| !give.is_closed());
            left = left.saturating_add(own.waiting.len() as u64);
        }
        self.waiting = left;
        let clients = &self.clients;
        self.order.retain(|c| clients.get(c).is_some_and(|own| !own.waiting.is_empty()));
    }

    /// When a place may be free: as long as those before it take, as turns took of late.
    fn retry_after(&self, workers: u64) -> Duration {
        let rounds = self.waiting.checked_div(workers).unwrap_or(0).saturating_add(1);
        let ms = self.took_ms.max(1000).saturating_mul(rounds);
        Duration::from_secs(ms.div_ceil(1000).clamp(1, 60))
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        let took = u64::try_from(self.since.elapsed().as_millis()).unwrap_or(u64::MAX);
        let mut state = queue.state();
        state.took_ms = state.took_ms.saturating_mul(7).saturating_add(took).checked_div(8).unwrap_or(0);
        state.end(&self.client);
        state.tidy(&self.client);
        queue.hand_out(&mut state);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;
    use crate::refused::RefusedKind;

    fn queue(text: &[&str]) -> Arc<TurnQueue> {
        let mut options = ServerOptions::default();
        text.iter().for_each(|t| options.set(t).unwrap());
        TurnQueue::new(&options)
    }

    fn now(place: Place) -> Permit {
        match place {
            Place::Now(permit) => permit,
            Place::Later(_) => panic!("it waits"),
        }
    }

    fn later(place: Place) -> Receiver<Permit> {
        match place {
            Place::Now(_) => panic!("it runs"),
            Place::Later(wait) => wait,
        }
    }

    #[test]
    fn clients_take_turns_and_what_is_too_much_is_busy() {
        let queue = queue(&["workers=2", "client_turns=2", "queue=3", "client_queue=2"]);
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let running = [now(queue.ask(&a).unwrap()), now(queue.ask(&a).unwrap())];
        let mut waiting_a = [later(queue.ask(&a).unwrap()), later(queue.ask(&a).unwrap())];
        let refused = queue.ask(&a).err().unwrap();
        assert_eq!(refused.kind(), RefusedKind::Busy);
        assert!(refused.to_string().contains("of this client run") && refused.retry_after().is_some(), "{refused}");
        let mut waiting_b = later(queue.ask(&b).unwrap());
        let refused = queue.ask(&b).err().unwrap();
        assert!(refused.to_string().starts_with("3 turns wait for a process"), "{refused}");
        // The first place goes to a, which asked first, the second to b, though a has waited for longer.
        let [first, second] = running;
        drop(first);
        let got_a = waiting_a[0].try_recv().unwrap();
        assert!(waiting_b.try_recv().is_err());
        drop(second);
        let got_b = waiting_b.try_recv().unwrap();
        assert!(waiting_a[1].try_recv().is_err());
        drop((got_a, got_b));
        assert!(waiting_a[1].try_recv().is_ok());
        assert_eq!(queue.counts(), (0, 0));
        assert!(queue.state().clients.is_empty() && queue.state().order.is_empty());
    }

    #[test]
    fn who_has_as_many_as_may_keeps_its_turn() {
        let queue = queue(&["workers=2", "client_turns=1"]);
        let (a, b, c): (Arc<str>, Arc<str>, Arc<str>) = ("a".into(), "b".into(), "c".into());
        let (first_a, first_b) = (now(queue.ask(&a).unwrap()), now(queue.ask(&b).unwrap()));
        let mut waiting_a = later(queue.ask(&a).unwrap());
        let mut waiting_c = later(queue.ask(&c).unwrap());
        let mut other_c = later(queue.ask(&c).unwrap());
        // a was first, and has as many as it may: c runs, and waits again behind it.
        drop(first_b);
        let first_c = waiting_c.try_recv().unwrap();
        assert!(waiting_a.try_recv().is_err());
        let mut waiting_b = later(queue.ask(&b).unwrap());
        drop(first_a);
        let second_a = waiting_a.try_recv().unwrap();
        drop(first_c);
        let second_c = other_c.try_recv().unwrap();
        assert!(waiting_b.try_recv().is_err());
        drop((second_a, second_c));
        assert!(waiting_b.try_recv().is_ok());
    }

    #[test]
    fn whoever_goes_away_while_waiting_takes_no_place() {
        let queue = queue(&["workers=1", "client_turns=1", "queue=1", "client_queue=1"]);
        let a: Arc<str> = "a".into();
        let running = now(queue.ask(&a).unwrap());
        drop(later(queue.ask(&a).unwrap()));
        // The one that is gone does not keep this one out.
        let waiting = later(queue.ask(&a).unwrap());
        drop(running);
        // It was given its place, and goes away without taking it.
        drop(waiting);
        assert_eq!(queue.counts(), (0, 0));
        let again = now(queue.ask(&a).unwrap());
        let mut closed = later(queue.ask(&a).unwrap());
        queue.close();
        assert!(closed.try_recv().is_err());
        assert_eq!(queue.ask(&a).err().unwrap().kind(), RefusedKind::Stopping);
        drop(again);
    }

    #[test]
    fn one_client_never_takes_all_places() {
        let queue = queue(&["workers=3", "client_turns=2"]);
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let _running = [now(queue.ask(&a).unwrap()), now(queue.ask(&a).unwrap())];
        let mut third = later(queue.ask(&a).unwrap());
        let other = now(queue.ask(&b).unwrap());
        drop(other);
        assert!(third.try_recv().is_err(), "its own limit holds though a place is free");
    }

    #[test]
    fn who_has_nothing_here_is_taken_however_many_of_others_wait() {
        let queue = queue(&["workers=1", "queue=1", "client_turns=1"]);
        let (a, b): (Arc<str>, Arc<str>) = ("a".into(), "b".into());
        let running = now(queue.ask(&a).unwrap());
        let mut waiting = later(queue.ask(&a).unwrap());
        assert_eq!(queue.ask(&a).err().unwrap().kind(), RefusedKind::Busy);
        let mut first = later(queue.ask(&b).unwrap());
        assert_eq!(queue.ask(&b).err().unwrap().kind(), RefusedKind::Busy, "its second is one of the many");
        drop(running);
        drop(waiting.try_recv().unwrap());
        assert!(first.try_recv().is_ok(), "one of each client after the other");
    }
}
