//! Stages of a pipeline together. A stage whose value goes to the next one only, or to `reduce` or `count`, is called by the
//! name with `-on*`: over a large collection, and with a function that only computes, it makes nothing, but says what is to be
//! made; whoever takes that sends blocks of items through all stages. The last stage of several whose value is a sequence
//! has the name with `-end*`. Where an item needs more than computing, the stages go on from its block one after the
//! other, as they do without this: what was computed before can neither be seen nor have failed.

use super::join::concat_all;
use super::reduce::{fold, reduce};
use super::seq_source::{held, look, nesting, part};
use super::transducer_step::Kind;
use super::transform::{filterv, keep, map, mapcat, mapv, select};
use crate::builtins::args::{get, take};
use crate::builtins::collections::common::count;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::seq::generator::{lazy, ranged, staged};
use crate::seq::{Generator, Iter, Step, ints, is_lazy};
use crate::stages::{BLOCK, Block, Does, Stage, Taken};
use crate::value::node::NodeHeader;
use crate::value::{Builtin, Item, Slice, Value, Vector};

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "map-on*",
        "f coll",
        "What map is called as where the next stage takes its value.",
        &[("(reduce + (map inc [1 2]))", "5")],
        &Body(|h, a| on(h, a, Does::Map)),
    ),
    Builtin::new(
        "map-end*",
        "f coll",
        "What map is called as where it takes the value of a stage.",
        &[("(map inc (filter odd? [1 2]))", "(2)")],
        &Body(|h, a| end(h, a, Does::Map)),
    ),
    Builtin::new(
        "for-map-on*",
        "f coll",
        "What the innermost level of for is called as where the next stage takes its value.",
        &[("(reduce + (for [x [1 2]] (inc x)))", "5")],
        &Body(|h, a| on(h, a, Does::Map)),
    ),
    Builtin::new(
        "for-map-end*",
        "f coll",
        "What the innermost level of for is called as where it takes the value of a stage.",
        &[("(for [x (filter odd? [1 2])] (inc x))", "(2)")],
        &Body(|h, a| end(h, a, Does::Map)),
    ),
    Builtin::new(
        "mapv-end*",
        "f coll",
        "What mapv is called as where it takes the value of a stage.",
        &[("(mapv inc (filter odd? [1 2]))", "[2]")],
        &Body(|h, a| vector_end(h, a, Does::Map)),
    ),
    Builtin::new(
        "filter-on*",
        "pred coll",
        "What filter is called as where the next stage takes its value.",
        &[("(count (filter odd? [1 2]))", "1")],
        &Body(|h, a| on(h, a, Does::Filter)),
    ),
    Builtin::new(
        "filter-end*",
        "pred coll",
        "What filter is called as where it takes the value of a stage.",
        &[("(filter odd? (map inc [1 2]))", "(3)")],
        &Body(|h, a| end(h, a, Does::Filter)),
    ),
    Builtin::new(
        "filterv-end*",
        "pred coll",
        "What filterv is called as where it takes the value of a stage.",
        &[("(filterv odd? (map inc [1 2]))", "[3]")],
        &Body(|h, a| vector_end(h, a, Does::Filter)),
    ),
    Builtin::new(
        "remove-on*",
        "pred coll",
        "What remove is called as where the next stage takes its value.",
        &[("(count (remove odd? [1 2]))", "1")],
        &Body(|h, a| on(h, a, Does::Remove)),
    ),
    Builtin::new(
        "remove-end*",
        "pred coll",
        "What remove is called as where it takes the value of a stage.",
        &[("(remove odd? (map inc [1 2]))", "(2)")],
        &Body(|h, a| end(h, a, Does::Remove)),
    ),
    Builtin::new(
        "keep-on*",
        "f coll",
        "What keep is called as where the next stage takes its value.",
        &[("(count (keep :a [{:a 1} {}]))", "1")],
        &Body(|h, a| on(h, a, Does::Keep)),
    ),
    Builtin::new(
        "keep-end*",
        "f coll",
        "What keep is called as where it takes the value of a stage.",
        &[("(keep :a (filter map? [{:a 1} 5]))", "(1)")],
        &Body(|h, a| end(h, a, Does::Keep)),
    ),
    Builtin::new(
        "mapcat-on*",
        "f coll",
        "What mapcat is called as where the next stage takes its value.",
        &[("(count (mapcat :a [{:a [1 2]} {}]))", "2")],
        &Body(|h, a| on(h, a, Does::Mapcat)),
    ),
    Builtin::new(
        "mapcat-end*",
        "f coll",
        "What mapcat is called as where it takes the value of a stage.",
        &[("(mapcat :a (filter map? [{:a [1 2]} 5]))", "(1 2)")],
        &Body(|h, a| end(h, a, Does::Mapcat)),
    ),
    Builtin::new(
        "reduce-on*",
        "f coll | f val coll",
        "What reduce is called as where it takes the value of a stage.",
        &[("(reduce + 1 (map inc [1 2]))", "6")],
        &Body(reduce_on),
    ),
    Builtin::new(
        "count-on*",
        "coll",
        "What count is called as where it takes the value of a stage.",
        &[("(count (keep :a [{:a 1}]))", "1")],
        &of_32_bits!(count_on),
    ),
];

