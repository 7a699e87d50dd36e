//! Functions: parameters, bodies, pre and post conditions, `#()`, `letfn`.

use super::analyzer::{Analysed, Analyzer};
use super::fn_forms::{FnForms, fn_forms, strip_meta};
use super::forms::misuse;
use super::hints::{parameters, result};
use super::ir::{Arity, Expr, FnExpr, Group, Hint, Node, Var};
use super::scope::{Captures, Target, shared};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::span::Span;
use std::sync::Arc;

impl Analyzer<'_> {
    /// `(fn name? ...)`
    pub(super) fn function(&mut self, span: Span, forms: &[Form]) -> Analysed {
        let f = fn_forms(span, forms, false)?;
        let name = f.name.map(|n| shared(&n.name));
        self.function_of(span, &f, name, f.name)
    }

    /// A function whose own name is `self_name`, if it has one, shown as `shown`.
    pub(super) fn function_of(
        &mut self,
        span: Span,
        f: &FnForms<'_>,
        shown: Option<Arc<str>>,
        self_name: Option<&Name>,
    ) -> Analysed {
        let (function, captures) = self.arities(span, f, shown, Captures::default(), &|a| {
            if let Some(n) = self_name {
                a.scopes.bind_self(n);
            }
        })?;
        let function = FnExpr { captures: captures.into_exprs(), ..function };
        Ok(Expr { span, node: Node::Fn(Box::new(function)) })
    }

    fn arities(
        &mut self,
        span: Span,
        f: &FnForms<'_>,
        name: Option<Arc<str>>,
        mut captures: Captures,
        bind: &dyn Fn(&mut Self),
    ) -> Result<(FnExpr, Captures), Error> {
        let mut arities: Vec<Arity> = Vec::with_capacity(f.arities.len());
        for ((params, at, body), list) in f.arities.iter().zip(&f.lists) {
            let hints = parameters(params)?;
            let given = result(list, f.hint)?;
            self.scopes.enter_with(captures);
            bind(self);
            let arity = self.arity(*at, params, &hints, body, given);
            captures = self.scopes.leave();
            let arity = arity?;
            let clash =
                |a: &Arity| if arity.rest && a.rest { true } else { !a.rest && !arity.rest && a.fixed == arity.fixed };
            if arities.iter().any(clash) {
                return Err(Error::new(ErrorKind::Parse, "two bodies of this function take the same arguments").at(*at));
            }
            arities.push(arity);
        }
        let params = params_text(f, span);
        Ok((FnExpr { name, doc: f.doc.clone(), params, arities, captures: Vec::new() }, captures))
    }

    fn arity(
        &mut self,
        span: Span,
        params: &[Form],
        hints: &[Option<Hint>],
        body: &[Form],
        given: Option<Hint>,
    ) -> Result<Arity, Error> {
        let mut patterns: Vec<(Var, &Form)> = Vec::new();
        let mut names: Vec<(Var, &Name, Span)> = Vec::new();
        let (mut fixed, mut rest, mut at) = (0u32, false, params);
        while let Some((p, more)) = at.split_first() {
            let mut p = strip_meta(p);
            at = more;
            if p.as_plain() == Some("&") {
                let [r] = more else {
                    return Err(Error::new(ErrorKind::Parse, "& is followed by one name or pattern").at(p.span));
                };
                p = strip_meta(r);
                rest = true;
                at = &[];
            } else {
                fixed += 1;
            }
            let var = self.scopes.fresh();
            match &p.kind {
                Kind::Symbol(n) => names.push((var, n, p.span)),
                _ => patterns.push((var, p)),
            }
        }
        if fixed > 60_000 {
            return Err(Error::new(ErrorKind::Parse, "a function takes at most 60000 parameters").at(span));
        }
        let mut bindings = Vec::new();
        for (var, n, at) in names {
            // The variables of `recur` are those of the parameters, so what it gives them is converted too.
            let hint = hints.get(var as usize).copied().flatten();
            let Some(hint) = hint else {
                self.bind_name(n, var, at)?;
                continue;
            };
            let taken = Expr { span: at, node: Node::Local { var, last: false } };
            let own = self.scopes.fresh();
            bindings.push((own, self.core_call(at, hint.taken(), vec![taken])));
            if hint == Hint::Double {
                self.scopes.function().doubles.push(own);
            }
            self.bind_name(n, own, at)?;
        }
        for (var, p) in &patterns {
            self.bind_parts(p, *var, &mut bindings)?;
        }
        let all: Vec<Var> = (0..fixed + u32::from(rest)).collect();
        self.scopes.function().target = Some(Target::Vars(all, true));
        let body_span = body.first().zip(body.last()).map_or(span, |(f, l)| f.span.to(l.span));
        let conditioned = self.with_conditions(body, body_span);
        let tail = std::mem::replace(&mut self.tail, true);
        let body = match &conditioned {
            Some(forms) => self.body(forms, body_span),
            None => self.body(body, body_span),
        };
        self.tail = tail;
        let body = match given {
            Some(hint) => self.converted(body?, hint)?,
            None => body?,
        };
        let mut body = if bindings.is_empty() {
            body
        } else {
            Expr { span: body.span, node: Node::Let(bindings, Box::new(body)) }
        };
        self.mark(&mut body);
        Ok(Arity { fixed, rest, body, vars: self.scopes.function().vars })
    }

    /// `{:pre [...] :post [...]}` before a body becomes assertions (trap 31).
    fn with_conditions(&mut self, body: &[Form], span: Span) -> Option<Vec<Form>> {
        let (Form { kind: Kind::Map(m), .. }, rest) = body.split_first()? else { return None };
        if rest.is_empty() {
            return None;
        }
        let tests = |key: &str| {
            let v = m.iter().find(|(k, _)| k.is_keyword(key)).map(|(_, v)| &v.kind);
            if let Some(Kind::Vector(tests)) = v { tests.clone() } else { Vec::new() }
        };
        let asserts =
            |tests: Vec<Form>| tests.into_iter().map(|t| Form::call(t.span, "assert", vec![t])).collect::<Vec<_>>();
        let (pre, post) = (asserts(tests("pre")), asserts(tests("post")));
        if pre.is_empty() && post.is_empty() {
            return None;
        }
        let mut forms = pre;
        if post.is_empty() {
            forms.extend_from_slice(rest);
        } else {
            let result = Form::symbol(span, Name::plain("%"));
            let value = Form::call(span, "do", rest.to_vec());
            let mut inner = vec![Form::vector(span, vec![result.clone(), value])];
            inner.extend(post);
            inner.push(result);
            forms.push(Form::call(span, "let", inner));
        }
        Some(forms)
    }

    /// `#(...)`: its parameters are the highest `%` (trap 26).
    pub(super) fn lambda(&mut self, items: &[Form], span: Span) -> Analysed {
        let mut highest = 0u32;
        let mut rest = false;
        let mut work: Vec<&Form> = items.iter().collect();
        while let Some(f) = work.pop() {
            match &f.kind {
                Kind::Symbol(n) if n.ns.is_none() && n.name.starts_with('%') => match &n.name[1..] {
                    "" => highest = highest.max(1),
                    "&" => rest = true,
                    digits => match digits.parse::<u32>() {
                        Ok(i) if (1..=20).contains(&i) => highest = highest.max(i),
                        _ => {
                            return Err(Error::new(ErrorKind::Parse, format!("{} is no parameter of #()", n.name))
                                .at(f.span)
                                .hint("use % or %1 to %20, or %& for the rest"));
                        }
                    },
                },
                Kind::List(v) | Kind::Vector(v) | Kind::Set(v) | Kind::Lambda(v) => work.extend(v),
                Kind::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v])),
                Kind::Quote(f) | Kind::Deref(f) | Kind::Var(f) => work.push(f),
                Kind::SyntaxQuote(f) | Kind::Unquote(f) | Kind::UnquoteSplicing(f) => work.push(f),
                Kind::Meta(m, f) => work.extend([&**m, &**f]),
                _ => {}
            }
        }
        let name = |n: &str| Form::symbol(span, Name::plain(n));
        let mut params: Vec<Form> = (1..=highest).map(|i| name(&format!("%{i}"))).collect();
        if rest {
            params.extend([name("&"), name("%&")]);
        }
        let forms = [Form::vector(span, params), Form::list(span, items.to_vec())];
        let f = fn_forms(span, &forms, false)?;
        // `%` is `%1` by another name: the first parameter, variable 0.
        let (function, captures) = self.arities(span, &f, None, Captures::default(), &|a| {
            if highest > 0 {
                a.scopes.bind(&Name::plain("%"), 0);
            }
        })?;
        let function = FnExpr { captures: captures.into_exprs(), ..function };
        Ok(Expr { span, node: Node::Fn(Box::new(function)) })
    }

    /// `(defmethod name dispatch-value [params] body...)`
    pub(super) fn defmethod(&mut self, span: Span, args: &[Form]) -> Analysed {
        let [multi, dispatch, tail @ ..] = args else { return Err(misuse(span, "defmethod")) };
        let Kind::Symbol(name) = &multi.kind else { return Err(misuse(span, "defmethod")) };
        if tail.is_empty() {
            return Err(misuse(span, "defmethod"));
        }
        let f = fn_forms(span, tail, false)?;
        self.outside_tail(|a| {
            let (target, dispatch) = (a.expr(multi)?, a.expr(dispatch)?);
            // Shown under the name of the multimethod, which is no name of its own: what is called by it is that one.
            let shown = f.name.unwrap_or(name);
            let method = a.function_of(span, &f, Some(shared(&shown.name)), f.name)?;
            Ok(a.core_call(span, "defmethod*", vec![target, dispatch, method]))
        })
    }

    /// `(letfn [(name [params] body...) ...] body...)`
    pub(super) fn letfn(&mut self, span: Span, args: &[Form]) -> Analysed {
        let usage = || misuse(span, "letfn");
        let Some((Form { kind: Kind::Vector(specs), .. }, body)) = args.split_first() else { return Err(usage()) };
        let mut forms = Vec::with_capacity(specs.len());
        for spec in specs {
            let Kind::List(items) = &spec.kind else { return Err(usage()) };
            let f = fn_forms(spec.span, items, true)?;
            let name = f.name.ok_or_else(usage)?;
            forms.push((spec.span, name, f));
        }
        let names: Vec<Name> = forms.iter().map(|(_, n, _)| (*n).clone()).collect();
        let mut captures = Captures::default();
        let mut functions = Vec::with_capacity(forms.len());
        for (i, (at, name, f)) in forms.iter().enumerate() {
            let (function, c) = self.arities(*at, f, Some(shared(&name.name)), captures, &|a| {
                for (j, n) in names.iter().enumerate() {
                    if i == j {
                        a.scopes.bind_self(n);
                    } else {
                        a.scopes.bind_sibling(n, u32::try_from(j).unwrap_or(u32::MAX));
                    }
                }
            })?;
            captures = c;
            functions.push(function);
        }
        let group = Group { functions, captures: captures.into_exprs() };
        let mark = self.scopes.mark();
        let mut vars = Vec::with_capacity(names.len());
        for n in &names {
            let var = self.scopes.fresh();
            self.bind_name(n, var, span)?;
            vars.push(var);
        }
        let body = self.body(body, span);
        self.scopes.close(mark);
        Ok(Expr { span, node: Node::Letfn(vars, Box::new(group), Box::new(body?)) })
    }
}

fn params_text(f: &FnForms<'_>, _: Span) -> Arc<str> {
    let one = |params: &[Form]| format!("[{}]", params.iter().map(param_text).collect::<Vec<_>>().join(" "));
    match f.arities.as_slice() {
        [(params, _, _)] => Arc::from(one(params)),
        many => {
            let all: Vec<String> = many.iter().map(|(p, _, _)| one(p)).collect();
            Arc::from(format!("({})", all.join(" ")))
        }
    }
}

fn param_text(form: &Form) -> String {
    match &form.kind {
        Kind::Symbol(n) => n.text(),
        Kind::Meta(_, f) => param_text(f),
        Kind::Vector(items) => format!("[{}]", items.iter().map(param_text).collect::<Vec<_>>().join(" ")),
        Kind::Keyword(k) => format!(":{}", k.text()),
        Kind::Map(m) => {
            let inner: Vec<String> = m.iter().map(|(k, v)| format!("{} {}", param_text(k), param_text(v))).collect();
            format!("{{{}}}", inner.join(", "))
        }
        _ => "_".to_string(),
    }
}
