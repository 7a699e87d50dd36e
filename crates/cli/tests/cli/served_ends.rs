//! How servers end, and what they refuse: `ptc serve` and `ptc mcp` as processes of their own.

use crate::common::Folder;
use crate::mcp::{self, Http};
use crate::serve::{Got, Server, ends, gated, secret, wait_for};
use serde_json::{Value, json};
use std::io::{BufRead as _, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command};

/// Prints about as much as a turn may.
const LARGE: &str = "(println (apply str (repeat 26000 \"0123456789\")))";

fn terminate(child: &Child) {
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_server_whose_connections_are_all_taken_stops() {
    let f = Folder::new("served-taken");
    let mut server = Http::start(&f, &["--set", "connections=3"]);
    let taken: Vec<TcpStream> = (0..5).map(|_| TcpStream::connect(&server.address).unwrap()).collect();
    terminate(&server.server);
    assert_eq!(ends(&mut server.server), Some(143));
    drop(taken);
    let mut server = Server::start(&f, &["--set", "connections=3"]);
    let taken: Vec<TcpStream> = (0..5).map(|_| server.connect()).collect();
    terminate(&server.child);
    assert_eq!(ends(&mut server.child), Some(143));
    drop(taken);
}

/// A turn that runs when the server is told to stop is answered: with its end where it comes, else that it goes on later.
#[test]
fn an_mcp_server_over_http_answers_what_runs_before_it_ends() {
    for comes in [true, false] {
        let f = Folder::new(&format!("served-graceful-{comes}"));
        let task = gated(&f, "");
        let grace = if comes { "stop_seconds=100" } else { "stop_seconds=0" };
        let mut server = Http::start(&f, &["--task", &task, "--set", grace]);
        let transport = server.begin();
        let answer = std::thread::scope(|scope| {
            let run = || mcp::over_http(&server, &transport, "run", json!({ "program": "(def g (tool/gate))" }));
            let asked = scope.spawn(run);
            wait_for(&f.path("begun"));
            terminate(&server.server);
            if comes {
                f.file("go", "");
            }
            asked.join().unwrap()
        });
        assert_eq!(ends(&mut server.server), Some(143));
        assert_eq!(mcp::data(&answer)["status"], if comes { "ok" } else { "stopped" }, "{answer}");
        f.file("go", "");
        let server = Http::start(&f, &["--task", &task]);
        let transport = server.begin();
        let done = mcp::over_http(&server, &transport, "wait", json!({ "session": mcp::session(&answer) }));
        assert_eq!(mcp::data(&done)["status"], "ok", "{done}");
    }
}

/// More is said than a pipe holds, and nobody reads it.
#[test]
fn a_client_that_reads_nothing_does_not_keep_the_server_from_ending() {
    let f = Folder::new("served-deaf");
    for closes in [true, false] {
        let mut client = mcp::Client::start(&f, &[]);
        for _ in 0..20 {
            client.send("resources/read", json!({ "uri": "ptc://functions" }));
        }
        // The first answer is on its way, and is longer than a pipe (64 KiB) and what is read here (8 KiB) hold: the server waits to be
        // rid of it.
        assert!(!client.from.fill_buf().unwrap().is_empty());
        let page = Command::new(env!("CARGO_BIN_EXE_ptc")).args(["doc", "--markdown"]).output().unwrap();
        assert!(page.stdout.len() > (64 + 8) << 10, "{}", page.stdout.len());
        if !closes {
            terminate(&client.server);
        }
        let mcp::Client { mut server, to, from, .. } = client;
        let open = if closes {
            drop(to);
            None
        } else {
            Some(to)
        };
        assert_eq!(ends(&mut server), Some(if closes { 0 } else { 143 }));
        drop((open, from));
    }
}

/// Clients kill two seconds after the signal: a turn is not waited for to its end, and who waits for it is told that it stopped.
#[test]
fn an_mcp_server_that_is_told_to_stop_answers_what_runs_and_keeps_it() {
    for reads in [true, false] {
        let f = Folder::new(&format!("served-signal-{reads}"));
        let task = gated(&f, "");
        let mut client = mcp::Client::start(&f, &["--task", &task, "--set", "stop_seconds=100"]);
        let id = mcp::session(&client.call("run", json!({ "program": "(def x 1)" })));
        let run = json!({ "program": "(def g (tool/gate))", "session": id });
        let asked = client.send("tools/call", json!({ "name": "run", "arguments": run }));
        wait_for(&f.path("begun"));
        if !reads {
            for _ in 0..20 {
                client.send("resources/read", json!({ "uri": "ptc://functions" }));
            }
        }
        terminate(&client.server);
        if reads {
            let answer = client.answer(asked);
            assert_eq!(mcp::data(&answer["result"])["status"], "stopped", "{answer}");
        }
        assert_eq!(ends(&mut client.server), Some(143));
        f.file("go", "");
        let mut client = mcp::Client::start(&f, &["--task", &task]);
        let done = client.call("wait", json!({ "session": id }));
        assert_eq!(mcp::data(&done)["status"], "ok", "{done}");
        assert_eq!(client.close(), 0);
    }
}

/// A client that has closed its end and takes nothing is not waited for, and neither is the turn that runs: it goes on later.
#[test]
fn a_client_that_has_gone_and_reads_nothing_leaves_its_turn_to_be_gone_on_with() {
    let f = Folder::new("served-left");
    let task = gated(&f, "");
    let mut client = mcp::Client::start(&f, &["--task", &task, "--set", "stop_seconds=1000"]);
    let id = mcp::session(&client.call("run", json!({ "program": "(def x 1)" })));
    let run = json!({ "program": "(def g (tool/gate))", "session": id });
    client.send("tools/call", json!({ "name": "run", "arguments": run }));
    wait_for(&f.path("begun"));
    for _ in 0..20 {
        client.send("resources/read", json!({ "uri": "ptc://functions" }));
    }
    let mcp::Client { mut server, to, from, .. } = client;
    drop(to);
    assert_eq!(ends(&mut server), Some(0));
    drop(from);
    f.file("go", "");
    let mut client = mcp::Client::start(&f, &["--task", &task]);
    let done = client.call("wait", json!({ "session": id }));
    assert_eq!(mcp::data(&done)["status"], "ok", "{done}");
    assert_eq!(client.close(), 0);
}

#[test]
fn a_chat_that_is_refused_leaves_no_session() {
    let f = Folder::new("served-refused");
    let task = gated(&f, "");
    let server = Server::start(&f, &["--task", &task, "--set", "client_turns=1", "--set", "client_queue=0"]);
    let s = server.session(&json!({ "task": "gated" }));
    let gate = json!({ "program": "(tool/gate)", "wait_ms": 1 });
    assert_eq!(server.post(&format!("{s}/turns"), &gate).status, 202);
    wait_for(&f.path("begun"));
    for stream in [false, true] {
        let chat = json!({ "model": "gated", "stream": stream, "messages": [{ "role": "user", "content": "x" }] });
        let refused = server.post("/v1/chat/completions", &chat);
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (429, &json!("busy")), "{refused:?}");
    }
    let run = server.post("/sessions", &json!({ "task": "gated", "run": true }));
    assert_eq!(run.status, 429, "{run:?}");
    assert_eq!(server.get("/sessions").json()["sessions"].as_array().map(Vec::len), Some(1));
    // Its tool would wait for this for ever.
    f.file("go", "");
    assert_eq!(server.post(&format!("{s}/wait"), &json!({})).status, 200);
}

