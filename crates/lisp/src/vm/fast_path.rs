//! Operations that need nothing but registers: moves, numbers, jumps, and calls of the running function.
//!
//! They have a loop of their own. It calls nothing, so all that it works with stays in the processor's registers, which
//! the loop over all operations ([`super::dispatch`]) cannot do. Where an operation needs more (a number that is no
//! plain one, a value to be freed, fuel that is used up) nothing has changed yet, and that loop carries it out.

use super::numbers::{divided, holds, holds_of_integers};
use super::state::{Frame, Vm};
use crate::bytecode::{Cast, FEW, MANY, Op, Proto};
use crate::value::{Float, Function, Int, Value};

/// Where a function goes on, and where its registers begin.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub pc: usize,
    pub base: usize,
}

/// Whether nothing has to be freed where this was.
#[inline(always)]
pub(super) fn is_plain(v: &Value) -> bool {
    matches!(v, Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_))
}

/// Writes to a register. What is plain needs no drop, which is a call: most registers hold nil or a number.
#[inline(always)]
pub(super) fn put(slot: &mut Value, v: Value) {
    if is_plain(slot) {
        std::mem::forget(std::mem::replace(slot, v));
    } else {
        *slot = v;
    }
}

/// Writes a number where there is none of its kind yet, if nothing has to be freed there.
#[inline(always)]
fn overwrite<T>(slot: &mut Value, v: T, kind: impl FnOnce(T) -> Value) -> bool {
    let plain = is_plain(slot);
    if plain {
        std::mem::forget(std::mem::replace(slot, kind(v)));
    }
    plain
}

/// A copy of what can be copied without a call.
#[inline(always)]
fn copied(v: &Value) -> Option<Value> {
    match v {
        Value::Int(i) => Some(Value::Int(*i)),
        Value::Float(f) => Some(Value::Float(*f)),
        Value::Nil => Some(Value::Nil),
        Value::Bool(b) => Some(Value::Bool(*b)),
        Value::Keyword(k) => Some(Value::Keyword(k.clone())),
        Value::Str(s) => Some(Value::Str(s.clone())),
        _ => None,
    }
}

/// The registers from `base` on.
#[inline(always)]
fn registers<const W: usize>(stack: &mut [Value], base: usize) -> Option<&mut [Value; W]> {
    stack.get_mut(base..)?.first_chunk_mut()
}

impl Op {
    /// Whether [`Vm::run_fast`] knows it.
    #[inline(always)]
    pub(super) fn is_fast(&self) -> bool {
        matches!(
            self,
            Op::Move { .. }
                | Op::Take { .. }
                | Op::Const { .. }
                | Op::Int { .. }
                | Op::Nil { .. }
                | Op::Add { .. }
                | Op::Sub { .. }
                | Op::Mul { .. }
                | Op::AddK { .. }
                | Op::Step { .. }
                | Op::Cast { .. }
                | Op::MulK { .. }
                | Op::Div { .. }
                | Op::DivK { .. }
                | Op::Compare { .. }
                | Op::JumpUnless { .. }
                | Op::JumpUnlessK { .. }
                | Op::JumpFalse { .. }
                | Op::JumpTrue { .. }
                | Op::JumpSome { .. }
                | Op::JumpNil { .. }
                | Op::Test { .. }
                | Op::Jump { .. }
                | Op::Loop { .. }
                | Op::CallSelf { .. }
                | Op::CallGlobal { .. }
                | Op::Ret { .. }
        )
    }
}

impl Vm<'_, '_> {
    /// Runs operations of `p`, a body of `cur`, from `at` on until one needs more than this: gives its place. Frames up
    /// to `floor` are not left.
    #[inline(always)]
    pub(super) fn run_fast(&mut self, cur: &Function, p: &Proto, arity: u32, floor: usize, at: Place) -> Place {
        match p.window() {
            FEW => self.run_window::<FEW>(cur, p, arity, floor, at),
            MANY => self.run_window::<MANY>(cur, p, arity, floor, at),
            _ => at,
        }
    }

