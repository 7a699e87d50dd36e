//! Requests against a server in the test: what is sent, what comes back, and what is done about faults.

use super::*;
use crate::cancel::Cancel;
use crate::error::{Error, ErrorKind, ModelErrorKind};
use crate::model::Settings;
use crate::model::{Model as _, ModelEvent, Reply, Request};
use ptc_history::wire::Tool;
use ptc_history::{Block, Message, Role};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What the server does with one request.
enum Act {
    /// Answers, with this status, further headers and body.
    Answer(u16, &'static str, String),
    /// Says nothing, until the client goes.
    Hang,
    /// Sends a stream's beginning and says nothing more, until the client goes.
    Stall(String),
    /// Sends the head of a stream at once, and each piece of it after a wait.
    Drip(Vec<(Duration, String)>),
    /// Sends a stream's beginning and breaks off.
    Break(String),
    /// Closes without a word.
    Close,
}

/// A request as it came: its head, and its body.
type Heard = (String, Value);

fn json_answer(body: Value) -> Act {
    Act::Answer(200, "content-type: application/json", body.to_string())
}

fn events(list: &[Value]) -> String {
    let event = |v: &Value| {
        let name = v.get("type").and_then(Value::as_str).map(|t| format!("event: {t}\n")).unwrap_or_default();
        format!("{name}data: {v}\n\n")
    };
    list.iter().map(event).collect()
}

fn stream_answer(text: String) -> Act {
    Act::Answer(200, "content-type: text/event-stream", text)
}

/// A server that does these acts in turn; what it heard.
fn server(acts: Vec<Act>) -> (String, Receiver<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let (tell, heard) = channel();
    std::thread::spawn(move || {
        for act in acts {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let _ = tell.send(request(&mut stream));
            let head = |status: u16, more: &str, length: Option<usize>| {
                let length = length.map(|n| format!("content-length: {n}\r\n")).unwrap_or_default();
                format!("HTTP/1.1 {status} X\r\n{more}\r\n{length}connection: close\r\n\r\n")
            };
            let gone = |stream: &mut TcpStream| {
                let _ = stream.read(&mut [0; 1]);
            };
            match act {
                Act::Answer(status, more, body) => {
                    let _ = stream.write_all((head(status, more, Some(body.len())) + &body).as_bytes());
                }
                Act::Hang => gone(&mut stream),
                Act::Stall(body) => {
                    let _ = stream.write_all((head(200, "content-type: text/event-stream", None) + &body).as_bytes());
                    gone(&mut stream);
                }
                Act::Drip(pieces) => {
                    let _ = stream.write_all(head(200, "content-type: text/event-stream", None).as_bytes());
                    for (wait, piece) in pieces {
                        std::thread::sleep(wait);
                        let _ = stream.write_all(piece.as_bytes());
                    }
                }
                Act::Break(body) => {
                    let all = head(200, "content-type: text/event-stream", Some(body.len() + 100)) + &body;
                    let _ = stream.write_all(all.as_bytes());
                }
                Act::Close => {}
            }
        }
    });
    (url, heard)
}

fn request(stream: &mut TcpStream) -> Heard {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|l| l.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return (head.to_owned(), serde_json::from_str(body).unwrap_or_default());
            }
        }
        match stream.read(&mut buffer) {
            Ok(n) if n > 0 => bytes.extend_from_slice(&buffer[..n]),
            _ => return (text, Value::Null),
        }
    }
}

/// Waits long for answers, whatever else the machine does, and tries again soon.
fn patient() -> RetryPolicy {
    let ms = Duration::from_millis;
    RetryPolicy {
        connect: ms(60_000),
        first: ms(60_000),
        idle: ms(60_000),
        total: ms(60_000),
        tries: 3,
        pause: ms(2),
        longest_pause: ms(2000),
    }
}

fn model(name: &str, url: &str) -> ProviderModel {
    let variables = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GEMINI_BASE_URL", "OPENAI_COMPATIBLE_BASE_URL"];
    let keys = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"];
    let environment = variables.map(|v| (v, url)).into_iter().chain(keys.map(|k| (k, "sk-secret"))).collect();
    ProviderModel::new(name.parse().unwrap(), &environment, patient()).unwrap()
}

fn ask(model: &mut ProviderModel, stream: bool) -> (Result<Reply, Error>, Vec<String>) {
    let mut pieces = Vec::new();
    let mut said = |piece: &str| pieces.push(piece.to_owned());
    let messages = [Message::system("s"), Message::user("u")];
    let mut request = Request::new(&messages);
    if stream {
        request.said = Some(&mut said);
    }
    let reply = model.reply(request);
    (reply, pieces)
}

