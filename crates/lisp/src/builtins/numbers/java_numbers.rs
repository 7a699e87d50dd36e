//! The methods of Java's `BigDecimal`, and how many digits a result keeps: `MathContext`.

use super::decimals::{bigdec, no_context, of, places, precision, rounding};
use crate::builtins::args::{get, int, put, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::time::amounts;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::{self, cost, decimal};
use crate::value::decimal::{Decimal, MathContext, Rounding};
use crate::value::{Builtin, Symbol, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("BigDecimal.", "x | x context | unscaled scale", "The number, or the digits of a string, as a decimal: of a double what it is exactly; rounded by a MathContext, or with so many digits of an integer behind the point.",
        &[("(BigDecimal. \"2.30\")", "2.30M"), ("(BigDecimal. 0.5)", "0.5M"), ("(BigDecimal. \"2.345\" (MathContext. 2))", "2.3M")], &Body(construct)),
    Builtin::new("MathContext.", "digits | digits rounding", "How many digits are kept, and how it is rounded: HALF_UP if nothing is said.",
        &[("(.round 2.55M (MathContext. 2 RoundingMode/DOWN))", "2.5M"), ("(str (MathContext. 3))", "\"precision=3 roundingMode=HALF_UP\"")], &Body(math_context)),
    Builtin::new(".round", "d context", "The decimal with as many digits as (MathContext. digits rounding) says.",
        &[("(.round 123.456M (MathContext. 4))", "123.5M")], &Body(|h, a| {
            let (d, context) = (of(a, 0)?, context(get(a, 1))?);
            let found = decimal::round(h, &d, context)?;
            decimal::value(h, found)
        })),
    Builtin::new(".signum", "n", "-1, 0 or 1, as the number is below, at or above zero.", &[("(.signum -2.5M)", "-1")],
        &of_32_bits!(|_, a| match number::sign(get(a, 0)) {
            Some(order) => Ok(Value::int(order as i64)),
            None => Err(Interrupt::argument(0, "a number", get(a, 0))),
        })),
    Builtin::new(".negate", "n | n context", "The number with the other sign, rounded by a MathContext if there is one.", &[("(.negate 1.5M)", "-1.5M")],
        &Body(|h, a| within(h, a, 1, |h, a| number::neg(h, get(a, 0))))),
    Builtin::new(".abs", "n | n context", "The number or Duration without its sign, rounded by a MathContext if there is one.", &[("(.abs -1.5M)", "1.5M")],
        &Body(|h, a| match get(a, 0) {
            Value::Time(t) => amounts::signed(t, true).unwrap_or_else(|| number::abs(h, get(a, 0))),
            _ => {
                let found = within(h, a, 1, |h, a| number::abs(h, get(a, 0)))?;
                match a.get(1) {
                    Some(_) => rounded(h, found, a, 1),
                    None => Ok(found),
                }
            }
        })),
    Builtin::new(".add", "n other | n other context", "The sum, rounded by a MathContext if there is one.",
        &[("(.add 1.5M 2M)", "3.5M")],
        &Body(|h, a| match get(a, 0) {
            v if v.is_sequential() || matches!(v, Value::Map(_) | Value::Set(_)) => {
                let words = "values never change: conj gives a changed one";
                Err(Interrupt::throw("UnsupportedOperationException", ErrorKind::Type, words))
            }
            _ => sum(h, a, false),
        })),
    Builtin::new(".subtract", "n other | n other context", "The difference, rounded by a MathContext if there is one.", &[("(.subtract 1.5M 2M)", "-0.5M")],
        &Body(|h, a| sum(h, a, true))),
    Builtin::new(".multiply", "n other | n other context", "The product, rounded by a MathContext if there is one.", &[("(.multiply 1.5M 2.0M)", "3.00M")],
        &Body(|h, a| within(h, a, 2, |h, a| number::mul(h, get(a, 0), get(a, 1))))),
    Builtin::new(".divide", "n other | n other rounding | n other places rounding", "The quotient; with so many digits behind the point, rounded as said, or by a MathContext.",
        &[("(.divide 10M 3M 2 RoundingMode/HALF_UP)", "3.33M"), ("(.divide 1M 3M (MathContext. 3))", "0.333M"), ("(.divide 1M 3M)", "!Non-terminating decimal expansion")], &Body(divide)),
    Builtin::new(".remainder", "n other | n other context", "What a division leaves.", &[("(.remainder 7.5M 2M)", "1.5M")],
        &Body(|h, a| within(h, a, 2, |h, a| number::rem(h, get(a, 0), get(a, 1))))),
    Builtin::new(".max", "n other", "The larger; the first of equals.", &[("(.max 1.5M 2M)", "2M")], &Body(|h, a| pick(h, a, true))),
    Builtin::new(".min", "n other", "The smaller; the first of equals.", &[("(.min 1.5M 2M)", "1.5M")], &Body(|h, a| pick(h, a, false))),
    Builtin::new(".pow", "n exponent | d exponent context", "The number times itself, so often, rounded by a MathContext if there is one.", &[("(.pow 1.1M 2)", "1.21M")], &Body(pow)),
];

/// Refuses what is no decimal or integer among the first two arguments.
fn decimals(a: &[Value]) -> Result<()> {
    of(a, 0).and_then(|_| of(a, 1)).map(|_| ())
}

/// What `f` gives while results of decimals are rounded by the context that is argument `i`, or are not where there is none.
fn within(h: &mut dyn Host, a: &mut [Value], i: usize, f: fn(&mut dyn Host, &[Value]) -> Result) -> Result {
    let wanted = match a.get(i) {
        Some(v) => {
            of(a, 0)?;
            Some(context(v)?)
        }
        None => None,
    };
    let before = h.set_math_context(wanted);
    let found = f(h, a);
    h.set_math_context(before);
    found
}

/// A decimal as the context that is argument `i` rounds it.
fn rounded(h: &mut dyn Host, found: Value, a: &[Value], i: usize) -> Result {
    let found = decimal::round(h, &of(&[found], 0)?, context(get(a, i))?)?;
    decimal::value(h, found)
}

fn sum(h: &mut dyn Host, a: &mut [Value], minus: bool) -> Result {
    if minus && a.len() > 2 {
        of(a, 0)?;
        let found = within(h, a.get_mut(..2).unwrap_or_default(), 2, |h, a| number::sub(h, get(a, 0), get(a, 1)))?;
        return rounded(h, found, a, 2);
    }
    let add = |h: &mut dyn Host, a: &[Value]| number::add(h, get(a, 0), get(a, 1));
    let subtract = |h: &mut dyn Host, a: &[Value]| number::sub(h, get(a, 0), get(a, 1));
    within(h, a, 2, if minus { subtract } else { add })
}

/// `.plus` of a decimal: itself, or as a context rounds it.
///
/// # Errors
/// When that is none.
pub fn plus(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 { Ok(take(a, 0)) } else { rounded(h, get(a, 0).clone(), a, 1) }
}

fn divide(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() < 3 {
        return within(h, a, 2, |h, a| number::div(h, get(a, 0), get(a, 1)));
    }
    let (x, y) = (of(a, 0)?, of(a, 1)?);
    if a.len() == 3
        && let Some(context) = named(get(a, 2))
    {
        let found = decimal::rounded_quotient(h, &x, &y, context)?;
        return decimal::value(h, found);
    }
    let (places, mode) =
        if a.len() > 3 { (places(a, 2)?, rounding(get(a, 3))?) } else { (x.scale, rounding(get(a, 2))?) };
    let found = decimal::quotient_at(h, &x, &y, places, mode)?;
    decimal::value(h, found)
}

fn pick(h: &mut dyn Host, a: &mut [Value], larger: bool) -> Result {
    decimals(a)?;
    let found = number::num_compare(h, get(a, 0), get(a, 1))?;
    let second = found.is_some_and(|order| if larger { order.is_lt() } else { order.is_gt() });
    let picked = take(a, usize::from(second));
    if let Value::Int(_) = picked { Ok(picked) } else { within(h, &mut [picked], 1, |_, a| Ok(get(a, 0).clone())) }
}

#[cold]
fn invalid(hint: &str) -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, "Invalid operation").hint(hint)
}

