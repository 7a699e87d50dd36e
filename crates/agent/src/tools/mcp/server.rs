//! One server: reached when it is first needed, again when it has gone; its tools listed once, its answers awaited.

use super::connection::Connection;
use super::open_connection::OpenConnection;
use super::{DEFAULT_TIMEOUT, START_TIMEOUT, names, response};
use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::runtime::runtime;
use crate::schema;
use crate::tools::executor::CallControl;
use crate::tools::toolbox::{Rules, Tool};
use ptc_lisp::error::cut;
use ptc_lisp::escape;
use ptc_lisp::interface::ToolSpec;
use ptc_lisp::types::Type;
use rmcp::ServiceError;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, ClientRequest, PaginatedRequestParams, ServerResult, Tool as Listed,
};
use rmcp::service::PeerRequestOptions;
use serde_json::Value as Json;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Most tools of a server, and pages that list them.
const TOOLS: usize = 1000;
const PAGES: usize = 100;
/// Longest description that is kept, in bytes.
const WORDS: usize = 4096;
/// How often a call looks whether anybody still waits for it.
const PULSE: Duration = Duration::from_millis(20);

/// A server that a task names.
pub struct Server {
    name: String,
    link: Connection,
    folder: PathBuf,
    timeout: Duration,
    only: Option<Vec<String>>,
    parse_json: bool,
    rules: Rules,
    open: Mutex<Option<Arc<OpenConnection>>>,
    /// Held while a connection is made.
    reaching: tokio::sync::Mutex<()>,
    listed: Mutex<Option<Arc<Vec<Listed>>>>,
}

/// How it is reached; nothing of its environment.
impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("name", &self.name).field("link", &self.link).finish_non_exhaustive()
    }
}

/// A tool that a server has.
#[derive(Clone)]
#[non_exhaustive]
pub struct ListedTool {
    /// As programs see it.
    pub spec: ToolSpec,
    /// What the server calls it.
    name: String,
    takes: Arc<Json>,
    /// The server says that it changes nothing (`readOnlyHint`).
    read_only: bool,
}

impl Server {
    /// A server of this name; a process runs in `folder`.
    pub fn new(name: impl Into<String>, link: Connection, folder: PathBuf) -> Self {
        Server {
            name: name.into(),
            link,
            folder,
            timeout: DEFAULT_TIMEOUT,
            only: None,
            parse_json: false,
            rules: Rules::default(),
            open: Mutex::default(),
            reaching: tokio::sync::Mutex::default(),
            listed: Mutex::default(),
        }
    }

    /// Most time of a call.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Grants only these of its tools; `None` for all.
    #[must_use]
    pub fn with_only(mut self, only: Option<Vec<String>>) -> Self {
        self.only = only;
        self
    }

    /// Takes a text that is one JSON object or list for what it says.
    #[must_use]
    pub fn parse_json(mut self, parse: bool) -> Self {
        self.parse_json = parse;
        self
    }

    /// How its tools may be called, where that is not as it says itself.
    #[must_use]
    pub(crate) fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// What tells it from another server of its name.
    pub(crate) fn words(&self) -> Vec<String> {
        self.link.words()
    }

    /// Whether each call of its tools has to be approved.
    pub(crate) fn needs_approval(&self) -> bool {
        self.rules.approval
    }

    /// Its name in the task.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with how it is reached, and the key that says it, as far as that can be told without reaching it.
    pub(crate) fn fault(&self) -> Option<(&'static str, Error)> {
        self.link.fault()
    }

