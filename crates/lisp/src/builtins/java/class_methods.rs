//! What programs ask of classes by methods: their names, and what is of them.

use super::class_tree;
use super::classes;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::isa;
use crate::error::ErrorKind;
use crate::host::{Body, Interrupt, Result};
use crate::value::{Builtin, Map, Value};

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
    Builtin::new(
        ".isInstance",
        "class x",
        "Whether x is of a class.",
        &[("(.isInstance Long 1)", "true")],
        &Body(crate::builtins::predicates::instance),
    ),
    Builtin::new(
        ".isInterface",
        "class",
        "Whether a class is an interface.",
        &[("(.isInterface java.util.List)", "true"), ("(.isInterface Long)", "false")],
        &Body(|_, a| Ok(Value::Bool(class_tree::is_interface(name(a, 0)?)))),
    ),
    Builtin::new(
        ".isArray",
        "class",
        "Whether a class is that of arrays.",
        &[("(.isArray (class (long-array 1)))", "true"), ("(.isArray Long)", "false")],
        &Body(|_, a| Ok(Value::Bool(class_tree::is_array(name(a, 0)?)))),
    ),
    Builtin::new(
        ".isAssignableFrom",
        "class other",
        "Whether another class is this one or below it.",
        &[("(.isAssignableFrom Number Long)", "true"), ("(.isAssignableFrom Long Number)", "false")],
        &Body(|h, a| {
            name(a, 0)?;
            name(a, 1)?;
            let is = isa::isa(h, &Map::new(), get(a, 1), get(a, 0))?;
            Ok(Value::Bool(is))
        }),
    ),
    Builtin::new(
        "Class/forName",
        "name",
        "The class of this full name.",
        &[
            ("(Class/forName \"java.lang.String\")", "java.lang.String"),
            ("(Class/forName \"Nothing\")", "!ClassNotFoundException: Nothing"),
        ],
        &Body(|h, a| {
            h.charge(4)?;
            let name = crate::builtins::args::str(a, 0)?.as_str();
            if class_tree::is_known(name) {
                return Ok(Value::class(name));
            }
            let words = format!("java.lang.ClassNotFoundException: {}", crate::error::cut(name.to_owned(), 100));
            Err(Interrupt::throw("ClassNotFoundException", ErrorKind::Name, words))
        }),
    ),
    Builtin::new(
        "supers",
        "class",
        "The set of the classes above a class, or nil.",
        &[("(contains? (supers Long) Number)", "true"), ("(supers Object)", "nil")],
        &Body(|h, a| {
            if !get(a, 0).is_nil() {
                name(a, 0)?;
            }
            let all = isa::above(h, get(a, 0))?;
            Ok(if all.is_empty() { Value::Nil } else { Value::set(all) })
        }),
    ),
    Builtin::new(
        "bases",
        "class",
        "The classes right above a class: the one it extends, then its interfaces; nil when there are none.",
        &[("(bases Long)", "(java.lang.Number java.lang.Comparable)"), ("(bases Object)", "nil")],
        &Body(|h, a| {
            if !get(a, 0).is_nil() {
                name(a, 0)?;
            }
            let all = isa::parents(h, &Map::new(), get(a, 0))?;
            Ok(if all.is_empty() { Value::Nil } else { Value::seq(all) })
        }),
    ),
];

fn name(a: &[Value], i: usize) -> Result<&str> {
    get(a, i).class_text().ok_or_else(|| Interrupt::argument(i, "a class", get(a, i)))
}
