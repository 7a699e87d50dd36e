//! Sorted maps and sets, by the natural order of their keys or by a comparator, and stretches of them.

use super::sorted_by;
use crate::builtins::args::{get, take};
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::compared::compared_by;
use crate::builtins::sequences::group::incomparable;
use crate::builtins::sequences::sort;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::compare::compare;
use crate::value::{Builtin, Map, Set, Value};
use std::cmp::Ordering;

/// The rows.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "sorted-map",
        "& keyvals",
        "A map that keeps its entries in the order of their keys.",
        &[("(sorted-map :b 1 :a 2)", "{:a 2, :b 1}"), ("(keys (assoc (sorted-map 3 :c) 1 :a))", "(1 3)")],
        &Body(|h, a| pairs(h, a, Map::sorted(), 0)),
    ),
    Builtin::new(
        "sorted-map-by",
        "comparator & keyvals",
        "A map that keeps its entries as a comparator orders their keys; keys for which it gives 0 are one key.",
        &[("(sorted-map-by > 1 :a 3 :c 2 :b)", "{3 :c, 2 :b, 1 :a}"), ("(sorted-map-by {} 1 :a)", "!comparator")],
        &Body(|h, a| {
            let comparator = sort::comparator(h, a, 0)?;
            pairs(h, a, by(comparator).map_or_else(Map::sorted, Map::ranked), 1)
        }),
    ),
    Builtin::new(
        "sorted-set",
        "& items",
        "A set that keeps its members in order.",
        &[("(sorted-set 3 1 2)", "#{1 2 3}"), ("(first (conj (sorted-set 5 7) 2))", "2")],
        &Body(|h, a| members(h, a, Set::sorted(), 0)),
    ),
    Builtin::new(
        "sorted-set-by",
        "comparator & items",
        "A set that keeps its members as a comparator orders them; members for which it gives 0 are one member.",
        &[("(sorted-set-by > 1 3 2)", "#{3 2 1}"), ("(first (conj (sorted-set-by > 1 3) 9))", "9")],
        &Body(|h, a| {
            let comparator = sort::comparator(h, a, 0)?;
            members(h, a, by(comparator).map_or_else(Set::sorted, Set::ranked), 1)
        }),
    ),
    Builtin::new(
        "subseq",
        "sc test key | sc start-test start-key end-test end-key",
        "The items of a sorted collection whose keys fulfil the tests, of which each is one of < <= > >=.",
        &[("(subseq (sorted-set 1 2 3 4) > 2)", "(3 4)"), ("(subseq (sorted-set 1 2 3 4) >= 2 < 4)", "(2 3)")],
        &Body(|h, a| stretch(h, a, false)),
    ),
    Builtin::new(
        "rsubseq",
        "sc test key | sc start-test start-key end-test end-key",
        "The items of subseq from the last to the first.",
        &[("(rsubseq (sorted-set 1 2 3) <= 2)", "(2 1)")],
        &Body(|h, a| stretch(h, a, true)),
    ),
];

/// The comparator, if it is one: nil stands for the natural order.
fn by(comparator: Value) -> Option<Value> {
    if comparator.is_nil() { None } else { Some(comparator) }
}

fn pairs(h: &mut dyn Host, a: &mut [Value], mut m: Map, from: usize) -> Result {
    h.charge(a.len() as u64 * 4)?;
    let mut items = a.iter_mut().skip(from).map(std::mem::take);
    while let Some(k) = items.next() {
        let Some(v) = items.next() else {
            let k = crate::print::brief(&k);
            return Err(Interrupt::error(ErrorKind::Value, format!("No value supplied for key: {k}")));
        };
        sorted_by::insert(h, &mut m, k, v)?;
    }
    Ok(Value::Map(m))
}

fn members(h: &mut dyn Host, a: &mut [Value], mut s: Set, from: usize) -> Result {
    h.charge(a.len() as u64 * 4)?;
    for v in a.iter_mut().skip(from).map(std::mem::take) {
        sorted_by::add(h, &mut s, v)?;
    }
    Ok(Value::Set(s))
}

/// One of the four tests that `subseq` knows.
#[derive(Clone, Copy)]
struct Test {
    greater: bool,
    equal: bool,
}

fn test(a: &[Value], i: usize) -> Result<Test> {
    let name = if let Value::Builtin(b) = get(a, i) { b.name() } else { "" };
    match name {
        "<" | "<=" | ">" | ">=" => Ok(Test { greater: name.starts_with('>'), equal: name.ends_with('=') }),
        _ => Err(Interrupt::argument(i, "one of the functions < <= > >=", get(a, i))),
    }
}

/// How many of the keys, which are in order, are before `key`, those equal to it counted if `with`.
fn before(h: &mut dyn Host, by: Option<&Value>, keys: &[Value], key: &Value, with: bool) -> Result<usize> {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        h.charge(2)?;
        let middle = low + (high - low) / 2;
        let Some(k) = keys.get(middle) else { break };
        let order = match by {
            Some(f) => compared_by(h, f, k, key)?,
            None => compare(k, key).ok_or_else(|| incomparable("compare", k, key))?.cmp(&0),
        };
        if order == Ordering::Less || with && order == Ordering::Equal {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    Ok(low)
}

fn stretch(h: &mut dyn Host, a: &mut [Value], back: bool) -> Result {
    let coll = take(a, 0);
    let m = match &coll {
        Value::Map(m) if m.is_sorted() => m,
        Value::Set(s) if s.is_sorted() => s.as_map(),
        other => return Err(Interrupt::argument(0, "a sorted map or a sorted set", other)),
    };
    h.charge(m.len() as u64 * 3 / 2)?;
    h.reserve(m.len() as u64 * 32)?;
    let keys: Vec<Value> = m.keys().cloned().collect();
    let by = m.comparator();
    let (mut from, mut to) = (0, keys.len());
    // Where Clojure begins its walk: if nothing is there the answer is nil, else a sequence that may be empty.
    let mut nothing = false;
    let both = a.len() > 3;
    for at in (1..a.len()).step_by(2) {
        let t = test(a, at)?;
        let key = take(a, at + 1);
        crate::cost::key(h, &key)?;
        // Up to here are the keys that `>` leaves out and `<=` takes in.
        let cut = before(h, by, &keys, &key, t.greater != t.equal)?;
        if t.greater {
            from = from.max(cut);
        } else {
            to = to.min(cut);
        }
        let begins = if both { (at == 1) != back } else { t.greater != back };
        if begins {
            nothing = match (both, back) {
                (false, _) => from >= to,
                (true, false) => before(h, by, &keys, &key, false)? >= keys.len(),
                (true, true) => before(h, by, &keys, &key, true)? == 0,
            };
        }
    }
    if nothing {
        return Ok(Value::Nil);
    }
    let wanted = to.saturating_sub(from);
    let mut entries = Iter::new(coll.clone())?;
    let mut items = Vec::new();
    let mut i = 0;
    while let Some(x) = entries.next(h)? {
        if i >= from && items.len() < wanted {
            items.push(x);
        }
        i += 1;
    }
    if back {
        items.reverse();
    }
    Ok(Value::seq(items))
}
