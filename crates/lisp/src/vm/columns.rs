//! Short functions without branches, over many items at once: each operation is carried out for a block of items before
//! the next one, so finding out which it is takes a fraction of the time, and numbers of one kind lie side by side, without
//! their tags. Where it is not plain for some item, nothing has happened yet, and [`super::pure`] goes through the items one
//! by one.

use super::found::{Found, Number, compared, computed, looked_up};
use super::numbers::{divided, holds};
use crate::bytecode::{Closure, Cmp, OF_SEQ, Op, Proto, SLOTS};
use crate::memory::Memory;
use crate::value::Value;
use crate::value::map::LastPlace;

/// Most items of a block: there is a bit for each in [`Column::Bools`].
pub(super) const LANES: usize = 32;

/// Columns of one block: of a function, or of all stages of a pipeline.
const COLUMNS: usize = 32;

/// [`pairs`] of a comparison, which is chosen once.
macro_rules! compare_all {
    ($kind:expr, $n:expr, $pairs:expr) => {
        match $kind {
            Cmp::Lt => pairs($n, $pairs, |x, y| x < y),
            Cmp::Le => pairs($n, $pairs, |x, y| x <= y),
            Cmp::Gt => pairs($n, $pairs, |x, y| x > y),
            Cmp::Ge => pairs($n, $pairs, |x, y| x >= y),
            Cmp::Eq | Cmp::Ne => pairs($n, $pairs, |x, y| holds($kind, x, y)),
        }
    };
}

/// What a register holds for each item of a block.
#[derive(Clone, Copy)]
pub(super) enum Column<'a> {
    /// The same for each.
    One(Found<'a>),
    /// The items.
    Items(&'a [Value]),
    /// A bit for each, the first in the lowest.
    Bools(u32),
    /// Integers, doubles or anything, in this place of [`Columns`].
    Ints(usize),
    Floats(usize),
    Any(usize),
}

/// Room for numbers side by side: integers, or doubles by their bits. It lies ready between blocks.
pub(super) type Room = [[i64; LANES]; COLUMNS];

/// Room that was not needed before.
#[cold]
pub(super) fn room() -> Box<Room> {
    Box::new([[0; LANES]; COLUMNS])
}

/// Columns that are made.
#[derive(Clone, Copy)]
pub(super) struct Made<'s, 'a> {
    numbers: &'s [[i64; LANES]],
    any: &'s [[Found<'a>; LANES]],
}

