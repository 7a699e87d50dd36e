//! Turns of a conversation: what the model said or called, the results, and what the user said after it.

use crate::conversation::Conversation;
use crate::group::Kind;
use crate::memo::STRETCH;
use std::ops::Range;

/// The messages before the model first spoke, and its turns, in order and without gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turns {
    pub opening: Range<usize>,
    pub turns: Vec<Range<usize>>,
}

impl Turns {
    pub fn of(conversation: &Conversation) -> Self {
        let mut opening = 0..conversation.len();
        let mut turns: Vec<Range<usize>> = Vec::new();
        for g in conversation.groups() {
            if matches!(g.kind, Kind::Answer | Kind::Exchange) {
                if turns.is_empty() {
                    opening.end = g.range.start;
                }
                turns.push(g.range.clone());
            } else if let Some(last) = turns.last_mut() {
                last.end = g.range.end;
            }
        }
        Turns { opening, turns }
    }

    /// Where a conversation is cut between turns, a stretch apart at least: the turn that begins there, by its place, and
    /// its first message. No later message moves a turn that begins before a cut.
    pub fn cuts(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut next = STRETCH;
        self.turns.iter().enumerate().filter_map(move |(i, turn)| {
            let is_cut = turn.start >= next;
            next = if is_cut { turn.start.saturating_add(STRETCH) } else { next };
            is_cut.then_some((i, turn.start))
        })
    }
}
