//! The strategies that summarize (seed 002): older messages become a TL;DR, newer ones stay whole.
//!
//! They differ in where the boundary is and in how many TL;DRs there are before it. All keep system messages, the task
//! and the agent's memory in place (K-03, K-09), never separate a call from its results (K-04, K-05), and leave open
//! calls alone (K-37).

use super::context::{StrategyContext, everything};
use super::summary::Summary;
use crate::conversation::groups::{Group, GroupKind};
use crate::policy::Strategy;
use crate::view::reasons::Reason;
use crate::view::types::{Event, View, ViewError};
use std::ops::Range;

pub(super) fn draft(context: &StrategyContext<'_>) -> Result<View, ViewError> {
    // K-25: a short history is not compressed.
    let len = context.conversation.len();
    if len < context.policy.min_messages {
        return Ok(everything(context, &Reason::Small));
    }
    let mut events = Vec::new();
    let mut plan = plan(context, &mut events)?;
    // K-26: at least two messages remain, where there are two; the others are not compressed. A summary that was there
    // already does not count: otherwise the view of a view would continue where the view had to stop.
    let summaries = &context.conversation.index().summaries;
    let stood = |part: &&Range<usize>| part.len() == 1 && summaries.binary_search(&part.start).is_ok();
    let made = plan.parts.iter().filter(|p| !stood(p)).count();
    if len >= 2 && context.pinned_in(0..plan.cut).is_empty() && made.saturating_add(len).saturating_sub(plan.cut) < 2 {
        plan = match plan.links.pop() {
            None if context.policy.strategy == Strategy::Chunked => {
                chunked(context, back(context, len.saturating_sub(1)))
            }
            // A sticky boundary stays where it was before.
            Some(_) => Plan {
                boundary_moves: plan.boundary_moves.saturating_sub(1),
                ..Plan::one(context, plan.links.last().copied().unwrap_or(0))
            },
            None => Plan::one(context, back(context, len.saturating_sub(1))),
        };
    }
    let cut = plan.cut;
    if cut == 0 {
        let mut shown = Vec::with_capacity(len);
        context.push_rest(0, &mut shown);
        return Ok(View { shown, stable_prefix: len, events, ..View::default() });
    }
    let summary = Summary::new(context);
    let mut shown = Vec::with_capacity(len.saturating_sub(cut).saturating_add(8));
    let mut stable_prefix = 0;
    for (i, part) in plan.parts.iter().enumerate() {
        let made = summary.of(part.clone(), &plan.links)?;
        shown.extend(context.pinned_in(part.clone()).iter().map(|(at, reason)| context.show(*at, *reason)));
        shown.extend(made);
        if i.saturating_add(plan.growing) < plan.parts.len() {
            stable_prefix = shown.len();
        }
    }
    let of = cut.saturating_sub(shown.iter().filter(|s| !matches!(s.reason, Reason::Summary { .. })).count());
    let made = shown.iter().filter(|s| matches!(s.reason, Reason::Summary { .. })).count();
    let text = format!("{}: {of} messages became {made} TL;DR", context.policy.strategy.name());
    events.push(Event::info(text));
    context.push_rest(cut, &mut shown);
    Ok(View { shown, boundary_moves: plan.boundary_moves, stable_prefix, events, ..View::default() })
}

/// Which messages become TL;DRs.
struct Plan {
    /// Everything before this place is summarised, except pinned messages.
    cut: usize,
    /// The ranges of the TL;DRs; together they are all messages before the cut.
    parts: Vec<Range<usize>>,
    /// How many of the last parts still grow with the conversation.
    growing: usize,
    boundary_moves: u64,
    /// Places of earlier boundaries: a model's summary is extended from one to the next.
    links: Vec<usize>,
}

impl Plan {
    /// One TL;DR of all before `cut`, which moves a group at a time.
    fn one(context: &StrategyContext<'_>, cut: usize) -> Self {
        let parts = std::iter::once(0..cut).collect();
        Plan { cut, parts, growing: 0, boundary_moves: groups_before(context, cut), links: Vec::new() }
    }
}

fn plan(context: &StrategyContext<'_>, events: &mut Vec<Event>) -> Result<Plan, ViewError> {
    let len = context.conversation.len();
    let open_from = context.open_from(len, 0);
    Ok(match context.policy.strategy {
        Strategy::LastNMessages => {
            let cut = back(context, len.saturating_sub(context.policy.last_messages));
            Plan::one(context, cut.min(open_from))
        }
        Strategy::Chunked => chunked(context, open_from),
        Strategy::FromTimestamp => Plan::one(context, from_timestamp(context, events)?.min(open_from)),
        Strategy::WholeHistoryMultipleSystemMessages => blocks(context, open_from),
        Strategy::StickySummary => sticky(context),
        // Other strategies do not get here; `whole_history` summarises everything.
        _ => Plan::one(context, open_from),
    })
}

/// The nearest place not after `at` where no group is cut.
fn back(context: &StrategyContext<'_>, at: usize) -> usize {
    let pairs = context.conversation.pairs();
    pairs.all().get(pairs.index_of(at)).map_or(context.conversation.len(), |g| g.range.start)
}

/// A boundary that moves a group at a time moved as often as there are groups before it.
fn groups_before(context: &StrategyContext<'_>, cut: usize) -> u64 {
    context.conversation.groups().partition_point(|g| g.range.start < cut) as u64
}

