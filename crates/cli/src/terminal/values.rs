//! A value as readable text, laid out to a width: on one line where it fits, else indented over several; a list of maps
//! as a table.

use crate::terminal::columns::{fits, width};
use crate::terminal::highlight::Painter;
use crate::terminal::io::indented;
use crate::terminal::table;
pub use crate::terminal::value_tree::Layout;
use crate::terminal::value_tree::{Node, parse, remark};

/// Longer values are shown as they are, cut.
const LONGEST: usize = 4 << 20;
/// Fewest columns that anything is laid out to.
const NARROWEST: usize = 12;
/// Most columns that anything is laid out to.
const WIDEST: usize = 1000;

/// The value in lines, each ended; nothing in them moves the cursor.
pub fn layout(text: &str, how: &Layout) -> String {
    let how = &Layout { width: how.width.clamp(NARROWEST, WIDEST), ..*how };
    let lines = match (text.len() <= LONGEST).then(|| parse(text)).flatten() {
        Some(node) => {
            let mut out = Lines { text, how, painter: Painter::new(text, how.color), lines: Vec::new(), cut: false };
            out.add(&node, 0, 0);
            out.lines
        }
        None => plain(text, how),
    };
    let left = lines.len().saturating_sub(how.lines);
    let mut out = String::new();
    lines.iter().take(how.lines).for_each(|line| {
        out.push_str(line);
        out.push('\n');
    });
    if left > 0 {
        let lines = if left == 1 { "1 more line".to_owned() } else { format!("{left} more lines") };
        out.push_str(&remark(&format!("... {lines}; {}", how.whole), how.color));
        out.push('\n');
    }
    out
}

/// What is no form, as it is; the terminal wraps its lines.
fn plain(text: &str, how: &Layout) -> Vec<String> {
    let most = how.lines.saturating_add(1).saturating_mul(how.width).saturating_mul(4);
    let head: String = text.chars().take(most).collect();
    let mut lines: Vec<String> = indented(&head, "").lines().map(str::to_owned).collect();
    if head.len() < text.len() {
        lines.push(remark(&format!("... of {} bytes; {}", text.len(), how.whole), how.color));
    }
    lines
}

struct Lines<'a> {
    text: &'a str,
    how: &'a Layout,
    painter: Painter<'a>,
    lines: Vec<String>,
    /// Whether enough lines are there.
    cut: bool,
}

