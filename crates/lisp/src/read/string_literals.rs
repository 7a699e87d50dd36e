//! Strings, regex literals and characters, with the escapes of Clojure.

use super::error::{fault, shown};
use crate::error::{Error, ErrorKind};
use compact_str::CompactString;
use nom::bytes::complete::take_till;
use nom::{IResult, Parser};

/// How many bytes from `at` on come before one of `stops`, or the end.
fn until(source: &str, at: usize, stops: [u8; 2]) -> usize {
    let rest = source.as_bytes().get(at..).unwrap_or_default();
    let taken: IResult<&[u8], &[u8], ()> = take_till(|b| b == stops[0] || b == stops[1]).parse(rest);
    taken.map_or(0, |(_, taken)| taken.len())
}

fn slice(source: &str, from: usize, to: usize) -> &str {
    source.get(from..to).unwrap_or_default()
}

/// The string that starts at `*at`; leaves `*at` behind its closing quote. `None` when there is none.
pub fn string(source: &str, at: &mut usize) -> Result<Option<CompactString>, Error> {
    let start = *at;
    let mut from = start + 1;
    let mut out = String::new();
    loop {
        let stop = from + until(source, from, [b'"', b'\\']);
        let piece = slice(source, from, stop);
        match source.as_bytes().get(stop) {
            Some(b'"') => {
                *at = stop + 1;
                // Most strings have no escape and are copied once.
                if out.is_empty() {
                    return Ok(Some(piece.into()));
                }
                out.push_str(piece);
                return Ok(Some(out.into()));
            }
            Some(_) if stop + 1 < source.len() => {
                out.push_str(piece);
                from = stop;
                out.push(escape(source, &mut from)?);
            }
            _ => return Ok(None),
        }
    }
}

/// The pattern that starts at `*at` with `#"`: its text as it is, backslashes included. `None` when
/// it does not end.
pub fn regex(source: &str, at: &mut usize) -> Option<Box<str>> {
    let from = *at + 2;
    let mut stop = from;
    loop {
        stop += until(source, stop, [b'"', b'\\']);
        match source.as_bytes().get(stop) {
            Some(b'"') => {
                *at = stop + 1;
                return Some(slice(source, from, stop).into());
            }
            // What follows a backslash never ends the pattern; of a longer character its first byte is enough.
            Some(_) => stop += 2,
            None => return None,
        }
    }
}

/// The character that the escape at `*at` stands for; leaves `*at` behind it.
fn escape(source: &str, at: &mut usize) -> Result<char, Error> {
    let start = *at;
    let Some(kind) = slice(source, start + 1, source.len()).chars().next() else { return Ok('\\') };
    *at += 1 + kind.len_utf8();
    Ok(match kind {
        't' => '\t',
        'r' => '\r',
        'n' => '\n',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '\\' | '"' => kind,
        'u' => return unicode(source, start, at),
        '0'..='9' => {
            *at = start + 1;
            let (code, _) = digits(source, at, 8, 3)?;
            match u8::try_from(code) {
                Ok(code) => char::from(code),
                Err(_) => return Err(fault("Octal escape sequence must be in range [0, 377].", start, *at)),
            }
        }
        other => {
            let message = format!("Unsupported escape character: \\{}", other.escape_debug());
            return Err(fault(&message, start, *at).hint(format!(
                "write \\\\{0} for a backslash and {0}; a pattern is #\"\\{0}\"",
                other.escape_debug()
            )));
        }
    })
}

/// The rest of `\uXXXX`, and of the second half where it is the first half of a pair.
fn unicode(source: &str, start: usize, at: &mut usize) -> Result<char, Error> {
    if let Some(c) = slice(source, *at, source.len()).chars().next().filter(|c| !c.is_ascii_hexdigit() && *c != '"') {
        let message = format!("Invalid unicode escape: \\u{}", c.escape_debug());
        return Err(fault(&message, start, *at + c.len_utf8()).hint("write four hexadecimal digits, as in \\u00e9"));
    }
    let first = four(source, start, at)?;
    let code = match first {
        0xD800..=0xDBFF if slice(source, *at, *at + 2) == "\\u" => {
            *at += 2;
            match four(source, start, at)? {
                second @ 0xDC00..=0xDFFF => 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00),
                _ => first,
            }
        }
        _ => first,
    };
    char::from_u32(code).ok_or_else(|| {
        fault(&format!("Invalid unicode escape: \\u{first:04x} is half a surrogate pair"), start, *at)
            .hint("write both halves, as in \\ud83d\\ude00, or the character itself")
    })
}

fn four(source: &str, start: usize, at: &mut usize) -> Result<u32, Error> {
    match digits(source, at, 16, 4)? {
        (code, 4) => Ok(code),
        (_, length) => Err(fault(&format!("Invalid character length: {length}, should be: 4"), start, *at)),
    }
}

/// Up to `most` digits, and how many there were. Clojure ends them at a blank or macro character and takes offence at
/// others.
fn digits(source: &str, at: &mut usize, radix: u32, most: u32) -> Result<(u32, u32), Error> {
    let (mut code, mut length) = (0, 0);
    for c in slice(source, *at, source.len()).chars().take(most as usize) {
        match c.to_digit(radix) {
            Some(digit) => code = code * radix + digit,
            None if c.is_whitespace() || "\",;'@^`~()[]{}\\%#".contains(c) => break,
            None => return Err(fault(&format!("Invalid digit: {}", c.escape_debug()), *at, *at + c.len_utf8())),
        }
        *at += c.len_utf8();
        length += 1;
    }
    Ok((code, length))
}

/// The character that `\word` is, given without its backslash.
pub fn character(word: &str) -> Result<char, Error> {
    let mut chars = word.chars();
    let (Some(first), rest) = (chars.next(), chars.as_str()) else { return Err(unsupported(word)) };
    if rest.is_empty() {
        return Ok(first);
    }
    match word {
        "newline" => return Ok('\n'),
        "space" => return Ok(' '),
        "tab" => return Ok('\t'),
        "backspace" => return Ok('\u{8}'),
        "formfeed" => return Ok('\u{c}'),
        "return" => return Ok('\r'),
        _ => {}
    }
    let code = |radix| {
        let all = rest.chars().all(|c| c.is_digit(radix));
        u32::from_str_radix(rest, radix).ok().filter(|_| all)
    };
    match first {
        'u' if rest.len() != 4 => Err(parse(format!("Invalid unicode character: \\{}", shown(word)))
            .hint("write \\u and four hexadecimal digits")),
        'u' => match code(16) {
            Some(code) => char::from_u32(code).ok_or_else(|| parse(format!("Invalid character constant: \\{word}"))),
            None => Err(parse(format!("Invalid unicode character: \\{}", shown(word)))),
        },
        'o' if rest.len() > 3 => Err(parse(format!("Invalid octal escape sequence length: {}", rest.len()))),
        'o' => match code(8).map(u8::try_from) {
            Some(Ok(code)) => Ok(char::from(code)),
            Some(Err(_)) => Err(parse("Octal escape sequence must be in range [0, 377].".to_owned())),
            None => Err(parse(format!("Invalid digit in octal character: \\{}", shown(word)))),
        },
        _ => Err(unsupported(word)),
    }
}

fn parse(message: String) -> Error {
    Error::new(ErrorKind::Parse, message)
}

fn unsupported(word: &str) -> Error {
    parse(format!("Unsupported character: \\{}", shown(word)))
        .hint(format!("\\ begins a character, like \\a or \\newline; a string is \"{}\"", shown(word)))
}
