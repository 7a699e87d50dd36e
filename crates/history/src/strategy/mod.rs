//! Strategies: which messages of a conversation are shown whole, shortened or not at all (D9, K-13).

pub mod auto;
mod batch;
pub(crate) mod clear;
pub(crate) mod context;
pub(crate) mod fold;
mod size;
mod summarize;
pub(crate) mod summary;
mod window;

use crate::conversation::Conversation;
use crate::policy::{Policy, Strategy};
use crate::view::context::ViewContext;
use crate::view::reasons::Reason;
use crate::view::types::{Event, View, ViewError};
use context::{StrategyContext, everything};

/// K-24: a strategy may leave too little context; the request is made all the same.
pub(crate) fn warn_of_little(policy: &Policy, view: &mut View) {
    let count = view.shown.len();
    if policy.strategy != Strategy::None && count < 2 {
        let s = if count == 1 { "" } else { "s" };
        let text = format!("strategy {} leaves {count} message{s}: context may be lost", policy.strategy.name());
        view.events.push(Event::warn(text));
    }
}

pub(crate) fn render(
    conversation: &Conversation,
    policy: &Policy,
    view_context: &ViewContext<'_>,
) -> Result<View, ViewError> {
    let context = StrategyContext::new(conversation, policy, view_context);
    let mut draft = match policy.strategy {
        Strategy::None => everything(&context, &Reason::Everything),
        Strategy::Batch => batch::draft(&context),
        Strategy::WholeHistory
        | Strategy::LastNMessages
        | Strategy::Chunked
        | Strategy::FromTimestamp
        | Strategy::WholeHistoryMultipleSystemMessages
        | Strategy::StickySummary => summarize::draft(&context)?,
        Strategy::SlidingWindow => window::draft(&context)?,
        Strategy::ClearToolResults => clear::draft(&context),
        Strategy::Auto => auto::draft(&context),
    };
    if policy.strategy != Strategy::None {
        draft.boundary_moves = draft.boundary_moves.saturating_add(conversation.pairs().redrawn());
    }
    Ok(View {
        shown: draft.shown,
        boundary_moves: draft.boundary_moves,
        stable_prefix: draft.stable_prefix,
        budget_cuts: 0,
        steps: draft.steps,
        events: draft.events,
        tokens: None,
    })
}
