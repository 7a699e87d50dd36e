//! Forms as data: what `quote`, constants and `read-string` make of what was read.

use crate::builtins::regex::compile_text;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::limits::Limits;
use crate::value::node::on_deep_stack;
use crate::value::{Keyword, Map, Set, Symbol, Value};
use std::sync::Arc;

/// The value of a form, evaluating nothing.
///
/// # Errors
/// For a regex that cannot be compiled, and for a literal with a repeated key.
pub fn value(form: &Form, limits: &Limits) -> Result<Value, Error> {
    let all = |items: &[Form]| on_deep_stack(|| items.iter().map(|f| value(f, limits)).collect::<Result<Vec<_>, _>>());
    let wrapped = |word: &str, inner: &Form| {
        let inner = on_deep_stack(|| value(inner, limits))?;
        Ok(Value::list(vec![Value::Symbol(Symbol::new(None, word)), inner]))
    };
    Ok(match &form.kind {
        Kind::Nil => Value::Nil,
        Kind::Bool(b) => Value::Bool(*b),
        Kind::Int(i) => Value::Int(*i),
        Kind::Big(b) => Value::big(b.clone()),
        Kind::Ratio(r) => Value::ratio(r.clone()),
        Kind::Float(f) => Value::Float(*f),
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
                let (key, v) = on_deep_stack(|| Ok::<_, Error>((value(k, limits)?, value(v, limits)?)))?;
                if m.get(&key).is_some() {
                    return Err(duplicate(&key, k));
                }
                m.insert(key, v);
            }
            Value::Map(m)
        }
        Kind::Regex(pattern) => compile_text(pattern, limits).map_err(|e| e.at(form.span))?,
        Kind::Uuid(u) => Value::Uuid(Arc::new(*u)),
        Kind::Quote(inner) => wrapped("quote", inner)?,
        Kind::Deref(inner) => {
            let inner = on_deep_stack(|| value(inner, limits))?;
            Value::list(vec![Value::Symbol(Symbol::new(Some("clojure.core"), "deref")), inner])
        }
        Kind::Var(inner) => wrapped("var", inner)?,
        Kind::Lambda(items) => {
            let body = Value::list(all(items)?);
            Value::list(vec![Value::Symbol(Symbol::new(None, "fn*")), Value::vector(Vec::new()), body])
        }
        Kind::Meta(meta, inner) => {
            let (meta, v) = on_deep_stack(|| Ok::<_, Error>((value(meta, limits)?, value(inner, limits)?)))?;
            match v {
                Value::Vector(v) => Value::Vector(v.with_meta(Some(meta))),
                Value::Map(m) => Value::Map(m.with_meta(Some(meta))),
                Value::Set(s) => Value::Set(s.with_meta(Some(meta))),
                Value::Slice(s) => Value::Slice(s.with_meta(Some(meta))),
                other => other,
            }
        }
    })
}

#[cold]
fn duplicate(key: &Value, form: &Form) -> Error {
    Error::new(ErrorKind::Parse, format!("Duplicate key: {}", crate::print::brief(key))).at(form.span)
}
