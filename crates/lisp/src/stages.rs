//! Stages of a pipeline that are carried out together, a block of items after the other.

use crate::value::Value;

/// Most items of a block.
pub const BLOCK: usize = 32;

/// What a stage makes of each item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// What the function gives.
    Map,
    /// The item, where the function gives something true.
    Filter,
    /// The item, where it gives nothing true.
    Remove,
    /// What the function gives, where that is not nil.
    Keep,
    /// The items of what the function gives.
    Mapcat,
}

/// A stage: what it does, and its function, which only computes.
#[derive(Clone)]
pub struct Stage {
    /// What it does.
    pub does: Does,
    /// The function.
    pub f: Value,
}

/// The items that go in.
#[derive(Clone, Copy)]
pub enum Block<'a> {
    /// These, at most [`BLOCK`].
    Items(&'a [Value]),
    /// Integers.
    Ints(&'a [i64]),
}

/// What becomes of those that come out.
pub enum Taken<'s> {
    /// They are added to these.
    All(&'s mut Vec<Value>),
    /// They are counted.
    Count(&'s mut u64),
    /// They are folded by this function into what there is so far.
    Fold(&'s Value, &'s mut Option<Value>),
}
