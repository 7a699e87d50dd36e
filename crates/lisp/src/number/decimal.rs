//! Arithmetic on decimals, by the scales that Java gives: a sum has the longer of two, a product both, a quotient the
//! difference where it is exact. Work is charged by the digits with all zeros written out.
//!
//! Clojure: `clojure.lang.Numbers.BigDecimalOps`; Java: `java.math.BigDecimal`.

use super::cost;
use super::error::by_zero;
use super::ratio::Op;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::decimal::{Decimal, MathContext, Rounding, digits_of, power_of_ten};
use crate::value::number::Num;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// A decimal as a value, if it is within `ratio_bits` with all its zeros.
pub(crate) fn value(h: &mut dyn Host, d: Decimal) -> Result {
    cost::decimal_bits(h, d.bits())?;
    Ok(Value::decimal(d))
}

/// The scale of a result, if 32 bits hold it.
fn scale(places: i64) -> Result<i32> {
    i32::try_from(places).map_err(|_| Interrupt::error(ErrorKind::Arithmetic, "the scale of a decimal leaves 32 bits"))
}

/// Any number but a double as a decimal. A ratio must have an end behind the point.
pub(super) fn of_num(h: &mut dyn Host, n: &Num<'_>) -> Result<Decimal> {
    match n {
        Num::Decimal(d) => Ok((*d).clone()),
        Num::Ratio(r) => {
            let (above, below) = (plain(r.numer().clone()), plain(r.denom().clone()));
            match h.math_context() {
                Some(context) => rounded_quotient(h, &above, &below, context),
                None => quotient(h, &above, &below),
            }
        }
        n => Ok(plain(n.big().into_owned())),
    }
}

/// Any number but a double as a decimal; `None` of what is none.
pub(crate) fn of_value(h: &mut dyn Host, v: &Value) -> Result<Option<Decimal>> {
    match Num::of(v) {
        Some(Num::Float(_)) | None => Ok(None),
        Some(n) => of_num(h, &n).map(Some),
    }
}

/// Ten to this power, paid for: it is made by squaring.
fn power(h: &mut dyn Host, places: u32) -> Result<BigInt> {
    let bits = u64::from(places).saturating_mul(10) / 3;
    cost::product(h, bits, bits)?;
    Ok(power_of_ten(places))
}

/// An integer as a decimal.
pub(crate) fn plain(unscaled: BigInt) -> Decimal {
    Decimal { unscaled, scale: 0 }
}

/// The result of an operation of which one operand is a decimal and none a double, rounded if the host says so.
pub(super) fn compute(h: &mut dyn Host, op: Op, x: &Decimal, y: &Decimal) -> Result {
    let context = h.math_context();
    let found = match op {
        Op::Add => sum(h, x, y, false)?,
        Op::Sub => sum(h, x, y, true)?,
        Op::Mul => product(h, x, y)?,
        Op::Div => match context {
            Some(context) => {
                let found = rounded_quotient(h, x, y, context)?;
                return value(h, found);
            }
            None => quotient(h, x, y)?,
        },
        Op::Quot => whole_quotient_within(h, x, y, context)?,
        Op::Rem => {
            let whole = whole_quotient_within(h, x, y, context)?;
            let back = product(h, &whole, y)?;
            sum(h, x, &back, true)?
        }
    };
    if matches!(op, Op::Quot | Op::Rem) { value(h, found) } else { rounded(h, found) }
}

/// A result as a value, with as many digits as the host says.
pub(super) fn rounded(h: &mut dyn Host, found: Decimal) -> Result {
    let found = match h.math_context() {
        Some(context) => round(h, &found, context)?,
        None => found,
    };
    value(h, found)
}

/// Both as integers of one scale.
fn aligned(h: &mut dyn Host, x: &Decimal, y: &Decimal) -> Result<(BigInt, BigInt, i32)> {
    let scale = x.scale.max(y.scale);
    let mut at = |d: &Decimal| -> Result<BigInt> {
        let more = scale.abs_diff(d.scale);
        let bits = u64::from(more).saturating_mul(10) / 3;
        cost::integer_bits(h, d.unscaled.bits().saturating_add(bits))?;
        cost::product(h, d.unscaled.bits(), bits)?;
        Ok(if more == 0 { d.unscaled.clone() } else { &d.unscaled * power(h, more)? })
    };
    Ok((at(x)?, at(y)?, scale))
}

