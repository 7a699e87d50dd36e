//! The functions of the language: one static table, shared by all sessions, nothing to boot.

pub mod args;

use crate::value::Builtin;
use std::collections::HashMap;
use std::sync::LazyLock;

/// All rows, by room.
pub static TABLES: &[&[Builtin]] = &[];

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
