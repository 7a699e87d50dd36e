//! The number tower: 64-bit integers, big integers, ratios and doubles, as Clojure mixes them (traps 1 to 6).
//!
//! A double makes the result a double, else a decimal makes it one, else a ratio makes it exact, else a big integer makes it big; two 64-bit
//! integers stay so, or overflow. The functions here are exact and slow: the VM adds small integers by itself.

pub(crate) mod cost;
pub mod decimal;
pub mod digit;
pub mod error;
mod numeric;
pub mod parse;
mod ratio;

pub use crate::value::number::is_number;
pub use crate::value::number_format::{big_text, float_text, java_text};
pub use cost::{digits as digits_price, pay_for_digits};
pub use error::{by_zero, overflow};

use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::number::Num;
use crate::value::number_format::shortest;
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use ratio::Op;
use std::cmp::Ordering;

/// `(+ a b)`
pub fn add(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x.get().checked_add(y.get()).map(Value::int).ok_or_else(|| overflow("+'")),
        (Value::Float(x), Value::Float(y)) => Ok(Value::float(x.get() + y.get())),
        _ => numeric::mixed(h, Op::Add, a, b),
    }
}

/// `(- a b)`
pub fn sub(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x.get().checked_sub(y.get()).map(Value::int).ok_or_else(|| overflow("-'")),
        (Value::Float(x), Value::Float(y)) => Ok(Value::float(x.get() - y.get())),
        _ => numeric::mixed(h, Op::Sub, a, b),
    }
}

/// `(* a b)`
pub fn mul(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => x.get().checked_mul(y.get()).map(Value::int).ok_or_else(|| overflow("*'")),
        (Value::Float(x), Value::Float(y)) => Ok(Value::float(x.get() * y.get())),
        _ => numeric::mixed(h, Op::Mul, a, b),
    }
}

/// `(+' a b)`: past 64 bits it becomes big, as do the next two.
pub fn add_big(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(whole(i128::from(x.get()) + i128::from(y.get()))),
        _ => add(h, a, b),
    }
}

/// `(-' a b)`
pub fn sub_big(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(whole(i128::from(x.get()) - i128::from(y.get()))),
        _ => sub(h, a, b),
    }
}

/// `(*' a b)`
pub fn mul_big(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(whole(i128::from(x.get()) * i128::from(y.get()))),
        _ => mul(h, a, b),
    }
}

/// An integer: 64 bits if it fits, else big.
pub fn whole(n: i128) -> Value {
    i64::try_from(n).map_or_else(|_| Value::big(BigInt::from(n)), Value::int)
}

/// `(/ a b)` on values: exact on integers, and a division by zero is an error on doubles too, as Clojure does for
/// numbers that it meets as values (trap 4). For what is in the text as doubles there is [`div_written`].
pub fn div(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) if *y != 0 && x.get().wrapping_rem(y.get()) == 0 => {
            Ok(Value::int(x.get().wrapping_div(y.get())))
        }
        _ => numeric::mixed(h, Op::Div, a, b),
    }
}

/// `(/ a b)` where both operands are written out in the program, or one is a double wherever it is evaluated: with a double
/// among them it divides as IEEE does, so that `(/ 1.0 0.0)` is `##Inf` (trap 4).
pub fn div_written(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => Ok(Value::float(x.get() / y.get())),
        (Value::Float(x), Value::Int(y)) => Ok(Value::float(x.get() / y.get() as f64)),
        (Value::Int(x), Value::Float(y)) => Ok(Value::float(x.get() as f64 / y.get())),
        (Value::Float(x), y) if is_number(y) => Ok(Value::float(x.get() / to_f64(h, y)?)),
        (x, Value::Float(y)) if is_number(x) => Ok(Value::float(to_f64(h, x)? / y.get())),
        _ => div(h, a, b),
    }
}

/// `(quot a b)`: the quotient without its fraction.
pub fn quot(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        // The one quotient that does not fit wraps around, as in Clojure.
        (Value::Int(x), Value::Int(y)) if *y != 0 => Ok(Value::int(x.get().wrapping_div(y.get()))),
        _ => numeric::mixed(h, Op::Quot, a, b),
    }
}

/// `(rem a b)`: has the sign of `a` (trap 5).
pub fn rem(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) if *y != 0 => Ok(Value::int(x.get().wrapping_rem(y.get()))),
        _ => numeric::mixed(h, Op::Rem, a, b),
    }
}

/// `(mod a b)`: has the sign of `b` (trap 5).
pub fn modulo(h: &mut dyn Host, a: &Value, b: &Value) -> Result {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && *y != 0
    {
        let r = x.get().wrapping_rem(y.get());
        // The signs differ, so the sum is nearer to zero than `y`.
        return Ok(Value::int(if r != 0 && (r < 0) != (y.get() < 0) { r.wrapping_add(y.get()) } else { r }));
    }
    let r = numeric::mixed(h, Op::Rem, a, b)?;
    if sign(&r) == Some(Ordering::Equal) || is_positive(a) == is_positive(b) { Ok(r) } else { add(h, &r, b) }
}

