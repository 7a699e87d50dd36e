//! What a strategy gets, and the messages that no strategy may drop or shorten.

use super::size::is_shorter;
use crate::conversation::Conversation;
use crate::conversation::groups::GroupKind;
use crate::conversation::message::{Block, Message, Role};
use crate::policy::{Policy, Strategy, SummaryRole};
use crate::view::context::ViewContext;
use crate::view::reasons::Reason;
use crate::view::types::{View, ViewMessage};
use std::borrow::Cow;
use std::ops::Range;

/// What a strategy gets.
pub(crate) struct StrategyContext<'a> {
    pub conversation: &'a Conversation,
    pub policy: &'a Policy,
    pub view_context: &'a ViewContext<'a>,
    /// The messages that no strategy may drop or shorten, by place.
    pins: Vec<(usize, Reason)>,
}

impl<'a> StrategyContext<'a> {
    pub fn new(conversation: &'a Conversation, policy: &'a Policy, view_context: &'a ViewContext<'a>) -> Self {
        StrategyContext { conversation, policy, view_context, pins: pins(conversation, policy) }
    }

    /// The message at this place, unchanged.
    pub fn show(&self, at: usize, reason: Reason) -> ViewMessage {
        match self.conversation.get(at) {
            Some(message) => ViewMessage::whole(message, at, reason),
            // No strategy asks for a message that does not exist; a placeholder keeps the view valid if one does.
            None => ViewMessage::made(
                Message::user(crate::conversation::line_prefixes::NO_CONTENT),
                at..at,
                Reason::Placeholder,
            ),
        }
    }

    /// The messages of a range that are not pinned, as a view can show them: without results that answer no call, and
    /// without messages that have no other content (F-30, B-26).
    pub fn unpinned(&self, range: Range<usize>) -> Vec<Cow<'a, Message>> {
        let range = range.filter(|at| self.pinned(*at).is_none());
        range.filter_map(|at| self.without_orphans(at)).collect()
    }

    /// Whether `made` is clearly shorter than the messages of this range that are not pinned.
    pub fn is_shorter(&self, made: &Message, range: Range<usize>) -> bool {
        is_shorter(made, self.unpinned(range).iter().map(|m| &**m))
    }

    /// The message at this place without results that answer no call; `None` when it has no other content.
    fn without_orphans(&self, at: usize) -> Option<Cow<'a, Message>> {
        let message = self.conversation.get(at)?;
        if self.conversation.index().blank.binary_search(&at).is_ok() {
            return None;
        }
        let orphans = self.conversation.pairs().orphan_results();
        let is_orphan = |nth: usize| orphans.binary_search(&(at, nth)).is_ok();
        let first = orphans.partition_point(|(place, _)| *place < at);
        if orphans.get(first).is_none_or(|(place, _)| *place != at) {
            return Some(Cow::Borrowed(message));
        }
        let mut nth = 0_usize;
        let mut message = Message::clone(message);
        message.content.retain(|block| {
            let result = matches!(block, Block::ToolResult { .. });
            let orphan = result && is_orphan(nth);
            nth = nth.saturating_add(usize::from(result));
            !orphan
        });
        (!message.is_blank()).then_some(Cow::Owned(message))
    }

    /// A message that stays whole among shortened ones, since it could not be shortened.
    pub fn keep_whole(&self, at: usize) -> ViewMessage {
        self.show(at, self.pinned(at).unwrap_or(Reason::NotCompactable))
    }

    /// Why a message may not be dropped or shortened by any strategy, if so: system messages (K-09, F-13), the task
    /// (D5), the agent's memory (K-03, F-25). Open calls are pinned by place: [`StrategyContext::open_from`].
    pub fn pinned(&self, at: usize) -> Option<Reason> {
        let found = self.pins.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.pins.get(found).map(|(_, reason)| *reason)
    }

    /// What [`StrategyContext::pinned`] returns for the messages of this range, in order.
    pub fn pinned_in(&self, range: Range<usize>) -> &[(usize, Reason)] {
        let place = |at: usize| self.pins.partition_point(|(p, _)| *p < at);
        self.pins.get(place(range.start)..place(range.end)).unwrap_or_default()
    }

    /// What [`StrategyContext::pinned`] depends on besides the messages: part of the key of every cached result.
    pub fn pinning(&self) -> (bool, bool) {
        (self.policy.pin_task, self.policy.strategy == Strategy::WholeHistoryMultipleSystemMessages)
    }

    /// Where the open calls at the end of the first `len` messages begin, those that wait for results (F-12, K-37);
    /// `len` where none does. Looks no further back than `floor`.
    pub fn open_from(&self, len: usize, floor: usize) -> usize {
        let groups = self.conversation.groups();
        let mut open_from = len;
        let upto = self.conversation.pairs().index_of(len.saturating_sub(1)).saturating_add(1).min(groups.len());
        for g in groups.get(..upto).unwrap_or_default().iter().rev() {
            if g.range.end <= floor {
                break;
            }
            match g.kind {
                // A group that continues after `len` was not complete then.
                _ if g.open > 0 || g.range.end > len => open_from = g.range.start,
                GroupKind::Answer | GroupKind::Exchange => break,
                GroupKind::System | GroupKind::User | GroupKind::Orphan => {}
            }
        }
        open_from.min(len)
    }

    /// The role of a summary (D4).
    pub fn summary_role(&self) -> Role {
        match self.policy.summary_role {
            SummaryRole::Assistant => Role::Assistant,
            SummaryRole::User => Role::User,
        }
    }

    /// Adds the messages from `from` on, unchanged.
    pub fn push_rest(&self, from: usize, out: &mut Vec<ViewMessage>) {
        let len = self.conversation.len();
        self.push_range(from..len, self.open_from(len, from), out);
    }

    /// Adds the messages of a range, unchanged; `open_from` is where the open calls begin.
    pub fn push_range(&self, range: Range<usize>, open_from: usize, out: &mut Vec<ViewMessage>) {
        let entries = self.conversation.entries().get(range.clone()).unwrap_or_default();
        let first = out.len();
        let reason = |at| if at >= open_from { Reason::Open } else { Reason::Recent };
        out.extend(entries.iter().zip(range.start..).map(|(e, at)| ViewMessage::whole(e.message(), at, reason(at))));
        for (at, reason) in self.pinned_in(range.clone()) {
            if let Some(shown) = out.get_mut(first.saturating_add(*at).saturating_sub(range.start)) {
                shown.reason = *reason;
            }
        }
    }
}

