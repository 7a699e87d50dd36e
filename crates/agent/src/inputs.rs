//! Inputs of a task: JSON, JSON lines, tables and text from files, or values that stand in the task itself.

pub mod csv;
pub mod sqlite;
pub mod table;

use crate::clock::sha256;
use crate::problem::{Problem, read_bytes, utf8};
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Input, Json};
use serde_json::value::RawValue;
use std::path::Path;

/// What a file holds, by the end of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `.json`
    Json,
    /// `.jsonl`, `.ndjson`: a value a line.
    JsonLines,
    /// `.csv`
    Csv,
    /// `.tsv`: a table whose fields are separated by tabs.
    Tsv,
    /// Anything else: a string.
    Text,
}

impl Kind {
    /// Of a file of this name.
    pub fn of(path: &Path) -> Self {
        match path.extension().map(|e| e.to_string_lossy().to_lowercase()).as_deref() {
            Some("json") => Kind::Json,
            Some("jsonl" | "ndjson") => Kind::JsonLines,
            Some("csv") => Kind::Csv,
            Some("tsv") => Kind::Tsv,
            _ => Kind::Text,
        }
    }

    /// What stands between fields, of a table.
    pub fn separator(self) -> Option<u8> {
        match self {
            Kind::Csv => Some(b','),
            Kind::Tsv => Some(b'\t'),
            _ => None,
        }
    }
}

/// Reads an input from `path`, which the task calls `file`: JSON as it is, a value a line of JSON lines, a list of maps
/// of a table, a string of anything else.
///
/// # Errors
/// When the file cannot be read, or is not what its name says.
pub fn from_file(name: &str, path: &Path, file: &str, limits: &Limits) -> Result<Input, Problem> {
    let shown = path.display().to_string();
    let bytes = read_bytes(path)?;
    let digest = sha256(&bytes);
    let text = utf8(bytes, &shown)?;
    // What an input holds is the host's own; programs pay for what they copy of it.
    let roomy = Limits { memory_bytes: u64::MAX, ..limits.clone() };
    let kind = Kind::of(path);
    let value = match kind {
        Kind::JsonLines => json_lines(&text, &shown, &roomy)?,
        Kind::Json => parse(&text, &roomy).map_err(|e| Problem::new(e).at(&shown))?,
        Kind::Csv | Kind::Tsv => {
            let rows = csv::read(&text, &shown, kind.separator().unwrap_or(b','))?;
            drop(text);
            parse(&rows.json(), &roomy).map_err(|e| Problem::new(e).at(&shown))?
        }
        Kind::Text => Value::str(text),
    };
    Ok(Input { name: name.to_owned(), value, sha256: digest, file: Some(file.to_owned()), json: None })
}

/// Rows as an input: a list of maps. `file` is where they came from, as the task names it.
///
/// # Errors
/// When a cell is more than a value may be.
pub fn from_rows(name: &str, rows: &table::Rows, file: String, limits: &Limits) -> Result<Input, Problem> {
    let text = rows.json();
    let roomy = Limits { memory_bytes: u64::MAX, ..limits.clone() };
    let value = parse(&text, &roomy).map_err(|e| Problem::new(e).at(&file))?;
    Ok(Input { name: name.to_owned(), value, sha256: sha256(text.as_bytes()), file: Some(file), json: None })
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
    let mut all = String::with_capacity(text.len().saturating_add(2));
    all.push('[');
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        // Only a line that is one whole value may be joined to the others.
        if let Err(e) = serde_json::from_str::<&RawValue>(line) {
            let words = parse(line, limits).err().unwrap_or_else(|| e.to_string());
            return Err(Problem::new(words).at(&format!("{shown}:{}", i.saturating_add(1))));
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
    fn files_are_read_as_their_names_say() {
        let folder = std::env::temp_dir().join(format!("ptc-inputs-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let read = |file: &str, bytes: &[u8]| {
            let path = folder.join(file);
            std::fs::write(&path, bytes).unwrap();
            match from_file("x", &path, file, &Limits::default()) {
                Ok(input) => ptc_lisp::print::brief(&input.value),
                Err(e) => e.0.replace(&format!("{}/", folder.display()), ""),
            }
        };
        for (file, text, expected) in [
            ("a.csv", "id,name\n1,pen\n", "[{:id 1, :name \"pen\"}]"),
            ("a.TSV", "id\tname\n1\tpen\n", "[{:id 1, :name \"pen\"}]"),
            ("a.log", "one\ntwo\n", "\"one\\ntwo\\n\""),
            ("README", "\u{feff}hi", "\"hi\""),
            ("a.json", "{\"a\": 1}", "{:a 1}"),
            ("b.json", "{\"a\": ", "b.json: "),
        ] {
            assert!(read(file, text.as_bytes()).starts_with(expected), "{}", read(file, text.as_bytes()));
        }
        assert_eq!(read("l.log", b"one\ntw\xf6\n"), "l.log: not UTF-8 text (line 2, byte 7); save it as UTF-8");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
