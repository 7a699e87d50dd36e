//! `clojure.walk`: a function at every place of nested data. Depth is that of the data, which is bounded.

use crate::builtins::args::{get, take};
use crate::builtins::collections::sorted_by;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::host::{Body, Host, Result};
use crate::seq::realise;
use crate::value::compare::RealizedIter;
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Map, SeqKind, Slice, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.walk/postwalk",
        "f form",
        "Calls f on every part of the data, inner parts first, and puts what it gives in their place.",
        &[("(walk/postwalk #(if (number? %) (inc %) %) [1 {:a 2}])", "[2 {:a 3}]")],
        &Body(postwalk),
    ),
    Builtin::new(
        "clojure.walk/prewalk",
        "f form",
        "Calls f on every part of the data, outer parts first, and goes on inside what it gives.",
        &[("(walk/prewalk #(if (number? %) (inc %) %) [1 {:a 2}])", "[2 {:a 3}]")],
        &Body(prewalk),
    ),
    Builtin::new(
        "clojure.walk/walk",
        "inner outer form",
        "Calls inner on each item of the data, then outer on the whole.",
        &[("(walk/walk inc #(apply + %) [1 2 3])", "9")],
        &Body(walk),
    ),
    Builtin::new(
        "clojure.walk/keywordize-keys",
        "m",
        "All string keys, at any depth, as keywords.",
        &[("(walk/keywordize-keys {\"a\" [{\"b\" 1}]})", "{:a [{:b 1}]}")],
        &Body(|h, a| keys(h, a, true)),
    ),
    Builtin::new(
        "clojure.walk/stringify-keys",
        "m",
        "All keyword keys, at any depth, as strings.",
        &[("(walk/stringify-keys {:a {:b :c}})", "{\"a\" {\"b\" :c}}")],
        &Body(|h, a| keys(h, a, false)),
    ),
    Builtin::new(
        "clojure.walk/postwalk-replace",
        "smap form",
        "Replaces the parts that are keys of smap, inner parts first.",
        &[("(walk/postwalk-replace {:a 1} [:a [:b]])", "[1 [:b]]")],
        &Body(|h, a| replace(h, a, true)),
    ),
    Builtin::new(
        "clojure.walk/prewalk-replace",
        "smap form",
        "Replaces the parts that are keys of smap, outer parts first.",
        &[("(walk/prewalk-replace {:a [:b] :b 2} [:a])", "[[2]]")],
        &Body(|h, a| replace(h, a, false)),
    ),
];

type Step<'s> = &'s mut dyn FnMut(&mut dyn Host, Value) -> Result;

/// The same kind of collection with `f` at each item; anything else as it is.
fn each(h: &mut dyn Host, v: Value, f: Step<'_>) -> Result {
    match v {
        Value::Vector(x) if x.is_entry() => {
            let mut items = mapped(h, x.iter().cloned().collect(), f)?.into_iter();
            Ok(Value::Vector(Vector::entry(items.next().unwrap_or_default(), items.next().unwrap_or_default())))
        }
        Value::Vector(x) => {
            let meta = x.meta().cloned();
            h.reserve(x.len() as u64 * 16)?;
            let items = mapped(h, x.into_vec(), f)?;
            let v = Vector::from_vec(items);
            Ok(Value::Vector(if meta.is_some() { v.with_meta(meta) } else { v }))
        }
        Value::Map(m) => {
            h.charge(m.len() as u64 * 4)?;
            h.reserve(m.len() as u64 * 64)?;
            // A record stays one: each entry is put where it is.
            let mut out = if m.record_type().is_some() { m.clone() } else { m.emptied() };
            for (k, v) in m.iter() {
                let entry = f(h, Value::Vector(Vector::entry(k.clone(), v.clone())))?;
                out = match crate::builtins::collections::common::conj_one(h, Value::Map(out), entry)? {
                    Value::Map(m) => m,
                    _ => Map::new(),
                };
            }
            Ok(Value::Map(match m.meta() {
                Some(meta) => out.with_meta(Some(meta.clone())),
                None => out,
            }))
        }
        Value::Set(s) => {
            let mut out = s.emptied().with_meta(s.meta().cloned());
            for x in s.iter() {
                h.charge(4)?;
                let x = f(h, x.clone())?;
                sorted_by::add(h, &mut out, x)?;
            }
            Ok(Value::Set(match s.meta() {
                Some(meta) => out.with_meta(Some(meta.clone())),
                None => out,
            }))
        }
        Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            realise(h, &v)?;
            let list = crate::value::compare::is_list(&v);
            let items: Vec<Value> = match v {
                Value::Slice(s) => s.into_vec(),
                other => RealizedIter::new(&other).collect(),
            };
            h.reserve(items.len() as u64 * 16)?;
            let vector = Vector::from_vec(mapped(h, items, f)?);
            Ok(Value::Slice(Slice::new(vector, 0, if list { SeqKind::List } else { SeqKind::Seq })))
        }
        other => Ok(other),
    }
}

