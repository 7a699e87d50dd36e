//! Errors of a request: read from the client's error, and whether to retry.

use super::endpoint::Endpoint;
use super::name::ModelName;
use super::retry::asked;
use crate::error::{Error, ErrorKind, ErrorText, ModelErrorKind};
use crate::error_text;
use genai::webc::Error as WebError;
use reqwest::header::HeaderMap;
use serde_json::Value;
use std::time::Duration;

/// Why one try failed.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RequestError {
    pub kind: Kind,
    /// Whether another try may go better.
    pub again: bool,
    /// How long the provider asks to wait first.
    pub wait: Option<Duration>,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    /// A status that is no success, and what was said with it.
    Status(u16, Said),
    Unreachable(String),
    Timeout {
        what: &'static str,
        after: Duration,
        setting: &'static str,
    },
    Disconnected,
    Malformed(String),
    Empty {
        why: String,
        cut: bool,
    },
    /// More than an answer may have.
    TooLarge {
        what: Part,
        most: u64,
    },
    /// Any other failure on this side, such as a request that cannot be made; in words.
    Other(String),
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Bytes of the answer.
    Bytes,
    /// Values in it, or brackets inside each other.
    Values,
    /// Tool calls and other blocks.
    Blocks,
}

/// What a provider says of an error: words for people, and for programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Said {
    message: String,
    /// Its `code`, `type`, `status`, lower case, one after the other.
    code: String,
}

/// Who was asked: what errors name.
pub(super) struct Asked<'a> {
    pub name: &'a ModelName,
    pub endpoint: &'a Endpoint,
}

impl RequestError {
    pub(super) fn new(kind: Kind) -> Self {
        let again = match &kind {
            Kind::Status(status, said) => repeatable(*status) && !said.is_quota(),
            Kind::Unreachable(_) | Kind::Disconnected => true,
            // Of the whole time nothing is left.
            Kind::Timeout { setting, .. } => *setting != "timeout",
            Kind::Malformed(_) | Kind::Empty { .. } | Kind::TooLarge { .. } | Kind::Other(_) => false,
        };
        RequestError { kind, again, wait: None }
    }

    /// Why the try failed, in a few words of ours: nothing that a server said is in them.
    pub(super) fn reason(&self) -> String {
        match &self.kind {
            Kind::Status(429, _) => "too many requests".to_owned(),
            Kind::Status(status, _) => format!("the provider fails ({status})"),
            Kind::Unreachable(_) => "the provider cannot be reached".to_owned(),
            Kind::Timeout { what, after, .. } => format!("the provider {what} in {} s", after.as_secs()),
            Kind::Disconnected => "the answer broke off".to_owned(),
            Kind::Malformed(_) => "the answer cannot be read".to_owned(),
            Kind::Empty { .. } => "the answer is empty".to_owned(),
            Kind::TooLarge { .. } => "the answer is too large".to_owned(),
            Kind::Other(_) => "the request failed".to_owned(),
        }
    }

