//! Cutting sequences into groups: partition and the like.

use super::endless_runs::endless_runs;
use super::seq_source::{Buffer, Src, core, held, made, push, seqable, steps};
use super::transducer_step::{Kind, Piped};
use super::transducers::transducer;
use crate::builtins::args::{self, get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Iter, Step, is_lazy};
use crate::value::{Builtin, Value};
use std::collections::VecDeque;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "partition",
        "n coll | n step coll | n step pad coll",
        "Groups of n items, step apart. A last group that is too short is filled from pad, or left out.",
        &[
            ("(partition 2 [1 2 3 4 5])", "((1 2) (3 4))"),
            ("(partition 2 1 [1 2 3])", "((1 2) (2 3))"),
            ("(partition 3 3 [:pad] [1 2 3 4])", "((1 2 3) (4 :pad))"),
        ],
        &Body(|h, a| partition(h, a, false, false)),
    ),
    Builtin::new(
        "partition-all",
        "n | n coll | n step coll",
        "Groups of n items, step apart; the last ones may be short. With n alone, a transducer.",
        &[("(partition-all 2 [1 2 3])", "((1 2) (3))")],
        &Body(partition_all),
    ),
    Builtin::new(
        "partitionv",
        "n coll | n step coll | n step pad coll",
        "As partition, with vectors for groups.",
        &[("(partitionv 2 [1 2 3 4])", "([1 2] [3 4])")],
        &Body(|h, a| partition(h, a, false, true)),
    ),
    Builtin::new(
        "partitionv-all",
        "n coll | n step coll",
        "As partition-all, with vectors for groups.",
        &[("(partitionv-all 2 [1 2 3])", "([1 2] [3])")],
        &Body(|h, a| partition(h, a, true, true)),
    ),
    Builtin::new(
        "partition-by",
        "f | f coll",
        "Runs of items for which f gives the same value. Without a collection, a transducer.",
        &[("(partition-by odd? [1 3 2 4 5])", "((1 3) (2 4) (5))")],
        &Body(partition_by),
    ),
];

/// Groups of `n` items, `step` apart.
#[derive(Clone)]
struct Windows {
    src: Src,
    window: Buffer<VecDeque<Value>>,
    n: i64,
    step: i64,
    /// Items to leave out before the next group.
    skip: usize,
    pad: Option<Value>,
    /// Short groups too.
    all: bool,
    vectors: bool,
    depth: u32,
    done: bool,
}

impl Windows {
    fn fill(&mut self, h: &mut dyn Host) -> Result<()> {
        while self.skip > 0 {
            h.charge(1)?;
            if self.window.pop_front().is_none() && self.src.next(h)?.is_none() {
                break;
            }
            self.skip -= 1;
        }
        // At least one, to see whether there is anything left.
        let want = usize::try_from(self.n.max(1)).unwrap_or(usize::MAX);
        while self.window.len() < want {
            h.charge(1)?;
            if self.window.len() == self.window.capacity() {
                h.reserve(self.window.len() as u64 * 32 + 64)?;
            }
            let Some(v) = self.src.next(h)? else { break };
            self.depth = self.depth.max(held(&[&v]));
            self.window.push_back(v);
        }
        Ok(())
    }

    fn group(&self, h: &mut dyn Host, pad: Option<Value>) -> Result {
        let n = args::clamped(self.n);
        let here = n.min(self.window.len());
        h.charge(here as u64 / 2 + 1)?;
        h.reserve(here as u64 * 16)?;
        let mut items: Vec<Value> = self.window.iter().take(n).cloned().collect();
        if let Some(pad) = pad {
            let mut pad = Iter::new(pad)?;
            while items.len() < n {
                h.charge(1)?;
                let Some(v) = pad.next(h)? else { break };
                push(h, &mut items, v)?;
            }
        }
        Ok(if self.vectors { Value::vector(items) } else { Value::seq(items) })
    }
}

impl Generator for Windows {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if self.done {
            return Ok(Step::End);
        }
        self.fill(h)?;
        if self.window.is_empty() {
            self.done = true;
            return Ok(Step::End);
        }
        let whole = self.n < 0 || self.window.len() as u64 >= self.n as u64;
        if whole || self.all {
            self.skip = args::clamped(self.step);
            return Ok(Step::Item(self.group(h, None)?));
        }
        self.done = true;
        match self.pad.take() {
            Some(pad) => Ok(Step::Item(self.group(h, Some(pad))?)),
            None => Ok(Step::End),
        }
    }
    fn weight(&self) -> u64 {
        self.src.weight() + self.window.capacity() as u64
    }
    fn finite(&self) -> bool {
        self.done || self.step >= 1 && self.src.finite()
    }
    fn depth(&self) -> u32 {
        let pad = self.pad.as_ref().map_or(0, |p| held(&[p]));
        self.src.depth().max(self.depth).max(pad)
    }
    fn endless(&self) -> bool {
        !self.done && (self.step < 1 || self.src.endless())
    }
}

fn partition(h: &mut dyn Host, a: &mut [Value], all: bool, vectors: bool) -> Result {
    let n = steps(a, 0)?;
    let (step, pad) = match a.len() {
        0..=2 => (n, None),
        3 => (steps(a, 1)?, None),
        _ => {
            let pad = seqable(a, 2)?;
            (steps(a, 1)?, Some(pad))
        }
    };
    let at = a.len().saturating_sub(1);
    // No group has a fraction as its count, nor a double.
    let whole = matches!(get(a, 0), Value::Int(_) | Value::Big(_));
    if let (false, false, true, Some(pad)) = (all, whole, n > 0, &pad) {
        // The first one is filled up, and is the last.
        let (take_n, join) = (core(h, "take")?, core(h, "concat")?);
        let first = h.call2(&take_n, Value::int(n), take(a, at))?;
        let first = crate::seq::seq_of(h, first)?;
        if first.is_nil() {
            return Ok(Value::empty_list());
        }
        let filled = h.call2(&join, first, pad.clone())?;
        return Ok(Value::seq(vec![h.call2(&take_n, Value::int(n), filled)?]));
    }
    if !all && (n < 0 || !whole) {
        seqable(a, at)?;
        return Ok(Value::empty_list());
    }
    if !is_lazy(get(a, at)) && crate::builtins::collections::common::has_none(h, get(a, at))? == Some(true) {
        return Ok(Value::empty_list());
    }
    // Windows that do not move continue for ever, whatever they are over.
    let later = is_lazy(get(a, at)) || step < 1;
    let src = Src::arg(a, at)?;
    let windows =
        Windows { src, window: Buffer::default(), n, step, skip: 0, pad, all, vectors, depth: 0, done: false };
    if later { Ok(lazy(windows)) } else { made(h, false, windows) }
}

fn partition_all(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() < 2 {
        return transducer(h, Kind::PartitionAll, Value::int(steps(a, 0)?));
    }
    partition(h, a, true, false)
}

fn partition_by(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    if a.len() < 2 {
        return transducer(h, Kind::PartitionBy, f);
    }
    if matches!(get(a, 1), Value::Lazy(l) if l.endless()) {
        return Ok(endless_runs(f, take(a, 1)));
    }
    let later = is_lazy(get(a, 1));
    let src = Src::arg(a, 1)?;
    made(h, later, Piped::new(src, Kind::PartitionBy, f))
}
