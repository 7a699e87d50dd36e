//! Tasks of several acts, as `ptc run` runs them: inputs of every type, templates, retention, what is kept of them.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::folder::Folder;
use crate::ran::{go_on, run, run_with};
use ptc_agent::{Agent, Cancel, FnModel, Reply, Request, RunContext, RunStatus, Task, Tool, Toolbox, TraceFile};
use ptc_lisp::value::Value;
use ptc_turns::{Session, Trace};
use std::path::Path;

/// A CSV of posts, about 40 bytes a row.
fn posts(rows: usize) -> String {
    let rows: String = (1..=rows).map(|i| format!("{i},A post about number {i:04} of many\n")).collect();
    format!("id,text\n{rows}")
}

const THREE: &str = r#"
[task]
system = "You curate."
[toc]
order = ["look", "count", "tell"]
[acts.look]
mode = "text"
[[acts.look.input]]
type = "table"
file = "posts.csv"
history_retention = "summary"
[[acts.look.input]]
type = "text"
content = "Which are best?"
[acts.count]
[[acts.count.input]]
type = "text"
content = "Count them: {{look}}"
[acts.tell]
mode = "text"
[[acts.tell.input]]
type = "text"
content = "Tell: {{count}} of {{look}}"
"#;

/// R-05, R-22, R-38.
#[test]
fn acts_share_one_conversation_and_inputs_are_seen_once() {
    let f = Folder::new("three", &[("task.toml", THREE), ("posts.csv", &posts(50))]);
    let (end, trace, notes, seen) = run(&f, &["3 and 7.", "(def xs [3 7])", "(return (count xs))", "Two: 3 and 7."]);
    assert_eq!((end.status, end.text.as_deref(), end.turns), (RunStatus::Returned, Some("Two: 3 and 7."), 4));
    assert_eq!(end.json.unwrap().text(), "\"Two: 3 and 7.\"");
    assert_eq!(notes.acts, ["look", "count", "tell"]);
    assert!(
        seen[0].contains("| 50 | A post about number 0050 of many |\n")
            && seen[0].contains("Answer this in plain text")
    );
    assert!(seen[1].contains("[Table: posts.csv, 50 rows, ~2KB]\nWhich are best?"), "{}", seen[1]);
    assert!(!seen[1].contains("A post about number") && seen[1].contains("Count them: 3 and 7.\nTurn 2 of 9\n"));
    assert!(
        seen[3].contains("=> 2\nTell: 2 of 3 and 7.\nAnswer this in plain text: no program is run."),
        "{}",
        seen[3]
    );
    assert!(seen[1].len() < seen[0].len());
    assert_eq!(trace.acts().iter().map(|a| a.first_turn).collect::<Vec<_>>(), [1, 2, 4]);
    // Settled once: what an act leaves is the same for all that follow.
    assert!(seen[2].starts_with(&seen[1]));
}

/// R-11, R-12, R-23, R-37.
#[test]
fn what_history_has_no_more_is_told_and_not_left_empty() {
    for (word, rows, left) in [
        ("drop", 50, "contains nothing (history_retention = \"drop\")"),
        ("summary", 50, "contains only a summary (history_retention = \"summary\")"),
        ("full", 50, ""),
        // Small enough to be kept as it is (R-10).
        ("summary", 2, ""),
    ] {
        let task = THREE
            .replace("\"summary\"", &format!("{word:?}"))
            .replace("Count them: {{look}}", "Count {{look.posts.csv}} {{look.2}}");
        let f = Folder::new("guidance", &[("task.toml", &task), ("posts.csv", &posts(rows))]);
        let (end, trace, _, _) = run(&f, &["3 and 7.", "(return 2)", "Two."]);
        if left.is_empty() {
            assert_eq!(end.status, RunStatus::Returned, "{word}: {:?}", end.error);
            continue;
        }
        let words = format!(
            "act count, input 1: act 'count' refers to {{{{look}}}}, but of its input (table posts.csv) conversation history {left}. Use history_retention = \"full\" for that input in act 'look'"
        );
        assert_eq!((end.status, end.error.map(|e| e.text())), (RunStatus::Error, Some(words)));
        assert_eq!((trace.acts().len(), trace.turns().len()), (1, 1));
    }
}

