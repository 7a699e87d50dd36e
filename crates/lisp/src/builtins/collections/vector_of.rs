//! Vectors whose items are all numbers of one kind, characters or booleans: what is added becomes such an item.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::ArrayKind;
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
    "vector-of",
    "t & elements",
    "A vector of items of one kind: :int :long :float :double :byte :short :char or :boolean. What is added becomes one, or is an error.",
    &[
        ("(conj (vector-of :int 1 2.5) \\a)", "[1 2 97]"),
        ("(vector-of :double 1 1/2)", "[1.0 0.5]"),
        ("(vector-of :byte 300)", "!Value out of range for byte: 300"),
        ("(vector-of :text)", "!Unrecognized type :text"),
    ],
    &Body(vector_of),
)];

fn vector_of(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let named = match get(a, 0) {
        Value::Keyword(k) => ArrayKind::ALL.into_iter().skip(1).find(|kind| k.text() == kind.item()),
        _ => None,
    };
    let Some(kind) = named else {
        let words = format!("Unrecognized type {}", crate::print::brief(get(a, 0)));
        let hint = "the types are :int :long :float :double :byte :short :char :boolean";
        return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words).hint(hint));
    };
    let items = (1..a.len()).map(|i| take(a, i)).collect();
    Ok(Value::Vector(of(h, kind, items)?))
}

/// A vector of these as items of a kind.
pub fn of(h: &mut dyn Host, kind: ArrayKind, mut items: Vec<Value>) -> Result<Vector> {
    h.charge(items.len() as u64 / 2)?;
    for slot in &mut items {
        *slot = item(h, kind, std::mem::take(slot))?;
    }
    Ok(Vector::from_vec(items).with_items_kind(kind))
}

/// A value as an item of a kind: numbers are cut to what it holds, what is out of its range is an error.
fn item(h: &mut dyn Host, kind: ArrayKind, v: Value) -> Result {
    match (kind, &v) {
        (ArrayKind::Object, _)
        | (ArrayKind::Long, Value::Int(_))
        | (ArrayKind::Double, Value::Float(_))
        | (ArrayKind::Char, Value::Char(_))
        | (ArrayKind::Boolean, Value::Bool(_)) => Ok(v),
        (ArrayKind::Int, Value::Int(n)) if i32::try_from(n.get()).is_err() => {
            Err(Interrupt::throw("ArithmeticException", ErrorKind::Arithmetic, "integer overflow")
                .hint("(vector-of :long) makes a vector of integers of 64 bits"))
        }
        (ArrayKind::Int | ArrayKind::Short | ArrayKind::Byte, Value::Nil) | (ArrayKind::Char, Value::Nil) => {
            let words = format!("a vector of {} holds no nil", kind.item());
            Err(Interrupt::throw("NullPointerException", ErrorKind::Type, words))
        }
        _ => match h.builtin(kind.item()) {
            Some(f) => h.call1(&Value::Builtin(f), v),
            None => Err(Interrupt::error(ErrorKind::Internal, format!("{} is missing", kind.item()))),
        },
    }
}

/// Adds an item at the end, as one of the vector's kind. The change is charged.
pub fn push(h: &mut dyn Host, v: &mut Vector, x: Value) -> Result<()> {
    let Some(kind) = v.items_kind() else {
        v.push(x);
        return Ok(());
    };
    let x = item(h, kind, x)?;
    v.push(x);
    *v = std::mem::take(v).with_items_kind(kind);
    Ok(())
}

/// Puts an item at `i`, as one of the vector's kind. The change is charged, and `i` is in the vector or its length.
pub fn set(h: &mut dyn Host, v: &mut Vector, i: usize, x: Value) -> Result<()> {
    let Some(kind) = v.items_kind() else {
        v.set(i, x);
        return Ok(());
    };
    let x = item(h, kind, x)?;
    v.set(i, x);
    *v = std::mem::take(v).with_items_kind(kind);
    Ok(())
}
