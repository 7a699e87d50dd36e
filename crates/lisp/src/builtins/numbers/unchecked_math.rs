//! Arithmetic on 32 bits that wraps around, and casts that cut instead of failing.

use super::arithmetic::cast;
use crate::builtins::args::take;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number;
use crate::value::{Builtin, Value, Width};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "unchecked-add-int",
        "x y",
        "The sum of 32-bit integers; past 32 bits it wraps around.",
        &[("(unchecked-add-int 2147483647 1)", "-2147483648")],
        &of_32_bits!(|h, a| two(h, a, i32::wrapping_add)),
    ),
    Builtin::new(
        "unchecked-subtract-int",
        "x y",
        "The difference of 32-bit integers; past 32 bits it wraps around.",
        &[("(unchecked-subtract-int 5 3)", "2")],
        &of_32_bits!(|h, a| two(h, a, i32::wrapping_sub)),
    ),
    Builtin::new(
        "unchecked-multiply-int",
        "x y",
        "The product of 32-bit integers; past 32 bits it wraps around.",
        &[("(unchecked-multiply-int 65536 65536)", "0")],
        &of_32_bits!(|h, a| two(h, a, i32::wrapping_mul)),
    ),
    Builtin::new(
        "unchecked-divide-int",
        "x y",
        "The quotient of 32-bit integers, cut toward zero.",
        &[("(unchecked-divide-int 7 2)", "3"), ("(unchecked-divide-int 1 0)", "!Divide by zero")],
        &of_32_bits!(|h, a| divided(h, a, i32::wrapping_div)),
    ),
    Builtin::new(
        "unchecked-remainder-int",
        "x y",
        "The remainder of 32-bit integers, with the sign of x.",
        &[("(unchecked-remainder-int -7 2)", "-1")],
        &of_32_bits!(|h, a| divided(h, a, i32::wrapping_rem)),
    ),
    Builtin::new(
        "unchecked-inc-int",
        "x",
        "One more; past 32 bits it wraps around.",
        &[("(unchecked-inc-int 2147483647)", "-2147483648")],
        &of_32_bits!(|h, a| one(h, a, |x| x.wrapping_add(1))),
    ),
    Builtin::new(
        "unchecked-dec-int",
        "x",
        "One less; past 32 bits it wraps around.",
        &[("(unchecked-dec-int -2147483648)", "2147483647")],
        &of_32_bits!(|h, a| one(h, a, |x| x.wrapping_sub(1))),
    ),
    Builtin::new(
        "unchecked-negate-int",
        "x",
        "The negative; of the smallest 32-bit integer that integer itself.",
        &[("(unchecked-negate-int 5)", "-5")],
        &of_32_bits!(|h, a| one(h, a, i32::wrapping_neg)),
    ),
    Builtin::new(
        "unchecked-char",
        "x",
        "The character whose code is the last 16 bits of the whole part.",
        &[("(unchecked-char 97)", "\\a"), ("(unchecked-char 65633)", "\\a")],
        &Body(character),
    ),
    Builtin::new(
        "unchecked-double",
        "x",
        "The number as a double.",
        &[("(unchecked-double 1/4)", "0.25")],
        &Body(|h, a| number::to_f64(h, crate::builtins::args::get(a, 0)).map(Value::float)),
    ),
    Builtin::new(
        "unchecked-float",
        "x",
        "The number as a float of 32 bits; too large ones are infinite.",
        &[("(unchecked-float 1e300)", "##Inf")],
        &Body(|h, a| {
            let f = number::to_f64(h, crate::builtins::args::get(a, 0))?;
            Ok(Value::float32(f as f32))
        }),
    ),
];

fn int(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result<i32> {
    match cast(h, &mut [take(a, i)], Width::W32)? {
        Value::Int(n) => Ok(n.get() as i32),
        other => Err(Interrupt::argument(i, "an integer", &other)),
    }
}

fn one(h: &mut dyn Host, a: &mut [Value], f: fn(i32) -> i32) -> Result {
    Ok(Value::integer(f(int(h, a, 0)?)))
}

fn two(h: &mut dyn Host, a: &mut [Value], f: fn(i32, i32) -> i32) -> Result {
    let (x, y) = (int(h, a, 0)?, int(h, a, 1)?);
    Ok(Value::integer(f(x, y)))
}

fn divided(h: &mut dyn Host, a: &mut [Value], f: fn(i32, i32) -> i32) -> Result {
    let (x, y) = (int(h, a, 0)?, int(h, a, 1)?);
    if y == 0 {
        return Err(Interrupt::error(ErrorKind::Arithmetic, "Divide by zero"));
    }
    Ok(Value::integer(f(x, y)))
}

fn character(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let code = match take(a, 0) {
        c @ Value::Char(_) => return Ok(c),
        Value::Float(f) => f.get() as i32 as u16,
        x => match super::arithmetic::whole(h, &x)? {
            Some(n) => n as u16,
            None => return Err(super::arithmetic::out_of_range("long", &x)),
        },
    };
    match char::from_u32(u32::from(code)) {
        Some(c) => Ok(Value::Char(c)),
        None => Err(Interrupt::bad(0, ErrorKind::Value, format!("is half of a surrogate pair, no character: {code}"))),
    }
}
