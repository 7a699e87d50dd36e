//! How functions are written: name, docstring and bodies, taken apart as forms.

use super::ir::Hint;
use super::scope::shared;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use std::sync::Arc;

/// A function's name, words and bodies as forms.
pub(super) struct FnForms<'f> {
    pub name: Option<&'f Name>,
    pub doc: Option<Arc<str>>,
    pub arities: Vec<(&'f [Form], Span, &'f [Form])>,
    /// The parameter lists of these with their metadata.
    pub lists: Vec<&'f Form>,
    /// The hint of what it gives, where that is said before its name and counts.
    pub hint: Option<Hint>,
    /// Whether a docstring follows the name.
    pub has_text: bool,
    /// Maps of attributes, behind the docstring and behind all bodies.
    pub attributes: Vec<&'f [(Form, Form)]>,
}

/// Takes `name? doc? attrs? [params] body...` or `name? doc? attrs? ([params] body...)...` apart.
pub(super) fn fn_forms<'f>(span: Span, forms: &'f [Form], named: bool) -> Result<FnForms<'f>, Error> {
    let usage = if named { "(defn name \"doc\" [params] body...)" } else { "(fn [params] body...)" };
    let bad = || Error::new(ErrorKind::Parse, format!("a function is written {usage}")).at(span);
    let mut at = forms;
    let mut name = None;
    let mut doc = None;
    let mut has_text = false;
    let mut attributes = Vec::new();
    if let Some((first, rest)) = at.split_first()
        && let Some((n, d)) = named_symbol(first)
    {
        name = Some(n);
        doc = d;
        at = rest;
    }
    if let Some((Form { kind: Kind::Str(s), .. }, rest)) = at.split_first()
        && !rest.is_empty()
    {
        (doc, has_text) = (Some(shared(s)), true);
        at = rest;
    }
    if let Some((Form { kind: Kind::Map(m), .. }, rest)) = at.split_first()
        && !rest.is_empty()
    {
        doc = doc_of(m).or(doc);
        attributes.push(m.as_slice());
        at = rest;
    }
    let (mut arities, mut lists) = (Vec::new(), Vec::new());
    let first = at.first().ok_or_else(bad)?;
    match strip_meta(first) {
        Form { kind: Kind::Vector(params), span, .. } => {
            lists.push(first);
            arities.push((params.as_slice(), *span, at.get(1..).unwrap_or_default()));
        }
        Form { kind: Kind::List(_), .. } => {
            for a in at {
                match &a.kind {
                    Kind::List(items) => match items.split_first().map(|(p, b)| (p, strip_meta(p), b)) {
                        Some((list, Form { kind: Kind::Vector(params), span, .. }, body)) => {
                            lists.push(list);
                            arities.push((params, *span, body));
                        }
                        _ => return Err(bad()),
                    },
                    // A map of attributes may be last.
                    Kind::Map(m) => attributes.push(m.as_slice()),
                    _ => return Err(bad()),
                }
            }
        }
        _ => return Err(bad()),
    }
    Ok(FnForms { name, hint: None, doc, has_text, arities, lists, attributes })
}

/// A name, maybe with metadata: the name and the docstring in it.
pub(super) fn named_symbol(form: &Form) -> Option<(&Name, Option<Arc<str>>)> {
    match &form.kind {
        Kind::Symbol(n) => Some((n, None)),
        Kind::Meta(meta, inner) => {
            let (n, doc) = named_symbol(inner)?;
            let own = if let Kind::Map(m) = &meta.kind { doc_of(m) } else { None };
            Some((n, own.or(doc)))
        }
        _ => None,
    }
}

fn doc_of(map: &[(Form, Form)]) -> Option<Arc<str>> {
    map.iter().find(|(k, _)| k.is_keyword("doc")).and_then(|(_, v)| match &v.kind {
        Kind::Str(s) => Some(shared(s)),
        _ => None,
    })
}

/// The form without its metadata.
pub(super) fn strip_meta(form: &Form) -> &Form {
    match &form.kind {
        Kind::Meta(_, inner) => strip_meta(inner),
        _ => form,
    }
}
