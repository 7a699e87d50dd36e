//! What Java calls a function: a function of the language, or a value of the program's own with the method of an interface of
//! `java.util.function`. The methods that take one, and those of comparators.

use super::held::{changed_meanwhile, order_as_number as number, reversed, within_depth};
use super::methods::call;
use super::{heap, items, maps};
use crate::builtins::args::{get, take};
use crate::builtins::functions::combinators::native;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::compared::compared_by;
use crate::builtins::sequences::sort::comparator;
use crate::builtins::types::own_method;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::seq::Iter;
use crate::value::boxed::CellId;
use crate::value::java_kind::JavaKind;
use crate::value::{Builtin, Value};
use std::cmp::Ordering;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".forEach",
        "coll f",
        "Calls a function with each item of a collection, or with each key and value of a map; nil.",
        &[("(with-out-str (.forEach (java.util.ArrayList. [1 2]) print))", "\"12\"")],
        &Body(for_each),
    ),
    Builtin::new(
        ".apply",
        "f x | f x y",
        "What the method apply of a value of the program's own gives.",
        &[("(let [f (reify java.util.function.Function (apply [_ x] (inc x)))] (.apply f 1))", "2")],
        &Body(|h, a| own(h, a, "apply")),
    ),
    Builtin::new(
        ".test",
        "f x | f x y",
        "What the method test of a value of the program's own gives.",
        &[("(let [f (reify java.util.function.Predicate (test [_ x] (odd? x)))] (.test f 1))", "true")],
        &Body(|h, a| own(h, a, "test")),
    ),
    Builtin::new(
        ".accept",
        "f x | f x y",
        "What the method accept of a value of the program's own gives.",
        &[("(let [f (reify java.util.function.Consumer (accept [_ x] nil))] (.accept f 1))", "nil")],
        &Body(|h, a| own(h, a, "accept")),
    ),
    Builtin::new(
        ".run",
        "f",
        "Calls a function, or the method run of a value of the program's own; nil.",
        &[("(.run (fn [] 1))", "nil")],
        &Body(|h, a| own(h, a, "run")),
    ),
    Builtin::new(
        ".call",
        "f",
        "What a function gives, or the method call of a value of the program's own.",
        &[("(.call (fn [] 1))", "1")],
        &Body(|h, a| own(h, a, "call")),
    ),
    Builtin::new(
        ".removeIf",
        "coll pred",
        "Takes out of a collection of Java what a predicate is true of; whether that changed it.",
        &[("(let [l (java.util.ArrayList. [1 2 3])] [(.removeIf l odd?) l])", "[true [2]]")],
        &Body(remove_if),
    ),
    Builtin::new(
        ".merge",
        "map key val f",
        "Binds a key of a map of Java to val, or to what f makes of the value that is there and val; nil takes the key out. Gives the new value.",
        &[("(let [m (java.util.HashMap. {:a 1})] (.merge m :a 5 +) (.merge m :b 7 +) m)", "{:a 6, :b 7}")],
        &Body(merge),
    ),
    Builtin::new(
        ".computeIfAbsent",
        "map key f",
        "The value of a key of a map of Java; where there is none, what f makes of the key, which it has from now on.",
        &[(
            "(let [m (java.util.HashMap.)] (.add (.computeIfAbsent m :a (fn [_] (java.util.ArrayList.))) 1) m)",
            "{:a [1]}",
        )],
        &Body(|h, a| compute(h, a, Compute::Absent)),
    ),
    Builtin::new(
        ".computeIfPresent",
        "map key f",
        "Binds a key that a map of Java has to what f makes of it and its value; nil takes it out. Gives the new value.",
        &[("(let [m (java.util.HashMap. {:a 1})] (.computeIfPresent m :a (fn [_ v] (inc v))) m)", "{:a 2}")],
        &Body(|h, a| compute(h, a, Compute::Present)),
    ),
    Builtin::new(
        ".compute",
        "map key f",
        "Binds a key of a map of Java to what f makes of it and its value, or nil; nil takes it out. Gives the new value.",
        &[("(let [m (java.util.HashMap.)] (.compute m :a (fn [k v] (inc (or v 0)))) m)", "{:a 1}")],
        &Body(|h, a| compute(h, a, Compute::Any)),
    ),
    Builtin::new(
        ".reversed",
        "comparator",
        "A comparator of the opposite order.",
        &[("(sort (.reversed compare) [1 3 2])", "(3 2 1)")],
        &Body(|h, a| {
            let f = order(h, a, 0)?;
            reversed(h, f)
        }),
    ),
    Builtin::new(
        ".thenComparing",
        "comparator other",
        "A comparator that asks another where the first finds both alike.",
        &[(
            "(sort (.thenComparing (comparator (fn [a b] (< (count a) (count b)))) compare) [\"b\" \"aa\" \"a\"])",
            "(\"a\" \"b\" \"aa\")",
        )],
        &Body(|h, a| {
            let (first, second) = (order(h, a, 0)?, order(h, a, 1)?);
            native(h, "thenComparing", vec![first, second], (2, Some(2)), |h, held, a| {
                let first = compared_by(h, get(held, 0), get(a, 0), get(a, 1))?;
                Ok(number(match first {
                    Ordering::Equal => compared_by(h, get(held, 1), get(a, 0), get(a, 1))?,
                    other => other,
                }))
            })
        }),
    ),
    Builtin::new(
        "Collections/reverseOrder",
        "| comparator",
        "A comparator of the opposite order of compare, or of another comparator.",
        &[("(sort (java.util.Collections/reverseOrder) [1 3 2])", "(3 2 1)")],
        &Body(|h, a| {
            let f = if a.is_empty() || get(a, 0).is_nil() { natural(h)? } else { order(h, a, 0)? };
            reversed(h, f)
        }),
    ),
    Builtin::new(
        "Comparator/naturalOrder",
        "",
        "The order of compare, as a comparator.",
        &[("(sort (java.util.Comparator/naturalOrder) [2 1])", "(1 2)")],
        &Body(|h, _| natural(h)),
    ),
    Builtin::new(
        "Comparator/reverseOrder",
        "",
        "The opposite order of compare, as a comparator.",
        &[("(sort (java.util.Comparator/reverseOrder) [1 2])", "(2 1)")],
        &Body(|h, _| {
            let f = natural(h)?;
            reversed(h, f)
        }),
    ),
];

