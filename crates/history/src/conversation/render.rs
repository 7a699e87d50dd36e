//! Messages as people and scripts read them: `[ROLE]` text, and the JSON array.

use crate::conversation::message::{Block, Message};
use serde_json::{Value, json};

/// As text: a line `[ROLE]`, the content as it stands, a blank line (docs/cli.md).
pub fn text(messages: &[Message]) -> String {
    let mut out = String::new();
    for m in messages {
        out.push('[');
        out.push_str(&m.role.as_str().to_uppercase());
        out.push_str("]\n");
        if m.is_plain() {
            out.push_str(&m.text());
        } else {
            out.push_str(&blocks(m));
        }
        out.push_str("\n\n");
    }
    out
}

/// As one line of JSON: `[{"role":"...","content":"..."}]`; content that is more than text is an array of blocks.
pub fn json(messages: &[Message]) -> String {
    Value::Array(messages.iter().map(value).collect()).to_string()
}

/// One message as JSON.
pub fn value(m: &Message) -> Value {
    let content = if m.is_plain() { json!(m.text()) } else { json!(m.content) };
    json!({ "role": m.role, "content": content })
}

/// Blocks that are not all text, a line of JSON each.
fn blocks(m: &Message) -> String {
    let lines: Vec<String> = m.content.iter().map(block).collect();
    lines.join("\n")
}

/// A block as a line of JSON.
pub(crate) fn block(b: &Block) -> String {
    json!(b).to_string()
}
