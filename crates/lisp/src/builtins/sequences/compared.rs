//! What comparators say.

use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::value::Value;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// How a comparator puts `a` to `b`: it may say so with a boolean or with a number (trap 12).
pub fn compared_by(h: &mut dyn Host, f: &Value, a: &Value, b: &Value) -> Result<Ordering> {
    let number = match h.lend2(f, a.clone(), b)? {
        Value::Bool(true) => return Ok(Ordering::Less),
        Value::Bool(false) => {
            let after = h.lend2(f, b.clone(), a)?.truthy();
            return Ok(if after { Ordering::Greater } else { Ordering::Equal });
        }
        // As Java's `intValue` cuts numbers.
        Value::Int(i) => i.get() as i32,
        Value::Float(f) => f.get() as i32,
        Value::Ratio(r) => r.to_integer().to_i32().unwrap_or(0),
        Value::Big(b) => b.to_i64().unwrap_or(0) as i32,
        Value::Decimal(d) => d.cut() as i32,
        other => {
            let shown = crate::print::brief(&other);
            return Err(Interrupt::error(
                ErrorKind::Type,
                format!("a comparator must give a boolean or a number, got {shown}"),
            ));
        }
    };
    Ok(number.cmp(&0))
}
