//! Exit codes of the commands, listed in docs/cli.md. A command that a signal ended exits with 128 and the signal's
//! number: `terminal/interrupt.rs`.

/// Everything went as asked.
pub const DONE: i32 = 0;
/// The program, or the run, failed.
pub const FAILED: i32 = 1;
/// The command was not understood, or a file was not what it should be.
pub const USAGE: i32 = 2;
/// No turn was left.
pub const OUT_OF_TURNS: i32 = 3;
/// The session had ended before.
pub const ENDED: i32 = 4;
/// The reply was not run. Either an act that could not begin before has begun, and its question is shown; or a turn that
/// had begun with another reply was run to its end, in a session with acts or without.
pub const REPLY_NOT_RUN: i32 = 5;
/// Calls wait for a decision; then the session can be continued.
pub const PENDING: i32 = 6;
