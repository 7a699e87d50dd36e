//! Messages as the conventions write them, and how much of them is sent.

use ptc_history::conversation::message::Role;
use ptc_history::{Block, Message};
use ptc_text::cut::beginning;
use serde_json::{Value, json};

/// Characters of one text.
const MOST_TEXT: usize = 16 * 1024;
/// Bytes of all messages of a request together; of longer ones the last are sent.
const MOST_MESSAGES: usize = 256 * 1024;

/// A text, cut where it is long; then it says so.
pub(crate) fn text(text: &str) -> String {
    match beginning(text, MOST_TEXT) {
        (all, false) => all.to_owned(),
        (first, true) => format!("{first}… ({} bytes in all)", text.len()),
    }
}

/// JSON as it stands where it is short, else `null` with its length: it is never cut in its middle.
pub(crate) fn json_text(json: &str) -> String {
    if json.len() <= MOST_TEXT { json.to_owned() } else { json!({ "left_out_bytes": json.len() }).to_string() }
}

/// The messages of a request.
pub(crate) struct Sent {
    /// The system messages: `gen_ai.system_instructions`.
    pub(crate) system: String,
    /// The others: `gen_ai.input.messages`.
    pub(crate) messages: String,
    /// How many of these are left out at the beginning.
    pub(crate) left_out: usize,
}

/// The messages of a request.
pub(crate) fn sent(messages: &[Message]) -> Sent {
    let (system, others): (Vec<&Message>, Vec<&Message>) = messages.iter().partition(|m| m.role == Role::System);
    let system: Vec<Value> = system.iter().flat_map(|m| &m.content).map(part).collect();
    let mut room = MOST_MESSAGES;
    let mut last: Vec<Value> = Vec::new();
    for message in others.iter().rev() {
        let parts: Vec<Value> = message.content.iter().map(part).collect();
        let one = json!({ "role": message.role.as_str(), "parts": parts });
        let Some(left) = room.checked_sub(one.to_string().len()) else { break };
        room = left;
        last.push(one);
    }
    let left_out = others.len().saturating_sub(last.len());
    last.reverse();
    Sent { system: Value::from(system).to_string(), messages: Value::from(last).to_string(), left_out }
}

/// A reply: `gen_ai.output.messages`.
pub(crate) fn reply(words: &str, blocks: &[Block], finish_reason: &str) -> String {
    let thoughts = blocks.iter().filter(|b| matches!(b, Block::Reasoning { .. })).map(part);
    let said = (!words.is_empty()).then(|| json!({ "type": "text", "content": text(words) }));
    let parts: Vec<Value> = thoughts.chain(said).collect();
    json!([{ "role": "assistant", "parts": parts, "finish_reason": finish_reason }]).to_string()
}

fn part(block: &Block) -> Value {
    match block {
        Block::Text { text: words, .. } => json!({ "type": "text", "content": text(words) }),
        Block::Reasoning { text: words, .. } => json!({ "type": "reasoning", "content": text(words) }),
        Block::ToolUse { id, name, input } => {
            json!({ "type": "tool_call", "id": id, "name": name, "arguments": text(&input.to_string()) })
        }
        Block::ToolResult { id, content, .. } => {
            json!({ "type": "tool_call_response", "id": id, "response": text(content) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_messages_are_left_out_whole_from_the_beginning() {
        let long = "x".repeat(MOST_TEXT + 5);
        let messages: Vec<Message> = (0..40).map(|n| Message::user(format!("{n} {long}"))).collect();
        let all = sent(&messages);
        assert!(all.messages.len() <= MOST_MESSAGES && all.left_out > 0);
        let kept: Vec<Value> = serde_json::from_str(&all.messages).unwrap();
        assert_eq!(kept.len() + all.left_out, 40);
        let last = kept.last().unwrap()["parts"][0]["content"].as_str().unwrap().to_owned();
        assert!(last.starts_with("39 x") && last.ends_with("bytes in all)"), "{last}");
        assert_eq!(
            sent(&[Message::system("rules"), Message::user("hi")]).system,
            "[{\"type\":\"text\",\"content\":\"rules\"}]"
        );
    }
}
