//! The binary `ptc`: hands its arguments and the terminal to the library.

// Numbers come from files and from the network: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

use std::io::{self, IsTerminal as _};
use std::process::ExitCode;

/// That of musl takes several times as long as other systems' do.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// musl tells of a main thread's stack only the part that is in use. What looks how much is left before it recurses would
/// take a stack of its own each time.
#[cfg(target_env = "musl")]
fn main() -> ExitCode {
    stacker::grow(8 << 20, run)
}

#[cfg(not(target_env = "musl"))]
fn main() -> ExitCode {
    run()
}

fn run() -> ExitCode {
    // Which styles are left out is said by arguments too: the command does it.
    let mut stderr = anstream::AutoStream::always(io::stderr());
    let plain = |choice| choice == anstream::ColorChoice::Never;
    let environment = ptc_cli::Environment::of_process();
    let around = ptc_cli::CliContext {
        live: io::stderr().is_terminal(),
        interactive: io::stdin().is_terminal() && io::stdout().is_terminal(),
        width: terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0)),
        color: !plain(anstream::AutoStream::choice(&io::stdout())),
        plain: plain(anstream::AutoStream::choice(&io::stderr())),
        columns: None,
        home: ptc_cli::home(&environment),
        environment,
        own_process: true,
        config: ptc_cli::ConfigFile::of_process(),
    };
    let code = ptc_cli::run_in(std::env::args_os(), &mut io::stdin().lock(), &mut io::stdout(), &mut stderr, around);
    ExitCode::from(u8::try_from(code).unwrap_or(1))
}
