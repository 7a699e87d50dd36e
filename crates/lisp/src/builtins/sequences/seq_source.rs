//! How sequence functions walk and make sequences: sources that know their depth, arrays, buffers that are charged.

use crate::builtins::args;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Iter, Step, is_lazy, is_seqable};
use crate::value::{Item, Value};
use num_traits::{Signed, ToPrimitive};
use std::collections::VecDeque;

/// Something to take items from inside a generator, with its depth at hand: a generator is asked for its depth at
/// every step, and some walks would have to look at every item for it.
#[derive(Clone)]
pub struct Src {
    iter: Iter,
    depth: u32,
    finite: bool,
}

fn depth_of(iter: &Iter) -> u32 {
    match iter {
        // A generator on its own was a lazy sequence, which counts as one level.
        Iter::Stream(_) => iter.depth().saturating_add(1),
        _ => iter.depth(),
    }
}

/// Values that a place for a source is as large as.
const SRC: u64 = (size_of::<Src>() / size_of::<Value>()) as u64 + 1;

impl Src {
    /// Over what `iter` walks.
    pub fn new(iter: Iter) -> Self {
        Src { depth: depth_of(&iter), finite: iter.finite(), iter }
    }

    /// Over argument `i`.
    pub fn arg(a: &mut [Value], i: usize) -> Result<Self> {
        Ok(Src::new(Iter::arg(a, i)?))
    }

    /// The next item.
    #[inline]
    pub fn next(&mut self, h: &mut dyn Host) -> Result<Option<Value>> {
        let item = self.iter.next(h)?;
        // A chain keeps the depth it began with: one that a sequence makes out of its own items does not nest.
        if let Iter::Stream(_) = self.iter {
            self.depth = depth_of(&self.iter);
        }
        Ok(item)
    }

    /// Nesting.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether it is known to go on for ever.
    pub fn endless(&self) -> bool {
        self.iter.endless()
    }

    /// Whether it was known from the beginning to come to an end.
    pub fn finite(&self) -> bool {
        self.finite
    }

    /// As [`Generator::weight`].
    pub fn weight(&self) -> u64 {
        self.iter.weight().saturating_add(1)
    }

    /// The same of several in an array, their places counted too.
    pub fn weights(all: &[Src]) -> u64 {
        all.iter().fold(0, |sum: u64, s| sum.saturating_add(s.weight()).saturating_add(SRC))
    }

    /// What is left, as a sequence (or nil).
    pub fn into_rest(self, host: &mut dyn Host) -> Result {
        self.iter.into_rest(host)
    }
}

/// A buffer of a generator. A clone has as much room as the original: what a growth costs depends on the room, and a
/// sequence that was put back must cost what it would have cost.
#[derive(Default)]
pub struct Buffer<B>(pub B);

impl<B> std::ops::Deref for Buffer<B> {
    type Target = B;
    fn deref(&self) -> &B {
        &self.0
    }
}

impl<B> std::ops::DerefMut for Buffer<B> {
    fn deref_mut(&mut self) -> &mut B {
        &mut self.0
    }
}

impl<T: Clone> Clone for Buffer<Vec<T>> {
    fn clone(&self) -> Self {
        let mut copy = Vec::with_capacity(self.capacity());
        copy.extend_from_slice(self);
        Buffer(copy)
    }
}

impl<T: Clone> Clone for Buffer<VecDeque<T>> {
    fn clone(&self) -> Self {
        let mut copy = VecDeque::with_capacity(self.capacity());
        copy.extend(self.iter().cloned());
        Buffer(copy)
    }
}

/// Several sources walked side by side.
#[derive(Clone)]
pub struct Srcs {
    all: Vec<Src>,
    /// The greatest depth seen: a generator is asked for it at every step.
    depth: u32,
}

