//! `java.util.Base64`. An encoder or decoder is a symbol of its class and its way.

use super::bytes;
use super::charsets::{Charset, encoded};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::value::{Builtin, Symbol, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Base64/getEncoder", "", "What encodes bytes in base64.",
        &[("(.encodeToString (java.util.Base64/getEncoder) (.getBytes \"hello\"))", "\"aGVsbG8=\"")], &Body(|_, _| Ok(coder(ENCODER, "basic")))),
    Builtin::new("Base64/getUrlEncoder", "", "What encodes bytes in base64 for URLs and names of files.",
        &[("(.encodeToString (java.util.Base64/getUrlEncoder) (byte-array [-5 -1]))", "\"-_8=\"")], &Body(|_, _| Ok(coder(ENCODER, "url")))),
    Builtin::new("Base64/getMimeEncoder", "", "What encodes bytes in base64, in lines of 76 characters.",
        &[("(.encodeToString (java.util.Base64/getMimeEncoder) (.getBytes \"hello\"))", "\"aGVsbG8=\"")], &Body(|_, _| Ok(coder(ENCODER, "mime")))),
    Builtin::new("Base64/getDecoder", "", "What decodes base64.",
        &[("(String. (.decode (java.util.Base64/getDecoder) \"aGVsbG8=\"))", "\"hello\"")], &Body(|_, _| Ok(coder(DECODER, "basic")))),
    Builtin::new("Base64/getUrlDecoder", "", "What decodes base64 of URLs and names of files.",
        &[("(vec (.decode (java.util.Base64/getUrlDecoder) \"-_8\"))", "[-5 -1]")], &Body(|_, _| Ok(coder(DECODER, "url")))),
    Builtin::new("Base64/getMimeDecoder", "", "What decodes base64 and leaves out all other characters.",
        &[("(String. (.decode (java.util.Base64/getMimeDecoder) \"aGVs\\nbG8=\"))", "\"hello\"")], &Body(|_, _| Ok(coder(DECODER, "mime")))),
    Builtin::new(".withoutPadding", "encoder", "The encoder that ends without =.",
        &[("(.encodeToString (.withoutPadding (java.util.Base64/getEncoder)) (.getBytes \"a\"))", "\"YQ\"")], &Body(|_, a| {
            let (way, _) = way(a, ENCODER)?;
            Ok(coder(ENCODER, &format!("{way}-bare")))
        })),
    Builtin::new(".encodeToString", "encoder bytes", "An array of bytes in base64, as a string.",
        &[("(.encodeToString (java.util.Base64/getEncoder) (.getBytes \"hi\"))", "\"aGk=\"")],
        &Body(|h, a| encode(h, a).map(Value::from))),
    Builtin::new(".encode", "encoder bytes", "An array of bytes in base64, as an array of bytes.",
        &[("(String. (.encode (java.util.Base64/getEncoder) (.getBytes \"hi\")))", "\"aGk=\"")], &Body(|h, a| {
            let text = encode(h, a)?;
            bytes::array(h, text.as_bytes())
        })),
    Builtin::new(".decode", "decoder s", "The bytes that a string or an array of bytes is in base64.",
        &[("(String. (.decode (java.util.Base64/getDecoder) \"aGk=\"))", "\"hi\""), ("(.decode (java.util.Base64/getDecoder) \"a\")", "!at least have 2 bytes")],
        &Body(decode)),
];

const ENCODER: &str = "java.util.Base64$Encoder";
const DECODER: &str = "java.util.Base64$Decoder";

fn coder(class: &str, way: &str) -> Value {
    Value::Symbol(Symbol::new(Some(class), way))
}

/// The way of an encoder or decoder, and whether it pads.
fn way<'a>(a: &'a [Value], class: &str) -> Result<(&'a str, bool)> {
    if let Value::Symbol(s) = get(a, 0)
        && s.ns() == Some(class)
    {
        return Ok(match s.name().strip_suffix("-bare") {
            Some(way) => (way, false),
            None => (s.name(), true),
        });
    }
    let (what, hint) = if class == ENCODER {
        ("an encoder of Base64", "(java.util.Base64/getEncoder) gives one")
    } else {
        ("a decoder of Base64", "(java.util.Base64/getDecoder) gives one")
    };
    Err(Interrupt::argument(0, what, get(a, 0)).hint(hint))
}

