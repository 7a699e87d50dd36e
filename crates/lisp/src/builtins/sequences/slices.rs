//! Parts of sequences: take and drop and the like, and cutting into groups.

use super::callers::Caller;
use super::seq_source::{BatchedCharge, Buffer, Src, held, made, push, seqable, steps, times};
use super::transducer_step::{Kind, Piped};
use super::transducers::transducer;
use crate::builtins::args::take;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Iter, Step, is_lazy, seq_of};
use crate::value::{Builtin, Cons, SeqKind, Slice, Value};
use std::collections::VecDeque;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "take",
        "n | n coll",
        "The first n items. Without a collection, a transducer.",
        &[("(take 2 [1 2 3])", "(1 2)"), ("(take 3 (range))", "(0 1 2)")],
        &Body(take_n),
    ),
    Builtin::new(
        "drop",
        "n | n coll",
        "All but the first n items. Without a collection, a transducer.",
        &[("(drop 1 [1 2 3])", "(2 3)")],
        &Body(drop_n),
    ),
    Builtin::new(
        "take-while",
        "pred | pred coll",
        "Items up to the first that fails pred. Without a collection, a transducer.",
        &[("(take-while pos? [1 2 -1 3])", "(1 2)")],
        &Body(take_while),
    ),
    Builtin::new(
        "drop-while",
        "pred | pred coll",
        "Items from the first that fails pred. Without a collection, a transducer.",
        &[("(drop-while pos? [1 2 -1 3])", "(-1 3)")],
        &Body(drop_while),
    ),
    Builtin::new(
        "take-last",
        "n coll",
        "The last n items; nil when there are none.",
        &[("(take-last 2 [1 2 3])", "(2 3)")],
        &Body(take_last),
    ),
    Builtin::new(
        "drop-last",
        "coll | n coll",
        "All but the last item, or the last n.",
        &[("(drop-last [1 2 3])", "(1 2)"), ("(drop-last 2 [1 2 3])", "(1)")],
        &Body(drop_last),
    ),
    Builtin::new(
        "take-nth",
        "n | n coll",
        "Every n-th item, from the first on. Without a collection, a transducer.",
        &[("(take-nth 2 [0 1 2 3 4])", "(0 2 4)")],
        &Body(take_nth),
    ),
    Builtin::new(
        "split-at",
        "n coll",
        "The first n items and the others, as a vector of two sequences.",
        &[("(split-at 2 [1 2 3])", "[(1 2) (3)]")],
        &Body(split_at),
    ),
    Builtin::new(
        "splitv-at",
        "n coll",
        "The first n items as a vector, and the others.",
        &[("(splitv-at 2 [1 2 3])", "[[1 2] (3)]")],
        &Body(splitv_at),
    ),
    Builtin::new(
        "split-with",
        "pred coll",
        "Items up to the first that fails pred, and the others, as a vector of two sequences.",
        &[("(split-with pos? [1 2 -1 3])", "[(1 2) (-1 3)]")],
        &Body(split_with),
    ),
];

/// Items from `from` up to `to` of something realised.
fn slice(h: &mut dyn Host, coll: Value, from: usize, to: usize) -> Result<Vec<Value>> {
    let mut out = Vec::new();
    let mut it = Iter::new(coll)?;
    if let Iter::Array(s) = it {
        let len = to.min(s.len()).saturating_sub(from);
        h.charge(len as u64 / 4)?;
        h.reserve(len as u64 * 16)?;
        return Ok(s.skip(from).iter().take(len).cloned().collect());
    }
    for i in 0..to {
        h.charge(1)?;
        let Some(v) = it.next(h)? else { break };
        if i >= from {
            push(h, &mut out, v)?;
        }
    }
    Ok(out)
}

fn take_n(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = times(a, 0)?;
    if a.len() < 2 {
        return transducer(h, Kind::Take, Value::int(steps(a, 0)?));
    }
    let coll = seqable(a, 1)?;
    first_n(h, n, coll)
}

fn first_n(h: &mut dyn Host, n: usize, coll: Value) -> Result {
    if n == 0 {
        return Ok(Value::empty_list());
    }
    if !is_lazy(&coll) {
        return Ok(Value::seq(slice(h, coll, 0, n)?));
    }
    let n = Value::int(i64::try_from(n).unwrap_or(i64::MAX));
    Ok(lazy(Piped::new(Src::new(Iter::new(coll)?), Kind::Take, n)))
}

