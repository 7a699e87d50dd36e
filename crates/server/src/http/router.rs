//! Which request is answered by what: one table, which the description is checked against.

use crate::http::app::App;
use crate::http::guard::guard;
use crate::http::{chat, events, pages, routes};
use axum::Router;
use axum::routing::{MethodRouter, delete, get, post};
use std::sync::Arc;

/// A path and a method of it.
type Route = (&'static str, &'static str, fn() -> MethodRouter<Arc<App>>);

/// All of them.
pub(crate) const ROUTES: &[Route] = &[
    ("GET", "/health", || get(routes::health)),
    ("GET", "/metrics", || get(routes::metrics)),
    ("GET", "/openapi.json", || get(routes::description)),
    ("GET", "/tasks", || get(routes::tasks)),
    ("GET", "/sessions", || get(routes::list)),
    ("POST", "/sessions", || post(routes::create)),
    ("GET", "/sessions/{id}", || get(routes::show)),
    ("DELETE", "/sessions/{id}", || delete(routes::remove)),
    ("GET", "/sessions/{id}/turns", || get(routes::turns)),
    ("POST", "/sessions/{id}/turns", || post(routes::run)),
    ("GET", "/sessions/{id}/turns/{turn}", || get(routes::one_turn)),
    ("POST", "/sessions/{id}/wait", || post(routes::go_on)),
    ("POST", "/sessions/{id}/cancel", || post(routes::cancel)),
    ("POST", "/sessions/{id}/fork", || post(routes::fork)),
    ("GET", "/sessions/{id}/approvals", || get(routes::waiting)),
    ("POST", "/sessions/{id}/approvals", || post(routes::decide)),
    ("GET", "/sessions/{id}/events", || get(events::events)),
    ("GET", "/sessions/{id}/trace", || get(routes::trace)),
    ("GET", "/sessions/{id}/prompt", || get(routes::prompt)),
    ("GET", "/sessions/{id}/page", || get(pages::address)),
    ("GET", "/pages/{key}/{client}/{id}/", || get(pages::page)),
    ("GET", "/pages/{key}/{client}/{id}/state", || get(pages::state)),
    ("GET", "/v1/models", || get(chat::models)),
    // The name of a task may have slashes.
    ("GET", "/v1/models/{*id}", || get(chat::one_model)),
    ("POST", "/v1/chat/completions", || post(chat::completions)),
];

/// Everything that is answered.
pub(crate) fn router(app: Arc<App>) -> Router {
    let router = ROUTES.iter().fold(Router::new(), |router, (_, path, answered)| router.route(path, answered()));
    let router = router.fallback(routes::nothing).method_not_allowed_fallback(routes::no_such_method);
    router.layer(axum::middleware::from_fn_with_state(app.clone(), guard)).with_state(app)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::http::openapi::document;
    use serde_json::Value;
    use std::collections::BTreeSet;

    #[test]
    fn all_routes_are_described_and_no_others() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let of = |(path, methods): (&String, &Value)| {
            methods.as_object().unwrap().keys().map(|m| (m.to_uppercase(), path.clone())).collect::<Vec<_>>()
        };
        let described: BTreeSet<(String, String)> = paths.iter().flat_map(of).collect();
        let routes = ROUTES.iter().map(|(method, path, _)| ((*method).to_owned(), path.replace("{*", "{"))).collect();
        assert_eq!(described, routes);
    }
}
