//! Laws of repair, export, validation and import, on random conversations and on recorded ones.

#![allow(clippy::unwrap_used, clippy::panic)]

use proptest::prelude::*;
use ptc_history::conversation::message::{Block, Message, Role, Signature};
use ptc_history::export;
use ptc_history::repair::{Ending, Target, repair};
use ptc_history::wire::validate::{carries_on, has_system, validate, validate_open};
use ptc_history::wire::{Cache, CacheBreakpoint, CacheBreakpoints, Format, Request, Tool, Ttl};
use serde_json::{Value, json};

/// Texts, blank ones among them.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z ]{1,12}",
        1 => Just(String::new()),
        1 => Just(" \n\t".to_owned()),
        1 => Just("{\"a\":1}".to_owned()),
        1 => Just("{\"output\":\"x\"}".to_owned()),
        1 => any::<String>(),
    ]
}

/// Few ids, so that they are reused and cross; some illegal.
fn id() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[ab]",
        1 => Just(String::new()),
        1 => Just("call with blanks/\u{e9}".to_owned()),
        1 => Just("x".repeat(90)),
        1 => Just("toolu_01:A.b|fc_9".to_owned()),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![6 => "[fgh]", 1 => Just("a.b/c".to_owned()), 1 => Just(String::new()), 1 => Just("n".repeat(70))]
}

fn input() -> impl Strategy<Value = Value> {
    prop_oneof![
        6 => "[a-z]{0,4}".prop_map(|v| json!({ "x": v })),
        1 => Just(json!({})),
        1 => Just(json!("{\"x\": 1")),
        1 => Just(json!([1, 2])),
        1 => Just(Value::Null),
    ]
}

fn signature() -> impl Strategy<Value = Option<Box<Signature>>> {
    let one = (
        prop::sample::select(vec!["anthropic", "openai", "gemini", "bedrock"]),
        prop::option::of(prop::sample::select(vec!["m1", "m2"])),
        prop::sample::select(vec!["signature", "redacted", "encrypted", "compaction", "odd"]),
        "[A-Za-z0-9]{0,6}",
    );
    prop::option::of(one.prop_map(|(provider, model, kind, data)| {
        Box::new(Signature { provider: provider.into(), model: model.map(Into::into), kind: kind.into(), data })
    }))
}

