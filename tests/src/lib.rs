//! Helpers of the tests: a session in one line, commands in this process, and the files that hold the cases.

pub mod cli;
pub mod fuzz;
pub mod markdown;
pub mod scenario;

/// The README's program runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
