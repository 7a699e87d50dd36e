//! What budgets are held for: a conversation under a policy, and how its messages are counted.

use crate::conversation::{Conversation, Entry};
use crate::message::Message;
use crate::policy::Policy;
use crate::strategy::context::Scene;
use crate::view::context::{Measure, With};
use crate::view::types::{Shown, ViewError};
use std::sync::Arc;

/// The budgets of a policy over a conversation, as its retentions show it.
pub(crate) struct Budget<'a> {
    /// The conversation itself.
    pub(super) original: &'a Conversation,
    /// The same, as its retentions show it.
    pub(super) conversation: &'a Conversation,
    pub(super) policy: &'a Policy,
    pub(super) with: &'a With<'a>,
    /// The limit and what counts for it.
    pub(super) tokens: Option<(u64, &'a dyn Measure)>,
}

impl<'a> Budget<'a> {
    pub(super) fn scene(&self) -> Scene<'a> {
        Scene::new(self.conversation, self.policy, self.with)
    }

    /// Fails when a budget is to be counted and nobody counts.
    pub(crate) fn new(
        original: &'a Conversation,
        conversation: &'a Conversation,
        policy: &'a Policy,
        with: &'a With<'a>,
    ) -> Result<Self, ViewError> {
        let missing = || ViewError::Missing("max_tokens counts tokens: hand in a measure".to_owned());
        let tokens = match policy.max_tokens {
            Some(max) => Some((max, with.measure.ok_or_else(missing)?)),
            None => None,
        };
        Ok(Budget { original, conversation, policy, with, tokens })
    }

    /// Tokens of a request that sends the whole conversation.
    pub(super) fn whole(&self, conversation: &Conversation, measure: &dyn Measure) -> u64 {
        let all = match self.policy.enable_token_caching {
            true => conversation.tokens(measure.id(), |m| measure.message(m)),
            false => conversation.messages().map(|m| measure.message(m)).fold(0, u64::saturating_add),
        };
        all.saturating_add(measure.around())
    }

    pub(super) fn count_entry(&self, entry: &Entry, measure: &dyn Measure) -> u64 {
        match self.policy.enable_token_caching {
            true => entry.tokens(measure.id(), |m| measure.message(m)),
            false => measure.message(entry.message()),
        }
    }

    /// Tokens of a request that sends these (K-14).
    pub(super) fn sum(&self, shown: &[Shown], measure: &dyn Measure) -> u64 {
        shown.iter().map(|s| self.count(s, measure)).fold(measure.around(), u64::saturating_add)
    }

    /// Tokens of a message; remembered where it is remembered, which changes nothing but the time (K-32).
    pub(super) fn count(&self, shown: &Shown, measure: &dyn Measure) -> u64 {
        if !self.policy.enable_token_caching {
            return measure.message(&shown.message);
        }
        count(shown, self.conversation, measure)
    }
}

/// Tokens of a message that shows some of this conversation: what was counted once is not counted again.
pub(crate) fn count(shown: &Shown, conversation: &Conversation, measure: &dyn Measure) -> u64 {
    let count = |m: &Message| measure.message(m);
    let entry = shown.place().and_then(|at| conversation.entries().get(at));
    match entry.filter(|e| Arc::ptr_eq(e.message(), &shown.message)) {
        Some(entry) => entry.tokens(measure.id(), count),
        None => shown.counted.get(measure.id(), || count(&shown.message)),
    }
}
