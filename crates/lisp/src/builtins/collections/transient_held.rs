//! What transients hold, for what reads collections.

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::boxed::Place;

/// What a transient holds, `None` for what is none. Whoever has it must let go of it before the next change, which
/// would copy it otherwise.
pub fn held(h: &mut dyn Host, v: &Value) -> Result<Option<Value>> {
    let Value::Place(id) = v else { return Ok(None) };
    if id.place() != Place::Transient {
        return Ok(None);
    }
    match h.cell_get(*id) {
        Value::Nil => Err(used_up()),
        held => Ok(Some(held)),
    }
}

/// The error of a transient that `persistent!` has ended.
#[cold]
pub fn used_up() -> Interrupt {
    let message = "Transient used after persistent! call";
    Interrupt::throw("IllegalAccessError", ErrorKind::Value, message)
        .hint("go on with the value that persistent! gave, or with a new transient of it")
}

/// Whether there is a transient of it.
pub fn editable(v: &Value) -> bool {
    match v {
        Value::Vector(v) => v.is_plain(),
        Value::Map(m) => !m.is_sorted() && m.record_type().is_none(),
        Value::Set(s) => !s.is_sorted(),
        _ => false,
    }
}
