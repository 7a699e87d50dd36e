//! `Math/...` and `clojure.math/...`: a closed list. They take every kind of number.

pub use crate::builtins::java::statics::{CONSTANTS, constant};

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number;
use crate::value::{Builtin, Value, Width};
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// Functions of one double, under both names.
macro_rules! of_one {
    ($($java:literal $clojure:literal $doc:literal $x:literal $y:literal $f:expr;)*) => {
        &[$(
            Builtin::new(concat!("Math/", $java), "a", $doc, &[(concat!("(Math/", $java, " ", $x, ")"), $y)], &Body(|h, a| one(h, a, $f))),
            Builtin::new(concat!("clojure.math/", $clojure), "a", $doc, &[(concat!("(clojure.math/", $clojure, " ", $x, ")"), $y)], &Body(|h, a| one(h, a, $f))),
        )*]
    };
}

/// Rows with a body of their own, under both names.
macro_rules! of_both {
    ($($java:literal $clojure:literal $params:literal $doc:literal $x:literal $y:literal $body:expr;)*) => {
        &[$(
            Builtin::new(concat!("Math/", $java), $params, $doc, &[(concat!("(Math/", $java, $x, ")"), $y)], &Body($body)),
            Builtin::new(concat!("clojure.math/", $clojure), $params, $doc, &[(concat!("(clojure.math/", $clojure, $x, ")"), $y)], &Body($body)),
        )*]
    };
}

/// The rows of functions of one double.
pub const ONE: &[BuiltinRow] = of_one! {
    "sqrt" "sqrt" "The square root." "16" "4.0" f64::sqrt;
    "cbrt" "cbrt" "The cube root." "27" "3.0" f64::cbrt;
    "floor" "floor" "The next whole number below, as a double." "-2.5" "-3.0" f64::floor;
    "ceil" "ceil" "The next whole number above, as a double." "2.1" "3.0" f64::ceil;
    "rint" "rint" "The nearest whole number, of two the even one, as a double." "2.5" "2.0" f64::round_ties_even;
    "exp" "exp" "e to the power of a." "0" "1.0" f64::exp;
    "expm1" "expm1" "e to the power of a, less one." "0" "0.0" f64::exp_m1;
    "log" "log" "The natural logarithm." "1" "0.0" f64::ln;
    "log10" "log10" "The logarithm to base ten." "1000" "3.0" f64::log10;
    "log1p" "log1p" "The natural logarithm of one more." "0" "0.0" f64::ln_1p;
    "sin" "sin" "The sine of an angle in radians." "0" "0.0" f64::sin;
    "cos" "cos" "The cosine of an angle in radians." "0" "1.0" f64::cos;
    "tan" "tan" "The tangent of an angle in radians." "0" "0.0" f64::tan;
    "asin" "asin" "The angle with this sine." "0" "0.0" f64::asin;
    "acos" "acos" "The angle with this cosine." "1" "0.0" f64::acos;
    "atan" "atan" "The angle with this tangent." "0" "0.0" f64::atan;
    "sinh" "sinh" "The hyperbolic sine." "0" "0.0" f64::sinh;
    "cosh" "cosh" "The hyperbolic cosine." "0" "1.0" f64::cosh;
    "tanh" "tanh" "The hyperbolic tangent." "0" "0.0" f64::tanh;
    "toDegrees" "to-degrees" "Radians as degrees." "1" "57.29577951308232" |x| x * 57.295_779_513_082_32;
    "toRadians" "to-radians" "Degrees as radians." "180" "3.141592653589793" |x| x * 0.017_453_292_519_943_295;
    "signum" "signum" "1.0, -1.0, or a zero as it is." "-2.5" "-1.0" |x| if x == 0.0 || x.is_nan() { x } else { x.signum() };
    "nextUp" "next-up" "The next double above." "1.0" "1.0000000000000002" f64::next_up;
    "nextDown" "next-down" "The next double below." "1.0" "0.9999999999999999" f64::next_down;
    "ulp" "ulp" "The distance to the next larger double." "1.0" "2.220446049250313E-16" ulp;
};

