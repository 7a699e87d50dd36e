//! The two streams of a server process, looked at line by line: what is no answer to anything that was asked is reported at
//! once, and so is an answer that the library would pass over. Results of calls and lists are kept as they were written.

use super::MAX_MESSAGE_BYTES;
use super::diagnostics::{Words, beginning};
use crate::json_depth::Nesting;
use crate::json_repair::{is_utf16, readable};
use crate::secrets::Secrets;
use rmcp::model::ServerJsonRpcMessage;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Deepest nesting of what of a message the library reads, by recursion.
const DEEPEST: u32 = 100;
/// Most values in it.
const VALUES: u64 = 500_000;
/// Bytes that are read at once.
const PIECE: usize = 64 << 10;
/// Most requests that were given up and may still be answered.
const GIVEN_UP: usize = 10_000;

/// What was asked and not answered yet, and results of answers; shared by both streams.
#[derive(Clone, Default)]
pub(super) struct Asked(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Ids of requests, as they were written, and what stands in for their results.
    waiting: HashMap<String, Option<StandIn>>,
    given_up: HashSet<String>,
    /// Results of answers that nobody has fetched yet, as they were written, by the id of the request.
    kept: HashMap<String, String>,
}

/// What the library reads in the place of a result that we read ourselves: servers write what it would refuse as a whole,
/// and reading a large one as part of a message costs fifty times its length.
#[derive(Clone, Copy)]
pub(super) struct StandIn(&'static str);

impl StandIn {
    /// That of the results of a method.
    pub(super) fn of(method: &str) -> Option<StandIn> {
        match method {
            "tools/call" => Some(StandIn("{\"content\":[]}")),
            "tools/list" => Some(StandIn("{\"tools\":[]}")),
            _ => None,
        }
    }
}

/// What a text of a server is.
pub(super) enum Heard {
    /// A message, as the library is to read it.
    Message(String),
    /// Nothing that anybody waits for.
    Nothing,
    /// No message: programs print such lines beside theirs.
    Odd,
    /// A message that answers nobody, or cannot be read.
    Fault(String),
}

impl Asked {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The result that answers this request, as it was written.
    pub(super) fn take(&self, id: &str) -> Option<String> {
        self.lock().kept.remove(id)
    }

    /// A request is about to be made.
    pub(super) fn wait_for(&self, id: &str, stand_in: Option<StandIn>) {
        self.lock().waiting.insert(id.to_owned(), stand_in);
    }

    /// Reads what a server wrote. Nobody waits for an answer that came and cannot be read: it is an error of its request.
    pub(super) fn hear(&self, bytes: &[u8]) -> Heard {
        if is_utf16(bytes.trim_ascii()) {
            return Heard::Fault("it wrote UTF-16, and messages are UTF-8".to_owned());
        }
        let text = readable(bytes.trim_ascii());
        let text = text.trim();
        if text.starts_with('[') && text.contains("jsonrpc") {
            return Heard::Fault("it wrote several messages as one list".to_owned());
        }
        if !text.starts_with('{') && !begins_a_message(text) {
            return Heard::Odd;
        }
        let message: Message<'_> = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(_) if !begins_a_message(text) => return Heard::Odd,
            Err(e) => return Heard::Fault(format!("it wrote a message that cannot be read ({e})")),
        };
        if message.method.is_some() {
            let known = message.jsonrpc.is_some() && within(text) && reads(text);
            return if known { Heard::Message(text.to_owned()) } else { Heard::Odd };
        }
        let answers = message.result.is_some() || message.error.is_some();
        if message.jsonrpc.is_none() && !(answers && message.id.is_some()) {
            return Heard::Odd;
        }
        // An error without an id is said of something it could not read.
        let Some(written) = message.id.map(RawValue::get) else {
            return Heard::Fault("it wrote an answer without the id of a request".to_owned());
        };
        let mut state = self.lock();
        let id = [written.to_owned()].into_iter().chain(other_ids(written));
        let Some(id) = id.into_iter().find(|id| state.waiting.contains_key(id) || state.given_up.contains(id)) else {
            let id = ptc_lisp::error::cut(ptc_lisp::escape::line(written), 40);
            return Heard::Fault(format!("it answered a request that nobody waits for (id {id})"));
        };
        if state.given_up.remove(&id) {
            return Heard::Nothing;
        }
        let stand_in = state.waiting.remove(&id).flatten();
        Heard::Message(match (message.error.map(RawValue::get), message.result.map(RawValue::get)) {
            (Some(error), _) => failed(&id, error),
            (None, None) => refused(&id, "it wrote an answer with neither result nor error"),
            (None, Some(result)) => match stand_in {
                Some(StandIn(short)) => {
                    state.kept.insert(id.clone(), result.to_owned());
                    answer(&id, "result", short)
                }
                None if !within(result) => refused(&id, &deep()),
                None => {
                    let answer = answer(&id, "result", result);
                    if reads(&answer) { answer } else { refused(&id, "its answer is none that a server can give") }
                }
            },
        })
    }

    /// A request was given up: its answer may still come, and is for nobody.
    pub(super) fn give_up(&self, id: &str) {
        let mut state = self.lock();
        state.kept.remove(id);
        if state.waiting.remove(id).is_some() && state.given_up.len() < GIVEN_UP {
            state.given_up.insert(id.to_owned());
        }
    }
}

