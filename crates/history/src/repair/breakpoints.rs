//! Where cache breakpoints stand in a repaired conversation, given what will not change (part B, row "cache control").

use super::Repaired;
use crate::conversation::message::{Block, Role};
use crate::wire::cache::{Cache, CacheBreakpoints, Ttl};
use crate::wire::format::Format;
use std::collections::{BTreeMap, BTreeSet};

/// A provider finds a breakpoint again by looking back at most 20 blocks; one every 15 leaves a margin for merged
/// blocks.
pub const SPACING: usize = 15;

/// How many breakpoints a request may have. OpenAI counts four writes and makes one of them by itself.
fn limit(format: Format) -> usize {
    match format {
        Format::Anthropic | Format::Bedrock => 4,
        Format::OpenAi | Format::Responses => 3,
        Format::Gemini => 0,
    }
}

impl Cache {
    /// Places the breakpoints. The newest boundaries come first when there are too many; remaining ones are placed
    /// every 15 blocks before the newest, so that a long tool turn is still found by looking back. None is on
    /// reasoning, nor where the format allows none; no one-hour breakpoint comes after a five-minute one.
    pub fn place(&self, repaired: &Repaired, format: Format) -> CacheBreakpoints {
        let mut room = limit(format);
        let mut marks = CacheBreakpoints::default();
        if room == 0 {
            return marks;
        }
        if let Some(ttl) = self.head {
            let system = repaired.messages.iter().rposition(|m| m.role == Role::System);
            if let Some(i) = system.filter(|_| format.takes_turns() || heads(repaired)) {
                let last = repaired.messages.get(i).map_or(0, |m| m.content.len().saturating_sub(1));
                marks.blocks.insert((i, last), ttl);
                room = room.saturating_sub(1);
            } else if !repaired.tools.is_empty() && format.takes_turns() {
                marks.tools = Some(ttl);
                room = room.saturating_sub(1);
            }
        }
        let blocks = Blocks::of(repaired, format);
        let mut at: BTreeMap<usize, Ttl> = BTreeMap::new();
        let mut boundaries = self.boundaries.clone();
        boundaries.sort_by_key(|m| m.after);
        for mark in boundaries.iter().rev() {
            if let Some(end) = blocks.end_of(mark.after)
                && room > 0
                && !at.contains_key(&end)
            {
                at.insert(end, mark.ttl);
                room = room.saturating_sub(1);
            }
        }
        blocks.spare(&mut at, room);
        for (p, ttl) in at {
            if let Some(block) = blocks.all.get(p) {
                marks.blocks.insert(block.place, ttl);
            }
        }
        let mut longest = marks.tools.unwrap_or(Ttl::Long);
        for ttl in marks.blocks.values_mut() {
            match longest {
                Ttl::Short => *ttl = Ttl::Short,
                Ttl::Long => longest = *ttl,
            }
        }
        marks
    }
}

/// Whether all system messages are at the start, in formats that have them in the list.
fn heads(repaired: &Repaired) -> bool {
    let last = repaired.messages.iter().rposition(|m| m.role == Role::System);
    let first = repaired.messages.iter().position(|m| m.role != Role::System);
    first.is_none_or(|f| last.is_some_and(|l| l < f))
}

/// The blocks after the system prompt, in a row.
struct Blocks {
    all: Vec<BlockPlace>,
}

struct BlockPlace {
    place: (usize, usize),
    origin: usize,
    markable: bool,
}

impl Blocks {
    fn of(repaired: &Repaired, format: Format) -> Self {
        let mut all = Vec::new();
        for (i, m) in repaired.messages.iter().enumerate().filter(|(_, m)| m.role != Role::System) {
            for (j, block) in m.content.iter().enumerate() {
                let last = j.saturating_add(1) == m.content.len();
                let markable = match (format, block) {
                    (_, Block::Reasoning { .. }) => false,
                    // Assistant output takes no breakpoint; a user text is one string.
                    (Format::OpenAi | Format::Responses, _) => m.role != Role::Assistant,
                    // A breakpoint is a block of its own here: it must not separate results, nor follow a call.
                    (Format::Bedrock, Block::ToolUse { .. }) => false,
                    (Format::Bedrock, _) => last,
                    _ => true,
                };
                let origin = repaired.origin.get(i).and_then(|o| o.get(j)).copied().unwrap_or(usize::MAX);
                all.push(BlockPlace { place: (i, j), origin, markable });
            }
        }
        Blocks { all }
    }

    /// The last block that may have a breakpoint, of those that contain nothing newer than this message.
    fn end_of(&self, message: usize) -> Option<usize> {
        let stable = self.all.iter().position(|b| b.origin > message).unwrap_or(self.all.len());
        self.markable_before(stable)
    }

    fn markable_before(&self, end: usize) -> Option<usize> {
        self.all.iter().take(end).rposition(|b| b.markable)
    }

    fn spare(&self, at: &mut BTreeMap<usize, Ttl>, mut room: usize) {
        let Some((&newest, &newest_ttl)) = at.last_key_value() else { return };
        let (mut current, mut ttl) = (newest, newest_ttl);
        let mut seen: BTreeSet<usize> = BTreeSet::new();
        while room > 0 && current > SPACING && seen.insert(current) {
            match at.range(..current).next_back() {
                Some((&before, &t)) if current.saturating_sub(before) <= SPACING => (current, ttl) = (before, t),
                _ => {
                    let Some(p) = self.markable_before(current.saturating_sub(SPACING).saturating_add(1)) else {
                        return;
                    };
                    if at.insert(p, ttl).is_none() {
                        room = room.saturating_sub(1);
                    }
                    current = p;
                }
            }
        }
    }
}
