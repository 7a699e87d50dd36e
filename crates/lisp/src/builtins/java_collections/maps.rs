//! The methods of Java's maps and sets.

use super::held::{nothing_there, sorted_key, within_depth};
use super::parts;
use crate::builtins::args::{get, take};
use crate::builtins::collections::{lookup, sorted_by};
use crate::builtins::java::equals::same;
use crate::builtins::sequences::seq_source;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Map, Set, Value, Vector};

fn some(v: Value) -> Result<Option<Value>> {
    Ok(Some(v))
}

fn map(h: &mut dyn Host, id: CellId) -> Map {
    match h.cell_get(id) {
        Value::Map(m) => m,
        _ => Map::new(),
    }
}

fn set(h: &mut dyn Host, id: CellId) -> Set {
    match h.cell_get(id) {
        Value::Set(s) => s,
        _ => Set::new(),
    }
}

/// Changes what is held where it is. After an error it is as it was.
fn change<R>(h: &mut dyn Host, id: CellId, f: impl FnOnce(&mut dyn Host, &mut Value) -> Result<R>) -> Result<R> {
    let mut held = h.cell_take(id);
    let result = f(h, &mut held);
    h.cell_set(id, held);
    result
}

/// Binds a key of a map, and gives what it had.
pub(super) fn put(h: &mut dyn Host, id: CellId, key: Value, val: Value) -> Result {
    within_depth(&key)?;
    within_depth(&val)?;
    parts::changes(id, "put")?;
    let m = map(h, id);
    sorted_key(&m, &key)?;
    cost::find(h, &Value::Map(m.clone()), &key)?;
    let before = lookup::exact(h, &m, &key)?;
    if m.is_empty() && m.is_sorted() {
        alone(h, &m, &key)?;
    }
    drop(m);
    h.charge(10)?;
    h.reserve(128)?;
    change(h, id, |h, held| match held {
        Value::Map(m) => sorted_by::insert(h, m, key, val),
        _ => Ok(()),
    })?;
    Ok(before.unwrap_or_default())
}

/// What does not compare is refused from the first key on.
fn alone(h: &mut dyn Host, m: &Map, key: &Value) -> Result<()> {
    if m.comparator().is_none() {
        crate::builtins::equality::compare(h, &mut [key.clone(), key.clone()])?;
    }
    Ok(())
}

/// Adds a member to a set; whether it was none.
pub(super) fn add(h: &mut dyn Host, id: CellId, v: Value) -> Result<bool> {
    within_depth(&v)?;
    parts::changes(id, "add")?;
    let s = set(h, id);
    sorted_key(s.as_map(), &v)?;
    cost::find(h, &Value::Set(s.clone()), &v)?;
    if lookup::member(h, &s, &v)?.is_some() {
        return Ok(false);
    }
    if s.is_empty() && s.is_sorted() {
        alone(h, s.as_map(), &v)?;
    }
    drop(s);
    h.charge(4)?;
    h.reserve(96)?;
    change(h, id, |h, held| match held {
        Value::Set(s) => sorted_by::add(h, s, v),
        _ => Ok(()),
    })?;
    Ok(true)
}

/// What a map of Java has at a key.
pub(super) fn value_at(h: &mut dyn Host, id: CellId, key: &Value) -> Result<Option<Value>> {
    let m = map(h, id);
    sorted_key(&m, key)?;
    cost::find(h, &Value::Map(m.clone()), key)?;
    lookup::exact(h, &m, key)
}

pub(super) fn without(h: &mut dyn Host, id: CellId, key: &Value) -> Result<()> {
    parts::changes(id, "remove")?;
    h.charge(4)?;
    change(h, id, |h, held| match held {
        Value::Map(m) => sorted_by::remove(h, m, key),
        Value::Set(s) => sorted_by::remove(h, s.as_map_mut(), key),
        _ => Ok(()),
    })
}

