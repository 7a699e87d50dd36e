//! Short functions without branches, over many items at once: each operation is carried out for a block of items before
//! the next one, so finding out which it is takes a sixteenth of the time. Where it is not plain for some item, nothing has
//! happened yet, and [`super::pure`] goes through the items one by one.

use super::fast_path::divided;
use super::found::{Found, Number, compared, computed, looked_up};
use crate::bytecode::{Closure, OF_SEQ, Op, Proto, SLOTS};
use crate::memory::Memory;
use crate::value::Value;
use crate::value::map::LastPlace;

/// Items of a block.
pub(super) const LANES: usize = 16;

/// What a register holds for each item.
pub(super) type Column<'a> = [Found<'a>; LANES];

/// What was found on the way.
#[derive(Default)]
pub(super) struct Noted {
    /// What finding keys cost besides [`Proto::cost`].
    pub more: u64,
    /// Marks of constant keys that maps had.
    pub marks: smallvec::SmallVec<[u8; 8]>,
}

/// Runs a function for a block of items: the register that holds what it gives for each.
#[inline(never)]
pub(super) fn run<'a>(
    (closure, proto): (&'a Closure, &'a Proto),
    memory: &'a Memory,
    items: &'a [Value],
    columns: &mut [Column<'a>; SLOTS],
    noted: &mut Noted,
) -> Option<usize> {
    let n = items.len().min(LANES);
    macro_rules! r {
        ($i:expr) => {
            columns[$i as usize % SLOTS]
        };
    }
    macro_rules! all {
        ($d:expr, [$($x:ident = $a:expr),*] $e:expr) => {{
            for lane in 0..n {
                $(let $x = r!($a)[lane % LANES];)*
                r!($d)[lane % LANES] = $e;
            }
        }};
    }
    for (slot, x) in r!(0).iter_mut().zip(items) {
        *slot = Found::of(x);
    }
    for op in &proto.code {
        match *op {
            Op::Move { d, s } | Op::Take { d, s } => r!(d) = r!(s),
            Op::Const { d, k } => r!(d) = [Found::of(proto.constants.get(k as usize)?); LANES],
            Op::Int { d, v } => r!(d) = [Found::int(i64::from(v)); LANES],
            Op::Nil { d } => r!(d) = [Found::Nil; LANES],
            Op::Capture { d, i } => r!(d) = [Found::of(closure.captures.get(i as usize)?); LANES],
            Op::Global { d, g } => {
                r!(d) = [Found::of(memory.bindings.get(g as usize)?.value.as_ref()?); LANES];
            }
            Op::Lookup { d, a, mark, k } => {
                let key = proto.constants.get(k as usize)?;
                let (mut last, mut any) = (LastPlace::default(), false);
                all!(d, [v = a] {
                    let (found, more) = looked_up(v, key, &mut last)?;
                    any |= !v.is_nil();
                    noted.more += more;
                    found
                });
                if any {
                    noted.marks.push(mark);
                }
            }
            Op::Nth { d, a, i } => all!(d, [v = a] {
                let Found::Lent(Value::Vector(v)) = v else { return None };
                v.get((i & !OF_SEQ) as usize).map_or(Found::Nil, Found::of)
            }),
            Op::Keyed { d, a } => all!(d, [v = a] {
                let Found::Lent(Value::Map(_)) = v else { return None };
                v
            }),
            Op::Add { d, a, b } => all!(d, [x = a, y = b] computed(x, y, i64::checked_add, |x, y| x + y)?),
            Op::Sub { d, a, b } => all!(d, [x = a, y = b] computed(x, y, i64::checked_sub, |x, y| x - y)?),
            Op::Mul { d, a, b } => all!(d, [x = a, y = b] computed(x, y, i64::checked_mul, |x, y| x * y)?),
            Op::AddK { d, a, k } | Op::Step { d, a, k } => {
                all!(d, [x = a] computed(x, Found::int(i64::from(k)), i64::checked_add, |x, y| x + y)?);
            }
            Op::MulK { d, a, k } => {
                all!(d, [x = a] computed(x, Found::int(i64::from(k)), i64::checked_mul, |x, y| x * y)?);
            }
            Op::DivK { kind, d, a, k } => all!(d, [x = a] {
                let Some(Number::Int(x)) = x.number() else { return None };
                Found::int(divided(kind, x, k))
            }),
            Op::Compare { kind, d, a, b } => all!(d, [x = a, y = b] Found::Bool(compared(kind, x, y)?)),
            Op::Test { kind, d, a } => all!(d, [v = a] Found::Bool(kind.holds(v.truthy(), v.is_nil()))),
            Op::Ret { a } => return Some(a as usize % SLOTS),
            _ => return None,
        }
    }
    None
}
