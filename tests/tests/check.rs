//! `ptc check`: all that is wrong with a task at once, and nothing of one that runs.

use ptc_agent::Environment;
use ptc_cli::CliContext;
use ptc_tests::cli::{Did, Folder, ptc_in, task};
use std::path::Path;

/// A task with faults of every kind, some of them in the tasks inside it.
const FAULTY: &str = r#"[task]
prompt = "p"
model = "openai/gpt-5.1"
max_turns = 0
expect = "strin"
promt = "q"

[toc]
order = ["look", "tell", "ask"]

[history]
println_history_limit = -1

[limits]
fuel = "much"

[context.gone]
file = "gone.json"
[context.broken]
file = "broken.json"
[context.posts]
database = "posts.sqlite"
table_name = "posts"

[tools.stock]
command = ["./stock.sh"]
[tools.search]
params = [{ name = "q", type = "strng" }]
returns = "a list of pages"
replay = "search.jsonl"
[tools.env]
command = ["sh", "-c", "true"]
env = { KEY = "$PTC_NO_SUCH_VARIABLE" }
[tools.nobody]
description = "x"

[mcp.files]
command = ["no-such-server-here"]
[mcp.tickets]
url = "https://tickets.example.org/mcp"
headers = { Authorization = "Bearer $PTC_NO_SUCH_TOKEN" }

[acts.look]
mode = "text"
[[acts.look.input]]
type = "file"
file = "notes.md"
history_retention = "drop"
[[acts.look.input]]
type = "tabel"
[acts.tell]
mode = "text"
model = "replay:none.md"
[[acts.tell.input]]
type = "text"
content = "Of {{lok}} and {{ask}}"
[[acts.tell.input]]
type = "tool"
tool = "search"
args = { q = 5, r = 6, s = 7 }
[acts.ask]
[[acts.ask.input]]
type = "text"
content = "Now {{tell}}"

[agents.helper]
task = "../helper"
[agents.lost]
task = "../lost"
"#;

const HELPER: &str = "[task]\nprompt = \"h\"\nmodel = \"replay:r.md\"\nmax_turn = 3\n[context.x]\nfile = \"x.csv\"\n";

