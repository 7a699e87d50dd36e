//! Maps sorted by a comparator of the program: arrays in its order. Where a key belongs only the VM can ask, so
//! entries are put in and taken out by their place.

use super::{Item, Keys, Map, Node, NodeHeader, Order, Rep, small, small_bytes};
use std::sync::Arc;

impl<V: Item> Map<V> {
    /// The empty map that keeps its entries as `comparator` says.
    pub fn ranked(comparator: V) -> Self {
        let mut head = NodeHeader::default();
        head.add(&comparator);
        let order = Order::Comparator(Box::new(comparator));
        Map(Arc::new(Node { head, order, rep: small(Keys::new(Vec::new()), Vec::new()) }))
    }

    /// The comparator of a map made by [`Map::ranked`].
    #[inline]
    pub fn comparator(&self) -> Option<&V> {
        match &self.0.order {
            Order::Comparator(f) => Some(f),
            Order::Arrival | Order::Key => None,
        }
    }

    /// The entry at a place in the order of a ranked or small map.
    pub fn entry_at(&self, place: usize) -> Option<(&V, &V)> {
        match &self.0.rep {
            Rep::Small { keys, vals, .. } => Some((keys.keys.get(place)?, vals.get(place)?)),
            Rep::Large(..) | Rep::Flat(_) => None,
        }
    }

    /// Puts a value in at the place of an entry of a ranked map; its key stays.
    pub fn set_at(&mut self, place: usize, val: V) {
        let n = Arc::make_mut(&mut self.0);
        if let Rep::Small { vals, .. } = &mut n.rep
            && let Some(slot) = vals.get_mut(place)
        {
            n.head.add(&val);
            *slot = val;
        }
    }

    /// Puts an entry into a ranked map in front of the one at `place`, which is at most its length.
    pub fn insert_at(&mut self, place: usize, key: V, val: V) {
        let n = Arc::make_mut(&mut self.0);
        let Rep::Small { keys, vals, bytes } = &mut n.rep else { return };
        if place > vals.len() {
            return;
        }
        n.head.add(&key);
        n.head.add(&val);
        match Arc::get_mut(keys) {
            Some(k) => k.insert(place, key),
            None => {
                let (before, after) = keys.keys.split_at(place.min(keys.keys.len()));
                let mut more = Vec::with_capacity(keys.keys.len() + 1);
                more.extend(before.iter().cloned());
                more.push(key);
                more.extend(after.iter().cloned());
                *keys = Keys::new(more);
            }
        }
        vals.insert(place, val);
        bytes.set(small_bytes(vals));
    }

    /// Takes the entry at a place out of a ranked map.
    pub fn remove_at(&mut self, place: usize) {
        let n = Arc::make_mut(&mut self.0);
        let Rep::Small { keys, vals, bytes } = &mut n.rep else { return };
        if place >= vals.len() {
            return;
        }
        let rest = keys.keys.iter().enumerate().filter(|(j, _)| *j != place).map(|(_, k)| k.clone());
        *keys = Keys::new(rest.collect());
        vals.remove(place);
        bytes.set(small_bytes(vals));
    }
}
