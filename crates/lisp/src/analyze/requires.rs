//! `ns`, `in-ns`, `require`, `use`, `refer`, `import` and `alias`: which namespace definitions go to, and what names and
//! namespaces are called in it.

use super::analyzer::{Analysed, Analyzer};
use super::forms::misuse;
use super::ir::{Expr, Node};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::namespaces::parts_of;
use crate::namespaces::{NAMESPACES, default_alias, is_namespace};
use crate::ns_form::{Load, Request, asked, takes_core};
use crate::span::Span;
use crate::value::Value;

/// Most namespaces of a session: each name with a prefix is looked for among them.
const MOST: usize = 100;

impl Analyzer<'_> {
    /// `(require '[clojure.string :as s])` and the like: aliases and referred names are remembered.
    pub(super) fn require(&mut self, word: &str, span: Span, args: &[Form]) -> Analysed {
        let mut result = Node::Const(Value::Nil);
        for request in asked(word, span, args) {
            match request {
                Request::Enter(ns, at) => {
                    if let Some(entered) = self.enter(word, &ns, at)? {
                        result = entered;
                        if word == "ns" {
                            self.take_core(args);
                        }
                    }
                }
                Request::Load(load) => self.load(&load)?,
                Request::Alias(alias, of, at) => {
                    self.known_namespace(&of, at)?;
                    let of = self.meant(&of).to_owned();
                    self.alias(&alias, &of, at)?;
                }
                Request::Class(class) => self.import(&class),
                Request::Rename(from, to) => self.memory_mut().alias(&format!("/{to}"), from),
                Request::Malformed(at) => return Err(misuse(at, word)),
            }
        }
        Ok(Expr { span, node: result })
    }

    /// Has definitions go to a namespace from here on. A library is in one already.
    fn enter(&mut self, word: &str, ns: &str, span: Span) -> Result<Option<Node>, Error> {
        if self.world.namespace.is_some() {
            return Ok(None);
        }
        if !(self.written && self.depth == 1) {
            let words = format!("{word} is written at the top of a program, not inside other forms");
            return Err(Error::new(ErrorKind::Denied, words)
                .at(span)
                .hint("names are resolved before anything runs: write it outside all other forms, not in what eval and load-string run"));
        }
        let refused = |words: String, hint: &str| Err(Error::new(ErrorKind::Denied, words).at(span).hint(hint));
        if self.memory().is_library(ns) {
            return refused(
                format!("{ns} is a library, and stays as it is"),
                "take another name for your own namespace",
            );
        }
        if ns.starts_with("clojure.") || NAMESPACES.contains(&ns) {
            return refused(
                format!("{ns} is a namespace of the language, and stays as it is"),
                "take another name for your own namespace",
            );
        }
        if !is_name(ns) {
            return Err(Error::new(ErrorKind::Name, format!("{ns} is no name of a namespace"))
                .at(span)
                .hint("begin with a letter, and use letters, digits, - _ . and what other names have, but no slash"));
        }
        if !self.memory().is_space(ns) && self.memory().spaces().count() > MOST {
            let words = format!("a session has {MOST} namespaces at most");
            return Err(Error::new(ErrorKind::Memory, words).at(span).hint("define the names in one namespace"));
        }
        self.memory_mut().enter(ns);
        let name = Expr { span, node: Node::Const(Value::str(ns)) };
        let entered = self.core_call(span, "in-ns*", vec![name]).node;
        Ok(Some(if word == "ns" {
            Node::Do(vec![Expr { span, node: entered }, Expr { span, node: Node::Const(Value::Nil) }])
        } else {
            entered
        }))
    }

    /// A namespace that is written anew has the functions of clojure.core under their names again, whatever it called so
    /// before.
    fn take_core(&mut self, args: &[Form]) {
        let memory = self.memory();
        let space = memory.space();
        let defined = memory.bindings.iter().map(|b| parts_of(&b.name)).filter(|(ns, _)| *ns == space);
        let mut words: Vec<String> = defined.map(|(_, word)| word.to_owned()).collect();
        words.extend(memory.referred_in(space).map(str::to_owned));
        let of_core = |w: &str| crate::builtins::find(w).is_some() || super::forms::find(w).is_some();
        words.retain(|w| of_core(w) && takes_core(args, w));
        for word in words {
            self.memory_mut().alias(&format!("/{word}"), &word);
        }
    }

    fn alias(&mut self, alias: &str, ns: &str, span: Span) -> Result<(), Error> {
        // It would hide the library from all programs that follow.
        if alias != ns && self.memory().is_library(alias) {
            let words = format!("{alias} is a library and cannot be another name of {ns}");
            return Err(Error::new(ErrorKind::Name, words).at(span).hint("take another alias"));
        }
        self.memory_mut().alias(alias, ns);
        Ok(())
    }

    /// Takes a namespace in.
    fn load(&mut self, load: &Load<'_>) -> Result<(), Error> {
        if load.option("as-alias").is_none() {
            self.known_namespace(&load.ns, load.span)?;
        }
        let ns = self.meant(&load.ns).to_owned();
        if let Some((alias, span)) = load.alias() {
            self.alias(&alias, &ns, span)?;
        }
        let named = load.names("refer").or_else(|| load.names("only"));
        let all = load.whole || load.option("refer").is_some_and(|f| f.is_keyword("all"));
        let excluded = load.names("exclude").unwrap_or_default();
        match named {
            Some(names) => names.iter().for_each(|n| self.refer(&ns, n, load.own_name(n))),
            None if all => {
                for n in self.public_names(&ns) {
                    if !excluded.contains(&n.as_str()) {
                        let own = load.own_name(&n).to_owned();
                        self.refer(&ns, &n, &own);
                    }
                }
            }
            None => {}
        }
        Ok(())
    }

    fn refer(&mut self, ns: &str, name: &str, own: &str) {
        let full = if ns == "clojure.core" { name.to_owned() } else { format!("{ns}/{name}") };
        self.memory_mut().alias(&format!("/{own}"), &full);
    }

    /// What a namespace has for others.
    fn public_names(&self, ns: &str) -> Vec<String> {
        let mut names: Vec<String> = self.memory().library_names(ns).map(str::to_owned).collect();
        if ns == "clojure.core" {
            return names;
        }
        // What the program itself defines further up has no value yet.
        if self.memory().is_space(ns) {
            let bound = self.memory().bindings().filter(|b| !b.facts.private).map(|b| parts_of(&b.name));
            names.extend(bound.filter(|(of, _)| *of == ns).map(|(_, name)| name.to_owned()));
            names.extend(self.defined.names_in(ns).filter(|n| !self.is_private(&self.key(ns, n))).map(str::to_owned));
        }
        let own = crate::builtins::all().filter_map(|b| b.name().strip_prefix(ns)?.strip_prefix('/'));
        names.extend(own.map(str::to_owned));
        names
    }

    /// A record of another namespace of the program is known by its short name.
    fn import(&mut self, class: &str) {
        let Some((ns, name)) = self.own_class(class) else { return };
        for word in [name.clone(), format!("->{name}")] {
            let key = self.key(&ns, &word).into_owned();
            self.memory_mut().alias(&format!("/{word}"), &key);
        }
    }

    /// The namespace that is meant by one that is known under this name too: `json` by `cheshire.core`.
    fn meant<'n>(&self, ns: &'n str) -> &'n str {
        if self.memory().is_space(ns) || self.memory().is_library(ns) {
            return ns;
        }
        default_alias(ns).unwrap_or(ns)
    }

    fn known_namespace(&self, ns: &str, span: Span) -> Result<(), Error> {
        if is_namespace(ns) || self.memory().is_library(ns) || self.memory().is_space(ns) {
            return Ok(());
        }
        Err(Error::new(ErrorKind::Name, format!("there is no namespace {ns}")).at(span).hint(
            super::unsupported::class(ns)
                .map_or_else(|| format!("there are {}", NAMESPACES.join(", ")), str::to_string),
        ))
    }
}

/// Whether names of a namespace of this name can be read: `name/x`.
fn is_name(ns: &str) -> bool {
    let read = crate::read::names::name(&format!("{ns}/x"), false);
    matches!(read, Ok(Kind::Symbol(name)) if name.ns.as_deref() == Some(ns))
}
