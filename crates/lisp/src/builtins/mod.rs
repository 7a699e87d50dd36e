//! The functions of the language: one static table, shared by all sessions, nothing to boot.

pub mod apropos;
pub mod args;
pub mod arithmetic;
pub mod bits;
pub mod builder;
pub mod builder_text;
pub mod characters;
pub mod classes;
pub mod collections;
pub mod combinators;
pub mod describe;
pub mod equality;
pub mod exception_classes;
pub mod exceptions;
pub mod format;
pub mod formatting;
pub mod group;
pub mod hash;
pub mod index;
pub mod internal;
pub mod into;
pub mod java;
pub mod json;
pub mod lookup;
pub mod maps;
pub mod math;
pub mod meta;
pub mod methods;
pub mod names;
pub mod notes;
pub mod number_predicates;
pub mod parse;
pub mod past;
pub mod pprint;
pub mod predicates;
pub mod print_table;
pub mod printing;
pub mod pump;
pub mod queue;
pub mod ranks;
pub mod read;
pub mod reduce;
pub mod regex;
pub mod replace;
pub mod seq_basic;
pub mod seq_groups;
pub mod seq_join;
pub mod seq_make;
pub mod seq_slices;
#[cfg(test)]
mod seq_tests;
pub mod seq_transform;
pub mod sets;
pub mod sort;
pub mod sorted;
pub mod stage;
pub mod state;
pub mod statics;
pub mod strings;
#[cfg(test)]
pub mod testing;
pub mod together;
pub mod transducers;
pub mod unchecked;
pub mod walk;

use crate::value::Builtin;
use foldhash::fast::FixedState;
use std::collections::HashMap;
use std::sync::LazyLock;

/// All rows, by room.
pub static TABLES: &[&[Builtin]] = &[
    internal::ROWS,
    past::ROWS,
    notes::ROWS,
    apropos::ROWS,
    seq_basic::ROWS,
    seq_slices::ROWS,
    seq_groups::ROWS,
    seq_make::ROWS,
    seq_join::ROWS,
    seq_transform::ROWS,
    reduce::ROWS,
    into::ROWS,
    group::ROWS,
    sort::ROWS,
    combinators::ROWS,
    together::ROWS,
    transducers::ROWS,
    sorted::ROWS,
    state::ROWS,
    predicates::ROWS,
    printing::ROWS,
    pprint::ROWS,
    print_table::ROWS,
    builder::ROWS,
    describe::ROWS,
    read::ROWS,
    walk::ROWS,
    sets::ROWS,
    json::ROWS,
    strings::ROWS,
    replace::ROWS,
    regex::ROWS,
    methods::ROWS,
    names::ROWS,
    meta::ROWS,
    maps::ROWS,
    exceptions::ROWS,
    equality::ROWS,
    hash::ROWS,
    collections::ROWS,
    arithmetic::ROWS,
    unchecked::ROWS,
    bits::ROWS,
    characters::ROWS,
    formatting::ROWS,
    math::ONE,
    math::BOTH,
    math::JAVA,
    number_predicates::ROWS,
    parse::ROWS,
    statics::ROWS,
    java::ROWS,
];

/// The table never changes, so nobody can flood it; it is made when a process first needs it, so its hashes are cheap.
static INDEX: LazyLock<HashMap<&'static str, &'static Builtin, FixedState>> = LazyLock::new(|| {
    let rows = TABLES.iter().map(|t| t.len()).sum();
    let mut index = HashMap::with_capacity_and_hasher(rows, FixedState::default());
    index.extend(all().map(|b| (b.name, b)));
    index
});

/// The row of a full name: `map`, `clojure.string/join`.
pub fn find(name: &str) -> Option<&'static Builtin> {
    INDEX.get(name).copied()
}

/// All rows in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    TABLES.iter().flat_map(|t| t.iter())
}
