//! Walking anything seqable, and making the items of lazy sequences when somebody asks for them.

use super::generator::{Alone, Gen, Generator, IntRange, Step, generator_of, lazy_boxed, run};
use super::int_range::ints;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result, too_deep};
use crate::value::map::SMALL_MAX;
use crate::value::node::on_deep_stack;
use crate::value::sequence::Begin;
use crate::value::{Item, Lazy, Map, SeqKind, Slice, Str, Value};

/// Walks anything seqable, an item at a time. A lazy sequence held by nobody else is run without keeping its items.
/// A clone copies what it owns: [`Iter::weight`] says how much.
#[derive(Clone)]
pub enum Iter {
    /// Vectors and slices of them.
    Array(crate::value::Slice),
    /// Cells and lazy sequences.
    Chain(Value),
    /// Characters of a string, from this byte on.
    Text(Str, usize),
    /// Members of a set.
    Members(Taken),
    /// Entries of a map.
    Entries(Taken),
    /// A run of integers.
    Ints(IntRange),
    /// A generator that nobody else can see.
    Stream(Alone),
}

impl Iter {
    /// Over the items of `v`; the error names what it is.
    pub fn new(v: Value) -> Result<Iter> {
        use crate::value::{SeqKind, Slice};
        Ok(match v {
            Value::Nil => Iter::Chain(Value::Nil),
            Value::Vector(v) => Iter::Array(Slice::new(v, 0, SeqKind::Seq)),
            Value::Slice(s) => Iter::Array(s),
            Value::Cons(_) => Iter::Chain(v),
            Value::Lazy(l) => match l.into_source() {
                Ok(source) => generator_of(source).map_or_else(|| Iter::Chain(Value::Nil), Iter::stream),
                Err(l) => match l.fork().and_then(generator_of) {
                    Some(copy) => Iter::stream(copy),
                    // What has been made stands for itself: it is no deeper than its items.
                    None => Iter::Chain(l.made().unwrap_or(Value::Lazy(l))),
                },
            },
            Value::Map(m) => Iter::Entries(Taken::new(m)),
            Value::Set(s) => Iter::Members(Taken::new(s.as_map().clone())),
            Value::Str(s) => Iter::Text(s, 0),
            other => return Err(not_seqable(&other)),
        })
    }

    fn stream(generator: Box<dyn Generator>) -> Iter {
        match generator.run() {
            // One without an end continues in big integers: its generator knows how.
            Some(run) if run.end.is_some() => Iter::Ints(run),
            _ => Iter::Stream(Alone::new(generator)),
        }
    }

    /// As [`Iter::new`] for argument `index` of a builtin.
    pub fn arg(args: &mut [Value], index: usize) -> Result<Iter> {
        let v = args.get_mut(index).map(std::mem::take).unwrap_or_default();
        if is_seqable(&v) { Iter::new(v) } else { Err(Interrupt::argument(index, "a collection", &v)) }
    }

    /// The next item. Realised items are not charged here: charge what is done with them.
    #[inline]
    pub fn next(&mut self, host: &mut dyn Host) -> Result<Option<Value>> {
        match self {
            Iter::Array(s) => {
                let first = s.first().cloned();
                if first.is_some() {
                    s.advance();
                }
                Ok(first)
            }
            Iter::Ints(run) => Ok(run.next().map(Value::int)),
            Iter::Entries(i) => Ok(i.next(host)?.map(|(k, v)| Value::Vector(crate::value::Vector::entry(k, v)))),
            Iter::Members(i) => Ok(i.next(host)?.map(|(k, _)| k)),
            Iter::Text(s, at) => Ok(character(s, at).map(Value::Char)),
            _ => self.next_made(host),
        }
    }

    fn next_made(&mut self, host: &mut dyn Host) -> Result<Option<Value>> {
        loop {
            match self {
                Iter::Chain(at) => match at {
                    Value::Nil => return Ok(None),
                    Value::Cons(c) => {
                        let (first, rest) = (c.first().clone(), c.rest().clone());
                        *at = rest;
                        return Ok(Some(first));
                    }
                    Value::Lazy(l) => {
                        let l = l.clone();
                        *at = force(host, &l)?;
                    }
                    other => *self = Iter::new(std::mem::take(other))?,
                },
                Iter::Stream(g) => {
                    let Some(g) = g.stepping() else { return Ok(None) };
                    host.charge(2)?;
                    match run(&mut **g, host)? {
                        Step::Item(v) => return Ok(Some(v)),
                        Step::End => {
                            *self = Iter::Chain(Value::Nil);
                            return Ok(None);
                        }
                        Step::Rest(v) => *self = Iter::new(v)?,
                    }
                }
                _ => return self.next(host),
            }
        }
    }

