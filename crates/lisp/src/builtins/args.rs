//! How builtins look at their arguments: each helper gives the value or the error that names the parameter.

use crate::error::ErrorKind;
use crate::host::{Interrupt, Result};
use crate::value::{Keyword, Map, Str, Value};
use num_traits::ToPrimitive;

/// Argument `i`, or nil when it was not given.
pub fn get(a: &[Value], i: usize) -> &Value {
    a.get(i).unwrap_or(&Value::Nil)
}

/// Takes argument `i` out, leaving nil: the way to change a value in place when nobody else holds it.
pub fn take(a: &mut [Value], i: usize) -> Value {
    a.get_mut(i).map(std::mem::take).unwrap_or_default()
}

/// Puts a value in the place of argument `i`.
pub fn put(a: &mut [Value], i: usize, v: Value) {
    if let Some(slot) = a.get_mut(i) {
        *slot = v;
    }
}

/// A 64-bit integer; a big one that is within 64 bits is one, as where Java casts what it is given.
pub fn int(a: &[Value], i: usize) -> Result<i64> {
    match get(a, i) {
        Value::Int(n) => Ok(n.get()),
        v => within_64_bits(i, v),
    }
}

#[cold]
fn within_64_bits(i: usize, v: &Value) -> Result<i64> {
    let found = if let Value::Big(n) = v { n.to_i64() } else { None };
    found.ok_or_else(|| Interrupt::argument(i, "an integer", v))
}

/// An integer as a count: a negative one is 0, and one that is larger than any collection is the largest.
pub fn clamped(n: i64) -> usize {
    usize::try_from(n.max(0)).unwrap_or(usize::MAX)
}

/// A count or index: an integer, negative ones read as 0 as `take` and the like do.
pub fn count(a: &[Value], i: usize) -> Result<usize> {
    match get(a, i) {
        Value::Int(n) => Ok(clamped(n.get())),
        Value::Float(f) => Ok(f.get().max(0.0) as usize),
        v => Err(Interrupt::argument(i, "a number", v)),
    }
}

/// A string.
pub fn str(a: &[Value], i: usize) -> Result<&Str> {
    match get(a, i) {
        Value::Str(s) => Ok(s),
        v => Err(Interrupt::argument(i, "a string", v)),
    }
}

/// A map; nil is the empty one.
pub fn map(a: &mut [Value], i: usize) -> Result<Map> {
    match take(a, i) {
        Value::Map(m) => Ok(m),
        Value::Nil => Ok(Map::new()),
        v => Err(Interrupt::argument(i, "a map", &v)),
    }
}

/// A keyword.
pub fn keyword(a: &[Value], i: usize) -> Result<&Keyword> {
    match get(a, i) {
        Value::Keyword(k) => Ok(k),
        v => Err(Interrupt::argument(i, "a keyword", v)),
    }
}

/// An index that is out of bounds.
#[cold]
pub fn out_of_bounds(i: usize, index: i64, len: usize) -> Interrupt {
    Interrupt::bad(i, ErrorKind::Index, format!("is out of bounds: {index}, with {len} items"))
}
