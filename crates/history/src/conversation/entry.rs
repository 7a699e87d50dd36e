//! An entry of a conversation: a message, with cached results about it and all messages before it.

use crate::conversation::memo::{AnyMemoTable, MemoTable};
use crate::conversation::message::{Block, Message};
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// A message with results that are computed once: counting and shortening a text again would cost more than anything
/// else.
#[derive(Debug)]
pub struct Entry {
    message: Arc<Message>,
    chars: OnceLock<usize>,
    tokens: OnceLock<(u64, u64)>,
    // Boxed, so that passes over all entries touch less memory.
    known: OnceLock<Box<Known>>,
}

/// Cached results of an entry, under keys that include everything they depend on. An entry is created once, after its
/// predecessors, so a result may depend on all messages before it.
#[derive(Debug, Default)]
struct Known {
    /// This entry in conversations whose inputs are shortened by their retention.
    variants: MemoTable<Arc<Entry>>,
    /// The tokens of all messages up to this one, by counter.
    sums: MemoTable<u64>,
    /// Messages that others made from the messages up to here.
    memo: AnyMemoTable,
}

impl Entry {
    pub(crate) fn new(message: Arc<Message>) -> Arc<Self> {
        Arc::new(Entry { message, chars: OnceLock::new(), tokens: OnceLock::new(), known: OnceLock::new() })
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(Box::default)
    }

    /// Results of others about the messages up to this one, by type and by a key that includes everything they depend
    /// on.
    pub(crate) fn memo(&self) -> &AnyMemoTable {
        &self.known().memo
    }

    /// The tokens of all messages up to this one by counter, kept at the end of each chunk.
    pub(crate) fn sums(&self) -> &MemoTable<u64> {
        &self.known().sums
    }

    /// The message.
    pub fn message(&self) -> &Arc<Message> {
        &self.message
    }

    /// Its tokens under the counter with this id; counted once, and again when another counter asks.
    pub fn tokens(&self, counter: u64, count: impl FnOnce(&Message) -> u64) -> u64 {
        match self.tokens.get() {
            Some((id, n)) if *id == counter => *n,
            _ => {
                let n = count(&self.message);
                // Another counter may have been first: then this one counts again each time, which is slower but
                // correct.
                let _ = self.tokens.set((counter, n));
                n
            }
        }
    }

    /// Bytes of its content, all blocks together.
    pub(crate) fn bytes(&self) -> usize {
        *self.chars.get_or_init(|| self.message.content.iter().map(Block::bytes).sum())
    }

    /// What `make` returns for the messages up to here; computed once for each `key`, which must include everything it
    /// depends on.
    pub(crate) fn cached<V: Any + Send + Sync>(&self, key: u64, make: impl FnOnce() -> V) -> Arc<V> {
        self.memo().get_or(key, make)
    }

    /// This entry after other predecessors, with the message that `make` returns for it there. Cached results of an
    /// entry may depend on all messages before it, so where an earlier message is shown differently it is another
    /// entry; `key` must include everything that differs.
    pub(crate) fn variant(&self, key: u64, make: impl FnOnce() -> Arc<Message>) -> Arc<Entry> {
        self.known().variants.get_or(key, || Entry::new(make()))
    }
}
