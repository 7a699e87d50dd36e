//! Which kind of character Unicode says one is, by the numbers that Java has for the kinds.

use super::characters::{char, is_no_code};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Result, of_32_bits};
use crate::number::digit::{above_ascii, range};
use crate::value::{Builtin, Value};
use std::sync::LazyLock;

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Character/getType", "c", "The number of the kind of a character: 1 of capitals, 2 of small letters, 9 of digits, 12 of spaces.", &[("(Character/getType \\a)", "2")],
        &of_32_bits!(|_, a| Ok(Value::int(kind(a)?)))),
    Builtin::new("Character/isDefined", "c", "Whether there is such a character.", &[("(Character/isDefined \\a)", "true")], &Body(|_, a| Ok(Value::Bool(kind(a)? != 0)))),
    Builtin::new("Character/isTitleCase", "c", "Whether it is one of the few letters of two, the first a capital.", &[("(Character/isTitleCase \\a)", "false")], &Body(|_, a| Ok(Value::Bool(kind(a)? == TITLE)))),
    Builtin::new("Character/toTitleCase", "c", "The character as it begins a title: its capital, but for letters of two.", &[("(Character/toTitleCase \\a)", "\\A")], &Body(title)),
    Builtin::new("Character/isIdentifierIgnorable", "c", "Whether Java leaves it out in names.", &[("(Character/isIdentifierIgnorable \\a)", "false")], &Body(|_, a| Ok(Value::Bool(ignorable(a)?)))),
    Builtin::new("Character/isJavaIdentifierStart", "c", "Whether a name of Java may begin with it.", &[("(Character/isJavaIdentifierStart \\1)", "false")], &Body(|_, a| Ok(Value::Bool(START.contains(&kind(a)?))))),
    Builtin::new("Character/isJavaIdentifierPart", "c", "Whether it may be in a name of Java.", &[("(Character/isJavaIdentifierPart \\1)", "true")],
        &Body(|_, a| { let kind = kind(a)?; Ok(Value::Bool(START.contains(&kind) || PART.contains(&kind) || ignorable(a)?)) })),
    Builtin::new("Character/hashCode", "c", "The code of a character.", &[("(Character/hashCode \\a)", "97")], &of_32_bits!(|_, a| Ok(Value::int(u32::from(char(a)?).into())))),
];

const TITLE: i64 = 3;
/// Letters, numbers that are letters, signs of currencies and what joins words.
const START: [i64; 8] = [1, 2, 3, 4, 5, 10, 26, 23];
/// Digits and marks.
const PART: [i64; 3] = [9, 8, 6];

/// The kinds of Unicode, with Java's numbers.
const KINDS: [(&str, i64); 28] = [
    ("Lu", 1),
    ("Ll", 2),
    ("Lt", TITLE),
    ("Lm", 4),
    ("Lo", 5),
    ("Mn", 6),
    ("Me", 7),
    ("Mc", 8),
    ("Nd", 9),
    ("Nl", 10),
    ("No", 11),
    ("Zs", 12),
    ("Zl", 13),
    ("Zp", 14),
    ("Cc", 15),
    ("Cf", 16),
    ("Co", 18),
    ("Pd", 20),
    ("Ps", 21),
    ("Pe", 22),
    ("Pc", 23),
    ("Po", 24),
    ("Sm", 25),
    ("Sc", 26),
    ("Sk", 27),
    ("So", 28),
    ("Pi", 29),
    ("Pf", 30),
];

fn kind(a: &[Value]) -> Result<i64> {
    type Kinds = Vec<(Vec<(char, char)>, i64)>;
    static ALL: LazyLock<Kinds> =
        LazyLock::new(|| KINDS.iter().map(|(name, n)| (above_ascii(&format!(r"\p{{{name}}}")), *n)).collect());
    if is_no_code(a) {
        // Of halves of characters.
        let half = matches!(get(a, 0), Value::Int(n) if (0xd800..=0xdfff).contains(&n.get()));
        return Ok(if half { 19 } else { 0 });
    }
    let c = char(a)?;
    if c.is_ascii() {
        return Ok(match c {
            'A'..='Z' => 1,
            'a'..='z' => 2,
            '0'..='9' => 9,
            ' ' => 12,
            '_' => 23,
            '-' => 20,
            '(' | '[' | '{' => 21,
            ')' | ']' | '}' => 22,
            '+' | '<' | '=' | '>' | '|' | '~' => 25,
            '$' => 26,
            '^' | '`' => 27,
            c if c.is_control() => 15,
            _ => 24,
        });
    }
    Ok(ALL.iter().find(|(ranges, _)| range(ranges, c).is_some()).map_or(0, |(_, n)| *n))
}

fn ignorable(a: &[Value]) -> Result<bool> {
    let format = kind(a)? == 16;
    if is_no_code(a) {
        return Ok(false);
    }
    Ok(format || matches!(char(a)?, '\0'..='\u{8}' | '\u{e}'..='\u{1b}' | '\u{7f}'..='\u{9f}'))
}

fn title(_: &mut dyn crate::host::Host, a: &mut [Value]) -> Result {
    if is_no_code(a) {
        return Ok(get(a, 0).clone());
    }
    let c = char(a)?;
    let turned = match c {
        '\u{1c4}'..='\u{1c6}' => '\u{1c5}',
        '\u{1c7}'..='\u{1c9}' => '\u{1c8}',
        '\u{1ca}'..='\u{1cc}' => '\u{1cb}',
        '\u{1f1}'..='\u{1f3}' => '\u{1f2}',
        // Georgian has capitals for whole words only.
        '\u{10d0}'..='\u{10ff}' => c,
        // Greek letters with a small iota below have one beside them as capitals of words.
        '\u{1f80}'..='\u{1f87}' | '\u{1f90}'..='\u{1f97}' | '\u{1fa0}'..='\u{1fa7}' => {
            char::from_u32(u32::from(c) + 8).unwrap_or(c)
        }
        '\u{1fb3}' | '\u{1fc3}' | '\u{1ff3}' => char::from_u32(u32::from(c) + 9).unwrap_or(c),
        c => {
            let mut all = c.to_uppercase();
            match (all.next(), all.next()) {
                (Some(one), None) => one,
                _ => c,
            }
        }
    };
    Ok(if let Value::Int(_) = get(a, 0) { Value::int(u32::from(turned).into()) } else { Value::Char(turned) })
}
