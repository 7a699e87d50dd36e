//! Short functions that only compute: fields, numbers, comparisons, tests. Their registers hold plain numbers and what
//! is lent, so nothing is counted or freed. Where there is more to do (a number of another kind, a key that is not
//! there, an error) nothing has happened yet that may not happen again, and [`super::leaf`] makes the call.

use super::columns::{self, Column, Columns, LANES, Noted};
use super::fast_path::put;
use super::found::{Found, Number, compared, computed, looked_up};
use super::known::{CALLED, Known};
use super::leaf::Leaf;
use super::missed_keys::LookedUp;
use super::numbers::divided;
use super::state::Vm;
use crate::bytecode::{Cast, OF_SEQ, Op, Proto, SLOTS};
use crate::fuel::Cost;
use crate::host::Result;
use crate::memory::Memory;
use crate::value::Value;
use crate::value::map::LastPlace;

/// From so many items on a block pays.
pub(super) const MANY: usize = 6;

/// Constant keys whose places are remembered.
const PLACES: usize = 4;

/// What a call sees besides its arguments.
pub(super) struct Seen<'a> {
    proto: &'a Proto,
    captures: &'a [Value],
    memory: &'a Memory,
}

/// Where constant keys were last. It is made anew for each block of items, which are lent as long as it is used, and
/// nothing is changed meanwhile.
pub(super) type Places = [(u32, LastPlace); PLACES];

impl<'a> Seen<'a> {
    pub fn new(leaf: Leaf<'a>, memory: &'a Memory) -> Self {
        Seen { proto: leaf.proto, captures: &leaf.closure.captures, memory }
    }

    /// What it gives for what there is so far and another item, unless that ends a fold.
    pub fn folded(&self, so_far: &'a Value, x: Found<'a>, marks: &mut LookedUp, cost: &mut u64) -> Option<Value> {
        let mut slots = registers([so_far]);
        slots[1] = x;
        let (v, more) = self.run(&mut slots, &mut Places::default(), marks)?;
        *cost += more;
        let v = v.into_value();
        (!matches!(v, Value::Reduced(_))).then_some(v)
    }

    /// The value at a constant key, and what finding it costs besides.
    #[inline(always)]
    fn field(&self, v: Found<'a>, k: u32, places: &mut Places) -> Option<(Found<'a>, u64)> {
        let key = self.proto.constants.get(k as usize)?;
        let (of, last) = &mut places[k as usize % PLACES];
        if *of != k {
            (*of, *last) = (k, LastPlace::default());
        }
        looked_up(v, key, last)
    }

