//! Every option on a session that continues: it changes something, or is refused in words that name it. None is read and
//! dropped.

use crate::common::{Did, Folder, ptc, ptc_with};
use std::collections::BTreeSet;

/// The long options that a command shows in its help.
fn options(command: &str) -> BTreeSet<String> {
    let help = ptc(&[command, "--help"]).out;
    let words = help.lines().map(str::trim_start).filter(|l| l.starts_with('-')).flat_map(|l| {
        let names = l.split("  ").next().unwrap_or_default();
        names.split([' ', ',', '[', '=']).filter(|w| w.starts_with("--")).map(str::to_owned).collect::<Vec<_>>()
    });
    words.collect()
}

/// A task that needs three turns, with other replies and files beside it.
fn task(f: &Folder) -> String {
    f.file(
        "t/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[context.rows]\nvalue = [1, 2]\n\
         [history]\ncompress_history = false\n",
    );
    let turns = "## Turn 1\nFirst I look at the rows.\n```clojure\n(def x (count ctx/rows))\n```\n\n## Turn 2\nThen I count.\n```clojure\n(println x)\n```\n\n## Turn 3\n";
    f.file("t/replies.md", &format!("{turns}(return x)\n"));
    f.file("t/other.md", &format!("{turns}(return :other)\n"));
    f.file("t/more.csv", "a\n1\n");
    f.file("t/fuel.toml", "fuel = 77777\n");
    f.path("t")
}

/// What a run shows, without what differs from run to run.
fn shown(did: &Did) -> (i32, String, String) {
    let line = |l: &str| {
        let l = l.split(" · ").next().unwrap_or_default();
        l.split(|c: char| c.is_ascii_digit()).collect::<Vec<_>>().join("N")
    };
    let err = did.err.lines().filter(|l| !l.starts_with("continuing ")).map(line).collect::<Vec<_>>().join("\n");
    (did.code, did.out.clone(), err)
}

/// Whether an option changed what happened, or was refused with its name.
fn counts(option: &str, with: &Did, without: &Did) {
    let name = option.trim_start_matches('-');
    let refused = with.code == 2 && (with.err.contains(name) || with.err.contains("another task"));
    assert!(refused || shown(with) != shown(without), "{option} is read and dropped: {with:?}");
}

#[test]
fn every_option_of_run_counts_on_resume_or_is_refused() {
    let f = Folder::new("resume-options");
    let t = task(&f);
    let begun = f.path("begun.jsonl");
    assert_eq!(ptc(&["run", &t, "--trace", &begun, "--max-turns", "1"]).code, 3);
    let more = format!("more={}", f.path("t/more.csv"));
    let (fuel, other) = (f.path("t/fuel.toml"), format!("replay:{}", f.path("t/other.md")));
    let (record, report) = (f.path("record.md"), f.path("page.html"));
    let cases: Vec<(&str, Vec<&str>)> = vec![
        ("--prompt", vec!["--prompt", "other"]),
        ("ctx/more", vec!["--ctx", &more]),
        ("--set", vec!["--set", "history.compress_history=true"]),
        ("limits.fuel", vec!["--set", "limits.fuel=77777"]),
        ("limits.fuel", vec!["--limits", &fuel]),
        ("task.system", vec!["--set", "task.system=Be brief"]),
        ("task.card", vec!["--set", "task.card=long"]),
        ("task.expect", vec!["--set", "task.expect=string"]),
        ("task.name", vec!["--set", "task.name=other"]),
        ("context.more.value", vec!["--set", "context.more.value=[1]"]),
        ("tools.more.command", vec!["--set", "tools.more.command=[\"true\"]"]),
        ("task.max_turns", vec!["--set", "task.max_turns=2"]),
        ("--set", vec!["--set", "limits.max_tool_calls_total=0"]),
        ("--set", vec!["--set", "task.answer=other"]),
        ("--compress", vec!["--compress"]),
        ("--no-compress", vec!["--no-compress"]),
        ("--max-turns", vec!["--max-turns", "2"]),
        ("--model", vec!["--model", &other]),
        ("--record", vec!["--record", &record]),
        ("--report", vec!["--report", &report]),
        ("--open", vec!["--open"]),
        ("--trace", vec!["--trace", "x.jsonl"]),
        ("--continue", vec!["--continue"]),
        ("--no-session", vec!["--no-session"]),
        ("--fail-turn", vec!["--fail-turn"]),
        ("--json", vec!["--json"]),
        ("--output", vec!["--output", "jsonl"]),
        ("--quiet", vec!["--quiet"]),
        ("--verbose", vec!["--verbose"]),
        ("--replay", vec!["--replay", "strict", "--model", "ollama/none"]),
    ];
    // What a run does in another place than its session, and how bytes reach the disk: the same whether it continues or not.
    let elsewhere =
        ["--resume", "--isolate", "--no-sync", "--otel", "--otel-content", "--no-config", "--color", "--help"];
    let known: BTreeSet<String> = cases.iter().map(|c| c.1[0].to_owned()).chain(elsewhere.map(str::to_owned)).collect();
    let missing: Vec<String> = options("run").difference(&known).cloned().collect();
    assert!(missing.is_empty(), "options of ptc run without a case: {missing:?}");
    let resume = |extra: &[&str]| {
        let copy = f.path("copy.jsonl");
        std::fs::copy(&begun, &copy).unwrap();
        let own = ["--max-turns", "--set"].iter().any(|o| extra.contains(o) && extra.join(" ").contains("max"));
        let turns: &[&str] = if own { &[] } else { &["--set", "task.max_turns=3"] };
        ptc(&[&["run", t.as_str(), "--resume", &copy], turns, extra].concat())
    };
    let plain = resume(&[]);
    assert_eq!((plain.code, plain.out.as_str()), (0, "2\n"), "{}", plain.err);
    for (name, extra) in &cases {
        let did = resume(extra);
        // What is written is looked at below; the recorded history is the full one already.
        if ["--no-compress", "--record", "--report", "--open"].contains(name) {
            assert_eq!(did.code, 0, "{name}: {}", did.err);
            continue;
        }
        counts(name, &did, &plain);
    }
    let written = [&record, &report, &f.path("copy.html")].map(|file| std::fs::exists(file).unwrap());
    assert_eq!(written, [true; 3]);
    // What is given again as it was is no change: the command that is printed to continue has all of it.
    for same in [vec!["--set", "history.compress_history=false"], vec!["--set", "limits.fuel=100_000_000"]] {
        let limits = ptc_agent::task::options::limit_list(&Default::default());
        let fuel = limits.iter().find(|l| l.0 == "fuel").unwrap();
        let fuel = format!("limits.fuel={}", fuel.1);
        let same: Vec<&str> = same.iter().map(|a| if a.contains("fuel") { fuel.as_str() } else { a }).collect();
        let did = resume(&same);
        assert_eq!((did.code, did.out.as_str()), (0, "2\n"), "{same:?}: {}", did.err);
    }
}

