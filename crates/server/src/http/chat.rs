//! Tasks as models of a chat, in the form of OpenAI's chat completions: any chat program can talk to a task.
//!
//! Each request is a run of the task, in a session of its own. The last message of the user follows its prompt; what was said
//! before is the input `ctx/messages`.

use crate::answer::{Answer, AnswerState};
use crate::client::Client;
use crate::http::app::App;
use crate::http::extract::{PathParts, Who, needed};
use crate::http::problem::{Problem, as_chat_error};
use crate::job::Job;
use crate::rates::StreamPlace;
use crate::refused::Refused;
use crate::sessions::ServedTask;
use crate::turns::wait_for;
use axum::body::Body;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use futures::stream;
use ptc_agent::host::{hide_paths, now_ms};
use ptc_agent::{RunOutcome, RunStatus};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The header that names the session of a chat.
const SESSION: HeaderName = HeaderName::from_static("x-ptc-session");

/// A task as a model.
fn as_model(task: &ServedTask) -> Value {
    json!({ "id": task.name, "object": "model", "created": 0, "owned_by": "ptc" })
}

/// The task that a chat calls by this name: one with a model.
fn model(app: &App, id: &str) -> Result<ServedTask, Problem> {
    app.sessions.tasks().into_iter().find(|t| t.has_model && t.name == id).ok_or_else(|| {
        let shown = ptc_lisp::escape::quoted(&ptc_text::cut::one_line(id, 60)).to_string();
        let words = format!("there is no model {shown}");
        Problem::new(StatusCode::NOT_FOUND, "model_not_found", words, "GET /v1/models lists them: they are tasks")
    })
}

pub(crate) async fn models(State(app): State<Arc<App>>, Who(_): Who) -> Response {
    let all: Vec<Value> = app.sessions.tasks().iter().filter(|t| t.has_model).map(as_model).collect();
    Json(json!({ "object": "list", "data": all })).into_response()
}

pub(crate) async fn one_model(State(app): State<Arc<App>>, Who(_): Who, path: Result<PathParts, Problem>) -> Response {
    // What is no text once its percent-encoding is undone is the name of no task either.
    match model(&app, path.as_ref().map_or("", |path| path.get("id"))) {
        Ok(task) => Json(as_model(&task)).into_response(),
        Err(problem) => as_chat_error(problem),
    }
}

/// How long it is waited for that a run ends that was given up.
const GIVEN_UP: Duration = Duration::from_secs(60);

/// What is asked. Settings of models are the task's own: others are read over.
#[derive(Deserialize)]
struct Completion {
    model: String,
    messages: Vec<ChatMessage>,
    #[serde(default)]
    stream: Option<bool>,
    #[serde(default)]
    stream_options: Option<StreamOptions>,
}

#[derive(Deserialize)]
struct StreamOptions {
    #[serde(default)]
    include_usage: Option<bool>,
}

#[derive(Deserialize)]
struct ChatMessage {
    role: String,
    #[serde(default)]
    content: Content,
}

/// A text, or parts of which only texts can be given to a task.
#[derive(Default, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Value>),
    #[default]
    None,
}

impl Content {
    fn text(self) -> Result<String, Problem> {
        match self {
            Content::Text(text) => Ok(text),
            Content::None => Ok(String::new()),
            Content::Parts(parts) => {
                let text = |part: &Value| Some(part.get("text")?.as_str()?.to_owned());
                let texts: Option<Vec<String>> = parts.iter().map(text).collect();
                texts.map(|all| all.join("\n")).ok_or_else(|| {
                    Problem::invalid(
                        "a message has a part that is no text",
                        "send texts: a task is given no pictures or sounds",
                    )
                })
            }
        }
    }
}

/// Cancels a run whose answer nobody waits for any more.
struct Waiting {
    app: Arc<App>,
    client: Client,
    id: String,
    job: Job,
    ended: bool,
    _place: StreamPlace,
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if !self.ended {
            let (app, client, id) = (self.app.clone(), self.client.clone(), self.id.clone());
            tokio::spawn(async move {
                let ended = app.sessions.cancel(&client, &id, GIVEN_UP).await;
                let _ = app.sessions.kept_if_begun(&client, &id, ended).await;
            });
        }
    }
}