/// R-18, R-19, R-20, R-26, R-29.
#[test]
fn large_inputs_are_condensed_warned_of_or_kept() {
    let run = |narrative: &str, word: &str| {
        let task = THREE
            .replace("history_retention = \"summary\"", word)
            .replace("system = ", &format!("{narrative}\nsystem = "));
        let f = Folder::new("large", &[("task.toml", &task), ("posts.csv", &posts(400))]);
        let (_, _, notes, seen) = run(&f, &["3 and 7.", "(return 2)", "Two."]);
        (seen[2].contains("number 0400"), notes.warnings)
    };
    let (whole, warnings) = run("", "");
    assert!(
        !whole && warnings.len() == 1 && warnings[0].contains("is above auto_summary_threshold (10000)"),
        "{warnings:?}"
    );
    let full = "history_retention = \"full\"";
    assert!(!run("", full).0, "R-20: explicit, and above the threshold all the same");
    assert_eq!(run("honour_explicit_full = true", full), (true, vec![]));
    assert_eq!(run("auto_summary_threshold = 0", ""), (true, vec![]));
    assert_eq!(run("auto_summary_threshold = 20000", ""), (true, vec![]));
    let (whole, warnings) = run("auto_summary_threshold = 0\nwarn_large_history = true", "");
    assert!(whole && warnings.len() == 1, "{warnings:?}");
    assert!(warnings[0].starts_with(
        "large input (table posts.csv, ~17KB) with history_retention = \"full\" in a narrative of 3 acts"
    ));
    assert!(warnings[0].ends_with("(ptc doc tasks, \"Retention\")"));
    let off = THREE.replace("[toc]", "[history]\nretention = false\n[toc]");
    let f = Folder::new("off", &[("task.toml", &off), ("posts.csv", &posts(400))]);
    let (_, _, _, seen) = self::run(&f, &["3 and 7.", "(return 2)", "Two."]);
    assert!(seen[2].contains("number 0400"), "R-29");
}

/// R-36: in a task of one act every input stays whole, in each of its turns and when it has ended, whatever its
/// retention and size; and nothing is said of it.
#[test]
fn a_single_act_keeps_its_inputs_whole() {
    let task = |history: &str| {
        format!(
            "[task]\nmax_turns = 9\nwarn_large_history = true\n[history]\n{history}\n[acts.only]\n\
             [[acts.only.input]]\ntype = \"table\"\nfile = \"posts.csv\"\nhistory_retention = \"summary\"\n\
             [[acts.only.input]]\ntype = \"file\"\nfile = \"notes.md\"\nhistory_retention = \"drop\"\n\
             [[acts.only.input]]\ntype = \"file\"\nfile = \"long.md\"\n\
             [[acts.only.input]]\ntype = \"text\"\ncontent = \"Go.\"\n"
        )
    };
    let (notes_md, long) = (format!("{}end of notes", "n ".repeat(900)), format!("{}end of long", "l ".repeat(9000)));
    for history in [
        "",
        "compress_history = true",
        "retention_summary = \"smart\"",
        "retention_summary = \"differential\"",
        "strategy = \"batch\"\nmin_preserved_assistant_messages = 1\nbatch_size = 1",
        "strategy = \"auto\"",
    ] {
        let files =
            [("task.toml", &*task(history)), ("posts.csv", &posts(400)), ("notes.md", &notes_md), ("long.md", &long)];
        let f = Folder::new("single", &files);
        let (end, trace, notes, seen) = run(
            &f,
            &["(def x 1)\n;; recap - one", "(println x) x\n;; recap - two", "(nope)\n;; recap - three", "(return x)"],
        );
        assert_eq!((end.status, end.turns), (RunStatus::Returned, 4), "{history}: {:?}", end.error);
        assert_eq!(notes.warnings, [] as [&str; 0], "{history}");
        let last =
            ptc_turns::request(&trace, &trace.header.policy, None, &ptc_history::ViewContext::default()).unwrap();
        let last: String = last.messages().iter().map(|m| format!("{}\n", m.text())).collect();
        for text in seen.iter().chain([&last]) {
            for whole in ["| 400 | A post about number 0400 of many |", "end of notes", "end of long", "Go."] {
                assert!(text.contains(whole), "{history}: {whole}");
            }
            assert!(
                !text.contains("[Table: ") && !text.contains("[File: ") && !text.contains("[input omitted]"),
                "{history}"
            );
        }
    }
}

