//! Values given from outside for keys of a TOML file, each with the name of who gave it.

use crate::error::{Error, ErrorKind};
use crate::error_text;
use std::borrow::Cow;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Values for keys of a task's file, in the place of what it says or where it says nothing. What is wrong with one of them
/// is reported as the file's own mistakes are, with the argument in the place of file and line.
///
/// ```
/// use ptc_agent::task::Overrides;
///
/// let mut given = Overrides::default();
/// given.set("limits.fuel=5000")?;
/// given.set("task.name=weekly report")?; // no TOML: a text
/// assert!(given.set("limits..fuel=1").unwrap_err().message().starts_with("limits..fuel is no key"));
/// # Ok::<(), ptc_agent::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Overrides(Vec<Override>);

#[derive(Clone, Debug)]
struct Override {
    path: Vec<String>,
    value: Given,
    /// Who gave it, as errors name it.
    label: String,
    /// Only where the file has nothing.
    default: bool,
    /// A table is given as one, instead of each of its keys by itself.
    whole: bool,
}

/// What is given: read as TOML when it is put into a file, whose text it then stands beside.
#[derive(Clone, Debug)]
enum Given {
    Toml(String),
    Text(String),
    Texts(Vec<String>),
    /// What a TOML file has under a key.
    Key {
        file: Arc<str>,
        key: String,
    },
}

impl Given {
    fn value(&self) -> Result<DeValue<'_>, Error> {
        let broken = |e: toml::de::Error| Error::new(ErrorKind::Task, e.message().to_owned());
        Ok(match self {
            Given::Toml(text) => DeValue::parse(text).map_err(broken)?.into_inner(),
            Given::Text(text) => DeValue::String(Cow::Borrowed(text)),
            Given::Texts(texts) => {
                let mut list = DeArray::new();
                texts.iter().for_each(|t| list.push(Spanned::new(0..0, DeValue::String(Cow::Borrowed(t)))));
                DeValue::Array(list)
            }
            Given::Key { file, key } => {
                let mut root = DeTable::parse(file).map_err(broken)?.into_inner();
                root.remove(key.as_str()).map_or_else(|| DeValue::Table(DeTable::new()), Spanned::into_inner)
            }
        })
    }
}

impl Overrides {
    /// Adds `KEY=VALUE`: KEY as in `limits.fuel`, VALUE as TOML; what is no TOML is a text, unless it begins as a text in
    /// quotes, a list or a table does.
    ///
    /// # Errors
    /// When there is no `=`, KEY is no key, or VALUE begins like TOML and is none.
    pub fn set(&mut self, text: &str) -> Result<(), Error> {
        let wrong = |t| Error::new(ErrorKind::Usage, t).at("--set");
        let Some((key, value)) = text.split_once('=') else {
            let got = ptc_lisp::escape::quoted(text);
            return Err(wrong(error_text!("{got} sets nothing"; "write KEY=VALUE, as limits.fuel=1000000")));
        };
        let (key, value) = (key.trim(), value.trim());
        let Some(path) = path(key) else {
            let got = ptc_lisp::escape::line(key);
            return Err(wrong(error_text!("{got} is no key"; "write KEY=VALUE, as limits.fuel=1000000")));
        };
        let value = match DeValue::parse(value) {
            Ok(_) => Given::Toml(value.to_owned()),
            Err(e) if value.starts_with(['"', '\'', '[', '{']) => {
                let words = e.message().lines().collect::<Vec<_>>().join(", ");
                return Err(wrong(error_text!("{key}: {words}"; "correct the TOML, or put the text into quotes")));
            }
            Err(_) => Given::Text(value.to_owned()),
        };
        let label = format!("--set {}", ptc_lisp::escape::line(key));
        self.0.push(Override { path, value, label, default: false, whole: true });
        Ok(())
    }

    /// Adds what the TOML in `file` has under `key` for the key at this path.
    pub(crate) fn key_of(&mut self, file: &Arc<str>, key: &str, path: &[&str], label: &str) {
        self.add(path, Given::Key { file: file.clone(), key: key.to_owned() }, label, false);
    }

    /// The keys that are given, as in `limits.fuel`.
    pub fn keys(&self) -> impl Iterator<Item = String> {
        self.0.iter().filter(|o| !o.default).map(|o| o.path.join("."))
    }

    /// Adds a text for the key at this path; `label` is who gives it, as errors name it.
    pub fn text(&mut self, path: &[&str], text: &str, label: &str) {
        self.add(path, Given::Text(text.to_owned()), label, false);
    }

    /// The same of a list of texts.
    pub fn texts(&mut self, path: &[&str], texts: &[String], label: &str) {
        self.add(path, Given::Texts(texts.to_vec()), label, false);
    }