impl<'a> Made<'_, 'a> {
    /// What a column is for an item.
    #[inline(always)]
    pub fn at(&self, column: Column<'a>, lane: usize) -> Found<'a> {
        let number = |place: usize| self.numbers.get(place).map_or(0, |all| all[lane % LANES]);
        match column {
            Column::One(v) => v,
            Column::Items(items) => items.get(lane).map_or(Found::Nil, Found::of),
            Column::Bools(bits) => Found::Bool(bits >> (lane % LANES) & 1 != 0),
            Column::Ints(place) => Found::int(number(place)),
            Column::Floats(place) => Found::float(float(number(place))),
            Column::Any(place) => self.any.get(place).map_or(Found::Nil, |all| all[lane % LANES]),
        }
    }

    #[inline(always)]
    fn numbers(&self, column: Column<'a>) -> Numbers<'_> {
        match column {
            Column::One(Found::Int(x)) => Numbers::Int(x.get()),
            Column::One(Found::Float(x)) => Numbers::Float(x.get()),
            Column::Ints(place) => self.numbers.get(place).map_or(Numbers::Other, Numbers::Ints),
            Column::Floats(place) => self.numbers.get(place).map_or(Numbers::Other, Numbers::Floats),
            _ => Numbers::Other,
        }
    }
}

#[inline(always)]
fn float(bits: i64) -> f64 {
    f64::from_bits(bits as u64)
}

#[inline(always)]
fn bits_of(x: f64) -> i64 {
    x.to_bits() as i64
}

/// A bit for each of the first `n`.
#[inline(always)]
pub(super) fn all_of(n: usize) -> u32 {
    if n >= LANES { u32::MAX } else { (1u32 << n) - 1 }
}

/// The columns of a block: each is written once.
pub(super) struct Columns<'s, 'a> {
    room: &'s mut Room,
    used: usize,
    any: Vec<[Found<'a>; LANES]>,
    any_used: usize,
}

impl<'s, 'a> Columns<'s, 'a> {
    #[inline(always)]
    pub fn new(room: &'s mut Room) -> Self {
        Columns { room, used: 0, any: Vec::new(), any_used: 0 }
    }

    /// Where columns to come begin.
    pub fn mark(&self) -> (usize, usize) {
        (self.used, self.any_used)
    }

    /// Lets go of the columns that came after a mark.
    pub fn back_to(&mut self, (used, any_used): (usize, usize)) {
        (self.used, self.any_used) = (used, any_used);
    }

    /// These integers.
    pub fn ints(&mut self, ints: &[i64]) -> Column<'a> {
        let Some((_, out, place)) = self.next() else { return Column::One(Found::Nil) };
        out.iter_mut().zip(ints).for_each(|(to, x)| *to = *x);
        Column::Ints(place)
    }

    /// A bit for each of `n` items that are not nil.
    #[inline]
    pub fn some_of(&self, column: Column<'a>, n: usize) -> u32 {
        self.bits(column, n, |_, nil| !nil)
    }

    /// Adds as many of `n` items to a sum as are numbers of its kind: how many they were.
    pub fn add_to(&self, sum: &mut Value, column: Column<'a>, n: usize) -> usize {
        let wide = Found::of(sum).wide();
        match (wide, self.made().numbers(column)) {
            (Some(Number::Int(mut all)), Numbers::Ints(xs)) => {
                let mut done = 0;
                for x in xs.iter().take(n) {
                    let Some(next) = all.checked_add(*x) else { break };
                    (all, done) = (next, done + 1);
                }
                *sum = Value::int(all);
                done
            }
            (Some(Number::Float(all)), Numbers::Floats(xs)) => {
                *sum = Value::float(xs.iter().take(n).fold(all, |all, x| all + float(*x)));
                n
            }
            (Some(Number::Float(all)), Numbers::Ints(xs)) => {
                *sum = Value::float(xs.iter().take(n).fold(all, |all, x| all + *x as f64));
                n
            }
            _ => 0,
        }
    }

    /// Those there are.
    #[inline(always)]
    pub fn made(&self) -> Made<'_, 'a> {
        Made { numbers: &*self.room, any: &self.any }
    }

    /// Those there are, and the next place for numbers.
    #[inline(always)]
    fn next(&mut self) -> Option<(Made<'_, 'a>, &mut [i64; LANES], usize)> {
        let place = self.used;
        let (numbers, free) = self.room.split_at_mut_checked(place)?;
        self.used += 1;
        Some((Made { numbers, any: &self.any }, free.first_mut()?, place))
    }

    /// What `of` gives for each of `n` items, up to the first for which it gives nothing.
    #[inline(always)]
    pub fn gather(
        &mut self,
        n: usize,
        mut of: impl FnMut(Made<'_, 'a>, usize) -> Option<Found<'a>>,
    ) -> Option<Column<'a>> {
        let n = n.min(LANES);
        if n == 0 {
            return Some(Column::One(Found::Nil));
        }
        let (done, out, place) = self.next()?;
        let (mut kind, mut all) = (Column::One(Found::Nil), [Found::Nil; LANES]);
        for lane in 0..n {
            let v = of(done, lane)?;
            match (v.wide(), kind) {
                (Some(Number::Int(x)), Column::Ints(_)) => out[lane % LANES] = x,
                (Some(Number::Float(x)), Column::Floats(_)) => out[lane % LANES] = bits_of(x),
                (_, Column::Any(_)) => all[lane % LANES] = v,
                (Some(Number::Int(x)), Column::One(_)) => (kind, out[0]) = (Column::Ints(place), x),
                (Some(Number::Float(x)), Column::One(_)) => (kind, out[0]) = (Column::Floats(place), bits_of(x)),
                _ => {
                    mix(kind, lane, out, &mut all);
                    (kind, all[lane % LANES]) = (Column::Any(place), v);
                }
            }
        }
        if !matches!(kind, Column::Any(_)) {
            return Some(kind);
        }
        Some(self.keep(all))
    }

    #[inline(always)]
    fn keep(&mut self, all: [Found<'a>; LANES]) -> Column<'a> {
        let place = self.any_used;
        match self.any.get_mut(place) {
            Some(to) => *to = all,
            None => self.any.push(all),
        }
        self.any_used += 1;
        Column::Any(place)
    }

    /// The items, as numbers side by side if they are.
    #[inline]
    pub fn items(&mut self, items: &'a [Value]) -> Column<'a> {
        let items = items.get(..LANES).unwrap_or(items);
        let Some((_, out, place)) = self.next() else { return Column::Items(items) };
        let mut ints =
            items.iter().map_while(|x| if let Some(Number::Int(x)) = Found::of(x).wide() { Some(x) } else { None });
        let mut n = 0;
        for (to, x) in out.iter_mut().zip(&mut ints) {
            *to = x;
            n += 1;
        }
        if n == items.len() && n > 0 {
            return Column::Ints(place);
        }
        self.used = place;
        let number = |x: &Value| Found::of(x).wide().is_some();
        let all = if items.first().is_some_and(number) {
            self.gather(items.len(), |_, lane| items.get(lane).map(Found::of))
        } else {
            None
        };
        all.unwrap_or(Column::Items(items))
    }

    /// A bit for each of `n` items that `test` holds of, which is told whether it is true and whether it is nil.
    #[inline(always)]
    fn bits(&self, column: Column<'a>, n: usize, test: impl Fn(bool, bool) -> bool) -> u32 {
        let all = |yes: bool| if yes { all_of(n) } else { 0 };
        match column {
            Column::One(v) => all(test(v.truthy(), v.is_nil())),
            Column::Ints(_) | Column::Floats(_) => all(test(true, false)),
            Column::Bools(bits) => {
                (if test(true, false) { bits } else { 0 } | if test(false, false) { !bits } else { 0 }) & all_of(n)
            }
            Column::Items(_) | Column::Any(_) => {
                let mut bits = 0;
                for lane in 0..n {
                    let v = self.made().at(column, lane);
                    bits |= u32::from(test(v.truthy(), v.is_nil())) << (lane % LANES);
                }
                bits
            }
        }
    }

    /// A bit for each of `n` items that are true.
    #[inline]
    pub fn true_of(&self, column: Column<'a>, n: usize) -> u32 {
        self.bits(column, n, |truthy, _| truthy)
    }

    /// Adds what a column is for each of `n` items to `out`.
    #[inline(always)]
    pub fn push_to(&self, column: Column<'a>, n: usize, out: &mut Vec<Value>) {
        let made = self.made();
        match made.numbers(column) {
            Numbers::Ints(all) => out.extend(all.iter().take(n).map(|x| Found::int(*x).into_value())),
            Numbers::Floats(all) => out.extend(all.iter().take(n).map(|x| Found::float(float(*x)).into_value())),
            _ => out.extend((0..n).map(|lane| made.at(column, lane).into_value())),
        }
    }

    /// What two columns of numbers give.
    #[inline(always)]
    fn arithmetic(
        &mut self,
        (x, y): (Column<'a>, Column<'a>),
        n: usize,
        ints: impl Fn(i64, i64) -> (i64, bool),
        checked: fn(i64, i64) -> Option<i64>,
        floats: impl Fn(f64, f64) -> f64 + Copy,
    ) -> Option<Column<'a>> {
        let (done, out, place) = self.next()?;
        let whole = match (done.numbers(x), done.numbers(y)) {
            (Numbers::Ints(x), Numbers::Ints(y)) => each_int(out, n, x.iter().copied().zip(y.iter().copied()), ints),
            (Numbers::Ints(x), Numbers::Int(y)) => each_int(out, n, x.iter().map(|x| (*x, y)), ints),
            (Numbers::Int(x), Numbers::Ints(y)) => each_int(out, n, y.iter().map(|y| (x, *y)), ints),
            (Numbers::Floats(x), Numbers::Floats(y)) => {
                each_float(out, n, x.iter().zip(y).map(|(x, y)| (float(*x), float(*y))), floats);
                return Some(Column::Floats(place));
            }
            (Numbers::Floats(x), Numbers::Ints(y)) => {
                each_float(out, n, x.iter().zip(y).map(|(x, y)| (float(*x), *y as f64)), floats);
                return Some(Column::Floats(place));
            }
            (Numbers::Floats(x), Numbers::Float(y)) => {
                each_float(out, n, x.iter().map(|x| (float(*x), y)), floats);
                return Some(Column::Floats(place));
            }
            _ => {
                self.used = place;
                return self.gather(n, |done, lane| computed(done.at(x, lane), done.at(y, lane), checked, floats));
            }
        };
        whole.then_some(Column::Ints(place))
    }

    /// A division of integers by a constant.
    #[inline]
    fn divided(&mut self, x: Column<'a>, n: usize, f: impl Fn(i64) -> i64) -> Option<Column<'a>> {
        let (done, out, place) = self.next()?;
        if let Numbers::Ints(x) = done.numbers(x) {
            each_int(out, n, x.iter().map(|x| (*x, 0)), |x, _| (f(x), false));
            return Some(Column::Ints(place));
        }
        self.used = place;
        self.gather(n, |done, lane| {
            let Some(Number::Int(x)) = done.at(x, lane).number() else { return None };
            Some(Found::int(f(x)))
        })
    }

    #[inline(never)]
    fn comparison(&self, kind: Cmp, x: Column<'a>, y: Column<'a>, n: usize) -> Option<u32> {
        let made = self.made();
        Some(match (made.numbers(x), made.numbers(y)) {
            (Numbers::Ints(x), Numbers::Ints(y)) => compare_all!(kind, n, x.iter().copied().zip(y.iter().copied())),
            (Numbers::Ints(x), Numbers::Int(y)) => compare_all!(kind, n, x.iter().map(|x| (*x, y))),
            (Numbers::Floats(x), Numbers::Float(y)) => compare_all!(kind, n, x.iter().map(|x| (float(*x), y))),
            (Numbers::Floats(x), Numbers::Floats(y)) => {
                compare_all!(kind, n, x.iter().zip(y).map(|(x, y)| (float(*x), float(*y))))
            }
            _ => {
                let mut bits = 0;
                for lane in 0..n {
                    bits |= u32::from(compared(kind, made.at(x, lane), made.at(y, lane))?) << (lane % LANES);
                }
                bits
            }
        })
    }
}

/// A column as numbers side by side, if it is.
enum Numbers<'s> {
    Int(i64),
    Float(f64),
    Ints(&'s [i64; LANES]),
    /// By their bits.
    Floats(&'s [i64; LANES]),
    Other,
}

/// The first items of a column of one kind, where others follow.
#[cold]
fn mix(kind: Column<'_>, n: usize, numbers: &[i64; LANES], all: &mut [Found<'_>; LANES]) {
    for (to, x) in all.iter_mut().zip(numbers).take(n) {
        *to = if let Column::Ints(_) = kind { Found::int(*x) } else { Found::float(float(*x)) };
    }
}

/// What `f` gives for pairs of integers; `false` where it overflows for one.
#[inline(always)]
fn each_int(
    out: &mut [i64; LANES],
    n: usize,
    pairs: impl Iterator<Item = (i64, i64)>,
    f: impl Fn(i64, i64) -> (i64, bool),
) -> bool {
    let mut over = false;
    for (to, (x, y)) in out.iter_mut().zip(pairs).take(n) {
        let (v, beyond) = f(x, y);
        *to = v;
        over |= beyond;
    }
    !over
}

/// What `f` gives for pairs of doubles.
#[inline(always)]
fn each_float(out: &mut [i64; LANES], n: usize, pairs: impl Iterator<Item = (f64, f64)>, f: impl Fn(f64, f64) -> f64) {
    for (to, (x, y)) in out.iter_mut().zip(pairs).take(n) {
        *to = bits_of(f(x, y));
    }
}

/// A bit for each pair of which `test` holds.
#[inline(always)]
fn pairs<T>(n: usize, pairs: impl Iterator<Item = (T, T)>, test: impl Fn(T, T) -> bool) -> u32 {
    let mut bits = 0;
    for (lane, (x, y)) in pairs.take(n).enumerate() {
        bits |= u32::from(test(x, y)) << (lane % LANES);
    }
    bits
}

/// What was found on the way.
#[derive(Default)]
pub(super) struct Noted {
    /// What finding keys cost besides [`Proto::cost`].
    pub more: u64,
    /// Marks of constant keys that maps had.
    pub marks: smallvec::SmallVec<[u8; 8]>,
}

impl Noted {
    /// The values at a constant key, where all are numbers of a kind.
    #[inline]
    fn numbers<'a>(
        &mut self,
        columns: &mut Columns<'_, 'a>,
        maps: Column<'a>,
        n: usize,
        key: &Value,
    ) -> Option<Column<'a>> {
        let (made, out, place) = columns.next()?;
        let first = match made.at(maps, 0) {
            Found::Lent(Value::Map(m)) => m.field_again(key, &mut LastPlace::default()).map(|found| found.0),
            _ => None,
        };
        let ints = matches!(first, Some(Value::Int(_)));
        let found = match maps {
            _ if !ints && !matches!(first, Some(Value::Float(_))) => None,
            Column::Items(items) if ints => numbers_at(out, items.iter().map(Some), n, key, int_of),
            Column::Items(items) => numbers_at(out, items.iter().map(Some), n, key, float_of),
            Column::Any(all) => match made.any.get(all) {
                Some(all) => {
                    let lent = all.iter().map(|v| if let Found::Lent(v) = v { Some(*v) } else { None });
                    if ints { numbers_at(out, lent, n, key, int_of) } else { numbers_at(out, lent, n, key, float_of) }
                }
                None => None,
            },
            _ => None,
        };
        let Some(more) = found else {
            columns.used = place;
            return None;
        };
        self.more += more;
        Some(if ints { Column::Ints(place) } else { Column::Floats(place) })
    }

    /// The values at a constant key.
    #[inline]
    pub fn field<'a>(
        &mut self,
        columns: &mut Columns<'_, 'a>,
        maps: Column<'a>,
        n: usize,
        (key, mark): (&Value, u8),
    ) -> Option<Column<'a>> {
        if let Some(all) = self.numbers(columns, maps, n, key) {
            self.marks.push(mark);
            return Some(all);
        }
        let (mut last, mut any, mut more) = (LastPlace::default(), false, 0);
        let all = columns.gather(n, |done, lane| {
            let v = done.at(maps, lane);
            let (found, cost) = looked_up(v, key, &mut last)?;
            any |= !v.is_nil();
            more += cost;
            Some(found)
        })?;
        self.more += more;
        if any {
            self.marks.push(mark);
        }
        Some(all)
    }
}

