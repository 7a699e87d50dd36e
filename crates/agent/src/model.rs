//! Models: who writes the programs. One small trait, so that a recorded model and a provider are the same to the loop.

use ptc_history::Message;
use ptc_turns::record::ModelUsage;

/// What a model answers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reply {
    /// Its text: prose and one program.
    pub text: String,
    /// What it cost, as the provider reported it; none for models that cost nothing.
    pub usage: Option<ModelUsage>,
}

impl Reply {
    /// A reply of this text.
    pub fn text(text: impl Into<String>) -> Self {
        Reply { text: text.into(), usage: None }
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
/// use ptc_agent::{Model, ModelError, Reply};
/// use ptc_history::Message;
///
/// struct Echo;
/// impl Model for Echo {
///     fn reply(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
///         Ok(Reply::text(format!("(return {})", messages.len())))
///     }
/// }
/// ```
pub trait Model {
    /// Answers a conversation. It may be asked again after an error.
    ///
    /// # Errors
    /// When there is no answer to be had.
    fn reply(&mut self, messages: &[Message]) -> Result<Reply, ModelError>;
}

impl<M: Model + ?Sized> Model for Box<M> {
    fn reply(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        (**self).reply(messages)
    }
}

/// A function as a model, for tests and for models of one's own.
pub struct FnModel<F>(pub F);

impl<F: FnMut(&[Message]) -> Result<Reply, ModelError>> Model for FnModel<F> {
    fn reply(&mut self, messages: &[Message]) -> Result<Reply, ModelError> {
        (self.0)(messages)
    }
}
