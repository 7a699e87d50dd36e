//! Records, types and protocols as forms: `defrecord`, `deftype`, `defprotocol`, `extend-type`, `extend-protocol`, `reify`,
//! rewritten into functions of the language.

use super::desugar::{Gensym, Misuse, Rewritten};
use super::fn_forms::strip_meta;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use std::collections::HashSet;

type Methods = Vec<(Form, Vec<(Name, Vec<Form>)>)>;

fn quoted(form: Form) -> Form {
    Form::new(form.span, Kind::Quote(Box::new(form)))
}

fn keyword(span: Span, name: &str) -> Form {
    Form::new(span, Kind::Keyword(Name::plain(name)))
}

fn symbol(span: Span, name: &str) -> Form {
    Form::symbol(span, Name::plain(name))
}

fn wrong(span: Span, words: impl Into<String>, hint: &str) -> Misuse {
    Misuse::Error(Error::new(ErrorKind::Parse, words).at(span).hint(hint))
}

/// Takes `Protocol (method [params] body...)... Protocol ...` apart; bodies of one method are put together as arities.
fn methods(span: Span, mut at: &[Form]) -> Result<Methods, Misuse> {
    let mut out: Methods = Vec::new();
    while let [head, rest @ ..] = at {
        at = rest;
        match &strip_meta(head).kind {
            Kind::Symbol(_) | Kind::Nil | Kind::Embedded(_) => out.push((strip_meta(head).clone(), Vec::new())),
            Kind::List(items) => {
                let (Some((_, all)), [name, tail @ ..]) = (out.last_mut(), items.as_slice()) else {
                    return Err(Misuse::Usage(span));
                };
                let Kind::Symbol(name) = &strip_meta(name).kind else { return Err(Misuse::Usage(span)) };
                let arities: Vec<Form> = match tail.first().map(strip_meta) {
                    Some(Form { kind: Kind::Vector(_), .. }) => vec![Form::list(head.span, tail.to_vec())],
                    Some(Form { kind: Kind::List(_), .. }) => tail.to_vec(),
                    _ => {
                        return Err(wrong(
                            head.span,
                            format!("{} has no parameters", name.text()),
                            "(method [this] ...)",
                        ));
                    }
                };
                for arity in &arities {
                    let params = match &arity.kind {
                        Kind::List(items) => items.first().map(strip_meta),
                        _ => None,
                    };
                    match params.map(|p| &p.kind) {
                        Some(Kind::Vector(p)) if p.is_empty() => {
                            let words = format!("Must supply at least one argument for 'this' in: {}", name.text());
                            return Err(wrong(head.span, words, "the first parameter is the value itself"));
                        }
                        Some(Kind::Vector(p)) if p.iter().any(|p| p.as_plain() == Some("&")) => {
                            let words = format!("{}: methods take no & parameter", name.text());
                            return Err(wrong(head.span, words, "have it take a list as its last parameter"));
                        }
                        Some(Kind::Vector(_)) => {}
                        _ => return Err(Misuse::Usage(arity.span)),
                    }
                }
                match all.iter_mut().find(|m| m.0.name == name.name) {
                    Some((_, known)) => known.extend(arities),
                    None => all.push((Name::plain(&name.name), arities)),
                }
            }
            _ => return Err(Misuse::Usage(head.span)),
        }
    }
    Ok(out)
}

/// Plain symbols anywhere in a form.
fn symbols<'f>(form: &'f Form, out: &mut HashSet<&'f str>) {
    let mut work = vec![form];
    while let Some(f) = work.pop() {
        match &f.kind {
            Kind::Symbol(n) if n.ns.is_none() => {
                out.insert(&n.name);
            }
            Kind::List(v) | Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v),
            Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v])),
            Kind::Quote(f) | Kind::Deref(f) | Kind::Var(f) => work.push(f),
            Kind::Meta(m, f) => work.extend([&**m, &**f]),
            _ => {}
        }
    }
}

