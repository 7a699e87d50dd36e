//! Java's readers over texts: lines and characters one after another. A reader is a cell that holds the text, the byte that is next
//! and whether it is closed. No reader is of a file.

use crate::builtins::args::{get, take};
use crate::builtins::arrays::items;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::basic::cons_onto;
use crate::builtins::types::own_methods::own_method;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Step};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Str, Value, Width};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "StringReader.",
        "s",
        "A reader of a text.",
        &[("(slurp (java.io.StringReader. \"ab\"))", "\"ab\"")],
        &Body(|h, a| {
            crate::builtins::args::str(a, 0)?;
            new(h, take(a, 0))
        }),
    ),
    Builtin::new(
        "BufferedReader.",
        "reader | reader size",
        "A reader of what a reader has left.",
        &[("(.readLine (java.io.BufferedReader. (java.io.StringReader. \"a\\nb\")))", "\"a\"")],
        &Body(|h, a| around(h, a, Place::BufferedReader)),
    ),
    Builtin::new(
        "PushbackReader.",
        "reader | reader size",
        "A reader of what a reader has left.",
        &[("(.readLine (java.io.PushbackReader. (java.io.StringReader. \"a\")))", "\"a\"")],
        &Body(|h, a| around(h, a, Place::PushbackReader)),
    ),
    Builtin::new(
        "LineNumberReader.",
        "reader | reader size",
        "A reader of what a reader has left.",
        &[("(.readLine (java.io.LineNumberReader. (java.io.StringReader. \"a\")))", "\"a\"")],
        &Body(|h, a| around(h, a, Place::LineNumberReader)),
    ),
    Builtin::new(
        "LineNumberingPushbackReader.",
        "reader | reader size",
        "A reader of what a reader has left.",
        &[("(read (clojure.lang.LineNumberingPushbackReader. (java.io.StringReader. \"a\")))", "a")],
        &Body(|h, a| around(h, a, Place::NumberingReader)),
    ),
    Builtin::new(
        "clojure.java.io/reader",
        "x & opts",
        "A reader of an array of characters or bytes, or the reader itself; there are no files.",
        &[
            ("(slurp (clojure.java.io/reader (char-array \"ab\")))", "\"ab\""),
            ("(clojure.java.io/reader \"notes.txt\")", "!there is no I/O"),
        ],
        &Body(|h, a| match get(a, 0) {
            Value::Str(_) => Err(no_files("clojure.java.io/reader").hint(OF_TEXT)),
            Value::Place(id) if id.place().array().is_some() => {
                let text = crate::builtins::java::charsets::of_array(h, a)?;
                let chars = new(h, text)?;
                around(h, &mut [chars], Place::BufferedReader)
            }
            Value::Place(id) if id.place() == Place::BufferedReader => Ok(take(a, 0)),
            _ => around(h, a, Place::BufferedReader),
        }),
    ),
    Builtin::new(
        "line-seq",
        "rdr",
        "The lines of a reader: the first at once, the others when something takes from them; nil when there are none.",
        &[("(line-seq (java.io.BufferedReader. (java.io.StringReader. \"a\\nb\")))", "(\"a\" \"b\")")],
        &Body(|h, a| {
            let id = reader(a, 0)?;
            match line(h, id)? {
                Some(first) => cons_onto(h, first, lazy(Lines(id))),
                None => Ok(Value::Nil),
            }
        }),
    ),
    Builtin::new(
        "slurp",
        "reader & opts",
        "What is left of the text of a reader, or the text of an array of characters; there are no files.",
        &[
            ("(slurp (java.io.StringReader. \"ab\"))", "\"ab\""),
            ("(slurp \"notes.txt\")", "!slurp is not part of PTC-Lisp"),
        ],
        &Body(|h, a| {
            if let Value::Str(_) = get(a, 0) {
                return Err(no_files("slurp").hint(NO_IO));
            }
            if let Value::Place(id) = get(a, 0)
                && id.place().array().is_some()
            {
                return crate::builtins::java::charsets::of_array(h, a);
            }
            let id = reader(a, 0)?;
            let (text, at) = open(h, id)?;
            let rest = text.as_str().get(at..).unwrap_or_default();
            cost::text(h, rest.len())?;
            h.reserve(rest.len() as u64)?;
            let rest = Value::str(rest);
            go_to(h, id, &text, text.as_str().len());
            Ok(rest)
        }),
    ),
    Builtin::new(
        "read-line",
        "",
        "The next line of the text of with-in-str, nil at its end.",
        &[
            ("(with-in-str \"a\\nb\" [(read-line) (read-line) (read-line)])", "[\"a\" \"b\" nil]"),
            ("(read-line)", "!read-line is not part of PTC-Lisp"),
        ],
        &Body(|h, _| {
            let id = input(h, "read-line")?;
            Ok(line(h, id)?.unwrap_or_default())
        }),
    ),
    Builtin::new(
        "in*",
        "",
        "What `*in*` is rewritten to: the reader of with-in-str.",
        &[("(with-in-str \"a\" (slurp *in*))", "\"a\"")],
        &Body(|h, _| input(h, "*in*").map(Value::Place)),
    ),
    Builtin::new(
        "with-in-str*",
        "s f",
        "What `with-in-str` is rewritten to.",
        &[("(with-in-str \"a\" (read-line))", "\"a\"")],
        &Body(|h, a| {
            crate::builtins::args::str(a, 0)?;
            let text = new(h, take(a, 0))?;
            let reader = around(h, &mut [text], Place::NumberingReader)?;
            let before = h.cell_set(CellId::INPUT, reader);
            let result = h.call(get(a, 1), &mut []);
            h.cell_set(CellId::INPUT, before);
            result
        }),
    ),
    Builtin::new(
        ".readLine",
        "reader",
        "The next line, nil at the end.",
        &[("(let [r (java.io.StringReader. \"a\")] [(.readLine r) (.readLine r)])", "[\"a\" nil]")],
        &Body(|h, a| {
            let id = reader(a, 0)?;
            Ok(line(h, id)?.unwrap_or_default())
        }),
    ),
    Builtin::new(
        ".read",
        "reader",
        "The code of the next character, -1 at the end.",
        &[("(let [r (java.io.StringReader. \"a\")] [(.read r) (.read r)])", "[97 -1]")],
        &Body(|h, a| {
            let id = reader(a, 0)?;
            let (text, at) = open(h, id)?;
            h.charge(2)?;
            let next = text.as_str().get(at..).and_then(|rest| rest.chars().next());
            if let Some(c) = next {
                go_to(h, id, &text, at + c.len_utf8());
            }
            Ok(Value::int(next.map_or(-1, |c| i64::from(u32::from(c)))).of_width(Width::W32))
        }),
    ),
    Builtin::new(
        ".ready",
        "reader",
        "Whether the reader can be read: true until it is closed.",
        &[("(.ready (java.io.StringReader. \"\"))", "true")],
        &Body(|h, a| {
            let id = reader(a, 0)?;
            open(h, id).map(|_| Value::Bool(true))
        }),
    ),
    Builtin::new(
        ".close",
        "reader",
        "Closes a reader, or calls the method close of a value of the program's own type; a StringWriter stays open.",
        &[
            ("(.close (java.io.StringReader. \"a\"))", "nil"),
            ("(let [r (java.io.StringReader. \"a\")] (.close r) (.read r))", "!Stream closed"),
        ],
        &Body(|h, a| {
            if let Value::Builder(_) = get(a, 0) {
                return Ok(Value::Nil);
            }
            if let Some(close) = own_method(h, get(a, 0), "close")? {
                return h.call1(&close, take(a, 0));
            }
            let id = reader(a, 0)?;
            let id = origin(h, id);
            h.cell_set(id, Value::Bool(false));
            Ok(Value::Nil)
        }),
    ),
];

