//! Servers that send what no answer should be: each ends in one typed error, after one request, with bounded memory.

use super::*;
use crate::error::{Error, ErrorKind, ModelErrorKind};
use crate::model::{Model as _, Request};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Reads a request to its end.
fn request(stream: &mut TcpStream) {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let Ok(n @ 1..) = stream.read(&mut piece) else { return };
        bytes.extend_from_slice(&piece[..n]);
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("content-length: ").nth(1).and_then(|l| l.lines().next()?.trim().parse().ok());
            if body.len() >= length.unwrap_or(0) {
                return;
            }
        }
    }
}

/// A server that sends `head`, and then `piece` so many times or until nobody listens; how often it was asked.
fn server(head: &str, piece: Vec<u8>, times: usize) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let asked = Arc::new(AtomicUsize::new(0));
    let (count, head) = (asked.clone(), head.to_owned());
    std::thread::spawn(move || {
        while let Ok((mut stream, _)) = listener.accept() {
            count.fetch_add(1, Ordering::SeqCst);
            request(&mut stream);
            let mut sent = stream.write_all(head.as_bytes());
            for _ in 0..times {
                sent = sent.and_then(|()| stream.write_all(&piece));
                if sent.is_err() {
                    break;
                }
            }
        }
    });
    (url, asked)
}

/// The error of one request; `streamed` says how it is asked, `most` how long an answer may be.
fn error(url: &str, name: &str, streamed: bool, most: u64) -> Error {
    let environment: Environment = [
        ("OPENAI_COMPATIBLE_BASE_URL", url),
        ("ANTHROPIC_BASE_URL", url),
        ("GEMINI_BASE_URL", url),
        ("OPENAI_BASE_URL", url),
    ]
    .into_iter()
    .collect();
    let retry = RetryPolicy { pause: Duration::from_millis(1), ..RetryPolicy::default() };
    let mut model = ProviderModel::new(name.parse().unwrap(), &environment, retry).unwrap().with_answer_bytes(most);
    let messages = [ptc_history::Message::user("hi")];
    let mut request = Request::new(&messages);
    let mut said = |_: &str| {};
    if streamed {
        request.said = Some(&mut said);
    }
    model.reply(request).unwrap_err()
}

fn too_large(e: &Error) -> String {
    assert!(matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::TooLarge, .. }), "{e:?}");
    e.text().split_once(" has ").expect("what it has too much of").1.to_owned()
}

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n";
const CHUNKED: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
const LIMIT: u64 = 300_000;

#[test]
fn what_has_no_end_is_ended() {
    let bytes = "more than answer_bytes = 300000 bytes; raise answer_bytes in [model] if that is meant";
    let chunk = [b"10000\r\n".to_vec(), vec![b'x'; 0x10000], b"\r\n".to_vec()].concat();
    let delta = format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n", "x".repeat(1000));
    let comment = format!(": {}\n\n", "x".repeat(1000));
    let anthropic = format!(
        "event: content_block_delta\ndata: {{\"type\":\"content_block_delta\",\"delta\":{{\"text\":\"{}\"}}}}\n\n",
        "x".repeat(1000)
    );
    for (head, piece, times, streamed, name) in [
        (CHUNKED, chunk.clone(), usize::MAX, false, "openai-compatible/m"),
        (CHUNKED, chunk, usize::MAX, true, "openai-compatible/m"),
        (JSON, vec![b' '; 1 << 20], 150, false, "anthropic/m"),
        (EVENTS, delta.into_bytes(), usize::MAX, true, "openai-compatible/m"),
        (EVENTS, comment.into_bytes(), usize::MAX, true, "openai-compatible/m"),
        (EVENTS, anthropic.into_bytes(), usize::MAX, true, "anthropic/m"),
        // Without an end of the line.
        (EVENTS, b"data: xxxxxxxx".repeat(1000), usize::MAX, true, "gemini/m"),
        (EVENTS, b"data: x\n".repeat(1000), usize::MAX, true, "openai-responses/m"),
    ] {
        let (url, asked) = server(head, piece, times);
        let e = error(&url, name, streamed, LIMIT);
        assert_eq!(too_large(&e), bytes, "{name}");
        assert!(e.to_string().starts_with(&format!("{name}: the answer of http://127.0.0.1:")), "{e}");
        assert_eq!(asked.load(Ordering::SeqCst), 1, "{name} {streamed}");
    }
}

#[test]
fn heads_without_end_are_no_answer() {
    for streamed in [false, true] {
        let (url, _) = server("HTTP/1.1 200 OK\r\n", b"x-more: and more\r\n".repeat(100), usize::MAX);
        let e = error(&url, "openai-compatible/m", streamed, LIMIT);
        assert!(matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Disconnected, .. }), "{e:?}");
    }
}

