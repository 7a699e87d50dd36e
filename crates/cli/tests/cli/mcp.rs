//! `ptc mcp` as a process: what clients say and hear, over standard input and output and over HTTP, and what goes wrong.

use crate::common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

/// Takes a second or more.
const SLOW: &str = "(reduce + (range 8000000))";
const TOKEN: &str = "0123456789abcdef0123";

/// `ptc mcp` with a home of its own.
pub fn command(home: &Folder, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["--no-config", "mcp", "--set", "turn_seconds=100", "--set", "requests_at_once=1000000"]).args(args);
    command.env("PTC_HOME", home.path("home")).stderr(Stdio::piped());
    command
}

/// A client over standard input and output.
pub struct Client {
    pub server: Child,
    pub to: ChildStdin,
    pub from: BufReader<ChildStdout>,
    next: u64,
    /// Notifications that came.
    heard: Vec<Value>,
}

impl Client {
    pub fn start(home: &Folder, args: &[&str]) -> Self {
        Self::of(command(home, args))
    }

    /// Of a server that this command starts.
    pub fn of(command: Command) -> Self {
        Self::with(command, json!({}))
    }

    /// One that says it can do this.
    pub fn with(mut command: Command, capabilities: Value) -> Self {
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let to = server.stdin.take().unwrap();
        let from = BufReader::new(server.stdout.take().unwrap());
        let mut client = Client { server, to, from, next: 0, heard: Vec::new() };
        let hello = client.ask(
            "initialize",
            json!({ "protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": { "name": "t", "version": "1" } }),
        );
        assert!(hello["result"]["instructions"].as_str().unwrap().contains("PTC-Lisp"), "{hello}");
        client.tell("notifications/initialized", json!({}));
        client
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        writeln!(self.to, "{}", json!({ "jsonrpc": "2.0", "method": method, "params": params })).unwrap();
    }

    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        writeln!(self.to, "{}", json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }))
            .unwrap();
        self.next
    }

    pub fn receive(&mut self) -> Value {
        let mut line = String::new();
        assert!(self.from.read_line(&mut line).unwrap() > 0, "the server has closed");
        serde_json::from_str(&line).unwrap()
    }

    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message;
            }
            self.heard.push(message);
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// The result of a tool.
    pub fn call(&mut self, name: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": name, "arguments": arguments }));
        let bytes = answer["result"].to_string().len();
        assert!(bytes <= 24 << 10, "{bytes} bytes");
        answer["result"].clone()
    }

    /// Closes its end; the exit code.
    pub fn close(mut self) -> i32 {
        drop(self.to);
        self.server.wait().unwrap().code().unwrap()
    }
}

pub fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}"))
}

pub fn data(result: &Value) -> &Value {
    &result["structuredContent"]
}

