//! `java.util.UUID`.

use crate::builtins::row::BuiltinRow;
use crate::builtins::strings::basic::text;
use crate::error::ErrorKind;
use crate::host::{Body, Host, Interrupt, Result};
use crate::number::parse;
use crate::value::{Builtin, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("UUID/fromString", "s", "The uuid that a string says; anything else is an error.", &[("(java.util.UUID/fromString \"x\")", "!Invalid UUID string")], &Body(from_string)),
    Builtin::new("UUID/randomUUID", "", "A random uuid; the turn's seed decides.", &[("(uuid? (java.util.UUID/randomUUID))", "true")],
        &Body(crate::builtins::numbers::parse::random_uuid)),
];

fn from_string(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let s = text(h, a, 0)?.as_str();
    match parse::uuid(s) {
        Some(u) => Ok(Value::uuid(u)),
        None => {
            Err(Interrupt::error(ErrorKind::Value, format!("Invalid UUID string: {}", crate::error::cut(s.into(), 80))))
        }
    }
}
