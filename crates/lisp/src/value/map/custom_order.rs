//! Maps sorted by a comparator of the program: arrays in its order. Where a key belongs only the VM can ask, so
//! entries are put in and taken out by their place.

use super::keys::Keys;
use super::node::{Node, Order, Rep, small, small_bytes};
use super::{Item, Map, NodeHeader};
use std::sync::Arc;

impl<V: Item> Map<V> {
    /// The empty map that keeps its entries as `comparator` says.
    pub fn ranked(comparator: V) -> Self {
        let mut head = NodeHeader::default();
        head.add(&comparator);
        let order = Order::Comparator(Box::new(comparator));
        Self::of_node(Node { head, order, rep: small(Keys::new(Vec::new()), Vec::new()), record: None })
    }

    /// The comparator of a map made by [`Map::ranked`].
    #[inline]
    pub fn comparator(&self) -> Option<&V> {
        self.node()?.comparator()
    }

    /// The entry at a place in the order of a ranked or small map.
    pub fn entry_at(&self, place: usize) -> Option<(&V, &V)> {
        let (keys, vals) = self.arrays()?;
        Some((keys.as_slice().get(place)?, vals.get(place)?))
    }

    /// Puts a value in at the place of an entry of a ranked map; its key stays.
    pub fn set_at(&mut self, place: usize, val: V) {
        self.with_node(|n| {
            if let Rep::Small { vals, .. } = &mut n.rep
                && let Some(slot) = vals.get_mut(place)
            {
                n.head.add(&val);
                *slot = val;
            }
        });
    }

    /// Puts an entry into a ranked map in front of the one at `place`, which is at most its length.
    pub fn insert_at(&mut self, place: usize, key: V, val: V) {
        self.with_node(|n| {
            let Rep::Small { keys, vals, bytes } = &mut n.rep else { return };
            if place > vals.len() {
                return;
            }
            n.head.add(&key);
            n.head.add(&val);
            match Arc::get_mut(keys) {
                Some(k) => k.insert(place, key),
                None => *keys = keys.with_at(place, key),
            }
            vals.insert(place, val);
            bytes.set(small_bytes(vals));
        });
    }

    /// Takes the entry at a place out of a ranked map.
    pub fn remove_at(&mut self, place: usize) {
        self.with_node(|n| {
            let Rep::Small { keys, vals, bytes } = &mut n.rep else { return };
            if place >= vals.len() {
                return;
            }
            *keys = keys.without(place);
            vals.remove(place);
            bytes.set(small_bytes(vals));
        });
    }
}
