//! Java's writers and streams that are printed to. A writer is a builder: `StringWriter` holds its text, those of the turn
//! (`System/out`, `System/err`, `*out*` and `*err*` where nothing is bound) hold none and print what they are given.

use super::string_builder::{add, append, builder, written};
use crate::builtins::args::{get, put, take};
use crate::builtins::io::printing::str_of;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source::core;
use crate::error::ErrorKind;
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
        "PrintWriter.",
        "writer | writer flushes",
        "The writer itself.",
        &[("(let [w (java.io.StringWriter.)] (.println (java.io.PrintWriter. w) 1) (str w))", "\"1\\n\"")],
        &Body(same),
    ),
    Builtin::new(
        "BufferedWriter.",
        "writer | writer size",
        "The writer itself.",
        &[("(let [w (java.io.StringWriter.)] (.newLine (java.io.BufferedWriter. w)) (str w))", "\"\\n\"")],
        &Body(same),
    ),
    Builtin::new(
        "OutputStreamWriter.",
        "writer | writer charset",
        "The writer itself: System/out and System/err are writers here.",
        &[("(.write (java.io.OutputStreamWriter. System/out) \"a\")", "nil")],
        &Body(same),
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
        ".printf",
        "writer format args",
        "Adds what format gives of an array of arguments at the end of a writer, which comes back.",
        &[("(with-out-str (.printf *out* \"%d!\" (to-array [1])))", "\"1!\"")],
        &Body(|h, a| {
            let id = writer(a)?;
            let (format, apply) = (core(h, "format")?, core(h, "apply")?);
            let (words, args) = (take(a, 1), take(a, 2));
            let text = h.call(&apply, &mut [format, words, args])?;
            add(h, id, text.as_str().unwrap_or_default().to_owned())?;
            Ok(take(a, 0))
        }),
    ),
    Builtin::new(
        ".newLine",
        "writer",
        "Adds a line end at the end of a writer; nil.",
        &[("(with-out-str (.newLine (java.io.BufferedWriter. *out*)))", "\"\\n\"")],
        &Body(|h, a| add(h, writer(a)?, "\n".to_owned()).map(|()| Value::Nil)),
    ),
    Builtin::new(
        ".flush",
        "writer",
        "Does nothing: text is written as it comes.",
        &[("(.flush *out*)", "nil")],
        &Body(|_, a| writer(a).map(|_| Value::Nil)),
    ),
    Builtin::new(
        ".getBuffer",
        "writer",
        "The writer itself, whose text str gives.",
        &[("(let [w (java.io.StringWriter.)] (.write w \"a\") (str (.getBuffer w)))", "\"a\"")],
        &Body(same),
    ),
    Builtin::new(
        "spit",
        "f content & options",
        "Adds the text of content at the end of a writer; nil. There are no files.",
        &[
            ("(let [w (java.io.StringWriter.)] (spit w [1]) (str w))", "\"[1]\""),
            ("(spit \"notes.txt\" \"a\")", "!spit is not part of PTC-Lisp"),
        ],
        &Body(|h, a| {
            if !matches!(get(a, 0), Value::Builder(_)) {
                return Err(Interrupt::error(ErrorKind::Denied, "spit is not part of PTC-Lisp")
                    .hint("there is no I/O: use a tool, or (return value); (spit w x) writes to a StringWriter"));
            }
            let (to, text) = (writer(a)?, str_of(h, get(a, 1))?);
            add(h, to, text).map(|()| Value::Nil)
        }),
    ),
    Builtin::new(
        ".printStackTrace",
        "ex | ex writer",
        "Writes an exception and its causes to a writer, or to *err*; nil. There are no stack traces.",
        &[(
            "(let [w (java.io.StringWriter.)] (.printStackTrace (Exception. \"a\" (Error. \"b\")) (java.io.PrintWriter. w)) (str w))",
            "\"java.lang.Exception: a\\nCaused by: java.lang.Error: b\\n\"",
        )],
        &Body(stack_trace),
    ),
    Builtin::new(
        "out*",
        "",
        "What `*out*` is.",
        &[("(let [w (java.io.StringWriter.)] (binding [*out* w] (print 1) (.write *out* \"a\")) (str w))", "\"1a\"")],
        &Body(|h, _| h.out().map(Value::Builder)),
    ),
];

fn same(_: &mut dyn Host, a: &mut [Value]) -> Result {
    writer(a)?;
    Ok(take(a, 0))
}

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

fn stack_trace(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let to = match a.len() {
        1 => match h.setting("*err*") {
            Some(Value::Builder(id)) => id,
            _ => CellId::ERR,
        },
        _ => writer_at(a, 1)?,
    };
    let Value::Exception(_) = get(a, 0) else { return Err(Interrupt::argument(0, "an exception", get(a, 0))) };
    let mut all = String::new();
    let mut next = take(a, 0);
    while let Value::Exception(e) = &next {
        h.charge(4)?;
        if !all.is_empty() {
            all.push_str("Caused by: ");
        }
        all.push_str(&str_of(h, &next)?);
        all.push('\n');
        h.reserve(all.len() as u64)?;
        let cause = e.cause.clone();
        next = cause;
    }
    add(h, to, all).map(|()| Value::Nil)
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
