//! Durations and periods: made, taken apart, multiplied; and what is between two dates or times.

use super::arguments::{RULES, WORK, counted, int, long, made, of, text, thrown, time, unit, wrong};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::time::amount::{Duration, Period};
use crate::time::arithmetic as times;
use crate::time::error::TimeError;
use crate::time::unit::Unit;
use crate::time::{Time, tag};
use crate::value::{Builtin, Value, Width};

/// A row that makes a Duration of so many units.
macro_rules! duration {
    ($name:literal, $doc:literal, $unit:ident, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "n",
            $doc,
            &[($example, $value)],
            &Body(|h: &mut dyn Host, a: &mut [Value]| {
                h.charge(WORK)?;
                made(Duration::of_unit(long(a, 0)?, Unit::$unit).map(Time::Duration))
            }),
        )
    };
}

/// A row that makes a Period of so many units.
macro_rules! period {
    ($name:literal, $doc:literal, $n:ident, $parts:expr, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "n",
            $doc,
            &[($example, $value)],
            &Body(|h: &mut dyn Host, a: &mut [Value]| {
                h.charge(WORK)?;
                let $n = int(a, 0)?;
                let (years, months, days) = $parts;
                made(Period::of(years, months, days).map(Time::Period))
            }),
        )
    };
}

/// A row that gives a number of a Duration or a Period.
macro_rules! part {
    ($width:expr, $name:literal, $param:literal, $doc:literal, $body:expr, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            $param,
            $doc,
            &[($example, $value)],
            &Body(|h: &mut dyn Host, a: &mut [Value]| {
                h.charge(WORK)?;
                let take: fn(&Time) -> Option<i64> = $body;
                Ok(Value::int(of(a, 0, concat!("a ", $param), take)?).of_width($width))
            }),
        )
    };
}

const DAY: i64 = 86_400;

