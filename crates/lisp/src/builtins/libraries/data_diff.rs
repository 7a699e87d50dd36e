//! `clojure.data/diff`: what is in one value, in another, and in both.

use super::zip_loc::call;
use crate::builtins::args::take;
use crate::builtins::equality::equal;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::host::{Body, Host, Result, too_deep};
use crate::seq::{Iter, realise};
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Map, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[Builtin::new(
    "clojure.data/diff",
    "a b",
    "What is in a alone, in b alone and in both: maps and sets by their keys, vectors and lists by index, nested.",
    &[
        ("(clojure.data/diff {:a 1 :b 2} {:a 1 :b 3})", "({:b 2} {:b 3} {:a 1})"),
        ("(clojure.data/diff #{1 2} #{2 3})", "[#{1} #{3} #{2}]"),
        ("(clojure.data/diff [1 2] [1 5 6])", "[[nil 2] [nil 5 6] [1]]"),
        ("(clojure.data/diff 1 2)", "[1 2 nil]"),
    ],
    &Body(|h, a| {
        let (x, y) = (take(a, 0), take(a, 1));
        Ok(diff(h, x, y, 0)?.value())
    }),
)];

/// Three parts, and whether they are a sequence, as Clojure gives of maps, or a vector.
struct Parts {
    parts: [Value; 3],
    seq: bool,
}

impl Parts {
    fn value(self) -> Value {
        let items = self.parts.into();
        if self.seq { Value::seq(items) } else { Value::vector(items) }
    }
}

fn vector(parts: [Value; 3]) -> Result<Parts> {
    Ok(Parts { parts, seq: false })
}

fn diff(h: &mut dyn Host, a: Value, b: Value, nested: u32) -> Result<Parts> {
    if nested > h.limits().data_depth {
        return Err(too_deep(h.limits()));
    }
    h.charge(4)?;
    h.reserve(256)?;
    if equal(h, &a, &b)? {
        return vector([Value::Nil, Value::Nil, a]);
    }
    match (a, b) {
        (Value::Map(a), Value::Map(b)) => {
            let charged = (a.len() + b.len()) as u64;
            h.charge(charged * 4)?;
            h.reserve(charged * 64)?;
            for k in b.keys() {
                realise(h, k)?;
                cost::key(h, k)?;
            }
            let keys: Vec<Value> = a.keys().chain(b.keys().filter(|k| a.get(k).is_none())).cloned().collect();
            let parts = on_deep_stack(|| by_key(h, keys, nested, |k| (a.get(k).cloned(), b.get(k).cloned())))?;
            Ok(Parts { parts: parts.map(|m| m.map_or(Value::Nil, Value::Map)), seq: true })
        }
        (Value::Set(a), Value::Set(b)) => {
            let (a, b) = (Value::Set(a), Value::Set(b));
            let some = |v: Value| if matches!(&v, Value::Set(s) if s.is_empty()) { Value::Nil } else { v };
            let left = some(call(h, "clojure.set/difference", [a.clone(), b.clone()])?);
            let right = some(call(h, "clojure.set/difference", [b.clone(), a.clone()])?);
            vector([left, right, some(call(h, "clojure.set/intersection", [a, b])?)])
        }
        (a, b) if a.is_sequential() && b.is_sequential() => {
            let (a, b) = (Iter::new(a)?.collect(h)?, Iter::new(b)?.collect(h)?);
            let n = a.len().max(b.len());
            h.charge(n as u64 * 4)?;
            h.reserve(n as u64 * 128)?;
            let keys = (0..n).map(|i| Value::int(i as i64)).collect();
            let at = |k: &Value| match k {
                Value::Int(i) => {
                    usize::try_from(i.get()).map_or((None, None), |i| (a.get(i).cloned(), b.get(i).cloned()))
                }
                _ => (None, None),
            };
            let parts = on_deep_stack(|| by_key(h, keys, nested, at))?;
            let [x, y, z] = parts;
            vector([by_index(h, x)?, by_index(h, y)?, by_index(h, z)?])
        }
        (a, b) => vector([a, b, Value::Nil]),
    }
}

/// The differences under each key; `at` gives what is there on both sides.
fn by_key(
    h: &mut dyn Host,
    keys: Vec<Value>,
    nested: u32,
    at: impl Fn(&Value) -> (Option<Value>, Option<Value>),
) -> Result<[Option<Map>; 3]> {
    let mut out = [None, None, None];
    for k in keys {
        realise(h, &k)?;
        cost::key(h, &k)?;
        let (a, b) = at(&k);
        let (in_a, in_b) = (a.is_some(), b.is_some());
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        let both_nil = a.is_nil() && b.is_nil();
        let [only_a, only_b, both] = diff(h, a, b, nested + 1)?.parts;
        let same = in_a && in_b && (!both.is_nil() || both_nil);
        let mut put = |i: usize, there: bool, v: Value| {
            if let Some(slot) = out.get_mut(i).filter(|_| there) {
                slot.get_or_insert_with(Map::new).insert(k.clone(), v);
            }
        };
        put(0, in_a && (!only_a.is_nil() || !same), only_a);
        put(1, in_b && (!only_b.is_nil() || !same), only_b);
        put(2, same, both);
    }
    Ok(out)
}

/// A vector of values by their indexes, nil where there is none.
fn by_index(h: &mut dyn Host, found: Option<Map>) -> Result {
    let Some(found) = found else { return Ok(Value::Nil) };
    let index = |k: &Value| if let Value::Int(i) = k { usize::try_from(i.get()).ok() } else { None };
    let n = found.keys().filter_map(index).max().map_or(0, |i| i + 1);
    h.charge(n as u64)?;
    h.reserve(n as u64 * 16)?;
    let mut items = vec![Value::Nil; n];
    for (k, v) in found.iter() {
        if let Some(slot) = index(k).and_then(|i| items.get_mut(i)) {
            *slot = v.clone();
        }
    }
    Ok(Value::vector(items))
}