/// R-16: a request that failed leaves all as it was; what is asked again is the same.
#[test]
fn a_model_that_fails_ends_the_run_and_changes_nothing() {
    let f = Folder::new("fails", &[("task.toml", THREE), ("posts.csv", &posts(50))]);
    let mut model =
        FnModel(
            |r: Request<'_>| {
                if r.messages.len() > 2 { Err(ptc_agent::Error::model("refused")) } else { Ok(Reply::text("3.")) }
            },
        );
    let (end, trace, _) = run_with(&f, &mut model);
    assert_eq!(
        (end.status, end.error.as_ref().map(ptc_agent::Error::text).as_deref()),
        (RunStatus::Error, Some("refused"))
    );
    assert_eq!((trace.acts().len(), trace.turns().len()), (2, 1));
}

const INPUTS: &str = r#"
[task]
prompt = "The task."
[toc]
order = ["all", "next"]
[acts.all]
mode = "text"
max_tokens = 77
[[acts.all.input]]
type = "file"
file = "notes.md"
[[acts.all.input]]
type = "tool"
tool = "stock"
args = { item = "pen" }
[[acts.all.input]]
type = "narrative"
task = "../inner"
history_retention = "summary"
[[acts.all.input]]
type = "table"
database = "posts.sqlite"
table_name = "posts"
limit = 1
offset = 1
[acts.next]
model = "replay:next.md"
[[acts.next.input]]
type = "text"
content = "Go on."
[tools.stock]
params = [{ name = "item", type = "string" }]
replay = "stock.jsonl"
[limits]
fuel = 7_000_000
"#;

#[test]
fn inputs_of_every_type_and_a_model_of_its_own() {
    let inner = "[task]\nname = \"inner\"\nmodel = \"replay:r.md\"\nprompt = \"Inside\"\n[limits]\ndefinitions = 9\n";
    let long = "x".repeat(1500);
    let f = Folder::new(
        "inputs",
        &[
            ("task.toml", INPUTS),
            ("notes.md", "Notes | here\n"),
            (
                "stock.jsonl",
                "{\"args\": {\"item\": \"pen\"}, \"result\": [1, 2]}\n{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n",
            ),
            ("next.md", "## Turn 1\n(def n (tool/stock \"pen\"))\n## Turn 2\n(return n)\n"),
            ("../inner/task.toml", inner),
            ("../inner/r.md", &format!("## Turn 1\n(def x 1)\n## Turn 2\n(return \"{long}\")\n")),
        ],
    );
    let db = rusqlite::Connection::open(f.0.join("task/posts.sqlite")).unwrap();
    db.execute_batch("CREATE TABLE posts(id, text); INSERT INTO posts VALUES (1, 'a'), (2, 'b|c'), (3, NULL)").unwrap();
    let (end, trace, _, seen) = run(&f, &["All seen."]);
    assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("3")), "{:?}", end.error);
    let asked =
        format!("[user] The task.\nNotes | here\n\n[1,2]\n{long}\n| id | text |\n| --- | --- |\n| 2 | b\\|c |\n");
    assert!(seen[0].contains(&asked), "{}", seen[0]);
    assert_eq!(seen.len(), 1, "the second act has its own model");
    // The call for the input is the first of the session, and the recorded tool continues after it.
    assert_eq!((trace.acts()[0].tool_calls[0].id, trace.turns()[1].tool_calls[0].id), (1, 2));
    // R-08, and what stays is settled by the trace alone.
    let later =
        ptc_turns::request(&trace, &trace.header.policy, Some(2), &ptc_history::ViewContext::default()).unwrap();
    assert!(
        later.messages()[1].text().contains("[Narrative: inner, 1 act executed]"),
        "{}",
        later.messages()[1].text()
    );
    let inside = Trace::parse(&std::fs::read(f.0.join("t.act-all-3.jsonl")).unwrap()).unwrap().trace;
    assert_eq!((inside.turns().len(), inside.header.limits.fuel, inside.header.limits.definitions), (2, 7_000_000, 9));
}

