//! Strings: `subs` and the part of `clojure.string` that needs no regex. Indexes count characters (difference 5).

use crate::builtins::args::{get, int, take};
use crate::builtins::io::printing::{join as join_items, push_str, str_of};
use crate::builtins::java::builder_text::read_all;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::value::{Builtin, Str, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "subs",
        "s start | s start end",
        "The part of a string from character start up to, without, end.",
        &[("(subs \"hello\" 1 3)", "\"el\""), ("(subs \"abc\" 1 10)", "!out of bounds")],
        &Body(subs),
    ),
    Builtin::new(
        "clojure.string/join",
        "coll | separator coll",
        "The texts of the items as one string, with separator between.",
        &[("(str/join \",\" [1 nil 2])", "\"1,,2\""), ("(str/join [1 2])", "\"12\"")],
        &Body(join),
    ),
    Builtin::new(
        "clojure.string/split-lines",
        "s",
        "The lines of a string, without their ends.",
        &[("(str/split-lines \"a\\nb\\r\\nc\\n\")", "[\"a\" \"b\" \"c\"]")],
        &Body(split_lines),
    ),
    Builtin::new(
        "clojure.string/trim",
        "s",
        "The string without white space at both ends.",
        &[("(str/trim \" a \\n\")", "\"a\"")],
        &Body(|h, a| trimmed(h, a, |s| s.trim_matches(is_blank))),
    ),
    Builtin::new(
        "clojure.string/triml",
        "s",
        "The string without white space at its start.",
        &[("(str/triml \" a \")", "\"a \"")],
        &Body(|h, a| trimmed(h, a, |s| s.trim_start_matches(is_blank))),
    ),
    Builtin::new(
        "clojure.string/trimr",
        "s",
        "The string without white space at its end.",
        &[("(str/trimr \" a \")", "\" a\"")],
        &Body(|h, a| trimmed(h, a, |s| s.trim_end_matches(is_blank))),
    ),
    Builtin::new(
        "clojure.string/trim-newline",
        "s",
        "The string without line ends at its end.",
        &[("(str/trim-newline \"a\\r\\n\")", "\"a\"")],
        &Body(|h, a| trimmed(h, a, |s| s.trim_end_matches(['\n', '\r']))),
    ),
    Builtin::new(
        "clojure.string/lower-case",
        "s",
        "The string in small letters.",
        &[("(str/lower-case \"HeLLo\")", "\"hello\"")],
        &Body(|h, a| cased(h, a, str::to_lowercase)),
    ),
    Builtin::new(
        "clojure.string/upper-case",
        "s",
        "The string in capital letters.",
        &[("(str/upper-case \"hello\")", "\"HELLO\""), ("(str/upper-case nil)", "!upper-case")],
        &Body(|h, a| cased(h, a, str::to_uppercase)),
    ),
    Builtin::new(
        "clojure.string/capitalize",
        "s",
        "The first letter as a capital, all others small.",
        &[("(str/capitalize \"hELLO wORLD\")", "\"Hello world\"")],
        &Body(|h, a| cased(h, a, capitalized)),
    ),
    Builtin::new(
        "clojure.string/includes?",
        "s substr",
        "Whether substr is in s.",
        &[("(str/includes? \"hello\" \"ell\")", "true")],
        &Body(|h, a| test(h, a, |s, t| s.contains(t))),
    ),
    Builtin::new(
        "clojure.string/starts-with?",
        "s substr",
        "Whether s starts with substr.",
        &[("(str/starts-with? \"hello\" \"he\")", "true")],
        &Body(|h, a| end(h, a, |s, t| s.starts_with(t))),
    ),
    Builtin::new(
        "clojure.string/ends-with?",
        "s substr",
        "Whether s ends with substr.",
        &[("(str/ends-with? \"a.txt\" \".txt\")", "true")],
        &Body(|h, a| end(h, a, |s, t| s.ends_with(t))),
    ),
    Builtin::new(
        "clojure.string/blank?",
        "s",
        "Whether s is nil, empty, or only white space.",
        &[("(str/blank? nil)", "true"), ("(str/blank? \" a\")", "false")],
        &Body(blank),
    ),
    Builtin::new(
        "clojure.string/index-of",
        "s value | s value from-index",
        "Where the string or character value first is in s, at or after from-index; nil if nowhere.",
        &[
            ("(str/index-of \"hello\" \"l\")", "2"),
            ("(str/index-of \"hello\" \"l\" 3)", "3"),
            ("(str/index-of \"hello\" \"z\")", "nil"),
        ],
        &of_32_bits!(|h, a| Ok(found(index_of(h, a)?))),
    ),
    Builtin::new(
        "clojure.string/last-index-of",
        "s value | s value from-index",
        "Where the string or character value last is in s, at or before from-index; nil if nowhere.",
        &[("(str/last-index-of \"hello\" \"l\")", "3"), ("(str/last-index-of \"hello\" \"l\" 2)", "2")],
        &of_32_bits!(|h, a| Ok(found(last_index_of(h, a)?))),
    ),
    Builtin::new(
        "clojure.string/reverse",
        "s",
        "The characters in reverse, as a string.",
        &[("(str/reverse \"abc\")", "\"cba\"")],
        &Body(reverse),
    ),
    Builtin::new(
        "clojure.string/escape",
        "s cmap",
        "The string with each character that cmap knows replaced by what it says.",
        &[("(str/escape \"a<b\" {\\< \"&lt;\"})", "\"a&lt;b\"")],
        &Body(escape),
    ),
    Builtin::new(
        "char-escape-string",
        "c | c not-found",
        "How a character is escaped in a string, or else not-found or nil.",
        &[("(char-escape-string \\newline)", "\"\\\\n\""), ("(char-escape-string \\a)", "nil")],
        &Body(char_escape),
    ),
    Builtin::new(
        "char-name-string",
        "c | c not-found",
        "The name of a character, or else not-found or nil.",
        &[("(char-name-string \\newline)", "\"newline\"")],
        &Body(char_name),
    ),
];

