//! Expansions of macros: how large forms are, and what errors say of where they come from.

use crate::error::{Error, cut};
use crate::form::{Form, Kind, Name};

/// How many forms a form is.
pub(super) fn size(form: &Form) -> u64 {
    let (mut n, mut work) = (0u64, vec![form]);
    while let Some(f) = work.pop() {
        n += 1;
        match &f.kind {
            Kind::List(v) | Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v),
            Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v])),
            Kind::Quote(f) | Kind::Deref(f) | Kind::Var(f) => work.push(f),
            Kind::SyntaxQuote(f) | Kind::Unquote(f) | Kind::UnquoteSplicing(f) => work.push(f),
            Kind::Meta(m, f) => work.extend([&**m, &**f]),
            Kind::Str(s) => n += s.len() as u64 / 64,
            _ => {}
        }
    }
    n
}

const EXPANDS: &str = " expands to ";

/// `(unless ...) expands to (if ...)`
pub(super) fn expansion_text(form: &Form, expansion: &Form) -> String {
    let name = match &form.kind {
        Kind::List(items) => items.first().and_then(Form::as_symbol).map(Name::text).unwrap_or_default(),
        _ => String::new(),
    };
    format!("({name} ...){EXPANDS}{}", cut(super::written::text(expansion, 300), 300))
}

/// An error of what a macro gave, with that.
#[cold]
pub(super) fn in_expansion(e: Error, words: &str) -> Error {
    if e.kind.is_limit() || e.hint.as_deref().is_some_and(|h| h.contains(EXPANDS)) {
        return e;
    }
    let hint = match &e.hint {
        Some(h) => format!("{h}; {words}"),
        None => words.to_string(),
    };
    e.hint(hint)
}
