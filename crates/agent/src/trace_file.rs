//! The trace on disk: a line a turn, and of a turn that runs a line for each thing that is known of it, appended and forced
//! to the disk; one process at a time.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::files::MemoryEstimate;
use crate::files::{MAX_BYTES, check_memory, check_writable, read_estimated, read_text, read_to_end_within};
use ptc_turns::trace::{DamagedLine, Loaded, Trace, TruncatedLine, line};
use ptc_turns::{Act, Called, Header, JournalEntry, RunEnded, TurnRecord};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a trace is kept in: a file, or something that takes bytes as a file does.
pub trait Disk: Send + std::fmt::Debug {
    /// All that it holds.
    ///
    /// # Errors
    /// As files have them.
    fn read(&mut self) -> io::Result<Vec<u8>>;
    /// How many bytes that is.
    ///
    /// # Errors
    /// As files have them.
    fn size(&mut self) -> io::Result<u64>;
    /// Adds bytes at the end. On an error some of them may be there.
    ///
    /// # Errors
    /// As files have them.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Takes away what stands behind the first `size` bytes.
    ///
    /// # Errors
    /// As files have them.
    fn truncate(&mut self, size: u64) -> io::Result<()>;
    /// Returns when all that was added outlives a power cut.
    ///
    /// # Errors
    /// As files have them.
    fn sync(&mut self) -> io::Result<()>;
}

/// A file of the system.
#[derive(Debug)]
struct OnDisk {
    file: File,
    /// Its folder, until the name of a new file is known to be there too.
    folder: Option<PathBuf>,
}

