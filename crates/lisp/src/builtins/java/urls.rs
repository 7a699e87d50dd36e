//! `java.net.URLEncoder` and `URLDecoder`: texts as parts of a URL.

use super::charsets::{Charset, charset, decoded, encoded};
use crate::builtins::args;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};
use std::fmt::Write;

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("URLEncoder/encode", "s | s charset", "The text as a part of a URL: a space is +, other characters are their bytes, %C3%A9, in UTF-8 or another charset.",
        &[("(java.net.URLEncoder/encode \"a b&é\" \"UTF-8\")", "\"a+b%26%C3%A9\"")], &Body(encode)),
    Builtin::new("URLDecoder/decode", "s | s charset", "The text that a part of a URL says, in UTF-8 or another charset.",
        &[("(java.net.URLDecoder/decode \"a+b%26%C3%A9\" \"UTF-8\")", "\"a b&é\""), ("(java.net.URLDecoder/decode \"%zz\" \"UTF-8\")", "!Illegal hex characters")], &Body(decode)),
];

/// The text and the charset, paid for.
fn arguments(h: &mut dyn Host, a: &[Value]) -> Result<(String, Charset)> {
    let s = args::str(a, 0)?.as_str();
    h.charge(s.len() as u64 + 1)?;
    h.reserve(s.len() as u64 * 14)?;
    Ok((s.to_owned(), charset(a, 1)?))
}

fn encode(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (s, charset) = arguments(h, a)?;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '*');
    let mut out = String::with_capacity(s.len());
    let mut rest = s.as_str();
    while let Some(c) = rest.chars().next() {
        if plain(c) || c == ' ' {
            out.push(if c == ' ' { '+' } else { c });
            rest = rest.get(1..).unwrap_or_default();
            continue;
        }
        // As many as follow each other are written together: in UTF-16 they have one mark.
        let end = rest.find(|c| plain(c) || c == ' ').unwrap_or(rest.len());
        let (run, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        for b in encoded(run, charset) {
            let _ = write!(out, "%{b:02X}");
        }
        rest = after;
    }
    Ok(Value::from(out))
}

#[cold]
fn wrong(words: impl Into<String>) -> Interrupt {
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

fn decode(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (s, charset) = arguments(h, a)?;
    let mut out = String::with_capacity(s.len());
    let mut rest = s.as_str();
    while let Some(c) = rest.chars().next() {
        if c != '%' {
            out.push(if c == '+' { ' ' } else { c });
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        let mut bytes = Vec::new();
        while let Some(after) = rest.strip_prefix('%') {
            // Java takes two characters, whatever they are; a sign among them makes no number that it takes.
            let Some((end, _)) =
                after.char_indices().nth(2).or_else(|| (after.chars().count() == 2).then_some((after.len(), ' ')))
            else {
                return Err(wrong("URLDecoder: Incomplete trailing escape (%) pattern"));
            };
            let (digits, next) = after.split_at_checked(end).unwrap_or((after, ""));
            bytes.push(hexadecimal(digits)?);
            rest = next;
        }
        out.push_str(&decoded(bytes, charset));
    }
    Ok(Value::from(out))
}

fn hexadecimal(digits: &str) -> Result<u8> {
    let illegal = |words: String| wrong(format!("URLDecoder: Illegal hex characters in escape (%) pattern - {words}"));
    if let Some(bad) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        // A sign in front is read before the digit behind it.
        let negative = digits.starts_with('-') && digits.chars().nth(1).is_some_and(|c| c.is_ascii_hexdigit());
        let positive = digits.starts_with('+') && digits.chars().nth(1).is_some_and(|c| c.is_ascii_hexdigit());
        if negative && !digits.ends_with('0') {
            return Err(illegal("negative value".into()));
        }
        if negative || positive {
            return Ok(u8::from_str_radix(digits.get(1..).unwrap_or_default(), 16).unwrap_or_default());
        }
        return Err(illegal(format!("Error at index {bad} in: \"{digits}\"")));
    }
    Ok(u8::from_str_radix(digits, 16).unwrap_or_default())
}
