//! A summary of an input by rule: of a table its columns and first rows, of anything else its beginning.

use super::summary_line::line;
use super::table::{Table, cells};
use crate::conversation::message::{Part, PartKind};
use ptc_text::cut::one_line;

/// About how many characters a smart summary has.
const MAX_SUMMARY_CHARS: usize = 500;
/// Rows that it shows.
const SAMPLE_ROWS: usize = 2;

/// The line, and of a table its columns and first rows with long cells cut; of anything else its beginning.
pub(super) fn smart(part: &Part, text: &str, handle: &str) -> String {
    let title = line(part, text, Some(handle));
    let room = MAX_SUMMARY_CHARS.saturating_sub(title.chars().count());
    match Table::read(text).filter(|_| part.kind == PartKind::Table) {
        Some(table) => {
            // The widest cells that fit; at the narrowest only the names of the first columns are left.
            let fits = [40, 24, 16, 10, 6].into_iter().map(|width| sample(&table, width, usize::MAX));
            let fewer = [12, 8, 5, 3, 2, 1].into_iter().map(|columns| sample(&table, 6, columns));
            let sample = fits.chain(fewer).find(|s| s.chars().count() <= room);
            sample.map_or(title.clone(), |s| format!("{title}\n{s}"))
        }
        None => format!("{title}\n{}", one_line(text, room)),
    }
}

fn sample(table: &Table<'_>, width: usize, columns: usize) -> String {
    let all = table.columns.len();
    let names: Vec<String> = table.columns.iter().take(columns).map(|c| one_line(c, width)).collect();
    let more = if columns < all { ", …" } else { "" };
    let plural = if all == 1 { "" } else { "s" };
    let mut out = format!("Schema: {all} column{plural} ({}{more})", names.join(", "));
    for row in table.rows.iter().take(SAMPLE_ROWS) {
        let row: Vec<String> = cells(row).iter().take(columns).map(|c| one_line(c, width)).collect();
        out.push_str(&format!("\n| {} |", row.join(" | ")));
    }
    out
}
