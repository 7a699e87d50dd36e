//! `[context.NAME]`: what programs read as `ctx/NAME`, and where it comes from.

use crate::inputs;
use crate::problem::Problem;
use crate::section::Section;
use ptc_lisp::limits::Limits;
use ptc_turns::Input;
use std::path::Path;

/// Where an input comes from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File(String),
    Value(serde_json::Value),
}

impl Source {
    /// Reads the input; its files are relative to `folder`.
    pub(super) fn load(&self, name: &str, folder: &Path, limits: &Limits) -> Result<Input, Problem> {
        match self {
            Source::File(file) => inputs::from_file(name, &folder.join(file), file, limits),
            Source::Value(data) => inputs::from_data(name, data, limits),
        }
    }
}

/// The source that a table names.
pub(super) fn parse(s: &Section<'_>) -> Result<Source, Problem> {
    s.only(&["file", "value"], &["type", "database", "table_name", "limit", "offset", "content", "history_retention"])?;
    match (s.text("file")?, s.data("value")?) {
        (Some(file), None) => {
            match Path::new(file).extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
                Some("json" | "jsonl" | "ndjson") => Ok(Source::File(file.to_owned())),
                Some(other) => Err(
                    s.problem_at("file", Problem::not_yet(&format!("{other} inputs"), "give a .json or .jsonl file"))
                ),
                None => Err(s.problem_at(
                    "file",
                    Problem::not_yet("inputs without an extension", "give a .json or .jsonl file"),
                )),
            }
        }
        (None, Some(value)) => Ok(Source::Value(value)),
        (Some(_), Some(_)) => Err(s.problem_at("value", "file and value; keep one of them")),
        (None, None) => Err(s.problem("nothing to read; add file = \"data.json\" or value = ...")),
    }
}