    /// How many items are left, when that is known without making any.
    pub fn len(&self) -> Option<usize> {
        match self {
            Iter::Array(s) => Some(s.len()),
            Iter::Members(i) | Iter::Entries(i) => Some(i.left()),
            Iter::Text(s, at) if s.is_ascii() || *at == s.as_str().len() => Some(s.as_str().len() - at),
            Iter::Chain(Value::Nil) => Some(0),
            Iter::Chain(Value::Cons(c)) => c.len(),
            _ => None,
        }
    }

    /// How many values a clone copies, for [`Generator::weight`].
    pub fn weight(&self) -> u64 {
        match self {
            Iter::Members(i) | Iter::Entries(i) => i.chunk.len() as u64 * 2,
            Iter::Stream(g) => g.weight(),
            Iter::Array(_) | Iter::Chain(_) | Iter::Text(..) | Iter::Ints(_) => 0,
        }
    }

    /// Whether it is known to be at its end.
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Whether it is known to go on for ever.
    pub fn endless(&self) -> bool {
        match self {
            Iter::Stream(g) => g.seen().is_some_and(Generator::endless),
            Iter::Chain(Value::Lazy(l)) => l.endless(),
            _ => false,
        }
    }

    /// Whether it is known to come to an end. It may look at other sequences: not for [`Generator::finite`].
    pub fn finite(&self) -> bool {
        match self {
            Iter::Array(_) | Iter::Text(..) | Iter::Members(_) | Iter::Entries(_) => true,
            Iter::Ints(run) => run.end.is_some(),
            Iter::Chain(v) => is_finite(v),
            Iter::Stream(g) => g.seen().is_none_or(Generator::finite),
        }
    }

    /// What is left, as a sequence (or nil); charges what has to be taken out of a map, set or string for it.
    pub fn into_rest(self, host: &mut dyn Host) -> Result {
        Ok(match self {
            Iter::Array(s) => Value::Slice(s),
            Iter::Chain(v) => v,
            Iter::Text(..) | Iter::Members(_) | Iter::Entries(_) => Value::seq(self.collect(host)?),
            Iter::Ints(run) => ints(run),
            Iter::Stream(mut g) => g.take().map_or(Value::Nil, lazy_boxed),
        })
    }

    /// Nesting of what it holds, for generators that hold it.
    pub fn depth(&self) -> u32 {
        match self {
            Iter::Array(s) => s.base().0.depth(),
            Iter::Chain(v) => v.depth(),
            Iter::Members(i) | Iter::Entries(i) => i.depth,
            Iter::Text(..) | Iter::Ints(_) => 0,
            Iter::Stream(g) => g.seen().map_or(0, Generator::depth),
        }
    }

    /// All items, charged one by one.
    pub fn collect(mut self, host: &mut dyn Host) -> Result<Vec<Value>> {
        match self {
            Iter::Array(s) => {
                host.charge(s.len() as u64 / 2)?;
                host.reserve(s.len() as u64 * 16)?;
                return Ok(s.into_vec());
            }
            Iter::Text(s, at) => {
                let text = s.as_str().get(at..).unwrap_or_default();
                host.charge(text.len() as u64 / 4)?;
                host.reserve(text.chars().count() as u64 * 16)?;
                return Ok(text.chars().map(Value::Char).collect());
            }
            _ => {}
        }
        let mut out = Vec::new();
        while let Some(v) = self.next(host)? {
            host.charge(1)?;
            if out.len() == out.capacity() {
                host.reserve(out.len() as u64 * 16 + 64)?;
            }
            out.push(v);
        }
        Ok(out)
    }
}

/// The character at a byte, which moves behind it.
#[inline]
fn character(s: &Str, at: &mut usize) -> Option<char> {
    let c = s.as_str().get(*at..)?.chars().next()?;
    *at += c.len_utf8();
    Some(c)
}

/// Entries on their way out of a map, some at a time: the first of a million costs no copy of all of them.
#[derive(Clone)]
pub struct Taken {
    /// The map, until all its entries are out.
    map: Option<Map>,
    /// How many entries are out.
    place: usize,
    /// The key of the last one.
    last: Value,
    chunk: std::vec::IntoIter<(Value, Value)>,
    depth: u32,
}

