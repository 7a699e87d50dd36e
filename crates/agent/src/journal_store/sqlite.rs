//! Journals in a SQLite database: one file for all sessions of a machine.

use super::disk::OnDisk;
use super::{JournalStore, JournalWriter, check_name, no_session, session_exists};
use crate::error::{Error, ErrorKind};
use crate::error_text;
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a connection waits for the others of a database.
const BUSY: Duration = Duration::from_secs(30);

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS session(name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS line(
    session TEXT NOT NULL REFERENCES session(name) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (session, n)
);";

/// Journals in a SQLite database, for one machine: `session(name)` and `line(session, n, text)`.
///
/// Its writer holds the lock of a file of its session in the folder `DATABASE-writers`: the system gives that up with the
/// process, so the next one opens at once, and a second one is refused while the first lives. Where a file system has no
/// locks, the key `(session, n)` still lets one of two writers add a line, and the other stops.
///
/// ```
/// use ptc_agent::journal_store::SqliteStore;
/// use ptc_agent::{Agent, ReplayModel, Toolbox};
/// use ptc_turns::Config;
///
/// # let folder = std::env::temp_dir().join(format!("ptc-doc-sqlite-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let store = SqliteStore::new(folder.join("sessions.db"));
/// let config = || Config { prompt: "What is x + 1?".into(), ..Config::default() };
/// Agent::in_store(&store, "sums", config(), Toolbox::new())?.step("(def x 1)", None)?; // and the process ends
/// let mut agent = Agent::in_store(&store, "sums", config(), Toolbox::new())?;
/// let end = agent.run(&mut ReplayModel::parse("replies", "## Turn 1\n(return (inc x))")?, &mut ());
/// assert_eq!((end.turns, end.value.as_deref()), (2, Some("2")));
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SqliteStore {
    path: PathBuf,
}

impl SqliteStore {
    /// Journals in this database, which is made with the first one.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        SqliteStore { path: path.into() }
    }

    fn connect(&self) -> Result<Connection, Error> {
        let connection = Connection::open(&self.path).map_err(|e| failed(&self.path, e))?;
        let prepare = || -> rusqlite::Result<()> {
            connection.busy_timeout(BUSY)?;
            connection.pragma_update(None, "journal_mode", "WAL")?;
            // Each commit is on the disk before it is acknowledged.
            connection.pragma_update(None, "synchronous", "FULL")?;
            connection.pragma_update(None, "foreign_keys", true)?;
            connection.execute_batch(TABLES)
        };
        prepare().map_err(|e| failed(&self.path, e))?;
        Ok(connection)
    }

    /// Holds the lock of a session's writer.
    fn hold(&self, session: &str) -> Result<OnDisk, Error> {
        check_name(session)?;
        let mut folder = self.path.clone().into_os_string();
        folder.push("-writers");
        let folder = PathBuf::from(folder);
        std::fs::create_dir_all(&folder).map_err(|e| Error::io(&folder, "make", &e))?;
        OnDisk::open(&folder.join(session), || false)
    }

    fn with<T>(&self, work: impl FnOnce(&Transaction<'_>) -> Result<T, Error>) -> Result<T, Error> {
        let mut connection = self.connect()?;
        let failed = |e| failed(&self.path, e);
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(failed)?;
        let done = work(&transaction)?;
        transaction.commit().map_err(failed)?;
        Ok(done)
    }
}

impl JournalStore for SqliteStore {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        let held = self.hold(session)?;
        let connection = self.connect()?;
        let failed = |e| failed(&self.path, e);
        connection.execute("INSERT OR IGNORE INTO session(name) VALUES (?1)", [session]).map_err(failed)?;
        let (name, path) = (session.to_owned(), self.path.clone());
        let last = last(&connection, session).map_err(failed)?;
        Ok(Box::new(SqliteJournal { connection, name, path, last, failed: false, _held: held }))
    }

    fn read(&self, session: &str) -> Result<Vec<String>, Error> {
        let connection = self.connect()?;
        let failed = |e| failed(&self.path, e);
        if !there(&connection, session).map_err(failed)? {
            return Err(no_session(session));
        }
        lines(&connection, session).map_err(failed)
    }

    fn sessions(&self) -> Result<Vec<String>, Error> {
        let connection = self.connect()?;
        let names = || -> rusqlite::Result<Vec<String>> {
            connection.prepare("SELECT name FROM session ORDER BY name")?.query_map([], |row| row.get(0))?.collect()
        };
        names().map_err(|e| failed(&self.path, e))
    }

    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error> {
        check_name(new)?;
        let failed = |e| failed(&self.path, e);
        self.with(|all| {
            match (there(all, session).map_err(failed)?, there(all, new).map_err(failed)?) {
                (false, _) => return Err(no_session(session)),
                (_, true) => return Err(session_exists(new)),
                (true, false) => {}
            }
            let most = i64::try_from(lines).unwrap_or(i64::MAX);
            all.execute("INSERT INTO session(name) VALUES (?1)", [new])
                .and_then(|_| {
                    let copy = "INSERT INTO line SELECT ?2, n, text FROM line WHERE session = ?1 AND n <= ?3";
                    all.execute(copy, params![session, new, most])
                })
                .map_err(failed)?;
            Ok(())
        })
    }

    fn remove(&self, session: &str) -> Result<(), Error> {
        let _held = self.hold(session)?;
        self.with(|all| {
            let removed = all.execute("DELETE FROM session WHERE name = ?1", [session]);
            match removed.map_err(|e| failed(&self.path, e))? {
                0 => Err(no_session(session)),
                _ => Ok(()),
            }
        })
    }
}

