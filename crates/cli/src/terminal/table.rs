//! A list of maps as a table: a column a key, as wide as its cells or as the terminal lets it be.

use crate::terminal::columns::{cut, fits, shown, width};
use crate::terminal::io::{BOLD, DIM};
use crate::terminal::value_tree::{Layout, Node, remark};
use ptc_lisp::read::HighlightKind;

/// Most columns that are looked at: a list whose maps have more keys together is no table.
const KEYS: usize = 256;
/// Fewest columns of the terminal for one of the table, where all do not fit.
const NARROWEST: usize = 8;
/// Between two columns.
const GAP: usize = 2;

/// Rows by column: the text of each cell and whether it is a number.
pub struct Rows<'a> {
    keys: Vec<&'a str>,
    rows: Vec<Row<'a>>,
}

/// The cells that a row has, each with its column: a row takes what its map does, however many columns there are.
struct Row<'a>(Vec<(usize, Cell<'a>)>);

impl<'a> Row<'a> {
    fn get(&self, column: usize) -> Option<Cell<'a>> {
        self.0.iter().rev().find(|(at, _)| *at == column).map(|(_, cell)| *cell)
    }
}

#[derive(Clone, Copy)]
struct Cell<'a> {
    text: &'a str,
    number: bool,
}

/// The rows of a list of two maps or more that have words as keys; nothing where it is none.
pub fn rows<'a>(node: &Node, text: &'a str) -> Option<Rows<'a>> {
    if !node.is_list() || node.children.len() < 2 {
        return None;
    }
    let mut keys: Vec<&str> = Vec::new();
    let mut rows = Vec::with_capacity(node.children.len());
    for map in &node.children {
        let mut row = Row(Vec::new());
        for (key, value) in map.pairs()? {
            if !key.children.is_empty() || keys.len() > KEYS {
                return None;
            }
            let name = text.get(key.start..key.end)?;
            let at = match keys.iter().position(|k| *k == name) {
                Some(at) => at,
                None => {
                    keys.push(name);
                    keys.len().saturating_sub(1)
                }
            };
            row.0.push((at, cell(value, text)));
        }
        rows.push(row);
    }
    // Maps that are empty have nothing to be shown in columns.
    (!keys.is_empty()).then_some(Rows { keys, rows })
}

/// A string stands without its quotes where nobody can take it for something else.
fn cell<'a>(value: &Node, text: &'a str) -> Cell<'a> {
    let all = text.get(value.start..value.end).unwrap_or_default();
    let bare = all.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    let bare = bare.filter(|t| !t.is_empty() && t.trim() == *t && !t.contains(['\\', '"']));
    match value.kind {
        Some(HighlightKind::Text) => Cell { text: bare.unwrap_or(all), number: false },
        kind => Cell { text: all, number: kind == Some(HighlightKind::Number) },
    }
}

/// The table in lines; rows and columns that have no room are told in words behind it.
pub fn lines(table: &Rows<'_>, how: &Layout) -> Vec<String> {
    // The names of the columns, the rule, and what is said of rows that are left out.
    let most = how.lines.saturating_sub(if table.rows.len().saturating_add(2) > how.lines { 3 } else { 2 }).max(1);
    let rows = table.rows.get(..most.min(table.rows.len())).unwrap_or_default();
    let mut widths: Vec<usize> = Vec::with_capacity(table.keys.len());
    for (at, key) in table.keys.iter().enumerate() {
        let cells = rows.iter().filter_map(|r| r.get(at)).map(|c| c.text);
        widths.push(cells.chain([*key]).map(|t| columns(t, how.width)).max().unwrap_or(1));
    }
    let shown = shrink(&mut widths, how.width);
    let numbers: Vec<bool> = (0..shown).map(|at| right(rows, at)).collect();
    let line = |cell: &dyn Fn(usize) -> String, bold: bool| {
        let mut out = String::new();
        for (at, width_of) in widths.iter().enumerate().take(shown) {
            let text = cell(at);
            let blanks = " ".repeat(width_of.saturating_sub(width(&text)));
            let text = if bold && how.color { format!("{BOLD}{text}{BOLD:#}") } else { text };
            let gap = if at > 0 { " ".repeat(GAP) } else { String::new() };
            let right = numbers.get(at).copied().unwrap_or_default();
            out.push_str(&if right { format!("{gap}{blanks}{text}") } else { format!("{gap}{text}{blanks}") });
        }
        out.trim_end().to_owned()
    };
    let of = |text: &str, at: usize| cut(text, widths.get(at).copied().unwrap_or(1));
    let mut out = vec![line(&|at| of(table.keys.get(at).copied().unwrap_or_default(), at), true)];
    let rule: Vec<String> = widths.iter().take(shown).map(|w| "─".repeat(*w)).collect();
    let rule = rule.join(&" ".repeat(GAP));
    out.push(if how.color { format!("{DIM}{rule}{DIM:#}") } else { rule });
    for row in rows {
        out.push(line(&|at| of(row.get(at).map_or("", |c| c.text), at), false));
    }
    let left = table.rows.len().saturating_sub(rows.len());
    let hidden = table.keys.get(shown..).unwrap_or_default();
    let mut words = Vec::new();
    if left > 0 {
        words.push(if left == 1 { "1 more row".to_owned() } else { format!("{left} more rows") });
    }
    if !hidden.is_empty() {
        let names = cut(&hidden.join(" "), how.width.max(40));
        let count = hidden.len();
        words.push(if count == 1 {
            format!("1 more column: {names}")
        } else {
            format!("{count} more columns: {names}")
        });
    }
    if !words.is_empty() {
        out.push(remark(&format!("... {}; {}", words.join(", "), how.whole), how.color));
    }
    out
}

