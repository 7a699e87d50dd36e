//! Destructuring: patterns of binding places taken apart into variables.

use super::analyzer::Analyzer;
use super::doubles::is_double;
use super::fn_forms::strip_meta;
use super::hints::hint;
use super::ir::{Expr, Node, Var};
use crate::bytecode::OF_SEQ;
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::value::{Keyword, Symbol, Value};

type Bindings = Vec<(Var, Expr)>;

impl Analyzer<'_> {
    /// Binds what `pattern` names to parts of `value`, adding to `out` in order of evaluation.
    pub(super) fn bind_pattern(&mut self, pattern: &Form, value: Expr, out: &mut Bindings) -> Result<(), Error> {
        match &pattern.kind {
            Kind::Symbol(name) => {
                let var = self.scopes.fresh();
                if is_double(&value, &self.scopes.function().doubles) {
                    self.scopes.function().doubles.push(var);
                }
                self.small_variable(var, &value);
                out.push((var, value));
                self.bind_name(name, var, pattern.span)
            }
            Kind::Meta(_, inner) => {
                let hint = hint(pattern).filter(|_| strip_meta(inner).as_plain().is_some());
                self.bind_pattern(inner, value, out)?;
                if let (Some(hint), Some((var, _))) = (hint, out.last()) {
                    self.scopes.function().hints.push((*var, hint));
                }
                Ok(())
            }
            Kind::Vector(_) | Kind::Map(_) => {
                let var = self.scopes.fresh();
                out.push((var, value));
                self.bind_parts(pattern, var, out)
            }
            _ => Err(bad(pattern.span, "a name, a vector pattern or a map pattern is expected here")),
        }
    }

    /// Binds a plain name to a variable.
    pub(super) fn bind_name(&mut self, name: &Name, var: Var, span: Span) -> Result<(), Error> {
        if name.ns.as_deref().is_some_and(|ns| ns != "\u{1}") {
            let e = bad(span, &format!("cannot bind the qualified name {}", name.text()));
            return Err(e.hint(format!("bind a name without a slash; in a template, {}#", name.name)));
        }
        self.scopes.bind(name, var);
        Ok(())
    }

    /// Takes the value of `var` apart.
    pub(super) fn bind_parts(&mut self, pattern: &Form, var: Var, out: &mut Bindings) -> Result<(), Error> {
        match &pattern.kind {
            Kind::Meta(_, inner) => self.bind_parts(inner, var, out),
            Kind::Vector(items) => self.bind_sequential(pattern.span, items, var, out),
            Kind::Map(entries) => self.bind_map(pattern.span, entries, var, out),
            _ => Err(bad(pattern.span, "a vector or map pattern is expected here")),
        }
    }

    fn bind_sequential(&mut self, span: Span, items: &[Form], var: Var, out: &mut Bindings) -> Result<(), Error> {
        let (mut index, mut at) = (0u32, items);
        let of_seq = if items.iter().any(|i| i.as_plain() == Some("&")) { OF_SEQ } else { 0 };
        loop {
            match at {
                [] => return Ok(()),
                [amp, rest, more @ ..] if amp.as_plain() == Some("&") => {
                    let value = local(span, var);
                    let value = Expr { span, node: Node::Rest(Box::new(value), index) };
                    self.bind_pattern(rest, value, out)?;
                    at = more;
                }
                [key, name, more @ ..] if key.is_keyword("as") => {
                    let Kind::Symbol(name_) = &name.kind else { return Err(bad(name.span, ":as takes a name")) };
                    self.bind_name(name_, var, name.span)?;
                    at = more;
                }
                [item, more @ ..] => {
                    if item.as_plain() == Some("&") || matches!(item.kind, Kind::Keyword(_)) {
                        return Err(bad(item.span, "a name is missing after this"));
                    }
                    let value = Expr { span: item.span, node: Node::Nth(Box::new(local(span, var)), index | of_seq) };
                    self.bind_pattern(item, value, out)?;
                    index += 1;
                    at = more;
                }
            }
        }
    }

    fn bind_map(&mut self, span: Span, entries: &[(Form, Form)], var: Var, out: &mut Bindings) -> Result<(), Error> {
        let map = self.scopes.fresh();
        out.push((map, Expr { span, node: Node::Keyed(Box::new(local(span, var))) }));
        let mut defaults: &[(Form, Form)] = &[];
        for (k, v) in entries {
            if k.is_keyword("or") {
                let Kind::Map(d) = &v.kind else { return Err(bad(v.span, ":or takes a map from names to defaults")) };
                defaults = d;
            }
            if k.is_keyword("as") {
                let Kind::Symbol(n) = &v.kind else { return Err(bad(v.span, ":as takes a name")) };
                self.bind_name(n, map, v.span)?;
            }
        }
        for (k, v) in entries {
            match &k.kind {
                Kind::Keyword(key) if matches!(&*key.name, "keys" | "strs" | "syms") => {
                    let Kind::Vector(names) = &v.kind else {
                        return Err(bad(v.span, &format!(":{} takes a vector of names", key.text())));
                    };
                    for n in names {
                        self.bind_key(n, key, map, defaults, out)?;
                    }
                }
                Kind::Keyword(key) if key.ns.is_none() && matches!(&*key.name, "or" | "as") => {}
                Kind::Keyword(key) => {
                    return Err(bad(k.span, &format!("unknown part :{} of a map pattern", key.text()))
                        .hint(":keys :strs :syms :or :as, or a name or pattern followed by its key"));
                }
                _ => {
                    let key = self.expr(v)?;
                    let wanted = k.as_symbol().and_then(|n| default_of(defaults, &n.name));
                    let value = self.value_at(k.span, map, key, wanted)?;
                    self.bind_pattern(k, value, out)?;
                }
            }
        }
        Ok(())
    }

    /// One name of `:keys`, `:strs` or `:syms`.
    fn bind_key(
        &mut self,
        form: &Form,
        kind: &Name,
        map: Var,
        defaults: &[(Form, Form)],
        out: &mut Bindings,
    ) -> Result<(), Error> {
        let name = match &form.kind {
            Kind::Symbol(n) | Kind::Keyword(n) => n,
            Kind::Meta(_, f) => return self.bind_key(f, kind, map, defaults, out),
            _ => return Err(bad(form.span, "a name is expected here")),
        };
        let ns = name.ns.as_deref().or(kind.ns.as_deref());
        let key = match &*kind.name {
            "keys" => Value::Keyword(Keyword::new(ns, &name.name)),
            "strs" => Value::str(&*name.name),
            _ => Value::Symbol(Symbol::new(ns, &name.name)),
        };
        key.mark_constant();
        let key = Expr { span: form.span, node: Node::Const(key) };
        let value = self.value_at(form.span, map, key, default_of(defaults, &name.name))?;
        let var = self.scopes.fresh();
        out.push((var, value));
        self.bind_name(&Name::plain(&name.name), var, form.span)
    }

    /// The value at `key`. As in Clojure, a default is evaluated whether the key is there or not: where nobody can tell, as
    /// of constants, only when it is absent.
    fn value_at(&mut self, span: Span, map: Var, key: Expr, default: Option<&Form>) -> Result<Expr, Error> {
        let Some(default) = default else { return Ok(self.lookup(span, local(span, map), key)) };
        let default = self.expr(default)?;
        let again = match &key.node {
            Node::Const(v) => Expr { span: key.span, node: Node::Const(v.clone()) },
            // A computed key is computed once.
            _ => {
                let var = self.scopes.fresh();
                let mut ahead = vec![(var, key)];
                let default = self.evaluated(default, &mut ahead);
                let get = self.choose(span, map, local(span, var), local(span, var), default);
                return Ok(Expr { span, node: Node::Let(ahead, Box::new(get)) });
            }
        };
        let mut ahead = Vec::new();
        let default = self.evaluated(default, &mut ahead);
        let get = self.choose(span, map, key, again, default);
        Ok(if ahead.is_empty() { get } else { Expr { span, node: Node::Let(ahead, Box::new(get)) } })
    }

    /// What stands for a default behind what is evaluated ahead of the lookup.
    fn evaluated(&mut self, default: Expr, ahead: &mut Bindings) -> Expr {
        if is_unseen(&default) {
            return default;
        }
        let (span, var) = (default.span, self.scopes.fresh());
        ahead.push((var, default));
        local(span, var)
    }

    fn choose(&self, span: Span, map: Var, key: Expr, again: Expr, default: Expr) -> Expr {
        let has = self.core_call(span, "has-key*", vec![local(span, map), key]);
        let get = self.lookup(span, local(span, map), again);
        Expr { span, node: Node::If(Box::new([has, get, default])) }
    }
}

/// Whether nobody can tell that this has been evaluated: it calls nothing.
fn is_unseen(e: &Expr) -> bool {
    match &e.node {
        Node::Const(_)
        | Node::Local { .. }
        | Node::Capture(_)
        | Node::SelfFn
        | Node::LetfnRef(_)
        | Node::Global(_)
        | Node::LastResult(_)
        | Node::Fn(_) => true,
        Node::Vector(items) | Node::Set(items) => items.iter().all(is_unseen),
        Node::Map(entries) => entries.iter().all(|(k, v)| is_unseen(k) && is_unseen(v)),
        _ => false,
    }
}

pub(super) fn local(span: Span, var: Var) -> Expr {
    Expr { span, node: Node::Local { var, last: false } }
}

fn default_of<'a>(defaults: &'a [(Form, Form)], name: &str) -> Option<&'a Form> {
    defaults.iter().find(|(k, _)| k.as_symbol().is_some_and(|n| &*n.name == name)).map(|(_, v)| v)
}

#[cold]
fn bad(span: Span, message: &str) -> Error {
    Error::new(ErrorKind::Parse, message).at(span)
}
