//! Looking things up in collections with a comparator asked where there is one, and changing what is there in place.

use super::{sorted_by, transient_held};
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result, too_deep};
use crate::value::lookup::{contains, get, in_map, index, written_key};
use crate::value::{Map, Set, Value};

/// [`get`] with the key charged, and a comparator asked where the collection has one.
#[inline]
pub fn find(h: &mut dyn Host, coll: &Value, key: &Value) -> Result<Option<Value>> {
    cost::key(h, key)?;
    match coll {
        // Characters of more than a byte each are counted from the start.
        Value::Str(s) if !s.is_ascii() => {
            h.charge(s.as_str().len() as u64 / 32)?;
            Ok(get(coll, key))
        }
        Value::Map(m) if m.comparator().is_some() => exact(h, m, key),
        Value::Map(m) if m.is_sorted() => match in_map(m, key) {
            Some(v) => Ok(Some(v.clone())),
            None => exact(h, m, key),
        },
        Value::Map(m) => Ok(in_map(m, key).cloned()),
        Value::Set(s) => member(h, s, key),
        Value::Place(..) => match transient_held::held(h, coll)? {
            Some(held) => find(h, &held, key),
            None => Ok(None),
        },
        _ => Ok(get(coll, key)),
    }
}

/// [`find`] where nil stands for what is not there: whether a constant key was there is noted.
#[inline]
pub fn find_noted(h: &mut dyn Host, coll: &Value, key: &Value) -> Result<Option<Value>> {
    let found = find(h, coll, key)?;
    if let Value::Map(m) = coll {
        note(h, m, key, found.is_some())?;
    }
    Ok(found)
}

/// Notes whether a map had a constant key.
#[inline]
pub fn note(h: &mut dyn Host, m: &Map, key: &Value, found: bool) -> Result<()> {
    match key.constant_mark() {
        0 => {}
        mark if found => h.key_found(mark),
        _ => h.key_missed(key, m)?,
    }
    Ok(())
}

/// The value at `key` in a map, by no other name. The key is charged already.
pub fn exact(h: &mut dyn Host, m: &Map, key: &Value) -> Result<Option<Value>> {
    if m.is_sorted() { Ok(sorted_by::find(h, m, key)?.map(|e| e.1)) } else { Ok(m.get(key).cloned()) }
}

/// The member of a set that is equal to `key`. The key is charged already.
pub fn member(h: &mut dyn Host, s: &Set, key: &Value) -> Result<Option<Value>> {
    if s.is_sorted() { Ok(sorted_by::find(h, s.as_map(), key)?.map(|e| e.0)) } else { Ok(s.get(key).cloned()) }
}

/// Clojure's `contains?`: whether `key` is a key, `None` for what has no keys at all (trap 15). The key is charged already.
pub fn has(h: &mut dyn Host, coll: &Value, key: &Value) -> Result<Option<bool>> {
    let m = match coll {
        Value::Map(m) => m,
        Value::Set(s) => s.as_map(),
        Value::Place(..) => {
            return match transient_held::held(h, coll)? {
                Some(held) => has(h, &held, key),
                None => Ok(None),
            };
        }
        _ => return Ok(contains(coll, key)),
    };
    if m.comparator().is_none() {
        let found = contains(coll, key);
        if found == Some(true) || !m.is_sorted() {
            return Ok(found);
        }
    }
    Ok(Some(sorted_by::find(h, m, key)?.is_some()))
}

/// The error of writing into something that has no keys.
#[cold]
fn no_place(coll: &Value) -> Interrupt {
    let what = crate::print::brief(coll);
    Interrupt::error(ErrorKind::Type, format!("cannot put a key into {}: {what}", coll.kind()))
}

#[cold]
fn bad_index(key: &Value, len: usize) -> Interrupt {
    match key {
        Value::Int(_) | Value::Big(_) => Interrupt::bad(
            1,
            ErrorKind::Index,
            format!("is out of bounds: {}, of a vector of {len}; conj adds at the end", crate::print::brief(key)),
        ),
        _ => Interrupt::bad(
            1,
            ErrorKind::Value,
            format!("of a vector must be an integer, got {}", crate::print::brief(key)),
        ),
    }
}

