//! Programs in a worker process: the same answers as without it, and whatever becomes of the worker, the session goes on.

use crate::common::{Folder, ptc_with, timeless};
use ptc_agent::{Isolated, ReplayModel, Tool, Toolbox, Worker};
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Config, Input, Json, Policy, Session, TurnContext, TurnRecord};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn worker() -> Worker {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["__worker", "--serve-ptc-turns"]);
    Worker::new(command)
}

/// A worker that this shell script plays.
fn sham(script: &str) -> Worker {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    Worker::new(command)
}

fn config() -> Config {
    Config { limits: Limits { wall_ms: 0, cpu_ms: 0, ..Limits::default() }, ..Config::programs() }
}

fn plain(mut r: TurnRecord) -> TurnRecord {
    (r.usage.memory_bytes, r.usage.cpu_ms, r.usage.wall_ms) = (0, 0, 0);
    r.tool_calls.iter_mut().for_each(|c| c.ms = 0);
    // `null` as a value's JSON reads as none.
    r.value_json = r.value_json.filter(|j| j.text() != "null");
    r
}

/// Runs a program with and without a worker process.
fn both(here: &mut Session, apart: &mut Isolated, tools: impl Fn() -> Toolbox, text: &str, reply: bool) -> TurnRecord {
    let (mut a, mut b) = (tools(), tools());
    let (one, other) = if reply {
        (
            here.reply(text, TurnContext::with_tools(&mut a)).unwrap().clone(),
            apart.reply(text, TurnContext::with_tools(&mut b)).unwrap(),
        )
    } else {
        (
            here.run(text, TurnContext::with_tools(&mut a)).unwrap().clone(),
            apart.run(text, TurnContext::with_tools(&mut b)).unwrap(),
        )
    };
    assert_eq!(plain(other), plain(one.clone()), "{text}");
    one
}

fn cases(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests").join(folder);
    let mut all: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|p| p.extension().is_some_and(|e| e == "md") && !p.ends_with("README.md"));
    all.sort();
    all
}