impl Srcs {
    /// Over the arguments from `from` on.
    pub fn args(h: &mut dyn Host, a: &mut [Value], from: usize) -> Result<Self> {
        let n = a.len().saturating_sub(from);
        h.charge(n as u64)?;
        h.reserve(n as u64 * size_of::<Src>() as u64)?;
        let all = (from..a.len()).map(|i| Src::arg(a, i)).collect::<Result<Vec<_>>>()?;
        Ok(Srcs { depth: all.iter().map(Src::depth).max().unwrap_or(0), all })
    }

    /// Over one.
    pub fn one(src: Src) -> Self {
        Srcs { depth: src.depth(), all: vec![src] }
    }

    /// The next item of each; `None` when one of them has come to its end.
    pub fn row(&mut self, h: &mut dyn Host) -> Result<Option<Row>> {
        h.charge(self.all.len() as u64)?;
        let mut row = Row::with_capacity(self.all.len());
        for s in &mut self.all {
            let Some(v) = s.next(h)? else { return Ok(None) };
            self.depth = self.depth.max(s.depth()).max(v.depth());
            row.push(v);
        }
        Ok(Some(row))
    }

    /// As [`Generator::weight`].
    pub fn weight(&self) -> u64 {
        Src::weights(&self.all)
    }

    /// Nesting of the sources and of what came from them.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether one of them is known to come to an end, and with it all.
    pub fn finite(&self) -> bool {
        self.all.iter().any(Src::finite)
    }

    /// Whether all are known to go on for ever.
    pub fn endless(&self) -> bool {
        self.all.iter().all(Src::endless)
    }
}

/// An item of each of several sources.
pub type Row = smallvec::SmallVec<[Value; 3]>;

/// Adds to a buffer that grows with what a program asks for: room for each growth is asked before it is made.
#[inline]
pub fn push(h: &mut dyn Host, out: &mut Vec<Value>, v: Value) -> Result<()> {
    if out.len() == out.capacity() {
        h.reserve(out.len() as u64 * 32 + 64)?;
    }
    out.push(v);
    Ok(())
}

/// A copy: of a number without a call.
#[inline(always)]
pub fn copied(v: &Value) -> Value {
    match v {
        Value::Int(i) => Value::Int(*i),
        Value::Float(f) => Value::Float(*f),
        v => v.clone(),
    }
}

/// Charges visiting items, some at a time: a walk that stops early is not charged for all of a large collection.
pub struct BatchedCharge {
    left: usize,
    paid: usize,
}

impl BatchedCharge {
    /// For at most `len` items.
    pub fn new(len: usize) -> Self {
        BatchedCharge { left: len, paid: 0 }
    }

    /// So many more items.
    #[inline]
    pub fn some(&mut self, h: &mut dyn Host, n: usize) -> Result<()> {
        let mut left = n;
        while left > 0 {
            self.one(h)?;
            let more = (left - 1).min(self.paid);
            self.paid -= more;
            left -= 1 + more;
        }
        Ok(())
    }

    /// One more item.
    #[inline]
    pub fn one(&mut self, h: &mut dyn Host) -> Result<()> {
        if self.paid == 0 {
            self.paid = self.left.clamp(1, 64);
            self.left -= self.paid.min(self.left);
            h.charge(self.paid as u64)?;
        }
        self.paid -= 1;
        Ok(())
    }
}

/// Items that are looked at together before each of them is used.
pub const BLOCK: usize = 16;

/// Looks at the beginning of values: those of a large collection are far from each other, and a processor waits for
/// many at once no longer than for one.
pub fn look(block: &[Value]) {
    let beginning = |v: &Value| match v {
        Value::Map(m) => m.touched(),
        Value::Vector(v) => v.depth(),
        Value::Str(s) => s.as_str().len() as u32,
        _ => 0,
    };
    std::hint::black_box(block.iter().map(beginning).fold(0, u32::wrapping_add));
}

/// The items of an array: moved out when nobody else holds them, so that what they are given to can change them in
/// place.
pub enum Items {
    /// Out of an array of our own.
    Own(Own),
    /// Out of one that others hold.
    Shared(crate::value::Slice),
}

