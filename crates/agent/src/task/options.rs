//! Options from TOML: a task's `[task]`, `[limits]` and `[history]`, and files of limits or policies.

use crate::error::Error;
use crate::error_text;
use crate::files::read_hand_written;
use crate::model::provider;
use crate::option_row::{self, OptionRow};
use crate::run_budget::RunLimits;
use crate::task::inputs::read_limits::{DEFAULT_BYTES, DEFAULT_TIMEOUT};
use crate::toml_override::Overrides;
use crate::toml_section::{Document, Section};
use ptc_history::policy::PolicyError;
use ptc_lisp::limits::Limits;
use ptc_turns::session::config::{INPUT_TOKENS, MAX_TURNS};
use ptc_turns::{Card, Policy, policy};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Rows of limits: each field of [`Limits`] is a whole number from 0.
macro_rules! limit_rows {
    ($($name:ident: $doc:literal,)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: |limits: &Limits| limits.$name.to_string(),
            access: |limits: &mut Limits, s, key| {
                if let Some(n) = s.whole(key)? {
                    let too_large = |_| s.problem_at(key, format!("{key} is too large, got {n}"));
                    limits.$name = n.try_into().map_err(too_large)?;
                }
                Ok(())
            },
        }),*]
    };
}

/// Every limit, in the order of [`Limits`].
const LIMITS: &[OptionRow<Limits>] = limit_rows! {
    source_bytes: "length of a program",
    source_depth: "nesting of brackets in a program",
    call_depth: "calls of program functions inside each other",
    builtin_depth: "calls through map, sort-by and their kin inside each other",
    data_depth: "nesting of a value",
    fuel: "units of work in a turn",
    memory_bytes: "live bytes that a turn makes. Unless it is set, large inputs raise it: to four times what they take as values, at most half of the machine's memory",
    session_bytes: "bytes that a session holds after a turn, its record too. Unless it is set, large inputs raise it as `memory_bytes`",
    cpu_ms: "processor time of a turn; 0 is off",
    wall_ms: "elapsed time of a turn, tools included; 0 is off",
    output_bytes: "printed text of a turn",
    println_bytes: "printed text of one call as prompts show it",
    result_bytes: "text of a turn's value",
    tool_calls: "tool calls in a turn",
    definitions: "names defined in a session",
    integer_bits: "bits of an integer",
    ratio_bits: "bits of a ratio's parts",
    regex_bytes: "compiled size of a regex",
};

/// What stands for no limit of a whole run.
const NONE: &str = "none";

/// Rows of limits of the whole run: numbers above 0, none of which is there unless a task says so.
macro_rules! run_limit_rows {
    ($($name:ident: $reader:ident, $doc:literal;)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: |limits: &RunLimits| option_row::or_none(limits.$name),
            access: |limits: &mut RunLimits, s, key| {
                limits.$name = if is_none(s, key)? { None } else { $reader(s, key)? };
                Ok(())
            },
        }),*]
    };
}

fn count(s: &Section<'_>, key: &'static str) -> Result<Option<u64>, Error> {
    s.count(key)
}

/// Whether a limit is said to be none, over what a configuration says.
fn is_none(s: &Section<'_>, key: &str) -> Result<bool, Error> {
    Ok(s.data(key)?.is_some_and(|value| value == NONE))
}

/// A number above 0.
fn amount(s: &Section<'_>, key: &'static str) -> Result<Option<f64>, Error> {
    match s.number(key)? {
        Some(n) if !n.is_finite() || n <= 0.0 => {
            Err(s.problem_at(key, format!("{key} must be a number above 0, got {n}")))
        }
        n => Ok(n),
    }
}

/// The limits of a whole run, which stand in `[limits]` too.
pub(crate) const RUN_LIMITS: &[OptionRow<RunLimits>] = run_limit_rows! {
    max_tokens_total: count, "tokens of all requests and replies of the run, with those of tasks inside; not those of summaries that a model writes";
    max_cost: amount, "what all these tokens cost; needs `price` in `[model]`, here and in tasks inside that have a model of their own";
    max_seconds: amount, "seconds that the runs of the session take. A request or a call in flight is given up when they are over";
    max_tool_calls_total: count, "tool calls of the run, with those of tasks inside";
};

