//! `DayOfWeek`, `Month`, `Year`, `YearMonth`, `MonthDay`, `TemporalAdjusters` and `WeekFields`: how they are made.

use super::arguments::{int, made, month, of, text, thrown, weekday};
use super::dates::{from, local_now, parse};
use crate::builtins::row::BuiltinRow;
use crate::host::{Body, Host, Result, of_32_bits};
use crate::time::Time;
use crate::time::adjust::{Adjuster, OF_DAY, PLAIN};
use crate::time::arithmetic as times;
use crate::time::civil::year;
use crate::time::error::TimeError;
use crate::time::fields::month_day;
use crate::time::tag::year_month;
use crate::time::unit::{Field, Unit};
use crate::time::weeks::{SUNDAY, WeekRule};
use crate::value::{Builtin, Value};

/// A row of `TemporalAdjusters` that takes nothing, or a day of the week.
macro_rules! adjuster {
    ($name:literal, "", $doc:literal, $at:literal, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "",
            $doc,
            &[($example, $value)],
            &Body(|_: &mut dyn Host, _: &mut [Value]| {
                Ok(PLAIN.get($at).map_or(Value::Nil, |row| Value::time(Time::Adjuster(row.1))))
            }),
        )
    };
    ($name:literal, $doc:literal, $at:literal, $example:literal, $value:literal) => {
        Builtin::new(
            $name,
            "day",
            $doc,
            &[($example, $value)],
            &Body(|_: &mut dyn Host, a: &mut [Value]| {
                let day = weekday(a, 0)?;
                Ok(OF_DAY.get($at).map_or(Value::Nil, |row| Value::time(Time::Adjuster((row.1)(day)))))
            }),
        )
    };
}

