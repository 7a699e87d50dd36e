//! Numbers as text, as Java prints them (trap 7).

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// The shortest digits that say this double, and where the point is: sign, `d` digits without a point, and the power of
/// ten of the first. Zero is `0`; infinities and NaN have no digits.
pub fn shortest(f: f64) -> (bool, String, i32) {
    let mut text = format!("{:e}", f.abs());
    if !text.contains('.') {
        // One digit would do: Java then takes the nearest of two, which distinguishes the smallest doubles.
        let two = format!("{:.1e}", f.abs());
        if two.parse() == Ok(f.abs()) {
            text = two;
        }
    }
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = mantissa.replace('.', "");
    if digits.len() == 2 && digits.ends_with('0') {
        digits.pop();
    }
    (f.is_sign_negative(), digits, exponent.parse().unwrap_or(0))
}

/// As `pr` and `print` show a double: `1.0E7`, `9999999.0`, `0.001`, `1.0E-4`, `-0.0`, `##Inf`, `##NaN`.
pub fn float_text(f: f64) -> String {
    if f.is_nan() {
        return "##NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "##Inf" } else { "##-Inf" }.into();
    }
    java_text(f)
}

/// As `str` shows a double on its own: `Infinity` and `NaN` for what is not finite.
pub fn java_text(f: f64) -> String {
    if f.is_nan() {
        return "NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let small = f.abs();
    if small == 0.0 || (1e-3..1e7).contains(&small) {
        // Rust's debugging text has the same digits, and a point at all times, in this range.
        return format!("{f:?}");
    }
    let (negative, digits, exponent) = shortest(f);
    let sign = if negative { "-" } else { "" };
    let (first, rest) = digits.split_at_checked(1).unwrap_or((&digits, ""));
    format!("{sign}{first}.{}E{exponent}", if rest.is_empty() { "0" } else { rest })
}

/// The decimal digits of a big integer, at least `limit` bytes of them; when there are many more, the rest is left out,
/// and what is there costs little (SECURITY P7).
pub fn big_text(b: &BigInt, limit: usize) -> String {
    // A bit less than the number of digits.
    let digits = b.bits().saturating_mul(30_102) / 100_000;
    let wanted = (limit as u64).saturating_add(24);
    if digits < 1000 || digits <= wanted.saturating_mul(2) {
        return b.to_string();
    }
    let sign = if b.sign() == num_bigint::Sign::Minus { "-" } else { "" };
    let text = leading(b.magnitude(), digits - wanted, wanted).to_string();
    // The last digits may be wrong by the rounding below; so many are not asked for.
    format!("{sign}{}", text.get(..limit.saturating_add(2)).unwrap_or(&text))
}

/// About `n / 10^power`, with `digits` digits right: with mantissas of that many digits and a few, instead of the whole
/// power.
fn leading(n: &BigUint, power: u64, digits: u64) -> BigUint {
    let bits = digits.saturating_mul(10) / 3 + 192;
    let cut = |n: BigUint, exponent: u64| {
        let extra = n.bits().saturating_sub(bits);
        (n >> extra, exponent + extra)
    };
    // 10^power as mantissa and power of two, by squaring; each cut loses less than one in 2^bits.
    let (mut m, mut e) = (BigUint::from(1u8), 0u64);
    for i in (0..64 - power.leading_zeros()).rev() {
        (m, e) = cut(&m * &m, e * 2);
        if (power >> i) & 1 == 1 {
            (m, e) = cut(m * 10u8, e);
        }
    }
    let (top, shift) = cut(n.clone(), 0);
    // One more than what was cut: a power of ten shows as 1000, not as 999.
    let top = top + 1u8;
    // n / 10^power = top * 2^shift / (m * 2^e)
    match shift.checked_sub(e) {
        Some(left) => (top << left) / m,
        None => top / (m << (e - shift).to_u64().unwrap_or(0)),
    }
}
