//! Java's writers and streams that are printed to. A writer is a builder: `StringWriter` holds its text, those of the turn
//! (`System/out`, `System/err`, `*out*` and `*err*` where nothing is bound) hold none and print what they are given.

use super::string_builder::{add, append, builder, written};
use crate::builtins::args::{get, put};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Builtin, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "StringWriter.",
        "| size",
        "A writer of a text: .write, .append and .print add to it, and what is printed while *out* is bound to it; str gives the text.",
        &[("(let [w (java.io.StringWriter.)] (.write w \"ab\") (str w))", "\"ab\"")],
        &Body(|h, _| h.cell_of(CellSort::Writer, false, Value::Vector(Vector::new())).map(Value::Builder)),
    ),
    Builtin::new(
        ".write",
        "writer x | writer x start length",
        "Adds a text, so much of it from start on, or the character with a code, at the end of a writer; nil.",
        &[
            ("(let [w (java.io.StringWriter.)] (.write w 97) (str w))", "\"a\""),
            ("(with-out-str (.write *out* \"abc\" 1 2))", "\"bc\""),
        ],
        &Body(write),
    ),
    Builtin::new(
        ".print",
        "writer x",
        "Adds the text of x at the end of a writer; nil.",
        &[("(with-out-str (.print *out* 1.5))", "\"1.5\"")],
        &Body(|h, a| print(h, a, false)),
    ),
    Builtin::new(
        ".println",
        "writer | writer x",
        "Adds the text of x and a line end at the end of a writer; nil.",
        &[("(with-out-str (.println *out* nil))", "\"null\\n\"")],
        &Body(|h, a| print(h, a, true)),
    ),
    Builtin::new(
        ".flush",
        "writer",
        "Does nothing: text is written as it comes.",
        &[("(.flush *out*)", "nil")],
        &Body(|_, a| writer(a).map(|_| Value::Nil)),
    ),
    Builtin::new(
        "out*",
        "",
        "What `*out*` is.",
        &[("(let [w (java.io.StringWriter.)] (binding [*out* w] (print 1) (.write *out* \"a\")) (str w))", "\"1a\"")],
        &Body(|h, _| h.out().map(Value::Builder)),
    ),
];

/// The writer that is the first argument.
pub fn writer(a: &[Value]) -> Result<CellId> {
    writer_at(a, 0)
}

/// The writer that is this argument.
pub fn writer_at(a: &[Value], i: usize) -> Result<CellId> {
    match get(a, i) {
        Value::Builder(id) if id.sort() == CellSort::Writer => Ok(*id),
        other => Err(Interrupt::argument(i, "a writer", other)
            .hint("(java.io.StringWriter.) makes one, *out* is that of what is printed; there are no files")),
    }
}

fn write(h: &mut dyn Host, a: &mut [Value]) -> Result {
    writer(a)?;
    if let Value::Int(code) = get(a, 1)
        && let Some(c) = u32::try_from(code.get()).ok().and_then(char::from_u32)
    {
        put(a, 1, Value::Char(c));
    }
    if let [_, Value::Str(_), Value::Int(start), Value::Int(length)] = a {
        // The end, as .append takes it.
        let end = start.get().saturating_add(length.get());
        put(a, 3, Value::int(end));
    }
    append(h, a).map(|_| Value::Nil)
}

fn print(h: &mut dyn Host, a: &mut [Value], end: bool) -> Result {
    builder(a)?;
    let id = writer(a)?;
    let mut text = if a.len() > 1 { written(h, get(a, 1))? } else { String::new() };
    if end {
        text.push('\n');
    }
    add(h, id, text).map(|()| Value::Nil)
}
