//! Arithmetic, comparison and casts of numbers.

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, InterruptKind, Result, of_32_bits};
use crate::number;
use crate::value::{Builtin, Int, Value, Width};
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "+",
        "| x | x y | x y & more",
        "The sum. Past 64 bits it is an error: +' goes on with big integers.",
        &[("(+ 1 2 3)", "6"), ("(+)", "0"), ("(+ 1/2 0.5)", "1.0"), ("(+ 9223372036854775807 1)", "!overflow")],
        &Body(add),
    ),
    Builtin::new(
        "-",
        "x | x y | x y & more",
        "The difference; with one argument its negative.",
        &[("(- 10 1 2)", "7"), ("(- 5)", "-5")],
        &Body(sub),
    ),
    Builtin::new(
        "*",
        "| x | x y | x y & more",
        "The product. Past 64 bits it is an error: *' goes on with big integers.",
        &[("(* 2 3 4)", "24"), ("(*)", "1")],
        &Body(mul),
    ),
    Builtin::new(
        "/",
        "x | x y | x y & more",
        "The quotient, exact on integers: a ratio if it is not whole. Dividing by zero is an error, on doubles too, \
         unless both are written out as in (/ 1.0 0.0).",
        &[
            ("(/ 6 4)", "3/2"),
            ("(/ 6 3)", "2"),
            ("(/ 10.0 4)", "2.5"),
            ("(/ 2)", "1/2"),
            ("(/ 1 0)", "!Divide by zero"),
            ("(apply / [1.0 0.0])", "!Divide by zero"),
        ],
        &Body(div),
    ),
    Builtin::new(
        "+'",
        "| x | x y | x y & more",
        "The sum; past 64 bits a big integer.",
        &[("(+' 9223372036854775807 1)", "9223372036854775808N")],
        &Body(add_big),
    ),
    Builtin::new(
        "-'",
        "x | x y | x y & more",
        "The difference; past 64 bits a big integer.",
        &[("(-' -9223372036854775808)", "9223372036854775808N")],
        &Body(sub_big),
    ),
    Builtin::new(
        "*'",
        "| x | x y | x y & more",
        "The product; past 64 bits a big integer.",
        &[("(*' 9223372036854775807 2)", "18446744073709551614N")],
        &Body(mul_big),
    ),
    Builtin::new(
        "inc",
        "x",
        "One more.",
        &[("(inc 1)", "2"), ("(inc 1.5)", "2.5")],
        &Body(|h, a| number::inc(h, args::get(a, 0))),
    ),
    Builtin::new("dec", "x", "One less.", &[("(dec 1)", "0")], &Body(|h, a| number::dec(h, args::get(a, 0)))),
    Builtin::new(
        "inc'",
        "x",
        "One more; past 64 bits a big integer.",
        &[("(inc' 9223372036854775807)", "9223372036854775808N")],
        &Body(inc_big),
    ),
    Builtin::new("dec'", "x", "One less; past 64 bits a big integer.", &[("(dec' 5N)", "4N")], &Body(dec_big)),
    Builtin::new(
        "quot",
        "num div",
        "The quotient without its fraction.",
        &[("(quot -7 2)", "-3"), ("(quot 7.5 2)", "3.0")],
        &Body(quot),
    ),
    Builtin::new(
        "rem",
        "num div",
        "What a division leaves, with the sign of num.",
        &[("(rem -7 2)", "-1")],
        &Body(rem),
    ),
    Builtin::new(
        "mod",
        "num div",
        "What a division leaves, with the sign of div.",
        &[("(mod -7 2)", "1"), ("(mod -7.5 2)", "0.5")],
        &Body(modulo),
    ),
    Builtin::new(
        "max",
        "x | x y | x y & more",
        "The largest: the argument itself.",
        &[("(max 1 3 2)", "3"), ("(max 2 1.0)", "2")],
        &Body(max),
    ),
    Builtin::new(
        "min",
        "x | x y | x y & more",
        "The smallest: the argument itself.",
        &[("(min 1 3 2)", "1"), ("(min 1/2 0.75)", "1/2")],
        &Body(min),
    ),
    Builtin::new(
        "abs",
        "a",
        "The number without its sign.",
        &[("(abs -5)", "5"), ("(abs -1/2)", "1/2")],
        &Body(|h, a| number::abs(h, args::get(a, 0))),
    ),
    Builtin::new(
        "==",
        "x | x y | x y & more",
        "Whether the numbers are equal, whatever their kinds.",
        &[("(== 1 1.0)", "true"), ("(= 1 1.0)", "false")],
        &Body(equal),
    ),
    Builtin::new(
        "<",
        "x | x y | x y & more",
        "Whether each number is less than the next.",
        &[("(< 1 2 3)", "true"), ("(< 1 3 2)", "false")],
        &Body(less),
    ),
    Builtin::new(
        ">",
        "x | x y | x y & more",
        "Whether each number is greater than the next.",
        &[("(> 3 2 1)", "true")],
        &Body(greater),
    ),
    Builtin::new(
        "<=",
        "x | x y | x y & more",
        "Whether no number is greater than the next.",
        &[("(<= 1 1 2)", "true")],
        &Body(at_most),
    ),
    Builtin::new(
        ">=",
        "x | x y | x y & more",
        "Whether no number is less than the next.",
        &[("(>= 3 3 1)", "true")],
        &Body(at_least),
    ),
    Builtin::new(
        "unchecked-add",
        "x y",
        "The sum; past 64 bits it wraps around.",
        &[("(unchecked-add 9223372036854775807 1)", "-9223372036854775808")],
        &Body(|h, a| wrapped(h, a, i64::wrapping_add, number::add)),
    ),
    Builtin::new(
        "unchecked-subtract",
        "x y",
        "The difference; past 64 bits it wraps around.",
        &[("(unchecked-subtract 5 3)", "2")],
        &Body(|h, a| wrapped(h, a, i64::wrapping_sub, number::sub)),
    ),
    Builtin::new(
        "unchecked-multiply",
        "x y",
        "The product; past 64 bits it wraps around.",
        &[("(unchecked-multiply 9223372036854775807 2)", "-2")],
        &Body(|h, a| wrapped(h, a, i64::wrapping_mul, number::mul)),
    ),
    Builtin::new(
        "unchecked-inc",
        "x",
        "One more; past 64 bits it wraps around.",
        &[("(unchecked-inc 9223372036854775807)", "-9223372036854775808")],
        &Body(|h, a| wrapped_with(h, a, 1, i64::wrapping_add, number::add)),
    ),
    Builtin::new(
        "unchecked-dec",
        "x",
        "One less; past 64 bits it wraps around.",
        &[("(unchecked-dec -9223372036854775808)", "9223372036854775807")],
        &Body(|h, a| wrapped_with(h, a, 1, i64::wrapping_sub, number::sub)),
    ),
    Builtin::new(
        "unchecked-negate",
        "x",
        "The negative; of the smallest 64-bit integer that integer itself.",
        &[("(unchecked-negate 5)", "-5"), ("(unchecked-negate -9223372036854775808)", "-9223372036854775808")],
        &Body(unchecked_negate),
    ),
    Builtin::new("num", "x", "The number itself.", &[("(num 5)", "5")], &Body(num)),
    Builtin::new(
        "int",
        "x",
        "The whole part, as a 32-bit integer; of a character its code.",
        &[("(int 3.7)", "3"), ("(int \\a)", "97"), ("(int 7/2)", "3"), ("(int 1e10)", "!out of range for int")],
        &of_32_bits!(int),
    ),
    Builtin::new(
        "int-of-double*",
        "x",
        "What `int` of an expression that is a double wherever it is evaluated is rewritten to.",
        &[("(int 5.7)", "5"), ("(int 1e10)", "!Value out of range for int: 1.0E10")],
        &of_32_bits!(|h, a| cast(h, a, Width::W32)),
    ),
    Builtin::new(
        "long-taken*",
        "x",
        "What a parameter or an operand with the hint ^long is converted by.",
        &[
            ("((fn [^long x] x) 3.7)", "3"),
            ("((fn [^long x] x) \"a\")", "!got a string"),
            ("((fn [^long x] x) 1e30)", "!Value out of range for long"),
        ],
        &Body(|h, a| {
            primitive(a)?;
            cast(h, a, Width::W64)
        }),
    ),
    Builtin::new(
        "long-given*",
        "x",
        "What a function with the hint ^long before its parameters gives is converted by.",
        &[("((fn ^long [x] x) 3.7)", "3"), ("((fn ^long [x] x) nil)", "!got nil")],
        &Body(|h, a| {
            primitive(a)?;
            cut(h, a, Width::W64)
        }),
    ),
    Builtin::new(
        "double-taken*",
        "x",
        "What the hint ^double converts by, of parameters, operands and what a function gives.",
        &[("((fn [^double x] (/ x 2)) 3)", "1.5"), ("((fn ^double [xs] (/ (reduce + xs) (count xs))) [1 2])", "1.5")],
        &Body(|h, a| {
            primitive(a)?;
            number::to_f64(h, args::get(a, 0)).map(Value::float)
        }),
    ),
    Builtin::new(
        "long",
        "x",
        "The whole part, as a 64-bit integer; of a character its code.",
        &[("(long -3.9)", "-3"), ("(long \"5\")", "!number")],
        &Body(|h, a| cast(h, a, Width::W64)),
    ),
    Builtin::new(
        "short",
        "x",
        "The whole part, as a 16-bit integer.",
        &[("(short -5.5)", "-5"), ("(short 40000)", "!out of range for short")],
        &Body(|h, a| cast(h, a, Width::W16)),
    ),
    Builtin::new(
        "byte",
        "x",
        "The whole part, as an 8-bit integer.",
        &[("(byte 100)", "100"), ("(byte 200)", "!out of range for byte")],
        &Body(|h, a| cast(h, a, Width::W8)),
    ),
    Builtin::new(
        "unchecked-int",
        "x",
        "The last 32 bits of the whole part.",
        &[("(unchecked-int 4294967297)", "1")],
        &of_32_bits!(|h, a| cut(h, a, Width::W32)),
    ),
    Builtin::new(
        "unchecked-long",
        "x",
        "The last 64 bits of the whole part.",
        &[("(unchecked-long 5)", "5")],
        &Body(|h, a| cut(h, a, Width::W64)),
    ),
    Builtin::new(
        "unchecked-short",
        "x",
        "The last 16 bits of the whole part.",
        &[("(unchecked-short 70000)", "4464")],
        &Body(|h, a| cut(h, a, Width::W16)),
    ),
    Builtin::new(
        "unchecked-byte",
        "x",
        "The last 8 bits of the whole part.",
        &[("(unchecked-byte 300)", "44")],
        &Body(|h, a| cut(h, a, Width::W8)),
    ),
    Builtin::new(
        "double",
        "x",
        "The number as a double.",
        &[("(double 1/4)", "0.25"), ("(double 5)", "5.0")],
        &Body(|h, a| number::to_f64(h, args::get(a, 0)).map(Value::float)),
    ),
    Builtin::new(
        "float",
        "x",
        "The number as a float of 32 bits.",
        &[("(float 2/3)", "0.6666667"), ("(float 5)", "5.0")],
        &Body(float),
    ),
    Builtin::new(
        "bigint",
        "x",
        "The whole part, or the digits of a string, as a big integer.",
        &[("(bigint 5)", "5N"), ("(bigint \"123\")", "123N"), ("(bigint 7/2)", "3N")],
        &Body(bigint),
    ),
    Builtin::new(
        "rationalize",
        "num",
        "The ratio that the digits of a double or decimal say; other numbers as they are.",
        &[("(rationalize 1.1)", "11/10"), ("(rationalize 2.0)", "2N")],
        &Body(rationalize),
    ),
    Builtin::new(
        "numerator",
        "r",
        "The numerator of a ratio.",
        &[("(numerator 2/3)", "2"), ("(numerator 5)", "!ratio")],
        &Body(numerator),
    ),
    Builtin::new("denominator", "r", "The denominator of a ratio.", &[("(denominator 2/3)", "3")], &Body(denominator)),
];