fn sum(h: &mut dyn Host, x: &Decimal, y: &Decimal, minus: bool) -> Result<Decimal> {
    let (a, b, scale) = aligned(h, x, y)?;
    cost::pass(h, a.bits().max(b.bits()))?;
    Ok(Decimal { unscaled: if minus { a - b } else { a + b }, scale })
}

fn product(h: &mut dyn Host, x: &Decimal, y: &Decimal) -> Result<Decimal> {
    let (a, b) = (x.unscaled.bits(), y.unscaled.bits());
    cost::integer_bits(h, (a + b).saturating_sub(1))?;
    cost::product(h, a, b)?;
    Ok(Decimal { unscaled: &x.unscaled * &y.unscaled, scale: scale(i64::from(x.scale) + i64::from(y.scale))? })
}

/// The exact quotient, with the difference of the scales or as few digits more as it takes; an error if it has no end.
fn quotient(h: &mut dyn Host, x: &Decimal, y: &Decimal) -> Result<Decimal> {
    let wanted = i64::from(x.scale) - i64::from(y.scale);
    if y.unscaled.is_zero() {
        return Err(by_zero());
    }
    if x.unscaled.is_zero() {
        return Ok(Decimal { unscaled: BigInt::zero(), scale: scale(wanted.clamp(i32::MIN.into(), i32::MAX.into()))? });
    }
    let common = super::ratio::divisor(h, &x.unscaled, &y.unscaled)?;
    cost::division(h, x.unscaled.bits(), common.bits())?;
    cost::division(h, y.unscaled.bits(), common.bits())?;
    let (above, below) = (&x.unscaled / &common, &y.unscaled / &common);
    // Behind the point it ends when only twos and fives are left below: five to the power that has so many bits.
    let twos = below.trailing_zeros().unwrap_or(0);
    let rest = below.abs() >> twos;
    let mut fives = rest.bits().saturating_mul(43_068) / 100_000;
    cost::product(h, rest.bits(), rest.bits())?;
    let mut of_fives = BigInt::from(5u8).pow(u32::try_from(fives).unwrap_or(u32::MAX));
    // The estimate may be one too many.
    if of_fives > rest {
        of_fives /= 5u8;
        fives = fives.saturating_sub(1);
    }
    if of_fives != rest {
        let message = "Non-terminating decimal expansion; no exact representable decimal result.";
        return Err(Interrupt::error(ErrorKind::Arithmetic, message).hint(
            "(with-precision 10 (/ a b)) rounds, (.divide a b 2 RoundingMode/HALF_UP) too; doubles and ratios need not",
        ));
    }
    let places = u32::try_from(twos.max(fives)).unwrap_or(u32::MAX);
    cost::integer_bits(h, above.bits().saturating_add(u64::from(places).saturating_mul(10) / 3))?;
    cost::product(h, above.bits(), u64::from(places).saturating_mul(4))?;
    let unscaled = above * power(h, places)? / below;
    let exact = Decimal { unscaled, scale: scale(wanted.saturating_add(i64::from(places)))? };
    Ok(exact)
}

/// The quotient with so many digits; zeros behind the wanted scale go.
pub(crate) fn rounded_quotient(h: &mut dyn Host, x: &Decimal, y: &Decimal, context: MathContext) -> Result<Decimal> {
    if y.unscaled.is_zero() {
        return Err(by_zero());
    }
    let wanted = i64::from(x.scale) - i64::from(y.scale);
    if context.precision == 0 {
        return quotient(h, x, y);
    }
    // Counting digits makes powers of ten as well.
    h.charge(cost::digits(x.unscaled.bits()).saturating_add(cost::digits(y.unscaled.bits())) / 8)?;
    // So many digits more above that the quotient has one more than asked, and whether something is left.
    let lack = i64::from(context.precision) + 3 + digits_of(&y.unscaled) as i64 - digits_of(&x.unscaled) as i64;
    let more = u32::try_from(lack.max(0)).unwrap_or(u32::MAX);
    cost::integer_bits(h, x.unscaled.bits().saturating_add(u64::from(more).saturating_mul(10) / 3))?;
    cost::product(h, x.unscaled.bits(), u64::from(more).saturating_mul(4))?;
    let above = &x.unscaled * power(h, more)?;
    cost::division(h, above.bits(), y.unscaled.bits())?;
    let (mut q, rest) = above.div_rem(&y.unscaled);
    let mut places = wanted.saturating_add(i64::from(more));
    if !rest.is_zero() {
        // A digit that says on which side the rest is: it is neither zero nor a half.
        let up = if (x.unscaled.is_negative()) == (y.unscaled.is_negative()) { 1 } else { -1 };
        q = q * 10u8 + up;
        places = places.saturating_add(1);
    }
    let found = Decimal { unscaled: q, scale: scale(places)? };
    let found = if rest.is_zero() { shortened(h, found, wanted)? } else { found };
    round(h, &found, context)
}

