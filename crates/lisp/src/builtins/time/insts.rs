//! `#inst`: `inst?`, `inst-ms` and the methods of `java.util.Date`.

use super::arguments::{WORK, counted, long, made, now, of, text, time, wrong};
use super::dates::instant;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::time::Time;
use crate::time::error::TimeError;
use crate::time::inst::{self, checked};
use crate::value::{Builtin, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("inst?", "x", "Whether x is an inst or an Instant.", &[("(inst? #inst \"2024-01-31\")", "true"), ("(inst? \"2024-01-31\")", "false")],
        &Body(|_, a| Ok(Value::Bool(matches!(get(a, 0), Value::Time(t) if matches!(***t, Time::Inst(_) | Time::Instant(_))))))),
    Builtin::new("inst-ms", "inst", "Milliseconds since 1970 of an inst or an Instant.", &[("(inst-ms #inst \"1970-01-01T00:00:01Z\")", "1000")],
        &Body(|h, a| millis(h, a))),
    Builtin::new("inst-ms*", "inst", "Milliseconds since 1970 of an inst or an Instant.", &[("(inst-ms* #inst \"1970-01-01T00:00:01Z\")", "1000")],
        &Body(|h, a| millis(h, a))),
    Builtin::new("Date.", "| ms", "The inst when the turn began, or so many milliseconds after 1970.", &[("(java.util.Date. 0)", "#inst \"1970-01-01T00:00:00.000-00:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            if a.is_empty() {
                return made(now(h)?.millis().and_then(checked).map(Time::Inst));
            }
            made(checked(long(a, 0)?).map(Time::Inst))
        })),
    Builtin::new("Date/from", "instant", "The inst of an Instant.", &[("(java.util.Date/from (Instant/ofEpochMilli 5))", "#inst \"1970-01-01T00:00:00.005-00:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(instant(a, 0)?.millis().and_then(checked).map(Time::Inst))
        })),
    Builtin::new("clojure.instant/read-instant-date", "s", "The inst that a text says, as #inst reads it.",
        &[("(clojure.instant/read-instant-date \"2024-01-31\")", "#inst \"2024-01-31T00:00:00.000-00:00\""), ("(clojure.instant/read-instant-date \"foo\")", "!Unrecognized date/time syntax: foo")],
        &Body(|h, a| {
            let s = text(h, a, 0)?;
            made(inst::parse(s).map(Time::Inst).map_err(|e| TimeError::new("RuntimeException", e)))
        })),
    Builtin::new(".getTime", "inst", "Milliseconds since 1970 of an inst.", &[("(.getTime #inst \"1970-01-01T00:00:01Z\")", "1000")],
        &Body(|_, a| Ok(Value::int(ms(a, 0)?)))),
    Builtin::new(".before", "inst other", "Whether an inst is before another.", &[("(.before #inst \"2024\" #inst \"2025\")", "true")],
        &Body(|_, a| Ok(Value::Bool(ms(a, 0)? < ms(a, 1)?)))),
    Builtin::new(".after", "inst other", "Whether an inst is after another.", &[("(.after #inst \"2024\" #inst \"2025\")", "false")],
        &Body(|_, a| Ok(Value::Bool(ms(a, 0)? > ms(a, 1)?)))),
];

fn ms(a: &[Value], i: usize) -> Result<i64> {
    of(a, i, "an inst", |t| if let Time::Inst(ms) = t { Some(*ms) } else { None })
}

fn millis(h: &mut dyn Host, a: &[Value]) -> Result {
    h.charge(WORK)?;
    match time(a, 0) {
        Ok(Time::Inst(ms)) => Ok(Value::int(*ms)),
        Ok(Time::Instant(i)) => counted(i.millis()),
        _ => Err(wrong(a, 0, "an inst, as #inst \"2024-01-31\", or an Instant")),
    }
}
