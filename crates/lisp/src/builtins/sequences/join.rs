//! Sequences put together and thinned out: concat, interleave, flatten, distinct, replace.

use super::seq_source::{Buffer, Row, Src, Srcs, any_lazy, each, held, made, push};
use super::transducer_step::{Kind, Piped, replaced};
use super::transducers::transducer;
use super::value_index::Index;
use crate::builtins::args;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Iter, Step, is_finite, is_lazy, is_seqable};
use crate::value::metadata::meta_of;
use crate::value::{Builtin, Item, SeqKind, Slice, Value, Vector};

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "concat",
        "& colls",
        "The items of all collections, one after the other.",
        &[("(concat [1 2] [3])", "(1 2 3)"), ("(concat)", "()")],
        &Body(concat),
    ),
    Builtin::new(
        "interleave",
        "& colls",
        "The first item of each collection, then the second of each, as far as the shortest goes.",
        &[("(interleave [1 2] [:a :b])", "(1 :a 2 :b)")],
        &Body(interleave),
    ),
    Builtin::new(
        "interpose",
        "sep | sep coll",
        "The items with sep between them. Without a collection, a transducer.",
        &[("(interpose 0 [1 2 3])", "(1 0 2 0 3)")],
        &Body(interpose),
    ),
    Builtin::new(
        "flatten",
        "x",
        "The items of nested vectors and lists as one sequence.",
        &[("(flatten [1 [2 [3]]])", "(1 2 3)"), ("(flatten 5)", "()")],
        &Body(flatten),
    ),
    Builtin::new(
        "distinct",
        "| coll",
        "The items without repetitions. Without a collection, a transducer.",
        &[("(distinct [1 2 1 3])", "(1 2 3)")],
        &Body(distinct),
    ),
    Builtin::new(
        "distinct-by",
        "f coll",
        "The first item for each value of f.",
        &[("(distinct-by :k [{:k 1 :i 0} {:k 2 :i 1} {:k 1 :i 2}])", "({:k 1, :i 0} {:k 2, :i 1})")],
        &Body(distinct_by),
    ),
    Builtin::new(
        "dedupe",
        "| coll",
        "The items without immediate repetitions. Without a collection, a transducer.",
        &[("(dedupe [1 1 2 1])", "(1 2 1)")],
        &Body(dedupe),
    ),
    Builtin::new(
        "replace",
        "smap | smap coll",
        "The items, with what smap has for them in their place; a vector for a vector. Without a collection, a transducer.",
        &[("(replace {1 :one} [1 2])", "[:one 2]")],
        &Body(replace),
    ),
    Builtin::new(
        "random-sample",
        "prob | prob coll",
        "Each item with this probability. Without a collection, a transducer.",
        &[("(random-sample 1.0 [1 2])", "(1 2)")],
        &Body(random_sample),
    ),
];

/// Collections one after the other; the last is the rest itself, so that recursion through it stays flat.
#[derive(Clone)]
struct Chain {
    now: Option<Src>,
    /// Last first.
    later: Vec<Value>,
    depth: u32,
    endless: bool,
    finite: bool,
}

impl Chain {
    fn new(mut colls: Vec<Value>) -> Self {
        let depth = colls.iter().map(Item::depth).max().unwrap_or(0);
        let endless = colls.iter().any(|v| matches!(v, Value::Lazy(l) if l.endless()));
        let finite = colls.iter().all(is_finite);
        colls.reverse();
        Chain { now: None, later: colls, depth, endless, finite }
    }
}

impl Generator for Chain {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        loop {
            if let Some(now) = &mut self.now {
                if let Some(v) = now.next(h)? {
                    return Ok(Step::Item(v));
                }
                self.now = None;
            }
            h.charge(1)?;
            match self.later.pop() {
                None => return Ok(Step::End),
                Some(last) if self.later.is_empty() => return Ok(Step::Rest(last)),
                Some(next) => self.now = Some(Src::new(Iter::new(next)?)),
            }
        }
    }
    fn weight(&self) -> u64 {
        self.later.len() as u64 + self.now.as_ref().map_or(0, Src::weight)
    }
    fn finite(&self) -> bool {
        self.finite
    }
    fn depth(&self) -> u32 {
        self.depth.max(self.now.as_ref().map_or(0, Src::depth))
    }
    fn endless(&self) -> bool {
        self.endless
    }
}