fn put(f: &Folder, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = f.path(name);
        std::fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

fn check(path: &str, options: &[&str]) -> Did {
    let around = CliContext { environment: Environment::default(), ..CliContext::default() };
    ptc_in(&[&["check", path], options].concat(), "", around)
}

#[test]
fn all_faults_are_told_at_once() {
    let f = Folder::new("check-faulty").unwrap();
    put(
        &f,
        &[
            ("task/task.toml", FAULTY),
            ("task/broken.json", "{\"a\": }"),
            ("task/search.jsonl", "{\"args\": {\"q\": \"x\"}, \"result\": 1}\n{\"args\": 5}\n"),
            ("task/stock.sh", "echo 1\n"),
            ("task/notes.md", &"n".repeat(3000)),
            ("helper/task.toml", HELPER),
            ("helper/r.md", "## Turn 2\n(x)\n"),
            ("helper/x.csv", "a,b\n1\n"),
        ],
    );
    let did = check(&f.path("task"), &[]);
    assert_eq!(did.code, 1, "{did:?}");
    let own = f.path("task/task.toml");
    // The text that is on the line says which fault it is.
    let line = |file: &str, text: &str, begin: &str| {
        let number = FAULTY.lines().position(|l| l.starts_with(begin)).unwrap_or_else(|| panic!("{begin}")) + 1;
        format!("{file}:{number}: {text}")
    };
    let expected = [
        line(&own, "max_turns must be a whole number from 1, got 0", "max_turns"),
        line(&own, "expect: unknown type strin", "expect"),
        line(&own, "unknown key promt in [task]; did you mean prompt?", "promt"),
        line(&own, "println_history_limit", "println_history_limit"),
        line(&own, "fuel must be a whole number from 0, got text", "fuel"),
        line(&own, &f.path("task/gone.json: there is no such file; check the name"), "file = \"gone.json\""),
        line(&own, &f.path("task/broken.json: invalid JSON at line 1"), "file = \"broken.json\""),
        line(&own, &f.path("task/posts.sqlite"), "database"),
        line(&own, "the command \"./stock.sh\" is not executable; chmod +x it", "command = [\"./stock.sh\"]"),
        line(&own, "type: unknown type strng", "params"),
        line(&own, "returns: unknown type a, in the type a list of pages", "returns"),
        line(&own, &f.path("task/search.jsonl:2: args is not an object"), "replay = \"search.jsonl\""),
        line(&own, "env: KEY needs the environment variable PTC_NO_SUCH_VARIABLE; set it", "env"),
        line(&own, "[tools.nobody]: nobody answers; add command", "[tools.nobody]"),
        line(&own, "the command \"no-such-server-here\" is not there; install it", "command = [\"no-such-server"),
        line(&own, "headers: Authorization needs the environment variable PTC_NO_SUCH_TOKEN; set it", "headers"),
        line(&own, "there is no type \"tabel\"; did you mean \"table\"?", "type = \"tabel\""),
        line(&own, &f.path("task/none.md: there is no such file; check the name"), "model = \"replay:none.md\""),
        line(&own, "[acts.tell]: {{lok}}: there is no such act; did you mean {{look}}?", "[acts.tell]"),
        line(&own, "[acts.tell]: {{ask}}: that act comes no earlier; change the order in [toc]", "[acts.tell]"),
        line(&own, "act tell, input 2: the tool search has no parameter \"r\"", "args"),
        line(&own, "act tell, input 2: the tool search has no parameter \"s\"", "args"),
        line(&own, &f.path("task/../lost: there is no such task"), "task = \"../lost\""),
        line(&own, "openai/gpt-5.1 needs a key; set OPENAI_API_KEY", "model = \"openai"),
    ];
    for words in &expected {
        assert_eq!(did.out.lines().filter(|l| l.starts_with(words.as_str())).count(), 1, "{words}\n{}", did.out);
    }
    // The task inside, by its own file, once.
    let inside = f.path("task/../helper/task.toml");
    for (begin, words) in [
        (format!("{inside}:4: "), "unknown key max_turn in [task]; did you mean max_turns?"),
        (format!("{inside}:3: "), "the heading must be \"## Turn 1\""),
        (format!("{inside}:6: "), "x.csv"),
    ] {
        let found = did.out.lines().filter(|l| l.starts_with(&begin) && l.contains(words)).count();
        assert_eq!(found, 1, "{begin}{words}\n{}", did.out);
    }
    let lines: Vec<usize> =
        did.out.lines().filter_map(|l| l.strip_prefix(&format!("{own}:"))?.split(':').next()?.parse().ok()).collect();
    assert!(lines.len() == expected.len() && lines.is_sorted(), "in the order of the file: {lines:?}");
    let all = expected.len() + 3;
    assert_eq!(did.out.lines().count(), all, "no more than these:\n{}", did.out);
    assert!(did.err.contains(&format!("{all} problems")), "{}", did.err);
    // The same as data.
    let json = check(&f.path("task"), &["--json"]);
    assert_eq!((json.code, json.err.as_str()), (1, ""));
    let data: serde_json::Value = serde_json::from_str(json.out.trim_end()).unwrap();
    assert_eq!((&data["ok"], &data["task"]), (&false.into(), &"task".into()));
    let problems = data["problems"].as_array().unwrap();
    assert_eq!(problems.len(), all);
    let promt = problems.iter().find(|p| p["message"].as_str().unwrap().contains("promt")).unwrap();
    assert_eq!((&promt["file"], &promt["line"]), (&own.as_str().into(), &6.into()));
    assert_eq!(promt["message"], "unknown key promt in [task]; did you mean prompt?");
}

/// What `ptc run` refuses first is among what the check reports.
#[test]
fn the_first_fault_of_a_run_is_one_of_them() {
    let f = Folder::new("check-first").unwrap();
    for (name, text) in [
        ("no-prompt", "[task]\nmodel = \"replay:r.md\"\n"),
        ("not-text", "[task]\nprompt = 5\nmodel = \"replay:r.md\"\n"),
        ("no-model", "[task]\nprompt = \"p\"\n"),
        ("bad-model", "[task]\nprompt = \"p\"\nmodel = \"gpt-5\"\n"),
        ("no-task", "[limits]\nfuel = 1\n"),
        ("no-toml", "[task\n"),
        ("schema", "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[task.expect]\ntype = \"strin\"\n"),
        (
            "two-names",
            "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[tools.\"a b\"]\nreplay = \"x\"\n[tools.\"c d\"]\nreplay = \"x\"\n",
        ),
    ] {
        let folder = format!("{name}/task.toml");
        put(&f, &[(&folder, text), (&format!("{name}/r.md"), "## Turn 1\n(return 1)\n")]);
        let path = f.path(name);
        let run = ptc_in(&["run", &path], "", CliContext::default());
        let did = check(&path, &[]);
        assert_eq!((run.code, did.code), (2, 1), "{name}: {run:?} {did:?}");
        let first = run.err.lines().find_map(|l| l.split_once("error:").map(|l| l.1)).unwrap_or_default();
        let first = first.replace("\u{1b}[0m", "").trim().to_owned();
        let words = first.rsplit("task.toml").next().unwrap().trim_start_matches([':', ' ']);
        assert!(!words.is_empty() && did.out.contains(words), "{name}: {first}\n{}", did.out);
        let count = if name == "two-names" { 2 } else { 1 };
        assert_eq!(did.out.lines().count(), count, "{name}:\n{}", did.out);
    }
    assert_eq!(check(&f.path("gone"), &[]).code, 2);
}

/// A place that history will have lost is reported before the run gets there.
#[test]
fn places_that_history_will_have_no_more_are_told() {
    let f = Folder::new("check-places").unwrap();
    let task = |retention: &str| {
        format!(
            "[task]\nmodel = \"replay:r.md\"\n[toc]\norder = [\"a\", \"b\"]\n[acts.a]\nmode = \"text\"\n\
             [[acts.a.input]]\ntype = \"file\"\nfile = \"notes.md\"\nhistory_retention = \"{retention}\"\n\
             [acts.b]\nmode = \"text\"\n[[acts.b.input]]\ntype = \"text\"\ncontent = \"{{{{a.notes.md}}}}\"\n"
        )
    };
    for (retention, code) in [("full", 0), ("drop", 1), ("summary", 1)] {
        let notes = "n".repeat(3000);
        put(&f, &[("task.toml", &task(retention)), ("notes.md", &notes), ("r.md", "## Turn 1\nx\n## Turn 2\ny\n")]);
        let did = check(&f.path(""), &[]);
        assert_eq!(did.code, code, "{retention}: {did:?}");
        let told = did.out.contains("task.toml:15: ") && did.out.contains("history_retention = \"full\"");
        assert_eq!(told, code == 1, "{}", did.out);
    }
}

#[test]
fn the_tasks_of_the_examples_are_right() {
    let all = std::fs::read_dir(task("")).unwrap().filter_map(|e| Some(e.ok()?.path()));
    let tasks: Vec<_> = all.filter(|p| p.join("task.toml").is_file()).collect();
    assert!(tasks.len() >= 5);
    for path in tasks {
        let did = check(&path.display().to_string(), &[]);
        // What a script makes is made first.
        let unmade = path.join("make.py").is_file() && did.out.contains("make it: python3");
        assert!(did.code == 0 || unmade && did.out.lines().count() == 1, "{}:\n{}", path.display(), did.out);
        assert!(did.code == 1 || did.out.starts_with("ok: "), "{}", did.out);
    }
}

/// Nothing is asked, called or started.
#[test]
fn a_check_leaves_no_trace_of_itself() {
    let f = Folder::new("check-quiet").unwrap();
    let text = "[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[tools.t]\ncommand = [\"sh\", \"-c\", \"touch called\"]\n\
                [mcp.s]\ncommand = [\"sh\", \"-c\", \"touch started\"]\n\
                [acts.a]\n[[acts.a.input]]\ntype = \"tool\"\ntool = \"t\"\n";
    put(&f, &[("task.toml", text), ("r.md", "## Turn 1\n(return 1)\n")]);
    let did = check(&f.path(""), &[]);
    assert_eq!(did.code, 0, "{did:?}");
    assert!(did.out.contains(": model replay:r.md, 1 act, 1 tool, 1 server\n"), "{}", did.out);
    let mut left: Vec<_> = std::fs::read_dir(f.path("")).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["r.md", "task.toml"]);
}