impl Items {
    /// The items of `s`.
    pub fn new(mut s: crate::value::Slice) -> Items {
        if s.is_unique() && s.as_slice().is_some() {
            Items::Own(Own { items: s.into_vec().into_iter(), seen: 0 })
        } else {
            Items::Shared(s)
        }
    }
}

/// Items that are moved out.
pub struct Own {
    items: std::vec::IntoIter<Value>,
    /// How many have been looked at.
    seen: usize,
}

impl Own {
    /// The items that come next.
    pub fn block(&mut self) -> Option<&[Value]> {
        let left = self.items.as_slice();
        let block = left.get(..BLOCK).unwrap_or(left);
        look(block);
        self.seen = BLOCK;
        Some(block).filter(|b| !b.is_empty())
    }
}

impl Iterator for Own {
    type Item = Value;
    #[inline]
    fn next(&mut self) -> Option<Value> {
        if self.seen == 0 {
            self.seen = BLOCK;
            let left = self.items.as_slice();
            look(left.get(..BLOCK).unwrap_or(left));
        }
        self.seen -= 1;
        self.items.next()
    }
}

/// Lends an array to `visit`, at most 16 items at a time. Nothing is charged.
#[inline]
pub fn lend_blocks(s: &crate::value::Slice, mut visit: impl FnMut(&[Value]) -> Result<bool>) -> Result<()> {
    let Some(all) = s.as_slice() else {
        for x in s.iter() {
            if !visit(std::slice::from_ref(x))? {
                break;
            }
        }
        return Ok(());
    };
    for block in all.chunks(BLOCK) {
        // Numbers are where they are looked at.
        if !block.first().is_some_and(Item::needs_no_drop) {
            look(block);
        }
        if !visit(block)? {
            break;
        }
    }
    Ok(())
}

/// Lends every item of an array to `visit`, until that says `false`. Nothing is charged.
#[inline]
pub fn lend(s: &crate::value::Slice, mut visit: impl FnMut(&Value) -> Result<bool>) -> Result<()> {
    lend_blocks(s, |block| {
        for x in block {
            if !visit(x)? {
                return Ok(false);
            }
        }
        Ok(true)
    })
}

