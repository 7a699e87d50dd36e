//! The strategies of seed 002: what is older becomes a TL;DR, what is newer stays whole.
//!
//! They differ in where the boundary lies and in how many TL;DRs stand before it. All keep system messages, the task
//! and the agent's memory where they stand (K-03, K-09), never part a call from its results (K-04, K-05), and leave the
//! calls alone that still wait for theirs (K-37).

use super::context::{Draft, Scene, everything};
use super::summary::Summary;
use crate::group::{Group, Kind};
use crate::policy::Strategy;
use crate::view::reasons::Why;
use crate::view::types::{Event, ViewError};
use std::ops::Range;

pub(super) fn draft(scene: &Scene<'_>) -> Result<Draft, ViewError> {
    // K-25: a short history is not compressed.
    let len = scene.conversation.len();
    if len < scene.policy.min_messages {
        return Ok(everything(scene, &Why::Small));
    }
    let mut events = Vec::new();
    let mut plan = plan(scene, &mut events)?;
    // K-26: two messages at least, where there are two; what was too much is not compressed. A summary that stood there
    // already is none of the two: else the view of a view would go on where the view had to stop.
    let summaries = &scene.conversation.index().summaries;
    let stood = |part: &&Range<usize>| part.len() == 1 && summaries.binary_search(&part.start).is_ok();
    let made = plan.parts.iter().filter(|p| !stood(p)).count();
    if len >= 2 && scene.pinned_in(0..plan.cut).is_empty() && made.saturating_add(len).saturating_sub(plan.cut) < 2 {
        plan = match plan.links.pop() {
            None if scene.policy.strategy == Strategy::Chunked => chunked(scene, back(scene, len.saturating_sub(1))),
            // A boundary that sticks does so where it was before.
            Some(_) => Plan {
                moves: plan.moves.saturating_sub(1),
                ..Plan::one(scene, plan.links.last().copied().unwrap_or(0))
            },
            None => Plan::one(scene, back(scene, len.saturating_sub(1))),
        };
    }
    let cut = plan.cut;
    if cut == 0 {
        let mut shown = Vec::with_capacity(len);
        scene.show_rest(0, &mut shown);
        return Ok(Draft { shown, moves: 0, stable: len, events, steps: Vec::new() });
    }
    let summary = Summary::new(scene);
    let mut shown = Vec::with_capacity(len.saturating_sub(cut).saturating_add(8));
    let mut stable = 0;
    for (i, part) in plan.parts.iter().enumerate() {
        let made = summary.of(part.clone(), &plan.links)?;
        shown.extend(scene.pinned_in(part.clone()).iter().map(|(at, why)| scene.show(*at, *why)));
        shown.extend(made);
        if i.saturating_add(plan.growing) < plan.parts.len() {
            stable = shown.len();
        }
    }
    let of = cut.saturating_sub(shown.iter().filter(|s| !matches!(s.why, Why::Summary { .. })).count());
    let made = shown.iter().filter(|s| matches!(s.why, Why::Summary { .. })).count();
    let text = format!("{}: {of} messages became {made} TL;DR", scene.policy.strategy.name());
    events.push(Event::info(text));
    scene.show_rest(cut, &mut shown);
    Ok(Draft { shown, moves: plan.moves, stable, events, steps: Vec::new() })
}

/// What becomes TL;DRs.
struct Plan {
    /// Everything before this place does, but what is pinned.
    cut: usize,
    /// A TL;DR each; together they are all before the cut.
    parts: Vec<Range<usize>>,
    /// How many of the last parts still grow with the conversation.
    growing: usize,
    moves: u64,
    /// Places where earlier boundaries lay: a model's summary rolls from one to the next.
    links: Vec<usize>,
}

impl Plan {
    /// One TL;DR of all before `cut`, which moves a group at a time.
    fn one(scene: &Scene<'_>, cut: usize) -> Self {
        let parts = std::iter::once(0..cut).collect();
        Plan { cut, parts, growing: 0, moves: groups_before(scene, cut), links: Vec::new() }
    }
}

fn plan(scene: &Scene<'_>, events: &mut Vec<Event>) -> Result<Plan, ViewError> {
    let len = scene.conversation.len();
    let live = scene.live(len, 0);
    Ok(match scene.policy.strategy {
        Strategy::LastNMessages => {
            let cut = back(scene, len.saturating_sub(scene.policy.last_messages));
            Plan::one(scene, cut.min(live))
        }
        Strategy::Chunked => chunked(scene, live),
        Strategy::FromTimestamp => Plan::one(scene, from_timestamp(scene, events)?.min(live)),
        Strategy::WholeHistoryMultipleSystemMessages => blocks(scene, live),
        Strategy::StickySummary => sticky(scene),
        // The others do not come here; all of it is what is asked of this one.
        _ => Plan::one(scene, live),
    })
}

/// The nearest place not behind `at` where no group is cut.
fn back(scene: &Scene<'_>, at: usize) -> usize {
    let pairs = scene.conversation.pairs();
    pairs.all().get(pairs.index_of(at)).map_or(scene.conversation.len(), |g| g.range.start)
}

/// A boundary that moves a group at a time moved as often as there are groups before it.
fn groups_before(scene: &Scene<'_>, cut: usize) -> u64 {
    scene.conversation.groups().partition_point(|g| g.range.start < cut) as u64
}