/// What is no TOML, and a file without `[task]`, hide nothing that is wrong besides.
#[test]
fn a_file_that_is_broken_in_one_place_is_checked_in_the_others() {
    let f = Folder::new("check-broken").unwrap();
    let lines = |text: &str| {
        put(&f, &[("t/task.toml", text), ("t/r.md", "## Turn 1\n(return 1)\n")]);
        let did = check(&f.path("t"), &[]);
        assert_eq!(did.code, 1, "{did:?}");
        did.out.lines().map(|l| l.replace(&f.path("t/"), "")).collect::<Vec<String>>()
    };
    let found = lines(
        "[task]\nprompt = What\nmodel = \"replay:r.md\"\nmax_turns = 0\n[limits]\nfuel = \"much\"\n[tools.x\ncommand = 5\n",
    );
    for begin in ["task.toml:2: ", "task.toml:4: max_turns must be", "task.toml:6: fuel must be", "task.toml:7: "] {
        assert_eq!(found.iter().filter(|l| l.starts_with(begin)).count(), 1, "{begin}: {found:#?}");
    }
    assert_eq!(found.iter().filter(|l| l.ends_with("; correct the TOML")).count(), 2, "{found:#?}");
    let found = lines(&format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n{}", "x = \n".repeat(5000)));
    assert!((50..=101).contains(&found.len()), "{}", found.len());
    assert!(
        found.iter().any(|l| l.ends_with("more mistakes of that kind; correct those before them first")),
        "{found:#?}"
    );
    let found = lines("[history]\nstratgy = \"auto\"\n[limits]\nfuel = \"much\"\n");
    let expected = [
        "task.toml: [task] is missing; write [task] with a prompt and a model",
        "task.toml:2: unknown key stratgy in [history]; did you mean strategy?",
        "task.toml:4: fuel must be a whole number from 0, got text",
    ];
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(expected.iter().all(|e| found.iter().any(|l| l.starts_with(e))), "{found:#?}");
    let found = lines("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[context]\nfile = \"orders.csv\"\n");
    assert!(
        found.iter().any(|l| l == "task.toml:5: file must be a table, as in [context.NAME], got text"),
        "{found:#?}"
    );
    let found = lines("task = 5\n[limits]\nfuel = \"much\"\n");
    assert_eq!(
        found,
        [
            "task.toml:1: task must be a table, as in [task], got a number",
            "task.toml:3: fuel must be a whole number from 0, got text",
        ]
    );
    let found = lines("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\nmax_turns = 0\n[narrative]\nprompt = \"q\"\n");
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[1].contains("[task] and [narrative] are one and the same"), "{found:#?}");
}