/// The limits of a task: those of each turn, and those of the whole run.
///
/// # Errors
/// With the line of the key that is wrong.
pub(crate) fn all_limits(s: &Section<'_>) -> Result<(Limits, RunLimits), Error> {
    s.only(&[option_row::keys(LIMITS), option_row::keys(RUN_LIMITS)].concat(), &[])?;
    Ok((option_row::read_beside(s, LIMITS)?, option_row::read_beside(s, RUN_LIMITS)?))
}

/// What a table says of the limits of a turn: those of the whole run in it are no fields of [`Limits`].
///
/// # Errors
/// When a value is none that data has.
pub(crate) fn limits_of_turns(s: &Section<'_>) -> Result<serde_json::Map<String, serde_json::Value>, Error> {
    let known = option_row::keys(LIMITS);
    Ok(s.all()?.into_iter().filter(|(key, _)| known.contains(&key.as_str())).collect())
}

/// The limits with their values: names, values and what each counts.
pub fn limit_list(limits: &Limits) -> Vec<(&'static str, String, &'static str)> {
    LIMITS.iter().map(|row| (row.name, (row.default)(limits), row.doc)).collect()
}

/// The tables of options that the documentation shows, by the names of their sections.
pub fn option_tables() -> Vec<(&'static str, String)> {
    vec![
        ("limits", option_row::markdown(LIMITS)),
        ("run limits", option_row::markdown(RUN_LIMITS)),
        ("task", option_row::markdown(TASK)),
        ("inputs", ptc_text::option_row::markdown(super::inputs::options::OPTIONS, &Default::default())),
        ("model", option_row::markdown(provider::settings::ROWS)),
        ("history", ptc_history::policy::options::markdown()),
        ("turns", policy::markdown()),
    ]
}

/// The key of a task's file that ends so, `limits.fuel` of `fuel`: a word that is none by itself. `None` where there is no
/// such option.
pub fn full_key(word: &str) -> Option<String> {
    let texts = ["name", "description", "prompt", "system", "card", "model", "expect", "answer"];
    let tables: [(&str, Vec<&str>); 4] = [
        ("task", texts.into_iter().chain(option_row::keys(TASK)).collect()),
        ("limits", [option_row::keys(LIMITS), option_row::keys(RUN_LIMITS)].concat()),
        ("history", [policy::keys(), ptc_history::policy::keys()].concat()),
        ("model", option_row::keys(provider::settings::ROWS)),
    ];
    let (table, _) = tables.iter().find(|(_, keys)| keys.contains(&word))?;
    Some(format!("{table}.{word}"))
}

/// Options of `[task]` that are numbers and flags.
#[derive(Clone, Debug)]
pub(crate) struct TaskOptions {
    pub max_turns: u64,
    pub allow_outside: bool,
    pub input_bytes: Option<u64>,
    pub input_timeout: Option<Duration>,
    pub input_tokens: u64,
    pub auto_summary_threshold: Option<u64>,
    pub honour_explicit_full: Option<bool>,
    pub warn_large_history: bool,
}

impl Default for TaskOptions {
    fn default() -> Self {
        TaskOptions {
            max_turns: MAX_TURNS,
            allow_outside: false,
            input_bytes: None,
            input_timeout: None,
            input_tokens: INPUT_TOKENS,
            auto_summary_threshold: None,
            honour_explicit_full: None,
            warn_large_history: false,
        }
    }
}

/// Rows whose values are what readers of [`Section`] give: `NAME: READER, DEFAULT, SET, DOC;`.
macro_rules! task_rows {
    ($($name:ident: $reader:ident, $default:expr, $set:expr, $doc:literal;)*) => {
        &[$(OptionRow {
            name: stringify!($name),
            of: "",
            doc: $doc,
            default: $default,
            access: |out: &mut TaskOptions, s, key| {
                let set: fn(&mut TaskOptions, _) = $set;
                if let Some(value) = s.$reader(key)? {
                    set(out, value);
                }
                Ok(())
            },
        }),*]
    };
}