type Binary = fn(&mut dyn Host, &Value, &Value) -> Result;

/// An operation on two that complains about its second operand complains about argument `i`.
#[cold]
fn placed(mut stop: Interrupt, i: usize) -> Interrupt {
    if let InterruptKind::Argument { index, .. } = stop.kind_mut()
        && *index == 1
    {
        *index = i;
    }
    stop
}

/// From left to right; a single argument only has to be a number, or nil, as in Clojure.
fn fold(h: &mut dyn Host, a: &mut [Value], op: Binary) -> Result {
    h.charge(a.len() as u64)?;
    let mut sum = args::take(a, 0);
    if a.len() == 1 && !sum.is_nil() && !number::is_number(&sum) {
        return Err(Interrupt::argument(0, "a number", &sum));
    }
    for (i, x) in a.iter().enumerate().skip(1) {
        sum = op(h, &sum, x).map_err(|stop| placed(stop, i))?;
    }
    Ok(sum)
}

fn add(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() { Ok(Value::int(0)) } else { fold(h, a, number::add) }
}

fn mul(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() { Ok(Value::int(1)) } else { fold(h, a, number::mul) }
}

fn sub(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 { number::neg(h, args::get(a, 0)) } else { fold(h, a, number::sub) }
}

fn div(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 { inverse(h, args::get(a, 0)) } else { fold(h, a, number::div) }
}

