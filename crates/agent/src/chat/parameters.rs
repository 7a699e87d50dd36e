//! What a request says for itself; what it leaves open is inherited, field by field.

use crate::model::Settings;
use ptc_history::Policy;
use ptc_history::policy::{PolicyError, Strategy};
use serde_json::{Map, Value, json};

/// Parameters of a request (seed 002's `RequestParameters`). Nothing is compressed or trimmed unless one of them says
/// so (FR-002).
///
/// ```
/// use ptc_agent::chat::Parameters;
/// use ptc_history::policy::Strategy;
///
/// let house = Parameters { max_tokens: Some(50_000), temperature: Some(0.2), ..Parameters::default() };
/// let here = Parameters { strategy: Some(Strategy::WholeHistory), temperature: Some(0.0), ..Parameters::default() };
/// let both = here.under(&house);
/// assert_eq!((both.max_tokens, both.temperature, both.strategy), (Some(50_000), Some(0.0), Some(Strategy::WholeHistory)));
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
    /// Further options of the history by their names in a policy file: `last_messages`, `chunk_size` ...
    pub history: Map<String, Value>,
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
        let mut history = parent.history.clone();
        history.extend(self.history);
        Parameters {
            strategy: self.strategy.or(parent.strategy),
            max_tokens: self.max_tokens.or(parent.max_tokens),
            max_history_size: self.max_history_size.or(parent.max_history_size),
            enable_token_caching: self.enable_token_caching.or(parent.enable_token_caching),
            history,
            answer_tokens: self.answer_tokens.or(parent.answer_tokens),
            temperature: self.temperature.or(parent.temperature),
            max_iterations: self.max_iterations.or(parent.max_iterations),
            extra: self.extra.or_else(|| parent.extra.clone()),
        }
    }

    /// How history is shown.
    ///
    /// # Errors
    /// When an option has no such value, or two do not fit together; the option is named.
    pub fn policy(&self) -> Result<Policy, PolicyError> {
        let mut policy = Policy::default();
        for (key, value) in &self.history {
            policy.set(key, value)?;
        }
        let own = [
            ("strategy", self.strategy.map(|s| json!(s.name()))),
            ("max_tokens", self.max_tokens.map(|n| json!(n))),
            ("max_history_size", self.max_history_size.map(|n| json!(n))),
            ("enable_token_caching", self.enable_token_caching.map(|b| json!(b))),
        ];
        for (key, value) in own {
            if let Some(value) = value {
                policy.set(key, &value)?;
            }
        }
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
