//! Programs and values in the colours of a terminal, cut into pieces by the language's own lexer.

use crate::highlight_class::class;
use crate::terminal::columns::shown;
use crate::terminal::style::{BOLD, DIM, Style};
use anstyle::AnsiColor::{Blue, Cyan, Green, Magenta, Red, Yellow};
use ptc_lisp::read::{Highlight, highlight};

/// Longer texts are shown plain.
const LONGEST: usize = 256 * 1024;

/// A text in pieces, of which parts can be painted.
pub struct Painter<'a> {
    source: &'a str,
    pieces: Vec<Highlight>,
}

impl<'a> Painter<'a> {
    /// The pieces of this text; with `color` false, or a text that is too long, all of it is one plain piece.
    pub fn new(source: &'a str, color: bool) -> Self {
        let pieces = if color && source.len() <= LONGEST { highlight(source) } else { Vec::new() };
        Painter { source, pieces }
    }

    /// The bytes from `start` to `end`, on one line, with the styles of their pieces. Nothing in it moves the cursor.
    pub fn paint(&self, start: usize, end: usize) -> String {
        let mut out = String::new();
        let mut at = start;
        let first = self.pieces.partition_point(|p| (p.span.end as usize) <= start);
        for (i, piece) in self.pieces.iter().enumerate().skip(first) {
            let (from, to) = ((piece.span.start as usize).max(start), (piece.span.end as usize).min(end));
            if from >= end {
                break;
            }
            out.push_str(&shown(self.source.get(at..from).unwrap_or_default()));
            let style = style_of(self.source, &self.pieces, i);
            let text = shown(self.source.get(from..to).unwrap_or_default());
            out.push_str(&format!("{style}{text}{style:#}"));
            at = to;
        }
        out.push_str(&shown(self.source.get(at..end).unwrap_or_default()));
        out
    }
}

/// The style of a piece, by its place among the pieces of its source.
pub fn style_of(source: &str, pieces: &[Highlight], at: usize) -> Style {
    let Some(piece) = pieces.get(at) else { return Style::plain() };
    let before = at.checked_sub(1).and_then(|b| pieces.get(b));
    let called = before.is_some_and(|b| b.text(source).ends_with('('));
    style(class(piece.kind, piece.text(source), called))
}

/// The style of a class of the report's pages.
fn style(class: &str) -> Style {
    match class {
        "c" => DIM,
        "s" => Green.into(),
        "n" => Magenta.into(),
        "k" => Cyan.into(),
        "t" => Yellow.on_default().bold().into(),
        "x" => Blue.on_default().bold().into(),
        "f" => BOLD,
        "b" => Blue.into(),
        "w" => Red.into(),
        _ => Style::plain(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_a_program_is_painted_as_part_of_it() {
        let source = "(def s \"a\nb\")";
        let painter = Painter::new(source, true);
        let (green, dim) = (Style::from(Green), BOLD);
        assert_eq!(painter.paint(0, 9), format!("({dim}def{dim:#} s {green}\"a{green:#}"));
        assert_eq!(painter.paint(10, 13), format!("{green}b\"{green:#})"));
        assert_eq!(Painter::new(source, false).paint(0, 9), "(def s \"a");
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_out() {
        let source = "\"\u{1b}[2J\u{202e}\"";
        assert_eq!(Painter::new(source, false).paint(0, source.len()), "\"\\u{1b}[2J\\u{202e}\"");
    }
}
