//! Maps: up to 32 entries a record, one allocation with the values of keys that many maps share; larger ones a table by
//! hash while one owner makes them, else a tree by key.

mod custom_order;
mod flat;
mod keys;
mod node;
mod tree;

use super::node::{DEEP, FewBytes, Item, NodeHeader};
use super::text::OVERHEAD;
use node::{Node, Order, Rep};
use std::sync::Arc;
use triomphe::{Arc as Shared, ThinArc};

pub use keys::{Keys, RecordType};
pub use node::{Iter, SMALL_MAX};
pub use tree::{Key, copies};

/// What lies in front of the values of a record.
struct Head<V: Item> {
    kind: Kind<V>,
    bytes: FewBytes,
    /// Of a record: its nesting, itself included.
    depth: u8,
    /// Of a record: whether an unrealised sequence is inside.
    lazy: bool,
}

enum Kind<V: Item> {
    /// A small map in order of arrival, without metadata, that is not deep: its values are beside this.
    Record(Arc<Keys<V>>),
    /// Any other; nothing is beside this.
    Node(Box<Node<V>>),
}

/// Where a key was in records of one shape.
#[derive(Clone, Copy, Default)]
pub struct LastPlace {
    /// The address of their keys; 0 for none.
    shape: usize,
    place: usize,
}

/// A persistent map: O(1) to clone, changed in place while it has one owner.
pub struct Map<V: Item>(ThinArc<Head<V>, V>);

impl<V: Item> Clone for Map<V> {
    #[inline]
    fn clone(&self) -> Self {
        Map(self.0.clone())
    }
}

/// Items of which it is known how many there are.
struct Counted<I> {
    items: I,
    left: usize,
}

impl<I: Iterator> Iterator for Counted<I> {
    type Item = I::Item;
    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.left = self.left.saturating_sub(1);
        self.items.next()
    }
    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}
impl<I: Iterator> ExactSizeIterator for Counted<I> {}

/// Nesting of a record, which is not deep.
#[inline]
fn level(depth: u32) -> u8 {
    depth.min(255) as u8
}

/// What a record of so many values takes.
fn record_bytes<V: Item>(len: usize) -> usize {
    size_of::<Head<V>>() + OVERHEAD + len * size_of::<V>()
}

impl<V: Item> Map<V> {
    /// The empty map.
    pub fn new() -> Self {
        Self::shaped(Keys::new(Vec::new()), Vec::new())
    }

    /// The empty map that keeps its entries by key.
    pub fn sorted() -> Self {
        Self::of_node(Node::sorted())
    }

    fn of_node(node: Node<V>) -> Self {
        // The work that makes a node is charged with what is in it.
        let bytes = FewBytes::held(record_bytes::<V>(0));
        let head = Head { kind: Kind::Node(Box::new(node)), bytes, depth: 0, lazy: false };
        Map(ThinArc::from_header_and_iter(head, std::iter::empty()))
    }

    #[inline]
    fn record(
        keys: Arc<Keys<V>>,
        (depth, lazy): (u32, bool),
        mut bytes: FewBytes,
        vals: impl ExactSizeIterator<Item = V>,
    ) -> Self {
        bytes.set(record_bytes::<V>(vals.len()));
        let depth = level(depth);
        Map(ThinArc::from_header_and_iter(Head { kind: Kind::Record(keys), bytes, depth, lazy }, vals))
    }

    #[inline]
    fn head(&self) -> &Head<V> {
        &self.0.header.header
    }

    #[inline]
    fn vals_beside(&self) -> &[V] {
        &self.0.slice
    }

    fn node(&self) -> Option<&Node<V>> {
        match &self.head().kind {
            Kind::Record(_) => None,
            Kind::Node(n) => Some(n),
        }
    }

    /// Whether it was made by [`Map::sorted`] or [`Map::ranked`].
    pub fn is_sorted(&self) -> bool {
        self.node().is_some_and(|n| !matches!(n.order, Order::Arrival))
    }

