//! What tags are as data.

use super::object::ObjectKind;
use super::{Object, RecordType, Symbol, Value};
use std::sync::Arc;

fn made(kind: ObjectKind, class: &str, fields: [&str; 2], held: [Value; 2]) -> Value {
    let fields = fields.into_iter().map(Value::plain_keyword).collect();
    let class = RecordType { name: Value::Symbol(Symbol::new(None, class)), fields };
    Value::Object(Object::new(kind, Arc::new(class), Value::vector(held.into()), Value::Nil))
}

/// What `#tag form` is where nobody reads the tag.
pub fn tagged_literal(tag: Value, form: Value) -> Value {
    made(ObjectKind::TaggedLiteral, "clojure.lang.TaggedLiteral", ["tag", "form"], [tag, form])
}
