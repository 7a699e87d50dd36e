//! The terminal: the streams of a command, signals, and the progress of a run.

pub mod interrupt;
pub mod io;
pub mod progress;
