//! What a value is made of: the allocation that it is, and the values in it.

use super::Value;
use super::function::Body;
use super::node::Item;
use std::sync::Arc;

/// The allocation a value is, and its bytes; `None` for what is in the value itself.
pub fn node(v: &Value) -> Option<(usize, usize)> {
    Some(match v {
        Value::Str(s) | Value::Tool(s) => (s.address(), s.own_bytes()),
        Value::Keyword(k) => (k.address(), k.own_bytes()),
        Value::Symbol(s) | Value::Var(s) => (s.address(), s.own_bytes()),
        Value::Vector(v) => (v.address(), v.own_bytes()),
        Value::Slice(s) => (s.base().0.address(), s.base().0.own_bytes()),
        Value::Map(m) => (m.address(), m.own_bytes()),
        Value::Set(s) => (s.as_map().address(), s.as_map().own_bytes()),
        Value::Cons(c) => (c.address(), c.own_bytes()),
        Value::Lazy(l) => (l.address(), l.own_bytes()),
        Value::Function(f) => (f.address(), f.own_bytes()),
        Value::Big(b) => at(b, b.bytes()),
        Value::Ratio(r) => at(r, r.bytes()),
        Value::Decimal(d) => at(d, d.bytes()),
        Value::Regex(r) => at(r, r.bytes()),
        Value::Uuid(u) => at(u, u.bytes()),
        Value::Time(t) => at(t, t.bytes()),
        Value::Reduced(r) => at(r, r.bytes()),
        Value::Exception(e) => at(e, e.bytes()),
        Value::Object(o) => at(o, o.bytes()),
        // What places hold is in the session's memory.
        Value::Atom(_) | Value::Volatile(_) | Value::Builder(_) | Value::Delay(_) | Value::Place(..) => return None,
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Char(_) | Value::Builtin(_) => {
            return None;
        }
    })
}

/// Calls `see` with each value that a value holds: items, captured values, metadata, the comparator of a sorted
/// collection, in any order. A slice holds the whole array that it is part of; what an unrealized sequence holds, nobody can see, and
/// what atoms and the like hold is in the session's memory. A new kind of value says here what is in it.
#[inline]
pub fn for_each_child(v: &Value, mut see: impl FnMut(&Value)) {
    match v {
        Value::Vector(x) => {
            x.meta().into_iter().for_each(&mut see);
            x.iter().for_each(see);
        }
        Value::Slice(s) => {
            let base = &s.base().0;
            base.meta().into_iter().for_each(&mut see);
            base.iter().for_each(see);
        }
        Value::Map(m) => {
            m.meta().into_iter().chain(m.comparator()).for_each(&mut see);
            m.iter_unordered().for_each(|(k, v)| {
                see(k);
                see(v);
            });
        }
        Value::Set(s) => {
            s.meta().into_iter().chain(s.as_map().comparator()).for_each(&mut see);
            s.iter_unordered().for_each(see);
        }
        Value::Cons(c) => c.meta().into_iter().chain([c.first(), c.rest()]).for_each(see),
        Value::Lazy(l) => l.made().iter().for_each(see),
        Value::Function(f) => f.meta().into_iter().chain(f.body().into_iter().flat_map(Body::held)).for_each(see),
        Value::Reduced(x) => see(x),
        Value::Exception(e) => {
            see(&e.data);
            see(&e.cause);
        }
        Value::Symbol(s) => s.meta().into_iter().for_each(see),
        Value::Object(o) => {
            see(&o.held);
            see(&o.meta);
        }
        Value::Nil
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Char(_)
        | Value::Str(_)
        | Value::Keyword(_)
        | Value::Big(_)
        | Value::Ratio(_)
        | Value::Decimal(_)
        | Value::Builtin(_)
        | Value::Tool(_)
        | Value::Regex(_)
        | Value::Atom(_)
        | Value::Volatile(_)
        | Value::Builder(_)
        | Value::Delay(_)
        | Value::Place(..)
        | Value::Var(_)
        | Value::Uuid(_)
        | Value::Time(_) => {}
    }
}

/// Adds what a value holds to `work`, scalars left out.
pub fn inside(v: &Value, work: &mut Vec<Value>) {
    for_each_child(v, |c| {
        if heavy(&c) {
            work.push(c.clone());
        }
    });
}

/// Whether a value takes more than its place: scalars are counted with what holds them.
pub fn heavy(v: &&Value) -> bool {
    v.depth() > 0 || node(v).is_some()
}

fn at<T>(shared: &Arc<T>, bytes: usize) -> (usize, usize) {
    (Arc::as_ptr(shared).cast::<()>() as usize, bytes)
}
