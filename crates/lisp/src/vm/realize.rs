//! The end of a turn: what it leaves is realised, so that nothing that looks at it later runs code; cells that
//! nobody can reach any more are freed.

use super::state::Vm;
use crate::builtins::functions::combinators::Native;
use crate::bytecode::Closure;
use crate::error::ErrorKind;
use crate::fuel::Cost;
use crate::host::{Interrupt, InterruptKind, Result};
use crate::interface::RunResult;
use crate::memory::Cells;
use crate::value::boxed::CellId;
use crate::value::children::{for_each_child, node};
use crate::value::node::on_deep_stack;
use crate::value::{Item, Slice, Value};
use std::collections::HashSet;

/// Items realised of a sequence whose end cannot be known (difference 1).
const UNKNOWN_ITEMS: u64 = 10_000;

impl Vm<'_, '_> {
    /// Realises the value of a turn that ended well, and every sequence it bound.
    pub fn realize_result(&mut self, value: Value) -> Result<RunResult> {
        let mut i = 0;
        while let Some(g) = self.defined.get(i).map(|d| d.global) {
            i += 1;
            let Some(b) = self.memory.bindings.get(g as usize) else { continue };
            let Some(v) = b.value.clone() else { continue };
            if v.lazy() {
                let (doc, facts) = (b.doc.clone(), b.facts.clone());
                let v = self.realised(v, false)?;
                self.memory.bind(g, v, doc, facts);
            }
        }
        let value = self.realised(value, true)?;
        let limit = self.turn.limits.result_bytes;
        let text_limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if large(&value) {
            let (text, whole) = crate::print::print(&value, &crate::print::Style::readable(text_limit));
            if !whole {
                return Err(Interrupt::error(
                    ErrorKind::Memory,
                    format!(
                        "the value of the turn is longer than result_bytes = {limit} as text (cut at {})",
                        text.len()
                    ),
                )
                .hint("end with a part of it, or define it: (def x ...)"));
            }
        }
        Ok(RunResult::Value(value))
    }

    /// The value with what is lazy in it made, as far as that is bounded. An error of the program on the way is the
    /// turn's if the value is `asked` for, as it is when Clojure prints it; else it leaves the rest unmade.
    fn realised(&mut self, v: Value, asked: bool) -> Result {
        if !v.lazy() {
            return Ok(v);
        }
        self.make_all(&v, asked)?;
        // A whole chain becomes one array: counting and printing it costs no walk over cells.
        if let Value::Lazy(_) | Value::Cons(_) = &v {
            let mut items = crate::value::compare::RealizedIter::new(&v);
            let all: Vec<Value> = items.by_ref().collect();
            if !items.unrealised() {
                return Ok(Value::Slice(Slice::seq(all)));
            }
        }
        Ok(v)
    }

    fn make_all(&mut self, v: &Value, asked: bool) -> Result<()> {
        // Sequences nest by what they make, not by a depth that is known of them: the native stack grows with them.
        if self.settling >= self.turn.limits.data_depth {
            return Err(crate::host::too_deep(self.turn.limits));
        }
        self.settling += 1;
        self.ran_late = true;
        let made = self.make_parts(v, asked);
        self.settling -= 1;
        made
    }

    fn make_parts(&mut self, v: &Value, asked: bool) -> Result<()> {
        on_deep_stack(|| match v {
            Value::Lazy(_) | Value::Cons(_) => self.make_chain(v.clone(), asked),
            Value::Vector(v) if v.lazy() => v.iter().try_for_each(|i| self.make_all(i, asked)),
            Value::Slice(s) if v.lazy() => s.iter().try_for_each(|i| self.make_all(i, asked)),
            Value::Set(s) if s.lazy() => s.iter().try_for_each(|i| self.make_all(i, asked)),
            Value::Map(m) if m.lazy() => m.iter().try_for_each(|(k, v)| {
                self.make_all(k, asked)?;
                self.make_all(v, asked)
            }),
            Value::Reduced(v) => self.make_all(v, asked),
            Value::Object(o) => self.make_all(&o.held, asked),
            _ => Ok(()),
        })
    }

    fn make_chain(&mut self, v: Value, asked: bool) -> Result<()> {
        let start = self.thunks;
        // An item may be the sequence itself: it is being walked already, or has been.
        if let Value::Lazy(l) = &v
            && !self.settled.insert(l.address())
        {
            return Ok(());
        }
        self.make_cells(v, asked, start)
    }

