//! Tables of a TOML file with their places: every key is known or refused by name and line.

use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use crate::toml_override::Overrides;
use ptc_lisp::suggest::did_you_mean;
use serde_json::Value as Data;
use std::borrow::Cow;
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Problems that are gathered while a file is read to its end, instead of ending at the first.
#[derive(Debug, Default)]
pub(crate) struct ErrorCollector {
    all: RefCell<Vec<Error>>,
    /// Lines that are no TOML, `task.toml:3: `: what else is found wrong with them follows from that.
    broken: RefCell<Vec<String>>,
}

impl ErrorCollector {
    /// Keeps a problem; what was [told before](Error::told), what is there already and what is about a line that is no
    /// TOML is not kept.
    pub(crate) fn push(&self, p: Error) {
        let mut all = self.all.borrow_mut();
        let follows = self.broken.borrow().iter().any(|line| p.text().starts_with(line));
        if !p.is_told() && !all.contains(&p) && !follows {
            all.push(p);
        }
    }

    /// Keeps that a line is no TOML: the first problem of the line only.
    fn push_broken(&self, p: Error, line: String) {
        self.push(p);
        self.broken.borrow_mut().push(line);
    }

    /// All of them, in the order in which they were found.
    pub(crate) fn all(&self) -> Vec<Error> {
        self.all.borrow().clone()
    }
}

/// Most mistakes of TOML that are reported of a file: each is looked for from the beginning of its text.
const BROKEN: usize = 100;

/// A TOML file, parsed.
pub(crate) struct Document<'t> {
    name: String,
    text: &'t str,
    root: Spanned<DeTable<'t>>,
    notes: Option<Rc<ErrorCollector>>,
    /// Who gave the values that are not the file's own: their places are behind the end of the text.
    given: Vec<String>,
}

impl<'t> Document<'t> {
    /// Parses `text`; `name` stands in errors.
    ///
    /// # Errors
    /// When it is no TOML.
    pub(crate) fn parse(name: &str, text: &'t str) -> Result<Self, Error> {
        match DeTable::parse(text) {
            Ok(root) => Ok(Document { name: name.to_owned(), text, root, notes: None, given: Vec::new() }),
            Err(e) => Err(broken(name, text, &e).0),
        }
    }

    /// The same, all of whose problems are noted where `notes` are given: reading continues after each, with as much of the
    /// file as is TOML.
    ///
    /// # Errors
    /// As [`Document::parse`], without notes.
    pub(crate) fn parse_noting(name: &str, text: &'t str, notes: Option<Rc<ErrorCollector>>) -> Result<Self, Error> {
        let Some(notes) = notes else { return Self::parse(name, text) };
        let (root, errors) = DeTable::parse_recoverable(text);
        for e in errors.iter().take(BROKEN) {
            let (problem, line) = broken(name, text, e);
            notes.push_broken(problem, line);
        }
        if let Some(more) = errors.len().checked_sub(BROKEN).filter(|n| *n > 0) {
            notes.push(
                Error::new(
                    ErrorKind::Task,
                    error_text!("{more} more mistakes of that kind"; "correct those before them first"),
                )
                .at(name),
            );
        }
        Ok(Document { name: name.to_owned(), text, root, notes: Some(notes), given: Vec::new() })
    }

    /// The same with values from outside.
    ///
    /// # Errors
    /// When one is for a key in something that is no table.
    pub(crate) fn with(mut self, given: &'t Overrides) -> Result<Self, Error> {
        given.apply(self.root.get_mut(), self.text.len().saturating_add(1))?;
        self.given = given.labels();
        Ok(self)
    }

    /// The whole file as a table.
    pub(crate) fn root(&self) -> Section<'_> {
        let notes = self.notes.as_deref();
        let (file, text, path) = (self.name.as_str(), self.text, String::new());
        Section { file, text, path, table: self.root.get_ref(), span: 0..0, notes, given: &self.given }
    }
}

/// What is wrong with text that is no TOML, and how problems of that line begin.
fn broken(name: &str, text: &str, e: &toml::de::Error) -> (Error, String) {
    let line = e.span().map_or(1, |s| line_of(text, s.start));
    let mut words = e.message().lines().collect::<Vec<_>>().join(", ");
    if let Some(key) = e.span().and_then(|s| text.get(s)).filter(|_| words == "duplicate key") {
        words = format!("duplicate key {}", ptc_lisp::escape::line(key));
    }
    let place = format!("{name}:{line}");
    let error = Error::new(ErrorKind::Task, error_text!("{words}"; "correct the TOML")).at(&place);
    (error, format!("{place}: "))
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes().iter().take(at).filter(|b| **b == b'\n').count().saturating_add(1)
}

