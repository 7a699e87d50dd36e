//! `ptc` behind the wall: the same program, started by another one that was told `--isolate`.

use crate::io::{Io, Stop};
use crate::{DONE, FAILED};
use ptc_agent::{Problem, Worker};
use std::process::Command;

/// Serves until the other side goes away.
pub fn serve(io: &mut Io<'_>) -> Result<i32, Stop> {
    match ptc_agent::worker::serve_on(io.stdin, io.out) {
        Ok(()) => Ok(DONE),
        Err(e) => {
            io.error(&e.to_string());
            Ok(FAILED)
        }
    }
}

/// A worker that is this very program.
///
/// # Errors
/// When it is not known where that lies.
pub fn worker() -> Result<Worker, Problem> {
    let program = std::env::current_exe().map_err(|e| Problem::new(format!("cannot find this program: {e}")))?;
    let mut command = Command::new(program);
    command.args(["__worker", "--serve-ptc-turns"]);
    Ok(Worker::new(command))
}
