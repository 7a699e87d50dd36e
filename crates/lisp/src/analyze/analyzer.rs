//! The analyzer: what it knows while it goes through a program, and what it makes of each kind of form.

use super::defined::Defined;
use super::desugar::{Gensym, Misuse};
use super::doubles::is_double;
use super::expansion::{expansion_text, size};
use super::forms::{self, FormKind, FormRow};
use super::ir::{Expr, Node};
use super::machine::Machine;
use super::scope::Scopes;
use super::unit::Unit;
use super::{liveness, unsupported};
use crate::error::{Error, ErrorKind};
use crate::form::{Form, Kind, Name};
use crate::interface::{RunInput, ToolSpec};
use crate::limits::Limits;
use crate::memory::Memory;
use crate::span::Span;
use crate::value::node::{Bytes, live_bytes, on_deep_stack};
use crate::value::{Builtin, Value};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// Expressions nested deeper than this are refused; sugar nests deeper than the source it comes from.
const DEPTH: u32 = 2000;

/// How many levels of expressions are analysed before the native stack is looked at again.
const LEVELS: u32 = 4;

/// Most expressions of a program once its sugar is taken apart. A pattern of a `loop` is taken apart twice, so patterns
/// whose defaults are such loops grow with every level; no program of `source_bytes` comes near this in another way.
const EXPRESSIONS: u32 = 1_000_000;

/// After so many expressions what they take goes on the meter.
const EXPRESSIONS_PER_CHECK: u32 = 256;

/// What a form may be rewritten to, in bytes, without a look at memory.
const MUCH: i64 = 64 << 10;

/// What an expression takes, with the code that it becomes while both are there.
const EXPRESSION_BYTES: usize = 2 * size_of::<Expr>() + 64;

/// What a program's names may mean besides its own definitions.
pub struct CompileEnv<'a> {
    /// Inputs.
    pub context: &'a [(String, Value)],
    /// Tools.
    pub tools: &'a [ToolSpec],
    /// Limits, for literals.
    pub limits: &'a Limits,
    /// The namespace of the library that this is the text of.
    pub namespace: Option<&'a str>,
    /// The namespace that the program begins in.
    pub space: &'a str,
    /// The text of the program; code that a program made has none.
    pub source: Option<&'a str>,
    /// The place in it that was asked for last: byte, line, column.
    pub last_place: std::cell::Cell<(usize, u32, u32)>,
    /// Whether last uses are left unmarked, so that nothing is moved: for tests.
    pub plain: bool,
}

impl<'a> CompileEnv<'a> {
    /// That of code which a program made in a turn: it has no text.
    pub fn of_code<'t: 'a>(turn: &RunInput<'t>, space: &'a str) -> Self {
        CompileEnv {
            context: turn.context,
            tools: turn.tools,
            limits: turn.limits,
            namespace: None,
            space,
            source: None,
            last_place: std::cell::Cell::default(),
            plain: false,
        }
    }
}

/// The state of one analysis.
pub(super) struct Analyzer<'a> {
    pub(super) scopes: Scopes,
    pub(super) gensym: Gensym,
    pub(super) defined: Defined,
    pub(super) world: &'a CompileEnv<'a>,
    pub(super) machine: &'a mut dyn Machine,
    /// What is analysed and has not run.
    pub(super) unit: Unit,
    /// Names that the form being analysed defines.
    pub(super) defining: Vec<u32>,
    /// Macros, and what they need, that are there.
    pub(super) ready: Option<BTreeSet<u32>>,
    /// Whether there are macros at all, of the session or in the program: without them nobody asks further.
    pub(super) has_macros: bool,
    /// Whether a macro could not be expanded, since something has to run first.
    pub(super) waits: bool,
    /// Whether the program is only looked at: macros are not expanded.
    pub(super) dry: bool,
    /// Whether something was not looked into: names may be defined there.
    pub(super) opaque: bool,
    /// Whether the form at the top is one that the program has there, and not one that a macro gave.
    pub(super) written: bool,
    /// Whether a name is looked up for its var.
    pub(super) naming: bool,
    /// Whether it is inside a `defmacro`.
    pub(super) in_macro: bool,
    /// Whether analysis is paid for: what is analysed was made by a program.
    pub(super) metered: bool,
    /// Forms that templates became.
    pub(super) templates: usize,
    /// Whether what is analysed is in tail position, so that it can be a `recur`.
    pub(super) tail: bool,
    /// How many `try` bodies are around: arity is not refused beforehand inside.
    pub(super) tries: u32,
    pub(super) depth: u32,
    pub(super) deepest: u32,
    /// Expressions analysed so far.
    pub(super) made: u32,
    /// What expressions take that have no code yet.
    pub(super) held: Bytes,
}

