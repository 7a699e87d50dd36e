//! Standard input of the process, beside that of the standard library, whose lock the command holds.

use std::fs::File;
use std::io;

/// Another handle of standard input, which a thread may read.
///
/// # Errors
/// When the system gives none.
pub fn own_input() -> io::Result<File> {
    #[cfg(unix)]
    return Ok(std::os::fd::AsFd::as_fd(&io::stdin()).try_clone_to_owned()?.into());
    #[cfg(windows)]
    return Ok(std::os::windows::io::AsHandle::as_handle(&io::stdin()).try_clone_to_owned()?.into());
}
