//! What `print-dup` writes around a value: calls that would make it, `#=(clojure.lang.PersistentTreeMap/create {1 2})`. They are not read here.

use crate::builtins::java::classes::name_of_class;
use crate::error::ErrorKind;
use crate::host::{Interrupt, Result};
use crate::print::brief;
use crate::value::object::ObjectKind;
use crate::value::{Map, SeqKind, Value};

/// What stands inside a call.
pub enum Shown {
    /// A map.
    Map(Map),
    /// Items in brackets.
    Items(Value),
    /// Items in brackets, with commas.
    Fields(Value),
}

/// What is written before the contents of a value, these, and what is written behind; `None` of what is printed as ever.
///
/// # Errors
/// Of what `print-dup` does not print.
pub fn form(v: &Value) -> Result<Option<(String, Shown, &'static str)>> {
    let create = |class: &str| format!("#=(clojure.lang.{class}/create ");
    Ok(Some(match v {
        Value::Map(m) if m.record_type().is_some() => {
            let name = match m.record_type().map(|r| &r.name) {
                Some(Value::Symbol(name)) => name.text().to_owned(),
                _ => String::new(),
            };
            (format!("#{name}"), Shown::Fields(Value::list(m.vals().cloned().collect())), "")
        }
        Value::Map(m) if m.is_sorted() => (create("PersistentTreeMap"), Shown::Map(m.clone()), ")"),
        Value::Map(m) if m.struct_type().is_some() => return Err(refused(v)),
        // A hash map is printed as ever.
        Value::Map(m) if m.len() <= 8 => (create("PersistentArrayMap"), Shown::Map(m.clone()), ")"),
        Value::Set(s) if s.is_sorted() => (create("PersistentTreeSet"), Shown::Items(v.clone()), ")"),
        Value::Vector(x) if x.is_entry() => (create("MapEntry"), Shown::Items(v.clone()), ")"),
        Value::Vector(x) if x.items_kind().is_some() => return Err(refused(v)),
        Value::Slice(s) if s.kind == SeqKind::Queue => return Err(refused(v)),
        Value::Atom(_) | Value::Volatile(_) | Value::Delay(_) | Value::Reduced(_) => {
            let class = name_of_class(v);
            let words = format!("No method in multimethod 'print-dup' for dispatch value: class {}", brief(&class));
            return Err(Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words));
        }
        Value::Function(_)
        | Value::Builtin(_)
        | Value::Tool(_)
        | Value::Var(_)
        | Value::Builder(_)
        | Value::Place(_) => {
            return Err(refused(v));
        }
        Value::Object(o) if o.kind != ObjectKind::TaggedLiteral => return Err(refused(v)),
        Value::Time(t) if t.class() != "java.util.Date" => return Err(refused(v)),
        _ => return Ok(None),
    }))
}

#[cold]
fn refused(v: &Value) -> Interrupt {
    let words = format!("print-dup prints data, not {}", v.kind());
    Interrupt::error(ErrorKind::Denied, words).hint("pr-str gives text that reads back as data")
}
