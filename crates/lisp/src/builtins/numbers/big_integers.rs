//! The methods of Java's `BigInteger`. They take any integer, and what they give is a `BigInteger`.

use crate::builtins::args::{get, int};
use crate::builtins::arrays;
use crate::builtins::java::bytes;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::{self, cost, error, theory};
use crate::value::boxed::ArrayKind;
use crate::value::{Builtin, Value, Width};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("biginteger", "x", "The whole part, or the digits of a string, as a BigInteger of Java: equal to a bigint, but printed without the N.",
        &[("(biginteger 5)", "5"), ("(class (biginteger 5))", "java.math.BigInteger"), ("(+ (biginteger 5) 1)", "6N")], &Body(|h, a| {
            let x = super::arithmetic::bigint(h, a)?;
            java(h, x)
        })),
    Builtin::new("BigInteger.", "s | s radix | bytes | signum bytes", "The integer that a string says, in digits of a radix, or that bytes are: the first with the sign, or with a sign of their own.",
        &[("(BigInteger. \"12345678901234567890\")", "12345678901234567890"), ("(BigInteger. \"ff\" 16)", "255"),
          ("(BigInteger. 1 (byte-array [-1]))", "255"), ("(BigInteger. \"x\")", "!For input string")], &Body(construct)),
    Builtin::new("BigInteger/valueOf", "n", "The integer as a BigInteger.", &[("(BigInteger/valueOf 5)", "5")],
        &Body(|_, a| Ok(Value::java_big(BigInt::from(int(a, 0)?))))),
    Builtin::new(".mod", "n modulus", "What a division leaves, never below zero.", &[("(.mod (biginteger -7) (biginteger 3))", "2")],
        &Body(|h, a| { let (x, y) = two(h, a)?; let found = theory::modulo(h, &x, &y)?; made(h, found) })),
    Builtin::new(".modPow", "n exponent modulus", "The number to a power, by a modulus.",
        &[("(.modPow (biginteger 3) (biginteger 200) (biginteger 1000))", "1")], &Body(|h, a| {
            let ((x, y), m) = (two(h, a)?, of(h, a, 2)?);
            let found = theory::mod_pow(h, &x, &y, &m)?;
            made(h, found)
        })),
    Builtin::new(".modInverse", "n modulus", "What times the number leaves 1 by a modulus.",
        &[("(.modInverse (biginteger 3) (biginteger 11))", "4"), ("(.modInverse (biginteger 2) (biginteger 4))", "!not invertible")],
        &Body(|h, a| { let (x, y) = two(h, a)?; let found = theory::mod_inverse(h, &x, &y)?; made(h, found) })),
    Builtin::new(".gcd", "n other", "The greatest common divisor.", &[("(.gcd (biginteger 12) (biginteger 18))", "6")],
        &Body(|h, a| { let (x, y) = two(h, a)?; let found = theory::gcd(h, &x, &y)?; made(h, found) })),
    Builtin::new(".isProbablePrime", "n certainty", "Whether the number, its sign aside, is prime; true where no certainty is asked for.",
        &[("(.isProbablePrime (biginteger 97) 10)", "true")], &Body(|h, a| {
            let n = of(h, a, 0)?;
            Ok(Value::Bool(small(a, 1)? <= 0 || theory::is_prime(h, &n.abs())?))
        })),
    Builtin::new(".nextProbablePrime", "n", "The next prime above.", &[("(.nextProbablePrime (biginteger 97))", "101")],
        &Body(|h, a| { let n = of(h, a, 0)?; let found = theory::next_prime(h, &n)?; made(h, found) })),
    Builtin::new(".testBit", "n index", "Whether a bit is set.", &[("(.testBit (biginteger 5) 2)", "true")],
        &Body(|h, a| { let n = of(h, a, 0)?; Ok(Value::Bool(n.bit(address(a)?))) })),
    Builtin::new(".setBit", "n index", "The number with a bit set.", &[("(.setBit (biginteger 5) 1)", "7")], &Body(|h, a| bit(h, a, |_| true))),
    Builtin::new(".clearBit", "n index", "The number with a bit cleared.", &[("(.clearBit (biginteger 5) 0)", "4")], &Body(|h, a| bit(h, a, |_| false))),
    Builtin::new(".flipBit", "n index", "The number with a bit turned round.", &[("(.flipBit (biginteger 5) 0)", "4")], &Body(|h, a| bit(h, a, |b| !b))),
    Builtin::new(".shiftLeft", "n bits", "The number times two, so often; divided where the count is negative.",
        &[("(.shiftLeft (biginteger 1) 70)", "1180591620717411303424")], &Body(|h, a| { let n = small(a, 1)?; shift(h, a, n) })),
    Builtin::new(".shiftRight", "n bits", "The number divided by two, so often, rounded down.",
        &[("(.shiftRight (biginteger -5) 1)", "-3")], &Body(|h, a| { let n = small(a, 1)?; shift(h, a, -n) })),
    Builtin::new(".bitLength", "n", "How many bits it takes, its sign aside.", &[("(.bitLength (biginteger 255))", "8")], &of_32_bits!(|h, a| {
        let n = of(h, a, 0)?;
        cost::pass(h, n.bits())?;
        let bits = if n.is_negative() { (n + 1u8).bits() } else { n.bits() };
        Ok(whole(bits))
    })),
    Builtin::new(".bitCount", "n", "How many bits differ from that of the sign.", &[("(.bitCount (biginteger 255))", "8")], &of_32_bits!(|h, a| {
        let n = of(h, a, 0)?;
        cost::pass(h, n.bits())?;
        let n = if n.is_negative() { n + 1u8 } else { n };
        Ok(whole(n.iter_u64_digits().map(|w| u64::from(w.count_ones())).sum()))
    })),
    Builtin::new(".getLowestSetBit", "n", "Where the lowest set bit is; -1 of zero.", &[("(.getLowestSetBit (biginteger 12))", "2")],
        &of_32_bits!(|h, a| Ok(of(h, a, 0)?.trailing_zeros().map_or(Value::int(-1), whole)))),
    Builtin::new(".and", "n other", "The bits that both have.", &[("(.and (biginteger 12) (biginteger 10))", "8")], &Body(|h, a| bits(h, a, |x, y| x & y))),
    Builtin::new(".or", "n other", "The bits that one has, or both.", &[("(.or (biginteger 12) (biginteger 10))", "14")], &Body(|h, a| bits(h, a, |x, y| x | y))),
    Builtin::new(".xor", "n other", "The bits that one alone has.", &[("(.xor (biginteger 12) (biginteger 10))", "6")], &Body(|h, a| bits(h, a, |x, y| x ^ y))),
    Builtin::new(".andNot", "n other", "The bits that the other has not.", &[("(.andNot (biginteger 12) (biginteger 10))", "4")], &Body(|h, a| bits(h, a, |x, y| x & !y))),
    Builtin::new(".not", "n", "All bits turned round.", &[("(.not (biginteger 5))", "-6")], &Body(|h, a| {
        let n = of(h, a, 0)?;
        cost::pass(h, n.bits())?;
        made(h, !n)
    })),
    Builtin::new(".sqrtAndRemainder", "n", "The root without its fraction and what is left, as an array.",
        &[("(vec (.sqrtAndRemainder (biginteger 17)))", "[4 1]")], &Body(|h, a| {
            let n = of(h, a, 0)?;
            let root = theory::root(h, &n)?;
            cost::product(h, root.bits(), root.bits())?;
            let rest = n - &root * &root;
            arrays::items::new(h, ArrayKind::Object, [Value::java_big(root), Value::java_big(rest)].into_iter().collect())
        })),
    Builtin::new(".toByteArray", "n", "The bytes of the number, the first with the sign, as an array.",
        &[("(vec (.toByteArray (biginteger 255)))", "[0 -1]")], &Body(|h, a| {
            let n = of(h, a, 0)?;
            bytes::array(h, &n.to_signed_bytes_be())
        })),
];

