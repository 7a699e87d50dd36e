//! Statics of Java's number classes that models write by habit, and their constants.

use crate::builtins::args;
use crate::builtins::numbers::java_numbers;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::error::{not_a_number, number_format};
use crate::number::{self, decimal, parse};
use crate::value::{Builtin, Map, Set, Slice, Symbol, Value, Width};

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Integer/parseInt",
        "s | s radix",
        "The integer that a string says; anything else in it is an error.",
        &[("(Integer/parseInt \"42\")", "42"), ("(Integer/parseInt \"x\")", "!For input string")],
        &of_32_bits!(parse_int),
    ),
    Builtin::new(
        "Long/parseLong",
        "s | s radix",
        "The integer that a string says; anything else in it is an error.",
        &[("(Long/parseLong \"-42\")", "-42"), ("(Long/parseLong \"ff\" 16)", "255")],
        &Body(parse_long),
    ),
    Builtin::new(
        "Integer/valueOf",
        "x | s radix",
        "The integer, or the one that a string says.",
        &[("(Integer/valueOf \"7\")", "7")],
        &of_32_bits!(|h, a| value_of(h, a, parse_int)),
    ),
    Builtin::new(
        "Long/valueOf",
        "x | s radix",
        "The integer, or the one that a string says.",
        &[("(Long/valueOf \"5\")", "5")],
        &Body(|h, a| value_of(h, a, parse_long)),
    ),
    Builtin::new(
        "Double/parseDouble",
        "s",
        "The double that a string says; anything else in it is an error.",
        &[("(Double/parseDouble \"2.5\")", "2.5"), ("(Double/parseDouble \"abc\")", "!For input string")],
        &Body(parse_double),
    ),
    Builtin::new(
        "Double/valueOf",
        "x",
        "The double, or the one that a string says.",
        &[("(Double/valueOf \"1.5\")", "1.5")],
        &Body(double_value),
    ),
    Builtin::new(
        "Boolean/parseBoolean",
        "s",
        "Whether it is \"true\" in any case.",
        &[("(Boolean/parseBoolean \"TRUE\")", "true")],
        &Body(parse_boolean),
    ),
    Builtin::new(
        "Boolean/valueOf",
        "x",
        "The boolean, or whether the string is \"true\" in any case.",
        &[("(Boolean/valueOf \"true\")", "true")],
        &Body(parse_boolean),
    ),
    Builtin::new(
        "Long/toString",
        "i | i radix",
        "The digits of an integer.",
        &[("(Long/toString 255 16)", "\"ff\"")],
        &Body(to_string),
    ),
    Builtin::new(
        "Integer/toString",
        "i | i radix",
        "The digits of an integer.",
        &[("(Integer/toString 5 2)", "\"101\"")],
        &Body(to_string),
    ),
    Builtin::new(
        "Double/toString",
        "d",
        "The text of a double.",
        &[("(Double/toString 1.5)", "\"1.5\"")],
        &Body(double_to_string),
    ),
    Builtin::new(
        "Long/toBinaryString",
        "i",
        "The 64 bits of an integer, without zeros in front.",
        &[("(Long/toBinaryString 5)", "\"101\"")],
        &Body(|_, a| Ok(Value::from(format!("{:b}", args::int(a, 0)?)))),
    ),
    Builtin::new(
        "Long/toHexString",
        "i",
        "The 64 bits of an integer in hexadecimal.",
        &[("(Long/toHexString 255)", "\"ff\"")],
        &Body(|_, a| Ok(Value::from(format!("{:x}", args::int(a, 0)?)))),
    ),
    Builtin::new(
        "Long/toOctalString",
        "i",
        "The 64 bits of an integer in octal.",
        &[("(Long/toOctalString 8)", "\"10\"")],
        &Body(|_, a| Ok(Value::from(format!("{:o}", args::int(a, 0)?)))),
    ),
    Builtin::new(
        "Integer/toBinaryString",
        "i",
        "The 32 bits of an integer, without zeros in front.",
        &[("(Integer/toBinaryString 5)", "\"101\"")],
        &Body(|_, a| Ok(Value::from(format!("{:b}", int(a, 0)?)))),
    ),
    Builtin::new(
        "Integer/toHexString",
        "i",
        "The 32 bits of an integer in hexadecimal.",
        &[("(Integer/toHexString -1)", "\"ffffffff\"")],
        &Body(|_, a| Ok(Value::from(format!("{:x}", int(a, 0)?)))),
    ),
    Builtin::new(
        "Integer/toOctalString",
        "i",
        "The 32 bits of an integer in octal.",
        &[("(Integer/toOctalString 8)", "\"10\"")],
        &Body(|_, a| Ok(Value::from(format!("{:o}", int(a, 0)?)))),
    ),
    Builtin::new(
        "Long/bitCount",
        "i",
        "How many bits are set.",
        &[("(Long/bitCount 255)", "8")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(args::int(a, 0)?.count_ones())))),
    ),
    Builtin::new(
        "Integer/bitCount",
        "i",
        "How many of 32 bits are set.",
        &[("(Integer/bitCount 255)", "8")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(int(a, 0)?.count_ones())))),
    ),
    Builtin::new(
        "Long/numberOfTrailingZeros",
        "i",
        "The number of zeros below the lowest set bit.",
        &[("(Long/numberOfTrailingZeros 8)", "3")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(args::int(a, 0)?.trailing_zeros())))),
    ),
    Builtin::new(
        "Long/numberOfLeadingZeros",
        "i",
        "The number of zeros above the highest set bit.",
        &[("(Long/numberOfLeadingZeros 8)", "60")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(args::int(a, 0)?.leading_zeros())))),
    ),
    Builtin::new(
        "Long/signum",
        "i",
        "1, 0 or -1.",
        &[("(Long/signum -5)", "-1")],
        &of_32_bits!(|_, a| Ok(Value::int(args::int(a, 0)?.signum()))),
    ),
    Builtin::new(
        "Integer/signum",
        "i",
        "1, 0 or -1.",
        &[("(Integer/signum -5)", "-1")],
        &of_32_bits!(|_, a| Ok(Value::int(args::int(a, 0)?.signum()))),
    ),
    Builtin::new("Long/compare", "x y", "-1, 0 or 1.", &[("(Long/compare 1 2)", "-1")], &of_32_bits!(compare_ints)),
    Builtin::new(
        "Integer/compare",
        "x y",
        "-1, 0 or 1.",
        &[("(Integer/compare 2 1)", "1")],
        &of_32_bits!(compare_ints),
    ),
    Builtin::new(
        "Double/compare",
        "x y",
        "-1, 0 or 1, in the order that has -0.0 before 0.0 and NaN last.",
        &[("(Double/compare 1.0 2.0)", "-1")],
        &of_32_bits!(compare_doubles),
    ),
    Builtin::new(
        "Long/max",
        "x y",
        "The larger.",
        &[("(Long/max 1 2)", "2")],
        &Body(|_, a| Ok(Value::int(args::int(a, 0)?.max(args::int(a, 1)?)))),
    ),
    Builtin::new(
        "Long/min",
        "x y",
        "The smaller.",
        &[("(Long/min 1 2)", "1")],
        &Body(|_, a| Ok(Value::int(args::int(a, 0)?.min(args::int(a, 1)?)))),
    ),
    Builtin::new(
        "Integer/max",
        "x y",
        "The larger.",
        &[("(Integer/max 1 2)", "2")],
        &of_32_bits!(|_, a| Ok(Value::int(args::int(a, 0)?.max(args::int(a, 1)?)))),
    ),
    Builtin::new(
        "Integer/min",
        "x y",
        "The smaller.",
        &[("(Integer/min 1 2)", "1")],
        &of_32_bits!(|_, a| Ok(Value::int(args::int(a, 0)?.min(args::int(a, 1)?)))),
    ),
    Builtin::new(
        "Long/sum",
        "x y",
        "The sum, which wraps around.",
        &[("(Long/sum 1 2)", "3")],
        &Body(|_, a| Ok(Value::int(args::int(a, 0)?.wrapping_add(args::int(a, 1)?)))),
    ),
    Builtin::new(
        "Integer/sum",
        "x y",
        "The sum.",
        &[("(Integer/sum 1 2)", "3")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(int(a, 0)?.wrapping_add(int(a, 1)?))))),
    ),
    Builtin::new(
        "Double/isNaN",
        "d",
        "Whether it is NaN.",
        &[("(Double/isNaN ##NaN)", "true")],
        &Body(|h, a| double(h, a, f64::is_nan)),
    ),
    Builtin::new(
        "Double/isInfinite",
        "d",
        "Whether it is infinite.",
        &[("(Double/isInfinite ##Inf)", "true")],
        &Body(|h, a| double(h, a, f64::is_infinite)),
    ),
    Builtin::new(
        "Double/isFinite",
        "d",
        "Whether it is neither infinite nor NaN.",
        &[("(Double/isFinite 1.0)", "true")],
        &Body(|h, a| double(h, a, f64::is_finite)),
    ),
];