/// The numbers of a kind that each of `n` records has at a key; what that costs besides, if all have one.
#[inline(always)]
fn numbers_at<'v>(
    out: &mut [i64; LANES],
    records: impl Iterator<Item = Option<&'v Value>>,
    n: usize,
    key: &Value,
    number: impl Fn(&Value) -> Option<i64>,
) -> Option<u64> {
    let (mut last, mut more, mut done) = (LastPlace::default(), 0, 0);
    for (to, v) in out.iter_mut().zip(records).take(n) {
        let Some(Value::Map(m)) = v else { return None };
        let (found, len) = m.field_again(key, &mut last)?;
        *to = number(found)?;
        if len > 8 {
            more += len.min(32) as u64 / 8;
        }
        done += 1;
    }
    (done == n).then_some(more)
}

fn int_of(v: &Value) -> Option<i64> {
    if let Some(Number::Int(x)) = Found::of(v).wide() { Some(x) } else { None }
}

fn float_of(v: &Value) -> Option<i64> {
    if let Some(Number::Float(x)) = Found::of(v).wide() { Some(bits_of(x)) } else { None }
}

/// Runs a function for a block of `n` items: what it gives for each.
#[inline(never)]
pub(super) fn run<'a>(
    (closure, proto): (&'a Closure, &'a Proto),
    memory: &'a Memory,
    (columns, items): (&mut Columns<'_, 'a>, Column<'a>),
    n: usize,
    noted: &mut Noted,
) -> Option<Column<'a>> {
    let mut registers = [Column::One(Found::Nil); SLOTS];
    macro_rules! r {
        ($i:expr) => {
            registers[$i as usize % SLOTS]
        };
    }
    macro_rules! numbers {
        ($a:expr, $b:expr, $over:path, $checked:path, $op:tt) => {
            columns.arithmetic((r!($a), $b), n, $over, $checked, |x, y| x $op y)?
        };
    }
    let constant = |k: i32| Column::One(Found::int(i64::from(k)));
    r!(0) = items;
    for op in &proto.code {
        match *op {
            Op::Move { d, s } | Op::Take { d, s } => r!(d) = r!(s),
            Op::Const { d, k } => r!(d) = Column::One(Found::of(proto.constants.get(k as usize)?)),
            Op::Int { d, v } => r!(d) = constant(v),
            Op::Nil { d } => r!(d) = Column::One(Found::Nil),
            Op::Capture { d, i } => r!(d) = Column::One(Found::of(closure.captures.get(i as usize)?)),
            Op::Global { d, g } => {
                r!(d) = Column::One(Found::of(memory.bindings.get(g as usize)?.value.as_ref()?));
            }
            Op::Lookup { d, a, mark, k } => {
                let key = proto.constants.get(k as usize)?;
                r!(d) = noted.field(columns, r!(a), n, (key, mark))?;
            }
            Op::Nth { d, a, i } => {
                let from = r!(a);
                r!(d) = columns.gather(n, |done, lane| {
                    let Found::Lent(Value::Vector(v)) = done.at(from, lane) else { return None };
                    Some(v.get((i & !OF_SEQ) as usize).map_or(Found::Nil, Found::of))
                })?;
            }
            Op::Keyed { d, a } => {
                if (0..n).any(|lane| !matches!(columns.made().at(r!(a), lane), Found::Lent(Value::Map(_)))) {
                    return None;
                }
                r!(d) = r!(a);
            }
            Op::Add { d, a, b } => r!(d) = numbers!(a, r!(b), i64::overflowing_add, i64::checked_add, +),
            Op::Sub { d, a, b } => r!(d) = numbers!(a, r!(b), i64::overflowing_sub, i64::checked_sub, -),
            Op::Mul { d, a, b } => r!(d) = numbers!(a, r!(b), i64::overflowing_mul, i64::checked_mul, *),
            Op::AddK { d, a, k } | Op::Step { d, a, k } => {
                r!(d) = numbers!(a, constant(k), i64::overflowing_add, i64::checked_add, +);
            }
            Op::MulK { d, a, k } => {
                r!(d) = numbers!(a, constant(k), i64::overflowing_mul, i64::checked_mul, *);
            }
            Op::DivK { kind, d, a, k } => {
                r!(d) = columns.divided(r!(a), n, |x| divided(kind, x, k))?;
            }
            Op::Compare { kind, d, a, b } => r!(d) = Column::Bools(columns.comparison(kind, r!(a), r!(b), n)?),
            Op::Test { kind, d, a } => {
                r!(d) = Column::Bools(columns.bits(r!(a), n, |truthy, nil| kind.holds(truthy, nil)));
            }
            Op::Ret { a } => return Some(r!(a)),
            _ => return None,
        }
    }
    None
}
