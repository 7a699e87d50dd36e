//! How much an input may take while it is read: memory and time.

use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::read_bytes_within;
use std::path::Path;
use std::time::Duration;

/// Most memory that one input takes, when a task does not say: 512 MiB.
pub(crate) const DEFAULT_BYTES: u64 = 512 << 20;
/// Most time that a table of a database takes, when a task does not say.
pub(crate) const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// What reading one input may take, and who ends it.
#[derive(Clone, Debug)]
pub struct ReadLimits {
    /// Memory in bytes: what the file holds, and what is made of it (`input_bytes` of a task).
    pub bytes: u64,
    /// Time for a table of a database (`input_timeout_ms` of a task).
    pub timeout: Duration,
    /// Ends it.
    pub cancel: Cancel,
}

impl Default for ReadLimits {
    fn default() -> Self {
        ReadLimits { bytes: DEFAULT_BYTES, timeout: DEFAULT_TIMEOUT, cancel: Cancel::default() }
    }
}

impl ReadLimits {
    /// The input takes more memory than it may; `what` says which part of it, `narrow` how to read less.
    pub fn too_large(&self, place: &str, what: &str, narrow: &str) -> Error {
        let bytes = self.bytes;
        Error::new(
            ErrorKind::Input,
            error_text!("{what} takes more than input_bytes = {bytes}"; "{narrow}, or raise input_bytes in [task]"),
        )
        .at(place)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When it cannot be read, or is longer than the input may be.
    pub fn file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        read_bytes_within(path, self.bytes, || self.too_large(&path.display().to_string(), "the file", "shorten it"))
    }
}

/// Memory that is counted before it is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    /// So many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Budget { left: bytes }
    }

    /// Takes so many bytes; `false` when there are not as many left.
    #[must_use]
    pub(crate) fn take(&mut self, bytes: u64) -> bool {
        match self.left.checked_sub(bytes) {
            Some(left) => {
                self.left = left;
                true
            }
            None => false,
        }
    }
}