    /// Runs it, with its arguments in the first registers: its value, and what it costs besides [`Proto::cost`].
    #[inline(never)]
    pub fn run(
        &self,
        slots: &mut Registers<'a>,
        places: &mut Places,
        marks: &mut LookedUp,
    ) -> Option<(Found<'a>, u64)> {
        let (mut pc, mut more) = (0usize, 0u64);
        macro_rules! r {
            ($i:expr) => {
                slots[$i as usize % SLOTS]
            };
        }
        loop {
            let op = self.proto.code.get(pc)?;
            pc += 1;
            match *op {
                // What was moved away is not asked for again.
                Op::Move { d, s } | Op::Take { d, s } => r!(d) = r!(s),
                Op::Keyed { d, a } => {
                    let v @ Found::Lent(Value::Map(_)) = r!(a) else { return None };
                    r!(d) = v;
                }
                Op::Const { d, k } => r!(d) = Found::of(self.proto.constants.get(k as usize)?),
                Op::Int { d, v } => r!(d) = Found::int(i64::from(v)),
                Op::Nil { d } => r!(d) = Found::Nil,
                Op::Capture { d, i } => r!(d) = Found::of(self.captures.get(i as usize)?),
                Op::Global { d, g } => r!(d) = Found::of(self.memory.bindings.get(g as usize)?.value.as_ref()?),
                Op::Lookup { d, a, mark, k } => {
                    let v = r!(a);
                    let (found, cost) = self.field(v, k, places)?;
                    // Nothing has a key that nil is asked for.
                    if !v.is_nil() {
                        marks.found(mark);
                    }
                    r!(d) = found;
                    more += cost;
                }
                Op::Nth { d, a, i } => {
                    let Found::Lent(Value::Vector(v)) = r!(a) else { return None };
                    r!(d) = v.get((i & !OF_SEQ) as usize).map_or(Found::Nil, Found::of);
                }
                Op::Add { d, a, b } => r!(d) = computed(r!(a), r!(b), i64::checked_add, |x, y| x + y)?,
                Op::Sub { d, a, b } => r!(d) = computed(r!(a), r!(b), i64::checked_sub, |x, y| x - y)?,
                Op::Mul { d, a, b } => r!(d) = computed(r!(a), r!(b), i64::checked_mul, |x, y| x * y)?,
                Op::AddK { d, a, k } | Op::Step { d, a, k } => {
                    r!(d) = computed(r!(a), Found::int(i64::from(k)), i64::checked_add, |x, y| x + y)?;
                }
                Op::Cast { kind, d, a } => {
                    r!(d) = match (kind, r!(a)) {
                        (Cast::TakenLong | Cast::GivenLong, Found::Int(n)) => Found::int(n.get()),
                        (Cast::Double, Found::Float(x)) => Found::float(x.get()),
                        (Cast::Double, Found::Int(n)) => Found::float(n.get() as f64),
                        _ => return None,
                    };
                }
                Op::MulK { d, a, k } => {
                    r!(d) = computed(r!(a), Found::int(i64::from(k)), i64::checked_mul, |x, y| x * y)?;
                }
                Op::DivK { kind, d, a, k } => {
                    let Some(Number::Int(x)) = r!(a).number() else { return None };
                    r!(d) = Found::int(divided(kind, x, k));
                }
                Op::Div { kind, d, a, b } => {
                    let (Some(Number::Int(x)), Some(Number::Int(y))) = (r!(a).number(), r!(b).number()) else {
                        return None;
                    };
                    if y <= 0 {
                        return None;
                    }
                    r!(d) = Found::int(kind.of(x, y));
                }
                Op::Compare { kind, d, a, b } => r!(d) = Found::Bool(compared(kind, r!(a), r!(b))?),
                Op::JumpUnless { kind, a, b, to } => {
                    if !compared(kind, r!(a), r!(b))? {
                        pc = to as usize;
                    }
                }
                Op::JumpUnlessK { kind, a, k, to } => {
                    if !compared(kind, r!(a), Found::int(i64::from(k)))? {
                        pc = to as usize;
                    }
                }
                Op::JumpFalse { a, to } => {
                    if !r!(a).truthy() {
                        pc = to as usize;
                    }
                }
                Op::JumpTrue { a, to } => {
                    if r!(a).truthy() {
                        pc = to as usize;
                    }
                }
                Op::JumpSome { a, to } => {
                    if !r!(a).is_nil() {
                        pc = to as usize;
                    }
                }
                Op::JumpNil { a, to } => {
                    if r!(a).is_nil() {
                        pc = to as usize;
                    }
                }
                Op::Jump { to } => pc = to as usize,
                Op::Test { kind, d, a } => {
                    r!(d) = Found::Bool(kind.holds(r!(a).truthy(), r!(a).is_nil()));
                }
                Op::Ret { a } => return Some((r!(a), more)),
                _ => return None,
            }
        }
    }
}

/// What a function gave, and for how many.
type Given<'a> = (Column<'a>, usize);

pub(super) type Registers<'a> = [Found<'a>; SLOTS];

/// With arguments that are lent.
#[inline(always)]
pub(super) fn registers<'a, const N: usize>(args: [&'a Value; N]) -> Registers<'a> {
    let mut slots = [Found::Nil; SLOTS];
    for (slot, arg) in slots.iter_mut().zip(args) {
        *slot = Found::of(arg);
    }
    slots
}

impl Vm<'_, '_> {
    /// Whether a call of it may be made here: it only computes, and is not too deep.
    #[inline]
    fn computes(&self, leaf: Leaf<'_>) -> bool {
        leaf.proto.pure
            && self.native < self.turn.limits.builtin_depth
            && self.frames.len() < self.turn.limits.call_depth as usize
    }

    /// What a function gives for arguments that are lent, if it only computes and finds what it asks for.
    #[inline]
    pub(super) fn compute<const N: usize>(&mut self, leaf: Leaf<'_>, args: [&Value; N]) -> Result<Option<Value>> {
        if !self.computes(leaf) {
            return Ok(None);
        }
        let seen = Seen { proto: leaf.proto, captures: &leaf.closure.captures, memory: &*self.memory };
        let given = seen.run(&mut registers(args), &mut Places::default(), &mut self.looked_up);
        let Some((v, more)) = given else { return Ok(None) };
        let v = v.into_value();
        self.charge_cost(Cost(2 + leaf.proto.cost.0 + more))?;
        Ok(Some(v))
    }