    /// What it has, in the order in which it says so, under names that are not `taken` yet. It is asked once: what it
    /// adds or takes away later is not for this session.
    ///
    /// # Errors
    /// When it cannot be reached, or says what cannot be understood.
    pub fn list_tools(self: &Arc<Self>, taken: &mut Vec<String>) -> Result<Vec<ListedTool>, Error> {
        let listed = self.list()?;
        if let Some(only) = &self.only {
            for name in only {
                if !listed.iter().any(|t| t.name == *name) {
                    let known: Vec<&str> = listed.iter().map(|t| &*t.name).collect();
                    let hint = match ptc_lisp::suggest::did_you_mean(name, known.iter().copied()) {
                        Some(near) => format!("did you mean {near}?"),
                        None => format!("it has {}", cut(known.join(", "), 500)),
                    };
                    let name = escape::quoted(name);
                    return Err(Error::new(
                        ErrorKind::Tool,
                        error_text!("[mcp.{}] tools: the server has no tool {name}", self.name; "{hint}"),
                    ));
                }
            }
        }
        let granted = |t: &&Listed| self.only.as_ref().is_none_or(|only| only.iter().any(|n| *n == *t.name));
        let one = |t: &Listed| {
            let takes = Json::Object(serde_json::Map::clone(&t.input_schema));
            let words = t.description.as_deref().or(t.title.as_deref()).unwrap_or_default().trim().to_owned();
            let returns = t.output_schema.as_ref().map(|s| schema::shape(&Json::Object(serde_json::Map::clone(s))));
            let spec = ToolSpec {
                name: names::program_name(&self.name, &t.name, taken),
                description: cut(words, WORDS),
                params: schema::params(&takes),
                returns: returns.filter(|s| *s != Type::Any),
            };
            let read_only = t.annotations.as_ref().and_then(|a| a.read_only_hint) == Some(true);
            ListedTool { spec, name: t.name.to_string(), takes: Arc::new(takes), read_only }
        };
        Ok(listed.iter().filter(granted).map(one).collect())
    }

    /// One of its tools.
    pub fn tool(self: &Arc<Self>, offered: ListedTool) -> Tool {
        let server = self.clone();
        let ListedTool { spec, name, takes, read_only } = offered;
        let call = move |args: &str, control: &CallControl| server.call(&name, &takes, args, control);
        let tool =
            Tool::text(spec.name.clone(), call).with_spec(spec).timeout(self.timeout).stops_when_cancelled().foreign();
        let tool = if read_only { tool.read_only() } else { tool };
        tool.with_rules(&self.rules)
    }

