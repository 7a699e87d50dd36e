//! More statics of Java's number classes: bits, unsigned integers, and what is in a double.

use super::statics::int;
use crate::builtins::args::{self, get};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::error::{not_a_number, number_format};
use crate::number::{self, parse};
use crate::value::{Builtin, Float, Value, Width};
use num_bigint::BigInt;

/// A row for `Integer`, then one for `Long`, of the same name; both expressions see the arguments as `a`.
macro_rules! both {
    ($($name:literal $params:literal $doc:literal $args:literal $small:literal $large:literal $a:ident $int:expr, $long:expr;)*) => {
        &[$(
            Builtin::new(concat!("Integer/", $name), $params, concat!($doc, " Of 32 bits."), &[(concat!("(Integer/", $name, $args, ")"), $small)],
                &Body(|_, $a| $int.map(Value::from_int))),
            Builtin::new(concat!("Long/", $name), $params, concat!($doc, " Of 64 bits."), &[(concat!("(Long/", $name, $args, ")"), $large)],
                &Body(|_, $a| $long.map(Value::from_int))),
        )*]
    };
}

/// What an expression of either class gives.
trait FromInt<T> {
    fn from_int(n: T) -> Value;
}

impl FromInt<i32> for Value {
    fn from_int(n: i32) -> Value {
        Value::integer(n)
    }
}

impl FromInt<u32> for Value {
    fn from_int(n: u32) -> Value {
        Value::integer(n.cast_signed())
    }
}

impl FromInt<i64> for Value {
    fn from_int(n: i64) -> Value {
        Value::int(n)
    }
}

/// An integer of 64 bits.
fn long(a: &[Value], i: usize) -> Result<i64> {
    args::int(a, i)
}

/// How far to turn: of a distance below zero its last bits.
fn distance(a: &[Value]) -> Result<u32> {
    Ok(int(a, 1)?.cast_unsigned())
}

fn unsigned(a: &[Value]) -> Result<(u32, u32)> {
    Ok((int(a, 0)?.cast_unsigned(), int(a, 1)?.cast_unsigned()))
}

fn unsigned_long(a: &[Value]) -> Result<(u64, u64)> {
    Ok((long(a, 0)?.cast_unsigned(), long(a, 1)?.cast_unsigned()))
}

#[cold]
fn by_zero() -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, "/ by zero")
}

/// The rows of bits and of unsigned integers.
#[rustfmt::skip]
pub const BITS: &[BuiltinRow] = both! {
    "rotateLeft" "i distance" "The bits turned to the left." " 1 33" "2" "8589934592" a int(a, 0).and_then(|n| Ok(n.rotate_left(distance(a)? & 31))), long(a, 0).and_then(|n| Ok(n.rotate_left(distance(a)? & 63)));
    "rotateRight" "i distance" "The bits turned to the right." " 2 1" "1" "1" a int(a, 0).and_then(|n| Ok(n.rotate_right(distance(a)? & 31))), long(a, 0).and_then(|n| Ok(n.rotate_right(distance(a)? & 63)));
    "highestOneBit" "i" "The highest set bit alone." " 100" "64" "64" a int(a, 0).map(|n| if n == 0 { 0 } else { i32::MIN.cast_unsigned() >> n.leading_zeros() }.cast_signed()), long(a, 0).map(|n| if n == 0 { 0 } else { i64::MIN.cast_unsigned() >> n.leading_zeros() }.cast_signed());
    "lowestOneBit" "i" "The lowest set bit alone." " 100" "4" "4" a int(a, 0).map(|n| n & n.wrapping_neg()), long(a, 0).map(|n| n & n.wrapping_neg());
    "reverse" "i" "The bits in the other order." " 1" "-2147483648" "-9223372036854775808" a int(a, 0).map(i32::reverse_bits), long(a, 0).map(i64::reverse_bits);
    "reverseBytes" "i" "The bytes in the other order." " 1" "16777216" "72057594037927936" a int(a, 0).map(i32::swap_bytes), long(a, 0).map(i64::swap_bytes);
    "compareUnsigned" "x y" "-1, 0 or 1, of integers without signs." " 1 -1" "-1" "-1" a unsigned(a).map(|(x, y)| x.cmp(&y) as i32), unsigned_long(a).map(|(x, y)| x.cmp(&y) as i32);
    "divideUnsigned" "x y" "The quotient of integers without signs." " -1 2" "2147483647" "9223372036854775807" a unsigned(a).and_then(|(x, y)| x.checked_div(y).map(u32::cast_signed).ok_or_else(by_zero)), unsigned_long(a).and_then(|(x, y)| x.checked_div(y).map(u64::cast_signed).ok_or_else(by_zero));
    "remainderUnsigned" "x y" "What a division of integers without signs leaves." " -1 10" "5" "5" a unsigned(a).and_then(|(x, y)| x.checked_rem(y).map(u32::cast_signed).ok_or_else(by_zero)), unsigned_long(a).and_then(|(x, y)| x.checked_rem(y).map(u64::cast_signed).ok_or_else(by_zero));
};

