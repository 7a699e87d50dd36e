//! What is no message of JSON-RPC, and batches: answered as the protocol says, over HTTP and over standard input and output.

use crate::common::Folder;
use crate::mcp::{Client, Http, command, hello};
use serde_json::{Value, json};
use std::io::Write as _;

const PING: &str = r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#;

/// What is no message, with the code and the id that it is answered with.
const BROKEN: &[(&[u8], i64, Option<&str>)] = &[
    (b"{", -32700, None),
    (b"nope", -32700, None),
    (b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\xff\"}", -32700, None),
    (b"\"ping\"", -32600, None),
    (b"5", -32600, None),
    (b"[]", -32600, None),
    (b"{}", -32600, None),
    (br#"{"id":"a","method":"ping"}"#, -32600, Some("a")),
    (br#"{"jsonrpc":"2.0","id":"a"}"#, -32600, Some("a")),
    (br#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, None),
    (br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, None),
    (br#"{"jsonrpc":"2.0","method":5}"#, -32600, None),
    (br#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}"#, -32602, Some("a")),
];

fn says(answer: &Value, code: i64, id: Option<&str>) {
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(code), &json!(id)), "{answer}");
    assert!(answer["error"]["message"].as_str().is_some_and(|m| !m.is_empty()) && answer["jsonrpc"] == "2.0");
}

#[test]
fn over_http_what_is_no_message_is_a_bad_request_with_an_error_of_json_rpc() {
    let home = Folder::new("mcp-http-broken");
    let server = Http::start(&home, &[]);
    let transport = server.begin();
    let own = [("Mcp-Session-Id", transport.as_str())];
    for (sent, code, id) in BROKEN.iter().chain(&[(&b""[..], -32700, None), (b" \r\n", -32700, None)]) {
        for headers in [&own[..], &[]] {
            let (status, head, body) = server.post_bytes(headers, sent);
            assert!(status == 400 && head.contains("content-type: application/json"), "{status} {head} {body}");
            says(&serde_json::from_str(&body).unwrap(), *code, *id);
        }
    }
    let (status, _, body) = server.post(&[own[0], ("Content-Type", "text/plain")], PING);
    assert_eq!(status, 415, "{body}");
    says(&serde_json::from_str(&body).unwrap(), -32600, None);
    // A notification, and an answer to nothing that was asked, are taken without one.
    for quiet in [r#"{"jsonrpc":"2.0","method":"notifications/other"}"#, r#"{"jsonrpc":"2.0","id":9,"result":{}}"#] {
        let (status, _, body) = server.post(&own, quiet);
        assert_eq!((status, body.as_str()), (202, ""), "{quiet}");
    }
    let (status, _, body) = server.post(&own, r#"{"jsonrpc":"2.0","id":7,"method":"not/there"}"#);
    assert!(status == 200 && body.contains("-32601"), "{status} {body}");
    assert_eq!(server.post(&own, PING).0, 200, "and it goes on");
}

#[test]
fn over_http_batches_are_of_the_one_version_that_has_them() {
    let home = Folder::new("mcp-http-batch");
    let server = Http::start(&home, &[]);
    let call = |id: u64, program: &str| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": "run", "arguments": { "program": program } } });
    let note = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let batch = json!([call(1, "(+ 1 1)"), note, 5, call(2, "(+ 2 2)")]).to_string();
    for version in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        let begins = hello().replace("2025-06-18", version);
        let (_, head, _) = server.post(&[], &begins);
        let id = head.split("mcp-session-id: ").nth(1).unwrap().lines().next().unwrap().trim().to_owned();
        let own = ("Mcp-Session-Id", id.as_str());
        assert_eq!(server.post(&[own], &note.to_string()).0, 202);
        let (status, _, body) = server.post(&[own], &batch);
        if version != "2025-03-26" {
            assert_eq!(status, 400, "{version}: {body}");
            says(&serde_json::from_str(&body).unwrap(), -32600, None);
            continue;
        }
        assert_eq!(status, 200, "{body}");
        let told = body.lines().filter_map(|l| l.strip_prefix("data: ")).filter(|d| !d.is_empty());
        let mut told: Vec<Value> = told.map(|d| serde_json::from_str(d).unwrap()).collect();
        told.retain(|v| v.get("id").is_some());
        let values: Vec<_> = told.iter().map(|v| (&v["id"], &v["result"]["structuredContent"]["value"])).collect();
        assert_eq!(values, [(&json!(1), &json!(2)), (&json!(2), &json!(4)), (&Value::Null, &Value::Null)], "{body}");
        says(&told[2], -32600, None);
        // The header says another version: it is not the one that has them.
        assert_eq!(server.post(&[own, ("Mcp-Protocol-Version", "2025-06-18")], &batch).0, 400);
        assert_eq!(server.post(&[own], &json!([note, note]).to_string()).0, 202);
        let (status, _, body) = server.post(&[own], "[1, {}]");
        assert!(status == 400 && body.matches("-32600").count() == 2, "{status} {body}");
    }
    // None before a session, and none that begins one.
    assert_eq!(server.post(&[], &format!("[{}]", hello().replace("2025-06-18", "2025-03-26"))).0, 400);
}

#[test]
fn over_lines_what_is_no_message_is_answered_and_the_server_goes_on() {
    let home = Folder::new("mcp-lines-broken");
    let mut client = Client::of(command(&home, &[]));
    for (sent, code, id) in BROKEN {
        client.to.write_all(sent).unwrap();
        client.to.write_all(b"\r\n").unwrap();
        says(&client.receive(), *code, *id);
        assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
    }
    // Nobody answers answers: two servers that talk to each other would never end.
    client
        .to
        .write_all(b"\n{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"?\"}}\n")
        .unwrap();
    client.to.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/other\"}\n").unwrap();
    writeln!(client.to, "{}", "x".repeat((16 << 20) + 1)).unwrap();
    says(&client.receive(), -32600, None);
    writeln!(client.to, "[{PING}]").unwrap();
    says(&client.receive(), -32600, None);
    assert_eq!(client.close(), 0);
}

#[test]
fn over_lines_nonsense_comes_first_and_batches_are_answered() {
    let home = Folder::new("mcp-lines-batch");
    let mut server =
        command(&home, &[]).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let begins = hello().replace("2025-06-18", "2025-03-26");
    let ready = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    // The last line has no end.
    let sent = format!("nonsense\n{begins}\n{ready}\n[{PING}, 1, {ready}]\n{}", PING.replace('7', "8"));
    server.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
    let out = server.wait_with_output().unwrap();
    assert_eq!(out.status.code(), Some(0));
    let told: Vec<Value> = out.stdout.split(|b| *b == b'\n').filter_map(|l| serde_json::from_slice(l).ok()).collect();
    says(&told[0], -32700, None);
    let id = |n: u64| told.iter().find(|v| v["id"] == n).unwrap_or_else(|| panic!("{told:?}"));
    assert_eq!(
        (&id(1)["result"]["protocolVersion"], &id(7)["result"], &id(8)["result"]),
        (&json!("2025-03-26"), &json!({}), &json!({}))
    );
    assert_eq!(told.iter().filter(|v| v["error"]["code"] == -32600).count(), 1, "{told:?}");
}

/// Fences, with a tag or none, are taken off a program that comes in a field, at both entrances; what is in a string stays.
#[test]
fn a_fence_around_a_program_in_a_field_is_taken_off() {
    let home = Folder::new("fences");
    let mut client = Client::of(command(&home, &[]));
    let server = crate::serve::Server::start(&home, &[]);
    let path = server.session(&json!({}));
    for (program, value) in [
        ("(+ 1 2)", Some(3)),
        ("```clojure\n(+ 1 2)\n```", Some(3)),
        ("```clj\n(+ 1 2)\n```\n", Some(3)),
        ("```\n(+ 1 2)\n```", Some(3)),
        ("Here it is:\n\n```clojure\n(+ 1 2)\n```\nDone.", Some(3)),
        ("(count \"\n```\n\")", Some(5)),
        ("```clojure\n(+ 1 2)\n```\n```clojure\n(+ 3 4)\n```", None),
    ] {
        let over_mcp = client.call("run", json!({ "program": program }));
        let over_http = server.run(&path, program);
        assert_eq!(
            (&over_mcp["structuredContent"]["value"], &over_http["json"]),
            (&json!(value), &json!(value)),
            "{program}: {over_mcp} {over_http}"
        );
    }
}

/// Nothing that a client is told says where something is on the server.
#[test]
fn clients_are_told_no_paths_of_the_server() {
    let home = Folder::new("told-no-paths");
    home.file("t/task.toml", "[task]\nname = \"t\"\nprompt = \"p\"\nmodel = \"replay:replies.md\"\n[context.x]\nfile = \"x.json\"\n[tools.gone]\ncommand = [\"./gone.sh\"]\n");
    home.file("t/replies.md", "## Turn 1\n(return 1)\n");
    home.file("t/x.json", "1");
    let script = home.file("t/gone.sh", "#!/bin/sh\necho 1\n");
    std::fs::set_permissions(&script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut client = Client::of(command(&home, &["--task", &home.path("t")]));
    let server = crate::serve::Server::start(&home, &["--task", &home.path("t")]);
    for file in [script.as_str(), &home.path("t/replies.md"), &home.path("t/x.json")] {
        std::fs::remove_file(file).unwrap();
        let told = [
            client.call("t", json!({})),
            client.call("run", json!({ "program": "(tool/gone)" })),
            server.post("/sessions", &json!({ "task": "t", "run": true })).body.into(),
            server.post("/sessions", &json!({ "task": "t" })).body.into(),
            server
                .post(
                    "/v1/chat/completions",
                    &json!({ "model": "t", "messages": [{ "role": "user", "content": "x" }] }),
                )
                .body
                .into(),
        ];
        for told in told.map(|t: Value| t.to_string()) {
            assert!(!told.contains(&home.path("")), "{file}: {told}");
        }
    }
}
