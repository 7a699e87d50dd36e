//! What the hints `^long` and `^double` make of operands of arithmetic and of what a function gives.

use super::analyzer::{Analysed, Analyzer};
use super::hints::hint;
use super::ir::{Expr, Hint, Node};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::span::Span;
use crate::value::Value;
use crate::value::node::on_deep_stack;

/// Functions that Clojure's compiler calls with unboxed operands where one has a hint.
const ARITHMETIC: &[&str] = &[
    "+", "-", "*", "/", "<", ">", "<=", ">=", "==", "inc", "dec", "max", "min", "quot", "rem", "zero?", "pos?", "neg?",
];

/// Most parts of `and` and `or` that end in a `recur`, of one function with a hint: they are nested here.
const PARTS: usize = 64;

/// Whether there is a `recur` in it.
fn recurs(e: &Expr) -> bool {
    let mut found = matches!(e.node, Node::Recur { .. });
    on_deep_stack(|| e.node.each_part(&mut |part| found = found || recurs(part)));
    found
}

impl Analyzer<'_> {
    /// The operands of a function of the language as its hints convert them.
    pub(super) fn hinted_operands(&self, head: &Expr, forms: &[Form], operands: Vec<Expr>) -> Vec<Expr> {
        if !self.scopes.has_hints() && !forms.iter().any(|f| matches!(f.kind, Kind::Meta(..))) {
            return operands;
        }
        match &head.node {
            Node::Const(Value::Builtin(b)) if ARITHMETIC.contains(&b.name()) => {}
            _ => return operands,
        }
        let hinted = |(form, e): (&Form, Expr)| {
            let of_name = || match e.node {
                Node::Local { var, .. } => self.scopes.hint_of(var),
                _ => None,
            };
            match hint(form).or_else(of_name) {
                Some(hint) => self.core_call(e.span, hint.taken(), vec![e]),
                None => e,
            }
        };
        forms.iter().zip(operands).map(hinted).collect()
    }

    /// The body of a function with a hint of what it gives: each of its results is converted, where it is not a `recur`.
    pub(super) fn converted(&mut self, body: Expr, hint: Hint) -> Analysed {
        Converter { analyzer: self, hint, parts: PARTS }.results(body)
    }
}

struct Converter<'c, 'a> {
    analyzer: &'c mut Analyzer<'a>,
    hint: Hint,
    /// How many parts of `and` and `or` may still be nested.
    parts: usize,
}

impl Converter<'_, '_> {
    fn results(&mut self, body: Expr) -> Analysed {
        on_deep_stack(|| self.results_here(body))
    }

    fn results_here(&mut self, body: Expr) -> Analysed {
        let span = body.span;
        let node = match body.node {
            Node::Do(mut items) if !items.is_empty() => {
                if let Some(last) = items.pop() {
                    items.push(self.results(last)?);
                }
                Node::Do(items)
            }
            Node::And(items) if items.last().is_some_and(recurs) => return self.nested(span, items, true),
            Node::Or(items) if items.last().is_some_and(recurs) => return self.nested(span, items, false),
            Node::If(parts) => {
                let [test, then, otherwise] = *parts;
                Node::If(Box::new([test, self.results(then)?, self.results(otherwise)?]))
            }
            Node::Cond(pairs, default) => {
                let mut all = Vec::with_capacity(pairs.len());
                for (test, then) in pairs {
                    all.push((test, self.results(then)?));
                }
                Node::Cond(all, Box::new(self.results(*default)?))
            }
            Node::Let(bindings, inner) => Node::Let(bindings, Box::new(self.results(*inner)?)),
            Node::Loop(bindings, inner) => Node::Loop(bindings, Box::new(self.results(*inner)?)),
            Node::Letfn(vars, group, inner) => Node::Letfn(vars, group, Box::new(self.results(*inner)?)),
            Node::Case(mut case) => {
                for (_, e) in &mut case.branches {
                    let branch = std::mem::replace(e, Expr { span, node: Node::Const(Value::Nil) });
                    *e = self.results(branch)?;
                }
                case.default = case.default.take().map(|e| self.results(e)).transpose()?;
                Node::Case(case)
            }
            node @ (Node::Recur { .. } | Node::Throw(_)) => node,
            node @ Node::Const(Value::Int(_)) if self.hint == Hint::Long => node,
            node @ Node::Const(Value::Float(_)) if self.hint == Hint::Double => node,
            node => return Ok(self.analyzer.core_call(span, self.hint.given(), vec![Expr { span, node }])),
        };
        Ok(Expr { span, node })
    }

    /// `and` or `or` with a `recur` at its end, one value after the other.
    fn nested(&mut self, span: Span, items: Vec<Expr>, and: bool) -> Analysed {
        let Some(left) = self.parts.checked_sub(items.len()) else {
            let words = "an `and` or `or` of many parts ends in recur, in a function with a hint of what it gives";
            return Err(Error::new(ErrorKind::Parse, words).at(span).hint("write cond, or leave the hint away"));
        };
        self.parts = left;
        let mut parts = items.into_iter().rev();
        let mut made = match parts.next() {
            Some(last) => self.results(last)?,
            None => Expr { span, node: Node::Const(Value::Nil) },
        };
        for part in parts {
            let (span, var) = (part.span, self.analyzer.scopes.fresh());
            let value = || Expr { span, node: Node::Local { var, last: false } };
            let ends = self.results(value())?;
            let branches = if and { [value(), made, ends] } else { [value(), ends, made] };
            let choice = Expr { span, node: Node::If(Box::new(branches)) };
            made = Expr { span, node: Node::Let(vec![(var, part)], Box::new(choice)) };
        }
        Ok(made)
    }
}
