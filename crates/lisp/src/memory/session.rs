//! What a session remembers between turns: definitions by name, and what its atoms hold; and how a failed turn is
//! taken back (SECURITY P4).

use super::cells::{CellTable, Cells};
use super::cycles::CycleCollector;
use super::space_table::Spaces;
use crate::namespaces::{USER, parts_of};
use crate::value::boxed::CellId;
use crate::value::facts::Facts;
use crate::value::node::Bytes;
use crate::value::role::Role;
use crate::value::sequence::WeakLazy;
use crate::value::text::OVERHEAD;
use crate::value::turn_id::TurnScope;
use crate::value::{Lazy, Symbol, Value};
use foldhash::fast::RandomState;
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
    /// What its definition says besides.
    pub(crate) facts: Facts,
    /// Where the running turn remembers what it was, if it does.
    undo: usize,
}

/// What a binding was before a turn changed it.
#[derive(Clone)]
struct Undo {
    global: u32,
    value: Option<Value>,
    doc: Option<Arc<str>>,
    facts: Facts,
}

/// A name that has another value for a while.
pub(crate) struct Lent {
    /// Which name.
    pub(crate) global: u32,
    /// What it had, or was given by a definition meanwhile.
    pub(crate) root: Option<Value>,
    /// How many changes there were with this one.
    changes: usize,
}

/// A lazy sequence older than the running turn, and what it was before the turn asked for it. What nobody else holds
/// need not go back.
#[derive(Clone)]
struct LazyUndo {
    lazy: WeakLazy<Value>,
    was: Lazy,
}

/// A session's memory. Cloning it forks the session: what one does the other never sees, atoms included. Only lazy
/// sequences are shared: an item is made once, by the fork that first asks for it, and what its body does to atoms it
/// does in that fork.
#[derive(Clone, Default)]
pub struct Memory {
    /// First to go: cycles are cut open while what they hang from is still there.
    pub(crate) cycles: CycleCollector,
    pub(crate) bindings: Vec<Binding>,
    /// Keyed at random for each process; nothing tells programs which names collide.
    pub(crate) index: HashMap<Arc<str>, u32, RandomState>,
    /// Aliases of namespaces and, after a slash, referred names; those of a namespace other than `user` behind its name.
    pub(crate) aliases: HashMap<Arc<str>, Arc<str>>,
    /// Libraries that are loaded: namespaces of their own, whose names stay as they are.
    pub(crate) libraries: Vec<Arc<str>>,
    /// Namespaces of programs.
    pub(super) spaces: Spaces,
    pub(crate) cells: Cells,
    pub(crate) next_cell: u64,
    /// Whether an atom that was made without options may have some by now, as a watch.
    pub(crate) late_options: bool,
    /// Names and what belongs to them, on the meter.
    names: Names,
    /// Whether any binding is or was a macro.
    pub(crate) has_macros: bool,
    /// Whether any macro reads `&env`.
    pub(crate) reads_env: bool,
    /// Names made so far that nobody else has.
    fresh: u64,
    /// Programs run so far, so that functions know which one they were written in.
    pub(crate) programs: u64,
    /// Live bytes that the session's turns have made, as far as they are still held.
    pub(crate) bytes: u64,
    /// The same when it was last counted by walking.
    pub(crate) counted: u64,
    /// What the running turn has changed.
    undo: Vec<Undo>,
    /// Its bytes on the meter.
    undo_bytes: Bytes,
    /// What is remembered from here on can be taken back by itself.
    undo_from: usize,
    /// Older sequences that it has asked for.
    unmade: Vec<LazyUndo>,
}

/// A point to go back to when a turn fails; costs nothing for what the turn does not change.
pub(crate) struct Checkpoint {
    bindings: usize,
    aliases: Option<HashMap<Arc<str>, Arc<str>>>,
    spaces: Spaces,
    cells: CellTable,
    next_cell: u64,
    programs: u64,
    fresh: u64,
}

/// A point within the running turn: how many changes of bindings there were, and from where on what was remembered could be
/// taken back before.
pub(crate) struct Changes {
    undo: usize,
    outer: usize,
}

/// How many names there are, and which aliases: to go back to.
pub(crate) struct NamesSoFar {
    bindings: usize,
    aliases: HashMap<Arc<str>, Arc<str>>,
    spaces: Spaces,
}