#[test]
fn both_servers_take_the_same_tokens() {
    let f = Folder::new("served-tokens");
    let token = "a-token-of-the-environment";
    let file = secret(&f, "ann ann-has-a-long-token\n");
    for command in [&["serve", "--listen"][..], &["mcp", "--http"]] {
        let start = |file: &str| {
            let mut ptc = Command::new(env!("CARGO_BIN_EXE_ptc"));
            ptc.args(["--no-config"]).args(command).args(["0.0.0.0:0", "--token-file", file]);
            ptc.env("PTC_HOME", f.path("home")).output().unwrap()
        };
        let open = f.file("open", "ann ann-has-a-long-token\n");
        std::fs::set_permissions(&open, std::os::unix::fs::PermissionsExt::from_mode(0o640)).unwrap();
        let empty = f.file("empty", "# nothing\n");
        std::fs::set_permissions(&empty, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        for (file, words) in [(open, "chmod 600"), (empty, "there is no token"), (f.path("gone"), "gone")] {
            let did = start(&file);
            let said = String::from_utf8_lossy(&did.stderr).into_owned();
            assert!(did.status.code() == Some(2) && said.contains(words), "{said}");
        }
    }
    let server = Server::start_with(&f, &["--token-file", &file], &[("PTC_SERVER_TOKEN", token)]);
    let begin = |token: &str| {
        let bearer = format!("Authorization: Bearer {token}\r\n");
        server.ask("POST", "/sessions", &bearer, "").status
    };
    assert_eq!((begin(token), begin("ann-has-a-long-token"), begin("")), (201, 201, 401));
    drop(server);
    let server = Http::start_with(&f, &["--token-file", &file], &[("PTC_SERVER_TOKEN", token)]);
    let sessions = |token: &str| {
        let bearer = format!("Bearer {token}");
        let (status, head, _) = server.post(&[("Authorization", &bearer)], &mcp::hello());
        let transport = head.split("mcp-session-id: ").nth(1)?.lines().next()?.trim().to_owned();
        assert_eq!(status, 200);
        let list = json!({ "jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": { "name": "inspect", "arguments": { "what": "sessions" } } });
        let (_, _, body) =
            server.post(&[("Authorization", &bearer), ("Mcp-Session-Id", &transport)], &list.to_string());
        Some(body.matches("\\\"session\\\"").count())
    };
    // Each sees the one that it began over the other server.
    assert_eq!(
        (sessions(token), sessions("ann-has-a-long-token"), sessions("nobody-has-this-token")),
        (Some(1), Some(1), None)
    );
    drop(server);
    // The client of the environment's token is the one that needs none.
    let open = Server::start(&f, &[]);
    assert_eq!(open.get("/sessions").json()["sessions"].as_array().map(Vec::len), Some(1));
}

#[test]
fn both_servers_tell_browsers_which_pages_may_use_them() {
    let f = Folder::new("served-cors");
    let page = &["--allow-origin", "https://app.example.org"];
    let (serve, mcp) = (Server::start(&f, page), Http::start(&f, page));
    let ask = |address: &str, path: &str, origin: &str, method: &str, more: &str| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: {origin}\r\n{more}\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        String::from_utf8(all).unwrap().to_lowercase()
    };
    let preflight =
        "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: authorization,content-type\r\n";
    for (address, path) in [(format!("127.0.0.1:{}", serve.port), "/sessions"), (mcp.address.clone(), "/mcp")] {
        let told = ask(&address, path, "https://app.example.org", "OPTIONS", preflight);
        assert!(told.starts_with("http/1.1 204"), "{told}");
        for header in
            ["access-control-allow-origin: https://app.example.org", "access-control-allow-headers: authorization"]
        {
            assert!(told.contains(header), "{header}: {told}");
        }
        // What it then gets it may read, be it refused or not.
        let answer = ask(&address, path, "https://app.example.org", "DELETE", "");
        assert!(answer.contains("access-control-allow-origin: https://app.example.org"), "{answer}");
        let other = ask(&address, path, "https://evil.example.org", "OPTIONS", preflight);
        assert!(other.starts_with("http/1.1 403") && !other.contains("access-control"), "{other}");
    }
}