/// A table and where it stands.
#[derive(Clone)]
pub struct Section<'d> {
    file: &'d str,
    text: &'d str,
    path: String,
    table: &'d DeTable<'d>,
    span: Range<usize>,
    /// Where problems are noted, when all of them are looked for.
    notes: Option<&'d ErrorCollector>,
    given: &'d [String],
}

impl<'d> Section<'d> {
    /// What was read; or, when all problems are looked for, nothing, and the problem is noted.
    ///
    /// # Errors
    /// The problem, when reading is to end at the first.
    pub fn noted<T>(&self, read: Result<T, Error>) -> Result<Option<T>, Error> {
        match (read, self.notes) {
            (Ok(read), _) => Ok(Some(read)),
            (Err(p), Some(notes)) => {
                notes.push(p);
                Ok(None)
            }
            (Err(p), None) => Err(p),
        }
    }

    /// Whether all problems are looked for.
    pub fn notes(&self) -> bool {
        self.notes.is_some()
    }

    /// `[tools.search]`, for words.
    pub fn title(&self) -> String {
        if self.path.is_empty() { "the file".to_owned() } else { format!("[{}]", self.path) }
    }

    /// Something wrong with this table as a whole.
    pub fn problem(&self, text: impl Into<ErrorText>) -> Error {
        self.place(self.span.start, text.into().after(self.title()))
    }

    /// Something wrong with one key of it.
    pub fn problem_at(&self, key: &str, text: impl Into<ErrorText>) -> Error {
        self.place(self.start_of(key), text)
    }

    /// Where a key stands, as errors name it: a line of the file, or who gave it.
    pub fn place_of(&self, key: &str) -> String {
        self.place_at(self.start_of(key))
    }

    fn start_of(&self, key: &str) -> usize {
        self.table.iter().find(|(k, _)| k.get_ref() == key).map_or(self.span.start, |(k, _)| k.span().start)
    }

    fn place_at(&self, at: usize) -> String {
        let behind = at.checked_sub(self.text.len().saturating_add(1));
        match behind.and_then(|n| self.given.get(n)) {
            Some(who) => who.clone(),
            None => format!("{}:{}", self.file, line_of(self.text, at)),
        }
    }

    fn place(&self, at: usize, text: impl Into<ErrorText>) -> Error {
        Error::new(ErrorKind::Task, text).at(&self.place_at(at))
    }