    /// Reads the client's error. `now` is in seconds since 1970.
    pub(super) fn read(error: &genai::Error, retry: &super::RetryPolicy, now: i64) -> Self {
        use genai::Error as E;
        match error {
            E::HttpError { status, body, headers, .. } => Self::status(status.as_u16(), body, headers, now),
            E::WebModelCall { webc_error, .. } | E::WebAdapterCall { webc_error, .. } => match webc_error {
                WebError::ResponseFailedStatus { status, body, headers } => {
                    Self::status(status.as_u16(), body, headers, now)
                }
                WebError::ResponseFailedNotJson { content_type, .. } => Self::new(Kind::Malformed(format!(
                    "it is {}, not JSON",
                    if content_type.is_empty() { "of no type" } else { content_type }
                ))),
                WebError::ResponseFailedInvalidJson { cause, .. } => {
                    Self::new(Kind::Malformed(format!("it is no JSON: {cause}")))
                }
                WebError::Reqwest(e) => Self::web(e, retry),
                WebError::JsonValueExt(e) => Self::new(Kind::Malformed(e.to_string())),
            },
            E::WebStream { error, .. } => {
                if let Some(inner) = error.downcast_ref::<genai::Error>() {
                    Self::read(inner, retry, now)
                } else if let Some(e) = error.downcast_ref::<reqwest::Error>() {
                    Self::web(e, retry)
                } else {
                    Self::new(Kind::Malformed(error.to_string()))
                }
            }
            // An error in the middle of a stream: its status is in its words.
            E::ChatResponse { body, .. } => match Said::read(body) {
                said if said.message.is_empty() && said.code.is_empty() => {
                    Self::new(Kind::Empty { why: reason(body), cut: false })
                }
                said => Self::new(Kind::Status(said.as_status(), said)),
            },
            // `response.failed` of Responses comes as words in a parser's error; a parser's own is about syntax.
            E::StreamParse { serde_error, .. } if serde_error.is_data() => {
                let said = Said { message: serde_error.to_string(), code: "server_error".into() };
                Self::new(Kind::Status(500, said))
            }
            E::StreamParse { serde_error, .. } => Self::new(Kind::Malformed(format!("it is no JSON: {serde_error}"))),
            E::ChatResponseGeneration { cause, .. } => Self::new(Kind::Malformed(cause.clone())),
            E::JsonValueExt(e) => Self::new(Kind::Malformed(e.to_string())),
            E::SerdeJson(e) => Self::new(Kind::Malformed(e.to_string())),
            E::NoChatResponse { .. } | E::InvalidJsonResponseElement { .. } => {
                Self::new(Kind::Malformed("it holds no answer".into()))
            }
            other => Self::new(Kind::Other(other.to_string())),
        }
    }

    fn status(status: u16, body: &str, headers: &HeaderMap, now: i64) -> Self {
        let said = match serde_json::from_str::<Value>(body) {
            Ok(v) => Said::read(&v),
            // A page of a proxy says nothing to anyone.
            Err(_) if body.trim_start().starts_with('<') => Said::default(),
            Err(_) => Said { message: body.to_owned(), code: String::new() },
        };
        let mut out = Self::new(Kind::Status(status, said));
        out.wait = asked(headers, now);
        match headers.get("x-should-retry").and_then(|v| v.to_str().ok()) {
            Some("true") => out.again = true,
            Some("false") => out.again = false,
            _ => {}
        }
        out
    }

    /// An error that came as an answer that succeeded, as it would have come otherwise.
    pub(super) fn in_body(body: &Value) -> Self {
        let said = Said::read(body);
        Self::new(Kind::Status(said.as_status(), said))
    }

    pub(super) fn web(e: &reqwest::Error, retry: &super::RetryPolicy) -> Self {
        if e.is_connect() && e.is_timeout() {
            let (after, setting) = (retry.connect, "connect_timeout");
            return Self::new(Kind::Timeout { what: "gives no connection", after, setting });
        }
        if e.is_builder() {
            return Self::new(Kind::Other(format!("the request cannot be made: {}", root(e))));
        }
        if e.is_connect() {
            return Self::new(Kind::Unreachable(root(e)));
        }
        if e.is_timeout() {
            return Self::idle(retry);
        }
        Self::new(Kind::Disconnected)
    }

    /// A stream that has begun and says nothing more.
    pub(super) fn idle(retry: &super::RetryPolicy) -> Self {
        Self::new(Kind::Timeout { what: "says nothing more", after: retry.idle, setting: "idle_timeout" })
    }