    /// Adds what the TOML in `file` has under `key`, for what a task does not say at `path`: of a table each key that the
    /// task's table lacks; with `whole` all of it, and only for a task that has no such table.
    pub(crate) fn defaults(&mut self, file: &Arc<str>, key: &str, path: &[&str], whole: bool, label: &str) {
        let value = Given::Key { file: file.clone(), key: key.to_owned() };
        self.add(path, value, label, true);
        if let Some(last) = self.0.last_mut() {
            last.whole = whole;
        }
    }

    fn add(&mut self, path: &[&str], value: Given, label: &str, default: bool) {
        let path = path.iter().map(|p| (*p).to_owned()).collect();
        self.0.push(Override { path, value, label: label.to_owned(), default, whole: true });
    }

    /// The same with these behind its own: of two for one key the later one counts.
    pub fn extend(&mut self, others: Overrides) {
        self.0.extend(others.0);
    }

    /// Whether one of them is for the key at this path, or a key in it.
    pub fn has(&self, path: &[&str]) -> bool {
        self.0.iter().any(|o| !o.default && path.iter().zip(&o.path).all(|(a, b)| a == b) && o.path.len() >= path.len())
    }

    /// Whether one of them gives the key at this path, or a table that it stands in.
    pub(crate) fn gives(&self, path: &[&str]) -> bool {
        self.has(path) || self.0.iter().any(|o| !o.default && path.iter().zip(&o.path).all(|(a, b)| a == b))
    }

    /// Who gave each, in order.
    pub(crate) fn labels(&self) -> Vec<String> {
        self.0.iter().map(|o| o.label.clone()).collect()
    }

    /// Puts them into a table. The place of the one with number N is `base + N`.
    ///
    /// # Errors
    /// When one is for a key in something that is no table.
    pub(crate) fn apply<'t>(&'t self, root: &mut DeTable<'t>, base: usize) -> Result<(), Error> {
        for (i, o) in self.0.iter().enumerate() {
            let mut path: Vec<&str> = o.path.iter().map(String::as_str).collect();
            // Seed 003 calls a task a narrative.
            if let Some(first) = path.first_mut()
                && *first == "task"
                && !root.contains_key("task")
                && root.contains_key("narrative")
            {
                *first = "narrative";
            }
            let at = base.saturating_add(i);
            match o.value.value().map_err(|e| e.at(&o.label))? {
                DeValue::Table(table) if !o.whole => {
                    for (key, value) in table {
                        // What a task says of its history goes before a default of the same name for the task.
                        let history = root.get("history").and_then(|h| h.get_ref().as_table());
                        let of_task = matches!(path.as_slice(), ["task" | "narrative"]);
                        if o.default && of_task && history.is_some_and(|t| t.contains_key(key.get_ref().as_ref())) {
                            continue;
                        }
                        let path: Vec<&str> = path.iter().copied().chain([key.get_ref().as_ref()]).collect();
                        put(root, &path, value.into_inner(), o, at)?;
                    }
                }
                value => put(root, &path, value, o, at)?,
            }
        }
        Ok(())
    }
}

/// The parts of `limits.fuel`, or of `tools."a b".command`.
fn path(key: &str) -> Option<Vec<String>> {
    if key.chars().any(char::is_control) {
        return None;
    }
    let text = format!("{key} = 0");
    let root = DeTable::parse(&text).ok()?;
    let (mut table, mut path) = (root.get_ref(), Vec::new());
    loop {
        let (key, value) = table.iter().next()?;
        path.push(key.get_ref().to_string());
        match value.get_ref() {
            DeValue::Table(inside) => table = inside,
            DeValue::Integer(_) => return Some(path),
            _ => return None,
        }
    }
}

fn put<'t>(table: &mut DeTable<'t>, path: &[&str], value: DeValue<'t>, o: &Override, at: usize) -> Result<(), Error> {
    let [key, rest @ ..] = path else { return Ok(()) };
    let name = || Spanned::new(at..at, Cow::Owned((*key).to_owned()));
    let there = table.contains_key(*key);
    if rest.is_empty() {
        if !(there && o.default) {
            table.remove(*key);
            table.insert(name(), Spanned::new(at..at, placed(value, at)));
        }
        return Ok(());
    }
    if !there {
        table.insert(name(), Spanned::new(at..at, DeValue::Table(DeTable::new())));
    }
    match table.get_mut(*key).map(Spanned::get_mut) {
        Some(DeValue::Table(inside)) => put(inside, rest, value, o, at),
        // What stands there is reported where it is read.
        _ if o.default => Ok(()),
        _ => {
            let words = error_text!("{key} is no table with keys"; "set {key} as a whole, or change the file");
            Err(Error::new(ErrorKind::Task, words).at(&o.label))
        }
    }
}

