//! Sessions that did not end by a turn: why, what they had begun, and what can be read of a trace with a damaged line.

use crate::common::{Did, Folder, Server, ptc, ptc_in, ptc_with};
use ptc_cli::{CliContext, Environment};
use serde_json::Value;

/// `ptc ARGS` with a home in this folder.
fn at(f: &Folder, args: &[&str]) -> Did {
    ptc_in(args, "", around(f))
}

fn around(f: &Folder) -> CliContext {
    CliContext { home: Some(f.0.join("home")), ..CliContext::default() }
}

fn id(f: &Folder) -> String {
    let one: Value = serde_json::from_str(at(f, &["sessions", "--json"]).out.lines().next().unwrap()).unwrap();
    one["id"].as_str().unwrap().to_owned()
}

/// A trace of a file says why its run ended as that of a kept session does, in text and on the page.
#[test]
fn a_trace_of_a_file_says_why_its_run_ended() {
    let f = Folder::new("ended-file");
    let (task, trace, page) = (f.task(), f.path("t.jsonl"), f.path("t.html"));
    let key = [("OPENAI_API_KEY", "x"), ("OPENAI_BASE_URL", "http://127.0.0.1:9")];
    let away = CliContext { environment: key.into_iter().collect::<Environment>(), ..CliContext::default() };
    let did = ptc_in(&["run", &task, "--model", "openai/m", "--trace", &trace], "", away);
    assert_eq!(did.code, 1, "{}", did.err);
    let shown = ptc(&["trace", &trace]).out;
    let last = shown.lines().last().unwrap();
    assert!(last.starts_with("Stopped: openai/m: no connection to http://127.0.0.1:9"), "{shown}");
    assert_eq!(ptc(&["trace", &trace, "--report", &page]).code, 0);
    let shown = std::fs::read_to_string(&page).unwrap();
    assert!(shown.contains("<b>Stopped</b>: openai/m: no connection to http://127.0.0.1:9"), "{shown}");
    // Once it has gone on, it is no longer so.
    assert_eq!(ptc(&["run", &task, "--resume", &trace]).code, 0);
    assert!(!ptc(&["trace", &trace]).out.contains("Stopped"));
}

