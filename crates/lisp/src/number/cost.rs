//! What big numbers cost: fuel and memory by their size, asked for before they are computed (SECURITY R2, SECURITY attack 11).

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::node::on_deep_stack;
use num_bigint::BigInt;

/// 64-bit words of this many bits.
fn words(bits: u64) -> u64 {
    bits / 64 + 1
}

/// For one pass over `bits`: sums, copies, shifts.
pub(crate) fn pass(h: &mut dyn Host, bits: u64) -> Result<()> {
    let w = words(bits);
    h.charge(2 + w / 8)?;
    if w < 16 { Ok(()) } else { h.reserve(w.saturating_mul(8)) }
}

/// For a product. The library splits large factors, which makes the work grow with less than the square.
pub(crate) fn product(h: &mut dyn Host, a: u64, b: u64) -> Result<()> {
    let (short, long) = (words(a.min(b)), words(a.max(b)));
    let plain = short.saturating_mul(long) / 10;
    let split = (long / short + 1).saturating_mul(short.saturating_mul(short.isqrt())) / 2 * 3;
    h.charge(if short < 64 { plain } else { plain.min(split) })?;
    pass(h, a.saturating_add(b))
}

/// For a division with remainder.
pub(crate) fn division(h: &mut dyn Host, a: u64, b: u64) -> Result<()> {
    let (long, short) = (words(a), words(b));
    h.charge(long.saturating_sub(short).saturating_add(1).saturating_mul(short) / 5)?;
    pass(h, a)
}

/// For a greatest common divisor of numbers of so many bits: a division of the longer one, then bit by bit.
pub(crate) fn divisor(h: &mut dyn Host, a: u64, b: u64) -> Result<()> {
    let short = a.min(b);
    division(h, a.max(b), short)?;
    h.charge(short.saturating_mul(words(short) / 8 + 4))
}

/// Fuel for turning a number of so many bits into decimal digits, or back.
pub fn digits(bits: u64) -> u64 {
    let w = words(bits);
    w.saturating_mul(w / 32 + 4)
}

/// Charges the decimal digits of every big number in `v`, one unit an item besides: asked before a long text is made,
/// since the printer runs without a host.
pub fn pay_for_digits(h: &mut dyn Host, v: &Value) -> Result<()> {
    let all = |h: &mut dyn Host, items: &mut dyn Iterator<Item = &Value>| {
        on_deep_stack(|| {
            for v in items {
                h.charge(1)?;
                pay_for_digits(h, v)?;
            }
            Ok(())
        })
    };
    match v {
        Value::Big(n) => h.charge(digits(n.bits())),
        Value::Ratio(r) => h.charge(digits(r.numer().bits()).saturating_add(digits(r.denom().bits()))),
        Value::Decimal(d) => h.charge(digits(d.unscaled.bits())),
        Value::Vector(x) => all(h, &mut x.iter()),
        Value::Slice(x) => all(h, &mut x.iter()),
        Value::Set(x) => all(h, &mut x.iter()),
        Value::Map(x) => {
            all(h, &mut x.keys())?;
            all(h, &mut x.vals())
        }
        Value::Cons(_) | Value::Lazy(_) => crate::value::compare::RealizedIter::new(v).try_for_each(|v| {
            h.charge(1)?;
            on_deep_stack(|| pay_for_digits(h, &v))
        }),
        _ => Ok(()),
    }
}

/// A big integer as a value, if it is within `integer_bits`.
pub(crate) fn big(h: &mut dyn Host, n: BigInt) -> Result {
    integer_bits(h, n.bits())?;
    Ok(Value::big(n))
}

/// Whether an integer of so many bits may be.
pub(crate) fn integer_bits(h: &mut dyn Host, bits: u64) -> Result<()> {
    over("an integer", "integer_bits", bits, h.limits().integer_bits)
}

/// Whether a ratio with parts of so many bits may be.
pub(crate) fn ratio_bits(h: &mut dyn Host, bits: u64) -> Result<()> {
    over("a part of a ratio", "ratio_bits", bits, h.limits().ratio_bits)
}

/// Whether a decimal of so many bits, its zeros written out, may be. As of ratios: two are compared by products.
pub(crate) fn decimal_bits(h: &mut dyn Host, bits: u64) -> Result<()> {
    over("a decimal", "ratio_bits", bits, h.limits().ratio_bits)
}

fn over(what: &str, name: &str, bits: u64, limit: u64) -> Result<()> {
    if bits <= limit {
        return Ok(());
    }
    let message = format!("{what} of {bits} bits is larger than {name} = {limit}");
    Err(Interrupt::error(ErrorKind::Memory, message))
}
