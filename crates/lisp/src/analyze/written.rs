//! Forms as text, for errors.

use crate::form::{Form, Kind, Name};
use crate::value::node::on_deep_stack;

/// A form as it could be written, about as long as `most` bytes at most.
pub(super) fn text(form: &Form, most: usize) -> String {
    let mut out = String::new();
    write(form, most, 0, &mut out);
    out
}

/// Deeper than this nobody reads.
const DEPTH: usize = 40;

fn write(form: &Form, most: usize, depth: usize, out: &mut String) {
    if out.len() > most || depth > DEPTH {
        out.push_str("...");
        return;
    }
    let mut all = |open: &str, items: &mut dyn Iterator<Item = &Form>, close: &str| {
        out.push_str(open);
        for (i, item) in items.enumerate() {
            if i > 0 {
                out.push(' ');
            }
            write(item, most, depth + 1, out);
            if out.len() > most {
                return;
            }
        }
        out.push_str(close);
    };
    match &form.kind {
        Kind::List(items) => match items.as_slice() {
            [quote, one] if quote.as_plain() == Some("quote") => all("'", &mut [one].into_iter(), ""),
            items => all("(", &mut items.iter(), ")"),
        },
        Kind::Vector(items) => all("[", &mut items.iter(), "]"),
        Kind::Set(items) => all("#{", &mut items.iter(), "}"),
        Kind::Lambda(items) => all("#(", &mut items.iter(), ")"),
        Kind::Map(entries) => all("{", &mut entries.iter().flat_map(|(k, v)| [k, v]), "}"),
        Kind::Quote(f) => all("'", &mut [&**f].into_iter(), ""),
        Kind::Deref(f) => all("@", &mut [&**f].into_iter(), ""),
        Kind::Var(f) => all("#'", &mut [&**f].into_iter(), ""),
        Kind::SyntaxQuote(f) => all("`", &mut [&**f].into_iter(), ""),
        Kind::Unquote(f) => all("~", &mut [&**f].into_iter(), ""),
        Kind::UnquoteSplicing(f) => all("~@", &mut [&**f].into_iter(), ""),
        Kind::Tagged(tag, f) => all(&format!("#{} ", tag.text()), &mut [&**f].into_iter(), ""),
        Kind::Meta(_, f) => write(f, most, depth, out),
        Kind::Symbol(name) => {
            let hidden = name.ns.as_deref().is_some_and(|ns| ns == "\u{1}" || ns == "clojure.core" || ns == "user");
            out.push_str(&if hidden { name.name.to_string() } else { name.text() });
        }
        Kind::Keyword(name) => {
            out.push(':');
            out.push_str(&name.text());
        }
        Kind::Nil => out.push_str("nil"),
        Kind::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Kind::Int(i) => out.push_str(&i.to_string()),
        Kind::Float(x) => out.push_str(&x.to_string()),
        Kind::Str(s) => out.push_str(&crate::escape::quoted(s)),
        Kind::Char(c) => out.push_str(&format!("\\{c}")),
        Kind::Embedded(v) => out.push_str(&crate::print::brief(&v.0)),
        Kind::Big(_) | Kind::Ratio(_) | Kind::Decimal(_) | Kind::Regex(_) => out.push_str("..."),
        Kind::Uuid(_) | Kind::Time(_) => out.push_str("..."),
    }
}

/// What a form of the language is rewritten to as a program sees it: special forms without their namespace, and names
/// that no program can write under others.
pub(super) fn shown(form: &Form) -> Form {
    let all = |items: &[Form]| on_deep_stack(|| items.iter().map(shown).collect());
    let kind = match &form.kind {
        Kind::Symbol(Name { ns: Some(ns), name }) if &**ns == "\u{1}" => {
            Kind::Symbol(Name::plain(&format!("{name}__auto__")))
        }
        Kind::Symbol(Name { ns: Some(ns), name })
            if &**ns == "clojure.core" && crate::template::is_plain(&Name::plain(name)) =>
        {
            Kind::Symbol(Name::plain(name))
        }
        Kind::List(items) => Kind::List(all(items)),
        Kind::Vector(items) => Kind::Vector(all(items)),
        kind => kind.clone(),
    };
    Form::new(form.span, kind)
}
