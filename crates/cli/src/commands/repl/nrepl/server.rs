//! The sessions of the nREPL server.

use super::client::{Client, held};
use super::worker::{OnEnd, SessionEntry};
use crate::commands::repl::names::Names;
use crate::commands::repl::session::ReplSession;
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};

/// Sessions at the same time.
pub const SESSIONS: usize = 32;

/// What all connections share.
pub struct Server {
    /// What new sessions are copies of, and the names in it.
    base: Mutex<ReplSession>,
    names: Arc<Names>,
    sessions: Mutex<BTreeMap<String, Arc<SessionEntry>>>,
}

impl Server {
    /// A server whose sessions begin as this one.
    pub fn new(base: ReplSession) -> Self {
        let names = Arc::new(Names::of(base.session()));
        Server { base: Mutex::new(base), names, sessions: Mutex::default() }
    }

    /// A new session, of the start or a copy of another.
    ///
    /// # Errors
    /// In words, when there are too many, or its tools cannot be made.
    pub fn open(&self, of: Option<&ReplSession>, owner: &Arc<Client>) -> Result<Arc<SessionEntry>, String> {
        let session = match of {
            Some(session) => session.fork(),
            None => held(&self.base).fork(),
        };
        self.begin(session.map_err(|e| e.text())?, owner, None)
    }

    /// A new session for one input. It counts as one until that has run, and cannot be named.
    ///
    /// # Errors
    /// As [`Server::open`].
    pub fn open_for_one(self: &Arc<Self>, owner: &Arc<Client>) -> Result<Arc<SessionEntry>, String> {
        let session = held(&self.base).fork().map_err(|e| e.text())?;
        let server = self.clone();
        self.begin(session, owner, Some(Box::new(move |id| server.forget(id))))
    }

    fn begin(
        &self,
        session: ReplSession,
        owner: &Arc<Client>,
        on_end: Option<OnEnd>,
    ) -> Result<Arc<SessionEntry>, String> {
        let mut all = held(&self.sessions);
        if all.len() >= SESSIONS {
            // What nobody can see any more goes first.
            let left = all.iter().find(|(_, s)| s.is_left()).map(|(id, _)| id.clone());
            match left.and_then(|id| all.remove(&id)) {
                Some(old) => old.close(),
                None => return Err(format!("there are {SESSIONS} sessions already; close one")),
            }
        }
        let entry = SessionEntry::begin(new_id(), session, owner, on_end).map_err(|e| format!("no thread: {e}"))?;
        all.insert(entry.id().to_owned(), entry.clone());
        Ok(entry)
    }

    /// The session of this id.
    pub fn find(&self, id: &str) -> Option<Arc<SessionEntry>> {
        held(&self.sessions).get(id).filter(|s| !s.is_for_one()).cloned()
    }

    /// Makes room: a session has ended.
    fn forget(&self, id: &str) {
        held(&self.sessions).remove(id);
    }

    /// Ends a session.
    pub fn close(&self, id: &str) {
        if let Some(entry) = held(&self.sessions).remove(id) {
            entry.close();
        }
    }

    /// Ends all sessions.
    pub fn close_all(&self) {
        held(&self.sessions).values().for_each(|s| s.close());
    }

    /// The ids of all sessions that can be named.
    pub fn ids(&self) -> Vec<String> {
        held(&self.sessions).values().filter(|s| !s.is_for_one()).map(|s| s.id().to_owned()).collect()
    }

    /// The names in a session that has just begun.
    pub fn names(&self) -> Arc<Names> {
        self.names.clone()
    }
}

/// An id that nobody can guess.
fn new_id() -> String {
    let part = || RandomState::new().hash_one(0_u8);
    format!("{:016x}{:016x}", part(), part())
}