    /// Gives `one`, with its place, or `all` at once, besides `to`, what `f` gives for each of `xs`, up to the first that is not only computed: how many they were.
    #[inline(always)]
    fn each_computed<T>(
        &mut self,
        f: &Value,
        xs: &[Value],
        to: &mut T,
        one: impl Fn(&mut T, usize, Found<'_>),
        all: impl for<'v> FnOnce(&mut T, &Columns<'_, 'v>, Given<'v>),
    ) -> Result<usize> {
        if let Some(known) = Known::of(f) {
            return self.each_known(known, xs, |at, v| one(to, at, v));
        }
        let Some(leaf) = Leaf::of(f, 1).filter(|leaf| self.computes(*leaf)) else { return Ok(0) };
        if leaf.proto.straight && (MANY..=LANES).contains(&xs.len()) {
            let (mut noted, n) = (Noted::default(), xs.len());
            let of = (leaf.closure, leaf.proto);
            let mut room = self.columns.take().unwrap_or_else(columns::room);
            let mut made = Columns::new(&mut room);
            let items = made.items(xs);
            let given = columns::run(of, &*self.memory, (&mut made, items), n, &mut noted);
            if let Some(given) = given {
                all(to, &made, (given, n));
                self.columns = Some(room);
                noted.marks.iter().for_each(|mark| self.looked_up.found(*mark));
                self.charge_cost(Cost((2 + leaf.proto.cost.0) * n as u64 + noted.more))?;
                return Ok(n);
            }
            self.columns = Some(room);
        }
        let seen = Seen { proto: leaf.proto, captures: &leaf.closure.captures, memory: &*self.memory };
        let (mut slots, mut places) = (registers([]), Places::default());
        let (mut done, mut cost) = (0, 0);
        for x in xs {
            slots[0] = Found::of(x);
            let Some((v, more)) = seen.run(&mut slots, &mut places, &mut self.looked_up) else { break };
            one(to, done, v);
            done += 1;
            cost += 2 + leaf.proto.cost.0 + more;
        }
        self.charge_cost(Cost(cost))?;
        Ok(done)
    }

    /// The same of a function of the language.
    #[inline(always)]
    fn each_known(&mut self, f: Known, xs: &[Value], mut one: impl FnMut(usize, Found<'_>)) -> Result<usize> {
        if self.native >= self.turn.limits.builtin_depth {
            return Ok(0);
        }
        let mut done = 0;
        for x in xs {
            let Some(v) = f.plain(Found::of(x)) else { break };
            one(done, v);
            done += 1;
        }
        self.charge_cost(Cost(CALLED.0 * done as u64))?;
        Ok(done)
    }

    /// What a known function of the language gives, without a call.
    #[inline]
    pub(super) fn known(&mut self, f: &Value, x: &Value) -> Result<Option<Value>> {
        let Some(known) = Known::of(f).filter(|_| self.native < self.turn.limits.builtin_depth) else {
            return Ok(None);
        };
        let Some(v) = known.plain(Found::of(x)) else { return Ok(None) };
        self.charge_cost(CALLED)?;
        Ok(Some(v.into_value()))
    }

    /// Adds what `f` gives for each of `xs` to `out`, up to the first that is not only computed: how many they were.
    pub(super) fn compute_each(&mut self, f: &Value, xs: &[Value], out: &mut Vec<Value>) -> Result<usize> {
        let to = &mut *out;
        self.each_computed(
            f,
            xs,
            to,
            |to, _, v| to.push(v.into_value()),
            |to, made, (given, n)| made.push_to(given, n, to),
        )
    }

    /// As [`Vm::compute_each`], of answers to a question: a bit for each, the first in the lowest.
    pub(super) fn test_each(&mut self, f: &Value, xs: &[Value]) -> Result<(usize, u64)> {
        let xs = xs.get(..64).unwrap_or(xs);
        let mut answers = 0u64;
        let done = self.each_computed(
            f,
            xs,
            &mut answers,
            |answers, at, v| *answers |= u64::from(v.truthy()) << at,
            |answers, made, (given, n)| *answers = made.true_of(given, n).into(),
        )?;
        Ok((done, answers))
    }

    /// As [`Vm::compute_each`], of a fold into `acc`.
    pub(super) fn fold_each(&mut self, f: &Value, acc: &mut Value, xs: &[Value]) -> Result<usize> {
        let Some(leaf) = Leaf::of(f, 2).filter(|leaf| leaf.proto.pure) else { return Ok(0) };
        for (done, x) in xs.iter().enumerate() {
            match self.compute(leaf, [acc, x])? {
                Some(v) => put(acc, v),
                None => return Ok(done),
            }
            if let Value::Reduced(_) = acc {
                return Ok(done + 1);
            }
        }
        Ok(xs.len())
    }
}
