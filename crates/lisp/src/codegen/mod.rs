//! Expressions to code: registers are handed out like a stack, operands that are variables are read where they are.

mod branches;
mod builtins;
mod data;
mod functions;

use super::bytecode::{self, DefInfo, FIRST, Op, Proto, Reg, Template};
use crate::analyze::ir::{Def, Expr, Node, Var};
use crate::error::{Error, ErrorKind};
use crate::fuel::{Cost, WEIGHT_PER_COST};
use crate::interface::ToolSpec;
use crate::span::Span;
use crate::value::node::on_deep_stack;
use crate::value::{Value, Width};
use std::sync::{Arc, LazyLock};

type Emitted<T = ()> = Result<T, Error>;

/// The parameters of a program.
static NO_PARAMS: LazyLock<Arc<str>> = LazyLock::new(|| Arc::from("[]"));

/// The code of a whole program: the body of a function of no arguments. `plain` is for tests: one operation for each
/// thing a program says, and arguments held by somebody else too, so that nothing is changed in place.
///
/// # Errors
/// When a function needs more registers than there are.
pub fn program(body: &Expr, vars: u32, tools: &[ToolSpec], plain: bool) -> Emitted<Arc<Template>> {
    // It runs once and is dropped: nothing is gained by giving back what it has room for.
    let mut bodies = bytecode::body();
    if let Some(p) = bodies.first_mut() {
        emit(p, body, vars, (0, false), tools, plain)?;
    }
    Ok(Arc::new(Template::program(NO_PARAMS.clone(), bodies)))
}

fn proto(body: &Expr, vars: u32, params: (u32, bool), tools: &[ToolSpec], plain: bool) -> Emitted<Proto> {
    let mut p = Proto::with_room();
    emit(&mut p, body, vars, params, tools, plain)?;
    Ok(p)
}

/// Makes the code of a body in `p`, which has none yet.
fn emit(p: &mut Proto, body: &Expr, vars: u32, (fixed, rest): (u32, bool), tools: &[ToolSpec], plain: bool) -> Emitted {
    let mut e = Emitter {
        p,
        vars: vec![0; vars as usize],
        free: 0,
        loops: Vec::new(),
        span: body.span,
        depth: LEVELS - 1,
        tools,
        plain,
        onward: std::ptr::null(),
    };
    e.p.fixed = fixed as usize;
    e.p.rest = rest;
    for v in 0..fixed + u32::from(rest) {
        let r = e.alloc()?;
        e.place(v, r);
    }
    e.ret(body)?;
    e.p.cost = Cost(1 + weight(&e.p.code) / WEIGHT_PER_COST);
    e.p.leaf = !plain && e.p.is_leaf();
    e.p.pure = e.p.leaf && e.p.is_pure();
    e.p.straight = e.p.pure && e.p.is_straight();
    Ok(())
}

/// What operations cost, in parts of a unit: [`WEIGHT_PER_COST`] of them.
pub(super) fn weight(code: &[Op]) -> u64 {
    code.iter()
        .map(|op| match op {
            Op::Rest { .. } => 48,
            Op::Keyed { .. } | Op::Case { .. } | Op::CallMany { .. } => 32,
            Op::Lookup { .. } => 24,
            Op::Nth { .. } => 12,
            Op::Call { .. } | Op::CallGlobal { .. } | Op::CallSelf { .. } => 8,
            Op::Global { .. } | Op::Capture { .. } | Op::Const { .. } | Op::Move { .. } | Op::Ret { .. } => 4,
            _ => 2,
        })
        .sum()
}

struct Loop {
    vars: Vec<Reg>,
    head: u32,
}

struct Emitter<'t> {
    p: &'t mut Proto,
    vars: Vec<Reg>,
    free: usize,
    loops: Vec<Loop>,
    span: Span,
    depth: u32,
    tools: &'t [ToolSpec],
    /// Whether nothing is fused or changed in place.
    plain: bool,
    /// The arguments of the call of a stage that is being emitted, whose value the next one takes.
    onward: *const Expr,
}

/// How many levels of expressions become code before the native stack is looked at again; a function begins at the
/// level before that.
const LEVELS: u32 = 4;

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
        if self.p.constants.capacity() == 0 {
            self.p.constants = Vec::with_capacity(FIRST);
        }
        self.p.constants.push(v);
        self.p.constants.len() as u32 - 1
    }

    /// Runs with the span of `e`, on a stack that is deep enough.
    fn at<R>(&mut self, e: &Expr, f: impl FnOnce(&mut Self) -> R) -> R {
        let outer = std::mem::replace(&mut self.span, e.span);
        self.depth += 1;
        let r = if self.depth.is_multiple_of(LEVELS) { on_deep_stack(|| f(self)) } else { f(self) };
        self.depth -= 1;
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

    /// Puts values side by side into new registers: first what is computed, then what is read from variables, and at last
    /// constants, so that one that the loop for numbers cannot copy leaves it where the call does.
    fn side_by_side(&mut self, items: &[&Expr]) -> Emitted<Reg> {
        let first = Reg::try_from(self.free).map_err(|_| self.too_large())?;
        let end = Reg::try_from(self.free + items.len()).map_err(|_| self.too_large())?;
        self.free += items.len();
        self.p.regs = self.p.regs.max(self.free);
        let rank = |e: &Expr| match e.node {
            Node::Const(_) => 2,
            Node::Local { .. } => 1,
            _ => 0,
        };
        let there = items.iter().fold(0u8, |all, e| all | 1 << rank(e));
        for turn in (0..3).filter(|turn| there >> turn & 1 == 1) {
            for (r, e) in (first..end).zip(items) {
                if rank(e) == turn {
                    self.compute(e, r)?;
                }
            }
        }
        if !self.plain || items.is_empty() {
            return Ok(first);
        }
        let copies = Reg::try_from(self.free).map_err(|_| self.too_large())?;
        for s in first..end {
            let d = self.alloc()?;
            self.op(Op::Move { d, s });
        }
        Ok(copies)
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
            Node::LetfnRef(t) => self.op(Op::LetfnRef { d, t: *t }),
            Node::Global(g) => self.op(Op::Global { d, g: *g }),
            Node::LastResult(i) => self.op(Op::LastResult { d, i: *i }),
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
                    crate::analyze::ir::PIECE,
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
                let mark = self.p.constants.last().map_or(0, Value::constant_mark);
                self.op(Op::Lookup { d, a, mark, k });
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
            Node::Def(def) => self.def(def, d, true)?,
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

    /// A definition; `read` says whether anything reads its var.
    fn def(&mut self, def: &Def, d: Reg, read: bool) -> Emitted {
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
            read,
            facts: def.facts.clone(),
        };
        if self.p.defs.capacity() == 0 {
            self.p.defs = Vec::with_capacity(FIRST);
        }
        self.p.defs.push(info);
        let k = self.p.defs.len() as u32 - 1;
        self.op(Op::Def { d, a, k });
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
            Value::Int(i) if i.width() == Width::W64 && i32::try_from(i.get()).is_ok() => {
                self.op(Op::Int { d, v: i.get() as i32 })
            }
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
            match &e.node {
                Node::Def(def) => self.at(e, |s| s.def(def, scratch, false))?,
                _ => self.compute(e, scratch)?,
            }
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
}
