//! Where Clojure's compiler makes a number of 64 bits of one of 32 that it knows to be one: in the variables of a loop that
//! began with a number, and of an argument of `max`, `min` or `num`.

use super::analyzer::Analyzer;
use super::ir::{Expr, Node, Var};
use crate::value::Value;

/// Functions that the compiler knows to give an int.
const INTS: &[&str] = &[
    "int",
    "unchecked-int",
    "count",
    "compare",
    "unchecked-add-int",
    "unchecked-subtract-int",
    "unchecked-multiply-int",
    "unchecked-divide-int",
    "unchecked-remainder-int",
    "unchecked-inc-int",
    "unchecked-dec-int",
    "unchecked-negate-int",
];

/// Functions that it knows to give a float.
const FLOATS: &[&str] = &["float", "unchecked-float"];

/// What makes a number of 64 bits of what an expression gives, if the compiler knows that this is one of 32.
fn cast(e: &Expr, locals: &[(Var, &'static str)]) -> Option<&'static str> {
    let b = match &e.node {
        Node::CallBuiltin(b, _) => b,
        Node::Local { var, .. } => return locals.iter().find(|(v, _)| v == var).map(|(_, cast)| *cast),
        _ => return None,
    };
    if INTS.contains(&b.name()) {
        return Some("long");
    }
    FLOATS.contains(&b.name()).then_some("double")
}

/// Functions that give back an argument, and of which the compiler has one for longs.
const GIVING_BACK: &[&str] = &["max", "min", "num"];

impl Analyzer<'_> {
    /// The arguments of a function as the compiler gives them to it.
    pub(super) fn arguments(&mut self, function: &str, args: Vec<Expr>) -> Vec<Expr> {
        if !GIVING_BACK.contains(&function) {
            return args;
        }
        args.into_iter().map(|e| self.widened(e)).collect()
    }

    /// The first value of a variable of a loop, which is a number of 64 bits where it is a primitive one.
    pub(super) fn first_value(&mut self, var: Var, value: Expr) -> Expr {
        if matches!(value.node, Node::Const(Value::Int(_) | Value::Float(_)))
            || cast(&value, &self.scopes.function().small).is_some()
        {
            self.scopes.function().numbers.push(var);
        }
        self.widened(value)
    }

    /// The next value of a variable of a loop.
    pub(super) fn next_value(&mut self, var: Var, value: Expr) -> Expr {
        if self.scopes.function().numbers.contains(&var) { self.widened(value) } else { value }
    }

    /// A variable of `let`, which is one of 32 bits if its value is known to be one.
    pub(super) fn small_variable(&mut self, var: Var, value: &Expr) {
        let small = cast(value, &self.scopes.function().small);
        self.scopes.function().small.extend(small.map(|cast| (var, cast)));
    }

    fn widened(&mut self, value: Expr) -> Expr {
        match cast(&value, &self.scopes.function().small) {
            Some(cast) => self.core_call(value.span, cast, vec![value]),
            None => value,
        }
    }
}