/// What a form at the top stands for.
pub(super) struct Parts {
    pub(super) forms: Vec<Form>,
    /// What was expanded to what.
    pub(super) from: Option<Rc<str>>,
}

/// What analysing a form gives.
pub(super) type Analysed = Result<Expr, Error>;

impl<'a> Analyzer<'a> {
    /// At the beginning of a program.
    pub(super) fn new(world: &'a CompileEnv<'a>, machine: &'a mut dyn Machine, defined: Defined) -> Self {
        let mut scopes = Scopes::default();
        scopes.enter();
        let has_macros = defined.has_macros() || machine.memory().has_macros;
        Analyzer {
            has_macros,
            scopes,
            gensym: Gensym::default(),
            defined,
            world,
            machine,
            unit: Unit::default(),
            defining: Vec::new(),
            ready: None,
            waits: false,
            dry: false,
            opaque: false,
            written: false,
            naming: false,
            in_macro: false,
            metered: false,
            templates: 0,
            tail: false,
            tries: 0,
            depth: 0,
            deepest: 0,
            made: 0,
            held: Bytes::default(),
        }
    }

    pub(super) fn memory(&self) -> &Memory {
        self.machine.memory()
    }

    pub(super) fn memory_mut(&mut self) -> &mut Memory {
        self.machine.memory_mut()
    }

    /// The forms that a form at the top stands for: those of a `do`, and what a macro expands to.
    pub(super) fn parts(&mut self, form: &Form) -> Result<Option<Parts>, Error> {
        let Kind::List(items) = &form.kind else { return Ok(None) };
        match items.split_first() {
            Some((Form { kind: Kind::Symbol(name), .. }, body)) if !body.is_empty() => {
                let plain = matches!(name.ns.as_deref(), None | Some("clojure.core"));
                if plain && &*name.name == "do" {
                    return Ok(Some(Parts { forms: body.to_vec(), from: None }));
                }
            }
            Some((Form { kind: Kind::Symbol(_), .. }, _)) => {}
            _ => return Ok(None),
        }
        if self.dry || !self.has_macros {
            return Ok(None);
        }
        let expansion = self.expand_once(form)?;
        Ok(expansion.map(|e| Parts { from: Some(Rc::from(expansion_text(form, &e))), forms: vec![e] }))
    }

    /// Adds a form that has been analysed to those that will run.
    pub(super) fn defines(&mut self, form: Expr, defines: Vec<u32>) {
        if let Some(ready) = &self.ready
            && defines.iter().any(|g| ready.contains(g))
        {
            self.ready = None;
        }
        self.unit.push(form, defines);
    }

    /// Marks last uses in a finished body.
    pub(super) fn mark(&self, body: &mut Expr) {
        if !self.world.plain {
            liveness::mark(body);
        }
    }

    pub(super) fn top_level(&mut self, form: &Form) -> Analysed {
        self.tail = false;
        self.expr(form)
    }

    /// One form.
    pub(super) fn expr(&mut self, form: &Form) -> Analysed {
        if self.depth >= DEPTH {
            return Err(Error::new(ErrorKind::Depth, format!("the program nests deeper than {DEPTH} expressions"))
                .at(form.span)
                .hint("split it into several functions or definitions"));
        }
        if self.made >= EXPRESSIONS {
            return Err(Error::new(ErrorKind::Source, format!("the program has more than {EXPRESSIONS} expressions"))
                .at(form.span)
                .hint("take patterns apart with let inside the loop, and split the program into several functions"));
        }
        self.made += 1;
        if self.made.is_multiple_of(EXPRESSIONS_PER_CHECK) {
            self.held.hold(self.held.get() + EXPRESSIONS_PER_CHECK as usize * EXPRESSION_BYTES);
            self.machine.check_memory()?;
        }
        if self.metered {
            self.machine.charge(2 + self.scopes.weight() / 8)?;
        }
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
        // A few levels need less than what there is room for then.
        let result = match self.depth % LEVELS {
            1 => on_deep_stack(|| self.expr_inner(form)),
            _ => self.expr_inner(form),
        };
        self.depth -= 1;
        result
    }

