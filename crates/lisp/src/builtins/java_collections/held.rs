//! How collections of Java are made, and what they may hold.

use crate::builtins::args::get;
use crate::builtins::arrays::items::place_of;
use crate::builtins::functions::combinators::native;
use crate::builtins::java::natural::of_one_class;
use crate::builtins::sequences::compared::compared_by;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::PLACE_DEPTH;
use crate::value::boxed::Place;
use crate::value::{Item, Map, Value};
use std::cmp::Ordering;

/// A new collection of Java that holds this.
///
/// # Errors
/// When fuel or memory ends.
pub fn new(h: &mut dyn Host, place: Place, held: Value) -> Result {
    h.java_made();
    h.charge(4)?;
    place_of(h, place, held)
}

/// An error where a value nests deeper than one in a place may.
///
/// # Errors
/// That one.
pub fn within_depth(v: &Value) -> Result<()> {
    if v.depth() > PLACE_DEPTH {
        let words = format!("a value in a collection of Java is nested deeper than {PLACE_DEPTH}");
        return Err(Interrupt::error(ErrorKind::Depth, words));
    }
    Ok(())
}

/// The error where there is no item to give.
#[cold]
pub fn nothing_there() -> Interrupt {
    Interrupt::throw("NoSuchElementException", ErrorKind::Value, "there is no such element")
}

/// The error where a function changes the collection that asks it.
#[cold]
pub fn changed_meanwhile() -> Interrupt {
    let words = "the collection was changed while it was walked";
    Interrupt::throw("ConcurrentModificationException", ErrorKind::Value, words)
}

/// An error where a key is none of a map or set, because that is sorted: nil, and in the order of Java a number of another
/// class than those that are there, which are all of one.
///
/// # Errors
/// That one.
pub(super) fn sorted_key(m: &Map, key: &Value) -> Result<()> {
    if !m.is_sorted() {
        return Ok(());
    }
    if let (None, Some(first)) = (m.comparator(), m.keys().next())
        && !key.is_nil()
    {
        of_one_class(key, first)?;
    }
    if key.is_nil() {
        return Err(Interrupt::throw(
            "NullPointerException",
            ErrorKind::Type,
            "nil is no key of a TreeMap or a TreeSet",
        ));
    }
    Ok(())
}

/// A comparator of the opposite order.
pub fn reversed(h: &mut dyn Host, f: Value) -> Result {
    native(h, "reverseOrder", vec![f], (2, Some(2)), |h, held, a| {
        compared_by(h, get(held, 0), get(a, 1), get(a, 0)).map(order_as_number)
    })
}

/// What `compare` gives for an order.
pub fn order_as_number(order: Ordering) -> Value {
    Value::int(order as i64)
}
