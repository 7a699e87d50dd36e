//! Small values with an identity or a wrapper: atoms, regexes, exceptions, reduced.

use super::node::{Bytes, Item};
use super::text::OVERHEAD;
use std::sync::{Arc, OnceLock};

/// The name of a mutable place. What it holds lies in the session's memory under this number, so forks of a session
/// do not see each other, a failed turn rolls back, and no cycle can be built out of pointers (SECURITY R11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u64);

/// A compiled regex and its source.
#[derive(Debug)]
pub struct Regex {
    /// The pattern as written.
    pub source: String,
    /// The compiled form.
    pub regex: regex::Regex,
    /// The same for a whole text, made when it is first asked for.
    whole: OnceLock<Option<regex::Regex>>,
    bytes: Bytes,
}

impl Regex {
    /// A regex that was compiled from `source` and takes about `bytes`.
    pub fn new(source: String, regex: regex::Regex, bytes: usize) -> Arc<Self> {
        Arc::new(Regex { source, regex, whole: OnceLock::new(), bytes: Bytes::new(bytes + OVERHEAD) })
    }

    /// The form that matches whole texts only, which `make` compiles once.
    pub fn whole(&self, make: impl FnOnce() -> Option<regex::Regex>) -> Option<&regex::Regex> {
        self.whole.get_or_init(make).as_ref()
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
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
    _bytes: Bytes,
}

impl<V: Item> Exception<V> {
    /// An exception with its bytes on the meter: programs may keep as many as they catch (attack 31).
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
        Arc::new(Exception { class, message, data, cause, error, _bytes: Bytes::new(bytes) })
    }
}

/// Bytes of a plain boxed value.
pub fn boxed_bytes<V>() -> usize {
    size_of::<V>() + OVERHEAD
}

/// Something with its bytes on the meter: big numbers, which would else be memory that nobody counts.
#[derive(Debug)]
pub struct Metered<T> {
    held: T,
    _bytes: Bytes,
}

impl<T> Metered<T> {
    /// `held`, which has `heap` bytes besides itself.
    pub fn new(held: T, heap: usize) -> Arc<Self> {
        Arc::new(Metered { held, _bytes: Bytes::new(size_of::<Self>() + OVERHEAD + heap) })
    }
}

impl<T> std::ops::Deref for Metered<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.held
    }
}
