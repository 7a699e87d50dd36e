//! Functions made and functions called.

use super::{Emitted, Emitter, proto};
use crate::analyze::ir::PIECE;
use crate::analyze::ir::{Arity, Expr, FnExpr, Node};
use crate::bytecode::{Grab, Op, Proto, Reg, Template};
use std::sync::Arc;

impl Emitter<'_> {
    pub(super) fn function(&mut self, f: &FnExpr, d: Reg) -> Emitted {
        let template = Arc::new(self.template(f)?);
        let grabs = self.grabs(&f.captures);
        self.p.functions.push((template, grabs));
        let t = self.p.functions.len() as u32 - 1;
        self.op(Op::Closure { d, t });
        Ok(())
    }

    pub(super) fn template(&self, f: &FnExpr) -> Emitted<Template> {
        let arity = |a: &Arity| -> Emitted<Proto> {
            let mut p = proto(&a.body, a.vars, (a.fixed, a.rest), self.tools, self.plain)?;
            // What is kept for as long as the function is.
            p.code.shrink_to_fit();
            p.spans.shrink_to_fit();
            p.constants.shrink_to_fit();
            Ok(p)
        };
        let arities = f.arities.iter().map(arity).collect::<Emitted<Vec<Proto>>>()?;
        Ok(Template::new(f.name.clone(), f.doc.clone(), f.params.clone(), arities))
    }

    pub(super) fn grabs(&self, captures: &[Expr]) -> Vec<Grab> {
        let grab = |c: &Expr| match c.node {
            Node::Local { var, last: true } => Grab::Take(self.reg(var)),
            Node::Local { var, last: false } => Grab::Copy(self.reg(var)),
            Node::Capture(i) => Grab::Capture(i),
            Node::LetfnRef(i) => Grab::LetfnRef(i),
            _ => Grab::SelfFn,
        };
        captures.iter().map(grab).collect()
    }

    /// Makes the functions of a `letfn` in registers side by side.
    pub(super) fn letfn(&mut self, e: &Expr) -> Emitted {
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
    pub(super) fn arguments(&mut self, args: &[Expr]) -> Emitted<Option<(Reg, u8)>> {
        let refs: smallvec::SmallVec<[&Expr; 8]> = args.iter().collect();
        self.arguments_of(&refs)
    }

    /// As [`Emitter::arguments`], of expressions that are in several places.
    pub(super) fn arguments_of(&mut self, refs: &[&Expr]) -> Emitted<Option<(Reg, u8)>> {
        let Ok(n) = u8::try_from(refs.len()) else { return Ok(None) };
        // A call's window starts where its arguments are, so even a call without any needs the next register.
        let a = self.side_by_side(refs)?;
        self.p.regs = self.p.regs.max(self.free + 1);
        Ok(Some((a, n)))
    }

    pub(super) fn call(&mut self, f: &Expr, args: &[Expr], d: Reg) -> Emitted {
        if args.len() > usize::from(u8::MAX) {
            return self.call_many(f, args, d);
        }
        let f = self.operand(f)?;
        if let Some((a, n)) = self.arguments(args)? {
            self.op(Op::Call { d, a, n, f });
        }
        Ok(())
    }

    pub(super) fn call_many(&mut self, f: &Expr, args: &[Expr], d: Reg) -> Emitted {
        let a = self.alloc()?;
        let list = self.alloc()?;
        // A variable is called and may be an argument too: it is not moved away before those are read.
        match f.node {
            Node::Local { var, .. } => self.op(Op::Move { d: a, s: self.reg(var) }),
            _ => self.compute(f, a)?,
        }
        let refs: Vec<&Expr> = args.iter().collect();
        self.pieces(&refs, PIECE, list, |d, a, n| Op::Vector { d, a, n }, |d, a, n| Op::Append { d, a, n })?;
        self.op(Op::CallMany { d, a });
        Ok(())
    }
}