/// Collections of fewer items are gone through by one stage after the other.
const LEAST: usize = 2 * BLOCK;
/// Most stages of a chain.
const MOST: usize = 8;

/// Stages that wait for whoever takes what they make, over a collection that is there or a run of integers.
#[derive(Clone)]
struct Chain {
    source: Value,
    stages: Vec<Stage>,
}

/// One that nobody takes apart is made as a whole when it is asked for.
impl Generator for Chain {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        let chain = Chain { source: std::mem::take(&mut self.source), stages: std::mem::take(&mut self.stages) };
        Ok(Step::Rest(chain.made(h, 0)?))
    }
    fn weight(&self) -> u64 {
        self.stages.len() as u64 * 2 + 1
    }
    fn staged(&self) -> bool {
        true
    }
    fn finite(&self) -> bool {
        true
    }
    fn depth(&self) -> u32 {
        let functions = self.stages.iter().map(|s| s.f.depth()).max().unwrap_or(0);
        held(&[&self.source]).max(functions)
    }
    fn stages(&mut self) -> Option<(Value, Vec<Stage>)> {
        Some((std::mem::take(&mut self.source), std::mem::take(&mut self.stages)))
    }
}

impl Chain {
    /// The chain that is argument `i`, or begins with it.
    fn arg(a: &mut [Value], i: usize) -> Option<Chain> {
        let slot = a.get_mut(i)?;
        if let Value::Lazy(_) = slot
            && let Some((source, stages)) = staged(slot)
        {
            return Some(Chain { source, stages });
        }
        let large = match slot {
            Value::Vector(v) => v.len() >= LEAST && v.as_slice().is_some(),
            Value::Slice(s) => s.len() >= LEAST && s.as_slice().is_some(),
            Value::Lazy(l) => ranged(l).is_some_and(|mut run| run.end.is_some() && run.nth(LEAST).is_some()),
            _ => false,
        };
        large.then(|| Chain { source: std::mem::take(slot), stages: Vec::new() })
    }

    /// What is left where an item was not plain, by one stage after the other.
    fn rest(&self, h: &mut dyn Host, mut coll: Value, own: usize) -> Result {
        for (i, stage) in self.stages.iter().enumerate() {
            coll = match plain(h, &mut [stage.f.clone(), coll], stage.does) {
                Ok(coll) => coll,
                Err(stop) => {
                    h.in_stage((self.stages.len() - i).saturating_sub(own));
                    return Err(stop);
                }
            };
        }
        Ok(coll)
    }

