//! Maps: up to 32 entries two arrays in insertion order, whose keys many maps share; larger ones a table by hash while
//! one owner makes them, else a tree by key.

mod custom_order;
mod flat;
mod tree;

use super::node::{Bytes, DEEP, Item, Lineage, NodeHeader, drop_items};
use super::text::OVERHEAD;
use flat::Flat;
use std::sync::Arc;
use tree::{Sought, Tree, tree_bytes, tree_entry};

pub use tree::{Key, copies};

/// Largest map that keeps insertion order (difference 3).
pub const SMALL_MAX: usize = 32;
/// What a change copies of a tree that is shared.
const PATH_BYTES: usize = 2200;

/// The keys of small maps, made once and shared by all maps of one shape.
pub struct Keys<V: Item> {
    keys: Vec<V>,
    head: NodeHeader<V>,
    _bytes: Bytes,
}

impl<V: Item> Keys<V> {
    /// Keys in this order; the caller has seen to it that they differ.
    pub fn new(keys: Vec<V>) -> Arc<Self> {
        let bytes = Bytes::new(size_of::<Self>() + OVERHEAD + keys.capacity() * size_of::<V>());
        Arc::new(Keys { head: NodeHeader::of(&keys), keys, _bytes: bytes })
    }

    /// Where they are, and their bytes on the meter without those of each key.
    pub fn node(self: &Arc<Self>) -> (usize, usize) {
        (Arc::as_ptr(self).cast::<()>() as usize, self._bytes.get())
    }

    /// The keys.
    pub fn as_slice(&self) -> &[V] {
        &self.keys
    }

    #[inline]
    fn find(&self, key: &V) -> Option<usize> {
        self.keys.iter().position(|k| k.same_key(key))
    }
}

impl<V: Item> Drop for Keys<V> {
    fn drop(&mut self) {
        if self.head.depth > DEEP {
            drop_items(std::mem::take(&mut self.keys));
        }
    }
}

enum Rep<V: Item> {
    Small { keys: Arc<Keys<V>>, vals: Vec<V>, bytes: Bytes },
    Large(Tree<V>, Arc<Lineage>),
    Flat(Box<Flat<V>>),
}

/// The order of entries.
#[derive(Clone)]
enum Order<V> {
    /// As they came, while there are few.
    Arrival,
    /// Made by `sorted-map`: by key whatever its size, and so is what it becomes.
    Key,
    /// Made by `sorted-map-by`: as this function says. No order is known here, so entries are in arrays of any length.
    Comparator(Box<V>),
}

struct Node<V: Item> {
    head: NodeHeader<V>,
    order: Order<V>,
    rep: Rep<V>,
}

/// A persistent map: O(1) to clone, changed in place while it has one owner.
pub struct Map<V: Item>(Arc<Node<V>>);

impl<V: Item> Clone for Map<V> {
    #[inline]
    fn clone(&self) -> Self {
        Map(self.0.clone())
    }
}

fn small_bytes<V: Item>(vals: &Vec<V>) -> usize {
    size_of::<Node<V>>() + OVERHEAD + vals.capacity() * size_of::<V>()
}

fn small<V: Item>(keys: Arc<Keys<V>>, vals: Vec<V>) -> Rep<V> {
    let bytes = Bytes::new(small_bytes(&vals));
    Rep::Small { keys, vals, bytes }
}

/// More entries than a small map may have, whose keys differ.
fn large<V: Item>(entries: Vec<(V, V)>) -> Rep<V> {
    match Flat::new(entries) {
        Ok(flat) => Rep::Flat(Box::new(flat)),
        Err(entries) => {
            let tree: Tree<V> = entries.into_iter().map(|(k, v)| (Key(k), v)).collect();
            let lineage = Lineage::root(tree_bytes::<V>(tree.len()));
            Rep::Large(tree, lineage)
        }
    }
}

/// The entries of two arrays.
fn zipped<V: Item>(mut keys: Arc<Keys<V>>, vals: Vec<V>) -> Vec<(V, V)> {
    match Arc::get_mut(&mut keys) {
        Some(k) => std::mem::take(&mut k.keys).into_iter().zip(vals).collect(),
        None => keys.keys.iter().cloned().zip(vals).collect(),
    }
}

