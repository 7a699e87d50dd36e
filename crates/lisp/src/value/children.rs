//! What a value is made of: the allocation that it is, and the values in it.

use super::Value;
use super::function::Body;
use super::node::Item;
use std::sync::Arc;

/// The allocation a value is, and its bytes; `None` for what lies in the value itself.
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
        Value::Regex(r) => at(r, r.bytes()),
        Value::Uuid(u) => at(u, u.bytes()),
        Value::Reduced(r) => at(r, r.bytes()),
        Value::Exception(e) => at(e, e.bytes()),
        // What places hold lies in the session's memory.
        Value::Atom(_) | Value::Volatile(_) | Value::Builder(_) | Value::Delay(_) => return None,
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Char(_) | Value::Builtin(_) => {
            return None;
        }
    })
}

/// Adds what a value holds to `work`.
pub fn inside(v: &Value, work: &mut Vec<Value>) {
    work.extend(beside(v).into_iter().flatten().filter(heavy).cloned());
    match v {
        Value::Vector(v) => work.extend(v.iter().filter(heavy).cloned()),
        Value::Slice(s) => work.extend(s.base().0.iter().filter(heavy).cloned()),
        Value::Map(m) => work.extend(m.iter().flat_map(|(k, v)| [k, v]).filter(heavy).cloned()),
        Value::Set(s) => work.extend(s.iter().filter(heavy).cloned()),
        Value::Cons(c) => work.extend([c.first().clone(), c.rest().clone()]),
        Value::Lazy(l) => work.extend(l.made()),
        Value::Function(f) => work.extend(f.body().into_iter().flat_map(Body::held).filter(heavy).cloned()),
        Value::Reduced(v) => work.push(Value::clone(v)),
        Value::Exception(e) => work.extend([e.data.clone(), e.cause.clone()]),
        _ => {}
    }
}

/// What a value holds beside its items: metadata, the comparator of a sorted collection.
pub fn beside(v: &Value) -> [Option<&Value>; 2] {
    match v {
        Value::Vector(v) => [v.meta(), None],
        Value::Slice(s) => [s.base().0.meta(), None],
        Value::Cons(c) => [c.meta(), None],
        Value::Function(f) => [f.meta(), None],
        Value::Map(m) => [m.meta(), m.comparator()],
        Value::Set(s) => [s.meta(), s.as_map().comparator()],
        _ => [None, None],
    }
}

/// Whether a value takes more than its place: scalars are counted with what holds them.
pub fn heavy(v: &&Value) -> bool {
    v.depth() > 0 || node(v).is_some()
}

fn at<T>(shared: &Arc<T>, bytes: usize) -> (usize, usize) {
    (Arc::as_ptr(shared).cast::<()>() as usize, bytes)
}