#[test]
fn what_would_cost_more_than_its_length_is_not_read() {
    let values = "more than 200000 values, or values nested too deep; ask another server";
    let deep = format!("{{\"choices\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let wide = format!("{{\"choices\":[{}1]}}", "1,".repeat(300_000));
    for data in [deep, wide] {
        let (url, asked) = server(JSON, data.clone().into_bytes(), 1);
        assert_eq!(too_large(&error(&url, "openai-compatible/m", false, MAX_ANSWER_BYTES)), values);
        assert_eq!(asked.load(Ordering::SeqCst), 1);
        let (url, _) = server(EVENTS, format!("data: {data}\n\n").into_bytes(), 1);
        assert_eq!(too_large(&error(&url, "openai-compatible/m", true, MAX_ANSWER_BYTES)), values);
    }
    // A number of a call is a length of a list to whoever reads it.
    let far = "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":4294967294,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n";
    let (url, _) = server(EVENTS, far.as_bytes().to_vec(), 1);
    let e = error(&url, "openai-compatible/m", true, MAX_ANSWER_BYTES);
    assert!(e.to_string().contains("it numbers a part of itself 4294967294"), "{e}");
    let call = "{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}";
    let calls = vec![call; 1001].join(",");
    let body = format!("{{\"choices\":[{{\"message\":{{\"content\":\"\",\"tool_calls\":[{calls}]}}}}]}}");
    let (url, asked) = server(JSON, body.into_bytes(), 1);
    let e = error(&url, "openai-compatible/m", false, MAX_ANSWER_BYTES);
    assert_eq!(too_large(&e), "more than 1000 tool calls and other blocks; ask in other words");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

/// The gate answers nobody else, and only as long as its request runs.
#[test]
fn the_way_in_is_for_the_client_alone() {
    let runtime = crate::runtime::runtime().unwrap();
    let (url, asked) = server(JSON, b"{}".to_vec(), 1);
    let gate = runtime.block_on(gate::Gate::open(gate::Upstream {
        http: reqwest::Client::builder().no_proxy().build().unwrap(),
        url: url.parse().unwrap(),
        headers: Vec::new(),
        most: 100,
        stream: false,
        chat: false,
        retry: RetryPolicy::default(),
    }));
    let gate = gate.ok().unwrap();
    let address = gate.url.strip_prefix("http://").unwrap();
    let (host, path) = address.split_once('/').unwrap();
    assert_eq!(path.len(), 32);
    let ask = |line: &str| {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(format!("{line} HTTP/1.1\r\ncontent-length: 2\r\n\r\n{{}}").as_bytes()).unwrap();
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
        String::from_utf8(said).unwrap()
    };
    for line in ["POST /", &format!("GET /{path}"), &format!("POST /{path}x"), ""] {
        assert_eq!(ask(line), "", "{line}");
    }
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert!(ask(&format!("POST /{path}")).ends_with("\r\n\r\n{}"));
    // Used once.
    assert!(TcpStream::connect(host).is_err());
    drop(gate);
}

/// A server that says a byte now and then is alive, and ends with the time of the try all the same.
#[test]
fn what_comes_byte_by_byte_ends_with_its_time() {
    for (head, streamed) in [(JSON, false), (CHUNKED, false), (EVENTS, true), ("", false), ("", true)] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            while let Ok((mut stream, _)) = listener.accept() {
                request(&mut stream);
                let mut sent = stream.write_all(head.as_bytes());
                let letter: &[u8] = if head == CHUNKED { b"1\r\nx\r\n" } else { b"x" };
                while sent.is_ok() {
                    sent = stream.write_all(letter);
                    std::thread::sleep(Duration::from_millis(10));
                }
            }
        });
        let environment: Environment = [("OPENAI_COMPATIBLE_BASE_URL", url.as_str())].into_iter().collect();
        let total = Duration::from_millis(400);
        let retry = RetryPolicy { total, first: total, idle: total, tries: 1, ..RetryPolicy::default() };
        let mut model = ProviderModel::new("openai-compatible/m".parse().unwrap(), &environment, retry).unwrap();
        let messages = [ptc_history::Message::user("hi")];
        let mut said = |_: &str| {};
        let mut request = Request::new(&messages);
        if streamed {
            request.said = Some(&mut said);
        }
        let e = model.reply(request).unwrap_err();
        assert!(
            matches!(e.kind(), ErrorKind::Model { reason: ModelErrorKind::Timeout | ModelErrorKind::Disconnected, .. }),
            "{head} {streamed}: {e:?}"
        );
    }
}

/// A text in the form of gzip, not made smaller.
fn gzip(text: &str) -> Vec<u8> {
    let step = |sum: u32, b: &u8| {
        (0..8).fold(sum ^ u32::from(*b), |s, _| if s & 1 == 1 { (s >> 1) ^ 0xedb8_8320 } else { s >> 1 })
    };
    let sum = !text.as_bytes().iter().fold(u32::MAX, step);
    let length = text.len() as u16;
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1];
    let mut out = [&head[..], &length.to_le_bytes(), &(!length).to_le_bytes(), text.as_bytes()].concat();
    out.extend(sum.to_le_bytes().into_iter().chain(u32::from(length).to_le_bytes()));
    out
}

/// What comes as gzip is read, and counted by what it holds; what comes in an encoding that nobody knows is told as that.
#[test]
fn an_answer_that_is_encoded_is_read_or_told() {
    let head = |encoding: &str| {
        format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: {encoding}\r\nconnection: close\r\n\r\n"
        )
    };
    let answer = "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hello\"}}]}";
    let (url, _) = server(&head("gzip"), gzip(answer), 1);
    let environment: Environment = [("OPENAI_COMPATIBLE_BASE_URL", url.as_str())].into_iter().collect();
    let name = "openai-compatible/m".parse().unwrap();
    let mut model = ProviderModel::new(name, &environment, RetryPolicy::default()).unwrap();
    let messages = [ptc_history::Message::user("hi")];
    assert_eq!(model.reply(Request::new(&messages)).unwrap().text, "hello");
    let (url, _) = server(&head("gzip"), gzip(answer), 1);
    let e = error(&url, "openai-compatible/m", false, 20);
    assert!(too_large(&e).contains("more than answer_bytes = 20 bytes"), "{e}");
    for streamed in [false, true] {
        let (url, asked) = server(&head("x-odd"), gzip(answer), 1);
        let e = error(&url, "openai-compatible/m", streamed, LIMIT).to_string();
        assert!(e.contains("its answer is encoded as x-odd, which nobody asked for"), "{e}");
        assert_eq!(asked.load(Ordering::SeqCst), 1);
    }
}
