//! The methods that types were defined with, and what values of them answer by them: `toString`, `compareTo`, `invoke`, `deref`.

use crate::builtins::java::classes::name_of_class;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::object::ObjectKind;
use crate::value::{Int, Map, Value, Width};

/// What a map in a session's cell has at a key.
pub fn in_cell(h: &mut dyn Host, cell: CellId, key: &Value) -> Result<Option<Value>> {
    let Value::Map(m) = h.cell_get(cell) else { return Ok(None) };
    crate::cost::key(h, key)?;
    h.charge(1)?;
    Ok(m.get(key).cloned())
}

/// The method of this name that the type of a value was defined with.
pub fn own_method(h: &mut dyn Host, v: &Value, name: &str) -> Result<Option<Value>> {
    if !v.is_of_own_type() {
        return Ok(None);
    }
    h.charge(2)?;
    let methods = match v {
        Value::Object(o) if o.kind == ObjectKind::Reified => o.at(0).cloned(),
        v => match in_cell(h, CellId::METHODS, &name_of_class(v))? {
            Some(Value::Vector(both)) => both.get(0).cloned(),
            _ => None,
        },
    };
    Ok(match methods {
        Some(Value::Map(m)) => m.get(&Value::plain_keyword(name)).cloned(),
        _ => None,
    })
}

/// The text that a value's own `toString` gives; `None` for values without one.
pub fn own_text(h: &mut dyn Host, v: &Value) -> Result<Option<Value>> {
    let Some(f) = own_method(h, v, "toString")? else { return Ok(None) };
    match h.call1(&f, v.clone())? {
        text @ Value::Str(_) => Ok(Some(text)),
        other => {
            let words = format!("toString must give a string, got {}", crate::print::brief(&other));
            Err(Interrupt::error(ErrorKind::Type, words))
        }
    }
}

/// What a value's own `compareTo` says of another; `None` for values without one.
pub fn own_order(h: &mut dyn Host, a: &Value, b: &Value) -> Result<Option<i64>> {
    if b.is_nil() {
        return Ok(None);
    }
    let Some(f) = own_method(h, a, "compareTo")? else { return Ok(None) };
    match h.call2(&f, a.clone(), b.clone())? {
        Value::Int(n) => Ok(Some(n.get())),
        other => {
            let words = format!("compareTo must give an integer, got {}", crate::print::brief(&other));
            Err(Interrupt::error(ErrorKind::Type, words))
        }
    }
}

/// What an object's own `reduce`, of `clojure.lang.IReduceInit`, makes with a function and a first value; `None` for values
/// without one.
pub fn own_reduce(h: &mut dyn Host, coll: &Value, f: &Value, init: Option<&Value>) -> Result<Option<Value>> {
    if !matches!(coll, Value::Object(_)) {
        return Ok(None);
    }
    let Some(method) = own_method(h, coll, "reduce")? else { return Ok(None) };
    let mut args = vec![coll.clone(), f.clone()];
    args.extend(init.cloned());
    h.call(&method, &mut args).map(Some)
}

/// The number that an object's own `hashCode` gives; `None` for values without one.
pub fn own_hash(h: &mut dyn Host, v: &Value) -> Result<Option<Value>> {
    if !matches!(v, Value::Object(_)) {
        return Ok(None);
    }
    let Some(method) = own_method(h, v, "hashCode")? else { return Ok(None) };
    match h.call1(&method, v.clone())? {
        Value::Int(n) if i32::try_from(n.get()).is_ok() => Ok(Some(Value::Int(Int::of_width(n.get(), Width::W32)))),
        other => {
            let words = format!("hashCode must give an integer of 32 bits, got {}", crate::print::brief(&other));
            Err(Interrupt::error(ErrorKind::Type, words))
        }
    }
}

/// The number that an object's own `count`, of `clojure.lang.Counted`, gives; `None` for values without one.
pub fn own_count(h: &mut dyn Host, v: &Value) -> Result<Option<Value>> {
    if !matches!(v, Value::Object(_)) {
        return Ok(None);
    }
    let Some(method) = own_method(h, v, "count")? else { return Ok(None) };
    match h.call1(&method, v.clone())? {
        Value::Int(n) if i32::try_from(n.get()).is_ok() => Ok(Some(Value::int(n.get()))),
        other => {
            let words = format!("count must give an integer of 32 bits, got {}", crate::print::brief(&other));
            Err(Interrupt::error(ErrorKind::Type, words))
        }
    }
}

/// Puts a key into the map in a session's cell.
pub fn put(h: &mut dyn Host, cell: CellId, key: Value, val: Value) -> Result<()> {
    let mut all = match h.cell_get(cell) {
        Value::Map(m) => m,
        _ => Map::new(),
    };
    h.charge(4 + all.len().min(32) as u64)?;
    h.reserve(1024)?;
    crate::builtins::collections::sorted_by::insert(h, &mut all, key, val)?;
    h.cell_set(cell, Value::Map(all));
    Ok(())
}
