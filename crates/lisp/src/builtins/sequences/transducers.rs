//! Transducers as values, and pipelines: steps that are known run one after the other without calls between them.

use super::seq_source::{Buffer, Srcs, core};
use super::transducer_step::{Kind, Out, Stage};
use crate::builtins::args::{get, take};
use crate::builtins::functions::combinators::{Native, made, native, wrong_arity};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::seq::{Generator, Iter, Step};
use crate::value::boxed::{CellId, Metered};
use crate::value::{Builtin, Item, Value};
use std::collections::VecDeque;
use std::sync::Arc;

/// The functions of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "cat",
        "rf",
        "A transducer that takes collections and gives their items.",
        &[("(into [] cat [[1] [2 3]])", "[1 2 3]")],
        &Body(cat),
    ),
    Builtin::new(
        "completing",
        "f | f cf",
        "f as a reducing function that ends with cf (identity).",
        &[("(transduce (map inc) (completing + str) 0 [1 2])", "\"5\"")],
        &Body(completing),
    ),
    Builtin::new(
        "halt-when",
        "pred | pred retf",
        "A transducer that ends a transduction at the first item for which pred holds, with that item or what retf makes of result and item.",
        &[("(transduce (halt-when neg?) conj [1 -5 2])", "-5")],
        &Body(halt_when),
    ),
];

/// The most steps that run as a pipeline; longer compositions are called, and so count against the limits on calls.
const LONGEST: usize = 64;

/// The transducer of this kind with its function, number or separator.
pub fn transducer(h: &mut dyn Host, kind: Kind, f: Value) -> Result {
    let held = vec![Value::int(kind.code()), f];
    made(h, Native { name: kind.name(), held: held.into(), min: 1, max: Some(1), call: apply, stage: Some(kind) })
}

/// `(xform rf)`: the reducing function, which keeps what it remembers in a cell.
fn apply(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    let (code, f) = (get(held, 0).clone(), get(held, 1).clone());
    reducing(h, code, f, take(a, 0))
}

fn reducing(h: &mut dyn Host, code: Value, f: Value, rf: Value) -> Result {
    let Some(kind) = kind_of(&code) else { return Ok(Value::Nil) };
    let mut held = vec![code, f, rf];
    if let Some(f) = held.get(1).filter(|f| Stage::remembers(kind, f)) {
        let start = Stage::new(kind, f.clone()).into_state();
        held.push(Value::Volatile(h.cell(start)?));
    }
    native(h, kind.name(), held, (0, None), rf_step)
}

fn kind_of(code: &Value) -> Option<Kind> {
    if let Value::Int(code) = code { Kind::of(code.get()) } else { None }
}

fn cat(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let rf = take(a, 0);
    reducing(h, Value::int(Kind::Cat.code()), Value::Nil, rf)
}

/// One step from and to the cell.
fn with_cell<R>(
    h: &mut dyn Host,
    held: &[Value],
    work: impl FnOnce(&mut dyn Host, &mut Stage) -> Result<R>,
) -> Result<R> {
    let kind = kind_of(get(held, 0)).unwrap_or(Kind::Map);
    let cell = if let Value::Volatile(c) = get(held, 3) { Some(*c) } else { None };
    let state = cell.map(|c| h.cell_set(c, Value::Nil)).unwrap_or_default();
    let mut stage = Stage::resume(kind, get(held, 1).clone(), state);
    let result = work(h, &mut stage);
    if let Some(c) = cell {
        h.cell_set(c, stage.into_state());
    }
    result
}

