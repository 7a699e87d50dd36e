//! The constructors of Java's collections.

use super::held::{new, within_depth};
use super::methods::capacity;
use super::{heap, maps};
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::{seq_source, sort};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Map, SeqKind, Set, Slice, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "ArrayList.",
        "| coll-or-capacity",
        "A list of Java, which changes in place, empty or of the items of a collection.",
        &[("(let [l (java.util.ArrayList. [1])] (.add l 2) l)", "[1 2]"), ("(= [1 2] (ArrayList. [1 2]))", "true")],
        &Body(|h, a| list(h, a, Place::ArrayList)),
    ),
    Builtin::new(
        "LinkedList.",
        "| coll",
        "A list and queue of Java with two ends, empty or of the items of a collection.",
        &[("(let [q (java.util.LinkedList. [1])] (.add q 2) [(.poll q) (.poll q) (.poll q)])", "[1 2 nil]")],
        &Body(|h, a| list(h, a, Place::LinkedList)),
    ),
    Builtin::new(
        "ArrayDeque.",
        "| coll-or-capacity",
        "A queue and stack of Java with two ends, empty or of the items of a collection.",
        &[("(let [q (java.util.ArrayDeque.)] (.push q 1) (.addLast q 2) [(.pop q) (.peek q)])", "[1 2]")],
        &Body(|h, a| list(h, a, Place::ArrayDeque)),
    ),
    Builtin::new(
        "PriorityQueue.",
        "| coll-or-capacity-or-comparator | capacity comparator",
        "A queue of Java whose least item comes first, by compare or by a comparator.",
        &[
            ("(let [q (java.util.PriorityQueue. [3 1 2])] [(.poll q) (.peek q) (.size q)])", "[1 2 2]"),
            ("(let [q (java.util.PriorityQueue. 10 >)] (.add q 1) (.add q 5) (.poll q))", "5"),
        ],
        &Body(queue),
    ),
    Builtin::new(
        "HashMap.",
        "| map-or-capacity | capacity load-factor",
        "A map of Java, which changes in place, empty or with the entries of a map.",
        &[("(let [m (java.util.HashMap.)] (.put m :a 1) (.get m :a))", "1")],
        &Body(|h, a| map(h, a, Place::HashMap)),
    ),
    Builtin::new(
        "LinkedHashMap.",
        "| map-or-capacity | capacity load-factor",
        "As (HashMap.).",
        &[("(java.util.LinkedHashMap. {:a 1})", "{:a 1}")],
        &Body(|h, a| map(h, a, Place::LinkedHashMap)),
    ),
    Builtin::new(
        "TreeMap.",
        "| map-or-comparator",
        "A map of Java in the order of its keys, by compare or by a comparator.",
        &[("(let [m (java.util.TreeMap. {\"b\" 1})] (.put m \"a\" 2) (.firstKey m))", "\"a\"")],
        &Body(|h, a| map(h, a, Place::TreeMap)),
    ),
    Builtin::new(
        "HashSet.",
        "| coll-or-capacity | capacity load-factor",
        "A set of Java, which changes in place, empty or of the items of a collection.",
        &[("(let [s (java.util.HashSet.)] [(.add s 1) (.add s 1) (.contains s 1)])", "[true false true]")],
        &Body(|h, a| set(h, a, Place::HashSet)),
    ),
    Builtin::new(
        "LinkedHashSet.",
        "| coll-or-capacity | capacity load-factor",
        "As (HashSet.).",
        &[("(java.util.LinkedHashSet. [1 1])", "#{1}")],
        &Body(|h, a| set(h, a, Place::LinkedHashSet)),
    ),
    Builtin::new(
        "TreeSet.",
        "| coll-or-comparator",
        "A set of Java in order, by compare or by a comparator.",
        &[("(.first (java.util.TreeSet. [3 1 2]))", "1")],
        &Body(|h, a| set(h, a, Place::TreeSet)),
    ),
];

/// The items of a collection that is no map, as an argument of a constructor.
fn items(h: &mut dyn Host, a: &mut [Value]) -> Result<Vec<Value>> {
    let refused = match get(a, 0) {
        Value::Nil | Value::Str(_) | Value::Map(_) => true,
        v => {
            v.java().is_none() && !crate::seq::is_seqable(v)
                || matches!(v, Value::Place(id) if id.place().array().is_some())
        }
    };
    if refused {
        return Err(Interrupt::argument(0, "a collection or a capacity", get(a, 0))
            .hint("lists, vectors, sets and collections of Java: (vec x), or (seq m) of a map"));
    }
    let all = seq_source::items(h, a, 0)?;
    all.iter().try_for_each(within_depth)?;
    Ok(all)
}

