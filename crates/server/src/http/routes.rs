//! Sessions and their turns.

use crate::http::answers::{answer, summary, turn};
use crate::http::app::App;
use crate::http::extract::{PathParts, Query, Who, json, needed, whole};
use crate::http::problem::{Problem, as_chat_error};
use crate::sessions::Begin;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION};
use axum::response::{IntoResponse, Json, Response};
use futures::stream;
use ptc_agent::CallDecision;
use ptc_turns::Policy;
use serde::Deserialize;
use serde_json::{Map, Value, json as data};
use std::convert::Infallible;
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

/// Milliseconds that are waited for a turn where a request does not say.
const WAIT_MS: u64 = 25_000;
/// Bytes of a trace that are read at a time.
const PIECE: usize = 64 << 10;

type Done = Result<Response, Problem>;
type Shared = State<Arc<App>>;

fn wait(app: &App, ms: Option<u64>) -> Duration {
    Duration::from_millis(ms.unwrap_or(WAIT_MS).min(app.options.wait_seconds.saturating_mul(1000)))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct NewSession {
    task: Option<String>,
    context: Map<String, Value>,
    expect: Option<String>,
    run: bool,
    request: Option<String>,
    #[serde(deserialize_with = "whole")]
    wait_ms: Option<u64>,
}

pub(crate) async fn create(State(app): Shared, Who(client): Who, headers: HeaderMap, body: Body) -> Done {
    let new: NewSession = json(&app, &headers, body).await?.unwrap_or_default();
    if new.run {
        let task =
            new.task.ok_or_else(|| Problem::invalid("run needs a task", "name one in task; GET /tasks lists them"))?;
        if new.expect.is_some() {
            return Err(Problem::invalid("expect is of sessions that programs are sent to", "leave it out, or run"));
        }
        let request = new.request.unwrap_or_default();
        let ran = app.sessions.run_task(&client, &task, &request, new.context, wait(&app, new.wait_ms)).await?;
        return Ok(answer(&ran, true));
    }
    if new.request.is_some() || new.wait_ms.is_some() {
        return Err(Problem::invalid(
            "request and wait_ms are of the run of a task",
            "add \"run\": true, or leave them out",
        ));
    }
    let begin = Begin { task: new.task, context: new.context, expect: new.expect };
    let id = app.sessions.create(&client, begin).await?;
    Ok(begun(&id))
}

fn begun(id: &str) -> Response {
    let at = format!("/sessions/{id}");
    (StatusCode::CREATED, [(LOCATION, at)], Json(data!({ "session": id }))).into_response()
}

pub(crate) async fn list(State(app): Shared, Who(client): Who) -> Done {
    let all = app.sessions.list(&client).await?;
    Ok(Json(data!({ "sessions": all.iter().map(summary).collect::<Vec<_>>() })).into_response())
}

pub(crate) async fn show(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let id = path.session()?;
    let known = app.sessions.show(&client, id).await?;
    let trace = app.sessions.trace(&client, id).await?;
    let mut all = summary(&known);
    if let Some(all) = all.as_object_mut() {
        all.insert("turns".to_owned(), trace.turns().len().into());
        let names = serde_json::to_value(crate::answer::definitions(&trace)).unwrap_or_default();
        all.insert("definitions".to_owned(), names);
        let waiting = app.sessions.waiting(&client, id).await?;
        all.insert("pending".to_owned(), serde_json::to_value(waiting).unwrap_or_default());
    }
    Ok(Json(all).into_response())
}

pub(crate) async fn remove(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    app.sessions.remove(&client, path.session()?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewTurn {
    program: String,
    #[serde(default, deserialize_with = "whole")]
    wait_ms: Option<u64>,
}

pub(crate) async fn run(State(app): Shared, Who(client): Who, path: PathParts, headers: HeaderMap, body: Body) -> Done {
    let id = path.session()?;
    let new: NewTurn = needed(&app, &headers, body).await?;
    let ran = app.sessions.run(&client, id, &new.program, wait(&app, new.wait_ms)).await?;
    Ok(answer(&ran, false))
}

pub(crate) async fn turns(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let id = path.session()?;
    let trace = app.sessions.trace(&client, id).await?;
    let (id, turns) = (id.to_owned(), trace.turns().to_vec());
    // Each is written when the one before was taken.
    let pieces = turns.into_iter().enumerate().map(move |(at, r)| {
        let comma = if at == 0 { "" } else { "," };
        format!("{comma}{}", turn(&id, &r))
    });
    let all = std::iter::once("{\"turns\":[".to_owned()).chain(pieces).chain(["]}".to_owned()]);
    let body = Body::from_stream(stream::iter(all.map(Ok::<_, Infallible>)));
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

pub(crate) async fn one_turn(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let (id, n) = (path.session()?, path.turn()?);
    let trace = app.sessions.trace(&client, id).await?;
    let found = usize::try_from(n).ok().and_then(|n| trace.turns().get(n.checked_sub(1)?));
    let record = found.ok_or_else(|| {
        let words = format!("there is no turn {n}: {} have ended", trace.turns().len());
        Problem::new(StatusCode::NOT_FOUND, "not_found", words, "POST /sessions/{id}/wait waits for one that runs")
    })?;
    Ok(Json(turn(id, record)).into_response())
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct WaitFor {
    #[serde(deserialize_with = "whole")]
    wait_ms: Option<u64>,
}

/// How long is waited, as the body says.
async fn asked_wait(app: &Arc<App>, headers: &HeaderMap, body: Body) -> Result<Duration, Problem> {
    let asked: WaitFor = json(app, headers, body).await?.unwrap_or_default();
    Ok(wait(app, asked.wait_ms))
}

pub(crate) async fn go_on(app: Shared, Who(client): Who, path: PathParts, headers: HeaderMap, body: Body) -> Done {
    let most = asked_wait(&app, &headers, body).await?;
    Ok(answer(&app.sessions.wait(&client, path.session()?, most).await?, false))
}

pub(crate) async fn cancel(app: Shared, Who(client): Who, path: PathParts, headers: HeaderMap, body: Body) -> Done {
    let most = asked_wait(&app, &headers, body).await?;
    Ok(answer(&app.sessions.cancel(&client, path.session()?, most).await?, false))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ForkAt {
    #[serde(deserialize_with = "whole")]
    turn: Option<u64>,
}

pub(crate) async fn fork(
    State(app): Shared,
    Who(client): Who,
    path: PathParts,
    headers: HeaderMap,
    body: Body,
) -> Done {
    let id = path.session()?;
    let asked: ForkAt = json(&app, &headers, body).await?.unwrap_or_default();
    Ok(begun(&app.sessions.fork(&client, id, asked.turn).await?))
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Decision {
    Approve,
    Deny,
    Answer,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Decide {
    #[serde(deserialize_with = "whole")]
    call: Option<u64>,
    #[serde(default)]
    subtask: Option<String>,
    decision: Decision,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default, deserialize_with = "present")]
    answer: Option<Value>,
    #[serde(default, deserialize_with = "whole")]
    wait_ms: Option<u64>,
}

/// A value that is there, be it null.
fn present<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(from).map(Some)
}

pub(crate) async fn waiting(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let waiting = app.sessions.waiting(&client, path.session()?).await?;
    Ok(Json(data!({ "pending": waiting })).into_response())
}

pub(crate) async fn decide(
    State(app): Shared,
    Who(client): Who,
    path: PathParts,
    headers: HeaderMap,
    body: Body,
) -> Done {
    let id = path.session()?;
    if !app.approvals {
        let words = "this server takes no decisions from clients";
        let hint = format!("who runs the server decides: ptc approve {id}");
        return Err(Problem::new(StatusCode::FORBIDDEN, "forbidden", words, hint));
    }
    let asked: Decide = needed(&app, &headers, body).await?;
    let decision = match (asked.decision, asked.reason, asked.answer) {
        (Decision::Approve, None, None) => CallDecision::Make,
        (Decision::Deny, reason, None) => {
            CallDecision::Fail(reason.unwrap_or_else(|| "the call was denied".to_owned()))
        }
        (Decision::Answer, None, Some(value)) => {
            let words = || Problem::invalid("the answer cannot be kept", "send a value of JSON");
            CallDecision::Answer(ptc_turns::Json::new(value.to_string()).ok_or_else(words)?)
        }
        _ => {
            let words = "reason is of deny alone, and answer of answer, which needs it";
            return Err(Problem::invalid(words, "leave the other one out"));
        }
    };
    let call = (asked.subtask.as_deref(), asked.call.unwrap_or_default());
    let left = app.sessions.decide(&client, id, call, decision, wait(&app, asked.wait_ms)).await?;
    Ok(answer(&left, false))
}

pub(crate) async fn trace(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let (file, bytes) = app.sessions.trace_file(&client, path.session()?).await?;
    // It may grow meanwhile: what is there now is what is sent.
    let body = Body::from_stream(stream::try_unfold(file.take(bytes), |mut file| async move {
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
            let n = file.read(&mut piece)?;
            piece.truncate(n);
            Ok::<_, std::io::Error>((piece, file))
        });
        let (piece, file) = read.await.map_err(std::io::Error::other)??;
        Ok::<_, std::io::Error>(Some((piece, file)).filter(|(piece, _)| !piece.is_empty()))
    }));
    let headers = [(CONTENT_TYPE, "application/x-ndjson".to_owned()), (CONTENT_LENGTH, bytes.to_string())];
    Ok((headers, body).into_response())
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PolicyName {
    #[default]
    Session,
    Full,
    Compressed,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PromptOf {
    #[serde(default)]
    policy: PolicyName,
    #[serde(default)]
    turn: Option<u64>,
}

pub(crate) async fn prompt(
    State(app): Shared,
    Who(client): Who,
    path: PathParts,
    Query(asked): Query<PromptOf>,
) -> Done {
    let trace = app.sessions.trace(&client, path.session()?).await?;
    let next = (trace.turns().len() as u64).saturating_add(1);
    if asked.turn.is_some_and(|n| n == 0 || n > next) {
        let words = format!("there is no such turn: the next one is {next}");
        return Err(Problem::new(StatusCode::NOT_FOUND, "not_found", words, "leave turn out for the next one"));
    }
    let made = tokio::task::spawn_blocking(move || {
        let own = trace.header.policy.clone();
        let policy = match asked.policy {
            PolicyName::Session => own,
            PolicyName::Full => own.uncompressed(),
            PolicyName::Compressed => Policy { compress_history: true, ..own },
        };
        let view = ptc_turns::request(&trace, &policy, asked.turn, &ptc_history::ViewContext::default());
        view.map(|view| ptc_history::render::json(&view.messages()).to_string()).map_err(|e| e.to_string())
    });
    let messages = made.await.map_err(|_| "it was given up".to_owned()).and_then(|made| made).map_err(|words| {
        let hint = "ask for policy=full";
        Problem::new(StatusCode::CONFLICT, "conflict", format!("the prompt cannot be made: {words}"), hint)
    })?;
    let body = format!("{{\"turn\":{},\"messages\":{messages}}}", asked.turn.unwrap_or(next));
    Ok(([(CONTENT_TYPE, "application/json")], body).into_response())
}

pub(crate) async fn tasks(State(app): Shared, Who(_): Who) -> Done {
    let all: Vec<Value> = app
        .sessions
        .tasks()
        .into_iter()
        .map(|t| data!({ "name": t.name, "description": t.description, "has_model": t.has_model }))
        .collect();
    Ok(Json(data!({ "tasks": all })).into_response())
}

pub(crate) async fn metrics(State(app): Shared, Who(_): Who) -> Done {
    let text = app.requests.text(&app.now());
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response())
}

pub(crate) async fn health(State(app): Shared) -> Done {
    if app.is_stopping() {
        let words = "the server stops";
        return Err(
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", words, "ask again when it runs").retry_after(5)
        );
    }
    Ok(Json(data!({ "status": "ok" })).into_response())
}

pub(crate) async fn description(Who(_): Who) -> Done {
    Ok(Json(crate::http::openapi::document()).into_response())
}

pub(crate) async fn nothing(request: axum::extract::Request) -> Response {
    or_chat(request.uri().path(), Problem::not_found())
}

pub(crate) async fn no_such_method(request: axum::extract::Request) -> Response {
    let words = "this path does not take this method";
    let hint = "see the header Allow, or GET /openapi.json";
    or_chat(request.uri().path(), Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", words, hint))
}

fn or_chat(path: &str, problem: Problem) -> Response {
    if path.starts_with("/v1/") { as_chat_error(problem) } else { problem.into_response() }
}
