//! Sequences out of nothing: ranges, repetition, iteration, trees.

use super::seq_source::{Buffer, Src, core, held, seqable, times};
use super::slices::forever;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, IntRange, Iter, Step, ints, seq_of};
use crate::value::compare::number_order;
use crate::value::{Builtin, Map, Value, Width};
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "range",
        "| end | start end | start end step",
        "Numbers from start (0) up to, not including, end; without an end they go on for ever.",
        &[("(range 3)", "(0 1 2)"), ("(range 5 0 -2)", "(5 3 1)"), ("(take 3 (range))", "(0 1 2)")],
        &Body(range),
    ),
    Builtin::new(
        "iterate",
        "f x",
        "The endless sequence of x, (f x), (f (f x)) and so on.",
        &[("(take 4 (iterate inc 5))", "(5 6 7 8)")],
        &Body(iterate),
    ),
    Builtin::new(
        "repeat",
        "x | n x",
        "x for ever, or n times.",
        &[("(repeat 3 :x)", "(:x :x :x)"), ("(take 2 (repeat 1))", "(1 1)")],
        &Body(repeat),
    ),
    Builtin::new(
        "repeatedly",
        "f | n f",
        "What calls of f give, for ever or n times.",
        &[("(repeatedly 2 (constantly 1))", "(1 1)")],
        &Body(repeatedly),
    ),
    Builtin::new(
        "cycle",
        "coll",
        "The items again and again.",
        &[("(take 5 (cycle [1 2]))", "(1 2 1 2 1)")],
        &Body(cycle),
    ),
    Builtin::new(
        "tree-seq",
        "branch? children root",
        "The nodes of a tree, each before its children.",
        &[("(tree-seq vector? seq [1 [2]])", "([1 [2]] 1 [2] 2)")],
        &Body(tree_seq),
    ),
    Builtin::new(
        "iteration",
        "step & opts",
        "Pages of something: calls step with a key, takes :vf of each answer and the next key by :kf, while :somef holds.",
        &[("(vec (iteration (fn [k] (when (< k 3) {:v k :k (inc k)})) :vf :v :kf :k :initk 0))", "[0 1 2]")],
        &Body(iteration),
    ),
];

/// Integers for ever, past 64 bits too.
#[derive(Clone)]
struct Integers(IntRange);

impl Generator for Integers {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        let Some(at) = self.0.next() else { return Ok(Step::End) };
        if self.0.at.is_none() {
            return Ok(Step::Rest(lazy(Numbers {
                next: Value::int(at),
                started: false,
                end: None,
                step: Value::int(self.0.step),
                down: false,
            })));
        }
        Ok(Step::Item(Value::int(at)))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        0
    }
    fn endless(&self) -> bool {
        true
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        Some(Box::new(self.clone()))
    }
    fn run(&self) -> Option<IntRange> {
        Some(self.0)
    }
}

/// Numbers of any kind, added up by the language's own `+'`.
#[derive(Clone)]
struct Numbers {
    next: Value,
    started: bool,
    end: Option<Value>,
    step: Value,
    down: bool,
}

impl Generator for Numbers {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if self.started {
            let sum = match (&self.next, &self.step) {
                (Value::Float(a), Value::Float(b)) => Value::float(a.get() + b.get()),
                _ => h.call2(&core(h, "+'")?, self.next.clone(), self.step.clone())?,
            };
            if number_order(&sum, &self.next) == Ordering::Equal {
                // SECURITY attack 13: a step too small for its numbers never arrives.
                let text = format!("range: the step is too small to get on from {}", crate::print::brief(&sum));
                return Err(Interrupt::error(ErrorKind::Value, text));
            }
            self.next = sum;
        }
        self.started = true;
        let over = match (&self.end, self.down) {
            (None, _) => false,
            (Some(end), true) => number_order(&self.next, end) != Ordering::Greater,
            (Some(end), false) => number_order(&self.next, end) != Ordering::Less,
        };
        if over {
            return Ok(Step::End);
        }
        Ok(Step::Item(self.next.clone()))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn finite(&self) -> bool {
        self.end.is_some()
    }
    fn depth(&self) -> u32 {
        0
    }
    fn endless(&self) -> bool {
        self.end.is_none()
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        Some(Box::new(Numbers {
            next: self.next.clone(),
            started: self.started,
            end: self.end.clone(),
            step: self.step.clone(),
            down: self.down,
        }))
    }
}

