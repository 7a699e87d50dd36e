//! `ptc history report` and `ptc history view`.

use crate::common::{Folder, ptc};
use serde_json::{Value, json};

/// A conversation of `turns` turns: a call, its result, an answer, the next request.
fn talk(id: &str, turns: usize) -> Value {
    let mut messages = vec![
        json!({"role": "system", "content": "You keep sheep."}),
        json!({"role": "user", "content": [{"type": "text", "text": "Count them."}]}),
    ];
    for i in 0..turns {
        let call = format!("c{i}");
        messages.push(json!({"role": "assistant", "content": [{"type": "tool_use", "id": call, "name": "count", "input": {"field": i}}]}));
        messages.push(json!({"role": "tool", "content": [{"type": "tool_result", "id": call, "content": "seven sheep, ".repeat(30)}]}));
        messages.push(json!({"role": "assistant", "content": format!("There are seven in field {i}.")}));
        messages.push(json!({"role": "user", "content": format!("And in field {}?", i + 1)}));
    }
    json!({"id": id, "messages": messages})
}

fn file(folder: &Folder) -> String {
    folder.file("talks.jsonl", &format!("{}\n\n{}\n", talk("north", 12), talk("south", 3)))
}

#[test]
fn the_report_has_a_line_for_each_policy_and_says_what_it_counted() {
    let folder = Folder::new("history-report");
    let policy = folder.file("tight.toml", "strategy = \"auto\"\nkeep_turns = 2\nmax_tokens = 600\n");
    let did = ptc(&["history", "report", &file(&folder), "--policy", &policy]);
    assert_eq!((did.code, did.err.as_str()), (0, ""), "{}", did.out);
    assert!(
        did.out.starts_with(
            "2 conversations, 64 messages, 30 requests; tokens as openai/gpt-4o counts them (openai-chat)\n"
        ),
        "{}",
        did.out
    );
    let columns =
        ["policy", "saved %", "final %", "cached%", "cost %", "tokens", "breaks", "split", "system", "over", "failed"];
    let head = did.out.lines().nth(2).unwrap();
    assert!(columns.iter().all(|c| head.contains(c)), "{head}");
    for name in
        ["none", "batch", "whole_history", "sliding_window", "clear_tool_results", "sticky_summary", "auto", "tight"]
    {
        assert!(did.out.lines().any(|l| l.split_whitespace().next() == Some(name)), "{name}: {}", did.out);
    }
    let none = did.out.lines().find(|l| l.starts_with("none ")).unwrap();
    assert_eq!(none.split_whitespace().nth(1), Some("0.0"), "{none}");
}