/// As Java: of the largest double the distance to the one below, of infinities infinity.
fn ulp(x: f64) -> f64 {
    let x = x.abs();
    match x.next_up() {
        _ if x.is_infinite() => x,
        next if next.is_infinite() => x - x.next_down(),
        next => next - x,
    }
}

/// The rows with bodies of their own.
pub const BOTH: &[BuiltinRow] = of_both! {
    "round" "round" "a" "The nearest integer, of two the greater." " 2.5" "3" round;
    "pow" "pow" "a b" "a to the power of b, as a double." " 2 10" "1024.0" |h, a| two(h, a, pow);
    "atan2" "atan2" "y x" "The angle of the point (x, y)." " 0 1" "0.0" |h, a| two(h, a, f64::atan2);
    "hypot" "hypot" "x y" "The length of the hypotenuse." " 3 4" "5.0" |h, a| two(h, a, f64::hypot);
    "nextAfter" "next-after" "start direction" "The next double from start on in the direction of another." " 1.0 2" "1.0000000000000002" |h, a| two(h, a, next_after);
    "getExponent" "get-exponent" "d" "The exponent of a double, a power of two." " 10.0" "3" |h, a| {
        let bits = number::to_f64(h, args::get(a, 0))?.to_bits();
        Ok(Value::integer(i32::try_from(bits >> 52 & 0x7ff).unwrap_or_default() - 1023))
    };
    "scalb" "scalb" "d scaleFactor" "The number times a power of two." " 1.5 4" "24.0" |h, a| two(h, a, scalb);
    "copySign" "copy-sign" "magnitude sign" "The first with the sign of the second." " 1.0 -2.0" "-1.0" |h, a| two(h, a, f64::copysign);
    "IEEEremainder" "IEEE-remainder" "dividend divisor" "What is left when the nearest multiple is taken away." " 5 3" "-1.0" |h, a| two(h, a, remainder);
    "floorDiv" "floor-div" "x y" "The quotient rounded down." " -7 2" "-4" |_, a| floored(a, floor_div);
    "floorMod" "floor-mod" "x y" "What a division leaves, with the sign of y." " -7 2" "1" |_, a| floored(a, floor_mod);
    "addExact" "add-exact" "x y" "The sum of integers, or an error." " 1 2" "3" |_, a| exact(a, i64::checked_add);
    "subtractExact" "subtract-exact" "x y" "The difference of integers, or an error." " 3 2" "1" |_, a| exact(a, i64::checked_sub);
    "multiplyExact" "multiply-exact" "x y" "The product of integers, or an error." " 3 4" "12" |_, a| exact(a, i64::checked_mul);
    "negateExact" "negate-exact" "a" "The negative of an integer, or an error." " 5" "-5" |_, a| fits(a, args::int(a, 0)?.checked_neg());
    "incrementExact" "increment-exact" "a" "The integer and one, or an error." " 5" "6" |_, a| fits(a, args::int(a, 0)?.checked_add(1));
    "decrementExact" "decrement-exact" "a" "The integer less one, or an error." " 5" "4" |_, a| fits(a, args::int(a, 0)?.checked_sub(1));
};

