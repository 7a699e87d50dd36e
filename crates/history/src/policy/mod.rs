//! The options that a developer chooses: the strategy, its numbers, and the budgets.

pub mod decision;
mod env;
pub mod options;

pub use options::{keys, knows};

use serde::Serialize;

/// How history is shortened (docs/history.md has a table of when to use which).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// Not at all: full history (D1, K-01).
    #[default]
    None,
    /// Batches of older assistant messages become their recap lines (seed 001).
    Batch,
    /// All becomes one TL;DR (K-03).
    WholeHistory,
    /// The last messages stay, what is older becomes one TL;DR (K-04).
    LastNMessages,
    /// A TL;DR for each chunk (K-05).
    Chunked,
    /// What was said before a time becomes a TL;DR (K-06).
    FromTimestamp,
    /// A TL;DR for each section that begins with a system message (K-07).
    WholeHistoryMultipleSystemMessages,
    /// The newest messages, cut where no call is separated from its result (seed 004).
    SlidingWindow,
    /// Results of older tool calls become a note.
    ClearToolResults,
    /// A TL;DR that grows in batches: the last messages stay, and the boundary moves only when there are too many.
    StickySummary,
    /// Older turns folded to a few lines when that saves more than it costs; the whole turn is read by its number.
    Auto,
}

impl Strategy {
    /// All of them, in the order of the documentation.
    pub const ALL: [Strategy; 11] = [
        Strategy::None,
        Strategy::Batch,
        Strategy::WholeHistory,
        Strategy::LastNMessages,
        Strategy::Chunked,
        Strategy::FromTimestamp,
        Strategy::WholeHistoryMultipleSystemMessages,
        Strategy::SlidingWindow,
        Strategy::ClearToolResults,
        Strategy::StickySummary,
        Strategy::Auto,
    ];

    /// Its name in a policy file.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::None => "none",
            Strategy::Batch => "batch",
            Strategy::WholeHistory => "whole_history",
            Strategy::LastNMessages => "last_n_messages",
            Strategy::Chunked => "chunked",
            Strategy::FromTimestamp => "from_timestamp",
            Strategy::WholeHistoryMultipleSystemMessages => "whole_history_multiple_system_messages",
            Strategy::SlidingWindow => "sliding_window",
            Strategy::ClearToolResults => "clear_tool_results",
            Strategy::StickySummary => "sticky_summary",
            Strategy::Auto => "auto",
        }
    }
}

/// When the strategy is applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// On every request.
    Always,
    /// Only when the full history is over `max_tokens` (K-15).
    OverBudget,
}

/// The role of a summary (D4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SummaryRole {
    /// The model.
    #[default]
    Assistant,
    /// The user.
    User,
}

/// How many turns the boundary moves at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BatchTurns {
    /// When that saves more than it costs, by prices and the sizes seen ([`crate::policy::decision`]).
    #[default]
    Auto,
    /// This many.
    Turns(usize),
}

impl Serialize for BatchTurns {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            BatchTurns::Auto => s.serialize_str("auto"),
            BatchTurns::Turns(n) => s.serialize_u64(*n as u64),
        }
    }
}

/// When the folded turns of `auto` shrink to a line for each call and request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShrinkAfter {
    /// At once, with calls of one kind in one line; they never change again.
    #[default]
    AtOnce,
    /// After so many moves of the boundary; 0 is never.
    Moves(usize),
}

impl Serialize for ShrinkAfter {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self {
            ShrinkAfter::AtOnce => s.serialize_str("at_once"),
            ShrinkAfter::Moves(n) => s.serialize_u64(*n as u64),
        }
    }
}

/// Prices relative to an uncached input token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Prices {
    /// Of an input token that was not cached, or is written to the cache: q.
    pub input: f64,
    /// Of an input token read from the cache: r.
    pub cached: f64,
}

impl Default for Prices {
    fn default() -> Self {
        Prices { input: 1.0, cached: 0.1 }
    }
}

/// How an input whose retention is `summary` is shown (seed 003, versions 1 to 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RetentionSummary {
    /// One line: `[Table: posts, 10 rows, ~18KB]` (R-06).
    #[default]
    Line,
    /// The line, the columns and the first rows (R-30).
    Smart,
    /// The line and a summary by a model; as `smart` where the model gives none (R-31).
    Semantic,
    /// As `smart` the first time; after that only what changed (R-32).
    Differential,
}