pub(super) fn of_map(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    match (method, a.len()) {
        ("put", 3) => put(h, id, take(a, 1), take(a, 2)).map(Some),
        ("putIfAbsent", 3) => {
            let m = map(h, id);
            cost::find(h, &Value::Map(m.clone()), get(a, 1))?;
            match lookup::exact(h, &m, get(a, 1))? {
                Some(v) if !v.is_nil() => some(v),
                _ => {
                    drop(m);
                    put(h, id, take(a, 1), take(a, 2))?;
                    some(Value::Nil)
                }
            }
        }
        ("get", 2) | ("getOrDefault", 3) => {
            let m = map(h, id);
            sorted_key(&m, get(a, 1))?;
            let m = Value::Map(m);
            cost::find(h, &m, get(a, 1))?;
            match lookup::find(h, &m, get(a, 1))? {
                Some(v) => some(v),
                None => some(take(a, 2)),
            }
        }
        ("containsKey", 2) => {
            let m = map(h, id);
            sorted_key(&m, get(a, 1))?;
            let m = Value::Map(m);
            cost::find(h, &m, get(a, 1))?;
            some(Value::Bool(lookup::has(h, &m, get(a, 1))?.unwrap_or(false)))
        }
        ("containsValue", 2) => {
            for (_, v) in map(h, id).iter() {
                h.charge(1)?;
                if same(h, v, get(a, 1))? {
                    return some(Value::Bool(true));
                }
            }
            some(Value::Bool(false))
        }
        ("remove", 2) => {
            let m = map(h, id);
            sorted_key(&m, get(a, 1))?;
            cost::find(h, &Value::Map(m.clone()), get(a, 1))?;
            let before = lookup::exact(h, &m, get(a, 1))?;
            drop(m);
            without(h, id, get(a, 1))?;
            some(before.unwrap_or_default())
        }
        ("remove", 3) => {
            let before = value_at(h, id, get(a, 1))?;
            let same = before.map(|v| same(h, &v, get(a, 2))).transpose()?.unwrap_or(false);
            if same {
                without(h, id, get(a, 1))?;
            }
            some(Value::Bool(same))
        }
        ("replace", 3) => match value_at(h, id, get(a, 1))? {
            Some(_) => put(h, id, take(a, 1), take(a, 2)).map(Some),
            None => some(Value::Nil),
        },
        ("replace", 4) => {
            let before = value_at(h, id, get(a, 1))?;
            let same = before.map(|v| same(h, &v, get(a, 2))).transpose()?.unwrap_or(false);
            if same {
                put(h, id, take(a, 1), take(a, 3))?;
            }
            some(Value::Bool(same))
        }
        ("putAll", 2) => {
            let from = match get(a, 1) {
                Value::Map(m) => m.clone(),
                v => match v.java() {
                    Some((from, _)) if matches!(h.cell_get(from), Value::Map(_)) => map(h, from),
                    _ => return Err(Interrupt::argument(1, "a map", v)),
                },
            };
            for (k, v) in from.iter() {
                put(h, id, k.clone(), v.clone())?;
            }
            some(Value::Nil)
        }
        ("keySet", 1) => {
            let m = map(h, id);
            if m.is_sorted() {
                return some(Value::Set(parts::keys(h, &m)?));
            }
            h.charge(m.len() as u64 * 4)?;
            h.reserve(m.len() as u64 * 64)?;
            m.keys().try_for_each(|k| cost::wide_key(h, k))?;
            some(Value::Set(Set::of_distinct(m.keys().cloned().collect())))
        }
        ("values", 1) => {
            let m = map(h, id);
            h.charge(m.len() as u64)?;
            h.reserve(m.len() as u64 * 16)?;
            some(Value::list(m.vals().cloned().collect()))
        }
        ("entrySet", 1) => some(Value::list(entries(h, id)?)),
        ("firstKey", 1) if map(h, id).is_sorted() => end(h, id, true, 0)?.ok_or_else(nothing_there).map(Some),
        ("lastKey", 1) if map(h, id).is_sorted() => end(h, id, false, 0)?.ok_or_else(nothing_there).map(Some),
        ("firstEntry", 1) if map(h, id).is_sorted() => some(entry(h, id, true)?.unwrap_or_default()),
        ("lastEntry", 1) if map(h, id).is_sorted() => some(entry(h, id, false)?.unwrap_or_default()),
        ("pollFirstEntry" | "pollLastEntry", 1) if map(h, id).is_sorted() => {
            let first = method == "pollFirstEntry";
            let (key, found) = (end(h, id, first, 0)?, entry(h, id, first)?);
            if let Some(key) = key {
                cost::key(h, &key)?;
                without(h, id, &key)?;
            }
            some(found.unwrap_or_default())
        }
        (near @ ("floorKey" | "ceilingKey" | "lowerKey" | "higherKey"), 2) if map(h, id).is_sorted() => {
            let found = beside(h, id, get(a, 1), near)?;
            some(found.and_then(|e| e.as_entry()).map(|e| e.0).unwrap_or_default())
        }
        (near @ ("floorEntry" | "ceilingEntry" | "lowerEntry" | "higherEntry"), 2) if map(h, id).is_sorted() => {
            some(beside(h, id, get(a, 1), near)?.unwrap_or_default())
        }
        // What `of_any` would look for in it as in a list.
        ("contains" | "containsAll", 2) => no_method(id, method),
        _ => parts::of_sorted(h, id, a, method),
    }
}

fn no_method(id: CellId, method: &str) -> Result<Option<Value>> {
    let words = format!("{} has no method .{method}", id.place().kind());
    Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words))
}

fn entries(h: &mut dyn Host, id: CellId) -> Result<Vec<Value>> {
    let m = map(h, id);
    h.charge(m.len() as u64 * 4)?;
    h.reserve(m.len() as u64 * 96)?;
    Ok(m.iter().map(|(k, v)| Value::Vector(Vector::entry(k.clone(), v.clone()))).collect())
}

