//! Fields of types with the hint of a kind of numbers, characters or booleans: what is put into them when a value is made.

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::print::brief;
use crate::value::Value;

/// What a constructor puts into a field: a number of the kind, or an error.
///
/// # Errors
/// For what is none or out of its range.
pub fn constructed(h: &mut dyn Host, kind: &str, v: Value) -> Result {
    match (kind, &v) {
        ("boolean" | "char", _) => {
            strict(kind, &v)?;
            Ok(v)
        }
        ("int", Value::Int(n)) if i32::try_from(n.get()).is_err() => {
            Err(Interrupt::throw("ArithmeticException", ErrorKind::Arithmetic, "integer overflow"))
        }
        _ => match h.builtin(kind) {
            Some(f) => h.call1(&Value::Builtin(f), v),
            None => Err(Interrupt::error(ErrorKind::Internal, format!("{kind} is missing"))),
        },
    }
}

/// Checks the fields of a record that was made of a map: what is there must be of the kind already.
///
/// # Errors
/// At the first that is not.
pub fn check(h: &mut dyn Host, record: &Value, hints: &Value) -> Result<()> {
    let (Value::Map(m), Value::Vector(hints)) = (record, hints) else { return Ok(()) };
    h.charge(hints.len() as u64)?;
    let fields = m.record_type().map(|r| r.fields.clone()).unwrap_or_default();
    for (field, hint) in fields.iter().zip(hints.iter()) {
        if let Value::Str(kind) = hint {
            strict(kind.as_str(), m.get(field).unwrap_or(&Value::Nil))?;
        }
    }
    Ok(())
}

fn strict(kind: &str, v: &Value) -> Result<()> {
    let within =
        |bits: u32| matches!(v, Value::Int(n) if n.get() >= -(1i64 << (bits - 1)) && n.get() < 1i64 << (bits - 1));
    let is = match kind {
        "boolean" => matches!(v, Value::Bool(_)),
        "char" => matches!(v, Value::Char(_)),
        "float" | "double" => matches!(v, Value::Float(_)),
        "byte" => within(8),
        "short" => within(16),
        "int" => within(32),
        _ => matches!(v, Value::Int(_)),
    };
    if is {
        return Ok(());
    }
    let class = if v.is_nil() { "NullPointerException" } else { "ClassCastException" };
    let words = format!("a field with the hint {kind} holds no {}", brief(v));
    Err(Interrupt::throw(class, ErrorKind::Type, words))
}
