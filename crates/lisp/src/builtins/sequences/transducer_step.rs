//! Steps of transducers: one definition serves the lazy sequence, the pipeline of `into`, and the reducing function.

use super::callers::Caller;
use super::seq_source::Src;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::{Generator, Iter, Step};
use crate::value::compare::equal;
use crate::value::{Item, Set, Value, Vector};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `map`
    Map,
    /// `filter`
    Filter,
    /// `remove`
    Remove,
    /// `keep`
    Keep,
    /// `take`
    Take,
    /// `drop`
    Drop,
    /// `take-while`
    TakeWhile,
    /// `drop-while`
    DropWhile,
    /// `take-nth`
    TakeNth,
    /// `distinct`
    Distinct,
    /// `dedupe`
    Dedupe,
    /// `interpose`
    Interpose,
    /// `map-indexed`
    MapIndexed,
    /// `keep-indexed`
    KeepIndexed,
    /// `cat`
    Cat,
    /// `mapcat`
    Mapcat,
    /// `partition-by`
    PartitionBy,
    /// `partition-all`
    PartitionAll,
    /// `replace`
    Replace,
    /// `random-sample`
    RandomSample,
}

const KINDS: [(Kind, &str); 20] = [
    (Kind::Map, "map"),
    (Kind::Filter, "filter"),
    (Kind::Remove, "remove"),
    (Kind::Keep, "keep"),
    (Kind::Take, "take"),
    (Kind::Drop, "drop"),
    (Kind::TakeWhile, "take-while"),
    (Kind::DropWhile, "drop-while"),
    (Kind::TakeNth, "take-nth"),
    (Kind::Distinct, "distinct"),
    (Kind::Dedupe, "dedupe"),
    (Kind::Interpose, "interpose"),
    (Kind::MapIndexed, "map-indexed"),
    (Kind::KeepIndexed, "keep-indexed"),
    (Kind::Cat, "cat"),
    (Kind::Mapcat, "mapcat"),
    (Kind::PartitionBy, "partition-by"),
    (Kind::PartitionAll, "partition-all"),
    (Kind::Replace, "replace"),
    (Kind::RandomSample, "random-sample"),
];

impl Kind {
    /// The function it belongs to.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|k| k.0 == self).map_or("transducer", |k| k.1)
    }

    /// As a number, for functions that hold it.
    pub fn code(self) -> i64 {
        KINDS.iter().position(|k| k.0 == self).map_or(0, |i| i as i64)
    }

    /// From that number.
    pub fn of(code: i64) -> Option<Kind> {
        usize::try_from(code).ok().and_then(|i| KINDS.get(i)).map(|k| k.0)
    }

    /// What it remembers before the first item; nil for what remembers nothing.
    fn start(self, f: &Value) -> Value {
        match self {
            Kind::Take | Kind::Drop => f.clone(),
            Kind::DropWhile => Value::Bool(true),
            Kind::Interpose => Value::Bool(false),
            Kind::TakeNth | Kind::MapIndexed | Kind::KeepIndexed => Value::int(0),
            Kind::Distinct => Value::Set(Set::new()),
            Kind::Dedupe | Kind::PartitionBy | Kind::PartitionAll => Value::vector(Vec::new()),
            _ => Value::Nil,
        }
    }
}

/// What comes of one item.
pub enum Out {
    /// Nothing.
    None,
    /// This.
    One(Value),
    /// This, and nothing after it.
    Last(Value),
    /// Nothing, now and later.
    Interrupt,
    /// These two.
    Two(Value, Value),
    /// Every item of this.
    All(Value),
}

/// A step with what it remembers.
#[derive(Clone)]
pub struct Stage {
    kind: Kind,
    f: Value,
    state: Value,
    /// Makes sequences of groups, not vectors: the lazy `partition-by`.
    seqs: bool,
}

impl Stage {
    /// A step at its beginning; `f` is its function, number or separator.
    pub fn new(kind: Kind, f: Value) -> Self {
        Stage { state: kind.start(&f), kind, f, seqs: false }
    }

    /// A step that continues from `state`.
    pub fn resume(kind: Kind, f: Value, state: Value) -> Self {
        Stage { kind, f, state, seqs: false }
    }

    /// What it remembers now.
    pub fn into_state(self) -> Value {
        self.state
    }

    /// Whether it remembers anything.
    pub fn remembers(kind: Kind, f: &Value) -> bool {
        !kind.start(f).is_nil()
    }