/// One body of a method of a type: its fields are names in it, behind its parameters; `recur` goes to it without the value.
fn arity(form: &Form, fields: &[(String, Form)], g: &mut Gensym) -> Form {
    let Kind::List(items) = &form.kind else { return form.clone() };
    let Some((params, body)) = items.split_first() else { return form.clone() };
    let Kind::Vector(params) = &strip_meta(params).kind else { return form.clone() };
    let (mut used, mut bound) = (HashSet::new(), HashSet::new());
    body.iter().for_each(|f| symbols(f, &mut used));
    params.iter().for_each(|f| symbols(f, &mut bound));
    let span = form.span;
    let this = g.next(span);
    let mut outer = Vec::new();
    for (name, read) in fields {
        let member = |before: &str| used.contains(format!("{before}{name}").as_str());
        if (used.contains(name.as_str()) || member(".") || member(".-")) && !bound.contains(name.as_str()) {
            let Kind::List(call) = &read.kind else { continue };
            // What reads a field takes the value behind its first word.
            let mut call = call.clone();
            let changes =
                matches!(call.first().map(|f| &f.kind), Some(Kind::Symbol(n)) if &*n.name == "mutable-field*");
            call.insert(1, this.clone());
            let name = symbol(span, name);
            let bound = if changes {
                Form::new(span, Kind::Meta(Box::new(keyword(span, super::scope::CELL)), Box::new(name)))
            } else {
                name
            };
            outer.extend([bound, Form::list(span, call)]);
        }
    }
    let Some((own, rest)) = params.split_first() else { return form.clone() };
    outer.extend([own.clone(), this.clone()]);
    let names: Vec<Form> = rest.iter().map(|_| g.next(span)).collect();
    let pairs: Vec<Form> = rest.iter().zip(&names).flat_map(|(p, n)| [strip_meta(p).clone(), n.clone()]).collect();
    let inner = if used.contains("recur") {
        let mut all = vec![Form::vector(span, pairs)];
        all.extend_from_slice(body);
        Form::call(span, "loop", all)
    } else {
        outer.extend(pairs);
        Form::call(span, "do", body.to_vec())
    };
    let mut all = vec![this];
    all.extend(names);
    Form::list(span, vec![Form::vector(span, all), Form::call(span, "let", vec![Form::vector(span, outer), inner])])
}

/// A map from the names of methods to functions.
fn map_of(span: Span, all: &[(Name, Vec<Form>)], fields: Option<&[(String, Form)]>, g: &mut Gensym) -> Form {
    let entries = all.iter().map(|(name, arities)| {
        let mut items = Vec::new();
        for a in arities {
            items.push(match fields {
                Some(fields) => arity(a, fields, g),
                None => a.clone(),
            });
        }
        (keyword(span, &name.name), Form::call(span, "fn", items))
    });
    let entries: Vec<_> = entries.collect();
    Form::new(span, Kind::Map(entries))
}

/// Whether methods of the type may change a field.
fn changes(field: &Form) -> bool {
    let Kind::Meta(m, inner) = &field.kind else { return false };
    let flagged = matches!(&m.kind, Kind::Map(m) if m.iter().any(|(k, _)| k.is_keyword("unsynchronized-mutable") || k.is_keyword("volatile-mutable")));
    flagged || changes(inner)
}

/// The kind of numbers, characters or booleans that a field has the hint of: `^long x`.
fn hint(field: &Form) -> Option<&str> {
    let Kind::Meta(m, _) = &field.kind else { return None };
    let Kind::Map(m) = &m.kind else { return None };
    let tag = m.iter().find(|(k, _)| k.is_keyword("tag"))?.1.as_plain()?;
    matches!(tag, "double" | "long" | "int" | "short" | "byte" | "float" | "char" | "boolean").then_some(tag)
}

/// What a constructor puts into a field: one with a hint gets a value of that kind.
fn hinted(field: &Form) -> Form {
    let (span, name) = (field.span, strip_meta(field).clone());
    match hint(field) {
        Some(tag @ ("double" | "long")) => Form::list(span, vec![Form::core(span, tag), name]),
        Some(tag) => Form::call(span, "hinted*", vec![name, Form::new(span, Kind::Str(tag.into()))]),
        None => name,
    }
}

