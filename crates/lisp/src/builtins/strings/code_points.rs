//! What Java says of the codes of characters, where indexes of texts count characters and not UTF-16 units (difference 5):
//! a character is one code, and there are no halves of one.

use super::basic::text;
use super::characters::char;
use crate::builtins::args::{self, int};
use crate::builtins::arrays;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::digit::digit;
use crate::value::boxed::ArrayKind;
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".codePointCount",
        "s begin end",
        "How many characters there are between two indexes of a string.",
        &[("(.codePointCount \"abc\" 0 2)", "2"), ("(.codePointCount \"abc\" 2 9)", "!out of bounds")],
        &of_32_bits!(between),
    ),
    Builtin::new(
        ".codePointBefore",
        "s index",
        "The code of the character before index.",
        &[("(.codePointBefore \"abc\" 1)", "97")],
        &of_32_bits!(|h, a| {
            let at = int(a, 1)?.saturating_sub(1);
            args::put(a, 1, Value::int(at));
            code_at(h, a)
        }),
    ),
    Builtin::new(
        ".offsetByCodePoints",
        "s index n",
        "The index that is n characters behind index.",
        &[("(.offsetByCodePoints \"abc\" 0 2)", "2"), ("(.offsetByCodePoints \"abc\" 0 4)", "!out of bounds")],
        &of_32_bits!(|h, a| {
            let len = i64::try_from(text(h, a, 0)?.chars()).unwrap_or(i64::MAX);
            let to = within(int(a, 1)?, len)?.saturating_add(int(a, 2)?);
            Ok(Value::int(within(to, len)?))
        }),
    ),
    Builtin::new(
        "Character/codePointAt",
        "s index",
        "The code of the character at index.",
        &[("(Character/codePointAt \"abc\" 1)", "98")],
        &of_32_bits!(code_at),
    ),
    Builtin::new(
        "Character/codePointCount",
        "s begin end",
        "How many characters there are between two indexes of a string.",
        &[("(Character/codePointCount \"abc\" 0 2)", "2")],
        &of_32_bits!(between),
    ),
    Builtin::new(
        "Character/charCount",
        "code",
        "How many places of a string the character with this code takes: always 1 here.",
        &[("(Character/charCount 97)", "1")],
        &of_32_bits!(|_, a| int(a, 0).map(|_| Value::int(1))),
    ),
    Builtin::new(
        "Character/toChars",
        "code",
        "An array of the character with this code.",
        &[("(String. (Character/toChars 97))", "\"a\""), ("(Character/toChars 55296)", "!half")],
        &Body(|h, a| {
            let code = int(a, 0)?;
            let Some(c) = u32::try_from(code).ok().and_then(char::from_u32) else { return Err(no_char(code)) };
            arrays::items::new(h, ArrayKind::Char, Vector::from_vec(vec![Value::Char(c)]))
        }),
    ),
    Builtin::new(
        "Character/isSurrogate",
        "c",
        "Whether it is half of a character: none is here.",
        &[("(Character/isSurrogate \\a)", "false")],
        &Body(no_half),
    ),
    Builtin::new(
        "Character/isHighSurrogate",
        "c",
        "Whether it is the first half of a character: none is here.",
        &[("(Character/isHighSurrogate \\a)", "false")],
        &Body(no_half),
    ),
    Builtin::new(
        "Character/isLowSurrogate",
        "c",
        "Whether it is the second half of a character: none is here.",
        &[("(Character/isLowSurrogate \\a)", "false")],
        &Body(no_half),
    ),
    Builtin::new(
        "Character/isSurrogatePair",
        "high low",
        "Whether two are the halves of a character: none are here.",
        &[("(Character/isSurrogatePair \\a \\b)", "false")],
        &Body(no_half),
    ),
    Builtin::new(
        "Character/isSupplementaryCodePoint",
        "code",
        "Whether it is the code of a character above 65,535.",
        &[("(Character/isSupplementaryCodePoint 128512)", "true")],
        &Body(|_, a| Ok(Value::Bool((0x1_0000..=MAX).contains(&int(a, 0)?)))),
    ),
    Builtin::new(
        "Character/isBmpCodePoint",
        "code",
        "Whether it is a code up to 65,535.",
        &[("(Character/isBmpCodePoint 97)", "true")],
        &Body(|_, a| Ok(Value::Bool((0..0x1_0000).contains(&int(a, 0)?)))),
    ),
    Builtin::new(
        "Character/isValidCodePoint",
        "code",
        "Whether it is a code of Unicode.",
        &[("(Character/isValidCodePoint 97)", "true"), ("(Character/isValidCodePoint -1)", "false")],
        &Body(|_, a| Ok(Value::Bool((0..=MAX).contains(&int(a, 0)?)))),
    ),
    Builtin::new(
        "Character/forDigit",
        "digit radix",
        "The character of a digit of this radix; the one with the code 0 where there is none.",
        &[("(Character/forDigit 11 16)", "\\b")],
        &Body(|_, a| {
            let (digit, radix) = (u32::try_from(int(a, 0)?).ok(), u32::try_from(int(a, 1)?).ok());
            let c = match (digit, radix) {
                (Some(d), Some(r)) if (2..=36).contains(&r) && d < r => char::from_digit(d, r),
                _ => None,
            };
            Ok(Value::Char(c.unwrap_or('\0')))
        }),
    ),
    Builtin::new(
        "Character/getNumericValue",
        "c",
        "What it is worth as a digit, letters from 10 on; -1 for others.",
        &[("(Character/getNumericValue \\7)", "7"), ("(Character/getNumericValue \\a)", "10")],
        &of_32_bits!(|_, a| {
            let c = char(a)?;
            match digit(c, 36) {
                Some(n) => Ok(Value::int(i64::from(n))),
                None if c.is_numeric() || IDEOGRAPHS.contains(&c) => {
                    let words = format!("Character/getNumericValue knows digits and letters, not \\{c}");
                    Err(Interrupt::error(ErrorKind::Denied, words).hint("keep a map from such characters to numbers"))
                }
                None => Ok(Value::int(-1)),
            }
        }),
    ),
    Builtin::new(
        "Character/isISOControl",
        "c",
        "Whether it is a control character.",
        &[("(Character/isISOControl \\newline)", "true")],
        &Body(|_, a| Ok(Value::Bool(char(a)?.is_control()))),
    ),
    Builtin::new(
        "Character/compare",
        "x y",
        "The difference of the codes of two characters.",
        &[("(Character/compare \\a \\c)", "-2")],
        &of_32_bits!(|_, a| match (args::get(a, 0), args::get(a, 1)) {
            (Value::Char(x), Value::Char(y)) => Ok(Value::int(i64::from(u32::from(*x)) - i64::from(u32::from(*y)))),
            (x, y) => {
                let place = usize::from(matches!(x, Value::Char(_)));
                Err(Interrupt::argument(place, "a character", if place == 0 { x } else { y }))
            }
        }),
    ),
    Builtin::new(
        ".charValue",
        "c",
        "The character itself.",
        &[("(.charValue \\a)", "\\a")],
        &Body(|_, a| match args::get(a, 0) {
            c @ Value::Char(_) => Ok(c.clone()),
            v => Err(Interrupt::argument(0, "a character", v)),
        }),
    ),
];

