//! `java.security.MessageDigest`. What has been put into one is in memory like what an atom holds.

use super::{bytes, sha1};
use crate::builtins::args::{get, int, put};
use crate::builtins::arrays;
use crate::builtins::arrays::items::place_of;
use crate::builtins::row::BuiltinRow;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::value::boxed::{CellId, Place};
use crate::value::{Builtin, Value, Vector};
use md5::{Digest, Md5};
use sha2::{Sha224, Sha256, Sha384, Sha512};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("MessageDigest/getInstance", "name", "What makes digests of bytes: MD5, SHA-1, SHA-224, SHA-256, SHA-384 or SHA-512.",
        &[("(format \"%032x\" (BigInteger. 1 (.digest (java.security.MessageDigest/getInstance \"MD5\") (.getBytes \"a\"))))", "\"0cc175b9c0f1b6a831c399e269772661\""),
          ("(java.security.MessageDigest/getInstance \"x\")", "!x MessageDigest not available")], &Body(instance)),
    Builtin::new(".update", "digest bytes | digest byte | digest bytes offset count", "Puts bytes into a MessageDigest; nil.",
        &[("(let [d (java.security.MessageDigest/getInstance \"SHA-1\")] (.update d (.getBytes \"a\")) (first (.digest d)))", "-122")], &Body(update)),
    Builtin::new(".digest", "digest | digest bytes", "The digest of the bytes that have been put into a MessageDigest, and of some more, as an array of bytes. It is empty then.",
        &[("(vec (take 3 (.digest (java.security.MessageDigest/getInstance \"SHA-256\") (.getBytes \"a\"))))", "[-54 -105 -127]")], &Body(digest)),
    Builtin::new(".getAlgorithm", "digest", "The name of a MessageDigest.", &[("(.getAlgorithm (java.security.MessageDigest/getInstance \"MD5\"))", "\"MD5\"")],
        &Body(|h, a| { let id = of(a)?; Ok(Value::str(name(h, id))) })),
    Builtin::new(".getDigestLength", "digest", "How many bytes a MessageDigest gives.", &[("(.getDigestLength (java.security.MessageDigest/getInstance \"MD5\"))", "16")],
        &of_32_bits!(|h, a| { let id = of(a)?; let name = name(h, id); Ok(Value::int(length(name))) })),
    Builtin::new("MessageDigest/isEqual", "bytes other", "Whether two arrays hold the same bytes.",
        &[("(java.security.MessageDigest/isEqual (.getBytes \"a\") (.getBytes \"a\"))", "true")],
        &Body(|h, a| { let x = bytes::of(h, a, 0)?; Ok(Value::Bool(x == bytes::of(h, a, 1)?)) })),
];

const NAMES: [&str; 6] = ["MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512"];

fn length(name: &str) -> i64 {
    match name {
        "MD5" => 16,
        "SHA-1" => 20,
        "SHA-224" => 28,
        "SHA-256" => 32,
        "SHA-384" => 48,
        _ => 64,
    }
}

/// The digest of this name.
fn computed(name: &str, all: &[u8]) -> Vec<u8> {
    match name {
        "MD5" => Md5::digest(all).to_vec(),
        "SHA-1" => sha1::digest(all).to_vec(),
        "SHA-224" => Sha224::digest(all).to_vec(),
        "SHA-256" => Sha256::digest(all).to_vec(),
        "SHA-384" => Sha384::digest(all).to_vec(),
        _ => Sha512::digest(all).to_vec(),
    }
}

/// The MD5 of bytes, paid for.
///
/// # Errors
/// When fuel ends.
pub fn md5(h: &mut dyn Host, all: &[u8]) -> Result<Vec<u8>> {
    h.charge(all.len() as u64 / 2 + 64)?;
    Ok(computed("MD5", all))
}

