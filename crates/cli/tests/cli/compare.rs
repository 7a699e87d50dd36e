//! `ptc compare`: runs that are begun, continued and only reported; figures as the docs define them.

use crate::common::{Did, Folder, Server, ptc, ptc_in, ptc_with};
use serde_json::Value;
use std::path::Path;

/// A task of three turns that ends with `value`; its path.
fn task(f: &Folder, name: &str, value: &str, answer: &str) -> String {
    let folder: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let quoted = name.replace('"', "\\\"");
    f.file(
        &format!("{folder}/task.toml"),
        &format!(
            "[task]\nname = \"{quoted}\"\nprompt = \"Do {quoted}.\"\nmodel = \"replay:r.md\"\nanswer = {answer}\n"
        ),
    );
    f.file(
        &format!("{folder}/r.md"),
        &format!("## Turn 1\n(def xs \"Numbers\" (vec (range 40)))\n(println xs)\n## Turn 2\n(oops)\n## Turn 3\n(return {value})\n"),
    );
    f.path(&folder)
}

fn compare(tasks: &[&str], out: &str, more: &[&str]) -> Did {
    ptc(&[&["compare"], tasks, &["--out", out], more].concat())
}

fn json(did: &Did) -> Value {
    assert_eq!(did.out.lines().count(), 1, "{did:?}");
    serde_json::from_str(&did.out).unwrap()
}

/// All that `did` wrote, without the times of runs, which differ.
fn timeless(did: &Did) -> Value {
    let mut all = json(did);
    for policy in all["policies"].as_array_mut().unwrap() {
        policy["figures"].as_object_mut().unwrap().remove("seconds");
        for task in policy["tasks"].as_array_mut().unwrap() {
            for run in task["runs"].as_array_mut().unwrap() {
                run.as_object_mut().unwrap().remove("seconds");
            }
        }
    }
    all
}

#[test]
fn two_tasks_under_two_policies_are_run_once_and_then_only_reported() {
    let f = Folder::new("compare");
    let (a, b) = (task(&f, "a", "5", "5"), task(&f, "b", "[1]", "[2]"));
    let short = f.file("short.toml", "compress_history = true\n");
    let (out, html) = (f.path("out"), f.path("c.html"));
    let policy = format!("short={short}");
    let args = ["--policy", "none", "--policy", policy.as_str(), "--runs", "2", "--json"];
    let did = compare(&[&a, &b], &out, &[&args[..], &["--html", &html, "--jobs", "3"]].concat());
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.err.starts_with("8 runs to be run, of 8\n1 of 8 "), "{}", did.err);
    let first = timeless(&did);
    let report = json(&did);
    let (none, short) = (&report["policies"][0], &report["policies"][1]);
    for p in [none, short] {
        assert_eq!(
            (&p["right"], &p["judged"], &p["ended"], &p["not_ended"]),
            (&2.into(), &4.into(), &4.into(), &0.into())
        );
        assert_eq!((&p["source"], &p["cached_source"]), (&"counted".into(), &"prefix".into()));
        assert_eq!(p["counted_as"], serde_json::json!(["openai/gpt-4o"]));
        let turns = &p["figures"]["turns"];
        assert_eq!((&turns["total"], &turns["error"], &turns["run"]["runs"]), (&6.0.into(), &0.0.into(), &4.into()));
        assert_eq!(p["figures"]["errors"]["total"], 2.0);
        assert_eq!(p["figures"].get("cost"), Some(&Value::Null), "{p}");
        assert!(p["figures"]["seconds"]["total"].is_number());
    }
    assert_eq!(none["figures"]["turns"]["ratio"], Value::Null);
    assert_eq!(short["figures"]["turns"]["ratio"], 1.0);
    let wrong = &none["tasks"][1]["runs"][0];
    assert_eq!((&wrong["right"], &wrong["why"]), (&false.into(), &"answer[0] must be 2, got 1".into()));
    assert_eq!(wrong["trace"], format!("{out}/b/none/1.jsonl"));
    // The tokens are those of the requests that `ptc messages` prints; the header is what every trace has.
    let mut sum = 0;
    for turn in ["1", "2", "3"] {
        let messages = ptc(&["messages", &format!("{out}/a/short/1.jsonl"), "--turn", turn, "--json"]).out;
        let request = format!("{{\"provider\":\"openai\",\"model\":\"gpt-4o\",\"messages\":{messages}}}");
        let counted: Value = serde_json::from_str(&ptc_with(&["tokens"], &request).out).unwrap();
        sum += counted["tokens"].as_u64().unwrap();
    }
    assert_eq!(short["tasks"][0]["runs"][0]["tokens"]["prompt"], sum);
    // Nothing is run again: the models are gone, and the same comes out.
    std::fs::remove_file(f.path("a/r.md")).unwrap();
    std::fs::remove_file(f.path("b/r.md")).unwrap();
    let again = compare(&[&a, &b], &out, &args);
    assert_eq!((again.code, again.err.as_str(), timeless(&again)), (0, "", first));
    // As often as the folder holds; the table has a row for each policy and the words of what is wrong.
    let policies = ["--policy", "none", "--policy", policy.as_str(), "-v"];
    let table = compare(&[&a, &b], &out, &policies);
    assert_eq!(table.code, 0, "{table:?}");
    assert!(table.out.starts_with("2 tasks, 2 runs of each under each policy\n\npolicy   right"), "{}", table.out);
    assert!(table.out.contains("\nnone    2 of 4         6 ±0 "), "{}", table.out);
    assert!(table.out.contains("tokens: counted as openai/gpt-4o; none were reported\n"), "{}", table.out);
    assert!(table.out.contains("  short, run 2: wrong: answer[0] must be 2, got 1\n"), "{}", table.out);
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!doctype html>\n<!-- a comparison, by ptc -->") && !page.contains("<script"), "{page}");
    assert!(!page.contains("http:") && !page.contains("https:") && !page.contains(" style="));
    let other = f.file("other.html", "<html>");
    let did = compare(&[&a, &b], &out, &[&policies[..], &["--html", &other]].concat());
    assert!(
        did.code == 2 && did.err.contains("is there and is no comparison; name another file for --html"),
        "{did:?}"
    );
}

