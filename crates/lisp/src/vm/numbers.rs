//! Comparisons and divisions of plain numbers.

use crate::bytecode::{Cmp, Div};
use crate::value::Value;
use std::num::{NonZeroU32, NonZeroU64};

/// A comparison of integers, without a branch.
#[inline(always)]
pub(super) fn holds_of_integers(kind: Cmp, a: i64, b: i64) -> bool {
    // Less, equal and greater are the bits 0, 1 and 2.
    let which = u8::from(a >= b) + u8::from(a > b);
    (kind as u8 >> which) & 1 != 0
}

/// Two numbers of which one is a double and the other too or an integer, as doubles.
#[inline(always)]
pub(super) fn floats(a: &Value, b: &Value) -> Option<(f64, f64)> {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => Some((x.get(), y.get())),
        (Value::Float(x), Value::Int(y)) => Some((x.get(), y.get() as f64)),
        (Value::Int(x), Value::Float(y)) => Some((x.get() as f64, y.get())),
        _ => None,
    }
}

/// A comparison of numbers of a kind. With NaN only `not=` holds.
#[inline(always)]
pub(super) fn holds<T: PartialOrd>(kind: Cmp, a: T, b: T) -> bool {
    match kind {
        Cmp::Lt => a < b,
        Cmp::Le => a <= b,
        Cmp::Gt => a > b,
        Cmp::Ge => a >= b,
        Cmp::Eq => a == b,
        Cmp::Ne => a != b,
    }
}

/// A division by a constant: unsigned where nothing is negative, and in 32 bits where they suffice, which is faster.
#[inline(always)]
pub(super) fn divided(kind: Div, x: i64, k: NonZeroU32) -> i64 {
    let wide = NonZeroU64::from(k);
    if let Ok(small) = u32::try_from(x) {
        i64::from(if kind == Div::Quot { small / k } else { small % k })
    } else if let Ok(x) = u64::try_from(x) {
        // No more than `x` was.
        (if kind == Div::Quot { x / wide } else { x % wide }) as i64
    } else {
        // A remainder is below 2^32, so nothing overflows.
        let (quot, rem) = (x.unsigned_abs() / wide, (x.unsigned_abs() % wide) as i64);
        match kind {
            Div::Quot => 0_i64.wrapping_sub_unsigned(quot),
            Div::Rem => -rem,
            Div::Mod if rem == 0 => 0,
            Div::Mod => i64::from(k.get()) - rem,
        }
    }
}
