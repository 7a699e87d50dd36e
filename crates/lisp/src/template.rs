//! Syntax quote: a template as the code that makes its form, as Clojure's reader writes it.

use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::value::node::on_deep_stack;
use std::collections::HashMap;

/// What the symbols of a template become.
pub trait Naming {
    /// A symbol that is not quoted further: with its namespace.
    fn qualified(&mut self, name: &Name) -> Name;
    /// A number that no other name of the session has.
    fn fresh(&mut self) -> u64;
    /// Takes note of so many forms that are about to be made.
    ///
    /// # Errors
    /// When they are too many: each template inside a template multiplies what is in it.
    fn count(&mut self, forms: usize, span: Span) -> Result<(), Error>;
}

/// Clojure's special forms, which have no namespace.
const SPECIAL: &[&str] = &[
    "def",
    "if",
    "do",
    "let*",
    "fn*",
    "loop*",
    "letfn*",
    "quote",
    "var",
    "recur",
    "throw",
    "try",
    "catch",
    "finally",
    "new",
    ".",
    "set!",
    "case*",
    "import*",
    "reify*",
    "deftype*",
    "monitor-enter",
    "monitor-exit",
    "&",
];

/// Whether a symbol stays as it is in every template.
pub fn is_plain(name: &Name) -> bool {
    name.ns.is_none() && (SPECIAL.contains(&&*name.name) || name.name.starts_with('.'))
}

/// The code that makes the form inside `` `form ``.
///
/// # Errors
/// For `~@` outside a collection, and when the code would be too large.
pub fn code(form: &Form, naming: &mut dyn Naming) -> Result<Form, Error> {
    Template { naming, made: HashMap::new() }.form(form)
}

struct Template<'n> {
    naming: &'n mut dyn Naming,
    /// What `x#` is called, the same all over one template.
    made: HashMap<Box<str>, Name>,
}

impl Template<'_> {
    fn form(&mut self, form: &Form) -> Result<Form, Error> {
        on_deep_stack(|| self.form_here(form))
    }

    fn form_here(&mut self, form: &Form) -> Result<Form, Error> {
        let span = form.span;
        self.naming.count(5, span)?;
        let word = |name: &str| Form::symbol(span, Name::plain(name));
        match &form.kind {
            Kind::Unquote(inner) => Ok((**inner).clone()),
            Kind::UnquoteSplicing(_) => {
                Err(Error::new(ErrorKind::Parse, "~@ is not inside a list, vector, map or set")
                    .at(span)
                    .hint("~@ puts items into the collection around it, as in `(do ~@body)"))
            }
            Kind::SyntaxQuote(inner) => {
                let inner = code(inner, self.naming)?;
                self.form(&inner)
            }
            Kind::Symbol(name) => Ok(quoted(span, Form::symbol(span, self.symbol(name)))),
            Kind::List(items) if items.is_empty() => Ok(Form::call(span, "list", Vec::new())),
            Kind::List(items) => self.sequence(span, items),
            Kind::Vector(items) => self.collection(span, "vector", items),
            Kind::Set(items) => self.collection(span, "hash-set", items),
            Kind::Map(entries) => {
                let flat: Vec<Form> = entries.iter().flat_map(|(k, v)| [k.clone(), v.clone()]).collect();
                self.collection(span, "hash-map", &flat)
            }
            Kind::Quote(inner) => self.sequence(span, &[word("quote"), (**inner).clone()]),
            Kind::Var(inner) => self.sequence(span, &[word("var"), (**inner).clone()]),
            Kind::Deref(inner) => self.sequence(span, &[Form::core(span, "deref"), (**inner).clone()]),
            Kind::Lambda(items) => {
                let read = lambda(span, items, self.naming.fresh());
                self.form(&read)
            }
            Kind::Meta(meta, inner) => {
                // What is written further out is put over what is written within.
                let (mut metas, mut inner) = (vec![self.form(meta)?], inner);
                while let Kind::Meta(meta, within) = &inner.kind {
                    metas.push(self.form(meta)?);
                    inner = within;
                }
                let made = self.form(inner)?;
                if let Kind::Unquote(_) = inner.kind {
                    return Ok(made);
                }
                metas.reverse();
                let meta = match metas.len() {
                    1 => metas.remove(0),
                    _ => Form::call(span, "merge", metas),
                };
                Ok(Form::call(span, "with-meta", vec![made, meta]))
            }
            _ => Ok(form.clone()),
        }
    }

    fn collection(&mut self, span: Span, maker: &str, items: &[Form]) -> Result<Form, Error> {
        let items = self.sequence(span, items)?;
        Ok(Form::call(span, "apply", vec![Form::core(span, maker), items]))
    }

    /// `(seq (concat (list a) b ...))`
    fn sequence(&mut self, span: Span, items: &[Form]) -> Result<Form, Error> {
        let mut parts = Vec::with_capacity(items.len());
        for item in items {
            parts.push(match &item.kind {
                Kind::UnquoteSplicing(inner) => (**inner).clone(),
                _ => Form::call(item.span, "list", vec![self.form(item)?]),
            });
        }
        Ok(Form::call(span, "seq", vec![Form::call(span, "concat", parts)]))
    }

    fn symbol(&mut self, name: &Name) -> Name {
        if is_plain(name) || name.ns.as_deref() == Some("\u{1}") {
            return name.clone();
        }
        let Some(base) = name.name.strip_suffix('#').filter(|_| name.ns.is_none()) else {
            return self.naming.qualified(name);
        };
        if let Some(made) = self.made.get(name.name.as_str()) {
            return made.clone();
        }
        let made = Name::plain(&format!("{base}__{}__auto__", self.naming.fresh()));
        self.made.insert(name.name.as_str().into(), made.clone());
        made
    }
}