    /// Sends all blocks through the stages; what one stage after the other makes of those that were not plain, if there
    /// were such. `own` is 1 where the last stage is the call that runs.
    fn run(
        self,
        h: &mut dyn Host,
        taken: &mut Taken<'_>,
        head: &mut NodeHeader<Value>,
        own: usize,
    ) -> Result<Option<Value>> {
        let room = if self.stages.iter().any(|s| s.does == Does::Mapcat) { 32 * BLOCK } else { BLOCK };
        let mut one = |h: &mut dyn Host, block: Block<'_>| -> Result<bool> {
            let mut from = 0;
            if let Taken::All(out) = taken {
                from = out.len();
                if out.capacity() - from < room {
                    let more = from.max(room);
                    h.reserve(more as u64 * 32)?;
                    out.reserve(more);
                }
            }
            let whole = h.run_stages(&self.stages, block, taken)?;
            if let Taken::All(out) = taken {
                out.get(from..).unwrap_or_default().iter().filter(|y| !y.needs_no_drop()).for_each(|y| head.add(y));
            }
            Ok(whole)
        };
        match Iter::new(self.source.clone())? {
            Iter::Array(s) => {
                let mut done = 0;
                for block in s.as_slice().unwrap_or_default().chunks(BLOCK) {
                    look(block);
                    if !one(h, Block::Items(block))? {
                        let rest = Value::Slice(s.clone().skip(done));
                        return self.rest(h, rest, own).map(Some);
                    }
                    done += block.len();
                }
            }
            Iter::Ints(mut run) => {
                let mut block = [0; BLOCK];
                loop {
                    let (before, mut n) = (run, 0);
                    for (to, x) in block.iter_mut().zip(&mut run) {
                        *to = x;
                        n += 1;
                    }
                    let Some(some) = block.get(..n).filter(|b| !b.is_empty()) else { break };
                    if !one(h, Block::Ints(some))? {
                        return self.rest(h, ints(before), own).map(Some);
                    }
                }
            }
            _ => return self.rest(h, self.source.clone(), own).map(Some),
        }
        Ok(None)
    }

    /// All that the stages make, and what is still to be made where that is lazy.
    fn all(self, h: &mut dyn Host, own: usize) -> Result<(Vector, Option<Value>)> {
        let (source, mut out, mut head) = (nesting(&self.source), Vec::new(), NodeHeader::default());
        if let (Value::Vector(_) | Value::Slice(_), true) =
            (&self.source, self.stages.iter().all(|s| s.does == Does::Map))
        {
            let n = Iter::new(self.source.clone())?.len().unwrap_or(0);
            h.reserve(n as u64 * 16)?;
            out.reserve_exact(n + BLOCK);
        }
        let chosen = self.stages.iter().all(|s| matches!(s.does, Does::Filter | Does::Remove));
        let rest = self.run(h, &mut Taken::All(&mut out), &mut head, own)?;
        match rest {
            None if chosen && source.is_some() => Ok((part(source, out), None)),
            None => Ok((Vector::with_head(out, head), None)),
            Some(lazy) if is_lazy(&lazy) => Ok((Vector::with_head(out, head), Some(lazy))),
            Some(rest) => {
                let rest = Iter::new(rest)?.collect(h)?;
                h.reserve((out.len() + rest.len()) as u64 * 16)?;
                out.extend(rest);
                Ok((Vector::from_vec(out), None))
            }
        }
    }

    /// The sequence that the stages make: lazy over what is lazy.
    fn made(self, h: &mut dyn Host, own: usize) -> Result {
        if self.stages.is_empty() {
            return Ok(self.source);
        }
        if is_lazy(&self.source) {
            return self.rest(h, self.source.clone(), own);
        }
        let again = self.stages.iter().any(|s| s.does == Does::Mapcat).then(|| self.clone());
        let (all, lazy) = self.all(h, own)?;
        match (lazy, again) {
            (Some(lazy), _) => concat_all(h, vec![Value::Slice(Slice::all(all)), lazy]),
            // No items of no collections are another value than no items of some.
            (None, Some(chain)) if all.is_empty() => chain.rest(h, chain.source.clone(), own),
            (None, _) => Ok(Value::Slice(Slice::all(all))),
        }
    }
}

/// Whether nothing is there of which a chain could be made.
#[inline(always)]
fn is_small(a: &[Value], i: usize) -> bool {
    match get(a, i) {
        Value::Vector(v) => v.len() < LEAST,
        Value::Slice(s) => s.len() < LEAST,
        Value::Lazy(_) => false,
        _ => true,
    }
}

