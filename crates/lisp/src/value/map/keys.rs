//! The keys of small maps, made once and shared by all maps of one shape.

use crate::value::node::{Bytes, DEEP, Item, NodeHeader, drop_items};
use crate::value::text::OVERHEAD;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// How many names are remembered with their places.
const HINTS: usize = 8;

/// A type of records: maps that know what they are.
pub struct RecordType<V> {
    /// The name of its class, a symbol.
    pub name: V,
    /// Its own fields, which all its records have, before any other key.
    pub fields: Vec<V>,
}

impl<V: Item> RecordType<V> {
    /// Whether this is a field of its own: a map without it is no record of the type.
    pub fn has_field(&self, key: &V) -> bool {
        self.fields.iter().any(|f| f.same_key(key))
    }

    /// Whether both are the same type, by name: one that was defined again is still the type of its records.
    pub fn same(a: Option<&Arc<Self>>, b: Option<&Arc<Self>>) -> bool {
        match (a, b) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b) || a.name.same_key(&b.name),
            _ => false,
        }
    }
}

/// The keys of small maps, made once and shared by all maps of one shape.
pub struct Keys<V: Item> {
    keys: Vec<V>,
    /// Of records: their type.
    record: Option<Arc<RecordType<V>>>,
    head: NodeHeader<V>,
    bytes: Bytes,
    /// Where a name was found last, by its address: a guess, which is checked.
    hints: [AtomicU8; HINTS],
}

/// What keys take on the meter: what is remembered besides is not counted.
fn keys_bytes<V: Item>(keys: &Vec<V>) -> usize {
    size_of::<Vec<V>>() + size_of::<NodeHeader<V>>() + size_of::<Bytes>() + OVERHEAD + keys.capacity() * size_of::<V>()
}

impl<V: Item> Keys<V> {
    /// Keys in this order; the caller has seen to it that they differ.
    pub fn new(keys: Vec<V>) -> Arc<Self> {
        Self::of_type(keys, None)
    }

    /// The same of records of a type, whose fields come first.
    pub fn of_type(keys: Vec<V>, record: Option<Arc<RecordType<V>>>) -> Arc<Self> {
        // The type's own bytes count with each of its shapes.
        let more =
            record.as_ref().map_or(0, |r| size_of::<RecordType<V>>() + OVERHEAD + r.fields.len() * size_of::<V>());
        let (head, bytes) = (NodeHeader::of(&keys), Bytes::new(keys_bytes(&keys) + more));
        Arc::new(Keys { head, keys, record, bytes, hints: Default::default() })
    }

    /// The type of the records that have these keys.
    #[inline]
    pub fn record_type(&self) -> Option<&Arc<RecordType<V>>> {
        self.record.as_ref()
    }

    /// Where they are, and their bytes on the meter without those of each key.
    pub fn node(self: &Arc<Self>) -> (usize, usize) {
        (Arc::as_ptr(self).cast::<()>() as usize, self.bytes.get())
    }

    /// The keys.
    #[inline]
    pub fn as_slice(&self) -> &[V] {
        &self.keys
    }

    /// One more than the nesting of the deepest key, and whether an unrealised sequence is inside.
    #[inline]
    pub fn nesting(&self) -> (u32, bool) {
        (self.head.depth, self.head.lazy)
    }

    /// The place of a key.
    #[inline]
    pub fn find(&self, key: &V) -> Option<usize> {
        if let Some(hint) = self.hint(key) {
            let guess = usize::from(hint.load(Relaxed));
            if self.keys.get(guess).is_some_and(|k| k.same_key(key)) {
                return Some(guess);
            }
        }
        self.search(key)
    }

    #[inline]
    fn hint(&self, key: &V) -> Option<&AtomicU8> {
        key.name_address().and_then(|a| self.hints.get((a >> 4) % HINTS))
    }

    #[inline(never)]
    fn search(&self, key: &V) -> Option<usize> {
        let place = self.keys.iter().position(|k| k.same_key(key))?;
        if let (Some(hint), Ok(place)) = (self.hint(key), u8::try_from(place)) {
            hint.store(place, Relaxed);
        }
        Some(place)
    }

    /// The same keys and one more: those that were made for the record before it, where the turn remembers them.
    pub fn with(&self, key: V) -> Arc<Self> {
        if self.record.is_some() {
            return Self::of_type(self.copied(self.keys.len(), key), self.record.clone());
        }
        let Some(number) = self.number_with(&key) else { return Keys::new(self.copied(self.keys.len(), key)) };
        match V::next_shape(number) {
            Some(known) => {
                if let Some(next) = known.and_then(|next| next.downcast::<Self>().ok())
                    && next.are(&self.keys, &key)
                {
                    return next;
                }
                // Held and not charged: the records that share them would be charged no more without that.
                let keys = self.copied(self.keys.len(), key);
                let bytes = Bytes::held(keys_bytes(&keys));
                let head = NodeHeader::of(&keys);
                let made = Arc::new(Keys { head, keys, record: None, bytes, hints: Default::default() });
                V::keep_shape(number, Some(made.clone()));
                made
            }
            None => {
                V::keep_shape(number, None);
                Keys::new(self.copied(self.keys.len(), key))
            }
        }
    }

    /// A number of these names and one more; `None` where not all are keywords.
    fn number_with(&self, key: &V) -> Option<u64> {
        let mut names = self.keys.iter().chain([key]).map(V::name_number);
        names.try_fold(0u64, |h, n| Some((h.rotate_left(5) ^ n?).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Whether they are these and one more.
    fn are(&self, first: &[V], last: &V) -> bool {
        self.record.is_none()
            && self.keys.len() == first.len() + 1
            && self.keys.iter().zip(first.iter().chain([last])).all(|(k, l)| k.same_key(l))
    }

    /// The same keys and one more at a place.
    pub fn with_at(&self, place: usize, key: V) -> Arc<Self> {
        Keys::new(self.copied(place, key))
    }

    fn copied(&self, place: usize, key: V) -> Vec<V> {
        let (before, after) = self.keys.split_at(place.min(self.keys.len()));
        let mut more = Vec::with_capacity(self.keys.len() + 1);
        more.extend(before.iter().cloned());
        more.push(key);
        more.extend(after.iter().cloned());
        more
    }

    /// The same keys without the one at a place; without one of its fields a record is a map like others.
    pub fn without(&self, place: usize) -> Arc<Self> {
        let rest = self.keys.iter().enumerate().filter(|(i, _)| *i != place);
        let record = self.record.clone().filter(|r| place >= r.fields.len());
        Self::of_type(rest.map(|(_, k)| k.clone()).collect(), record)
    }

    /// The same keys, of no type.
    pub fn untyped(&self) -> Arc<Self> {
        Keys::new(self.keys.clone())
    }

    /// Adds a key at a place.
    pub fn insert(&mut self, place: usize, key: V) {
        self.head.add(&key);
        self.keys.insert(place.min(self.keys.len()), key);
        self.bytes.set(keys_bytes(&self.keys));
    }

    /// All keys, moved out.
    pub fn take(&mut self) -> Vec<V> {
        std::mem::take(&mut self.keys)
    }
}

impl<V: Item> Drop for Keys<V> {
    fn drop(&mut self) {
        if self.head.depth > DEEP {
            drop_items(std::mem::take(&mut self.keys));
        }
    }
}