/// The writer of a session.
#[derive(Debug)]
struct SqliteJournal {
    connection: Connection,
    name: String,
    path: PathBuf,
    /// The number of the last line.
    last: i64,
    /// A line could not be added: none comes after it.
    failed: bool,
    _held: OnDisk,
}

impl JournalWriter for SqliteJournal {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        lines(&self.connection, &self.name).map_err(|e| failed(&self.path, e))
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        if self.failed {
            let words = "a line could not be added before; open the session again";
            return Err(Error::new(ErrorKind::Trace, words).at(&self.name));
        }
        let n = self.last.saturating_add(1);
        let insert = "INSERT INTO line(session, n, text) SELECT name, ?2, ?3 FROM session WHERE name = ?1
                      ON CONFLICT DO NOTHING";
        let add = || self.connection.prepare_cached(insert)?.execute(params![self.name, n, line]);
        match add() {
            Ok(1) => {
                self.last = n;
                Ok(())
            }
            Ok(_) => {
                self.failed = true;
                Err(super::taken_over(&self.name))
            }
            Err(e) => {
                self.failed = true;
                Err(failed(&self.path, e))
            }
        }
    }

    fn set_sync(&mut self, sync: bool) {
        // Where it cannot be changed, lines are synced as before.
        let _ = self.connection.pragma_update(None, "synchronous", if sync { "FULL" } else { "NORMAL" });
    }
}

fn there(all: &Connection, session: &str) -> rusqlite::Result<bool> {
    Ok(all.query_row("SELECT 1 FROM session WHERE name = ?1", [session], |_| Ok(())).optional()?.is_some())
}

fn last(all: &Connection, session: &str) -> rusqlite::Result<i64> {
    all.query_row("SELECT coalesce(max(n), 0) FROM line WHERE session = ?1", [session], |row| row.get(0))
}

fn lines(all: &Connection, session: &str) -> rusqlite::Result<Vec<String>> {
    let mut found = all.prepare("SELECT text FROM line WHERE session = ?1 ORDER BY n")?;
    found.query_map([session], |row| row.get(0))?.collect()
}

fn failed(path: &Path, e: rusqlite::Error) -> Error {
    let words = error_text!("the database cannot be used: {e}"; "is it SQLite, and may this process write there?");
    Error::new(ErrorKind::Trace, words).at(&path.display().to_string()).with_source(e)
}