fn instance(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let asked = crate::builtins::args::str(a, 0)?.as_str();
    let plain = |s: &str| s.to_ascii_uppercase().replace('-', "");
    // `SHA` is Java's other name of SHA-1.
    let known = if asked.eq_ignore_ascii_case("SHA") {
        Some("SHA-1")
    } else {
        NAMES.into_iter().find(|n| asked.eq_ignore_ascii_case(n) || n.starts_with("SHA-1") && plain(asked) == plain(n))
    };
    let Some(known) = known else {
        let words = format!("{} MessageDigest not available", crate::error::cut(asked.to_owned(), 80));
        return Err(Interrupt::throw("NoSuchAlgorithmException", ErrorKind::Value, words)
            .hint(format!("there are {}", NAMES.join(", "))));
    };
    place_of(h, Place::Digest, Value::vector(vec![Value::str(known)]))
}

fn of(a: &[Value]) -> Result<CellId> {
    match get(a, 0) {
        Value::Place(id) if id.place() == Place::Digest => Ok(*id),
        other => Err(Interrupt::argument(0, "a MessageDigest", other)
            .hint("(java.security.MessageDigest/getInstance \"SHA-256\") gives one")),
    }
}

fn name(h: &mut dyn Host, id: CellId) -> &'static str {
    let held = h.cell_get(id);
    let named = if let Value::Vector(v) = &held { v.get(0).and_then(Value::as_str) } else { None };
    NAMES.into_iter().find(|n| Some(*n) == named).unwrap_or("SHA-256")
}

fn update(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = of(a)?;
    let more = match get(a, 1) {
        Value::Int(n) => {
            let byte = i8::try_from(n.get())
                .map_err(|_| Interrupt::error(ErrorKind::Value, format!("Value out of range for byte: {n}")))?;
            Value::vector(vec![Value::int(byte.into())])
        }
        v if bytes::is_array(v) => {
            let mut all = arrays::items::items(h, get(a, 1), 1)?;
            if a.len() > 2 {
                let (from, n) = (int(a, 2)?, int(a, 3)?);
                let (from, to) =
                    arrays::items::range(&[Value::int(from), Value::int(from.saturating_add(n))], 0, all.len())?;
                all = all.slice(from, to);
            }
            Value::Vector(all)
        }
        other => {
            return Err(Interrupt::argument(1, "an array of bytes or a byte", other)
                .hint("(.getBytes s) gives those of a text"));
        }
    };
    h.charge(4)?;
    h.reserve(64)?;
    if let Value::Vector(mut parts) = h.cell_set(id, Value::Nil) {
        crate::cost::change(h, &mut parts)?;
        parts.push(more);
        h.cell_set(id, Value::Vector(parts));
    }
    Ok(Value::Nil)
}

fn digest(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let id = of(a)?;
    if a.len() > 1 {
        let more = get(a, 1).clone();
        put(a, 1, more);
        if !bytes::is_array(get(a, 1)) {
            return Err(
                Interrupt::argument(1, "an array of bytes", get(a, 1)).hint("(.getBytes s) gives those of a text")
            );
        }
        update(h, a)?;
    }
    let name = name(h, id);
    let Value::Vector(parts) = h.cell_get(id) else { return Ok(Value::Nil) };
    let parts: Vec<&Vector> =
        parts.iter().filter_map(|p| if let Value::Vector(v) = p { Some(v) } else { None }).collect();
    let n = parts.iter().map(|p| p.len() as u64).sum::<u64>();
    h.charge(n.saturating_add(parts.len() as u64).saturating_add(64))?;
    h.reserve(n.saturating_mul(2))?;
    let byte = |v: &Value| if let Value::Int(n) = v { n.get().to_le_bytes()[0] } else { 0 };
    let all: Vec<u8> = parts.into_iter().flat_map(|p| p.iter().map(byte)).collect();
    h.cell_set(id, Value::vector(vec![Value::str(name)]));
    bytes::array(h, &computed(name, &all))
}

/// `.reset` of a MessageDigest: it is empty again.
pub fn reset(h: &mut dyn Host, id: CellId) {
    let name = name(h, id);
    h.cell_set(id, Value::vector(vec![Value::str(name)]));
}
