//! Constructors of Java's small numbers and of plain objects.

use super::statics;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::map::RecordType;
use crate::value::object::ObjectKind;
use crate::value::{Builtin, Int, Map, Object, Symbol, Value, Width};
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Float.",
        "x",
        "The number with the precision of 32 bits, or the one that a string says.",
        &[("(Float. 1.5)", "1.5"), ("(Float. \"2.5\")", "2.5")],
        &Body(float),
    ),
    Builtin::new(
        "Float/valueOf",
        "x",
        "The number with the precision of 32 bits, or the one that a string says.",
        &[("(Float/valueOf \"2.5\")", "2.5")],
        &Body(float),
    ),
    Builtin::new(
        "Byte.",
        "x",
        "The 8-bit integer, or the one that a string says.",
        &[("(Byte. \"7\")", "7"), ("(Byte. \"300\")", "!out of range")],
        &Body(|h, a| small(h, a, Width::W8)),
    ),
    Builtin::new(
        "Byte/valueOf",
        "x",
        "The 8-bit integer, or the one that a string says.",
        &[("(Byte/valueOf \"7\")", "7")],
        &Body(|h, a| small(h, a, Width::W8)),
    ),
    Builtin::new(
        "Short.",
        "x",
        "The 16-bit integer, or the one that a string says.",
        &[("(Short. \"7\")", "7")],
        &Body(|h, a| small(h, a, Width::W16)),
    ),
    Builtin::new(
        "Short/valueOf",
        "x",
        "The 16-bit integer, or the one that a string says.",
        &[("(Short/valueOf \"7\")", "7")],
        &Body(|h, a| small(h, a, Width::W16)),
    ),
    Builtin::new(
        "Character.",
        "c",
        "The character.",
        &[("(Character. \\a)", "\\a")],
        &Body(|_, a| match get(a, 0) {
            Value::Char(_) => Ok(take(a, 0)),
            other => Err(Interrupt::argument(0, "a character", other)),
        }),
    ),
    Builtin::new(
        "Object.",
        "",
        "A value that is equal to itself alone.",
        &[("(= (Object.) (Object.))", "false"), ("(let [o (Object.)] (= o o))", "true")],
        &Body(|h, _| {
            h.charge(4)?;
            h.reserve(256)?;
            let class = RecordType { name: Value::Symbol(Symbol::new(None, "java.lang.Object")), fields: Vec::new() };
            let held = Value::vector(vec![Value::Map(Map::new()), Value::vector(Vec::new())]);
            Ok(Value::Object(Object::new(ObjectKind::Reified, Arc::new(class), held, Value::Nil)))
        }),
    ),
];

fn core(h: &mut dyn Host, function: &str, x: Value) -> Result {
    match h.builtin(function) {
        Some(f) => h.call1(&Value::Builtin(f), x),
        None => Err(Interrupt::error(ErrorKind::Internal, format!("{function} is missing"))),
    }
}

fn float(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = if let Value::Str(_) = get(a, 0) { statics::double_value(h, a)? } else { take(a, 0) };
    core(h, "float", x)
}

fn small(h: &mut dyn Host, a: &mut [Value], width: Width) -> Result {
    let x = match get(a, 0) {
        Value::Str(_) => statics::value_of(h, a, statics::parse_int)?,
        Value::Int(_) => take(a, 0),
        other => return Err(Interrupt::argument(0, "an integer or a string", other)),
    };
    let Value::Int(n) = x else { return Ok(x) };
    let (kind, min, max) = width.integers();
    if !(min..=max).contains(&n.get()) {
        let words = format!("{n} is out of range of a {kind}");
        return Err(Interrupt::throw("NumberFormatException", ErrorKind::Value, words));
    }
    Ok(Value::Int(Int::of_width(n.get(), width)))
}
