//! How history is shown: the options of a task's `[history]`, each with its default.

use ptc_history::policy::PolicyError;
use ptc_history::policy::options::{PolicyOption, flag, number, unknown};
use ptc_history::policy_options;
use ptc_text::option_row;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// How an error is shown after a later turn has succeeded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorRetention {
    /// Whole (D6).
    Always,
    /// As one line.
    #[default]
    UntilRecovered,
}

/// How samples of data are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SampleSyntax {
    /// `%{name: "Laptop"}`, as Elixir writes maps. In policies it is called `seed`.
    #[default]
    #[serde(rename = "seed")]
    Elixir,
    /// `{:name "Laptop"}`
    Clojure,
}

/// Where summaries are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Layout {
    /// Each in place of its assistant message (D4).
    #[default]
    Assistant,
    /// A system and one user message: the task, then the summaries of all turns.
    Coalesced,
}

/// The default of `compress_history`.
const COMPRESS: bool = true;
/// The default of `output_tokens`.
pub const OUTPUT_TOKENS: u64 = 250;
/// The default of `output_turns`.
pub const OUTPUT_TURNS: u64 = 2;

/// The policy of a view. The default shows older turns as summaries ([`Policy::compressed`]), which supersedes D1 and
/// P-01; [`Policy::full`] is the full history.
///
/// ```
/// use ptc_turns::{Config, Policy, Session, TurnContext};
///
/// let mut session = Session::new(Config { prompt: "Count".into(), ..Config::default() });
/// for program in ["(def xs (vec (range 100)))", "(def n (count xs))", "(println n)"] {
///     session.run(program, TurnContext::without_host())?;
/// }
/// // The same trace, shown in two ways: the programs as they were, and what they learned.
/// let full = session.messages(&Policy::full());
/// let short = session.messages(&Policy { show_tool_calls: true, ..Policy::compressed() });
/// assert!(full[2].text().contains("(range 100)"));
/// assert!(short[2].text().starts_with("; Defined: xs = "), "{}", short[2].text());
/// # Ok::<(), ptc_turns::TurnRefused>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// Older successful turns as summaries.
    pub compress_history: bool,
    /// How many printed entries summaries show, the newest; 0 shows none (P-02). Where it is set, entries are counted
    /// and every older turn is a summary; where it is not, `output_tokens` applies.
    pub println_history_limit: Option<u64>,
    /// Tokens, as [`ptc_history::tokens::Seven`] counts them, that a turn older than `output_turns` may have printed so
    /// that it is still shown whole; what is longer is cut to a quarter of them, and all older turns together show at most
    /// ten times as many. 0 shows a line each that says how to see it.
    pub output_tokens: u64,
    /// So many turns, the newest, show their output whole, as far back as together it takes at most twenty times
    /// `output_tokens`; 0 is as 1.
    pub output_turns: u64,
    /// Successful turns before an error that stay whole with it (P-19).
    pub error_context_turns: u64,
    /// How errors are shown.
    pub error_retention: ErrorRetention,
    /// How samples are written.
    pub sample_syntax: SampleSyntax,
    /// Where summaries are placed.
    pub layout: Layout,
    /// Whether summaries list tool calls, those of failed turns too.
    pub show_tool_calls: bool,
    /// How many tool calls are listed, the newest, a line each. Where it is not set, the calls of one tool in one turn
    /// are one line, and all are listed.
    pub tool_calls_limit: Option<u64>,
    /// Whether the short card describes notes, `(note "...")`.
    pub notes: bool,
    /// Strategy and budgets for the messages; in a file these options stand beside the ones above (docs/history.md).
    pub history: ptc_history::Policy,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            compress_history: COMPRESS,
            println_history_limit: None,
            output_tokens: OUTPUT_TOKENS,
            output_turns: OUTPUT_TURNS,
            error_context_turns: 1,
            error_retention: ErrorRetention::UntilRecovered,
            sample_syntax: SampleSyntax::Elixir,
            layout: Layout::Assistant,
            show_tool_calls: false,
            tool_calls_limit: None,
            notes: false,
            history: ptc_history::Policy::default(),
        }
    }
}

/// The options about turns; those of [`ptc_history::policy::options::OPTIONS`] stand beside them in the same table. Files
/// refuse other keys, and name the nearest one. The table of docs/turns.md is made of these rows.
pub const OPTIONS: &[PolicyOption<Policy>] = policy_options! { Policy;
    compress_history: flag, "", "older turns in the shorter form, summary or whole turn";
    println_history_limit: number => Some, "", "the newest printed entries instead; every older turn is a summary";
    output_tokens: number, "", "tokens that one turn older than the newest `output_turns` may have printed and still show";
    output_turns: number, "", "the newest turns, whose output is whole; 0 is as 1";
    error_context_turns: number, "", "successful turns before a failed one that stay whole with it";
    error_retention: error_retention, "", "or `\"always\"`";
    sample_syntax: sample_syntax, "", "or `\"clojure\"`";
    layout: layout, "", "or `\"coalesced\"`";
    show_tool_calls: flag, "", "whether summaries list tool calls";
    tool_calls_limit: number => Some, "", "its newest lines, one a call, instead of one a tool";
    notes: flag, "", "whether the short card tells of notes";
};

