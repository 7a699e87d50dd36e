//! What the host provides for a view.

use super::counter::TokenCounter;
use super::strategy::CustomStrategy;
use crate::view::compact::Compactable;
use crate::view::summarizer::{Summarizer, SummaryCache};

/// What the host provides for a view, besides conversation and policy.
#[derive(Clone, Copy, Default)]
pub struct ViewContext<'a> {
    /// Counts tokens; needed for budgets and reports.
    pub counter: Option<&'a dyn TokenCounter>,
    /// The current time in milliseconds since 1970; needed for relative times.
    pub now: Option<i64>,
    /// Writes summaries with a model, for policies that say so.
    pub summarizer: Option<&'a dyn Summarizer>,
    /// Keeps what the summarizer wrote.
    pub summary_cache: Option<&'a SummaryCache>,
    /// Compacts messages of the model for `batch`; without it their recap lines remain (B-12).
    pub compact: Option<&'a dyn Compactable>,
    /// A strategy of the host's own; the policy's `strategy` must be `none` then.
    pub strategy: Option<&'a dyn CustomStrategy>,
}
