//! Collections sorted by a comparator of the program: the comparator finds a key's place by binary search. What
//! it answers is believed, so one that contradicts itself makes odd orders and nothing worse.

use crate::builtins::sequences::compared::compared_by;
use crate::builtins::sequences::group::incomparable;
use crate::cost;
use crate::host::{Host, Result};
use crate::value::compare::compare;
use crate::value::map::SMALL_MAX;
use crate::value::{Map, Set, Value};
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// The place of a key, or where it belongs.
enum Place {
    At(usize),
    Before(usize),
}

/// Entries that are moved for one unit of fuel.
const MOVED: u64 = 4;

fn place(h: &mut dyn Host, m: &Map, comparator: &Value, key: &Value) -> Result<Place> {
    let (mut low, mut high) = (0, m.len());
    while low < high {
        h.charge(2)?;
        let middle = low + (high - low) / 2;
        let Some((k, _)) = m.entry_at(middle) else { break };
        match compared_by(h, comparator, key, k)? {
            Ordering::Equal => return Ok(Place::At(middle)),
            Ordering::Less => high = middle,
            Ordering::Greater => low = middle + 1,
        }
    }
    Ok(Place::Before(low))
}

/// Charges the change of an array at a place: of what is behind it, or of all when the array is shared.
fn charge(h: &mut dyn Host, m: &mut Map, place: usize) -> Result<()> {
    let len = m.len() as u64;
    if m.is_unique() {
        h.charge((len - place as u64) / MOVED)?;
        // Arrays double when they are full.
        return if len.is_power_of_two() { h.reserve(len * 32) } else { Ok(()) };
    }
    h.charge(len / MOVED * 2)?;
    h.reserve(len * 32)
}

/// The entry of a sorted map whose key its order calls equal.
pub fn find(h: &mut dyn Host, m: &Map, key: &Value) -> Result<Option<(Value, Value)>> {
    let Some(comparator) = m.comparator() else {
        let twin = natural(m, key)?;
        let key = twin.as_ref().unwrap_or(key);
        return Ok(m.entry(key).map(|(k, v)| (k.clone(), v.clone())));
    };
    Ok(match place(h, m, comparator, key)? {
        Place::At(i) => m.entry_at(i).map(|(k, v)| (k.clone(), v.clone())),
        Place::Before(_) => None,
    })
}

/// Charges the tree that a small map becomes with one entry more than it has room for: all its keys are compared.
fn full(h: &mut dyn Host, m: &Map) -> Result<()> {
    if m.is_hashed() || m.len() != SMALL_MAX || !m.is_small() {
        return Ok(());
    }
    m.keys().try_for_each(|k| cost::wide_key(h, k))
}

/// Readies a key for a change of what is there: charged, and of a collection with a comparator the key that is
/// there for it.
pub fn ready(h: &mut dyn Host, m: &Map, key: Value) -> Result {
    cost::key(h, &key)?;
    full(h, m)?;
    if !m.is_sorted() {
        return Ok(key);
    }
    if m.comparator().is_some() {
        // It is then looked for among all.
        h.charge(m.len() as u64 / MOVED)?;
    }
    Ok(find(h, m, &key)?.map_or(key, |e| e.0))
}

/// Binds a key in a map, where its order says. The key is charged already.
pub fn insert(h: &mut dyn Host, m: &mut Map, key: Value, val: Value) -> Result<()> {
    cost::key(h, &key)?;
    full(h, m)?;
    let Some(comparator) = m.comparator().cloned() else {
        h.charge(2)?;
        let twin = if m.is_sorted() { natural(m, &key)? } else { None };
        m.insert(twin.unwrap_or(key), val);
        return Ok(());
    };
    match place(h, m, &comparator, &key)? {
        Place::At(i) => {
            charge(h, m, m.len())?;
            m.set_at(i, val);
        }
        Place::Before(i) => {
            charge(h, m, i)?;
            m.insert_at(i, key, val);
        }
    }
    Ok(())
}

/// Adds a member to a set, where its order says. The member is charged already.
pub fn add(h: &mut dyn Host, s: &mut Set, item: Value) -> Result<()> {
    cost::key(h, &item)?;
    full(h, s.as_map())?;
    if !s.is_sorted() {
        s.insert(item);
        return Ok(());
    }
    h.charge(u64::from((s.len() + 1).ilog2()))?;
    // A member that is there stays as it is.
    if find(h, s.as_map(), &item)?.is_some() { Ok(()) } else { insert(h, s.as_map_mut(), item, Value::Nil) }
}

/// The key that stands for `key` in a map in natural order, if it is another: numbers of two kinds may compare as equal
/// (trap 1). What cannot be compared with the keys that are there cannot be among them (trap 12).
fn natural(m: &Map, key: &Value) -> Result<Option<Value>> {
    let first = m.keys().next().unwrap_or(key);
    if compare(first, key).is_none() {
        return Err(incomparable("compare", first, key));
    }
    if !crate::number::is_number(key) || m.get(key).is_some() {
        return Ok(None);
    }
    let twin = match key {
        Value::Int(i) => Some(Value::float(i.get() as f64)),
        Value::Float(f) if f.get().fract() == 0.0 && f.get().abs() < 9e15 => Some(Value::int(f.get() as i64)),
        // Doubles that equal a ratio are halves, quarters and so on.
        Value::Float(f) if f.get().is_finite() && f.get().fract() != 0.0 => {
            num_rational::BigRational::from_float(f.get()).map(Value::ratio)
        }
        Value::Ratio(r) => r.to_f64().map(Value::float),
        _ => None,
    };
    Ok(twin.filter(|t| compare(t, key) == Some(0) && m.get(t).is_some()))
}

/// Takes a key and its value out of a map. The key is charged already.
pub fn remove(h: &mut dyn Host, m: &mut Map, key: &Value) -> Result<()> {
    cost::key(h, key)?;
    let Some(comparator) = m.comparator().cloned() else {
        let twin = if m.is_sorted() { natural(m, key)? } else { None };
        m.remove(twin.as_ref().unwrap_or(key));
        return Ok(());
    };
    if let Place::At(i) = place(h, m, &comparator, key)? {
        // The keys that stay are copied.
        h.charge(m.len() as u64 / MOVED * 2)?;
        h.reserve(m.len() as u64 * 32)?;
        m.remove_at(i);
    }
    Ok(())
}
