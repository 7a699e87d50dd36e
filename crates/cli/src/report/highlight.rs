//! A program as numbered, coloured lines, cut into pieces by the language's own lexer.

use super::escape::html;
use crate::highlight_class::class;
use ptc_lisp::read::{HighlightKind, highlight};

/// Longer programs are shown plain.
const LONGEST: usize = 256 * 1024;
/// Characters on either side of a place that is shown alone.
const SHOWN: usize = 200;

/// The lines of a program; `wrong` is the place of its error, line and column from 1.
pub fn program(source: &str, wrong: Option<(u64, u64)>) -> String {
    let mut lines = Lines { out: String::new(), number: 0, wrong: wrong.map(|w| w.0), last: "" };
    lines.open();
    let wrong = wrong.and_then(|(line, column)| place(source, line, column));
    let cut = if source.len() > LONGEST { Vec::new() } else { highlight(source) };
    let mut at = 0;
    for (i, piece) in cut.iter().enumerate() {
        let start = piece.span.start as usize;
        lines.push(source.get(at..start).unwrap_or_default(), "", false);
        let text = piece.text(source);
        let called = i.checked_sub(1).and_then(|b| cut.get(b)).is_some_and(|b| b.text(source).ends_with('('));
        let end = piece.span.end as usize;
        lines.push(text, class(piece.kind, text, called), wrong.is_some_and(|w| start <= w && w < end));
        at = end;
    }
    lines.push(source.get(at..).unwrap_or_default(), "", false);
    lines.shut();
    lines.out.push_str("</span>");
    lines.out
}

/// A line of a program alone, the form at `column` marked; empty where there is no such line.
pub fn line(source: &str, line: u64, column: u64) -> String {
    let number = usize::try_from(line).unwrap_or(usize::MAX);
    let Some(text) = number.checked_sub(1).and_then(|n| source.lines().nth(n)) else { return String::new() };
    let column = usize::try_from(column).unwrap_or(usize::MAX).saturating_sub(1);
    let from = text.char_indices().nth(column).map_or(text.len(), |c| c.0);
    let (before, at) = text.split_at(from);
    // Of a form in brackets its beginning is what is found again.
    let cut = highlight(at);
    let opens = cut.first().is_some_and(|p| matches!(p.kind, HighlightKind::Bracket | HighlightKind::Prefix));
    let width = cut.get(usize::from(opens)).or(cut.last()).map_or(at.len(), |p| p.span.end as usize);
    let (marked, after) = at.split_at_checked(width).unwrap_or((at, ""));
    let start = before.chars().count().saturating_sub(SHOWN);
    let before: String = before.chars().skip(start).collect();
    let after_cut: String = after.chars().take(SHOWN).collect();
    format!(
        "{}{}<mark>{}</mark>{}{}",
        if start > 0 { "… " } else { "" },
        html(before.trim_start()),
        html(marked),
        html(&after_cut),
        if after_cut.len() < after.len() { " …" } else { "" }
    )
}

/// The byte at a line and column.
fn place(source: &str, line: u64, column: u64) -> Option<usize> {
    let mut at = 0_usize;
    let number = usize::try_from(line).ok()?.checked_sub(1)?;
    for text in source.split_inclusive('\n').take(number) {
        at = at.saturating_add(text.len());
    }
    let column = usize::try_from(column).ok()?.checked_sub(1)?;
    let within = source.get(at..)?.char_indices().nth(column)?.0;
    Some(at.saturating_add(within))
}

struct Lines {
    out: String,
    number: u64,
    wrong: Option<u64>,
    /// The class of the element that is open.
    last: &'static str,
}

impl Lines {
    fn open(&mut self) {
        self.number = self.number.saturating_add(1);
        self.out.push_str(if self.wrong == Some(self.number) { "<span class=\"l bad\">" } else { "<span class=l>" });
    }

    /// Ends the element that is open.
    fn shut(&mut self) {
        if !self.last.is_empty() {
            self.out.push_str("</i>");
            self.last = "";
        }
    }

    /// A piece; one of several lines is coloured line by line. Pieces of one class behind each other are one element: a
    /// page has a hundred brackets for a name.
    fn push(&mut self, text: &str, class: &'static str, marked: bool) {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.shut();
                self.out.push_str("\n</span>");
                self.open();
            }
            let line = html(line.strip_suffix('\r').unwrap_or(line));
            if line.is_empty() {
                continue;
            }
            if marked || self.last != class {
                self.shut();
                match class {
                    "" => {}
                    // Half of the pieces of a program are brackets.
                    "p" => self.out.push_str("<i>"),
                    _ => self.out.push_str(&format!("<i class={class}>")),
                }
                self.last = class;
            }
            match marked {
                true => self.out.push_str(&format!("<mark>{line}</mark>")),
                false => self.out.push_str(&line),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_coloured_and_escaped() {
        let out = program("(let [x \"</b>\"] ; hm\n  (tool/f x :a 1))", Some((2, 4)));
        assert_eq!(
            out,
            "<span class=l><i>(</i><i class=f>let</i> <i>[</i>x <i class=s>&quot;&lt;/b&gt;&quot;</i>\
             <i>]</i> <i class=c>; hm</i>\n</span><span class=\"l bad\">  <i>(</i>\
             <i class=t><mark>tool/f</mark></i> x <i class=k>:a</i> <i class=n>1</i><i>))</i></span>"
        );
    }

    #[test]
    fn strings_over_several_lines_and_what_is_refused() {
        let out = program("\"a\nb\" #<", None);
        assert!(out.contains("<i class=s>&quot;a</i>\n</span><span class=l><i class=s>b&quot;</i>"));
        assert!(out.ends_with("<i class=w>#&lt;</i></span>"), "{out}");
    }

    #[test]
    fn the_place_of_an_error_is_a_line_with_a_mark() {
        let source = "(def a 1)\n  (println (</b> a) :x)";
        assert_eq!(line(source, 2, 12), "(println <mark>(&lt;/b&gt;</mark> a) :x)");
        assert_eq!(line(source, 2, 400), "(println (&lt;/b&gt; a) :x)<mark></mark>");
        assert_eq!((line(source, 3, 1), line(source, 0, 1), line("", u64::MAX, u64::MAX)), Default::default());
        let long = format!("{}(f){}", "x ".repeat(400), " y".repeat(400));
        let shown = line(&long, 1, 801);
        assert!(shown.starts_with("… x") && shown.contains("<mark>(f</mark>)") && shown.ends_with(" …"), "{shown}");
    }
}
