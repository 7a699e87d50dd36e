//! What big numbers cost: fuel and room by their size, asked for before they are computed (SECURITY R2, attack 11).

use crate::error::ErrorKind;
use crate::host::{Host, Result, Stop};
use crate::value::Value;
use num_bigint::BigInt;

/// 64-bit words of this many bits.
fn words(bits: u64) -> u64 {
    bits / 64 + 1
}

/// For one pass over `bits`: sums, copies, shifts.
pub(crate) fn pass(h: &mut dyn Host, bits: u64) -> Result<()> {
    let w = words(bits);
    if w < 16 {
        return Ok(());
    }
    h.spend(w / 8)?;
    h.room(w.saturating_mul(8))
}

/// For a product. The library splits large ones; what that saves is not counted on below the size where it is sure.
pub(crate) fn product(h: &mut dyn Host, a: u64, b: u64) -> Result<()> {
    let (short, long) = (words(a.min(b)), words(a.max(b)));
    let plain = short.saturating_mul(long) / 16;
    let split = (long / short.max(1) + 1).saturating_mul(short.saturating_mul(short.isqrt()));
    h.spend(if short < 64 { plain } else { plain.min(split) })?;
    pass(h, a.saturating_add(b))
}

/// For a division with remainder.
pub(crate) fn division(h: &mut dyn Host, a: u64, b: u64) -> Result<()> {
    let (a, b) = (words(a), words(b));
    h.spend(a.saturating_sub(b).saturating_add(1).saturating_mul(b) / 16)?;
    h.room(a.saturating_mul(16))
}

/// For a greatest common divisor of two numbers of at most this many bits.
pub(crate) fn divisor(h: &mut dyn Host, bits: u64) -> Result<()> {
    h.spend(bits.saturating_mul(words(bits)) / 16)
}

/// Fuel for turning a number of so many bits into decimal digits, or back.
pub fn digits(bits: u64) -> u64 {
    let w = words(bits);
    w.saturating_mul(w) / 16
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

fn over(what: &str, name: &str, bits: u64, limit: u64) -> Result<()> {
    if bits <= limit {
        return Ok(());
    }
    let message = format!("{what} of {bits} bits is larger than {name} = {limit}");
    Err(Stop::error(ErrorKind::Memory, message))
}
