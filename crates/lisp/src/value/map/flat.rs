//! Large maps while they are made by insertion: entries in a row as they came, and a table by hash of their places.
//!
//! What needs the order by key gets the places in that order, which are kept. A change by one of several owners, and a
//! new key after the order was asked for, go on with a tree, for good: so each such map is sorted once at most and made
//! a tree once at most, both paid for by what its insertions were charged.

use super::tree::{Key, Tree, tree_bytes};
use crate::value::node::{Bytes, Item, Lineage};
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::sync::{Arc, OnceLock};

/// The table takes its bits from both ends.
#[inline]
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

type Version<V> = (Tree<V>, Arc<Lineage>);

/// Where the bits of a key are in its mark; below them is its place, and its kind is above.
const AT: u32 = 32;
const KIND: u32 = 96;

/// Places by mark where no two have the same bits and few are missing between the first and the last, as most integers
/// are: without comparing any.
fn dense(marks: &[u128]) -> Option<Box<[u32]>> {
    let bits = |mark: &u128| mark >> AT;
    let (first, last) = (marks.iter().map(bits).min()?, marks.iter().map(bits).max()?);
    let width = usize::try_from(last - first).ok().filter(|w| *w / 4 < marks.len())?;
    let mut places = vec![u32::MAX; width + 1];
    for mark in marks {
        let place = places.get_mut(usize::try_from(bits(mark) - first).ok()?)?;
        if *place != u32::MAX {
            return None;
        }
        *place = *mark as u32;
    }
    Some(places.into_iter().filter(|p| *p != u32::MAX).collect())
}

/// Entries whose keys have hashes ([`Item::key_hash`]).
pub struct Flat<V: Item> {
    entries: Vec<(V, V)>,
    /// Of each entry, so that a table that grows looks at no key.
    hashes: Vec<u32>,
    table: HashTable<u32>,
    /// Places by key, once they were asked for; no key is added or taken away after that.
    order: OnceLock<Box<[u32]>>,
    /// The same entries for owners that change the map while it is shared. Nothing is changed here after that.
    tree: OnceLock<Version<V>>,
    /// As much as the tree would take: more than entries, table and order do.
    bytes: Bytes,
}

impl<V: Item> Flat<V> {
    /// These entries, whose keys differ; they come back if there are too many or one has no hash.
    pub fn new(entries: Vec<(V, V)>) -> Result<Self, Vec<(V, V)>> {
        let mut table = HashTable::with_capacity(entries.len());
        let mut hashes = Vec::with_capacity(entries.len());
        for (at, e) in entries.iter().enumerate() {
            let (Some(hash), Ok(at)) = (e.0.key_hash(), u32::try_from(at)) else { return Err(entries) };
            hashes.push(hash);
            table.insert_unique(spread(hash), at, |_| spread(hash));
        }
        let bytes = Bytes::new(tree_bytes::<V>(entries.len()));
        Ok(Flat { entries, hashes, table, order: OnceLock::new(), tree: OnceLock::new(), bytes })
    }

    /// How many entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Its bytes on the meter, without those of the tree.
    pub fn own_bytes(&self) -> usize {
        self.bytes.get()
    }

    /// The versions of the tree, if it was made.
    pub fn versions(&self) -> impl Iterator<Item = (usize, usize)> {
        self.tree.get().into_iter().flat_map(|(_, lineage)| Lineage::links(lineage))
    }

    #[inline]
    fn place(&self, key: &V) -> Option<usize> {
        let hash = key.key_hash()?;
        self.place_of(hash, |k| k.same_key(key))
    }

    #[inline]
    fn place_of(&self, hash: u32, test: impl Fn(&V) -> bool) -> Option<usize> {
        let is = |at: &u32| self.entries.get(*at as usize).is_some_and(|e| test(&e.0));
        self.table.find(spread(hash), is).map(|at| *at as usize)
    }

    /// The entry at a key.
    #[inline]
    pub fn entry(&self, key: &V) -> Option<(&V, &V)> {
        let (k, v) = self.entries.get(self.place(key)?)?;
        Some((k, v))
    }

    /// An entry whose key has the hash of `like` and fulfils `test`.
    pub fn entry_like(&self, like: &V, test: impl Fn(&V) -> bool) -> Option<(&V, &V)> {
        let (k, v) = self.entries.get(self.place_of(like.key_hash()?, test)?)?;
        Some((k, v))
    }

