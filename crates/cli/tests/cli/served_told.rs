//! What servers tell of turns and runs is what happened: ends that are kept, turns that broke off, numbers of turns.

use crate::common::Folder;
use crate::mcp::{self, Client, data, session, text};
use crate::serve::{Server, gated, lines, wait_for};
use serde_json::{Value, json};
use std::process::{Command, Stdio};

/// A task whose model answers once what it is and then is gone; it counts how often it is asked in `asked`.
fn asked(f: &Folder) -> usize {
    lines(&f.path("calls"))
}

#[test]
fn a_run_that_was_cancelled_has_ended_and_its_turn_is_recorded() {
    let f = Folder::new("told-cancelled");
    let task = gated(&f, "");
    f.file(
        "gated/replies.md",
        "## Turn 1\n(def a (tool/count))\n## Turn 2\n(return (tool/gate))\n## Turn 3\n(return 3)\n",
    );
    let server = Server::start(&f, &["--task", &task]);
    let run = server.post("/sessions", &json!({ "task": "gated", "run": true, "wait_ms": 1 }));
    assert_eq!(run.status, 202, "{run:?}");
    let s = format!("/sessions/{}", run.json()["session"].as_str().unwrap());
    wait_for(&f.path("begun"));
    let running = server.post(&format!("{s}/wait"), &json!({ "wait_ms": 1 }));
    assert_eq!((&running.json()["status"], &running.json()["turn"]), (&json!("running"), &json!(2)), "{running:?}");
    let ended = server.post(&format!("{s}/cancel"), &json!({}));
    assert_eq!((&ended.json()["status"], &ended.json()["turn"]), (&json!("cancelled"), &json!(2)), "{ended:?}");
    let turn = server.get(&format!("{s}/turns/2")).json();
    assert!(turn["error"]["message"].as_str().unwrap().contains("cancelled"), "{turn}");
    // It is over: waiting asks nobody again, here and after a restart.
    drop(server);
    let server = Server::start(&f, &["--task", &task]);
    for _ in 0..2 {
        let again = server.post(&format!("{s}/wait"), &json!({}));
        let told = |key: &str| again.json()[key].clone();
        assert_eq!((told("status"), told("turn")), (json!("cancelled"), json!(2)), "{again:?}");
        assert_eq!(told("error")["kind"], "cancelled", "{again:?}");
    }
    assert_eq!((asked(&f), server.get(&format!("{s}/turns/3")).status), (1, 404));
    assert_eq!(server.post(&format!("{s}/cancel"), &json!({})).status, 409);
}

#[test]
fn a_run_that_waits_for_a_decision_can_be_cancelled_for_good() {
    let f = Folder::new("told-pending");
    let task = gated(&f, "");
    let toml = std::fs::read_to_string(f.path("gated/task.toml")).unwrap();
    f.file("gated/task.toml", &toml.replace("[tools.gate]", "approval = \"always\"\n[tools.gate]"));
    f.file("gated/replies.md", "## Turn 1\n(return (tool/count))\n## Turn 2\n(return 2)\n");
    let server = Server::start(&f, &["--task", &task]);
    let run = server.post("/sessions", &json!({ "task": "gated", "run": true }));
    assert_eq!((run.status, &run.json()["status"]), (202, &json!("pending")), "{run:?}");
    let s = format!("/sessions/{}", run.json()["session"].as_str().unwrap());
    for path in ["cancel", "wait", "wait"] {
        let told = server.post(&format!("{s}/{path}"), &json!({})).json();
        assert_eq!((&told["status"], &told["turn"]), (&json!("cancelled"), &json!(1)), "{path}: {told}");
    }
    assert_eq!(asked(&f), 0);
}

#[test]
fn a_run_that_an_error_ended_is_told_and_not_begun_anew() {
    let f = Folder::new("told-error");
    let task = gated(&f, "max_turns = 5");
    f.file("gated/replies.md", "## Turn 1\n(def a (tool/count))\n");
    let server = Server::start(&f, &["--task", &task]);
    let run = server.post("/sessions", &json!({ "task": "gated", "run": true })).json();
    let s = format!("/sessions/{}", run["session"].as_str().unwrap());
    assert_eq!((&run["status"], &run["turn"]), (&json!("error"), &json!(1)), "{run}");
    // A second reply would be asked for if it went on.
    f.file("gated/replies.md", "## Turn 1\n(def a (tool/count))\n## Turn 2\n(return 2)\n");
    let again = server.post(&format!("{s}/wait"), &json!({})).json();
    for key in ["status", "turn", "error", "usage"] {
        assert_eq!(again[key], run[key], "{key}: {again} {run}");
    }
}

