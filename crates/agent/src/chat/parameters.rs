//! What a request says for itself; what it leaves open is inherited, field by field.

use crate::model::Settings;
use ptc_history::Policy;
use ptc_history::policy::{PolicyError, Strategy};
use serde_json::{Map, Value};

/// Parameters of a request (seed 002's `RequestParameters`). Nothing is compressed or trimmed unless one of them says
/// so (FR-002).
///
/// ```
/// use ptc_agent::chat::Parameters;
/// use ptc_history::policy::{Policy, Strategy};
///
/// let house = Parameters { max_tokens: Some(50_000), temperature: Some(0.2), ..Parameters::default() };
/// let here = Parameters { strategy: Some(Strategy::WholeHistory), temperature: Some(0.0), ..Parameters::default() };
/// let both = here.under(&house);
/// assert_eq!((both.max_tokens, both.temperature, both.strategy), (Some(50_000), Some(0.0), Some(Strategy::WholeHistory)));
///
/// let window = Policy { strategy: Strategy::SlidingWindow, max_messages: 12, ..Policy::default() };
/// let both = Parameters { history: Some(window), ..Parameters::default() }.under(&house);
/// assert_eq!(both.policy()?, Policy { strategy: Strategy::SlidingWindow, max_messages: 12, max_tokens: Some(50_000), ..Policy::default() });
/// # Ok::<(), ptc_history::policy::PolicyError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// How history is compressed before this request.
    pub strategy: Option<Strategy>,
    /// Most tokens of the request, its tools and schema among them.
    pub max_tokens: Option<u64>,
    /// Most messages of the request.
    pub max_history_size: Option<usize>,
    /// Whether counts of tokens are remembered; it changes the work, never the numbers.
    pub enable_token_caching: Option<bool>,
    /// How history is shown, all of it; what the four above say stands above it. It is inherited as a whole.
    pub history: Option<Policy>,
    /// Most tokens of the answer.
    pub answer_tokens: Option<u64>,
    /// How freely the model chooses, from 0.
    pub temperature: Option<f64>,
    /// Most times the model is asked for one answer, when it calls tools (F-27).
    pub max_iterations: Option<u32>,
    /// Further members of the request's body, as the provider names them.
    pub extra: Option<Map<String, Value>>,
}

impl Parameters {
    /// These, and the parent's where these say nothing.
    #[must_use]
    pub fn under(self, parent: &Parameters) -> Parameters {
        Parameters {
            strategy: self.strategy.or(parent.strategy),
            max_tokens: self.max_tokens.or(parent.max_tokens),
            max_history_size: self.max_history_size.or(parent.max_history_size),
            enable_token_caching: self.enable_token_caching.or(parent.enable_token_caching),
            history: self.history.or_else(|| parent.history.clone()),
            answer_tokens: self.answer_tokens.or(parent.answer_tokens),
            temperature: self.temperature.or(parent.temperature),
            max_iterations: self.max_iterations.or(parent.max_iterations),
            extra: self.extra.or_else(|| parent.extra.clone()),
        }
    }

    /// How history is shown.
    ///
    /// # Errors
    /// When an option cannot have its value, or two do not fit together; the option is named.
    pub fn policy(&self) -> Result<Policy, PolicyError> {
        let mut policy = self.history.clone().unwrap_or_default();
        policy.strategy = self.strategy.unwrap_or(policy.strategy);
        policy.max_tokens = self.max_tokens.or(policy.max_tokens);
        policy.max_history_size = self.max_history_size.or(policy.max_history_size);
        policy.enable_token_caching = self.enable_token_caching.unwrap_or(policy.enable_token_caching);
        policy.check()?;
        Ok(policy)
    }

    /// How the model is to answer.
    pub fn settings(&self) -> Settings {
        Settings {
            max_tokens: self.answer_tokens,
            temperature: self.temperature,
            extra: self.extra.clone(),
            ..Settings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_nearest_holds_and_what_cannot_be_is_named() {
        let policy = Policy { strategy: Strategy::Chunked, chunk_size: 5, max_tokens: Some(9), ..Policy::default() };
        let parent = Parameters { history: Some(policy), max_history_size: Some(20), ..Parameters::default() };
        let own = Parameters { max_tokens: Some(100), enable_token_caching: Some(false), ..Parameters::default() };
        let both = own.under(&parent).policy().unwrap();
        assert_eq!((both.strategy, both.chunk_size, both.max_tokens), (Strategy::Chunked, 5, Some(100)));
        assert_eq!((both.max_history_size, both.enable_token_caching), (Some(20), false));
        // A policy of its own takes the place of the parent's as a whole.
        let own =
            Parameters { history: Some(Policy::default()), ..Parameters::default() }.under(&parent).policy().unwrap();
        assert_eq!(own, Policy { max_history_size: Some(20), ..Policy::default() });
        let none = Policy { chunk_size: 0, ..Policy::default() };
        let error = Parameters { history: Some(none), ..Parameters::default() }.policy().unwrap_err().to_string();
        assert!(error.contains("chunk_size"), "{error}");
    }
}
