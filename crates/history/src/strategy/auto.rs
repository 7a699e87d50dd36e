//! `auto`: recent turns whole, older ones folded, the boundary moved in batches that the cost model chooses.
//!
//! The view has up to four stretches: what stands before the first turn; turns folded long ago, a short line for each
//! call and request; turns folded lately, a few lines each; and the newest turns, whole. A turn only ever goes from
//! the right to the left, and only when the boundary moves, so between moves each view extends the one before it byte
//! for byte. Nothing needs a model, and every line carries the number of its turn, by which the whole is got again.

use super::fold::{self, Lengths};
use super::summary::summary_of;
use super::turns::Turns;
use super::{Draft, Scene};
use crate::policy::{BatchTurns, Policy};
use crate::view::{Shown, Why};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

/// Which turns are folded how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Batches of turns, oldest first, by their places.
    pub batches: Vec<Range<usize>>,
    /// How many of the batches are down to a line for each call.
    pub shrunk: usize,
    /// How often the boundary moved.
    pub moves: u64,
}

impl Plan {
    /// How many turns are folded: all after them stay whole.
    pub fn folded(&self) -> usize {
        self.batches.last().map_or(0, |b| b.end)
    }
}

pub(super) fn draft(scene: &Scene<'_>) -> Draft {
    let turns = Turns::of(scene.conversation);
    // Turns with calls that wait for their results are not yet turns to fold (F-12).
    let live = scene.live(scene.conversation.len(), 0);
    let over = turns.turns.partition_point(|t| t.start < live);
    let plan = planned(scene, &turns, over);
    let mut shown: Vec<Shown> = Vec::with_capacity(scene.conversation.len());
    opened(scene, turns.opening.clone(), plan.folded() > 0, &mut shown);
    for (i, batch) in plan.batches.iter().enumerate() {
        let lengths = if i < plan.shrunk { Lengths::shrunk(scene.policy) } else { Lengths::folded(scene.policy) };
        folded(scene, &turns, batch.clone(), lengths, &mut shown);
    }
    let stable = shown.len();
    let folded = plan.folded();
    let rest = turns.turns.get(folded).map_or(scene.conversation.len(), |t| t.start);
    shown.extend((rest..scene.conversation.len()).map(|at| scene.show(at, scene.pinned(at).unwrap_or(Why::Recent))));
    Draft { shown, moves: plan.moves, stable, events: Vec::new() }
}

/// What stands before the first turn. Once turns are folded, so is what is not pinned of it: the task under
/// `pin_task = false` (D5). A summary that stands there stays as it is.
fn opened(scene: &Scene<'_>, opening: Range<usize>, folds: bool, out: &mut Vec<Shown>) {
    let mut lines: Vec<(String, Why)> = Vec::new();
    let mut from = opening.start;
    for at in opening.clone() {
        let message = scene.conversation.get(at);
        let stays = scene.pinned(at).is_some() || message.is_some_and(|m| summary_of(m).is_some());
        if folds && !stays {
            let line = fold::lines(message.map(|m| &**m).into_iter(), 0, Lengths::folded(scene.policy));
            lines.extend(line.into_iter().map(|l| (l, Why::Folded { turn: 0 })));
            continue;
        }
        flush(scene, &mut lines, from..at, out);
        out.push(scene.show(at, scene.pinned(at).unwrap_or(Why::Recent)));
        from = at.saturating_add(1);
    }
    flush(scene, &mut lines, from..opening.end, out);
}

fn bytes(scene: &Scene<'_>, range: Range<usize>) -> usize {
    scene.conversation.entries().get(range).unwrap_or_default().iter().map(|e| e.bytes()).sum()
}

