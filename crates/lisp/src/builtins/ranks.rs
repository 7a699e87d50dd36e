//! Collections sorted by a comparator of the program: where a key stands is asked of the comparator, by halving. What
//! it answers is believed, so one that contradicts itself makes odd orders and nothing worse.

use super::cost;
use super::group::incomparable;
use super::sort::compared_by;
use crate::host::{Host, Result};
use crate::order::compare;
use crate::value::{Map, Set, Value};
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
        h.spend(2)?;
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

/// Pays for the change of an array at a place: of what stands behind it, or of all when the array is shared.
fn pay(h: &mut dyn Host, m: &mut Map, place: usize) -> Result<()> {
    let len = m.len() as u64;
    if m.is_unique() {
        h.spend((len - place as u64) / MOVED)?;
        // Arrays double when they are full.
        return if len.is_power_of_two() { h.room(len * 32) } else { Ok(()) };
    }
    h.spend(len / MOVED * 2)?;
    h.room(len * 32)
}

/// The entry whose key the comparator calls equal.
pub fn find(h: &mut dyn Host, m: &Map, comparator: &Value, key: &Value) -> Result<Option<(Value, Value)>> {
    Ok(match place(h, m, comparator, key)? {
        Place::At(i) => m.entry_at(i).map(|(k, v)| (k.clone(), v.clone())),
        Place::Before(_) => None,
    })
}

/// Readies a key for a change of what is there: paid for, and of a collection with a comparator the key that stands
/// there for it.
pub fn ready(h: &mut dyn Host, m: &Map, key: Value) -> Result {
    cost::key(h, &key)?;
    let Some(comparator) = m.comparator() else { return Ok(key) };
    // It is then looked for among all.
    h.spend(m.len() as u64 / MOVED)?;
    Ok(find(h, m, comparator, &key)?.map_or(key, |e| e.0))
}

/// Binds a key in a map, where its order says. The key is paid for.
pub fn insert(h: &mut dyn Host, m: &mut Map, key: Value, val: Value) -> Result<()> {
    cost::key(h, &key)?;
    let Some(comparator) = m.comparator().cloned() else {
        if m.is_sorted() {
            comparable(m, &key)?;
        }
        m.insert(key, val);
        return Ok(());
    };
    match place(h, m, &comparator, &key)? {
        Place::At(i) => {
            pay(h, m, m.len())?;
            m.set_at(i, val);
        }
        Place::Before(i) => {
            pay(h, m, i)?;
            m.insert_at(i, key, val);
        }
    }
    Ok(())
}

/// Adds a member to a set, where its order says. The member is paid for.
pub fn add(h: &mut dyn Host, s: &mut Set, item: Value) -> Result<()> {
    cost::key(h, &item)?;
    match s.as_map().comparator() {
        // A member that is there stays as it stands.
        Some(comparator) if find(h, s.as_map(), comparator, &item)?.is_some() => Ok(()),
        Some(_) => insert(h, s.as_map_mut(), item, Value::Nil),
        None => {
            if s.is_sorted() {
                comparable(s.as_map(), &item)?;
            }
            s.insert(item);
            Ok(())
        }
    }
}

/// What cannot be compared with the keys that are there cannot stand among them (trap 12).
fn comparable(m: &Map, key: &Value) -> Result<()> {
    match m.keys().next() {
        Some(first) if compare(first, key).is_none() => Err(incomparable("compare", first, key)),
        _ => Ok(()),
    }
}

/// Takes a key and its value out of a map. The key is paid for.
pub fn remove(h: &mut dyn Host, m: &mut Map, key: &Value) -> Result<()> {
    cost::key(h, key)?;
    let Some(comparator) = m.comparator().cloned() else {
        m.remove(key);
        return Ok(());
    };
    if let Place::At(i) = place(h, m, &comparator, key)? {
        // The keys that stay are copied.
        h.spend(m.len() as u64 / MOVED * 2)?;
        h.room(m.len() as u64 * 32)?;
        m.remove_at(i);
    }
    Ok(())
}
