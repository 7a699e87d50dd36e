//! Numbers of 8, 16 and 32 bits: here they are integers and doubles like others, and what gives one says which class it has in Clojure.
//! Where `class` or `instance?` is asked of such an expression itself, that is the answer.

use super::ir::{Expr, Node};
use crate::value::{Builtin, Value};

const INTEGER: &[&str] = &[
    "int",
    "unchecked-int",
    "Integer.",
    "Integer/valueOf",
    "Integer/parseInt",
    "Character/getNumericValue",
    "count",
    "compare",
    "hash",
    "alength",
    ".length",
    ".size",
    ".indexOf",
    ".hashCode",
    ".intValue",
];
const SHORT: &[&str] = &["short", "unchecked-short", "Short.", "Short/valueOf", "Short/parseShort"];
const BYTE: &[&str] = &["byte", "unchecked-byte", "Byte.", "Byte/valueOf", "Byte/parseByte"];
const FLOAT: &[&str] = &["float", "unchecked-float", "Float.", "Float/valueOf", "Float/parseFloat", ".floatValue"];

/// The class of what a function gives in Clojure, if it is one of a small number.
fn class_of(function: &str) -> Option<&'static str> {
    let classes = [
        (INTEGER, "java.lang.Integer"),
        (SHORT, "java.lang.Short"),
        (BYTE, "java.lang.Byte"),
        (FLOAT, "java.lang.Float"),
    ];
    classes.into_iter().find(|(names, _)| names.contains(&function)).map(|(_, class)| class)
}

/// What answers in place of `class`, `type` or `instance?` of such an expression; the arguments get the class as another.
pub(super) fn asked(b: &'static Builtin, args: &mut Vec<Expr>) -> &'static Builtin {
    let name = match (b.name, args.len()) {
        ("class" | "type", 1) => "small-class*",
        ("instance?", 2) => "small-instance*",
        _ => return b,
    };
    let Some(Expr { span, node: Node::CallBuiltin(inner, _) }) = args.last() else { return b };
    let (Some(class), Some(answer)) = (class_of(inner.name), crate::builtins::find(name)) else { return b };
    args.push(Expr { span: *span, node: Node::Const(Value::str(class)) });
    answer
}
