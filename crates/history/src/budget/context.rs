//! What a budget applies to: a conversation under a policy, and how its messages are counted.

use crate::conversation::{Conversation, Entry};
use crate::policy::Policy;
use crate::strategy::context::StrategyContext;
use crate::view::context::ViewContext;
use crate::view::counter::TokenCounter;
use crate::view::types::{ViewError, ViewMessage};

/// The budgets of a policy over a conversation, as its retentions show it.
pub(crate) struct Budget<'a> {
    /// The conversation itself.
    pub(super) original: &'a Conversation,
    /// The same, as its retentions show it.
    pub(super) conversation: &'a Conversation,
    pub(super) policy: &'a Policy,
    pub(super) view_context: &'a ViewContext<'a>,
    /// The limit and the counter for it.
    pub(super) tokens: Option<(u64, &'a dyn TokenCounter)>,
}

impl<'a> Budget<'a> {
    pub(super) fn context(&self) -> StrategyContext<'a> {
        StrategyContext::new(self.conversation, self.policy, self.view_context)
    }

    /// Fails when a budget needs a counter and there is none.
    pub(crate) fn new(
        original: &'a Conversation,
        conversation: &'a Conversation,
        policy: &'a Policy,
        view_context: &'a ViewContext<'a>,
    ) -> Result<Self, ViewError> {
        let missing = || ViewError::Missing("max_tokens counts tokens: hand in a measure".to_owned());
        let tokens = match policy.max_tokens {
            Some(max) => Some((max, view_context.counter.ok_or_else(missing)?)),
            None => None,
        };
        Ok(Budget { original, conversation, policy, view_context, tokens })
    }

    /// Tokens of a request that sends the whole conversation.
    pub(super) fn whole(&self, conversation: &Conversation, counter: &dyn TokenCounter) -> u64 {
        let all = match self.policy.enable_token_caching {
            true => conversation.tokens(counter.id(), |m| counter.message(m)),
            false => conversation.messages().map(|m| counter.message(m)).fold(0, u64::saturating_add),
        };
        all.saturating_add(counter.overhead())
    }

    pub(super) fn count_entry(&self, entry: &Entry, counter: &dyn TokenCounter) -> u64 {
        match self.policy.enable_token_caching {
            true => entry.tokens(counter.id(), |m| counter.message(m)),
            false => counter.message(entry.message()),
        }
    }

    /// Tokens of a request that sends these (K-14).
    pub(super) fn sum(&self, shown: &[ViewMessage], counter: &dyn TokenCounter) -> u64 {
        shown.iter().map(|s| self.count(s, counter)).fold(counter.overhead(), u64::saturating_add)
    }

    /// Tokens of a message; cached where the policy says so, with the same result (K-32).
    pub(super) fn count(&self, shown: &ViewMessage, counter: &dyn TokenCounter) -> u64 {
        if !self.policy.enable_token_caching {
            return counter.message(&shown.message);
        }
        shown.tokens(self.conversation, counter)
    }
}
