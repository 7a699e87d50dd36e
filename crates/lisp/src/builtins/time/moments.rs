//! `Instant`, `ZonedDateTime`, `OffsetDateTime` and zones: how they are made.

use super::arguments::{RULES, WORK, int, long, made, month, now, of, offset, text, thrown, time, wrong, zone};
use super::dates::{clock, from, instant, parse, system_zone, zoned_now};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::time::Time;
use crate::time::arithmetic as times;
use crate::time::civil::{Date, DateTime};
use crate::time::moment::{Instant, OffsetTime, Zoned};
use crate::time::zone::{self, Zone};
use crate::value::{Builtin, Value};

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("Instant/parse", "s", "The Instant that a text says, as 2024-01-31T10:15:00Z.", &[("(.getEpochSecond (Instant/parse \"1970-01-01T00:01:00Z\"))", "60")],
        &Body(|h, a| parse(h, a, "ISO_INSTANT", |p| p.instant().map(Time::Instant)))),
    Builtin::new("Instant/now", "", "The Instant when the turn began.", &[("(class (Instant/now))", "java.time.Instant")],
        &Body(|h, _| Ok(Value::time(Time::Instant(now(h)?))))),
    Builtin::new("Instant/ofEpochMilli", "ms", "The Instant so many milliseconds after 1970.", &[("(str (Instant/ofEpochMilli 1500))", "\"1970-01-01T00:00:01.500Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            Ok(Value::time(Time::Instant(Instant::of_millis(long(a, 0)?))))
        })),
    Builtin::new("Instant/ofEpochSecond", "second | second nanos", "The Instant so many seconds, and nanoseconds, after 1970.", &[("(str (Instant/ofEpochSecond 60))", "\"1970-01-01T00:01:00Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let nanos = if a.len() > 1 { long(a, 1)? } else { 0 };
            made(Instant::of(long(a, 0)?, nanos).map(Time::Instant))
        })),
    Builtin::new("Instant/from", "time", "The Instant of a time with a zone or offset.", &[("(str (Instant/from (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00:00Z\"")],
        &Body(|h, a| from(h, a, |t| times::instant_of(t).map(Time::Instant)))),
    Builtin::new("ZonedDateTime/parse", "s | s formatter", "The ZonedDateTime that a text says: as 2024-01-31T10:15+01:00[Europe/Berlin], or in the form of a DateTimeFormatter.", &[("(str (.getZone (ZonedDateTime/parse \"2024-01-31T10:15+01:00[Europe/Berlin]\")))", "\"Europe/Berlin\"")],
        &Body(|h, a| parse(h, a, "ISO_ZONED_DATE_TIME", |p| p.zoned().map(Time::Zoned)))),
    Builtin::new("ZonedDateTime/of", "local zone | date time zone | year month day hour minute second nano zone", "The ZonedDateTime of a local time in a zone.", &[("(str (ZonedDateTime/of 2024 3 31 2 30 0 0 (ZoneId/of \"Europe/Berlin\")))", "\"2024-03-31T03:30+02:00[Europe/Berlin]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let zone = zone(a, a.len().saturating_sub(1))?;
            made(Zoned::of_local(local(a)?, zone, None).map(Time::Zoned))
        })),
    Builtin::new("ZonedDateTime/ofInstant", "instant zone", "The ZonedDateTime of an Instant in a zone.", &[("(str (ZonedDateTime/ofInstant Instant/EPOCH (ZoneId/of \"Asia/Tokyo\")))", "\"1970-01-01T09:00+09:00[Asia/Tokyo]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let at = instant(a, 0)?;
            made(Zoned::of_instant(at, zone(a, 1)?).map(Time::Zoned))
        })),
    Builtin::new("ZonedDateTime/now", "| zone", "The ZonedDateTime when the turn began, in UTC or a zone.", &[("(class (ZonedDateTime/now))", "java.time.ZonedDateTime")],
        &Body(|h, a| zoned_now(h, a).map(|z| Value::time(Time::Zoned(z))))),
    Builtin::new("ZonedDateTime/from", "time", "The ZonedDateTime of a time with a zone or offset.", &[("(str (ZonedDateTime/from (OffsetDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00Z\"")],
        &Body(|h, a| from(h, a, |t| times::zoned_of(t).map(Time::Zoned)))),
    Builtin::new("OffsetDateTime/parse", "s | s formatter", "The OffsetDateTime that a text says: as 2024-01-31T10:15+01:00, or in the form of a DateTimeFormatter.", &[("(str (.toInstant (OffsetDateTime/parse \"2024-01-31T10:15+01:00\")))", "\"2024-01-31T09:15:00Z\"")],
        &Body(|h, a| parse(h, a, "ISO_OFFSET_DATE_TIME", |p| p.offset_date_time().map(Time::Offset)))),
    Builtin::new("OffsetDateTime/of", "local offset | date time offset | year month day hour minute second nano offset", "The OffsetDateTime of a local time with an offset.", &[("(str (OffsetDateTime/of 2024 1 31 10 15 0 0 ZoneOffset/UTC))", "\"2024-01-31T10:15Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let offset = offset(a, a.len().saturating_sub(1))?;
            Ok(Value::time(Time::Offset(OffsetTime { local: local(a)?, offset })))
        })),
    Builtin::new("OffsetDateTime/ofInstant", "instant zone", "The OffsetDateTime of an Instant in a zone.", &[("(str (OffsetDateTime/ofInstant Instant/EPOCH ZoneOffset/UTC))", "\"1970-01-01T00:00Z\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let at = instant(a, 0)?;
            made(Zoned::of_instant(at, zone(a, 1)?).map(|z| Time::Offset(z.offset_time())))
        })),
    Builtin::new("OffsetDateTime/now", "| zone", "The OffsetDateTime when the turn began, in UTC or a zone.", &[("(class (OffsetDateTime/now))", "java.time.OffsetDateTime")],
        &Body(|h, a| zoned_now(h, a).map(|z| Value::time(Time::Offset(z.offset_time()))))),
    Builtin::new("OffsetDateTime/from", "time", "The OffsetDateTime of a ZonedDateTime.", &[("(str (OffsetDateTime/from (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00Z\"")],
        &Body(|h, a| from(h, a, |t| times::offset_of(t).map(Time::Offset)))),
    Builtin::new("ZoneId/of", "name", "The zone of this name: a region, as Europe/Berlin, or an offset.", &[("(str (ZoneId/of \"Europe/Berlin\"))", "\"Europe/Berlin\""), ("(ZoneId/of \"Mars/Crater\")", "!Unknown time-zone ID: Mars/Crater")],
        &Body(|h, a| {
            let name = text(h, a, 0)?;
            h.charge(RULES)?;
            made(Zone::of(name).map(Time::Zone))
        })),
    Builtin::new("ZoneId/systemDefault", "", "The zone of those who name none: UTC.", &[("(str (ZoneId/systemDefault))", "\"UTC\"")],
        &Body(|h, _| {
            h.charge(WORK)?;
            Ok(Value::time(Time::Zone(system_zone()?)))
        })),
    Builtin::new("ZoneId/from", "time", "The zone of a ZonedDateTime, the offset of an OffsetDateTime.", &[("(str (ZoneId/from (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let found = of(a, 0, "a time with a zone or offset", |t| match t {
                Time::Zoned(z) => Some(z.zone.clone()),
                t => t.offset().map(Zone::Offset),
            })?;
            Ok(Value::time(Time::Zone(found)))
        })),
    Builtin::new("ZoneOffset/of", "text", "The offset that a text says, as +02:00.", &[("(.getTotalSeconds (ZoneOffset/of \"+02:00\"))", "7200")],
        &of_32_bits!(|h, a| {
            let s = text(h, a, 0)?;
            made(zone::offset_of(s).map(|n| Time::Zone(Zone::Offset(n))))
        })),
    Builtin::new("ZoneOffset/ofHours", "hours", "The offset of so many hours.", &[("(str (ZoneOffset/ofHours -5))", "\"-05:00\"")],
        &Body(|h, a| offset_of(h, a))),
    Builtin::new("ZoneOffset/ofHoursMinutes", "hours minutes", "The offset of so many hours and minutes.", &[("(str (ZoneOffset/ofHoursMinutes 5 30))", "\"+05:30\"")],
        &Body(|h, a| offset_of(h, a))),
    Builtin::new("ZoneOffset/ofTotalSeconds", "seconds", "The offset of so many seconds.", &[("(str (ZoneOffset/ofTotalSeconds 3600))", "\"+01:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(zone::offset_seconds(int(a, 0)?).map(|n| Time::Zone(Zone::Offset(n))))
        })),
    Builtin::new("ZoneOffset/from", "time", "The offset of a time that has one.", &[("(str (ZoneOffset/from (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"Z\"")],
        &Body(|_, a| {
            let seconds = of(a, 0, "a time with an offset", Time::offset)?;
            Ok(Value::time(Time::Zone(Zone::Offset(seconds))))
        })),
];

