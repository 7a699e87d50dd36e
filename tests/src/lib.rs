//! Helpers of the tests: a session in one line, and the files that hold the cases.

pub mod markdown;
pub mod session;