fn alive(id: u32) -> bool {
    Command::new("kill").args(["-0", &id.to_string()]).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn the_conformance_files_give_the_same_in_a_worker() {
    let (mut good, mut bad) = (0, 0);
    for path in cases("spec") {
        let text = std::fs::read_to_string(&path).unwrap();
        let (mut here, mut apart) = (Session::new(config()), Isolated::new(config(), worker()));
        for block in text.split("```clojure\n").skip(1).take(12).map(|b| b.split("```").next().unwrap()) {
            for program in block.split_inclusive('\n').collect::<Vec<_>>().split(|l| l.trim_start().starts_with(";")) {
                let program = program.concat();
                if program.trim().is_empty() {
                    continue;
                }
                let r = both(&mut here, &mut apart, Toolbox::new, &program, false);
                if r.error.is_none() { good += 1 } else { bad += 1 }
            }
        }
        assert_eq!(apart.session().memory().bindings().count(), 0, "nothing of it is here");
    }
    assert!(good > 200 && bad > 5, "{good} {bad}");
}

#[test]
fn conversations_give_the_same_messages_in_a_worker() {
    let tools = || {
        Toolbox::new()
            .with(Tool::new("search-reviews", |_| Ok(Value::str("Laptop: 4.5/5"))))
            .with(Tool::new("get-inventory", |_| Ok(Value::str("Laptop - 23 units"))).no_params())
            .with(Tool::new("delivery", |_| Err("nobody delivers there".into())))
    };
    let products = "[{\"name\": \"Laptop\", \"price\": 1200, \"category\": \"Electronics\"}]";
    let input = Input {
        name: "products".into(),
        value: ptc_lisp::json::parse_text(products, &Limits::default()).unwrap(),
        sha256: "0".into(),
        file: None,
        json: Json::new(products.into()),
        note: None,
    };
    for path in cases("turns") {
        let replies = ReplayModel::parse("t", &std::fs::read_to_string(&path).unwrap()).unwrap().replies().to_vec();
        let config = Config { tools: tools().specs(), inputs: vec![input.clone()], open_ended: false, ..config() };
        let (mut here, mut apart) = (Session::new(config.clone()), Isolated::new(config, worker()));
        for reply in replies {
            both(&mut here, &mut apart, tools, &reply, true);
        }
        assert_eq!(apart.messages(&Policy::compressed()), here.messages(&Policy::compressed()));
        assert_eq!(apart.may_run(), here.may_run(), "{}", path.display());
        assert_eq!(apart.view().messages(), here.view().messages());
    }
}

#[test]
fn a_killed_worker_costs_its_turn_and_nothing_else() {
    let mut session =
        Isolated::new(Config { tools: Toolbox::new().with(Tool::new("die", Ok)).specs(), ..config() }, worker());
    session.run("(def x 20) (def p (atom 1))", TurnContext::without_host()).unwrap();
    session.run("(swap! p inc)", TurnContext::without_host()).unwrap();
    let id = session.worker().id().unwrap();
    let mut tools = Toolbox::new().with(Tool::new("die", move |_| {
        Command::new("kill").args(["-9", &id.to_string()]).status().unwrap();
        Ok(Value::Nil)
    }));
    let lost = session.run("(reset! p 100) (tool/die) (def x 21)", TurnContext::with_tools(&mut tools)).unwrap();
    let error = lost.error.clone().unwrap();
    assert_eq!((error.kind.as_str(), lost.turn, lost.tool_calls.len()), ("internal", 3, 1));
    assert!(error.message.contains("killed by SIGKILL"), "{}", error.message);
    assert!(lost.feedback.contains("Error: internal: ") && !alive(id));
    let next = session.run("[x @p (count (turn/list)) (:kind (ex-data *e))]", TurnContext::without_host()).unwrap();
    assert_eq!(next.value.as_deref(), Some("[20 2 3 \"internal\"]"), "{:?}", next.error);
    assert_ne!(session.worker().id(), Some(id));
    // The trace is one like any other: it replays without a worker too.
    let back = Session::from_trace(session.trace().clone(), Vec::new()).unwrap();
    assert_eq!(back.memory().bindings().count(), 2);
}

#[test]
fn calls_are_made_together_from_in_a_worker() {
    // Each call waits for the two others: one after the other they would wait for ever.
    let tools = || {
        let meet = std::sync::Barrier::new(3);
        Toolbox::new().with(
            Tool::new("meet", move |args| {
                meet.wait();
                match ptc_agent::arg(&args, "n") {
                    Value::Int(n) if *n == 2 => Err("not two".into()),
                    n => Ok(n.clone()),
                }
            })
            .param("n", ptc_lisp::types::Type::Integer),
        )
    };
    let config = Config { tools: tools().specs(), ..config() };
    let (mut here, mut apart) = (Session::new(config.clone()), Isolated::new(config, worker()));
    let ok = both(&mut here, &mut apart, tools, "(pmap tool/meet [1 3 5])", false);
    assert_eq!((ok.value.as_deref(), ok.tool_calls.len()), (Some("(1 3 5)"), 3));
    // With which it was made stands with each: they have one time.
    assert!(ok.tool_calls.iter().all(|c| c.together == Some(ok.tool_calls[0].id)));
    let failed = both(&mut here, &mut apart, tools, "(pcalls #(tool/meet 1) #(tool/meet 2) #(tool/meet 3))", false);
    assert_eq!(failed.error.unwrap().message, "tool/meet: not two");
    let kept: Vec<_> = failed.tool_calls.iter().map(|c| (c.id, c.error.is_some())).collect();
    assert_eq!(kept, [(4, false), (5, true), (6, false)]);
    let ids: Vec<u64> = here.trace().turns().iter().flat_map(|t| &t.tool_calls).map(|c| c.id).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5, 6]);
    // And it replays.
    Session::from_trace(here.trace().clone(), Vec::new()).unwrap();
}

