//! The rows of the methods that only Java's collections have, of `Collections`, and of iterators.

use super::items;
use super::methods::{call, drained, iterator, sort};
use crate::builtins::args::{get, int, take};
use crate::builtins::arrays;
use crate::builtins::java::equals::same;
use crate::builtins::java::random;
use crate::builtins::row::BuiltinRow;
use crate::builtins::sequences::seq_source;
use crate::builtins::sequences::sort::comparator;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::value::boxed::{ArrayKind, CellId, Place};
use crate::value::{Builtin, Set, Value, Vector};
use std::cmp::Ordering;

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".put",
        "map key val",
        "Binds a key of a map of Java, and gives what it had, or nil.",
        &[("(let [m (java.util.HashMap.)] [(.put m :a 1) (.put m :a 2)])", "[nil 1]")],
        &Body(|h, a| only(h, a, "put")),
    ),
    Builtin::new(
        ".putIfAbsent",
        "map key val",
        "Binds a key of a map of Java that is not there; gives what it has, or nil.",
        &[("(let [m (java.util.HashMap. {:a 1})] [(.putIfAbsent m :a 5) (.putIfAbsent m :b 5)])", "[1 nil]")],
        &Body(|h, a| only(h, a, "putIfAbsent")),
    ),
    Builtin::new(
        ".putAll",
        "map other",
        "Adds the entries of another map to a map of Java; nil.",
        &[("(let [m (java.util.HashMap.)] (.putAll m {:a 1}) m)", "{:a 1}")],
        &Body(|h, a| only(h, a, "putAll")),
    ),
    Builtin::new(
        ".containsValue",
        "map val",
        "Whether a map of Java has a value.",
        &[("(.containsValue (java.util.HashMap. {:a 1}) 1)", "true"), ("(.containsValue {:a 1} 2)", "false")],
        &Body(|h, a| match get(a, 0) {
            Value::Map(m) => {
                let (m, x) = (m.clone(), take(a, 1));
                for (_, v) in m.iter() {
                    h.charge(2)?;
                    if same(h, v, &x)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Ok(Value::Bool(false))
            }
            _ => only(h, a, "containsValue"),
        }),
    ),
    Builtin::new(
        ".entrySet",
        "map",
        "The entries of a map, as a set.",
        &[("(mapv (fn [e] [(.getKey e) (.getValue e)]) (.entrySet {:a 1}))", "[[:a 1]]")],
        &Body(|h, a| match get(a, 0) {
            Value::Map(m) => {
                let m = m.clone();
                h.charge(m.len() as u64 * 2)?;
                h.reserve(m.len() as u64 * 64)?;
                let entries: Vec<Value> =
                    m.iter().map(|(k, v)| Value::Vector(Vector::entry(k.clone(), v.clone()))).collect();
                for entry in &entries {
                    crate::cost::key(h, entry)?;
                }
                Ok(Value::Set(Set::of_distinct(entries)))
            }
            _ => only(h, a, "entrySet"),
        }),
    ),
    Builtin::new(
        ".firstKey",
        "map",
        "The first key of a TreeMap.",
        &[("(.firstKey (java.util.TreeMap. {2 :b 1 :a}))", "1")],
        &Body(|h, a| only(h, a, "firstKey")),
    ),
    Builtin::new(
        ".lastKey",
        "map",
        "The last key of a TreeMap.",
        &[("(.lastKey (java.util.TreeMap. {2 :b 1 :a}))", "2")],
        &Body(|h, a| only(h, a, "lastKey")),
    ),
    Builtin::new(
        ".floorKey",
        "map key",
        "The largest key of a TreeMap up to this one, or nil.",
        &[("(.floorKey (java.util.TreeMap. {1 :a 5 :b}) 3)", "1")],
        &Body(|h, a| only(h, a, "floorKey")),
    ),
    Builtin::new(
        ".ceilingKey",
        "map key",
        "The least key of a TreeMap from this one on, or nil.",
        &[("(.ceilingKey (java.util.TreeMap. {1 :a 5 :b}) 3)", "5")],
        &Body(|h, a| only(h, a, "ceilingKey")),
    ),
    Builtin::new(
        ".lowerKey",
        "map key",
        "The largest key of a TreeMap below this one, or nil.",
        &[("(.lowerKey (java.util.TreeMap. {1 :a 5 :b}) 3)", "1")],
        &Body(|h, a| only(h, a, "lowerKey")),
    ),
    Builtin::new(
        ".higherKey",
        "map key",
        "The least key of a TreeMap above this one, or nil.",
        &[("(.higherKey (java.util.TreeMap. {1 :a 5 :b}) 3)", "5")],
        &Body(|h, a| only(h, a, "higherKey")),
    ),
    Builtin::new(
        ".floorEntry",
        "map key",
        "The entry of a TreeMap with the largest key up to this one, or nil.",
        &[("(.floorEntry (java.util.TreeMap. {1 :a 5 :b}) 3)", "[1 :a]")],
        &Body(|h, a| only(h, a, "floorEntry")),
    ),
    Builtin::new(
        ".ceilingEntry",
        "map key",
        "The entry of a TreeMap with the least key from this one on, or nil.",
        &[("(.ceilingEntry (java.util.TreeMap. {1 :a 5 :b}) 3)", "[5 :b]")],
        &Body(|h, a| only(h, a, "ceilingEntry")),
    ),
    Builtin::new(
        ".lowerEntry",
        "map key",
        "The entry of a TreeMap with the largest key below this one, or nil.",
        &[("(.lowerEntry (java.util.TreeMap. {1 :a 5 :b}) 3)", "[1 :a]")],
        &Body(|h, a| only(h, a, "lowerEntry")),
    ),
    Builtin::new(
        ".higherEntry",
        "map key",
        "The entry of a TreeMap with the least key above this one, or nil.",
        &[("(.higherEntry (java.util.TreeMap. {1 :a 5 :b}) 3)", "[5 :b]")],
        &Body(|h, a| only(h, a, "higherEntry")),
    ),
    Builtin::new(
        ".ceiling",
        "set x",
        "The least member of a TreeSet from this one on, or nil.",
        &[("(.ceiling (java.util.TreeSet. [1 5]) 3)", "5")],
        &Body(|h, a| only(h, a, "ceiling")),
    ),
    Builtin::new(
        ".lower",
        "set x",
        "The largest member of a TreeSet below this one, or nil.",
        &[("(.lower (java.util.TreeSet. [1 5]) 3)", "1")],
        &Body(|h, a| only(h, a, "lower")),
    ),
    Builtin::new(
        ".higher",
        "set x",
        "The least member of a TreeSet above this one, or nil.",
        &[("(.higher (java.util.TreeSet. [1 5]) 3)", "5")],
        &Body(|h, a| only(h, a, "higher")),
    ),
    Builtin::new(
        ".floor",
        "set x",
        "The largest member of a TreeSet up to this one, or nil.",
        &[("(.floor (java.util.TreeSet. [1 5]) 3)", "1")],
        &Body(|h, a| only(h, a, "floor")),
    ),
    Builtin::new(
        ".firstEntry",
        "map",
        "The first entry of a TreeMap, or nil.",
        &[("(.firstEntry (java.util.TreeMap. {1 :a}))", "[1 :a]")],
        &Body(|h, a| only(h, a, "firstEntry")),
    ),
    Builtin::new(
        ".lastEntry",
        "map",
        "The last entry of a TreeMap, or nil.",
        &[("(.lastEntry (java.util.TreeMap. {1 :a}))", "[1 :a]")],
        &Body(|h, a| only(h, a, "lastEntry")),
    ),
    Builtin::new(
        ".pollFirstEntry",
        "map",
        "Takes the first entry out of a TreeMap; nil when there is none.",
        &[("(.pollFirstEntry (java.util.TreeMap. {1 :a}))", "[1 :a]")],
        &Body(|h, a| only(h, a, "pollFirstEntry")),
    ),
    Builtin::new(
        ".pollLastEntry",
        "map",
        "Takes the last entry out of a TreeMap; nil when there is none.",
        &[("(.pollLastEntry (java.util.TreeMap. {1 :a}))", "[1 :a]")],
        &Body(|h, a| only(h, a, "pollLastEntry")),
    ),
    Builtin::new(
        ".set",
        "list index x",
        "Puts x at an index of a list of Java, and gives what was there.",
        &[("(.set (java.util.ArrayList. [1]) 0 5)", "1")],
        &Body(|h, a| only(h, a, "set")),
    ),
    Builtin::new(
        ".remove",
        "coll | coll x | map key val",
        "Takes x out of a collection of Java: of a list what is at the index x, of a map what it has at the key x; of a queue the first item, of an iterator what it gave last; with val a key only where it has that.",
        &[("(let [l (java.util.ArrayList. [:a :b])] [(.remove l 0) l])", "[:a [:b]]")],
        &Body(|h, a| only(h, a, "remove")),
    ),
    Builtin::new(
        ".addAll",
        "coll items | list index items",
        "Adds all items of a collection to one of Java, at the end or at an index; whether that changed it.",
        &[("(let [l (java.util.ArrayList. [1])] (.addAll l [2 3]) l)", "[1 2 3]")],
        &Body(|h, a| only(h, a, "addAll")),
    ),
    Builtin::new(
        ".removeAll",
        "coll items",
        "Takes out of a collection of Java all that are among the items; whether that changed it.",
        &[("(let [l (java.util.ArrayList. [1 2 3])] (.removeAll l [1 3]) l)", "[2]")],
        &Body(|h, a| only(h, a, "removeAll")),
    ),
    Builtin::new(
        ".retainAll",
        "coll items",
        "Leaves in a collection of Java only those that are among the items; whether that changed it.",
        &[("(let [l (java.util.ArrayList. [1 2 3])] (.retainAll l [1 3]) l)", "[1 3]")],
        &Body(|h, a| only(h, a, "retainAll")),
    ),
    Builtin::new(
        ".containsAll",
        "coll items",
        "Whether a collection of Java has all of the items.",
        &[("(.containsAll (java.util.HashSet. [1 2]) [1 2])", "true")],
        &Body(|h, a| only(h, a, "containsAll")),
    ),
    Builtin::new(
        ".clear",
        "coll",
        "Takes all out of a collection of Java; nil.",
        &[("(let [l (java.util.ArrayList. [1])] (.clear l) l)", "[]")],
        &Body(|h, a| only(h, a, "clear")),
    ),
    Builtin::new(
        ".sort",
        "list comparator",
        "Puts the items of a list of Java in order, by a comparator or, with nil, by compare; nil.",
        &[("(let [l (java.util.ArrayList. [2 1])] (.sort l compare) l)", "[1 2]")],
        &Body(|h, a| only(h, a, "sort")),
    ),
    Builtin::new(
        ".addFirst",
        "queue x",
        "Adds x in front of a LinkedList or ArrayDeque; nil.",
        &[("(let [q (java.util.LinkedList. [2])] (.addFirst q 1) q)", "(1 2)")],
        &Body(|h, a| only(h, a, "addFirst")),
    ),
    Builtin::new(
        ".addLast",
        "queue x",
        "Adds x at the end of a LinkedList or ArrayDeque; nil.",
        &[("(let [q (java.util.LinkedList. [1])] (.addLast q 2) q)", "(1 2)")],
        &Body(|h, a| only(h, a, "addLast")),
    ),
    Builtin::new(
        ".offer",
        "queue x",
        "Adds x to a queue of Java; true.",
        &[("(let [q (java.util.LinkedList.)] (.offer q 1) (.poll q))", "1")],
        &Body(|h, a| only(h, a, "offer")),
    ),
    Builtin::new(
        ".offerFirst",
        "queue x",
        "Adds x in front of a LinkedList or ArrayDeque; true.",
        &[("(.offerFirst (java.util.ArrayDeque.) 1)", "true")],
        &Body(|h, a| only(h, a, "offerFirst")),
    ),
    Builtin::new(
        ".offerLast",
        "queue x",
        "Adds x at the end of a LinkedList or ArrayDeque; true.",
        &[("(.offerLast (java.util.ArrayDeque.) 1)", "true")],
        &Body(|h, a| only(h, a, "offerLast")),
    ),
    Builtin::new(
        ".push",
        "queue x",
        "Adds x in front of a LinkedList or ArrayDeque; nil.",
        &[("(let [q (java.util.ArrayDeque.)] (.push q 1) (.push q 2) (.pop q))", "2")],
        &Body(|h, a| only(h, a, "push")),
    ),
    Builtin::new(
        ".poll",
        "queue",
        "Takes the first item out of a queue of Java; nil when there is none.",
        &[("(.poll (java.util.LinkedList. [1 2]))", "1")],
        &Body(|h, a| only(h, a, "poll")),
    ),
    Builtin::new(
        ".pollFirst",
        "queue",
        "Takes the first item out of a queue with two ends or a TreeSet; nil when there is none.",
        &[("(.pollFirst (java.util.ArrayDeque. [1 2]))", "1")],
        &Body(|h, a| only(h, a, "pollFirst")),
    ),
    Builtin::new(
        ".pollLast",
        "queue",
        "Takes the last item out of a queue with two ends or a TreeSet; nil when there is none.",
        &[("(.pollLast (java.util.ArrayDeque. [1 2]))", "2")],
        &Body(|h, a| only(h, a, "pollLast")),
    ),
    Builtin::new(
        ".peekFirst",
        "queue",
        "The first item of a queue with two ends; nil when there is none.",
        &[("(.peekFirst (java.util.ArrayDeque. [1 2]))", "1")],
        &Body(|h, a| only(h, a, "peekFirst")),
    ),
    Builtin::new(
        ".peekLast",
        "queue",
        "The last item of a queue with two ends; nil when there is none.",
        &[("(.peekLast (java.util.ArrayDeque. [1 2]))", "2")],
        &Body(|h, a| only(h, a, "peekLast")),
    ),
    Builtin::new(
        ".getFirst",
        "queue",
        "The first item of a queue with two ends; an error when there is none.",
        &[
            ("(.getFirst (java.util.LinkedList. [1 2]))", "1"),
            ("(.getFirst (java.util.LinkedList.))", "!no such element"),
        ],
        &Body(|h, a| only(h, a, "getFirst")),
    ),
    Builtin::new(
        ".getLast",
        "queue",
        "The last item of a queue with two ends; an error when there is none.",
        &[("(.getLast (java.util.LinkedList. [1 2]))", "2")],
        &Body(|h, a| only(h, a, "getLast")),
    ),
    Builtin::new(
        ".removeFirst",
        "queue",
        "Takes the first item out of a queue with two ends; an error when there is none.",
        &[("(.removeFirst (java.util.LinkedList. [1 2]))", "1")],
        &Body(|h, a| only(h, a, "removeFirst")),
    ),
    Builtin::new(
        ".removeLast",
        "queue",
        "Takes the last item out of a queue with two ends; an error when there is none.",
        &[("(.removeLast (java.util.LinkedList. [1 2]))", "2")],
        &Body(|h, a| only(h, a, "removeLast")),
    ),
    Builtin::new(
        ".element",
        "queue",
        "The first item of a queue of Java; an error when there is none.",
        &[("(.element (java.util.LinkedList. [1 2]))", "1")],
        &Body(|h, a| only(h, a, "element")),
    ),
    Builtin::new(
        ".hasNext",
        "iterator",
        "Whether an iterator has yet an item to give.",
        &[("(.hasNext (.iterator [1]))", "true")],
        &Body(|h, a| only(h, a, "hasNext")),
    ),
    Builtin::new(
        ".last",
        "set",
        "The last member of a TreeSet.",
        &[("(.last (java.util.TreeSet. [3 1 2]))", "3")],
        &Body(|h, a| only(h, a, "last")),
    ),
    Builtin::new(
        ".subList",
        "list from to",
        "The items of a vector or list from index from up to, without, to, as a vector.",
        &[("(.subList (java.util.ArrayList. [1 2 3]) 1 3)", "[2 3]"), ("(.subList [1 2 3] 0 2)", "[1 2]")],
        &Body(|h, a| match get(a, 0) {
            Value::Vector(v) => {
                let v = v.clone();
                let (from, to) = arrays::items::range(a, 1, v.len())?;
                Ok(Value::Vector(v.slice(from, to)))
            }
            _ => only(h, a, "subList"),
        }),
    ),
    Builtin::new(
        ".toArray",
        "coll",
        "The items of a collection as an array.",
        &[("(alength (.toArray [1 2]))", "2")],
        &of_32_bits!(|h, a| match get(a, 0) {
            Value::Nil | Value::Str(_) | Value::Map(_) => Err(Interrupt::argument(0, "a collection", get(a, 0))),
            _ => {
                let all = seq_source::items(h, a, 0)?;
                arrays::items::new(h, ArrayKind::Object, Vector::from_vec(all))
            }
        }),
    ),
    Builtin::new(
        ".iterator",
        "coll",
        "An iterator over a collection: .hasNext says whether there is more, .next gives it.",
        &[("(let [i (.iterator [1 2])] [(.next i) (.next i) (.hasNext i)])", "[1 2 false]")],
        &Body(|h, a| match get(a, 0) {
            Value::Nil | Value::Str(_) => Err(Interrupt::argument(0, "a collection", get(a, 0))),
            _ => iterator(h, take(a, 0)),
        }),
    ),
    Builtin::new(
        "iterator-seq",
        "iter",
        "What an iterator has yet to give, as a sequence.",
        &[("(iterator-seq (.iterator [1 2]))", "(1 2)")],
        &Body(|h, a| match get(a, 0) {
            Value::Place(id) if id.place() == Place::Iterator => {
                let id = *id;
                drained(h, id)
            }
            v => Err(Interrupt::argument(0, "an iterator", v)),
        }),
    ),
    Builtin::new(
        "Collections/sort",
        "list | list comparator",
        "Puts the items of a list of Java in order, by compare or a comparator; nil.",
        &[("(let [l (java.util.ArrayList. [2 1])] (java.util.Collections/sort l) l)", "[1 2]")],
        &Body(|h, a| {
            let id = list(a, 0)?;
            sort(h, id, take(a, 1))?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/reverse",
        "list",
        "Turns the items of a list of Java around; nil.",
        &[("(let [l (java.util.ArrayList. [1 2])] (java.util.Collections/reverse l) l)", "[2 1]")],
        &Body(|h, a| {
            let id = list(a, 0)?;
            let mut all = items::all(h, id)?;
            all.reverse();
            items::replace(h, id, all)?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/shuffle",
        "list | list random",
        "Puts the items of a list of Java in any order, or in the one that a Random gives; nil.",
        &[("(let [l (java.util.ArrayList. [1])] (java.util.Collections/shuffle l) l)", "[1]")],
        &Body(|h, a| {
            let id = list(a, 0)?;
            if a.len() > 1 {
                let mut all = items::all(h, id)?;
                for n in (2..=all.len()).rev() {
                    let other = random::index(h, get(a, 1), n)?;
                    all.swap(n - 1, other);
                }
                items::replace(h, id, all)?;
                return Ok(Value::Nil);
            }
            let all = Value::vector(items::all(h, id)?);
            let f = seq_source::core(h, "shuffle")?;
            let shuffled = h.call1(&f, all)?;
            let shuffled = seq_source::items(h, &mut [shuffled], 0)?;
            items::replace(h, id, shuffled)?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/swap",
        "list i j",
        "Exchanges two items of a list of Java; nil.",
        &[("(let [l (java.util.ArrayList. [1 2])] (java.util.Collections/swap l 0 1) l)", "[2 1]")],
        &Body(|h, a| {
            let list_of = get(a, 0).clone();
            list(a, 0)?;
            let (i, j) = (Value::int(int(a, 1)?), Value::int(int(a, 2)?));
            let at_i = only(h, &mut [list_of.clone(), i.clone()], "get")?;
            let at_j = only(h, &mut [list_of.clone(), j.clone(), at_i], "set")?;
            only(h, &mut [list_of, i, at_j], "set")?;
            Ok(Value::Nil)
        }),
    ),
    Builtin::new(
        "Collections/max",
        "coll | coll comparator",
        "The largest item of a collection, by compare or a comparator.",
        &[("(java.util.Collections/max [1 3 2])", "3"), ("(java.util.Collections/max [])", "!no such element")],
        &Body(|h, a| end(h, a, false)),
    ),
    Builtin::new(
        "Collections/min",
        "coll | coll comparator",
        "The least item of a collection, by compare or a comparator.",
        &[("(java.util.Collections/min [2 1 3])", "1")],
        &Body(|h, a| end(h, a, true)),
    ),
    Builtin::new(
        "Collections/frequency",
        "coll x",
        "How often x is in a collection.",
        &[("(java.util.Collections/frequency [1 2 1] 1)", "2")],
        &of_32_bits!(|h, a| {
            let mut n = 0;
            for v in seq_source::items(h, a, 0)? {
                h.charge(1)?;
                n += i64::from(same(h, &v, get(a, 1))?);
            }
            Ok(Value::int(n))
        }),
    ),
];

/// What a method of a collection of Java gives.
fn only(h: &mut dyn Host, a: &mut [Value], method: &'static str) -> Result {
    match call(h, a, method)? {
        Some(v) => Ok(v),
        None => Err(no_java(get(a, 0))),
    }
}

#[cold]
fn no_java(v: &Value) -> Interrupt {
    let words = match v {
        Value::Vector(_) => {
            "vectors never change: conj, assoc and pop give changed ones; (java.util.ArrayList. v) changes in place"
        }
        Value::Map(_) => {
            "maps never change: assoc and dissoc give changed ones; (java.util.HashMap. m) changes in place"
        }
        Value::Set(_) => "sets never change: conj and disj give changed ones; (java.util.HashSet. s) changes in place",
        v if v.is_sequential() => {
            "sequences never change: cons and rest give others; (java.util.ArrayList. s) changes in place"
        }
        v => {
            return Interrupt::argument(0, "a collection of Java", v)
                .hint("(java.util.ArrayList.), (java.util.HashMap.) and (java.util.ArrayDeque.) make some");
        }
    };
    Interrupt::throw("UnsupportedOperationException", ErrorKind::Type, words)
}

fn list(a: &[Value], i: usize) -> Result<CellId> {
    match get(a, i) {
        Value::Place(id) if id.place().is_java_list() => Ok(*id),
        v => Err(no_java(v)),
    }
}

/// The least or the largest item: of equal ones the first.
fn end(h: &mut dyn Host, a: &mut [Value], least: bool) -> Result {
    let order = if a.len() > 1 { comparator(h, a, 1)? } else { Value::Nil };
    let mut all = seq_source::items(h, a, 0)?.into_iter();
    let mut found = all.next().ok_or_else(super::held::nothing_there)?;
    let wanted = if least { Ordering::Less } else { Ordering::Greater };
    for v in all {
        if super::heap::compare(h, &order, &v, &found)? == wanted {
            found = v;
        }
    }
    Ok(found)
}