fn inverse(h: &mut dyn Host, x: &Value) -> Result {
    if number::is_number(x) { number::div(h, &Value::int(1), x) } else { Err(Interrupt::argument(0, "a number", x)) }
}

fn add_big(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() { Ok(Value::int(0)) } else { fold(h, a, number::add_big) }
}

fn mul_big(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() { Ok(Value::int(1)) } else { fold(h, a, number::mul_big) }
}

fn sub_big(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 { number::neg_big(h, args::get(a, 0)) } else { fold(h, a, number::sub_big) }
}

fn inc_big(h: &mut dyn Host, a: &mut [Value]) -> Result {
    number::add_big(h, args::get(a, 0), &Value::int(1))
}

fn dec_big(h: &mut dyn Host, a: &mut [Value]) -> Result {
    number::sub_big(h, args::get(a, 0), &Value::int(1))
}

fn quot(h: &mut dyn Host, a: &mut [Value]) -> Result {
    number::quot(h, args::get(a, 0), args::get(a, 1))
}

fn rem(h: &mut dyn Host, a: &mut [Value]) -> Result {
    number::rem(h, args::get(a, 0), args::get(a, 1))
}

fn modulo(h: &mut dyn Host, a: &mut [Value]) -> Result {
    number::modulo(h, args::get(a, 0), args::get(a, 1))
}

