//! Looking things up in collections, without a host; keywords and strings of one text meet here (difference 2).

use super::node::Item;
use super::number::is_number;
use super::{Keyword, Map, Str, Value};
use num_traits::ToPrimitive;

/// What `coll` has at `key`: Clojure's `get`, `None` when it has nothing there or is no collection (trap 15).
/// A key that is lazy inside must have been realised.
#[inline]
pub fn get(coll: &Value, key: &Value) -> Option<Value> {
    match coll {
        Value::Map(m) => in_map(m, key).cloned(),
        Value::Vector(v) => v.get(index(key)?).cloned(),
        Value::Set(s) => s.get(key).cloned(),
        Value::Object(o) if o.kind.is_data() => o.field(key).cloned(),
        Value::Str(s) => s.slice(place(key)?, place(key)?.checked_add(1)?)?.chars().next().map(Value::Char),
        _ => None,
    }
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

/// The entry whose key is a keyword or string of the same text. A key of JSON with a slash is one name without
/// namespace and prints like a keyword with one, so these two meet as well.
#[cold]
fn by_name<'m>(m: &'m Map, key: &Value) -> Option<(&'m Value, &'m Value)> {
    let text = key.name_text()?;
    if m.comparator().is_some() {
        return None;
    }
    if m.is_small() {
        return m.find_small(|k| k.name_text() == Some(text));
    }
    // Both kinds of name have one hash: nearly always there is none of this text.
    if m.is_hashed() && m.entry_like(key, |k| k.name_text() == Some(text)).is_none() {
        return None;
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
pub fn written_key(m: &Map, key: &Value) -> Option<Value> {
    key.name_text()?;
    if m.get(key).is_some() { None } else { by_name(m, key).map(|e| e.0.clone()) }
}

/// An index of a vector: integers of any size, no doubles (trap 16).
pub fn index(key: &Value) -> Option<usize> {
    match key {
        Value::Int(i) => usize::try_from(i.get()).ok(),
        Value::Big(b) => b.to_usize(),
        _ => None,
    }
}

/// An index of a string: any number, cut toward zero, as Java does.
fn place(key: &Value) -> Option<usize> {
    match key {
        Value::Float(f) if f.get() > -1.0 => Some(f.get() as usize),
        Value::Ratio(r) => r.to_integer().to_usize(),
        _ => index(key),
    }
}

/// Clojure's `contains?` where no comparator can be asked: whether `key` is a key, `None` for what has no keys at all (trap 15).
pub fn contains(coll: &Value, key: &Value) -> Option<bool> {
    match coll {
        Value::Nil => Some(false),
        Value::Map(m) => Some(in_map(m, key).is_some()),
        Value::Set(s) => Some(s.contains(key)),
        Value::Vector(v) => Some(index(key).is_some_and(|i| i < v.len())),
        Value::Str(s) if is_number(key) => Some(place(key).is_some_and(|i| i < s.chars())),
        _ => None,
    }
}

impl super::Object {
    /// What is at a place.
    pub fn at(&self, place: usize) -> Option<&Value> {
        if let Value::Vector(v) = &self.held { v.get(place) } else { None }
    }

    /// The field of this name, of an instance.
    pub fn field(&self, name: &Value) -> Option<&Value> {
        let place = self.class.fields.iter().position(|f| f.same_key(name))?;
        self.at(place).filter(|_| self.kind == super::object::ObjectKind::Instance || self.kind.is_data())
    }
}
