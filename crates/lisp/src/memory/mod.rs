//! A session's memory: what it holds, how much that is, and the cycles of values that counting references does not free.

mod cycles;
mod session;
pub(crate) mod usage;

pub(crate) use session::Cells;
pub use session::{Binding, Memory};