    /// The kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Nesting of what it holds.
    pub fn depth(&self) -> u32 {
        self.f.depth().max(self.state.depth())
    }

    /// Counts one up or down and gives the number as it was.
    fn count(&mut self, by: i64) -> i64 {
        match self.state {
            Value::Int(n) => {
                self.state = Value::int(n.get().saturating_add(by));
                n.get()
            }
            _ => 0,
        }
    }

    fn memory(&mut self) -> Vector {
        match std::mem::take(&mut self.state) {
            Value::Vector(v) => v,
            _ => Vector::new(),
        }
    }

    fn group(&self, items: Vec<Value>) -> Value {
        if self.seqs { Value::seq(items) } else { Value::vector(items) }
    }

    /// Calls its function with several arguments: `map` over several sources.
    pub fn call(&self, h: &mut dyn Host, args: &mut [Value]) -> Result {
        h.call(&self.f, args)
    }

    /// What comes of `x`.
    pub fn step(&mut self, h: &mut dyn Host, x: Value) -> Result<Out> {
        let f = Caller::new(&self.f);
        let when = |yes: bool, x: Value| if yes { Out::One(x) } else { Out::None };
        Ok(match self.kind {
            Kind::Map => Out::One(f.give(h, x)?),
            Kind::Filter => when(f.on(h, &x)?.truthy(), x),
            Kind::Remove => when(!f.on(h, &x)?.truthy(), x),
            Kind::Keep => {
                let y = f.give(h, x)?;
                when(!y.is_nil(), y)
            }
            Kind::Mapcat => Out::All(f.give(h, x)?),
            Kind::Cat => Out::All(x),
            Kind::TakeWhile => {
                if f.on(h, &x)?.truthy() {
                    Out::One(x)
                } else {
                    Out::Interrupt
                }
            }
            Kind::DropWhile => {
                if self.state.truthy() && f.on(h, &x)?.truthy() {
                    return Ok(Out::None);
                }
                self.state = Value::Bool(false);
                Out::One(x)
            }
            Kind::Take => match self.count(-1) {
                n if n > 1 => Out::One(x),
                1 => Out::Last(x),
                _ => Out::Interrupt,
            },
            Kind::Drop => when(self.count(-1) <= 0, x),
            Kind::TakeNth => {
                let n = if let Value::Int(n) = self.f { n.get() } else { 0 };
                let i = self.count(1);
                when(i.checked_rem(n).ok_or_else(divide_by_zero)? == 0, x)
            }
            Kind::MapIndexed => {
                let i = self.count(1);
                Out::One(h.call2(&self.f, Value::int(i), x)?)
            }
            Kind::KeepIndexed => {
                let i = self.count(1);
                let y = h.call2(&self.f, Value::int(i), x)?;
                when(!y.is_nil(), y)
            }
            Kind::Interpose => {
                if std::mem::replace(&mut self.state, Value::Bool(true)).truthy() {
                    Out::Two(self.f.clone(), x)
                } else {
                    Out::One(x)
                }
            }
            Kind::Distinct => {
                cost::key(h, &x)?;
                let fresh = match &mut self.state {
                    Value::Set(seen) => seen.insert(x.clone()),
                    _ => true,
                };
                when(fresh, x)
            }
            Kind::Dedupe => {
                cost::key(h, &x)?;
                let before = self.memory();
                if before.get(0).is_some_and(|v| equal(v, &x)) {
                    self.state = Value::Vector(before);
                    return Ok(Out::None);
                }
                self.state = Value::vector(vec![x.clone()]);
                Out::One(x)
            }
            Kind::PartitionAll => {
                let n = if let Value::Int(n) = self.f { n.get() } else { 1 };
                let mut group = self.memory();
                group.push(x);
                // As in Clojure a size below one never fills.
                if group.len() as i64 == n {
                    self.state = Value::Vector(Vector::new());
                    return Ok(Out::One(self.group(group.into_vec())));
                }
                self.state = Value::Vector(group);
                Out::None
            }
            Kind::PartitionBy => return self.partition_by(h, x),
            Kind::Replace => Out::One(replaced(h, &self.f, x)?),
            Kind::RandomSample => {
                let p = match self.f {
                    Value::Float(p) => p.get(),
                    _ => 0.0,
                };
                when(unit(h.random()) < p, x)
            }
        })
    }

