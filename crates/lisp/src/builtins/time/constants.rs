//! Constants of the classes of dates and times: `DayOfWeek/MONDAY`, `ChronoUnit/DAYS`, `ZoneOffset/UTC`.

use crate::time::Time;
use crate::time::amount::{Duration, Period};
use crate::time::civil::{Clock, DAY, Date, DateTime, MAX_YEAR};
use crate::time::formatter::Formatter;
use crate::time::kind::STYLES;
use crate::time::moment::{INSTANT_SECONDS, Instant, OffsetTime};
use crate::time::names::{DAYS, MONTHS};
use crate::time::unit::{Field, Unit};
use crate::time::weeks::{ISO, SUNDAY};
use crate::time::zone::{MAX_OFFSET, Zone};
use crate::value::Value;
use std::sync::Arc;

/// Names of constants that are in no table.
const SINGLE: &[&str] = &[
    "ResolverStyle/STRICT",
    "ResolverStyle/SMART",
    "Locale/ENGLISH",
    "Locale/US",
    "WeekFields/ISO",
    "WeekFields/SUNDAY_START",
    "ZoneOffset/UTC",
    "ZoneOffset/MIN",
    "ZoneOffset/MAX",
    "Duration/ZERO",
    "Period/ZERO",
    "Instant/EPOCH",
    "Instant/MIN",
    "Instant/MAX",
    "LocalDate/EPOCH",
    "LocalDate/MIN",
    "LocalDate/MAX",
    "LocalTime/MIDNIGHT",
    "LocalTime/MIN",
    "LocalTime/NOON",
    "LocalTime/MAX",
    "LocalDateTime/MIN",
    "LocalDateTime/MAX",
    "OffsetDateTime/MIN",
    "OffsetDateTime/MAX",
];

/// All names of [`constant`].
pub fn names() -> impl Iterator<Item = String> {
    let unit = |u: &(Unit, &'static str)| (if u.0.is_iso() { "IsoFields" } else { "ChronoUnit" }, u.1);
    let field = |f: &(Field, &'static str)| (if f.0.is_iso() { "IsoFields" } else { "ChronoField" }, f.1);
    let tables = Unit::ALL.iter().map(unit).chain(Field::ALL.iter().map(field));
    let mut all: Vec<String> = SINGLE.iter().map(|n| (*n).to_owned()).collect();
    all.extend(tables.map(|(class, n)| format!("{class}/{n}")));
    all.extend(DAYS.iter().map(|d| format!("DayOfWeek/{}", d.to_uppercase())));
    all.extend(MONTHS.iter().map(|m| format!("Month/{}", m.to_uppercase())));
    all.extend(STYLES.iter().map(|s| format!("TextStyle/{}", s.0)));
    all.extend(Formatter::constants().iter().map(|n| format!("DateTimeFormatter/{n}")));
    all.into_iter()
}

/// The constant of this full name: the class without its package, and the name.
pub fn constant(name: &str) -> Option<Value> {
    let (class, constant) = name.split_once('/')?;
    let place = |table: &[&str]| table.iter().position(|n| n.to_uppercase() == constant).map(|at| at as u8 + 1);
    let day = |year: i32, month, day| Time::Date(Date { year, month, day });
    let instant = |second, nano| Time::Instant(Instant { second, nano });
    let clock = |nanos| Time::Clock(Clock { nanos });
    let earliest = Date { year: -MAX_YEAR, month: 1, day: 1 }.start();
    let last = Date { year: MAX_YEAR, month: 12, day: 31 };
    let latest = DateTime { date: last, time: Clock { nanos: DAY - 1 } };
    Some(Value::time(match (class, constant) {
        ("DayOfWeek", _) => Time::Weekday(place(&DAYS)?),
        ("Month", _) => Time::Month(place(&MONTHS)?),
        ("ChronoUnit", _) => Time::Unit(Unit::named(constant).filter(|u| !u.is_iso())?),
        ("ChronoField", _) => Time::Field(Field::named(constant).filter(|f| !f.is_iso())?),
        ("IsoFields", _) => match Field::named(constant).filter(|f| f.is_iso()) {
            Some(f) => Time::Field(f),
            None => Time::Unit(Unit::named(constant).filter(|u| u.is_iso())?),
        },
        ("TextStyle", _) => STYLES.iter().find(|s| s.0 == constant).map(|s| Time::TextStyle(s.1, s.2))?,
        ("ResolverStyle", "STRICT" | "SMART") => Time::Resolver(constant == "STRICT"),
        ("Locale", "ENGLISH" | "US") => Time::Locale(constant == "US"),
        ("WeekFields", "ISO") => Time::Weeks(ISO),
        ("WeekFields", "SUNDAY_START") => Time::Weeks(SUNDAY),
        ("ZoneOffset", "UTC") => Time::Zone(Zone::Offset(0)),
        ("ZoneOffset", "MIN") => Time::Zone(Zone::Offset(-MAX_OFFSET)),
        ("ZoneOffset", "MAX") => Time::Zone(Zone::Offset(MAX_OFFSET)),
        ("Duration", "ZERO") => Time::Duration(Duration::ZERO),
        ("Period", "ZERO") => Time::Period(Period { years: 0, months: 0, days: 0 }),
        ("Instant", "EPOCH") => instant(0, 0),
        ("Instant", "MIN") => instant(INSTANT_SECONDS.0, 0),
        ("Instant", "MAX") => instant(INSTANT_SECONDS.1, 999_999_999),
        ("LocalDate", "EPOCH") => day(1970, 1, 1),
        ("LocalDate", "MIN") => day(-MAX_YEAR, 1, 1),
        ("LocalDate", "MAX") => day(MAX_YEAR, 12, 31),
        ("LocalTime", "MIDNIGHT" | "MIN") => clock(0),
        ("LocalTime", "NOON") => clock(DAY / 2),
        ("LocalTime", "MAX") => clock(DAY - 1),
        ("LocalDateTime", "MAX") => Time::DateTime(latest),
        ("OffsetDateTime", "MIN") => Time::Offset(OffsetTime { local: earliest, offset: MAX_OFFSET }),
        ("OffsetDateTime", "MAX") => Time::Offset(OffsetTime { local: latest, offset: -MAX_OFFSET }),
        ("LocalDateTime", "MIN") => Time::DateTime(earliest),
        ("DateTimeFormatter", _) if Formatter::constants().contains(&constant) => {
            Time::Formatter(Arc::new(Formatter::constant(constant)?))
        }
        _ => return None,
    }))
}
