//! From conversation to view: retention, then the strategy, then the budgets (D9, K-13).

pub mod auto;
mod batch;
pub(crate) mod clear;
pub(crate) mod compact;
pub(crate) mod context;
pub(crate) mod fold;
mod size;
pub(crate) mod summary;
mod tldr;
mod window;

pub use compact::{Compact, Compactable, OtherKind, Recap, UserInput};

use crate::conversation::Conversation;
use crate::policy::{Policy, Strategy};
use crate::view::context::With;
use crate::view::reasons::Why;
use crate::view::types::{Event, View, ViewError};
use context::{Scene, everything};

/// K-24: what is left of a strategy may be too little to go on with; the request is made all the same.
pub(crate) fn warn_of_little(policy: &Policy, view: &mut View) {
    let count = view.shown.len();
    if policy.strategy != Strategy::None && count < 2 {
        let s = if count == 1 { "" } else { "s" };
        let text = format!("strategy {} leaves {count} message{s}: context may be lost", policy.strategy.name());
        view.events.push(Event::warn(text));
    }
}

pub(crate) fn render(conversation: &Conversation, policy: &Policy, with: &With<'_>) -> Result<View, ViewError> {
    let scene = Scene::new(conversation, policy, with);
    let mut draft = match policy.strategy {
        Strategy::None => everything(&scene, &Why::Everything),
        Strategy::Batch => batch::draft(&scene),
        Strategy::WholeHistory
        | Strategy::LastNMessages
        | Strategy::Chunked
        | Strategy::FromTimestamp
        | Strategy::WholeHistoryMultipleSystemMessages
        | Strategy::StickySummary => tldr::draft(&scene)?,
        Strategy::SlidingWindow => window::draft(&scene)?,
        Strategy::ClearToolResults => clear::draft(&scene),
        Strategy::Auto => auto::draft(&scene),
    };
    if policy.strategy != Strategy::None {
        draft.moves = draft.moves.saturating_add(conversation.pairs().redrawn());
    }
    Ok(View {
        shown: draft.shown,
        moves: draft.moves,
        stable: draft.stable,
        squeezed: 0,
        steps: draft.steps,
        events: draft.events,
        tokens: None,
    })
}
