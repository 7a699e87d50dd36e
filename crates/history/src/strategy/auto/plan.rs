//! When the boundary of `auto` moves: a function of the sizes of the turns as they came, each move with its decision.

use super::index;
use super::step::Step;
use crate::decision::{self, Decision};
use crate::policy::{BatchTurns, Policy, ShrinkAfter};
use crate::strategy::fold::Lengths;
use std::ops::Range;

/// Which turns are folded how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The moves of the boundary, oldest first: each folds a batch of turns.
    pub steps: Vec<Step>,
    /// The move that is not made yet, if there is a turn that could be folded.
    pub next: Option<Step>,
    /// How many of the batches are down to a line for each call.
    pub shrunk: usize,
    /// How often the boundary moved.
    pub moves: u64,
}

impl Plan {
    /// Takes in what was decided after one more turn.
    pub(super) fn push(&mut self, step: Option<Step>) {
        self.next = step;
        self.steps.extend(self.next.take_if(|s| s.made));
    }

    /// How many turns are folded: all after them stay whole.
    pub fn folded(&self) -> usize {
        self.steps.last().map_or(0, |s| s.turns.end)
    }
}

/// Goes through the turns as they came and moves the boundary where it would have been moved: a function of the turns
/// alone, so that a view is the same whenever it is made. `sizes` are the bytes of each turn as it is.
pub fn plan(policy: &Policy, sizes: &[usize]) -> Plan {
    let mut so_far = Planned::default();
    let mut out = Plan::default();
    let size = |turn: usize| sizes.get(turn).copied().unwrap_or(0);
    sizes.iter().for_each(|_| out.push(so_far.next(policy, size)));
    Plan { shrunk: so_far.shrunk, moves: so_far.moves, ..out }
}

/// How far a plan is made.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Planned {
    pub(super) turns: usize,
    /// Bytes of those that are finished.
    bytes: usize,
    folded: usize,
    pub(super) shrunk: usize,
    pub(super) moves: u64,
}

/// Requests that a decision reckons with at most: a boundary will have moved again by then (docs/decisions.md).
const HORIZON: u64 = 16;
/// Bytes of a token, on average: sizes are bytes, decisions are in tokens.
const BYTES: usize = 4;

impl Planned {
    /// Takes the next turn in. Gives the move that is made now, or that could be and is not.
    pub(super) fn next(&mut self, policy: &Policy, size: impl Fn(usize) -> usize) -> Option<Step> {
        // The newest turn may yet grow, and what is decided now must be decided the same way then.
        let finished = self.turns;
        self.bytes = self.bytes.saturating_add(finished.checked_sub(1).map_or(0, &size));
        self.turns = self.turns.saturating_add(1);
        let foldable = self.folded..self.turns.saturating_sub(policy.keep_turns);
        if foldable.is_empty() {
            return None;
        }
        let decision = match policy.batch_turns {
            BatchTurns::Turns(_) => None,
            BatchTurns::Auto => Some(self.decide(policy, foldable.clone(), size)),
        };
        let made = match (policy.batch_turns, &decision) {
            (BatchTurns::Turns(n), _) => foldable.len() >= n,
            (BatchTurns::Auto, decision) => decision.is_some_and(|d| d.pays),
        };
        let step = Step { turns: foldable, after: self.turns, made, decision };
        if made {
            self.moves = self.moves.saturating_add(1);
            self.folded = step.turns.end;
            match policy.shrink_after {
                ShrinkAfter::Moves(n) if n > 0 && self.moves.is_multiple_of(n as u64) => {
                    // The newest batch was folded just now: it keeps its lines until the next time.
                    self.shrunk = (self.moves as usize).saturating_sub(1);
                }
                ShrinkAfter::Moves(_) | ShrinkAfter::AtOnce => {}
            }
        }
        Some(step)
    }

    /// Whether it pays to fold these turns now. What is saved is the turns less their folds. Behind the first changed byte
    /// stand the folds and the turns that stay whole; the newest of them is new, and sent at the full price anyhow. Of
    /// each turn that is hidden as much as a usual turn has is needed again, as often as its age makes likely.
    fn decide(&self, policy: &Policy, turns: Range<usize>, size: impl Fn(usize) -> usize) -> Decision {
        let remaining = decision::remaining(self.turns as u64, None).min(HORIZON);
        let most = fold_bytes(policy);
        let (mut whole, mut folds) = (0_usize, 0_usize);
        for turn in turns.clone() {
            let bytes = size(turn);
            whole = whole.saturating_add(bytes);
            folds = folds.saturating_add(most.min(bytes.saturating_mul(3) / 5));
        }
        let newest = self.turns.saturating_sub(1);
        let kept: usize = (turns.end..newest).map(&size).fold(0, usize::saturating_add);
        let tokens = |bytes: usize| (bytes / BYTES) as u64;
        let behind = tokens(folds.saturating_add(kept));
        let decision = Decision::of(tokens(whole.saturating_sub(folds)), behind, remaining, policy.prices);
        if !decision.pays {
            return decision;
        }
        // The mean of the turns that are finished, by which a single heavy one is not reckoned in full.
        let usual = self.bytes.checked_div(newest).unwrap_or(0);
        let mut again = 0.0;
        // How often a turn of the next age is needed: the newest of these is the youngest.
        let mut age = newest.saturating_add(1).saturating_sub(turns.end) as u64;
        let mut odds = decision::needed(age, remaining);
        for turn in turns.rev() {
            again += size(turn).min(usual) as f64 * odds;
            odds += 1.0 / age.saturating_add(remaining).max(1) as f64 - 1.0 / age.max(1) as f64;
            age = age.saturating_add(1);
        }
        decision.reading_again((again / BYTES as f64).round() as u64)
    }
}

