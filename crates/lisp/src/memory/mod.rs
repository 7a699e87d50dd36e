//! A session's memory, and the cycles of values that counting references does not free.

mod cycles;
mod session;

pub(crate) use session::Cells;
pub use session::{Binding, Memory};
