//! How dates and times are written in programs and data: `#inst "..."` and the tags of the library time-literals.

use super::adjust::Adjuster;
use super::amount::{Duration, Period};
use super::error::{Res, TimeError};
use super::formatter::Formatter;
use super::kind::{STYLES, Time};
use super::names::{DAYS, MONTHS};
use super::parsed::Parsed;
use super::unit::{Field, Unit};
use super::weeks::{PARTS, WeekRule};
use super::zone::Zone;
use std::sync::Arc;

/// All tags, in the order in which messages list them.
pub const TAGS: &[&str] = &[
    "inst",
    "time/date",
    "time/time",
    "time/date-time",
    "time/instant",
    "time/zoned-date-time",
    "time/offset-date-time",
    "time/duration",
    "time/period",
    "time/day-of-week",
    "time/month",
    "time/year",
    "time/year-month",
    "time/month-day",
    "time/zone",
    "time/unit",
    "time/field",
    "time/adjuster",
    "time/formatter",
    "time/text-style",
    "time/locale",
    "time/week-fields",
    "time/week-field",
    "time/resolver-style",
];

impl Time {
    /// The tag that it is printed with.
    pub fn tag(&self) -> &'static str {
        match self {
            Time::Inst(_) => "inst",
            Time::Instant(_) => "time/instant",
            Time::Date(_) => "time/date",
            Time::Clock(_) => "time/time",
            Time::DateTime(_) => "time/date-time",
            Time::Offset(_) => "time/offset-date-time",
            Time::Zoned(_) => "time/zoned-date-time",
            Time::Duration(_) => "time/duration",
            Time::Period(_) => "time/period",
            Time::Weekday(_) => "time/day-of-week",
            Time::Month(_) => "time/month",
            Time::Year(_) => "time/year",
            Time::YearMonth(..) => "time/year-month",
            Time::MonthDay(..) => "time/month-day",
            Time::Zone(_) => "time/zone",
            Time::Unit(_) => "time/unit",
            Time::Field(_) => "time/field",
            Time::Adjuster(_) => "time/adjuster",
            Time::Formatter(_) => "time/formatter",
            Time::TextStyle(..) => "time/text-style",
            Time::Locale(_) => "time/locale",
            Time::Weeks(_) => "time/week-fields",
            Time::WeekField(..) => "time/week-field",
            Time::Resolver(_) => "time/resolver-style",
        }
    }

    /// The value that a tag and its text stand for.
    pub fn read(tag: &str, text: &str) -> Res<Time> {
        let none = || TimeError::argument(format!("#{tag} has no such value"));
        let place = |table: &[&str]| table.iter().position(|name| name.to_uppercase() == text);
        Ok(match tag {
            "inst" => Time::Inst(super::inst::parse(text).map_err(TimeError::argument)?),
            "time/date" => Time::Date(iso("ISO_LOCAL_DATE", text, Parsed::local_date)?),
            "time/time" => Time::Clock(iso("ISO_LOCAL_TIME", text, Parsed::local_time)?),
            "time/date-time" => Time::DateTime(iso("ISO_LOCAL_DATE_TIME", text, Parsed::local_date_time)?),
            "time/instant" => Time::Instant(iso("ISO_INSTANT", text, Parsed::instant)?),
            "time/zoned-date-time" => Time::Zoned(iso("ISO_ZONED_DATE_TIME", text, Parsed::zoned)?),
            "time/offset-date-time" => Time::Offset(iso("ISO_OFFSET_DATE_TIME", text, Parsed::offset_date_time)?),
            "time/duration" => Time::Duration(duration(text)?),
            "time/period" => Time::Period(period(text)?),
            "time/day-of-week" => Time::Weekday(place(&DAYS).ok_or_else(none)? as u8 + 1),
            "time/month" => Time::Month(place(&MONTHS).ok_or_else(none)? as u8 + 1),
            "time/year" => match text.parse::<i64>() {
                Ok(n) => Time::Year(super::civil::year(n)?),
                Err(_) => return Err(none()),
            },
            "time/year-month" => {
                let both = |p: &Parsed| Ok((p.number(Field::Year, "Year")?, p.number(Field::MonthOfYear, "Month")?));
                year_month(iso("YearMonth", text, both)?)?
            }
            "time/month-day" => {
                let part = |p: &Parsed, f| p.number(f, "MonthDay");
                let both = |p: &Parsed| Ok((part(p, Field::MonthOfYear)?, part(p, Field::DayOfMonth)?));
                let (m, d) = iso("MonthDay", text, both)?;
                super::fields::month_day(m, d)?
            }
            "time/zone" => Time::Zone(Zone::of(text)?),
            "time/unit" => Time::Unit(Unit::named(text).ok_or_else(none)?),
            "time/field" => Time::Field(Field::named(text).ok_or_else(none)?),
            "time/adjuster" => Time::Adjuster(Adjuster::named(text)?),
            "time/formatter" => Time::Formatter(Arc::new(Formatter::of_literal(text)?)),
            "time/text-style" => {
                let style = STYLES.iter().find(|s| s.0 == text).ok_or_else(none)?;
                Time::TextStyle(style.1, style.2)
            }
            "time/locale" if text == "en" || text == "en_US" => Time::Locale(text == "en_US"),
            "time/week-fields" => Time::Weeks(week_rule(text).ok_or_else(none)?),
            "time/week-field" => {
                let (name, rule) = text.split_once(' ').ok_or_else(none)?;
                let part = PARTS.iter().find(|p| p.0 == name).ok_or_else(none)?;
                Time::WeekField(week_rule(rule).ok_or_else(none)?, part.1)
            }
            "time/resolver-style" if text == "STRICT" || text == "SMART" => Time::Resolver(text == "STRICT"),
            _ => return Err(none()),
        })
    }
}

/// A text read by one of Java's own forms.
pub fn iso<T>(form: &str, text: &str, query: impl FnOnce(&Parsed) -> Res<T>) -> Res<T> {
    match Formatter::constant(form) {
        Some(form) => form.parse(text, query),
        None => Err(TimeError::argument("no such form")),
    }
}

/// The `Duration` of a text.
pub fn duration(text: &str) -> Res<Duration> {
    let fail =
        |more: &str| TimeError::new("DateTimeParseException", format!("Text cannot be parsed to a Duration{more}"));
    match Duration::parse(text) {
        Some(Ok(d)) => Ok(d),
        Some(Err(_)) => Err(fail(": overflow")),
        None => Err(fail("")),
    }
}

/// The `Period` of a text.
pub fn period(text: &str) -> Res<Period> {
    let fail = || TimeError::new("DateTimeParseException", "Text cannot be parsed to a Period");
    Period::parse(text).ok_or_else(fail)
}

/// The `YearMonth` of two numbers.
pub fn year_month((y, m): (i64, i64)) -> Res<Time> {
    Ok(Time::YearMonth(super::civil::year(y)?, Field::MonthOfYear.check(m)? as u8))
}

/// `SUNDAY,1`
fn week_rule(text: &str) -> Option<WeekRule> {
    let (day, least) = text.split_once(',')?;
    let first = DAYS.iter().position(|d| d.to_uppercase() == day)? as u8 + 1;
    let least = least.parse().ok().filter(|n| (1..=7).contains(n))?;
    Some(WeekRule { first, least })
}
