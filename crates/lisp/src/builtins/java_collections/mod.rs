//! Java's collections: `ArrayList`, `LinkedList`, `ArrayDeque`, `PriorityQueue`, maps, sets and iterators. They are places
//! that change, as arrays are: kept, taken back with a failed turn and forked with the session.

pub mod constructors;
pub mod functional;
pub mod heap;
pub mod held;
pub mod items;
mod maps;
pub mod methods;
pub mod part_rows;
mod parts;
mod removal;
pub mod rows;
pub mod statics;

/// The tables that have the methods of these collections.
pub const METHODS: &[&[crate::builtins::row::BuiltinRow]] = &[rows::ROWS, part_rows::ROWS, functional::ROWS];
