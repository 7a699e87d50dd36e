//! Short functions that call no other: run on arguments that are only lent, without a frame, without registers, and
//! without counting references up and down. What they do, say and cost is what the frame's loop does.

use super::dispatch::corrupt_state;
use super::fast_path::is_plain;
use super::numbers::{divided, floats, holds};
use super::state::Vm;
use crate::bytecode::{Closure, OF_SEQ, Op, Proto, Reg, SLOTS};
use crate::cost;
use crate::fuel::Cost;
use crate::host::{Interrupt, Result};
use crate::number;
use crate::value::{Function, Value, Vector, map::Map};
use smallvec::SmallVec;
use std::mem::ManuallyDrop;

/// Registers of the shortest functions.
const FEW: usize = 4;

/// A register: what somebody else holds as long as the call takes, or a value of its own.
pub(super) enum Slot<'a> {
    Lent(&'a Value),
    Own(Value),
}

impl<'a> Slot<'a> {
    #[inline(always)]
    fn get(&self) -> &Value {
        match self {
            Slot::Lent(v) => v,
            Slot::Own(v) => v,
        }
    }

    #[inline(always)]
    fn copy(&self) -> Slot<'a> {
        match self {
            Slot::Lent(v) => Slot::Lent(v),
            Slot::Own(v) => Slot::Own(v.clone()),
        }
    }

    #[inline(always)]
    fn take(&mut self) -> Slot<'a> {
        std::mem::replace(self, Slot::Own(Value::Nil))
    }

    #[inline(always)]
    fn into_value(self) -> Value {
        match self {
            Slot::Lent(v) => v.clone(),
            Slot::Own(v) => v,
        }
    }

    /// Lets go of what it holds, if that needs anything to be done.
    #[inline(always)]
    fn let_go(&mut self) {
        if !self.is_plain() {
            *self = Slot::Own(Value::Nil);
        }
    }

    /// Writes to a register. What holds nothing needs no drop, which is a call.
    #[inline(always)]
    fn set(&mut self, new: Slot<'a>) {
        if self.is_plain() {
            std::mem::forget(std::mem::replace(self, new));
        } else {
            *self = new;
        }
    }

    #[inline(always)]
    fn is_plain(&self) -> bool {
        match self {
            Slot::Lent(_) => true,
            Slot::Own(v) => is_plain(v),
        }
    }
}

/// Lets go of what registers hold.
#[cold]
fn empty(slots: &mut [Slot<'_>]) {
    slots.iter_mut().for_each(Slot::let_go);
}

/// A short function that is ready to be called.
#[derive(Clone, Copy)]
pub(super) struct Leaf<'a> {
    function: &'a Function,
    pub closure: &'a Closure,
    pub proto: &'a Proto,
}

impl<'a> Leaf<'a> {
    /// The body of `f` for `n` arguments, if it is short.
    #[inline]
    pub fn of(f: &'a Value, n: usize) -> Option<Self> {
        let Value::Function(function) = f else { return None };
        let closure = function.downcast::<Closure>()?;
        let proto = closure.template.arities.get(closure.template.arity(n)?)?;
        proto.leaf.then_some(Leaf { function, closure, proto })
    }
}

impl Vm<'_, '_> {
    /// Calls a short function; the first registers are its arguments.
    pub(super) fn call_leaf<'a, const N: usize>(&mut self, leaf: Leaf<'a>, args: [Slot<'a>; N]) -> Result {
        if self.native >= self.turn.limits.builtin_depth {
            return Err(self.too_deep_native());
        }
        if self.frames.len() >= self.turn.limits.call_depth as usize {
            return Err(self.too_many_calls());
        }
        self.charge_cost(Cost(2 + leaf.proto.cost.0))?;
        // Emptying registers that are not used takes as long as what is done in others.
        if leaf.proto.regs <= FEW { self.fill::<FEW, N>(leaf, args) } else { self.fill::<SLOTS, N>(leaf, args) }
    }

    fn fill<'a, const R: usize, const N: usize>(&mut self, leaf: Leaf<'a>, args: [Slot<'a>; N]) -> Result {
        // `run_leaf` empties them: most hold nothing, which dropping them would ask each of them in a call.
        let mut slots = ManuallyDrop::new([const { Slot::Own(Value::Nil) }; R]);
        for (slot, arg) in slots.iter_mut().zip(args) {
            slot.set(arg);
        }
        self.run_leaf(leaf, &mut slots)
    }

