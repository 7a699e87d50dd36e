//! Where in a program a character is, and what models and editors slip into one.

use ptc_lisp::escape;

/// Where the next character of a program is, as the reader of the language sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    #[default]
    Code,
    /// After a backslash in code: of `\"`, `\;`, `\“`.
    Literal,
    Comment,
    /// Between plain quotes, of a string or a regex.
    Text,
    /// After a backslash there.
    TextEscape,
    /// In a string that a typographic quote opened: such a quote ends it as well.
    Typographic,
    /// After a backslash there.
    TypographicEscape,
}

impl Place {
    /// The place behind `c`.
    pub(super) fn after(self, c: char) -> Place {
        match (self, c) {
            (Place::Code, '\\') => Place::Literal,
            (Place::Code, '"') => Place::Text,
            (Place::Code, ';') => Place::Comment,
            (Place::Code, '\u{201c}' | '\u{201d}' | '\u{201e}') => Place::Typographic,
            (Place::Comment, '\n') | (Place::Literal, _) | (Place::Text, '"') => Place::Code,
            (Place::Typographic, '"' | '\u{201c}' | '\u{201d}') => Place::Code,
            (Place::Text, '\\') => Place::TextEscape,
            (Place::TextEscape, _) => Place::Text,
            (Place::Typographic, '\\') => Place::TypographicEscape,
            (Place::TypographicEscape, _) => Place::Typographic,
            (place, _) => place,
        }
    }

    /// Whether a string is open.
    pub(super) fn in_string(self) -> bool {
        !matches!(self, Place::Code | Place::Literal | Place::Comment)
    }
}

/// Removes what editors and models slip into code: byte order marks, zero-width characters and typographic quotes.
/// Strings, comments, character literals and regexes are unchanged.
pub fn mend(program: &str) -> String {
    let mut out = String::with_capacity(program.len());
    let mut place = Place::Code;
    for c in program.chars() {
        match (place, c) {
            (Place::Code, '\u{201c}' | '\u{201d}' | '\u{201e}') | (Place::Typographic, '\u{201c}' | '\u{201d}') => {
                out.push('"');
            }
            (Place::Code, '\u{2018}' | '\u{2019}') => out.push('\''),
            (Place::Code, c) if escape::hidden(c) && !c.is_ascii() => {}
            (_, c) => out.push(c),
        }
        place = place.after(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mending_knows_strings_comments_characters_and_regexes() {
        for (text, expected) in [
            ("\u{feff}(a\u{200b} b)", "(a b)"),
            ("(println “hello”)", "(println \"hello\")"),
            ("(map ‘a ’b)", "(map 'a 'b)"),
            ("(str \"“x” \u{200b}\" “y”)", "(str \"“x” \u{200b}\" \"y\")"),
            ("(str \"a\\\"“\" ’x)", "(str \"a\\\"“\" 'x)"),
            ("[\\“ \\\" “b”]", "[\\“ \\\" \"b\"]"),
            ("; “note”\n(“a”)", "; “note”\n(\"a\")"),
            ("(re-find #\"“\\\"\" ’x)", "(re-find #\"“\\\"\" 'x)"),
            ("(f “a\" 1)", "(f \"a\" 1)"),
            ("(f\t1\r\n)", "(f\t1\r\n)"),
        ] {
            assert_eq!(mend(text), expected, "{text}");
        }
    }
}
