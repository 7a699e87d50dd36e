//! How history is shown: the options of a task's `[history]`, each with its default.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
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

// One flat table, as in files. Of the strategy's many options only those that differ from the default.
impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let mut map = s.serialize_map(None)?;
        map.serialize_entry("compress_history", &self.compress_history)?;
        // An option that another one disables is not written.
        match self.println_history_limit {
            Some(limit) => map.serialize_entry("println_history_limit", &limit)?,
            None => {
                map.serialize_entry("output_tokens", &self.output_tokens)?;
                map.serialize_entry("output_turns", &self.output_turns)?;
            }
        }
        map.serialize_entry("error_context_turns", &self.error_context_turns)?;
        map.serialize_entry("error_retention", &self.error_retention)?;
        map.serialize_entry("sample_syntax", &self.sample_syntax)?;
        map.serialize_entry("layout", &self.layout)?;
        map.serialize_entry("show_tool_calls", &self.show_tool_calls)?;
        if let Some(limit) = self.tool_calls_limit {
            map.serialize_entry("tool_calls_limit", &limit)?;
        }
        if self.notes {
            map.serialize_entry("notes", &true)?;
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

/// The option names. Policies and task files refuse a key that is neither here nor in [`ptc_history::policy::KEYS`], and
/// name the nearest one.
pub const KEYS: [&str; 11] = [
    "compress_history",
    "println_history_limit",
    "output_tokens",
    "output_turns",
    "error_context_turns",
    "error_retention",
    "sample_syntax",
    "layout",
    "show_tool_calls",
    "tool_calls_limit",
    "notes",
];

// Written by hand, so that each error names its key and what to write, from TOML and JSON alike.
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
        let mut p = Policy::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "compress_history" => p.compress_history = map.next_value_seed(Flag("compress_history"))?,
                "println_history_limit" => {
                    p.println_history_limit = Some(map.next_value_seed(Count("println_history_limit"))?)
                }
                "output_tokens" => p.output_tokens = map.next_value_seed(Count("output_tokens"))?,
                "output_turns" => p.output_turns = map.next_value_seed(Count("output_turns"))?,
                "error_context_turns" => p.error_context_turns = map.next_value_seed(Count("error_context_turns"))?,
                "tool_calls_limit" => p.tool_calls_limit = Some(map.next_value_seed(Count("tool_calls_limit"))?),
                "error_retention" => {
                    p.error_retention = match map.next_value_seed(Word("error_retention"))?.as_str() {
                        "always" => ErrorRetention::Always,
                        "until_recovered" => ErrorRetention::UntilRecovered,
                        other => {
                            return Err(A::Error::custom(no_such(
                                "error_retention",
                                other,
                                &["always", "until_recovered"],
                            )));
                        }
                    }
                }
                "sample_syntax" => {
                    p.sample_syntax = match map.next_value_seed(Word("sample_syntax"))?.as_str() {
                        "seed" => SampleSyntax::Elixir,
                        "clojure" => SampleSyntax::Clojure,
                        other => return Err(A::Error::custom(no_such("sample_syntax", other, &["seed", "clojure"]))),
                    }
                }
                "layout" => {
                    p.layout = match map.next_value_seed(Word("layout"))?.as_str() {
                        "assistant" => Layout::Assistant,
                        "coalesced" => Layout::Coalesced,
                        other => return Err(A::Error::custom(no_such("layout", other, &["assistant", "coalesced"]))),
                    }
                }
                "show_tool_calls" => p.show_tool_calls = map.next_value_seed(Flag("show_tool_calls"))?,
                "notes" => p.notes = map.next_value_seed(Flag("notes"))?,
                _ => {
                    let value = map.next_value::<serde_json::Value>()?;
                    if !ptc_history::policy::knows(&key) {
                        return Err(A::Error::custom(unknown(&key)));
                    }
                    // What a policy without that option serializes to.
                    if !value.is_null() {
                        p.history.set(&key, &value).map_err(A::Error::custom)?;
                    }
                }
            }
        }
        p.history.check().map_err(A::Error::custom)?;
        Ok(p)
    }
}

fn unknown(key: &str) -> String {
    let all = || KEYS.iter().chain(ptc_history::policy::KEYS);
    match ptc_lisp::suggest::did_you_mean(key, all().copied()) {
        Some(near) => format!("unknown history option {key}; did you mean {near}?"),
        None => {
            let list: Vec<&str> = all().copied().collect();
            format!("unknown history option {key}; options are {}", list.join(", "))
        }
    }
}

fn no_such(key: &str, got: &str, words: &[&str]) -> String {
    let list: Vec<String> = words.iter().map(|w| format!("{w:?}")).collect();
    format!("{key} must be {}, got {got:?}", list.join(" or "))
}

macro_rules! option_value {
    ($name:ident, $value:ty, $words:literal, $($visit:tt)*) => {
        struct $name(&'static str);
        impl<'de> serde::de::DeserializeSeed<'de> for $name {
            type Value = $value;
            fn deserialize<D: Deserializer<'de>>(self, d: D) -> Result<$value, D::Error> {
                d.deserialize_any(self)
            }
        }
        impl<'de> Visitor<'de> for $name {
            type Value = $value;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($words, " for {}"), self.0)
            }
            $($visit)*
        }
    };
}

option_value! {Flag, bool, "true or false",
    fn visit_bool<E>(self, v: bool) -> Result<bool, E> {
        Ok(v)
    }
}

option_value! {Count, u64, "a whole number from 0",
    fn visit_u64<E>(self, v: u64) -> Result<u64, E> {
        Ok(v)
    }
    fn visit_i64<E: serde::de::Error>(self, v: i64) -> Result<u64, E> {
        u64::try_from(v).map_err(|_| E::custom(format!("{} must be a whole number from 0, got {v}", self.0)))
    }
    fn visit_f64<E: serde::de::Error>(self, v: f64) -> Result<u64, E> {
        Err(E::custom(format!("{} must be a whole number from 0, got {v:?}", self.0)))
    }
}

option_value! {Word, String, "text",
    fn visit_str<E>(self, v: &str) -> Result<String, E> {
        Ok(v.to_owned())
    }
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
            ("println_history_limit = \"5\"", "a whole number from 0 for println_history_limit"),
            ("strategy = \"all\"", "strategy must be one of \"none\""),
            ("max_tokns = 1", "did you mean max_tokens?"),
            ("when = \"over_budget\"", "needs max_tokens"),
            ("compress_history = 1", "true or false for compress_history"),
            ("error_retention = \"never\"", "error_retention must be \"always\" or \"until_recovered\", got \"never\""),
            ("layout = \"user\"", "layout must be \"assistant\" or \"coalesced\", got \"user\""),
            ("show_tool_calls = 1", "true or false for show_tool_calls"),
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