#[test]
fn a_run_that_ends_by_an_error_stops_no_other_and_is_tried_again() {
    let f = Folder::new("compare-error");
    let (a, b) = (task(&f, "a", "5", "5"), task(&f, "b", "[1]", "[1]"));
    let whole = std::fs::read_to_string(f.path("a/r.md")).unwrap();
    f.file("a/r.md", whole.split("## Turn 3").next().unwrap());
    let out = f.path("out");
    let args = ["--policy", "none", "--policy", "auto", "--json"];
    let did = compare(&[&a, &b], &out, &args);
    assert_eq!(did.code, 1, "{did:?}");
    let report = json(&did);
    for p in report["policies"].as_array().unwrap() {
        assert_eq!(
            (&p["right"], &p["judged"], &p["ended"], &p["not_ended"]),
            (&1.into(), &1.into(), &1.into(), &1.into())
        );
        assert_eq!((&p["figures"]["turns"]["total"], &p["figures"]["turns"]["tasks"]), (&3.0.into(), &1.into()));
        let run = &p["tasks"][0]["runs"][0];
        assert_eq!((&run["status"], &run["turns"], &run["right"]), (&"not_ended".into(), &2.into(), &Value::Null));
        assert!(run["why"].as_str().unwrap().contains("has no reply for turn 3"), "{run}");
    }
    assert!(did.err.contains("a, none: error after 2 turns: "), "{}", did.err);
    let table = compare(&[&a, &b], &out, &args[..4]);
    assert!(table.out.contains("over 1 of 2 tasks; parts are of the tasks that both have\n"), "{}", table.out);
    assert!(table.out.contains("auto: not ended after 2 turns: a: "), "{}", table.out);
    // Its model answers again: the run continues after its second turn.
    f.file("a/r.md", &whole.replace("(oops)", "(fail \"asked again\")"));
    let did = compare(&[&a, &b], &out, &args);
    assert!(did.code == 0 && did.err.starts_with("2 runs to be run, of 4\n"), "{did:?}");
    assert_eq!(json(&did)["policies"][1]["tasks"][0]["runs"][0]["right"], true);
}

