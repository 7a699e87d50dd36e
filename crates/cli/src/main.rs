//! The binary `ptc`: hands its arguments and the terminal to the library.

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut stderr = anstream::AutoStream::auto(io::stderr());
    let live = io::stderr().is_terminal();
    let code = ptc_cli::run_live(std::env::args_os(), &mut io::stdin().lock(), &mut io::stdout(), &mut stderr, live);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
