//! Pouring one collection into another, straight or through a transducer: into, transduce, sequence, eduction.

use super::callers::Reducer;
use super::reduce::fold;
use super::seq_source::{Src, Srcs, any_lazy, core, gather, seqable};
use super::transducers::{Pipe, Sequence, composed, drive, unreduced};
use crate::builtins::args::{get, take};
use crate::builtins::collections::common::conj_one;
use crate::builtins::row::BuiltinRow;
use crate::builtins::types::own_methods::own_reduce;
use crate::cost;
use crate::host::{Body, Host, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Iter, is_lazy, seq_of};
use crate::value::{Builtin, SeqKind, Slice, Value, Vector};

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "into",
        "| to | to from | to xform from",
        "Adds all items of from to the collection to, through a transducer if there is one.",
        &[("(into [1] [2 3])", "[1 2 3]"), ("(into {} [[:a 1]])", "{:a 1}"), ("(into [] (map inc) [1 2])", "[2 3]")],
        &Body(into),
    ),
    Builtin::new(
        "transduce",
        "xform f coll | xform f init coll",
        "Reduces with f what the transducer makes of the items.",
        &[("(transduce (map inc) + [1 2 3])", "9")],
        &Body(transduce),
    ),
    Builtin::new(
        "sequence",
        "coll | xform coll | xform coll & colls",
        "The items as a sequence, or what a transducer makes of them.",
        &[("(sequence (map inc) [1 2])", "(2 3)"), ("(sequence nil)", "()")],
        &Body(sequence),
    ),
    Builtin::new(
        "eduction",
        "xform* coll | & xforms",
        "What these transducers make of the items of the last argument.",
        &[("(eduction (map inc) (filter even?) [1 2 3])", "(2 4)")],
        &Body(eduction),
    ),
];

/// A collection that things are added to.
enum Target {
    Vector(Vector),
    /// Added to the front, so kept in order and turned round at the end.
    Front(Slice, Vec<Value>),
    /// Anything else, item by item.
    Other(Value),
}

impl Target {
    fn new(h: &mut dyn Host, to: Value) -> Result<Target> {
        Ok(match to {
            Value::Vector(mut v) => {
                cost::change(h, &mut v)?;
                Target::Vector(v)
            }
            Value::Nil => Target::Front(Slice::list(Vec::new()), Vec::new()),
            Value::Slice(s) if s.kind != SeqKind::Queue => Target::Front(s, Vec::new()),
            other => Target::Other(other),
        })
    }

    fn add(&mut self, h: &mut dyn Host, x: Value) -> Result<()> {
        match self {
            Target::Vector(v) => {
                // The vector is on the meter; a look at it before each doubling is enough.
                if v.len().is_power_of_two() {
                    h.reserve(v.len() as u64 * 16)?;
                }
                v.push(x);
            }
            Target::Front(_, items) => super::seq_source::push(h, items, x)?,
            Target::Other(to) => {
                h.charge(4)?;
                *to = conj_one(h, std::mem::take(to), x)?;
            }
        }
        Ok(())
    }

    fn done(self, h: &mut dyn Host) -> Result {
        Ok(match self {
            Target::Vector(v) => Value::Vector(v),
            Target::Front(to, mut items) => {
                items.reverse();
                let (kind, meta) = (to.kind, to.base().0.meta().filter(|_| to.base().1 == 0).cloned());
                h.charge(to.len() as u64 / 4)?;
                h.reserve((items.len() + to.len()) as u64 * 16)?;
                items.extend(to.iter().cloned());
                let all = Slice::new(Vector::from_vec(items), 0, kind);
                Value::Slice(if meta.is_some() { all.with_meta(meta) } else { all })
            }
            Target::Other(to) => to,
        })
    }
}

fn into(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match a.len() {
        0 => return Ok(Value::vector(Vec::new())),
        1 => return Ok(take(a, 0)),
        _ => {}
    }
    let last = a.len() - 1;
    if let Value::Object(_) = get(a, last) {
        let conj = core(h, "conj")?;
        let rf = super::transducers::completed(h, conj)?;
        let rf = if last > 1 { h.call1(get(a, 1), rf)? } else { rf };
        if let Some(all) = own_reduce(h, get(a, last), &rf, Some(get(a, 0)))? {
            return h.call1(&rf, all);
        }
    }
    let it = Iter::arg(a, last)?;
    if it.is_empty() && last == 1 {
        return Ok(take(a, 0));
    }
    let to = take(a, 0);
    if last == 1 {
        return pour(h, to, it);
    }
    let xform = take(a, 1);
    let Some(mut pipe) = Pipe::known(&xform) else {
        let conj = core(h, "conj")?;
        let rf = super::transducers::completed(h, conj)?;
        let rf = h.call1(&xform, rf)?;
        let acc = fold(h, &rf, to, it)?;
        return h.call1(&rf, acc);
    };
    let was_nil = to.is_nil();
    let mut target = Target::new(h, to)?;
    let mut any = false;
    drive(h, &mut pipe, it, &mut |h, x| {
        any = true;
        target.add(h, x)?;
        Ok(true)
    })?;
    if was_nil && !any { Ok(Value::Nil) } else { target.done(h) }
}

