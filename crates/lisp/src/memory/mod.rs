//! A session's memory: what it holds, how much that is, and the cycles of values that counting references does not free.

mod cells;
mod cycles;
mod session;
mod space_table;
mod spaces;
pub(crate) mod usage;

pub(crate) use cells::Cells;
pub use session::{Binding, Memory};
pub(crate) use session::{Lent, Savepoint};
