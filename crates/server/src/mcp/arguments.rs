//! The tools of the server: their names, what they take, and what they are for.

use super::result;
use crate::sessions::{ServedTask, Sessions};
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// How long a tool waits if it is not said, and at most: clients give up after a minute.
pub(crate) const WAIT_MS: u64 = 25_000;
pub(crate) const MOST_WAIT_MS: u64 = 50_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RunArgs {
    pub(crate) program: String,
    pub(crate) session: Option<String>,
    pub(crate) task: Option<String>,
    pub(crate) context: Option<Map<String, Value>>,
    pub(crate) expect: Option<String>,
    pub(crate) wait_ms: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WaitArgs {
    pub(crate) session: String,
    pub(crate) wait_ms: Option<u64>,
    #[serde(default)]
    pub(crate) cancel: bool,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum What {
    Sessions,
    Defs,
    Turns,
    Turn,
    Calls,
}

/// What is in a session.
pub(crate) enum Part {
    Defs,
    Turns,
    Turn,
    Calls,
}

impl What {
    /// The part of a session that is meant; `None` of what is about all of them.
    pub(crate) fn part(self) -> Option<Part> {
        match self {
            What::Sessions => None,
            What::Defs => Some(Part::Defs),
            What::Turns => Some(Part::Turns),
            What::Turn => Some(Part::Turn),
            What::Calls => Some(Part::Calls),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct InspectArgs {
    pub(crate) session: Option<String>,
    pub(crate) what: What,
    pub(crate) n: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ToolsArgs {
    pub(crate) query: Option<String>,
    pub(crate) names: Option<Vec<String>>,
    pub(crate) task: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ForkArgs {
    pub(crate) session: String,
    pub(crate) turn: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TaskArgs {
    #[serde(default)]
    pub(crate) request: String,
    pub(crate) context: Option<Map<String, Value>>,
    pub(crate) wait_ms: Option<u64>,
}

/// Arguments as a tool takes them.
///
/// # Errors
/// In words, which argument is wrong.
pub(crate) fn read<T: DeserializeOwned>(name: &str, arguments: Option<JsonObject>) -> Result<T, String> {
    serde_json::from_value(Value::Object(arguments.unwrap_or_default())).map_err(|e| {
        format!("{name}: {}", ptc_lisp::error::cut(ptc_lisp::escape::line(&e.to_string()).to_string(), 500))
    })
}

/// The tools that clients see.
pub(crate) fn all(sessions: &Sessions) -> Vec<Tool> {
    let tasks = sessions.tasks();
    let names: Vec<&str> = tasks.iter().map(|t| t.name.as_str()).collect();
    let session = json!({ "type": "string", "description": "The id of a session, as an answer of run has it" });
    let wait = json!({ "type": "integer", "minimum": 0, "description": format!("Milliseconds to wait for the end, {WAIT_MS} if left out, at most {MOST_WAIT_MS}; after them the answer is that it still runs") });
    let mut run = json!({
        "program": { "type": "string", "description": "A program in PTC-Lisp: Clojure on data" },
        "session": { "type": "string", "description": "The session to go on with; without it a new one begins" },
        "context": { "type": "object", "description": "Of a new session: values that programs read as ctx/NAME" },
        "expect": { "type": "string", "description": "Of a new session: the type that (return value) must have, as [{name: string}]" },
        "wait_ms": wait,
    });
    let task = json!({ "type": "string", "enum": names, "description": "Of a new session: the task whose tools and inputs it has" });
    if let (Some(run), false) = (run.as_object_mut(), names.is_empty()) {
        run.insert("task".into(), task.clone());
    }
    let mut tools_of = json!({
        "query": { "type": "string", "description": "Only tools whose name or description has this word" },
        "names": { "type": "array", "items": { "type": "string" }, "description": "All that is known of these" },
    });
    if let (Some(of), false) = (tools_of.as_object_mut(), names.is_empty()) {
        of.insert("task".into(), task);
    }
    let looks = || ToolAnnotations::new().read_only(true).open_world(false);
    let acts = || ToolAnnotations::new().read_only(false).destructive(false).open_world(!names.is_empty());
    let mut all = vec![
        tool("run", "Runs a program in PTC-Lisp (Clojure on data, sandboxed) as the next turn of a session, and answers with what it printed and its last value. What it defines is there in the next turn.", run, &["program"])
            .with_annotations(acts().with("Run a program")),
        tool("wait", "Waits for what runs in a session, and goes on with a turn that did not end. With cancel it ends it instead.", json!({ "session": session, "wait_ms": wait, "cancel": { "type": "boolean" } }), &["session"])
            .with_annotations(acts().with("Wait for a turn")),
        tool(
            "inspect",
            "Shows what is in a session: defs (its names), turns (one line each), turn (all of turn n), calls (of tools, of turn n or all); or sessions (those there are, newest first).",
            json!({ "session": session, "what": { "type": "string", "enum": ["sessions", "defs", "turns", "turn", "calls"] }, "n": { "type": "integer", "minimum": 1, "description": "The turn; of lists how many, the newest" } }),
            &["what"],
        )
        .with_annotations(looks().with("Look into a session")),
        tool("tools", "Lists the tools that programs can call as (tool/NAME ...), with their parameters and types.", tools_of, &[])
            .with_annotations(looks().with("List tools")),
        tool("fork", "Begins another session with the first turns of one, to try something else from there.", json!({ "session": session, "turn": { "type": "integer", "minimum": 1, "description": "The last turn it has; all of them if left out" } }), &["session"])
            .with_annotations(acts().with("Fork a session")),
    ];
    let schema = object(result::schema());
    for tool in all.iter_mut().take(2) {
        tool.output_schema = Some(schema.clone());
    }
    for (name, task) in task_tools(&tasks) {
        let properties = json!({
            "request": { "type": "string", "description": "What is asked of it, behind what the task itself says" },
            "context": { "type": "object", "description": "Values of inputs, by their names" },
            "wait_ms": wait,
        });
        let description = ptc_lisp::error::cut(task.description.clone(), 1000);
        let words = format!("Runs the task {} with its model, in a session of its own: {description}", task.name);
        let mut one = tool(&name, &words, properties, &[]).with_annotations(acts().open_world(true).with(&task.name));
        one.output_schema = Some(schema.clone());
        all.push(one);
    }
    all
}

/// The tasks that a model can run, each with the name of its tool: the task's, as tools may be called.
pub(crate) fn task_tools(tasks: &[ServedTask]) -> Vec<(String, &ServedTask)> {
    let mut named: Vec<(String, &ServedTask)> = Vec::new();
    for task in tasks.iter().filter(|t| t.has_model) {
        let plain: String =
            task.name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).take(50).collect();
        let own = ["run", "wait", "inspect", "tools", "fork"];
        let taken = |name: &String, named: &[(String, &ServedTask)]| {
            own.contains(&name.as_str()) || named.iter().any(|(n, _)| n == name)
        };
        let mut name = plain.clone();
        let mut n = 1_u64;
        while taken(&name, &named) {
            n = n.saturating_add(1);
            name = format!("{plain}-{n}");
        }
        named.push((name, task));
    }
    named
}

fn tool(name: &str, description: &str, properties: Value, required: &[&str]) -> Tool {
    let schema =
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false });
    Tool::new(name.to_owned(), description.to_owned(), object(schema))
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(map) => Arc::new(map),
        _ => Arc::default(),
    }
}

/// A title for people.
trait Titled {
    fn with(self, title: &str) -> Self;
}

impl Titled for ToolAnnotations {
    fn with(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }
}