impl Waiting {
    /// The answer of the run, once it has ended.
    async fn answer(&mut self) -> Result<Result<Said, Problem>, Refused> {
        let most = Duration::from_secs(self.app.options.chat_seconds);
        let answer = wait_for(&self.id, &self.job, most).await;
        self.ended = answer.is_err();
        let answer = self.app.sessions.kept_if_begun(&self.client, &self.id, answer).await?;
        let said = said(&answer);
        // One that is running still is given up: its client hears nothing more of it.
        self.ended = !matches!(answer.state, AnswerState::Running { .. });
        Ok(said)
    }
}

/// What a run answered.
struct Said {
    text: String,
    finish: &'static str,
    usage: Value,
}

fn said(answer: &Answer) -> Result<Said, Problem> {
    let failed = |status, kind, words: String| {
        let hint = format!("GET /sessions/{} says what happened", answer.session);
        Err(Problem::new(status, kind, words, hint))
    };
    match &answer.state {
        AnswerState::RunEnded(end) => {
            ended(end).or_else(|words| failed(StatusCode::UNPROCESSABLE_ENTITY, "task", words))
        }
        AnswerState::Pending(_) => {
            let words = "the task waits until somebody decides about a tool call".to_owned();
            failed(StatusCode::CONFLICT, "pending", words)
        }
        AnswerState::Running { .. } => {
            let words = "the task did not end within chat_seconds, and was cancelled".to_owned();
            failed(StatusCode::GATEWAY_TIMEOUT, "timeout", words)
        }
        AnswerState::Stopped => failed(StatusCode::SERVICE_UNAVAILABLE, "stopping", "the server stops".to_owned()),
        AnswerState::Ended(_) => failed(StatusCode::CONFLICT, "conflict", "it is the session of no run".to_owned()),
    }
}

fn ended(end: &RunOutcome) -> Result<Said, String> {
    let total = &end.totals;
    let usage = json!({
        "prompt_tokens": total.input_tokens,
        "completion_tokens": total.output_tokens,
        "total_tokens": total.input_tokens.saturating_add(total.output_tokens),
        "prompt_tokens_details": { "cached_tokens": total.cached_tokens },
    });
    match (end.status, end.text.as_deref().or(end.value.as_deref())) {
        (RunStatus::Returned, text) => Ok(Said { text: text.unwrap_or_default().to_owned(), finish: "stop", usage }),
        (RunStatus::OutOfTurns | RunStatus::Limit, text) => {
            Ok(Said { text: text.unwrap_or_default().to_owned(), finish: "length", usage })
        }
        (status, _) => {
            let why = end.error.as_ref().map(|e| hide_paths(&e.text())).unwrap_or_default();
            Err(format!("the task ended {}: {}", status.as_str(), ptc_text::cut::one_line(&why, 500)))
        }
    }
}

pub(crate) async fn completions(
    State(app): State<Arc<App>>,
    Who(client): Who,
    headers: HeaderMap,
    body: Body,
) -> Response {
    match complete(app, client, &headers, body).await {
        Ok(response) => response,
        Err(problem) => as_chat_error(problem),
    }
}

async fn complete(app: Arc<App>, client: Client, headers: &HeaderMap, body: Body) -> Result<Response, Problem> {
    let asked: Completion = needed(&app, headers, body).await?;
    model(&app, &asked.model)?;
    let (request, context) = request(asked.messages)?;
    let place = app.rates().stream(&client, app.options.streams)?;
    let task = asked.model.clone();
    // It is begun whether its client is still there or not: then it is given up with what this makes.
    let begun = tokio::spawn(async move {
        let (id, job) = app.sessions.start_task(&client, &task, &request, context).await?;
        Ok::<_, Refused>(Waiting { app, client, id, job, ended: false, _place: place })
    });
    let mut waiting = begun.await.unwrap_or_else(|_| Err(Refused::stopping()))?;
    let about = About { id: waiting.id.clone(), model: asked.model, created: now_ms().div_euclid(1000) };
    let name = HeaderValue::from_str(&about.id).ok();
    let mut response = if asked.stream == Some(true) {
        let usage = asked.stream_options.and_then(|o| o.include_usage) == Some(true);
        streamed(waiting, about, usage)
    } else {
        let said = waiting.answer().await??;
        Json(about.whole(&said)).into_response()
    };
    if let Some(name) = name {
        response.headers_mut().insert(SESSION, name);
    }
    Ok(response)
}

