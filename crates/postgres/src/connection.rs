//! A connection that may be used wherever threads may block, in a runtime of tokio too.

use postgres::Client;
use ptc_agent::{Error, ErrorKind, error_text};
use std::fmt;

/// A connection to the server, closed when it is dropped.
pub(crate) struct Connection(Option<Client>);

impl Connection {
    pub(crate) fn new(client: Client) -> Self {
        Connection(Some(client))
    }

    /// Does something with the server.
    pub(crate) fn with<T: Send>(
        &mut self,
        work: impl FnOnce(&mut Client) -> Result<T, postgres::Error> + Send,
    ) -> Result<T, Error> {
        let Some(client) = &mut self.0 else { return Err(Error::new(ErrorKind::Trace, "the connection is closed")) };
        outside_runtime(|| work(client)).and_then(|done| done.map_err(failed))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let client = self.0.take();
        let _ = outside_runtime(|| drop(client));
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connection")
    }
}

/// The client has a runtime of its own, and that may not be entered from inside another one.
pub(crate) fn outside_runtime<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if tokio::runtime::Handle::try_current().is_err() {
        return Ok(work());
    }
    let ended = std::thread::scope(|all| all.spawn(work).join());
    ended.map_err(|_| Error::new(ErrorKind::Trace, "the client of PostgreSQL has panicked"))
}

/// What the server or the connection said.
pub(crate) fn failed(e: postgres::Error) -> Error {
    let words = match e.as_db_error() {
        Some(said) => format!("PostgreSQL: {}", said.message()),
        None => match std::error::Error::source(&e) {
            Some(source) => format!("PostgreSQL: {e}: {source}"),
            None => format!("PostgreSQL: {e}"),
        },
    };
    Error::new(ErrorKind::Trace, error_text!("{words}"; "does the server run, and may this user write there?"))
        .with_source(e)
}
