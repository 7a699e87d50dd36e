//! Python data as JSON text. Nothing recurses and no method of an object is called but `__iter__` of sets: what contains
//! itself, is too deep or too large is refused in words.

use crate::errors::InvalidValue;
use num_bigint::BigInt;
use ptc_lisp::limits::Limits;
use pyo3::PyErr;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyFrozenSet, PyInt, PyList, PySet, PyString, PyTuple};
use std::cmp::Ordering;
use std::fmt::Write as _;

/// An open bracket, and what is still to be written in it.
enum Open<'py> {
    List {
        items: Bound<'py, PyList>,
        next: usize,
    },
    Tuple {
        items: Bound<'py, PyTuple>,
        next: usize,
    },
    /// Members are put into order when all of them are written, since sets have none.
    Set {
        items: Bound<'py, PyList>,
        next: usize,
        starts: Vec<usize>,
    },
    Dict {
        items: Bound<'py, PyList>,
        next: usize,
        key: String,
    },
}

struct Writer<'l, 'py> {
    out: String,
    most: usize,
    limits: &'l Limits,
    what: &'l str,
    open: Vec<Open<'py>>,
}

/// The JSON text of `data`, which `what` names in errors.
///
/// # Errors
/// `InvalidValue`: where in it, what is there, and what to pass instead.
pub fn to_json(data: &Bound<'_, PyAny>, limits: &Limits, what: &str) -> PyResult<String> {
    let most = usize::try_from(limits.memory_bytes).unwrap_or(usize::MAX);
    let mut w = Writer { out: String::new(), most, limits, what, open: Vec::new() };
    w.value(data)?;
    while !w.open.is_empty() {
        if let Some(next) = w.next()? {
            w.value(&next)?;
        }
    }
    Ok(w.out)
}

