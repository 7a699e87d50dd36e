//! What a server says that it has: read tool by tool, so that one which is malformed does not cost the others.

use super::open_connection::OpenConnection;
use crate::schema;
use ptc_lisp::error::cut;
use ptc_lisp::escape;
use rmcp::ServiceError;
use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams};
use rmcp::service::PeerRequestOptions;
use serde::Deserialize;
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::collections::HashSet;
use std::sync::Arc;

/// Most tools of a server, and pages that list them.
const TOOLS: usize = 1000;
const PAGES: usize = 100;
/// Most tools that are named as left out.
const LEFT_OUT: usize = 20;
/// Longest description that is kept, in bytes.
const WORDS: usize = 4096;

/// The tools of a server.
#[derive(Default)]
pub(super) struct Listing {
    pub tools: Vec<Listed>,
    /// Tools that are left out by name, with the reason; without a name, what else is wrong with the list.
    pub left_out: Vec<(String, String)>,
}

/// A tool as a server lists it.
pub(super) struct Listed {
    /// What the server calls it.
    pub name: String,
    pub description: String,
    /// The schema of its arguments.
    pub takes: Arc<Json>,
    /// The schema of its answer.
    pub returns: Option<Json>,
    /// The server says that it changes nothing (`readOnlyHint`).
    pub read_only: bool,
}

/// A page of the list.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow, default)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(default, rename = "nextCursor")]
    next: Option<Json>,
}

