//! What a session is configured with, as hosts of other languages give it: JSON text and names. Errors are words for the user who
//! gave it.

use crate::policy::Policy;
use crate::session::config::Input;
use crate::trace::json::Json;
use crate::trace::record::{ParamWords, ToolWords};
use ptc_lisp::interface::{Param, ToolSpec};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::types::Type;
use ptc_lisp::value::Value;
use ptc_lisp::value::text::is_plain_name;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::fmt::Write as _;

/// serde's words without the place in a text that the user never saw.
fn without_place(e: &serde_json::Error) -> String {
    let words = e.to_string();
    words.rsplit_once(" at line ").map_or_else(|| words.clone(), |(words, _)| words.to_owned())
}

/// Limits by name; those that are not named have their defaults.
///
/// # Errors
/// When a name is none, or its value no number.
pub fn limits(text: &str) -> Result<Limits, String> {
    serde_json::from_str(text).map_err(|e| format!("limits: {}", without_place(&e)))
}

/// A policy: options by name.
///
/// # Errors
/// When a name is no option, or its value none of it.
pub fn policy(text: &str) -> Result<Policy, String> {
    serde_json::from_str(text).map_err(|e| format!("policy: {}", without_place(&e)))
}

/// A type as task files write it; `of` is what has it.
///
/// # Errors
/// When it is none.
pub fn shape(text: &str, of: &str) -> Result<Type, String> {
    text.parse::<Type>().map_err(|e| format!("{of}: {}; {}", e.message(), e.hint()))
}

/// Tools, a list of objects with the keys of a trace's header.
///
/// # Errors
/// When a name or a type is none.
pub fn tools(text: &str) -> Result<Vec<ToolSpec>, String> {
    let words: Vec<ToolWords> = serde_json::from_str(text).map_err(|e| format!("tools: {}", without_place(&e)))?;
    words.into_iter().map(tool).collect()
}

fn tool(t: ToolWords) -> Result<ToolSpec, String> {
    let of = format!("tool {}", t.name);
    named(&t.name, "a tool")?;
    let param = |p: ParamWords| {
        named(&p.name, &format!("a parameter of {of}"))?;
        Ok(Param { shape: shape(&p.shape, &format!("{of}, parameter {}", p.name))?, name: p.name, doc: p.doc })
    };
    let params = t.params.map(|list| list.into_iter().map(param).collect::<Result<Vec<_>, String>>()).transpose()?;
    let returns = t.returns.map(|r| shape(&r, &format!("{of}, returns"))).transpose()?;
    Ok(ToolSpec { name: t.name, description: t.description, params, returns })
}

/// What each of these tools answers, where it says that.
pub fn returns(tools: &[ToolSpec]) -> HashMap<String, Type> {
    tools.iter().filter_map(|t| Some((t.name.clone(), t.returns.clone()?))).collect()
}

/// The answer of a tool: JSON text, or the words of its error. Within a turn its meter counts the value.
///
/// # Errors
/// The words; also those of an answer that is no JSON within the limits, or does not fit what the tool says it returns.
pub fn answer(text: Result<String, String>, returns: Option<&Type>, limits: &Limits) -> Result<Value, String> {
    let value = json::parse_text(&text?, limits).map_err(|e| e.to_string())?;
    if let Some(shape) = returns {
        shape.check_json_as("its answer", &value)?;
    }
    Ok(value)
}

fn named(name: &str, what: &str) -> Result<(), String> {
    if is_plain_name(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(60).collect();
    Err(format!("{what} cannot be called {shown:?}; use letters, digits, - and _"))
}

/// An input from its JSON text.
///
/// # Errors
/// When its name cannot be written, or it is no JSON within the limits.
pub fn input(name: &str, text: &str, limits: &Limits) -> Result<Input, String> {
    named(name, "an input")?;
    let value = json::parse_text(text, limits).map_err(|e| format!("input {name}: {e}"))?;
    let sha256 = Sha256::digest(text.as_bytes()).iter().fold(String::with_capacity(64), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    });
    Ok(Input { name: name.to_owned(), value, sha256, file: None, json: Json::new(text.to_owned()), note: None })
}