#[test]
fn workers_that_misbehave_are_ended_and_named() {
    let begun = "echo '{\"Restricted\":{}}'; read l;";
    let ready = format!("{begun} echo '\"Ready\"'; read l; ");
    let quick = Limits { wall_ms: 300, memory_bytes: 1 << 20, ..Limits::default() };
    for (script, words) in [
        ("echo hello", "what is no message"),
        ("echo '\"Ready\"'; read l", "did not say how it is restricted"),
        (&format!("{begun} echo '{{\"Ran\":{{}}}}'"), "what is no message"),
        ("exit 3", "exit code 3"),
        (&format!("{ready} echo '\"Ready\"'"), "in the middle of a turn"),
        (&format!("{ready} {begun}"), "in the middle of a turn"),
        (&format!("{ready} yes | tr -d '\\n'"), "a line of more than"),
        (&format!("{ready} exec yes"), "what is no message"),
        (&format!("{ready} exec sleep 100"), "out of time"),
        (&format!("{ready} exec >&-; exec sleep 100"), "killed by SIGKILL"),
        (&format!("{ready} printf '{{\"Ra'; kill -9 $$"), "killed by SIGKILL"),
        (&format!("{ready} kill -6 $$"), "SIGABRT"),
        (&format!("{ready} kill -24 $$"), "out of time: more processor time"),
        (&format!("{ready} echo 'memory allocation of 5 bytes failed' >&2; kill -6 $$"), "out of memory"),
        (&format!("{ready} yes >&2 & sleep 0.1; kill -9 $$"), "killed by SIGKILL"),
        (
            &format!("{ready} echo '{{\"Calls\":[{{\"id\":1,\"name\":\"t\",\"args\":{{}}}}]}}'; read l; exit 1"),
            "exit code 1",
        ),
        (
            &format!("{ready} while :; do echo '{{\"Calls\":[{{\"id\":1,\"name\":\"t\",\"args\":{{}}}}]}}'; done"),
            "more calls than tool_calls",
        ),
        (
            &format!(
                "{ready} c='{{\"id\":1,\"name\":\"t\",\"args\":{{}}}}'; echo \"{{\\\"Calls\\\":[$c,$c,$c,$c,$c,$c,$c,$c,$c]}}\"; read l"
            ),
            "more than 8 calls at once",
        ),
        (&format!("{begun} exec sleep 100"), "out of time"),
    ] {
        let mut session = Isolated::new(Config { limits: quick.clone(), ..Config::programs() }, sham(script));
        for turn in 1..=2 {
            let r = session.run("(+ 1 2)", TurnContext::without_host()).unwrap();
            let e = r.error.unwrap();
            assert_eq!((r.turn, e.kind.as_str()), (turn, "internal"), "{script}");
            assert!(e.message.contains(words), "{script}: {}", e.message);
            assert_eq!(session.worker().id(), None, "{script}");
            if script.contains("sleep") {
                break;
            }
        }
    }
    let mut session = Isolated::new(config(), Worker::new(Command::new("/nowhere/ptc")));
    let e = session.run("1", TurnContext::without_host()).unwrap().error.unwrap();
    assert!(e.kind.as_str() == "internal" && e.message.contains("cannot be started"), "{}", e.message);
}

#[test]
fn a_turn_can_be_cancelled_in_a_worker() {
    let mut session = Isolated::new(config(), worker());
    session.run("(def x 1)", TurnContext::without_host()).unwrap();
    let mut tools = ();
    let world = TurnContext { cancelled: &|| true, ..TurnContext::with_tools(&mut tools) };
    assert_eq!(session.run("(loop [] (recur))", world).unwrap_err(), ptc_turns::TurnRefused::Cancelled);
    assert_eq!(session.trace().turns().len(), 1);
    assert_eq!(session.run("x", TurnContext::without_host()).unwrap().value.as_deref(), Some("1"));
}

