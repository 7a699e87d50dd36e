//! Clojure's structs: maps whose first keys are said beforehand. What says them is a vector of keys here.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::map::{Keys, RecordType};
use crate::value::{Builtin, Map, Set, Value, Vector};
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "create-struct",
        "& keys",
        "What struct and struct-map make maps of: these keys, in order.",
        &[("(struct (create-struct :a :b) 1)", "{:a 1, :b nil}")],
        &Body(|h, a| {
            if a.is_empty() {
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, "Must supply keys"));
            }
            h.charge(a.len() as u64 * 4)?;
            a.iter().try_for_each(|k| cost::key(h, k))?;
            distinct(a)?;
            Ok(Value::vector(a.iter_mut().map(std::mem::take).collect()))
        }),
    ),
    Builtin::new(
        "struct",
        "s & vals",
        "A map with the keys of s and these values; nil where they are fewer.",
        &[
            ("(do (defstruct point :x :y) (struct point 1 2))", "{:x 1, :y 2}"),
            ("(struct (create-struct :a) 1 2)", "!Too many arguments"),
        ],
        &Body(|h, a| {
            let keys = keys(a)?;
            if a.len() > keys.len() + 1 {
                let words = "Too many arguments to struct constructor";
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            }
            let values: Vec<Value> = (1..=keys.len()).map(|i| take(a, i)).collect();
            made(h, &keys, values)
        }),
    ),
    Builtin::new(
        "struct-map",
        "s & inits",
        "A map with the keys of s, and the keys and values of inits.",
        &[("(do (defstruct point :x :y) (struct-map point :y 2 :z 3))", "{:x nil, :y 2, :z 3}")],
        &Body(|h, a| {
            let keys = keys(a)?;
            let mut out = made(h, &keys, vec![Value::Nil; keys.len()])?;
            for pair in a.get_mut(1..).unwrap_or_default().chunks_mut(2) {
                let [key, v] = pair else {
                    let words = format!("No value supplied for key: {}", crate::print::brief(get(pair, 0)));
                    return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
                };
                out = super::lookup::assoc(h, out, std::mem::take(key), std::mem::take(v))?;
            }
            Ok(out)
        }),
    ),
    Builtin::new(
        "accessor",
        "s key",
        "A function that gives what a map of the struct has at key.",
        &[("(do (defstruct point :x :y) ((accessor point :y) (struct point 1 2)))", "2")],
        &Body(|h, a| {
            let keys = keys(a)?;
            if !keys.iter().any(|k| crate::value::compare::equal(k, get(a, 1))) {
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, "Not a key of struct"));
            }
            crate::builtins::functions::combinators::native(
                h,
                "accessor",
                vec![take(a, 1)],
                (1, Some(1)),
                |h, held, a| Ok(super::lookup::find(h, get(a, 0), get(held, 0))?.unwrap_or_default()),
            )
        }),
    ),
];

fn keys(a: &[Value]) -> Result<Vector> {
    match get(a, 0) {
        Value::Vector(v) => Ok(v.clone()),
        other => Err(Interrupt::argument(0, "what defstruct or create-struct made", other)),
    }
}

fn made(h: &mut dyn Host, keys: &Vector, values: Vec<Value>) -> Result {
    h.charge(keys.len() as u64 * 8)?;
    h.reserve(keys.len() as u64 * 64)?;
    for k in keys.iter() {
        cost::key(h, k)?;
    }
    let fields: Vec<Value> = keys.iter().cloned().collect();
    distinct(&fields)?;
    let made_by = RecordType { name: Value::Nil, fields: fields.clone() };
    Ok(Value::Map(Map::shaped(Keys::of_type(fields, Some(Arc::new(made_by))), values)))
}

fn distinct(keys: &[Value]) -> Result<()> {
    let mut seen = Set::new();
    if let Some(twice) = keys.iter().find(|k| !seen.insert((*k).clone())) {
        let words = format!("Duplicate key: {}", crate::print::brief(twice));
        return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
    }
    Ok(())
}

/// An empty struct has its keys, and nothing at them.
pub fn emptied(h: &mut dyn Host, m: &Map) -> Result<Option<Value>> {
    let Some(made_by) = m.struct_type() else { return Ok(None) };
    let keys: Vector = made_by.fields.iter().cloned().collect();
    made(h, &keys, vec![Value::Nil; keys.len()]).map(Some)
}

/// Refuses to take a key of a struct out of it.
pub fn check_removal(m: &Map, key: &Value) -> Result<()> {
    match m.struct_type() {
        Some(made_by) if made_by.has_field(key) => {
            Err(Interrupt::throw("RuntimeException", ErrorKind::Value, "Can't remove struct key"))
        }
        _ => Ok(()),
    }
}
