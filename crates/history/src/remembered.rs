//! What was worked out once and is asked for again: a few values by key, forgotten when there are too many.

use std::sync::{Mutex, PoisonError};

/// Messages in a stretch. What takes all messages to work out is remembered where a stretch ends, so that after an append
/// only those behind the last end are gone over again.
pub(crate) const STRETCH: usize = 64;

/// A few policies and boundaries meet at one message; an endless stream of new ones must not pile up.
const MOST: usize = 8;

/// Values by a key that must say all they depend on. They are cheap to clone: shared, or a few numbers.
#[derive(Debug)]
pub(crate) struct Remembered<V>(Mutex<Vec<(u64, V)>>);

impl<V> Default for Remembered<V> {
    fn default() -> Self {
        Remembered(Mutex::default())
    }
}

impl<V: Clone> Remembered<V> {
    /// What is known under this key, if it is still known.
    pub fn get(&self, key: u64) -> Option<V> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.iter().find(|(k, _)| *k == key).map(|(_, value)| value.clone())
    }

    /// Takes the place of what was known under this key, and of the oldest where there are too many.
    pub fn set(&self, key: u64, value: V) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.retain(|(k, _)| *k != key);
        if list.len() >= MOST {
            list.remove(0);
        }
        list.push((key, value));
    }

    /// What is known under this key, or what `make` makes: nothing is locked meanwhile, so it may ask here itself.
    pub fn get_or(&self, key: u64, make: impl FnOnce() -> V) -> V {
        self.get(key).unwrap_or_else(|| {
            let value = make();
            self.set(key, value.clone());
            value
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_are_remembered_and_the_oldest_forgotten() {
        let remembered = Remembered::default();
        for key in 0..9 {
            assert_eq!(remembered.get_or(key, || key * 10), key * 10);
        }
        assert_eq!(remembered.get(0), None);
        assert_eq!(remembered.get_or(1, || 0), 10);
        remembered.set(1, 7);
        assert_eq!((remembered.get(1), remembered.get(2)), (Some(7), Some(20)));
    }
}