#[test]
fn requests_over_mcp_are_counted_too() {
    let f = Folder::new("served-rates");
    let server = Http::start(&f, &["--set", "requests_at_once=20", "--set", "requests_per_second=1"]);
    let all: Vec<(u16, String, String)> = (0..40).map(|_| server.post(&[], &mcp::hello())).collect();
    assert_eq!((all[0].0, all[39].0), (200, 429), "{:?}", all[39]);
    assert!(all[39].1.contains("retry-after: 1") && all[39].2.contains("requests_per_second"), "{:?}", all[39]);
}

#[test]
fn pages_are_counted_as_requests_of_their_client() {
    let f = Folder::new("served-pages");
    let server = Server::start(&f, &["--set", "requests_at_once=20", "--set", "requests_per_second=1"]);
    let s = server.session(&json!({}));
    let page = server.get(&format!("{s}/page")).json()["page"].as_str().unwrap().to_owned();
    let all: Vec<u16> = (0..40).map(|_| server.get(&format!("{page}state")).status).collect();
    assert!(all.contains(&200) && all.contains(&429), "{all:?}");
    assert_eq!(server.get("/sessions").status, 429, "and they are the client's");
}

/// Each waits for the one before, and is none the less for it.
#[test]
fn answers_come_whole_however_many_read_a_session_at_once() {
    let f = Folder::new("served-reads");
    let server = Server::start(&f, &["--set", "reads=1"]);
    let s = server.session(&json!({}));
    for _ in 0..3 {
        server.run(&s, LARGE);
    }
    let asked = &|path: &str| server.get(&format!("{s}{path}"));
    let printed = |turn: &Value| turn["printed"].to_string().matches("0123456789").count();
    let turns = &|got: Got| got.json()["turns"].as_array().unwrap().iter().map(printed).collect::<Vec<_>>();
    let lines = &|got: Got| {
        assert_eq!(got.header("content-length"), Some(got.body.len().to_string().as_str()));
        let all = got.body.lines().map(|l| serde_json::from_str::<Value>(l).unwrap());
        all.filter(|v| v["printed"].is_array()).map(|v| printed(&v)).collect::<Vec<_>>()
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..6)
            .map(|n| scope.spawn(move || if n % 2 == 0 { turns(asked("/turns")) } else { lines(asked("/trace")) }))
            .collect();
        all.into_iter().for_each(|got| assert_eq!(got.join().unwrap(), [26_000; 3]));
    });
}