/// What a constant of Java's classes stands for: `Math/PI`, `Long/MAX_VALUE`.
pub fn constant(name: &str) -> Option<Value> {
    Some(match name {
        "Math/PI" | "clojure.math/PI" => Value::float(std::f64::consts::PI),
        "Math/E" | "clojure.math/E" => Value::float(std::f64::consts::E),
        "Long/MAX_VALUE" => Value::int(i64::MAX),
        "Long/MIN_VALUE" => Value::int(i64::MIN),
        "Integer/MAX_VALUE" => Value::integer(i32::MAX),
        "Integer/MIN_VALUE" => Value::integer(i32::MIN),
        "Short/MAX_VALUE" => Value::int(i64::from(i16::MAX)).of_width(Width::W16),
        "Short/MIN_VALUE" => Value::int(i64::from(i16::MIN)).of_width(Width::W16),
        "Byte/MAX_VALUE" => Value::int(i64::from(i8::MAX)).of_width(Width::W8),
        "Byte/MIN_VALUE" => Value::int(i64::from(i8::MIN)).of_width(Width::W8),
        "Double/MAX_VALUE" => Value::float(f64::MAX),
        "Double/MIN_VALUE" => Value::float(5e-324),
        "Double/MIN_NORMAL" => Value::float(f64::MIN_POSITIVE),
        "Double/POSITIVE_INFINITY" => Value::float(f64::INFINITY),
        "Float/POSITIVE_INFINITY" => Value::float32(f32::INFINITY),
        "Double/NEGATIVE_INFINITY" => Value::float(f64::NEG_INFINITY),
        "Float/NEGATIVE_INFINITY" => Value::float32(f32::NEG_INFINITY),
        "Double/NaN" => Value::float(f64::NAN),
        "Float/NaN" => Value::float32(f32::NAN),
        // As the floats print; see `float`.
        "Float/MAX_VALUE" => Value::float32(f32::MAX),
        "Float/MIN_VALUE" => Value::float32(f32::from_bits(1)),
        "Float/MIN_NORMAL" => Value::float32(f32::MIN_POSITIVE),
        "Double/MAX_EXPONENT" => Value::integer(1023),
        "Double/MIN_EXPONENT" => Value::integer(-1022),
        "Float/MAX_EXPONENT" => Value::integer(127),
        "Float/MIN_EXPONENT" => Value::integer(-126),
        "Long/SIZE" | "Double/SIZE" => Value::integer(64),
        "Integer/SIZE" | "Float/SIZE" => Value::integer(32),
        "Short/SIZE" | "Character/SIZE" => Value::integer(16),
        "Byte/SIZE" | "Long/BYTES" | "Double/BYTES" => Value::integer(8),
        "Integer/BYTES" | "Float/BYTES" => Value::integer(4),
        "Short/BYTES" | "Character/BYTES" => Value::integer(2),
        "Byte/BYTES" => Value::integer(1),
        "PersistentList/EMPTY" => Value::empty_list(),
        "PersistentVector/EMPTY" => Value::vector(Vec::new()),
        "PersistentArrayMap/EMPTY" | "PersistentHashMap/EMPTY" => Value::map([]),
        "PersistentTreeMap/EMPTY" => Value::Map(Map::sorted()),
        "PersistentHashSet/EMPTY" => Value::Set(Set::new()),
        "clojure.lang.PersistentQueue/EMPTY" | "PersistentQueue/EMPTY" => Value::Slice(Slice::empty_queue()),
        "BigDecimal/ZERO" => Value::decimal(decimal::plain(0.into())),
        "BigDecimal/ONE" => Value::decimal(decimal::plain(1.into())),
        "BigDecimal/TEN" => Value::decimal(decimal::plain(10.into())),
        "Character/MIN_RADIX" => Value::int(2),
        "Character/MAX_RADIX" => Value::int(36),
        "Character/MIN_VALUE" => Value::Char('\0'),
        "Character/MAX_VALUE" => Value::Char('\u{ffff}'),
        "Character/MIN_CODE_POINT" => Value::int(0),
        "Character/MAX_CODE_POINT" => Value::int(0x10_ffff),
        "Character/MIN_SUPPLEMENTARY_CODE_POINT" => Value::int(0x1_0000),
        "Pattern/UNIX_LINES" => Value::int(1),
        "Pattern/CASE_INSENSITIVE" => Value::int(2),
        "Pattern/COMMENTS" => Value::int(4),
        "Pattern/MULTILINE" => Value::int(8),
        "Pattern/LITERAL" => Value::int(16),
        "Pattern/DOTALL" => Value::int(32),
        "Pattern/UNICODE_CASE" => Value::int(64),
        "Pattern/UNICODE_CHARACTER_CLASS" => Value::int(256),
        "Boolean/TRUE" => Value::Bool(true),
        "Boolean/FALSE" => Value::Bool(false),
        _ if name.starts_with("MathContext/") => {
            return java_numbers::context_constant(name.strip_prefix("MathContext/")?);
        }
        _ => {
            // Java's enum; here the name of the mode as a symbol, as `with-precision` takes it.
            let mode = name.strip_prefix("RoundingMode/")?;
            crate::value::decimal::Rounding::named(mode)?;
            Value::Symbol(Symbol::new(None, mode))
        }
    })
}

