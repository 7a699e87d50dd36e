//! A view in segments of whole turns: what a budget does to an older segment is the same for every later view, and
//! cached.

use super::context::Budget;
use super::trim::{Newest, Units};
use crate::conversation::turns::Turns;
use crate::memo::{self, Memo};
use crate::strategy::context::StrategyContext;
use crate::strategy::fold::Lengths;
use crate::view::counter::TokenCounter;
use crate::view::types::ViewMessage;
use std::sync::Arc;

/// A segment of a view.
#[derive(Debug)]
pub(super) struct Segment {
    pub(super) shown: Vec<ViewMessage>,
    /// Tokens of its messages.
    tokens: u64,
    /// All messages that it shows are before this place.
    pub(super) end: usize,
    /// The results of degradation steps, and its units for trimming.
    pub(super) memo: Memo,
}

/// All of a view, in order. Segments are shared with the caches of the conversation and between steps.
pub(super) type Segments = Vec<Arc<Segment>>;

impl Segment {
    /// Whether it consists of exactly these messages: the same ones, not only equal ones.
    fn is_of(&self, shown: &[ViewMessage]) -> bool {
        let same = |(a, b): (&ViewMessage, &ViewMessage)| {
            Arc::ptr_eq(&a.message, &b.message) && a.from == b.from && a.reason == b.reason && a.blocks == b.blocks
        };
        self.shown.len() == shown.len() && self.shown.iter().zip(shown).all(same)
    }
}

/// Makes segments.
pub(super) struct Segmenter<'b, 'a> {
    pub budget: &'b Budget<'a>,
    pub counter: &'b dyn TokenCounter,
    pub context: StrategyContext<'a>,
    pub turns: &'a Turns,
}

impl Segmenter<'_, '_> {
    /// A segment of these messages.
    pub fn segment(&self, shown: Vec<ViewMessage>) -> Arc<Segment> {
        let tokens = shown.iter().fold(0, |sum: u64, s| sum.saturating_add(self.count(s)));
        let end = shown.iter().map(|s| s.from.end).max().unwrap_or(0);
        Arc::new(Segment { shown, tokens, end, memo: Memo::default() })
    }

    /// The view in segments; segments of earlier views are reused.
    pub fn segments(&self, shown: &[ViewMessage]) -> Segments {
        let policy = self.budget.policy;
        // Cached results of a segment depend on this, besides the segment and the messages up to its end.
        let context = (self.context.pinning(), self.context.summary_role().as_str());
        let key = memo::key((self.counter.id(), context, Lengths::folded(policy), Lengths::shrunk(policy)));
        let made = cut(shown, self.turns).into_iter().map(|(shown, end)| {
            let last = end.and_then(|end| self.budget.conversation.entries().get(end.checked_sub(1)?));
            let last = last.filter(|_| policy.enable_token_caching).map(|e| e.memo());
            let known = last.and_then(|known| known.get::<Segment>(key)).filter(|segment| segment.is_of(shown));
            known.unwrap_or_else(|| {
                let segment = self.segment(shown.to_vec());
                last.inspect(|known| known.set(key, Arc::clone(&segment)));
                segment
            })
        });
        made.collect()
    }

    /// Tokens of a request that sends these.
    pub fn sum(&self, segments: &Segments) -> u64 {
        segments.iter().fold(self.counter.overhead(), |sum, p| sum.saturating_add(p.tokens))
    }

    /// Tokens of a message.
    pub fn count(&self, shown: &ViewMessage) -> u64 {
        self.budget.count(shown, self.counter)
    }

    /// The units of each segment that stay or are dropped as a whole.
    pub fn units(&self, segments: &Segments) -> Vec<Arc<Units>> {
        let newest = Newest::of(&self.context, segments.iter().map(|p| p.end).max().unwrap_or(0));
        let one = |segment: &Arc<Segment>| {
            let make = || Units::of(&self.context, &segment.shown, newest, |s| self.count(s));
            // Where none of it is among the newest, its units never change.
            if newest.is_behind(segment.end) { segment.memo.get_or(0, make) } else { Arc::new(make()) }
        };
        segments.iter().map(one).collect()
    }
}

/// Cuts a view between turns. With each segment comes the place in the conversation where the next begins; the last has
/// none, since it grows with the conversation. Messages are in order in a view, so a turn's messages are in one
/// segment.
fn cut<'s>(shown: &'s [ViewMessage], turns: &Turns) -> Vec<(&'s [ViewMessage], Option<usize>)> {
    let mut out = Vec::new();
    let mut rest = shown;
    for (_, start) in turns.cuts() {
        let (segment, behind) = rest.split_at(rest.iter().take_while(|s| s.from.start < start).count());
        if !segment.is_empty() {
            out.push((segment, Some(start)));
        }
        rest = behind;
    }
    out.push((rest, None));
    out
}

/// Messages in all of them.
pub(super) fn count(segments: &Segments) -> usize {
    segments.iter().map(|p| p.shown.len()).sum()
}

/// Messages at the start that are the same in both.
pub(super) fn common(a: &Segments, b: &Segments) -> usize {
    let segments = a.iter().zip(b).take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
    let same: usize = a.iter().take(segments).map(|p| p.shown.len()).sum();
    let (a, b) = (a.iter().skip(segments), b.iter().skip(segments));
    let pairs = a.flat_map(|p| &p.shown).zip(b.flat_map(|p| &p.shown));
    same.saturating_add(
        pairs.take_while(|(a, b)| Arc::ptr_eq(&a.message, &b.message) || a.message == b.message).count(),
    )
}

/// All of them as one list.
pub(super) fn joined(segments: &Segments) -> Vec<ViewMessage> {
    let mut out = Vec::with_capacity(count(segments));
    segments.iter().for_each(|p| out.extend_from_slice(&p.shown));
    out
}
