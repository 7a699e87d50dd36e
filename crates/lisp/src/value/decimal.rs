//! Decimals, as Java's `BigDecimal` has them: an integer and how many of its digits are behind the point.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// `unscaled` times ten to `-scale`. `1.50M` is 150 with scale 2, and another value than `1.5M` to print, though equal to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// All digits.
    pub unscaled: BigInt,
    /// How many of them are behind the point; below zero that many zeros are to be added.
    pub scale: i32,
}

/// How a result is rounded: to how many digits, and which way. What `with-precision` sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MathContext {
    /// Digits that are kept.
    pub precision: u32,
    /// Which way.
    pub rounding: Rounding,
}

/// Java's `RoundingMode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Away from zero.
    Up,
    /// Towards zero.
    Down,
    /// Towards positive infinity.
    Ceiling,
    /// Towards negative infinity.
    Floor,
    /// To the nearest, of two the one away from zero.
    HalfUp,
    /// To the nearest, of two the one towards zero.
    HalfDown,
    /// To the nearest, of two the even one.
    HalfEven,
    /// Nothing may have to be rounded.
    Unnecessary,
}

impl Rounding {
    /// Every mode, by the name that Java has for it.
    pub const ALL: [(&'static str, Rounding); 8] = [
        ("UP", Rounding::Up),
        ("DOWN", Rounding::Down),
        ("CEILING", Rounding::Ceiling),
        ("FLOOR", Rounding::Floor),
        ("HALF_UP", Rounding::HalfUp),
        ("HALF_DOWN", Rounding::HalfDown),
        ("HALF_EVEN", Rounding::HalfEven),
        ("UNNECESSARY", Rounding::Unnecessary),
    ];

    /// The mode of this name.
    pub fn named(name: &str) -> Option<Rounding> {
        Self::ALL.into_iter().find(|(n, _)| *n == name).map(|(_, mode)| mode)
    }
}

/// A bit, in the parts that sizes of numbers are counted in.
const BIT: i128 = 1_000_000_000_000;

/// Ten to this power.
pub(crate) fn power_of_ten(places: u32) -> BigInt {
    BigInt::from(10u8).pow(places)
}

/// How many decimal digits a number has; of zero one.
pub(crate) fn digits_of(n: &BigInt) -> u64 {
    // One too few at most: log10(2) cut off behind eleven digits.
    let least =
        u64::try_from(u128::from(n.bits().saturating_sub(1)) * 30_102_999_566 / 100_000_000_000).unwrap_or(u64::MAX);
    let power = power_of_ten(u32::try_from(least).unwrap_or(u32::MAX));
    let (mut digits, mut power) = (least, power);
    while n.magnitude() >= power.magnitude() {
        power *= 10u8;
        digits += 1;
    }
    digits.max(1)
}

impl Decimal {
    /// The bits that it takes when its zeros are written out: what its work is charged by.
    pub(crate) fn bits(&self) -> u64 {
        let (bits, zeros) = (self.unscaled.bits(), u64::from(self.scale.unsigned_abs()).saturating_mul(10) / 3);
        if self.scale < 0 { bits.saturating_add(zeros) } else { bits.max(zeros) }
    }

    /// The binary logarithm of the number without its sign, in parts of a bit, less than one bit too large.
    fn size(&self) -> i128 {
        // log2(10) of a bit, so exact that an error times 2^31 is far below one.
        const TEN: i128 = 3_321_928_094_887;
        i128::from(self.unscaled.bits()) * BIT - i128::from(self.scale) * TEN
    }

    /// Whether it is smaller or larger than a ratio with parts of so many bits, signs left out, if that can be told from them.
    pub(crate) fn size_beside(&self, above: u64, below: u64) -> Option<Ordering> {
        let other = (i128::from(above) - i128::from(below)) * BIT;
        let apart = !self.unscaled.is_zero() && above > 0 && (self.size() - other).abs() > 3 * BIT;
        apart.then(|| self.size().cmp(&other))
    }

    /// Numerator and denominator, not in lowest terms.
    pub(crate) fn parts(&self) -> (BigInt, BigInt) {
        let power = power_of_ten(self.scale.unsigned_abs());
        if self.scale < 0 { (&self.unscaled * power, BigInt::from(1u8)) } else { (self.unscaled.clone(), power) }
    }

