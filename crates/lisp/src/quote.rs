//! Forms as data: what `quote`, constants and `read-string` make of what was read.

use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::limits::Limits;
use crate::regex::compile::compile;
use crate::time::Time;
use crate::value::metadata::meta_of;
use crate::value::node::on_deep_stack;
use crate::value::read_data::tagged_literal;
use crate::value::regex::Flags;
use crate::value::{Keyword, Map, Set, Symbol, Value};

/// Gives the code that a template, `` `x ``, is read as.
pub(crate) type Templates<'t> = &'t mut dyn FnMut(&Form) -> Result<Form, Error>;

/// The value of a form, evaluating nothing. A template is no data.
///
/// # Errors
/// For a regex that cannot be compiled, for a literal with a repeated key, and for a template.
pub fn value(form: &Form, limits: &Limits) -> Result<Value, Error> {
    value_with(form, limits, &mut |template| {
        Err(Error::new(ErrorKind::Parse, "` is read in programs only")
            .at(template.span)
            .hint("write the form itself, with '"))
    })
}

/// The value of a form, evaluating nothing.
///
/// # Errors
/// For a regex that cannot be compiled, for a literal with a repeated key, and what `templates` gives.
pub(crate) fn value_with(form: &Form, limits: &Limits, templates: Templates<'_>) -> Result<Value, Error> {
    let mut all = |items: &[Form]| {
        on_deep_stack(|| items.iter().map(|f| value_with(f, limits, templates)).collect::<Result<Vec<_>, _>>())
    };
    let wrapped = |ns: Option<&str>, word: &str, inner: &Form, templates: Templates<'_>| {
        let inner = on_deep_stack(|| value_with(inner, limits, templates))?;
        Ok::<_, Error>(Value::list(vec![Value::Symbol(Symbol::new(ns, word)), inner]))
    };
    Ok(match &form.kind {
        Kind::Nil => Value::Nil,
        Kind::Bool(b) => Value::Bool(*b),
        Kind::Int(i) => Value::int(*i),
        Kind::Big(b) => Value::big(b.clone()),
        Kind::Ratio(r) => Value::ratio(r.clone()),
        Kind::Decimal(d) => Value::decimal(d.clone()),
        Kind::Float(f) => Value::float(*f),
        Kind::Char(c) => Value::Char(*c),
        Kind::Str(s) => Value::str(&**s),
        Kind::Keyword(Name { ns, name }) => Value::Keyword(Keyword::new(ns.as_deref(), name)),
        Kind::Symbol(Name { ns, name }) => Value::Symbol(Symbol::new(ns.as_deref(), name)),
        Kind::List(items) => Value::list(all(items)?),
        Kind::Vector(items) => Value::vector(all(items)?),
        Kind::Set(items) => {
            let mut s = Set::new();
            for v in all(items)? {
                if !s.insert(v.clone()) {
                    return Err(duplicate(&v, form));
                }
            }
            Value::Set(s)
        }
        Kind::Map(entries) => {
            let mut m = Map::new();
            for (k, v) in entries {
                let (key, v) = on_deep_stack(|| {
                    Ok::<_, Error>((value_with(k, limits, templates)?, value_with(v, limits, templates)?))
                })?;
                if m.get(&key).is_some() {
                    return Err(duplicate(&key, k));
                }
                m.insert(key, v);
            }
            Value::Map(m)
        }
        Kind::Regex(pattern) => compile(pattern, Flags::default(), limits).map_err(|e| e.at(form.span))?,
        Kind::Uuid(u) => Value::uuid(*u),
        Kind::Time(t) => Value::time(Time::clone(t)),
        Kind::Quote(inner) => wrapped(None, "quote", inner, templates)?,
        Kind::Deref(inner) => wrapped(Some("clojure.core"), "deref", inner, templates)?,
        Kind::Unquote(inner) => wrapped(Some("clojure.core"), "unquote", inner, templates)?,
        Kind::UnquoteSplicing(inner) => wrapped(Some("clojure.core"), "unquote-splicing", inner, templates)?,
        Kind::Var(inner) => wrapped(None, "var", inner, templates)?,
        Kind::SyntaxQuote(inner) => {
            let code = templates(inner)?;
            on_deep_stack(|| value_with(&code, limits, templates))?
        }
        Kind::Embedded(v) => v.0.clone(),
        Kind::Tagged(Name { ns, name }, inner) => {
            let inner = on_deep_stack(|| value_with(inner, limits, templates))?;
            tagged_literal(Value::Symbol(Symbol::new(ns.as_deref(), name)), inner)
        }
        Kind::Lambda(items) => {
            let mut names = Names::default();
            let body = names.renamed(Value::list(all(items)?));
            Value::list(vec![Value::Symbol(Symbol::new(None, "fn*")), names.params(), body])
        }
        Kind::Meta(meta, inner) => {
            let (meta, v) = on_deep_stack(|| {
                Ok::<_, Error>((value_with(meta, limits, templates)?, value_with(inner, limits, templates)?))
            })?;
            // What is written further out is put over what is there.
            let meta = match (meta_of(&v), meta) {
                (Some(Value::Map(mut under)), Value::Map(over)) => {
                    for (k, v) in over.iter() {
                        under.insert(k.clone(), v.clone());
                    }
                    Value::Map(under)
                }
                (_, meta) => meta,
            };
            match v {
                Value::Vector(v) => Value::Vector(v.with_meta(Some(meta))),
                Value::Map(m) => Value::Map(m.with_meta(Some(meta))),
                Value::Set(s) => Value::Set(s.with_meta(Some(meta))),
                Value::Slice(s) => Value::Slice(s.with_meta(Some(meta))),
                Value::Symbol(s) => Value::Symbol(s.with_meta(Some(meta))),
                other => other,
            }
        }
    })
}