#[test]
fn the_report_as_json_has_the_same_figures_by_policy() {
    let folder = Folder::new("history-json");
    let did = ptc(&["history", "report", &file(&folder), "--json"]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert_eq!(did.out.lines().count(), 1);
    let all: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((&all["conversations"], &all["tokens"]["source"]), (&json!(2), &json!("openai-chat")));
    assert_eq!(all["policies"]["none"]["cost"], json!(100.0));
    let auto = &all["policies"]["auto"];
    for key in ["cumulative", "final", "cached", "cost"] {
        assert!(auto[key].as_f64().is_some_and(|x| x > 0.0 && x <= 100.0), "{key}: {auto}");
    }
    for key in ["pairs_split", "system_dropped", "over_budget", "failed"] {
        assert_eq!(auto[key], 0, "{key}");
    }
    // At a price where cached tokens are as dear as others, cost is what was sent.
    let did = ptc(&["history", "report", &file(&folder), "--json", "--price-cached", "1", "--min-messages", "20"]);
    let all: Value = serde_json::from_str(&did.out).unwrap();
    let auto = &all["policies"]["auto"];
    assert_eq!(all["conversations"], 1);
    assert!((auto["cost"].as_f64().unwrap() - (100.0 - auto["cumulative"].as_f64().unwrap())).abs() < 1e-6, "{auto}");
}

#[test]
fn a_bad_line_is_told_and_left_out_and_a_file_without_conversations_is_wrong() {
    let folder = Folder::new("history-bad");
    let text = format!(
        "{}\nno json\n{{\"id\":\"x\",\"messages\":[{{\"role\":\"nobody\",\"content\":\"?\"}}]}}\n",
        talk("a", 2)
    );
    let path = folder.file("bad.jsonl", &text);
    let did = ptc(&["history", "report", &path, "--json"]);
    assert_eq!(did.code, 0);
    assert!(did.err.contains("bad.jsonl:2: no JSON"), "{}", did.err);
    assert!(did.err.contains("bad.jsonl:3: "), "{}", did.err);
    assert_eq!(serde_json::from_str::<Value>(&did.out).unwrap()["conversations"], 1);
    let did = ptc(&["history", "report", &path, "--min-messages", "99"]);
    assert_eq!((did.code, did.out.as_str()), (2, ""));
    assert!(did.err.contains("no conversation of 99 messages or more"), "{}", did.err);
    let did = ptc(&["history", "report", &folder.path("none.jsonl")]);
    assert_eq!(did.code, 2);
    assert!(did.err.contains("none.jsonl"), "{}", did.err);
    let wrong = folder.file("wrong.toml", "stratgy = \"auto\"\n");
    let did = ptc(&["history", "report", &path, "--policy", &wrong]);
    assert_eq!(did.code, 2);
    assert!(did.err.contains("wrong.toml:1: ") && did.err.contains("did you mean strategy?"), "{}", did.err);
    // What would do nothing to messages is no option here.
    let turns = folder.file("turns.toml", "strategy = \"auto\"\nlayout = \"coalesced\"\n");
    for args in [["history", "report"], ["history", "view"]] {
        let did = ptc(&[&args[..], &[path.as_str(), "--policy", turns.as_str()]].concat());
        assert_eq!(did.code, 2);
        assert!(did.err.contains("turns.toml:2: layout is about turns of programs, and does nothing"), "{}", did.err);
    }
}

#[test]
fn a_view_is_shown_as_text_as_json_in_a_format_and_with_reasons() {
    let folder = Folder::new("history-view");
    let path = file(&folder);
    let policy = folder.file("p.toml", "strategy = \"auto\"\nbatch_turns = 2\n");
    let view = |more: &[&str]| {
        let did = ptc(&[&["history", "view", path.as_str(), "--policy", policy.as_str()], more].concat());
        assert_eq!(did.code, 0, "{}", did.err);
        did
    };
    let text = view(&["--id", "south"]);
    assert!(text.out.starts_with("[SYSTEM]\nYou keep sheep.\n\n[USER]\nCount them.\n"), "{}", text.out);
    assert!(text.err.contains("of 14 messages") && text.err.contains("tokens"), "{}", text.err);
    // The first conversation where none is named; its first messages with --at.
    let early: Value = serde_json::from_str(&view(&["--at", "2", "--json"]).out).unwrap();
    assert_eq!(early.as_array().unwrap().len(), 2);
    let late: Value = serde_json::from_str(&view(&["--json"]).out).unwrap();
    assert!(late.as_array().unwrap().len() < 50);
    let body: Value = serde_json::from_str(&view(&["--format", "anthropic"]).out).unwrap();
    assert_eq!(body["system"], "You keep sheep.");
    let why = view(&["--why"]).out;
    for reason in ["system message, never touched", "the task, pinned", "turn 1, folded", "among the newest, whole"] {
        assert!(why.lines().any(|l| l.trim_start().starts_with(reason)), "{reason}: {why}");
    }
    // What was decided about the boundary stands below, with its figures where the policy sets no number of turns.
    assert!(why.lines().any(|l| l == "after turn 3, turns 1 to 2 were folded: as batch_turns says"), "{why}");
    let decided = ptc(&["history", "view", path.as_str(), "--why"]);
    let last = decided.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("after turn ") && last.contains(" whole: saves "), "{last}");
    assert!(last.contains(" tokens in each of about ") && last.ends_with(" more: not yet"), "{last}");
    let other = folder.file("none.toml", "strategy = \"none\"\n");
    let diff = view(&["--diff", &other]).out;
    assert!(!diff.is_empty());
    assert_eq!(view(&["--diff", &policy]).out, "");
}

