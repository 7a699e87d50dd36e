//! A conversation with a model as calls of a library (seed 002): ask, stream, objects, tools; every request is a view
//! of the one history, made by one function.
//!
//! ```
//! use ptc_agent::chat::{Chat, Parameters};
//! use ptc_agent::ReplayModel;
//!
//! let model = ReplayModel::parse("replies", "## Turn 1\nParis.\n## Turn 2\nSome two million.").unwrap();
//! let mut chat = Chat::new(model).system("Be brief.");
//! assert_eq!(chat.invoke("The capital of France?", &Parameters::default())?, "Paris.");
//! let parameters = Parameters { max_history_size: Some(20), ..Parameters::default() };
//! assert_eq!(chat.invoke("How many live there?", &parameters)?, "Some two million.");
//! assert_eq!(chat.conversation().len(), 5);
//! # Ok::<(), ptc_agent::Error>(())
//! ```

mod asynchronous;
mod calls;
mod object;
mod of_task;
mod parameters;
mod partial;
#[cfg(test)]
mod tests;

pub use parameters::Parameters;
pub use partial::partial;

use crate::cancel::Cancel;
use crate::clock::now_ms;
use crate::error::{Error, ModelErrorKind};
use crate::model::{Model, Reply, Request};
use crate::tools::toolbox::{Tool, Toolbox, arg};
use calls::{Declared, declare};
use ptc_history::policy::{Strategy, When};
use ptc_history::tokens::{Api, MessageCounter, Profile, Profiles, Schema};
use ptc_history::view::summarizer::{Summarizer, SummaryCache};
use ptc_history::view::{CustomStrategy, Event, TokenCounter, Tokens};
use ptc_history::wire::Tool as Wire;
use ptc_history::{Block, Conversation, Message, Policy, Role, ViewContext, view};
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value as Lisp;
use ptc_turns::trace::record::ModelUsage;
use serde_json::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Most times that the model is asked for one answer (F-27).
pub const MAX_ITERATIONS: u32 = 5;

/// A model, tools and what was said so far.
///
/// Its calls block; each has an `_async` form that is awaited ([`Chat::chat_async`]).
pub struct Chat {
    // Shared with a call on another thread, which may have been dropped and not have ended yet.
    model: Arc<Mutex<Box<dyn Model>>>,
    conversation: Conversation,
    tools: Arc<Mutex<Toolbox>>,
    declared: Vec<Declared>,
    wire: Vec<Wire>,
    parameters: Parameters,
    limits: Limits,
    profile: Arc<Profile>,
    summarizer: Option<Arc<dyn Summarizer + Send>>,
    /// What the summarizer wrote.
    memo: Arc<SummaryCache>,
    strategy: Option<Arc<dyn CustomStrategy>>,
    cancel: Cancel,
}

/// How an answer came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Ended {
    /// The model answered.
    Answered,
    /// It went on calling tools until `max_iterations`; the answer is the last that it said besides (F-27).
    MaxIterations,
}

/// What was answered, and at what cost.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Answer {
    /// The text.
    pub text: String,
    /// How it came to be.
    pub ended: Ended,
    /// Whether the provider cut it.
    pub cut: bool,
    /// How often the model was asked.
    pub iterations: u32,
    /// What each of these cost, where the provider said so.
    pub usage: Vec<ModelUsage>,
    /// What the history had to tell at the last request: warnings among it (K-23, K-24).
    pub events: Vec<Event>,
    /// Tokens of the last request, before and after its strategy and budgets, where they were counted.
    pub tokens: Option<Tokens>,
}

impl Chat {
    /// A conversation that nothing was said in yet.
    pub fn new(model: impl Model + 'static) -> Self {
        Chat {
            model: Arc::new(Mutex::new(Box::new(model))),
            conversation: Conversation::new(),
            tools: Arc::default(),
            declared: Vec::new(),
            wire: Vec::new(),
            parameters: Parameters::default(),
            limits: Limits::default(),
            profile: Profiles::built_in().find("openai", Api::Chat, "gpt-4o"),
            summarizer: None,
            memo: Arc::default(),
            strategy: None,
            cancel: Cancel::default(),
        }
    }

    /// What holds for the whole conversation, in the place of any system message that stands there. It comes first, and
    /// nothing takes it out.
    #[must_use]
    pub fn system(mut self, text: impl Into<String>) -> Self {
        let first = Message::system(text);
        let rest = self.conversation.messages().filter(|m| m.role != Role::System).map(|m| (**m).clone());
        self.conversation = Conversation::recorded(std::iter::once(first).chain(rest));
        self
    }

    /// Continues with what was said elsewhere.
    #[must_use]
    pub fn with_conversation(mut self, conversation: Conversation) -> Self {
        self.conversation = conversation;
        self
    }