/// A value all of whose parts are at this place.
fn placed(value: DeValue<'_>, at: usize) -> DeValue<'_> {
    match value {
        DeValue::Array(items) => {
            let mut list = DeArray::new();
            items.iter().for_each(|v| list.push(Spanned::new(at..at, placed(v.get_ref().clone(), at))));
            DeValue::Array(list)
        }
        DeValue::Table(table) => {
            let mut out = DeTable::new();
            for (key, v) in table {
                out.insert(Spanned::new(at..at, key.into_inner()), Spanned::new(at..at, placed(v.into_inner(), at)));
            }
            DeValue::Table(out)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(file: &str, given: &Overrides) -> Result<String, String> {
        let mut root = DeTable::parse(file).unwrap();
        given.apply(root.get_mut(), 1000).map_err(|e| e.to_string())?;
        fn words(v: &DeValue<'_>) -> String {
            match v {
                DeValue::Table(t) => {
                    let mut all: Vec<String> =
                        t.iter().map(|(k, v)| format!("{} {}", k.get_ref(), words(v.get_ref()))).collect();
                    all.sort();
                    format!("{{{}}}", all.join(", "))
                }
                DeValue::Array(a) => {
                    format!("[{}]", a.iter().map(|v| words(v.get_ref())).collect::<Vec<_>>().join(" "))
                }
                DeValue::String(s) => format!("{s:?}"),
                DeValue::Integer(i) => i.to_string(),
                DeValue::Boolean(b) => b.to_string(),
                other => format!("{other:?}"),
            }
        }
        let root = DeValue::Table(root.into_inner());
        Ok(words(&root))
    }

    #[test]
    fn values_are_toml_or_text() {
        for (set, expected) in [
            ("a.b=5", "{a {b 5}}"),
            ("a.b = true ", "{a {b true}}"),
            ("a.b=true story", "{a {b \"true story\"}}"),
            ("a.b=auto", "{a {b \"auto\"}}"),
            ("a.b=", "{a {b \"\"}}"),
            ("a.b=3 # of them", "{a {b \"3 # of them\"}}"),
            ("a.b=x=y", "{a {b \"x=y\"}}"),
            ("a.b=1\nc = 2", "{a {b \"1\\nc = 2\"}}"),
            ("a.\"b c\".d=[1, {e = 2}]", "{a {b c {d [1 {e 2}]}}}"),
        ] {
            let mut given = Overrides::default();
            given.set(set).unwrap();
            assert_eq!(with("", &given).unwrap(), expected, "{set}");
        }
        for (set, words) in [
            ("fuel", "--set: \"fuel\" sets nothing; write KEY=VALUE, as limits.fuel=1000000"),
            ("=5", "--set:  is no key; write KEY=VALUE, as limits.fuel=1000000"),
            ("[a]\nb=5", "--set: [a]\\u{a}b is no key; write KEY=VALUE, as limits.fuel=1000000"),
            ("a b=5", "--set: a b is no key; write KEY=VALUE, as limits.fuel=1000000"),
        ] {
            assert_eq!(Overrides::default().set(set).unwrap_err().to_string(), words);
        }
        let broken = Overrides::default().set("a.b=[1,").unwrap_err().to_string();
        assert!(
            broken.starts_with("--set: a.b: ") && broken.ends_with("; correct the TOML, or put the text into quotes")
        );
    }

    #[test]
    fn the_later_one_counts_and_defaults_give_way() {
        let mut given = Overrides::default();
        given.set("task.a=1").unwrap();
        given.set("task.a=2").unwrap();
        given.text(&["task", "b"], "x = [", "--prompt");
        let file: Arc<str> = Arc::from("[limits]\nfuel = 1\nwall_ms = 2\n[history]\nc = 3\n[model]\nd = {e = 1}\n");
        given.defaults(&file, "limits", &["limits"], false, "config.toml");
        given.defaults(&file, "history", &["history"], true, "config.toml");
        given.defaults(&file, "model", &["model"], true, "config.toml");
        assert_eq!(
            with("[task]\na = 0\n[limits]\nfuel = 9\n[history]\nq = 1\n", &given).unwrap(),
            "{history {q 1}, limits {fuel 9, wall_ms 2}, model {d {e 1}}, task {a 2, b \"x = [\"}}"
        );
        assert!(
            given.has(&["task", "a"]) && given.has(&["task"]) && !given.has(&["limits"]) && !given.has(&["task", "c"])
        );
        // A narrative is a task.
        assert!(with("[narrative]\na = 0\n", &given).unwrap().contains("narrative {a 2"));
        let wrong = with("task = 5\n", &given).unwrap_err();
        assert_eq!(wrong, "--set task.a: task is no table with keys; set task as a whole, or change the file");
    }
}
