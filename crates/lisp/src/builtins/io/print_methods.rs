//! `print-method` and `print-dup`, which programs give methods for their own types: what prints a value asks them.

use super::bound_print::{Whole, settings};
use super::printers::{method, of_classes};
use super::printing::{bound_text, str_of, text_of};
use crate::builtins::args::get;
use crate::builtins::java::string_builder::add;
use crate::builtins::java::writers::writer_at;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::value::boxed::CellId;
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "print-method",
        "x writer",
        "Writes what pr prints of a value to a writer. A program may give it methods, (defmethod print-method Point [p w] (.write w ...)), for its own types, keywords of the metadata :type and single classes: pr, print, str of collections and their kin ask them; the value of a turn is shown without.",
        &[
            (
                "(do (defrecord P [x]) (defmethod print-method P [p w] (.write w (str \"<\" (:x p) \">\"))) (pr-str [(->P 1)]))",
                "\"[<1>]\"",
            ),
            ("(with-out-str (print-method \"a\" *out*))", "\"\\\"a\\\"\""),
        ],
        &Body(print_method),
    ),
    Builtin::new(
        "print-dup",
        "x writer",
        "Writes what pr prints of a value while *print-dup* is true to a writer. A program may give it methods as print-method.",
        &[
            ("(with-out-str (print-dup \"a\" *out*))", "\"\\\"a\\\"\""),
            ("(binding [*print-dup* true] (pr-str {:a 1}))", "\"#=(clojure.lang.PersistentArrayMap/create {:a 1})\""),
        ],
        &Body(print_dup),
    ),
    Builtin::new(
        "print-simple",
        "o w",
        "Writes what str gives of a value to a writer.",
        &[("(with-out-str (print-simple \"a\" *out*))", "\"a\"")],
        &Body(|h, a| {
            let (to, text) = (writer_at(a, 1)?, str_of(h, get(a, 0))?);
            add(h, to, text).map(|()| Value::Nil)
        }),
    ),
    Builtin::new(
        "print-as-is*",
        "x writer",
        "The method that print-method has of its own for most values.",
        &[("(with-out-str ((get-method print-method String) \"a\" *out*))", "\"\\\"a\\\"\"")],
        &Body(|h, a| write(h, a, Whole::AsIs)),
    ),
    Builtin::new(
        "print-as-map*",
        "x writer",
        "The method that print-method has of its own for maps.",
        &[(
            "(do (defrecord P [x]) (with-out-str ((get-method print-method clojure.lang.IPersistentMap) (->P 1) *out*)))",
            "\"{:x 1}\"",
        )],
        &Body(|h, a| write(h, a, Whole::AsMap)),
    ),
];

fn most(h: &dyn Host) -> usize {
    usize::try_from(h.limits().memory_bytes).unwrap_or(usize::MAX)
}

fn print_method(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let to = writer_at(a, 1)?;
    if h.has_printers()
        && let Some(any) = of_classes(h, CellId::PRINTERS)?
        && let Some(method) = method(h, CellId::PRINTERS, any, get(a, 0))?
    {
        return h.call(&method, a);
    }
    let most = most(h);
    let text = text_of(h, get(a, 0), true, most)?;
    add(h, to, text).map(|()| Value::Nil)
}

fn print_dup(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let to = writer_at(a, 1)?;
    if h.has_printers()
        && let Some(any) = of_classes(h, CellId::DUPLICATORS)?
        && let Some(method) = method(h, CellId::DUPLICATORS, any, get(a, 0))?
    {
        return h.call(&method, a);
    }
    let mut bound = settings(h);
    bound.as_dup();
    let most = most(h);
    let text = bound_text(h, get(a, 0), true, most, bound)?;
    add(h, to, text).map(|()| Value::Nil)
}

fn write(h: &mut dyn Host, a: &mut [Value], whole: Whole) -> Result {
    let to = writer_at(a, 1)?;
    let mut bound = settings(h);
    bound.whole = whole;
    let most = most(h);
    let text = bound_text(h, get(a, 0), true, most, bound)?;
    add(h, to, text).map(|()| Value::Nil)
}
