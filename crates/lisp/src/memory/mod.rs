//! A session's memory: what it holds, how much that is, and the cycles of values that counting references does not free.

mod cells;
mod cycles;
mod session;
pub(crate) mod usage;

pub(crate) use cells::Cells;
pub(crate) use session::Savepoint;
pub use session::{Binding, Memory};
