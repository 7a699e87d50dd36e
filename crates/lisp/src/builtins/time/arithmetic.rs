//! Dates and times moved: `.plusDays`, `.minusMonths`, `.withYear`, `.truncatedTo`.

use super::arguments::{RULES, WORK, int, long, made, month, of, offset, thrown, time, unit, wrong, zone};
use super::getters;
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result};
use crate::time::adjust::Adjuster;
use crate::time::amount::{Duration, Period};
use crate::time::arithmetic as times;
use crate::time::civil::DateTime;
use crate::time::error::{Res, TimeError};
use crate::time::moment::{OffsetTime, Zoned};
use crate::time::unit::{Field, Unit};
use crate::time::zone::Local;
use crate::time::{Time, fields};
use crate::value::{Builtin, Value};
use std::sync::Arc;

/// A row that moves by a unit.
macro_rules! mover {
    ($name:literal, $doc:literal, $unit:ident, $later:literal, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "time n",
            $doc,
            &[($example, $value)],
            &Body(|h: &mut dyn Host, a: &mut [Value]| move_by(h, a, Unit::$unit, $later)),
        )
    };
}

/// A row that sets a field.
macro_rules! setter {
    ($name:literal, $doc:literal, $field:ident, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "time n",
            $doc,
            &[($example, $value)],
            &Body(|h: &mut dyn Host, a: &mut [Value]| set(h, a, Field::$field)),
        )
    };
}

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    mover!(".plusDays", "So many days later; also of a Duration or Period.", Days, true, "(str (.plusDays (LocalDate/of 2024 2 28) 2))", "\"2024-03-01\""),
    mover!(".plusWeeks", "So many weeks later.", Weeks, true, "(str (.plusWeeks (LocalDate/of 2024 2 28) 1))", "\"2024-03-06\""),
    mover!(".plusMonths", "So many months later; the last day of the month where it has no such day.", Months, true, "(str (.plusMonths (LocalDate/of 2024 1 31) 1))", "\"2024-02-29\""),
    mover!(".plusYears", "So many years later; 28 February where there is no 29th.", Years, true, "(str (.plusYears (LocalDate/of 2024 2 29) 1))", "\"2025-02-28\""),
    mover!(".plusHours", "So many hours later.", Hours, true, "(str (.plusHours (LocalTime/of 23 0) 2))", "\"01:00\""),
    mover!(".plusMinutes", "So many minutes later.", Minutes, true, "(str (.plusMinutes (LocalTime/of 23 0) 90))", "\"00:30\""),
    mover!(".plusSeconds", "So many seconds later.", Seconds, true, "(str (.plusSeconds Instant/EPOCH 5))", "\"1970-01-01T00:00:05Z\""),
    mover!(".plusMillis", "So many milliseconds later.", Millis, true, "(str (.plusMillis Instant/EPOCH 5))", "\"1970-01-01T00:00:00.005Z\""),
    mover!(".plusNanos", "So many nanoseconds later.", Nanos, true, "(str (.plusNanos Instant/EPOCH 5))", "\"1970-01-01T00:00:00.000000005Z\""),
    mover!(".minusDays", "So many days earlier.", Days, false, "(str (.minusDays (LocalDate/of 2024 3 1) 1))", "\"2024-02-29\""),
    mover!(".minusWeeks", "So many weeks earlier.", Weeks, false, "(str (.minusWeeks (LocalDate/of 2024 3 1) 1))", "\"2024-02-23\""),
    mover!(".minusMonths", "So many months earlier.", Months, false, "(str (.minusMonths (LocalDate/of 2024 3 31) 1))", "\"2024-02-29\""),
    mover!(".minusYears", "So many years earlier.", Years, false, "(str (.minusYears (LocalDate/of 2024 2 29) 1))", "\"2023-02-28\""),
    mover!(".minusHours", "So many hours earlier.", Hours, false, "(str (.minusHours (LocalTime/of 1 0) 2))", "\"23:00\""),
    mover!(".minusMinutes", "So many minutes earlier.", Minutes, false, "(str (.minusMinutes (LocalTime/of 1 0) 90))", "\"23:30\""),
    mover!(".minusSeconds", "So many seconds earlier.", Seconds, false, "(str (.minusSeconds Instant/EPOCH 5))", "\"1969-12-31T23:59:55Z\""),
    mover!(".minusMillis", "So many milliseconds earlier.", Millis, false, "(str (.minusMillis Instant/EPOCH 5))", "\"1969-12-31T23:59:59.995Z\""),
    mover!(".minusNanos", "So many nanoseconds earlier.", Nanos, false, "(str (.minusNanos (LocalTime/of 1 0) 1))", "\"00:59:59.999999999\""),
    Builtin::new(".plus", "time n unit | time amount | d | d context", "So many units later, or later by a Duration or Period; of a decimal itself, rounded by a MathContext if there is one.",
        &[("(str (.plus (LocalDate/of 2024 1 31) 3 ChronoUnit/DAYS))", "\"2024-02-03\""), ("(str (.plus (LocalDate/of 2024 1 31) (Period/ofMonths 1)))", "\"2024-02-29\"")],
        &Body(|h, a| match a.first() {
            Some(Value::Decimal(_)) => crate::builtins::numbers::java_numbers::plus(h, a),
            _ => shift(h, a, true),
        })),
    Builtin::new(".minus", "time n unit | time amount", "So many units earlier, or earlier by a Duration or Period.",
        &[("(str (.minus (LocalDate/of 2024 1 31) 3 ChronoUnit/DAYS))", "\"2024-01-28\"")],
        &Body(|h, a| shift(h, a, false))),
    setter!(".withYear", "The same with another year.", Year, "(str (.withYear (LocalDate/of 2024 2 29) 2023))", "\"2023-02-28\""),
    setter!(".withMonth", "The same with another month.", MonthOfYear, "(str (.withMonth (LocalDate/of 2024 1 31) 2))", "\"2024-02-29\""),
    setter!(".withDayOfMonth", "The same with another day of the month.", DayOfMonth, "(str (.withDayOfMonth (LocalDate/of 2024 1 31) 1))", "\"2024-01-01\""),
    setter!(".withDayOfYear", "The same with another day of the year.", DayOfYear, "(str (.withDayOfYear (LocalDate/of 2024 1 31) 60))", "\"2024-02-29\""),
    setter!(".withHour", "The same with another hour.", HourOfDay, "(str (.withHour (LocalTime/of 9 30) 10))", "\"10:30\""),
    setter!(".withMinute", "The same with another minute.", MinuteOfHour, "(str (.withMinute (LocalTime/of 9 30) 0))", "\"09:00\""),
    setter!(".withSecond", "The same with another second.", SecondOfMinute, "(str (.withSecond (LocalTime/of 9 30) 5))", "\"09:30:05\""),
    setter!(".withNano", "The same with another nanosecond of the second.", NanoOfSecond, "(str (.withNano (LocalTime/of 9 30) 5))", "\"09:30:00.000000005\""),
    Builtin::new(".with", "time field n | time adjuster", "The same with another value in a field, or moved by an adjuster, as (TemporalAdjusters/lastDayOfMonth), or with another date or time in it.",
        &[("(str (.with (LocalDate/of 2024 2 1) (TemporalAdjusters/lastDayOfMonth)))", "\"2024-02-29\""), ("(str (.with (LocalDate/of 2024 2 1) ChronoField/DAY_OF_WEEK 1))", "\"2024-01-29\"")],
        &Body(with)),
    Builtin::new(".truncatedTo", "time unit", "A time without what is below a unit.",
        &[("(str (.truncatedTo (LocalTime/of 9 30 15) ChronoUnit/HOURS))", "\"09:00\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let unit = unit(a, 1)?;
            made(times::truncated(time(a, 0)?, unit).ok_or_else(|| wrong(a, 0, "a value with a time of day, or a Duration"))?)
        })),
    Builtin::new(".withZoneSameInstant", "zoned zone", "The same point in time in another zone.",
        &[("(str (.withZoneSameInstant (ZonedDateTime/parse \"2024-01-31T10:00Z\") (ZoneId/of \"Asia/Tokyo\")))", "\"2024-01-31T19:00+09:00[Asia/Tokyo]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let (z, zone) = (zoned(a)?, zone(a, 1)?);
            made(Zoned::of_instant(z.instant(), zone).map(Time::Zoned))
        })),
    Builtin::new(".withZoneSameLocal", "zoned zone", "What clocks show, in another zone.",
        &[("(str (.withZoneSameLocal (ZonedDateTime/parse \"2024-01-31T10:00Z\") (ZoneId/of \"Asia/Tokyo\")))", "\"2024-01-31T10:00+09:00[Asia/Tokyo]\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            let (z, zone) = (zoned(a)?, zone(a, 1)?);
            made(Zoned::of_local(z.local, zone, Some(z.offset)).map(Time::Zoned))
        })),
    Builtin::new(".withOffsetSameInstant", "time offset", "The same point in time with another offset.",
        &[("(str (.withOffsetSameInstant (OffsetDateTime/parse \"2024-01-31T10:00Z\") (ZoneOffset/ofHours 2)))", "\"2024-01-31T12:00+02:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let seconds = offset(a, 1)?;
            made(offset_time(a)?.at_offset(seconds).map(Time::Offset))
        })),
    Builtin::new(".withOffsetSameLocal", "time offset", "What clocks show, with another offset.",
        &[("(str (.withOffsetSameLocal (OffsetDateTime/parse \"2024-01-31T10:00Z\") (ZoneOffset/ofHours 2)))", "\"2024-01-31T10:00+02:00\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let offset = offset(a, 1)?;
            Ok(Value::time(Time::Offset(OffsetTime { offset, ..offset_time(a)? })))
        })),
    Builtin::new(".withEarlierOffsetAtOverlap", "zoned", "The earlier of two times, where clocks are put back.",
        &[("(str (.withEarlierOffsetAtOverlap (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00Z\"")],
        &Body(|h, a| overlap(h, a, true))),
    Builtin::new(".withLaterOffsetAtOverlap", "zoned", "The later of two times, where clocks are put back.",
        &[("(str (.withLaterOffsetAtOverlap (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"2024-01-31T10:00Z\"")],
        &Body(|h, a| overlap(h, a, false))),
    Builtin::new(".withDays", "period n", "The Period with so many days.", &[("(str (.withDays (Period/ofMonths 1) 2))", "\"P1M2D\"")],
        &Body(|_, a| period(a, |p, n| Period { days: n, ..p }))),
    Builtin::new(".withMonths", "period n", "The Period with so many months.", &[("(str (.withMonths (Period/ofDays 1) 2))", "\"P2M1D\"")],
        &Body(|_, a| period(a, |p, n| Period { months: n, ..p }))),
    Builtin::new(".withYears", "period n", "The Period with so many years.", &[("(str (.withYears (Period/ofDays 1) 2))", "\"P2Y1D\"")],
        &Body(|_, a| period(a, |p, n| Period { years: n, ..p }))),
    Builtin::new(".withZone", "formatter zone", "The DateTimeFormatter with a zone: what it prints instants in.",
        &[("(.format (.withZone (DateTimeFormatter/ofPattern \"HH:mm\") (ZoneId/of \"UTC\")) Instant/EPOCH)", "\"00:00\"")],
        &Body(|h, a| {
            h.charge(WORK + 64)?;
            let zone = zone(a, 1)?;
            let form = of(a, 0, "a DateTimeFormatter", |t| if let Time::Formatter(f) = t { Some(f.clone()) } else { None })?;
            h.charge(form.size())?;
            Ok(Value::time(Time::Formatter(Arc::new(form.with_zone(zone)))))
        })),
];