fn typed(span: Span, a: &[Form], g: &mut Gensym, record: bool) -> Rewritten {
    let [name, fields, rest @ ..] = a else { return Err(Misuse::Usage(span)) };
    let (name, Kind::Vector(fields)) = (strip_meta(name), &strip_meta(fields).kind) else {
        return Err(Misuse::Usage(span));
    };
    let Kind::Symbol(class) = &name.kind else { return Err(Misuse::Usage(span)) };
    let (mut names, mut own, mut mutable) = (Vec::new(), Vec::new(), HashSet::new());
    for f in fields {
        if record && changes(f) {
            let words = "fields of a record never change";
            return Err(wrong(f.span, words, "define a type with deftype, or keep an atom in the field"));
        }
        match strip_meta(f).as_plain() {
            Some(name) => {
                names.push(name.to_string());
                let value = hinted(f);
                own.push(if changes(f) { Form::call(f.span, "volatile!", vec![value]) } else { value });
                if changes(f) {
                    mutable.insert(name.to_string());
                }
            }
            None => return Err(Misuse::Usage(f.span)),
        }
    }
    let mut seen = HashSet::new();
    if let Some(twice) = names.iter().find(|n| !seen.insert(n.as_str())) {
        return Err(wrong(span, format!("the field {twice} is there twice"), "give each field a name of its own"));
    }
    let mut rest = rest;
    while let [Form { kind: Kind::Keyword(_), .. }, _, more @ ..] = rest {
        rest = more;
    }
    let read = |n: &String| {
        let call = if record {
            vec![keyword(span, n)]
        } else {
            let reader = if mutable.contains(n) { "mutable-field*" } else { "field*" };
            vec![Form::core(span, reader), Form::new(span, Kind::Str(n.as_str().into()))]
        };
        (n.clone(), Form::list(span, call))
    };
    let readers: Vec<(String, Form)> = names.iter().map(read).collect();
    // A field that changes is known to the methods of the type alone.
    let key = |n: &String| match mutable.contains(n) {
        true => Form::new(span, Kind::Quote(Box::new(symbol(span, n)))),
        false => keyword(span, n),
    };
    let keys = Form::vector(span, names.iter().map(key).collect());
    let var = Form::call(span, "var", vec![name.clone()]);
    let define = Form::call(span, "defrecord*", vec![var, keys, Form::new(span, Kind::Bool(record))]);
    let mut out = vec![Form::call(span, "def", vec![name.clone(), define])];
    let proto = g.next(span);
    let mut call = vec![proto.clone()];
    call.extend(own);
    let params = names.iter().map(|n| symbol(span, n)).collect();
    let make = Form::call(
        span,
        "fn",
        vec![symbol(span, &format!("->{}", class.name)), Form::vector(span, params), Form::call(span, "record*", call)],
    );
    let mut made = vec![
        Form::vector(span, vec![proto.clone(), Form::call(span, "record-prototype*", vec![name.clone()])]),
        Form::call(span, "def", vec![symbol(span, &format!("->{}", class.name)), make]),
    ];
    if record {
        let m = symbol(span, "m");
        let mut of_map = vec![proto, m.clone()];
        if fields.iter().any(|f| hint(f).is_some()) {
            let word = |f: &Form| Form::new(span, hint(f).map_or(Kind::Nil, |tag| Kind::Str(tag.into())));
            of_map.push(Form::vector(span, fields.iter().map(word).collect()));
        }
        let call = Form::call(span, "map->record*", of_map);
        let make = Form::call(span, "fn", vec![Form::vector(span, vec![m]), call]);
        made.push(Form::call(span, "def", vec![symbol(span, &format!("map->{}", class.name)), make]));
    }
    out.push(Form::call(span, "let", made));
    let parts = bodies(span, rest, &readers, g)?;
    if let Some(parts) = parts {
        let [of, all, counts] = parts;
        out.push(Form::call(span, "implement*", vec![name.clone(), of, all, counts]));
    }
    out.push(name.clone());
    Ok(Form::call(span, "do", out))
}