/// The disk takes no more behind the call that a turn has made.
#[test]
fn a_turn_that_broke_off_is_told_with_what_was_done() {
    let f = Folder::new("told-broken");
    let (task, noted) = mcp::noting(&f, "");
    let script = std::fs::read_to_string(f.path("shop/note.sh")).unwrap();
    f.file("shop/note.sh", &script.replace("'\"noted\"'", "\"\\\"$(head -c 200000 /dev/zero | tr '\\0' x)\\\"\""));
    let command = format!(
        "trap '' XFSZ; ulimit -f 128; exec {} --no-config mcp --task {task} --set turn_seconds=100",
        env!("CARGO_BIN_EXE_ptc")
    );
    let mut sh = Command::new("sh");
    sh.args(["-c", &command]).env("PTC_HOME", f.path("home")).stderr(Stdio::piped());
    let mut client = Client::of(sh);
    let result = client.call("run", json!({ "program": "(count (tool/note \"a\"))" }));
    assert_eq!((&data(&result)["status"], mcp::notes(&noted)), (&json!("broken_off"), 1), "{result}");
    assert!(
        text(&result).contains("turn 1 broke off") && text(&result).contains("1 call of a tool was made"),
        "{result}"
    );
    let id = session(&result);
    drop(client);
    let mut client = Client::start(&f, &["--task", &task]);
    let waits = client.call("wait", json!({ "session": id }));
    assert_eq!((&data(&waits)["status"], mcp::notes(&noted)), (&json!("pending"), 1), "it is not made twice: {waits}");
}

#[test]
fn what_cannot_be_looked_at_or_forked_says_what_to_do() {
    let f = Folder::new("told-words");
    let mut client = Client::start(&f, &[]);
    let first = client.call("run", json!({ "program": "(def a 1)" }));
    let id = session(&first);
    for (tool, arguments, words) in [
        ("inspect", json!({ "session": id, "what": "turns", "n": 0 }), "n is a number from 1"),
        ("inspect", json!({ "what": "sessions", "n": 0 }), "n is a number from 1"),
        ("inspect", json!({ "session": id, "what": "all" }), "unknown variant `all`"),
        ("fork", json!({ "session": id, "turn": 7 }), "there is no turn 7; give turn from 1 to 1"),
        ("fork", json!({ "session": id, "turn": 0 }), "there is no turn 0; give turn from 1 to 1"),
        ("fork", json!({ "session": "20000101-000000-aaaa" }), "there is no session"),
    ] {
        let result = client.call(tool, arguments);
        assert!(result["isError"] == true && text(&result).contains(words), "{result}");
    }
    let empty = Server::start(&f, &[]);
    let s = empty.session(&json!({}));
    let refused = empty.post(&format!("{s}/fork"), &json!({}));
    assert_eq!((refused.status, &refused.json()["detail"]), (409, &json!("no turn of the session has ended yet")));
}

#[test]
fn a_turn_that_waits_for_a_process_has_no_number() {
    let f = Folder::new("told-queued");
    let task = gated(&f, "");
    let server = Server::start(&f, &["--task", &task, "--set", "client_turns=1"]);
    let (one, other) = (server.session(&json!({ "task": "gated" })), server.session(&json!({})));
    let run = |s: &str, program: &str| server.post(&format!("{s}/turns"), &json!({ "program": program, "wait_ms": 1 }));
    assert_eq!(run(&one, "(tool/gate)").status, 202);
    wait_for(&f.path("begun"));
    let queued = run(&other, "1").json();
    assert_eq!((&queued["queued"], queued.get("turn")), (&json!(true), None::<&Value>), "{queued}");
    f.file("go", "");
    assert_eq!(server.post(&format!("{other}/wait"), &json!({})).json()["turn"], 1);
}

/// A client at its limit whose sessions were removed by others may begin again, and one that removes its own.
#[test]
fn sessions_are_counted_as_they_come_and_go() {
    let f = Folder::new("told-counts");
    let server = Server::start(&f, &["--set", "client_sessions=2"]);
    let (one, other) = (server.session(&json!({})), server.session(&json!({})));
    let begin = || server.post("/sessions", &json!({})).status;
    assert_eq!((begin(), begin()), (422, 422));
    assert_eq!(server.ask("DELETE", &one, "", "").status, 204);
    assert_eq!((begin(), begin()), (201, 422));
    std::fs::remove_dir_all(f.0.join("home/sessions").join(other.trim_start_matches("/sessions/"))).unwrap();
    assert_eq!((begin(), begin()), (201, 422));
}
