//! How much a session really holds, counted by walking it: each shared part once.
//!
//! Between turns memory is kept as a running difference, which also counts what has only left with an outcome (values
//! of turns, answers of tools). When that sum gets large the truth is counted again.

use crate::bytecode::{Closure, Template};
use crate::memory::Memory;
use crate::value::Value;
use crate::value::children::{heavy, inside, node};
use std::collections::HashSet;
use std::sync::Arc;

/// Live bytes of what a session holds, each shared part once. Looks at all of it: for reports and tests.
///
/// What a sequence still to be made holds besides cannot be looked into; the running account has it.
pub fn held_bytes(memory: &Memory) -> u64 {
    let mut walk = Walk::default();
    walk.memory(memory);
    walk.total
}

/// Live bytes of values, each shared part once.
pub fn value_bytes<'v>(values: impl Iterator<Item = &'v Value>) -> u64 {
    let mut walk = Walk::default();
    walk.work.extend(values.cloned());
    walk.reach();
    walk.total
}

/// Counts what the session can reach, its definitions and cells; `None` when there is a sequence still to be made,
/// which may hold more than can be seen.
///
/// What nobody can reach any more and yet holds itself is freed, unless a sequence still to be made could reach it.
pub fn held(memory: &Memory, recent: &[Value]) -> Option<u64> {
    let mut walk = Walk::default();
    walk.memory(memory);
    walk.work.extend(recent.iter().cloned());
    walk.reach();
    if walk.blind {
        return None;
    }
    memory.cycles.cut(&walk.seen);
    Some(walk.total)
}

/// What the session would hold after a turn that ends in one of `kept`; `account` is the running account, in which what
/// only leaves with the turn (`leaving`) counts too.
pub fn after(memory: &Memory, kept: &[Value], leaving: Vec<Value>, account: u64) -> u64 {
    let mut walk = Walk::default();
    walk.memory(memory);
    walk.work.extend(kept.iter().cloned());
    walk.reach();
    if !walk.blind {
        return walk.total;
    }
    // A sequence still to be made holds more than can be seen: what is known to leave is taken off the account.
    let held = walk.total;
    walk.work.extend(leaving);
    walk.reach();
    account.saturating_sub(walk.total.saturating_sub(held)).max(held)
}

/// What the session's names hold, most first; what several hold counts with the first that was defined.
pub fn by_name(memory: &Memory) -> Vec<(Arc<str>, u64)> {
    let mut walk = Walk::default();
    let mut names = Vec::new();
    for binding in memory.bindings() {
        let before = walk.total;
        walk.work.extend(binding.value.clone());
        walk.work.extend(binding.facts.held());
        if let Some(Value::Atom(id) | Value::Volatile(id) | Value::Delay(id) | Value::Builder(id) | Value::Place(id)) =
            &binding.value
        {
            walk.work.extend(memory.cells.get(id.0).cloned());
        }
        walk.reach();
        names.push((binding.name.clone(), walk.total.saturating_sub(before)));
    }
    names.sort_by_key(|n| std::cmp::Reverse(n.1));
    names
}

/// A way through values that adds up what it reaches and has not seen.
#[derive(Default)]
struct Walk {
    seen: HashSet<usize>,
    work: Vec<Value>,
    total: u64,
    /// Something could not be looked into.
    blind: bool,
}

impl Walk {
    fn memory(&mut self, memory: &Memory) {
        self.total = memory.table_bytes() as u64;
        self.work.extend(memory.bindings.iter().flat_map(|b| [b.value.clone(), b.facts.held()]).flatten());
        self.work.extend(memory.cells.values().cloned());
        self.reach();
    }

    /// Whether it is seen for the first time.
    fn count(&mut self, (address, bytes): (usize, usize)) -> bool {
        let new = self.seen.insert(address);
        if new {
            self.total = self.total.saturating_add(bytes as u64);
        }
        new
    }

    fn reach(&mut self) {
        while let Some(v) = self.work.pop() {
            let Some(own) = node(&v) else { continue };
            if !self.count(own) {
                continue;
            }
            match &v {
                Value::Lazy(l) => self.blind |= l.made().is_none(),
                Value::Vector(v) => self.versions(v.shared()),
                Value::Slice(s) => self.versions(s.base().0.shared()),
                Value::Map(m) => self.versions(m.shared()),
                Value::Set(s) => self.versions(s.as_map().shared()),
                Value::Function(f) => {
                    if let Some(c) = f.downcast::<Closure>() {
                        let group = c.group.iter().flat_map(|g| g.iter());
                        self.templates(group.chain([&c.template]).cloned().collect());
                    }
                }
                _ => {}
            }
            inside(&v, &mut self.work);
        }
    }

    fn versions(&mut self, shared: impl Iterator<Item = (usize, usize)>) {
        for link in shared {
            // What a version was made of has been counted with it.
            if !self.count(link) {
                return;
            }
        }
    }

    /// Code, and what is in it.
    fn templates(&mut self, mut work: Vec<Arc<Template>>) {
        while let Some(t) = work.pop() {
            if !self.count((Arc::as_ptr(&t).cast::<()>() as usize, t.bytes())) {
                continue;
            }
            for p in &t.arities {
                let constants = p.constants.iter().chain(p.updates.iter().map(|u| &u.function));
                self.work.extend(constants.filter(heavy).cloned());
                self.work.extend(p.defs.iter().filter_map(|d| d.facts.held()));
                for keys in &p.shapes {
                    if self.count(keys.node()) {
                        self.work.extend(keys.as_slice().iter().filter(heavy).cloned());
                    }
                }
                let cases = p.cases.iter().flat_map(|(table, _)| table.keys());
                self.work.extend(cases.map(|k| &k.0).filter(heavy).cloned());
                work.extend(p.functions.iter().map(|(t, _)| t.clone()));
                work.extend(p.groups.iter().flat_map(|(g, _)| g.iter().cloned()));
            }
        }
    }
}
