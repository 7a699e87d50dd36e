//! Libraries of a task: checked with file and line, listed, kept in the trace, and held to what they were.

use crate::common::{Folder, ptc};
use serde_json::{Value, json};

const TASK: &str = "[task]\nname = \"shop\"\nprompt = \"What is the mean?\"\nmodel = \"replay:replies.md\"\n\
    [libraries]\nstats = \"lib/stats.lisp\"\nshop = \"lib/shop.lisp\"\n";
const STATS: &str = "(defn mean \"Arithmetic mean. Of none nil.\" [xs]\n  (when (seq xs) (/ (sum xs) (count xs))))\n";
const SHOP: &str = "(def prices \"Cents\" [250 120])\n(defn middle [] (stats/mean prices))\n";
const REPLIES: &str = "## Turn 1\n(def m \"Mean price\" (shop/middle))\n## Turn 2\n(return [m (stats/mean [1 2 3])])\n";

fn shop(name: &str) -> (Folder, String) {
    let f = Folder::new(name);
    f.file("shop/task.toml", TASK);
    f.file("shop/lib/stats.lisp", STATS);
    f.file("shop/lib/shop.lisp", SHOP);
    f.file("shop/replies.md", REPLIES);
    let task = f.path("shop");
    (f, task)
}

#[test]
fn they_are_there_before_the_first_turn_and_part_of_the_trace() {
    let (f, task) = shop("libraries-run");
    let trace = f.path("t.jsonl");
    let did = ptc(&["run", &task, "--trace", &trace]);
    assert_eq!((did.code, did.out.as_str()), (0, "[185 2]\n"), "{}", did.err);
    let kept = std::fs::read_to_string(&trace).unwrap();
    let header: Value = serde_json::from_str(kept.lines().next().unwrap()).unwrap();
    let digest = header["libraries"][0]["sha256"].as_str().unwrap();
    assert!(digest.len() == 64 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{digest}");
    assert_eq!(header["libraries"][0]["text"], STATS);
    assert_eq!(header["libraries"][1]["file"], "lib/shop.lisp");
    assert_eq!(kept.matches("Arithmetic mean. Of none nil.").count(), 1, "its text stands in the trace once");
    // Turn by turn they are no definitions; the message of the system has them in every one.
    let turns: Value = serde_json::from_str(&ptc(&["trace", &trace, "--json"]).out).unwrap();
    let defined: Vec<&Value> = turns[0]["definitions"].as_array().unwrap().iter().map(|d| &d["name"]).collect();
    assert_eq!(defined, [&json!("m")]);
    let sent = ptc(&["messages", &trace, "--turn", "2"]).out;
    let listed = "- `(stats/mean xs)`: Arithmetic mean\n- `shop/prices` = list[2]: Cents\n- `(shop/middle)`\n";
    assert!(sent.contains(listed) && !sent.contains("; Function:"), "{sent}");
    // A worker of its own and a task inside have them as well.
    #[cfg(unix)]
    {
        let run = ["run", &task, "--isolate", "--trace", &f.path("worker.jsonl")];
        let did = std::process::Command::new(env!("CARGO_BIN_EXE_ptc")).args(run).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&did.stdout), "[185 2]\n", "{}", String::from_utf8_lossy(&did.stderr));
    }
    f.file(
        "boss/task.toml",
        "[task]\nprompt = \"Ask.\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../shop\"\n",
    );
    f.file("boss/r.md", "## Turn 1\n(return (tool/helper \"please\"))\n");
    let did = ptc(&["run", &f.path("boss"), "--trace", &f.path("boss.jsonl")]);
    assert_eq!((did.code, did.out.as_str()), (0, "[185 2]\n"), "{}", did.err);
}