    /// Grants tools, which the model calls on the wire. Calls of one reply run together.
    #[must_use]
    pub fn with_tools(mut self, tools: Toolbox) -> Self {
        self.declared = declare(&tools.specs());
        self.wire = self.declared.iter().map(|d| d.wire.clone()).collect();
        self.tools = Arc::new(Mutex::new(tools));
        self
    }

    /// What requests inherit where they say nothing.
    #[must_use]
    pub fn with_parameters(mut self, parameters: Parameters) -> Self {
        self.parameters = parameters;
        self
    }

    /// Whose tokens budgets are counted in: without it, those of gpt-4o.
    #[must_use]
    pub fn with_profile(mut self, profile: Arc<Profile>) -> Self {
        self.profile = profile;
        self
    }

    /// Who writes summaries where the history's `model_summaries` asks for a model's (K-37).
    #[must_use]
    pub fn with_summarizer(mut self, summarizer: impl Summarizer + Send + 'static) -> Self {
        self.summarizer = Some(Arc::new(summarizer));
        self
    }

    /// A strategy of the host's own, which selects the messages of each request instead of one that parameters name:
    /// their `strategy` must not be set, or be `none`. Tokens are counted as those of the profile
    /// ([`Chat::with_profile`]).
    ///
    /// ```
    /// use ptc_agent::ReplayModel;
    /// use ptc_agent::chat::{Chat, Parameters};
    /// use ptc_history::view::{CustomStrategy, Selected, StrategyInput};
    ///
    /// /// The newest message; what is always shown is put back: system messages, the task, calls that wait.
    /// struct Newest;
    ///
    /// impl CustomStrategy for Newest {
    ///     fn name(&self) -> &'static str {
    ///         "newest"
    ///     }
    ///
    ///     fn select(&self, input: &StrategyInput<'_>) -> Result<Vec<Selected>, String> {
    ///         Ok(input.conversation.len().checked_sub(1).into_iter().map(Selected::Message).collect())
    ///     }
    /// }
    ///
    /// let model = ReplayModel::parse("r", "## Turn 1\nHello.\n## Turn 2\nSeven.\n")?;
    /// let mut chat = Chat::new(model).system("Be brief.").with_strategy(Newest);
    /// chat.invoke("Hi", &Parameters::default())?;
    /// chat.invoke("3 + 4?", &Parameters::default())?;
    /// let next = chat.preview("And 5 + 6?", &Parameters::default())?;
    /// assert_eq!((next.shown.len(), chat.conversation().len()), (3, 5));
    /// # Ok::<(), ptc_agent::Error>(())
    /// ```
    #[must_use]
    pub fn with_strategy(mut self, strategy: impl CustomStrategy + 'static) -> Self {
        self.strategy = Some(Arc::new(strategy));
        self
    }

    /// Ends the request that waits, and the tools that run, when `cancel` is raised.
    #[must_use]
    pub fn with_cancel(mut self, cancel: Cancel) -> Self {
        self.cancel = cancel;
        self
    }

    /// The same for requests from now on, in the place of what ended them before.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// What requests inherit where they say nothing.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// All that was said: full, whatever was shown of it.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// Says something as the user and gives the model's text.
    ///
    /// # Errors
    /// As [`Chat::chat`].
    pub fn invoke(&mut self, input: &str, parameters: &Parameters) -> Result<String, Error> {
        self.chat(vec![Message::user(input)], parameters).map(|a| a.text)
    }

    /// Says these messages and gives the whole answer.
    ///
    /// # Errors
    /// When the request cannot be made (`History`, before anything is sent), a parameter cannot be (`Setting`), or the
    /// model gives no answer (`Model`). What was said before the call still stands; of the call itself only tool calls
    /// that were made, with their results.
    pub fn chat(&mut self, messages: Vec<Message>, parameters: &Parameters) -> Result<Answer, Error> {
        self.ask(messages, parameters, None, None)
    }

    /// As [`Chat::invoke`]; `said` is told each piece of text as it comes. Summaries are made before the first piece,
    /// never between two (K-18).
    ///
    /// # Errors
    /// As [`Chat::chat`].
    pub fn stream(
        &mut self,
        input: &str,
        parameters: &Parameters,
        said: &mut dyn FnMut(&str),
    ) -> Result<Answer, Error> {
        self.ask(vec![Message::user(input)], parameters, None, Some(said))
    }

    /// The request that saying `input` would make: what is sent, and why each message is there.
    ///
    /// # Errors
    /// [`ErrorKind::History`](crate::ErrorKind::History) and [`ErrorKind::Setting`](crate::ErrorKind::Setting); and
    /// [`ErrorKind::Runtime`](crate::ErrorKind::Runtime) in a current-thread runtime, where a model may be asked for
    /// summaries ([`Chat::preview_async`] is awaited).
    pub fn preview(&self, input: &str, parameters: &Parameters) -> Result<ptc_history::View, Error> {
        if self.summarizer.is_some() {
            crate::runtime::may_block()?;
        }
        let mut conversation = self.conversation.clone();
        conversation.push(Message::user(input))?;
        self.view(&conversation, self.conversation.len(), &self.of(parameters), None)
    }

