//! An agent whose session lives in a store of journals.

use crate::agent::Agent;
use crate::error::Error;
use crate::journal_store::{JournalStore, JournalWriter};
use crate::task;
use crate::tools::toolbox::Toolbox;
use crate::trace_file::TraceFile;
use ptc_turns::{Config, Session};

impl Agent {
    /// An agent that keeps its session in a store under this name. A session that is there is gone on with: then only the
    /// values of inputs are taken from `config`, the rest is what the session was begun with.
    ///
    /// # Errors
    /// When the session cannot be opened, is held by another, or cannot go on.
    pub fn in_store(store: &dyn JournalStore, session: &str, config: Config, tools: Toolbox) -> Result<Self, Error> {
        Self::with_journal(store.open(session)?, session, config, tools)
    }

    /// The same for a journal that is open: its writer may be a store's, or be given by an engine. `name` is what the session is
    /// called.
    ///
    /// # Errors
    /// When its lines cannot be read, or the session cannot go on.
    pub fn with_journal(
        journal: Box<dyn JournalWriter>,
        name: &str,
        config: Config,
        tools: Toolbox,
    ) -> Result<Self, Error> {
        let mut opened = TraceFile::of(journal, name)?;
        let session = match opened.trace {
            Some(trace) => task::restore(trace, config.inputs.into_iter().map(|i| (i.name, i.value)).collect())?,
            None => {
                let session = Session::new(config);
                opened.store.begin(&session.trace().header)?;
                session
            }
        };
        Ok(Agent::new(session, tools).with_trace_file(opened.store))
    }
}