fn max(h: &mut dyn Host, a: &mut [Value]) -> Result {
    extreme(h, a, true)
}

fn min(h: &mut dyn Host, a: &mut [Value]) -> Result {
    extreme(h, a, false)
}

fn extreme(h: &mut dyn Host, a: &mut [Value], larger: bool) -> Result {
    h.charge(a.len() as u64)?;
    let mut best = args::take(a, 0);
    for i in 1..a.len() {
        best = number::pick(h, best, args::take(a, i), larger).map_err(|stop| placed(stop, i))?;
    }
    Ok(best)
}

/// Whether each neighbour compares to the next as asked; it ends at the first that does not.
fn chain(h: &mut dyn Host, a: &[Value], holds: fn(Ordering) -> bool) -> Result {
    for (i, (x, y)) in a.iter().zip(a.iter().skip(1)).enumerate() {
        h.charge(1)?;
        let order = number::num_compare(h, x, y).map_err(|stop| placed(stop, i + 1))?;
        if !order.is_some_and(holds) {
            return Ok(Value::Bool(false));
        }
    }
    Ok(Value::Bool(true))
}

fn equal(h: &mut dyn Host, a: &mut [Value]) -> Result {
    chain(h, a, Ordering::is_eq)
}

fn less(h: &mut dyn Host, a: &mut [Value]) -> Result {
    chain(h, a, Ordering::is_lt)
}

