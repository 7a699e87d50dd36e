//! Lazy sequences: what makes them item by item, and how an item is made when somebody asks.

use crate::error::ErrorKind;
use crate::host::{Host, Result, Stop};
use crate::limits::Limits;
use crate::value::node::UPKEEP;
use crate::value::sequence::{Begin, Source};
use crate::value::{Item, Lazy, Value};
use crate::walk::Iter;
use std::any::Any;

/// One step of a sequence being made.
pub enum Step {
    /// The next item; there may be more.
    Item(Value),
    /// There is no more.
    End,
    /// The rest is this sequence (or nil).
    Rest(Value),
}

/// A generator once more: all that can be cloned can be copied in its box.
pub trait Copies {
    /// The same with a state of its own.
    fn copy(&self) -> Box<dyn Generator>;
}

impl<G: Generator + Clone + 'static> Copies for G {
    fn copy(&self) -> Box<dyn Generator> {
        Box::new(self.clone())
    }
}

/// What makes a sequence item by item. It owns its state, so whoever holds it alone can run it without keeping items.
pub trait Generator: Copies + Send {
    /// The next step; pays for its own work beyond one unit.
    fn step(&mut self, host: &mut dyn Host) -> Result<Step>;
    /// Nesting of what it holds.
    fn depth(&self) -> u32;
    /// How many values a copy of it copies: those it owns itself, not those in shared collections.
    fn weight(&self) -> u64;
    /// Whether it is known to go on for ever.
    fn endless(&self) -> bool {
        false
    }
    /// Whether it is known to come to an end. Asked under the lock of the sequence: it must not look at others.
    fn finite(&self) -> bool {
        false
    }
    /// Whether its step runs the body of a `lazy-seq`: who asks for the sequence inside would run it again.
    fn body(&self) -> bool {
        false
    }
    /// A copy, if its steps run no code of programs: a shared `(range 1000000)` is then walked without keeping items.
    fn fork(&self) -> Option<Box<dyn Generator>> {
        None
    }
    /// What is left, if it is a run of integers, which walkers then count by themselves.
    fn run(&self) -> Option<Run> {
        None
    }
}

/// Integers from `at`, `step` apart, up or down to `end`.
#[derive(Clone, Copy)]
pub struct Run {
    /// The next one; `None` past the last integer there is.
    pub at: Option<i64>,
    /// Where it ends, if it does.
    pub end: Option<i64>,
    /// From one to the next, never 0.
    pub step: i64,
}

impl Iterator for Run {
    type Item = i64;
    #[inline]
    fn next(&mut self) -> Option<i64> {
        let at = self.at?;
        if self.end.is_some_and(|end| if self.step < 0 { at <= end } else { at >= end }) {
            return None;
        }
        // Past the last integer lies past any end.
        self.at = at.checked_add(self.step);
        Some(at)
    }
}

/// What a sequence still to be made counts, if it is a run of integers.
pub fn ranged(l: &crate::value::Lazy) -> Option<Run> {
    let source = l.fork()?.into_any().downcast::<Gen>().ok()?;
    source.0.run()
}

struct Gen(Box<dyn Generator>);

/// Bytes of a generator in its box, with what it owns.
fn boxed_bytes(generator: &dyn Generator) -> usize {
    let weight = crate::value::node::on_deep_stack(|| generator.weight());
    let owned = usize::try_from(weight).unwrap_or(usize::MAX).saturating_mul(size_of::<Value>());
    size_of_val(generator).saturating_add(UPKEEP).saturating_add(owned)
}

impl Source for Gen {
    fn as_any(&mut self) -> &mut dyn Any {
        self
    }
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
    fn depth(&self) -> u32 {
        self.0.depth()
    }
    fn bytes(&self) -> usize {
        size_of::<Self>() + UPKEEP + boxed_bytes(&*self.0)
    }
    fn endless(&self) -> bool {
        self.0.endless()
    }
    fn finite(&self) -> bool {
        self.0.finite()
    }
    fn body(&self) -> bool {
        self.0.body()
    }
    fn fork(&self) -> Option<Box<dyn Source>> {
        self.0.fork().map(|g| Box::new(Gen(g)) as Box<dyn Source>)
    }
}

/// A lazy sequence that this generator makes.
pub fn lazy(generator: impl Generator + 'static) -> Value {
    Value::Lazy(Lazy::new(Box::new(Gen(Box::new(generator)))))
}

pub(crate) fn lazy_boxed(generator: Box<dyn Generator>) -> Value {
    Value::Lazy(Lazy::new(Box::new(Gen(generator))))
}

