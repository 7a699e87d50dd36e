//! Classes of bytes and characters, as bits, so that one look-up answers every question about a byte.

/// Is between tokens.
pub(super) const BLANK: u8 = 1;
/// Ends a name or a number.
pub(super) const ENDS: u8 = 2;
/// Ends a number only: Clojure's macro characters that may be inside a name.
pub(super) const MACRO: u8 = 4;
/// Divides names.
pub(super) const COLON_OR_SLASH: u8 = 8;
/// Not a character that one could see; or outside ASCII, where a closer look is due.
pub(super) const ODD: u8 = 16;
/// Begins a symbol that is nothing else, if what follows is as plain.
pub(super) const LETTER: u8 = 32;

#[allow(clippy::indexing_slicing)] // at compile time
const CLASS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b' ' | b',' | b'\t'..=b'\r' | 0x1c..=0x1f => BLANK | ENDS,
            b'"' | b';' | b'@' | b'^' | b'`' | b'~' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'\\' => ENDS,
            b'#' | b'\'' | b'%' => MACRO,
            b':' | b'/' => COLON_OR_SLASH,
            0..=0x1f | 0x7f..=0xff => ODD,
            b'0'..=b'9' | b'+' | b'-' | b'.' => 0,
            _ => LETTER,
        };
        byte += 1;
    }
    table
};

#[inline]
#[allow(clippy::indexing_slicing)] // a byte cannot be past 256 entries
pub(super) fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

/// Blanks beyond ASCII: what `Character/isWhitespace` says, and the byte order mark.
pub(super) fn is_wide_blank(c: char) -> bool {
    c == '\u{feff}' || (!c.is_ascii() && c.is_whitespace() && !is_invisible(c))
}

/// Characters that look like a blank or like nothing: in a name they could only mislead.
pub(super) fn is_invisible(c: char) -> bool {
    let tricks = matches!(c, '\u{a0}' | '\u{ad}' | '\u{2007}' | '\u{202f}' | '\u{200b}'..='\u{200f}');
    tricks || c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}')
}
