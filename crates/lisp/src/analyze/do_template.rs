//! `clojure.template/do-template`: a form again and again, with other parts in the places of its names.

use super::desugar::{Gensym, Misuse, Rewritten};
use super::expansion::size;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::span::Span;
use crate::value::node::on_deep_stack;

/// Most forms that one template may become.
const FORMS: usize = 20_000;

pub(super) fn do_template(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [Form { kind: Kind::Vector(names), .. }, body, values @ ..] = a else { return Err(Misuse::Usage(span)) };
    if names.is_empty() || names.iter().any(|n| n.as_plain().is_none()) {
        return Err(Misuse::Usage(span));
    }
    let mut left = FORMS;
    let mut all = Vec::new();
    for group in values.chunks_exact(names.len()) {
        all.push(filled(body, names, group, &mut left)?);
    }
    Ok(Form::call(span, "do", all))
}

/// A form with each name replaced by the value in its place.
fn filled(form: &Form, names: &[Form], values: &[Form], left: &mut usize) -> Result<Form, Misuse> {
    let put = |word: &str| names.iter().rposition(|n| n.as_plain() == Some(word)).and_then(|i| values.get(i));
    let found = form.as_plain().and_then(put);
    let forms = usize::try_from(found.map_or(1, size)).unwrap_or(usize::MAX);
    *left = left.checked_sub(forms).ok_or_else(|| {
        Error::new(ErrorKind::Source, format!("the template becomes more than {FORMS} forms"))
            .at(form.span)
            .hint("write a function and call it for each of the values")
    })?;
    if let Some(found) = found {
        return Ok(found.clone());
    }
    let mut all = |items: &[Form]| -> Result<Vec<Form>, Misuse> {
        on_deep_stack(|| items.iter().map(|f| filled(f, names, values, left)).collect())
    };
    let mut one = |inner: &Form| -> Result<Box<Form>, Misuse> {
        all(std::slice::from_ref(inner)).map(|mut v| Box::new(v.pop().unwrap_or_else(|| inner.clone())))
    };
    let kind = match &form.kind {
        Kind::Quote(x) => Kind::Quote(one(x)?),
        Kind::Deref(x) => Kind::Deref(one(x)?),
        Kind::Var(x) => Kind::Var(one(x)?),
        Kind::SyntaxQuote(x) => Kind::SyntaxQuote(one(x)?),
        Kind::Unquote(x) => Kind::Unquote(one(x)?),
        Kind::UnquoteSplicing(x) => Kind::UnquoteSplicing(one(x)?),
        Kind::Meta(m, x) => Kind::Meta(one(m)?, one(x)?),
        Kind::List(items) => Kind::List(all(items)?),
        Kind::Vector(items) => Kind::Vector(all(items)?),
        Kind::Set(items) => Kind::Set(all(items)?),
        Kind::Lambda(items) => Kind::Lambda(all(items)?),
        Kind::Map(entries) => {
            let mut out = Vec::with_capacity(entries.len());
            for (k, v) in entries {
                out.push((*one(k)?, *one(v)?));
            }
            Kind::Map(out)
        }
        other => other.clone(),
    };
    Ok(Form::new(form.span, kind))
}
