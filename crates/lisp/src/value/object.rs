//! Values of types that are no maps: what `deftype` and `reify` make, protocols, namespaces, and what tags are read as.

use super::map::RecordType;
use super::node::{Bytes, Item, UPKEEP};
use super::text::OVERHEAD;
use std::sync::Arc;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectKind {
    /// Of a type that `deftype` made: it holds its fields.
    Instance,
    /// Made by `reify`: it holds its methods, and a vector of what it implements.
    Reified,
    /// A class: it is named by its own `class`, and holds nothing.
    Class,
    /// A protocol: it holds its cell, then a text for each of its functions, as `(area [s])`.
    Protocol,
    /// A namespace: it holds its name, a text.
    Namespace,
    /// What `tagged-literal` makes: it holds tag and form.
    TaggedLiteral,
}

impl ObjectKind {
    /// Whether one is equal to another that holds the same.
    pub fn is_data(self) -> bool {
        matches!(self, ObjectKind::Class | ObjectKind::Namespace | ObjectKind::TaggedLiteral)
    }

    /// Whether its values are of a type that a program made.
    pub fn is_of_program(self) -> bool {
        matches!(self, ObjectKind::Instance | ObjectKind::Reified)
    }
}

/// A value with a class. Unless it is data, it is equal to itself alone.
pub struct Object<V: Item> {
    /// What it is.
    pub kind: ObjectKind,
    /// Its class: the name, and the names of its fields.
    pub class: Arc<RecordType<V>>,
    /// A vector of what it holds.
    pub held: V,
    /// Its metadata, or nil.
    pub meta: V,
    bytes: Bytes,
}

impl<V: Item> Object<V> {
    /// An object that holds a vector, with its bytes on the meter.
    pub fn new(kind: ObjectKind, class: Arc<RecordType<V>>, held: V, meta: V) -> Arc<Self> {
        let own = size_of::<RecordType<V>>() + class.fields.len() * size_of::<V>();
        let bytes = Bytes::new(size_of::<Self>() + OVERHEAD + UPKEEP + own);
        Arc::new(Object { kind, class, held, meta, bytes })
    }

    /// Its bytes on the meter.
    pub fn bytes(&self) -> usize {
        self.bytes.get()
    }

    /// One more than the nesting of what it holds.
    pub fn depth(&self) -> u32 {
        self.held.depth().max(self.meta.depth()).saturating_add(1)
    }
}
