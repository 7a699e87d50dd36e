//! `LocalDate`, `LocalTime` and `LocalDateTime`: how they are made.

use super::arguments::{RULES, WORK, int, long, made, month, now, of, offset, text, thrown, time, wrong, zone};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::time::civil::{Clock, DAY, DAY_SECONDS, Date, DateTime, SECOND};
use crate::time::error::{Res, checked};
use crate::time::formatter::Formatter;
use crate::time::moment::{Instant, Zoned};
use crate::time::parsed::Parsed;
use crate::time::zone::Zone;
use crate::time::{Time, arithmetic as times};
use crate::value::{Builtin, Value};
use std::sync::Arc;

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("LocalDate/parse", "s | s formatter", "The LocalDate that a text says: as 2024-01-31, or in the form of a DateTimeFormatter.",
        &[("(.getYear (LocalDate/parse \"2024-01-31\"))", "2024"), ("(LocalDate/parse \"31.1.\")", "!Text '31.1.' could not be parsed at index 0"), ("(str (LocalDate/parse \"31.01.2024\" (DateTimeFormatter/ofPattern \"dd.MM.yyyy\")))", "\"2024-01-31\"")],
        &of_32_bits!(|h, a| parse(h, a, "ISO_LOCAL_DATE", |p| p.local_date().map(Time::Date)))),
    Builtin::new("LocalDate/of", "year month day", "The LocalDate of these numbers; the month may be a Month.", &[("(str (LocalDate/of 2024 1 31))", "\"2024-01-31\""), ("(LocalDate/of 2023 2 29)", "!is not a leap year")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(Date::of(int(a, 0)?, month(a, 1)?, int(a, 2)?).map(Time::Date))
        })),
    Builtin::new("LocalDate/ofEpochDay", "n", "The LocalDate so many days after 1970-01-01.", &[("(str (LocalDate/ofEpochDay 31))", "\"1970-02-01\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(Date::of_epoch_day(long(a, 0)?).map(Time::Date))
        })),
    Builtin::new("LocalDate/ofYearDay", "year day", "The LocalDate of the day of this number in a year.", &[("(str (LocalDate/ofYearDay 2024 60))", "\"2024-02-29\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(Date::of_year_day(int(a, 0)?, int(a, 1)?).map(Time::Date))
        })),
    Builtin::new("LocalDate/ofInstant", "instant zone", "The LocalDate at an Instant in a zone.", &[("(str (LocalDate/ofInstant Instant/EPOCH ZoneOffset/UTC))", "\"1970-01-01\"")],
        &Body(|h, a| local_at(h, a).map(|l| Value::time(Time::Date(l.date))))),
    Builtin::new("LocalDate/now", "| zone", "The LocalDate when the turn began, in UTC or a zone.", &[("(class (LocalDate/now))", "java.time.LocalDate")],
        &Body(|h, a| local_now(h, a).map(|l| Value::time(Time::Date(l.date))))),
    Builtin::new("LocalDate/from", "time", "The LocalDate of a time.", &[("(str (LocalDate/from (LocalDateTime/of 2024 1 31 10 0)))", "\"2024-01-31\"")],
        &Body(|h, a| from(h, a, |t| times::date_of(t).map(Time::Date)))),
    Builtin::new("LocalTime/parse", "s | s formatter", "The LocalTime that a text says: as 10:15 or 10:15:30.5, or in the form of a DateTimeFormatter.", &[("(.getHour (LocalTime/parse \"10:15\"))", "10")],
        &of_32_bits!(|h, a| parse(h, a, "ISO_LOCAL_TIME", |p| p.local_time().map(Time::Clock)))),
    Builtin::new("LocalTime/of", "hour minute | hour minute second | hour minute second nano", "The LocalTime of these numbers.", &[("(str (LocalTime/of 9 5))", "\"09:05\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(clock(a, 0).map(|c| c.map(Time::Clock))?)
        })),
    Builtin::new("LocalTime/ofSecondOfDay", "n", "The LocalTime so many seconds after midnight.", &[("(str (LocalTime/ofSecondOfDay 3600))", "\"01:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(checked("SecondOfDay", 0, DAY_SECONDS - 1, long(a, 0)?).map(|n| Time::Clock(Clock { nanos: n * SECOND })))
        })),
    Builtin::new("LocalTime/ofNanoOfDay", "n", "The LocalTime so many nanoseconds after midnight.", &[("(str (LocalTime/ofNanoOfDay 1000000000))", "\"00:00:01\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(checked("NanoOfDay", 0, DAY - 1, long(a, 0)?).map(|nanos| Time::Clock(Clock { nanos })))
        })),
    Builtin::new("LocalTime/now", "| zone", "The LocalTime when the turn began, in UTC or a zone.", &[("(class (LocalTime/now))", "java.time.LocalTime")],
        &Body(|h, a| local_now(h, a).map(|l| Value::time(Time::Clock(l.time))))),
    Builtin::new("LocalTime/from", "time", "The LocalTime of a time.", &[("(str (LocalTime/from (LocalDateTime/of 2024 1 31 10 0)))", "\"10:00\"")],
        &Body(|h, a| from(h, a, |t| times::clock_of(t).map(Time::Clock)))),
    Builtin::new("LocalDateTime/parse", "s | s formatter", "The LocalDateTime that a text says: as 2024-01-31T10:15, or in the form of a DateTimeFormatter.", &[("(str (LocalDateTime/parse \"2024-01-31T10:15:00\"))", "\"2024-01-31T10:15\"")],
        &Body(|h, a| parse(h, a, "ISO_LOCAL_DATE_TIME", |p| p.local_date_time().map(Time::DateTime)))),
    Builtin::new("LocalDateTime/of", "date time | year month day hour minute | year month day hour minute second | year month day hour minute second nano", "The LocalDateTime of a LocalDate and a LocalTime, or of these numbers.", &[("(str (LocalDateTime/of 2024 1 31 10 15))", "\"2024-01-31T10:15\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            if a.len() == 2 {
                let date = of(a, 0, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None })?;
                let time = of(a, 1, "a LocalTime", |t| if let Time::Clock(c) = t { Some(*c) } else { None })?;
                return Ok(Value::time(Time::DateTime(DateTime { date, time })));
            }
            let date = Date::of(int(a, 0)?, month(a, 1)?, int(a, 2)?).map_err(thrown)?;
            made(clock(a, 3)?.map(|time| Time::DateTime(DateTime { date, time })))
        })),
    Builtin::new("LocalDateTime/ofInstant", "instant zone", "What clocks of a zone show at an Instant.", &[("(str (LocalDateTime/ofInstant Instant/EPOCH ZoneOffset/UTC))", "\"1970-01-01T00:00\"")],
        &Body(|h, a| local_at(h, a).map(|l| Value::time(Time::DateTime(l))))),
    Builtin::new("LocalDateTime/ofEpochSecond", "second nano offset", "What clocks with an offset show so many seconds after 1970.", &[("(str (LocalDateTime/ofEpochSecond 60 0 ZoneOffset/UTC))", "\"1970-01-01T00:01\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let nano = checked("NanoOfSecond", 0, SECOND - 1, int(a, 1)?).map_err(thrown)?;
            let second = long(a, 0)?.checked_add(i64::from(offset(a, 2)?)).unwrap_or(i64::MAX);
            made(DateTime::of_epoch_second(second, nano).map(Time::DateTime))
        })),
    Builtin::new("LocalDateTime/now", "| zone", "The LocalDateTime when the turn began, in UTC or a zone.", &[("(class (LocalDateTime/now))", "java.time.LocalDateTime")],
        &Body(|h, a| local_now(h, a).map(|l| Value::time(Time::DateTime(l))))),
    Builtin::new("LocalDateTime/from", "time", "The LocalDateTime of a time with a zone or offset.", &[("(str (LocalDateTime/from (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00\"")],
        &Body(|h, a| from(h, a, |t| times::local_of(t).map(Time::DateTime)))),
];

