//! Where the journals of sessions live: a trait that a database, or anything that keeps lines, implements, and the stores
//! that are here. docs/engines.md says when to use which.
//!
//! A journal is the lines of a session's trace, in order. Its store promises three things, and the agent rests on no
//! others: **one writer** at a time, a line that was **acknowledged** outlives the machine, and lines are **never changed**.

mod check;
mod damaged;
mod disk;
mod file_journal;
mod files;
#[cfg(feature = "sqlite")]
mod sqlite;

use crate::error::{Error, ErrorKind};
use crate::error_text;
use std::fmt::Debug;

pub use check::check_store;
pub(crate) use damaged::{is_damaged, is_none, parse};
pub use disk::Disk;
pub(crate) use file_journal::{FileJournal, OpenedFile};
pub use files::FileStore;
#[cfg(feature = "sqlite")]
pub use sqlite::SqliteStore;

/// Keeps the journals of sessions, each under a name ([`check_name`]).
///
/// One of your own is these five functions and a [`JournalWriter`]:
///
/// ```
/// use ptc_agent::journal_store::{JournalStore, JournalWriter, check_name, no_session, session_exists, taken_over};
/// use ptc_agent::{Agent, Error, ReplayModel, Toolbox};
/// use std::collections::{BTreeMap, btree_map::Entry};
/// use std::sync::{Arc, Mutex};
///
/// /// Lines in memory, and who writes them now: the number of the last writer.
/// type Journals = Arc<Mutex<BTreeMap<String, (Vec<String>, u64)>>>;
///
/// #[derive(Debug, Default)]
/// struct InMemory(Journals);
///
/// #[derive(Debug)]
/// struct Writer(Journals, String, u64);
///
/// impl JournalStore for InMemory {
///     fn open(&self, name: &str) -> Result<Box<dyn JournalWriter>, Error> {
///         check_name(name)?;
///         let mut all = self.0.lock().unwrap();
///         let journal = all.entry(name.to_owned()).or_default();
///         journal.1 += 1; // Whoever wrote before can no longer.
///         Ok(Box::new(Writer(self.0.clone(), name.to_owned(), journal.1)))
///     }
///     fn read(&self, name: &str) -> Result<Vec<String>, Error> {
///         self.0.lock().unwrap().get(name).map(|j| j.0.clone()).ok_or_else(|| no_session(name))
///     }
///     fn sessions(&self) -> Result<Vec<String>, Error> {
///         Ok(self.0.lock().unwrap().keys().cloned().collect())
///     }
///     fn fork(&self, name: &str, new: &str, lines: usize) -> Result<(), Error> {
///         let lines = self.read(name)?.into_iter().take(lines).collect();
///         match self.0.lock().unwrap().entry(new.to_owned()) {
///             Entry::Vacant(free) => free.insert((lines, 0)),
///             Entry::Occupied(_) => return Err(session_exists(new)),
///         };
///         Ok(())
///     }
///     fn remove(&self, name: &str) -> Result<(), Error> {
///         self.0.lock().unwrap().remove(name).map(|_| ()).ok_or_else(|| no_session(name))
///     }
/// }
///
/// impl JournalWriter for Writer {
///     fn lines(&mut self) -> Result<Vec<String>, Error> {
///         Ok(self.0.lock().unwrap()[&self.1].0.clone())
///     }
///     fn append(&mut self, line: &str) -> Result<(), Error> {
///         let mut all = self.0.lock().unwrap();
///         match all.get_mut(&self.1).filter(|j| j.1 == self.2) {
///             Some(journal) => Ok(journal.0.push(line.to_owned())),
///             None => Err(taken_over(&self.1)),
///         }
///     }
/// }
///
/// let store = InMemory::default();
/// ptc_agent::journal_store::check_store(&store)?; // Does it keep the three promises?
/// let config = || ptc_turns::Config { prompt: "What is x + 1?".into(), ..Default::default() };
/// let mut first = Agent::in_store(&store, "sums", config(), Toolbox::new())?;
/// first.step("(def x 1)", None)?;
/// let mut second = Agent::in_store(&store, "sums", config(), Toolbox::new())?; // On another machine, say.
/// assert!(first.step("(def x 2)", None).is_err());
/// let end = second.run(&mut ReplayModel::parse("replies", "## Turn 1\n(return (inc x))")?, &mut ());
/// assert_eq!((end.turns, end.value.as_deref()), (2, Some("2")));
/// # Ok::<(), Error>(())
/// ```
pub trait JournalStore: Send + Sync + Debug {
    /// Opens the journal of a session, begun if it is not there, for one writer. While that lives no other appends: a store
    /// refuses the second one here, or hands the session over and refuses the first one's next line. Where the process of
    /// a writer has died, the session opens again without anybody's help.
    ///
    /// # Errors
    /// When it is held by another, or cannot be opened.
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error>;