#[inline(always)]
fn plain(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    match does {
        Does::Map => map(h, a),
        Does::Filter => select(h, a, Kind::Filter),
        Does::Remove => select(h, a, Kind::Remove),
        Does::Keep => keep(h, a),
        Does::Mapcat => mapcat(h, a),
    }
}

/// The chain that ends with the stage which is called, if it can be one with the stages before it. Else those have made what
/// is argument 1.
fn extended(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result<Option<Chain>> {
    let Some(mut chain) = Chain::arg(a, 1) else { return Ok(None) };
    if chain.stages.len() < MOST && h.stage_fuses(get(a, 0)) {
        chain.stages.push(Stage { does, f: take(a, 0) });
        return Ok(Some(chain));
    }
    let coll = chain.made(h, 0)?;
    if let Some(slot) = a.get_mut(1) {
        *slot = coll;
    }
    Ok(None)
}

#[inline(always)]
fn on(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    if is_small(a, 1) { plain(h, a, does) } else { large_on(h, a, does) }
}

#[inline(never)]
fn large_on(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    match extended(h, a, does)? {
        Some(chain) => Ok(lazy(chain)),
        None => plain(h, a, does),
    }
}

#[inline(always)]
fn end(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    if is_small(a, 1) { plain(h, a, does) } else { large_end(h, a, does) }
}

#[inline(never)]
fn large_end(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    match extended(h, a, does)? {
        Some(chain) => chain.made(h, 1),
        None => plain(h, a, does),
    }
}

#[inline(always)]
fn vector_end(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    if is_small(a, 1) { plain_vector(h, a, does) } else { large_vector_end(h, a, does) }
}

#[inline(always)]
fn plain_vector(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    if does == Does::Map { mapv(h, a) } else { filterv(h, a) }
}

#[inline(never)]
fn large_vector_end(h: &mut dyn Host, a: &mut [Value], does: Does) -> Result {
    let Some(chain) = extended(h, a, does)? else { return plain_vector(h, a, does) };
    let (mut all, lazy) = chain.all(h, 1)?;
    if let Some(lazy) = lazy {
        let mut items = all.into_vec();
        items.extend(Iter::new(lazy)?.collect(h)?);
        all = Vector::from_vec(items);
    }
    Ok(Value::Vector(all))
}

fn reduce_on(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    if is_small(a, last) { reduce(h, a) } else { large_reduce(h, a, last) }
}

#[inline(never)]
fn large_reduce(h: &mut dyn Host, a: &mut [Value], last: usize) -> Result {
    let Some(chain) = Chain::arg(a, last) else { return reduce(h, a) };
    if chain.stages.is_empty() || !h.fold_fuses(get(a, 0)) {
        let coll = chain.made(h, 0)?;
        if let Some(slot) = a.get_mut(last) {
            *slot = coll;
        }
        return reduce(h, a);
    }
    let f = take(a, 0);
    let mut acc = (last > 1).then(|| take(a, 1));
    let rest = chain.run(h, &mut Taken::Fold(&f, &mut acc), &mut NodeHeader::default(), 0)?;
    let Some(rest) = rest else {
        return match acc {
            Some(acc) => Ok(acc),
            None => h.call(&f, &mut []),
        };
    };
    let mut it = Iter::new(rest)?;
    let acc = match acc {
        Some(acc) => Some(acc),
        None => it.next(h)?,
    };
    match acc {
        Some(acc) => fold(h, &f, acc, it),
        None => h.call(&f, &mut []),
    }
}

fn count_on(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if is_small(a, 0) { count(h, a) } else { large_count(h, a) }
}

#[inline(never)]
fn large_count(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Some(chain) = Chain::arg(a, 0) else { return count(h, a) };
    let mut n = 0;
    let rest = chain.run(h, &mut Taken::Count(&mut n), &mut NodeHeader::default(), 0)?;
    let Some(rest) = rest else { return Ok(Value::int(i64::try_from(n).unwrap_or(i64::MAX))) };
    if let Some(slot) = a.get_mut(0) {
        *slot = rest;
    }
    match count(h, a)? {
        Value::Int(more) => Ok(Value::int(more.get().saturating_add_unsigned(n))),
        other => Ok(other),
    }
}
