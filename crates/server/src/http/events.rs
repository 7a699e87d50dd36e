//! What happens in a session, as server-sent events.

use crate::event::Event;
use crate::events::Events;
use crate::http::app::App;
use crate::http::extract::{PathParts, Query, Who};
use crate::http::problem::Problem;
use crate::rates::StreamPlace;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    #[serde(default)]
    after: Option<u64>,
}

struct Following {
    events: Events,
    stopping: watch::Receiver<bool>,
    _place: StreamPlace,
}

pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Who(client): Who,
    path: PathParts,
    Query(asked): Query<After>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let id = path.session()?;
    let last = match headers.get("last-event-id") {
        None => asked.after,
        Some(text) => {
            let number = text.to_str().ok().and_then(|t| t.trim().parse::<u64>().ok());
            let words =
                || Problem::invalid("Last-Event-ID is no turn", "send the id of the last event, or leave it out");
            Some(number.ok_or_else(words)?)
        }
    };
    let place = app.rates().stream(&client, app.options.streams)?;
    let events = app.sessions.events(&client, id, last.unwrap_or(0)).await?;
    let following = Following { events, stopping: app.stopping.clone(), _place: place };
    let all = stream::unfold(following, |mut f| async move {
        let event = tokio::select! {
            event = f.events.next() => event,
            // Who follows comes back, and goes on behind the last turn that it was told of.
            _ = f.stopping.wait_for(|stop| *stop) => None,
        }?;
        Some((Ok::<_, Infallible>(sent(&event)), f))
    });
    let alive = KeepAlive::new().interval(Duration::from_secs(app.options.keep_alive_seconds)).text("still here");
    Ok(Sse::new(all).keep_alive(alive).into_response())
}

/// An event. Only the end of a turn has an id: behind it whoever comes back goes on.
fn sent(event: &Event) -> Sent {
    let data = serde_json::to_string(event).unwrap_or_default();
    let name = serde_json::to_value(event).ok();
    let name = name.as_ref().and_then(|v| v.get("type")).and_then(|t| t.as_str()).unwrap_or("event");
    let sent = Sent::default().event(name).data(data);
    match event {
        Event::TurnEnded { turn, .. } => sent.id(turn.to_string()),
        _ => sent,
    }
}
