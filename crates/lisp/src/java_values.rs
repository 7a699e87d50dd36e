//! Collections of Java and arrays inside values: they are places that change, so collections are no keys, and what leaves a
//! program has what they hold instead of them.

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::compare::RealizedIter;
use crate::value::java_kind::JavaKind;
use crate::value::node::on_deep_stack;
use crate::value::{Item, Slice, Value, Vector};

/// Items of a sequence that are looked at for collections of Java.
const LOOKED_AT: usize = 100_000;
/// Deepest nesting of them that is followed.
const MOST_NESTED: u32 = 1000;

#[cold]
fn too_deep() -> Interrupt {
    let words = format!("arrays or collections of Java are nested deeper than {MOST_NESTED}");
    Interrupt::error(ErrorKind::Depth, words)
}

/// Whether a collection of Java, or also an array, is in a value whose sequences are realised.
fn holds(h: &mut dyn Host, v: &Value, arrays: bool, nested: u32) -> Result<bool> {
    if !v.lazy() {
        return Ok(false);
    }
    if nested > MOST_NESTED {
        return Err(too_deep());
    }
    h.charge(1)?;
    let mut any = |items: &mut dyn Iterator<Item = &Value>| {
        for v in items {
            if holds(h, v, arrays, nested + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    on_deep_stack(|| match v {
        Value::Place(id) => Ok(v.java().is_some() || arrays && id.place().array().is_some()),
        Value::Vector(v) => any(&mut v.iter()),
        Value::Slice(s) => any(&mut s.iter()),
        Value::Map(m) => any(&mut m.vals()),
        Value::Lazy(_) | Value::Cons(_) => {
            for item in RealizedIter::new(v).take(LOOKED_AT) {
                if any(&mut std::iter::once(&item))? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
        Value::Reduced(v) => any(&mut std::iter::once(&***v)),
        _ => Ok(false),
    })
}

/// Refuses what holds a collection of Java as a key: it changes.
///
/// # Errors
/// When one is in it.
pub fn no_key(h: &mut dyn Host, v: &Value) -> Result<()> {
    if !h.has_java() || !holds(h, v, false, 0)? {
        return Ok(());
    }
    let words = "a collection of Java changes, so it is no key of a map and no member of a set here";
    Err(Interrupt::error(ErrorKind::Denied, words).hint("(vec x), (into {} x) and (set x) give what it holds now"))
}

/// The value with what arrays and collections of Java hold in their place: arrays and lists as vectors, queues as lists, maps and sets.
///
/// # Errors
/// When they are nested too deep, or in themselves.
pub fn plain(h: &mut dyn Host, v: Value) -> Result {
    if !h.has_places() || !holds(h, &v, true, 0)? {
        return Ok(v);
    }
    copied(h, &v, true, 0)
}

/// The same, but for arrays, which stay.
///
/// # Errors
/// As [`plain`].
pub fn with_arrays(h: &mut dyn Host, v: Value) -> Result {
    if !h.has_java() || !holds(h, &v, false, 0)? {
        return Ok(v);
    }
    copied(h, &v, false, 0)
}

fn copied(h: &mut dyn Host, v: &Value, arrays: bool, nested: u32) -> Result {
    if !v.lazy() {
        return Ok(v.clone());
    }
    if nested > MOST_NESTED {
        return Err(too_deep());
    }
    let nested = nested + 1;
    on_deep_stack(|| match v {
        Value::Place(id) => match id.place().java() {
            None if arrays && id.place().array().is_some() => {
                let held = h.cell_get(*id);
                copied(h, &held, arrays, nested)
            }
            None | Some(JavaKind::Iterator) => Ok(v.clone()),
            Some(kind) => {
                let held = h.cell_get(*id);
                match (kind, copied(h, &held, arrays, nested)?) {
                    (JavaKind::Deque | JavaKind::Heap, Value::Slice(s)) => Ok(Value::list(s.into_vec())),
                    (JavaKind::Heap, Value::Vector(v)) => Ok(Value::list(v.into_vec())),
                    (_, held) => Ok(held),
                }
            }
        },
        Value::Vector(v) => Ok(Value::Vector(Vector::from_vec(all(h, v.len(), &mut v.iter(), arrays, nested)?))),
        Value::Slice(s) => {
            let items = all(h, s.len(), &mut s.iter(), arrays, nested)?;
            Ok(Value::Slice(Slice::new(Vector::from_vec(items), 0, s.kind)))
        }
        Value::Map(m) => {
            h.charge(m.len() as u64)?;
            h.reserve(m.len() as u64 * 48)?;
            let mut out = m.clone();
            for (k, v) in m.iter().filter(|(_, v)| v.lazy()) {
                let new = copied(h, v, arrays, nested)?;
                out.change(k, |_| Ok::<_, Interrupt>(new))?;
            }
            Ok(Value::Map(out))
        }
        Value::Lazy(_) | Value::Cons(_) => {
            let mut items = RealizedIter::new(v);
            let mut out = Vec::new();
            for item in items.by_ref().take(LOOKED_AT) {
                h.charge(1)?;
                out.push(copied(h, &item, arrays, nested)?);
            }
            h.reserve(out.len() as u64 * 16)?;
            Ok(if items.next().is_some() || items.unrealised() { v.clone() } else { Value::seq(out) })
        }
        Value::Reduced(v) => Ok(Value::reduced(copied(h, v, arrays, nested)?)),
        _ => Ok(v.clone()),
    })
}

fn all(
    h: &mut dyn Host,
    n: usize,
    items: &mut dyn Iterator<Item = &Value>,
    arrays: bool,
    nested: u32,
) -> Result<Vec<Value>> {
    h.charge(n as u64)?;
    h.reserve(n as u64 * 16)?;
    items.map(|v| copied(h, v, arrays, nested)).collect()
}