pub fn session(result: &Value) -> String {
    data(result)["session"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned()
}

/// A task with a tool that notes what it is called with, and one with nothing.
pub fn noting(home: &Folder, rules: &str) -> (String, std::path::PathBuf) {
    let notes = home.0.join("notes");
    let script = home.file("shop/note.sh", &format!("#!/bin/sh\ncat >> {n}\necho '\"noted\"'\n", n = notes.display()));
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let toml = format!(
        "[task]\nname = \"shop\"\nprompt = \"Note it\"\nmodel = \"replay:replies.md\"\n[context.prices]\nfile = \"prices.json\"\n\
         [tools.note]\ndescription = \"Notes a text\"\nparams = [{{ name = \"text\", type = \"string\", description = \"What to note\" }}]\ncommand = [\"./note.sh\"]\n{rules}\n"
    );
    home.file("shop/task.toml", &toml);
    home.file("shop/prices.json", "{\"pen\": 250, \"ink\": 120}");
    home.file(
        "shop/replies.md",
        "## Turn 1\n(tool/note (str \"cost \" (:pen ctx/prices)))\n## Turn 2\n(return {:cost (:pen ctx/prices)})\n",
    );
    (home.path("shop"), notes)
}

pub fn notes(file: &std::path::Path) -> usize {
    std::fs::read_to_string(file).map_or(0, |t| t.matches("{\"text\"").count())
}

#[test]
fn a_client_runs_programs_in_sessions_that_remember() {
    let home = Folder::new("mcp-runs");
    let (task, noted) = noting(&home, "");
    let mut client = Client::start(&home, &["--task", &task]);
    let tools = client.ask("tools/list", json!({}));
    let names: Vec<_> =
        tools["result"]["tools"].as_array().unwrap().iter().map(|t| t["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["run", "wait", "inspect", "tools", "fork", "shop"]);
    let first = client.call("run", json!({ "program": "(def total \"Both\" (+ (:pen ctx/prices) (:ink ctx/prices)))\n(println \"sum\" total)\n{:total total}" }));
    assert_eq!(text(&first), "sum 370\n=> {:total 370}\nTurn 2");
    let id = session(&first);
    let expected = json!({ "session": id, "turn": 1, "status": "ok", "value": { "total": 370 }, "printed": ["sum 370"], "defined": ["total"], "calls": 0 });
    assert_eq!(data(&first), &expected);
    assert_eq!(first["content"][1]["text"], format!("session {id}, turn 1"));
    let second = client.call("run", json!({ "program": "(tool/note (str total))", "session": id }));
    assert_eq!(
        (data(&second)["value"].as_str(), data(&second)["calls"].as_u64(), notes(&noted)),
        (Some("noted"), Some(1), 1)
    );
    let wrong = client.call("run", json!({ "program": "(coutn [1])", "session": id }));
    assert_eq!(
        (wrong["isError"].as_bool(), data(&wrong)["error"]["kind"].as_str()),
        (Some(true), Some("name")),
        "{wrong}"
    );
    assert!(text(&wrong).contains("count"), "{wrong}");
    // Numbers of any size, and values that are none in JSON.
    let big = client.call("run", json!({ "program": "123456789012345678901234567890N", "session": id }));
    assert_eq!(data(&big)["value_text"], "123456789012345678901234567890N", "{big}");
    // What is asked in a way that is none says what it should be.
    for (arguments, words) in [
        (json!({}), "program"),
        (json!({ "program": 7 }), "string"),
        (json!({ "program": "1", "sesion": id }), "sesion"),
        (json!({ "program": "1", "session": id, "expect": "integer" }), "leave session out"),
        (json!({ "program": "1", "session": "20260101-000000-aaaa" }), "there is no session"),
        (json!({ "program": "1", "task": "nothing" }), "shop"),
        (json!({ "program": "1", "expect": "[oops" }), "expect"),
        (json!({ "program": "1", "context": { "a b": 1 } }), "name"),
    ] {
        let refused = client.call("run", arguments);
        assert!(refused["isError"] == true && text(&refused).contains(words), "{refused}");
    }
    let unknown = client.ask("tools/call", json!({ "name": "rum", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("rum"), "{unknown}");
    let sessions = client.call("inspect", json!({ "what": "sessions" }));
    assert_eq!(data(&sessions)["sessions"].as_array().unwrap().len(), 1, "what was refused leaves nothing: {sessions}");
    let defs = client.call("inspect", json!({ "what": "defs", "session": id }));
    assert_eq!(
        (data(&defs)["defs"][0]["name"].as_str(), data(&defs)["defs"][0]["doc"].as_str()),
        (Some("total"), Some("Both"))
    );
    let turns = client.call("inspect", json!({ "what": "turns", "session": id, "n": 2 }));
    assert_eq!(
        data(&turns)["turns"].as_array().unwrap().iter().map(|t| t["turn"].as_u64().unwrap()).collect::<Vec<_>>(),
        [4, 3]
    );
    let turn = client.call("inspect", json!({ "what": "turn", "session": id, "n": 1 }));
    assert_eq!(data(&turn)["feedback"], "sum 370\n=> {:total 370}\nTurn 2");
    let calls = client.call("inspect", json!({ "what": "calls", "session": id }));
    assert_eq!(data(&calls)["calls"][0]["args"], "{\"text\":\"370\"}");
    assert!(text(&client.call("inspect", json!({ "what": "turn", "session": id, "n": 9 }))).contains("4 turns"));
    let found = client.call("tools", json!({ "query": "NOTES" }));
    assert_eq!(
        (data(&found)["tools"][0]["name"].as_str(), data(&found)["tools"][0]["params"][0]["doc"].as_str()),
        (Some("tool/note"), None)
    );
    let found = client.call("tools", json!({ "names": ["tool/note", "other"] }));
    assert_eq!(data(&found)["tools"][0]["params"][0]["doc"], "What to note");
    assert_eq!(text(&client.call("tools", json!({ "query": "nowhere" }))), "no tools");
    let fork = client.call("fork", json!({ "session": id, "turn": 1 }));
    let other = client.call("run", json!({ "program": "(def total 1)", "session": session(&fork) }));
    assert_eq!(data(&other)["turn"], 2);
    assert_eq!(data(&client.call("run", json!({ "program": "total", "session": id })))["value"], 370);
    assert!(text(&client.call("fork", json!({ "session": id, "turn": 77 }))).contains("77"));
    let resources = client.ask("resources/list", json!({}));
    let uris: Vec<_> = resources["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["uri"].as_str().unwrap().to_owned())
        .collect();
    assert!(
        uris.contains(&"ptc://language".to_owned()) && uris.contains(&format!("ptc://sessions/{id}/trace")),
        "{uris:?}"
    );
    for uri in uris {
        let read = client.ask("resources/read", json!({ "uri": uri }));
        assert!(read["result"]["contents"][0]["text"].as_str().unwrap().len() > 1000, "{uri}");
    }
    for uri in ["ptc://sessions/../trace", "file:///etc/passwd", "ptc://sessions/20260101-000000-aaaa/trace", ""] {
        assert!(client.ask("resources/read", json!({ "uri": uri }))["error"]["message"].is_string(), "{uri}");
    }
    // The task as a tool, with its model.
    let ran = client.call("shop", json!({ "request": "Today." }));
    assert_eq!(
        (data(&ran)["status"].as_str(), &data(&ran)["value"]),
        (Some("returned"), &json!({ "cost": 250 })),
        "{ran}"
    );
    assert_eq!(notes(&noted), 2);
    assert_eq!(client.close(), 0);
    // Another server goes on.
    let mut client = Client::start(&home, &["--task", &task]);
    assert_eq!(data(&client.call("run", json!({ "program": "total", "session": id })))["value"], 370);
    assert_eq!(client.close(), 0);
}

#[test]
fn answers_stay_small_and_values_whole() {
    let home = Folder::new("mcp-small");
    let mut client = Client::start(&home, &[]);
    let result = client.call("run", json!({ "program": "(vec (range 20000))" }));
    let id = session(&result);
    assert!(
        data(&result).get("value").is_none() && data(&result)["value_bytes"].as_u64().unwrap() > 100_000,
        "{result}"
    );
    for program in [
        "(dotimes [n 300] (println (apply str (repeat 300 \"\\\"\\\\\"))))",
        "(apply str (repeat 100000 \"\u{e9}\"))",
        "(dotimes [n 2000] (println \"line\" n))",
        "(doseq [n (range 1500)] (intern *ns* (symbol (str \"name-\" n)) n))",
        "(throw (ex-info (apply str (repeat 9000 \"x\")) {}))",
        "{:a {:b (vec (repeat 3000 {:c \"d\"}))}}",
    ] {
        // `call` holds each answer to 24 kB.
        let result = client.call("run", json!({ "program": program, "session": id }));
        assert!(text(&result).len() > 10, "{result}");
    }
    for what in ["turns", "turn", "defs", "calls", "sessions"] {
        client.call("inspect", json!({ "what": what, "session": id }));
    }
    for n in 1..8 {
        client.call("inspect", json!({ "what": "turn", "session": id, "n": n }));
    }
    assert_eq!(client.close(), 0);
}

#[test]
fn a_long_turn_is_waited_for_told_of_and_cancelled() {
    let home = Folder::new("mcp-long");
    let mut client = Client::start(&home, &["--set", "workers=1", "--set", "queue=0"]);
    let first = client.call("run", json!({ "program": "(def x 1)" }));
    let id = session(&first);
    let running = client.call("run", json!({ "program": SLOW, "session": id, "wait_ms": 0 }));
    assert_eq!((data(&running)["status"].as_str(), running["isError"].as_bool()), (Some("running"), Some(false)));
    assert!(text(&running).contains(&format!("wait with session {id}")), "{running}");
    let refused = client.call("run", json!({ "program": "1" }));
    assert_eq!(
        (data(&refused)["error"]["kind"].as_str(), data(&refused)["error"]["retry_after_s"].is_u64()),
        (Some("busy"), true)
    );
    assert!(text(&refused).starts_with("busy: ") && text(&refused).contains("try again in"), "{refused}");
    let refused = client.call("run", json!({ "program": "1", "session": id }));
    assert!(text(&refused).contains("turn 2 of the session runs; wait for it"), "{refused}");
    // Its progress is told to whoever asks for it.
    let params = json!({ "name": "wait", "arguments": { "session": id }, "_meta": { "progressToken": "p1" } });
    let done = client.ask("tools/call", params);
    assert_eq!(data(&done["result"])["value"], 31_999_996_000_000_u64, "{done}");
    let progress: Vec<_> = client.heard.iter().filter(|n| n["method"] == "notifications/progress").collect();
    assert!(!progress.is_empty() && progress.iter().all(|n| n["params"]["progressToken"] == "p1"), "{progress:?}");
    // Cancelled by the protocol: its turn is recorded as that.
    let request = client.send("tools/call", json!({ "name": "run", "arguments": { "program": SLOW, "session": id } }));
    // At once: whether the turn has begun by then or not.
    client.tell("notifications/cancelled", json!({ "requestId": request, "reason": "enough" }));
    let after = loop {
        let after = client.call("wait", json!({ "session": id }));
        if data(&after)["turn"] == 3 {
            break after;
        }
    };
    assert!(text(&after).contains("cancelled"), "{after}");
    // And by wait.
    client.call("run", json!({ "program": SLOW, "session": id, "wait_ms": 0 }));
    let after = client.call("wait", json!({ "session": id, "cancel": true }));
    assert!(text(&after).contains("cancelled"), "{after}");
    assert_eq!(data(&client.call("run", json!({ "program": "(inc x)", "session": id })))["value"], 2);
    assert_eq!(client.close(), 0);
}

#[test]
fn a_server_that_is_killed_in_a_turn_loses_nothing_and_does_nothing_twice() {
    let home = Folder::new("mcp-killed");
    let (task, noted) = noting(&home, "");
    let mut client = Client::start(&home, &["--task", &task]);
    let id = session(&client.call("run", json!({ "program": "(def x 1)" })));
    let program = format!("(def said (tool/note \"a\"))\n{SLOW}\n(tool/note \"b\")");
    client.call("run", json!({ "program": program, "session": id, "wait_ms": 0 }));
    // The answer of the first call is in the journal before the second is made.
    let trace = home.0.join("home/sessions").join(&id).join("trace.jsonl");
    while !std::fs::read_to_string(&trace).unwrap().contains("\"answered\"") {
        std::thread::sleep(Duration::from_millis(5));
    }
    client.server.kill().unwrap();
    client.server.wait().unwrap();
    assert_eq!(notes(&noted), 1);
    let mut client = Client::start(&home, &["--task", &task]);
    let refused = client.call("run", json!({ "program": "x", "session": id }));
    assert!(text(&refused).contains("turn 2 has begun with another program"), "{refused}");
    let done = client.call("wait", json!({ "session": id }));
    assert_eq!(
        (data(&done)["status"].as_str(), data(&done)["turn"].as_u64(), notes(&noted)),
        (Some("ok"), Some(2), 2),
        "{done}"
    );
    assert_eq!(
        data(&client.call("run", json!({ "program": "[x said]", "session": id })))["value"],
        json!([1, "noted"])
    );
    assert_eq!(client.close(), 0);
}

#[test]
fn a_server_that_is_told_to_stop_and_a_client_that_goes_away_leave_the_turn_to_be_gone_on_with() {
    for signal in [None, Some("-TERM")] {
        let home = Folder::new("mcp-gone");
        let (task, noted) = noting(&home, "");
        let mut client = Client::start(&home, &["--task", &task, "--set", "stop_seconds=0"]);
        let id = session(&client.call("run", json!({ "program": "(def x 1)" })));
        let program = format!("(tool/note \"a\")\n{SLOW}\n(tool/note \"b\")");
        client.send("tools/call", json!({ "name": "run", "arguments": { "program": program, "session": id } }));
        let trace = home.0.join("home/sessions").join(&id).join("trace.jsonl");
        while !std::fs::read_to_string(&trace).unwrap().contains("\"answered\"") {
            std::thread::sleep(Duration::from_millis(5));
        }
        let code = match signal {
            Some(signal) => {
                assert!(
                    Command::new("kill").args([signal, &client.server.id().to_string()]).status().unwrap().success()
                );
                client.server.wait().unwrap().code().unwrap()
            }
            None => client.close(),
        };
        assert_eq!(code, if signal.is_some() { 143 } else { 0 });
        let mut client = Client::start(&home, &["--task", &task]);
        let done = client.call("wait", json!({ "session": id }));
        assert_eq!(
            (data(&done)["turn"].as_u64(), data(&done)["status"].as_str(), notes(&noted)),
            (Some(2), Some("ok"), 2),
            "{done}"
        );
        assert_eq!(client.close(), 0);
    }
}

#[test]
fn a_call_that_must_be_approved_says_how() {
    let home = Folder::new("mcp-approval");
    let (task, noted) = noting(&home, "approval = \"always\"");
    let mut client = Client::start(&home, &["--task", &task]);
    let waits = client.call("run", json!({ "program": "(tool/note \"a\")" }));
    let id = session(&waits);
    assert_eq!(
        (data(&waits)["status"].as_str(), data(&waits)["pending"][0]["name"].as_str(), notes(&noted)),
        (Some("pending"), Some("note"), 0)
    );
    assert!(text(&waits).contains(&format!("ptc approve {id}")), "{waits}");
    let approved = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(["approve", &id])
        .env("PTC_HOME", home.path("home"))
        .output()
        .unwrap();
    assert!(approved.status.success(), "{}", String::from_utf8_lossy(&approved.stderr));
    assert_eq!(data(&client.call("wait", json!({ "session": id })))["value"], "noted");
    assert_eq!((notes(&noted), client.close()), (1, 0));
}

/// A server over HTTP.
pub struct Http {
    pub server: Child,
    pub address: String,
}

impl Http {
    pub fn start(home: &Folder, args: &[&str]) -> Self {
        Self::start_with(home, args, &[])
    }

    /// The same with these variables.
    pub fn start_with(home: &Folder, args: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = command(home, &["--http", "127.0.0.1:0"]);
        let mut server = command.args(args).envs(environment.iter().copied()).stdin(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(server.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.split("http://").nth(1).unwrap_or_else(|| panic!("{line}")).split('/').next().unwrap().to_owned();
        Http { server, address }
    }

    /// Sends a request of the protocol with these headers; status, headers and body of the answer.
    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String, String) {
        self.post_bytes(headers, body.as_bytes())
    }

    pub fn post_bytes(&self, headers: &[(&str, &str)], body: &[u8]) -> (u16, String, String) {
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nConnection: close\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n",
            body.len()
        );
        for (name, value) in [("Host", self.address.as_str()), ("Content-Type", "application/json")] {
            if !headers.iter().any(|(given, _)| *given == name) {
                request.push_str(&format!("{name}: {value}\r\n"));
            }
        }
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        // A server that refuses need not read all of it.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        (head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0), head.to_lowercase(), body.to_owned())
    }

    /// Begins a session of the transport; its id.
    pub fn begin(&self) -> String {
        let (_, head, _) = self.post(&[], &hello());
        let id = head.split("mcp-session-id: ").nth(1).unwrap().lines().next().unwrap().trim().to_owned();
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string();
        assert_eq!(self.post(&[("Mcp-Session-Id", &id)], &ready).0, 202);
        id
    }
}

impl Drop for Http {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// What a tool answers over HTTP, from the stream of events that its answer is.
pub fn over_http(server: &Http, transport: &str, name: &str, arguments: Value) -> Value {
    let request = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let (status, _, body) = server.post(&[("Mcp-Session-Id", transport)], &request.to_string());
    assert_eq!(status, 200, "{body}");
    let answer = body.lines().filter_map(|l| l.strip_prefix("data: ")).find(|l| l.contains("\"id\":9"));
    serde_json::from_str::<Value>(answer.unwrap_or_else(|| panic!("{body}"))).unwrap()["result"].clone()
}

#[test]
fn over_http_a_turn_goes_on_without_its_client_and_slow_readers_keep_nobody_waiting() {
    let home = Folder::new("mcp-http-gone");
    let server = Http::start(&home, &[]);
    let transport = server.begin();
    let id = session(&over_http(&server, &transport, "run", json!({ "program": "(def x 1)" })));
    let send = |body: &str| {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nMcp-Session-Id: {transport}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
            server.address,
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        stream
    };
    let run = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": { "name": "run", "arguments": { "program": SLOW, "session": id } } });
    let gone = send(&run.to_string());
    while data(&over_http(&server, &transport, "inspect", json!({ "what": "sessions" })))["sessions"][0]["status"]
        != "running"
    {}
    drop(gone);
    // Large answers that nobody reads.
    let read = |n: u64| json!({ "jsonrpc": "2.0", "id": 100 + n, "method": "resources/read", "params": { "uri": "ptc://functions" } });
    let slow: Vec<TcpStream> = (0..30).map(|n| send(&read(n).to_string())).collect();
    let done = over_http(&server, &transport, "wait", json!({ "session": id }));
    assert_eq!(data(&done)["value"], 31_999_996_000_000_u64, "{done}");
    drop(slow);
    // After a restart the connection is begun anew, and the session is there.
    drop(server);
    let server = Http::start(&home, &[]);
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }).to_string();
    assert_eq!(server.post(&[("Mcp-Session-Id", &transport)], &ping).0, 404);
    let transport = server.begin();
    assert_eq!(
        data(&over_http(&server, &transport, "run", json!({ "program": "(inc x)", "session": id })))["value"],
        2
    );
}

pub fn hello() -> String {
    json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } } }).to_string()
}

#[test]
fn over_http_nobody_is_let_in_who_may_not() {
    let home = Folder::new("mcp-http");
    let file = home.file("tokens", &format!("{TOKEN}\nann {TOKEN}-of-ann\n"));
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    let open = command(&home, &["--http", "127.0.0.1:0", "--token-file", &file]).output().unwrap();
    assert_eq!(open.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&open.stderr).contains("chmod 600"));
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let world = command(&home, &["--http", "0.0.0.0:0"]).output().unwrap();
    assert_eq!(world.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&world.stderr).contains("--token-file"),
        "{}",
        String::from_utf8_lossy(&world.stderr)
    );
    let open = Http::start(&home, &["--allow-host", "tools.example.org"]);
    for (host, expected) in [("evil.example.org", 403), ("tools.example.org", 200)] {
        assert_eq!(open.post(&[("Host", host)], &hello()).0, expected, "{host}");
    }
    drop(open);
    let server = Http::start(&home, &["--token-file", &file, "--allow-origin", "https://app.example.org"]);
    let own = format!("Bearer {TOKEN}");
    for bad in [None, Some("Bearer"), Some("Bearer 0123456789abcdef0124"), Some("Basic 0123456789abcdef0123")] {
        let headers: Vec<_> = bad.iter().map(|b| ("Authorization", *b)).collect();
        let (status, head, body) = server.post(&headers, &hello());
        assert!(
            status == 401 && head.contains("www-authenticate: bearer") && !body.contains("ptc"),
            "{bad:?} {status} {body}"
        );
    }
    let (status, head, _) = server.post(&[("Authorization", &own)], &hello());
    assert!(status == 200 && head.contains("mcp-session-id"), "{head}");
    let known = head.split("mcp-session-id: ").nth(1).unwrap().lines().next().unwrap().trim().to_owned();
    // Pages that somebody opens, by DNS rebinding or not.
    let same = format!("http://{}", server.address);
    for (name, value, expected) in [
        ("Origin", same.as_str(), 200),
        ("Origin", "http://127.0.0.1:1", 403),
        // Who knows the token is no page of another site.
        ("Host", "evil.example.org", 200),
        ("Origin", "https://evil.example.org", 403),
        ("Origin", "null", 403),
        ("Origin", "https://app.example.org", 200),
        ("Origin", "http://evil.example.org", 403),
    ] {
        assert_eq!(server.post(&[("Authorization", &own), (name, value)], &hello()).0, expected, "{name}: {value}");
    }
    // A session of the transport that is not there, or another client's, is one to begin anew.
    let ping = json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }).to_string();
    let ann = format!("Bearer {TOKEN}-of-ann");
    assert_eq!(server.post(&[("Authorization", &own), ("Mcp-Session-Id", &known)], &ping).0, 200);
    assert_eq!(server.post(&[("Authorization", &ann), ("Mcp-Session-Id", &known)], &ping).0, 404);
    assert_eq!(server.post(&[("Authorization", &own), ("Mcp-Session-Id", "gone")], &ping).0, 404);
    // Bodies that are too large, or nothing that is understood.
    assert_eq!(server.post(&[("Authorization", &own)], &" ".repeat(9 << 20)).0, 413);
    for odd in ["", "{", "[]", "\u{0}", "{\"jsonrpc\":\"2.0\"}", &"[".repeat(100_000)] {
        let (status, _, _) = server.post(&[("Authorization", &own)], odd);
        assert!((400..500).contains(&status), "{status} for {:?}", odd.get(..20));
    }
    // Who connects and says nothing, or half of something, keeps nobody out.
    let mut silent: Vec<TcpStream> = (0..50).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    silent
        .iter_mut()
        .skip(25)
        .for_each(|s| s.write_all(b"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n{").unwrap());
    assert_eq!(server.post(&[("Authorization", &own)], &hello()).0, 200);
    assert_eq!(server.post(&[("Authorization", &own), ("Content-Length", "5")], "").0, 400);
}