fn natural(h: &mut dyn Host) -> Result {
    crate::builtins::sequences::seq_source::core(h, "compare")
}

/// A comparator that is no nil.
fn order(h: &mut dyn Host, a: &mut [Value], i: usize) -> Result {
    match comparator(h, a, i)? {
        Value::Nil => Err(Interrupt::argument(i, "a comparator", &Value::Nil)),
        f => Ok(f),
    }
}

/// Calls what Java takes for a function, argument `i` of the method: a function, or a value with this method.
fn apply(h: &mut dyn Host, f: &Value, i: usize, method: &str, args: &mut [Value]) -> Result {
    h.charge(2)?;
    if let Some(own) = own_method(h, f, method)? {
        let mut all = vec![f.clone()];
        all.extend(args.iter_mut().map(std::mem::take));
        return h.call(&own, &mut all);
    }
    match f {
        Value::Function(_) | Value::Builtin(_) | Value::Tool(_) => h.call(f, args),
        Value::Nil => Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "nil is no function")),
        other => Err(Interrupt::argument(i, "a function", other)),
    }
}

fn for_each(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (coll, f) = (take(a, 0), take(a, 1));
    let held = match coll.java() {
        Some((id, JavaKind::Map)) => h.cell_get(id),
        _ => coll,
    };
    let pairs = matches!(held, Value::Map(_));
    if matches!(held, Value::Nil | Value::Str(_)) || !crate::seq::is_seqable(&held) {
        return Err(Interrupt::argument(0, "a collection", &held));
    }
    let mut all = Iter::new(held)?;
    while let Some(v) = all.next(h)? {
        h.charge(1)?;
        match v.as_entry() {
            Some((k, v)) if pairs => apply(h, &f, 1, "accept", &mut [k, v])?,
            _ => apply(h, &f, 1, "accept", &mut [v])?,
        };
    }
    Ok(Value::Nil)
}

#[cold]
fn no_such(v: &Value, method: &str) -> Interrupt {
    if v.java().is_some() || !crate::seq::is_seqable(v) || v.is_nil() || matches!(v, Value::Str(_)) {
        let words = format!("{} has no method {method} here", crate::print::brief(v));
        return Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words);
    }
    let words = format!("{method} changes a collection of Java, and values never change");
    Interrupt::throw("UnsupportedOperationException", ErrorKind::Type, words)
}

fn remove_if(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let Some((id, kind)) = get(a, 0).java() else { return Err(no_such(get(a, 0), ".removeIf")) };
    let f = take(a, 1);
    match kind {
        JavaKind::List | JavaKind::Deque | JavaKind::Heap => {
            let all = items::all(h, id)?;
            let n = all.len();
            h.reserve(n as u64 * 16)?;
            let mut left = Vec::with_capacity(n);
            for v in all {
                if !apply(h, &f, 1, "test", &mut [v.clone()])?.truthy() {
                    left.push(v);
                }
            }
            unchanged(items::len(h, id) == n)?;
            let changed = left.len() < n;
            if changed {
                items::replace(h, id, left)?;
                if kind == JavaKind::Heap {
                    heap::heapify(h, id)?;
                }
            }
            Ok(Value::Bool(changed))
        }
        JavaKind::Set => {
            let mut all = Iter::new(h.cell_get(id))?;
            let mut changed = false;
            while let Some(v) = all.next(h)? {
                if apply(h, &f, 1, "test", &mut [v.clone()])?.truthy() {
                    call(h, &mut [get(a, 0).clone(), v], "remove")?;
                    changed = true;
                }
            }
            Ok(Value::Bool(changed))
        }
        _ => Err(no_such(get(a, 0), ".removeIf")),
    }
}

