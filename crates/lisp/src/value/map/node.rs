//! Maps in a node of their own: large ones, and small ones that are deep, have metadata or a comparator.

use super::flat::Flat;
use super::keys::{Keys, RecordType};
use super::tree::{Key, Sought, Tree, tree_bytes, tree_entry};
use crate::value::node::{Bytes, DEEP, Item, Lineage, NodeHeader, drop_items};
use crate::value::text::OVERHEAD;
use std::sync::Arc;

/// Largest map that keeps insertion order (difference 3).
pub const SMALL_MAX: usize = 32;
/// What a change copies of a tree that is shared.
const PATH_BYTES: usize = 2200;

/// Where the entries are.
pub enum Rep<V: Item> {
    /// In two arrays, in order.
    Small {
        /// Of each entry.
        keys: Arc<Keys<V>>,
        /// Of each entry.
        vals: Vec<V>,
        /// What they take.
        bytes: Bytes,
    },
    /// In a tree, which other versions share.
    Large(Tree<V>, Arc<Lineage>),
    /// In a table.
    Flat(Box<Flat<V>>),
}

/// The order of entries.
#[derive(Clone)]
pub enum Order<V> {
    /// As they came, while there are few.
    Arrival,
    /// Made by `sorted-map`: by key whatever its size, and so is what it becomes.
    Key,
    /// Made by `sorted-map-by`: as this function says. No order is known here, so entries are in arrays of any length.
    Comparator(Box<V>),
}

/// A map in a node.
pub struct Node<V: Item> {
    /// Of keys, values, metadata and comparator.
    pub head: NodeHeader<V>,
    /// Of entries.
    pub order: Order<V>,
    /// The entries.
    pub rep: Rep<V>,
    /// Of a record: its type.
    pub record: Option<Arc<RecordType<V>>>,
}

/// What two arrays take. Whether it is of a record does not count: so it was before there were any.
pub fn small_bytes<V: Item>(vals: &Vec<V>) -> usize {
    size_of::<Node<V>>() - size_of::<Option<Arc<RecordType<V>>>>() + OVERHEAD + vals.capacity() * size_of::<V>()
}