fn move_by(h: &mut dyn Host, a: &[Value], unit: Unit, later: bool) -> Result {
    let t = time(a, 0)?;
    h.charge(if matches!(t, Time::Zoned(_)) { WORK + RULES } else { WORK })?;
    let n = long(a, 1)?;
    if let Time::Period(p) = t {
        if !matches!(unit, Unit::Years | Unit::Months | Unit::Days) {
            return Err(wrong(a, 0, "a date, a time or a Duration"));
        }
        let sign = if later { 1 } else { -1 };
        let part = |of: Unit, old: i32| {
            if of == unit { n.checked_mul(sign)?.checked_add(i64::from(old)) } else { Some(i64::from(old)) }
        };
        let parts = (part(Unit::Years, p.years), part(Unit::Months, p.months), part(Unit::Days, p.days));
        let (Some(y), Some(m), Some(d)) = parts else { return Err(thrown(TimeError::overflow())) };
        return made(Period::of(y, m, d).map(Time::Period));
    }
    made(times::moved(t, n, unit, later))
}

fn shift(h: &mut dyn Host, a: &[Value], later: bool) -> Result {
    let t = time(a, 0)?;
    h.charge(if matches!(t, Time::Zoned(_)) { WORK + RULES } else { WORK })?;
    if a.len() > 2 {
        return made(times::moved(t, long(a, 1)?, unit(a, 2)?, later));
    }
    // Months and days of the week go round.
    let (count, number) = match t {
        Time::Month(n) => (12, *n),
        Time::Weekday(n) => (7, *n),
        _ => {
            let expected = "a Duration or a Period, or a number and a unit: (.plus date 3 ChronoUnit/DAYS)";
            let Value::Time(amount) = get(a, 1) else { return Err(wrong(a, 1, expected)) };
            return made(times::with_amount(t, amount, later).ok_or_else(|| wrong(a, 1, expected))?);
        }
    };
    let n = long(a, 1)? % count;
    let moved = (i64::from(number) - 1 + if later { n } else { -n }).rem_euclid(count) as u8 + 1;
    Ok(Value::time(if count == 12 { Time::Month(moved) } else { Time::Weekday(moved) }))
}

