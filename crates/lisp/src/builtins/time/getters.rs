//! What is read of a date or time: its year, its hour, whether its year is a leap year.

use super::arguments::{WORK, counted, field, long, of, rules, thrown, time, wrong};
use crate::builtins::args::get;
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Interrupt, Result, of_32_bits};
use crate::time::error::{Res, TimeError};
use crate::time::unit::{Field, Unit};
use crate::time::zone::Zone;
use crate::time::{Time, arithmetic, civil, fields};
use crate::value::{Builtin, Value, Width};

/// A row that gives what a field holds.
macro_rules! getter {
    ($name:literal, $param:literal, $doc:literal, $field:ident, $example:literal, $value:literal) => {
        Builtin::new($name, $param, $doc, &[($example, $value)], &of_32_bits!(|h, a| number(h, a, Field::$field, $doc)))
    };
}

/// The rows of this file.
pub const ROWS: &[BuiltinRow] = &[
    getter!(".getYear", "date", "The year of a date.", Year, "(.getYear (LocalDate/of 2024 1 31))", "2024"),
    getter!(
        ".getMonthValue",
        "date",
        "The number of the month of a date, from 1 to 12.",
        MonthOfYear,
        "(.getMonthValue (LocalDate/of 2024 1 31))",
        "1"
    ),
    getter!(
        ".getDayOfMonth",
        "date",
        "The day of the month of a date.",
        DayOfMonth,
        "(.getDayOfMonth (LocalDate/of 2024 1 31))",
        "31"
    ),
    getter!(
        ".getDayOfYear",
        "date",
        "The day of the year of a date.",
        DayOfYear,
        "(.getDayOfYear (LocalDate/of 2024 3 1))",
        "61"
    ),
    getter!(".getHour", "time", "The hour of a time of day.", HourOfDay, "(.getHour (LocalTime/of 9 30))", "9"),
    getter!(
        ".getMinute",
        "time",
        "The minute of a time of day.",
        MinuteOfHour,
        "(.getMinute (LocalTime/of 9 30))",
        "30"
    ),
    getter!(
        ".getSecond",
        "time",
        "The second of a time of day.",
        SecondOfMinute,
        "(.getSecond (LocalTime/of 9 30 15))",
        "15"
    ),
    Builtin::new(
        ".getNano",
        "time",
        "The nanosecond of the second of a time, an Instant or a Duration.",
        &[("(.getNano (Duration/ofMillis 1500))", "500000000")],
        &of_32_bits!(|h, a| {
            h.charge(WORK)?;
            match time(a, 0)? {
                Time::Duration(d) => Ok(Value::int(i64::from(d.nano))),
                _ => number(h, a, Field::NanoOfSecond, "The nanosecond of the second"),
            }
        }),
    ),
    Builtin::new(
        ".getMonth",
        "date",
        "The Month of a date.",
        &[("(str (.getMonth (LocalDate/of 2024 1 31)))", "\"JANUARY\"")],
        &Body(|h, a| {
            number(h, a, Field::MonthOfYear, "The Month of a date").map(|n| match n {
                Value::Int(n) => Value::time(Time::Month(n.get() as u8)),
                other => other,
            })
        }),
    ),
    Builtin::new(
        ".getDayOfWeek",
        "date",
        "The DayOfWeek of a date.",
        &[("(str (.getDayOfWeek (LocalDate/of 2024 1 31)))", "\"WEDNESDAY\"")],
        &Body(|h, a| {
            number(h, a, Field::DayOfWeek, "The DayOfWeek of a date").map(|n| match n {
                Value::Int(n) => Value::time(Time::Weekday(n.get() as u8)),
                other => other,
            })
        }),
    ),
    Builtin::new(
        ".getLong",
        "time field",
        "The value of a field of a date or time.",
        &[("(.getLong (LocalDate/of 2024 1 31) ChronoField/EPOCH_DAY)", "19753")],
        &Body(|h, a| {
            h.charge(WORK)?;
            counted(at(time(a, 0)?, get(a, 1)).ok_or_else(|| wrong(a, 1, "a field, as ChronoField/DAY_OF_WEEK"))?)
        }),
    ),
    Builtin::new(
        ".isSupported",
        "time field",
        "Whether a date or time has a field.",
        &[("(.isSupported (LocalDate/of 2024 1 31) ChronoField/HOUR_OF_DAY)", "false")],
        &Body(|h, a| {
            h.charge(WORK)?;
            let t = time(a, 0)?;
            match get(a, 1) {
                Value::Time(of) => match ***of {
                    // A unit is there where it can be added.
                    Time::Unit(u) => Ok(Value::Bool(arithmetic::plus(t, 0, u).is_ok())),
                    _ => Ok(Value::Bool(fields::value(t, field(a, 1)?).is_some())),
                },
                _ => Err(wrong(a, 1, "a field or a unit")),
            }
        }),
    ),
    Builtin::new(
        ".isLeapYear",
        "date",
        "Whether the year of a date has 366 days.",
        &[("(.isLeapYear (LocalDate/of 2024 1 31))", "true")],
        &Body(|h, a| leap(h, a)),
    ),
    Builtin::new(
        ".isLeap",
        "year",
        "Whether a Year has 366 days.",
        &[("(.isLeap (Year/of 1900))", "false")],
        &Body(|h, a| leap(h, a)),
    ),
    Builtin::new(
        "Year/isLeap",
        "year",
        "Whether a year, a number, has 366 days.",
        &[("(Year/isLeap 2000)", "true")],
        &Body(|_, a| Ok(Value::Bool(civil::is_leap(long(a, 0)?)))),
    ),
    Builtin::new(
        ".lengthOfMonth",
        "date",
        "How many days the month of a date has.",
        &[("(.lengthOfMonth (YearMonth/of 2024 2))", "29")],
        &of_32_bits!(|h, a| {
            h.charge(WORK)?;
            let days = |t: &Time| {
                Some(match t {
                    Time::YearMonth(y, m) => civil::month_days(i64::from(*y), *m),
                    t => t.date()?.month_days(),
                })
            };
            Ok(Value::int(i64::from(of(a, 0, "a date or a YearMonth", days)?)))
        }),
    ),
    Builtin::new(
        ".lengthOfYear",
        "date",
        "How many days the year of a date has.",
        &[("(.lengthOfYear (LocalDate/of 2024 1 31))", "366")],
        &of_32_bits!(|h, a| match leap(h, a)? {
            Value::Bool(true) => Ok(Value::int(366)),
            _ => Ok(Value::int(365)),
        }),
    ),
    Builtin::new(
        ".maxLength",
        "month",
        "How many days a Month has at most.",
        &[("(.maxLength Month/FEBRUARY)", "29")],
        &of_32_bits!(|_, a| month_length(a, 2000)),
    ),
    Builtin::new(
        ".minLength",
        "month",
        "How many days a Month has at least.",
        &[("(.minLength Month/FEBRUARY)", "28")],
        &of_32_bits!(|_, a| month_length(a, 2001)),
    ),
    Builtin::new(
        ".getOffset",
        "time",
        "The ZoneOffset of a time.",
        &[("(str (.getOffset (OffsetDateTime/parse \"2024-01-31T10:00+02:00\")))", "\"+02:00\"")],
        &Body(|_, a| {
            let seconds = of(a, 0, "a ZonedDateTime or OffsetDateTime", |t| match t {
                Time::Zone(_) => None,
                t => t.offset(),
            })?;
            Ok(Value::time(Time::Zone(Zone::Offset(seconds))))
        }),
    ),
    Builtin::new(
        ".getZone",
        "time",
        "The ZoneId of a ZonedDateTime.",
        &[("(str (.getZone (ZonedDateTime/parse \"2024-01-31T10:00Z\")))", "\"Z\"")],
        &Body(|_, a| {
            let zone = of(a, 0, "a ZonedDateTime", |t| match t {
                Time::Zoned(z) => Some(z.zone.clone()),
                Time::Formatter(f) => f.zone().cloned(),
                _ => None,
            })?;
            Ok(Value::time(Time::Zone(zone)))
        }),
    ),
    Builtin::new(
        ".getId",
        "zone",
        "The name of a ZoneId.",
        &[("(.getId (ZoneId/of \"Europe/Berlin\"))", "\"Europe/Berlin\"")],
        &Body(|_, a| Ok(Value::from(super::arguments::zone(a, 0)?.id()))),
    ),
    Builtin::new(
        ".getTotalSeconds",
        "offset",
        "How many seconds a ZoneOffset is ahead of UTC.",
        &[("(.getTotalSeconds (ZoneOffset/ofHours 2))", "7200")],
        &of_32_bits!(|_, a| Ok(Value::int(i64::from(super::arguments::offset(a, 0)?)))),
    ),
    Builtin::new(
        ".isDaylightSavings",
        "rules instant",
        "Whether clocks are put forward at an Instant, by the rules of a zone.",
        &[(
            "(.isDaylightSavings (.getRules (ZoneId/of \"Europe/Berlin\")) (Instant/parse \"2024-07-01T00:00:00Z\"))",
            "true",
        )],
        &Body(|h, a| {
            rules(h)?;
            let zone = super::arguments::zone(a, 0)?;
            let at = arithmetic::instant_of(time(a, 1)?).map_err(thrown)?;
            zone.is_summer(at.second).map(Value::Bool).map_err(thrown)
        }),
    ),
    Builtin::new(
        ".getRules",
        "zone",
        "The rules of a ZoneId, here itself: for .isDaylightSavings.",
        &[("(str (.getRules ZoneOffset/UTC))", "\"Z\"")],
        &Body(|_, a| Ok(Value::time(Time::Zone(super::arguments::zone(a, 0)?)))),
    ),
    Builtin::new(
        ".name",
        "constant",
        "The name of a constant, as of a Month.",
        &[("(.name ChronoUnit/DAYS)", "\"DAYS\"")],
        &Body(|_, a| {
            let name = of(a, 0, "a constant, as Month/MAY", |t| t.is_constant().then(|| t.literal()))?;
            Ok(Value::from(name))
        }),
    ),
    Builtin::new(
        ".ordinal",
        "constant",
        "The place of a constant among those of its kind, from 0.",
        &[("(.ordinal Month/JANUARY)", "0")],
        &of_32_bits!(|_, a| {
            let at = of(a, 0, "a constant, as Month/MAY", |t| match t {
                Time::Weekday(n) | Time::Month(n) => Some(i64::from(*n) - 1),
                Time::Unit(u) if !u.is_iso() => Some(*u as i64),
                Time::Field(f) if !f.is_iso() => Some(*f as i64),
                _ => None,
            })?;
            Ok(Value::int(at))
        }),
    ),
];

