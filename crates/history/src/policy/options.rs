//! Options by name, from TOML, JSON and the environment alike; each error says how to correct it.

use super::{BatchTurns, Policy, PolicyError, RetentionSummary, ShrinkAfter, Strategy, SummaryRole, When};
use ptc_text::suggest::did_you_mean;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};

/// The option names, in the order of the table in docs/history.md. Policies and task files refuse other keys, and name
/// the nearest one.
pub const KEYS: &[&str] = &[
    "strategy",
    "when",
    "min_messages",
    "pin_task",
    "summary_role",
    "model_summaries",
    "summary_tokens",
    "min_preserved_assistant_messages",
    "batch_size",
    "compact_user_messages",
    "last_messages",
    "sticky_messages",
    "chunk_size",
    "from_timestamp",
    "max_age_ms",
    "max_messages",
    "summarize_removed",
    "keep_tool_results",
    "keep_turns",
    "batch_turns",
    "fold_prose",
    "fold_call",
    "fold_result",
    "fold_request",
    "shrink_after",
    "prices",
    "max_tokens",
    "max_history_size",
    "enable_token_caching",
    "ladder",
    "retention",
    "auto_summary_threshold",
    "honour_explicit_full",
    "retention_summary",
];

/// Whether [`Policy::set`] knows this name, if only to say where the option belongs.
pub fn knows(key: &str) -> bool {
    KEYS.contains(&key) || matches!(key, "min_preserved_pairs" | "history_retention")
}

impl Policy {
    /// Sets one option by its name in a policy file.
    ///
    /// # Errors
    /// [`PolicyError`], which names the option and what it takes.
    pub fn set(&mut self, key: &str, v: &Value) -> Result<(), PolicyError> {
        match key {
            "strategy" => self.strategy = word("strategy", v, &Strategy::ALL.map(|s| (s.name(), s)))?,
            "when" => {
                self.when = Some(word("when", v, &[("always", When::Always), ("over_budget", When::OverBudget)])?)
            }
            "min_messages" => self.min_messages = count("min_messages", v)?,
            "pin_task" => self.pin_task = flag("pin_task", v)?,
            "summary_role" => {
                let roles = [("assistant", SummaryRole::Assistant), ("user", SummaryRole::User)];
                self.summary_role = word("summary_role", v, &roles)?;
            }
            "model_summaries" => self.model_summaries = flag("model_summaries", v)?,
            "summary_tokens" => self.summary_tokens = count("summary_tokens", v)? as u64,
            // `min_preserved_pairs` is the seed's other name for the same number (B-01).
            "min_preserved_assistant_messages" | "min_preserved_pairs" => {
                self.min_preserved_assistant_messages = count("min_preserved_assistant_messages", v)?;
            }
            "batch_size" => self.batch_size = count("batch_size", v)?,
            "compact_user_messages" => self.compact_user_messages = flag("compact_user_messages", v)?,
            "last_messages" => self.last_messages = count("last_messages", v)?,
            "sticky_messages" => self.sticky_messages = count("sticky_messages", v)?,
            "chunk_size" => self.chunk_size = count("chunk_size", v)?,
            "from_timestamp" => self.from_timestamp = Some(whole("from_timestamp", v)?),
            "max_age_ms" => self.max_age_ms = Some(count("max_age_ms", v)? as i64),
            "max_messages" => self.max_messages = count("max_messages", v)?,
            "summarize_removed" => self.summarize_removed = flag("summarize_removed", v)?,
            "keep_tool_results" => self.keep_tool_results = count("keep_tool_results", v)?,
            "keep_turns" => self.keep_turns = count("keep_turns", v)?,
            "batch_turns" => {
                self.batch_turns = match v {
                    Value::String(s) if s == "auto" => BatchTurns::Auto,
                    _ => BatchTurns::Turns(
                        count("batch_turns", v)
                            .map_err(|_| wrong("batch_turns", "\"auto\" or a whole number from 1", v))?,
                    ),
                }
            }
            "fold_prose" => self.fold_prose = count("fold_prose", v)?,
            "fold_call" => self.fold_call = count("fold_call", v)?,
            "fold_result" => self.fold_result = count("fold_result", v)?,
            "fold_request" => self.fold_request = count("fold_request", v)?,
            "shrink_after" => {
                self.shrink_after = match v {
                    Value::String(s) if s == "at_once" => ShrinkAfter::AtOnce,
                    _ => ShrinkAfter::Moves(
                        count("shrink_after", v)
                            .map_err(|_| wrong("shrink_after", "\"at_once\" or a whole number from 0", v))?,
                    ),
                }
            }
            "prices" => {
                let price = |name: &str, otherwise: f64| match v.get(name) {
                    None => Ok(otherwise),
                    Some(x) => x
                        .as_f64()
                        .filter(|x| *x > 0.0 && x.is_finite())
                        .ok_or_else(|| wrong("prices", "{ input = PRICE, cached = PRICE }, each above 0", v)),
                };
                let known = v.as_object().is_some_and(|o| o.keys().all(|k| k == "input" || k == "cached"));
                if !known {
                    return Err(wrong("prices", "{ input = PRICE, cached = PRICE }", v));
                }
                self.prices = super::Prices {
                    input: price("input", self.prices.input)?,
                    cached: price("cached", self.prices.cached)?,
                };
            }
            "max_tokens" => self.max_tokens = Some(count("max_tokens", v)? as u64),
            "max_history_size" => self.max_history_size = Some(count("max_history_size", v)?),
            "enable_token_caching" => self.enable_token_caching = flag("enable_token_caching", v)?,
            "ladder" => self.ladder = flag("ladder", v)?,
            "retention" => self.retention = flag("retention", v)?,
            "auto_summary_threshold" => self.auto_summary_threshold = count("auto_summary_threshold", v)? as u64,
            "honour_explicit_full" => self.honour_explicit_full = flag("honour_explicit_full", v)?,
            "retention_summary" => {
                let ways = [
                    ("line", RetentionSummary::Line),
                    ("smart", RetentionSummary::Smart),
                    ("semantic", RetentionSummary::Semantic),
                    ("differential", RetentionSummary::Differential),
                ];
                self.retention_summary = word("retention_summary", v, &ways)?;
            }
            // there is deliberately no retention for all inputs at once.
            "history_retention" => {
                let hint =
                    "history_retention stands with each input; retention = false turns all of them off".to_owned();
                return Err(PolicyError::Unknown { key: key.to_owned(), hint });
            }
            _ => return Err(unknown(key, KEYS)),
        }
        Ok(())
    }
}

