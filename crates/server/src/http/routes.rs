//! Sessions and their turns.

use crate::http::answers::{answer, summary, turn};
use crate::http::app::App;
use crate::http::extract::{PathParts, Query, Who, json, needed, whole};
use crate::http::problem::{Problem, as_chat_error};
use crate::http::spool;
use crate::refused::Refused;
use crate::sessions::Begin;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, LOCATION};
use axum::response::{IntoResponse, Json, Response};
use futures::stream;
use ptc_agent::CallDecision;
use ptc_turns::trace::record::KeptTexts;
use ptc_turns::{Policy, TurnRecord};
use serde::Deserialize;
use serde_json::{Map, Value, json as data};
use std::io::Read as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Milliseconds that are waited for a turn where a request does not say.
const WAIT_MS: u64 = 25_000;
/// Bytes of the turns that a prompt is made of, their texts and the messages of them: no model takes more.
const PROMPT_BYTES: u64 = 64 << 20;
/// Bytes of the arguments of a call: a prompt shows less of them.
const CALL_BYTES: usize = 4 << 10;

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
    Ok(listed("sessions", all.into_iter().map(|s| Ok(summary(&s)))))
}

/// `{"NAME": [...]}`, each item made when the one before has been taken. A list that cannot go on breaks off.
fn listed(name: &str, items: impl Iterator<Item = Result<Value, Refused>> + Send + 'static) -> Response {
    let pieces = items.enumerate().map(|(at, item)| {
        let comma = if at == 0 { "" } else { "," };
        Ok::<_, Refused>(format!("{comma}{}", item?))
    });
    let all = std::iter::once(Ok(format!("{{\"{name}\":["))).chain(pieces).chain([Ok("]}".to_owned())]);
    let body = Body::from_stream(stream::iter(all));
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

pub(crate) async fn show(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let id = path.session()?;
    let known = app.sessions.show(&client, id).await?;
    let trace = app.sessions.outline(&client, id).await?;
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
    let turns = app.sessions.turns(&client, id).await?;
    let id = id.to_owned();
    Ok(listed("turns", turns.map(move |record| Ok(turn(&id, &record?)))))
}

pub(crate) async fn one_turn(State(app): Shared, Who(client): Who, path: PathParts) -> Done {
    let (id, n) = (path.session()?, path.turn()?);
    match app.sessions.turn(&client, id, n).await? {
        Some(record) => Ok(Json(turn(id, &record)).into_response()),
        None => {
            let words =
                format!("there is no turn {n}: {} have ended", app.sessions.outline(&client, id).await?.turns().len());
            let hint = "POST /sessions/{id}/wait waits for one that runs";
            Err(Problem::new(StatusCode::NOT_FOUND, "not_found", words, hint))
        }
    }
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
    let id = path.session()?;
    let calls = app.sessions.waiting(&client, id).await?;
    let begun = !calls.is_empty() || app.sessions.outline(&client, id).await?.journal().reply().is_some();
    Ok(Json(crate::http::answers::waiting(id, &calls, begun)).into_response())
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
    let body = spool::of_reader(file.take(bytes));
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
    let id = path.session()?;
    let _heavy = app.heavy(&client, id).await?;
    let (asked_turn, all) = (asked.turn, Arc::new(AtomicU64::new(0)));
    let (sum, most) = (all.clone(), PROMPT_BYTES);
    let printed = if matches!(asked.policy, PolicyName::Full) { 0 } else { usize::MAX };
    let keep = move |turn: TurnRecord| {
        let before = asked_turn.is_none_or(|n| turn.turn < n);
        // What comes after the turn, or is too much, is of no use.
        let keep = match before && sum.load(Ordering::Relaxed) <= most {
            true => KeptTexts { said: usize::MAX, printed, values: CALL_BYTES },
            false => KeptTexts::NONE,
        };
        let turn = turn.reduced(keep);
        sum.fetch_add(if before { turn.bytes() } else { 0 }, Ordering::Relaxed);
        turn
    };
    let trace = app.sessions.reduced(&client, id, keep).await?;
    let next = (trace.turns().len() as u64).saturating_add(1);
    if asked.turn.is_some_and(|n| n == 0 || n > next) {
        let words = format!("there is no such turn: the next one is {next}");
        return Err(Problem::new(StatusCode::NOT_FOUND, "not_found", words, "leave turn out for the next one"));
    }
    if all.load(Ordering::Relaxed) > PROMPT_BYTES {
        let words = format!("the prompt is made of more than {PROMPT_BYTES} bytes, the most that is rendered");
        let hint = "ask for an earlier turn; GET /sessions/{id}/turns has all of them";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "limit", words, hint));
    }
    let turn = asked.turn.unwrap_or(next);
    let made = tokio::task::spawn_blocking(move || {
        let own = trace.header.policy.clone();
        let policy = match asked.policy {
            PolicyName::Session => own,
            PolicyName::Full => own.uncompressed(),
            PolicyName::Compressed => Policy { compress_history: true, ..own },
        };
        let view = ptc_turns::request(&trace, &policy, asked.turn, &ptc_history::ViewContext::default());
        drop(trace);
        let messages = view.map_err(|e| e.to_string())?.messages();
        Ok(spool::body(format!("{{\"turn\":{turn},\"messages\":{}}}", ptc_history::render::json(&messages))))
    });
    let body = made.await.map_err(|_| "it was given up".to_owned()).and_then(|made| made).map_err(|words| {
        let hint = "ask for policy=full";
        Problem::new(StatusCode::CONFLICT, "conflict", format!("the prompt cannot be made: {words}"), hint)
    })?;
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
