//! The one asynchronous runtime of the process: who speaks to servers shares it.

use crate::catch_panic::catch_panic;
use crate::error::{Error, ErrorKind};
use crate::error_text;
use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, OnceLock, PoisonError};
use tokio::runtime::{Builder, Handle, Runtime, RuntimeFlavor};

/// The runtime, made when it is first needed: two threads, timers and sockets.
///
/// # Errors
/// When the system grants no threads for it.
pub(crate) fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    static MAKING: Mutex<()> = Mutex::new(());
    // One at a time, so that only one is made; a runtime that is dropped inside another one panics.
    let _making = MAKING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let made = Builder::new_multi_thread().worker_threads(2).thread_name("ptc-io").enable_all().build();
    let made = made.map_err(|e| {
        Error::new(ErrorKind::Runtime, error_text!("threads for the network cannot be started: {e}"; "try again"))
    })?;
    Ok(RUNTIME.get_or_init(|| made))
}

/// Whether the calling thread may be blocked: not where it is the one thread of a runtime of the host.
///
/// # Errors
/// When it is; what to do instead.
pub(crate) fn may_block() -> Result<(), Error> {
    let Ok(handle) = Handle::try_current() else { return Ok(()) };
    if handle.runtime_flavor() != RuntimeFlavor::CurrentThread {
        return Ok(());
    }
    // Such a runtime has threads for blocking work too, and only panics tell them from the one that runs its tasks.
    catch_panic(AssertUnwindSafe(|| handle.block_on(std::future::ready(())))).map_err(|_| {
        let words = "this call blocks, and it was made in a current-thread runtime of tokio, which would stand still; \
            await Agent::run_async or the _async form of a call of Chat, or make the call in tokio::task::spawn_blocking";
        Error::new(ErrorKind::Runtime, words)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_same_one_each_time_and_works() {
        assert!(std::ptr::eq(runtime().unwrap(), runtime().unwrap()));
        assert_eq!(runtime().unwrap().block_on(async { tokio::spawn(async { 5 }).await }).unwrap(), 5);
    }
}
