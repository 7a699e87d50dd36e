//! What a user has set for all tasks: a model, where keys are, defaults of history and limits.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use crate::files::read_hand_written;
use crate::model::provider::{Environment, ModelName, Provider};
use crate::process_group::ends_as_key;
use crate::task::options;
use crate::toml_override::Overrides;
use crate::toml_section::{Document, Section};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file with what a user has set for all tasks. A task, and arguments, have precedence over it.
///
/// ```
/// use ptc_agent::UserConfig;
/// use std::path::Path;
///
/// let text = "model = \"ollama/qwen3\"\n[limits]\nfuel = 5_000_000\n";
/// let config = UserConfig::parse(Path::new("config.toml"), text)?;
/// assert_eq!(config.model(), Some("ollama/qwen3"));
/// assert_eq!(config.set().collect::<Vec<_>>(), [("model".to_owned(), "ollama/qwen3".to_owned()), ("limits.fuel".to_owned(), "5000000".to_owned())]);
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct UserConfig {
    path: Option<PathBuf>,
    text: Arc<str>,
    model: Option<String>,
    /// The variables that hold keys, in the place of the providers' own.
    keys: Vec<(Provider, String)>,
    set: Vec<(String, String)>,
}

/// The tables of a configuration that are defaults of tasks, the table of a task that each is for, and whether a task that has
/// that table keeps to it alone.
const TABLES: [(&str, &str, bool); 3] =
    [("history", "history", true), ("limits", "limits", false), ("narrative", "task", false)];

impl UserConfig {
    /// Reads the file; one that is not there is an empty configuration.
    ///
    /// # Errors
    /// When it cannot be read, or says what it may not; with file and line.
    pub fn load(path: &Path) -> Result<Self, Error> {
        match path.try_exists() {
            Ok(false) => Ok(UserConfig { path: Some(path.to_owned()), ..UserConfig::default() }),
            _ => Self::parse(path, &read_hand_written(path)?),
        }
    }

    /// Reads its text; `path` stands in errors.
    ///
    /// # Errors
    /// When it says what it may not.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let document = Document::parse(&path.display().to_string(), text)?;
        let root = document.root();
        root.only(&["model", "max_turns", "keys", "history", "limits", "narrative"], &[])?;
        let model = root.name("model")?.map(str::to_owned);
        if let Some(name) = &model {
            name.parse::<ModelName>().map(drop).map_err(|e| root.problem_at("model", e))?;
        }
        root.count("max_turns")?;
        let keys = root.section("keys")?.map(|s| keys(&s)).transpose()?.unwrap_or_default();
        if let Some(s) = root.section("history")? {
            options::of_turns(&s)?;
        }
        if let Some(s) = root.section("limits")? {
            options::all_limits(&s)?;
        }
        if let Some(s) = root.section("narrative")? {
            s.only(&["auto_summary_threshold", "warn_large_history"], &[])?;
            s.whole("auto_summary_threshold")?;
            s.flag("warn_large_history")?;
        }
        let mut set = Vec::new();
        for key in root.keys() {
            let word = |v: serde_json::Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
            if root.is_table(key) {
                let table = root.section(key)?.map(|s| s.all()).transpose()?.unwrap_or_default();
                set.extend(table.into_iter().map(|(k, v)| (format!("{key}.{k}"), word(v))));
            } else if let Some(v) = root.data(key)? {
                set.push((key.to_owned(), word(v)));
            }
        }
        Ok(UserConfig { path: Some(path.to_owned()), text: text.into(), model, keys, set })
    }

    /// Where it stands; `None` of one that is in no file.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The model of tasks that name none.
    pub fn model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    /// The variables that hold keys, in the place of the providers' own.
    pub fn keys(&self) -> impl Iterator<Item = (Provider, &str)> {
        self.keys.iter().map(|(p, v)| (*p, v.as_str()))
    }

    /// What it sets, in its order: keys as in `limits.fuel`, and values.
    pub fn set(&self) -> impl Iterator<Item = (String, String)> {
        self.set.iter().cloned()
    }

    /// The environment with each key where its provider looks for it. Where the variable that is named here is not set, the
    /// provider has no key: another one than was asked for is not used.
    pub fn environment(&self, of: Environment) -> Environment {
        self.keys.iter().fold(of, |env, (provider, variable)| env.with_value_from(provider.key_variable(), variable))
    }

    /// What a task has where neither it nor an argument says otherwise: each limit by itself, `[history]` as a whole.
    pub fn defaults(&self) -> Overrides {
        let mut out = Overrides::default();
        let Some(path) = &self.path else { return out };
        let label = ptc_lisp::escape::line(&path.display().to_string()).to_string();
        let has = |key: &str| self.set.iter().any(|(k, _)| k.split('.').next() == Some(key));
        if has("max_turns") {
            out.defaults(&self.text, "max_turns", &["task", "max_turns"], true, &label);
        }
        for (table, of_task, whole) in TABLES.into_iter().filter(|(t, ..)| has(t)) {
            out.defaults(&self.text, table, &[of_task], whole, &label);
        }
        out
    }
}