fn list(h: &mut dyn Host, a: &mut [Value], place: Place) -> Result {
    let all = match a {
        [] => Vec::new(),
        [Value::Int(_)] if place != Place::LinkedList => {
            capacity(get(a, 0))?;
            Vec::new()
        }
        _ => items(h, a)?,
    };
    if place == Place::ArrayDeque && all.iter().any(Value::is_nil) {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "an ArrayDeque holds no nil"));
    }
    let all = Vector::from_vec(all);
    let held =
        if place == Place::ArrayList { Value::Vector(all) } else { Value::Slice(Slice::new(all, 0, SeqKind::Queue)) };
    new(h, place, held)
}

/// Whether the first argument is a function that orders, or a value with a method `compare`.
fn is_order(v: &Value) -> bool {
    matches!(v, Value::Function(_) | Value::Builtin(_)) || matches!(v, Value::Object(_))
}

fn cell(v: &Value) -> Result<CellId> {
    match v {
        Value::Place(id) => Ok(*id),
        _ => Err(Interrupt::error(ErrorKind::Internal, "a collection has lost its place")),
    }
}

fn queue(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (order, all) = match a {
        [] => (Value::Nil, Vec::new()),
        [order] if is_order(order) => (sort::comparator(h, a, 0)?, Vec::new()),
        [Value::Int(_)] => {
            capacity(get(a, 0))?;
            (Value::Nil, Vec::new())
        }
        [_] => (Value::Nil, items(h, a)?),
        _ => {
            capacity(get(a, 0))?;
            let order = if get(a, 1).is_nil() { Value::Nil } else { sort::comparator(h, a, 1)? };
            (order, Vec::new())
        }
    };
    if all.iter().any(Value::is_nil) {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "a PriorityQueue holds no nil"));
    }
    let made = new(h, Place::PriorityQueue, Value::vector(all))?;
    let id = cell(&made)?;
    if !order.is_nil() {
        h.reserve(128)?;
        h.set_cell_options(id, order);
    }
    heap::heapify(h, id)?;
    Ok(made)
}

fn map(h: &mut dyn Host, a: &mut [Value], place: Place) -> Result {
    let sorted = place == Place::TreeMap;
    let empty = match a {
        [order] if sorted && is_order(order) => {
            let order = sort::comparator(h, a, 0)?;
            return new(h, place, Value::Map(Map::ranked(order)));
        }
        _ if sorted => Map::sorted(),
        _ => Map::new(),
    };
    let made = new(h, place, Value::Map(empty))?;
    let id = cell(&made)?;
    match get(a, 0) {
        _ if a.is_empty() => {}
        Value::Int(_) if !sorted => capacity(get(a, 0))?,
        Value::Map(m) => {
            let m = m.clone();
            for (k, v) in m.iter() {
                maps::put(h, id, k.clone(), v.clone())?;
            }
        }
        v => match v.java() {
            Some((from, _)) => match h.cell_get(from) {
                Value::Map(m) => {
                    for (k, v) in m.iter() {
                        maps::put(h, id, k.clone(), v.clone())?;
                    }
                }
                _ => return Err(Interrupt::argument(0, "a map", get(a, 0))),
            },
            None => return Err(Interrupt::argument(0, "a map or a capacity", v)),
        },
    }
    Ok(made)
}

fn set(h: &mut dyn Host, a: &mut [Value], place: Place) -> Result {
    let sorted = place == Place::TreeSet;
    let (empty, all) = match a {
        [] => (if sorted { Set::sorted() } else { Set::new() }, Vec::new()),
        [order] if sorted && is_order(order) => (Set::ranked(sort::comparator(h, a, 0)?), Vec::new()),
        [Value::Int(_), ..] if !sorted => {
            capacity(get(a, 0))?;
            (Set::new(), Vec::new())
        }
        _ => {
            let all = items(h, a)?;
            (if sorted { Set::sorted() } else { Set::new() }, all)
        }
    };
    let made = new(h, place, Value::Set(empty))?;
    let id = cell(&made)?;
    for v in all {
        maps::add(h, id, take(&mut [v], 0))?;
    }
    Ok(made)
}
