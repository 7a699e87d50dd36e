//! `batch`: older messages of the model become their recap lines, a batch at a time (seed 001).
//!
//! With `m` assistant messages kept whole and batches of `b`, the oldest `⌊(n − m)/b⌋·b` of `n` are compacted (B-06,
//! B-07), so the boundary moves forward in whole batches (B-16) and between moves each view begins with the one before
//! it (B-17). A tool exchange is compacted as one: its calls never stand without their results.

use super::compact::{Compact, Compactable, OtherKind, Recap, UserInput};
use super::context::{Draft, Scene};
use super::size::is_no_longer;
use crate::group::{Group, Groups, Kind};
use crate::message::{Block, Message, Role};
use crate::view::reasons::Why;
use crate::view::types::{Event, Shown};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

pub(super) fn draft(scene: &Scene<'_>) -> Draft {
    let conversation = scene.conversation;
    let frames = Frames::of(scene);
    let stays = |at: &usize| !frames.is_gone(*at);
    let model = conversation.index().model.iter().copied();
    let model: Vec<usize> = model.filter(|at| stays(at) && scene.pinned(*at).is_none()).collect();
    let batches = batches(scene, &model);
    let mut shown: Vec<Shown> = Vec::with_capacity(conversation.len());
    for batch in &batches {
        compacted(scene, &frames, batch.clone(), &mut shown);
    }
    let stable = shown.len();
    let whole = batches.last().map_or(0, |b| b.end);
    if frames.none_gone() {
        scene.show_rest(whole, &mut shown);
    } else {
        let mut rest = Vec::new();
        scene.show_rest(whole, &mut rest);
        shown.extend(rest.into_iter().filter(|s| stays(&s.from.start)));
    }
    let mut events = vec![statistics(scene, &shown)];
    let kept = shown.iter().take(stable).filter(|s| s.why == Why::NotCompactable && s.message.role == Role::Assistant);
    let kept = kept.count();
    if kept > 0 {
        let text = format!(
            "batch: {kept} older assistant messages have no recap line (\"recap - ...\") and stay whole; ask the model for one in each answer"
        );
        events.push(Event::warn(text));
    }
    Draft { shown, moves: (batches.len() as u64).saturating_add(frames.moves), stable, events, steps: Vec::new() }
}

/// The stretches that are compacted, one for each move of the boundary: a function of the messages as they came.
fn batches(scene: &Scene<'_>, model: &[usize]) -> Vec<Range<usize>> {
    let (keep, size) = (scene.policy.min_preserved_assistant_messages, scene.policy.batch_size.max(1));
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for compact in (size..=model.len().saturating_sub(keep)).step_by(size) {
        // The message that made it so many: what lies behind it was not there yet.
        let Some(newest) = model.get(compact.saturating_add(keep).saturating_sub(1)) else { break };
        let cut = cut(scene, model, compact);
        if cut > from && scene.live(newest.saturating_add(1), from) >= cut {
            out.push(from..cut);
            from = cut;
        }
    }
    out
}

/// Behind the last of the `compact` oldest messages of the model, with its results (B-09); before its exchange where
/// that holds messages that stay whole.
fn cut(scene: &Scene<'_>, model: &[usize], compact: usize) -> usize {
    let pairs = scene.conversation.pairs();
    let group = |at: usize| pairs.all().get(pairs.index_of(at)).map_or(0..0, |g| g.range.clone());
    let Some(last) = compact.checked_sub(1).and_then(|i| model.get(i)) else { return 0 };
    let whole = group(*last);
    if model.get(compact).is_none_or(|next| *next >= whole.end) {
        return whole.end;
    }
    let before = model.partition_point(|at| *at < whole.start);
    before.checked_sub(1).and_then(|i| model.get(i)).map_or(0, |at| group(*at).end)
}

/// The messages of one batch: made once, for it never changes again.
fn compacted(scene: &Scene<'_>, frames: &Frames, batch: Range<usize>, out: &mut Vec<Shown>) {
    let Some(end) = batch.end.checked_sub(1).and_then(|at| scene.conversation.entries().get(at)) else { return };
    let mut key = DefaultHasher::new();
    let compactor = scene.with.compact.map(Compactable::id);
    ("batch", batch.start, scene.pinning(), scene.policy.compact_user_messages, compactor).hash(&mut key);
    // Which of them are gone, not how many: two conversations that began alike may have left different frames.
    frames.gone.get(batch.clone()).hash(&mut key);
    let made = end.made(key.finish(), || {
        let pairs = scene.conversation.pairs();
        let mut made = Vec::new();
        let mut at = batch.start;
        while at < batch.end {
            let Some(group) = pairs.all().get(pairs.index_of(at)) else { break };
            one(scene, frames, group, &mut made);
            at = group.range.end.max(at.saturating_add(1));
        }
        made
    });
    out.extend(made.iter().cloned());
}

