//! What a session is configured with, from JSON text that the Python part has made: tools, limits, policy, inputs.

use crate::errors::InvalidArgument;
use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::text::is_plain_name;
use ptc_turns::trace::record::ToolWords;
use ptc_turns::{Input, Json, Policy};
use pyo3::PyResult;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;

fn wrong(words: &str) -> pyo3::PyErr {
    InvalidArgument::new_err(words.to_owned())
}

/// serde's words without the place in a text that the user never saw.
fn without_place(e: &serde_json::Error) -> String {
    let words = e.to_string();
    words.rsplit_once(" at line ").map_or_else(|| words.clone(), |(words, _)| words.to_owned())
}

/// Limits by name; those that are not named have their defaults.
pub fn limits(text: &str) -> PyResult<Limits> {
    serde_json::from_str(text).map_err(|e| wrong(&format!("limits: {}", without_place(&e))))
}

/// A policy: options by name.
pub fn policy(text: &str) -> PyResult<Policy> {
    serde_json::from_str(text).map_err(|e| wrong(&format!("policy: {}", without_place(&e))))
}

/// A type as task files write it.
pub fn shape(text: &str, of: &str) -> PyResult<Type> {
    text.parse::<Type>().map_err(|e| wrong(&format!("{of}: {}; {}", e.message(), e.hint())))
}

/// Tools, a list of objects.
pub fn tools(text: &str) -> PyResult<Vec<ToolSpec>> {
    let words: Vec<ToolWords> =
        serde_json::from_str(text).map_err(|e| wrong(&format!("tools: {}", without_place(&e))))?;
    words.into_iter().map(tool).collect()
}

fn tool(t: ToolWords) -> PyResult<ToolSpec> {
    let of = format!("tool {}", t.name);
    named(&t.name, "a tool")?;
    let param = |p: ptc_turns::trace::record::ParamWords| {
        named(&p.name, &format!("a parameter of {of}"))?;
        Ok(Param { shape: shape(&p.shape, &format!("{of}, parameter {}", p.name))?, name: p.name, doc: p.doc })
    };
    let params = t.params.map(|list| list.into_iter().map(param).collect::<PyResult<Vec<_>>>()).transpose()?;
    let returns = t.returns.map(|r| shape(&r, &format!("{of}, returns"))).transpose()?;
    Ok(ToolSpec { name: t.name, description: t.description, params, returns })
}

/// What each of these tools answers, where it says that.
pub fn returns(tools: &[ToolSpec]) -> HashMap<String, Type> {
    tools.iter().filter_map(|t| Some((t.name.clone(), t.returns.clone()?))).collect()
}

fn named(name: &str, what: &str) -> PyResult<()> {
    if is_plain_name(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(60).collect();
    Err(wrong(&format!("{what} cannot be called {shown:?}; use letters, digits, - and _")))
}

/// An input from its JSON text.
pub fn input(name: &str, text: &str, limits: &Limits) -> PyResult<Input> {
    named(name, "an input")?;
    let value = json::parse_text(text, limits).map_err(|e| wrong(&format!("input {name}: {e}")))?;
    let sha256 = Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    });
    Ok(Input { name: name.to_owned(), value, sha256, file: None, json: Json::new(text.to_owned()), note: None })
}
