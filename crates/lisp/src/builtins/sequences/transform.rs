//! map, filter and the like: at once over what is there, in order; lazily over what is not there yet (difference 1).

use super::callers::Caller;
use super::join::concat_all;
use super::seq_source::{
    BLOCK, BatchedCharge, Src, Srcs, any_lazy, copied, each, held, lend_blocks, made, nesting, part, push,
};
use super::transducer_step::{Kind, Piped};
use super::transducers::transducer;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Iter, Step, is_lazy};
use crate::value::node::NodeHeader;
use crate::value::{Builtin, Item, Slice, Value, Vector};

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "map",
        "f | f coll | f c1 c2 & colls",
        "Calls f on every item, or on the first items of all collections, then the second ones and so on. Without a collection, a transducer.",
        &[("(map inc [1 2 3])", "(2 3 4)"), ("(map + [1 2] [10 20])", "(11 22)")],
        &Body(map),
    ),
    Builtin::new(
        "for-map*",
        "f coll",
        "What the innermost level of `for` is rewritten to.",
        &[("(for [x [1 2]] (inc x))", "(2 3)"), ("(for [x 5] x)", "!for: coll must be a collection, got 5")],
        &Body(map),
    ),
    Builtin::new(
        "mapv",
        "f coll | f c1 c2 & colls",
        "As map, giving a vector.",
        &[("(mapv inc [1 2])", "[2 3]")],
        &Body(mapv),
    ),
    Builtin::new(
        "map-indexed",
        "f | f coll",
        "Calls f on index and item. Without a collection, a transducer.",
        &[("(map-indexed vector [:a :b])", "([0 :a] [1 :b])")],
        &Body(map_indexed),
    ),
    Builtin::new(
        "mapcat",
        "f | f & colls",
        "The items of all collections that f gives. Without a collection, a transducer.",
        &[("(mapcat reverse [[1 2] [3 4]])", "(2 1 4 3)")],
        &Body(mapcat),
    ),
    Builtin::new(
        "filter",
        "pred | pred coll",
        "The items for which pred holds. Without a collection, a transducer.",
        &[("(filter even? [1 2 3 4])", "(2 4)")],
        &Body(|h, a| select(h, a, Kind::Filter)),
    ),
    Builtin::new(
        "filterv",
        "pred coll",
        "As filter, giving a vector.",
        &[("(filterv odd? [1 2 3])", "[1 3]")],
        &Body(filterv),
    ),
    Builtin::new(
        "remove",
        "pred | pred coll",
        "The items for which pred does not hold. Without a collection, a transducer.",
        &[("(remove even? [1 2 3 4])", "(1 3)")],
        &Body(|h, a| select(h, a, Kind::Remove)),
    ),
    Builtin::new(
        "keep",
        "f | f coll",
        "What f gives for the items, without nil. Without a collection, a transducer.",
        &[("(keep :a [{:a 1} {} {:a 2}])", "(1 2)")],
        &Body(keep),
    ),
    Builtin::new(
        "keep-indexed",
        "f | f coll",
        "What f gives for index and item, without nil. Without a collection, a transducer.",
        &[("(keep-indexed (fn [i x] (when (odd? i) x)) [:a :b])", "(:b)")],
        &Body(keep_indexed),
    ),
];