/// All tools, page by page.
pub(super) async fn of(open: &OpenConnection) -> Result<Listing, String> {
    let mut listing = Listing::default();
    let (mut cursor, mut seen) = (None::<String>, HashSet::new());
    for _ in 0..PAGES {
        let result = page(open, cursor.take()).await?;
        let page = result.starts_with('{').then(|| serde_json::from_str::<Page<'_>>(&result));
        let page = page.ok_or("it is no object")?.map_err(|e| e.to_string())?;
        page.tools.into_iter().flatten().for_each(|tool| listing.add(tool.get()));
        match page.next {
            // A server that gives a place twice would give it for ever.
            Some(Json::String(next)) if !next.is_empty() && seen.insert(next.clone()) => cursor = Some(next),
            _ => return Ok(listing),
        }
    }
    let tools = listing.tools.len();
    listing.leave_out(String::new(), format!("its list of tools does not end after {PAGES} pages; {tools} are used"));
    Ok(listing)
}

/// A page as it was written.
async fn page(open: &OpenConnection, cursor: Option<String>) -> Result<String, String> {
    let mut params = PaginatedRequestParams::default();
    params.cursor = cursor;
    let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
    let words = |e: ServiceError| e.to_string();
    let handle = open.peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await.map_err(words)?;
    let id = serde_json::to_string(&handle.id).unwrap_or_default();
    handle.rx.await.unwrap_or(Err(ServiceError::TransportClosed)).map_err(words)?;
    open.asked.take(&id).ok_or_else(|| "its answer is none that a server can give".to_owned())
}

impl Listing {
    fn add(&mut self, tool: &str) {
        let tool: Json = match serde_json::from_str(tool) {
            Ok(tool) => tool,
            Err(e) => return self.leave_out(String::new(), format!("a tool is left out: it cannot be read ({e})")),
        };
        let of = |key: &str| tool.get(key).and_then(Json::as_str).unwrap_or_default();
        let name = of("name");
        if name.is_empty() {
            let shown = escape::quoted(&cut(tool.to_string(), 100));
            return self.leave_out(String::new(), format!("a tool without a name is left out: {shown}"));
        }
        let object = |key: &str| tool.get(key).filter(|s| !s.is_null());
        let faulty = match object("inputSchema") {
            None => Some("it has no inputSchema".to_owned()),
            Some(takes) => schema::fault(takes, true).map(|why| format!("its inputSchema {why}")),
        };
        let faulty = faulty.or_else(|| {
            let why = schema::fault(object("outputSchema")?, false)?;
            Some(format!("its outputSchema {why}"))
        });
        let why = match faulty {
            Some(why) => why,
            None if self.tools.iter().any(|t| t.name == name) => "another tool has its name".to_owned(),
            None if self.tools.len() >= TOOLS => format!("the server has more than {TOOLS}"),
            None => {
                let words = [of("description"), of("title")].into_iter().find(|w| !w.trim().is_empty());
                return self.tools.push(Listed {
                    name: name.to_owned(),
                    description: cut(words.unwrap_or_default().trim().to_owned(), WORDS),
                    takes: Arc::new(tool.get("inputSchema").cloned().unwrap_or_default()),
                    returns: object("outputSchema").cloned(),
                    read_only: tool.pointer("/annotations/readOnlyHint") == Some(&Json::Bool(true)),
                });
            }
        };
        self.leave_out(name.to_owned(), why);
    }

    fn leave_out(&mut self, name: String, why: String) {
        let told = self.left_out.iter().any(|(n, w)| *n == name && *w == why);
        if !told && self.left_out.len() < LEFT_OUT {
            self.left_out.push((name, why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn one_malformed_tool_is_left_out_and_named() {
        let mut listing = Listing::default();
        for tool in [
            json!({"name": "a", "description": null, "title": "A", "inputSchema": {}, "outputSchema": null, "annotations": null}),
            json!({"name": "b", "inputSchema": {"type": "object", "properties": {"x": {"$ref": "#/$defs/X"}}, "$defs": {"X": {}}}}),
            json!({"name": "c"}),
            json!({"name": "d", "inputSchema": null}),
            json!({"name": "e", "inputSchema": "object"}),
            json!({"name": "f", "inputSchema": {"type": "string"}}),
            json!({"name": "g", "inputSchema": {"properties": {"x": {"$ref": "#/$defs/Gone"}}}}),
            json!({"name": "h", "inputSchema": {"properties": []}}),
            json!({"name": "i", "inputSchema": {"properties": {"x": "string"}}}),
            json!({"name": "j", "inputSchema": {"required": "x"}}),
            json!({"name": "k", "inputSchema": {}, "outputSchema": {"properties": {"x": {"items": {"$ref": "x.json"}}}}}),
            json!({"name": "a", "inputSchema": {}}),
            json!({"name": 5, "inputSchema": {}}),
            json!({"inputSchema": {}}),
            json!("a"),
            json!({"name": "z", "inputSchema": {"properties": {"$ref": {"type": "any"}, "d": {"default": {"$ref": "#/no"}}}}}),
            json!({"name": "z2", "inputSchema": {"$ref": "#/definitions/P", "definitions": {"P": {"type": "object"}}}}),
        ] {
            listing.add(&tool.to_string());
        }
        listing.add("{\"name\": \"deep\", \"inputSchema\": ");
        let names: Vec<&str> = listing.tools.iter().map(|t| t.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "z", "z2"]);
        assert_eq!(listing.tools[0].description, "A");
        let told: Vec<String> = listing.left_out.iter().map(|(n, why)| format!("{n}: {why}")).collect();
        let expected = [
            "c: it has no inputSchema",
            "d: it has no inputSchema",
            "e: its inputSchema is no object",
            "f: its inputSchema is of type \"string\", and arguments are an object",
            "g: its inputSchema refers to \"#/$defs/Gone\", which is not in it",
            "h: its inputSchema has properties that are no object",
            "i: its inputSchema has the property \"x\" that is no schema",
            "j: its inputSchema has required that is no list of names",
            "k: its outputSchema refers to \"x.json\", which is not in it",
            "a: another tool has its name",
            ": a tool without a name is left out: \"{\\\"name\\\":5,\\\"inputSchema\\\":{}}\"",
            ": a tool without a name is left out: \"{\\\"inputSchema\\\":{}}\"",
            ": a tool without a name is left out: \"\\\"a\\\"\"",
            ": a tool is left out: it cannot be read (EOF while parsing a value at line 1 column 32)",
        ];
        assert_eq!(told, expected);
    }
}
