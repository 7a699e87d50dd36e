//! Models: who writes the programs. One small trait, so that a recorded model and a provider are the same to the loop.

use crate::cancel::Cancel;
use ptc_history::provider::Tool;
use ptc_history::{Block, Message};
use ptc_turns::record::ModelUsage;
use serde_json::Value;

/// What a model is asked with. Every request is made of what the one door gave ([`ptc_turns::Session::request`], K-17):
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
        }
    }
}

/// How a model is to answer; what is `None` is left to the provider.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Settings {
    /// Most tokens of the answer.
    pub max_tokens: Option<u64>,
    /// How freely it chooses, from 0.
    pub temperature: Option<f64>,
    /// Further members of the request's body, as the provider names them (`grammar` of llama.cpp, `reasoning` ...).
    pub extra: Option<serde_json::Map<String, Value>>,
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
}

impl Reply {
    /// A reply of this text.
    pub fn text(text: impl Into<String>) -> Self {
        Reply { text: text.into(), ..Reply::default() }
    }
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A recorded model has said all it has.
    #[error(
        "{file} has no reply for turn {turn}, its last is for turn {last}; add a heading \"## Turn {turn}\" with a program under it"
    )]
    OutOfReplies {
        /// Where the replies stand.
        file: String,
        /// The turn that was asked for.
        turn: u64,
        /// The last turn it has a reply for.
        last: u64,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// A model: messages in, a reply out.
///
/// ```
/// use ptc_agent::{Model, ModelError, Reply, Request};
///
/// struct Echo;
/// impl Model for Echo {
///     fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
///         Ok(Reply::text(format!("(return {})", request.messages.len())))
///     }
/// }
/// ```
pub trait Model {
    /// Answers a conversation. It may be asked again after an error.
    ///
    /// # Errors
    /// When there is no answer to be had.
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError>;
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
        (**self).reply(request)
    }
}

/// A function as a model, for tests and for models of one's own.
pub struct FnModel<F>(pub F);

impl<F: FnMut(Request<'_>) -> Result<Reply, ModelError>> Model for FnModel<F> {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
        (self.0)(request)
    }
}
