//! More of Java that models write by habit: constructors of plain values, statics of `String`.

use super::statics;
use crate::builtins::args;
use crate::builtins::args::{get, int, take};
use crate::builtins::arrays;
use crate::builtins::io::printing;
use crate::builtins::java_collections::methods::call;
use crate::builtins::numbers::arithmetic;
use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::{is_blank, part, text};
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number;
use crate::seq::Iter;
use crate::value::boxed::{ArrayKind, Place};
use crate::value::{Builtin, Value, Width};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "MapEntry.",
        "key value",
        "An entry of a map.",
        &[("(key (clojure.lang.MapEntry. :a 1))", ":a"), ("(map-entry? (clojure.lang.MapEntry. 1 2))", "true")],
        &Body(entry),
    ),
    Builtin::new(
        "MapEntry/create",
        "key value",
        "An entry of a map.",
        &[("(val (clojure.lang.MapEntry/create :a 1))", "1")],
        &Body(entry),
    ),
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
            Value::Place(id) if id.place() == Place::Chars => super::charsets::of_array(h, a),
            v => Ok(Value::from(printing::str_of(h, v)?)),
        }),
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
        "RT/vector",
        "array",
        "The items of an array as a vector.",
        &[("(clojure.lang.RT/vector (object-array [1 2]))", "[1 2]")],
        &Body(|h, a| arrays::items::items(h, get(a, 0), 0).map(Value::Vector)),
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
        ".shortValue",
        "n",
        "The last 16 bits of the whole part.",
        &[("(.shortValue 70000)", "4464")],
        &Body(|h, a| cut(h, a, Width::W16)),
    ),
    Builtin::new(
        ".byteValue",
        "n",
        "The last 8 bits of the whole part.",
        &[("(.byteValue 300)", "44")],
        &Body(|h, a| cut(h, a, Width::W8)),
    ),
    Builtin::new(
        ".doubleValue",
        "n",
        "The number as a double.",
        &[("(.doubleValue 1/2)", "0.5")],
        &Body(|h, a| number::to_f64(h, get(a, 0)).map(Value::float)),
    ),
    Builtin::new(
        ".floatValue",
        "n",
        "The number as a float of 32 bits.",
        &[("(.floatValue 1/3)", "0.33333334")],
        &Body(|h, a| number::to_f64(h, get(a, 0)).map(|f| Value::float32(f as f32))),
    ),
    Builtin::new(
        ".isNaN",
        "d",
        "Whether it is NaN.",
        &[("(.isNaN ##NaN)", "true")],
        &Body(|h, a| statics::double(h, a, f64::is_nan)),
    ),
    Builtin::new(
        ".isInfinite",
        "d",
        "Whether it is infinite.",
        &[("(.isInfinite ##Inf)", "true")],
        &Body(|h, a| statics::double(h, a, f64::is_infinite)),
    ),
    Builtin::new(
        ".compareToIgnoreCase",
        "s other",
        "Negative, 0 or positive as s sorts before, with or after other, the case of letters aside.",
        &[("(.compareToIgnoreCase \"A\" \"b\")", "-1")],
        &of_32_bits!(compare_cased),
    ),
    Builtin::new(
        ".values",
        "map",
        "The values of a map.",
        &[("(seq (.values {:a 1}))", "(1)")],
        &Body(|h, a| match get(a, 0) {
            v if v.java().is_some() => Ok(call(h, a, "values")?.unwrap_or_default()),
            Value::Map(m) => {
                h.charge(m.len() as u64)?;
                h.reserve(m.len() as u64 * 16)?;
                Ok(Value::list(m.vals().cloned().collect::<Vec<_>>()))
            }
            v => Err(Interrupt::argument(0, "a map", v)),
        }),
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
        ".codePointAt",
        "s index",
        "The code of the character at index.",
        &[("(.codePointAt \"abc\" 1)", "98")],
        &of_32_bits!(crate::builtins::strings::code_points::code_at),
    ),
    Builtin::new(
        ".getNamespace",
        "x",
        "The namespace of a keyword or symbol, or nil.",
        &[("(.getNamespace :a/b)", "\"a\"")],
        &Body(|_, a| match get(a, 0) {
            Value::Keyword(k) => Ok(k.ns().map_or(Value::Nil, Value::str)),
            Value::Symbol(s) => Ok(s.ns().map_or(Value::Nil, Value::str)),
            v => Err(Interrupt::argument(0, "a keyword or symbol", v)),
        }),
    ),
    Builtin::new(
        ".toCharArray",
        "s",
        "The characters of a string, as an array.",
        &[("(vec (.toCharArray \"ab\"))", "[\\a \\b]")],
        &Body(|h, a| {
            let s = text(h, a, 0)?;
            let (s, n) = (s.clone(), s.chars() as u64);
            h.charge(n)?;
            h.reserve(n * 16)?;
            let all = s.as_str().chars().map(Value::Char).collect();
            arrays::items::new(h, ArrayKind::Char, all)
        }),
    ),
];

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

fn entry(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(Value::Vector(crate::value::Vector::entry(take(a, 0), take(a, 1))))
}
