//! A small cache: a few values by key, the oldest evicted when there are too many.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

/// Messages in a chunk. Results that need all messages are kept at the end of each chunk, so that after an append only
/// the messages after the last full chunk are processed again.
pub(crate) const CHUNK_LEN: usize = 64;

/// Values kept at one message. A few policies and boundaries ask at one message; an endless stream of new ones must not
/// use up memory.
const MAX_VALUES_PER_MESSAGE: usize = 8;

/// Values by a key that must include everything they depend on. They are cheap to clone: shared, or a few numbers.
#[derive(Debug)]
pub(crate) struct MemoTable<V>(Mutex<Vec<(u64, V)>>);

impl<V> Default for MemoTable<V> {
    fn default() -> Self {
        MemoTable(Mutex::default())
    }
}

impl<V: Clone> MemoTable<V> {
    /// The value under this key, if it is still kept.
    pub fn get(&self, key: u64) -> Option<V> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().find(|(k, _)| *k == key).map(|(_, value)| value.clone())
    }

    /// Sets the value under this key, replacing an older one; evicts the oldest value when there are too many.
    pub fn set(&self, key: u64, value: V) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(k, _)| *k != key);
        if list.len() >= MAX_VALUES_PER_MESSAGE {
            list.remove(0);
        }
        list.push((key, value));
    }

    /// The value under this key, or what `make` returns. No lock is held meanwhile, so `make` may use this cache
    /// itself.
    pub fn get_or(&self, key: u64, make: impl FnOnce() -> V) -> V {
        self.get(key).unwrap_or_else(|| {
            let value = make();
            self.set(key, value.clone());
            value
        })
    }
}

/// The same for values of any types, each type with its own keys and limit: so the cache need not know the types of
/// those who use it.
#[derive(Debug, Default)]
pub(crate) struct AnyMemoTable(Mutex<Vec<(u64, AnyValue)>>);

type AnyValue = Arc<dyn Any + Send + Sync>;

impl AnyMemoTable {
    /// The value of this type under this key, if it is still kept.
    pub fn get<V: Any + Send + Sync>(&self, key: u64) -> Option<Arc<V>> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = list.iter().find(|(k, value)| *k == key && (**value).is::<V>());
        found.and_then(|(_, value)| Arc::clone(value).downcast().ok())
    }

    /// Sets the value of this type under this key; evicts the oldest value of this type when there are too many.
    pub fn set<V: Any + Send + Sync>(&self, key: u64, value: Arc<V>) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(k, value)| *k != key || !(**value).is::<V>());
        if list.iter().filter(|(_, value)| (**value).is::<V>()).count() >= MAX_VALUES_PER_MESSAGE
            && let Some(oldest) = list.iter().position(|(_, value)| (**value).is::<V>())
        {
            list.remove(oldest);
        }
        list.push((key, value));
    }

    /// The value of this type under this key, or what `make` returns. No lock is held meanwhile, so `make` may use this
    /// cache itself.
    pub fn get_or<V: Any + Send + Sync>(&self, key: u64, make: impl FnOnce() -> V) -> Arc<V> {
        self.get(key).unwrap_or_else(|| {
            let value = Arc::new(make());
            self.set(key, Arc::clone(&value));
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_remembered_and_the_oldest_forgotten() {
        let memo = MemoTable::default();
        for key in 0..9 {
            assert_eq!(memo.get_or(key, || key * 10), key * 10);
        }
        assert_eq!(memo.get(0), None);
        assert_eq!(memo.get_or(1, || 0), 10);
        memo.set(1, 7);
        assert_eq!((memo.get(1), memo.get(2)), (Some(7), Some(20)));
    }

    #[test]
    fn types_do_not_take_each_others_places() {
        let memo = AnyMemoTable::default();
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
}
