//! The natural order of Java: `compareTo`, which takes numbers of one class only.

use super::classes::name_of_class;
use crate::builtins::equality::compare;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::number;
use crate::value::Value;
use std::cmp::Ordering;

/// The order of two values by what they are.
///
/// # Errors
/// When they do not compare.
pub fn natural(h: &mut dyn Host, a: &Value, b: &Value) -> Result<Ordering> {
    of_one_class(a, b)?;
    match compare(h, &mut [a.clone(), b.clone()])? {
        Value::Int(n) => Ok(n.get().cmp(&0)),
        _ => Ok(Ordering::Equal),
    }
}

/// Refuses numbers of two classes, and those of a class without an order.
///
/// # Errors
/// That one.
pub fn of_one_class(a: &Value, b: &Value) -> Result<()> {
    if let (Value::Int(x), Value::Int(y)) = (a, b)
        && x.width() == y.width()
    {
        return Ok(());
    }
    if !number::is_number(a) || !number::is_number(b) {
        return Ok(());
    }
    let class = |v: &Value| crate::print::brief(&name_of_class(v));
    let words = match (class(a), class(b)) {
        (a, _) if a == "clojure.lang.BigInt" => {
            "class clojure.lang.BigInt cannot be cast to class java.lang.Comparable".into()
        }
        // A ratio compares itself with all numbers.
        (a, b) if a == b || a == "clojure.lang.Ratio" => return Ok(()),
        (a, b) => format!("class {b} cannot be cast to class {a}"),
    };
    Err(Interrupt::throw("ClassCastException", ErrorKind::Type, words)
        .hint("compare takes numbers of all classes: give it as the comparator, or call (compare x y)"))
}

/// The same of `n` items that are to be put in order.
///
/// # Errors
/// At the first that is of another class than the one before it.
pub fn all_of_one_class<'a>(h: &mut dyn Host, n: usize, items: impl Iterator<Item = &'a Value>) -> Result<()> {
    h.charge(n as u64 / 2)?;
    let mut before = None;
    for v in items {
        before.map_or(Ok(()), |before| of_one_class(v, before))?;
        before = Some(v);
    }
    Ok(())
}