#[test]
fn each_input_that_is_not_to_be_had_is_one_clear_error() {
    for (input, words) in [
        ("type = \"file\"\nfile = \"gone.md\"", "act a, input 1: "),
        ("type = \"table\"\nfile = \"gone.csv\"", "gone.csv: there is no such file; check the name"),
        ("type = \"tool\"\ntool = \"stock\"\nargs = { item = \"ink\" }", "act a, input 1: the tool stock failed: "),
        ("type = \"narrative\"\ntask = \"../fails\"", "act a, input 1: the task fails: no way"),
    ] {
        let task = format!(
            "[task]\n[acts.a]\n[[acts.a.input]]\n{input}\n[tools.stock]\nparams = [{{ name = \"item\", type = \"string\" }}]\nreplay = \"s.jsonl\"\n"
        );
        let f = Folder::new(
            "wrong",
            &[
                ("task.toml", task.as_str()),
                ("s.jsonl", "{\"args\": {\"item\": \"pen\"}, \"result\": 1}\n"),
                ("../fails/task.toml", "[task]\nname = \"fails\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n"),
                ("../fails/r.md", "## Turn 1\n(fail \"no way\")\n"),
            ],
        );
        let (end, trace, _, _) = run(&f, &[]);
        let problem = end.error.unwrap().text();
        assert!(
            end.status == RunStatus::Error && problem.contains(words) && !problem.contains('\n'),
            "{input}: {problem}"
        );
        assert!(trace.acts().is_empty());
    }
}

const AHEAD: &str = r#"
[task]
[toc]
order = ["a", "b"]
[acts.a]
mode = "text"
[[acts.a.input]]
type = "tool"
tool = "stock"
args = { item = "pen" }
[[acts.a.input]]
type = "file"
file = "late.md"
[[acts.a.input]]
type = "tool"
tool = "weak"
[[acts.a.input]]
type = "text"
content = "What is there?"
[acts.b]
max_turns = 1
[[acts.b.input]]
type = "text"
content = "Return it."
[tools.stock]
params = [{ name = "item", type = "string" }]
replay = "none.jsonl"
[tools.weak]
replay = "none.jsonl"
"#;