    /// Entries as they are stored.
    pub fn entries(&self) -> &[(V, V)] {
        &self.entries
    }

    /// Places in [`Flat::entries`], by key.
    pub fn order(&self) -> &[u32] {
        self.order.get_or_init(|| self.sorted())
    }

    fn sorted(&self) -> Box<[u32]> {
        let by_key = |a: u32, b: u32| match (self.entries.get(a as usize), self.entries.get(b as usize)) {
            (Some(a), Some(b)) => a.0.key_order(&b.0),
            _ => a.cmp(&b),
        };
        let marks = self.entries.iter().zip(0u32..).map(|(e, at)| {
            let (kind, bits) = e.0.order_bits()?;
            Some(u128::from(kind) << KIND | u128::from(bits) << AT | u128::from(at))
        });
        if let Some(mut marks) = marks.collect::<Option<Vec<u128>>>() {
            if let Some(order) = dense(&marks) {
                return order;
            }
            marks.sort_unstable_by(|a, b| (a >> AT).cmp(&(b >> AT)).then_with(|| by_key(*a as u32, *b as u32)));
            return marks.into_iter().map(|m| m as u32).collect();
        }
        let mut places: Vec<u32> = self.entries.iter().zip(0u32..).map(|e| e.1).collect();
        // The order is total and runs no code of programs.
        places.sort_unstable_by(|a, b| by_key(*a, *b));
        places.into()
    }

    /// The same entries as a tree, made once.
    pub fn tree(&self) -> &Version<V> {
        self.tree.get_or_init(|| {
            super::tree::copies::note_tree();
            let entries = self.order().iter().filter_map(|at| self.entries.get(*at as usize));
            let tree = entries.map(|(k, v)| (Key(k.clone()), v.clone())).collect();
            (tree, Lineage::held(self.bytes.get()))
        })
    }

    /// The entries as a tree instead; nothing stays here.
    pub fn take_tree(&mut self) -> Version<V> {
        let version = self.tree.take().unwrap_or_else(|| {
            super::tree::copies::note_tree();
            let order = self.order().to_vec();
            let mut entries = order.iter().filter_map(|at| self.entries.get_mut(*at as usize).map(std::mem::take));
            let tree = entries.by_ref().map(|(k, v)| (Key(k), v)).collect();
            drop(entries);
            (tree, Lineage::held(self.bytes.get()))
        });
        (self.entries, self.hashes, self.table) = (Vec::new(), Vec::new(), HashTable::new());
        self.order.take();
        self.bytes.hold(0);
        version
    }

    /// Whether even a value may no longer be changed here, but in the tree.
    #[inline]
    pub fn is_superseded(&self) -> bool {
        self.tree.get().is_some()
    }

    /// Binds `key` to `val`; both come back when the tree has to take them.
    #[inline]
    pub fn insert(&mut self, key: V, val: V) -> Option<(V, V)> {
        if self.tree.get().is_some() {
            return Some((key, val));
        }
        let Some(hash) = key.key_hash() else { return Some((key, val)) };
        let is = |at: &u32| self.entries.get(*at as usize).is_some_and(|e| e.0.same_key(&key));
        let hash_of = |at: &u32| self.hashes.get(*at as usize).map_or(0, |h| spread(*h));
        match self.table.entry(spread(hash), is, hash_of) {
            Entry::Occupied(at) => {
                if let Some(e) = self.entries.get_mut(*at.get() as usize) {
                    e.1 = val;
                }
            }
            Entry::Vacant(place) => {
                let Ok(at) = u32::try_from(self.entries.len()) else { return Some((key, val)) };
                if self.order.get().is_some() {
                    return Some((key, val));
                }
                place.insert(at);
                self.append(hash, key, val);
            }
        }
        None
    }

    /// An entry whose place is in the table.
    #[inline]
    fn append(&mut self, hash: u32, key: V, val: V) {
        if self.entries.len() == self.entries.capacity() {
            // By half, so that what is held stays below what is on the meter.
            let more = self.entries.len() / 2 + 1;
            self.entries.reserve_exact(more);
            self.hashes.reserve_exact(more);
        }
        self.entries.push((key, val));
        self.hashes.push(hash);
        self.bytes.set(tree_bytes::<V>(self.entries.len()));
    }

