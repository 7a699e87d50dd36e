//! `clojure.set`: algebra of sets, and relations, which are sets of maps (trap 18).

use super::sorted_by;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::metadata::meta_of;
use crate::value::{Builtin, Map, Set, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "clojure.set/union",
        "& sets",
        "A set of all members.",
        &[("(set/union #{1 2} #{2 3})", "#{1 2 3}"), ("(set/union nil nil)", "nil")],
        &Body(union),
    ),
    Builtin::new(
        "clojure.set/intersection",
        "s1 | s1 & sets",
        "A set of the members that are in all.",
        &[("(set/intersection #{1 2} #{2 3})", "#{2}"), ("(set/intersection #{1} nil)", "nil")],
        &Body(intersection),
    ),
    Builtin::new(
        "clojure.set/difference",
        "s1 | s1 & sets",
        "The first set without the members of the others.",
        &[("(set/difference #{1 2 3} #{2} #{3})", "#{1}"), ("(set/difference nil #{1})", "nil")],
        &Body(difference),
    ),
    Builtin::new(
        "clojure.set/subset?",
        "set1 set2",
        "Whether all members of set1 are in set2.",
        &[("(set/subset? #{1} #{1 2})", "true")],
        &Body(|h, a| Ok(Value::Bool(within(h, a, 0, 1)?))),
    ),
    Builtin::new(
        "clojure.set/superset?",
        "set1 set2",
        "Whether all members of set2 are in set1.",
        &[("(set/superset? #{1 2} #{1})", "true")],
        &Body(|h, a| Ok(Value::Bool(within(h, a, 1, 0)?))),
    ),
    Builtin::new(
        "clojure.set/select",
        "pred xset",
        "A set of the members for which pred holds.",
        &[("(set/select odd? #{1 2 3})", "#{1 3}")],
        &Body(select),
    ),
    Builtin::new(
        "clojure.set/project",
        "xrel ks",
        "The maps with only these keys, as a set.",
        &[("(set/project #{{:a 1 :b 2}} [:a])", "#{{:a 1}}")],
        &Body(project),
    ),
    Builtin::new(
        "clojure.set/rename-keys",
        "map kmap",
        "The map with keys renamed from the keys to the values of kmap.",
        &[("(set/rename-keys {:a 1 :b 2} {:a :x})", "{:b 2, :x 1}")],
        &Body(rename_keys),
    ),
    Builtin::new(
        "clojure.set/rename",
        "xrel kmap",
        "The maps with keys renamed from the keys to the values of kmap, as a set.",
        &[("(set/rename #{{:a 1}} {:a :x})", "#{{:x 1}}")],
        &Body(rename),
    ),
    Builtin::new(
        "clojure.set/map-invert",
        "m",
        "The map from values to keys.",
        &[("(set/map-invert {:a 1 :b 2})", "{1 :a, 2 :b}")],
        &Body(map_invert),
    ),
    Builtin::new(
        "clojure.set/index",
        "xrel ks",
        "A map from the values of these keys to the set of maps that have them.",
        &[("(set/index #{{:k 1 :v 2}} [:k])", "{{:k 1} #{{:k 1, :v 2}}}")],
        &Body(index),
    ),
    Builtin::new(
        "clojure.set/join",
        "xrel yrel | xrel yrel km",
        "All pairs of maps that agree in their common keys, or in those that km pairs, each pair merged.",
        &[("(set/join #{{:id 1 :n \"x\"}} #{{:id 1 :m \"y\"}})", "#{{:id 1, :n \"x\", :m \"y\"}}")],
        &Body(join),
    ),
];

/// Adds every member of `more`, which may be any collection, as Clojure has it.
fn add_all(h: &mut dyn Host, mut s: Set, more: Value) -> Result<Set> {
    let mut items = Iter::new(more)?;
    while let Some(x) = items.next(h)? {
        h.charge(4)?;
        sorted_by::add(h, &mut s, x)?;
    }
    Ok(s)
}

