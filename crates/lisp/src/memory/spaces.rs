//! Namespaces of programs: which one definitions go to, what a name is called in memory, and what each calls others.
//!
//! There is one table of names. What is defined in `user` has its plain name there, everything else that of its namespace
//! before it, `report/total`.

use super::Memory;
use super::space_table::Spaces;
use crate::namespaces::{USER, default_alias};
use std::borrow::Cow;
use std::sync::Arc;

impl Memory {
    /// The namespace that definitions go to.
    pub(crate) fn space(&self) -> &str {
        self.spaces.current.as_deref().unwrap_or(USER)
    }

    /// The same, to keep.
    pub(crate) fn space_kept(&self) -> Option<Arc<str>> {
        self.spaces.current.clone()
    }

    /// Has definitions go to another namespace from here on, which is known before.
    pub(crate) fn set_space(&mut self, to: Option<Arc<str>>) {
        self.spaces.current = to;
    }

    /// Has definitions go to a namespace, which there is from now on.
    pub(crate) fn enter(&mut self, ns: &str) {
        self.spaces.current = (ns != USER).then(|| self.make_space(ns));
    }

    /// Makes a namespace, unless it is there.
    pub(crate) fn make_space(&mut self, ns: &str) -> Arc<str> {
        if let Some(known) = self.spaces.known.iter().find(|k| ***k == *ns) {
            return known.clone();
        }
        let made: Arc<str> = Arc::from(ns);
        self.hold_name(ns.len());
        self.spaces.known.push(made.clone());
        made
    }

    /// Whether it is a namespace of the program.
    pub(crate) fn is_space(&self, ns: &str) -> bool {
        ns == USER || self.spaces.known.iter().any(|k| **k == *ns)
    }

    /// Whether it is a library.
    pub(crate) fn is_library(&self, ns: &str) -> bool {
        self.libraries.iter().any(|l| **l == *ns)
    }

    /// The namespaces of the program, `user` first.
    pub(crate) fn spaces(&self) -> impl Iterator<Item = &str> {
        std::iter::once(USER).chain(self.spaces.known.iter().map(|k| &**k))
    }

    /// The namespaces as they are, to go back to.
    pub(crate) fn spaces_so_far(&self) -> Spaces {
        self.spaces.clone()
    }

    /// Those of an earlier moment again.
    pub(crate) fn set_spaces(&mut self, to: Spaces) {
        for gone in self.spaces.known.iter().skip(to.known.len()).map(|k| k.len()).collect::<Vec<_>>() {
            self.let_name_go(gone);
        }
        self.spaces = to;
    }

    /// What memory calls a name that is defined here: in the namespace report, `total` is `report/total`.
    pub(crate) fn own_name<'n>(&self, word: &'n str) -> Cow<'n, str> {
        match &self.spaces.current {
            None => Cow::Borrowed(word),
            Some(ns) => Cow::Owned(format!("{ns}/{word}")),
        }
    }

    /// Where this namespace keeps what it calls others.
    fn alias_key<'n>(&self, alias: &'n str) -> Cow<'n, str> {
        match &self.spaces.current {
            None => Cow::Borrowed(alias),
            Some(ns) => Cow::Owned(format!("{ns}\u{1}{alias}")),
        }
    }

    /// Gives a namespace or, after a slash, one of its names another name here.
    pub(crate) fn alias(&mut self, alias: &str, of: &str) {
        let key = self.alias_key(alias).into_owned();
        self.put_alias(&key, of);
    }

    /// What a namespace is called by in another.
    pub(crate) fn alias_in(&self, ns: &str, alias: &str) -> Option<&Arc<str>> {
        self.alias_in_own(ns, alias).or_else(|| self.aliases.get(alias))
    }

    /// The same, and what aliases stand for that need no `require`.
    pub(crate) fn alias_named(&self, ns: &str, alias: &str) -> Option<String> {
        let given = self.alias_in(ns, alias).map(|of| of.to_string());
        given.or_else(|| default_alias(alias).map(str::to_owned))
    }

    /// The same without what is one everywhere.
    pub(crate) fn alias_in_own(&self, ns: &str, alias: &str) -> Option<&Arc<str>> {
        if ns == USER { self.aliases.get(alias) } else { self.aliases.get(&*format!("{ns}\u{1}{alias}")) }
    }

    /// What a namespace is called by here; an alias of `user` is one everywhere.
    pub(crate) fn alias_of(&self, alias: &str) -> Option<&Arc<str>> {
        if self.aliases.is_empty() {
            return None;
        }
        self.aliases.get(&*self.alias_key(alias)).or_else(|| self.aliases.get(alias))
    }

    /// What was taken in here under this name.
    pub(crate) fn referred(&self, word: &str) -> Option<&Arc<str>> {
        if self.aliases.is_empty() {
            return None;
        }
        self.aliases.get(&*self.alias_key(&format!("/{word}")))
    }

    /// Whether a name means what the language has under it, although it was defined here before.
    pub(crate) fn is_core_again(&self, word: &str) -> bool {
        self.referred(word).is_some_and(|full| **full == *word)
    }

    /// Ends that: the name is defined once more.
    pub(crate) fn defined_again(&mut self, word: &str) {
        if self.is_core_again(word) {
            let key = self.alias_key(&format!("/{word}")).into_owned();
            self.drop_alias(&key);
        }
    }

    /// The names that a namespace has taken in.
    pub(crate) fn referred_in<'m>(&'m self, ns: &'m str) -> impl Iterator<Item = &'m str> {
        self.aliases.keys().filter_map(move |key| {
            let (space, alias) = key.split_once('\u{1}').unwrap_or((USER, key));
            alias.strip_prefix('/').filter(|_| space == ns)
        })
    }

    /// The aliases of a namespace, and what they stand for.
    pub(crate) fn aliases_in<'m>(&'m self, ns: &'m str) -> impl Iterator<Item = (&'m str, &'m str)> {
        self.aliases.iter().filter_map(move |(key, of)| {
            let (space, alias) = key.split_once('\u{1}').unwrap_or((USER, key));
            (space == ns && !alias.starts_with('/')).then_some((alias, &**of))
        })
    }
}
