//! When the boundary of `auto` moves: a function of the sizes of the turns in order, each move with its decision.

use super::index;
use crate::policy::decision::{self, Decision};
use crate::policy::{BatchTurns, Policy, ShrinkAfter};
use crate::strategy::fold::Lengths;
use crate::view::step::Step;
use std::ops::Range;

/// Which turns are folded, and how.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The moves of the boundary, oldest first: each folds a batch of turns.
    pub steps: Vec<Step>,
    /// The move that is not made yet, if there is a turn that could be folded.
    pub next: Option<Step>,
    /// How many of the batches have shrunk to a line for each call.
    pub shrunk: usize,
    /// How often the boundary moved.
    pub boundary_moves: u64,
}

impl Plan {
    /// Adds the decision after one more turn.
    pub(super) fn push(&mut self, step: Option<Step>) {
        self.next = step;
        self.steps.extend(self.next.take_if(|s| s.made));
    }

    /// How many turns are folded: all after them stay whole.
    pub fn folded(&self) -> usize {
        self.steps.last().map_or(0, |s| s.turns.end)
    }
}

/// Goes through the turns in order and moves the boundary where it would have been moved: a function of the turns
/// alone, so that a view is the same whenever it is made. `sizes` are the bytes of each whole turn; `most` returns the
/// limit of turns that was known after the turn at this place, from 0, and `None` where nothing limits them.
///
/// ```
/// use ptc_history::auto::plan;
/// use ptc_history::policy::{Policy, Strategy};
///
/// let (policy, sizes) = (Policy::with(Strategy::Auto), [1_000; 20]);
/// let moves = plan(&policy, &sizes, |_| None).steps;
/// // A session that ends there has no requests left in which a move could pay.
/// let last = moves[0].after as u64;
/// assert!(plan(&policy, &sizes[..moves[0].after], |_| Some(last)).steps.is_empty());
/// ```
pub fn plan(policy: &Policy, sizes: &[usize], most: impl Fn(usize) -> Option<u64>) -> Plan {
    let mut so_far = PlanState::default();
    let mut out = Plan::default();
    so_far.go_on(policy, sizes.len(), |turn| sizes.get(turn).copied().unwrap_or(0), most, &mut out);
    Plan { shrunk: so_far.shrunk, boundary_moves: so_far.boundary_moves, ..out }
}

/// The state of a plan after some turns, with sums that are updated turn by turn.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlanState {
    pub(super) turns: usize,
    /// Bytes of those that are finished.
    bytes: usize,
    folded: usize,
    /// Bytes of the turns that could be folded next.
    whole: usize,
    /// Bytes of their folds.
    folds: usize,
    /// Bytes of the finished turns that stay whole behind them.
    kept: usize,
    pub(super) shrunk: usize,
    pub(super) boundary_moves: u64,
}

/// Most requests that a decision considers: a boundary will have moved again by then (docs/decisions.md).
const HORIZON: u64 = 16;
/// Bytes of a token, on average: sizes are bytes, decisions are in tokens.
const BYTES_PER_TOKEN: usize = 4;
/// Turns after which the cost of reading again is compared early.
const EARLY_COMPARISON_TURNS: usize = 64;

fn tokens(bytes: usize) -> u64 {
    (bytes / BYTES_PER_TOKEN) as u64
}

/// The figures of a decision: all of them, or as many as decide it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Figures {
    All,
    Enough,
}

impl PlanState {
    /// Adds the turns before place `until` one by one; decisions go into `out`.
    pub(super) fn go_on(
        &mut self,
        policy: &Policy,
        until: usize,
        size: impl Fn(usize) -> usize,
        most: impl Fn(usize) -> Option<u64>,
        out: &mut Plan,
    ) {
        for turn in self.turns..until {
            // Of decisions not to move only the last is kept.
            let figures = if turn.saturating_add(1) == until { Figures::All } else { Figures::Enough };
            out.push(self.next(policy, &size, most(turn), figures));
        }
    }

    /// Adds the next turn. Returns the move that is made now, or the one that could be made and is not.
    fn next(
        &mut self,
        policy: &Policy,
        size: impl Fn(usize) -> usize,
        most: Option<u64>,
        figures: Figures,
    ) -> Option<Step> {
        // The newest turn may still grow, and the decision must be the same then.
        let newest = self.turns;
        self.turns = self.turns.saturating_add(1);
        if let Some(finished) = newest.checked_sub(1).map(&size) {
            self.bytes = self.bytes.saturating_add(finished);
            self.kept = self.kept.saturating_add(finished);
        }
        let end = self.turns.saturating_sub(policy.keep_turns.max(1));
        if let Some(turn) = end.checked_sub(1) {
            let bytes = size(turn);
            self.kept = self.kept.saturating_sub(bytes);
            self.whole = self.whole.saturating_add(bytes);
            self.folds = self.folds.saturating_add(fold_bytes(policy).min(bytes.saturating_mul(3) / 5));
        }
        let foldable = self.folded..end;
        if foldable.is_empty() {
            return None;
        }
        let decision = match policy.batch_turns {
            BatchTurns::Turns(_) => None,
            BatchTurns::Auto => Some(self.decide(policy, foldable.clone(), size, most, figures)),
        };
        let made = match (policy.batch_turns, &decision) {
            (BatchTurns::Turns(n), _) => foldable.len() >= n,
            (BatchTurns::Auto, decision) => decision.is_some_and(|d| d.pays),
        };
        let step = Step { turns: foldable, after: self.turns, made, decision };
        if made {
            self.boundary_moves = self.boundary_moves.saturating_add(1);
            self.folded = step.turns.end;
            (self.whole, self.folds) = (0, 0);
            match policy.shrink_after {
                ShrinkAfter::Moves(n) if n > 0 && self.boundary_moves.is_multiple_of(n as u64) => {
                    // The newest batch was just folded: it keeps its lines until the next move.
                    self.shrunk = (self.boundary_moves as usize).saturating_sub(1);
                }
                ShrinkAfter::Moves(_) | ShrinkAfter::AtOnce => {}
            }
        }
        Some(step)
    }