fn greater(h: &mut dyn Host, a: &mut [Value]) -> Result {
    chain(h, a, Ordering::is_gt)
}

fn at_most(h: &mut dyn Host, a: &mut [Value]) -> Result {
    chain(h, a, Ordering::is_le)
}

fn at_least(h: &mut dyn Host, a: &mut [Value]) -> Result {
    chain(h, a, Ordering::is_ge)
}

/// Integers wrap around; other numbers as usual.
fn wrapped(h: &mut dyn Host, a: &[Value], ints: fn(i64, i64) -> i64, others: Binary) -> Result {
    match (args::get(a, 0), args::get(a, 1)) {
        (Value::Int(x), Value::Int(y)) => Ok(Value::int(ints(x.get(), y.get()))),
        (x, y) => others(h, x, y),
    }
}

fn wrapped_with(h: &mut dyn Host, a: &[Value], by: i64, ints: fn(i64, i64) -> i64, others: Binary) -> Result {
    match args::get(a, 0) {
        Value::Int(x) => Ok(Value::int(ints(x.get(), by))),
        x => others(h, x, &Value::int(by)),
    }
}

fn unchecked_negate(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match args::get(a, 0) {
        Value::Int(x) => Ok(Value::int(x.get().wrapping_neg())),
        x => number::neg(h, x),
    }
}

/// Refuses what is no number, as a hint does: nil is no object there.
fn primitive(a: &[Value]) -> Result<()> {
    match args::get(a, 0) {
        x if number::is_number(x) => Ok(()),
        Value::Nil => {
            let stop = Interrupt::throw("NullPointerException", ErrorKind::Type, "the hint needs a number, got nil");
            Err(stop.hint("give it a number, or leave the hint away"))
        }
        x => {
            let words = format!("the hint needs a number, got {}: {}", x.kind(), crate::print::brief(x));
            Err(Interrupt::throw("ClassCastException", ErrorKind::Type, words).hint("leave the hint away"))
        }
    }
}

fn num(_: &mut dyn Host, a: &mut [Value]) -> Result {
    match args::take(a, 0) {
        x if x.is_nil() || number::is_number(&x) => Ok(x),
        x => Err(Interrupt::argument(0, "a number", &x)),
    }
}

/// The error of a cast to a kind of integer that is too small for the number.
#[cold]
pub fn out_of_range(kind: &str, x: &Value) -> Interrupt {
    let shown = match x {
        Value::Float(f) => number::java_text(f.get()),
        Value::Big(b) => number::big_text(b, 100),
        x => crate::print::brief(x),
    };
    Interrupt::error(ErrorKind::Value, format!("Value out of range for {kind}: {}", crate::error::cut(shown, 104)))
}

/// The whole part of a number, or the code of a character; `None` when it is past 64 bits.
pub fn whole(h: &mut dyn Host, x: &Value) -> Result<Option<i64>> {
    Ok(match x {
        Value::Int(n) => Some(n.get()),
        Value::Char(c) => Some(i64::from(u32::from(*c))),
        Value::Float(f) => {
            // NaN becomes 0, as in Java; 2^63 itself passes and becomes the largest integer, as in Clojure.
            let fits = f.get().is_nan() || (i64::MIN as f64..=i64::MAX as f64).contains(&f.get());
            fits.then_some(f.get() as i64)
        }
        // Looked at before it is copied: a long one is never in range.
        Value::Big(b) => b.to_i64(),
        x => number::to_big(h, x)?.and_then(|n| n.to_i64()),
    })
}

