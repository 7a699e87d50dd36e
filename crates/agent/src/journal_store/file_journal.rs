//! A journal in a file: a line is there whole, or it is what a writer that was killed left at the end, which the next line
//! takes the place of.

use super::damaged::parse_kept;
use super::disk::{Disk, OnDisk};
use super::{JournalWriter, split};
use crate::error::{Error, ErrorKind};
use crate::files::{MemoryEstimate, check_memory};
use ptc_turns::trace::{Loaded, TruncatedLine};
use ptc_turns::{Trace, TurnRecord};
use std::io;
use std::path::{Path, PathBuf};

/// A file that is appended to, held until it is dropped.
#[derive(Debug)]
pub(crate) struct FileJournal {
    disk: Box<dyn Disk>,
    path: PathBuf,
    /// A line end that is missing before the next line.
    open_line: bool,
    sync: bool,
    /// A line could not be written: what comes after it must not stand without it.
    failed: bool,
}

/// A file as it was found.
pub(crate) struct OpenedFile {
    pub(crate) journal: FileJournal,
    pub(crate) trace: Option<Trace>,
    pub(crate) torn: Option<TruncatedLine>,
}

impl FileJournal {
    /// Opens a file and holds it; `busy` is asked whether to wait for another process.
    pub(crate) fn open(path: &Path, busy: impl FnOnce() -> bool) -> Result<OpenedFile, Error> {
        Self::open_kept(path, busy, &mut |turn| turn)
    }

    /// The same with what `keep` leaves of its turns.
    pub(crate) fn open_kept(
        path: &Path,
        busy: impl FnOnce() -> bool,
        keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
    ) -> Result<OpenedFile, Error> {
        Self::on_kept(Box::new(OnDisk::open(path, busy)?), path, keep)
    }

    /// Continues with what stands there; `path` is what it is called.
    pub(crate) fn on(disk: Box<dyn Disk>, path: &Path) -> Result<OpenedFile, Error> {
        Self::on_kept(disk, path, &mut |turn| turn)
    }

    fn on_kept(
        mut disk: Box<dyn Disk>,
        path: &Path,
        keep: &mut dyn FnMut(TurnRecord) -> TurnRecord,
    ) -> Result<OpenedFile, Error> {
        let bytes = disk.read().map_err(|e| Error::io(path, "open", &e))?;
        check_memory(&bytes, MemoryEstimate::TRACE, &path.display().to_string())?;
        let hint = |e: io::Error| Error::io(path, "hint", &e);
        let mut journal = FileJournal { disk, path: path.to_owned(), open_line: false, sync: true, failed: false };
        if bytes.iter().all(u8::is_ascii_whitespace) {
            return Ok(OpenedFile { journal, trace: None, torn: None });
        }
        if unbegun(&bytes) {
            journal.disk.truncate(0).map_err(hint)?;
            let torn = Some(TruncatedLine { line: 1, bytes: bytes.len() });
            return Ok(OpenedFile { journal, trace: None, torn });
        }
        let Loaded { trace, torn, whole_bytes } = parse_kept(path, &bytes, keep)?;
        let ends = bytes.get(whole_bytes..).is_some_and(|rest| rest == b"\n");
        if !ends {
            journal.disk.truncate(whole_bytes as u64).map_err(hint)?;
            journal.open_line = true;
        }
        Ok(OpenedFile { journal, trace: Some(trace), torn })
    }

    /// One that every write to fails.
    #[cfg(test)]
    pub(crate) fn closed(path: &Path) -> io::Result<Self> {
        let disk = Box::new(OnDisk::closed(path)?);
        Ok(FileJournal { disk, path: path.to_owned(), open_line: false, sync: false, failed: false })
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

impl JournalWriter for FileJournal {
    fn lines(&mut self) -> Result<Vec<String>, Error> {
        let bytes = self.disk.read().map_err(|e| Error::io(&self.path, "read", &e))?;
        split(&bytes).map_err(|e| e.at(&self.path.display().to_string()))
    }

    fn append(&mut self, line: &str) -> Result<(), Error> {
        let (before, sync) = (if self.open_line { "\n" } else { "" }, self.sync);
        let text = format!("{before}{line}\n");
        // One write, so that a line is there whole, or incomplete at the end of the file.
        self.put(|disk| {
            disk.append(text.as_bytes())?;
            if sync { disk.sync() } else { Ok(()) }
        })?;
        self.open_line = false;
        Ok(())
    }

    fn set_sync(&mut self, sync: bool) {
        self.sync = sync;
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

#[cfg(test)]
mod tests {
    use super::*;
    use ptc_turns::Header;

    #[test]
    fn a_line_that_could_not_be_written_leaves_nothing_and_nothing_comes_after_it() {
        let path = std::env::temp_dir().join(format!("ptc-journal-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut store = FileJournal::open(&path, || false).unwrap().journal;
        let line = |n| ptc_turns::trace::line(&TurnRecord::empty(n)).trim_end().to_owned();
        store.append(ptc_turns::trace::line(&Header::new("s", "p", 5)).trim_end()).unwrap();
        store.append(&line(1)).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        let full = |disk: &mut dyn Disk| {
            disk.append(b"{\"turn\":2,\"pro")?;
            Err(io::Error::from(io::ErrorKind::StorageFull))
        };
        assert!(store.put(full).unwrap_err().to_string().contains("cannot write it"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        let words = format!("{}: a line could not be written before; go on with --resume", path.display());
        assert_eq!(store.append(&line(3)).unwrap_err().to_string(), words);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        std::fs::remove_file(&path).unwrap();
    }
}
