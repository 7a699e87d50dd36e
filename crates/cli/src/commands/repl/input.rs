//! What was typed: whether it is whole, and whether it is a command beside the language.

use ptc_lisp::error::ErrorKind;
use ptc_lisp::form::{Form, Kind};
use ptc_lisp::limits::Limits;
use ptc_lisp::read::{HighlightKind, highlight, read};

/// The commands, and what each does.
pub const COMMANDS: &[(&str, &str)] = &[
    (":help", "this list"),
    (":tools", "the tools, with their parameters"),
    (":inputs", "the inputs, with their types"),
    (":limits", "the limits of a turn"),
    (":all", "the whole of *1, which was cut"),
    (":reset", "forget all that was done here"),
    (":quit", "end, as exit, quit, :q and Ctrl-D do"),
];

/// The command that an input is; `:other` is a keyword of the language.
pub fn command(input: &str) -> Option<&'static str> {
    COMMANDS.iter().map(|c| c.0).find(|name| *name == input.trim())
}

/// The word of an input of one word, which may be in parentheses: `exit`, `(exit)`.
fn only_word(input: &str) -> &str {
    let word = input.trim();
    word.strip_prefix('(').and_then(|w| w.strip_suffix(')')).unwrap_or(word).trim()
}

/// Whether an input is how other REPLs are left, unless the program has such a name.
pub fn leaves(input: &str, is_defined: impl Fn(&str) -> bool) -> bool {
    match only_word(input) {
        word @ ("exit" | "quit") => !is_defined(word),
        ":q" | ":exit" => input.trim().starts_with(':'),
        _ => false,
    }
}

/// What to type instead of an input that is a command elsewhere, and was no name here.
pub fn instead(input: &str, error: ErrorKind) -> Option<&'static str> {
    match only_word(input) {
        "help" | "?" if error == ErrorKind::Name => {
            Some("hint: :help lists what there is, (doc f) tells of a function")
        }
        _ => None,
    }
}

/// The name that `(source name)` asks for.
pub fn source_of(input: &str, limits: &Limits) -> Option<String> {
    let forms = read(input, limits).ok()?;
    let [Form { kind: Kind::List(items), .. }] = forms.as_slice() else { return None };
    let [first, second] = items.as_slice() else { return None };
    match (&first.kind, &second.kind) {
        (Kind::Symbol(source), Kind::Symbol(name)) if source.text() == "source" => Some(name.text()),
        _ => None,
    }
}

/// Lines on their way to an input: which brackets are open. Each line is looked at once.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    open: Vec<u8>,
    /// Inside a string or regex that began on a line before.
    text: bool,
    /// Behind `'` and the like, which wait for a form.
    prefix: bool,
    /// Something else than blanks and comments was seen.
    seen: bool,
    /// A bracket does not fit: the reader will say which.
    wrong: bool,
}

impl Reading {
    /// What it is after a whole text.
    pub fn of(text: &str) -> Self {
        let mut reading = Reading::default();
        text.split_inclusive('\n').for_each(|line| reading.line(line));
        reading
    }

    /// Takes a line, its end included.
    pub fn line(&mut self, line: &str) {
        let line = match self.text {
            true => match closing_quote(line) {
                Some(end) => {
                    self.text = false;
                    line.get(end..).unwrap_or_default()
                }
                None => return,
            },
            false => line,
        };
        for piece in highlight(line) {
            let cut = piece.text(line);
            self.seen |= piece.kind != HighlightKind::Comment;
            match piece.kind {
                HighlightKind::Comment => continue,
                HighlightKind::Bracket => self.bracket(cut),
                HighlightKind::Text | HighlightKind::Regex => {
                    let inside = cut.find('"').and_then(|at| cut.get(at.saturating_add(1)..)).unwrap_or_default();
                    self.text = closing_quote(inside).is_none();
                }
                _ => {}
            }
            self.prefix = piece.kind == HighlightKind::Prefix;
        }
    }

    fn bracket(&mut self, cut: &str) {
        let last = cut.bytes().last().unwrap_or_default();
        let opening = match last {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            open => return self.open.push(open),
        };
        self.wrong |= self.open.pop() != Some(opening);
    }

    /// Whether there is nothing to run.
    pub fn is_blank(&self) -> bool {
        !self.seen && !self.text
    }

    /// Whether more lines belong to it.
    pub fn is_open(&self) -> bool {
        !self.wrong && (self.text || self.prefix || !self.open.is_empty())
    }
}

/// Where the text behind the quote begins that ends a string.
fn closing_quote(text: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, b) in text.bytes().enumerate() {
        if b == b'"' && !escaped {
            return Some(at.saturating_add(1));
        }
        escaped = b == b'\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_whole_when_its_brackets_and_strings_are_closed() {
        for (text, open) in [
            ("(+ 1 2)\n", false),
            ("(+ 1\n", true),
            ("(+ 1\n2)\n", false),
            ("\"a\n", true),
            ("\"a\nb\"\n", false),
            ("\"a \\\"\n", true),
            ("\"a \\\\\"\n", false),
            ("(str \"(\" \\( \"a\nb)\" ; (\n)\n", false),
            ("#\"a\n", true),
            ("#\"a\nb\"\n", false),
            ("'\n", true),
            ("'\nx\n", false),
            ("#(inc %\n", true),
            ("#{1 2\n}\n", false),
            ("x\n", false),
            // What can never be closed is the reader's to report.
            (")\n", false),
            ("(]\n", false),
            ("(\n]\n", false),
        ] {
            assert_eq!(Reading::of(text).is_open(), open, "{text:?}");
            assert!(!Reading::of(text).is_blank(), "{text:?}");
        }
        for text in ["", "\n", "  ; comment (\n", ",,\n"] {
            assert!(Reading::of(text).is_blank() && !Reading::of(text).is_open(), "{text:?}");
        }
    }

    #[test]
    fn the_ways_of_other_repls_out_are_taken_unless_the_program_has_the_name() {
        for way in ["exit", "quit", "(exit)", "( quit )", " exit \n", ":q", ":exit"] {
            assert!(leaves(way, |_| false), "{way}");
        }
        for other in ["(exit 1)", "exits", "(:q)", "[exit]", "(exit) 1", "\"exit\"", ""] {
            assert!(!leaves(other, |_| false), "{other}");
        }
        assert!(!leaves("(exit)", |name| name == "exit") && leaves("quit", |name| name == "exit"));
    }

    #[test]
    fn commands_and_source_are_told_from_programs() {
        assert_eq!((command(" :help\n"), command(":other"), command("(:help x)")), (Some(":help"), None, None));
        let source = |text| source_of(text, &Limits::default());
        assert_eq!(source("(source f)"), Some("f".to_owned()));
        assert_eq!(source("(source tool/x) ; why"), Some("tool/x".to_owned()));
        for other in ["(source)", "(source \"f\")", "(source f) 1", "(list source f)", "(source"] {
            assert_eq!(source(other), None, "{other}");
        }
    }
}
