//! Ids and names: unique and in the provider's alphabet (F-03, V7), and declarations of tools that the history calls
//! (V10).

use super::draft::Draft;
use super::event::{EventKind, Log};
use crate::conversation::message::Block;
use crate::conversation::short_hash::hash;
use crate::wire::format::Format;
use crate::wire::tool::Tool;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Makes call ids unique. The first call with an id keeps it, so messages appended later rename nothing before them.
pub(super) fn unique(drafts: &mut [Draft], format: Format, log: &mut Log) {
    let mut used: HashSet<String> = HashSet::new();
    let mut fresh: HashMap<usize, String> = HashMap::new();
    for piece in drafts.iter_mut().flat_map(|d| &mut d.pieces) {
        match (&mut piece.block, piece.call) {
            (Block::ToolUse { id, name, .. }, Some(call)) => {
                if let Cow::Owned(new) = legal_name(name, format) {
                    log.add(EventKind::Renamed, piece.from, format!("tool {name:?} is called {new} for {format}"));
                    *name = new;
                }
                if !legal_id(id, format) || used.contains(id) {
                    let reason =
                        if used.contains(id) { "was used before" } else { "is not in the letters or length of" };
                    let new = fresh_id(id, &used);
                    log.add(EventKind::Renamed, piece.from, format!("call id {id:?} {reason} {format}: now {new}"));
                    fresh.insert(call, new.clone());
                    *id = new;
                }
                used.insert(id.clone());
            }
            (Block::ToolResult { id, .. }, Some(call)) => {
                if let Some(new) = fresh.get(&call) {
                    id.clone_from(new);
                }
            }
            _ => {}
        }
    }
}

/// Part B, row "ids".
fn legal_id(id: &str, format: Format) -> bool {
    let plain = |max: usize| !id.is_empty() && id.len() <= max && id.bytes().all(word);
    let opaque = |max: usize| !id.is_empty() && id.len() <= max && id.bytes().all(|b| b.is_ascii_graphic());
    match format {
        Format::OpenAi => opaque(40),
        Format::Responses | Format::Gemini => opaque(64),
        Format::Anthropic => plain(usize::MAX),
        Format::Bedrock => plain(64),
    }
}

fn word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || b == b'-'
}

/// The readable part of the old id, and a hash of it and of the number of attempts: at most 31 characters.
fn fresh_id(id: &str, used: &HashSet<String>) -> String {
    let mut n: u64 = 0;
    loop {
        let new = format!("{}_{}", spelled(id, 20, "call"), hash(&[id.as_bytes(), &n.to_be_bytes()], 10));
        if !used.contains(&new) {
            return new;
        }
        n = n.saturating_add(1);
    }
}

fn spelled(name: &str, max: usize, else_: &str) -> String {
    let letter = |c: char| if c.is_ascii() && word(c as u8) { c } else { '_' };
    let out: String = name.chars().take(max).map(letter).collect();
    if out.is_empty() { else_.to_owned() } else { out }
}

/// The name, or a similar one in the provider's alphabet.
fn legal_name(name: &str, format: Format) -> Cow<'_, str> {
    let starts = |n: &str| n.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let max = if format == Format::Anthropic { 128 } else { 64 };
    let legal = !name.is_empty() && name.len() <= max;
    let legal = match format {
        Format::Gemini => legal && starts(name) && name.bytes().all(|b| word(b) || b == b'.' || b == b':'),
        _ => legal && name.bytes().all(word),
    };
    if legal {
        return Cow::Borrowed(name);
    }
    let new = format!("{}_{}", spelled(name, 40, "tool"), hash(&[name.as_bytes()], 8));
    Cow::Owned(if starts(&new) { new } else { format!("_{new}") })
}

/// The tools, sorted by name, each once; with those that the history calls where the provider wants that.
pub(super) fn tools(drafts: &[Draft], declared: &[Tool], format: Format, log: &mut Log) -> Vec<Tool> {
    let mut out: BTreeMap<String, Tool> = BTreeMap::new();
    for tool in declared {
        let name = legal_name(&tool.name, format).into_owned();
        if name != tool.name {
            log.add(EventKind::Renamed, None, format!("tool {:?} is declared as {name} for {format}", tool.name));
        }
        if out.contains_key(&name) {
            log.add(EventKind::Tool, None, format!("tool {name} is declared twice; the first stands"));
            continue;
        }
        out.insert(name.clone(), Tool { name, ..tool.clone() });
    }
    if matches!(format, Format::Anthropic | Format::Bedrock) {
        for piece in drafts.iter().flat_map(|d| &d.pieces) {
            if let Block::ToolUse { name, .. } = &piece.block
                && !out.contains_key(name)
            {
                let text = format!("tool {name} is called but not declared; a plain declaration was added");
                log.add(EventKind::Tool, piece.from, text);
                out.insert(name.clone(), Tool::new(name, "Called earlier in this conversation."));
            }
        }
    }
    out.into_values().collect()
}
