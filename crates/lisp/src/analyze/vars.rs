//! `#'x`: the var of a name.

use super::analyzer::{Analysed, Analyzer};
use super::ir::{Expr, Node};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind};
use crate::span::Span;
use crate::value::{Symbol, Value};

impl Analyzer<'_> {
    /// `#'x`
    pub(super) fn var(&mut self, form: &Form, span: Span) -> Analysed {
        // What `set!` changes may be a field of the type whose method this is.
        if let Kind::Quote(target) = &form.kind {
            if let Kind::Symbol(name) = &target.kind
                && let Some(node) = self.scopes.resolve_cell(name, span)
            {
                return Ok(Expr { span, node });
            }
            if let Kind::Symbol(name) = &target.kind
                && self.scopes.resolve(name, span).is_some()
                && self.not_local(name, span).is_err()
            {
                let words = format!("Cannot assign to non-mutable: {}", name.text());
                return Err(Error::new(ErrorKind::Name, words).at(span).hint(
                    "set! is for dynamic vars inside binding, and for fields of a type with ^:unsynchronized-mutable",
                ));
            }
            return self.var(target, span);
        }
        if let Some(var) = self.find_var(form, span)? {
            return Ok(Expr { span, node: Node::Const(Value::Var(var)) });
        }
        let e = self.expr(form)?;
        if let Node::Const(_) = e.node {
            return Ok(e);
        }
        let name = if let Kind::Symbol(name) = &form.kind { name.text() } else { Default::default() };
        Err(Error::new(ErrorKind::Name, format!("{name} is no var: it is neither defined nor of the language"))
            .at(span))
    }

    /// The var of a name, which must exist; `None` for what is neither defined by a program nor of the language, as an
    /// input of the task. A local of that name hides none.
    pub(super) fn find_var(&mut self, form: &Form, span: Span) -> Result<Option<Symbol>, Error> {
        let Kind::Symbol(name) = &form.kind else {
            return Err(Error::new(ErrorKind::Parse, "#' is followed by a name").at(span));
        };
        self.naming = true;
        let found = self.not_local(name, span);
        self.naming = false;
        let e = match found {
            Err(e) if self.scopes.resolve(name, span).is_none() => return Err(e),
            Err(_) => {
                let words = format!("{} is a local name, not a var", name.text());
                return Err(Error::new(ErrorKind::Name, words).at(span));
            }
            Ok(e) => e,
        };
        Ok(match e.node {
            Node::Global(g) => Some(self.memory().var_of(g, &name.name)),
            Node::CallBuiltin(b, args) if b.name() == "setting*" => match args.first().map(|a| &a.node) {
                Some(Node::Const(Value::Str(setting))) => Some(crate::settings::var(setting.as_str())),
                _ => None,
            },
            Node::CallBuiltin(b, _) if matches!(b.name(), "current-ns*" | "out*") => {
                Some(Symbol::new(Some("clojure.core"), &name.name))
            }
            Node::Const(Value::Builtin(b)) => Some(match b.name().split_once('/') {
                Some((ns, n)) if !ns.is_empty() && !n.is_empty() => Symbol::new(Some(ns), n),
                _ => Symbol::new(Some("clojure.core"), b.name()),
            }),
            _ => None,
        })
    }
}