/// Without zeros at the end, as long as it has more places than wanted.
fn shortened(h: &mut dyn Host, d: Decimal, wanted: i64) -> Result<Decimal> {
    if i64::from(d.scale) <= wanted {
        return Ok(d);
    }
    if d.unscaled.is_zero() {
        return Ok(Decimal { unscaled: d.unscaled, scale: scale(wanted)? });
    }
    cost::division(h, d.unscaled.bits(), d.unscaled.bits() / 2)?;
    let short = d.stripped();
    if i64::from(short.scale) >= wanted {
        Ok(short)
    } else {
        at_scale(h, &short, scale(wanted)?, Rounding::Unnecessary)
    }
}

/// Java's `divideToIntegralValue`: the quotient without its fraction, with the difference of the scales if it can be.
fn whole_quotient(h: &mut dyn Host, x: &Decimal, y: &Decimal) -> Result<Decimal> {
    if y.unscaled.is_zero() {
        return Err(by_zero());
    }
    let wanted = scale(i64::from(x.scale) - i64::from(y.scale))?;
    let (a, b, _) = aligned(h, x, y)?;
    cost::division(h, a.bits(), b.bits())?;
    let q = plain(a / b);
    if wanted >= 0 { at_scale(h, &q, wanted, Rounding::Down) } else { shortened(h, q, wanted.into()) }
}

/// The same with so many digits at most, as Java computes it: an error if it takes more.
fn whole_quotient_within(h: &mut dyn Host, x: &Decimal, y: &Decimal, context: Option<MathContext>) -> Result<Decimal> {
    let below = |a: &Decimal, b: &Decimal| {
        let size = |d: &Decimal| Decimal { unscaled: d.unscaled.abs(), scale: d.scale };
        size(a).order(&size(b)).is_lt()
    };
    let Some(MathContext { precision, .. }) = context.filter(|c| c.precision > 0 && !below(x, y)) else {
        return whole_quotient(h, x, y);
    };
    let wanted = i64::from(x.scale) - i64::from(y.scale);
    let mut found = rounded_quotient(h, x, y, MathContext { precision, rounding: Rounding::Down })?;
    if found.scale < 0 {
        let back = product(h, &found, y)?;
        let rest = sum(h, x, &back, true)?;
        if !below(&rest, y) {
            return Err(Interrupt::error(ErrorKind::Arithmetic, "Division impossible")
                .hint("the whole quotient has more digits than with-precision says"));
        }
    } else if found.scale > 0 {
        found = at_scale(h, &found, 0, Rounding::Down)?;
    }
    let (free, lack) =
        (i64::from(precision) - digits_of(&found.unscaled) as i64, wanted.saturating_sub(found.scale.into()));
    if lack > 0 && free > 0 {
        let places = scale(i64::from(found.scale) + free.min(lack))?;
        at_scale(h, &found, places, Rounding::Unnecessary)
    } else {
        shortened(h, found, wanted)
    }
}

/// The quotient with so many places behind the point, rounded.
pub(crate) fn quotient_at(
    h: &mut dyn Host,
    x: &Decimal,
    y: &Decimal,
    places: i32,
    rounding: Rounding,
) -> Result<Decimal> {
    if y.unscaled.is_zero() {
        return Err(by_zero());
    }
    // x / y with p places is x * 10^(p - sx + sy) / y of the integers.
    let tens = i64::from(places) - i64::from(x.scale) + i64::from(y.scale);
    let bits = tens.unsigned_abs().saturating_mul(10) / 3;
    cost::integer_bits(h, x.unscaled.bits().max(y.unscaled.bits()).saturating_add(bits))?;
    let long = if tens >= 0 { &x.unscaled } else { &y.unscaled };
    cost::product(h, long.bits(), bits)?;
    let more = power(h, u32::try_from(tens.unsigned_abs()).unwrap_or(u32::MAX))?;
    let (mut above, mut below) = (x.unscaled.clone(), y.unscaled.clone());
    if tens >= 0 {
        above *= more
    } else {
        below *= more
    }
    if below.is_negative() {
        (above, below) = (-above, -below);
    }
    cost::division(h, above.bits(), below.bits())?;
    Ok(Decimal { unscaled: quotient_rounded(&above, &below, rounding)?, scale: places })
}

