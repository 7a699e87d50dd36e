//! The messages of a session at its last request, with what was counted and computed about them.

use ptc_history::{Conversation, Message};
use std::sync::{Mutex, PoisonError};

/// Those that have not changed are taken over into the next request.
#[derive(Debug, Default)]
pub(crate) struct LastRequest(Mutex<Kept>);

#[derive(Clone, Debug, Default)]
struct Kept {
    conversation: Conversation,
    /// How many of its first messages are still as they were.
    unchanged: usize,
}

/// A fork continues from the same messages.
impl Clone for LastRequest {
    fn clone(&self) -> Self {
        LastRequest(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl LastRequest {
    /// Takes note that messages from place `from` on are others.
    pub fn changed(&mut self, from: usize) {
        let kept = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        kept.unchanged = kept.unchanged.min(from);
    }

    /// The conversation of these messages, as strategies and budgets take it.
    pub fn conversation(&self, messages: &[Message]) -> Conversation {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let unchanged = kept.unchanged.min(kept.conversation.len());
        kept.conversation.truncate(unchanged);
        kept.conversation.extend_recorded(messages.iter().skip(unchanged).cloned());
        kept.unchanged = usize::MAX;
        kept.conversation.clone()
    }
}
