//! Inputs of a task: JSON, JSON lines, tables and text from files, or values that stand in the task itself.

mod columns;
pub(crate) mod csv;
mod decode;
mod kind;
mod layout;
pub(crate) mod options;
pub(crate) mod read_limits;
pub(crate) mod rows;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
#[cfg(not(feature = "sqlite"))]
pub(crate) mod sqlite_unavailable;

pub use kind::Kind;
pub use options::InputOptions;
pub use read_limits::ReadLimits;
#[cfg(feature = "sqlite")]
pub(crate) use sqlite::read as read_table;
#[cfg(not(feature = "sqlite"))]
pub(crate) use sqlite_unavailable::read as read_table;

use crate::clock::sha256;
use crate::error::{Error, ErrorText};
use crate::error_text;
use ptc_lisp::error::ErrorKind;
use ptc_lisp::json;
use ptc_lisp::limits::Limits;
use ptc_lisp::value::Value;
use ptc_turns::{Input, Json};
use serde_json::value::RawValue;
use std::path::Path;

/// Reads an input from `path`, which the task calls `file`: JSON as it is, a value a line of JSON lines, a list of maps
/// of a table, a string of anything else.
///
/// # Errors
/// When the file cannot be read, is not what its name says, or takes more than it may.
pub fn from_file(
    name: &str,
    path: &Path,
    file: &str,
    options: &InputOptions,
    limits: &Limits,
    reading: &ReadLimits,
) -> Result<Input, Error> {
    let bytes = reading.file(path)?;
    read(name, bytes, &path.display().to_string(), file, options, limits, reading)
}

/// Reads an input from bytes that are there, as [`from_file`] reads a file of this name.
///
/// # Errors
/// As [`from_file`].
pub fn from_bytes(
    name: &str,
    bytes: &[u8],
    file: &str,
    options: &InputOptions,
    limits: &Limits,
    reading: &ReadLimits,
) -> Result<Input, Error> {
    if bytes.len() as u64 > reading.bytes {
        return Err(reading.too_large(file, "it", "shorten it"));
    }
    read(name, bytes.to_vec(), file, file, options, limits, reading)
}

/// What bytes are whose file is called so; `shown` stands in errors, `file` in the trace. Other options are another input.
fn read(
    name: &str,
    bytes: Vec<u8>,
    shown: &str,
    file: &str,
    options: &InputOptions,
    limits: &Limits,
    reading: &ReadLimits,
) -> Result<Input, Error> {
    let said = options.text();
    let sha256 = if said.is_empty() { sha256(&bytes) } else { sha256(format!("{}{said}", sha256(&bytes)).as_bytes()) };
    let kind = Kind::of(Path::new(shown));
    let (text, decoding) = decode::text(bytes, shown, kind, options, reading)?;
    let mut notes = Vec::from_iter(decoding);
    let value = match kind {
        Kind::JsonLines => json_lines(text, shown, limits, reading)?,
        Kind::Json if text.trim().is_empty() => {
            let words = error_text!("the file is empty"; "write a value as JSON into it, as [] or null");
            return Err(Error::new(crate::ErrorKind::Input, words).at(shown));
        }
        Kind::Json => parse(&text, shown, limits, reading)?,
        Kind::Csv | Kind::Tsv => {
            let rows = csv::read(&text, shown, kind.separator().unwrap_or(','), options, reading)?;
            drop(text);
            notes.extend(rows.note.clone());
            parse(&rows.into_json(), shown, limits, reading)?
        }
        // Once more while it becomes a value.
        Kind::Text if (text.len() as u64).saturating_mul(2) > reading.bytes => {
            return Err(reading.too_large(shown, "the text twice", "shorten it"));
        }
        Kind::Text => Value::str(text),
    };
    let note = Some(notes.join("; ")).filter(|n| !n.is_empty());
    Ok(Input { name: name.to_owned(), value, sha256, file: Some(format!("{file}{said}")), json: None, note })
}

/// The rows of a CSV file.
///
/// # Errors
/// As [`from_file`].
pub(crate) fn rows_of(path: &Path, options: &InputOptions, reading: &ReadLimits) -> Result<rows::Rows, Error> {
    let (shown, kind) = (path.display().to_string(), Kind::of(path));
    let (text, decoding) = decode::text(reading.file(path)?, &shown, kind, options, reading)?;
    let rows = csv::read(&text, &shown, kind.separator().unwrap_or(','), options, reading)?;
    let notes = Vec::from_iter(decoding.into_iter().chain(rows.note.clone()));
    Ok(rows::Rows { note: Some(notes.join("; ")).filter(|n| !n.is_empty()), ..rows })
}

