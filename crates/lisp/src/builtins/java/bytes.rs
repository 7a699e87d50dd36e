//! Arrays of bytes as bytes.

use crate::builtins::args::get;
use crate::builtins::arrays;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::{ArrayKind, Place};
use crate::value::{Value, Width};

/// Whether an argument is an array of bytes.
pub fn is_array(v: &Value) -> bool {
    matches!(v, Value::Place(id) if id.place() == Place::Bytes)
}

/// The bytes of an argument, an array of them.
///
/// # Errors
/// When it is none, and when fuel or memory ends.
pub fn of(h: &mut dyn Host, a: &[Value], i: usize) -> Result<Vec<u8>> {
    if !is_array(get(a, i)) {
        return Err(Interrupt::argument(i, "an array of bytes", get(a, i))
            .hint("(.getBytes s) gives the bytes of a text, (byte-array [1 2]) those of numbers"));
    }
    let all = arrays::items::items(h, get(a, i), i)?;
    h.charge(all.len() as u64 / 8 + 1)?;
    h.reserve(all.len() as u64)?;
    Ok(all.iter().map(|v| if let Value::Int(n) = v { n.get().to_le_bytes()[0] } else { 0 }).collect())
}

/// A new array of bytes.
///
/// # Errors
/// When fuel or memory ends.
pub fn array(h: &mut dyn Host, bytes: &[u8]) -> Result {
    h.charge(bytes.len() as u64 / 8 + 1)?;
    h.reserve(bytes.len() as u64 * 48)?;
    let all = bytes.iter().map(|b| Value::int(b.cast_signed().into()).of_width(Width::W8));
    arrays::items::new(h, ArrayKind::Byte, all.collect())
}
