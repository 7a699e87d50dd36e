//! Literals that are more than their parts: maps, namespaced maps, metadata, uuids, and the arguments of `#()`.

use super::error::{fault, shown};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::time::Time;

/// Highest `%` argument, as in Clojure; a higher one would make a function of that many parameters.
const ARGUMENTS: u32 = 20;

fn error(message: impl Into<String>, span: Span) -> Error {
    Error::new(ErrorKind::Parse, message).at(span)
}

/// The source text of a form, for messages.
fn text(source: &str, form: &Form) -> String {
    shown(source.get(form.span.start as usize..form.span.end as usize).unwrap_or_default())
}

/// The entries of a map, from its keys and values in turn.
pub(super) fn entries(mut forms: impl Iterator<Item = Form>) -> Vec<(Form, Form)> {
    let mut entries = Vec::with_capacity(forms.size_hint().0 / 2);
    while let (Some(key), Some(value)) = (forms.next(), forms.next()) {
        entries.push((key, value));
    }
    entries
}

/// The error of a map literal with an odd number of forms, with a guess at the key that lacks its value.
pub(super) fn odd(source: &str, forms: &[Form], span: Span) -> Error {
    let problem = error("Map literal must contain an even number of forms", span);
    let keyword = |form: &Form| matches!(form.kind, Kind::Keyword(_));
    let keyed = forms.first().is_some_and(keyword);
    let wrong = (0..forms.len()).step_by(2).find(|i| forms.get(*i).is_some_and(|form| !keyword(form)));
    let suspect = match wrong {
        // {:a 1 :b :c 2}: what is in a key's place is the value of the keyword before it, so :b has none.
        Some(i) if keyed && i >= 2 && forms.get(i - 1).is_some_and(keyword) => forms.get(i - 2),
        Some(i) if keyed => {
            return match forms.get(i) {
                Some(form) => problem.hint(format!("{} is where a key is expected", text(source, form))),
                None => problem,
            };
        }
        _ => forms.last(),
    };
    match suspect {
        Some(form) => {
            let (line, column) = form.span.line_column(source);
            problem.hint(format!("{} at line {line}, column {column} has no value", text(source, form)))
        }
        None => problem,
    }
}

/// The error of a key that occurs twice in a literal.
pub(super) fn duplicate(source: &str, first: &Form, second: &Form) -> Error {
    let key = match &second.kind {
        Kind::Keyword(Name { ns: Some(ns), name }) => shown(&format!(":{ns}/{name}")),
        _ => text(source, second),
    };
    let (line, column) = first.span.line_column(source);
    error(format!("Duplicate key: {key}"), second.span).hint(format!("it is already at line {line}, column {column}"))
}

/// A key of `#:p{...}`: without a namespace it gets `p`, with `_` it loses it. Says whether it changed. `:1` is
/// refused: Clojure makes a `:p/1` of it, which nothing can read.
pub(super) fn qualify(key: &mut Form, space: &str) -> Result<bool, Error> {
    let (Kind::Keyword(name) | Kind::Symbol(name)) = &mut key.kind else { return Ok(false) };
    match name.ns.as_deref() {
        None if name.name.starts_with(|c: char| c.is_ascii_digit()) => {
            let words = format!("Invalid token: {}", shown(&format!(":{space}/{}", name.name)));
            return Err(error(words, key.span).hint("a name behind a / begins with a letter"));
        }
        None => name.ns = Some(space.into()),
        Some("_") => name.ns = None,
        Some(_) => return Ok(false),
    }
    Ok(true)
}

/// What is after `^`, as the map it means.
pub(super) fn metadata(mut form: Form) -> Result<Form, Error> {
    let span = form.span;
    // Metadata may carry metadata, which means nothing there.
    while let Kind::Meta(_, inner) = form.kind {
        form = *inner;
    }
    let keyword = |name: &str| Form::new(span, Kind::Keyword(Name { ns: None, name: name.into() }));
    let entry = match form.kind {
        Kind::Map(_) => return Ok(form),
        Kind::Keyword(_) => (form, Form::new(span, Kind::Bool(true))),
        Kind::Symbol(_) | Kind::Str(_) => (keyword("tag"), form),
        _ => {
            return Err(error("Metadata must be Symbol, Keyword, String or Map", span)
                .hint("write ^{:key value} before the form"));
        }
    };
    Ok(Form::new(span, Kind::Map(vec![entry])))
}

/// Refuses metadata on what cannot carry it.
pub(super) fn check_carrier(form: &Form) -> Result<(), Error> {
    match form.kind {
        Kind::Symbol(_) | Kind::List(_) | Kind::Vector(_) | Kind::Map(_) | Kind::Set(_) => Ok(()),
        Kind::Quote(_) | Kind::Deref(_) | Kind::Var(_) | Kind::Lambda(_) | Kind::Meta(..) => Ok(()),
        Kind::SyntaxQuote(_) | Kind::Unquote(_) | Kind::UnquoteSplicing(_) => Ok(()),
        _ => Err(error("Metadata can only be applied to symbols and collections", form.span)
            .hint("take the ^ and what follows it out")),
    }
}

