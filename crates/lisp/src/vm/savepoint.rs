//! What is remembered while a sequence whose end cannot be known is made: its share of the fuel, and where to go back to.

use crate::memory::Savepoint;

/// Which part of the fuel of a turn is for such sequences, all together.
pub(super) const SHARE_OF_FUEL: u64 = 40;
/// A share of the fuel that is being spent.
pub(crate) struct Share {
    /// Where the last savepoint is.
    pub(super) to: Point,
    /// What is left of the budget when the next one is due.
    pub(super) next: u64,
    /// What is spent between two.
    pub(super) between: u64,
    /// What is left when no further item is begun.
    pub(super) over: u64,
}

/// A savepoint, and what else the turn had done until then.
pub(crate) struct Point {
    pub(super) memory: Savepoint,
    pub(super) random: u64,
    pub(super) done: [usize; 4],
    pub(super) depths: [usize; 4],
}
