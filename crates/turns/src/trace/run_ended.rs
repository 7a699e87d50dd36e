//! How a run ended that no turn tells of: by a limit, a model that was lost, or by hand.

use serde::{Deserialize, Serialize};

/// How a run ended without an answer and without a turn that says why. A line of the trace behind what the run did; once
/// something is added to the trace, it tells of an earlier run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnded {
    /// How: `limit`, `cancelled` or `error`.
    pub run_ended: String,
    /// What the reason is about, in a word: `model`, `store`, `limit`.
    pub kind: String,
    /// Why, with the place that it is about.
    pub message: String,
    /// What to do next, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// When, milliseconds since 1970.
    pub time: i64,
}

impl RunEnded {
    /// The reason in words: `MESSAGE; HINT`.
    pub fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        }
    }
}