/// Clojure's `concat` of these.
pub fn concat_all(h: &mut dyn Host, mut colls: Vec<Value>) -> Result {
    for (i, c) in colls.iter().enumerate() {
        if !is_seqable(c) {
            return Err(Interrupt::argument(i, "a collection", c));
        }
    }
    if any_lazy(&colls) {
        return Ok(lazy(Chain::new(colls)));
    }
    if colls.is_empty() {
        return Ok(Value::empty_list());
    }
    let more = colls.split_off(1);
    let first = colls.pop().unwrap_or_default();
    let mut out = match first {
        // What nobody else holds is added to in place, so that `(reduce concat ...)` is not quadratic.
        Value::Slice(s) if s.base().1 == 0 && s.base().0.is_plain() => {
            let mut v = s.into_vector();
            if v.is_unique() {
                if v.meta().is_some() {
                    v = v.with_meta(None);
                }
                for coll in more {
                    let mut it = Iter::new(coll)?;
                    h.reserve(it.len().unwrap_or(0) as u64 * 32)?;
                    while let Some(x) = it.next(h)? {
                        h.charge(1)?;
                        v.push(x);
                    }
                }
                return Ok(Value::Slice(Slice::new(v, 0, SeqKind::Seq)));
            }
            Iter::Array(Slice::new(v, 0, SeqKind::Seq)).collect(h)?
        }
        other => Iter::new(other)?.collect(h)?,
    };
    for coll in more {
        match Iter::new(coll)? {
            Iter::Array(s) => {
                h.charge(s.len() as u64 / 4 + 1)?;
                h.reserve((out.len() + s.len()) as u64 * 32)?;
                out.extend(s.iter().cloned());
            }
            mut it => {
                while let Some(x) = it.next(h)? {
                    h.charge(1)?;
                    push(h, &mut out, x)?;
                }
            }
        }
    }
    Ok(Value::seq(out))
}

fn concat(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(a.len() as u64)?;
    concat_all(h, a.iter_mut().map(std::mem::take).collect())
}

#[derive(Clone)]
struct Interleave {
    sources: Srcs,
    row: smallvec::IntoIter<[Value; 3]>,
}

impl Generator for Interleave {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if let Some(v) = self.row.next() {
            return Ok(Step::Item(v));
        }
        let Some(row) = self.sources.row(h)? else { return Ok(Step::End) };
        self.row = row.into_iter();
        Ok(self.row.next().map_or(Step::End, Step::Item))
    }
    fn weight(&self) -> u64 {
        self.sources.weight() + self.row.len() as u64
    }
    fn finite(&self) -> bool {
        self.sources.finite()
    }
    fn depth(&self) -> u32 {
        self.sources.depth()
    }
    fn endless(&self) -> bool {
        self.sources.endless()
    }
}

fn interleave(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() {
        return Ok(Value::empty_list());
    }
    let later = any_lazy(a);
    let sources = Srcs::args(h, a, 0)?;
    made(h, later, Interleave { sources, row: Row::new().into_iter() })
}

/// One step of a transducer over a collection, or the transducer without one.
fn staged(h: &mut dyn Host, a: &mut [Value], kind: Kind, f: Value, at: usize) -> Result {
    if a.len() <= at {
        return transducer(h, kind, f);
    }
    let later = is_lazy(get(a, at));
    let src = Src::arg(a, at)?;
    made(h, later, Piped::new(src, kind, f))
}

fn interpose(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let sep = take(a, 0);
    staged(h, a, Kind::Interpose, sep, 1)
}

fn dedupe(h: &mut dyn Host, a: &mut [Value]) -> Result {
    staged(h, a, Kind::Dedupe, Value::Nil, 0)
}

fn random_sample(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let prob = crate::number::to_f64(h, get(a, 0))?;
    staged(h, a, Kind::RandomSample, Value::float(prob), 1)
}

/// First items for each key, lazily.
#[derive(Clone)]
struct Fresh {
    src: Src,
    f: Option<Value>,
    seen: Index,
}

