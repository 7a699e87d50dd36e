//! Folders and files that only their owner can use.

use crate::error::Error;
use std::fs::{DirBuilder, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

/// Makes a folder that only its owner can use, `all` with those above it.
pub(super) fn private_folder(path: &Path, all: bool) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(all);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt as _;
        builder.mode(0o700);
    }
    builder.create(path)
}

/// Writes a file that only its owner can use.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let written = options.open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|e| Error::io(path, "write", &e))
}