/// `[keys]`: names of variables by provider, never keys.
fn keys(s: &Section<'_>) -> Result<Vec<(Provider, String)>, Error> {
    // Two providers with one key have one name here.
    let all = Provider::ALL.into_iter().filter(|p| *p != Provider::OpenAiResponses);
    let names: Vec<&str> = all.clone().map(Provider::name).collect();
    s.only(&names, &[])?;
    let mut out = Vec::new();
    for provider in all {
        let key = provider.name();
        let Some(variable) = s.text(key)? else { continue };
        let name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let first = variable.chars().next().is_some_and(|c| !c.is_ascii_digit());
        // What was written may be the key itself: it is not repeated.
        let example = provider.key_variable();
        if !(first && variable.len() <= 100 && variable.chars().all(name)) {
            let words = error_text!("keys.{key} must be the name of a variable of the environment, in capital letters"; "write {key} = \"{example}\" and put the key into that variable; no key belongs into this file");
            return Err(s.problem_at(key, words));
        }
        if !ends_as_key(variable) {
            let words = error_text!("keys.{key}: commands of tasks would get {variable}, whose name does not end as that of a key does"; "let it end in _API_KEY or _AUTH_TOKEN, as {example}");
            return Err(s.problem_at(key, words));
        }
        out.push((provider, variable.to_owned()));
    }
    Ok(out)
}

