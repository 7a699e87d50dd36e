//! `clojure.lang.PersistentQueue`: a vector that is added to at its end and read from its front.

use crate::cost;
use crate::host::{Host, Result};
use crate::value::{SeqKind, Slice, Value, Vector};

/// A queue that has dropped fewer items keeps them in its vector.
const KEPT: usize = 32;

/// The queue with `x` at its end, in place when nobody else holds it.
pub fn push(h: &mut dyn Host, queue: Slice, x: Value) -> Result {
    let from = queue.base().1;
    let mut items = queue.into_base();
    cost::change(h, &mut items)?;
    items.push(x);
    Ok(Value::Slice(Slice::new(items, from, SeqKind::Queue)))
}

/// The queue without its first item; an empty one as it is, as in Clojure.
///
/// What was taken off stays in the vector until it is half of it, so a queue holds at most twice what is in it and
/// a long chain of `pop` costs a constant each.
pub fn pop(h: &mut dyn Host, mut queue: Slice) -> Result {
    queue.advance();
    let (gone, left) = (queue.base().1, queue.len());
    if left == 0 {
        return Ok(Value::Slice(Slice::empty_queue()));
    }
    if gone > KEPT && gone > left {
        h.charge(left as u64 / 4 + 1)?;
        h.reserve(left as u64 * 16)?;
        let items: Vec<Value> = queue.iter().cloned().collect();
        return Ok(Value::Slice(Slice::new(Vector::from_vec(items), 0, SeqKind::Queue)));
    }
    Ok(Value::Slice(queue))
}
