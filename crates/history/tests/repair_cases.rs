//! Repair and cache marks, case by case.

#![allow(clippy::unwrap_used, clippy::panic)]

use ptc_history::conversation::message::{Block, Message, Role, Signature};
use ptc_history::export;
use ptc_history::repair::{EventKind, Repaired, Target, repair};
use ptc_history::wire::{Cache, CacheBreakpoint, CacheBreakpoints, Format, Tool, Ttl};
use serde_json::{Value, json};

fn call(id: &str) -> Block {
    Block::tool_use(id, "f", json!({}))
}

fn says(role: Role, blocks: &[Block]) -> Message {
    Message::of(role, blocks.to_vec())
}

fn sealed(provider: &str, model: Option<&str>, data: &str) -> Block {
    let kind = if provider == "openai" { "encrypted" } else { "signature" };
    let signature =
        Signature { provider: provider.into(), model: model.map(Into::into), kind: kind.into(), data: data.into() };
    Block::Reasoning {
        text: if provider == "gemini" { String::new() } else { "hm".into() },
        signature: Some(Box::new(signature)),
    }
}

fn thoughts(r: &Repaired) -> usize {
    r.messages.iter().flat_map(|m| &m.content).filter(|b| matches!(b, Block::Reasoning { .. })).count()
}

fn told(r: &Repaired) -> Vec<String> {
    r.events.iter().map(ToString::to_string).collect()
}

fn request(messages: &[Message], format: Format) -> Repaired {
    repair(messages, &[], &Target::request(format))
}

#[test]
fn f_06_a_result_in_the_models_message_is_taken_and_put_in_its_place_and_f_26_text_after_it_too() {
    let m = [
        Message::user("u"),
        says(Role::Assistant, &[call("a"), Block::tool_result("a", "1"), Block::text("so")]),
        Message::user("v"),
    ];
    let r = request(&m, Format::OpenAi);
    let roles: Vec<Role> = r.messages.iter().map(|m| m.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool, Role::Assistant, Role::User]);
    assert_eq!(r.messages[3].text(), "so");
    assert_eq!(told(&r), ["message 1: a result stood in the model's message; it was put in a tool message"]);
    assert_eq!(r.origin, [vec![0], vec![1], vec![1], vec![1], vec![2]]);
}

#[test]
fn f_07_results_of_parallel_calls_stand_in_one_message_in_the_order_of_the_calls() {
    let result = |id: &str, words: &str| says(Role::Tool, &[Block::tool_result(id, words)]);
    let m = [
        Message::user("u"),
        says(Role::Assistant, &[call("a"), call("b"), call("c")]),
        result("c", "3"),
        result("a", "1"),
        Message::user("wait"),
        result("b", "2"),
    ];
    let r = request(&m, Format::Anthropic);
    let words: Vec<&str> = r.messages[2]
        .content
        .iter()
        .map(|b| match b {
            Block::ToolResult { content, .. } => content.as_str(),
            _ => "?",
        })
        .collect();
    assert_eq!(words, ["1", "2", "3"]);
    assert_eq!(r.messages[3], Message::user("wait"));
    assert!(
        told(&r).contains(&"message 5: a result was moved up to its call in message 1".to_owned()),
        "{:?}",
        r.events
    );
}

#[test]
fn f_05_orphans_go_and_are_told() {
    let m = [Message::user("u"), says(Role::Tool, &[Block::tool_result("z", "?")]), Message::user("v")];
    let r = request(&m, Format::OpenAi);
    assert_eq!(r.messages, [Message::user("u"), Message::user("v")]);
    assert_eq!(told(&r), ["message 1: result \"z\" answers no open call; left out"]);
}

#[test]
fn f_12_f_21_calls_at_an_open_end_wait_and_others_are_interrupted() {
    let m = [
        Message::user("u"),
        says(Role::Assistant, &[call("a")]),
        Message::user("v"),
        says(Role::Assistant, &[call("b"), call("c")]),
        says(Role::Tool, &[Block::tool_result("c", "3")]),
    ];
    for format in Format::ALL {
        let open = repair(&m, &[], &Target::open(format));
        assert_eq!(told(&open)[0], "message 1: call \"a\" of f has no result; one was added that says so", "{format}");
        assert_eq!(open.events.iter().filter(|e| e.kind == EventKind::Interrupted).count(), 1, "{format}");
        assert_eq!(open.messages.last().map(|m| m.content.len()), Some(1), "{format}: b waits");
        let sent = request(&m, format);
        assert_eq!(sent.events.iter().filter(|e| e.kind == EventKind::Interrupted).count(), 2, "{format}");
        let Some(Block::ToolResult { id, content, .. }) = sent.messages.last().and_then(|m| m.content.first()) else {
            panic!("{format}: no result");
        };
        assert_eq!((id.as_str(), content.as_str()), ("b", "interrupted: no result was recorded for this call"));
    }
}

