//! What clients send, checked before anything is done with it: one message of JSON-RPC 2.0, or a batch of them.

use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;

/// The one version of MCP that has batches.
pub(super) const BATCH_VERSION: &str = "2025-03-26";
/// Most messages of a batch.
const BATCH_MESSAGES: usize = 100;

/// Methods that a request is read as nothing else of: what cannot be read as one has wrong parameters.
const METHODS: [&str; 10] = [
    "initialize",
    "ping",
    "tools/call",
    "tools/list",
    "resources/list",
    "resources/read",
    "resources/templates/list",
    "prompts/get",
    "prompts/list",
    "completion/complete",
];

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const INVALID_PARAMS: i32 = -32602;

/// Why something is no message.
#[derive(Debug, PartialEq)]
pub(super) struct BrokenMessage {
    code: i32,
    words: String,
    /// The id that it has, as JSON; `null` where that cannot be read.
    id: Value,
}

impl BrokenMessage {
    pub(super) fn invalid(words: impl Into<String>) -> Self {
        BrokenMessage { code: INVALID_REQUEST, words: words.into(), id: Value::Null }
    }

    /// The error that answers it.
    pub(super) fn answer(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": { "code": self.code, "message": self.words } })
    }
}

/// What a message is, before its method is looked at.
#[derive(Debug)]
pub(super) struct Envelope<'a> {
    /// The message as it was sent.
    pub(super) text: &'a str,
    /// Its method; responses have none.
    pub(super) method: Option<Cow<'a, str>>,
    /// The version of MCP that a client asks for in `initialize`.
    pub(super) version: Option<String>,
    pub(super) message: ClientJsonRpcMessage,
}

/// What was sent at once.
#[derive(Debug)]
pub(super) enum Incoming<'a> {
    One(Box<Envelope<'a>>),
    /// At least one message, each whole or broken.
    Batch(Vec<Result<Envelope<'a>, BrokenMessage>>),
}

/// The parts of a message, each as it stands there.
#[derive(Deserialize)]
struct Parts<'a> {
    #[serde(borrow, default, deserialize_with = "present")]
    jsonrpc: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    method: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    params: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    result: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "present")]
    error: Option<&'a RawValue>,
}

/// A member that is there, be it null.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(from).map(Some)
}

/// Reads what a client sent. `batches` is whether its version of the protocol has them.
pub(super) fn read(sent: &[u8], batches: bool) -> Result<Incoming<'_>, BrokenMessage> {
    let parse = |words: String| BrokenMessage { code: PARSE_ERROR, words, id: Value::Null };
    let text = std::str::from_utf8(sent).map_err(|e| parse(format!("not UTF-8 text at byte {}", e.valid_up_to())))?;
    if text.trim_ascii().is_empty() {
        return Err(parse("no message; send one of JSON-RPC".to_owned()));
    }
    let whole: &RawValue = serde_json::from_str(text).map_err(|e| parse(format!("not JSON: {e}")))?;
    if !whole.get().starts_with('[') {
        return envelope(whole.get()).map(|one| Incoming::One(Box::new(one)));
    }
    if !batches {
        let words = format!("a list of messages: only version {BATCH_VERSION} of the protocol has batches; send one");
        return Err(BrokenMessage::invalid(words));
    }
    let all: Vec<&RawValue> = serde_json::from_str(whole.get()).map_err(|e| parse(format!("not JSON: {e}")))?;
    match all.len() {
        0 => Err(BrokenMessage::invalid("a batch without messages")),
        n if n > BATCH_MESSAGES => {
            Err(BrokenMessage::invalid(format!("a batch of {n} messages, the most is {BATCH_MESSAGES}; send several")))
        }
        _ => Ok(Incoming::Batch(all.into_iter().map(|one| envelope_of_batch(one.get())).collect())),
    }
}

fn envelope_of_batch(text: &str) -> Result<Envelope<'_>, BrokenMessage> {
    let one = envelope(text)?;
    match one.method.as_deref() {
        Some("initialize") => {
            let id = serde_json::from_str::<Value>(text).map_or(Value::Null, |mut v| v["id"].take());
            Err(BrokenMessage { id, ..BrokenMessage::invalid("initialize in a batch; send it alone") })
        }
        _ => Ok(one),
    }
}

