//! Sequences by hand: first and rest, ends, indexes, lists, and realising on purpose.

use super::seq_source::{items, seqable, steps, times};
use crate::builtins::args;
use crate::builtins::args::{get, take};
use crate::builtins::collections::transient_held;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::{Iter, is_seqable, seq_of};
use crate::value::{Builtin, Cons, SeqKind, Slice, Value, Vector, Width};
use num_traits::ToPrimitive;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "seq",
        "coll",
        "The items as a sequence; nil when there are none.",
        &[("(seq [1 2])", "(1 2)"), ("(seq [])", "nil")],
        &Body(seq),
    ),
    Builtin::new(
        "doseq*",
        "coll",
        "What `doseq` walks.",
        &[("(doseq [x [1 2]] (print x))", "nil"), ("(doseq [x 5] x)", "!doseq: coll must be a collection, got 5")],
        &Body(seq),
    ),
    Builtin::new(
        "first",
        "coll",
        "The first item, or nil.",
        &[("(first [1 2])", "1"), ("(first nil)", "nil")],
        &Body(first),
    ),
    Builtin::new("second", "coll", "The second item, or nil.", &[("(second [1 2])", "2")], &Body(second)),
    Builtin::new(
        "rest",
        "coll",
        "All but the first item; () when there is nothing more.",
        &[("(rest [1 2 3])", "(2 3)"), ("(rest [])", "()")],
        &Body(rest),
    ),
    Builtin::new(
        "next",
        "coll",
        "All but the first item; nil when there is nothing more.",
        &[("(next [1 2 3])", "(2 3)"), ("(next [1])", "nil")],
        &Body(next),
    ),
    Builtin::new(
        "ffirst",
        "coll",
        "The first item of the first item.",
        &[("(ffirst [[1 2] [3]])", "1")],
        &Body(ffirst),
    ),
    Builtin::new("fnext", "coll", "The second item: first of next.", &[("(fnext [1 2 3])", "2")], &Body(second)),
    Builtin::new(
        "nfirst",
        "coll",
        "All but the first item of the first item.",
        &[("(nfirst [[1 2] [3]])", "(2)")],
        &Body(nfirst),
    ),
    Builtin::new(
        "nnext",
        "coll",
        "All but the first two items; nil when there is nothing more.",
        &[("(nnext [1 2 3])", "(3)")],
        &Body(nnext),
    ),
    Builtin::new(
        "last",
        "coll",
        "The last item, or nil.",
        &[("(last [1 2 3])", "3"), ("(last [])", "nil")],
        &Body(last),
    ),
    Builtin::new(
        "butlast",
        "coll",
        "All but the last item; nil when there is nothing more.",
        &[("(butlast [1 2 3])", "(1 2)"), ("(butlast [1])", "nil")],
        &Body(butlast),
    ),
    Builtin::new(
        "cons",
        "x coll",
        "A sequence with x in front of the items of coll.",
        &[("(cons 1 [2 3])", "(1 2 3)")],
        &Body(cons),
    ),
    Builtin::new(
        "nth",
        "coll index | coll index not-found",
        "The item at index. Out of bounds it is not-found, or else an error.",
        &[("(nth [:a :b] 1)", ":b"), ("(nth [:a] 5 :none)", ":none"), ("(nth [:a] 5)", "!out of bounds")],
        &Body(nth),
    ),
    Builtin::new(
        "nthrest",
        "coll n",
        "All but the first n items; () when there is nothing more.",
        &[("(nthrest [1 2 3] 2)", "(3)")],
        &Body(nthrest),
    ),
    Builtin::new(
        "nthnext",
        "coll n",
        "All but the first n items; nil when there is nothing more.",
        &[("(nthnext [1 2 3] 2)", "(3)"), ("(nthnext [1] 1)", "nil")],
        &Body(nthnext),
    ),
    Builtin::new(
        "reverse",
        "coll",
        "The items in reverse order, as a list.",
        &[("(reverse [1 2 3])", "(3 2 1)"), ("(reverse nil)", "()")],
        &Body(reverse),
    ),
    Builtin::new(
        "rseq",
        "rev",
        "The items of a vector or a sorted collection in reverse order; nil when there are none.",
        &[("(rseq [1 2 3])", "(3 2 1)")],
        &Body(rseq),
    ),
    Builtin::new("list", "& items", "A list of these items.", &[("(list 1 2 3)", "(1 2 3)")], &Body(list)),
    Builtin::new(
        "list*",
        "args | a args | a b args | a b c args | a b c d & more",
        "A sequence of the first arguments followed by the items of the last.",
        &[("(list* 1 2 [3 4])", "(1 2 3 4)")],
        &Body(list_star),
    ),
    Builtin::new(
        "doall",
        "coll | n coll",
        "Realises a lazy sequence and gives it.",
        &[("(doall (map inc (range 3)))", "(1 2 3)")],
        &Body(doall),
    ),
    Builtin::new(
        "dorun",
        "coll | n coll",
        "Realises a lazy sequence for its effects; gives nil.",
        &[("(dorun (map inc (range 3)))", "nil")],
        &Body(dorun),
    ),
    Builtin::new(
        "bounded-count",
        "n coll",
        "The number of items; counts no further than n unless the number is at hand.",
        &[("(bounded-count 5 (range))", "5"), ("(bounded-count 2 [1 2 3])", "3")],
        &Body(bounded_count),
    ),
];