/// All names of [`constant`].
pub static CONSTANTS: &[&str] = &[
    "PersistentList/EMPTY",
    "PersistentVector/EMPTY",
    "PersistentArrayMap/EMPTY",
    "PersistentHashMap/EMPTY",
    "PersistentTreeMap/EMPTY",
    "PersistentHashSet/EMPTY",
    "clojure.lang.PersistentQueue/EMPTY",
    "PersistentQueue/EMPTY",
    "Math/PI",
    "Math/E",
    "clojure.math/PI",
    "clojure.math/E",
    "Character/MIN_RADIX",
    "Character/MAX_RADIX",
    "Character/MIN_VALUE",
    "Character/MAX_VALUE",
    "Character/MIN_CODE_POINT",
    "Character/MAX_CODE_POINT",
    "Character/MIN_SUPPLEMENTARY_CODE_POINT",
    "Long/MAX_VALUE",
    "Long/MIN_VALUE",
    "Integer/MAX_VALUE",
    "Integer/MIN_VALUE",
    "Short/MAX_VALUE",
    "Short/MIN_VALUE",
    "Byte/MAX_VALUE",
    "Byte/MIN_VALUE",
    "Double/MAX_VALUE",
    "Double/MIN_VALUE",
    "Double/MIN_NORMAL",
    "Double/POSITIVE_INFINITY",
    "Double/NEGATIVE_INFINITY",
    "Double/NaN",
    "Float/POSITIVE_INFINITY",
    "Float/NEGATIVE_INFINITY",
    "Float/NaN",
    "Float/MAX_VALUE",
    "Float/MIN_VALUE",
    "Float/MIN_NORMAL",
    "Double/MAX_EXPONENT",
    "Double/MIN_EXPONENT",
    "Float/MAX_EXPONENT",
    "Float/MIN_EXPONENT",
    "Long/SIZE",
    "Double/SIZE",
    "Integer/SIZE",
    "Long/BYTES",
    "Double/BYTES",
    "Integer/BYTES",
    "Float/SIZE",
    "Float/BYTES",
    "Short/SIZE",
    "Short/BYTES",
    "Character/SIZE",
    "Character/BYTES",
    "Byte/SIZE",
    "Byte/BYTES",
    "BigDecimal/ZERO",
    "BigDecimal/ONE",
    "BigDecimal/TEN",
    "BigInteger/ZERO",
    "BigInteger/ONE",
    "BigInteger/TWO",
    "BigInteger/TEN",
    "MathContext/UNLIMITED",
    "MathContext/DECIMAL32",
    "MathContext/DECIMAL64",
    "MathContext/DECIMAL128",
    "RoundingMode/UP",
    "RoundingMode/DOWN",
    "RoundingMode/CEILING",
    "RoundingMode/FLOOR",
    "RoundingMode/HALF_UP",
    "RoundingMode/HALF_DOWN",
    "RoundingMode/HALF_EVEN",
    "RoundingMode/UNNECESSARY",
    "Pattern/UNIX_LINES",
    "Pattern/CASE_INSENSITIVE",
    "Pattern/COMMENTS",
    "Pattern/MULTILINE",
    "Pattern/LITERAL",
    "Pattern/DOTALL",
    "Pattern/UNICODE_CASE",
    "Pattern/UNICODE_CHARACTER_CLASS",
    "Boolean/TRUE",
    "Boolean/FALSE",
    "StandardCharsets/UTF_8",
    "StandardCharsets/ISO_8859_1",
    "StandardCharsets/US_ASCII",
    "StandardCharsets/UTF_16",
    "StandardCharsets/UTF_16BE",
    "StandardCharsets/UTF_16LE",
];

