//! `ptc sessions query`: a program over sessions.

use crate::args::QueryArgs;
use crate::commands::eval;
use crate::terminal::io::{CliError, Io};
use ptc_agent::sessions::SessionStore;
use ptc_agent::task::inputs;
use ptc_lisp::limits::Limits;

/// Most bytes of the sessions, as JSON.
const BYTES: usize = 64 << 20;

/// Runs the command.
pub fn query(a: &QueryArgs, store: &SessionStore, io: &mut Io<'_>) -> Result<i32, CliError> {
    let program = if a.program == "-" { io.read_stdin()? } else { a.program.clone() };
    let (runs, all) = store.runs(a.limit, BYTES)?;
    let taken = runs.as_array().map_or(0, Vec::len);
    if taken < all {
        io.warn(&format!("the newest {taken} of {all} sessions are looked at; --limit and their size decide how many"));
    }
    // As any input: it is the host's own, and the program pays for what it copies of it.
    let roomy = Limits { memory_bytes: u64::MAX, ..Limits::default() };
    let input = inputs::from_data("runs", &runs, &roomy)?;
    eval::over(input, "(def runs ctx/runs)", &program, a.json, io)
}
