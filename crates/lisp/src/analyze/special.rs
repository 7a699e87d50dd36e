//! Special forms: what cannot be a function, because it decides what is evaluated, when, and under which names.

use super::analyzer::{Analysed, Analyzer};
use super::fn_forms::{FnForms, fn_forms, named_symbol, strip_meta};
use super::forms::{self, FormRow, Special, misuse};
use super::hints::hint;
use super::ir::{Def, Expr, Node, Try};
use super::scope::{CELL, Target, shared};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use crate::value::Value;
use crate::value::facts::Facts;

impl Analyzer<'_> {
    /// A special form; `word` is its name.
    pub(super) fn special(&mut self, form: Special, word: &str, span: Span, head: &Form, args: &[Form]) -> Analysed {
        match form {
            Special::Def | Special::Defonce => self.def(span, args, matches!(form, Special::Defonce)),
            Special::Defn => self.defn(span, args, word == "defn-"),
            Special::Defmacro => self.defmacro(span, args),
            Special::Declare => self.declare(span, args),
            Special::Defmethod => self.defmethod(span, args),
            Special::Fn => self.function(span, args),
            Special::Let => self.let_form(span, args),
            Special::Letfn => self.letfn(span, args),
            Special::Loop => self.loop_form(span, args),
            Special::Recur => self.recur(span, args),
            Special::If => self.if_form(span, args),
            Special::Cond => self.cond(span, args),
            Special::Case => self.case(span, args),
            Special::Do => self.several(args, span),
            Special::And => self.logic(span, args, Value::Bool(true), Node::And),
            Special::Or => self.logic(span, args, Value::Nil, Node::Or),
            Special::Quote => match args {
                [x] => Ok(Expr { span, node: Node::Const(self.datum(x)?) }),
                _ => Err(misuse(span, "quote")),
            },
            Special::Var => match args {
                [Form { kind: Kind::Symbol(_), .. }] => {
                    let form = Form::new(span, Kind::Var(Box::new(args[0].clone())));
                    self.expr(&form)
                }
                _ => Err(misuse(span, "var")),
            },
            Special::Try => self.try_form(span, args),
            Special::Throw => match args {
                [x] => {
                    let x = self.operand(x)?;
                    Ok(Expr { span, node: Node::Throw(Box::new(x)) })
                }
                _ => Err(misuse(span, "throw")),
            },
            Special::Clause => {
                Err(Error::new(ErrorKind::Parse, format!("{word} is allowed only directly inside (try ...)"))
                    .at(head.span))
            }
            Special::Namespace => self.require(word, span, args),
            Special::WithOutStr => {
                let mut items = vec![Form::vector(span, Vec::new())];
                items.extend_from_slice(args);
                let f = self.outside_tail(|a| a.function(span, &items))?;
                Ok(Expr { span, node: Node::OutStr(Box::new(f)) })
            }
        }
    }

    fn logic(&mut self, span: Span, args: &[Form], empty: Value, make: fn(Vec<Expr>) -> Node) -> Analysed {
        match args {
            [] => Ok(Expr { span, node: Node::Const(empty) }),
            [one] => self.expr(one),
            _ => Ok(Expr { span, node: make(self.not_tail(args)?) }),
        }
    }

    fn if_form(&mut self, span: Span, args: &[Form]) -> Analysed {
        let (test, then, other) = match args {
            [test, then] => (test, then, None),
            [test, then, other] => (test, then, Some(other)),
            _ => return Err(misuse(span, "if")),
        };
        let test = self.operand(test)?;
        let then = self.expr(then)?;
        let other = match other {
            Some(o) => self.expr(o)?,
            None => Expr { span, node: Node::Const(Value::Nil) },
        };
        Ok(Expr { span, node: Node::If(Box::new([test, then, other])) })
    }

    fn cond(&mut self, span: Span, args: &[Form]) -> Analysed {
        let mut pairs = Vec::with_capacity(args.len() / 2);
        let mut at = args;
        loop {
            match at {
                [] => break,
                [test, then, rest @ ..] => {
                    // `:else` and other constants end the search.
                    if let Kind::Keyword(_) | Kind::Bool(true) = &test.kind {
                        let then = self.expr(then)?;
                        return Ok(Expr { span, node: Node::Cond(pairs, Box::new(then)) });
                    }
                    let test = self.operand(test)?;
                    pairs.push((test, self.expr(then)?));
                    at = rest;
                }
                [last] => {
                    return Err(Error::new(
                        ErrorKind::Parse,
                        "cond takes tests and results in pairs; this one has no result",
                    )
                    .at(last.span)
                    .hint("write :else before the default"));
                }
            }
        }
        let none = Expr { span, node: Node::Const(Value::Nil) };
        Ok(Expr { span, node: Node::Cond(pairs, Box::new(none)) })
    }

    fn bindings<'f>(&self, span: Span, args: &'f [Form], form: &str) -> Result<(&'f [Form], &'f [Form]), Error> {
        let Some((Form { kind: Kind::Vector(bindings), span: at, .. }, body)) = args.split_first() else {
            return Err(misuse(span, form));
        };
        if bindings.len() % 2 != 0 {
            return Err(Error::new(ErrorKind::Parse, "bindings come in pairs: a name or pattern, and its value")
                .at(bindings.last().map_or(*at, |b| b.span))
                .hint(match bindings.len() {
                    1 => "there is one form in this vector".to_string(),
                    n => format!("there are {n} forms in this vector"),
                }));
        }
        Ok((bindings, body))
    }

    fn let_form(&mut self, span: Span, args: &[Form]) -> Analysed {
        let (bindings, body) = self.bindings(span, args, "let")?;
        let mark = self.scopes.mark();
        let mut out = Vec::with_capacity(bindings.len() / 2);
        for pair in bindings.chunks(2) {
            if let [pattern, value] = pair {
                let value = self.operand(value)?;
                if let Kind::Meta(mark, name) = &pattern.kind
                    && mark.is_keyword(CELL)
                    && let Kind::Symbol(name) = &name.kind
                {
                    let var = self.scopes.fresh();
                    out.push((var, value));
                    self.scopes.bind_cell(name, var);
                    continue;
                }
                self.outside_tail(|a| a.bind_pattern(pattern, value, &mut out))?;
            }
        }
        let body = self.body(body, span);
        self.scopes.close(mark);
        let body = body?;
        if out.is_empty() {
            return Ok(body);
        }
        Ok(Expr { span, node: Node::Let(out, Box::new(body)) })
    }

    fn loop_form(&mut self, span: Span, args: &[Form]) -> Analysed {
        let (bindings, body) = self.bindings(span, args, "loop")?;
        let mark = self.scopes.mark();
        let mut vars = Vec::new();
        let mut first = Vec::new();
        let mut inner = Vec::new();
        // Patterns are taken apart anew in every round; the plain names are what `recur` binds.
        let mut patterns = Vec::new();
        for pair in bindings.chunks(2) {
            let [pattern, value] = pair else { continue };
            let value = self.operand(value)?;
            let var = self.scopes.fresh();
            if let Some(hint) = hint(pattern) {
                self.scopes.function().hints.push((var, hint));
            }
            let pattern = strip_meta(pattern);
            let value = self.first_value(var, value);
            first.push((var, value));
            vars.push(var);
            match &pattern.kind {
                Kind::Symbol(n) => self.bind_name(n, var, pattern.span)?,
                _ => {
                    // Later first values may use the parts of earlier ones.
                    let mut parts = Vec::new();
                    self.outside_tail(|a| a.bind_parts(pattern, var, &mut parts))?;
                    first.extend(parts);
                    patterns.push((pattern, var));
                }
            }
        }
        for (pattern, var) in patterns {
            self.outside_tail(|a| a.bind_parts(pattern, var, &mut inner))?;
        }
        let outer = self.scopes.function().target.replace(Target::Vars(vars.clone(), false));
        let tail = std::mem::replace(&mut self.tail, true);
        let body = self.body(body, span);
        self.tail = tail;
        self.scopes.function().target = outer;
        self.scopes.close(mark);
        let mut body = body?;
        if !inner.is_empty() {
            body = Expr { span: body.span, node: Node::Let(inner, Box::new(body)) };
        }
        // Parts that first values used are bound around the loop; its own variables are those of `recur`.
        let (own, around): (Vec<_>, Vec<_>) = first.into_iter().partition(|(v, _)| vars.contains(v));
        if around.is_empty() {
            return Ok(Expr { span, node: Node::Loop(own, Box::new(body)) });
        }
        // In order: everything is bound by a let first, then the loop starts from those variables.
        let mut all: Vec<(super::ir::Var, Expr)> = own.into_iter().chain(around).collect();
        all.sort_by_key(|(v, _)| *v);
        let starts = vars.iter().map(|v| (*v, Expr { span, node: Node::Local { var: *v, last: false } })).collect();
        let inner = Expr { span, node: Node::Loop(starts, Box::new(body)) };
        Ok(Expr { span, node: Node::Let(all, Box::new(inner)) })
    }

    fn recur(&mut self, span: Span, args: &[Form]) -> Analysed {
        let target = if self.tail { self.scopes.function().target.clone() } else { None };
        let (vars, function) = match target {
            Some(Target::Vars(vars, function)) => (vars, function),
            Some(Target::Try) => {
                return Err(Error::new(ErrorKind::Parse, "recur cannot leave a try")
                    .at(span)
                    .hint("put the try inside a function that the loop calls"));
            }
            _ => {
                return Err(Error::new(ErrorKind::Parse, "recur is not in tail position").at(span).hint(
                    "recur must be the last thing a loop or fn does; to use its value, call the function by name",
                ));
            }
        };
        if vars.len() != args.len() {
            let what = if function { "function" } else { "loop" };
            return Err(Error::new(
                ErrorKind::Arity,
                format!("recur takes {} arguments here, as the {what} has; got {}", vars.len(), args.len()),
            )
            .at(span));
        }
        let mut args = self.operands(args)?;
        if !function {
            args = vars.iter().zip(args).map(|(var, value)| self.next_value(*var, value)).collect();
        }
        Ok(Expr { span, node: Node::Recur { vars, args, function } })
    }

    fn try_form(&mut self, span: Span, args: &[Form]) -> Analysed {
        let word = |f: &Form| match &f.kind {
            Kind::List(items) => items.first().and_then(|h| h.as_plain()).map(str::to_string),
            _ => None,
        };
        let is_clause = |f: &Form| matches!(word(f).as_deref(), Some("catch" | "finally"));
        let split = args.iter().position(is_clause).unwrap_or(args.len());
        let (body, clauses) = args.split_at(split);
        let outer = self.scopes.function().target.take();
        if outer.is_some() && self.tail {
            self.scopes.function().target = Some(Target::Try);
        }
        self.tries += 1;
        let body = self.body(body, span);
        self.tries -= 1;
        let result = body.and_then(|body| self.clauses(span, body, clauses));
        self.scopes.function().target = outer;
        result
    }

    fn clauses(&mut self, span: Span, body: Expr, clauses: &[Form]) -> Analysed {
        let mut catches = Vec::new();
        let mut finally = None;
        for clause in clauses {
            let Kind::List(items) = &clause.kind else {
                return Err(
                    Error::new(ErrorKind::Parse, "only catch and finally may follow a catch in try").at(clause.span)
                );
            };
            match items.as_slice() {
                [head, class, name, handler @ ..] if head.as_plain() == Some("catch") && finally.is_none() => {
                    let usage = || misuse(clause.span, "catch");
                    let class = match &class.kind {
                        Kind::Symbol(n) => {
                            // With its package it may be any of the JVM's: nothing here throws it.
                            if !n.name.contains('.')
                                && crate::builtins::state::exception_classes::class_named(&n.name).is_none()
                            {
                                return Err(no_class(&n.name).at(class.span));
                            }
                            n.name.rsplit('.').next().map(shared).ok_or_else(usage)?
                        }
                        Kind::Keyword(k) if &*k.name == "default" => shared("Throwable"),
                        _ => return Err(usage()),
                    };
                    let name = name.as_symbol().ok_or_else(usage)?;
                    let mark = self.scopes.mark();
                    let var = self.scopes.fresh();
                    self.bind_name(name, var, clause.span)?;
                    let handler = self.body(handler, clause.span);
                    self.scopes.close(mark);
                    catches.push((class, var, handler?));
                }
                [head, cleanup @ ..] if head.as_plain() == Some("finally") && finally.is_none() => {
                    finally = Some(self.outside_tail(|a| a.body(cleanup, clause.span))?);
                }
                [head, ..] if head.as_plain() == Some("catch") => {
                    let mut e = misuse(clause.span, "catch");
                    e.message.push_str(", before finally");
                    return Err(e);
                }
                _ => {
                    return Err(Error::new(ErrorKind::Parse, "only catch and finally may follow a catch in try")
                        .at(clause.span));
                }
            }
        }
        if catches.is_empty() && finally.is_none() {
            return Ok(body);
        }
        Ok(Expr { span, node: Node::Try(Box::new(Try { body, catches, finally })) })
    }

    fn def(&mut self, span: Span, args: &[Form], once: bool) -> Analysed {
        let usage = || misuse(span, "def");
        let (name, rest) = args.split_first().ok_or_else(usage)?;
        let written = name;
        let (name, meta_doc) = named_symbol(name).ok_or_else(usage)?;
        let (doc, value) = match rest {
            [] => (None, None),
            [value] => (None, Some(value)),
            [Form { kind: Kind::Str(doc), .. }, value] => (Some(shared(doc)), Some(value)),
            _ => return Err(usage()),
        };
        let global = self.define(name, span)?;
        let value = match value {
            Some(v) => Some(self.outside_tail(|a| a.def_value(v, name))?),
            None => None,
        };
        let (facts, computed) = self.said(span, written, &[], false, &[], doc.is_some())?.parts();
        let key = self.machine.memory().own_name(&name.name);
        self.defined.mark_private(&key, facts.private);
        let facts = Facts { function: brings_parameters(name, rest.last()), ..facts };
        let shown = match self.memory().space() {
            "user" => self.memory().name_of(global).unwrap_or_else(|| shared(&name.name)),
            _ => shared(&name.name),
        };
        let def = Def { global, name: shown, value, doc: doc.or(meta_doc), once, facts };
        Ok(self.with_computed(span, global, name, Node::Def(Box::new(def)), computed))
    }

    /// The value of a `def`; a function gets the name for reports, not for itself.
    fn def_value(&mut self, form: &Form, name: &Name) -> Analysed {
        if let Kind::List(items) = &form.kind
            && let Some((head, rest)) = items.split_first()
            && head.as_symbol().is_some_and(|n| {
                matches!(n.ns.as_deref(), None | Some("clojure.core")) && matches!(&*n.name, "fn" | "fn*")
            })
            && !self.scopes.is_local(&Name::plain("fn"))
        {
            let f = fn_forms(form.span, rest, false)?;
            let shown = f.name.map_or_else(|| shared(&name.name), |n| shared(&n.name));
            return self.function_of(form.span, &f, Some(shown), f.name);
        }
        self.expr(form)
    }

    fn defn(&mut self, span: Span, args: &[Form], private: bool) -> Analysed {
        let f = FnForms { hint: args.first().and_then(hint), ..fn_forms(span, args, true)? };
        let name = f.name.ok_or_else(|| misuse(span, "defn"))?;
        let global = self.define(name, span)?;
        let shown = shared(&name.name);
        let value = self.outside_tail(|a| a.function_of(span, &f, Some(shown.clone()), None))?;
        let (facts, computed) = self.said_by(span, args, &f, private)?.parts();
        let facts = Facts { function: true, ..facts };
        let def = Def { global, name: shown, value: Some(value), doc: f.doc.clone(), once: false, facts };
        Ok(self.with_computed(span, global, name, Node::Def(Box::new(def)), computed))
    }

    fn declare(&mut self, span: Span, args: &[Form]) -> Analysed {
        let mut all = Vec::with_capacity(args.len());
        for a in args {
            let (name, doc) = named_symbol(a).ok_or_else(|| misuse(span, "declare"))?;
            let global = self.define(name, a.span)?;
            let (facts, computed) = self.said(span, a, &[], false, &[], false)?.parts();
            let facts = Facts { declared: true, ..facts };
            let def = Def { global, name: shared(&name.name), value: None, doc, once: false, facts };
            all.push(self.with_computed(span, global, name, Node::Def(Box::new(def)), computed));
        }
        Ok(match all.pop() {
            None => Expr { span, node: Node::Const(Value::Nil) },
            Some(one) if all.is_empty() => one,
            Some(last) => {
                all.push(last);
                Expr { span, node: Node::Do(all) }
            }
        })
    }

    /// The index of a name that is defined from here on.
    pub(super) fn define(&mut self, name: &Name, span: Span) -> Result<u32, Error> {
        if name.ns.as_deref().is_some_and(|ns| ns != self.own_space()) {
            if let Some(library) = self.memory().libraries.iter().find(|l| name.ns.as_deref() == Some(&***l)) {
                return Err(Error::new(ErrorKind::Denied, format!("{} is of the library {library}", name.text()))
                    .at(span)
                    .hint(format!("what a library has stays as it is; define a name of your own, as {}", name.name)));
            }
            return Err(Error::new(ErrorKind::Parse, format!("cannot define the qualified name {}", name.text()))
                .at(span)
                .hint("define a name without a slash"));
        }
        let word = &*name.name;
        // What Clojure has as macros and functions may mean something else in a program; its special forms may not.
        if forms::find(word).is_some_and(FormRow::is_special)
            && !matches!(word, "use" | "import" | "require" | "refer" | "alias" | "refer-clojure")
        {
            return Err(
                Error::new(ErrorKind::Parse, format!("{word} is a special form and cannot be defined")).at(span)
            );
        }
        let own = self.own_name(word);
        self.memory_mut().defined_again(word);
        self.defined.mark(&own);
        let global = self.global(&own, span)?;
        // Only macros ask what has not run yet.
        if self.has_macros {
            self.defining.push(global);
        }
        Ok(global)
    }
}

/// Whether a definition that is not written with `defn` has the parameters of its function: a function of a protocol, and
/// one that makes records.
fn brings_parameters(name: &Name, value: Option<&Form>) -> bool {
    let of_protocol = value.is_some_and(|v| match &v.kind {
        Kind::List(items) => items.first().and_then(Form::as_symbol).is_some_and(|n| &*n.name == "protocol-method*"),
        _ => false,
    });
    of_protocol || name.name.starts_with("->") || name.name.starts_with("map->")
}

/// A class in `catch` that nothing throws, which Clojure cannot resolve either.
fn no_class(name: &str) -> Error {
    let e = Error::new(ErrorKind::Name, format!("unknown class {} in catch", crate::escape::line(name)));
    match crate::suggest::did_you_mean(name, crate::builtins::state::exception_classes::class_names()) {
        Some(near) => e.hint(format!("did you mean {near}?")),
        None => e.hint("catch Exception, Throwable, or ExceptionInfo for what ex-info made"),
    }
}