fn chat(text: &str) -> Value {
    json!({"id": "c", "object": "chat.completion", "model": "m", "choices": [
        {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}})
}

fn chat_stream(pieces: &[&str], finish: &str) -> String {
    let mut all: Vec<Value> = pieces
        .iter()
        .map(|p| json!({"choices": [{"index": 0, "delta": {"content": p}, "finish_reason": null}]}))
        .collect();
    all.push(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]}));
    all.push(json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 4}}}));
    events(&all) + "data: [DONE]\n\n"
}

/// What says why it finished is complete; whatever follows, or does not. What does not say it is cut off, and asked again.
#[test]
fn a_stream_that_says_why_it_finished_is_complete() {
    let whole = chat_stream(&["a \u{1f600}", "b"], "stop");
    let without_done = whole.replace("data: [DONE]\n\n", "");
    let without_usage = without_done.split_inclusive("\n\n").take(3).collect::<String>();
    let half = without_done.replace("\u{1f600}", "\\ud83d");
    for (stream, text) in [
        (stream_answer(without_done.clone()), "a \u{1f600}b"),
        (stream_answer(without_usage.clone()), "a \u{1f600}b"),
        (stream_answer(without_usage.trim_end().to_owned()), "a \u{1f600}b"),
        (stream_answer(without_done.replace("\n", "\r\n").replace("data: ", "data:")), "a \u{1f600}b"),
        (
            stream_answer(
                without_done.replace("data: ", ": alive\n\ndata: ").replace("\"usage\"", "\"error\":null,\"usage\""),
            ),
            "a \u{1f600}b",
        ),
        (stream_answer(half), "a \u{fffd}b"),
        (Act::Break(without_usage.clone()), "a \u{1f600}b"),
    ] {
        let (url, heard) = server(vec![stream, stream_answer(chat_stream(&["asked again"], "stop"))]);
        let reply = ask(&mut model("openai/gpt-5.1", &url), true).0.unwrap();
        assert_eq!((reply.text.as_str(), heard.try_iter().count()), (text, 1), "{without_done}");
    }
    // Nothing of it was shown: it is asked again. Where something was, it is an error.
    let cut = events(&[json!({"choices": [{"index": 0, "delta": {"role": "assistant"}, "finish_reason": ""}]})]);
    let (url, heard) = server(vec![stream_answer(cut), stream_answer(chat_stream(&["asked again"], "stop"))]);
    assert_eq!(ask(&mut model("openai/gpt-5.1", &url), true).0.unwrap().text, "asked again");
    assert_eq!(heard.try_iter().count(), 2);
    let cut = without_done.split_inclusive("\n\n").take(2).collect::<String>();
    let (url, _) = server(vec![stream_answer(cut)]);
    let told = ask(&mut model("openai/gpt-5.1", &url), true).0.unwrap_err().to_string();
    assert!(told.contains("broke off after its beginning was shown"), "{told}");
}

fn limited(more: &'static str) -> Act {
    Act::Answer(429, more, json!({"error": {"message": "slow down", "type": "rate_limit"}}).to_string())
}