/// What a server writes.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow, default)]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

/// An id as others write it who mean it: 1 as 1.0 or "1", and "1" as 1.
fn other_ids(id: &str) -> Option<String> {
    match id.strip_prefix('"').and_then(|id| id.strip_suffix('"')) {
        Some(inside) => Some(inside.to_owned()),
        None if id.contains(['.', 'e', 'E']) => {
            let number = id.parse::<f64>().ok().filter(|n| n.fract() == 0.0 && n.abs() < 9e15)?;
            Some(format!("{number}"))
        }
        None => Some(format!("\"{id}\"")),
    }
}

/// Whether the library reads it as a message of a server.
fn reads(text: &str) -> bool {
    serde_json::from_str::<ServerJsonRpcMessage>(text).is_ok()
}

/// Whether reading it by recursion costs no more than its length.
fn within(text: &str) -> bool {
    let mut all = Nesting::default();
    all.within(text.as_bytes(), DEEPEST) && all.values() <= VALUES
}

fn deep() -> String {
    format!("its message is nested deeper than {DEEPEST} or holds more than {VALUES} values")
}

fn answer(id: &str, key: &str, value: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{key}\":{value}}}")
}

/// The error of an answer, as the library reads one.
fn failed(id: &str, error: &str) -> String {
    if !within(error) {
        return refused(id, &deep());
    }
    let Ok(Value::Object(mut error)) = serde_json::from_str(error) else {
        return refused(id, "its error cannot be read");
    };
    let code = error.get("code").and_then(|c| c.as_f64().or_else(|| c.as_str()?.parse().ok())).unwrap_or(-32603.0);
    // Out of bounds it is the nearest that there is.
    let code = code as i32;
    let message = match error.get("message") {
        Some(Value::String(s)) if !s.is_empty() => s.clone(),
        None | Some(Value::Null | Value::String(_)) => {
            return refused(id, &format!("it refused without a word (code {code})"));
        }
        Some(other) => other.to_string(),
    };
    error.insert("code".to_owned(), Value::from(code));
    error.insert("message".to_owned(), Value::from(message));
    answer(id, "error", &Value::Object(error).to_string())
}

/// An error in the place of an answer that cannot be read.
fn refused(id: &str, words: &str) -> String {
    let words = Value::from(format!("{words}; correct the server"));
    answer(id, "error", &format!("{{\"code\":-32700,\"message\":{words}}}"))
}