/// A 32-bit integer.
pub(super) fn int(a: &[Value], i: usize) -> Result<i32> {
    let n = args::int(a, i)?;
    i32::try_from(n).map_err(|_| Interrupt::error(ErrorKind::Value, format!("Value out of range for int: {n}")))
}

pub(super) fn radix(a: &[Value]) -> Result<u32> {
    if a.len() < 2 {
        return Ok(10);
    }
    match u32::try_from(args::int(a, 1)?) {
        Ok(r @ 2..=36) => Ok(r),
        _ => Err(number_format("radix must be from 2 to 36")),
    }
}

fn integer(h: &mut dyn Host, a: &[Value], min: i64, max: i64) -> Result {
    let text = match args::get(a, 0) {
        Value::Nil => return Err(number_format("Cannot parse null string")),
        _ => args::str(a, 0)?.as_str(),
    };
    h.charge(text.len() as u64 / 64)?;
    match parse::long(h, text, radix(a)?)? {
        Some(n) if (min..=max).contains(&n) => Ok(Value::int(n)),
        _ => Err(not_a_number(text)),
    }
}

pub(super) fn parse_int(h: &mut dyn Host, a: &mut [Value]) -> Result {
    integer(h, a, i64::from(i32::MIN), i64::from(i32::MAX))
}