/// The rows that stand for themselves.
pub const JAVA: &[BuiltinRow] = &[
    Builtin::new(
        "Math/absExact",
        "a",
        "The integer without its sign, or an error.",
        &[("(Math/absExact -5)", "5")],
        &Body(|_, a| match args::int(a, 0)?.checked_abs() {
            Some(n) => Ok(Value::int(n)),
            None => {
                let words = "Overflow to represent absolute value of Long.MIN_VALUE";
                Err(Interrupt::error(ErrorKind::Arithmetic, words))
            }
        }),
    ),
    Builtin::new(
        "Math/multiplyFull",
        "x y",
        "The product.",
        &[("(Math/multiplyFull 100000 100000)", "10000000000")],
        &Body(|h, a| number::mul(h, args::get(a, 0), args::get(a, 1))),
    ),
    Builtin::new(
        "Math/multiplyHigh",
        "x y",
        "The upper 64 bits of the product.",
        &[("(Math/multiplyHigh 4611686018427387904 4)", "1")],
        &Body(|_, a| {
            let product = i128::from(args::int(a, 0)?) * i128::from(args::int(a, 1)?);
            Ok(Value::int((product >> 64) as i64))
        }),
    ),
    Builtin::new(
        "Math/fma",
        "a b c",
        "a times b and c, rounded once.",
        &[("(Math/fma 2.0 3.0 1.0)", "7.0")],
        &Body(|h, a| {
            h.charge(4)?;
            let [x, y, z] = [args::get(a, 0), args::get(a, 1), args::get(a, 2)];
            Ok(Value::float(number::to_f64(h, x)?.mul_add(number::to_f64(h, y)?, number::to_f64(h, z)?)))
        }),
    ),
    Builtin::new(
        "Math/random",
        "",
        "A double from 0 up to 1, which is never reached. The turn's seed decides.",
        &[("(< -1 (Math/random) 1)", "true")],
        &Body(random),
    ),
    Builtin::new(
        "clojure.math/random",
        "",
        "A double from 0 up to 1, which is never reached. The turn's seed decides.",
        &[("(< -1 (clojure.math/random) 1)", "true")],
        &Body(random),
    ),
    Builtin::new(
        "Math/abs",
        "a",
        "The number without its sign.",
        &[("(Math/abs -5)", "5"), ("(Math/abs -5.5)", "5.5")],
        &Body(|h, a| {
            let width = width(a);
            Ok(number::abs(h, args::get(a, 0))?.of_width(width))
        }),
    ),
    Builtin::new(
        "Math/max",
        "a b",
        "The larger; a double if one of them is.",
        &[("(Math/max 1 2)", "2")],
        &Body(|h, a| extreme(h, a, true)),
    ),
    Builtin::new(
        "Math/min",
        "a b",
        "The smaller; a double if one of them is.",
        &[("(Math/min 1 2)", "1")],
        &Body(|h, a| extreme(h, a, false)),
    ),
    Builtin::new(
        "Math/toIntExact",
        "a",
        "The integer, if it is within 32 bits.",
        &[("(Math/toIntExact 5)", "5")],
        &of_32_bits!(|_, a| to_int(a)),
    ),
];

fn random(h: &mut dyn Host, _: &mut [Value]) -> Result {
    Ok(Value::float(super::parse::unit(h)))
}

fn one(h: &mut dyn Host, a: &mut [Value], f: fn(f64) -> f64) -> Result {
    h.charge(2)?;
    Ok(Value::float(f(number::to_f64(h, args::get(a, 0))?)))
}

fn pair(h: &mut dyn Host, a: &[Value]) -> Result<(f64, f64)> {
    let x = number::to_f64(h, args::get(a, 0))?;
    let b = args::get(a, 1);
    if !number::is_number(b) {
        return Err(Interrupt::argument(1, "a number", b));
    }
    Ok((x, number::to_f64(h, b)?))
}

fn two(h: &mut dyn Host, a: &mut [Value], f: fn(f64, f64) -> f64) -> Result {
    h.charge(4)?;
    let (x, y) = pair(h, a)?;
    Ok(Value::float(f(x, y)))
}

/// As Java: NaN where C's `pow` says 1.
fn pow(x: f64, y: f64) -> f64 {
    if y.is_nan() || (x.abs() == 1.0 && y.is_infinite()) { f64::NAN } else { x.powf(y) }
}

fn next_after(start: f64, direction: f64) -> f64 {
    match start.partial_cmp(&direction) {
        None => f64::NAN,
        Some(Ordering::Less) => start.next_up(),
        Some(Ordering::Greater) => start.next_down(),
        Some(Ordering::Equal) => direction,
    }
}

/// As Java multiplies: by the small power first, so that what becomes tiny is rounded once.
fn scalb(d: f64, factor: f64) -> f64 {
    let factor = (factor as i32).clamp(-2099, 2099);
    let power = |n: i32| f64::from_bits(u64::from((n + 1023).unsigned_abs()) << 52);
    let step = if factor < 0 { -512 } else { 512 };
    let small = factor % 512;
    (0..(factor - small) / step).fold(d * power(small), |d, _| d * power(step))
}