/// A policy. The default shows everything and drops nothing.
///
/// ```
/// use ptc_history::policy::{Policy, Strategy};
///
/// let mut policy = Policy::default();
/// policy.set("strategy", &"auto".into())?;
/// policy.set("max_tokens", &50_000.into())?;
/// assert_eq!(policy.strategy, Strategy::Auto);
/// let error = policy.set("max_tokns", &1.into()).unwrap_err().to_string();
/// assert_eq!(error, "unknown history option max_tokns; did you mean max_tokens?");
/// # Ok::<(), ptc_history::policy::PolicyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Policy {
    /// The strategy.
    pub strategy: Strategy,
    /// When it is applied; `None` is always, or over budget where `max_tokens` is set (K-15).
    pub when: Option<When>,
    /// Fewer messages than this are never compressed by a TL;DR strategy (K-25).
    pub min_messages: usize,
    /// Whether the first user message stays (D5).
    pub pin_task: bool,
    /// The role of a summary (D4).
    pub summary_role: SummaryRole,
    /// Whether a model writes TL;DRs; otherwise they are made from the messages by rule.
    pub model_summaries: bool,
    /// The most tokens of a TL;DR.
    pub summary_tokens: u64,

    /// `batch`: assistant messages that stay whole (B-01).
    pub min_preserved_assistant_messages: usize,
    /// `batch`: how many are compacted at once (B-01).
    pub batch_size: usize,
    /// `batch`: whether user messages before the boundary are removed (B-27).
    pub compact_user_messages: bool,

    /// `last_n_messages`, `sticky_summary`: how many stay.
    pub last_messages: usize,
    /// `sticky_summary`: the boundary moves when there are more than this after it.
    pub sticky_messages: usize,
    /// `chunked`: messages a chunk.
    pub chunk_size: usize,
    /// `from_timestamp`: milliseconds since 1970; what is older is compressed.
    pub from_timestamp: Option<i64>,
    /// `from_timestamp`: the same as an age in milliseconds, relative to the host's clock.
    pub max_age_ms: Option<i64>,

    /// `sliding_window`: messages that fit (F-08).
    pub max_messages: usize,
    /// `sliding_window`: whether removed messages leave a summary (F-31).
    pub summarize_removed: bool,

    /// `clear_tool_results`: results that stay.
    pub keep_tool_results: usize,

    /// `auto`: turns that stay whole.
    pub keep_turns: usize,
    /// `auto`: turns the boundary moves at once.
    pub batch_turns: BatchTurns,
    /// `auto`: characters of a folded turn's prose.
    pub fold_prose: usize,
    /// `auto`: characters of a folded call.
    pub fold_call: usize,
    /// `auto`: characters of a folded result.
    pub fold_result: usize,
    /// `auto`: characters of a folded request of the user.
    pub fold_request: usize,
    /// `auto`: when a fold shrinks to a line for each call and request.
    pub shrink_after: ShrinkAfter,
    /// `auto`: prices for the decision when its boundary moves.
    pub prices: Prices,

    /// Tokens of the whole request (K-14).
    pub max_tokens: Option<u64>,
    /// Messages that are sent (K-10).
    pub max_history_size: Option<usize>,
    /// Whether token counts are cached (K-32).
    pub enable_token_caching: bool,
    /// Whether views are shortened step by step before anything is dropped for `max_tokens`.
    pub ladder: bool,

    /// Whether retentions of inputs are applied; `false` keeps all inputs whole (R-29).
    pub retention: bool,
    /// Inputs above this many bytes are summarised even without a retention; 0 turns it off (R-18, R-19).
    pub auto_summary_threshold: u64,
    /// Whether an explicit `full` overrides the threshold (R-20).
    pub honour_explicit_full: bool,
    /// How a `summary` looks.
    pub retention_summary: RetentionSummary,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            strategy: Strategy::None,
            when: None,
            min_messages: 10,
            pin_task: true,
            summary_role: SummaryRole::Assistant,
            model_summaries: false,
            summary_tokens: 400,
            min_preserved_assistant_messages: 3,
            batch_size: 4,
            compact_user_messages: true,
            last_messages: 10,
            sticky_messages: 40,
            chunk_size: 10,
            from_timestamp: None,
            max_age_ms: None,
            max_messages: 40,
            summarize_removed: true,
            keep_tool_results: 3,
            keep_turns: 1,
            batch_turns: BatchTurns::Auto,
            fold_prose: 40,
            fold_call: 30,
            fold_result: 60,
            fold_request: 120,
            shrink_after: ShrinkAfter::AtOnce,
            prices: Prices::default(),
            max_tokens: None,
            max_history_size: None,
            enable_token_caching: true,
            ladder: false,
            retention: true,
            auto_summary_threshold: 10_000,
            honour_explicit_full: false,
            retention_summary: RetentionSummary::Line,
        }
    }
}