    /// With registers in an array of `W`, in which no number of a register has to be compared with its end.
    #[inline(never)]
    fn run_window<const W: usize>(&mut self, cur: &Function, p: &Proto, arity: u32, floor: usize, at: Place) -> Place {
        let code = p.code.as_slice();
        let stack = self.stack.as_mut_slice();
        let frames = &mut self.frames;
        let bindings = self.memory.bindings.as_slice();
        let depth = self.turn.limits.call_depth as usize;
        let mut fuel = self.slice;
        let mut base = at.base;
        let Some(mut ops) = code.get(at.pc..) else { return at };
        let Some(mut window) = registers::<W>(stack, base) else { return at };
        macro_rules! get {
            ($i:expr) => {
                window[$i as usize % W]
            };
        }
        macro_rules! set {
            ($i:expr, $v:expr) => {{
                let v = $v;
                let slot = &mut get!($i);
                if !is_plain(slot) {
                    break;
                }
                std::mem::forget(std::mem::replace(slot, v));
            }};
        }
        // Goes on at an operation.
        macro_rules! go {
            ($to:expr) => {
                match code.get($to as usize..) {
                    Some(from) => {
                        ops = from;
                        continue;
                    }
                    None => break,
                }
            };
        }
        // A number over a number of its kind writes no tag, and no value is put together in memory first.
        macro_rules! set_number {
            ($kind:ident, $i:expr, $v:expr) => {{
                let v = $v;
                let slot = &mut get!($i);
                if let Value::$kind(slot) = slot {
                    *slot = v;
                } else if !overwrite(slot, v, Value::$kind) {
                    break;
                }
            }};
        }
        macro_rules! arithmetic {
            ($d:expr, $a:expr, $b:expr, $checked:ident, $op:tt) => {
                if let (Value::Int(x), Value::Int(y)) = (&get!($a), &get!($b)) {
                    match x.get().$checked(y.get()) {
                        Some(v) => set_number!(Int, $d, Int::new(v)),
                        None => break,
                    }
                } else if let (Value::Float(x), Value::Float(y)) = (&get!($a), &get!($b)) {
                    let v = x.get() $op y.get();
                    set_number!(Float, $d, Float::new(v));
                } else {
                    break;
                }
            };
        }
        macro_rules! arithmetic_k {
            ($d:expr, $a:expr, $k:expr, $checked:ident) => {
                match &get!($a) {
                    Value::Int(x) => match x.get().$checked(i64::from($k)) {
                        Some(v) => set_number!(Int, $d, Int::new(v)),
                        None => break,
                    },
                    _ => break,
                }
            };
        }
        // A copy of what can be copied without a call. Each kind is written by itself: what the others leave open would be
        // carried from operation to operation.
        macro_rules! copy {
            ($i:expr, $v:expr) => {
                match $v {
                    Value::Int(n) => {
                        let n = *n;
                        set_number!(Int, $i, n)
                    }
                    Value::Float(n) => {
                        let n = *n;
                        set_number!(Float, $i, n)
                    }
                    Value::Nil => set!($i, Value::Nil),
                    Value::Bool(b) => {
                        let b = *b;
                        set!($i, Value::Bool(b))
                    }
                    Value::Keyword(k) => {
                        let k = k.clone();
                        set!($i, Value::Keyword(k))
                    }
                    Value::Str(text) => {
                        let text = text.clone();
                        set!($i, Value::Str(text))
                    }
                    _ => break,
                }
            };
        }
        // Calls `p` itself with the arguments from `$a` on.
        macro_rules! enter {
            ($d:expr, $a:expr, $n:expr) => {{
                let begin = base.wrapping_add($a as usize);
                let is_ready = p.fixed == usize::from($n)
                    && !p.rest
                    && frames.len() < depth
                    && frames.len() < frames.capacity()
                    && p.cost.0 <= fuel;
                if !is_ready {
                    break;
                }
                window = match registers(stack, begin) {
                    Some(window) => window,
                    None => break,
                };
                fuel -= p.cost.0;
                frames.push(Frame {
                    function: None,
                    arity,
                    pc: code.len().wrapping_sub(ops.len()).wrapping_add(1) as u32,
                    base,
                    d: $d,
                });
                base = begin;
                go!(0);
            }};
        }
        while let Some((op, next)) = ops.split_first() {
            match *op {
                Op::Move { d, s } => copy!(d, &get!(s)),
                Op::Take { d, s } => {
                    if let Value::Int(v) = get!(s) {
                        // An integer that stays holds nothing.
                        set_number!(Int, d, v);
                    } else {
                        if !is_plain(&get!(d)) {
                            break;
                        }
                        let v = std::mem::take(&mut get!(s));
                        std::mem::forget(std::mem::replace(&mut get!(d), v));
                    }
                }
                Op::Const { d, k } => match p.constants.get(k as usize) {
                    Some(v) => copy!(d, v),
                    None => break,
                },
                Op::Int { d, v } => set_number!(Int, d, Int::new(i64::from(v))),
                Op::Nil { d } => set!(d, Value::Nil),
                Op::Add { d, a, b } => arithmetic!(d, a, b, checked_add, +),
                Op::Sub { d, a, b } => arithmetic!(d, a, b, checked_sub, -),
                Op::Mul { d, a, b } => arithmetic!(d, a, b, checked_mul, *),
                Op::AddK { d, a, k } | Op::Step { d, a, k } => arithmetic_k!(d, a, k, checked_add),
                Op::Cast { kind, d, a } => match (kind, &get!(a)) {
                    (Cast::TakenLong | Cast::GivenLong, Value::Int(n)) => set_number!(Int, d, Int::new(n.get())),
                    (Cast::Double, Value::Float(x)) => set_number!(Float, d, Float::new(x.get())),
                    _ => break,
                },
                Op::MulK { d, a, k } => arithmetic_k!(d, a, k, checked_mul),
                Op::DivK { kind, d, a, k } => match &get!(a) {
                    Value::Int(x) => set_number!(Int, d, Int::new(divided(kind, x.get(), k))),
                    _ => break,
                },
                Op::Div { kind, d, a, b } => match (&get!(a), &get!(b)) {
                    (Value::Int(x), Value::Int(y)) if y.get() > 0 => {
                        set_number!(Int, d, Int::new(kind.of(x.get(), y.get())));
                    }
                    _ => break,
                },
                Op::Compare { kind, d, a, b } => match (&get!(a), &get!(b)) {
                    (Value::Int(x), Value::Int(y)) => set_number!(Bool, d, holds_of_integers(kind, x.get(), y.get())),
                    _ => break,
                },
                Op::JumpUnless { kind, a, b, to } => {
                    let holds = if let (Value::Int(x), Value::Int(y)) = (&get!(a), &get!(b)) {
                        holds_of_integers(kind, x.get(), y.get())
                    } else if let (Value::Float(x), Value::Float(y)) = (&get!(a), &get!(b)) {
                        holds(kind, x.get(), y.get())
                    } else {
                        break;
                    };
                    if !holds {
                        go!(to);
                    }
                }
                Op::JumpUnlessK { kind, a, k, to } => match &get!(a) {
                    Value::Int(x) => {
                        if !holds_of_integers(kind, x.get(), i64::from(k)) {
                            go!(to);
                        }
                    }
                    _ => break,
                },
                Op::JumpFalse { a, to } => {
                    if !get!(a).truthy() {
                        go!(to);
                    }
                }
                Op::JumpTrue { a, to } => {
                    if get!(a).truthy() {
                        go!(to);
                    }
                }
                Op::JumpSome { a, to } => {
                    if !get!(a).is_nil() {
                        go!(to);
                    }
                }
                Op::JumpNil { a, to } => {
                    if get!(a).is_nil() {
                        go!(to);
                    }
                }
                Op::Test { kind, d, a } => {
                    set_number!(Bool, d, kind.holds(get!(a).truthy(), get!(a).is_nil()));
                }
                Op::Jump { to } => {
                    go!(to);
                }
                Op::Loop { to, cost } => {
                    if u64::from(cost) > fuel {
                        break;
                    }
                    fuel -= u64::from(cost);
                    go!(to);
                }
                Op::CallSelf { d, a, n } => enter!(d, a, n),
                Op::CallGlobal { d, a, n, g } => match bindings.get(g as usize) {
                    Some(b) => match &b.value {
                        Some(Value::Function(f)) if f.ptr_eq(cur) => enter!(d, a, n),
                        _ => break,
                    },
                    None => break,
                },
                Op::Ret { a } => {
                    let Some(frame) = frames.last() else { break };
                    if frames.len() <= floor || frame.function.is_some() || frame.arity != arity {
                        break;
                    }
                    // What is plain holds nothing that would have to be let go, so it stays where it is.
                    if !window.get(..p.regs).is_some_and(|all| all.iter().all(is_plain)) {
                        break;
                    }
                    if let Value::Int(n) = get!(a) {
                        window = match registers(stack, frame.base) {
                            Some(caller) => caller,
                            None => break,
                        };
                        set_number!(Int, frame.d, n);
                    } else {
                        let Some(v) = copied(&get!(a)) else { break };
                        window = match registers(stack, frame.base) {
                            Some(caller) => caller,
                            None => break,
                        };
                        set!(frame.d, v);
                    }
                    base = frame.base;
                    let pc = frame.pc;
                    frames.pop();
                    go!(pc);
                }
                _ => break,
            }
            ops = next;
        }
        self.slice = fuel;
        Place { pc: code.len().wrapping_sub(ops.len()), base }
    }
}