/// Whether a text that cannot be read was to be a message: an object that begins with a key in double quotes, or speaks of
/// the protocol; or a line from the middle of one.
fn begins_a_message(text: &str) -> bool {
    let named = |rest: &str| rest.trim_start().starts_with('"') || rest.contains("jsonrpc");
    text.strip_prefix('{').is_some_and(named) || text.starts_with("\"jsonrpc\"")
}

/// Standard output of a server: no line longer than [`MAX_MESSAGE_BYTES`], and none that is no message.
pub(super) struct Lines<R> {
    from: R,
    line: Vec<u8>,
    /// Checked messages on their way to the library, and how much of them it has.
    out: Vec<u8>,
    given: usize,
    ended: bool,
    asked: Asked,
    words: Words,
    secrets: Secrets,
}

impl<R> Lines<R> {
    /// Watches what comes from `from`.
    pub(super) fn new(from: R, asked: Asked, words: Words, secrets: Secrets) -> Self {
        Lines { from, line: Vec::new(), out: Vec::new(), given: 0, ended: false, asked, words, secrets }
    }

    fn hear(&mut self, bytes: &[u8]) -> io::Result<()> {
        for piece in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(piece);
            if self.line.len() > MAX_MESSAGE_BYTES {
                self.line = Vec::new();
                self.words.flood();
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a message that is too long"));
            }
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                if let Some(message) = self.checked(&line) {
                    self.out.extend_from_slice(message.as_bytes());
                }
            }
        }
        Ok(())
    }

    /// The end of the stream.
    fn end(&mut self) {
        self.ended = true;
        let rest = std::mem::take(&mut self.line);
        if !rest.iter().all(u8::is_ascii_whitespace) {
            self.words.torn(&rest);
        }
    }

    /// A line as the library is to read it; `None` where there is nothing in it to be read.
    fn checked(&self, line: &[u8]) -> Option<String> {
        if line.trim_ascii().is_empty() {
            return None;
        }
        match self.asked.hear(line) {
            Heard::Message(text) => Some(text + "\n"),
            Heard::Nothing => None,
            Heard::Odd => {
                self.words.odd(line.trim_ascii());
                None
            }
            Heard::Fault(why) => {
                let begins = beginning(line.trim_ascii(), &self.secrets);
                self.words.fault(format!("{why}: {begins}; correct the server"));
                None
            }
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Lines<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        loop {
            let rest = this.out.get(this.given..).unwrap_or_default();
            if !rest.is_empty() {
                let piece = rest.get(..rest.len().min(buf.remaining())).unwrap_or_default();
                buf.put_slice(piece);
                this.given = this.given.saturating_add(piece.len());
                return Poll::Ready(Ok(()));
            }
            (this.out, this.given) = (Vec::new(), 0);
            if this.ended {
                return Poll::Ready(Ok(()));
            }
            let mut piece = vec![0; PIECE];
            let mut read = ReadBuf::new(&mut piece);
            ready!(Pin::new(&mut this.from).poll_read(cx, &mut read))?;
            match read.filled() {
                [] => this.end(),
                new => {
                    let new = new.to_vec();
                    this.hear(&new)?;
                }
            }
        }
    }
}

/// Standard input of a server: what is asked of it is noted before it can answer.
pub(super) struct Asking<W> {
    to: W,
    line: Vec<u8>,
    /// Bytes at the beginning of what is written next that were looked at already.
    seen: usize,
    asked: Asked,
}

/// What we write.
#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow, default)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
}

/// Of which request a cancellation speaks.
#[derive(Deserialize)]
struct Cancelled<'a> {
    #[serde(borrow, rename = "requestId")]
    id: &'a RawValue,
}

impl<W> Asking<W> {
    /// Watches what goes to `to`.
    pub(super) fn new(to: W, asked: Asked) -> Self {
        Asking { to, line: Vec::new(), seen: 0, asked }
    }