/// Java's `Character/isWhitespace`: spaces that do not break a line are none (trap 36).
pub fn is_blank(c: char) -> bool {
    matches!(c, '\t'..='\r' | '\u{1c}'..='\u{1f}' | ' ' | '\u{1680}' | '\u{2000}'..='\u{2006}' | '\u{2008}'..='\u{200a}' | '\u{2028}' | '\u{2029}' | '\u{205f}' | '\u{3000}')
}

/// A string argument, its length charged.
pub fn text<'a>(h: &mut dyn Host, a: &'a [Value], i: usize) -> Result<&'a Str> {
    let s = crate::builtins::args::str(a, i)?;
    cost::text(h, s.as_str().len())?;
    Ok(s)
}

/// The text of an argument that Clojure asks for by `.toString`: anything but nil.
pub fn loose(h: &mut dyn Host, a: &[Value], i: usize) -> Result<Str> {
    match get(a, i) {
        Value::Str(s) => {
            cost::text(h, s.as_str().len())?;
            Ok(s.clone())
        }
        v @ Value::Nil => Err(Interrupt::argument(i, "a string", v)),
        v => Ok(Str::new(str_of(h, v)?)),
    }
}

fn subs(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = crate::builtins::args::str(a, 0)?.clone();
    if !s.is_ascii() {
        cost::text(h, s.as_str().len())?;
    }
    let start = int(a, 1)?;
    let end = if a.len() > 2 { Some(int(a, 2)?) } else { None };
    cut(h, &s, start, end)
}

/// The part of a string between two character indexes.
pub fn cut(h: &mut dyn Host, s: &Str, start: i64, end: Option<i64>) -> Result {
    let len = if s.is_ascii() { s.as_str().len() } else { s.chars() };
    let end = end.unwrap_or(len as i64);
    let index = |i: i64| usize::try_from(i).ok();
    let part = index(start).zip(index(end)).and_then(|(from, to)| s.slice(from, to));
    match part {
        Some(part) => {
            h.reserve(part.len() as u64)?;
            Ok(Value::str(part))
        }
        None => {
            let which = if (0..=len as i64).contains(&start) { 2 } else { 1 };
            let problem = format!("is out of bounds: from {start} to {end} of a string of {len} characters");
            Err(Interrupt::bad(which, ErrorKind::Index, problem))
        }
    }
}

