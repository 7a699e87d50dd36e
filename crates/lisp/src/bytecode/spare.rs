//! Room for the code of programs: the tables of one are used again for the next program of the thread.

use super::{Proto, Template};
use std::cell::Cell;

/// Most operations of code whose tables are kept, and most entries of each other table.
const OPERATIONS: usize = 64;
const ENTRIES: usize = 16;

thread_local! {
    static SPARE: Cell<Vec<Proto>> = const { Cell::new(Vec::new()) };
}

/// One body without operations, with room for some.
pub fn body() -> Vec<Proto> {
    let mut bodies = SPARE.try_with(Cell::take).unwrap_or_default();
    if bodies.is_empty() {
        bodies = vec![Proto::with_room()];
    }
    bodies
}

/// Keeps the tables of a program that has run and that nobody holds.
pub fn keep(template: Template) {
    let Template { mut arities, .. } = template;
    let [p] = arities.as_mut_slice() else { return };
    let short = p.code.capacity() <= OPERATIONS
        && p.spans.capacity() <= OPERATIONS
        && p.constants.capacity() <= ENTRIES
        && p.builtins.capacity() <= ENTRIES
        && p.defs.capacity() <= ENTRIES
        && p.functions.capacity() <= ENTRIES
        && p.rare_room() <= ENTRIES;
    if short {
        p.empty();
        // A thread that is ending keeps none.
        let _ = SPARE.try_with(|spare| spare.set(arities));
    }
}
