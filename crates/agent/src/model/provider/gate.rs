//! A proxy on the loopback address that bounds answers: what a server sends passes through it first, and no more of it
//! than an answer may have.
//!
//! The client reads bodies, and events of a stream, whatever their length, and takes no reader of ours. So it talks to a
//! listener of this process on the loopback address, one for each request, which only who knows its path may use; that
//! one asks the server, hands on what comes piece by piece, and ends it where it is too much. The key of the provider
//! is added here and goes to the server alone.

use super::error::{Kind, Part, RequestError};
use super::retry::{RetryPolicy, secret};
use crate::json_depth::Nesting;
use reqwest::Url;
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// So many times as much may come over the wire for a streamed answer: each piece of it has words about it.
const AROUND: u64 = 4;
/// Most values in an answer, or an event of it: what is read of each takes some hundred bytes.
const VALUES: u64 = 200_000;
/// Deepest nesting of an answer; the library that reads it goes no deeper.
const DEEPEST: u32 = 127;
/// Bytes of an error's body that are read.
const SAID: u64 = 256 << 10;
/// Most bytes of the head of the client's request.
const HEAD: usize = 64 << 10;
/// Time for the head: the client is in this process.
const WAIT: Duration = Duration::from_secs(10);
/// Headers of a server that are handed on.
const HEADERS: [&str; 5] = ["content-type", "retry-after", "retry-after-ms", "x-should-retry", "date"];

/// Who is asked, and how much may come back.
pub(super) struct Upstream {
    pub http: reqwest::Client,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub most: u64,
    pub stream: bool,
    pub retry: RetryPolicy,
}

/// A listener for one request. When it is dropped, the connection to the server is closed.
pub(super) struct Gate {
    /// Where the client asks.
    pub url: String,
    fault: Fault,
    task: AbortHandle,
}

type Fault = Arc<Mutex<Option<RequestError>>>;

impl Gate {
    /// Opens one.
    pub(super) async fn open(upstream: Upstream) -> Result<Self, RequestError> {
        let wrong =
            |e: std::io::Error| RequestError::new(Kind::Other(format!("no connection inside this machine: {e}")));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(wrong)?;
        let port = listener.local_addr().map_err(wrong)?.port();
        let path = format!("/{}", secret());
        let url = format!("http://127.0.0.1:{port}{path}");
        let fault = Fault::default();
        let told = fault.clone();
        let task = tokio::spawn(async move {
            let (body, mut socket) = loop {
                let Ok((mut socket, _)) = listener.accept().await else { return };
                // Anybody on this machine may connect; only the client knows the path.
                if let Ok(Some(body)) = tokio::time::timeout(WAIT, asked(&mut socket, &path)).await {
                    break (body, socket);
                }
            };
            drop(listener);
            if let Err(failure) = pass(upstream, body, &mut socket).await {
                *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
            }
        });
        Ok(Gate { url, fault, task: task.abort_handle() })
    }

    /// What went wrong on the way, if something did: the client sees a connection that ends.
    pub(super) fn fault(&self) -> Option<RequestError> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The body of the client's request; `None` of another's.
async fn asked(socket: &mut TcpStream, path: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let end = loop {
        if let Some(at) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            break at.saturating_add(4);
        }
        if bytes.len() > HEAD || socket.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    };
    let head = String::from_utf8_lossy(bytes.get(..end)?).into_owned();
    let mut lines = head.split("\r\n");
    let mut first = lines.next()?.split(' ');
    if (first.next(), first.next()) != (Some("POST"), Some(path)) {
        return None;
    }
    let length = lines.filter_map(|l| l.split_once(':')).find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let length: usize = length?.1.trim().parse().ok()?;
    let mut body = bytes.split_off(end);
    while body.len() < length {
        if socket.read_buf(&mut body).await.ok()? == 0 {
            return None;
        }
    }
    Some(body)
}

/// Asks the server and hands its answer on.
async fn pass(up: Upstream, body: Vec<u8>, to: &mut TcpStream) -> Result<(), RequestError> {
    let mut request = up.http.post(up.url).header(CONTENT_TYPE, "application/json").body(body);
    for (name, value) in &up.headers {
        request = request.header(name, value);
    }
    let web = |e: reqwest::Error| RequestError::web(&e, &up.retry);
    let mut answer = request.send().await.map_err(web)?;
    let (status, good) = (answer.status(), answer.status().is_success());
    // Those that the client knows are undone already; what follows in another would be read as nonsense.
    let encoding = answer.headers().get(CONTENT_ENCODING).and_then(|v| v.to_str().ok()).map(str::trim);
    if let Some(encoding) = encoding.filter(|e| good && !e.is_empty() && !e.eq_ignore_ascii_case("identity")) {
        let encoding = ptc_lisp::error::cut(ptc_lisp::escape::line(encoding), 40);
        let words = format!("its answer is encoded as {encoding}, which nobody asked for");
        return Err(RequestError::new(Kind::Malformed(words)));
    }
    let events = good && up.stream;
    let mut out = head(status.as_u16(), answer.headers());
    let mut left = match (good, events) {
        (false, _) => SAID,
        (true, true) => up.most.saturating_mul(AROUND),
        (true, false) => up.most,
    };
    let mut whole = Nesting::default();
    // What has come of an event that has not ended: the client would search all of it again with each piece.
    let mut event: Vec<u8> = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(web)? {
        let length = piece.len() as u64;
        match left.checked_sub(length) {
            Some(rest) => left = rest,
            None if !good => break,
            None => return Err(RequestError::new(Kind::TooLarge { what: Part::Bytes, most: up.most })),
        }
        if events {
            let searched = event.len().saturating_sub(3);
            event.extend_from_slice(&piece);
            if event.len() as u64 > up.most {
                return Err(RequestError::new(Kind::TooLarge { what: Part::Bytes, most: up.most }));
            }
            if let Some(end) = last_end(&event, searched) {
                let rest = event.split_off(end);
                readable(&event)?;
                out.append(&mut event);
                event = rest;
            }
        } else {
            if good && !(whole.within(&piece, DEEPEST) && whole.values() <= VALUES) {
                return Err(RequestError::new(Kind::TooLarge { what: Part::Values, most: VALUES }));
            }
            out.extend_from_slice(&piece);
        }
        // Who does not listen any more has gone.
        if to.write_all(&out).await.is_err() {
            return Ok(());
        }
        out.clear();
    }
    readable(&event)?;
    out.append(&mut event);
    let _ = to.write_all(&out).await;
    let _ = to.shutdown().await;
    Ok(())
}

