//! The binary `ptc`: has the library run its arguments.

// Numbers come from files and from the network: none may panic, and none may wrap.
#![cfg_attr(not(test), warn(clippy::arithmetic_side_effects))]

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
    ExitCode::from(u8::try_from(ptc_cli::run_process()).unwrap_or(1))
}
