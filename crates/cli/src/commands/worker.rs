//! `ptc` in a worker process: the same program, started by another one that was told `--isolate`.

use crate::exit_code::{DONE, FAILED};
use crate::terminal::io::{CliError, Io};
use ptc_agent::worker::{Restrictions, restrict_process};
use ptc_agent::{Error, ErrorKind, Worker};
use std::process::Command;

/// Serves until the other side goes away.
pub fn serve(io: &mut Io<'_>) -> Result<i32, CliError> {
    let restrictions = if io.context.own_process { restrict_process() } else { Restrictions::default() };
    match ptc_agent::worker::serve_on(io.stdin, io.out, restrictions) {
        Ok(()) => Ok(DONE),
        Err(e) => {
            io.error(&e.to_string());
            Ok(FAILED)
        }
    }
}

/// A worker that is this very program; a warning tells what this system does not restrict it in.
///
/// # Errors
/// When it is not known where that lies, or it cannot be started.
pub fn worker(io: &mut Io<'_>) -> Result<Worker, Error> {
    worker_for("--isolate", io)
}

/// The same; the warning begins with what it is for.
///
/// # Errors
/// As [`worker`].
pub fn worker_for(what: &str, io: &mut Io<'_>) -> Result<Worker, Error> {
    let program =
        std::env::current_exe().map_err(|e| Error::new(ErrorKind::Usage, format!("cannot find this program: {e}")))?;
    let mut command = Command::new(program);
    command.args(["__worker", "--serve-ptc-turns"]);
    let worker = Worker::new(command);
    let restrictions = worker.restrictions()?;
    if !restrictions.missing().is_empty() {
        io.warn(&format!("{what}: on this system the worker process runs {restrictions}; see `ptc doc security`"));
    }
    Ok(worker)
}
