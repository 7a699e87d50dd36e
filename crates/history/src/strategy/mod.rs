//! Strategies: which messages of a conversation are shown whole, shortened or not at all (D9, K-13).

pub mod auto;
mod batch;
pub(crate) mod clear;
pub(crate) mod context;
mod custom;
pub(crate) mod fold;
mod size;
mod summarize;
pub(crate) mod summary;
mod window;

use crate::conversation::Conversation;
use crate::policy::{Policy, PolicyError, Strategy};
use crate::view::context::ViewContext;
use crate::view::reasons::Reason;
use crate::view::strategy::CustomStrategy;
use crate::view::types::{Event, View, ViewError};
use context::{StrategyContext, everything};

/// The name of the strategy that is applied; `None` where all is shown.
pub(crate) fn name(policy: &Policy, view_context: &ViewContext<'_>) -> Option<&'static str> {
    let own = view_context.strategy.map(CustomStrategy::name);
    own.or((policy.strategy != Strategy::None).then(|| policy.strategy.name()))
}

/// K-24: warns where a strategy leaves fewer than two messages. The request is still made.
pub(crate) fn warn_of_little(policy: &Policy, view_context: &ViewContext<'_>, view: &mut View) {
    let count = view.shown.len();
    if let Some(name) = name(policy, view_context).filter(|_| count < 2) {
        let s = if count == 1 { "" } else { "s" };
        let text = format!("strategy {name} leaves {count} message{s}: context may be lost");
        view.events.push(Event::warn(text));
    }
}

/// The view without a strategy.
pub(crate) fn whole(conversation: &Conversation, policy: &Policy, view_context: &ViewContext<'_>) -> View {
    let policy = Policy { strategy: Strategy::None, ..policy.clone() };
    everything(&StrategyContext::new(conversation, &policy, view_context), &Reason::Everything)
}

/// The view by the host's own strategy, or by that of the policy.
pub(crate) fn render(
    conversation: &Conversation,
    policy: &Policy,
    view_context: &ViewContext<'_>,
) -> Result<View, ViewError> {
    let context = StrategyContext::new(conversation, policy, view_context);
    let mut view = match (policy.strategy, view_context.strategy) {
        (Strategy::None, None) => return Ok(everything(&context, &Reason::Everything)),
        (Strategy::None, Some(own)) => custom::draft(&context, own)?,
        (named, Some(own)) => {
            let problem = format!(
                "the host gives a strategy ({}), and the policy says strategy = {:?}",
                own.name(),
                named.name()
            );
            let hint = Some("set strategy = \"none\"".to_owned());
            return Err(PolicyError::Conflict { key: "strategy", problem, hint }.into());
        }
        (Strategy::Batch, None) => batch::draft(&context),
        (
            Strategy::WholeHistory
            | Strategy::LastNMessages
            | Strategy::Chunked
            | Strategy::FromTimestamp
            | Strategy::WholeHistoryMultipleSystemMessages
            | Strategy::StickySummary,
            None,
        ) => summarize::draft(&context)?,
        (Strategy::SlidingWindow, None) => window::draft(&context)?,
        (Strategy::ClearToolResults, None) => clear::draft(&context),
        (Strategy::Auto, None) => auto::draft(&context),
    };
    view.boundary_moves = view.boundary_moves.saturating_add(conversation.pairs().redrawn());
    Ok(view)
}
