//! Calls that wait inside sub-agents, told and decided by clients of `ptc serve` and `ptc mcp`.

use crate::common::Folder;
use crate::mcp::{self, data, session, text};
use crate::serve::{Server, lines, read_until};
use serde_json::{Value, json};
use std::io::Write as _;

/// A task whose sub-agent calls a tool that has to be approved, and counts its calls in `calls`.
fn outer(f: &Folder) -> String {
    f.file(
        "inner/task.toml",
        &format!(
            "[task]\nname = \"helper\"\nprompt = \"Help.\"\nmodel = \"replay:r.md\"\n[tools.count]\napproval = \"always\"\n\
             command = [\"sh\", \"-c\", {}]\nreturns = \"integer\"\n",
            Value::from(format!("cat > /dev/null; echo x >> {}; echo 7", f.path("calls")))
        ),
    );
    f.file("inner/r.md", "## Turn 1\n(return (str \"it is \" (tool/count)))\n");
    f.file(
        "outer/task.toml",
        "[task]\nname = \"outer\"\nprompt = \"p\"\nmodel = \"replay:r.md\"\n[agents.helper]\ntask = \"../inner\"\n",
    );
    f.file("outer/r.md", "## Turn 1\n(return (tool/helper {:request \"x\"}))\n");
    f.path("outer")
}

/// Nothing of the server's own in what is told: paths of files, keys of calls.
fn tells_nothing_of_ours(told: &str, f: &Folder) {
    assert!(!told.contains(&f.path("")) && !told.contains("\"key\"") && !told.contains(".jsonl"), "{told}");
}

#[test]
fn a_call_of_a_sub_agent_is_named_by_it_and_decided_over_http() {
    for decision in ["approve", "deny", "answer"] {
        let f = Folder::new(&format!("approvals-{decision}"));
        let task = outer(&f);
        let server = Server::start(&f, &["--task", &task]);
        let run = server.post("/sessions", &json!({ "task": "outer", "run": true }));
        assert_eq!((run.status, &run.json()["status"]), (202, &json!("pending")), "{run:?}");
        tells_nothing_of_ours(&run.body, &f);
        let s = format!("/sessions/{}", run.json()["session"].as_str().unwrap());
        // What has happened is told again to who comes now: the call waits still.
        let mut stream = server.connect();
        write!(stream, "GET {s}/events HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        assert_eq!(server.post(&format!("{s}/wait"), &json!({})).json()["status"], "pending");
        tells_nothing_of_ours(&read_until(&mut stream, &["event: pending", "agent-helper-", "\n\n"]), &f);
        let listed = server.get(&format!("{s}/approvals"));
        tells_nothing_of_ours(&listed.body, &f);
        let calls = listed.json()["pending"].clone();
        let [call] = calls.as_array().unwrap().as_slice() else { panic!("{calls}") };
        assert_eq!((&call["call"], &call["name"], &call["why"]), (&json!(1), &json!("count"), &json!("approval")));
        assert!(call["subtask"].as_str().is_some_and(|l| l.starts_with("agent-helper-")), "{call}");
        assert_eq!((&run.json()["pending"], &server.get(&s).json()["pending"]), (&calls, &calls));

        let decide = |body: Value| server.post(&format!("{s}/approvals"), &body);
        let of = |subtask: &Value| json!({ "call": 1, "subtask": subtask, "decision": "approve" });
        assert_eq!(decide(of(&json!("agent-helper"))).status, 404, "the beginning of a name is none");
        assert_eq!(decide(of(&json!("../trace"))).status, 404);
        let mut body = json!({ "call": 1, "subtask": call["subtask"], "decision": decision });
        if decision == "answer" {
            body["answer"] = json!(9);
        }
        let decided = decide(body);
        assert_eq!((decided.status, &decided.json()["pending"]), (202, &json!([])), "{decided:?}");
        // What is to be done next is said, by the decision and by the list.
        for told in [&decided, &server.get(&format!("{s}/approvals"))] {
            let hint = told.json()["hint"].as_str().unwrap_or_default().to_owned();
            assert_eq!(told.json()["location"], format!("{s}/wait"), "{told:?}");
            assert!(hint.contains("no call waits any more") && hint.contains(&format!("POST {s}/wait")), "{told:?}");
        }
        let done = server.post(&format!("{s}/wait"), &json!({}));
        assert_eq!(done.status, 200, "{done:?}");
        assert!(server.get(&format!("{s}/approvals")).json()["location"].is_null());
        let value = match decision {
            "approve" => "it is 7",
            "answer" => "it is 9",
            _ => "",
        };
        let told = done.json()["json"].as_str().unwrap_or_default().to_owned();
        assert_eq!((told.as_str(), lines(&f.path("calls"))), (value, usize::from(decision == "approve")), "{done:?}");
        assert_eq!(server.get(&format!("{s}/approvals")).json()["pending"], json!([]));
        // The trace says who has decided.
        let traces: String = std::fs::read_dir(f.path(&format!("home{s}")))
            .unwrap()
            .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap_or_default())
            .collect();
        assert!(traces.contains("\"by\":\"local\""), "{traces}");
    }
}

#[test]
fn a_server_may_leave_decisions_to_who_runs_it() {
    let f = Folder::new("approvals-off");
    let task = outer(&f);
    let server = Server::start(&f, &["--task", &task, "--no-approvals"]);
    let run = server.post("/sessions", &json!({ "task": "outer", "run": true })).json();
    let id = run["session"].as_str().unwrap();
    let body = json!({ "call": 1, "subtask": run["pending"][0]["subtask"], "decision": "approve" });
    let refused = server.post(&format!("/sessions/{id}/approvals"), &body);
    assert_eq!(refused.status, 403, "{refused:?}");
    assert!(refused.json()["hint"].as_str().unwrap().contains(&format!("ptc approve {id}")), "{refused:?}");
    assert_eq!(server.get(&format!("/sessions/{id}/approvals")).json()["pending"], run["pending"]);
}

#[test]
fn an_mcp_client_is_told_the_command_for_a_call_of_a_sub_agent() {
    let f = Folder::new("approvals-mcp");
    let task = outer(&f);
    let mut client = mcp::Client::start(&f, &["--task", &task]);
    let waits = client.call("outer", json!({}));
    assert_eq!(data(&waits)["status"], "pending", "{waits}");
    tells_nothing_of_ours(&waits.to_string(), &f);
    let id = session(&waits);
    let label = data(&waits)["pending"][0]["subtask"].as_str().unwrap().to_owned();
    let trace = format!("{id}/{label}");
    assert!(text(&waits).contains(&format!("ptc approve {trace} 1")), "{waits}");
    let mut approve = std::process::Command::new(env!("CARGO_BIN_EXE_ptc"));
    let approved = approve.args(["approve", &trace, "1"]).env("PTC_HOME", f.path("home")).output().unwrap();
    let told = String::from_utf8_lossy(&approved.stderr);
    assert!(approved.status.success() && told.contains("no call waits any more"), "{told}");
    assert!(told.contains("the MCP tool wait") && told.contains(&format!("--resume {id}")), "{told}");
    let done = client.call("wait", json!({ "session": id }));
    assert_eq!((&data(&done)["value"], lines(&f.path("calls"))), (&json!("it is 7"), 1), "{done}");
}