/// The rows of `[task]`: numbers and flags.
pub(crate) const TASK: &[OptionRow<TaskOptions>] = task_rows! {
    max_turns: count, |o| o.max_turns.to_string(), |o, n| o.max_turns = n,
        "turns of the session; of a task with acts, of each program act that does not say";
    input_bytes: count, |o| o.input_bytes.unwrap_or(DEFAULT_BYTES).to_string(), |o, n| o.input_bytes = Some(n),
        "memory that one input takes while it is read: the file, and what is made of it. Counted before it is taken; what is over it is an error that says how to read less. As values JSON takes three to ten times the file's length";
    input_timeout_ms: count, |o| o.input_timeout.unwrap_or(DEFAULT_TIMEOUT).as_millis().to_string(), |o, ms| o.input_timeout = Some(Duration::from_millis(ms)),
        "time for reading a table of a database, whose views may never end. Ctrl-C ends it too";
    input_tokens: whole, |o| o.input_tokens.to_string(), |o, n| o.input_tokens = n,
        "tokens of the texts that stand whole below the prompt, all together, as `ptc_history::tokens::Seven` counts them; 0 for none";
    allow_outside: flag, |o| o.allow_outside.to_string(), |o, b| o.allow_outside = b,
        "files outside the task's folder may be read: by `..`, by an absolute path, by a link that leads out of it. It goes for inputs, databases, files of acts, recorded replies and answers, and `expect_schema`";
    auto_summary_threshold: whole, |o| o.auto_summary_threshold.unwrap_or(Policy::default().history.auto_summary_threshold).to_string(), |o, n| o.auto_summary_threshold = Some(n),
        "inputs of more bytes are summarised even without a word, with a warning; 0 turns it off";
    honour_explicit_full: flag, |o| o.honour_explicit_full.unwrap_or(Policy::default().history.honour_explicit_full).to_string(), |o, b| o.honour_explicit_full = Some(b),
        "an input that says `\"full\"` itself is left alone by the threshold";
    warn_large_history: flag, |o| o.warn_large_history.to_string(), |o, b| o.warn_large_history = b,
        "warns of inputs over 10 KB that are sent whole with every act";
};

/// Limits as a table gives them; those it does not name are the defaults.
///
/// # Errors
/// With the line of the key that is wrong.
pub fn limits(s: &Section<'_>) -> Result<Limits, Error> {
    option_row::read(s, LIMITS)
}

/// A policy as a table gives it: the options for summaries of turns, and those of the history under them.
///
/// # Errors
/// With the line of the key that is wrong.
pub fn history(s: &Section<'_>) -> Result<Policy, Error> {
    history_beside(s, &[])
}

/// The same of a table that has these keys too.
fn history_beside(s: &Section<'_>, beside: &[&str]) -> Result<Policy, Error> {
    let mut known = [policy::keys(), ptc_history::policy::keys()].concat();
    // Other names, about which the policy has its own word to say.
    known.extend(s.keys().into_iter().filter(|k| ptc_history::policy::knows(k)));
    s.only(&[&known, beside].concat(), &[])?;
    let mut policy = Policy::default();
    let mut whole = true;
    // Unknown ones were noted.
    for key in s.keys().into_iter().filter(|k| known.contains(k)) {
        let Some(value) = s.data(key)? else { continue };
        let set = policy.set(key, &value).map_err(|e| s.problem_at(key, e));
        whole &= s.noted(set)?.is_some();
    }
    // Options that stand together are judged together, unless one of them is to be corrected first.
    match policy.history.check() {
        Err(e) if whole => {
            let key = key_of(s, &e).to_owned();
            Err(s.problem_at(&key, e))
        }
        _ => Ok(policy),
    }
}

/// The key of a table that an error of its policy is about.
fn key_of<'e>(s: &Section<'_>, e: &'e PolicyError) -> &'e str {
    match e.key() {
        // It has two names.
        "min_preserved_assistant_messages" if s.has("min_preserved_pairs") => "min_preserved_pairs",
        key => key,
    }
}

/// The same for turns of programs: an option that would do nothing to them is refused.
///
/// # Errors
/// As [`history`], and with the line of such an option.
pub fn of_turns(s: &Section<'_>) -> Result<Policy, Error> {
    of_turns_beside(s, &[])
}

