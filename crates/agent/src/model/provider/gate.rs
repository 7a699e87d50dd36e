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
/// Time for what follows the end of a chat's answer.
const LAST_WORDS: Duration = Duration::from_secs(5);
/// Headers of a server that are handed on.
const HEADERS: [&str; 5] = ["content-type", "retry-after", "retry-after-ms", "x-should-retry", "date"];

/// Who is asked, and how much may come back.
pub(super) struct Upstream {
    pub http: reqwest::Client,
    pub url: Url,
    pub headers: Vec<(String, String)>,
    pub most: u64,
    pub stream: bool,
    /// The stream has the form of chat completions.
    pub chat: bool,
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
    let mut chat = up.chat.then(ChatStream::default);
    let finished = |chat: &Option<ChatStream>| chat.as_ref().is_some_and(|c| c.finished);
    loop {
        // What comes behind the reason why it finished is the usage and a last word, and not all servers say either.
        let next = match finished(&chat) {
            true => tokio::time::timeout(LAST_WORDS, answer.chunk()).await.map_or(Ok(None), |next| next),
            false => answer.chunk().await,
        };
        let piece = match next {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(_) if finished(&chat) => break,
            Err(e) => return Err(web(e)),
        };
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
                hand_on(&event, chat.as_mut(), &mut out)?;
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
    hand_on(&event, chat.as_mut(), &mut out)?;
    if chat.is_some_and(|c| c.finished && !c.done) {
        out.extend_from_slice(b"data: [DONE]\n\n");
    }
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

/// Hands events on that can be read at a cost that goes with their length; those of a chat as the client reads them.
fn hand_on(events: &[u8], mut chat: Option<&mut ChatStream>, out: &mut Vec<u8>) -> Result<(), RequestError> {
    // The data of an event may stand in several lines.
    let mut data: Vec<u8> = Vec::new();
    let mut failed = false;
    for line in lines(events).chain([&b""[..]]) {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        let mut all = Nesting::default();
        if !all.within(line, DEEPEST) || all.values() > VALUES {
            return Err(RequestError::new(Kind::TooLarge { what: Part::Values, most: VALUES }));
        }
        if let Some(more) = line.strip_prefix(b"data:") {
            data.extend_from_slice(more);
            data.push(b'\n');
        } else if let Some(name) = line.strip_prefix(b"event:") {
            failed = name.trim_ascii() == b"error";
        } else if line.starts_with(b":") && chat.is_some() {
            // A sign of life.
            out.extend_from_slice(b":\n\n");
        } else if line.is_empty() && !data.is_empty() {
            let mut whole = Nesting::default();
            if !whole.within(&data, DEEPEST) || whole.values() > VALUES {
                return Err(RequestError::new(Kind::TooLarge { what: Part::Values, most: VALUES }));
            }
            // A list is made as long as the number of a call says. What is no JSON the client refuses.
            let read = serde_json::from_str::<Value>(&crate::json_repair::readable(&data)).ok();
            if let Some(n) = read.as_ref().and_then(index).filter(|n| *n >= MAX_TOOL_CALLS) {
                return Err(RequestError::new(Kind::Malformed(format!("it numbers a part of itself {n}"))));
            }
            if let Some(chat) = chat.as_deref_mut() {
                out.extend_from_slice(b"data: ");
                match read {
                    Some(read) => out.extend_from_slice(chat.chunk(read, failed).to_string().as_bytes()),
                    None => {
                        chat.done |= data.trim_ascii() == b"[DONE]";
                        // In one line, which the client refuses or knows.
                        out.extend(
                            data.trim_ascii().iter().map(|b| if matches!(b, b'\n' | b'\r') { b' ' } else { *b }),
                        );
                    }
                }
                out.extend_from_slice(b"\n\n");
            }
            data.clear();
            failed = false;
        }
    }
    if chat.is_none() {
        out.extend_from_slice(events);
    }
    Ok(())
}

/// A stream of chat completions: servers that speak its form leave out what the client insists on, and say `null` for
/// what is not there.
#[derive(Default)]
struct ChatStream {
    /// The answer has said why it finished: it is complete.
    finished: bool,
    /// The last word of the form has come.
    done: bool,
    /// The ids of calls, by their numbers.
    calls: Vec<Option<String>>,
}

impl ChatStream {
    /// A chunk as the client reads it; `failed` says that its event is an error.
    fn chunk(&mut self, mut chunk: Value, failed: bool) -> Value {
        let is_error = |key: &str| chunk.get(key).and_then(Value::as_str) == Some("error");
        if chunk.get("error").is_none_or(Value::is_null)
            && (failed || chunk.get("choices").is_none() && (is_error("object") || is_error("type")))
        {
            return serde_json::json!({ "error": chunk });
        }
        if let Some(chunk) = chunk.as_object_mut()
            && chunk.get("error").is_some_and(Value::is_null)
        {
            chunk.remove("error");
        }
        let Some(choice) = chunk.pointer_mut("/choices/0").and_then(Value::as_object_mut) else { return chunk };
        match choice.get("finish_reason") {
            Some(Value::String(why)) if !why.is_empty() => self.finished = true,
            Some(_) => drop(choice.remove("finish_reason")),
            None => {}
        }
        let calls = choice.get_mut("delta").and_then(|d| d.get_mut("tool_calls")).and_then(Value::as_array_mut);
        calls.into_iter().flatten().filter_map(Value::as_object_mut).for_each(|call| self.number(call));
        chunk
    }

    /// Gives a piece of a call its number and its arguments as text: without either the client loses it.
    fn number(&mut self, call: &mut serde_json::Map<String, Value>) {
        let id = call.get("id").and_then(Value::as_str).filter(|id| !id.is_empty()).map(str::to_owned);
        let given = call.get("index").and_then(Value::as_f64).map(|n| n as u64);
        let known = || id.is_some().then(|| self.calls.iter().position(|c| *c == id)).flatten();
        let at = match (given, known(), &id) {
            (Some(given), ..) => given as usize,
            (None, Some(at), _) => at,
            (None, None, Some(_)) => self.calls.len(),
            (None, None, None) => self.calls.len().saturating_sub(1),
        };
        if at >= self.calls.len() && (at as u64) < MAX_TOOL_CALLS {
            self.calls.resize(at.saturating_add(1), None);
        }
        if let (Some(slot), Some(id)) = (self.calls.get_mut(at), id) {
            slot.get_or_insert(id);
        }
        call.insert("index".to_owned(), Value::from(at));
        if let Some(arguments) = call.get_mut("function").and_then(|f| f.get_mut("arguments")) {
            match arguments {
                Value::String(_) => {}
                Value::Null => *arguments = Value::from(""),
                other => *other = Value::from(other.to_string()),
            }
        }
    }
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
        let of = |data: &str| {
            hand_on(format!("event: x\ndata: {data}\n\n").as_bytes(), None, &mut Vec::new()).map_err(|f| f.kind)
        };
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

    #[test]
    fn chunks_of_a_chat_are_handed_on_as_the_client_reads_them() {
        let mut chat = ChatStream::default();
        let mut of = |events: &str| {
            let mut out = Vec::new();
            hand_on(events.as_bytes(), Some(&mut chat), &mut out).unwrap();
            (String::from_utf8(out).unwrap(), chat.finished, chat.done)
        };
        let call = |text: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{text}]}}}}]}}\n\n");
        for (given, expected) in [
            (
                "\u{feff}data:{\"choices\":[],\"error\":null}\r\n\r\n".to_owned(),
                "data: {\"choices\":[]}\n\n".to_owned(),
            ),
            (": alive\n\n".to_owned(), ":\n\n".to_owned()),
            (
                "event: error\ndata: {\"message\":\"m\"}\n\n".to_owned(),
                "data: {\"error\":{\"message\":\"m\"}}\n\n".to_owned(),
            ),
            (
                "data: {\"object\":\"error\",\"code\":5}\n\n".to_owned(),
                "data: {\"error\":{\"object\":\"error\",\"code\":5}}\n\n".to_owned(),
            ),
            (
                "data: {\"choices\":[{\"delta\":null,\"finish_reason\":\"\"}]}\n\n".to_owned(),
                "data: {\"choices\":[{\"delta\":null}]}\n\n".to_owned(),
            ),
            (
                call("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":null}}"),
                call("{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"\"},\"index\":0}"),
            ),
            (
                call("{\"index\":null,\"function\":{\"arguments\":{\"x\":1}}}"),
                call("{\"index\":0,\"function\":{\"arguments\":\"{\\\"x\\\":1}\"}}"),
            ),
            (call("{\"id\":\"b\",\"index\":1.0}"), call("{\"id\":\"b\",\"index\":1}")),
            (call("{\"id\":\"a\"},{\"id\":\"c\"}"), call("{\"id\":\"a\",\"index\":0},{\"id\":\"c\",\"index\":2}")),
        ] {
            assert_eq!(of(&given), (expected, false, false), "{given}");
        }
        let last = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
        assert_eq!(of(last.trim_end()), (last.to_owned(), true, false), "its empty line may be missing");
        assert_eq!(of("data:[DONE] \n\n"), ("data: [DONE]\n\n".to_owned(), true, true));
    }
}
