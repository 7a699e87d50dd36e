//! Metadata: data that rides along with a collection and changes nothing about it.

use crate::builtins::args::{get, take};
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::seq_of;
use crate::value::Object;
pub use crate::value::metadata::meta_of;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Map, Symbol, Value};

/// The rows of this file.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "meta",
        "obj",
        "The metadata of a collection, a function or an atom, or nil.",
        &[("(meta (with-meta [1] {:a 1}))", "{:a 1}"), ("(meta 5)", "nil")],
        &Body(meta),
    ),
    Builtin::new(
        "with-meta",
        "obj m",
        "The same collection or function with this metadata. Symbols come back as they are: they carry none here.",
        &[("(with-meta [1] {:a 1})", "[1]"), ("(with-meta 5 {})", "!with-meta")],
        &Body(with_meta),
    ),
    Builtin::new(
        "vary-meta",
        "obj f | obj f & args",
        "The same collection with (f metadata & args) as metadata.",
        &[("(meta (vary-meta [1] assoc :k 1))", "{:k 1}")],
        &Body(vary_meta),
    ),
];

fn meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Var(name) => of_var(h, &name.clone()),
        Value::Atom(id) => Ok(crate::builtins::state::places::meta(h, *id)),
        v => Ok(meta_of(v).unwrap_or_default()),
    }
}

/// The parameter lists of a function, as they were written: `[x] [x y]`.
pub fn params(v: &Value) -> Option<String> {
    match v {
        Value::Function(f) => {
            let text = f.body()?.params();
            let many = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
            Some(many.unwrap_or(&text).to_string())
        }
        Value::Builtin(b) => Some(b.params.split('|').map(|p| format!("[{}]", p.trim())).collect::<Vec<_>>().join(" ")),
        _ => None,
    }
}

/// What `(doc name)` prints of a definition.
pub fn doc_text(name: &str, value: &Value, doc: Option<&str>) -> String {
    let doc = doc.map(|d| format!("  {d}\n")).unwrap_or_default();
    match params(value) {
        Some(params) => format!("{name}\n({params})\n{doc}"),
        None => format!("{name}\n{doc}"),
    }
}

/// What is known of the definition that a var names: `{:arglists ([x]) :doc "..." :name f}`.
fn of_var(h: &mut dyn Host, var: &Symbol) -> Result {
    let name = var.name();
    let own = if var.ns() == Some("user") { h.defined(name) } else { h.defined(var.text()) };
    let (value, doc) = match own {
        Some(found) => found,
        None => match h.builtin(if var.ns() == Some("clojure.core") { name } else { var.text() }) {
            Some(b) => (Value::Builtin(b), Some(b.doc.into())),
            None => return Ok(Value::Nil),
        },
    };
    let mut out = Map::new();
    if let Some(lists) = params(&value)
        && let Some(lists) = crate::builtins::io::edn::read(h, &format!("({lists})"))?
    {
        out.insert(Value::keyword("arglists"), lists);
    }
    if let Some(doc) = doc {
        h.charge(4)?;
        out.insert(Value::keyword("doc"), Value::str(&*doc));
    }
    out.insert(Value::keyword("name"), Value::Symbol(Symbol::new(None, name)));
    Ok(Value::Map(out))
}

/// The value with this metadata; `None` for what Clojure gives none.
pub fn attach(v: Value, meta: Option<Value>) -> std::result::Result<Value, Value> {
    Ok(match v {
        Value::Vector(v) => Value::Vector(v.with_meta(meta)),
        Value::Map(m) => Value::Map(m.with_meta(meta)),
        Value::Set(s) => Value::Set(s.with_meta(meta)),
        Value::Slice(s) => Value::Slice(s.with_meta(meta)),
        Value::Cons(c) => Value::Cons(c.with_meta(meta)),
        Value::Function(f) => Value::Function(f.with_meta(meta)),
        Value::Object(o) if o.kind == ObjectKind::Reified => {
            Value::Object(Object::new(o.kind, o.class.clone(), o.held.clone(), meta.unwrap_or_default()))
        }
        Value::Lazy(_) | Value::Symbol(_) | Value::Builtin(_) | Value::Tool(_) | Value::Atom(_) | Value::Var(_) => v,
        other => return Err(other),
    })
}

fn given(v: Value, i: usize) -> Result<Option<Value>> {
    match v {
        Value::Nil => Ok(None),
        Value::Map(_) => Ok(Some(v)),
        other => Err(Interrupt::argument(i, "a map", &other)),
    }
}

/// Charges the copy that a shared array needs.
fn charge(h: &mut dyn Host, v: &mut Value) -> Result<()> {
    match v {
        Value::Vector(v) => crate::cost::change(h, v),
        Value::Slice(s) => {
            h.charge(s.len() as u64 / 4)?;
            h.reserve(s.len() as u64 * 24)
        }
        _ => Ok(()),
    }
}

fn with_meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let meta = given(take(a, 1), 1)?;
    let v = ready(h, take(a, 0))?;
    attach(v, meta).map_err(|v| Interrupt::argument(0, "a collection or a function", &v))
}

/// Readies a value for other metadata: a sequence still to be made is asked for its first item, as in Clojure.
fn ready(h: &mut dyn Host, v: Value) -> Result {
    let mut v = match v {
        Value::Lazy(_) => match seq_of(h, v)? {
            Value::Nil => Value::empty_list(),
            made => made,
        },
        v => v,
    };
    charge(h, &mut v)?;
    Ok(v)
}

fn vary_meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut v = take(a, 0);
    let f = take(a, 1);
    let mut args = vec![meta_of(&v).unwrap_or_default()];
    args.extend(a.iter_mut().skip(2).map(std::mem::take));
    let meta = h.call(&f, &mut args)?;
    let meta = given(meta, 1)?;
    v = ready(h, v)?;
    attach(v, meta).map_err(|v| Interrupt::argument(0, "a collection or a function", &v))
}