fn block() -> impl Strategy<Value = Block> {
    prop_oneof![
        3 => text().prop_map(Block::text),
        2 => (text(), signature()).prop_map(|(text, signature)| Block::Reasoning { text, signature }),
        3 => (id(), name(), input()).prop_map(|(id, name, input)| Block::ToolUse { id, name, input }),
        3 => (id(), text(), any::<Option<bool>>(), prop::option::of(Just(1.5)))
            .prop_map(|(id, content, is_error, ms)| Block::ToolResult { id, content, is_error, ms }),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop::sample::select(vec![
        Role::System,
        Role::User,
        Role::User,
        Role::Assistant,
        Role::Assistant,
        Role::Assistant,
        Role::Tool,
        Role::Tool,
    ]);
    (role, prop::collection::vec(block(), 0..5)).prop_map(|(role, content)| Message::of(role, content))
}

fn conversation() -> impl Strategy<Value = Vec<Message>> {
    prop::collection::vec(message(), 0..14)
}

fn target() -> impl Strategy<Value = Target> {
    let ending = prop::sample::select(vec![Ending::Open, Ending::Request]);
    let model = prop::option::of(prop::sample::select(vec!["m1", "gemini-3-pro"]));
    (prop::sample::select(Format::ALL.to_vec()), model, ending).prop_map(|(format, model, ending)| Target {
        format,
        model: model.map(Into::into),
        ending,
        changed: None,
    })
}

/// What the wire can say of a message: no source of a text, no duration, nothing about it; no model of a seal.
fn wire(messages: &[Message]) -> Vec<Message> {
    let mut out = messages.to_vec();
    for m in &mut out {
        m.meta = None;
        for b in &mut m.content {
            match b {
                Block::Text { part, .. } => *part = None,
                Block::Reasoning { signature: Some(signature), .. } => signature.model = None,
                Block::ToolResult { ms, .. } => *ms = None,
                Block::Reasoning { .. } | Block::ToolUse { .. } => {}
            }
        }
    }
    out
}

/// The calls with their results, in order: what no repair may change (F-30). Ids aside, they may be spelled anew.
fn pairs(messages: &[Message]) -> Vec<(String, Option<String>)> {
    let mut calls: Vec<(String, String, Option<String>)> = Vec::new();
    for block in messages.iter().flat_map(|m| &m.content) {
        match block {
            Block::ToolUse { id, name, input } => calls.push((id.clone(), format!("{name} {input}"), None)),
            Block::ToolResult { id, content, .. } => {
                if let Some(call) = calls.iter_mut().rev().find(|c| c.0 == *id && c.2.is_none()) {
                    call.2 = Some(content.clone());
                }
            }
            _ => {}
        }
    }
    calls.into_iter().map(|(_, call, result)| (call, result)).collect()
}

fn laws(messages: &[Message], target: &Target) {
    let format = target.format;
    let once = repair(messages, &[], target);
    let body = once.request().body(format, &CacheBreakpoints::default());

    // V1-V12: nothing the provider refuses.
    let violations = match target.ending {
        Ending::Request => validate(format, &body),
        Ending::Open => validate_open(format, &body),
    };
    assert!(violations.is_empty(), "{format}: {violations:?}\n{body}");

    // Repair is idempotent, and silent the second time.
    let twice = repair(&once.messages, &once.tools, target);
    assert_eq!(twice.messages, once.messages, "{format}");
    assert_eq!(twice.tools, once.tools);
    assert!(twice.events.is_empty(), "{format}: {:?}", twice.events);

    // K-33: what goes out comes back.
    let back = Request::import(format, &body).unwrap();
    assert_eq!(back.messages, wire(&once.messages), "{format}: {body}");
    assert_eq!(back.tools, once.tools);
    assert!(back.rest.is_empty());

    // V11, K-09: system texts byte for byte, in order.
    let system: Vec<String> = messages
        .iter()
        .filter(|m| m.role == Role::System && m.is_plain())
        .flat_map(|m| m.content.iter())
        .filter_map(|b| match b {
            Block::Text { text, .. } if !text.trim().is_empty() => Some(text.clone()),
            _ => None,
        })
        .collect();
    let system: Vec<&str> = system.iter().map(String::as_str).collect();
    assert_eq!(has_system(format, &body, &system), vec![]);
    assert_eq!(carries_on(format, &body, &body), vec![]);

    // Each block says where it came from.
    for (m, origin) in once.messages.iter().zip(&once.origin) {
        assert_eq!(m.content.len(), origin.len());
        assert!(origin.iter().all(|o| *o < messages.len().max(1)));
    }
    assert_eq!(once.messages.len(), once.origin.len());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn k_33_v1_to_v12_random_conversations_are_repaired_exported_and_come_back(m in conversation(), t in target()) {
        laws(&m, &t);
    }

    #[test]
    fn b_26_export_takes_any_conversation_and_is_never_refused(m in conversation()) {
        for format in Format::ALL {
            export(&m, format).unwrap();
        }
    }

    /// F-03, F-30: no pair is parted, none is made up but for interrupted calls (F-21), ids are unique afterwards.
    #[test]
    fn f_30_pairs_are_kept_by_id_and_place(m in conversation()) {
        let objects: Vec<Message> = m.into_iter().map(with_objects).collect();
        let repaired = repair(&objects, &[], &Target::request(Format::OpenAi));
        let mut expected = pairs(&objects);
        let mut got = pairs(&repaired.messages);
        prop_assert_eq!(expected.len(), got.len());
        for ((call, result), (c, r)) in expected.drain(..).zip(got.drain(..)) {
            prop_assert_eq!(call, c);
            match result {
                Some(words) if !words.trim().is_empty() => prop_assert_eq!(Some(words), r),
                Some(_) => prop_assert!(r.is_some()),
                None => prop_assert!(r.unwrap().starts_with("interrupted")),
            }
        }
        let mut ids: Vec<&str> = repaired.messages.iter().flat_map(Message::calls).map(|(id, _)| id).collect();
        let all = ids.len();
        ids.sort_unstable();
        ids.dedup();
        prop_assert_eq!(ids.len(), all);
    }

    /// V9: marks are in their limits wherever the boundaries are asked for, and change nothing else.
    #[test]
    fn b_22_v9_marks_are_legal_wherever_they_are_asked_for(
        m in conversation(), t in target(), head in ttl(), at in prop::collection::vec((0usize..16, ttl()), 0..7),
    ) {
        let repaired = repair(&m, &[Tool::new("f", "f")], &t);
        let boundaries = at.iter().filter_map(|(after, ttl)| Some(CacheBreakpoint { after: *after, ttl: (*ttl)? })).collect();
        let marks = Cache { head, boundaries }.place(&repaired, t.format);
        let body = repaired.request().body(t.format, &marks);
        prop_assert_eq!(validate_open(t.format, &body).into_iter().filter(|_| t.ending == Ending::Open).count(), 0);
        prop_assert_eq!(validate(t.format, &body).into_iter().filter(|_| t.ending == Ending::Request).count(), 0);
        prop_assert_eq!(Request::import(t.format, &body).unwrap().messages, wire(&repaired.messages));
    }

    /// Nothing panics on any JSON, whatever form it is said to be.
    #[test]
    fn bodies_of_any_shape_are_judged_and_read_without_panic(body in body()) {
        for format in Format::ALL {
            let _ = validate(format, &body);
            let _ = validate_open(format, &body);
            let _ = carries_on(format, &body, &body);
            let _ = Format::of(&body);
            if let Ok(read) = Request::import(format, &body) {
                laws(&read.messages, &Target::request(format));
            }
        }
    }
}

fn ttl() -> impl Strategy<Value = Option<Ttl>> {
    prop::option::of(prop::sample::select(vec![Ttl::Short, Ttl::Long]))
}

fn with_objects(mut m: Message) -> Message {
    for b in &mut m.content {
        if let Block::ToolUse { input, name, .. } = b {
            name.insert(0, 'f');
            name.retain(|c| c.is_ascii_alphanumeric());
            name.truncate(60);
            if !input.is_object() {
                *input = json!({});
            }
        }
    }
    m
}

/// JSON with the words of the providers in odd places.
fn body() -> impl Strategy<Value = Value> {
    let words = vec![
        "user",
        "assistant",
        "model",
        "tool",
        "system",
        "text",
        "tool_use",
        "tool_result",
        "thinking",
        "message",
        "function_call",
        "function_call_output",
        "reasoning",
        "compaction",
        "a",
        "",
    ];
    let leaf = prop_oneof![
        4 => prop::sample::select(words).prop_map(|w| json!(w)),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(|b| json!(b)),
        1 => any::<i64>().prop_map(|n| json!(n)),
        1 => Just(json!("{\"a\":1}")),
    ];
    let keys = vec![
        "messages",
        "contents",
        "input",
        "role",
        "content",
        "parts",
        "type",
        "text",
        "id",
        "name",
        "tool_calls",
        "tool_call_id",
        "function",
        "arguments",
        "call_id",
        "output",
        "tool_use_id",
        "toolUse",
        "toolResult",
        "toolUseId",
        "functionCall",
        "functionResponse",
        "args",
        "response",
        "thoughtSignature",
        "signature",
        "reasoningContent",
        "cachePoint",
        "cache_control",
        "system",
        "tools",
        "encrypted_content",
        "is_error",
    ];
    let any = leaf.prop_recursive(5, 60, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec((prop::sample::select(keys.clone()), inner), 0..5)
                .prop_map(|l| Value::Object(l.into_iter().map(|(k, v)| (k.to_owned(), v)).collect())),
        ]
    });
    let list = prop::collection::vec(any, 0..5);
    (prop::sample::select(vec!["messages", "contents", "input"]), list).prop_map(|(k, l)| json!({ k: l }))
}

