//! The rows of the methods that give parts of sorted collections of Java, and of those that walk or search from the end.

use super::methods::call;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        ".headMap",
        "map to | map to inclusive",
        "The entries of a TreeMap whose keys are below to, or up to it; it does not change.",
        &[("(.headMap (java.util.TreeMap. {1 :a 2 :b 3 :c}) 3)", "{1 :a, 2 :b}")],
        &Body(|h, a| only(h, a, "headMap")),
    ),
    Builtin::new(
        ".tailMap",
        "map from | map from inclusive",
        "The entries of a TreeMap whose keys are from from on; it does not change.",
        &[("(.tailMap (java.util.TreeMap. {1 :a 2 :b 3 :c}) 2)", "{2 :b, 3 :c}")],
        &Body(|h, a| only(h, a, "tailMap")),
    ),
    Builtin::new(
        ".subMap",
        "map from to | map from inclusive to inclusive",
        "The entries of a TreeMap from from up to, without, to; it does not change.",
        &[("(.subMap (java.util.TreeMap. {1 :a 2 :b 3 :c}) 1 3)", "{1 :a, 2 :b}")],
        &Body(|h, a| only(h, a, "subMap")),
    ),
    Builtin::new(
        ".descendingMap",
        "map",
        "The entries of a TreeMap in the opposite order; it does not change.",
        &[("(.descendingMap (java.util.TreeMap. {1 :a 2 :b 3 :c}))", "{3 :c, 2 :b, 1 :a}")],
        &Body(|h, a| only(h, a, "descendingMap")),
    ),
    Builtin::new(
        ".descendingKeySet",
        "map",
        "The keys of a TreeMap in the opposite order; it does not change.",
        &[("(vec (.descendingKeySet (java.util.TreeMap. {1 :a 2 :b 3 :c})))", "[3 2 1]")],
        &Body(|h, a| only(h, a, "descendingKeySet")),
    ),
    Builtin::new(
        ".navigableKeySet",
        "map",
        "The keys of a TreeMap, as a part that a TreeSet has; it does not change.",
        &[("(.first (.navigableKeySet (java.util.TreeMap. {1 :a 2 :b 3 :c})))", "1")],
        &Body(|h, a| only(h, a, "navigableKeySet")),
    ),
    Builtin::new(
        ".headSet",
        "set to | set to inclusive",
        "The members of a TreeSet below to, or up to it; it does not change.",
        &[("(.headSet (java.util.TreeSet. [1 2 3]) 3)", "#{1 2}")],
        &Body(|h, a| only(h, a, "headSet")),
    ),
    Builtin::new(
        ".tailSet",
        "set from | set from inclusive",
        "The members of a TreeSet from from on; it does not change.",
        &[("(.tailSet (java.util.TreeSet. [1 2 3]) 2)", "#{2 3}")],
        &Body(|h, a| only(h, a, "tailSet")),
    ),
    Builtin::new(
        ".subSet",
        "set from to | set from inclusive to inclusive",
        "The members of a TreeSet from from up to, without, to; it does not change.",
        &[("(.subSet (java.util.TreeSet. [1 2 3]) 1 3)", "#{1 2}")],
        &Body(|h, a| only(h, a, "subSet")),
    ),
    Builtin::new(
        ".descendingSet",
        "set",
        "The members of a TreeSet in the opposite order; it does not change.",
        &[("(vec (.descendingSet (java.util.TreeSet. [1 2 3])))", "[3 2 1]")],
        &Body(|h, a| only(h, a, "descendingSet")),
    ),
    Builtin::new(
        ".descendingIterator",
        "coll",
        "An iterator over a TreeSet or a queue with two ends from the last item to the first.",
        &[("(.next (.descendingIterator (java.util.TreeSet. [1 2 3])))", "3")],
        &Body(|h, a| only(h, a, "descendingIterator")),
    ),
    Builtin::new(
        ".removeFirstOccurrence",
        "queue x",
        "Takes the first item that is equal to x out of a queue with two ends; whether there was one.",
        &[("(.removeFirstOccurrence (java.util.ArrayDeque. [1 2]) 2)", "true")],
        &Body(|h, a| only(h, a, "removeFirstOccurrence")),
    ),
    Builtin::new(
        ".removeLastOccurrence",
        "queue x",
        "Takes the last item that is equal to x out of a queue with two ends; whether there was one.",
        &[("(.removeLastOccurrence (java.util.ArrayDeque. [1 2]) 2)", "true")],
        &Body(|h, a| only(h, a, "removeLastOccurrence")),
    ),
];

fn only(h: &mut dyn Host, a: &mut [Value], method: &'static str) -> Result {
    match call(h, a, method)? {
        Some(v) => Ok(v),
        None => Err(Interrupt::argument(0, "a TreeMap, a TreeSet or a queue of Java", get(a, 0))),
    }
}