/// What sequences and cells were at some moment of a turn. What is made after it counts as made in a turn of its own, so
/// that older sequences are kept before they are made.
pub(crate) struct Savepoint {
    turn: TurnScope,
    unmade: usize,
    cells: CellTable,
    next_cell: u64,
}

impl Checkpoint {
    /// What atoms, volatiles and delays held.
    pub(crate) fn cells(&self) -> impl Iterator<Item = &Value> {
        self.cells.values()
    }
}

/// The bytes of names, docstrings and aliases.
#[derive(Clone, Default)]
struct Names(Bytes);

/// Bytes of a binding and of its entry in the index, in tables that are half full.
const NAME: usize = 2 * (size_of::<Binding>() + size_of::<(Arc<str>, u32)>()) + OVERHEAD;

/// Changes of bindings that there is room for between turns.
const FEW: usize = 4;

/// Whether a definition is remembered at this place, and goes back wherever the turn may be taken back to from now on.
fn remembers(undo: &[Undo], from: usize, place: usize, global: u32) -> bool {
    place >= from && undo.get(place).is_some_and(|u| u.global == global)
}

fn doc_bytes(doc: Option<&Arc<str>>) -> usize {
    doc.map_or(0, |d| d.len() + OVERHEAD)
}

/// Bytes of an alias and of its entry, in a table that is half full.
fn alias_bytes(alias: &str, of: &str) -> usize {
    2 * size_of::<(Arc<str>, Arc<str>)>() + alias.len() + of.len() + 2 * OVERHEAD
}

impl Names {
    fn add(&mut self, bytes: usize) {
        self.0.hold(self.0.get() + bytes);
    }

    fn take(&mut self, bytes: usize) {
        self.0.hold(self.0.get().saturating_sub(bytes));
    }
}

impl Memory {
    /// An empty memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes of names, docstrings, aliases and the table of cells.
    pub(crate) fn table_bytes(&self) -> usize {
        self.names.0.get() + self.cells.bytes()
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
        self.cells.get(id.0)
    }

    /// Binds a name, remembering what it was. The docstring goes with the value: without one it has none (P-13).
    pub(crate) fn bind(&mut self, global: u32, value: Value, doc: Option<Arc<str>>, facts: Facts) {
        self.has_macros |= facts.role == Role::Macro;
        self.change(global, Some(value), doc, facts);
    }

    /// Says what there is to say of a name besides its value, remembering what it was.
    pub(crate) fn set_facts(&mut self, global: u32, doc: Option<Arc<str>>, facts: Facts) {
        let value = self.bindings.get(global as usize).and_then(|b| b.value.clone());
        self.change(global, value, doc, facts);
    }

    fn change(&mut self, global: u32, value: Option<Value>, doc: Option<Arc<str>>, facts: Facts) {
        if let Some(b) = self.bindings.get_mut(global as usize) {
            self.names.add(doc_bytes(doc.as_ref()) + facts.bytes());
            self.names.take(doc_bytes(b.doc.as_ref()) + b.facts.bytes());
            let (value, doc) = (std::mem::replace(&mut b.value, value), std::mem::replace(&mut b.doc, doc));
            let facts = std::mem::replace(&mut b.facts, facts);
            // What a turn defines again and again goes back to what it was before the first time.
            if !remembers(&self.undo, self.undo_from, b.undo, global) {
                b.undo = self.undo.len();
                self.remember(Undo { global, value, doc, facts });
            }
        }
    }

    fn remember(&mut self, undo: Undo) {
        self.undo.push(undo);
        if self.undo.len() > FEW {
            self.undo_bytes.hold(self.undo.capacity() * size_of::<Undo>());
        }
    }

    /// Gives a name another value for a while; what to give back to [`give_back`](Self::give_back). `None` where it has
    /// none that could be another.
    pub(crate) fn lend(&mut self, global: u32, value: Value) -> Option<Lent> {
        let b = self.bindings.get_mut(global as usize)?;
        if !remembers(&self.undo, self.undo_from, b.undo, global) {
            // The place is of an earlier turn: what is remembered there now goes when the name has its value again.
            b.undo = usize::MAX;
        }
        let (root, doc, facts) = (b.value.replace(value), b.doc.clone(), b.facts.clone());
        self.remember(Undo { global, value: root.clone(), doc, facts });
        Some(Lent { global, root, changes: self.undo.len() })
    }