/// `f` of every item, in the buffer of the items where they are nobody else's.
fn map_all(h: &mut dyn Host, f: &Value, mut it: Iter) -> Result<Vector> {
    let f = Caller::new(f);
    // What is made is noted while it is at hand.
    let mut head = NodeHeader::default();
    let shared = if let Iter::Array(s) = &mut it { !s.is_unique() } else { false };
    let lent = f.lends() || (shared && f.borrows(h));
    match it {
        Iter::Array(s) if lent => {
            h.reserve(s.len() as u64 * 16)?;
            let (mut out, mut toll) = (Vec::with_capacity(s.len()), BatchedCharge::new(s.len()));
            lend_blocks(&s, |block| {
                toll.some(h, block.len())?;
                let from = out.len();
                f.on_each(h, block, &mut out)?;
                out.get(from..).unwrap_or_default().iter().filter(|y| !y.needs_no_drop()).for_each(|y| head.add(y));
                Ok(true)
            })?;
            Ok(Vector::with_head(out, head))
        }
        Iter::Array(s) => {
            let mut items = Iter::Array(s).collect(h)?;
            let mut toll = BatchedCharge::new(items.len());
            let mut made = Vec::with_capacity(BLOCK);
            for block in items.chunks_mut(BLOCK) {
                // What is only computed is computed for all of a block, from what is lent.
                let done = f.computed_each(h, block, &mut made)?;
                toll.some(h, done)?;
                for (slot, y) in block.iter_mut().zip(made.drain(..)) {
                    // What holds nothing does not nest.
                    if !y.needs_no_drop() {
                        head.add(&y);
                    }
                    *slot = y;
                }
                for slot in block.iter_mut().skip(done) {
                    toll.one(h)?;
                    let y = f.give(h, std::mem::take(slot))?;
                    head.add(&y);
                    *slot = y;
                }
            }
            Ok(Vector::with_head(items, head))
        }
        mut it => {
            let mut out = Vec::new();
            while let Some(x) = it.next(h)? {
                h.charge(1)?;
                let y = f.give(h, x)?;
                head.add(&y);
                push(h, &mut out, y)?;
            }
            Ok(Vector::with_head(out, head))
        }
    }
}

/// `f` of the first items, of the second ones, and so on.
#[derive(Clone)]
struct Rows {
    f: Value,
    sources: Srcs,
}

impl Generator for Rows {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        let Some(mut row) = self.sources.row(h)? else { return Ok(Step::End) };
        Ok(Step::Item(h.call(&self.f, &mut row)?))
    }
    fn weight(&self) -> u64 {
        self.sources.weight()
    }
    fn finite(&self) -> bool {
        self.sources.finite()
    }
    fn depth(&self) -> u32 {
        held(&[&self.f]).max(self.sources.depth())
    }
    fn endless(&self) -> bool {
        self.sources.endless()
    }
}

fn rows(h: &mut dyn Host, a: &mut [Value]) -> Result<Rows> {
    let sources = Srcs::args(h, a, 1)?;
    Ok(Rows { f: take(a, 0), sources })
}

/// `(map f coll)`
pub fn map(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match a.len() {
        0 | 1 => {
            let f = take(a, 0);
            transducer(h, Kind::Map, f)
        }
        2 => {
            let f = take(a, 0);
            let later = is_lazy(get(a, 1));
            let it = Iter::arg(a, 1)?;
            if later {
                return Ok(lazy(Piped::new(Src::new(it), Kind::Map, f)));
            }
            Ok(Value::Slice(Slice::all(map_all(h, &f, it)?)))
        }
        _ => {
            let later = any_lazy(a.get(1..).unwrap_or_default());
            let rows = rows(h, a)?;
            made(h, later, rows)
        }
    }
}

/// `(mapv f coll)`
pub fn mapv(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 2 {
        let f = take(a, 0);
        let it = Iter::arg(a, 1)?;
        return Ok(Value::Vector(map_all(h, &f, it)?));
    }
    let rows = rows(h, a)?;
    Ok(Value::vector(super::seq_source::gather(h, rows)?))
}

/// The items for which `pred` is `wanted`.
fn chosen(h: &mut dyn Host, pred: &Value, a: &mut [Value], wanted: bool) -> Result<Vector> {
    let pred = Caller::new(pred);
    let source = nesting(get(a, 1));
    let mut out = Vec::new();
    let s = match Iter::arg(a, 1)? {
        Iter::Array(s) => s,
        mut other => {
            while let Some(x) = other.next(h)? {
                h.charge(1)?;
                if pred.on(h, &x)?.truthy() == wanted {
                    push(h, &mut out, x)?;
                }
            }
            return Ok(part(source, out));
        }
    };
    let mut toll = BatchedCharge::new(s.len());
    lend_blocks(&s, |block| {
        toll.some(h, block.len())?;
        let answers = pred.test_each(h, block)?;
        let mut taken = if wanted { answers } else { !answers } & u64::MAX >> (64 - block.len().clamp(1, 64));
        while taken != 0 {
            let at = taken.trailing_zeros() as usize;
            taken &= taken - 1;
            if let Some(x) = block.get(at) {
                push(h, &mut out, copied(x))?;
            }
        }
        Ok(true)
    })?;
    Ok(part(source, out))
}

