//! Looking things up in collections and changing what is there in place; keywords and strings of one text meet here
//! (difference 2).

use super::{cost, ranks};
use crate::error::ErrorKind;
use crate::host::{Host, Result, Stop, too_deep};
use crate::value::{Keyword, Map, Set, Str, Value};
use num_traits::ToPrimitive;

/// What `coll` has at `key`: Clojure's `get`, `None` when it has nothing there or is no collection (trap 15).
/// A key that is lazy inside must have been realised.
#[inline]
pub fn get(coll: &Value, key: &Value) -> Option<Value> {
    match coll {
        Value::Map(m) => in_map(m, key).cloned(),
        Value::Vector(v) => v.get(index(key)?).cloned(),
        Value::Set(s) => s.get(key).cloned(),
        Value::Str(s) => s.slice(place(key)?, place(key)?.checked_add(1)?)?.chars().next().map(Value::Char),
        _ => None,
    }
}

/// [`get`] with the key paid for, and a comparator asked where the collection has one.
#[inline]
pub fn find(h: &mut dyn Host, coll: &Value, key: &Value) -> Result<Option<Value>> {
    cost::key(h, key)?;
    match coll {
        // Characters of more than a byte each are counted from the start.
        Value::Str(s) if !s.is_ascii() => {
            h.spend(s.as_str().len() as u64 / 32)?;
            Ok(get(coll, key))
        }
        Value::Map(m) if m.comparator().is_some() => exact(h, m, key),
        Value::Map(m) if m.is_sorted() => match in_map(m, key) {
            Some(v) => Ok(Some(v.clone())),
            None => exact(h, m, key),
        },
        Value::Map(m) => Ok(in_map(m, key).cloned()),
        Value::Set(s) => member(h, s, key),
        _ => Ok(get(coll, key)),
    }
}

/// The value at `key` in a map, by no other name. The key is paid for.
pub fn exact(h: &mut dyn Host, m: &Map, key: &Value) -> Result<Option<Value>> {
    if m.is_sorted() { Ok(ranks::find(h, m, key)?.map(|e| e.1)) } else { Ok(m.get(key).cloned()) }
}

/// The member of a set that is equal to `key`. The key is paid for.
pub fn member(h: &mut dyn Host, s: &Set, key: &Value) -> Result<Option<Value>> {
    if s.is_sorted() { Ok(ranks::find(h, s.as_map(), key)?.map(|e| e.0)) } else { Ok(s.get(key).cloned()) }
}

/// The value at `key` in a map, exact or by the equal name.
#[inline]
pub fn in_map<'m>(m: &'m Map, key: &Value) -> Option<&'m Value> {
    match m.get(key) {
        Some(v) => Some(v),
        None => by_name(m, key).map(|e| e.1),
    }
}

/// The entry at `key`, exact or by the equal name.
pub fn entry<'m>(m: &'m Map, key: &Value) -> Option<(&'m Value, &'m Value)> {
    m.entry(key).or_else(|| by_name(m, key))
}

/// The text by which a key meets others: of keywords `ns/name`, of strings themselves.
fn name_text(v: &Value) -> Option<&str> {
    match v {
        Value::Keyword(k) => Some(k.text()),
        Value::Str(s) => Some(s.as_str()),
        _ => None,
    }
}

/// The entry whose key is a keyword or string of the same text. A key of JSON with a slash is one name without
/// namespace and prints like a keyword with one, so these two meet as well.
#[cold]
fn by_name<'m>(m: &'m Map, key: &Value) -> Option<(&'m Value, &'m Value)> {
    let text = name_text(key)?;
    if m.comparator().is_some() {
        return None;
    }
    if m.is_small() {
        return m.find_small(|k| name_text(k) == Some(text));
    }
    if matches!(key, Value::Keyword(_))
        && let Some(e) = m.entry(&Value::Str(Str::new(text)))
    {
        return Some(e);
    }
    let plain = || m.entry(&Value::Keyword(Keyword::new(None, text)));
    let split = || m.entry(&Value::Keyword(Keyword::parse(text)));
    plain().or_else(|| if text.contains('/') { split() } else { None })
}