impl Lines<'_> {
    fn slice(&self, node: &Node) -> &str {
        self.text.get(node.start..node.end).unwrap_or_default()
    }

    /// Adds text to the last line.
    fn push(&mut self, text: &str) {
        match self.lines.last_mut() {
            Some(line) => line.push_str(text),
            None => self.lines.push(text.to_owned()),
        }
    }

    /// Begins a line at this column.
    fn line(&mut self, column: usize) {
        self.cut = self.cut || self.lines.len() > self.how.lines.saturating_mul(4).saturating_add(10_000);
        self.lines.push(" ".repeat(column));
    }

    fn flat(&mut self, node: &Node) {
        let text = self.painter.paint(node.start, node.end);
        self.push(&text);
    }

    /// Adds a form at this column of the last line; `behind` columns are needed for what closes after it.
    fn add(&mut self, node: &Node, column: usize, behind: usize) {
        let room = self.how.width.saturating_sub(column).saturating_sub(behind);
        if let Some(rows) = table::rows(node, self.text).filter(|_| room >= NARROWEST && column == 0) {
            let lines = table::lines(&rows, self.how);
            self.lines.extend(lines);
            return;
        }
        if node.is_leaf() || self.cut || fits(self.slice(node), room) {
            return self.flat(node);
        }
        let inside = node.children.first().map_or(node.end, |c| c.start);
        let open = self.text.get(node.start..inside).unwrap_or_default().trim_end_matches([' ', ',']).len();
        let opening = self.painter.paint(node.start, node.start.saturating_add(open));
        self.push(&opening);
        let column = column.saturating_add(open);
        match node.pairs() {
            Some(pairs) => self.map(&pairs.collect::<Vec<_>>(), column, behind),
            None => self.list(&node.children, column, behind),
        }
        let closing = self.painter.paint(node.end.saturating_sub(1), node.end);
        self.push(&closing);
    }

    fn map(&mut self, pairs: &[(&Node, &Node)], column: usize, behind: usize) {
        for (i, (key, value)) in pairs.iter().enumerate() {
            if i > 0 {
                self.push(",");
                self.line(column);
            }
            if self.cut {
                return;
            }
            self.flat(key);
            let behind = if i.saturating_add(1) == pairs.len() { behind.saturating_add(1) } else { 1 };
            let taken = if fits(self.slice(key), self.how.width) { width(self.slice(key)) } else { self.how.width };
            let at = column.saturating_add(taken).saturating_add(1);
            let room = self.how.width.saturating_sub(at).saturating_sub(behind);
            if value.is_leaf() || fits(self.slice(value), room) || at <= self.how.width.div_euclid(2) {
                self.push(" ");
                self.add(value, at, behind);
            } else {
                // Behind a long key there is no room: below it.
                self.line(column.saturating_add(2));
                self.add(value, column.saturating_add(2), behind);
            }
        }
    }

    fn list(&mut self, items: &[Node], column: usize, behind: usize) {
        // Words and numbers stand beside each other, what has brackets below.
        let fill = items.iter().all(Node::is_leaf);
        let mut at = column;
        for (i, item) in items.iter().enumerate() {
            if self.cut {
                return;
            }
            let behind = if i.saturating_add(1) == items.len() { behind.saturating_add(1) } else { 0 };
            let room = self.how.width.saturating_sub(at).saturating_sub(behind).saturating_sub(1);
            if i > 0 {
                if fill && fits(self.slice(item), room) {
                    self.push(" ");
                    at = at.saturating_add(1);
                } else {
                    self.line(column);
                    at = column;
                }
            }
            self.add(item, at, behind);
            if fill {
                at = at.saturating_add(width(self.slice(item)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid(text: &str, width: usize) -> String {
        layout(text, &Layout { width, color: false, lines: 100, whole: "see all" })
    }

    #[test]
    fn what_fits_stays_on_a_line() {
        assert_eq!(laid("{:a 1, :b [1 2 3]}", 40), "{:a 1, :b [1 2 3]}\n");
        assert_eq!(laid("nil", 0), "nil\n");
    }

    #[test]
    fn maps_are_a_pair_a_line_and_words_are_filled() {
        let text = "{:name \"Ann\", :numbers [1 2 3 4 5 6 7 8 9 10 11 12], :deep {:a {:b 1000000}, :c (x y)}}";
        assert_eq!(
            laid(text, 30),
            "{:name \"Ann\",\n :numbers [1 2 3 4 5 6 7 8 9\n           10 11 12],\n :deep {:a {:b 1000000},\n        :c (x y)}}\n"
        );
        // Nothing but blanks is added: it reads back as the same.
        let words = |t: &str| t.split_whitespace().collect::<Vec<_>>().join(" ");
        for width in [0, 1, 20, 21, 33, 47, 80, 200] {
            assert_eq!(words(&laid(text, width)), words(text), "at {width}");
        }
    }

    #[test]
    fn words_of_several_pieces_and_prefixes_stay_whole() {
        assert_eq!(
            laid("[#<function f> #{1 2} #\"a b\" 'x \\a ##Inf]", 14),
            "[#<function\n f>\n #{1 2}\n #\"a b\"\n 'x\n \\a\n ##Inf]\n"
        );
    }

    #[test]
    fn no_line_is_wider_than_the_terminal_where_words_allow_it() {
        let text = "[{:key \"日本語\" :other [1 2 3 {:x (a b c)}]}]";
        for width in 24..90 {
            let all = laid(text, width);
            assert!(all.lines().all(|l| unicode_width::UnicodeWidthStr::width(l) <= width), "{width}: {all}");
        }
    }

    #[test]
    fn hostile_texts_are_bounded() {
        // What is nested without end, what is not closed, what is no form, what moves the cursor.
        let deep = "[".repeat(100_000) + &"]".repeat(100_000);
        assert!(laid(&deep, 80).lines().count() <= 101);
        assert_eq!(laid("[1 2", 40), "[1 2\n");
        assert_eq!(laid("]", 40), "]\n");
        assert_eq!(laid("two words", 40), "two words\n");
        assert_eq!(laid("\u{1b}[2J", 40), "\\u{1b}[2J\n");
        assert_eq!(laid("[\"\u{1b}[2J\r\"]", 40), "[\"\\u{1b}[2J\\u{d}\"]\n");
        let long = format!("[{}]", "1 ".repeat(3_000_000));
        let shown = laid(&long, 80);
        assert!(shown.len() < 100_000 && shown.contains("of 6000002 bytes; see all"), "{}", shown.len());
    }

    #[test]
    fn more_lines_than_are_wanted_are_counted() {
        let text = format!("[{}]", "[a] ".repeat(50).trim());
        let how = Layout { width: 20, color: false, lines: 3, whole: "see all" };
        assert_eq!(layout(&text, &how), "[[a]\n [a]\n [a]\n... 47 more lines; see all\n");
    }
}