/// The rows of this file.
#[rustfmt::skip]
pub const ROWS: &[BuiltinRow] = &[
    Builtin::new("DayOfWeek/of", "n", "The day of the week of this number, 1 for Monday.", &[("(str (DayOfWeek/of 1))", "\"MONDAY\"")],
        &Body(|_, a| numbered(a, "DayOfWeek", 7, Time::Weekday))),
    Builtin::new("DayOfWeek/valueOf", "name", "The day of the week of this name.", &[("(.getValue (DayOfWeek/valueOf \"MONDAY\"))", "1"), ("(DayOfWeek/valueOf \"Monday\")", "!No enum constant java.time.DayOfWeek.Monday")],
        &of_32_bits!(|h, a| named(h, a, "time/day-of-week", "java.time.DayOfWeek"))),
    Builtin::new("DayOfWeek/values", "", "All days of the week, as a vector.", &[("(count (DayOfWeek/values))", "7")],
        &of_32_bits!(|h, _| all(h, (1..=7).map(Time::Weekday)))),
    Builtin::new("DayOfWeek/from", "time", "The day of the week of a date.", &[("(str (DayOfWeek/from (LocalDate/of 2024 1 31)))", "\"WEDNESDAY\"")],
        &Body(|h, a| from(h, a, |t| times::weekday_of(t).map(Time::Weekday)))),
    Builtin::new("Month/of", "n", "The month of this number, 1 for January.", &[("(str (Month/of 1))", "\"JANUARY\"")],
        &Body(|_, a| numbered(a, "MonthOfYear", 12, Time::Month))),
    Builtin::new("Month/valueOf", "name", "The month of this name.", &[("(.getValue (Month/valueOf \"MAY\"))", "5")],
        &of_32_bits!(|h, a| named(h, a, "time/month", "java.time.Month"))),
    Builtin::new("Month/values", "", "All months, as a vector.", &[("(count (Month/values))", "12")],
        &of_32_bits!(|h, _| all(h, (1..=12).map(Time::Month)))),
    Builtin::new("Month/from", "time", "The month of a date.", &[("(str (Month/from (LocalDate/of 2024 1 31)))", "\"JANUARY\"")],
        &Body(|h, a| from(h, a, |t| times::month_of(t).map(Time::Month)))),
    Builtin::new("ChronoUnit/valueOf", "name", "The unit of this name.", &[("(str (ChronoUnit/valueOf \"DAYS\"))", "\"Days\"")],
        &Body(|h, a| named(h, a, "time/unit", "java.time.temporal.ChronoUnit"))),
    Builtin::new("ChronoUnit/values", "", "All units, as a vector.", &[("(str (first (ChronoUnit/values)))", "\"Nanos\"")],
        &Body(|h, _| all(h, Unit::ALL.iter().filter(|u| !u.0.is_iso()).map(|u| Time::Unit(u.0))))),
    Builtin::new("ChronoField/valueOf", "name", "The field of this name.", &[("(str (ChronoField/valueOf \"DAY_OF_WEEK\"))", "\"DayOfWeek\"")],
        &Body(|h, a| named(h, a, "time/field", "java.time.temporal.ChronoField"))),
    Builtin::new("ChronoField/values", "", "All fields, as a vector.", &[("(str (first (ChronoField/values)))", "\"NanoOfSecond\"")],
        &Body(|h, _| all(h, Field::ALL.iter().filter(|f| !f.0.is_iso()).map(|f| Time::Field(f.0))))),
    Builtin::new("Year/of", "n", "The Year of this number.", &[("(.isLeap (Year/of 2024))", "true")],
        &Body(|_, a| made(year(int(a, 0)?).map(Time::Year)))),
    Builtin::new("Year/parse", "s", "The Year that a text says.", &[("(.getValue (Year/parse \"2024\"))", "2024")],
        &of_32_bits!(|h, a| parse(h, a, "Year", |p| year(p.number(Field::Year, "Year")?).map(Time::Year)))),
    Builtin::new("Year/from", "time", "The Year of a date.", &[("(str (Year/from (LocalDate/of 2024 1 31)))", "\"2024\"")],
        &Body(|h, a| from(h, a, |t| times::year_of(t).map(Time::Year)))),
    Builtin::new("Year/now", "| zone", "The Year when the turn began, in UTC or a zone.", &[("(class (Year/now))", "java.time.Year")],
        &Body(|h, a| Ok(Value::time(Time::Year(local_now(h, a)?.date.year))))),
    Builtin::new("YearMonth/of", "year month", "The YearMonth of these numbers.", &[("(str (YearMonth/of 2024 2))", "\"2024-02\"")],
        &Body(|_, a| made(year_month((int(a, 0)?, month(a, 1)?))))),
    Builtin::new("YearMonth/parse", "s | s formatter", "The YearMonth that a text says, as 2024-02.", &[("(.lengthOfMonth (YearMonth/parse \"2024-02\"))", "29")],
        &of_32_bits!(|h, a| parse(h, a, "YearMonth", |p| year_month((p.number(Field::Year, "YearMonth")?, p.number(Field::MonthOfYear, "YearMonth")?))))),
    Builtin::new("YearMonth/from", "time", "The YearMonth of a date.", &[("(str (YearMonth/from (LocalDate/of 2024 1 31)))", "\"2024-01\"")],
        &Body(|h, a| from(h, a, |t| times::year_month_of(t).map(|(y, m)| Time::YearMonth(y, m))))),
    Builtin::new("YearMonth/now", "| zone", "The YearMonth when the turn began, in UTC or a zone.", &[("(class (YearMonth/now))", "java.time.YearMonth")],
        &Body(|h, a| {
            let d = local_now(h, a)?.date;
            Ok(Value::time(Time::YearMonth(d.year, d.month)))
        })),
    Builtin::new("MonthDay/of", "month day", "The MonthDay of these numbers.", &[("(str (MonthDay/of 2 29))", "\"--02-29\"")],
        &Body(|_, a| made(month_day(month(a, 0)?, int(a, 1)?)))),
    Builtin::new("MonthDay/parse", "s", "The MonthDay that a text says, as --02-29.", &[("(str (MonthDay/parse \"--02-29\"))", "\"--02-29\"")],
        &Body(|h, a| parse(h, a, "MonthDay", |p| month_day(p.number(Field::MonthOfYear, "MonthDay")?, p.number(Field::DayOfMonth, "MonthDay")?)))),
    Builtin::new("MonthDay/from", "time", "The MonthDay of a date.", &[("(str (MonthDay/from (LocalDate/of 2024 1 31)))", "\"--01-31\"")],
        &Body(|h, a| from(h, a, times::month_day_of))),
    adjuster!("TemporalAdjusters/firstDayOfMonth", "", "Moves to the first day of the month, in (.with date adjuster).", 0, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/firstDayOfMonth)))", "\"2024-01-01\""),
    adjuster!("TemporalAdjusters/lastDayOfMonth", "", "Moves to the last day of the month.", 1, "(str (.with (LocalDate/of 2024 2 1) (TemporalAdjusters/lastDayOfMonth)))", "\"2024-02-29\""),
    adjuster!("TemporalAdjusters/firstDayOfNextMonth", "", "Moves to the first day of the next month.", 2, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/firstDayOfNextMonth)))", "\"2024-02-01\""),
    adjuster!("TemporalAdjusters/firstDayOfYear", "", "Moves to the first day of the year.", 3, "(str (.with (LocalDate/of 2024 5 31) (TemporalAdjusters/firstDayOfYear)))", "\"2024-01-01\""),
    adjuster!("TemporalAdjusters/lastDayOfYear", "", "Moves to the last day of the year.", 4, "(str (.with (LocalDate/of 2024 5 31) (TemporalAdjusters/lastDayOfYear)))", "\"2024-12-31\""),
    adjuster!("TemporalAdjusters/firstDayOfNextYear", "", "Moves to the first day of the next year.", 5, "(str (.with (LocalDate/of 2024 5 31) (TemporalAdjusters/firstDayOfNextYear)))", "\"2025-01-01\""),
    adjuster!("TemporalAdjusters/next", "Moves to the next such day of the week.", 0, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/next DayOfWeek/WEDNESDAY)))", "\"2024-02-07\""),
    adjuster!("TemporalAdjusters/nextOrSame", "Moves to the next such day of the week, if it is not one.", 1, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/nextOrSame DayOfWeek/WEDNESDAY)))", "\"2024-01-31\""),
    adjuster!("TemporalAdjusters/previous", "Moves to the such day of the week before.", 2, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/previous DayOfWeek/WEDNESDAY)))", "\"2024-01-24\""),
    adjuster!("TemporalAdjusters/previousOrSame", "Moves to the such day of the week before, if it is not one.", 3, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/previousOrSame DayOfWeek/MONDAY)))", "\"2024-01-29\""),
    adjuster!("TemporalAdjusters/firstInMonth", "Moves to the first such day of the week in the month.", 4, "(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/firstInMonth DayOfWeek/MONDAY)))", "\"2024-01-01\""),
    adjuster!("TemporalAdjusters/lastInMonth", "Moves to the last such day of the week in the month.", 5, "(str (.with (LocalDate/of 2024 1 1) (TemporalAdjusters/lastInMonth DayOfWeek/MONDAY)))", "\"2024-01-29\""),
    Builtin::new("TemporalAdjusters/dayOfWeekInMonth", "n day", "Moves to the such day of the week of this number in the month.", &[("(str (.with (LocalDate/of 2024 1 31) (TemporalAdjusters/dayOfWeekInMonth 2 DayOfWeek/MONDAY)))", "\"2024-01-08\"")],
        &Body(|_, a| {
            let n = i32::try_from(int(a, 0)?).unwrap_or(0);
            Ok(Value::time(Time::Adjuster(Adjuster::DayOfWeekInMonth(n, weekday(a, 1)?))))
        })),
    Builtin::new("WeekFields/of", "locale | day n", "How weeks are counted: from Sunday on in English, or from a day on with n days in the first of a year.", &[("(.get (LocalDate/of 2024 12 30) (.weekOfYear (WeekFields/of DayOfWeek/MONDAY 1)))", "53")],
        &Body(|_, a| {
            if a.len() > 1 {
                let least = match int(a, 1)? {
                    n @ 1..=7 => n as u8,
                    _ => return Err(thrown(TimeError::argument("Minimal number of days is invalid"))),
                };
                return Ok(Value::time(Time::Weeks(WeekRule { first: weekday(a, 0)?, least })));
            }
            of(a, 0, "Locale/ENGLISH or Locale/US", |t| if let Time::Locale(_) = t { Some(()) } else { None })?;
            Ok(Value::time(Time::Weeks(SUNDAY)))
        })),
    Builtin::new("Locale/getDefault", "", "The locale of those who name none: English.", &[("(str (Locale/getDefault))", "\"en\"")],
        &Body(|_, _| Ok(Value::time(Time::Locale(false))))),
    Builtin::new("Locale/forLanguageTag", "tag", "The locale of en or en-US: names are in English.", &[("(str (Locale/forLanguageTag \"en-US\"))", "\"en_US\"")],
        &Body(|h, a| match text(h, a, 0)? {
            "en" => Ok(Value::time(Time::Locale(false))),
            "en-US" => Ok(Value::time(Time::Locale(true))),
            _ => Err(thrown(TimeError::refused("names are in English only: use Locale/ENGLISH or Locale/US"))),
        })),
];

fn numbered(a: &[Value], field: &str, most: i64, make: fn(u8) -> Time) -> Result {
    let n = int(a, 0)?;
    if (1..=most).contains(&n) {
        return Ok(Value::time(make(n as u8)));
    }
    Err(thrown(TimeError::date_time(format!("Invalid value for {field}: {n}"))))
}

fn named(h: &mut dyn Host, a: &[Value], tag: &str, class: &str) -> Result {
    let name = text(h, a, 0)?;
    match Time::read(tag, name) {
        Ok(found) if found.literal() == name => Ok(Value::time(found)),
        _ => {
            let shown = crate::error::cut(name.to_owned(), 80);
            Err(thrown(TimeError::argument(format!("No enum constant {class}.{shown}"))))
        }
    }
}

fn all(h: &mut dyn Host, found: impl Iterator<Item = Time>) -> Result {
    h.charge(30)?;
    Ok(Value::vector(found.map(Value::time).collect()))
}
