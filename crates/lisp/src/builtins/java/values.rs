//! More of Java that models write by habit: constructors of plain values, statics of `String`.

use super::statics;
use crate::builtins::args;
use crate::builtins::args::{get, int, take};
use crate::builtins::io::printing;
use crate::builtins::numbers::arithmetic;
use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::{is_blank, part, text};
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number;
use crate::seq::Iter;
use crate::value::{Builtin, Value, Width};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Integer.",
        "x",
        "The integer, or the one that a string says.",
        &[("(Integer. \"7\")", "7")],
        &of_32_bits!(|h, a| statics::value_of(h, a, statics::parse_int)),
    ),
    Builtin::new(
        "Long.",
        "x",
        "The integer, or the one that a string says.",
        &[("(Long. \"7\")", "7")],
        &Body(|h, a| statics::value_of(h, a, statics::parse_long)),
    ),
    Builtin::new(
        "Double.",
        "x",
        "The double, or the one that a string says.",
        &[("(Double. \"2.5\")", "2.5")],
        &Body(statics::double_value),
    ),
    Builtin::new(
        "Boolean.",
        "x",
        "The boolean, or whether the string is \"true\" in any case.",
        &[("(Boolean. \"true\")", "true")],
        &Body(statics::parse_boolean),
    ),
    Builtin::new(
        "String/valueOf",
        "x",
        "The text of x.",
        &[("(String/valueOf 5)", "\"5\""), ("(String/valueOf \\a)", "\"a\"")],
        &Body(|h, a| match get(a, 0) {
            // `"null"` in Java; nobody wants that in a text, but it is what a program compares with.
            Value::Nil => Ok(Value::str("null")),
            v => Ok(Value::from(printing::str_of(h, v)?)),
        }),
    ),
    Builtin::new(
        "String.",
        "| s",
        "The string itself, or characters as a string.",
        &[("(String. \"ab\")", "\"ab\""), ("(String. (char-array [\\a \\b]))", "\"ab\"")],
        &Body(string),
    ),
    Builtin::new(
        "String/join",
        "delimiter coll",
        "The strings of a collection as one, with delimiter between.",
        &[
            ("(String/join \", \" [\"a\" \"b\"])", "\"a, b\""),
            ("(String/join \",\" [1])", "!every item must be a string"),
        ],
        &Body(join),
    ),
    Builtin::new(
        "clojure-version",
        "",
        "The version of Clojure whose language this is.",
        &[("(clojure-version)", "\"1.11.1\"")],
        &Body(|_, _| Ok(Value::str("1.11.1"))),
    ),
    Builtin::new(
        "Thread/sleep",
        "ms",
        "Nothing: the clock does not advance while a turn runs.",
        &[("(Thread/sleep 100)", "nil")],
        &Body(|_, a| int(a, 0).map(|_| Value::Nil)),
    ),
    Builtin::new(
        ".intValue",
        "n",
        "The last 32 bits of the whole part; of a double that is past them the nearest integer.",
        &[("(.intValue 5.7)", "5"), ("(.intValue 4294967297)", "1")],
        &of_32_bits!(|h, a| cut(h, a, Width::W32)),
    ),
    Builtin::new(
        ".longValue",
        "n",
        "The last 64 bits of the whole part; of a double that is past them the nearest integer.",
        &[("(.longValue 5.7)", "5"), ("(.longValue 18446744073709551615N)", "-1")],
        &Body(|h, a| cut(h, a, Width::W64)),
    ),
    Builtin::new(
        ".doubleValue",
        "n",
        "The number as a double.",
        &[("(.doubleValue 1/2)", "0.5")],
        &Body(|h, a| number::to_f64(h, get(a, 0)).map(Value::float)),
    ),
    Builtin::new(
        ".compareToIgnoreCase",
        "s other",
        "Negative, 0 or positive as s sorts before, with or after other, the case of letters aside.",
        &[("(.compareToIgnoreCase \"A\" \"b\")", "-1")],
        &of_32_bits!(compare_cased),
    ),
    Builtin::new(
        ".stripLeading",
        "s",
        "The string without white space in front.",
        &[("(.stripLeading \" a \")", "\"a \"")],
        &Body(|h, a| part(h, a, |s| s.trim_start_matches(is_blank))),
    ),
    Builtin::new(
        ".stripTrailing",
        "s",
        "The string without white space at the end.",
        &[("(.stripTrailing \" a \")", "\" a\"")],
        &Body(|h, a| part(h, a, |s| s.trim_end_matches(is_blank))),
    ),
    Builtin::new(
        ".toCharArray",
        "s",
        "The characters of a string, as a vector.",
        &[("(.toCharArray \"ab\")", "[\\a \\b]")],
        &Body(|h, a| {
            let s = text(h, a, 0)?;
            let (s, n) = (s.clone(), s.chars() as u64);
            h.charge(n)?;
            h.reserve(n * 16)?;
            let all = s.as_str().chars().map(Value::Char).collect();
            Ok(Value::Vector(all))
        }),
    ),
];

