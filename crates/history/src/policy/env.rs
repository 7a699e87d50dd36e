//! The batch policy from environment variables, which the host hands in (B-02, B-23).

use super::{Policy, PolicyError, Strategy};
use serde_json::Value;

const PREFIX: &str = "LLM_COMPACTION_";
const ENABLED: &str = "LLM_COMPACTION_ENABLED";
const MIN: &str = "LLM_COMPACTION_MIN_PRESERVED_ASSISTANT_MESSAGES";
const BATCH: &str = "LLM_COMPACTION_BATCH_SIZE";

impl Policy {
    /// The policy from variables with the prefix `LLM_COMPACTION_`: `ENABLED` (true, false, 1, 0),
    /// `MIN_PRESERVED_ASSISTANT_MESSAGES` and `BATCH_SIZE`. Variables without the prefix are ignored. With any of the
    /// three the strategy is `batch`, unless `ENABLED` is false; with none of them the policy is the default, full
    /// history (D1). Options that the host sets later override it.
    ///
    /// ```
    /// use ptc_history::policy::{Policy, Strategy};
    ///
    /// let vars = [("LLM_COMPACTION_BATCH_SIZE".to_owned(), "6".to_owned()), ("HOME".to_owned(), "/".to_owned())];
    /// let policy = Policy::from_vars(vars)?;
    /// assert_eq!((policy.strategy, policy.batch_size), (Strategy::Batch, 6));
    /// # Ok::<(), ptc_history::policy::PolicyError>(())
    /// ```
    ///
    /// # Errors
    /// An invalid value, or an unknown variable with the prefix; the variable is named.
    pub fn from_vars(vars: impl IntoIterator<Item = (String, String)>) -> Result<Self, PolicyError> {
        let mut policy = Policy::default();
        let mut enabled = None;
        let mut any = false;
        for (name, value) in vars {
            let value = value.trim();
            match name.as_str() {
                ENABLED => enabled = Some(flag(value)?),
                MIN => policy.min_preserved_assistant_messages = count(MIN, value)?,
                BATCH => policy.batch_size = count(BATCH, value)?,
                _ if name.starts_with(PREFIX) => {
                    return Err(super::options::unknown(&name, &[ENABLED, MIN, BATCH]));
                }
                _ => continue,
            }
            any = true;
        }
        if enabled.unwrap_or(any) {
            policy.strategy = Strategy::Batch;
        }
        Ok(policy)
    }
}

fn flag(value: &str) -> Result<bool, PolicyError> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(wrong(ENABLED, "true, false, 1 or 0", value)),
    }
}

fn count(key: &'static str, value: &str) -> Result<usize, PolicyError> {
    let read = value.parse::<u32>().ok().filter(|n| *n >= 1).and_then(|n| usize::try_from(n).ok());
    read.ok_or_else(|| wrong(key, "a whole number from 1", value))
}

fn wrong(key: &'static str, expected: &str, got: &str) -> PolicyError {
    PolicyError::Value { key, expected: expected.to_owned(), got: Value::from(got).to_string(), hint: None }
}