/// `(- a)`
pub fn neg(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Int(x) => x.get().checked_neg().map(Value::int).ok_or_else(|| overflow("-'")),
        Value::Float(x) => Ok(Value::float(-x.get())),
        _ => numeric::neg(h, a),
    }
}

/// `(-' a)`
pub fn neg_big(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Int(x) => Ok(whole(-i128::from(x.get()))),
        _ => neg(h, a),
    }
}

/// `(inc a)`
pub fn inc(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Int(x) => x.get().checked_add(1).map(Value::int).ok_or_else(|| overflow("inc'")),
        Value::Float(x) => Ok(Value::float(x.get() + 1.0)),
        _ => add(h, a, &Value::int(1)),
    }
}

/// `(dec a)`
pub fn dec(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Int(x) => x.get().checked_sub(1).map(Value::int).ok_or_else(|| overflow("dec'")),
        Value::Float(x) => Ok(Value::float(x.get() - 1.0)),
        _ => sub(h, a, &Value::int(1)),
    }
}

/// A big integer as an integer of 64 bits, where it is one.
pub fn narrowed(n: Value) -> Value {
    match &n {
        Value::Big(b) => num_traits::ToPrimitive::to_i64(&***b).map_or(n, Value::int),
        _ => n,
    }
}

/// `(abs a)`; the one 64-bit integer without a positive counterpart stays what it is, as in Clojure.
pub fn abs(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Int(x) => Ok(Value::int(x.get().wrapping_abs())),
        Value::Float(x) => Ok(Value::float(x.get().abs())),
        _ if sign(a) == Some(Ordering::Less) => numeric::neg(h, a),
        _ => known(a).map(|_| a.clone()),
    }
}

/// The order that `< > <= >=` ask for; `None` with NaN. Against a double, numbers compare as doubles, as in Clojure.
pub fn num_compare(h: &mut dyn Host, a: &Value, b: &Value) -> Result<Option<Ordering>> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Ok(Some(x.get().cmp(&y.get()))),
        (Value::Float(x), Value::Float(y)) => Ok(x.get().partial_cmp(&y.get())),
        _ => numeric::compare(h, a, b),
    }
}

/// The larger for `max`, the smaller for `min`: the argument itself, the second of equals, NaN before all (trap 6).
pub fn pick(h: &mut dyn Host, a: Value, b: Value, larger: bool) -> Result {
    let wanted = if larger { Ordering::Greater } else { Ordering::Less };
    let order = num_compare(h, &a, &b)?;
    let nan = |v: &Value| matches!(v, Value::Float(f) if f.get().is_nan());
    Ok(if nan(&a) || (!nan(&b) && order == Some(wanted)) { a } else { b })
}

/// Against zero; `None` for NaN and for what is no number.
pub fn sign(a: &Value) -> Option<Ordering> {
    match a {
        Value::Int(x) => Some(x.get().cmp(&0)),
        Value::Float(x) => x.get().partial_cmp(&0.0),
        Value::Big(x) if x.is_zero() => Some(Ordering::Equal),
        Value::Big(x) => Some(if x.is_positive() { Ordering::Greater } else { Ordering::Less }),
        Value::Ratio(x) => Some(if x.numer().is_positive() { Ordering::Greater } else { Ordering::Less }),
        Value::Decimal(x) => Some(x.unscaled.cmp(&BigInt::zero())),
        _ => None,
    }
}

fn is_positive(a: &Value) -> bool {
    sign(a) == Some(Ordering::Greater)
}

/// Any number as a double.
pub fn to_f64(h: &mut dyn Host, a: &Value) -> Result<f64> {
    let n = known(a)?;
    numeric::float(h, &n)
}

/// Any number as an integer, its fraction cut off; `None` for infinities and NaN. Of a large double it is what the
/// digits say, as in Clojure: `(bigint 1e30)` is a one with thirty zeros.
pub fn to_big(h: &mut dyn Host, a: &Value) -> Result<Option<BigInt>> {
    if let Value::Float(f) = a
        && f.get().abs() >= 9_007_199_254_740_992.0
        && f.get().is_finite()
    {
        let (n, power, _) = digits(f.get());
        return Ok(Some(n * power));
    }
    let n = known(a)?;
    numeric::whole_part(h, &n)
}

/// The ratio that the decimal text of a double says: `(rationalize 1.1)` is `11/10`.
pub fn rationalize(h: &mut dyn Host, f: f64) -> Result {
    let (n, power, places) = digits(f);
    if places >= 0 { cost::big(h, n * power) } else { ratio::reduce(h, n, power) }
}

/// The digits of a double as an integer, the power of ten to multiply or divide it by, and its exponent.
fn digits(f: f64) -> (BigInt, BigInt, i64) {
    let (negative, digits, exponent) = shortest(f.into());
    let n = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap_or_default();
    let places = i64::from(exponent) - digits.len() as i64 + 1;
    // A double's exponent is small: this is cheap.
    let power = BigInt::from(10u8).pow(u32::try_from(places.unsigned_abs()).unwrap_or(0));
    (if negative { -n } else { n }, power, places)
}

fn known(a: &Value) -> Result<Num<'_>> {
    Num::of(a).ok_or_else(|| Interrupt::argument(0, "a number", a))
}
