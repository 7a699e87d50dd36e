//! Dispatch by kinds of values: hierarchies and multimethods.

pub mod hierarchy;
pub mod isa;
pub mod multimethod;

use crate::builtins::functions::combinators::Native;
use crate::host::{Host, Result};
use crate::value::Value;

/// What a function that chooses calls with these arguments.
pub fn method_of(h: &mut dyn Host, native: &Native, a: &[Value]) -> Result {
    multimethod::method_for(h, &native.held, a)
}