fn set(h: &mut dyn Host, a: &[Value], f: Field) -> Result {
    let t = time(a, 0)?;
    h.charge(if matches!(t, Time::Zoned(_)) { WORK + RULES } else { WORK })?;
    let n = if f == Field::MonthOfYear { month(a, 1)? } else { int(a, 1)? };
    if let (Time::Duration(d), Field::NanoOfSecond) = (t, f) {
        let nano = f.check(n).map_err(thrown)? as u32;
        return Ok(Value::time(Time::Duration(Duration { nano, ..*d })));
    }
    made(fields::with(t, f, n))
}

fn with(h: &mut dyn Host, a: &mut [Value]) -> Result {
    let t = time(a, 0)?;
    h.charge(WORK + RULES)?;
    let Value::Time(what) = get(a, 1) else { return Err(wrong(a, 1, "a field or an adjuster")) };
    if a.len() > 2 {
        let n = long(a, 2)?;
        return made(match &***what {
            Time::Field(f) => fields::with(t, *f, n),
            Time::WeekField(..) => {
                // Days and weeks that it is apart from what it is.
                let now = getters::at(t, get(a, 1)).unwrap_or(Ok(0)).map_err(thrown)?;
                let apart = n.checked_sub(now).ok_or_else(|| thrown(TimeError::overflow()))?;
                week_moved(t, what, apart)
            }
            _ => return Err(wrong(a, 1, "a field, as ChronoField/DAY_OF_WEEK")),
        });
    }
    made(adjusted(t, what).ok_or_else(|| wrong(a, 1, "an adjuster, as (TemporalAdjusters/lastDayOfMonth)"))?)
}

