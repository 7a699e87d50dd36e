//! Turns of a conversation: what the model said or called, the results, and what the user said after it.

use crate::conversation::groups::{Group, GroupKind};
use crate::memo::{self, CHUNK_LEN};
use std::ops::Range;

/// The messages before the model first spoke, and its turns, in order and without gaps; updated as messages are
/// appended.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    pub opening: Range<usize>,
    pub turns: Vec<Range<usize>>,
    /// For each turn, a key of where it and all turns before it begin.
    keys: Vec<u64>,
}

impl Turns {
    /// Adds the next message, after which the groups are these.
    pub fn push(&mut self, groups: &[Group]) {
        let Some(newest) = groups.last() else { return };
        let range = newest.range.clone();
        // A late result has merged them into the newest group.
        let before = self.turns.partition_point(|t| t.start < range.start);
        self.turns.truncate(before);
        self.keys.truncate(before);
        let is_turn = matches!(newest.kind, GroupKind::Answer | GroupKind::Exchange);
        let end = if is_turn { range.start } else { range.end };
        match self.turns.last_mut() {
            Some(last) => last.end = end,
            None => self.opening = 0..end,
        }
        if is_turn {
            self.keys.push(memo::key((self.keys.last(), range.start)));
            self.turns.push(range);
        }
    }

    /// Takes the messages from place `len` on away, where a group begins.
    pub fn truncate(&mut self, len: usize) {
        let count = self.turns.partition_point(|t| t.start < len);
        self.turns.truncate(count);
        self.keys.truncate(count);
        let last = self.turns.last_mut().unwrap_or(&mut self.opening);
        last.end = last.end.min(len);
    }

    /// A key of where the first `count` turns begin.
    pub fn key(&self, count: usize) -> u64 {
        count.checked_sub(1).and_then(|last| self.keys.get(last)).copied().unwrap_or(0)
    }

    /// The cuts of a conversation between turns, at least a chunk apart: the place of the turn that begins there, and
    /// of its first message. No later message changes a turn that begins before a cut.
    pub fn cuts(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut next = CHUNK_LEN;
        self.turns.iter().enumerate().filter_map(move |(i, turn)| {
            let is_cut = turn.start >= next;
            next = if is_cut { turn.start.saturating_add(CHUNK_LEN) } else { next };
            is_cut.then_some((i, turn.start))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::message::{Block, Message, Role};
    use crate::{Conversation, conversation::groups::Groups};
    use proptest::prelude::*;

    /// The opening and the turns, of all groups at once.
    fn anew(groups: &[Group], len: usize) -> (Range<usize>, Vec<Range<usize>>) {
        let mut opening = 0..len;
        let mut turns: Vec<Range<usize>> = Vec::new();
        for g in groups {
            if matches!(g.kind, GroupKind::Answer | GroupKind::Exchange) {
                if turns.is_empty() {
                    opening.end = g.range.start;
                }
                turns.push(g.range.clone());
            } else if let Some(last) = turns.last_mut() {
                last.end = g.range.end;
            }
        }
        (opening, turns)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Calls are answered late, twice or never.
        #[test]
        fn turns_that_are_kept_up_are_those_of_all_groups(list in proptest::collection::vec((0..5_u8, 0..6_usize), 0..60)) {
            let messages = list.iter().map(|(kind, n)| match kind {
                0 => Message::system("s"),
                1 => Message::user("u"),
                2 => Message::assistant("a"),
                3 => Message::of(Role::Assistant, vec![Block::tool_use(format!("c{n}"), "f", serde_json::json!({}))]),
                _ => Message::of(Role::Tool, vec![Block::tool_result(format!("c{n}"), "r")]),
            });
            let messages: Vec<Message> = messages.collect();
            for len in 0..=messages.len() {
                let talk = Conversation::recorded(messages[..len].iter().cloned());
                let (opening, turns) = anew(Groups::of(&messages[..len]).all(), len);
                prop_assert_eq!((&talk.turns().opening, &talk.turns().turns), (&opening, &turns));
                // Two conversations have one key where their turns begin alike.
                let mut other = Turns::default();
                let groups = turns.iter().map(|t| Group { kind: GroupKind::Answer, range: t.clone(), open: 0 });
                groups.for_each(|g| other.push(&[g]));
                prop_assert_eq!(talk.turns().key(turns.len()), other.key(turns.len()));
            }
        }
    }
}
