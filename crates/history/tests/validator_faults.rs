//! The validator finds what is planted: a sound body of each provider, one fault at a time.

#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::wire::Format;
use ptc_history::wire::validate::{Rule, carries_on, has_system, validate, validate_open};
use serde_json::{Value, json};

/// A sound request of each provider, written by hand: system, task, thought, two calls, results, answer, thanks.
fn sound(format: Format) -> Value {
    match format {
        Format::OpenAi => json!({"messages": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": null, "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}},
                {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{\"x\":1}"}}]},
            {"role": "tool", "tool_call_id": "b", "content": "2"},
            {"role": "tool", "tool_call_id": "a", "content": "1"},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": [{"type": "text", "text": "thanks", "prompt_cache_breakpoint": {"mode": "explicit"}}]}],
            "tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}]}),
        Format::Responses => json!({"input": [
            {"role": "system", "content": "s"},
            {"role": "user", "content": "u"},
            {"type": "reasoning", "summary": [], "encrypted_content": "e1"},
            {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
            {"type": "function_call", "call_id": "b", "name": "g", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "a", "output": "1"},
            {"type": "function_call_output", "call_id": "b", "output": "2"},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "thanks"}],
            "tools": [{"type": "function", "name": "f", "parameters": {"type": "object"}}]}),
        Format::Anthropic => {
            json!({"system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
            "messages": [
            {"role": "user", "content": "u"},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "", "signature": "e1"},
                {"type": "text", "text": "let me see"},
                {"type": "tool_use", "id": "a", "name": "f", "input": {}},
                {"type": "tool_use", "id": "b", "name": "g", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "b", "content": "2"},
                {"type": "tool_result", "tool_use_id": "a", "cache_control": {"type": "ephemeral"}},
                {"type": "text", "text": "go on"}]},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "thanks"}],
            "tools": [{"name": "f", "input_schema": {"type": "object"}}]})
        }
        Format::Gemini => json!({"systemInstruction": {"parts": [{"text": "s"}]}, "contents": [
            {"role": "user", "parts": [{"text": "u"}]},
            {"role": "model", "parts": [
                {"text": "hm", "thought": true},
                {"functionCall": {"id": "a", "name": "f", "args": {}}, "thoughtSignature": "e1"},
                {"functionCall": {"name": "g", "args": {}}}]},
            {"role": "user", "parts": [
                {"functionResponse": {"id": "a", "name": "f", "response": {"output": "1"}}},
                {"functionResponse": {"name": "g", "response": {"output": "2"}}}]},
            {"role": "model", "parts": [{"functionCall": {"name": "g", "args": {}}, "thoughtSignature": "e2"}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "g", "response": {"output": "3"}}}]}],
            "tools": [{"functionDeclarations": [{"name": "f"}]}]}),
        Format::Bedrock => {
            json!({"system": [{"text": "s"}, {"cachePoint": {"type": "default", "ttl": "1h"}}], "messages": [
            {"role": "user", "content": [{"text": "u"}]},
            {"role": "assistant", "content": [
                {"reasoningContent": {"reasoningText": {"text": "hm", "signature": "e1"}}},
                {"toolUse": {"toolUseId": "a", "name": "f", "input": {}}},
                {"toolUse": {"toolUseId": "b", "name": "g", "input": {}}}]},
            {"role": "user", "content": [
                {"toolResult": {"toolUseId": "a", "content": [{"text": "1"}], "status": "success"}},
                {"toolResult": {"toolUseId": "b", "content": [{"json": {}}]}},
                {"cachePoint": {"type": "default"}}]},
            {"role": "assistant", "content": [{"text": "done"}]},
            {"role": "user", "content": [{"text": "thanks"}]}],
            "toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": {"type": "object"}}}}]}})
        }
    }
}