fn week_moved(t: &Time, f: &Time, apart: i64) -> Res<Time> {
    use crate::time::weeks::WeekPart;
    match f {
        Time::WeekField(_, WeekPart::DayOfWeek) => times::plus(t, apart, Unit::Days),
        Time::WeekField(_, WeekPart::WeekBasedYear) => {
            Err(TimeError::refused("weekBasedYear cannot be set here: use IsoFields/WEEK_BASED_YEAR"))
        }
        _ => times::plus(t, apart, Unit::Weeks),
    }
}

/// A value with another date or time in it; `None` where it is none.
fn adjusted(t: &Time, what: &Time) -> Option<Res<Time>> {
    let part = |f: Field, n: i64| Some(fields::with(t, f, n));
    let local = |l: DateTime| match t {
        Time::Date(_) => Ok(Time::Date(l.date)),
        Time::Clock(_) => Ok(Time::Clock(l.time)),
        Time::DateTime(_) => Ok(Time::DateTime(l)),
        Time::Offset(o) => Ok(Time::Offset(OffsetTime { local: l, ..*o })),
        Time::Zoned(z) => z.with_local(l).map(Time::Zoned),
        _ => Err(TimeError::field(Field::EpochDay.text())),
    };
    let now = t.local().unwrap_or(DateTime { date: t.date().unwrap_or(EPOCH), time: t.clock().unwrap_or(MIDNIGHT) });
    match what {
        Time::Adjuster(x) => match t.date() {
            Some(d) => Some(x.of(d).and_then(|date| local(DateTime { date, ..now }))),
            None => Some(Err(TimeError::field(lacking(*x)))),
        },
        Time::Date(date) if t.date().is_some() => Some(local(DateTime { date: *date, ..now })),
        Time::Clock(time) if t.clock().is_some() => Some(local(DateTime { time: *time, ..now })),
        Time::DateTime(l) if t.local().is_some() => Some(local(*l)),
        Time::Date(_) => Some(Err(TimeError::field(Field::EpochDay.text()))),
        Time::Clock(_) => Some(Err(TimeError::field(Field::NanoOfDay.text()))),
        Time::Weekday(d) => part(Field::DayOfWeek, i64::from(*d)),
        Time::Month(m) => part(Field::MonthOfYear, i64::from(*m)),
        Time::Year(y) => part(Field::Year, i64::from(*y)),
        Time::YearMonth(y, m) => part(Field::ProlepticMonth, i64::from(*y) * 12 + i64::from(*m) - 1),
        Time::MonthDay(m, d) => Some(
            fields::with(t, Field::MonthOfYear, i64::from(*m))
                .and_then(|t| fields::with(&t, Field::DayOfMonth, i64::from(*d))),
        ),
        _ => None,
    }
}

