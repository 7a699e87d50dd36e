//! Helpers of the tests: commands in this process, the files that hold the cases, and what the fuzz targets do.

pub mod cli;
pub mod fuzz;
pub mod markdown;
pub mod scenario;

/// The README's program runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
