//! Rows with named columns, wherever they come from: as JSON for programs, as a Markdown table for the model.

use std::fmt::Write as _;

/// A table, and which of its rows.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    /// Its name.
    pub name: String,
    /// Most rows; `None` for all.
    pub limit: Option<u64>,
    /// Rows that are passed over first.
    pub offset: u64,
}

/// What stands in a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// Nothing: NULL, or an empty field in a column of numbers.
    Null,
    /// A number as JSON writes it; its digits are kept.
    Number(String),
    /// Text.
    Text(String),
    /// Bytes that are no text, by their length: they are not shown.
    Blob(usize),
}

/// A table, or the part of it that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Its columns.
    pub columns: Vec<String>,
    /// Its rows, each with a cell a column.
    pub rows: Vec<Vec<Cell>>,
    /// What is to be known of it, in words.
    pub note: Option<String>,
}

/// Memory of a row besides its cells, and of a cell besides its text, with what the allocator adds.
const ROW: u64 = 40;
const CELL: u64 = 48;

/// Bytes that a row takes before it has cells.
pub(super) fn row_bytes() -> u64 {
    ROW
}

/// Bytes that a cell takes: in memory, and as JSON later, whichever is more.
pub(super) fn cell_bytes(column: &str, text: &[u8]) -> u64 {
    let escaped = |b: &u8| match b {
        0..0x20 => 6,
        b'"' | b'\\' => 2,
        _ => 1,
    };
    let text: u64 = text.iter().map(escaped).sum();
    CELL.saturating_add(column.len() as u64).saturating_add(text)
}

impl Rows {
    /// A list of objects, one a row.
    pub fn json(&self) -> String {
        let mut out = Objects::new(&self.columns);
        self.rows.iter().for_each(|row| out.push(row));
        out.end()
    }

    /// The same; each row is let go when it has been written, so that rows and text are never there as a whole at once.
    pub fn into_json(self) -> String {
        let mut out = Objects::new(&self.columns);
        self.rows.into_iter().for_each(|row| out.push(&row));
        out.end()
    }

    /// A Markdown table: a line a row. In cells `|` and `\` are escaped with `\`, line breaks are `<br>`, nothing is
    /// `NULL`.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        let mut line = |cells: &mut dyn Iterator<Item = String>| {
            out.push('|');
            for cell in cells {
                let _ = write!(out, " {cell} |");
            }
            out.push('\n');
        };
        line(&mut self.columns.iter().map(|c| cell_text(c)));
        line(&mut self.columns.iter().map(|_| "---".to_owned()));
        for row in &self.rows {
            line(&mut row.iter().map(|c| match c {
                Cell::Null => "NULL".to_owned(),
                Cell::Number(n) => n.clone(),
                Cell::Text(t) => cell_text(t),
                Cell::Blob(n) => blob(*n),
            }));
        }
        out
    }
}

/// A list of objects, written row by row.
struct Objects {
    keys: Vec<String>,
    out: String,
}

impl Objects {
    fn new(columns: &[String]) -> Self {
        Objects { keys: columns.iter().map(|c| quoted(c)).collect(), out: String::from("[") }
    }

    fn push(&mut self, row: &[Cell]) {
        let out = &mut self.out;
        out.push_str(if out.len() == 1 { "{" } else { ",{" });
        for (j, (key, cell)) in self.keys.iter().zip(row).enumerate() {
            let comma = if j == 0 { "" } else { "," };
            let _ = match cell {
                Cell::Null => write!(out, "{comma}{key}:null"),
                Cell::Number(n) => write!(out, "{comma}{key}:{n}"),
                Cell::Text(t) => write!(out, "{comma}{key}:{}", quoted(t)),
                Cell::Blob(n) => write!(out, "{comma}{key}:{}", quoted(&blob(*n))),
            };
        }
        out.push('}');
    }

    fn end(mut self) -> String {
        self.out.push(']');
        self.out
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn blob(bytes: usize) -> String {
    format!("<{bytes} bytes>")
}

fn cell_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '|' | '\\' => out.extend(['\\', c]),
            '\r' if chars.peek() == Some(&'\n') => {}
            // Whatever ends a line somewhere would end the row.
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push_str("<br>"),
            c => out.push(c),
        }
    }
    out.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_as_json_and_as_markdown() {
        let rows = Rows {
            columns: vec!["id".into(), "a|b".into()],
            rows: vec![
                vec![Cell::Number("1".into()), Cell::Text("x | y\\z\r\n\u{2028}\"q\"".into())],
                vec![Cell::Null, Cell::Blob(3)],
            ],
            note: None,
        };
        assert_eq!(
            rows.json(),
            "[{\"id\":1,\"a|b\":\"x | y\\\\z\\r\\n\u{2028}\\\"q\\\"\"},{\"id\":null,\"a|b\":\"<3 bytes>\"}]"
        );
        assert_eq!(rows.clone().into_json(), rows.json());
        assert_eq!(
            rows.markdown(),
            "| id | a\\|b |\n| --- | --- |\n| 1 | x \\| y\\\\z<br><br>\"q\" |\n| NULL | <3 bytes> |\n"
        );
        let none = Rows { columns: vec!["id".into()], rows: Vec::new(), note: None };
        assert_eq!((none.json().as_str(), none.markdown().as_str()), ("[]", "| id |\n| --- |\n"));
    }
}
