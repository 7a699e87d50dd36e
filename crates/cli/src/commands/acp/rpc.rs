//! Messages of JSON-RPC, a line each: what an editor says, and why it is refused.

use serde_json::{Value, json};
use std::io::{self, BufRead};

/// Most bytes of a line. A longer one is passed over, so that it cannot take all memory.
pub const MOST_BYTES: usize = 16 << 20;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: i64,
    message: String,
}

impl Fault {
    /// It is no JSON.
    pub fn no_json(message: impl Into<String>) -> Self {
        Fault { code: -32700, message: message.into() }
    }

    /// It cannot be done now, or is no request.
    pub fn refused(message: impl Into<String>) -> Self {
        Fault { code: -32600, message: message.into() }
    }

    /// There is no such method.
    pub fn no_method(method: &str) -> Self {
        let shown = ptc_text::cut::one_line(method, 60);
        Fault { code: -32601, message: format!("there is no method {shown:?} here") }
    }

    /// What it is given is wrong.
    pub fn params(message: impl Into<String>) -> Self {
        Fault { code: -32602, message: message.into() }
    }

    /// It was begun, and could not be done.
    pub fn failed(message: impl Into<String>) -> Self {
        Fault { code: -32603, message: message.into() }
    }

    /// There is no such session.
    pub fn no_session(id: &str) -> Self {
        let shown = ptc_text::cut::one_line(id, 60);
        Fault {
            code: -32002,
            message: format!("there is no session {shown:?}; session/list tells those that are kept"),
        }
    }

    /// As the error of an answer.
    pub fn json(&self) -> Value {
        json!({ "code": self.code, "message": self.message })
    }
}

impl From<ptc_agent::Error> for Fault {
    fn from(e: ptc_agent::Error) -> Self {
        Fault::failed(e.text())
    }
}

/// What an editor said.
#[derive(Debug, PartialEq)]
pub enum Message {
    /// It waits for an answer to this.
    Request { id: Value, method: String, params: Value },
    /// It waits for nothing.
    Notification { method: String, params: Value },
    /// It answers what it was asked under this number.
    Answer { id: u64, result: Option<Value> },
    /// It cannot be understood.
    Bad { id: Value, fault: Fault },
}

/// Reads a message.
pub fn parse(line: &[u8]) -> Message {
    let bad = |id: Value, fault: Fault| Message::Bad { id, fault };
    let mut all = match serde_json::from_slice::<Value>(line) {
        Ok(Value::Object(all)) => all,
        Ok(_) => return bad(Value::Null, Fault::refused("a message is one object")),
        Err(e) => return bad(Value::Null, Fault::no_json(format!("the line is no JSON: {e}"))),
    };
    let id = match all.remove("id") {
        Some(id @ (Value::String(_) | Value::Number(_))) => Some(id),
        None | Some(Value::Null) => None,
        Some(_) => return bad(Value::Null, Fault::refused("an id is a number or a text")),
    };
    let params = all.remove("params").unwrap_or(Value::Null);
    match (id, all.remove("method")) {
        (Some(id), Some(Value::String(method))) => Message::Request { id, method, params },
        (None, Some(Value::String(method))) => Message::Notification { method, params },
        (Some(id), None) if all.contains_key("result") || all.contains_key("error") => match id.as_u64() {
            Some(id) => Message::Answer { id, result: all.remove("result") },
            None => bad(Value::Null, Fault::refused("no request has this id")),
        },
        (id, _) => bad(id.unwrap_or_default(), Fault::refused("a message has a method, or is an answer")),
    }
}

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    Whole(Vec<u8>),
    /// It was longer than allowed, and is passed over.
    TooLong,
}

/// The next line that is not blank; `None` at the end. What stands behind the last line end is no whole message: whoever wrote it is gone.
///
/// # Errors
/// When it cannot be read.
pub fn next_line(input: &mut dyn BufRead, most: usize) -> io::Result<Option<Line>> {
    let (mut line, mut long) = (Vec::new(), false);
    loop {
        let piece = match input.fill_buf() {
            Ok([]) => return Ok(None),
            Ok(piece) => piece,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = piece.iter().position(|b| *b == b'\n');
        let (taken, used) =
            (piece.get(..end.unwrap_or(piece.len())).unwrap_or_default(), end.map(|e| e.saturating_add(1)));
        long = long || line.len().saturating_add(taken.len()) > most;
        if long {
            line = Vec::new();
        } else {
            line.extend_from_slice(taken);
        }
        let used = used.unwrap_or(piece.len());
        input.consume(used);
        if end.is_none() {
            continue;
        }
        if long {
            return Ok(Some(Line::TooLong));
        }
        if !line.trim_ascii().is_empty() {
            return Ok(Some(Line::Whole(line)));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use std::io::{BufReader, Cursor};

    #[test]
    fn lines_are_whole_and_bounded() {
        let text = b"one\n\n  \r\n0123456789abc\ntwo\nhalf".to_vec();
        // A buffer smaller than a line, too.
        for capacity in [1, 4, 100] {
            let mut input = BufReader::with_capacity(capacity, Cursor::new(text.clone()));
            let mut next = || next_line(&mut input, 10).unwrap();
            assert_eq!(next(), Some(Line::Whole(b"one".to_vec())));
            assert_eq!(next(), Some(Line::TooLong));
            assert_eq!(next(), Some(Line::Whole(b"two".to_vec())));
            assert_eq!(next(), None);
        }
    }

    #[test]
    fn messages_are_what_they_say_and_nothing_else_panics() {
        let request = parse(br#"{"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}}"#);
        assert_eq!(request, Message::Request { id: json!("a"), method: "m".into(), params: json!({"x": 1}) });
        assert!(matches!(parse(br#"{"method":"m","id":null}"#), Message::Notification { .. }));
        assert_eq!(parse(br#"{"id":3,"result":{}}"#), Message::Answer { id: 3, result: Some(json!({})) });
        assert_eq!(parse(br#"{"id":3,"error":{"code":1}}"#), Message::Answer { id: 3, result: None });
        let deep = "[".repeat(100_000);
        for bad in
            ["", "{", "[]", "3", "{}", r#"{"id":[]}"#, r#"{"id":1,"method":5}"#, r#"{"id":"x","result":1}"#, &deep]
        {
            assert!(matches!(parse(bad.as_bytes()), Message::Bad { .. }), "{bad}");
        }
        assert!(matches!(parse(&[0xff, 0xfe]), Message::Bad { id: Value::Null, .. }));
    }
}