/// The options that a trace's header names although they are at their default, as the first traces did. One that came
/// later is written where it differs, so that headers keep their bytes.
const ALWAYS_WRITTEN: [&str; 8] = [
    "compress_history",
    "output_tokens",
    "output_turns",
    "error_context_turns",
    "error_retention",
    "sample_syntax",
    "layout",
    "show_tool_calls",
];

/// The names of the options about turns, in the order of [`OPTIONS`].
pub fn keys() -> Vec<&'static str> {
    option_row::keys(OPTIONS)
}

/// The options about turns as a table in Markdown, with their defaults.
pub fn markdown() -> String {
    option_row::markdown(OPTIONS, &Policy::default())
}

// One flat table, as in files. Of the strategy's many options only those that differ from the default.
impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let default = Policy::default();
        let mut map = s.serialize_map(None)?;
        for row in OPTIONS {
            let value = (row.access.get)(self);
            // An option that another one disables is not written.
            let disabled = self.println_history_limit.is_some() && matches!(row.name, "output_tokens" | "output_turns");
            if !disabled && (ALWAYS_WRITTEN.contains(&row.name) || value != (row.access.get)(&default)) {
                map.serialize_entry(row.name, &value)?;
            }
        }
        for (key, value) in self.history.chosen() {
            map.serialize_entry(&key, &value)?;
        }
        map.end()
    }
}

impl Policy {
    /// Whether the strategy is `auto`, which chooses which turns stay whole. It does not fold messages of turns: it shows their summaries.
    pub(crate) fn uses_strategy_auto(&self) -> bool {
        self.history.strategy == ptc_history::policy::Strategy::Auto
    }

    /// Whether views are sized in tokens: by `output_tokens`, and no turn larger than it was.
    pub(crate) fn is_token_sized(&self) -> bool {
        (self.compress_history || self.uses_strategy_auto()) && self.println_history_limit.is_none()
    }

    /// The same, showing everything: no summaries of turns, no strategy, no budgets, every input whole.
    #[must_use]
    pub fn uncompressed(self) -> Self {
        let history = ptc_history::Policy { retention: false, ..ptc_history::Policy::default() };
        Policy { compress_history: false, history, ..self }
    }

    /// Whether it shows everything, except for what inputs set themselves.
    pub fn is_full(&self) -> bool {
        let h = &self.history;
        let budget = h.max_tokens.is_some() || h.max_history_size.is_some();
        !self.compress_history && h.strategy == ptc_history::policy::Strategy::None && !budget
    }

    /// The full history: everything as it was, byte for byte.
    pub fn full() -> Self {
        Policy { compress_history: false, ..Policy::default() }
    }

    /// With summaries: the default.
    pub fn compressed() -> Self {
        Policy { compress_history: true, ..Policy::default() }
    }

    /// The view of the first version, with its limits on the number of printed entries and calls: every older turn is one, with the newest 15 printed entries and the
    /// newest 20 calls over all of them; errors stay whole.
    pub fn legacy_entry_count() -> Self {
        Policy {
            println_history_limit: Some(15),
            tool_calls_limit: Some(20),
            error_retention: ErrorRetention::Always,
            ..Policy::compressed()
        }
    }
}

impl Policy {
    /// Sets one option by its name in a policy file, be it about turns or about the history.
    ///
    /// # Errors
    /// [`PolicyError`], which names the option and what it takes.
    ///
    /// ```
    /// use ptc_turns::Policy;
    ///
    /// let mut policy = Policy::default();
    /// policy.set("output_tokens", &100.into())?;
    /// policy.set("max_tokens", &50_000.into())?;
    /// assert_eq!((policy.output_tokens, policy.history.max_tokens), (100, Some(50_000)));
    /// let error = policy.set("output_token", &1.into()).unwrap_err();
    /// assert_eq!((error.key(), error.hint()), ("output_token", Some("did you mean output_tokens?")));
    /// # Ok::<(), ptc_history::policy::PolicyError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &Value) -> Result<(), PolicyError> {
        match option_row::find(OPTIONS, key) {
            Some(row) => (row.access.set)(self, row.name, value),
            None if ptc_history::policy::knows(key) => self.history.set(key, value),
            None => Err(unknown(key, &[keys(), ptc_history::policy::keys()].concat())),
        }
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        d.deserialize_map(PolicyVisitor)
    }
}