/// Hands every item of argument `i` to `visit`, until that says `false`. Each is charged.
pub fn each(
    h: &mut dyn Host,
    a: &mut [Value],
    i: usize,
    mut visit: impl FnMut(&mut dyn Host, Value) -> Result<bool>,
) -> Result<()> {
    match Iter::arg(a, i)? {
        Iter::Array(s) => {
            let mut toll = BatchedCharge::new(s.len());
            match Items::new(s) {
                Items::Own(items) => {
                    for x in items {
                        toll.one(h)?;
                        if !visit(h, x)? {
                            break;
                        }
                    }
                }
                Items::Shared(s) => lend(&s, |x| {
                    toll.one(h)?;
                    visit(h, x.clone())
                })?,
            }
        }
        mut other => {
            while let Some(x) = other.next(h)? {
                h.charge(1)?;
                if !visit(h, x)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// The nesting of what an array holds: a bound for every part of it.
pub fn nesting(v: &Value) -> Option<(u32, bool)> {
    match v {
        Value::Vector(v) => Some((v.depth(), v.lazy())),
        Value::Slice(s) => Some((s.base().0.depth(), s.base().0.lazy())),
        _ => None,
    }
}

/// Bounds from here on are not taken over: a part that is put into its source and taken out again would count as one
/// level deeper each time.
const SHALLOW: u32 = 32;

/// A vector of items of `source`, of which [`nesting`] was asked.
pub fn part(source: Option<(u32, bool)>, items: Vec<Value>) -> crate::value::Vector {
    use crate::value::node::NodeHeader;
    match source {
        Some((depth, false)) if depth < SHALLOW => {
            crate::value::Vector::with_head(items, NodeHeader::bounded(depth, false))
        }
        _ => crate::value::Vector::from_vec(items),
    }
}

/// Lends every item of argument `i` to `visit`, until that says `false`. Each is charged.
pub fn each_ref(
    h: &mut dyn Host,
    a: &mut [Value],
    i: usize,
    mut visit: impl FnMut(&mut dyn Host, &Value) -> Result<bool>,
) -> Result<()> {
    match Iter::arg(a, i)? {
        Iter::Array(s) => {
            let mut toll = BatchedCharge::new(s.len());
            lend(&s, |x| {
                toll.one(h)?;
                visit(h, x)
            })?;
        }
        mut other => {
            while let Some(x) = other.next(h)? {
                h.charge(1)?;
                if !visit(h, &x)? {
                    break;
                }
            }
        }
    }
    Ok(())
}

/// Runs a generator to its end.
pub fn gather(h: &mut dyn Host, mut g: impl Generator) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    loop {
        h.charge(1)?;
        match g.step(h)? {
            Step::Item(v) => push(h, &mut out, v)?,
            Step::End => return Ok(out),
            Step::Rest(v) => {
                let mut rest = Iter::new(v)?;
                while let Some(v) = rest.next(h)? {
                    h.charge(1)?;
                    push(h, &mut out, v)?;
                }
                return Ok(out);
            }
        }
    }
}

/// What `g` makes: lazily over what is lazy, else at once (difference 1).
pub fn made(h: &mut dyn Host, later: bool, g: impl Generator + Clone + 'static) -> Result {
    if later { Ok(lazy(g)) } else { Ok(Value::seq(gather(h, g)?)) }
}

/// Whether any of these arguments is a sequence that is not there yet.
pub fn any_lazy(a: &[Value]) -> bool {
    a.iter().any(is_lazy)
}

/// All of argument `i`, as a `Vec` of its own: moved out when nobody else holds it.
pub fn items(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result<Vec<Value>> {
    Iter::arg(a, i)?.collect(h)
}

/// Checks that argument `i` is seqable before anything is made of it, and takes it.
pub fn seqable(a: &mut [Value], i: usize) -> Result {
    let v = args::take(a, i);
    if is_seqable(&v) { Ok(v) } else { Err(Interrupt::argument(i, "a collection", &v)) }
}

/// How often something that counts down from argument `i` to zero is done: `(take 1.5 xs)` takes two, as in Clojure.
pub fn times(a: &[Value], i: usize) -> Result<usize> {
    Ok(args::clamped(steps(a, i)?))
}

/// The same with its sign.
pub fn steps(a: &[Value], i: usize) -> Result<i64> {
    let cut = |positive: bool| if positive { i64::MAX } else { i64::MIN };
    Ok(match args::get(a, i) {
        Value::Int(n) => n.get(),
        // Casts from doubles saturate, NaN gives 0.
        Value::Float(f) => f.get().ceil() as i64,
        Value::Big(b) => b.to_i64().unwrap_or_else(|| cut(b.is_positive())),
        // Where the quotient is beyond all counting, it is not worked out.
        Value::Ratio(r) if r.numer().bits() > r.denom().bits() + 64 => cut(r.is_positive()),
        Value::Ratio(r) => r.ceil().to_integer().to_i64().unwrap_or_else(|| cut(r.is_positive())),
        // `(take 1.5M xs)` takes two.
        Value::Decimal(d) => d.cut().saturating_add(i64::from(d.fraction_above_zero())),
        v => return Err(Interrupt::argument(i, "a number", v)),
    })
}

/// A function of the language as a value, to call where the VM's own rules are wanted (`+` on any numbers).
pub fn core(h: &dyn Host, name: &str) -> Result {
    match h.builtin(name) {
        Some(b) => Ok(Value::Builtin(b)),
        None => Err(Interrupt::error(ErrorKind::Internal, format!("{name} is missing"))),
    }
}

/// One more than the depth of these, for a generator that holds them.
pub fn held(values: &[&Value]) -> u32 {
    values.iter().map(|v| v.depth()).max().unwrap_or(0)
}
