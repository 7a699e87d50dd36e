//! Numbers of every kind looked at as one, and their exact order.

use super::Value;
use super::decimal::Decimal;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};
use std::borrow::Cow;
use std::cmp::Ordering;

/// Whether it is a number.
#[inline]
pub fn is_number(v: &Value) -> bool {
    matches!(v, Value::Int(_) | Value::Float(_) | Value::Big(_) | Value::Ratio(_) | Value::Decimal(_))
}

/// A number, looked at.
pub(crate) enum Num<'a> {
    Int(i64),
    Float(f64),
    Big(&'a BigInt),
    Ratio(&'a BigRational),
    Decimal(&'a Decimal),
}

impl<'a> Num<'a> {
    pub(crate) fn of(v: &'a Value) -> Option<Self> {
        match v {
            Value::Int(i) => Some(Num::Int(i.get())),
            Value::Float(f) => Some(Num::Float(f.get())),
            Value::Big(b) => Some(Num::Big(b)),
            Value::Ratio(r) => Some(Num::Ratio(r)),
            Value::Decimal(d) => Some(Num::Decimal(d)),
            _ => None,
        }
    }

    /// Numerator and denominator; infinities and NaN have none and count as zero.
    pub(crate) fn parts(&self) -> (Cow<'a, BigInt>, Cow<'a, BigInt>) {
        match self {
            Num::Float(f) => {
                let (n, d) = BigRational::from_float(*f).unwrap_or_else(BigRational::zero).into_raw();
                (Cow::Owned(n), Cow::Owned(d))
            }
            Num::Ratio(r) => (Cow::Borrowed(r.numer()), Cow::Borrowed(r.denom())),
            Num::Decimal(d) => {
                let (n, d) = d.parts();
                (Cow::Owned(n), Cow::Owned(d))
            }
            _ => (self.big(), Cow::Owned(BigInt::one())),
        }
    }

    /// An integer; what is none counts as zero.
    pub(crate) fn big(&self) -> Cow<'a, BigInt> {
        match self {
            Num::Big(b) => Cow::Borrowed(b),
            Num::Int(i) => Cow::Owned(BigInt::from(*i)),
            Num::Ratio(_) | Num::Float(_) | Num::Decimal(_) => Cow::Owned(BigInt::zero()),
        }
    }
}

/// The exact order of two numbers of which one is big, a ratio or a decimal; NaN is last. What it costs was charged with
/// the size of the key.
pub fn order(a: &Value, b: &Value) -> Ordering {
    let (Some(x), Some(y)) = (Num::of(a), Num::of(b)) else { return Ordering::Equal };
    let end = |f: f64| if f < 0.0 { Ordering::Less } else { Ordering::Greater };
    match (&x, &y) {
        (Num::Float(f), _) if !f.is_finite() => end(*f),
        (_, Num::Float(f)) if !f.is_finite() => end(*f).reverse(),
        (Num::Decimal(x), y) => decimal_order(x, y),
        (x, Num::Decimal(y)) => decimal_order(y, x).reverse(),
        (Num::Int(_) | Num::Big(_), Num::Int(_) | Num::Big(_)) => x.big().as_ref().cmp(y.big().as_ref()),
        _ => {
            let ((n, d), (m, e)) = (x.parts(), y.parts());
            cross(&n, &d, &m, &e)
        }
    }
}

/// A decimal against any finite number: by their sizes where these differ, so that a large exponent costs nothing.
fn decimal_order(x: &Decimal, y: &Num<'_>) -> Ordering {
    match y {
        Num::Decimal(y) => x.order(y),
        Num::Int(_) | Num::Big(_) => x.order(&Decimal { unscaled: y.big().into_owned(), scale: 0 }),
        Num::Ratio(_) | Num::Float(_) => {
            let (m, e) = y.parts();
            let signs = x.unscaled.sign().cmp(&m.sign());
            match x.size_beside(m.bits(), e.bits()) {
                _ if signs.is_ne() => signs,
                Some(size) if m.is_negative() => size.reverse(),
                Some(size) => size,
                None => {
                    let (n, d) = x.parts();
                    cross(&n, &d, &m, &e)
                }
            }
        }
    }
}

/// `n/d` against `m/e`: by signs, then by length, and by products only if these leave it open.
pub(crate) fn cross(n: &BigInt, d: &BigInt, m: &BigInt, e: &BigInt) -> Ordering {
    let signs = n.sign().cmp(&m.sign());
    if signs.is_ne() || n.is_zero() {
        return signs;
    }
    if d == e {
        return n.cmp(m);
    }
    let (left, right) = (n.bits() + e.bits(), m.bits() + d.bits());
    if left.abs_diff(right) > 1 {
        let sizes = left.cmp(&right);
        return if n.is_negative() { sizes.reverse() } else { sizes };
    }
    (n * e).cmp(&(m * d))
}
