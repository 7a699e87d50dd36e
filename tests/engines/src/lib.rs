//! What the program and the tests share: stores by their names, a session that leaves traces of all it does, a store that
//! kills its process.

pub mod bench;
pub mod kills;
pub mod million;
pub mod restate;
pub mod session;

use ptc_agent::Error;
use ptc_agent::journal_store::{FileStore, JournalStore, SqliteStore};
use ptc_postgres::PostgresStore;

/// The store that this names: `files:FOLDER`, `sqlite:FILE` or `postgres:SERVER`.
///
/// # Errors
/// When there is no such kind, or its server cannot be reached.
pub fn store(name: &str) -> Result<Box<dyn JournalStore>, Error> {
    match name.split_once(':') {
        Some(("files", folder)) => Ok(Box::new(FileStore::new(folder))),
        Some(("sqlite", file)) => Ok(Box::new(SqliteStore::new(file))),
        Some(("postgres", server)) => Ok(Box::new(PostgresStore::connect(server)?)),
        _ => Err(Error::new(
            ptc_agent::ErrorKind::Usage,
            "no such store; give files:FOLDER, sqlite:FILE or postgres:SERVER",
        )),
    }
}