/// The key under which `m` already has this name, when that is not `key` itself.
fn written_key(m: &Map, key: &Value) -> Option<Value> {
    name_text(key)?;
    if m.get(key).is_some() { None } else { by_name(m, key).map(|e| e.0.clone()) }
}

/// An index of a vector: integers of any size, no doubles (trap 16).
fn index(key: &Value) -> Option<usize> {
    match key {
        Value::Int(i) => usize::try_from(*i).ok(),
        Value::Big(b) => b.to_usize(),
        _ => None,
    }
}

/// An index of a string: any number, cut toward zero, as Java does.
fn place(key: &Value) -> Option<usize> {
    match key {
        Value::Float(f) if *f > -1.0 => Some(*f as usize),
        Value::Ratio(r) => r.to_integer().to_usize(),
        _ => index(key),
    }
}

/// Clojure's `contains?`: whether `key` is a key, `None` for what has no keys at all (trap 15). The key is paid for.
pub fn has(h: &mut dyn Host, coll: &Value, key: &Value) -> Result<Option<bool>> {
    let m = match coll {
        Value::Map(m) => m,
        Value::Set(s) => s.as_map(),
        _ => return Ok(contains(coll, key)),
    };
    if m.comparator().is_none() {
        let found = contains(coll, key);
        if found == Some(true) || !m.is_sorted() {
            return Ok(found);
        }
    }
    Ok(Some(ranks::find(h, m, key)?.is_some()))
}

/// [`has`] where no comparator can be asked.
fn contains(coll: &Value, key: &Value) -> Option<bool> {
    match coll {
        Value::Nil => Some(false),
        Value::Map(m) => Some(in_map(m, key).is_some()),
        Value::Set(s) => Some(s.contains(key)),
        Value::Vector(v) => Some(index(key).is_some_and(|i| i < v.len())),
        Value::Str(s) if crate::number::is_number(key) => Some(place(key).is_some_and(|i| i < s.chars())),
        _ => None,
    }
}

/// The error of writing into something that has no keys.
#[cold]
fn no_place(coll: &Value) -> Stop {
    let what = crate::print::brief(coll);
    Stop::error(ErrorKind::Type, format!("cannot put a key into {}: {what}", coll.kind()))
}

#[cold]
fn bad_index(key: &Value, len: usize) -> Stop {
    match key {
        Value::Int(_) | Value::Big(_) => Stop::bad(
            1,
            ErrorKind::Index,
            format!("is out of bounds: {}, of a vector of {len}; conj adds at the end", crate::print::brief(key)),
        ),
        _ => {
            Stop::bad(1, ErrorKind::Value, format!("of a vector must be an integer, got {}", crate::print::brief(key)))
        }
    }
}

/// Clojure's `assoc` of one pair, in place when nobody else holds the collection.
pub fn assoc(h: &mut dyn Host, coll: Value, key: Value, val: Value) -> Result {
    if let Value::Map(mut m) = coll {
        ranks::insert(h, &mut m, key, val)?;
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
        Value::Map(mut m) => {
            let key = ranks::ready(h, &m, key)?;
            if m.change(&key, |old| f(h, old))? {
                return Ok(Value::Map(m));
            }
            if let Some(named) = written_key(&m, &key) {
                m.change(&named, |old| f(h, old))?;
                return Ok(Value::Map(m));
            }
            let new = f(h, Value::Nil)?;
            ranks::insert(h, &mut m, key, new)?;
            Ok(Value::Map(m))
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

/// Takes the child at `key` out of `parent` for a change; gives it, and the key it is written under.
fn take_child(h: &mut dyn Host, parent: &mut Value, key: Value) -> Result<(Value, Value)> {
    match parent {
        Value::Map(m) => {
            let key = ranks::ready(h, m, key)?;
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
    h.spend(path.len() as u64 * 6)?;
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