fn pow(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let times = int(a, 1)?;
    if a.len() > 2 {
        let context = context(get(a, 2))?;
        if context.precision > 0 {
            return rounded_power(h, &of(a, 0)?, times, context);
        }
    }
    let decimal = matches!(get(a, 0), Value::Decimal(_));
    if times < 0 && !decimal {
        return Err(Interrupt::error(ErrorKind::Arithmetic, "Negative exponent"));
    }
    if decimal && !(0..=999_999_999).contains(&times) {
        return Err(invalid("the exponent is 0 to 999999999"));
    }
    if !number::is_number(get(a, 0)) || matches!(get(a, 0), Value::Float(_)) {
        return Err(Interrupt::argument(0, "a decimal", get(a, 0)));
    }
    put(a, 1, Value::int(times));
    within(h, a.get_mut(..2).unwrap_or_default(), 2, power)
}

fn power(h: &mut dyn Host, a: &[Value]) -> Result {
    let (mut left, mut square) = (int(a, 1)?, get(a, 0).clone());
    // What it has at least is known beforehand.
    let least = |bits: u64| bits.saturating_sub(1).saturating_mul(left.unsigned_abs());
    match &square {
        Value::Decimal(d) => cost::decimal_bits(h, least(d.unscaled.bits()))?,
        Value::Big(n) => cost::integer_bits(h, least(n.bits()))?,
        Value::Int(n) => cost::integer_bits(h, least(64 - u64::from(n.get().unsigned_abs().leading_zeros())))?,
        _ => {}
    }
    let mut product = if let Value::Decimal(_) = square {
        Value::decimal(decimal::plain(BigInt::from(1)))
    } else {
        Value::big(BigInt::from(1))
    };
    while left > 0 {
        if left & 1 == 1 {
            product = number::mul(h, &product, &square)?;
        }
        left >>= 1;
        if left > 0 {
            square = number::mul_big(h, &square, &square)?;
        }
    }
    Ok(product)
}