/// `(filter pred coll)` and `(remove pred coll)`
pub fn select(h: &mut dyn Host, a: &mut [Value], kind: Kind) -> Result {
    let pred = take(a, 0);
    if a.len() < 2 {
        return transducer(h, kind, pred);
    }
    if is_lazy(get(a, 1)) {
        return Ok(lazy(Piped::new(Src::arg(a, 1)?, kind, pred)));
    }
    Ok(Value::Slice(Slice::all(chosen(h, &pred, a, kind == Kind::Filter)?)))
}

/// `(filterv pred coll)`
pub fn filterv(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    Ok(Value::Vector(chosen(h, &pred, a, true)?))
}

/// `(keep f coll)`
pub fn keep(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    if a.len() < 2 {
        return transducer(h, Kind::Keep, f);
    }
    if is_lazy(get(a, 1)) {
        return Ok(lazy(Piped::new(Src::arg(a, 1)?, Kind::Keep, f)));
    }
    let (call, mut out) = (Caller::new(&f), Vec::new());
    each(h, a, 1, |h, x| {
        let y = call.give(h, x)?;
        if !y.is_nil() {
            push(h, &mut out, y)?;
        }
        Ok(true)
    })?;
    Ok(Value::seq(out))
}

fn indexed(h: &mut dyn Host, a: &mut [Value], kind: Kind) -> Result {
    let f = take(a, 0);
    if a.len() < 2 {
        return transducer(h, kind, f);
    }
    if is_lazy(get(a, 1)) {
        return Ok(lazy(Piped::new(Src::arg(a, 1)?, kind, f)));
    }
    let (mut out, mut i) = (Vec::new(), 0i64);
    each(h, a, 1, |h, x| {
        let y = h.call2(&f, Value::int(i), x)?;
        i += 1;
        if kind == Kind::MapIndexed || !y.is_nil() {
            push(h, &mut out, y)?;
        }
        Ok(true)
    })?;
    Ok(Value::seq(out))
}

fn map_indexed(h: &mut dyn Host, a: &mut [Value]) -> Result {
    indexed(h, a, Kind::MapIndexed)
}

fn keep_indexed(h: &mut dyn Host, a: &mut [Value]) -> Result {
    indexed(h, a, Kind::KeepIndexed)
}

fn not_a_collection(v: &Value) -> Interrupt {
    let text = format!("mapcat: f must give collections, got {}", crate::print::brief(v));
    Interrupt::error(crate::error::ErrorKind::Type, text)
}

/// `(mapcat f coll)`
pub fn mapcat(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() < 2 {
        let f = take(a, 0);
        return transducer(h, Kind::Mapcat, f);
    }
    let later = any_lazy(a.get(1..).unwrap_or_default());
    if later && a.len() == 2 {
        let f = take(a, 0);
        return Ok(lazy(Piped::new(Src::arg(a, 1)?, Kind::Mapcat, f)));
    }
    if later {
        let groups = lazy(rows(h, a)?);
        return Ok(lazy(Piped::new(Src::new(Iter::new(groups)?), Kind::Cat, Value::Nil)));
    }
    let groups = if a.len() == 2 {
        let f = take(a, 0);
        let it = Iter::arg(a, 1)?;
        map_all(h, &f, it)?.into_vec()
    } else {
        let rows = rows(h, a)?;
        super::seq_source::gather(h, rows)?
    };
    if let Some(bad) = groups.iter().find(|g| !crate::seq::is_seqable(g)) {
        return Err(not_a_collection(bad));
    }
    concat_all(h, groups)
}
