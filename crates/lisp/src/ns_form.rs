//! What `ns`, `in-ns`, `require`, `use`, `refer`, `import` and `alias` ask for, taken from how they are written: the
//! reader needs it for `::name` and `::alias/name`, analysis for everything else.

use crate::form::{Form, Kind};
use crate::span::Span;

/// One thing that such a form asks for.
pub(crate) enum Request<'f> {
    /// Definitions go to this namespace from here on.
    Enter(String, Span),
    /// A namespace is taken in.
    Load(Load<'f>),
    /// A namespace gets another name.
    Alias(String, String, Span),
    /// A class is named by its last part: `a.b.Class`.
    Class(String),
    /// A core function gets another name.
    Rename(&'f str, &'f str),
    /// It is not written as it must be.
    Malformed(Span),
}

/// A namespace that is taken in.
pub(crate) struct Load<'f> {
    /// Its name.
    pub(crate) ns: String,
    /// Where that is written.
    pub(crate) span: Span,
    /// Pairs of option and value.
    pub(crate) options: &'f [Form],
    /// Whether all of its names are taken in unless the options say which: `use` and `refer`.
    pub(crate) whole: bool,
}

impl<'f> Load<'f> {
    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> Option<&'f Form> {
        self.options.chunks(2).find_map(|pair| match pair {
            [option, value] if option.is_keyword(name) => Some(unquoted(value)),
            _ => None,
        })
    }

    /// What the namespace is to be called, and where that is written.
    pub(crate) fn alias(&self) -> Option<(String, Span)> {
        let form = self.option("as").or_else(|| self.option("as-alias"))?;
        Some((form.as_symbol()?.text(), form.span))
    }

    /// The names in a list that an option has.
    pub(crate) fn names(&self, option: &str) -> Option<Vec<&'f str>> {
        match &self.option(option)?.kind {
            Kind::Vector(items) | Kind::List(items) | Kind::Set(items) => {
                Some(items.iter().filter_map(Form::as_plain).collect())
            }
            _ => None,
        }
    }

    /// What a name is called that is taken in.
    pub(crate) fn own_name<'n>(&self, name: &'n str) -> &'n str
    where
        'f: 'n,
    {
        let Some(Form { kind: Kind::Map(renamed), .. }) = self.option("rename") else { return name };
        let entry = renamed.iter().find(|(from, _)| from.as_plain() == Some(name));
        entry.and_then(|(_, to)| to.as_plain()).unwrap_or(name)
    }
}

/// The form without the quote before it.
fn unquoted(form: &Form) -> &Form {
    match &form.kind {
        Kind::Quote(inner) => inner,
        Kind::List(items) => match items.as_slice() {
            [quote, inner] if quote.as_plain() == Some("quote") => inner,
            _ => form,
        },
        _ => form,
    }
}

/// The form without its metadata.
fn bare(form: &Form) -> &Form {
    match &form.kind {
        Kind::Meta(_, inner) => bare(inner),
        _ => form,
    }
}

/// Whether an `ns` form takes in a function of clojure.core: all but those that `(:refer-clojure :exclude [...])` names, or
/// those that `:only` names.
pub(crate) fn takes_core(args: &[Form], word: &str) -> bool {
    args.iter().all(|clause| {
        let (Kind::List(items) | Kind::Vector(items)) = &clause.kind else { return true };
        let Some((head, options)) = items.split_first() else { return true };
        if !head.is_keyword("refer-clojure") {
            return true;
        }
        let load = Load { ns: String::new(), span: clause.span, options, whole: true };
        let left_out = load.names("exclude").is_some_and(|names| names.contains(&word));
        !left_out && load.names("only").is_none_or(|names| names.contains(&word))
    })
}

/// Whether a form is one of these.
#[inline]
pub(crate) fn asks(form: &Form) -> bool {
    let Kind::List(items) = &form.kind else { return false };
    let Some(Form { kind: Kind::Symbol(name), .. }) = items.first() else { return false };
    if !matches!(name.name.as_bytes(), [b'n' | b'i' | b'a' | b'r' | b'u', _, ..]) {
        return false;
    }
    matches!(&*name.name, "ns" | "in-ns" | "alias" | "refer" | "refer-clojure" | "import" | "require" | "use")
}

/// What a form at the top of a program asks for; nothing if it is none of these.
pub(crate) fn requests(form: &Form) -> Vec<Request<'_>> {
    let Kind::List(items) = &form.kind else { return Vec::new() };
    match items.split_first() {
        Some((head, args)) => match head.as_symbol() {
            Some(name) if matches!(name.ns.as_deref(), None | Some("clojure.core")) => {
                asked(&name.name, form.span, args)
            }
            _ => Vec::new(),
        },
        None => Vec::new(),
    }
}