/// Reads one message.
fn envelope(text: &str) -> Result<Envelope<'_>, BrokenMessage> {
    let parts: Parts<'_> = match text.starts_with('{') {
        true => serde_json::from_str(text).map_err(|e| BrokenMessage::invalid(format!("no message: {e}")))?,
        false => return Err(BrokenMessage::invalid("not an object; a message of JSON-RPC is one")),
    };
    let id = parts.id.map(|id| serde_json::from_str::<Value>(id.get()).unwrap_or_default());
    let readable = |id: &&Value| id.is_string() || id.is_i64();
    let shown = id.as_ref().filter(readable).cloned().unwrap_or_default();
    let broken = |code: i32, words: &str| Err(BrokenMessage { code, words: words.to_owned(), id: shown.clone() });
    if parts.jsonrpc.is_none_or(|version| version.get() != "\"2.0\"") {
        return broken(INVALID_REQUEST, "jsonrpc is missing or not \"2.0\"");
    }
    let answered = usize::from(parts.result.is_some()).saturating_add(usize::from(parts.error.is_some()));
    let method = match parts.method {
        Some(_) if answered > 0 => return broken(INVALID_REQUEST, "a message with method has no result and no error"),
        Some(method) => match serde_json::from_str::<Cow<'_, str>>(method.get()) {
            Ok(method) => Some(method),
            Err(_) => return broken(INVALID_REQUEST, "method is not a string"),
        },
        None if answered == 1 => None,
        None if answered > 1 => return broken(INVALID_REQUEST, "a response has either result or error"),
        None => return broken(INVALID_REQUEST, "method is missing"),
    };
    // An error that nobody's id belongs to answers nothing of ours, and is not answered either.
    let of_nothing = parts.error.is_some() && id.as_ref().is_none_or(Value::is_null);
    if !of_nothing && (id.as_ref().is_some_and(|id| !readable(&id)) || (method.is_none() && id.is_none())) {
        return broken(INVALID_REQUEST, "id is not a string or a whole number");
    }
    match parts.params.map(|p| p.get().as_bytes().first().copied()) {
        None | Some(Some(b'{' | b'n')) => {}
        Some(Some(b'[')) => return broken(INVALID_PARAMS, "params is a list; MCP has objects"),
        Some(_) => return broken(INVALID_REQUEST, "params is not an object"),
    }
    let is_request = method.is_some() && id.is_some();
    let message = match serde_json::from_str::<ClientJsonRpcMessage>(text) {
        Ok(message) => message,
        Err(e) => {
            let code = if is_request { INVALID_PARAMS } else { INVALID_REQUEST };
            let what = method.as_deref().unwrap_or("the response");
            let what = ptc_text::cut::one_line(what, 60);
            return broken(code, &ptc_text::cut::one_line(&format!("{what} cannot be read: {e}"), 300));
        }
    };
    let version = match &message {
        ClientJsonRpcMessage::Request(of) => match &of.request {
            ClientRequest::InitializeRequest(init) => Some(init.params.protocol_version.to_string()),
            ClientRequest::CustomRequest(other) if METHODS.contains(&other.method.as_str()) => {
                return broken(INVALID_PARAMS, &format!("params are not those of {}", other.method));
            }
            _ => None,
        },
        _ => None,
    };
    Ok(Envelope { text, method, version, message })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn code(sent: &[u8], batches: bool) -> (i32, Value) {
        match read(sent, batches) {
            Err(broken) => (broken.code, broken.id),
            Ok(read) => panic!("{}: {read:?}", String::from_utf8_lossy(sent)),
        }
    }

    #[test]
    fn what_is_no_message_says_which_kind_of_wrong_it_is() {
        let none = Value::Null;
        for sent in [
            &b""[..],
            b" \r\n",
            b"{",
            b"{\"jsonrpc\":",
            b"nope",
            b"{} {}",
            b"\"\xff\"",
            b"{\"id\":\"\xc3\"}",
            b"\0",
            b"[1,",
        ] {
            assert_eq!(code(sent, true), (PARSE_ERROR, none.clone()), "{}", String::from_utf8_lossy(sent));
        }
        for sent in [
            "1",
            "\"ping\"",
            "null",
            "true",
            "[]",
            "{}",
            r#"{"jsonrpc":"2.0"}"#,
            r#"{"jsonrpc":"1.0","method":"ping"}"#,
            r#"{"jsonrpc":2.0,"method":"ping"}"#,
            r#"{"method":"ping"}"#,
            r#"{"jsonrpc":"2.0","method":1,"params":"bar"}"#,
            r#"{"jsonrpc":"2.0","method":null}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":null}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":1.5}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":{}}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":[1]}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":true}"#,
            r#"{"jsonrpc":"2.0","method":"ping","id":99999999999999999999}"#,
            r#"{"jsonrpc":"2.0","result":{}}"#,
            r#"{"jsonrpc":"2.0","method":"a","method":"b"}"#,
        ] {
            assert_eq!(code(sent.as_bytes(), true), (INVALID_REQUEST, none.clone()), "{sent}");
        }
        for sent in [
            r#"{"jsonrpc":"2.0","id":"a"}"#,
            r#"{"id":"a","method":"ping"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":"x"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"ping","result":{}}"#,
            r#"{"jsonrpc":"2.0","id":"a","result":{},"error":{"code":1,"message":""}}"#,
        ] {
            assert_eq!(code(sent.as_bytes(), true), (INVALID_REQUEST, "a".into()), "{sent}");
        }
        for sent in [
            r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":5}}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call"}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"initialize","params":{}}"#,
        ] {
            assert_eq!(code(sent.as_bytes(), true), (INVALID_PARAMS, "a".into()), "{sent}");
        }
    }

    #[test]
    fn messages_and_batches_are_read_where_they_may_be() {
        for sent in [
            r#"{"jsonrpc":"2.0","id":0,"method":"ping"}"#,
            r#" {"jsonrpc":"2.0","id":"x","method":"of/others","params":{"a":1}} "#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/of-others","params":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":{}}"#,
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}"#,
            r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m"}}"#,
        ] {
            assert!(
                matches!(read(sent.as_bytes(), false), Ok(Incoming::One(_))),
                "{sent}: {:?}",
                read(sent.as_bytes(), false)
            );
        }
        let batch = br#"[{"jsonrpc":"2.0","id":1,"method":"ping"}, 1, {"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}]"#;
        assert_eq!(code(batch, false), (INVALID_REQUEST, Value::Null));
        let Ok(Incoming::Batch(all)) = read(batch, true) else { panic!("a batch") };
        let codes: Vec<_> = all.iter().map(|one| one.as_ref().err().map(|b| (b.code, b.id.clone()))).collect();
        assert_eq!(codes, [None, Some((INVALID_REQUEST, Value::Null)), Some((INVALID_REQUEST, "i".into()))]);
        let many = format!("[{}]", vec!["1"; BATCH_MESSAGES + 1].join(","));
        assert_eq!(code(many.as_bytes(), true).0, INVALID_REQUEST);
    }
}