    /// Makes a chain from some cell on; `start` is how many bodies had been run when it was begun.
    pub(super) fn make_cells(&mut self, v: Value, asked: bool, start: u64) -> Result<()> {
        let mut at = v;
        // A sequence may contain itself: `(def ones (lazy-seq (cons 1 ones)))`.
        let (mut steps, mut passed): (u64, Option<crate::value::Lazy>) = (0, None);
        // Items made of sequences whose end cannot be known.
        let mut unknown = 0;
        loop {
            self.charge_cost(Cost(3))?;
            match at {
                Value::Lazy(l) => {
                    if passed.as_ref().is_some_and(|p| p.ptr_eq(&l)) {
                        return Ok(());
                    }
                    steps += 1;
                    if steps.is_power_of_two() {
                        passed = Some(l.clone());
                    }
                    if l.made().is_none() {
                        unknown += u64::from(!l.finite());
                        if l.endless() || unknown > UNKNOWN_ITEMS || self.thunks - start >= UNKNOWN_ITEMS {
                            return Ok(());
                        }
                        if !asked && unknown > 0 {
                            if self.share.is_none() {
                                return self.make_within_share(l, start);
                            }
                            if !self.share_lasts() {
                                return Ok(());
                            }
                        }
                    }
                    match crate::seq::force(self, &l) {
                        Ok(next) => at = next,
                        Err(stop) => match stop.kind() {
                            InterruptKind::Limit(_) => return Err(stop),
                            InterruptKind::Return(_) | InterruptKind::Fail(_) if !self.returning => return Err(stop),
                            InterruptKind::Throw(_) | InterruptKind::Fault(_) | InterruptKind::Argument { .. }
                                if asked && !self.returning =>
                            {
                                return Err(stop);
                            }
                            _ => return Ok(()),
                        },
                    }
                }
                Value::Cons(c) => {
                    self.make_all(c.first(), asked)?;
                    at = c.rest().clone();
                }
                other => return self.make_all(&other, asked),
            }
        }
    }

    /// Lets go of cells that nothing holds any more. Where a sequence still to be made could hold one, all stay.
    pub fn sweep(&mut self, ending: &RunResult) {
        if self.memory.cells.is_empty() {
            return;
        }
        let mut reach = Reach { seen: HashSet::new(), nodes: HashSet::new(), work: Vec::new(), blind: false };
        reach.work.extend(self.memory.bindings.iter().filter_map(|b| b.value.clone()));
        reach.work.extend(self.turn.recent.iter().cloned());
        reach.work.extend(self.memory.cells.of_session().cloned());
        if let RunResult::Value(v) | RunResult::Returned(v) = ending {
            reach.work.push(v.clone());
        }
        while let Some(v) = reach.work.pop() {
            reach.visit(v, &self.memory.cells);
            if reach.blind {
                return;
            }
        }
        self.memory.cells.retain(|id| CellId(id).is_of_session() || reach.seen.contains(&CellId(id).owner().0));
    }
}

struct Reach {
    seen: HashSet<u64>,
    /// Shared parts are visited once: a value of sixty nodes can have more ways through it than there is time
    /// (SECURITY attack 4).
    nodes: HashSet<usize>,
    work: Vec<Value>,
    /// Something could not be looked into.
    blind: bool,
}

impl Reach {
    fn visit(&mut self, v: Value, cells: &Cells) {
        if let Some((address, _)) = node(&v)
            && !self.nodes.insert(address)
        {
            return;
        }
        match &v {
            Value::Atom(CellId(id))
            | Value::Volatile(CellId(id))
            | Value::Builder(CellId(id))
            | Value::Delay(CellId(id))
            | Value::Place(CellId(id))
                if self.seen.insert(*id) =>
            {
                self.work.extend(cells.get(*id).cloned());
                self.work.extend(cells.get(CellId(*id).options().0).cloned());
            }
            Value::Lazy(l) => self.blind |= l.made().is_none(),
            Value::Function(f) => match f.downcast::<Closure>() {
                Some(c) => {
                    let constants = c.template.arities.iter().flat_map(|p| &p.constants);
                    self.work.extend(constants.filter(|v| holds(v)).cloned());
                }
                // What the functions of builtins hold is seen as any value's; other bodies cannot be looked into.
                None => self.blind |= f.downcast::<Native>().is_none(),
            },
            _ => {}
        }
        for_each_child(&v, |child| {
            if holds(child) {
                self.work.push(child.clone());
            }
        });
    }
}

/// Whether a value may hold others.
fn holds(v: &Value) -> bool {
    let cell =
        || matches!(v, Value::Atom(_) | Value::Volatile(_) | Value::Builder(_) | Value::Delay(_) | Value::Place(..));
    v.depth() > 0 || cell()
}

/// Whether the text of a value may be long: small scalars need no look.
fn large(v: &Value) -> bool {
    match v {
        Value::Str(s) => s.as_str().len() > 1000,
        Value::Big(_)
        | Value::Ratio(_)
        | Value::Decimal(_)
        | Value::Symbol(_)
        | Value::Keyword(_)
        | Value::Regex(_) => true,
        v => v.depth() > 0,
    }
}