#[test]
fn chat_is_asked_and_answers_whole_and_streamed() {
    let (url, heard) =
        server(vec![json_answer(chat(" I look.\n")), stream_answer(chat_stream(&["I ", "look", "."], "length"))]);
    let mut m = model("openai/gpt-5.1", &url);
    let (reply, _) = ask(&mut m, false);
    let usage = ptc_turns::trace::record::ModelUsage {
        provider: "openai".into(),
        model: "gpt-5.1".into(),
        input_tokens: Some(10),
        output_tokens: Some(2),
        cached_tokens: Some(4),
        cache_write_tokens: None,
        model_ms: None,
        retries: None,
    };
    let expected = Reply { text: " I look.\n".into(), usage: Some(usage.clone()), ..Reply::default() };
    assert_eq!(reply.unwrap(), expected);
    let (reply, pieces) = ask(&mut m, true);
    assert_eq!(pieces, ["I ", "look", "."]);
    assert_eq!(reply.unwrap(), Reply { text: "I look.".into(), cut: true, usage: Some(usage), ..Reply::default() });
    let (head, body) = heard.recv().unwrap();
    assert!(head.starts_with("POST /v1/chat/completions HTTP/1.1"), "{head}");
    assert!(head.to_lowercase().contains("authorization: bearer sk-secret"), "{head}");
    let messages = json!([{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]);
    assert_eq!(body, json!({"model": "gpt-5.1", "stream": false, "messages": messages}));
    let (_, body) = heard.recv().unwrap();
    assert_eq!((&body["stream"], &body["stream_options"]), (&json!(true), &json!({"include_usage": true})));
}

#[test]
fn a_wait_before_the_next_try_is_told_in_words_of_ours() {
    let (url, _) = server(vec![limited("retry-after-ms: 3"), Act::Close, json_answer(chat("(return 1)"))]);
    let mut waits = Vec::new();
    let mut event = |event: ModelEvent<'_>| match event {
        ModelEvent::Retry(r) => waits.push((r.reason.clone(), r.wait >= Duration::from_millis(1), r.tried, r.tries)),
        other => panic!("{other:?}"),
    };
    let messages = [Message::user("u")];
    let reply = model("openai/m", &url).reply(Request { events: Some(&mut event), ..Request::new(&messages) });
    assert_eq!(reply.unwrap().text, "(return 1)");
    assert_eq!(waits.len(), 2, "{waits:?}");
    assert_eq!(waits[0], ("too many requests".to_owned(), true, 1, 3));
    assert!(!waits[1].0.contains("127.0.0.1") && (waits[1].2, waits[1].3) == (2, 3), "{waits:?}");
}

