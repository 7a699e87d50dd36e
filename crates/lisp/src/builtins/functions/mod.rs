//! Functions that make or call functions.

pub mod combinators;
pub mod parallel;