#[test]
fn a_trace_of_something_else_in_that_place_is_an_error_and_is_left_alone() {
    let f = Folder::new("compare-other");
    let (a, b) = (task(&f, "a", "5", "5"), task(&f, "b", "[1]", "[1]"));
    let policy = f.file("p.toml", "compress_history = true\n");
    let out = f.path("out");
    let args = ["--policy", policy.as_str()];
    assert_eq!(compare(&[&a, &b], &out, &args).code, 0);
    let refused = |words: &str| {
        let did = compare(&[&a, &b], &out, &args);
        assert!(did.code == 2 && did.err.contains(words) && did.out.is_empty(), "{words}: {did:?}");
    };
    f.file("p.toml", "compress_history = true\nprintln_history_limit = 3\n");
    refused(
        "a/p/1.jsonl: that run was made under another policy than \"p\" is now; name another --out, or move the file away",
    );
    f.file("p.toml", "compress_history = true\n");
    let kept = std::fs::read(f.path("out/b/p/1.jsonl")).unwrap();
    std::fs::copy(f.path("out/a/p/1.jsonl"), f.path("out/b/p/1.jsonl")).unwrap();
    refused(
        "b/p/1.jsonl: that is the trace of another task (\"a\"), and here those of \"b\" are kept; name another --out",
    );
    f.file("out/b/p/1.jsonl", "no trace\n");
    refused("b/p/1.jsonl: ");
    assert_eq!(std::fs::read_to_string(f.path("out/b/p/1.jsonl")).unwrap(), "no trace\n");
    std::fs::write(f.path("out/b/p/1.jsonl"), &kept).unwrap();
    assert_eq!(compare(&[&a, &b], &out, &args).code, 0);
    // Of an older version: it counts, and is told.
    let edited = String::from_utf8(kept).unwrap().replacen("# How you work", "# How one works", 1);
    assert!(edited.contains("# How one works"));
    std::fs::write(f.path("out/b/p/1.jsonl"), edited).unwrap();
    let did = compare(&[&a, &b], &out, &args);
    let words =
        "p: 1 run was made with another system message than the task has now, by an older version or an older task";
    assert!(did.code == 0 && did.out.contains(words), "{did:?}");
    // Of the other card; and a full history is one whatever is said of summaries.
    let cards = f.path("cards");
    let long = f.file("long.toml", "card = \"long\"\ncompress_history = false\n");
    let did = compare(&[&a], &cards, &["--policy", "none", "--policy", &format!("long={long}"), "--json"]);
    let tokens = |p: usize| json(&did)["policies"][p]["figures"]["prompt_tokens"]["total"].as_f64().unwrap();
    assert!(did.code == 0 && tokens(1) > tokens(0) + 3000.0, "{did:?}");
    f.file("long.toml", "compress_history = false\nprintln_history_limit = 3\n");
    let did = compare(&[&a], &cards, &["--policy", &format!("long={long}")]);
    let words = "that run had the long card, and under \"long\" it has the short one now; name another --out";
    assert!(did.code == 2 && did.err.contains(words), "{did:?}");
    let did = compare(&[&a], &cards, &["--policy", &format!("none={long}")]);
    assert_eq!(did.code, 0, "{did:?}");
    f.file("long.toml", "card = \"small\"\n");
    let did = compare(&[&a], &cards, &["--policy", &format!("long={long}")]);
    assert!(
        did.code == 2 && did.err.contains("long.toml:1: card must be \"short\" or \"long\", got \"small\""),
        "{did:?}"
    );
    // Of other data: the answer would be another.
    let with_input = |n: u64| {
        let text = std::fs::read_to_string(f.path("a/task.toml")).unwrap();
        let text = text.split("[context").next().unwrap().to_owned();
        f.file("a/task.toml", &format!("{text}[context.n]\nvalue = {n}\n"))
    };
    with_input(1);
    let other = f.path("other");
    assert_eq!(compare(&[&a], &other, &args).code, 0);
    with_input(2);
    let did = compare(&[&a], &other, &args);
    assert!(
        did.code == 2
            && did.err.contains("the input n has changed since that run; put the old file back, or name another --out"),
        "{did:?}"
    );
}