#[test]
fn settings_tools_and_schema_are_sent_as_each_provider_names_them() {
    let schema = json!({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": false});
    let sent = |name: &str| {
        let (url, heard) = server(vec![Act::Close]);
        let extra = json!({"grammar": "root ::= \"x\"", "top_k": 1}).as_object().cloned();
        let settings = Settings { max_tokens: Some(50), temperature: Some(0.5), cache: None, extra };
        let messages = [Message::user("u")];
        let tools = [Tool::new("find", "Finds")];
        let mut m = model(name, &url);
        m.retry.tries = 1;
        let request = Request { settings, tools: &tools, schema: Some(&schema), ..Request::new(&messages) };
        assert!(matches!(
            m.reply(request).unwrap_err().kind(),
            ErrorKind::Model { reason: ModelErrorKind::Disconnected, .. }
        ));
        heard.recv().unwrap().1
    };
    let b = sent("openai/gpt-5.1");
    assert_eq!((&b["max_completion_tokens"], b.get("max_tokens")), (&json!(50), None));
    assert_eq!((&b["temperature"], &b["grammar"], &b["top_k"]), (&json!(0.5), &json!("root ::= \"x\""), &json!(1)));
    assert_eq!(b["response_format"]["json_schema"]["schema"], schema);
    assert_eq!(b["tools"][0]["function"]["name"], "find");
    assert_eq!(sent("openai-compatible/smol-high")["model"], "smol-high");
    assert_eq!(sent("openai-compatible/smol-high").get("reasoning_effort"), None);
    assert_eq!(sent("openai-compatible/smol")["max_tokens"], 50);
    let b = sent("openai-responses/gpt-5.1");
    assert_eq!((&b["max_output_tokens"], &b["text"]["format"]["schema"]), (&json!(50), &schema));
    assert_eq!((&b["include"], &b["store"]), (&json!(["reasoning.encrypted_content"]), &json!(false)));
    assert_eq!((&b["tools"][0]["name"], &b["top_k"]), (&json!("find"), &json!(1)));
    assert_eq!(sent("openai-responses/gpt-4o").get("include"), None);
    // It is named as those that think, and does not.
    for name in ["gpt-5-chat", "gpt-5-chat-latest"] {
        assert_eq!(sent(&format!("openai-responses/{name}")).get("include"), None);
        let b = sent(&format!("openai/{name}"));
        assert_eq!((b.get("max_completion_tokens"), &b["max_tokens"]), (None, &json!(50)));
    }
    let b = sent("anthropic/claude-sonnet-4-5");
    assert_eq!((&b["max_tokens"], &b["top_k"]), (&json!(50), &json!(1)));
    assert_eq!((&b["tools"][0]["name"], &b["output_config"]["format"]["schema"]), (&json!("find"), &schema));
    let b = sent("gemini/gemini-3-pro");
    assert_eq!((&b["generationConfig"]["maxOutputTokens"], &b["top_k"]), (&json!(50), &json!(1)));
    assert_eq!(b["generationConfig"]["responseJsonSchema"], schema);
    assert_eq!((b.get("model"), &b["tools"][0]["functionDeclarations"][0]["name"]), (None, &json!("find")));
}

#[test]
fn what_is_given_beside_is_put_into_what_is_there() {
    let (url, heard) = server(vec![Act::Close]);
    let extra = json!({"generationConfig": {"topK": 3, "temperature": 1}}).as_object().cloned();
    let settings = Settings { max_tokens: Some(50), temperature: Some(0.5), cache: None, extra };
    let messages = [Message::user("u")];
    let mut m = model("gemini/gemini-3-pro", &url);
    m.retry.tries = 1;
    assert!(m.reply(Request { settings, ..Request::new(&messages) }).is_err());
    let config = json!({"topK": 3, "temperature": 1, "maxOutputTokens": 50});
    assert_eq!(heard.recv().unwrap().1["generationConfig"], config);
}

#[test]
fn anthropic_marks_what_will_be_read_again() {
    let answer = || {
        json_answer(json!({"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "end_turn",
            "content": [{"type": "thinking", "thinking": "hm", "signature": "sig"}, {"type": "text", "text": "(return 1)"},
                {"type": "tool_use", "id": "t1", "name": "find", "input": {"x": 1}}],
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 5}}))
    };
    let (url, heard) = server((0..4).map(|_| answer()).collect());
    let mut m = model("anthropic/claude-sonnet-4-5", &url);
    let turn = |i: i32| [Message::assistant(format!("a{i}")), Message::user(format!("u{i}"))];
    let opening = vec![Message::system("s"), Message::user("u")];
    let mut marked = |messages: &[Message], cache: Option<bool>| {
        let settings = Settings { cache, ..Settings::default() };
        let reply = m.reply(Request { settings, ..Request::new(messages) }).unwrap();
        let (head, body) = heard.recv().unwrap();
        assert!(head.to_lowercase().contains("x-api-key: sk-secret") && head.contains("anthropic-version"), "{head}");
        let system = body["system"].as_array().is_some_and(|s| s[0].get("cache_control").is_some());
        let at = body["messages"].as_array().unwrap().iter().enumerate().filter(|(_, m)| {
            m["content"].as_array().is_some_and(|c| c.iter().any(|b| b.get("cache_control").is_some()))
        });
        (system, at.map(|(i, _)| i).collect::<Vec<_>>(), reply)
    };
    let long: Vec<Message> = [opening.clone(), turn(1).to_vec()].concat();
    let (system, at, reply) = marked(&opening, None);
    assert_eq!((system, at), (true, vec![0]));
    let usage = reply.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens), (Some(100), Some(60), Some(30)));
    let [Block::Reasoning { text, signature: Some(seal) }, Block::ToolUse { id, input, .. }] = reply.blocks.as_slice()
    else {
        panic!("{:?}", reply.blocks)
    };
    assert_eq!((text.as_str(), seal.data.as_str(), seal.model.as_deref()), ("hm", "sig", Some("claude-sonnet-4-5")));
    assert_eq!((id.as_str(), input, reply.text.as_str()), ("t1", &json!({"x": 1}), "(return 1)"));
    // What is extended is read to its end and written on.
    let (system, at, _) = marked(&long, None);
    assert_eq!((system, at), (true, vec![0, 2]));
    // What is rewritten is not written to its end: nobody would read it.
    let changed: Vec<Message> = [opening.clone(), turn(2).to_vec(), turn(3).to_vec()].concat();
    let (system, at, _) = marked(&changed, None);
    assert_eq!((system, at), (true, vec![0]));
    assert_eq!(marked(&changed, Some(false)).1, Vec::<usize>::new());
}