fn seconds(t: &Time, unit: i64) -> Option<i64> {
    match t {
        Time::Duration(d) => Some(d.second / unit),
        _ => None,
    }
}

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    duration!("Duration/ofDays", "A Duration of so many days of 24 hours.", Days, "(str (Duration/ofDays 2))", "\"PT48H\""),
    duration!("Duration/ofHours", "A Duration of so many hours.", Hours, "(str (Duration/ofHours 2))", "\"PT2H\""),
    duration!("Duration/ofMinutes", "A Duration of so many minutes.", Minutes, "(str (Duration/ofMinutes 90))", "\"PT1H30M\""),
    duration!("Duration/ofMillis", "A Duration of so many milliseconds.", Millis, "(str (Duration/ofMillis 1500))", "\"PT1.5S\""),
    duration!("Duration/ofNanos", "A Duration of so many nanoseconds.", Nanos, "(str (Duration/ofNanos 1500))", "\"PT0.0000015S\""),
    Builtin::new("Duration/ofSeconds", "n | n nanos", "A Duration of so many seconds, and nanoseconds.", &[("(str (Duration/ofSeconds 5))", "\"PT5S\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let nanos = if a.len() > 1 { long(a, 1)? } else { 0 };
            made(Duration::of_nanos(i128::from(long(a, 0)?) * 1_000_000_000 + i128::from(nanos)).map(Time::Duration))
        })),
    Builtin::new("Duration/of", "n unit", "A Duration of so many units.", &[("(str (Duration/of 5 ChronoUnit/MINUTES))", "\"PT5M\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(Duration::of_unit(long(a, 0)?, unit(a, 1)?).map(Time::Duration))
        })),
    Builtin::new("Duration/parse", "s", "The Duration that a text says.",
        &[("(.toMinutes (Duration/parse \"PT1H30M\"))", "90"), ("(Duration/parse \"1h\")", "!Text cannot be parsed to a Duration")],
        &Body(|h, a| made(tag::duration(text(h, a, 0)?).map(Time::Duration)))),
    Builtin::new("Duration/between", "start end", "The Duration from one time to another.",
        &[("(str (Duration/between (LocalTime/of 9 0) (LocalTime/of 17 30)))", "\"PT8H30M\"")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            made(times::duration_between(time(a, 0)?, time(a, 1)?).map(Time::Duration))
        })),
    period!("Period/ofDays", "A Period of so many days.", n, (0, 0, n), "(str (Period/ofDays 3))", "\"P3D\""),
    period!("Period/ofWeeks", "A Period of so many weeks.", n, (0, 0, n * 7), "(str (Period/ofWeeks 2))", "\"P14D\""),
    period!("Period/ofMonths", "A Period of so many months.", n, (0, n, 0), "(str (Period/ofMonths 3))", "\"P3M\""),
    period!("Period/ofYears", "A Period of so many years.", n, (n, 0, 0), "(str (Period/ofYears 3))", "\"P3Y\""),
    Builtin::new("Period/of", "years months days", "A Period of these numbers.", &[("(str (Period/of 1 2 3))", "\"P1Y2M3D\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            made(Period::of(int(a, 0)?, int(a, 1)?, int(a, 2)?).map(Time::Period))
        })),
    Builtin::new("Period/parse", "s", "The Period that a text says.", &[("(.getMonths (Period/parse \"P1Y2M\"))", "2")],
        &of_32_bits!(|h, a| made(tag::period(text(h, a, 0)?).map(Time::Period)))),
    Builtin::new("Period/between", "start end", "Whole years, months and days from one date to another.",
        &[("(str (Period/between (LocalDate/of 2020 2 29) (LocalDate/of 2024 3 1)))", "\"P4Y1D\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let date = |i| of(a, i, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None });
            made(Period::between(date(0)?, date(1)?).map(Time::Period))
        })),
    Builtin::new(".between", "unit start end", "How many whole units from one date or time to another.",
        &[("(.between ChronoUnit/DAYS (LocalDate/of 2024 2 1) (LocalDate/of 2024 3 1))", "29")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            counted(times::between(unit(a, 0)?, time(a, 1)?, time(a, 2)?))
        })),
    Builtin::new(".until", "start end unit | start end", "How many whole units until another date or time; without a unit the Period between two dates.",
        &[("(.until (LocalDate/of 2024 2 1) (LocalDate/of 2024 3 1) ChronoUnit/DAYS)", "29")],
        &Body(|h, a| {
            h.charge(WORK + RULES)?;
            if a.len() > 2 {
                return counted(times::between(unit(a, 2)?, time(a, 0)?, time(a, 1)?));
            }
            let start = of(a, 0, "a LocalDate", |t| if let Time::Date(d) = t { Some(*d) } else { None })?;
            let end = times::date_of(time(a, 1)?).map_err(thrown)?;
            made(Period::between(start, end).map(Time::Period))
        })),
    part!(Width::W64, ".getSeconds", "Duration", "The whole seconds of a Duration.", |t| seconds(t, 1), "(.getSeconds (Duration/ofMinutes 2))", "120"),
    part!(Width::W64, ".toSeconds", "Duration", "The whole seconds of a Duration.", |t| seconds(t, 1), "(.toSeconds (Duration/ofMinutes 2))", "120"),
    part!(Width::W64, ".toMinutes", "Duration", "The whole minutes of a Duration.", |t| seconds(t, 60), "(.toMinutes (Duration/ofHours 2))", "120"),
    part!(Width::W64, ".toHours", "Duration", "The whole hours of a Duration.", |t| seconds(t, 3600), "(.toHours (Duration/ofDays 2))", "48"),
    part!(Width::W64, ".toDays", "Duration", "The whole days of a Duration, each of 24 hours.", |t| seconds(t, DAY), "(.toDays (Duration/ofHours 50))", "2"),
    part!(Width::W64, ".toDaysPart", "Duration", "The whole days of a Duration.", |t| seconds(t, DAY), "(.toDaysPart (Duration/ofHours 50))", "2"),
    part!(Width::W32, ".toHoursPart", "Duration", "The hours of a Duration besides its days.", |t| seconds(t, 3600).map(|n| n % 24), "(.toHoursPart (Duration/ofHours 50))", "2"),
    part!(Width::W32, ".toMinutesPart", "Duration", "The minutes of a Duration besides its hours.", |t| seconds(t, 60).map(|n| n % 60), "(.toMinutesPart (Duration/ofMinutes 90))", "30"),
    part!(Width::W32, ".toSecondsPart", "Duration", "The seconds of a Duration besides its minutes.", |t| seconds(t, 1).map(|n| n % 60), "(.toSecondsPart (Duration/ofSeconds 90))", "30"),
    part!(Width::W32, ".toMillisPart", "Duration", "The milliseconds of a Duration besides its seconds.", |t| if let Time::Duration(d) = t { Some(i64::from(d.nano) / 1_000_000) } else { None }, "(.toMillisPart (Duration/ofMillis 1500))", "500"),
    part!(Width::W32, ".toNanosPart", "Duration", "The nanoseconds of a Duration besides its seconds.", |t| if let Time::Duration(d) = t { Some(i64::from(d.nano)) } else { None }, "(.toNanosPart (Duration/ofMillis 1500))", "500000000"),
    Builtin::new(".toMillis", "duration", "A Duration in milliseconds.", &[("(.toMillis (Duration/ofSeconds 2))", "2000")],
        &Body(|h, a| whole(h, a, 1_000_000))),
    Builtin::new(".toNanos", "duration", "A Duration in nanoseconds.", &[("(.toNanos (Duration/ofMillis 2))", "2000000")],
        &Body(|h, a| whole(h, a, 1))),
    part!(Width::W32, ".getYears", "Period", "The years of a Period.", |t| if let Time::Period(p) = t { Some(p.years.into()) } else { None }, "(.getYears (Period/of 1 2 3))", "1"),
    part!(Width::W32, ".getMonths", "Period", "The months of a Period.", |t| if let Time::Period(p) = t { Some(p.months.into()) } else { None }, "(.getMonths (Period/of 1 2 3))", "2"),
    part!(Width::W32, ".getDays", "Period", "The days of a Period.", |t| if let Time::Period(p) = t { Some(p.days.into()) } else { None }, "(.getDays (Period/of 1 2 3))", "3"),
    part!(Width::W64, ".toTotalMonths", "Period", "The months and years of a Period in months.", |t| if let Time::Period(p) = t { Some(p.total_months()) } else { None }, "(.toTotalMonths (Period/of 1 2 3))", "14"),
    Builtin::new(".normalized", "period", "The Period with months carried into years.", &[("(str (.normalized (Period/of 1 14 3)))", "\"P2Y2M3D\"")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let p = of(a, 0, "a Period", |t| if let Time::Period(p) = t { Some(*p) } else { None })?;
            let all = p.total_months();
            made(Period::of(all / 12, all % 12, i64::from(p.days)).map(Time::Period))
        })),
    Builtin::new(".isZero", "amount", "Whether a Duration or Period is none.", &[("(.isZero Duration/ZERO)", "true")],
        &Body(|_, a| Ok(Value::Bool(of(a, 0, "a Duration or Period", |t| match t {
            Time::Duration(d) => Some(*d == Duration::ZERO),
            Time::Period(p) => Some((p.years, p.months, p.days) == (0, 0, 0)),
            _ => None,
        })?)))),
    Builtin::new(".isNegative", "amount", "Whether a Duration, or a part of a Period, is below zero.", &[("(.isNegative (Duration/ofDays -1))", "true")],
        &Body(|_, a| Ok(Value::Bool(of(a, 0, "a Duration or Period", |t| match t {
            Time::Duration(d) => Some(d.second < 0),
            Time::Period(p) => Some(p.years < 0 || p.months < 0 || p.days < 0),
            _ => None,
        })?)))),
    Builtin::new(".multipliedBy", "amount n", "A Duration or Period, so many times.", &[("(str (.multipliedBy (Duration/ofMinutes 20) 3))", "\"PT1H\"")],
        &Body(|h, a| times_n(h, a))),
    Builtin::new(".negated", "amount", "A Duration or Period with the other sign.", &[("(str (.negated (Period/ofDays 3)))", "\"P-3D\"")],
        &Body(|_, a| signed(time(a, 0)?, false).ok_or_else(|| wrong(a, 0, "a Duration or Period"))?)),
    Builtin::new(".dividedBy", "duration n | duration other", "A Duration divided by a number, or how often another fits in.",
        &[("(str (.dividedBy (Duration/ofHours 1) 4))", "\"PT15M\""), ("(.dividedBy (Duration/ofHours 1) (Duration/ofMinutes 7))", "8")],
        &Body(divided)),
];

