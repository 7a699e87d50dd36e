//! The binary `ptc`: hands its arguments and the terminal to the library.

use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut stderr = anstream::AutoStream::auto(io::stderr());
    let code = ptc_cli::run(std::env::args_os(), &mut io::stdin().lock(), &mut io::stdout(), &mut stderr);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