/// The head of an answer, as far as it matters.
fn head(status: u16, headers: &HeaderMap) -> Vec<u8> {
    let mut out = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n").into_bytes();
    for name in HEADERS {
        for value in headers.get_all(name) {
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\r\n");
        }
    }
    out.extend_from_slice(b"\r\n");
    out
}

/// Where the last whole event ends; looked for from `from` on.
fn last_end(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let last = |end: &[u8]| {
        rest.windows(end.len()).rposition(|w| w == end).map(|at| from.saturating_add(at).saturating_add(end.len()))
    };
    [&b"\n\n"[..], b"\r\n\r\n", b"\r\r"].into_iter().filter_map(last).max()
}

/// Whether events can be read at a cost that goes with their length.
fn readable(events: &[u8]) -> Result<(), RequestError> {
    // The data of an event may stand in several lines.
    let mut data: Vec<u8> = Vec::new();
    for line in lines(events).chain([&b""[..]]) {
        let mut all = Nesting::default();
        if !all.within(line, DEEPEST) || all.values() > VALUES {
            return Err(RequestError::new(Kind::TooLarge { what: Part::Values, most: VALUES }));
        }
        if let Some(more) = line.strip_prefix(b"data:") {
            data.extend_from_slice(more);
            data.push(b'\n');
        } else if line.is_empty() && !data.is_empty() {
            let mut whole = Nesting::default();
            if !whole.within(&data, DEEPEST) || whole.values() > VALUES {
                return Err(RequestError::new(Kind::TooLarge { what: Part::Values, most: VALUES }));
            }
            // A list is made as long as the number of a call says. What is no JSON the client refuses.
            let read = serde_json::from_slice::<Value>(&data).ok();
            if let Some(n) = read.as_ref().and_then(index).filter(|n| *n >= MAX_TOOL_CALLS) {
                return Err(RequestError::new(Kind::Malformed(format!("it numbers a part of itself {n}"))));
            }
            data.clear();
        }
    }
    Ok(())
}

/// The lines of events, which end in a line feed, a carriage return, or both.
fn lines(events: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut after_return = false;
    events.split_inclusive(|b| matches!(b, b'\n' | b'\r')).filter_map(move |line| {
        let second = after_return && line == b"\n";
        after_return = line.ends_with(b"\r");
        (!second).then(|| line.strip_suffix(b"\n").or_else(|| line.strip_suffix(b"\r")).unwrap_or(line))
    })
}

/// Most parts of an answer.
pub(super) const MAX_TOOL_CALLS: u64 = 1000;

/// The largest number under a key `index`, however the key is written.
fn index(data: &Value) -> Option<u64> {
    match data {
        Value::Array(all) => all.iter().filter_map(index).max(),
        Value::Object(all) => {
            let own = all.get("index").and_then(Value::as_u64);
            all.values().filter_map(index).chain(own).max()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_end_at_empty_lines() {
        for (text, end) in [
            ("data: 1", None),
            ("data: 1\n", None),
            ("data: 1\n\nd", Some(9)),
            ("a\n\nb\r\n\r\nc", Some(8)),
            ("a\r\rb", Some(3)),
        ] {
            assert_eq!(last_end(text.as_bytes(), 0), end, "{text:?}");
            assert_eq!(last_end(text.as_bytes(), end.unwrap_or(0).saturating_sub(4)), end, "{text:?}");
        }
    }

    #[test]
    fn events_that_cost_more_than_their_length_are_refused() {
        let of = |data: &str| readable(format!("event: x\ndata: {data}\n\n").as_bytes()).map_err(|f| f.kind);
        assert_eq!(of(r#"{"choices": [{"index": 999, "text": "\"index\": 5000"}]}"#), Ok(()));
        let odd = of(r#"{"a": [{"index" : 4294967295}]}"#).unwrap_err();
        assert_eq!(odd, Kind::Malformed("it numbers a part of itself 4294967295".into()));
        for hidden in [
            r#"{"\u0069ndex": 4294967295}"#,
            "{\"index\"\ndata: : 4294967295}",
            "{\"index\"\r\ndata::\rdata:4294967295}",
        ] {
            assert_eq!(of(hidden).unwrap_err(), odd, "{hidden}");
        }
        let many = Kind::TooLarge { what: Part::Values, most: VALUES };
        assert_eq!(of(&"[".repeat(100_000)).unwrap_err(), many);
        assert_eq!(of(&"1,".repeat(200_001)).unwrap_err(), many);
    }
}