    /// A stop on its way out of a short function.
    #[cold]
    fn stopped(&mut self, mut stop: Interrupt, leaf: Leaf<'_>, pc: usize) -> Interrupt {
        self.locate(&mut stop, leaf.closure, leaf.proto, pc);
        self.passed(&mut stop, leaf.closure);
        stop
    }

    /// The value at a constant key of anything.
    #[inline(never)]
    fn looked_up_in<'v>(&mut self, v: &'v Value, key: &Value, mark: u8) -> Result<Slot<'v>> {
        if let Value::Map(m) = v
            && !m.is_sorted()
            && let Some(found) = m.get(key)
        {
            self.looked_up.found(mark);
            if m.len() > 8 {
                self.charge_cost(Cost(m.len().min(32) as u64 / 8))?;
            }
            return Ok(Slot::Lent(found));
        }
        Ok(Slot::Own(self.lookup_elsewhere(v, key)?))
    }

    /// The value at a constant key, where it is not simply in a map.
    fn lookup_elsewhere(&mut self, v: &Value, key: &Value) -> Result {
        match v {
            Value::Map(m) if !m.is_sorted() => self.lookup_by_name(m, key),
            Value::Map(_) | Value::Set(_) | Value::Str(_) | Value::Place(..) => self.deeper(|m| {
                let found = crate::builtins::collections::lookup::find_noted(m, v, key)?;
                Ok(found.unwrap_or_default())
            }),
            Value::Nil => Ok(Value::Nil),
            other => Ok(crate::value::lookup::get(other, key).unwrap_or_default()),
        }
    }

    /// The operations of [`Proto::leaf`]; each as [`Vm::dispatch`] has it. What may run other code goes one level deeper.
    fn run_leaf<'a, const R: usize>(&mut self, leaf: Leaf<'a>, slots: &mut [Slot<'a>; R]) -> Result {
        let Leaf { function, closure, proto: p } = leaf;
        let mut pc = 0usize;
        macro_rules! r {
            ($i:expr) => {
                slots[$i as usize % R]
            };
        }
        macro_rules! ok {
            ($e:expr) => {
                match $e {
                    Ok(v) => v,
                    Err(stop) => {
                        empty(slots);
                        return Err(self.stopped(stop, leaf, pc));
                    }
                }
            };
        }
        macro_rules! arithmetic {
            ($d:expr, $a:expr, $b:expr, $name:literal, $checked:ident, $op:tt, $slow:path) => {{
                let (x, y) = (r!($a).get(), r!($b).get());
                let v = match (x, y) {
                    (Value::Int(x), Value::Int(y)) => x.get().$checked(y.get()).map(Value::int),
                    _ => floats(x, y).map(|(x, y)| Value::float(x $op y)),
                };
                let v = match v {
                    Some(v) => v,
                    None => ok!(self.arithmetic($name, $slow, x, y)),
                };
                r!($d).set(Slot::Own(v));
            }};
        }
        macro_rules! compared {
            ($kind:expr, $a:expr, $b:expr) => {{
                let (x, y) = ($a, $b);
                match (x, y) {
                    (Value::Int(x), Value::Int(y)) => holds($kind, x.get(), y.get()),
                    (Value::Float(x), Value::Float(y)) => holds($kind, x.get(), y.get()),
                    _ => match floats(x, y) {
                        Some((x, y)) if $kind.is_order() => holds($kind, x, y),
                        _ => ok!(self.deeper(|m| m.compare($kind, x, y))),
                    },
                }
            }};
        }
        loop {
            let Some(op) = p.code.get(pc) else {
                empty(slots);
                return Err(corrupt_state());
            };
            pc += 1;
            match *op {
                Op::Move { d, s } => {
                    let v = r!(s).copy();
                    r!(d).set(v);
                }
                Op::Take { d, s } => {
                    let v = r!(s).take();
                    r!(d).set(v);
                }
                Op::Const { d, k } => r!(d).set(Slot::Lent(&p.constants[k as usize])),
                Op::Int { d, v } => r!(d).set(Slot::Own(Value::int(i64::from(v)))),
                Op::Nil { d } => r!(d).set(Slot::Own(Value::Nil)),
                Op::Capture { d, i } => r!(d).set(Slot::Lent(&closure.captures[i as usize])),
                Op::SelfFn { d } => r!(d).set(Slot::Own(Value::Function(function.clone()))),
                Op::Global { d, g } => r!(d).set(Slot::Own(ok!(self.global(g)))),
                Op::Add { d, a, b } => arithmetic!(d, a, b, "+", checked_add, +, number::add),
                Op::Sub { d, a, b } => arithmetic!(d, a, b, "-", checked_sub, -, number::sub),
                Op::Mul { d, a, b } => arithmetic!(d, a, b, "*", checked_mul, *, number::mul),
                Op::AddK { d, a, k } | Op::Step { d, a, k } => {
                    let v = match r!(a).get() {
                        Value::Int(x) => x.get().checked_add(i64::from(k)).map(Value::int),
                        Value::Float(x) => Some(Value::float(x.get() + f64::from(k))),
                        _ => None,
                    };
                    let v = match v {
                        Some(v) => v,
                        None => {
                            let names = if let Op::Step { .. } = op { ["dec", "inc"] } else { ["-", "+"] };
                            ok!(self.stepped(r!(a).get().clone(), k, names))
                        }
                    };
                    r!(d).set(Slot::Own(v));
                }
                Op::Cast { kind, d, a } => {
                    let x = r!(a).get();
                    let v = match kind.plain(x) {
                        Some(v) => v,
                        None => {
                            let x = x.clone();
                            ok!(self.deeper(|m| m.cast(kind, x)))
                        }
                    };
                    r!(d).set(Slot::Own(v));
                }
                Op::MulK { d, a, k } => {
                    let v = match r!(a).get() {
                        Value::Int(x) => x.get().checked_mul(i64::from(k)).map(Value::int),
                        Value::Float(x) => Some(Value::float(x.get() * f64::from(k))),
                        _ => None,
                    };
                    let v = match v {
                        Some(v) => v,
                        None => ok!(self.arithmetic("*", number::mul, r!(a).get(), &Value::int(i64::from(k)))),
                    };
                    r!(d).set(Slot::Own(v));
                }
                Op::DivK { kind, d, a, k } => {
                    let v = match r!(a).get() {
                        Value::Int(x) => Value::int(divided(kind, x.get(), k)),
                        x => ok!(self.divide(kind, x, &Value::int(i64::from(k.get())))),
                    };
                    r!(d).set(Slot::Own(v));
                }
                Op::Div { kind, d, a, b } => {
                    let v = match (r!(a).get(), r!(b).get()) {
                        (Value::Int(x), Value::Int(y)) if y.get() > 0 => Value::int(kind.of(x.get(), y.get())),
                        (x, y) => ok!(self.divide(kind, x, y)),
                    };
                    r!(d).set(Slot::Own(v));
                }
                Op::Compare { kind, d, a, b } => {
                    let v = compared!(kind, r!(a).get(), r!(b).get());
                    r!(d).set(Slot::Own(Value::Bool(v)));
                }
                Op::JumpUnless { kind, a, b, to } => {
                    if !compared!(kind, r!(a).get(), r!(b).get()) {
                        pc = to as usize;
                    }
                }
                Op::JumpUnlessK { kind, a, k, to } => {
                    let v = match r!(a).get() {
                        Value::Int(x) => holds(kind, x.get(), i64::from(k)),
                        x => compared!(kind, x, &Value::int(i64::from(k))),
                    };
                    if !v {
                        pc = to as usize;
                    }
                }
                Op::JumpFalse { a, to } => {
                    if !r!(a).get().truthy() {
                        pc = to as usize;
                    }
                }
                Op::JumpTrue { a, to } => {
                    if r!(a).get().truthy() {
                        pc = to as usize;
                    }
                }
                Op::JumpSome { a, to } => {
                    if !r!(a).get().is_nil() {
                        pc = to as usize;
                    }
                }
                Op::JumpNil { a, to } => {
                    if r!(a).get().is_nil() {
                        pc = to as usize;
                    }
                }
                Op::Jump { to } => pc = to as usize,
                Op::Test { kind, d, a } => {
                    let v = kind.holds(r!(a).get().truthy(), r!(a).get().is_nil());
                    r!(d).set(Slot::Own(Value::Bool(v)));
                }
                Op::CallBuiltin { d, a, n, b } => {
                    let mut args: SmallVec<[Value; 4]> =
                        (a..a + Reg::from(n)).map(|i| r!(i).take().into_value()).collect();
                    let b = p.builtins[b as usize];
                    r!(d).set(Slot::Own(ok!(self.deeper(|m| m.call_builtin(b, &mut args)))));
                }
                Op::Update { d, a, u } => {
                    let of = &p.updates[u as usize];
                    let (coll, key) = (r!(a).take().into_value(), r!(a + 1).take().into_value());
                    let x = if of.has_argument() { r!(a + 2).take() } else { Slot::Own(Value::Nil) };
                    r!(d).set(Slot::Own(ok!(self.deeper(|m| m.update(of, coll, key, x.get())))));
                }
                Op::Vector { d, a, n } => {
                    ok!(self.charge_cost(Cost(1 + u64::from(n) / 4)));
                    let v = match n {
                        2 => Vector::pair(r!(a).take().into_value(), r!(a + 1).take().into_value()),
                        _ => (a..a + n).map(|i| r!(i).take().into_value()).collect(),
                    };
                    r!(d).set(Slot::Own(ok!(self.checked(Value::Vector(v)))));
                }
                Op::Record { d, a, shape } => {
                    let keys = &p.shapes[shape as usize];
                    let n = keys.as_slice().len();
                    ok!(self.charge_cost(Cost(1 + n as u64 / 4)));
                    let vals = (0..n).map(|i| r!(a as usize + i).take().into_value());
                    let v = Value::Map(Map::of_few(keys.clone(), vals));
                    r!(d).set(Slot::Own(ok!(self.checked(v))));
                }
                Op::Lookup { d, a, mark, k } => {
                    let key = &p.constants[k as usize];
                    let len = match &r!(a) {
                        Slot::Lent(Value::Map(m)) => match m.field(key) {
                            Some((v, len)) => {
                                r!(d).set(Slot::Lent(v));
                                len
                            }
                            None => 0,
                        },
                        _ => 0,
                    };
                    if len == 0 {
                        let v = match &r!(a) {
                            Slot::Lent(v) => ok!(self.looked_up_in(v, key, mark)),
                            Slot::Own(v) => Slot::Own(ok!(self.looked_up_in(v, key, mark)).into_value()),
                        };
                        r!(d).set(v);
                        continue;
                    }
                    self.looked_up.found(mark);
                    // A long row of keys is looked through.
                    if len > 8 {
                        ok!(self.charge_cost(Cost(len.min(32) as u64 / 8)));
                    }
                }
                Op::Nth { d, a, i } => {
                    let v = match &r!(a) {
                        Slot::Lent(Value::Vector(v)) => {
                            v.get((i & !OF_SEQ) as usize).map_or(Slot::Own(Value::Nil), Slot::Lent)
                        }
                        Slot::Own(Value::Vector(v)) => {
                            Slot::Own(v.get((i & !OF_SEQ) as usize).cloned().unwrap_or_default())
                        }
                        other => {
                            let v = other.get().clone();
                            Slot::Own(ok!(self.deeper(|m| m.nth(v, i))))
                        }
                    };
                    r!(d) = v;
                }
                Op::Rest { d, a, i } => {
                    let v = r!(a).get().clone();
                    r!(d).set(Slot::Own(ok!(self.deeper(|m| m.rest_from(v, i)))));
                }
                Op::Keyed { d, a } => {
                    r!(d) = match &r!(a) {
                        Slot::Lent(v @ Value::Map(_)) => Slot::Lent(v),
                        other => {
                            let v = other.get().clone();
                            Slot::Own(ok!(self.deeper(|m| m.keyed(v))))
                        }
                    };
                }
                Op::Case { a, table } => {
                    let (branches, default) = &p.cases[table as usize];
                    let v = r!(a).get().clone();
                    ok!(self.deeper(|m| cost::wide_key(m, &v)));
                    pc = *branches.get(&crate::value::map::Key(v)).unwrap_or(default) as usize;
                }
                Op::Ret { a } => {
                    let at = a as usize % R;
                    for (i, slot) in slots.iter_mut().enumerate() {
                        if i != at {
                            slot.let_go();
                        }
                    }
                    // Written by its parts, as it was into the register: read as a whole it would have to wait for them.
                    return match &mut slots[at] {
                        Slot::Own(Value::Bool(v)) => Ok(Value::Bool(*v)),
                        Slot::Own(Value::Int(v)) => Ok(Value::Int(*v)),
                        Slot::Own(Value::Float(v)) => Ok(Value::Float(*v)),
                        Slot::Own(v) => Ok(std::mem::take(v)),
                        Slot::Lent(v) => Ok(v.clone()),
                    };
                }
                _ => {
                    empty(slots);
                    return Err(corrupt_state());
                }
            }
        }
    }
}
