//! The functions of the language: one static table, shared by all sessions, nothing to boot.

pub mod args;
pub mod pprint;
pub mod seq_basic;
pub mod seq_slices;
pub mod seq_make;
pub mod seq_join;
pub mod seq_transform;
pub mod reduce;
pub mod into;
pub mod group;
pub mod sort;
pub mod combinators;
pub mod transducers;
pub mod pump;
pub mod stage;
pub mod index;
#[cfg(test)]
mod seq_tests;
#[cfg(test)]
pub mod testing;
pub mod describe;
pub mod read;
pub mod walk;
pub mod sets;
pub mod json;
pub mod internal;
pub mod strings;
pub mod replace;
pub mod regex_class;
pub mod regex_meter;
pub mod regex_syntax;
pub mod regex;
pub mod methods;
pub mod sorted;
pub mod state;
pub mod printing;
pub mod predicates;
pub mod names;
pub mod meta;
pub mod maps;
pub mod lookup;
pub mod exceptions;
pub mod equality;
pub mod cost;
pub mod collections;
pub mod classes;
pub mod statics;
pub mod parse;
pub mod number_predicates;
pub mod math;
pub mod characters;
pub mod formatting;
pub mod bits;
pub mod arithmetic;

use crate::value::Builtin;
use std::collections::HashMap;
use std::sync::LazyLock;

/// All rows, by room.
pub static TABLES: &[&[Builtin]] = &[
    internal::ROWS,
    seq_basic::ROWS,
    seq_slices::ROWS,
    seq_make::ROWS,
    seq_join::ROWS,
    seq_transform::ROWS,
    reduce::ROWS,
    into::ROWS,
    group::ROWS,
    sort::ROWS,
    combinators::ROWS,
    transducers::ROWS,
    sorted::ROWS,
    state::ROWS,
    predicates::ROWS,
    printing::ROWS,
    pprint::ROWS,
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
    collections::ROWS,
    arithmetic::ROWS,
    bits::ROWS,
    characters::ROWS,
    formatting::ROWS,
    math::ONE,
    math::BOTH,
    math::JAVA,
    number_predicates::ROWS,
    parse::ROWS,
    statics::ROWS,
];

static INDEX: LazyLock<HashMap<&'static str, &'static Builtin>> =
    LazyLock::new(|| TABLES.iter().flat_map(|t| t.iter()).map(|b| (b.name, b)).collect());

/// The row of a full name: `map`, `clojure.string/join`.
pub fn find(name: &str) -> Option<&'static Builtin> {
    INDEX.get(name).copied()
}

/// All rows in the order of the table.
pub fn all() -> impl Iterator<Item = &'static Builtin> {
    TABLES.iter().flat_map(|t| t.iter())
}

/// What `(doc f)` prints and `ptc doc f` shows.
pub fn doc_text(b: &Builtin) -> String {
    let lists: Vec<String> = b.params.split('|').map(|p| format!("[{}]", p.trim())).collect();
    let mut out = format!("{}\n({})\n  {}\n", b.name, lists.join(" "), b.doc);
    for (program, value) in b.examples {
        match value.strip_prefix('!') {
            Some(words) => out.push_str(&format!("  {program}\n  ;!! {words}\n")),
            None => out.push_str(&format!("  {program}\n  ;=> {value}\n")),
        }
    }
    out
}