/// The local time of all arguments but the last.
fn local(a: &[Value]) -> Result<DateTime> {
    Ok(match a.len() {
        2 => match time(a, 0)? {
            Time::DateTime(l) => *l,
            _ => return Err(wrong(a, 0, "a LocalDateTime")),
        },
        3 => {
            let date = of(a, 0, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None })?;
            let time = of(a, 1, "a LocalTime", |t| if let Time::Clock(c) = t { Some(*c) } else { None })?;
            DateTime { date, time }
        }
        8 => {
            let date = Date::of(int(a, 0)?, month(a, 1)?, int(a, 2)?).map_err(thrown)?;
            let numbers = a.get(..7).unwrap_or_default();
            DateTime { date, time: clock(numbers, 3)?.map_err(thrown)? }
        }
        _ => return Err(wrong(a, 0, "year, month, day, hour, minute, second and nanosecond")),
    })
}

fn offset_of(h: &mut dyn Host, a: &[Value]) -> Result {
    h.charge(WORK)?;
    let part = |i: usize| if a.len() > i { int(a, i).map(|n| i32::try_from(n).unwrap_or(0)) } else { Ok(0) };
    made(zone::offset(part(0)?, part(1)?, 0).map(|n| Time::Zone(Zone::Offset(n))))
}
