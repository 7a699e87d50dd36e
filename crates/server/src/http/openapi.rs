//! The description of the server in the form of OpenAPI 3.1, as it is served and stands in docs/openapi.json.

use serde_json::{Map, Value, json};

/// An id of a session.
const ID: &str = "^[0-9]{8}-[0-9]{6}-[a-z0-9]{4}$";

fn problem(about: &str) -> Value {
    json!({ "description": about, "content": { "application/problem+json": { "schema": reference("Problem") } } })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn answer(about: &str, schema: Value) -> Value {
    json!({ "description": about, "content": { "application/json": { "schema": schema } } })
}

fn text(about: &str, kind: &str) -> Value {
    json!({ "description": about, "content": { kind: { "schema": { "type": "string" } } } })
}

fn body(schema: Value, needed: bool) -> Value {
    json!({ "required": needed, "content": { "application/json": { "schema": schema } } })
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

/// An object that has nothing else.
fn closed(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn id() -> Value {
    json!({ "name": "id", "in": "path", "required": true, "schema": { "type": "string", "pattern": ID } })
}

fn number(name: &str, about: &str, least: u64) -> Value {
    json!({ "name": name, "in": "query", "description": about, "schema": { "type": "integer", "minimum": least, "maximum": 1_000_000_000 } })
}

/// An operation: what it does, what it takes, what it answers; all may be refused for want of a token, or as too many.
fn operation(name: &str, about: &str, takes: Value, answers: &[(&str, Value)], refused: &[&str]) -> Value {
    let mut responses: Map<String, Value> =
        answers.iter().map(|(status, a)| ((*status).to_owned(), a.clone())).collect();
    for status in ["401", "403", "429"].iter().chain(refused) {
        let words = match *status {
            "400" => "the request cannot be understood",
            "401" => "there is no token, or it is not known",
            "403" => "the request comes from elsewhere",
            "404" => "there is nothing like it, or it is another client's",
            "408" => "the body came too slowly",
            "409" => "the session does something else just now, or another process writes it",
            "413" => "the body is too large",
            "415" => "the body is not JSON",
            "422" => "a limit is reached",
            "429" => "too much is asked for at a time: again later",
            "503" => "the server stops",
            "504" => "it took too long",
            _ => "it failed",
        };
        responses.insert((*status).to_owned(), problem(words));
    }
    let mut all = json!({ "operationId": name, "summary": about, "responses": responses });
    if let (Some(all), Value::Object(takes)) = (all.as_object_mut(), takes) {
        all.extend(takes);
    }
    all
}

const BODY: &[&str] = &["400", "404", "408", "409", "413", "415", "422", "500", "503"];
const READ: &[&str] = &["404", "500", "503"];

fn schemas() -> Value {
    let integer = json!({ "type": "integer", "minimum": 0 });
    let opt_string = json!({ "type": ["string", "null"] });
    let error = json!({ "type": ["object", "null"], "properties": {
        "kind": { "type": "string" }, "message": { "type": "string" },
        "line": { "type": ["integer", "null"] }, "column": { "type": ["integer", "null"] }, "hint": opt_string } });
    let context = json!({ "type": "object", "description": "Values that programs read as ctx/NAME." });
    let call = json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000_000 });
    let subtask =
        json!({ "type": "string", "description": "The sub-agent whose call it is, as the list of calls names it." });
    let wait = json!({ "type": "integer", "minimum": 0, "maximum": 1_000_000_000,
        "description": "Milliseconds that are waited for the turn: 25000 where it is left out, 60000 at most." });
    json!({
        "Problem": object(json!({
            "type": { "type": "string" }, "title": { "type": "string" }, "status": { "type": "integer" },
            "detail": { "type": "string", "description": "What happened." },
            "hint": { "type": "string", "description": "What to do next." },
            "session": { "type": "string", "description": "The session, where a turn of it broke off that had begun." }, "turn": integer }),
            &["type", "title", "status", "detail", "hint"]),
        "NewSession": { "oneOf": [
            closed(json!({
                "task": { "type": "string", "description": "The task whose tools, inputs and limits it has; none without one." },
                "context": context,
                "expect": { "type": "string", "description": "The type that a returned value must have, as [{name: string}]." },
                "run": { "const": false } }), &[]),
            closed(json!({
                "task": { "type": "string", "description": "The task that is run with its model." },
                "context": context,
                "run": { "const": true },
                "request": { "type": "string", "description": "Follows the prompt of the task." },
                "wait_ms": wait }), &["task", "run"]) ] },
        "Begun": object(json!({ "session": { "type": "string", "pattern": ID } }), &["session"]),
        "Session": object(json!({
            "session": { "type": "string", "pattern": ID }, "task": opt_string, "title": { "type": "string" },
            "status": { "type": "string" }, "created": { "type": "integer" }, "updated": { "type": "integer" },
            "totals": { "type": "object" }, "turns": integer,
            "definitions": { "type": "array", "items": { "type": "object" } },
            "pending": { "type": "array", "items": reference("PendingCall") } }), &["session", "status"]),
        "NewTurn": closed(json!({
            "program": { "type": "string", "description": "The program. It is run once: a turn that has begun goes on after a crash." },
            "wait_ms": wait }), &["program"]),
        "Wait": closed(json!({ "wait_ms": wait }), &[]),
        "Turn": object(json!({
            "session": { "type": "string" }, "turn": integer,
            "status": { "type": "string", "description": "ok, error, returned, failed, answered; of a run as of ptc run --json." },
            "program": { "type": "string" }, "value": opt_string, "json": { "description": "The value, where JSON can say it." },
            "printed": { "type": "string" }, "defined": { "type": "array", "items": { "type": "string" } },
            "feedback": { "type": "string", "description": "What a model is told of the turn." },
            "error": error, "calls": { "type": "array", "items": { "type": "object" } },
            "usage": { "type": "object" }, "time": { "type": "integer" } }), &["session", "turn", "status", "value", "error"]),
        "Unfinished": object(json!({
            "session": { "type": "string" },
            "turn": { "type": "integer", "minimum": 1, "description": "Not of a turn that waits for a process." },
            "status": { "type": "string", "enum": ["running", "pending"] },
            "queued": { "type": "boolean" }, "running_ms": integer,
            "pending": { "type": "array", "items": reference("PendingCall") },
            "location": { "type": "string" }, "hint": { "type": "string" } }), &["session", "status", "location", "hint"]),
        "PendingCall": object(json!({
            "call": { "type": "integer", "description": "Its number in the session, or in the sub-agent." },
            "subtask": { "type": "string", "description": "The sub-agent that made it; not of the session's own." },
            "name": { "type": "string" }, "args": { "type": "object" },
            "why": { "type": "string" } }), &["call", "name", "args", "why"]),
        "Fork": closed(json!({ "turn": { "type": "integer", "minimum": 0, "maximum": 1_000_000_000,
            "description": "The last turn that both have; all of them without it." } }), &[]),
        "Decision": { "oneOf": [
            closed(json!({ "call": call, "subtask": subtask, "wait_ms": wait, "decision": { "const": "approve" } }), &["call", "decision"]),
            closed(json!({ "call": call, "subtask": subtask, "wait_ms": wait, "decision": { "const": "deny" },
                "reason": { "type": "string", "description": "The error that the program gets." } }), &["call", "decision"]),
            closed(json!({ "call": call, "subtask": subtask, "wait_ms": wait, "decision": { "const": "answer" },
                "answer": { "description": "What the program gets; the call is not made." } }), &["call", "decision", "answer"]) ] },
        "Completion": object(json!({
            "model": { "type": "string", "description": "A task." },
            "messages": { "type": "array", "minItems": 1, "items": object(json!({
                "role": { "type": "string", "enum": ["system", "developer", "user", "assistant", "tool"] },
                "content": { "type": "string" } }), &["role", "content"]) },
            "stream": { "type": "boolean" },
            "stream_options": { "type": "object", "properties": { "include_usage": { "type": "boolean" } } } }),
            &["model", "messages"]),
        "ChatError": object(json!({ "error": { "type": "object" } }), &["error"]),
    })
}

fn chat_errors(operation: &mut Value) {
    let error = json!({ "schema": reference("ChatError") });
    let responses = operation.get_mut("responses").and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        if status.starts_with(['4', '5'])
            && let Some(response) = response.as_object_mut()
        {
            response.insert("content".to_owned(), json!({ "application/json": error }));
        }
    }
}

