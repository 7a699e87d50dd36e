//! `partition-by` over a sequence that goes on for ever, where a run may do so as well: runs are sequences that are made as
//! far as somebody asks.

use super::seq_source::{core, held};
use crate::builtins::args::get;
use crate::builtins::equality::equal;
use crate::builtins::functions::combinators::native;
use crate::host::{Host, Result};
use crate::seq::sticky::lazy;
use crate::seq::{Generator, Step};
use crate::value::Value;

/// The runs of equal results of `f` over what is left.
#[derive(Clone)]
struct Runs {
    f: Value,
    rest: Value,
}

impl Generator for Runs {
    fn step(&mut self, h: &mut dyn Host) -> Result<Step> {
        h.charge(10)?;
        let rest = std::mem::take(&mut self.rest);
        let all = crate::seq::seq_of(h, rest)?;
        if all.is_nil() {
            return Ok(Step::End);
        }
        let (first, next) = (core(h, "first")?, core(h, "rest")?);
        let first = h.call1(&first, all.clone())?;
        let next = h.call1(&next, all)?;
        let of = h.call1(&self.f, first.clone())?;
        let same = native(h, "partition-by", vec![self.f.clone(), of], (1, Some(1)), |h, held, a| {
            let v = h.call1(get(held, 0), std::mem::take(a.first_mut().unwrap_or(&mut Value::Nil)))?;
            Ok(Value::Bool(equal(h, &v, get(held, 1))?))
        })?;
        let (whiles, drops, cons) = (core(h, "take-while")?, core(h, "drop-while")?, core(h, "cons")?);
        let run = h.call2(&whiles, same.clone(), next.clone())?;
        self.rest = h.call2(&drops, same, next)?;
        Ok(Step::Item(h.call2(&cons, first, run)?))
    }
    fn weight(&self) -> u64 {
        2
    }
    fn depth(&self) -> u32 {
        held(&[&self.f, &self.rest])
    }
    fn endless(&self) -> bool {
        true
    }
}

/// The runs of an endless sequence.
pub fn endless_runs(f: Value, coll: Value) -> Value {
    lazy(Runs { f, rest: coll })
}
