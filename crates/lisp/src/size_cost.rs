//! What work costs whose size is in a value: looking at all of it, copying what is shared. Nothing is realised here.

use crate::host::{Host, Result, too_deep};
use crate::value::compare::RealizedIter;
use crate::value::node::{Item, on_deep_stack};
use crate::value::{Value, Vector};

/// Charges looking at text of this many bytes.
pub fn text(h: &mut dyn Host, bytes: usize) -> Result<()> {
    if bytes < 64 { Ok(()) } else { h.charge(bytes as u64 / 64) }
}

/// Charges the levels of a value that will be walked, `halves` of a unit each: each deep one asks for more native
/// stack.
pub fn levels(h: &mut dyn Host, v: &Value, halves: u64) -> Result<()> {
    let levels = u64::from(v.depth());
    if levels < 32 { Ok(()) } else { h.charge(levels * halves / 2) }
}

/// Charges a name: nothing, unless it is long.
#[inline]
pub fn name(h: &mut dyn Host, text: &str) -> Result<()> {
    if text.len() < 64 { Ok(()) } else { h.charge(text.len() as u64 / 8) }
}

/// What finding a key costs: small maps are searched in a row, and again by the equal name when the key is not there;
/// each level of a large tree is a wait for memory.
pub fn search(coll: &Value) -> u64 {
    match coll {
        Value::Map(m) if m.is_small() => 1 + m.len() as u64 / 3,
        Value::Map(m) => 2 + u64::from((m.len() + 1).ilog2()) / 3,
        Value::Set(s) => 2 + u64::from((s.len() + 1).ilog2()) / 3,
        _ => 1,
    }
}

/// Charges one unit for each item inside, as any walker of the value has to visit it. Shared parts count as often as
/// they are reached, so a value that is small in memory and endless to walk ends as a limit (SECURITY attack 4).
pub fn walk(h: &mut dyn Host, v: &Value) -> Result<()> {
    match v {
        Value::Str(s) => text(h, s.as_str().len()),
        Value::Keyword(k) => name(h, k.text()),
        Value::Symbol(s) => name(h, s.text()),
        Value::Vector(x) => {
            h.charge(1 + x.len() as u64)?;
            if x.depth() <= 1 { strings(h, x.iter()) } else { deep(h, x.iter()) }
        }
        Value::Slice(x) => {
            h.charge(x.len() as u64)?;
            deep(h, x.iter())
        }
        Value::Set(x) => {
            h.charge(x.len() as u64 * 3 / 2)?;
            deep(h, x.iter_unordered())
        }
        Value::Map(x) => {
            h.charge(x.len() as u64 * 2)?;
            deep(h, x.iter_unordered().flat_map(|(k, v)| [k, v]))
        }
        Value::Cons(_) | Value::Lazy(_) => {
            for item in RealizedIter::new(v) {
                h.charge(1)?;
                on_deep_stack(|| walk(h, &item))?;
            }
            Ok(())
        }
        Value::Big(b) => h.charge(b.bits() / 512),
        // Ratios compare by products.
        Value::Ratio(r) => h.charge(crate::number::digits_price(r.numer().bits().max(r.denom().bits()))),
        Value::Decimal(d) => h.charge(crate::number::digits_price(d.bits())),
        _ => Ok(()),
    }
}

fn strings<'a>(h: &mut dyn Host, items: impl Iterator<Item = &'a Value>) -> Result<()> {
    for v in items {
        match v {
            Value::Str(s) => text(h, s.as_str().len())?,
            Value::Keyword(k) => name(h, k.text())?,
            Value::Symbol(s) => name(h, s.text())?,
            Value::Ratio(_) | Value::Decimal(_) => walk(h, v)?,
            _ => {}
        }
    }
    Ok(())
}

fn deep<'a>(h: &mut dyn Host, mut items: impl Iterator<Item = &'a Value>) -> Result<()> {
    on_deep_stack(|| items.try_for_each(|v| walk(h, v)))
}

/// Charges the copy that a change to a shared array makes; nothing when the change is made in place.
#[inline]
pub fn change(h: &mut dyn Host, v: &mut Vector) -> Result<()> {
    if v.is_unique() {
        return Ok(());
    }
    let len = v.as_slice().map_or(64, <[Value]>::len) as u64;
    h.charge(len / 2)?;
    h.reserve(len * 24)
}

/// Charges comparing a key that is realised already with others.
pub fn compared(h: &mut dyn Host, v: &Value) -> Result<()> {
    // Maps and sets are put in order before they are compared.
    h.charge(if matches!(v, Value::Map(_) | Value::Set(_)) { 80 } else { 30 })?;
    levels(h, v, 4)?;
    walk(h, v)?;
    // A large one meets several others on its way, in a small map each that is there.
    let small = matches!(v, Value::Vector(x) if x.len() <= 8 && x.depth() <= 1);
    if small { Ok(()) } else { walk(h, v) }
}

/// Charges finding again a key of a map or set, which was realised before it could become one.
pub fn stored_key(h: &mut dyn Host, v: &Value) -> Result<()> {
    match v {
        Value::Nil | Value::Bool(_) | Value::Int(_) | Value::Char(_) | Value::Float(_) => Ok(()),
        Value::Keyword(k) => name(h, k.text()),
        Value::Symbol(s) => name(h, s.text()),
        Value::Str(s) => text(h, s.as_str().len()),
        _ => {
            realised(h, v, 0)?;
            compared(h, v)
        }
    }
}

/// Charges what realising a value costs that is realised. `nested` values are around it.
fn realised(h: &mut dyn Host, v: &Value, nested: u32) -> Result<()> {
    if !v.lazy() {
        return Ok(());
    }
    if nested >= h.limits().data_depth {
        return Err(too_deep(h.limits()));
    }
    let nested = nested + 1;
    on_deep_stack(|| match v {
        Value::Lazy(_) | Value::Cons(_) => {
            let mut at = v.clone();
            loop {
                at = match at {
                    Value::Lazy(l) => l.made().unwrap_or_default(),
                    Value::Cons(c) => {
                        realised(h, c.first(), nested)?;
                        h.charge(1)?;
                        c.rest().clone()
                    }
                    // The array at the end of the cells.
                    other => return realised(h, &other, nested),
                }
            }
        }
        Value::Vector(v) => v.iter().try_for_each(|i| realised(h, i, nested)),
        Value::Slice(s) => s.iter().try_for_each(|i| realised(h, i, nested)),
        Value::Set(s) => s.iter().try_for_each(|i| realised(h, i, nested)),
        Value::Map(m) => m.iter().flat_map(|(k, v)| [k, v]).try_for_each(|i| realised(h, i, nested)),
        Value::Reduced(v) => realised(h, v, nested),
        Value::Exception(e) => realised(h, &e.data, nested),
        Value::Object(o) => realised(h, &o.held, nested),
        _ => Ok(()),
    })
}