/// What is wrong with a policy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// No such option.
    #[error("unknown history option {key}; {hint}")]
    Unknown {
        /// What was written.
        key: String,
        /// What to write.
        hint: String,
    },
    /// A value that the option cannot have.
    #[error("{key} must be {expected}, got {got}{}", after(hint.as_deref()))]
    Value {
        /// The option.
        key: &'static str,
        /// What it takes.
        expected: String,
        /// What was written.
        got: String,
        /// What was meant, where that can be guessed.
        hint: Option<String>,
    },
    /// Options that contradict each other, or one that is missing.
    #[error("{problem}{}", after(hint.as_deref()))]
    Conflict {
        /// One of them.
        key: &'static str,
        /// What contradicts what.
        problem: String,
        /// What to do.
        hint: Option<String>,
    },
}

/// A hint behind a message.
fn after(hint: Option<&str>) -> String {
    hint.map(|h| format!("; {h}")).unwrap_or_default()
}

impl PolicyError {
    /// The option it is about, as it was written or, of a value that was not read from a file, by its name.
    pub fn key(&self) -> &str {
        match self {
            PolicyError::Unknown { key, .. } => key,
            PolicyError::Value { key, .. } | PolicyError::Conflict { key, .. } => key,
        }
    }

    /// What to do next, where that is known; the end of the words that [`fmt::Display`](std::fmt::Display) writes.
    pub fn hint(&self) -> Option<&str> {
        match self {
            PolicyError::Unknown { hint, .. } => Some(hint),
            PolicyError::Value { hint, .. } | PolicyError::Conflict { hint, .. } => hint.as_deref(),
        }
    }
}

impl Policy {
    /// The default options with this strategy.
    pub fn with(strategy: Strategy) -> Self {
        Policy { strategy, ..Policy::default() }
    }

    /// Whether its options are consistent (K-36, B-04, F-29).
    ///
    /// # Errors
    /// [`PolicyError`] with the option's name.
    pub fn check(&self) -> Result<(), PolicyError> {
        let conflict = |key, problem: &str| PolicyError::Conflict { key, problem: problem.to_owned(), hint: None };
        let size = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
        let batch_turns = if let BatchTurns::Turns(n) = self.batch_turns { n } else { 1 };
        for (key, got, least) in [
            ("min_preserved_assistant_messages", self.min_preserved_assistant_messages, 1),
            ("batch_size", self.batch_size, 1),
            ("chunk_size", self.chunk_size, 1),
            ("max_messages", self.max_messages, 1),
            ("keep_turns", self.keep_turns, 1),
            ("summary_tokens", size(self.summary_tokens), 16),
            ("max_history_size", self.max_history_size.unwrap_or(2), 2),
            ("max_tokens", self.max_tokens.map_or(1, size), 1),
            ("batch_turns", batch_turns, 1),
        ] {
            if got < least {
                let expected = format!("a whole number from {least}");
                return Err(PolicyError::Value { key, expected, got: got.to_string(), hint: None });
            }
        }
        let Prices { input, cached } = self.prices;
        if ![input, cached].iter().all(|p| *p > 0.0 && p.is_finite()) {
            let expected = "{ input = PRICE, cached = PRICE }, each above 0".to_owned();
            return Err(PolicyError::Value {
                key: "prices",
                expected,
                got: format!("{input} and {cached}"),
                hint: None,
            });
        }
        if self.sticky_messages <= self.last_messages && self.strategy == Strategy::StickySummary {
            let text = format!(
                "sticky_messages ({}) must be more than last_messages ({})",
                self.sticky_messages, self.last_messages
            );
            // The one that was chosen.
            let own = self.sticky_messages != Policy::default().sticky_messages;
            return Err(conflict(if own { "sticky_messages" } else { "last_messages" }, &text));
        }
        if self.strategy == Strategy::FromTimestamp && self.from_timestamp.is_none() && self.max_age_ms.is_none() {
            let text = "strategy \"from_timestamp\" needs from_timestamp (milliseconds since 1970) or max_age_ms";
            return Err(conflict("strategy", text));
        }
        if self.when == Some(When::OverBudget) && self.max_tokens.is_none() {
            return Err(conflict("when", "when = \"over_budget\" needs max_tokens"));
        }
        Ok(())
    }

    /// The options that differ from the default, by name.
    pub fn chosen(&self) -> impl Iterator<Item = (String, serde_json::Value)> {
        let table = |p: &Policy| match serde_json::to_value(p) {
            Ok(serde_json::Value::Object(map)) => map,
            _ => serde_json::Map::new(),
        };
        let default = table(&Policy::default());
        table(self).into_iter().filter(move |(key, value)| default.get(key) != Some(value))
    }

    /// When the strategy is applied (K-15).
    pub fn when(&self) -> When {
        self.when.unwrap_or(if self.max_tokens.is_some() { When::OverBudget } else { When::Always })
    }
}