fn bad_coll(i: usize, v: &Value) -> Interrupt {
    Interrupt::argument(i, "a collection", v)
}

fn seq(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let v = seqable(a, 0)?;
    seq_of(h, v)
}

/// The first item of any collection, making no more of a lazy one than that.
fn first_of(h: &mut dyn Host, v: &Value, i: usize) -> Result<Option<Value>> {
    Ok(match v {
        Value::Vector(x) => x.get(0).cloned(),
        Value::Slice(x) => x.first().cloned(),
        Value::Cons(c) => Some(c.first().clone()),
        Value::Nil => None,
        Value::Map(m) => m.iter().next().map(|(k, v)| Value::Vector(Vector::entry(k.clone(), v.clone()))),
        Value::Set(s) => s.iter().next().cloned(),
        Value::Str(s) => s.as_str().chars().next().map(Value::Char),
        Value::Lazy(l) => match crate::seq::force(h, l)? {
            Value::Cons(c) => Some(c.first().clone()),
            Value::Slice(s) => s.first().cloned(),
            _ => None,
        },
        other => return Err(bad_coll(i, other)),
    })
}

fn first(h: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(first_of(h, get(a, 0), 0)?.unwrap_or_default())
}

fn second(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Vector(v) => return Ok(v.get(1).cloned().unwrap_or_default()),
        Value::Slice(s) => return Ok(s.get(1).cloned().unwrap_or_default()),
        _ => {}
    }
    let mut it = Iter::arg(a, 0)?;
    it.next(h)?;
    Ok(it.next(h)?.unwrap_or_default())
}

fn ffirst(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = first(h, a)?;
    let y = first_of(h, &x, 0)?;
    Ok(y.unwrap_or_default())
}

/// Clojure's `rest`: never nil.
fn rest_of(h: &mut dyn Host, v: Value) -> Result {
    Ok(match v {
        Value::Vector(v) => Value::Slice(Slice::new(v, 1, SeqKind::Seq)),
        Value::Slice(s) => Value::Slice(s.rest()),
        Value::Nil => Value::empty_list(),
        other => match seq_of(h, other)? {
            Value::Cons(c) if c.rest().is_nil() => Value::empty_list(),
            Value::Cons(c) => c.rest().clone(),
            Value::Slice(s) => Value::Slice(s.rest()),
            _ => Value::empty_list(),
        },
    })
}

fn next_of(h: &mut dyn Host, v: Value) -> Result {
    let rest = rest_of(h, v)?;
    seq_of(h, rest)
}

fn rest(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let v = seqable(a, 0)?;
    rest_of(h, v)
}

fn next(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let v = seqable(a, 0)?;
    next_of(h, v)
}

fn nfirst(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = first(h, a)?;
    if is_seqable(&x) { next_of(h, x) } else { Err(bad_coll(0, &x)) }
}

fn nnext(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = next(h, a)?;
    next_of(h, x)
}

fn last(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Vector(v) => return Ok(v.len().checked_sub(1).and_then(|i| v.get(i)).cloned().unwrap_or_default()),
        Value::Slice(s) => return Ok(s.len().checked_sub(1).and_then(|i| s.get(i)).cloned().unwrap_or_default()),
        _ => {}
    }
    let mut it = Iter::arg(a, 0)?;
    let mut last = Value::Nil;
    while let Some(v) = it.next(h)? {
        h.charge(1)?;
        last = v;
    }
    Ok(last)
}

fn butlast(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut all = items(h, a, 0)?;
    all.pop();
    Ok(if all.is_empty() { Value::Nil } else { Value::seq(all) })
}

/// How many items a sequence has, when that costs nothing to know.
fn known_len(v: &Value) -> Option<usize> {
    match v {
        Value::Nil => Some(0),
        Value::Slice(s) => Some(s.len()),
        Value::Cons(c) => c.len(),
        _ => None,
    }
}

/// `x` in front of a collection.
pub fn cons_onto(h: &mut dyn Host, x: Value, coll: Value) -> Result {
    let tail = match coll {
        Value::Nil => return Ok(Value::list(vec![x])),
        Value::Lazy(_) | Value::Cons(_) | Value::Slice(_) => coll,
        other => seq_of(h, other)?,
    };
    let len = known_len(&tail);
    Ok(Value::Cons(Cons::new(x, tail, len, SeqKind::Seq)))
}