impl Taken {
    fn new(map: Map) -> Self {
        let depth = map.depth().saturating_sub(1);
        Taken { map: Some(map), place: 0, last: Value::Nil, chunk: Vec::new().into_iter(), depth }
    }

    /// The next ones. Small maps go in one piece, so that their entries are held by nobody else if the map was not.
    #[cold]
    fn more(&mut self, host: &mut dyn Host) -> Result<Option<(Value, Value)>> {
        let Some(map) = self.map.take() else { return Ok(None) };
        let n = if map.is_small() { SMALL_MAX } else { self.place.clamp(8, 512) };
        let after = (self.place > 0).then_some(&self.last);
        // The way back into the tree compares this key with others.
        crate::size_cost::stored_key(host, &self.last)?;
        let chunk = map.part(after, self.place, n);
        self.place += chunk.len();
        if self.place < map.len() {
            self.last = chunk.last().map(|e| e.0.clone()).unwrap_or_default();
            self.map = Some(map);
        }
        self.chunk = chunk.into_iter();
        Ok(self.chunk.next())
    }

    /// The next one.
    #[inline]
    pub fn next(&mut self, host: &mut dyn Host) -> Result<Option<(Value, Value)>> {
        match self.chunk.next() {
            Some(entry) => Ok(Some(entry)),
            None => self.more(host),
        }
    }

    /// How many are to come.
    pub fn left(&self) -> usize {
        self.chunk.len() + self.map.as_ref().map_or(0, |m| m.len() - self.place)
    }
}

/// Whether `seq` would take it.
pub fn is_seqable(v: &Value) -> bool {
    use Value::{Cons, Lazy, Map, Nil, Set, Slice, Str, Vector};
    matches!(v, Nil | Str(_) | Vector(_) | Slice(_) | Cons(_) | Lazy(_) | Map(_) | Set(_))
}

/// Whether a sequence is not there yet, so that `map` and the like stay lazy over it (difference 1).
pub fn is_lazy(v: &Value) -> bool {
    match v {
        Value::Lazy(_) => true,
        Value::Cons(c) => c.len().is_none(),
        _ => false,
    }
}

/// Whether a collection is known to come to an end; looks no further than a few cells.
pub fn is_finite(v: &Value) -> bool {
    let mut at = v.clone();
    for _ in 0..32 {
        at = match at {
            Value::Lazy(l) => match l.made() {
                Some(v) => v,
                None => return l.finite(),
            },
            Value::Cons(c) if c.len().is_some() => return true,
            Value::Cons(c) => c.rest().clone(),
            _ => return true,
        };
    }
    false
}

#[cold]
fn not_seqable(v: &Value) -> Interrupt {
    Interrupt::error(ErrorKind::Type, format!("{} is not a collection: {}", v.kind(), crate::print::brief(v)))
}

/// Keeps a copy of what makes a sequence that is older than the turn, once a turn.
#[cold]
fn keep(host: &mut dyn Host, lazy: &Lazy, generator: &dyn Generator) -> Result<()> {
    let weight = on_deep_stack(|| generator.weight());
    host.charge(2 + weight / 4)?;
    host.reserve(weight.saturating_mul(32).saturating_add(256))?;
    let copy = on_deep_stack(|| generator.copy());
    host.save_for_rollback(lazy, Lazy::new(Box::new(Gen(copy))));
    lazy.kept();
    Ok(())
}

/// Stands for what a sequence turned out to be, when that could not be made then.
#[derive(Clone)]
struct Onward(Value);

impl Generator for Onward {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Ok(Step::Rest(self.0.clone()))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        self.0.depth()
    }
}

/// Stands for a sequence that cannot be made without itself. It holds nothing, so that no ring is left behind.
#[derive(Clone)]
struct SelfReference;

impl Generator for SelfReference {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Err(asks_for_itself())
    }
    fn weight(&self) -> u64 {
        0
    }
    fn depth(&self) -> u32 {
        0
    }
}

#[cold]
fn asks_for_itself() -> Interrupt {
    Interrupt::error(ErrorKind::Value, "a lazy sequence asks for itself while it is being made")
}

/// What a lazy sequence is.
enum Forced {
    /// Nil, or a sequence whose first item is there.
    Value(Value),
    /// Whatever this one is; it counts as being made until that is known.
    Like(Lazy),
    /// Something that is being made right now; whether it counts as empty meanwhile.
    Itself(bool),
}

