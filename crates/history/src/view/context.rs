//! What a view is made with, beside conversation and policy.

use crate::conversation::message::Message;
use crate::view::compact::Compactable;
use crate::view::summarizer::{Summarizer, SummaryCache};

/// Counts tokens of a message as a provider would frame it. One counter serves trigger, action and check (part C).
pub trait TokenCounter: Sync {
    /// Tells counters apart: counts are remembered under it.
    fn id(&self) -> u64;
    /// Tokens of one message with its framing.
    fn message(&self, message: &Message) -> u64;
    /// Tokens of the request around the messages: priming, tools, schema.
    fn overhead(&self) -> u64;
}

/// What a view is made with, beside conversation and policy: all of it handed in by the host.
#[derive(Clone, Copy, Default)]
pub struct ViewContext<'a> {
    /// Counts tokens; needed by budgets, and by reports.
    pub counter: Option<&'a dyn TokenCounter>,
    /// Now, in milliseconds since 1970: needed by relative times.
    pub now: Option<i64>,
    /// Writes summaries with a model, for policies that say so.
    pub summarizer: Option<&'a dyn Summarizer>,
    /// Remembers what the summarizer wrote.
    pub summary_cache: Option<&'a SummaryCache>,
    /// Compacts messages of the model for `batch`; without it they leave their recap line (B-12).
    pub compact: Option<&'a dyn Compactable>,
}
