//! Texts cut to a length.

use crate::escape::hidden;

/// The text on one line: consecutive blanks as one, at most `most` characters and then `…`. What is not seen counts as a
/// blank: line ends, control characters and invisible ones ([`hidden`]). Reads no more of the text than it needs.
///
/// ```
/// use ptc_text::cut::one_line;
///
/// assert_eq!(one_line("  a\n\tb  ", 10), "a b");
/// assert_eq!(one_line("abcdef", 3), "abc…");
/// assert_eq!(one_line("a\u{2060}b\u{e0041}c", 10), "a b c");
/// ```
pub fn one_line(text: &str, most: usize) -> String {
    let mut out = String::new();
    let mut count = 0_usize;
    let mut blank = false;
    for c in text.chars() {
        if c.is_whitespace() || hidden(c) {
            blank = !out.is_empty();
            continue;
        }
        let wanted = if blank { 2 } else { 1 };
        if count.saturating_add(wanted) > most {
            if most > 0 {
                out.push('…');
            }
            return out;
        }
        if std::mem::take(&mut blank) {
            out.push(' ');
        }
        out.push(c);
        count = count.saturating_add(wanted);
    }
    out
}

/// The first `most` characters of the text, and whether there are more.
///
/// ```
/// use ptc_text::cut::beginning;
///
/// assert_eq!(beginning("äbc", 2), ("äb", true));
/// assert_eq!(beginning("äb", 2), ("äb", false));
/// ```
pub fn beginning(text: &str, most: usize) -> (&str, bool) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (text.get(..end).unwrap_or(text), true),
        None => (text, false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_line_is_cut_where_it_is_too_long_and_only_there() {
        let cases = [
            ("", 5, ""),
            ("abc", 3, "abc"),
            ("abcd", 3, "abc…"),
            // Characters are counted, not bytes.
            ("äöü", 3, "äöü"),
            ("äöü", 2, "äö…"),
            // Blanks at both ends are no part of it, and no reason to cut.
            ("  abc  ", 3, "abc"),
            ("abc \n", 3, "abc"),
            ("a \t\n b", 3, "a b"),
            // No blank before what says that there is more.
            ("ab cd", 3, "ab…"),
            ("ab cd", 4, "ab c…"),
            // No room for anything, not even for that.
            ("abc", 0, ""),
            // What is not seen is a blank, also where it is all there is.
            ("a\u{1b}[31mb", 10, "a [31mb"),
            ("\u{200b}\u{2060}", 5, ""),
        ];
        for (text, most, line) in cases {
            assert_eq!(one_line(text, most), line, "{text:?} cut to {most}");
        }
    }

    #[test]
    fn a_beginning_ends_between_characters() {
        for (text, most, expected) in [
            ("", 0, ("", false)),
            ("a", 0, ("", true)),
            ("日本語", 2, ("日本", true)),
            ("日本語", 3, ("日本語", false)),
        ] {
            assert_eq!(beginning(text, most), expected, "{text:?} cut to {most}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// The same as by taking the text apart into words, which reads all of it.
        #[test]
        fn a_line_is_its_words_cut(text in "[ab \n\u{ad}\u{61c}\u{200b}\u{2028}\u{2065}\u{e0041}é]{0,40}", most in 0..20_usize) {
            let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || hidden(c)).filter(|w| !w.is_empty()).collect();
            let whole = words.join(" ");
            let (cut, more) = beginning(&whole, most);
            let expected = if more && most > 0 { format!("{}…", cut.trim_end()) } else { cut.to_owned() };
            prop_assert_eq!(one_line(&text, most), expected);
        }

        #[test]
        fn a_beginning_is_the_first_characters(text in ".{0,20}", most in 0..25_usize) {
            let all: Vec<char> = text.chars().collect();
            let expected: String = all.iter().take(most).collect();
            prop_assert_eq!(beginning(&text, most), (expected.as_str(), all.len() > most));
        }
    }
}
