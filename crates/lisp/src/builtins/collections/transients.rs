//! Clojure's transients: collections that change in place. What one holds is in a cell, so the same transient is seen
//! by all who hold it, a failed turn undoes its changes, and a fork has its own.

use super::transient_held::used_up;
use super::{common, lookup, sorted_by};
use crate::builtins::args::{get, out_of_bounds, take};
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::{Iter, is_seqable};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Item, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "transient",
        "coll",
        "A vector, map or set that conj! and the like change in place; persistent! gives what it has become.",
        &[("(persistent! (conj! (transient [1]) 2))", "[1 2]"), ("(transient '(1))", "!transient")],
        &Body(transient),
    ),
    Builtin::new(
        "persistent!",
        "coll",
        "The vector, map or set that a transient has become; the transient is of no use afterwards.",
        &[("(persistent! (assoc! (transient {}) :a 1))", "{:a 1}"), ("(persistent! [1])", "!a transient")],
        &Body(persistent),
    ),
    Builtin::new(
        "conj!",
        "| coll | coll x",
        "Adds x to a transient and gives the transient.",
        &[("(persistent! (reduce conj! (transient #{}) [1 2 1]))", "#{1 2}")],
        &Body(conj),
    ),
    Builtin::new(
        "assoc!",
        "coll key val | coll key val & kvs",
        "Puts val at key of a transient map or vector and gives the transient.",
        &[("(persistent! (assoc! (transient [1 2]) 0 :x))", "[:x 2]")],
        &Body(assoc),
    ),
    Builtin::new(
        "dissoc!",
        "map key | map key & ks",
        "Takes keys out of a transient map and gives the transient.",
        &[("(persistent! (dissoc! (transient {:a 1 :b 2}) :a))", "{:b 2}")],
        &Body(dissoc),
    ),
    Builtin::new(
        "disj!",
        "set | set key | set key & ks",
        "Takes members out of a transient set and gives the transient.",
        &[("(persistent! (disj! (transient #{1 2}) 1))", "#{2}")],
        &Body(disj),
    ),
    Builtin::new(
        "pop!",
        "coll",
        "Takes the last item off a transient vector and gives the transient.",
        &[("(persistent! (pop! (transient [1 2])))", "[1]"), ("(pop! (transient []))", "!Can't pop empty vector")],
        &Body(pop),
    ),
];

fn transient(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let held = match take(a, 0) {
        v if !super::transient_held::editable(&v) => {
            return Err(Interrupt::argument(0, "a vector, or a map or set that is neither sorted nor a record", &v));
        }
        Value::Vector(v) if v.meta().is_some() => Value::Vector(v.with_meta(None)),
        Value::Map(m) if m.meta().is_some() => Value::Map(m.with_meta(None)),
        Value::Set(s) if s.meta().is_some() => Value::Set(s.with_meta(None)),
        v => v,
    };
    Ok(Value::Place(h.cell(held)?))
}

fn cell(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Place(id) if id.place() == Place::Transient => Ok(*id),
        other => Err(Interrupt::argument(0, "a transient", other).hint("(transient coll) makes one")),
    }
}

/// Changes what a transient holds. It leaves its place meanwhile: `change` must not run code of the program, and must
/// have seen to it that it can fail by a limit alone; what it gives back as it was is put back with the error.
fn change(
    h: &mut dyn Host,
    id: CellId,
    change: impl FnOnce(&mut dyn Host, Value) -> std::result::Result<Value, (Value, Interrupt)>,
) -> Result<()> {
    match h.cell_take(id) {
        Value::Nil => Err(used_up()),
        held => match change(h, held) {
            Ok(new) => {
                h.cell_set(id, new);
                Ok(())
            }
            Err((old, stop)) => {
                h.cell_set(id, old);
                Err(stop)
            }
        },
    }
}

/// A collection that a change is made in where it is: nobody else holds it, and it has room.
enum Room {
    Map,
    /// Of so many items.
    Vector(usize),
}

#[inline]
fn room(h: &mut dyn Host, id: CellId) -> Option<Room> {
    match h.cell_mut(id)? {
        Value::Map(m) => m.is_open().then_some(Room::Map),
        Value::Vector(v) => v.is_unique().then(|| Room::Vector(v.len())),
        _ => None,
    }
}

/// A limit that ends the turn, which takes all its changes back: what was held need not be put back.
fn ended<T>(r: Result<T>) -> std::result::Result<T, (Value, Interrupt)> {
    r.map_err(|stop| (Value::Nil, stop))
}

/// Makes what is lazy in a key, by code of the program, before anything is taken out of its place.
fn ready(h: &mut dyn Host, key: &Value) -> Result<()> {
    if key.lazy() { cost::key(h, key) } else { Ok(()) }
}

fn persistent(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match h.cell_remove(cell(a)?) {
        Value::Nil => Err(used_up()),
        held => Ok(held),
    }
}