    /// Whether it pays to fold these turns now. The saving is the size of the turns less that of their folds. After the
    /// first changed byte come the folds and the turns that stay whole; the newest of them is new, and sent at the full
    /// price either way. Of each hidden turn as much as an average turn has is needed again, as often as its age makes
    /// likely.
    fn decide(
        &self,
        policy: &Policy,
        turns: Range<usize>,
        size: impl Fn(usize) -> usize,
        most: Option<u64>,
        figures: Figures,
    ) -> Decision {
        let remaining = decision::remaining(self.turns as u64, most).min(HORIZON);
        let newest = self.turns.saturating_sub(1);
        let behind = tokens(self.folds.saturating_add(self.kept));
        let saved = tokens(self.whole.saturating_sub(self.folds));
        let decision = Decision::of(saved, behind, remaining, policy.prices);
        if !decision.pays {
            return decision;
        }
        // The mean of the finished turns, so that a single large one does not dominate.
        let usual = self.bytes.checked_div(newest).unwrap_or(0);
        let mut again = 0.0;
        let reading = |again: f64| decision.reading_again((again / BYTES_PER_TOKEN as f64).round() as u64);
        // How often a turn of the next age is needed: the newest of these is the youngest.
        let mut age = newest.saturating_add(1).saturating_sub(turns.end) as u64;
        let mut odds = decision::needed(age, remaining);
        for (i, turn) in turns.rev().enumerate() {
            again += size(turn).min(usual) as f64 * odds;
            odds += 1.0 / age.saturating_add(remaining).max(1) as f64 - 1.0 / age.max(1) as f64;
            age = age.saturating_add(1);
            // The remaining terms can only add to the cost.
            if figures == Figures::Enough && i % EARLY_COMPARISON_TURNS == 0 && !reading(again).pays {
                break;
            }
        }
        reading(again)
    }
}

/// Bytes of a fold: somewhat more than half of what its lengths allow. Results other than errors are counted only where
/// the fold is not an index.
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

    fn auto() -> Policy {
        Policy::with(Strategy::Auto)
    }

    /// Sums that are kept up as turns come are those of the turns, and what is not told is decided as what is.
    #[test]
    fn a_decision_is_that_of_all_turns_gone_over_again() {
        let tiny: Vec<usize> = (0..300_usize).map(|i| i * 7_919 % 23 + 1).collect();
        let mixed: Vec<usize> = (0..300_usize).map(|i| i * 7_919 % 3_000 * (i % 17 / 16 * 30 + 1)).collect();
        let close = Policy { prices: Prices { input: 1.0, cached: 0.057 }, ..auto() };
        let shrinking = Policy { keep_turns: 4, shrink_after: ShrinkAfter::Moves(2), ..auto() };
        let (mut boundary_moves, mut dear) = (0, 0);
        for (policy, sizes) in [auto(), close, shrinking].iter().flat_map(|p| [(p, &tiny), (p, &mixed)]) {
            let all = plan(policy, sizes, |_| None);
            let mut folded = 0;
            for turns in 1..=sizes.len() {
                let end = turns.saturating_sub(policy.keep_turns);
                let told = plan(policy, &sizes[..turns], |_| None);
                let made = told.steps.iter().find(|s| s.after == turns);
                assert_eq!(made, all.steps.iter().find(|s| s.after == turns));
                let Some(decision) = made.or(told.next.as_ref()).and_then(|s| s.decision) else { continue };
                let most = fold_bytes(policy);
                let whole: usize = sizes[folded..end].iter().sum();
                let folds: usize = sizes[folded..end].iter().map(|s| most.min(s * 3 / 5)).sum();
                let kept: usize = sizes[end..turns - 1].iter().sum();
                assert_eq!((decision.saved, decision.behind), (tokens(whole - folds), tokens(folds + kept)), "{turns}");
                dear += usize::from(decision.again > 0 && !decision.pays);
                boundary_moves += usize::from(made.is_some());
                folded = told.folded();
            }
        }
        assert!(
            boundary_moves > 20 && dear > 20,
            "{boundary_moves} moves, {dear} decisions that reading again made too dear"
        );
    }

    /// A session of tiny turns is planned by asking each for its size a few times, not once for every turn after it.
    #[test]
    fn planning_asks_each_turn_a_few_times() {
        let asked = |turns: usize, bytes: usize| {
            let asked = std::cell::Cell::new(0_usize);
            let size = |_| {
                asked.set(asked.get() + 1);
                bytes
            };
            let mut out = Plan::default();
            PlanState::default().go_on(&auto(), turns, size, |_| None, &mut out);
            asked.get()
        };
        for bytes in [1, 9, 200, 5_000] {
            let (some, many) = (asked(10_000, bytes), asked(40_000, bytes));
            assert!(many < some * 5, "turns of {bytes} bytes: {some} and {many}");
        }
    }
}
