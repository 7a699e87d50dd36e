//! The rules of OpenAI chat completions.

use crate::wire::json_checks::{argument_string, blank, declared, is_opaque, is_word, items, marks, text};
use crate::wire::violation::{Rule, Violations};
use serde_json::Value;
use std::collections::HashSet;

pub(crate) fn check(body: &Value, found: &mut Violations) {
    let names = items(body, "tools").iter().filter_map(|t| text(t.get("function")?, "name"));
    declared(names, "tools", found);
    let messages = items(body, "messages");
    if messages.is_empty() && !found.open {
        found.add(Rule::V2, "messages", "there is no message");
    }
    let mut ids: HashSet<&str> = HashSet::new();
    // Calls that wait, each with its place.
    let mut open: Vec<(&str, String)> = Vec::new();
    let mut long = Vec::new();
    for (i, m) in messages.iter().enumerate() {
        let at = format!("messages[{i}]");
        let role = text(m, "role").unwrap_or("?");
        if role == "tool" {
            result(m, &at, &mut open, found);
        } else {
            for (id, at) in open.drain(..) {
                let words = format!("call {id} has no result directly behind its message; each call needs one there");
                found.add(Rule::V3, at, words);
            }
        }
        match role {
            "system" | "developer" | "user" | "tool" => {
                if !items(m, "tool_calls").is_empty() {
                    found.add(Rule::V1, &at, format!("a {role} message makes calls; only the assistant does"));
                }
                content(m, &at, false, &mut long, found);
            }
            "assistant" => {
                calls(m, &at, &mut ids, &mut open, found);
                content(m, &at, !items(m, "tool_calls").is_empty(), &mut long, found);
            }
            other => {
                found.add(Rule::V1, &at, format!("role {other}; roles are system, developer, user, assistant, tool"));
            }
        }
    }
    if !found.open {
        for (id, at) in open {
            found.add(Rule::V3, at, format!("call {id} has no result"));
        }
    }
    marks(&long, 3, found);
}

fn calls<'a>(
    m: &'a Value,
    at: &str,
    ids: &mut HashSet<&'a str>,
    open: &mut Vec<(&'a str, String)>,
    found: &mut Violations,
) {
    for (j, call) in items(m, "tool_calls").iter().enumerate() {
        let at = format!("{at}.tool_calls[{j}]");
        let id = text(call, "id").unwrap_or_default();
        if !is_opaque(id, 40) {
            found.add(Rule::V7, &at, format!("call id {id:?} must have 1 to 40 characters without blanks"));
        }
        if !ids.insert(id) {
            found.add(Rule::V7, &at, format!("call id {id:?} is used twice"));
        }
        let function = call.get("function").unwrap_or(&Value::Null);
        let name = text(function, "name").unwrap_or_default();
        if !is_word(name, 64) {
            found.add(Rule::V7, &at, format!("tool name {name:?} is not in legal letters or length"));
        }
        argument_string(function, &at, found);
        open.push((id, at));
    }
}

fn result<'a>(m: &'a Value, at: &str, open: &mut Vec<(&'a str, String)>, found: &mut Violations) {
    let id = text(m, "tool_call_id").unwrap_or_default();
    match open.iter().position(|(o, _)| *o == id) {
        Some(k) => {
            open.remove(k);
        }
        None => {
            let words = format!("result {id:?} answers no call of the message before");
            found.add(Rule::V4, at, words);
            if open.is_empty() {
                found.add(Rule::V5, at, "a tool message follows the assistant message that calls, and nothing else");
            }
        }
    }
}

/// V6, V8, V9: the value of `content`.
fn content(m: &Value, at: &str, has_calls: bool, long: &mut Vec<bool>, found: &mut Violations) {
    match m.get("content") {
        None | Some(Value::Null) if has_calls => {}
        None | Some(Value::Null) => found.add(Rule::V6, at, "no content; only a message that calls may have none"),
        Some(Value::String(s)) if blank(s) => found.add(Rule::V6, at, "a blank text; say something"),
        Some(Value::Array(parts)) => {
            if parts.is_empty() {
                found.add(Rule::V6, at, "no part; say something");
            }
            for (j, p) in parts.iter().enumerate() {
                let at = format!("{at}.content[{j}]");
                let empty = match text(p, "type") {
                    Some("text") => text(p, "text").is_none_or(blank),
                    Some("thinking" | "redacted_thinking" | "reasoning") => {
                        found.add(Rule::V8, &at, "chat completions take no reasoning; leave it out whole");
                        false
                    }
                    Some(_) => false,
                    None => {
                        found.add(Rule::V1, &at, "a part without a type");
                        false
                    }
                };
                if empty {
                    found.add(Rule::V6, &at, "a blank text; leave it out");
                }
                if p.get("prompt_cache_breakpoint").is_some() {
                    long.push(false);
                    if empty || text(m, "role") == Some("assistant") {
                        found.add(Rule::V9, &at, "a breakpoint on a blank text or on assistant output");
                    }
                }
            }
        }
        Some(Value::String(_)) => {}
        Some(_) => found.add(Rule::V1, at, "content must be a string or a list of parts"),
    }
}