fn duration(a: &[Value], i: usize) -> Result<Duration> {
    of(a, i, "a Duration", |t| if let Time::Duration(d) = t { Some(*d) } else { None })
}

fn whole(h: &mut dyn Host, a: &[Value], unit: i64) -> Result {
    h.charge(WORK)?;
    counted(duration(a, 0)?.whole(unit))
}

fn times_n(h: &mut dyn Host, a: &[Value]) -> Result {
    h.charge(WORK)?;
    let n = long(a, 1)?;
    made(match time(a, 0)? {
        Time::Duration(d) => {
            let product = d.nanos().checked_mul(i128::from(n)).ok_or_else(TimeError::overflow);
            product.and_then(Duration::of_nanos).map(Time::Duration)
        }
        Time::Period(p) => {
            let n = int(a, 1)?;
            let part = |x: i32| i64::from(x) * n;
            Period::of(part(p.years), part(p.months), part(p.days)).map(Time::Period)
        }
        _ => return Err(wrong(a, 0, "a Duration or Period")),
    })
}

fn divided(h: &mut dyn Host, a: &mut [Value]) -> Result {
    h.charge(WORK)?;
    let d = duration(a, 0)?;
    let zero = || thrown(TimeError::new("ArithmeticException", "Cannot divide by zero"));
    if let Value::Time(_) = get(a, 1) {
        let other = duration(a, 1)?;
        let n = d.nanos().checked_div(other.nanos()).ok_or_else(zero)?;
        return counted(i64::try_from(n).map_err(|_| TimeError::overflow()));
    }
    made(Duration::of_nanos(d.nanos().checked_div(i128::from(long(a, 1)?)).ok_or_else(zero)?).map(Time::Duration))
}

/// What `.negate` and `.abs` give of an amount; `None` of anything else.
pub fn signed(t: &Time, positive: bool) -> Option<Result> {
    Some(made(match t {
        Time::Duration(d) if positive && d.second >= 0 => Ok(Time::Duration(*d)),
        Time::Duration(d) => Duration::of_nanos(-d.nanos()).map(Time::Duration),
        Time::Period(p) if !positive => {
            let part = |x: i32| -i64::from(x);
            Period::of(part(p.years), part(p.months), part(p.days)).map(Time::Period)
        }
        _ => return None,
    }))
}
