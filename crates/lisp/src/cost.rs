//! What a builtin charges before work whose size is in a value: comparing keys, copying shared arrays.

use crate::host::{Host, Result};
use crate::seq::realise;
use crate::size_cost::{compared, name};
use crate::value::Value;

pub use crate::size_cost::{change, levels, search, text, walk};

/// Makes a value ready to be a key or to be compared: realised, and its size charged. Free for names of usual length.
#[inline]
pub fn key(h: &mut dyn Host, v: &Value) -> Result<()> {
    match v {
        Value::Nil | Value::Bool(_) => Ok(()),
        Value::Keyword(k) => name(h, k.text()),
        Value::Symbol(s) => name(h, s.text()),
        Value::Int(_) | Value::Char(_) | Value::Float(_) => h.charge(1),
        // Comparing texts is a wait for memory at every level of a tree, whatever their length.
        Value::Str(s) => h.charge(3 + s.as_str().len() as u64 / 64),
        _ => {
            realise(h, v)?;
            compared(h, v)
        }
    }
}

/// As [`key`], where the way to a plain key is charged already: that of an operation with its own price.
#[inline]
pub fn wide_key(h: &mut dyn Host, v: &Value) -> Result<()> {
    match v {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Ok(()),
        Value::Keyword(k) => name(h, k.text()),
        Value::Symbol(s) => name(h, s.text()),
        Value::Str(s) => text(h, s.as_str().len()),
        _ => key(h, v),
    }
}

/// Charges finding `key` in `coll`.
#[inline]
pub fn find(h: &mut dyn Host, coll: &Value, key_of: &Value) -> Result<()> {
    let places = search(coll);
    // Keys that are texts or collections are gone into at every place.
    h.charge(match key_of {
        Value::Str(_) => places * 4,
        Value::Vector(_) | Value::Slice(_) | Value::Map(_) | Value::Set(_) | Value::Cons(_) | Value::Lazy(_) => {
            places * 12
        }
        _ => places,
    })?;
    key(h, key_of)
}
