//! What requests bring: the client, parts of the path, the query and a body of JSON, each refused in words.

use crate::client::Client;
use crate::http::app::App;
use crate::http::problem::Problem;
use axum::body::Body;
use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap};
use axum::http::request::Parts;
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// Who asks.
pub(crate) struct Who(pub(crate) Client);

impl<S: Send + Sync> FromRequestParts<S> for Who {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let client = parts.extensions.get::<Client>().cloned();
        client.map(Who).ok_or_else(|| {
            let words = "there is no token";
            Problem::new(StatusCode::UNAUTHORIZED, "unauthorized", words, "send the header Authorization: Bearer TOKEN")
        })
    }
}

/// The parts of a path.
pub(crate) struct PathParts(Vec<(String, String)>);

impl<S: Send + Sync> FromRequestParts<S> for PathParts {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let all = RawPathParams::from_request_parts(parts, state).await.map_err(|_| Problem::not_found())?;
        Ok(PathParts(all.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect()))
    }
}

impl PathParts {
    /// A part by its name, with its percent-encoding undone.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value.as_str())
    }

    /// The id of a session: all of it, and nothing that only looks like one.
    pub(crate) fn session(&self) -> Result<&str, Problem> {
        let id = self.get("id");
        let shape = |(at, c): (usize, char)| match at {
            8 | 15 => c == '-',
            16..=19 => c.is_ascii_lowercase() || c.is_ascii_digit(),
            _ => c.is_ascii_digit(),
        };
        if id.len() == 20 && id.chars().enumerate().all(shape) {
            return Ok(id);
        }
        let shown = ptc_text::cut::one_line(id, 60);
        let words = format!("there is no session {}", ptc_lisp::escape::quoted(&shown));
        Err(Problem::new(
            StatusCode::NOT_FOUND,
            "not_found",
            words,
            "GET /sessions lists them, POST /sessions begins one",
        ))
    }

    /// The number of a turn.
    pub(crate) fn turn(&self) -> Result<u64, Problem> {
        let text = self.get("turn");
        let digits = !text.is_empty() && text.len() <= 15 && text.chars().all(|c| c.is_ascii_digit());
        text.parse::<u64>().ok().filter(|n| digits && *n > 0).ok_or_else(|| {
            let words = format!(
                "a turn is a number from 1, and not {}",
                ptc_lisp::escape::quoted(&ptc_text::cut::one_line(text, 40))
            );
            Problem::invalid(words, "GET /sessions/{id} says how many there are")
        })
    }
}

/// The query of a request.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        axum::extract::Query::<T>::try_from_uri(&parts.uri).map(|q| Query(q.0)).map_err(|e| {
            let words = ptc_text::cut::one_line(&e.body_text(), 200);
            Problem::invalid(words, "GET /openapi.json says what the query of this path may have")
        })
    }
}

/// Reads a body of JSON; `None` of an empty one.
pub(crate) async fn json<T: DeserializeOwned>(
    app: &Arc<App>,
    headers: &HeaderMap,
    body: Body,
) -> Result<Option<T>, Problem> {
    let most = app.sessions.options().body_bytes;
    let large = || {
        let words = format!("the body has more bytes than body_bytes = {most}");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", words, "send less; build data up in several turns")
    };
    // Said before it is read, it need not be.
    let said = headers.get(CONTENT_LENGTH).and_then(|n| n.to_str().ok()).and_then(|n| n.parse::<u64>().ok());
    if said.is_some_and(|n| n > most) {
        return Err(large());
    }
    let read = Limited::new(body, usize::try_from(most).unwrap_or(usize::MAX)).collect();
    let bytes = match tokio::time::timeout(app.sessions.options().body_time(), read).await {
        Ok(Ok(all)) => all.to_bytes(),
        Ok(Err(e)) if e.is::<LengthLimitError>() => return Err(large()),
        Ok(Err(_)) => return Err(Problem::invalid("the body broke off", "send the whole request again")),
        Err(_) => {
            let words = "the body did not come within body_seconds";
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "timeout", words, "send the request again, faster"));
        }
    };
    if bytes.is_empty() {
        return Ok(None);
    }
    let kind = headers.get(CONTENT_TYPE).and_then(|k| k.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    if !kind.eq_ignore_ascii_case("application/json") {
        let words = "the body is not said to be JSON";
        let hint = "send the header Content-Type: application/json";
        return Err(Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", words, hint));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|e| {
        let words = ptc_text::cut::one_line(&format!("the body cannot be read: {e}"), 300);
        Problem::invalid(words, "GET /openapi.json says what it must be")
    })
}

/// The same of a body that must be there.
pub(crate) async fn needed<T: DeserializeOwned>(app: &Arc<App>, headers: &HeaderMap, body: Body) -> Result<T, Problem> {
    json(app, headers, body)
        .await?
        .ok_or_else(|| Problem::invalid("the body is empty", "send JSON; GET /openapi.json says what it must be"))
}

/// The largest number that a request may have.
const MOST: f64 = 1e9;

/// A whole number from 0 to a thousand million. JSON has one kind of numbers: 5.0 is one too.
pub(crate) fn whole<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    use serde::Deserialize as _;
    use serde::de::Error as _;
    let number = f64::deserialize(from)?;
    if number.fract() == 0.0 && (0.0..=MOST).contains(&number) {
        return Ok(Some(number as u64));
    }
    Err(D::Error::custom("a number is whole, and from 0 to 1000000000"))
}
