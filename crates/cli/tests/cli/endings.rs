//! `ptc run --json` says why a run did not return.

use crate::common::{Did, Folder, Server, ptc, ptc_in};
use serde_json::{Value, json};

fn error(did: &Did) -> Value {
    assert_eq!(did.out.lines().count(), 1, "{did:?}");
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((line["value"].is_null(), line["status"] == "returned"), (line["status"] != "failed", false), "{line}");
    line["error"].clone()
}

#[test]
fn every_ending_that_is_no_return_says_why() {
    let f = Folder::new("endings");
    let task = f.task();
    let trace = f.path("t.jsonl");
    let returned: Value = serde_json::from_str(&ptc(&["run", &task, "--json"]).out).unwrap();
    assert!(returned.get("error").is_none(), "{returned}");

    let did = ptc(&["run", &task, "--json", "--max-turns", "1"]);
    let words = json!({"kind": "out_of_turns", "place": null, "message": "out of turns: max_turns is 1", "hint": "give it more turns with --max-turns N"});
    assert_eq!((did.code, error(&did)), (3, words));
    let did = ptc(&["run", &task, "--json", "--max-turns", "1", "--trace", &trace]);
    let hint = format!("go on with ptc run {task} --resume {trace} --max-turns 2");
    assert_eq!(error(&did)["hint"], hint);

    f.file("shop/replies.md", "## Turn 1\n(fail \"no data; sorry\")\n");
    let did = ptc(&["run", &task, "--json"]);
    assert_eq!(
        (did.code, error(&did)),
        (1, json!({"kind": "failed", "place": null, "message": "no data; sorry", "hint": null}))
    );

    f.file("shop/replies.md", "## Turn 1\n(def x 1)\n");
    let did = ptc(&["run", &task, "--json"]);
    let model = error(&did);
    assert_eq!((did.code, &model["kind"]), (1, &json!("model")));
    assert_eq!(model["hint"], "add a heading \"## Turn 2\" with a program under it");
    assert!(model["message"].as_str().unwrap().ends_with("its last is for turn 1"), "{model}");

    // What keeps it from beginning is told as data too; the exit code is that of a command that was wrong.
    for (args, words) in
        [(vec!["run", "/no/task"], "there is no such task"), (vec!["run", &task, "--model", "m"], "no such model")]
    {
        let did = ptc(&[&args[..], &["--json"]].concat());
        let error = error(&did);
        assert_eq!((did.code, &error["kind"]), (2, &json!("usage")));
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        assert!(did.err.contains(words), "{}", did.err);
        assert_eq!(ptc(&args).out, "");
    }
}

#[test]
fn a_budget_a_history_an_act_and_a_provider_are_told_apart() {
    let f = Folder::new("endings-more");
    let task = |history: &str, more: &str| {
        let text = format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[history]\n{history}\n{more}");
        f.file("task/task.toml", &text)
    };
    f.file("task/r.md", "## Turn 1\n(println 1)\n## Turn 2\n(return 1)\n");
    let ends = |task: &str| {
        let did = ptc(&["run", task, "--json"]);
        assert_eq!(did.code, 1, "{did:?}");
        error(&did)
    };
    let budget = ends(&task("max_tokens = 100", ""));
    assert_eq!((&budget["kind"], &budget["hint"]), (&json!("budget"), &json!("raise max_tokens")));
    assert!(budget["message"].as_str().unwrap().contains("max_tokens is 100"), "{budget}");
    assert_eq!(ends(&task("max_history_size = 2", ""))["kind"], "budget");
    let act = ends(&task("", "[acts.a]\n[[acts.a.input]]\ntype = \"file\"\nfile = \"gone.txt\"\n"));
    assert_eq!((&act["kind"], &act["hint"]), (&json!("act"), &json!("check the name")));

    assert!(act["place"].as_str().unwrap().contains("gone.txt"), "{act}");
    assert!(!act["message"].as_str().unwrap().contains("gone.txt"), "{act}");

    let server = Server::new(|_, _| Err("you may not".to_owned()));
    let did = ptc_in(&["run", &task("", ""), "--json", "--model", "openai/m"], "", server.around());
    let error = error(&did);
    assert_eq!((did.code, &error["kind"]), (1, &json!("model")));
    assert!(error["message"].as_str().unwrap().contains("you may not"), "{error}");
    assert!(error["hint"].as_str().unwrap().contains("[model]"), "{error}");
}