    /// Grants this conversation as a tool of another: `(tool/NAME "what to ask")` in programs, `input` on the wire. Each
    /// call begins where the conversation stands now; parameters are the parent's where it has none of its own.
    pub fn into_tool(mut self, name: impl Into<String>, words: impl Into<String>, parent: &Parameters) -> Tool {
        self.parameters = std::mem::take(&mut self.parameters).under(parent);
        let begin = self.conversation.clone();
        Tool::in_order(name, move |args| {
            self.conversation = begin.clone();
            let Some(input) = arg(&args, "input").as_str() else { return Err("input must be a string".to_owned()) };
            self.invoke(input, &Parameters::default()).map(Lisp::str).map_err(|e| e.to_string())
        })
        .describe(words)
        .param("input", Type::String)
        .returns(Type::String)
    }

    fn of(&self, parameters: &Parameters) -> Parameters {
        parameters.clone().under(&self.parameters)
    }

    /// The one function that makes requests (K-17); messages from `new` on belong to what is asked now.
    fn view(
        &self,
        conversation: &Conversation,
        new: usize,
        parameters: &Parameters,
        schema: Option<&Value>,
    ) -> Result<ptc_history::View, Error> {
        let policy = parameters.policy()?;
        let tools: Vec<Value> = self.wire.iter().filter_map(|t| serde_json::to_value(t).ok()).collect();
        let schema = schema.map_or(Schema::None, |s| Schema::Shown(s.clone()));
        let counter = match policy.max_tokens {
            None if self.strategy.is_none() => None,
            // The host's own may count.
            _ => MessageCounter::new(self.profile.clone(), &tools, &schema).ok(),
        };
        let measure = counter.as_ref().map(|c| c as &dyn TokenCounter);
        let with = ViewContext {
            counter: measure,
            now: Some(now_ms()),
            summarizer: self.summarizer.as_ref().map(|s| &**s as &dyn Summarizer),
            summary_cache: Some(&self.memo),
            strategy: self.strategy.as_deref(),
            ..ViewContext::default()
        };
        // Two strategies are a conflict, which the view tells.
        if !summarises(policy.strategy) || self.strategy.is_some() {
            return Ok(view(conversation, &policy, &with)?);
        }
        // What is asked now is no history yet: seed 002 compresses what was said before it, then asks.
        let plain = Policy { strategy: Strategy::None, when: None, ..policy.clone() };
        let size = |m: &dyn TokenCounter| {
            m.overhead().saturating_add(conversation.messages().map(|x| m.message(x)).sum::<u64>())
        };
        if policy.when() == When::OverBudget && measure.map(size) <= policy.max_tokens {
            return Ok(view(conversation, &plain, &with)?);
        }
        let first = Policy { when: Some(When::Always), max_tokens: None, max_history_size: None, ..policy };
        let first = view(&conversation.up_to(new), &first, &with)?;
        let newer = conversation.messages().skip(new).map(|m| (**m).clone());
        let second = Conversation::recorded(first.messages().into_iter().chain(newer));
        let mut shown = view(&second, &Policy { retention: false, ..plain }, &with)?;
        for s in &mut shown.shown {
            let Some(then) = s.place().and_then(|at| first.shown.get(at)) else { continue };
            s.reason = then.reason;
            s.blocks = then.blocks.clone();
        }
        shown.events.splice(0..0, first.events);
        if let (Some(tokens), Some(measure)) = (&mut shown.tokens, measure) {
            tokens.before = size(measure);
        }
        Ok(shown)
    }

    /// Says `messages`, and asks until there is an answer.
    fn ask(
        &mut self,
        messages: Vec<Message>,
        parameters: &Parameters,
        schema: Option<&Value>,
        mut said: Option<&mut dyn FnMut(&str)>,
    ) -> Result<Answer, Error> {
        crate::runtime::may_block()?;
        let parameters = self.of(parameters);
        let before = self.conversation.clone();
        let mut heard = false;
        let asked = self.exchange(messages, &parameters, schema, &mut said, &mut heard);
        // Nothing came of it: then nothing was said. Calls that were made stay, for they happened.
        if asked.is_err() && !heard {
            self.conversation = before;
        }
        asked
    }

