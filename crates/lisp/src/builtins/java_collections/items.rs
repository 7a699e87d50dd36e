//! Items of lists and queues of Java, by index and from both ends, changed where they are.

use super::held::within_depth;
use crate::builtins::java::equals::same;
use crate::cost;
use crate::host::{Host, Result};
use crate::value::boxed::CellId;
use crate::value::{SeqKind, Slice, Value, Vector};

/// Free places that a queue gets in front when it grows there, at least.
const GAP: usize = 8;
/// A queue that has lost fewer items at its front keeps their places.
const KEPT: usize = 32;

/// What a list or queue holds, taken out for a change: the items are those from an index on.
struct Taken {
    items: Vector,
    from: usize,
    queue: bool,
}

fn taken(h: &mut dyn Host, id: CellId) -> Result<Taken> {
    let mut taken = match h.cell_take(id) {
        Value::Vector(items) => Taken { items, from: 0, queue: false },
        Value::Slice(s) => {
            let from = s.base().1;
            Taken { items: s.into_base(), from, queue: true }
        }
        _ => Taken { items: Vector::new(), from: 0, queue: false },
    };
    // A limit on the way ends the turn, which takes its changes back.
    cost::change(h, &mut taken.items)?;
    Ok(taken)
}

fn back(h: &mut dyn Host, id: CellId, Taken { items, from, queue }: Taken) {
    let held = if queue { Value::Slice(Slice::new(items, from, SeqKind::Queue)) } else { Value::Vector(items) };
    h.cell_set(id, held);
}

/// All items.
pub fn all(h: &mut dyn Host, id: CellId) -> Result<Vec<Value>> {
    let held = h.cell_get(id);
    let items: Vec<Value> = match &held {
        Value::Vector(v) => {
            h.charge(v.len() as u64 / 2)?;
            h.reserve(v.len() as u64 * 16)?;
            v.iter().cloned().collect()
        }
        Value::Slice(s) => {
            h.charge(s.len() as u64 / 2)?;
            h.reserve(s.len() as u64 * 16)?;
            s.iter().cloned().collect()
        }
        _ => Vec::new(),
    };
    Ok(items)
}

/// How many there are.
pub fn len(h: &mut dyn Host, id: CellId) -> usize {
    match h.cell_mut(id) {
        Some(Value::Vector(v)) => v.len(),
        Some(Value::Slice(s)) => s.len(),
        _ => 0,
    }
}

/// The item at an index.
pub fn at(h: &mut dyn Host, id: CellId, i: usize) -> Option<Value> {
    match h.cell_mut(id)? {
        Value::Vector(v) => v.get(i).cloned(),
        Value::Slice(s) => s.get(i).cloned(),
        _ => None,
    }
}

/// Replaces all items.
pub fn replace(h: &mut dyn Host, id: CellId, items: Vec<Value>) -> Result<()> {
    h.charge(items.len() as u64 / 4)?;
    let queue = matches!(h.cell_mut(id), Some(Value::Slice(_)));
    back(h, id, Taken { items: Vector::from_vec(items), from: 0, queue });
    Ok(())
}

/// Adds an item at the end.
pub fn push_back(h: &mut dyn Host, id: CellId, v: Value) -> Result<()> {
    within_depth(&v)?;
    h.charge(2)?;
    match h.cell_mut(id) {
        Some(Value::Vector(items)) if items.is_unique() => {
            items.push(v);
            return Ok(());
        }
        _ => {}
    }
    let mut all = taken(h, id)?;
    all.items.push(v);
    back(h, id, all);
    Ok(())
}

/// Adds an item in front.
pub fn push_front(h: &mut dyn Host, id: CellId, v: Value) -> Result<()> {
    within_depth(&v)?;
    h.charge(2)?;
    let mut all = taken(h, id)?;
    if all.from == 0 {
        let (n, gap) = (all.items.len(), all.items.len().max(GAP));
        h.charge(n as u64)?;
        h.reserve((n + gap) as u64 * 16)?;
        let items = std::iter::repeat_n(Value::Nil, gap).chain(all.items.into_vec()).collect();
        all = Taken { items: Vector::from_vec(items), from: gap, queue: all.queue };
    }
    all.from -= 1;
    all.items.set(all.from, v);
    back(h, id, all);
    Ok(())
}

/// Takes the first item out.
pub fn pop_front(h: &mut dyn Host, id: CellId) -> Result<Option<Value>> {
    h.charge(2)?;
    if len(h, id) == 0 {
        return Ok(None);
    }
    let mut all = taken(h, id)?;
    let first = all.items.take(all.from);
    all.from += 1;
    let left = all.items.len() - all.from;
    if left == 0 {
        all = Taken { items: Vector::new(), from: 0, queue: all.queue };
    } else if all.from > KEPT && all.from > left {
        h.charge(left as u64 / 4 + 1)?;
        h.reserve(left as u64 * 16)?;
        let items = all.items.into_vec().split_off(all.from);
        all = Taken { items: Vector::from_vec(items), from: 0, queue: all.queue };
    }
    back(h, id, all);
    Ok(first)
}

/// Takes the last item out.
pub fn pop_back(h: &mut dyn Host, id: CellId) -> Result<Option<Value>> {
    h.charge(2)?;
    if len(h, id) == 0 {
        return Ok(None);
    }
    let mut all = taken(h, id)?;
    let last = all.items.pop();
    if all.items.len() <= all.from {
        all = Taken { items: Vector::new(), from: 0, queue: all.queue };
    }
    back(h, id, all);
    Ok(last)
}

/// Puts an item at an index that is there, and gives what was there.
pub fn set(h: &mut dyn Host, id: CellId, i: usize, v: Value) -> Result {
    within_depth(&v)?;
    h.charge(2)?;
    let before = at(h, id, i).unwrap_or_default();
    let mut all = taken(h, id)?;
    all.items.set(all.from + i, v);
    back(h, id, all);
    Ok(before)
}

/// Puts an item in front of that at an index, or at the end.
pub fn insert(h: &mut dyn Host, id: CellId, i: usize, v: Value) -> Result<()> {
    within_depth(&v)?;
    let mut items = all(h, id)?;
    items.insert(i.min(items.len()), v);
    replace(h, id, items)
}

/// Takes the item at an index out.
pub fn remove(h: &mut dyn Host, id: CellId, i: usize) -> Result {
    let n = len(h, id);
    if i == 0 && matches!(h.cell_mut(id), Some(Value::Slice(_))) {
        return Ok(pop_front(h, id)?.unwrap_or_default());
    }
    if i + 1 == n {
        return Ok(pop_back(h, id)?.unwrap_or_default());
    }
    let mut items = all(h, id)?;
    let gone = if i < items.len() { items.remove(i) } else { Value::Nil };
    replace(h, id, items)?;
    Ok(gone)
}

/// Where an item first or last is, by `=`.
pub fn place(h: &mut dyn Host, id: CellId, v: &Value, first: bool) -> Result<Option<usize>> {
    let n = len(h, id);
    for i in 0..n {
        h.charge(1)?;
        let i = if first { i } else { n - 1 - i };
        let item = at(h, id, i).unwrap_or_default();
        if same(h, &item, v)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}
