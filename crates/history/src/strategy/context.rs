//! What a strategy works on and what it makes: the conversation, and the messages that no strategy may drop or shorten.

use crate::conversation::Conversation;
use crate::conversation::groups::Kind;
use crate::conversation::message::{Message, Role};
use crate::policy::{Policy, Strategy, SummaryRole};
use crate::view::context::ViewContext;
use crate::view::reasons::Reason;
use crate::view::step::Step;
use crate::view::types::{Event, ViewMessage};
use std::ops::Range;

/// What a strategy works on.
pub(crate) struct StrategyContext<'a> {
    pub conversation: &'a Conversation,
    pub policy: &'a Policy,
    pub view_context: &'a ViewContext<'a>,
    /// The messages that no strategy may drop or shorten, by place.
    pins: Vec<(usize, Reason)>,
}

/// What a strategy made.
pub(crate) struct StrategyOutput {
    pub shown: Vec<ViewMessage>,
    pub boundary_moves: u64,
    pub stable_prefix: usize,
    pub events: Vec<Event>,
    /// What was decided about the boundary, where the strategy decides by figures.
    pub steps: Vec<Step>,
}

impl<'a> StrategyContext<'a> {
    pub fn new(conversation: &'a Conversation, policy: &'a Policy, view_context: &'a ViewContext<'a>) -> Self {
        StrategyContext { conversation, policy, view_context, pins: pins(conversation, policy) }
    }

    /// The message at this place, whole.
    pub fn show(&self, at: usize, reason: Reason) -> ViewMessage {
        match self.conversation.get(at) {
            Some(message) => ViewMessage::whole(message, at, reason),
            // No strategy asks for a message that is not there; a placeholder keeps the view legal if one does.
            None => ViewMessage::made(
                Message::user(crate::conversation::line_prefixes::NO_CONTENT),
                at..at,
                Reason::Placeholder,
            ),
        }
    }

    /// The messages of a stretch that are not pinned, without those that hold nothing but results that nobody asked for:
    /// they are left out of every view (F-30).
    pub fn loose(&self, range: Range<usize>) -> impl Iterator<Item = &Message> {
        let range = range.filter(|at| self.pinned(*at).is_none());
        let shown = range.filter_map(|at| self.conversation.get(at).map(|m| (at, &**m)));
        shown.filter(|(at, m)| !self.only_orphans(*at, m)).map(|(_, m)| m)
    }

    /// Whether a message holds nothing but results that nobody asked for.
    fn only_orphans(&self, at: usize, message: &Message) -> bool {
        let orphans = self.conversation.pairs().orphan_results();
        let from = orphans.partition_point(|(place, _)| *place < at);
        let here = orphans.get(from..).unwrap_or_default().iter().take_while(|(place, _)| *place == at).count();
        here > 0 && here == message.content.len()
    }

    /// A message that stays whole among shortened ones, since it could not be shorter.
    pub fn stays(&self, at: usize) -> ViewMessage {
        self.show(at, self.pinned(at).unwrap_or(Reason::NotCompactable))
    }

    /// Why a message may not be dropped or shortened by any strategy, if so: system messages (K-09, F-13), the task
    /// (D5), the agent's memory (K-03, F-25). Open calls are pinned by place: [`StrategyContext::live`].
    pub fn pinned(&self, at: usize) -> Option<Reason> {
        let found = self.pins.binary_search_by_key(&at, |(at, _)| *at).ok()?;
        self.pins.get(found).map(|(_, reason)| *reason)
    }

    /// What [`StrategyContext::pinned`] says in this stretch, in order.
    pub fn pinned_in(&self, range: Range<usize>) -> &[(usize, Reason)] {
        let place = |at: usize| self.pins.partition_point(|(p, _)| *p < at);
        self.pins.get(place(range.start)..place(range.end)).unwrap_or_default()
    }

    /// What [`StrategyContext::pinned`] depends on beside the messages: part of the key of all that is made and remembered.
    pub fn pinning(&self) -> (bool, bool) {
        (self.policy.pin_task, self.policy.strategy == Strategy::WholeHistoryMultipleSystemMessages)
    }

    /// Where the live frontier of the first `len` messages begins: the calls at their end that wait for results
    /// (F-12, K-37); `len` where none does. Looks no further back than `floor`.
    pub fn live(&self, len: usize, floor: usize) -> usize {
        let groups = self.conversation.groups();
        let mut live = len;
        let upto = self.conversation.pairs().index_of(len.saturating_sub(1)).saturating_add(1).min(groups.len());
        for g in groups.get(..upto).unwrap_or_default().iter().rev() {
            if g.range.end <= floor {
                break;
            }
            match g.kind {
                // A group that goes on behind `len` was not complete then.
                _ if g.open > 0 || g.range.end > len => live = g.range.start,
                Kind::Answer | Kind::Exchange => break,
                Kind::System | Kind::User | Kind::Orphan => {}
            }
        }
        live.min(len)
    }

    /// Who speaks a summary (D4).
    pub fn summary_role(&self) -> Role {
        match self.policy.summary_role {
            SummaryRole::Assistant => Role::Assistant,
            SummaryRole::User => Role::User,
        }
    }

    /// Shows the messages from `from` on as they are.
    pub fn show_rest(&self, from: usize, out: &mut Vec<ViewMessage>) {
        let len = self.conversation.len();
        self.show_range(from..len, self.live(len, from), out);
    }

    /// Shows the messages of a stretch as they are; `live` is where the live frontier begins.
    pub fn show_range(&self, range: Range<usize>, live: usize, out: &mut Vec<ViewMessage>) {
        let entries = self.conversation.entries().get(range.clone()).unwrap_or_default();
        let first = out.len();
        let reason = |at| if at >= live { Reason::Open } else { Reason::Recent };
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

/// Where tasks stand that the policy pins, in order: what the user asks first (D5), and for the strategy that knows
/// several system messages first behind each of them (K-07).
fn tasks(conversation: &Conversation, policy: &Policy) -> Vec<usize> {
    let known = conversation.index();
    if !policy.pin_task {
        return Vec::new();
    }
    if policy.strategy != Strategy::WholeHistoryMultipleSystemMessages {
        return known.asks.first().copied().into_iter().collect();
    }
    // What stands before the first system message is of its stretch.
    let starts = std::iter::once(0).chain(known.systems.iter().skip(1).copied());
    let first = |from: usize| known.asks.get(known.asks.partition_point(|at| *at < from)).copied();
    let mut tasks: Vec<usize> = starts.filter_map(first).collect();
    tasks.dedup();
    tasks
}

/// All as it is.
pub(super) fn everything(context: &StrategyContext<'_>, reason: &Reason) -> StrategyOutput {
    let entries = context.conversation.entries();
    let shown =
        entries.iter().enumerate().map(|(at, entry)| ViewMessage::whole(entry.message(), at, *reason)).collect();
    StrategyOutput { shown, boundary_moves: 0, stable_prefix: entries.len(), events: Vec::new(), steps: Vec::new() }
}