/// What follows the prompt of the task, and what it can read besides.
fn request(messages: Vec<ChatMessage>) -> Result<(String, Map<String, Value>), Problem> {
    let mut all = Vec::new();
    for message in messages {
        if !matches!(message.role.as_str(), "system" | "developer" | "user" | "assistant" | "tool") {
            return Err(Problem::invalid(
                "a message has a role that is none",
                "it is system, developer, user, assistant or tool",
            ));
        }
        all.push((message.role, message.content.text()?));
    }
    let (role, last) = all.pop().ok_or_else(|| Problem::invalid("there are no messages", "send at least one"))?;
    if role != "user" {
        return Err(Problem::invalid("the last message is not the user's", "end with one of the role user"));
    }
    // On the first message too, where it is empty: a program that reads it must not fail.
    let before: Vec<Value> = all.into_iter().map(|(role, text)| json!({ "role": role, "content": text })).collect();
    Ok((last, Map::from_iter([("messages".to_owned(), before.into())])))
}

/// What all parts of an answer say.
struct About {
    id: String,
    model: String,
    created: i64,
}

impl About {
    fn whole(&self, said: &Said) -> Value {
        let message = json!({ "role": "assistant", "content": said.text });
        json!({
            "id": format!("chatcmpl-{}", self.id), "object": "chat.completion", "created": self.created,
            "model": self.model, "usage": said.usage,
            "choices": [{ "index": 0, "message": message, "finish_reason": said.finish, "logprobs": null }],
        })
    }

    fn piece(&self, delta: &Value, finish: Option<&str>) -> Value {
        json!({
            "id": format!("chatcmpl-{}", self.id), "object": "chat.completion.chunk", "created": self.created,
            "model": self.model,
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish, "logprobs": null }],
        })
    }
}

fn streamed(waiting: Waiting, about: About, with_usage: bool) -> Response {
    let alive = Duration::from_secs(waiting.app.options.keep_alive_seconds);
    let first = about.piece(&json!({ "role": "assistant", "content": "" }), None);
    let rest = stream::once(async move {
        let mut waiting = waiting;
        let pieces = match waiting.answer().await.map_err(Problem::from).and_then(|said| said) {
            Ok(said) => {
                let mut all = vec![
                    about.piece(&json!({ "content": said.text }), None).to_string(),
                    about.piece(&json!({}), Some(said.finish)).to_string(),
                ];
                if with_usage {
                    let mut last = about.piece(&json!({}), None);
                    if let Some(last) = last.as_object_mut() {
                        last.insert("choices".to_owned(), json!([]));
                        last.insert("usage".to_owned(), said.usage);
                    }
                    all.push(last.to_string());
                }
                all
            }
            Err(problem) => {
                let message = format!("{}; {}", problem.detail, problem.hint);
                vec![
                    json!({ "error": { "message": message, "type": "server_error", "code": problem.kind } })
                        .to_string(),
                ]
            }
        };
        stream::iter(pieces.into_iter().chain(["[DONE]".to_owned()]))
    });
    let rest = futures::StreamExt::flatten(rest);
    let all = futures::StreamExt::chain(stream::once(async move { first.to_string() }), rest);
    let all = futures::StreamExt::map(all, |data| Ok::<_, Infallible>(Sent::default().data(data)));
    Sse::new(all).keep_alive(KeepAlive::new().interval(alive).text("the task runs")).into_response()
}