/// A change to a body: at this pointer, this value; `null` takes away what stands there.
fn with(format: Format, changes: &[(&str, Value)]) -> Value {
    let mut body = sound(format);
    for (at, value) in changes {
        let (parent, last) = at.rsplit_once('/').unwrap();
        let parent = body.pointer_mut(parent).unwrap_or_else(|| panic!("{format} has no {at}"));
        match (parent, value) {
            (Value::Array(l), Value::Null) => drop(l.remove(last.parse().unwrap())),
            // `+k` puts in, `k` replaces.
            (Value::Array(l), v) => match last.strip_prefix('+') {
                Some(k) => l.insert(k.parse().unwrap(), v.clone()),
                None => l[last.parse::<usize>().unwrap()] = v.clone(),
            },
            (Value::Object(o), Value::Null) => drop(o.shift_remove(last)),
            (Value::Object(o), v) => drop(o.insert(last.to_owned(), v.clone())),
            _ => panic!("{format}: {at} is no place"),
        }
    }
    body
}

#[track_caller]
fn finds(format: Format, rule: Rule, changes: &[(&str, Value)]) {
    let body = with(format, changes);
    let found = validate(format, &body);
    assert!(found.iter().any(|v| v.rule == rule), "{format} {rule:?} {changes:?}: found {found:?}");
}

use Format::{Anthropic, Bedrock, Gemini, OpenAi, Responses};
use Rule::{V1, V2, V3, V4, V5, V6, V7, V8, V9, V10, V11, V12};

#[test]
fn sound_bodies_are_taken() {
    for format in Format::ALL {
        assert_eq!(validate(format, &sound(format)), vec![], "{format}");
    }
}

#[test]
fn v1_roles() {
    finds(OpenAi, V1, &[("/messages/1/role", json!("human"))]);
    finds(OpenAi, V1, &[("/messages/1/tool_calls", json!([{"id": "z"}]))]);
    finds(Responses, V1, &[("/input/1/role", json!("tool"))]);
    finds(Anthropic, V1, &[("/messages/0/role", json!("system"))]);
    finds(
        Anthropic,
        V1,
        &[("/messages/4/content", json!([{"type": "tool_use", "id": "z", "name": "f", "input": {}}]))],
    );
    finds(Gemini, V1, &[("/contents/1/role", json!("assistant"))]);
    finds(Bedrock, V1, &[("/messages/0/role", json!("system"))]);
    finds(Bedrock, V1, &[("/messages/0/content", json!("u"))]);
}

#[test]
fn v2_f_18_first_and_last() {
    finds(OpenAi, V2, &[("/messages", json!([]))]);
    finds(Responses, V2, &[("/input", json!([]))]);
    for (format, list) in [(Anthropic, "/messages"), (Bedrock, "/messages"), (Gemini, "/contents")] {
        finds(format, V2, &[(list, json!([]))]);
        finds(format, V2, &[(&format!("{list}/0"), Value::Null)]);
        finds(format, V2, &[(&format!("{list}/4"), Value::Null)]);
        // The model may have the last word where the conversation goes on.
        let open = with(format, &[(&format!("{list}/4"), Value::Null)]);
        assert_eq!(validate_open(format, &open), vec![], "{format}");
    }
}

#[test]
fn v3_every_call_is_answered() {
    finds(OpenAi, V3, &[("/messages/3", Value::Null)]);
    finds(Responses, V3, &[("/input/5", Value::Null)]);
    finds(Anthropic, V3, &[("/messages/2/content/0", Value::Null)]);
    finds(Gemini, V3, &[("/contents/2/parts/0", Value::Null)]);
    finds(Bedrock, V3, &[("/messages/2/content/1", Value::Null)]);
    // An open conversation may wait at its end, and nowhere else.
    for (format, list) in [
        (OpenAi, "/messages"),
        (Responses, "/input"),
        (Anthropic, "/messages"),
        (Bedrock, "/messages"),
        (Gemini, "/contents"),
    ] {
        let missing = match format {
            OpenAi => with(format, &[("/messages/3", Value::Null)]),
            Responses => with(format, &[("/input/5", Value::Null)]),
            Gemini => with(format, &[("/contents/2/parts/0", Value::Null)]),
            _ => with(format, &[("/messages/2/content/0", Value::Null)]),
        };
        assert!(validate_open(format, &missing).iter().any(|v| v.rule == V3), "{format}");
        let mut cut = sound(format);
        let list = cut.pointer_mut(list).unwrap().as_array_mut().unwrap();
        list.truncate(match format {
            OpenAi => 4,
            Responses => 5,
            _ => 2,
        });
        assert_eq!(validate_open(format, &cut), vec![], "{format}");
        assert!(validate(format, &cut).iter().any(|v| v.rule == V3), "{format}");
    }
}

