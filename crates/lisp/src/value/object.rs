//! Values of types that are no maps: what `deftype` and `reify` make, and protocols.

use super::Value;
use super::map::RecordType;
use super::node::{Bytes, Item, UPKEEP};
use super::text::OVERHEAD;
use std::sync::Arc;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// Of a type that `deftype` made: it holds its fields.
    Instance,
    /// Made by `reify`: it holds its methods, and a vector of what it implements.
    Reified,
    /// A protocol: it holds its cell, then names and parameters of its methods.
    Protocol,
}

/// A value with a class that is equal to itself alone.
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Its class: the name, and the names of its fields.
    pub class: Arc<RecordType<Value>>,
    /// A vector of what it holds.
    pub held: Value,
    /// Its metadata, or nil.
    pub meta: Value,
    bytes: Bytes,
}

impl Object {
    /// An object, with its bytes on the meter.
    pub fn new(kind: ObjectKind, class: Arc<RecordType<Value>>, held: Vec<Value>, meta: Value) -> Arc<Self> {
        let own = size_of::<RecordType<Value>>() + class.fields.len() * size_of::<Value>();
        let bytes = Bytes::new(size_of::<Self>() + OVERHEAD + UPKEEP + own);
        Arc::new(Object { kind, class, held: Value::vector(held), meta, bytes })
    }

    /// What is at a place.
    pub fn at(&self, place: usize) -> Option<&Value> {
        if let Value::Vector(v) = &self.held { v.get(place) } else { None }
    }

    /// The field of this name, of an instance.
    pub fn field(&self, name: &Value) -> Option<&Value> {
        let place = self.class.fields.iter().position(|f| f.same_key(name))?;
        if self.kind == ObjectKind::Instance { self.at(place) } else { None }
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