impl Drop for OnDisk {
    /// Gives the lock up itself: closing would leave it to a child of this process that has just been started and has
    /// not let go of its copy of the file yet.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Disk for OnDisk {
    fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.file.rewind()?;
        match read_to_end_within(&mut self.file, &mut bytes, MAX_BYTES)? {
            true => Ok(bytes),
            false => Err(io::Error::other(format!("it has more than {MAX_BYTES} bytes, the most that is read"))),
        }
    }

    fn size(&mut self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.flush()
    }

    fn truncate(&mut self, size: u64) -> io::Result<()> {
        self.file.set_len(size)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()?;
        // Where folders cannot be opened, as on Windows, the system does this by itself.
        if let Some(folder) = self.folder.take()
            && let Ok(folder) = File::open(folder)
        {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

/// A trace file that is held for writing. Others wait, or are told, until it is dropped.
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
    disk: Box<dyn Disk>,
    path: PathBuf,
    /// A line end that is missing before the next line.
    open_line: bool,
    sync: bool,
    /// A line could not be written: what comes after it must not stand without it.
    failed: bool,
}

/// A trace file as it was found.
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

impl TraceFile {
    /// Opens a trace file, made if need be, and holds it. When another process does, `busy` is asked whether to wait.
    ///
    /// # Errors
    /// When it cannot be opened, is held and not waited for, or is no trace.
    pub fn open(path: &Path, busy: impl FnOnce() -> bool) -> Result<OpenedTrace, Error> {
        let io = |e: std::io::Error| Error::io(path, "open", &e);
        check_writable(path)?;
        let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(|e| match e.kind() {
            std::io::ErrorKind::NotFound => {
                Error::new(ErrorKind::Trace, error_text!("its folder is not there"; "make it first"))
                    .at(&path.display().to_string())
            }
            _ => io(e),
        })?;
        match lock_soon(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if busy() => file.lock().map_err(io)?,
            Err(TryLockError::WouldBlock) => {
                let words = "another process is writing this session; wait for it, or name another file";
                return Err(Error::new(ErrorKind::Trace, words).at(&path.display().to_string()));
            }
            // A file system without locks: one process at a time is then the user's care.
            Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(io(e)),
        }
        let new = file.metadata().is_ok_and(|m| m.len() == 0);
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Self::on(Box::new(OnDisk { file, folder: new.then(|| folder.to_owned()) }), path)
    }

    /// Continues with what stands there; `path` is what it is called.
    ///
    /// # Errors
    /// When it cannot be read, or is no trace.
    pub fn on(mut disk: Box<dyn Disk>, path: &Path) -> Result<OpenedTrace, Error> {
        let bytes = disk.read().map_err(|e| Error::io(path, "open", &e))?;
        check_memory(&bytes, MemoryEstimate::TRACE, &path.display().to_string())?;
        let hint = |e: io::Error| Error::io(path, "hint", &e);
        let mut store = TraceFile { disk, path: path.to_owned(), open_line: false, sync: true, failed: false };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(OpenedTrace { store, trace: None, torn: None });
        }
        if unbegun(&bytes) {
            store.disk.truncate(0).map_err(hint)?;
            return Ok(OpenedTrace { store, trace: None, torn: Some(TruncatedLine { line: 1, bytes: bytes.len() }) });
        }
        let Loaded { trace, torn, whole_bytes } = parse(path, &bytes)?;
        let ends = bytes.get(whole_bytes..).is_some_and(|rest| rest == b"\n");
        if !ends {
            store.disk.truncate(whole_bytes as u64).map_err(hint)?;
            store.open_line = true;
        }
        Ok(OpenedTrace { store, trace: Some(trace), torn })
    }

    /// Whether each line is also forced to the disk before it counts as kept, so that it outlives a power cut and not
    /// only this process. It is, unless one says otherwise.
    #[must_use]
    pub fn sync(mut self, sync: bool) -> Self {
        self.sync = sync;
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
    pub(crate) fn closed(path: &Path) -> io::Result<Self> {
        let disk = Box::new(OnDisk { file: File::open(path)?, folder: None });
        Ok(TraceFile { disk, path: path.to_owned(), open_line: false, sync: false, failed: false })
    }

    fn write(&mut self, text: String) -> Result<(), Error> {
        let (text, sync) = (if self.open_line { format!("\n{text}") } else { text }, self.sync);
        // One write, so that a line is there whole, or incomplete at the end of the file.
        self.put(|disk| {
            disk.append(text.as_bytes())?;
            if sync { disk.sync() } else { Ok(()) }
        })?;
        self.open_line = false;
        Ok(())
    }

    /// Adds a line by `write`. What a failed write left of it is taken away, and nothing is added behind it.
    fn put(&mut self, write: impl FnOnce(&mut dyn Disk) -> io::Result<()>) -> Result<(), Error> {
        let io = |e: io::Error| Error::io(&self.path, "write", &e);
        if self.failed {
            let words = "a line could not be written before; go on with --resume";
            return Err(Error::new(ErrorKind::Trace, words).at(&self.path.display().to_string()));
        }
        let whole = self.disk.size().map_err(io)?;
        write(&mut *self.disk).map_err(|e| {
            self.failed = true;
            // Where that fails too, the incomplete line is the last one: the file can be continued.
            let _ = self.disk.truncate(whole);
            io(e)
        })
    }
}

/// How long another's lock is waited for before it is told.
const PASSING: Duration = Duration::from_millis(500);

/// Locks a file, or says who holds it: a process that was killed while it started another one leaves its lock to that for
/// a moment, until it has let go of its copy of the file.
fn lock_soon(file: &File) -> Result<(), TryLockError> {
    let until = Instant::now().checked_add(PASSING);
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if until.is_some_and(|u| Instant::now() < u) => {
                std::thread::sleep(Duration::from_millis(10));
            }
            other => return other,
        }
    }
}

/// Whether nothing but a part of a first line was written when the machine stopped, or room for it alone.
fn unbegun(bytes: &[u8]) -> bool {
    const BEGIN: &[u8] = b"{\"ptc_trace\":";
    let (text, ended) = bytes.strip_suffix(b"\n").map_or((bytes, false), |text| (text, true));
    let holes = text.contains(&0);
    let head = text.get(..BEGIN.len().min(text.len())).unwrap_or_default();
    let ours = BEGIN.starts_with(head) || head.iter().all(|b| *b == 0);
    let whole = || serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok();
    ours && !text.contains(&b'\n') && (holes || (!ended && !whole()))
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

fn bytes(path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = read_estimated(path, MemoryEstimate::TRACE)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Error::new(
            ErrorKind::Trace,
            error_text!("the file is empty"; "a trace starts with `ptc run TASK --trace FILE`"),
        )
        .at(&path.display().to_string()));
    }
    Ok(bytes)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Loaded, Error> {
    match Trace::parse_undamaged(bytes) {
        Ok((loaded, None)) => Ok(loaded),
        Ok((loaded, Some(damaged))) => Err(is_damaged(path, &damaged, &loaded.trace)),
        Err(damaged) => Err(is_none(path, &damaged)),
    }
}