#[test]
fn names_that_are_odd_or_the_same_are_told_or_made_safe() {
    let f = Folder::new("compare-names");
    let a = task(&f, "../a/b", "5", "5");
    let out = f.path("out");
    let policy = f.file("p.toml", "");
    let did = compare(&[&a], &out, &["--policy", &format!("x/../../y={policy}")]);
    assert_eq!(did.code, 0, "{did:?}");
    let folders = |path: &Path| -> Vec<_> { std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect() };
    let tasks = folders(Path::new(&out));
    assert_eq!((tasks.len(), folders(&tasks[0]).len()), (1, 1), "{tasks:?}");
    assert!(folders(&tasks[0])[0].join("1.jsonl").is_file());
    assert!(!Path::new(&f.path("a")).exists() && !Path::new(&f.path("y")).exists());
    let html = f.path("c.html");
    let marked = compare(&[&a], &out, &["--policy", "<b>\u{202e}x</b>=none", "-v", "--html", &html]);
    assert!(
        marked.code == 0 && marked.out.contains("<b>\\u{202e}x</b>") && !marked.out.contains('\u{202e}'),
        "{marked:?}"
    );
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("&lt;b&gt;\\u{202e}x&lt;/b&gt;") && !page.contains("<b>\\u") && !page.contains('\u{202e}'));
    for (args, words) in [
        (vec![a.as_str(), a.as_str(), "--policy", "none"], "is named twice; name it once"),
        (vec![&a, &format!("{a}/task.toml"), "--policy", "none"], "is named twice; name it once"),
        (vec![&a, "--policy", "none", "--policy", "none=auto"], "two rows would be called \"none\""),
        (vec![&a, "--policy", "none", "--policy", "NONE=auto"], "two rows would be called \"NONE\""),
        (vec![&a, "--policy", "none", "--prices", "1,2"], "write three numbers from 0, INPUT,CACHED,OUTPUT"),
        (vec![&a, "--policy", "none", "--runs", "0"], "--runs"),
        (vec![&a, "--policy", "none", "--model", "openai/m"], "openai/m needs a key; set OPENAI_API_KEY"),
        (vec!["/no/task", "--policy", "none"], "there is no such task"),
        (vec![&a], "--policy"),
    ] {
        let did = compare(&args, &f.path("none"), &[]);
        assert!(did.code == 2 && did.err.contains(words), "{args:?}: {did:?}");
        assert!(!Path::new(&f.path("none")).exists(), "{args:?}");
    }
    f.file("two/task.toml", "[task]\nname = \"../A/b\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\nanswer = 1\n");
    // Names that differ stay apart, even where what is left of them is the same.
    f.file("two/r.md", "## Turn 1\n(return 1)\n");
    assert_eq!(compare(&[&a, &f.path("two")], &out, &["--policy", "none"]).code, 0);
    f.file("two/task.toml", "[task]\nname = \"../a/b\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\nanswer = 1\n");
    let did = compare(&[&a, &f.path("two")], &out, &["--policy", "none"]);
    assert!(did.code == 2 && did.err.contains("would keep their runs in one folder"), "{did:?}");
}

/// A session that another harness led, with `ptc step`; and no model to run what is not there.
#[test]
fn traces_that_others_made_are_compared_and_what_is_missing_is_told() {
    let f = Folder::new("compare-step");
    let a = task(&f, "a", "5", "5");
    let text = std::fs::read_to_string(f.path("a/task.toml")).unwrap();
    f.file("a/task.toml", &text.replace("model = \"replay:r.md\"\n", ""));
    std::fs::create_dir_all(f.path("out/a/none")).unwrap();
    let trace = f.path("out/a/none/1.jsonl");
    for reply in ["(def x 5)\n(println x)", "(return x)"] {
        assert_eq!(ptc_with(&["step", &trace, "--task", &a, "--no-compress"], reply).code, 0);
    }
    let did = compare(&[&a], &f.path("out"), &["--policy", "none", "--policy", "auto", "--json"]);
    assert_eq!(did.code, 1, "{did:?}");
    let report = json(&did);
    let run = &report["policies"][0]["tasks"][0]["runs"][0];
    assert_eq!((&run["right"], &run["turns"], &run["source"]), (&true.into(), &2.into(), &"counted".into()));
    assert_eq!((&run["seconds"], &run["model"]), (&Value::Null, &Value::Null));
    let (prompt, cached, last) = (&run["tokens"]["prompt"], &run["tokens"]["cached"], &run["tokens"]["last_prompt"]);
    let n = |v: &Value| v.as_u64().unwrap();
    // Two requests, the second of which begins as the first.
    assert!(n(prompt) > n(last) && n(cached) > n(last) / 2 && n(cached) < n(prompt) - n(last) + 1, "{run}");
    let missing = &report["policies"][1]["tasks"][0]["runs"][0];
    assert_eq!(missing["status"], "not_begun");
    assert_eq!(missing["why"], "the task names no model; add --model NAME to run it");
    let costs = ["--policy", "none", "--prices", "2,0.5,10", "--json"];
    let cost =
        json(&compare(&[&a], &f.path("out"), &costs))["policies"][0]["figures"]["cost"]["total"].as_f64().unwrap();
    let output = n(&run["tokens"]["output"]);
    let expected = ((n(prompt) - n(cached)) as f64 * 2.0 + n(cached) as f64 * 0.5 + output as f64 * 10.0) / 1e6;
    assert!((cost - expected).abs() < 1e-12, "{cost} {expected}");
}

