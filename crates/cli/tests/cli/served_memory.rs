//! The server holds no whole sessions: what it takes in memory stays within a bound, however many turns have run, however much
//! they printed, and however often prompts, pages and lists are asked for.

use crate::common::Folder;
use crate::serve::Server;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;

const MB: u64 = 1 << 20;

/// What the server may take over what it has when it has started: eight open sessions, each with a megabyte of texts and as much
/// of what is made of them (16 MB), and one long prompt that is being made: its turns, its messages and their JSON (here 48 MB
/// each). The allocator keeps some of that.
const BOUND: u64 = 192 * MB;

/// Bytes of memory that a process has, and has had at most.
fn memory(server: &Server) -> (u64, u64) {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let of = |name: &str| {
        let line = text.lines().find_map(|l| l.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    };
    (of("VmRSS:"), of("VmHWM:"))
}

/// A connection that is asked again and again.
struct Asking(BufReader<TcpStream>);

impl Asking {
    /// Asks; the status, and how many bytes came.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> (u16, u64) {
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        let head =
            format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{kind}Content-Length: {}\r\n\r\n", body.len());
        self.0.get_mut().write_all(format!("{head}{body}").as_bytes()).unwrap();
        let line = |from: &mut BufReader<TcpStream>| {
            let mut line = String::new();
            assert!(from.read_line(&mut line).unwrap() > 0, "{method} {path}");
            line.trim_end().to_lowercase()
        };
        let status = line(&mut self.0).split(' ').nth(1).unwrap().parse().unwrap();
        let mut length = None;
        loop {
            let header = line(&mut self.0);
            match header.split_once(": ") {
                Some(("content-length", n)) => length = Some(n.parse::<u64>().unwrap()),
                _ if header.is_empty() => break,
                _ => {}
            }
        }
        let mut skip = |n: u64| std::io::copy(&mut (&mut self.0).take(n), &mut std::io::sink()).unwrap();
        if let Some(n) = length {
            return (status, skip(n));
        }
        let mut all = 0;
        loop {
            let mut size = String::new();
            self.0.read_line(&mut size).unwrap();
            let n = u64::from_str_radix(size.trim(), 16).unwrap();
            std::io::copy(&mut (&mut self.0).take(n + 2), &mut std::io::sink()).unwrap();
            all += n;
            if n == 0 {
                return (status, all);
            }
        }
    }
}

#[test]
fn the_server_holds_no_whole_sessions() {
    let f = Folder::new("served-memory");
    let sets = ["requests_per_second=1000000", "requests_at_once=1000000", "client_turns=8"];
    let server = Server::start(&f, &sets.iter().flat_map(|s| ["--set", s]).collect::<Vec<_>>());
    let mut asking = Asking(BufReader::new(server.connect()));
    assert_eq!(asking.ask("GET", "/sessions", "").0, 200);
    let (start, _) = memory(&server);
    // As much as may be printed in a turn, in one text or in many, and values; 80 turns of one client.
    let programs = [
        "(println (apply str (repeat 26000 \"0123456789\")))",
        "(dotimes [i 4000] (println \"a line of some words\" i))",
        "(dotimes [i 20000] (print \"x\"))",
        "(apply str (repeat 40000 \"a value \"))",
    ];
    let sessions: Vec<String> = (0..10).map(|_| server.session(&json!({}))).collect();
    for turn in 0..8 {
        for (n, session) in sessions.iter().enumerate() {
            let body = json!({ "program": programs[(turn + n) % programs.len()] }).to_string();
            assert_eq!(asking.ask("POST", &format!("{session}/turns"), &body).0, 200);
        }
    }
    let (turned, _) = memory(&server);
    assert!(turned < start + BOUND, "{} MB after turns, {} MB at the start", turned / MB, start / MB);
    // One session with more than all others: 24 MB of texts that its prompts show.
    let long = &sessions[0];
    for _ in 0..48 {
        let body = json!({ "program": programs[0] }).to_string();
        assert_eq!(asking.ask("POST", &format!("{long}/turns"), &body).0, 200);
    }
    let page = server.get(&format!("{long}/page")).json()["page"].as_str().unwrap().to_owned();
    let paths = [
        format!("{long}/prompt"),
        format!("{long}/prompt?policy=full"),
        format!("{long}/prompt?policy=compressed"),
        format!("{long}/turns"),
        page,
        long.clone(),
        format!("{long}/turns/1"),
        format!("{long}/trace"),
        format!("{long}/approvals"),
        "/sessions".to_owned(),
    ];
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let mut asking = Asking(BufReader::new(server.connect()));
                for path in &paths {
                    let (status, bytes) = asking.ask("GET", path, "");
                    assert!(status == 200 && bytes > 10, "{path}: {status}, {bytes} bytes");
                }
            });
        }
        // Those who take nothing of theirs.
        for _ in 0..4 {
            scope.spawn(|| {
                let mut stream = server.connect();
                write!(stream, "GET {}/prompt HTTP/1.1\r\nHost: localhost\r\n\r\n", sessions[1]).unwrap();
                std::thread::sleep(std::time::Duration::from_secs(1));
            });
        }
    });
    let (now, most) = memory(&server);
    assert!(most < start + BOUND, "{} MB at most, {} MB at the start", most / MB, start / MB);
    assert!(now < start + BOUND, "{} MB, {} MB at the start", now / MB, start / MB);
    // Ten thousand small ones, of all kinds, on the sessions that are there.
    let short = server.session(&json!({}));
    for n in 0..10_000 {
        let (status, _) = match n % 10 {
            0 => asking.ask("POST", &format!("{short}/turns"), "{\"program\": \"(println 1)\"}"),
            1 => asking.ask("GET", &format!("{short}/prompt?turn=3"), ""),
            2 => asking.ask("GET", "/tasks", ""),
            3 => asking.ask("GET", &format!("{short}/turns/1"), ""),
            _ => asking.ask("GET", &format!("{short}/page"), ""),
        };
        assert!(status < 300 || n < 30, "{status}");
    }
    let (end, most) = memory(&server);
    println!("start {}, turns {}, reads {}, end {}, most {}", start / MB, turned / MB, now / MB, end / MB, most / MB);
    assert!(end < start + BOUND, "{} MB at the end, {} MB at the start", end / MB, start / MB);
}
