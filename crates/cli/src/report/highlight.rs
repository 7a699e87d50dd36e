//! A program as numbered, coloured lines, cut into pieces by the language's own lexer.

use super::escape::html;
use crate::builtin_names;
use ptc_lisp::analyze::forms;
use ptc_lisp::read::{HighlightKind, highlight};

/// Longer programs are shown plain.
const LONGEST: usize = 256 * 1024;

/// The lines of a program; `wrong` is the line of its error, from 1.
pub fn program(source: &str, wrong: Option<u64>) -> String {
    let mut lines = Lines { out: String::new(), number: 0, wrong };
    lines.open();
    let cut = if source.len() > LONGEST { Vec::new() } else { highlight(source) };
    let mut at = 0;
    for (i, piece) in cut.iter().enumerate() {
        let start = piece.span.start as usize;
        lines.push(source.get(at..start).unwrap_or_default(), "");
        let text = piece.text(source);
        let called = i.checked_sub(1).and_then(|b| cut.get(b)).is_some_and(|b| b.text(source).ends_with('('));
        lines.push(text, class(piece.kind, text, called));
        at = piece.span.end as usize;
    }
    lines.push(source.get(at..).unwrap_or_default(), "");
    lines.out.push_str("</span>");
    lines.out
}

struct Lines {
    out: String,
    number: u64,
    wrong: Option<u64>,
}

impl Lines {
    fn open(&mut self) {
        self.number = self.number.saturating_add(1);
        self.out.push_str(if self.wrong == Some(self.number) {
            "<span class=\"l bad\">"
        } else {
            "<span class=\"l\">"
        });
    }

    /// A piece; one of several lines is coloured line by line.
    fn push(&mut self, text: &str, class: &str) {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.out.push_str("\n</span>");
                self.open();
            }
            let line = html(line.strip_suffix('\r').unwrap_or(line));
            match (class, line.is_empty()) {
                (_, true) => {}
                ("", _) => self.out.push_str(&line),
                _ => self.out.push_str(&format!("<span class=\"{class}\">{line}</span>")),
            }
        }
    }
}

/// What a piece is shown as: a class of the page's style, or none.
pub fn class(kind: HighlightKind, text: &str, called: bool) -> &'static str {
    match kind {
        HighlightKind::Comment => "c",
        HighlightKind::Text | HighlightKind::Regex | HighlightKind::Char => "s",
        HighlightKind::Number | HighlightKind::Constant => "n",
        HighlightKind::Keyword => "k",
        HighlightKind::Bracket | HighlightKind::Prefix => "p",
        HighlightKind::Wrong => "w",
        HighlightKind::Symbol if text.starts_with("tool/") => "t",
        HighlightKind::Symbol if text.starts_with("ctx/") => "x",
        HighlightKind::Symbol if called && (forms::find(text).is_some() || matches!(text, "return" | "fail")) => "f",
        HighlightKind::Symbol if called && builtin_names::find(text).is_some() => "b",
        HighlightKind::Symbol => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_coloured_and_escaped() {
        let out = program("(let [x \"</b>\"] ; hm\n  (tool/f x :a 1))", Some(2));
        assert_eq!(
            out,
            "<span class=\"l\"><span class=\"p\">(</span><span class=\"f\">let</span> <span class=\"p\">[</span>x \
             <span class=\"s\">&quot;&lt;/b&gt;&quot;</span><span class=\"p\">]</span> <span class=\"c\">; hm</span>\n\
             </span><span class=\"l bad\">  <span class=\"p\">(</span><span class=\"t\">tool/f</span> x \
             <span class=\"k\">:a</span> <span class=\"n\">1</span><span class=\"p\">)</span><span class=\"p\">)</span></span>"
        );
    }

    #[test]
    fn strings_over_several_lines_and_what_is_refused() {
        let out = program("\"a\nb\" ~", None);
        assert!(
            out.contains("<span class=\"s\">&quot;a</span>\n</span><span class=\"l\"><span class=\"s\">b&quot;</span>")
        );
        assert!(out.ends_with("<span class=\"w\">~</span></span>"), "{out}");
    }
}