    /// An empty map of the same kind.
    #[must_use]
    pub fn emptied(&self) -> Self {
        match self.node().map(|n| &n.order) {
            None | Some(Order::Arrival) => Self::new(),
            Some(Order::Key) => Self::sorted(),
            Some(Order::Comparator(f)) => Self::ranked((**f).clone()),
        }
    }

    /// A map of these keys and as many values.
    pub fn shaped(keys: Arc<Keys<V>>, mut vals: Vec<V>) -> Self {
        Self::shaped_from(keys, &mut vals, 0)
    }

    /// A map of these keys and the values from a place on, which are taken off.
    pub fn shaped_from(keys: Arc<Keys<V>>, vals: &mut Vec<V>, from: usize) -> Self {
        let from = from.min(vals.len());
        debug_assert_eq!(keys.as_slice().len(), vals.len() - from);
        if vals.len() - from <= SMALL_MAX {
            let (depth, lazy) = nesting(&keys, vals.iter().skip(from));
            if depth <= DEEP {
                return Self::record(keys, (depth, lazy), FewBytes::default(), vals.drain(from..));
            }
        }
        Self::of_node(Node::shaped(keys, vals.split_off(from)))
    }

    /// A map of these keys and as many values, which are few.
    pub fn of_few(keys: Arc<Keys<V>>, vals: impl ExactSizeIterator<Item = V>) -> Self {
        debug_assert_eq!(keys.as_slice().len(), vals.len());
        if vals.len() > SMALL_MAX {
            return Self::shaped(keys, vals.collect());
        }
        let mut map = Self::record(keys, (0, false), FewBytes::default(), vals);
        let Kind::Record(keys) = &map.head().kind else { return map };
        let nesting = nesting(keys, map.vals_beside().iter());
        if nesting.0 > DEEP {
            let keys = keys.clone();
            return Self::of_node(Node::shaped(keys, map.take_vals()));
        }
        map.0.with_arc_mut(|a| {
            if let Some(record) = Shared::get_mut(a) {
                let head = record.header_mut();
                (head.depth, head.lazy) = (level(nesting.0), nesting.1);
            }
        });
        map
    }

    /// A map of these entries; of equal keys the first is kept, with the last value, as in Clojure.
    pub fn from_entries(entries: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut entries = entries.into_iter();
        let (mut keys, mut vals): (Vec<V>, Vec<V>) = (Vec::new(), Vec::new());
        // The first ones are put together before there is a map.
        for (k, v) in entries.by_ref() {
            match keys.iter().position(|old| old.same_key(&k)).and_then(|i| vals.get_mut(i)) {
                Some(slot) => *slot = v,
                None => {
                    keys.push(k);
                    vals.push(v);
                }
            }
            if keys.len() == SMALL_MAX {
                break;
            }
        }
        let mut m = Self::shaped(Keys::new(keys), vals);
        m.extend(entries);
        m
    }