fn of_turns_beside(s: &Section<'_>, beside: &[&str]) -> Result<Policy, Error> {
    let policy = history_beside(s, beside)?;
    let h = &policy.history;
    let budget = h.max_tokens.is_some() || h.max_history_size.is_some();
    if h.strategy == ptc_history::policy::Strategy::Auto && !h.pin_task && !budget {
        let words = "pin_task = false does nothing under strategy = \"auto\" without a budget: the task stands before all turns and is sent; take it out";
        return Err(s.problem_at("pin_task", words));
    }
    Ok(policy)
}

/// A file whose top level is the keys of `[limits]`, as values for a task.
///
/// # Errors
/// When it cannot be read, or says something else.
pub fn limits_file(path: &Path) -> Result<Overrides, Error> {
    let text: Arc<str> = read_hand_written(path)?.into();
    let name = path.display().to_string();
    let document = Document::parse(&name, &text)?;
    all_limits(&document.root())?;
    let mut given = Overrides::default();
    for key in document.root().keys() {
        given.key_of(&text, key, &["limits", key], &ptc_lisp::escape::line(&name));
    }
    Ok(given)
}

/// A file whose top level is the keys of `[history]`.
///
/// # Errors
/// When it cannot be read, or says something else.
pub fn policy_file(path: &Path) -> Result<Policy, Error> {
    let text = read_hand_written(path)?;
    of_turns(&Document::parse(&path.display().to_string(), &text)?.root())
}

/// The same with a `card`, as `[task]` has it: what `ptc compare` puts in the place of a task's own.
///
/// # Errors
/// As [`policy_file`], and when there is no such card.
pub fn policy_and_card(path: &Path) -> Result<(Policy, Option<Card>), Error> {
    let text = read_hand_written(path)?;
    let file = path.display().to_string();
    let document = Document::parse(&file, &text)?;
    let root = document.root();
    Ok((of_turns_beside(&root, &["card"])?, card(&root)?))
}

/// The card of the language that a table asks for.
///
/// # Errors
/// With its line, when there is no such card.
pub fn card(s: &Section<'_>) -> Result<Option<Card>, Error> {
    let Some(name) = s.text("card")? else { return Ok(None) };
    let words = || {
        let got = ptc_lisp::escape::quoted(name);
        format!("card must be \"short\" or \"long\", got {got}")
    };
    Card::named(name).map(Some).ok_or_else(|| s.problem_at("card", words()))
}