    /// All acknowledged lines, without line ends, whoever holds the session.
    ///
    /// # Errors
    /// When there is no such session, or it cannot be read.
    fn read(&self, session: &str) -> Result<Vec<String>, Error>;

    /// The names of all sessions, sorted.
    ///
    /// # Errors
    /// When they cannot be read.
    fn sessions(&self) -> Result<Vec<String>, Error>;

    /// Begins a session that has the first `lines` lines of another; [`lines_to_turn`] says how many those of a turn are.
    ///
    /// # Errors
    /// When the one is not there, the other is, or it cannot be written.
    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error>;

    /// Removes a session.
    ///
    /// # Errors
    /// When it is not there, is held by a writer, or cannot be removed.
    fn remove(&self, session: &str) -> Result<(), Error>;
}

/// The one writer of a session's journal, until it is dropped.
pub trait JournalWriter: Send + Debug {
    /// All lines so far, without line ends.
    ///
    /// # Errors
    /// When they cannot be read.
    fn lines(&mut self) -> Result<Vec<String>, Error>;

    /// Adds a line, given without its end. Once this has returned `Ok`, the line outlives the machine. After an error, and
    /// when another has taken the session over, it adds nothing more.
    ///
    /// # Errors
    /// When the line may not be there.
    fn append(&mut self, line: &str) -> Result<(), Error>;

    /// Whether a line must also outlive a power cut before it is acknowledged, as it must unless one says otherwise. A
    /// store that knows no difference does nothing.
    fn set_sync(&mut self, _sync: bool) {}
}

/// Whether a session can have this name in every store: 1 to 128 letters, digits, `.`, `_` and `-` of ASCII, no `.` first.
///
/// # Errors
/// When it cannot.
pub fn check_name(session: &str) -> Result<(), Error> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"._-".contains(&b);
    if (1..=128).contains(&session.len()) && session.bytes().all(fits) && !session.starts_with('.') {
        return Ok(());
    }
    let shown = ptc_lisp::escape::quoted(session);
    let words = error_text!("no session can be called {shown}"; "give 1 to 128 letters, digits, '.', '_' and '-', no '.' first");
    Err(Error::new(ErrorKind::Usage, words))
}

/// That a store has no session of this name.
pub fn no_session(session: &str) -> Error {
    let shown = ptc_lisp::escape::quoted(session);
    Error::new(ErrorKind::Usage, error_text!("there is no session {shown}"; "begin one"))
}

/// That a store has a session of this name already.
pub fn session_exists(session: &str) -> Error {
    let shown = ptc_lisp::escape::quoted(session);
    Error::new(ErrorKind::Usage, error_text!("there is a session {shown} already"; "give another name"))
}

/// That a line was refused since another writes the session now.
pub fn taken_over(session: &str) -> Error {
    let words =
        "another writer has taken this session over; nothing more is written here, and what that one wrote stands";
    Error::new(ErrorKind::Trace, words).at(session)
}

/// How many lines a session has up to and with this turn: what [`JournalStore::fork`] takes.
///
/// # Errors
/// When it has no such turn.
pub fn lines_to_turn(lines: &[String], turn: u64) -> Result<usize, Error> {
    let at = lines.iter().position(|line| {
        let record = serde_json::from_str::<ptc_turns::TurnRecord>(line);
        record.is_ok_and(|record| record.turn == turn)
    });
    let words = || error_text!("there is no turn {turn}"; "give one that the session has");
    at.map(|at| at.saturating_add(1)).ok_or_else(|| Error::new(ErrorKind::Usage, words()))
}

/// The lines of a text.
fn split(bytes: &[u8]) -> Result<Vec<String>, Error> {
    let text = std::str::from_utf8(bytes).map_err(|e| Error::new(ErrorKind::Trace, "it is no UTF-8").with_source(e))?;
    Ok(text.lines().filter(|l| !l.trim().is_empty()).map(str::to_owned).collect())
}
