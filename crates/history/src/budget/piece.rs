//! A view in pieces of whole turns: what a budget does to an older one it does the same way for every later view.

use crate::remembered::{Remembered, STRETCH};
use crate::view::Shown;
use std::ops::Range;
use std::sync::Arc;

/// A piece of a view.
#[derive(Debug)]
pub(crate) struct Piece {
    pub shown: Vec<Shown>,
    /// What its messages take.
    pub tokens: u64,
    /// The messages of the conversation that it shows lie before this place.
    pub end: usize,
    /// What a step of the ladder made of it, by step; `None` where that is itself.
    pub steps: Remembered<Option<Arc<Piece>>>,
}

/// All of a view, in order. Pieces are shared with the conversation's memory and with what steps left of the view.
pub(super) type Pieces = Vec<Arc<Piece>>;

impl Piece {
    pub fn new(shown: Vec<Shown>, tokens: u64) -> Self {
        let end = shown.iter().map(|s| s.from.end).max().unwrap_or(0);
        Piece { shown, tokens, end, steps: Remembered::default() }
    }

    /// Whether it is a piece of exactly these: the same messages, not only equal ones.
    pub fn is_of(&self, shown: &[Shown]) -> bool {
        let same = |(a, b): (&Shown, &Shown)| {
            Arc::ptr_eq(&a.message, &b.message) && a.from == b.from && a.why == b.why && a.blocks == b.blocks
        };
        self.shown.len() == shown.len() && self.shown.iter().zip(shown).all(same)
    }
}

/// Cuts a view between turns. With each piece comes the place in the conversation where the next begins; the last has
/// none, for it goes on with the conversation. Messages stand in order in a view, so a turn's are in one piece.
pub(super) fn cut<'s>(shown: &'s [Shown], turns: &[Range<usize>]) -> Vec<(&'s [Shown], Option<usize>)> {
    let mut out = Vec::new();
    let mut rest = shown;
    let mut next = STRETCH;
    for turn in turns {
        if turn.start < next {
            continue;
        }
        let (piece, behind) = rest.split_at(rest.iter().take_while(|s| s.from.start < turn.start).count());
        if !piece.is_empty() {
            out.push((piece, Some(turn.start)));
        }
        (rest, next) = (behind, turn.start + STRETCH);
    }
    out.push((rest, None));
    out
}

/// Messages in all of them.
pub(super) fn count(pieces: &Pieces) -> usize {
    pieces.iter().map(|p| p.shown.len()).sum()
}

/// Messages at the start that are the same in both.
pub(super) fn common(a: &Pieces, b: &Pieces) -> usize {
    let pieces = a.iter().zip(b).take_while(|(a, b)| Arc::ptr_eq(a, b)).count();
    let same: usize = a.iter().take(pieces).map(|p| p.shown.len()).sum();
    let (a, b) = (a.iter().skip(pieces), b.iter().skip(pieces));
    let pairs = a.flat_map(|p| &p.shown).zip(b.flat_map(|p| &p.shown));
    same + pairs.take_while(|(a, b)| Arc::ptr_eq(&a.message, &b.message)).count()
}

/// All of them as one list.
pub(super) fn joined(pieces: &Pieces) -> Vec<Shown> {
    let mut out = Vec::with_capacity(count(pieces));
    pieces.iter().for_each(|p| out.extend_from_slice(&p.shown));
    out
}