    /// The keys in the order in which they stand.
    pub fn keys(&self) -> Vec<&'d str> {
        let mut keys: Vec<_> = self.table.iter().map(|(k, _)| (k.span().start, k.get_ref().as_ref())).collect();
        keys.sort_unstable();
        keys.into_iter().map(|k| k.1).collect()
    }

    /// Refuses keys that are not among `known`; those of `later` with the words "not there yet".
    ///
    /// # Errors
    /// The first such key, its line, and what was meant.
    pub fn only(&self, known: &[&str], later: &[&str]) -> Result<(), Error> {
        for key in self.keys() {
            if known.contains(&key) {
                continue;
            }
            if later.contains(&key) {
                let what = if self.path.is_empty() { format!("[{key}]") } else { format!("{key} in {}", self.title()) };
                self.noted::<()>(Err(
                    self.problem_at(key, error_text!("not there yet: {what}"; "take it out for now"))
                ))?;
                continue;
            }
            let hint = match did_you_mean(key, known.iter().chain(later).copied()) {
                Some(near) => format!("did you mean {near}?"),
                None => format!("its keys are {}", known.join(", ")),
            };
            let words = error_text!("unknown key {} in {}", shown(key), self.title(); "{hint}");
            self.noted::<()>(Err(self.problem_at(key, words)))?;
        }
        Ok(())
    }

    fn value(&self, key: &str) -> Option<&'d Spanned<DeValue<'d>>> {
        self.table.iter().find(|(k, _)| k.get_ref() == key).map(|(_, v)| v)
    }

    /// Whether it has this key.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some()
    }

    /// Whether this key is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.value(key).is_some_and(|v| matches!(v.get_ref(), DeValue::Table(_)))
    }

    /// A text.
    ///
    /// # Errors
    /// When it is something else.
    pub fn text(&self, key: &str) -> Result<Option<&'d str>, Error> {
        match self.value(key).map(|v| v.get_ref()) {
            None => Ok(None),
            Some(DeValue::String(s)) => Ok(Some(s)),
            Some(other) => self.noted(Err(self.wrong(key, "text in quotes", other))),
        }
    }

    /// A text that must be there and not be empty.
    ///
    /// # Errors
    /// When it is absent, or something else.
    pub fn needed(&self, key: &str, example: &str) -> Result<&'d str, Error> {
        match self.text(key)? {
            Some(t) if !t.trim().is_empty() => Ok(t),
            Some(_) => Err(self.problem_at(key, error_text!("{key} is empty"; "write {key} = {example}"))),
            // It is there, and what is wrong with it was noted.
            None if self.has(key) => Err(Error::told()),
            None => Err(self.problem(error_text!("{key} is missing"; "add {key} = {example}"))),
        }
    }

    /// A name: a text without letters that nobody sees, so that two names which look the same are the same.
    ///
    /// # Errors
    /// When it has one, or is something else.
    pub fn name(&self, key: &str) -> Result<Option<&'d str>, Error> {
        match self.text(key)? {
            Some(t) if t.contains(ptc_lisp::escape::hidden) => {
                let words = error_text!("{key} has letters that cannot be seen"; "take out what stands as \\u in {}", ptc_lisp::escape::quoted(t));
                self.noted(Err(self.problem_at(key, words)))
            }
            read => Ok(read),
        }
    }

    /// A name that must be there and not be empty.
    ///
    /// # Errors
    /// As [`Section::name`] and [`Section::needed`].
    pub fn needed_name(&self, key: &str, example: &str) -> Result<&'d str, Error> {
        let text = self.needed(key, example)?;
        Ok(self.name(key)?.unwrap_or(text))
    }

    /// A whole number from 1.
    ///
    /// # Errors
    /// When it is something else.
    pub fn count(&self, key: &str) -> Result<Option<u64>, Error> {
        match self.value(key).map(|v| v.get_ref()) {
            None => Ok(None),
            Some(DeValue::Integer(i)) => match u64::from_str_radix(i.as_str(), i.radix()) {
                Ok(n) if n > 0 => Ok(Some(n)),
                _ => self.noted(Err(self.problem_at(key, format!("{key} must be a whole number from 1, got {i}")))),
            },
            Some(other) => self.noted(Err(self.wrong(key, "a whole number from 1", other))),
        }
    }

    /// A whole number from 0.
    ///
    /// # Errors
    /// When it is something else.
    pub fn whole(&self, key: &str) -> Result<Option<u64>, Error> {
        match self.value(key).map(|v| v.get_ref()) {
            None => Ok(None),
            Some(DeValue::Integer(i)) => match u64::from_str_radix(i.as_str(), i.radix()) {
                Ok(n) => Ok(Some(n)),
                Err(_) => {
                    self.noted(Err(self.problem_at(key, format!("{key} must be a whole number from 0, got {i}"))))
                }
            },
            Some(other) => self.noted(Err(self.wrong(key, "a whole number from 0", other))),
        }
    }

    /// A number, with or without a point.
    ///
    /// # Errors
    /// When it is something else.
    pub fn number(&self, key: &str) -> Result<Option<f64>, Error> {
        let Some(value) = self.value(key).map(|v| v.get_ref()) else { return Ok(None) };
        match (value, data(value).ok().and_then(|d| d.as_f64())) {
            (DeValue::Integer(_) | DeValue::Float(_), Some(n)) => Ok(Some(n)),
            _ => self.noted(Err(self.wrong(key, "a number", value))),
        }
    }

    /// True or false.
    ///
    /// # Errors
    /// When it is something else.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Error> {
        match self.value(key).map(|v| v.get_ref()) {
            None => Ok(None),
            Some(DeValue::Boolean(b)) => Ok(Some(*b)),
            Some(other) => self.noted(Err(self.wrong(key, "true or false", other))),
        }
    }

    /// A list of texts.
    ///
    /// # Errors
    /// When it is something else.
    pub fn texts(&self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let wanted = "a list of texts, as in [\"a\", \"b\"]";
        let DeValue::Array(items) = value.get_ref() else {
            return self.noted(Err(self.wrong(key, wanted, value.get_ref())));
        };
        let text = |v: &Spanned<DeValue<'_>>| match v.get_ref() {
            DeValue::String(s) => Ok(s.clone().into_owned()),
            other => Err(self.wrong(key, wanted, other)),
        };
        self.noted(items.iter().map(text).collect())
    }

    /// All of it as JSON, by key.
    ///
    /// # Errors
    /// When JSON cannot say it.
    pub fn all(&self) -> Result<serde_json::Map<String, Data>, Error> {
        let mut all = serde_json::Map::new();
        for key in self.keys() {
            if let Some(value) = self.data(key)? {
                all.insert(key.to_owned(), value);
            }
        }
        Ok(all)
    }

    /// A table in it.
    ///
    /// # Errors
    /// When it is something else.
    pub fn section(&self, key: &str) -> Result<Option<Section<'d>>, Error> {
        match self.table.iter().find(|(k, _)| k.get_ref() == key) {
            None => Ok(None),
            Some((k, v)) => match v.get_ref() {
                DeValue::Table(table) => {
                    let path = if self.path.is_empty() { shown(key) } else { format!("{}.{}", self.path, shown(key)) };
                    Ok(Some(Section { path, table, span: k.span(), ..self.clone() }))
                }
                other => {
                    // In a table of tables each has a name of its own, and the key is most likely meant for one of them.
                    let example = if self.path.is_empty() { shown(key) } else { format!("{}.NAME", self.path) };
                    self.noted(Err(self.wrong(key, &format!("a table, as in [{example}]"), other)))
                }
            },
        }
    }

    /// The tables of an array of tables, `params = [{...}, {...}]`.
    ///
    /// # Errors
    /// When it is something else.
    pub fn sections(&self, key: &str, example: &str) -> Result<Option<Vec<Section<'d>>>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let DeValue::Array(items) = value.get_ref() else {
            return self.noted(Err(self.wrong(key, example, value.get_ref())));
        };
        let mut out = Vec::new();
        for item in items.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                return self.noted(Err(self.wrong(key, example, item.get_ref())));
            };
            let path = format!("{}.{key}", self.path);
            out.push(Section { path, table, span: item.span(), ..self.clone() });
        }
        Ok(Some(out))
    }

    /// A value as JSON.
    ///
    /// # Errors
    /// When JSON cannot say it.
    pub fn data(&self, key: &str) -> Result<Option<Data>, Error> {
        let Some(value) = self.value(key) else { return Ok(None) };
        self.noted(data(value.get_ref()).map_err(|text| self.problem_at(key, text.after(key))))
    }

    fn wrong(&self, key: &str, wanted: &str, got: &DeValue<'_>) -> Error {
        let got = match got {
            DeValue::String(_) => "text",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a number with a point or an exponent",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.problem_at(key, format!("{key} must be {wanted}, got {got}"))
    }
}

