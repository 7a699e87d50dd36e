//! How much a session really holds, counted by walking it: each shared part once.
//!
//! Between turns memory is kept as a running difference, which also counts what has only left with an outcome (values
//! of turns, answers of tools). When that sum gets large the truth is counted again.

use super::code::Closure;
use crate::builtins::combinators::Native;
use crate::memory::Memory;
use crate::value::{Value, node::Item};
use std::collections::HashSet;

/// Live bytes of what the session can reach: its definitions and cells.
///
/// What nobody can reach any more and yet holds itself is let go, unless a sequence still to be made could reach it.
pub fn held(memory: &Memory, recent: &[Value]) -> u64 {
    let mut seen = HashSet::new();
    let mut work: Vec<Value> = memory.bindings().filter_map(|b| b.value.clone()).collect();
    work.extend(memory.cells.values().cloned());
    let mut total = 0u64;
    let mut blind = reach(&mut seen, &mut work, &mut total);
    // The values of the last turns are not the session's own, but may not be cut either.
    work.extend(recent.iter().cloned());
    blind |= reach(&mut seen, &mut work, &mut 0);
    if !blind {
        memory.rings.cut(&seen);
    }
    total
}

/// Adds up what is reached from `work` and has not been seen; whether something could not be looked into.
fn reach(seen: &mut HashSet<usize>, work: &mut Vec<Value>, total: &mut u64) -> bool {
    let mut blind = false;
    while let Some(v) = work.pop() {
        let Some((address, own)) = node(&v) else { continue };
        if !seen.insert(address) {
            continue;
        }
        blind |= matches!(&v, Value::Lazy(l) if l.made().is_none());
        *total = total.saturating_add(own as u64);
        inside(&v, work);
    }
    blind
}

/// The allocation a value is, and its bytes; `None` for what lies in the value itself.
pub fn node(v: &Value) -> Option<(usize, usize)> {
    Some(match v {
        Value::Str(s) => (s.address(), s.own_bytes()),
        Value::Vector(v) => (v.address(), v.own_bytes()),
        Value::Slice(s) => (s.base().0.address(), s.base().0.own_bytes()),
        Value::Map(m) => (m.address(), m.own_bytes()),
        Value::Set(s) => (s.as_map().address(), s.as_map().own_bytes()),
        Value::Cons(c) => (c.address(), c.own_bytes()),
        Value::Lazy(l) => (l.address(), l.own_bytes()),
        Value::Function(f) => (f.address(), f.own_bytes()),
        Value::Big(b) => (std::sync::Arc::as_ptr(b).cast::<()>() as usize, 64 + b.bits() as usize / 8),
        Value::Ratio(r) => {
            (std::sync::Arc::as_ptr(r).cast::<()>() as usize, 128 + (r.numer().bits() + r.denom().bits()) as usize / 8)
        }
        Value::Regex(r) => (std::sync::Arc::as_ptr(r).cast::<()>() as usize, r.bytes()),
        Value::Reduced(v) => (std::sync::Arc::as_ptr(v).cast::<()>() as usize, 48),
        Value::Exception(e) => (std::sync::Arc::as_ptr(e).cast::<()>() as usize, 128),
        _ => return None,
    })
}

/// Adds what a value holds to `work`.
pub fn inside(v: &Value, work: &mut Vec<Value>) {
    // Scalars are counted with what holds them.
    let heavy = |v: &&Value| v.depth() > 0 || node(v).is_some();
    work.extend(super::settle::beside(v).into_iter().flatten().filter(heavy).cloned());
    match v {
        Value::Vector(v) => work.extend(v.iter().filter(heavy).cloned()),
        Value::Slice(s) => work.extend(s.base().0.iter().filter(heavy).cloned()),
        Value::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v]).filter(heavy).cloned()),
        Value::Set(s) => work.extend(s.iter().filter(heavy).cloned()),
        Value::Cons(c) => work.extend([c.first().clone(), c.rest().clone()]),
        Value::Lazy(l) => work.extend(l.made()),
        Value::Function(f) => {
            if let Some(c) = f.downcast::<Closure>() {
                work.extend(c.captures.iter().filter(heavy).cloned());
            } else if let Some(n) = f.downcast::<Native>() {
                work.extend(n.held.iter().filter(heavy).cloned());
            }
        }
        Value::Reduced(v) => work.push((**v).clone()),
        Value::Exception(e) => work.extend([e.data.clone(), e.cause.clone()]),
        _ => {}
    }
}