/// OpenAI's newer models take breakpoints; its older ones cache by themselves, and its other servers refuse the field.
#[test]
fn openai_marks_what_will_be_read_again_from_5_6_on() {
    let opening = [Message::system("s"), Message::user("u")];
    let long = [&opening[..], &[Message::assistant("a"), Message::user("v")]].concat();
    let sent = |name: &str, cache: Option<bool>| {
        let answer = || match name.starts_with("openai-responses") {
            true => json_answer(
                json!({"id": "r", "object": "response", "status": "completed", "model": "m", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "a"}]}]}),
            ),
            false => json_answer(chat("a")),
        };
        let (url, heard) = server(vec![answer(), answer()]);
        let mut m = model(name, &url);
        [&opening[..], &long[..]].map(|messages| {
            let settings = Settings { cache, ..Settings::default() };
            m.reply(Request { settings, ..Request::new(messages) }).unwrap();
            heard.recv().unwrap().1
        })
    };
    // Which items of a body end in a mark.
    let marked = |body: &Value| -> Vec<usize> {
        let items = body["messages"].as_array().or_else(|| body["input"].as_array()).unwrap();
        let mark = json!({"mode": "explicit"});
        let last = |m: &Value| m["content"].as_array().and_then(|c| c.last()?.get("prompt_cache_breakpoint").cloned());
        items.iter().enumerate().filter(|(_, m)| last(m).as_ref() == Some(&mark)).map(|(i, _)| i).collect()
    };
    for name in ["openai/gpt-5.6", "openai/gpt-6-mini", "openai-responses/gpt-5.6"] {
        let [first, second] = sent(name, None);
        assert_eq!((marked(&first), marked(&second)), (vec![0, 1], vec![0, 1, 3]), "{name}: {first} {second}");
        assert_eq!(second["prompt_cache_options"], json!({"mode": "explicit"}));
    }
    for (name, cache) in
        [("openai/gpt-5.5", None), ("openai-compatible/gpt-5.6", None), ("openai/gpt-5.6", Some(false))]
    {
        let [_, second] = sent(name, cache);
        assert!(!second.to_string().contains("prompt_cache_breakpoint"), "{name}: {second}");
        if cache.is_none() {
            assert_eq!(second.get("prompt_cache_options"), None);
        }
    }
}

#[test]
fn anthropic_streams_thoughts_with_seals_and_calls() {
    let text = events(&[
        json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "c",
            "usage": {"input_tokens": 10, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 60, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": "", "signature": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "sig"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "(ret"}}),
        json!({"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "urn 1)"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t1", "name": "find", "input": {}}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": "{\"x\": 1}"}}),
        json!({"type": "content_block_stop", "index": 2}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ]);
    let (url, _) = server(vec![stream_answer(text)]);
    let (mut pieces, mut thoughts) = (Vec::new(), String::new());
    let mut said = |piece: &str| pieces.push(piece.to_owned());
    let mut event = |event: ModelEvent<'_>| match event {
        ModelEvent::Thought(piece) => thoughts.push_str(piece),
        ModelEvent::Retry(retry) => panic!("{retry:?}"),
    };
    let messages = [Message::system("s"), Message::user("u")];
    let request = Request { said: Some(&mut said), events: Some(&mut event), ..Request::new(&messages) };
    let reply = model("anthropic/claude-sonnet-4-5", &url).reply(request).unwrap();
    assert_eq!(thoughts, "hm");
    assert_eq!((pieces.concat(), reply.text.as_str(), reply.cut), ("(return 1)".into(), "(return 1)", false));
    let usage = reply.usage.unwrap();
    assert_eq!(
        (usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.cache_write_tokens),
        (Some(100), Some(5), Some(60), Some(30))
    );
    let [Block::Reasoning { text, signature: Some(seal) }, Block::ToolUse { id, input, .. }] = reply.blocks.as_slice()
    else {
        panic!("{:?}", reply.blocks)
    };
    assert_eq!((text.as_str(), seal.data.as_str(), id.as_str(), input), ("hm", "sig", "t1", &json!({"x": 1})));
}

/// What was thought on one request goes back with the next one as it came.
#[test]
fn responses_thoughts_and_calls_come_back_verbatim() {
    let output = json!([
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "enc"},
        {"type": "function_call", "id": "f", "call_id": "c1", "name": "find", "arguments": "{\"x\":1}"},
    ]);
    let response = json!({"id": "resp", "object": "response", "status": "completed", "model": "m", "output": output,
        "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 3}});
    let mut list: Vec<Value> = output
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
        .map(|(i, item)| json!({"type": "response.output_item.done", "output_index": i, "item": item}))
        .collect();
    list.insert(
        0,
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "So."}),
    );
    list.push(json!({"type": "response.completed", "response": response}));
    let done = json!({"id": "resp", "status": "incomplete", "model": "m",
        "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x", "annotations": []}]}]});
    let (url, heard) = server(vec![json_answer(response), stream_answer(events(&list)), json_answer(done)]);
    let mut m = model("openai-responses/gpt-5.1", &url);
    let whole = ask(&mut m, false).0.unwrap();
    let (streamed, pieces) = ask(&mut m, true);
    let streamed = streamed.unwrap();
    assert_eq!((pieces.concat().as_str(), streamed.text.as_str(), whole.text.as_str()), ("So.", "So.", ""));
    assert_eq!((&whole.blocks, &whole.usage), (&streamed.blocks, &streamed.usage));
    assert_eq!(whole.usage.unwrap().cached_tokens, Some(0));
    let mut said = vec![Block::text("So.")];
    said.splice(0..0, whole.blocks);
    let result = Message::of(Role::Tool, vec![Block::tool_result("c1", "ok")]);
    let tools = [Tool::new("find", "Finds")];
    let messages = [Message::system("s"), Message::user("u"), Message::of(Role::Assistant, said), result];
    let reply = m.reply(Request { tools: &tools, ..Request::new(&messages) }).unwrap();
    assert_eq!((reply.text.as_str(), reply.cut), ("x", true));
    let body = heard.iter().nth(2).unwrap().1;
    let sent = body["input"].as_array().unwrap();
    let reasoning =
        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "enc"});
    assert!(sent.contains(&reasoning), "{body:#}");
    let call = json!({"type": "function_call", "call_id": "c1", "name": "find", "arguments": "{\"x\":1}"});
    assert!(sent.contains(&call), "{body:#}");
}