fn quoted(span: Span, form: Form) -> Form {
    Form::list(span, vec![Form::symbol(span, Name::plain("quote")), form])
}

/// `#(...)` as what it is read as, `(fn* [p1__7#] ...)`.
fn lambda(span: Span, items: &[Form], number: u64) -> Form {
    let (mut most, mut rest) = (0u8, false);
    let items: Vec<Form> = items.iter().map(|i| argument_names(i, number, &mut most, &mut rest)).collect();
    let named = |name: &str| Form::symbol(span, Name::plain(name));
    let mut params: Vec<Form> = (1..=most).map(|i| named(&format!("p{i}__{number}#"))).collect();
    if rest {
        params.extend([named("&"), named(&format!("rest__{number}#"))]);
    }
    Form::list(span, vec![named("fn*"), Form::vector(span, params), Form::list(span, items)])
}

/// A form in which `%` and its kind have the names of parameters.
fn argument_names(form: &Form, number: u64, most: &mut u8, rest: &mut bool) -> Form {
    let mut all = |items: &[Form]| -> Vec<Form> {
        on_deep_stack(|| items.iter().map(|i| argument_names(i, number, most, rest)).collect())
    };
    let one = |mut items: Vec<Form>| items.pop().map(Box::new);
    let kind = match &form.kind {
        Kind::Symbol(name) if name.ns.is_none() && name.name.starts_with('%') => {
            let n = match name.name.get(1..).unwrap_or_default() {
                "&" => {
                    *rest = true;
                    return Form::symbol(form.span, Name::plain(&format!("rest__{number}#")));
                }
                "" => 1,
                digits => digits.parse().unwrap_or(1u8).clamp(1, 20),
            };
            *most = (*most).max(n);
            Kind::Symbol(Name::plain(&format!("p{n}__{number}#")))
        }
        Kind::List(items) => Kind::List(all(items)),
        Kind::Vector(items) => Kind::Vector(all(items)),
        Kind::Set(items) => Kind::Set(all(items)),
        Kind::Map(entries) => {
            let mut flat = Vec::with_capacity(entries.len());
            for (k, v) in entries {
                let mut pair = all(&[k.clone(), v.clone()]).into_iter();
                flat.extend(pair.next().zip(pair.next()));
            }
            Kind::Map(flat)
        }
        kind => {
            let (wrap, inner): (fn(Box<Form>) -> Kind, &Form) = match kind {
                Kind::Quote(f) => (Kind::Quote, f),
                Kind::Deref(f) => (Kind::Deref, f),
                Kind::Var(f) => (Kind::Var, f),
                Kind::Unquote(f) => (Kind::Unquote, f),
                Kind::UnquoteSplicing(f) => (Kind::UnquoteSplicing, f),
                Kind::SyntaxQuote(f) => (Kind::SyntaxQuote, f),
                _ => return form.clone(),
            };
            match one(all(std::slice::from_ref(inner))) {
                Some(inner) => wrap(inner),
                None => return form.clone(),
            }
        }
    };
    Form::new(form.span, kind)
}
