//! Removes what no provider accepts: results without a call, halves of pairs, and messages without content (F-30,
//! B-26).

use super::types::{Event, Tools, View, ViewMessage, list};
use crate::conversation::Conversation;
use crate::conversation::message::{Block, Message, Role};
use crate::memo;
use std::collections::HashSet;
use std::sync::Arc;

/// Removes from a view what no provider accepts. Results without a call and blank messages come from recorded
/// conversations; halves of pairs would come from a strategy that cuts where it must not, and are removed as well.
pub(crate) fn sanitize(conversation: &Conversation, view: &mut View) {
    orphans(conversation, view);
    blanks(conversation, view);
    if !whole(conversation, view) {
        pairs(conversation, view);
    }
}

fn orphans(conversation: &Conversation, view: &mut View) {
    let orphans = conversation.pairs().orphan_results();
    if orphans.is_empty() {
        return;
    }
    let at_place = |at: usize| {
        let from = orphans.partition_point(|(m, _)| *m < at);
        orphans.iter().skip(from).take_while(move |(m, _)| *m == at).map(|(_, nth)| *nth)
    };
    let mut places: Vec<usize> = Vec::new();
    view.filter(|_, shown| {
        let Some(at) = shown.place().filter(|at| at_place(*at).next().is_some()) else { return Some(shown) };
        let entry = conversation.entries().get(at);
        let original = entry.filter(|e| Arc::ptr_eq(e.message(), &shown.message));
        places.push(at);
        let clean = || {
            let gone: Vec<usize> = at_place(at).collect();
            without_results(&shown, &gone)
        };
        match original {
            Some(entry) => (*entry.memo().get_or(memo::key(("orphans", &shown.reason)), clean)).clone(),
            None => clean(),
        }
    });
    if !places.is_empty() {
        let text = format!("tool results that answer no call are left out (messages {})", list(&places));
        view.events.push(Event::warn(text));
    }
}

/// The message without those of its results; `None` when nothing remains.
fn without_results(shown: &ViewMessage, gone: &[usize]) -> Option<ViewMessage> {
    let mut nth = 0;
    let mut goes = Vec::with_capacity(shown.message.content.len());
    for block in &shown.message.content {
        let result = matches!(block, Block::ToolResult { .. });
        goes.push(result && gone.contains(&nth));
        nth = nth.saturating_add(usize::from(result));
    }
    without(shown, &goes)
}

fn without(shown: &ViewMessage, goes: &[bool]) -> Option<ViewMessage> {
    let stays = |i: usize| !goes.get(i).copied().unwrap_or(false);
    let content = shown.message.content.iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, b)| b.clone());
    let message = Message { content: content.collect(), ..(*shown.message).clone() };
    if message.is_blank() {
        return None;
    }
    let blocks = shown.blocks.iter().enumerate().filter(|(i, _)| stays(*i)).map(|(_, w)| *w).collect();
    Some(ViewMessage { blocks, ..ViewMessage::made(message, shown.from.clone(), shown.reason) })
}

fn blanks(conversation: &Conversation, view: &mut View) {
    let blank = &conversation.index().blank;
    // A system message is never changed, whatever it says (K-09).
    let says_nothing = |s: &ViewMessage| {
        let is_blank = if s.is_whole() { blank.binary_search(&s.from.start).is_ok() } else { s.message.is_blank() };
        is_blank && s.message.role != Role::System
    };
    let found: Vec<usize> = (0..).zip(&view.shown).filter(|(_, s)| says_nothing(s)).map(|(i, _)| i).collect();
    if found.is_empty() {
        return;
    }
    let places: Vec<usize> = found.iter().filter_map(|i| view.shown.get(*i)).map(|s| s.from.start).collect();
    view.filter(|i, shown| found.binary_search(&i).is_err().then_some(shown));
    view.events.push(Event::debug(format!("messages that say nothing are left out (messages {})", list(&places))));
}