    pub(super) fn expr_inner(&mut self, form: &Form) -> Analysed {
        let span = form.span;
        let node = match &form.kind {
            Kind::Symbol(name) => {
                let e = self.symbol(name, span)?;
                if let Node::Global(_) = e.node {
                    self.check_value(name, span)?;
                }
                return Ok(e);
            }
            Kind::List(items) => return self.list(form, items),
            Kind::Vector(items) => self.vector(items)?,
            Kind::Map(entries) => self.map(entries)?,
            Kind::Set(items) => self.set(items, span)?,
            Kind::Int(i) => Node::Const(Value::int(*i)),
            Kind::Str(s) => {
                let s = Value::str(&**s);
                s.mark_constant();
                Node::Const(s)
            }
            Kind::Quote(inner) => Node::Const(self.datum(inner)?),
            Kind::Deref(inner) => {
                // What is no var has a value all the same: an input, `*1`.
                if let Kind::Var(name) = &inner.kind
                    && self.find_var(name, span)?.is_none()
                {
                    return self.expr(name);
                }
                let inner = self.expr(inner)?;
                return Ok(self.core_call(span, "deref", vec![inner]));
            }
            Kind::Var(inner) => return self.var(inner, span),
            Kind::Lambda(items) => return self.lambda(items, span),
            Kind::SyntaxQuote(inner) => {
                let code = self.template(inner)?;
                return self.expr(&code);
            }
            Kind::Unquote(_) | Kind::UnquoteSplicing(_) => {
                return Err(Error::new(ErrorKind::Parse, "~ is not inside a template")
                    .at(span)
                    .hint("~ and ~@ are written inside a ` form, as in `(if ~test ~then)"));
            }
            Kind::Embedded(v) => Node::Const(v.0.clone()),
            Kind::Meta(meta, inner) => return self.with_meta(meta, inner, span),
            _ => Node::Const(self.datum(form)?),
        };
        Ok(Expr { span, node })
    }

    /// A form as data: constants and what is quoted.
    pub(super) fn datum(&mut self, form: &Form) -> Result<Value, Error> {
        let value = self.datum_of(form)?;
        value.mark_constant();
        Ok(value)
    }

    /// A form as data that a macro gets.
    pub(super) fn datum_of(&mut self, form: &Form) -> Result<Value, Error> {
        let limits = self.world.limits;
        crate::quote::value_with(form, limits, &mut |template| self.template(template))
    }

    pub(super) fn exprs(&mut self, forms: &[Form]) -> Result<Vec<Expr>, Error> {
        let mut all = Vec::with_capacity(forms.len());
        for f in forms {
            all.push(self.expr(f)?);
        }
        Ok(all)
    }

    /// Runs with `recur` refused: the place is no tail position.
    pub(super) fn outside_tail<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> R {
        let tail = std::mem::replace(&mut self.tail, false);
        let r = f(self);
        self.tail = tail;
        r
    }

    /// A form that is no tail position.
    pub(super) fn operand(&mut self, form: &Form) -> Analysed {
        self.outside_tail(|a| a.expr(form))
    }

    pub(super) fn operands(&mut self, forms: &[Form]) -> Result<Vec<Expr>, Error> {
        self.outside_tail(|a| a.exprs(forms))
    }

    pub(super) fn vector(&mut self, items: &[Form]) -> Result<Node, Error> {
        let items = self.operands(items)?;
        if let Some(constants) = constants(&items) {
            return Ok(Node::Const(Value::vector(constants)));
        }
        Ok(Node::Vector(items))
    }

    pub(super) fn map(&mut self, entries: &[(Form, Form)]) -> Result<Node, Error> {
        let entries = self.outside_tail(|a| {
            entries.iter().map(|(k, v)| Ok((a.expr(k)?, a.expr(v)?))).collect::<Result<Vec<_>, Error>>()
        })?;
        let constant = |e: &Expr| if let Node::Const(v) = &e.node { Some(v.clone()) } else { None };
        let pairs: Option<Vec<_>> = entries.iter().map(|(k, v)| Some((constant(k)?, constant(v)?))).collect();
        Ok(match pairs {
            Some(pairs) => Node::Const(Value::map(pairs)),
            None => Node::Map(entries),
        })
    }

    pub(super) fn set(&mut self, items: &[Form], _: Span) -> Result<Node, Error> {
        let items = self.operands(items)?;
        if let Some(constants) = constants(&items) {
            return Ok(Node::Const(Value::set(constants)));
        }
        Ok(Node::Set(items))
    }