/// System messages, tasks and the agent's memory, each with its reason, by place.
fn pins(conversation: &Conversation, policy: &Policy) -> Vec<(usize, Reason)> {
    let known = conversation.index();
    let mut pins: Vec<(usize, Reason)> = known.systems.iter().map(|at| (*at, Reason::System)).collect();
    pins.extend(tasks(conversation, policy).into_iter().map(|at| (at, Reason::Task)));
    pins.extend(known.memory.iter().map(|at| (*at, Reason::Memory)));
    // The sort is stable, so the first reason of a place stays.
    pins.sort_by_key(|(at, _)| *at);
    pins.dedup_by_key(|(at, _)| *at);
    pins
}

/// The places of tasks that the policy pins, in order: the user's first message (D5), and for the strategy with several
/// system messages the first after each of them (K-07).
fn tasks(conversation: &Conversation, policy: &Policy) -> Vec<usize> {
    let known = conversation.index();
    if !policy.pin_task {
        return Vec::new();
    }
    if policy.strategy != Strategy::WholeHistoryMultipleSystemMessages {
        return known.asks.first().copied().into_iter().collect();
    }
    // Messages before the first system message belong to its section.
    let starts = std::iter::once(0).chain(known.systems.iter().skip(1).copied());
    let first = |from: usize| known.asks.get(known.asks.partition_point(|at| *at < from)).copied();
    let mut tasks: Vec<usize> = starts.filter_map(first).collect();
    tasks.dedup();
    tasks
}

/// All messages, unchanged.
pub(super) fn everything(context: &StrategyContext<'_>, reason: &Reason) -> View {
    let entries = context.conversation.entries();
    let shown =
        entries.iter().enumerate().map(|(at, entry)| ViewMessage::whole(entry.message(), at, *reason)).collect();
    View { shown, stable_prefix: entries.len(), ..View::default() }
}
