//! The methods of Java's collections.

use super::held::{new, nothing_there, within_depth};
use super::{heap, items, maps, parts, removal};
use crate::builtins::args::{clamped, get, take};
use crate::builtins::arrays;
use crate::builtins::java::equals::same;
use crate::builtins::java::natural::all_of_one_class;
use crate::builtins::sequences::seq_source;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::seq_of;
use crate::value::boxed::{ArrayKind, CellId, Place};
use crate::value::java_kind::JavaKind;
use crate::value::{Value, Vector};

/// What a method of a collection of Java gives; `None` where the first argument is none.
///
/// # Errors
/// Those of the method, and where the collection has none of this name.
pub fn call(h: &mut dyn Host, a: &mut [Value], method: &'static str) -> Result<Option<Value>> {
    let Some((id, kind)) = get(a, 0).java() else { return Ok(None) };
    h.charge(2)?;
    let found = match kind {
        JavaKind::List => of_list(h, id, a, method)?,
        JavaKind::Deque => of_queue(h, id, a, method)?,
        JavaKind::Heap => of_heap(h, id, a, method)?,
        JavaKind::Map => maps::of_map(h, id, a, method)?,
        JavaKind::Set if method == "descendingIterator" => match parts::of_sorted(h, id, a, "descendingSet")? {
            Some(all) => Some(iterator(h, all)?),
            None => None,
        },
        JavaKind::Set => maps::of_set(h, id, a, method)?,
        JavaKind::Iterator => of_iterator(h, id, a, method)?,
    };
    let found = match found {
        None => of_any(h, id, a, method)?,
        found => found,
    };
    match found {
        Some(v) => Ok(Some(v)),
        None => {
            let n = a.len().saturating_sub(1);
            let words = format!("{} has no method .{method} of {n} arguments here", id.place().kind());
            Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words))
        }
    }
}

#[cold]
fn outside(at: i64, len: usize) -> Interrupt {
    let words = format!("Index {at} out of bounds for length {len}");
    Interrupt::throw("IndexOutOfBoundsException", ErrorKind::Index, words)
}

/// An index up to, without, `len`.
fn index(a: &[Value], i: usize, len: usize) -> Result<usize> {
    let at = crate::builtins::args::int(a, i)?;
    usize::try_from(at).ok().filter(|at| *at < len).ok_or_else(|| outside(at, len))
}

fn some(v: Value) -> Result<Option<Value>> {
    Ok(Some(v))
}

fn number(i: Option<usize>) -> Value {
    Value::int(i.and_then(|i| i64::try_from(i).ok()).unwrap_or(-1))
}

fn of_list(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    let len = items::len(h, id);
    match (method, a.len()) {
        ("add", 2) => {
            items::push_back(h, id, take(a, 1))?;
            some(Value::Bool(true))
        }
        ("add", 3) => {
            let at = index(a, 1, len + 1)?;
            items::insert(h, id, at, take(a, 2))?;
            some(Value::Nil)
        }
        ("addAll", 2) => {
            let more = seq_source::items(h, a, 1)?;
            let any = !more.is_empty();
            more.into_iter().try_for_each(|v| items::push_back(h, id, v))?;
            some(Value::Bool(any))
        }
        ("addAll", 3) => {
            let at = index(a, 1, len + 1)?;
            let more = seq_source::items(h, a, 2)?;
            more.iter().try_for_each(within_depth)?;
            let mut all = items::all(h, id)?;
            h.reserve((all.len() + more.len()) as u64 * 16)?;
            let any = !more.is_empty();
            all.splice(at..at, more);
            items::replace(h, id, all)?;
            some(Value::Bool(any))
        }
        ("get", 2) => {
            let at = index(a, 1, len)?;
            Ok(items::at(h, id, at))
        }
        ("set", 3) => {
            let at = index(a, 1, len)?;
            items::set(h, id, at, take(a, 2)).map(Some)
        }
        ("remove", 2) => match get(a, 1) {
            Value::Int(_) => {
                let at = index(a, 1, len)?;
                items::remove(h, id, at).map(Some)
            }
            _ => remove_first(h, id, get(a, 1)),
        },
        ("indexOf", 2) => some(number(items::place(h, id, get(a, 1), true)?)),
        ("lastIndexOf", 2) => some(number(items::place(h, id, get(a, 1), false)?)),
        ("subList", 3) => {
            let (from, to) = arrays::items::range(a, 1, len)?;
            let all = items::all(h, id)?;
            some(Value::vector(all.get(from..to).unwrap_or_default().to_vec()))
        }
        ("sort", 2) => {
            sort(h, id, take(a, 1))?;
            some(Value::Nil)
        }
        _ => Ok(None),
    }
}

