//! The store: its tables, its locks, and who may write a session.

use crate::connection::{Connection, failed, outside_runtime};
use crate::writer::{PostgresWriter, lines};
use postgres::{Client, Config, NoTls};
use ptc_agent::journal_store::{JournalStore, JournalWriter, check_name, no_session, session_exists};
use ptc_agent::{Error, ErrorKind, error_text};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

const TABLES: &str = "
CREATE SCHEMA IF NOT EXISTS ptc;
CREATE TABLE IF NOT EXISTS ptc.session(name text COLLATE \"C\" PRIMARY KEY, writer bigint NOT NULL DEFAULT 0);
CREATE TABLE IF NOT EXISTS ptc.line(
    session text COLLATE \"C\" NOT NULL REFERENCES ptc.session(name) ON DELETE CASCADE,
    n bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (session, n)
);";

/// The key of a session's advisory lock. Others who take locks in this database take other numbers.
const KEY: &str = "hashtextextended('ptc.line/' || $1, 0)";

/// How long the lock of a writer that has just died is waited for.
const PASSING: Duration = Duration::from_millis(500);
/// How long the server may take to end a writer that is taken over from.
const ENDING: Duration = Duration::from_secs(10);

type Connect = Arc<dyn Fn() -> Result<Client, postgres::Error> + Send + Sync>;

/// Journals in PostgreSQL, for any number of machines.
///
/// A second writer is refused while the first one's connection lives ([`JournalStore::open`]), or takes the session over
/// ([`PostgresStore::take_over`]): the first one's connection is ended, and its next line is refused, since the number of the
/// writer stands in `session`, and only its own lines are added.
#[derive(Clone)]
pub struct PostgresStore {
    connect: Connect,
    /// Between the calls that write no session.
    spare: Arc<Mutex<Option<Connection>>>,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PostgresStore")
    }
}

impl PostgresStore {
    /// The server that this names, as `host=... user=...` or `postgresql://...`, without TLS. Its tables are made where they
    /// are not there.
    ///
    /// # Errors
    /// When it cannot be reached, or the tables cannot be made.
    pub fn connect(server: &str) -> Result<Self, Error> {
        let mut config: Config = server.parse().map_err(failed)?;
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(10));
        }
        // A server that is gone without a word is noticed, and not waited for.
        config.keepalives_idle(Duration::from_secs(10)).tcp_user_timeout(Duration::from_secs(30));
        Self::connect_with(move || config.connect(NoTls))
    }

    /// The server that this function connects to: with TLS of your choice, say.
    ///
    /// # Errors
    /// As [`PostgresStore::connect`].
    pub fn connect_with(
        connect: impl Fn() -> Result<Client, postgres::Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let store = PostgresStore { connect: Arc::new(connect), spare: Arc::default() };
        store.with(|client| {
            let mut all = client.transaction()?;
            // Two that make them at once would be in each other's way.
            all.execute("SELECT pg_advisory_xact_lock(hashtextextended('ptc.tables', 0))", &[])?;
            all.batch_execute(TABLES)?;
            all.commit()
        })?;
        Ok(store)
    }

    /// Opens a session whoever holds it: the connection of its writer is ended, and that one adds nothing more. For one
    /// who knows that the other is cut off, and will not wait until the server notices. A call of a tool that the other has in
    /// flight is not ended by it.
    ///
    /// # Errors
    /// When the session cannot be opened, or the server may not end the other's connection.
    pub fn take_over(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        check_name(session)?;
        let mut connection = self.open_connection()?;
        let end = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_locks
             WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid <> pg_backend_pid()
             AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
             AND (classid::bigint << 32) | objid::bigint = {KEY}"
        );
        connection.with(|client| client.query(&end, &[&session]))?;
        if !hold(&mut connection, session, ENDING)? {
            return Err(held(session));
        }
        writer(connection, session)
    }

    fn open_connection(&self) -> Result<Connection, Error> {
        let client = outside_runtime(|| (self.connect)())?.map_err(failed)?;
        let mut connection = Connection::new(client);
        connection.with(|client| {
            // A line is acknowledged when it is on the disk, whatever the server's configuration says; and a machine that has
            // vanished holds its sessions for 20 seconds.
            client.batch_execute(
                "SET synchronous_commit = on; SET tcp_keepalives_idle = 5;
                 SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3",
            )
        })?;
        Ok(connection)
    }

    /// Does something by the connection that writes no session. One that has failed is not used again.
    fn with<T: Send>(&self, work: impl FnOnce(&mut Client) -> Result<T, postgres::Error> + Send) -> Result<T, Error> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut connection = match spare.map(alive) {
            Some(Some(connection)) => connection,
            _ => self.open_connection()?,
        };
        let done = connection.with(work)?;
        *self.spare.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
        Ok(done)
    }
}

