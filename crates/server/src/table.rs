//! The sessions that something happens in, or that are kept open: of all others there is nothing but their files.

use crate::event::LiveEvent;
use crate::job::Job;
use crate::opened::Opened;
use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

/// Events that wait for one who follows a session; one who is slower reads the turns from the trace.
const EVENTS: usize = 256;

/// A session that is here.
pub(crate) struct Entry {
    /// The turn or run that has been asked for and has not ended.
    pub(crate) running: Option<Job>,
    /// The open session, between turns.
    pub(crate) kept: Option<(Instant, Box<Opened>)>,
    pub(crate) events: broadcast::Sender<LiveEvent>,
}

impl Default for Entry {
    fn default() -> Self {
        Entry { running: None, kept: None, events: broadcast::Sender::new(EVENTS) }
    }
}

impl Entry {
    fn idle(&self) -> bool {
        self.running.is_none() && self.kept.is_none() && self.events.receiver_count() == 0
    }
}

/// All entries, by the ids of their sessions.
#[derive(Default)]
pub(crate) struct Table(Mutex<HashMap<String, Entry>>);

impl Table {
    pub(crate) fn lock(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets an entry that nothing is in.
    pub(crate) fn tidy(&self, id: &str) {
        let mut table = self.lock();
        if table.get(id).is_some_and(Entry::idle) {
            table.remove(id);
        }
    }

    /// What runs in a session.
    pub(crate) fn running(&self, id: &str) -> Option<Job> {
        self.lock().get(id)?.running.clone()
    }

    /// Everything that runs.
    pub(crate) fn jobs(&self) -> Vec<Job> {
        self.lock().values().filter_map(|e| e.running.clone()).collect()
    }

    /// Takes the open session of this id.
    pub(crate) fn take_kept(&self, id: &str) -> Option<Box<Opened>> {
        self.lock().get_mut(id)?.kept.take().map(|(_, opened)| opened)
    }

    /// Takes open sessions, those that were not used for longest first, until at most so many are left.
    pub(crate) fn take_over(&self, most: u64) -> Vec<Box<Opened>> {
        let mut table = self.lock();
        let mut kept: Vec<(Instant, String)> =
            table.iter().filter_map(|(id, e)| Some((e.kept.as_ref()?.0, id.clone()))).collect();
        kept.sort();
        let over = kept.len().saturating_sub(usize::try_from(most).unwrap_or(usize::MAX));
        let taken = kept.into_iter().take(over).filter_map(|(_, id)| {
            let opened = table.get_mut(&id)?.kept.take().map(|(_, opened)| opened);
            if table.get(&id).is_some_and(Entry::idle) {
                table.remove(&id);
            }
            opened
        });
        taken.collect()
    }

    /// Takes open sessions that were not used for this long.
    pub(crate) fn take_unused(&self, idle: Duration) -> Vec<Box<Opened>> {
        let mut table = self.lock();
        let mut taken = Vec::new();
        for entry in table.values_mut() {
            if entry.kept.as_ref().is_some_and(|(used, _)| used.elapsed() >= idle) {
                taken.extend(entry.kept.take().map(|(_, opened)| opened));
            }
        }
        table.retain(|_, e| !e.idle());
        taken
    }
}