/// The uuid that the form after `#uuid` spells.
pub(super) fn uuid(form: &Form) -> Result<Kind, Error> {
    let problem = || {
        error("#uuid takes a string of 8-4-4-4-12 hexadecimal digits", form.span)
            .hint("write #uuid \"550e8400-e29b-41d4-a716-446655440000\"")
    };
    let Kind::Str(text) = &form.kind else { return Err(problem()) };
    let mut id = 0u128;
    for (place, c) in text.chars().enumerate() {
        match (place, c) {
            (8 | 13 | 18 | 23, '-') => {}
            (8 | 13 | 18 | 23, _) => return Err(problem()),
            _ => id = (id << 4) | u128::from(c.to_digit(16).ok_or_else(problem)?),
        }
    }
    if text.len() == 36 { Ok(Kind::Uuid(id)) } else { Err(problem()) }
}

/// The date or time that the form after `#inst` or `#time/date` spells.
pub(super) fn time(tag: &str, form: &Form) -> Result<Kind, Error> {
    let Kind::Str(text) = &form.kind else {
        let example = if tag == "inst" { "#inst \"2024-01-31T12:00:00Z\"" } else { "#time/date \"2024-01-31\"" };
        return Err(error(format!("#{tag} takes a string"), form.span).hint(format!("as in {example}")));
    };
    match Time::read(tag, text) {
        Ok(t) => Ok(Kind::Time(Box::new(t))),
        Err(e) => Err(error(&e.message, form.span)),
    }
}

/// The error of a tag that nobody reads.
pub(super) fn no_reader(tag: &str, span: Span) -> Error {
    error(format!("No reader function for tag {}", shown(tag)), span)
        .hint("the tags are #uuid, #keyword and #symbol, #inst, #time/date and its like; (edn/read-string {:readers {'tag f}} text) reads others")
}

/// The symbol that a tag is.
pub(super) fn tag_name(tag: &str, span: Span) -> Result<Name, Error> {
    match super::names::name(tag, !tag.contains(['/', ':'])) {
        Ok(Kind::Symbol(name)) => Ok(name),
        _ => Err(error(format!("Reader tag must be a symbol: {}", shown(tag)), span)),
    }
}

/// What `#user.Point{...}` is read as: a call that makes the record.
pub(super) fn record(name: &str, data: Form, span: Span) -> Kind {
    let quoted = |f: Form| Form::new(f.span, Kind::Quote(Box::new(f)));
    let class = Form::symbol(span, Name::plain(name));
    Form::call(span, "record-literal*", vec![quoted(class), quoted(data)]).kind
}

/// What `#keyword` or `#symbol` makes of the form behind it: a string is split at its slash as `(keyword "a/b")` does,
/// and a vector has namespace (or nil) and name apart.
pub(super) fn tagged_name(form: &Form, keyword: bool) -> Result<Kind, Error> {
    let name = match &form.kind {
        Kind::Str(text) => match text.split_once('/') {
            Some((ns, name)) if !ns.is_empty() && !name.is_empty() => {
                Some(Name { ns: Some(ns.into()), name: name.into() })
            }
            _ => Some(Name { ns: None, name: text.clone() }),
        },
        Kind::Vector(parts) => match parts.as_slice() {
            [Form { kind: Kind::Nil, .. }, Form { kind: Kind::Str(name), .. }] => {
                Some(Name { ns: None, name: name.clone() })
            }
            [Form { kind: Kind::Str(ns), .. }, Form { kind: Kind::Str(name), .. }] => {
                Some(Name { ns: Some(ns.as_str().into()), name: name.clone() })
            }
            _ => None,
        },
        _ => None,
    };
    match name {
        Some(name) if keyword => Ok(Kind::Keyword(name)),
        Some(name) => Ok(Kind::Symbol(name)),
        None => {
            let tag = if keyword { "#keyword" } else { "#symbol" };
            let message = format!("{tag} takes a string, or a vector of namespace (or nil) and name");
            Err(error(&message, form.span).hint(format!("write {tag} \"unit price\" or {tag} [\"ns\" \"unit price\"]")))
        }
    }
}

/// Checks a name inside `#()` that begins with `%`, before anyone makes parameters of it.
pub(super) fn check_argument(name: &Name, span: Span) -> Result<(), Error> {
    let argument = match (&name.ns, name.name.strip_prefix('%')) {
        (None, Some("" | "&")) => return Ok(()),
        (None, Some(digits)) if digits.bytes().all(|b| b.is_ascii_digit()) => digits,
        _ => {
            return Err(
                error("arg literal must be %, %& or %integer", span).hint("write (fn [a b] ...) to name arguments")
            );
        }
    };
    match argument.parse() {
        Ok(1..=ARGUMENTS) => Ok(()),
        Ok(0) => Err(error("%0 is no argument", span).hint("arguments count from %1")),
        _ => Err(error(format!("%{} is past the last argument, %{ARGUMENTS}", shown(argument)), span)
            .hint("take the rest of the arguments with %&")),
    }
}

/// The error of `#()` inside `#()`.
pub(super) fn nested_lambda(start: usize) -> Error {
    fault("Nested #()s are not allowed", start, start + 2).hint("write the inner one as (fn [x] ...)")
}