/// The plan for the first `over` turns. What was decided before a cut between turns is decided, and remembered there.
fn planned(scene: &Scene<'_>, turns: &Turns, over: usize) -> Plan {
    let p = scene.policy;
    let mut key = DefaultHasher::new();
    (p.keep_turns, p.batch_turns, p.shrink_after, Lengths::folded(p)).hash(&mut key);
    (p.prices.input.to_bits(), p.prices.cached.to_bits()).hash(&mut key);
    let key = key.finish();
    let size = |turn: usize| turns.turns.get(turn).map_or(0, |t| bytes(scene, t.clone()));
    let mut so_far = Planned::default();
    let mut batches: Vec<Range<usize>> = Vec::new();
    for (turn, start) in turns.cuts().take_while(|(turn, _)| *turn <= over) {
        let Some(end) = start.checked_sub(1).and_then(|at| scene.conversation.entries().get(at)) else { break };
        let (then, moved) = end.ends().plans.get_or(key, || {
            let mut now = so_far;
            let moved = (so_far.turns..turn).filter_map(|_| now.next(p, size)).collect();
            (now, moved)
        });
        batches.extend(moved.iter().cloned());
        so_far = then;
    }
    batches.extend((so_far.turns..over).filter_map(|_| so_far.next(p, size)));
    Plan { batches, shrunk: so_far.shrunk, moves: so_far.moves }
}

/// Goes through the turns as they came and moves the boundary where it would have been moved: a function of the turns
/// alone, so that a view is the same whenever it is made. `sizes` are the bytes of each turn as it is.
pub fn plan(policy: &Policy, sizes: &[usize]) -> Plan {
    let mut so_far = Planned::default();
    let size = |turn: usize| sizes.get(turn).copied().unwrap_or(0);
    let batches = sizes.iter().filter_map(|_| so_far.next(policy, size)).collect();
    Plan { batches, shrunk: so_far.shrunk, moves: so_far.moves }
}

/// How far a plan is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Planned {
    turns: usize,
    /// Bytes of those that are finished.
    bytes: usize,
    folded: usize,
    shrunk: usize,
    moves: u64,
}

impl Planned {
    /// Takes the next turn in. Gives the turns that are folded now, if the boundary moves.
    fn next(&mut self, policy: &Policy, size: impl Fn(usize) -> usize) -> Option<Range<usize>> {
        // The newest turn may yet grow, and what is decided now must be decided the same way then.
        let finished = self.turns;
        self.bytes = self.bytes.saturating_add(finished.checked_sub(1).map_or(0, &size));
        self.turns = self.turns.saturating_add(1);
        let waiting = self.turns.saturating_sub(self.folded);
        if waiting <= policy.keep_turns {
            return None;
        }
        let typical = self.bytes as f64 / finished.max(1) as f64;
        let batch = match policy.batch_turns {
            BatchTurns::Turns(n) => n,
            BatchTurns::Auto => batch(policy, typical),
        };
        let foldable = self.folded..self.turns.saturating_sub(policy.keep_turns);
        // A result of many times the usual size is not carried until its batch is full.
        let heavy = || {
            let bytes: usize = foldable.clone().map(&size).sum();
            bytes as f64 > HEAVY * batch as f64 * typical
        };
        let early = || policy.batch_turns == BatchTurns::Auto && heavy();
        if waiting < policy.keep_turns.saturating_add(batch) && !early() {
            return None;
        }
        self.moves = self.moves.saturating_add(1);
        self.folded = foldable.end;
        if policy.shrink_after > 0 && self.moves.is_multiple_of(policy.shrink_after as u64) {
            // The newest batch was folded just now: it keeps its lines until the next time.
            self.shrunk = (self.moves as usize).saturating_sub(1);
        }
        Some(foldable)
    }
}

/// Most turns that wait for a boundary to move.
const MOST: usize = 12;
/// Batches that cost this much more than the cheapest are as good: of those the largest is taken, since it keeps more
/// turns whole and moves the boundary less often (docs/decisions.md).
const SLACK: f64 = 1.3;
/// Turns that wait are folded at once when they are this many times a usual batch.
const HEAVY: f64 = 2.0;

