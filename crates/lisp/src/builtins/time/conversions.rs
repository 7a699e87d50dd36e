//! What one date or time makes of another: `.toLocalDate`, `.atZone`, `.toInstant`, and their order.

use super::arguments::{RULES, WORK, counted, int, made, of, offset, thrown, time, wrong, zone};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::time::civil::{Clock, Date, DateTime, SECOND, month_days};
use crate::time::moment::{Instant, OffsetTime, Zoned};
use crate::time::names::{DAYS, MONTHS, named};
use crate::time::unit::Field;
use crate::time::weeks::PARTS;
use crate::time::zone::Zone;
use crate::time::{Time, order};
use crate::value::{Builtin, Value};
use std::cmp::Ordering;

/// A row that gives a field of weeks.
macro_rules! week {
    ($name:literal, $at:literal, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "weeks",
            "A field of WeekFields, for .get.",
            &[($example, $value)],
            &Body(|_: &mut dyn Host, a: &mut [Value]| {
                let rule =
                    of(
                        a,
                        0,
                        "WeekFields, as WeekFields/ISO",
                        |t| if let Time::Weeks(r) = t { Some(*r) } else { None },
                    )?;
                let part = PARTS.get($at).map(|p| p.1);
                Ok(part.map_or(Value::Nil, |part| Value::time(Time::WeekField(rule, part))))
            }),
        )
    };
}

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new(".toLocalDate", "time", "The LocalDate of a time.", &[("(str (.toLocalDate (LocalDateTime/of 2024 1 31 10 0)))", "\"2024-01-31\"")],
        &Body(|h, a| take(h, a, "a value with date and time", |t| t.local().map(|l| Time::Date(l.date))))),
    Builtin::new(".toLocalTime", "time", "The LocalTime of a time.", &[("(str (.toLocalTime (LocalDateTime/of 2024 1 31 10 0)))", "\"10:00\"")],
        &Body(|h, a| take(h, a, "a value with date and time", |t| t.local().map(|l| Time::Clock(l.time))))),
    Builtin::new(".toLocalDateTime", "time", "What clocks show at a time with a zone or an offset.", &[("(str (.toLocalDateTime (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00\"")],
        &Body(|h, a| take(h, a, "a ZonedDateTime or OffsetDateTime", |t| match t {
            Time::DateTime(_) => None,
            t => t.local().map(Time::DateTime),
        }))),
    Builtin::new(".toOffsetDateTime", "zoned", "The ZonedDateTime with its offset alone.", &[("(str (.toOffsetDateTime (ZonedDateTime/parse \"2024-01-31T10:00+01:00[Europe/Berlin]\")))", "\"2024-01-31T10:00+01:00\"")],
        &Body(|h, a| take(h, a, "a ZonedDateTime", |t| if let Time::Zoned(z) = t { Some(Time::Offset(z.offset_time())) } else { None }))),
    Builtin::new(".toZonedDateTime", "time", "The OffsetDateTime in the zone that its offset is.", &[("(str (.toZonedDateTime (OffsetDateTime/parse \"2024-01-31T10:00+01:00\")))", "\"2024-01-31T10:00+01:00\"")],
        &Body(|h, a| take(h, a, "an OffsetDateTime", |t| match t {
            Time::Offset(o) => Some(Time::Zoned(Zoned { local: o.local, offset: o.offset, zone: Zone::Offset(o.offset) })),
            _ => None,
        }))),
    Builtin::new(".toInstant", "time | time offset", "The Instant of an inst or of a time with a zone or an offset.", &[("(str (.toInstant #inst \"2024-01-31\"))", "\"2024-01-31T00:00:00Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            if a.len() > 1 {
                let o = with_offset(a)?;
                return Ok(Value::time(Time::Instant(o.instant())));
            }
            let at = of(a, 0, "a value with a zone or an offset", |t| if let Time::Instant(_) = t { None } else { t.instant() })?;
            Ok(Value::time(Time::Instant(at)))
        })),
    Builtin::new(".toEpochMilli", "instant", "Milliseconds since 1970 of an Instant.", &[("(.toEpochMilli (Instant/ofEpochSecond 5))", "5000")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let at = of(a, 0, "an Instant", |t| if let Time::Instant(i) = t { Some(*i) } else { None })?;
            counted(at.millis())
        })),
    Builtin::new(".getEpochSecond", "instant", "Seconds since 1970 of an Instant.", &[("(.getEpochSecond (Instant/ofEpochMilli 5000))", "5")],
        &Body(|_, a| Ok(Value::int(of(a, 0, "an Instant", |t| if let Time::Instant(i) = t { Some(i.second) } else { None })?)))),
    Builtin::new(".toEpochSecond", "time | time offset | date time offset", "Seconds since 1970 of a time with a zone or offset.", &[("(.toEpochSecond (ZonedDateTime/parse \"1970-01-01T01:00Z\"))", "3600")],
        &Body(|h, a| {
            h.charge(WORK)?;
            Ok(Value::int(match a.len() {
                1 => of(a, 0, "a ZonedDateTime or OffsetDateTime", |t| match t {
                    Time::Zoned(z) => Some(z.offset_time().second()),
                    Time::Offset(o) => Some(o.second()),
                    _ => None,
                })?,
                2 => with_offset(a)?.second(),
                _ => {
                    let (date, time) = (date(a)?, clock(a, 1)?);
                    OffsetTime { local: DateTime { date, time }, offset: offset(a, 2)? }.second()
                }
            }))
        })),
    Builtin::new(".toEpochDay", "date", "Days since 1970 of a LocalDate.", &[("(.toEpochDay (LocalDate/of 1970 2 1))", "31")],
        &Body(|_, a| Ok(Value::int(date(a)?.epoch_day())))),
    Builtin::new(".toSecondOfDay", "time", "Seconds since midnight of a LocalTime.", &[("(.toSecondOfDay (LocalTime/of 1 0))", "3600")],
        &of_32_bits!(|_, a| Ok(Value::int(clock(a, 0)?.nanos / SECOND)))),
    Builtin::new(".toNanoOfDay", "time", "Nanoseconds since midnight of a LocalTime.", &[("(.toNanoOfDay (LocalTime/of 0 0 1))", "1000000000")],
        &Body(|_, a| Ok(Value::int(clock(a, 0)?.nanos)))),
    Builtin::new(".atStartOfDay", "date | date zone", "The first moment of a LocalDate; with a zone as a ZonedDateTime.", &[("(str (.atStartOfDay (LocalDate/of 2024 1 31)))", "\"2024-01-31T00:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let start = date(a)?.start();
            if a.len() < 2 {
                return Ok(Value::time(Time::DateTime(start)));
            }
            h.charge(RULES)?;
            made(Zoned::of_local(start, zone(a, 1)?, None).map(Time::Zoned))
        })),
    Builtin::new(".atTime", "date time | date hour minute | date hour minute second | date hour minute second nano", "The LocalDateTime of a LocalDate and a time of day.", &[("(str (.atTime (LocalDate/of 2024 1 31) 10 30))", "\"2024-01-31T10:30\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let date = date(a)?;
            if a.len() == 2 {
                return Ok(Value::time(Time::DateTime(DateTime { date, time: clock(a, 1)? })));
            }
            let part = |i| if a.len() > i { int(a, i) } else { Ok(0) };
            let time = Clock::of(part(1)?, part(2)?, part(3)?, part(4)?).map_err(thrown)?;
            Ok(Value::time(Time::DateTime(DateTime { date, time })))
        })),
    Builtin::new(".atDate", "time date", "The LocalDateTime of a LocalTime on a date.", &[("(str (.atDate (LocalTime/of 10 30) (LocalDate/of 2024 1 31)))", "\"2024-01-31T10:30\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let time = clock(a, 0)?;
            let date = of(a, 1, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None })?;
            Ok(Value::time(Time::DateTime(DateTime { date, time })))
        })),
    Builtin::new(".atZone", "time zone", "A LocalDateTime or Instant in a zone.", &[("(str (.atZone (LocalDateTime/of 2024 7 1 10 0) (ZoneId/of \"Europe/Berlin\")))", "\"2024-07-01T10:00+02:00[Europe/Berlin]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let zone = zone(a, 1)?;
            made(match time(a, 0)? {
                Time::DateTime(l) => Zoned::of_local(*l, zone, None),
                Time::Instant(i) => Zoned::of_instant(*i, zone),
                _ => return Err(wrong(a, 0, "a LocalDateTime or an Instant")),
            }.map(Time::Zoned))
        })),
    Builtin::new(".atZoneSameInstant", "time zone", "An OffsetDateTime in a zone.", &[("(str (.atZoneSameInstant (OffsetDateTime/parse \"2024-07-01T10:00Z\") (ZoneId/of \"Europe/Berlin\")))", "\"2024-07-01T12:00+02:00[Europe/Berlin]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let at = of(a, 0, "an OffsetDateTime", |t| if let Time::Offset(o) = t { Some(o.instant()) } else { None })?;
            made(Zoned::of_instant(at, zone(a, 1)?).map(Time::Zoned))
        })),
    Builtin::new(".atOffset", "time offset", "A LocalDateTime or Instant with an offset.", &[("(str (.atOffset (LocalDateTime/of 2024 7 1 10 0) ZoneOffset/UTC))", "\"2024-07-01T10:00Z\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let seconds = offset(a, 1)?;
            made(match time(a, 0)? {
                Time::DateTime(l) => Ok(OffsetTime { local: *l, offset: seconds }),
                Time::Instant(i) => i.local(seconds).map(|local| OffsetTime { local, offset: seconds }),
                _ => return Err(wrong(a, 0, "a LocalDateTime or an Instant")),
            }.map(Time::Offset))
        })),
    Builtin::new(".atDay", "x day", "The LocalDate of a day of a YearMonth, or of a Year.", &[("(str (.atDay (YearMonth/of 2024 2) 29))", "\"2024-02-29\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let day = int(a, 1)?;
            made(match time(a, 0)? {
                Time::YearMonth(y, m) => Date::of(i64::from(*y), i64::from(*m), day),
                Time::Year(y) => Date::of_year_day(i64::from(*y), day),
                _ => return Err(wrong(a, 0, "a YearMonth or a Year")),
            }.map(Time::Date))
        })),
    Builtin::new(".atMonth", "year month", "The YearMonth of a Year.", &[("(str (.atMonth (Year/of 2024) 2))", "\"2024-02\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let y = of(a, 0, "a Year", |t| if let Time::Year(y) = t { Some(*y) } else { None })?;
            let m = super::arguments::month(a, 1)?;
            made(Field::MonthOfYear.check(m).map(|m| Time::YearMonth(y, m as u8)))
        })),
    Builtin::new(".atYear", "month-day year", "The LocalDate of a MonthDay in a year; 28 February where there is no 29th.", &[("(str (.atYear (MonthDay/of 2 29) 2023))", "\"2023-02-28\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let (month, day) = of(a, 0, "a MonthDay", |t| if let Time::MonthDay(m, d) = t { Some((*m, *d)) } else { None })?;
            let year = crate::time::civil::year(int(a, 1)?).map_err(thrown)?;
            Ok(Value::time(Time::Date(Date { year, month, day }.fitted())))
        })),
    Builtin::new(".atEndOfMonth", "year-month", "The last LocalDate of a YearMonth.", &[("(str (.atEndOfMonth (YearMonth/of 2024 2)))", "\"2024-02-29\"")],
        &Body(|h, a| take(h, a, "a YearMonth", |t| match t {
            Time::YearMonth(y, m) => Some(Time::Date(Date { year: *y, month: *m, day: month_days(i64::from(*y), *m) })),
            _ => None,
        }))),
    Builtin::new(".isBefore", "time other", "Whether a date or time is before another.", &[("(.isBefore (LocalDate/of 2024 1 31) (LocalDate/of 2024 2 1))", "true")],
        &Body(|h, a| ordered(h, a, Ordering::Less))),
    Builtin::new(".isAfter", "time other", "Whether a date or time is after another.", &[("(.isAfter (LocalDate/of 2024 1 31) (LocalDate/of 2024 2 1))", "false")],
        &Body(|h, a| ordered(h, a, Ordering::Greater))),
    Builtin::new(".isEqual", "time other", "Whether a date or time is at the same point as another.", &[("(.isEqual (ZonedDateTime/parse \"2024-01-31T10:00Z\") (ZonedDateTime/parse \"2024-01-31T11:00+01:00\"))", "true")],
        &Body(|h, a| ordered(h, a, Ordering::Equal))),
    Builtin::new(".getDisplayName", "x style locale", "The English name of a Month or DayOfWeek in a TextStyle.", &[("(.getDisplayName Month/MAY TextStyle/FULL Locale/ENGLISH)", "\"May\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            of(a, 2, "Locale/ENGLISH or Locale/US", |t| if let Time::Locale(_) = t { Some(()) } else { None })?;
            let width = of(a, 1, "a TextStyle", |t| if let Time::TextStyle(w, _) = t { Some(*w) } else { None })?;
            let name = of(a, 0, "a Month or a DayOfWeek", |t| match t {
                Time::Month(n) => Some(named(&MONTHS, i64::from(*n), width)),
                Time::Weekday(n) => Some(named(&DAYS, i64::from(*n), width)),
                _ => None,
            })?;
            Ok(Value::str(name))
        })),
    week!(".dayOfWeek", 0, "(.get (LocalDate/of 2024 1 31) (.dayOfWeek WeekFields/ISO))", "3"),
    week!(".weekOfMonth", 1, "(.get (LocalDate/of 2024 1 31) (.weekOfMonth WeekFields/ISO))", "5"),
    week!(".weekOfYear", 2, "(.get (LocalDate/of 2024 1 31) (.weekOfYear WeekFields/ISO))", "5"),
    week!(".weekOfWeekBasedYear", 3, "(.get (LocalDate/of 2024 12 30) (.weekOfWeekBasedYear WeekFields/ISO))", "1"),
    week!(".weekBasedYear", 4, "(.get (LocalDate/of 2024 12 30) (.weekBasedYear WeekFields/ISO))", "2025"),
];