/// The number with so many places behind the point.
pub(crate) fn at_scale(h: &mut dyn Host, d: &Decimal, places: i32, rounding: Rounding) -> Result<Decimal> {
    let more = places.abs_diff(d.scale);
    let bits = u64::from(more).saturating_mul(10) / 3;
    if places >= d.scale {
        cost::integer_bits(h, d.unscaled.bits().saturating_add(bits))?;
        cost::product(h, d.unscaled.bits(), bits)?;
        return Ok(Decimal { unscaled: &d.unscaled * power(h, more)?, scale: places });
    }
    if bits > d.unscaled.bits().saturating_add(8) {
        // Less than a tenth of the last place that is left: the power itself need not be made.
        let tiny = d.unscaled.signum();
        return Ok(Decimal { unscaled: quotient_rounded(&tiny, &BigInt::from(100u8), rounding)?, scale: places });
    }
    cost::division(h, d.unscaled.bits(), bits)?;
    Ok(Decimal { unscaled: quotient_rounded(&d.unscaled, &power(h, more)?, rounding)?, scale: places })
}

/// The number with so many digits at most.
pub(crate) fn round(h: &mut dyn Host, d: &Decimal, context: MathContext) -> Result<Decimal> {
    let (precision, mut found) = (u64::from(context.precision), d.clone());
    if precision == 0 {
        return Ok(found);
    }
    h.charge(cost::digits(d.unscaled.bits()) / 8)?;
    // Rounded up it may have one digit more: 9.99 becomes 10.0, then 10.
    loop {
        let digits = digits_of(&found.unscaled);
        let Some(drop) = digits.checked_sub(precision).filter(|n| *n > 0) else { return Ok(found) };
        let places = scale(i64::from(found.scale).saturating_sub(drop as i64))?;
        found = at_scale(h, &found, places, context.rounding)?;
    }
}

/// `n / d` as an integer, rounded; `d` is positive.
fn quotient_rounded(n: &BigInt, d: &BigInt, rounding: Rounding) -> Result<BigInt> {
    let (q, rest) = n.div_rem(d);
    if rest.is_zero() {
        return Ok(q);
    }
    let negative = rest.is_negative();
    let half = (rest.abs() * 2u8).cmp(d);
    let away = match rounding {
        Rounding::Up => true,
        Rounding::Down => false,
        Rounding::Ceiling => !negative,
        Rounding::Floor => negative,
        Rounding::HalfUp => half.is_ge(),
        Rounding::HalfDown => half.is_gt(),
        Rounding::HalfEven => half.is_gt() || (half.is_eq() && q.is_odd()),
        Rounding::Unnecessary => return Err(Interrupt::error(ErrorKind::Arithmetic, "Rounding necessary")),
    };
    Ok(match (away, negative) {
        (false, _) => q,
        (true, false) => q + 1,
        (true, true) => q - 1,
    })
}

/// The nearest double.
pub(super) fn float(h: &mut dyn Host, d: &Decimal) -> Result<f64> {
    h.charge(cost::digits(d.unscaled.bits()))?;
    Ok(nearest(d))
}

/// The nearest double, where the work is paid for elsewhere.
pub(crate) fn nearest(d: &Decimal) -> f64 {
    match d.unscaled.to_i64() {
        Some(n) if d.scale == 0 => n as f64,
        _ => format!("{}e{}", d.unscaled, -i64::from(d.scale)).parse().unwrap_or(f64::NAN),
    }
}

/// The integer without its fraction.
pub(super) fn whole_part(h: &mut dyn Host, d: &Decimal) -> Result<BigInt> {
    let bits = u64::from(d.scale.unsigned_abs()).saturating_mul(10) / 3;
    if d.scale <= 0 {
        cost::product(h, d.unscaled.bits(), bits)?;
        return Ok(&d.unscaled * power(h, d.scale.unsigned_abs())?);
    }
    cost::division(h, d.unscaled.bits().max(bits), bits)?;
    Ok(&d.unscaled / power(h, d.scale.unsigned_abs())?)
}
