//! Control flow: choices, loops, `try` and `case`.

use super::builtins::{comparison, flip, is_arithmetic, is_const, small};
use super::{Emitted, Emitter, Loop, Patch, weight};
use crate::analyze::ir::{Case, Expr, Node, Try, Var};
use crate::bytecode::{Handler, Op, Reg};
use crate::fuel::WEIGHT_PER_COST;
use crate::value::node::on_deep_stack;
use crate::value::{Value, map};
use std::collections::{BTreeMap, HashMap, HashSet};

impl Emitter<'_> {
    pub(super) fn choice(&mut self, e: &Expr, d: Option<Reg>) -> Emitted {
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
    pub(super) fn unless(&mut self, test: &Expr) -> Emitted<Vec<Patch>> {
        let free = self.free;
        let r = self.at(test, |s| s.unless_node(test));
        self.free = free;
        r
    }

    pub(super) fn unless_node(&mut self, test: &Expr) -> Emitted<Vec<Patch>> {
        match &test.node {
            Node::Const(v) if v.truthy() => return Ok(Vec::new()),
            Node::CallBuiltin(b, args) if !self.plain => {
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
                let jump: Option<fn(Reg) -> Op> = match (b.name(), args.len()) {
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
            Node::And(items) if !self.plain => {
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

    pub(super) fn logic(&mut self, items: &[Expr], d: Reg, jump: fn(Reg, u32) -> Op) -> Emitted {
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

    pub(super) fn loop_(&mut self, bindings: &[(Var, Expr)], body: &Expr, d: Option<Reg>) -> Emitted {
        self.bind(bindings)?;
        let vars = bindings.iter().map(|(v, _)| self.reg(*v)).collect();
        let head = self.pc();
        self.loops.push(Loop { vars, head });
        let r = self.result(body, d);
        self.loops.pop();
        r
    }

    pub(super) fn recur(&mut self, vars: &[Var], args: &[Expr], function: bool) -> Emitted {
        let (targets, head) = match self.loops.last() {
            Some(l) if !function => (l.vars.clone(), l.head),
            _ => (vars.iter().map(|v| self.reg(*v)).collect(), 0),
        };
        // Reads of each target by arguments that are computed after it decide whether it may be written at once.
        let mut late: Vec<(Reg, Reg)> = Vec::new();
        let mut readers = Readers::default();
        for (i, e) in args.iter().enumerate() {
            match e.node {
                Node::Local { var, .. } => readers.note(self.reg(var), usize::MAX),
                _ => self.readers(e, i, &mut readers),
            }
        }
        // `(inc i)` before other sums that read `i`: after them it needs no register besides that of `i`. They can fail
        // only as it can, so it makes no difference that a program could see, except which of two errors is told.
        let sums = args.iter().rev().take_while(|e| !self.plain && self.computes(e, None)).count();
        let steps = |s: &Self, i: usize, e: &Expr, target: Reg| {
            i + sums >= args.len()
                && matches!(e.node, Node::CallBuiltin(..))
                && readers.after(i, target)
                && !readers.is_copied(target)
                && s.computes(e, Some(target))
        };
        let mut stepped = Vec::new();
        for (i, (e, target)) in args.iter().zip(&targets).enumerate() {
            if matches!(e.node, Node::Local { .. }) {
                continue;
            }
            if steps(self, i, e, *target) {
                stepped.push((e, *target));
            } else if !self.plain && !readers.after(i, *target) && writes_once(e) {
                self.compute(e, *target)?;
            } else {
                let r = self.alloc()?;
                self.compute(e, r)?;
                late.push((*target, r));
            }
        }
        // A variable that one argument leaves where it is and another one copies is still wanted where it is.
        let stays: HashSet<Reg> = args
            .iter()
            .zip(&targets)
            .filter_map(|(e, t)| match e.node {
                Node::Local { var, .. } if self.reg(var) == *t => Some(*t),
                _ => None,
            })
            .collect();
        for (e, target) in args.iter().zip(&targets) {
            if let Node::Local { var, last } = e.node {
                let s = self.reg(var);
                if s != *target {
                    let r = self.alloc()?;
                    let moved = last && !stays.contains(&s);
                    self.op(if moved { Op::Take { d: r, s } } else { Op::Move { d: r, s } });
                    late.push((*target, r));
                }
            }
        }
        for (e, target) in stepped {
            self.compute(e, target)?;
        }
        for (d, s) in late {
            self.op(Op::Take { d, s });
        }
        // A short round is mostly its jump back: operations of a loop weigh twice what they do in a body that is
        // called.
        let cost = 1 + weight(self.p.code.get(head as usize..).unwrap_or_default()) / (WEIGHT_PER_COST / 2);
        self.op(Op::Loop { to: head, cost: u16::try_from(cost).unwrap_or(u16::MAX) });
        Ok(())
    }

    /// Whether this is arithmetic of numbers and variables, of none but the one in `only` where that is given.
    fn computes(&self, e: &Expr, only: Option<Reg>) -> bool {
        on_deep_stack(|| match &e.node {
            Node::Const(Value::Int(_) | Value::Float(_)) => true,
            Node::Local { var, .. } => only.is_none_or(|r| self.reg(*var) == r),
            Node::CallBuiltin(b, args) => is_arithmetic(b, args.len()) && args.iter().all(|e| self.computes(e, only)),
            _ => false,
        })
    }

    /// Notes which registers argument `i` reads.
    fn readers(&self, e: &Expr, i: usize, out: &mut Readers) {
        on_deep_stack(|| match &e.node {
            Node::Local { var, .. } => out.note(self.reg(*var), i),
            Node::Const(_)
            | Node::Capture(_)
            | Node::SelfFn
            | Node::LetfnRef(_)
            | Node::Global(_)
            | Node::LastResult(_)
            | Node::CallBuiltin(..)
            | Node::CallGlobal(..)
            | Node::CallSelf(_)
            | Node::CallTool(..)
            | Node::Vector(_)
            | Node::And(_)
            | Node::Or(_)
            | Node::Do(_)
            | Node::Call(..)
            | Node::If(_)
            | Node::Lookup(..)
            | Node::Nth(..)
            | Node::Rest(..)
            | Node::Keyed(_)
            | Node::Fn(_) => e.node.each_part(&mut |part| self.readers(part, i, out)),
            // Variables bound inside have no register yet: as if it read all, and lose one move.
            _ => out.all = Some(i),
        });
    }

    pub(super) fn try_(&mut self, t: &Try, d: Reg) -> Emitted {
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
            // The code is here once, whatever led to it: what is to go on afterwards is in `caught`, or nothing.
            self.op(Op::Nil { d: caught });
            let at = self.pc();
            self.p.handlers.push(Handler { from: start, to: covered, at, reg: caught, all: true });
            let scratch = self.alloc()?;
            self.compute(f, scratch)?;
            let over = self.jump(Op::JumpNil { a: caught, to: 0 });
            self.op(Op::Rethrow { a: caught });
            self.aim(vec![over]);
        }
        self.op(Op::Take { d, s: out });
        Ok(())
    }

    // Constants of a `case` are realised data: nothing in them changes while they are keys.
    #[allow(clippy::mutable_key_type)]
    pub(super) fn case(&mut self, c: &Case, d: Option<Reg>) -> Emitted {
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
}

/// The last argument of a `recur` that reads a register.
#[derive(Default)]
struct Readers {
    last: HashMap<Reg, usize>,
    /// The last one that may read any.
    all: Option<usize>,
}

impl Readers {
    fn note(&mut self, reg: Reg, i: usize) {
        let last = self.last.entry(reg).or_insert(i);
        *last = (*last).max(i);
    }

    /// Whether an argument is `reg` itself.
    fn is_copied(&self, reg: Reg) -> bool {
        self.last.get(&reg) == Some(&usize::MAX)
    }

    /// Whether an argument behind argument `i` reads `reg`.
    fn after(&self, i: usize, reg: Reg) -> bool {
        self.all.is_some_and(|j| j > i) || self.last.get(&reg).is_some_and(|j| *j > i)
    }
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
