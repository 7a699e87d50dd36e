//! Errors as `application/problem+json` (RFC 9457) that say what to do next.

use crate::refused::{Refused, RefusedKind};
use axum::body::Body;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request was not done.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// What it is about, in one word.
    pub(crate) kind: &'static str,
    pub(crate) detail: String,
    /// What to do next.
    pub(crate) hint: String,
    /// Seconds until it can be asked again.
    pub(crate) retry_after: Option<u64>,
    /// The session and the turn, where a turn broke off that had begun.
    broke_off: Option<(String, u64)>,
}

impl Problem {
    pub(crate) fn new(
        status: StatusCode,
        kind: &'static str,
        detail: impl Into<String>,
        hint: impl Into<String>,
    ) -> Self {
        Problem { status, kind, detail: detail.into(), hint: hint.into(), retry_after: None, broke_off: None }
    }

    pub(crate) fn invalid(detail: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid", detail, hint)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            "there is nothing at this path",
            "GET /openapi.json says what there is",
        )
    }

    #[must_use]
    pub(crate) fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl From<Refused> for Problem {
    fn from(r: Refused) -> Self {
        let status = match r.kind() {
            RefusedKind::Invalid => StatusCode::BAD_REQUEST,
            RefusedKind::NotFound => StatusCode::NOT_FOUND,
            RefusedKind::Limit => StatusCode::UNPROCESSABLE_ENTITY,
            RefusedKind::Busy => StatusCode::TOO_MANY_REQUESTS,
            RefusedKind::Conflict | RefusedKind::Held => StatusCode::CONFLICT,
            RefusedKind::Stopping => StatusCode::SERVICE_UNAVAILABLE,
            RefusedKind::Failed => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let hint = r.hint().unwrap_or("see what the session has: GET /sessions/{id}");
        let mut problem = Problem::new(status, r.kind().as_str(), r.message(), hint);
        problem.retry_after = r.retry_after().map(|t| t.as_secs().max(1));
        problem.broke_off = r.broke_off().map(|(session, turn)| (session.to_owned(), turn));
        if r.kind() == RefusedKind::Stopping {
            problem.retry_after = problem.retry_after.or(Some(5));
        }
        problem
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason().unwrap_or("Error");
        let mut body = json!({
            "type": format!("urn:ptc:problem:{}", self.kind),
            "title": title,
            "status": self.status.as_u16(),
            "detail": self.detail,
            "hint": self.hint,
        });
        if let (Some((session, turn)), Some(body)) = (self.broke_off, body.as_object_mut()) {
            body.insert("session".to_owned(), session.into());
            body.insert("turn".to_owned(), turn.into());
        }
        let mut response = (self.status, body.to_string()).into_response();
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response
    }
}

/// A problem in the form that chat programs read.
pub(crate) fn as_chat_error(problem: Problem) -> Response {
    let kind = match problem.status {
        StatusCode::UNAUTHORIZED => "authentication_error",
        StatusCode::FORBIDDEN => "permission_error",
        StatusCode::TOO_MANY_REQUESTS => "rate_limit_error",
        s if s.is_server_error() => "server_error",
        _ => "invalid_request_error",
    };
    let message = format!("{}; {}", problem.detail, problem.hint);
    let param = (problem.kind == "model_not_found").then_some("model");
    let body = json!({ "error": { "message": message, "type": kind, "param": param, "code": problem.kind } });
    let mut response = problem.into_response();
    *response.body_mut() = Body::from(body.to_string());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
