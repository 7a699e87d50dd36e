//! Forms of dispatch and types, rewritten into functions of the language: `defmulti`.

use super::desugar::{Gensym, Misuse, Rewritten};
use super::fn_forms::strip_meta;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;

/// `(defmulti name "doc" {...} dispatch-fn :default x :hierarchy h)`
pub(super) fn defmulti(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let usage = || Misuse::Usage(span);
    let (name, mut at) = a.split_first().ok_or_else(usage)?;
    let plain = strip_meta(name);
    if !matches!(plain.kind, Kind::Symbol(_)) {
        return Err(usage());
    }
    let (mut doc, mut map) = (None, None);
    if let [text @ Form { kind: Kind::Str(_), .. }, rest @ ..] = at {
        (doc, at) = (Some(text.clone()), rest);
    }
    if let [Form { kind: Kind::Map(attributes), .. }, rest @ ..] = at
        && !rest.is_empty()
    {
        let own = attributes.iter().find(|(k, v)| k.is_keyword("doc") && matches!(v.kind, Kind::Str(_)));
        doc = doc.or(own.map(|(_, v)| v.clone()));
        map = Some(Form::new(span, Kind::Map(attributes.clone())));
        at = rest;
    }
    let [dispatch, options @ ..] = at else { return Err(usage()) };
    let (mut default, mut hierarchy) =
        (Form::new(span, Kind::Keyword(Name::plain("default"))), Form::new(span, Kind::Nil));
    for pair in options.chunks(2) {
        match pair {
            [key, value] if key.is_keyword("default") => default = value.clone(),
            [key, value] if key.is_keyword("hierarchy") => hierarchy = value.clone(),
            [_, _] => {
                let e = Error::new(ErrorKind::Parse, "defmulti has the options :default and :hierarchy").at(span);
                return Err(Misuse::Hint(e));
            }
            _ => return Err(usage()),
        }
    }
    let var = Form::call(plain.span, "var", vec![plain.clone()]);
    let made = Form::call(span, "defmulti*", vec![var, dispatch.clone(), default, hierarchy]);
    let mut items = vec![match map {
        Some(map) => Form::new(name.span, Kind::Meta(Box::new(map), Box::new(name.clone()))),
        None => name.clone(),
    }];
    items.extend(doc);
    items.push(made);
    Ok(Form::call(span, "def", items))
}