#[test]
fn settings_of_a_step_count_or_are_refused() {
    let f = Folder::new("resume-step");
    let t = task(&f);
    let trace = f.path("s.jsonl");
    let did = ptc_with(&["step", &trace, "--task", &t, "--set", "limits.fuel=55555", "-"], "(def x (count ctx/rows))");
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(std::fs::read_to_string(&trace).unwrap().contains("55555"));
    let step = |extra: &[&str]| ptc_with(&[&["step", trace.as_str(), "-"], extra].concat(), "x");
    let did = step(&["--set", "limits.fuel=66666"]);
    let words = "limits.fuel cannot be changed on resume: the session began with 55555; leave --set limits.fuel out, or begin a new session";
    assert!(did.code == 2 && did.err.contains(words), "{}", did.err);
    let did = step(&["--set", "task.max_turns=1"]);
    assert_eq!(did.code, 3, "{}", did.err);
    assert_eq!(step(&["--set", "limits.fuel=55555"]).code, 0);
}

#[test]
fn a_question_that_continues_refuses_what_its_session_cannot_take() {
    let f = Folder::new("resume-ask");
    f.file("r.md", "## Turn 1\n(return 1)\n\n## Turn 2\n(return 2)\n");
    let (trace, model) = (f.path("q.jsonl"), format!("replay:{}", f.path("r.md")));
    let begun = ptc(&["ask", "one?", "--trace", &trace, "--model", &model]);
    assert_eq!(begun.code, 0, "{}", begun.err);
    let csv = f.file("new.csv", "a\n1\n");
    for (name, extra) in [
        ("ctx/new", ["--ctx", csv.as_str()]),
        ("limits.fuel", ["--set", "limits.fuel=77777"]),
        ("tool/true", ["--tool", "true"]),
    ] {
        let did = ptc(&["ask", "two?", "--resume", &trace, "--model", &model, extra[0], extra[1]]);
        assert!(did.code == 2 && did.err.contains(name), "{name}: {did:?}");
    }
}

#[test]
fn a_repl_over_a_trace_takes_no_settings_that_the_trace_has() {
    let f = Folder::new("resume-repl");
    let t = task(&f);
    let trace = f.path("r.jsonl");
    ptc(&["run", &t, "--trace", &trace]);
    let fuel = f.path("t/fuel.toml");
    for extra in [["--set", "limits.fuel=5"], ["--limits", &fuel]] {
        let did = ptc_with(&["repl", "--trace", &trace, extra[0], extra[1]], "x");
        assert!(did.code == 2 && did.err.contains(extra[0]), "{did:?}");
    }
}

#[test]
fn a_comparison_does_not_take_runs_with_other_limits_for_its_own() {
    let f = Folder::new("resume-compare");
    let (t, out) = (task(&f), f.path("out"));
    let compare = |extra: &[&str]| ptc(&[&["compare", t.as_str(), "--policy", "none", "--out", &out], extra].concat());
    assert_eq!(compare(&["--set", "limits.fuel=77777"]).code, 0);
    assert_eq!(compare(&[]).code, 0);
    let did = compare(&["--set", "limits.fuel=88888"]);
    assert!(did.code == 2 && did.err.contains("that run had other limits than these options say"), "{}", did.err);
}
