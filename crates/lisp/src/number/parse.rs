//! Text as numbers, by Java's rules (trap 8).

use super::cost;
use crate::host::{Host, Result};
use num_bigint::BigInt;

/// A 64-bit integer in digits of `radix` (2 to 36), with a sign or without.
///
/// # Errors
/// When fuel or memory ends.
pub fn long(h: &mut dyn Host, text: &str, radix: u32) -> Result<Option<i64>> {
    // Rust takes the same texts as Java: one sign, at least one digit, nothing else.
    Ok(i64::from_str_radix(&super::digit::ascii(h, text, radix)?, radix).ok())
}

/// A double as Java reads it: blanks around it, `NaN`, `Infinity`, and a type letter at its end are allowed.
pub fn double(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let (negative, body) = match text.as_bytes().first() {
        Some(b'-') => (true, text.get(1..)?),
        Some(b'+') => (false, text.get(1..)?),
        _ => (false, text),
    };
    let value = match body {
        "NaN" => f64::NAN,
        "Infinity" => f64::INFINITY,
        _ if body.starts_with("0x") || body.starts_with("0X") => hexadecimal(body.get(2..)?)?,
        _ => {
            let body = body.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(body);
            // What is left is what Rust reads too, but for its own names of infinity and a second sign.
            if !body.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')) {
                return None;
            }
            if !body.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
                return None;
            }
            body.parse().ok()?
        }
    };
    Some(if negative { -value } else { value })
}

/// A double in hexadecimal digits with a binary exponent: `1.8p3` is 12.
fn hexadecimal(text: &str) -> Option<f64> {
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let exponent = exponent.strip_suffix(['f', 'F', 'd', 'D']).unwrap_or(exponent);
    let mut scale = exponent.parse::<i32>().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut bits = 0u64;
    for (i, c) in whole.chars().chain(fraction.chars()).enumerate() {
        let digit = u64::from(c.to_digit(16)?);
        if bits >> 59 == 0 {
            bits = bits << 4 | digit;
        } else {
            // What does not fit any more only decides how the last bit is rounded.
            bits |= u64::from(digit != 0);
            scale = scale.saturating_add(4);
        }
        if i >= whole.len() {
            scale = scale.saturating_sub(4);
        }
    }
    // In two steps, so that neither factor leaves the range of doubles.
    let half = scale.clamp(-2000, 2000) / 2;
    Some(bits as f64 * 2f64.powi(half) * 2f64.powi(scale.clamp(-2000, 2000) - half))
}

/// A big integer in decimal digits, charged by their number.
pub fn big(h: &mut dyn Host, text: &str) -> Result<Option<BigInt>> {
    big_of(h, text, 10)
}

/// A big integer in digits of a radix (2 to 36), charged by their number.
pub fn big_of(h: &mut dyn Host, text: &str, radix: u32) -> Result<Option<BigInt>> {
    let text = &*super::digit::ascii(h, text, radix)?;
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| char::from(b).is_digit(radix)) {
        return Ok(None);
    }
    let tenths = if radix == 10 { 33 } else { u64::from(u32::BITS - (radix - 1).leading_zeros()) * 10 };
    let bits = (digits.len() as u64).saturating_mul(tenths) / 10;
    cost::integer_bits(h, bits.saturating_sub(8))?;
    // Reading digits is less work than writing them.
    h.charge(cost::digits(bits) / 2)?;
    cost::pass(h, bits)?;
    Ok(BigInt::parse_bytes(text.as_bytes(), radix))
}

/// A uuid as Java reads it: five hexadecimal groups, short ones filled up.
pub fn uuid(text: &str) -> Option<u128> {
    if text.len() > 36 {
        return None;
    }
    let mut groups = text.split('-');
    let mut id = 0u128;
    for width in [32, 16, 16, 16, 48] {
        let group = groups.next().filter(|g| !g.is_empty() && g.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let n = i64::from_str_radix(group, 16).ok()? as u128;
        id = (id << width) | (n & ((1u128 << width) - 1));
    }
    groups.next().is_none().then_some(id)
}