fn conj(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match a.len() {
        0 => return transient(h, &mut [Value::vector(Vec::new())]),
        1 => return Ok(take(a, 0)),
        _ => {}
    }
    let id = cell(a)?;
    let x = take(a, 1);
    ready(h, &x)?;
    h.charge(1)?;
    match h.cell_mut(id) {
        Some(Value::Vector(v)) if v.is_unique() => {
            v.push(x);
            return Ok(take(a, 0));
        }
        Some(Value::Set(s)) if s.as_map().is_open() => {
            cost::key(h, &x)?;
            if let Some(Value::Set(s)) = h.cell_mut(id) {
                s.insert(x);
            }
            return Ok(take(a, 0));
        }
        _ => {}
    }
    let mut entries = None;
    change(h, id, |h, held| match held {
        Value::Map(_) => {
            entries = Some(x);
            Ok(held)
        }
        held => ended(common::conj_one(h, held, x)),
    })?;
    if let Some(x) = entries {
        conj_map(h, id, x)?;
    }
    Ok(take(a, 0))
}

/// Adds an entry, a vector of two, or the entries of a map or sequence to a transient map.
fn conj_map(h: &mut dyn Host, id: CellId, x: Value) -> Result<()> {
    match &x {
        Value::Nil => Ok(()),
        Value::Vector(v) => match (v.len(), v.get(0), v.get(1)) {
            (2, Some(key), Some(val)) => assoc_one(h, id, key.clone(), val.clone()),
            _ => {
                let got = crate::print::brief(&x);
                let problem = format!("must be a vector of two to go into a map, got {got}");
                Err(Interrupt::bad(1, ErrorKind::Value, problem))
            }
        },
        _ => {
            let no_entry = |v: &Value| Interrupt::argument(1, "an entry, a vector of two or a map", v);
            if !is_seqable(&x) {
                return Err(no_entry(&x));
            }
            let mut entries = Iter::new(x)?;
            while let Some(e) = entries.next(h)? {
                let Some((key, val)) = e.as_entry() else { return Err(no_entry(&e)) };
                assoc_one(h, id, key, val)?;
            }
            Ok(())
        }
    }
}

fn assoc_one(h: &mut dyn Host, id: CellId, key: Value, val: Value) -> Result<()> {
    ready(h, &key)?;
    h.charge(1)?;
    match room(h, id) {
        Some(Room::Map) => {
            cost::key(h, &key)?;
            h.charge(2)?;
            if let Some(Value::Map(m)) = h.cell_mut(id) {
                m.insert(key, val);
            }
            return Ok(());
        }
        Some(Room::Vector(len)) => {
            if let Value::Int(i) = key
                && let Ok(i) = usize::try_from(i.get())
                && i <= len
            {
                h.charge(1)?;
                if let Some(Value::Vector(v)) = h.cell_mut(id) {
                    v.set(i, val);
                }
                return Ok(());
            }
        }
        _ => {}
    }
    change(h, id, |h, held| {
        let fits = match &held {
            Value::Map(_) => true,
            Value::Vector(v) => matches!(key, Value::Int(i) if usize::try_from(i.get()).is_ok_and(|i| i <= v.len())),
            _ => false,
        };
        if fits { ended(lookup::assoc(h, held, key, val)) } else { Err(no_place(held, &key)) }
    })
}

#[cold]
fn no_place(held: Value, key: &Value) -> (Value, Interrupt) {
    let stop = match (&held, key) {
        (Value::Vector(v), Value::Int(i)) => out_of_bounds(1, i.get(), v.len()),
        (Value::Vector(_), key) => {
            let problem = format!("of a vector must be an integer, got {}", crate::print::brief(key));
            Interrupt::bad(1, ErrorKind::Value, problem)
        }
        _ => Interrupt::argument(0, "a transient map or vector", &held),
    };
    (held, stop)
}

fn assoc(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a)?;
    if a.len().is_multiple_of(2) {
        let key = a.last().map(crate::print::brief).unwrap_or_default();
        return Err(Interrupt::error(ErrorKind::Value, format!("assoc!: no value is given for the key {key}")));
    }
    for i in (1..a.len()).step_by(2) {
        let (key, val) = (take(a, i), take(a, i + 1));
        assoc_one(h, id, key, val)?;
    }
    Ok(take(a, 0))
}

/// Takes keys out of what a transient of one kind holds.
fn without(h: &mut dyn Host, a: &mut [Value], set: bool) -> Result {
    let id = cell(a)?;
    for i in 1..a.len() {
        let key = take(a, i);
        ready(h, &key)?;
        h.charge(4)?;
        change(h, id, |h, held| match held {
            Value::Map(mut m) if !set => ended(sorted_by::remove(h, &mut m, &key).map(|_| Value::Map(m))),
            Value::Set(mut s) if set => ended(sorted_by::remove(h, s.as_map_mut(), &key).map(|_| Value::Set(s))),
            held => {
                let stop = Interrupt::argument(0, if set { "a transient set" } else { "a transient map" }, &held);
                Err((held, stop))
            }
        })?;
    }
    Ok(take(a, 0))
}

fn dissoc(h: &mut dyn Host, a: &mut [Value]) -> Result {
    without(h, a, false)
}

fn disj(h: &mut dyn Host, a: &mut [Value]) -> Result {
    without(h, a, true)
}

fn pop(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = cell(a)?;
    change(h, id, |h, held| match held {
        Value::Vector(v) if v.is_empty() => {
            let stop = Interrupt::throw("IllegalStateException", ErrorKind::Value, "Can't pop empty vector");
            Err((Value::Vector(v), stop))
        }
        Value::Vector(mut v) => {
            ended(cost::change(h, &mut v))?;
            v.pop();
            Ok(Value::Vector(v))
        }
        held => {
            let stop = Interrupt::argument(0, "a transient vector", &held);
            Err((held, stop))
        }
    })?;
    Ok(take(a, 0))
}