    /// Ends what [`lend`](Self::lend) began.
    pub(crate) fn give_back(&mut self, lent: Lent) {
        if let Some(b) = self.bindings.get_mut(lent.global as usize) {
            b.value = lent.root;
        }
        // Without definitions inside nothing is left of it.
        if self.undo.len() == lent.changes {
            self.undo.truncate(lent.changes.saturating_sub(1));
        }
    }

    /// Remembers what a lazy sequence older than the turn was before it is made.
    pub(crate) fn keep(&mut self, lazy: &Lazy, was: Lazy) {
        self.unmade.push(LazyUndo { lazy: lazy.downgrade(), was });
    }

    /// A point within the running turn to go back to.
    pub(crate) fn savepoint(&mut self) -> Savepoint {
        Savepoint {
            turn: TurnScope::begin(),
            unmade: self.unmade.len(),
            cells: self.cells.table(),
            next_cell: self.next_cell,
        }
    }

    /// What lazy sequences, atoms and the like were at the savepoint they are again.
    pub(crate) fn go_back(&mut self, to: Savepoint) {
        drop(to.turn);
        self.cells.go_back(to.cells);
        self.next_cell = to.next_cell;
        for u in self.unmade.split_off(to.unmade.min(self.unmade.len())).into_iter().rev() {
            if let Some(lazy) = u.lazy.upgrade() {
                lazy.go_back(u.was);
            }
        }
    }

