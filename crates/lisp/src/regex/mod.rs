//! Java's regexes on a linear engine: their syntax translated, compiled within bounds, and what searches look at counted.

mod class;
pub mod compile;
pub mod meter;
pub mod syntax;
