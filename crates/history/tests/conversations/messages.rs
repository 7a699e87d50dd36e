//! Messages as they are recorded, rendered, and appended.
#![allow(clippy::unwrap_used, reason = "a test may")]

use ptc_history::conversation::AppendError;
use ptc_history::render::{json as as_json, text};
use ptc_history::{Block, Conversation, Message, Role};
use serde_json::json;

/// F-01, F-02: one flat form, each block of exactly one kind.
#[test]
fn recorded_form_comes_back_as_it_was() {
    let line = r#"{"role":"assistant","content":[{"type":"thought","text":"hm"},{"type":"text","text":"a"},{"type":"tool_use","id":"c1","name":"f","input":{"x":1}}]}"#;
    let m: Message = serde_json::from_str(line).unwrap();
    assert_eq!(serde_json::to_string(&m).unwrap(), line);
    assert_eq!(m.text(), "a");
    assert!(!m.is_plain());
    let line = r#"{"role":"tool","content":[{"type":"tool_result","id":"c1","content":"ok","is_error":null}]}"#;
    let m: Message = serde_json::from_str(line).unwrap();
    assert_eq!(serde_json::to_string(&m).unwrap(), line);
}

#[test]
fn plain_strings_are_read() {
    let m: Message = serde_json::from_str(r#"{"role":"user","content":"hi"}"#).unwrap();
    assert_eq!(m, Message::user("hi"));
}

#[test]
fn several_texts_are_joined() {
    let m = Message::of(Role::User, vec![Block::text("a"), Block::text("b"), Block::text("c")]);
    assert_eq!(m.text(), "a\nb\nc");
}

#[test]
fn text_and_json_of_plain_messages() {
    let m = [Message::system("s\nt"), Message::user("u \"q\""), Message::assistant("a")];
    assert_eq!(text(&m), "[SYSTEM]\ns\nt\n\n[USER]\nu \"q\"\n\n[ASSISTANT]\na\n\n");
    let expected = r#"[{"role":"system","content":"s\nt"},{"role":"user","content":"u \"q\""},{"role":"assistant","content":"a"}]"#;
    assert_eq!(as_json(&m), expected);
    let back: Vec<Message> = serde_json::from_str(expected).unwrap();
    assert_eq!(back, m);
}

#[test]
fn other_blocks_are_shown_as_json() {
    let call = Block::ToolUse { id: "1".into(), name: "f".into(), input: json!({}) };
    let m = [Message::of(Role::Assistant, vec![call])];
    assert_eq!(text(&m), "[ASSISTANT]\n{\"type\":\"tool_use\",\"id\":\"1\",\"name\":\"f\",\"input\":{}}\n\n");
}

fn answered() -> Conversation {
    let mut c = Conversation::new();
    c.push(Message::system("s")).unwrap();
    c.add_user_message("u").unwrap();
    c.add_assistant_response(Some("t"), Some(" "), vec![Block::tool_use("a", "f", json!({}))], vec![]).unwrap();
    c.push(Message::of(Role::Tool, vec![Block::tool_result("a", "1")])).unwrap();
    c
}

#[test]
fn f_03_f_05_pairs_are_checked_when_appended() {
    let mut c = answered();
    let before = c.to_json();
    let again = Message::of(Role::Tool, vec![Block::tool_result("a", "2")]);
    let error = c.push(again).unwrap_err().to_string();
    assert!(error.contains("\"a\" answers no open call; open calls are none"), "{error}");
    let error = c.add_assistant_response(None, None, vec![Block::tool_use("a", "f", json!({}))], vec![]).unwrap_err();
    assert_eq!(error, AppendError::IdUsed("a".into()));
    assert_eq!(c.add_assistant_response(Some(" "), None, vec![], vec![]), Err(AppendError::Empty));
    assert!(c.push(Message::of(Role::User, vec![Block::tool_use("b", "f", json!({}))])).is_err());
    assert_eq!(c.to_json(), before, "a refused message leaves all as it was");
}

#[test]
fn f_26_blocks_stand_in_order_and_blank_ones_are_left_out() {
    let mut c = answered();
    c.add_assistant_response(
        Some("t"),
        Some("x"),
        vec![Block::tool_use("b", "f", json!({}))],
        vec![Block::tool_result("b", "1")],
    )
    .unwrap();
    let kinds: Vec<_> =
        c.get(4).unwrap().content.iter().map(|b| json!(b)["type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["thought", "tool_use", "tool_result", "text"]);
    assert_eq!(c.get(2).unwrap().content.len(), 2);
}

#[test]
fn f_28_old_versions_are_read_and_unknown_ones_named() {
    let c = answered();
    assert_eq!(Conversation::from_json(&c.to_json()).unwrap().to_json(), c.to_json());
    let old = json!({"ptc_conversation": 1, "messages": [{"role": "user", "content": "hi", "timestamp": 5, "metadata": {"k": 1}}]});
    let read = Conversation::from_json(&old).unwrap();
    assert_eq!(read.get(0).unwrap().at(), Some(5));
    assert_eq!(read.get(0).unwrap().meta.as_ref().unwrap().more["k"], json!(1));
    let error = Conversation::from_json(&json!({"ptc_conversation": 9, "messages": []})).unwrap_err();
    assert!(error.to_string().contains("version 9 is not known"));
    let error = Conversation::from_json(&json!([{"role": "nobody", "content": "x"}])).unwrap_err();
    assert!(error.to_string().starts_with("messages[0].role: "), "{error}");
}
