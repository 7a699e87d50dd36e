//! What definitions say besides their values: metadata, and where they stand.

use super::role::Role;
use super::text::OVERHEAD;
use super::{Map, Value};
use std::fmt::Debug;
use std::sync::Arc;

/// What a definition says besides its value and its docstring.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Whether it is a macro or a dynamic var.
    pub role: Role,
    /// Whether it is its namespace's own.
    pub private: bool,
    /// Whether its value is a function whose parameters are part of what it says: `defn`.
    pub function: bool,
    /// Whether it is only declared.
    pub declared: bool,
    /// Line and column, from 1; 0 where nobody knows.
    pub place: (u32, u32),
    /// Its metadata as written.
    pub written: Option<Arc<Written>>,
}

/// Metadata as it was written.
pub struct Written {
    /// The entries in order.
    pub entries: Map,
    /// How many of them stood before the name: parameters and docstring come behind these.
    pub lead: usize,
    /// Whether there is nothing else: a program has replaced all of it.
    pub whole: bool,
}

impl std::fmt::Debug for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        Value::Map(self.entries.clone()).fmt(f)
    }
}

impl Facts {
    /// What they take besides the entries.
    pub fn bytes(&self) -> usize {
        self.written.as_ref().map_or(0, |_| size_of::<Written>() + OVERHEAD)
    }

    /// The metadata as a value, for those who walk through what is held.
    pub fn held(&self) -> Option<Value> {
        self.written.as_ref().map(|w| Value::Map(w.entries.clone()))
    }
}
