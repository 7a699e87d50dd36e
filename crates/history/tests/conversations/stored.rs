//! Errors in a stored conversation name the place and what belongs there.
#![allow(clippy::unwrap_used, reason = "a test may")]

use ptc_history::Conversation;
use serde_json::{Value, json};

fn error(message: Value) -> String {
    Conversation::from_json(&json!({"ptc_conversation": 2, "messages": [{"role": "user", "content": "a"}, message]}))
        .unwrap_err()
        .to_string()
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_it_takes() {
    let text = |more: Value| {
        let mut block = json!({"type": "text", "text": "x"});
        block.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"role": "user", "content": [block]})
    };
    let with = |more: Value| {
        let mut m = json!({"role": "user", "content": "x"});
        m.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        m
    };
    for (message, words) in [
        (
            text(json!({"part": {"kind": "file", "history_retention": "sumary"}})),
            "messages[1].content[0].part.history_retention: must be \"full\", \"summary\" or \"drop\", got \"sumary\"",
        ),
        (
            text(json!({"part": {"kind": "file", "history_retenton": "drop"}})),
            "messages[1].content[0].part: unknown field \"history_retenton\"; did you mean history_retention?",
        ),
        (text(json!({"part": {"name": "x"}})), "messages[1].content[0].part: kind is missing; add it"),
        (
            with(json!({"timestamp": "2024-01-01T00:00:00Z"})),
            "messages[1].timestamp: must be milliseconds since 1970, a whole number as 1704067200000, got \"2024-01-01T00:00:00Z\"",
        ),
        (with(json!({"meta": {"at": 1.5}})), "messages[1].meta.at: must be milliseconds since 1970"),
        (with(json!({"meta": {"seq": -1}})), "messages[1].meta.seq: must be a whole number from 0, got -1"),
        (with(json!({"tool_calls": []})), "messages[1]: unknown field \"tool_calls\"; fields are role, content, meta"),
        (
            with(json!({"role": "nobody"})),
            "messages[1].role: must be \"system\", \"user\", \"assistant\" or \"tool\", got \"nobody\"",
        ),
        (with(json!({"content": 5})), "messages[1].content: must be text or an array of blocks, got 5"),
        (with(json!({"content": ["x"]})), "messages[1].content[0]: must be a block, as"),
        (
            with(json!({"content": [{"type": "image"}]})),
            "messages[1].content[0].type: must be \"text\", \"thought\", \"tool_use\" or \"tool_result\", got \"image\"",
        ),
        (
            with(json!({"content": [{"type": "tool_use", "id": "c", "name": "f"}]})),
            "messages[1].content[0]: input is missing",
        ),
        (
            with(json!({"content": [{"type": "text", "text": null}]})),
            "messages[1].content[0].text: must be text, got null",
        ),
        (json!([]), "messages[1]: must be an object, got an array"),
    ] {
        let error = error(message);
        assert!(error.starts_with(words), "{error}");
    }
    let version = Conversation::from_json(&json!({"ptc_conversation": "2", "messages": []})).unwrap_err().to_string();
    assert_eq!(version, "ptc_conversation: version \"2\" is not known; this build reads 1 to 2");
    let long = error(with(json!({"role": "x".repeat(500)})));
    assert!(long.len() < 160, "{long}");
}

#[test]
fn all_that_is_written_is_read_and_options_may_be_null() {
    let all = json!({"messages": [{"role": "tool", "meta": {"id": "m", "seq": 1, "at": -5, "frame": 1, "act": 1, "memory": true, "more": {"k": []}}, "content": [
        {"type": "text", "text": "x", "part": {"kind": "table", "name": "t", "history_retention": "drop", "count": 1, "offset": 2}},
        {"type": "thought", "text": "x", "seal": {"provider": "p", "model": "m", "kind": "k", "data": "d"}},
        {"type": "tool_use", "id": "i", "name": "n", "input": null},
        {"type": "tool_result", "id": "i", "content": "c", "is_error": null, "ms": 1.5},
    ]}]});
    let read = Conversation::from_json(&all).unwrap().to_json();
    assert_eq!(read["messages"][0]["meta"], all["messages"][0]["meta"]);
    assert_eq!(read["messages"][0]["content"], all["messages"][0]["content"]);
    assert!(
        Conversation::is_ours(&all) && !Conversation::is_ours(&json!({"messages": [{"role": "user", "content": "x"}]}))
    );
}