/// Columns of the terminal that a cell wants, the terminal's at most.
fn columns(text: &str, most: usize) -> usize {
    if fits(text, most) { width(&shown(text)).max(1) } else { most }
}

/// Whether a column holds numbers and nothing else.
fn right(rows: &[Row<'_>], at: usize) -> bool {
    let mut cells = rows.iter().filter_map(|r| r.get(at)).filter(|c| c.text != "nil").peekable();
    cells.peek().is_some() && cells.all(|c| c.number)
}

/// Makes the widest columns narrower until all fit, or else leaves out the last ones; returns how many stay.
fn shrink(widths: &mut [usize], room: usize) -> usize {
    let mut shown = widths.len();
    loop {
        let kept = widths.get_mut(..shown).unwrap_or_default();
        let gaps = GAP.saturating_mul(shown.saturating_sub(1));
        let sum = kept.iter().fold(gaps, |sum, w| sum.saturating_add(*w));
        let over = sum.saturating_sub(room);
        if over == 0 {
            return shown;
        }
        let widest = kept.iter().copied().max().unwrap_or(0);
        let next = kept.iter().copied().filter(|w| *w < widest).max().unwrap_or(0).max(NARROWEST);
        if widest > NARROWEST {
            let many = kept.iter().filter(|w| **w == widest).count().max(1);
            let by = over.div_ceil(many).min(widest.saturating_sub(next)).max(1);
            kept.iter_mut().filter(|w| **w == widest).for_each(|w| *w = w.saturating_sub(by));
        } else if shown > 1 {
            shown = shown.saturating_sub(1);
        } else {
            kept.iter_mut().for_each(|w| *w = room.max(1));
            return shown;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::terminal::values::{Layout, layout};

    fn laid(text: &str, width: usize, lines: usize) -> String {
        layout(text, &Layout { width, color: false, lines, whole: "see all" })
    }

    #[test]
    fn numbers_are_right_aligned_and_missing_cells_empty() {
        let text =
            "[{:name \"Ann\", :n 5, :ok true} {:name \"日本\", :n 1200} {:name \"a\\\"b\", :n nil, :more [1 2]}]";
        assert_eq!(
            laid(text, 60, 50),
            ":name     :n  :ok   :more\n──────  ────  ────  ─────\nAnn        5  true\n日本    1200\n\"a\\\"b\"   nil        [1 2]\n"
        );
    }

    #[test]
    fn a_row_takes_what_its_map_does() {
        let keys: String = (0..200).map(|i| format!(":k{i} 1 ")).collect();
        let text = format!("[{{{keys}}} {}]", "{:k199 1} ".repeat(1000));
        let table = super::rows(&super::super::value_tree::parse(&text).unwrap(), &text).unwrap();
        assert_eq!(table.rows.iter().map(|r| r.0.len()).sum::<usize>(), 1200);
    }

    #[test]
    fn wide_tables_are_cut_and_say_so() {
        let text = "[{:text \"a very long text in this cell\", :a 1, :b 2} {:text \"short\", :a 10, :b 20}]";
        assert_eq!(
            laid(text, 24, 50),
            ":text             :a  :b\n────────────────  ──  ──\na very long tex…   1   2\nshort             10  20\n"
        );
        let keys: Vec<String> = (0..30).map(|i| format!(":column-{i} {i}")).collect();
        let map = format!("{{{}}}", keys.join(", "));
        let shown = laid(&format!("[{map} {map}]"), 40, 50);
        assert!(shown.contains("more columns: :column-4"), "{shown}");
        assert!(shown.lines().take(4).all(|l| l.chars().count() <= 40), "{shown}");
    }

    #[test]
    fn long_tables_are_cut_and_say_so() {
        let rows: Vec<String> = (0..1000).map(|i| format!("{{:i {i}}}")).collect();
        assert_eq!(laid(&format!("({})", rows.join(" ")), 40, 5), ":i\n──\n 0\n 1\n... 998 more rows; see all\n");
    }

    #[test]
    fn what_has_no_columns_is_no_table() {
        assert_eq!(laid("[{} {}]", 40, 50), "[{} {}]\n");
        assert_eq!(laid("[{:a 1} 2]", 40, 50), "[{:a 1} 2]\n");
        assert_eq!(laid("[{:a 1}]", 40, 50), "[{:a 1}]\n");
    }

    #[test]
    fn no_width_is_too_small() {
        let text = "[{:name \"Ann\", :n 5} {:name \"\u{1b}[2J\", :n 1200}]";
        for width in 0..30 {
            let shown = laid(text, width, 50);
            assert!(shown.contains(":name") && !shown.contains('\u{1b}'), "{shown}");
        }
    }
}
