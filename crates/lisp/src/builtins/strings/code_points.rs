//! What Java says of the codes of characters, where indexes of texts count characters and not UTF-16 units (difference 5):
//! a character is one code, and there are no halves of one.

use super::characters::char;
use crate::builtins::args::int;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Interrupt, of_32_bits};
use crate::number::digit::digit;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
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
];

/// Characters that Java takes for numbers and Unicode for letters.
const IDEOGRAPHS: [char; 7] = ['\u{f96b}', '\u{f973}', '\u{f978}', '\u{f9b2}', '\u{f9d1}', '\u{f9d3}', '\u{f9fd}'];