impl Fresh {
    fn is_new(&mut self, h: &mut dyn Host, x: &Value) -> Result<bool> {
        Ok(match &self.f {
            Some(f) => {
                let key = super::callers::Caller::new(f).on(h, x)?;
                self.seen.place(h, &key)?.1
            }
            None => self.seen.place(h, x)?.1,
        })
    }
}

impl Generator for Fresh {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        while let Some(x) = self.src.next(h)? {
            h.charge(2)?;
            if self.is_new(h, &x)? {
                return Ok(Step::Item(x));
            }
        }
        Ok(Step::End)
    }
    fn weight(&self) -> u64 {
        self.src.weight() + self.seen.weight()
    }
    fn finite(&self) -> bool {
        self.src.finite()
    }
    fn depth(&self) -> u32 {
        self.src.depth().max(self.f.as_ref().map_or(0, |f| held(&[f])))
    }
    fn endless(&self) -> bool {
        self.src.endless()
    }
}

fn distinct(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() {
        return transducer(h, Kind::Distinct, Value::Nil);
    }
    let later = is_lazy(get(a, 0));
    let src = Src::arg(a, 0)?;
    made(h, later, Fresh { src, f: None, seen: Index::default() })
}

fn distinct_by(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let f = take(a, 0);
    let later = is_lazy(get(a, 1));
    let src = Src::arg(a, 1)?;
    made(h, later, Fresh { src, f: Some(f), seen: Index::default() })
}

/// The leaves of nested sequences, with the way back on a stack of our own.
#[derive(Clone)]
struct Leaves {
    open: Buffer<Vec<Src>>,
    depth: u32,
    endless: bool,
    finite: bool,
}

impl Generator for Leaves {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        while let Some(inner) = self.open.last_mut() {
            h.charge(1)?;
            match inner.next(h)? {
                None => {
                    self.open.pop();
                }
                Some(v) if v.is_sequential() => {
                    if self.open.len() == self.open.capacity() {
                        h.reserve(self.open.len() as u64 * 128 + 64)?;
                    }
                    self.depth = self.depth.max(v.depth());
                    let src = Src::new(Iter::new(v)?);
                    self.finite &= src.finite();
                    self.open.push(src);
                }
                Some(v) => return Ok(Step::Item(v)),
            }
        }
        Ok(Step::End)
    }
    fn weight(&self) -> u64 {
        self.open.capacity() as u64 + Src::weights(&self.open)
    }
    fn finite(&self) -> bool {
        self.finite
    }
    fn depth(&self) -> u32 {
        self.depth
    }
    fn endless(&self) -> bool {
        self.endless
    }
}

fn flatten(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let x = take(a, 0);
    if !x.is_sequential() {
        return Ok(Value::empty_list());
    }
    // A lazy sequence may be anywhere inside.
    let (later, depth) = (x.lazy(), x.depth());
    let src = Src::new(Iter::new(x)?);
    let (endless, finite) = (src.endless(), src.finite());
    made(h, later, Leaves { open: Buffer(vec![src]), depth, endless, finite })
}

fn replace(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let smap = take(a, 0);
    if !matches!(smap, Value::Map(_) | Value::Vector(_) | Value::Nil) {
        return Err(Interrupt::argument(0, "a map", &smap));
    }
    if a.len() > 1 && matches!(args::get(a, 1), Value::Vector(_)) {
        let meta = meta_of(args::get(a, 1));
        let mut out = Vec::new();
        each(h, a, 1, |h, x| {
            let y = replaced(h, &smap, x)?;
            push(h, &mut out, y)?;
            Ok(true)
        })?;
        let made = Vector::from_vec(out);
        return Ok(Value::Vector(if meta.is_some() { made.with_meta(meta) } else { made }));
    }
    staged(h, a, Kind::Replace, smap, 1)
}

/// The items of the collections in a lazy sequence of them.
pub fn concat_lazily(colls: Value) -> Value {
    match Iter::new(colls) {
        Ok(it) => lazy(Piped::new(Src::new(it), Kind::Cat, Value::Nil)),
        Err(_) => Value::empty_list(),
    }
}