impl<'py> Writer<'_, 'py> {
    /// The next item of the innermost bracket; none where it was the last, and then the bracket is closed.
    fn next(&mut self) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.room(0)?;
        let Some(open) = self.open.last_mut() else { return Ok(None) };
        let at = match open {
            Open::List { next, .. } | Open::Tuple { next, .. } | Open::Set { next, .. } | Open::Dict { next, .. } => {
                *next += 1;
                *next - 1
            }
        };
        // A list may have become shorter since: its end is where there is nothing more.
        let item = match open {
            Open::List { items, .. } | Open::Set { items, .. } | Open::Dict { items, .. } => items.get_item(at).ok(),
            Open::Tuple { items, .. } => items.get_item(at).ok(),
        };
        let Some(item) = item else {
            match self.open.pop() {
                Some(Open::Dict { .. }) => self.out.push('}'),
                Some(Open::Set { starts, .. }) => {
                    self.in_order(&starts);
                    self.out.push(']');
                }
                _ => self.out.push(']'),
            }
            return Ok(None);
        };
        if at > 0 {
            self.out.push(',');
        }
        let here = self.out.len();
        match self.open.last_mut() {
            Some(Open::Set { starts, .. }) => starts.push(here),
            Some(Open::Dict { .. }) => {
                let pair = item.cast::<PyTuple>().map_err(PyErr::from)?;
                let (k, v) = (pair.get_item(0)?, pair.get_item(1)?);
                let Ok(text) = k.cast::<PyString>() else {
                    let got = type_name(&k);
                    return Err(self.refuse(&format!("a key is of the type {got}"), "keys must be str, as in JSON"));
                };
                let text = self.text(text)?;
                let written = serde_json::to_string(&text).unwrap_or_default();
                self.room(written.len())?;
                self.out.push_str(&written);
                self.out.push(':');
                if let Some(Open::Dict { key, .. }) = self.open.last_mut() {
                    *key = text;
                }
                return Ok(Some(v));
            }
            _ => {}
        }
        Ok(Some(item))
    }

    fn value(&mut self, data: &Bound<'py, PyAny>) -> PyResult<()> {
        if data.is_none() {
            self.out.push_str("null");
        } else if let Ok(b) = data.cast::<PyBool>() {
            self.out.push_str(if b.is_true() { "true" } else { "false" });
        } else if let Ok(s) = data.cast::<PyString>() {
            let text = self.text(s)?;
            self.room(text.len())?;
            self.out.push_str(&serde_json::to_string(&text).unwrap_or_default());
        } else if let Ok(n) = data.cast::<PyInt>() {
            self.integer(n)?;
        } else if let Ok(f) = data.cast::<PyFloat>() {
            let f = f.value();
            if !f.is_finite() {
                let got = if f.is_nan() { "nan" } else { "an infinity" };
                return Err(self.refuse(&format!("{got} is no number of JSON"), "pass None, or a str"));
            }
            let _ = write!(self.out, "{f:?}");
        } else if let Ok(items) = data.cast::<PyList>() {
            self.begin('[', Open::List { items: items.clone(), next: 0 })?;
        } else if let Ok(items) = data.cast::<PyTuple>() {
            self.begin('[', Open::Tuple { items: items.clone(), next: 0 })?;
        } else if let Ok(dict) = data.cast::<PyDict>() {
            self.room(dict.len())?;
            let key = String::new();
            self.begin('{', Open::Dict { items: dict.items(), next: 0, key })?;
        } else if data.is_instance_of::<PySet>() || data.is_instance_of::<PyFrozenSet>() {
            // A copy, since a set cannot be asked by place.
            let items = data.py().get_type::<PyList>().call1((data,))?.cast_into::<PyList>().map_err(PyErr::from)?;
            self.begin('[', Open::Set { items, next: 0, starts: Vec::new() })?;
        } else {
            let name = type_name(data);
            let hint = match name.as_str() {
                "datetime" | "date" | "time" => "pass its isoformat()",
                "bytes" | "bytearray" | "memoryview" => "pass a str",
                "Decimal" | "Fraction" => "pass a float or a str",
                "UUID" | "Path" | "PosixPath" | "WindowsPath" => "pass str() of it",
                "generator" | "range" | "dict_keys" | "dict_values" | "dict_items" | "map" | "filter" | "zip" => {
                    "pass list() of it"
                }
                _ => "pass dict, list, tuple, set, str, int, float, bool or None",
            };
            return Err(self.refuse(&format!("an object of the type {name} is no data"), hint));
        }
        Ok(())
    }

    fn begin(&mut self, bracket: char, open: Open<'py>) -> PyResult<()> {
        let deepest = self.limits.data_depth as usize;
        if self.open.len() >= deepest {
            let hint = "it may contain itself; pass flatter data, or raise the limit";
            // The path would be as long as the data is deep.
            self.open.truncate(3);
            return Err(self.refuse(&format!("it is nested deeper than data_depth = {deepest}"), hint));
        }
        self.out.push(bracket);
        self.open.push(open);
        Ok(())
    }

    fn integer(&mut self, n: &Bound<'py, PyInt>) -> PyResult<()> {
        let py = n.py();
        // By the type's own method: that of a subclass may say anything.
        let bits: u64 = py.get_type::<PyInt>().call_method1("bit_length", (n,))?.extract()?;
        if bits < 64 {
            let plain: i64 = n.extract()?;
            let _ = write!(self.out, "{plain}");
            return Ok(());
        }
        if bits > self.limits.integer_bits {
            let (most, hint) = (self.limits.integer_bits, "pass a smaller integer, or raise the limit");
            return Err(self.refuse(&format!("an integer has {bits} bits, more than integer_bits = {most}"), hint));
        }
        let exact: BigInt = py.get_type::<PyInt>().call1((n,))?.extract()?;
        let text = exact.to_string();
        self.room(text.len())?;
        self.out.push_str(&text);
        Ok(())
    }

    fn text(&self, s: &Bound<'py, PyString>) -> PyResult<String> {
        self.room(s.len().unwrap_or(0))?;
        match s.to_cow() {
            Ok(text) => Ok(text.into_owned()),
            Err(_) => Err(self.refuse(
                "a str has surrogates that are no characters",
                "pass s.encode(\"utf-8\", \"replace\").decode()",
            )),
        }
    }

    /// Puts the members of a set into order: numbers by size, all else by text.
    fn in_order(&mut self, starts: &[usize]) {
        let Some(first) = starts.first().filter(|_| starts.len() > 1) else { return };
        let ends = starts.iter().skip(1).map(|s| s - 1).chain([self.out.len()]);
        let mut members: Vec<String> =
            starts.iter().zip(ends).map(|(s, e)| self.out.get(*s..e).unwrap_or_default().to_owned()).collect();
        let number = |t: &str| t.parse::<f64>().ok().filter(|n| n.is_finite());
        members.sort_by(|a, b| match (number(a), number(b)) {
            (Some(x), Some(y)) => x.partial_cmp(&y).unwrap_or(Ordering::Equal).then_with(|| a.cmp(b)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => a.cmp(b),
        });
        self.out.truncate(*first);
        self.out.push_str(&members.join(","));
    }

    fn room(&self, more: usize) -> PyResult<()> {
        if self.out.len().saturating_add(more) <= self.most {
            return Ok(());
        }
        let hint = "pass less of it, or raise the limit";
        Err(self.refuse(&format!("it is larger than memory_bytes = {}", self.most), hint))
    }

    fn refuse(&self, problem: &str, hint: &str) -> PyErr {
        let mut place = self.what.to_owned();
        for open in self.open.iter().take(6) {
            let _ = match open {
                Open::List { next, .. } | Open::Tuple { next, .. } => write!(place, "[{}]", next.saturating_sub(1)),
                Open::Set { .. } => write!(place, " in a set"),
                Open::Dict { key, .. } if key.is_empty() => Ok(()),
                Open::Dict { key, .. } => write!(place, "[{:?}]", key.chars().take(40).collect::<String>()),
            };
        }
        InvalidValue::new_err(format!("{place}: {problem}; {hint}"))
    }
}

/// The name of the type of `data`.
pub fn type_name(data: &Bound<'_, PyAny>) -> String {
    let name = data.get_type().name().ok();
    let name = name.and_then(|n| n.to_cow().ok().map(|n| n.chars().take(60).collect::<String>()));
    name.unwrap_or_else(|| "object".to_owned())
}
