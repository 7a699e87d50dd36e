//! Files as journals need them: locked by one process, appended to, cut, forced to the disk.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{MAX_BYTES, check_writable, read_to_end_within};
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
pub(super) struct OnDisk {
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

impl OnDisk {
    /// Opens a file, made if need be, and holds it. When another process does, `busy` is asked whether to wait.
    pub(super) fn open(path: &Path, busy: impl FnOnce() -> bool) -> Result<Self, Error> {
        check_writable(path)?;
        let mut busy = Some(busy);
        loop {
            let file = Self::hold(path, || busy.take().is_some_and(|busy| busy()))?;
            // Who held it before may have removed it: then nobody would find what is written here.
            if is_at(&file, path) {
                let new = file.metadata().is_ok_and(|m| m.len() == 0);
                let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                return Ok(OnDisk { file, folder: new.then(|| folder.to_owned()) });
            }
        }
    }

    /// Opens a file and locks it.
    fn hold(path: &Path, busy: impl FnOnce() -> bool) -> Result<File, Error> {
        let io = |e: io::Error| Error::io(path, "open", &e);
        let file = OpenOptions::new().create(true).read(true).append(true).open(path).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => {
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
            Err(TryLockError::Error(e)) if e.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(io(e)),
        }
        Ok(file)
    }

    /// One that every write to fails.
    #[cfg(test)]
    pub(super) fn closed(path: &Path) -> io::Result<Self> {
        Ok(OnDisk { file: File::open(path)?, folder: None })
    }
}

/// Whether a file is the one that its name stands for now.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let same = |a: &std::fs::Metadata, b: &std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    matches!((file.metadata(), std::fs::metadata(path)), (Ok(own), Ok(named)) if same(&own, &named))
}

/// Elsewhere a file that is open keeps its name.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
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