#[test]
fn f_03_v7_ids_are_made_unique_and_legal_the_same_way_each_time() {
    let turn = |id: &str| {
        [Message::user("u"), says(Role::Assistant, &[call(id)]), says(Role::Tool, &[Block::tool_result(id, "1")])]
    };
    let m: Vec<Message> = [turn("a"), turn("a"), turn("no/good"), turn(&"x".repeat(50))].concat();
    let ids =
        |r: &Repaired| r.messages.iter().flat_map(Message::calls).map(|c| c.0.to_owned()).collect::<Vec<String>>();
    let (openai, bedrock) = (ids(&request(&m, Format::OpenAi)), ids(&request(&m, Format::Bedrock)));
    assert_eq!(openai[0], "a");
    assert!(openai[1].starts_with("a_") && openai[1] == bedrock[1], "{openai:?}");
    assert_eq!(openai[2], "no/good", "opaque ids may hold what they like");
    assert!(bedrock[2].starts_with("no_good_"), "{bedrock:?}");
    assert!(openai[3].starts_with("xxxx") && openai[3].len() <= 40);
    assert_eq!(bedrock[3], "x".repeat(50));
    // What is appended renames nothing before it.
    assert_eq!(ids(&request(&m[..6], Format::OpenAi)), openai[..2]);
}

#[test]
fn f_18_the_user_comes_first_and_last_where_the_provider_wants_that() {
    let m = [Message::system("s"), Message::assistant("a")];
    for format in Format::ALL {
        let r = request(&m, format);
        let roles: Vec<Role> = r.messages.iter().map(|m| m.role).collect();
        if format.takes_turns() {
            assert_eq!(roles, [Role::System, Role::User, Role::Assistant, Role::User]);
            assert_eq!(r.messages[1].text(), "(earlier messages are not shown)");
            assert_eq!(r.messages[3].text(), "(continue)");
        } else {
            assert_eq!(r.messages, m);
        }
    }
}

#[test]
fn b_11_neighbours_of_one_role_are_one_message_where_turns_alternate() {
    let m = [
        Message::user("u"),
        Message::assistant("recap 1"),
        Message::assistant("recap 2"),
        Message::user("v"),
        Message::user(" "),
    ];
    for format in Format::ALL {
        let r = request(&m, format);
        assert_eq!(
            r.messages.len(),
            if format.takes_turns() {
                3
            } else if format == Format::Responses {
                4
            } else {
                5
            }
        );
        assert!(r.messages.iter().all(|m| !m.text().trim().is_empty()), "B-26");
    }
    // Each text stays a block of its own, so that a text that is appended changes none before it.
    let r = request(&m, Format::Anthropic);
    assert_eq!(r.messages[2].content, [Block::text("v"), Block::text("(no content)")]);
}

#[test]
fn v12_broken_arguments_are_wrapped_or_go_with_the_thought_that_is_sealed_over_them() {
    let broken = Block::tool_use("a", "f", json!("{\"x\": 1"));
    let m = [
        Message::user("u"),
        says(Role::Assistant, &[sealed("anthropic", None, "e"), broken]),
        says(Role::Tool, &[Block::tool_error("a", "bad arguments")]),
        Message::user("v"),
    ];
    let r = request(&m, Format::OpenAi);
    let Some(Block::ToolUse { input, .. }) = r.messages[1].content.first() else { panic!("no call") };
    assert_eq!(*input, json!({"_raw": "{\"x\": 1"}));
    let r = request(&m, Format::Anthropic);
    assert_eq!(r.messages.len(), 1, "{:?}", r.messages);
    assert!(told(&r)[0].contains("left out with its message, whose thought is sealed"), "{:?}", r.events);
}

