//! What programs ask of classes by methods: their names, and what is of them.

use super::class_tree;
use super::classes;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".getClass",
        "x",
        "The class of x.",
        &[("(.getClass \"a\")", "java.lang.String")],
        &Body(|h, a| {
            h.charge(4)?;
            Ok(classes::class(get(a, 0)))
        }),
    ),
    Builtin::new(
        ".getName",
        "class",
        "The name of a class, keyword or symbol, as a string.",
        &[("(.getName (class \"a\"))", "\"java.lang.String\"")],
        &Body(|_, a| match get(a, 0) {
            Value::Keyword(k) => Ok(Value::str(k.name())),
            Value::Symbol(s) => Ok(Value::str(s.name())),
            _ => Ok(Value::str(name(a, 0)?)),
        }),
    ),
    Builtin::new(
        ".getSimpleName",
        "class",
        "The name of a class without its package, as a string.",
        &[("(.getSimpleName (class \"a\"))", "\"String\"")],
        &Body(|_, a| Ok(Value::str(class_tree::simple_name(name(a, 0)?)))),
    ),
];

fn name(a: &[Value], i: usize) -> Result<&str> {
    get(a, i).class_text().ok_or_else(|| Interrupt::argument(i, "a class", get(a, i)))
}