struct PolicyVisitor;

impl<'de> Visitor<'de> for PolicyVisitor {
    type Value = Policy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of history options")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Policy, A::Error> {
        let mut policy = Policy::default();
        while let Some(key) = map.next_key::<String>()? {
            map.next_value_seed(OptionOf { policy: &mut policy, key: &key })?;
        }
        policy.history.check().map_err(A::Error::custom)?;
        Ok(policy)
    }
}

/// The value of an option in a file, set where it is read, so that the error has its place.
struct OptionOf<'a> {
    policy: &'a mut Policy,
    key: &'a str,
}

impl<'de> DeserializeSeed<'de> for OptionOf<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<(), D::Error> {
        let value = Value::deserialize(d)?;
        // What a history policy without that option serializes to.
        if value.is_null() && ptc_history::policy::knows(self.key) {
            return Ok(());
        }
        self.policy.set(self.key, &value).map_err(D::Error::custom)
    }
}

fn error_retention(key: &'static str, v: &Value) -> Result<ErrorRetention, PolicyError> {
    either(key, v, [("always", ErrorRetention::Always), ("until_recovered", ErrorRetention::UntilRecovered)])
}

fn sample_syntax(key: &'static str, v: &Value) -> Result<SampleSyntax, PolicyError> {
    either(key, v, [("seed", SampleSyntax::Elixir), ("clojure", SampleSyntax::Clojure)])
}

fn layout(key: &'static str, v: &Value) -> Result<Layout, PolicyError> {
    either(key, v, [("assistant", Layout::Assistant), ("coalesced", Layout::Coalesced)])
}

/// One of two words.
fn either<T: Copy>(key: &'static str, v: &Value, words: [(&'static str, T); 2]) -> Result<T, PolicyError> {
    let [(first, _), (second, _)] = words;
    let expected = format!("{first:?} or {second:?}");
    let found = words.iter().find(|(w, _)| v.as_str() == Some(*w));
    found.map(|(_, t)| *t).ok_or_else(|| PolicyError::Value { key, expected, got: v.to_string(), hint: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_contract_and_come_back() {
        let p: Policy = toml::from_str("").unwrap();
        assert_eq!(p, Policy::default());
        let text = serde_json::to_string(&p).unwrap();
        assert_eq!(
            text,
            r#"{"compress_history":COMPRESS,"output_tokens":250,"output_turns":2,"error_context_turns":1,"error_retention":"until_recovered","sample_syntax":"seed","layout":"assistant","show_tool_calls":false}"#
                .replace("COMPRESS", &COMPRESS.to_string())
        );
        let entries = serde_json::to_string(&Policy::legacy_entry_count()).unwrap();
        assert_eq!(
            entries,
            r#"{"compress_history":true,"println_history_limit":15,"error_context_turns":1,"error_retention":"always","sample_syntax":"seed","layout":"assistant","show_tool_calls":false,"tool_calls_limit":20}"#
        );
        assert_eq!(serde_json::from_str::<Policy>(&entries).unwrap(), Policy::legacy_entry_count());
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), p);
        let chosen: Policy = toml::from_str("compress_history = true\nstrategy = \"auto\"\nmax_tokens = 9000").unwrap();
        let text = serde_json::to_string(&chosen).unwrap();
        assert!(text.ends_with(r#""strategy":"auto","max_tokens":9000}"#), "{text}");
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), chosen);
    }

    /// P-02, K-36.
    #[test]
    fn mistakes_are_named() {
        for (text, words) in [
            ("compres_history = true", "unknown history option compres_history; did you mean compress_history?"),
            ("zzz = 1", "options are compress_history, println_history_limit"),
            ("println_history_limit = -1", "println_history_limit must be a whole number from 0, got -1"),
            ("println_history_limit = 1.5", "println_history_limit must be a whole number from 0, got 1.5"),
            ("println_history_limit = \"5\"", "println_history_limit must be a whole number from 0, got \"5\""),
            ("strategy = \"all\"", "strategy must be one of \"none\""),
            ("max_tokns = 1", "did you mean max_tokens?"),
            ("when = \"over_budget\"", "needs max_tokens"),
            ("compress_history = 1", "compress_history must be true or false, got 1"),
            ("error_retention = \"never\"", "error_retention must be \"always\" or \"until_recovered\", got \"never\""),
            ("layout = \"user\"", "layout must be \"assistant\" or \"coalesced\", got \"user\""),
            ("show_tool_calls = 1", "show_tool_calls must be true or false, got 1"),
        ] {
            let error = toml::from_str::<Policy>(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        let p: Policy =
            toml::from_str("layout = \"assistant\"\nshow_tool_calls = false\nerror_retention = \"until_recovered\"")
                .unwrap();
        assert_eq!(p.error_retention, ErrorRetention::UntilRecovered);
    }
}