/// Drops when first asked, and then is the rest itself: nothing is left in between (trap 23).
#[derive(Clone)]
struct Dropping {
    src: Option<Src>,
    n: usize,
    /// Drops while this holds, when there is one, else `n` items.
    pred: Option<Value>,
}

impl Generator for Dropping {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        let Some(mut src) = self.src.take() else { return Ok(Step::End) };
        let mut left = self.n;
        while left > 0 || self.pred.is_some() {
            h.charge(1)?;
            let Some(x) = src.next(h)? else { return Ok(Step::End) };
            match &self.pred {
                Some(pred) if !Caller::new(pred).on(h, &x)?.truthy() => {
                    let rest = src.into_rest(h)?;
                    return Ok(Step::Rest(Value::Cons(Cons::new(x, rest, None, SeqKind::Seq))));
                }
                _ => left = left.saturating_sub(1),
            }
        }
        Ok(Step::Rest(src.into_rest(h)?))
    }
    fn weight(&self) -> u64 {
        self.src.as_ref().map_or(0, Src::weight)
    }
    fn finite(&self) -> bool {
        self.src.as_ref().is_none_or(Src::finite)
    }
    fn depth(&self) -> u32 {
        let pred = self.pred.as_ref().map_or(0, |p| held(&[p]));
        self.src.as_ref().map_or(0, Src::depth).max(pred)
    }
    fn endless(&self) -> bool {
        self.src.as_ref().is_some_and(Src::endless)
    }
}

fn drop_n(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = times(a, 0)?;
    if a.len() < 2 {
        return transducer(h, Kind::Drop, Value::int(steps(a, 0)?));
    }
    let coll = seqable(a, 1)?;
    but_first_n(h, n, coll)
}

fn but_first_n(h: &mut dyn Host, n: usize, coll: Value) -> Result {
    Ok(match coll {
        Value::Vector(v) => Value::Slice(Slice::new(v, n, SeqKind::Seq)),
        Value::Slice(mut s) => {
            s.kind = SeqKind::Seq;
            Value::Slice(s.skip(n))
        }
        coll if is_lazy(&coll) => lazy(Dropping { src: Some(Src::new(Iter::new(coll)?)), n, pred: None }),
        other => {
            let mut it = Iter::new(other)?;
            for _ in 0..n {
                h.charge(1)?;
                if it.next(h)?.is_none() {
                    break;
                }
            }
            Value::seq(it.collect(h)?)
        }
    })
}

/// How many items at the start of something realised fulfil `pred`.
fn prefix(h: &mut dyn Host, pred: &Value, all: &[Value]) -> Result<usize> {
    let (pred, mut toll) = (Caller::new(pred), BatchedCharge::new(all.len()));
    for (i, x) in all.iter().enumerate() {
        toll.one(h)?;
        if !pred.on(h, x)?.truthy() {
            return Ok(i);
        }
    }
    Ok(all.len())
}

fn take_while(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    if a.len() < 2 {
        return transducer(h, Kind::TakeWhile, pred);
    }
    let coll = seqable(a, 1)?;
    if is_lazy(&coll) {
        return Ok(lazy(Piped::new(Src::new(Iter::new(coll)?), Kind::TakeWhile, pred)));
    }
    let mut all = Iter::new(coll)?.collect(h)?;
    let n = prefix(h, &pred, &all)?;
    all.truncate(n);
    Ok(Value::seq(all))
}

fn drop_while(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    if a.len() < 2 {
        return transducer(h, Kind::DropWhile, pred);
    }
    let coll = seqable(a, 1)?;
    if is_lazy(&coll) {
        return Ok(lazy(Dropping { src: Some(Src::new(Iter::new(coll)?)), n: 0, pred: Some(pred) }));
    }
    let mut all = Iter::new(coll)?.collect(h)?;
    let n = prefix(h, &pred, &all)?;
    all.drain(..n);
    Ok(Value::seq(all))
}

