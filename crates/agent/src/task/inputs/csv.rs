//! CSV files: the first line names the columns, and each column is all numbers or all text.

use super::delimiter::{self, Layout};
use super::read_limits::{Budget, ReadLimits};
use super::rows::{Cell, Rows, cell_bytes, row_bytes};
use crate::error::{Error, ErrorKind, ErrorText};
use crate::error_text;
use ptc_lisp::escape;
use std::collections::HashSet;

/// Which rows of a file are kept: at most `limit` behind the first `offset`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Part {
    /// Rows that are passed over.
    pub offset: u64,
    /// Most rows; `None` for all.
    pub limit: Option<u64>,
}

/// Reads the text of a file; `file` stands in errors. `separator` is a tab in `.tsv` files; with a comma the first line
/// tells what separates fields ([`Layout::of`]).
///
/// A column in which every field that is not empty is a number as JSON writes it holds numbers, and its empty fields
/// are nothing. One number with a point makes all of the column such. Every other column is text: `007` stays what it
/// is. All rows are looked at for that, also those that are not kept.
///
/// A column without a name is called by its place, `column-3`; where it has nothing at all, as behind the last one of a
/// spreadsheet, it is left out.
///
/// # Errors
/// With the line, when a row is not as long as the first, a quote is not closed, or columns have the same name; when the first line does not tell what separates fields; or when the text and the rows together take more than the input may.
pub(crate) fn read(text: &str, file: &str, separator: u8, part: Part, reading: &ReadLimits) -> Result<Rows, Error> {
    let layout = Layout::of(text, file, separator)?;
    delimiter::check_quotes(text, layout, file)?;
    let open = || layout.reader(text);
    let wrong = |e: &csv::Error| {
        let line = e.position().map_or_else(String::new, |p| format!(":{}", layout.line(text, p)));
        Error::new(ErrorKind::Input, text_of(e)).at(&format!("{file}{line}"))
    };
    let header = layout.header_line(text);
    let mut reader = open();
    let mut columns: Vec<String> =
        reader.headers().map_err(|e| wrong(&e))?.iter().map(|c| c.trim().to_owned()).collect();
    if columns.iter().all(String::is_empty) {
        return Err(
            Error::new(ErrorKind::Input, error_text!("the file is empty"; "its first line names the columns")).at(file)
        );
    }
    let twice = |column: &str| {
        let words = error_text!("two columns are called {}", escape::quoted(column); "rename one");
        Error::new(ErrorKind::Input, words).at(&format!("{file}:{header}"))
    };
    let mut seen: HashSet<String> = HashSet::new();
    for column in columns.iter().filter(|c| !c.is_empty()) {
        if !seen.insert(column.clone()) {
            return Err(twice(column));
        }
    }
    // Read twice, so that no field is kept whose column is not known yet.
    let mut kinds = vec![Kind::Empty; columns.len()];
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(|e| wrong(&e))? {
        for (kind, field) in kinds.iter_mut().zip(&record) {
            *kind = kind.with(field);
        }
    }
    let kept: Vec<bool> =
        columns.iter().zip(&kinds).map(|(column, kind)| !column.is_empty() || *kind != Kind::Empty).collect();
    for (i, column) in columns.iter_mut().enumerate().filter(|(_, column)| column.is_empty()) {
        *column = format!("column-{}", i.saturating_add(1));
        if seen.contains(column.as_str()) && kept.get(i) == Some(&true) {
            return Err(twice(column));
        }
    }
    let mut budget = Budget::new(reading.bytes.saturating_sub(text.len() as u64));
    let (mut reader, mut rows) = (open(), Vec::new());
    let mut passed = 0_u64;
    while part.limit.is_none_or(|limit| (rows.len() as u64) < limit)
        && reader.read_record(&mut record).map_err(|e| wrong(&e))?
    {
        if passed < part.offset {
            passed = passed.saturating_add(1);
            continue;
        }
        let bytes: u64 = record.iter().zip(&columns).map(|(field, column)| cell_bytes(column, field.as_bytes())).sum();
        if !budget.take(row_bytes().saturating_add(bytes)) {
            let what = format!("with its first {} rows read, it", rows.len());
            return Err(reading.too_large(file, &what, "read fewer with limit = N"));
        }
        let fields = record.iter().zip(&kinds).zip(&kept).filter(|(_, kept)| **kept);
        rows.push(fields.map(|((field, kind), _)| kind.cell(field)).collect());
    }
    let columns = columns.into_iter().zip(kept).filter_map(|(column, kept)| kept.then_some(column)).collect();
    Ok(Rows { columns, rows })
}

/// What all fields of a column are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Empty,
    Whole,
    Point,
    Text,
}

impl Kind {
    fn with(self, field: &str) -> Kind {
        match (self, number(field)) {
            (Kind::Text, _) => Kind::Text,
            (kind, _) if field.is_empty() => kind,
            (Kind::Empty | Kind::Whole, Some(Kind::Whole)) => Kind::Whole,
            (_, Some(_)) => Kind::Point,
            (_, None) => Kind::Text,
        }
    }