    /// The index of a name that has none yet.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        let i = u32::try_from(self.bindings.len()).unwrap_or(u32::MAX);
        let name: Arc<str> = Arc::from(name);
        self.names.add(NAME + name.len());
        self.bindings.push(Binding {
            name: name.clone(),
            value: None,
            doc: None,
            facts: Facts::default(),
            undo: usize::MAX,
        });
        self.index.insert(name, i);
        i
    }

    /// What bindings held before the running turn changed them.
    pub(crate) fn replaced(&self) -> impl Iterator<Item = &Value> {
        self.undo.iter().filter_map(|u| u.value.as_ref())
    }

    /// Takes note that `bytes` are held no more which were live when the last turn ended: what only left with its outcome,
    /// once the host has dropped that. Without it they are found out by counting, later.
    pub fn let_go(&mut self, bytes: i64) {
        self.bytes = self.bytes.saturating_add_signed(bytes.saturating_neg());
    }

    /// Puts a name of this length on the meter.
    pub(super) fn hold_name(&mut self, length: usize) {
        self.names.add(NAME + length);
    }

    /// Takes it off again.
    pub(super) fn let_name_go(&mut self, length: usize) {
        self.names.take(NAME + length);
    }

    /// Keeps an alias under its full name.
    pub(super) fn put_alias(&mut self, alias: &str, of: &str) {
        self.names.add(alias_bytes(alias, of));
        if let Some(before) = self.aliases.insert(Arc::from(alias), Arc::from(of)) {
            self.names.take(alias_bytes(alias, &before));
        }
    }

    /// Lets an alias go.
    pub(super) fn drop_alias(&mut self, alias: &str) {
        if let Some(of) = self.aliases.remove(alias) {
            self.names.take(alias_bytes(alias, &of));
        }
    }

    /// Puts these aliases in the place of all there are, and gives those.
    pub(crate) fn set_aliases(&mut self, aliases: HashMap<Arc<str>, Arc<str>>) -> HashMap<Arc<str>, Arc<str>> {
        let bytes = |all: &HashMap<Arc<str>, Arc<str>>| all.iter().map(|(a, of)| alias_bytes(a, of)).sum::<usize>();
        self.names.add(bytes(&aliases));
        self.names.take(bytes(&self.aliases));
        std::mem::replace(&mut self.aliases, aliases)
    }

    /// The name with this index, with the namespace of its library.
    pub(crate) fn name_of(&self, global: u32) -> Option<Arc<str>> {
        self.bindings.get(global as usize).map(|b| b.name.clone())
    }

    /// Whether a name is its namespace's own.
    pub(crate) fn is_private(&self, name: &str) -> bool {
        let binding = self.index.get(name).and_then(|i| self.bindings.get(*i as usize));
        binding.is_some_and(|b| b.facts.private)
    }

    /// Whether it is a library's own, so that programs cannot name it.
    pub(crate) fn is_hidden(&self, binding: &Binding) -> bool {
        binding.facts.private && self.is_library(parts_of(&binding.name).0)
    }

    /// What programs may use of a library, without its namespace.
    pub(crate) fn library_names<'m>(&'m self, library: &'m str) -> impl Iterator<Item = &'m str> {
        let own = self.libraries.iter().any(|l| **l == *library);
        let name = move |b: &'m Binding| b.name.strip_prefix(library)?.strip_prefix('/');
        self.bindings().filter(move |b| own && !b.facts.private).filter_map(name)
    }

    /// The var of a name: `#'user/x`, or `#'stats/mean` of a library. `word` is the name without a namespace.
    pub(crate) fn var_of(&self, global: u32, word: &str) -> Symbol {
        let (ns, name) = self.bindings.get(global as usize).map_or((USER, word), |b| parts_of(&b.name));
        Symbol::new(Some(ns), name)
    }

    /// Charges for the var of a name, which nobody reads.
    pub(crate) fn charge_var(&self, global: u32, word: &str) {
        let (ns, name) = self.bindings.get(global as usize).map_or((USER, word), |b| parts_of(&b.name));
        Symbol::charge(ns, name);
    }

    pub(crate) fn checkpoint(&mut self) -> Checkpoint {
        self.undo.clear();
        self.undo_from = 0;
        self.unmade.clear();
        Checkpoint {
            bindings: self.bindings.len(),
            aliases: (!self.aliases.is_empty()).then(|| self.aliases.clone()),
            spaces: self.spaces_so_far(),
            cells: self.cells.table(),
            next_cell: self.next_cell,
            programs: self.programs,
            fresh: self.fresh,
        }
    }

    /// A number that no other name of the session has.
    pub(crate) fn fresh(&mut self) -> u64 {
        self.fresh += 1;
        self.fresh
    }

    /// A point to take changes of bindings back to.
    pub(crate) fn changes(&mut self) -> Changes {
        Changes { undo: self.undo.len(), outer: std::mem::replace(&mut self.undo_from, self.undo.len()) }
    }

    /// Takes back what the turn has changed of bindings since then.
    pub(crate) fn take_back(&mut self, to: Changes) {
        self.undo_from = to.outer;
        if self.undo.len() <= to.undo {
            return;
        }
        for u in self.undo.split_off(to.undo).into_iter().rev() {
            self.undo_one(u);
        }
    }

    fn undo_one(&mut self, u: Undo) {
        if let Some(b) = self.bindings.get_mut(u.global as usize) {
            self.names.add(doc_bytes(u.doc.as_ref()) + u.facts.bytes());
            self.names.take(doc_bytes(b.doc.as_ref()) + b.facts.bytes());
            (b.value, b.doc, b.facts) = (u.value, u.doc, u.facts);
        }
    }

    /// The names there are by now.
    pub(crate) fn names_so_far(&self) -> NamesSoFar {
        NamesSoFar { bindings: self.bindings.len(), aliases: self.aliases.clone(), spaces: self.spaces_so_far() }
    }

    /// Forgets names that have come since.
    pub(crate) fn forget_names(&mut self, to: NamesSoFar) {
        for b in self.bindings.drain(to.bindings.min(self.bindings.len())..) {
            self.names.take(NAME + b.name.len() + doc_bytes(b.doc.as_ref()) + b.facts.bytes());
            self.index.remove(&b.name);
        }
        self.set_aliases(to.aliases);
        self.set_spaces(to.spaces);
    }

    /// What the turn changed stays.
    pub(crate) fn commit(&mut self) {
        // Room for a few changes stays: most turns have a few.
        self.undo.clear();
        self.undo.shrink_to(FEW);
        self.undo_bytes.hold(0);
        self.unmade = Vec::new();
    }

    /// Everything is as it was at the checkpoint.
    pub(crate) fn restore(&mut self, to: Checkpoint) {
        for u in std::mem::take(&mut self.undo).into_iter().rev() {
            self.undo_one(u);
        }
        self.undo_bytes.hold(0);
        let aliases = to.aliases.unwrap_or_default();
        self.forget_names(NamesSoFar { bindings: to.bindings, aliases, spaces: to.spaces });
        self.cells.go_back(to.cells);
        self.next_cell = to.next_cell;
        self.programs = to.programs;
        self.fresh = to.fresh;
        // One that a turn inside this turn asked for too is there twice: the oldest is what counts.
        for u in std::mem::take(&mut self.unmade).into_iter().rev() {
            if let Some(lazy) = u.lazy.upgrade() {
                lazy.go_back(u.was);
            }
        }
    }
}
