//! The two streams of a server process, looked at line by line: what is no answer to anything that was asked is reported at
//! once, and large data is kept as it was written, where reading it as part of a message would cost fifty times as much.

use super::MAX_MESSAGE_BYTES;
use super::diagnostics::{Words, beginning};
use crate::json_depth::Nesting;
use crate::secrets::Secrets;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Deepest nesting of a message without its structured content: the library reads it by recursion.
const DEEPEST: u32 = 100;
/// Most values in a message without its structured content.
const VALUES: u64 = 500_000;
/// Bytes that are read at once.
const PIECE: usize = 64 << 10;
/// Most requests that were given up and may still be answered.
const GIVEN_UP: usize = 10_000;

/// What was asked and not answered yet, and large data of answers; shared by both streams.
#[derive(Clone, Default)]
pub(super) struct Asked(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// Ids of requests, as they were written, and which of them call a tool.
    waiting: HashMap<String, bool>,
    given_up: HashSet<String>,
    /// Data of answers that nobody has fetched yet, by the id of the request.
    kept: HashMap<String, Kept>,
}

/// Data of an answer, as it was written; the library has a stand-in.
#[derive(Debug, PartialEq)]
pub(super) enum Kept {
    /// The structured content.
    Structured(String),
    /// The whole result of a call: what it holds is copied no more often than it must.
    Result(String),
}

/// Bytes from which on the result of a call is kept whole.
const LARGE: usize = 64 << 10;
/// The method of a call.
const CALL: &str = "tools/call";

impl Asked {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was kept of the answer to this request.
    pub(super) fn take(&self, id: &str) -> Option<Kept> {
        self.lock().kept.remove(id)
    }

    /// A request is about to be made; `call` says whether it calls a tool.
    pub(super) fn wait_for(&self, id: &str, call: bool) {
        self.lock().waiting.insert(id.to_owned(), call);
    }

    /// A message of a server behind a URL as the library is to read it: large data of an answer is kept here.
    ///
    /// # Errors
    /// When it is none, or cannot be read at a cost that goes with its length and is no answer to a request.
    pub(super) fn short(&self, text: String) -> Result<String, String> {
        let cannot = |e: &dyn std::fmt::Display| format!("it wrote a message that cannot be read ({e})");
        let message: Message<'_> = serde_json::from_str(&text).map_err(|e| cannot(&e))?;
        let answered = message.id.map(RawValue::get).filter(|_| message.method.is_none());
        let waited = answered.and_then(|id| self.lock().waiting.remove(id));
        match (Light::of(text.as_bytes(), &message, waited == Some(true)), answered) {
            (Light::Whole, _) => Ok(text),
            (Light::Short { short, kept }, id) => {
                if let Some(id) = id.filter(|_| waited.is_some()) {
                    self.lock().kept.insert(id.to_owned(), kept);
                }
                String::from_utf8(short).map_err(|e| cannot(&e))
            }
            (Light::Refused(words), Some(id)) => Ok(refused(id, &words)),
            (Light::Refused(words), None) => Err(words),
        }
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

/// The error of an answer.
#[derive(Deserialize)]
struct Refusal<'a> {
    code: i32,
    #[serde(borrow)]
    message: Cow<'a, str>,
}

/// The result of a call.
#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow, default, rename = "structuredContent")]
    structured: Option<&'a RawValue>,
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
                if let Some(message) = self.checked(line) {
                    self.out.extend_from_slice(&message);
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
    fn checked(&self, line: Vec<u8>) -> Option<Vec<u8>> {
        let text = line.trim_ascii();
        if text.is_empty() {
            return None;
        }
        let fault = |why: &str| {
            self.words.fault(format!("{why}: {}; correct the server", beginning(text, &self.secrets)));
            None
        };
        let message: Message<'_> = match serde_json::from_slice(text) {
            Ok(message) => message,
            // What programs print beside their messages: told when no answer comes.
            Err(_) if !begins_a_message(text) => {
                self.words.odd(text);
                return None;
            }
            Err(e) => return fault(&format!("it wrote a message that cannot be read ({e})")),
        };
        if message.jsonrpc.is_none() {
            self.words.odd(text);
            return None;
        }
        let (id, answers) = (message.id.map(RawValue::get), message.method.is_none());
        if answers && message.result.is_none() && message.error.is_none() {
            return fault("it wrote a message with neither method nor result nor error");
        }
        // An error without an id is said of something it could not read.
        let (id, call) = match id.filter(|_| answers) {
            Some(id) => {
                let mut state = self.asked.lock();
                if state.given_up.remove(id) {
                    return None;
                }
                let Some(call) = state.waiting.remove(id) else {
                    drop(state);
                    return fault(&format!("it answered a request that nobody waits for (id {})", shown(id)));
                };
                (Some(id), call)
            }
            None if answers => return fault("it wrote an answer without the id of a request"),
            None => (None, false),
        };
        match (Light::of(&line, &message, call), id) {
            // The call that it answers is known: the others go on waiting.
            (Light::Refused(words), Some(id)) => Some(refused(id, &words).into_bytes()),
            (Light::Refused(words), None) => fault(&words),
            (Light::Short { short, kept }, Some(id)) => {
                self.asked.lock().kept.insert(id.to_owned(), kept);
                Some(short)
            }
            _ => Some(line),
        }
    }
}