/// How many turns the boundary moves at once: part D's model, per turn of `turn` bytes. With `w` whole turns kept and a
/// boundary moved every `b`, a request holds `turn·(w + (b-1)/2)` bytes of whole turns on average, and
/// `turn·(1 + (w-1)/b) + fold` of what is sent was not cached. What stands before the turns costs the same whatever `b`
/// is, so it has no say.
fn batch(policy: &Policy, turn: f64) -> usize {
    let keep = policy.keep_turns as f64;
    let (q, r) = (policy.prices.input, policy.prices.cached);
    // A fold is about half of what its lengths allow, and never more than most of its turn.
    let lengths = policy
        .fold_prose
        .saturating_add(policy.fold_call)
        .saturating_add(policy.fold_result)
        .saturating_add(policy.fold_request);
    let fold = (lengths as f64 / 2.0).min(turn * 0.6);
    let cost = |b: usize| {
        let b = b as f64;
        let whole = turn * (keep + (b - 1.0) / 2.0);
        let fresh = turn * (1.0 + (keep - 1.0) / b) + fold;
        r * whole + (q - r) * fresh
    };
    let costs: [f64; MOST] = std::array::from_fn(|i| cost(i.saturating_add(1)));
    let least = costs.into_iter().fold(f64::INFINITY, f64::min);
    costs.into_iter().rposition(|cost| cost <= least * SLACK).map_or(1, |i| i.saturating_add(1))
}

/// The messages of a batch of turns: made once, for the batch never changes again but to shrink.
fn folded(scene: &Scene<'_>, turns: &Turns, batch: Range<usize>, lengths: Lengths, out: &mut Vec<Shown>) {
    let whole = turns.turns.get(batch.clone()).unwrap_or_default();
    let (Some(first), Some(last)) = (whole.first(), whole.last()) else { return };
    let Some(end) = last.end.checked_sub(1).and_then(|at| scene.conversation.entries().get(at)) else { return };
    let mut key = DefaultHasher::new();
    (first.start, lengths, scene.summary_role().as_str(), scene.pinning()).hash(&mut key);
    let made = end.made(key.finish(), || {
        let mut made = Vec::new();
        let mut lines: Vec<(String, Why)> = Vec::new();
        let mut from = first.start;
        for (i, turn) in whole.iter().enumerate() {
            let number = batch.start.saturating_add(i).saturating_add(1);
            // Messages that are kept are shown where they stand (F-13), what the rest of their turn says behind them.
            let kept = scene.pinned_in(turn.clone());
            if !kept.is_empty() {
                flush(scene, &mut lines, from..turn.start, &mut made);
                made.extend(kept.iter().map(|(at, why)| scene.show(*at, *why)));
                from = turn.clone().find(|at| scene.pinned(*at).is_none()).unwrap_or(turn.end);
            }
            let rest = turn.clone().filter(|at| scene.pinned(*at).is_none());
            let rest = rest.filter_map(|at| scene.conversation.get(at).map(|m| &**m));
            lines.extend(fold::lines(rest, number, lengths).into_iter().map(|l| (l, Why::Folded { turn: number })));
        }
        flush(scene, &mut lines, from..last.end, &mut made);
        made
    });
    out.extend(made.iter().cloned());
}

fn flush(scene: &Scene<'_>, lines: &mut Vec<(String, Why)>, from: Range<usize>, out: &mut Vec<Shown>) {
    let (texts, whys): (Vec<String>, Vec<Why>) = std::mem::take(lines).into_iter().unzip();
    if let Some(message) = fold::message(scene.summary_role(), texts) {
        let of = from.len().saturating_sub(scene.pinned_in(from.clone()).len());
        out.push(Shown { blocks: whys.into(), ..Shown::made(message, from, Why::Summary { of }) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by random conversations: a word of the user made the newest turn longer, and a boundary that had moved
    /// went back.
    #[test]
    fn the_plan_does_not_hang_on_how_long_the_newest_turn_gets() {
        let policy = Policy::default();
        let mut heavy = 0;
        for long in 1..20 {
            let mut sizes = [20; 24];
            sizes[long] = 4_000;
            for len in 1..sizes.len() {
                let plan_with = |newest| plan(&policy, &[&sizes[..len], &[newest]].concat());
                assert_eq!(plan_with(20), plan_with(600), "turn {long} is long, turn {len} the newest");
                heavy += usize::from(plan_with(20).batches.iter().any(|b| b.contains(&long)));
            }
        }
        assert!(heavy > 0, "no long turn was folded");
    }
}