/// Chunks of whole groups, of at most `chunk_size` messages unless a group is larger (K-05). Pinned messages are not
/// counted; an existing summary is a chunk of its own.
fn chunked(context: &StrategyContext<'_>, open_from: usize) -> Plan {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    let mut count = 0_usize;
    let older = |g: &&Group| g.range.start < open_from;
    for group in context.conversation.groups().iter().take_while(older) {
        let summaries = &context.conversation.index().summaries;
        let finished = |at: usize| summaries.binary_search(&at).is_ok();
        let size = group.range.len().saturating_sub(context.pinned_in(group.range.clone()).len());
        let alone = finished(group.range.start) || group.range.start.checked_sub(1).is_some_and(finished);
        if count > 0 && (count.saturating_add(size) > context.policy.chunk_size || alone) {
            parts.push(from..group.range.start);
            from = group.range.start;
            count = 0;
        }
        count = count.saturating_add(size);
    }
    if open_from > from {
        parts.push(from..open_from);
    }
    Plan { parts, growing: 1, ..Plan::one(context, open_from) }
}

/// A TL;DR for each section that begins with a system message; messages before the first join it (K-07). The first user
/// message of each section is kept, as the task is.
fn blocks(context: &StrategyContext<'_>, open_from: usize) -> Plan {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for at in context.conversation.index().systems.iter().copied().filter(|at| *at < open_from).skip(1) {
        parts.push(from..at);
        from = at;
    }
    parts.push(from..open_from);
    Plan { parts, growing: 1, ..Plan::one(context, open_from) }
}

/// The first message that is not older than the given time (K-06). A message without a time, or with one before that of
/// an earlier message, is placed by its position: clocks may be wrong, positions are not.
fn from_timestamp(context: &StrategyContext<'_>, events: &mut Vec<Event>) -> Result<usize, ViewError> {
    let age = |age: i64| {
        let now = context.view_context.now.ok_or_else(|| {
            ViewError::Missing("max_age_ms needs the time: hand in `now`, or set from_timestamp".to_owned())
        })?;
        Ok::<i64, ViewError>(now.saturating_sub(age))
    };
    let relative = context.policy.max_age_ms.map(age).transpose()?;
    // Both apply: messages older than either are compressed.
    let Some(time) = context.policy.from_timestamp.max(relative) else { return Ok(0) };
    let pairs = context.conversation.pairs();
    // A result that answers no call is not sent, so its time says nothing.
    let sent = |at: usize| pairs.all().get(pairs.index_of(at)).is_some_and(|g| g.kind != GroupKind::Orphan);
    let times = &context.conversation.index().times;
    if times.is_empty() {
        let text = "from_timestamp: no message has a time (meta.at), so nothing was compressed; record times";
        events.push(Event::warn(text));
        return Ok(0);
    }
    let first = times.iter().find(|(at, said)| *said >= time && sent(*at));
    Ok(first.map_or(context.conversation.len(), |(at, _)| back(context, *at)))
}

/// A boundary that stays until more than `sticky_messages` come after it, and then moves so far that `last_messages`
/// remain. Computed over the conversation in order, so the view is the same whenever it is made.
fn sticky(context: &StrategyContext<'_>) -> Plan {
    let policy = context.policy;
    let places = CountedPlaces::of(context);
    let mut links = Vec::new();
    let mut cut = 0;
    let mut before = 0;
    let mut now = policy.sticky_messages;
    // `now` is the newest of the counted messages, and it is one too many.
    while let Some(newest) = places.nth(now) {
        let target = now.saturating_add(1).checked_sub(policy.last_messages).and_then(|i| places.nth(i));
        // No message stays whole: everything said until then is summarised.
        let target = target.map_or(newest.saturating_add(1), |at| at.min(newest.saturating_add(1)));
        let new = back(context, target).min(context.open_from(newest.saturating_add(1), cut));
        let small = newest.saturating_add(1) < policy.min_messages;
        if new > cut && !small {
            cut = new;
            links.push(cut);
            before = places.before(cut);
        }
        now = before.saturating_add(policy.sticky_messages).max(now.saturating_add(1));
    }
    Plan { boundary_moves: links.len() as u64, links, ..Plan::one(context, cut) }
}

/// The messages that count for a sticky boundary: pinned ones and summaries are always shown, so they do not count.
struct CountedPlaces {
    /// The places of those that do not, in order.
    others: Vec<usize>,
    len: usize,
}

impl CountedPlaces {
    fn of(context: &StrategyContext<'_>) -> Self {
        let len = context.conversation.len();
        let mut others: Vec<usize> = context.pinned_in(0..len).iter().map(|(at, _)| *at).collect();
        others.extend(&context.conversation.index().summaries);
        others.sort_unstable();
        others.dedup();
        CountedPlaces { others, len }
    }

    /// The place of the counted message with this many counted messages before it.
    fn nth(&self, nth: usize) -> Option<usize> {
        let (mut from, mut to) = (0, self.others.len());
        while from < to {
            let middle = from.saturating_add(to.saturating_sub(from) / 2);
            // How many counted messages come before it.
            let before = self.others.get(middle).map_or(usize::MAX, |at| at.saturating_sub(middle));
            if before <= nth {
                from = middle.saturating_add(1);
            } else {
                to = middle;
            }
        }
        Some(nth.saturating_add(from)).filter(|at| *at < self.len)
    }

    /// How many stand before this place.
    fn before(&self, at: usize) -> usize {
        at.saturating_sub(self.others.partition_point(|other| *other < at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_is_found_without_going_over_it() {
        for others in [vec![], vec![0], vec![0, 1, 2], vec![3, 4, 9], vec![11], (0..12).collect()] {
            let counted = CountedPlaces { others, len: 12 };
            let all: Vec<usize> = (0..12).filter(|at| !counted.others.contains(at)).collect();
            for i in 0..14 {
                assert_eq!(counted.nth(i), all.get(i).copied(), "{:?}", counted.others);
                assert_eq!(counted.before(i.min(12)), all.iter().filter(|at| **at < i).count(), "{:?}", counted.others);
            }
        }
    }
}