fn remainder(x: f64, y: f64) -> f64 {
    if y.is_infinite() && x.is_finite() {
        return x;
    }
    // Exact: the remainder of doubles is one, and so is half of the divisor.
    let r = x % y;
    let (half, size) = (y.abs() / 2.0, r.abs());
    let odd = ((x - r) / y) % 2.0 != 0.0;
    if size > half || (size == half && odd) { r - y.abs().copysign(r) } else { r }
}

/// Half goes up (trap 5); NaN is 0 and what is out of range the nearest integer, as in Java.
fn round(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match args::get(a, 0) {
        x @ (Value::Int(_) | Value::Big(_)) => Ok(x.clone()),
        x => {
            let f = number::to_f64(h, x)?;
            let below = f.floor();
            Ok(Value::int(if f - below >= 0.5 { (below + 1.0) as i64 } else { below as i64 }))
        }
    }
}

fn extreme(h: &mut dyn Host, a: &mut [Value], larger: bool) -> Result {
    let float = a.iter().any(|x| matches!(x, Value::Float(_)));
    if float {
        let (x, y) = pair(h, a)?;
        if x.is_nan() || y.is_nan() {
            return Ok(Value::float(f64::NAN));
        }
        // In the total order a zero with a minus is the smaller one, as in Java.
        let first = x.total_cmp(&y).is_gt() == larger;
        return Ok(Value::float(if first { x } else { y }).of_width(width(a)));
    }
    let width = width(a);
    let (x, y) = (args::take(a, 0), args::take(a, 1));
    Ok(number::pick(h, x, y, larger)?.of_width(width))
}

#[cold]
fn overflow() -> Interrupt {
    number::overflow("+' -' *'")
}

fn exact(a: &[Value], f: fn(i64, i64) -> Option<i64>) -> Result {
    fits(a, f(args::int(a, 0)?, args::int(a, 1)?))
}

/// An integer of 32 bits if the arguments are: which method of Java is called goes by them.
fn fits(a: &[Value], n: Option<i64>) -> Result {
    let width = width(a);
    let (_, min, max) = width.integers();
    n.filter(|n| (min..=max).contains(n)).map(|n| Value::int(n).of_width(width)).ok_or_else(overflow)
}

/// Of how many bits the number is that a method of Java's `Math` gives: of 32 if none of its arguments has 64.
fn width(a: &[Value]) -> Width {
    let small = |v: &Value| match v {
        Value::Int(n) => n.width() != Width::W64,
        Value::Float(x) => x.width() != Width::W64,
        _ => false,
    };
    if a.iter().all(small) { Width::W32 } else { Width::W64 }
}

fn floored(a: &[Value], f: fn(i64, i64) -> i64) -> Result {
    let (x, y) = (args::int(a, 0)?, args::int(a, 1)?);
    if y == 0 {
        return Err(Interrupt::error(ErrorKind::Arithmetic, "/ by zero"));
    }
    Ok(Value::int(f(x, y)).of_width(width(a)))
}

fn floor_div(x: i64, y: i64) -> i64 {
    let (q, r) = (x.wrapping_div(y), x.wrapping_rem(y));
    if r != 0 && (r < 0) != (y < 0) { q - 1 } else { q }
}

fn floor_mod(x: i64, y: i64) -> i64 {
    let r = x.wrapping_rem(y);
    if r != 0 && (r < 0) != (y < 0) { r + y } else { r }
}

fn to_int(a: &[Value]) -> Result {
    match args::get(a, 0) {
        Value::Int(n) if i32::try_from(n.get()).is_ok() => Ok(Value::int(n.get())),
        Value::Int(_) => Err(Interrupt::error(ErrorKind::Arithmetic, "integer overflow")),
        Value::Big(n) if n.to_i32().is_some() => Ok(Value::int(n.to_i64().unwrap_or(0))),
        x => Err(Interrupt::argument(0, "an integer", x)),
    }
}