/// The integer that an argument is. Java takes a `BigInteger` only.
pub(super) fn of(h: &mut dyn Host, a: &[Value], i: usize) -> Result<BigInt> {
    match get(a, i) {
        Value::Int(n) => Ok(BigInt::from(n.get())),
        Value::Big(n) => {
            cost::pass(h, n.bits())?;
            Ok(BigInt::clone(n))
        }
        other => Err(Interrupt::argument(i, "an integer", other).hint("(biginteger x) makes one")),
    }
}

fn two(h: &mut dyn Host, a: &[Value]) -> Result<(BigInt, BigInt)> {
    Ok((of(h, a, 0)?, of(h, a, 1)?))
}

/// A `BigInteger`, if it is within `integer_bits`.
pub(super) fn made(h: &mut dyn Host, n: BigInt) -> Result {
    cost::integer_bits(h, n.bits())?;
    Ok(Value::java_big(n))
}

/// An integer as a `BigInteger`.
pub(super) fn java(h: &mut dyn Host, x: Value) -> Result {
    match x {
        Value::Big(ref n) if !n.is_java() => {
            cost::pass(h, n.bits())?;
            Ok(Value::java_big(BigInt::clone(n)))
        }
        Value::Int(n) => Ok(Value::java_big(BigInt::from(n.get()))),
        other => Ok(other),
    }
}