/// The first or last key, or what is at it.
fn end(h: &mut dyn Host, id: CellId, first: bool, part: usize) -> Result<Option<Value>> {
    let m = match h.cell_get(id) {
        Value::Set(s) => s.as_map().clone(),
        Value::Map(m) => m,
        _ => return Ok(None),
    };
    h.charge(10)?;
    let at = if first { Some(0) } else { m.len().checked_sub(1) };
    if m.comparator().is_none() {
        h.charge(m.len() as u64 / 16)?;
    }
    let found = match m.comparator() {
        Some(_) => at.and_then(|at| m.entry_at(at).map(|(k, v)| (k.clone(), v.clone()))),
        None => at.and_then(|at| m.iter().nth(at).map(|(k, v)| (k.clone(), v.clone()))),
    };
    Ok(found.map(|(k, v)| if part == 0 { k } else { v }))
}

/// The item of what is sorted that is nearest to a key: at it or before it, at it or behind it, before it, behind it.
fn beside(h: &mut dyn Host, id: CellId, key: &Value, near: &str) -> Result<Option<Value>> {
    let held = h.cell_get(id);
    match &held {
        Value::Map(m) => sorted_key(m, key)?,
        Value::Set(s) => sorted_key(s.as_map(), key)?,
        _ => {}
    }
    let (walk, test) = match near {
        n if n.starts_with("floor") => ("rsubseq", "<="),
        n if n.starts_with("ceiling") => ("subseq", ">="),
        n if n.starts_with("lower") => ("rsubseq", "<"),
        _ => ("subseq", ">"),
    };
    let (walk, test) = (seq_source::core(h, walk)?, seq_source::core(h, test)?);
    let found = h.call(&walk, &mut [held, test, key.clone()])?;
    crate::seq::Iter::new(found)?.next(h)
}

fn entry(h: &mut dyn Host, id: CellId, first: bool) -> Result<Option<Value>> {
    let (key, val) = (end(h, id, first, 0)?, end(h, id, first, 1)?);
    h.reserve(64)?;
    Ok(key.map(|k| Value::Vector(Vector::entry(k, val.unwrap_or_default()))))
}

pub(super) fn of_set(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    match (method, a.len()) {
        ("add", 2) => some(Value::Bool(add(h, id, take(a, 1))?)),
        ("addAll", 2) => {
            let mut any = false;
            for v in seq_source::items(h, a, 1)? {
                any |= add(h, id, v)?;
            }
            some(Value::Bool(any))
        }
        ("contains", 2) => {
            let s = set(h, id);
            sorted_key(s.as_map(), get(a, 1))?;
            cost::find(h, &Value::Set(s.clone()), get(a, 1))?;
            some(Value::Bool(lookup::member(h, &s, get(a, 1))?.is_some()))
        }
        ("remove", 2) => {
            let s = set(h, id);
            sorted_key(s.as_map(), get(a, 1))?;
            cost::find(h, &Value::Set(s.clone()), get(a, 1))?;
            let there = lookup::member(h, &s, get(a, 1))?.is_some();
            drop(s);
            if there {
                without(h, id, get(a, 1))?;
            }
            some(Value::Bool(there))
        }
        ("removeAll" | "retainAll", 2) => {
            let keeps = method == "retainAll";
            let mut of = Set::new();
            for v in seq_source::items(h, a, 1)? {
                sorted_by::add(h, &mut of, v)?;
            }
            let all: Vec<Value> = set(h, id).iter().cloned().collect();
            h.charge(all.len() as u64 * 2)?;
            h.reserve(all.len() as u64 * 16)?;
            let mut changed = false;
            for v in all {
                cost::key(h, &v)?;
                if of.contains(&v) != keeps {
                    without(h, id, &v)?;
                    changed = true;
                }
            }
            some(Value::Bool(changed))
        }
        (near @ ("floor" | "ceiling" | "lower" | "higher"), 2) if set(h, id).is_sorted() => {
            some(beside(h, id, get(a, 1), near)?.unwrap_or_default())
        }
        ("first", 1) if set(h, id).is_sorted() => end(h, id, true, 0)?.ok_or_else(nothing_there).map(Some),
        ("last", 1) if set(h, id).is_sorted() => end(h, id, false, 0)?.ok_or_else(nothing_there).map(Some),
        ("pollFirst" | "pollLast", 1) if set(h, id).is_sorted() => {
            let found = end(h, id, method == "pollFirst", 0)?;
            if let Some(v) = &found {
                cost::key(h, v)?;
                without(h, id, v)?;
            }
            some(found.unwrap_or_default())
        }
        _ => parts::of_sorted(h, id, a, method),
    }
}
