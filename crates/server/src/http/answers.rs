//! Sessions, turns and calls as JSON.

use crate::answer::{Answer, AnswerState};
use crate::approvals::WaitingCall;
use crate::http::problem::Problem;
use axum::http::StatusCode;
use axum::http::header::{HeaderValue, LOCATION, RETRY_AFTER};
use axum::response::{IntoResponse, Json, Response};
use ptc_agent::RunOutcome;
use ptc_agent::host::hide_paths;
use ptc_agent::sessions::SessionSummary;
use ptc_turns::TurnRecord;
use serde_json::{Value, json};

/// A session as a list has it. Where it is on the server's disk is nobody's business.
pub(crate) fn summary(s: &SessionSummary) -> Value {
    let mut all = serde_json::to_value(s).unwrap_or_default();
    if let Some(all) = all.as_object_mut() {
        all.remove("task_path");
        if let Some(Value::String(problem)) = all.get_mut("problem") {
            *problem = hide_paths(problem);
        }
        if let Some(id) = all.remove("id") {
            all.insert("session".to_owned(), id);
        }
    }
    all
}

/// A turn that has ended.
pub(crate) fn turn(session: &str, r: &TurnRecord) -> Value {
    let error = r.error.as_ref().map(|e| {
        json!({ "kind": e.kind.as_str(), "message": e.message, "line": e.line, "column": e.column, "hint": e.hint })
    });
    let calls: Vec<Value> = r.tool_calls.iter().map(|c| serde_json::to_value(c).unwrap_or_default()).collect();
    json!({
        "session": session,
        "turn": r.turn,
        "status": r.status.as_str(),
        "program": r.program,
        "value": r.value,
        "json": r.value_json,
        "printed": r.printed.concat(),
        "defined": r.definitions.iter().map(|d| d.name.as_str()).collect::<Vec<_>>(),
        "feedback": r.feedback,
        "error": error,
        "calls": calls,
        "usage": r.usage,
        "time": r.time,
    })
}

/// The run of a task that has ended.
fn run(session: &str, end: &RunOutcome) -> Value {
    let error = end.error.as_ref().map(|e| {
        json!({ "kind": e.kind().run_error(), "message": hide_paths(e.message()), "line": null, "column": null,
            "hint": e.hint().map(hide_paths) })
    });
    json!({
        "session": session,
        "turn": end.turns,
        "status": end.status.as_str(),
        "value": end.value,
        "json": end.json,
        "error": error,
        "usage": end.totals,
    })
}

/// The calls of a session that wait, and what is to be done next. `begun` is whether a turn has begun that has not ended.
pub(crate) fn waiting(session: &str, calls: &[WaitingCall], begun: bool) -> Value {
    let at = format!("/sessions/{session}");
    let (next, hint) = match (calls.len(), begun) {
        (0, true) => ("wait", format!("no call waits any more: POST {at}/wait goes on with the turn")),
        (0, false) => return json!({ "pending": calls, "hint": "no call waits, and no turn has begun" }),
        (1, _) => ("approvals", format!("decide about this call: POST {at}/approvals, then POST {at}/wait")),
        (n, _) => {
            ("approvals", format!("decide about these {n} calls: POST {at}/approvals for each, then POST {at}/wait"))
        }
    };
    json!({ "pending": calls, "location": format!("{at}/{next}"), "hint": hint })
}

/// What became of a turn or a run. `created` is whether the session was begun with it.
pub(crate) fn answer(a: &Answer, created: bool) -> Response {
    let at = format!("/sessions/{}", a.session);
    let (mut status, mut body) = match &a.state {
        AnswerState::Ended(record) => (StatusCode::OK, turn(&a.session, record)),
        AnswerState::RunEnded(end) => (StatusCode::OK, run(&a.session, end)),
        AnswerState::Running { since, queued } => {
            let ms = u64::try_from(since.as_millis()).unwrap_or(u64::MAX);
            let hint = format!("POST {at}/wait waits for it; GET {at}/events tells what happens");
            let body = json!({ "session": a.session, "turn": a.turn, "status": "running", "queued": queued,
                "running_ms": ms, "location": format!("{at}/wait"), "hint": hint });
            (StatusCode::ACCEPTED, body)
        }
        AnswerState::Pending(calls) => {
            let mut body = waiting(&a.session, calls, true);
            if let Some(body) = body.as_object_mut() {
                body.insert("session".to_owned(), a.session.as_str().into());
                body.insert("turn".to_owned(), a.turn.into());
                body.insert("status".to_owned(), "pending".into());
            }
            (StatusCode::ACCEPTED, body)
        }
        AnswerState::Stopped => {
            let words = "the server stopped before the turn had ended; what was done is kept";
            let hint = format!("POST {at}/wait goes on with it when the server runs again");
            return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", words, hint)
                .retry_after(5)
                .into_response();
        }
    };
    // Of what waits for a process the number is not known yet.
    if let Some(body) = body.as_object_mut().filter(|body| body.get("turn").is_some_and(|turn| *turn == 0)) {
        body.remove("turn");
    }
    if created && status == StatusCode::OK {
        status = StatusCode::CREATED;
    }
    let location = match status {
        StatusCode::ACCEPTED => format!("{at}/wait"),
        _ => at,
    };
    let mut response = (status, Json(body)).into_response();
    if status != StatusCode::OK
        && let Ok(value) = HeaderValue::from_str(&location)
    {
        response.headers_mut().insert(LOCATION, value);
    }
    if status == StatusCode::ACCEPTED {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}
