//! Groups: ranges of messages that are kept or dropped together, so that no cut separates a call from its result
//! (F-30).

use crate::conversation::message::{Block, Message, Role};
use std::ops::Range;

/// What a group is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// What holds for the whole conversation: never dropped (F-13, K-09).
    System,
    /// What the user said, or the host on the user's behalf.
    User,
    /// What the model said without calling a tool.
    Answer,
    /// Calls of tools, their results, and whatever was said in between.
    Exchange,
    /// A result that answers no call, as recorded conversations have them. Never sent; the trace keeps it.
    Orphan,
}

/// How many groups after the one found last are tried before a search over all of them.
const NEARBY_GROUPS: usize = 4;

/// A range of messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// What it is.
    pub kind: GroupKind,
    /// Its messages, by their places in the conversation.
    pub range: Range<usize>,
    /// Calls in it without a result so far.
    pub open: usize,
}

/// Finds the groups of a conversation, message by message.
///
/// Recorded conversations use the id of a call twice, answer calls late or never, and answer parallel calls in separate
/// messages. A result belongs to the nearest earlier open call with its id; a late result extends the group of its call
/// over everything in between, since a cut there would separate the pair.
#[derive(Clone, Debug, Default)]
pub struct Groups {
    groups: Vec<Group>,
    open: Vec<OpenCall>,
    /// Results without a call: the place of the message, and which of its results it is.
    orphans: Vec<(usize, usize)>,
    redrawn: u64,
    len: usize,
}

#[derive(Clone, Debug)]
struct OpenCall {
    id: String,
    name: String,
    /// The message that calls.
    at: usize,
}

impl Groups {
    /// The groups of these messages.
    pub fn of<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Self {
        let mut groups = Groups::default();
        for m in messages {
            groups.push(m);
        }
        groups
    }

    /// The groups so far, in order and without gaps.
    pub fn all(&self) -> &[Group] {
        &self.groups
    }

    /// The calls that wait for their result: id, name, place of the message, in order.
    pub fn open(&self) -> impl Iterator<Item = (&str, &str, usize)> {
        self.open.iter().map(|o| (o.id.as_str(), o.name.as_str(), o.at))
    }

    /// How many calls wait for their result.
    pub(crate) fn waiting(&self) -> usize {
        self.open.len()
    }

    /// The newest open call of this id.
    pub fn open_call(&self, id: &str) -> Option<usize> {
        self.open.iter().rfind(|o| o.id == id).map(|o| o.at)
    }

    /// How many results answered no call.
    pub fn orphans(&self) -> usize {
        self.orphans.len()
    }

    /// The results that answered no call: the place of the message, and which of its results it is, from 0.
    pub fn orphan_results(&self) -> &[(usize, usize)] {
        &self.orphans
    }

    /// Grows when a result arrives late and so merges groups that were complete: by more than the number of messages
    /// before it. A boundary counted in groups or messages may have to move back then; adding this number to it keeps
    /// every number unique.
    pub fn redrawn(&self) -> u64 {
        self.redrawn
    }

    /// The place in [`Groups::all`] of the group that holds message `at`.
    pub fn index_of(&self, at: usize) -> usize {
        self.groups.partition_point(|g| g.range.end <= at)
    }

    /// As [`Groups::index_of`], for places that are asked for in ascending order: the group found last and a few after
    /// it are tried first.
    pub fn index_near(&self, at: usize, last: usize) -> usize {
        let holds = |i: &usize| self.groups.get(*i).is_some_and(|g| g.range.contains(&at));
        (last..=last.saturating_add(NEARBY_GROUPS)).find(holds).unwrap_or_else(|| self.index_of(at))
    }

    /// Adds the next message.
    pub fn push(&mut self, m: &Message) {
        let at = self.len;
        self.len = self.len.saturating_add(1);
        let mut first_call: Option<usize> = None;
        let mut answered = 0_usize;
        let mut calls = 0_usize;
        let mut results = 0;
        for block in &m.content {
            match block {
                Block::ToolUse { id, name, .. } => {
                    self.open.push(OpenCall { id: id.clone(), name: name.clone(), at });
                    calls = calls.saturating_add(1);
                }
                Block::ToolResult { id, .. } => {
                    match self.open.iter().rposition(|o| o.id == *id) {
                        Some(open) => {
                            let call = self.open.remove(open).at;
                            if call == at {
                                calls = calls.saturating_sub(1);
                            } else {
                                answered = answered.saturating_add(1);
                                first_call = Some(first_call.map_or(call, |c| c.min(call)));
                                self.close_one(call);
                            }
                        }
                        None => self.orphans.push((at, results)),
                    }
                    results = results.saturating_add(1);
                }
                Block::Text { .. } | Block::Reasoning { .. } => {}
            }
        }
        if let Some(call) = first_call {
            // Everything from the call on is one group now, this message included.
            let from = self.index_of(call);
            let open = self.groups.iter().skip(from).map(|g| g.open).sum::<usize>().saturating_add(calls);
            let start = self.groups.get(from).map_or(at, |g| g.range.start);
            if self.groups.len() > from.saturating_add(1) {
                self.redrawn = self.redrawn.saturating_add((at as u64).saturating_add(1));
            }
            self.groups.truncate(from);
            self.groups.push(Group { kind: GroupKind::Exchange, range: start..at.saturating_add(1), open });
            return;
        }
        let has_result = m.answers().next().is_some();
        let kind = match m.role {
            Role::System => GroupKind::System,
            Role::Assistant if calls > 0 || (has_result && answered == 0 && m.calls().next().is_some()) => {
                GroupKind::Exchange
            }
            Role::Assistant => GroupKind::Answer,
            Role::User if has_result && m.text().is_empty() => GroupKind::Orphan,
            Role::User => GroupKind::User,
            Role::Tool => GroupKind::Orphan,
        };
        self.groups.push(Group { kind, range: at..at.saturating_add(1), open: calls });
    }

    /// Takes the messages from place `len` on away, which have neither calls nor results: each is a group of its own,
    /// or said between a call and its result, in a group that ends later.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.groups.truncate(self.groups.partition_point(|g| g.range.start < len));
        self.len = self.len.min(len);
    }

    fn close_one(&mut self, at: usize) {
        let i = self.index_of(at);
        if let Some(g) = self.groups.get_mut(i) {
            g.open = g.open.saturating_sub(1);
        }
    }
}
