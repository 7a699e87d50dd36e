//! Small values with an identity or a wrapper: atoms, exceptions, reduced.

use super::node::{Bytes, Item};
use super::text::OVERHEAD;
use std::sync::Arc;

/// The name of a mutable place. What it holds is in the session's memory under this number, so forks of a session
/// do not see each other, a failed turn rolls back, and no cycle can be built out of pointers (SECURITY R11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u64);

/// What a cell holds that is changed in place, besides atoms, volatiles, delays and builders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A collection that changes in place until `persistent!` takes it out.
    Transient = 0,
    /// Java's `StringReader`, a reader of a text.
    Reader = 1,
}

impl Place {
    /// Its name in error messages.
    pub fn kind(self) -> &'static str {
        match self {
            Place::Transient => "a transient",
            Place::Reader => "a reader",
        }
    }
}

/// In the number of an atom: that it was made with options.
const WITH_OPTIONS: u64 = 1 << 62;
/// In a number: that its cell holds the options of an atom.
const OPTIONS: u64 = 1 << 63;
/// In a number: where the bits of its [`CellSort`] begin.
const SORT: u32 = 55;

/// What a cell is to a program, beside its kind of value: promises and futures hold a value as delays do, matchers what volatiles could.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellSort {
    /// An atom, a volatile, a delay: what its value says.
    Plain = 0,
    /// A promise.
    Promise = 3,
    /// A future.
    Future = 4,
    /// A matcher of a regex.
    Matcher = 5,
    /// A writer of Java's, which is a builder otherwise.
    Writer = 6,
}

/// In a number: that its cell belongs to the session itself, and not to what a program made.
const SESSION: u64 = 1 << 61;

impl CellId {
    /// Where the global hierarchy is, as `derive` makes it.
    pub const HIERARCHY: CellId = CellId(SESSION);
    /// Where the types of records are: an empty record of each, by the name of its class.
    pub const TYPES: CellId = CellId(SESSION | 1);
    /// Where the methods are that types were defined with: a map of them by the name of the class, and the protocols.
    pub const METHODS: CellId = CellId(SESSION | 2);

    /// The reader of `with-in-str`, inside it.
    pub const INPUT: CellId = CellId(SESSION | 5);
    /// What the writer `*out*` is outside `with-out-str`: it holds nothing, what it is given is printed by the turn.
    pub const OUT: CellId = CellId(SESSION | 6 | (CellSort::Writer as u64) << SORT);
    /// The writer `*err*`, which is printed by the turn as well.
    pub const ERR: CellId = CellId(SESSION | 7 | (CellSort::Writer as u64) << SORT);

    /// Whether it is one of the writers that the turn prints.
    pub fn is_of_turn(self) -> bool {
        self == CellId::OUT || self == CellId::ERR
    }

    /// Whether the cell belongs to the session itself: no value holds it, and it is never let go of.
    pub fn is_of_session(self) -> bool {
        self.0 & SESSION != 0
    }

    /// The number of an atom that has options from the start, made of a plain one.
    #[must_use]
    pub fn with_options(self) -> CellId {
        CellId(self.0 | WITH_OPTIONS)
    }

    /// Whether the atom had options when it was made.
    #[inline]
    pub fn has_options(self) -> bool {
        self.0 & WITH_OPTIONS != 0
    }

    /// Where the options of this atom are, if it has any.
    pub fn options(self) -> CellId {
        CellId(self.0 | OPTIONS)
    }

    /// The atom whose options are in this cell; any other cell is its own.
    pub fn owner(self) -> CellId {
        CellId(self.0 & !OPTIONS)
    }

    /// The number of a cell of this sort, made of a plain one.
    #[must_use]
    pub fn with_sort(self, sort: CellSort) -> CellId {
        CellId(self.0 | (sort as u64) << SORT)
    }

    /// The number of a place of this kind, made of a plain one.
    #[must_use]
    pub fn with_place(self, place: Place) -> CellId {
        CellId(self.0 | (place as u64) << SORT)
    }

    /// What kind of place it is, where it is the number of one.
    pub fn place(self) -> Place {
        if (self.0 >> SORT) & 0b111 == Place::Reader as u64 { Place::Reader } else { Place::Transient }
    }

    /// What the cell is to a program.
    pub fn sort(self) -> CellSort {
        match (self.0 >> SORT) & 0b111 {
            3 => CellSort::Promise,
            4 => CellSort::Future,
            5 => CellSort::Matcher,
            6 => CellSort::Writer,
            _ => CellSort::Plain,
        }
    }
}

/// An exception as a value: what `catch` binds and `ex-info` makes.
pub struct Exception<V: Item> {
    /// Name of its class without package: `ExceptionInfo`, `ArithmeticException`.
    pub class: &'static str,
    /// Its message.
    pub message: Option<String>,
    /// `ex-data`, nil when there is none.
    pub data: V,
    /// `ex-cause`, nil when there is none.
    pub cause: V,
    /// The error as it was first seen, when the program did not make it itself.
    pub error: Option<Box<crate::error::Error>>,
    bytes: Bytes,
}

impl<V: Item> Exception<V> {
    /// An exception with its bytes on the meter: programs may keep as many as they catch (SECURITY attack 31).
    pub fn new(
        class: &'static str,
        message: Option<String>,
        data: V,
        cause: V,
        error: Option<Box<crate::error::Error>>,
    ) -> Arc<Self> {
        let of = |s: &Option<String>| s.as_ref().map_or(0, |s| s.capacity() + OVERHEAD);
        let error_bytes = error.as_ref().map_or(0, |e| {
            let calls: usize = e.calls.iter().map(|c| c.capacity() + OVERHEAD + size_of::<String>()).sum();
            size_of::<crate::error::Error>() + OVERHEAD + e.message.capacity() + OVERHEAD + of(&e.hint) + calls
        });
        let bytes = size_of::<Self>() + OVERHEAD + of(&message) + error_bytes;
        Arc::new(Exception { class, message, data, cause, error, bytes: Bytes::new(bytes) })
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }
}

/// Something with its bytes on the meter: big numbers, uuids, what `reduced` wraps.
#[derive(Clone, Debug)]
pub struct Metered<T> {
    held: T,
    bytes: Bytes,
}

impl<T> Metered<T> {
    /// `held`, which has `heap` bytes besides itself.
    pub fn new(held: T, heap: usize) -> Arc<Self> {
        Arc::new(Metered { held, bytes: Bytes::new(size_of::<Self>() + OVERHEAD + heap) })
    }

    /// What is held, moved out.
    pub fn into_held(self) -> T {
        self.held
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }
}

impl<T> std::ops::Deref for Metered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.held
    }
}

impl<T> std::ops::DerefMut for Metered<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.held
    }
}
