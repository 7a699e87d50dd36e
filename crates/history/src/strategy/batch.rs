//! `batch`: older messages of the model become their recap lines, a batch at a time (seed 001).
//!
//! With `m` assistant messages kept whole and batches of `b`, the oldest `⌊(n − m)/b⌋·b` of `n` are compacted (B-06,
//! B-07), so the boundary moves forward in whole batches (B-16), and between moves each view begins with the one before
//! it (B-17). The calls and results of an exchange are compacted together.

use super::context::StrategyContext;
use super::size::is_no_longer;
use crate::conversation::groups::{Group, GroupKind, Groups};
use crate::conversation::message::{Block, Message, Role};
use crate::memo;
use crate::view::compact::{Compact, Compactable, Recap};
use crate::view::reasons::Reason;
use crate::view::types::{Event, View, ViewMessage};
use std::ops::Range;
use std::sync::Arc;

pub(super) fn draft(context: &StrategyContext<'_>) -> View {
    let conversation = context.conversation;
    let frames = Frames::of(context);
    let stays = |at: &usize| !frames.is_gone(*at);
    let model = conversation.index().model.iter().copied();
    let model: Vec<usize> = model.filter(|at| stays(at) && context.pinned(*at).is_none()).collect();
    let batches = batches(context, &model);
    let mut shown: Vec<ViewMessage> = Vec::with_capacity(conversation.len());
    for batch in &batches {
        compacted(context, &frames, batch.clone(), &mut shown);
    }
    let stable_prefix = shown.len();
    let whole = batches.last().map_or(0, |b| b.end);
    if frames.none_gone() {
        context.push_rest(whole, &mut shown);
    } else {
        let mut rest = Vec::new();
        context.push_rest(whole, &mut rest);
        shown.extend(rest.into_iter().filter(|s| stays(&s.from.start)));
    }
    let mut events = vec![statistics(context, &shown)];
    let kept = shown
        .iter()
        .take(stable_prefix)
        .filter(|s| s.reason == Reason::NotCompactable && s.message.role == Role::Assistant);
    let kept = kept.count();
    if kept > 0 {
        let text = format!(
            "batch: {kept} older assistant messages have no recap line (\"recap - ...\") and stay whole; ask the model for one in each answer"
        );
        events.push(Event::warn(text));
    }
    View {
        shown,
        boundary_moves: (batches.len() as u64).saturating_add(frames.boundary_moves),
        stable_prefix,
        events,
        ..View::default()
    }
}

/// The ranges that are compacted, one for each move of the boundary: a function of the messages in their order.
fn batches(context: &StrategyContext<'_>, model: &[usize]) -> Vec<Range<usize>> {
    let (keep, size) = (context.policy.min_preserved_assistant_messages, context.policy.batch_size.max(1));
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for compact in (size..=model.len().saturating_sub(keep)).step_by(size) {
        // The message that completed the batch: messages after it were not there yet.
        let Some(newest) = model.get(compact.saturating_add(keep).saturating_sub(1)) else { break };
        let cut = cut(context, model, compact);
        if cut > from && context.open_from(newest.saturating_add(1), from) >= cut {
            out.push(from..cut);
            from = cut;
        }
    }
    out
}

/// After the last of the `compact` oldest messages of the model and its results (B-09); before its exchange where that
/// contains messages that stay whole.
fn cut(context: &StrategyContext<'_>, model: &[usize], compact: usize) -> usize {
    let pairs = context.conversation.pairs();
    let group = |at: usize| pairs.all().get(pairs.index_of(at)).map_or(0..0, |g| g.range.clone());
    let Some(last) = compact.checked_sub(1).and_then(|i| model.get(i)) else { return 0 };
    let whole = group(*last);
    if model.get(compact).is_none_or(|next| *next >= whole.end) {
        return whole.end;
    }
    let before = model.partition_point(|at| *at < whole.start);
    before.checked_sub(1).and_then(|i| model.get(i)).map_or(0, |at| group(*at).end)
}

/// The messages of one batch: made once, for a batch never changes again.
fn compacted(context: &StrategyContext<'_>, frames: &Frames, batch: Range<usize>, out: &mut Vec<ViewMessage>) {
    let Some(end) = batch.end.checked_sub(1).and_then(|at| context.conversation.entries().get(at)) else { return };
    let compactor = (context.policy.compact_user_messages, context.view_context.compact.map(Compactable::id));
    // Which of them were left, not how many: two conversations with the same beginning may have left different frames.
    let left = frames.gone.get(batch.clone());
    let made = end.memo().get_or(memo::key(("batch", batch.start, context.pinning(), compactor, left)), || {
        let pairs = context.conversation.pairs();
        let mut made = Vec::new();
        let mut at = batch.start;
        while at < batch.end {
            let Some(group) = pairs.all().get(pairs.index_of(at)) else { break };
            one(context, frames, group, &mut made);
            at = group.range.end.max(at.saturating_add(1));
        }
        made
    });
    out.extend(made.iter().cloned());
}