    fn note(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|b| *b == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                let Ok(Sent { id, method: Some(method), params }) = serde_json::from_slice(&line) else { continue };
                if let Some(id) = id {
                    self.asked.wait_for(id.get(), StandIn::of(&method));
                } else if method == "notifications/cancelled"
                    && let Some(Ok(c)) = params.map(|p| serde_json::from_str::<Cancelled<'_>>(p.get()))
                {
                    self.asked.give_up(c.id.get());
                }
            }
        }
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Asking<W> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let this = &mut *self;
        // What could not be written is given again.
        let new = buf.get(this.seen..).unwrap_or_default().to_vec();
        this.note(&new);
        this.seen = this.seen.max(buf.len());
        let written = ready!(Pin::new(&mut this.to).poll_write(cx, buf))?;
        this.seen = this.seen.saturating_sub(written);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.to).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines() -> Lines<&'static [u8]> {
        let asked = Asked::default();
        let mut out = Asking::new(Vec::<u8>::new(), asked.clone());
        out.note(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,");
        out.note(b"\"method\":\"b\"}\n{\"jsonrpc\":\"2.0\",\"id\":\"3\",\"method\":\"c\"}\n");
        out.note(b"{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n{\"id\":9,\"result\":1}\n");
        Lines::new(&[], asked, Words::default(), Secrets::default())
    }

    /// What of a line the library is given, and what is told who waits.
    fn heard(line: &[u8]) -> (String, String) {
        let lines = lines();
        let given = lines.checked(line).unwrap_or_default();
        (given, lines.words.last_fault())
    }

    fn result(id: &str, rest: &str) -> String {
        format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}\n")
    }

    #[test]
    fn answers_go_through_and_what_answers_nobody_is_told() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        for same in [
            result("1", "\"result\":{}"),
            result("\"3\"", "\"result\":5"),
            "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n".into(),
            result("1", "\"error\":{\"code\":-1,\"message\":\"m\"}"),
        ] {
            assert_eq!(heard(same.as_bytes()), (same.clone(), String::new()));
        }
        for quiet in [
            " \n",
            "started\n",
            "[info] up\n",
            "[1,2]\n",
            "DEBUG sent {\"jsonrpc\":\"2.0\"}\n",
            "{'a': 1}\n",
            "{\"level\":\"info\"}\n",
            "5\n",
            "{\"jsonrpc\":\"2.0\",\"method\":5}\n",
            &result("2", "\"result\":{}"),
        ] {
            assert_eq!(heard(quiet.as_bytes()), Default::default(), "{quiet}");
        }
        for (line, words) in [
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n".to_owned(),
                "it wrote a message that cannot be read (EOF while parsing an object at line 1 column 34): \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{\"; correct the server",
            ),
            ("{'jsonrpc': '2.0', 'id': 1, 'result': {}}\n".to_owned(), "it wrote a message that cannot be read ("),
            ("  \"jsonrpc\": \"2.0\",\n".to_owned(), "it wrote a message that cannot be read ("),
            (format!("[{}]\n", result("1", "\"result\":{}").trim()), "it wrote several messages as one list: "),
            (result("7", "\"result\":{}"), "it answered a request that nobody waits for (id 7): "),
            (result("null", "\"error\":{}"), "it wrote an answer without the id of a request: "),
        ] {
            let (given, told) = heard(line.as_bytes());
            assert!(given.is_empty() && told.starts_with(words), "{line}: {given} {told}");
            assert!(told.len() < 400, "{told}");
        }
        let utf16: Vec<u8> = result("1", "\"result\":{}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(heard(&utf16).1.starts_with("it wrote UTF-16, and messages are UTF-8: "));
        for (line, words) in [
            (
                result("1", &format!("\"result\":{{\"content\":{deep}}}")),
                "its message is nested deeper than 100 or holds more than 500000 values; correct the server",
            ),
            (
                result("1", &format!("\"result\":[0{}]", ",0".repeat(500_000))),
                "its message is nested deeper than 100 or holds more than 500000 values; correct the server",
            ),
            (result("1", "\"error\":5"), "its error cannot be read; correct the server"),
            (result("1", &format!("\"error\":{deep}")), "its message is nested deeper than 100 "),
            (result("1", "\"error\":{\"code\":-5.0,\"message\":null}"), "it refused without a word (code -5);"),
            (result("1", "\"reslut\":{}"), "it wrote an answer with neither result nor error;"),
            (result("1", "\"result\":null"), "it wrote an answer with neither result nor error;"),
        ] {
            let (given, told) = heard(line.as_bytes());
            let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{{\"code\":-32700,\"message\":\"{words}");
            assert!(told.is_empty() && given.starts_with(&start), "{given} {told}");
        }
        // Answered once is answered.
        let lines = lines();
        let once = result("1", "\"result\":{}");
        assert!(lines.checked(once.as_bytes()).is_some() && lines.checked(once.as_bytes()).is_none());
    }

    /// What other libraries write and mean: the library would pass over each, and the request would wait for its time limit.
    #[test]
    fn answers_are_read_however_their_envelope_is_written() {
        let plain = result("1", "\"result\":{}");
        for line in [
            result("1.0", "\"result\":{}"),
            result("\"1\"", "\"result\":{}"),
            result("1", "\"result\":{},\"error\":null"),
            "{\"id\":1,\"result\":{}}\n".to_owned(),
            "{\"jsonrpc\":2.0,\"id\":1,\"result\":{}}\r\n".to_owned(),
            format!("\u{feff}{plain}"),
        ] {
            assert_eq!(heard(line.as_bytes()), (plain.clone(), String::new()), "{line}");
        }
        assert_eq!(heard(result("3", "\"result\":{}").as_bytes()).0, result("\"3\"", "\"result\":{}"));
        let error = |text: &str| heard(result("1", &format!("\"result\":null,\"error\":{text}")).as_bytes()).0;
        for written in ["{\"code\":-1.0,\"message\":\"m\"}", "{\"code\":\"-1\",\"message\":\"m\"}"] {
            assert_eq!(error(written), result("1", "\"error\":{\"code\":-1,\"message\":\"m\"}"));
        }
        assert_eq!(
            error("{\"message\":{\"a\":1}}"),
            result("1", "\"error\":{\"message\":\"{\\\"a\\\":1}\",\"code\":-32603}")
        );
        assert_eq!(
            heard(result("1", "\"result\":{\"x\":\"\\ud83d\"}").as_bytes()).0,
            result("1", "\"result\":{\"x\":\"\\ufffd\"}")
        );
        assert_eq!(
            heard(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"x\":\"caf\xe9\"}}\n").0,
            result("1", "\"result\":{\"x\":\"caf\u{fffd}\"}")
        );
    }

    #[test]
    fn results_of_calls_and_lists_stay_text() {
        let lines = lines();
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        for (id, method, content, short) in [
            ("7", "tools/call", format!("{{\"structuredContent\": {deep} ,\"content\":[]}}"), "{\"content\":[]}"),
            ("8", "tools/call", format!("{{\"content\":[{}0]}}", "{\"x\":[]},".repeat(10_000)), "{\"content\":[]}"),
            ("9", "tools/list", "{\"tools\":[{\"name\":5}]}".to_owned(), "{\"tools\":[]}"),
        ] {
            lines.asked.wait_for(id, StandIn::of(method));
            let given = lines.checked(result(id, &format!("\"result\":{content} ")).as_bytes()).unwrap();
            assert_eq!(given, result(id, &format!("\"result\":{short}")));
            assert_eq!(lines.asked.take(id), Some(content));
            assert_eq!(lines.asked.take(id), None);
        }
    }
}
