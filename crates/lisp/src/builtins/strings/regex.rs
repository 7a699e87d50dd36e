//! Regexes: compiling them within bounds, and the functions that find things with them (traps 35-37).

use super::regex_args::{compile, compile_with, regex};
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::regex::finder::{Finder, found, whole};
use crate::value::regex::{Flags, Regex};
use crate::value::{Builtin, Str, Value};
use std::sync::Arc;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "re-pattern",
        "s",
        "A regex made from a string.",
        &[("(re-find (re-pattern \"\\\\d+\") \"a12\")", "\"12\""), ("(re-pattern \"[\")", "!regex")],
        &Body(re_pattern),
    ),
    Builtin::new(
        "re-find",
        "re s | m",
        "The first match: a string, or a vector of the match and its groups; nil if there is none. Of a matcher, the next match.",
        &[
            ("(re-find #\"\\d+\" \"abc123\")", "\"123\""),
            ("(re-find #\"(\\w)(\\d)\" \"a1\")", "[\"a1\" \"a\" \"1\"]"),
            ("(re-find #\"x\" \"abc\")", "nil"),
        ],
        &Body(re_find),
    ),
    Builtin::new(
        "re-matches",
        "re s",
        "As re-find, if the whole string matches.",
        &[("(re-matches #\"\\d+\" \"123\")", "\"123\""), ("(re-matches #\"\\d+\" \"123a\")", "nil")],
        &Body(re_matches),
    ),
    Builtin::new(
        "re-seq",
        "re s",
        "All matches in order, nil if there are none.",
        &[("(re-seq #\"\\d+\" \"1 22\")", "(\"1\" \"22\")"), ("(re-seq #\"x\" \"abc\")", "nil")],
        &Body(re_seq),
    ),
    Builtin::new(
        ".pattern",
        "re",
        "The pattern of a regex, as a string; of a matcher its regex.",
        &[("(.pattern #\"a+\")", "\"a+\"")],
        &Body(pattern),
    ),
    Builtin::new(
        "Pattern/compile",
        "s | s flags",
        "A regex made from a string, with flags added up: Pattern/CASE_INSENSITIVE, MULTILINE, DOTALL, COMMENTS, LITERAL, UNIX_LINES.",
        &[("(re-find (Pattern/compile \"b.\" Pattern/CASE_INSENSITIVE) \"aBc\")", "\"Bc\"")],
        &Body(compile_flags),
    ),
    Builtin::new(
        "Pattern/quote",
        "s",
        "A pattern that matches this text and nothing else.",
        &[("(re-find (re-pattern (Pattern/quote \"1+1\")) \"is 1+1=2\")", "\"1+1\"")],
        &Body(quote_pattern),
    ),
    Builtin::new(
        "Pattern/matches",
        "pattern s",
        "Whether the whole string matches a regex, given as a string.",
        &[("(Pattern/matches \"\\\\d+\" \"12\")", "true")],
        &Body(pattern_matches),
    ),
];

fn finder(h: &mut dyn Host, a: &[Value]) -> Result<Finder> {
    let re = regex(a, 0)?;
    let text = crate::builtins::args::str(a, 1)?.clone();
    Finder::new(h, re, text)
}

fn re_pattern(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Regex(_) => Ok(take(a, 0)),
        Value::Str(s) => {
            let s = s.clone();
            compile(h, s.as_str())
        }
        other => Err(Interrupt::argument(0, "a string", other)),
    }
}

fn re_find(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    if a.len() == 1 {
        return super::matcher::next(h, a);
    }
    let mut f = finder(h, a)?;
    match f.next(h)? {
        Some(spans) => f.value(h, &spans),
        None => Ok(Value::Nil),
    }
}

fn re_matches(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    let re = regex(a, 0)?;
    let text = crate::builtins::args::str(a, 1)?.clone();
    whole_value(h, &re, text)
}

/// What `re-matches` gives.
fn whole_value(h: &mut dyn Host, re: &Arc<Regex>, text: Str) -> Result {
    match whole(h, re, text.clone())? {
        Some(spans) => found(h, text.as_str(), &spans),
        None => Ok(Value::Nil),
    }
}

fn re_seq(h: &mut dyn Host, a: &mut [Value]) -> Result {
    crate::builtins::java::builder_text::read_all(h, a)?;
    let mut f = finder(h, a)?;
    let mut out = Vec::new();
    while let Some(spans) = f.next(h)? {
        if out.len() == out.capacity() {
            h.reserve(out.len() as u64 * 80 + 64)?;
        }
        out.push(f.value(h, &spans)?);
    }
    Ok(if out.is_empty() { Value::Nil } else { Value::seq(out) })
}

fn pattern(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if get(a, 0).is_matcher() {
        return super::matcher::regex_of(h, a);
    }
    let re = regex(a, 0)?;
    h.reserve(re.source.len() as u64)?;
    Ok(Value::str(&re.source))
}

fn compile_flags(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pattern = crate::builtins::args::str(a, 0)?.clone();
    let flags = if a.len() > 1 { crate::builtins::args::int(a, 1)? } else { 0 };
    let Some(flags) = Flags::of_java(flags) else {
        return Err(Interrupt::bad(1, ErrorKind::Value, format!("has flags that are not there: {flags}")).hint(
            "CASE_INSENSITIVE, MULTILINE, DOTALL, COMMENTS, LITERAL, UNIX_LINES, UNICODE_CASE, UNICODE_CHARACTER_CLASS",
        ));
    };
    compile_with(h, pattern.as_str(), flags)
}

fn quote_pattern(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = crate::builtins::args::str(a, 0)?.as_str();
    h.charge(s.len() as u64 / 16)?;
    h.reserve(s.len() as u64 * 4 + 4)?;
    Ok(Value::from(format!("\\Q{}\\E", s.replace("\\E", "\\E\\\\E\\Q"))))
}

fn pattern_matches(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pattern = crate::builtins::args::str(a, 0)?.clone();
    let text = crate::builtins::args::str(a, 1)?.clone();
    let Value::Regex(re) = compile(h, pattern.as_str())? else { return Ok(Value::Nil) };
    Ok(Value::Bool(whole(h, &re, text)?.is_some()))
}