/// The reducing function that a transducer makes.
fn rf_step(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    let rf = get(held, 2);
    let (acc, x) = match a.len() {
        0 => return h.call(rf, &mut []),
        1 => {
            let mut acc = take(a, 0);
            if let Some(last) = with_cell(h, held, |h, s| s.flush(h))? {
                acc = unreduced(h.call2(rf, acc, last)?);
            }
            return h.call1(rf, acc);
        }
        2 => (take(a, 0), take(a, 1)),
        n => {
            if kind_of(get(held, 0)) != Some(Kind::Map) {
                return Err(wrong_arity(kind_of(get(held, 0)).map_or("", Kind::name), n));
            }
            let acc = take(a, 0);
            let x = h.call(get(held, 1), a.get_mut(1..).unwrap_or_default())?;
            return h.call2(rf, acc, x);
        }
    };
    match with_cell(h, held, |h, s| s.step(h, x))? {
        Out::None => Ok(acc),
        Out::One(v) => h.call2(rf, acc, v),
        Out::Last(v) => {
            let acc = h.call2(rf, acc, v)?;
            Ok(if let Value::Reduced(_) = acc { acc } else { reduced(acc) })
        }
        Out::Interrupt => Ok(reduced(acc)),
        Out::Two(v, w) => match h.call2(rf, acc, v)? {
            stop @ Value::Reduced(_) => Ok(stop),
            acc => h.call2(rf, acc, w),
        },
        Out::All(coll) => {
            let (mut it, mut acc) = (Iter::new(coll)?, acc);
            while let Some(v) = it.next(h)? {
                h.charge(1)?;
                acc = h.call2(rf, acc, v)?;
                if let Value::Reduced(_) = acc {
                    break;
                }
            }
            Ok(acc)
        }
    }
}

/// `(reduced v)`
pub fn reduced(v: Value) -> Value {
    Value::reduced(v)
}

/// What a reduced value holds; anything else as it is.
pub fn unreduced(v: Value) -> Value {
    match v {
        Value::Reduced(r) => Arc::try_unwrap(r).map_or_else(|r| Value::clone(&r), Metered::into_held),
        other => other,
    }
}

fn completing(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut held = vec![take(a, 0)];
    if a.len() > 1 {
        held.push(take(a, 1));
    }
    native(h, "completing", held, (0, Some(2)), |h, held, a| match (held, a.len()) {
        ([_, cf], 1) => h.call(cf, a),
        (_, 1) => Ok(take(a, 0)),
        _ => h.call(get(held, 0), a),
    })
}

fn halt_key() -> Value {
    Value::keyword("clojure.core/halt")
}

fn halt_when(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let held = vec![take(a, 0), take(a, 1)];
    native(h, "halt-when", held, (1, Some(1)), |h, held, a| {
        let mut held = held.to_vec();
        held.push(take(a, 0));
        native(h, "halt-when", held, (0, Some(2)), halting)
    })
}

fn halting(h: &mut dyn Host, held: &[Value], a: &mut [Value]) -> Result {
    let [pred, retf, rf] = held else { return Ok(Value::Nil) };
    match a.len() {
        0 => h.call(rf, &mut []),
        1 => match get(a, 0) {
            Value::Map(m) if m.get(&halt_key()).is_some() => Ok(m.get(&halt_key()).cloned().unwrap_or_default()),
            _ => h.call1(rf, take(a, 0)),
        },
        _ => {
            let (acc, x) = (take(a, 0), take(a, 1));
            if !h.call1(pred, x.clone())?.truthy() {
                return h.call2(rf, acc, x);
            }
            let v = if retf.is_nil() {
                x
            } else {
                let so_far = h.call1(rf, acc)?;
                h.call2(retf, so_far, x)?
            };
            Ok(reduced(Value::map([(halt_key(), v)])))
        }
    }
}

/// The steps of a transducer, when all are known.
fn compile(xform: &Value, stages: &mut Vec<Stage>) -> bool {
    if stages.len() >= LONGEST {
        return false;
    }
    match xform {
        Value::Builtin(b) if b.name() == "cat" => stages.push(Stage::new(Kind::Cat, Value::Nil)),
        Value::Builtin(b) => return b.name() == "identity",
        Value::Function(f) => match f.downcast::<Native>() {
            Some(n) if n.name == "comp" => return n.held.iter().all(|x| compile(x, stages)),
            Some(Native { stage: Some(kind), held, .. }) => stages.push(Stage::new(*kind, get(held, 1).clone())),
            _ => return false,
        },
        _ => return false,
    }
    true
}

