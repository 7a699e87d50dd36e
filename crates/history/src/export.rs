//! From a conversation to a provider's request body in one call: repair, encode, check.

use crate::conversation::message::{Block, Message, Role};
use crate::repair::repair;
use crate::repair::target::Target;
use crate::wire::cache::CacheBreakpoints;
use crate::wire::format::{Format, FormatError};
use crate::wire::request::Request;
use crate::wire::validate::validate_open;
use serde_json::Value;

/// A conversation as the request body of a provider: repaired first, so any conversation can be given; validated last.
/// The texts of one message, and consecutive messages of one role where the provider wants alternating roles, are
/// joined into one text. It may end in open calls or with a message of the model, as a conversation that is inspected
/// or stored does; to send one, see [`Target::request`].
///
/// # Errors
/// [`FormatError::Refused`] when the result breaks a rule of the provider (property tests say that it does not).
pub fn export(messages: &[Message], format: Format) -> Result<Value, FormatError> {
    let with_texts: Vec<Message> = messages.iter().map(with_joined_texts).collect();
    let repaired = repair(&with_texts, &[], &Target::open(format));
    let request = Request { messages: joined(repaired.messages, format), tools: repaired.tools };
    let body = request.body(format, &CacheBreakpoints::default());
    let violations = validate_open(format, &body);
    if violations.is_empty() { Ok(body) } else { Err(FormatError::Refused(violations)) }
}

/// The message with consecutive texts joined into one, a line break between them, as [`Message::text`] joins them.
fn with_joined_texts(m: &Message) -> Message {
    Message { role: m.role, content: runs(m.content.iter().cloned(), "\n"), meta: m.meta.clone() }
}

/// Repaired messages, with texts that became neighbours joined by a blank line; system messages too, where the format
/// has a field for them.
fn joined(messages: Vec<Message>, format: Format) -> Vec<Message> {
    let mut out: Vec<Message> = Vec::with_capacity(messages.len());
    for mut m in messages {
        match out.last_mut() {
            Some(last) if format.takes_turns() && last.role == Role::System && m.role == Role::System => {
                last.content.append(&mut m.content);
            }
            _ => out.push(m),
        }
    }
    for m in &mut out {
        m.content = runs(std::mem::take(&mut m.content).into_iter(), "\n\n");
    }
    out
}

fn runs(blocks: impl Iterator<Item = Block>, between: &str) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    for block in blocks {
        match (out.last_mut(), block) {
            (Some(Block::Text { text, part }), Block::Text { text: next, .. }) => {
                text.push_str(between);
                text.push_str(&next);
                // A text from two inputs belongs to neither.
                *part = None;
            }
            (_, block) => out.push(block),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::message::{Block, Role};
    use serde_json::json;

    fn conversation() -> Vec<Message> {
        vec![Message::system("s"), Message::user("u"), Message::assistant("a"), Message::user("v")]
    }

    #[test]
    fn openai_keeps_system_messages_in_the_list() {
        let body = export(&conversation(), Format::OpenAi).unwrap();
        let first = r#"{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"}"#;
        assert!(body.to_string().starts_with(first), "{body}");
    }

    #[test]
    fn b_25_anthropic_has_system_apart_and_alternates() {
        let mut m = conversation();
        m.push(Message::user(" "));
        let body = export(&m, Format::Anthropic).unwrap();
        let expected = r#"{"system":"s","messages":[{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"role":"user","content":"v\n\n(no content)"}]}"#;
        assert_eq!(body.to_string(), expected);
    }

    #[test]
    fn f_33_each_form_has_its_own_words_for_the_same_exchange() {
        let m = [
            Message::system("s"),
            Message::user("u"),
            Message::of(Role::Assistant, vec![Block::text("a"), Block::tool_use("c1", "f", json!({"x": 1}))]),
            Message::of(Role::Tool, vec![Block::tool_result("c1", "ok")]),
        ];
        let of = |format| export(&m, format).unwrap().to_string();
        assert_eq!(
            of(Format::OpenAi),
            r#"{"messages":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}}]},{"role":"tool","tool_call_id":"c1","content":"ok"}]}"#
        );
        assert_eq!(
            of(Format::Responses),
            r#"{"input":[{"role":"system","content":"s"},{"role":"user","content":"u"},{"role":"assistant","content":"a"},{"type":"function_call","call_id":"c1","name":"f","arguments":"{\"x\":1}"},{"type":"function_call_output","call_id":"c1","output":"ok"}]}"#
        );
        assert_eq!(
            of(Format::Anthropic),
            r#"{"system":"s","messages":[{"role":"user","content":"u"},{"role":"assistant","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"c1","name":"f","input":{"x":1}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"ok","is_error":false}]}],"tools":[{"name":"f","description":"Called earlier in this conversation.","input_schema":{"type":"object"}}]}"#
        );
        assert_eq!(
            of(Format::Gemini),
            r#"{"systemInstruction":{"parts":[{"text":"s"}]},"contents":[{"role":"user","parts":[{"text":"u"}]},{"role":"model","parts":[{"text":"a"},{"functionCall":{"id":"c1","name":"f","args":{"x":1}}}]},{"role":"user","parts":[{"functionResponse":{"id":"c1","name":"f","response":{"output":"ok"}}}]}]}"#
        );
        assert_eq!(
            of(Format::Bedrock),
            r#"{"system":[{"text":"s"}],"messages":[{"role":"user","content":[{"text":"u"}]},{"role":"assistant","content":[{"text":"a"},{"toolUse":{"toolUseId":"c1","name":"f","input":{"x":1}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":[{"text":"ok"}],"status":"success"}}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f","description":"Called earlier in this conversation.","inputSchema":{"json":{"type":"object"}}}}]}}"#
        );
    }

    #[test]
    fn names_are_read_and_wrong_ones_get_a_hint() {
        for f in Format::ALL {
            assert_eq!(f.name().parse::<Format>(), Ok(f));
        }
        assert_eq!("openai-chat".parse::<Format>(), Ok(Format::OpenAi));
        let error = "antropic".parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            error,
            "there is no format antropic; did you mean anthropic? formats are openai, openai-responses, anthropic, gemini, bedrock"
        );
        assert!(!"x".parse::<Format>().unwrap_err().to_string().contains("did you mean"));
    }

    #[test]
    fn a_body_tells_its_form() {
        let m = [
            Message::system("s"),
            Message::user("u"),
            Message::of(Role::Assistant, vec![Block::tool_use("c1", "f", json!({}))]),
            Message::of(Role::Tool, vec![Block::tool_result("c1", "ok")]),
        ];
        for f in Format::ALL {
            assert_eq!(Format::of(&export(&m, f).unwrap()), Some(f));
        }
        assert_eq!(Format::of(&json!({"model": "m"})), None);
    }
}
