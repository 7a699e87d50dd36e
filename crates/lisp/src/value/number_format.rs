//! Numbers as text, as Java prints them (trap 7).

use super::{Float, Width};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use std::fmt::LowerExp;
use std::str::FromStr;

/// The shortest digits that say this double, and where the point is: sign, `d` digits without a point, and the power of
/// ten of the first. Zero is `0`; infinities and NaN have no digits.
pub fn shortest(f: Float) -> (bool, String, i32) {
    let (wide, f) = (f.width() == Width::W64, f.get());
    let text = if wide { with_exponent(f.abs()) } else { with_exponent(f.abs() as f32) };
    let (mut digits, exponent) = parts(&text);
    let places = i32::try_from(digits.len()).unwrap_or(i32::MAX).saturating_sub(1).saturating_sub(exponent);
    if wide && let Some(even) = even_of_two(f, digits.len(), places) {
        digits = even;
    }
    (f.is_sign_negative(), digits, exponent)
}

/// As `1.5e-3`, with the digits that tell the number apart. Where one would do, Java takes the nearest of two, which
/// distinguishes the smallest numbers.
fn with_exponent<T: LowerExp + FromStr + PartialEq>(f: T) -> String {
    let text = format!("{f:e}");
    if text.contains('.') {
        return text;
    }
    let two = format!("{f:.1e}");
    if two.parse().is_ok_and(|same: T| same == f) { two } else { text }
}

/// Digits and power of ten of the text `1.5e-3`.
fn parts(text: &str) -> (String, i32) {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mut digits = mantissa.replace('.', "");
    if digits.len() == 2 && digits.ends_with('0') {
        digits.pop();
    }
    (digits, exponent.parse().unwrap_or(0))
}

/// Where two texts of so many digits, with so many places behind the point, are as near to a double: the digits of the even
/// one, as Java has it, if they are the smaller.
fn even_of_two(f: f64, digits: usize, places: i32) -> Option<String> {
    if digits < 14 || !(0..30).contains(&places) {
        return None;
    }
    // Only then is it a number of one place more.
    if (f * f64::from(1u32 << (places + 1))).fract() != 0.0 {
        return None;
    }
    let exact = format!("{:.*}", usize::try_from(places + 1).unwrap_or_default(), f.abs());
    let exact: String = exact.chars().filter(char::is_ascii_digit).skip_while(|c| *c == '0').collect();
    let (first, rest) = exact.split_at_checked(digits)?;
    (rest == "5" && first.ends_with(['0', '2', '4', '6', '8'])).then(|| first.to_owned())
}

/// As `pr` and `print` show a double: `1.0E7`, `9999999.0`, `0.001`, `1.0E-4`, `-0.0`, `##Inf`, `##NaN`.
pub fn float_text(f: impl Into<Float>) -> String {
    let f = f.into();
    if f.get().is_nan() {
        return "##NaN".into();
    }
    if f.get().is_infinite() {
        return if f.get() > 0.0 { "##Inf" } else { "##-Inf" }.into();
    }
    java_text(f)
}

/// As `str` shows a double on its own: `Infinity` and `NaN` for what is not finite.
pub fn java_text(f: impl Into<Float>) -> String {
    let wide = f.into();
    let f = wide.get();
    if f.is_nan() {
        return "NaN".into();
    }
    if f.is_infinite() {
        return if f > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    let small = f.abs();
    if small == 0.0 || (1e-3..1e7).contains(&small) {
        // Rust's debugging text has the same digits, and a point at all times, in this range.
        if wide.width() == Width::W32 {
            return format!("{:?}", f as f32);
        }
        let text = format!("{f:?}");
        let places = text.len().saturating_sub(text.find('.').unwrap_or_default() + 1);
        let digits = text.bytes().filter(u8::is_ascii_digit).skip_while(|c| *c == b'0').count();
        return match even_of_two(f, digits, i32::try_from(places).unwrap_or(i32::MAX)) {
            // The digits are the same but for the last one.
            Some(even) => {
                text.get(..text.len() - 1).unwrap_or_default().to_owned() + even.get(digits - 1..).unwrap_or_default()
            }
            None => text,
        };
    }
    let (negative, digits, exponent) = shortest(wide);
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
