//! `sliding_window`: the newest messages, cut where no call is separated from its result; removed messages leave a
//! summary (seed 004).

use super::context::StrategyContext;
use super::summary::Summary;
use crate::view::types::{Event, View, ViewError};

pub(super) fn draft(context: &StrategyContext<'_>) -> Result<View, ViewError> {
    let len = context.conversation.len();
    let cut = cut(context);
    let mut shown = Vec::with_capacity(len.saturating_sub(cut).saturating_add(8));
    let mut events = Vec::new();
    // The summary comes first: when it fails, nothing is trimmed (F-15, F-16).
    let summary = if cut > 0 && context.policy.summarize_removed {
        let links = if context.policy.model_summaries { links(context, cut) } else { Vec::new() };
        Summary::new(context).of(0..cut, &links)?
    } else {
        None
    };
    shown.extend(context.pinned_in(0..cut).iter().map(|(at, reason)| context.show(*at, *reason)));
    shown.extend(summary);
    let stable_prefix = if cut == 0 { len } else { shown.len() };
    context.push_rest(cut, &mut shown);
    if len > context.policy.max_messages {
        let removed = cut.saturating_sub(context.pinned_in(0..cut).len());
        events.push(Event::info(format!("sliding_window: {removed} of {len} messages cut off")));
    }
    if len.saturating_sub(cut) > context.policy.max_messages {
        let text = format!(
            "over_window: {} messages stay, max_messages is {}; calls and their results are not parted, nor open calls dropped",
            len.saturating_sub(cut),
            context.policy.max_messages
        );
        events.push(Event::warn(text));
    }
    let boundary_moves = context.conversation.groups().partition_point(|g| g.range.start < cut) as u64;
    Ok(View { shown, boundary_moves, stable_prefix, events, ..View::default() })
}

/// Where the window begins: the first place that leaves at most `max_messages` and cuts no group (F-09, F-10), and no
/// further than the last group (F-11) or the open calls (F-12).
fn cut(context: &StrategyContext<'_>) -> usize {
    let len = context.conversation.len();
    let Some(target) = len.checked_sub(context.policy.max_messages).filter(|t| *t > 0) else { return 0 };
    let groups = context.conversation.groups();
    let safe = groups.get(groups.partition_point(|g| g.range.start < target));
    let last = groups.last().map_or(0, |g| g.range.start);
    safe.map_or(last, |g| g.range.start).min(context.open_from(len, 0))
}

/// The places from which a model's rolling summary continues: the first group after each `max_messages` removed
/// messages (F-17). So a move asks the model about the messages removed since, not about all of them.
fn links(context: &StrategyContext<'_>, cut: usize) -> Vec<usize> {
    let mut links = Vec::new();
    let mut next = context.policy.max_messages.max(1);
    for group in context.conversation.groups() {
        if group.range.start >= cut {
            break;
        }
        if group.range.start >= next {
            links.push(group.range.start);
            next = group.range.start.saturating_add(context.policy.max_messages.max(1));
        }
    }
    links
}