/// What a field of the first argument holds.
fn number(h: &mut dyn Host, a: &[Value], f: Field, what: &str) -> Result {
    h.charge(WORK)?;
    match fields::value(time(a, 0)?, f) {
        Some(n) => Ok(Value::int(n)),
        None => Err(lacks(a, f, what)),
    }
}

#[cold]
fn lacks(a: &[Value], f: Field, _: &str) -> Interrupt {
    let expected = if f.is_of_time() { "a value with a time of day" } else { "a value with a date" };
    let error = wrong(a, 0, expected);
    match get(a, 0) {
        Value::Time(t) => match &***t {
            Time::Inst(_) => error.hint("of an inst: (.atZone (.toInstant d) (ZoneId/of \"UTC\")) has date and time"),
            Time::Instant(_) => error.hint("of an Instant: (.atZone i (ZoneId/of \"UTC\")) has date and time"),
            _ => error,
        },
        _ => error,
    }
}

/// What a field, also one of `WeekFields`, holds; `None` where that is no field.
pub fn at(t: &Time, f: &Value) -> Option<Res<i64>> {
    let Value::Time(f) = f else { return None };
    match &***f {
        Time::Field(f) => Some(fields::get(t, *f)),
        Time::Unit(u) => {
            let found = match (t, u) {
                (Time::Duration(d), Unit::Seconds) => Some(d.second),
                (Time::Duration(d), Unit::Nanos) => Some(i64::from(d.nano)),
                (Time::Period(p), Unit::Years) => Some(i64::from(p.years)),
                (Time::Period(p), Unit::Months) => Some(i64::from(p.months)),
                (Time::Period(p), Unit::Days) => Some(i64::from(p.days)),
                _ => None,
            };
            Some(found.ok_or_else(|| TimeError::unit(u.text())))
        }
        Time::WeekField(rule, part) => {
            Some(t.date().map(|d| rule.get(d, *part)).ok_or_else(|| TimeError::field(part.text())))
        }
        _ => None,
    }
}

