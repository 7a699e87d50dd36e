//! Fuel: the units in which work is counted, and how they turn into one another.
//!
//! A unit of fuel takes 4 to 20 nanoseconds in a release build, whatever it is spent on: 100 M units end within two
//! seconds (docs/performance.md, "Fuel"). The same program uses the same fuel on every machine.
//!
//! All charges are made in [`Cost`], in small whole numbers. The virtual machine charges operations in it; builtins
//! charge items, at [`PER_ITEM`] each; allocations are charged by their bytes. `Limits::fuel` and `Usage::fuel` are
//! [`Fuel`].

/// Units of fuel, as limits and usage count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fuel(pub u64);

/// Units of cost, as the virtual machine counts them: each is [`FUEL_PER_COST`] units of fuel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost(pub u64);

/// Fuel for a unit of cost.
pub const FUEL_PER_COST: u64 = 2;

/// What an item costs that a builtin charges: an item looked at, or a piece of text, is dearer than an operation.
pub const PER_ITEM: Cost = Cost(2);

/// Bytes allocated for a unit of cost: what takes memory also takes time to fill, to free, and in caches that hold
/// something else afterwards. They are counted at every check of the limits, so that no builtin has to think of it.
pub const BYTES_PER_COST: u64 = 32;

/// What is charged between two checks of clock and memory.
pub const CHECK_INTERVAL: Cost = Cost(4096);

/// What an error costs that is caught: its message, its place and its hint.
pub const CAUGHT: Cost = Cost(60);

/// The weight of operations that costs a unit: sixteenths in the body of a function. In a loop half of it does, for a
/// short round is mostly its jump back.
pub const WEIGHT_PER_COST: u64 = 16;

impl Cost {
    /// The most that can be charged within a limit, rounded up.
    pub fn of_limit(limit: Fuel) -> Self {
        Cost(limit.0.div_ceil(FUEL_PER_COST))
    }

    /// What so many items of a builtin cost.
    #[inline]
    pub const fn of_items(items: u64) -> Self {
        Cost(items.saturating_mul(PER_ITEM.0))
    }

    /// It as fuel.
    pub fn fuel(self) -> Fuel {
        Fuel(self.0.saturating_mul(FUEL_PER_COST))
    }
}
