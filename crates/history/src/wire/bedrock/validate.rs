//! The rules of Bedrock Converse.

use crate::wire::alternation::{self, Piece, PieceKind, Rules, WireTurn};
use crate::wire::json_checks::{blank, declared, is_word, items, marks, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;

pub(crate) fn check(body: &Value, found: &mut Violations) {
    let mut long = Vec::new();
    let tools = body.get("toolConfig").map(|c| items(c, "tools")).unwrap_or_default();
    let names = tools.iter().filter_map(|t| text(t.get("toolSpec")?, "name"));
    let known = declared(names, "toolConfig.tools", found);
    long.extend(tools.iter().filter_map(mark));
    for (i, b) in items(body, "system").iter().enumerate() {
        match mark(b) {
            Some(l) => {
                long.push(l);
                if i == 0 {
                    found.add(Rule::V9, "system[0]", "a cache mark on nothing; it stands behind what is cached");
                }
            }
            None if text(b, "text").is_none_or(blank) => {
                found.add(Rule::V6, format!("system[{i}]"), "a blank system text; leave it out");
            }
            None => {}
        }
    }
    if body.get("system").is_some_and(|s| !s.is_array()) {
        found.add(Rule::V1, "system", "must be a list of blocks");
    }
    let mut turns: Vec<WireTurn<'_>> = Vec::new();
    for (i, m) in items(body, "messages").iter().enumerate() {
        let at = format!("messages[{i}]");
        let Some(model) = alternation::speaker(m, &at, found) else { continue };
        if !m.get("content").is_some_and(Value::is_array) {
            found.add(Rule::V1, &at, "content must be a list of blocks");
        }
        let pieces: Vec<Piece<'_>> = items(m, "content")
            .iter()
            .enumerate()
            .filter_map(|(j, b)| {
                let at = format!("{at}.content[{j}]");
                let kind = kind(b, &at, found)?;
                Some(Piece { at, kind })
            })
            .collect();
        long.extend(items(m, "content").iter().filter_map(mark));
        placed(&pieces, found);
        turns.push(WireTurn { at, model, pieces });
    }
    let rules = Rules {
        calls_last: true,
        thoughts_first: true,
        id: |id| is_word(id, 64),
        name: |name| is_word(name, 64),
        ids: true,
    };
    alternation::check(&turns, &rules, found);
    if alternation::has_tool_blocks(&turns) && known.is_empty() {
        found.add(Rule::V10, "toolConfig", "required whenever history holds tool blocks; send the tools again");
    }
    marks(&long, 4, found);
}

fn mark(block: &Value) -> Option<bool> {
    block.get("cachePoint").map(|c| text(c, "ttl") == Some("1h"))
}

/// V9: a breakpoint comes after a block that can be cached.
fn placed(pieces: &[Piece<'_>], found: &mut Violations) {
    let mut before: Option<&PieceKind<'_>> = None;
    for piece in pieces {
        if matches!(piece.kind, PieceKind::CacheBreakpoint) {
            match before {
                None | Some(PieceKind::Thought { .. } | PieceKind::CacheBreakpoint) => {
                    found.add(
                        Rule::V9,
                        &piece.at,
                        "a cache mark behind a thought or nothing; put it behind a text or result",
                    );
                }
                Some(PieceKind::Text(t)) if blank(t) => {
                    found.add(Rule::V9, &piece.at, "a cache mark behind a blank text")
                }
                Some(_) => {}
            }
        }
        before = Some(&piece.kind);
    }
}

fn kind<'a>(b: &'a Value, at: &str, found: &mut Violations) -> Option<PieceKind<'a>> {
    let Some((key, v)) = b.as_object().filter(|o| o.len() == 1).and_then(|o| o.iter().next()) else {
        found.add(Rule::V1, at, "a block has one key that names it");
        return None;
    };
    Some(match key.as_str() {
        "text" => PieceKind::Text(v.as_str().unwrap_or_default()),
        "reasoningContent" => {
            let plain = v.get("reasoningText").and_then(|t| text(t, "signature"));
            let signature = plain.or_else(|| text(v, "redactedContent"));
            PieceKind::Thought { signed: signature.is_some_and(|s| !s.is_empty()) }
        }
        "toolUse" => PieceKind::Call {
            id: text(v, "toolUseId"),
            name: text(v, "name").unwrap_or_default(),
            input: v.get("input"),
            signed: false,
        },
        "toolResult" => PieceKind::Answer { id: text(v, "toolUseId"), name: None, fault: fault(v) },
        "cachePoint" => PieceKind::CacheBreakpoint,
        _ => PieceKind::Carrier,
    })
}

/// An empty list is refused by some models; an error needs a text.
fn fault(v: &Value) -> Option<&'static str> {
    let parts = items(v, "content");
    let says = parts.iter().any(|p| text(p, "text").is_none_or(|t| !blank(t)));
    match text(v, "status") {
        _ if parts.is_empty() => Some("a result without content; say that there is none"),
        Some("error") if !says => Some("an error without content; say what went wrong"),
        _ => None,
    }
}
