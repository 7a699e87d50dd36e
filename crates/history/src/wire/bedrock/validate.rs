//! The rules of Bedrock Converse.

use crate::wire::alternation::{self, Kind, Piece, Rules, Turn};
use crate::wire::json_checks::{blank, declared, is_word, items, marks, text};
use crate::wire::violation::{Found, Rule};
use serde_json::Value;

pub(crate) fn check(body: &Value, found: &mut Found) {
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
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for (i, m) in items(body, "messages").iter().enumerate() {
        let at = format!("messages[{i}]");
        let model = match text(m, "role") {
            Some("assistant") => true,
            Some("user") => false,
            other => {
                let role = other.unwrap_or("?");
                found.add(Rule::V1, &at, format!("role {role}; roles are user and assistant, and system stands apart"));
                continue;
            }
        };
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
        turns.push(Turn { at, model, pieces });
    }
    let rules = Rules {
        calls_last: true,
        thoughts_first: true,
        id: |id| is_word(id, 64),
        name: |name| is_word(name, 64),
        ids: true,
    };
    alternation::check(&turns, &rules, found);
    let tool_blocks =
        turns.iter().flat_map(|t| &t.pieces).any(|p| matches!(p.kind, Kind::Call { .. } | Kind::Answer { .. }));
    if tool_blocks && known.is_empty() {
        found.add(Rule::V10, "toolConfig", "required whenever history holds tool blocks; send the tools again");
    }
    marks(&long, 4, found);
}

fn mark(block: &Value) -> Option<bool> {
    block.get("cachePoint").map(|c| text(c, "ttl") == Some("1h"))
}

/// V9: a breakpoint comes after a block that can be cached.
fn placed(pieces: &[Piece<'_>], found: &mut Found) {
    let mut before: Option<&Kind<'_>> = None;
    for piece in pieces {
        if matches!(piece.kind, Kind::CacheBreakpoint) {
            match before {
                None | Some(Kind::Thought { .. } | Kind::CacheBreakpoint) => {
                    found.add(
                        Rule::V9,
                        &piece.at,
                        "a cache mark behind a thought or nothing; put it behind a text or result",
                    );
                }
                Some(Kind::Text(t)) if blank(t) => found.add(Rule::V9, &piece.at, "a cache mark behind a blank text"),
                Some(_) => {}
            }
        }
        before = Some(&piece.kind);
    }
}

fn kind<'a>(b: &'a Value, at: &str, found: &mut Found) -> Option<Kind<'a>> {
    let Some((key, v)) = b.as_object().filter(|o| o.len() == 1).and_then(|o| o.iter().next()) else {
        found.add(Rule::V1, at, "a block has one key that names it");
        return None;
    };
    Some(match key.as_str() {
        "text" => Kind::Text(v.as_str().unwrap_or_default()),
        "reasoningContent" => {
            let plain = v.get("reasoningText").and_then(|t| text(t, "signature"));
            let signature = plain.or_else(|| text(v, "redactedContent"));
            Kind::Thought { signed: signature.is_some_and(|s| !s.is_empty()) }
        }
        "toolUse" => Kind::Call {
            id: text(v, "toolUseId"),
            name: text(v, "name").unwrap_or_default(),
            input: v.get("input"),
            signed: false,
        },
        "toolResult" => Kind::Answer { id: text(v, "toolUseId"), name: None, fault: fault(v) },
        "cachePoint" => Kind::CacheBreakpoint,
        _ => Kind::Carrier,
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