/// A run whose task shows a text among its inputs is resumed, and what was run is compared again.
#[test]
fn a_task_with_a_text_below_it_is_resumed() {
    let f = Folder::new("endings-text");
    let text = "[task]\nprompt = \"Read it.\"\nmodel = \"replay:r.md\"\nanswer = 2\n\
                [context.note]\nvalue = \"Polls close at eight, and not at seven as of old.\"\n";
    let task = f.file("task/task.toml", text);
    f.file("task/r.md", "## Turn 1\n(def x 1)\n## Turn 2\n(return (inc x))\n");
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--max-turns", "1", "--trace", &trace]);
    assert_eq!(did.code, 3, "{}", did.err);
    assert!(ptc(&["messages", &trace]).out.contains("\nRead it.\n\n`ctx/note`:\n\n```text\nPolls close"));
    let did = ptc(&["run", &task, "--resume", &trace, "--max-turns", "3"]);
    assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{}", did.err);
    // Runs that are there already are taken as they are.
    let out = f.path("runs");
    let compare = ["compare", &task, "--policy", "none", "--out", &out];
    let first = ptc(&compare);
    let again = ptc(&compare);
    assert!(first.code == 0 && first.out.contains("1 of 1"), "{first:?}");
    assert_eq!((again.code, &again.out), (0, &first.out), "{}", again.err);
}

/// An option that is none is told as what keeps a run from beginning is told otherwise.
#[test]
fn a_wrong_option_is_a_line_of_json_too() {
    let f = Folder::new("endings-options");
    let task = f.task();
    for (args, word) in [
        (vec!["run", &task, "--json", "--oops"], "--oops"),
        (vec!["run", &task, "--oops", "--output", "json"], "--oops"),
        (vec!["ask", "q", "--output=json", "--max-turns", "none"], "--max-turns"),
        (vec!["--color", "never", "run", "--json"], "TASK"),
        (vec!["run", &task, "--json", "--output", "text"], "--output"),
        (vec!["run", &task, "--resume", "a", "--json", "--continue"], "--continue"),
    ] {
        let did = ptc(&args);
        let error = error(&did);
        assert_eq!((did.code, &error["kind"], &error["hint"]), (2, &json!("usage"), &json!("see --help")), "{args:?}");
        assert!(error["message"].as_str().unwrap().contains(word), "{args:?}: {error}");
        assert_eq!(did.err, format!("error: {}; see --help\n", error["message"].as_str().unwrap()));
    }
    let line: Value = serde_json::from_str(&ptc(&["run", &task, "--output", "jsonl", "--oops"]).out).unwrap();
    assert_eq!((&line["type"], &line["status"]), (&json!("run_ended"), &json!("error")));
    // Nobody asked for it; and of a text that only looks so.
    for args in [
        vec!["run", &task, "--oops"],
        vec!["run", &task, "--output", "text", "--oops"],
        vec!["run", "--oops", "--", "--json"],
        vec!["doc", "--json", "--oops"],
        vec!["sessions", "search", "run", "--json", "--oops"],
        vec!["docs", "run", "--output", "jsonl", "--oops"],
    ] {
        let did = ptc(&args);
        assert_eq!((did.code, did.out.as_str()), (2, ""), "{args:?}");
    }
    assert_eq!(ptc(&["run", "--json", "--help"]).code, 0);
}