#[test]
fn a_session_goes_on_without_the_file_and_not_with_another() {
    let (f, task) = shop("libraries-resume");
    let trace = f.path("t.jsonl");
    assert_eq!(ptc(&["run", &task, "--trace", &trace]).code, 0);
    let kept = std::fs::read_to_string(&trace).unwrap();
    // As after a crash behind the first turn.
    let first = kept.find("\n{\"turn\":1,").unwrap() + 1;
    let half = kept[..first + kept[first..].find('\n').unwrap() + 1].to_owned();
    let resume = || {
        std::fs::write(&trace, &half).unwrap();
        ptc(&["run", &task, "--resume", &trace])
    };
    let did = resume();
    assert_eq!((did.code, did.out.as_str()), (0, "[185 2]\n"), "{}", did.err);
    f.file("shop/lib/stats.lisp", "(defn mean [xs] 7)");
    let changed = "the library stats has changed since the session began; put the old file back, or start a new trace";
    let did = resume();
    assert_eq!((did.code, did.err.contains(changed)), (2, true), "{} {}", did.code, did.err);
    assert_eq!(std::fs::read_to_string(&trace).unwrap(), half, "nothing is lost");
    std::fs::remove_dir_all(f.0.join("shop/lib")).unwrap();
    let did = resume();
    assert_eq!((did.code, did.out.as_str()), (0, "[185 2]\n"), "{}", did.err);
    // What is computed from the trace alone never asked for it; nor does a step.
    assert!(ptc(&["messages", &trace, "--turn", "2"]).out.contains("(stats/mean xs)"));
    std::fs::write(&trace, &half).unwrap();
    let did = crate::common::ptc_with(&["step", &trace, "-"], "(stats/mean [5])");
    assert!(did.code == 0 && did.out.contains("=> 5\n"), "{} {}", did.out, did.err);
    // A new session needs it, and says so.
    let did = ptc(&["run", &task, "--trace", &f.path("new.jsonl")]);
    assert!(did.code == 2 && did.err.contains("lib/stats.lisp: there is no such file; check the name"), "{}", did.err);
    assert!(!f.0.join("new.jsonl").exists());
    // One that the task has since is not there.
    f.file("shop/lib/more.lisp", "(def x 1)");
    f.file("shop/task.toml", &format!("{TASK}more = \"lib/more.lisp\"\n"));
    let did = resume();
    let added = "the library more was added since the session began; take it out, or start a new trace";
    assert_eq!((did.code, did.err.contains(added)), (2, true), "{}", did.err);
    // Its text in the trace is held to its digest.
    f.file("shop/task.toml", TASK);
    std::fs::write(&trace, half.replace("Of none nil.", "Of none one.")).unwrap();
    let did = ptc(&["run", &task, "--resume", &trace]);
    let other = "the text of the library stats in the trace is not the one that its sha256 is of";
    assert_eq!((did.code, did.err.contains(other)), (2, true), "{}", did.err);
}

#[test]
fn what_is_wrong_with_them_is_told_with_file_and_line() {
    let (f, task) = shop("libraries-check");
    let check = || ptc(&["check", &task]);
    let did = check();
    assert_eq!(did.out, "ok: shop: model replay:replies.md, 2 libraries\n", "{}", did.err);
    let lib = f.path("shop/lib");
    f.file("shop/lib/stats.lisp", "(def a 1)\n\n(defn mean [xs] (summ xs))\n");
    let did = check();
    // What uses it is not blamed for it.
    assert_eq!(did.out, format!("{lib}/stats.lisp:3: unknown name summ; did you mean sum?\n"));
    let did = ptc(&["run", &task]);
    assert!(did.code == 2 && did.err.contains("lib/stats.lisp:3: unknown name summ; did you mean sum?"), "{}", did.err);
    let did = ptc(&["check", &task, "--json"]);
    let told: Value = serde_json::from_str(&did.out).unwrap();
    let problem =
        json!({"file": format!("{lib}/stats.lisp"), "line": 3, "message": "unknown name summ; did you mean sum?"});
    assert_eq!(told["problems"], json!([problem]));
    f.file("shop/lib/stats.lisp", STATS);
    let toml = f.path("shop/task.toml");
    for (libraries, words) in [
        ("stats = \"lib/gone.lisp\"", format!("{toml}:6: {lib}/gone.lisp: there is no such file; check the name")),
        ("str = \"lib/stats.lisp\"", format!("{toml}:6: \"str\" is a namespace of the language; take another name")),
        (
            "\"a b\" = \"lib/stats.lisp\"",
            format!(
                "{toml}:6: \"a b\" is no name of a namespace; begin with a letter, and use letters, digits, - _ and ."
            ),
        ),
        ("stats = 5", format!("{toml}:6: stats must be text in quotes, got a number")),
        (
            "stats = \"../stats.lisp\"",
            format!("{toml}:6: \"../stats.lisp\" is outside the task's folder; write allow_outside = true into [task]"),
        ),
        ("shop = \"lib/shop.lisp\"", format!("{lib}/shop.lisp:2: unknown namespace stats in stats/mean")),
    ] {
        let (head, _) = TASK.split_once("stats = ").unwrap();
        f.file("shop/task.toml", &format!("{head}{libraries}\n"));
        let did = check();
        assert!(did.out.starts_with(&words) && did.code == 1, "{libraries}: {}", did.out);
    }
}

#[test]
fn doc_shows_what_a_task_has() {
    let (f, task) = shop("libraries-doc");
    let did = ptc(&["doc", "stats/mean", "--task", &task]);
    assert_eq!((did.code, did.out.as_str()), (0, "stats/mean\n([xs])\n  Arithmetic mean. Of none nil.\n"));
    let all = "stats/mean\n([xs])\n  Arithmetic mean. Of none nil.\n\nshop/prices\n  Cents\n\nshop/middle\n([])\n";
    assert_eq!(ptc(&["doc", "--task", &task]).out, all);
    let did = ptc(&["doc", "stats/maen", "--task", &task]);
    assert!(
        did.code == 1 && did.err.contains("no function or page is called stats/maen; did you mean stats/mean?"),
        "{}",
        did.err
    );
    // The language is there as without it.
    assert_eq!(ptc(&["doc", "inc", "--task", &task]).out, ptc(&["doc", "inc"]).out);
    let did = ptc(&["doc", "--task", &f.task()]);
    assert!(did.code == 0 && did.out.is_empty() && did.err.contains("has no libraries"), "{} {}", did.out, did.err);
}