/// A key as it is written in TOML.
fn shown(key: &str) -> String {
    let bare = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
    if bare { key.to_owned() } else { ptc_lisp::escape::quoted(key) }
}

/// A value as JSON, tables in the order in which they stand. Nesting is limited by the parser of TOML.
fn data(v: &DeValue<'_>) -> Result<Data, ErrorText> {
    Ok(match v {
        DeValue::String(s) => Data::String(s.clone().into_owned()),
        DeValue::Integer(i) => {
            let n = i64::from_str_radix(i.as_str(), i.radix()).map(Data::from);
            let n = n.or_else(|_| u64::from_str_radix(i.as_str(), i.radix()).map(Data::from));
            n.map_err(|_| error_text!("{i} has more than 64 bits"; "put big numbers into a JSON file"))?
        }
        DeValue::Float(f) => {
            let n: f64 = f.as_str().parse().map_err(|_| ErrorText::from(format!("{f} is no number")))?;
            serde_json::Number::from_f64(n)
                .map(Data::Number)
                .ok_or_else(|| ErrorText::from(format!("{f} cannot be said in JSON")))?
        }
        DeValue::Boolean(b) => Data::Bool(*b),
        DeValue::Datetime(d) => Data::String(d.to_string()),
        DeValue::Array(items) => Data::Array(items.iter().map(|v| data(v.get_ref())).collect::<Result<_, _>>()?),
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table.iter().collect();
            entries.sort_by_key(|(k, _)| k.span().start);
            let entry = |(k, v): (&Spanned<Cow<'_, str>>, &Spanned<_>)| {
                Ok::<_, ErrorText>((k.get_ref().to_string(), data(v.get_ref())?))
            };
            Data::Object(entries.into_iter().map(entry).collect::<Result<_, _>>()?)
        }
    })
}
