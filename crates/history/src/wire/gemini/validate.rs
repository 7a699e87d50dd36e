//! The rules of Gemini generateContent.

use crate::wire::alternation::{self, Piece, PieceKind, Rules, WireTurn};
use crate::wire::json_checks::{blank, declared, is_dotted, is_opaque, items, marks, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;

pub(crate) fn check(body: &Value, found: &mut Violations) {
    let functions = || items(body, "tools").iter().flat_map(|t| items(t, "functionDeclarations"));
    declared(functions().filter_map(|f| text(f, "name")), "tools", found);
    let system = body.get("systemInstruction").or_else(|| body.get("system_instruction"));
    for (i, p) in system.map(|s| items(s, "parts")).unwrap_or_default().iter().enumerate() {
        if text(p, "text").is_none_or(blank) {
            found.add(Rule::V6, format!("systemInstruction.parts[{i}]"), "a blank system text; leave it out");
        }
    }
    let mut turns: Vec<WireTurn<'_>> = Vec::new();
    for (i, c) in items(body, "contents").iter().enumerate() {
        let at = format!("contents[{i}]");
        let model = match text(c, "role") {
            Some("model") => true,
            Some("user" | "function") | None => false,
            Some(role) => {
                found.add(Rule::V1, &at, format!("role {role}; roles are user and model, and system stands apart"));
                continue;
            }
        };
        let pieces = items(c, "parts")
            .iter()
            .enumerate()
            .filter_map(|(j, p)| {
                let at = format!("{at}.parts[{j}]");
                // Caching is by prefix or by named contents: there are no breakpoints.
                if p.get("cache_control").is_some() || p.get("cachePoint").is_some() {
                    found.add(Rule::V9, &at, "a cache mark; this provider has none");
                }
                let kind = kind(p, &at, found)?;
                Some(Piece { at, kind })
            })
            .collect();
        turns.push(WireTurn { at, model, pieces });
    }
    let rules = Rules {
        calls_last: false,
        thoughts_first: false,
        id: |id| is_opaque(id, usize::MAX),
        name: is_dotted,
        ids: false,
    };
    alternation::check(&turns, &rules, found);
    marks(&[], 0, found);
    signatures(&turns, found);
}

fn kind<'a>(p: &'a Value, at: &str, found: &mut Violations) -> Option<PieceKind<'a>> {
    let signed = ["thoughtSignature", "thought_signature"].iter().any(|k| text(p, k).is_some_and(|s| !s.is_empty()));
    let thought = p.get("thought").and_then(Value::as_bool) == Some(true);
    if let Some(call) = p.get("functionCall") {
        let name = text(call, "name").unwrap_or_default();
        return Some(PieceKind::Call { id: text(call, "id"), name, input: call.get("args"), signed });
    }
    if let Some(result) = p.get("functionResponse") {
        let fault = if result.get("response").is_some_and(Value::is_object) {
            None
        } else {
            Some("a response must be an object")
        };
        return Some(PieceKind::Answer {
            id: text(result, "id"),
            name: Some(text(result, "name").unwrap_or_default()),
            fault,
        });
    }
    match text(p, "text") {
        // Text of reasoning needs no signature here: it is a summary.
        Some(_) if thought => Some(PieceKind::Thought { signed: true }),
        Some(_) if signed => Some(PieceKind::Carrier),
        Some(t) => Some(PieceKind::Text(t)),
        None if p.as_object().is_none_or(serde_json::Map::is_empty) => {
            found.add(Rule::V1, at, "a part that holds nothing");
            None
        }
        None => Some(PieceKind::Carrier),
    }
}

/// V8: in the current turn, every step's first call has its signature, or none has one.
fn signatures(turns: &[WireTurn<'_>], found: &mut Violations) {
    let spoken = |t: &WireTurn<'_>| !t.model && t.pieces.iter().any(|p| !matches!(p.kind, PieceKind::Answer { .. }));
    let start = turns.iter().rposition(spoken).map_or(0, |i| i.saturating_add(1));
    let mut steps: Vec<(&str, bool)> = Vec::new();
    for turn in turns.iter().skip(start).filter(|t| t.model) {
        let first = turn.pieces.iter().find_map(|p| match p.kind {
            PieceKind::Call { signed, .. } => Some((p.at.as_str(), signed)),
            _ => None,
        });
        steps.extend(first);
    }
    if steps.iter().any(|s| s.1) {
        for (at, _) in steps.iter().filter(|s| !s.1) {
            found.add(Rule::V8, *at, "the first call of this step has no thoughtSignature, others of the turn have");
        }
    }
}