/// What `(word args...)` asks for.
pub(crate) fn asked<'f>(word: &str, span: Span, args: &'f [Form]) -> Vec<Request<'f>> {
    let mut out = Vec::new();
    match word {
        "ns" => match args.split_first().map(|(name, rest)| (bare(name), rest)) {
            Some((Form { kind: Kind::Symbol(name), span, .. }, clauses)) => {
                out.push(Request::Enter(name.text(), *span));
                clauses.iter().for_each(|c| clause(c, &mut out));
            }
            _ => out.push(Request::Malformed(span)),
        },
        "in-ns" => match args {
            [Form { kind: Kind::Symbol(_), .. }] => out.push(Request::Malformed(span)),
            [name] => match &unquoted(name).kind {
                Kind::Symbol(n) => out.push(Request::Enter(n.text(), name.span)),
                _ => out.push(Request::Malformed(span)),
            },
            _ => out.push(Request::Malformed(span)),
        },
        "alias" => match args {
            [alias, of] => match (&unquoted(alias).kind, &unquoted(of).kind) {
                (Kind::Symbol(a), Kind::Symbol(of)) => out.push(Request::Alias(a.text(), of.text(), span)),
                _ => out.push(Request::Malformed(span)),
            },
            _ => out.push(Request::Malformed(span)),
        },
        "refer" => match args.split_first().map(|(ns, rest)| (unquoted(ns), rest)) {
            Some((Form { kind: Kind::Symbol(ns), span, .. }, options)) => {
                out.push(Request::Load(Load { ns: ns.text(), span: *span, options, whole: true }));
            }
            _ => out.push(Request::Malformed(span)),
        },
        "refer-clojure" => core(args, &mut out),
        "import" => args.iter().for_each(|f| classes(unquoted(f), &mut out)),
        "require" | "use" => specs(args, word == "use", &mut out),
        _ => {}
    }
    out
}

/// `(:require ...)` and the like in `ns`; a docstring and a map of metadata say nothing here.
fn clause<'f>(form: &'f Form, out: &mut Vec<Request<'f>>) {
    let (Kind::List(items) | Kind::Vector(items)) = &form.kind else { return };
    let Some((head, rest)) = items.split_first() else { return };
    match &head.kind {
        Kind::Keyword(k) | Kind::Symbol(k) => match &*k.name {
            "require" => specs(rest, false, out),
            "use" => specs(rest, true, out),
            "import" => rest.iter().for_each(|f| classes(unquoted(f), out)),
            "refer-clojure" => core(rest, out),
            _ => {}
        },
        _ => {}
    }
}

fn core<'f>(options: &'f [Form], out: &mut Vec<Request<'f>>) {
    for pair in options.chunks(2) {
        if let [option, value] = pair
            && option.is_keyword("rename")
            && let Kind::Map(renamed) = &unquoted(value).kind
        {
            let names = renamed.iter().filter_map(|(from, to)| Some((from.as_plain()?, to.as_plain()?)));
            out.extend(names.map(|(from, to)| Request::Rename(from, to)));
        }
    }
}

/// `a.b.Class`, `(a.b Class ...)` or `[a.b Class ...]`.
fn classes<'f>(form: &'f Form, out: &mut Vec<Request<'f>>) {
    match &form.kind {
        Kind::Symbol(name) => out.push(Request::Class(name.text())),
        Kind::List(items) | Kind::Vector(items) => {
            let Some((Form { kind: Kind::Symbol(package), .. }, names)) = items.split_first() else { return };
            let full = names.iter().filter_map(Form::as_plain).map(|n| format!("{}.{n}", package.text()));
            out.extend(full.map(Request::Class));
        }
        _ => {}
    }
}

/// What `require` and `use` are given: names of namespaces, `[ns option value ...]`, lists of them with a common prefix,
/// and flags as `:reload`.
fn specs<'f>(forms: &'f [Form], whole: bool, out: &mut Vec<Request<'f>>) {
    forms.iter().for_each(|f| spec(unquoted(f), "", whole, out));
}

fn spec<'f>(form: &'f Form, prefix: &str, whole: bool, out: &mut Vec<Request<'f>>) {
    let full = |name: String| if prefix.is_empty() { name } else { format!("{prefix}.{name}") };
    match &form.kind {
        Kind::Keyword(_) => {}
        Kind::Symbol(n) => {
            out.push(Request::Load(Load { ns: full(n.text()), span: form.span, options: &[], whole }));
        }
        Kind::Vector(items) | Kind::List(items) => match items.split_first() {
            Some((Form { kind: Kind::Symbol(n), span, .. }, rest)) => {
                let plain = matches!(form.kind, Kind::Vector(_))
                    && rest.first().is_none_or(|f| matches!(f.kind, Kind::Keyword(_)));
                if plain {
                    out.push(Request::Load(Load { ns: full(n.text()), span: *span, options: rest, whole }));
                } else if prefix.is_empty() {
                    let prefix = n.text();
                    rest.iter().for_each(|f| spec(f, &prefix, whole, out));
                } else {
                    out.push(Request::Malformed(form.span));
                }
            }
            _ => out.push(Request::Malformed(form.span)),
        },
        _ => out.push(Request::Malformed(form.span)),
    }
}