/// The text of a file.
///
/// # Errors
/// When it cannot be read, is no text, or is longer than an input may be.
pub(crate) fn text_of_file(path: &Path, reading: &ReadLimits) -> Result<String, Error> {
    let shown = path.display().to_string();
    Ok(decode::text(reading.file(path)?, &shown, Kind::of(path), &InputOptions::default(), reading)?.0)
}

/// Rows as an input: a list of maps. `file` is where they came from, as the task names it.
///
/// # Errors
/// When a cell is more than a value may be, or all of them take more than an input may.
pub fn from_rows(
    name: &str,
    rows: rows::Rows,
    file: String,
    limits: &Limits,
    reading: &ReadLimits,
) -> Result<Input, Error> {
    let note = rows.note.clone();
    let text = rows.into_json();
    let value = parse(&text, &file, limits, reading)?;
    Ok(Input { name: name.to_owned(), value, sha256: sha256(text.as_bytes()), file: Some(file), json: None, note })
}

/// An input whose value is given.
///
/// # Errors
/// When it is deeper than `data_depth`.
pub fn from_data(name: &str, data: &serde_json::Value, limits: &Limits) -> Result<Input, Error> {
    let text = data.to_string();
    let value = json::parse_text(&text, limits).map_err(|e| Error::new(crate::ErrorKind::Input, text_of(e)))?;
    Ok(Input {
        name: name.to_owned(),
        value,
        sha256: sha256(text.as_bytes()),
        file: None,
        json: Json::new(text),
        note: None,
    })
}

fn text_of(e: ptc_lisp::error::Error) -> ErrorText {
    match e.hint {
        Some(_) => e.into(),
        None => ErrorText::new(e.message, "correct the file"),
    }
}

/// What is wrong with a text of one line, whose number stands before it.
fn text_of_line(mut e: ptc_lisp::error::Error) -> ErrorText {
    if let Some(rest) = e.message.strip_prefix("invalid JSON at line 1, ") {
        e.message = format!("invalid JSON at {rest}");
    }
    text_of(e)
}

/// The value of a text that stands beside it. What an input holds is the host's own, and programs pay for what they copy
/// of it: not `memory_bytes` limits it, but what the input may take.
fn parse(text: &str, shown: &str, limits: &Limits, reading: &ReadLimits) -> Result<Value, Error> {
    parse_as(text, shown, limits, reading, text_of)
}

/// The same; `told` makes the words of what is wrong.
fn parse_as(
    text: &str,
    shown: &str,
    limits: &Limits,
    reading: &ReadLimits,
    told: fn(ptc_lisp::error::Error) -> ErrorText,
) -> Result<Value, Error> {
    let left = reading.bytes.saturating_sub(text.len() as u64);
    json::parse_text(text, &Limits { memory_bytes: left, ..limits.clone() }).map_err(|e| match e.kind {
        ErrorKind::Memory => reading.too_large(shown, "with its values, it", "give less of it"),
        _ => Error::new(crate::ErrorKind::Input, told(e)).at(shown),
    })
}

