//! Rows with named columns, wherever they come from: as JSON for programs, as a Markdown table for the model.

use std::fmt::Write as _;

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
}

impl Rows {
    /// A list of objects, one a row.
    pub fn json(&self) -> String {
        let keys: Vec<String> = self.columns.iter().map(|c| quoted(c)).collect();
        let mut out = String::from("[");
        for (i, row) in self.rows.iter().enumerate() {
            out.push_str(if i == 0 { "{" } else { ",{" });
            for (j, (key, cell)) in keys.iter().zip(row).enumerate() {
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
        out.push(']');
        out
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
        };
        assert_eq!(
            rows.json(),
            "[{\"id\":1,\"a|b\":\"x | y\\\\z\\r\\n\u{2028}\\\"q\\\"\"},{\"id\":null,\"a|b\":\"<3 bytes>\"}]"
        );
        assert_eq!(
            rows.markdown(),
            "| id | a\\|b |\n| --- | --- |\n| 1 | x \\| y\\\\z<br><br>\"q\" |\n| NULL | <3 bytes> |\n"
        );
        let none = Rows { columns: vec!["id".into()], rows: Vec::new() };
        assert_eq!((none.json().as_str(), none.markdown().as_str()), ("[]", "| id |\n| --- |\n"));
    }
}