/// What is no collection is none that can be counted, which Clojure says first.
#[cold]
fn no_set(i: usize, v: &Value) -> Interrupt {
    let words = if crate::seq::is_seqable(v) { "a set" } else { "a set or another collection" };
    Interrupt::argument(i, words, v)
}

fn size(v: &Value) -> usize {
    match v {
        Value::Set(s) => s.len(),
        Value::Vector(v) => v.len(),
        Value::Map(m) => m.len(),
        _ => 0,
    }
}

fn union(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if a.is_empty() {
        return Ok(Value::Set(Set::new()));
    }
    if let Some((i, v)) = a.iter().enumerate().find(|(_, v)| a.len() > 1 && !crate::seq::is_seqable(v)) {
        return Err(no_set(i, v));
    }
    // The largest takes in the others, as in Clojure; of equals the last.
    let mut at = 0;
    if a.len() == 2 {
        at = usize::from(size(get(a, 0)) < size(get(a, 1)));
    } else {
        for i in 1..a.len() {
            if size(get(a, i)) >= size(get(a, at)) {
                at = i;
            }
        }
    }
    let meta = meta_of(get(a, at));
    // Order of the members by their first place is worth more to a reader: small sets start from the first.
    let total: usize = a.iter().map(size).sum();
    if total <= crate::value::map::SMALL_MAX && matches!(get(a, 0), Value::Set(_)) {
        at = 0;
    }
    let mut out = take(a, at);
    for v in a.iter_mut().map(std::mem::take) {
        out = match (out, v) {
            (out, Value::Nil) => out,
            (Value::Set(s), v) => Value::Set(add_all(h, s, v)?),
            // As `conj` of its members to nil.
            (Value::Nil, v) if size(&v) == 0 => Value::Nil,
            (Value::Nil, v) => v,
            (out, v) => {
                let mut items = Iter::new(v)?;
                let mut out = out;
                while let Some(x) = items.next(h)? {
                    h.charge(2)?;
                    out = super::common::conj_one(h, out, x)?;
                }
                out
            }
        };
    }
    Ok(match out {
        Value::Set(s) if s.meta().is_some() || meta.is_some() => Value::Set(s.with_meta(meta)),
        out => out,
    })
}

fn intersection(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut out = take(a, 0);
    for (i, other) in a.iter_mut().enumerate().skip(1) {
        let other = std::mem::take(other);
        // The smaller one is walked, the larger one asked, by `contains?`: so a vector counts by its indexes, as in Clojure.
        let (walked, asked) = if size(&other) < size(&out) { (other, out) } else { (out, other) };
        out = match walked {
            Value::Nil => Value::Nil,
            Value::Set(s) if matches!(asked, Value::Set(_) | Value::Map(_) | Value::Vector(_) | Value::Nil) => {
                h.charge(s.len() as u64 * 6)?;
                let mut kept = s.emptied().with_meta(s.meta().cloned());
                for x in s.iter() {
                    if super::lookup::has(h, &asked, x)? == Some(true) {
                        sorted_by::add(h, &mut kept, x.clone())?;
                    }
                }
                Value::Set(kept)
            }
            Value::Set(_) => return Err(no_set(i, &asked)),
            wrong => return Err(no_set(i, &wrong)),
        };
    }
    Ok(out)
}

