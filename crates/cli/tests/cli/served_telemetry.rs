//! What servers tell a collector of OpenTelemetry: each turn, call and run of all sessions, and nothing that only contents have.

use crate::common::Folder;
use crate::mcp::{self, Client};
use crate::serve::Server;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A collector that keeps what it is sent: texts stand in protobuf as they are.
struct Collector {
    address: String,
    arrived: Arc<Mutex<Vec<(String, String)>>>,
}

impl Collector {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let arrived: Arc<Mutex<Vec<_>>> = Arc::default();
        let kept = arrived.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let kept = kept.clone();
                std::thread::spawn(move || take(stream.unwrap(), &kept));
            }
        });
        Collector { address, arrived }
    }

    /// All that has arrived of `traces` or `metrics`.
    fn all(&self, signal: &str) -> String {
        let arrived = self.arrived.lock().unwrap();
        arrived.iter().filter(|(path, _)| path.ends_with(signal)).map(|(_, body)| body.as_str()).collect()
    }
}

fn take(stream: TcpStream, kept: &Mutex<Vec<(String, String)>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let (mut first, mut length) = (String::new(), 0);
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut line = String::new();
        while line != "\r\n" {
            line.clear();
            assert!(reader.read_line(&mut line).unwrap() > 0);
            if let Some(n) = line.to_lowercase().strip_prefix("content-length: ") {
                length = n.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let path = first.split(' ').nth(1).unwrap().to_owned();
        kept.lock().unwrap().push((path, String::from_utf8_lossy(&body).into_owned()));
        write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    }
}

#[test]
fn turns_calls_and_runs_of_all_sessions_are_told_until_the_server_has_stopped() {
    let f = Folder::new("serve-otel");
    let (task, _) = mcp::noting(&f, "");
    let collector = Collector::start();
    let around = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address.as_str()), ("OTEL_SERVICE_NAME", "shop-server")];
    // Nothing is sent before the end by itself.
    let around = [around[0], around[1], ("OTEL_BSP_SCHEDULE_DELAY", "600000")];
    let mut server = Server::start_with(&f, &["--task", &task], &around);
    let s = server.session(&json!({ "task": "shop" }));
    server.run(&s, "(tool/note \"secret-words\")");
    server.run(&s, "(fail \"secret-reason\")");
    let run = server.post("/sessions", &json!({ "task": "shop", "run": true }));
    assert_eq!(run.json()["status"], "returned", "{run:?}");
    assert_eq!(collector.all("traces"), "");
    server.signal("-TERM");
    assert_eq!(server.child.wait().unwrap().code(), Some(143));
    let (spans, metrics) = (collector.all("traces"), collector.all("metrics"));
    let id = s.strip_prefix("/sessions/").unwrap();
    for words in
        ["turn 1", "turn 2", "execute_tool note", "invoke_agent shop", "ptc.client", "local", "shop-server", id]
    {
        assert!(spans.contains(words), "{words}: {spans}");
    }
    assert!(!spans.contains("secret"), "{spans}");
    for name in ["ptc.turn.duration", "ptc.turn.queued", "gen_ai.execute_tool.duration", "gen_ai.invoke_agent.duration"]
    {
        assert!(metrics.contains(name), "{name}: {metrics}");
    }
}

#[test]
fn contents_are_told_where_they_are_asked_for_over_mcp_too() {
    let home = Folder::new("mcp-otel");
    let collector = Collector::start();
    let mut command = mcp::command(&home, &["--otel-content"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.address);
    let mut client = Client::of(command);
    client.call("run", json!({ "program": "(println \"seen\" (+ 1 2))" }));
    assert_eq!(client.close(), 0);
    let spans = collector.all("traces");
    assert!(spans.contains("turn 1") && spans.contains("(println \"seen\"") && spans.contains("seen 3"), "{spans}");
}

#[test]
fn a_collector_that_is_not_there_is_warned_of_and_stops_nothing() {
    let home = Folder::new("mcp-otel-gone");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = mcp::command(&home, &["--otel"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{gone}")).env("OTEL_BSP_SCHEDULE_DELAY", "10");
    let mut client = Client::of(command);
    let mut warnings = BufReader::new(client.server.stderr.take().unwrap());
    client.call("run", json!({ "program": "(+ 1 2)" }));
    // While it serves, and not only at its end.
    let mut line = String::new();
    warnings.read_line(&mut line).unwrap();
    assert!(line.contains("did not reach the collector") && line.contains("1 span is lost"), "{line}");
    let again = client.call("run", json!({ "program": "(+ 1 3)" }));
    assert_eq!(mcp::text(&again).lines().next(), Some("=> 4"), "{again}");
    assert_eq!(client.close(), 0);
    let mut rest = String::new();
    warnings.read_to_string(&mut rest).unwrap();
    assert_eq!(rest.matches("2 spans are lost").count(), 1, "{rest}");
}