/// The largest code.
const MAX: i64 = 0x10_ffff;

/// Characters that Java takes for numbers and Unicode for letters.
const IDEOGRAPHS: [char; 7] = ['\u{f96b}', '\u{f973}', '\u{f978}', '\u{f9b2}', '\u{f9d1}', '\u{f9d3}', '\u{f9fd}'];

/// `.codePointAt`
pub fn code_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match crate::builtins::java::methods::char_at(h, a)? {
        Value::Char(c) => Ok(Value::int(i64::from(u32::from(c)))),
        other => Ok(other),
    }
}

fn within(index: i64, len: i64) -> Result<i64> {
    if (0..=len).contains(&index) {
        return Ok(index);
    }
    Err(Interrupt::bad(1, ErrorKind::Index, format!("is out of bounds: {index}, of a string of {len}")))
}

fn between(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let len = i64::try_from(text(h, a, 0)?.chars()).unwrap_or(i64::MAX);
    let (from, to) = (within(int(a, 1)?, len)?, within(int(a, 2)?, len)?);
    if from > to {
        return Err(Interrupt::bad(1, ErrorKind::Index, format!("is out of bounds: {from}, behind {to}")));
    }
    Ok(Value::int(to - from))
}

fn no_half(_: &mut dyn Host, a: &mut [Value]) -> Result {
    match a.iter().position(|v| !matches!(v, Value::Char(_))) {
        None => Ok(Value::Bool(false)),
        Some(i) => Err(Interrupt::argument(i, "a character", args::get(a, i))),
    }
}

#[cold]
fn no_char(code: i64) -> Interrupt {
    if (0xd800..0xe000).contains(&code) {
        let words = format!("is half of a character, and there are none here: {code}");
        return Interrupt::bad(0, ErrorKind::Value, words).hint("a character above 65,535 is one: (char 128512)");
    }
    Interrupt::bad(0, ErrorKind::Value, format!("is no code of a character: {code}"))
}
