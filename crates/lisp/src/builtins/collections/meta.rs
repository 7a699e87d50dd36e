//! Metadata: data that rides along with a collection and changes nothing about it.

pub use super::var_meta::params;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::seq_of;
pub use crate::value::metadata::meta_of;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Value};
use crate::value::{Item, Object};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
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
        "The same collection, function or symbol with this metadata.",
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
    Builtin::new(
        "test",
        "v",
        "Calls the function under :test in the metadata of a var, and gives :ok, or :no-test where there is none.",
        &[
            ("(do (defn f {:test (fn [] (assert (= 1 (f))))} [] 1) (test #'f))", ":ok"),
            ("(do (def x 1) (test #'x))", ":no-test"),
        ],
        &Body(|h, a| {
            let meta = of(h, get(a, 0))?;
            let Value::Map(m) = meta else { return Ok(Value::keyword("no-test")) };
            let Some(f) = m.get(&Value::keyword("test")).filter(|f| f.truthy()).cloned() else {
                return Ok(Value::keyword("no-test"));
            };
            h.call(&f, &mut [])?;
            Ok(Value::keyword("ok"))
        }),
    ),
];

fn meta(h: &mut dyn Host, a: &mut [Value]) -> Result {
    of(h, get(a, 0))
}

/// The metadata of anything, vars and atoms among them; nil where there is none.
///
/// # Errors
/// Limits, and what keeps none.
pub fn of(h: &mut dyn Host, v: &Value) -> Result {
    match v {
        Value::Var(name) => super::var_meta::of_var(h, name),
        Value::Atom(id) => Ok(crate::builtins::state::places::meta(h, *id)),
        Value::Object(o) if o.kind == ObjectKind::Namespace => {
            let words = "what an ns form says of its namespace is not kept: there is no metadata of namespaces";
            Err(Interrupt::error(crate::error::ErrorKind::Denied, words).hint("keep it in a map with a name, by def"))
        }
        v => Ok(meta_of(v).unwrap_or_default()),
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
        Value::Lazy(_) | Value::Builtin(_) | Value::Tool(_) => v,
        Value::Symbol(s) => Value::Symbol(s.with_meta(meta)),
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
    within_depth(h, &meta)?;
    attach(v, meta).map_err(|v| Interrupt::argument(0, "a collection or a function", &v))
}

fn within_depth(h: &mut dyn Host, meta: &Option<Value>) -> Result<()> {
    // What carries it is nested one deeper.
    let depth = meta.as_ref().map_or(0, Item::depth);
    if depth >= h.limits().data_depth { Err(crate::host::too_deep(h.limits())) } else { Ok(()) }
}

/// Readies a value for other metadata: a sequence still to be made is asked for its first item, as in Clojure.
fn ready(h: &mut dyn Host, v: Value) -> Result {
    let mut v = match v {
        Value::Lazy(_) => match seq_of(h, v)? {
            Value::Nil => Value::empty_list(),
            made => made,
        },
        // A function of the language is one for all: metadata goes to a function that calls it.
        Value::Builtin(_) | Value::Tool(_) => crate::builtins::functions::combinators::same(h, v)?,
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
    within_depth(h, &meta)?;
    attach(v, meta).map_err(|v| Interrupt::argument(0, "a collection or a function", &v))
}
