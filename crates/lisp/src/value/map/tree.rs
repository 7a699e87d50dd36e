//! What large maps are made of once they are shared or changed in order: a tree by key.

use crate::value::node::Item;
use crate::value::text::OVERHEAD;
use equivalent::{Comparable, Equivalent};
use std::cmp::Ordering;

/// What the first leaf of a tree takes, with its upkeep, and what holds it.
const LEAF: usize = 632;

/// A key in a tree, in the total order of [`Item::key_order`].
#[derive(Clone)]
pub struct Key<V: Item>(pub V);

impl<V: Item> PartialEq for Key<V> {
    fn eq(&self, other: &Self) -> bool {
        self.0.key_order(&other.0) == Ordering::Equal
    }
}
impl<V: Item> Eq for Key<V> {}
impl<V: Item> PartialOrd for Key<V> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<V: Item> Ord for Key<V> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.key_order(&other.0)
    }
}

/// A key that is looked for in a tree, without a copy of it.
pub struct Sought<'a, V>(pub &'a V);

impl<V: Item> Equivalent<Key<V>> for Sought<'_, V> {
    fn equivalent(&self, key: &Key<V>) -> bool {
        self.0.key_order(&key.0) == Ordering::Equal
    }
}
impl<V: Item> Comparable<Key<V>> for Sought<'_, V> {
    #[inline]
    fn compare(&self, key: &Key<V>) -> Ordering {
        self.0.key_order(&key.0)
    }
}

/// Entries by key.
pub type Tree<V> = im::OrdMap<Key<V>, V>;

/// What an entry takes: a leaf has room for twice as many entries as are in one on average; the smallest tree is a leaf.
pub const fn tree_entry<V>() -> usize {
    5 * size_of::<V>()
}

/// What a tree of so many entries takes.
pub fn tree_bytes<V: Item>(len: usize) -> usize {
    OVERHEAD + LEAF + len * tree_entry::<V>()
}

/// Counts what is not changed in place: how tests see that changes are.
pub mod copies {
    use std::cell::Cell;

    thread_local! {
        static LARGE: Cell<u64> = const { Cell::new(0) };
        static TREES: Cell<u64> = const { Cell::new(0) };
    }

    /// Copies of large maps on this thread.
    pub fn large() -> u64 {
        LARGE.get()
    }

    /// Trees made of tables on this thread.
    pub fn trees() -> u64 {
        TREES.get()
    }

    /// Counts one.
    pub fn note_large() {
        LARGE.set(LARGE.get().wrapping_add(1));
    }

    /// Counts one.
    pub fn note_tree() {
        TREES.set(TREES.get().wrapping_add(1));
    }
}
