//! Whole requests, and bodies of providers, as the counter reads them.

use ptc_history::tokens::{Api, BodyError, Request};
use ptc_history::{Block, Format, Message, Role, export};
use serde_json::{Value, json};

fn talk() -> Vec<Message> {
    vec![
        Message::system("Be brief."),
        Message::user("How many sheep are there?"),
        Message::of(Role::Assistant, vec![Block::tool_use("c1", "count", json!({ "field": 1 }))]),
        Message::of(Role::Tool, vec![Block::tool_result("c1", "seven sheep")]),
    ]
}

#[test]
fn k_33_every_form_counts_as_the_conversation_it_holds() {
    for (format, provider, model) in [
        (Format::OpenAi, "openai", "gpt-4o"),
        (Format::Responses, "openai", "gpt-4o"),
        (Format::Anthropic, "anthropic", "claude-sonnet-4-5"),
        (Format::Gemini, "google", "gemini-2.5-pro"),
        (Format::Bedrock, "bedrock", "amazon.nova-pro-v1:0"),
    ] {
        let mut body = export(&talk(), format).unwrap();
        assert!(Request::is_body(&body), "{format}");
        assert_eq!(Request::of_body(&body).unwrap_err(), BodyError::NoModel(format));
        body["model"] = json!(model);
        let read = Request::of_body(&body).unwrap();
        assert_eq!((read.provider.as_str(), read.model.as_str()), (provider, model));
        let own = Request { messages: talk(), ..read.clone() };
        assert_eq!(read.count(), own.count(), "{format}");
        // Its declared tools and schema are counted too.
        let bare = Request { tools: Vec::new(), ..read.clone() };
        assert!(read.tools.is_empty() || read.count().tokens > bare.count().tokens, "{format}");
    }
    let schema = json!({"type": "object", "properties": {"answer": {"type": "string"}}});
    let mut body = json!({"model": "gpt-4o", "messages": [{"role": "user", "content": "Hi"}]});
    assert!(!Request::is_body(&body));
    let bare = Request::of_body(&body).unwrap().count().tokens;
    body["response_format"] = json!({"type": "json_schema", "json_schema": {"name": "a", "schema": schema}});
    assert!(Request::of_body(&body).unwrap().count().tokens > bare);
}

#[test]
fn whose_it_is_may_stand_beside_it_and_what_cannot_be_counted_is_said() {
    let plain = |model: &str| json!({"model": model, "messages": [{"role": "user", "content": "Hi"}]});
    assert_eq!(Request::of_body(&plain("claude-opus-4-1")).unwrap().api, Api::Anthropic);
    let mut other = plain("mistral-large");
    other["provider"] = json!("mistral");
    assert_eq!(Request::of_body(&other).unwrap().provider, "mistral");
    assert_eq!(Request::of_body(&json!({"model": "x"})).unwrap_err(), BodyError::Unknown);
    let image =
        json!({"model": "gpt-4o", "messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]});
    assert!(Request::of_body(&image).unwrap_err().to_string().contains("image_url"));
    let sealed = json!({"model": "claude-sonnet-4-5", "messages": [{"role": "user", "content": "Hi"},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "x"}]}]});
    assert!(Request::of_body(&sealed).unwrap().opaque);
}

fn read(v: Value) -> Request {
    serde_json::from_value(v).unwrap()
}

#[test]
fn the_wire_format_is_guessed_where_it_is_not_said() {
    let of = |provider: &str, tools: Value, role: &str| {
        read(json!({"provider": provider, "model": "m", "tools": tools, "messages": [{"role": role, "content": "x"}]}))
            .api
    };
    let flat = json!([{"type": "function", "name": "f", "parameters": {}}]);
    let nested = json!([{"type": "function", "function": {"name": "f"}}]);
    assert_eq!(of("openai", json!([]), "user"), Api::Chat);
    assert_eq!(of("openai", nested, "user"), Api::Chat);
    assert_eq!(of("openai", flat.clone(), "user"), Api::Responses);
    assert_eq!(of("openai", json!(null), "assistant"), Api::Responses);
    assert_eq!(of("bedrock", json!([]), "user"), Api::Converse);
    assert_eq!(of("anthropic", flat, "assistant"), Api::Anthropic);
}

#[test]
fn k_14_tools_and_schema_are_part_of_the_input() {
    let base = json!({"provider": "openai", "model": "gpt-4o", "messages": [{"role": "user", "content": "x"}]});
    let with = |key: &str, value: Value| {
        let mut v = base.clone();
        v[key] = value;
        read(v).count()
    };
    let bare = read(base.clone()).count();
    let shape = json!({"type": "object", "properties": {"answer": {"type": "string"}}});
    let tools = with("tools", json!([{"type": "function", "function": {"name": "f", "parameters": shape}}]));
    assert!(tools.tokens > bare.tokens + 15, "{tools:?}");
    let shown = with("schema", shape);
    let hidden = with("schema", json!(true));
    assert!(shown.tokens > bare.tokens && hidden.tokens > bare.tokens);
    assert!(hidden.high - hidden.low > shown.high - shown.low, "its size is not known");
    assert_eq!(with("schema", json!(false)), bare);
    let opaque = with("opaque", json!(true));
    assert!(opaque.tokens == bare.tokens && opaque.high > bare.high + 500);
    assert!(
        serde_json::from_value::<Request>(json!({"provider": "p", "model": "m", "messages": [], "schema": 3})).is_err()
    );
}

#[test]
fn k_31_odd_requests_are_counted() {
    let deep = (0..100).fold(json!({"type": "string"}), |v, _| json!({"type": "object", "properties": {"x": v}}));
    for tools in [
        json!([null, 1, "x", [], {}]),
        json!([{"name": "f", "parameters": deep}]),
        json!([{"functionDeclarations": 3}]),
    ] {
        for (provider, model) in [("openai", "gpt-5"), ("", ""), ("anthropic", "claude-5"), ("google", "gemini-3")] {
            let r = read(json!({"provider": provider, "model": model, "tools": tools,
                "messages": [{"role": "tool", "content": [{"type": "tool_result", "id": "", "content": "\u{0}"}]}, {"role": "user", "content": []}]}));
            let e = r.count();
            assert!(e.low <= e.tokens && e.tokens <= e.high && e.tokens > 0, "{e:?}");
        }
    }
}