#[test]
fn d11_v8_sealed_thoughts_go_back_verbatim_to_whom_they_belong() {
    let m = [
        Message::user("u"),
        says(Role::Assistant, &[sealed("anthropic", Some("opus"), "e1"), call("a")]),
        says(Role::Tool, &[Block::tool_result("a", "1")]),
        says(Role::Assistant, &[sealed("anthropic", Some("opus"), "e2"), Block::text("done")]),
        Message::user("v"),
    ];
    let at = |target: Target| repair(&m, &[], &target);
    let whole = at(Target::request(Format::Anthropic).model("opus"));
    assert_eq!(whole.messages, m);
    let body = whole.request().body(Format::Anthropic, &CacheBreakpoints::default());
    assert_eq!(body["messages"][1]["content"][0], json!({"type": "thinking", "thinking": "hm", "signature": "e1"}));
    assert_eq!(thoughts(&at(Target::request(Format::Anthropic).model("sonnet"))), 0, "another model");
    assert_eq!(thoughts(&at(Target::request(Format::Bedrock))), 0, "another provider");
    // What was thought before the change stays.
    let changed = |n| at(Target { changed: Some(n), ..Target::request(Format::Anthropic) });
    assert_eq!([0, 2, 4].map(|n| thoughts(&changed(n))), [0, 1, 2]);
    assert!(
        told(&changed(2))
            .contains(&"message 3: a thought was made under a prefix that has changed; left out".to_owned())
    );
}

#[test]
fn v8_calls_of_the_current_turn_are_signed_for_gemini_3() {
    let result = |id: &str| says(Role::Tool, &[Block::tool_result(id, "1")]);
    let m = [Message::user("u"), says(Role::Assistant, &[call("a"), call("b")]), result("a"), result("b")];
    let r = repair(&m, &[], &Target::request(Format::Gemini).model("gemini-3-pro"));
    let parts = r.request().body(Format::Gemini, &CacheBreakpoints::default())["contents"][1]["parts"].clone();
    assert_eq!(parts[0]["thoughtSignature"], "skip_thought_signature_validator");
    assert_eq!(parts[1].get("thoughtSignature"), None, "the first of a parallel set only");
    assert_eq!(thoughts(&repair(&m, &[], &Target::request(Format::Gemini).model("gemini-2.5-pro"))), 0);
    let signed = [Message::user("u"), says(Role::Assistant, &[sealed("gemini", None, "e1"), call("a")]), result("a")];
    let body = request(&signed, Format::Gemini).request().body(Format::Gemini, &CacheBreakpoints::default());
    assert_eq!(
        body["contents"][1]["parts"],
        json!([{"functionCall": {"id": "a", "name": "f", "args": {}}, "thoughtSignature": "e1"}])
    );
}

#[test]
fn v10_tools_that_history_calls_are_declared_and_sorted_where_the_provider_wants_that() {
    let m =
        [Message::user("u"), says(Role::Assistant, &[call("a")]), says(Role::Tool, &[Block::tool_result("a", "1")])];
    let given = [Tool::new("z", "z"), Tool::new("b", "b"), Tool::new("b", "again")];
    for format in Format::ALL {
        let r = repair(&m, &given, &Target::request(format));
        let names: Vec<&str> = r.tools.iter().map(|t| t.name.as_str()).collect();
        let needs = matches!(format, Format::Anthropic | Format::Bedrock);
        assert_eq!(names, if needs { vec!["b", "f", "z"] } else { vec!["b", "z"] }, "{format}");
        assert!(told(&r).contains(&"tool b is declared twice; the first stands".to_owned()));
    }
}

/// F-15: what a summary says is in what is sent, in every form; F-25: also when it is a system message.
#[test]
fn f_15_f_25_summaries_are_really_sent() {
    let m = [
        Message::system("s"),
        Message::system("Summary of earlier runs: two bookings."),
        Message::user("u"),
        Message::assistant("Summary: the user has three bags."),
        Message::user("v"),
    ];
    for format in Format::ALL {
        let body = export(&m, format).unwrap().to_string();
        assert!(body.contains("three bags") && body.contains("two bookings"), "{format}: {body}");
    }
}

/// A conversation of one long tool turn: task, then this many calls with their results.
fn long_turn(calls: usize) -> Vec<Message> {
    let mut m = vec![Message::system("s"), Message::user("u")];
    for i in 0..calls {
        let id = format!("c{i}");
        m.push(says(Role::Assistant, &[sealed("anthropic", None, "e"), Block::text("next"), call(&id)]));
        m.push(says(Role::Tool, &[Block::tool_result(id, "1")]));
    }
    m
}