fn cons(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let coll = seqable(a, 1)?;
    let x = take(a, 0);
    cons_onto(h, x, coll)
}

/// An index as `nth` takes it: any number, cut toward zero.
fn index(a: &[Value], i: usize) -> Result<i64> {
    match get(a, i) {
        Value::Int(n) => Ok(n.get()),
        Value::Float(f) => Ok(f.get() as i64),
        Value::Ratio(r) => Ok(r.to_integer().to_i64().unwrap_or(i64::MAX)),
        Value::Decimal(d) => Ok(d.cut()),
        Value::Big(_) => steps(a, i),
        v => Err(Interrupt::argument(i, "a number", v)),
    }
}

/// The error of an index that a string does not have.
fn out_of_text(at: i64) -> Interrupt {
    Interrupt::bad(1, ErrorKind::Index, format!("is out of bounds of a string: {at}"))
}

fn nth(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let at = index(a, 1)?;
    let (found, len) = match (get(a, 0), u64::try_from(at).map(|_| args::clamped(at))) {
        (Value::Nil, _) => return Ok(take(a, 2)),
        (Value::Volatile(_), _) => return crate::builtins::strings::matcher::group(h, a, at),
        (Value::Map(_) | Value::Set(_), _) => return Err(Interrupt::argument(0, "a sequence", get(a, 0))),
        (Value::Builder(id), _) => {
            let text = crate::builtins::java::builder_text::text(h, *id)?;
            args::put(a, 0, Value::Str(text));
            return nth(h, a);
        }
        (v @ Value::Place(..), _) => match transient_held::held(h, v)? {
            Some(held @ Value::Vector(_)) => {
                args::put(a, 0, held);
                return nth(h, a);
            }
            _ => return Err(Interrupt::argument(0, "a sequence", get(a, 0))),
        },
        (Value::Vector(v), Ok(i)) => (v.get(i).cloned(), Some(v.len())),
        (Value::Slice(s), Ok(i)) => (s.get(i).cloned(), Some(s.len())),
        (Value::Str(s), Ok(i)) => {
            if !s.is_ascii() {
                h.charge(i.min(s.as_str().len()) as u64 / 48)?;
            }
            let next = i.saturating_add(1);
            match s.slice(i, next).and_then(|c| c.chars().next()) {
                Some(c) => return Ok(Value::Char(c)),
                None if a.len() > 2 => return Ok(take(a, 2)),
                None => return Err(out_of_text(at)),
            }
        }
        (Value::Str(_), Err(_)) if a.len() <= 2 => return Err(out_of_text(at)),
        (v, Err(_)) if is_seqable(v) => (None, None),
        (_, i) => {
            let mut it = Iter::arg(a, 0)?;
            let mut left = i.unwrap_or(0);
            loop {
                let Some(v) = it.next(h)? else { break (None, None) };
                if left == 0 {
                    break (Some(v), None);
                }
                left -= 1;
                h.charge(1)?;
            }
        }
    };
    match (found, len) {
        (Some(v), _) => Ok(v),
        (None, _) if a.len() > 2 => Ok(take(a, 2)),
        (None, Some(len)) => Err(args::out_of_bounds(1, at, len)),
        (None, None) => {
            let of = if let Value::Str(_) = get(a, 0) { ", of a string" } else { "" };
            Err(Interrupt::bad(1, ErrorKind::Index, format!("is out of bounds: {at}{of}")))
        }
    }
}

/// Takes `n` items off; what is left is not asked for.
fn skip(h: &mut dyn Host, v: Value, n: usize) -> Result {
    match v {
        Value::Vector(v) => return Ok(Value::Slice(Slice::new(v, n, SeqKind::Seq))),
        Value::Slice(s) => return Ok(Value::Slice(s.skip(n))),
        _ => {}
    }
    let mut it = Iter::new(v)?;
    for _ in 0..n {
        h.charge(1)?;
        if it.next(h)?.is_none() {
            return Ok(Value::empty_list());
        }
    }
    let rest = it.into_rest(h)?;
    Ok(if rest.is_nil() { Value::empty_list() } else { rest })
}

fn nthrest(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let n = times(a, 1)?;
    // Nothing to take off: the collection itself, nil too.
    if n == 0 || get(a, 0).is_nil() {
        return seqable(a, 0);
    }
    let v = seqable(a, 0)?;
    if seq_of(h, v.clone())?.is_nil() {
        return Ok(v);
    }
    skip(h, v, n)
}