/// A transducer at work: items go in, what comes of them goes to `out`, which says whether it wants more.
#[derive(Clone)]
pub enum Pipe {
    /// Known steps.
    Steps(Vec<Stage>),
    /// A reducing function of the program's own making, whose results gather in a cell.
    Called {
        /// The reducing function.
        rf: Value,
        /// Where results gather.
        cell: CellId,
    },
}

/// Where results go; `false` ends it.
pub type Sink<'a> = &'a mut dyn FnMut(&mut dyn Host, Value) -> Result<bool>;

impl Pipe {
    /// As [`Generator::weight`].
    fn weight(&self) -> u64 {
        match self {
            Pipe::Steps(stages) => stages.len() as u64,
            Pipe::Called { .. } => 0,
        }
    }

    /// The pipeline of a transducer if all of its steps are known.
    pub fn known(xform: &Value) -> Option<Pipe> {
        let mut stages = Vec::new();
        compile(xform, &mut stages).then_some(Pipe::Steps(stages))
    }

    /// The pipeline of any transducer.
    pub fn new(h: &mut dyn Host, xform: &Value) -> Result<Pipe> {
        if let Some(known) = Pipe::known(xform) {
            return Ok(known);
        }
        let cell = h.cell(Value::vector(Vec::new()))?;
        let gather = native(h, "sequence", vec![Value::Volatile(cell)], (0, Some(2)), |h, held, a| {
            if let (Value::Volatile(cell), true) = (get(held, 0), a.len() == 2) {
                let mut kept = h.cell_set(*cell, Value::Nil);
                if let Value::Vector(v) = &mut kept {
                    v.push(take(a, 1));
                }
                h.cell_set(*cell, kept);
            }
            Ok(take(a, 0))
        })?;
        let rf = h.call1(xform, gather)?;
        Ok(Pipe::Called { rf, cell })
    }

    /// Puts one item in, or one of each of several sources. `false` when nothing more is wanted.
    pub fn put(&mut self, h: &mut dyn Host, items: &mut [Value], out: Sink<'_>) -> Result<bool> {
        match self {
            Pipe::Steps(stages) => {
                h.charge(stages.len() as u64)?;
                if let [x] = items {
                    return through(stages, h, std::mem::take(x), out);
                }
                match stages.split_first_mut() {
                    Some((first, rest)) if first.kind() == Kind::Map => {
                        let x = first.call(h, items)?;
                        through(rest, h, x, out)
                    }
                    Some((first, rest)) if first.kind() == Kind::Mapcat => {
                        let coll = first.call(h, items)?;
                        each_through(rest, h, coll, out)
                    }
                    first => Err(wrong_arity(first.map_or("identity", |f| f.0.kind().name()), items.len() + 1)),
                }
            }
            Pipe::Called { rf, cell } => {
                let mut args = Vec::with_capacity(items.len() + 1);
                args.push(Value::Nil);
                args.extend(items.iter_mut().map(std::mem::take));
                let more = !matches!(h.call(rf, &mut args)?, Value::Reduced(_));
                Ok(drain(h, *cell, out)? && more)
            }
        }
    }

    /// Ends it: what groups are left comes out.
    pub fn end(&mut self, h: &mut dyn Host, out: Sink<'_>) -> Result<()> {
        match self {
            Pipe::Steps(stages) => {
                for i in 0..stages.len() {
                    let Some((stage, rest)) = stages.get_mut(i..).and_then(<[Stage]>::split_first_mut) else { break };
                    if let Some(v) = stage.flush(h)? {
                        through(rest, h, v, out)?;
                    }
                }
            }
            Pipe::Called { rf, cell } => {
                h.call1(rf, Value::Nil)?;
                drain(h, *cell, out)?;
            }
        }
        Ok(())
    }

    fn depth(&self) -> u32 {
        match self {
            Pipe::Steps(stages) => stages.iter().map(Stage::depth).max().unwrap_or(0),
            Pipe::Called { rf, .. } => rf.depth(),
        }
    }
}