/// What a type is of, its methods for each of these, and how many parameters they have; `None` where it is of nothing.
fn bodies(span: Span, rest: &[Form], fields: &[(String, Form)], g: &mut Gensym) -> Result<Option<[Form; 3]>, Misuse> {
    let (mut of, mut maps, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (name, all) in methods(span, rest)? {
        let params = |arity: &Form| match &arity.kind {
            Kind::List(items) => match items.first().map(|p| &strip_meta(p).kind) {
                Some(Kind::Vector(params)) => i64::try_from(params.len()).unwrap_or(i64::MAX),
                _ => 0,
            },
            _ => 0,
        };
        let count = |(name, arities): &(Name, Vec<Form>)| {
            let each = arities.iter().map(|a| Form::new(span, Kind::Int(params(a)))).collect();
            (keyword(span, &name.name), Form::vector(span, each))
        };
        counts.push(Form::new(span, Kind::Map(all.iter().map(count).collect())));
        maps.push(map_of(span, &all, Some(fields), g));
        of.push(name);
    }
    if of.is_empty() {
        return Ok(None);
    }
    Ok(Some([of, maps, counts].map(|all| Form::vector(span, all))))
}

/// `(defrecord Name [field...] Protocol (method [this] ...)...)`
pub(super) fn defrecord(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    typed(span, a, g, true)
}

/// `(deftype Name [field...] Protocol (method [this] ...)...)`
pub(super) fn deftype(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    typed(span, a, g, false)
}

/// `(defprotocol Name "doc" (method [this] "doc")...)`
pub(super) fn defprotocol(span: Span, a: &[Form], _: &mut Gensym) -> Rewritten {
    let [name, rest @ ..] = a else { return Err(Misuse::Usage(span)) };
    let name = strip_meta(name);
    if !matches!(name.kind, Kind::Symbol(_)) {
        return Err(Misuse::Usage(span));
    }
    let (mut doc, mut rest) = (None, rest);
    if let [text @ Form { kind: Kind::Str(_), .. }, more @ ..] = rest {
        (doc, rest) = (Some(text.clone()), more);
    }
    while let [key @ Form { kind: Kind::Keyword(_), .. }, on, more @ ..] = rest {
        if key.is_keyword("extend-via-metadata") && !matches!(on.kind, Kind::Bool(false) | Kind::Nil) {
            return Err(wrong(key.span, "protocols are not extended by metadata here", "use reify or extend-type"));
        }
        rest = more;
    }
    let (mut sigs, mut functions) = (Vec::new(), Vec::new());
    for sig in rest {
        let Kind::List(items) = &sig.kind else { return Err(Misuse::Usage(sig.span)) };
        let [method, more @ ..] = items.as_slice() else { return Err(Misuse::Usage(sig.span)) };
        let method = strip_meta(method);
        let Kind::Symbol(word) = &method.kind else { return Err(Misuse::Usage(sig.span)) };
        let (mut lists, mut counts, mut text) = (Vec::new(), Vec::new(), None);
        for part in more {
            match &strip_meta(part).kind {
                Kind::Vector(params) if params.is_empty() => {
                    let words = format!(
                        "Definition of function {} in protocol {} must take at least one arg.",
                        word.text(),
                        name.as_plain().unwrap_or_default()
                    );
                    return Err(wrong(
                        part.span,
                        words,
                        "the first parameter is the value that the function chooses by",
                    ));
                }
                Kind::Vector(params) => {
                    let plain = |p: &Form| strip_meta(p).as_plain().unwrap_or("_").to_string();
                    lists.push(format!("[{}]", params.iter().map(plain).collect::<Vec<_>>().join(" ")));
                    counts.push(i64::try_from(params.len()).unwrap_or(i64::MAX));
                }
                Kind::Str(_) => text = Some(part.clone()),
                _ => return Err(Misuse::Usage(part.span)),
            }
        }
        let (Some(min), Some(max)) = (counts.iter().min(), counts.iter().max()) else {
            return Err(Misuse::Usage(sig.span));
        };
        let shown = if lists.len() == 1 { lists.concat() } else { format!("({})", lists.join(" ")) };
        let call = format!("({} {})", word.text(), lists.join(" "));
        sigs.push(Form::new(span, Kind::Str(call.as_str().into())));
        let int = |n: i64| Form::new(span, Kind::Int(n));
        let made = Form::call(
            sig.span,
            "protocol-method*",
            vec![
                name.clone(),
                quoted(method.clone()),
                Form::new(span, Kind::Str(shown.as_str().into())),
                int(*min),
                int(*max),
            ],
        );
        let mut def = vec![method.clone()];
        def.extend(text);
        def.push(made);
        functions.push(Form::call(sig.span, "def", def));
    }
    let var = Form::call(span, "var", vec![name.clone()]);
    let made = Form::call(span, "defprotocol*", vec![var, Form::vector(span, sigs)]);
    let mut def = vec![name.clone()];
    def.extend(doc);
    def.push(made);
    let mut out = vec![Form::call(span, "def", def)];
    out.extend(functions);
    out.push(quoted(name.clone()));
    Ok(Form::call(span, "do", out))
}

/// `(extend-type Class Protocol (method [this] ...)...)`
pub(super) fn extend_type(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [class, rest @ ..] = a else { return Err(Misuse::Usage(span)) };
    let mut items = vec![class.clone()];
    for (of, all) in methods(span, rest)? {
        items.extend([of, map_of(span, &all, None, g)]);
    }
    Ok(Form::call(span, "extend", items))
}

/// `(extend-protocol Protocol Class (method [this] ...)... Class ...)`
pub(super) fn extend_protocol(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let [protocol, rest @ ..] = a else { return Err(Misuse::Usage(span)) };
    let mut out = Vec::new();
    // The first class may be computed: `(Class/forName "[B")`.
    let (computed, named) = match rest {
        [first @ Form { kind: Kind::List(_), .. }, more @ ..] => {
            let mut named = vec![Form::new(first.span, Kind::Nil)];
            named.extend_from_slice(more);
            (Some(first), named)
        }
        _ => (None, rest.to_vec()),
    };
    for (i, (class, all)) in methods(span, &named)?.into_iter().enumerate() {
        let class = computed.filter(|_| i == 0).cloned().unwrap_or(class);
        let all = map_of(span, &all, None, g);
        out.push(Form::call(span, "extend", vec![class, protocol.clone(), all]));
    }
    out.push(Form::new(span, Kind::Nil));
    Ok(Form::call(span, "do", out))
}

/// `(reify Protocol (method [this] ...)...)`
pub(super) fn reify(span: Span, a: &[Form], g: &mut Gensym) -> Rewritten {
    let nothing = || [0; 3].map(|_| Form::vector(span, Vec::new()));
    let parts = bodies(span, a, &[], g)?.unwrap_or_else(nothing);
    Ok(Form::call(span, "reify*", parts.to_vec()))
}