fn nthnext(h: &mut dyn Host, a: &mut [Value]) -> Result {
    // Of nothing there is nothing, and nobody looks at n.
    if get(a, 1).is_nil() {
        let v = seqable(a, 0)?;
        if seq_of(h, v.clone())?.is_nil() {
            return Ok(Value::Nil);
        }
        *a.first_mut().unwrap_or(&mut Value::Nil) = v;
    }
    let n = times(a, 1)?;
    let v = seqable(a, 0)?;
    let rest = if n == 0 { v } else { skip(h, v, n)? };
    seq_of(h, rest)
}

fn reverse(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut all = items(h, a, 0)?;
    all.reverse();
    Ok(Value::list(all))
}

fn rseq(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let sorted = match get(a, 0) {
        Value::Vector(_) => true,
        Value::Map(m) => m.is_sorted(),
        Value::Set(s) => s.is_sorted(),
        _ => false,
    };
    if !sorted {
        return Err(Interrupt::argument(0, "a vector or a sorted collection", get(a, 0)));
    }
    let kind = if let Value::Vector(_) = get(a, 0) { SeqKind::Reversed } else { SeqKind::Seq };
    let mut all = items(h, a, 0)?;
    all.reverse();
    Ok(if all.is_empty() { Value::Nil } else { Value::Slice(Slice::new(Vector::from_vec(all), 0, kind)) })
}

fn list(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64 / 4)?;
    h.reserve(a.len() as u64 * 16)?;
    Ok(Value::list(a.iter_mut().map(std::mem::take).collect()))
}

fn list_star(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Some(last) = a.len().checked_sub(1) else { return Ok(Value::Nil) };
    let tail = seqable(a, last)?;
    if last == 0 {
        return seq_of(h, tail);
    }
    h.charge(last as u64 * 2)?;
    h.reserve(last as u64 * 128)?;
    let mut out = tail;
    for i in (0..last).rev() {
        out = cons_onto(h, take(a, i), out)?;
    }
    Ok(out)
}

/// Realises up to `most` items of `v`, all when that is `None`, and gives the sequence. What nobody else holds
/// becomes an array.
fn walk(h: &mut dyn Host, v: Value, most: Option<usize>) -> Result {
    if !crate::seq::is_lazy(&v) {
        return Ok(v);
    }
    if most.is_none() {
        if let it @ Iter::Stream(_) = Iter::new(v.clone())? {
            // A copy that runs no code: the items can be made once more for the array.
            return Ok(Value::seq(it.collect(h)?));
        }
        match Iter::new(v)? {
            Iter::Chain(chain) => return force_all(h, chain, usize::MAX),
            alone => return Ok(Value::seq(alone.collect(h)?)),
        }
    }
    force_all(h, v, most.unwrap_or(usize::MAX))
}

fn force_all(h: &mut dyn Host, v: Value, most: usize) -> Result {
    let mut at = v.clone();
    for _ in 0..most {
        h.charge(1)?;
        at = match at {
            Value::Lazy(l) => crate::seq::force(h, &l)?,
            Value::Cons(c) => c.rest().clone(),
            _ => break,
        };
    }
    Ok(v)
}

fn counted_arg(a: &mut [Value]) -> Result<(Value, Option<usize>)> {
    if a.len() > 1 {
        let n = times(a, 0)?;
        // Each cell takes two looks: one to make it, one to pass it.
        Ok((seqable(a, 1)?, Some(n.saturating_mul(2))))
    } else {
        Ok((seqable(a, 0)?, None))
    }
}

fn doall(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (v, most) = counted_arg(a)?;
    walk(h, v, most)
}

fn dorun(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (v, most) = counted_arg(a)?;
    if most.is_some() {
        walk(h, v, most)?;
        return Ok(Value::Nil);
    }
    let mut it = Iter::new(v)?;
    if !matches!(it, Iter::Array(_)) {
        while it.next(h)?.is_some() {
            h.charge(1)?;
        }
    }
    Ok(Value::Nil)
}

fn bounded_count(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let most = times(a, 0)?;
    let len = match get(a, 1) {
        Value::Vector(v) => Some(v.len()),
        Value::Map(m) => Some(m.len()),
        Value::Set(s) => Some(s.len()),
        Value::Slice(s) if s.kind == SeqKind::List => Some(s.len()),
        Value::Lazy(l) if crate::seq::generator::ranged(l).is_some_and(|r| r.end.is_some()) => {
            let Value::Int(n) = crate::builtins::collections::common::count(h, &mut [take(a, 1)])? else {
                return Ok(Value::Nil);
            };
            Some(n.get() as usize)
        }
        _ => None,
    };
    if let Some(len) = len {
        return Ok(Value::int(len as i64).of_width(Width::W32));
    }
    let mut it = Iter::arg(a, 1)?;
    let mut n = 0usize;
    while n < most && it.next(h)?.is_some() {
        h.charge(1)?;
        n += 1;
    }
    Ok(Value::int(n as i64))
}