/// The same for conversations that are no turns of programs: options about turns would change nothing there.
///
/// # Errors
/// As [`policy_file`], and with the line of an option about turns.
pub fn history_file(path: &Path) -> Result<ptc_history::Policy, Error> {
    let text = read_hand_written(path)?;
    let file = path.display().to_string();
    let document = Document::parse(&file, &text)?;
    let root = document.root();
    if let Some(key) = root.keys().into_iter().find(|k| policy::keys().contains(k)) {
        let words = error_text!("{key} is about turns of programs, and does nothing to messages"; "take it out here, `ptc messages TRACE --policy` knows it");
        return Err(root.problem_at(key, words));
    }
    Ok(history(&root)?.history)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Task;

    fn read(text: &str) -> String {
        let doc = match Document::parse("l.toml", text) {
            Ok(d) => d,
            Err(e) => return e.to_string(),
        };
        limits(&doc.root()).map_or_else(|e| e.to_string(), |l| format!("{} {}", l.fuel, l.call_depth))
    }

    #[test]
    fn limits_are_named_with_their_line() {
        for (text, expected) in [
            ("", "100000000 10000"),
            ("fuel = 5_000", "5000 10000"),
            ("# all\nfule = 5", "l.toml:2: unknown key fule in the file; did you mean fuel?"),
            ("fuel = -5", "l.toml:1: fuel must be a whole number from 0, got -5"),
            ("call_depth = 5_000_000_000", "l.toml:1: call_depth is too large, got 5000000000"),
            ("fuel = 1e9", "l.toml:1: fuel must be a whole number from 0, got a number with a point or an exponent"),
            ("call_depth = 7\nfuel = \"x\"", "l.toml:2: fuel must be a whole number from 0, got text"),
            ("fuel = 5\nfuel = 6", "l.toml:2: duplicate key fuel; correct the TOML"),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }

    #[test]
    fn the_list_names_every_limit_and_no_other() {
        let data = serde_json::to_value(Limits::default()).unwrap();
        let names: Vec<&str> = data.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, option_row::keys(LIMITS));
        assert!(limit_list(&Limits::default()).contains(&("fuel", "100000000".to_owned(), "units of work in a turn")));
    }

    /// Writing the default of an option is as not writing it, and another value is not.
    #[test]
    fn defaults_are_the_values_that_are_used() {
        let used = |section: &str, line: &str| {
            let text = match section {
                "task" => format!("[task]\nprompt = \"p\"\n{line}\n"),
                other => format!("[task]\nprompt = \"p\"\n[{other}]\n{line}\n"),
            };
            let t = Task::parse(Path::new("shop"), "task.toml", &text).unwrap_or_else(|e| panic!("{text}: {e}"));
            let reading = t.reading(&crate::Cancel::default());
            let (m, s) = (&t.asked, &t.asked.settings);
            format!(
                "{:?}",
                (
                    (
                        t.max_turns,
                        t.allow_outside,
                        t.input_tokens,
                        t.warn_large_history,
                        reading.bytes,
                        reading.timeout
                    ),
                    (&t.policy, &t.limits, &t.run_limits, t.config().unwrap().header()),
                    (s.max_tokens, s.temperature, s.caches(), &s.extra, m.most_answer_bytes(), &m.retry, &m.price),
                )
            )
        };
        fn lines<T: Default, A>(rows: &[ptc_text::option_row::OptionRow<T, A>]) -> Vec<(&'static str, String)> {
            rows.iter().map(|r| (r.name, (r.default)(&T::default()))).collect()
        }
        let sections = [
            ("task", lines(TASK)),
            ("limits", lines(LIMITS)),
            ("limits", lines(RUN_LIMITS)),
            ("model", lines(provider::settings::ROWS)),
            ("history", lines(policy::OPTIONS)),
            ("history", lines(ptc_history::policy::options::OPTIONS)),
        ];
        let mut absent = Vec::new();
        for (section, rows) in sections {
            let none = used(section, "");
            for (name, default) in rows {
                let default = default.trim_matches('`').replace("\":", "\"=");
                if matches!(default.as_str(), "-" | "not set") {
                    absent.push(name);
                    // One that limits nothing by default does something when it is set.
                    if option_row::keys(RUN_LIMITS).contains(&name) {
                        assert_ne!(used(section, &format!("{name} = 7")), none, "{section}: {name}");
                        assert_eq!(full_key(name), Some(format!("limits.{name}")));
                    }
                    continue;
                }
                assert_eq!(used(section, &format!("{name} = {default}")), none, "{section}: {name} = {default}");
                let other = match (name, default.parse::<f64>()) {
                    ("strategy", _) => "\"batch\"".to_owned(),
                    ("summary_role", _) => "\"user\"".to_owned(),
                    ("batch_turns" | "shrink_after", _) => "3".to_owned(),
                    ("prices", _) => "{ input = 2 }".to_owned(),
                    ("retention_summary", _) => "\"smart\"".to_owned(),
                    ("error_retention", _) => "\"always\"".to_owned(),
                    ("sample_syntax", _) => "\"clojure\"".to_owned(),
                    ("layout", _) => "\"coalesced\"".to_owned(),
                    (_, Ok(n)) => (n + 1.0).to_string(),
                    _ if default == "true" => "false".to_owned(),
                    _ => "true".to_owned(),
                };
                assert_ne!(used(section, &format!("{name} = {other}")), none, "{section}: {name} = {other}");
            }
        }
        let unset = "max_tokens_total max_cost max_seconds max_tool_calls_total max_tokens temperature extra price println_history_limit tool_calls_limit when from_timestamp \
                     max_age_ms max_tokens max_history_size";
        assert_eq!(absent.join(" "), unset);
    }

    #[test]
    fn an_option_that_does_nothing_to_turns_is_refused() {
        let read = |text: &str| {
            let doc = Document::parse("p.toml", text).unwrap();
            (of_turns(&doc.root()).map(drop).map_err(|e| e.to_string()), history(&doc.root()).is_ok())
        };
        let (refused, messages) = read("strategy = \"auto\"\npin_task = false");
        assert!(messages && refused.unwrap_err().starts_with("p.toml:2: pin_task = false does nothing under strategy"));
        for text in
            ["strategy = \"auto\"\npin_task = false\nmax_history_size = 9", "strategy = \"batch\"\npin_task = false"]
        {
            assert_eq!(read(text), (Ok(()), true), "{text}");
        }
    }

    /// The hint is its own field, and what the file says is not parted.
    #[test]
    fn errors_of_policies_come_apart() {
        let read = |text: &str| {
            let doc = Document::parse("p.toml", text).unwrap();
            let e = history(&doc.root()).unwrap_err();
            (e.place().unwrap().to_owned(), e.message().to_owned(), e.hint().map(str::to_owned))
        };
        let (place, message, hint) = read("\nstrategy = \"a; b\"");
        assert_eq!(place, "p.toml:2");
        assert!(message.ends_with(", got \"a; b\"") && hint.is_none(), "{message} / {hint:?}");
        let (_, message, hint) = read("strategy = \"slidng_window\"");
        assert!(message.ends_with(", got \"slidng_window\""), "{message}");
        assert_eq!(hint.as_deref(), Some("did you mean \"sliding_window\"?"));
        let e = Document::parse("p.toml", "\nfuel = 5\n\"a; b\" = 1\n\"a; b\" = 2").err().unwrap();
        assert_eq!((e.place(), e.message()), (Some("p.toml:4"), "duplicate key \"a; b\""));
    }

    #[test]
    fn policies_keep_their_own_words() {
        let doc = Document::parse("p.toml", "compress_history = true\nprintln_history_limit = -1").unwrap();
        assert_eq!(
            history(&doc.root()).unwrap_err().to_string(),
            "p.toml:2: println_history_limit must be a whole number from 0, got -1"
        );
        let doc = Document::parse("p.toml", "compres_history = true").unwrap();
        assert_eq!(
            history(&doc.root()).unwrap_err().to_string(),
            "p.toml:1: unknown key compres_history in the file; did you mean compress_history?"
        );
        let read = |text: &str| {
            let doc = Document::parse("p.toml", text).unwrap();
            history(&doc.root()).map_err(|e| e.to_string())
        };
        // Options that stand together are judged together.
        let policy =
            read("when = \"over_budget\"\nstrategy = \"auto\"\nmax_tokens = 900\nmin_preserved_pairs = 2").unwrap();
        assert_eq!((policy.history.max_tokens, policy.history.min_preserved_assistant_messages), (Some(900), 2));
        assert_eq!(policy.compress_history, Policy::default().compress_history);
        for (text, words) in [
            ("# why\nstratgy = \"auto\"", "p.toml:2: unknown key stratgy in the file; did you mean strategy?"),
            ("strategy = \"auto\"\nwhen = \"over_budget\"", "p.toml:2: when = \"over_budget\" needs max_tokens"),
            ("strategy = \"sticky_summary\"\nlast_messages = 50", "p.toml:2: sticky_messages (40) must be more than"),
            ("strategy = \"sticky_summary\"\nsticky_messages = 5", "p.toml:2: sticky_messages (5) must be more than"),
            ("\nmin_preserved_pairs = 0", "p.toml:2: min_preserved_assistant_messages must be a whole number from 1"),
            // One that is wrong itself says nothing of those that need it.
            ("when = \"over_budget\"\nmax_tokens = \"x\"", "p.toml:2: max_tokens must be a whole number from 0"),
            ("pin_task = true\nstrategy = \"all\"", "p.toml:2: strategy must be one of \"none\""),
            (
                "history_retention = \"drop\"",
                "p.toml:1: unknown history option history_retention; history_retention stands with each input",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(words), "{text}: {error}");
        }
    }
}
