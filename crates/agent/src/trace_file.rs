//! The trace of a session as it is kept: a line a turn, and of a turn that runs a line for each thing that is known of it,
//! appended and acknowledged; one writer at a time. In a file, or in a store of journals.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{MemoryEstimate, check_memory, read_estimated};
pub use crate::journal_store::Disk;
use crate::journal_store::{FileJournal, JournalStore, JournalWriter, OpenedFile, is_damaged, is_none, parse};
use ptc_turns::trace::{Loaded, Trace, TruncatedLine, line};
use ptc_turns::{Act, Called, Header, JournalEntry, RunEnded, TurnRecord};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// The trace of a session, held for writing: in a file, or in a [`JournalStore`]. Others wait, or are told, until it is
/// dropped.
///
/// ```
/// use ptc_agent::{Agent, ReplayModel, Toolbox, TraceFile};
/// use ptc_turns::{Config, Session};
///
/// # let path = std::env::temp_dir().join(format!("ptc-doc-{}.jsonl", std::process::id()));
/// # let _ = std::fs::remove_file(&path);
/// let replies = "## Turn 1\n(def x 1)\n## Turn 2\n(return (inc x))";
/// let open = || -> Result<Agent, Box<dyn std::error::Error>> {
///     let mut opened = TraceFile::open(&path, || false)?; // false: do not wait for another process
///     let session = match opened.trace {
///         Some(trace) => Session::from_trace(trace, Vec::new())?,
///         None => {
///             let session = Session::new(Config { prompt: "What is x + 1?".into(), ..Config::default() });
///             opened.store.begin(&session.trace().header)?;
///             session
///         }
///     };
///     Ok(Agent::new(session, Toolbox::new()).with_trace_file(opened.store))
/// };
/// open()?.step("(def x 1)", None)?; // and the process ends
/// let end = open()?.run(&mut ReplayModel::parse("replies", "## Turn 1\n(return (inc x))")?, &mut ());
/// assert_eq!((end.turns, end.value.as_deref()), (2, Some("2")));
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TraceFile {
    journal: Box<dyn JournalWriter>,
}

/// A trace as it was found.
#[derive(Debug)]
#[non_exhaustive]
pub struct OpenedTrace {
    /// Where to append.
    pub store: TraceFile,
    /// The session it holds; `None` when it is new or empty.
    pub trace: Option<Trace>,
    /// Its last line, when its writing was interrupted; the next turn takes its place.
    pub torn: Option<TruncatedLine>,
}

impl From<OpenedFile> for OpenedTrace {
    fn from(OpenedFile { journal, trace, torn }: OpenedFile) -> Self {
        OpenedTrace { store: TraceFile { journal: Box::new(journal) }, trace, torn }
    }
}

impl TraceFile {
    /// Opens a trace file, made if need be, and holds it. When another process does, `busy` is asked whether to wait.
    ///
    /// # Errors
    /// When it cannot be opened, is held and not waited for, or is no trace.
    pub fn open(path: &Path, busy: impl FnOnce() -> bool) -> Result<OpenedTrace, Error> {
        Ok(FileJournal::open(path, busy)?.into())
    }

    /// The same with what `keep` leaves of its turns, as [`read_kept`].
    ///
    /// # Errors
    /// As [`TraceFile::open`].
    pub fn open_kept(
        path: &Path,
        busy: impl FnOnce() -> bool,
        keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
    ) -> Result<OpenedTrace, Error> {
        Ok(FileJournal::open_kept(path, busy, keep)?.into())
    }

    /// Continues with what stands there; `path` is what it is called.
    ///
    /// # Errors
    /// When it cannot be read, or is no trace.
    pub fn on(disk: Box<dyn Disk>, path: &Path) -> Result<OpenedTrace, Error> {
        Ok(FileJournal::on(disk, path)?.into())
    }

    /// Opens a session of a store, begun if it is not there.
    ///
    /// # Errors
    /// When it cannot be opened, is held by another, or its lines are no trace.
    pub fn in_store(store: &dyn JournalStore, session: &str) -> Result<OpenedTrace, Error> {
        Self::of(store.open(session)?, session)
    }

