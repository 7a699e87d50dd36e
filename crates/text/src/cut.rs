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

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_line_is_one_line_of_its_length(text in "[a \n\u{ad}\u{61c}\u{200b}\u{2028}\u{2065}\u{e0041}é]{0,40}", most in 0..20_usize) {
            let line = one_line(&text, most);
            prop_assert!(line.chars().count() <= most + usize::from(most > 0), "{line:?}");
            prop_assert!(!line.chars().any(hidden) && !line.contains("  "), "{line:?}");
            // What fits is not cut again.
            prop_assert_eq!(one_line(&one_line(&text, usize::MAX), usize::MAX), one_line(&text, usize::MAX));
        }
    }
}
