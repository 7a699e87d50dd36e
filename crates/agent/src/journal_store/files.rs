//! Journals in the files of a folder, a file each.

use super::disk::OnDisk;
use super::file_journal::FileJournal;
use super::{JournalStore, JournalWriter, check_name, no_session, session_exists, split};
use crate::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

/// Journals in a folder, the one of a session in `NAME.jsonl`: the files that [`TraceFile`](crate::TraceFile) writes. The
/// writer holds the file's lock, which the system gives up with its process. For one machine: locks of network file systems
/// are not to be relied on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileStore {
    folder: PathBuf,
}

impl FileStore {
    /// Journals in this folder, which is made with the first one.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        FileStore { folder: folder.into() }
    }

    fn path(&self, session: &str) -> Result<PathBuf, Error> {
        check_name(session)?;
        Ok(self.folder.join(format!("{session}.jsonl")))
    }

    /// A file of no other, also where processes of other machines have the same number.
    fn unfinished(&self, new: &str) -> io::Result<(PathBuf, File)> {
        for n in 0..u32::MAX {
            let path = self.folder.join(format!(".{new}.{}.{n}", std::process::id()));
            match OpenOptions::new().create_new(true).write(true).open(&path) {
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
                opened => return opened.map(|file| (path, file)),
            }
        }
        Err(io::Error::from(io::ErrorKind::AlreadyExists))
    }

    fn there(&self, session: &str) -> Result<PathBuf, Error> {
        let path = self.path(session)?;
        if path.is_file() { Ok(path) } else { Err(no_session(session)) }
    }
}

impl JournalStore for FileStore {
    fn open(&self, session: &str) -> Result<Box<dyn JournalWriter>, Error> {
        let path = self.path(session)?;
        std::fs::create_dir_all(&self.folder).map_err(|e| Error::io(&self.folder, "make", &e))?;
        Ok(Box::new(FileJournal::open(&path, || false)?.journal))
    }

    fn read(&self, session: &str) -> Result<Vec<String>, Error> {
        let path = self.there(session)?;
        let mut bytes = crate::files::read_bytes(&path)?;
        // A line without its end has not been acknowledged.
        bytes.truncate(bytes.iter().rposition(|b| *b == b'\n').map_or(0, |at| at.saturating_add(1)));
        split(&bytes).map_err(|e| e.at(&path.display().to_string()))
    }

    fn sessions(&self) -> Result<Vec<String>, Error> {
        let all = match std::fs::read_dir(&self.folder) {
            Ok(all) => all,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(Error::io(&self.folder, "read", &e)),
        };
        let name = |e: std::fs::DirEntry| Some(e.file_name().to_str()?.strip_suffix(".jsonl")?.to_owned());
        let mut names: Vec<String> = all.flatten().filter_map(name).filter(|n| check_name(n).is_ok()).collect();
        names.sort_unstable();
        Ok(names)
    }

    fn fork(&self, session: &str, new: &str, lines: usize) -> Result<(), Error> {
        let (kept, path) = (self.read(session)?, self.path(new)?);
        let text: String = kept.iter().take(lines).flat_map(|line| [line.as_str(), "\n"]).collect();
        // Under its name only when it is whole; the name begins with a dot, so that nobody takes it for a session.
        let (unfinished, file) = self.unfinished(new).map_err(|e| Error::io(&path, "write", &e))?;
        let written = write_synced(file, &text).and_then(|()| std::fs::hard_link(&unfinished, &path));
        let _ = std::fs::remove_file(&unfinished);
        // So that its name outlives a power cut too.
        if let Ok(folder) = File::open(&self.folder) {
            let _ = folder.sync_all();
        }
        match written {
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => Err(session_exists(new)),
            other => other.map_err(|e| Error::io(&path, "write", &e)),
        }
    }

    fn remove(&self, session: &str) -> Result<(), Error> {
        let path = self.there(session)?;
        let held = OnDisk::open(&path, || false)?;
        let removed = std::fs::remove_file(&path).map_err(|e| Error::io(&path, "remove", &e));
        drop(held);
        removed
    }
}

fn write_synced(mut file: File, text: &str) -> io::Result<()> {
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