const NO_IO: &str = "there is no I/O: inputs are read as ctx/name, everything else is a tool";
const OF_TEXT: &str =
    "a text is read by (java.io.StringReader. s); inputs are read as ctx/name, everything else is a tool";

#[cold]
fn no_files(name: &str) -> Interrupt {
    let words =
        if name == "slurp" { format!("{name} is not part of PTC-Lisp") } else { format!("{name}: there is no I/O") };
    Interrupt::error(ErrorKind::Denied, words)
}

fn new(h: &mut dyn Host, text: Value) -> Result {
    h.reserve(256)?;
    items::place_of(h, Place::Reader, Value::vector(vec![text, Value::int(0)]))
}

/// The reader that is this argument.
pub fn reader(a: &[Value], i: usize) -> Result<CellId> {
    match get(a, i) {
        Value::Place(id) if id.place().reader().is_some() => Ok(*id),
        other => Err(Interrupt::argument(i, "a reader", other).hint(OF_TEXT)),
    }
}

/// A reader of this class around another: both are at the same place of its text.
fn around(h: &mut dyn Host, a: &mut [Value], place: Place) -> Result {
    let id = reader(a, 0)?;
    let text = Value::Place(origin(h, id));
    h.reserve(256)?;
    items::place_of(h, place, text)
}

