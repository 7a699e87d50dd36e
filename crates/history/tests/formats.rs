//! Requests of providers: conversations exported, older forms imported, usage read.

use ptc_history::wire::{Request, Usage};
use ptc_history::{Block, Format, Message, Role, export};
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

/// Calls and results of the format before `tool_calls` were ignored silently.
#[test]
fn calls_of_the_form_before_tool_calls_are_calls() {
    let body = json!({"model": "gpt-4", "functions": [{"name": "find", "parameters": {"type": "object"}}], "messages": [
        {"role": "user", "content": "Find sheep, then goats."},
        {"role": "assistant", "content": null, "function_call": {"name": "find", "arguments": "{\"what\":\"sheep\"}"}},
        {"role": "function", "name": "find", "content": "3 sheep"},
        {"role": "assistant", "content": "Now goats.", "function_call": {"name": "find", "arguments": "{\"what\":\"goats\"}"}},
        {"role": "function", "name": "find", "content": "none"},
        {"role": "assistant", "content": "3 sheep, no goats.", "function_call": null},
    ]});
    let read = Request::import(Format::OpenAi, &body).unwrap();
    let call = |what: &str, i: usize| Block::tool_use(format!("function_call_{i}"), "find", json!({ "what": what }));
    let result =
        |text: &str, i: usize| Message::of(Role::Tool, vec![Block::tool_result(format!("function_call_{i}"), text)]);
    assert_eq!(read.messages[1].content, [call("sheep", 1)]);
    assert_eq!(read.messages[3].content, [Block::text("Now goats."), call("goats", 3)]);
    let texts = |m: &Message| m.answers().map(str::to_owned).collect::<Vec<String>>();
    assert_eq!(texts(&read.messages[2]), texts(&result("3 sheep", 1)));
    assert_eq!(texts(&read.messages[4]), texts(&result("none", 3)));
    assert_eq!(read.messages[5].content, [Block::text("3 sheep, no goats.")]);
    assert_eq!((read.tools.len(), read.rest.keys().map(String::as_str).collect::<Vec<_>>()), (1, vec!["model"]));
    let groups = ptc_history::conversation::groups::Groups::of(&read.messages);
    assert_eq!((groups.orphans(), groups.open().count()), (0, 0));
    assert!(ptc_history::tokens::Request::is_body(&body));
}

#[test]
fn a_result_that_answers_no_such_call_is_an_error_with_its_place() {
    for (messages, words) in [
        (
            json!([{"role": "function", "name": "f", "content": "x"}]),
            "messages[0]: expected the result of the function_call before it",
        ),
        (
            json!([
                {"role": "assistant", "content": null, "function_call": {"name": "g", "arguments": "{}"}},
                {"role": "function", "name": "f", "content": "x"},
            ]),
            "messages[1]: expected the result of the function_call before it, by its name",
        ),
        (
            json!([{"role": "assistant", "function_call": {"arguments": "{}"}}]),
            "messages[0].function_call.name: expected a string",
        ),
    ] {
        let error = Request::import(Format::OpenAi, &json!({ "messages": messages })).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    }
}

/// One request in five reports: 1000 tokens read, 700 of them from the cache, 200 written, 50 said, 20 thought.
#[test]
fn the_same_request_reads_alike_from_every_provider() {
    let chat = json!({"usage": {"prompt_tokens": 1000, "completion_tokens": 50, "total_tokens": 1050,
        "prompt_tokens_details": {"cached_tokens": 700, "cache_write_tokens": 200},
        "completion_tokens_details": {"reasoning_tokens": 20}}});
    let expected = Usage { input: 1000, cached: 700, cache_write: 200, output: 50, reasoning: 20 };
    assert_eq!(Usage::read(Format::OpenAi, &chat), Ok(expected));
    let responses = json!({"input_tokens": 1000, "input_tokens_details": {"cached_tokens": 700, "cache_write_tokens": 200},
        "output_tokens": 50, "output_tokens_details": {"reasoning_tokens": 20}});
    assert_eq!(Usage::read(Format::Responses, &responses), Ok(expected));
    let silent = Usage { reasoning: 0, ..expected };
    let anthropic = json!({"usage": {"input_tokens": 100, "cache_read_input_tokens": 700,
        "cache_creation_input_tokens": 200, "output_tokens": 50}});
    assert_eq!(Usage::read(Format::Anthropic, &anthropic), Ok(silent));
    let bedrock = json!({"usage": {"inputTokens": 100, "cacheReadInputTokens": 700, "cacheWriteInputTokens": 200,
        "outputTokens": 50, "totalTokens": 1050}});
    assert_eq!(Usage::read(Format::Bedrock, &bedrock), Ok(silent));
    let gemini = json!({"usageMetadata": {"promptTokenCount": 1000, "cachedContentTokenCount": 700,
        "candidatesTokenCount": 30, "thoughtsTokenCount": 20}});
    assert_eq!(Usage::read(Format::Gemini, &gemini), Ok(Usage { cache_write: 0, ..expected }));
}

#[test]
fn what_is_absent_or_odd_is_named() {
    let null = json!({"prompt_tokens": 3, "prompt_tokens_details": null});
    assert_eq!(Usage::read(Format::OpenAi, &null).unwrap(), Usage { input: 3, ..Usage::default() });
    let old = json!({"inputTokens": 10, "cacheReadInputTokenCount": 60, "cacheWriteInputTokenCount": 30});
    let expected = Usage { input: 100, cached: 60, cache_write: 30, ..Usage::default() };
    assert_eq!(Usage::read(Format::Bedrock, &old), Ok(expected));
    let other = json!({"usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 4}, "output_tokens": 2}});
    let expected = Usage { input: 9, cached: 4, output: 2, ..Usage::default() };
    assert_eq!(Usage::read(Format::OpenAi, &other), Ok(expected));
    let error = Usage::read(Format::Gemini, &null).unwrap_err().to_string();
    assert!(error.starts_with("no usage of gemini: expected promptTokenCount"), "{error}");
    let error = Usage::read(Format::OpenAi, &json!({"prompt_tokens": -1})).unwrap_err().to_string();
    assert_eq!(error, "usage field prompt_tokens is -1; expected a whole number of tokens");
    let most = json!({"input_tokens": u64::MAX, "cache_read_input_tokens": 1});
    assert_eq!(Usage::read(Format::Anthropic, &most).unwrap().input, u64::MAX);
}
