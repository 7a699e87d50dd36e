//! Forms and data out of a reader, one after another, and steps of a reader back and forth.

use super::data_readers::Readers;
use super::edn::{edn_mode, option, program_mode, read_next};
use super::readers::{go_to, input, open, reader};
use crate::builtins::args::{get, int, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::read::ReadMode;
use crate::value::boxed::CellId;
use crate::value::{Builtin, Str, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "read",
        "| stream | opts stream | stream eof-error? eof-value | stream eof-error? eof-value recursive?",
        "The next form of a reader, or of the text of with-in-str, as data; options are those of read-string.",
        &[
            (
                "(let [r (java.io.PushbackReader. (java.io.StringReader. \"(+ 1 2) :b\"))] [(read r) (read r)])",
                "[(+ 1 2) :b]",
            ),
            ("(read (java.io.StringReader. \"\") false :end)", ":end"),
            ("(with-in-str \"[1]\" (read))", "[1]"),
        ],
        &Body(read),
    ),
    Builtin::new(
        "clojure.edn/read",
        "| stream | opts stream",
        "The next value of a reader in Clojure's data notation; options are those of edn/read-string.",
        &[
            (
                "(let [r (java.io.PushbackReader. (java.io.StringReader. \"{:a 1} 2\"))] [(edn/read r) (edn/read {:eof nil} r) (edn/read {:eof nil} r)])",
                "[{:a 1} 2 nil]",
            ),
            ("(edn/read (java.io.StringReader. \"\"))", "!EOF while reading"),
        ],
        &Body(edn),
    ),
    Builtin::new(
        ".unread",
        "reader c",
        "Puts a character, or the one with a code, back in front of what a reader reads next; nil.",
        &[("(let [r (java.io.PushbackReader. (java.io.StringReader. \"ab\"))] (.unread r (.read r)) (.read r))", "97")],
        &of_32_bits!(unread),
    ),
    Builtin::new(
        ".skip",
        "reader n",
        "Has a reader pass over n characters, and says over how many it did.",
        &[("(let [r (java.io.StringReader. \"abc\")] [(.skip r 2) (.read r) (.skip r 2)])", "[2 99 0]")],
        &Body(|h, a| {
            let (id, n) = (reader(a, 0)?, int(a, 1)?);
            let (text, at) = open(h, id)?;
            let rest = text.as_str().get(at..).unwrap_or_default();
            let n = usize::try_from(n).unwrap_or_default();
            cost::text(h, rest.len().min(n.saturating_mul(4)))?;
            let (mut bytes, mut passed) = (0, 0);
            for c in rest.chars().take(n) {
                bytes += c.len_utf8();
                passed += 1;
            }
            go_to(h, id, &text, at + bytes);
            Ok(Value::int(passed))
        }),
    ),
];

/// Bytes that are looked at first: most forms are shorter, and what a reader has left may be long.
const FIRST_LOOK: usize = 512;

/// The next form of a reader.
fn next(h: &mut dyn Host, id: CellId, mode: &ReadMode, readers: &Readers) -> Result<Option<Value>> {
    let (text, at) = open(h, id)?;
    let rest = text.as_str().get(at..).unwrap_or_default();
    let mut look = FIRST_LOOK;
    loop {
        h.charge(8)?;
        let end = rest.ceil_char_boundary(look.min(rest.len()));
        let seen = rest.get(..end).unwrap_or(rest);
        match read_next(h, seen, seen.len() < rest.len(), mode.clone(), readers) {
            Ok(Some((form, next))) => {
                go_to(h, id, &text, at + next);
                return Ok(form);
            }
            Ok(None) => look = look.saturating_mul(4),
            Err(e) => {
                go_to(h, id, &text, text.as_str().len());
                return Err(e);
            }
        }
    }
}

#[cold]
fn ended() -> Interrupt {
    Interrupt::throw("RuntimeException", ErrorKind::Value, "EOF while reading")
        .hint("say what the end gives: (read r false :end), (edn/read {:eof :end} r)")
}

/// The reader of the last argument, or that of `with-in-str`.
fn stream(h: &mut dyn Host, a: &[Value], name: &str) -> Result<CellId> {
    match a {
        [] => input(h, name),
        [_, _] => reader(a, 1),
        _ => reader(a, 0),
    }
}

fn read(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = stream(h, a, "read")?;
    let options = if a.len() == 2 { a.to_vec() } else { Vec::new() };
    let (mode, readers) = program_mode(h, &options);
    let found = next(h, id, &mode, &readers)?;
    match found {
        Some(v) => Ok(v),
        None if a.len() > 2 && !get(a, 1).truthy() => Ok(take(a, 2)),
        None => option(&options, "eof").filter(|v| v.name_text() != Some("eofthrow")).ok_or_else(ended),
    }
}

fn edn(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = stream(h, a, "edn/read")?;
    let (mode, readers) = edn_mode(a);
    match next(h, id, &mode, &readers)? {
        Some(v) => Ok(v),
        None => option(a, "eof").ok_or_else(ended),
    }
}

fn unread(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = reader(a, 0)?;
    let c = match get(a, 1) {
        Value::Char(c) => *c,
        Value::Int(code) => match u32::try_from(code.get()).ok().and_then(char::from_u32) {
            Some(c) => c,
            None => return Err(Interrupt::bad(1, ErrorKind::Value, format!("is no code of a character: {code}"))),
        },
        other => return Err(Interrupt::argument(1, "a character or its code", other)),
    };
    let (text, at) = open(h, id)?;
    h.charge(4)?;
    let (before, rest) = text.as_str().split_at_checked(at).unwrap_or_default();
    if before.ends_with(c) {
        go_to(h, id, &text, at - c.len_utf8());
        return Ok(Value::Nil);
    }
    cost::text(h, rest.len())?;
    h.reserve(rest.len() as u64 + 8)?;
    go_to(h, id, &Str::new(format!("{c}{rest}")), 0);
    Ok(Value::Nil)
}
