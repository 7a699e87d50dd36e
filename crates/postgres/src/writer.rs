//! The writer of a session: adds lines under its number, and stops when another has taken the session over.

use crate::connection::Connection;
use postgres::{Client, Statement};
use ptc_agent::journal_store::{JournalWriter, taken_over};
use ptc_agent::{Error, ErrorKind};

/// One row, or none: where another is the writer now, or has added this line.
const ADD: &str = "INSERT INTO ptc.line(session, n, text)
    SELECT name, $3, $4 FROM ptc.session WHERE name = $1 AND writer = $2 ON CONFLICT DO NOTHING";

#[derive(Debug)]
pub(crate) struct PostgresWriter {
    connection: Connection,
    session: String,
    add: Add,
    /// Which writer of the session this is.
    number: i64,
    /// The number of the last line.
    last: i64,
    /// A line may not be there: none comes after it.
    failed: bool,
}

/// A statement that the server has prepared.
struct Add(Statement);

impl std::fmt::Debug for Add {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Add")
    }
}

impl PostgresWriter {
    pub(crate) fn new(mut connection: Connection, session: &str, number: i64, last: i64) -> Result<Self, Error> {
        let add = Add(connection.with(|client| client.prepare(ADD))?);
        Ok(PostgresWriter { connection, session: session.to_owned(), add, number, last, failed: false })
    }
}

impl JournalWriter for PostgresWriter {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        let session = &self.session;
        self.connection.with(|client| lines(client, session))
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        if self.failed {
            let words = "a line could not be added before; open the session again";
            return Err(Error::new(ErrorKind::Trace, words).at(&self.session));
        }
        let n = self.last.saturating_add(1);
        let (add, session, number) = (&self.add.0, &self.session, self.number);
        let added = self.connection.with(|client| client.execute(add, &[session, &number, &n, &line]));
        match added {
            Ok(1) => {
                self.last = n;
                return Ok(());
            }
            // A connection that was ended is as good as a row that was not added: another has the session, or will.
            other => {
                self.failed = true;
                other.map_err(|e| e.at(&self.session))?;
            }
        }
        Err(taken_over(&self.session))
    }

    fn set_sync(&mut self, sync: bool) {
        let set = if sync { "SET synchronous_commit = on" } else { "SET synchronous_commit = off" };
        // Where it cannot be changed, lines are synced as before.
        let _ = self.connection.with(|client| client.batch_execute(set));
    }
}

/// All lines of a session, in order.
pub(crate) fn lines(client: &mut Client, session: &str) -> Result<Vec<String>, postgres::Error> {
    let rows = client.query("SELECT text FROM ptc.line WHERE session = $1 ORDER BY n", &[&session])?;
    rows.iter().map(|row| row.try_get(0)).collect()
}