    pub(super) fn with_meta(&mut self, meta: &Form, inner: &Form, span: Span) -> Analysed {
        // Type hints and flags on calls and names say nothing here; on collection literals and `reify` metadata is kept.
        let hint = |m: &Form| matches!(&m.kind, Kind::Map(entries) if entries.iter().any(|(k, _)| k.is_keyword("tag")));
        let mut metas = vec![meta];
        let mut target = inner;
        while let Kind::Meta(m, inner) = &target.kind {
            metas.push(m);
            target = inner;
        }
        if matches!(target.kind, Kind::List(_) | Kind::Lambda(_)) {
            metas.retain(|m| !hint(m));
        }
        let kept = !metas.is_empty()
            && match &target.kind {
                Kind::Vector(_) | Kind::Map(_) | Kind::Set(_) => true,
                Kind::List(items) => items.first().is_some_and(|f| matches!(f.as_plain(), Some("reify" | "fn"))),
                Kind::Lambda(_) => true,
                _ => false,
            };
        match kept {
            true => self.outside_tail(|a| {
                let target = a.expr(target)?;
                // What is written first wins.
                let metas = metas.iter().rev().map(|m| a.expr(m)).collect::<Result<Vec<_>, Error>>()?;
                let meta = a.core_call(span, "merge", metas);
                Ok(a.core_call(span, "with-meta", vec![target, meta]))
            }),
            false => self.expr(target),
        }
    }

    pub(super) fn list(&mut self, form: &Form, items: &[Form]) -> Analysed {
        let span = form.span;
        let Some((head, args)) = items.split_first() else {
            return Ok(Expr { span, node: Node::Const(Value::empty_list()) });
        };
        if let Kind::Symbol(Name { ns: Some(ns), .. }) = &head.kind
            && **ns != *"clojure.core"
            && let Some(result) = self.macro_form(form)?
        {
            return Ok(result);
        }
        // What the language has under the name of what is called, once that is known.
        let mut core = None;
        if let Kind::Symbol(name) = &head.kind
            && matches!(name.ns.as_deref(), None | Some("clojure.core"))
        {
            if let Some(result) = self.macro_form(form)? {
                return Ok(result);
            }
            let (word, row) = (&*name.name, forms::find(&name.name));
            if let Some(row) = row.filter(|_| self.is_form(name)) {
                return match row.kind {
                    FormKind::Special(form) => self.special(form, row.name, span, head, args),
                    FormKind::Macro(rule) => {
                        if self.metered {
                            self.machine.charge(size(form) / 4)?;
                        }
                        let mut gensym = std::mem::take(&mut self.gensym);
                        let before = live_bytes();
                        let rewritten = rule(span, args, &mut gensym);
                        self.gensym = gensym;
                        let rewritten = rewritten.map_err(|e| misused(e, row))?;
                        // A form that is written twice for one can double with each level.
                        if live_bytes().wrapping_sub(before) > MUCH {
                            self.machine.check_memory()?;
                        }
                        self.expr(&rewritten)
                    }
                };
            }
            // slurp reads texts, but no files; and no function of the language is among the names that are refused.
            let file = word == "slurp" && matches!(args.first().map(|a| &a.kind), Some(Kind::Str(_)));
            let builtin = crate::builtins::find(word);
            core = name.ns.is_none().then_some(builtin);
            let refused = match builtin {
                Some(_) => file.then(unsupported::no_file),
                // A type of the program may have a method of such a name.
                None if word.starts_with('.')
                    && self.defined.is_member(word.trim_start_matches('.'), self.memory()) =>
                {
                    None
                }
                None => unsupported::unsupported_hint(word).filter(|_| row.is_none()),
            };
            if let Some(hint) = refused
                && self.is_form(name)
                && !self.defined.anywhere(&self.own_name(word))
            {
                return Err(Error::new(ErrorKind::Denied, format!("{word} is not part of PTC-Lisp"))
                    .at(head.span)
                    .hint(hint));
            }
        }
        if let Some(member) = self.member(head, args, span) {
            return self.expr(&member);
        }
        // `(Long/MAX_VALUE)` is the constant, as the JVM has it.
        if args.is_empty()
            && let Kind::Symbol(Name { ns: Some(ns), name }) = &head.kind
            && ns.contains(char::is_uppercase)
            && let Some(v) = super::static_fields::static_field(ns, name)
        {
            return Ok(Expr { span, node: Node::Const(v) });
        }
        let class = head.as_plain();
        let head = match (&head.kind, core) {
            (Kind::Symbol(name), Some(_)) if !self.metered => self.called(name, head.span, core)?,
            _ => self.operand(head)?,
        };
        if let (Some(class), Node::Const(v)) = (class, &head.node)
            && v.class_text().is_some()
        {
            let e = Error::new(ErrorKind::Type, format!("{class} is a class, not a function")).at(head.span);
            return Err(
                e.hint(format!("({class}. ...) makes one; errors with data are made by (ex-info \"message\" {{}})"))
            );
        }
        let operands = self.operands(args)?;
        let operands = self.hinted_operands(&head, args, operands);
        self.call(span, head, operands)
    }

