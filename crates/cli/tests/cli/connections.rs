//! Peers that connect and say nothing, or half of something: they keep no client out, wherever it comes from.

use crate::common::Folder;
use crate::mcp::hello;
use crate::serve::{Server, secret};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const TOKEN: &str = "alice-has-a-long-token";

/// Sockets from 127.0.0.1, each with half of a head.
fn half_heads(port: u16, many: usize) -> Vec<TcpStream> {
    let one = |_| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        // One whose place is taken may be gone already.
        let _ = stream.write_all(b"GET /sessions HTTP/1.1\r\nHost: localhost\r\nX-Half: ");
        stream
    };
    (0..many).map(one).collect()
}

/// A request with the token, from a socket of this address; the status.
fn from(address: &str, port: u16, more: &str, path: &str) -> u16 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let connected = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
        socket.connect(([127, 0, 0, 1], port).into()).await.unwrap().into_std().unwrap()
    });
    let mut stream = connected;
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let (method, body) = if more.is_empty() { ("GET", String::new()) } else { ("POST", hello()) };
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {TOKEN}\r\n"
    );
    write!(stream, "{head}{more}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0)
}

/// Lets this process, and those that it starts, have this many files.
fn files(many: u64) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current =
        limit.current.map(|now| now.max(many)).filter(|_| limit.maximum.is_none_or(|m| m >= many)).or(limit.maximum);
    let _ = setrlimit(Resource::Nofile, limit);
}

#[test]
fn half_sent_heads_keep_no_client_out() {
    files(10_000);
    let f = Folder::new("connections-half");
    let file = secret(&f, &format!("alice {TOKEN}\n"));
    let server = Server::start(&f, &["--token-file", &file]);
    let held = half_heads(server.port, 2_060);
    for address in ["127.0.0.2", "127.0.0.1"] {
        for _ in 0..3 {
            assert_eq!(from(address, server.port, "", "/sessions"), 200, "{address}");
        }
    }
    drop(held);
    // Whole requests of those who are not let in are nothing else.
    let mut refused: Vec<TcpStream> = half_heads(server.port, 2_060);
    for stream in &mut refused {
        let _ = stream.write_all(b"\r\n\r\n");
    }
    assert_eq!(from("127.0.0.1", server.port, "", "/sessions"), 200);
    drop((refused, server));

    let mut server = mcp(&f, &file);
    let held = half_heads(server.1, 2_060);
    let more = "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
    for address in ["127.0.0.2", "127.0.0.1"] {
        assert_eq!(from(address, server.1, more, "/mcp"), 200, "{address}");
    }
    drop(held);
    server.0.kill().unwrap();
    server.0.wait().unwrap();
}

fn mcp(f: &Folder, tokens: &str) -> (Child, u16) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ptc"));
    command.args(["--no-config", "mcp", "--http", "127.0.0.1:0", "--token-file", tokens]);
    let mut child =
        command.env("PTC_HOME", f.path("home")).stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let port = line.split("127.0.0.1:").nth(1).unwrap().split('/').next().unwrap().parse().unwrap();
    (child, port)
}

#[test]
fn peers_that_were_let_in_keep_their_connections_and_leave_places_to_other_addresses() {
    let f = Folder::new("connections-kept");
    let file = secret(&f, &format!("alice {TOKEN}\n"));
    let server =
        Server::start(&f, &["--token-file", &file, "--set", "connections=20", "--set", "address_connections=6"]);
    let asks = format!("GET /tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n\r\n");
    let ask = |stream: &mut TcpStream| {
        stream.write_all(asks.as_bytes()).unwrap();
        crate::serve::read_until(stream, &["\"tasks\""]);
    };
    let mut own: Vec<TcpStream> = (0..6).map(|_| server.connect()).collect();
    own.iter_mut().for_each(ask);
    // All places of the address are taken by who was let in: one more is told so, another address is served.
    let mut more = server.connect();
    let mut told = String::new();
    let _ = more.read_to_string(&mut told);
    assert!(told.starts_with("HTTP/1.1 503") && told.contains("Retry-After"), "{told:?}");
    assert_eq!(from("127.0.0.2", server.port, "", "/tasks"), 200);
    // One that says nothing is ended for a newer one; those that were let in are not.
    own.truncate(2);
    let quiet: Vec<TcpStream> = (0..40).map(|_| server.connect()).collect();
    own.iter_mut().for_each(ask);
    quiet[0].set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    assert_eq!((&quiet[0]).read(&mut [0; 8]).unwrap_or(0), 0);
}

/// Where the system gives the server no more descriptors, those that say nothing give theirs.
#[test]
fn a_server_without_descriptors_takes_those_of_peers_that_nobody_let_in() {
    files(10_000);
    let f = Folder::new("connections-files");
    let file = secret(&f, &format!("alice {TOKEN}\n"));
    let server = Server::start_by(&f, &["--token-file", &file], &[], Some("ulimit -n 100"));
    let _held = half_heads(server.port, 300);
    assert_eq!(from("127.0.0.2", server.port, "", "/tasks"), 200);
}
