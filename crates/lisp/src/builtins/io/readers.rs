//! Java's readers over texts: lines and characters one after another. A reader is a cell that holds the text, the byte that is next
//! and whether it is closed. No reader is of a file.

use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::basic::cons_onto;
use crate::builtins::types::own_methods::own_method;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Step};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Str, Value};

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
        "The reader itself: every reader reads lines.",
        &[("(.readLine (java.io.BufferedReader. (java.io.StringReader. \"a\\nb\")))", "\"a\"")],
        &Body(|_, a| reader(a, 0).map(Value::Place)),
    ),
    Builtin::new(
        "clojure.java.io/reader",
        "x & opts",
        "A reader of a vector of characters, or the reader itself; there are no files.",
        &[
            ("(slurp (clojure.java.io/reader (char-array \"ab\")))", "\"ab\""),
            ("(clojure.java.io/reader \"notes.txt\")", "!there is no I/O"),
        ],
        &Body(|h, a| match get(a, 0) {
            Value::Str(_) => Err(no_files("clojure.java.io/reader").hint(OF_TEXT)),
            Value::Vector(_) => {
                let text = crate::builtins::java::values::string(h, a)?;
                new(h, text)
            }
            _ => reader(a, 0).map(Value::Place),
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
        "What is left of the text of a reader; there are no files.",
        &[
            ("(slurp (java.io.StringReader. \"ab\"))", "\"ab\""),
            ("(slurp \"notes.txt\")", "!slurp is not part of PTC-Lisp"),
        ],
        &Body(|h, a| {
            if let Value::Str(_) = get(a, 0) {
                return Err(no_files("slurp").hint(NO_IO));
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
            let reader = new(h, take(a, 0))?;
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
        ".close",
        "reader",
        "Closes a reader, or calls the method close of a value of the program's own type; a StringWriter stays open.",
        &[
            ("(.close (java.io.StringReader. \"a\"))", "nil"),
            ("(let [r (java.io.StringReader. \"a\")] (.close r) (.readLine r))", "!Stream closed"),
        ],
        &Body(|h, a| {
            if let Value::Builder(_) = get(a, 0) {
                return Ok(Value::Nil);
            }
            if let Some(close) = own_method(h, get(a, 0), "close")? {
                return h.call1(&close, take(a, 0));
            }
            let id = reader(a, 0)?;
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
    let plain = h.cell(Value::Nil)?;
    h.cell_remove(plain);
    let id = plain.with_place(Place::Reader);
    h.cell_set(id, Value::vector(vec![text, Value::int(0)]));
    Ok(Value::Place(id))
}

/// The reader that is this argument.
pub fn reader(a: &[Value], i: usize) -> Result<CellId> {
    match get(a, i) {
        Value::Place(id) if id.place() == Place::Reader => Ok(*id),
        other => Err(Interrupt::argument(i, "a reader", other).hint(OF_TEXT)),
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
