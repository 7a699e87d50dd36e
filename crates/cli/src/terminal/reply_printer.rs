//! A model's reply as it comes, line by line: its program highlighted, all else dim.

use crate::terminal::columns::wrap;
use crate::terminal::highlight::Painter;
use crate::terminal::io::DIM;
use ptc_turns::session::reply::{Part, PartReader};

/// Most of a program that is painted as one: longer ones are painted in parts.
const PART: usize = 16 * 1024;
/// A line that is longer is shown in parts.
const LONGEST_LINE: usize = 4096;
/// What stands before each line.
const INDENT: &str = "  ";

/// Takes a reply in pieces and gives back its lines.
#[derive(Default)]
pub struct ReplyPrinter {
    /// What came of the last line.
    line: String,
    /// The program's lines so far, or its last part.
    program: String,
    reader: PartReader,
    /// Whether the block that is open, if one is, holds a program.
    in_program: bool,
    /// Whether anything was shown.
    told: bool,
}

impl ReplyPrinter {
    /// Whether lines of the reply were shown.
    pub fn told(&self) -> bool {
        self.told
    }

    /// Whether anything has come, shown or not.
    pub fn has_begun(&self) -> bool {
        self.told || !self.line.is_empty()
    }

    /// The lines that are complete with this piece, with styles, each ended; prose is broken to so many columns.
    pub fn push(&mut self, piece: &str, columns: usize) -> String {
        let mut out = String::new();
        for part in piece.split_inclusive('\n') {
            self.line.push_str(part);
            if part.ends_with('\n') || self.line.len() > LONGEST_LINE {
                self.end_line(&mut out, columns);
            }
        }
        out
    }

    /// What is left of the last line.
    pub fn finish(&mut self, columns: usize) -> String {
        let mut out = String::new();
        if !self.line.is_empty() {
            self.end_line(&mut out, columns);
        }
        let told = self.told;
        *self = ReplyPrinter { told, ..ReplyPrinter::default() };
        out
    }

    fn end_line(&mut self, out: &mut String, columns: usize) {
        let line = std::mem::take(&mut self.line);
        // What of the line is dim, and what is code; the line's end is in neither.
        let (mut prose, mut code) = (None::<String>, None::<String>);
        let ReplyPrinter { reader, in_program, program, .. } = self;
        reader.line(&line, &mut |part| {
            let shown = match part {
                Part::Opens(_, _, true) => {
                    *in_program = true;
                    program.clear();
                    return;
                }
                Part::Closes(_) if *in_program => {
                    *in_program = false;
                    return;
                }
                Part::NotBare => return,
                Part::Program(_) | Part::Bare(_) => &mut code,
                _ => {
                    *in_program &= !matches!(part, Part::EndsDraft(_));
                    &mut prose
                }
            };
            shown.get_or_insert_default().push_str(part.text().trim_end_matches(['\n', '\r']));
        });
        if let Some(prose) = prose.filter(|p| self.told || !p.trim().is_empty()) {
            for shown in wrap(prose.trim_end(), columns.saturating_sub(INDENT.len())) {
                out.push_str(&if shown.is_empty() { "\n".into() } else { format!("{INDENT}{DIM}{shown}{DIM:#}\n") });
            }
        }
        if let Some(code) = code {
            if self.program.len() > PART {
                self.program.clear();
            }
            let start = self.program.len();
            self.program.push_str(&code);
            let shown = Painter::new(&self.program, true).paint(start, self.program.len());
            self.program.push('\n');
            out.push_str(&format!("{}\n", format!("{INDENT}{shown}").trim_end()));
        }
        self.told |= !out.is_empty();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&str]) -> String {
        let mut printer = ReplyPrinter::default();
        let mut out: String = pieces.iter().map(|p| printer.push(p, 80)).collect();
        out.push_str(&printer.finish(80));
        anstream::adapter::strip_str(&out).to_string()
    }

    #[test]
    fn lines_come_whole_however_they_are_cut() {
        let reply = "I count.\n```clojure\n(def s \"a\n  b\")\n(return s)\n```\nDone";
        let want = "  I count.\n  (def s \"a\n    b\")\n  (return s)\n  Done\n";
        assert_eq!(shown(&[reply]), want);
        for at in (0..=reply.len()).filter(|at| reply.is_char_boundary(*at)) {
            assert_eq!(shown(&[&reply[..at], &reply[at..]]), want, "cut at {at}");
        }
        assert_eq!(shown(&["\n(+ 1 2)\n(+ 3 4)"]), "  (+ 1 2)\n  (+ 3 4)\n");
        // Blocks are those that the reply is read by.
        let reply = "<think>Draft:\n```clj\n(a)\n```\n</think>\n~~~\n(b\n```\n)\n~~~\n```json\n1\n```";
        assert_eq!(
            shown(&[reply]),
            "  <think>Draft:\n  ```clj\n  (a)\n  ```\n  </think>\n  (b\n  ```\n  )\n  ```json\n  1\n  ```\n"
        );
    }

    /// A reply of one line that came in pieces is not pushed again when it is whole.
    #[test]
    fn what_has_come_has_begun() {
        let mut printer = ReplyPrinter::default();
        assert!(!printer.has_begun());
        assert_eq!(printer.push("(def a 1)", 80), "");
        assert!(printer.has_begun() && !printer.told());
        assert_eq!(anstream::adapter::strip_str(&printer.finish(80)).to_string(), "  (def a 1)\n");
    }

    #[test]
    fn a_string_over_two_lines_has_its_colour_on_both() {
        let mut printer = ReplyPrinter::default();
        let first = printer.push("(def s \"a\n", 80);
        let second = printer.push("b\")\n", 80);
        let green = crate::terminal::style::Style::from(anstyle::AnsiColor::Green);
        assert!(first.contains(&format!("{green}\"a{green:#}")) && second.contains(&format!("{green}b\"{green:#}")));
    }

    #[test]
    fn nothing_moves_the_cursor_and_nothing_is_held_without_end() {
        assert_eq!(shown(&["look \u{1b}[2J\u{202e}\rhere"]), "  look \\u{1b}[2J\\u{202e}\\u{d}here\n");
        assert_eq!(shown(&["```\n(str \"\u{1b}[2J\")\n```"]), "  (str \"\\u{1b}[2J\")\n");
        let mut printer = ReplyPrinter::default();
        for _ in 0..1000 {
            printer.push(&"x".repeat(1000), 80);
            assert!(printer.line.len() <= LONGEST_LINE + 1000);
        }
        let mut printer = ReplyPrinter::default();
        printer.push("```\n", 80);
        // Long lines, since all of a part is coloured again with each: five times as much as a part may hold.
        let line = format!("(f{})\n", " 1".repeat(100));
        let mut most = 0;
        for _ in 0..5 * PART / line.len() {
            printer.push(&line, 80);
            most = most.max(printer.program.len());
        }
        assert!(most > PART / 2 && most <= PART + 2 * line.len(), "{most}");
    }
}
