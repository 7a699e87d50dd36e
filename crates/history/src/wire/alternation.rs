//! The rules of providers that want alternating roles: Anthropic, Bedrock, Gemini.

use crate::wire::json_checks::{blank, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;

/// A message in a form common to these providers.
pub(super) struct WireTurn<'a> {
    pub(super) at: String,
    pub(super) model: bool,
    pub(super) pieces: Vec<Piece<'a>>,
}

/// A block in a common form.
pub(super) struct Piece<'a> {
    pub(super) at: String,
    pub(super) kind: PieceKind<'a>,
}

pub(super) enum PieceKind<'a> {
    Text(&'a str),
    /// A text that may be empty, since its part has other content.
    Carrier,
    Thought {
        signed: bool,
    },
    Compaction,
    Call {
        id: Option<&'a str>,
        name: &'a str,
        input: Option<&'a Value>,
        signed: bool,
    },
    Answer {
        id: Option<&'a str>,
        name: Option<&'a str>,
        /// What is wrong with it: blank, without content ...
        fault: Option<&'static str>,
    },
    CacheBreakpoint,
}

/// What differs between these providers.
pub(super) struct Rules {
    /// Only calls may come after a call.
    pub(super) calls_last: bool,
    /// Reasoning must be at the start of its message, signed, and not at its end.
    pub(super) thoughts_first: bool,
    pub(super) id: fn(&str) -> bool,
    pub(super) name: fn(&str) -> bool,
    /// Calls and answers need ids.
    pub(super) ids: bool,
}

/// Whether the model speaks in this message; `None` where its role is illegal (V1).
pub(super) fn speaker(message: &Value, at: &str, found: &mut Violations) -> Option<bool> {
    match text(message, "role") {
        Some("assistant") => Some(true),
        Some("user") => Some(false),
        other => {
            let role = other.unwrap_or("?");
            found.add(Rule::V1, at, format!("role {role}; roles are user and assistant, and system stands apart"));
            None
        }
    }
}

