//! Computed values that are kept: the only cache of this crate.
//!
//! It has one rule: a key includes everything that its value depends on. So nothing is ever invalidated, since after a
//! change the key is another one; and losing a value costs time, never a byte of a view. [`Memo`] keeps what follows
//! from a message and those before it, [`ContentMemo`] what follows from a text.

use sha2::{Digest, Sha256};
use std::any::Any;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Messages in a chunk. Results that need all messages are kept at the end of each chunk, so that after an append only
/// the messages after the last full chunk are processed again.
pub(crate) const CHUNK_LEN: usize = 64;

/// Values of one type kept at one message. A few policies and boundaries ask at one message; an endless stream of new
/// ones must not use up memory.
const MAX_VALUES_PER_MESSAGE: usize = 8;

/// The key of a value that depends on all of this, and on nothing else but the messages up to where it is kept.
pub(crate) fn key(of: impl Hash) -> u64 {
    let mut key = DefaultHasher::new();
    of.hash(&mut key);
    key.finish()
}

// A panic elsewhere leaves only complete values.
fn lock<T>(values: &Mutex<T>) -> MutexGuard<'_, T> {
    values.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A few values of any types by [`key`]. Each type has its own keys and its own limit, so the memo need not know the
/// types of those who use it.
#[derive(Debug, Default)]
pub(crate) struct Memo(Mutex<Vec<(u64, Arc<dyn Any + Send + Sync>)>>);

impl Memo {
    /// The value of this type under this key, if it is still kept.
    pub fn get<V: Any + Send + Sync>(&self, key: u64) -> Option<Arc<V>> {
        let values = lock(&self.0);
        let (_, value) = values.iter().find(|(k, value)| *k == key && (**value).is::<V>())?;
        Arc::clone(value).downcast().ok()
    }

    /// Sets the value of this type under this key; evicts the oldest value of this type when there are too many.
    pub fn set<V: Any + Send + Sync>(&self, key: u64, value: Arc<V>) {
        let mut values = lock(&self.0);
        values.retain(|(k, value)| *k != key || !(**value).is::<V>());
        let mut of_type = (0..).zip(values.iter()).filter(|(_, (_, value))| (**value).is::<V>());
        if let (Some((oldest, _)), true) = (of_type.next(), of_type.count() >= MAX_VALUES_PER_MESSAGE - 1) {
            values.remove(oldest);
        }
        values.push((key, value));
    }

    /// The value of this type under this key, or what `make` returns. No lock is held meanwhile, so `make` may use this
    /// memo itself.
    pub fn get_or<V: Any + Send + Sync>(&self, key: u64, make: impl FnOnce() -> V) -> Arc<V> {
        self.get(key).unwrap_or_else(|| {
            let value = Arc::new(make());
            self.set(key, Arc::clone(&value));
            value
        })
    }
}

/// Values by the texts that they follow from. It is bounded: when the younger half is full, the older half is dropped.
#[derive(Debug)]
pub(crate) struct ContentMemo<V> {
    half: usize,
    halves: Mutex<Halves<V>>,
}

/// Values by the hash of their texts, which nobody can make collide.
#[derive(Debug)]
struct Halves<V> {
    young: HashMap<[u8; 32], V>,
    old: HashMap<[u8; 32], V>,
}

impl<V: Clone> ContentMemo<V> {
    /// An empty one that keeps at most `bound` values.
    pub fn new(bound: usize) -> Self {
        let halves = Halves { young: HashMap::new(), old: HashMap::new() };
        ContentMemo { half: (bound / 2).max(1), halves: Mutex::new(halves) }
    }

    /// How many values it keeps.
    pub fn len(&self) -> usize {
        let halves = lock(&self.halves);
        halves.young.len().saturating_add(halves.old.len())
    }

    /// The value of these texts, or what `make` returns. An error is not kept.
    pub fn get_or<E>(&self, texts: [&str; 2], make: impl FnOnce() -> Result<V, E>) -> Result<V, E> {
        let mut hash = Sha256::new();
        for text in texts {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let key: [u8; 32] = hash.finalize().into();
        let mut halves = lock(&self.halves);
        if let Some(value) = halves.young.get(&key) {
            return Ok(value.clone());
        }
        let value = match halves.old.remove(&key) {
            Some(value) => value,
            None => {
                // Made outside the lock: another thread may make the same one meanwhile.
                drop(halves);
                let value = make()?;
                halves = lock(&self.halves);
                value
            }
        };
        if halves.young.len() >= self.half {
            halves.old = std::mem::take(&mut halves.young);
        }
        halves.young.insert(key, value.clone());
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_values_of_each_type_are_kept_and_the_oldest_evicted() {
        let memo = Memo::default();
        memo.set(1, Arc::new("one"));
        for key in 0..9_u64 {
            assert_eq!(*memo.get_or(key, || key * 10), key * 10);
        }
        assert_eq!(memo.get::<u64>(0), None);
        assert_eq!(*memo.get_or(1, || 0_u64), 10);
        memo.set(1, Arc::new(7_u64));
        assert_eq!((memo.get(1), memo.get(2)), (Some(Arc::new(7_u64)), Some(Arc::new(20_u64))));
        assert_eq!(memo.get::<&str>(1).as_deref(), Some(&"one"));
        assert_eq!(memo.get::<bool>(1), None);
    }

    #[test]
    fn values_by_content_are_bounded_and_errors_are_not_kept() {
        let memo = ContentMemo::new(8);
        assert_eq!(memo.get_or(["a", "b"], || Err("no")), Err("no"));
        for i in 0..100 {
            let text = i.to_string();
            assert_eq!(memo.get_or(["n", &text], || Ok::<_, ()>(i)), Ok(i));
            // One that is asked for again and again stays.
            assert_eq!(memo.get_or(["n", "0"], || Err(i)), Ok(0));
            assert!(memo.len() <= 8);
        }
        assert_eq!(memo.get_or(["n0", ""], || Err(())), Err(()), "texts are told apart");
    }
}