#[test]
fn gemini_keeps_signatures_where_they_stood() {
    let parts = [
        json!({"text": "So "}),
        json!({"text": "it is."}),
        json!({"functionCall": {"name": "find", "args": {"x": 1}}, "thoughtSignature": "sig"}),
    ];
    let usage = json!({"promptTokenCount": 9, "candidatesTokenCount": 3, "thoughtsTokenCount": 2, "cachedContentTokenCount": 4});
    let body = |parts: &[Value], finish: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": finish}],
        "usageMetadata": usage, "modelVersion": "g"})
    };
    let chunks = [body(&parts[..1], Value::Null), body(&parts[1..2], Value::Null), body(&parts[2..], json!("STOP"))];
    let chunks: String = chunks.iter().map(|c| format!("data: {c}\r\n\r\n")).collect();
    let blocked = json!({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage});
    let (url, heard) =
        server(vec![json_answer(body(&parts, json!("STOP"))), stream_answer(chunks), json_answer(blocked)]);
    let mut m = model("gemini/gemini-3-pro", &url);
    let whole = ask(&mut m, false).0.unwrap();
    let (streamed, pieces) = ask(&mut m, true);
    assert_eq!((pieces.concat().as_str(), whole.text.as_str()), ("So it is.", "So it is."));
    let [Block::Reasoning { signature: Some(seal), .. }, Block::ToolUse { name, .. }] = whole.blocks.as_slice() else {
        panic!("{:?}", whole.blocks)
    };
    assert_eq!((seal.data.as_str(), name.as_str()), ("sig", "find"));
    assert_eq!(whole, streamed.unwrap());
    let usage = whole.usage.unwrap();
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.cached_tokens), (Some(9), Some(5), Some(4)));
    assert!(matches!(
        ask(&mut m, false).0.unwrap_err().kind(),
        ErrorKind::Model { reason: ModelErrorKind::Empty | ModelErrorKind::Malformed, .. }
    ));
    let heads: Vec<String> = heard.iter().take(2).map(|h| h.0).collect();
    assert!(heads[0].starts_with("POST /v1/models/gemini-3-pro:generateContent HTTP"), "{}", heads[0]);
    assert!(heads[1].starts_with("POST /v1/models/gemini-3-pro:streamGenerateContent?alt=sse HTTP"), "{}", heads[1]);
    assert!(heads[0].contains("x-goog-api-key: sk-secret"), "{}", heads[0]);
}

#[test]
fn what_passes_is_asked_again() {
    let broken = || Act::Answer(503, "content-type: text/html", "<html>".into());
    for stream in [false, true] {
        let good = || if stream { stream_answer(chat_stream(&["x"], "stop")) } else { json_answer(chat("x")) };
        for acts in [
            vec![limited("retry-after-ms: 1"), broken(), good()],
            vec![Act::Close, Act::Close, good()],
            vec![Act::Break(String::new()), good()],
            vec![Act::Answer(409, "a: b", String::new()), Act::Answer(408, "a: b", String::new()), good()],
        ] {
            let n = acts.len();
            let (url, heard) = server(acts);
            assert_eq!(ask(&mut model("openai/m", &url), stream).0.unwrap().text, "x");
            assert_eq!(heard.iter().take(n).count(), n);
        }
    }
}