/// A call that was made is in the trace though a later input fails, and is not made again when the session goes on.
#[test]
fn calls_for_inputs_are_kept_before_their_act_begins() {
    let f = Folder::new("ahead", &[("task.toml", AHEAD), ("none.jsonl", "")]);
    let task = Task::load(&f.0.join("task")).unwrap();
    let path = f.0.join("t.jsonl");
    let made = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let go_on = || {
        let mut opened = TraceFile::open(&path, || false).unwrap();
        let session = match opened.trace {
            Some(trace) => task.resume(trace).unwrap(),
            None => {
                let session = Session::new(task.config().unwrap());
                opened.store.begin(&session.trace().header).unwrap();
                session
            }
        };
        let (stock, weak) = (made.clone(), made.clone());
        let tools = Toolbox::new()
            .with(Tool::new("stock", move |_| {
                stock.lock().unwrap().push("stock");
                Ok(Value::str("3 pens"))
            }))
            .with(Tool::new("weak", move |_| {
                let mut made = weak.lock().unwrap();
                made.push("weak");
                if made.iter().filter(|m| **m == "weak").count() == 1 {
                    Err("not now".into())
                } else {
                    Ok(Value::int(5))
                }
            }));
        let around = RunContext::default();
        let mut agent = Agent::new(session, tools).with_trace_file(opened.store).with_acts(task.acts(&around).unwrap());
        let mut seen = String::new();
        let mut model = FnModel(|r: Request<'_>| {
            seen = r.messages.last().unwrap().text().into_owned();
            Ok(Reply::text("(return 5)"))
        });
        let end = agent.run(&mut model, &mut ());
        let kept = Trace::parse(&std::fs::read(&path).unwrap()).unwrap().trace;
        assert_eq!(kept, *agent.session().trace());
        (end, kept, seen)
    };
    let calls = |t: &Trace| t.calls().map(|c| (c.id, c.name.clone(), c.error.is_some())).collect::<Vec<_>>();
    let (end, kept, _) = go_on();
    assert!(end.error.unwrap().text().contains("act a, input 2: "));
    assert_eq!((calls(&kept), kept.acts().len()), (vec![(1, "stock".to_owned(), false)], 0));
    std::fs::write(f.0.join("task/late.md"), "Late.").unwrap();
    let (end, kept, _) = go_on();
    assert_eq!(
        end.error.as_ref().map(ptc_agent::Error::text).as_deref(),
        Some("act a, input 3: the tool weak failed: not now")
    );
    assert_eq!(calls(&kept).last(), Some(&(2, "weak".to_owned(), true)));
    let (end, kept, seen) = go_on();
    assert_eq!((end.status, end.turns), (RunStatus::Returned, 2), "{:?}", end.error);
    assert_eq!(*made.lock().unwrap(), ["stock", "weak", "weak"]);
    assert_eq!(calls(&kept).iter().map(|c| c.0).collect::<Vec<_>>(), [1, 2, 3]);
    let asked: String = kept.acts()[0].content.iter().map(|b| format!("{b:?}")).collect();
    assert!(asked.contains("\"3 pens\"") && asked.contains("\"5\""), "{asked}");
    // The last turn of an act is announced, be it its first.
    assert!(seen.ends_with("Return it.\nTurn 2 of 2: the last one, it must (return ...) now"), "{seen}");
}

#[test]
fn the_first_of_several_acts_says_its_last_turn_too() {
    let task = "[task]\n[toc]\norder = [\"a\", \"b\"]\n[acts.a]\nmax_turns = 1\n[[acts.a.input]]\ntype = \"text\"\ncontent = \"Go.\"\n[acts.b]\nmode = \"text\"\n[[acts.b.input]]\ntype = \"text\"\ncontent = \"Tell.\"\n";
    let f = Folder::new("first", &[("task.toml", task)]);
    let (_, _, _, seen) = run(&f, &["(return 1)", "One."]);
    assert!(seen[0].ends_with("Go.\nTurn 1 of 1: the last one, it must (return ...) now\n"), "{}", seen[0]);
}