#[test]
fn reported_tokens_are_taken_as_they_are_and_models_have_rows_of_their_own() {
    let f = Folder::new("compare-models");
    let a = task(&f, "a", "5", "5");
    // Each run has two requests, of 100 tokens and 10 each as the server reports.
    let server = Server::new(|_, body| {
        let more = body["messages"].as_array().unwrap().len() > 2;
        Ok(if more { "(return 5)".to_owned() } else { "(def x 5)".to_owned() })
    });
    let run = |more: &[&str]| {
        let out = f.path("out");
        let args = [&["compare", a.as_str(), "--policy", "none", "--json", "--out", out.as_str()], more].concat();
        ptc_in(&args, "", server.around())
    };
    let did = run(&["--model", "openai/m", "--prices", "1,0.1,10"]);
    assert_eq!(did.code, 0, "{did:?}");
    let report = json(&did);
    let row = &report["policies"][0];
    assert_eq!(
        (&row["name"], &row["source"], &row["cached_source"]),
        (&"none".into(), &"reported".into(), &"reported".into())
    );
    assert_eq!(row["tasks"][0]["runs"][0]["tokens"]["cached"], 0);
    // Where nothing is said of a cache, it is the share that the requests have in common.
    let trace = f.path("out/a/none/1.jsonl");
    let text = std::fs::read_to_string(&trace).unwrap();
    assert_eq!(text.matches(",\"cached_tokens\":0").count(), 4, "in the journal and in the turns");
    std::fs::write(&trace, text.replace(",\"cached_tokens\":0", "")).unwrap();
    let report = json(&run(&["--model", "openai/m", "--prices", "1,0.1,10"]));
    let row = &report["policies"][0];
    assert_eq!((&row["source"], &row["cached_source"]), (&"reported".into(), &"prefix".into()));
    let tokens = &row["tasks"][0]["runs"][0]["tokens"];
    assert_eq!((&tokens["prompt"], &tokens["output"]), (&200.into(), &20.into()));
    let cached = tokens["cached"].as_u64().unwrap();
    assert!(cached > 50 && cached < 100, "{tokens}");
    let cost = row["figures"]["cost"]["total"].as_f64().unwrap();
    assert!((cost - ((200 - cached) as f64 + cached as f64 * 0.1 + 200.0) / 1e6).abs() < 1e-12, "{cost}");
    assert_eq!(row["tasks"][0]["runs"][0]["model"], "openai/m");
    // A second model beside it: the first has run, and is not asked again.
    let did = run(&["--model", "openai/m", "--model", "openai/n"]);
    assert_eq!(did.code, 0, "{did:?}");
    assert_eq!(server.asked().len(), 4);
    let report = json(&did);
    let names: Vec<&str> = report["policies"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["none @ openai/m", "none @ openai/n"]);
    assert_eq!(report["policies"][1]["figures"]["prompt_tokens"]["ratio"], 1.0);
    // In the place of one model's runs no other's are taken for its own.
    let did = run(&["--model", "openai/n"]);
    assert!(did.code == 2 && did.err.contains("that run asked openai/m, and --model is openai/n now"), "{did:?}");
}

/// A task whose first run is ended by a tool that it calls, with this signal to its own process.
#[cfg(unix)]
fn hit(f: &Folder, signal: &str) -> (std::process::Output, String) {
    f.file(
        "hit/task.toml",
        "[task]\nname = \"hit\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\nanswer = 3\n\
         [tools.once]\ncommand = [\"sh\", \"once.sh\"]\n",
    );
    f.file(
        "hit/once.sh",
        &format!("cat >/dev/null; echo x >> calls\nif [ ! -e hit ]; then : > hit; kill -{signal} $PPID; sleep 5; fi\necho 2\n"),
    );
    f.file("hit/r.md", "## Turn 1\n(def x 1)\n## Turn 2\n(def y (tool/once))\n## Turn 3\n(return (+ x y))\n");
    let args = ["compare", &f.path("hit"), "--policy", "none", "--out", &f.path("out"), "--json"];
    let did = std::process::Command::new(env!("CARGO_BIN_EXE_ptc")).args(args).output().unwrap();
    (did, f.path("hit"))
}

