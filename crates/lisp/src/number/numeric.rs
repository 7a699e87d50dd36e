//! Arithmetic where the operands are not two small integers: doubles, big integers, ratios and decimals mixed.

use super::error::{by_zero, number_format};
use super::ratio::{self, Op};
use super::{cost, decimal};
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::decimal::Decimal;
use crate::value::number::{Num, cross};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

fn pair<'a>(a: &'a Value, b: &'a Value) -> Result<(Num<'a>, Num<'a>)> {
    let x = Num::of(a).ok_or_else(|| Interrupt::argument(0, "a number", a))?;
    let y = Num::of(b).ok_or_else(|| Interrupt::argument(1, "a number", b))?;
    Ok((x, y))
}

/// The result for any two numbers.
pub(super) fn mixed(h: &mut dyn Host, op: Op, a: &Value, b: &Value) -> Result {
    // As Clojure does, a decimal is subtracted by adding its negative, which is rounded as every result of decimals is.
    if matches!((op, b), (Op::Sub, Value::Decimal(_))) && h.math_context().is_some() {
        let negative = neg(h, b)?;
        return mixed(h, Op::Add, a, &negative);
    }
    let (x, y) = pair(a, b)?;
    match (&x, &y) {
        (Num::Float(_), _) | (_, Num::Float(_)) => {
            let (x, y) = (float(h, &x)?, float(h, &y)?);
            floats(op, x, y).map(Value::float)
        }
        (Num::Decimal(_), _) | (_, Num::Decimal(_)) => {
            let (x, y) = (decimal::of_num(h, &x)?, decimal::of_num(h, &y)?);
            decimal::compute(h, op, &x, &y)
        }
        (Num::Ratio(_), _) | (_, Num::Ratio(_)) => ratio::compute(h, op, &x.parts(), &y.parts()),
        (Num::Int(x), Num::Int(y)) if matches!(op, Op::Div) && *y != 0 => Ok(small_ratio(*x, *y)),
        _ => bigs(h, op, &x.big(), &y.big()),
    }
}

fn floats(op: Op, x: f64, y: f64) -> Result<f64> {
    Ok(match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x * y,
        Op::Div if y == 0.0 && !x.is_nan() => return Err(by_zero()),
        Op::Div => x / y,
        Op::Quot | Op::Rem if y == 0.0 => return Err(by_zero()),
        Op::Quot | Op::Rem => {
            let q = x / y;
            if !q.is_finite() {
                return Err(number_format("Infinite or NaN"));
            }
            // As Clojure computes it, its rounding included.
            if matches!(op, Op::Quot) { q.trunc() + 0.0 } else { x - (q.trunc() + 0.0) * y }
        }
    })
}

/// The quotient of two small integers that do not divide.
fn small_ratio(x: i64, y: i64) -> Value {
    let (n, d) = (i128::from(x), i128::from(y));
    let g = n.gcd(&d) * d.signum();
    Value::ratio(BigRational::new_raw(BigInt::from(n / g), BigInt::from(d / g)))
}

fn bigs(h: &mut dyn Host, op: Op, x: &BigInt, y: &BigInt) -> Result {
    let (a, b) = (x.bits(), y.bits());
    match op {
        Op::Add | Op::Sub => {
            cost::pass(h, a.max(b))?;
            cost::big(h, if matches!(op, Op::Add) { x + y } else { x - y })
        }
        Op::Mul => {
            // A product has as many bits as its factors together, or one less.
            cost::integer_bits(h, (a + b).saturating_sub(1))?;
            cost::product(h, a, b)?;
            cost::big(h, x * y)
        }
        Op::Div | Op::Quot | Op::Rem => {
            if y.is_zero() {
                return Err(by_zero());
            }
            cost::division(h, a, b)?;
            let (q, r) = x.div_rem(y);
            match op {
                Op::Quot => Ok(Value::big(q)),
                Op::Rem => Ok(Value::big(r)),
                _ if r.is_zero() => Ok(Value::big(q)),
                _ => ratio::reduce(h, x.clone(), y.clone()),
            }
        }
    }
}

pub(super) fn neg(h: &mut dyn Host, a: &Value) -> Result {
    match a {
        Value::Big(b) => {
            cost::pass(h, b.bits())?;
            Ok(Value::big(-BigInt::clone(b)))
        }
        Value::Ratio(r) => {
            cost::pass(h, r.numer().bits())?;
            Ok(Value::ratio(-BigRational::clone(r)))
        }
        Value::Decimal(d) => {
            cost::pass(h, d.unscaled.bits())?;
            decimal::rounded(h, Decimal { unscaled: -&d.unscaled, scale: d.scale })
        }
        _ => Err(Interrupt::argument(0, "a number", a)),
    }
}

pub(super) fn compare(h: &mut dyn Host, a: &Value, b: &Value) -> Result<Option<Ordering>> {
    let (x, y) = pair(a, b)?;
    match (&x, &y) {
        (Num::Float(_), _) | (_, Num::Float(_)) => {
            let (x, y) = (float(h, &x)?, float(h, &y)?);
            Ok(x.partial_cmp(&y))
        }
        (Num::Decimal(_) | Num::Ratio(_), _) | (_, Num::Decimal(_) | Num::Ratio(_)) => {
            for n in [&x, &y] {
                if let Num::Decimal(d) = n {
                    cost::product(h, d.bits(), d.bits())?;
                }
            }
            let ((n, d), (m, e)) = (x.parts(), y.parts());
            cost::product(h, n.bits(), e.bits())?;
            cost::product(h, m.bits(), d.bits())?;
            Ok(Some(cross(&n, &d, &m, &e)))
        }
        _ => Ok(Some(x.big().as_ref().cmp(y.big().as_ref()))),
    }
}

/// A number as a double.
pub(super) fn float(h: &mut dyn Host, n: &Num<'_>) -> Result<f64> {
    Ok(match n {
        Num::Int(i) => *i as f64,
        Num::Float(f) => *f,
        Num::Big(b) => {
            h.charge(b.bits() / 512)?;
            b.to_f64().unwrap_or(f64::NAN)
        }
        Num::Ratio(r) => return ratio::float(h, r),
        Num::Decimal(d) => return decimal::float(h, d),
    })
}

/// A number as an integer, its fraction cut off.
pub(super) fn whole_part(h: &mut dyn Host, n: &Num<'_>) -> Result<Option<BigInt>> {
    Ok(match n {
        Num::Int(i) => Some(BigInt::from(*i)),
        Num::Big(b) => Some((*b).clone()),
        Num::Float(f) => num_traits::FromPrimitive::from_f64(*f),
        Num::Ratio(r) => {
            cost::division(h, r.numer().bits(), r.denom().bits())?;
            Some(r.numer() / r.denom())
        }
        Num::Decimal(d) => Some(decimal::whole_part(h, d)?),
    })
}
