//! One server: reached when it is first needed, again when it has gone; its tools listed once, its answers awaited.

use super::connection::Connection;
use super::listing::{self, Listed, Listing};
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
use rmcp::model::{CallToolRequest, CallToolRequestParams, ClientRequest};
use rmcp::service::PeerRequestOptions;
use serde_json::Value as Json;
use std::future::Future;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

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
    listed: Mutex<Option<Arc<Listing>>>,
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
        let Listing { tools: listed, left_out } = &*self.list()?;
        if let Some(only) = &self.only {
            for name in only {
                if !listed.iter().any(|t| t.name == *name) {
                    if let Some((_, why)) = left_out.iter().find(|(n, _)| n == name) {
                        let name = escape::quoted(name);
                        let words = error_text!("[mcp.{}] tools: {name} cannot be used: {why}", self.name; "correct the server");
                        return Err(Error::new(ErrorKind::Tool, words));
                    }
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
        let granted = |name: &str| self.only.as_ref().is_none_or(|only| only.iter().any(|n| n == name));
        let one = |t: &Listed| {
            let spec = ToolSpec {
                name: names::program_name(&self.name, &t.name, taken),
                description: t.description.clone(),
                params: schema::params(&t.takes),
                returns: t.returns.as_ref().map(schema::shape).filter(|s| *s != Type::Any),
            };
            ListedTool { spec, name: t.name.clone(), takes: t.takes.clone(), read_only: t.read_only }
        };
        Ok(listed.iter().filter(|t| granted(&t.name)).map(one).collect())
    }

    /// What of its list is left out, each with its reason: one malformed tool does not cost the others.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let listing = self.listed.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let left_out = listing.iter().flat_map(|l| &l.left_out);
        let granted = left_out.filter(|(n, _)| n.is_empty() || self.only.as_ref().is_none_or(|only| only.contains(n)));
        let words = |(name, why): &(String, String)| match name.as_str() {
            "" => format!("[mcp.{}]: {why}", self.name),
            name => format!("[mcp.{}]: its tool {} is left out: {why}", self.name, escape::quoted(name)),
        };
        granted.map(words).collect()
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

    fn list(self: &Arc<Self>) -> Result<Arc<Listing>, Error> {
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
                    listed = listing::of(&open) => listed,
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
                        id = serde_json::to_string(&handle.id).unwrap_or_default();
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
                Ok(_) => match open.asked.take(&id).map(|result| response::text(&result, server.parse_json)) {
                    Some(Ok(text)) => return Ok(text),
                    Some(Err(words)) => words,
                    None => "its answer is none that a tool can give".to_owned(),
                },
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

/// Runs something on the shared runtime and waits for it, wherever we are.
fn wait<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Result<T, Error> {
    let (done, over) = std::sync::mpsc::sync_channel(1);
    runtime()?.spawn(async move {
        let _ = done.send(work.await);
    });
    over.recv().map_err(|_| Error::new(ErrorKind::Tool, "the work was dropped; please report it"))
}
