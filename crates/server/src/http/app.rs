//! What all requests share, and what happens before and after each.

use crate::client::Client;
use crate::http::access::{Access, Denied};
use crate::http::metrics::{Now, Requests};
use crate::http::options::HttpOptions;
use crate::http::page_maker::PageMaker;
use crate::http::problem::{Problem, as_chat_error};
use crate::sessions::Sessions;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, CACHE_CONTROL, HOST, HeaderMap, HeaderValue, ORIGIN, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::watch;

/// What all requests share.
pub(crate) struct App {
    pub(crate) sessions: Sessions,
    pub(crate) options: HttpOptions,
    pub(crate) access: Access,
    pub(crate) requests: Requests,
    /// Makes the page of a session.
    pub(crate) page: Option<PageMaker>,
    /// What addresses of pages are made with.
    pub(crate) secret: [u8; 32],
    /// Set when the server stops.
    pub(crate) stopping: watch::Receiver<bool>,
    clients: Mutex<HashMap<Client, Rate>>,
}

/// What a client has asked for.
struct Rate {
    /// Requests that may come now.
    left: f64,
    at: Instant,
    streams: u64,
}

/// A stream of a client, until it ends.
pub(crate) struct StreamPlace {
    app: Arc<App>,
    client: Client,
}

impl Drop for StreamPlace {
    fn drop(&mut self) {
        let mut clients = self.app.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rate) = clients.get_mut(&self.client) {
            rate.streams = rate.streams.saturating_sub(1);
        }
    }
}

impl App {
    pub(crate) fn new(
        sessions: Sessions,
        options: HttpOptions,
        access: Access,
        page: Option<PageMaker>,
        secret: [u8; 32],
        stopping: watch::Receiver<bool>,
    ) -> Self {
        let (requests, clients) = (Requests::default(), Mutex::default());
        App { sessions, options, access, requests, page, secret, stopping, clients }
    }

    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Counts a request of a client.
    fn take(&self, client: &Client) -> Result<(), Problem> {
        let (rate, most) = (self.options.requests_per_second as f64, self.options.requests_at_once as f64);
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let one = clients.entry(client.clone()).or_insert(Rate { left: most, at: now, streams: 0 });
        one.left = (one.left + now.duration_since(one.at).as_secs_f64() * rate).min(most);
        one.at = now;
        if one.left < 1.0 {
            let words = "these are more requests than requests_per_second allows";
            let seconds = ((1.0 - one.left) / rate).ceil().max(1.0);
            let problem =
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", words, format!("ask again in {seconds} s"));
            return Err(problem.retry_after(seconds as u64));
        }
        one.left -= 1.0;
        Ok(())
    }

    /// A place for a stream of this client.
    pub(crate) fn stream(self: &Arc<Self>, client: &Client) -> Result<StreamPlace, Problem> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let fresh = Rate { left: self.options.requests_at_once as f64, at: Instant::now(), streams: 0 };
        let one = clients.entry(client.clone()).or_insert(fresh);
        if one.streams >= self.options.streams {
            let words = format!("there are {} streams, as many as streams allows", one.streams);
            let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, "busy", words, "end one, and ask again");
            return Err(problem.retry_after(1));
        }
        one.streams = one.streams.saturating_add(1);
        Ok(StreamPlace { app: self.clone(), client: client.clone() })
    }

    /// What happens now.
    pub(crate) fn now(&self) -> Now {
        let (running, waiting, kept) = self.sessions.counts();
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let streams = clients.values().fold(0_u64, |sum, one| sum.saturating_add(one.streams));
        Now { running, waiting, kept, streams }
    }
}

/// A header as text; one that is there twice is none.
fn one<'h>(headers: &'h HeaderMap, name: &axum::http::HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok();
    if all.next().is_some() { None } else { first }
}

fn denied(why: Denied) -> Problem {
    match why {
        Denied::Token => Problem::new(
            StatusCode::UNAUTHORIZED,
            "unauthorized",
            "there is no token, or it is not known",
            "send the header Authorization: Bearer TOKEN",
        ),
        Denied::Host => Problem::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "the request names a host that is not this machine",
            "ask 127.0.0.1 or localhost; another name is allowed by ptc serve --host NAME",
        ),
        Denied::Origin => Problem::new(
            StatusCode::FORBIDDEN,
            "forbidden",
            "a page of another site asks",
            "ask from a program, or from a page of this server",
        ),
    }
}

/// The client who asks, or why nobody is answered.
fn client(app: &App, request: &Request) -> Result<Client, Problem> {
    let headers = request.headers();
    // A request over HTTP/2 has its host in its address; one with neither is nobody's.
    let host = one(headers, &HOST).or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let origin = match headers.get(ORIGIN) {
        None => None,
        Some(origin) => Some(origin.to_str().unwrap_or("?")),
    };
    let token = one(headers, &AUTHORIZATION).and_then(|value| {
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    app.access.client(host, origin, token).map_err(denied)
}

/// Paths that answer without a token: their addresses say nothing, or are secret themselves.
fn is_open(path: &str) -> bool {
    path == "/health" || path.starts_with("/pages/")
}

/// Lets a request in, and counts it.
pub(crate) async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = named(request.method());
    let route = request.extensions().get::<MatchedPath>().map_or_else(|| "other".to_owned(), |m| m.as_str().to_owned());
    let path = request.uri().path().to_owned();
    let chat = path.starts_with("/v1/");
    let let_in = match client(&app, &request) {
        Ok(client) => app.take(&client).map(|()| Some(client)),
        Err(_) if is_open(&path) && open_host(&app, &request) => Ok(None),
        Err(problem) => Err(problem),
    };
    let mut response = match let_in {
        Ok(client) => {
            if let Some(client) = client {
                request.extensions_mut().insert(client);
            }
            next.run(request).await
        }
        Err(problem) if chat => as_chat_error(problem),
        Err(problem) => problem.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    app.requests.answered(method, &route, response.status().as_u16(), began.elapsed());
    response
}

/// Whether a request for an open path names a host that it may: this machine, or with tokens any.
fn open_host(app: &App, request: &Request) -> bool {
    let host = one(request.headers(), &HOST);
    let ours = app.access.has_tokens() || host.is_some_and(|h| app.access.is_ours(h));
    let origin = request.headers().get(ORIGIN).map(|o| o.to_str().unwrap_or("?"));
    ours && origin.is_none_or(|o| o.split_once("://").map(|(_, at)| at) == host)
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
