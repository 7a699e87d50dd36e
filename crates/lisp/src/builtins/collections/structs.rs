//! Clojure's structs: maps whose first keys are said beforehand. What says them is a vector of keys here.

use crate::builtins::args::{get, take};
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Map, Value, Vector};

/// The rows of this file.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "create-struct",
        "& keys",
        "What struct and struct-map make maps of: these keys, in order.",
        &[("(struct (create-struct :a :b) 1)", "{:a 1, :b nil}")],
        &Body(|_, a| {
            if a.is_empty() {
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, "Must supply keys"));
            }
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
    h.charge(keys.len() as u64 * 4)?;
    h.reserve(keys.len() as u64 * 64)?;
    let mut out = Map::new();
    for (k, v) in keys.iter().zip(values) {
        cost::key(h, k)?;
        out.insert(k.clone(), v);
    }
    Ok(Value::Map(out))
}