impl<V: Item> Rep<V> {
    /// Makes a table a tree, in which any change can be made.
    fn make_tree(&mut self) {
        if let Rep::Flat(f) = self {
            let (tree, lineage) = f.take_tree();
            *self = Rep::Large(tree, lineage);
        }
    }

    /// The value at `key`, to change it.
    #[inline]
    fn get_mut(&mut self, key: &V) -> Option<&mut V> {
        if let Rep::Flat(f) = self
            && f.is_superseded()
        {
            self.make_tree();
        }
        match self {
            Rep::Small { keys, vals, .. } => keys.find(key).and_then(|i| vals.get_mut(i)),
            Rep::Large(t, _) => t.get_mut(&Sought(key)),
            Rep::Flat(f) => f.get_mut(key),
        }
    }
}

impl<V: Item> Map<V> {
    /// The empty map.
    pub fn new() -> Self {
        Self::shaped(Keys::new(Vec::new()), Vec::new())
    }

    /// The empty map that keeps its entries by key.
    pub fn sorted() -> Self {
        let rep = Rep::Large(Tree::new(), Lineage::root(tree_bytes::<V>(0)));
        Map(Arc::new(Node { head: NodeHeader::default(), order: Order::Key, rep }))
    }

    /// Whether it was made by [`Map::sorted`] or [`Map::ranked`].
    pub fn is_sorted(&self) -> bool {
        !matches!(self.0.order, Order::Arrival)
    }

    /// An empty map of the same kind.
    #[must_use]
    pub fn emptied(&self) -> Self {
        match &self.0.order {
            Order::Arrival => Self::new(),
            Order::Key => Self::sorted(),
            Order::Comparator(f) => Self::ranked((**f).clone()),
        }
    }

    /// A map of these keys and as many values.
    pub fn shaped(keys: Arc<Keys<V>>, vals: Vec<V>) -> Self {
        debug_assert_eq!(keys.keys.len(), vals.len());
        let mut head = NodeHeader::of(&vals);
        head.depth = head.depth.max(keys.head.depth);
        head.lazy |= keys.head.lazy;
        if vals.len() > SMALL_MAX {
            let rep = large(zipped(keys, vals));
            return Map(Arc::new(Node { head, order: Order::Arrival, rep }));
        }
        Map(Arc::new(Node { head, order: Order::Arrival, rep: small(keys, vals) }))
    }

    /// A map of these entries; of equal keys the first is kept, with the last value, as in Clojure.
    pub fn from_entries(entries: impl IntoIterator<Item = (V, V)>) -> Self {
        let mut m = Map::new();
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
        match &self.0.rep {
            Rep::Small { vals, .. } => vals.len(),
            Rep::Large(t, _) => t.len(),
            Rep::Flat(f) => f.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value at `key`. In a [`Map::ranked`] one this looks at all keys and asks no comparator.
    #[inline]
    pub fn get(&self, key: &V) -> Option<&V> {
        match &self.0.rep {
            Rep::Small { keys, vals, .. } => keys.find(key).and_then(|i| vals.get(i)),
            Rep::Large(t, _) => t.get(&Sought(key)),
            Rep::Flat(f) => f.entry(key).map(|e| e.1),
        }
    }

    /// The first entry, in the map's order, whose key fulfils `test`; only small maps are searched.
    pub fn find_small(&self, test: impl Fn(&V) -> bool) -> Option<(&V, &V)> {
        match &self.0.rep {
            Rep::Small { keys, vals, .. } => {
                let i = keys.keys.iter().position(test)?;
                Some((keys.keys.get(i)?, vals.get(i)?))
            }
            Rep::Large(..) | Rep::Flat(_) => None,
        }
    }

    /// Whether entries are in insertion order.
    pub fn is_small(&self) -> bool {
        matches!(self.0.rep, Rep::Small { .. }) && self.comparator().is_none()
    }

    /// Whether entries are in the order of [`Item::key_order`].
    pub fn stands_by_key(&self) -> bool {
        !matches!(self.0.rep, Rep::Small { .. })
    }

    /// The key as it is in the map, and its value.
    pub fn entry(&self, key: &V) -> Option<(&V, &V)> {
        match &self.0.rep {
            Rep::Small { keys, vals, .. } => {
                let i = keys.find(key)?;
                Some((keys.keys.get(i)?, vals.get(i)?))
            }
            Rep::Large(t, _) => t.get_key_value(&Sought(key)).map(|(k, v)| (&k.0, v)),
            Rep::Flat(f) => f.entry(key),
        }
    }

    /// Whether [`Map::entry_like`] finds entries.
    pub fn is_hashed(&self) -> bool {
        matches!(self.0.rep, Rep::Flat(_))
    }

    /// Of a map that is hashed: an entry whose key has the hash of `like` and fulfils `test`.
    pub fn entry_like(&self, like: &V, test: impl Fn(&V) -> bool) -> Option<(&V, &V)> {
        match &self.0.rep {
            Rep::Flat(f) => f.entry_like(like, test),
            Rep::Small { .. } | Rep::Large(..) => None,
        }
    }

    /// Entries in the map's order.
    pub fn iter(&self) -> Iter<'_, V> {
        match &self.0.rep {
            Rep::Small { keys, vals, .. } => Iter::Small(keys.keys.iter().zip(vals.iter())),
            Rep::Large(t, _) => Iter::Large(t.iter()),
            Rep::Flat(f) => Iter::Flat(f.entries(), f.order().iter()),
        }
    }

    /// Entries in any order, for what does not depend on it: a large map need not be put in order.
    pub fn iter_unordered(&self) -> Iter<'_, V> {
        match &self.0.rep {
            Rep::Flat(f) => Iter::Stored(f.entries().iter()),
            Rep::Small { .. } | Rep::Large(..) => self.iter(),
        }
    }