    /// The same number without zeros at its end, so that equal ones are alike.
    pub(crate) fn stripped(&self) -> Decimal {
        if self.unscaled.is_zero() {
            return Decimal { unscaled: BigInt::zero(), scale: 0 };
        }
        let mut all = self.clone();
        // By halving steps: a long row of zeros costs few divisions.
        let mut step = 1u32;
        loop {
            let (rest, zeros) = all.unscaled.div_rem(&power_of_ten(step));
            match zeros.is_zero() {
                true => {
                    all = Decimal { unscaled: rest, scale: all.scale.saturating_sub_unsigned(step) };
                    step = step.saturating_mul(2);
                }
                false if step == 1 => return all,
                false => step /= 2,
            }
        }
    }

    /// Its order among decimals: `1.0M` and `1.00M` are equal.
    pub(crate) fn order(&self, other: &Decimal) -> Ordering {
        let signs = self.unscaled.sign().cmp(&other.unscaled.sign());
        if signs.is_ne() || self.unscaled.is_zero() || self.scale == other.scale {
            return signs.then_with(|| self.unscaled.cmp(&other.unscaled));
        }
        // By their sizes first: only numbers of about one size are brought to one scale, and that adds no more digits than
        // the longer one has.
        let (size, its) = (self.size(), other.size());
        if (size - its).abs() > 2 * BIT {
            let sizes = size.cmp(&its);
            return if self.unscaled.is_negative() { sizes.reverse() } else { sizes };
        }
        let more = power_of_ten(self.scale.abs_diff(other.scale));
        if self.scale < other.scale {
            (&self.unscaled * more).cmp(&other.unscaled)
        } else {
            self.unscaled.cmp(&(&other.unscaled * more))
        }
    }

    /// As Java's `toString`: with an exponent where the scale is negative or the number very small.
    pub(crate) fn text(&self) -> String {
        let digits = self.unscaled.magnitude().to_string();
        let first = i64::try_from(digits.len()).unwrap_or(i64::MAX) - 1 - i64::from(self.scale);
        let unsigned = if self.scale >= 0 && first >= -6 {
            fixed(&digits, self.scale.unsigned_abs() as usize)
        } else {
            let (head, tail) = digits.split_at_checked(1).unwrap_or((&digits, ""));
            let point = if tail.is_empty() { "" } else { "." };
            let exponent = if first == 0 { String::new() } else { format!("E{first:+}") };
            format!("{head}{point}{tail}{exponent}")
        };
        self.signed(unsigned)
    }

    /// Whether it is above the number with its fraction cut off.
    pub(crate) fn fraction_above_zero(&self) -> bool {
        let whole = Decimal { unscaled: BigInt::from(self.cut()), scale: 0 };
        self.unscaled.is_positive() && self.order(&whole).is_gt()
    }

    /// The number with its fraction cut off, in 64 bits; the nearest such where it is beyond them.
    pub(crate) fn cut(&self) -> i64 {
        let far = if self.unscaled.is_negative() { i64::MIN } else { i64::MAX };
        match self.size() {
            size if size < 0 || self.unscaled.is_zero() => 0,
            size if size > 65 * BIT => far,
            _ => {
                let (n, d) = self.parts();
                (n / d).to_i64().unwrap_or(far)
            }
        }
    }

    /// As Java's `toPlainString`: all digits, no exponent.
    pub(crate) fn plain_text(&self) -> String {
        let digits = self.unscaled.magnitude().to_string();
        self.signed(match usize::try_from(self.scale) {
            Ok(places) => fixed(&digits, places),
            Err(_) if self.unscaled.is_zero() => digits,
            Err(_) => digits + &"0".repeat(self.scale.unsigned_abs() as usize),
        })
    }

    fn signed(&self, text: String) -> String {
        if self.unscaled.is_negative() { format!("-{text}") } else { text }
    }

    /// The decimal that a text says, as Java reads it: digits, a point among them, an exponent. `None` of any other text, and
    /// where the exponent leaves 32 bits.
    pub(crate) fn parse(text: &str) -> Option<Decimal> {
        let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().ok()?;
        let unsigned = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
        let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        let digits = format!("{whole}{fraction}");
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let unscaled = BigInt::parse_bytes(digits.as_bytes(), 10)?;
        let unscaled = if mantissa.starts_with('-') { -unscaled } else { unscaled };
        Some(Decimal { unscaled, scale: i32::try_from(fraction.len()).ok()?.checked_sub(exponent)? })
    }
}

impl fmt::Display for Decimal {
    /// Without the `M`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// Digits with a point before the last `places`.
fn fixed(digits: &str, places: usize) -> String {
    if places == 0 {
        return digits.to_owned();
    }
    let lack = places.saturating_add(1).saturating_sub(digits.len());
    let padded = "0".repeat(lack) + digits;
    let (whole, fraction) = padded.split_at_checked(padded.len().saturating_sub(places)).unwrap_or((&padded, ""));
    format!("{whole}.{fraction}")
}