fn range(_: &mut dyn Host, a: &mut [Value]) -> Result {
    for (i, v) in a.iter().enumerate() {
        if !crate::number::is_number(v) {
            return Err(Interrupt::argument(i, "a number", v));
        }
    }
    let (start, end, step) = match a {
        [] => (Value::int(0), None, Value::int(1)),
        [end] => (Value::int(0), Some(std::mem::take(end)), Value::int(1)),
        [start, end] => (std::mem::take(start), Some(std::mem::take(end)), Value::int(1)),
        [start, end, step, ..] => (std::mem::take(start), Some(std::mem::take(end)), std::mem::take(step)),
    };
    let sign = number_order(&step, &Value::int(0));
    if let Some(end) = &end {
        let way = number_order(&start, end);
        if sign == Ordering::Equal {
            // As in Clojure a step of zero does not advance, unless there is no way to go (trap 22).
            return Ok(if way == Ordering::Equal { Value::empty_list() } else { forever(start) });
        }
        // There is nothing between them in this direction.
        if way != sign.reverse() {
            return Ok(Value::empty_list());
        }
    }
    if let (Value::Int(at), Value::Int(step)) = (&start, &step)
        && at.width() == Width::W64
    {
        let end = match &end {
            None => return Ok(lazy(Integers(IntRange { at: Some(at.get()), end: None, step: step.get() }))),
            Some(Value::Int(end)) => Some(end.get()),
            Some(_) => None,
        };
        if end.is_some() {
            return Ok(ints(IntRange { at: Some(at.get()), end, step: step.get() }));
        }
    }
    Ok(lazy(Numbers { next: start, started: false, end, step, down: sign == Ordering::Less }))
}

#[derive(Clone)]
struct Iterate {
    f: Value,
    x: Value,
    started: bool,
}

impl Generator for Iterate {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if std::mem::replace(&mut self.started, true) {
            self.x = h.call1(&self.f, std::mem::take(&mut self.x))?;
        }
        Ok(Step::Item(self.x.clone()))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        held(&[&self.f, &self.x])
    }
    fn endless(&self) -> bool {
        true
    }
}

fn iterate(_: &mut dyn Host, a: &mut [Value]) -> Result {
    Ok(lazy(Iterate { f: take(a, 0), x: take(a, 1), started: false }))
}

#[derive(Clone)]
struct Repeat {
    x: Value,
    left: usize,
}

impl Generator for Repeat {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        if self.left == 0 {
            return Ok(Step::End);
        }
        self.left -= 1;
        Ok(Step::Item(self.x.clone()))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn finite(&self) -> bool {
        true
    }
    fn depth(&self) -> u32 {
        held(&[&self.x])
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        Some(Box::new(self.clone()))
    }
}

fn repeat(_: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.len() < 2 {
        return Ok(forever(take(a, 0)));
    }
    // Cut toward zero, unlike the counts of take and drop.
    let left = match a.first() {
        Some(Value::Float(f)) => f.get() as usize,
        Some(Value::Ratio(r)) => r.to_integer().to_usize().unwrap_or(0),
        Some(Value::Decimal(d)) => usize::try_from(d.cut()).unwrap_or(0),
        _ => times(a, 0)?,
    };
    Ok(if left == 0 { Value::empty_list() } else { lazy(Repeat { x: take(a, 1), left }) })
}

#[derive(Clone)]
struct Repeatedly {
    f: Value,
    left: Option<usize>,
}

impl Generator for Repeatedly {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        match &mut self.left {
            Some(0) => return Ok(Step::End),
            Some(n) => *n -= 1,
            None => {}
        }
        Ok(Step::Item(h.call(&self.f, &mut [])?))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn finite(&self) -> bool {
        self.left.is_some()
    }
    fn depth(&self) -> u32 {
        held(&[&self.f])
    }
    fn endless(&self) -> bool {
        self.left.is_none()
    }
}

fn repeatedly(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let left = if a.len() > 1 { Some(times(a, 0)?) } else { None };
    let f = take(a, a.len().saturating_sub(1));
    Ok(if left == Some(0) { Value::empty_list() } else { lazy(Repeatedly { f, left }) })
}

#[derive(Clone)]
struct Cycle {
    coll: Value,
    src: Src,
    any: bool,
}