#[cfg(unix)]
#[test]
fn a_comparison_that_was_killed_goes_on_in_the_turn_it_was_in() {
    let f = Folder::new("compare-kill");
    let (did, task) = hit(&f, "9");
    assert_eq!(did.status.code(), None, "it is killed: {did:?}");
    // What was in flight is somebody's decision; the reply of that turn is not asked for again.
    let text = std::fs::read_to_string(f.path("hit/r.md")).unwrap();
    f.file(
        "hit/r.md",
        &text.replace("(def x 1)", "(fail \"asked again\")").replace("(def y (tool/once))", "(fail \"again\")"),
    );
    let out = f.path("out");
    let did = compare(&[&task], &out, &["--policy", "none", "--json"]);
    assert_eq!(did.code, 1, "{did:?}");
    let run = json(&did)["policies"][0]["tasks"][0]["runs"][0].clone();
    assert_eq!((&run["status"], &run["turns"]), (&"not_ended".into(), &1.into()));
    assert!(run["why"].as_str().unwrap().contains("say with ptc approve what becomes of them"), "{run}");
    let trace = run["trace"].as_str().unwrap();
    let pending: Value = serde_json::from_str(&ptc(&["approve", trace, "--list", "--json"]).out).unwrap();
    let call = pending["calls"][0]["id"].to_string();
    assert_eq!(ptc(&["approve", trace, &call]).code, 0);
    let did = compare(&[&task], &out, &["--policy", "none", "--json"]);
    assert_eq!(did.code, 0, "{did:?}");
    let run = json(&did)["policies"][0]["tasks"][0]["runs"][0].clone();
    assert_eq!((&run["right"], &run["turns"]), (&true.into(), &3.into()), "{run}");
    // Three parts of time, the first of which has no end of its own.
    assert!(run["seconds"].as_f64().unwrap() >= 0.0);
}

#[cfg(unix)]
#[test]
fn a_signal_stops_and_the_same_command_goes_on() {
    let f = Folder::new("compare-signal");
    let (did, task) = hit(&f, "INT");
    let err = String::from_utf8(did.stderr).unwrap();
    assert_eq!((did.status.code(), did.stdout.len()), (Some(130), 0), "{err}");
    assert!(err.ends_with("stopped; what has run is kept, and the same command goes on\n"), "{err}");
    let text = std::fs::read_to_string(f.path("hit/r.md")).unwrap();
    f.file("hit/r.md", &text.replace("(def x 1)", "(fail \"asked again\")"));
    let trace = f.path("out/hit/none/1.jsonl");
    let pending: Value = serde_json::from_str(&ptc(&["approve", &trace, "--list", "--json"]).out).unwrap();
    if let Some(call) = pending["calls"].get(0) {
        assert_eq!(ptc(&["approve", &trace, &call["id"].to_string()]).code, 0);
    }
    let did = compare(&[&task], &f.path("out"), &["--policy", "none", "--json"]);
    assert_eq!(did.code, 0, "{did:?}");
    assert_eq!(json(&did)["policies"][0]["right"], 1);
}

/// The keys of an object and of those in it, but for figures that the docs shorten to `{}`.
fn keys(of: &Value) -> Vec<String> {
    match of {
        Value::Object(all) => {
            let inner = |(k, v): (&String, &Value)| {
                let deep = keys(v).into_iter().map(move |inner| format!("{k}.{inner}"));
                std::iter::once(k.clone()).chain(deep).collect::<Vec<_>>()
            };
            all.iter().flat_map(inner).collect()
        }
        Value::Array(items) => items.first().map(keys).unwrap_or_default(),
        _ => Vec::new(),
    }
}