/// `(.get time field)`: what is larger than 32 bits is not got by this.
pub fn small(h: &mut dyn Host, t: &Time, f: &Value) -> Result {
    h.charge(WORK)?;
    let n = at(t, f).ok_or_else(|| Interrupt::argument(1, "a field, as ChronoField/DAY_OF_WEEK", f))?;
    if let (Ok(_), Value::Time(f)) = (&n, f)
        && let Time::Field(
            f
            @ (Field::EpochDay | Field::ProlepticMonth | Field::NanoOfDay | Field::MicroOfDay | Field::InstantSeconds),
        ) = &***f
    {
        let words = format!("Invalid field '{}' for get() method, use getLong() instead", f.text());
        return Err(thrown(TimeError::new("UnsupportedTemporalTypeException", words)));
    }
    counted(n)
}

/// `(.getValue x)` of a Month, a DayOfWeek or a Year.
pub fn value(t: &Time) -> Option<Value> {
    Some(
        Value::int(match t {
            Time::Weekday(n) | Time::Month(n) => i64::from(*n),
            Time::Year(y) => i64::from(*y),
            _ => return None,
        })
        .of_width(Width::W32),
    )
}

/// How many days a Year has; `None` of what is none.
pub fn days_of_year(t: &Time) -> Option<i64> {
    match t {
        Time::Year(y) => Some(if civil::is_leap(i64::from(*y)) { 366 } else { 365 }),
        _ => None,
    }
}

fn leap(h: &mut dyn Host, a: &[Value]) -> Result {
    h.charge(WORK)?;
    let year = of(a, 0, "a date, a YearMonth or a Year", |t| fields::value(t, Field::Year))?;
    Ok(Value::Bool(civil::is_leap(year)))
}

fn month_length(a: &[Value], year: i64) -> Result {
    let month = of(a, 0, "a Month", |t| if let Time::Month(m) = t { Some(*m) } else { None })?;
    Ok(Value::int(i64::from(civil::month_days(year, month))))
}
