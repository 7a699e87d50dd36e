//! The loop that runs operations.
//!
//! Registers are in one array; a function's window begins where its arguments were put. The emitter hands out every
//! register number below `Proto::regs` and entering a function makes room for all of them, so indexing by them holds.

use super::chosen::Callee;
use super::fast_path::{Place, put};
use super::numbers::{divided, floats, holds};
use super::state::{Frame, Vm};
use crate::bytecode::{Closure, InPlace, OF_SEQ, Op, Proto};
use crate::cost;
use crate::error::ErrorKind;
use crate::fuel::{CAUGHT, Cost};
use crate::host::{Interrupt, Result};
use crate::interface::ToolSpec;
use crate::number;
use crate::value::{Function, Int, Value, Vector, map::Map};

/// Why the loop over one function's operations was left.
enum Exit {
    /// Another function runs now: which, which body, where its registers begin.
    Call(Function, usize, usize),
    /// The caller continues.
    Return,
    /// The function that was entered from outside has its value.
    Done(Value),
    /// Something stopped.
    Interrupt(Interrupt),
}

#[inline(always)]
fn set_int(slot: &mut Value, v: i64) {
    set_number(slot, Int::new(v));
}

#[inline(always)]
fn set_number(slot: &mut Value, v: Int) {
    // Writing into a live integer writes no tag.
    if let Value::Int(p) = slot { *p = v } else { put(slot, Value::Int(v)) }
}

#[inline(always)]
fn set_float(slot: &mut Value, v: f64) {
    if let Value::Float(p) = slot { *p = v.into() } else { put(slot, Value::float(v)) }
}

/// Unwraps a result or leaves the loop.
macro_rules! ok {
    ($e:expr) => {
        match $e {
            Ok(v) => v,
            Err(stop) => break Exit::Interrupt(stop),
        }
    };
}

impl Vm<'_, '_> {
    /// Runs body `arity` of `f`, which has no arguments.
    pub fn enter(&mut self, f: Function, arity: usize, base: usize) -> Result {
        match proto_of(&f, arity) {
            Some((_, p)) => self.push_frame(p, base)?,
            None => return Err(corrupt_state()),
        }
        self.resume(f, arity, base)
    }

    /// Runs body `arity` of `f`, made ready by [`Vm::prepare`] with its registers from `base` on, until it returns.
    pub fn resume(&mut self, f: Function, arity: usize, base: usize) -> Result {
        let floor = self.frames.len();
        let (mut cur, mut arity, mut base, mut pc) = (f, arity, base, 0usize);
        loop {
            let Some((closure, p)) = proto_of(&cur, arity) else { return Err(corrupt_state()) };
            match self.dispatch(&cur, closure, p, arity, &mut pc, &mut base, floor) {
                Exit::Done(v) => return Ok(v),
                Exit::Call(f, a, b) => {
                    // The frame was pushed without its function: it gets it now, when nothing borrows it any more.
                    let caller = std::mem::replace(&mut cur, f);
                    if let Some(frame) = self.frames.last_mut() {
                        frame.function = Some(caller);
                    }
                    (arity, base, pc) = (a, b, 0);
                }
                Exit::Return => {
                    if let Some(frame) = self.frames.pop() {
                        if let Some(f) = frame.function {
                            cur = f;
                        }
                        arity = frame.arity as usize;
                        base = frame.base;
                        pc = frame.pc as usize;
                    }
                }
                Exit::Interrupt(mut stop) => loop {
                    let Some((closure, p)) = proto_of(&cur, arity) else { return Err(corrupt_state()) };
                    self.locate(&mut stop, closure, p, pc);
                    if let Some((reg, at)) = handler(&stop, p, pc) {
                        // The text of an error, its place and its hint: charged where a program can go on after it.
                        if let Err(end) = self.charge_cost(CAUGHT) {
                            stop = end;
                            continue;
                        }
                        let caught = self.caught(stop);
                        if let Some(slot) = self.stack.get_mut(base + reg as usize) {
                            *slot = caught;
                        }
                        pc = at as usize;
                        break;
                    }
                    self.passed(&mut stop, closure);
                    self.clear_frame(base, p.regs);
                    if self.frames.len() <= floor {
                        return Err(stop);
                    }
                    let Some(frame) = self.frames.pop() else { return Err(stop) };
                    if let Some(f) = frame.function {
                        cur = f;
                    }
                    arity = frame.arity as usize;
                    base = frame.base;
                    pc = frame.pc as usize;
                },
            }
        }
    }

