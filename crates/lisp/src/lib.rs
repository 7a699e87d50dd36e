//! PTC-Lisp.

pub mod analyze;
pub mod builtins;
pub mod datum;
pub mod error;
pub mod eval;
pub mod form;
pub mod format;
pub mod host;
pub mod json;
pub mod limits;
pub mod memory;
pub mod number;
pub mod order;
pub mod outside;
pub mod print;
pub mod read;
pub mod report;
pub mod shape;
pub mod span;
pub mod value;
pub mod visible;

pub use eval::run;
