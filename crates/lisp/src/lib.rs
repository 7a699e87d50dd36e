//! PTC-Lisp.

pub mod error;
pub mod form;
pub mod host;
pub mod limits;
pub mod number;
pub mod order;
pub mod print;
pub mod span;
pub mod value;
