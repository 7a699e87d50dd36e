//! Which of Java's collections a place is.

use super::Value;
use super::boxed::{CellId, Place};

/// What a collection of Java does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JavaKind {
    /// Items by index: it holds a vector.
    List,
    /// Items with two ends: it holds a queue.
    Deque,
    /// Items of which the least comes first: it holds a vector, a binary heap.
    Heap,
    /// It holds a map.
    Map,
    /// It holds a set.
    Set,
    /// A way through items: it holds those that are left, as a sequence.
    Iterator,
}

impl Place {
    /// Whether what it holds is read as a collection.
    pub fn is_seqable(self) -> bool {
        self.array().is_some() || self.java().is_some_and(|kind| kind != JavaKind::Iterator)
    }

    /// Which of Java's collections it is, if it is one.
    pub fn java(self) -> Option<JavaKind> {
        Some(match self {
            Place::ArrayList => JavaKind::List,
            Place::LinkedList | Place::ArrayDeque => JavaKind::Deque,
            Place::PriorityQueue => JavaKind::Heap,
            Place::HashMap | Place::LinkedHashMap | Place::TreeMap | Place::TreeMapPart => JavaKind::Map,
            Place::HashSet | Place::LinkedHashSet | Place::TreeSet | Place::TreeSetPart => JavaKind::Set,
            Place::Iterator => JavaKind::Iterator,
            _ => return None,
        })
    }

    /// The name of the class of a collection of Java.
    pub fn java_class(self) -> &'static str {
        match self {
            Place::ArrayList => "java.util.ArrayList",
            Place::LinkedList => "java.util.LinkedList",
            Place::ArrayDeque => "java.util.ArrayDeque",
            Place::PriorityQueue => "java.util.PriorityQueue",
            Place::HashMap => "java.util.HashMap",
            Place::LinkedHashMap => "java.util.LinkedHashMap",
            Place::TreeMap => "java.util.TreeMap",
            Place::HashSet => "java.util.HashSet",
            Place::LinkedHashSet => "java.util.LinkedHashSet",
            Place::TreeSet => "java.util.TreeSet",
            Place::TreeMapPart => "java.util.NavigableMap",
            Place::TreeSetPart => "java.util.NavigableSet",
            _ => "java.util.Iterator",
        }
    }

    /// Whether it is a list of Java: equal to vectors and lists of the same items.
    pub fn is_java_list(self) -> bool {
        matches!(self, Place::ArrayList | Place::LinkedList)
    }
}

impl Value {
    /// The cell and the kind of a collection of Java.
    pub fn java(&self) -> Option<(CellId, JavaKind)> {
        match self {
            Value::Place(id) => Some((*id, id.place().java()?)),
            _ => None,
        }
    }
}