fn difference(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let first = take(a, 0);
    let mut s = match first {
        Value::Set(s) => s,
        Value::Nil => return Ok(Value::Nil),
        other if a.len() == 1 => return Ok(other),
        other => return Err(no_set(0, &other)),
    };
    for (i, other) in a.iter_mut().enumerate().skip(1) {
        match std::mem::take(other) {
            Value::Nil => {}
            Value::Set(t) if t.len() > s.len() => {
                h.charge(s.len() as u64 * 6)?;
                let mut kept = s.emptied().with_meta(s.meta().cloned());
                for x in s.iter() {
                    if super::lookup::member(h, &t, x)?.is_none() {
                        sorted_by::add(h, &mut kept, x.clone())?;
                    }
                }
                s = kept;
            }
            v @ (Value::Set(_)
            | Value::Map(_)
            | Value::Vector(_)
            | Value::Slice(_)
            | Value::Cons(_)
            | Value::Lazy(_)) => {
                let mut items = Iter::new(v)?;
                while let Some(x) = items.next(h)? {
                    h.charge(4)?;
                    sorted_by::remove(h, s.as_map_mut(), &x)?;
                }
            }
            v => return Err(no_set(i, &v)),
        }
    }
    Ok(Value::Set(s))
}

fn within(h: &mut dyn Host, a: &mut [Value], inner: usize, outer: usize) -> Result<bool> {
    let empty = Set::new();
    let set = |i: usize| match get(a, i) {
        Value::Set(s) => Ok(s.clone()),
        Value::Nil => Ok(empty.clone()),
        other => Err(no_set(i, other)),
    };
    let (x, y) = (set(inner)?, set(outer)?);
    if x.len() > y.len() {
        return Ok(false);
    }
    h.charge(x.len() as u64 * 2)?;
    for v in x.iter() {
        if super::lookup::member(h, &y, v)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn select(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let pred = take(a, 0);
    let s = match take(a, 1) {
        Value::Set(s) => s,
        Value::Nil => return Ok(Value::Nil),
        other => return Err(Interrupt::argument(1, "a set", &other)),
    };
    let mut out = s.clone();
    for x in s.iter() {
        h.charge(2)?;
        if !h.call1(&pred, x.clone())?.truthy() {
            sorted_by::remove(h, out.as_map_mut(), x)?;
        }
    }
    Ok(Value::Set(out))
}

/// The maps of a relation.
fn rows(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result<Vec<Map>> {
    let mut items = Iter::arg(a, i)?;
    let mut out = Vec::new();
    while let Some(v) = items.next(h)? {
        h.charge(2)?;
        match v {
            Value::Map(m) => out.push(m),
            Value::Nil => out.push(Map::new()),
            other => return Err(Interrupt::argument(i, "a set of maps", &other)),
        }
    }
    Ok(out)
}

/// The entries of `m` at these keys, exact ones only.
fn picked(h: &mut dyn Host, m: &Map, ks: &[Value]) -> Result<Map> {
    let mut out = Map::new().with_meta(m.meta().cloned());
    for k in ks {
        h.charge(2)?;
        cost::key(h, k)?;
        if let Some(v) = super::lookup::exact(h, m, k)? {
            out.insert(k.clone(), v);
        }
    }
    Ok(out)
}

/// Puts a map, its size charged, among the members.
fn put(h: &mut dyn Host, s: &mut Set, m: Map) -> Result<()> {
    let v = Value::Map(m);
    cost::key(h, &v)?;
    s.insert(v);
    Ok(())
}

fn project(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let ks = Iter::arg(a, 1)?.collect(h)?;
    let mut out = Set::new().with_meta(meta_of(get(a, 0)));
    for m in rows(h, a, 0)? {
        let m = picked(h, &m, &ks)?;
        put(h, &mut out, m)?;
    }
    Ok(Value::Set(out))
}

fn kmap(a: &mut [Value], i: usize) -> Result<Map> {
    crate::builtins::args::map(a, i)
}

/// The renamed keys leave first, then come back under their new names, as in Clojure.
fn renamed(h: &mut dyn Host, mut m: Map, kmap: &Map) -> Result<Map> {
    let mut moved = Vec::new();
    for (old, new) in kmap.iter() {
        h.charge(4)?;
        cost::key(h, old)?;
        cost::key(h, new)?;
        if let Some(v) = super::lookup::exact(h, &m, old)? {
            moved.push((new.clone(), v));
        }
    }
    for old in kmap.keys() {
        sorted_by::remove(h, &mut m, old)?;
    }
    for (k, v) in moved {
        sorted_by::insert(h, &mut m, k, v)?;
    }
    Ok(m)
}

fn rename_keys(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let kmap = kmap(a, 1)?;
    match take(a, 0) {
        Value::Map(m) => Ok(Value::Map(renamed(h, m, &kmap)?)),
        Value::Nil => Ok(Value::Nil),
        other => Err(Interrupt::argument(0, "a map", &other)),
    }
}

fn rename(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let kmap = kmap(a, 1)?;
    let mut out = Set::new().with_meta(meta_of(get(a, 0)));
    for m in rows(h, a, 0)? {
        let m = renamed(h, m, &kmap)?;
        put(h, &mut out, m)?;
    }
    Ok(Value::Set(out))
}

fn map_invert(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let m = crate::builtins::args::map(a, 0)?;
    let mut out = Map::new();
    for (k, v) in m.iter() {
        h.charge(4)?;
        cost::key(h, v)?;
        out.insert(v.clone(), k.clone());
    }
    Ok(Value::Map(out))
}

/// Maps from the values of `ks` to the rows that have them.
fn indexed(h: &mut dyn Host, rows: Vec<Map>, ks: &[Value]) -> Result<Map> {
    let mut out = Map::new();
    for m in rows {
        h.charge(20)?;
        let key = Value::Map(picked(h, &m, ks)?);
        cost::key(h, &key)?;
        let mut group = match out.take(&key) {
            Some(Value::Set(s)) => s,
            _ => Set::new(),
        };
        put(h, &mut group, m)?;
        out.insert(key, Value::Set(group));
    }
    Ok(out)
}

fn index(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let ks = Iter::arg(a, 1)?.collect(h)?;
    let rows = rows(h, a, 0)?;
    Ok(Value::Map(indexed(h, rows, &ks)?))
}

fn join(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let paired = a.len() > 2;
    let km = if paired { kmap(a, 2)? } else { Map::new() };
    let (xs, ys) = (rows(h, a, 0)?, rows(h, a, 1)?);
    let (Some(x), Some(y)) = (xs.first(), ys.first()) else { return Ok(Value::Set(Set::new())) };
    // Pairs of keys: of the first relation, of the second.
    let pairs: Vec<(Value, Value)> = if paired {
        km.iter().map(|(k, v)| (k.clone(), v.clone())).collect()
    } else {
        x.keys().filter(|k| y.get(k).is_some()).map(|k| (k.clone(), k.clone())).collect()
    };
    // The smaller relation is indexed; the other's rows merge into its rows, and win.
    let first_small = xs.len() <= ys.len();
    let (small, large) = if first_small { (xs, ys) } else { (ys, xs) };
    let side =
        |first: bool| -> Vec<Value> { pairs.iter().map(|(k, v)| if first { k.clone() } else { v.clone() }).collect() };
    let (small_keys, large_keys) = (side(first_small), side(!first_small));
    let groups = indexed(h, small, &small_keys)?;
    let mut out = Set::new();
    for m in large {
        let mut wanted = Map::new();
        for (sk, lk) in small_keys.iter().zip(&large_keys) {
            h.charge(4)?;
            if let Some(v) = m.get(lk) {
                wanted.insert(sk.clone(), v.clone());
            }
        }
        let wanted = Value::Map(wanted);
        cost::key(h, &wanted)?;
        let Some(Value::Set(group)) = groups.get(&wanted) else { continue };
        for g in group.iter() {
            let Value::Map(g) = g else { continue };
            h.charge(g.len() as u64 * 4 + 4)?;
            h.reserve(g.len() as u64 * 48 + m.len() as u64 * 48)?;
            let mut both = g.clone();
            both.extend(m.iter().map(|(k, v)| (k.clone(), v.clone())));
            put(h, &mut out, both)?;
        }
    }
    Ok(Value::Set(out))
}