fn pour(h: &mut dyn Host, to: Value, it: Iter) -> Result {
    if to.is_nil() || matches!(&to, Value::Vector(_)) || matches!(&to, Value::Slice(s) if s.kind != SeqKind::Queue) {
        let was_nil = to.is_nil();
        let mut target = Target::new(h, to)?;
        let (mut it, mut any) = (it, false);
        if matches!(&target, Target::Vector(v) if v.is_empty() && v.meta().is_none())
            && let Iter::Array(s) = it
        {
            // An array into nothing: all at once, for what one by one costs.
            h.charge(s.len() as u64)?;
            h.reserve(s.len() as u64 * 16)?;
            return Ok(Value::Vector(Vector::from_vec(s.into_vec())));
        }
        while let Some(x) = it.next(h)? {
            h.charge(1)?;
            any = true;
            target.add(h, x)?;
        }
        return if was_nil && !any { Ok(Value::Nil) } else { target.done(h) };
    }
    let mut target = Target::Other(to);
    let mut it = it;
    if let (Target::Other(Value::Map(m)), Iter::Entries(_)) = (&mut target, &it)
        && !m.is_sorted()
    {
        // From map to map no entry needs to become a vector; keys of a map are realised.
        let Iter::Entries(mut entries) = it else { return target.done(h) };
        let n = entries.left() as u64;
        h.charge(n * 4)?;
        h.reserve(n * 48)?;
        while let Some((key, value)) = entries.next(h)? {
            cost::wide_key(h, &key)?;
            m.insert(key, value);
        }
        return target.done(h);
    }
    while let Some(x) = it.next(h)? {
        target.add(h, x)?;
    }
    target.done(h)
}

fn transduce(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    if let Value::Object(_) = get(a, last) {
        let rf = h.call1(get(a, 0), get(a, 1).clone())?;
        let init = if last > 2 { get(a, 2).clone() } else { h.call(get(a, 1), &mut [])? };
        if let Some(all) = own_reduce(h, get(a, last), &rf, Some(&init))? {
            return h.call1(&rf, all);
        }
    }
    let it = Iter::arg(a, last)?;
    let (xform, f) = (take(a, 0), take(a, 1));
    let init = if last > 2 { take(a, 2) } else { h.call(&f, &mut [])? };
    let Some(mut pipe) = Pipe::known(&xform) else {
        let rf = h.call1(&xform, f)?;
        let acc = fold(h, &rf, init, it)?;
        return h.call1(&rf, acc);
    };
    let folder = Reducer::new(&f);
    let mut acc = init;
    drive(h, &mut pipe, it, &mut |h, x| {
        acc = folder.step(h, std::mem::take(&mut acc), x)?;
        if let Value::Reduced(_) = acc {
            acc = unreduced(std::mem::take(&mut acc));
            return Ok(false);
        }
        Ok(true)
    })?;
    h.call1(&f, acc)
}

fn through(h: &mut dyn Host, xform: &Value, later: bool, sources: Srcs) -> Result {
    let pipe = Pipe::new(h, xform)?;
    let made = Sequence::new(sources, pipe);
    if later { Ok(lazy(made)) } else { Ok(Value::seq(gather(h, made)?)) }
}

fn sequence(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() == 1 {
        if is_lazy(get(a, 0)) {
            return Ok(take(a, 0));
        }
        let coll = seqable(a, 0)?;
        let s = seq_of(h, coll)?;
        return Ok(if s.is_nil() { Value::empty_list() } else { s });
    }
    let later = any_lazy(a.get(1..).unwrap_or_default());
    let sources = Srcs::args(h, a, 1)?;
    through(h, &take(a, 0), later, sources)
}

fn eduction(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    let later = is_lazy(get(a, last));
    let src = Src::arg(a, last)?;
    let xform = composed(h, a.get_mut(..last).unwrap_or_default())?;
    through(h, &xform, later, Srcs::one(src))
}
