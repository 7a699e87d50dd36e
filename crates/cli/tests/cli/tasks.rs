//! `ptc run`, `step`, `messages` and `trace` from outside.

use crate::common::{Folder, ptc, ptc_with, timeless};

#[test]
fn run_ends_with_the_returned_value() {
    let f = Folder::new("run");
    let task = f.task();
    let did = ptc(&["run", &task]);
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    for line in [
        "Turn 1 of 4\n",
        "  called stock\n",
        "  defined n\n",
        "  printed 3\n",
        "  called stock (failed)\n",
        "  error tool: tool/stock: sold out\n",
        "returned after 3 turns\n",
    ] {
        assert!(did.err.contains(line), "{line}\n{}", did.err);
    }
    let did = ptc(&["run", &task, "--json"]);
    let head = "{\"status\":\"returned\",\"value\":\"{:pen [3 2], :by :shop}\",\"json\":{\"pen\":[3,2],\"by\":\"shop\"},\"turns\":3,\"usage\":{\"fuel\":";
    assert!(did.out.starts_with(head) && did.out.ends_with("}}\n") && did.out.lines().count() == 1, "{}", did.out);
    let did = ptc(&["run", &task, "--json", "--max-turns", "1"]);
    assert!(
        did.code == 3 && did.out.starts_with("{\"status\":\"out_of_turns\",\"value\":null,\"json\":null,\"turns\":1,"),
        "{}",
        did.out
    );
    f.file("shop/replies.md", "## Turn 1\n(fail \"no\")\n");
    let did = ptc(&["run", &task]);
    assert!(did.code == 1 && did.out.is_empty() && did.err.contains("failed after 1 turn: no\n"), "{did:?}");
    f.file("shop/replies.md", "## Turn 1\n(def x 1)\n");
    let did = ptc(&["run", &task]);
    assert!(
        did.code == 1 && did.err.contains("error after 1 turn: ") && did.err.contains("has no reply for turn 2"),
        "{did:?}"
    );
}

#[test]
fn steps_in_processes_of_their_own_give_the_trace_of_a_run() {
    let f = Folder::new("step");
    let task = f.task();
    let (ran, stepped) = (f.path("ran.jsonl"), f.path("stepped.jsonl"));
    assert_eq!(ptc(&["run", &task, "--trace", &ran]).code, 0);
    let did = ptc(&["step", &stepped, "--task", &task]);
    assert_eq!((did.code, did.out.as_str()), (0, ""));
    assert!(ptc(&["messages", &stepped]).out.contains("[USER]\nWhat is in stock?\n\n"));
    let replies = std::fs::read_to_string(f.path("shop/replies.md")).unwrap();
    for (i, reply) in replies.split("## Turn ").skip(1).enumerate() {
        let did = ptc_with(&["step", &stepped, "--json", "-"], reply.split_once('\n').unwrap().1);
        assert_eq!(did.code, 0, "{}", did.err);
        let head = [
            "{\"turn\":1,\"status\":\"ok\",\"feedback\":\"3\\nTurn 2 of 4\",\"ended\":false}",
            "{\"turn\":2,\"status\":\"error\",",
            "{\"turn\":3,\"status\":\"returned\",",
        ];
        assert!(did.out.starts_with(head[i]), "{}", did.out);
    }
    assert_eq!(timeless(&ran), timeless(&stepped));
    for k in ["1", "2", "3", "4"] {
        for c in ["--compress", "--no-compress"] {
            assert_eq!(ptc(&["messages", &ran, "--turn", k, c]).out, ptc(&["messages", &stepped, "--turn", k, c]).out);
        }
    }
    let did = ptc_with(&["step", &stepped], "(return 1)");
    assert!(
        did.code == 4 && did.out.is_empty() && did.err.contains("the session has ended: turn 3 returned"),
        "{did:?}"
    );
    let did = ptc(&["run", &task, "--trace", &ran]);
    assert!(did.code == 2 && did.err.contains("holds a session already"), "{did:?}");
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let f = Folder::new("on");
    let task = f.task();
    let trace = f.path("t.jsonl");
    assert_eq!(ptc(&["run", &task, "--trace", &trace, "--max-turns", "2"]).code, 3);
    let did = ptc_with(&["step", &trace], "1");
    assert!(did.code == 3 && did.err.contains("out of turns: max_turns is 2"), "{did:?}");
    let did = ptc(&["run", &task, "--trace", &trace, "--max-turns", "4"]);
    assert_eq!((did.code, did.out.as_str()), (0, "{:pen [3 2], :by :shop}\n"), "{}", did.err);
    f.file("shop/items.json", "[]");
    let other = f.path("o.jsonl");
    std::fs::copy(&trace, &other).unwrap();
    let did = ptc_with(&["step", &other], "1");
    assert!(did.code == 2 && did.err.contains("the input items has changed since the session began"), "{did:?}");
}