    /// Makes room for a function's registers and charges the call.
    #[inline]
    pub fn push_frame(&mut self, p: &Proto, base: usize) -> Result<()> {
        if self.frames.len() >= self.turn.limits.call_depth as usize {
            return Err(self.too_many_calls());
        }
        self.charge_cost(p.cost)?;
        let need = base + p.window();
        if self.stack.len() < need {
            self.grow_stack(need)?;
        }
        Ok(())
    }

    /// Empties a function's registers, so that nothing is held that nobody can read.
    #[inline]
    pub fn clear_frame(&mut self, base: usize, regs: usize) {
        if let Some(window) = self.stack.get_mut(base..base + regs) {
            for v in window {
                *v = Value::Nil;
            }
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn dispatch(
        &mut self,
        cur: &Function,
        closure: &Closure,
        p: &Proto,
        arity: usize,
        pc_out: &mut usize,
        base_out: &mut usize,
        floor: usize,
    ) -> Exit {
        let (mut pc, mut base) = (*pc_out, *base_out);
        // Wherever the program continues: what an operation realises, compares or calls is a program too, and takes the
        // registers from here on for its own.
        self.top = base + p.regs;
        macro_rules! r {
            ($i:expr) => {
                // Registers are far below what a sum of two could wrap at, and a wrong one is out of bounds.
                self.stack[base.wrapping_add($i as usize)]
            };
        }
        let exit = loop {
            let op = &p.code[pc];
            // One alone is sooner done here than the loop for them is begun.
            if op.is_fast() && p.code.get(pc.wrapping_add(1)).is_some_and(Op::is_fast) {
                let at = self.run_fast(cur, p, arity as u32, floor, Place { pc, base });
                if at.pc != pc || at.base != base {
                    (pc, base) = (at.pc, at.base);
                    self.top = base + p.regs;
                    continue;
                }
            }
            // Matched where it is: each operation reads its own operands only.
            pc = pc.wrapping_add(1);
            match *op {
                Op::Move { d, s } => {
                    if let Value::Int(v) = r!(s) {
                        set_number(&mut r!(d), v);
                        continue;
                    }
                    let v = r!(s).clone();
                    put(&mut r!(d), v);
                }
                Op::Take { d, s } => {
                    if let Value::Int(v) = r!(s) {
                        // An integer that stays holds nothing, and the next one is written over it.
                        set_number(&mut r!(d), v);
                        continue;
                    }
                    let v = std::mem::take(&mut r!(s));
                    put(&mut r!(d), v);
                }
                Op::Const { d, k } => put(&mut r!(d), p.constants[k as usize].clone()),
                Op::Int { d, v } => set_int(&mut r!(d), i64::from(v)),
                Op::Nil { d } => put(&mut r!(d), Value::Nil),
                Op::Capture { d, i } => r!(d) = closure.captures[i as usize].clone(),
                Op::SelfFn { d } => r!(d) = Value::Function(cur.clone()),
                Op::LetfnRef { d, t } => {
                    let v = ok!(self.sibling(closure, t));
                    r!(d) = v;
                }
                Op::Global { d, g } => {
                    let v = ok!(self.global(g));
                    r!(d) = v;
                }
                Op::LastResult { d, i } => {
                    r!(d) = match self.turn.recent.get(usize::from(i)) {
                        Some(v) => v.clone(),
                        None => self.turn.last_error.clone(),
                    };
                }
                Op::Add { d, a, b } => {
                    match (&r!(a), &r!(b)) {
                        (Value::Int(x), Value::Int(y)) => {
                            if let Some(v) = x.get().checked_add(y.get()) {
                                set_int(&mut r!(d), v);
                                continue;
                            }
                        }
                        (x, y) => {
                            if let Some((x, y)) = floats(x, y) {
                                set_float(&mut r!(d), x + y);
                                continue;
                            }
                        }
                    }
                    let (x, y) = (r!(a).clone(), r!(b).clone());
                    let v = ok!(self.arithmetic("+", number::add, &x, &y));
                    r!(d) = v;
                }
                Op::Sub { d, a, b } => {
                    match (&r!(a), &r!(b)) {
                        (Value::Int(x), Value::Int(y)) => {
                            if let Some(v) = x.get().checked_sub(y.get()) {
                                set_int(&mut r!(d), v);
                                continue;
                            }
                        }
                        (x, y) => {
                            if let Some((x, y)) = floats(x, y) {
                                set_float(&mut r!(d), x - y);
                                continue;
                            }
                        }
                    }
                    let (x, y) = (r!(a).clone(), r!(b).clone());
                    let v = ok!(self.arithmetic("-", number::sub, &x, &y));
                    r!(d) = v;
                }
                Op::Mul { d, a, b } => {
                    match (&r!(a), &r!(b)) {
                        (Value::Int(x), Value::Int(y)) => {
                            if let Some(v) = x.get().checked_mul(y.get()) {
                                set_int(&mut r!(d), v);
                                continue;
                            }
                        }
                        (x, y) => {
                            if let Some((x, y)) = floats(x, y) {
                                set_float(&mut r!(d), x * y);
                                continue;
                            }
                        }
                    }
                    let (x, y) = (r!(a).clone(), r!(b).clone());
                    let v = ok!(self.arithmetic("*", number::mul, &x, &y));
                    r!(d) = v;
                }
                Op::AddK { d, a, k } => {
                    if let Value::Int(x) = &r!(a)
                        && let Some(v) = x.get().checked_add(i64::from(k))
                    {
                        set_int(&mut r!(d), v);
                        continue;
                    }
                    if let Value::Float(x) = r!(a) {
                        set_float(&mut r!(d), x.get() + f64::from(k));
                        continue;
                    }
                    // Named as what was written: `(- x 3)` is `(+ x -3)` here.
                    let v = ok!(self.stepped(r!(a).clone(), k, ["-", "+"]));
                    r!(d) = v;
                }
                Op::Step { d, a, k } => {
                    if let Value::Int(x) = &r!(a)
                        && let Some(v) = x.get().checked_add(i64::from(k))
                    {
                        set_int(&mut r!(d), v);
                        continue;
                    }
                    if let Value::Float(x) = r!(a) {
                        set_float(&mut r!(d), x.get() + f64::from(k));
                        continue;
                    }
                    let v = ok!(self.stepped(r!(a).clone(), k, ["dec", "inc"]));
                    r!(d) = v;
                }
                Op::Cast { kind, d, a } => {
                    let v = match kind.plain(&r!(a)) {
                        Some(v) => v,
                        None => ok!(self.cast(kind, r!(a).clone())),
                    };
                    put(&mut r!(d), v);
                }
                Op::MulK { d, a, k } => {
                    if let Value::Int(x) = &r!(a)
                        && let Some(v) = x.get().checked_mul(i64::from(k))
                    {
                        set_int(&mut r!(d), v);
                        continue;
                    }
                    if let Value::Float(x) = r!(a) {
                        set_float(&mut r!(d), x.get() * f64::from(k));
                        continue;
                    }
                    let x = r!(a).clone();
                    let v = ok!(self.arithmetic("*", number::mul, &x, &Value::int(i64::from(k))));
                    r!(d) = v;
                }
                Op::DivK { kind, d, a, k } => {
                    if let Value::Int(x) = r!(a) {
                        let v = divided(kind, x.get(), k);
                        set_int(&mut r!(d), v);
                        continue;
                    }
                    let x = r!(a).clone();
                    let v = ok!(self.divide(kind, &x, &Value::int(i64::from(k.get()))));
                    r!(d) = v;
                }
                Op::Div { kind, d, a, b } => {
                    if let (Value::Int(x), Value::Int(y)) = (&r!(a), &r!(b))
                        && y.get() > 0
                    {
                        let v = kind.of(x.get(), y.get());
                        set_int(&mut r!(d), v);
                        continue;
                    }
                    let (x, y) = (r!(a).clone(), r!(b).clone());
                    let v = ok!(self.divide(kind, &x, &y));
                    r!(d) = v;
                }
                Op::Compare { kind, d, a, b } => {
                    let v = match (&r!(a), &r!(b)) {
                        (Value::Int(x), Value::Int(y)) => holds(kind, x.get(), y.get()),
                        (x, y) => match floats(x, y) {
                            Some((x, y)) if kind.is_order() => holds(kind, x, y),
                            _ => {
                                let (x, y) = (x.clone(), y.clone());
                                ok!(self.compare(kind, &x, &y))
                            }
                        },
                    };
                    r!(d) = Value::Bool(v);
                }
                Op::JumpUnless { kind, a, b, to } => {
                    let v = match (&r!(a), &r!(b)) {
                        (Value::Int(x), Value::Int(y)) => holds(kind, x.get(), y.get()),
                        (Value::Float(x), Value::Float(y)) => holds(kind, x.get(), y.get()),
                        (x, y) => match floats(x, y) {
                            Some((x, y)) if kind.is_order() => holds(kind, x, y),
                            _ => {
                                let (x, y) = (x.clone(), y.clone());
                                ok!(self.compare(kind, &x, &y))
                            }
                        },
                    };
                    if !v {
                        pc = to as usize;
                    }
                }
                Op::JumpUnlessK { kind, a, k, to } => {
                    let v = match &r!(a) {
                        Value::Int(x) => holds(kind, x.get(), i64::from(k)),
                        Value::Float(x) if kind.is_order() => holds(kind, x.get(), f64::from(k)),
                        x => {
                            let x = x.clone();
                            ok!(self.compare(kind, &x, &Value::int(i64::from(k))))
                        }
                    };
                    if !v {
                        pc = to as usize;
                    }
                }
                Op::JumpFalse { a, to } | Op::JumpTrue { a, to } | Op::JumpSome { a, to } | Op::JumpNil { a, to } => {
                    if op.jumps_at(&r!(a)) {
                        pc = to as usize;
                    }
                }
                Op::Test { kind, d, a } => {
                    let v = kind.holds(r!(a).truthy(), r!(a).is_nil());
                    r!(d) = Value::Bool(v);
                }
                Op::Jump { to } => pc = to as usize,
                Op::Loop { to, cost } => {
                    ok!(self.charge_cost(Cost(u64::from(cost))));
                    pc = to as usize;
                }
                Op::CallSelf { d, a, n } => {
                    let at = base + a as usize;
                    if p.fixed == usize::from(n) && !p.rest {
                        ok!(self.push_frame(p, at));
                        self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                        (base, pc) = (at, 0);
                        self.top = base + p.regs;
                        continue;
                    }
                    match ok!(self.prepare(cur, usize::from(n), at)) {
                        Some(other) => {
                            self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                            break Exit::Call(cur.clone(), other, at);
                        }
                        None => break Exit::Interrupt(corrupt_state()),
                    }
                }
                Op::CallGlobal { d, a, n, g } => {
                    let at = base + a as usize;
                    let callee = match self.memory.bindings.get(g as usize).and_then(|b| b.value.as_ref()) {
                        Some(Value::Function(f)) if f.ptr_eq(cur) && p.fixed == usize::from(n) && !p.rest => {
                            ok!(self.push_frame(p, at));
                            self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                            (base, pc) = (at, 0);
                            self.top = base + p.regs;
                            continue;
                        }
                        Some(v) => v.clone(),
                        None => break Exit::Interrupt(self.unbound(g)),
                    };
                    if let Value::Function(f) = &callee
                        && let Some(other) = ok!(self.prepare(f, usize::from(n), at))
                    {
                        // Into another function: its code is somewhere else.
                        ok!(self.charge_cost(Cost(2)));
                        self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                        break Exit::Call(f.clone(), other, at);
                    }
                    let callee = match ok!(self.callee(callee, usize::from(n), at)) {
                        Callee::Body(f, other) => {
                            ok!(self.charge_cost(Cost(2)));
                            self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                            break Exit::Call(f, other, at);
                        }
                        Callee::Other(f) => f,
                    };
                    let v = ok!(self.call_window(&callee, at, usize::from(n)));
                    r!(d) = v;
                }
                Op::Call { d, a, n, f } => {
                    let at = base + a as usize;
                    let callee = r!(f).clone();
                    if let Value::Function(f) = &callee
                        && let Some(other) = ok!(self.prepare(f, usize::from(n), at))
                    {
                        ok!(self.charge_cost(Cost(2)));
                        self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                        break Exit::Call(f.clone(), other, at);
                    }
                    let callee = match ok!(self.callee(callee, usize::from(n), at)) {
                        Callee::Body(f, other) => {
                            ok!(self.charge_cost(Cost(2)));
                            self.frames.push(Frame { function: None, arity: arity as u32, pc: pc as u32, base, d });
                            break Exit::Call(f, other, at);
                        }
                        Callee::Other(f) => f,
                    };
                    let v = ok!(self.call_window(&callee, at, usize::from(n)));
                    r!(d) = v;
                }
                Op::CallBuiltin { d, a, n, b } => {
                    let v = ok!(self.builtin_window(p.builtins[b as usize], base + a as usize, usize::from(n)));
                    r!(d) = v;
                }
                Op::Update { d, a, u } => {
                    let of = &p.updates[u as usize];
                    let done = ok!(self.update_in_place(of, base + a as usize));
                    let coll = std::mem::take(&mut r!(a));
                    if let InPlace::Done = done {
                        put(&mut r!(d), coll);
                        continue;
                    }
                    let key = std::mem::take(&mut r!(a + 1));
                    let x = if of.has_argument() { std::mem::take(&mut r!(a + 2)) } else { Value::Nil };
                    let v = match done {
                        InPlace::Charged => self.update_by_call(of, coll, key, &x, true),
                        _ => self.update(of, coll, key, &x),
                    };
                    put(&mut r!(d), ok!(v));
                }
                Op::CallMany { d, a } => {
                    let f = std::mem::take(&mut r!(a));
                    let mut args = match std::mem::take(&mut r!(a + 1)) {
                        Value::Vector(v) => v.into_vec(),
                        _ => Vec::new(),
                    };
                    let v = ok!(self.call_value(&f, &mut args));
                    r!(d) = v;
                }
                Op::CallTool { d, a, n, t } => {
                    let at = base + a as usize;
                    let mut args: Vec<Value> =
                        self.stack[at..at + usize::from(n)].iter_mut().map(std::mem::take).collect();
                    if self.defers(p, pc, base, d) {
                        self.defer_call(ToolSpec::clone(&p.tools[t as usize]), args);
                        continue;
                    }
                    let v = ok!(self.call_tool(&p.tools[t as usize], &mut args));
                    r!(d) = v;
                }
                Op::Ret { a } => {
                    let v = std::mem::take(&mut r!(a));
                    for slot in &mut self.stack[base..base + p.regs] {
                        put(slot, Value::Nil);
                    }
                    if self.frames.len() <= floor {
                        break Exit::Done(v);
                    }
                    match self.frames.last() {
                        Some(f) if f.function.is_none() && f.arity as usize == arity => {
                            pc = f.pc as usize;
                            base = f.base;
                            self.top = base + p.regs;
                            let d = f.d;
                            self.frames.pop();
                            put(&mut r!(d), v);
                        }
                        Some(f) => {
                            let at = f.base + f.d as usize;
                            self.stack[at] = v;
                            break Exit::Return;
                        }
                        None => break Exit::Done(v),
                    }
                }
                Op::Closure { d, t } => {
                    ok!(self.charge_cost(Cost(3)));
                    let v = ok!(self.closure(cur, closure, p, t, base));
                    r!(d) = v;
                }
                Op::Letfn { d, t } => {
                    ok!(self.charge_cost(Cost(4)));
                    let functions = ok!(self.letfn(cur, closure, p, t, base));
                    for (i, f) in functions.into_iter().enumerate() {
                        self.stack[base + d as usize + i] = f;
                    }
                }
                Op::Vector { d, a, n } => {
                    ok!(self.charge_cost(Cost(1 + u64::from(n) / 4)));
                    let at = base + a as usize;
                    let v = match n {
                        2 => Vector::pair(std::mem::take(&mut r!(a)), std::mem::take(&mut r!(a + 1))),
                        _ => self.stack[at..at + n as usize].iter_mut().map(std::mem::take).collect(),
                    };
                    r!(d) = ok!(self.checked(Value::Vector(v)));
                }
                Op::Append { d, a, n } => {
                    ok!(self.charge_cost(Cost(1 + u64::from(n) / 4)));
                    let Value::Vector(mut v) = std::mem::take(&mut r!(d)) else {
                        break Exit::Interrupt(corrupt_state());
                    };
                    let at = base + a as usize;
                    for slot in &mut self.stack[at..at + n as usize] {
                        v.push(std::mem::take(slot));
                    }
                    r!(d) = ok!(self.checked(Value::Vector(v)));
                }
                Op::Record { d, a, shape } => {
                    let keys = &p.shapes[shape as usize];
                    let n = keys.as_slice().len();
                    ok!(self.charge_cost(Cost(1 + n as u64 / 4)));
                    let at = base + a as usize;
                    let vals = self.stack[at..at + n].iter_mut().map(std::mem::take);
                    let v = Value::Map(Map::of_few(keys.clone(), vals));
                    r!(d) = ok!(self.checked(v));
                }
                Op::Map { d, a, n } => {
                    r!(d) = Value::Map(Map::new());
                    let v = ok!(self.assoc_pairs(base + d as usize, base + a as usize, n as usize, true));
                    r!(d) = v;
                }
                Op::Assoc { d, a, n } => {
                    let v = ok!(self.assoc_pairs(base + d as usize, base + a as usize, n as usize, true));
                    r!(d) = v;
                }
                Op::Include { d, a, n } => {
                    ok!(self.charge_cost(Cost(1 + u64::from(n))));
                    let Value::Set(mut s) = std::mem::take(&mut r!(d)) else { break Exit::Interrupt(corrupt_state()) };
                    let at = base + a as usize;
                    ok!(self.include(&mut s, at, n as usize));
                    r!(d) = ok!(self.checked(Value::Set(s)));
                }
                Op::Lookup { d, a, mark, k } => {
                    let v = match &r!(a) {
                        Value::Map(m) if !m.is_sorted() => match m.get(&p.constants[k as usize]) {
                            // A long row of keys is looked through.
                            Some(v) if m.len() <= 8 => {
                                self.looked_up.found(mark);
                                v.clone()
                            }
                            Some(v) => {
                                self.looked_up.found(mark);
                                let (v, units) = (v.clone(), m.len().min(32) as u64 / 8);
                                ok!(self.charge_cost(Cost(units)));
                                v
                            }
                            None => {
                                let m = m.clone();
                                ok!(self.lookup_by_name(&m, &p.constants[k as usize]))
                            }
                        },
                        // A sorted collection asks its order, a text may have to be counted through.
                        Value::Map(_) | Value::Set(_) | Value::Str(_) | Value::Place(..) => {
                            let m = r!(a).clone();
                            let key = &p.constants[k as usize];
                            let found = crate::builtins::collections::lookup::find_noted(self, &m, key);
                            ok!(found).unwrap_or_default()
                        }
                        Value::Nil => Value::Nil,
                        other => crate::value::lookup::get(other, &p.constants[k as usize]).unwrap_or_default(),
                    };
                    r!(d) = v;
                }
                Op::Nth { d, a, i } => {
                    let v = match &r!(a) {
                        Value::Vector(v) => v.get((i & !OF_SEQ) as usize).cloned().unwrap_or_default(),
                        _ => {
                            let v = r!(a).clone();
                            ok!(self.nth(v, i))
                        }
                    };
                    r!(d) = v;
                }
                Op::Rest { d, a, i } => {
                    let v = r!(a).clone();
                    let v = ok!(self.rest_from(v, i));
                    r!(d) = v;
                }
                Op::Keyed { d, a } => {
                    let v = r!(a).clone();
                    let v = ok!(self.keyed(v));
                    r!(d) = v;
                }
                Op::Def { d, a, k } => {
                    let info = &p.defs[k as usize];
                    let value = if info.has_value { Some(std::mem::take(&mut r!(a))) } else { None };
                    let v = ok!(self.define(info, value));
                    r!(d) = v;
                }
                Op::JumpUnlessClass { a, k, to } => {
                    if !is_class(&r!(a), &p.constants[k as usize]) {
                        pc = to as usize;
                    }
                }
                Op::Throw { a } => {
                    let v = r!(a).clone();
                    break Exit::Interrupt(self.throw(v));
                }
                Op::Rethrow { a } => {
                    let v = std::mem::take(&mut r!(a));
                    break Exit::Interrupt(self.rethrow(v));
                }
                Op::Case { a, table } => {
                    let (branches, default) = &p.cases[table as usize];
                    let v = r!(a).clone();
                    ok!(cost::wide_key(self, &v));
                    pc = *branches.get(&crate::value::map::Key(v)).unwrap_or(default) as usize;
                }
                Op::NoClause { a } => {
                    break Exit::Interrupt(super::no_clause::no_clause(&r!(a)));
                }
                Op::OutStr { d, a } => {
                    let f = std::mem::take(&mut r!(a));
                    let v = ok!(self.out_str(&f));
                    r!(d) = v;
                }
            }
        };
        *pc_out = pc;
        *base_out = base;
        exit
    }
}

/// A fault of ours: code and machine disagree.
#[cold]
pub fn corrupt_state() -> Interrupt {
    Interrupt::error(ErrorKind::Internal, "the virtual machine lost its place")
}

/// The code behind a function.
#[inline(always)]
pub fn proto_of(f: &Function, arity: usize) -> Option<(&Closure, &Proto)> {
    let c = f.downcast::<Closure>()?;
    Some((c, c.template.arities.get(arity)?))
}

fn handler(stop: &Interrupt, p: &Proto, pc: usize) -> Option<(u16, u32)> {
    use crate::host::InterruptKind;
    let at = (pc as u32).saturating_sub(1);
    let (catch, all) = match stop.kind() {
        InterruptKind::Limit(_) => (false, false),
        InterruptKind::Return(_) | InterruptKind::Fail(_) => (false, true),
        _ => (true, true),
    };
    p.handlers.iter().find(|h| (h.from..h.to).contains(&at) && if h.all { all } else { catch }).map(|h| (h.reg, h.at))
}

fn is_class(v: &Value, class: &Value) -> bool {
    match (v, class.as_str()) {
        (Value::Exception(e), Some(class)) => crate::builtins::state::exception_classes::is_instance(e.class, class),
        _ => false,
    }
}
