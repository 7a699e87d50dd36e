//! A session's memory: what it holds, how much that is, and the cycles of values that counting references does not free.

mod cycles;
mod session;
pub(crate) mod usage;

pub use session::{Binding, Memory};
pub(crate) use session::{Cells, Savepoint};
