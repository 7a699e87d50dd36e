//! The methods that a program has given `print-method` and `print-dup`, for what prints values.

use crate::builtins::collections::meta;
use crate::builtins::functions::combinators::native;
use crate::builtins::java::builder_text;
use crate::builtins::java::class_tree::is_known;
use crate::builtins::java::classes::class;
use crate::builtins::types::multimethod::printer;
use crate::host::{Host, Result};
use crate::value::boxed::{CellId, CellSort};
use crate::value::{Symbol, Value, Vector};

/// Whether one of the methods in this cell is of a class that every program has, or of nothing but types of the program; `None` where
/// there are none.
pub fn of_classes(h: &mut dyn Host, table: CellId) -> Result<Option<bool>> {
    let Value::Vector(both) = h.cell_get(table) else { return Ok(None) };
    let Some(Value::Map(methods)) = both.get(0) else { return Ok(None) };
    h.charge(methods.len() as u64)?;
    if methods.is_empty() {
        return Ok(None);
    }
    let known = |k: &Value| k.class_text().is_some_and(is_known);
    Ok(Some(methods.keys().any(known)))
}

/// The method of the program that prints this value.
pub fn method(h: &mut dyn Host, table: CellId, any: bool, v: &Value) -> Result<Option<Value>> {
    let meta = match v {
        Value::Vector(_) | Value::Map(_) | Value::Set(_) | Value::Slice(_) | Value::Cons(_) | Value::Lazy(_) => {
            meta::of(h, v)?
        }
        _ => Value::Nil,
    };
    if let Value::Map(m) = &meta
        && let Some(word @ Value::Keyword(_)) = m.get(&Value::plain_keyword("type"))
    {
        return printer(h, table, word);
    }
    if !any && !v.is_of_own_type() {
        return Ok(None);
    }
    h.charge(6)?;
    printer(h, table, &class(v))
}

/// What a method writes of a value: its writer is `*out*` as well.
pub fn written(h: &mut dyn Host, method: Value, v: &Value, readable: bool, level: Option<usize>) -> Result<String> {
    let id = h.cell_of(CellSort::Writer, false, Value::Vector(Vector::new()))?;
    let call = native(h, "print-method", vec![method, v.clone(), Value::Builder(id)], (0, None), |h, held, _| {
        let [method, v, w] = held else { return Ok(Value::Nil) };
        h.call2(method, v.clone(), w.clone())
    })?;
    let core = |name: &str| Symbol::new(Some("clojure.core"), name);
    let mut bound = vec![(core("*out*"), Value::Builder(id))];
    if !readable {
        bound.push((core("*print-readably*"), Value::Nil));
    }
    if let Some(level) = level {
        bound.push((core("*print-level*"), Value::int(i64::try_from(level).unwrap_or(i64::MAX))));
    }
    h.call_with(bound, &call, true)?;
    let text = builder_text::text(h, id)?;
    h.reserve(text.as_str().len() as u64)?;
    Ok(text.as_str().to_owned())
}
