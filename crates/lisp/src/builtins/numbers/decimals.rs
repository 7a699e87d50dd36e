//! Decimals: `bigdec`, `with-precision`, and the methods of Java's `BigDecimal` that programs about money use.

use crate::builtins::args::{get, int, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::decimal;
use crate::number::{self, error};
use crate::value::decimal::{Decimal, MathContext, Rounding, digits_of};
use crate::value::{Builtin, Value};
use num_bigint::BigInt;
use num_traits::Signed;

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "bigdec",
        "x",
        "The number, or the digits of a string, as a decimal.",
        &[
            ("(bigdec \"1.50\")", "1.50M"),
            ("(bigdec 5)", "5M"),
            ("(bigdec 0.1)", "0.1M"),
            ("(bigdec \"x\")", "!For input string"),
        ],
        &Body(bigdec),
    ),
    Builtin::new(
        "BigDecimal/valueOf",
        "x | unscaled scale",
        "The number as a decimal, or so many of its digits behind the point.",
        &[("(BigDecimal/valueOf 150 2)", "1.50M"), ("(BigDecimal/valueOf 2.5)", "2.5M")],
        &Body(value_of),
    ),
    Builtin::new(
        "decimal?",
        "n",
        "Whether it is a decimal.",
        &[("(map decimal? [1.5M 1.5 1])", "(true false false)")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Decimal(_))))),
    ),
    Builtin::new(
        "with-precision*",
        "precision rounding f",
        "What `with-precision` is rewritten to.",
        &[("(with-precision 3 (/ 1M 3))", "0.333M")],
        &Body(with_precision),
    ),
    Builtin::new(
        ".setScale",
        "d places | d places rounding",
        "The decimal with so many digits behind the point.",
        &[
            ("(.setScale 2.345M 2 RoundingMode/HALF_UP)", "2.35M"),
            ("(.setScale 2M 2)", "2.00M"),
            ("(.setScale 2.345M 2)", "!Rounding necessary"),
        ],
        &Body(set_scale),
    ),
    Builtin::new(
        ".scale",
        "d",
        "How many digits are behind the point.",
        &[("(.scale 1.50M)", "2")],
        &of_32_bits!(|_, a| Ok(Value::int(of(a, 0)?.scale.into()))),
    ),
    Builtin::new(
        ".precision",
        "d",
        "How many digits there are.",
        &[("(.precision 1.50M)", "3")],
        &of_32_bits!(|h, a| {
            let d = of(a, 0)?;
            h.charge(number::digits_price(d.unscaled.bits()))?;
            Ok(Value::int(digits_of(&d.unscaled) as i64))
        }),
    ),
    Builtin::new(
        ".unscaledValue",
        "d",
        "All digits as an integer.",
        &[("(.unscaledValue 1.50M)", "150")],
        &Body(|h, a| {
            let n = of(a, 0)?.unscaled;
            number::cost::big(h, n).map(number::narrowed)
        }),
    ),
    Builtin::new(
        ".stripTrailingZeros",
        "d",
        "The decimal without zeros at its end.",
        &[("(.stripTrailingZeros 1.500M)", "1.5M"), ("(.stripTrailingZeros 100M)", "1E+2M")],
        &Body(|h, a| {
            let d = of(a, 0)?;
            h.charge(number::digits_price(d.unscaled.bits()))?;
            decimal::value(h, d.stripped())
        }),
    ),
    Builtin::new(
        ".toPlainString",
        "d",
        "All digits of the decimal, without an exponent.",
        &[("(.toPlainString 1E+3M)", "\"1000\""), ("(.toPlainString 1.50M)", "\"1.50\"")],
        &Body(|h, a| {
            let d = of(a, 0)?;
            h.charge(number::digits_price(d.bits()))?;
            h.reserve(d.bits() / 2)?;
            Ok(Value::from(d.plain_text()))
        }),
    ),
    Builtin::new(
        ".movePointLeft",
        "d places",
        "The decimal divided by ten, so often.",
        &[("(.movePointLeft 12345M 2)", "123.45M")],
        &Body(|h, a| move_point(h, a, 1)),
    ),
    Builtin::new(
        ".movePointRight",
        "d places",
        "The decimal times ten, so often.",
        &[("(.movePointRight 1.5M 2)", "150M")],
        &Body(|h, a| move_point(h, a, -1)),
    ),
];

/// A decimal argument; an integer is taken as one, which Java would not.
pub(super) fn of(a: &[Value], i: usize) -> Result<Decimal> {
    match get(a, i) {
        Value::Decimal(d) => Ok(Decimal::clone(d)),
        Value::Int(n) => Ok(decimal::plain(BigInt::from(n.get()))),
        Value::Big(n) => Ok(decimal::plain(BigInt::clone(n))),
        x => Err(Interrupt::argument(i, "a decimal", x).hint("(bigdec x) makes one; they are written 1.50M")),
    }
}

