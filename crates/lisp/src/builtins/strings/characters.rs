//! `Character/...`: questions about characters. They take a character or its code, as Java's do.

use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Interrupt, Result, of_32_bits};
use crate::number::digit::{above_ascii, decimal, digit, range};
use crate::value::{Builtin, Value};
use std::sync::LazyLock;

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Character/isDigit",
        "c",
        "Whether it is a digit.",
        &[("(Character/isDigit \\5)", "true")],
        &Body(|_, a| is(a, |c| decimal(c).is_some())),
    ),
    Builtin::new(
        "Character/isLetter",
        "c",
        "Whether it is a letter.",
        &[("(Character/isLetter \\a)", "true"), ("(Character/isLetter \\5)", "false")],
        &Body(|_, a| is(a, is_letter)),
    ),
    Builtin::new(
        "Character/isAlphabetic",
        "c",
        "Whether it is a letter.",
        &[("(Character/isAlphabetic 97)", "true")],
        &Body(|_, a| is(a, char::is_alphabetic)),
    ),
    Builtin::new(
        "Character/isLetterOrDigit",
        "c",
        "Whether it is a letter or a digit.",
        &[("(Character/isLetterOrDigit \\_)", "false")],
        &Body(|_, a| is(a, |c| is_letter(c) || decimal(c).is_some())),
    ),
    Builtin::new(
        "Character/isWhitespace",
        "c",
        "Whether it is white space, the kinds that do not break excepted.",
        &[("(Character/isWhitespace \\space)", "true")],
        &Body(|_, a| is(a, blank)),
    ),
    Builtin::new(
        "Character/isSpaceChar",
        "c",
        "Whether it is a space, line or paragraph separator of Unicode.",
        &[("(Character/isSpaceChar \\space)", "true"), ("(Character/isSpaceChar \\tab)", "false")],
        &Body(|_, a| is(a, |c| c.is_whitespace() && !c.is_control())),
    ),
    Builtin::new(
        "Character/isUpperCase",
        "c",
        "Whether it is a capital.",
        &[("(Character/isUpperCase \\A)", "true")],
        &Body(|_, a| is(a, char::is_uppercase)),
    ),
    Builtin::new(
        "Character/isLowerCase",
        "c",
        "Whether it is a small letter.",
        &[("(Character/isLowerCase \\a)", "true")],
        &Body(|_, a| is(a, char::is_lowercase)),
    ),
    Builtin::new(
        "Character/toUpperCase",
        "c",
        "The capital of it, if that is one character.",
        &[("(Character/toUpperCase \\a)", "\\A")],
        &Body(|_, a| turned(a, |c| sole(c.to_uppercase(), c))),
    ),
    Builtin::new(
        "Character/toLowerCase",
        "c",
        "The small letter of it, if that is one character.",
        &[("(Character/toLowerCase \\A)", "\\a")],
        &Body(|_, a| turned(a, |c| sole(c.to_lowercase(), c))),
    ),
    Builtin::new(
        "Character/digit",
        "c radix",
        "What it is worth as a digit of this radix; -1 for others.",
        &[("(Character/digit \\f 16)", "15"), ("(Character/digit \\g 16)", "-1")],
        &of_32_bits!(|_, a| {
            let radix = args::int(a, 1)?;
            worth(a, u32::try_from(radix).unwrap_or(0))
        }),
    ),
    Builtin::new(
        "Character/toString",
        "c",
        "A string of this one character.",
        &[("(Character/toString \\a)", "\"a\"")],
        &Body(|_, a| Ok(Value::from(char(a)?.to_string()))),
    ),
    Builtin::new(
        "Character/valueOf",
        "c",
        "The character itself.",
        &[("(Character/valueOf \\a)", "\\a")],
        &Body(|_, a| Ok(Value::Char(char(a)?))),
    ),
];

/// The character that the first argument is or has the code of.
pub fn char(a: &[Value]) -> Result<char> {
    let code = match args::get(a, 0) {
        Value::Char(c) => return Ok(*c),
        Value::Int(n) => u32::try_from(n.get()).ok().and_then(char::from_u32),
        _ => None,
    };
    code.ok_or_else(|| Interrupt::argument(0, "a character", args::get(a, 0)))
}

/// Whether an argument is the code of no character: Java answers for each integer of 32 bits.
pub fn is_no_code(a: &[Value]) -> bool {
    matches!(args::get(a, 0), Value::Int(n) if i32::try_from(n.get()).is_ok_and(|_| u32::try_from(n.get()).ok().and_then(char::from_u32).is_none()))
}

fn is(a: &[Value], test: fn(char) -> bool) -> Result {
    if is_no_code(a) {
        return Ok(Value::Bool(false));
    }
    Ok(Value::Bool(test(char(a)?)))
}

/// A character stays a character, a code a code.
fn turned(a: &[Value], f: fn(char) -> char) -> Result {
    if is_no_code(a) {
        return Ok(args::get(a, 0).clone());
    }
    let c = f(char(a)?);
    Ok(if matches!(args::get(a, 0), Value::Int(_)) { Value::int(i64::from(u32::from(c))) } else { Value::Char(c) })
}

fn sole(mut all: impl Iterator<Item = char>, c: char) -> char {
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// Java's `isWhitespace`: no-break spaces are none, the four separators of ASCII are.
fn blank(c: char) -> bool {
    matches!(c, '\u{1c}'..='\u{1f}')
        || (c.is_whitespace() && !matches!(c, '\u{85}' | '\u{a0}' | '\u{2007}' | '\u{202f}'))
}

fn is_letter(c: char) -> bool {
    static LETTERS: LazyLock<Vec<(char, char)>> = LazyLock::new(|| above_ascii(r"\p{L}"));
    if c.is_ascii() { c.is_ascii_alphabetic() } else { range(&LETTERS, c).is_some() }
}

fn worth(a: &[Value], radix: u32) -> Result {
    if is_no_code(a) {
        return Ok(Value::int(-1));
    }
    Ok(Value::int(digit(char(a)?, radix).map_or(-1, i64::from)))
}