/// The other rows.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Integer/numberOfLeadingZeros", "i", "The number of zeros of 32 above the highest set bit.", &[("(Integer/numberOfLeadingZeros 8)", "28")],
        &of_32_bits!(|_, a| Ok(Value::int(int(a, 0)?.leading_zeros().into())))),
    Builtin::new("Integer/numberOfTrailingZeros", "i", "The number of zeros of 32 below the lowest set bit.", &[("(Integer/numberOfTrailingZeros 8)", "3")],
        &of_32_bits!(|_, a| Ok(Value::int(int(a, 0)?.trailing_zeros().into())))),
    Builtin::new("Integer/toUnsignedLong", "i", "The 32 bits as an integer without a sign.", &[("(Integer/toUnsignedLong -1)", "4294967295")],
        &Body(|_, a| Ok(Value::int(int(a, 0)?.cast_unsigned().into())))),
    Builtin::new("Integer/toUnsignedString", "i | i radix", "The digits of the 32 bits as an integer without a sign.", &[("(Integer/toUnsignedString -1)", "\"4294967295\"")],
        &Body(|_, a| { let n = int(a, 0)?.cast_unsigned(); digits(a, n.into()) })),
    Builtin::new("Long/toUnsignedString", "i | i radix", "The digits of the 64 bits as an integer without a sign.", &[("(Long/toUnsignedString -1)", "\"18446744073709551615\"")],
        &Body(|_, a| { let n = long(a, 0)?.cast_unsigned(); digits(a, n) })),
    Builtin::new("Integer/parseUnsignedInt", "s | s radix", "The 32 bits that a string says without a sign.", &[("(Integer/parseUnsignedInt \"4294967295\")", "-1")],
        &of_32_bits!(|h, a| Ok(Value::int(i64::from(parsed(h, a, u32::MAX.into())? as i32))))),
    Builtin::new("Long/parseUnsignedLong", "s | s radix", "The 64 bits that a string says without a sign.", &[("(Long/parseUnsignedLong \"18446744073709551615\")", "-1")],
        &Body(|h, a| Ok(Value::int(parsed(h, a, u64::MAX)?.cast_signed())))),
    Builtin::new("Integer/decode", "s", "The integer that a string says in decimal, hexadecimal (0x1f, #1f) or octal (017).", &[("(Integer/decode \"0x1f\")", "31")],
        &Body(|h, a| decode(h, a, Width::W32))),
    Builtin::new("Long/decode", "s", "The integer that a string says in decimal, hexadecimal (0x1f, #1f) or octal (017).", &[("(Long/decode \"-#ff\")", "-255")],
        &Body(|h, a| decode(h, a, Width::W64))),
    Builtin::new("Byte/decode", "s", "As Integer/decode, of 8 bits.", &[("(Byte/decode \"0x1f\")", "31")], &Body(|h, a| decode(h, a, Width::W8))),
    Builtin::new("Short/decode", "s", "As Integer/decode, of 16 bits.", &[("(Short/decode \"0x1f\")", "31")], &Body(|h, a| decode(h, a, Width::W16))),
    Builtin::new("Integer/hashCode", "i", "The integer itself.", &[("(Integer/hashCode 5)", "5")], &of_32_bits!(|_, a| Ok(Value::int(int(a, 0)?.into())))),
    Builtin::new("Long/hashCode", "i", "Both halves of the 64 bits on each other.", &[("(Long/hashCode 4294967297)", "0")],
        &of_32_bits!(|_, a| Ok(Value::int(folded(long(a, 0)?.cast_unsigned()))))),
    Builtin::new("Double/hashCode", "d", "Both halves of the 64 bits on each other.", &[("(Double/hashCode 1.5)", "1073217536")],
        &of_32_bits!(|h, a| Ok(Value::int(folded(bits_of(number::to_f64(h, get(a, 0))?)))))),
    Builtin::new("Boolean/hashCode", "b", "1231 of true, 1237 of false.", &[("(Boolean/hashCode true)", "1231")],
        &of_32_bits!(|_, a| Ok(Value::int(if bool(a, 0)? { 1231 } else { 1237 })))),
    Builtin::new("Boolean/toString", "b", "\"true\" or \"false\".", &[("(Boolean/toString true)", "\"true\"")], &Body(|_, a| Ok(Value::str(if bool(a, 0)? { "true" } else { "false" })))),
    Builtin::new("Boolean/compare", "x y", "-1, 0 or 1: false is the smaller.", &[("(Boolean/compare true false)", "1")], &of_32_bits!(|_, a| Ok(Value::int(bool(a, 0)?.cmp(&bool(a, 1)?) as i64)))),
    Builtin::new("Boolean/logicalAnd", "x y", "Whether both are true.", &[("(Boolean/logicalAnd true false)", "false")], &Body(|_, a| Ok(Value::Bool(bool(a, 0)? & bool(a, 1)?)))),
    Builtin::new("Boolean/logicalOr", "x y", "Whether one is true.", &[("(Boolean/logicalOr true false)", "true")], &Body(|_, a| Ok(Value::Bool(bool(a, 0)? | bool(a, 1)?)))),
    Builtin::new("Boolean/logicalXor", "x y", "Whether one alone is true.", &[("(Boolean/logicalXor true false)", "true")], &Body(|_, a| Ok(Value::Bool(bool(a, 0)? ^ bool(a, 1)?)))),
    Builtin::new("Byte/parseByte", "s | s radix", "The 8-bit integer that a string says.", &[("(Byte/parseByte \"7f\" 16)", "127")], &Body(|h, a| ranged(h, a, Width::W8))),
    Builtin::new("Short/parseShort", "s | s radix", "The 16-bit integer that a string says.", &[("(Short/parseShort \"7\")", "7")], &Body(|h, a| ranged(h, a, Width::W16))),
    Builtin::new("Byte/toUnsignedInt", "b", "The 8 bits as an integer without a sign.", &[("(Byte/toUnsignedInt -1)", "255")], &of_32_bits!(|_, a| Ok(Value::int(byte(a, 0)? & 0xff)))),
    Builtin::new("Byte/toUnsignedLong", "b", "The 8 bits as an integer without a sign.", &[("(Byte/toUnsignedLong -1)", "255")], &Body(|_, a| Ok(Value::int(byte(a, 0)? & 0xff)))),
    Builtin::new("Byte/toString", "b", "The digits of an 8-bit integer.", &[("(Byte/toString 7)", "\"7\"")], &Body(|_, a| Ok(Value::from(byte(a, 0)?.to_string())))),
    Builtin::new("Byte/compare", "x y", "The difference of 8-bit integers.", &[("(Byte/compare 1 3)", "-2")], &of_32_bits!(|_, a| Ok(Value::int(byte(a, 0)? - byte(a, 1)?)))),
    Builtin::new("Byte/compareUnsigned", "x y", "The difference of 8-bit integers without signs.", &[("(Byte/compareUnsigned 1 -1)", "-254")], &of_32_bits!(|_, a| Ok(Value::int((byte(a, 0)? & 0xff) - (byte(a, 1)? & 0xff))))),
    Builtin::new("Byte/hashCode", "b", "The integer itself.", &[("(Byte/hashCode 5)", "5")], &of_32_bits!(|_, a| Ok(Value::int(byte(a, 0)?)))),
    Builtin::new("Short/toUnsignedInt", "s", "The 16 bits as an integer without a sign.", &[("(Short/toUnsignedInt -1)", "65535")], &of_32_bits!(|_, a| Ok(Value::int(short(a, 0)? & 0xffff)))),
    Builtin::new("Short/toUnsignedLong", "s", "The 16 bits as an integer without a sign.", &[("(Short/toUnsignedLong -1)", "65535")], &Body(|_, a| Ok(Value::int(short(a, 0)? & 0xffff)))),
    Builtin::new("Short/toString", "s", "The digits of a 16-bit integer.", &[("(Short/toString 7)", "\"7\"")], &Body(|_, a| Ok(Value::from(short(a, 0)?.to_string())))),
    Builtin::new("Short/compare", "x y", "The difference of 16-bit integers.", &[("(Short/compare 1 3)", "-2")], &of_32_bits!(|_, a| Ok(Value::int(short(a, 0)? - short(a, 1)?)))),
    Builtin::new("Short/compareUnsigned", "x y", "The difference of 16-bit integers without signs.", &[("(Short/compareUnsigned 1 -1)", "-65534")], &of_32_bits!(|_, a| Ok(Value::int((short(a, 0)? & 0xffff) - (short(a, 1)? & 0xffff))))),
    Builtin::new("Short/hashCode", "s", "The integer itself.", &[("(Short/hashCode 5)", "5")], &of_32_bits!(|_, a| Ok(Value::int(short(a, 0)?)))),
    Builtin::new("Short/reverseBytes", "s", "The two bytes in the other order.", &[("(Short/reverseBytes 1)", "256")], &Body(|_, a| Ok(Value::int((short(a, 0)? as i16).swap_bytes().into()).of_width(Width::W16)))),
    Builtin::new("Double/doubleToLongBits", "d", "The 64 bits of a double.", &[("(Double/doubleToLongBits 1.0)", "4607182418800017408")],
        &Body(|h, a| Ok(Value::int(bits_of(number::to_f64(h, get(a, 0))?).cast_signed())))),
    Builtin::new("Double/doubleToRawLongBits", "d", "The 64 bits of a double.", &[("(Double/doubleToRawLongBits 1.0)", "4607182418800017408")],
        &Body(|h, a| Ok(Value::int(bits_of(number::to_f64(h, get(a, 0))?).cast_signed())))),
    Builtin::new("Double/longBitsToDouble", "i", "The double of 64 bits.", &[("(Double/longBitsToDouble 4607182418800017408)", "1.0")],
        &Body(|_, a| Ok(Value::float(f64::from_bits(long(a, 0)?.cast_unsigned()))))),
    Builtin::new("Double/toHexString", "d", "A double in hexadecimal, with an exponent of two.", &[("(Double/toHexString 1.5)", "\"0x1.8p0\"")],
        &Body(|h, a| Ok(Value::from(hexadecimal(number::to_f64(h, get(a, 0))?))))),
    Builtin::new("Double/sum", "x y", "The sum.", &[("(Double/sum 1.5 2)", "3.5")], &Body(|h, a| two(h, a, |x, y| x + y))),
    Builtin::new("Double/max", "x y", "The larger; NaN if one is.", &[("(Double/max 1.5 2)", "2.0")], &Body(|h, a| two(h, a, |x, y| extreme(x, y, true)))),
    Builtin::new("Double/min", "x y", "The smaller; NaN if one is.", &[("(Double/min 1.5 2)", "1.5")], &Body(|h, a| two(h, a, |x, y| extreme(x, y, false)))),
    Builtin::new("Float/floatToIntBits", "f", "The 32 bits of a float.", &[("(Float/floatToIntBits 1.5)", "1069547520")], &of_32_bits!(|h, a| Ok(Value::int(i64::from(float_bits(h, a)?))))),
    Builtin::new("Float/floatToRawIntBits", "f", "The 32 bits of a float.", &[("(Float/floatToRawIntBits 1.5)", "1069547520")], &of_32_bits!(|h, a| Ok(Value::int(i64::from(float_bits(h, a)?))))),
    Builtin::new("Float/intBitsToFloat", "i", "The float of 32 bits.", &[("(Float/intBitsToFloat 1069547520)", "1.5")],
        &Body(|_, a| Ok(Value::float32(f32::from_bits(int(a, 0)?.cast_unsigned()))))),
    Builtin::new("Float/hashCode", "f", "The 32 bits of a float.", &[("(Float/hashCode 1.5)", "1069547520")], &of_32_bits!(|h, a| Ok(Value::int(i64::from(float_bits(h, a)?))))),
    Builtin::new("Float/sum", "x y", "The sum.", &[("(Float/sum 1.5 2)", "3.5")], &of_32_bits!(|h, a| two(h, a, |x, y| f64::from(x as f32 + y as f32)))),
    Builtin::new("Float/max", "x y", "The larger; NaN if one is.", &[("(Float/max 1.5 2)", "2.0")], &of_32_bits!(|h, a| two(h, a, |x, y| f64::from(extreme(x, y, true) as f32)))),
    Builtin::new("Float/min", "x y", "The smaller; NaN if one is.", &[("(Float/min 1.5 2)", "1.5")], &of_32_bits!(|h, a| two(h, a, |x, y| f64::from(extreme(x, y, false) as f32)))),
    Builtin::new("Float/toString", "f", "The text of a float.", &[("(Float/toString 1.5)", "\"1.5\"")],
        &Body(|h, a| { let f = number::to_f64(h, get(a, 0))?; Ok(Value::from(number::java_text(Float::of_width((f as f32).into(), Width::W32)))) })),
    Builtin::new("Float/isNaN", "f", "Whether it is NaN.", &[("(Float/isNaN ##NaN)", "true")], &Body(|h, a| Ok(Value::Bool(number::to_f64(h, get(a, 0))?.is_nan())))),
    Builtin::new("Float/isInfinite", "f", "Whether it is infinite.", &[("(Float/isInfinite ##Inf)", "true")], &Body(|h, a| Ok(Value::Bool(number::to_f64(h, get(a, 0))?.is_infinite())))),
    Builtin::new("Float/isFinite", "f", "Whether it is neither infinite nor NaN.", &[("(Float/isFinite 1.5)", "true")], &Body(|h, a| Ok(Value::Bool(number::to_f64(h, get(a, 0))?.is_finite())))),
    Builtin::new("Math/absExact", "a", "The integer without its sign, or an error.", &[("(Math/absExact -5)", "5")],
        &Body(|_, a| long(a, 0)?.checked_abs().map(Value::int).ok_or_else(|| Interrupt::error(ErrorKind::Arithmetic, "Overflow to represent absolute value of Long.MIN_VALUE")))),
    Builtin::new("Math/multiplyFull", "x y", "The product of 32-bit integers.", &[("(Math/multiplyFull 100000 100000)", "10000000000")],
        &Body(|_, a| Ok(Value::int(i64::from(int(a, 0)?) * i64::from(int(a, 1)?))))),
    Builtin::new("Math/multiplyHigh", "x y", "The upper 64 bits of the product.", &[("(Math/multiplyHigh 4611686018427387904 4)", "1")],
        &Body(|_, a| Ok(Value::int(((i128::from(long(a, 0)?) * i128::from(long(a, 1)?)) >> 64) as i64)))),
    Builtin::new("Math/fma", "a b c", "a times b and c, rounded once.", &[("(Math/fma 2.0 3.0 1.0)", "7.0")],
        &Body(|h, a| { h.charge(4)?; let [x, y, z] = [number::to_f64(h, get(a, 0))?, number::to_f64(h, get(a, 1))?, number::to_f64(h, get(a, 2))?]; Ok(Value::float(x.mul_add(y, z))) })),
];