/// `String.`
///
/// # Errors
/// When the argument is neither a text nor characters.
pub fn string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        _ if a.is_empty() => Ok(Value::str("")),
        Value::Builder(id) => {
            let id = *id;
            super::builder_text::text(h, id).map(Value::Str)
        }
        Value::Vector(v) => {
            h.charge(v.len() as u64 / 2)?;
            h.reserve(v.len() as u64 * 4)?;
            let char_of = |v: &Value| if let Value::Char(c) = v { Ok(*c) } else { Err(v.clone()) };
            match v.iter().map(char_of).collect::<std::result::Result<String, _>>() {
                Ok(s) => Ok(Value::from(s)),
                Err(other) => {
                    Err(Interrupt::argument(0, "characters", &other).hint("(apply str coll) takes any items"))
                }
            }
        }
        _ => {
            args::str(a, 0)?;
            Ok(take(a, 0))
        }
    }
}

/// Java's `String.join` takes strings only.
fn join(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let sep = args::str(a, 0)?.clone();
    let mut items = Iter::arg(a, 1)?;
    let mut out = String::new();
    let mut first = true;
    while let Some(v) = items.next(h)? {
        let Value::Str(s) = &v else { return Err(Interrupt::bad(1, ErrorKind::Type, not_text(&v))) };
        let more = s.as_str().len() + if first { 0 } else { sep.as_str().len() };
        h.charge(2)?;
        cost::text(h, more)?;
        h.reserve(more as u64)?;
        if !first {
            out.push_str(sep.as_str());
        }
        out.push_str(s.as_str());
        first = false;
    }
    Ok(Value::from(out))
}

#[cold]
fn not_text(v: &Value) -> String {
    format!("holds {}: every item must be a string; str/join takes any", crate::print::brief(v))
}

/// As Java compares: the difference of the first characters that differ, else of the lengths.
fn compare_cased(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (s, t) = (text(h, a, 0)?.clone(), text(h, a, 1)?.clone());
    h.charge(s.as_str().len().min(t.as_str().len()) as u64 / 4)?;
    let plain = |c: char| {
        let mut all = c.to_lowercase();
        match (all.next(), all.next()) {
            (Some(one), None) => i64::from(u32::from(one)),
            _ => i64::from(u32::from(c)),
        }
    };
    let pairs = s.as_str().chars().zip(t.as_str().chars());
    let differs = pairs.map(|(x, y)| plain(x) - plain(y)).find(|d| *d != 0);
    Ok(Value::int(differs.unwrap_or(s.chars() as i64 - t.chars() as i64)))
}

/// What Java's numbers give as integers of a width.
fn cut(h: &mut dyn Host, a: &mut [Value], width: Width) -> Result {
    if number::is_number(get(a, 0)) {
        arithmetic::cut(h, a, width)
    } else {
        Err(Interrupt::argument(0, "a number", get(a, 0)))
    }
}
