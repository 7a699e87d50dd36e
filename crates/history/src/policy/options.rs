//! Options by name, from TOML, JSON and the environment alike; each error says how to correct it.

use super::{BatchTurns, Policy, PolicyError, Prices, RetentionSummary, ShrinkAfter, Strategy, SummaryRole, When};
use ptc_text::option_row::{self, OptionRow};
use ptc_text::suggest::did_you_mean;
use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};

/// How an option of a policy is read from a file and written to one.
#[derive(Clone, Copy, Debug)]
pub struct Access<P> {
    /// Its value; null where it is not set.
    pub get: fn(&P) -> Value,
    /// Checks and sets it; the key stands in errors.
    pub set: fn(&mut P, &'static str, &Value) -> Result<(), PolicyError>,
}

/// An option of a policy.
pub type PolicyOption<P> = OptionRow<P, Access<P>>;

/// The rows of a policy's options, `FIELD: READER [=> Some], OF, DOC;`. READER is a function of the key and the value in
/// the file, and the option's name is the field's.
#[macro_export]
#[doc(hidden)]
macro_rules! policy_options {
    ($policy:ty; $($name:ident: $read:path $(=> $some:ident)?, $of:literal, $doc:literal;)*) => {
        &[$(::ptc_text::option_row::OptionRow {
            name: stringify!($name),
            of: $of,
            doc: $doc,
            default: |p: &$policy| $crate::policy::options::shown(&$crate::policy::options::written(&p.$name)),
            access: $crate::policy::options::Access {
                get: |p: &$policy| $crate::policy::options::written(&p.$name),
                set: |p: &mut $policy, key, value| {
                    p.$name = $($some)?($read(key, value)?);
                    Ok(())
                },
            },
        }),*]
    };
}

/// Every option, in the order of the table in docs/history.md, which is made of these rows. Policies and task files refuse
/// other keys, and name the nearest one.
pub const OPTIONS: &[PolicyOption<Policy>] = policy_options! { Policy;
    strategy: strategy, "",
        "one of the table above";
    when: when => Some, "all but `none`",
        "`\"always\"`, or `\"over_budget\"`: only once the full history is over `max_tokens`, and from then on. Unset: over budget where `max_tokens` is set, else always";
    min_messages: count, "summaries but `sliding_window`",
        "fewer messages are never compressed";
    pin_task: flag, "all",
        "the first user message stays; `false` is refused for turns of programs under `auto` without a budget, where it would do nothing";
    summary_role: role, "summaries, `auto`",
        "who speaks them: `\"assistant\"` or `\"user\"`";
    model_summaries: flag, "summaries",
        "whether a model writes them, see below";
    summary_tokens: amount, "summaries",
        "the most tokens of one";
    min_preserved_assistant_messages: count, "`batch`",
        "assistant messages that stay whole (`min_preserved_pairs` is read too)";
    batch_size: count, "`batch`",
        "how many are compacted at once";
    compact_user_messages: flag, "`batch`",
        "whether user messages before the boundary go";
    last_messages: count, "`last_n_messages`, `sticky_summary`",
        "how many stay";
    sticky_messages: count, "`sticky_summary`",
        "the boundary moves when more than this stand behind it";
    chunk_size: count, "`chunked`",
        "messages a summary";
    from_timestamp: whole => Some, "`from_timestamp`",
        "milliseconds since 1970; a message has the time of its turn (`meta.at`)";
    max_age_ms: age => Some, "`from_timestamp`",
        "the same as an age, reckoned from the newest message";
    max_messages: count, "`sliding_window`",
        "messages that fit";
    summarize_removed: flag, "`sliding_window`",
        "whether what is cut off leaves a summary";
    keep_tool_results: count, "`clear_tool_results`",
        "results that stay";
    keep_turns: count, "`auto`",
        "turns that stay whole";
    batch_turns: batch_turns, "`auto`",
        "turns the boundary moves at once: a number, or `\"auto\"`: when that saves more than it costs";
    fold_prose: count, "`auto`, summaries",
        "characters of a folded turn's prose; half of them in a line of `auto`";
    fold_call: count, "`auto`, summaries",
        "characters of a folded call; half of them in a line of `auto`";
    fold_result: count, "`auto`, summaries",
        "characters of a folded result; in a line of `auto` of an error";
    fold_request: count, "`auto`, summaries",
        "characters of what the user said; three tenths of them in a line of `auto`";
    shrink_after: shrink_after, "`auto`",
        "moves after which a fold keeps only a line for each call and request, 0 being never; or `\"at_once\"`: it never has more";
    prices: prices, "`auto`",
        "relative prices that its boundary moves by";
    max_tokens: amount => Some, "budget",
        "tokens of the whole request";
    max_history_size: count => Some, "budget",
        "messages of the whole request";
    enable_token_caching: flag, "budget",
        "whether counts are remembered; the numbers are the same";
    ladder: flag, "budget but whole histories",
        "shorten step by step before anything is dropped; a whole history is one summary already";
    retention: flag, "inputs",
        "`false` shows every input in full again";
    auto_summary_threshold: amount, "inputs",
        "larger inputs (bytes) are summarised without being asked; 0 is off";
    honour_explicit_full: flag, "inputs",
        "whether `history_retention = \"full\"` stands above that threshold";
    retention_summary: retention_summary, "inputs",
        "`\"line\"`, `\"smart\"` (columns and two rows), `\"semantic\"` (what a model says of it; as `\"smart\"` where it says nothing), `\"differential\"` (what changed since)";
};

/// The names of the options, in the order of [`OPTIONS`].
pub fn keys() -> Vec<&'static str> {
    option_row::keys(OPTIONS)
}

