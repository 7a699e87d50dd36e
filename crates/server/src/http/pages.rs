//! The page of a session, which takes over what happens while it is open.
//!
//! A browser sends no token with the address that is typed in, so pages are at addresses that nobody can guess: whoever may see
//! the session is told its page's.

use crate::client::Client;
use crate::http::app::App;
use crate::http::extract::{PathParts, Who};
use crate::http::problem::Problem;
use crate::http::spool;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use axum::response::{IntoResponse, Json, Response};
use ptc_agent::host::{hide_paths, sha256};
use ptc_agent::sessions::SessionStatus;
use ptc_turns::TurnRecord;
use ptc_turns::trace::record::KeptTexts;
use serde_json::json;
use std::sync::{Arc, PoisonError};

/// Bytes of the texts that a page shows, and of one of them: `GET /sessions/{id}/trace` has the rest.
const PAGE_BYTES: u64 = 4 << 20;
const PAGE_TEXT_BYTES: usize = 64 << 10;
/// Sessions of which is known what they wait for.
const REMEMBERED: usize = 1000;

/// What names the page of a session of this client: digests of both with the server's secret, twice, so that nothing can be
/// put behind what is digested.
fn key(app: &App, client: &Client, id: &str) -> String {
    let secret = app.secret.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let inner = sha256(format!("{secret} {} {id}", sha256(client.name().as_bytes())).as_bytes());
    sha256(format!("{secret} {inner}").as_bytes())
}

/// Says where the page of a session is.
pub(crate) async fn address(
    State(app): State<Arc<App>>,
    Who(client): Who,
    path: PathParts,
) -> Result<Response, Problem> {
    let id = path.session()?;
    if app.page.is_none() {
        let words = "this server makes no pages";
        return Err(Problem::new(StatusCode::NOT_FOUND, "not_found", words, "GET /sessions/{id}/trace has all of it"));
    }
    app.sessions.show(&client, id).await?;
    let name: String = client.name().bytes().map(|b| format!("{b:02x}")).collect();
    let page = format!("/pages/{}/{name}/{id}/", key(&app, &client, id));
    Ok(Json(json!({ "page": page })).into_response())
}

/// The client whose page has this address: `/pages/KEY/CLIENT/ID/...`.
pub(crate) fn owner(app: &App, path: &str) -> Option<Client> {
    let mut parts = path.strip_prefix("/pages/")?.split('/');
    let (given, hex, id) = (parts.next()?, parts.next()?, parts.next()?);
    let two = |at: usize| u8::from_str_radix(hex.get(at..at.saturating_add(2))?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(two).collect();
    let client = Client::new(&String::from_utf8(bytes?).ok()?);
    let ours = key(app, &client, id);
    let same = ours.len() == given.len() && ours.bytes().zip(given.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0;
    same.then_some(client)
}

/// How many bytes the trace has: it grows with each line. A page asks for it each second, so nothing is read for it.
async fn version(app: &App, client: &Client, id: &str) -> Result<u64, Problem> {
    Ok(app.sessions.trace_file(client, id).await?.1)
}

/// What a session waits for.
async fn doing(app: &App, client: &Client, id: &str, version: u64) -> Result<&'static str, Problem> {
    if app.sessions.is_running(id) {
        return Ok("A turn runs");
    }
    let known = app.waits.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
    if let Some((of, words)) = known
        && of == version
    {
        return Ok(words);
    }
    let runs = !app.sessions.notes(client, id).await?.open_ended;
    let words = match app.sessions.show(client, id).await?.status {
        SessionStatus::Pending => "Calls wait for a decision, by ptc approve or POST /sessions/{id}/approvals",
        SessionStatus::Running => "A turn runs",
        SessionStatus::Stopped if runs => "The run was stopped, and can be gone on with",
        _ if runs => "The run has ended",
        _ => "The session waits for its next turn",
    };
    let mut all = app.waits.lock().unwrap_or_else(PoisonError::into_inner);
    if all.len() >= REMEMBERED {
        all.clear();
    }
    all.insert(id.to_owned(), (version, words));
    Ok(words)
}

pub(crate) async fn page(State(app): State<Arc<App>>, Who(client): Who, path: PathParts) -> Result<Response, Problem> {
    let id = path.session()?;
    let version = version(&app, &client, id).await?;
    let _heavy = app.heavy(&client, id).await?;
    let mut left = PAGE_BYTES;
    let keep = move |turn: TurnRecord| {
        let turn = turn.reduced(KeptTexts::each(if left > 0 { PAGE_TEXT_BYTES } else { 200 }));
        left = left.saturating_sub(turn.bytes());
        turn
    };
    let trace = app.sessions.reduced(&client, id, keep).await?;
    let maker = app.page.clone().ok_or_else(Problem::not_found)?;
    let made =
        tokio::task::spawn_blocking(move || maker(&trace, version).map(spool::body).map_err(|e| hide_paths(&e.text())))
            .await;
    let html = made.map_err(|_| "it was given up".to_owned()).and_then(|made| made).map_err(|words| {
        let words = format!("the page cannot be made: {words}");
        Problem::new(StatusCode::CONFLICT, "conflict", words, "GET /sessions/{id}/trace has all of it")
    })?;
    let headers =
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (REFERRER_POLICY, "no-referrer"), (X_FRAME_OPTIONS, "DENY")];
    Ok((headers, html).into_response())
}

pub(crate) async fn state(State(app): State<Arc<App>>, Who(client): Who, path: PathParts) -> Result<Response, Problem> {
    let id = path.session()?;
    let version = version(&app, &client, id).await?;
    let doing = doing(&app, &client, id, version).await?;
    // It never ends: sessions go on.
    Ok(Json(json!({ "version": version, "doing": doing, "ended": false })).into_response())
}
