//! Standard input and output of the process, beside those of the standard library: `main` holds the first, and who waits in the
//! second for somebody who does not read would hold its lock.

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

/// Another handle of standard output.
///
/// # Errors
/// When the system gives none.
pub fn own_output() -> io::Result<File> {
    #[cfg(unix)]
    return Ok(std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned()?.into());
    #[cfg(windows)]
    return Ok(std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned()?.into());
}
