//! Folding: a turn of any agent as a few lines, made by rule from its texts, calls and results.

use crate::conversation::message::{Block, Message, Role};
use crate::policy::Policy;
use ptc_text::cut::one_line;
use serde_json::Value;

/// How much of a turn is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Lengths {
    pub prose: usize,
    pub call: usize,
    pub result: usize,
    pub request: usize,
}

impl Lengths {
    /// As the policy says.
    pub fn folded(policy: &Policy) -> Self {
        Lengths {
            prose: policy.fold_prose,
            call: policy.fold_call,
            result: policy.fold_result,
            request: policy.fold_request,
        }
    }

    /// All of them together.
    pub fn sum(&self) -> usize {
        self.prose.saturating_add(self.call).saturating_add(self.result).saturating_add(self.request)
    }

    /// The lengths of a fold that has aged: a line for each call and each request.
    pub fn shrunk(policy: &Policy) -> Self {
        Lengths { prose: 0, call: policy.fold_call / 2, result: 0, request: policy.fold_request.saturating_mul(3) / 10 }
    }
}

/// The lines of turn `number` (counted from 1) with these messages, without system messages: prose, then a line for
/// each call with its result, then what the user said. No line contains a line break, so no text can look like a line
/// of another turn.
pub(crate) fn lines<'a>(turn: impl Iterator<Item = &'a Message>, number: usize, lengths: Lengths) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut prose = String::new();
    let mut answered = false;
    for message in turn.filter(|m| m.role != Role::System) {
        for block in &message.content {
            match block {
                Block::Text { text, .. } if message.role == Role::User => {
                    // Text after a result is nearly always the host's note on it, and ages with it.
                    if lengths.result == 0 && answered {
                        continue;
                    }
                    let said = one_line(text, lengths.request);
                    if !said.is_empty() {
                        out.push(format!("> {said}"));
                    }
                }
                Block::Text { text, .. } => {
                    if prose.is_empty() {
                        prose = one_line(text, lengths.prose);
                    }
                }
                Block::ToolUse { id, name, input } => {
                    open.push((id.clone(), out.len()));
                    out.push(format!("{}({})", one_line(name, 60), one_line(&arguments(input), lengths.call)));
                }
                Block::ToolResult { id, content, is_error, .. } => {
                    answered = true;
                    let Some(i) = open.iter().rposition(|(o, _)| o == id) else { continue };
                    let (_, line) = open.remove(i);
                    let Some(line) = out.get_mut(line) else { continue };
                    if *is_error == Some(true) {
                        line.push_str(&format!(" => error: {}", one_line(content, lengths.result.max(40))));
                    } else if lengths.result > 0 {
                        line.push_str(&format!(" => {}", one_line(content, lengths.result)));
                    }
                }
                Block::Reasoning { .. } => {}
            }
        }
    }
    // The number is the handle: it is on the first line.
    match out.first_mut() {
        _ if !prose.is_empty() => out.insert(0, format!("[{number}] {prose}")),
        Some(first) => first.insert_str(0, &format!("[{number}] ")),
        None => {}
    }
    out
}

/// Arguments in a readable form: the value alone where there is one.
pub(crate) fn arguments(input: &Value) -> String {
    let plain = |v: &Value| match v {
        Value::String(s) => s.clone(),
        other => other.to_string(),
    };
    match input {
        Value::Object(map) if map.len() == 1 => map.values().next().map(plain).unwrap_or_default(),
        Value::Object(map) => {
            let parts: Vec<String> = map.iter().map(|(k, v)| format!("{k}: {}", plain(v))).collect();
            parts.join(", ")
        }
        other => plain(other),
    }
}

/// A message of these lines, a block each; `None` without lines.
pub(crate) fn message(role: Role, lines: Vec<String>) -> Option<Message> {
    if lines.is_empty() {
        return None;
    }
    Some(Message::of(role, lines.into_iter().map(Block::text).collect()))
}