/// The whole part of a number, if it is between `min` and `max`.
pub fn cast(h: &mut dyn Host, a: &mut [Value], width: Width) -> Result {
    let (kind, min, max) = width.integers();
    let x = args::take(a, 0);
    // A double is tried with its fraction, as in Clojure: 127.5 is no byte.
    let inside =
        if let Value::Float(f) = x { f.get().is_nan() || (min as f64..=max as f64).contains(&f.get()) } else { true };
    // A decimal goes by way of a double, as in Clojure.
    let number = if let Value::Decimal(_) = x { Value::float(number::to_f64(h, &x)?) } else { x.clone() };
    match whole(h, &number)? {
        Some(n) if inside && (min..=max).contains(&n) => Ok(Value::int(n).of_width(width)),
        _ => Err(out_of_range(kind, &number)),
    }
}

/// As Clojure does it of values: first to 64 bits, then to 32.
fn int(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match cast(h, a, Width::W64)? {
        Value::Int(n) if i32::try_from(n.get()).is_err() => {
            Err(Interrupt::error(ErrorKind::Arithmetic, "integer overflow").hint("(long x) takes 64 bits"))
        }
        found => Ok(found.of_width(Width::W32)),
    }
}

/// The lowest 64 bits of an integer, below zero as two's complement has them.
fn low_bits(n: &num_bigint::BigInt) -> i64 {
    let low = n.iter_u64_digits().next().unwrap_or(0);
    (if n.sign() == num_bigint::Sign::Minus { low.wrapping_neg() } else { low }).cast_signed()
}

/// The last bits of the whole part of a number or of the code of a character.
pub fn cut(h: &mut dyn Host, a: &mut [Value], width: Width) -> Result {
    let x = args::take(a, 0);
    let n = match &x {
        Value::Big(b) => low_bits(b),
        Value::Ratio(_) | Value::Decimal(_) => match number::to_big(h, &x)? {
            Some(n) => low_bits(&n),
            None => return Err(out_of_range("long", &x)),
        },
        // Java goes from doubles to smaller integers by way of 32 bits.
        Value::Float(f) if width != Width::W64 => i64::from(f.get() as i32),
        Value::Float(f) => f.get() as i64,
        Value::Char(_) if width != Width::W32 => return Err(Interrupt::argument(0, "a number", &x)),
        x => whole(h, x)?.ok_or_else(|| out_of_range("long", x))?,
    };
    Ok(Value::Int(match width {
        Width::W8 => Int::of_width((n as i8).into(), width),
        Width::W16 => Int::of_width((n as i16).into(), width),
        Width::W32 => Int::of_width((n as i32).into(), width),
        Width::W64 => Int::new(n),
    }))
}

fn float(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = number::to_f64(h, args::get(a, 0))?;
    if (f as f32).is_infinite() {
        return Err(out_of_range("float", args::get(a, 0)));
    }
    Ok(Value::float32(f as f32))
}

pub(super) fn bigint(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = args::take(a, 0);
    match &x {
        Value::Big(_) => Ok(x),
        Value::Str(s) => match number::parse::big(h, s.as_str())? {
            Some(n) => number::cost::big(h, n),
            None => Err(number::error::not_a_number(s.as_str())),
        },
        x => match number::to_big(h, x)? {
            Some(n) => number::cost::big(h, n),
            None => Err(number::error::number_format("Infinite or NaN")),
        },
    }
}

fn rationalize(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match args::take(a, 0) {
        Value::Nil => Ok(Value::Nil),
        Value::Float(f) if f.get().is_finite() => {
            h.charge(30)?;
            number::rationalize(h, f.get())
        }
        Value::Float(_) => Err(number::error::number_format("Infinite or NaN")),
        Value::Decimal(d) => super::decimals::rational(h, &d),
        x if number::is_number(&x) => Ok(x),
        x => Err(Interrupt::argument(0, "a number", &x)),
    }
}

fn numerator(_: &mut dyn Host, a: &mut [Value]) -> Result {
    part(a, |r| r.numer())
}

fn denominator(_: &mut dyn Host, a: &mut [Value]) -> Result {
    part(a, |r| r.denom())
}

fn part(a: &[Value], of: fn(&num_rational::BigRational) -> &num_bigint::BigInt) -> Result {
    match args::get(a, 0) {
        Value::Ratio(r) => Ok(number::narrowed(Value::big(of(r).clone()))),
        x => Err(Interrupt::argument(0, "a ratio", x)),
    }
}
