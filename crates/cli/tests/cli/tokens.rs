//! `ptc tokens`.

use crate::common::{Folder, ptc, ptc_with};
use serde_json::{Value, json};

const ASKED: &str = r#"{"provider":"openai","model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}"#;

#[test]
fn k_16_a_request_is_counted_from_standard_input_and_from_a_file() {
    let did = ptc_with(&["tokens"], ASKED);
    assert_eq!(did.code, 0, "{}", did.err);
    let answer: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((&answer["tokens"], &answer["source"]), (&json!(8), &json!("profile openai-chat")));
    assert!(answer["low"].as_u64() <= Some(8) && answer["high"].as_u64() >= Some(8));
    let folder = Folder::new("tokens");
    let file = folder.0.join("request.json");
    std::fs::write(&file, ASKED).unwrap();
    assert_eq!(ptc(&["tokens", file.to_str().unwrap()]).out, did.out);
    assert_eq!(ptc(&["tokens", "no-such-file.json"]).code, 2);
    assert!(ptc(&["tokens", "--help"]).out.contains("Exit codes: 0"));
}

#[test]
fn k_14_a_batch_is_answered_line_by_line_in_order() {
    let tools = r#"{"provider":"anthropic","model":"claude-sonnet-4-5","messages":[{"role":"user","content":[{"type":"text","text":"Hello"}]}],"tools":[{"name":"f","input_schema":{"type":"object"}}]}"#;
    let lines = format!("{ASKED}\n\n{{\"provider\": 3}}\nno json\n{tools}\n");
    let did = ptc_with(&["tokens", "--batch"], &lines);
    assert_eq!(did.code, 1, "a line was not counted");
    let answers: Vec<Value> = did.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["tokens"], 8);
    for bad in &answers[1..3] {
        assert!(bad["error"].as_str().unwrap().contains("write {\"provider\""), "{bad}");
    }
    assert_eq!(answers[3]["source"], "profile claude-4.5");
    assert!(answers[3]["tokens"].as_u64() > Some(400), "tools bring a hidden prompt: {}", answers[3]);
    assert_eq!(ptc_with(&["tokens", "--batch"], "").code, 0);
}

#[test]
fn k_33_bodies_of_providers_are_counted_as_they_are_sent() {
    let count = |body: &Value| {
        let did = ptc_with(&["tokens"], &body.to_string());
        assert_eq!(did.code, 0, "{}", did.out);
        serde_json::from_str::<Value>(&did.out).unwrap()
    };
    let openai = json!({"model": "gpt-4o", "temperature": 0, "messages": [{"role": "user", "content": "Hello"}]});
    assert_eq!(count(&openai)["tokens"], 8, "as in our own form");
    let claude = |system: Value| json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "system": system, "messages": [{"role": "user", "content": "Hello"}]});
    let (short, long) = (count(&claude(json!("Hi."))), count(&claude(json!("word ".repeat(100)))));
    assert_eq!(short["source"], "profile claude-4.5");
    assert!(long["tokens"].as_u64().unwrap() > short["tokens"].as_u64().unwrap() + 90, "{short} {long}");
    let gemini = json!({"contents": [{"role": "user", "parts": [{"text": "Hello"}]}]});
    let did = ptc_with(&["tokens"], &gemini.to_string());
    assert_eq!(did.code, 1);
    assert!(did.out.contains("does not say which model it is for; add"), "{}", did.out);
    let mut named = gemini;
    named["model"] = json!("gemini-2.5-flash");
    assert_eq!(count(&named)["source"], "profile gemini");
    let image = json!({"model": "gpt-4o", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "x"}}]}]});
    let did = ptc_with(&["tokens"], &image.to_string());
    assert_eq!((did.code, did.out.contains("image_url")), (1, true), "{}", did.out);
}
