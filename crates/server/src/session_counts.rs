//! How many sessions each client has.

use crate::client::Client;
use crate::refused::{Refused, RefusedKind};
use ptc_agent::sessions::SessionStore;
use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whose the sessions of a folder are. It is read once; later only what is new there, by others, where a limit is reached.
#[derive(Default)]
pub(crate) struct SessionCounts(Mutex<Known>);

#[derive(Default)]
struct Known {
    read: bool,
    /// Those that are known, with the names of their clients.
    clients: HashMap<String, Option<String>>,
    /// How many each client has, with those that are about to begin.
    counts: HashMap<String, u64>,
}

impl SessionCounts {
    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a session of this client by `make`, which gives its id first, if it may have one more.
    pub(crate) fn begin<T>(
        &self,
        store: &SessionStore,
        client: &Client,
        most: u64,
        make: impl FnOnce() -> Result<(String, T), Refused>,
    ) -> Result<T, Refused> {
        self.reserve(store, client, most)?;
        let made = make();
        let mut known = self.lock();
        known.less(client.name());
        let (id, made) = made?;
        known.add(id, Some(client.name().to_owned()));
        Ok(made)
    }

    fn reserve(&self, store: &SessionStore, client: &Client, most: u64) -> Result<(), Refused> {
        let mut known = self.lock();
        // Others may have removed some, so nobody is refused by an old count.
        if !known.read || known.count(client) >= most {
            known.read_new(store)?;
        }
        let n = known.count(client);
        if n >= most {
            let words = format!("there are {n} sessions, as many as client_sessions allows");
            let hint = "remove some: ptc sessions prune --older-than 30d, or ptc sessions rm ID";
            return Err(Refused::new(RefusedKind::Limit, words, hint));
        }
        known.more(client.name());
        Ok(())
    }

    /// A session has been removed.
    pub(crate) fn removed(&self, id: &str) {
        self.lock().remove(id);
    }
}

impl Known {
    fn count(&self, client: &Client) -> u64 {
        self.counts.get(client.name()).copied().unwrap_or(0)
    }

    fn more(&mut self, client: &str) {
        let n = self.counts.entry(client.to_owned()).or_default();
        *n = n.saturating_add(1);
    }

    fn less(&mut self, client: &str) {
        if let Some(n) = self.counts.get_mut(client) {
            *n = n.saturating_sub(1);
        }
    }

    fn add(&mut self, id: String, client: Option<String>) {
        if self.clients.contains_key(&id) {
            return;
        }
        if let Some(client) = &client {
            self.more(client);
        }
        self.clients.insert(id, client);
    }

    fn remove(&mut self, id: &str) {
        if let Some(Some(client)) = self.clients.remove(id) {
            self.less(&client);
        }
    }

    /// Reads the names of all sessions, and the notes of those that are not known.
    fn read_new(&mut self, store: &SessionStore) -> Result<(), Refused> {
        let there: HashSet<String> = store.ids()?.into_iter().collect();
        let gone: Vec<String> = self.clients.keys().filter(|id| !there.contains(*id)).cloned().collect();
        gone.iter().for_each(|id| self.remove(id));
        for id in there {
            if !self.clients.contains_key(&id) {
                let client = store.notes(&id).ok().and_then(|notes| notes.client);
                self.add(id, client);
            }
        }
        self.read = true;
        Ok(())
    }
}
