//! `java.util.PriorityQueue`: a binary heap, in the order in which Java keeps it.

use super::held::within_depth;
use super::items;
use crate::builtins::java::natural::natural;
use crate::builtins::sequences::compared::compared_by;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::boxed::CellId;
use crate::value::{Value, Vector};
use std::cmp::Ordering;

/// Whether the first comes behind the second.
fn behind(h: &mut dyn Host, order: &Value, a: &Value, b: &Value) -> Result<bool> {
    Ok(compare(h, order, a, b)? == Ordering::Greater)
}

/// The order of two values by a comparator or, with nil, their own.
pub fn compare(h: &mut dyn Host, order: &Value, a: &Value, b: &Value) -> Result<Ordering> {
    h.charge(2)?;
    if !order.is_nil() {
        return compared_by(h, order, a, b);
    }
    natural(h, a, b)
}

fn order(h: &mut dyn Host, id: CellId) -> Value {
    h.cell_options(id)
}

/// What the queue holds now. A comparator may change it meanwhile, which is refused when the change is made.
fn heap(h: &mut dyn Host, id: CellId) -> Vector {
    match h.cell_get(id) {
        Value::Vector(v) => v,
        _ => Vector::new(),
    }
}

/// The moves that bring `v` to its place on the way up from `k`.
fn up(h: &mut dyn Host, order: &Value, all: &Vector, mut k: usize, v: &Value) -> Result<Vec<(usize, Value)>> {
    let mut moves = Vec::new();
    while k > 0 {
        let parent = (k - 1) / 2;
        let above = all.get(parent).cloned().unwrap_or_default();
        if !behind(h, order, &above, v)? {
            break;
        }
        moves.push((k, above));
        k = parent;
    }
    moves.push((k, v.clone()));
    Ok(moves)
}

/// The moves that bring `v` to its place on the way down from `k`, among the first `n`.
fn down(
    h: &mut dyn Host,
    order: &Value,
    all: &Vector,
    mut k: usize,
    v: &Value,
    n: usize,
) -> Result<Vec<(usize, Value)>> {
    let mut moves = Vec::new();
    while k < n / 2 {
        let mut child = 2 * k + 1;
        let mut least = all.get(child).cloned().unwrap_or_default();
        if child + 1 < n {
            let right = all.get(child + 1).cloned().unwrap_or_default();
            if behind(h, order, &least, &right)? {
                child += 1;
                least = right;
            }
        }
        if !behind(h, order, v, &least)? {
            break;
        }
        moves.push((k, least));
        k = child;
    }
    moves.push((k, v.clone()));
    Ok(moves)
}

/// Refuses to go on when the queue is no longer what was looked at.
fn unchanged(h: &mut dyn Host, id: CellId, before: &Vector) -> Result<()> {
    if matches!(h.cell_mut(id), Some(Value::Vector(now)) if now.ptr_eq(before)) {
        return Ok(());
    }
    let words = "the queue was changed while its items were compared";
    Err(Interrupt::throw("ConcurrentModificationException", ErrorKind::Value, words))
}

/// Adds an item.
pub fn offer(h: &mut dyn Host, id: CellId, v: Value) -> Result<()> {
    if v.is_nil() {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "a PriorityQueue holds no nil"));
    }
    within_depth(&v)?;
    let (all, order) = (heap(h, id), order(h, id));
    let n = all.len();
    // What does not compare is refused from the first on.
    if n == 0 && order.is_nil() && !v.is_of_own_type() && crate::value::compare::compare(&v, &v).is_none() {
        let words = format!("cannot compare {}", crate::print::brief(&v));
        return Err(
            Interrupt::error(ErrorKind::Type, words).hint("(java.util.PriorityQueue. comparator) takes any items")
        );
    }
    let moves = up(h, &order, &all, n, &v)?;
    // The last move is to the highest place: a new one is made first.
    let mut made = vec![(n, v)];
    made.extend(moves);
    apply(h, id, all, made, n + 1)
}

/// Takes the least item out.
pub fn poll(h: &mut dyn Host, id: CellId) -> Result<Option<Value>> {
    let (all, order) = (heap(h, id), order(h, id));
    let Some(n) = all.len().checked_sub(1) else { return Ok(None) };
    let first = all.get(0).cloned();
    let last = all.get(n).cloned().unwrap_or_default();
    let moves = if n > 0 { down(h, &order, &all, 0, &last, n)? } else { Vec::new() };
    apply(h, id, all, moves, n)?;
    Ok(first)
}

/// Makes moves. The queue that was looked at is let go of first, so that the change is made in place.
fn apply(h: &mut dyn Host, id: CellId, before: Vector, moves: Vec<(usize, Value)>, len: usize) -> Result<()> {
    unchanged(h, id, &before)?;
    drop(before);
    let Value::Vector(mut all) = h.cell_take(id) else { return Ok(()) };
    crate::cost::change(h, &mut all)?;
    while all.len() > len {
        all.pop();
    }
    for (k, v) in moves {
        if k < all.len() {
            all.set(k, v);
        } else if k == all.len() {
            all.push(v);
        }
    }
    h.charge(1)?;
    h.cell_set(id, Value::Vector(all));
    Ok(())
}

/// Takes the item at a place out.
pub fn remove_at(h: &mut dyn Host, id: CellId, i: usize) -> Result<()> {
    let (all, order) = (heap(h, id), order(h, id));
    let Some(n) = all.len().checked_sub(1) else { return Ok(()) };
    if i == n {
        return apply(h, id, all, Vec::new(), n);
    }
    let last = all.get(n).cloned().unwrap_or_default();
    let mut moves = down(h, &order, &all, i, &last, n)?;
    if moves.len() == 1 {
        moves = up(h, &order, &all, i, &last)?;
    }
    apply(h, id, all, moves, n)
}

/// Puts all items in order, as a new queue of a collection has them.
pub fn heapify(h: &mut dyn Host, id: CellId) -> Result<()> {
    let order = order(h, id);
    let n = items::len(h, id);
    for k in (0..n / 2).rev() {
        let all = heap(h, id);
        let v = all.get(k).cloned().unwrap_or_default();
        let moves = down(h, &order, &all, k, &v, n)?;
        apply(h, id, all, moves, n)?;
    }
    Ok(())
}
