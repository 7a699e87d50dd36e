//! `java.util.UUID`.

use super::{bytes, digests};
use crate::builtins::args::{get, int};
use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::text;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::number::parse;
use crate::value::{Builtin, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("UUID/fromString", "s", "The uuid that a string says; anything else is an error.", &[("(java.util.UUID/fromString \"x\")", "!Invalid UUID string")], &Body(from_string)),
    Builtin::new("UUID/randomUUID", "", "A random uuid; the turn's seed decides.", &[("(uuid? (java.util.UUID/randomUUID))", "true")],
        &Body(crate::builtins::numbers::parse::random_uuid)),
    Builtin::new("UUID/nameUUIDFromBytes", "bytes", "The uuid that the MD5 of bytes is, of version 3.",
        &[("(java.util.UUID/nameUUIDFromBytes (.getBytes \"a\"))", "#uuid \"0cc175b9-c0f1-36a8-b1c3-99e269772661\"")], &Body(|h, a| {
            let all = bytes::of(h, a, 0)?;
            let digest = digests::md5(h, &all)?;
            let bits = digest.iter().fold(0u128, |n, b| n << 8 | u128::from(*b));
            Ok(Value::uuid((bits & !(0xf << 76) & !(0x3 << 62)) | (0x3 << 76) | (0x2 << 62)))
        })),
    Builtin::new("UUID.", "most least", "The uuid of two 64-bit halves.", &[("(java.util.UUID. 1 2)", "#uuid \"00000000-0000-0001-0000-000000000002\"")],
        &Body(|_, a| {
            let half = |i| int(a, i).map(|n| u128::from(n.cast_unsigned()));
            Ok(Value::uuid(half(0)? << 64 | half(1)?))
        })),
    Builtin::new(".version", "uuid", "The version of a uuid: 4 of a random one.", &[("(.version #uuid \"550e8400-e29b-41d4-a716-446655440000\")", "4")],
        &of_32_bits!(|_, a| Ok(Value::int((of(a)? >> 76) as i64 & 0xf)))),
    Builtin::new(".variant", "uuid", "The variant of a uuid: 2 of those in use.", &[("(.variant #uuid \"550e8400-e29b-41d4-a716-446655440000\")", "2")],
        &of_32_bits!(|_, a| {
            let least = of(a)? as u64;
            Ok(Value::int(match least >> 61 {
                0..4 => 0,
                4 | 5 => 2,
                n => n.cast_signed(),
            }))
        })),
    Builtin::new(".getMostSignificantBits", "uuid", "The first 64 bits of a uuid.", &[("(.getMostSignificantBits #uuid \"00000000-0000-0001-0000-000000000002\")", "1")],
        &Body(|_, a| Ok(Value::int((of(a)? >> 64) as i64)))),
    Builtin::new(".getLeastSignificantBits", "uuid", "The last 64 bits of a uuid.", &[("(.getLeastSignificantBits #uuid \"00000000-0000-0001-0000-000000000002\")", "2")],
        &Body(|_, a| Ok(Value::int(of(a)? as i64)))),
];

fn of(a: &[Value]) -> Result<u128> {
    match get(a, 0) {
        Value::Uuid(u) => Ok(***u),
        other => Err(Interrupt::argument(0, "a uuid", other)),
    }
}

fn from_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = text(h, a, 0)?.as_str();
    match parse::uuid(s) {
        Some(u) => Ok(Value::uuid(u)),
        None => {
            Err(Interrupt::error(ErrorKind::Value, format!("Invalid UUID string: {}", crate::error::cut(s.into(), 80))))
        }
    }
}