/// Clojure's `assoc` of one pair, in place when nobody else holds the collection.
pub fn assoc(h: &mut dyn Host, coll: Value, key: Value, val: Value) -> Result {
    if let Value::Map(mut m) = coll {
        sorted_by::insert(h, &mut m, key, val)?;
        return Ok(Value::Map(m));
    }
    cost::key(h, &key)?;
    match coll {
        Value::Nil => Ok(Value::map([(key, val)])),
        Value::Vector(mut v) => match index(&key) {
            Some(i) if i <= v.len() => {
                cost::change(h, &mut v)?;
                v.set(i, val);
                Ok(Value::Vector(v))
            }
            _ => Err(bad_index(&key, v.len())),
        },
        other => Err(no_place(&other)),
    }
}

/// Clojure's `update`: `f` gets the old value (nil when there is none) to keep, and gives the new one. An entry that
/// is there under the equal name is the one that is written. The old value leaves its place while `f` runs, so what
/// was held once is changed in place.
pub fn update_with(
    h: &mut dyn Host,
    coll: Value,
    key: Value,
    f: &mut dyn FnMut(&mut dyn Host, Value) -> Result,
) -> Result {
    match coll {
        Value::Map(m) => {
            let key = sorted_by::ready(h, &m, key)?;
            update_ready(h, m, key, f)
        }
        Value::Vector(mut v) => {
            let i = index(&key).filter(|i| *i < v.len());
            let old = match i {
                Some(i) => {
                    cost::change(h, &mut v)?;
                    v.take(i).unwrap_or_default()
                }
                None => Value::Nil,
            };
            let new = f(h, old)?;
            assoc(h, Value::Vector(v), key, new)
        }
        Value::Nil => {
            let new = f(h, Value::Nil)?;
            Ok(Value::map([(key, new)]))
        }
        other => {
            // As in Clojure the function runs first: its error is the one that is seen.
            let old = get(&other, &key).unwrap_or_default();
            f(h, old)?;
            Err(no_place(&other))
        }
    }
}

/// As [`update_with`], of a map and a key that is charged.
pub fn update_ready(
    h: &mut dyn Host,
    mut m: Map,
    mut key: Value,
    f: &mut dyn FnMut(&mut dyn Host, Value) -> Result,
) -> Result {
    if let Value::Int(_) = key {
        let made = |old: Option<Value>| match old {
            Some(old) => f(h, old),
            None => {
                let new = f(h, Value::Nil)?;
                // What adding an entry with such a key costs.
                h.charge(3)?;
                Ok(new)
            }
        };
        match m.upsert(key, made) {
            Ok(done) => return done.map(|()| Value::Map(m)),
            Err(back) => key = back,
        }
    }
    if m.change(&key, |old| f(h, old))? {
        return Ok(Value::Map(m));
    }
    if let Some(named) = written_key(&m, &key) {
        m.change(&named, |old| f(h, old))?;
        return Ok(Value::Map(m));
    }
    let new = f(h, Value::Nil)?;
    sorted_by::insert(h, &mut m, key, new)?;
    Ok(Value::Map(m))
}

/// Takes the child at `key` out of `parent` for a change; gives it, and the key it is written under.
fn take_child(h: &mut dyn Host, parent: &mut Value, key: Value) -> Result<(Value, Value)> {
    match parent {
        Value::Map(m) => {
            let key = sorted_by::ready(h, m, key)?;
            let key = written_key(m, &key).unwrap_or(key);
            let child = m.take(&key).unwrap_or_default();
            Ok((key, child))
        }
        Value::Vector(v) => {
            let Some(i) = index(&key).filter(|i| *i < v.len()) else { return Ok((key, Value::Nil)) };
            cost::change(h, v)?;
            let child = v.take(i).unwrap_or_default();
            Ok((key, child))
        }
        other => {
            let child = get(other, &key).unwrap_or_default();
            Ok((key, child))
        }
    }
}

/// Clojure's `update-in`: as [`update_with`] along a path, without recursion. An empty path is the path of nil (trap 16).
pub fn update_in(
    h: &mut dyn Host,
    root: Value,
    mut path: Vec<Value>,
    f: &mut dyn FnMut(&mut dyn Host, Value) -> Result,
) -> Result {
    if path.len() > h.limits().data_depth as usize {
        return Err(too_deep(h.limits()));
    }
    let last = path.pop().unwrap_or_default();
    h.charge(path.len() as u64 * 6)?;
    let mut parents = Vec::with_capacity(path.len());
    let mut now = root;
    for key in path {
        let (key, child) = take_child(h, &mut now, key)?;
        parents.push((now, key));
        now = child;
    }
    let mut value = update_with(h, now, last, f)?;
    while let Some((parent, key)) = parents.pop() {
        value = assoc(h, parent, key, value)?;
    }
    Ok(value)
}
