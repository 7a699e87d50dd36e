//! What atoms, volatiles, delays and transients hold, by number.

use crate::value::Value;
use crate::value::boxed::CellId;
use crate::value::node::Bytes;

/// The cells as they are at one moment.
pub(crate) type CellTable = im::OrdMap<u64, Value>;

/// What cells hold, with the bytes of the table on the meter.
#[derive(Clone, Default)]
pub(crate) struct Cells {
    /// All of them; nil stands for the one that is in hand.
    table: CellTable,
    /// The one that was last taken out of its place, and what it holds: whoever changes a thing in place does so again and
    /// again, and need not look for it twice each time.
    in_hand: Option<(u64, Value)>,
    bytes: Bytes,
}

/// Bytes of an entry in the table of cells, in leaves that are half full.
const CELL: usize = 64;

impl Cells {
    pub fn get(&self, id: u64) -> Option<&Value> {
        match &self.in_hand {
            Some((i, v)) if *i == id => Some(v),
            _ => self.table.get(&id),
        }
    }

    /// What the cell in hand holds, if it is this one.
    #[inline]
    fn held(&mut self, id: u64) -> Option<&mut Value> {
        match &mut self.in_hand {
            Some((i, v)) if *i == id => Some(v),
            _ => None,
        }
    }

    /// Puts a value in and gives what was there.
    #[inline]
    pub fn set(&mut self, id: u64, value: Value) -> Option<Value> {
        if let Some(held) = self.held(id) {
            return Some(std::mem::replace(held, value));
        }
        self.insert(id, value)
    }

    #[inline(never)]
    fn insert(&mut self, id: u64, value: Value) -> Option<Value> {
        let before = self.table.insert(id, value);
        if before.is_none() {
            self.count();
        }
        before
    }

    /// Takes a value out, and its place with it.
    pub fn remove(&mut self, id: u64) -> Option<Value> {
        let held = self.held(id).map(std::mem::take);
        if held.is_some() {
            self.in_hand = None;
        }
        let before = self.table.remove(&id);
        self.count();
        held.or(before)
    }

    /// Takes a value out of its place for a moment: nobody else holds it then, so that it changes in place.
    #[inline]
    pub fn take(&mut self, id: u64) -> Option<Value> {
        self.get_mut(id).map(std::mem::take)
    }

    /// A value where it can be changed; it is in hand from now on.
    #[inline]
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Value> {
        if self.in_hand.as_ref().is_none_or(|(i, _)| *i != id) {
            self.take_up(id);
        }
        self.held(id)
    }

    #[inline(never)]
    fn take_up(&mut self, id: u64) {
        self.put_down();
        self.in_hand = self.table.get_mut(&id).map(|v| (id, std::mem::take(v)));
    }

    /// Puts what is in hand back to its place.
    fn put_down(&mut self) {
        if let Some((id, value)) = self.in_hand.take() {
            self.table.insert(id, value);
        }
    }

    /// All as they are now.
    pub fn table(&mut self) -> CellTable {
        self.put_down();
        self.table.clone()
    }

    /// All are again as they were.
    pub fn go_back(&mut self, to: CellTable) {
        self.in_hand = None;
        self.table = to;
        self.count();
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.table.values().chain(self.in_hand.iter().map(|(_, v)| v))
    }

    /// What belongs to the session itself.
    pub fn of_session(&self) -> impl Iterator<Item = &Value> {
        let table = self.table.range(CellId::HIERARCHY.0..).map(|(id, v)| (*id, v));
        let all = table.chain(self.in_hand.iter().map(|(id, v)| (*id, v)));
        all.filter(|(id, _)| CellId(*id).is_of_session()).map(|(_, v)| v)
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Keeps those whose number fulfils `test`.
    pub fn retain(&mut self, test: impl Fn(u64) -> bool) {
        self.put_down();
        let gone: Vec<u64> = self.table.keys().copied().filter(|id| !test(*id)).collect();
        for id in gone {
            self.table.remove(&id);
        }
        self.count();
    }

    /// Bytes of the table.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    fn count(&mut self) {
        self.bytes.hold(self.table.len() * CELL);
    }
}