fn mapped(h: &mut dyn Host, mut items: Vec<Value>, f: Step<'_>) -> Result<Vec<Value>> {
    h.charge(4 + items.len() as u64 * 3)?;
    for v in &mut items {
        let old = std::mem::take(v);
        *v = f(h, old)?;
    }
    Ok(items)
}

/// Inner parts first.
fn post(h: &mut dyn Host, v: Value, f: Step<'_>) -> Result {
    let v = on_deep_stack(|| each(h, v, &mut |h, x| post(h, x, f)))?;
    f(h, v)
}

/// Outer parts first. What `f` gives is walked in turn, so it may nest for ever: `depth` bounds that.
fn pre(h: &mut dyn Host, v: Value, depth: u32, f: Step<'_>) -> Result {
    if depth > h.limits().data_depth {
        return Err(crate::host::too_deep(h.limits()));
    }
    let v = f(h, v)?;
    on_deep_stack(|| each(h, v, &mut |h, x| pre(h, x, depth + 1, f)))
}

fn postwalk(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (f, v) = (take(a, 0), take(a, 1));
    post(h, v, &mut |h, x| h.call1(&f, x))
}

fn prewalk(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (f, v) = (take(a, 0), take(a, 1));
    pre(h, v, 0, &mut |h, x| h.call1(&f, x))
}

fn walk(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (inner, outer, v) = (take(a, 0), take(a, 1), take(a, 2));
    let v = each(h, v, &mut |h, x| h.call1(&inner, x))?;
    h.call1(&outer, v)
}

fn keys(h: &mut dyn Host, a: &mut [Value], keywords: bool) -> Result {
    let v = take(a, 0);
    post(h, v, &mut |h, x| {
        let Value::Map(m) = x else { return Ok(x) };
        h.charge(m.len() as u64 * 4)?;
        m.keys().try_for_each(|k| crate::cost::wide_key(h, k))?;
        let renamed = m.iter().map(|(k, v)| {
            let k = match k {
                Value::Str(s) if keywords => Value::keyword(s.as_str()),
                Value::Keyword(k) if !keywords => Value::str(k.name()),
                other => other.clone(),
            };
            (k, v.clone())
        });
        Ok(Value::Map(Map::from_entries(renamed)))
    })
}

fn replace(h: &mut dyn Host, a: &mut [Value], inner_first: bool) -> Result {
    let v = take(a, 1);
    let smap = match get(a, 0) {
        Value::Map(m) => m.clone(),
        Value::Nil => Map::new(),
        other => return Err(crate::host::Interrupt::argument(0, "a map", other)),
    };
    let f: Step<'_> = &mut |h, x| {
        cost::key(h, &x)?;
        Ok(smap.get(&x).cloned().unwrap_or(x))
    };
    if inner_first { post(h, v, f) } else { pre(h, v, 0, f) }
}