    /// As an error, after so many tries; `told` is whether a part of the answer was told already.
    pub(super) fn into_error(self, asked: &Asked<'_>, tries: u32, told: bool) -> Error {
        use ModelErrorKind as R;
        let (model, url) = (asked.name, asked.endpoint.shown());
        let address = asked.endpoint.url_variable;
        let given_up = format!("given up after {}", counted(tries));
        let clean = |text: &str| line(&asked.endpoint.without_key(text));
        let status = match &self.kind {
            // 0: an error that came in the stream names none.
            Kind::Status(status, _) => Some(*status).filter(|s| *s > 0),
            _ => None,
        };
        let (reason, words) = match self.kind {
            Kind::Status(status, said) => {
                let words = clean(said.or_none());
                of_status(asked, status, &said, &words, &given_up)
            }
            Kind::Unreachable(why) => (
                R::Unreachable,
                error_text!("no connection to {url} ({}), {given_up}", clean(&why); "is the server running? The address is {address}"),
            ),
            Kind::Timeout { what, after, setting } => {
                let seconds = after.as_secs_f64().ceil() as u64;
                let hint = format!("is the server busy? Raise {setting} in [model], or lower max_tokens");
                (R::Timeout, error_text!("{url} {what} within {seconds} s, {given_up}"; "{hint}"))
            }
            Kind::Disconnected => {
                let shown = if told { " after its beginning was shown" } else { "" };
                (R::Disconnected, error_text!("the answer of {url} broke off{shown}, {given_up}"; "try again"))
            }
            Kind::Malformed(why) => (R::Malformed, malformed(asked, &clean(&why))),
            Kind::TooLarge { what, most } => {
                let (more, hint) = match what {
                    Part::Bytes => ("bytes", "raise answer_bytes in [model] if that is meant"),
                    Part::Values => ("values, or values nested too deep", "ask another server"),
                    Part::Blocks => ("tool calls and other blocks", "ask in other words"),
                };
                let most = if what == Part::Bytes { format!("answer_bytes = {most}") } else { most.to_string() };
                (R::TooLarge, error_text!("the answer of {url} has more than {most} {more}"; "{hint}"))
            }
            Kind::Empty { why, cut } => {
                let hint = match cut {
                    true => "raise max_tokens in [model]: all of it went into thoughts",
                    false => "ask in other words, or ask another model",
                };
                (R::Empty, error_text!("the answer is empty ({})", clean(&why); "{hint}"))
            }
            Kind::Other(why) => (R::Other, clean(&why).into()),
        };
        Error::new(ErrorKind::Model { reason, status, tries }, words).at(&model.to_string())
    }
}

/// What a status that is no success means; `said` is what the provider says of it, `words` the same for people.
fn of_status(asked: &Asked<'_>, status: u16, said: &Said, words: &str, given_up: &str) -> (ModelErrorKind, ErrorText) {
    use ModelErrorKind as R;
    let (url, key, address) = (asked.endpoint.shown(), &asked.endpoint.key_variable, asked.endpoint.url_variable);
    if said.is_too_long() {
        let hint = "set max_tokens or compress_history in [history], or give it less";
        return (R::TooLong, error_text!("the conversation is too long: {words}"; "{hint}"));
    }
    if status == 402 || said.is_quota() {
        let hint = "add credit at the provider, or use another key";
        return (R::Quota, error_text!("the account has no credit left: {words}"; "{hint}"));
    }
    if said.is_about_the_key() || matches!(status, 401 | 403) {
        let hint = format!("check {key}, and what the key is allowed");
        return (R::Unauthorized, error_text!("{url} does not take the key ({status}): {words}"; "{hint}"));
    }
    match status {
        300..=399 => (R::Malformed, malformed(asked, "it leads elsewhere; write the address that it leads to")),
        404 => {
            let hint = format!("check its name, and the address in {address}");
            (R::UnknownModel, error_text!("{url} has no such model: {words}"; "{hint}"))
        }
        429 => {
            let hint = "wait, or ask the provider for a higher limit";
            (R::RateLimited, error_text!("too many requests, {given_up}: {words}"; "{hint}"))
        }
        400.. if !repeatable(status) => {
            let hint = "check [model], it may ask for what this model cannot";
            (R::Refused, error_text!("{url} refuses the request ({status}): {words}"; "{hint}"))
        }
        _ => (R::Overloaded, error_text!("{url} fails ({status}), {given_up}: {words}"; "try again later")),
    }
}

/// Of an answer that is not in the form of the provider.
fn malformed(asked: &Asked<'_>, why: &str) -> ErrorText {
    let (url, address) = (asked.endpoint.shown(), asked.endpoint.url_variable);
    error_text!("the answer of {url} cannot be read: {why}"; "does {address} name a server of this kind?")
}

/// How often something was tried, in words.
fn counted(tries: u32) -> String {
    match tries {
        1 => "1 try".to_owned(),
        n => format!("{n} tries"),
    }
}