/// The parameters that stand for `%`, `%2` and `%&` when `#()` is read as data.
#[derive(Default)]
struct Names {
    most: u8,
    rest: bool,
}

impl Names {
    fn symbol(n: u8) -> Value {
        Value::Symbol(Symbol::new(None, &format!("p{n}__{n}#")))
    }

    fn rest() -> Value {
        Value::Symbol(Symbol::new(None, "rest__0#"))
    }

    fn params(&self) -> Value {
        let mut all: Vec<Value> = (1..=self.most).map(Self::symbol).collect();
        if self.rest {
            all.extend([Value::Symbol(Symbol::new(None, "&")), Self::rest()]);
        }
        Value::vector(all)
    }

    fn renamed(&mut self, v: Value) -> Value {
        on_deep_stack(|| match v {
            Value::Symbol(s) => match s.text().strip_prefix('%') {
                Some("") => self.used(1),
                Some("&") => {
                    self.rest = true;
                    Self::rest()
                }
                // More than twenty are refused where such a function is analysed.
                Some(n) => match n.parse() {
                    Ok(n @ 1..=20) => self.used(n),
                    _ => Value::Symbol(s),
                },
                None => Value::Symbol(s),
            },
            Value::Slice(s) => Value::list(s.iter().map(|v| self.renamed(v.clone())).collect()),
            Value::Vector(s) => Value::vector(s.iter().map(|v| self.renamed(v.clone())).collect()),
            Value::Set(s) => Value::set(s.iter().map(|v| self.renamed(v.clone())).collect::<Vec<_>>()),
            Value::Map(m) => {
                let entries: Vec<_> =
                    m.iter().map(|(k, v)| (self.renamed(k.clone()), self.renamed(v.clone()))).collect();
                Value::map(entries)
            }
            other => other,
        })
    }

    fn used(&mut self, n: u8) -> Value {
        self.most = self.most.max(n);
        Self::symbol(n)
    }
}

#[cold]
fn duplicate(key: &Value, form: &Form) -> Error {
    Error::new(ErrorKind::Parse, format!("Duplicate key: {}", crate::print::brief(key))).at(form.span)
}