fn recorded() -> Vec<(String, Vec<Message>)> {
    let read = |line: &str| {
        let v: Value = serde_json::from_str(line).unwrap();
        let id = v["id"].as_str().unwrap().to_owned();
        (id, serde_json::from_value(v["messages"].clone()).unwrap())
    };
    include_str!("data/conversations.jsonl").lines().map(read).collect()
}

#[test]
fn k_33_recorded_conversations_obey_the_same_laws() {
    let all = recorded();
    assert!(all.len() >= 20);
    for (_, m) in &all {
        for format in Format::ALL {
            laws(m, &Target::request(format));
            laws(m, &Target::open(format));
            export(m, format).unwrap();
        }
    }
}

/// Ids used twice and calls that are never answered are real: the record holds both, and repair tells of both.
#[test]
fn f_03_f_21_the_recorded_hazards_are_told() {
    use ptc_history::repair::EventKind;
    let (mut renamed, mut interrupted) = (0, 0);
    for (_, m) in recorded() {
        let events = repair(&m, &[], &Target::request(Format::Anthropic)).events;
        renamed += events.iter().filter(|e| e.kind == EventKind::Renamed).count();
        interrupted += events.iter().filter(|e| e.kind == EventKind::Interrupted).count();
    }
    assert!(renamed > 0 && interrupted > 0, "{renamed} {interrupted}");
}