    /// `(.-x p)`, and `(.x p)` where x is a field or a method of a type, as the call it is rewritten to.
    fn member(&self, head: &Form, args: &[Form], span: Span) -> Option<Form> {
        let word = head.as_plain()?.strip_prefix('.').filter(|w| !w.is_empty())?;
        let (target, rest) = args.split_first()?;
        let name = |n: &str| Form::new(head.span, Kind::Str(n.into()));
        if let Some(field) = word.strip_prefix('-').filter(|f| !f.is_empty() && rest.is_empty()) {
            return Some(Form::call(span, "field*", vec![target.clone(), name(field)]));
        }
        if !self.defined.is_member(word, self.memory()) {
            return None;
        }
        let builtin = format!(".{word}");
        let otherwise = match crate::builtins::find(&builtin) {
            Some(_) => Form::symbol(head.span, Name::plain(&builtin)),
            None => Form::new(head.span, Kind::Nil),
        };
        let mut all = vec![target.clone(), name(word), otherwise];
        all.extend_from_slice(rest);
        Some(Form::call(span, "member*", all))
    }

    /// What a form of the language is rewritten to, if it is one of those that are.
    pub(super) fn rewritten(&mut self, form: &Form) -> Result<Option<Form>, Error> {
        let Kind::List(items) = &form.kind else { return Ok(None) };
        let Some((Form { kind: Kind::Symbol(name), .. }, args)) = items.split_first() else { return Ok(None) };
        if !matches!(name.ns.as_deref(), None | Some("clojure.core")) || !self.is_form(name) {
            return Ok(None);
        }
        match forms::find(&name.name).map(|row| (row, row.kind)) {
            Some((row, FormKind::Macro(rule))) => {
                self.machine.charge(size(form))?;
                let made = rule(form.span, args, &mut self.gensym).map_err(|e| misused(e, row))?;
                let span = form.span;
                let made = match (row.name, args) {
                    // As Clojure writes them.
                    ("when", [test, body @ ..]) => {
                        Form::call(span, "if", vec![test.clone(), Form::call(span, "do", body.to_vec())])
                    }
                    ("when-not", [test, body @ ..]) => {
                        let body = Form::call(span, "do", body.to_vec());
                        Form::call(span, "if", vec![test.clone(), Form::new(span, Kind::Nil), body])
                    }
                    _ => made,
                };
                Ok(Some(super::written::shown(&made)))
            }
            _ => Ok(None),
        }
    }

    /// Whether the name of a form means that form: neither a local nor a definition of the program hides it.
    fn is_form(&self, name: &Name) -> bool {
        // Clojure's special forms are what they are, whatever has their names.
        let special = matches!(
            &*name.name,
            "if" | "do"
                | "quote"
                | "var"
                | "recur"
                | "throw"
                | "try"
                | "def"
                | "new"
                | "."
                | "set!"
                | "fn*"
                | "let*"
                | "loop*"
        );
        name.ns.is_some() || special || !(self.scopes.is_local(name) || self.is_own(&name.name))
    }

