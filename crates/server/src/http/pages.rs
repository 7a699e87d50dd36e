//! The page of a session, which takes over what happens while it is open.
//!
//! A browser sends no token with the address that is typed in, so pages are at addresses that nobody can guess: whoever may see
//! the session is told its page's.

use crate::client::Client;
use crate::http::app::App;
use crate::http::extract::{PathParts, Who};
use crate::http::problem::Problem;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, REFERRER_POLICY, X_FRAME_OPTIONS};
use axum::response::{IntoResponse, Json, Response};
use ptc_agent::host::sha256;
use serde_json::json;
use std::sync::Arc;

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

/// How many bytes the trace has: it grows with each line.
async fn version(app: &App, client: &Client, id: &str) -> Result<(u64, bool), Problem> {
    let known = app.sessions.show(client, id).await?;
    let running = matches!(known.status, ptc_agent::sessions::SessionStatus::Running);
    Ok((known.bytes, running))
}

pub(crate) async fn page(State(app): State<Arc<App>>, Who(client): Who, path: PathParts) -> Result<Response, Problem> {
    let id = path.session()?;
    let (version, _) = version(&app, &client, id).await?;
    let trace = app.sessions.trace(&client, id).await?;
    let maker = app.page.clone().ok_or_else(Problem::not_found)?;
    let made = tokio::task::spawn_blocking(move || maker(&trace, version).map_err(|e| e.text())).await;
    let html = made.map_err(|_| "it was given up".to_owned()).and_then(|made| made).map_err(|words| {
        let words = format!("the page cannot be made: {words}");
        Problem::new(StatusCode::CONFLICT, "conflict", words, "GET /sessions/{id}/trace has all of it")
    })?;
    let headers =
        [(CONTENT_TYPE, "text/html; charset=utf-8"), (REFERRER_POLICY, "no-referrer"), (X_FRAME_OPTIONS, "DENY")];
    Ok((headers, html).into_response())
}

pub(crate) async fn state(State(app): State<Arc<App>>, Who(client): Who, path: PathParts) -> Result<Response, Problem> {
    let (version, running) = version(&app, &client, path.session()?).await?;
    let doing = if running { "A turn runs" } else { "The session waits for its next turn" };
    // It never ends: sessions go on.
    Ok(Json(json!({ "version": version, "doing": doing, "ended": false })).into_response())
}
