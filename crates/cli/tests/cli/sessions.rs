//! Sessions that runs keep: `ptc sessions`, `--continue`, ids in the place of traces.

use crate::common::{Did, Folder, Server, ptc, ptc_in};
use ptc_cli::{CliContext, Environment};
use serde_json::Value;

/// `ptc ARGS` with a home in this folder.
fn at(f: &Folder, args: &[&str]) -> Did {
    ptc_in(args, "", around(f))
}

fn around(f: &Folder) -> CliContext {
    CliContext { home: Some(f.0.join("home")), ..CliContext::default() }
}

fn ids(f: &Folder) -> Vec<String> {
    let did = at(f, &["sessions", "--json"]);
    assert_eq!(did.code, 0, "{}", did.err);
    did.out.lines().map(|l| serde_json::from_str::<Value>(l).unwrap()["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_keeps_its_session_and_says_so_last() {
    let f = Folder::new("sessions-run");
    let task = f.task();
    let did = at(&f, &["run", &task]);
    let all = ids(&f);
    let id = all[0].as_str();
    assert_eq!((did.code, all.len()), (0, 1), "{}", did.err);
    let last = did.err.lines().last().unwrap();
    assert_eq!(last, format!("session {id}: look at it with ptc trace {id}"));
    // The same without a session, but for that line.
    let without = at(&f, &["run", &task, "--no-session"]);
    assert_eq!(did.out, without.out);
    assert_eq!(did.err, format!("{}{last}\n", without.err));
    assert_eq!(ids(&f).len(), 1);
    let off = CliContext { environment: [("PTC_SESSIONS", "off")].into_iter().collect::<Environment>(), ..around(&f) };
    assert_eq!(ptc_in(&["run", &task], "", off).err, without.err);
    // Told where, it is kept there alone. Without a home none is kept.
    at(&f, &["run", &task, "--trace", &f.path("t.jsonl")]);
    assert_eq!((ids(&f).len(), ptc(&["run", &task]).err), (1, without.err));
    // Wherever a trace is taken, so is an id, or the end of one.
    let end = id.rsplit('-').next().unwrap();
    for args in [vec!["trace", id], vec!["trace", end], vec!["messages", end], vec!["history", "report", id]] {
        let did = at(&f, &args);
        assert_eq!(did.code, 0, "{args:?}: {}", did.err);
    }
    assert!(at(&f, &["trace", id, "--json"]).out.contains("\"status\":\"returned\""));
    assert!(at(&f, &["approve", end, "--list"]).err.contains("no call waits"));
    assert!(at(&f, &["trace", "20990101"]).err.contains("there is no session \"20990101\"; ptc sessions lists them"));
    assert!(at(&f, &["trace", "nothing.jsonl"]).err.contains("nothing.jsonl"));
    let json = at(&f, &["run", &task, "--json"]);
    let line: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(ids(&f)[0], line["session"].as_str().unwrap());
    assert_eq!(line["usage"]["total"]["tool_calls"], 3);
}

#[test]
fn a_run_that_does_not_begin_keeps_nothing_and_one_that_cannot_keep_runs() {
    let f = Folder::new("sessions-none");
    let task = f.task();
    for args in [vec!["run", "/no/task"], vec!["run", &task, "--model", "openai/m"], vec!["run", &task, "--continue"]] {
        let did = at(&f, &args);
        assert_eq!(did.code, 2, "{args:?}: {}", did.err);
        assert!(ids(&f).is_empty(), "{args:?}");
    }
    let did = at(&f, &["run", &task, "--continue"]);
    assert!(did.err.contains("is kept; begin one with ptc run, without --continue"), "{}", did.err);
    let none = ptc(&["run", &task, "--continue"]);
    assert!(none.err.contains("there is no folder for sessions; set PTC_HOME to one"), "{}", none.err);
    // A file where the folder belongs.
    let around = CliContext { home: Some(f.file("blocked", "a file").into()), ..CliContext::default() };
    let did = ptc_in(&["run", &task], "", around);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.err.starts_with("warning: the session is not kept: "), "{}", did.err);
    assert!(did.err.contains("set PTC_HOME to another folder, or keep no session with --no-session"), "{}", did.err);
    for args in [vec!["run", &task, "--continue", "--trace", "x"], vec!["run", &task, "--continue", "--resume", "x"]] {
        assert!(at(&f, &args).err.contains("cannot be used with"), "{args:?}");
    }
}

#[test]
fn what_is_printed_to_go_on_behind_a_limit_goes_on() {
    let f = Folder::new("sessions-limit");
    let task = f.task();
    let did = at(&f, &["run", &task, "--set", "limits.max_tool_calls_total=1"]);
    assert_eq!(did.code, 3, "{}", did.err);
    let line = did.err.lines().last().unwrap().split_once("go on with ptc ").unwrap().1;
    assert_eq!(line, format!("run {task} --set limits.max_tool_calls_total=2 --continue"));
    let did = at(&f, &line.split(' ').collect::<Vec<_>>());
    let line = did.err.lines().last().unwrap().split_once("go on with ptc ").unwrap().1;
    assert_eq!(line, format!("run {task} --set limits.max_tool_calls_total=4 --continue"));
    let did = at(&f, &line.split(' ').collect::<Vec<_>>());
    assert_eq!(did.code, 0, "{}", did.err);
}

/// What standard input gave is not there again: the command says so, and does not wait for somebody to type it.
#[test]
fn what_is_printed_to_go_on_names_standard_input_and_the_configuration() {
    let f = Folder::new("sessions-stdin");
    let task = f.task();
    let with = |args: &[&str], stdin: &str| ptc_in(args, stdin, around(&f));
    let did = with(&["run", &task, "--ctx", "note=-", "--no-config", "--max-turns", "1"], "hello");
    assert_eq!(did.code, 3, "{}", did.err);
    let lines: Vec<&str> = did.err.lines().rev().take(2).collect();
    let command = lines[0].split_once("go on with ptc ").unwrap().1;
    assert_eq!(command, format!("run {task} --ctx note=- --no-config --continue --max-turns 2 < FILE"));
    assert_eq!(lines[1], "FILE: what standard input gave as ctx/note; it is not kept, and has to be given again");
    let args: Vec<&str> = command.strip_suffix(" < FILE").unwrap().split(' ').collect();
    assert_eq!(with(&args, "hello").code, 3);
    let did = with(&[&args[..], &["--json"]].concat()[..], "hello");
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert!(line["error"]["hint"].as_str().is_some_and(|h| !h.contains("note=-") || h.ends_with("< FILE")), "{line}");
    // Of one that has ended nothing is to be given.
    let did = with(&["run", &task, "--ctx", "note=-"], "hello");
    assert!(did.code == 0 && !did.err.contains("FILE"), "{}", did.err);
}

/// A session that gave up goes another way from the turn before.
#[test]
fn a_session_that_failed_is_to_be_forked() {
    let f = Folder::new("sessions-failed");
    let task = f.task();
    f.file("shop/replies.md", "## Turn 1\n(def x 1)\n## Turn 2\n(fail \"no\")\n");
    assert_eq!(at(&f, &["run", &task]).code, 1);
    let id = &ids(&f)[0];
    let did = at(&f, &["run", &task, "--resume", id]);
    let words =
        format!("; fork it: ptc sessions fork {id} --turn 1, name another file, or look at it with ptc trace {id}");
    assert!(did.code == 2 && did.err.contains(&words), "{}", did.err);
    assert_eq!(at(&f, &["sessions", "fork", id, "--turn", "1"]).code, 0);
    // Of a first turn there is nothing before it, and a file is no session that could be forked.
    f.file("shop/replies.md", "## Turn 1\n(fail \"no\")\n");
    let trace = f.path("t.jsonl");
    at(&f, &["run", &task, "--trace", &trace]);
    at(&f, &["run", &task]);
    for of in [trace.as_str(), &ids(&f)[0]] {
        let did = at(&f, &["run", &task, "--resume", of]);
        assert!(did.code == 2 && !did.err.contains("fork"), "{}", did.err);
    }
}

/// `-q` shows the result, warnings and errors only.
#[test]
fn quiet_runs_say_nothing_on_the_way() {
    let f = Folder::new("sessions-quiet");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    let aside = || f.file("t.agent-old-0123456789ab.jsonl", "{}\n");
    aside();
    let limit = "limits.max_tool_calls_total=1";
    let args = ["run", &task, "--trace", &trace, "--open", "--set", limit];
    let loud = ptc(&args).err;
    assert!(loud.contains("the page of this run: http") && loud.contains("kept an older session's as"), "{loud}");
    std::fs::remove_file(&trace).unwrap();
    aside();
    let quiet = ptc(&[&args[..], &["-q"]].concat());
    assert!(
        quiet.code == 3 && quiet.err.lines().count() == 1 && quiet.err.starts_with("limit after 1 turn"),
        "{quiet:?}"
    );
    let kept = std::fs::read(&trace).unwrap();
    let on = ["run", &task, "--resume", &trace, "--fail-turn"];
    assert!(ptc(&on).err.contains("turn 2 is recorded as failed"));
    std::fs::write(&trace, kept).unwrap();
    let quiet = ptc(&[&on[..], &["-q"]].concat());
    assert_eq!((quiet.code, quiet.err.as_str()), (0, ""));
}

#[test]
fn the_newest_session_goes_on() {
    let f = Folder::new("sessions-continue");
    let task = f.task();
    let did = at(&f, &["run", &task, "--max-turns", "1"]);
    let id = &ids(&f)[0];
    assert_eq!(did.code, 3, "{}", did.err);
    assert!(did.err.ends_with(&format!("go on with ptc run {task} --continue --max-turns 2\n")), "{}", did.err);
    // Without more turns it says what to add.
    let did = at(&f, &["run", &task, "--continue"]);
    assert!(
        did.code == 2 && did.err.contains("out of turns: max_turns is 1; add --max-turns 2, name another file"),
        "{did:?}"
    );
    let did = at(&f, &["run", &task, "--continue", "--max-turns", "2"]);
    assert!(did.code == 3 && did.err.ends_with("--continue --max-turns 4\n"), "{did:?}");
    let did = at(&f, &["run", &task, "--continue", "--max-turns", "4"]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert_eq!(ids(&f), [id.as_str()]);
    let again = at(&f, &["run", &task, "--continue"]);
    assert_eq!(again.code, 2);
    let words = format!(
        "{id}, has ended: it returned; begin a new one without --continue, or fork it: ptc sessions fork {id} --turn N"
    );
    assert!(again.err.contains(&words), "{}", again.err);
    // Another task has none of its own.
    let other = f.file("other/task.toml", "[task]\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n");
    f.file("other/replies.md", "## Turn 1\n(return 1)\n");
    assert!(at(&f, &["run", &other, "--continue"]).err.contains("is kept"));
    // A fork goes on from its last turn, and is the newest then.
    let fork = at(&f, &["sessions", "fork", id, "--turn", "2"]);
    assert_eq!(fork.code, 0, "{}", fork.err);
    let forked = fork.out.trim();
    assert!(fork.err.contains(&format!("go on with ptc run {task} --resume {forked}")), "{}", fork.err);
    let did = at(&f, &["run", &task, "--resume", forked, "--max-turns", "4", "--json"]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert_eq!(serde_json::from_str::<Value>(&did.out).unwrap()["session"], forked);
    let shown = at(&f, &["sessions", "show", forked]).out;
    assert!(
        shown.contains("status: returned") && shown.contains(&format!("fork of: {id}, its turns up to 2")),
        "{shown}"
    );
}

#[test]
fn sessions_are_listed_found_exported_and_removed() {
    let f = Folder::new("sessions-list");
    let task = f.task();
    let none = at(&f, &["sessions"]);
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    at(&f, &["run", &task]);
    at(&f, &["run", &task, "--max-turns", "1"]);
    let all = ids(&f);
    let list = at(&f, &["sessions"]).out;
    let rows: Vec<&str> = list.lines().collect();
    assert!(rows[0].starts_with("ID") && rows[0].ends_with("QUESTION"), "{list}");
    assert_eq!(rows.len(), 3);
    assert!(
        list.contains("returned") && list.contains("out_of_turns") && rows[1].ends_with("What is in stock?"),
        "{list}"
    );
    // Laid out to the width.
    let narrow = CliContext { width: Some(110), ..around(&f) };
    let narrow = ptc_in(&["sessions"], "", narrow).out;
    assert!(narrow.lines().all(|l| l.chars().count() <= 110), "{narrow}");
    let count = |args: &[&str]| at(&f, &[&["sessions", "list", "--json"], args].concat()).out.lines().count();
    assert_eq!((count(&["--status", "returned"]), count(&["--task", "shop"]), count(&["--task", "x"])), (1, 2, 0));
    assert_eq!((count(&["--since", "1h"]), count(&["--since", "2999-01-01"]), count(&["--limit", "1"])), (2, 0, 1));
    for (args, words) in [
        (vec!["sessions", "--status", "oops"], "there is no status \"oops\"; give one of running, returned"),
        (vec!["sessions", "--since", "soon"], "--since must be an age or a day, got \"soon\""),
        (vec!["sessions", "search", "--", "--"], "there is no letter and no digit"),
        (vec!["sessions", "show", "2"], "2 sessions begin with \"2\""),
        (vec!["sessions", "rm", "zzzz"], "there is no session \"zzzz\""),
        (vec!["sessions", "rm", &all[0]], "1 session would be removed, and nobody is asked here; add --yes"),
        (vec!["sessions", "prune"], "add --older-than 30d, --keep 20, or both"),
        (vec!["sessions", "fork", &all[1], "--turn", "9"], "there is no turn 9; give --turn 1 to 3"),
    ] {
        let did = at(&f, &args);
        assert_eq!(did.code, 2, "{args:?}");
        assert!(did.err.contains(words), "{args:?}: {}", did.err);
    }
    let found = at(&f, &["sessions", "search", "stock", "pen"]);
    assert!(found.out.contains(&all[0]) && found.out.contains("turn 1, program: "), "{}", found.out);
    assert_eq!(at(&f, &["sessions", "search", "\"OR\" x*y(", "nowhere"]).err, "no turn has all these words\n");
    let file = f.path("out.tar.gz");
    assert_eq!(at(&f, &["sessions", "export", &all[0], "-o", &file]).code, 0);
    assert!(std::fs::read(&file).unwrap().starts_with(&[0x1f, 0x8b]));
    assert!(at(&f, &["sessions", "export", &all[0], "-o", &file]).err.contains("is there already; name another file"));
    let trace = at(&f, &["sessions", "export", &all[0], "--trace-only", "-o", "-"]).out;
    assert!(trace.starts_with("{\"ptc_trace\":1"), "{trace}");
    // A session that is written now stays.
    let held = std::fs::File::open(f.0.join("home/sessions").join(&all[0]).join("trace.jsonl")).unwrap();
    held.lock().unwrap();
    assert!(at(&f, &["sessions", "rm", &all[0], "--yes"]).err.contains("is running; end it first"));
    assert!(at(&f, &["sessions"]).out.contains("running"));
    assert_eq!(at(&f, &["sessions", "prune", "--older-than", "0d", "--dry-run"]).out.lines().count(), 1);
    drop(held);
    let prune = at(&f, &["sessions", "prune", "--keep", "1", "--dry-run"]);
    assert_eq!(prune.out.trim(), all[1]);
    assert_eq!(ids(&f).len(), 2);
    let no = ptc_in(&["sessions", "rm", &all[1]], "n\n", CliContext { live: true, ..around(&f) });
    assert_eq!((no.code, ids(&f).len()), (1, 2), "{}", no.err);
    assert_eq!(ptc_in(&["sessions", "rm", &all[1]], "y\n", CliContext { live: true, ..around(&f) }).code, 0);
    assert_eq!(at(&f, &["sessions", "prune", "--older-than", "0d", "--yes"]).code, 0);
    assert!(ids(&f).is_empty());
    assert!(!at(&f, &["sessions", "--help"]).out.is_empty());
}

#[test]
fn programs_look_at_sessions() {
    let f = Folder::new("sessions-query");
    let task = f.task();
    at(&f, &["run", &task]);
    at(&f, &["run", &task, "--max-turns", "1"]);
    let asked = |program: &str| at(&f, &["sessions", "query", program]);
    assert_eq!(asked("(count runs)").out, "2\n");
    assert_eq!(
        asked("(->> runs (filter #(= \"returned\" (:status %))) (map :task) frequencies)").out,
        "{\"shop\" 1}\n"
    );
    assert_eq!(asked("(->> runs (mapcat :turns) (mapcat :calls) (remove :ok) (map :error))").out, "(\"sold out\")\n");
    assert_eq!(asked("(map (fn [r] (map :n (:turns r))) runs)").out, "((1) (1 2 3))\n");
    let did = asked("(map :x oops)");
    assert_eq!(did.code, 1);
    assert!(did.err.contains("unknown name oops"), "{}", did.err);
    let json: Value = serde_json::from_str(&at(&f, &["sessions", "query", "(count runs)", "--json"]).out).unwrap();
    assert_eq!(json["value"], "2");
    let one = at(&f, &["sessions", "query", "(count runs)", "--limit", "1"]);
    assert!(one.out == "1\n" && one.err.contains("the newest 1 of 2 sessions are looked at"), "{}", one.err);
    assert_eq!(ptc_in(&["sessions", "query", "-"], "(mapv :task runs)", around(&f)).out, "[\"shop\" \"shop\"]\n");
}

/// Subtasks stand beside their parent: listed as its own, in its totals, in its archive, gone with it.
#[test]
fn subtasks_go_with_their_parent() {
    let f = Folder::new("sessions-subtasks");
    f.file("inner/task.toml", "[task]\nprompt = \"Add.\"\nmodel = \"replay:replies.md\"\n");
    f.file("inner/replies.md", "## Turn 1\n(return 42)\n");
    let outer = f.file(
        "outer/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n[model]\nprice = { input = 1000, output = 0 }\n[agents.helper]\ntask = \"../inner\"\n",
    );
    let server = Server::new(|n, _| Ok(["(def x (tool/helper {:request \"1\"}))", "(return x)"][n].to_owned()));
    let run = |args: &[&str]| ptc_in(args, "", CliContext { home: around(&f).home, ..server.around() });
    let did = run(&["run", &outer]);
    assert_eq!(did.code, 0, "{}", did.err);
    assert!(did.err.contains("the whole run: 200 tokens in, 20 out; cost 0.200000; model "), "{}", did.err);
    let one: Value = serde_json::from_str(&at(&f, &["sessions", "--json"]).out).unwrap();
    assert_eq!((&one["subtasks"], &one["totals"]["input_tokens"]), (&Value::from(1), &Value::from(200)));
    assert_eq!(one["totals"]["cost"], 0.2);
    let id = one["id"].as_str().unwrap();
    at(&f, &["sessions", "rm", id, "--yes"]);
    assert_eq!(
        std::fs::read_dir(f.0.join("home/sessions")).unwrap().flatten().filter(|e| e.path().is_dir()).count(),
        0
    );
}

#[test]
fn a_trace_and_its_page_say_why_the_run_ended() {
    let f = Folder::new("sessions-why");
    let task = f.task();
    let key = [("OPENAI_API_KEY", "x"), ("OPENAI_BASE_URL", "http://127.0.0.1:9")];
    let away = CliContext { environment: key.into_iter().collect::<Environment>(), ..around(&f) };
    let did = ptc_in(&["run", &task, "--model", "openai/m", "--max-turns", "3"], "", away);
    assert_eq!(did.code, 1, "{}", did.err);
    // The same model goes on, not the task's.
    let line = did.err.lines().last().unwrap().split_once("go on with ptc ").unwrap().1;
    assert_eq!(line, format!("run {task} --model openai/m --continue --max-turns 3"));
    let id = &ids(&f)[0];
    let shown = at(&f, &["trace", id]).out;
    assert!(
        shown.lines().last().unwrap().starts_with("Stopped: openai/m: no connection to http://127.0.0.1:9"),
        "{shown}"
    );
    let page = f.path("why.html");
    assert_eq!(at(&f, &["trace", id, "--report", &page]).code, 0);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<b>Stopped</b>: openai/m: no connection to http://127.0.0.1:9"), "{page}");
    // Once it has gone on, it is no longer so.
    at(&f, &["run", &task, "--resume", id]);
    assert!(!at(&f, &["trace", id]).out.contains("Stopped"));
}

#[test]
fn a_trace_that_is_begun_may_be_called_as_it_likes() {
    let f = Folder::new("sessions-step");
    let task = f.task();
    at(&f, &["run", &task]);
    let tail = ids(&f)[0].split('-').next_back().unwrap().to_owned();
    // Names that begin an id of a session, and that could be one.
    for name in [tail.as_str(), "session"] {
        let did = crate::common::ptc_in(&["step", name, "--task", "none/such"], "", around(&f));
        assert!(did.code == 2 && !did.err.contains("no session") && !did.err.contains("ended"), "{}", did.err);
    }
    // A wrong id is told to those who read JSON too.
    let did = at(&f, &["run", &task, "--resume", "zzzz", "--json"]);
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!((did.code, line["error"]["kind"].as_str()), (2, Some("usage")), "{}", did.out);
}