#[test]
fn what_does_not_pass_is_not() {
    for status in [400, 401, 403, 404, 422] {
        for stream in [false, true] {
            let (url, heard) = server(vec![Act::Answer(status, "a: b", "words-7 sk-secret".into()), Act::Close]);
            let e = ask(&mut model("openai/m", &url), stream).0.unwrap_err();
            assert!(!matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Disconnected, .. }), "{e}");
            assert!(e.to_string().contains("words-7") && !e.to_string().contains("sk-"), "{e}");
            assert_eq!(heard.try_iter().count(), 1);
        }
    }
}

#[test]
fn tries_are_counted_and_long_waits_are_not_waited() {
    let (url, heard) = server((0..5).map(|_| limited("a: b")).collect());
    let e = ask(&mut model("openai/m", &url), true).0.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::RateLimited, status: Some(429), tries: 3 });
    assert_eq!(
        e.to_string(),
        "openai/m: too many requests, given up after 3 tries: slow down; wait, or ask the provider for a higher limit"
    );
    assert_eq!(heard.try_iter().count(), 3);
    // The mock's patience ends at two seconds.
    let (url, heard) = server(vec![limited("retry-after: 30"), limited("a: b")]);
    let e = ask(&mut model("openai/m", &url), false).0.unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::RateLimited, status: Some(429), tries: 1 });
    assert_eq!(
        e.to_string(),
        "openai/m: too many requests, given up after 1 try: slow down; wait, or ask the provider for a higher limit"
    );
    assert_eq!(heard.try_iter().count(), 1);
}

#[test]
fn what_was_told_is_not_told_again() {
    let begin = events(&[json!({"choices": [{"index": 0, "delta": {"content": "I l"}}]})]);
    for act in [Act::Break(begin.clone()), Act::Stall(begin)] {
        let (url, heard) = server(vec![act, Act::Close]);
        let mut m = model("openai/m", &url);
        m.retry.idle = Duration::from_millis(300);
        let (reply, pieces) = ask(&mut m, true);
        let e = reply.unwrap_err();
        assert!(
            matches!(
                e.kind(),
                ErrorKind::Model { reason: ModelErrorKind::Disconnected, tries: 1, .. }
                    | ErrorKind::Model { reason: ModelErrorKind::Timeout, .. }
            ) && ["after its beginning was shown", "Raise idle_timeout"].iter().any(|w| e.to_string().contains(w)),
            "{e}"
        );
        assert_eq!((pieces.concat().as_str(), heard.try_iter().count()), ("I l", 1));
    }
}

#[test]
fn an_overloaded_stream_is_asked_again_before_it_has_begun() {
    let overloaded =
        events(&[json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}})]);
    let (url, _) = server((0..3).map(|_| stream_answer(overloaded.clone())).collect());
    let e = ask(&mut model("anthropic/c", &url), true).0.unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Overloaded, status: Some(529), tries: 3 }),
        "{e}"
    );
}

#[test]
fn silence_has_an_end() {
    let (url, _) = server(vec![Act::Hang, Act::Hang, Act::Hang]);
    let mut m = model("openai/m", &url);
    m.retry.first = Duration::from_millis(300);
    let e = ask(&mut m, true).0.unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Timeout, tries: 3, .. })
            && e.to_string().contains("Raise first_timeout"),
        "{e}"
    );
    // Signs of life without an answer are none.
    let comments = (0..100).map(|_| (Duration::from_millis(20), ": here\n\n".to_owned())).collect();
    let (url, _) = server(vec![Act::Drip(comments)]);
    let mut m = model("openai/m", &url);
    (m.retry.first, m.retry.tries) = (Duration::from_millis(300), 1);
    let e = ask(&mut m, true).0.unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Timeout, .. })
            && e.to_string().contains("Raise first_timeout"),
        "{e}"
    );
    let (url, heard) = server(vec![Act::Hang, Act::Hang]);
    let mut m = model("openai/m", &url);
    m.retry.total = Duration::from_millis(300);
    let e = ask(&mut m, false).0.unwrap_err();
    assert!(
        matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Timeout, tries: 1, .. })
            && e.to_string().contains("Raise timeout"),
        "{e}"
    );
    assert_eq!(heard.try_iter().count(), 1);
}

/// What is slow and lives is waited for: the head of an answer is none of it, and a comment is a sign of life.
#[test]
fn a_slow_stream_is_heard_to_its_end() {
    let ms = Duration::from_millis;
    let whole = chat_stream(&["a", "b"], "stop");
    let (begin, rest) = whole.split_once("\n\n").unwrap();
    let comment = || (ms(700), ": still here\n\n".to_owned());
    let drip = vec![(ms(1800), format!("{begin}\n\n")), comment(), comment(), comment(), (ms(700), rest.to_owned())];
    let (url, _) = server(vec![Act::Drip(drip)]);
    let mut m = model("openai/m", &url);
    m.retry.idle = ms(1500);
    let (reply, pieces) = ask(&mut m, true);
    assert_eq!((reply.unwrap().text.as_str(), pieces.concat().as_str()), ("ab", "ab"));
}

