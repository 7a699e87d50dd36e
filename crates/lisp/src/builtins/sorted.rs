//! Sorted maps and sets in the natural order of their keys. Comparators of one's own are refused by name.

use super::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Result, Stop};
use crate::order::compare;
use crate::value::{Builtin, Map, Set, Value};

/// The rows.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "sorted-map",
        "& keyvals",
        "A map that keeps its entries in the order of their keys.",
        &[("(sorted-map :b 1 :a 2)", "{:a 2, :b 1}"), ("(keys (assoc (sorted-map 3 :c) 1 :a))", "(1 3)")],
        &Body(sorted_map),
    ),
    Builtin::new(
        "sorted-set",
        "& items",
        "A set that keeps its members in order.",
        &[("(sorted-set 3 1 2)", "#{1 2 3}"), ("(first (conj (sorted-set 5 7) 2))", "2")],
        &Body(sorted_set),
    ),
];

fn sorted_map(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.spend(a.len() as u64 * 4)?;
    let mut m = Map::sorted();
    let mut items = a.iter_mut().map(std::mem::take);
    while let Some(k) = items.next() {
        let Some(v) = items.next() else {
            let k = crate::print::brief(&k);
            return Err(Stop::error(ErrorKind::Value, format!("sorted-map: no value for the key {k}")));
        };
        cost::key(h, &k)?;
        comparable(m.keys().next(), &k)?;
        m.insert(k, v);
    }
    Ok(Value::Map(m))
}

fn sorted_set(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.spend(a.len() as u64 * 4)?;
    let mut s = Set::sorted();
    for v in a.iter_mut().map(std::mem::take) {
        cost::key(h, &v)?;
        comparable(s.iter().next(), &v)?;
        s.insert(v);
    }
    Ok(Value::Set(s))
}

/// Kinds that cannot be compared cannot be sorted (trap 12).
fn comparable(first: Option<&Value>, key: &Value) -> Result<()> {
    match first {
        Some(f) if compare(f, key).is_none() => {
            let (a, b) = (crate::print::brief(f), crate::print::brief(key));
            Err(Stop::error(ErrorKind::Type, format!("cannot compare {a} with {b}")))
        }
        _ => Ok(()),
    }
}
