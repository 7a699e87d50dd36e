//! What a session remembers between turns: definitions by name, and what its atoms hold.

use crate::value::Value;
use crate::value::cells::CellId;
use std::collections::HashMap;
use std::sync::Arc;

/// A binding that outlives its turn.
#[derive(Clone)]
pub struct Binding {
    /// The name.
    pub name: Arc<str>,
    /// Its value; `None` for a name that was declared, or whose turn failed.
    pub value: Option<Value>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
}

/// A session's memory. Cloning it forks the session: what one does the other never sees, atoms included.
#[derive(Clone, Default)]
pub struct Memory {
    pub(crate) bindings: Vec<Binding>,
    pub(crate) index: HashMap<Arc<str>, u32>,
    pub(crate) cells: im::OrdMap<u64, Value>,
    pub(crate) next_cell: u64,
    /// Live bytes that the session's turns have made, as far as they are still held.
    pub(crate) bytes: u64,
}

impl Memory {
    /// An empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// The bindings in the order of their first definition.
    pub fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(|b| b.value.is_some())
    }

    /// What a name is bound to.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let i = *self.index.get(name)?;
        self.bindings.get(i as usize)?.value.as_ref()
    }

    /// What an atom, volatile or delay holds.
    pub fn cell(&self, id: CellId) -> Option<&Value> {
        self.cells.get(&id.0)
    }
}