thread_local! {
    /// Generators that are making a step inside each other on this thread.
    static NESTED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// One step. Generators ask generators as deep as `data_depth`, counted here too because bodies of `lazy-seq` can nest
/// without a value ever being that deep; the native stack grows with them.
pub(crate) fn run(generator: &mut dyn Generator, host: &mut dyn Host) -> Result<Step> {
    let nested = NESTED.get();
    if nested >= host.limits().data_depth {
        return Err(too_deep(host.limits()));
    }
    // The deeper, the dearer: each level is a cold piece of stack.
    if nested >= 32 {
        host.spend(u64::from(nested / 32))?;
    }
    NESTED.set(nested + 1);
    let step = crate::value::node::on_deep_stack(|| generator.step(host));
    NESTED.set(nested);
    step
}

/// Keeps a copy of what makes a sequence that is older than the turn, once a turn.
#[cold]
fn keep(host: &mut dyn Host, lazy: &Lazy, generator: &dyn Generator) -> Result<()> {
    let weight = crate::value::node::on_deep_stack(|| generator.weight());
    host.spend(2 + weight / 4)?;
    host.room(weight.saturating_mul(32).saturating_add(256))?;
    let copy = crate::value::node::on_deep_stack(|| generator.copy());
    host.keep(lazy, Lazy::new(Box::new(Gen(copy))));
    lazy.kept();
    Ok(())
}

/// A generator that nobody else can see. Those that hold others are let go as deep as they are stacked.
pub struct Alone(pub(crate) Option<Box<dyn Generator>>);

impl Alone {
    /// As [`Generator::weight`], the box counted as values too.
    pub fn weight(&self) -> u64 {
        self.0.as_ref().map_or(0, |g| (boxed_bytes(&**g) / size_of::<Value>()) as u64)
    }
}

impl Clone for Alone {
    fn clone(&self) -> Self {
        Alone(self.0.as_ref().map(|g| crate::value::node::on_deep_stack(|| g.copy())))
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let inner = self.0.take();
        crate::value::node::on_deep_stack(|| drop(inner));
    }
}

pub(crate) fn generator_of(source: Box<dyn Source>) -> Option<Box<dyn Generator>> {
    source.into_any().downcast::<Gen>().ok().map(|g| g.0)
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
struct Stuck;

impl Generator for Stuck {
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
fn asks_for_itself() -> Stop {
    Stop::error(ErrorKind::Value, "a lazy sequence asks for itself while it is being made")
}

/// What a lazy sequence is.
enum Made {
    /// Nil, or a sequence whose first item is there.
    Value(Value),
    /// Whatever this one is; it counts as being made until that is known.
    Like(Lazy),
    /// Something that is being made right now; whether it counts as empty meanwhile.
    Itself(bool),
}

/// One look at a lazy sequence. If it fails, the sequence can be asked again.
fn make(host: &mut dyn Host, lazy: &Lazy) -> Result<Made> {
    let source = match lazy.begin() {
        Begin::Done(Value::Lazy(next)) => return Ok(Made::Like(next)),
        Begin::Done(v) => return Ok(Made::Value(v)),
        Begin::Running { empty } => return Ok(Made::Itself(empty)),
        Begin::Make(source) => source,
    };
    let put_back = |generator: Box<dyn Generator>| lazy.put_back(Box::new(Gen(generator)));
    let Some(mut generator) = generator_of(source) else {
        lazy.finish(Value::Nil);
        return Ok(Made::Value(Value::Nil));
    };
    if lazy.is_older()
        && let Err(stop) = keep(host, lazy, &*generator)
    {
        put_back(generator);
        return Err(stop);
    }
    host.may_ring(lazy);
    let value = match host.spend(3).and_then(|()| run(&mut *generator, host)) {
        Err(stop) => {
            put_back(generator);
            return Err(stop);
        }
        Ok(Step::End) => Value::Nil,
        Ok(Step::Rest(Value::Lazy(next))) => {
            lazy.passed_on();
            return Ok(Made::Like(next));
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
            host.room(256)?;
            return Ok(Made::Value(cell));
        }
    };
    lazy.finish(value.clone());
    Ok(Made::Value(value))
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
            Ok(Made::Value(value)) => {
                // Every sequence on the way is this one from now on: the next asking takes one step.
                for (l, _) in waiting {
                    l.finish(value.clone());
                }
                return Ok(value);
            }
            Ok(Made::Like(next)) => {
                waiting.push((now, next.clone()));
                now = next;
                if waiting.len() == waiting.capacity()
                    && let Err(stop) = host.room(waiting.len() as u64 * 64)
                {
                    break stop;
                }
            }
            Ok(Made::Itself(true)) => {
                for (l, _) in waiting {
                    l.finish(Value::Nil);
                }
                return Ok(Value::Nil);
            }
            Ok(Made::Itself(false)) => {
                for (l, _) in waiting {
                    l.put_back(Box::new(Gen(Box::new(Stuck))));
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

/// The error of a value nested past its limit.
#[cold]
pub fn too_deep(limits: &Limits) -> Stop {
    Stop::error(ErrorKind::Depth, format!("a value is nested deeper than data_depth = {}", limits.data_depth))
}

/// Clojure's `seq`: nil for what is empty, else a sequence whose first item is there.
pub fn seq_of(host: &mut dyn Host, v: Value) -> Result {
    use crate::value::{SeqKind, Slice};
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
