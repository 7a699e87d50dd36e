//! What belongs to the session: earlier turns, notes, inputs, looking up functions, what macros expand to.

pub mod apropos;
pub mod macro_support;
pub mod namespaces;
pub mod notes;
pub mod turn_history;