fn drain(h: &mut dyn Host, cell: CellId, out: Sink<'_>) -> Result<bool> {
    let Value::Vector(got) = h.cell_set(cell, Value::vector(Vec::new())) else { return Ok(true) };
    for v in got.into_vec() {
        h.charge(1)?;
        if !out(h, v)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Sends `x` through the steps. Recursion is bounded by their number.
fn through(mut stages: &mut [Stage], h: &mut dyn Host, mut x: Value, out: Sink<'_>) -> Result<bool> {
    let mut more = true;
    while let Some((stage, rest)) = stages.split_first_mut() {
        match stage.step(h, x)? {
            Out::One(v) => x = v,
            Out::Last(v) => {
                x = v;
                more = false;
            }
            Out::None => return Ok(more),
            Out::Interrupt => return Ok(false),
            Out::Two(v, w) => {
                if !through(rest, h, v, out)? {
                    return Ok(false);
                }
                x = w;
            }
            Out::All(coll) => return Ok(each_through(rest, h, coll, out)? && more),
        }
        stages = rest;
    }
    Ok(out(h, x)? && more)
}

/// Sends every item of `coll` through the steps.
fn each_through(stages: &mut [Stage], h: &mut dyn Host, coll: Value, out: Sink<'_>) -> Result<bool> {
    let mut it = Iter::new(coll)?;
    while let Some(v) = it.next(h)? {
        h.charge(1)?;
        if !through(stages, h, v, out)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs all of `it` through `pipe`.
pub fn drive(h: &mut dyn Host, pipe: &mut Pipe, mut it: Iter, out: Sink<'_>) -> Result<()> {
    while let Some(x) = it.next(h)? {
        h.charge(1)?;
        if !pipe.put(h, &mut [x], out)? {
            break;
        }
    }
    pipe.end(h, out)
}

/// The lazy sequence of a transducer over sources.
#[derive(Clone)]
pub struct Sequence {
    sources: Srcs,
    pipe: Pipe,
    ready: Buffer<VecDeque<Value>>,
    depth: u32,
    done: bool,
}

impl Sequence {
    /// What `pipe` makes of `sources`.
    pub fn new(sources: Srcs, pipe: Pipe) -> Self {
        Sequence { depth: pipe.depth(), sources, pipe, ready: Buffer::default(), done: false }
    }
}

impl Generator for Sequence {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        loop {
            if let Some(v) = self.ready.pop_front() {
                return Ok(Step::Item(v));
            }
            if self.done {
                return Ok(Step::End);
            }
            h.charge(1)?;
            let Sequence { sources, pipe, ready, depth, done } = self;
            let row = sources.row(h)?;
            let mut out = |h: &mut dyn Host, v: Value| {
                if ready.len() == ready.capacity() {
                    h.reserve(ready.len() as u64 * 32 + 64)?;
                }
                *depth = v.depth().max(*depth);
                ready.push_back(v);
                Ok(true)
            };
            let more = match row {
                Some(mut row) => pipe.put(h, &mut row, &mut out)?,
                None => false,
            };
            if !more {
                *done = true;
                pipe.end(h, &mut out)?;
            }
        }
    }
    fn weight(&self) -> u64 {
        self.sources.weight() + self.pipe.weight() + self.ready.capacity() as u64
    }
    fn finite(&self) -> bool {
        self.done || self.sources.finite()
    }
    fn depth(&self) -> u32 {
        self.depth.max(self.sources.depth())
    }
    fn endless(&self) -> bool {
        let ends = |s: &Stage| matches!(s.kind(), Kind::Take | Kind::TakeWhile);
        let open = match &self.pipe {
            Pipe::Steps(stages) => !stages.iter().any(ends),
            // Of a transducer of the program's own nobody knows: nothing is made of it that was not asked for.
            Pipe::Called { .. } => true,
        };
        !self.done && open && self.sources.endless()
    }
}

/// A composition of transducers as one.
pub fn composed(h: &mut dyn Host, xforms: &mut [Value]) -> Result {
    let comp = core(h, "comp")?;
    h.call(&comp, xforms)
}

/// `rf` as `into` ends a transduction: with the collection itself.
pub fn completed(h: &mut dyn Host, rf: Value) -> Result {
    native(h, "into", vec![rf], (0, Some(2)), |h, held, a| match a.len() {
        1 => Ok(take(a, 0)),
        _ => h.call(get(held, 0), a),
    })
}
