//! What a session remembers between turns: definitions by name, and what its atoms hold; and how a failed turn is
//! taken back (SECURITY P4).

use crate::eval::Rings;
use crate::value::cells::CellId;
use crate::value::sequence::WeakLazy;
use crate::value::{Lazy, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// A binding that outlives its turn.
#[derive(Clone)]
pub struct Binding {
    /// The name.
    pub name: Arc<str>,
    /// Its value; `None` for a name that was declared or whose definition has not run.
    pub value: Option<Value>,
    /// Its docstring.
    pub doc: Option<Arc<str>>,
}

/// What a binding was before a turn changed it.
#[derive(Clone)]
struct Undo {
    global: u32,
    value: Option<Value>,
    doc: Option<Arc<str>>,
}

/// A lazy sequence older than the running turn, and what it was before the turn asked for it. What nobody else holds
/// need not go back.
#[derive(Clone)]
struct Unmade {
    lazy: WeakLazy<Value>,
    was: Lazy,
}

/// A session's memory. Cloning it forks the session: what one does the other never sees, atoms included. Only lazy
/// sequences are shared: an item is made once, by the fork that first asks for it, and what its body does to atoms it
/// does in that fork.
#[derive(Clone, Default)]
pub struct Memory {
    /// First to go: rings are cut open while what they hang from is still there.
    pub(crate) rings: Rings,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) index: HashMap<Arc<str>, u32>,
    /// Aliases of namespaces and, after a slash, referred names.
    pub(crate) aliases: HashMap<Arc<str>, Arc<str>>,
    pub(crate) cells: im::OrdMap<u64, Value>,
    pub(crate) next_cell: u64,
    /// Programs run so far, so that functions know which one they were written in.
    pub(crate) programs: u64,
    /// Live bytes that the session's turns have made, as far as they are still held.
    pub(crate) bytes: u64,
    /// The same when it was last counted by walking.
    pub(crate) counted: u64,
    /// What the running turn has changed.
    undo: Vec<Undo>,
    /// Older sequences that it has asked for.
    unmade: Vec<Unmade>,
}

/// A point to go back to when a turn fails; costs nothing for what the turn does not change.
pub(crate) struct Checkpoint {
    bindings: usize,
    aliases: Option<HashMap<Arc<str>, Arc<str>>>,
    cells: im::OrdMap<u64, Value>,
    next_cell: u64,
    programs: u64,
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

    /// Binds a name, remembering what it was. The docstring goes with the value: without one it has none (P-13).
    pub(crate) fn bind(&mut self, global: u32, value: Value, doc: Option<Arc<str>>) {
        if let Some(b) = self.bindings.get_mut(global as usize) {
            let (value, doc) = (b.value.replace(value), std::mem::replace(&mut b.doc, doc));
            self.undo.push(Undo { global, value, doc });
        }
    }

    /// Remembers what a lazy sequence older than the turn was before it is made.
    pub(crate) fn keep(&mut self, lazy: &Lazy, was: Lazy) {
        self.unmade.push(Unmade { lazy: lazy.downgrade(), was });
    }

    /// The index of a name, made if need be.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if let Some(i) = self.index.get(name) {
            return *i;
        }
        let i = u32::try_from(self.bindings.len()).unwrap_or(u32::MAX);
        let name: Arc<str> = Arc::from(name);
        self.bindings.push(Binding { name: name.clone(), value: None, doc: None });
        self.index.insert(name, i);
        i
    }

    pub(crate) fn checkpoint(&mut self) -> Checkpoint {
        self.undo.clear();
        self.unmade.clear();
        Checkpoint {
            bindings: self.bindings.len(),
            aliases: (!self.aliases.is_empty()).then(|| self.aliases.clone()),
            cells: self.cells.clone(),
            next_cell: self.next_cell,
            programs: self.programs,
        }
    }

    /// What the turn changed stays.
    pub(crate) fn commit(&mut self) {
        self.undo = Vec::new();
        self.unmade = Vec::new();
    }

    /// Everything is as it was at the checkpoint.
    pub(crate) fn restore(&mut self, to: Checkpoint) {
        for u in std::mem::take(&mut self.undo).into_iter().rev() {
            if let Some(b) = self.bindings.get_mut(u.global as usize) {
                b.value = u.value;
                b.doc = u.doc;
            }
        }
        for b in self.bindings.drain(to.bindings.min(self.bindings.len())..) {
            self.index.remove(&b.name);
        }
        self.aliases = to.aliases.unwrap_or_default();
        self.cells = to.cells;
        self.next_cell = to.next_cell;
        self.programs = to.programs;
        // One that a turn inside this turn asked for too is there twice: the oldest is what counts.
        for u in std::mem::take(&mut self.unmade).into_iter().rev() {
            if let Some(lazy) = u.lazy.upgrade() {
                lazy.go_back(u.was);
            }
        }
    }
}