/// Puts the items of a list in order, by a comparator or, with nil, their own.
pub(super) fn sort(h: &mut dyn Host, id: CellId, order: Value) -> Result<()> {
    let all = items::all(h, id)?;
    if order.is_nil() {
        all_of_one_class(h, all.len(), all.iter())?;
    }
    let all = Value::vector(all);
    let f = seq_source::core(h, "sort")?;
    let sorted = if order.is_nil() { h.call1(&f, all)? } else { h.call2(&f, order, all)? };
    let sorted = seq_source::items(h, &mut [sorted], 0)?;
    items::replace(h, id, sorted)
}

fn remove_first(h: &mut dyn Host, id: CellId, v: &Value) -> Result<Option<Value>> {
    match items::place(h, id, v, true)? {
        Some(at) => {
            items::remove(h, id, at)?;
            some(Value::Bool(true))
        }
        None => some(Value::Bool(false)),
    }
}

fn of_queue(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    let list = id.place() == Place::LinkedList;
    let n = a.len();
    if let ("add" | "addFirst" | "addLast" | "offer" | "offerFirst" | "offerLast" | "push", 2) = (method, n)
        && !list
        && get(a, 1).is_nil()
    {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "an ArrayDeque holds no nil"));
    }
    match (method, n) {
        ("offer" | "offerLast", 2) => {
            items::push_back(h, id, take(a, 1))?;
            some(Value::Bool(true))
        }
        ("addLast", 2) => {
            items::push_back(h, id, take(a, 1))?;
            some(Value::Nil)
        }
        ("offerFirst", 2) => {
            items::push_front(h, id, take(a, 1))?;
            some(Value::Bool(true))
        }
        ("addFirst" | "push", 2) => {
            items::push_front(h, id, take(a, 1))?;
            some(Value::Nil)
        }
        ("poll" | "pollFirst", 1) => some(items::pop_front(h, id)?.unwrap_or_default()),
        ("pollLast", 1) => some(items::pop_back(h, id)?.unwrap_or_default()),
        ("remove" | "removeFirst" | "pop", 1) => items::pop_front(h, id)?.ok_or_else(nothing_there).map(Some),
        ("removeLast", 1) => items::pop_back(h, id)?.ok_or_else(nothing_there).map(Some),
        ("peek" | "peekFirst", 1) => some(items::at(h, id, 0).unwrap_or_default()),
        ("peekLast", 1) => some(last(h, id).unwrap_or_default()),
        ("getFirst" | "element", 1) => items::at(h, id, 0).ok_or_else(nothing_there).map(Some),
        ("getLast", 1) => last(h, id).ok_or_else(nothing_there).map(Some),
        ("remove", 2) if !list => remove_first(h, id, get(a, 1)),
        ("removeFirstOccurrence", 2) => remove_first(h, id, get(a, 1)),
        ("removeLastOccurrence", 2) => {
            let at = items::place(h, id, get(a, 1), false)?;
            if let Some(at) = at {
                items::remove(h, id, at)?;
            }
            some(Value::Bool(at.is_some()))
        }
        ("descendingIterator", 1) => {
            let mut all = items::all(h, id)?;
            all.reverse();
            iterator(h, Value::vector(all)).map(Some)
        }
        ("add" | "addAll", 2) => of_list(h, id, a, method),
        _ if list => of_list(h, id, a, method),
        _ => Ok(None),
    }
}

fn last(h: &mut dyn Host, id: CellId) -> Option<Value> {
    let at = items::len(h, id).checked_sub(1)?;
    items::at(h, id, at)
}

fn of_heap(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    match (method, a.len()) {
        ("add" | "offer", 2) => {
            heap::offer(h, id, take(a, 1))?;
            some(Value::Bool(true))
        }
        ("addAll", 2) => {
            let more = seq_source::items(h, a, 1)?;
            let any = !more.is_empty();
            more.into_iter().try_for_each(|v| heap::offer(h, id, v))?;
            some(Value::Bool(any))
        }
        ("poll", 1) => some(heap::poll(h, id)?.unwrap_or_default()),
        ("remove", 1) => heap::poll(h, id)?.ok_or_else(nothing_there).map(Some),
        ("peek", 1) => some(items::at(h, id, 0).unwrap_or_default()),
        ("element", 1) => items::at(h, id, 0).ok_or_else(nothing_there).map(Some),
        ("remove", 2) => match items::place(h, id, get(a, 1), true)? {
            Some(at) => {
                heap::remove_at(h, id, at)?;
                some(Value::Bool(true))
            }
            None => some(Value::Bool(false)),
        },
        _ => Ok(None),
    }
}