/// Statuses that may be gone at the next try. 409 is a lock that was held (OpenAI's and Anthropic's own libraries ask
/// again then too).
fn repeatable(status: u16) -> bool {
    matches!(status, 408 | 409 | 429 | 500..=599)
}

impl Said {
    fn read(body: &Value) -> Self {
        let body = body.as_array().and_then(|a| a.first()).unwrap_or(body);
        let error = body.get("error").filter(|e| !e.is_null()).unwrap_or(body);
        let text = |v: &Value| v.as_str().map(str::to_owned).or_else(|| v.as_u64().map(|n| n.to_string()));
        let message = error.as_str().or_else(|| error.get("message")?.as_str());
        let message = message.or_else(|| body.get("message")?.as_str()).unwrap_or_default().to_owned();
        let reasons = error.get("details").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let codes = ["code", "type", "status"].into_iter().filter_map(|k| text(error.get(k)?));
        let codes = codes.chain(reasons.iter().filter_map(|r| text(r.get("reason")?)));
        Said { message, code: codes.collect::<Vec<_>>().join(" ").to_lowercase() }
    }

    /// The status that an error in a stream would have had.
    fn as_status(&self) -> u16 {
        if let Some(n) = self.code.split(' ').find_map(|w| w.parse().ok()).filter(|n| (400..600).contains(n)) {
            return n;
        }
        let is = |words: &[&str]| words.iter().any(|w| self.code.contains(w));
        match () {
            () if is(&["overloaded", "unavailable"]) => 529,
            () if is(&["rate_limit", "resource_exhausted"]) => 429,
            () if is(&["authentication", "invalid_api_key"]) => 401,
            () if is(&["permission"]) => 403,
            () if is(&["not_found"]) => 404,
            () if is(&["invalid"]) => 400,
            () => 500,
        }
    }

    fn is_too_long(&self) -> bool {
        let message = self.message.to_lowercase();
        ["context_length_exceeded", "exceed_context_size"].iter().any(|c| self.code.contains(c))
            || [
                "maximum context length",
                "context window",
                "prompt is too long",
                "context size",
                "exceeds the maximum number of tokens",
                "input is too long",
                "context limit",
            ]
            .iter()
            .any(|w| message.contains(w))
    }

    fn is_quota(&self) -> bool {
        self.code.contains("insufficient_quota")
            || self.code.contains("billing")
            || self.message.to_lowercase().contains("credit balance")
    }

    fn is_about_the_key(&self) -> bool {
        ["invalid_api_key", "api_key_invalid"].iter().any(|c| self.code.contains(c))
            || self.message.to_lowercase().contains("api key not valid")
    }

    fn or_none(&self) -> &str {
        if self.message.trim().is_empty() { "it says nothing more" } else { self.message.trim() }
    }
}

/// Why a provider gives nothing: its reason, if it names one.
fn reason(body: &Value) -> String {
    let found = body.get("finishReason").and_then(Value::as_str);
    found.map_or_else(|| "the provider gives no reason".to_owned(), |r| format!("the provider says {r}"))
}

/// The innermost cause, in the words of the system.
fn root(e: &reqwest::Error) -> String {
    let mut at: &dyn std::error::Error = e;
    while let Some(next) = at.source() {
        at = next;
    }
    at.to_string()
}