    /// The memory is the key of the group and then its items.
    fn partition_by(&mut self, h: &mut dyn Host, x: Value) -> Result<Out> {
        let key = Caller::new(&self.f).on(h, &x)?;
        cost::key(h, &key)?;
        let mut group = self.memory();
        if group.get(0).is_none_or(|k| equal(k, &key)) {
            if group.is_empty() {
                group.push(key);
            }
            group.push(x);
            self.state = Value::Vector(group);
            return Ok(Out::None);
        }
        self.state = Value::vector(vec![key, x]);
        Ok(Out::One(self.without_key(h, group)?))
    }

    fn without_key(&self, h: &mut dyn Host, group: Vector) -> Result {
        h.charge(group.len() as u64 / 8)?;
        let mut items = group.into_vec();
        if !items.is_empty() {
            items.remove(0);
        }
        Ok(self.group(items))
    }

    /// What is left over at the end.
    pub fn flush(&mut self, h: &mut dyn Host) -> Result<Option<Value>> {
        if !matches!(self.kind, Kind::PartitionAll | Kind::PartitionBy) {
            return Ok(None);
        }
        let group = self.memory();
        if group.is_empty() {
            return Ok(None);
        }
        if self.kind == Kind::PartitionAll {
            return Ok(Some(self.group(group.into_vec())));
        }
        self.without_key(h, group).map(Some)
    }
}

#[cold]
fn divide_by_zero() -> Interrupt {
    Interrupt::error(ErrorKind::Arithmetic, "Divide by zero")
}

/// A double from 0 up to, not including, 1.
pub fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1u64 << 53) as f64
}

/// What `(replace smap ..)` puts in place of `x`.
pub fn replaced(h: &mut dyn Host, smap: &Value, x: Value) -> Result {
    Ok(match smap {
        Value::Map(m) => {
            cost::key(h, &x)?;
            m.get(&x).cloned().unwrap_or(x)
        }
        Value::Vector(v) => match &x {
            Value::Int(i) => usize::try_from(i.get()).ok().and_then(|i| v.get(i)).cloned().unwrap_or(x),
            _ => x,
        },
        _ => x,
    })
}

/// The lazy sequence of one step over a source.
#[derive(Clone)]
pub struct Piped {
    src: Src,
    stage: Stage,
    /// The rest of what `mapcat` is in the middle of.
    inner: Option<Src>,
    after: Option<Value>,
    done: bool,
}

impl Piped {
    /// `f`'s step over `src`.
    pub fn new(src: Src, kind: Kind, f: Value) -> Self {
        let mut stage = Stage::new(kind, f);
        stage.seqs = true;
        Piped { src, stage, inner: None, after: None, done: false }
    }

    fn end(&mut self) -> Result<Step> {
        self.done = true;
        Ok(Step::End)
    }
}

impl Generator for Piped {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        loop {
            if let Some(v) = self.after.take() {
                return Ok(Step::Item(v));
            }
            if let Some(inner) = &mut self.inner {
                if let Some(v) = inner.next(h)? {
                    return Ok(Step::Item(v));
                }
                self.inner = None;
            }
            if self.done {
                return Ok(Step::End);
            }
            if self.stage.kind == Kind::TakeWhile {
                // Over an endless source nobody knows where it ends.
                h.thunk();
            }
            let Some(x) = self.src.next(h)? else {
                self.done = true;
                return Ok(self.stage.flush(h)?.map_or(Step::End, Step::Item));
            };
            match self.stage.step(h, x)? {
                Out::One(v) => return Ok(Step::Item(v)),
                Out::None => h.charge(1)?,
                Out::Last(v) => {
                    self.done = true;
                    return Ok(Step::Item(v));
                }
                Out::Interrupt => return self.end(),
                Out::Two(a, b) => {
                    self.after = Some(b);
                    return Ok(Step::Item(a));
                }
                Out::All(v) => {
                    h.charge(1)?;
                    self.inner = Some(Src::new(Iter::new(v)?));
                }
            }
        }
    }
    fn weight(&self) -> u64 {
        self.src.weight() + self.inner.as_ref().map_or(0, Src::weight)
    }

    fn finite(&self) -> bool {
        let inner = self.inner.as_ref().is_none_or(Src::finite);
        self.done || self.stage.kind == Kind::Take || self.src.finite() && inner
    }
    fn depth(&self) -> u32 {
        let inner = self.inner.as_ref().map_or(0, Src::depth);
        self.src.depth().max(self.stage.depth()).max(inner)
    }

    fn endless(&self) -> bool {
        !self.done && !matches!(self.stage.kind, Kind::Take | Kind::TakeWhile) && self.src.endless()
    }
}