    /// Up to `n` entries in the map's order, from `place` on; `after` is the key of the one before that, if there is
    /// one.
    pub fn part(&self, after: Option<&V>, place: usize, n: usize) -> Vec<(V, V)> {
        use std::ops::Bound::{Excluded, Unbounded};
        let owned = |(k, v): (&Key<V>, &V)| (k.0.clone(), v.clone());
        match (&self.0.rep, after) {
            (Rep::Small { keys, vals, .. }, _) => {
                let (keys, vals) = (keys.keys.iter().skip(place), vals.iter().skip(place));
                keys.cloned().zip(vals.cloned()).take(n).collect()
            }
            (Rep::Large(t, _), None) => t.iter().take(n).map(owned).collect(),
            (Rep::Large(t, _), Some(key)) => {
                t.range((Excluded(Key(key.clone())), Unbounded)).take(n).map(owned).collect()
            }
            (Rep::Flat(f), _) => {
                let entries = f.order().iter().skip(place).filter_map(|at| f.entries().get(*at as usize));
                entries.take(n).cloned().collect()
            }
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
        self.0.head.depth
    }

    /// Whether an unrealised sequence is inside.
    #[inline]
    pub fn lazy(&self) -> bool {
        self.0.head.lazy
    }

    /// The metadata.
    pub fn meta(&self) -> Option<&V> {
        self.0.head.meta()
    }

    /// The same entries with this metadata.
    #[must_use]
    pub fn with_meta(mut self, meta: Option<V>) -> Self {
        Arc::make_mut(&mut self.0).head.set_meta(meta);
        self
    }

    /// Its bytes on the meter, without those of its entries and of what it shares: [`Map::shared`].
    pub fn own_bytes(&self) -> usize {
        match &self.0.rep {
            Rep::Small { bytes, .. } => bytes.get(),
            Rep::Large(..) => 0,
            Rep::Flat(f) => f.own_bytes(),
        }
    }

    /// What it may share with other maps: the keys of small ones, the versions of large ones. Where each is, and its
    /// bytes on the meter.
    pub fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        let (keys, links, made) = match &self.0.rep {
            Rep::Small { keys, .. } => (Some(keys.node()), None, None),
            Rep::Large(_, lineage) => (None, Some(Lineage::links(lineage)), None),
            Rep::Flat(f) => (None, None, Some(f.versions())),
        };
        keys.into_iter().chain(links.into_iter().flatten()).chain(made.into_iter().flatten())
    }

