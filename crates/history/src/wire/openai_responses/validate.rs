//! The rules of OpenAI Responses.

use crate::wire::json_checks::{argument_string, blank, declared, is_opaque, is_word, items, marks, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;
use std::collections::HashSet;

pub(crate) fn check(body: &Value, found: &mut Violations) {
    declared(items(body, "tools").iter().filter_map(|t| text(t, "name")), "tools", found);
    if text(body, "instructions").is_some_and(blank) {
        found.add(Rule::V6, "instructions", "blank instructions; leave them out");
    }
    let input = match body.get("input") {
        Some(Value::String(s)) => {
            if blank(s) {
                found.add(Rule::V6, "input", "a blank text; say something");
            }
            return;
        }
        _ => items(body, "input"),
    };
    if input.is_empty() && !found.open {
        found.add(Rule::V2, "input", "there is no item");
    }
    let mut ids: HashSet<&str> = HashSet::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut long = Vec::new();
    for (i, item) in input.iter().enumerate() {
        let at = format!("input[{i}]");
        match text(item, "type").unwrap_or("message") {
            "message" => message(item, &at, &mut long, found),
            "function_call" => {
                let id = text(item, "call_id").unwrap_or_default();
                if !is_opaque(id, 64) {
                    found.add(Rule::V7, &at, format!("call_id {id:?} must have 1 to 64 characters without blanks"));
                }
                if !ids.insert(id) {
                    found.add(Rule::V7, &at, format!("call_id {id:?} is used twice"));
                }
                let name = text(item, "name").unwrap_or_default();
                if !is_word(name, 64) {
                    found.add(Rule::V7, &at, format!("tool name {name:?} is not in legal letters or length"));
                }
                argument_string(item, &at, found);
                open.push((id, i));
            }
            "function_call_output" => {
                let id = text(item, "call_id").unwrap_or_default();
                match open.iter().position(|(o, _)| *o == id) {
                    Some(k) => {
                        let (_, call) = open.remove(k);
                        let between = input.get(call..i).unwrap_or_default();
                        if between.iter().any(|x| text(x, "type") == Some("compaction")) {
                            found.add(Rule::V5, &at, "a compaction stands between this output and its call");
                        }
                    }
                    None if input
                        .iter()
                        .skip(i)
                        .any(|x| text(x, "type") == Some("function_call") && text(x, "call_id") == Some(id)) =>
                    {
                        found.add(Rule::V5, &at, format!("output {id:?} stands before its call"));
                    }
                    None => found.add(Rule::V4, &at, format!("no tool call found for output {id:?}")),
                }
                content(item.get("output"), &at, false, &mut long, found);
            }
            "reasoning" => {
                if text(item, "encrypted_content").is_none_or(str::is_empty) && text(item, "id").is_none() {
                    found.add(Rule::V8, &at, "reasoning without encrypted_content or the id of a stored one");
                }
                if !leads(input.get(i.saturating_add(1)..).unwrap_or_default()) {
                    found.add(Rule::V8, &at, "reasoning without the item that followed it; leave it out whole");
                }
            }
            "compaction" if text(item, "encrypted_content").is_none_or(str::is_empty) => {
                found.add(Rule::V8, &at, "a compaction without its content");
            }
            // The provider's own tools are not checked.
            _ => {}
        }
    }
    for (id, call) in open {
        // It may stay open at the end when only calls, their reasoning and results come after it.
        let goes_on =
            |x: &Value| matches!(text(x, "type"), Some("function_call" | "function_call_output" | "reasoning"));
        let waits = found.open && input.iter().skip(call).all(goes_on);
        if !waits {
            found.add(Rule::V3, format!("input[{call}]"), format!("no tool output found for call {id:?}"));
        }
    }
    marks(&long, 3, found);
}

/// Whether reasoning is followed by its result: a call or the model's message.
fn leads(rest: &[Value]) -> bool {
    let next = rest.iter().find(|x| text(x, "type") != Some("reasoning"));
    next.is_some_and(|x| match text(x, "type").unwrap_or("message") {
        "message" => text(x, "role") == Some("assistant"),
        "compaction" | "function_call_output" => false,
        _ => true,
    })
}

fn message(item: &Value, at: &str, long: &mut Vec<bool>, found: &mut Violations) {
    let role = text(item, "role").unwrap_or("?");
    if !matches!(role, "system" | "developer" | "user" | "assistant") {
        found.add(Rule::V1, at, format!("role {role}; roles are system, developer, user, assistant"));
    }
    content(item.get("content"), at, role == "assistant", long, found);
}

fn content(v: Option<&Value>, at: &str, assistant: bool, long: &mut Vec<bool>, found: &mut Violations) {
    match v {
        Some(Value::String(s)) if blank(s) => found.add(Rule::V6, at, "a blank text; say something"),
        Some(Value::String(_)) => {}
        Some(Value::Array(parts)) => {
            if parts.is_empty() {
                found.add(Rule::V6, at, "no part; say something");
            }
            for (j, p) in parts.iter().enumerate() {
                let at = format!("{at}[{j}]");
                let empty = text(p, "text").is_some_and(blank);
                if empty {
                    found.add(Rule::V6, &at, "a blank text; leave it out");
                }
                if text(p, "type").is_none() {
                    found.add(Rule::V1, &at, "a part without a type");
                }
                if p.get("prompt_cache_breakpoint").is_some() {
                    long.push(false);
                    if empty || assistant {
                        found.add(Rule::V9, &at, "a breakpoint on a blank text or on assistant output");
                    }
                }
            }
        }
        _ => found.add(Rule::V1, at, "must be a string or a list of parts"),
    }
}
