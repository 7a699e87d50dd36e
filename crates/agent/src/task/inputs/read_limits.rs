//! How much an input may take while it is read: memory and time.

use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::{read_bytes_within, utf8};
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

    /// The text of a file.
    ///
    /// # Errors
    /// When it cannot be read, is longer than the input may be, or is not UTF-8.
    pub fn text(&self, path: &Path) -> Result<String, Error> {
        let shown = path.display().to_string();
        decoded(self.file(path)?, &shown)
    }

    /// The bytes of a file.
    ///
    /// # Errors
    /// When it cannot be read, or is longer than the input may be.
    pub fn file(&self, path: &Path) -> Result<Vec<u8>, Error> {
        read_bytes_within(path, self.bytes, || self.too_large(&path.display().to_string(), "the file", "shorten it"))
    }
}

/// What files begin with that are no text, and what they are.
const NO_TEXT: [(&[u8], &str, &str); 5] = [
    (b"PK\x03\x04", "a spreadsheet (as .xlsx) or another zip archive", SAVE),
    (b"PK\x05\x06", "an empty zip archive", SAVE),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet (as .xls) or another Office file", SAVE),
    (b"\x1f\x8b", "compressed with gzip", "unpack it with gunzip"),
    (b"%PDF-", "a PDF", "save its text"),
];
const SAVE: &str = "save a table as CSV, and unpack an archive";

/// The text that bytes are; `shown` stands in errors.
///
/// # Errors
/// When they are no UTF-8, or a file of another kind, by its first bytes.
pub(super) fn decoded(bytes: Vec<u8>, shown: &str) -> Result<String, Error> {
    if let Some((_, what, hint)) = NO_TEXT.into_iter().find(|(begin, ..)| bytes.starts_with(begin)) {
        return Err(Error::new(ErrorKind::Input, error_text!("the file is {what}, not text"; "{hint}")).at(shown));
    }
    utf8(bytes, shown)
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
