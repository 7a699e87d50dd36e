//! What the transaction that runs remembers until its end.

use crate::host::{Host, Result};
use crate::value::boxed::CellId;
use crate::value::{Map, Value, Vector};

/// What a transaction keeps: what refs held before, and what it sends.
pub fn log(held: Value) -> (Map, Vector) {
    let Value::Vector(v) = held else { return Default::default() };
    match (v.get(0), v.get(1)) {
        (Some(Value::Map(before)), Some(Value::Vector(sends))) => (before.clone(), sends.clone()),
        _ => Default::default(),
    }
}

/// Keeps what is sent to an agent until the transaction that runs has succeeded; whether there is one.
///
/// # Errors
/// When fuel or memory ends.
pub fn sent_later(h: &mut dyn Host, a: &mut [Value]) -> Result<bool> {
    if h.cell_get(CellId::TRANSACTION).is_nil() {
        return Ok(false);
    }
    h.charge(8)?;
    h.reserve(256)?;
    let (before, mut sends) = log(h.cell_set(CellId::TRANSACTION, Value::Nil));
    sends.push(Value::vector(a.iter_mut().map(std::mem::take).collect()));
    h.cell_set(CellId::TRANSACTION, Value::vector(vec![Value::Map(before), Value::Vector(sends)]));
    Ok(true)
}
