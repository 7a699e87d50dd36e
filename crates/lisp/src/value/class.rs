//! Classes as values: what `class` gives and what `String` means.

use super::object::{Object, ObjectKind};
use super::{RecordType, Symbol, Value};
use std::sync::Arc;

impl Value {
    /// The class of this full name.
    pub fn class(name: &str) -> Value {
        Value::class_of_name(Value::Symbol(Symbol::new(None, name)))
    }

    /// The class whose full name a symbol is.
    pub fn class_of_name(name: Value) -> Value {
        let class = Arc::new(RecordType { name, fields: Vec::new() });
        Value::Object(Object::new(ObjectKind::Class, class, Value::Nil, Value::Nil))
    }

    /// The full name of a class, a symbol; `None` of what is no class.
    pub fn class_name(&self) -> Option<&Value> {
        match self {
            Value::Object(o) if o.kind == ObjectKind::Class => Some(&o.class.name),
            _ => None,
        }
    }

    /// The same as a text.
    pub fn class_text(&self) -> Option<&str> {
        match self.class_name() {
            Some(Value::Symbol(name)) => Some(name.text()),
            _ => None,
        }
    }
}