/// A group, compacted.
fn one(context: &StrategyContext<'_>, frames: &Frames, group: &Group, out: &mut Vec<ViewMessage>) {
    let places = group.range.clone().filter(|at| !frames.is_gone(*at));
    let forms: Vec<(usize, &Arc<Message>, Compact)> =
        places.filter_map(|at| context.conversation.get(at).map(|m| (at, m, form(context, at, m)))).collect();
    let whole = |c: &Compact| matches!(c, Compact::Full | Compact::Uncompactable);
    // An exchange is compacted as a whole or not at all: a call must not lose its result, nor a result its call.
    let keep_all = group.kind == GroupKind::Exchange
        && forms.iter().any(|(at, m, c)| m.role == Role::Assistant && context.pinned(*at).is_none() && whole(c));
    for (at, message, form) in forms {
        if let Some(reason) = context.pinned(at) {
            out.push(context.show(at, reason));
            continue;
        }
        if keep_all {
            out.push(context.show(at, Reason::NotCompactable));
            continue;
        }
        match form {
            Compact::Gone => {}
            Compact::Short(text) if text.trim().is_empty() => {}
            Compact::Short(text) => {
                out.push(ViewMessage::made(Message::new(message.role, text), at..at.saturating_add(1), Reason::Recap))
            }
            Compact::Full | Compact::Uncompactable if group.kind != GroupKind::Exchange => {
                out.push(context.show(at, Reason::NotCompactable));
            }
            // Texts beside results stay, the results are removed with their calls.
            Compact::Full | Compact::Uncompactable => {
                let said: Vec<Block> =
                    message.content.iter().filter(|b| matches!(b, Block::Text { .. })).cloned().collect();
                if said.len() == message.content.len() {
                    out.push(context.show(at, Reason::NotCompactable));
                } else if !said.is_empty() {
                    let message = Message { content: said, ..(**message).clone() };
                    out.push(ViewMessage::made(message, at..at.saturating_add(1), Reason::NotCompactable));
                }
            }
        }
    }
}

fn form(context: &StrategyContext<'_>, at: usize, message: &Message) -> Compact {
    if context.pinned(at).is_some() {
        return Compact::Full;
    }
    match message.role {
        // A host's short form may be longer than the message: then the message stays as it is.
        Role::Assistant => match context.view_context.compact.unwrap_or(&Recap).compact(message) {
            Compact::Short(text) if !is_no_longer(&text, message) => Compact::Full,
            form => form,
        },
        // B-10.
        Role::User if context.policy.compact_user_messages => Compact::Gone,
        // A result is removed with its call; one without a call is never of use.
        Role::Tool => Compact::Gone,
        // B-15.
        Role::User | Role::System => Compact::Full,
    }
}

/// What the view saves (B-21): 1.0 where there was nothing.
fn statistics(context: &StrategyContext<'_>, shown: &[ViewMessage]) -> Event {
    let conversation = context.conversation;
    let before = conversation.bytes();
    let after: usize = shown.iter().filter_map(|s| s.entry(conversation)).map(|e| e.bytes()).sum();
    let ratio = if before == 0 { 1.0 } else { after as f64 / before as f64 };
    let mut text = format!(
        "batch: {} messages became {}, {before} bytes became {after} ({:.1} %)",
        conversation.len(),
        shown.len(),
        100.0 * ratio
    );
    if let Some(counter) = context.view_context.counter {
        let before = conversation.tokens(counter.id(), |m| counter.message(m));
        let after: u64 = shown.iter().map(|s| s.tokens(conversation, counter)).sum();
        text.push_str(&format!(", {before} tokens became {after}"));
    }
    Event::info(text)
}

/// Messages of frames that were left: an agent with a call stack shows the frames that are still on it, from the oldest
/// on (B-19). A message of a frame means that all deeper ones were left.
#[derive(Debug, Default)]
struct Frames {
    gone: Vec<bool>,
    /// Leaving a frame removes messages from the middle: it changes the prefix, and counts more than all the moves it
    /// undoes.
    boundary_moves: u64,
}

impl Frames {
    fn of(context: &StrategyContext<'_>) -> Self {
        let conversation = context.conversation;
        let frame = |m: &Message| m.meta.as_ref().and_then(|m| m.frame);
        if conversation.index().frames.is_empty() {
            return Frames::default();
        }
        let mut out = Frames { gone: vec![false; conversation.len()], boundary_moves: 0 };
        let mut standing: Vec<(u32, usize)> = Vec::new();
        for (at, m) in conversation.messages().enumerate() {
            // A message without a frame belongs to the frame on top.
            let depth = frame(m).unwrap_or_else(|| standing.last().map_or(0, |(f, _)| *f));
            let left = standing.partition_point(|(f, _)| *f <= depth);
            let left: Vec<usize> = standing.drain(left..).map(|(_, at)| at).collect();
            out.leave(context, &left);
            standing.push((depth, at));
        }
        out
    }

    /// Removes these messages, unless a call of theirs is answered elsewhere.
    fn leave(&mut self, context: &StrategyContext<'_>, left: &[usize]) {
        let left: Vec<usize> = left.iter().copied().filter(|at| context.pinned(*at).is_none()).collect();
        let pairs = Groups::of(left.iter().filter_map(|at| context.conversation.get(*at).map(|m| &**m)));
        if left.is_empty() || pairs.open().next().is_some() || pairs.orphans() > 0 {
            return;
        }
        self.boundary_moves = self.boundary_moves.saturating_add((left.len() as u64).saturating_add(1));
        for at in left {
            if let Some(gone) = self.gone.get_mut(at) {
                *gone = true;
            }
        }
    }

    fn is_gone(&self, at: usize) -> bool {
        self.gone.get(at).copied().unwrap_or(false)
    }

    fn none_gone(&self) -> bool {
        self.boundary_moves == 0
    }
}
