//! Markdown tables read from text.

/// A Markdown table: its columns and its rows as they stand in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table<'a> {
    pub columns: Vec<String>,
    pub rows: Vec<&'a str>,
}

impl<'a> Table<'a> {
    /// The first table in the text: a line of cells, a line of dashes, and the lines of cells after it.
    pub fn read(text: &'a str) -> Option<Self> {
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if is_row(line) && lines.peek().is_some_and(|next| is_rule(next)) {
                let rows = lines.skip(1).take_while(|l| is_row(l)).collect();
                return Some(Table { columns: cells(line), rows });
            }
        }
        None
    }
}

fn is_row(line: &str) -> bool {
    line.trim_start().starts_with('|')
}

fn is_rule(line: &str) -> bool {
    is_row(line) && line.contains('-') && line.trim().chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
}

/// The cells of a row; `\|` stands for a bar within one.
pub(super) fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let mut cells = vec![String::new()];
    let mut escaped = false;
    for c in row.strip_prefix('|').unwrap_or(row).chars() {
        match c {
            '|' if !escaped => cells.push(String::new()),
            _ => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
        escaped = c == '\\' && !escaped;
    }
    // What follows the last bar is no cell unless something is written there.
    if cells.len() > 1 && cells.last().is_some_and(|c| c.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|c| c.trim().to_owned()).collect()
}
