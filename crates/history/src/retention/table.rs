//! Markdown tables read from text, and the summary that keeps columns and first rows.

use super::line::line;
use crate::message::{Part, PartKind};
use crate::strategy::cut;

/// Characters of a smart summary, about.
const MOST: usize = 500;
/// Rows that it keeps.
const ROWS: usize = 2;

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

/// The line, and of a table its schema and first rows with long cells cut; of anything else its beginning.
pub(super) fn smart(part: &Part, text: &str, handle: &str) -> String {
    let title = line(part, text, Some(handle));
    let room = MOST.saturating_sub(title.chars().count());
    match Table::read(text).filter(|_| part.kind == PartKind::Table) {
        Some(table) => {
            // The widest cells that fit; at the narrowest only the names of the first columns are left.
            let fits = [40, 24, 16, 10, 6].into_iter().map(|width| sample(&table, width, usize::MAX));
            let fewer = [12, 8, 5, 3, 2, 1].into_iter().map(|columns| sample(&table, 6, columns));
            let sample = fits.chain(fewer).find(|s| s.chars().count() <= room);
            sample.map_or(title.clone(), |s| format!("{title}\n{s}"))
        }
        None => format!("{title}\n{}", cut(text, room)),
    }
}

fn sample(table: &Table<'_>, width: usize, columns: usize) -> String {
    let all = table.columns.len();
    let names: Vec<String> = table.columns.iter().take(columns).map(|c| cut(c, width)).collect();
    let more = if columns < all { ", …" } else { "" };
    let plural = if all == 1 { "" } else { "s" };
    let mut out = format!("Schema: {all} column{plural} ({}{more})", names.join(", "));
    for row in table.rows.iter().take(ROWS) {
        let row: Vec<String> = cells(row).iter().take(columns).map(|c| cut(c, width)).collect();
        out.push_str(&format!("\n| {} |", row.join(" | ")));
    }
    out
}
