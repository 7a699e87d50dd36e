//! Standard output where it is a terminal: what is written moves no cursor and hides nothing, whatever data is in it.

use ptc_lisp::escape;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Longest sequence that is looked at as a style.
const LONGEST_STYLE: usize = 24;

/// Writes text with its controls, invisible characters and bytes that are no text as escapes (SECURITY §5 b). Line ends
/// and tabs stay, and styles: bold, dim, italic, underlined and colours that are seen on black and on white. A pipe or a file gets exact bytes
/// instead, without this.
pub struct EscapedOutput<'a> {
    to: &'a mut dyn Write,
    /// What was written and cannot be judged before more of it comes: part of a character or of a style.
    rest: Vec<u8>,
}

impl<'a> EscapedOutput<'a> {
    /// What is written goes to `to`.
    pub fn new(to: &'a mut dyn Write) -> Self {
        EscapedOutput { to, rest: Vec::new() }
    }

    /// Everything that waits, as far as it can be judged; at the end all of it.
    fn send(&mut self, end: bool) -> io::Result<()> {
        let bytes = std::mem::take(&mut self.rest);
        let mut out = String::with_capacity(bytes.len());
        let mut left = bytes.as_slice();
        while !left.is_empty() {
            let (text, bad) = match std::str::from_utf8(left) {
                Ok(text) => (text, 0),
                Err(e) => {
                    let (good, _) = left.split_at(e.valid_up_to());
                    (std::str::from_utf8(good).unwrap_or_default(), e.error_len().unwrap_or(usize::MAX))
                }
            };
            // A wrong byte behind it ends what has begun.
            let taken = push_text(&mut out, text, end || (bad > 0 && bad != usize::MAX));
            left = left.get(taken..).unwrap_or_default();
            if taken < text.len() || (bad == usize::MAX && !end) {
                break;
            }
            let (wrong, more) = left.split_at(bad.min(left.len()));
            for byte in wrong {
                let _ = write!(out, "\\x{byte:02x}");
            }
            left = more;
        }
        self.rest = left.to_vec();
        self.to.write_all(out.as_bytes())
    }
}

/// Adds `text`, and says how many bytes of it: a style that has only begun waits, unless this is the end.
fn push_text(out: &mut String, text: &str, end: bool) -> usize {
    let mut at = 0_usize;
    while let Some(c) = text.get(at..).and_then(|t| t.chars().next()) {
        let left = text.get(at..).unwrap_or_default();
        let mut width = c.len_utf8();
        match (c, style(left)) {
            ('\n' | '\t', _) => out.push(c),
            ('\u{1b}', Style::Whole(len)) => {
                out.push_str(left.get(..len).unwrap_or_default());
                width = len;
            }
            ('\u{1b}', Style::Begun) if !end => return at,
            _ => escape::push(out, c),
        }
        at = at.saturating_add(width);
    }
    at
}

/// What a text that begins with an escape is.
enum Style {
    /// A style, of so many bytes.
    Whole(usize),
    /// It may become one.
    Begun,
    /// Something else.
    None,
}

fn style(text: &str) -> Style {
    let Some(rest) = text.strip_prefix('\u{1b}') else { return Style::None };
    let Some(rest) = rest.strip_prefix('[') else {
        return if rest.is_empty() { Style::Begun } else { Style::None };
    };
    let numbers = rest.len().saturating_sub(rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').len());
    let (codes, rest) = rest.split_at(numbers);
    let known = |code: &str| matches!(code.parse::<u8>(), Ok(0..=4 | 22..=24 | 31..=36 | 39 | 90..=96));
    match rest.chars().next() {
        _ if numbers > LONGEST_STYLE => Style::None,
        None => Style::Begun,
        Some('m') if codes.split(';').all(known) => Style::Whole(numbers.saturating_add(3)),
        Some(_) => Style::None,
    }
}

impl Write for EscapedOutput<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rest.extend_from_slice(bytes);
        self.send(false)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Drop for EscapedOutput<'_> {
    fn drop(&mut self) {
        let _ = self.send(true).and_then(|()| self.to.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out when `bytes` are written in pieces of this size.
    fn shown(bytes: &[u8], size: usize) -> String {
        let mut out = Vec::new();
        let mut escaped = EscapedOutput::new(&mut out);
        for piece in bytes.chunks(size) {
            escaped.write_all(piece).unwrap();
            escaped.flush().unwrap();
        }
        drop(escaped);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn data_moves_no_cursor_and_styles_stay_however_it_is_written() {
        let cases: [(&[u8], &str); 9] = [
            ("a\tb\n日本 é".as_bytes(), "a\tb\n日本 é"),
            (b"\x1b]0;PWNED\x07", "\\u{1b}]0;PWNED\\u{7}"),
            (b"\x1b[2J\x1b[1;1Hx\r", "\\u{1b}[2J\\u{1b}[1;1Hx\\u{d}"),
            (b"\x1b[1m\x1b[31;1mred\x1b[0m", "\x1b[1m\x1b[31;1mred\x1b[0m"),
            (b"\x1b[8mhidden\x1b[m", "\\u{1b}[8mhidden\\u{1b}[m"),
            ("\u{202e}\u{9b}2J".as_bytes(), "\\u{202e}\\u{9b}2J"),
            (b"\x1b[3\xff after", "\\u{1b}[3\\xff after"),
            (b"a\xffb\xe6\x97", "a\\xffb\\xe6\\x97"),
            (b"\x1b[3", "\\u{1b}[3"),
        ];
        for (bytes, expected) in cases {
            for size in [1, 2, 3, 5, 100] {
                assert_eq!(shown(bytes, size), expected, "in pieces of {size}");
            }
        }
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut out = Vec::new();
        let mut escaped = EscapedOutput::new(&mut out);
        escaped.write_all(b"\x1b[").unwrap();
        for _ in 0..1000 {
            escaped.write_all(b"1;").unwrap();
            assert!(escaped.rest.len() <= LONGEST_STYLE + 2);
        }
    }

    /// What a wrong byte has ended comes out at once, and does not wait for the end.
    #[test]
    fn what_is_ended_by_a_wrong_byte_comes_at_once() {
        let mut out = Vec::new();
        let mut escaped = EscapedOutput::new(&mut out);
        escaped.write_all(b"\x1b[3\xff after").unwrap();
        assert_eq!(escaped.rest, b"");
        drop(escaped);
    }
}