/// What is appended changes no message before the last, so that a cached prefix stays one (B-17).
#[test]
fn b_17_a_longer_conversation_begins_with_the_same_messages() {
    for (id, m) in recorded() {
        for format in Format::ALL {
            let mut before: Option<Vec<Message>> = None;
            for n in 1..=m.len() {
                // Between a call and its results nothing is sent.
                let open = ptc_history::conversation::groups::Groups::of(&m[..n]).open().any(|o| o.2 + 3 >= n);
                if open || m[n - 1].role == Role::Assistant {
                    continue;
                }
                let now = repair(&m[..n], &[], &Target::open(format)).messages;
                if let Some(before) = &before {
                    let keep = before.len().saturating_sub(1);
                    assert_eq!(now[..keep], before[..keep], "{id} {format} at {n}");
                }
                before = Some(now);
            }
        }
    }
}

/// The form that text-only conversations had before there were others: texts of a message joined by a line break,
/// neighbours and system messages by a blank line.
fn plain_form(messages: &[Message], format: Format) -> Value {
    let mut system: Vec<String> = Vec::new();
    let mut rest: Vec<(Role, String)> = Vec::new();
    for m in messages {
        let text = m.text().into_owned();
        match rest.last_mut() {
            _ if format == Format::Anthropic && m.role == Role::System => system.push(text),
            Some((role, before)) if format == Format::Anthropic && *role == m.role => {
                before.push_str("\n\n");
                before.push_str(&text);
            }
            _ => rest.push((m.role, text)),
        }
    }
    let list: Vec<Value> = rest.iter().map(|(role, text)| json!({ "role": role, "content": text })).collect();
    if system.is_empty() {
        json!({ "messages": list })
    } else {
        json!({ "system": system.join("\n\n"), "messages": list })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// K-34: what callers got for text only, they get byte for byte.
    #[test]
    fn k_34_text_only_conversations_have_the_form_they_had(
        said in prop::collection::vec(
            (prop::sample::select(vec![Role::System, Role::User, Role::Assistant]), prop::collection::vec("[a-z\n ]{0,6}x", 1..3)), 0..8),
    ) {
        let mut m = vec![Message::system("s"), Message::user("u")];
        m.extend(said.into_iter().map(|(role, texts)| Message::of(role, texts.into_iter().map(Block::text).collect())));
        for format in [Format::OpenAi, Format::Anthropic] {
            prop_assert_eq!(export(&m, format).unwrap().to_string(), plain_form(&m, format).to_string());
        }
    }
}
