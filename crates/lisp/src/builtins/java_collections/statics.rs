//! More of `java.util.Collections`, and `List/of` and its kin. Where Java gives a collection that does not change, there is one of
//! Clojure.

use super::items;
use crate::builtins::args::{get, int, take};
use crate::builtins::collections::{lookup, sorted_by};
use crate::builtins::java::equals::same;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::{seq_source, sort};
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::value::boxed::CellId;
use crate::value::java_kind::JavaKind;
use crate::value::{Builtin, Map, Set, Value, Vector};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "Collections/nCopies",
        "n x",
        "A vector that has x n times.",
        &[
            ("(java.util.Collections/nCopies 3 :a)", "[:a :a :a]"),
            ("(java.util.Collections/nCopies -1 :a)", "!List length = -1"),
        ],
        &Body(|h, a| {
            let n = int(a, 0)?;
            let Ok(n) = usize::try_from(n) else {
                let words = format!("List length = {n}");
                return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
            };
            h.charge(n as u64 / 2)?;
            h.reserve((n as u64).saturating_mul(16))?;
            Ok(Value::vector(vec![take(a, 1); n]))
        }),
    ),
    Builtin::new(
        "Collections/emptyList",
        "",
        "The empty vector.",
        &[("(java.util.Collections/emptyList)", "[]")],
        &Body(|_, _| Ok(Value::vector(Vec::new()))),
    ),
    Builtin::new(
        "Collections/emptyMap",
        "",
        "The empty map.",
        &[("(java.util.Collections/emptyMap)", "{}")],
        &Body(|_, _| Ok(Value::Map(Map::new()))),
    ),
    Builtin::new(
        "Collections/emptySet",
        "",
        "The empty set.",
        &[("(java.util.Collections/emptySet)", "#{}")],
        &Body(|_, _| Ok(Value::Set(Set::new()))),
    ),
    Builtin::new(
        "Collections/singletonList",
        "x",
        "A vector of x alone.",
        &[("(java.util.Collections/singletonList 1)", "[1]")],
        &Body(|_, a| Ok(Value::vector(vec![take(a, 0)]))),
    ),
    Builtin::new(
        "Collections/singleton",
        "x",
        "A set of x alone.",
        &[("(java.util.Collections/singleton 1)", "#{1}")],
        &Body(|h, a| of_members(h, vec![take(a, 0)])),
    ),
    Builtin::new(
        "Collections/singletonMap",
        "key val",
        "A map of one entry.",
        &[("(java.util.Collections/singletonMap :a 1)", "{:a 1}")],
        &Body(|h, a| {
            let mut m = Map::new();
            sorted_by::insert(h, &mut m, take(a, 0), take(a, 1))?;
            Ok(Value::Map(m))
        }),
    ),
    Builtin::new(
        "Collections/unmodifiableList",
        "list",
        "What a list holds now, as a vector.",
        &[("(java.util.Collections/unmodifiableList (java.util.ArrayList. [1]))", "[1]")],
        &Body(|h, a| {
            fixed(h, a, "a list", |v| {
                v.is_sequential() || matches!(v.java(), Some((_, JavaKind::List | JavaKind::Deque)))
            })
        }),
    ),
    Builtin::new(
        "Collections/unmodifiableCollection",
        "coll",
        "What a collection holds now, as a vector.",
        &[("(java.util.Collections/unmodifiableCollection (java.util.ArrayList. [1]))", "[1]")],
        &Body(|h, a| {
            fixed(h, a, "a collection", |v| {
                v.is_sequential()
                    || matches!(v, Value::Set(_))
                    || matches!(v.java(), Some((_, k)) if !matches!(k, JavaKind::Map | JavaKind::Iterator))
            })
        }),
    ),
    Builtin::new(
        "Collections/unmodifiableSet",
        "set",
        "What a set holds now, as a set of Clojure.",
        &[("(java.util.Collections/unmodifiableSet (java.util.HashSet. [1]))", "#{1}")],
        &Body(|h, a| {
            fixed(h, a, "a set", |v| matches!(v, Value::Set(_)) || matches!(v.java(), Some((_, JavaKind::Set))))
        }),
    ),
    Builtin::new(
        "Collections/unmodifiableMap",
        "map",
        "What a map holds now, as a map of Clojure.",
        &[("(java.util.Collections/unmodifiableMap (java.util.HashMap. {:a 1}))", "{:a 1}")],
        &Body(|h, a| {
            fixed(h, a, "a map", |v| matches!(v, Value::Map(_)) || matches!(v.java(), Some((_, JavaKind::Map))))
        }),
    ),
    Builtin::new(
        "Collections/synchronizedList",
        "list",
        "The list itself: there is one thread.",
        &[("(java.util.Collections/synchronizedList (java.util.ArrayList. [1]))", "[1]")],
        &Body(|_, a| itself(a)),
    ),
    Builtin::new(
        "Collections/synchronizedMap",
        "map",
        "The map itself: there is one thread.",
        &[("(java.util.Collections/synchronizedMap (java.util.HashMap. {:a 1}))", "{:a 1}")],
        &Body(|_, a| itself(a)),
    ),
    Builtin::new(
        "Collections/addAll",
        "coll items",
        "Adds the items of an array to a collection of Java; whether that changed it.",
        &[("(let [l (java.util.ArrayList. [1])] (java.util.Collections/addAll l (to-array [2 3])) l)", "[1 2 3]")],
        &Body(|h, a| {
            if !matches!(get(a, 0).java(), Some((_, k)) if !matches!(k, JavaKind::Map | JavaKind::Iterator)) {
                return Err(Interrupt::argument(0, "a collection of Java", get(a, 0)));
            }
            let all = crate::builtins::arrays::items::items(h, get(a, 1), 1)?;
            let mut args = [take(a, 0), Value::Vector(all)];
            Ok(super::methods::call(h, &mut args, "addAll")?.unwrap_or_default())
        }),
    ),
    Builtin::new(
        "Collections/disjoint",
        "a b",
        "Whether two collections have no item in common.",
        &[("(java.util.Collections/disjoint [1 2] [3])", "true")],
        &Body(|h, a| {
            let mut among = Set::new();
            for v in seq_source::items(h, a, 0)? {
                h.reserve(96)?;
                sorted_by::add(h, &mut among, v)?;
            }
            for v in seq_source::items(h, a, 1)? {
                h.charge(1)?;
                if lookup::member(h, &among, &v)?.is_some() {
                    return Ok(Value::Bool(false));
                }
            }
            Ok(Value::Bool(true))
        }),
    ),
    Builtin::new(
        "Collections/fill",
        "list x",
        "Puts x into each place of a list of Java; nil.",
        &[("(let [l (java.util.ArrayList. [1 2])] (java.util.Collections/fill l 0) l)", "[0 0]")],
        &Body(|h, a| {
            let id = list(a)?;
            super::held::within_depth(get(a, 1))?;
            let n = items::len(h, id);
            h.charge(n as u64 / 2)?;
            h.reserve(n as u64 * 16)?;
            items::replace(h, id, vec![take(a, 1); n])?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/rotate",
        "list n",
        "Moves each item of a list of Java n places on, those at the end to the front; nil.",
        &[("(let [l (java.util.ArrayList. [1 2 3])] (java.util.Collections/rotate l 1) l)", "[3 1 2]")],
        &Body(|h, a| {
            let id = list(a)?;
            let mut all = items::all(h, id)?;
            let n = i64::try_from(all.len()).unwrap_or(i64::MAX);
            if n > 0 {
                all.rotate_right(usize::try_from(int(a, 1)?.rem_euclid(n)).unwrap_or_default());
            }
            items::replace(h, id, all)?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/replaceAll",
        "list old new",
        "Puts new in the place of each item of a list of Java that is equal to old; whether there was one.",
        &[("(let [l (java.util.ArrayList. [1 2 1])] (java.util.Collections/replaceAll l 1 :x) l)", "[:x 2 :x]")],
        &Body(|h, a| {
            let id = list(a)?;
            super::held::within_depth(get(a, 2))?;
            let (mut all, mut any) = (items::all(h, id)?, false);
            for v in &mut all {
                h.charge(1)?;
                if same(h, v, get(a, 1))? {
                    *v = get(a, 2).clone();
                    any = true;
                }
            }
            items::replace(h, id, all)?;
            Ok(Value::Bool(any))
        }),
    ),
    Builtin::new(
        "Collections/binarySearch",
        "list x | list x comparator",
        "Where x is in a list that is in order; where it is not, what is left of -1 and the place where it would be.",
        &[
            ("(java.util.Collections/binarySearch [1 3 5] 3)", "1"),
            ("(java.util.Collections/binarySearch [1 3 5] 4)", "-3"),
        ],
        &of_32_bits!(search),
    ),
    Builtin::new(
        "List/of",
        "& items",
        "A vector of the items, none of them nil.",
        &[("(java.util.List/of 1 2)", "[1 2]")],
        &Body(|h, a| of(h, a).map(Value::vector)),
    ),
    Builtin::new(
        "List/copyOf",
        "coll",
        "A vector of the items of a collection, none of them nil.",
        &[("(java.util.List/copyOf [1 2])", "[1 2]")],
        &Body(|h, a| {
            let mut all = seq_source::items(h, a, 0)?;
            of(h, &mut all).map(Value::vector)
        }),
    ),
    Builtin::new(
        "Set/of",
        "& items",
        "A set of the items, none of them nil and none twice.",
        &[("(java.util.Set/of 1)", "#{1}"), ("(java.util.Set/of 1 1)", "!duplicate element: 1")],
        &Body(|h, a| {
            let all = of(h, a)?;
            of_members(h, all)
        }),
    ),
    Builtin::new(
        "Map/of",
        "& keyvals",
        "A map of keys and values, none of them nil and no key twice.",
        &[("(java.util.Map/of :a 1)", "{:a 1}"), ("(java.util.Map/of :a 1 :a 2)", "!duplicate key: :a")],
        &Body(|h, a| {
            let mut all = of(h, a)?.into_iter();
            let mut m = Map::new();
            while let (Some(k), v) = (all.next(), all.next()) {
                let Some(v) = v else {
                    return Err(Interrupt::error(ErrorKind::Value, "Map/of takes keys and values in pairs"));
                };
                h.reserve(128)?;
                if sorted_by::find(h, &m, &k)?.is_some() {
                    return Err(twice("key", &k));
                }
                sorted_by::insert(h, &mut m, k, v)?;
            }
            Ok(Value::Map(m))
        }),
    ),
];

/// A list of Java, the first argument.
fn list(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Place(id) if id.place().is_java_list() => Ok(*id),
        Value::Vector(_) => {
            Err(Interrupt::throw("UnsupportedOperationException", ErrorKind::Type, "vectors never change"))
        }
        v => Err(Interrupt::argument(0, "a list of Java", v)),
    }
}

fn itself(a: &mut [Value]) -> Result {
    match get(a, 0) {
        v if v.java().is_some() || crate::seq::is_seqable(v) && !v.is_nil() => Ok(take(a, 0)),
        v => Err(Interrupt::argument(0, "a collection", v)),
    }
}

#[cold]
fn twice(what: &str, v: &Value) -> Interrupt {
    let words = format!("duplicate {what}: {}", crate::print::brief(v));
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

/// Items of which none is nil.
fn of(h: &mut dyn Host, a: &mut [Value]) -> Result<Vec<Value>> {
    h.charge(a.len() as u64 / 2)?;
    h.reserve(a.len() as u64 * 16)?;
    if a.iter().any(Value::is_nil) {
        return Err(Interrupt::throw("NullPointerException", ErrorKind::Type, "there is a nil among the items"));
    }
    Ok(a.iter_mut().map(std::mem::take).collect())
}

fn of_members(h: &mut dyn Host, all: Vec<Value>) -> Result {
    let mut s = Set::new();
    for v in all {
        h.reserve(96)?;
        if lookup::member(h, &s, &v)?.is_some() {
            return Err(twice("element", &v));
        }
        sorted_by::add(h, &mut s, v)?;
    }
    Ok(Value::Set(s))
}

/// What a collection holds now, as one that does not change.
fn fixed(h: &mut dyn Host, a: &mut [Value], what: &str, is: fn(&Value) -> bool) -> Result {
    if !is(get(a, 0)) {
        return Err(Interrupt::argument(0, what, get(a, 0)));
    }
    match get(a, 0) {
        Value::Place(id) => match h.cell_get(*id) {
            Value::Slice(s) => {
                h.charge(s.len() as u64 / 2)?;
                h.reserve(s.len() as u64 * 16)?;
                Ok(Value::Vector(Vector::from_vec(s.into_vec())))
            }
            held => Ok(held),
        },
        _ => Ok(take(a, 0)),
    }
}

fn search(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let order = if a.len() > 2 { sort::comparator(h, a, 2)? } else { Value::Nil };
    let (key, all) = (take(a, 1), seq_source::items(h, a, 0)?);
    let (mut low, mut high) = (0, all.len());
    while low < high {
        let middle = low + (high - low - 1) / 2;
        let Some(v) = all.get(middle) else { break };
        let found = match super::heap::compare(h, &order, v, &key)? {
            std::cmp::Ordering::Less => {
                low = middle + 1;
                continue;
            }
            std::cmp::Ordering::Greater => {
                high = middle;
                continue;
            }
            std::cmp::Ordering::Equal => middle,
        };
        return Ok(Value::int(i64::try_from(found).unwrap_or(i64::MAX)));
    }
    Ok(Value::int(-1 - i64::try_from(low).unwrap_or(i64::MAX)))
}
