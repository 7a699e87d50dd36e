//! What a run used in all: tokens, cost, time and tool calls, those of its subtasks included.

use crate::model::Price;
use ptc_turns::Trace;
use ptc_turns::trace::record::{Call, ModelUsage, Usage};
use serde::{Deserialize, Serialize};

/// What a run used in all, summed over its turns and, where they are known, over those of its subtasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Totals {
    /// Turns that ran.
    pub turns: u64,
    /// Tokens of requests, cached ones included.
    pub input_tokens: u64,
    /// Tokens of requests that were read from the provider's cache.
    pub cached_tokens: u64,
    /// Tokens of replies.
    pub output_tokens: u64,
    /// What the tokens cost, in the currency of the task's prices; absent where something has no known price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The part of the cost that is known, where all of it is not.
    #[serde(skip)]
    pub(crate) known_part: f64,
    /// Milliseconds that models were waited for, where that was recorded.
    pub model_ms: u64,
    /// Milliseconds that tools were waited for; calls made together count once.
    pub tool_ms: u64,
    /// Tool calls that were made.
    pub tool_calls: u64,
}

impl Totals {
    /// What the turns and acts of a trace used, without its subtasks. The cost is absent without a price, and where a
    /// provider did not report its tokens.
    pub fn of_trace(trace: &Trace, price: Option<&Price>) -> Self {
        let mut sum = Totals { cost: price.map(|_| 0.0), ..Totals::default() };
        for turn in trace.turns() {
            sum.turns = sum.turns.saturating_add(1);
            sum.add_tokens(&turn.usage, price);
        }
        // A reply that was paid for, whose turn has not ended.
        let journal = trace.journal();
        if let Some(usage) = journal.reply().and_then(|(reply, _)| reply.usage.as_ref()) {
            sum.add_tokens(&usage_of(usage), price);
        }
        let begun = journal.answered().count() as u64;
        sum.tool_calls = begun.saturating_add(trace.calls().count() as u64);
        sum.tool_ms = Self::tool_ms(trace.calls()).saturating_add(journal.waited_ms());
        sum
    }

    /// Milliseconds that these calls were waited for; those made together count once.
    pub fn tool_ms<'a>(calls: impl IntoIterator<Item = &'a Call>) -> u64 {
        let waited = calls.into_iter().filter(|c| c.together.is_none_or(|first| first == c.id));
        waited.fold(0, |sum, c| sum.saturating_add(c.ms))
    }

    /// Tokens of requests and replies.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// What is known of the cost: all of it, or where something has no known price what the rest cost.
    pub fn known_cost(&self) -> f64 {
        self.cost.unwrap_or(self.known_part)
    }

    fn add_cost(&mut self, cost: Option<f64>, known: f64) {
        let known = self.known_cost() + known;
        self.cost = self.cost.zip(cost).map(|(sum, cost)| sum + cost);
        self.known_part = if self.cost.is_none() { known } else { 0.0 };
    }

    /// Milliseconds that models and tools were waited for.
    pub fn waited_ms(&self) -> u64 {
        self.model_ms.saturating_add(self.tool_ms)
    }

    /// Adds the tokens, cost and time of a reply. A usage that no model reported adds nothing.
    pub(crate) fn add_tokens(&mut self, usage: &Usage, price: Option<&Price>) {
        let add = |sum: &mut u64, n: Option<u64>| *sum = sum.saturating_add(n.unwrap_or(0));
        add(&mut self.input_tokens, usage.input_tokens);
        add(&mut self.cached_tokens, usage.cached_tokens);
        add(&mut self.output_tokens, usage.output_tokens);
        add(&mut self.model_ms, usage.model_ms);
        if usage.model.is_some() {
            let cost = price.and_then(|p| p.of(usage));
            self.add_cost(cost, price.map_or(0.0, |p| p.of_reported(usage)));
        }
    }

    /// Adds what a subtask used. Its turns are its own: they are not added.
    pub fn add(&mut self, other: &Totals) {
        // What asked no model is free of charge.
        self.add_with(other, other.cost.or((other.tokens() == 0).then_some(0.0)));
    }

    /// Adds what one reply or call reported: where it has no cost, that is not known.
    pub(crate) fn add_reported(&mut self, other: &Totals) {
        self.add_with(other, other.cost);
    }

    fn add_with(&mut self, other: &Totals, cost: Option<f64>) {
        let add = |sum: &mut u64, n: u64| *sum = sum.saturating_add(n);
        add(&mut self.input_tokens, other.input_tokens);
        add(&mut self.cached_tokens, other.cached_tokens);
        add(&mut self.output_tokens, other.output_tokens);
        add(&mut self.model_ms, other.model_ms);
        add(&mut self.tool_ms, other.tool_ms);
        add(&mut self.tool_calls, other.tool_calls);
        self.add_cost(cost, other.known_cost());
    }
}

/// What a model reported, as the usage of a turn has it.
pub(crate) fn usage_of(usage: &ModelUsage) -> Usage {
    Usage {
        provider: Some(usage.provider.clone()),
        model: Some(usage.model.clone()),
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        cached_tokens: usage.cached_tokens,
        cache_write_tokens: usage.cache_write_tokens,
        model_ms: usage.model_ms,
        ..Usage::default()
    }
}