#[test]
fn a_worker_sees_nothing_of_its_surroundings() {
    let folder = Folder::new("worker-env");
    let seen = folder.path("seen");
    let script = format!("{{ pwd; env; }} > {seen}");
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &script]).env("SECRET", "x");
    Isolated::new(config(), Worker::new(command)).run("1", TurnContext::without_host()).unwrap();
    let seen = std::fs::read_to_string(seen).unwrap();
    assert!(
        seen.starts_with("/\n") && !seen.contains("SECRET") && !seen.contains("HOME") && !seen.contains("CARGO"),
        "{seen}"
    );
}

#[test]
fn a_hundred_sessions_leave_no_process() {
    let mut ids = Vec::new();
    for i in 0..100 {
        let mut session = Isolated::new(config(), worker());
        let r = session.run(&format!("(* 2 {i})"), TurnContext::without_host()).unwrap();
        assert_eq!(r.value, Some((2 * i).to_string()));
        ids.push(session.worker().id().unwrap());
    }
    // A process that was not waited for would still have its number.
    assert_eq!(ids.iter().filter(|id| alive(**id)).count(), 0);
}

/// The limits that a worker has set itself, as the system knows them.
#[cfg(target_os = "linux")]
#[test]
fn a_worker_denies_itself_files_children_and_memory() {
    let mut session = Isolated::new(Config { limits: Limits::default(), ..Config::programs() }, worker());
    session.run("1", TurnContext::without_host()).unwrap();
    let id = session.worker().id().unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{id}/limits")).unwrap();
    let soft = |name: &str| {
        let line = limits.lines().find(|l| l.starts_with(name)).unwrap();
        line[name.len()..].split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!([soft("Max core file size"), soft("Max file size"), soft("Max processes")], ["0", "0", "0"]);
    let (memory, cpu) = (soft("Max address space"), soft("Max cpu time"));
    assert!(memory.parse::<u64>().unwrap() < 3 << 29 && cpu.parse::<u64>().unwrap() < 20, "{limits}");
}

/// The binary, as a user starts it.
fn ptc(args: &[&str], stdin: &str) -> (Option<i32>, String) {
    use std::io::Write as _;
    let mut child = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(stdin.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    (out.status.code(), String::from_utf8(out.stdout).unwrap())
}

/// Lines without what two processes differ in: time, and bytes that a cache holds.
fn without_usage(lines: &str) -> Vec<serde_json::Value> {
    let read = |line: &str| {
        let mut data: serde_json::Value = serde_json::from_str(line).unwrap();
        data.as_object_mut().unwrap().remove("usage");
        for turn in data.get_mut("turns").and_then(|t| t.as_array_mut()).into_iter().flatten() {
            turn.as_object_mut().unwrap().remove("usage");
        }
        let error = data.pointer_mut("/error/message");
        if let Some(message) = error.filter(|m| m.as_str().unwrap().starts_with("memory_bytes = ")) {
            *message = message.as_str().unwrap().split(": ").next().unwrap().into();
        }
        data
    };
    lines.lines().map(read).collect()
}

#[test]
fn the_command_line_gives_the_same_with_isolate() {
    let programs = [
        "(def x [1 2]) (println \"a\") (tool/echo {:x x})",
        "(try (tool/fail) (catch Exception e (.getMessage e)))",
        "(tool/fail {:message \"no\"})",
        "(tool/panic)",
        "(tool/slow 5)",
        "(count (tool/big 100000))",
        "(tool/big 70000000)",
        "(tool/deep 20000)",
        "(count (tool/wide 1000))",
        "(tool/wide 1000000000)",
        "(return x)",
        "(oops)",
        "(vec (range))",
        "(loop [s \"aaaaaaaa\"] (recur (str s s)))",
        "(map inc x)",
    ];
    // Time is not what is compared.
    let folder = Folder::new("worker-eval");
    let limits = folder.file("limits.toml", "cpu_ms = 0\nwall_ms = 0\nfuel = 2_000_000\n");
    let mut args = vec!["eval", "--json", "--test-tools", "--limits", &limits];
    args.extend(programs.iter().flat_map(|p| ["-e", *p]));
    let here = ptc(&args, "");
    args.push("--isolate");
    let apart = ptc(&args, "");
    for (program, (apart, here)) in programs.iter().zip(without_usage(&apart.1).iter().zip(&without_usage(&here.1))) {
        assert_eq!(apart, here, "{program}");
    }
    assert_eq!((apart.0, apart.1.lines().count()), (here.0, programs.len()));
    assert!(!apart.1.contains("internal"), "{}", apart.1);
    let lines = "{\"id\":1,\"source\":\"(def x 1)\"}\n{\"id\":2,\"turns\":[\"(def x 5)\",\"x\"]}\n{\"id\":3,\"source\":\"x\"}\n";
    let here = ptc(&["eval", "--batch"], lines);
    assert_eq!(without_usage(&ptc(&["eval", "--batch", "--isolate"], lines).1), without_usage(&here.1));
    assert!(here.1.lines().nth(2).unwrap().contains("unknown name x"), "{}", here.1);
}

#[test]
fn a_task_runs_in_a_worker_and_leaves_the_same_trace() {
    let folder = Folder::new("worker-run");
    let (task, one, other) = (folder.task(), folder.path("a.jsonl"), folder.path("b.jsonl"));
    let here = ptc(&["run", &task, "--trace", &one], "");
    let apart = ptc(&["run", &task, "--trace", &other, "--isolate"], "");
    assert_eq!(apart, here);
    let memoryless = |path: &str| {
        let text = timeless(path);
        let parts: Vec<String> = text
            .split("\"memory_bytes\":")
            .map(|p| p.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned())
            .collect();
        parts.join("")
    };
    assert_eq!(memoryless(&other), memoryless(&one));
}

#[test]
fn a_worker_that_is_asked_nonsense_ends() {
    for text in
        ["", "hello\n", "{\"Turn\":{\"text\":\"1\",\"reply\":false,\"now_ms\":0,\"seed\":0}}\n", "{\"Begin\":{}}\n"]
    {
        let did = ptc_with(&["__worker", "--serve-ptc-turns"], text);
        assert!(did.out.starts_with("{\"Restricted\":{") && did.out.lines().count() == 1, "{text}: {}", did.out);
    }
}

/// How a task inside ended is data for programs that run in a worker, as for those that run here.
#[test]
fn a_worker_is_told_how_a_task_inside_failed() {
    let f = crate::common::Folder::new("worker-failure");
    f.file(
        "boss/task.toml",
        "[task]\nprompt = \"Ask.\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../helper\"\n",
    );
    let ask = "(try (tool/helper \"x\") (catch Exception e (let [d (ex-data e)] [(:kind d) (:turns d) (:message d)])))";
    f.file("boss/r.md", &format!("## Turn 1\n(return {ask})\n"));
    f.file("helper/task.toml", "[task]\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n");
    f.file("helper/r.md", "## Turn 1\n(fail \"no data\")\n");
    for more in [&[][..], &["--isolate"]] {
        let trace = f.path(&format!("t{}.jsonl", more.len()));
        let boss = f.path("boss");
        let args = [&["run", &boss, "--trace", &trace], more].concat();
        let did = std::process::Command::new(env!("CARGO_BIN_EXE_ptc")).args(args).output().unwrap();
        let told = String::from_utf8_lossy(&did.stdout);
        assert_eq!(told, "[:failed 1 \"no data\"]\n", "{}", String::from_utf8_lossy(&did.stderr));
        let kept = std::fs::read_to_string(&trace).unwrap();
        assert_eq!(kept.matches("\"failure\":{\"kind\":\"failed\",").count(), 2, "{kept}");
    }
}
