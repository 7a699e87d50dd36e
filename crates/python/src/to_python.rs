//! Values as Python data, without recursion: Python's objects may be as deep as values are.

use crate::errors;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_lisp::{json, print};
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::vec::IntoIter;

/// A collection that is being filled.
enum Open<'py> {
    List(Bound<'py, PyList>, IntoIter<Value>),
    Dict(Bound<'py, PyDict>, IntoIter<(Value, Value)>, Option<String>),
}

/// A value that is JSON, as Python data.
pub fn to_python<'py>(py: Python<'py>, v: &Value) -> PyResult<Bound<'py, PyAny>> {
    let mut open: Vec<Open<'py>> = Vec::new();
    let mut next = Some(v.clone());
    loop {
        let mut made = match next.take() {
            Some(Value::Vector(x)) => {
                open.push(Open::List(PyList::empty(py), x.iter().cloned().collect::<Vec<_>>().into_iter()));
                None
            }
            Some(Value::Map(m)) => {
                let entries: Vec<(Value, Value)> = m.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
                open.push(Open::Dict(PyDict::new(py), entries.into_iter(), None));
                None
            }
            Some(plain) => Some(scalar(py, &plain)?),
            None => None,
        };
        // What was made goes into the innermost collection, and each that is full into the one around it.
        loop {
            match open.last_mut() {
                None => return made.ok_or_else(|| errors::internal("no value was made")),
                Some(Open::List(list, rest)) => {
                    if let Some(item) = made.take() {
                        list.append(item)?;
                    }
                    next = rest.next();
                }
                Some(Open::Dict(dict, rest, key)) => {
                    if let (Some(item), Some(key)) = (made.take(), key.take()) {
                        dict.set_item(key, item)?;
                    }
                    next = rest.next().map(|(k, v)| {
                        *key = Some(k.name_text().map_or_else(|| print::readable(&k, 4096), str::to_owned));
                        v
                    });
                }
            }
            if next.is_some() {
                break;
            }
            made = match open.pop() {
                Some(Open::List(list, _)) => Some(list.into_any()),
                Some(Open::Dict(dict, ..)) => Some(dict.into_any()),
                None => None,
            };
        }
    }
}

fn scalar<'py>(py: Python<'py>, v: &Value) -> PyResult<Bound<'py, PyAny>> {
    match v {
        Value::Nil => Ok(py.None().into_bound(py)),
        Value::Bool(b) => b.into_bound_py_any(py),
        Value::Int(n) => n.get().into_bound_py_any(py),
        Value::Float(f) => f.get().into_bound_py_any(py),
        Value::Str(s) => s.as_str().into_bound_py_any(py),
        Value::Big(b) => (&***b).into_bound_py_any(py),
        // Values that come here have been JSON; what could not be is its text.
        other => print::readable(other, 1 << 20).into_bound_py_any(py),
    }
}

/// JSON text of ours as Python data.
pub fn json_to_python<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let wide = Limits { data_depth: u32::MAX, memory_bytes: u64::MAX, integer_bits: u64::MAX, ..Limits::default() };
    let value = json::parse_text(text, &wide).map_err(|e| errors::internal(&e.to_string()))?;
    to_python(py, &value)
}
