//! `java.util.Objects`.

use super::equals;
use crate::builtins::args::{get, take};
use crate::builtins::arrays::items;
use crate::builtins::equality::equal;
use crate::builtins::hash_code;
use crate::builtins::io::printing::str_of;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Interrupt, of_32_bits};
use crate::value::{Builtin, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Objects/equals", "x y", "Whether both are equal as .equals says, or both nil.", &[("(java.util.Objects/equals nil nil)", "true")],
        &Body(|h, a| if get(a, 0).is_nil() { Ok(Value::Bool(get(a, 1).is_nil())) } else { equals::equals(h, a) })),
    Builtin::new("case=*", "x constant", "Whether a constant of `case` is met: by what is equal to it and has its hash in Java.", &[("(case 1.50M 1.5M :a :b)", ":b")],
        &Body(|h, a| {
            let met = equal(h, get(a, 0), get(a, 1))? && hash_code::of(h, get(a, 0))? == hash_code::of(h, get(a, 1))?;
            Ok(Value::Bool(met))
        })),
    Builtin::new("Objects/hash", "array", "Java's code of the items of an array.", &[("(java.util.Objects/hash (object-array [1 2]))", "994")],
        &of_32_bits!(|h, a| {
            let all = items::items(h, get(a, 0), 0)?;
            hash_code::of(h, &Value::Vector(all)).map(|n| Value::int(n.into()))
        })),
    Builtin::new("Objects/hashCode", "x", "As .hashCode, and 0 of nil.", &[("(java.util.Objects/hashCode nil)", "0")],
        &of_32_bits!(|h, a| hash_code::of(h, get(a, 0)).map(|n| Value::int(n.into())))),
    Builtin::new("Objects/toString", "x | x default", "The text of x; of nil \"null\" or default.", &[("(java.util.Objects/toString nil \"-\")", "\"-\""), ("(java.util.Objects/toString 5)", "\"5\"")],
        &Body(|h, a| match get(a, 0) {
            Value::Nil if a.len() > 1 => Ok(take(a, 1)),
            Value::Nil => Ok(Value::str("null")),
            x => str_of(h, x).map(Value::from),
        })),
    Builtin::new("Objects/isNull", "x", "Whether x is nil.", &[("(java.util.Objects/isNull nil)", "true")], &Body(|_, a| Ok(Value::Bool(get(a, 0).is_nil())))),
    Builtin::new("Objects/nonNull", "x", "Whether x is not nil.", &[("(java.util.Objects/nonNull nil)", "false")], &Body(|_, a| Ok(Value::Bool(!get(a, 0).is_nil())))),
    Builtin::new("Objects/requireNonNull", "x | x message", "x, or a NullPointerException where it is nil.", &[("(java.util.Objects/requireNonNull 5)", "5"), ("(java.util.Objects/requireNonNull nil \"no x\")", "!no x")],
        &Body(|_, a| match get(a, 0) {
            Value::Nil => {
                let words = get(a, 1).as_str().unwrap_or("x is nil").to_owned();
                Err(Interrupt::throw("NullPointerException", ErrorKind::Value, crate::error::cut(words, 1000)))
            }
            _ => Ok(take(a, 0)),
        })),
    Builtin::new("Objects/requireNonNullElse", "x default", "x, or default where it is nil.", &[("(java.util.Objects/requireNonNullElse nil 5)", "5")],
        &Body(|_, a| match (get(a, 0), get(a, 1)) {
            (Value::Nil, Value::Nil) => Err(Interrupt::throw("NullPointerException", ErrorKind::Value, "defaultObj")),
            (Value::Nil, _) => Ok(take(a, 1)),
            _ => Ok(take(a, 0)),
        })),
];
