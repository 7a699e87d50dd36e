//! Inputs of a task: JSON and JSON lines from files, or values that stand in the task itself.

use crate::clock::sha256;
use crate::problem::{Problem, read_bytes, utf8};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Input, Json};
use serde_json::value::RawValue;
use std::path::Path;

/// Reads an input from `path`, which the task calls `file`.
///
/// # Errors
/// When the file cannot be read, is not what its name says, or is of a kind that is not there yet.
pub fn from_file(name: &str, path: &Path, file: &str, limits: &Limits) -> Result<Input, Problem> {
    let shown = path.display().to_string();
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
    let lines = match extension.as_str() {
        "json" => false,
        "jsonl" | "ndjson" => true,
        other => {
            let what =
                if other.is_empty() { "inputs without an extension".to_owned() } else { format!("{other} inputs") };
            return Err(Problem::not_yet(&what, "give a .json or .jsonl file").at(&shown));
        }
    };
    let bytes = read_bytes(path)?;
    let digest = sha256(&bytes);
    let text = utf8(bytes, &shown)?;
    // What an input holds is the host's own; programs pay for what they copy of it.
    let roomy = Limits { memory_bytes: u64::MAX, ..limits.clone() };
    let value = if lines {
        json_lines(&text, &shown, &roomy)?
    } else {
        parse(&text, &roomy).map_err(|e| Problem::new(e).at(&shown))?
    };
    Ok(Input { name: name.to_owned(), value, sha256: digest, file: Some(file.to_owned()), json: None })
}

/// An input whose value is given.
///
/// # Errors
/// When it is deeper than `data_depth`.
pub fn from_data(name: &str, data: &serde_json::Value, limits: &Limits) -> Result<Input, Problem> {
    let text = data.to_string();
    let value = parse(&text, limits).map_err(Problem::new)?;
    Ok(Input { name: name.to_owned(), value, sha256: sha256(text.as_bytes()), file: None, json: Json::new(text) })
}

fn parse(text: &str, limits: &Limits) -> Result<Value, String> {
    json::parse_text(text, limits).map_err(|e| match e.hint {
        Some(hint) => format!("{}; {hint}", e.message),
        None => format!("{}; mend the file", e.message),
    })
}

/// A list with a value a line. All lines are read as one text, so that records of one shape share their keys.
fn json_lines(text: &str, shown: &str, limits: &Limits) -> Result<Value, Problem> {
    let mut all = String::with_capacity(text.len() + 2);
    all.push('[');
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        // Only a line that is one whole value may be joined to the others.
        if let Err(e) = serde_json::from_str::<&RawValue>(line) {
            let words = parse(line, limits).err().unwrap_or_else(|| e.to_string());
            return Err(Problem::new(words).at(&format!("{shown}:{}", i + 1)));
        }
        if all.len() > 1 {
            all.push(',');
        }
        all.push_str(line);
    }
    all.push(']');
    parse(&all, limits).map_err(|e| Problem::new(e).at(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> String {
        json_lines(text, "x.jsonl", &Limits::default()).map_or_else(|e| e.0, |v| ptc_lisp::print::brief(&v))
    }

    #[test]
    fn lines_are_one_value_each() {
        assert_eq!(lines(""), "[]");
        assert_eq!(lines("{\"a\": 1}\n\n [2] \r\nnull"), "[{:a 1} [2] nil]");
        for text in ["1,2", "1\n2],[3", "1,[2\n3]"] {
            let line = if text.starts_with("1\n") { 2 } else { 1 };
            assert!(lines(text).starts_with(&format!("x.jsonl:{line}: ")), "{}", lines(text));
        }
    }

    #[test]
    fn given_values_stand_in_the_trace() {
        let data = serde_json::json!({"b": 1.0, "a": [true, null]});
        let input = from_data("x", &data, &Limits::default()).unwrap();
        assert_eq!(ptc_lisp::print::brief(&input.value), "{:b 1.0, :a [true nil]}");
        assert_eq!(input.json.unwrap().text(), "{\"b\":1.0,\"a\":[true,null]}");
        assert_eq!(input.sha256.len(), 64);
    }

    #[test]
    fn other_files_are_not_there_yet() {
        let error = from_file("x", Path::new("a/posts.csv"), "posts.csv", &Limits::default()).err().unwrap();
        assert_eq!(error.0, "a/posts.csv: not there yet: csv inputs; give a .json or .jsonl file");
    }
}