/// The blocks of the messages of a body, and whether each is marked.
fn marked(body: &Value) -> Vec<(String, bool)> {
    let mut out = Vec::new();
    for m in body["messages"].as_array().unwrap() {
        match m["content"].as_array() {
            Some(blocks) => out.extend(
                blocks
                    .iter()
                    .map(|b| (b["type"].as_str().unwrap_or_default().to_owned(), b.get("cache_control").is_some())),
            ),
            None => out.push(("text".to_owned(), false)),
        }
    }
    out
}

#[test]
fn b_22_v9_marks_stand_behind_the_boundary_with_spare_ones_in_long_turns() {
    let m = long_turn(20);
    let r = request(&m, Format::Anthropic);
    let cache =
        Cache { head: Some(Ttl::Short), boundaries: vec![CacheBreakpoint { after: m.len() - 1, ttl: Ttl::Short }] };
    let marks = cache.place(&r, Format::Anthropic);
    assert_eq!(marks.len(), 4);
    let body = r.request().body(Format::Anthropic, &marks);
    assert!(body["system"][0].get("cache_control").is_some());
    let blocks = marked(&body);
    let at: Vec<usize> = blocks.iter().enumerate().filter(|(_, b)| b.1).map(|(i, _)| i).collect();
    assert_eq!(at.last(), Some(&(blocks.len() - 1)), "on the last stable block");
    assert_eq!(at.len(), 3);
    // A look back of 20 blocks from each reaches the one before.
    assert!(at.windows(2).all(|w| (1..=19).contains(&(w[1] - w[0]))), "{at:?}");
    assert!(at.iter().all(|i| blocks[*i].0 != "thinking"));
    // A short conversation needs none to spare.
    let short = long_turn(1);
    let r = request(&short, Format::Anthropic);
    let cache = Cache { head: None, boundaries: vec![CacheBreakpoint { after: 1, ttl: Ttl::Short }] };
    assert_eq!(cache.place(&r, Format::Anthropic).len(), 1);
    assert_eq!(cache.place(&r, Format::Gemini).len(), 0);
}

#[test]
fn b_22_the_mark_stands_behind_the_last_compacted_message_and_late_results_do_not_move_it() {
    let m = [
        Message::user("u"),
        Message::assistant("recap"),
        Message::user("v"),
        says(Role::Assistant, &[call("a")]),
        Message::user("wait"),
        says(Role::Tool, &[Block::tool_result("a", "late")]),
    ];
    let r = request(&m, Format::Anthropic);
    let place = |after| {
        Cache { head: None, boundaries: vec![CacheBreakpoint { after, ttl: Ttl::Short }] }.place(&r, Format::Anthropic)
    };
    assert_eq!(place(1).block(1, 0), Some(Ttl::Short));
    // The result that came last stands before "wait": up to there nothing was stable when "wait" was said.
    assert_eq!(place(4).block(3, 0), Some(Ttl::Short));
    assert_eq!(place(4).len(), 1);
}

#[test]
fn v9_an_hour_stands_before_five_minutes_and_the_newest_boundaries_win() {
    let m: Vec<Message> =
        (0..12).map(|i| Message::new(if i % 2 == 0 { Role::User } else { Role::Assistant }, "t")).collect();
    let r = repair(&m, &[], &Target::open(Format::Anthropic));
    let mark = |after, ttl| CacheBreakpoint { after, ttl };
    let boundaries =
        vec![mark(1, Ttl::Long), mark(3, Ttl::Long), mark(5, Ttl::Short), mark(7, Ttl::Long), mark(9, Ttl::Short)];
    let marks = Cache { head: None, boundaries }.place(&r, Format::Anthropic);
    let got: Vec<Option<Ttl>> = [1, 3, 5, 7, 9].map(|i| marks.block(i, 0)).to_vec();
    assert_eq!(got, [None, Some(Ttl::Long), Some(Ttl::Short), Some(Ttl::Short), Some(Ttl::Short)]);
    let openai = Cache { head: None, boundaries: vec![mark(11, Ttl::Short)] }.place(&r, Format::OpenAi);
    assert_eq!((openai.len(), openai.block(10, 0)), (1, Some(Ttl::Short)), "assistant output takes no breakpoint");
}
