//! Texts as bytes: `.getBytes`, `String.` of an array, and the charsets that both know.

use super::bytes;
use crate::builtins::args::{get, int, put, take};
use crate::builtins::arrays;
use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::text;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::boxed::{ArrayKind, Place};
use crate::value::{Builtin, Str, Symbol, Value};

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(
        "String.",
        "| s | s charset | chars offset count | bytes offset count charset",
        "The string itself, or the text of an array of characters or of bytes in UTF-8 or another charset.",
        &[
            ("(String. \"ab\")", "\"ab\""),
            ("(String. (char-array [\\a \\b]))", "\"ab\""),
            ("(String. (.getBytes \"é\") \"UTF-8\")", "\"é\""),
        ],
        &Body(string),
    ),
    Builtin::new(
        ".getBytes",
        "s | s charset",
        "The bytes of a string from -128 to 127, as an array: in UTF-8, or in the charset of a name or constant, as StandardCharsets/UTF_16.",
        &[
            ("(vec (.getBytes \"aé\"))", "[97 -61 -87]"),
            ("(vec (.getBytes \"é\" \"ISO-8859-1\"))", "[-23]"),
            ("(.getBytes \"a\" \"EBCDIC\")", "!EBCDIC"),
        ],
        &Body(bytes_of),
    ),
    Builtin::new(
        "Charset/forName",
        "name",
        "The charset of this name, for .getBytes and String.",
        &[("(str (java.nio.charset.Charset/forName \"utf-8\"))", "\"UTF-8\"")],
        &Body(|_, a| {
            let name = crate::builtins::args::str(a, 0)?;
            let found = named(name.as_str(), "UnsupportedCharsetException")?;
            Ok(Value::Symbol(Symbol::new(None, found.name())))
        }),
    ),
    Builtin::new(
        "Charset/defaultCharset",
        "",
        "The charset that is taken where none is named: UTF-8.",
        &[("(str (java.nio.charset.Charset/defaultCharset))", "\"UTF-8\"")],
        &Body(|_, _| Ok(Value::Symbol(Symbol::new(None, Charset::Utf8.name())))),
    ),
];

/// How characters are written as bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// The one that is taken where none is named.
    Utf8,
    /// A byte a character, up to 255.
    Latin1,
    /// A byte a character, up to 127.
    Ascii,
    /// With a mark in front that says which byte of two comes first.
    Utf16,
    /// The higher byte of two first.
    Utf16Be,
    /// The lower byte of two first.
    Utf16Le,
}

impl Charset {
    const fn name(self) -> &'static str {
        match self {
            Charset::Utf8 => "UTF-8",
            Charset::Latin1 => "ISO-8859-1",
            Charset::Ascii => "US-ASCII",
            Charset::Utf16 => "UTF-16",
            Charset::Utf16Be => "UTF-16BE",
            Charset::Utf16Le => "UTF-16LE",
        }
    }
}

/// The charset of a name, as Java knows it by.
fn named(name: &str, class: &'static str) -> Result<Charset> {
    Ok(match name.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" => Charset::Utf8,
        "iso-8859-1" | "iso8859-1" | "iso8859_1" | "iso_8859-1" | "iso_8859_1" | "latin1" | "l1" => Charset::Latin1,
        "us-ascii" | "ascii" | "ascii7" | "iso646-us" => Charset::Ascii,
        "utf-16" | "utf16" | "utf_16" => Charset::Utf16,
        "utf-16be" | "utf_16be" => Charset::Utf16Be,
        "utf-16le" | "utf_16le" => Charset::Utf16Le,
        _ => {
            let words = crate::error::cut(name.into(), 80);
            return Err(Interrupt::throw(class, ErrorKind::Value, words)
                .hint("the charsets are UTF-8, ISO-8859-1, US-ASCII, UTF-16, UTF-16BE and UTF-16LE"));
        }
    })
}

/// The charset of an argument; UTF-8 where there is none.
///
/// # Errors
/// When it is none.
pub fn charset(a: &[Value], i: usize) -> Result<Charset> {
    match a.get(i) {
        None => Ok(Charset::Utf8),
        Some(Value::Str(s)) => named(s.as_str(), "UnsupportedEncodingException"),
        // What a constant of StandardCharsets is.
        Some(Value::Symbol(s)) => named(s.name(), "UnsupportedEncodingException"),
        Some(other) => Err(Interrupt::argument(i, "a charset", other).hint("\"UTF-8\" or StandardCharsets/UTF_8")),
    }
}

/// The charset that a constant of `StandardCharsets` stands for.
pub fn constant(name: &str) -> Option<Value> {
    let found = match name {
        "UTF_8" => Charset::Utf8,
        "ISO_8859_1" => Charset::Latin1,
        "US_ASCII" => Charset::Ascii,
        "UTF_16" => Charset::Utf16,
        "UTF_16BE" => Charset::Utf16Be,
        "UTF_16LE" => Charset::Utf16Le,
        _ => return None,
    };
    Some(Value::Symbol(Symbol::new(None, found.name())))
}

fn bytes_of(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = text(h, a, 0)?.clone();
    let wanted = charset(a, 1)?;
    let n = s.as_str().len() as u64;
    h.charge(n)?;
    h.reserve(n)?;
    bytes::array(h, &encoded(s.as_str(), wanted))
}