/// One line of bounded length with nothing in it that a terminal would obey.
fn line(text: &str) -> String {
    const MAX_CHARS: usize = 300;
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    let cut = text.char_indices().nth(MAX_CHARS).map(|(at, _)| at);
    let short = cut.and_then(|at| text.get(..at)).map(|t| format!("{t}..."));
    ptc_lisp::escape::line(short.as_deref().unwrap_or(&text).trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(status: u16, body: &str) -> (bool, String) {
        let name = "openai/gpt-5.1".parse().unwrap();
        let environment = [("OPENAI_API_KEY", "sk-secret"), ("OPENAI_BASE_URL", "http://h/v1")].into_iter().collect();
        let endpoint = Endpoint::of(&name, &environment).unwrap();
        let failure = RequestError::status(status, body, &HeaderMap::new(), 0);
        let again = failure.again;
        (again, failure.into_error(&Asked { name: &name, endpoint: &endpoint }, 4, false).to_string())
    }

    #[test]
    fn each_status_has_its_error_and_says_what_to_do() {
        let openai =
            |code: &str, words: &str| json!({"error": {"message": words, "code": code, "type": "x"}}).to_string();
        let key = "check OPENAI_API_KEY, and what the key is allowed";
        for (status, body, again, words) in [
            (401, openai("invalid_api_key", "Incorrect API key provided: sk-secret."), false,
                format!("openai/gpt-5.1: http://h/v1 does not take the key (401): Incorrect API key provided: $OPENAI_API_KEY; {key}")),
            (403, String::new(), false, format!("openai/gpt-5.1: http://h/v1 does not take the key (403): it says nothing more; {key}")),
            (400, json!([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}]).to_string(), false,
                format!("openai/gpt-5.1: http://h/v1 does not take the key (400): API key not valid. Please pass a valid API key; {key}")),
            (404, openai("model_not_found", "The model `x` does not exist"), false,
                "openai/gpt-5.1: http://h/v1 has no such model: The model `x` does not exist; check its name, and the address in OPENAI_BASE_URL".into()),
            (404, r#"{"error":"model 'x' not found"}"#.into(), false,
                "openai/gpt-5.1: http://h/v1 has no such model: model 'x' not found; check its name, and the address in OPENAI_BASE_URL".into()),
            (429, openai("rate_limit_exceeded", "Slow\ndown"), true,
                "openai/gpt-5.1: too many requests, given up after 4 tries: Slow down; wait, or ask the provider for a higher limit".into()),
            (429, openai("insufficient_quota", "You exceeded your current quota"), false,
                "openai/gpt-5.1: the account has no credit left: You exceeded your current quota; add credit at the provider, or use another key".into()),
            (529, json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}).to_string(), true,
                "openai/gpt-5.1: http://h/v1 fails (529), given up after 4 tries: Overloaded; try again later".into()),
            (502, "<html>".into(), true,
                "openai/gpt-5.1: http://h/v1 fails (502), given up after 4 tries: it says nothing more; try again later".into()),
            (400, openai("context_length_exceeded", "This model's maximum context length is 8 tokens"), false,
                "openai/gpt-5.1: the conversation is too long: This model's maximum context length is 8 tokens; set max_tokens or compress_history in [history], or give it less".into()),
            (400, json!({"error": {"type": "exceed_context_size_error", "message": "the request exceeds the available context size", "code": 400}}).to_string(), false,
                "openai/gpt-5.1: the conversation is too long: the request exceeds the available context size; set max_tokens or compress_history in [history], or give it less".into()),
            (422, openai("x", "no such parameter\u{1b}[31m"), false,
                "openai/gpt-5.1: http://h/v1 refuses the request (422): no such parameter\\u{1b}[31m; check [model], it may ask for what this model cannot".into()),
        ] {
            assert_eq!(error(status, &body), (again, words), "{status} {body}");
        }
        let long = error(400, &openai("x", &"word ".repeat(1000))).1;
        assert!(long.len() < 500 && long.lines().count() == 1, "{long}");
    }

    #[test]
    fn a_provider_may_say_whether_to_ask_again() {
        let with = |value: &'static str, status| {
            let mut headers = HeaderMap::new();
            headers.insert("x-should-retry", reqwest::header::HeaderValue::from_static(value));
            RequestError::status(status, "", &headers, 0).again
        };
        assert!(with("true", 400) && !with("false", 503) && with("what", 503));
        assert!(repeatable(408) && repeatable(409) && !repeatable(404));
    }

    #[test]
    fn errors_inside_streams_have_the_status_they_would_have_had() {
        for (body, status) in [
            (json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}), 529),
            (json!({"type": "error", "error": {"type": "rate_limit_error", "message": "m"}}), 429),
            (json!({"error": {"code": 503, "message": "m", "status": "UNAVAILABLE"}}), 503),
            (json!({"message": "m", "type": "server_error", "code": null}), 500),
            (json!({"type": "error", "code": "invalid_prompt", "message": "m"}), 400),
        ] {
            assert_eq!(Said::read(&body).as_status(), status, "{body}");
        }
    }
}