/// The turn that a limit cut off is shown with the calls that it made.
#[test]
fn a_turn_that_was_cut_off_is_shown_with_its_calls() {
    let f = Folder::new("ended-cut");
    let (task, trace, page) = (f.task(), f.path("t.jsonl"), f.path("t.html"));
    let program =
        "(def n (tool/stock \"pen\"))\n(try (tool/stock \"<ink>\") (catch Exception e 0))\n(tool/stock \"pen\")";
    f.file(
        "shop/replies.md",
        &format!("## Turn 1\n(def a 1)\n## Turn 2\nI look <again>.\n```clojure\n{program}\n```\n"),
    );
    let all = "{\"args\": {\"item\": \"pen\"}, \"result\": 3}\n{\"args\": {\"item\": \"<ink>\"}, \"error\": \"sold <out>\"}\n";
    f.file("shop/stock.jsonl", all);
    let run = ["run", &task, "--trace", &trace, "--set", "limits.max_tool_calls_total=2"];
    assert_eq!(ptc(&run).code, 3);
    let shown = ptc(&["trace", &trace]).out;
    for words in [
        "== Turn 1: ok ==",
        "== Turn 2: not ended ==\nReasoning: I look <again>.\nProgram:\n  (def n (tool/stock \"pen\"))\n",
        "Tool calls:\n  1. stock {\"item\":\"pen\"} -> 3 (",
        "  2. stock {\"item\":\"<ink>\"} failed: sold <out> (",
        "Stopped: the run has used 2 tool calls, and max_tool_calls_total is 2;",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let one = ptc(&["trace", &trace, "--turn", "2"]);
    assert!(one.code == 0 && one.out.starts_with("\n== Turn 2: not ended ==\n"), "{one:?}");
    assert_eq!(ptc(&["trace", &trace, "--turn", "3"]).code, 2);
    assert_eq!(ptc(&["trace", &trace, "--report", &page]).code, 0);
    let shown = std::fs::read_to_string(&page).unwrap();
    for words in [
        "id=\"t2\" open><summary><h3>Turn 2</h3><span class=\"badge unfinished\">not ended</span>",
        "I look &lt;again&gt;.",
        "<code class=\"t\">stock</code> <code>{&quot;item&quot;:&quot;&lt;ink&gt;&quot;}</code>",
        "<b>failed</b>: sold &lt;out&gt;",
        "<h3>Turn 2 has not ended</h3>",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // It goes on, and is a turn like others.
    assert_eq!(
        ptc(&["run", &task, "--resume", &trace, "--set", "limits.max_tool_calls_total=9", "--max-turns", "2"]).code,
        3
    );
    let shown = ptc(&["trace", &trace]).out;
    assert!(!shown.contains("not ended") && shown.contains("== Turn 2: "), "{shown}");
}

/// Each sub-agent of a kept session is named with the command that shows it; its turns are found.
#[test]
fn sub_agents_are_named_opened_and_searched() {
    let f = Folder::new("ended-inside");
    f.file(
        "inner/task.toml",
        "[task]\nname = \"helper\"\nprompt = \"Weigh the aubergines.\"\nmodel = \"replay:replies.md\"\n",
    );
    f.file("inner/replies.md", "## Turn 1\n(return 42)\n");
    let outer = f.file(
        "outer/task.toml",
        "[task]\nprompt = \"p\"\nmodel = \"openai/m\"\n[agents.helper]\ntask = \"../inner\"\n",
    );
    let server = Server::new(|n, _| Ok(["(def x (tool/helper {:request \"1\"}))", "(return x)"][n].to_owned()));
    let did = ptc_in(&["run", &outer], "", CliContext { home: around(&f).home, ..server.around() });
    assert_eq!(did.code, 0, "{}", did.err);
    let id = id(&f);
    let shown = at(&f, &["sessions", "show", &id]).out;
    let line = shown.lines().find(|l| l.starts_with("subtask: ")).unwrap();
    let command = line.strip_prefix("subtask: returned after 1 turn; ptc trace ").unwrap();
    assert!(command.starts_with(&format!("{id}/agent-helper-")), "{line}");
    let trace = at(&f, &["trace", command]);
    assert!(trace.code == 0 && trace.out.contains("Weigh the aubergines."), "{trace:?}");
    // By the name of its file, and a beginning of both.
    let label = command.split_once('/').unwrap().1;
    for name in [format!("{id}/trace.{label}.jsonl"), format!("{}/agent-h", &id[16..])] {
        assert_eq!(at(&f, &["trace", &name]).out, trace.out, "{name}");
    }
    assert!(at(&f, &["messages", command]).out.contains("Weigh the aubergines."));
    let none = at(&f, &["trace", &format!("{id}/oops")]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains(&format!("session {id} has no subtask \"oops\"; give one of {label}")), "{}", none.err);
    let found = at(&f, &["sessions", "search", "aubergines"]).out;
    assert_eq!(found, format!("{id}\n  {label}, before turn 1, question: Weigh the aubergines. 1\n"));
    let json: Value = serde_json::from_str(&at(&f, &["sessions", "search", "aubergines", "--json"]).out).unwrap();
    assert_eq!(json["subtask"], label);
    let json: Value = serde_json::from_str(&at(&f, &["sessions", "show", &id, "--json"]).out).unwrap();
    assert_eq!((&json["subtasks"], &json["subtask_traces"][0]["label"]), (&Value::from(1), &Value::from(label)));
    let asked = at(&f, &["sessions", "query", "(mapv #(map :value (:turns %)) (mapcat :subtasks runs))"]);
    assert_eq!(asked.out, "[(\"42\")]\n", "{}", asked.err);
}

#[test]
fn why_a_run_ended_is_searched() {
    let f = Folder::new("ended-search");
    let task = f.task();
    at(&f, &["run", &task, "--set", "limits.max_tool_calls_total=1"]);
    let found = at(&f, &["sessions", "search", "max_tool_calls_total"]).out;
    let words = "  after turn 1, ending: the run has used 1 tool calls, and max_tool_calls_total is 1;";
    assert!(found.lines().nth(1).unwrap().starts_with(words), "{found}");
}

/// What is before a line that cannot be read is shown, the line is named; going on is refused.
#[test]
fn a_trace_with_a_damaged_line_is_shown_up_to_it() {
    let f = Folder::new("ended-damage");
    let task = f.task();
    at(&f, &["run", &task]);
    let id = id(&f);
    let path = f.path(&format!("home/sessions/{id}/trace.jsonl"));
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let at_line = lines.iter().position(|l| l.starts_with("{\"turn\":2,")).unwrap();
    let broken: Vec<&str> = lines.iter().enumerate().map(|(i, l)| if i == at_line { "oops" } else { *l }).collect();
    std::fs::write(&path, broken.join("\n")).unwrap();
    let line = format!("trace line {}: ", at_line + 1);
    let shown = at(&f, &["trace", &id]);
    assert_eq!(shown.code, 2, "{}", shown.err);
    assert!(shown.out.contains("== Turn 1: ok ==") && !shown.out.contains("== Turn 3"), "{}", shown.out);
    let fork = format!("go on with the turns before it: ptc sessions fork {id} --turn 1");
    assert!(shown.err.contains(&line) && shown.err.contains(&fork) && !shown.err.contains("head"), "{}", shown.err);
    let json = at(&f, &["trace", &id, "--json"]);
    assert_eq!((json.code, serde_json::from_str::<Value>(&json.out).unwrap().as_array().unwrap().len()), (2, 1));
    let page = f.path("t.html");
    assert_eq!(at(&f, &["trace", &id, "--report", &page]).code, 2);
    assert!(std::fs::read_to_string(&page).unwrap().contains("id=\"t1\""));
    for args in [
        vec!["run", &task, "--resume", &id],
        vec!["run", &task, "--continue"],
        vec!["repl", "--trace", &id],
        vec!["approve", &id],
        vec!["step", &id],
        vec!["messages", &id],
    ] {
        let refused = at(&f, &args);
        let said = refused.err.contains(&line) && refused.err.contains(&fork);
        assert!(refused.code == 2 && said, "{args:?}: {}", refused.err);
    }
    // The command that they name works, and what it makes goes on.
    let forked = at(&f, &["sessions", "fork", &id, "--turn", "1"]);
    assert_eq!((forked.code, forked.err.contains("trace line")), (0, false), "{}", forked.err);
    let did = at(&f, &["run", &task, "--resume", forked.out.trim()]);
    assert_eq!(did.code, 0, "{}", did.err);
    // Without --turn it is the last turn that can be read; one behind the damage is none.
    let forked = at(&f, &["sessions", "fork", &id]);
    let said = format!("{}; the fork has what is before it, 1 turn\n", &line[..line.len() - 2]);
    assert!(forked.code == 0 && forked.err.contains(said.split(';').next().unwrap()), "{}", forked.err);
    assert!(forked.err.contains("; the fork has what is before it, 1 turn"), "{}", forked.err);
    let kept = std::fs::read_to_string(f.path(&format!("home/sessions/{}/trace.jsonl", forked.out.trim()))).unwrap();
    assert!(text.starts_with(&kept) && kept.ends_with("}\n"), "{kept}");
    let late = at(&f, &["sessions", "fork", &id, "--turn", "2"]);
    assert!(late.code == 2 && late.err.contains("turn 2 cannot be read: trace line"), "{}", late.err);
    assert!(late.err.contains("give --turn 1 to 1"), "{}", late.err);
    // A file that is kept nowhere is copied up to the damage.
    let copy = f.path("copy.jsonl");
    std::fs::copy(&path, &copy).unwrap();
    let shown = at(&f, &["trace", &copy]);
    assert!(shown.err.contains(&format!("head -n {at_line} FILE > COPY")), "{}", shown.err);
    // Before the first turn nothing is left to go on from.
    std::fs::write(&path, format!("{}\noops\n{}\n", lines[0], lines[at_line])).unwrap();
    let shown = at(&f, &["trace", &id]);
    assert!(shown.err.contains("there is no turn to go on from: run its task again"), "{}", shown.err);
    let none = at(&f, &["sessions", "fork", &id]);
    assert!(none.code == 2 && none.err.contains("no turn stands before what cannot be read: trace line 2"), "{none:?}");
    for other in at(&f, &["sessions", "--json"]).out.lines() {
        let one: Value = serde_json::from_str(other).unwrap();
        if one["id"] != id.as_str() {
            assert_eq!(at(&f, &["sessions", "rm", "--yes", one["id"].as_str().unwrap()]).code, 0);
        }
    }
    let one: Value = serde_json::from_str(&at(&f, &["sessions", "--json"]).out).unwrap();
    assert_eq!((&one["status"], &one["task"]), (&"unreadable".into(), &"shop".into()));
    // Nothing of it can be read: it began when its id says, not in 1970.
    std::fs::write(&path, "oops\n").unwrap();
    let list = at(&f, &["sessions"]).out;
    assert!(
        list.contains("unreadable") && list.contains(&format!("  {}-", &id[..4])) && !list.contains("1970"),
        "{list}"
    );
}

/// A subtask whose trace is damaged keeps nobody from going on: the fork begins it anew.
#[test]
fn a_session_goes_on_without_a_damaged_subtask() {
    let f = Folder::new("ended-damage-inside");
    f.file(
        "inner/task.toml",
        "[task]\nname = \"helper\"\nprompt = \"Help.\"\nmodel = \"replay:replies.md\"\n\
         [tools.stock]\ndescription = \"Units\"\napproval = \"always\"\nreplay = \"stock.jsonl\"\n",
    );
    f.file("inner/replies.md", "## Turn 1\n(def x 1)\n## Turn 2\n(return (tool/stock {}))\n");
    f.file("inner/stock.jsonl", "{\"args\": {}, \"result\": 7}\n");
    let task = f.file(
        "outer/task.toml",
        "[task]\nname = \"outer\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../inner\"\n",
    );
    f.file("outer/r.md", "## Turn 1\n(def a 1)\n## Turn 2\n(return (tool/helper {:request \"x\"}))\n");
    assert_eq!(at(&f, &["run", &task]).code, 6);
    let id = id(&f);
    let folder = f.path(&format!("home/sessions/{id}"));
    let files = std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path());
    let inner = files.into_iter().find(|p| p.to_string_lossy().contains("agent-helper")).unwrap();
    let label = inner.file_name().unwrap().to_str().unwrap()["trace.".len()..].trim_end_matches(".jsonl").to_owned();
    let text = std::fs::read_to_string(&inner).unwrap();
    std::fs::write(&inner, text.replacen("{\"turn\":1,", "{\"turn\":oops,", 1)).unwrap();
    let shown = at(&f, &["trace", &format!("{id}/{label}")]);
    let fork = format!("a fork goes on without it, from the last turn: ptc sessions fork {id}");
    assert!(shown.code == 2 && shown.err.contains(&fork), "{}", shown.err);
    let forked = at(&f, &["sessions", "fork", &id]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert!(!forked.err.contains("trace line"), "its own trace is whole: {}", forked.err);
    let did = at(&f, &["run", &task, "--resume", forked.out.trim()]);
    assert!(did.code == 6 && did.err.contains("waits for approval"), "{}", did.err);
}

/// What the page of a recorded trace says of costs and of requests that were repeated.
#[test]
fn costs_and_repeated_requests_are_on_the_page_of_a_trace() {
    let f = Folder::new("ended-cost");
    let price = "[model]\nprice = { input = 1000, output = 0 }\n";
    f.file("t/task.toml", &format!("[task]\nname = \"t\"\nprompt = \"p\"\nmodel = \"openai/m\"\n{price}"));
    let task = f.path("t");
    let server = Server::new(|_, _| Ok("(return 1)".to_owned()));
    let did = ptc_in(&["run", &task], "", CliContext { home: around(&f).home, ..server.around() });
    assert_eq!(did.code, 0, "{}", did.err);
    let (id, page) = (id(&f), f.path("t.html"));
    let written = |did: Did| {
        assert_eq!(did.code, 0, "{}", did.err);
        std::fs::read_to_string(&page).unwrap()
    };
    let cost = "<dt>Cost by the task&#39;s price</dt><dd>0.100000</dd>";
    let has = |page: &str| page.replace("'", "&#39;").contains(cost);
    assert!(has(&written(at(&f, &["trace", &id, "--report", &page]))));
    // Of a file the task has to be named.
    let trace = f.path("t.jsonl");
    let kept = std::fs::read_to_string(f.path(&format!("home/sessions/{id}/trace.jsonl"))).unwrap();
    std::fs::write(&trace, kept.replace("\"model_ms\"", "\"retries\":2,\"model_ms\"")).unwrap();
    let shown = written(ptc(&["trace", &trace, "--report", &page]));
    assert!(!has(&shown) && !shown.contains("Cost by"), "{shown}");
    assert!(shown.contains("<dt>Requests that were repeated</dt><dd>2</dd>") && shown.contains("asked again 2 times"));
    assert!(ptc(&["trace", &trace]).out.contains(", asked again 2 times"));
    assert!(has(&written(ptc(&["trace", &trace, "--report", &page, "--task", &task]))));
    // By another model's price nothing is said, and another task is none.
    let toml = std::fs::read_to_string(f.path("t/task.toml")).unwrap();
    f.file("t/task.toml", &toml.replace("openai/m", "openai/other"));
    assert!(!written(ptc(&["trace", &trace, "--report", &page, "--task", &task])).contains("Cost by"));
    let did = ptc(&["trace", &trace, "--report", &page, "--task", &f.task()]);
    assert!(did.code == 2 && did.err.contains("is the trace of another task; name the task that it is of"), "{did:?}");
}

/// A reply that may not run begins no turn; the last line says so.
#[test]
fn a_step_that_is_refused_is_told_in_its_last_line() {
    let f = Folder::new("ended-step");
    let trace = f.path("t.jsonl");
    let returned = ptc_with(&["step", &trace, "--task", &f.task()], "(return 1)");
    assert_eq!(returned.code, 0, "{}", returned.err);
    let refused = ptc_with(&["step", &trace, "--output", "jsonl"], "(return 5)");
    let lines: Vec<Value> = refused.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!((refused.code, lines.len()), (4, 1), "{}", refused.out);
    assert_eq!((&lines[0]["type"], &lines[0]["status"]), (&"step_ended".into(), &"ended".into()));
    assert!(lines[0]["error"].as_str().unwrap().ends_with("; the reply was not run"), "{}", refused.out);
}

/// `ptc step --output jsonl`: what happens as it happens, then the result.
#[test]
fn a_step_tells_its_events() {
    let f = Folder::new("ended-step");
    let (task, trace) = (f.task(), f.path("t.jsonl"));
    let args = ["step", &trace, "--task", &task, "--output", "jsonl"];
    let did = crate::common::ptc_with(&args, "```clojure\n(println (tool/stock \"pen\"))\n```");
    assert_eq!(did.code, 0, "{}", did.err);
    let lines: Vec<Value> = did.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let types: Vec<&str> = lines.iter().map(|l| l["type"].as_str().unwrap()).collect();
    let all = ["turn_started", "program", "tool_call", "tool_result", "output", "turn_ended", "usage", "step_ended"];
    assert_eq!(types, all);
    assert!(lines.iter().all(|l| l["time"].as_i64().is_some_and(|t| t > 0)));
    assert_eq!((&lines[2]["name"], &lines[3]["result"]), (&"stock".into(), &3.into()));
    let last = &lines[7];
    assert_eq!((&last["turn"], &last["status"], &last["ended"]), (&1.into(), &"ok".into(), &false.into()));
    // The result alone is what it was.
    let did = crate::common::ptc_with(&["step", &trace, "--json"], "```clojure\n(return 1)\n```");
    let line: Value = serde_json::from_str(&did.out).unwrap();
    assert_eq!(line.as_object().unwrap().keys().collect::<Vec<_>>(), ["turn", "status", "feedback", "ended"]);
}

/// Whoever may raise a limit is told which and how; a mistake in a tool's command is told once.
#[test]
fn a_limit_is_named_with_the_option_that_raises_it_and_a_mistake_once() {
    let f = Folder::new("ended-words");
    let limits = f.file("l.toml", "fuel = 1000\n");
    f.file("t/r.md", "## Turn 1\n1\n");
    let did = ptc(&["eval", "-e", "(loop [] (recur))", "--limits", &limits]);
    assert_eq!(did.code, 1);
    assert!(did.err.ends_with("\n  a higher fuel: --set limits.fuel=N\n"), "{}", did.err);
    let did = crate::common::ptc_with(&["repl", "--set", "limits.fuel=1000"], "(loop [] (recur))\n");
    assert!(did.err.ends_with("\n  a higher fuel: start ptc repl with --set limits.fuel=N\n"), "{}", did.err);
    assert!(!ptc(&["eval", "-e", "(oops)"]).err.contains("a higher"));
    for (section, words) in
        [("tools.t", "command must be a list of texts"), ("mcp.m", "command must be a list of texts")]
    {
        let task = f.file(
            "t/task.toml",
            &format!("[task]\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[{section}]\ncommand = \"price.py\"\n"),
        );
        let did = ptc(&["check", &task]);
        assert!(did.code == 1 && did.out.lines().count() == 1 && did.out.contains(words), "{did:?}");
    }
}
