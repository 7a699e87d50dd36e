//! An entry of a conversation: a message, and what was worked out about it and all before it.

use crate::conversation::memo::{AnyMemoTable, MemoTable};
use crate::conversation::message::{Block, Message};
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// A message with what was worked out about it once: counting and folding a text again would cost more than all else.
#[derive(Debug)]
pub struct Entry {
    message: Arc<Message>,
    chars: OnceLock<usize>,
    tokens: OnceLock<(u64, u64)>,
    // Apart, so that passes over all entries touch less memory.
    known: OnceLock<Box<Known>>,
}

/// What is known of an entry, by keys that say all it depends on. An entry is made once, behind its predecessors, so it
/// stands for all that lies before it.
#[derive(Debug, Default)]
struct Known {
    /// The entry in conversations whose inputs are shown by their retention.
    variants: MemoTable<Arc<Entry>>,
    /// The tokens of all messages up to this one, by counter.
    sums: MemoTable<u64>,
    /// What others worked out of the messages that end here.
    memo: AnyMemoTable,
}

impl Entry {
    pub(crate) fn new(message: Arc<Message>) -> Arc<Self> {
        Arc::new(Entry { message, chars: OnceLock::new(), tokens: OnceLock::new(), known: OnceLock::new() })
    }

    fn known(&self) -> &Known {
        self.known.get_or_init(Box::default)
    }

    /// What others worked out of the messages up to this one, by type and by keys that say all it depends on.
    pub(crate) fn memo(&self) -> &AnyMemoTable {
        &self.known().memo
    }

    /// The tokens of all messages up to this one by counter, where a stretch ends.
    pub(crate) fn sums(&self) -> &MemoTable<u64> {
        &self.known().sums
    }

    /// The message.
    pub fn message(&self) -> &Arc<Message> {
        &self.message
    }

    /// Its tokens under the counter of this id; counted once, and anew when another counter asks.
    pub fn tokens(&self, counter: u64, count: impl FnOnce(&Message) -> u64) -> u64 {
        match self.tokens.get() {
            Some((id, n)) if *id == counter => *n,
            _ => {
                let n = count(&self.message);
                // Another counter may have been first: then this one counts anew each time, which is slow, not wrong.
                let _ = self.tokens.set((counter, n));
                n
            }
        }
    }

    /// The bytes it says, all blocks together.
    pub(crate) fn bytes(&self) -> usize {
        *self.chars.get_or_init(|| self.message.content.iter().map(Block::bytes).sum())
    }

    /// What `make` makes of the messages that end here; made once for each `key`, which must say all it depends on.
    pub(crate) fn made<V: Any + Send + Sync>(&self, key: u64, make: impl FnOnce() -> V) -> Arc<V> {
        self.memo().get_or(key, make)
    }

    /// This entry behind other predecessors, with the message that `make` gives it there. What is worked out about an
    /// entry stands for all that lies before it, so where something before it is shown otherwise it is another entry;
    /// `key` must say everything about that.
    pub(crate) fn variant(&self, key: u64, make: impl FnOnce() -> Arc<Message>) -> Arc<Entry> {
        self.known().variants.get_or(key, || Entry::new(make()))
    }
}