fn whole(n: u64) -> Value {
    Value::int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// A number that Java keeps in 32 bits.
fn small(a: &[Value], i: usize) -> Result<i64> {
    let n = int(a, i)?;
    match i32::try_from(n) {
        Ok(n) => Ok(n.into()),
        Err(_) => Err(Interrupt::error(ErrorKind::Value, format!("Value out of range for int: {n}"))),
    }
}

fn address(a: &[Value]) -> Result<u64> {
    u64::try_from(small(a, 1)?).map_err(|_| Interrupt::error(ErrorKind::Arithmetic, "Negative bit address"))
}

fn bit(h: &mut dyn Host, a: &[Value], new: fn(bool) -> bool) -> Result {
    let (mut n, at) = (of(h, a, 0)?, address(a)?);
    let to = new(n.bit(at));
    if to != n.bit(at) {
        cost::integer_bits(h, at.saturating_add(1))?;
        cost::pass(h, n.bits().max(at))?;
        n.set_bit(at, to);
    }
    made(h, n)
}

/// `left` is below zero to go to the right.
fn shift(h: &mut dyn Host, a: &[Value], left: i64) -> Result {
    let n = of(h, a, 0)?;
    let by = left.unsigned_abs();
    if left <= 0 {
        return made(h, n >> by);
    }
    if !n.is_zero() {
        cost::integer_bits(h, n.bits().saturating_add(by))?;
        cost::pass(h, n.bits().saturating_add(by))?;
        return made(h, n << by);
    }
    made(h, n)
}

fn bits(h: &mut dyn Host, a: &[Value], f: fn(BigInt, BigInt) -> BigInt) -> Result {
    let (x, y) = two(h, a)?;
    cost::pass(h, x.bits().max(y.bits()))?;
    made(h, f(x, y))
}

fn construct(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        v if bytes::is_array(v) && a.len() == 1 => {
            let bytes = bytes_of(h, a, 0)?;
            if bytes.is_empty() {
                return Err(error::number_format("Zero length BigInteger"));
            }
            made(h, BigInt::from_signed_bytes_be(&bytes))
        }
        Value::Int(sign) if a.len() == 2 && (-1..=1).contains(&sign.get()) => {
            let sign = match sign.get() {
                0 => Sign::NoSign,
                1 => Sign::Plus,
                _ => Sign::Minus,
            };
            let bytes = bytes_of(h, a, 1)?;
            if sign == Sign::NoSign && bytes.iter().any(|b| *b != 0) {
                return Err(error::number_format("signum-magnitude mismatch"));
            }
            made(h, BigInt::from_bytes_be(sign, &bytes))
        }
        Value::Int(_) if a.len() == 2 && matches!(get(a, 1), Value::Place(_)) => {
            Err(error::number_format("Invalid signum value"))
        }
        _ => {
            let s = crate::builtins::args::str(a, 0)?.clone();
            let radix = if a.len() > 1 { small(a, 1)? } else { 10 };
            let radix = match u32::try_from(radix) {
                Ok(r @ 2..=36) => r,
                _ => return Err(error::number_format("Radix out of range")),
            };
            match number::parse::big_of(h, s.as_str(), radix)? {
                Some(n) => made(h, n),
                None if s.as_str().is_empty() => Err(error::number_format("Zero length BigInteger")),
                None => Err(error::not_a_number(s.as_str())),
            }
        }
    }
}

fn bytes_of(h: &mut dyn Host, a: &[Value], i: usize) -> Result<Vec<u8>> {
    let all = bytes::of(h, a, i)?;
    cost::integer_bits(h, (all.len() as u64).saturating_mul(8).saturating_sub(8))?;
    Ok(all)
}

/// `(.toString n radix)`
///
/// # Errors
/// When the first argument is no integer, or the second no radix.
pub fn to_radix(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let radix = int(a, 1)?;
    let Value::Big(n) = get(a, 0) else {
        return Err(Interrupt::argument(0, "a BigInteger", get(a, 0))
            .hint("(Long/toString n radix) writes an integer in another radix, (.toString x) any value"));
    };
    // Java takes ten where the radix makes no sense.
    let radix = u32::try_from(radix).ok().filter(|r| (2..=36).contains(r)).unwrap_or(10);
    h.charge(number::digits_price(n.bits()))?;
    h.reserve(n.bits())?;
    Ok(Value::from(n.to_str_radix(radix)))
}

/// The quotient without its fraction, with Java's words where there is none.
pub(super) fn divided(h: &mut dyn Host, a: &[Value]) -> Result<(BigInt, BigInt)> {
    let (x, y) = two(h, a)?;
    if y.is_zero() {
        return Err(Interrupt::error(ErrorKind::Arithmetic, "BigInteger divide by zero"));
    }
    cost::division(h, x.bits(), y.bits())?;
    Ok(x.div_rem(&y))
}

/// `.longValueExact` and its kin of an integer.
pub(super) fn exact(h: &mut dyn Host, a: &[Value], width: Width) -> Result {
    let n = of(h, a, 0)?;
    let (kind, min, max) = width.integers();
    match n.to_i64().filter(|n| (min..=max).contains(n)) {
        Some(n) => Ok(Value::int(n).of_width(width)),
        None => Err(Interrupt::error(ErrorKind::Arithmetic, format!("BigInteger out of {kind} range"))),
    }
}
