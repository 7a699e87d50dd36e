//! Text to data: `read-string` of both kinds. Nothing that is read is ever run.

use crate::builtins::args::get;
use crate::builtins::types::record::literal as literal_of;
use crate::cost;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::node::on_deep_stack;
use crate::value::{Builtin, Map, SeqKind, Value, Vector};

/// The rows of this file.
pub static ROWS: &[Builtin] = &[
    Builtin::new(
        "read-string",
        "s | opts s",
        "The first form of a text, as data.",
        &[("(read-string \"(+ 1 2) 3\")", "(+ 1 2)"), ("(read-string \"\")", "!EOF")],
        &Body(read_string),
    ),
    Builtin::new(
        "clojure.edn/read-string",
        "s | opts s",
        "The first value of a text in Clojure's data notation; nil, or what {:eof v} says, for an empty one.",
        &[("(edn/read-string \"{:a [1 true]}\")", "{:a [1 true]}"), ("(edn/read-string \"\")", "nil")],
        &Body(edn),
    ),
];

/// The first form of a text as a value.
pub fn read(h: &mut dyn Host, text: &str) -> Result<Option<Value>> {
    h.charge(text.len() as u64 * 2 + 8)?;
    h.reserve(text.len() as u64 * 16)?;
    let limits = h.limits().clone();
    // A place in that text would be taken for one in the program.
    let plain = |e: crate::error::Error| Interrupt::from(crate::error::Error { span: None, ..e });
    match crate::read::read_one(text, &limits).map_err(plain)? {
        Some(form) => {
            let v = crate::quote::value(&form, &limits).map_err(plain)?;
            Ok(Some(if text.contains('#') { records(h, v)? } else { v }))
        }
        None => Ok(None),
    }
}

/// All forms of a text as values.
///
/// # Errors
/// Those of reading it.
pub fn read_all(h: &mut dyn Host, text: &str) -> Result<Vec<Value>> {
    h.charge(text.len() as u64 * 2 + 8)?;
    h.reserve(text.len() as u64 * 16)?;
    let limits = h.limits().clone();
    let plain = |e: crate::error::Error| Interrupt::from(crate::error::Error { span: None, ..e });
    let forms = crate::read::read(text, &limits).map_err(plain)?;
    forms.iter().map(|form| crate::quote::value(form, &limits).map_err(plain)).collect()
}

/// The value with what was read for `#user.Point{...}` made.
fn records(h: &mut dyn Host, v: Value) -> Result {
    h.charge(1)?;
    on_deep_stack(|| {
        Ok(match v {
            Value::Slice(s) if s.kind != SeqKind::Queue => {
                let literal = matches!(s.get(0), Some(Value::Symbol(n)) if n.text() == "clojure.core/record-literal*");
                let mut items = s.iter().cloned().map(|v| records(h, v)).collect::<Result<Vec<_>>>()?;
                match items.as_mut_slice() {
                    [_, Value::Slice(class), Value::Slice(data)] if literal => {
                        let (class, data) = (class.get(1).cloned(), data.get(1).cloned());
                        literal_of(h, &class.unwrap_or_default(), data.unwrap_or_default())?
                    }
                    _ => Value::list(items),
                }
            }
            Value::Vector(x) if !x.is_entry() => {
                let meta = x.meta().cloned();
                let items = x.iter().cloned().map(|v| records(h, v)).collect::<Result<Vec<_>>>()?;
                Value::Vector(Vector::from_vec(items).with_meta(meta))
            }
            Value::Set(x) => Value::set(x.iter().cloned().map(|v| records(h, v)).collect::<Result<Vec<_>>>()?),
            Value::Map(m) => {
                let meta = m.meta().cloned();
                let entries = m.iter().map(|(k, v)| Ok((records(h, k.clone())?, records(h, v.clone())?)));
                Value::Map(Map::from_entries(entries.collect::<Result<Vec<_>>>()?).with_meta(meta))
            }
            other => other,
        })
    })
}

fn read_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = crate::builtins::args::str(a, a.len().saturating_sub(1))?.clone();
    cost::text(h, s.as_str().len())?;
    match read(h, s.as_str())? {
        Some(v) => Ok(v),
        None => match eof(a) {
            Some(v) => Ok(v),
            None => Err(Interrupt::error(ErrorKind::Value, "EOF while reading: the text has no form")),
        },
    }
}

/// The value that `{:eof v}` names.
fn eof(a: &[Value]) -> Option<Value> {
    match get(a, 0) {
        Value::Map(m) => m.get(&Value::keyword("eof")).cloned(),
        _ => None,
    }
}

fn edn(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let last = a.len().saturating_sub(1);
    if get(a, last).is_nil() {
        return Ok(Value::Nil);
    }
    let s = crate::builtins::args::str(a, last)?.clone();
    cost::text(h, s.as_str().len())?;
    Ok(read(h, s.as_str())?.unwrap_or_else(|| eof(a).unwrap_or_default()))
}