    /// A number that identifies the allocation while it lives.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).cast::<()>() as usize
    }

    /// Whether both are the same allocation.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Whether a change would be made in place.
    pub fn is_unique(&mut self) -> bool {
        Arc::get_mut(&mut self.0).is_some()
    }

    /// Binds `key` to `val`. A key that is there stays as it is.
    pub fn insert(&mut self, key: V, val: V) {
        let n = Arc::make_mut(&mut self.0);
        n.head.add(&key);
        n.head.add(&val);
        let (mut key, mut val) = (key, val);
        if let Rep::Flat(f) = &mut n.rep {
            match f.insert(key, val) {
                Some(entry) => (key, val) = entry,
                None => return,
            }
            n.rep.make_tree();
        }
        match &mut n.rep {
            Rep::Small { keys, vals, bytes } => {
                if let Some(slot) = keys.find(&key).and_then(|i| vals.get_mut(i)) {
                    *slot = val;
                } else if vals.len() < SMALL_MAX || matches!(n.order, Order::Comparator(_)) {
                    match Arc::get_mut(keys) {
                        Some(k) => k.push(key),
                        None => {
                            let mut more = Vec::with_capacity(keys.keys.len() + 1);
                            more.extend(keys.keys.iter().cloned());
                            more.push(key);
                            *keys = Keys::new(more);
                        }
                    }
                    vals.push(val);
                    bytes.set(size_of::<Node<V>>() + OVERHEAD + vals.capacity() * size_of::<V>());
                } else {
                    let keys = keys.keys.iter().cloned().chain([key]);
                    n.rep = large(keys.zip(std::mem::take(vals).into_iter().chain([val])).collect());
                }
            }
            Rep::Large(t, l) => {
                let before = t.len();
                let k = Key(key);
                // One search where equal keys cannot be told apart; else the key that is there has to stay.
                match if k.0.plain() { None } else { t.get_mut(&Sought(&k.0)) } {
                    Some(slot) => *slot = val,
                    None => {
                        t.insert(k, val);
                    }
                }
                let added = (t.len() - before) * tree_entry::<V>();
                Lineage::grow(l, added, tree_bytes::<V>(t.len()), true);
            }
            // It has become a tree.
            Rep::Flat(_) => {}
        }
    }

    /// Takes `key` and its value away.
    pub fn remove(&mut self, key: &V) -> Option<V> {
        self.get(key)?;
        let n = Arc::make_mut(&mut self.0);
        if let Rep::Flat(f) = &mut n.rep {
            if f.may_remove() {
                return f.remove(key);
            }
            n.rep.make_tree();
        }
        match &mut n.rep {
            Rep::Small { keys, vals, bytes } => {
                let i = keys.find(key)?;
                let rest = keys.keys.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, k)| k.clone());
                *keys = Keys::new(rest.collect());
                let gone = vals.remove(i);
                bytes.set(small_bytes(vals));
                n.head.renew(keys.keys.iter().chain(vals.iter()));
                if let Order::Comparator(f) = &n.order {
                    n.head.add(f);
                }
                Some(gone)
            }
            Rep::Large(t, l) => {
                let gone = t.remove(&Sought(key));
                Lineage::grow(l, 0, tree_bytes::<V>(t.len()), true);
                gone
            }
            Rep::Flat(_) => None,
        }
    }

    /// Takes the value at `key` out for a change, leaving a default; put it back with [`Map::insert`].
    pub fn take(&mut self, key: &V) -> Option<V> {
        // A shared map is copied only when there is something to change.
        if Arc::strong_count(&self.0) > 1 {
            self.get(key)?;
        }
        Arc::make_mut(&mut self.0).rep.get_mut(key).map(std::mem::take)
    }

    /// Changes the value at `key`, if there is one, by `f`, which gets it to keep: in place while nobody else holds the
    /// map. `false`, and no change, when the key is not there. After an error the entry is left with a default.
    pub fn change<E>(&mut self, key: &V, f: impl FnOnce(V) -> Result<V, E>) -> Result<bool, E> {
        // A shared map is copied only when there is something to change.
        if Arc::strong_count(&self.0) > 1 && self.get(key).is_none() {
            return Ok(false);
        }
        let n = Arc::make_mut(&mut self.0);
        let Some(slot) = n.rep.get_mut(key) else { return Ok(false) };
        let new = f(std::mem::take(slot))?;
        n.head.add(&new);
        *slot = new;
        Ok(true)
    }

    /// The keys of a small map, to make others of the same shape.
    pub fn shape(&self) -> Option<&Arc<Keys<V>>> {
        match &self.0.rep {
            Rep::Small { keys, .. } if self.comparator().is_none() => Some(keys),
            Rep::Small { .. } | Rep::Large(..) | Rep::Flat(_) => None,
        }
    }

    /// For [`Item::drain_nested`]: what it holds, if it is deep and uniquely held.
    pub fn drain_nested(&mut self, out: &mut Vec<V>) {
        if let Some(n) = Arc::get_mut(&mut self.0)
            && n.head.depth > DEEP
        {
            n.take(out);
        }
    }
}

