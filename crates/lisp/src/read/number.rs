//! Numbers: integers in every radix, ratios, doubles and decimals, by Clojure's three number patterns.

use super::error::shown;
use crate::error::{Error, ErrorKind};
use crate::form::Kind;
use crate::value::decimal::Decimal;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{alphanumeric1, char, digit1, hex_digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::sequence::{preceded, separated_pair, terminated};
use nom::{IResult, Parser};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::Zero;

/// Longest number; converting text to a big integer costs the square of its length.
const DIGITS: usize = 10_000;

/// The number that a word is; the word begins with a digit, or a sign and a digit.
pub fn number(word: &str) -> Result<Kind, Error> {
    if let Some(int) = short_decimal(word.as_bytes()) {
        return Ok(Kind::Int(int));
    }
    if word.len() > DIGITS {
        let message = format!("Invalid number: {} digits, the longest is {DIGITS}", word.len());
        return Err(Error::new(ErrorKind::Parse, message).hint("compute it, or read it from a string"));
    }
    integer(word).or_else(|| ratio(word)).or_else(|| double(word)).unwrap_or_else(|| Err(invalid(word)))
}

/// What nearly every number is: decimal, without a leading zero, surely within 64 bits.
pub(super) fn short_decimal(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if digits.len() > 18 || (digits.len() > 1 && digits.first() == Some(&b'0')) {
        return None;
    }
    let value = digits.iter().try_fold(0i64, |n, b| b.is_ascii_digit().then(|| n * 10 + i64::from(b - b'0')))?;
    Some(if negative { -value } else { value })
}

/// `None` where the word has not this shape; an error where it has, and still is no number.
type Shaped = Option<Result<Kind, Error>>;

type Parsed<'a> = IResult<&'a str, &'a str, ()>;

fn signed(input: &str) -> Parsed<'_> {
    recognize((opt(one_of("+-")), digit1)).parse(input)
}

/// `12`, `0x1F`, `017`, `2r101`, each with an `N` or without.
fn integer(word: &str) -> Shaped {
    let hex = preceded(alt((tag("0x"), tag("0X"))), hex_digit1).map(|digits| ("16", digits));
    // The digits of a radix take in a final N, as in Clojure.
    let radix = (terminated(digit1, one_of("rR")), alphanumeric1);
    let plain =
        digit1.map(|digits: &str| (if digits.len() > 1 && digits.starts_with('0') { "8" } else { "10" }, digits));
    let shape = (opt(one_of("+-")), alt((hex, radix, plain)), opt(char('N')));
    let parsed: IResult<&str, _, ()> = all_consuming(shape).parse(word);
    let (_, (sign, (radix, digits), big)) = parsed.ok()?;
    let radix = Some(radix).filter(|r| !r.starts_with('0')).and_then(|r| r.parse().ok());
    let Some(radix) = radix.filter(|r| (2..=36).contains(r)) else {
        return Some(Err(invalid(word).hint("the radix before r is 2 to 36")));
    };
    let negative = sign == Some('-');
    let small = u64::from_str_radix(digits, radix).ok().and_then(|magnitude| {
        let magnitude = i128::from(magnitude);
        i64::try_from(if negative { -magnitude } else { magnitude }).ok()
    });
    Some(match small {
        Some(int) if big.is_none() => Ok(Kind::Int(int)),
        Some(int) => Ok(Kind::Big(int.into())),
        None => match BigInt::parse_bytes(digits.as_bytes(), radix) {
            Some(magnitude) => Ok(Kind::Big(if negative { -magnitude } else { magnitude })),
            None => Err(invalid(word)),
        },
    })
}

/// `1/2`, reduced; whole ones become integers, as in Clojure.
fn ratio(word: &str) -> Shaped {
    let (_, (above, below)) = all_consuming(separated_pair(signed, char('/'), digit1)).parse(word).ok()?;
    if let (Ok(n), Ok(d)) = (above.parse::<i64>(), below.parse::<i64>())
        && d != 0
        && n % d == 0
    {
        return Some(Ok(Kind::Int(n / d)));
    }
    let numerator = BigInt::parse_bytes(above.as_bytes(), 10)?;
    let denominator = BigInt::parse_bytes(below.as_bytes(), 10)?;
    if denominator.is_zero() {
        return Some(Err(Error::new(ErrorKind::Parse, format!("Divide by zero: {}", shown(word)))));
    }
    let ratio = BigRational::new(numerator, denominator);
    Some(Ok(if ratio.is_integer() { Kind::Big(ratio.to_integer()) } else { Kind::Ratio(ratio) }))
}

/// `1.`, `1.5e-3`, `1e3`, decimals with an `M`; past the range of a double it is infinite, as in Java.
fn double(word: &str) -> Shaped {
    let exponent = (one_of("eE"), signed);
    // Not digit0: at the end of a str, nom 8.0.0 gives it a rest whose place recognize cannot use.
    let shape = (recognize((signed, opt((char('.'), opt(digit1))), opt(exponent))), opt(char('M')));
    let parsed: IResult<&str, (&str, Option<char>), ()> = all_consuming(shape).parse(word);
    let (_, (digits, decimal)) = parsed.ok()?;
    if decimal.is_some() {
        // With all its zeros it must be no longer than other numbers may be.
        let found = Decimal::parse(digits).filter(|d| d.scale.unsigned_abs() <= DIGITS as u32);
        return Some(
            found.map(Kind::Decimal).ok_or_else(|| invalid(word).hint(format!("an exponent goes to {DIGITS}"))),
        );
    }
    Some(digits.parse().map(Kind::Float).map_err(|_| invalid(word)))
}

fn invalid(word: &str) -> Error {
    let error = Error::new(ErrorKind::Parse, format!("Invalid number: {}", shown(word)));
    let unsigned = word.trim_start_matches(['+', '-']);
    let plain = unsigned.trim_start_matches('0');
    if unsigned.starts_with('0') && !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit()) {
        return error.hint(format!("a leading 0 makes it octal; write {}", shown(plain)));
    }
    if unsigned.contains('_') && unsigned.bytes().all(|b| b == b'_' || b.is_ascii_digit()) {
        return error.hint(format!("write {}", shown(&unsigned.replace('_', ""))));
    }
    if unsigned.contains(|c: char| c.is_alphabetic()) {
        return error.hint("a name cannot begin with a digit");
    }
    error
}