/// Puts what a function makes of each item of a list into its place, or of each key and value of a map into that of the value.
///
/// # Errors
/// Those of the function.
pub fn replace_all(h: &mut dyn Host, a: &mut [Value]) -> Result<Option<Value>> {
    let Some((id, kind)) = get(a, 0).java() else { return Ok(None) };
    let f = take(a, 1);
    match kind {
        JavaKind::List | JavaKind::Deque => {
            let all = items::all(h, id)?;
            let n = all.len();
            h.reserve(n as u64 * 16)?;
            let mut new = Vec::with_capacity(n);
            for v in all {
                let v = apply(h, &f, 1, "apply", &mut [v])?;
                within_depth(&v)?;
                new.push(v);
            }
            unchanged(items::len(h, id) == n)?;
            items::replace(h, id, new)?;
        }
        JavaKind::Map => {
            let mut all = Iter::new(h.cell_get(id))?;
            while let Some(entry) = all.next(h)? {
                let Some((k, v)) = entry.as_entry() else { continue };
                let v = apply(h, &f, 1, "apply", &mut [k.clone(), v])?;
                maps::put(h, id, k, v)?;
            }
        }
        _ => return Err(no_such(get(a, 0), ".replaceAll")),
    }
    Ok(Some(Value::Nil))
}

fn unchanged(same: bool) -> Result<()> {
    if same { Ok(()) } else { Err(changed_meanwhile()) }
}

fn map_of(a: &[Value], method: &str) -> Result<CellId> {
    match get(a, 0).java() {
        Some((id, JavaKind::Map)) => Ok(id),
        _ => Err(no_such(get(a, 0), method)),
    }
}

fn size(h: &mut dyn Host, id: CellId) -> usize {
    match h.cell_mut(id) {
        Some(Value::Map(m)) => m.len(),
        _ => 0,
    }
}

/// Binds a key to a value, or takes it out where that is nil; gives the value.
fn bind(h: &mut dyn Host, a: &mut [Value], id: CellId, v: Value) -> Result {
    if v.is_nil() {
        call(h, &mut [get(a, 0).clone(), take(a, 1)], "remove")?;
    } else {
        maps::put(h, id, take(a, 1), v.clone())?;
    }
    Ok(v)
}

fn merge(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = map_of(a, ".merge")?;
    if get(a, 2).is_nil() {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "merge takes no nil"));
    }
    let before = maps::value_at(h, id, get(a, 1))?.unwrap_or_default();
    let v = if before.is_nil() {
        take(a, 2)
    } else {
        let (f, n) = (take(a, 3), size(h, id));
        let v = apply(h, &f, 3, "apply", &mut [before, take(a, 2)])?;
        unchanged(size(h, id) == n)?;
        v
    };
    bind(h, a, id, v)
}

#[derive(Clone, Copy, PartialEq)]
enum Compute {
    Absent,
    Present,
    Any,
}

fn compute(h: &mut dyn Host, a: &mut [Value], when: Compute) -> Result {
    let id = map_of(a, ".compute")?;
    let before = maps::value_at(h, id, get(a, 1))?.unwrap_or_default();
    match when {
        Compute::Absent if !before.is_nil() => return Ok(before),
        Compute::Present if before.is_nil() => return Ok(Value::Nil),
        _ => {}
    }
    let (f, n) = (take(a, 2), size(h, id));
    let key = get(a, 1).clone();
    let v = match when {
        Compute::Absent => apply(h, &f, 2, "apply", &mut [key])?,
        _ => apply(h, &f, 2, "apply", &mut [key, before])?,
    };
    unchanged(size(h, id) == n)?;
    if when == Compute::Absent && v.is_nil() {
        return Ok(Value::Nil);
    }
    bind(h, a, id, v)
}

/// Calls the method of this name of a value of the program's own; functions can be run and called as well.
pub fn own(h: &mut dyn Host, a: &mut [Value], method: &'static str) -> Result {
    let f = take(a, 0);
    let rest = a.get_mut(1..).unwrap_or_default();
    match (own_method(h, &f, method)?, &f) {
        (None, Value::Function(_) | Value::Builtin(_) | Value::Tool(_)) if matches!(method, "run" | "call") => {}
        (None, other) => {
            let words = format!("{} has no method .{method}", crate::print::brief(other));
            return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
        }
        (Some(_), _) => {}
    }
    let v = apply(h, &f, 0, method, rest)?;
    Ok(if method == "run" { Value::Nil } else { v })
}
