//! Lazy sequences that fail again as they failed first.

use super::generator::{Generator, IntRange, Step};
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, InterruptKind, Result};
use crate::value::Value;

/// A generator that gives the same error again once it has failed: the item it failed on is gone, and to go on behind
/// it would leave that item out silently.
struct Steady<G> {
    inner: G,
    failed: Option<Interrupt>,
}

/// The same stop, of those that a program can catch and then ask again. What ended a whole turn is another error in a
/// later one: the item that was being made then is gone.
fn copy(stop: &Interrupt) -> Interrupt {
    Interrupt::new(match stop.kind() {
        InterruptKind::Throw(v) => InterruptKind::Throw(v.clone()),
        InterruptKind::Fault(e) => InterruptKind::Fault(e.clone()),
        InterruptKind::Argument { index, kind, problem, hint } => {
            InterruptKind::Argument { index: *index, kind: *kind, problem: problem.clone(), hint: hint.clone() }
        }
        _ => {
            return Interrupt::error(ErrorKind::Value, "an earlier turn ended while it made an item of this sequence")
                .hint("define the sequence again");
        }
    })
}

impl<G: Clone> Clone for Steady<G> {
    fn clone(&self) -> Self {
        Steady { inner: self.inner.clone(), failed: self.failed.as_ref().map(copy) }
    }
}

impl<G: Generator + Clone + 'static> Generator for Steady<G> {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        if let Some(failed) = &self.failed {
            return Err(copy(failed));
        }
        let step = self.inner.step(h);
        if let Err(stop) = &step {
            self.failed = Some(copy(stop));
        }
        step
    }
    fn weight(&self) -> u64 {
        self.inner.weight()
    }
    fn depth(&self) -> u32 {
        self.inner.depth()
    }
    fn endless(&self) -> bool {
        self.inner.endless()
    }
    fn finite(&self) -> bool {
        self.failed.is_some() || self.inner.finite()
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        self.inner.fork()
    }
    fn run(&self) -> Option<IntRange> {
        self.inner.run()
    }
}

/// The lazy sequence that `g` makes; one that failed gives the same error again when it is asked again.
pub fn lazy(g: impl Generator + Clone + 'static) -> Value {
    super::generator::lazy(Steady { inner: g, failed: None })
}