/// Arguments are held against what the tool declares when the task is read, or when its server has said it.
#[test]
fn arguments_of_tool_inputs_are_checked() {
    let act = |tool: &str, args: &str| {
        format!(
            "[task]\nprompt = \"p\"\n[tools.t]\nparams = [{{ name = \"query\", type = \"string\" }}, {{ name = \"limit\", type = \"integer?\" }}]\nreplay = \"r.jsonl\"\n[tools.free]\nreplay = \"r.jsonl\"\n[agents.helper]\ntask = \"../helper\"\n[acts.look]\n[[acts.look.input]]\ntype = \"text\"\ncontent = \"x\"\n[[acts.look.input]]\ntype = \"tool\"\ntool = \"{tool}\"\n{args}\n"
        )
    };
    let f = Folder::new("arguments", &[("../helper/task.toml", "[task]\nprompt = \"Help.\"\n")]);
    let place = f.0.join("task");
    let read = |tool: &str, args: &str| {
        Task::parse(&place, "task.toml", &act(tool, args)).map(drop).map_err(|p| p.to_string())
    };
    for (tool, args) in [
        ("t", "args = { query = \"a\" }"),
        ("t", "args = { query = \"a\", limit = 3 }"),
        ("free", "args = { any = [1] }"),
        ("helper", "args = { request = \"x\" }"),
    ] {
        assert_eq!(read(tool, args), Ok(()));
    }
    for (tool, args, words) in [
        (
            "t",
            "args = { qery = \"a\" }",
            "17: act look, input 2: the tool t has no parameter \"qery\"; did you mean query?",
        ),
        ("t", "args = { limit = 3 }", "17: act look, input 2: the tool t needs the parameter query; add it to args"),
        ("t", "", "16: act look, input 2: the tool t needs the parameter query; add it to args"),
        ("t", "args = { query = 5 }", "17: act look, input 2: the tool t: query must be a string, got 5"),
        (
            "helper",
            "args = { q = 1 }",
            "17: act look, input 2: the tool helper has no parameter \"q\"; its parameters are request",
        ),
    ] {
        let told = read(tool, args).unwrap_err();
        assert_eq!(told, format!("task.toml:{words}"));
    }
}

/// What is wrong with a later model is reported before the first turn.
#[test]
fn models_of_all_acts_and_tasks_inside_are_opened_before_the_first_turn() {
    let task = "[task]\nmodel = \"replay:r.md\"\n[toc]\norder = [\"a\", \"b\"]\n[acts.a]\n[[acts.a.input]]\ntype = \"text\"\ncontent = \"Go.\"\n[acts.b]\n[[acts.b.input]]\ntype = \"text\"\ncontent = \"Go on.\"\n";
    let narrative = "[[acts.b.input]]\ntype = \"narrative\"\ntask = \"../inner\"\n";
    let own = "model = \"anthropic/claude-x\"\n";
    let needs = "anthropic/claude-x needs a key; set ANTHROPIC_API_KEY";
    for (more, inner, words) in [
        (own.to_owned(), "", format!("act b: {needs}")),
        (format!("model = \"replay:gone.md\"\n{narrative}"), "", "act b: ".to_owned()),
        (narrative.to_owned(), own, format!("act b: {needs}")),
        (narrative.to_owned(), "", "act b: the task inner names no model".to_owned()),
        ("[agents.helper]\ntask = \"../inner\"\n".to_owned(), own, format!("agent helper: {needs}")),
        ("".to_owned(), own, String::new()),
    ] {
        // A table of the act itself stands before its inputs.
        let text = match more.starts_with("model") {
            true => task.replace("[acts.b]\n", &format!("[acts.b]\n{more}")),
            false => format!("{task}{more}"),
        };
        let inner = format!("[task]\nname = \"inner\"\nprompt = \"p\"\n{inner}");
        let files = [("task.toml", text.as_str()), ("../inner/task.toml", &inner), ("r.md", "## Turn 1\n(return 1)\n")];
        let f = Folder::new("models", &files);
        let task = Task::load(&f.0.join("task")).unwrap();
        let trace = Trace::new(task.config().unwrap().header());
        match task.model(&trace, &ptc_agent::Environment::default()) {
            Ok(_) => assert_eq!(words, ""),
            Err(p) => assert!(!words.is_empty() && p.text().starts_with(&words), "{words}: {p}"),
        }
    }
}