#[test]
fn v4_no_orphans() {
    finds(OpenAi, V4, &[("/messages/3/tool_call_id", json!("z"))]);
    finds(OpenAi, V4, &[("/messages/+2", json!({"role": "tool", "tool_call_id": "a", "content": "early"}))]);
    finds(Responses, V4, &[("/input/5/call_id", json!("z"))]);
    finds(Anthropic, V4, &[("/messages/2/content/0/tool_use_id", json!("z"))]);
    finds(Anthropic, V4, &[("/messages/2/content/1/tool_use_id", json!("b"))]);
    finds(Gemini, V4, &[("/contents/2/parts/1/functionResponse/name", json!("z"))]);
    finds(
        Bedrock,
        V4,
        &[("/messages/4/content/+0", json!({"toolResult": {"toolUseId": "a", "content": [{"text": "1"}]}}))],
    );
}

#[test]
fn v5_f_06_f_07_places_order_and_turns() {
    // Something between a call and its results.
    finds(OpenAi, V5, &[("/messages/+3", json!({"role": "user", "content": "wait"}))]);
    finds(
        Responses,
        V5,
        &[
            ("/input/+3", json!({"type": "function_call_output", "call_id": "b", "output": "early"})),
            ("/input/7", Value::Null),
        ],
    );
    finds(Responses, V5, &[("/input/+5", json!({"type": "compaction", "encrypted_content": "c"}))]);
    // Results stand first, text behind calls is refused, turns alternate.
    finds(Anthropic, V5, &[("/messages/2/content/+0", json!({"type": "text", "text": "first"}))]);
    finds(Anthropic, V5, &[("/messages/1/content/+4", json!({"type": "text", "text": "late"}))]);
    finds(Anthropic, V5, &[("/messages/+4", json!({"role": "assistant", "content": "more"}))]);
    finds(Bedrock, V5, &[("/messages/2/content/+0", json!({"text": "first"}))]);
    finds(Bedrock, V5, &[("/messages/1/content/+3", json!({"text": "late"}))]);
    finds(Bedrock, V5, &[("/messages/+0", json!({"role": "user", "content": [{"text": "u"}]}))]);
    // Gemini counts.
    finds(Gemini, V5, &[("/contents/2/parts/1", Value::Null)]);
    finds(Gemini, V5, &[("/contents/+0", json!({"role": "user", "parts": [{"text": "u"}]}))]);
}

#[test]
fn v6_b_26_nothing_blank() {
    finds(OpenAi, V6, &[("/messages/5/content", json!(" "))]);
    finds(OpenAi, V6, &[("/messages/5/content", Value::Null)]);
    finds(OpenAi, V6, &[("/messages/6/content", json!([]))]);
    finds(Responses, V6, &[("/input/7/content", json!(""))]);
    finds(Responses, V6, &[("/input/1/content", json!([{"type": "input_text", "text": "\n"}]))]);
    finds(Anthropic, V6, &[("/messages/3/content", json!(""))]);
    finds(Anthropic, V6, &[("/messages/3/content", json!([]))]);
    finds(
        Anthropic,
        V6,
        &[("/messages/2/content/0", json!({"type": "tool_result", "tool_use_id": "b", "is_error": true}))],
    );
    finds(Anthropic, V6, &[("/system", json!(" "))]);
    finds(Gemini, V6, &[("/contents/0/parts/0/text", json!(" "))]);
    finds(Gemini, V6, &[("/contents/0/parts", json!([]))]);
    finds(Bedrock, V6, &[("/messages/3/content/0/text", json!("\t"))]);
    finds(Bedrock, V6, &[("/messages/2/content/0/toolResult/content", json!([]))]);
    finds(
        Bedrock,
        V6,
        &[(
            "/messages/2/content/0/toolResult",
            json!({"toolUseId": "a", "content": [{"text": ""}], "status": "error"}),
        )],
    );
}

