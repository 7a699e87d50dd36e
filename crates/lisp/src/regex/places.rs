//! Places in a text: the characters around them, and what must be so there.

use crate::value::program::Assertion;

/// The character at a byte and where the next one is.
#[inline]
pub fn decode(text: &str, at: u32) -> Option<(char, u32)> {
    let at = at as usize;
    let first = *text.as_bytes().get(at)?;
    if first < 128 {
        return Some((char::from(first), at as u32 + 1));
    }
    let c = text.get(at..)?.chars().next()?;
    Some((c, (at + c.len_utf8()) as u32))
}

/// The character before a byte.
pub fn before(text: &str, at: u32) -> Option<char> {
    let byte = *text.as_bytes().get((at as usize).checked_sub(1)?)?;
    if byte < 128 { Some(char::from(byte)) } else { text.get(..at as usize)?.chars().next_back() }
}

/// Where the character before a byte begins.
pub fn step_back(text: &str, at: u32) -> Option<u32> {
    before(text, at).map(|c| at - c.len_utf8() as u32)
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_unicode_word(c: Option<char>) -> bool {
    c.is_some_and(|c| regex_syntax::try_is_word_character(c).unwrap_or(false))
}

/// Whether a character ends a line.
pub fn ends_line(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether `assertion` holds at a byte; the match before has ended at `last_match`.
pub fn holds(assertion: Assertion, text: &str, at: u32, last_match: u32) -> bool {
    let rest = || text.get(at as usize..).unwrap_or_default();
    let last = before(text, at);
    let next = decode(text, at).map(|(c, _)| c);
    match assertion {
        Assertion::Begin => at == 0,
        Assertion::End => next.is_none(),
        Assertion::LastLineEnd => match next {
            None => true,
            Some('\n') if last == Some('\r') => false,
            Some(c) => ends_line(c) && (rest().len() == c.len_utf8() || rest() == "\r\n"),
        },
        Assertion::UnixLastLineEnd => matches!(rest(), "" | "\n"),
        Assertion::LineBegin => match (last, next) {
            (_, None) | (Some('\r'), Some('\n')) => false,
            (last, _) => last.is_none_or(ends_line),
        },
        Assertion::UnixLineBegin => next.is_some() && matches!(last, None | Some('\n')),
        Assertion::LineEnd => match next {
            Some('\n') => last != Some('\r'),
            next => next.is_none_or(ends_line),
        },
        Assertion::UnixLineEnd => matches!(next, None | Some('\n')),
        Assertion::Word => is_word(last) != is_word(next),
        Assertion::NotWord => is_word(last) == is_word(next),
        Assertion::UnicodeWord => is_unicode_word(last) != is_unicode_word(next),
        Assertion::NotUnicodeWord => is_unicode_word(last) == is_unicode_word(next),
        Assertion::LastMatch => at == last_match,
    }
}
