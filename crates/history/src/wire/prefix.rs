//! Rules between two requests: the system prompt byte for byte (V11), reasoning only after an unchanged prefix (V8).

use crate::wire::format::Format;
use crate::wire::json_checks::{items, text};
use crate::wire::violation::{Rule, Violation};
use serde_json::Value;

/// The placeholder that Gemini accepts instead of a signature: it is bound to nothing.
const STAND_IN: &str = "skip_thought_signature_validator";

/// V11: whether these system texts are in the body, each byte for byte and in order.
pub fn has_system(format: Format, body: &Value, expected: &[&str]) -> Vec<Violation> {
    let mut found = Vec::new();
    let texts = system(format, body);
    // The place after which the next one must come: a text and an offset in it.
    let (mut at, mut offset) = (0, 0);
    for want in expected {
        let hit = texts.iter().enumerate().skip(at).find_map(|(i, t)| {
            let from = if i == at { offset } else { 0 };
            t.get(from..)
                .and_then(|rest| rest.find(want))
                .map(|p| (i, from.saturating_add(p).saturating_add(want.len())))
        });
        match hit {
            Some(next) => (at, offset) = next,
            None => {
                let start: String = want.chars().take(40).collect();
                found.push(Violation {
                    rule: Rule::V11,
                    at: "system".into(),
                    text: format!("the system text that begins {start:?} is missing, changed or out of order"),
                });
            }
        }
    }
    found
}

/// V8 and V11 between two requests of one conversation: the system prompt is the same, and reasoning that was sent
/// before is sent again verbatim, after the same messages as then, or not at all (D11).
pub fn carries_on(format: Format, before: &Value, now: &Value) -> Vec<Violation> {
    let mut found = Vec::new();
    if system(format, before) != system(format, now) {
        let text = "the system prompt differs from the request before; nothing after it can be reused".to_owned();
        found.push(Violation { rule: Rule::V11, at: "system".into(), text });
    }
    let old: Vec<(Vec<usize>, &Value)> = reasoning(format, before);
    for (path, block) in reasoning(format, now) {
        let at = format!("{}{path:?}", list_name(format));
        // One signature can cover several blocks: it is enough that one of them is this one, in this place.
        let same: Vec<&(Vec<usize>, &Value)> = old.iter().filter(|(_, o)| signature(o) == signature(block)).collect();
        if same.is_empty() || signature(block) == Some(STAND_IN) {
            continue;
        }
        if !same.iter().any(|(_, o)| *o == block) {
            let text = "reasoning that was edited; send it verbatim or leave it out".to_owned();
            found.push(Violation { rule: Rule::V8, at, text });
        } else if !same.iter().any(|(then, _)| *then == path)
            || !prefix_equal(format, before, now, path.first().copied().unwrap_or(0))
        {
            let text = "reasoning behind a prefix that has changed; leave it out".to_owned();
            found.push(Violation { rule: Rule::V8, at, text });
        }
    }
    found
}

fn list_name(format: Format) -> &'static str {
    match format {
        Format::OpenAi | Format::Anthropic | Format::Bedrock => "messages",
        Format::Responses => "input",
        Format::Gemini => "contents",
    }
}

/// The messages before this one, without cache breakpoints.
fn prefix_equal(format: Format, before: &Value, now: &Value, at: usize) -> bool {
    let name = list_name(format);
    let (a, b) = (items(before, name), items(now, name));
    a.get(..at).zip(b.get(..at)).is_some_and(|(a, b)| a.iter().zip(b).all(|(a, b)| bare(a) == bare(b)))
}

/// A message without breakpoints, and a single text in its plain form: both compare equal.
fn bare(m: &Value) -> Value {
    let mut m = m.clone();
    if let Some(content) = m.get_mut("content") {
        if let Some(parts) = content.as_array_mut() {
            parts.retain(|p| p.get("cachePoint").is_none());
            for p in parts.iter_mut().filter_map(Value::as_object_mut) {
                p.shift_remove("cache_control");
                p.shift_remove("prompt_cache_breakpoint");
            }
        }
        let only = content.as_array().filter(|p| p.len() == 1).and_then(|p| p.first());
        if let Some(only) = only.and_then(|p| text(p, "text")).map(str::to_owned) {
            *content = Value::String(only);
        }
    }
    m
}

/// Blocks of reasoning, each with its place.
fn reasoning(format: Format, body: &Value) -> Vec<(Vec<usize>, &Value)> {
    let mut out = Vec::new();
    for (i, m) in items(body, list_name(format)).iter().enumerate() {
        if text(m, "type") == Some("reasoning") {
            out.push((vec![i], m));
        }
        let parts = if format == Format::Gemini { items(m, "parts") } else { items(m, "content") };
        for (j, p) in parts.iter().enumerate() {
            if signature(p).is_some() && text(p, "type") != Some("text") {
                out.push((vec![i, j], p));
            }
        }
    }
    out
}

/// The identity of a block of reasoning.
fn signature(p: &Value) -> Option<&str> {
    let content = p.get("reasoningContent");
    text(p, "signature")
        .or_else(|| text(p, "data"))
        .or_else(|| text(p, "encrypted_content"))
        .or_else(|| text(p, "thoughtSignature"))
        .or_else(|| text(content?.get("reasoningText")?, "signature"))
        .or_else(|| text(content?, "redactedContent"))
}

/// The system texts of a body.
fn system(format: Format, body: &Value) -> Vec<&str> {
    match format {
        Format::OpenAi => {
            items(body, "messages").iter().filter(is_system).flat_map(|m| texts_of(m.get("content"))).collect()
        }
        Format::Responses => {
            let head = text(body, "instructions").into_iter();
            let list = items(body, "input").iter().filter(is_system).flat_map(|m| texts_of(m.get("content")));
            head.chain(list).collect()
        }
        Format::Anthropic | Format::Bedrock => texts_of(body.get("system")),
        Format::Gemini => {
            let v = body.get("systemInstruction").or_else(|| body.get("system_instruction"));
            texts_of(v.and_then(|s| s.get("parts")))
        }
    }
}

fn is_system(m: &&Value) -> bool {
    matches!(text(m, "role"), Some("system" | "developer"))
}

/// A string, or the texts of its parts.
fn texts_of(v: Option<&Value>) -> Vec<&str> {
    match v {
        Some(Value::String(s)) => vec![s],
        Some(Value::Array(parts)) => parts.iter().filter_map(|p| text(p, "text")).collect(),
        _ => Vec::new(),
    }
}
