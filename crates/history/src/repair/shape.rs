//! The shape of a conversation: which role is first, last, and next to which, and that every message has content.

use super::draft::{Draft, DraftBlock};
use super::event::{EventKind, Log};
use super::target::{Ending, Target};
use crate::conversation::message::{Block, Role};
use crate::wire::format::Format;
use std::collections::HashSet;

/// The text before a conversation that begins with the model.
const BEGINNING: &str = "(earlier messages are not shown)";
/// The text after a request that ends with the model.
const CONTINUE: &str = "(continue)";

/// Moves system messages to the start, where the format has a field for them; and joins the texts of a message, where
/// its format has one text. No byte of a system message changes (K-09).
pub(super) fn systems_first(drafts: &mut Vec<Draft>, format: Format, log: &mut Log) {
    for draft in drafts.iter_mut() {
        if draft.role == Role::System || format == Format::OpenAi {
            one_text(draft);
        }
    }
    if !format.takes_turns() {
        return;
    }
    let (heads, rest): (Vec<Draft>, Vec<Draft>) = drafts.drain(..).partition(|d| d.role == Role::System);
    let first = rest.first().map_or(usize::MAX, |d| d.from);
    for head in heads.iter().filter(|h| h.from > first) {
        log.add(EventKind::Moved, head.from, "a system message was moved to the head");
    }
    drafts.extend(heads);
    drafts.extend(rest);
}

fn one_text(draft: &mut Draft) {
    let mut pieces: Vec<DraftBlock> = Vec::with_capacity(draft.pieces.len());
    for piece in draft.pieces.drain(..) {
        let earlier = pieces.iter_mut().find_map(|p| match &mut p.block {
            Block::Text { text, part } => Some((text, part)),
            _ => None,
        });
        match (earlier, &piece.block) {
            (Some((text, part)), Block::Text { text: more, .. }) => {
                text.push('\n');
                text.push_str(more);
                *part = None;
            }
            _ => pieces.push(piece),
        }
    }
    draft.pieces = pieces;
}

/// A message without content gets the placeholder, so that turns keep their places (B-26, R-12); an empty remainder of
/// a message with content is removed.
pub(super) fn placeholders(drafts: &mut Vec<Draft>, format: Format, log: &mut Log) {
    let mut said: HashSet<usize> = drafts.iter().filter(|d| !d.pieces.is_empty()).map(|d| d.from).collect();
    drafts.retain_mut(|draft| {
        if !draft.pieces.is_empty() {
            return true;
        }
        if !said.insert(draft.from) {
            return false;
        }
        let text = format.placeholder();
        log.add(EventKind::Placeholder, draft.from, format!("nothing is left to send; it says {text:?}"));
        draft.pieces.push(said_for(text, draft.from));
        true
    });
}

fn said_for(text: &str, from: usize) -> DraftBlock {
    DraftBlock { block: Block::text(text), from, call: None }
}

/// Joins consecutive messages of one role where the provider wants alternating roles (B-11); in Responses consecutive
/// items of the model become one message, since the format has no separator between them.
pub(super) fn merge(drafts: &mut Vec<Draft>, format: Format, log: &mut Log) {
    if format == Format::OpenAi {
        return;
    }
    let mut out: Vec<Draft> = Vec::with_capacity(drafts.len());
    for mut draft in drafts.drain(..) {
        let merges = match draft.role {
            Role::Assistant => true,
            Role::User => format.takes_turns(),
            Role::System | Role::Tool => false,
        };
        match out.last_mut() {
            Some(last) if merges && last.role == draft.role => {
                let text = format!("joins message {}: both are the {}'s", last.from, draft.role);
                log.add(EventKind::Merged, draft.from, text);
                last.pieces.append(&mut draft.pieces);
            }
            _ => out.push(draft),
        }
    }
    *drafts = out;
}

/// Puts the user first and, in a request, last, where the provider wants that (F-18; part B, rows "first" and "last").
pub(super) fn ends(drafts: &mut Vec<Draft>, target: &Target, log: &mut Log) {
    let user =
        |text: &str, from: usize| Draft { role: Role::User, pieces: vec![said_for(text, from)], meta: None, from };
    let turns = target.format.takes_turns();
    let first = drafts.iter().position(|d| d.role != Role::System);
    match first {
        Some(i) if turns => {
            if let Some(from) = drafts.get(i).filter(|d| d.role != Role::User).map(|d| d.from) {
                log.add(EventKind::Inserted, from, format!("the user speaks first; {BEGINNING:?} was put before it"));
                drafts.insert(i, user(BEGINNING, from));
            }
        }
        None if target.ending == Ending::Request && (turns || drafts.is_empty()) => {
            let text = target.format.placeholder();
            let from = drafts.last().map_or(0, |d| d.from);
            log.add(EventKind::Inserted, from, format!("there is no message; {text:?} was put in"));
            drafts.push(user(text, from));
        }
        _ => {}
    }
    if turns
        && target.ending == Ending::Request
        && let Some(from) = drafts.last().filter(|d| d.role == Role::Assistant).map(|d| d.from)
    {
        log.add(EventKind::Inserted, from, format!("the user speaks last; {CONTINUE:?} was put after it"));
        drafts.push(user(CONTINUE, from));
    }
}
