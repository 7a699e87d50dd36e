//! Stretches of `TreeMap` and `TreeSet`: `headMap`, `tailSet` and their kin, and both in the opposite order. They have what was
//! there when they were asked for, and do not change.

use super::held::{new, reversed, sorted_key};
use crate::builtins::args::get;
use crate::builtins::collections::sorted_by;
use crate::builtins::java::natural::natural;
use crate::builtins::sequences::compared::compared_by;
use crate::builtins::sequences::seq_source;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::boxed::{CellId, Place};
use crate::value::{Map, Set, Value};
use std::cmp::Ordering;

/// What such a method gives; `None` where it is none of them.
pub(super) fn of_sorted(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    let held = h.cell_get(id);
    let (map, set) = match &held {
        Value::Map(m) if m.is_sorted() => (m.clone(), false),
        Value::Set(s) if s.is_sorted() => (s.as_map().clone(), true),
        _ => return Ok(None),
    };
    if method == "comparator" && a.len() == 1 {
        return Ok(Some(map.comparator().cloned().unwrap_or_default()));
    }
    let bare = if set { method.strip_suffix("Set") } else { method.strip_suffix("Map") };
    let flag = |i: usize, otherwise: bool| if i < a.len() { get(a, i).truthy() } else { otherwise };
    let (from, to) = match (method, bare, a.len()) {
        (_, Some("descending"), 1) => return turned(h, &map, &held, set).map(Some),
        ("descendingKeySet", _, 1) if !set => {
            let keys = keys(h, &map)?;
            return turned(h, keys.as_map(), &Value::Set(keys.clone()), true).map(Some);
        }
        ("navigableKeySet", _, 1) if !set => {
            let keys = keys(h, &map)?;
            return new(h, Place::TreeSetPart, Value::Set(keys)).map(Some);
        }
        (_, Some("head"), 2 | 3) => (None, Some((get(a, 1).clone(), flag(2, false)))),
        (_, Some("tail"), 2 | 3) => (Some((get(a, 1).clone(), flag(2, true))), None),
        (_, Some("sub"), 3) => (Some((get(a, 1).clone(), true)), Some((get(a, 2).clone(), false))),
        (_, Some("sub"), 5) => (Some((get(a, 1).clone(), flag(2, true))), Some((get(a, 3).clone(), flag(4, false)))),
        _ => return Ok(None),
    };
    if let (Some((from, _)), Some((to, _))) = (&from, &to)
        && compared(h, &map, from, to)? == Ordering::Greater
    {
        return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, "fromKey > toKey"));
    }
    let mut args = vec![held];
    for (end, strict, loose) in [(from, ">", ">="), (to, "<", "<=")] {
        if let Some((key, with)) = end {
            sorted_key(&map, &key)?;
            args.push(seq_source::core(h, if with { loose } else { strict })?);
            args.push(key);
        }
    }
    let walk = seq_source::core(h, "subseq")?;
    let found = h.call(&walk, &mut args)?;
    let mut found = Iter::new(found)?;
    let (mut out, mut members) = (map.emptied(), if set { empty_set(&map) } else { Set::new() });
    while let Some(v) = found.next(h)? {
        h.charge(4)?;
        h.reserve(96)?;
        match v.as_entry() {
            Some((k, v)) if !set => sorted_by::insert(h, &mut out, k, v)?,
            _ => sorted_by::add(h, &mut members, v)?,
        }
    }
    Ok(Some(if set {
        new(h, Place::TreeSetPart, Value::Set(members))?
    } else {
        new(h, Place::TreeMapPart, Value::Map(out))?
    }))
}

fn compared(h: &mut dyn Host, m: &Map, a: &Value, b: &Value) -> Result<Ordering> {
    if let Some(f) = m.comparator() {
        return compared_by(h, f, a, b);
    }
    natural(h, a, b)
}

/// An empty set in the order of a map.
fn empty_set(map: &Map) -> Set {
    map.comparator().cloned().map_or_else(Set::sorted, Set::ranked)
}

/// The keys of a sorted map, in its order.
pub(super) fn keys(h: &mut dyn Host, map: &Map) -> Result<Set> {
    h.charge(map.len() as u64 * 4)?;
    h.reserve(map.len() as u64 * 96)?;
    let mut keys = empty_set(map);
    for k in map.keys() {
        sorted_by::add(h, &mut keys, k.clone())?;
    }
    Ok(keys)
}

/// The same items in the opposite order.
fn turned(h: &mut dyn Host, map: &Map, held: &Value, set: bool) -> Result {
    let f = match map.comparator() {
        Some(f) => f.clone(),
        None => seq_source::core(h, "compare")?,
    };
    let order = reversed(h, f)?;
    let (mut out, mut members) = (Map::ranked(order.clone()), Set::ranked(order));
    // From the last on, so that each comes behind those that are there.
    let mut all = seq_source::items(h, &mut [held.clone()], 0)?;
    while let Some(v) = all.pop() {
        h.charge(4)?;
        h.reserve(96)?;
        match v.as_entry() {
            Some((k, v)) if !set => sorted_by::insert(h, &mut out, k, v)?,
            _ => sorted_by::add(h, &mut members, v)?,
        }
    }
    if set { new(h, Place::TreeSetPart, Value::Set(members)) } else { new(h, Place::TreeMapPart, Value::Map(out)) }
}

/// The error of a change where a part would have to change what it is of.
///
/// # Errors
/// That one, for parts.
pub(super) fn changes(id: CellId, method: &str) -> Result<()> {
    if !matches!(id.place(), Place::TreeMapPart | Place::TreeSetPart) {
        return Ok(());
    }
    let words = format!("{} does not change here, and .{method} would change what it is of", id.place().kind());
    Err(Interrupt::error(ErrorKind::Denied, words).hint(
        "change the TreeMap or TreeSet itself; (java.util.TreeMap. part) and (java.util.TreeSet. part) are copies",
    ))
}
