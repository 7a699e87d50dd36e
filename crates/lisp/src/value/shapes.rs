//! Keys that records get in a turn: what `(assoc r :total x)` gives has keys that were made for the record before it.
//!
//! They are remembered for a turn and not with other keys: those may be shared by sessions on other threads, and what is on a
//! turn's meter must not depend on what these do. Where one is kept is said by names alone, so that it is the same in every
//! run. Keys are remembered when they are asked for a second time: what is made once is its record's own and grows in place.

use super::node::Shape;
use std::cell::RefCell;

/// How many are remembered.
const PLACES: usize = 16;

/// Keys of this number, once they were asked for twice.
type Made = (u64, Option<Shape>);

#[derive(Default)]
struct Shapes {
    /// Whether a turn runs.
    on: bool,
    made: Vec<Made>,
}

thread_local! {
    static SHAPES: RefCell<Shapes> = const { RefCell::new(Shapes { on: false, made: Vec::new() }) };
}

/// A running turn, which forgets them when it is dropped. Turns nest where a tool runs another session.
pub struct ShapeScope {
    outer: Shapes,
}

impl ShapeScope {
    /// Begins a turn on this thread, with none.
    pub fn begin() -> Self {
        ShapeScope { outer: replaced(Shapes { on: true, made: Vec::new() }) }
    }
}

impl Drop for ShapeScope {
    fn drop(&mut self) {
        // Dropped here, when nothing is borrowed.
        drop(replaced(std::mem::take(&mut self.outer)));
    }
}

fn replaced(new: Shapes) -> Shapes {
    let put = |s: &RefCell<Shapes>| s.try_borrow_mut().map(|mut s| std::mem::replace(&mut *s, new)).unwrap_or_default();
    SHAPES.try_with(put).unwrap_or_default()
}

fn place(number: u64) -> usize {
    (number >> 60) as usize % PLACES
}

/// As [`super::Item::next_shape`].
pub fn next(number: u64) -> Option<Option<Shape>> {
    let find = |s: &RefCell<Shapes>| {
        let s = s.try_borrow().ok()?;
        s.made.get(place(number)).filter(|made| made.0 == number).map(|made| made.1.clone())
    };
    SHAPES.try_with(find).ok().flatten()
}

/// As [`super::Item::keep_shape`].
pub fn keep(number: u64, keys: Option<Shape>) {
    let put = |s: &RefCell<Shapes>| {
        let mut s = s.try_borrow_mut().ok()?;
        if !s.on {
            return None;
        }
        if s.made.is_empty() {
            s.made.resize_with(PLACES, Made::default);
        }
        Some(std::mem::replace(s.made.get_mut(place(number))?, (number, keys)))
    };
    // What was there before is dropped when nothing is borrowed.
    drop(SHAPES.try_with(put));
}