#[test]
fn endless_patience_is_no_panic() {
    let (url, _) = server(vec![limited("a: b"), stream_answer(chat_stream(&["a"], "stop")), json_answer(chat("b"))]);
    let mut m = model("openai/m", &url);
    let most = Duration::MAX;
    m.retry = RetryPolicy { connect: most, first: most, idle: most, total: most, longest_pause: most, ..patient() };
    assert_eq!(ask(&mut m, true).0.unwrap().text, "a");
    assert_eq!(ask(&mut m, false).0.unwrap().text, "b");
}

#[test]
fn nobody_there_is_told_at_once_with_the_address() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    for stream in [false, true] {
        let e = ask(&mut model("openai/m", &url), stream).0.unwrap_err().to_string();
        let words = format!(
            "openai/m: no connection to {url} (Connection refused (os error 111)), given up after 1 try; is the server running? The address is OPENAI_BASE_URL"
        );
        assert_eq!(e, words);
    }
}

/// A server that never answers, and a stream that stalls: raising the flag ends both.
#[test]
fn a_raised_flag_ends_a_hanging_request() {
    let begin = events(&[json!({"choices": [{"index": 0, "delta": {"content": "I l"}}]})]);
    for (act, stream) in [(Act::Hang, false), (Act::Hang, true), (Act::Stall(begin), true)] {
        let (url, heard) = server(vec![act]);
        let mut m = model("openai/m", &url);
        m.retry = RetryPolicy::default();
        let cancel = Cancel::default();
        let flag = cancel.clone();
        let raised = std::thread::spawn(move || {
            let _ = heard.recv();
            flag.cancel();
        });
        let mut said = |_: &str| {};
        let messages = [Message::user("u")];
        let mut request = Request { cancel: cancel.clone(), ..Request::new(&messages) };
        if stream {
            request.said = Some(&mut said);
        }
        assert_eq!(m.reply(request), Err(Error::cancelled()));
        raised.join().unwrap();
        assert_eq!(m.reply(Request { cancel, ..Request::new(&messages) }), Err(Error::cancelled()));
    }
}

#[test]
fn answers_that_are_none_are_told_apart() {
    let html = || Act::Answer(200, "content-type: text/html", "<html>hello</html>".into());
    let cases: Vec<(Act, bool, &str)> = vec![
        (html(), false, "cannot be read: it is text/html, not JSON; does OPENAI_BASE_URL name a server of this kind?"),
        (html(), true, "cannot be read: it is no stream of events; does OPENAI_BASE_URL name a server of this kind?"),
        (json_answer(json!({"hello": 1})), false, "cannot be read: it holds no message of a model"),
        (Act::Answer(200, "content-type: application/json", "{".into()), false, "cannot be read: it is no JSON"),
        (stream_answer("data: {oops\n\n".into()), true, "cannot be read: it is no JSON"),
        (json_answer(chat(" \n")), false, "the answer is empty (it ended with stop); ask in other words"),
        (
            stream_answer(chat_stream(&[], "length")),
            true,
            "the answer is empty (it ended with length); raise max_tokens",
        ),
        (
            stream_answer(chat_stream(&[], "content_filter")),
            true,
            "the answer is empty (the provider's filter: content_filter)",
        ),
    ];
    for (act, stream, words) in cases {
        let (url, heard) = server(vec![act, Act::Close]);
        let e = ask(&mut model("openai/m", &url), stream).0.unwrap_err().to_string();
        assert!(e.contains(words), "{e}");
        assert_eq!((heard.try_iter().count(), e.lines().count()), (1, 1), "{e}");
    }
}

#[test]
fn nothing_is_not_asked() {
    let e = model("openai/m", "http://127.0.0.1:9").reply(Request::new(&[])).unwrap_err().to_string();
    assert_eq!(e, "openai/m: nothing is asked; give a user message");
}

#[test]
fn it_works_inside_a_runtime_too() {
    let (url, _) = server(vec![json_answer(chat("x"))]);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reply = runtime.block_on(async { ask(&mut model("openai/m", &url), false).0 });
    assert_eq!(reply.unwrap().text, "x");
}
