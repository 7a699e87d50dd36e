//! Ratios: kept in lowest terms by small divisors where that will do, and turned into doubles as Clojure does.

use super::cost;
use super::error::by_zero;
use crate::host::{Host, Result};
use crate::value::Value;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Numerator and denominator.
pub(super) type Parts<'a> = (Cow<'a, BigInt>, Cow<'a, BigInt>);

/// What to compute.
#[derive(Clone, Copy)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Quot,
    Rem,
}

/// The result of an operation of which one operand is a ratio and none a double.
pub(super) fn compute(h: &mut dyn Host, op: Op, x: &Parts<'_>, y: &Parts<'_>) -> Result {
    let ((n, d), (m, e)) = (x, y);
    match op {
        Op::Add => sum(h, x, y, false),
        Op::Sub => sum(h, x, y, true),
        Op::Mul => times(h, n, d, m, e),
        _ if m.is_zero() => Err(by_zero()),
        Op::Div if m.is_negative() => times(h, n, d, &-&**e, &-&**m),
        Op::Div => times(h, n, d, e, m),
        Op::Quot | Op::Rem => {
            let (l, r) = (product(h, n, e)?, product(h, m, d)?);
            cost::division(h, l.bits(), r.bits())?;
            let (q, rest) = l.div_rem(&r);
            if matches!(op, Op::Quot) {
                return cost::big(h, q);
            }
            let below = product(h, d, e)?;
            reduce(h, rest, below)
        }
    }
}

fn product(h: &mut dyn Host, a: &BigInt, b: &BigInt) -> Result<BigInt> {
    // Two parts within the limit have a product within twice of it; more can come of a big integer only.
    cost::ratio_bits(h, (a.bits() + b.bits()).saturating_sub(1) / 2)?;
    cost::product(h, a.bits(), b.bits())?;
    Ok(a * b)
}

fn quotient(h: &mut dyn Host, a: &BigInt, b: &BigInt) -> Result<BigInt> {
    cost::division(h, a.bits(), b.bits())?;
    Ok(a / b)
}

/// Knuth, 4.5.1: two greatest common divisors of short numbers instead of one of long ones.
fn sum(h: &mut dyn Host, (n, d): &Parts<'_>, (m, e): &Parts<'_>, minus: bool) -> Result {
    let g = divisor(h, d, e)?;
    let (d_rest, e_rest) = (quotient(h, d, &g)?, quotient(h, e, &g)?);
    let (l, r) = (product(h, n, &e_rest)?, product(h, m, &d_rest)?);
    let above = if minus { l - r } else { l + r };
    let common = divisor(h, &above, &g)?;
    let (above, e_rest) = (quotient(h, &above, &common)?, quotient(h, e, &common)?);
    let below = product(h, &d_rest, &e_rest)?;
    finish(h, above, below)
}

/// `n/d * m/e`, both denominators positive.
fn times(h: &mut dyn Host, n: &BigInt, d: &BigInt, m: &BigInt, e: &BigInt) -> Result {
    let (f, g) = (divisor(h, n, e)?, divisor(h, m, d)?);
    let (n, m) = (quotient(h, n, &f)?, quotient(h, m, &g)?);
    let (d, e) = (quotient(h, d, &g)?, quotient(h, e, &f)?);
    let above = product(h, &n, &m)?;
    let below = product(h, &d, &e)?;
    finish(h, above, below)
}

/// `n/d` in lowest terms. `d` is not zero.
pub(super) fn reduce(h: &mut dyn Host, n: BigInt, d: BigInt) -> Result {
    cost::ratio_bits(h, n.bits().max(d.bits()).saturating_sub(1) / 2)?;
    let g = divisor(h, &n, &d)?;
    let g = if d.is_negative() { -g } else { g };
    let (n, d) = (quotient(h, &n, &g)?, quotient(h, &d, &g)?);
    finish(h, n, d)
}

/// A ratio in lowest terms, or a big integer when it is whole (trap 3).
fn finish(h: &mut dyn Host, n: BigInt, d: BigInt) -> Result {
    if d.is_one() {
        return cost::big(h, n);
    }
    cost::ratio_bits(h, n.bits().max(d.bits()))?;
    Ok(Value::ratio(BigRational::new_raw(n, d)))
}

/// The greatest common divisor; of zero and `b` it is `b`. One division first: the library's way is slow for numbers
/// of unlike length.
pub(super) fn divisor(h: &mut dyn Host, a: &BigInt, b: &BigInt) -> Result<BigInt> {
    cost::divisor(h, a.bits(), b.bits())?;
    let (a, b) = (a.magnitude(), b.magnitude());
    let (long, short) = if a > b { (a, b) } else { (b, a) };
    Ok(BigInt::from(if short.is_zero() { long.clone() } else { (long % short).gcd(short) }))
}

/// As Clojure does it: through sixteen decimal digits, rounded half to even, which is not always the nearest double.
pub(super) fn float(h: &mut dyn Host, r: &BigRational) -> Result<f64> {
    let (n, d) = (r.numer().magnitude(), r.denom().magnitude());
    // Scaled by ten so often that the quotient has seventeen digits or a few more.
    let size = (n.bits() as i64 - d.bits() as i64) * 30_103 / 100_000;
    let scale = 18 - size;
    cost::product(h, scale.unsigned_abs() * 4, n.bits().max(d.bits()))?;
    cost::division(h, n.bits().max(d.bits()) * 2 + 64, d.bits())?;
    let power = BigUint::from(10u8).pow(u32::try_from(scale.unsigned_abs()).unwrap_or(u32::MAX));
    let (q, rest) = if scale >= 0 { (n * power).div_rem(d) } else { n.div_rem(&(d * power)) };
    let value = sixteen_digits(q.to_u128().unwrap_or(u128::MAX), !rest.is_zero(), -scale);
    Ok(if r.numer().is_negative() { -value } else { value })
}

/// `q` and a bit more if `inexact`, times ten to `exponent`, rounded to sixteen digits.
fn sixteen_digits(q: u128, inexact: bool, exponent: i64) -> f64 {
    let mut cut = 0;
    let mut unit = 1u128;
    while q / unit >= 10_000_000_000_000_000 {
        unit *= 10;
        cut += 1;
    }
    let (head, tail) = (q / unit, q % unit);
    let up = match (tail * 2).cmp(&unit) {
        Ordering::Greater => true,
        Ordering::Equal => inexact || head % 2 == 1,
        Ordering::Less => false,
    };
    format!("{}e{}", head + u128::from(up), exponent + cut).parse().unwrap_or(f64::NAN)
}
