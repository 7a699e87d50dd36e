//! `case`: a table of constants, or, where equal numbers may be of several forms, one question after the other.

use super::analyzer::{Analysed, Analyzer};
use super::destructure::local;
use super::forms::misuse;
use super::ir::{Case, Expr, Node};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::span::Span;
use crate::value::Value;

impl Analyzer<'_> {
    pub(super) fn case(&mut self, span: Span, args: &[Form]) -> Analysed {
        let Some((subject, clauses)) = args.split_first() else {
            return Err(misuse(span, "case"));
        };
        let subject = self.operand(subject)?;
        let mut branches: Vec<(Vec<Value>, Expr)> = Vec::new();
        let mut seen = crate::value::Set::new();
        let mut default = None;
        let mut at = clauses;
        loop {
            match at {
                [] => break,
                [d] => {
                    default = Some(self.expr(d)?);
                    break;
                }
                [constant, then, rest @ ..] => {
                    let constants = match &constant.kind {
                        Kind::List(items) => items.iter().map(|i| self.datum(i)).collect::<Result<Vec<_>, _>>()?,
                        // Clojure reads 'a as the list (quote a): two constants.
                        Kind::Quote(inner) => {
                            vec![Value::Symbol(crate::value::Symbol::new(None, "quote")), self.datum(inner)?]
                        }
                        _ => vec![self.datum(constant)?],
                    };
                    for c in &constants {
                        if !seen.insert(c.clone()) {
                            let text = crate::print::brief(c);
                            return Err(Error::new(ErrorKind::Parse, format!("case has the constant {text} twice"))
                                .at(constant.span));
                        }
                    }
                    branches.push((constants, self.expr(then)?));
                    at = rest;
                }
            }
        }
        if branches.iter().flat_map(|(constants, _)| constants).any(has_forms) {
            return Ok(self.by_forms(span, subject, branches, default));
        }
        Ok(Expr { span, node: Node::Case(Box::new(Case { subject, branches, default })) })
    }

    /// As Clojure does it, a constant is met by what is equal to it and has its hash in Java: `1.5M` not by `1.50M`.
    fn by_forms(
        &mut self,
        span: Span,
        subject: Expr,
        branches: Vec<(Vec<Value>, Expr)>,
        default: Option<Expr>,
    ) -> Expr {
        let var = self.scopes.fresh();
        let mut pairs = Vec::with_capacity(branches.len());
        for (constants, then) in branches {
            let tests = constants.into_iter().map(|c| {
                let constant = Expr { span, node: Node::Const(c) };
                self.core_call(span, "case=*", vec![local(span, var), constant])
            });
            let mut tests: Vec<Expr> = tests.collect();
            let test = match (tests.pop(), tests.is_empty()) {
                (Some(only), true) => only,
                (Some(last), false) => {
                    tests.push(last);
                    Expr { span, node: Node::Or(tests) }
                }
                (None, _) => continue,
            };
            pairs.push((test, then));
        }
        let none = || Node::Case(Box::new(Case { subject: local(span, var), branches: Vec::new(), default: None }));
        let default = default.unwrap_or_else(|| Expr { span, node: none() });
        let chosen = Expr { span, node: Node::Cond(pairs, Box::new(default)) };
        Expr { span, node: Node::Let(vec![(var, subject)], Box::new(chosen)) }
    }
}

/// Whether a constant has a number in it that is equal to one of another form: a decimal or a zero of doubles.
fn has_forms(v: &Value) -> bool {
    match v {
        Value::Decimal(_) => true,
        Value::Float(f) => *f == 0.0,
        Value::Vector(v) => v.iter().any(has_forms),
        Value::Slice(s) => s.iter().any(has_forms),
        Value::Set(s) => s.iter().any(has_forms),
        Value::Map(m) => m.iter().any(|(k, v)| has_forms(k) || has_forms(v)),
        _ => false,
    }
}