#[test]
fn messages_under_this_policy_and_that() {
    let f = Folder::new("messages");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    ptc(&["run", &task, "--trace", &trace]);
    let compressed = ptc(&["messages", &trace, "--compress", "--turn", "2"]).out;
    assert!(
        compressed.ends_with("[ASSISTANT]\n; Defined: n - \"Pens\" = integer\n; Output:\n3\n\n[USER]\nTurn 2 of 4\n\n"),
        "{compressed}"
    );
    let full = ptc(&["messages", &trace, "--turn", "2"]).out;
    assert!(full.ends_with("[ASSISTANT]\nI look.\n```clojure\n(def n \"Pens\" (tool/stock \"pen\"))\n(println n)\n```\n\n[USER]\n3\nTurn 2 of 4\n\n"), "{full}");
    let policy = f.file("p.toml", "compress_history = true\nprintln_history_limit = 0\n");
    let limited = ptc(&["messages", &trace, "--policy", &policy, "--turn", "2"]).out;
    assert!(limited.contains("; Defined: n - \"Pens\" = integer, sample: 3\n"), "{limited}");
    let json: serde_json::Value = serde_json::from_str(&ptc(&["messages", &trace, "--json"]).out).unwrap();
    assert_eq!(json.as_array().unwrap().len(), 7);
    assert!(ptc(&["messages", &trace, "--format", "anthropic"]).out.starts_with("{\"system\":"));
    for (args, words) in [
        (
            vec!["messages", trace.as_str(), "--turn", "9"],
            "error: there is no turn 9: the trace has 3; give --turn 1 to 4\n",
        ),
        (
            vec!["messages", trace.as_str(), "--format", "x"],
            "error: there is no format x; formats are openai, openai-responses, anthropic, gemini, bedrock\n",
        ),
        (vec!["messages", "/no/t"], "error: /no/t: there is no such file; check the name\n"),
        (vec!["run", "/no/task"], "error: /no/task: there is no such task; name a folder with a task.toml\n"),
        (vec!["step", "/no/t"], "error: /no/t: there is no such trace; begin one with --task TASK\n"),
    ] {
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str(), did.err.as_str()), (2, "", words));
    }
}

#[test]
fn traces_show_everything_and_tell_of_a_torn_end() {
    let f = Folder::new("trace");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    ptc(&["run", &task, "--trace", &trace]);
    let text = ptc(&["trace", &trace]).out;
    for part in [
        "Task: shop\nTurns: 3 of at most 4\nPrompt: What is in stock?\nInput: ctx/items from items.json, sha256 ",
        "== Turn 1: ok ==\nReasoning: I look.\nProgram:\n  (def n \"Pens\" (tool/stock \"pen\"))\n  (println n)\nTool calls:\n  1. stock {\"item\":\"pen\"} -> 3 (",
        "Definitions:\n  n - \"Pens\" = integer, sample: 3\n",
        "  2. stock {\"item\":\"ink\"} failed: sold out (",
        "== Turn 3: returned ==\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let one: serde_json::Value = serde_json::from_str(&ptc(&["trace", &trace, "--json", "--turn", "2"]).out).unwrap();
    assert_eq!((one.as_array().unwrap().len(), one[0]["turn"].as_u64()), (1, Some(2)));
    let mut bytes = std::fs::read(&trace).unwrap();
    bytes.truncate(bytes.len() - 40);
    std::fs::write(&trace, &bytes).unwrap();
    let did = ptc(&["trace", &trace, "--json"]);
    assert!(did.code == 0 && did.err.starts_with("warning: ") && did.err.contains("line 4 is torn"), "{}", did.err);
    let did = ptc_with(&["step", &trace], "(return n)");
    assert_eq!((did.code, did.out.as_str()), (0, "=> 3\n"), "{}", did.err);
    assert_eq!(ptc(&["trace", &trace, "--json"]).err, "");
}