    /// Binds `key` to what `f` gives, which gets the value that is there. The key comes back, and `f` is not asked, when the
    /// tree has to take it. After an error the entry is left with a default.
    #[inline]
    pub fn upsert<E>(&mut self, key: V, f: impl FnOnce(Option<V>) -> Result<V, E>) -> Result<Result<(), E>, V> {
        if self.is_superseded() {
            return Err(key);
        }
        let Some(hash) = key.key_hash() else { return Err(key) };
        let is = |at: &u32| self.entries.get(*at as usize).is_some_and(|e| e.0.same_key(&key));
        let hash_of = |at: &u32| self.hashes.get(*at as usize).map_or(0, |h| spread(*h));
        match self.table.entry(spread(hash), is, hash_of) {
            Entry::Occupied(at) => {
                let Some(e) = self.entries.get_mut(*at.get() as usize) else { return Err(key) };
                Ok(f(Some(std::mem::take(&mut e.1))).map(|new| e.1 = new))
            }
            Entry::Vacant(place) => {
                let Ok(at) = u32::try_from(self.entries.len()) else { return Err(key) };
                if self.order.get().is_some() {
                    return Err(key);
                }
                match f(None) {
                    Ok(new) => {
                        place.insert(at);
                        self.append(hash, key, new);
                        Ok(Ok(()))
                    }
                    Err(e) => Ok(Err(e)),
                }
            }
        }
    }

    /// As [`super::Map::adjust`].
    #[inline]
    pub fn adjust(&mut self, key: &V, adds: bool, f: impl FnOnce(&mut V) -> bool) -> Option<bool> {
        if self.is_superseded() {
            return None;
        }
        let hash = key.key_hash()?;
        let is = |at: &u32| self.entries.get(*at as usize).is_some_and(|e| e.0.same_key(key));
        if let Some(at) = self.table.find(spread(hash), is) {
            return f(&mut self.entries.get_mut(*at as usize)?.1).then_some(false);
        }
        let at = u32::try_from(self.entries.len()).ok().filter(|_| adds && self.order.get().is_none())?;
        let mut new = V::default();
        if !f(&mut new) {
            return None;
        }
        self.table.insert_unique(spread(hash), at, |at| self.hashes.get(*at as usize).map_or(0, |h| spread(*h)));
        self.append(hash, key.clone(), new);
        Some(true)
    }

    /// The value at a key.
    #[inline]
    pub fn get_mut(&mut self, key: &V) -> Option<&mut V> {
        let at = self.place(key)?;
        self.entries.get_mut(at).map(|e| &mut e.1)
    }

    /// Whether a key may be taken away here; else it is taken away from the tree.
    pub fn may_remove(&self) -> bool {
        self.tree.get().is_none() && self.order.get().is_none()
    }

    /// Takes an entry away. The last one moves to its place.
    pub fn remove(&mut self, key: &V) -> Option<V> {
        let at = self.place(key)?;
        let (hash, moved) = (*self.hashes.get(at)?, *self.hashes.last()?);
        let (old, new) = (u32::try_from(self.entries.len().checked_sub(1)?).ok()?, u32::try_from(at).ok()?);
        if let Ok(p) = self.table.find_entry(spread(hash), |p| *p == new) {
            p.remove();
        }
        if let Some(p) = self.table.find_mut(spread(moved), |p| *p == old) {
            *p = new;
        }
        let gone = self.entries.swap_remove(at).1;
        self.hashes.swap_remove(at);
        // What was given back is not on the meter any more.
        if self.entries.len() < self.entries.capacity() / 2 {
            let room = self.entries.len() + self.entries.len() / 4;
            self.entries.shrink_to(room);
            self.hashes.shrink_to(room);
            self.table.shrink_to(room, |at| self.hashes.get(*at as usize).map_or(0, |h| spread(*h)));
        }
        self.bytes.set(tree_bytes::<V>(self.entries.len()));
        Some(gone)
    }

    /// Everything in it.
    pub fn take(&mut self, out: &mut Vec<V>) {
        (self.hashes, self.table) = (Vec::new(), HashTable::new());
        out.extend(std::mem::take(&mut self.entries).into_iter().flat_map(|(k, v)| [k, v]));
        if let Some((tree, _)) = self.tree.take() {
            out.extend(tree.into_iter().flat_map(|(k, v)| [k.0, v]));
        }
    }
}
