//! JSON text that other programs wrote, as it can be read: what only encodings break is replaced, and nothing else.

use std::borrow::Cow;

/// The text without a byte order mark; bytes that are no UTF-8, and halves of surrogate pairs, are U+FFFD.
pub(crate) fn readable(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => whole_pairs(text),
        Cow::Owned(text) => Cow::Owned(whole_pairs(&text).into_owned()),
    }
}

/// Whether it is UTF-16, as some consoles write it.
pub(crate) fn is_utf16(bytes: &[u8]) -> bool {
    let zero = |at: usize| bytes.get(at).map(|b| *b == 0);
    let zeros = [zero(0), zero(1), zero(2), zero(3)].map(|z| z == Some(true));
    bytes.starts_with(&[0xff, 0xfe])
        || bytes.starts_with(&[0xfe, 0xff])
        || matches!(zeros, [true, false, true, false] | [false, true, false, true])
}

/// Escapes like `\ud83d` that are half of a pair are U+FFFD.
fn whole_pairs(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut done, mut at) = (0_usize, 0_usize);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let from = at.saturating_add(found);
        at = match code(text, from) {
            None => from.saturating_add(2),
            Some(0xd800..=0xdbff) if matches!(code(text, from.saturating_add(6)), Some(0xdc00..=0xdfff)) => {
                from.saturating_add(12)
            }
            Some(0xd800..=0xdfff) => {
                out.push_str(text.get(done..from).unwrap_or_default());
                out.push_str("\\ufffd");
                done = from.saturating_add(6);
                done
            }
            Some(_) => from.saturating_add(6),
        };
        // Behind a backslash there may be a character of several bytes, or nothing.
        while at < text.len() && !text.is_char_boundary(at) {
            at = at.saturating_add(1);
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(done..).unwrap_or_default());
    Cow::Owned(out)
}

/// The code of the escape `\uXXXX` at a byte.
fn code(text: &str, at: usize) -> Option<u32> {
    let digits = text.get(at..at.saturating_add(6))?.strip_prefix("\\u")?;
    digits.bytes().all(|b| b.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_encodings_break_is_replaced() {
        for (bytes, expected) in [
            (&b"{\"a\": 1}"[..], "{\"a\": 1}"),
            (b"\xef\xbb\xbf{}", "{}"),
            (b"\"\\ud83d\"", "\"\\ufffd\""),
            (b"\"\\uDE00\\ud83d\\ude00\\ud83d\\n\"", "\"\\ufffd\\ud83d\\ude00\\ufffd\\n\""),
            (b"\"\\ud83d\\ud83d\\ude00\"", "\"\\ufffd\\ud83d\\ude00\""),
            (b"\"\\\\ud83d \\u00e9\"", "\"\\\\ud83d \\u00e9\""),
            (b"\"\\\xc3\xa9\\ud83d", "\"\\\u{e9}\\ufffd"),
            (b"\"caf\xe9\"", "\"caf\u{fffd}\""),
            (b"\\", "\\"),
            (b"\\ud83", "\\ud83"),
        ] {
            assert_eq!(readable(bytes), expected);
        }
        assert!(is_utf16(b"\xff\xfe{\0") && is_utf16(b"{\0\"\0") && !is_utf16(b"{\"a\"") && !is_utf16(b"{"));
    }
}