/// The options as a table in Markdown, with their defaults.
pub fn markdown() -> String {
    option_row::markdown(OPTIONS, &Policy::default())
}

/// Other names that [`Policy::set`] knows: of an option, or to say where it belongs.
const OTHER_NAMES: [&str; 2] = ["min_preserved_pairs", "history_retention"];

/// Whether [`Policy::set`] knows this name, if only to say where the option belongs.
pub fn knows(key: &str) -> bool {
    option_row::find(OPTIONS, key).is_some() || OTHER_NAMES.contains(&key)
}

impl Policy {
    /// Sets one option by its name in a policy file.
    ///
    /// # Errors
    /// [`PolicyError`], which names the option and what it takes.
    pub fn set(&mut self, key: &str, v: &Value) -> Result<(), PolicyError> {
        let name = match key {
            // The seed's other name for the same number (B-01).
            "min_preserved_pairs" => "min_preserved_assistant_messages",
            // there is deliberately no retention for all inputs at once.
            "history_retention" => {
                let hint =
                    "history_retention stands with each input; retention = false turns all of them off".to_owned();
                return Err(PolicyError::Unknown { key: key.to_owned(), hint });
            }
            other => other,
        };
        match option_row::find(OPTIONS, name) {
            Some(row) => (row.access.set)(self, row.name, v),
            None => Err(unknown(key, &keys())),
        }
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

/// An option's value as files have it; null where it is not set.
pub fn written(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// An option's value as tables of options show it.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => "not set".to_owned(),
        value => format!("`{value}`"),
    }
}

fn wrong(key: &'static str, expected: &str, got: &Value) -> PolicyError {
    PolicyError::Value { key, expected: expected.to_owned(), got: got.to_string(), hint: None }
}

/// True or false.
///
/// # Errors
/// When it is something else.
pub fn flag(key: &'static str, v: &Value) -> Result<bool, PolicyError> {
    v.as_bool().ok_or_else(|| wrong(key, "true or false", v))
}

/// A whole number from 0.
///
/// # Errors
/// When it is something else.
pub fn number(key: &'static str, v: &Value) -> Result<u64, PolicyError> {
    v.as_u64().ok_or_else(|| wrong(key, "a whole number from 0", v))
}

/// A whole number from 0 to `u32::MAX`, so that sums of a few are no concern.
fn count(key: &'static str, v: &Value) -> Result<usize, PolicyError> {
    let small = v.as_u64().filter(|n| *n <= u64::from(u32::MAX)).and_then(|n| usize::try_from(n).ok());
    small.ok_or_else(|| wrong(key, "a whole number from 0", v))
}

/// Tokens or bytes.
fn amount(key: &'static str, v: &Value) -> Result<u64, PolicyError> {
    count(key, v).map(|n| n as u64)
}

/// Milliseconds.
fn age(key: &'static str, v: &Value) -> Result<i64, PolicyError> {
    count(key, v).map(|n| n as i64)
}

fn whole(key: &'static str, v: &Value) -> Result<i64, PolicyError> {
    v.as_i64().ok_or_else(|| wrong(key, "a whole number", v))
}

/// One of these words.
///
/// # Errors
/// When it is something else; the nearest word is named.
pub fn word<T: Copy>(key: &'static str, v: &Value, words: &[(&'static str, T)]) -> Result<T, PolicyError> {
    let found = v.as_str().and_then(|s| words.iter().find(|(w, _)| *w == s));
    found.map(|(_, t)| *t).ok_or_else(|| {
        let list: Vec<String> = words.iter().map(|(w, _)| format!("{w:?}")).collect();
        let near = |said: &str| did_you_mean(said, words.iter().map(|(w, _)| *w));
        let hint = v.as_str().and_then(near).map(|w| format!("did you mean {w:?}?"));
        let expected = format!("one of {}", list.join(", "));
        PolicyError::Value { key, expected, got: v.to_string(), hint }
    })
}

