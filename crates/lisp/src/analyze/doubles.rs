//! Which expressions are doubles wherever they are evaluated, as Clojure's compiler sees them: with one among its operands
//! a division is IEEE's, so that `(/ (double total) (count xs))` over nothing is `##NaN` and no error.

use super::ir::{Expr, Node, Var};
use crate::value::Value;

/// Functions that give a double if one of two or more operands is one.
const SPREADING: &[&str] = &["+", "-", "*", "/", "div*", "inc", "dec"];

/// Methods of `Math` that give a double whatever they are given.
const OF_MATH: &[&str] = &[
    "sqrt",
    "cbrt",
    "pow",
    "exp",
    "expm1",
    "log",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "hypot",
    "toRadians",
    "toDegrees",
    "ceil",
    "floor",
    "rint",
    "random",
    "signum",
];

/// Most expressions that are looked at for one answer: chains of divisions must not be walked again and again.
const MOST: u32 = 64;

/// Whether the expression is a double; `locals` are the variables that are.
pub(super) fn is_double(e: &Expr, locals: &[Var]) -> bool {
    within(e, locals, &mut { MOST })
}

fn within(e: &Expr, locals: &[Var], left: &mut u32) -> bool {
    let Some(less) = left.checked_sub(1) else { return false };
    *left = less;
    match &e.node {
        Node::Const(Value::Float(_)) => true,
        Node::Local { var, .. } => locals.contains(var),
        Node::CallBuiltin(b, args) => match b.name() {
            "double" | "float" => true,
            name if SPREADING.contains(&name) => args.iter().any(|a| within(a, locals, left)),
            name => name.strip_prefix("Math/").is_some_and(|m| OF_MATH.contains(&m)),
        },
        _ => false,
    }
}