/// Chunks of whole groups, of `chunk_size` messages at most where no group is larger (K-05). What is pinned is not
/// counted; a summary that stands in the conversation is a chunk of its own.
fn chunked(scene: &Scene<'_>, live: usize) -> Plan {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    let mut count = 0_usize;
    let older = |g: &&Group| g.range.start < live;
    for group in scene.conversation.groups().iter().take_while(older) {
        let summaries = &scene.conversation.index().summaries;
        let finished = |at: usize| summaries.binary_search(&at).is_ok();
        let size = group.range.len().saturating_sub(scene.pinned_in(group.range.clone()).len());
        let alone = finished(group.range.start) || group.range.start.checked_sub(1).is_some_and(finished);
        if count > 0 && (count.saturating_add(size) > scene.policy.chunk_size || alone) {
            parts.push(from..group.range.start);
            from = group.range.start;
            count = 0;
        }
        count = count.saturating_add(size);
    }
    if live > from {
        parts.push(from..live);
    }
    Plan { parts, growing: 1, ..Plan::one(scene, live) }
}

/// A TL;DR for each stretch that a system message opens; what stands before the first joins it (K-07). The first user
/// message of each stretch is kept, as the task is.
fn blocks(scene: &Scene<'_>, live: usize) -> Plan {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for at in scene.conversation.index().systems.iter().copied().filter(|at| *at < live).skip(1) {
        parts.push(from..at);
        from = at;
    }
    parts.push(from..live);
    Plan { parts, growing: 1, ..Plan::one(scene, live) }
}

/// The first message that is not older than the time asked for (K-06). A message without a time, or with one that lies
/// before that of an earlier message, was said when its place says: clocks skew, places do not.
fn from_timestamp(scene: &Scene<'_>, events: &mut Vec<Event>) -> Result<usize, ViewError> {
    let age = |age: i64| {
        let now = scene.with.now.ok_or_else(|| {
            ViewError::Missing("max_age_ms needs the time: hand in `now`, or set from_timestamp".to_owned())
        })?;
        Ok::<i64, ViewError>(now.saturating_sub(age))
    };
    let relative = scene.policy.max_age_ms.map(age).transpose()?;
    // Both are heeded: what is older than either is compressed.
    let Some(time) = scene.policy.from_timestamp.max(relative) else { return Ok(0) };
    let pairs = scene.conversation.pairs();
    // A result that answers no call is not sent, so its time says nothing.
    let sent = |at: usize| pairs.all().get(pairs.index_of(at)).is_some_and(|g| g.kind != Kind::Orphan);
    let times = &scene.conversation.index().times;
    if times.is_empty() {
        let text = "from_timestamp: no message has a time (meta.at), so nothing was compressed; record times";
        events.push(Event::warn(text));
        return Ok(0);
    }
    let first = times.iter().find(|(at, said)| *said >= time && sent(*at));
    Ok(first.map_or(scene.conversation.len(), |(at, _)| back(scene, *at)))
}

/// A boundary that sticks until more than `sticky_messages` lie behind it, and then moves so far that `last_messages`
/// are left. Goes through the conversation as it came, so the view is the same whenever it is made.
fn sticky(scene: &Scene<'_>) -> Plan {
    let policy = scene.policy;
    let places = Counted::of(scene);
    let mut links = Vec::new();
    let mut cut = 0;
    let mut before = 0;
    let mut now = policy.sticky_messages;
    // `now` is the newest of the counted messages, and it is one too many.
    while let Some(newest) = places.nth(now) {
        let target = now.saturating_add(1).checked_sub(policy.last_messages).and_then(|i| places.nth(i));
        // Nothing is left whole: all that had been said by then.
        let target = target.map_or(newest.saturating_add(1), |at| at.min(newest.saturating_add(1)));
        let new = back(scene, target).min(scene.live(newest.saturating_add(1), cut));
        let small = newest.saturating_add(1) < policy.min_messages;
        if new > cut && !small {
            cut = new;
            links.push(cut);
            before = places.before(cut);
        }
        now = before.saturating_add(policy.sticky_messages).max(now.saturating_add(1));
    }
    Plan { moves: links.len() as u64, links, ..Plan::one(scene, cut) }
}

/// The messages that count for a boundary that sticks: pinned ones and summaries are always shown, so they do not.
struct Counted {
    /// The places of those that do not, in order.
    others: Vec<usize>,
    len: usize,
}

impl Counted {
    fn of(scene: &Scene<'_>) -> Self {
        let len = scene.conversation.len();
        let mut others: Vec<usize> = scene.pinned_in(0..len).iter().map(|(at, _)| *at).collect();
        others.extend(&scene.conversation.index().summaries);
        others.sort_unstable();
        others.dedup();
        Counted { others, len }
    }

    /// The place of the one that has so many before it.
    fn nth(&self, nth: usize) -> Option<usize> {
        let (mut from, mut to) = (0, self.others.len());
        while from < to {
            let middle = from.saturating_add(to.saturating_sub(from) / 2);
            // So many that count stand before it.
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
            let counted = Counted { others, len: 12 };
            let all: Vec<usize> = (0..12).filter(|at| !counted.others.contains(at)).collect();
            for i in 0..14 {
                assert_eq!(counted.nth(i), all.get(i).copied(), "{:?}", counted.others);
                assert_eq!(counted.before(i.min(12)), all.iter().filter(|at| **at < i).count(), "{:?}", counted.others);
            }
        }
    }
}
