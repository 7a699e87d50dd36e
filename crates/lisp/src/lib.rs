//! PTC-Lisp.

pub mod error;
pub mod form;
pub mod limits;
pub mod span;