/// Reads a text by the formatter that is given, or by the class's own.
pub fn parse(h: &mut dyn Host, a: &[Value], own: &str, query: fn(&Parsed) -> Res<Time>) -> Result {
    let s = text(h, a, 0)?;
    let form = match get(a, 1) {
        Value::Nil if a.len() < 2 => Formatter::constant(own).map(Arc::new).ok_or_else(|| wrong(a, 0, "a text"))?,
        _ => formatter(a, 1)?,
    };
    h.charge(form.reading() + RULES)?;
    made(form.parse(s, query))
}

/// A DateTimeFormatter.
pub fn formatter(a: &[Value], i: usize) -> Result<Arc<Formatter>> {
    let expected = "a DateTimeFormatter, as (DateTimeFormatter/ofPattern \"dd.MM.yyyy\")";
    of(a, i, expected, |t| if let Time::Formatter(f) = t { Some(f.clone()) } else { None })
}

/// A time of day of the numbers from argument `i` on.
pub fn clock(a: &[Value], i: usize) -> Result<Res<Clock>> {
    let part = |n: usize| if a.len() > i + n { int(a, i + n) } else { Ok(0) };
    Ok(Clock::of(part(0)?, part(1)?, part(2)?, part(3)?))
}

/// What another value makes of the first argument.
pub fn from(h: &mut dyn Host, a: &[Value], take: fn(&Time) -> Res<Time>) -> Result {
    h.charge(WORK)?;
    made(take(time(a, 0)?))
}

/// What clocks of the zone in the first argument, or of UTC, show when the turn began.
pub fn local_now(h: &mut dyn Host, a: &[Value]) -> Result<DateTime> {
    zoned_now(h, a).map(|z| z.local)
}

/// The time when the turn began, in the zone of the first argument or UTC.
pub fn zoned_now(h: &mut dyn Host, a: &[Value]) -> Result<Zoned> {
    let at = now(h)?;
    let zone = if a.is_empty() { system_zone()? } else { zone(a, 0)? };
    h.charge(RULES)?;
    Zoned::of_instant(at, zone).map_err(thrown)
}

/// The zone of those who name none.
pub fn system_zone() -> Result<Zone> {
    Zone::of("UTC").map_err(thrown)
}

/// What clocks show at an Instant in a zone.
fn local_at(h: &mut dyn Host, a: &[Value]) -> Result<DateTime> {
    h.charge(WORK + RULES)?;
    let at = instant(a, 0)?;
    Zoned::of_instant(at, zone(a, 1)?).map(|z| z.local).map_err(thrown)
}

/// An Instant.
pub fn instant(a: &[Value], i: usize) -> Result<Instant> {
    of(a, i, "an Instant", |t| if let Time::Instant(i) = t { Some(*i) } else { None })
}
