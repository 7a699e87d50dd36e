//! What registers of functions hold that only compute ([`super::pure`]), and what is done with it. `None` is for all that
//! needs more than a look: numbers of other kinds, keys that are not there, errors.

use super::numbers::holds;
use crate::bytecode::Cmp;
use crate::value::map::LastPlace;
use crate::value::{Float, Int, Value, Width, compare};
use std::mem::ManuallyDrop;

/// What a register holds: a plain value as itself, any other as it is lent.
#[derive(Clone, Copy)]
pub(super) enum Found<'a> {
    Nil,
    Bool(bool),
    Int(Int),
    Float(Float),
    Lent(&'a Value),
}

/// A number that needs no memory.
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

impl<'a> Found<'a> {
    #[inline(always)]
    pub const fn int(n: i64) -> Self {
        Found::Int(Int::new(n))
    }

    #[inline(always)]
    pub const fn float(x: f64) -> Self {
        Found::Float(Float::new(x))
    }

    /// What is lent; a plain value as itself.
    #[inline(always)]
    pub fn of(v: &'a Value) -> Self {
        match v {
            Value::Int(i) => Found::Int(*i),
            Value::Float(f) => Found::Float(*f),
            Value::Nil => Found::Nil,
            Value::Bool(b) => Found::Bool(*b),
            v => Found::Lent(v),
        }
    }

    /// A number of 64 bits.
    #[inline(always)]
    pub fn wide(self) -> Option<Number> {
        match self {
            Found::Int(i) if i.width() == Width::W64 => Some(Number::Int(i.get())),
            Found::Float(f) if f.width() == Width::W64 => Some(Number::Float(f.get())),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn number(self) -> Option<Number> {
        match self {
            Found::Int(i) => Some(Number::Int(i.get())),
            Found::Float(f) => Some(Number::Float(f.get())),
            _ => None,
        }
    }

    #[inline(always)]
    pub fn truthy(self) -> bool {
        !matches!(self, Found::Nil | Found::Bool(false))
    }

    #[inline(always)]
    pub fn is_nil(self) -> bool {
        matches!(self, Found::Nil)
    }

    #[inline(always)]
    pub fn into_value(self) -> Value {
        match self {
            Found::Nil => Value::Nil,
            Found::Bool(b) => Value::Bool(b),
            Found::Int(i) => Value::Int(i),
            Found::Float(f) => Value::Float(f),
            Found::Lent(v) => v.clone(),
        }
    }
}

/// What two numbers give, if they are plain and that is.
#[inline(always)]
pub(super) fn computed(
    x: Found<'_>,
    y: Found<'_>,
    ints: fn(i64, i64) -> Option<i64>,
    floats: impl Fn(f64, f64) -> f64,
) -> Option<Found<'static>> {
    Some(match (x.number()?, y.number()?) {
        (Number::Int(x), Number::Int(y)) => Found::int(ints(x, y)?),
        (Number::Float(x), Number::Float(y)) => Found::float(floats(x, y)),
        (Number::Float(x), Number::Int(y)) => Found::float(floats(x, y as f64)),
        (Number::Int(x), Number::Float(y)) => Found::float(floats(x as f64, y)),
    })
}

/// A comparison that needs nothing but its two values.
#[inline(always)]
pub(super) fn compared(kind: Cmp, x: Found<'_>, y: Found<'_>) -> Option<bool> {
    match (x.number(), y.number()) {
        (Some(Number::Int(x)), Some(Number::Int(y))) => Some(holds(kind, x, y)),
        (Some(Number::Float(x)), Some(Number::Float(y))) => Some(holds(kind, x, y)),
        (Some(Number::Float(x)), Some(Number::Int(y))) if kind.is_order() => Some(holds(kind, x, y as f64)),
        (Some(Number::Int(x)), Some(Number::Float(y))) if kind.is_order() => Some(holds(kind, x as f64, y)),
        _ if kind.is_order() => None,
        _ => same(x, y).map(|same| same == (kind == Cmp::Eq)),
    }
}

/// Whether two values are equal, where that is seen at once.
#[inline(never)]
fn same(x: Found<'_>, y: Found<'_>) -> Option<bool> {
    const SHORT: usize = 64;
    // Neither is counted here, so neither is let go of.
    let plain = |v: Found<'_>| match v {
        Found::Nil | Found::Lent(_) => ManuallyDrop::new(Value::Nil),
        Found::Bool(b) => ManuallyDrop::new(Value::Bool(b)),
        Found::Int(i) => ManuallyDrop::new(Value::Int(i)),
        Found::Float(f) => ManuallyDrop::new(Value::Float(f)),
    };
    let (own_x, own_y) = (plain(x), plain(y));
    let x = if let Found::Lent(v) = x { v } else { &*own_x };
    let y = if let Found::Lent(v) = y { v } else { &*own_y };
    match (x, y) {
        (Value::Str(x), Value::Str(y)) if x.as_str().len().min(y.as_str().len()) >= SHORT => None,
        // What it costs is told by the call.
        (Value::Decimal(_) | Value::Ratio(_), _) | (_, Value::Decimal(_) | Value::Ratio(_)) => None,
        _ if x.holds_nothing() && y.holds_nothing() => Some(compare::equal(x, y)),
        _ => None,
    }
}

/// The value at a key of a map, and what finding it costs besides.
#[inline(always)]
pub(super) fn looked_up<'a>(v: Found<'a>, key: &Value, last: &mut LastPlace) -> Option<(Found<'a>, u64)> {
    let Found::Lent(Value::Map(m)) = v else { return v.is_nil().then_some((Found::Nil, 0)) };
    let (found, len) = match m.field_again(key, last) {
        Some(found) => found,
        None if m.is_sorted() => return None,
        None => (m.get(key)?, m.len()),
    };
    let more = if len > 8 { len.min(32) as u64 / 8 } else { 0 };
    Some((Found::of(found), more))
}