fn take(h: &mut dyn Host, a: &[Value], expected: &str, f: fn(&Time) -> Option<Time>) -> Result {
    h.charge(WORK)?;
    of(a, 0, expected, f).map(Value::time)
}

fn date(a: &[Value]) -> Result<Date> {
    of(a, 0, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None })
}

fn clock(a: &[Value], i: usize) -> Result<Clock> {
    of(a, i, "a LocalTime", |t| if let Time::Clock(c) = t { Some(*c) } else { None })
}

/// A LocalDateTime with the offset behind it.
fn with_offset(a: &[Value]) -> Result<OffsetTime> {
    let local = of(a, 0, "a LocalDateTime", |t| if let Time::DateTime(l) = t { Some(*l) } else { None })?;
    Ok(OffsetTime { local, offset: offset(a, 1)? })
}

/// The order of two values for `.isBefore` and its like: by points in time where they are some.
fn order_of(x: &Time, y: &Time) -> Option<Ordering> {
    let moments = |x: Instant, y: Instant| Some(x.cmp(&y));
    match (x, y) {
        (Time::Zoned(a), b @ (Time::Zoned(_) | Time::Offset(_))) => moments(a.instant(), b.instant()?),
        (Time::Offset(a), Time::Offset(b)) => moments(a.instant(), b.instant()),
        (Time::Date(_), Time::Date(_))
        | (Time::Clock(_), Time::Clock(_))
        | (Time::DateTime(_), Time::DateTime(_))
        | (Time::Instant(_), Time::Instant(_))
        | (Time::Year(_), Time::Year(_))
        | (Time::YearMonth(..), Time::YearMonth(..))
        | (Time::MonthDay(..), Time::MonthDay(..)) => Some(order::order(x, y)),
        _ => None,
    }
}

fn ordered(h: &mut dyn Host, a: &[Value], wanted: Ordering) -> Result {
    h.charge(WORK)?;
    let (x, y) = (time(a, 0)?, get(a, 1));
    let Value::Time(y) = y else { return Err(wrong(a, 1, x.kind())) };
    let found = order_of(x, y).ok_or_else(|| wrong(a, 1, x.kind()))?;
    Ok(Value::Bool(found == wanted))
}