pub(super) fn parse_long(h: &mut dyn Host, a: &mut [Value]) -> Result {
    integer(h, a, i64::MIN, i64::MAX)
}

pub(super) fn value_of(h: &mut dyn Host, a: &mut [Value], parse: fn(&mut dyn Host, &mut [Value]) -> Result) -> Result {
    if let Value::Int(n) = args::get(a, 0) { Ok(Value::int(n.get())) } else { parse(h, a) }
}

fn parse_double(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let text = args::str(a, 0)?.as_str();
    h.charge(text.len() as u64 / 8)?;
    match parse::double(text) {
        Some(f) => Ok(Value::float(f)),
        None if text.trim().is_empty() => Err(number_format("empty String")),
        None => Err(not_a_number(text)),
    }
}

pub(super) fn double_value(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = args::get(a, 0);
    if number::is_number(x) { number::to_f64(h, x).map(Value::float) } else { parse_double(h, a) }
}

pub(super) fn parse_boolean(_: &mut dyn Host, a: &mut [Value]) -> Result {
    match args::get(a, 0) {
        x @ Value::Bool(_) => Ok(x.clone()),
        Value::Nil => Ok(Value::Bool(false)),
        _ => Ok(Value::Bool(args::str(a, 0)?.as_str().eq_ignore_ascii_case("true"))),
    }
}

fn to_string(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = args::int(a, 0)?;
    // Java takes ten where the radix makes no sense.
    let radix = radix(a).unwrap_or(10);
    Ok(Value::from(num_bigint::BigInt::from(n).to_str_radix(radix)))
}

fn double_to_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(Value::from(number::java_text(number::to_f64(h, args::get(a, 0))?)))
}

fn compare_ints(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(Value::int(args::int(a, 0)?.cmp(&args::int(a, 1)?) as i64))
}

fn compare_doubles(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = number::to_f64(h, args::get(a, 0))?;
    let y = args::get(a, 1);
    if !number::is_number(y) {
        return Err(Interrupt::argument(1, "a number", y));
    }
    let y = number::to_f64(h, y)?;
    let order = x.partial_cmp(&y).filter(|o| o.is_ne());
    Ok(Value::int(order.unwrap_or_else(|| x.total_cmp(&y)) as i64))
}

pub(super) fn double(h: &mut dyn Host, a: &mut [Value], test: fn(f64) -> bool) -> Result {
    Ok(Value::Bool(test(number::to_f64(h, args::get(a, 0))?)))
}