fn of_iterator(h: &mut dyn Host, id: CellId, a: &[Value], method: &str) -> Result<Option<Value>> {
    match (method, a.len()) {
        ("hasNext", 1) => {
            let left = left(h, id)?;
            some(Value::Bool(!left.is_nil()))
        }
        ("next", 1) => {
            h.charge(6)?;
            let (first, rest) = match left(h, id)? {
                Value::Nil => return Err(nothing_there()),
                Value::Cons(c) => (c.first().clone(), c.rest().clone()),
                Value::Slice(s) => {
                    let first = s.first().cloned().unwrap_or_default();
                    (first, Value::Slice(s.rest()))
                }
                _ => return Err(Interrupt::error(ErrorKind::Internal, "an iterator has lost its items")),
            };
            h.cell_set(id, rest);
            removal::passed(h, id, &first)?;
            some(first)
        }
        ("remove", 1) => removal::remove(h, id).map(Some),
        _ => Ok(None),
    }
}

/// What an iterator has yet to give, as a sequence, or nil.
fn left(h: &mut dyn Host, id: CellId) -> Result {
    let held = h.cell_get(id);
    let left = seq_of(h, held)?;
    h.cell_set(id, left.clone());
    Ok(left)
}

/// Takes all that an iterator has yet to give out of it.
pub(super) fn drained(h: &mut dyn Host, id: CellId) -> Result {
    let all = left(h, id)?;
    h.cell_set(id, Value::Nil);
    Ok(all)
}

/// An iterator over a collection.
pub(super) fn iterator(h: &mut dyn Host, coll: Value) -> Result {
    let from = coll.java().map(|(id, _)| id);
    let items = seq_of(h, coll)?;
    within_depth(&items)?;
    let made = new(h, Place::Iterator, items)?;
    if let (Some(from), Some((id, _))) = (from, made.java()) {
        removal::begin(h, id, from)?;
    }
    Ok(made)
}

/// What all collections have.
fn of_any(h: &mut dyn Host, id: CellId, a: &mut [Value], method: &str) -> Result<Option<Value>> {
    if id.place() == Place::Iterator {
        return Ok(None);
    }
    match (method, a.len()) {
        ("clear", 1) => {
            parts::changes(id, method)?;
            let empty = match h.cell_get(id) {
                Value::Vector(_) => Value::Vector(Vector::new()),
                Value::Slice(_) => Value::Slice(crate::value::Slice::empty_queue()),
                Value::Map(m) => Value::Map(m.emptied()),
                Value::Set(s) => Value::Set(s.emptied()),
                other => other,
            };
            h.cell_set(id, empty);
            some(Value::Nil)
        }
        ("iterator", 1) => iterator(h, take(a, 0)).map(Some),
        ("contains", 2) => some(Value::Bool(items::place(h, id, get(a, 1), true)?.is_some())),
        ("toArray", 1) => {
            let all = seq_source::items(h, a, 0)?;
            arrays::items::new(h, ArrayKind::Object, Vector::from_vec(all)).map(Some)
        }
        ("containsAll", 2) => {
            for v in seq_source::items(h, a, 1)? {
                let has = call(h, &mut [get(a, 0).clone(), v], "contains")?;
                if !has.unwrap_or_default().truthy() {
                    return some(Value::Bool(false));
                }
            }
            some(Value::Bool(true))
        }
        ("removeAll" | "retainAll", 2) if items_kind(id) => {
            let (keeps, of) = (method == "retainAll", seq_source::items(h, a, 1)?);
            let mut left = Vec::new();
            let all = items::all(h, id)?;
            let n = all.len();
            for v in all {
                let mut among = false;
                for w in &of {
                    h.charge(1)?;
                    among = same(h, &v, w)?;
                    if among {
                        break;
                    }
                }
                if among == keeps {
                    left.push(v);
                }
            }
            let changed = left.len() != n;
            if changed {
                items::replace(h, id, left)?;
                if id.place() == Place::PriorityQueue {
                    heap::heapify(h, id)?;
                }
            }
            some(Value::Bool(changed))
        }
        _ => Ok(None),
    }
}

fn items_kind(id: CellId) -> bool {
    matches!(id.place().java(), Some(JavaKind::List | JavaKind::Deque | JavaKind::Heap))
}

/// A capacity, which means nothing here.
pub(super) fn capacity(v: &Value) -> Result<()> {
    match v {
        Value::Int(n) if n.get() < 0 => {
            let words = format!("Illegal Capacity: {n}");
            Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words))
        }
        Value::Int(n) => {
            clamped(n.get());
            Ok(())
        }
        other => Err(Interrupt::argument(0, "a collection or a capacity", other)),
    }
}
