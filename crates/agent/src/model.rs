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
    /// Whether prompts are marked for the provider's cache, where it wants marks; `None` is yes.
    pub cache: Option<bool>,
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
    /// What the author of the task should know about it, a sentence each: a recorded reply was given to another prompt.
    pub warnings: Vec<String>,
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
    /// The name of a model that is none.
    #[error("{name}: no such model: {why}")]
    Name {
        /// What was asked for.
        name: String,
        /// What is wrong, and what would be right.
        why: String,
    },
    /// A variable of the environment, or a setting, that cannot be used; in words that say what to write.
    #[error("{0}")]
    Setting(String),
    /// The provider's key is not in the environment.
    #[error("{model} needs a key; set {variable}, or run without a model: model = \"replay:replies.md\"")]
    NoKey {
        /// The model that was asked for.
        model: String,
        /// The variable that holds the key.
        variable: &'static str,
    },
    /// The provider does not take the key (401, 403).
    #[error("{model}: {url} does not take the key ({status}): {said}; check {variable}, and what the key is allowed")]
    Unauthorised {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// The status of the answer.
        status: u16,
        /// What the provider said.
        said: String,
        /// The variable that holds the key.
        variable: &'static str,
    },
    /// The provider has no such model, or nothing at this address (404).
    #[error("{model}: {url} has no such model: {said}; check its name, and the address in {variable}")]
    UnknownModel {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// What the provider said.
        said: String,
        /// The variable that holds the address.
        variable: &'static str,
    },
    /// Too many requests, still after all tries (429), or the wait that is asked for is longer than ours.
    #[error("{model}: too many requests, given up after {tries}: {said}; wait, or ask the provider for a higher limit")]
    RateLimited {
        /// The model that was asked for.
        model: String,
        /// How often it was asked.
        tries: Tries,
        /// What the provider said.
        said: String,
    },
    /// The account has nothing left to spend.
    #[error("{model}: the account has no credit left: {said}; add credit at the provider, or use another key")]
    Quota {
        /// The model that was asked for.
        model: String,
        /// What the provider said.
        said: String,
    },
    /// The provider is overloaded or broken, still after all tries (408, 5xx).
    #[error("{model}: {url} fails ({status}), given up after {tries}: {said}; try again later")]
    Overloaded {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// The status of the last answer.
        status: u16,
        /// How often it was asked.
        tries: Tries,
        /// What the provider said.
        said: String,
    },
    /// Nobody answers at the address.
    #[error(
        "{model}: no connection to {url} ({why}), given up after {tries}; is the server running? The address is {variable}"
    )]
    Unreachable {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// What the system says.
        why: String,
        /// How often it was tried.
        tries: Tries,
        /// The variable that holds the address.
        variable: &'static str,
    },
    /// It took too long.
    #[error(
        "{model}: {url} {what} within {seconds} s, given up after {tries}; is the server busy? Raise {setting} in [model], or lower max_tokens"
    )]
    Timeout {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// What did not come.
        what: &'static str,
        /// How long was waited.
        seconds: u64,
        /// How often it was asked.
        tries: Tries,
        /// The setting that says how long.
        setting: &'static str,
    },
    /// The connection broke before the answer had ended.
    #[error("{model}: the answer of {url} broke off{}, given up after {tries}; try again", if *told { " after its beginning was shown" } else { "" })]
    Disconnected {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// Whether a part of it was told already: then it is not asked again.
        told: bool,
        /// How often it was asked.
        tries: Tries,
    },
    /// The answer is not in the form of the provider.
    #[error("{model}: the answer of {url} cannot be read: {why}; does {variable} name a server of this kind?")]
    Malformed {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// What is wrong with it.
        why: String,
        /// The variable that holds the address.
        variable: &'static str,
    },
    /// The answer is more than one may be; what was beyond that was not read.
    #[error("{model}: the answer of {url} has {why}")]
    TooLarge {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// What there is too much of, and what to do.
        why: String,
    },
    /// There is an answer, and nothing in it.
    #[error("{model}: the answer is empty ({why}); {}", if *cut { "raise max_tokens in [model]: all of it went into thoughts" } else { "ask in other words, or ask another model" })]
    Empty {
        /// The model that was asked for.
        model: String,
        /// Why it ended, as the provider says.
        why: String,
        /// Whether it was cut.
        cut: bool,
    },
    /// More than the model can read.
    #[error(
        "{model}: the conversation is too long: {said}; set max_tokens or compress_history in [history], or give it less"
    )]
    TooLong {
        /// The model that was asked for.
        model: String,
        /// What the provider said.
        said: String,
    },
    /// The provider refuses the request as it is (400 and its like).
    #[error(
        "{model}: {url} refuses the request ({status}): {said}; check [model], it may ask for what this model cannot"
    )]
    Refused {
        /// The model that was asked for.
        model: String,
        /// Where.
        url: String,
        /// The status of the answer; 0 where the refusal came in the stream.
        status: u16,
        /// What the provider said.
        said: String,
    },
    /// A recorded reply was given to another prompt, and such a reply is not to be taken (`--replay=strict`).
    #[error("{0}")]
    OtherRequest(String),
    /// The request was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

/// How often something was tried; reads as words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tries(pub u32);

impl std::fmt::Display for Tries {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            1 => f.write_str("1 try"),
            n => write!(f, "{n} tries"),
        }
    }
}

/// A model: messages in, a reply out. It may be asked on another thread than the one that made it.
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
pub trait Model: Send {
    /// Answers a conversation. It may be asked again after an error.
    ///
    /// # Errors
    /// When there is no answer to be had.
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError>;

    /// Told what another model replied to these messages in the same session, where acts have models of their own:
    /// recordings keep all.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn heard(&mut self, _messages: &[Message], _reply: &Reply) -> Result<(), ModelError> {
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
    fn heard(&mut self, messages: &[Message], reply: &Reply) -> Result<(), ModelError> {
        (**self).heard(messages, reply)
    }

    fn counted_as(&self) -> Option<CountedAs> {
        (**self).counted_as()
    }

    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
        (**self).reply(request)
    }
}

/// A function as a model, for tests and for models of one's own.
pub struct FnModel<F>(pub F);

impl<F: FnMut(Request<'_>) -> Result<Reply, ModelError> + Send> Model for FnModel<F> {
    fn reply(&mut self, request: Request<'_>) -> Result<Reply, ModelError> {
        (self.0)(request)
    }
}