#[test]
fn v7_f_03_ids_and_names() {
    let long = "x".repeat(65);
    let two = |format, call: &str, result: &str, id: &str| finds(format, V7, &[(call, json!(id)), (result, json!(id))]);
    two(OpenAi, "/messages/2/tool_calls/0/id", "/messages/4/tool_call_id", &long[..41]);
    two(OpenAi, "/messages/2/tool_calls/0/id", "/messages/4/tool_call_id", "b");
    two(Responses, "/input/3/call_id", "/input/5/call_id", &long);
    two(Anthropic, "/messages/1/content/2/id", "/messages/2/content/1/tool_use_id", "a.b");
    two(Anthropic, "/messages/1/content/2/id", "/messages/2/content/1/tool_use_id", "");
    two(Gemini, "/contents/1/parts/1/functionCall/id", "/contents/2/parts/0/functionResponse/id", "");
    two(Bedrock, "/messages/1/content/1/toolUse/toolUseId", "/messages/2/content/0/toolResult/toolUseId", &long);
    finds(OpenAi, V7, &[("/messages/2/tool_calls/0/function/name", json!("a b"))]);
    finds(Gemini, V7, &[("/contents/1/parts/2/functionCall/name", json!("1f"))]);
    finds(Bedrock, V7, &[("/messages/1/content/1/toolUse/name", json!("a.b"))]);
}

#[test]
fn v8_d11_reasoning_is_whole_in_place_or_absent() {
    finds(
        OpenAi,
        V8,
        &[(
            "/messages/5/content",
            json!([{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "a"}]),
        )],
    );
    finds(Responses, V8, &[("/input/2/encrypted_content", Value::Null)]);
    finds(Responses, V8, &[("/input/+8", json!({"type": "reasoning", "summary": [], "encrypted_content": "e"}))]);
    finds(Responses, V8, &[("/input/+5", json!({"type": "reasoning", "summary": [], "encrypted_content": "e"}))]);
    finds(Anthropic, V8, &[("/messages/1/content/0/signature", Value::Null)]);
    finds(Anthropic, V8, &[("/messages/1/content/+0", json!({"type": "text", "text": "before"}))]);
    finds(Anthropic, V8, &[("/messages/3/content", json!([{"type": "thinking", "thinking": "hm", "signature": "s"}]))]);
    finds(Anthropic, V8, &[("/messages/3/content", json!([{"type": "compaction", "content": ""}]))]);
    finds(
        Anthropic,
        V8,
        &[("/messages/4/content", json!([{"type": "redacted_thinking", "data": "d"}, {"type": "text", "text": "u"}]))],
    );
    finds(Gemini, V8, &[("/contents/3/parts/0/thoughtSignature", Value::Null)]);
    finds(Bedrock, V8, &[("/messages/1/content/0/reasoningContent/reasoningText/signature", Value::Null)]);
    finds(Bedrock, V8, &[("/messages/1/content/+0", json!({"text": "before"}))]);
}

/// D11: reasoning goes back behind the prefix it was produced under, verbatim, or not at all.
#[test]
fn v8_d11_reasoning_behind_a_changed_prefix_is_found() {
    let task = |format| match format {
        OpenAi => "/messages/1/content",
        Responses => "/input/1/content",
        Gemini => "/contents/0/parts/0/text",
        Anthropic => "/messages/0/content",
        Bedrock => "/messages/0/content/0/text",
    };
    let thought = |format| match format {
        Responses => "/input/2/summary",
        Anthropic => "/messages/1/content/0/thinking",
        Bedrock => "/messages/1/content/0/reasoningContent/reasoningText/text",
        _ => "/contents/1/parts/1/functionCall/args",
    };
    for format in [Responses, Anthropic, Gemini, Bedrock] {
        assert_eq!(carries_on(format, &sound(format), &sound(format)), vec![], "{format}");
        let changed = with(format, &[(task(format), json!("another task"))]);
        assert!(carries_on(format, &sound(format), &changed).iter().all(|v| v.rule == V8), "{format}");
        assert!(!carries_on(format, &sound(format), &changed).is_empty(), "{format}");
        let edited = with(format, &[(thought(format), json!({"edited": "words"}))]);
        assert!(carries_on(format, &sound(format), &edited).iter().any(|v| v.text.contains("edited")), "{format}");
    }
}

