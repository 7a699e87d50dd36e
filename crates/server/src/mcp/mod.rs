//! Sessions and tasks as an MCP server: the tools `run wait inspect tools fork`, one for each task, resources, and prompts.
//!
//! It is served over standard input and output ([`serve_stdio`]), or over HTTP ([`serve_http`]).

mod approving;
mod arguments;
mod bounds;
mod http;
mod inspect;
mod lines;
mod message;
mod prompts;
mod resources;
mod result;
mod stdio;

pub use http::serve_http;
pub use resources::Page;
pub use stdio::serve_stdio;

use crate::answer::Answer;
use crate::client::Client;
use crate::event::Event;
use crate::refused::{Refused, RefusedKind};
use crate::sessions::{Begin, Sessions};
use crate::turns::wait_for;
use arguments::{ForkArgs, MOST_WAIT_MS, RunArgs, TaskArgs, ToolsArgs, WAIT_MS, WaitArgs};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, CompleteRequestParams,
    CompleteResult, ContentBlock, ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, RequestId, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How soon what was cancelled is cancelled once more, where it had not begun.
const AGAIN: Duration = Duration::from_millis(20);
/// How often who waits is told that it still runs.
const STILL: Duration = Duration::from_secs(5);

/// What is served besides sessions.
#[derive(Clone, Debug)]
pub struct McpServing {
    /// Pages to read as resources.
    pub pages: Vec<Page>,
    /// Whether the user of a client is asked about calls that wait, where the client can ask; if not, who runs the server decides.
    pub approvals: bool,
}

/// The MCP server of a client.
#[derive(Clone)]
pub struct McpServer {
    sessions: Sessions,
    client: Client,
    serving: Arc<McpServing>,
    /// Told when a request is cancelled that waits for a turn, by the ids of the requests.
    awaited: Arc<Mutex<HashMap<RequestId, Arc<Notify>>>>,
}

impl McpServer {
    /// Serves the sessions of this client over one connection.
    pub fn new(sessions: Sessions, client: Client, serving: Arc<McpServing>) -> Self {
        McpServer { sessions, client, serving, awaited: Arc::default() }
    }

    /// The task that is meant where none is named: the one that there is.
    fn task(&self, named: Option<String>) -> Option<String> {
        let tasks = self.sessions.tasks();
        named.or_else(|| match tasks.as_slice() {
            [one] => Some(one.name.clone()),
            _ => None,
        })
    }

    async fn run(&self, args: RunArgs, context: &RequestContext<RoleServer>) -> Result<Answer, Refused> {
        let begins = args.task.is_some() || args.context.is_some() || args.expect.is_some();
        let wait = wait_of(args.wait_ms);
        if let Some(id) = args.session {
            if begins {
                let words =
                    "task, context and expect are for a session that begins, and session names one that has begun";
                return Err(Refused::new(RefusedKind::Invalid, words, "leave session out, or them"));
            }
            return self.decided(&id, context, self.sessions.run(&self.client, &id, &args.program, wait)).await;
        }
        let begin =
            Begin { task: self.task(args.task), context: args.context.unwrap_or_default(), expect: args.expect };
        let id = self.sessions.create(&self.client, begin).await?;
        let answer = self.decided(&id, context, self.sessions.run(&self.client, &id, &args.program, wait)).await;
        self.sessions.kept_if_begun(&self.client, &id, answer).await
    }

    /// Awaits what ends in a session, with its progress told. It can be cancelled by the request's id.
    async fn follow(
        &self,
        id: &str,
        context: &RequestContext<RoleServer>,
        ended: impl Future<Output = Result<Answer, Refused>>,
    ) -> Result<Answer, Refused> {
        let awaited = || self.awaited.lock().unwrap_or_else(PoisonError::into_inner);
        let cancelled = Arc::new(Notify::new());
        awaited().insert(context.id.clone(), cancelled.clone());
        // The notification may have been there before the request was.
        let mut asked = context.ct.is_cancelled();
        let progress = self.tell_progress(id, context);
        tokio::pin!(ended, progress);
        let answer = loop {
            tokio::select! {
                answer = &mut ended => break answer,
                never = &mut progress => break never,
                () = cancelled.notified() => asked = true,
                // Again until it has ended: it may be about to begin.
                () = tokio::time::sleep(AGAIN), if asked => {
                    let _ = self.sessions.cancel(&self.client, id, Duration::ZERO).await;
                }
            }
        };
        awaited().remove(&context.id);
        answer
    }

    /// Tells the progress of what runs in a session as long as it is awaited. It does not end.
    async fn tell_progress(&self, id: &str, context: &RequestContext<RoleServer>) -> Result<Answer, Refused> {
        let Some(token) = context.meta.get_progress_token() else { return std::future::pending().await };
        let mut events = self.sessions.events(&self.client, id, u64::MAX).await.ok();
        let (mut told, mut last) = (0_u32, Instant::now());
        loop {
            let next = async {
                match &mut events {
                    Some(events) => events.next().await,
                    None => std::future::pending().await,
                }
            };
            let still = last.checked_add(STILL).unwrap_or(last);
            let words = match tokio::time::timeout_at(still, next).await {
                // A model that writes for long is told of now and then.
                Ok(Some(Event::Said { turn, .. })) if last.elapsed() >= STILL => {
                    Some(format!("turn {turn}: the model writes"))
                }
                Ok(Some(event)) => words(&event),
                Ok(None) => {
                    events = None;
                    continue;
                }
                Err(_) => Some("still runs".to_owned()),
            };
            let Some(words) = words else { continue };
            (told, last) = (told.saturating_add(1), Instant::now());
            let progress = ProgressNotificationParam::new(token.clone(), f64::from(told)).with_message(words);
            if context.peer.notify_progress(progress).await.is_err() {
                return std::future::pending().await;
            }
        }
    }