/// Calls of the form before `tool_calls` were left out of the conversation without a word.
#[test]
fn old_function_calls_are_read_as_calls() {
    let folder = Folder::new("history-functions");
    let call =
        r#"{"role":"assistant","content":null,"function_call":{"name":"find","arguments":"{\"what\":\"sheep\"}"}}"#;
    let talk = |name: &str| {
        format!(
            r#"{{"messages":[{{"role":"user","content":"Find sheep."}},{call},{{"role":"function","name":"{name}","content":"3"}}]}}"#
        )
    };
    let did = ptc(&["history", "view", &folder.file("old.jsonl", &talk("find"))]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.out.contains(r#""name":"find","input":{"what":"sheep"}"#), "{}", did.out);
    assert!(did.out.contains(r#""type":"tool_result""#), "{}", did.out);
    let did = ptc(&["history", "view", &folder.file("other.jsonl", &talk("count"))]);
    assert_eq!(did.code, 2);
    assert!(
        did.err.contains("messages[2]: expected the result of the function_call before it, by its name"),
        "{}",
        did.err
    );
}

#[test]
fn what_cannot_be_viewed_is_said_with_what_there_is() {
    let folder = Folder::new("history-wrong");
    let path = file(&folder);
    for (more, words) in [
        (&["--id", "west"][..], "no conversation \"west\"; there are north, south"),
        (&["--at", "99"], "--at 99: the conversation has 50 messages"),
        (&["--format", "antropic"], "did you mean anthropic?"),
        (&["--model", "openai/gpt-4o", "--policy", "nowhere.toml"], "nowhere.toml"),
    ] {
        let did = ptc(&[&["history", "view", path.as_str()], more].concat());
        assert_eq!((did.code, did.out.as_str()), (2, ""), "{more:?}");
        assert!(did.err.contains(words), "{more:?}: {}", did.err);
    }
}

#[test]
fn a_whole_file_a_body_of_a_provider_and_a_trace_are_conversations_too() {
    let folder = Folder::new("history-forms");
    let whole = folder.file("one.json", &serde_json::to_string_pretty(&talk("whole", 3)).unwrap());
    let of = |path: &str| {
        let did = ptc(&["history", "view", path, "--json"]);
        assert_eq!(did.code, 0, "{}", did.err);
        serde_json::from_str::<Value>(&did.out).unwrap()
    };
    assert_eq!(of(&whole).as_array().unwrap().len(), 14);
    // The system prompt stands apart in such a body and must not be lost.
    let body = json!({"model": "m", "system": "Be brief.", "messages": [{"role": "user", "content": "Hi"}]});
    let body = folder.file("body.jsonl", &body.to_string());
    assert_eq!(of(&body)[0], json!({"role": "system", "content": "Be brief."}));
    let trace = folder.path("t.jsonl");
    assert_eq!(ptc(&["run", &folder.task(), "--trace", &trace]).code, 0);
    let did = ptc(&["history", "report", &trace, "--json"]);
    assert_eq!(did.code, 0, "{}", did.err);
    let all: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!(all["policies"]["none"]["requests"], 3, "one for each turn");
}

/// Our own form is read by its own reader, strictly: nothing in it is passed over, no other reader is blamed.
#[test]
fn our_own_form_is_read_strictly() {
    let folder = Folder::new("history-strict");
    let with = |message: Value| json!({"messages": [{"role": "user", "content": "Hi"}, message]});
    let part = |part: Value| json!({"role": "user", "content": [{"type": "text", "text": "x", "part": part}]});
    for (value, words) in [
        (
            with(part(json!({"kind": "file", "history_retention": "sumary"}))),
            "messages[1].content[0].part.history_retention: must be \"full\", \"summary\" or \"drop\", got \"sumary\"",
        ),
        (
            with(part(json!({"kind": "file", "history_retenton": "drop"}))),
            "unknown field \"history_retenton\"; did you mean history_retention?",
        ),
        (
            with(json!({"role": "user", "content": "x", "timestamp": "2024-01-01T00:00:00Z"})),
            "messages[1].timestamp: must be milliseconds since 1970, a whole number as 1704067200000",
        ),
        (
            with(json!({"role": "user", "content": "x", "meta": {"at": "2024-01-01"}})),
            "messages[1].meta.at: must be milliseconds since 1970",
        ),
        (
            json!({"ptc_conversation": 9, "messages": [{"role": "user", "content": "x"}]}),
            "ptc_conversation: version 9 is not known; this build reads 1 to 2",
        ),
    ] {
        // Alone, and as a line among others.
        let path = folder.file("one.jsonl", &value.to_string());
        let did = ptc(&["history", "view", &path]);
        assert_eq!((did.code, did.out.as_str()), (2, ""), "{}", did.err);
        assert!(did.err.contains(words) && did.err.contains("one.jsonl:1: "), "{}", did.err);
        let path = folder.file("two.jsonl", &format!("{}\n{value}\n", talk("a", 2)));
        let did = ptc(&["history", "report", &path, "--json"]);
        assert!(did.code == 0 && did.err.contains("two.jsonl:2: ") && did.err.contains(words), "{}", did.err);
    }
}

/// The messages of each provider alone: over several lines, on one, a message a line, and under `messages`.
#[test]
fn arrays_of_messages_are_conversations_in_every_form() {
    use ptc_history::{Format, export};
    let folder = Folder::new("history-arrays");
    let read = |name: &str, text: &str, more: &[&str]| {
        let file = folder.file(name, text);
        let did = ptc(&[&["history", "view", &file, "--json"], more].concat());
        assert_eq!(did.code, 0, "{name}: {}", did.err);
        serde_json::from_str::<Value>(&did.out).unwrap()
    };
    let own = ptc_history::Conversation::from_json(&talk("a", 3)).unwrap();
    let said: Vec<_> = own.messages().map(|m| (**m).clone()).collect();
    for format in Format::ALL {
        let body = export(&said, format).unwrap();
        let key = ["messages", "input", "contents"].into_iter().find(|k| body.get(k).is_some()).unwrap();
        let list = &body[key];
        let expected = read("body.json", &json!({ key: list }).to_string(), &[]);
        assert!(expected.as_array().unwrap().len() >= 13, "{format}: {expected}");
        let pretty = serde_json::to_string_pretty(list).unwrap();
        let lines: String = list.as_array().unwrap().iter().map(|m| format!("{m}\n")).collect();
        for (name, text) in [
            ("pretty.json", pretty.clone()),
            ("line.jsonl", format!("{list}\n")),
            ("messages.json", json!({ "messages": list }).to_string()),
            ("message-a-line.jsonl", lines),
            ("list.json", serde_json::to_string_pretty(&json!([list, [], { "id": "b", "messages": list }])).unwrap()),
        ] {
            assert_eq!(read(name, &text, &[]), expected, "{format} {name}");
        }
        assert_eq!(
            read("list.json", &serde_json::to_string_pretty(&json!([[], list])).unwrap(), &["--id", "2"]),
            expected
        );
        let two = folder.file("two.jsonl", &format!("{list}\n{list}\n"));
        let did = ptc(&["history", "report", &two, "--json"]);
        let all: Value = serde_json::from_str(&did.out).unwrap();
        assert_eq!((did.err.as_str(), &all["conversations"]), ("", &json!(2)), "{format}");
        assert_eq!(all["policies"]["none"]["requests"], 12, "{format}");
    }
    // A message that cannot be read is no smaller conversation.
    let torn = folder.file("torn.jsonl", "{\"role\":\"user\",\"content\":\"Hi\"}\n{\"role\":\n");
    let did = ptc(&["history", "report", &torn]);
    assert!(did.code == 2 && did.err.contains("torn.jsonl:2: no JSON"), "{}", did.err);
}

/// The row none is what was recorded: what views leave out is counted in it, and told.
#[test]
fn the_row_none_has_every_message_as_it_was() {
    let folder = Folder::new("history-as-it-was");
    let long = "A long table. ".repeat(2_000);
    let messages = json!([
        {"role": "user", "content": [{"type": "text", "text": long, "part": {"kind": "table", "history_retention": "drop"}}]},
        {"role": "assistant", "content": ""},
        {"role": "tool", "content": [{"type": "tool_result", "id": "nobody", "content": "seven sheep, ".repeat(20)}]},
        {"role": "assistant", "content": "Seven."},
        {"role": "user", "content": "And goats?"},
        {"role": "assistant", "content": "None."},
    ]);
    let file = folder.file("odd.jsonl", &json!({ "id": "odd", "messages": messages }).to_string());
    let did = ptc(&["history", "report", &file, "--json"]);
    let all: Value = serde_json::from_str(&did.out).unwrap();
    let none = &all["policies"]["none"];
    assert_eq!(
        (&none["tokens"], &none["cumulative"], &none["final"], &none["cost"]),
        (&none["tokens_full"], &json!(0.0), &json!(0.0), &json!(100.0)),
        "{none}"
    );
    // Three requests, each of the messages before it, as `ptc tokens` counts them.
    let sum: u64 = [1, 3, 5]
        .iter()
        .map(|n| {
            let request =
                json!({ "provider": "openai", "model": "gpt-4o", "messages": messages.as_array().unwrap()[..*n] });
            let counted = ptc(&["tokens", &folder.file("request.json", &request.to_string())]);
            serde_json::from_str::<Value>(&counted.out).unwrap()["tokens"].as_u64().unwrap()
        })
        .sum();
    assert_eq!(none["tokens"], sum);
    assert_eq!(did.err, "warning: conversation odd: tool results that answer no call are left out (messages 2)\n");
    let view = ptc(&["history", "view", &file]);
    assert!(view.err.contains("tool results that answer no call are left out (messages 2)"), "{}", view.err);
}

/// A body is counted as its own model counts, with its tools; `--model` has precedence.
#[test]
fn conversations_are_counted_by_their_own_models() {
    let folder = Folder::new("history-models");
    let tools =
        json!([{"name": "count", "description": "Counts the sheep in a field.", "input_schema": {"type": "object"}}]);
    let said = json!([{"role": "user", "content": "Count the sheep."}, {"role": "assistant", "content": "Seven."}]);
    let claude =
        json!({"model": "claude-sonnet-4-5", "max_tokens": 9, "system": "Be brief.", "tools": tools, "messages": said});
    let report = |text: &str, more: &[&str]| {
        let file = folder.file("m.jsonl", text);
        let did = ptc(&[&["history", "report", &file, "--json"], more].concat());
        assert_eq!(did.code, 0, "{}", did.err);
        serde_json::from_str::<Value>(&did.out).unwrap()
    };
    let tokens = |request: &Value| {
        let counted = ptc(&["tokens", &folder.file("request.json", &request.to_string())]);
        serde_json::from_str::<Value>(&counted.out).unwrap()["tokens"].clone()
    };
    let alone = report(&claude.to_string(), &[]);
    assert_eq!(alone["tokens"]["model"], "anthropic/claude-sonnet-4-5");
    let mut request = claude.clone();
    request["messages"] = json!([said[0]]);
    assert_eq!(alone["policies"]["none"]["tokens"], tokens(&request));
    // Our own form and a trace say it too.
    let own = json!({"id": "x", "model": "anthropic/claude-sonnet-4-5", "messages": [{"role": "user", "content": "Hi", "meta": {"at": 1}}, said[1]]});
    assert_eq!(report(&own.to_string(), &[])["tokens"]["model"], "anthropic/claude-sonnet-4-5");
    let gemini = json!({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]});
    assert_eq!(report(&gemini.to_string(), &[])["tokens"]["model"], "openai/gpt-4o");
    let both = format!("{claude}\n{}\n{claude}\n", json!({"model": "gpt-4.1", "messages": said}));
    let all = report(&both, &[]);
    let of =
        |i: usize| (all["models"][i]["model"].as_str().unwrap(), all["models"][i]["conversations"].as_u64().unwrap());
    assert_eq!(
        (of(0), of(1), &all["tokens"]),
        (("anthropic/claude-sonnet-4-5", 2), ("openai/gpt-4.1", 1), &Value::Null)
    );
    let text = ptc(&["history", "report", &folder.path("m.jsonl")]).out;
    let title = text.lines().next().unwrap();
    assert!(title.contains("tokens as anthropic/claude-sonnet-4-5 counts those of 2 ("), "{title}");
    assert!(title.contains(", openai/gpt-4.1 counts those of 1 ("), "{title}");
    let told = report(&both, &["--model", "google/gemini-2.5-pro"]);
    assert_eq!(told["tokens"]["model"], "google/gemini-2.5-pro");
}