    /// A call with everything known about what is called.
    pub(super) fn call(&mut self, span: Span, head: Expr, mut args: Vec<Expr>) -> Analysed {
        let node = match head.node {
            Node::Const(Value::Builtin(b)) => {
                self.check_arity(span, b, args.len())?;
                if b.name() == "get"
                    && args.len() == 2
                    && let Some(Node::Const(_)) = args.get(1).map(|a| &a.node)
                {
                    let key = args.pop();
                    let map = args.pop();
                    if let (Some(map), Some(key)) = (map, key) {
                        return Ok(self.lookup(span, map, key));
                    }
                    return Err(Error::new(ErrorKind::Internal, "get lost its arguments").at(span));
                }
                if b.name() == "int"
                    && let [x] = args.as_slice()
                    && is_double(x, &self.scopes.function().doubles)
                {
                    return Ok(self.core_call(span, "int-of-double*", args));
                }
                if b.name() == "/" && args.len() >= 2 {
                    return Ok(self.division(span, b, args));
                }
                Node::CallBuiltin(b, self.arguments(b.name(), args))
            }
            Node::Const(Value::Keyword(k)) if args.len() == 1 => {
                let map = args.remove(0);
                Node::Lookup(Box::new(map), Value::Keyword(k))
            }
            Node::Const(Value::Tool(name)) => {
                self.check_tool(span, name.as_str(), &args)?;
                Node::CallTool(Arc::from(name.as_str()), args)
            }
            Node::Global(g) => {
                self.check_known(span, g, args.len())?;
                Node::CallGlobal(g, args)
            }
            Node::SelfFn => Node::CallSelf(args),
            node => {
                self.check_callable(&node, head.span)?;
                Node::Call(Box::new(Expr { span: head.span, node }), args)
            }
        };
        Ok(Expr { span, node })
    }

    /// A division, from the left on: IEEE's once a double is among the operands, or both are written out.
    fn division(&mut self, span: Span, b: &'static Builtin, args: Vec<Expr>) -> Expr {
        let doubles = &self.scopes.function().doubles;
        let two = args.len() == 2;
        if !(two && constants(&args).is_some() || args.iter().any(|a| is_double(a, doubles))) {
            return Expr { span, node: Node::CallBuiltin(b, args) };
        }
        let doubles = doubles.clone();
        let mut operands = args.into_iter();
        let mut whole = operands.next().unwrap_or(Expr { span, node: Node::Const(Value::Nil) });
        for operand in operands {
            let written = two || is_double(&whole, &doubles) || is_double(&operand, &doubles);
            let pair = vec![whole, operand];
            whole = if written {
                self.core_call(span, "div*", pair)
            } else {
                Expr { span, node: Node::CallBuiltin(b, pair) }
            };
        }
        whole
    }

    /// What can be seen to be no function is refused when analysed, in words that help.
    pub(super) fn check_callable(&self, node: &Node, span: Span) -> Result<(), Error> {
        let Node::Const(v) = node else { return Ok(()) };
        // Only what never is callable, and only outside `try`, where Clojure would throw at run time.
        let never =
            matches!(v, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) | Value::Char(_));
        if never && self.tries == 0 {
            return Err(Error::new(
                ErrorKind::Type,
                format!("{} is not a function: {}", v.kind(), crate::print::brief(v)),
            )
            .at(span)
            .hint(crate::arity::CALLED));
        }
        Ok(())
    }

    /// A call of a function of the language by name; what is no function yet is an internal error when run.
    pub(super) fn core_call(&self, span: Span, name: &str, args: Vec<Expr>) -> Expr {
        match crate::builtins::find(name) {
            Some(b) => Expr { span, node: Node::CallBuiltin(b, args) },
            None => Expr { span, node: Node::Const(Value::Nil) },
        }
    }

    pub(super) fn lookup(&self, span: Span, map: Expr, key: Expr) -> Expr {
        match key.node {
            // Keys whose size is work are charged by `get`.
            Node::Const(k) if brief_key(&k) => Expr { span, node: Node::Lookup(Box::new(map), k) },
            _ => self.core_call(span, "get", vec![map, key]),
        }
    }
}

/// Whether looking for a key costs the same whatever it is.
fn brief_key(key: &Value) -> bool {
    match key {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Char(_) => true,
        Value::Keyword(k) => k.text().len() < 64,
        Value::Str(s) => s.as_str().len() < 64,
        _ => false,
    }
}

/// The values of expressions that are all constants.
fn constants(items: &[Expr]) -> Option<Vec<Value>> {
    items.iter().map(|e| if let Node::Const(v) = &e.node { Some(v.clone()) } else { None }).collect()
}

/// Why a macro could not be rewritten, as an error.
#[cold]
fn misused(why: Misuse, row: &FormRow) -> Error {
    match why {
        Misuse::Usage(span) => forms::misuse(span, row.name),
        Misuse::Hint(e) => e.hint(row.usage),
        Misuse::Error(e) => e,
    }
}