/// Whether a message calls a tool or answers a call.
pub(super) fn has_tool_blocks(turns: &[WireTurn<'_>]) -> bool {
    let is_tool = |p: &Piece<'_>| matches!(p.kind, PieceKind::Call { .. } | PieceKind::Answer { .. });
    turns.iter().flat_map(|t| &t.pieces).any(is_tool)
}

pub(super) fn check(turns: &[WireTurn<'_>], rules: &Rules, found: &mut Violations) {
    ends(turns, found);
    let mut ids: Vec<&str> = Vec::new();
    for (i, turn) in turns.iter().enumerate() {
        if i > 0 && turns.get(i.saturating_sub(1)).is_some_and(|before| before.model == turn.model) {
            found.add(Rule::V5, &turn.at, "follows a message of the same role; merge them");
        }
        if turn.pieces.iter().all(|p| matches!(p.kind, PieceKind::CacheBreakpoint)) {
            found.add(Rule::V6, &turn.at, "holds nothing; give it a text");
        }
        for piece in &turn.pieces {
            one(turn, piece, rules, found);
            if let PieceKind::Call { id: Some(id), .. } = piece.kind {
                if ids.contains(&id) {
                    found.add(Rule::V7, &piece.at, format!("call id {id:?} is used twice"));
                }
                ids.push(id);
            }
        }
        if turn.model {
            order(turn, rules, found);
            answered(turns, i, found);
        } else {
            answers(turns.get(i.wrapping_sub(1)).filter(|_| i > 0), turn, found);
        }
    }
}

/// V2.
fn ends(turns: &[WireTurn<'_>], found: &mut Violations) {
    match turns.first() {
        None if !found.open => found.add(Rule::V2, "messages", "there is no message; the user speaks first"),
        Some(first) if first.model => found.add(Rule::V2, &first.at, "the model speaks first; the user must"),
        _ => {}
    }
    if let Some(last) = turns.last().filter(|l| l.model && !found.open) {
        found.add(Rule::V2, &last.at, "the model speaks last; the user must");
    }
}

/// Rules about a single block.
fn one(turn: &WireTurn<'_>, piece: &Piece<'_>, rules: &Rules, found: &mut Violations) {
    let at = piece.at.as_str();
    match &piece.kind {
        PieceKind::Text(text) if blank(text) => found.add(Rule::V6, at, "a blank text; leave it out or say something"),
        PieceKind::Thought { .. } | PieceKind::Compaction if !turn.model => {
            found.add(Rule::V8, at, "the user has no thoughts; they stand in the model's message");
        }
        PieceKind::Thought { signed: false } => {
            found.add(Rule::V8, at, "a thought without its signature; leave it out whole")
        }
        PieceKind::Call { id, name, input, .. } => {
            if !turn.model {
                found.add(Rule::V1, at, "a call in a user message; only the model calls");
            }
            named(id.as_ref(), Some(name), at, rules, found);
            if !input.is_some_and(Value::is_object) {
                found.add(Rule::V12, at, "arguments must be a JSON object");
            }
        }
        PieceKind::Answer { id, name, fault } => {
            if turn.model {
                found.add(Rule::V1, at, "a result in the model's message; it stands in the next user message");
            }
            named(id.as_ref(), name.as_ref(), at, rules, found);
            if let Some(fault) = fault {
                found.add(Rule::V6, at, *fault);
            }
        }
        PieceKind::Text(_)
        | PieceKind::Carrier
        | PieceKind::Thought { .. }
        | PieceKind::Compaction
        | PieceKind::CacheBreakpoint => {}
    }
}

/// V7.
fn named(id: Option<&&str>, name: Option<&&str>, at: &str, rules: &Rules, found: &mut Violations) {
    match id {
        Some(id) if !(rules.id)(id) => found.add(Rule::V7, at, format!("id {id:?} is not in legal letters or length")),
        None if rules.ids => found.add(Rule::V7, at, "there is no id"),
        _ => {}
    }
    if let Some(name) = name.filter(|n| !(rules.name)(n)) {
        found.add(Rule::V7, at, format!("tool name {name:?} is not in legal letters or length"));
    }
}

/// V5 and V8: the order of blocks in the model's message.
fn order(turn: &WireTurn<'_>, rules: &Rules, found: &mut Violations) {
    let pieces = || turn.pieces.iter().filter(|p| !matches!(p.kind, PieceKind::CacheBreakpoint));
    let first_call = pieces().position(|p| matches!(p.kind, PieceKind::Call { .. }));
    if rules.calls_last
        && let Some(call) = first_call
        && let Some(late) = pieces().skip(call).find(|p| matches!(p.kind, PieceKind::Text(_)))
    {
        found.add(Rule::V5, &late.at, "text behind a call; put it before, or after the results");
    }
    if !rules.thoughts_first {
        return;
    }
    let thought = |p: &Piece<'_>| matches!(p.kind, PieceKind::Thought { .. });
    let Some(inner) = pieces().find(|p| thought(p)) else { return };
    if !pieces().next().is_some_and(|p| matches!(p.kind, PieceKind::Thought { .. } | PieceKind::Compaction)) {
        found.add(Rule::V8, &inner.at, "words stand before a thought; thoughts stand at the head of their message");
    }
    if let Some(last) = pieces().next_back().filter(|p| thought(p)) {
        found.add(Rule::V8, &last.at, "a thought ends its message; what was thought must follow");
    }
}

/// V3 and V5: each call of turn `i` has its answer in the next one.
fn answered(turns: &[WireTurn<'_>], i: usize, found: &mut Violations) {
    let Some(turn) = turns.get(i) else { return };
    let next = turns.get(i.saturating_add(1)).filter(|n| !n.model);
    let waits = found.open
        && match next {
            None => i.saturating_add(1) == turns.len(),
            Some(next) => {
                i.saturating_add(2) == turns.len()
                    && next
                        .pieces
                        .iter()
                        .all(|p| matches!(p.kind, PieceKind::Answer { .. } | PieceKind::CacheBreakpoint))
            }
        };
    let mut given: Vec<(Option<&str>, Option<&str>)> = next.map(answers_of).unwrap_or_default();
    let mut missing = 0_usize;
    for piece in &turn.pieces {
        let PieceKind::Call { id, name, .. } = piece.kind else { continue };
        match given.iter().position(|g| fits(id, name, *g)) {
            Some(k) => {
                given.remove(k);
            }
            None if waits => {}
            None => {
                missing = missing.saturating_add(1);
                found.add(
                    Rule::V3,
                    &piece.at,
                    format!("call {} has no result in the next message", id.unwrap_or(name)),
                );
            }
        }
    }
    if missing > 0 && next.is_some_and(|n| n.pieces.iter().any(|p| matches!(p.kind, PieceKind::Answer { .. }))) {
        found.add(Rule::V5, &turn.at, "the next message has another number of results than this one has calls");
    }
}

fn answers_of<'a>(turn: &WireTurn<'a>) -> Vec<(Option<&'a str>, Option<&'a str>)> {
    let answer = |p: &Piece<'a>| match p.kind {
        PieceKind::Answer { id, name, .. } => Some((id, name)),
        _ => None,
    };
    turn.pieces.iter().filter_map(answer).collect()
}

/// By id where both have one, by name where not.
fn fits(id: Option<&str>, name: &str, answer: (Option<&str>, Option<&str>)) -> bool {
    match (id, answer.0) {
        (Some(a), Some(b)) => a == b && answer.1.is_none_or(|n| n == name),
        _ => answer.1 == Some(name),
    }
}

/// V4 and V5: each answer has its call in the message before, and answers stand first.
fn answers(before: Option<&WireTurn<'_>>, turn: &WireTurn<'_>, found: &mut Violations) {
    let mut calls: Vec<(Option<&str>, &str)> = Vec::new();
    for piece in before.filter(|b| b.model).map(|b| b.pieces.as_slice()).unwrap_or_default() {
        if let PieceKind::Call { id, name, .. } = piece.kind {
            calls.push((id, name));
        }
    }
    let mut spoken = false;
    for piece in &turn.pieces {
        match piece.kind {
            PieceKind::Answer { id, name, .. } => {
                match calls.iter().position(|(i, n)| fits(*i, n, (id, name))) {
                    Some(k) => {
                        calls.remove(k);
                    }
                    None => {
                        let which = id.or(name).unwrap_or("?");
                        found.add(Rule::V4, &piece.at, format!("result {which} answers no call of the message before"));
                    }
                }
                if spoken {
                    found.add(Rule::V5, &piece.at, "a result behind text; results stand first in their message");
                }
            }
            PieceKind::CacheBreakpoint => {}
            _ => spoken = true,
        }
    }
}