/// The error for an option that is none of `keys`.
pub fn unknown(key: &str, keys: &[&str]) -> PolicyError {
    let hint = match did_you_mean(key, keys.iter().copied()) {
        Some(k) => format!("did you mean {k}?"),
        None => format!("options are {}", keys.join(", ")),
    };
    PolicyError::Unknown { key: key.to_owned(), hint }
}

fn wrong(key: &'static str, expected: &str, got: &Value) -> PolicyError {
    PolicyError::Value { key, expected: expected.to_owned(), got: got.to_string() }
}

fn flag(key: &'static str, v: &Value) -> Result<bool, PolicyError> {
    v.as_bool().ok_or_else(|| wrong(key, "true or false", v))
}

fn count(key: &'static str, v: &Value) -> Result<usize, PolicyError> {
    let small = v.as_u64().filter(|n| *n <= u64::from(u32::MAX)).and_then(|n| usize::try_from(n).ok());
    small.ok_or_else(|| wrong(key, "a whole number from 0", v))
}

fn whole(key: &'static str, v: &Value) -> Result<i64, PolicyError> {
    v.as_i64().ok_or_else(|| wrong(key, "a whole number", v))
}

fn word<T: Copy>(key: &'static str, v: &Value, words: &[(&'static str, T)]) -> Result<T, PolicyError> {
    let found = v.as_str().and_then(|s| words.iter().find(|(w, _)| *w == s));
    found.map(|(_, t)| *t).ok_or_else(|| {
        let list: Vec<String> = words.iter().map(|(w, _)| format!("{w:?}")).collect();
        let near = |said: &str| did_you_mean(said, words.iter().map(|(w, _)| *w));
        let hint = v.as_str().and_then(near).map(|w| format!("; did you mean {w:?}?")).unwrap_or_default();
        let expected = format!("one of {}", list.join(", "));
        PolicyError::Value { key, expected, got: format!("{v}{hint}") }
    })
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let table = Map::<String, Value>::deserialize(d)?;
        let mut policy = Policy::default();
        for (key, value) in &table {
            // A default policy is written with null for options that are not set.
            if !value.is_null() {
                policy.set(key, value).map_err(D::Error::custom)?;
            }
        }
        policy.check().map_err(D::Error::custom)?;
        Ok(policy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_policy_comes_back_as_it_was_written() {
        let policies = [
            Policy::default(),
            Policy { batch_turns: BatchTurns::Turns(3), max_tokens: Some(9), ..Policy::with(Strategy::Auto) },
        ];
        for p in policies {
            let text = serde_json::to_string(&p).unwrap();
            assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), p);
            // No option is written that cannot be read, and none is read that is not written.
            let keys: Vec<String> = json!(p).as_object().unwrap().keys().cloned().collect();
            assert_eq!(keys, KEYS);
        }
        let p: Policy = toml::from_str("strategy = \"batch\"\nmin_preserved_pairs = 5").unwrap();
        assert_eq!((p.strategy, p.min_preserved_assistant_messages), (Strategy::Batch, 5));
    }

    /// no retention for all inputs at once.
    #[test]
    fn k_36_b_04_f_29_mistakes_are_named() {
        for (text, words) in [
            ("stratgy = \"auto\"", "did you mean strategy?"),
            ("zzz = 1", "options are strategy, when"),
            ("strategy = \"sumary\"", "strategy must be one of \"none\", \"batch\""),
            ("strategy = \"slidng_window\"", "got \"slidng_window\"; did you mean \"sliding_window\"?"),
            ("when = 5", ", \"over_budget\", got 5"),
            ("max_tokens = -1", "max_tokens must be a whole number from 0, got -1"),
            ("max_tokens = 0", "max_tokens must be a whole number from 1, got 0"),
            ("max_history_size = 1", "max_history_size must be a whole number from 2, got 1"),
            ("batch_size = 0", "batch_size must be a whole number from 1, got 0"),
            ("min_preserved_assistant_messages = 0", "min_preserved_assistant_messages must be a whole number from 1"),
            ("max_messages = 0", "max_messages must be a whole number from 1"),
            ("chunk_size = 0", "chunk_size must be a whole number from 1"),
            ("batch_turns = \"x\"", "batch_turns must be \"auto\" or a whole number from 1, got \"x\""),
            ("shrink_after = \"soon\"", "shrink_after must be \"at_once\" or a whole number from 0, got \"soon\""),
            ("when = \"over_budget\"", "needs max_tokens"),
            ("strategy = \"from_timestamp\"", "needs from_timestamp"),
            ("history_retention = \"drop\"", "stands with each input"),
            ("prices = { input = 0 }", "each above 0"),
        ] {
            let error = toml::from_str::<Policy>(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
