//! A tool in words: for the system message, and for `doc`.

use crate::error::cut;
use crate::escape;
use crate::interface::ToolSpec;
use std::fmt::Write as _;

/// Bytes of a description's first words.
const FIRST: usize = 120;

/// All there is about a tool, on one line: how it is called, what it gives, what it does, its parameters.
pub fn full(t: &ToolSpec) -> String {
    let mut out = call(t);
    if let Some(r) = &t.returns {
        let _ = write!(out, " returns {r}");
    }
    if !t.description.is_empty() {
        let _ = write!(out, ": {}", escape::line(t.description.trim()));
    }
    if let Some(params) = t.params.as_ref().filter(|p| !p.is_empty()) {
        let one = |p: &crate::interface::Param| {
            let doc = if p.doc.is_empty() { String::new() } else { format!(": {}", escape::line(p.doc.trim())) };
            format!("{} {}{doc}", escape::line(&p.name), p.shape)
        };
        let _ = write!(out, " [{}]", params.iter().map(one).collect::<Vec<_>>().join(", "));
    }
    out
}

/// How it is called, and the first words of what it does.
pub fn brief(t: &ToolSpec) -> String {
    let first = first_words(&t.description);
    let words = if first.is_empty() { String::new() } else { format!(": {first}") };
    format!("{}{words}", call(t))
}

/// The first line or sentence of a description, at most 120 bytes of it, on one line.
pub fn first_words(text: &str) -> String {
    let first = text.trim();
    let end = first.find(['\n', '\r']).or_else(|| first.find(". ")).unwrap_or(first.len());
    escape::line(&cut(first.get(..end).unwrap_or(first).to_owned(), FIRST))
}

fn call(t: &ToolSpec) -> String {
    let mut out = format!("`(tool/{}", escape::line(&t.name));
    match &t.params {
        Some(params) => params.iter().for_each(|p| {
            let _ = write!(out, " {}", escape::line(&p.name));
        }),
        None => out.push_str(" {...}"),
    }
    out.push_str(")`");
    out
}

/// What `(doc tool/NAME)` prints: all about the tool of this name, or else the first words of those whose names begin so.
pub fn doc(name: &str, tools: &[ToolSpec]) -> Option<String> {
    if let Some(t) = tools.iter().find(|t| t.name == name) {
        return Some(full(t));
    }
    let begin: Vec<String> = tools.iter().filter(|t| t.name.starts_with(name)).map(brief).collect();
    Some(begin.join("\n")).filter(|text| !text.is_empty())
}
