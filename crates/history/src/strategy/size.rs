//! Whether a short form is shorter: in estimated tokens, which need no vocabulary and no host.

use crate::conversation::message::{Block, Message};
use crate::tokens::{Counter, Seven};

/// Bytes that are counted at a time: counting a text stops when it exceeds the limit.
const BYTES_PER_PIECE: usize = 1024;

/// The assumed tokens of a message besides its text: more for the made one than for the one it replaces, so that what
/// is called shorter is shorter in the formats of most providers.
const OVERHEAD_SHORT: u64 = 4;
const OVERHEAD_WHOLE: u64 = 3;

/// Tokens of a made message.
fn tokens(message: &Message) -> u64 {
    let blocks = message.content.iter().map(|block| match block {
        Block::Text { text, .. } | Block::Reasoning { text, .. } => Seven.count(text),
        Block::ToolUse { name, input, .. } => {
            Seven.count(name).saturating_add(Seven.count(&input.to_string())).saturating_add(OVERHEAD_SHORT)
        }
        Block::ToolResult { content, .. } => Seven.count(content).saturating_add(OVERHEAD_SHORT),
    });
    blocks.fold(OVERHEAD_SHORT, u64::saturating_add)
}

/// Whether `made` has clearly fewer tokens than the messages that it stands for. Counters differ by some per cent and
/// round each text, so a margin is required.
pub(crate) fn is_shorter<'a>(made: &Message, whole: impl Iterator<Item = &'a Message>) -> bool {
    let short = tokens(made);
    exceed(whole, short.saturating_add(short / 8).saturating_add(made.content.len() as u64))
}

/// Whether a text has clearly fewer tokens than the one that it stands for.
pub(crate) fn is_shorter_text(short: &str, whole: &str) -> bool {
    let short = Seven.count(short);
    let most = short.saturating_add(short / 8).saturating_add(1);
    counted(whole, most) > most
}

/// Whether a text that was taken from a message is no longer than it.
pub(crate) fn is_no_longer(text: &str, message: &Message) -> bool {
    let least = tokens(&Message::new(message.role, text));
    exceed(
        std::iter::once(message),
        least.saturating_sub(OVERHEAD_SHORT.saturating_sub(OVERHEAD_WHOLE)).saturating_sub(1),
    )
}

/// Whether these messages have more tokens than `most`.
fn exceed<'a>(messages: impl Iterator<Item = &'a Message>, most: u64) -> bool {
    let mut sum = 0_u64;
    for message in messages {
        sum = sum.saturating_add(OVERHEAD_WHOLE);
        for block in &message.content {
            if sum > most {
                return true;
            }
            let left = most.saturating_sub(sum);
            let more = match block {
                Block::Text { text, .. } | Block::Reasoning { text, .. } => counted(text, left),
                Block::ToolUse { name, input, .. } => {
                    counted(name, left).saturating_add(counted(&input.to_string(), left)).saturating_add(OVERHEAD_WHOLE)
                }
                Block::ToolResult { content, .. } => counted(content, left).saturating_add(OVERHEAD_WHOLE),
            };
            sum = sum.saturating_add(more);
        }
    }
    sum > most
}

/// Tokens of a text, or so many that they are more than `most`.
fn counted(text: &str, most: u64) -> u64 {
    let mut sum = 0_u64;
    let mut rest = text;
    while rest.len() > BYTES_PER_PIECE && sum <= most {
        let cut = (1..=BYTES_PER_PIECE).rev().find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(cut);
        // A word that is cut is counted twice, and each part is rounded.
        sum = sum.saturating_add(Seven.count(piece).saturating_sub(2));
        rest = behind;
    }
    if sum > most { sum } else { sum.saturating_add(Seven.count(rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Role;
    use serde_json::json;

    #[test]
    fn long_texts_are_counted_as_far_as_needed() {
        let text = "Wörter und Zahlen 12345, und so weiter. ".repeat(400);
        let all = Seven.count(&text);
        let pieces = counted(&text, u64::MAX);
        assert!(pieces <= all && pieces * 100 >= all * 98, "{pieces} of {all}");
        assert!(counted(&text, 50) > 50 && counted(&text, 50) < 2_000);
    }

    #[test]
    fn a_text_that_is_the_message_is_no_longer_than_it() {
        let said = "recap - the price is 5";
        assert!(is_no_longer(said, &Message::assistant(said)));
        assert!(is_no_longer(said, &Message::assistant(format!("It is 5.\n{said}"))));
        assert!(!is_no_longer(said, &Message::assistant("It is 5.")));
        assert!(is_shorter_text("[4 characters]", "four and twenty blackbirds, all of them baked in a pie"));
        assert!(!is_shorter_text("[result cleared: 90 characters; turn 3]", &" ".repeat(90)));
    }

    #[test]
    fn shorter_is_shorter_by_more_than_rounding() {
        let short = Message::assistant("[3] find(x)");
        let call = Message::of(Role::Assistant, vec![Block::tool_use("c", "find", json!({"what": "x"}))]);
        let result = Message::of(Role::Tool, vec![Block::tool_result("c", "There are three of them, all white.")]);
        assert!(is_shorter(&short, [&call, &result].into_iter()));
        assert!(!is_shorter(&short, [&Message::assistant("found x, it")].into_iter()));
        assert!(!is_shorter(&short, std::iter::empty()));
    }
}