fn join(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let sep = if a.len() > 1 { str_of(h, get(a, 0))? } else { String::new() };
    let i = a.len().saturating_sub(1);
    let items = take(a, i);
    if !crate::seq::is_seqable(&items) {
        return Err(Interrupt::argument(i, "a collection", &items));
    }
    Ok(Value::from(join_items(h, items, &sep)?))
}

fn split_lines(h: &mut dyn Host, a: &mut [Value]) -> Result {
    read_all(h, a)?;
    let s = text(h, a, 0)?.as_str();
    h.reserve(s.len() as u64 * 2)?;
    h.charge(s.len() as u64 / 16)?;
    let mut lines: Vec<Value> = Vec::new();
    let mut rest = s;
    while let Some((line, more)) = rest.split_once('\n') {
        h.charge(2)?;
        lines.push(Value::str(line.strip_suffix('\r').unwrap_or(line)));
        rest = more;
    }
    if lines.is_empty() {
        return Ok(Value::vector(vec![take(a, 0)]));
    }
    lines.push(Value::str(rest));
    Ok(Value::vector(without_trailing(lines)))
}

/// Drops empty strings at the end, as Java's `split` does (trap 35).
pub fn without_trailing(mut parts: Vec<Value>) -> Vec<Value> {
    while parts.last().and_then(Value::as_str).is_some_and(str::is_empty) {
        parts.pop();
    }
    parts
}

/// As [`part`], of any sequence of characters.
fn trimmed(h: &mut dyn Host, a: &mut [Value], f: fn(&str) -> &str) -> Result {
    read_all(h, a)?;
    part(h, a, f)
}

/// A part of the string, which comes back itself when it is all of it.
pub fn part(h: &mut dyn Host, a: &mut [Value], f: fn(&str) -> &str) -> Result {
    let s = text(h, a, 0)?;
    let part = f(s.as_str());
    if part.len() == s.as_str().len() {
        return Ok(take(a, 0));
    }
    h.reserve(part.len() as u64)?;
    Ok(Value::str(part))
}

/// A text in other letters; a letter can become three.
pub fn cased(h: &mut dyn Host, a: &mut [Value], f: fn(&str) -> String) -> Result {
    let s = loose(h, a, 0)?;
    h.charge(s.as_str().len() as u64 / if s.is_ascii() { 16 } else { 12 })?;
    h.reserve(s.as_str().len() as u64 * 2)?;
    Ok(Value::from(f(s.as_str())))
}

fn capitalized(s: &str) -> String {
    let mut chars = s.chars();
    let mut out: String = chars.next().map(char::to_uppercase).into_iter().flatten().collect();
    out.push_str(&chars.as_str().to_lowercase());
    out
}

/// A question about one end of a string: only so much of it is looked at.
fn end(h: &mut dyn Host, a: &mut [Value], f: fn(&str, &str) -> bool) -> Result {
    let Value::Str(s) = get(a, 0) else { return test(h, a, f) };
    let s = s.clone();
    let t = text(h, a, 1)?;
    Ok(Value::Bool(f(s.as_str(), t.as_str())))
}

/// A question about two strings.
pub fn test(h: &mut dyn Host, a: &mut [Value], f: fn(&str, &str) -> bool) -> Result {
    let s = loose(h, a, 0)?;
    let t = text(h, a, 1)?.clone();
    seek(h, &s)?;
    // Whoever looks for it looks at all of it first.
    h.charge(t.as_str().len() as u64 / 5)?;
    Ok(Value::Bool(f(s.as_str(), t.as_str())))
}

fn blank(h: &mut dyn Host, a: &mut [Value]) -> Result {
    read_all(h, a)?;
    if get(a, 0).is_nil() {
        return Ok(Value::Bool(true));
    }
    let s = text(h, a, 0)?.as_str();
    h.charge(s.len() as u64 / 16)?;
    Ok(Value::Bool(s.chars().all(is_blank)))
}

/// Charges looking through a text for another: where the two are much alike, nearly two nanoseconds a byte.
pub fn seek(h: &mut dyn Host, s: &Str) -> Result<()> {
    h.charge(s.as_str().len() as u64 / 32)
}

