//! What `::name` and `::alias/name` mean: the namespace that a text is in where they stand, and what it calls others.

use super::error::shown;
use super::names::is_name;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::ns_form::{Request, asks, requests};
use std::borrow::Cow;

/// What an alias stands for in a namespace.
type Aliases<'n> = &'n dyn Fn(&str, &str) -> Option<String>;

/// The symbol, keyword or constant that a word is; `plain` says that it has neither colon nor slash.
pub fn name(word: &str, plain: bool) -> Result<Kind, Error> {
    if word.starts_with("::") { OwnNames::default().keyword(word) } else { super::names::name(word, plain) }
}

/// The namespace that a text begins in, and what the session's namespaces call others.
pub(crate) struct ReadNames<'n> {
    /// The namespace.
    pub(crate) space: &'n str,
    /// Whether no form of the text leaves it, as in a library.
    pub(crate) fixed: bool,
    /// What an alias stands for in a namespace.
    pub(crate) alias: Aliases<'n>,
}

/// The same while a text is read.
#[derive(Clone)]
pub(super) struct OwnNames<'n> {
    space: Cow<'n, str>,
    fixed: bool,
    /// Namespace, alias and what it stands for, as the text itself says.
    aliases: Vec<(String, String, String)>,
    session: Option<Aliases<'n>>,
}

impl Default for OwnNames<'_> {
    fn default() -> Self {
        OwnNames { space: Cow::Borrowed("user"), fixed: true, aliases: Vec::new(), session: None }
    }
}

impl<'n> OwnNames<'n> {
    /// At the beginning of a text.
    pub(super) fn new(names: &ReadNames<'n>) -> Self {
        OwnNames {
            space: Cow::Borrowed(names.space),
            fixed: names.fixed,
            aliases: Vec::new(),
            session: Some(names.alias),
        }
    }

    /// The keyword that `::name` or `::alias/name` is.
    pub(super) fn keyword(&self, word: &str) -> Result<Kind, Error> {
        let own = word.strip_prefix("::").unwrap_or(word);
        let (ns, name) = match own.split_once('/') {
            Some((alias, name)) if is_name(word) && !alias.is_empty() => (Cow::Owned(self.of(alias, word)?), name),
            _ => (Cow::Borrowed(&*self.space), own),
        };
        // What could not be read again once it is printed: Clojure makes it all the same.
        if own.is_empty() || !is_name(word) || !is_name(&format!(":{ns}/{name}")) {
            let hint =
                if own.is_empty() { "a keyword is :name".to_owned() } else { format!("write ::name for :{ns}/name") };
            return Err(Error::new(ErrorKind::Parse, format!("Invalid token: {}", shown(word))).hint(hint));
        }
        Ok(Kind::Keyword(Name { ns: Some(ns.into()), name: name.into() }))
    }

    /// The namespace of a map's keys, which is `::` or `::alias` for those that the text knows.
    pub(super) fn of_map<'w>(&self, word: &'w str) -> Result<Cow<'w, str>, Error> {
        match word.strip_prefix("::") {
            None => Ok(Cow::Borrowed(word)),
            Some("") => Ok(Cow::Owned(self.space.to_string())),
            Some(alias) => match self.find(alias) {
                Some(ns) => Ok(Cow::Owned(ns)),
                None => {
                    let words = format!("Unknown auto-resolved namespace alias: {}", shown(alias));
                    Err(Error::new(ErrorKind::Parse, words).hint(self.hint(alias)))
                }
            },
        }
    }

    fn of(&self, alias: &str, word: &str) -> Result<String, Error> {
        self.find(alias).ok_or_else(|| {
            Error::new(ErrorKind::Parse, format!("Invalid token: {}", shown(word))).hint(self.hint(alias))
        })
    }

    fn hint(&self, alias: &str) -> String {
        let alias = shown(alias);
        format!(
            "{alias} is no alias here: write (require '[namespace :as {alias}]) at the top, in a form of its own, or :{alias}/name"
        )
    }

    fn find(&self, alias: &str) -> Option<String> {
        let own = self.aliases.iter().rev().find(|(space, a, _)| *space == *self.space && a == alias);
        match (own, self.session) {
            (Some((_, _, ns)), _) => Some(ns.clone()),
            (None, Some(session)) => session(&self.space, alias),
            // Nothing is known of the session: the names are looked at, and no more.
            (None, None) => Some(alias.to_owned()),
        }
    }

    /// Takes note of what a form at the top changes for those behind it; whether it may.
    pub(super) fn note(&mut self, form: &Form) -> bool {
        let Kind::List(items) = &form.kind else { return false };
        if items.first().and_then(Form::as_plain) == Some("do") {
            return items.iter().skip(1).filter(|f| self.note(f)).count() > 0;
        }
        if !asks(form) {
            return false;
        }
        for request in requests(form) {
            match request {
                Request::Enter(ns, _) if !self.fixed => self.space = Cow::Owned(ns),
                Request::Load(load) => {
                    if let Some((alias, _)) = load.alias() {
                        self.aliases.push((self.space.to_string(), alias, load.ns));
                    }
                }
                Request::Alias(alias, ns, _) => self.aliases.push((self.space.to_string(), alias, ns)),
                _ => {}
            }
        }
        true
    }
}