/// A message as the library is to read it.
enum Light {
    /// As it is.
    Whole,
    /// With a stand-in for what is kept.
    Short { short: Vec<u8>, kept: Kept },
    /// Not at all, for this reason.
    Refused(String),
}

impl Light {
    fn of(line: &[u8], message: &Message<'_>, call: bool) -> Light {
        if let Some(result) = message.result.map(RawValue::get).filter(|r| call && r.len() > LARGE)
            && let Some(s) = span(line, result)
            && let (Some(before), Some(after)) = (line.get(..s.start), line.get(s.end..))
        {
            let short = [before, b"{\"content\":[]}", after].concat();
            return Light::Short { short, kept: Kept::Result(result.to_owned()) };
        }
        let content = message.result.and_then(|r| serde_json::from_str::<Content<'_>>(r.get()).ok());
        let span = content.and_then(|c| c.structured).and_then(|raw| span(line, raw.get()));
        let none = || (line, &[][..]);
        let (before, after) =
            span.as_ref().and_then(|s| Some((line.get(..s.start)?, line.get(s.end..)?))).unwrap_or_else(none);
        let mut all = Nesting::default();
        if !(all.within(before, DEEPEST) && all.within(after, DEEPEST) && all.values() <= VALUES) {
            let words = format!("its message is nested deeper than {DEEPEST} or holds more than {VALUES} values");
            return Light::Refused(words);
        }
        match message.error.map(|e| serde_json::from_str::<Refusal<'_>>(e.get())) {
            Some(Err(e)) => return Light::Refused(format!("its error cannot be read ({e})")),
            Some(Ok(r)) if r.message.is_empty() => {
                return Light::Refused(format!("it refused without a word (code {})", r.code));
            }
            _ => {}
        }
        let text = span.and_then(|s| std::str::from_utf8(line.get(s)?).ok());
        match text {
            Some(content) => {
                Light::Short { short: [before, b"{}", after].concat(), kept: Kept::Structured(content.to_owned()) }
            }
            None => Light::Whole,
        }
    }
}

/// An error in the place of an answer that cannot be read.
fn refused(id: &str, words: &str) -> String {
    let words = serde_json::Value::from(format!("{words}; correct the server"));
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"error\":{{\"code\":-32700,\"message\":{words}}}}}\n")
}

