//! Reader conditionals: `#?(:clj a :cljs b)` and `#?@(:clj [a b])`.

use super::duplicate_keys::Keys;
use super::error::shown;
use super::mode::Conditionals;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::value::node::on_deep_stack;

fn error(words: impl Into<String>, form: &Form) -> Error {
    Error::new(ErrorKind::Parse, words).at(form.span).hint("write #?(:clj form :default form)")
}

/// The branch that is taken; `None` where none is.
pub(super) fn branch(form: Form, conditionals: &Conditionals) -> Result<Option<Form>, Error> {
    let Kind::List(branches) = form.kind else { return Err(error("read-cond body must be a list", &form)) };
    let mut branches = branches.into_iter();
    while let Some(feature) = branches.next() {
        let Kind::Keyword(name) = &feature.kind else {
            return Err(error("Feature should be a keyword", &feature));
        };
        if matches!(&*name.name, "else" | "none") && name.ns.is_none() {
            return Err(error(format!("Feature name :{} is reserved.", shown(&name.name)), &feature));
        }
        let Some(branch) = branches.next() else {
            return Err(error("read-cond requires an even number of forms", &feature));
        };
        if conditionals.has(&name.text()) {
            return Ok(Some(branch));
        }
    }
    Ok(None)
}

/// The first tag without a reader in a form, if there is one.
pub(super) fn tag_in(form: &Form) -> Option<&Form> {
    let mut work = vec![form];
    while let Some(f) = work.pop() {
        match &f.kind {
            Kind::Tagged(..) => return Some(f),
            Kind::List(v) | Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v),
            Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v])),
            Kind::Quote(f) | Kind::Deref(f) | Kind::Var(f) => work.push(f),
            Kind::SyntaxQuote(f) | Kind::Unquote(f) | Kind::UnquoteSplicing(f) => work.push(f),
            Kind::Meta(m, f) => work.extend([&**m, &**f]),
            _ => {}
        }
    }
    None
}

/// The hash of a form as a key or member, or as part of one.
pub(super) fn hash(keys: &mut Keys, form: &Form) -> u64 {
    on_deep_stack(|| match &form.kind {
        Kind::List(items) | Kind::Vector(items) => {
            let all: Vec<u64> = items.iter().map(|f| hash(keys, f)).collect();
            keys.sequence(&all)
        }
        Kind::Set(items) => {
            let all: Vec<u64> = items.iter().map(|f| hash(keys, f)).collect();
            keys.set(&all)
        }
        Kind::Map(entries) => {
            let all: Vec<u64> = entries.iter().flat_map(|(k, v)| [k, v]).map(|f| hash(keys, f)).collect();
            keys.map(&all)
        }
        Kind::Quote(f) => {
            let inner = hash(keys, f);
            keys.wrapped(None, "quote", inner)
        }
        Kind::Var(f) => {
            let inner = hash(keys, f);
            keys.wrapped(None, "var", inner)
        }
        Kind::Deref(f) => {
            let inner = hash(keys, f);
            keys.wrapped(Some("clojure.core"), "deref", inner)
        }
        Kind::Meta(_, f) => hash(keys, f),
        kind => keys.atom(kind),
    })
}
