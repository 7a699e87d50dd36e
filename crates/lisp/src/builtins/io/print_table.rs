//! `print-table`: maps as the rows of a table, as `clojure.pprint` draws it.

use super::printing::str_of;
use crate::builtins::collections::lookup;
use crate::builtins::row::BuiltinRow;
use crate::cost;
use crate::host::{Body, Host, Result};
use crate::seq::Iter;
use crate::value::{Builtin, Value};

const EXAMPLES: &[(&str, &str)] =
    &[("(with-out-str (print-table [{:a 1}]))", "\"\\n| :a |\\n|----|\\n|  1 |\\n\""), ("(print-table [])", "nil")];
const DOC: &str = "Prints a table of maps: a line for each, a column for each of ks, or for each key of the first.";

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("print-table", "rows | ks rows", DOC, EXAMPLES, &Body(print_table)),
    Builtin::new("clojure.pprint/print-table", "rows | ks rows", DOC, EXAMPLES, &Body(print_table)),
];

/// Bytes of a cell besides its text.
const CELL: u64 = 40;

fn print_table(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let rows = Iter::arg(a, usize::from(a.len() > 1))?.collect(h)?;
    let Some(first) = rows.first() else { return Ok(Value::Nil) };
    let keys = if a.len() > 1 {
        Iter::arg(a, 0)?.collect(h)?
    } else {
        match first {
            Value::Map(m) => {
                h.charge(m.len() as u64)?;
                h.reserve(m.len() as u64 * 16)?;
                m.keys().cloned().collect()
            }
            other => return Err(crate::host::Interrupt::argument(0, "maps", other)),
        }
    };
    let mut held = 0;
    let mut table = vec![line(h, &mut held, &keys, None)?];
    for row in &rows {
        table.push(line(h, &mut held, &keys, Some(row))?);
    }
    let widths: Vec<usize> = (0..keys.len())
        .map(|i| table.iter().filter_map(|line| line.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    // Four bytes a character at most, three characters around each cell.
    let across = widths.iter().fold(4u64, |sum, w| sum.saturating_add(*w as u64 * 4 + 3));
    let bytes = across.saturating_mul(table.len() as u64 + 1);
    h.charge(bytes / 16)?;
    h.reserve(held.saturating_add(bytes))?;
    let mut out = String::new();
    for (i, cells) in table.iter().enumerate() {
        let padded = cells
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{}{cell}", " ".repeat(width.saturating_sub(cell.chars().count()))));
        out.push_str(&format!("\n| {} |", padded.collect::<Vec<_>>().join(" | ")));
        if i == 0 {
            let dashes: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
            out.push_str(&format!("\n|-{}-|", dashes.join("-+-")));
        }
    }
    out.push('\n');
    h.print(out)?;
    Ok(Value::Nil)
}

/// The cells of a row, or those of the heading; `held` counts the bytes of all so far.
fn line(h: &mut dyn Host, held: &mut u64, keys: &[Value], row: Option<&Value>) -> Result<Vec<String>> {
    let mut cells = Vec::new();
    for key in keys {
        h.charge(4)?;
        h.reserve(*held)?;
        let value = match row {
            Some(row) => lookup::find_noted(h, row, key)?.unwrap_or_default(),
            None => key.clone(),
        };
        let text = str_of(h, &value)?;
        cost::text(h, text.len())?;
        *held = held.saturating_add(text.len() as u64 + CELL);
        cells.push(text);
    }
    Ok(cells)
}
