//! A counter of text with a bounded cache, which never returns fewer tokens than a text can have.

#[cfg(feature = "vocabularies")]
use super::counter::{Cl100k, O200k};
use super::counter::{Counter, Seven};
use crate::memo::ContentMemo;
use std::convert::Infallible;
use std::sync::Arc;

/// The longest text that is one token in any vocabulary known here: 128 blanks in o200k.
const LONGEST_TOKEN_BYTES: u64 = 128;

/// How many texts are cached.
pub const MAX_CACHED_TEXTS: usize = 8192;

/// Counts texts with one counter. Clones share the cache.
#[derive(Clone)]
pub struct CachedCounter {
    counter: Arc<dyn Counter>,
    memo: Arc<ContentMemo<u64>>,
}

impl std::fmt::Debug for CachedCounter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CachedCounter").field("counter", &self.counter.id()).finish()
    }
}

impl CachedCounter {
    /// With this counter and a cache of [`MAX_CACHED_TEXTS`] texts.
    pub fn new(counter: impl Counter + 'static) -> Self {
        CachedCounter { counter: Arc::new(counter), memo: Arc::new(ContentMemo::new(MAX_CACHED_TEXTS)) }
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
            let least = (text.len() as u64).div_ceil(LONGEST_TOKEN_BYTES);
            if n < least { Seven.count(text).max(least) } else { n }
        };
        let Ok(n) = self.memo.get_or([self.counter.id(), text], || Ok::<u64, Infallible>(fresh()));
        n
    }
}