/// The reader of the text that a reader is around, or the reader itself.
fn origin(h: &mut dyn Host, id: CellId) -> CellId {
    match h.cell_get(id) {
        Value::Place(text) => text,
        _ => id,
    }
}

/// The reader of `with-in-str`.
pub fn input(h: &mut dyn Host, name: &str) -> Result<CellId> {
    match h.cell_get(CellId::INPUT) {
        Value::Place(id) => Ok(id),
        _ => Err(Interrupt::error(ErrorKind::Denied, format!("{name} is not part of PTC-Lisp outside with-in-str"))
            .hint("there is no console: inputs are read as ctx/name")),
    }
}

/// The text of a reader, and the byte that is next.
pub fn open(h: &mut dyn Host, id: CellId) -> Result<(Str, usize)> {
    let id = origin(h, id);
    if let Value::Vector(v) = h.cell_get(id)
        && let (Some(Value::Str(text)), Some(Value::Int(at))) = (v.get(0), v.get(1))
    {
        return Ok((text.clone(), usize::try_from(at.get()).unwrap_or_default()));
    }
    Err(Interrupt::throw("IOException", ErrorKind::Value, "Stream closed")
        .hint("with-open closes its reader at its end: use (doall ...) or (into [] ...) inside"))
}

/// Has the reader come to another place.
pub fn go_to(h: &mut dyn Host, id: CellId, text: &Str, at: usize) {
    let id = origin(h, id);
    h.cell_set(id, Value::vector(vec![Value::Str(text.clone()), Value::int(at as i64)]));
}

/// The next line, without its end.
fn line(h: &mut dyn Host, id: CellId) -> Result<Option<Value>> {
    h.charge(4)?;
    h.reserve(256)?;
    let (text, at) = open(h, id)?;
    let rest = text.as_str().get(at..).unwrap_or_default();
    if rest.is_empty() {
        return Ok(None);
    }
    let end = rest.bytes().position(|b| b == b'\n' || b == b'\r').unwrap_or(rest.len());
    cost::text(h, end)?;
    h.reserve(end as u64)?;
    let (found, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let ending = if after.starts_with("\r\n") { 2 } else { after.len().min(1) };
    let found = Value::str(found);
    go_to(h, id, &text, at + end + ending);
    Ok(Some(found))
}

/// The lines that a reader still has.
#[derive(Clone)]
struct Lines(CellId);

impl Generator for Lines {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        Ok(line(h, self.0)?.map_or(Step::End, Step::Item))
    }
    fn depth(&self) -> u32 {
        1
    }
    fn weight(&self) -> u64 {
        1
    }
}
