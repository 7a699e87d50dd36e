//! What clients can read: pages of the language, and traces of sessions.

use crate::client::Client;
use crate::sessions::Sessions;
use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorData, ReadResourceResult, Reference, Resource,
    ResourceContents, ResourceTemplate,
};
use std::io::Read as _;

/// Most sessions whose traces are listed.
const LISTED: usize = 50;
/// Most bytes of a trace that is read as one resource.
const TRACE_BYTES: u64 = 8 << 20;

/// Where the trace of a session is.
const TRACE: &str = "ptc://sessions/{session}/trace";

/// A page that clients can read, as `ptc://NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its name in the address.
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Its text, in Markdown.
    pub text: String,
}

pub(super) async fn list(sessions: &Sessions, client: &Client, pages: &[Page]) -> Vec<Resource> {
    let page = |p: &Page| {
        Resource::new(format!("ptc://{}", p.name), p.name.clone())
            .with_title(p.title.clone())
            .with_mime_type("text/markdown")
            .with_size(p.text.len() as u64)
    };
    let mut all: Vec<Resource> = pages.iter().map(page).collect();
    // What cannot be listed cannot be read either, which says why.
    for session in sessions.list(client).await.unwrap_or_default().into_iter().take(LISTED) {
        let task = session.task.map_or_else(String::new, |t| format!(", task {t}"));
        let one = Resource::new(format!("ptc://sessions/{}/trace", session.id), session.id)
            .with_title(format!("Trace of {} turns{task}", session.totals.turns))
            .with_mime_type("application/jsonl");
        all.push(one);
    }
    all
}

/// Values that an argument may have which begin as it is written: ids of sessions.
pub(super) async fn complete(sessions: &Sessions, client: &Client, asked: &CompleteRequestParams) -> CompleteResult {
    let of_trace = matches!(&asked.r#ref, Reference::Resource(of) if of.uri == TRACE);
    if !of_trace || asked.argument.name != "session" {
        return CompleteResult::default();
    }
    let all = sessions.list(client).await.unwrap_or_default();
    let mut ids: Vec<String> =
        all.into_iter().map(|s| s.id).filter(|id| id.starts_with(&asked.argument.value)).collect();
    let (total, most) = (ids.len(), CompletionInfo::MAX_VALUES);
    ids.truncate(most);
    let total_known = u32::try_from(total).ok();
    let info = CompletionInfo::with_pagination(ids, total_known, total > most);
    info.map(CompleteResult::new).unwrap_or_default()
}

pub(super) fn templates() -> Vec<ResourceTemplate> {
    let trace = ResourceTemplate::new(TRACE, "trace")
        .with_title("Trace of a session")
        .with_description("All turns of a session, a line of JSON each")
        .with_mime_type("application/jsonl");
    vec![trace]
}

pub(super) async fn read(
    sessions: &Sessions,
    client: &Client,
    pages: &[Page],
    uri: &str,
) -> Result<ReadResourceResult, ErrorData> {
    let path = uri.strip_prefix("ptc://").unwrap_or_default();
    if let Some(page) = pages.iter().find(|p| p.name == path) {
        let contents = ResourceContents::text(page.text.clone(), uri).with_mime_type("text/markdown");
        return Ok(ReadResourceResult::new(vec![contents]));
    }
    let Some(id) = path.strip_prefix("sessions/").and_then(|rest| rest.strip_suffix("/trace")) else {
        let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(uri).to_string(), 200);
        return Err(ErrorData::resource_not_found(format!("there is no resource {shown}; list them"), None));
    };
    let not_there = |words: String| ErrorData::resource_not_found(words, None);
    let (file, bytes) = sessions.trace_file(client, id).await.map_err(|refused| not_there(refused.to_string()))?;
    if bytes > TRACE_BYTES {
        let words =
            format!("the trace has {bytes} bytes, too many for one answer; use inspect, or ptc sessions export {id}");
        return Err(ErrorData::invalid_params(words, None));
    }
    let read = tokio::task::spawn_blocking(move || {
        let mut all = Vec::new();
        // It may grow meanwhile.
        file.take(bytes).read_to_end(&mut all).map(|_| String::from_utf8_lossy(&all).into_owned())
    });
    let text = match read.await {
        Ok(Ok(text)) => text,
        Ok(Err(e)) => return Err(not_there(format!("the trace cannot be read: {e}"))),
        Err(_) => return Err(not_there("the server stops".to_owned())),
    };
    Ok(ReadResourceResult::new(vec![ResourceContents::text(text, uri).with_mime_type("application/jsonl")]))
}