/// What takes no part of its answer keeps others of its client from reading, and nobody else.
#[test]
fn an_answer_that_nobody_takes_holds_its_place() {
    let f = Folder::new("served-held");
    let token = secret(&f, "ann ann-has-a-long-token\nbob bob-has-a-long-token\n");
    let server = Server::start(&f, &["--set", "reads=1", "--set", "write_seconds=600", "--token-file", &token]);
    let ann = "Authorization: Bearer ann-has-a-long-token\r\n";
    let ask = |method: &str, path: &str, body: &str| server.ask(method, path, ann, body);
    let session = ask("POST", "/sessions", "{}").json()["session"].as_str().unwrap().to_owned();
    let s = format!("/sessions/{session}");
    let large = json!({ "program": LARGE }).to_string();
    // More than two sockets hold: at most 4 MiB that were sent, and what was received and not read.
    for _ in 0..40 {
        let done = ask("POST", &format!("{s}/turns"), &large);
        assert_eq!((done.status, done.json()["status"].as_str()), (200, Some("ok")));
    }
    for path in ["turns", "events"] {
        let mut deaf = server.connect();
        let head = format!("GET {s}/{path} HTTP/1.1\r\nHost: localhost\r\n{ann}\r\n");
        deaf.write_all(head.as_bytes()).unwrap();
        // It is being answered.
        deaf.read_exact(&mut [0; 1]).unwrap();
        let read = &|path: &str| {
            let mut stream = server.connect();
            let head = format!("GET {s}/{path} HTTP/1.1\r\nHost: localhost\r\n{ann}\r\n");
            stream.write_all(head.as_bytes()).unwrap();
            let mut first = [0; 12];
            stream.read_exact(&mut first).unwrap();
            String::from_utf8(first[9..].to_vec()).unwrap()
        };
        std::thread::scope(|scope| {
            let refused = ["turns", "events", "trace"].map(|path| scope.spawn(move || read(path)));
            refused.into_iter().for_each(|got| assert_eq!(got.join().unwrap(), "429", "{path}"));
        });
        let bob = server.ask("GET", "/sessions", "Authorization: Bearer bob-has-a-long-token\r\n", "");
        assert_eq!(bob.status, 200);
        assert_eq!(
            ask("POST", &format!("{s}/wait"), "{}").status,
            200,
            "an answer that is small waits for no such place"
        );
        drop(deaf);
        // Its place is free again.
        while ask("GET", &s, "").status == 429 {
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
    }
}

/// The same of a trace that is read as a resource.
#[test]
fn a_resource_that_nobody_takes_holds_its_place() {
    let f = Folder::new("served-held-mcp");
    let server = Http::start(&f, &["--set", "reads=1", "--set", "write_seconds=600"]);
    let transport = server.begin();
    let id = mcp::session(&mcp::over_http(&server, &transport, "run", json!({ "program": LARGE })));
    // As much as a resource may have, and more than two sockets hold.
    for _ in 0..27 {
        mcp::over_http(&server, &transport, "run", json!({ "program": LARGE, "session": id }));
    }
    let read = |uri: &str| {
        let body =
            json!({ "jsonrpc": "2.0", "id": 9, "method": "resources/read", "params": { "uri": uri } }).to_string();
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: {transport}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
        // It is being answered.
        let mut first = [0; 4 << 10];
        stream.read_exact(&mut first[..12]).unwrap();
        (String::from_utf8(first[9..12].to_vec()).unwrap(), stream)
    };
    let (status, mut deaf) = read(&format!("ptc://sessions/{id}/trace"));
    assert_eq!(status, "200");
    // Not only the head: what was read is on its way.
    let mut some = [0; 1 << 10];
    deaf.read_exact(&mut some).unwrap();
    assert_eq!(read("ptc://language").0, "429");
    let other = mcp::over_http(&server, &transport, "inspect", json!({ "what": "sessions" }));
    assert_eq!(mcp::data(&other)["sessions"].as_array().map(Vec::len), Some(1));
    drop(deaf);
    while read("ptc://language").0 == "429" {
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
}