fn digits(a: &[Value], n: u64) -> Result {
    // Java takes ten where the radix makes no sense.
    let radix = if a.len() > 1 { u32::try_from(args::int(a, 1)?).ok() } else { None };
    let radix = radix.filter(|r| (2..=36).contains(r)).unwrap_or(10);
    Ok(Value::from(BigInt::from(n).to_str_radix(radix)))
}

fn parsed(h: &mut dyn Host, a: &[Value], most: u64) -> Result<u64> {
    let text = args::str(a, 0)?.as_str();
    h.charge(text.len() as u64 / 64 + 1)?;
    let radix = super::statics::radix(a)?;
    if text.starts_with('-') {
        let words = format!("Illegal leading minus sign on unsigned string {}.", crate::error::cut(text.into(), 100));
        return Err(number_format(words));
    }
    let plain = number::digit::ascii(h, text, radix)?;
    u64::from_str_radix(&plain, radix).ok().filter(|n| *n <= most).ok_or_else(|| not_a_number(text))
}

fn decode(h: &mut dyn Host, a: &[Value], width: Width) -> Result {
    let (_, min, max) = width.integers();
    let text = args::str(a, 0)?.as_str();
    h.charge(text.len() as u64 / 64 + 1)?;
    let (negative, body) = match text.strip_prefix('-') {
        Some(body) => (true, body),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let hexadecimal = ["0x", "0X", "#"].into_iter().find_map(|p| body.strip_prefix(p));
    let (digits, radix) = match hexadecimal {
        Some(digits) => (digits, 16),
        None if body.len() > 1 && body.starts_with('0') => (body.get(1..).unwrap_or_default(), 8),
        None => (body, 10),
    };
    if text.is_empty() {
        return Err(number_format("Zero length string"));
    }
    if digits.starts_with(['-', '+']) {
        return Err(number_format("Sign character in wrong position"));
    }
    let signed = if negative { format!("-{digits}") } else { digits.to_owned() };
    match parse::long(h, &signed, radix)? {
        Some(n) if (min..=max).contains(&n) => Ok(Value::int(n).of_width(width)),
        _ => Err(not_a_number(text)),
    }
}

fn ranged(h: &mut dyn Host, a: &[Value], width: Width) -> Result {
    let (_, min, max) = width.integers();
    let text = args::str(a, 0)?.as_str();
    h.charge(text.len() as u64 / 64 + 1)?;
    let radix = super::statics::radix(a)?;
    match parse::long(h, text, radix)?.filter(|n| i32::try_from(*n).is_ok()) {
        Some(n) if (min..=max).contains(&n) => Ok(Value::int(n).of_width(width)),
        Some(_) => {
            let text = crate::error::cut(text.into(), 100);
            Err(number_format(format!("Value out of range. Value:\"{text}\" Radix:{radix}")))
        }
        None => Err(not_a_number(text)),
    }
}

fn within(a: &[Value], i: usize, kind: &str, min: i64, max: i64) -> Result<i64> {
    let n = args::int(a, i)?;
    if (min..=max).contains(&n) {
        return Ok(n);
    }
    Err(Interrupt::error(ErrorKind::Value, format!("Value out of range for {kind}: {n}")))
}

fn byte(a: &[Value], i: usize) -> Result<i64> {
    within(a, i, "byte", i8::MIN.into(), i8::MAX.into())
}

fn short(a: &[Value], i: usize) -> Result<i64> {
    within(a, i, "short", i16::MIN.into(), i16::MAX.into())
}

fn bool(a: &[Value], i: usize) -> Result<bool> {
    match get(a, i) {
        Value::Bool(b) => Ok(*b),
        other => Err(Interrupt::argument(i, "a boolean", other)),
    }
}

fn folded(bits: u64) -> i64 {
    i64::from((bits ^ bits >> 32) as i32)
}

/// The bits of a double; there is one NaN.
fn bits_of(f: f64) -> u64 {
    if f.is_nan() { 0x7ff8_0000_0000_0000 } else { f.to_bits() }
}

fn float_bits(h: &mut dyn Host, a: &[Value]) -> Result<i32> {
    let f = number::to_f64(h, get(a, 0))? as f32;
    Ok(if f.is_nan() { 0x7fc0_0000 } else { f.to_bits().cast_signed() })
}

fn two(h: &mut dyn Host, a: &[Value], f: fn(f64, f64) -> f64) -> Result {
    let (x, y) = (number::to_f64(h, get(a, 0))?, number::to_f64(h, get(a, 1))?);
    Ok(Value::float(f(x, y)))
}

fn extreme(x: f64, y: f64, larger: bool) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x.total_cmp(&y).is_gt() == larger { x } else { y }
}

/// As Java's `Double.toHexString`.
fn hexadecimal(f: f64) -> String {
    let bits = f.to_bits();
    let sign = if bits >> 63 == 1 { "-" } else { "" };
    let (exponent, part) = (bits >> 52 & 0x7ff, bits & 0xf_ffff_ffff_ffff);
    match (exponent, part) {
        (0x7ff, 0) => format!("{sign}Infinity"),
        (0x7ff, _) => "NaN".into(),
        (0, 0) => format!("{sign}0x0.0p0"),
        _ => {
            let digits = format!("{part:013x}");
            let short = digits.trim_end_matches('0');
            let short = if short.is_empty() { "0" } else { short };
            let (lead, power) = if exponent == 0 { (0, -1022) } else { (1, exponent.cast_signed() - 1023) };
            format!("{sign}0x{lead}.{short}p{power}")
        }
    }
}
