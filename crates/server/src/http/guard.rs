//! What happens before and after each request: who is let in, what is counted.

use crate::access::Denied;
use crate::client::Client;
use crate::connections::admit;
use crate::held_body::HeldBody;
use crate::http::app::App;
use crate::http::pages;
use crate::http::problem::{Problem, as_chat_error};
use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Instant;

fn denied(why: Denied) -> Problem {
    let (status, kind) = match why {
        Denied::Token => (StatusCode::UNAUTHORIZED, "unauthorized"),
        Denied::Host | Denied::Origin => (StatusCode::FORBIDDEN, "forbidden"),
    };
    let (detail, hint) = why.words();
    Problem::new(status, kind, detail, hint)
}

/// The client who asks, or why nobody is answered. `None` where it is nobody's affair.
fn admitted(app: &App, request: &Request) -> Result<Option<Client>, Problem> {
    let (headers, path) = (request.headers(), request.uri().path());
    // A request over HTTP/2 has its host in its address; one with neither is nobody's.
    let authority = request.uri().authority().map(axum::http::uri::Authority::as_str);
    if path == "/health" {
        return app.access.asks_us(headers, authority).map(|()| None).map_err(denied);
    }
    let client = if path.starts_with("/pages/") {
        // Their addresses are secret themselves. What is asked for is counted as their client's.
        app.access.asks_us(headers, authority).map_err(denied)?;
        pages::owner(app, path).ok_or_else(Problem::not_found)?
    } else {
        app.access.client(headers, authority).map_err(denied)?
    };
    admit(request);
    app.rates().take(&client)?;
    Ok(Some(client))
}

/// Whether what answers a request reads a whole session.
fn reads(method: &Method, route: &str) -> bool {
    let of_sessions = route.starts_with("/sessions") || route.starts_with("/pages/");
    match *method {
        Method::GET => of_sessions && !route.ends_with("/events"),
        _ => route == "/sessions/{id}/fork",
    }
}

/// Answers a request of this client.
async fn answered(app: &App, client: Option<Client>, route: &str, mut request: Request, next: Next) -> Response {
    let Some(client) = client else { return next.run(request).await };
    let place = match reads(request.method(), route) {
        true => Some(app.rates().answer(&client).await),
        false => None,
    };
    request.extensions_mut().insert(client);
    match place {
        None => next.run(request).await,
        Some(Ok(place)) => next.run(request).await.map(|body| Body::new(HeldBody::new(body, place))),
        Some(Err(refused)) => Problem::from(refused).into_response(),
    }
}

/// Lets a request in, and counts it.
pub(crate) async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = named(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "other".to_owned(), |m| m.as_str().to_owned());
    let path = request.uri().path().to_owned();
    let chat = path.starts_with("/v1/");
    let authority = request.uri().authority().map(axum::http::uri::Authority::as_str);
    let preflight = app.access.preflight(request.method(), request.headers(), authority);
    let for_page = preflight.clone().unwrap_or_else(|| app.access.for_page(request.headers()));
    let mut response = match admitted(&app, &request) {
        _ if preflight.is_some() => StatusCode::NO_CONTENT.into_response(),
        Ok(client) => answered(&app, client, &route, request, next).await,
        Err(problem) if chat => as_chat_error(problem),
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.extend(for_page);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    app.requests.answered(method, &route, response.status().as_u16(), began.elapsed());
    response
}

/// A method as metrics have it: what clients make up is one of them.
fn named(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::POST => "POST",
        Method::DELETE => "DELETE",
        Method::HEAD => "HEAD",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