    /// Continues with the lines of a writer that is open; `name` is what its session is called.
    ///
    /// # Errors
    /// When they cannot be read, or are no trace.
    pub fn of(mut journal: Box<dyn JournalWriter>, name: &str) -> Result<OpenedTrace, Error> {
        let text: String = journal.lines()?.into_iter().flat_map(|line| [line, "\n".to_owned()]).collect();
        check_memory(text.as_bytes(), MemoryEstimate::TRACE, name)?;
        let trace = match text.is_empty() {
            true => None,
            false => Some(Trace::parse(text.as_bytes()).map_err(|e| {
                let message = ptc_lisp::escape::line(&e.message).to_string();
                Error::new(ErrorKind::Trace, message).at(name)
            })?),
        };
        // Lines of a store are whole.
        if let Some(TruncatedLine { line, .. }) = trace.as_ref().and_then(|t| t.torn.as_ref()) {
            let words = error_text!("trace line {line} is not whole"; "its store has lost a part of it");
            return Err(Error::new(ErrorKind::Trace, words).at(name));
        }
        Ok(OpenedTrace { store: TraceFile { journal }, trace: trace.map(|t| t.trace), torn: None })
    }

    /// Whether each line is also forced to the disk before it counts as kept, so that it outlives a power cut and not
    /// only this process. It is, unless one says otherwise.
    #[must_use]
    pub fn sync(mut self, sync: bool) -> Self {
        self.journal.set_sync(sync);
        self
    }

    /// Writes the first line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(&mut self, header: &Header) -> Result<(), Error> {
        self.write(line(header))
    }

    /// Adds a turn: once this has returned, the turn outlives the process.
    ///
    /// # Errors
    /// When it cannot be written; what the file held before is still there.
    pub fn append(&mut self, turn: &TurnRecord) -> Result<(), Error> {
        self.write(line(turn))
    }

    /// Adds an act that begins, as [`TraceFile::append`] adds a turn.
    ///
    /// # Errors
    /// As there.
    pub fn append_act(&mut self, act: &Act) -> Result<(), Error> {
        self.write(line(act))
    }

    /// Adds a call that was made for an act which has not begun, as [`TraceFile::append`] adds a turn.
    ///
    /// # Errors
    /// As there.
    pub fn append_called(&mut self, called: &Called) -> Result<(), Error> {
        self.write(line(called))
    }

    /// Adds a line of the journal: what it says outlives the process from here on.
    ///
    /// # Errors
    /// As there.
    pub fn append_entry(&mut self, entry: &JournalEntry) -> Result<(), Error> {
        self.write(line(entry))
    }

    /// Adds how the run ended, as [`TraceFile::append`] adds a turn.
    ///
    /// # Errors
    /// As there.
    pub fn append_run_ended(&mut self, how: &RunEnded) -> Result<(), Error> {
        self.write(line(how))
    }

    /// One that every write to fails.
    #[cfg(test)]
    pub(crate) fn closed(path: &Path) -> std::io::Result<Self> {
        Ok(TraceFile { journal: Box::new(FileJournal::closed(path)?) })
    }

    fn write(&mut self, text: String) -> Result<(), Error> {
        self.journal.append(text.strip_suffix('\n').unwrap_or(&text))
    }
}

/// Reads a trace that is only looked at.
///
/// # Errors
/// When it cannot be read, or is no trace.
pub fn read(path: &Path) -> Result<Loaded, Error> {
    parse(path, &bytes(path)?)
}

/// Reads what stands in a trace before the first line that cannot be read, and says which line that is and what to do.
///
/// # Errors
/// When the file cannot be read, or its first line.
pub fn read_undamaged(path: &Path) -> Result<(Loaded, Option<Error>), Error> {
    match Trace::parse_undamaged(&bytes(path)?) {
        Ok((loaded, damaged)) => {
            let damaged = damaged.map(|d| is_damaged(path, &d, &loaded.trace));
            Ok((loaded, damaged))
        }
        Err(damaged) => Err(is_none(path, &damaged)),
    }
}

/// Reads a trace that is only looked at, line by line: of each turn what `keep` leaves of it is held, so a long trace takes
/// no more memory than that and its longest line.
///
/// # Errors
/// As [`read`].
pub fn read_kept(path: &Path, keep: &mut dyn FnMut(TurnRecord) -> TurnRecord) -> Result<Loaded, Error> {
    match read_undamaged_kept(path, keep)? {
        (loaded, None) => Ok(loaded),
        (_, Some(damaged)) => Err(damaged),
    }
}

/// The same of what stands before the first line that cannot be read, as [`read_undamaged`].
///
/// # Errors
/// As there.
pub fn read_undamaged_kept(
    path: &Path,
    keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
) -> Result<(Loaded, Option<Error>), Error> {
    let mut file = lines(path)?;
    if file.fill_buf().map_err(|e| Error::io(path, "read", &e))?.is_empty() {
        return Err(is_empty(path));
    }
    match Trace::read_undamaged(&mut file, keep).map_err(|e| Error::io(path, "read", &e))? {
        Ok((loaded, damaged)) => {
            let damaged = damaged.map(|d| is_damaged(path, &d, &loaded.trace));
            Ok((loaded, damaged))
        }
        Err(damaged) => Err(is_none(path, &damaged)),
    }
}

