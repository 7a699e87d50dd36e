//! Dynamic vars of the language that programs bind: how values are printed, and some that say nothing here.

use crate::value::boxed::CellId;
use crate::value::{Symbol, Value};

/// Those that `binding` takes.
pub const SETTINGS: &[&str] = &[
    "*print-length*",
    "*print-level*",
    "*print-meta*",
    "*print-readably*",
    "*print-namespace-maps*",
    "*warn-on-reflection*",
    "*unchecked-math*",
    "*compile-files*",
    "*assert*",
    "*flush-on-newline*",
    "*err*",
    "clojure.pprint/*print-right-margin*",
];

/// The name of a setting, as it is in the table.
pub fn setting(name: &str) -> Option<&'static str> {
    SETTINGS.iter().find(|s| **s == name).copied()
}

/// The var of a setting.
pub fn var(name: &str) -> Symbol {
    let (ns, name) = name.split_once('/').unwrap_or(("clojure.core", name));
    Symbol::new(Some(ns), name)
}

/// What a var of the language is where nothing is bound.
pub fn root(name: &str) -> Option<Value> {
    Some(match name {
        "clojure.pprint/*print-right-margin*" => Value::int(72),
        "*print-length*" | "*print-level*" => Value::Nil,
        "*print-readably*" | "*assert*" | "*flush-on-newline*" => Value::Bool(true),
        "*print-meta*" | "*print-namespace-maps*" => Value::Bool(false),
        "*err*" => Value::Builder(CellId::ERR),
        "*warn-on-reflection*" | "*unchecked-math*" | "*compile-files*" => Value::Bool(false),
        "*clojure-version*" => Value::map([
            (Value::keyword("major"), Value::int(1)),
            (Value::keyword("minor"), Value::int(11)),
            (Value::keyword("incremental"), Value::int(1)),
            (Value::keyword("qualifier"), Value::Nil),
        ]),
        _ => return None,
    })
}