/// The description of the server.
pub fn document() -> Value {
    let session = |more: Value| {
        let mut all = json!({ "parameters": [id()] });
        if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
            all.extend(more);
        }
        all
    };
    let with = |schema: &str, needed: bool| session(json!({ "requestBody": body(reference(schema), needed) }));
    let asks = |parameters: Value| {
        let mut list = vec![id()];
        list.extend(parameters.as_array().cloned().unwrap_or_default());
        json!({ "parameters": list })
    };
    let turned = [
        ("200", answer("the turn has ended, and is on the disk", reference("Turn"))),
        (
            "202",
            answer("the turn runs, or waits for a decision: location says where to go on", reference("Unfinished")),
        ),
    ];
    let made = [("201", answer("the session", reference("Begun")))];
    let list = |name: &str, of: Value| object(json!({ name: { "type": "array", "items": of } }), &[name]);
    let chat = {
        let takes = json!({ "requestBody": body(reference("Completion"), true) });
        let ok = json!({ "description": "the answer of the task", "content": {
            "application/json": { "schema": { "type": "object" } },
            "text/event-stream": { "schema": { "type": "string" } } } });
        let mut one = operation(
            "chat",
            "Runs a task, in the form of OpenAI's chat completions",
            takes,
            &[("200", ok)],
            &["400", "404", "408", "409", "413", "415", "422", "500", "503", "504"],
        );
        chat_errors(&mut one);
        one
    };
    let models = {
        let mut one = operation(
            "models",
            "The tasks that a model is named for, as models of a chat",
            json!({}),
            &[("200", answer("the tasks", json!({ "type": "object" })))],
            &[],
        );
        chat_errors(&mut one);
        one
    };
    let one_model = {
        let id = json!([{ "name": "id", "in": "path", "required": true, "schema": { "type": "string" },
            "description": "The name of a task. Slashes in it may be sent as they are or percent-encoded." }]);
        let shape = object(
            json!({ "id": { "type": "string" }, "object": { "const": "model" },
            "created": { "type": "integer" }, "owned_by": { "type": "string" } }),
            &["id", "object", "created", "owned_by"],
        );
        let mut one = operation(
            "model",
            "One task that a model is named for, as a model of a chat",
            json!({ "parameters": id }),
            &[("200", answer("the task", shape))],
            &["404"],
        );
        chat_errors(&mut one);
        one
    };
    let page = json!([
        { "name": "key", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^[0-9a-f]{64}$" } },
        { "name": "client", "in": "path", "required": true, "schema": { "type": "string", "pattern": "^([0-9a-f]{2})+$" } },
        id()
    ]);
    let mut create_answers = turned.to_vec();
    create_answers.retain(|(status, _)| *status == "202");
    let begun = json!({ "anyOf": [reference("Begun"), reference("Turn")] });
    create_answers.push(("201", answer("the session has begun; with run its task has ended", begun)));
    let turn_number = json!({ "name": "turn", "in": "path", "required": true,
        "schema": { "type": "integer", "minimum": 1, "maximum": 1_000_000_000 } });
    let last = json!({ "name": "Last-Event-ID", "in": "header", "description": "The id of the last event: the stream goes on behind that turn.",
        "schema": { "type": "integer", "minimum": 0, "maximum": 1_000_000_000 } });
    let policy = json!({ "name": "policy", "in": "query", "schema": { "type": "string", "enum": ["session", "full", "compressed"] } });
    let mut health = operation(
        "health",
        "Whether the server runs",
        json!({ "security": [] }),
        &[("200", answer("it runs", object(json!({ "status": { "type": "string" } }), &["status"])))],
        &["503"],
    );
    if let Some(responses) = health.get_mut("responses").and_then(Value::as_object_mut) {
        responses.remove("401");
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "ptc serve", "version": env!("CARGO_PKG_VERSION"),
            "description": "Sessions of programs: each turn is a program, which sees what the turns before it defined.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": "http://127.0.0.1:8787" }],
        "security": [{ "token": [] }, {}],
        "components": {
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
            "schemas": schemas(),
        },
        "paths": {
            "/health": { "get": health },
            "/metrics": { "get": operation("metrics", "What is counted, for Prometheus", json!({}),
                &[("200", text("the counters", "text/plain"))], &[]) },
            "/openapi.json": { "get": operation("description", "This description", json!({}),
                &[("200", answer("it", json!({ "type": "object" })))], &[]) },
            "/tasks": { "get": operation("tasks", "The tasks that are served", json!({}),
                &[("200", answer("the tasks", list("tasks", json!({ "type": "object" }))))], &[]) },
            "/sessions": {
                "get": operation("listSessions", "The sessions of the client, newest first", json!({}),
                    &[("200", answer("the sessions", list("sessions", reference("Session"))))], &["500", "503"]),
                "post": operation("beginSession", "Begins a session, or the run of a task",
                    json!({ "requestBody": body(reference("NewSession"), false) }), &create_answers, BODY),
            },
            "/sessions/{id}": {
                "get": operation("showSession", "What is known of a session", session(json!({})),
                    &[("200", answer("the session", reference("Session")))], READ),
                "delete": operation("removeSession", "Removes a session with its trace", session(json!({})),
                    &[("204", json!({ "description": "it is removed" }))], &["404", "409", "500", "503"]),
            },
            "/sessions/{id}/turns": {
                "get": operation("listTurns", "The turns that have ended", session(json!({})),
                    &[("200", answer("the turns", list("turns", reference("Turn"))))], READ),
                "post": operation("runTurn", "Runs a program as the next turn", with("NewTurn", true), &turned, BODY),
            },
            "/sessions/{id}/turns/{turn}": {
                "get": operation("showTurn", "A turn that has ended", asks(json!([turn_number])),
                    &[("200", answer("the turn", reference("Turn")))], &["400", "404", "500", "503"]),
            },
            "/sessions/{id}/wait": {
                "post": operation("wait", "Waits for what runs; what was stopped goes on", with("Wait", false), &turned, BODY),
            },
            "/sessions/{id}/cancel": {
                "post": operation("cancel", "Ends what runs: the turn is recorded as cancelled", with("Wait", false), &turned, BODY),
            },
            "/sessions/{id}/fork": {
                "post": operation("fork", "Begins another session with the first turns of one", with("Fork", false), &made, BODY),
            },
            "/sessions/{id}/approvals": {
                "get": operation("listApprovals", "The tool calls that wait for a decision", session(json!({})),
                    &[("200", answer("the calls", object(json!({ "pending": { "type": "array", "items": reference("PendingCall") },
                        "location": { "type": "string", "description": "Where to go on." },
                        "hint": { "type": "string", "description": "What is to be done next." } }), &["pending", "hint"])))], READ),
                "post": operation("decide", "Says what becomes of a call that waits", with("Decision", true), &turned, BODY),
            },
            "/sessions/{id}/events": {
                "get": operation("events", "What happens, as server-sent events: the turns since, then what comes",
                    asks(json!([number("after", "Begin behind this turn.", 0), last])),
                    &[("200", text("the events", "text/event-stream"))], &["400", "404", "500", "503"]),
            },
            "/sessions/{id}/trace": {
                "get": operation("trace", "The trace, lines of JSON", session(json!({})),
                    &[("200", text("the trace", "application/x-ndjson"))], READ),
            },
            "/sessions/{id}/prompt": {
                "get": operation("prompt", "What a model is sent before a turn", asks(json!([policy, number("turn", "The next one without it.", 1)])),
                    &[("200", answer("the messages", list("messages", json!({ "type": "object" }))))], &["400", "404", "409", "500", "503"]),
            },
            "/sessions/{id}/page": {
                "get": operation("page", "Where the page of the session is, which a browser shows while it goes on", session(json!({})),
                    &[("200", answer("its path", object(json!({ "page": { "type": "string" } }), &["page"])))], READ),
            },
            "/pages/{key}/{client}/{id}/": {
                "get": operation("openPage", "The page", json!({ "parameters": page.clone(), "security": [] }),
                    &[("200", text("the page", "text/html"))], &["404", "409", "500", "503"]),
            },
            "/pages/{key}/{client}/{id}/state": {
                "get": operation("pageState", "Whether the page has changed", json!({ "parameters": page, "security": [] }),
                    &[("200", answer("its version", json!({ "type": "object" })))], &["404", "500", "503"]),
            },
            "/v1/models": { "get": models },
            "/v1/models/{id}": { "get": one_model },
            "/v1/chat/completions": { "post": chat },
        },
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_description_is_kept_in_the_documentation() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");
        let text = format!("{}\n", serde_json::to_string_pretty(&document()).unwrap());
        if std::env::var_os("UPDATE_OPENAPI").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == text, "docs/openapi.json is old: UPDATE_OPENAPI=1 cargo test -p ptc-server openapi");
    }
}