    /// Adds these entries, later ones winning.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = (V, V)>) {
        for (k, v) in entries {
            self.insert(k, v);
        }
    }

    /// How many entries.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.head().kind {
            Kind::Record(_) => self.vals_beside().len(),
            Kind::Node(n) => n.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at `key`. In a [`Map::ranked`] one this looks at all keys and asks no comparator.
    #[inline]
    pub fn get(&self, key: &V) -> Option<&V> {
        match &self.head().kind {
            Kind::Record(keys) => self.vals_beside().get(keys.find(key)?),
            Kind::Node(n) => n.get(key),
        }
    }

    /// Of a record: the value at `key`, and how many entries there are.
    #[inline]
    pub fn field(&self, key: &V) -> Option<(&V, usize)> {
        let Kind::Record(keys) = &self.head().kind else { return None };
        let vals = self.vals_beside();
        Some((vals.get(keys.find(key)?)?, vals.len()))
    }

    /// As [`Map::field`], for one key again and again: `last` is where it was in the last record, which must not have been
    /// changed or freed since.
    #[inline]
    pub fn field_again(&self, key: &V, last: &mut LastPlace) -> Option<(&V, usize)> {
        let Kind::Record(keys) = &self.head().kind else { return None };
        let vals = self.vals_beside();
        let shape = Arc::as_ptr(keys).addr();
        if last.shape != shape {
            *last = LastPlace { shape, place: keys.find(key)? };
        }
        Some((vals.get(last.place)?, vals.len()))
    }

    /// Reads a little of what is looked at when it is used; gives something of that.
    #[inline]
    pub fn touched(&self) -> u32 {
        // Small values lie in the same place and in the next one.
        let at = |i: usize| self.vals_beside().get(i).map_or(0, |v| u32::from(v.plain()));
        u32::from(self.head().depth).wrapping_add(at(0)).wrapping_add(at(4))
    }

    /// The first entry, in the map's order, whose key fulfils `test`; only small maps are searched.
    pub fn find_small(&self, test: impl Fn(&V) -> bool) -> Option<(&V, &V)> {
        let (keys, vals) = self.arrays()?;
        let i = keys.as_slice().iter().position(test)?;
        Some((keys.as_slice().get(i)?, vals.get(i)?))
    }

    /// Keys and values, where they are in two arrays.
    fn arrays(&self) -> Option<(&Arc<Keys<V>>, &[V])> {
        match &self.head().kind {
            Kind::Record(keys) => Some((keys, self.vals_beside())),
            Kind::Node(n) => match &n.rep {
                Rep::Small { keys, vals, .. } => Some((keys, vals)),
                Rep::Large(..) | Rep::Flat(_) => None,
            },
        }
    }

    /// Whether entries are in insertion order.
    pub fn is_small(&self) -> bool {
        self.arrays().is_some() && self.comparator().is_none()
    }

    /// Whether entries are in the order of [`Item::key_order`].
    pub fn stands_by_key(&self) -> bool {
        self.arrays().is_none()
    }

    /// The key as it is in the map, and its value.
    pub fn entry(&self, key: &V) -> Option<(&V, &V)> {
        match &self.head().kind {
            Kind::Record(keys) => {
                let i = keys.find(key)?;
                Some((keys.as_slice().get(i)?, self.vals_beside().get(i)?))
            }
            Kind::Node(n) => n.entry(key),
        }
    }

    /// Whether [`Map::entry_like`] finds entries.
    pub fn is_hashed(&self) -> bool {
        self.node().is_some_and(|n| matches!(n.rep, Rep::Flat(_)))
    }

    /// Of a map that is hashed: an entry whose key has the hash of `like` and fulfils `test`.
    pub fn entry_like(&self, like: &V, test: impl Fn(&V) -> bool) -> Option<(&V, &V)> {
        match &self.node()?.rep {
            Rep::Flat(f) => f.entry_like(like, test),
            Rep::Small { .. } | Rep::Large(..) => None,
        }
    }

    /// Entries in the map's order.
    #[inline]
    pub fn iter(&self) -> Iter<'_, V> {
        match &self.head().kind {
            Kind::Record(keys) => Iter::Small(keys.as_slice().iter().zip(self.vals_beside().iter())),
            Kind::Node(n) => n.iter(),
        }
    }

    /// Entries in any order, for what does not depend on it: a large map need not be put in order.
    pub fn iter_unordered(&self) -> Iter<'_, V> {
        match self.node() {
            Some(n) => n.iter_unordered(),
            None => self.iter(),
        }
    }

    /// Up to `n` entries in the map's order, from `place` on; `after` is the key of the one before that, if there is
    /// one.
    pub fn part(&self, after: Option<&V>, place: usize, n: usize) -> Vec<(V, V)> {
        match self.node() {
            Some(node) => node.part(after, place, n),
            None => self.iter().skip(place).take(n).map(|(k, v)| (k.clone(), v.clone())).collect(),
        }
    }

    /// Keys in the map's order.
    pub fn keys(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|e| e.0)
    }

    /// Values in the map's order.
    pub fn vals(&self) -> impl Iterator<Item = &V> {
        self.iter().map(|e| e.1)
    }

    /// Nesting, itself included.
    #[inline]
    pub fn depth(&self) -> u32 {
        match &self.head().kind {
            Kind::Record(_) => u32::from(self.head().depth),
            Kind::Node(n) => n.head.depth,
        }
    }

    /// Whether an unrealised sequence is inside.
    #[inline]
    pub fn lazy(&self) -> bool {
        match &self.head().kind {
            Kind::Record(_) => self.head().lazy,
            Kind::Node(n) => n.head.lazy,
        }
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.node()?.head.meta()
    }

    /// The same entries with this metadata.
    #[must_use]
    pub fn with_meta(mut self, meta: Option<V>) -> Self {
        if meta.is_some() || self.meta().is_some() {
            self.with_node(|n| n.head.set_meta(meta));
        }
        self
    }

    /// Its bytes on the meter, without those of its entries and of what it shares: [`Map::shared`].
    pub fn own_bytes(&self) -> usize {
        self.head().bytes.get() + self.node().map_or(0, Node::own_bytes)
    }

    /// What it may share with other maps: the keys of small ones, the versions of large ones. Where each is, and its
    /// bytes on the meter.
    pub fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        let (keys, node) = match &self.head().kind {
            Kind::Record(keys) => (Some(keys.node()), None),
            Kind::Node(n) => (None, Some(n.shared())),
        };
        keys.into_iter().chain(node.into_iter().flatten())
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.head()).cast::<()>() as usize
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        self.address() == other.address()
    }

    /// Whether a change would be made in place.
    #[inline]
    pub fn is_unique(&self) -> bool {
        self.0.with_arc(Shared::is_unique)
    }

    /// Makes a copy of what has other owners, before a change.
    #[inline]
    fn own(&mut self) {
        if !self.is_unique() {
            *self = self.copied();
        }
    }

    fn copied(&self) -> Self {
        let head = self.head();
        match &head.kind {
            Kind::Record(keys) => {
                let vals = self.vals_beside().iter().cloned();
                Self::record(keys.clone(), (u32::from(head.depth), head.lazy), FewBytes::default(), vals)
            }
            Kind::Node(n) => Self::of_node((**n).clone()),
        }
    }

    /// Changes it as a node, which a record becomes.
    fn with_node<R>(&mut self, f: impl FnOnce(&mut Node<V>) -> R) -> Option<R> {
        if let Kind::Record(keys) = &self.head().kind {
            let keys = keys.clone();
            *self = Self::of_node(Node::shaped(keys, self.take_vals()));
        }
        self.own();
        self.0.with_arc_mut(|a| {
            let head = Shared::get_mut(a)?.header_mut();
            let Kind::Node(n) = &mut head.kind else { return None };
            Some(f(n))
        })
    }

    /// The values of a record: moved out while nobody else holds them.
    fn take_vals(&mut self) -> Vec<V> {
        let own = self.0.with_arc_mut(|a| {
            let vals = Shared::get_mut(a)?.slice_mut();
            Some(vals.iter_mut().map(std::mem::take).collect())
        });
        own.unwrap_or_else(|| self.vals_beside().to_vec())
    }

    /// Puts another value at a place of a record; gives the old one.
    #[inline]
    fn replace(&mut self, place: usize, val: V) -> Option<V> {
        self.own();
        self.0.with_arc_mut(|a| {
            let record = Shared::get_mut(a)?;
            let head = record.header_mut();
            head.depth = head.depth.max(level(val.depth().saturating_add(1)));
            head.lazy |= val.lazy();
            record.slice_mut().get_mut(place).map(|slot| std::mem::replace(slot, val))
        })
    }

    /// Adds an entry to a record, whose key is not there and which has room for it.
    fn add(&mut self, key: V, val: V) {
        let head = self.head();
        let mut nesting = (u32::from(head.depth), head.lazy);
        for v in [&key, &val] {
            nesting = (nesting.0.max(v.depth().saturating_add(1)), nesting.1 | v.lazy());
        }
        let left = self.vals_beside().len() + 1;
        let mut entry = Some((key, val));
        let own = self.0.with_arc_mut(|a| {
            let record = Shared::get_mut(a)?;
            let head = record.header_mut();
            let Kind::Record(keys) = &mut head.kind else { return None };
            let (key, val) = entry.take()?;
            match Arc::get_mut(keys) {
                Some(k) => k.insert(left - 1, key),
                None => *keys = keys.with(key),
            }
            let (keys, bytes) = (keys.clone(), std::mem::take(&mut head.bytes));
            let items = record.slice_mut().iter_mut().map(std::mem::take).chain([val]);
            Some(Self::record(keys, nesting, bytes, Counted { items, left }))
        });
        let made = own.or_else(|| {
            let (key, val) = entry?;
            let Kind::Record(keys) = &self.head().kind else { return None };
            let items = self.vals_beside().iter().cloned().chain([val]);
            Some(Self::record(keys.with(key), nesting, FewBytes::default(), Counted { items, left }))
        });
        if let Some(made) = made {
            *self = made;
        }
    }

    /// Binds `key` to `val`. A key that is there stays as it is.
    pub fn insert(&mut self, key: V, val: V) {
        if let Kind::Record(keys) = &self.head().kind
            && key.depth().max(val.depth()) < DEEP
        {
            match keys.find(&key) {
                Some(place) => return drop(self.replace(place, val)),
                None if self.vals_beside().len() < SMALL_MAX => return self.add(key, val),
                None => {
                    let keys = keys.clone();
                    let nesting = nesting(&keys, self.vals_beside().iter().chain([&key, &val]));
                    let record = keys.record_type().cloned();
                    let keys = keys.as_slice().iter().cloned().chain([key]);
                    let entries = keys.zip(self.take_vals().into_iter().chain([val])).collect();
                    *self = Self::of_node(Node::large(entries, nesting, record));
                    return;
                }
            }
        }
        self.with_node(|n| n.insert(key, val));
    }

    /// Takes `key` and its value away.
    pub fn remove(&mut self, key: &V) -> Option<V> {
        let Kind::Record(keys) = &self.head().kind else {
            self.get(key)?;
            return self.with_node(|n| n.remove(key))?;
        };
        let place = keys.find(key)?;
        let keys = keys.without(place);
        let mut vals = self.take_vals();
        let gone = vals.remove(place);
        // What was allocated for it stays charged.
        let bytes = self.0.with_arc_mut(|a| Some(std::mem::take(&mut Shared::get_mut(a)?.header_mut().bytes)));
        let nesting = nesting(&keys, vals.iter());
        *self = Self::record(keys, nesting, bytes.unwrap_or_default(), vals.into_iter());
        Some(gone)
    }

    /// Takes the value at `key` out for a change, leaving a default; put it back with [`Map::insert`].
    pub fn take(&mut self, key: &V) -> Option<V> {
        if let Kind::Record(keys) = &self.head().kind {
            let place = keys.find(key)?;
            return self.replace(place, V::default());
        }
        // A shared map is copied only when there is something to change.
        if !self.is_unique() {
            self.get(key)?;
        }
        self.with_node(|n| n.rep.get_mut(key).map(std::mem::take))?
    }

    /// Changes the value at `key`, if there is one, by `f`, which gets it to keep: in place while nobody else holds the
    /// map. `false`, and no change, when the key is not there. After an error the entry is left with a default.
    pub fn change<E>(&mut self, key: &V, f: impl FnOnce(V) -> Result<V, E>) -> Result<bool, E> {
        if let Kind::Record(keys) = &self.head().kind {
            let Some(place) = keys.find(key) else { return Ok(false) };
            let new = f(self.replace(place, V::default()).unwrap_or_default())?;
            if new.depth() < DEEP {
                self.replace(place, new);
            } else {
                self.insert(key.clone(), new);
            }
            return Ok(true);
        }
        // A shared map is copied only when there is something to change.
        if !self.is_unique() && self.get(key).is_none() {
            return Ok(false);
        }
        self.with_node(|n| n.change(key, f)).unwrap_or(Ok(false))
    }

    /// Binds `key` to what `f` gives, which gets the value that is there, if this is a large map that is nobody else's: the
    /// key is looked for once. Else the key comes back, and `f` is not asked. After an error the entry is left with a default.
    pub fn upsert<E>(&mut self, key: V, f: impl FnOnce(Option<V>) -> Result<V, E>) -> Result<Result<(), E>, V> {
        if !self.is_hashed() || !self.is_unique() {
            return Err(key);
        }
        let mut back = Some(key);
        let done = self.with_node(|n| n.upsert(back.take().unwrap_or_default(), f));
        match done {
            Some(done) => done,
            None => Err(back.unwrap_or_default()),
        }
    }

    /// Whether [`Map::adjust`] may find entries: it is nobody else's, and a table or a small map with room for more.
    #[inline]
    pub fn is_open(&self) -> bool {
        let plain = match &self.head().kind {
            Kind::Record(_) => self.vals_beside().len() < SMALL_MAX,
            Kind::Node(n) => matches!(n.rep, Rep::Flat(_)),
        };
        plain && self.is_unique()
    }

    /// Has `f` change the value at `key` in place; where there is none and `adds` says that the key may be added to a table,
    /// what `f` makes of a default is. `f` says whether it changed it, from what holds nothing to what holds nothing.
    /// `None` where nothing was changed, else whether an entry was added.
    #[inline]
    pub fn adjust(&mut self, key: &V, adds: bool, f: impl FnOnce(&mut V) -> bool) -> Option<bool> {
        self.0.with_arc_mut(|a| {
            let record = Shared::get_mut(a)?;
            let place = match &mut record.header_mut().kind {
                Kind::Record(keys) => keys.find(key)?,
                Kind::Node(n) => return n.adjust(key, adds, f),
            };
            f(record.slice_mut().get_mut(place)?).then_some(false)
        })
    }

    /// The type of a record.
    #[inline]
    pub fn record_type(&self) -> Option<&Arc<RecordType<V>>> {
        self.any_type()
    }

    #[inline]
    fn any_type(&self) -> Option<&Arc<RecordType<V>>> {
        match &self.head().kind {
            Kind::Record(keys) => keys.record_type(),
            Kind::Node(n) => n.record.as_ref(),
        }
    }

    /// The same entries, in a map that is no record.
    #[must_use]
    pub fn untyped(mut self) -> Self {
        if self.any_type().is_none() {
            return self;
        }
        if let Kind::Record(keys) = &self.head().kind {
            let keys = keys.untyped();
            return Self::shaped(keys, self.take_vals());
        }
        self.with_node(|n| {
            n.record = None;
            if let Rep::Small { keys, .. } = &mut n.rep {
                *keys = keys.untyped();
            }
        });
        self
    }

    /// The keys of a small record, to make others of its type.
    pub fn typed_shape(&self) -> Option<&Arc<Keys<V>>> {
        self.record_type()?;
        self.arrays().map(|a| a.0)
    }

    /// The keys of a small map, to make others of the same shape; not of a record, whose type goes with them.
    pub fn shape(&self) -> Option<&Arc<Keys<V>>> {
        if self.comparator().is_some() || self.any_type().is_some() { None } else { self.arrays().map(|a| a.0) }
    }

    /// For [`Item::drain_nested`]: what it holds, if it is deep and uniquely held.
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        if self.depth() > DEEP && self.is_unique() {
            self.with_node(|n| n.take(out));
        }
    }
}

/// Nesting of a record of these keys and values, itself included, and whether an unrealised sequence is inside.
#[inline]
fn nesting<'a, V: Item>(keys: &Keys<V>, vals: impl Iterator<Item = &'a V>) -> (u32, bool) {
    vals.fold(keys.nesting(), |(depth, lazy), v| (depth.max(v.depth().saturating_add(1)), lazy | v.lazy()))
}

impl<V: Item> Default for Map<V> {
    fn default() -> Self {
        Self::new()
    }
}
