//! `clear_tool_results`: results of older tool calls are replaced by a note, the newest stay.
//!
//! Only results that the model has seen are cleared, and only where the note is shorter. The turn number in a note is
//! the handle by which the whole result is read.

use super::context::StrategyContext;
use super::size::is_shorter_text;
use crate::conversation::Entry;
use crate::conversation::line_prefixes;
use crate::conversation::message::Block;
use crate::memo;
use crate::view::reasons::Reason;
use crate::view::types::{Event, View, ViewMessage};
use ptc_text::cut::one_line;
use std::sync::Arc;

/// A note must save at least this many bytes to be worth it.
const MIN_SAVED_BYTES: usize = 24;
/// Characters of an error's first line that are kept.
const MAX_ERROR_CHARS: usize = 200;

pub(super) fn draft(context: &StrategyContext<'_>) -> View {
    let conversation = context.conversation;
    // Results by message, and how many of them the model has answered to.
    let results = &conversation.index().results;
    let all: usize = results.iter().map(|(_, count)| count).sum();
    let spoke = conversation.index().model.last().copied().unwrap_or(0);
    let seen: usize = results.iter().take_while(|(at, _)| *at < spoke).map(|(_, count)| count).sum();
    let older = all.saturating_sub(context.policy.keep_tool_results).min(seen);
    let turns = conversation.turns();
    let mut shown = Vec::with_capacity(conversation.len());
    let open_from = context.open_from(conversation.len(), 0);
    let mut from = 0;
    let (mut left, mut turn, mut stable_prefix) = (older, 0, 0);
    let (mut cleared, mut saved) = (0_usize, 0_usize);
    for (at, here) in results {
        if left == 0 {
            break;
        }
        while turns.turns.get(turn).is_some_and(|t| t.start <= *at) {
            turn = turn.saturating_add(1);
        }
        let clear = left.min(*here);
        left = left.saturating_sub(clear);
        stable_prefix = at.saturating_add(1);
        let Some(note) = noted(context, *at, clear, turn) else { continue };
        cleared = cleared.saturating_add(1);
        let bytes = |e: Option<&Arc<Entry>>| e.map_or(0, |e| e.bytes());
        let whole = bytes(conversation.entries().get(*at));
        saved = saved.saturating_add(whole.saturating_sub(bytes(note.entry(conversation))));
        context.push_range(from..*at, open_from, &mut shown);
        shown.push(note);
        from = at.saturating_add(1);
    }
    context.push_range(from..conversation.len(), open_from, &mut shown);
    let mut events = Vec::new();
    if cleared > 0 {
        events.push(Event::info(format!("clear_tool_results: notes in {cleared} messages save {saved} bytes")));
    }
    View { shown, boundary_moves: older as u64, stable_prefix, events, ..View::default() }
}

/// The message with notes in place of its first `clear` results; `None` where no note is shorter.
pub(crate) fn noted(context: &StrategyContext<'_>, at: usize, clear: usize, turn: usize) -> Option<ViewMessage> {
    let entry = context.conversation.entries().get(at)?;
    let made = entry.memo().get_or(memo::key(("clear", clear, turn)), || {
        let mut message = (**entry.message()).clone();
        let mut reasons = Vec::with_capacity(message.content.len());
        let mut nth = 0_usize;
        for block in &mut message.content {
            let mut reason = Reason::Recent;
            if let Block::ToolResult { content, is_error, .. } = block {
                nth = nth.saturating_add(1);
                if let Some(note) = note(content, *is_error == Some(true), turn).filter(|_| nth <= clear) {
                    reason = Reason::Cleared { chars: content.chars().count() };
                    *content = note;
                }
            }
            reasons.push(reason);
        }
        let reason = reasons.iter().find(|w| matches!(w, Reason::Cleared { .. })).copied()?;
        let blocks = if reasons.len() > 1 { reasons } else { Vec::new() };
        let note = ViewMessage::made(message, at..at.saturating_add(1), reason);
        Some(ViewMessage { blocks: blocks.into(), ..note }.with_its_tools())
    });
    (*made).clone()
}

fn note(content: &str, error: bool, turn: usize) -> Option<String> {
    let chars = content.chars().count();
    let what = if error { line_prefixes::ERROR_CLEARED } else { line_prefixes::RESULT_CLEARED };
    let mut note = format!("{what}{chars} characters; turn {turn}]");
    if error {
        let first = content.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
        note.push(' ');
        note.push_str(&one_line(first, MAX_ERROR_CHARS));
    }
    (content.len() > note.len().saturating_add(MIN_SAVED_BYTES) && is_shorter_text(&note, content)).then_some(note)
}