/// The turns of a trace, one after the other: only one of them is in memory.
#[derive(Debug)]
pub struct TurnReader {
    file: BufReader<File>,
    path: PathBuf,
    line: Vec<u8>,
    /// Bytes of lines that are whole; what is written behind them is read later.
    left: u64,
}

impl TurnReader {
    /// Of a trace, as long as it is now.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = lines(path)?;
        let left = file.get_ref().metadata().map_err(|e| Error::io(path, "read", &e))?.len();
        Ok(TurnReader { file, path: path.to_owned(), line: Vec::new(), left })
    }

    fn next_turn<T: DeserializeOwned>(&mut self) -> std::io::Result<Option<T>> {
        loop {
            self.line.clear();
            let read = (&mut self.file).take(self.left).read_until(b'\n', &mut self.line)?;
            self.left = self.left.saturating_sub(read as u64);
            if read == 0 {
                return Ok(None);
            }
            // A turn's line begins with its number; others, and a last one that is torn, are none.
            if self.line.starts_with(b"{\"turn\":")
                && let Ok(turn) = serde_json::from_slice(&self.line)
            {
                return Ok(Some(turn));
            }
        }
    }
}

impl Iterator for TurnReader {
    type Item = Result<TurnRecord, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_turn().map_err(|e| Error::io(&self.path, "read", &e)).transpose()
    }
}

/// The lines of the turns of a trace.
pub(crate) fn turn_lines(path: &Path) -> Result<Vec<Box<RawValue>>, Error> {
    let mut turns = TurnReader::open(path)?;
    let mut all = Vec::new();
    while let Some(line) = turns.next_turn().map_err(|e| Error::io(path, "read", &e))? {
        all.push(line);
    }
    Ok(all)
}

fn lines(path: &Path) -> Result<BufReader<File>, Error> {
    crate::files::check_file(path)?;
    Ok(BufReader::with_capacity(64 << 10, File::open(path).map_err(|e| Error::io(path, "read", &e))?))
}

fn is_empty(path: &Path) -> Error {
    let words = error_text!("the file is empty"; "a trace starts with `ptc run TASK --trace FILE`");
    Error::new(ErrorKind::Trace, words).at(&path.display().to_string())
}

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = read_estimated(path, MemoryEstimate::TRACE)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(is_empty(path));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("ptc-store-{}-{name}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        path
    }

    fn no() -> bool {
        false
    }

    #[test]
    fn lines_are_appended_and_come_back() {
        let path = file("a");
        let mut opened = TraceFile::open(&path, no).unwrap();
        assert!(opened.trace.is_none());
        opened.store.begin(&Header::new("s", "p", 5)).unwrap();
        opened.store.append(&TurnRecord::empty(1)).unwrap();
        assert!(TraceFile::open(&path, no).unwrap_err().to_string().contains("another process is writing"));
        drop(opened);
        let mut opened = TraceFile::open(&path, no).unwrap();
        assert_eq!((opened.trace.unwrap().turns().len(), opened.torn), (1, None));
        opened.store.append(&TurnRecord::empty(2)).unwrap();
        drop(opened.store);
        assert_eq!(read(&path).unwrap().trace.turns().len(), 2);
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_lock_that_passes_is_waited_for() {
        let path = file("e");
        let held = File::create(&path).unwrap();
        held.lock().unwrap();
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(50));
            drop(held);
        });
        assert!(TraceFile::open(&path, no).unwrap().trace.is_none());
        other.join().unwrap();
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_torn_line_is_told_and_gives_its_place_to_the_next() {
        let path = file("b");
        let mut trace = Trace::new(Header::new("s", "p", 5));
        trace.push(TurnRecord::empty(1));
        let whole = trace.to_text();
        for tail in ["{\"turn\":2,\"prog", "{\"turn\":2,\"prog\n", ""] {
            std::fs::write(&path, format!("{}{tail}", whole.trim_end_matches(if tail.is_empty() { "\n" } else { "" })))
                .unwrap();
            let mut opened = TraceFile::open(&path, no).unwrap();
            assert_eq!(opened.torn.is_some(), !tail.is_empty());
            opened.store.append(&TurnRecord::empty(2)).unwrap();
            drop(opened.store);
            let text = std::fs::read_to_string(&path).unwrap();
            assert!(text.starts_with(&whole) && text.lines().count() == 3, "{text}");
            assert_eq!(read(&path).unwrap().torn, None);
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        let path = file("c");
        std::fs::write(&path, "hello\n").unwrap();
        assert!(TraceFile::open(&path, no).unwrap_err().to_string().contains("trace line 1"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "hello\n");
        std::fs::write(&path, "").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("the file is empty"));
        std::fs::remove_file(&path).unwrap();
    }
}
