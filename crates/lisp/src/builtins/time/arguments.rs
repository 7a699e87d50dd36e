//! What the functions on dates and times share: their arguments, their errors, and what they cost.

use crate::builtins::args::get;
use crate::error::ErrorKind;
use crate::host::{Host, Interrupt, Result};
use crate::time::Time;
use crate::time::error::{Res, TimeError};
use crate::time::moment::Instant;
use crate::time::unit::{Field, Unit};
use crate::time::zone::Zone;
use crate::value::Value;

/// What a computation with dates costs.
pub const WORK: u64 = 6;
/// What it costs to ask the rules of a zone.
pub const RULES: u64 = 40;

/// An error of times as the exception that Java throws.
#[cold]
pub fn thrown(e: TimeError) -> Interrupt {
    let kind = match e.class {
        "ArithmeticException" => ErrorKind::Arithmetic,
        "UnsupportedOperationException" => ErrorKind::Denied,
        _ => ErrorKind::Value,
    };
    Interrupt::throw(e.class, kind, e.message)
}

/// The value, or the exception.
pub fn made(t: Res<Time>) -> Result {
    t.map(Value::time).map_err(thrown)
}

/// A number, or the exception.
pub fn counted(n: Res<i64>) -> Result {
    n.map(Value::int).map_err(thrown)
}

/// A date or time.
pub fn time(a: &[Value], i: usize) -> Result<&Time> {
    match get(a, i) {
        Value::Time(t) => Ok(t),
        v => Err(Interrupt::argument(i, "a date or a time", v)),
    }
}

/// The error of a value that has not what a function asks for.
#[cold]
pub fn wrong(a: &[Value], i: usize, expected: &str) -> Interrupt {
    Interrupt::argument(i, expected, get(a, i))
}

/// The value that a test takes out of a date or time.
pub fn of<T>(a: &[Value], i: usize, expected: &str, take: impl FnOnce(&Time) -> Option<T>) -> Result<T> {
    match get(a, i) {
        Value::Time(t) => take(t).ok_or_else(|| wrong(a, i, expected)),
        v => Err(Interrupt::argument(i, expected, v)),
    }
}

/// A number of 64 bits; what is behind the point of others is cut, as Java does.
pub fn long(a: &[Value], i: usize) -> Result<i64> {
    match get(a, i) {
        Value::Int(n) => Ok(n.get()),
        Value::Float(f) if f.get().is_finite() => Ok(f.get() as i64),
        v => Err(Interrupt::argument(i, "an integer", v)),
    }
}

/// A number of 32 bits.
pub fn int(a: &[Value], i: usize) -> Result<i64> {
    let n = long(a, i)?;
    if i32::try_from(n).is_ok() { Ok(n) } else { Err(thrown(TimeError::int_overflow())) }
}

/// A month: a number, or `Month/MAY`.
pub fn month(a: &[Value], i: usize) -> Result<i64> {
    match get(a, i) {
        Value::Time(t) => match ***t {
            Time::Month(m) => Ok(i64::from(m)),
            _ => Err(wrong(a, i, "a month")),
        },
        _ => int(a, i),
    }
}

/// A zone.
pub fn zone(a: &[Value], i: usize) -> Result<Zone> {
    let expected = "a ZoneId, as (ZoneId/of \"Europe/Berlin\")";
    of(a, i, expected, |t| if let Time::Zone(z) = t { Some(z.clone()) } else { None })
}

/// An offset in seconds.
pub fn offset(a: &[Value], i: usize) -> Result<i32> {
    let expected = "a ZoneOffset, as ZoneOffset/UTC";
    of(a, i, expected, |t| match t {
        Time::Zone(Zone::Offset(seconds)) => Some(*seconds),
        _ => None,
    })
}

/// A unit.
pub fn unit(a: &[Value], i: usize) -> Result<Unit> {
    of(a, i, "a unit, as ChronoUnit/DAYS", |t| if let Time::Unit(u) = t { Some(*u) } else { None })
}

/// A field.
pub fn field(a: &[Value], i: usize) -> Result<Field> {
    of(a, i, "a field, as ChronoField/DAY_OF_WEEK", |t| if let Time::Field(f) = t { Some(*f) } else { None })
}

/// A day of the week.
pub fn weekday(a: &[Value], i: usize) -> Result<u8> {
    of(a, i, "a day of the week, as DayOfWeek/MONDAY", |t| if let Time::Weekday(d) = t { Some(*d) } else { None })
}

/// A text, whose reading is charged.
pub fn text<'a>(h: &mut dyn Host, a: &'a [Value], i: usize) -> Result<&'a str> {
    let s = crate::builtins::args::str(a, i)?.as_str();
    h.charge(WORK * 4 + s.len() as u64 / 2)?;
    Ok(s)
}

/// The point in time at which the turn began.
pub fn now(h: &mut dyn Host) -> Result<Instant> {
    h.charge(WORK)?;
    Ok(Instant::of_millis(h.now_ms()))
}

/// Charges what asking a zone costs.
pub fn rules(h: &mut dyn Host) -> Result<()> {
    h.charge(RULES)
}