/// A text as bytes; a character that the charset has not is a question mark.
pub fn encoded(s: &str, charset: Charset) -> Vec<u8> {
    let byte = |c: char, past: u32| u8::try_from(u32::from(c)).ok().filter(|_| u32::from(c) < past).unwrap_or(b'?');
    let units = |order: fn(u16) -> [u8; 2]| s.encode_utf16().flat_map(order);
    match charset {
        Charset::Utf8 => s.as_bytes().to_vec(),
        Charset::Latin1 => s.chars().map(|c| byte(c, 256)).collect(),
        Charset::Ascii => s.chars().map(|c| byte(c, 128)).collect(),
        // Nothing has no mark.
        Charset::Utf16 if s.is_empty() => Vec::new(),
        Charset::Utf16 => [0xfe, 0xff].into_iter().chain(units(u16::to_be_bytes)).collect(),
        Charset::Utf16Be => units(u16::to_be_bytes).collect(),
        Charset::Utf16Le => units(u16::to_le_bytes).collect(),
    }
}

/// The text that bytes are in a charset; what is none becomes the character for that.
pub fn decoded(bytes: Vec<u8>, charset: Charset) -> String {
    let units = |bytes: &[u8], order: fn([u8; 2]) -> u16| {
        let pairs = bytes.chunks_exact(2);
        let odd = !pairs.remainder().is_empty();
        let units: Vec<u16> = pairs.filter_map(|p| Some(order([*p.first()?, *p.get(1)?]))).collect();
        // Java takes half a pair and what follows it for one character that is none.
        let mut text = String::with_capacity(units.len());
        let mut rest = units.as_slice();
        while let [first, more @ ..] = rest {
            rest = more;
            match (first, more) {
                (0xd800..0xdc00, [second, more @ ..]) => {
                    let pair = char::decode_utf16([*first, *second]).next().and_then(std::result::Result::ok);
                    text.push(pair.unwrap_or(char::REPLACEMENT_CHARACTER));
                    rest = more;
                }
                _ => text.push(char::from_u32(u32::from(*first)).unwrap_or(char::REPLACEMENT_CHARACTER)),
            }
        }
        if odd {
            text.push(char::REPLACEMENT_CHARACTER);
        }
        text
    };
    match charset {
        Charset::Utf8 => String::from_utf8_lossy(&bytes).into_owned(),
        Charset::Latin1 => bytes.into_iter().map(char::from).collect(),
        Charset::Ascii => {
            bytes.into_iter().map(|b| if b < 128 { char::from(b) } else { char::REPLACEMENT_CHARACTER }).collect()
        }
        Charset::Utf16 => match bytes.as_slice() {
            [0xff, 0xfe, rest @ ..] => units(rest, u16::from_le_bytes),
            [0xfe, 0xff, rest @ ..] => units(rest, u16::from_be_bytes),
            all => units(all, u16::from_be_bytes),
        },
        Charset::Utf16Be => units(&bytes, u16::from_be_bytes),
        Charset::Utf16Le => units(&bytes, u16::from_le_bytes),
    }
}

fn string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    match get(a, 0) {
        _ if a.is_empty() => Ok(Value::str("")),
        Value::Place(id) if id.place().array().is_some() => of_array(h, a),
        Value::Builder(id) => {
            let id = *id;
            super::builder_text::text(h, id).map(Value::Str)
        }
        _ => {
            crate::builtins::args::str(a, 0)?;
            Ok(take(a, 0))
        }
    }
}

/// The text of an array of characters, or of bytes in UTF-8 or the charset that is the last argument.
///
/// # Errors
/// When it is another array.
pub fn of_array(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let mut all = arrays::items::items(h, get(a, 0), 0)?;
    h.charge(all.len() as u64 / 2)?;
    h.reserve(all.len() as u64 * 8)?;
    let wanted = if matches!(a.len(), 2 | 4) { charset(a, a.len() - 1)? } else { Charset::Utf8 };
    if a.len() > 2 {
        let (from, n) = (int(a, 1)?, int(a, 2)?);
        let (from, to) = arrays::items::range(&[Value::int(from), Value::int(from.saturating_add(n))], 0, all.len())?;
        all = all.slice(from, to);
    }
    let char_of = |v: &Value| if let Value::Char(c) = v { Some(*c) } else { None };
    let byte_of = |v: &Value| if let Value::Int(n) = v { u8::try_from(n.get() & 0xff).ok() } else { None };
    match arrays::items::kind(get(a, 0)) {
        ArrayKind::Char => Ok(Value::from(all.iter().filter_map(char_of).collect::<String>())),
        ArrayKind::Byte => {
            let bytes: Vec<u8> = all.iter().filter_map(byte_of).collect();
            Ok(Value::from(decoded(bytes, wanted)))
        }
        _ => Err(Interrupt::argument(0, "a string, or an array of characters or bytes", get(a, 0))),
    }
}

/// The text of an array of characters; `None` for other values.
pub fn of_chars(h: &mut dyn Host, v: &Value) -> Result<Option<Str>> {
    if !matches!(v, Value::Place(id) if id.place() == Place::Chars) {
        return Ok(None);
    }
    let mut only = [Value::Nil];
    put(&mut only, 0, v.clone());
    match of_array(h, &mut only)? {
        Value::Str(s) => Ok(Some(s)),
        _ => Ok(None),
    }
}