/// That a configuration was named which is not there.
pub fn missing(path: &Path) -> Error {
    let words = error_text!("there is no such configuration"; "check PTC_CONFIG, or write one with `ptc config init`");
    Error::new(ErrorKind::Setting, words).at(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    fn read(text: &str) -> Result<UserConfig, String> {
        UserConfig::parse(Path::new("c.toml"), text).map_err(|e| e.to_string())
    }

    #[test]
    fn what_it_may_not_say_is_named_with_its_line() {
        for (text, words) in [
            ("# mine\nmodle = \"x\"", "c.toml:2: unknown key modle in the file; did you mean model?"),
            (
                "model = \"gpt-5.1\"",
                "c.toml:1: gpt-5.1: no such model: a model is PROVIDER/NAME, as openai/gpt-5.1 or ollama/qwen3",
            ),
            ("[limits]\nfule = 5", "c.toml:2: unknown key fule in [limits]; did you mean fuel?"),
            ("[limits]\nmax_cost = 0", "c.toml:2: max_cost must be a number above 0, got 0"),
            ("[history]\nstrategy = \"atuo\"", "c.toml:2: strategy must be one of"),
            ("max_turns = 0", "c.toml:1: max_turns must be a whole number from 1, got 0"),
            ("[keys]\nopnai = \"OPENAI_API_KEY\"", "c.toml:2: unknown key opnai in [keys]; did you mean openai?"),
            ("[keys]\nopenai = 5", "c.toml:2: openai must be text in quotes, got a number"),
            ("[narrative]\nmodel = \"x\"", "c.toml:2: unknown key model in [narrative]"),
            ("[narrative]\nwarn_large_history = 1", "c.toml:2: warn_large_history must be true or false, got a number"),
            ("[keys", "c.toml:1: "),
            (
                "[keys]\ngemini = \"WORK\"",
                "c.toml:2: keys.gemini: commands of tasks would get WORK, whose name does not end as that of a key does; let it end in _API_KEY or _AUTH_TOKEN, as GEMINI_API_KEY",
            ),
        ] {
            let got = read(text).unwrap_err();
            assert!(got.starts_with(words), "{got}");
        }
        // A key is refused and not repeated.
        for key in ["sk-ant-SECRET", "AIzaSySECRET", "", "7SECRET_API_KEY"] {
            let got = read(&format!("[keys]\nanthropic = \"{key}\"")).unwrap_err();
            let words = "c.toml:2: keys.anthropic must be the name of a variable of the environment, in capital letters; write anthropic = \"ANTHROPIC_API_KEY\" and put the key into that variable; no key belongs into this file";
            assert_eq!(got, words);
        }
    }

    #[test]
    fn a_narrative_has_defaults_that_tasks_go_before() {
        let config = read("[narrative]\nauto_summary_threshold = 700\nwarn_large_history = true").unwrap();
        let read = |task: &str| {
            let text = format!("{task}prompt = \"p\"\nmodel = \"replay:r.md\"\n");
            let folder = std::env::temp_dir().join(format!("ptc-narrative-{}-{}", std::process::id(), text.len()));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("task.toml"), text).unwrap();
            let task = Task::load_with(&folder, &config.defaults()).unwrap();
            std::fs::remove_dir_all(folder).unwrap();
            (task.policy.history.auto_summary_threshold, task.warn_large_history)
        };
        assert_eq!(read("[task]\n"), (700, true));
        assert_eq!(read("[narrative]\n"), (700, true));
        assert_eq!(read("[task]\nauto_summary_threshold = 900\nwarn_large_history = false\n"), (900, false));
        assert_eq!(read("[history]\nauto_summary_threshold = 800\n[task]\n"), (800, true));
    }

    #[test]
    fn keys_are_taken_from_the_variables_it_names_and_from_no_other() {
        let config = read("[keys]\nopenai = \"WORK_OPENAI_API_KEY\"\n").unwrap();
        let env = Environment::default().with("OPENAI_API_KEY", "own").with("WORK_OPENAI_API_KEY", "work");
        assert_eq!(config.environment(env).get("OPENAI_API_KEY"), Some("work"));
        let env = Environment::default().with("OPENAI_API_KEY", "own");
        assert_eq!(config.environment(env).get("OPENAI_API_KEY"), None);
    }

    #[test]
    fn a_task_has_precedence() {
        let config =
            read("max_turns = 3\n[history]\ncompress_history = false\n[limits]\nfuel = 7\nwall_ms = 8\n").unwrap();
        let task = |text: &str| {
            let folder = std::env::temp_dir().join(format!("ptc-config-{}-{}", std::process::id(), text.len()));
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("task.toml"), text).unwrap();
            let task = Task::load_with(&folder, &config.defaults()).unwrap();
            std::fs::remove_dir_all(&folder).unwrap();
            (task.max_turns, task.policy.compress_history, task.limits.fuel, task.limits.wall_ms)
        };
        assert_eq!(task("[task]\nprompt = \"p\"\n"), (3, false, 7, 8));
        assert_eq!(
            task("[task]\nprompt = \"p\"\nmax_turns = 5\n[history]\nlayout = \"coalesced\"\n[limits]\nfuel = 9\n"),
            (5, true, 9, 8)
        );
    }

    /// Limits of the whole run too, each by itself.
    #[test]
    fn limits_of_runs_are_defaults_as_well() {
        let config = read("[limits]\nmax_tool_calls_total = 5\nmax_seconds = 60\nfuel = 7\n").unwrap();
        let task = "[task]\nprompt = \"p\"\n[limits]\nmax_seconds = 9\n";
        let folder = std::env::temp_dir().join(format!("ptc-config-runs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("task.toml"), task).unwrap();
        let task = Task::load_with(&folder, &config.defaults()).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let limits = task.run_limits;
        assert_eq!((limits.max_tool_calls_total, limits.max_seconds, task.limits.fuel), (Some(5), Some(9.0), 7));
        // One that the configuration has can be taken out.
        let mut over = config.defaults();
        over.set("limits.max_tool_calls_total=none").unwrap();
        over.text(&["task", "prompt"], "p", "a test");
        let limits = Task::of_values(&over).unwrap().run_limits;
        assert_eq!((limits.max_tool_calls_total, limits.max_seconds), (None, Some(60.0)));
    }

    #[test]
    fn one_that_is_not_there_says_nothing() {
        let config = UserConfig::load(Path::new("/no/such/config.toml")).unwrap();
        assert_eq!((config.model(), config.set().count()), (None, 0));
    }
}
