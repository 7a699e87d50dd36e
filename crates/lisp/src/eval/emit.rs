//! Expressions to code: registers are handed out like a stack, operands that are variables are read where they lie.

use super::code::{Cmp, DefInfo, Div, Grab, Handler, Op, Proto, Reg, Template, Test};
use crate::analyze::node::{Arity, Case, Expr, FnExpr, Node, Try, Var};
use crate::error::{Error, ErrorKind};
use crate::outside::ToolSpec;
use crate::span::Span;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Value, map};
use std::collections::BTreeMap;
use std::sync::Arc;

type Emitted<T = ()> = Result<T, Error>;

/// The code of a whole program: the body of a function of no arguments.
///
/// # Errors
/// When a function needs more registers than there are.
pub fn program(body: &Expr, vars: u32, tools: &[ToolSpec]) -> Emitted<Template> {
    let proto = proto(body, vars, 0, false, tools)?;
    Ok(Template { name: None, doc: None, params: Arc::from("[]"), arities: vec![proto] })
}

fn proto(body: &Expr, vars: u32, fixed: u32, rest: bool, tools: &[ToolSpec]) -> Emitted<Proto> {
    let mut e = Emitter {
        p: Proto::default(),
        vars: vec![0; vars as usize],
        free: 0,
        loops: Vec::new(),
        span: body.span,
        tools,
    };
    e.p.fixed = fixed as usize;
    e.p.rest = rest;
    for v in 0..fixed + u32::from(rest) {
        let r = e.alloc()?;
        e.place(v, r);
    }
    e.ret(body)?;
    e.p.cost = 1 + e.p.code.len() as u64 / 16;
    Ok(e.p)
}

struct Loop {
    vars: Vec<Reg>,
    head: u32,
}

struct Emitter<'t> {
    p: Proto,
    vars: Vec<Reg>,
    free: usize,
    loops: Vec<Loop>,
    span: Span,
    tools: &'t [ToolSpec],
}

/// A jump whose target is not known yet.
type Patch = usize;

