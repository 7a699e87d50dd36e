//! The system from outside: one executable, since each is linked with all there is. `cargo test -p ptc-tests tidy::`
//! runs one of these files; a test of `tidy` sees to it that each is named here.

mod answers;
mod api;
mod check;
mod docs;
mod errors;
mod examples;
mod features;
mod fuzz;
mod generated_sessions;
mod history;
mod ids;
mod imports;
mod inputs;
mod laws;
mod lazy_turns;
#[cfg(unix)]
mod mcp;
mod numbers;
mod played;
mod programs;
mod readme;
#[cfg(unix)]
mod recorded;
mod report;
mod session_options;
mod spec;
mod step;
mod tidy;
mod turns;
mod types;
mod work;

// What the shims of the fuzz targets call `libfuzzer_sys::fuzz_target!` (fuzz.rs).
extern crate self as libfuzzer_sys;
use fuzz::fuzz_target;
