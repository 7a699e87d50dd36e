//! `ptc serve`, as a process of its own that is asked, killed, stopped and attacked over its socket.

use crate::common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A server, until it is dropped.
pub struct Server {
    pub child: Child,
    pub port: u16,
}

/// What was answered.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    head: String,
    pub body: String,
}

impl Got {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|l| l.split_once(": ").filter(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, v)| v))
    }
}

impl Server {
    /// `ptc serve` with these options, its sessions in this folder.
    pub fn start(folder: &Folder, more: &[&str]) -> Self {
        Self::start_with(folder, more, &[])
    }

    /// The same with these variables.
    pub fn start_with(folder: &Folder, more: &[&str], environment: &[(&str, &str)]) -> Self {
        Self::start_by(folder, more, environment, None)
    }

    /// The same behind a command of the shell.
    pub fn start_by(folder: &Folder, more: &[&str], environment: &[(&str, &str)], before: Option<&str>) -> Self {
        let ptc = env!("CARGO_BIN_EXE_ptc");
        let mut command = Command::new(if before.is_some() { "/bin/sh" } else { ptc });
        command.args(before.iter().flat_map(|b| ["-c".to_owned(), format!("{b}; exec \"$0\" \"$@\""), ptc.to_owned()]));
        command.args(["serve", "--listen", "127.0.0.1:0", "--set", "turn_seconds=100"]).args(more);
        command.env("PTC_HOME", folder.path("home")).env_remove("PTC_SERVER_TOKEN");
        command.envs(environment.iter().copied());
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let port = loop {
            let line = lines.next().expect("it says where it listens").unwrap();
            if let Some((_, rest)) = line.split_once("serving http://127.0.0.1:") {
                break rest.split(',').next().unwrap().parse().unwrap();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        Server { child, port }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Sends these bytes and reads until the connection ends.
    fn raw(&self, bytes: &[u8]) -> Got {
        let mut stream = self.connect();
        let _ = stream.write_all(bytes);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        let text = String::from_utf8_lossy(&all).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
        Got { status, head: head.to_owned(), body: unchunked(head, body) }
    }

    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Got {
        let length = body.len();
        let host =
            if headers.to_lowercase().contains("host:") { String::new() } else { "Host: localhost\r\n".to_owned() };
        let json = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head =
            format!("{method} {path} HTTP/1.1\r\n{host}Connection: close\r\n{json}{headers}Content-Length: {length}");
        self.raw(format!("{head}\r\n\r\n{body}").as_bytes())
    }

    pub fn get(&self, path: &str) -> Got {
        self.ask("GET", path, "", "")
    }

    pub fn post(&self, path: &str, body: &Value) -> Got {
        self.ask("POST", path, "", &body.to_string())
    }

    /// A new session; its path.
    pub fn session(&self, begin: &Value) -> String {
        let got = self.post("/sessions", begin);
        assert_eq!(got.status, 201, "{got:?}");
        format!("/sessions/{}", got.json()["session"].as_str().unwrap())
    }

    pub fn run(&self, session: &str, program: &str) -> Value {
        let got = self.post(&format!("{session}/turns"), &json!({ "program": program }));
        assert_eq!(got.status, 200, "{got:?}");
        got.json()
    }

    #[cfg(unix)]
    pub fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn unchunked(head: &str, body: &str) -> String {
    if !head.to_lowercase().contains("transfer-encoding: chunked") {
        return body.to_owned();
    }
    let (mut out, mut rest) = (String::new(), body);
    while let Some((size, more)) = rest.split_once("\r\n") {
        let Ok(n @ 1..) = usize::from_str_radix(size, 16) else { break };
        let Some(piece) = more.get(..n) else { break };
        out.push_str(piece);
        rest = more.get(n..).unwrap_or_default().trim_start_matches("\r\n");
    }
    out
}

/// A file of tokens, which its owner alone can read.
pub fn secret(f: &Folder, tokens: &str) -> String {
    let file = f.file("tokens", tokens);
    #[cfg(unix)]
    std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    file
}

/// How a process ends, which it must within a minute.
pub fn ends(child: &mut Child) -> Option<i32> {
    for _ in 0..3000 {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    panic!("it does not end")
}

/// Waits until a file is there.
pub fn wait_for(path: &str) {
    while !Path::new(path).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A task with a tool that counts its calls in `calls`, and one that has been called when `begun` is there and answers when
/// `go` is there.
pub fn gated(f: &Folder, more: &str) -> String {
    let sh = |script: &str| format!("[\"sh\", \"-c\", {}]", Value::from(script));
    let count = sh(&format!("cat > /dev/null; echo x >> {}; echo 7", f.path("calls")));
    let gate = sh(&format!(
        "cat > /dev/null; echo x >> {}; : > {}; while [ ! -e {} ]; do sleep 0.02; done; echo 8",
        f.path("gates"),
        f.path("begun"),
        f.path("go")
    ));
    f.file(
        "gated/task.toml",
        &format!(
            "[task]\nname = \"gated\"\nprompt = \"Do it.\"\nmodel = \"replay:replies.md\"\n{more}\n\
             [limits]\nwall_ms = 100_000\n[tools.count]\ncommand = {count}\nreturns = \"integer\"\n\
             [tools.gate]\ncommand = {gate}\nreturns = \"integer\"\non_crash = \"repeat\"\n"
        ),
    );
    f.file("gated/replies.md", "## Turn 1\n(return (str \"made \" (tool/count)))\n");
    f.path("gated")
}

pub fn lines(path: &str) -> usize {
    std::fs::read_to_string(path).unwrap_or_default().lines().count()
}

#[test]
fn sessions_remember_fork_and_go() {
    let f = Folder::new("serve-sessions");
    let server = Server::start(&f, &[]);
    let s = server.session(&json!({ "context": { "items": [1, 2, 3] } }));
    let turn = server.run(&s, "(println \"hi\") (def n (count ctx/items))");
    assert_eq!((&turn["turn"], &turn["status"], &turn["printed"]), (&json!(1), &json!("ok"), &json!("hi\n")));
    assert_eq!(turn["defined"], json!(["n"]));
    assert_eq!(server.run(&s, "(return {:n (inc n)})")["json"], json!({ "n": 4 }));
    let failed = server.run(&s, "(nope 1)");
    assert_eq!((&failed["status"], &failed["turn"]), (&json!("error"), &json!(3)));
    assert!(failed["error"]["message"].as_str().unwrap().contains("nope"), "{failed}");

    let fork = server.post(&format!("{s}/fork"), &json!({ "turn": 1 }));
    assert_eq!(fork.status, 201, "{fork:?}");
    let forked = fork.header("location").unwrap().to_owned();
    assert_eq!(server.run(&forked, "(return n)")["json"], json!(3));
    let known = server.get(&s).json();
    assert_eq!((&known["turns"], &known["definitions"][0]["name"]), (&json!(3), &json!("n")));
    assert!(known.get("task_path").is_none(), "{known}");
    assert_eq!(server.get(&format!("{s}/turns/2")).json()["turn"], 2);
    assert_eq!(server.get(&format!("{s}/turns")).json()["turns"].as_array().unwrap().len(), 3);
    let trace = server.get(&format!("{s}/trace"));
    assert_eq!(trace.header("content-type"), Some("application/x-ndjson"));
    assert!(trace.body.lines().count() > 3 && trace.body.lines().all(|l| serde_json::from_str::<Value>(l).is_ok()));
    let prompt = |policy: &str| server.get(&format!("{s}/prompt?policy={policy}")).body;
    assert!(prompt("full").contains("(def n (count ctx/items))") && prompt("full") != prompt("compressed"));
    let all = server.get("/sessions").json();
    assert_eq!(all["sessions"].as_array().unwrap().len(), 2, "{all}");

    assert_eq!(server.ask("DELETE", &s, "", "").status, 204);
    let gone = server.get(&s);
    assert_eq!((gone.status, gone.header("content-type")), (404, Some("application/problem+json")));
    assert!(gone.json()["hint"].as_str().is_some_and(|h| !h.is_empty()));
}

/// The commands of docs/http-server.md, under "An example", as they stand there.
#[test]
fn the_example_of_the_documentation_is_what_happens() {
    let f = Folder::new("serve-docs");
    let server = Server::start(&f, &[]);
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/http-server.md")).unwrap();
    let example = page.split("## An example").nth(1).unwrap().split("From Python").next().unwrap();
    let commands = example.split("curl ").skip(1).map(|c| c.split("\n```").next().unwrap());
    let (mut id, mut answers) = (String::new(), Vec::new());
    for command in commands {
        let path = command.split("localhost:8787").nth(1).unwrap().split(' ').next().unwrap();
        let body = command.split("-d '").nth(1).unwrap().split('\'').next().unwrap();
        let got = server.ask("POST", &path.replace("20261123-084012-k7q2", &id), "", body);
        assert!(got.status < 300, "{got:?}");
        if id.is_empty() {
            id = got.json()["session"].as_str().unwrap().to_owned();
        }
        answers.push(got.json());
    }
    let [_, first, second] = answers.as_slice() else { panic!("{answers:?}") };
    assert_eq!(first["printed"], "sum 12\n");
    for said in ["\"status\":\"returned\"", "\"value\":\"{:total 12}\"", "\"json\":{\"total\":12}"] {
        assert!(example.contains(said) && second.to_string().contains(said), "{said}: {second}");
    }
}

#[test]
fn what_is_asked_wrongly_is_told_how_it_is_asked() {
    let f = Folder::new("serve-wrong");
    let server = Server::start(&f, &["--set", "body_bytes=2000", "--set", "program_bytes=100"]);
    let s = server.session(&json!({}));
    let turns = format!("{s}/turns");
    let post = |path: &str, body: &str| server.ask("POST", path, "", body);
    for (got, status) in [
        (post(&turns, "{"), 400),
        (post(&turns, "{}"), 400),
        (post(&turns, "{\"program\": 1}"), 400),
        (post(&turns, "{\"program\": \"1\", \"wiat_ms\": 1}"), 400),
        (post(&turns, ""), 400),
        (post(&turns, &format!("{{\"program\": \"{}\"}}", "1 ".repeat(60))), 422),
        (post(&turns, &format!("{{\"program\": \"{}\"}}", "1".repeat(3000))), 413),
        (post("/sessions", "{\"task\": \"none\"}"), 404),
        (post("/sessions", "{\"run\": true}"), 400),
        (post("/sessions", "{\"expect\": \"nonsense type\"}"), 400),
        (post(&format!("{s}/fork"), "{}"), 409),
        (post(&turns, "{\"program\": \"1\", \"wait_ms\": 1.5}"), 400),
        (post(&turns, "{\"program\": \"1\", \"wait_ms\": 1000000000000}"), 400),
        (post(&format!("{s}/approvals"), "{\"call\": 1, \"decision\": \"approve\"}"), 409),
        (server.get("/sessions/../../etc/passwd"), 404),
        (server.get("/sessions/2026"), 404),
        (server.get(&format!("{s}/turns/0")), 400),
        (server.get(&format!("{s}/turns/1")), 404),
        (server.get(&format!("{s}/prompt?policy=none")), 400),
        (server.ask("GET", &format!("{s}/events"), "Last-Event-ID: x\r\n", ""), 400),
        (server.ask("PUT", &s, "", ""), 405),
        (server.ask("POST", &turns, "Content-Type: text/plain\r\n", ""), 400),
        (server.get("/nothing"), 404),
    ] {
        assert_eq!(got.status, status, "{got:?}");
        assert_eq!(got.header("content-type"), Some("application/problem+json"), "{got:?}");
        let problem = got.json();
        assert_eq!(problem["status"], status);
        assert!(!problem["detail"].as_str().unwrap().is_empty() && !problem["hint"].as_str().unwrap().is_empty());
    }
    let text = format!(
        "POST {turns} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    assert_eq!(server.raw(text.as_bytes()).status, 415);
    assert_eq!(server.get(&s).json()["turns"], 0, "nothing of it has run");
}

#[cfg(unix)]
#[test]
fn a_turn_that_takes_long_is_waited_for_or_cancelled() {
    let f = Folder::new("serve-long");
    let task = gated(&f, "");
    let server = Server::start(&f, &["--task", &task]);
    let s = server.session(&json!({ "task": "gated" }));
    let turns = format!("{s}/turns");
    let got = server.post(&turns, &json!({ "program": "(def g (tool/gate))", "wait_ms": 1 }));
    assert_eq!((got.status, &got.json()["status"]), (202, &json!("running")), "{got:?}");
    let wait = got.header("location").unwrap().to_owned();
    assert_eq!(wait, format!("{s}/wait"));
    wait_for(&f.path("begun"));
    assert_eq!(server.post(&turns, &json!({ "program": "1" })).status, 409, "one turn at a time");
    assert_eq!(server.post(&wait, &json!({ "wait_ms": 1 })).status, 202);
    f.file("go", "");
    let done = server.post(&wait, &json!({}));
    assert_eq!((done.status, &done.json()["status"]), (200, &json!("ok")), "{done:?}");
    assert_eq!(server.run(&s, "(return g)")["json"], 8);

    std::fs::remove_file(f.path("go")).unwrap();
    std::fs::remove_file(f.path("begun")).unwrap();
    assert_eq!(server.post(&turns, &json!({ "program": "(tool/gate)", "wait_ms": 1 })).status, 202);
    wait_for(&f.path("begun"));
    let cancelled = server.post(&format!("{s}/cancel"), &json!({}));
    assert_eq!((cancelled.status, &cancelled.json()["status"]), (200, &json!("error")), "{cancelled:?}");
    assert_eq!(server.run(&s, "(return g)")["json"], 8, "and the session goes on");
    assert_eq!(server.post(&format!("{s}/cancel"), &json!({})).status, 409);
}

#[cfg(unix)]
#[test]
fn a_server_that_is_killed_in_a_turn_goes_on_with_it_and_makes_no_call_twice() {
    let f = Folder::new("serve-killed");
    let task = gated(&f, "");
    let mut server = Server::start(&f, &["--task", &task]);
    let s = server.session(&json!({ "task": "gated" }));
    assert_eq!(server.run(&s, "(def a 5)")["status"], "ok");
    let program = json!({ "program": "(def b (+ a (tool/count) (tool/gate)))", "wait_ms": 1 });
    assert_eq!(server.post(&format!("{s}/turns"), &program).status, 202);
    wait_for(&f.path("begun"));
    server.kill();
    drop(server);
    f.file("go", "");
    let server = Server::start(&f, &["--task", &task]);
    let done = server.post(&format!("{s}/wait"), &json!({}));
    assert_eq!((done.status, &done.json()["status"]), (200, &json!("ok")), "{done:?}");
    assert_eq!(server.run(&s, "(return b)")["json"], 20);
    assert_eq!((lines(&f.path("calls")), lines(&f.path("gates"))), (1, 2), "only the call in flight was made again");
}

#[cfg(unix)]
#[test]
fn a_server_that_is_stopped_lets_turns_end_or_keeps_them() {
    for ends in [true, false] {
        let f = Folder::new(&format!("serve-stopped-{ends}"));
        let task = gated(&f, "");
        let grace = if ends { "stop_seconds=100" } else { "stop_seconds=0" };
        let mut server = Server::start(&f, &["--task", &task, "--set", grace]);
        let s = server.session(&json!({ "task": "gated" }));
        let asked = std::thread::scope(|scope| {
            let asked =
                scope.spawn(|| server.post(&format!("{s}/turns"), &json!({ "program": "(def g (tool/gate))" })));
            wait_for(&f.path("begun"));
            server.signal("-TERM");
            if ends {
                f.file("go", "");
            }
            asked.join().unwrap()
        });
        let status = server.child.wait().unwrap();
        assert_eq!(status.code(), Some(143));
        assert_eq!(asked.status, if ends { 200 } else { 503 }, "{asked:?}");
        f.file("go", "");
        let server = Server::start(&f, &["--task", &task]);
        let done = server.post(&format!("{s}/wait"), &json!({}));
        assert_eq!((done.status, &done.json()["status"]), (200, &json!("ok")), "{done:?}");
        assert_eq!(server.run(&s, "(return g)")["json"], 8);
    }
}

#[cfg(unix)]
#[test]
fn two_servers_of_one_folder_do_not_write_one_session() {
    let f = Folder::new("serve-two");
    let task = gated(&f, "");
    let (one, other) = (Server::start(&f, &["--task", &task]), Server::start(&f, &["--task", &task]));
    let s = one.session(&json!({ "task": "gated" }));
    assert_eq!(one.post(&format!("{s}/turns"), &json!({ "program": "(def g (tool/gate))", "wait_ms": 1 })).status, 202);
    wait_for(&f.path("begun"));
    let held = other.post(&format!("{s}/turns"), &json!({ "program": "(def g 1)" }));
    assert_eq!((held.status, &held.json()["type"]), (409, &json!("urn:ptc:problem:held")), "{held:?}");
    f.file("go", "");
    assert_eq!(one.post(&format!("{s}/wait"), &json!({})).status, 200);
    assert_eq!(one.run(&s, "(return g)")["json"], 8);
}

/// Reads a stream until all these words were in it.
pub fn read_until(stream: &mut TcpStream, words: &[&str]) -> String {
    let (mut all, mut piece) = (String::new(), [0; 4096]);
    while !words.iter().all(|w| all.contains(w)) {
        let n = stream.read(&mut piece).unwrap();
        assert!(n > 0, "it ended before {words:?}: {all}");
        all.push_str(&String::from_utf8_lossy(&piece[..n]));
    }
    all
}

#[test]
fn events_go_on_behind_the_last_one_that_was_heard() {
    let f = Folder::new("serve-events");
    let mut server = Server::start(&f, &["--set", "keep_alive_seconds=1"]);
    let s = server.session(&json!({}));
    server.run(&s, "(def a 1)");
    server.run(&s, "(def b 2)");
    let follow = |after: &str| {
        let mut stream = server.connect();
        write!(stream, "GET {s}/events HTTP/1.1\r\nHost: localhost\r\n{after}\r\n").unwrap();
        stream
    };
    let mut stream = follow("Last-Event-ID: 1\r\n");
    let first = read_until(&mut stream, &["event: turn_ended", "id: 2"]);
    assert!(first.contains("text/event-stream") && !first.contains("id: 1\n"), "{first}");
    read_until(&mut stream, &[": still here"]);
    server.run(&s, "(println :live) 3");
    let live = read_until(&mut stream, &["event: turn_begun", "id: 3"]);
    assert!(live.contains(":live"), "{live}");
    let whole = read_until(&mut follow(""), &["id: 1", "id: 2", "id: 3"]);
    assert!(whole.find("id: 1") < whole.find("id: 2"), "{whole}");
    // Whoever follows does not keep a server from ending.
    #[cfg(unix)]
    {
        server.signal("-TERM");
        assert_eq!(server.child.wait().unwrap().code(), Some(143));
    }
    let _ = &mut server;
}

#[test]
fn nobody_is_let_in_who_should_not_be() {
    let f = Folder::new("serve-access");
    let open = Server::start(&f, &[]);
    let port = open.port;
    for headers in [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:1\r\n"),
        "Host: localhost\r\nHost: evil.example\r\n".to_owned(),
    ] {
        for (method, path) in [("GET", "/sessions"), ("POST", "/sessions"), ("GET", "/health"), ("GET", "/v1/models")] {
            let got = open.ask(method, path, &headers, "");
            assert!(got.status == 403 || got.status == 400, "{headers}: {got:?}");
        }
    }
    assert_eq!(open.get("/sessions").json()["sessions"], json!([]), "none was begun");
    drop(open);

    let file = secret(&f, "alice alice-has-a-long-token\nbob bobs-token-is-longer-yet\n");
    let server = Server::start(&f, &["--token-file", &file]);
    let ask = |token: &str, method: &str, path: &str| {
        server.ask(method, path, &format!("Authorization: Bearer {token}\r\n"), "")
    };
    let made = ask("alice-has-a-long-token", "POST", "/sessions");
    assert_eq!(made.status, 201, "{made:?}");
    let path = made.header("location").unwrap().to_owned();
    for token in ["", "alice-has-a-long-toke", "alice-has-a-long-token2", "ALICE-HAS-A-LONG-TOKEN"] {
        let got = ask(token, "GET", &path);
        assert_eq!((got.status, got.header("www-authenticate")), (401, Some("Bearer")), "{token}");
    }
    assert_eq!(server.get("/metrics").status, 401);
    // What is counted is of all clients, and names none of them.
    let counted = ask("bobs-token-is-longer-yet", "GET", "/metrics").body;
    assert!(counted.contains("ptc_http_requests_total"), "{counted}");
    for name in ["alice", "bob", path.trim_start_matches("/sessions/")] {
        assert!(!counted.contains(name), "{name}: {counted}");
    }
    assert_eq!(server.get("/health").status, 200);
    let chat = server.get("/v1/models");
    assert_eq!((chat.status, &chat.json()["error"]["type"]), (401, &json!("authentication_error")));
    assert_eq!(ask("alice-has-a-long-token", "GET", &path).status, 200);
    for (method, more) in [("GET", ""), ("DELETE", ""), ("GET", "/trace"), ("GET", "/events"), ("GET", "/page")] {
        let got = ask("bobs-token-is-longer-yet", method, &format!("{path}{more}"));
        assert_eq!(got.status, 404, "another client's: {got:?}");
    }
    assert_eq!(ask("bobs-token-is-longer-yet", "GET", "/sessions").json()["sessions"], json!([]));

    let did = Command::new(env!("CARGO_BIN_EXE_ptc"))
        .args(["serve", "--listen", "0.0.0.0:0"])
        .env("PTC_HOME", f.path("home"))
        .env_remove("PTC_SERVER_TOKEN")
        .output()
        .unwrap();
    assert_eq!(did.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&did.stderr).contains("--token-file"), "{did:?}");
}

#[test]
fn slow_and_many_requests_are_ended_and_others_are_served() {
    let f = Folder::new("serve-slow");
    let more = ["head_seconds=1", "body_seconds=1", "write_seconds=1", "connections=8"];
    let options: Vec<&str> = more.iter().flat_map(|m| ["--set", m]).collect();
    let server = Server::start(&f, &options);
    // As many as there are places, and they say nothing, or not all.
    let mut idle: Vec<TcpStream> = (0..8).map(|_| server.connect()).collect();
    for stream in &mut idle[..4] {
        stream.write_all(b"GET /health HTTP/1.1\r\nHo").unwrap();
    }
    assert_eq!(server.get("/health").status, 200);
    let head =
        "POST /sessions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let mut slow = server.connect();
    slow.write_all(head.as_bytes()).unwrap();
    assert!(read_until(&mut slow, &["\r\n\r\n"]).starts_with("HTTP/1.1 408"));
    let mut giant = server.connect();
    giant.write_all(head.replace("100", "100000000000").as_bytes()).unwrap();
    assert!(read_until(&mut giant, &["\r\n\r\n"]).starts_with("HTTP/1.1 413"));
    // One that takes nothing of a long answer.
    let s = server.session(&json!({}));
    server.run(&s, "(println (apply str (repeat 60000 \"0123456789\")))");
    let mut deaf: Vec<TcpStream> = (0..8).map(|_| server.connect()).collect();
    for stream in &mut deaf {
        for _ in 0..20 {
            // A newer one may have taken the place of one that nothing had come from.
            let _ = write!(stream, "GET {s}/turns HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
    }
    assert_eq!(server.get("/health").status, 200);
    drop((idle, deaf));

    let few = Server::start(&f, &["--set", "requests_at_once=3", "--set", "requests_per_second=1"]);
    let all: Vec<Got> = (0..12).map(|_| few.get("/sessions")).collect();
    let refused = all.iter().find(|g| g.status == 429).unwrap();
    assert!(refused.header("retry-after").is_some() && all[0].status == 200, "{refused:?}");
}

#[cfg(unix)]
#[test]
fn a_task_is_a_model_of_a_chat() {
    let f = Folder::new("serve-chat");
    let task = gated(&f, "");
    let server = Server::start(&f, &["--task", &task]);
    let listed = server.get("/v1/models").json()["data"].clone();
    assert_eq!(listed[0]["id"], "gated");
    assert_eq!(server.get("/v1/models/%67ated").json(), listed[0], "percent-encoded or not, it is the same");
    assert_eq!(server.get("/v1/models/gated").json(), listed[0]);
    for none in ["nope", "gated/", "gated/x", "a%2Fb", "%FF", "%00", "gated%20"] {
        let got = server.get(&format!("/v1/models/{none}"));
        assert_eq!((got.status, got.header("content-type")), (404, Some("application/json")), "{none}: {got:?}");
        let error = &got.json()["error"];
        assert_eq!(error["type"], "invalid_request_error", "{none}: {got:?}");
        assert!(error["message"].as_str().is_some_and(|m| m.contains("GET /v1/models")), "{none}: {got:?}");
        assert_eq!((&error["code"], &error["param"]), (&json!("model_not_found"), &json!("model")), "{none}: {got:?}");
    }
    let asked = |stream: bool| {
        json!({ "model": "gated", "stream": stream, "stream_options": { "include_usage": true },
        "messages": [{ "role": "user", "content": "a" }, { "role": "assistant", "content": "b" },
            { "role": "user", "content": [{ "type": "text", "text": "go" }] }] })
    };
    let whole = server.post("/v1/chat/completions", &asked(false));
    let said = &whole.json()["choices"][0];
    assert_eq!((&said["message"]["content"], &said["finish_reason"]), (&json!("made 7"), &json!("stop")), "{whole:?}");
    assert_eq!(whole.json()["usage"]["total_tokens"], 0);
    let session = whole.header("x-ptc-session").unwrap();
    let prompt = server.get(&format!("/sessions/{session}/prompt?turn=1")).body;
    assert!(prompt.contains("Do it.") && prompt.contains("go") && prompt.contains("ctx/messages"), "{prompt}");
    let streamed = server.post("/v1/chat/completions", &asked(true)).body;
    let pieces: Vec<&str> = streamed.lines().filter_map(|l| l.strip_prefix("data: ")).collect();
    assert_eq!(pieces.last(), Some(&"[DONE]"), "{streamed}");
    let pieces: Vec<Value> = pieces[..pieces.len() - 1].iter().map(|p| serde_json::from_str(p).unwrap()).collect();
    let text: String = pieces.iter().filter_map(|p| p["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!((text.as_str(), pieces.last().unwrap()["usage"]["total_tokens"].as_u64()), ("made 7", Some(0)));
    for (body, status) in [
        (json!({ "model": "other", "messages": [{ "role": "user", "content": "x" }] }), 404),
        (json!({ "model": "gated", "messages": [] }), 400),
        (json!({ "model": "gated", "messages": [{ "role": "robot", "content": "x" }] }), 400),
        (json!({ "model": "gated", "messages": [{ "role": "assistant", "content": "x" }] }), 400),
    ] {
        let got = server.post("/v1/chat/completions", &body);
        assert_eq!((got.status, got.json()["error"]["message"].is_string()), (status, true), "{got:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_chat_that_nobody_waits_for_is_cancelled() {
    let f = Folder::new("serve-gone");
    let task = gated(&f, "");
    f.file("gated/replies.md", "## Turn 1\n(return (tool/gate))\n");
    let server = Server::start(&f, &["--task", &task]);
    for stream in [false, true] {
        let body =
            json!({ "model": "gated", "stream": stream, "messages": [{ "role": "user", "content": "x" }] }).to_string();
        let mut client = server.connect();
        let head = "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json";
        write!(client, "{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        wait_for(&f.path("begun"));
        drop(client);
        // The gate never opens: it ends because it is given up.
        let running = || server.get("/metrics").body.contains("\nptc_turns_running 1\n");
        let ended = (0..3000).any(|_| {
            std::thread::sleep(Duration::from_millis(20));
            !running()
        });
        assert!(ended, "it runs on");
        std::fs::remove_file(f.path("begun")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn calls_that_wait_are_decided() {
    let f = Folder::new("serve-approvals");
    let task = gated(&f, "");
    let text = std::fs::read_to_string(f.path("gated/task.toml")).unwrap();
    f.file("gated/task.toml", &text.replace("[tools.gate]", "approval = \"always\"\n[tools.gate]"));
    let server = Server::start(&f, &["--task", &task]);
    let s = server.session(&json!({ "task": "gated" }));
    let pending = server.post(&format!("{s}/turns"), &json!({ "program": "(def n (tool/count))" }));
    assert_eq!((pending.status, &pending.json()["status"]), (202, &json!("pending")), "{pending:?}");
    let calls = server.get(&format!("{s}/approvals")).json();
    assert_eq!((&calls["pending"][0]["name"], lines(&f.path("calls"))), (&json!("count"), 0), "{calls}");
    assert!(calls["pending"][0].get("key").is_none(), "{calls}");
    let call = calls["pending"][0]["call"].clone();
    let decided = server.post(&format!("{s}/approvals"), &json!({ "call": call, "decision": "approve" }));
    assert!(decided.status < 300, "{decided:?}");
    let done = server.post(&format!("{s}/wait"), &json!({}));
    assert_eq!((&done.json()["status"], lines(&f.path("calls"))), (&json!("ok"), 1), "{done:?}");
    assert_eq!(server.run(&s, "(return n)")["json"], 7);
}

#[test]
fn the_page_of_a_session_is_at_an_address_that_only_its_client_is_told() {
    let f = Folder::new("serve-page");
    let file = secret(&f, "alice alice-has-a-long-token\n");
    let server = Server::start(&f, &["--token-file", &file]);
    let alice = "Authorization: Bearer alice-has-a-long-token\r\n";
    let made = server.ask("POST", "/sessions", alice, "");
    let path = made.header("location").unwrap().to_owned();
    let ran = server.ask("POST", &format!("{path}/turns"), alice, "{\"program\": \"(def seen-on-the-page 1)\"}");
    assert_eq!(ran.status, 200, "{ran:?}");
    let page = server.ask("GET", &format!("{path}/page"), alice, "").json()["page"].as_str().unwrap().to_owned();
    let shown = server.get(&page);
    assert_eq!((shown.status, shown.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert!(shown.body.contains("seen-on-the-page") && shown.body.contains("data-live=\""));
    let before = server.get(&format!("{page}state")).json();
    server.ask("POST", &format!("{path}/turns"), alice, "{\"program\": \"2\"}");
    let after = server.get(&format!("{page}state")).json();
    assert!(after["version"].as_u64() > before["version"].as_u64(), "{before} {after}");
    let wrong = page.replacen(&page[7..12], "00000", 1);
    assert_eq!(server.get(&wrong).status, 404);
    assert_eq!(server.get(&page.replace("616c696365", "626f6221")).status, 404);
}