impl Emitter<'_> {
    fn alloc(&mut self) -> Emitted<Reg> {
        let r = Reg::try_from(self.free).map_err(|_| self.too_large())?;
        self.free += 1;
        self.p.regs = self.p.regs.max(self.free);
        Ok(r)
    }

    fn too_large(&self) -> Error {
        Error::new(ErrorKind::Parse, "this function is too large: it needs more than 65535 places for values")
            .at(self.span)
            .hint("split it into several functions, or keep the data in an input")
    }

    fn place(&mut self, var: Var, reg: Reg) {
        if let Some(slot) = self.vars.get_mut(var as usize) {
            *slot = reg;
        }
    }

    fn reg(&self, var: Var) -> Reg {
        self.vars.get(var as usize).copied().unwrap_or(0)
    }

    fn op(&mut self, op: Op) {
        self.p.code.push(op);
        self.p.spans.push(self.span);
    }

    fn pc(&self) -> u32 {
        self.p.code.len() as u32
    }

    /// Emits a jump to be aimed later.
    fn jump(&mut self, op: Op) -> Patch {
        self.op(op);
        self.p.code.len() - 1
    }

    /// Aims jumps here.
    fn aim(&mut self, patches: Vec<Patch>) {
        let here = self.pc();
        for p in patches {
            self.aim_at(p, here);
        }
    }

    fn aim_at(&mut self, patch: Patch, target: u32) {
        use Op::{Jump, JumpFalse, JumpNil, JumpSome, JumpTrue, JumpUnless, JumpUnlessClass, JumpUnlessK};
        if let Some(
            Jump { to }
            | JumpFalse { to, .. }
            | JumpTrue { to, .. }
            | JumpNil { to, .. }
            | JumpSome { to, .. }
            | JumpUnless { to, .. }
            | JumpUnlessK { to, .. }
            | JumpUnlessClass { to, .. },
        ) = self.p.code.get_mut(patch)
        {
            *to = target;
        }
    }

    fn constant(&mut self, v: Value) -> u32 {
        self.p.constants.push(v);
        self.p.constants.len() as u32 - 1
    }

    /// Runs with the span of `e`, on a stack that is deep enough.
    fn at<R>(&mut self, e: &Expr, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.span, e.span);
        let r = on_deep_stack(|| f(self));
        self.span = outer;
        r
    }

    /// A register that holds the value of `e`: a variable's own, or a new one.
    fn operand(&mut self, e: &Expr) -> Emitted<Reg> {
        if let Node::Local { var, .. } = e.node {
            return Ok(self.reg(var));
        }
        let r = self.alloc()?;
        self.compute(e, r)?;
        Ok(r)
    }

    /// Registers of several operands, computed in the order that the pass over last uses assumes.
    fn operands<const N: usize>(&mut self, es: [&Expr; N]) -> Emitted<[Reg; N]> {
        let mut regs = [0; N];
        for (r, e) in regs.iter_mut().zip(es) {
            *r = self.operand(e)?;
        }
        Ok(regs)
    }

    /// Puts values side by side into new registers: first what is computed, then what is read from variables.
    fn side_by_side(&mut self, items: &[&Expr]) -> Emitted<Reg> {
        let first = Reg::try_from(self.free).map_err(|_| self.too_large())?;
        let regs = items.iter().map(|_| self.alloc()).collect::<Emitted<Vec<Reg>>>()?;
        for locals in [false, true] {
            for (r, e) in regs.iter().zip(items) {
                if matches!(e.node, Node::Local { .. }) == locals {
                    self.compute(e, *r)?;
                }
            }
        }
        Ok(first)
    }

    /// Computes `e` into register `d`. `d` may be read by `e` itself only through operands of its outermost operation.
    fn compute(&mut self, e: &Expr, d: Reg) -> Emitted {
        let free = self.free;
        let r = self.at(e, |s| s.compute_node(e, d));
        self.free = free;
        r
    }

    fn compute_node(&mut self, e: &Expr, d: Reg) -> Emitted {
        match &e.node {
            Node::Const(v) => self.load(v, d),
            Node::Local { var, last } => {
                let s = self.reg(*var);
                if s != d {
                    self.op(if *last { Op::Take { d, s } } else { Op::Move { d, s } });
                }
            }
            Node::Capture(i) => self.op(Op::Capture { d, i: *i }),
            Node::SelfFn => self.op(Op::SelfFn { d }),
            Node::Sibling(t) => self.op(Op::Sibling { d, t: *t }),
            Node::Global(g) => self.op(Op::Global { d, g: *g }),
            Node::Recent(i) => self.op(Op::Recent { d, i: *i }),
            Node::Do(items) => self.sequence(items, |s, last| s.compute(last, d), |s| s.op(Op::Nil { d }))?,
            Node::If(_) | Node::Cond(..) => self.choice(e, Some(d))?,
            Node::And(items) => self.logic(items, d, |a, to| Op::JumpFalse { a, to })?,
            Node::Or(items) => self.logic(items, d, |a, to| Op::JumpTrue { a, to })?,
            Node::Let(bindings, body) => {
                self.bind(bindings)?;
                self.compute(body, d)?;
            }
            Node::Loop(bindings, body) => self.loop_(bindings, body, Some(d))?,
            Node::Recur { vars, args, function } => self.recur(vars, args, *function)?,
            Node::Fn(f) => self.function(f, d)?,
            Node::Letfn(_, _, body) => {
                self.letfn(e)?;
                self.compute(body, d)?;
            }
            Node::Call(f, args) => self.call(f, args, d)?,
            Node::CallBuiltin(b, args) => self.builtin(b, args, d)?,
            Node::CallGlobal(g, args) => {
                if let Some((a, n)) = self.arguments(args)? {
                    self.op(Op::CallGlobal { d, a, n, g: *g });
                } else {
                    self.call_many(&Expr { span: e.span, node: Node::Global(*g) }, args, d)?;
                }
            }
            Node::CallSelf(args) => {
                if let Some((a, n)) = self.arguments(args)? {
                    self.op(Op::CallSelf { d, a, n });
                } else {
                    self.call_many(&Expr { span: e.span, node: Node::SelfFn }, args, d)?;
                }
            }
            Node::CallTool(name, args) => {
                let spec = self.tools.iter().find(|t| *t.name == **name).cloned();
                match (spec, self.arguments(args)?) {
                    (Some(spec), Some((a, n))) => {
                        self.p.tools.push(Arc::new(spec));
                        let t = self.p.tools.len() as u32 - 1;
                        self.op(Op::CallTool { d, a, n, t });
                    }
                    _ => {
                        let tool = Value::Tool(crate::value::Str::new(&**name));
                        self.call_many(&Expr { span: e.span, node: Node::Const(tool) }, args, d)?;
                    }
                }
            }
            Node::Vector(items) => {
                let refs: Vec<&Expr> = items.iter().collect();
                self.pieces(
                    &refs,
                    super::PIECE,
                    d,
                    |d, a, n| Op::Vector { d, a, n },
                    |d, a, n| Op::Append { d, a, n },
                )?;
            }
            Node::Set(items) => {
                self.set(items, d)?;
            }
            Node::Map(entries) => self.map(entries, d)?,
            Node::Lookup(m, k) => {
                let a = self.operand(m)?;
                let k = self.constant(k.clone());
                self.op(Op::Lookup { d, a, k });
            }
            Node::Nth(v, i) => {
                let a = self.operand(v)?;
                self.op(Op::Nth { d, a, i: *i });
            }
            Node::Rest(v, i) => {
                let a = self.operand(v)?;
                self.op(Op::Rest { d, a, i: *i });
            }
            Node::Keyed(v) => {
                let a = self.operand(v)?;
                self.op(Op::Keyed { d, a });
            }
            Node::Def(def) => {
                let a = match &def.value {
                    Some(v) => {
                        let r = self.alloc()?;
                        self.compute(v, r)?;
                        r
                    }
                    None => d,
                };
                let info = DefInfo {
                    global: def.global,
                    name: def.name.clone(),
                    doc: def.doc.clone(),
                    has_value: def.value.is_some(),
                    once: def.once,
                };
                self.p.defs.push(info);
                let k = self.p.defs.len() as u32 - 1;
                self.op(Op::Def { d, a, k });
            }
            Node::Try(t) => self.try_(t, d)?,
            Node::Throw(v) => {
                let a = self.operand(v)?;
                self.op(Op::Throw { a });
            }
            Node::Case(c) => self.case(c, Some(d))?,
            Node::OutStr(f) => {
                let a = self.operand(f)?;
                self.op(Op::OutStr { d, a });
            }
        }
        Ok(())
    }

    /// Computes `e` and returns its value.
    fn ret(&mut self, e: &Expr) -> Emitted {
        let free = self.free;
        let r = self.at(e, |s| s.ret_node(e));
        self.free = free;
        r
    }

    fn ret_node(&mut self, e: &Expr) -> Emitted {
        match &e.node {
            Node::Do(items) => self
                .sequence(items, |s, last| s.ret(last), |_| {})
                .and_then(|()| if items.is_empty() { self.ret_value(e) } else { Ok(()) }),
            Node::If(_) | Node::Cond(..) => self.choice(e, None),
            Node::Let(bindings, body) => {
                self.bind(bindings)?;
                self.ret(body)
            }
            Node::Loop(bindings, body) => self.loop_(bindings, body, None),
            Node::Recur { vars, args, function } => self.recur(vars, args, *function),
            Node::Letfn(_, _, body) => {
                self.letfn(e)?;
                self.ret(body)
            }
            Node::Case(c) => self.case(c, None),
            _ => self.ret_value(e),
        }
    }

    fn ret_value(&mut self, e: &Expr) -> Emitted {
        let a = self.operand(e)?;
        self.op(Op::Ret { a });
        Ok(())
    }

    /// Into `d`, or as the function's result.
    fn result(&mut self, e: &Expr, d: Option<Reg>) -> Emitted {
        match d {
            Some(d) => self.compute(e, d),
            None => self.ret(e),
        }
    }

    fn load(&mut self, v: &Value, d: Reg) {
        match v {
            Value::Nil => self.op(Op::Nil { d }),
            Value::Int(i) if i32::try_from(*i).is_ok() => self.op(Op::Int { d, v: *i as i32 }),
            _ => {
                let k = self.constant(v.clone());
                self.op(Op::Const { d, k });
            }
        }
    }

    fn sequence(
        &mut self,
        items: &[Expr],
        last: impl FnOnce(&mut Self, &Expr) -> Emitted,
        empty: impl FnOnce(&mut Self),
    ) -> Emitted {
        let Some((end, first)) = items.split_last() else {
            empty(self);
            return Ok(());
        };
        for e in first {
            // Values that nobody reads need no code when nothing can happen while they are made.
            if matches!(e.node, Node::Const(_) | Node::Local { .. } | Node::Capture(_) | Node::Fn(_)) {
                continue;
            }
            let free = self.free;
            let scratch = self.alloc()?;
            self.compute(e, scratch)?;
            self.free = free;
        }
        last(self, end)
    }

    fn bind(&mut self, bindings: &[(Var, Expr)]) -> Emitted {
        for (var, value) in bindings {
            let r = self.alloc()?;
            self.compute(value, r)?;
            self.place(*var, r);
        }
        Ok(())
    }

    fn choice(&mut self, e: &Expr, d: Option<Reg>) -> Emitted {
        let mut ends = Vec::new();
        let mut branch = |s: &mut Self, test: &Expr, then: &Expr| -> Emitted {
            let skip = s.unless(test)?;
            s.result(then, d)?;
            if d.is_some() {
                let j = s.jump(Op::Jump { to: 0 });
                ends.push(j);
            }
            s.aim(skip);
            Ok(())
        };
        match &e.node {
            Node::If(parts) => {
                let [test, then, other] = &**parts;
                branch(self, test, then)?;
                self.result(other, d)?;
            }
            Node::Cond(pairs, default) => {
                for (test, then) in pairs {
                    branch(self, test, then)?;
                }
                self.result(default, d)?;
            }
            _ => {}
        }
        self.aim(ends);
        Ok(())
    }

    /// Jumps to be aimed at where to go on when `test` is nil or false.
    fn unless(&mut self, test: &Expr) -> Emitted<Vec<Patch>> {
        let free = self.free;
        let r = self.at(test, |s| s.unless_node(test));
        self.free = free;
        r
    }

    fn unless_node(&mut self, test: &Expr) -> Emitted<Vec<Patch>> {
        match &test.node {
            Node::Const(v) if v.truthy() => return Ok(Vec::new()),
            Node::CallBuiltin(b, args) => {
                if let (Some(kind), [x, y]) = (comparison(b), args.as_slice()) {
                    if let (Some(k), false) = (small(y), is_const(x)) {
                        let a = self.operand(x)?;
                        return Ok(vec![self.jump(Op::JumpUnlessK { kind, a, k, to: 0 })]);
                    }
                    if let (Some(k), false) = (small(x), is_const(y)) {
                        let a = self.operand(y)?;
                        return Ok(vec![self.jump(Op::JumpUnlessK { kind: flip(kind), a, k, to: 0 })]);
                    }
                    let [a, b] = self.operands([x, y])?;
                    return Ok(vec![self.jump(Op::JumpUnless { kind, a, b, to: 0 })]);
                }
                let jump: Option<fn(Reg) -> Op> = match (b.name, args.len()) {
                    ("not", 1) => Some(|a| Op::JumpTrue { a, to: 0 }),
                    ("nil?", 1) => Some(|a| Op::JumpSome { a, to: 0 }),
                    ("some?", 1) => Some(|a| Op::JumpNil { a, to: 0 }),
                    _ => None,
                };
                if let (Some(jump), [x]) = (jump, args.as_slice()) {
                    let a = self.operand(x)?;
                    return Ok(vec![self.jump(jump(a))]);
                }
            }
            Node::And(items) => {
                let mut out = Vec::new();
                for i in items {
                    out.extend(self.unless(i)?);
                }
                return Ok(out);
            }
            _ => {}
        }
        let a = self.operand(test)?;
        Ok(vec![self.jump(Op::JumpFalse { a, to: 0 })])
    }

    fn logic(&mut self, items: &[Expr], d: Reg, jump: fn(Reg, u32) -> Op) -> Emitted {
        let mut ends = Vec::new();
        for (i, e) in items.iter().enumerate() {
            self.compute(e, d)?;
            if i + 1 < items.len() {
                let p = self.jump(jump(d, 0));
                ends.push(p);
            }
        }
        self.aim(ends);
        Ok(())
    }

    fn loop_(&mut self, bindings: &[(Var, Expr)], body: &Expr, d: Option<Reg>) -> Emitted {
        self.bind(bindings)?;
        let vars = bindings.iter().map(|(v, _)| self.reg(*v)).collect();
        let head = self.pc();
        self.loops.push(Loop { vars, head });
        let r = self.result(body, d);
        self.loops.pop();
        r
    }

    fn recur(&mut self, vars: &[Var], args: &[Expr], function: bool) -> Emitted {
        let (targets, head) = match self.loops.last() {
            Some(l) if !function => (l.vars.clone(), l.head),
            _ => (vars.iter().map(|v| self.reg(*v)).collect(), 0),
        };
        // Reads of each target by arguments that are computed after it decide whether it may be written at once.
        let mut late: Vec<(Reg, Reg)> = Vec::new();
        let computed: Vec<usize> =
            (0..args.len()).filter(|i| args.get(*i).is_some_and(|a| !matches!(a.node, Node::Local { .. }))).collect();
        for (at, i) in computed.iter().enumerate() {
            let (Some(e), Some(target)) = (args.get(*i), targets.get(*i).copied()) else { continue };
            let later = computed.get(at + 1..).unwrap_or_default();
            let read_later = later.iter().filter_map(|j| args.get(*j)).any(|e| self.reads(e, target))
                || args.iter().any(|a| matches!(a.node, Node::Local { .. }) && self.reads(a, target));
            if !read_later && writes_once(e) {
                self.compute(e, target)?;
            } else {
                let r = self.alloc()?;
                self.compute(e, r)?;
                late.push((target, r));
            }
        }
        for (e, target) in args.iter().zip(&targets) {
            if let Node::Local { var, last } = e.node {
                let s = self.reg(var);
                if s != *target {
                    let r = self.alloc()?;
                    self.op(if last { Op::Take { d: r, s } } else { Op::Move { d: r, s } });
                    late.push((*target, r));
                }
            }
        }
        for (d, s) in late {
            self.op(Op::Take { d, s });
        }
        let cost = 1 + (self.pc().saturating_sub(head)) / 16;
        self.op(Op::Loop { to: head, cost: u16::try_from(cost).unwrap_or(u16::MAX) });
        Ok(())
    }

    /// Whether `e` reads the register anywhere.
    fn reads(&self, e: &Expr, reg: Reg) -> bool {
        on_deep_stack(|| {
            let all = |items: &[Expr]| items.iter().any(|i| self.reads(i, reg));
            match &e.node {
                Node::Local { var, .. } => self.reg(*var) == reg,
                Node::Const(_)
                | Node::Capture(_)
                | Node::SelfFn
                | Node::Sibling(_)
                | Node::Global(_)
                | Node::Recent(_) => false,
                Node::CallBuiltin(_, args)
                | Node::CallGlobal(_, args)
                | Node::CallSelf(args)
                | Node::CallTool(_, args) => all(args),
                Node::Vector(items) | Node::And(items) | Node::Or(items) | Node::Do(items) => all(items),
                Node::Call(f, args) => self.reads(f, reg) || all(args),
                Node::If(parts) => all(&**parts),
                Node::Lookup(e, _) | Node::Nth(e, _) | Node::Rest(e, _) | Node::Keyed(e) => self.reads(e, reg),
                Node::Fn(f) => all(&f.captures),
                // Variables bound inside have no register yet: say yes and lose one move.
                _ => true,
            }
        })
    }

    fn function(&mut self, f: &FnExpr, d: Reg) -> Emitted {
        let template = Arc::new(self.template(f)?);
        let grabs = self.grabs(&f.captures);
        self.p.functions.push((template, grabs));
        let t = self.p.functions.len() as u32 - 1;
        self.op(Op::Closure { d, t });
        Ok(())
    }

    fn template(&self, f: &FnExpr) -> Emitted<Template> {
        let arity = |a: &Arity| proto(&a.body, a.vars, a.fixed, a.rest, self.tools);
        let arities = f.arities.iter().map(arity).collect::<Emitted<Vec<Proto>>>()?;
        Ok(Template { name: f.name.clone(), doc: f.doc.clone(), params: f.params.clone(), arities })
    }

    fn grabs(&self, captures: &[Expr]) -> Vec<Grab> {
        let grab = |c: &Expr| match c.node {
            Node::Local { var, last: true } => Grab::Take(self.reg(var)),
            Node::Local { var, last: false } => Grab::Copy(self.reg(var)),
            Node::Capture(i) => Grab::Capture(i),
            Node::Sibling(i) => Grab::Sibling(i),
            _ => Grab::SelfFn,
        };
        captures.iter().map(grab).collect()
    }

    /// Makes the functions of a `letfn` in registers side by side.
    fn letfn(&mut self, e: &Expr) -> Emitted {
        let Node::Letfn(vars, group, _) = &e.node else { return Ok(()) };
        let templates = group.functions.iter().map(|f| self.template(f).map(Arc::new)).collect::<Emitted<Vec<_>>>()?;
        let grabs = self.grabs(&group.captures);
        self.p.groups.push((Arc::from(templates), grabs));
        let t = self.p.groups.len() as u32 - 1;
        let d = Reg::try_from(self.free).map_err(|_| self.too_large())?;
        for v in vars {
            let r = self.alloc()?;
            self.place(*v, r);
        }
        self.op(Op::Letfn { d, t });
        Ok(())
    }

    /// Arguments side by side, unless there are too many for one operation.
    fn arguments(&mut self, args: &[Expr]) -> Emitted<Option<(Reg, u8)>> {
        let Ok(n) = u8::try_from(args.len()) else { return Ok(None) };
        let refs: Vec<&Expr> = args.iter().collect();
        // A call's window starts where its arguments lie, so even a call without any needs the next register.
        let a = self.side_by_side(&refs)?;
        self.p.regs = self.p.regs.max(self.free + 1);
        Ok(Some((a, n)))
    }

    fn call(&mut self, f: &Expr, args: &[Expr], d: Reg) -> Emitted {
        if args.len() > usize::from(u8::MAX) {
            return self.call_many(f, args, d);
        }
        let f = self.operand(f)?;
        if let Some((a, n)) = self.arguments(args)? {
            self.op(Op::Call { d, a, n, f });
        }
        Ok(())
    }

    fn call_many(&mut self, f: &Expr, args: &[Expr], d: Reg) -> Emitted {
        let a = self.alloc()?;
        let list = self.alloc()?;
        self.compute(f, a)?;
        let refs: Vec<&Expr> = args.iter().collect();
        self.pieces(&refs, super::PIECE, list, |d, a, n| Op::Vector { d, a, n }, |d, a, n| Op::Append { d, a, n })?;
        self.op(Op::CallMany { d, a });
        Ok(())
    }

    /// A collection of any number of values, a piece at a time.
    fn pieces(
        &mut self,
        items: &[&Expr],
        chunk: usize,
        d: Reg,
        first: fn(Reg, Reg, u16) -> Op,
        more: fn(Reg, Reg, u16) -> Op,
    ) -> Emitted {
        if items.len() <= chunk {
            let a = self.side_by_side(items)?;
            self.op(first(d, a, items.len() as u16));
            return Ok(());
        }
        // Later items may read what `d` holds now, so it is written last.
        let out = self.alloc()?;
        for (i, piece) in items.chunks(chunk).enumerate() {
            let free = self.free;
            // Across pieces nothing is moved early: each item is computed in its turn.
            let a = self.side_by_side(piece)?;
            self.op(if i == 0 { first(out, a, piece.len() as u16) } else { more(out, a, piece.len() as u16) });
            self.free = free;
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    fn set(&mut self, items: &[Expr], d: Reg) -> Emitted {
        let out = self.alloc()?;
        let k = self.constant(Value::Set(crate::value::Set::new()));
        self.op(Op::Const { d: out, k });
        for piece in items.chunks(super::PIECE) {
            let free = self.free;
            let refs: Vec<&Expr> = piece.iter().collect();
            let a = self.side_by_side(&refs)?;
            self.op(Op::Include { d: out, a, n: piece.len() as u16 });
            self.free = free;
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    fn map(&mut self, entries: &[(Expr, Expr)], d: Reg) -> Emitted {
        let keys: Option<Vec<Value>> =
            entries.iter().map(|(k, _)| if let Node::Const(v) = &k.node { Some(v.clone()) } else { None }).collect();
        if let Some(keys) = keys
            && keys.len() <= map::SMALL_MAX
        {
            let vals: Vec<&Expr> = entries.iter().map(|(_, v)| v).collect();
            let a = self.side_by_side(&vals)?;
            self.p.shapes.push(map::Keys::new(keys));
            let shape = self.p.shapes.len() as u32 - 1;
            self.op(Op::Record { d, a, shape });
            return Ok(());
        }
        let flat: Vec<&Expr> = entries.iter().flat_map(|(k, v)| [k, v]).collect();
        self.pieces(
            &flat,
            super::PIECE,
            d,
            |d, a, n| Op::Map { d, a, n: n / 2 },
            |d, a, n| Op::Assoc { d, a, n: n / 2 },
        )
    }

    fn try_(&mut self, t: &Try, d: Reg) -> Emitted {
        let caught = self.alloc()?;
        let start = self.pc();
        // The result goes to a register of its own: a handler may read what `d` held.
        let out = self.alloc()?;
        self.compute(&t.body, out)?;
        let end = self.pc();
        let mut ends = Vec::new();
        if !t.catches.is_empty() {
            let j = self.jump(Op::Jump { to: 0 });
            ends.push(j);
            let at = self.pc();
            self.p.handlers.push(Handler { from: start, to: end, at, reg: caught, all: false });
            for (class, var, handler) in &t.catches {
                let k = self.constant(Value::str(&**class));
                let next = self.jump(Op::JumpUnlessClass { a: caught, k, to: 0 });
                let free = self.free;
                let r = self.alloc()?;
                self.op(Op::Take { d: r, s: caught });
                self.place(*var, r);
                self.compute(handler, out)?;
                self.free = free;
                let j = self.jump(Op::Jump { to: 0 });
                ends.push(j);
                self.aim(vec![next]);
            }
            self.op(Op::Rethrow { a: caught });
        }
        let covered = self.pc();
        self.aim(ends);
        if let Some(f) = &t.finally {
            let scratch = self.alloc()?;
            self.compute(f, scratch)?;
            let over = self.jump(Op::Jump { to: 0 });
            let at = self.pc();
            self.p.handlers.push(Handler { from: start, to: covered, at, reg: caught, all: true });
            self.compute(f, scratch)?;
            self.op(Op::Rethrow { a: caught });
            self.aim(vec![over]);
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    // Constants of a `case` are realised data: nothing in them changes while they are keys.
    #[allow(clippy::mutable_key_type)]
    fn case(&mut self, c: &Case, d: Option<Reg>) -> Emitted {
        let a = self.operand(&c.subject)?;
        let table = self.p.cases.len();
        self.p.cases.push((BTreeMap::new(), 0));
        self.op(Op::Case { a, table: table as u32 });
        let mut ends = Vec::new();
        let mut targets = BTreeMap::new();
        for (constants, e) in &c.branches {
            let here = self.pc();
            targets.extend(constants.iter().map(|v| (map::Key(v.clone()), here)));
            self.result(e, d)?;
            if d.is_some() {
                let j = self.jump(Op::Jump { to: 0 });
                ends.push(j);
            }
        }
        let default = self.pc();
        match &c.default {
            Some(e) => self.result(e, d)?,
            None => self.op(Op::NoClause { a }),
        }
        if let Some(slot) = self.p.cases.get_mut(table) {
            *slot = (targets, default);
        }
        self.aim(ends);
        Ok(())
    }

    /// A call of a function of the language: the commonest ones are operations.
    fn builtin(&mut self, b: &'static Builtin, args: &[Expr], d: Reg) -> Emitted {
        if let [x] = args {
            let test = match b.name {
                "not" => Some(Test::Not),
                "nil?" => Some(Test::Nil),
                "some?" => Some(Test::Some),
                _ => None,
            };
            if let Some(kind) = test {
                let a = self.operand(x)?;
                self.op(Op::Test { kind, d, a });
                return Ok(());
            }
            if let Some(k) = match b.name {
                "inc" => Some(1),
                "dec" => Some(-1),
                _ => None,
            } {
                let a = self.operand(x)?;
                self.op(Op::AddK { d, a, k });
                return Ok(());
            }
        }
        if let [x, y] = args
            && self.binary(b, x, y, d)?
        {
            return Ok(());
        }
        if args.len() > 2
            && let Some(make) = arithmetic(b)
        {
            return self.fold(make, args, d);
        }
        let Some((a, n)) = self.arguments(args)? else {
            let f = Expr { span: self.span, node: Node::Const(Value::Builtin(b)) };
            return self.call_many(&f, args, d);
        };
        let index = match self.p.builtins.iter().position(|x| std::ptr::eq(*x, b)) {
            Some(i) => i,
            None => {
                self.p.builtins.push(b);
                self.p.builtins.len() - 1
            }
        };
        self.op(Op::CallBuiltin { d, a, n, b: index as u32 });
        Ok(())
    }

    fn binary(&mut self, b: &'static Builtin, x: &Expr, y: &Expr, d: Reg) -> Emitted<bool> {
        let constant = |e: &Expr| if let Node::Const(Value::Int(i)) = e.node { i32::try_from(i).ok() } else { None };
        let op: Option<fn(Reg, Reg, i32) -> Op> = match (b.name, constant(y)) {
            ("+", Some(_)) => Some(|d, a, k| Op::AddK { d, a, k }),
            ("-", Some(k)) if k != i32::MIN => Some(|d, a, k| Op::AddK { d, a, k: -k }),
            ("*", Some(_)) => Some(|d, a, k| Op::MulK { d, a, k }),
            ("quot", Some(1..)) => Some(|d, a, k| Op::DivK { kind: Div::Quot, d, a, k }),
            ("rem", Some(1..)) => Some(|d, a, k| Op::DivK { kind: Div::Rem, d, a, k }),
            ("mod", Some(1..)) => Some(|d, a, k| Op::DivK { kind: Div::Mod, d, a, k }),
            _ => None,
        };
        if let (Some(op), Some(k), false) = (op, constant(y), is_const(x)) {
            let a = self.operand(x)?;
            self.op(op(d, a, k));
            return Ok(true);
        }
        if let (Some(k), "+" | "*", false) = (constant(x), b.name, is_const(y)) {
            let a = self.operand(y)?;
            self.op(if b.name == "+" { Op::AddK { d, a, k } } else { Op::MulK { d, a, k } });
            return Ok(true);
        }
        let op: fn(Reg, Reg, Reg) -> Op = match b.name {
            "quot" => |d, a, b| Op::Div { kind: Div::Quot, d, a, b },
            "rem" => |d, a, b| Op::Div { kind: Div::Rem, d, a, b },
            "mod" => |d, a, b| Op::Div { kind: Div::Mod, d, a, b },
            _ => match arithmetic(b) {
                Some(op) => op,
                None => {
                    let Some(kind) = comparison(b) else { return Ok(false) };
                    let [a, b] = self.operands([x, y])?;
                    self.op(Op::Compare { kind, d, a, b });
                    return Ok(true);
                }
            },
        };
        let [a, b] = self.operands([x, y])?;
        self.op(op(d, a, b));
        Ok(true)
    }

    /// `(+ a b c ...)` from the left.
    fn fold(&mut self, make: fn(Reg, Reg, Reg) -> Op, args: &[Expr], d: Reg) -> Emitted {
        let regs = args.iter().map(|e| self.operand(e)).collect::<Emitted<Vec<Reg>>>()?;
        // A result register of its own: `d` may be one of the operands still to be read.
        let out = self.alloc()?;
        let mut regs = regs.into_iter();
        let mut left = regs.next().unwrap_or(d);
        for b in regs {
            self.op(make(out, left, b));
            left = out;
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }
}

fn arithmetic(b: &Builtin) -> Option<fn(Reg, Reg, Reg) -> Op> {
    match b.name {
        "+" => Some(|d, a, b| Op::Add { d, a, b }),
        "-" => Some(|d, a, b| Op::Sub { d, a, b }),
        "*" => Some(|d, a, b| Op::Mul { d, a, b }),
        _ => None,
    }
}

fn comparison(b: &Builtin) -> Option<Cmp> {
    Some(match b.name {
        "<" => Cmp::Lt,
        "<=" => Cmp::Le,
        ">" => Cmp::Gt,
        ">=" => Cmp::Ge,
        "=" => Cmp::Eq,
        "not=" => Cmp::Ne,
        _ => return None,
    })
}

fn flip(kind: Cmp) -> Cmp {
    match kind {
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
        Cmp::Eq | Cmp::Ne => kind,
    }
}

fn small(e: &Expr) -> Option<i16> {
    if let Node::Const(Value::Int(i)) = e.node { i16::try_from(i).ok() } else { None }
}

fn is_const(e: &Expr) -> bool {
    matches!(e.node, Node::Const(_))
}

/// Whether computing `e` writes its target once, as its last step.
fn writes_once(e: &Expr) -> bool {
    matches!(
        e.node,
        Node::Const(_)
            | Node::CallBuiltin(..)
            | Node::CallGlobal(..)
            | Node::CallSelf(_)
            | Node::Call(..)
            | Node::Lookup(..)
            | Node::Nth(..)
            | Node::Rest(..)
            | Node::Capture(_)
            | Node::Global(_)
    )
}