#[test]
fn v9_cache_marks() {
    let mark = json!({"type": "text", "text": "t", "cache_control": {"type": "ephemeral"}});
    let four = json!([mark, mark, mark, mark]);
    finds(Anthropic, V9, &[("/messages/4/content", four)]);
    finds(Anthropic, V9, &[("/messages/1/content/0/cache_control", json!({"type": "ephemeral"}))]);
    finds(
        Anthropic,
        V9,
        &[(
            "/messages/4/content",
            json!([{"type": "text", "text": "t", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]),
        )],
    );
    let point = json!({"cachePoint": {"type": "default"}});
    finds(
        Bedrock,
        V9,
        &[("/messages/4/content", json!([{"text": "a"}, point, {"text": "b"}, point, {"text": "c"}, point]))],
    );
    finds(Bedrock, V9, &[("/messages/1/content/+1", point.clone())]);
    finds(Bedrock, V9, &[("/messages/0/content/+0", point)]);
    finds(Bedrock, V9, &[("/messages/4/content/+1", json!({"cachePoint": {"type": "default", "ttl": "1h"}}))]);
    let part = |kind: &str| json!({"type": kind, "text": "t", "prompt_cache_breakpoint": {"mode": "explicit"}});
    finds(OpenAi, V9, &[("/messages/1/content", json!([part("text"), part("text"), part("text")]))]);
    finds(OpenAi, V9, &[("/messages/5/content", json!([part("text")]))]);
    let parts = json!([part("input_text"), part("input_text"), part("input_text"), part("input_text")]);
    finds(Responses, V9, &[("/input/1/content", parts)]);
    finds(Responses, V9, &[("/input/7/content", json!([part("output_text")]))]);
    finds(Gemini, V9, &[("/contents/0/parts/0/cache_control", json!({"type": "ephemeral"}))]);
}

#[test]
fn v10_tools_are_declared() {
    finds(Anthropic, V10, &[("/tools", Value::Null)]);
    finds(Bedrock, V10, &[("/toolConfig", Value::Null)]);
    finds(Anthropic, V10, &[("/tools/+0", json!({"name": "f", "input_schema": {"type": "object"}}))]);
    finds(Bedrock, V10, &[("/toolConfig/tools/+0", json!({"toolSpec": {"name": "f"}}))]);
    finds(OpenAi, V10, &[("/tools/+0", json!({"type": "function", "function": {"name": "f"}}))]);
    finds(Responses, V10, &[("/tools/+0", json!({"type": "function", "name": "f"}))]);
    finds(Gemini, V10, &[("/tools/0/functionDeclarations/+0", json!({"name": "f"}))]);
}

#[test]
fn v11_the_system_prompt_is_there_byte_for_byte() {
    let place = |format| match format {
        OpenAi => "/messages/0/content",
        Responses => "/input/0/content",
        Anthropic => "/system/0/text",
        Gemini => "/systemInstruction/parts/0/text",
        Bedrock => "/system/0/text",
    };
    for format in Format::ALL {
        assert_eq!(has_system(format, &sound(format), &["s"]), vec![], "{format}");
        let changed = with(format, &[(place(format), json!("S"))]);
        assert!(has_system(format, &changed, &["s"]).iter().all(|v| v.rule == V11), "{format}");
        assert_eq!(has_system(format, &changed, &["s"]).len(), 1, "{format}");
        assert!(carries_on(format, &sound(format), &changed).iter().any(|v| v.rule == V11), "{format}");
        // Twice wanted, once there; and the order counts.
        assert_eq!(has_system(format, &sound(format), &["s", "s"]).len(), 1);
        let both = with(format, &[(place(format), json!("one\n\ntwo"))]);
        assert_eq!(has_system(format, &both, &["one", "two"]), vec![]);
        assert_eq!(has_system(format, &both, &["two", "one"]).len(), 1);
    }
}

#[test]
fn v12_arguments_are_objects() {
    for broken in ["{\"x\": 1", "[1]", ""] {
        finds(OpenAi, V12, &[("/messages/2/tool_calls/0/function/arguments", json!(broken))]);
        finds(Responses, V12, &[("/input/3/arguments", json!(broken))]);
    }
    finds(Anthropic, V12, &[("/messages/1/content/2/input", json!("{}"))]);
    finds(Gemini, V12, &[("/contents/1/parts/1/functionCall/args", json!([]))]);
    finds(Bedrock, V12, &[("/messages/1/content/1/toolUse/input", json!(1))]);
}