fn take_last(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = times(a, 0)?;
    let coll = seqable(a, 1)?;
    let out = match coll {
        Value::Vector(_) | Value::Slice(_) => {
            let Iter::Array(s) = Iter::new(coll)? else { return Ok(Value::Nil) };
            let from = s.len().saturating_sub(n);
            Value::Slice(s.skip(from))
        }
        other => {
            let mut window = VecDeque::new();
            let mut it = Iter::new(other)?;
            while let Some(v) = it.next(h)? {
                h.charge(1)?;
                if window.len() == window.capacity() {
                    h.reserve(window.len() as u64 * 32 + 64)?;
                }
                window.push_back(v);
                if window.len() > n {
                    window.pop_front();
                }
            }
            Value::seq(window.into())
        }
    };
    seq_of(h, out)
}

/// All but the last `n`: an item comes when `n` more are there.
#[derive(Clone)]
struct ButLast {
    src: Src,
    ahead: Buffer<VecDeque<Value>>,
    n: usize,
    depth: u32,
}

impl Generator for ButLast {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        while self.ahead.len() <= self.n {
            h.charge(1)?;
            if self.ahead.len() == self.ahead.capacity() {
                h.reserve(self.ahead.len() as u64 * 32 + 64)?;
            }
            let Some(v) = self.src.next(h)? else { return Ok(Step::End) };
            self.depth = self.depth.max(held(&[&v]));
            self.ahead.push_back(v);
        }
        Ok(self.ahead.pop_front().map_or(Step::End, Step::Item))
    }
    fn weight(&self) -> u64 {
        self.src.weight() + self.ahead.capacity() as u64
    }
    fn finite(&self) -> bool {
        self.src.finite()
    }
    fn depth(&self) -> u32 {
        self.src.depth().max(self.depth)
    }
    fn endless(&self) -> bool {
        self.src.endless()
    }
}

fn drop_last(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let at = a.len().saturating_sub(1);
    let n = if a.len() > 1 { times(a, 0)? } else { 1 };
    let coll = seqable(a, at)?;
    if is_lazy(&coll) {
        return Ok(lazy(ButLast { src: Src::new(Iter::new(coll)?), ahead: Buffer::default(), n, depth: 0 }));
    }
    let mut all = Iter::new(coll)?.collect(h)?;
    all.truncate(all.len().saturating_sub(n));
    Ok(Value::seq(all))
}

/// One value for ever: what `(take-nth 0 xs)` and the like come to in Clojure.
#[derive(Clone)]
struct Forever(Value);

impl Generator for Forever {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Ok(Step::Item(self.0.clone()))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        held(&[&self.0])
    }
    fn endless(&self) -> bool {
        true
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        Some(Box::new(Forever(self.0.clone())))
    }
}

/// The endless sequence of one value.
pub fn forever(v: Value) -> Value {
    lazy(Forever(v))
}

fn take_nth(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = steps(a, 0)?;
    if a.len() < 2 {
        return transducer(h, Kind::TakeNth, Value::int(n));
    }
    let coll = seqable(a, 1)?;
    if n < 1 {
        // Nothing is dropped after the first item, so it comes again and again.
        let first = Iter::new(coll)?.next(h)?;
        return Ok(first.map_or_else(Value::empty_list, forever));
    }
    let later = is_lazy(&coll);
    made(h, later, Piped::new(Src::new(Iter::new(coll)?), Kind::TakeNth, Value::int(n)))
}

fn split(h: &mut dyn Host, a: &mut [Value], vector: bool) -> Result {
    let n = times(a, 0)?;
    let coll = seqable(a, 1)?;
    let mut front = first_n(h, n, coll.clone())?;
    if vector {
        front = Value::vector(Iter::new(front)?.collect(h)?);
    }
    let back = but_first_n(h, n, coll)?;
    Ok(Value::vector(vec![front, back]))
}

fn split_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    split(h, a, false)
}

fn splitv_at(h: &mut dyn Host, a: &mut [Value]) -> Result {
    split(h, a, true)
}

fn split_with(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    let coll = seqable(a, 1)?;
    if is_lazy(&coll) {
        let front = lazy(Piped::new(Src::new(Iter::new(coll.clone())?), Kind::TakeWhile, pred.clone()));
        let back = lazy(Dropping { src: Some(Src::new(Iter::new(coll)?)), n: 0, pred: Some(pred) });
        return Ok(Value::vector(vec![front, back]));
    }
    let mut all = Iter::new(coll)?.collect(h)?;
    let n = prefix(h, &pred, &all)?;
    let back = all.split_off(n);
    Ok(Value::vector(vec![Value::seq(all), Value::seq(back)]))
}