const EPOCH: crate::time::civil::Date = crate::time::civil::Date { year: 1970, month: 1, day: 1 };
const MIDNIGHT: crate::time::civil::Clock = crate::time::civil::Clock { nanos: 0 };

/// The field that an adjuster asks for first.
fn lacking(x: Adjuster) -> &'static str {
    match x {
        Adjuster::FirstDayOfYear | Adjuster::LastDayOfYear | Adjuster::FirstDayOfNextYear => Field::DayOfYear.text(),
        Adjuster::Next(_) | Adjuster::NextOrSame(_) | Adjuster::Previous(_) | Adjuster::PreviousOrSame(_) => {
            Field::DayOfWeek.text()
        }
        _ => Field::DayOfMonth.text(),
    }
}

fn zoned(a: &[Value]) -> Result<Zoned> {
    of(a, 0, "a ZonedDateTime", |t| if let Time::Zoned(z) = t { Some(z.clone()) } else { None })
}

fn offset_time(a: &[Value]) -> Result<OffsetTime> {
    of(a, 0, "an OffsetDateTime", |t| if let Time::Offset(o) = t { Some(*o) } else { None })
}

fn overlap(h: &mut dyn Host, a: &[Value], earlier: bool) -> Result {
    h.charge(WORK + RULES)?;
    let z = zoned(a)?;
    let offset = match z.zone.local(z.local).map_err(thrown)? {
        Local::Twice(before, after) => {
            if earlier {
                before
            } else {
                after
            }
        }
        _ => z.offset,
    };
    Ok(Value::time(Time::Zoned(Zoned { offset, ..z })))
}

fn period(a: &[Value], set: impl FnOnce(Period, i32) -> Period) -> Result {
    let p = of(a, 0, "a Period", |t| if let Time::Period(p) = t { Some(*p) } else { None })?;
    let n = i32::try_from(int(a, 1)?).unwrap_or(0);
    Ok(Value::time(Time::Period(set(p, n))))
}
