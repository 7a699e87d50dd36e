//! Dispatch by kinds of values: hierarchies, multimethods, records, types and protocols.

pub mod extend;
pub mod hierarchy;
pub mod isa;
pub mod multimethod;
pub mod own_methods;
pub mod protocol;
pub mod record;

use crate::builtins::functions::combinators::Native;
use crate::host::{Host, Result};
use crate::value::Value;
use crate::value::function::MULTIMETHOD;

pub use own_methods::own_method;

/// What a function that chooses calls with these arguments.
pub fn method_of(h: &mut dyn Host, native: &Native, a: &[Value]) -> Result {
    if native.name == MULTIMETHOD {
        multimethod::method_for(h, &native.held, a)
    } else {
        protocol::method_for(h, &native.held, a)
    }
}