/// One look at a lazy sequence. If it fails, the sequence can be asked again.
fn make(host: &mut dyn Host, lazy: &Lazy) -> Result<Forced> {
    let source = match lazy.begin() {
        Begin::Done(Value::Lazy(next)) => return Ok(Forced::Like(next)),
        Begin::Done(v) => return Ok(Forced::Value(v)),
        Begin::Running { empty } => return Ok(Forced::Itself(empty)),
        Begin::Make(source) => source,
    };
    let put_back = |generator: Box<dyn Generator>| lazy.put_back(Box::new(Gen(generator)));
    let Some(mut generator) = generator_of(source) else {
        lazy.finish(Value::Nil);
        return Ok(Forced::Value(Value::Nil));
    };
    if lazy.is_older()
        && let Err(stop) = keep(host, lazy, &*generator)
    {
        put_back(generator);
        return Err(stop);
    }
    host.track_lazy(lazy);
    let value = match host.charge(3).and_then(|()| run(&mut *generator, host)) {
        Err(stop) => {
            put_back(generator);
            return Err(stop);
        }
        Ok(Step::End) => Value::Nil,
        Ok(Step::Rest(Value::Lazy(next))) => {
            lazy.passed_on();
            return Ok(Forced::Like(next));
        }
        Ok(Step::Rest(other)) => match seq_of(host, other.clone()) {
            Ok(seq) => seq,
            Err(stop) => {
                put_back(Box::new(Onward(other)));
                return Err(stop);
            }
        },
        Ok(Step::Item(item)) => {
            let rest = lazy_boxed(generator);
            let deep = rest.depth().max(item.depth()) >= host.limits().data_depth;
            let cell = Value::Cons(crate::value::Cons::new(item, rest, None, crate::value::SeqKind::Seq));
            lazy.finish(cell.clone());
            if deep {
                return Err(too_deep(host.limits()));
            }
            host.reserve(256)?;
            return Ok(Forced::Value(cell));
        }
    };
    lazy.finish(value.clone());
    Ok(Forced::Value(value))
}

/// Makes one more item of a lazy sequence: nil when it is empty, else a sequence whose first item is there.
/// Chains of `Rest` are followed in a loop, never by recursion.
pub fn force(host: &mut dyn Host, lazy: &Lazy) -> Result {
    if let Some(v) = lazy.made()
        && !matches!(v, Value::Lazy(_))
    {
        return Ok(v);
    }
    // Sequences that are whatever the one after them is.
    let mut waiting: Vec<(Lazy, Lazy)> = Vec::new();
    let mut now = lazy.clone();
    let stop = loop {
        match make(host, &now) {
            Ok(Forced::Value(value)) => {
                // Every sequence on the way is this one from now on: the next asking takes one step.
                for (l, _) in waiting {
                    l.finish(value.clone());
                }
                return Ok(value);
            }
            Ok(Forced::Like(next)) => {
                waiting.push((now, next.clone()));
                now = next;
                if waiting.len() == waiting.capacity()
                    && let Err(stop) = host.reserve(waiting.len() as u64 * 64)
                {
                    break stop;
                }
            }
            Ok(Forced::Itself(true)) => {
                for (l, _) in waiting {
                    l.finish(Value::Nil);
                }
                return Ok(Value::Nil);
            }
            Ok(Forced::Itself(false)) => {
                for (l, _) in waiting {
                    l.put_back(Box::new(Gen(Box::new(SelfReference))));
                }
                return Err(asks_for_itself());
            }
            Err(stop) => break stop,
        }
    };
    for (l, next) in waiting {
        l.put_back(Box::new(Gen(Box::new(Onward(Value::Lazy(next))))));
    }
    Err(stop)
}

/// Clojure's `seq`: nil for what is empty, else a sequence whose first item is there.
pub fn seq_of(host: &mut dyn Host, v: Value) -> Result {
    Ok(match v {
        Value::Nil => Value::Nil,
        Value::Cons(_) => v,
        Value::Slice(s) if !s.is_empty() => Value::Slice(s.unqueued()),
        Value::Lazy(ref l) => return force(host, l),
        Value::Vector(v) if !v.is_empty() => Value::Slice(Slice::new(v, 0, SeqKind::Seq)),
        Value::Slice(_) | Value::Vector(_) => Value::Nil,
        other => {
            let items = Iter::new(other)?.collect(host)?;
            if items.is_empty() { Value::Nil } else { Value::seq(items) }
        }
    })
}