    fn cell(self, field: &str) -> Cell {
        match self {
            Kind::Whole | Kind::Point if field.is_empty() => Cell::Null,
            Kind::Point if number(field) == Some(Kind::Whole) => Cell::Number(format!("{field}.0")),
            Kind::Whole | Kind::Point => Cell::Number(field.to_owned()),
            Kind::Empty | Kind::Text => Cell::Text(field.to_owned()),
        }
    }
}

/// Whether a field is a number as JSON writes it, and of which kind.
fn number(field: &str) -> Option<Kind> {
    let digits = field.strip_prefix('-').unwrap_or(field);
    if !digits.starts_with(|c: char| c.is_ascii_digit())
        || serde_json::from_str::<&serde_json::value::RawValue>(field).is_err()
    {
        return None;
    }
    if field.contains(['.', 'e', 'E']) {
        // What no double can hold is a name that looks like a number.
        return field.parse::<f64>().is_ok_and(f64::is_finite).then_some(Kind::Point);
    }
    Some(Kind::Whole)
}

fn text_of(e: &csv::Error) -> ErrorText {
    match e.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            error_text!("{len} fields, and the first line names {expected_len}"; "correct the row, or quote fields that hold the separator")
        }
        _ => error_text!("{}", escape::line(&e.to_string()); "correct the file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        let read = read(text, "x.csv", b',', Part::default(), &ReadLimits::default());
        read.map_or_else(|e| e.to_string(), |r| r.json())
    }

    #[test]
    fn columns_are_of_one_kind() {
        for (text, expected) in [
            ("id,name\n1,a\n2,\"b,\"\"c\"\"\nd\"\n", r#"[{"id":1,"name":"a"},{"id":2,"name":"b,\"c\"\nd"}]"#),
            ("n\n1\n\"\"\n-2\n", r#"[{"n":1},{"n":null},{"n":-2}]"#),
            ("n\n1\n2.5\n3e2\n", r#"[{"n":1.0},{"n":2.5},{"n":3e2}]"#),
            ("n\n1\n007\n", r#"[{"n":"1"},{"n":"007"}]"#),
            ("n\n1\nx\n\"\"\n", r#"[{"n":"1"},{"n":"x"},{"n":""}]"#),
            ("n,m\n,\n", r#"[{"n":"","m":""}]"#),
            ("n\n123456789012345678901\n", r#"[{"n":123456789012345678901}]"#),
            ("n\n1_000\ntrue\n", r#"[{"n":"1_000"},{"n":"true"}]"#),
            ("n\nNaN\n1\n", r#"[{"n":"NaN"},{"n":"1"}]"#),
            ("id\r\n1\r\n", r#"[{"id":1}]"#),
            ("id\n", "[]"),
            // One column whose name has another sign.
            ("note; text\nhello\nworld\n", r#"[{"note; text":"hello"},{"note; text":"world"}]"#),
            // As a table of pandas begins with the numbers of its rows, and as one of a spreadsheet ends.
            (",a\n0,x\n1,y\n", r#"[{"column-1":0,"a":"x"},{"column-1":1,"a":"y"}]"#),
            ("a,,b,,\n1,,2,,\n3,,4,,n\n", r#"[{"a":1,"b":2,"column-5":""},{"a":3,"b":4,"column-5":"n"}]"#),
            (",column-1\n,2\n", r#"[{"column-1":2}]"#),
        ] {
            assert_eq!(json(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_have_their_line() {
        for (text, words) in [
            ("", "x.csv: the file is empty; its first line names the columns"),
            ("a,b\n1,2\n3\n", "x.csv:3: 1 fields, and the first line names 2; correct the row"),
            ("a,a\n", "x.csv:1: two columns are called \"a\"; rename one"),
            ("\n\na,b,a\n", "x.csv:3: two columns are called \"a\"; rename one"),
            ("\n,column-1\n1,2\n", "x.csv:2: two columns are called \"column-1\"; rename one"),
            ("a,b\n\n\n1,2,3\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("sep=;\r\na;b\r\n\r\n1;2;3\r\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("a,b\n1,\"x\ny\"\n1,2,3\n", "x.csv:4: 3 fields, and the first line names 2; correct the row"),
            ("a,b\r1,2\r\r3\r", "x.csv:4: 1 fields, and the first line names 2; correct the row"),
        ] {
            assert!(json(text).starts_with(words), "{text}: {}", json(text));
        }
        let tabs = read("a\tb\n1\tx,y\n", "x.tsv", b'\t', Part::default(), &ReadLimits::default());
        assert_eq!(tabs.unwrap().json(), r#"[{"a":1,"b":"x,y"}]"#);
    }

    #[test]
    fn a_part_is_read_within_the_memory_of_an_input() {
        let text = format!("n\n{}x\n", "1\n".repeat(5000));
        let small = ReadLimits { bytes: 64 << 10, ..ReadLimits::default() };
        let all = read(&text, "x.csv", b',', Part::default(), &small).unwrap_err().to_string();
        assert!(
            all.starts_with("x.csv: with its first ")
                && all.contains(" rows read, it takes more than input_bytes = 65536; "),
            "{all}"
        );
        // What the last row says of the column holds for those that are kept.
        let part = Part { offset: 1, limit: Some(2) };
        assert_eq!(read(&text, "x.csv", b',', part, &small).unwrap().json(), r#"[{"n":"1"},{"n":"1"}]"#);
    }
}