impl Generator for Cycle {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        loop {
            if let Some(v) = self.src.next(h)? {
                self.any = true;
                return Ok(Step::Item(v));
            }
            if !self.any {
                return Ok(Step::End);
            }
            self.src = Src::new(Iter::new(self.coll.clone())?);
        }
    }
    fn weight(&self) -> u64 {
        self.src.weight()
    }
    fn depth(&self) -> u32 {
        held(&[&self.coll]).max(self.src.depth())
    }
    fn endless(&self) -> bool {
        self.any || matches!(self.coll, Value::Slice(_))
    }
}

fn cycle(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let coll = seqable(a, 0)?;
    // Maps, sets and strings are copied once, not once a round.
    let coll = if crate::seq::is_lazy(&coll) { coll } else { seq_of(h, coll)? };
    if coll.is_nil() {
        return Ok(Value::empty_list());
    }
    let src = Src::new(Iter::new(coll.clone())?);
    Ok(lazy(Cycle { coll, src, any: false }))
}

/// Nodes before their children, with the way back on a stack of our own.
#[derive(Clone)]
struct Tree {
    branch: Value,
    children: Value,
    root: Option<Value>,
    /// A node whose children have not been asked for: they are when the next node is wanted.
    last: Option<Value>,
    open: Buffer<Vec<Src>>,
    depth: u32,
}

impl Generator for Tree {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        // Nobody knows where it ends: at the end of a turn it counts as a `lazy-seq` (difference 1).
        h.thunk();
        if let Some(root) = self.root.take() {
            self.last = Some(root.clone());
            return Ok(Step::Item(root));
        }
        if let Some(node) = self.last.take()
            && h.call1(&self.branch, node.clone())?.truthy()
        {
            let kids = h.call1(&self.children, node)?;
            if self.open.len() == self.open.capacity() {
                h.reserve(self.open.len() as u64 * 128 + 64)?;
            }
            let src = Src::new(Iter::new(kids)?);
            self.depth = self.depth.max(src.depth());
            self.open.push(src);
        }
        while let Some(kids) = self.open.last_mut() {
            h.charge(1)?;
            if let Some(node) = kids.next(h)? {
                self.depth = self.depth.max(held(&[&node]));
                self.last = Some(node.clone());
                return Ok(Step::Item(node));
            }
            self.open.pop();
        }
        Ok(Step::End)
    }
    fn weight(&self) -> u64 {
        self.open.capacity() as u64 + Src::weights(&self.open)
    }
    fn depth(&self) -> u32 {
        self.depth
    }
}

fn tree_seq(_: &mut dyn Host, a: &mut [Value]) -> Result {
    let (branch, children, root) = (take(a, 0), take(a, 1), take(a, 2));
    let depth = held(&[&branch, &children, &root]);
    Ok(lazy(Tree { branch, children, root: Some(root), last: None, open: Buffer::default(), depth }))
}

#[derive(Clone)]
struct Pages {
    step: Value,
    somef: Value,
    vf: Value,
    kf: Value,
    key: Option<Value>,
}

impl Generator for Pages {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        h.thunk();
        let Some(key) = self.key.take() else { return Ok(Step::End) };
        let page = h.call1(&self.step, key)?;
        if !h.call1(&self.somef, page.clone())?.truthy() {
            return Ok(Step::End);
        }
        let item = h.call1(&self.vf, page.clone())?;
        let next = h.call1(&self.kf, page)?;
        self.key = if next.is_nil() { None } else { Some(next) };
        Ok(Step::Item(item))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        let key = self.key.as_ref().map_or(0, |k| held(&[k]));
        held(&[&self.step, &self.somef, &self.vf, &self.kf]).max(key)
    }
}

fn iteration(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut opts = Map::new();
    for pair in a.get(1..).unwrap_or_default().chunks(2) {
        match pair {
            [k, v] => opts.insert(k.clone(), v.clone()),
            [Value::Map(m)] => opts.extend(m.iter().map(|(k, v)| (k.clone(), v.clone()))),
            _ => return Err(Interrupt::error(ErrorKind::Value, "iteration: options come in pairs")),
        }
    }
    let option = |name: &str, default: Result| match opts.get(&Value::keyword(name)) {
        Some(v) => Ok(v.clone()),
        None => default,
    };
    Ok(lazy(Pages {
        somef: option("somef", core(h, "some?"))?,
        vf: option("vf", core(h, "identity"))?,
        kf: option("kf", core(h, "identity"))?,
        key: Some(option("initk", Ok(Value::Nil))?),
        step: get(a, 0).clone(),
    }))
}
