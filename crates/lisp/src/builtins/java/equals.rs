//! Java's `equals`: as `=`, but that numbers of two classes differ, NaN is itself, and a record is the map it is over.

use crate::builtins::args::get;
use crate::builtins::collections::lookup::exact;
use crate::builtins::equality::equal;
use crate::cost;
use crate::host::{Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::node::on_deep_stack;
use crate::value::{Map, Value};

/// `(.equals x y)`
pub(super) fn equals(h: &mut dyn Host, a: &mut [Value]) -> Result {
    if get(a, 0).is_nil() {
        return Err(Interrupt::argument(0, "a value", &Value::Nil));
    }
    Ok(Value::Bool(same(h, get(a, 0), get(a, 1))?))
}

/// Whether Java's `equals` holds of two values, nil among them.
///
/// # Errors
/// When fuel or memory ends, or an item cannot be made.
pub fn same(h: &mut dyn Host, x: &Value, y: &Value) -> Result<bool> {
    h.charge(1)?;
    match (x, y) {
        (Value::Int(a), Value::Int(b)) => Ok(a == b && a.width() == b.width()),
        (Value::Float(a), Value::Float(b)) => {
            let same = a.get().to_bits() == b.get().to_bits() || a.get().is_nan() && b.get().is_nan();
            Ok(same && a.width() == b.width())
        }
        (Value::Decimal(a), Value::Decimal(b)) if a.scale != b.scale => Ok(false),
        (Value::Int(_), Value::Big(_)) | (Value::Big(_), Value::Int(_)) => Ok(false),
        (Value::Map(a), Value::Map(b)) => on_deep_stack(|| maps(h, a, b)),
        _ if x.is_sequential() && y.is_sequential() => on_deep_stack(|| items(h, x, y)),
        _ => equal(h, x, y),
    }
}

/// Keys are found as the maps find them; what is at them is compared here. Of which type a record is does not matter.
fn maps(h: &mut dyn Host, a: &Map, b: &Map) -> Result<bool> {
    if a.len() != b.len() {
        return Ok(false);
    }
    for (k, v) in a.iter() {
        cost::key(h, k)?;
        match exact(h, b, k)? {
            Some(w) if same(h, v, &w)? => {}
            _ => return Ok(false),
        }
    }
    Ok(true)
}

fn items(h: &mut dyn Host, x: &Value, y: &Value) -> Result<bool> {
    let (mut x, mut y) = (Iter::new(x.clone())?, Iter::new(y.clone())?);
    loop {
        match (x.next(h)?, y.next(h)?) {
            (None, None) => return Ok(true),
            (Some(v), Some(w)) if same(h, &v, &w)? => {}
            _ => return Ok(false),
        }
    }
}
