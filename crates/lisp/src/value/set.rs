//! Sets: a map from each member to nothing, so that order, sharing and cost are those of maps.

use super::map::Map;
use super::node::Item;

/// A persistent set.
#[derive(Clone)]
pub struct Set<V: Item>(Map<V>);

impl<V: Item> Set<V> {
    /// The empty set.
    pub fn new() -> Self {
        Set(Map::new())
    }

    /// The empty set that keeps its members in order.
    pub fn sorted() -> Self {
        Set(Map::sorted())
    }

    /// The empty set that keeps its members as `comparator` says.
    pub fn ranked(comparator: V) -> Self {
        Set(Map::ranked(comparator))
    }

    /// Whether it was made by [`Set::sorted`] or [`Set::ranked`].
    pub fn is_sorted(&self) -> bool {
        self.0.is_sorted()
    }

    /// An empty set of the same kind.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Set(self.0.emptied())
    }

    /// How many members.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `item` is a member.
    pub fn contains(&self, item: &V) -> bool {
        self.0.get(item).is_some()
    }

    /// The member equal to `item`, as it is in the set.
    pub fn get(&self, item: &V) -> Option<&V> {
        self.0.entry(item).map(|e| e.0)
    }

    /// Adds a member; `false` when it was there.
    pub fn insert(&mut self, item: V) -> bool {
        let before = self.len();
        self.0.insert(item, V::default());
        self.len() > before
    }

    /// Takes a member away; `false` when it was not there.
    pub fn remove(&mut self, item: &V) -> bool {
        self.0.remove(item).is_some()
    }

    /// Members in the set's order.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        self.0.keys()
    }

    /// Members in any order, for what does not depend on it.
    pub fn iter_unordered(&self) -> impl Iterator<Item = &V> {
        self.0.iter_unordered().map(|e| e.0)
    }

    /// Nesting, itself included.
    pub fn depth(&self) -> u32 {
        self.0.depth()
    }

    /// Whether an unrealised sequence is inside.
    pub fn lazy(&self) -> bool {
        self.0.lazy()
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.0.meta()
    }

    /// The same members with this metadata.
    #[must_use]
    pub fn with_meta(self, meta: Option<V>) -> Self {
        Set(self.0.with_meta(meta))
    }

    /// The map from each member to nothing that it is.
    pub fn as_map(&self) -> &Map<V> {
        &self.0
    }

    /// That map, to change where members of a ranked set are.
    pub fn as_map_mut(&mut self) -> &mut Map<V> {
        &mut self.0
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.0.ptr_eq(&other.0)
    }

    /// For [`Item::drain_nested`].
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        self.0.drain_nested(out);
    }
}

impl<V: Item> Default for Set<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: Item> FromIterator<V> for Set<V> {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        let mut s = Set::new();
        for v in items {
            s.insert(v);
        }
        s
    }
}