/// Bytes of a fold: somewhat more than half of what its lengths allow. Results are told of errors only where it is an index.
fn fold_bytes(policy: &Policy) -> usize {
    match policy.shrink_after {
        ShrinkAfter::AtOnce => Lengths { result: 0, ..index::lengths(policy) }.sum().saturating_mul(11) / 20,
        ShrinkAfter::Moves(_) => Lengths::folded(policy).sum() / 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Prices, Strategy};

    /// Found by random conversations: a word of the user made the newest turn longer, and a boundary that had moved
    /// went back.
    #[test]
    fn the_plan_does_not_hang_on_how_long_the_newest_turn_gets() {
        let policy = Policy::default();
        let mut heavy = 0;
        for long in 1..20 {
            let mut sizes = [200; 24];
            sizes[long] = 40_000;
            for len in 1..sizes.len() {
                let plan_with = |newest| plan(&policy, &[&sizes[..len], &[newest]].concat());
                assert_eq!(plan_with(200), plan_with(6_000), "turn {long} is long, turn {len} the newest");
                heavy += usize::from(plan_with(200).steps.iter().any(|s| s.turns.contains(&long)));
            }
        }
        assert!(heavy > 0, "no long turn was folded");
    }

    fn auto() -> Policy {
        Policy::with(Strategy::Auto)
    }

    /// The turns after which the boundary moved.
    fn moved(policy: &Policy, sizes: &[usize]) -> Vec<usize> {
        plan(policy, sizes).steps.iter().map(|s| s.after).collect()
    }

    /// Neither at turn 2 without need nor at a turn by rule: when it moves depends on what the turns weigh and on the
    /// prices, and each move has the figures that say so.
    #[test]
    fn the_boundary_moves_when_that_saves_more_than_it_costs() {
        let even = moved(&auto(), &[1_000; 40]);
        assert!(even[0] > 4 && even.len() > 1, "{even:?}");
        // A result of hundreds of kilobytes is not carried on because others are light.
        let mut heavy = [1_000; 40];
        heavy[2] = 400_000;
        assert!(moved(&auto(), &heavy)[0] < even[0], "{:?} and {even:?}", moved(&auto(), &heavy));
        // What is carried costs less where cached tokens do, and more where none are cached.
        let priced = |cached| moved(&Policy { prices: Prices { input: 1.0, cached }, ..auto() }, &[1_000; 40]);
        let (cheap, dear) = (priced(0.05), priced(1.0));
        assert!(cheap.first().is_none_or(|first| *first > even[0]) && dear[0] < even[0], "{cheap:?} {dear:?}");
        // Turns so short that a fold is hardly shorter are worth no break for long.
        assert!(moved(&auto(), &[8; 40]).first().is_none_or(|first| *first > even[0]));
        for sizes in [[1_000; 40], heavy, [8; 40]] {
            let plan = plan(&auto(), &sizes);
            assert!(plan.steps.iter().all(|s| s.made && s.decision.is_some_and(|d| d.pays)));
            assert!(plan.next.is_none_or(|s| !s.made && s.decision.is_some_and(|d| !d.pays)));
        }
    }

    /// `batch_turns = N` moves as it always did.
    #[test]
    fn a_set_number_of_turns_is_moved_at_once() {
        let policy = Policy { keep_turns: 2, batch_turns: BatchTurns::Turns(3), ..auto() };
        let plan = plan(&policy, &[500; 12]);
        let turns: Vec<Range<usize>> = plan.steps.iter().map(|s| s.turns.clone()).collect();
        assert_eq!(turns, [0..3, 3..6, 6..9]);
        assert_eq!(plan.steps[0].to_string(), "after turn 5, turns 1 to 3 were folded: as batch_turns says");
        assert_eq!(plan.next.unwrap().to_string(), "after turn 12, turn 10 stays whole: as batch_turns says");
    }

    #[test]
    fn what_was_decided_stays_decided() {
        let sizes: Vec<usize> = (0..90_usize).map(|i| i * 7_919 % 3_000 + 20).collect();
        for policy in [auto(), Policy { keep_turns: 3, ..auto() }] {
            let all = plan(&policy, &sizes);
            assert!(all.steps.len() > 3);
            for len in 0..sizes.len() {
                let before = plan(&policy, &sizes[..len]);
                assert_eq!(before.steps, all.steps[..before.steps.len()], "{len}");
                assert!(before.folded() + policy.keep_turns <= len.max(policy.keep_turns));
            }
        }
    }
}
