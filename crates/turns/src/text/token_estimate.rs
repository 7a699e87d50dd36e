//! Sizes of texts in tokens: an estimate that needs no vocabulary, so that a view is the same bytes for every model.

use ptc_history::tokens::{Counter, Seven};

/// About how many tokens a text has.
pub(crate) fn tokens(text: &str) -> u64 {
    Seven.count(text)
}

/// About how many tokens a turn takes: reply and feedback.
pub(crate) fn of_turn(reply: &str, feedback: &str) -> u64 {
    tokens(reply).saturating_add(tokens(feedback))
}

/// About the longest beginning of `text` with at most `most` tokens, searched in steps.
pub(crate) fn beginning(text: &str, most: u64) -> &str {
    let mut end = bytes(most).min(text.len());
    loop {
        end = (0..=end).rev().find(|i| text.is_char_boundary(*i)).unwrap_or(0);
        let piece = text.get(..end).unwrap_or_default();
        if tokens(piece) <= most {
            return piece;
        }
        end = shorter(end);
    }
}

/// About the longest end of `text` with at most `most` tokens.
pub(crate) fn end(text: &str, most: u64) -> &str {
    let mut len = bytes(most).min(text.len());
    loop {
        let from = text.len().saturating_sub(len);
        let from = (from..=text.len()).find(|i| text.is_char_boundary(*i)).unwrap_or(text.len());
        let piece = text.get(from..).unwrap_or_default();
        if tokens(piece) <= most {
            return piece;
        }
        len = shorter(piece.len());
    }
}

/// No text of this many tokens is longer, except for runs of blanks.
fn bytes(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(8)).unwrap_or(usize::MAX)
}

/// The next length to try.
fn shorter(len: usize) -> usize {
    len.saturating_sub((len / 8).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_hold_their_tokens_and_end_at_characters() {
        for text in
            ["", "a b c", "日本語".repeat(400).as_str(), "0123456789".repeat(900).as_str(), "é".repeat(99).as_str()]
        {
            for most in [0, 1, 7, 50, 1_000_000] {
                let (a, b) = (beginning(text, most), end(text, most));
                assert!(text.starts_with(a) && text.ends_with(b));
                assert!(tokens(a) <= most && tokens(b) <= most, "{most}: {a:?} {b:?}");
                assert!(most < 1_000_000 || (a, b) == (text, text));
                // Not far less than there is room for.
                assert!(most < 50 || a == text || tokens(a) * 4 >= most * 3, "{} of {most}", tokens(a));
            }
        }
    }
}