#[test]
fn the_json_has_the_keys_of_the_docs() {
    let docs = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compare.md")).unwrap();
    let block = docs.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let mut documented: Value = serde_json::from_str(block).unwrap();
    let f = Folder::new("compare-docs");
    let a = task(&f, "a", "5", "5");
    let did = compare(&[&a], &f.path("out"), &["--policy", "none", "--prices", "1,1,1", "--json"]);
    let mut told = json(&did);
    let again = compare(&[&a], &f.path("out"), &["--policy", "none", "--prices", "1,1,1"]).out;
    assert!(again.contains("cost: all runs had recorded replies, which nobody was paid for"), "{again}");
    for report in [&mut documented, &mut told] {
        let figures = report["policies"][0]["figures"].as_object_mut().unwrap();
        figures.iter_mut().filter(|(name, _)| *name != "turns").for_each(|(_, figure)| *figure = Value::Null);
    }
    let (mut documented, mut told) = (keys(&documented), keys(&told));
    documented.sort();
    told.sort();
    assert_eq!(documented, told);
}

#[test]
fn acts_are_compared_and_what_cannot_show_them_is_refused() {
    let f = Folder::new("compare-acts");
    f.file(
        "acts/task.toml",
        "[task]\nname = \"acts\"\nmodel = \"replay:r.md\"\nanswer = \"three\"\n[toc]\norder = [\"a\", \"b\"]\n\
         [acts.a]\n[[acts.a.input]]\ntype = \"text\"\ncontent = \"Count.\"\n\
         [acts.b]\nmode = \"text\"\n[[acts.b.input]]\ntype = \"text\"\ncontent = \"Say {{a}}.\"\n",
    );
    f.file("acts/r.md", "## Turn 1\n(def x 3)\n## Turn 2\n(return x)\n## Turn 3\nthree\n");
    let together = f.file("together.toml", "compress_history = true\nlayout = \"coalesced\"\n");
    let did = compare(&[&f.path("acts")], &f.path("out"), &["--policy", &together]);
    assert!(did.code == 2 && did.err.contains("layout = \"coalesced\" puts all turns into one message"), "{did:?}");
    let did = compare(&[&f.path("acts")], &f.path("out"), &["--policy", "none", "--policy", "auto", "--json"]);
    let report = json(&did);
    for p in report["policies"].as_array().unwrap() {
        let run = &p["tasks"][0]["runs"][0];
        assert_eq!(
            (&run["right"], &run["turns"], &run["status"]),
            (&true.into(), &3.into(), &"returned".into()),
            "{run}"
        );
        assert!(run["tokens"]["prompt"].as_u64().unwrap() > 100);
    }
}

/// A run that used up a limit of the whole run is over, and without an answer it is wrong; with a higher limit it goes on.
#[test]
fn a_run_that_a_limit_ended_counts_as_one_that_is_wrong() {
    let f = Folder::new("compare-limit");
    let task = |most: u64| {
        f.file(
            "t/task.toml",
            &format!(
                "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\nanswer = 3\n[limits]\nmax_tool_calls_total = {most}\n\
                 [tools.n]\nparams = []\nreplay = \"n.jsonl\"\n"
            ),
        );
        f.path("t")
    };
    f.file("t/n.jsonl", "{\"args\": {}, \"result\": 1}\n{\"args\": {}, \"result\": 2}\n");
    f.file("t/r.md", "## Turn 1\n(def a (tool/n))\n## Turn 2\n(return (+ a (tool/n)))\n");
    let out = f.path("out");
    for _ in 0..2 {
        let did = compare(&[&task(1)], &out, &["--policy", "none", "--json"]);
        assert_eq!(did.code, 0, "{did:?}");
        assert!(did.err.contains("limit after 1 turn\n"), "{}", did.err);
        let policy = &json(&did)["policies"][0];
        assert_eq!((&policy["right"], &policy["ended"], &policy["not_ended"]), (&0.into(), &1.into(), &0.into()));
        let run = &policy["tasks"][0]["runs"][0];
        assert_eq!((&run["status"], &run["right"]), (&"limit".into(), &false.into()));
        assert!(run["why"].as_str().unwrap().contains("max_tool_calls_total is 1"), "{run}");
    }
    let did = compare(&[&task(2)], &out, &["--policy", "none", "--json"]);
    let run = &json(&did)["policies"][0]["tasks"][0]["runs"][0];
    assert_eq!((did.code, &run["status"], &run["right"]), (0, &"returned".into(), &true.into()), "{}", did.err);
}
