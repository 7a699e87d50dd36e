//! Runs of integers as lazy sequences.

use super::generator::{Generator, IntRange, Step};
use super::sticky::lazy;
use crate::host::{Host, Result};
use crate::value::Value;

#[derive(Clone)]
struct Ints(IntRange);

/// The lazy sequence of a run of integers that has an end.
pub fn ints(run: IntRange) -> Value {
    lazy(Ints(run))
}

impl Generator for Ints {
    fn step(&mut self, _: &mut dyn Host) -> Result<Step> {
        Ok(self.0.next().map_or(Step::End, |at| Step::Item(Value::int(at))))
    }
    fn weight(&self) -> u64 {
        0
    }
    fn finite(&self) -> bool {
        true
    }
    fn depth(&self) -> u32 {
        0
    }
    fn fork(&self) -> Option<Box<dyn Generator>> {
        Some(Box::new(self.clone()))
    }
    fn run(&self) -> Option<IntRange> {
        Some(self.0)
    }
}