const BASIC: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn letter(n: u32, url: bool) -> char {
    let plain = BASIC.get((n & 63) as usize).copied().map_or('=', char::from);
    match plain {
        '+' if url => '-',
        '/' if url => '_',
        c => c,
    }
}

fn value_of(b: u8, url: bool) -> Option<u32> {
    Some(u32::from(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' if !url => 62,
        b'/' if !url => 63,
        b'-' if url => 62,
        b'_' if url => 63,
        _ => return None,
    }))
}

fn encode(h: &mut dyn Host, a: &mut [Value]) -> Result<String> {
    let (way, padded) = way(a, ENCODER)?;
    let (url, mime) = (way == "url", way == "mime");
    let all = bytes::of(h, a, 1)?;
    h.charge(all.len() as u64 / 4 + 1)?;
    h.reserve(all.len() as u64 * 2)?;
    let mut out = String::with_capacity(all.len() / 3 * 4 + 8);
    let mut line = 0;
    for three in all.chunks(3) {
        if mime && line == 76 {
            out.push_str("\r\n");
            line = 0;
        }
        let bits = three.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for place in 0..4 {
            if place <= three.len() {
                out.push(letter(bits >> (18 - 6 * place), url));
            } else if padded {
                out.push('=');
            }
        }
        line += 4;
    }
    Ok(out)
}

#[cold]
fn wrong(words: impl Into<String>) -> Interrupt {
    Interrupt::throw("IllegalArgumentException", ErrorKind::Value, words)
}

fn decode(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let (way, _) = way(a, DECODER)?;
    let (url, mime) = (way == "url", way == "mime");
    let all = match get(a, 1) {
        Value::Str(s) => {
            let s = s.as_str();
            h.charge(s.len() as u64 / 4 + 1)?;
            h.reserve(s.len() as u64)?;
            encoded(s, Charset::Latin1)
        }
        _ => bytes::of(h, a, 1)?,
    };
    h.charge(all.len() as u64 / 4 + 1)?;
    h.reserve(all.len() as u64)?;
    let out = decoded(&all, url, mime)?;
    bytes::array(h, &out)
}

/// As Java decodes, with its words where that cannot be.
fn decoded(all: &[u8], url: bool, mime: bool) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(all.len() / 4 * 3 + 3);
    if all.is_empty() {
        return Ok(out);
    }
    if all.len() < 2 && !mime {
        return Err(wrong("Input byte[] should at least have 2 bytes for base64 bytes"));
    }
    let (mut bits, mut held, mut at) = (0u32, 0, 0);
    while let Some(b) = all.get(at).copied() {
        at += 1;
        match value_of(b, url) {
            Some(n) => {
                bits = bits << 6 | n;
                held += 1;
                if held == 4 {
                    out.extend(bits.to_be_bytes().into_iter().skip(1));
                    (bits, held) = (0, 0);
                }
            }
            None if b == b'=' => {
                // Behind two of four a second one follows; in front of them there is none.
                let second = held == 2 && {
                    let next = all.get(at).copied();
                    at += 1;
                    next != Some(b'=')
                };
                if second || held == 0 {
                    return Err(wrong("Input byte array has wrong 4-byte ending unit"));
                }
                break;
            }
            None if mime => {}
            None => {
                let code = i32::from(b.cast_signed());
                let sign = if code < 0 { "-" } else { "" };
                return Err(wrong(format!("Illegal base64 character {sign}{:x}", code.unsigned_abs())));
            }
        }
    }
    match held {
        2 => out.extend((bits << 12).to_be_bytes().into_iter().skip(1).take(1)),
        3 => out.extend((bits << 6).to_be_bytes().into_iter().skip(1).take(2)),
        1 => return Err(wrong("Last unit does not have enough valid bits")),
        _ => {}
    }
    while let Some(b) = all.get(at).copied() {
        at += usize::from(mime);
        if !mime || value_of(b, url).is_some() {
            return Err(wrong(format!("Input byte array has incorrect ending byte at {at}")));
        }
    }
    Ok(out)
}
