//! What the items of each kind of array are: where they begin, and what becomes of a value that is put there.

use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::number;
use crate::seq::PLACE_DEPTH;
use crate::value::boxed::ArrayKind;
use crate::value::{Item, Value, Width};

/// What a new array is filled with.
pub fn zero(kind: ArrayKind) -> Value {
    match kind {
        ArrayKind::Object => Value::Nil,
        ArrayKind::Boolean => Value::Bool(false),
        ArrayKind::Char => Value::Char('\0'),
        ArrayKind::Byte | ArrayKind::Short | ArrayKind::Int | ArrayKind::Long => Value::int(0).of_width(kind.width()),
        ArrayKind::Float | ArrayKind::Double => Value::float(0.0).of_width(kind.width()),
    }
}

/// The function of the core that makes an item of any number, as the constructors of arrays do.
fn cast(kind: ArrayKind) -> &'static str {
    match kind {
        ArrayKind::Byte => "unchecked-byte",
        ArrayKind::Short => "unchecked-short",
        ArrayKind::Int => "unchecked-int",
        ArrayKind::Long => "unchecked-long",
        ArrayKind::Float => "unchecked-float",
        _ => "double",
    }
}

/// A value as an item of a new array: numbers of other kinds are cut to what fits.
///
/// # Errors
/// When it is of another type.
pub fn made(h: &mut dyn Host, kind: ArrayKind, v: Value) -> Result {
    match (kind, &v) {
        (ArrayKind::Long, Value::Int(_)) | (ArrayKind::Double, Value::Float(_)) => Ok(v.of_width(Width::W64)),
        (ArrayKind::Object | ArrayKind::Boolean | ArrayKind::Char, _) => stored(h, kind, v),
        _ if number::is_number(&v) => {
            let f = core(h, cast(kind))?;
            h.call1(&f, v)
        }
        _ => Err(mismatch(kind, &v)),
    }
}

/// A value as `aset` puts it in: integers must fit, and become doubles among doubles.
///
/// # Errors
/// When it does not fit.
pub fn stored(h: &mut dyn Host, kind: ArrayKind, v: Value) -> Result {
    let within = |n: i64| {
        let (_, min, max) = kind.width().integers();
        (min..=max).contains(&n)
    };
    match (kind, &v) {
        (ArrayKind::Object, v) if v.depth() > PLACE_DEPTH => Err(item_too_deep()),
        (ArrayKind::Object, _) | (ArrayKind::Boolean, Value::Bool(_)) | (ArrayKind::Char, Value::Char(_)) => Ok(v),
        (ArrayKind::Long, Value::Int(_)) | (ArrayKind::Double, Value::Float(_)) => Ok(v.of_width(Width::W64)),
        (ArrayKind::Int | ArrayKind::Short | ArrayKind::Byte, Value::Int(n)) if within(n.get()) => {
            Ok(v.of_width(kind.width()))
        }
        (ArrayKind::Int, Value::Int(_)) => {
            Err(Interrupt::throw("ArithmeticException", ErrorKind::Arithmetic, "integer overflow")
                .hint("long-array makes an array of integers of 64 bits"))
        }
        (ArrayKind::Float, Value::Int(_) | Value::Float(_)) | (ArrayKind::Double, Value::Int(_)) => {
            let f = core(h, cast(kind))?;
            h.call1(&f, v)
        }
        _ => Err(mismatch(kind, &v)),
    }
}

/// The error of an item that is nested too deep for an array.
#[cold]
pub(super) fn item_too_deep() -> Interrupt {
    Interrupt::error(ErrorKind::Depth, format!("a value in an array is nested deeper than {PLACE_DEPTH}"))
}

#[cold]
fn mismatch(kind: ArrayKind, v: &Value) -> Interrupt {
    let words = format!("{} holds no {}", kind.name(), crate::print::brief(v));
    let stop = Interrupt::throw("IllegalArgumentException", ErrorKind::Type, words);
    match (kind, v) {
        (ArrayKind::Byte | ArrayKind::Short, Value::Int(_)) => stop.hint("it is out of the range of these integers"),
        (ArrayKind::Byte | ArrayKind::Short | ArrayKind::Int | ArrayKind::Long, v) if number::is_number(v) => {
            stop.hint("make an integer of it with long, or the array with double-array")
        }
        _ => stop.hint("object-array makes an array of any values"),
    }
}

/// The kind of array that `make-array` and `into-array` make for a type: `Long/TYPE`, `String`.
pub fn of_type(v: &Value) -> Option<ArrayKind> {
    Some(match v.class_text()? {
        "boolean" => ArrayKind::Boolean,
        "char" => ArrayKind::Char,
        "byte" => ArrayKind::Byte,
        "short" => ArrayKind::Short,
        "int" => ArrayKind::Int,
        "long" => ArrayKind::Long,
        "float" => ArrayKind::Float,
        "double" => ArrayKind::Double,
        _ => ArrayKind::Object,
    })
}
