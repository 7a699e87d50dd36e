//! Helpers to read JSON bodies, and rules that several providers share.

use crate::wire::violation::{Rule, Violations};
use serde_json::Value;
use std::collections::HashSet;

/// The list of this name; an absent one is empty.
pub(super) fn items<'a>(v: &'a Value, name: &str) -> &'a [Value] {
    v.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The string of this name.
pub(super) fn text<'a>(v: &'a Value, name: &str) -> Option<&'a str> {
    v.get(name).and_then(Value::as_str)
}

pub(super) fn blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

/// `[a-zA-Z0-9_-]+` of at most this length.
pub(super) fn is_word(id: &str, max: usize) -> bool {
    (1..=max).contains(&id.chars().count()) && id.chars().all(word)
}

/// Opaque, of at most this length: not empty, and no blanks.
pub(super) fn is_opaque(id: &str, max: usize) -> bool {
    (1..=max).contains(&id.chars().count()) && !id.chars().any(|c| c.is_whitespace() || c.is_control())
}

/// A name as Gemini has them.
pub(super) fn is_dotted(name: &str) -> bool {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    starts && name.len() <= 64 && name.chars().all(|c| word(c) || c == '.' || c == ':')
}

/// V10: no name is declared twice. Gives the names.
pub(super) fn declared<'a>(names: impl Iterator<Item = &'a str>, at: &str, found: &mut Violations) -> HashSet<&'a str> {
    let mut seen = HashSet::new();
    for name in names {
        if !seen.insert(name) {
            found.add(Rule::V10, at, format!("tool {name} is declared twice; declare each once"));
        }
    }
    seen
}

/// V12 for arguments written as a string.
pub(super) fn argument_string(call: &Value, at: &str, found: &mut Violations) {
    match text(call, "arguments").map(serde_json::from_str::<Value>) {
        Some(Ok(Value::Object(_))) => {}
        Some(Ok(_)) => found.add(Rule::V12, at, "arguments are JSON, but no object"),
        Some(Err(e)) => found.add(Rule::V12, at, format!("arguments do not parse: {e}")),
        None => found.add(Rule::V12, at, "arguments must be a string of JSON"),
    }
}

/// V9: the number of breakpoints, and that no long one comes after a short one. Takes whether each is a long one, in
/// the order tools, system, messages.
pub(super) fn marks(long: &[bool], most: usize, found: &mut Violations) {
    if long.len() > most {
        found.add(Rule::V9, "body", format!("{} cache marks; at most {most} are allowed", long.len()));
    }
    if long.windows(2).any(|w| matches!(w, [false, true])) {
        found.add(Rule::V9, "body", "a mark of an hour stands behind one of five minutes; put longer ones first");
    }
}
