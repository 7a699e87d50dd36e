//! The metadata that values carry.

use super::{SeqKind, Value};

/// The metadata of a value.
pub fn meta_of(v: &Value) -> Option<Value> {
    match v {
        Value::Vector(v) => v.meta().cloned(),
        Value::Map(m) => m.meta().cloned(),
        Value::Set(s) => s.meta().cloned(),
        // A sequence over a vector is not the vector: only what was given to the list itself counts.
        Value::Slice(s) if s.kind != SeqKind::Seq && s.base().1 == 0 => s.base().0.meta().cloned(),
        Value::Cons(c) => c.meta().cloned(),
        Value::Function(f) => f.meta().cloned(),
        Value::Symbol(s) => s.meta().cloned(),
        Value::Object(o) => Some(o.meta.clone()).filter(|m| !m.is_nil()),
        _ => None,
    }
}