pub(super) fn bigdec(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Decimal(_) => Ok(take(a, 0)),
        Value::Str(s) => {
            let s = s.as_str();
            let bits = (s.len() as u64).saturating_mul(10) / 3;
            h.charge(number::digits_price(bits))?;
            crate::number::cost::integer_bits(h, bits.saturating_sub(64))?;
            let plain = number::digit::ascii(h, s, 10)?;
            let found = Decimal::parse(&plain).ok_or_else(|| error::not_a_number(s))?;
            decimal::value(h, found)
        }
        Value::Float(f) if !f.get().is_finite() => Err(error::number_format("Infinite or NaN")),
        // As `valueOf` has it: the digits that the double prints with.
        Value::Float(f) => {
            h.charge(30)?;
            let found = Decimal::parse(&number::java_text(f.get())).unwrap_or(decimal::plain(BigInt::from(0)));
            decimal::value(h, found)
        }
        x => match decimal::of_value(h, x)? {
            Some(found) => decimal::value(h, found),
            None => Err(Interrupt::argument(0, "a number or a string", x)),
        },
    }
}

fn value_of(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() < 2 {
        return if matches!(get(a, 0), Value::Str(_)) {
            Err(Interrupt::argument(0, "a number", get(a, 0)))
        } else {
            bigdec(h, a)
        };
    }
    let scale = places(a, 1)?;
    let unscaled = BigInt::from(int(a, 0)?);
    decimal::value(h, Decimal { unscaled, scale })
}

/// A number of digits, which Java keeps in 32 bits.
pub(super) fn places(a: &[Value], i: usize) -> Result<i32> {
    let n = int(a, i)?;
    i32::try_from(n).map_err(|_| Interrupt::error(ErrorKind::Value, format!("Value out of range for int: {n}")))
}

/// A way of rounding: `RoundingMode/HALF_UP`, which is the symbol `HALF_UP`, or one of the numbers that Java once had.
pub fn rounding(v: &Value) -> Result<Rounding> {
    let found = match v {
        Value::Symbol(s) => Rounding::named(s.name()),
        Value::Keyword(k) => Rounding::named(k.name()),
        Value::Int(n) => usize::try_from(n.get()).ok().and_then(|n| Rounding::ALL.get(n)).map(|(_, mode)| *mode),
        _ => None,
    };
    let words = "HALF_UP, HALF_DOWN, HALF_EVEN, UP, DOWN, CEILING, FLOOR or UNNECESSARY";
    found.ok_or_else(|| {
        let message = format!("{} is no way of rounding", crate::print::brief(v));
        Interrupt::error(ErrorKind::Value, message).hint(format!("they are {words}, as in RoundingMode/HALF_UP"))
    })
}

fn set_scale(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mode = if a.len() > 2 { rounding(get(a, 2))? } else { Rounding::Unnecessary };
    let found = decimal::at_scale(h, &of(a, 0)?, places(a, 1)?, mode)?;
    decimal::value(h, found)
}

fn move_point(h: &mut dyn Host, a: &mut [Value], way: i64) -> Result {
    let d = of(a, 0)?;
    if int(a, 1)? == 0 {
        return decimal::value(h, d);
    }
    let scale = i64::from(d.scale).saturating_add(i64::from(places(a, 1)?).saturating_mul(way));
    let scale = i32::try_from(scale)
        .map_err(|_| Interrupt::error(ErrorKind::Arithmetic, "the scale of a decimal leaves 32 bits"))?;
    // Never with an exponent.
    let moved = Decimal { unscaled: d.unscaled, scale };
    let found = if scale < 0 { decimal::at_scale(h, &moved, 0, Rounding::Unnecessary)? } else { moved };
    decimal::value(h, found)
}

/// How many digits are kept.
///
/// # Errors
/// When it is no number of them.
pub(super) fn precision(v: &Value) -> Result<u32> {
    match v {
        Value::Int(n) if i32::try_from(n.get()).is_ok() => u32::try_from(n.get()).map_err(|_| no_context(v)),
        _ => Err(no_context(v)),
    }
}

#[cold]
pub(super) fn no_context(v: &Value) -> Interrupt {
    let message = format!("{} says no number of digits", crate::print::brief(v));
    Interrupt::error(ErrorKind::Value, message)
        .hint("write (MathContext. 10) or (MathContext. 10 RoundingMode/HALF_UP)")
}

/// Calls `f` while results of decimals are rounded, as Clojure binds `*math-context*`.
fn with_precision(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let wanted = MathContext { precision: precision(get(a, 0))?, rounding: rounding(get(a, 1))? };
    let before = h.set_math_context(Some(wanted));
    let done = h.call(&take(a, 2), &mut []);
    h.set_math_context(before);
    done
}

/// The ratio that a decimal is, or a big integer.
pub fn rational(h: &mut dyn Host, d: &Decimal) -> Result {
    crate::number::cost::integer_bits(h, d.bits())?;
    h.charge(number::digits_price(d.bits()))?;
    let (n, below) = d.parts();
    let sign = if n.is_negative() { -1 } else { 1 };
    number::div(h, &Value::big(n * sign), &Value::big(below * sign))
}
