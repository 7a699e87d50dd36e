//! The known answer of a task: `answer`, `answer_tolerance` and `answer_program` of `[task]`.

use super::folder::Folder;
use crate::error::Error;
use crate::error_text;
use crate::toml_section::Section;
use serde_json::Value as Data;

/// Its keys.
pub(super) const KEYS: [&str; 3] = ["answer", "answer_tolerance", "answer_program"];

/// Where the answer is.
#[derive(Clone, Debug)]
pub(super) enum Source {
    File { name: String, tolerance: f64 },
    Data { data: Data, tolerance: f64 },
    Program(String),
}

impl Source {
    /// The key that it stands in.
    pub(super) fn key(&self) -> &'static str {
        match self {
            Source::File { .. } | Source::Data { .. } => "answer",
            Source::Program(_) => "answer_program",
        }
    }
}

/// Reads the keys, as far as they can be without the files that they name.
pub(super) fn parse(task: &Section<'_>, folder: &Folder) -> Result<Option<Source>, Error> {
    let tolerance = match task.data("answer_tolerance")? {
        None => 0.0,
        Some(data) => match data.as_f64() {
            Some(n) if n.is_finite() && n >= 0.0 => n,
            _ => {
                let words = "answer_tolerance must be a number from 0: how far apart two numbers may be";
                return Err(task.problem_at("answer_tolerance", words));
            }
        },
    };
    if let Some(program) = task.text("answer_program")? {
        if let Some(other) = ["answer", "answer_tolerance"].into_iter().find(|k| task.has(k)) {
            let words = error_text!("{other} and answer_program"; "keep one of them");
            return Err(task.problem_at("answer_program", words));
        }
        return Ok(Some(Source::Program(program.to_owned())));
    }
    let Some(data) = task.data("answer")? else {
        if task.has("answer_tolerance") && !task.has("answer") && !task.has("answer_program") {
            let words = "answer_tolerance belongs to an answer; add answer = \"answer.json\"";
            return Err(task.problem_at("answer_tolerance", words));
        }
        return Ok(None);
    };
    let name = match data {
        Data::String(name) => name,
        data => return Ok(Some(Source::Data { data, tolerance })),
    };
    let path = std::path::Path::new(&name);
    let end = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    if matches!(end.as_deref(), Some("json" | "edn")) {
        folder.file(&name).map_err(|p| task.problem_at("answer", p))?;
        return Ok(Some(Source::File { name, tolerance }));
    }
    if !name.is_empty() && folder.path().join(path).is_file() {
        let words = "a file with the answer is one of JSON or EDN; let its name end in .json or .edn";
        return Err(task.problem_at("answer", words));
    }
    Ok(Some(Source::Data { data: Data::String(name), tolerance }))
}
