//! What `into-array` takes into an array: items of one class, or numbers that fit.

use super::kinds::stored;
use crate::builtins::java::classes;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::ArrayKind;
use crate::value::{SeqKind, Value};

/// A value as an item of an array of numbers, characters or booleans: small integers and floats are cast and must be within
/// range, any other must be of the kind.
///
/// # Errors
/// When it is of another kind or does not fit.
pub fn item(h: &mut dyn Host, kind: ArrayKind, v: Value) -> Result {
    match (kind, &v) {
        (ArrayKind::Int, Value::Int(n)) if i32::try_from(n.get()).is_err() => {
            Err(Interrupt::throw("ArithmeticException", ErrorKind::Arithmetic, "integer overflow"))
        }
        (ArrayKind::Byte | ArrayKind::Short | ArrayKind::Int | ArrayKind::Float | ArrayKind::Char, _) => {
            match h.builtin(kind.item()) {
                Some(f) => h.call1(&Value::Builtin(f), v),
                None => Err(Interrupt::error(ErrorKind::Internal, format!("{} is missing", kind.item()))),
            }
        }
        (ArrayKind::Long, Value::Char(c)) => Ok(Value::int(i64::from(u32::from(*c)))),
        (ArrayKind::Double, Value::Char(c)) => Ok(Value::float(f64::from(u32::from(*c)))),
        _ => stored(h, kind, v),
    }
}

/// Checks that all items are of a class, or else of that of the first.
///
/// # Errors
/// At the first that is not.
pub fn check(h: &mut dyn Host, class: Option<&Value>, items: &[Value]) -> Result<()> {
    h.charge(items.len() as u64)?;
    let Some(first) = items.first() else { return Ok(()) };
    let class = class.and_then(Value::class_text);
    for v in items.iter().filter(|v| !v.is_nil()) {
        let fits = match class {
            Some(class) => v.is_of_own_type() || classes::is_instance(class, v).unwrap_or(true),
            None => first.is_nil() || alike(first, v),
        };
        if !fits {
            return Err(mismatch(v));
        }
    }
    Ok(())
}

/// Whether two values may be of one class.
fn alike(a: &Value, b: &Value) -> bool {
    let seq = |v: &Value| match v {
        Value::Slice(s) => s.kind != SeqKind::Queue,
        v => matches!(v, Value::Cons(_) | Value::Lazy(_)),
    };
    let function = |v: &Value| matches!(v, Value::Function(_) | Value::Builtin(_) | Value::Tool(_));
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x.width() == y.width(),
        (Value::Float(x), Value::Float(y)) => x.width() == y.width(),
        (Value::Map(x), Value::Map(y)) if x.record_type().is_none() && y.record_type().is_none() => true,
        (Value::Map(_) | Value::Object(_), Value::Map(_) | Value::Object(_)) => {
            crate::value::compare::equal(&classes::name_of_class(a), &classes::name_of_class(b))
        }
        _ => {
            std::mem::discriminant(a) == std::mem::discriminant(b) || (seq(a) && seq(b)) || (function(a) && function(b))
        }
    }
}

#[cold]
fn mismatch(v: &Value) -> Interrupt {
    let words = format!("array element type mismatch: {}", crate::print::brief(v));
    Interrupt::throw("IllegalArgumentException", ErrorKind::Type, words)
        .hint("(to-array coll) and (into-array Object coll) make arrays of values of any kind")
}
