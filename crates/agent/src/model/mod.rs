//! Models: one small trait, so that a recorded model and a provider are the same to the loop.

pub(crate) mod provider;
pub(crate) mod recording_format;
pub(crate) mod recording_model;
pub(crate) mod replay_model;
pub(crate) mod summaries;
pub(crate) mod token_calibration;

pub use provider::{
    Environment, MAX_ANSWER_BYTES, ModelName, ModelSettings, Price, Provider, ProviderModel, RetryPolicy,
};
pub use recording_model::RecordingModel;
pub use replay_model::ReplayModel;
pub use summaries::{Summaries, SummaryUsage};
pub use token_calibration::TokenCalibration;

use crate::cancel::Cancel;
use crate::error::Error;
use ptc_history::wire::Tool;
use ptc_history::{Block, Message};
use ptc_turns::trace::record::ModelUsage;
use serde_json::Value;
use std::time::Duration;

/// What a model is asked with. Every request is made of what one function gives ([`ptc_turns::Session::request`], K-17):
/// nothing is added to the messages behind it.
pub struct Request<'a> {
    /// The conversation, whole.
    pub messages: &'a [Message],
    /// Tools that the model may call on the wire; programs need none.
    pub tools: &'a [Tool],
    /// A JSON schema that the answer has to fit.
    pub schema: Option<&'a Value>,
    /// How it is to answer.
    pub settings: Settings,
    /// Ends the request when it is raised.
    pub cancel: Cancel,
    /// Told each piece of text as it comes; with none the answer comes whole.
    pub said: Option<&'a mut dyn FnMut(&str)>,
    /// Told what else happens until the answer is there.
    pub events: Option<&'a mut dyn FnMut(ModelEvent<'_>)>,
}

/// What happens while a model is waited for, besides the text of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelEvent<'a> {
    /// A piece of a thought, of models that tell them and are streamed. It is no part of the answer.
    Thought(&'a str),
    /// A try failed, and the model is asked again after a wait.
    Retry(&'a Retry),
}

/// A wait before a model is asked again.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// Why the last try failed, in a few words of ours: `too many requests`.
    pub reason: String,
    /// How long is waited.
    pub wait: Duration,
    /// Tries that failed, from 1.
    pub tried: u32,
    /// Most tries.
    pub tries: u32,
}

impl<'a> Request<'a> {
    /// A request of these messages and nothing else.
    pub fn new(messages: &'a [Message]) -> Self {
        Request {
            messages,
            tools: &[],
            schema: None,
            settings: Settings::default(),
            cancel: Cancel::default(),
            said: None,
            events: None,
        }
    }
}

/// How a model is to answer; what is `None` is left to the provider.
///
/// ```
/// use ptc_agent::Settings;
///
/// let settings = Settings { max_tokens: Some(4_000), temperature: Some(0.0), ..Settings::default() };
/// assert_eq!(settings.cache, None); // the provider's own way
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Most tokens of the answer.
    pub max_tokens: Option<u64>,
    /// How freely it chooses, from 0.
    pub temperature: Option<f64>,
    /// Whether prompts are marked for the provider's cache, where it wants marks; `None` is yes.
    pub cache: Option<bool>,
    /// Further members of the request's body, as the provider names them (`grammar` of llama.cpp, `reasoning` ...).
    pub extra: Option<serde_json::Map<String, Value>>,
}

impl Settings {
    /// Whether prompts are marked for the provider's cache.
    #[cfg_attr(not(feature = "http"), allow(dead_code))] // Only providers ask.
    pub(crate) fn caches(&self) -> bool {
        self.cache.unwrap_or(true)
    }
}

/// What a model answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Its text: prose and one program.
    pub text: String,
    /// What it said besides: thoughts and tool calls, in order.
    pub blocks: Vec<Block>,
    /// Whether the answer was cut, by `max_tokens` or the provider.
    pub cut: bool,
    /// What it cost, as the provider reported it; none for models that cost nothing.
    pub usage: Option<ModelUsage>,
    /// What the author of the task should know about it, a sentence each: a recorded reply was given to another prompt.
    pub warnings: Vec<String>,
}

impl Reply {
    /// A reply of this text.
    pub fn text(text: impl Into<String>) -> Self {
        Reply { text: text.into(), ..Reply::default() }
    }
}

/// A model: messages in, a reply out. It may be asked on another thread than the one that made it.
///
/// ```
/// use ptc_agent::{Model, Error, Reply, Request};
///
/// struct Echo;
/// impl Model for Echo {
///     fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error> {
///         Ok(Reply::text(format!("(return {})", request.messages.len())))
///     }
/// }
/// ```
pub trait Model: Send {
    /// Answers a conversation. It may be asked again after an error.
    ///
    /// # Errors
    /// When there is no answer.
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error>;

    /// Told what another model replied to these messages in the same session, where acts have models of their own:
    /// recordings keep all.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn heard(&mut self, _messages: &[Message], _reply: &Reply) -> Result<(), Error> {
        Ok(())
    }

    /// Whose tokens its requests are counted in, for budgets; `None` where nobody knows.
    fn counted_as(&self) -> Option<CountedAs> {
        None
    }
}

/// A model as profiles of tokens know it ([`ptc_history::tokens::Profiles::find`]).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CountedAs {
    /// The provider: `openai`, `anthropic`, `google` ...
    pub provider: String,
    /// The wire form.
    pub api: ptc_history::tokens::Api,
    /// The model, as the provider names it.
    pub model: String,
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn heard(&mut self, messages: &[Message], reply: &Reply) -> Result<(), Error> {
        (**self).heard(messages, reply)
    }

    fn counted_as(&self) -> Option<CountedAs> {
        (**self).counted_as()
    }

    fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error> {
        (**self).reply(request)
    }
}

/// A function as a model, for tests and for models of one's own.
///
/// ```
/// use ptc_agent::{Agent, FnModel, Reply, Request, Toolbox};
/// use ptc_turns::{Config, Session};
///
/// // Here a request would be sent to a server of your own.
/// let mut model = FnModel(|request: Request<'_>| Ok(Reply::text(format!("(return {})", request.messages.len()))));
/// let end = Agent::new(Session::new(Config::default()), Toolbox::new()).run(&mut model, &mut ());
/// assert_eq!(end.value.as_deref(), Some("2"));
/// ```
pub struct FnModel<F>(pub F);

impl<F: FnMut(Request<'_>) -> Result<Reply, Error> + Send> Model for FnModel<F> {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, Error> {
        (self.0)(request)
    }
}