/// Whether every call that is shown has its result beside it where the conversation has one, and every result its
/// call. Looks into messages only where a group is shown in part, and at groups only where something of them is shown.
fn whole(conversation: &Conversation, view: &View) -> bool {
    let mut places: Vec<usize> = Vec::with_capacity(view.shown.len());
    for s in &view.shown {
        let tools_as_they_were = match s.tools() {
            Tools::Same => true,
            Tools::Gone => continue,
            // A message that stands for several has the calls and results of none of them.
            Tools::Other => s.place().and_then(|at| conversation.get(at)).is_some_and(|original| {
                tools(&s.message).eq(tools(original)) || orphans_aside(conversation, s, original)
            }),
        };
        if !tools_as_they_were {
            return false;
        }
        places.push(s.from.start);
    }
    if !places.is_sorted() {
        places.sort_unstable();
    }
    // A message that is shown twice.
    if places.windows(2).any(|pair| pair.first() == pair.last()) {
        return false;
    }
    let (mut rest, mut near) = (places.as_slice(), 0);
    while let Some(first) = rest.first() {
        near = conversation.pairs().index_near(*first, near);
        let Some(group) = conversation.groups().get(near) else { return false };
        let (shown, behind) = rest.split_at(rest.iter().take_while(|at| **at < group.range.end).count());
        let apart = || {
            let in_pairs = |at: &usize| conversation.get(*at).is_some_and(|m| tools(m).next().is_some());
            let mut halves = group.range.clone().filter(in_pairs).map(|at| shown.binary_search(&at).is_ok());
            let first = halves.next();
            halves.any(|half| Some(half) != first)
        };
        if shown.len() != group.range.len() && apart() {
            return false;
        }
        rest = behind;
    }
    true
}

/// Calls and results of a message, by id.
fn tools(m: &Message) -> impl Iterator<Item = (bool, &str)> {
    m.content.iter().filter_map(|b| match b {
        Block::ToolUse { id, .. } => Some((true, id.as_str())),
        Block::ToolResult { id, .. } => Some((false, id.as_str())),
        _ => None,
    })
}

/// Whether the message shown is the original without its orphans.
fn orphans_aside(conversation: &Conversation, shown: &ViewMessage, original: &Message) -> bool {
    let gone = |nth: usize| conversation.pairs().orphan_results().binary_search(&(shown.from.start, nth)).is_ok();
    let mut nth = 0_usize;
    let rest = tools(original).filter(|(call, _)| {
        let result = !call;
        nth = nth.saturating_add(usize::from(result));
        !(result && gone(nth.saturating_sub(1)))
    });
    tools(&shown.message).eq(rest)
}

/// Removes halves of pairs: results without a call before them, and calls that were answered and have no result here.
fn pairs(conversation: &Conversation, view: &mut View) {
    let waiting: HashSet<(usize, &str)> = conversation.pairs().open().map(|(id, _, at)| (at, id)).collect();
    let mut open: Vec<(&str, usize, usize)> = Vec::new();
    let mut gone: HashSet<(usize, usize)> = HashSet::new();
    for (i, s) in view.shown.iter().enumerate() {
        for (j, block) in s.message.content.iter().enumerate() {
            match block {
                Block::ToolUse { id, .. } => open.push((id, i, j)),
                Block::ToolResult { id, .. } => match open.iter().rposition(|(o, ..)| o == id) {
                    Some(call) => {
                        open.remove(call);
                    }
                    None => {
                        gone.insert((i, j));
                    }
                },
                Block::Text { .. } | Block::Reasoning { .. } => {}
            }
        }
    }
    for (id, i, j) in open {
        let place = view.shown.get(i).and_then(ViewMessage::place);
        if !place.is_some_and(|at| waiting.contains(&(at, id))) {
            gone.insert((i, j));
        }
    }
    let count = gone.len();
    view.filter(|i, shown| {
        let goes: Vec<bool> = (0..shown.message.content.len()).map(|j| gone.contains(&(i, j))).collect();
        if goes.contains(&true) { without(&shown, &goes) } else { Some(shown) }
    });
    if count > 0 {
        view.events
            .push(Event::warn(format!("{count} halves of tool pairs whose other half is not shown are left out")));
    }
}
