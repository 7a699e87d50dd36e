//! Text measured in the columns that a terminal gives it: wide characters take two, combining ones none.

use ptc_lisp::escape;
use unicode_width::UnicodeWidthStr as _;

/// What stands for text that was left out.
const CUT: &str = "…";

/// Columns of a text, which stands on one line and has nothing in it that a terminal would obey.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Whether a text takes at most so many columns once it is [`shown`]. Of a long text only its beginning is looked at.
pub fn fits(text: &str, columns: usize) -> bool {
    text.len() <= most_bytes(columns) && width(&shown(text)) <= columns
}

/// The text on one line, hidden characters written out.
pub fn shown(text: &str) -> String {
    escape::line(text)
}

/// The text on one line of at most so many columns; what was left out is `…`.
pub fn cut(text: &str, columns: usize) -> String {
    // A text may have endless characters that take no column.
    let most = most_bytes(columns);
    let at = text.char_indices().map(|(i, c)| i.saturating_add(c.len_utf8())).take_while(|end| *end <= most).last();
    let head = text.get(..at.unwrap_or(0)).unwrap_or_default();
    let line = shown(head);
    if head.len() == text.len() && width(&line) <= columns {
        return line;
    }
    let room = columns.saturating_sub(width(CUT));
    let mut end = 0;
    for (i, c) in line.char_indices() {
        let next = i.saturating_add(c.len_utf8());
        if line.get(..next).is_none_or(|t| width(t) > room) {
            break;
        }
        end = next;
    }
    let kept = line.get(..end).unwrap_or_default();
    if columns == 0 { String::new() } else { format!("{kept}{CUT}") }
}

/// The same with what was left out in the middle: of an error of several lines the last words say most.
pub fn cut_inside(text: &str, columns: usize) -> String {
    if fits(text, columns) {
        return shown(text);
    }
    let head = cut(text, columns.div_euclid(3));
    let room = columns.saturating_sub(width(&head));
    let most = most_bytes(room);
    let near = text.char_indices().rev().take_while(|(i, _)| text.len().saturating_sub(*i) <= most);
    let line = shown(near.last().and_then(|(i, _)| text.get(i..)).unwrap_or_default());
    let fitting = line.char_indices().rev().take_while(|(i, _)| line.get(*i..).is_some_and(|t| width(t) <= room));
    head + fitting.last().and_then(|(i, _)| line.get(i..)).unwrap_or_default()
}

/// Prose in lines of at most so many columns, broken at blanks; a word that is longer has a line to itself. What the first line
/// begins with, all of them do.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let text = shown(&text.replace('\t', "    "));
    let blanks = text.len().saturating_sub(text.trim_start_matches(' ').len()).min(columns.div_euclid(2));
    let indent = " ".repeat(blanks);
    let (mut out, mut line, mut taken) = (Vec::new(), indent.clone(), blanks);
    for word in text.split(' ').filter(|w| !w.is_empty()) {
        let wide = width(word);
        let first = line.len() == indent.len();
        let needed = taken.saturating_add(wide).saturating_add(usize::from(!first));
        if needed > columns && !first {
            out.push(std::mem::replace(&mut line, indent.clone()));
            taken = blanks;
        } else if !first {
            line.push(' ');
            taken = taken.saturating_add(1);
        }
        line.push_str(word);
        taken = taken.saturating_add(wide);
    }
    out.push(line);
    out
}

/// Bytes of a text that may fill so many columns: more are taken by characters without any.
fn most_bytes(columns: usize) -> usize {
    columns.saturating_mul(8).saturating_add(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_characters() {
        assert_eq!((width("日本"), width("e\u{301}"), width("❤\u{fe0f}")), (4, 1, 2));
        assert_eq!(
            (cut("日本語", 6), cut("日本語", 5), cut("日本語", 4)),
            ("日本語".into(), "日本…".into(), "日…".into())
        );
        assert_eq!(
            (cut("abc", 3), cut("abcd", 3), cut("abc", 1), cut("abc", 0)),
            ("abc".into(), "ab…".into(), "…".into(), String::new())
        );
    }

    #[test]
    fn the_middle_is_left_out() {
        assert_eq!((cut_inside("abcdefghi", 9), cut_inside("abcdefghij", 9)), ("abcdefghi".into(), "ab…efghij".into()));
        assert_eq!(
            (cut_inside("日本語日本語", 9), cut_inside("abc", 1), cut_inside("abc", 0)),
            ("日…日本語".into(), "c".into(), String::new())
        );
        assert_eq!(cut_inside("a\u{1b}[2J\u{1b}b", 40), "a\\u{1b}[2J\\u{1b}b");
        let zalgo = format!("a{}b", "\u{301}".repeat(100_000));
        assert!(cut_inside(&zalgo, 10).len() < 800 && cut_inside(&zalgo, 10).ends_with('b'));
    }

    #[test]
    fn prose_is_broken_at_blanks() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("  - one two 日本", 9), ["  - one", "  two", "  日本"]);
        assert_eq!(wrap("averylongword is", 4), ["averylongword", "is"]);
        assert_eq!((wrap("", 10), wrap("a b", 0)), (vec![String::new()], vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(wrap("a\u{1b}[2J b", 20), ["a\\u{1b}[2J b"]);
    }

    #[test]
    fn nothing_moves_the_cursor_and_nothing_is_endless() {
        assert_eq!(cut("\u{1b}[2J\r\nx", 40), "\\u{1b}[2J\\u{d}\\u{a}x");
        let zalgo = format!("a{}b", "\u{301}".repeat(100_000));
        assert!(cut(&zalgo, 10).len() < 400);
        assert!(!fits(&zalgo, 10) && fits("日本", 4) && !fits("日本", 3));
    }
}
