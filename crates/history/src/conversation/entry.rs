//! An entry of a conversation: a message with the values that follow from it and from all messages before it.

use crate::conversation::message::{Block, Message};
use crate::memo::Memo;
use std::sync::{Arc, OnceLock};

/// A message with values that are computed once: counting and shortening a text again would cost more than anything
/// else.
///
/// An entry is created once, after its predecessors, so its values may depend on all messages before it. Where an
/// earlier message is shown differently it is another entry, a variant under a key in the memo of this one.
#[derive(Debug)]
pub struct Entry {
    message: Arc<Message>,
    bytes: OnceLock<usize>,
    tokens: OnceLock<(u64, u64)>,
    // Boxed, so that passes over all entries touch less memory.
    memo: OnceLock<Box<Memo>>,
}

impl Entry {
    pub(crate) fn new(message: Arc<Message>) -> Self {
        Entry { message, bytes: OnceLock::new(), tokens: OnceLock::new(), memo: OnceLock::new() }
    }

    /// What follows from the messages up to this one.
    pub(crate) fn memo(&self) -> &Memo {
        self.memo.get_or_init(Box::default)
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
        *self.bytes.get_or_init(|| self.message.content.iter().map(Block::bytes).sum())
    }
}
