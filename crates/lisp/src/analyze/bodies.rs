//! Several forms where one value is wanted: bodies, and `do`.

use super::analyzer::{Analysed, Analyzer};
use super::ir::{Expr, Node};
use crate::error::Error;
use crate::form::Form;
use crate::span::Span;
use crate::value::Value;

impl Analyzer<'_> {
    /// The body of a form that binds names or of a function: several forms as one. As in Clojure, a bare `do` at its
    /// beginning means nothing.
    pub(super) fn body(&mut self, forms: &[Form], span: Span) -> Analysed {
        match forms {
            [first, rest @ ..] if first.as_plain() == Some("do") => self.several(rest, span),
            _ => self.several(forms, span),
        }
    }

    /// Several forms as one: `do`.
    pub(super) fn several(&mut self, forms: &[Form], span: Span) -> Analysed {
        match forms {
            [] => Ok(Expr { span, node: Node::Const(Value::Nil) }),
            [one] => self.expr(one),
            _ => Ok(Expr { span, node: Node::Do(self.not_tail(forms)?) }),
        }
    }

    /// Forms of which only the last is in tail position.
    pub(super) fn not_tail(&mut self, forms: &[Form]) -> Result<Vec<Expr>, Error> {
        let Some((last, first)) = forms.split_last() else { return Ok(Vec::new()) };
        let mut out = Vec::with_capacity(forms.len());
        self.outside_tail(|a| {
            first.iter().try_for_each(|f| {
                out.push(a.expr(f)?);
                Ok(())
            })
        })?;
        out.push(self.expr(last)?);
        Ok(out)
    }
}