impl JournalStore for PostgresStore {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        check_name(session)?;
        let mut connection = self.open_connection()?;
        if !hold(&mut connection, session, PASSING)? {
            return Err(held(session));
        }
        writer(connection, session)
    }

    fn read(&self, session: &str) -> Result<Vec<String>, Error> {
        let found = self.with(|client| {
            let there = client.query_opt("SELECT 1 FROM ptc.session WHERE name = $1", &[&session])?;
            there.map(|_| lines(client, session)).transpose()
        })?;
        found.ok_or_else(|| no_session(session))
    }

    fn sessions(&self) -> Result<Vec<String>, Error> {
        let rows = self.with(|client| client.query("SELECT name FROM ptc.session ORDER BY name", &[]))?;
        rows.iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error> {
        check_name(new)?;
        let most = i64::try_from(lines).unwrap_or(i64::MAX);
        let (there, free) = self.with(|client| {
            let mut all = client.transaction()?;
            let there = all.query_opt("SELECT 1 FROM ptc.session WHERE name = $1", &[&session])?.is_some();
            let begin = "INSERT INTO ptc.session(name) VALUES ($1) ON CONFLICT DO NOTHING";
            let free = there && all.execute(begin, &[&new])? == 1;
            if free {
                let copy = "INSERT INTO ptc.line SELECT $2, n, text FROM ptc.line WHERE session = $1 AND n <= $3";
                all.execute(copy, &[&session, &new, &most])?;
                all.commit()?;
            }
            Ok((there, free))
        })?;
        match (there, free) {
            (false, _) => Err(no_session(session)),
            (true, false) => Err(session_exists(new)),
            (true, true) => Ok(()),
        }
    }

    fn remove(&self, session: &str) -> Result<(), Error> {
        let mut connection = self.open_connection()?;
        if !hold(&mut connection, session, PASSING)? {
            return Err(held(session));
        }
        let delete = "DELETE FROM ptc.session WHERE name = $1";
        match connection.with(|client| client.execute(delete, &[&session]))? {
            0 => Err(no_session(session)),
            _ => Ok(()),
        }
    }
}

fn alive(mut connection: Connection) -> Option<Connection> {
    connection.with(|client| client.simple_query("")).is_ok().then_some(connection)
}

/// Takes the lock of a session for as long as the connection lives; false when another has it for so long.
fn hold(connection: &mut Connection, session: &str, wait: Duration) -> Result<bool, Error> {
    let until = Instant::now().checked_add(wait);
    let take = format!("SELECT pg_try_advisory_lock({KEY})");
    loop {
        let taken = connection.with(|client| client.query_one(&take, &[&session])?.try_get::<_, bool>(0))?;
        if taken || until.is_none_or(|until| Instant::now() >= until) {
            return Ok(taken);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Makes whoever holds the lock the writer: lines of one before are refused from here on.
fn writer(mut connection: Connection, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
    let next = "INSERT INTO ptc.session(name, writer) VALUES ($1, 1)
                ON CONFLICT (name) DO UPDATE SET writer = ptc.session.writer + 1 RETURNING writer";
    let last = "SELECT coalesce(max(n), 0) FROM ptc.line WHERE session = $1";
    let (number, last) = connection.with(|client| {
        let number = client.query_one(next, &[&session])?.try_get::<_, i64>(0)?;
        Ok((number, client.query_one(last, &[&session])?.try_get::<_, i64>(0)?))
    })?;
    Ok(Box::new(PostgresWriter::new(connection, session, number, last)?))
}

fn held(session: &str) -> Error {
    let words =
        error_text!("another process is writing this session"; "wait for it, name another session, or take it over");
    Error::new(ErrorKind::Trace, words).at(session)
}
