//! A counter of text with a bounded cache, which never returns fewer tokens than a text can have.

#[cfg(feature = "vocabularies")]
use super::counter::{Cl100k, O200k};
use super::counter::{Counter, Seven};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The longest text that is one token in any vocabulary known here: 128 blanks in o200k.
const LONGEST: u64 = 128;

/// How many texts are cached.
pub const REMEMBERED: usize = 8192;

/// Counts texts with one counter. Clones share the cache.
#[derive(Clone)]
pub struct CachedCounter {
    counter: Arc<dyn Counter>,
    memo: Option<Arc<TokenMemo>>,
}

impl std::fmt::Debug for CachedCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ruler").field("counter", &self.counter.id()).field("caching", &self.memo.is_some()).finish()
    }
}

impl CachedCounter {
    /// With this counter and a cache of [`REMEMBERED`] texts.
    pub fn new(counter: impl Counter + 'static) -> Self {
        CachedCounter { counter: Arc::new(counter), memo: Some(Arc::new(TokenMemo::new(REMEMBERED))) }
    }

    /// The counter of this name: `seven`, and with the feature `vocabularies` `o200k` or `cl100k`.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            #[cfg(feature = "vocabularies")]
            "o200k" => Some(CachedCounter::new(O200k)),
            #[cfg(feature = "vocabularies")]
            "cl100k" => Some(CachedCounter::new(Cl100k)),
            "seven" => Some(CachedCounter::new(Seven)),
            _ => None,
        }
    }

    /// Turns the cache on or off (`enable_token_caching`, K-32). Counts are the same either way.
    #[must_use]
    pub fn with_token_caching(mut self, enable: bool) -> Self {
        self.memo = enable.then(|| self.memo.unwrap_or_else(|| Arc::new(TokenMemo::new(REMEMBERED))));
        self
    }

    /// The counter's name.
    pub fn id(&self) -> &str {
        self.counter.id()
    }

    /// The tokens of a text. A counter that returns fewer than a text of this length can have (0, say) is not used: the
    /// estimate without a vocabulary replaces it, so that a budget always works (K-38).
    pub fn count(&self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        let fresh = || {
            let n = self.counter.count(text);
            let least = (text.len() as u64).div_ceil(LONGEST);
            if n < least { Seven.count(text).max(least) } else { n }
        };
        match &self.memo {
            Some(memo) => memo.get(self.counter.id(), text, fresh),
            None => fresh(),
        }
    }
}

/// Counts by content hash and counter (K-32, K-08). Holds at most `bound` texts: when the younger half is full, the
/// older half is dropped.
struct TokenMemo {
    half: usize,
    halves: Mutex<Halves>,
}

#[derive(Default)]
struct Halves {
    young: HashMap<[u8; 32], u64>,
    old: HashMap<[u8; 32], u64>,
}

impl TokenMemo {
    fn new(bound: usize) -> Self {
        TokenMemo { half: (bound / 2).max(1), halves: Mutex::default() }
    }

    fn get(&self, counter: &str, text: &str, fresh: impl FnOnce() -> u64) -> u64 {
        let mut hash = Sha256::new();
        hash.update((counter.len() as u64).to_le_bytes());
        hash.update(counter);
        hash.update(text);
        let key: [u8; 32] = hash.finalize().into();
        {
            let halves = self.halves.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(n) = halves.young.get(&key) {
                return *n;
            }
            if let Some(n) = halves.old.get(&key).copied() {
                return Self::keep(halves, self.half, key, n);
            }
        }
        // Counted outside the lock: another thread may count the same text, with the same result.
        let n = fresh();
        Self::keep(self.halves.lock().unwrap_or_else(PoisonError::into_inner), self.half, key, n)
    }

    fn keep(mut halves: std::sync::MutexGuard<'_, Halves>, half: usize, key: [u8; 32], n: u64) -> u64 {
        if halves.young.len() >= half {
            halves.old = std::mem::take(&mut halves.young);
        }
        halves.young.insert(key, n);
        n
    }
}

#[cfg(all(test, feature = "vocabularies"))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    struct Silent;
    impl Counter for Silent {
        fn id(&self) -> &str {
            "silent"
        }
        fn count(&self, _: &str) -> u64 {
            0
        }
    }

    #[derive(Default)]
    struct Asked(Arc<AtomicU64>);
    impl Counter for Asked {
        fn id(&self) -> &str {
            "asked"
        }
        fn count(&self, text: &str) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed);
            text.len() as u64
        }
    }

    #[test]
    fn k_38_a_counter_that_says_nothing_is_not_believed() {
        let ruler = CachedCounter::new(Silent);
        assert_eq!(ruler.count(""), 0);
        let text = "some words, and some more of them";
        assert_eq!(ruler.count(text), Seven.count(text));
        assert!(ruler.count(" ") >= 1);
    }

    #[test]
    fn k_32_caching_on_and_off_count_the_same_and_the_memory_is_bounded() {
        let asked = Arc::new(AtomicU64::new(0));
        let on = CachedCounter::new(Asked(asked.clone()));
        let off = CachedCounter::new(Asked::default()).with_token_caching(false);
        for i in 0..3 * REMEMBERED {
            let text = format!("text {}", i % 5);
            assert_eq!(on.count(&text), off.count(&text));
        }
        assert_eq!(asked.load(Ordering::Relaxed), 5, "each text once");
        for i in 0..3 * REMEMBERED {
            on.count(&format!("other {i}"));
        }
        let halves = on.memo.as_ref().unwrap().halves.lock().unwrap();
        assert!(halves.young.len() + halves.old.len() <= REMEMBERED);
    }

    #[test]
    fn k_08_a_count_is_a_function_of_the_text() {
        let a = CachedCounter::named("o200k").unwrap();
        let b = a.clone().with_token_caching(false);
        for text in ["", "a", "{\"k\": [1, 2, 3]}", "日本語", "\u{0}\u{fffd}"] {
            assert_eq!(a.count(text), b.count(text));
            assert_eq!(a.count(text), a.count(text));
        }
    }
}