/// That a line in the middle of a trace cannot be read; `before` is what stands before it.
fn is_damaged(path: &Path, damaged: &DamagedLine, before: &Trace) -> Error {
    let message = ptc_lisp::escape::line(&damaged.error.message);
    let words = match Kept::of(path) {
        Some(kept) => error_text!("{message}"; "{}", kept.way_on(before)),
        None => {
            let lines = damaged.line.saturating_sub(1);
            let mend = damaged.error.hint.as_deref().unwrap_or("correct that line in a copy");
            error_text!("{message}"; "ptc trace shows what is before it; {mend}, or go on with the lines before it: head -n {lines} FILE > COPY")
        }
    };
    Error::new(ErrorKind::Trace, words).at(&path.display().to_string())
}

/// That a file is no trace: its first line is no header.
fn is_none(path: &Path, damaged: &DamagedLine) -> Error {
    let message = ptc_lisp::escape::line(&damaged.error.message);
    let hint = match Kept::of(path) {
        Some(Kept { id, label: None, .. }) => {
            format!("nothing of it can be read: run its task again, or remove it with ptc sessions rm {id}")
        }
        Some(kept) => kept.without_it(),
        None => "give a file that `ptc run --trace` or `ptc step` wrote".to_owned(),
    };
    Error::new(ErrorKind::Trace, ErrorText::new(message.to_string(), hint)).at(&path.display().to_string())
}

/// A trace in the folder of a kept session: a copy elsewhere would lack its subtasks.
struct Kept {
    id: String,
    /// Of a subtask what names it in the session.
    label: Option<String>,
    /// It does not end by `return`.
    open_ended: bool,
}

impl Kept {
    /// The session whose folder has this trace: it has notes beside its trace.
    fn of(path: &Path) -> Option<Self> {
        let path = std::path::absolute(path).ok()?;
        let id = path.parent()?.file_name()?.to_str()?.to_owned();
        let name = path.file_name()?.to_str()?.strip_prefix("trace.")?;
        let label = name.strip_suffix(".jsonl").map(str::to_owned);
        let notes = path.with_file_name("session.json");
        let kept = notes.is_file() && (label.is_some() || name == "jsonl");
        kept.then(|| {
            // What cannot be read says nothing.
            let notes = read_text(&notes).ok().and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
            let open_ended = notes.is_some_and(|notes| notes.get("open_ended") == Some(&true.into()));
            Kept { id, label, open_ended }
        })
    }

    /// What can be done with a session whose trace can be read up to here.
    fn way_on(&self, before: &Trace) -> String {
        let Kept { id, label, open_ended } = self;
        if let Some(label) = label {
            return format!("ptc trace {id}/{label} shows what is before it; {}", self.without_it());
        }
        let ended = !open_ended && before.ended() && before.last().is_some_and(|t| t.status.ends());
        let turns = (before.turns().len() as u64).saturating_sub(u64::from(ended));
        let on = match turns {
            0 => "there is no turn to go on from: run its task again".to_owned(),
            n => format!("go on with the turns before it: ptc sessions fork {id} --turn {n}"),
        };
        format!("ptc trace {id} shows what is before it; {on}")
    }

    /// What can be done without this subtask.
    fn without_it(&self) -> String {
        format!("a fork goes on without it, from the last turn: ptc sessions fork {}", self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_line_that_could_not_be_written_leaves_nothing_and_nothing_comes_after_it() {
        let path = file("d");
        let mut store = TraceFile::open(&path, no).unwrap().store;
        store.begin(&Header::new("s", "p", 5)).unwrap();
        store.append(&TurnRecord::empty(1)).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        let full = |disk: &mut dyn Disk| {
            disk.append(b"{\"turn\":2,\"pro")?;
            Err(std::io::Error::from(std::io::ErrorKind::StorageFull))
        };
        assert!(store.put(full).unwrap_err().to_string().contains("cannot write it"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        let words = format!("{}: a line could not be written before; go on with --resume", path.display());
        assert_eq!(store.append(&TurnRecord::empty(3)).unwrap_err().to_string(), words);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
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