/// Whether a line that cannot be read was to be a message: an object that begins with a key in double quotes.
fn begins_a_message(text: &[u8]) -> bool {
    text.strip_prefix(b"{").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

/// An id as errors show it.
fn shown(id: &str) -> String {
    ptc_lisp::error::cut(ptc_lisp::escape::line(id), 40)
}

/// Where `part` stands in `line`, of which it is a part.
fn span(line: &[u8], part: &str) -> Option<std::ops::Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (line.get(start..end) == Some(part.as_bytes())).then_some(start..end)
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
                    self.asked.wait_for(id.get(), method == CALL);
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
    fn heard(line: &str) -> (String, String) {
        let lines = lines();
        let given = lines.checked(line.as_bytes().to_vec()).unwrap_or_default();
        (String::from_utf8(given).unwrap(), lines.words.last_fault())
    }

    #[test]
    fn answers_go_through_and_what_answers_nobody_is_told() {
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let result = |id: &str, rest: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},{rest}}}\n");
        for same in [
            result("1", "\"result\":{}"),
            result("\"3\"", "\"result\":5"),
            "{\"jsonrpc\":\"2.0\",\"method\":\"n\"}\n".into(),
            result("1", "\"error\":{\"code\":-1,\"message\":\"m\"}"),
        ] {
            assert_eq!(heard(&same), (same.clone(), String::new()));
        }
        for quiet in [
            " \n",
            "started\n",
            "[info] up\n",
            "{'a': 1}\n",
            "{\"level\":\"info\"}\n",
            "5\n",
            &result("2", "\"result\":{}"),
        ] {
            assert_eq!(heard(quiet), Default::default(), "{quiet}");
        }
        for (line, words) in [
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\n".to_owned(),
                "it wrote a message that cannot be read (EOF while parsing an object at line 1 column 34): \"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{\"; correct the server",
            ),
            (result("7", "\"result\":{}"), "it answered a request that nobody waits for (id 7): "),
            (result("3", "\"result\":{}"), "it answered a request that nobody waits for (id 3): "),
            (result("null", "\"error\":{}"), "it wrote an answer without the id of a request: "),
            (result("1", "\"reslut\":{}"), "it wrote a message with neither method nor result nor error: "),
            (
                format!("{{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":{deep}}}\n"),
                "its message is nested deeper than 100 or holds more than 500000 values: ",
            ),
        ] {
            let (given, told) = heard(&line);
            assert!(given.is_empty() && told.starts_with(words), "{line}: {given} {told}");
            assert!(told.len() < 400, "{told}");
        }
        for (line, words) in [
            (
                result("1", &format!("\"result\":{{\"content\":{deep}}}")),
                "its message is nested deeper than 100 or holds more than 500000 values; correct the server",
            ),
            (
                result("1", &format!("\"result\":[0{}]", ",0".repeat(500_000))),
                "its message is nested deeper than 100 or holds more than 500000 values; correct the server",
            ),
            (result("1", "\"error\":5"), "its error cannot be read ("),
        ] {
            let (given, told) = heard(&line);
            let start = format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{{\"code\":-32700,\"message\":\"{words}");
            assert!(told.is_empty() && given.starts_with(&start), "{given} {told}");
        }
        // Answered once is answered.
        let lines = lines();
        let once = result("1", "\"result\":{}");
        assert!(lines.checked(once.clone().into_bytes()).is_some() && lines.checked(once.into_bytes()).is_none());
    }

    #[test]
    fn structured_content_stays_text() {
        let lines = lines();
        let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
        let line =
            format!("{{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{{\"structuredContent\": {deep} ,\"content\":[]}}}}\n");
        let given = lines.checked(line.into_bytes()).unwrap();
        let expected = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"structuredContent\": {} ,\"content\":[]}}\n";
        assert_eq!(String::from_utf8(given).unwrap(), expected);
        assert_eq!(lines.asked.take("1"), Some(Kept::Structured(deep)));
        assert_eq!(lines.asked.take("1"), None);
    }

    #[test]
    fn a_large_result_of_a_call_stays_text() {
        let lines = lines();
        let large = format!("{{\"content\":[{}0]}}", "{\"x\":[]},".repeat(10_000));
        lines.asked.wait_for("7", true);
        let answer = |id: &str| format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{large} }}\n").into_bytes();
        let given = String::from_utf8(lines.checked(answer("7")).unwrap()).unwrap();
        assert_eq!(given, "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"content\":[]} }\n");
        assert_eq!(lines.asked.take("7"), Some(Kept::Result(large.clone())));
        // Of another request it is read by the library, as is what is not large.
        assert_eq!(lines.checked(answer("1")), Some(answer("1")));
        lines.asked.wait_for("8", true);
        let small = b"{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"content\":[]}}\n".to_vec();
        assert_eq!(lines.checked(small.clone()), Some(small));
    }
}