    async fn tools(&self, args: ToolsArgs) -> Result<CallToolResult, Refused> {
        let header = self.sessions.header(self.task(args.task).as_deref()).await?;
        let has = |text: &str, word: &str| text.to_lowercase().contains(&word.to_lowercase());
        let wanted = |t: &&ptc_turns::trace::record::ToolWords| {
            args.names.as_ref().is_none_or(|names| names.iter().any(|n| n.trim_start_matches("tool/") == t.name))
                && args
                    .query
                    .as_ref()
                    .is_none_or(|q| q.split_whitespace().all(|w| has(&t.name, w) || has(&t.description, w)))
        };
        let shown = |t: &ptc_turns::trace::record::ToolWords| {
            let most = if args.names.is_some() { 4_000 } else { 200 };
            let params = t.params.iter().flatten();
            let params: Vec<Value> = params
                .map(|p| match args.names.is_some() && !p.doc.is_empty() {
                    true => json!({ "name": p.name, "type": p.shape, "doc": p.doc }),
                    false => json!({ "name": p.name, "type": p.shape }),
                })
                .collect();
            json!({ "name": format!("tool/{}", t.name), "description": ptc_lisp::error::cut(t.description.clone(), most), "params": params, "returns": t.returns })
        };
        let items: Vec<Value> = header.tools.iter().filter(wanted).map(shown).collect();
        Ok(result::list("tools", &items, Map::new(), "give query, a word of their names or descriptions"))
    }

    async fn fork(&self, args: ForkArgs) -> Result<CallToolResult, Refused> {
        let id = self.sessions.fork(&self.client, &args.session, args.turn).await?;
        let turns = self.sessions.outline(&self.client, &id).await?.turns().len();
        let mut data = Map::new();
        data.insert("session".into(), json!(id));
        data.insert("turns".into(), json!(turns));
        data.insert("forked_from".into(), json!(args.session));
        Ok(result::one(data))
    }

    async fn run_task(
        &self,
        task: &str,
        args: TaskArgs,
        context: &RequestContext<RoleServer>,
    ) -> Result<Answer, Refused> {
        let values = args.context.unwrap_or_default();
        let (id, job) = self.sessions.start_task(&self.client, task, &args.request, values).await?;
        let answer = self.decided(&id, context, wait_for(&id, &job, wait_of(args.wait_ms))).await;
        self.sessions.kept_if_begun(&self.client, &id, answer).await
    }

    async fn wait(&self, args: WaitArgs, context: &RequestContext<RoleServer>) -> Result<Answer, Refused> {
        let (id, wait) = (&args.session, wait_of(args.wait_ms));
        if args.cancel {
            return self.sessions.cancel(&self.client, id, wait).await;
        }
        self.decided(id, context, self.sessions.wait(&self.client, id, wait)).await
    }
}

fn wait_of(wait_ms: Option<u64>) -> Duration {
    Duration::from_millis(wait_ms.unwrap_or(WAIT_MS).min(MOST_WAIT_MS))
}

/// What is told of an event while somebody waits.
fn words(event: &Event) -> Option<String> {
    Some(match event {
        Event::Asking { turn } => format!("turn {turn}: the model is asked"),
        Event::TurnBegun { turn } => format!("turn {turn} runs"),
        Event::CallBegun { turn, name, .. } => format!("turn {turn} calls tool/{name}"),
        Event::TurnEnded { turn, record } => format!("turn {turn} ended: {}", record.status.as_str()),
        _ => return None,
    })
}

impl ServerHandler for McpServer {
    fn get_info(&self) -> ServerConfig {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts();
        let capabilities = can.enable_completions().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("ptc", env!("CARGO_PKG_VERSION")))
            .with_instructions(include_str!("instructions.md"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(arguments::all(&self.sessions)))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        arguments::all(&self.sessions).into_iter().find(|t| t.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.as_ref();
        let wrong = |words: String| CallToolResult::error(vec![ContentBlock::text(words)]);
        let told = |done: Result<CallToolResult, Refused>| done.unwrap_or_else(|refused| result::of_refused(&refused));
        macro_rules! with {
            ($args:ident, $done:expr) => {
                match arguments::read(name, request.arguments) {
                    Ok($args) => $done,
                    Err(words) => wrong(words),
                }
            };
        }
        let done = match name {
            "run" => with!(args, result::answered(self.run(args, &context).await)),
            "wait" => with!(args, result::answered(self.wait(args, &context).await)),
            "inspect" => with!(args, told(self.inspect(args).await)),
            "tools" => with!(args, told(self.tools(args).await)),
            "fork" => with!(args, told(self.fork(args).await)),
            _ => {
                let tasks = self.sessions.tasks();
                let Some((_, task)) = arguments::task_tools(&tasks).into_iter().find(|(n, _)| n == name) else {
                    let shown = ptc_lisp::error::cut(ptc_lisp::escape::quoted(name).to_string(), 100);
                    return Err(ErrorData::invalid_params(format!("there is no tool {shown}"), None));
                };
                with!(args, result::answered(self.run_task(&task.name, args, &context).await))
            }
        };
        Ok(done.into())
    }

    async fn on_cancelled(&self, cancelled: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        let awaited = self.awaited.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(told) = cancelled.request_id.and_then(|request| awaited.get(&request).cloned()) {
            told.notify_one();
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(
            resources::list(&self.sessions, &self.client, &self.serving.pages).await,
        ))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        Ok(resources::read(&self.sessions, &self.client, &self.serving.pages, &request.uri).await?.into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list(&self.sessions.tasks())))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        Ok(prompts::get(&self.sessions.tasks(), &request)?.into())
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Ok(resources::complete(&self.sessions, &self.client, &request).await)
    }
}