/// What is searched for: a string or a character.
pub fn needle(h: &mut dyn Host, a: &[Value], i: usize) -> Result<String> {
    match get(a, i) {
        Value::Str(s) => {
            // Whoever looks for it looks at all of it first.
            h.charge(s.as_str().len() as u64 / 5)?;
            Ok(s.as_str().to_string())
        }
        Value::Char(c) => Ok(c.to_string()),
        v => Err(Interrupt::argument(i, "a string or a character", v)),
    }
}

fn found(index: Option<usize>) -> Value {
    index.map_or(Value::Nil, |i| Value::int(i as i64))
}

/// Byte index of a character index; the end of the text for one past it.
fn byte_of(s: &Str, index: i64) -> usize {
    let index = usize::try_from(index.max(0)).unwrap_or(usize::MAX);
    let text = s.as_str();
    if s.is_ascii() { index.min(text.len()) } else { text.char_indices().nth(index).map_or(text.len(), |(b, _)| b) }
}

/// Character index of a byte index.
fn char_of(s: &Str, byte: usize) -> usize {
    if s.is_ascii() { byte } else { s.as_str().get(..byte).map_or(0, |t| t.chars().count()) }
}

/// The character index of the first place at or after the third argument.
pub fn index_of(h: &mut dyn Host, a: &mut [Value]) -> Result<Option<usize>> {
    let s = loose(h, a, 0)?;
    seek(h, &s)?;
    let t = needle(h, a, 1)?;
    let from = if a.len() > 2 { byte_of(&s, int(a, 2)?) } else { 0 };
    let at = s.as_str().get(from..).and_then(|rest| rest.find(&*t));
    Ok(at.map(|at| char_of(&s, from + at)))
}

/// The character index of the last place at or before the third argument.
pub fn last_index_of(h: &mut dyn Host, a: &mut [Value]) -> Result<Option<usize>> {
    let s = loose(h, a, 0)?;
    seek(h, &s)?;
    let t = needle(h, a, 1)?;
    if a.len() < 3 {
        return Ok(s.as_str().rfind(&*t).map(|at| char_of(&s, at)));
    }
    let from = int(a, 2)?;
    if from < 0 {
        return Ok(None);
    }
    // The match may reach past `from`, it only has to start there.
    let end = byte_of(&s, from).saturating_add(t.len()).min(s.as_str().len());
    let end = (end..=s.as_str().len()).find(|e| s.as_str().is_char_boundary(*e)).unwrap_or(end);
    let at = s.as_str().get(..end).and_then(|head| head.rfind(&*t));
    Ok(at.map(|at| char_of(&s, at)))
}

fn reverse(h: &mut dyn Host, a: &mut [Value]) -> Result {
    read_all(h, a)?;
    let s = text(h, a, 0)?.as_str();
    h.charge(s.len() as u64 / 16)?;
    h.reserve(s.len() as u64)?;
    Ok(Value::from(s.chars().rev().collect::<String>()))
}

fn escape(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = loose(h, a, 0)?;
    let cmap = take(a, 1);
    let mut out = String::new();
    for c in s.as_str().chars() {
        h.charge(2)?;
        let with = match &cmap {
            Value::Map(m) => m.get(&Value::Char(c)).cloned().unwrap_or_default(),
            f => h.call1(f, Value::Char(c))?,
        };
        if with.truthy() {
            push_str(h, &mut out, &with)?;
            h.reserve(out.len() as u64)?;
        } else {
            out.push(c);
        }
    }
    Ok(Value::from(out))
}

fn char_escape(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let text = match get(a, 0) {
        Value::Char('\n') => "\\n",
        Value::Char('\t') => "\\t",
        Value::Char('\r') => "\\r",
        Value::Char('"') => "\\\"",
        Value::Char('\\') => "\\\\",
        Value::Char('\u{c}') => "\\f",
        Value::Char('\u{8}') => "\\b",
        _ => return Ok(take(a, 1)),
    };
    Ok(Value::str(text))
}

fn char_name(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let text = match get(a, 0) {
        Value::Char('\n') => "newline",
        Value::Char('\t') => "tab",
        Value::Char('\r') => "return",
        Value::Char(' ') => "space",
        Value::Char('\u{c}') => "formfeed",
        Value::Char('\u{8}') => "backspace",
        _ => return Ok(take(a, 1)),
    };
    Ok(Value::str(text))
}
