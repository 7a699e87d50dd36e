//! Calls: arguments that are objects, and a result for each call that is no longer open (F-21).

use super::draft::{Draft, DraftBlock};
use super::event::{EventKind, Log};
use super::target::{Ending, Target};
use crate::conversation::message::{Block, Role};
use crate::wire::format::Format;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The text in place of a result that was never recorded.
const INTERRUPTED: &str = "interrupted: no result was recorded for this call";

/// Arguments that are not an object, such as a truncated string, are wrapped in one; where signed reasoning covers the
/// call nothing may be edited, so the call is removed with everything that belongs to it (part B, row "JSON args";
/// V12).
pub(super) fn arguments(drafts: &mut Vec<Draft>, log: &mut Log) {
    let mut gone: HashSet<usize> = HashSet::new();
    drafts.retain_mut(|draft| {
        if draft.role == Role::Tool {
            return !draft.pieces.iter().any(|p| p.call.is_some_and(|c| gone.contains(&c)));
        }
        let broken = |p: &DraftBlock| matches!(&p.block, Block::ToolUse { input, .. } if !input.is_object());
        if !draft.pieces.iter().any(broken) {
            return true;
        }
        let sealed = draft.pieces.iter().any(|p| matches!(p.block, Block::Reasoning { .. }));
        for piece in &mut draft.pieces {
            if let Block::ToolUse { id, name, input } = &mut piece.block
                && !input.is_object()
            {
                let what =
                    if sealed { "left out with its message, whose thought is sealed" } else { "kept under \"_raw\"" };
                let text = format!("the arguments of call {id:?} of {name} are no JSON object; {what}");
                log.add(EventKind::Arguments, piece.from, text);
                *input = json!({ "_raw": std::mem::replace(input, Value::Null) });
            }
        }
        if sealed {
            gone.extend(draft.pieces.iter().filter_map(|p| p.call));
        }
        !sealed
    });
}

/// Adds a result to each call that has none. In an open conversation the calls at its end stay open: only results come
/// after them.
pub(super) fn interrupted(drafts: &mut Vec<Draft>, target: &Target, log: &mut Log) {
    let mut out: Vec<Draft> = Vec::with_capacity(drafts.len());
    let mut rest = drafts.drain(..).peekable();
    while let Some(draft) = rest.next() {
        let from = draft.from;
        let calls: Vec<(usize, String, String)> = draft.pieces.iter().filter_map(call).collect();
        out.push(draft);
        if calls.is_empty() {
            continue;
        }
        let results = rest.next_if(|d| d.role == Role::Tool);
        let mut results = results.unwrap_or_else(|| Draft { role: Role::Tool, pieces: Vec::new(), meta: None, from });
        let waits = target.ending == Ending::Open && rest.peek().is_none();
        if !waits {
            for (n, (call, id, name)) in calls.into_iter().enumerate() {
                if results.pieces.iter().any(|p| p.call == Some(call)) {
                    continue;
                }
                let text = format!("call {id:?} of {name} has no result; one was added that says so");
                log.add(EventKind::Interrupted, from, text);
                let block = Block::tool_error(id, INTERRUPTED);
                // Results are in the order of their calls, and all calls before this one have one by now.
                results.pieces.insert(n.min(results.pieces.len()), DraftBlock { block, from, call: Some(call) });
            }
        }
        if !results.pieces.is_empty() {
            out.push(results);
        }
    }
    drop(rest);
    *drafts = out;
}

fn call(piece: &DraftBlock) -> Option<(usize, String, String)> {
    match (&piece.block, piece.call) {
        (Block::ToolUse { id, name, .. }, Some(call)) => Some((call, id.clone(), name.clone())),
        _ => None,
    }
}

/// Results as the format wants them: never blank (F-04; V6), and marked as errors where and how it can.
pub(super) fn results(drafts: &mut [Draft], format: Format, log: &mut Log) {
    for piece in drafts.iter_mut().flat_map(|d| &mut d.pieces) {
        let Block::ToolResult { content, is_error, .. } = &mut piece.block else { continue };
        if content.trim().is_empty() {
            let text = if *is_error == Some(true) { "error without a message" } else { format.placeholder() };
            log.add(EventKind::Placeholder, piece.from, format!("a result without content; it says {text:?}"));
            text.clone_into(content);
        }
        match format {
            Format::OpenAi | Format::Responses => *is_error = None,
            Format::Gemini => *is_error = Some(*is_error == Some(true)),
            Format::Anthropic | Format::Bedrock => {}
        }
    }
}
