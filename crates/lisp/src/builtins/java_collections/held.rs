//! How collections of Java are made, and what they may hold.

use crate::builtins::arrays::items::place_of;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::seq::PLACE_DEPTH;
use crate::value::boxed::Place;
use crate::value::{Item, Value};

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
