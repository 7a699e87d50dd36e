//! What makes lazy sequences item by item.

use crate::host::{Host, Result, too_deep};
use crate::stages::Stage;
use crate::value::node::{UPKEEP, on_deep_stack};
use crate::value::sequence::Source;
use crate::value::{Lazy, Value};
use std::any::Any;
use std::cell::Cell;

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
    /// The next step; charges its own work beyond one unit.
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
    /// Whether it is stages of a pipeline that wait for whoever takes what they make.
    fn staged(&self) -> bool {
        false
    }
    /// What those stages begin with, and the stages.
    fn stages(&mut self) -> Option<(Value, Vec<Stage>)> {
        None
    }
    /// What is left, if it is a run of integers, which walkers then count by themselves.
    fn run(&self) -> Option<IntRange> {
        None
    }
}

/// Integers from `at`, `step` apart, up or down to `end`.
#[derive(Clone, Copy)]
pub struct IntRange {
    /// The next one; `None` past the last integer there is.
    pub at: Option<i64>,
    /// Where it ends, if it does.
    pub end: Option<i64>,
    /// From one to the next, never 0.
    pub step: i64,
}

impl Iterator for IntRange {
    type Item = i64;
    #[inline]
    fn next(&mut self) -> Option<i64> {
        let at = self.at?;
        if self.end.is_some_and(|end| if self.step < 0 { at <= end } else { at >= end }) {
            return None;
        }
        // Past the last integer is past any end.
        self.at = at.checked_add(self.step);
        Some(at)
    }
}

/// What a sequence still to be made counts, if it is a run of integers.
pub fn ranged(l: &crate::value::Lazy) -> Option<IntRange> {
    let source = l.fork()?.into_any().downcast::<Gen>().ok()?;
    source.0.run()
}

/// The stages that a value is which nobody else holds, and what they begin with; it is moved out then.
pub fn staged(v: &mut Value) -> Option<(Value, Vec<Stage>)> {
    if !matches!(v, Value::Lazy(l) if l.staged()) {
        return None;
    }
    let Value::Lazy(l) = std::mem::take(v) else { return None };
    match l.into_source() {
        Ok(source) => generator_of(source)?.stages(),
        Err(l) => {
            *v = Value::Lazy(l);
            None
        }
    }
}

/// A generator as the source of a lazy sequence.
pub(crate) struct Gen(pub(crate) Box<dyn Generator>);

/// Bytes of a generator in its box, with what it owns.
fn boxed_bytes(generator: &dyn Generator) -> usize {
    let weight = on_deep_stack(|| generator.weight());
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
    fn staged(&self) -> bool {
        self.0.staged()
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
    static NESTED: Cell<u32> = const { Cell::new(0) };
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
        host.charge(u64::from(nested / 32))?;
    }
    NESTED.set(nested + 1);
    let step = on_deep_stack(|| generator.step(host));
    NESTED.set(nested);
    step
}

/// A generator that nobody else can see. Those that hold others are freed as deep as they are stacked.
pub struct Alone {
    generator: Option<Box<dyn Generator>>,
    /// Its weight, once it was asked for and until its next step: what is stacked on it asks again for each level.
    weight: Cell<Option<u64>>,
}

impl Alone {
    pub(crate) fn new(generator: Box<dyn Generator>) -> Self {
        Alone { generator: Some(generator), weight: Cell::new(None) }
    }

    /// As [`Generator::weight`], the box counted as values too.
    pub fn weight(&self) -> u64 {
        let Some(generator) = &self.generator else { return 0 };
        if let Some(known) = self.weight.get() {
            return known;
        }
        let weight = (boxed_bytes(&**generator) / size_of::<Value>()) as u64;
        self.weight.set(Some(weight));
        weight
    }

    /// The generator, to look at.
    pub(crate) fn seen(&self) -> Option<&dyn Generator> {
        self.generator.as_deref()
    }

    /// The generator, to make its next step.
    pub(crate) fn stepping(&mut self) -> Option<&mut Box<dyn Generator>> {
        self.weight.set(None);
        self.generator.as_mut()
    }

    /// The generator itself.
    pub(crate) fn take(&mut self) -> Option<Box<dyn Generator>> {
        self.generator.take()
    }
}

impl Clone for Alone {
    fn clone(&self) -> Self {
        let generator = self.generator.as_ref().map(|g| on_deep_stack(|| g.copy()));
        Alone { generator, weight: Cell::new(None) }
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        let inner = self.generator.take();
        on_deep_stack(|| drop(inner));
    }
}

pub(crate) fn generator_of(source: Box<dyn Source>) -> Option<Box<dyn Generator>> {
    source.into_any().downcast::<Gen>().ok().map(|g| g.0)
}