/// A power as Java computes it with a context: some digits more on the way.
fn rounded_power(h: &mut dyn Host, d: &Decimal, times: i64, context: MathContext) -> Result {
    if times.abs() > 999_999_999 {
        return Err(invalid("the exponent is -999999999 to 999999999"));
    }
    if times == 0 {
        return Ok(Value::decimal(decimal::plain(BigInt::one())));
    }
    let length = times.unsigned_abs().ilog10() + 1;
    if length > context.precision {
        return Err(invalid("the exponent has more digits than the context keeps"));
    }
    let work = MathContext { precision: context.precision.saturating_add(length + 1), ..context };
    let before = h.set_math_context(Some(work));
    let found = worked(h, d, times);
    h.set_math_context(before);
    let found = decimal::round(h, &of(&[found?], 0)?, context)?;
    decimal::value(h, found)
}

fn worked(h: &mut dyn Host, d: &Decimal, times: i64) -> Result {
    let base = Value::decimal(d.clone());
    let one = Value::decimal(decimal::plain(BigInt::one()));
    let mut found = one.clone();
    for bit in (0..=times.unsigned_abs().ilog2()).rev() {
        if times.unsigned_abs() >> bit & 1 == 1 {
            found = number::mul(h, &found, &base)?;
        }
        if bit > 0 {
            found = number::mul(h, &found, &found)?;
        }
    }
    if times < 0 { number::div(h, &one, &found) } else { Ok(found) }
}

fn construct(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 2 && matches!(get(a, 1), Value::Int(_)) && matches!(get(a, 0), Value::Big(_) | Value::Int(_)) {
        let scale = places(a, 1)?;
        let unscaled = of(a, 0)?.unscaled;
        return decimal::value(h, Decimal { unscaled, scale });
    }
    let wanted = match a.get(1) {
        Some(v) => Some(context(v)?),
        None => None,
    };
    let made = match get(a, 0) {
        Value::Float(f) if f.get().is_finite() => {
            h.charge(200)?;
            let exact = BigRational::from_float(f.get()).unwrap_or_else(BigRational::zero);
            // A power of two below is as many fives above.
            let scale = exact.denom().bits().saturating_sub(1);
            let fives = BigInt::from(5u8).pow(u32::try_from(scale).unwrap_or(u32::MAX));
            let scale = i32::try_from(scale).unwrap_or(i32::MAX);
            Value::decimal(Decimal { unscaled: exact.numer() * fives, scale })
        }
        _ => bigdec(h, a)?,
    };
    match wanted {
        Some(context) => {
            let found = decimal::round(h, &of(&[made], 0)?, context)?;
            decimal::value(h, found)
        }
        None => Ok(made),
    }
}

fn mode_name(mode: Rounding) -> &'static str {
    Rounding::ALL.iter().find(|(_, m)| *m == mode).map_or("HALF_UP", |(name, _)| name)
}

/// A `MathContext` as a value: its text in Java, as a symbol.
fn context_value(context: MathContext) -> Value {
    let text = format!("precision={} roundingMode={}", context.precision, mode_name(context.rounding));
    Value::Symbol(Symbol::new(None, &text))
}

/// `MathContext/DECIMAL64` and its kin.
pub fn context_constant(name: &str) -> Option<Value> {
    let (precision, rounding) = match name {
        "UNLIMITED" => (0, Rounding::HalfUp),
        "DECIMAL32" => (7, Rounding::HalfEven),
        "DECIMAL64" => (16, Rounding::HalfEven),
        "DECIMAL128" => (34, Rounding::HalfEven),
        _ => return None,
    };
    Some(context_value(MathContext { precision, rounding }))
}

fn math_context(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let rounding = if a.len() > 1 { rounding(get(a, 1))? } else { Rounding::HalfUp };
    if let Value::Str(s) = get(a, 0)
        && let Some(found) = said(s.as_str())
    {
        return Ok(context_value(found));
    }
    if int(a, 0)? < 0 {
        return Err(Interrupt::error(ErrorKind::Value, "Digits < 0"));
    }
    Ok(context_value(MathContext { precision: precision(get(a, 0))?, rounding }))
}

/// The context that its text in Java says.
fn said(text: &str) -> Option<MathContext> {
    let (digits, mode) = text.strip_prefix("precision=")?.split_once(" roundingMode=")?;
    Some(MathContext { precision: digits.parse().ok()?, rounding: Rounding::named(mode)? })
}

fn named(v: &Value) -> Option<MathContext> {
    match v {
        Value::Symbol(s) => said(s.name()),
        _ => None,
    }
}

fn context(v: &Value) -> Result<MathContext> {
    named(v).ok_or_else(|| no_context(v))
}