/// A list with a value a line. All lines are read as one text, so that records of one shape share their keys.
fn json_lines(text: String, shown: &str, limits: &Limits, reading: &ReadLimits) -> Result<Value, Error> {
    if (text.len() as u64).saturating_mul(2) > reading.bytes {
        return Err(reading.too_large(shown, "the text twice", "shorten it"));
    }
    let mut all = String::with_capacity(text.len().saturating_add(2));
    all.push('[');
    for (i, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        // Only a line that is one whole value may be joined to the others.
        if let Err(e) = serde_json::from_str::<&RawValue>(line) {
            let place = format!("{shown}:{}", i.saturating_add(1));
            let problem = parse_as(line, &place, limits, reading, text_of_line).err();
            let words = || error_text!("invalid JSON at column {}", e.column(); "correct the line");
            return Err(problem.unwrap_or_else(|| Error::new(crate::ErrorKind::Input, words()).at(&place)));
        }
        if all.len() > 1 {
            all.push(',');
        }
        all.push_str(line);
    }
    drop(text);
    all.push(']');
    parse(&all, shown, limits, reading)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> String {
        let read = json_lines(text.to_owned(), "x.jsonl", &Limits::default(), &ReadLimits::default());
        read.map_or_else(|e| e.to_string(), |v| ptc_lisp::print::brief(&v))
    }

    #[test]
    fn lines_are_one_value_each() {
        assert_eq!(lines(""), "[]");
        assert_eq!(lines("{\"a\": 1}\n\n [2] \r\nnull"), "[{:a 1} [2] nil]");
        for text in ["1,2", "1\n2],[3", "1,[2\n3]"] {
            let line = if text.starts_with("1\n") { 2 } else { 1 };
            assert!(lines(text).starts_with(&format!("x.jsonl:{line}: ")), "{}", lines(text));
        }
        let wrong = lines("{\"a\": 1}\n{\"a\": }");
        assert!(wrong.starts_with("x.jsonl:2: invalid JSON at column 7: "), "{wrong}");
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
            match from_file("x", &path, file, &InputOptions::default(), &Limits::default(), &ReadLimits::default()) {
                Ok(input) => ptc_lisp::print::brief(&input.value),
                Err(e) => e.to_string().replace(&format!("{}/", folder.display()), ""),
            }
        };
        for (file, text, expected) in [
            ("a.csv", "id,name\n1,pen\n", "[{:id 1, :name \"pen\"}]"),
            ("a.TSV", "id\tname\n1\tpen\n", "[{:id 1, :name \"pen\"}]"),
            ("a.log", "one\ntwo\n", "\"one\\ntwo\\n\""),
            ("README", "\u{feff}hi", "\"hi\""),
            ("a.json", "{\"a\": 1}", "{:a 1}"),
            ("b.json", "{\"a\": ", "b.json: "),
            ("c.json", "", "c.json: the file is empty; write a value as JSON into it, as [] or null"),
            ("c.json", " \n", "c.json: the file is empty; "),
        ] {
            assert!(read(file, text.as_bytes()).starts_with(expected), "{}", read(file, text.as_bytes()));
        }
        assert_eq!(read("l.log", b"one\ntw\xf6\n"), "\"one\\ntw\u{f6}\\n\"");
        let zip = "the file is a spreadsheet (as .xlsx) or another zip archive, not text; save a table as CSV, and unpack an archive";
        for (file, bytes, words) in [
            ("o.csv", &b"PK\x03\x04\x14\0\xff"[..], zip),
            ("o.xlsx", b"PK\x03\x04\x14\0", zip),
            (
                "o.json",
                b"PK\x05\x06\0\0",
                "the file is an empty zip archive, not text; save a table as CSV, and unpack an archive",
            ),
            (
                "o.xls",
                b"\xd0\xcf\x11\xe0\xa1",
                "the file is a spreadsheet (as .xls) or another Office file, not text; save a table as CSV, and unpack an archive",
            ),
            ("o.jsonl", b"\xfd7zXZ\0", "the file is compressed with xz, not text; unpack it with unxz"),
            ("o.txt", b"%PDF-1.7\n", "the file is a PDF, not text; save its text"),
        ] {
            assert_eq!(read(file, bytes), format!("{file}: {words}"));
        }
        assert_eq!(read("PK.txt", b"PK is a name"), "\"PK is a name\"");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_takes_too_much_says_so_before_it_is_taken() {
        let folder = std::env::temp_dir().join(format!("ptc-inputs-large-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let small = ReadLimits { bytes: 10_000, ..ReadLimits::default() };
        let hint = "or raise input_bytes in [task]";
        for (file, text, words) in [
            (
                "a.json",
                "[1,2]".repeat(2001),
                format!("the file takes more than input_bytes = 10000; shorten it, {hint}"),
            ),
            (
                "b.json",
                format!("[{}0]", "[],".repeat(2000)),
                format!("with its values, it takes more than input_bytes = 10000; give less of it, {hint}"),
            ),
            (
                "c.jsonl",
                "[1]\n".repeat(1300),
                format!("the text twice takes more than input_bytes = 10000; shorten it, {hint}"),
            ),
            (
                "d.txt",
                "x".repeat(5001),
                format!("the text twice takes more than input_bytes = 10000; shorten it, {hint}"),
            ),
            (
                "e.csv",
                format!("n\n{}", "1\n".repeat(2000)),
                format!("read, it takes more than input_bytes = 10000; read fewer with limit = N, {hint}"),
            ),
        ] {
            let path = folder.join(file);
            std::fs::write(&path, text).unwrap();
            let got = from_file("x", &path, file, &InputOptions::default(), &Limits::default(), &small)
                .err()
                .unwrap()
                .to_string();
            assert!(got.starts_with(&format!("{}: ", path.display())) && got.ends_with(&words), "{got}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
