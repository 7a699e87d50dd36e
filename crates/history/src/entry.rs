//! An entry of a conversation: a message, and what was worked out about it and all before it.

use crate::budget::{Peak, Piece};
use crate::message::{Block, Message};
use crate::remembered::Remembered;
use crate::retention::Stretch;
use crate::strategy::auto::{Planned, Step};
use crate::view::Shown;
use std::sync::{Arc, OnceLock};

/// A message with what was worked out about it once: counting and folding a text again would cost more than all else.
#[derive(Debug)]
pub struct Entry {
    message: Arc<Message>,
    chars: OnceLock<usize>,
    tokens: OnceLock<(u64, u64)>,
    // Apart, so that passes over all entries touch less memory.
    made: OnceLock<Box<Made>>,
    ends: OnceLock<Box<Ends>>,
}

/// What was made of an entry, by keys that say all it depends on. An entry is made once, behind its predecessors, so it
/// stands for all that lies before it.
#[derive(Debug, Default)]
struct Made {
    /// What was made of the messages that end here.
    shown: Remembered<Arc<Vec<Shown>>>,
    /// The entry in conversations whose inputs are shown by their retention.
    twins: Remembered<Arc<Entry>>,
}

/// What is known about all messages up to the last of a stretch, or before a cut between turns; by key as well.
#[derive(Debug, Default)]
pub(crate) struct Ends {
    /// Their tokens, by counter.
    pub sums: Remembered<u64>,
    /// The most that they took while they came.
    pub peaks: Remembered<Peak>,
    /// The last stretch of them as its retentions show it.
    pub retained: Remembered<Arc<Stretch>>,
    /// How far `auto` had planned when they were all, and its moves since the cut before, the one that is
    /// not made yet among them.
    pub plans: Remembered<(Planned, Arc<[Step]>)>,
    /// The last of them as a view showed them, and what its budget made of that.
    pub pieces: Remembered<Arc<Piece>>,
}

impl Entry {
    pub(crate) fn new(message: Arc<Message>) -> Arc<Self> {
        let (chars, tokens) = (OnceLock::new(), OnceLock::new());
        Arc::new(Entry { message, chars, tokens, made: OnceLock::new(), ends: OnceLock::new() })
    }

    /// What is known about all messages up to this one, where a stretch ends or a cut lies behind it.
    pub(crate) fn ends(&self) -> &Ends {
        self.ends.get_or_init(Box::default)
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
    pub(crate) fn made(&self, key: u64, make: impl FnOnce() -> Vec<Shown>) -> Arc<Vec<Shown>> {
        self.made.get_or_init(Box::default).shown.get_or(key, || Arc::new(make()))
    }

    /// This entry behind other predecessors, with the message that `make` gives it there. What is worked out about an
    /// entry stands for all that lies before it, so where something before it is shown otherwise it is another entry;
    /// `key` must say everything about that.
    pub(crate) fn twin(&self, key: u64, make: impl FnOnce() -> Arc<Message>) -> Arc<Entry> {
        self.made.get_or_init(Box::default).twins.get_or(key, || Entry::new(make()))
    }
}
