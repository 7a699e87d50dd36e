//! Bytes as the messages of an MCP server: tools and answers, or words.

use super::outside::{Asked, Server as Http, folder, told, words};
use ptc_agent::tools::mcp::{Connection, Server};
use ptc_agent::{Toolbox, host};
use ptc_lisp::limits::Limits;
use ptc_turns::{Config, Session};
use serde_json::{Value, json};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// Asks a server that answers its first request with the first part of the input, and so on; parts are divided as turns
/// are. A part that is `-`, or missing, is an answer in order. `$id` stands for the request's.
pub fn mcp(data: &[u8]) {
    static SERVER: OnceLock<Http> = OnceLock::new();
    let http = Http::of(&SERVER);
    let text = super::text(data);
    let mut parts = text.split(super::BETWEEN).map(str::to_owned).collect::<Vec<_>>().into_iter();
    http.answer(move |asked| {
        let request: Value = serde_json::from_str(&asked.body).unwrap_or_default();
        let Some(id) = request.get("id").filter(|_| asked.line.starts_with("POST ")) else {
            return (if asked.line.starts_with("GET ") { 405 } else { 202 }, "application/json", Vec::new());
        };
        match parts.next().filter(|p| p != "-") {
            Some(part) => said(&part.replace("$id", &id.to_string()), id),
            None => in_order(asked, &request, id),
        }
    });
    let link = Connection::Url { url: format!("{}/mcp", http.url), headers: Vec::new() };
    let server =
        Arc::new(Server::new("s", link, folder("mcp")).with_timeout(Duration::from_millis(300)).parse_json(true));
    let offered = match server.list_tools(&mut Vec::new()) {
        Ok(offered) => offered,
        Err(e) => return words(&e.to_string()),
    };
    let mut tools = Toolbox::new();
    offered.iter().take(2).for_each(|o| tools.add(server.tool(o.clone())));
    let limits = Limits { fuel: 50_000, memory_bytes: 2 << 20, cpu_ms: 0, wall_ms: 3000, ..Limits::default() };
    let mut session = Session::new(Config { tools: tools.specs(), limits, ..Config::programs() });
    for o in offered.iter().take(2) {
        let program = format!("(println (tool/{} {{}}))", o.spec.name);
        let turn = session.trace().turns().len() as u64 + 1;
        let world = host::turn_context(&session, turn, &mut tools, &|| false);
        if let Ok(Some(e)) = session.run(&program, world).map(|r| r.error.as_ref()) {
            told(&e.message);
        }
    }
}

/// A part as it is; where it is an answer, to what was asked: whoever is not answered waits for long.
fn said(part: &str, id: &Value) -> super::outside::Answer {
    if part.starts_with("data:") || part.starts_with("event:") {
        return (200, "text/event-stream", format!("{part}\n\n").into_bytes());
    }
    let mut part = part.to_owned();
    if let Ok(Value::Object(mut message)) = serde_json::from_str(&part) {
        message.insert("id".into(), id.clone());
        part = Value::Object(message).to_string();
    }
    (200, "application/json", part.into_bytes())
}

fn in_order(_: &Asked, request: &Value, id: &Value) -> super::outside::Answer {
    let result = match request["method"].as_str().unwrap_or_default() {
        "initialize" => {
            json!({"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}})
        }
        "tools/list" => json!({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}),
        _ => json!({"content": [{"type": "text", "text": "hello"}]}),
    };
    (200, "application/json", json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string().into_bytes())
}