impl<V: Item> Keys<V> {
    fn push(&mut self, key: V) {
        self.insert(self.keys.len(), key);
    }

    fn insert(&mut self, place: usize, key: V) {
        self.head.add(&key);
        self.keys.insert(place, key);
        self._bytes.set(size_of::<Self>() + OVERHEAD + self.keys.capacity() * size_of::<V>());
    }
}

impl<V: Item> Node<V> {
    fn take(&mut self, out: &mut Vec<V>) {
        match &mut self.rep {
            Rep::Small { keys, vals, .. } => {
                out.append(vals);
                // Members of sets and keys nest as well.
                if let Some(k) = Arc::get_mut(keys) {
                    out.append(&mut k.keys);
                }
            }
            Rep::Large(t, _) => {
                for (k, v) in std::mem::take(t) {
                    out.push(k.0);
                    out.push(v);
                }
            }
            Rep::Flat(f) => f.take(out),
        }
        out.extend(self.head.take_meta());
        if let Order::Comparator(f) = std::mem::replace(&mut self.order, Order::Arrival) {
            out.push(*f);
        }
    }
}

/// The copy that is made before a change to a map with several owners.
impl<V: Item> Clone for Node<V> {
    fn clone(&self) -> Self {
        let rep = match &self.rep {
            Rep::Small { keys, vals, .. } => small(keys.clone(), vals.clone()),
            Rep::Large(t, l) => version(t, l),
            Rep::Flat(f) => {
                let (t, l) = f.tree();
                version(t, l)
            }
        };
        Node { head: self.head.clone(), order: self.order.clone(), rep }
    }
}

/// A version of a tree that shares its nodes.
fn version<V: Item>(tree: &Tree<V>, lineage: &Arc<Lineage>) -> Rep<V> {
    tree::copies::note_large();
    let mut lineage = lineage.clone();
    Lineage::grow(&mut lineage, PATH_BYTES, tree_bytes::<V>(tree.len()), false);
    Rep::Large(tree.clone(), lineage)
}

impl<V: Item> Drop for Node<V> {
    fn drop(&mut self) {
        if self.head.depth > DEEP {
            let mut list = Vec::new();
            self.take(&mut list);
            drop_items(list);
        }
    }
}

impl<V: Item> Default for Map<V> {
    fn default() -> Self {
        Self::new()
    }
}

/// The entries of a map in order.
pub enum Iter<'a, V: Item> {
    /// Of a small map.
    Small(std::iter::Zip<std::slice::Iter<'a, V>, std::slice::Iter<'a, V>>),
    /// Of a tree.
    Large(im::ordmap::Iter<'a, Key<V>, V, im::shared_ptr::DefaultSharedPtr>),
    /// Of a table, by key.
    Flat(&'a [(V, V)], std::slice::Iter<'a, u32>),
    /// Of a table, as its entries are stored.
    Stored(std::slice::Iter<'a, (V, V)>),
}

impl<'a, V: Item> Iterator for Iter<'a, V> {
    type Item = (&'a V, &'a V);
    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Small(i) => i.next(),
            Iter::Large(i) => i.next().map(|(k, v)| (&k.0, v)),
            Iter::Flat(entries, order) => entries.get(*order.next()? as usize).map(|(k, v)| (k, v)),
            Iter::Stored(i) => i.next().map(|(k, v)| (k, v)),
        }
    }
}