#[test]
fn what_to_write_into_the_configuration_of_clients_is_printed() {
    let home = Folder::new("mcp-install");
    let (task, _) = noting(&home, "");
    let install = |args: &[&str]| {
        let out = command(&home, &[]).args(["install"]).args(args).output().unwrap();
        (out.status.code().unwrap(), String::from_utf8(out.stdout).unwrap(), String::from_utf8(out.stderr).unwrap())
    };
    // `--set` of the server does not go with it.
    assert_eq!(install(&[]).0, 2);
    let install = |args: &[&str]| crate::common::ptc(&[&["mcp", "install"], args].concat());
    let all = install(&[]);
    for name in ["Claude Desktop", "Claude Code", "Cursor", "VS Code", "Codex", "Zed"] {
        assert!(all.out.contains(name), "{}", all.out);
    }
    for (client, key) in
        [("claude-desktop", "mcpServers"), ("cursor", "mcpServers"), ("vscode", "servers"), ("zed", "context_servers")]
    {
        let out = install(&[client, "--task", &task, "--name", "sand box"]).out;
        let json: Value = serde_json::from_str(&out[out.find('{').unwrap()..]).unwrap();
        let server = &json[key]["sand box"];
        assert!(server["command"].as_str().unwrap().starts_with('/'), "{out}");
        assert_eq!(server["args"], json!(["mcp", "--task", std::fs::canonicalize(&task).unwrap()]));
    }
    let line = install(&["claude-code", "--task", &task, "--name", "sand box"]).out;
    assert!(line.contains("claude mcp add 'sand box' -- /"), "{line}");
    assert_eq!(install(&["claude-code", "--task", "/nowhere"]).code, 2);
    assert_eq!(install(&["emacs"]).code, 2);
}