/// Entries in two arrays.
pub fn small<V: Item>(keys: Arc<Keys<V>>, vals: Vec<V>) -> Rep<V> {
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
        Some(k) => k.take().into_iter().zip(vals).collect(),
        None => keys.as_slice().iter().cloned().zip(vals).collect(),
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
    pub fn get_mut(&mut self, key: &V) -> Option<&mut V> {
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

impl<V: Item> Node<V> {
    /// A node of these entries, in insertion order if they are few.
    pub fn shaped(keys: Arc<Keys<V>>, vals: Vec<V>) -> Self {
        let mut head = NodeHeader::of(&vals);
        let (depth, lazy) = keys.nesting();
        head.depth = head.depth.max(depth);
        head.lazy |= lazy;
        let record = keys.record_type().cloned();
        let rep = if vals.len() > SMALL_MAX { large(zipped(keys, vals)) } else { small(keys, vals) };
        Node { head, order: Order::Arrival, rep, record }
    }

    /// A node of more entries than a small map may have, whose keys differ.
    pub fn large(entries: Vec<(V, V)>, (depth, lazy): (u32, bool), record: Option<Arc<RecordType<V>>>) -> Self {
        let mut head = NodeHeader::default();
        (head.depth, head.lazy) = (depth, lazy);
        Node { head, order: Order::Arrival, rep: large(entries), record }
    }

    /// None, by key.
    pub fn sorted() -> Self {
        let rep = Rep::Large(Tree::new(), Lineage::root(tree_bytes::<V>(0)));
        Node { head: NodeHeader::default(), order: Order::Key, rep, record: None }
    }

    /// How many entries.
    pub fn len(&self) -> usize {
        match &self.rep {
            Rep::Small { vals, .. } => vals.len(),
            Rep::Large(t, _) => t.len(),
            Rep::Flat(f) => f.len(),
        }
    }

    /// The comparator of a sorted map.
    pub fn comparator(&self) -> Option<&V> {
        match &self.order {
            Order::Comparator(f) => Some(f),
            Order::Arrival | Order::Key => None,
        }
    }

    /// The value at `key`. In a [`Map::ranked`] one this looks at all keys and asks no comparator.
    #[inline]
    pub fn get(&self, key: &V) -> Option<&V> {
        match &self.rep {
            Rep::Small { keys, vals, .. } => keys.find(key).and_then(|i| vals.get(i)),
            Rep::Large(t, _) => t.get(&Sought(key)),
            Rep::Flat(f) => f.entry(key).map(|e| e.1),
        }
    }

    /// The key as it is in the map, and its value.
    pub fn entry(&self, key: &V) -> Option<(&V, &V)> {
        match &self.rep {
            Rep::Small { keys, vals, .. } => {
                let i = keys.find(key)?;
                Some((keys.as_slice().get(i)?, vals.get(i)?))
            }
            Rep::Large(t, _) => t.get_key_value(&Sought(key)).map(|(k, v)| (&k.0, v)),
            Rep::Flat(f) => f.entry(key),
        }
    }

    /// Binds `key` to `val`. A key that is there stays as it is.
    pub fn insert(&mut self, key: V, val: V) {
        let n = self;
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
                        Some(k) => k.insert(vals.len(), key),
                        None => *keys = keys.with(key),
                    }
                    vals.push(val);
                    bytes.set(small_bytes(vals));
                } else {
                    let keys = keys.as_slice().iter().cloned().chain([key]);
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
        let n = self;
        // Without one of its fields it is no record of the type.
        if n.record.as_ref().is_some_and(|r| r.has_field(key)) {
            n.record = None;
        }
        if let Rep::Flat(f) = &mut n.rep {
            if f.may_remove() {
                return f.remove(key);
            }
            n.rep.make_tree();
        }
        match &mut n.rep {
            Rep::Small { keys, vals, bytes } => {
                let i = keys.find(key)?;
                *keys = keys.without(i);
                let gone = vals.remove(i);
                bytes.set(small_bytes(vals));
                n.head.renew(keys.as_slice().iter().chain(vals.iter()));
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

    /// Changes the value at `key`, if there is one: as [`super::Map::change`].
    pub fn change<E>(&mut self, key: &V, f: impl FnOnce(V) -> Result<V, E>) -> Result<bool, E> {
        let Some(slot) = self.rep.get_mut(key) else { return Ok(false) };
        let new = f(std::mem::take(slot))?;
        self.head.add(&new);
        *slot = new;
        Ok(true)
    }

    /// As [`Flat::upsert`]; the key comes back from what is no table.
    pub fn upsert<E>(&mut self, key: V, f: impl FnOnce(Option<V>) -> Result<V, E>) -> Result<Result<(), E>, V> {
        let Rep::Flat(flat) = &mut self.rep else { return Err(key) };
        let head = &mut self.head;
        head.add(&key);
        flat.upsert(key, |old| {
            let new = f(old)?;
            head.add(&new);
            Ok(new)
        })
    }

    /// As [`super::Map::adjust`], of a table.
    #[inline]
    pub fn adjust(&mut self, key: &V, adds: bool, f: impl FnOnce(&mut V) -> bool) -> Option<bool> {
        match &mut self.rep {
            Rep::Flat(flat) => flat.adjust(key, adds, f),
            Rep::Small { .. } | Rep::Large(..) => None,
        }
    }

    /// Entries in the map's order.
    pub fn iter(&self) -> Iter<'_, V> {
        match &self.rep {
            Rep::Small { keys, vals, .. } => Iter::Small(keys.as_slice().iter().zip(vals.iter())),
            Rep::Large(t, _) => Iter::Large(t.iter()),
            Rep::Flat(f) => Iter::Flat(f.entries(), f.order().iter()),
        }
    }

    /// Entries in any order, for what does not depend on it: a large map need not be put in order.
    pub fn iter_unordered(&self) -> Iter<'_, V> {
        match &self.rep {
            Rep::Flat(f) => Iter::Stored(f.entries().iter()),
            Rep::Small { .. } | Rep::Large(..) => self.iter(),
        }
    }

    /// Up to `n` entries in the map's order, from `place` on; `after` is the key of the one before that, if there is
    /// one.
    pub fn part(&self, after: Option<&V>, place: usize, n: usize) -> Vec<(V, V)> {
        use std::ops::Bound::{Excluded, Unbounded};
        let owned = |(k, v): (&Key<V>, &V)| (k.0.clone(), v.clone());
        match (&self.rep, after) {
            (Rep::Small { keys, vals, .. }, _) => {
                let (keys, vals) = (keys.as_slice().iter().skip(place), vals.iter().skip(place));
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

    /// Its bytes on the meter, without those of its entries and of what it shares: [`Map::shared`].
    pub fn own_bytes(&self) -> usize {
        match &self.rep {
            Rep::Small { bytes, .. } => bytes.get(),
            Rep::Large(..) => 0,
            Rep::Flat(f) => f.own_bytes(),
        }
    }

    /// What it may share with other maps: the keys of small ones, the versions of large ones. Where each is, and its
    /// bytes on the meter.
    pub fn shared(&self) -> impl Iterator<Item = (usize, usize)> {
        let (keys, links, made) = match &self.rep {
            Rep::Small { keys, .. } => (Some(keys.node()), None, None),
            Rep::Large(_, lineage) => (None, Some(Lineage::links(lineage)), None),
            Rep::Flat(f) => (None, None, Some(f.versions())),
        };
        keys.into_iter().chain(links.into_iter().flatten()).chain(made.into_iter().flatten())
    }

    /// Everything in it.
    pub fn take(&mut self, out: &mut Vec<V>) {
        match &mut self.rep {
            Rep::Small { keys, vals, .. } => {
                out.append(vals);
                // Members of sets and keys nest as well.
                if let Some(k) = Arc::get_mut(keys) {
                    out.append(&mut k.take());
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
        Node { head: self.head.clone(), order: self.order.clone(), rep, record: self.record.clone() }
    }
}

/// A version of a tree that shares its nodes.
fn version<V: Item>(tree: &Tree<V>, lineage: &Arc<Lineage>) -> Rep<V> {
    super::tree::copies::note_large();
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