    fn exchange(
        &mut self,
        messages: Vec<Message>,
        parameters: &Parameters,
        schema: Option<&Value>,
        said: &mut Option<&mut dyn FnMut(&str)>,
        heard: &mut bool,
    ) -> Result<Answer, Error> {
        // With nothing new to say, what was asked last is still open.
        let asked = |m: &Arc<Message>| m.role == Role::User;
        let new = match messages.is_empty() {
            true => self.conversation.messages().rposition(asked).unwrap_or(self.conversation.len()),
            false => self.conversation.len(),
        };
        for mut message in messages {
            message.meta_mut().at.get_or_insert_with(now_ms);
            self.conversation.push(message)?;
        }
        let most = parameters.max_iterations.unwrap_or(MAX_ITERATIONS).max(1);
        let mut usage = Vec::new();
        let mut best = String::new();
        for iteration in 1..=most {
            let shown = self.view(&self.conversation, new, parameters, schema)?;
            let sent = shown.messages();
            let reply = locked(&self.model).reply(Request {
                tools: &self.wire,
                schema,
                settings: parameters.settings(),
                cancel: self.cancel.clone(),
                said: said.as_mut().map(|s| &mut **s as &mut dyn FnMut(&str)),
                ..Request::new(&sent)
            })?;
            usage.extend(reply.usage.clone());
            if !reply.text.trim().is_empty() {
                best.clone_from(&reply.text);
            }
            let answer = |text: String, ended: Ended, usage: Vec<ModelUsage>| Answer {
                text,
                ended,
                cut: reply.cut,
                iterations: iteration,
                usage,
                events: shown
                    .events
                    .iter()
                    .cloned()
                    .chain(reply.warnings.iter().map(|w| Event::warn(w.as_str())))
                    .collect(),
                tokens: shown.tokens,
            };
            let message = self.said(&reply)?;
            let calls = message.content.iter().any(|b| matches!(b, Block::ToolUse { .. }));
            let content = message.content.clone();
            self.conversation.push(message)?;
            *heard = true;
            if !calls {
                return Ok(answer(reply.text.clone(), Ended::Answered, usage));
            }
            let cancel = self.cancel.clone();
            let results =
                calls::answer(&mut locked(&self.tools), &self.declared, &content, &self.limits, &|| cancel.cancelled());
            // F-07: all results in one message, right behind the calls.
            let mut message = Message::of(Role::Tool, results);
            message.meta_mut().at = Some(now_ms());
            self.conversation.push(message)?;
            if self.cancel.cancelled() {
                return Err(Error::cancelled());
            }
            if iteration == most {
                let answer = answer(best, Ended::MaxIterations, usage);
                if !answer.text.is_empty() {
                    let mut last = Message::assistant(answer.text.clone());
                    last.meta_mut().at = Some(now_ms());
                    last.meta_mut().more.insert("ended".to_owned(), Value::from("max_iterations"));
                    self.conversation.push(last)?;
                }
                return Ok(answer);
            }
        }
        Err(said_nothing())
    }

    /// A reply as a message: thoughts, text, calls. An id that was used before gets a new one (F-03).
    fn said(&self, reply: &Reply) -> Result<Message, Error> {
        let mut content: Vec<Block> = Vec::new();
        content.extend(reply.blocks.iter().filter(|b| matches!(b, Block::Reasoning { .. })).cloned());
        if !reply.text.trim().is_empty() {
            content.push(Block::text(reply.text.clone()));
        }
        for block in &reply.blocks {
            let Block::ToolUse { id, name, input } = block else { continue };
            let used = |id: &str| {
                self.conversation.messages().flat_map(|m| m.calls().map(|c| c.0)).any(|c| c == id)
                    || content.iter().any(|b| matches!(b, Block::ToolUse { id: c, .. } if c == id))
            };
            let fresh = (1..).map(|n| format!("call_{}_{n}", self.conversation.len())).find(|id| !used(id));
            let id = if id.is_empty() || used(id) { fresh.unwrap_or_default() } else { id.clone() };
            content.push(Block::tool_use(id, name.clone(), input.clone()));
        }
        let only_thoughts = content.iter().all(|b| matches!(b, Block::Reasoning { .. }));
        if only_thoughts {
            return Err(said_nothing());
        }
        let mut message = Message::of(Role::Assistant, content);
        message.meta_mut().at = Some(now_ms());
        Ok(message)
    }
}

/// What is behind a lock, also after a panic of who held it: a model and tools are the host's, who lets panics through.
fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// That the model said nothing at all.
fn said_nothing() -> Error {
    Error::of_model(ModelErrorKind::Empty, "the model said nothing; ask again, or raise answer_tokens")
}

/// Whether a strategy turns messages into a TL;DR, the newest too.
fn summarises(strategy: Strategy) -> bool {
    matches!(
        strategy,
        Strategy::WholeHistory
            | Strategy::LastNMessages
            | Strategy::Chunked
            | Strategy::FromTimestamp
            | Strategy::WholeHistoryMultipleSystemMessages
    )
}