    fn list(self: &Arc<Self>) -> Result<Arc<Vec<Listed>>, Error> {
        let mut listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tools) = &*listed {
            return Ok(tools.clone());
        }
        let server = self.clone();
        let tools = wait(async move {
            let late = || {
                Error::new(
                    ErrorKind::Tool,
                    format!("[mcp.{}]: the server was not ready in {} s", server.name, START_TIMEOUT.as_secs()),
                )
            };
            tokio::time::timeout(START_TIMEOUT, async {
                let open = server.reach().await?;
                let mut faults = open.words.faults();
                let listed = tokio::select! {
                    listed = pages(&open) => listed.map_err(|e| e.to_string()),
                    fault = faults.next() => Err(fault),
                };
                match listed {
                    Ok(tools) => Ok(tools),
                    Err(e) => {
                        let words = open.secrets.hide(open.end(&e).await);
                        let words = cut(escape::line(&words), 1000);
                        Err(Error::new(
                            ErrorKind::Tool,
                            format!("[mcp.{}]: its tools cannot be listed: {words}", server.name),
                        ))
                    }
                }
            })
            .await
            .unwrap_or_else(|_| Err(late()))
        })??;
        Ok(listed.insert(Arc::new(tools)).clone())
    }

    /// The connection, made if there is none; calls that come together make one.
    async fn reach(&self) -> Result<Arc<OpenConnection>, Error> {
        let _one = self.reaching.lock().await;
        let there = self.open.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(open) = there.filter(|o| o.alive()) {
            return Ok(open);
        }
        let open = Arc::new(OpenConnection::new(&self.name, &self.link, &self.folder).await?);
        self.open.lock().unwrap_or_else(PoisonError::into_inner).replace(open.clone());
        Ok(open)
    }

    fn call(self: &Arc<Self>, name: &str, takes: &Json, args: &str, control: &CallControl) -> Result<String, String> {
        let mut args: Json = serde_json::from_str(args).map_err(|e| e.to_string())?;
        schema::without_absent(takes, &mut args);
        let Json::Object(args) = args else { return Err("its arguments are no object".to_owned()) };
        let params = CallToolRequestParams::new(name.to_owned()).with_arguments(args);
        let (server, control) = (self.clone(), control.clone());
        let answered = wait(async move {
            let open = tokio::select! {
                open = server.reach() => open.map_err(|p| p.to_string())?,
                () = given_up(&control) => return Err(String::new()),
            };
            let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
            let mut faults = open.words.faults();
            let mut id = String::new();
            let mut options = PeerRequestOptions::no_options();
            let call = [("ptc/callId", Json::from(control.id())), ("ptc/callKey", Json::from(control.key()))];
            let call = call.map(|(name, value)| (name.to_owned(), value));
            options.meta = serde_json::from_value(Json::Object(call.into_iter().collect())).ok();
            let answer = match open.peer.send_cancellable_request(request, options).await {
                Ok(mut handle) => tokio::select! {
                    answer = &mut handle.rx => {
                        id = handle.id.to_string();
                        answer.unwrap_or(Err(ServiceError::TransportClosed))
                    }
                    // Whose answer it was to be cannot be known: none that is waited for now comes.
                    fault = faults.next() => {
                        let _ = handle.cancel(Some("what was written cannot be read".to_owned())).await;
                        return Err(cut(open.secrets.hide(fault), 2048));
                    }
                    () = given_up(&control) => {
                        let _ = handle.cancel(Some("nobody waits for the answer any more".to_owned())).await;
                        return Err(open.words.explain(&open.secrets));
                    }
                },
                Err(e) => Err(e),
            };
            let words = match answer {
                Ok(ServerResult::CallToolResult(result)) => {
                    return response::text(result, open.asked.take(&id), server.parse_json)
                        .map_err(|w| cut(open.secrets.hide(w), 2048));
                }
                Ok(ServerResult::InputRequiredResult(_)) => "it asks for input, which nobody here can give".to_owned(),
                Ok(_) => "its answer is none that a tool can give".to_owned(),
                Err(e) => failed(&open, e).await,
            };
            Err(cut(open.secrets.hide(words), 2048))
        });
        answered.map_err(|p| p.to_string())?
    }
}

/// Why there is no answer.
async fn failed(open: &OpenConnection, e: ServiceError) -> String {
    match e {
        ServiceError::McpError(e) => {
            let data = e.data.as_ref().map(|d| cut(open.secrets.hide(format!(" {d}")), 500)).unwrap_or_default();
            format!("{} (code {}){data}", e.message, e.code.0)
        }
        ServiceError::TransportSend(e) => open.end(&super::open_connection::broken(&*e.error)).await,
        ServiceError::TransportClosed => open.end("the server went away before it answered").await,
        other => open.end(&other.to_string()).await,
    }
}

async fn given_up(control: &CallControl) {
    while !control.given_up() {
        tokio::time::sleep(PULSE).await;
    }
}

/// All tools, page by page.
async fn pages(open: &OpenConnection) -> Result<Vec<Listed>, ServiceError> {
    let mut tools: Vec<Listed> = Vec::new();
    let mut cursor = None;
    for _ in 0..PAGES {
        let mut params = PaginatedRequestParams::default();
        params.cursor.clone_from(&cursor);
        let page = open.peer.list_tools(Some(params)).await?;
        for tool in page.tools {
            // Of one name there is one tool.
            if tools.len() < TOOLS && !tools.iter().any(|t| t.name == tool.name) {
                tools.push(tool);
            }
        }
        match page.next_cursor.filter(|next| cursor.as_ref() != Some(next)) {
            Some(next) => cursor = Some(next),
            None => break,
        }
    }
    Ok(tools)
}

/// Runs something on the shared runtime and waits for it, wherever we are.
fn wait<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Error> {
    let (done, over) = std::sync::mpsc::sync_channel(1);
    runtime()?.spawn(async move {
        let _ = done.send(work.await);
    });
    over.recv().map_err(|_| Error::new(ErrorKind::Tool, "the work was dropped; please report it"))
}