/// The table of limits in docs/mcp-server.md is that of the rows. `UPDATE_DOCS=1` writes it.
#[test]
fn the_page_has_the_limits_that_there_are() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/mcp-server.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("<!-- options: server -->\n").unwrap();
    let (_, behind) = rest.split_once("<!-- /options -->").unwrap();
    let now = format!(
        "{before}<!-- options: server -->\n\n{}\n<!-- /options -->{behind}",
        ptc_server::ServerOptions::markdown()
    );
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap() == now,
        "stale: UPDATE_DOCS=1 cargo test -p ptc-cli --test cli mcp::"
    );
}

/// The example of docs/mcp-server.md: its task, its program, its answer.
#[test]
fn the_example_of_the_page_is_as_it_says() {
    let page = include_str!("../../../../docs/mcp-server.md");
    let block = |kind: &str| page.split(&format!("```{kind}\n")).nth(1).unwrap().split("```").next().unwrap();
    let home = Folder::new("mcp-example");
    home.file("shop/task.toml", block("toml"));
    home.file("shop/prices.json", "{\"pen\": 250, \"ink\": 120}");
    let script = home.file("shop/stock.sh", "#!/bin/sh\necho 12\n");
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut client = Client::start(&home, &["--task", &home.path("shop")]);
    let result = client.call("run", json!({ "program": block("clj") }));
    for line in text(&result).lines() {
        assert!(page.contains(&format!("`{line}`")), "{line}");
    }
    for key in data(&result).as_object().unwrap().keys() {
        assert!(page.contains(&format!("`{key}`")), "{key}");
    }
    let next = client.call("run", json!({ "program": "total", "session": session(&result) }));
    assert_eq!(data(&next)["value"], 370);
    assert_eq!(client.close(), 0);
}
