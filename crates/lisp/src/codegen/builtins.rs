//! Calls of functions of the language: the commonest ones are operations.

use super::{Emitted, Emitter};
use crate::analyze::ir::{Expr, Node};
use crate::builtins::functions::combinators::of_constants;
use crate::bytecode::{Cast, Cmp, Div, Op, Reg, Test, Update};
use crate::value::{Builtin, Value};
use smallvec::SmallVec;
use std::num::NonZeroU32;

impl Emitter<'_> {
    /// A call of a function of the language: the commonest ones are operations.
    pub(super) fn builtin(&mut self, b: &'static Builtin, args: &[Expr], d: Reg) -> Emitted {
        if self.plain {
            return self.call_builtin(b, args, d);
        }
        if let [x] = args {
            let test = match b.name() {
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
            if let Some(kind) = Cast::of(b.name()) {
                let a = self.operand(x)?;
                self.op(Op::Cast { kind, d, a });
                return Ok(());
            }
            if let Some(k) = match b.name() {
                "inc" => Some(1),
                "dec" => Some(-1),
                _ => None,
            } {
                let a = self.operand(x)?;
                self.op(Op::Step { d, a, k });
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
        if let ("group-by", [key, chosen]) = (b.name(), args)
            && let (Node::Const(Value::Keyword(_)), Some(choice)) = (&key.node, Choice::of(chosen))
        {
            return self.group_chosen(b, key, chosen, choice, d);
        }
        self.call_builtin(b, args, d)
    }

    /// `(group-by :k (filter pred coll))`: both at once, where nothing but computing is to be done; else one after the other.
    fn group_chosen(&mut self, b: &'static Builtin, key: &Expr, chosen: &Expr, of: Choice<'_>, d: Reg) -> Emitted {
        let Some(both) = crate::builtins::find("group-chosen*") else { return Err(self.too_large()) };
        let given = self.at(chosen, |s| s.side_by_side(&of.args))?;
        let result = self.alloc()?;
        let [k, pred, coll, wanted] = [self.alloc()?, self.alloc()?, self.alloc()?, self.alloc()?];
        self.compute(key, k)?;
        self.op(Op::Move { d: pred, s: given });
        self.op(Op::Move { d: coll, s: given + 1 });
        self.load(&Value::Bool(of.choose.name() != "remove"), wanted);
        let index = self.builtin_index(both);
        self.op(Op::CallBuiltin { d: result, a: k, n: 4, b: index });
        let done = self.jump(Op::JumpSome { a: result, to: 0 });
        let index = self.builtin_index(of.choose);
        self.at(chosen, |s| s.op(Op::CallBuiltin { d: pred, a: given, n: 2, b: index }));
        self.compute(key, k)?;
        let index = self.builtin_index(b);
        self.op(Op::CallBuiltin { d: result, a: k, n: 2, b: index });
        self.aim(vec![done]);
        // What was grouped is held no longer than by the calls.
        self.op(Op::Nil { d: given });
        self.op(Op::Nil { d: given + 1 });
        self.op(Op::Take { d, s: result });
        Ok(())
    }

    /// The place of a builtin among those of the function.
    fn builtin_index(&mut self, b: &'static Builtin) -> u32 {
        let known = self.p.builtins.iter().position(|x| std::ptr::eq(*x, b));
        known.unwrap_or_else(|| {
            if self.p.builtins.capacity() == 0 {
                self.p.builtins = Vec::with_capacity(super::FIRST);
            }
            self.p.builtins.push(b);
            self.p.builtins.len() - 1
        }) as u32
    }

    /// What a call of `b` is, and notes the call that gives it its last argument: whether both are stages of a pipeline.
    fn staged(&mut self, b: &'static Builtin, args: &[Expr]) -> &'static Builtin {
        let before = match args.last().map(|e| &e.node) {
            Some(Node::CallBuiltin(before, inner)) if inner.len() == 2 && is_stage(before.name()) => {
                Some(inner.as_ptr())
            }
            _ => None,
        };
        if self.plain || (before.is_none() && self.onward.is_null()) {
            return b;
        }
        let onward = std::ptr::eq(std::mem::replace(&mut self.onward, std::ptr::null()), args.as_ptr());
        let twin = |end: &str| crate::builtins::find(&format!("{}{end}", b.name().trim_end_matches('*'))).unwrap_or(b);
        let takes = match (b.name(), args.len()) {
            ("reduce", 2 | 3) | ("count", 1) => true,
            ("mapv" | "filterv", 2) => true,
            (name, 2) => is_stage(name),
            _ => false,
        };
        if !takes {
            return b;
        }
        let Some(before) = before else { return if onward { twin("-on*") } else { b } };
        self.onward = before;
        twin(if onward || matches!(b.name(), "reduce" | "count") { "-on*" } else { "-end*" })
    }

    fn call_builtin(&mut self, b: &'static Builtin, args: &[Expr], d: Reg) -> Emitted {
        // A function that is made of constants, and only called, is made once.
        let made = called(b).and_then(|i| Some((i, args.get(i)?))).filter(|_| !self.plain);
        let made = made.and_then(|(i, e)| Some((i, Expr { span: e.span, node: Node::Const(made_of_constants(e)?) })));
        let mut refs: SmallVec<[&Expr; 8]> = args.iter().collect();
        let b = self.staged(b, args);
        if let Some((i, e)) = &made
            && let Some(slot) = refs.get_mut(*i)
        {
            *slot = e;
        }
        if let ("update", [coll, key, f, more @ ..], false) = (b.name(), refs.as_slice(), self.plain)
            && let Node::Const(f) = &f.node
            && let Some(update) = Update::of(b, f, more.len())
        {
            let places: SmallVec<[&Expr; 8]> = [*coll, *key].into_iter().chain(more.iter().copied()).collect();
            let a = self.side_by_side(&places)?;
            self.p.updates.push(update);
            self.op(Op::Update { d, a, u: self.p.updates.len() as u32 - 1 });
            return Ok(());
        }
        let Some((a, n)) = self.arguments_of(&refs)? else {
            let f = Expr { span: self.span, node: Node::Const(Value::Builtin(b)) };
            return self.call_many(&f, args, d);
        };
        let index = self.builtin_index(b);
        self.op(Op::CallBuiltin { d, a, n, b: index });
        Ok(())
    }

    pub(super) fn binary(&mut self, b: &'static Builtin, x: &Expr, y: &Expr, d: Reg) -> Emitted<bool> {
        let constant =
            |e: &Expr| if let Node::Const(Value::Int(i)) = e.node { i32::try_from(i.get()).ok() } else { None };
        let division = match b.name() {
            "quot" => Some(Div::Quot),
            "rem" => Some(Div::Rem),
            "mod" => Some(Div::Mod),
            _ => None,
        };
        let above_0 = constant(y).and_then(|k| NonZeroU32::new(u32::try_from(k).ok()?));
        if let (Some(kind), Some(k), false) = (division, above_0, is_const(x)) {
            let a = self.operand(x)?;
            self.op(Op::DivK { kind, d, a, k });
            return Ok(true);
        }
        let op: Option<fn(Reg, Reg, i32) -> Op> = match (b.name(), constant(y)) {
            ("+", Some(_)) => Some(|d, a, k| Op::AddK { d, a, k }),
            ("-", Some(k)) if k != i32::MIN => Some(|d, a, k| Op::AddK { d, a, k: -k }),
            ("*", Some(_)) => Some(|d, a, k| Op::MulK { d, a, k }),
            _ => None,
        };
        if let (Some(op), Some(k), false) = (op, constant(y), is_const(x)) {
            let a = self.operand(x)?;
            self.op(op(d, a, k));
            return Ok(true);
        }
        if let (Some(k), "+" | "*", false) = (constant(x), b.name(), is_const(y)) {
            let a = self.operand(y)?;
            self.op(if b.name() == "+" { Op::AddK { d, a, k } } else { Op::MulK { d, a, k } });
            return Ok(true);
        }
        let op: fn(Reg, Reg, Reg) -> Op = match b.name() {
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
    pub(super) fn fold(&mut self, make: fn(Reg, Reg, Reg) -> Op, args: &[Expr], d: Reg) -> Emitted {
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

/// A call that chooses items of a collection by a function of the program.
struct Choice<'e> {
    choose: &'static Builtin,
    args: [&'e Expr; 2],
}

impl<'e> Choice<'e> {
    fn of(e: &'e Expr) -> Option<Self> {
        let Node::CallBuiltin(choose, args) = &e.node else { return None };
        let [pred, coll] = args.as_slice() else { return None };
        let known = matches!(choose.name(), "filter" | "filterv" | "remove");
        (known && matches!(pred.node, Node::Fn(_) | Node::Global(_))).then_some(Choice { choose, args: [pred, coll] })
    }
}

/// Whether it is a stage of a pipeline that can be carried out with others.
fn is_stage(name: &str) -> bool {
    matches!(name, "map" | "for-map*" | "filter" | "remove" | "keep" | "mapcat")
}

/// The argument that a builtin calls, and does nothing else with.
fn called(b: &Builtin) -> Option<usize> {
    match b.name() {
        "update" | "update-in" => Some(2),
        "swap!" | "vswap!" | "update-vals" | "update-keys" => Some(1),
        "map" | "mapv" | "filter" | "filterv" | "remove" | "keep" | "mapcat" | "reduce" | "sort-by" | "group-by"
        | "merge-with" => Some(0),
        _ => None,
    }
}

/// The function that a call of `fnil`, `partial` and the like makes of constants.
fn made_of_constants(e: &Expr) -> Option<Value> {
    let Node::CallBuiltin(b, args) = &e.node else { return None };
    let value = |e: &Expr| match &e.node {
        Node::Const(v) if v.holds_nothing() || matches!(v, Value::Builtin(_)) => Some(v.clone()),
        _ => None,
    };
    of_constants(b.name(), &args.iter().map(value).collect::<Option<Vec<Value>>>()?)
}

pub(super) fn arithmetic(b: &Builtin) -> Option<fn(Reg, Reg, Reg) -> Op> {
    match b.name() {
        "+" => Some(|d, a, b| Op::Add { d, a, b }),
        "-" => Some(|d, a, b| Op::Sub { d, a, b }),
        "*" => Some(|d, a, b| Op::Mul { d, a, b }),
        _ => None,
    }
}

/// Whether a call with this many arguments is an operation on numbers.
pub(super) fn is_arithmetic(b: &Builtin, args: usize) -> bool {
    match b.name() {
        "inc" | "dec" => args == 1,
        "+" | "-" | "*" | "quot" | "rem" | "mod" => args == 2,
        _ => false,
    }
}

pub(super) fn comparison(b: &Builtin) -> Option<Cmp> {
    Some(match b.name() {
        "<" => Cmp::Lt,
        "<=" => Cmp::Le,
        ">" => Cmp::Gt,
        ">=" => Cmp::Ge,
        "=" => Cmp::Eq,
        "not=" => Cmp::Ne,
        _ => return None,
    })
}

pub(super) fn flip(kind: Cmp) -> Cmp {
    match kind {
        Cmp::Lt => Cmp::Gt,
        Cmp::Le => Cmp::Ge,
        Cmp::Gt => Cmp::Lt,
        Cmp::Ge => Cmp::Le,
        Cmp::Eq | Cmp::Ne => kind,
    }
}

pub(super) fn small(e: &Expr) -> Option<i32> {
    if let Node::Const(Value::Int(i)) = e.node { i32::try_from(i.get()).ok() } else { None }
}

pub(super) fn is_const(e: &Expr) -> bool {
    matches!(e.node, Node::Const(_))
}