fn strategy(key: &'static str, v: &Value) -> Result<Strategy, PolicyError> {
    word(key, v, &Strategy::ALL.map(|s| (s.name(), s)))
}

fn when(key: &'static str, v: &Value) -> Result<When, PolicyError> {
    word(key, v, &[("always", When::Always), ("over_budget", When::OverBudget)])
}

fn role(key: &'static str, v: &Value) -> Result<SummaryRole, PolicyError> {
    word(key, v, &[("assistant", SummaryRole::Assistant), ("user", SummaryRole::User)])
}

fn batch_turns(key: &'static str, v: &Value) -> Result<BatchTurns, PolicyError> {
    match v.as_str() {
        Some("auto") => Ok(BatchTurns::Auto),
        _ => count(key, v).map(BatchTurns::Turns).map_err(|_| wrong(key, "\"auto\" or a whole number from 1", v)),
    }
}

fn shrink_after(key: &'static str, v: &Value) -> Result<ShrinkAfter, PolicyError> {
    match v.as_str() {
        Some("at_once") => Ok(ShrinkAfter::AtOnce),
        _ => count(key, v).map(ShrinkAfter::Moves).map_err(|_| wrong(key, "\"at_once\" or a whole number from 0", v)),
    }
}

fn prices(key: &'static str, v: &Value) -> Result<Prices, PolicyError> {
    let known = v.as_object().is_some_and(|o| o.keys().all(|k| k == "input" || k == "cached"));
    if !known {
        return Err(wrong(key, "{ input = PRICE, cached = PRICE }", v));
    }
    let price = |name: &str, otherwise: f64| match v.get(name) {
        None => Ok(otherwise),
        Some(x) => x
            .as_f64()
            .filter(|x| *x > 0.0 && x.is_finite())
            .ok_or_else(|| wrong(key, "{ input = PRICE, cached = PRICE }, each above 0", v)),
    };
    let default = Prices::default();
    Ok(Prices { input: price("input", default.input)?, cached: price("cached", default.cached)? })
}

fn retention_summary(key: &'static str, v: &Value) -> Result<RetentionSummary, PolicyError> {
    let ways = [
        ("line", RetentionSummary::Line),
        ("smart", RetentionSummary::Smart),
        ("semantic", RetentionSummary::Semantic),
        ("differential", RetentionSummary::Differential),
    ];
    word(key, v, &ways)
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