#[test]
fn a_cancelled_run_keeps_its_trace_and_goes_on() {
    let f = Folder::new("cancel", &[("task.toml", THREE), ("posts.csv", &posts(50))]);
    let task = Task::load(&f.0.join("task")).unwrap();
    let path = f.0.join("t.jsonl");
    let cancel = Cancel::default();
    let around = RunContext { trace: Some(path.clone()), cancel: cancel.clone(), ..RunContext::default() };
    let mut store = TraceFile::open(&path, || false).unwrap().store;
    let session = Session::new(task.config().unwrap());
    store.begin(&session.trace().header).unwrap();
    let flag = cancel.clone();
    let mut agent = Agent::new(session, task.tools(&Trace::new(task.config().unwrap().header()), &around).unwrap())
        .with_trace_file(store)
        .with_cancel(cancel)
        .with_acts(task.acts(&around).unwrap());
    let mut model = FnModel(|r: Request<'_>| {
        if r.messages.len() == 2 {
            return Ok(Reply::text("3 and 7."));
        }
        flag.cancel();
        Ok(Reply::text("(return 1)"))
    });
    let end = agent.run(&mut model, &mut ());
    assert_eq!(
        (end.status, end.error.as_ref().map(ptc_agent::Error::text).as_deref()),
        (RunStatus::Cancelled, Some("cancelled"))
    );
    assert_eq!(end.error.as_ref().map(ptc_agent::Error::kind), Some(ptc_agent::ErrorKind::Cancelled));
    drop(agent);
    let opened = TraceFile::open(&path, || false).unwrap();
    let session = task.resume(opened.trace.unwrap()).unwrap();
    assert_eq!((session.trace().acts().len(), session.trace().turns().len()), (2, 1));
    let around = RunContext::default();
    let mut agent =
        Agent::new(session, Default::default()).with_trace_file(opened.store).with_acts(task.acts(&around).unwrap());
    // The reply that was there when it was cancelled is not asked for again.
    let mut left = vec!["Two."];
    let end = agent.run(&mut FnModel(|_: Request<'_>| Ok(Reply::text(left.pop().unwrap()))), &mut ());
    assert_eq!((end.status, end.text.as_deref()), (RunStatus::Returned, Some("Two.")));
    assert_eq!(agent.session().trace().turns()[1].program, "(return 1)");
}

const CHECKED: &str = r#"
[task]
prompt = "Count."
[task.expect]
type = "object"
required = ["items"]
properties.items = { type = "array", items = { type = "object", properties.price = { type = "number" } } }
"#;

#[test]
fn a_value_that_does_not_fit_its_schema_is_told_path_by_path_and_mended() {
    let in_file = "[task]\nprompt = \"Count.\"\nexpect_schema = \"wanted.json\"\n";
    let schema = r#"{"type": "object", "required": ["items"], "properties": {"items": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}}}}"#;
    for task in [CHECKED, in_file] {
        let f = Folder::new("checked", &[("task.toml", task), ("wanted.json", schema)]);
        let (end, trace, _, seen) = run(
            &f,
            &[
                "(def x 1) (return {:items [{:price 1} {:price \"x\"}]})",
                "(return (do x [1]))",
                "(return {:items [{:price 2.5}]})",
            ],
        );
        assert_eq!(end.json.unwrap().text(), "{\"items\":[{\"price\":2.5}]}");
        assert!(seen[0].contains("must, as JSON, fit this JSON schema: `{\"type\":\"object\""), "{}", seen[0]);
        let told = "Error: type: the returned value does not fit: at /items/1/price: \"x\" is not of type \"number\"";
        assert!(seen[1].contains(told) && seen[1].contains("return a value that fits the JSON schema"), "{}", seen[1]);
        // The turn did not succeed, so what it defined is gone; the next one reads why.
        assert!(seen[2].contains("unknown name x"), "{}", seen[2]);
        assert!(trace.turns()[0].definitions[0].rolled_back);
        // Continuing with the trace, the schema still holds.
        let task = Task::load(&f.0.join("task")).unwrap();
        let mut kept = Trace::new(trace.header.clone());
        kept.push(ptc_turns::TurnRecord::clone(&trace.turns()[0]));
        let mut session = task.resume(kept).unwrap();
        let turn = session.reply("(return 5)", ptc_turns::TurnContext::without_host()).unwrap();
        assert!(turn.error.as_ref().unwrap().message.contains("at the top: 5 is not of type \"object\""));
    }
    let error = |text: &str| Task::parse(Path::new("shop"), "task.toml", text).unwrap_err().to_string();
    for (text, words) in [
        ("[task]\nprompt = \"p\"\nexpect = { type = \"strin\" }", "task.toml:3: expect: no JSON schema: "),
        ("[task]\nprompt = \"p\"\nexpect_schema = \"gone.json\"", "task.toml:3: shop/gone.json: there is no such file"),
        (
            "[task]\nprompt = \"p\"\nexpect = \"map\"\nexpect_schema = \"x.json\"",
            "task.toml:4: expect and expect_schema; keep one",
        ),
        ("[task]\nprompt = \"p\"\nexpect = 5", "task.toml:3: expect must be text in quotes, got a number"),
    ] {
        assert!(error(text).starts_with(words) && !error(text).contains('\n'), "{}", error(text));
    }
}

const PHASES: &str = r#"
[task]
model = "replay:r.md"
[toc]
order = ["read", "change"]
[acts.read]
tools = ["find"]
[[acts.read.input]]
type = "text"
content = "Find what is to be ordered."
[acts.change]
tools = ["order"]
[[acts.change.input]]
type = "text"
content = "Order {{read}}."
[tools.find]
description = "Finds"
params = []
replay = "find.jsonl"
[tools.order]
description = "Orders"
params = [{ name = "id", type = "integer" }]
replay = "order.jsonl"
"#;

/// Read first, act later: acts with tools of their own, before and after a stop.
#[test]
fn an_act_calls_its_own_tools_only() {
    let files = [
        ("task.toml", PHASES),
        ("find.jsonl", "{\"args\": {}, \"result\": 7}\n"),
        ("order.jsonl", "{\"args\": {\"id\": 7}, \"result\": \"ordered\"}\n"),
    ];
    let f = Folder::new("phases", &files);
    let (end, trace, _, seen) =
        run(&f, &["(tool/order (tool/find))", "(return (tool/find))", "(return (tool/order *1))"]);
    assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("\"ordered\"")), "{:?}", end.error);
    assert!(seen[0].contains("- `(tool/order id)`: Orders [id integer] (only in the act change)\n"), "{}", seen[0]);
    assert!(seen[0].contains("Find what is to be ordered.\nTools of this act: tool/find.\nTurn 1 of 8"), "{}", seen[0]);
    assert!(seen[1].contains("tool/order is not a tool of the act read"), "{}", seen[1]);
    assert!(seen[1].contains("hint: it is one of the act change: (return ...) ends this act"), "{}", seen[1]);
    assert!(seen[2].contains("Order 7.\nTools of this act: tool/order.\nTurn 3 of 10"), "{}", seen[2]);
    let calls: Vec<&str> = trace.calls().map(|c| c.name.as_str()).collect();
    assert_eq!(calls, ["find", "find", "order"], "the refused call is none");
    // What stops in the first act is refused the same when it goes on, and what the file of a task says of tools is
    // part of what a session was begun for.
    let kept = std::fs::read_to_string(f.0.join("t.jsonl")).unwrap();
    let first = kept.find("\n{\"turn\":1,").unwrap() + 1;
    let upto = first + kept[first..].find('\n').unwrap() + 1;
    std::fs::write(f.0.join("t.jsonl"), &kept[..upto]).unwrap();
    let end = go_on(&f, "(return (try (tool/order 7) (catch Exception e (ex-message e))))");
    assert_eq!((end.status, end.value.as_deref()), (RunStatus::Returned, Some("\"ordered\"")), "{:?}", end.error);
    let again = Trace::parse(&std::fs::read(f.0.join("t.jsonl")).unwrap()).unwrap().trace;
    assert_eq!(again.turns()[1].value.as_deref(), Some("\"tool/order is not a tool of the act read\""));
    let header = Trace::parse(kept.as_bytes()).unwrap().trace.header.clone();
    assert!(Task::load(&f.0.join("task")).unwrap().began(&header));
    std::fs::write(f.0.join("task/task.toml"), PHASES.replace("[\"find\"]", "[\"find\", \"order\"]")).unwrap();
    assert!(!Task::load(&f.0.join("task")).unwrap().began(&header));
}
