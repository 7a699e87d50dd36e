//! The rules of Anthropic Messages.

use crate::wire::alternation::{self, Piece, PieceKind, Rules, WireTurn};
use crate::wire::json_checks::{blank, declared, is_word, items, marks, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;

pub(crate) fn check(body: &Value, found: &mut Violations) {
    let mut long = Vec::new();
    let names = items(body, "tools").iter().filter_map(|t| text(t, "name"));
    let known = declared(names, "tools", found);
    for tool in items(body, "tools") {
        long.extend(mark(tool));
    }
    system(body, &mut long, found);
    let mut turns: Vec<WireTurn<'_>> = Vec::new();
    for (i, m) in items(body, "messages").iter().enumerate() {
        let at = format!("messages[{i}]");
        let Some(model) = alternation::speaker(m, &at, found) else { continue };
        let pieces = pieces(m, &at, &mut long, found);
        turns.push(WireTurn { at, model, pieces });
    }
    let rules = Rules {
        calls_last: true,
        thoughts_first: true,
        id: |id| is_word(id, usize::MAX),
        name: |name| is_word(name, 128),
        ids: true,
    };
    alternation::check(&turns, &rules, found);
    if alternation::has_tool_blocks(&turns) && known.is_empty() {
        found.add(Rule::V10, "tools", "history holds tool blocks and no tool is declared; send the tools again");
    }
    marks(&long, 4, found);
}

/// Whether a breakpoint is a long one, if there is one.
fn mark(block: &Value) -> Option<bool> {
    block.get("cache_control").filter(|c| !c.is_null()).map(|c| text(c, "ttl") == Some("1h"))
}

fn system(body: &Value, long: &mut Vec<bool>, found: &mut Violations) {
    match body.get("system") {
        Some(Value::String(s)) if blank(s) => found.add(Rule::V6, "system", "a blank system prompt; leave it out"),
        Some(Value::Array(blocks)) => {
            for (i, b) in blocks.iter().enumerate() {
                let empty = text(b, "text").is_none_or(blank);
                if empty {
                    found.add(Rule::V6, format!("system[{i}]"), "a blank system text; leave it out");
                }
                if let Some(l) = mark(b) {
                    long.push(l);
                    if empty {
                        found.add(Rule::V9, format!("system[{i}]"), "a cache mark on a blank text");
                    }
                }
            }
        }
        _ => {}
    }
}

fn pieces<'a>(m: &'a Value, at: &str, long: &mut Vec<bool>, found: &mut Violations) -> Vec<Piece<'a>> {
    match m.get("content") {
        Some(Value::String(s)) => vec![Piece { at: format!("{at}.content"), kind: PieceKind::Text(s) }],
        Some(Value::Array(blocks)) => blocks
            .iter()
            .enumerate()
            .filter_map(|(j, b)| {
                let at = format!("{at}.content[{j}]");
                let kind = kind(b, &at, found)?;
                if let Some(l) = mark(b) {
                    long.push(l);
                    let bad = match &kind {
                        PieceKind::Text(t) => blank(t),
                        PieceKind::Thought { .. } => true,
                        _ => false,
                    };
                    if bad {
                        found.add(
                            Rule::V9,
                            &at,
                            "a cache mark on a thought or a blank text; put it on a block with content",
                        );
                    }
                }
                Some(Piece { at, kind })
            })
            .collect(),
        _ => {
            found.add(Rule::V1, at, "content must be a string or a list of blocks");
            Vec::new()
        }
    }
}

fn kind<'a>(b: &'a Value, at: &str, found: &mut Violations) -> Option<PieceKind<'a>> {
    Some(match text(b, "type") {
        Some("text") => PieceKind::Text(text(b, "text").unwrap_or_default()),
        Some("thinking") => PieceKind::Thought { signed: text(b, "signature").is_some_and(|s| !s.is_empty()) },
        Some("redacted_thinking") => PieceKind::Thought { signed: text(b, "data").is_some_and(|s| !s.is_empty()) },
        Some("compaction") => {
            if text(b, "content") == Some("") {
                found.add(Rule::V8, at, "a compaction of an empty string; null says that there is none");
            }
            PieceKind::Compaction
        }
        Some("tool_use") => PieceKind::Call {
            id: text(b, "id"),
            name: text(b, "name").unwrap_or_default(),
            input: b.get("input"),
            signed: false,
        },
        Some("tool_result") => PieceKind::Answer { id: text(b, "tool_use_id"), name: None, fault: fault(b) },
        // Images, documents and the provider's own tools are not checked.
        Some(_) => PieceKind::Carrier,
        None => {
            found.add(Rule::V1, at, "a block without a type");
            return None;
        }
    })
}

/// A result may be empty; a text block in it may not be blank, and an error needs a text.
fn fault(b: &Value) -> Option<&'static str> {
    let is_error = b.get("is_error").and_then(Value::as_bool) == Some(true);
    match b.get("content") {
        Some(Value::Array(parts)) if parts.iter().any(|p| text(p, "text").is_some_and(blank)) => {
            Some("a blank text in a result; leave it out")
        }
        None | Some(Value::Null) if is_error => Some("an error without content; say what went wrong"),
        Some(Value::String(s)) if is_error && blank(s) => Some("an error without content; say what went wrong"),
        _ => None,
    }
}
