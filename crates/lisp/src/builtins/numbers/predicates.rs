//! Questions about numbers.

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Interrupt, Result};
use crate::number;
use crate::value::{Builtin, Value, Width};
use std::cmp::Ordering;

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "zero?",
        "num",
        "Whether the number is zero.",
        &[("(zero? 0.0)", "true"), ("(zero? nil)", "!number")],
        &Body(|_, a| signed(a, Ordering::Equal)),
    ),
    Builtin::new(
        "pos?",
        "num",
        "Whether the number is greater than zero.",
        &[("(pos? 1/2)", "true"), ("(pos? 0)", "false")],
        &Body(|_, a| signed(a, Ordering::Greater)),
    ),
    Builtin::new(
        "neg?",
        "num",
        "Whether the number is less than zero.",
        &[("(neg? -1)", "true")],
        &Body(|_, a| signed(a, Ordering::Less)),
    ),
    Builtin::new(
        "even?",
        "n",
        "Whether the integer is even.",
        &[("(even? 4)", "true"), ("(even? 1.5)", "!integer")],
        &Body(|_, a| odd(a).map(|odd| Value::Bool(!odd))),
    ),
    Builtin::new(
        "odd?",
        "n",
        "Whether the integer is odd.",
        &[("(odd? -3)", "true")],
        &Body(|_, a| odd(a).map(Value::Bool)),
    ),
    Builtin::new(
        "number?",
        "x",
        "Whether it is a number.",
        &[("(number? 1/2)", "true"), ("(number? \"1\")", "false")],
        &Body(|_, a| is(a, number::is_number)),
    ),
    Builtin::new(
        "integer?",
        "n",
        "Whether it is an integer, big or not.",
        &[("(map integer? [1 1N 1.0 1/2])", "(true true false false)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Int(_) | Value::Big(_)))),
    ),
    Builtin::new(
        "int?",
        "x",
        "Whether it is a 64-bit integer.",
        &[("(map int? [1 1N 1.0])", "(true false false)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Int(_)))),
    ),
    Builtin::new(
        "double?",
        "x",
        "Whether it is a double.",
        &[("(map double? [1 1.0 (float 1)])", "(false true false)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Float(f) if f.width() == Width::W64))),
    ),
    Builtin::new(
        "float?",
        "n",
        "Whether it is a double.",
        &[("(map float? [1 1.0])", "(false true)")],
        &Body(|_, a| is(a, is_float)),
    ),
    Builtin::new(
        "ratio?",
        "n",
        "Whether it is a ratio.",
        &[("(map ratio? [1 1/2])", "(false true)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Ratio(_)))),
    ),
    Builtin::new(
        "rational?",
        "n",
        "Whether it is an integer, a ratio or a decimal.",
        &[("(map rational? [1 1/2 1.0])", "(true true false)")],
        &Body(|_, a| is(a, |x| number::is_number(x) && !is_float(x))),
    ),
    Builtin::new(
        "pos-int?",
        "x",
        "Whether it is a 64-bit integer greater than zero.",
        &[("(map pos-int? [1 0 1.0])", "(true false false)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Int(n) if n.get() > 0))),
    ),
    Builtin::new(
        "nat-int?",
        "x",
        "Whether it is a 64-bit integer that is not negative.",
        &[("(map nat-int? [1 0 -1])", "(true true false)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Int(n) if n.get() >= 0))),
    ),
    Builtin::new(
        "neg-int?",
        "x",
        "Whether it is a 64-bit integer less than zero.",
        &[("(map neg-int? [1 0 -1])", "(false false true)")],
        &Body(|_, a| is(a, |x| matches!(x, Value::Int(n) if n.get() < 0))),
    ),
    Builtin::new(
        "NaN?",
        "num",
        "Whether the number is ##NaN.",
        &[("(NaN? ##NaN)", "true"), ("(NaN? 1)", "false")],
        &Body(|_, a| float(a, f64::is_nan)),
    ),
    Builtin::new(
        "infinite?",
        "num",
        "Whether the number is ##Inf or ##-Inf.",
        &[("(infinite? ##-Inf)", "true")],
        &Body(|_, a| float(a, f64::is_infinite)),
    ),
];

fn is(a: &[Value], test: fn(&Value) -> bool) -> Result {
    Ok(Value::Bool(test(args::get(a, 0))))
}

fn is_float(x: &Value) -> bool {
    matches!(x, Value::Float(_))
}

fn signed(a: &[Value], wanted: Ordering) -> Result {
    let x = args::get(a, 0);
    if !number::is_number(x) {
        return Err(Interrupt::argument(0, "a number", x));
    }
    Ok(Value::Bool(number::sign(x) == Some(wanted)))
}

fn odd(a: &[Value]) -> Result<bool> {
    match args::get(a, 0) {
        Value::Int(n) => Ok(n.get() & 1 == 1),
        Value::Big(n) => Ok(n.bit(0)),
        x => Err(Interrupt::argument(0, "an integer", x)),
    }
}

fn float(a: &[Value], test: fn(f64) -> bool) -> Result {
    match args::get(a, 0) {
        Value::Float(f) => Ok(Value::Bool(test(f.get()))),
        x if number::is_number(x) => Ok(Value::Bool(false)),
        x => Err(Interrupt::argument(0, "a number", x)),
    }
}
