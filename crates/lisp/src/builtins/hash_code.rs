//! `.hashCode` with Java's numbers, which differ from those of `hash` for names, texts and collections.

use super::args::get;
use super::hash::{folded, hash_of, java_big, java_text};
use super::types::own_methods::own_hash;
use crate::cost;
use crate::host::{Host, Interrupt, Result};
use crate::java_values::plain;
use crate::seq::realise;
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::{Value, Width};
use num_traits::ToPrimitive;

/// `(.hashCode x)`
pub fn hash_code(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        Value::Nil => Err(Interrupt::argument(0, "a value", &Value::Nil)),
        v => Ok(Value::int(i64::from(of(h, v)?))),
    }
}

/// Java's code of a value; 0 of nil.
///
/// # Errors
/// What its own `hashCode` throws, and limits.
pub fn of(h: &mut dyn Host, v: &Value) -> Result<i32> {
    if let Some(Value::Int(own)) = own_hash(h, v)? {
        return Ok(own.get() as i32);
    }
    realise(h, v)?;
    let v = plain(h, v.clone())?;
    cost::levels(h, &v, 4)?;
    cost::walk(h, &v)?;
    if let Value::Str(s) = &v {
        h.charge(s.as_str().len() as u64 / 32)?;
    }
    Ok(code(&v))
}

fn list<'a>(items: impl Iterator<Item = &'a Value>) -> i32 {
    on_deep_stack(|| items.fold(1i32, |sum, v| sum.wrapping_mul(31).wrapping_add(code(v))))
}

fn code(v: &Value) -> i32 {
    match v {
        Value::Nil => 0,
        Value::Str(s) => java_text(s.as_str()),
        Value::Int(n) if n.width() != Width::W64 => n.get() as i32,
        Value::Int(n) => folded(n.get() as u64),
        Value::Big(b) if b.is_java() => java_big(b),
        Value::Big(b) => b.to_i64().map_or_else(|| java_big(b), |n| folded(n as u64)),
        Value::Float(f) if f.width() == Width::W32 => (f.get() as f32).to_bits().cast_signed(),
        Value::Float(f) => folded(f.get().to_bits()),
        Value::Decimal(d) => java_big(&d.unscaled).wrapping_mul(31).wrapping_add(d.scale),
        Value::Symbol(s) => name(s.ns(), s.name()),
        Value::Keyword(k) => name(k.ns(), k.name()).wrapping_add(0x9e37_79b9_u32 as i32),
        Value::Vector(x) => list(x.iter()),
        Value::Slice(x) => list(x.iter()),
        Value::Cons(_) | Value::Lazy(_) => {
            on_deep_stack(|| RealizedIter::new(v).fold(1i32, |sum, v| sum.wrapping_mul(31).wrapping_add(code(&v))))
        }
        Value::Set(s) => on_deep_stack(|| s.iter_unordered().fold(0i32, |sum, v| sum.wrapping_add(code(v)))),
        Value::Map(m) => {
            on_deep_stack(|| m.iter_unordered().fold(0i32, |sum, (k, v)| sum.wrapping_add(code(k) ^ code(v))))
        }
        v => hash_of(v),
    }
}

fn name(ns: Option<&str>, name: &str) -> i32 {
    let (seed, ns) = (java_text(name), ns.map_or(0, java_text));
    let more = ns.wrapping_add(0x9e37_79b9_u32 as i32).wrapping_add(seed << 6).wrapping_add(seed >> 2);
    seed ^ more
}