/// A group, compacted.
fn one(scene: &Scene<'_>, frames: &Frames, group: &Group, out: &mut Vec<Shown>) {
    let places = group.range.clone().filter(|at| !frames.is_gone(*at));
    let forms: Vec<(usize, &Arc<Message>, Compact)> =
        places.filter_map(|at| scene.conversation.get(at).map(|m| (at, m, form(scene, at, m)))).collect();
    let whole = |c: &Compact| matches!(c, Compact::Full | Compact::Uncompactable);
    // An exchange is short as a whole or not at all: a call must not lose its result, nor a result its call.
    let keep_all = group.kind == Kind::Exchange
        && forms.iter().any(|(at, m, c)| m.role == Role::Assistant && scene.pinned(*at).is_none() && whole(c));
    for (at, message, form) in forms {
        if let Some(why) = scene.pinned(at) {
            out.push(scene.show(at, why));
            continue;
        }
        if keep_all {
            out.push(scene.show(at, Why::NotCompactable));
            continue;
        }
        match form {
            Compact::Gone => {}
            Compact::Short(text) if text.trim().is_empty() => {}
            Compact::Short(text) => {
                out.push(Shown::made(Message::new(message.role, text), at..at.saturating_add(1), Why::Recap))
            }
            Compact::Full | Compact::Uncompactable if group.kind != Kind::Exchange => {
                out.push(scene.show(at, Why::NotCompactable));
            }
            // Beside results: what was said stays, the results go with their calls.
            Compact::Full | Compact::Uncompactable => {
                let said: Vec<Block> =
                    message.content.iter().filter(|b| matches!(b, Block::Text { .. })).cloned().collect();
                if said.len() == message.content.len() {
                    out.push(scene.show(at, Why::NotCompactable));
                } else if !said.is_empty() {
                    let message = Message { content: said, ..(**message).clone() };
                    out.push(Shown::made(message, at..at.saturating_add(1), Why::NotCompactable));
                }
            }
        }
    }
}

fn form(scene: &Scene<'_>, at: usize, message: &Message) -> Compact {
    if scene.pinned(at).is_some() {
        return Compact::Full;
    }
    match message.role {
        // What a host makes of a message may be longer than the message: then it stays as it is.
        Role::Assistant => match scene.with.compact.unwrap_or(&Recap).compact(message) {
            Compact::Short(text) if !is_no_longer(&text, message) => Compact::Full,
            form => form,
        },
        Role::User if scene.policy.compact_user_messages => UserInput.compact(message),
        // A result goes with its call; one that answers no call is never of use.
        Role::Tool => Compact::Gone,
        Role::User | Role::System => OtherKind.compact(message),
    }
}

/// What the view saves (B-21): 1.0 where there was nothing.
fn statistics(scene: &Scene<'_>, shown: &[Shown]) -> Event {
    let entries = scene.conversation.entries();
    let before = scene.conversation.bytes();
    // What is shown whole was measured before.
    let entry = |s: &Shown| entries.get(s.from.start).filter(|_| s.is_whole());
    let after: usize = shown.iter().map(|s| entry(s).map_or_else(|| s.bytes(), |e| e.bytes())).sum();
    let ratio = if before == 0 { 1.0 } else { after as f64 / before as f64 };
    let mut text = format!(
        "batch: {} messages became {}, {before} bytes became {after} ({:.1} %)",
        entries.len(),
        shown.len(),
        100.0 * ratio
    );
    if let Some(measure) = scene.with.measure {
        let count = |m: &Message| measure.message(m);
        let before = scene.conversation.tokens(measure.id(), count);
        let after: u64 = shown
            .iter()
            .map(|s| {
                entry(s).map_or_else(
                    || s.counted.get(measure.id(), || count(&s.message)),
                    |e| e.tokens(measure.id(), count),
                )
            })
            .sum();
        text.push_str(&format!(", {before} tokens became {after}"));
    }
    Event::info(text)
}

/// Messages of frames that were left: an agent with a call stack shows the frames that stand, from the oldest on
/// (B-19). A message of a frame means that all deeper ones were left.
#[derive(Debug, Default)]
struct Frames {
    gone: Vec<bool>,
    /// Leaving a frame takes messages out of the middle: a break of the prefix, and more than all the moves it undoes.
    moves: u64,
}

impl Frames {
    fn of(scene: &Scene<'_>) -> Self {
        let conversation = scene.conversation;
        let frame = |m: &Message| m.meta.as_ref().and_then(|m| m.frame);
        if !conversation.index().framed {
            return Frames::default();
        }
        let mut out = Frames { gone: vec![false; conversation.len()], moves: 0 };
        let mut standing: Vec<(u32, usize)> = Vec::new();
        for (at, m) in conversation.messages().enumerate() {
            // One that does not say belongs to the frame that is on top.
            let depth = frame(m).unwrap_or_else(|| standing.last().map_or(0, |(f, _)| *f));
            let left = standing.partition_point(|(f, _)| *f <= depth);
            let left: Vec<usize> = standing.drain(left..).map(|(_, at)| at).collect();
            out.leave(scene, &left);
            standing.push((depth, at));
        }
        out
    }

    /// Takes these out, unless a call of theirs is answered elsewhere.
    fn leave(&mut self, scene: &Scene<'_>, left: &[usize]) {
        let left: Vec<usize> = left.iter().copied().filter(|at| scene.pinned(*at).is_none()).collect();
        let pairs = Groups::of(left.iter().filter_map(|at| scene.conversation.get(*at).map(|m| &**m)));
        if left.is_empty() || pairs.open().next().is_some() || pairs.orphans() > 0 {
            return;
        }
        self.moves = self.moves.saturating_add((left.len() as u64).saturating_add(1));
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
        self.moves == 0
    }
}
