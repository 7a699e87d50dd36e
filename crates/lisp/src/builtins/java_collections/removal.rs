//! The method `.remove` of an iterator: it takes what the iterator gave last out of the collection that it walks.

use super::held::changed_meanwhile;
use super::{heap, items};
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use crate::value::boxed::CellId;
use crate::value::java_kind::JavaKind;

/// What an iterator remembers of the collection it walks: the collection, how many items it has passed, how many are in the
/// collection, and the last one, where there is one to remove.
fn remember(h: &mut dyn Host, id: CellId, from: CellId, passed: i64, size: i64, last: Option<Value>) {
    let mut all = vec![Value::Place(from), Value::int(passed), Value::int(size)];
    all.extend(last);
    h.set_cell_options(id, Value::vector(all));
}

fn remembered(h: &mut dyn Host, id: CellId) -> Option<(CellId, i64, i64, Option<Value>)> {
    let Value::Vector(all) = h.cell_options(id) else { return None };
    match (all.get(0), all.get(1), all.get(2)) {
        (Some(Value::Place(from)), Some(Value::Int(passed)), Some(Value::Int(size))) => {
            Some((*from, passed.get(), size.get(), all.get(3).cloned()))
        }
        _ => None,
    }
}

fn size(h: &mut dyn Host, id: CellId) -> i64 {
    let n = match h.cell_mut(id) {
        Some(Value::Set(s)) => s.len(),
        _ => items::len(h, id),
    };
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// An iterator begins to walk a collection of Java.
pub(super) fn begin(h: &mut dyn Host, id: CellId, from: CellId) -> Result<()> {
    if matches!(from.place().java(), Some(JavaKind::Map | JavaKind::Iterator) | None) {
        return Ok(());
    }
    h.charge(4)?;
    h.reserve(256)?;
    let size = size(h, from);
    remember(h, id, from, 0, size, None);
    Ok(())
}

/// An iterator has given an item.
pub(super) fn passed(h: &mut dyn Host, id: CellId, last: &Value) -> Result<()> {
    if let Some((from, passed, size, _)) = remembered(h, id) {
        h.charge(4)?;
        h.reserve(128)?;
        remember(h, id, from, passed.saturating_add(1), size, Some(last.clone()));
    }
    Ok(())
}

/// Takes what an iterator gave last out of its collection.
pub(super) fn remove(h: &mut dyn Host, id: CellId) -> Result {
    h.charge(4)?;
    let Some((from, passed, before, last)) = remembered(h, id) else {
        let words = "this iterator walks a copy: it has no .remove here";
        return Err(Interrupt::error(ErrorKind::Denied, words)
            .hint("(.removeIf coll pred) takes items out of a collection, (.remove map key) an entry out of a map"));
    };
    let Some(last) = last else {
        let words = "the iterator has given no item that is there to remove";
        return Err(Interrupt::throw("IllegalStateException", ErrorKind::Value, words));
    };
    if size(h, from) != before {
        return Err(changed_meanwhile());
    }
    let at = usize::try_from(passed.saturating_sub(1)).unwrap_or_default();
    match from.place().java() {
        Some(JavaKind::List | JavaKind::Deque) => {
            items::remove(h, from, at)?;
        }
        Some(JavaKind::Heap) => match items::place(h, from, &last, true)? {
            Some(at) => heap::remove_at(h, from, at)?,
            None => return Err(changed_meanwhile()),
        },
        _ => super::maps::without(h, from, &last)?,
    }
    let after = size(h, from);
    // Items of a list have moved up by one.
    remember(h, id, from, passed.saturating_sub(1), after, None);
    Ok(Value::Nil)
}
